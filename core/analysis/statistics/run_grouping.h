// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"

namespace fathom {

// By what runs are put together, as a person writes it:
//   ""               runs that differ only in the seed (seed_groups.h)
//   "layers, task"   the values of options, by their keys or the ends of keys; + is the same as a comma
//   "name:*_s#"      the name: what * stands for says the group, # is a number that tells its runs apart
//   "name:"          the name without a number behind seed, s, run, rep, trial or version at its end
// A value.
class RunGrouping {
 public:
  enum class Kind { Seeds, Options, Name };
  static Result<RunGrouping> parse(std::string_view text);
  Kind kind() const { return m_kind; }
  // As it was written, without blanks around it; "" of Kind::Seeds.
  const std::string& text() const { return m_text; }
  // The names of the options, as written.
  const std::vector<std::string>& options() const { return m_options; }

  // Calls `take` with each option of a run, and with what gives its value as people read it.
  using Value = std::function<std::string()>;
  using Take = std::function<void(std::string_view key, const Value& value)>;
  using EachOption = std::function<void(const Take& take)>;
  // What the run has in common with those of its group: "layers=12 · task=nmt", "deep"; "" where it is put
  // together with none. Not of Kind::Seeds.
  std::string groupOf(std::string_view name, const EachOption& options) const;
  std::string groupOf(std::string_view name, const Json& options) const;

 private:
  std::string groupOfName(std::string_view name) const;
  std::string groupOfOptions(const EachOption& options) const;
  Kind m_kind = Kind::Seeds;
  std::string m_text, m_pattern;
  std::vector<std::string> m_options, m_lower;
};

}  // namespace fathom
