// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/json/json.h"
#include "core/spider/linking/link_json.h"
#include "core/spider/linking/question_tokens.h"
#include "core/spider/linking/schema_links.h"
#include "core/spider/spider_schema.h"

namespace fathom {

// A question with its links.
struct LinkedQuestion {
  std::vector<QuestionToken> tokens;
  SchemaLinks links;
};

// Links as JSON lines (docs/schema_linking.md §6), written by `fathom spider-link` and by other programs. A
// line is found again by its database and the words of its question.
class LinkFile {
 public:
  // Errors name file, line and value: links of items or words that are not there, databases that the schemas
  // lack, a question twice with different links.
  static Result<LinkFile> read(const std::string& path, const SpiderSchemas& schemas);
  static Result<LinkFile> parse(std::string_view text, const std::string& path, const SpiderSchemas& schemas);

  // Error: the file has no such question.
  Result<LinkedQuestion> find(std::string_view dbId, const std::vector<std::string>& words) const;
  std::size_t count() const { return m_questions.size(); }

 private:
  class Reader;
  struct Question {
    std::vector<QuestionToken> tokens;
    int columns = 0, tables = 0;
    std::vector<ItemLink> columnLinks, tableLinks;
    bool operator==(const Question&) const = default;
  };
  std::string m_path;
  std::unordered_map<std::string, Question> m_questions;  // by database, LF, words
};

// The first line of such a file; `dataSha256` says which data it was made of.
std::string linkFileHead(const std::string& linking, const std::string& dataSha256);
std::string linkFileLine(std::string_view dbId, const std::vector<std::string>& words,
                         const LinkedQuestion& question);

}  // namespace fathom
