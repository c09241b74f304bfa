// SPDX-License-Identifier: Apache-2.0
#include "core/record/formats/safetensors_header.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_set>

#include "core/base/json/json.h"
#include "core/base/text/shown_value.h"

namespace fathom {

namespace {

constexpr std::size_t kMaxEntries = 100'000;
constexpr std::size_t kMaxHeaderRank = 64;

// Fills the header while the JSON goes by: no document is ever built.
class HeaderHandler {
 public:
  explicit HeaderHandler(SafetensorsHeader& out) : m_out(out) {}

  bool null() { return fail(Phrase::tr("has a null value")); }
  bool boolean(bool) { return fail(Phrase::tr("has a true or false value")); }
  bool number_integer(Json::number_integer_t value) {
    return fail(Phrase::tr("has the negative number %1")(value));
  }
  bool number_float(Json::number_float_t, const std::string& text) {
    return fail(Phrase::tr("has %1 where a whole number belongs")(text));
  }
  bool binary(Json::binary_t&) { return fail(Phrase::tr("has binary data")); }

  bool number_unsigned(Json::number_unsigned_t value) {
    if (m_place == Place::Shape) {
      if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        return fail(Phrase::tr("has an extent that is too large"));
      if (m_entry.shape.size() >= kMaxHeaderRank) return fail(Phrase::tr("has more than 64 dimensions"));
      m_entry.shape.push_back(static_cast<std::int64_t>(value));
      return true;
    }
    if (m_place == Place::Offsets) {
      if (m_offsets == 2) return fail(Phrase::tr("has more than two data_offsets"));
      (m_offsets == 0 ? m_entry.begin : m_entry.end) = value;
      ++m_offsets;
      return true;
    }
    return fail(Phrase::tr("has a number where none belongs"));
  }

  bool string(std::string& value) {
    if (m_place == Place::Metadata) {
      m_out.metadata[m_key] = value;
      return true;
    }
    if (m_place == Place::Entry && m_key == "dtype") {
      if (dtypeBytes(value) == 0) return fail(Phrase::tr("has the unknown dtype \"%1\"")(value));
      m_entry.dtype = value;
      return true;
    }
    return fail(Phrase::tr("has the text \"%1\" where none belongs")(shownValue(value)));
  }

  bool start_object(std::size_t) {
    if (m_place == Place::Start) return m_place = Place::Top, true;
    if (m_place != Place::Top) return fail(Phrase::tr("has an object where none belongs"));
    m_keys.clear();
    if (m_name == "__metadata__") return m_place = Place::Metadata, true;
    if (m_out.entries.size() >= kMaxEntries)
      return fail(Phrase::tr("is one too many: more than 100,000 tensors"));
    m_entry = {};
    m_entry.name = m_name;
    m_offsets = 0;
    m_hasShape = false;
    m_place = Place::Entry;
    return true;
  }

  bool end_object() {
    if (m_place == Place::Entry) {
      if (m_entry.dtype.empty()) return fail(Phrase::tr("has no dtype"));
      if (!m_hasShape) return fail(Phrase::tr("has no shape"));
      if (m_offsets != 2) return fail(Phrase::tr("needs two data_offsets"));
      m_out.entries.push_back(std::move(m_entry));
    }
    m_place = m_place == Place::Top ? Place::End : Place::Top;
    return true;
  }

  bool start_array(std::size_t) {
    if (m_place == Place::Entry && m_key == "shape") {
      m_hasShape = true;
      return m_place = Place::Shape, true;
    }
    if (m_place == Place::Entry && m_key == "data_offsets") return m_place = Place::Offsets, true;
    return fail(Phrase::tr("has an array where none belongs"));
  }
  bool end_array() { return m_place = Place::Entry, true; }

  bool key(std::string& name) {
    if (name.find('\0') != std::string::npos) return fail(Phrase::tr("has a zero byte in a key"));
    const bool top = m_place == Place::Top;
    if (!(top ? m_names : m_keys).insert(name).second)
      return fail(Phrase::tr("has the key \"%1\" twice")(name));
    if (top) {
      m_name = name;
      m_key.clear();
      return true;
    }
    m_key = name;
    if (m_place == Place::Entry && name != "dtype" && name != "shape" && name != "data_offsets")
      return fail(Phrase::tr("has the unknown member \"%1\"")(name));
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) {
    m_message = Phrase::tr("the header is not valid JSON at byte %1")(position);
    return false;
  }

  const Phrase& message() const { return m_message; }

 private:
  enum class Place { Start, Top, Metadata, Entry, Shape, Offsets, End };
  bool fail(const Phrase& what) {
    m_message = m_place == Place::Start || m_name.empty() ? Phrase::tr("the header %1")(what)
                                                          : Phrase::tr("\"%1\" %2")(m_name, what);
    return false;
  }

  SafetensorsHeader& m_out;
  Place m_place = Place::Start;
  std::string m_name, m_key;
  Phrase m_message;
  TensorEntry m_entry;
  int m_offsets = 0;
  bool m_hasShape = false;
  std::unordered_set<std::string> m_names, m_keys;
};

// Bytes a tensor must have. Nothing when its other extents cannot be addressed, even beside an extent of 0:
// whoever makes such an array computes its strides from them.
std::optional<std::size_t> tensorBytes(const TensorEntry& entry) {
  auto span = static_cast<std::int64_t>(dtypeBytes(entry.dtype));
  bool empty = false;
  for (const std::int64_t extent : entry.shape) {
    empty = empty || extent == 0;
    if (__builtin_mul_overflow(span, std::max<std::int64_t>(extent, 1), &span)) return std::nullopt;
  }
  return empty ? 0 : static_cast<std::size_t>(span);
}

Status checkRanges(std::vector<TensorEntry>& entries, std::size_t dataBytes, const std::string& file) {
  std::sort(entries.begin(), entries.end(), [](const TensorEntry& a, const TensorEntry& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  std::size_t at = 0;
  for (const TensorEntry& entry : entries) {
    const std::string range = std::to_string(entry.begin) + ".." + std::to_string(entry.end);
    if (entry.begin > entry.end || entry.end > dataBytes) {
      return dataErrorAt(file, 0,
                         Phrase::tr("tensor \"%1\" at bytes %2 does not fit the data part of %3 bytes")(
                             entry.name, range, dataBytes));
    }
    const auto bytes = tensorBytes(entry);
    if (!bytes) {
      return dataErrorAt(file, 0,
                         Phrase::tr("tensor \"%1\": its shape is larger than can be addressed")(entry.name));
    }
    if (*bytes != entry.end - entry.begin) {
      return dataErrorAt(file, 0,
                         Phrase::tr("tensor \"%1\": shape and dtype do not give the %2 bytes of its range")(
                             entry.name, entry.end - entry.begin));
    }
    if (entry.begin != at) {
      return dataErrorAt(
          file, 0,
          (entry.begin < at
               ? Phrase::tr("tensor \"%1\" at bytes %2 overlaps the one before it")
               : Phrase::tr("tensor \"%1\" at bytes %2 leaves a gap before it"))(entry.name, range));
    }
    at = entry.end;
  }
  if (at != dataBytes) {
    return dataErrorAt(file, 0,
                       Phrase::tr("%1 bytes at the end of the file belong to no tensor")(dataBytes - at));
  }
  return {};
}

}  // namespace

Result<SafetensorsHeader> parseSafetensorsHeader(std::string_view header, std::size_t dataBytes,
                                                 const std::string& file) {
  if (!header.starts_with('{')) return dataErrorAt(file, 0, Phrase::tr("the header does not start with {"));
  const std::size_t last = header.find_last_not_of(' ');
  if (header[last] != '}')
    return dataErrorAt(file, 0, Phrase::tr("the header does not end with } and spaces"));
  SafetensorsHeader parsed;
  HeaderHandler handler(parsed);
  const std::string_view text = header.substr(0, last + 1);
  if (!Json::sax_parse(text.begin(), text.end(), &handler)) return dataErrorAt(file, 0, handler.message());
  FATHOM_CHECK(checkRanges(parsed.entries, dataBytes, file));
  return parsed;
}

}  // namespace fathom
