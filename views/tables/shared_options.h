// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>
#include <vector>

#include "core/base/json/json.h"

namespace fathom {

// An option of a run with its value.
struct SharedOption {
  std::string key;
  Json value;
  QString text;                   // the value as people read it
  QString searchKey, searchText;  // lower case, for the filter
  bool setsApart = true;          // is not a seed, a device or the like (setsRunsApart)
};

// The effective options of a run, in their order, as the tables hold them: thousands of runs differ in few,
// so each key with its value is there once, until the program ends. Copies are cheap. Any thread.
class SharedOptions {
 public:
  SharedOptions() = default;
  SharedOptions(const Json& options);  // an object; anything else has no options
  // Null where the run has no such option.
  const SharedOption* find(const std::string& key) const;
  const std::vector<const SharedOption*>& all() const { return m_all; }
  bool empty() const { return m_all.empty(); }
  Json toJson() const;
  bool operator==(const SharedOptions&) const = default;

 private:
  std::vector<const SharedOption*> m_all;
};

}  // namespace fathom
