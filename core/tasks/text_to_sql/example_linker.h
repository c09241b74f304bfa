// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/option_field.h"
#include "core/base/result.h"
#include "core/spider/data/spider_dataset.h"
#include "core/spider/linking/schema_links.h"
#include "core/spider/spider_schema.h"
#include "core/tasks/task.h"

namespace fathom {

// Links the tokens of a question with the items of its database. Immutable once made; any thread.
class ExampleLinker {
 public:
  virtual ~ExampleLinker() = default;
  // `example.questionTokens` are there; tokens of the links are questionWords of them, columns and tables
  // those of SchemaItems. Error: an example that cannot be linked (a file of links without it).
  virtual Result<SchemaLinks> links(const SpiderExample& example, const SpiderSchema& schema) const = 0;
};

struct LinkerEntry {
  std::string id, title;
  // `options` of the task; `setup` for progress and for what a run keeps.
  std::function<Result<std::unique_ptr<ExampleLinker>>(const OptionValues& options, const TaskSetup& setup)>
      create;
};

// In the order of the menu; the first one is the default of `spider.linking`.
const std::vector<LinkerEntry>& exampleLinkers();
Result<std::unique_ptr<ExampleLinker>> makeExampleLinker(const std::string& id, const OptionValues& options,
                                                         const TaskSetup& setup);

}  // namespace fathom
