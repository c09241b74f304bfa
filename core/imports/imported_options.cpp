// SPDX-License-Identifier: Apache-2.0
#include "core/imports/imported_options.h"

#include <algorithm>
#include <cmath>

#include "core/base/text/number_text.h"
#include "core/base/text/text_list.h"
#include "core/base/text/utf8.h"

namespace fathom {

namespace {

constexpr std::size_t kMaxOptions = 2000, kMaxName = 200, kMaxValue = 4096;
constexpr int kMaxOptionDepth = 8;

std::string lowered(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

Json plainNumber(double value) {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  if (std::isfinite(value) && std::abs(value) < kExact && value == std::floor(value))
    return static_cast<std::int64_t>(value);
  return jsonReal(value);
}

// Texts of a list may be bytes of anybody's: then it is kept as one text.
bool plainList(const Json& list) {
  return std::none_of(list.begin(), list.end(), [](const Json& item) {
    return item.is_structured() || (item.is_string() && !validUtf8(item.get_ref<const std::string&>()));
  });
}

}  // namespace

bool isSeedName(std::string_view name) {
  const std::size_t at = name.find_last_of("./");
  const std::string last = lowered(at == std::string_view::npos ? name : name.substr(at + 1));
  return last == "seed" || last == "random_seed" || last == "manual_seed" || last == "rng_seed" ||
         last == "data_seed" || last == "global_seed";
}

void ImportedOptions::take(const std::string& name, const Json& value, int depth) {
  if (value.is_null() || value.is_discarded()) return;
  if (value.is_object()) {
    if (depth >= kMaxOptionDepth) {
      ++m_leftOut;
      return;
    }
    for (const auto& [key, member] : value.items())
      take(name.empty() ? key : name + "." + key, member, depth + 1);
    return;
  }
  Json kept = value;
  if (value.is_number_float()) kept = plainNumber(value.get<double>());
  if (value.is_array() && !plainList(value))
    kept = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  const std::size_t size = kept.is_string() ? kept.get_ref<const std::string&>().size()
                           : kept.is_array()
                               ? kept.dump(-1, ' ', false, Json::error_handler_t::replace).size()
                               : 0;
  const bool fits = !name.empty() && name.size() <= kMaxName && validUtf8(name) && size <= kMaxValue &&
                    (!kept.is_string() || validUtf8(kept.get_ref<const std::string&>())) &&
                    (m_values.size() < kMaxOptions || m_values.contains(name));
  if (fits)
    m_values.try_emplace(name, std::move(kept));
  else
    ++m_leftOut;
}

void ImportedOptions::add(const std::string& name, const Json& value) {
  take(name, value, 0);
}

void ImportedOptions::addText(const std::string& name, std::string_view text) {
  text = trimmed(text);
  if (text.empty()) return;
  if (const auto whole = numberFrom<std::int64_t>(text)) return add(name, *whole);
  if (const auto real = numberFrom<double>(text)) return add(name, *real);
  const std::string word = lowered(text);
  if (word == "true" || word == "false") return add(name, word == "true");
  add(name, std::string(text));
}

Json ImportedOptions::finish(std::vector<Phrase>& warnings) const {
  if (m_leftOut > 0)
    warnings.push_back(Phrase::tr("%1 options are left out: too many, or too long to be one")(m_leftOut));
  // The seed under its shortest name; the same number under other names is the same seed.
  const std::pair<const std::string, Json>* seed = nullptr;
  for (const auto& option : m_values) {
    if (isSeedName(option.first) && (seed == nullptr || option.first.size() < seed->first.size()))
      seed = &option;
  }
  Json json = Json::object();
  if (seed != nullptr) json["seed"] = seed->second;
  for (const auto& [name, value] : m_values) {
    if (seed != nullptr && isSeedName(name) && value == seed->second) continue;
    json[name] = value;
  }
  return json;
}

namespace {

// Python's printed values. Every step either goes on in the text or ends.
class PythonReader {
 public:
  explicit PythonReader(std::string_view text) : m_text(text) {}

  bool value(Json& out, int depth) {
    if (depth > kMaxOptionDepth || ++m_values > 5000) return false;
    blanks();
    if (m_at == m_text.size()) return false;
    const char c = m_text[m_at];
    if (c == '\'' || c == '"') {
      std::string word;
      if (!quoted(word)) return false;
      out = std::move(word);
      return true;
    }
    if (c == '{') return dictionary(out, depth);
    if (c == '[') return list(out, ']', depth);
    if (c == '(') return list(out, ')', depth);
    const std::size_t begin = m_at;
    while (m_at < m_text.size() && (std::isalnum(static_cast<unsigned char>(m_text[m_at])) != 0 ||
                                    m_text[m_at] == '_' || m_text[m_at] == '.'))
      ++m_at;
    if (m_at < m_text.size() && m_text[m_at] == '(' && m_text.substr(begin, m_at - begin) == "Namespace")
      return names(out, depth);
    m_at = begin;
    return word(out);
  }

 private:
  void blanks() {
    while (m_at < m_text.size() && (m_text[m_at] == ' ' || m_text[m_at] == '\t')) ++m_at;
  }
  bool take(char c) {
    blanks();
    if (m_at == m_text.size() || m_text[m_at] != c) return false;
    ++m_at;
    return true;
  }
  bool quoted(std::string& out) {
    const char mark = m_text[m_at++];
    while (m_at < m_text.size() && m_text[m_at] != mark) {
      if (m_text[m_at] == '\\' && m_at + 1 < m_text.size()) ++m_at;
      out += m_text[m_at++];
    }
    return m_at < m_text.size() && m_text[m_at++] == mark;
  }
  // A number, a word of the language, or anything else up to the comma or bracket that ends it.
  bool word(Json& out) {
    const std::size_t begin = m_at;
    int open = 0;
    for (; m_at < m_text.size(); ++m_at) {
      const char c = m_text[m_at];
      if (open == 0 && (c == ',' || c == ')' || c == ']' || c == '}')) break;
      if (c == '(' || c == '[' || c == '{' || c == '<') ++open;
      if (c == ')' || c == ']' || c == '}' || c == '>') --open;
    }
    std::string_view text = m_text.substr(begin, m_at - begin);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    if (text.empty()) return false;
    if (text == "None")
      out = nullptr;
    else if (text == "True" || text == "False")
      out = text == "True";
    else if (const auto whole = numberFrom<std::int64_t>(text))
      out = *whole;
    else if (const auto real = numberFrom<double>(text))
      out = *real;
    else
      out = std::string(text);
    return true;
  }
  bool list(Json& out, char close, int depth) {
    ++m_at;
    out = Json::array();
    while (!take(close)) {
      Json item;
      if (!value(item, depth + 1)) return false;
      out.push_back(std::move(item));
      if (!take(',')) return take(close);
    }
    return true;
  }
  bool dictionary(Json& out, int depth) {
    ++m_at;
    out = Json::object();
    while (!take('}')) {
      Json key, item;
      if (!value(key, depth + 1) || !take(':') || !value(item, depth + 1)) return false;
      out.emplace(
          key.is_string() ? key.get<std::string>() : key.dump(-1, ' ', false, Json::error_handler_t::replace),
          std::move(item));
      if (!take(',')) return take('}');
    }
    return true;
  }
  bool names(Json& out, int depth) {
    ++m_at;
    out = Json::object();
    while (!take(')')) {
      blanks();
      const std::size_t equals = m_text.find('=', m_at);
      if (equals == std::string_view::npos || equals - m_at > kMaxName) return false;
      std::string key(m_text.substr(m_at, equals - m_at));
      m_at = equals + 1;
      Json item;
      if (!value(item, depth + 1)) return false;
      out.emplace(std::move(key), std::move(item));
      if (!take(',')) return take(')');
    }
    return true;
  }

  std::string_view m_text;
  std::size_t m_at = 0;
  int m_values = 0;
};

}  // namespace

bool readPythonOptions(std::string_view text, ImportedOptions& options) {
  Json read;
  if (!PythonReader(text).value(read, 0) || !read.is_object()) return false;
  options.add("", read);
  return true;
}

}  // namespace fathom
