// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/options/asked_key.h"
#include "core/library/runs/run_listing.h"

namespace fathom {

// Facts of a run that have a name of their own in conditions.
enum class RunField {
  Name,
  State,
  Cause,
  Preset,
  Tags,
  Notes,
  Starred,
  Updates,
  Total,    // updates
  Time,     // seconds
  Started,  // seconds since 1970
  Attempts,
  Source,  // where it was imported from
  Place    // where it is or was trained last (core/record/runs/attempt_place.h)
};

// A name that a condition asks for.
struct AskedName {
  // Any: the best or the last value of a metric, else an option.
  enum class Kind { Field, Best, Last, Option, Any };
  Kind kind = Kind::Any;
  RunField field = RunField::Name;
  std::string name;   // without "best.", "last." or "option."
  std::string lower;  // the same, ASCII letters small
  int number = 0;     // among the names of its condition, for whoever keeps something by it
};

// What a run has under a name. The text is borrowed from the run.
struct AskedFact {
  enum class Kind { None, Number, Text, Flag };
  Kind kind = Kind::None;
  double number = 0;  // of a flag 0 or 1
  std::string_view text;

  static AskedFact of(double value) { return {Kind::Number, value, {}}; }
  static AskedFact of(std::string_view text) { return {Kind::Text, 0, text}; }
  static AskedFact flag(bool on) { return {Kind::Flag, on ? 1.0 : 0.0, {}}; }
  bool none() const { return kind == Kind::None; }
};
using AskedFacts = std::vector<AskedFact>;

// One run as a condition asks it. Facts are added to `facts`; names are compared without regard to the case
// of ASCII letters.
class AskedRun {
 public:
  virtual ~AskedRun() = default;
  // Of a text that the run does not have an empty one; nothing where a number is not known.
  virtual void field(RunField field, AskedFacts& facts) const = 0;
  // The best or last value of the metric of this name, or of those whose name ends with it after '.' or '/'.
  virtual void metrics(const AskedName& name, bool best, bool whole, AskedFacts& facts) const = 0;
  // The option of this key, else those whose key ends with the name after a '.'.
  virtual void options(const AskedName& name, AskedFacts& facts) const = 0;
};

// A condition on runs, as `fathom runs --where` and the filter of the run table take it
// (resources/help/run_filter.md): "valid.bleu > 30 and layers >= 12". A value; any thread.
class RunCondition {
 public:
  // A usage error names the place and what is expected there.
  static Result<RunCondition> parse(std::string_view text);
  bool holds(const AskedRun& run) const;
  // The same of a row of a listing, read with RowParts::All where needsOptions() says so. `queuedAt`: the
  // place that it waits or works at by the queue; "" = none, and its last attempt tells.
  bool holds(const RunRow& row, const std::string& queuedAt = {}) const;
  bool needsOptions() const;
  const std::vector<AskedName>& names() const { return m_names; }
  // True if the run has anything under the name.
  bool has(const AskedName& name, const AskedRun& run) const;
  bool has(const AskedName& name, const RunRow& row) const;

 private:
  friend class ConditionParser;
  enum class Operator { Equal, Unequal, Less, LessOrEqual, Greater, GreaterOrEqual, Contains, Lacks };
  // A value that is compared with; a date stands for all of its seconds.
  struct Value {
    std::string text;  // ASCII letters small
    std::optional<double> number, until;
    std::optional<bool> flag;
  };
  struct Node {
    enum class Kind { And, Or, Not, Compare, Has };
    Kind kind = Kind::Has;
    int left = -1, right = -1;  // of And, Or, Not
    int name = -1;              // of Compare and Has
    Operator how = Operator::Equal;
    std::vector<Value> values;  // of Compare: one of them
  };
  static bool compares(const AskedFact& fact, Operator how, const Value& value);
  static bool equals(const AskedFact& fact, const Value& value);
  static void gather(const AskedName& name, const AskedRun& run, AskedFacts& facts);
  bool nodeHolds(int node, const AskedRun& run, AskedFacts& facts) const;
  bool compareHolds(const Node& node, const AskedFacts& facts) const;
  std::vector<Node> m_nodes;
  std::vector<AskedName> m_names;
  int m_root = -1;
};

// True if a person who typed this into a filter means a condition and not words to be looked for: it begins
// with "where", or compares with anything but a single "option=value".
bool looksLikeCondition(std::string_view text);
// The words that a condition may begin with beside metrics and options: "name", "state", …
std::vector<std::string> runFieldNames();

// The names that no run was seen to have anything under, with the nearest of what runs do have.
class UnmetNames {
 public:
  explicit UnmetNames(const RunCondition& condition) : m_condition(condition) {}
  void see(const RunRow& row);
  // A sentence for each, empty where all were met or no run was seen.
  std::vector<Phrase> sentences() const;

 private:
  const RunCondition& m_condition;
  std::map<int, bool> m_met;
  std::map<std::string, bool> m_known;
  bool m_seen = false;
};
// "no run has 'vaild.bleu'; did you mean 'valid.bleu'?"
Phrase unmetName(const std::string& name, const std::vector<std::string>& known);

}  // namespace fathom
