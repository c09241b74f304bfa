// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"
#include "core/tasks/task.h"

namespace fathom {

// The links of one example: which of its words mean which items of its database.
struct ExampleLinks {
  std::string database, question;  // what the links are known by, in every part and file
  struct Item {
    std::string name;  // "singer", "singer.age"
    bool table = false;
  };
  std::vector<std::string> words;
  std::vector<Item> items;
  std::vector<std::uint8_t> codes;  // [items, words], row by row; 0 = no link (LinkCode)
};

// One link that a person wants otherwise.
struct LinkChange {
  std::string database, question;
  int item = 0, word = 0;
  std::uint8_t code = 0;
};

// Additional interface of a task whose examples are words linked with items. Immutable; any thread.
class LinkedExamples {
 public:
  virtual ~LinkedExamples() = default;
  // Links of any example of a part, left out or not. Error: it cannot be linked (unknown database, no words).
  virtual Result<ExampleLinks> exampleLinks(DataSplit split, ExampleId example) const = 0;
  // The links of all parts with these changes, as the file that another run reads. Examples that cannot be
  // linked are left out. Error: a change of what no example has; interrupted.
  virtual Result<std::string> linkFileWith(const std::vector<LinkChange>& changes, Progress& progress,
                                           const StopToken& stop) const = 0;
  // The options that make a run read such a file.
  virtual Json optionsForLinkFile(const std::string& file) const = 0;
};

}  // namespace fathom
