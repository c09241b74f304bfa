// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/errors/phrase.h"
#include "core/base/errors/result.h"
#include "core/base/options/option_field.h"
#include "core/spider/data/spider_dataset.h"
#include "core/spider/linking/link_file.h"
#include "core/spider/linking/schema_links.h"
#include "core/spider/spider_schema.h"
#include "core/tasks/task.h"
#include "core/tasks/text_to_sql/text_to_sql_options.h"

namespace fathom {

// Links the tokens of a question with the items of its database. Immutable once made; any thread.
class ExampleLinker {
 public:
  virtual ~ExampleLinker() = default;
  // `example.questionTokens` are there; tokens of the links are questionWords of them, columns and tables
  // those of SchemaItems. Error: an example that cannot be linked (a file of links without it).
  virtual Result<SchemaLinks> links(const SpiderExample& example, const SpiderSchema& schema) const = 0;
  // The same with what was compared for each token; the tokens as they are where the linker does not say.
  virtual Result<LinkedQuestion> linked(const SpiderExample& example, const SpiderSchema& schema) const;
};

// Choices of `spider.linking`: those of core/spider/linking, and none.
std::vector<OptionChoice> exampleLinkings();

struct OpenedExampleLinker {
  std::unique_ptr<ExampleLinker> linker;
  std::string used;                     // may differ from what was asked for
  Phrase note;                          // why, or empty
  std::vector<std::string> valueNotes;  // databases that are linked without values, what was cut
  // Files that a run keeps to link alike later (docs/schema_linking.md §7): "linking.json", "values.jsonl"
  // where values are linked, OpenedLinker::kept.
  std::map<std::string, std::string> artifacts;
};
// `schemas` must outlive the linker. A run that goes on or is used links as it did before: with what it kept,
// and never with stems in the place of something else. A file of links or of concepts of another name than it
// was trained with is read.
Result<OpenedExampleLinker> openExampleLinker(const TextToSqlOptions& options, const SpiderSchemas& schemas,
                                              const TaskSetup& setup);

}  // namespace fathom
