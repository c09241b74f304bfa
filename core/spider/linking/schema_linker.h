// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/errors/phrase.h"
#include "core/base/options/option_field.h"
#include "core/spider/linking/link_file.h"
#include "core/spider/linking/stored_values.h"

namespace fathom {

// Folder in which Debian's wordnet-base puts its files.
constexpr const char* kWordnetFolder = "/usr/share/wordnet";

// Sources of a linker; schemas and values must outlive it.
struct LinkingSources {
  const SpiderSchemas* schemas = nullptr;
  const StoredValues* values = nullptr;  // null: linked without values
  std::string wordnet = kWordnetFolder;
  std::string links;     // the file of linking "file"
  std::string concepts;  // file of concept tables for DT-Fixup's rules, or ""
  // Texts that a run kept (OpenedLinker::kept), in the place of those files; null: it kept nothing.
  const std::map<std::string, std::string>* kept = nullptr;
  bool mayReplace = true;  // stems may take the place of a WordNet that is absent
  bool keep = false;       // fill OpenedLinker::kept
};

// Links questions. What it makes of a schema it keeps. One thread at a time.
class SchemaLinker {
 public:
  virtual ~SchemaLinker() = default;
  // `words`: question_toks of the data set, or wordsOfText. Errors name what is wrong: a database
  // that the schemas lack, a question without words, a question that a file of links has not.
  virtual Result<LinkedQuestion> link(std::string_view dbId, const std::vector<std::string>& words) = 0;
};

// The choices of `spider.linking`, the default first.
std::vector<OptionChoice> schemaLinkings();

struct OpenedLinker {
  std::unique_ptr<SchemaLinker> linker;
  std::string used;  // id of the linking that is used
  Phrase note;       // why it is not the one that was asked for, or empty
  // By name ("wordnet.json", "concepts.json", "links.jsonl"), what makes the same links whatever becomes of
  // the files (docs/schema_linking.md §7).
  std::map<std::string, std::string> kept;
};
// Stems take the place of a WordNet that is absent, if they may. Errors: an unknown id, a damaged
// WordNet, an absent one that nothing may replace, a file of links that cannot be read or is of other data.
Result<OpenedLinker> openSchemaLinker(std::string_view id, const LinkingSources& sources);

}  // namespace fathom
