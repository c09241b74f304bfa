// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/base/option_field.h"

namespace fathom {

// Writes an OptionField in one expression: FieldBuilder("encoder.layers", OptionType::Integer,
// 6).title("…").help("…").
class FieldBuilder {
 public:
  FieldBuilder(std::string key, OptionType type, Json value) {
    m_field.key = std::move(key);
    m_field.type = type;
    m_field.defaultValue = std::move(value);
  }
  FieldBuilder& title(std::string text) { return m_field.title = std::move(text), *this; }
  FieldBuilder& help(std::string text) { return m_field.help = std::move(text), *this; }
  FieldBuilder& unit(std::string text) { return m_field.unit = std::move(text), *this; }
  FieldBuilder& reference(std::string text) { return m_field.reference = std::move(text), *this; }
  FieldBuilder& group(std::string text) { return m_field.group = std::move(text), *this; }
  FieldBuilder& atLeast(double value) { return m_field.minimum = value, *this; }
  FieldBuilder& atMost(double value) { return m_field.maximum = value, *this; }
  FieldBuilder& above(double value) { return m_field.minimumExclusive = true, atLeast(value); }
  FieldBuilder& below(double value) { return m_field.maximumExclusive = true, atMost(value); }
  FieldBuilder& choices(std::vector<OptionChoice> values) {
    return m_field.choices = std::move(values), *this;
  }
  FieldBuilder& off(Json value) { return m_field.disablingValue = std::move(value), *this; }
  FieldBuilder& alias(std::string key) { return m_field.aliases.push_back(std::move(key)), *this; }
  // Active only while option `key` has one of `values`; several calls: all must hold.
  FieldBuilder& when(std::string key, std::vector<Json> values) {
    m_field.enabledWhen.push_back({std::move(key), OptionClause::Test::In, std::move(values)});
    return *this;
  }
  operator OptionField() const { return m_field; }  // NOLINT: meant to convert

 private:
  OptionField m_field;
};

}  // namespace fathom
