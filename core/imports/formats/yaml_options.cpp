// SPDX-License-Identifier: Apache-2.0
#include "core/imports/formats/yaml_options.h"

#include <yaml.h>

#include <cctype>
#include <cstdint>
#include <cstring>
#include <map>
#include <utility>

#include "core/base/text/byte_order_mark.h"
#include "core/base/text/number_text.h"
#include "core/base/text/utf8.h"

namespace fathom {

namespace {

constexpr std::size_t kMostYamlBytes = std::size_t{1} << 20, kMostYamlValues = 100'000;
constexpr int kMostYamlDepth = 32;
constexpr std::string_view kYamlTags = "tag:yaml.org,2002:";

// The value of a word without quotes.
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

// As it stands in the file, in one line.
std::string oneLine(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool blank = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!blank)
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  while (out.ends_with(' ')) out.pop_back();
  return out;
}

struct YamlEvent {
  yaml_event_t event{};
  YamlEvent() = default;
  YamlEvent(const YamlEvent&) = delete;
  YamlEvent& operator=(const YamlEvent&) = delete;
  ~YamlEvent() { yaml_event_delete(&event); }
};

// Events of libyaml made into a value. Of tags only those of YAML itself mean something.
class YamlReader {
 public:
  YamlReader(std::string_view text, const std::string& path) : m_text(text), m_path(path) {
    yaml_parser_initialize(&m_parser);
    yaml_parser_set_encoding(&m_parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&m_parser, reinterpret_cast<const unsigned char*>(text.data()), text.size());
  }
  YamlReader(const YamlReader&) = delete;
  YamlReader& operator=(const YamlReader&) = delete;
  ~YamlReader() { yaml_parser_delete(&m_parser); }

  Result<Json> read() {
    Json root = Json::object();
    int documents = 0;
    while (true) {
      YamlEvent next;
      FATHOM_CHECK(take(next));
      const yaml_event_type_t kind = next.event.type;
      if (kind == YAML_STREAM_END_EVENT) break;
      if (kind == YAML_STREAM_START_EVENT || kind == YAML_DOCUMENT_END_EVENT) continue;
      if (kind == YAML_DOCUMENT_START_EVENT) {
        if (++documents > 1) return fault(next.event.start_mark, Phrase::tr("a second document begins"));
        continue;
      }
      FATHOM_TRY(root, valueOf(next.event, 0));
      if (root.is_null()) root = Json::object();
      if (!root.is_object()) return fault(next.event.start_mark, Phrase::tr("no YAML of options"));
    }
    return root;
  }

 private:
  Status take(YamlEvent& next) {
    if (yaml_parser_parse(&m_parser, &next.event) != 0) return {};
    // The scanner and brackets tell where they began, blocks where they cannot go on.
    const std::string context = m_parser.context != nullptr ? m_parser.context : "";
    const bool atBeginning = !context.empty() && (m_parser.error == YAML_SCANNER_ERROR ||
                                                  context.find("flow") != std::string::npos);
    const std::string problem = m_parser.problem != nullptr ? m_parser.problem : "no memory";
    return fault(atBeginning ? m_parser.context_mark : m_parser.problem_mark,
                 Phrase::tr("no YAML of options: %1")(Phrase::words(problem)));
  }

  Error fault(const yaml_mark_t& mark, const Phrase& message) const {
    return dataErrorAt(m_path, static_cast<std::int64_t>(mark.line) + 1, Phrase(message));
  }

  Result<Json> valueOf(const yaml_event_t& event, int depth) {
    const std::size_t before = m_values++;
    if (m_values > kMostYamlValues)
      return fault(event.start_mark, Phrase::tr("more than %1 values")(kMostYamlValues));
    if (depth > kMostYamlDepth)
      return fault(event.start_mark, Phrase::tr("nested deeper than %1 levels")(kMostYamlDepth));
    switch (event.type) {
      case YAML_ALIAS_EVENT:
        return aliased(event);
      case YAML_SCALAR_EVENT:
        return kept(event.data.scalar.anchor, scalar(event), before);
      case YAML_SEQUENCE_START_EVENT: {
        FATHOM_TRY(Json list, listOf(event, depth));
        return kept(event.data.sequence_start.anchor, std::move(list), before);
      }
      case YAML_MAPPING_START_EVENT: {
        FATHOM_TRY(Json map, mapOf(event, depth));
        return kept(event.data.mapping_start.anchor, std::move(map), before);
      }
      default:
        return fault(event.start_mark, Phrase::tr("no YAML of options"));
    }
  }

  // `before`: how many values there were when it began.
  Json kept(const yaml_char_t* anchor, Json value, std::size_t before) {
    if (anchor != nullptr) m_anchors[reinterpret_cast<const char*>(anchor)] = {value, m_values - before};
    return value;
  }

  // Copies count as what they hold: a few lines of aliases may stand for gigabytes.
  Result<Json> aliased(const yaml_event_t& event) {
    const auto known = m_anchors.find(reinterpret_cast<const char*>(event.data.alias.anchor));
    if (known == m_anchors.end()) return fault(event.start_mark, Phrase::tr("nothing has this anchor"));
    m_values += known->second.values;
    if (m_values > kMostYamlValues)
      return fault(event.start_mark, Phrase::tr("more than %1 values")(kMostYamlValues));
    return known->second.value;
  }

  // True for a tag that names an object of a program.
  static bool isForeign(const yaml_char_t* tag) {
    if (tag == nullptr) return false;
    const std::string_view name(reinterpret_cast<const char*>(tag));
    if (!name.starts_with(kYamlTags)) return name != "!";
    const std::string_view own = name.substr(kYamlTags.size());
    for (const char* known :
         {"str", "int", "float", "bool", "null", "map", "seq", "set", "omap", "timestamp"})
      if (own == known) return false;
    return true;
  }

  std::string written(const yaml_mark_t& from, const yaml_mark_t& to) const {
    return oneLine(m_text.substr(from.index, to.index - from.index));
  }

  Json scalar(const yaml_event_t& event) const {
    const auto& scalar = event.data.scalar;
    if (isForeign(scalar.tag)) return written(event.start_mark, event.end_mark);
    const std::string_view text(reinterpret_cast<const char*>(scalar.value), scalar.length);
    const bool isText = scalar.tag != nullptr &&
                        std::strcmp(reinterpret_cast<const char*>(scalar.tag), "tag:yaml.org,2002:str") == 0;
    if (isText || scalar.style != YAML_PLAIN_SCALAR_STYLE) return std::string(text);
    return plainYaml(text);
  }

  Result<Json> listOf(const yaml_event_t& event, int depth) {
    const bool foreign = isForeign(event.data.sequence_start.tag);
    Json list = Json::array();
    while (true) {
      YamlEvent next;
      FATHOM_CHECK(take(next));
      if (next.event.type == YAML_SEQUENCE_END_EVENT) {
        if (foreign) return Json(written(event.start_mark, next.event.end_mark));
        return list;
      }
      FATHOM_TRY(Json value, valueOf(next.event, depth + 1));
      list.push_back(std::move(value));
    }
  }

  Result<Json> mapOf(const yaml_event_t& event, int depth) {
    const bool foreign = isForeign(event.data.mapping_start.tag);
    Json map = Json::object(), merged = Json::object();
    while (true) {
      YamlEvent key;
      FATHOM_CHECK(take(key));
      if (key.event.type == YAML_MAPPING_END_EVENT) {
        if (foreign) return Json(written(event.start_mark, key.event.end_mark));
        merged.update(map);
        return merged;
      }
      if (key.event.type != YAML_SCALAR_EVENT || key.event.data.scalar.length == 0)
        return fault(key.event.start_mark, Phrase::tr("a key is no text"));
      const auto& scalar = key.event.data.scalar;
      const std::string name(reinterpret_cast<const char*>(scalar.value), scalar.length);
      YamlEvent next;
      FATHOM_CHECK(take(next));
      FATHOM_TRY(Json value, valueOf(next.event, depth + 1));
      if (name == "<<" && scalar.style == YAML_PLAIN_SCALAR_STYLE)
        merge(value, merged);
      else
        map[name] = std::move(value);
    }
  }

  // `<<: *defaults`: what the map says itself stands before.
  static void merge(const Json& value, Json& merged) {
    if (value.is_object()) {
      for (const auto& [key, each] : value.items())
        if (!merged.contains(key)) merged[key] = each;
    } else if (value.is_array()) {
      for (const Json& each : value)
        if (each.is_object()) merge(each, merged);
    }
  }

  std::string_view m_text;
  std::string m_path;
  yaml_parser_t m_parser{};
  struct Anchored {
    Json value;
    std::size_t values = 0;  // in it
  };
  std::map<std::string, Anchored> m_anchors;
  std::size_t m_values = 0;
};

}  // namespace

Result<Json> parseYamlOptions(std::string_view text, const std::string& path) {
  if (text.size() > kMostYamlBytes)
    return dataErrorAt(path, 0, Phrase::tr("more than %1 bytes")(kMostYamlBytes));
  if (const std::size_t bad = firstInvalidUtf8(text); bad != std::string_view::npos)
    return dataErrorAt(path, 0, Phrase::tr("byte %1 is not UTF-8")(bad));
  return YamlReader(withoutByteOrderMark(text), path).read();
}

}  // namespace fathom
