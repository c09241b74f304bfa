// SPDX-License-Identifier: Apache-2.0
#include "core/imports/yaml_options.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/text/byte_order_mark.h"
#include "core/base/text/lines_of.h"
#include "core/base/text/number_text.h"
#include "core/base/text/text_list.h"
#include "core/base/text/utf8.h"

namespace fathom {

namespace {

constexpr std::size_t kMostYamlBytes = std::size_t{1} << 20, kMostYamlLines = 20'000;
constexpr int kMostYamlDepth = 32;

struct YamlLine {
  std::size_t indent = 0;
  std::string_view text;  // without indentation and blanks behind
  std::int64_t number = 0;
};

bool isBlankOrComment(std::string_view text) {
  return text.empty() || text.front() == '#';
}

// A comment begins with '#' behind a blank, outside of quotes.
std::string_view withoutComment(std::string_view text) {
  for (std::size_t at = 1; at < text.size(); ++at)
    if (text[at] == '#' && (text[at - 1] == ' ' || text[at - 1] == '\t')) return trimmed(text.substr(0, at));
  return text;
}

// What stands without quotes.
Json plainYaml(std::string_view text) {
  if (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL") return nullptr;
  if (text == "true" || text == "True" || text == "TRUE") return true;
  if (text == "false" || text == "False" || text == "FALSE") return false;
  if (text == ".nan" || text == ".NaN" || text == ".NAN") return "NaN";
  if (text == ".inf" || text == "+.inf" || text == ".Inf") return "Infinity";
  if (text == "-.inf" || text == "-.Inf") return "-Infinity";
  const std::string_view digits = text.substr(text.front() == '-' || text.front() == '+' ? 1 : 0);
  const bool number =
      !digits.empty() && digits.find_first_not_of("0123456789.eE+-") == std::string_view::npos;
  if (!number) return std::string(text);
  const std::string_view unsignedText = text.front() == '+' ? digits : text;
  if (const auto whole = numberFrom<std::int64_t>(unsignedText)) return *whole;
  if (const auto real = numberFrom<double>(unsignedText)) return *real;
  return std::string(text);
}

class YamlReader {
 public:
  explicit YamlReader(const std::string& path) : m_path(path) {}

  Result<Json> read(std::string_view text) {
    text = withoutByteOrderMark(text);
    LinesOf lines(text);
    for (std::string_view line; lines.next(line);) {
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (m_lines.size() == kMostYamlLines)
        return fault(lines.number(), Phrase::tr("more than %1 lines")(kMostYamlLines));
      const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
      const std::string_view content = trimmed(line);
      if (indent == 0 && (content == "---" || content.starts_with('%'))) continue;
      if (indent == 0 && content == "...") break;
      m_lines.push_back({indent, content, lines.number()});
    }
    passBlank();
    if (atEnd()) return Json::object();
    FATHOM_TRY(Json value, block(0, 0));
    passBlank();
    if (!atEnd()) return unexpected();
    return value;
  }

 private:
  Error fault(std::int64_t line, const Phrase& what) const { return dataErrorAt(m_path, line, what); }
  Error unexpected() const {
    return fault(here().number, Phrase::tr("no YAML of options: \"%1\"")(here().text.substr(0, 40)));
  }
  bool atEnd() const { return m_at >= m_lines.size(); }
  const YamlLine& here() const { return m_lines[std::min(m_at, m_lines.size() - 1)]; }
  void passBlank() {
    while (!atEnd() && isBlankOrComment(here().text)) ++m_at;
  }
  static bool isItem(std::string_view text) { return text == "-" || text.starts_with("- "); }

  // A map or a list whose lines are indented by at least `least`; null where there is none.
  Result<Json> block(std::size_t least, int depth) {
    passBlank();
    if (atEnd() || here().indent < least) return Json();
    if (depth > kMostYamlDepth)
      return fault(here().number, Phrase::tr("more than %1 levels")(kMostYamlDepth));
    const std::size_t indent = here().indent;
    const bool list = isItem(here().text);
    Json out = list ? Json::array() : Json::object();
    for (passBlank(); !atEnd() && here().indent == indent && isItem(here().text) == list; passBlank())
      FATHOM_CHECK(list ? item(out, indent, depth) : member(out, indent, depth));
    if (!atEnd() && here().indent > indent) return unexpected();
    return out;
  }

  // "- value", "- key: value" (a map that goes on at the indentation of its key) or "-" with a block.
  Status item(Json& list, std::size_t indent, int depth) {
    YamlLine& line = m_lines[m_at];
    const std::string_view rest = trimmed(line.text.substr(1));
    const bool nested =
        isItem(rest) || (!rest.empty() && rest.find_first_of("\"'[{!|>&*") != 0 && keyEnd(rest));
    if (nested) {
      line.indent = indent + (line.text.size() - rest.size());
      line.text = rest;
      FATHOM_TRY(Json value, block(line.indent, depth + 1));
      list.push_back(std::move(value));
      return {};
    }
    FATHOM_TRY(Json value, valueOf(rest, indent, false, depth));
    list.push_back(std::move(value));
    return {};
  }

  Status member(Json& map, std::size_t indent, int depth) {
    const std::string_view text = here().text;
    std::string key;
    std::size_t end = 0;
    if (text.front() == '"' || text.front() == '\'') {
      std::size_t used = 0;
      const auto quoted = quotedText(text, used);
      if (!quoted || used >= text.size() || text[used] != ':') return unexpected();
      key = *quoted;
      end = used;
    } else {
      const auto found = keyEnd(text);
      if (!found || *found == 0) return unexpected();
      end = *found;
      key = std::string(trimmed(text.substr(0, end)));
    }
    FATHOM_TRY(Json value, valueOf(trimmed(text.substr(end + 1)), indent, true, depth));
    map[key] = std::move(value);
    return {};
  }

  // Place of the colon behind a key.
  static std::optional<std::size_t> keyEnd(std::string_view text) {
    for (std::size_t at = text.find(':'); at != std::string_view::npos; at = text.find(':', at + 1))
      if (at + 1 == text.size() || text[at + 1] == ' ') return at;
    return std::nullopt;
  }

  // The value that begins with `rest`, in the line that is read now; it goes on in lines that are further in.
  Result<Json> valueOf(std::string_view rest, std::size_t indent, bool ofMember, int depth) {
    if (rest.starts_with('&')) rest = trimmed(rest.substr(std::min(rest.find(' '), rest.size())));
    const std::int64_t line = here().number;
    ++m_at;
    if (isBlankOrComment(rest)) {
      passBlank();
      // A list may stand as far in as its key.
      const bool level = ofMember && !atEnd() && here().indent == indent && isItem(here().text);
      return block(level ? indent : indent + 1, depth + 1);
    }
    if (rest.front() == '!') return foldedText(rest, indent, ofMember);
    if (rest.front() == '|' || rest.front() == '>') return blockText(rest.front() == '|', indent);
    if (rest.front() == '"' || rest.front() == '\'') return quotedValue(rest, indent, line);
    if (rest.front() == '[' || rest.front() == '{') return flowValue(rest, indent, line);
    const std::string_view first = withoutComment(rest);
    if (!goesOn(indent)) return plainYaml(first);
    return foldedText(first, indent, false);
  }

  bool goesOn(std::size_t indent) const { return !atEnd() && !here().text.empty() && here().indent > indent; }

  // What stands there and in the lines further in, as one text.
  Json foldedText(std::string_view first, std::size_t indent, bool withList) {
    std::string text(first);
    while (goesOn(indent) || (withList && !atEnd() && here().indent == indent && isItem(here().text))) {
      text += ' ';
      text += here().text;
      ++m_at;
    }
    return text;
  }

  Json blockText(bool keepLines, std::size_t indent) {
    std::string text;
    while (!atEnd() && (here().text.empty() || here().indent > indent)) {
      if (!text.empty()) text += keepLines ? '\n' : ' ';
      text += here().text;
      ++m_at;
    }
    while (text.ends_with('\n') || text.ends_with(' ')) text.pop_back();
    return text;
  }

  Result<Json> quotedValue(std::string_view first, std::size_t indent, std::int64_t line) {
    std::string whole(first);
    std::size_t used = 0;
    auto text = quotedText(whole, used);
    while (!text && !atEnd() && (here().text.empty() || here().indent > indent)) {
      // A backslash at the end joins the lines without a blank; an empty line is an end of a line.
      if (whole.ends_with('\\') && whole.front() == '"')
        whole.pop_back();
      else
        whole += here().text.empty() ? '\n' : ' ';
      whole += here().text;
      ++m_at;
      text = quotedText(whole, used);
    }
    if (!text) return fault(line, Phrase::tr("a quote is never closed"));
    return Json(*text);
  }

  // The text in quotes at the beginning, and where it ends; nothing when it does not.
  static std::optional<std::string> quotedText(std::string_view text, std::size_t& used) {
    const char quote = text.front();
    std::string out;
    for (std::size_t at = 1; at < text.size(); ++at) {
      if (text[at] == quote && quote == '\'' && at + 1 < text.size() && text[at + 1] == '\'') {
        out += '\'';
        ++at;
      } else if (text[at] == quote) {
        used = at + 1;
        return out;
      } else if (text[at] == '\\' && quote == '"') {
        if (at + 1 == text.size()) return std::nullopt;
        takeEscape(text, at, out);
      } else {
        out += text[at];
      }
    }
    return std::nullopt;
  }

  static void takeEscape(std::string_view text, std::size_t& at, std::string& out) {
    constexpr std::pair<char, char> kPlain[] = {
        {'n', '\n'}, {'t', '\t'}, {'r', '\r'}, {'0', ' '}, {'e', ' '}};
    const char c = text[++at];
    const std::size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    if (digits > 0 && at + digits < text.size()) {
      char32_t code = 0;
      for (std::size_t i = 1; i <= digits; ++i) {
        const std::size_t value = std::string_view("0123456789abcdef0123456789ABCDEF").find(text[at + i]);
        code = code * 16 + static_cast<char32_t>(value == std::string_view::npos ? 0 : value % 16);
      }
      at += digits;
      const bool half = code >= 0xD800 && code <= 0xDFFF;
      appendCodePoint(out, code > 0x10FFFF || half || code == 0 ? char32_t{0xFFFD} : code);
      return;
    }
    const auto known =
        std::find_if(std::begin(kPlain), std::end(kPlain), [c](const auto& p) { return p.first == c; });
    out += known == std::end(kPlain) ? c : known->second;
  }

  // [a, 'b', {c: 1}]: as far as its brackets go.
  Result<Json> flowValue(std::string_view first, std::size_t indent, std::int64_t line) {
    std::string whole(first);
    while (goesOn(indent) && !closes(whole)) {
      whole += ' ';
      whole += here().text;
      ++m_at;
    }
    std::size_t at = 0;
    auto value = flowPart(whole, at, 0);
    if (!value) return fault(line, Phrase::tr("no YAML of options: \"%1\"")(whole.substr(0, 40)));
    return *std::move(value);
  }

  static bool closes(std::string_view text) {
    return std::count(text.begin(), text.end(), '[') <= std::count(text.begin(), text.end(), ']') &&
           std::count(text.begin(), text.end(), '{') <= std::count(text.begin(), text.end(), '}');
  }

  static void passBlanks(std::string_view text, std::size_t& at) {
    while (at < text.size() && text[at] == ' ') ++at;
  }

  static std::optional<Json> flowPart(std::string_view text, std::size_t& at, int depth) {
    passBlanks(text, at);
    if (at >= text.size() || depth > kMostYamlDepth) return std::nullopt;
    if (text[at] == '"' || text[at] == '\'') {
      std::size_t used = 0;
      const auto quoted = quotedText(text.substr(at), used);
      if (!quoted) return std::nullopt;
      at += used;
      return Json(*quoted);
    }
    if (text[at] != '[' && text[at] != '{') {
      const std::size_t end = std::min(text.find_first_of(",]}:", at), text.size());
      const Json value = plainYaml(trimmed(text.substr(at, end - at)));
      at = end;
      return value;
    }
    return flowBrackets(text, at, depth);
  }

  static std::optional<Json> flowBrackets(std::string_view text, std::size_t& at, int depth) {
    const bool list = text[at++] == '[';
    const char close = list ? ']' : '}';
    Json out = list ? Json::array() : Json::object();
    while (true) {
      passBlanks(text, at);
      if (at >= text.size()) return std::nullopt;
      if (text[at] == close) break;
      const std::size_t begin = at;
      auto value = flowPart(text, at, depth + 1);
      if (!value) return std::nullopt;
      passBlanks(text, at);
      if (list) {
        out.push_back(*std::move(value));
      } else {
        const std::string key = value->is_string() ? value->get<std::string>()
                                                   : std::string(trimmed(text.substr(begin, at - begin)));
        if (at >= text.size() || text[at] != ':') return std::nullopt;
        ++at;
        auto own = flowPart(text, at, depth + 1);
        if (!own) return std::nullopt;
        out[key] = *std::move(own);
        passBlanks(text, at);
      }
      if (at < text.size() && text[at] == ',')
        ++at;
      else if (at >= text.size() || text[at] != close)
        return std::nullopt;
    }
    ++at;
    return out;
  }

  std::string m_path;
  std::vector<YamlLine> m_lines;
  std::size_t m_at = 0;
};

}  // namespace

Result<Json> parseYamlOptions(std::string_view text, const std::string& path) {
  if (text.size() > kMostYamlBytes)
    return dataErrorAt(path, 0, Phrase::tr("more than %1 bytes")(kMostYamlBytes));
  if (const std::size_t bad = firstInvalidUtf8(text); bad != std::string_view::npos)
    return dataErrorAt(path, 0, Phrase::tr("byte %1 is not UTF-8")(bad));
  return YamlReader(path).read(text);
}

}  // namespace fathom
