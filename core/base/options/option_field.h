// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/base/options/time_unit.h"

namespace fathom {

enum class OptionType { Flag, Integer, Real, Text, Path, Choice, Time, IntegerList, RealList, TextList };
const char* optionTypeName(OptionType type);  // "flag", "integer", ... as in describe's JSON

struct OptionChoice {
  std::string id;
  std::string title;
};

// A predicate over other options, as data, so that the window and the engine judge alike: every clause must
// hold. A clause compares the value of `key` with `values`: In / NotIn (equality with any), AtLeast / AtMost
// / Multiple / NotMultiple (numeric, values[0]; Multiple: value % values[0] == 0; values[0] may be {"key":
// other} to name another option).
struct OptionClause {
  enum class Test { In, NotIn, AtLeast, AtMost, Multiple, NotMultiple };
  std::string key;
  Test test = Test::In;
  std::vector<Json> values;
};
using OptionPredicate = std::vector<OptionClause>;

// The one declaration of an option: JSON reading, --set, the form row, help text and describe all come from
// it. Keys are <stack or part>.<axis>.<entry>.<field>.
struct OptionField {
  std::string key;
  OptionType type = OptionType::Integer;
  Json defaultValue;
  std::string title;      // short label for the form
  std::string help;       // one sentence
  std::string unit;       // "", "updates", "tokens", ...
  std::string reference;  // "Admin §4.3", "" if none
  std::optional<double> minimum, maximum;
  bool minimumExclusive = false, maximumExclusive = false;
  std::vector<OptionChoice> choices;
  std::optional<Json> disablingValue;  // the value that turns the feature off
  std::vector<std::string> aliases;    // old names, still read
  std::string group;                   // "Model", "Optimiser", ...: tree node of the form
  OptionPredicate enabledWhen;         // otherwise inactive: kept, shown grey, never an error
};

// A forbidden combination: when `when` holds (and the keys are active), the configuration is refused with
// `reason`.
struct OptionRule {
  OptionPredicate when;
  std::string reason;
  std::vector<std::string> keys;  // keys to mark in the form
};

// A complete set of declarations plus rules; immutable once built.
class OptionSchema {
 public:
  OptionSchema() = default;
  OptionSchema(std::vector<OptionField> fields, std::vector<OptionRule> rules);
  const std::vector<OptionField>& fields() const { return m_fields; }
  const std::vector<OptionRule>& rules() const { return m_rules; }
  const OptionField* find(std::string_view keyOrAlias) const;
  // The declared key nearest in spelling, for "did you mean".
  std::string nearestKey(std::string_view key) const;
  Json toJson() const;  // {"fields":[...],"rules":[...]}: describe's part
  static Result<OptionSchema> fromJson(const Json& json);

 private:
  std::vector<OptionField> m_fields;
  std::vector<OptionRule> m_rules;
  std::map<std::string, std::size_t, std::less<>> m_index;
};

// Checks type and range and returns the canonical JSON value; the error names key, value and what is allowed.
Result<Json> checkOptionValue(const OptionField& field, const Json& value);
// The same from text, as in --set key=value.
Result<Json> parseOptionText(const OptionField& field, std::string_view text);
std::string optionValueText(const OptionField& field, const Json& value);

// Values for a schema. Precedence is the order of the calls: defaults < preset < file < form or command line.
class OptionValues {
 public:
  explicit OptionValues(OptionSchema schema = {});
  const OptionSchema& schema() const { return m_schema; }

  Status set(std::string_view key, const Json& value);
  Status setText(std::string_view assignment);  // "key=value"
  // An object of key: value. `lenient`: unknown keys are kept and listed instead of refused (recorded runs).
  Status merge(const Json& object, const std::string& source, bool lenient = false);

  const Json& value(std::string_view key) const;  // Failure(internal) for an undeclared key
  bool flag(std::string_view key) const;
  std::int64_t integer(std::string_view key) const;
  double real(std::string_view key) const;
  std::string text(std::string_view key) const;
  TrainingTime time(std::string_view key) const;
  std::vector<std::int64_t> integers(std::string_view key) const;
  std::vector<std::string> texts(std::string_view key) const;

  bool active(std::string_view key) const;  // enabledWhen holds
  // Every rule that is broken now (a rule is judged only while all its keys are active).
  struct Violation {
    std::string reason;
    std::vector<std::string> keys;
  };
  std::vector<Violation> violations() const;
  Status check() const;  // first violation as an error

  Json effective() const;  // all keys, declaration order, unknown ones last
  Json minimal() const;    // only what differs from the defaults
  const std::vector<std::string>& unknownKeys() const { return m_unknown; }

 private:
  bool holds(const OptionPredicate& predicate) const;
  OptionSchema m_schema;
  std::map<std::string, Json, std::less<>> m_values;
  std::vector<std::string> m_unknown;
};

}  // namespace fathom
