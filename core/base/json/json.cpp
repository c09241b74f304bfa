// SPDX-License-Identifier: Apache-2.0
#include "core/base/json/json.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <unordered_set>
#include <vector>

#include "core/base/files/atomic_file.h"
#include "core/base/json/json_builder.h"
#include "core/base/text/byte_order_mark.h"
#include "core/base/text/shown_value.h"

namespace fathom {

namespace {

// Checks depth, duplicate keys and how much there is without building anything.
class GuardHandler {
 public:
  explicit GuardHandler(const JsonLimits& limits) : m_limits(limits) {}
  bool null() { return weigh(1); }
  bool boolean(bool) { return weigh(1); }
  bool number_integer(Json::number_integer_t) { return weigh(1); }
  bool number_unsigned(Json::number_unsigned_t) { return weigh(1); }
  bool number_float(Json::number_float_t, const std::string&) { return weigh(1); }
  bool string(std::string&) { return weigh(JsonBuilder::kOwnMemory); }
  bool binary(Json::binary_t&) { return true; }
  bool start_object(std::size_t) { return enter(true); }
  bool start_array(std::size_t) { return enter(false); }
  bool end_object() { return leave(); }
  bool end_array() { return leave(); }
  bool key(std::string& name) {
    if (!m_limits.allowDuplicateKeys && !m_keys.back().insert(name).second) {
      m_message = Phrase::tr("key \"%1\" appears twice in one object")(name);
      return false;
    }
    return weigh(JsonBuilder::kOwnMemory);
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& e) {
    m_position = position;
    // "… while parsing value - what is wrong; expected what", or "…; last read: " and the bytes themselves.
    const std::string words = e.what();
    const auto dash = words.find(" - "), colon = words.find("; ");
    std::string said = colon == std::string::npos ? words : words.substr(colon + 2);
    if (said.starts_with("last read") && dash < colon) said = words.substr(dash + 3, colon - dash - 3);
    m_message = Phrase::words(said);
    return false;
  }
  const Phrase& message() const { return m_message; }
  std::size_t position() const { return m_position; }

 private:
  bool enter(bool) {
    if (m_keys.size() >= m_limits.maxDepth) {
      m_message = Phrase::tr("nested deeper than %1 levels")(m_limits.maxDepth);
      return false;
    }
    m_keys.emplace_back();
    return weigh(JsonBuilder::kOwnMemory);
  }
  bool leave() {
    m_keys.pop_back();
    return true;
  }
  bool weigh(std::size_t weight) {
    m_weight += weight;
    if (m_weight <= m_limits.maxWeight) return true;
    m_message = Phrase::tr("it holds too many values");
    return false;
  }
  const JsonLimits& m_limits;
  std::size_t m_weight = 0;
  std::vector<std::unordered_set<std::string>> m_keys;
  Phrase m_message;
  std::size_t m_position = 0;
};

// Counts bytes handed to the parser, so that a refusal by the handler has a position too.
struct CountingIterator {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;
  const char* at = nullptr;
  const char** last = nullptr;
  reference operator*() const {
    *last = at;
    return *at;
  }
  CountingIterator& operator++() {
    ++at;
    return *this;
  }
  CountingIterator operator++(int) {
    auto copy = *this;
    ++at;
    return copy;
  }
  bool operator==(const CountingIterator& other) const { return at == other.at; }
  bool operator!=(const CountingIterator& other) const { return at != other.at; }
};

}  // namespace

Result<Json> parseJson(std::string_view text, const std::string& file, const JsonLimits& limits) {
  if (text.size() > limits.maxBytes) {
    return dataErrorAt(file, 0,
                       Phrase::tr("JSON of %1 bytes is over the limit of %2")(text.size(), limits.maxBytes));
  }
  for (const auto& [magic, name] : {std::pair{"\x1F\x8B", "gzip"}, std::pair{"\x28\xB5\x2F\xFD", "zstd"}})
    if (text.starts_with(magic))
      return dataErrorAt(file, 0, Phrase::tr("the file is packed with %1")(name), Phrase::tr("unpack it"));
  text = withoutByteOrderMark(text);
  Json root;
  if (limits.maxDepth <= JsonBuilder::kMaxDepth && JsonBuilder(text, limits).document(root)) return root;
  GuardHandler guard(limits);
  const char* last = text.data();
  const CountingIterator begin{text.data(), &last};
  const CountingIterator end{text.data() + text.size(), &last};
  if (!Json::sax_parse(begin, end, &guard)) {
    const char* where =
        guard.position() > 0 ? text.data() + std::min(guard.position() - 1, text.size()) : last;
    const auto line = 1 + std::count(text.data(), where, '\n');
    return dataErrorAt(file, line, Phrase::tr("not valid JSON: %1")(guard.message()),
                       Phrase::tr("byte %1")(where - text.data()));
  }
  return Json::parse(text, nullptr, false);
}

Result<Json> readJsonFile(const std::string& path, const JsonLimits& limits) {
  FATHOM_TRY(const std::string text, readFile(path, limits.maxBytes));
  return parseJson(text, path, limits);
}

std::string jsonNumber(double value) {
  if (std::isnan(value)) return "\"NaN\"";
  if (std::isinf(value)) return value > 0 ? "\"Infinity\"" : "\"-Infinity\"";
  if (value == 0 && std::signbit(value)) return "-0.0";  // "-0" would be read back as the integer 0
  char text[40];
  return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
}

Json jsonReal(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return value;
}

Result<double> realFromJson(const Json& value) {
  if (value.is_number()) return value.get<double>();
  if (value.is_string()) {
    const auto& word = value.get_ref<const std::string&>();
    if (word == "NaN") return std::numeric_limits<double>::quiet_NaN();
    if (word == "Infinity") return std::numeric_limits<double>::infinity();
    if (word == "-Infinity") return -std::numeric_limits<double>::infinity();
  }
  return dataError(Phrase::tr("expected a number, found %1")(shownValue(value.dump())));
}

}  // namespace fathom
