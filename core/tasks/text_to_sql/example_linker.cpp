// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/text_to_sql/example_linker.h"

#include "core/spider/grammar/sql_tree.h"
#include "core/spider/linking/question_tokens.h"

namespace fathom {

namespace {

// No word means a name: what the relations are worth without links.
class NoLinks : public ExampleLinker {
 public:
  Result<SchemaLinks> links(const SpiderExample& example, const SpiderSchema& schema) const override {
    return SchemaLinks(static_cast<int>(questionWords(example.questionTokens).size()), expandedCount(schema),
                       static_cast<int>(schema.tables.size()) + 1);
  }
};

}  // namespace

const std::vector<LinkerEntry>& exampleLinkers() {
  static const std::vector<LinkerEntry> kLinkers = {
      {"none", "No links",
       [](const OptionValues&, const TaskSetup&) -> Result<std::unique_ptr<ExampleLinker>> {
         return std::unique_ptr<ExampleLinker>(std::make_unique<NoLinks>());
       }}};
  return kLinkers;
}

Result<std::unique_ptr<ExampleLinker>> makeExampleLinker(const std::string& id, const OptionValues& options,
                                                         const TaskSetup& setup) {
  for (const LinkerEntry& entry : exampleLinkers())
    if (entry.id == id) return entry.create(options, setup);
  return internalError("spider.linking=" + id + " is not in the list of linkers");
}

}  // namespace fathom
