// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/errors/error_key.h"
#include "core/base/options/option_field.h"
#include "core/base/text/edit_distance.h"
#include "core/base/text/number_text.h"
#include "core/base/text/text_list.h"
#include "core/base/text/utf8.h"

namespace fathom {

namespace {

Error valueError(const OptionField& field, const std::string& shown, const Phrase& expected) {
  return aboutKey(field.key, usageError(Phrase::tr("option '%1': %2 is not allowed")(field.key, shown),
                                        Phrase::tr("expected %1")(expected)));
}

// As it stands in a message; dump() throws at texts that are not UTF-8.
std::string shownJson(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// "a number from 1 up to 5"
Phrase numberWords(const OptionField& field, bool whole) {
  Phrase words = whole ? Phrase::tr("a whole number") : Phrase::tr("a number");
  if (field.minimum)
    words.append((field.minimumExclusive ? Phrase::tr("above %1")
                                         : Phrase::tr("from %1"))(shortestText(*field.minimum)));
  if (field.maximum)
    words.append((field.maximumExclusive ? Phrase::tr("below %1")
                                         : Phrase::tr("up to %1"))(shortestText(*field.maximum)));
  return words;
}

bool inRange(const OptionField& field, double value) {
  if (field.minimum && (field.minimumExclusive ? value <= *field.minimum : value < *field.minimum))
    return false;
  if (field.maximum && (field.maximumExclusive ? value >= *field.maximum : value > *field.maximum))
    return false;
  return std::isfinite(value);
}

Result<Json> checkNumber(const OptionField& field, const Json& value, bool whole) {
  const Phrase expected = numberWords(field, whole);
  if (field.disablingValue && value == *field.disablingValue) return *field.disablingValue;
  if (!value.is_number()) return valueError(field, shownJson(value), expected);
  const double number = value.get<double>();
  if (whole && (number != std::floor(number) || std::abs(number) >= 0x1p63))
    return valueError(field, shownJson(value), expected);
  if (!inRange(field, number)) return valueError(field, shownJson(value), expected);
  if (whole) return value.is_number_integer() ? value : Json(static_cast<std::int64_t>(number));
  return Json(number);
}

Result<Json> checkChoice(const OptionField& field, const Json& value) {
  std::vector<std::string> ids;
  for (const OptionChoice& choice : field.choices) ids.push_back(choice.id);
  if (value.is_string() && std::find(ids.begin(), ids.end(), value.get<std::string>()) != ids.end())
    return value;
  std::string all;
  for (const std::string& id : ids) all += " " + id;
  const std::string near = value.is_string() ? nearestSpelling(value.get<std::string>(), ids) : "";
  return valueError(field, shownJson(value),
                    near.empty() ? Phrase::tr("one of%1")(all) : Phrase::tr("'%1'? one of%2")(near, all));
}

Result<Json> checkList(const OptionField& field, const Json& value) {
  if (!value.is_array()) return valueError(field, shownJson(value), Phrase::tr("a list"));
  Json result = Json::array();
  for (const Json& item : value) {
    if (field.type == OptionType::TextList) {
      if (!item.is_string()) return valueError(field, shownJson(item), Phrase::tr("texts"));
      result.push_back(item);
      continue;
    }
    FATHOM_TRY(Json checked, checkNumber(field, item, field.type == OptionType::IntegerList));
    result.push_back(std::move(checked));
  }
  return result;
}

Result<Json> numberFromText(const OptionField& field, std::string_view text) {
  const auto number = numberFrom<double>(text);
  if (!number || !std::isfinite(*number))
    return valueError(field, "'" + std::string(text) + "'", numberWords(field, false));
  const auto whole = numberFrom<std::int64_t>(text);
  return whole ? Json(*whole) : Json(*number);
}

double asNumber(const Json& value) {
  if (value.is_number()) return value.get<double>();
  if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
  return std::nan("");
}

// Number of updates of a length that is given in them; other units give it only when the data are read.
double updatesIn(const Json& value) {
  const auto time =
      value.is_string() ? parseTrainingTime(value.get<std::string>()) : Result<TrainingTime>(TrainingTime{});
  const bool known = time.ok() && !time->never() && time->unit == TrainingTime::Unit::Updates;
  return known ? time->amount : std::nan("");
}

// The options of a run are too many for a line; those of a figure or an analysis are not.
Phrase whereOptionsStand(const OptionSchema& schema) {
  constexpr std::size_t kMostNamed = 60;
  if (schema.fields().size() > kMostNamed) return Phrase::tr("'fathom-engine describe' lists all options");
  if (schema.fields().empty()) return Phrase::tr("there are none here");
  return Phrase::tr("there are: %1")(
      joined(schema.fields(), ", ", [](const OptionField& field) { return field.key; }));
}

}  // namespace

Result<Json> checkOptionValue(const OptionField& field, const Json& value) {
  switch (field.type) {
    case OptionType::Flag:
      return value.is_boolean() ? Result<Json>(value)
                                : valueError(field, shownJson(value), Phrase::tr("true or false"));
    case OptionType::Integer:
      return checkNumber(field, value, true);
    case OptionType::Real:
      return checkNumber(field, value, false);
    case OptionType::Text:
      if (value.is_string() && !validUtf8(value.get_ref<const std::string&>()))
        return valueError(field, shownJson(value), Phrase::tr("a text in UTF-8"));
      [[fallthrough]];
    case OptionType::Path:
      return value.is_string() ? Result<Json>(value)
                               : valueError(field, shownJson(value), Phrase::tr("a text"));
    case OptionType::Choice:
      return checkChoice(field, value);
    case OptionType::Time: {
      if (!value.is_string() && !value.is_number())
        return valueError(field, shownJson(value), Phrase::tr("a time such as 300u"));
      const auto time = parseTrainingTime(value.is_string() ? value.get<std::string>() : value.dump());
      if (!time.ok())
        return valueError(field, shownJson(value),
                          Phrase::tr("300u (updates), 10e (epochs), 20Mt (target tokens) or never"));
      return Json(time->text());
    }
    case OptionType::IntegerList:
    case OptionType::RealList:
    case OptionType::TextList:
      return checkList(field, value);
  }
  return internalError("unknown option type");
}

Result<Json> parseOptionText(const OptionField& field, std::string_view text) {
  switch (field.type) {
    case OptionType::Flag:
      if (text == "true" || text == "on" || text == "yes" || text == "1") return Json(true);
      if (text == "false" || text == "off" || text == "no" || text == "0") return Json(false);
      return valueError(field, "'" + std::string(text) + "'", Phrase::tr("true or false"));
    case OptionType::Integer:
    case OptionType::Real: {
      if (field.disablingValue && field.disablingValue->is_string() && *field.disablingValue == text) {
        return *field.disablingValue;
      }
      FATHOM_TRY(const Json number, numberFromText(field, text));
      return checkOptionValue(field, number);
    }
    case OptionType::IntegerList:
    case OptionType::RealList:
    case OptionType::TextList: {
      Json list = Json::array();
      while (!text.empty()) {
        const std::string_view item = takeUntil(text, ',');
        if (field.type == OptionType::TextList) {
          list.push_back(std::string(item));
        } else {
          FATHOM_TRY(Json number, numberFromText(field, item));
          list.push_back(std::move(number));
        }
      }
      return checkOptionValue(field, list);
    }
    default:
      return checkOptionValue(field, Json(std::string(text)));
  }
}

std::string optionValueText(const OptionField& field, const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  if (value.is_array()) {
    return joined(value, ",", [&field](const Json& item) { return optionValueText(field, item); });
  }
  if (value.is_number_float()) return jsonNumber(value.get<double>());
  return value.dump();
}

OptionValues::OptionValues(OptionSchema schema) : m_schema(std::move(schema)) {
  for (const OptionField& field : m_schema.fields()) m_values[field.key] = field.defaultValue;
}

Status OptionValues::set(std::string_view key, const Json& value) {
  const OptionField* field = m_schema.find(key);
  if (field == nullptr) {
    const std::string near = m_schema.nearestKey(key);
    return aboutKey(std::string(key), usageError(Phrase::tr("unknown option '%1'")(std::string(key)),
                                                 near.empty() ? whereOptionsStand(m_schema)
                                                              : Phrase::tr("did you mean '%1'?")(near)));
  }
  FATHOM_TRY(Json checked, checkOptionValue(*field, value));
  m_values[field->key] = std::move(checked);
  return {};
}

Status OptionValues::setText(std::string_view assignment) {
  // It is written into the run's configuration, which is JSON.
  if (!validUtf8(assignment))
    return usageError(Phrase::tr("'%1' is not UTF-8")(std::string(assignment)),
                      Phrase::tr("give the file a name in UTF-8, or name a link to it"));
  const auto equals = assignment.find('=');
  if (equals == std::string_view::npos) {
    return usageError(Phrase::tr("'%1' is not of the form key=value")(std::string(assignment)));
  }
  const std::string_view key = assignment.substr(0, equals);
  if (key.empty())
    return usageError(Phrase::tr("'%1' has no key before the '='")(std::string(assignment)),
                      Phrase::tr("write key=value"));
  const OptionField* field = m_schema.find(key);
  if (field == nullptr) return set(key, Json());
  FATHOM_TRY(const Json value, parseOptionText(*field, assignment.substr(equals + 1)));
  return set(key, value);
}

Status OptionValues::merge(const Json& object, const std::string& source, bool lenient) {
  if (!object.is_object()) return dataErrorAt(source, 0, Phrase::tr("expected an object of options"));
  for (const auto& [key, value] : object.items()) {
    if (m_schema.find(key) == nullptr && lenient) {
      m_unknown.push_back(key);
      m_values[key] = value;
      continue;
    }
    if (Status status = set(key, value); !status.ok()) {
      return aboutFile(source, status.error());
    }
  }
  return {};
}

const Json& OptionValues::value(std::string_view key) const {
  const OptionField* field = m_schema.find(key);
  const auto found = field != nullptr ? m_values.find(field->key) : m_values.find(key);
  if (found == m_values.end())
    throw Failure(internalError("option '" + std::string(key) + "' is not declared"));
  return found->second;
}

bool OptionValues::flag(std::string_view key) const {
  return value(key).get<bool>();
}
std::int64_t OptionValues::integer(std::string_view key) const {
  return value(key).get<std::int64_t>();
}
double OptionValues::real(std::string_view key) const {
  return value(key).get<double>();
}
std::string OptionValues::text(std::string_view key) const {
  return value(key).get<std::string>();
}
TrainingTime OptionValues::time(std::string_view key) const {
  return parseTrainingTime(value(key).get<std::string>()).value();
}
std::vector<std::int64_t> OptionValues::integers(std::string_view key) const {
  return value(key).get<std::vector<std::int64_t>>();
}
std::vector<std::string> OptionValues::texts(std::string_view key) const {
  return value(key).get<std::vector<std::string>>();
}

bool OptionValues::holds(const OptionPredicate& predicate) const {
  for (const OptionClause& clause : predicate) {
    const auto found = m_values.find(clause.key);
    if (found == m_values.end()) return false;
    const Json& actual = found->second;
    // {"key": other} is that option's value, {"key": other, "plus": n} n more.
    const auto resolve = [&](const Json& operand) -> Json {
      if (!operand.is_object() || !operand.contains("key")) return operand;
      const auto other = m_values.find(operand["key"].get<std::string>());
      if (other == m_values.end()) return {};
      if (!operand.contains("plus") || !other->second.is_number()) return other->second;
      if (other->second.is_number_integer() && operand["plus"].is_number_integer())
        return other->second.get<std::int64_t>() + operand["plus"].get<std::int64_t>();
      return other->second.get<double>() + operand["plus"].get<double>();
    };
    bool any = false;
    for (const Json& operand : clause.values) any = any || resolve(operand) == actual;
    const OptionField* field = m_schema.find(clause.key);
    const bool time = field != nullptr && field->type == OptionType::Time;
    const double left = time ? updatesIn(actual) : asNumber(actual);
    const double right = clause.values.empty() ? std::nan("") : asNumber(resolve(clause.values[0]));
    bool result = false;
    switch (clause.test) {
      case OptionClause::Test::In:
        result = any;
        break;
      case OptionClause::Test::NotIn:
        result = !any;
        break;
      case OptionClause::Test::AtLeast:
        result = left >= right;
        break;
      case OptionClause::Test::AtMost:
        result = left <= right;
        break;
      case OptionClause::Test::Multiple:
        result = right != 0 && std::fmod(left, right) == 0;
        break;
      case OptionClause::Test::NotMultiple:
        result = right != 0 && std::fmod(left, right) != 0;
        break;
    }
    if (!result) return false;
  }
  return true;
}

bool OptionValues::active(std::string_view key) const {
  const OptionField* field = m_schema.find(key);
  return field != nullptr && holds(field->enabledWhen);
}

std::vector<OptionValues::Violation> OptionValues::violations() const {
  std::vector<Violation> result;
  for (const OptionRule& rule : m_schema.rules()) {
    const bool allActive =
        std::all_of(rule.keys.begin(), rule.keys.end(), [&](const std::string& key) { return active(key); });
    if (allActive && holds(rule.when)) result.push_back({rule.reason, rule.keys});
  }
  return result;
}

Status OptionValues::check() const {
  const auto broken = violations();
  if (broken.empty()) return {};
  Phrase hint;
  for (const std::string& key : broken[0].keys)
    hint.append(hint.empty() ? Phrase::tr("see option '%1'")(key) : Phrase::words("'" + key + "'"), ", ");
  Error error = dataError(Phrase::known(broken[0].reason), hint);
  if (!broken[0].keys.empty()) error.key = broken[0].keys[0];
  return error;
}

Json OptionValues::effective() const {
  Json json = Json::object();
  for (const OptionField& field : m_schema.fields()) json[field.key] = m_values.at(field.key);
  for (const std::string& key : m_unknown) json[key] = m_values.at(key);
  return json;
}

Json OptionValues::minimal() const {
  Json json = Json::object();
  for (const OptionField& field : m_schema.fields()) {
    if (m_values.at(field.key) != field.defaultValue) json[field.key] = m_values.at(field.key);
  }
  return json;
}

}  // namespace fathom
