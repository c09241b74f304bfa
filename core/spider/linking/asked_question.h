// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/spider/linking/schema_links.h"
#include "core/spider/spider_schema.h"

namespace fathom {

// A question to a database as a running program is asked it, and as its reply tells it (docs/serving.md §3):
//   {"database", "question", "tokens": [words], "table_links", "column_links"}
struct AskedQuestion {
  std::string database, question;
  std::vector<std::string> tokens;   // questionWords; empty: those of the question
  std::optional<SchemaLinks> links;  // of these tokens; nothing: those that the linking finds
  bool operator==(const AskedQuestion& other) const;
};

Json askedQuestionJson(const AskedQuestion& asked);
// Data error naming the member: no text, an unknown database, links of other items or words.
Result<AskedQuestion> askedQuestionFrom(const Json& json, const SpiderSchemas& schemas);

}  // namespace fathom
