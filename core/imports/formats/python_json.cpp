// SPDX-License-Identifier: Apache-2.0
#include "core/imports/formats/python_json.h"

#include <charconv>

namespace fathom {

namespace {

constexpr int kMaxLeafDepth = 16;

}  // namespace

Result<Json> parsePythonJson(std::string_view text, const std::string& file, const JsonLimits& limits) {
  if (text.find("NaN") == std::string_view::npos && text.find("Infinity") == std::string_view::npos)
    return parseJson(text, file, limits);
  std::string plain;
  plain.reserve(text.size() + 64);
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '"') {  // a text, as it is
      const std::size_t begin = i++;
      while (i < text.size() && text[i] != '"') i += text[i] == '\\' ? 2 : 1;
      i = std::min(i + 1, text.size());
      plain += text.substr(begin, i - begin);
      continue;
    }
    bool word = false;
    for (const std::string_view one : {"-Infinity", "Infinity", "NaN"}) {
      if (!text.substr(i).starts_with(one)) continue;
      plain += '"' + std::string(one) + '"';
      i += one.size();
      word = true;
      break;
    }
    if (!word) plain += text[i++];
  }
  return parseJson(plain, file, limits);
}

std::optional<double> jsonNumber(std::string_view text) {
  // from_chars takes more than JSON does: "1.", "01", "-inf".
  const auto digits = [&text](std::size_t at) {
    while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
    return at;
  };
  const std::size_t first = text.starts_with('-') ? 1 : 0;
  std::size_t at = digits(first);
  if (at == first || (text[first] == '0' && at > first + 1)) return std::nullopt;
  if (at < text.size() && text[at] == '.') {
    const std::size_t point = at + 1;
    if ((at = digits(point)) == point) return std::nullopt;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    const std::size_t sign = at + 1 < text.size() && (text[at + 1] == '+' || text[at + 1] == '-') ? 1 : 0;
    const std::size_t power = at + 1 + sign;
    if ((at = digits(power)) == power) return std::nullopt;
  }
  double number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (at != text.size() || code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<double> jsonReading(const Json& value) {
  if (!value.is_number() && !value.is_string()) return std::nullopt;
  const auto real = realFromJson(value);
  return real.ok() ? std::optional<double>(*real) : std::nullopt;
}

void eachLeaf(const Json& value, const std::string& name,
              const std::function<void(const std::string& name, const Json& leaf)>& take, int depth) {
  if (!value.is_object() || depth >= kMaxLeafDepth) return take(name, value);
  for (const auto& [key, member] : value.items())
    eachLeaf(member, name.empty() ? key : name + "." + key, take, depth + 1);
}

}  // namespace fathom
