// SPDX-License-Identifier: Apache-2.0
#include "core/record/events/event_scan.h"

#include <charconv>
#include <limits>

#include "core/base/json/json.h"

namespace fathom {

namespace {

// Walks over one JSON line whose checksum is right; every step reports whether it fits the grammar.
class LineScanner {
 public:
  explicit LineScanner(std::string_view line) : m_at(line.data()), m_end(line.data() + line.size()) {}

  bool take(char c) {
    skipBlanks();
    if (m_at == m_end || *m_at != c) return false;
    ++m_at;
    return true;
  }
  char peek() {
    skipBlanks();
    return m_at == m_end ? '\0' : *m_at;
  }

  // The raw text between quotes, escapes as they are written.
  bool text(std::string_view& out) {
    if (!take('"')) return false;
    const char* begin = m_at;
    while (m_at != m_end && *m_at != '"') m_at += *m_at == '\\' && m_at + 1 != m_end ? 2 : 1;
    if (m_at == m_end) return false;
    out = std::string_view(begin, static_cast<std::size_t>(m_at - begin));
    ++m_at;
    return true;
  }

  // The same, escapes decoded: the text then lies in `decoded`.
  bool name(std::string_view& out, std::list<std::string>& decoded) {
    if (!text(out)) return false;
    if (out.find('\\') == std::string_view::npos) return true;
    const auto json = parseJson(std::string_view(out.data() - 1, out.size() + 2));
    if (!json.ok() || !json->is_string()) return false;
    out = decoded.emplace_back(json->get<std::string>());
    return true;
  }

  bool real(double& out) {
    if (peek() == '"') {
      std::string_view word;
      if (!text(word)) return false;
      if (word == "NaN")
        out = std::numeric_limits<double>::quiet_NaN();
      else if (word == "Infinity")
        out = std::numeric_limits<double>::infinity();
      else if (word == "-Infinity")
        out = -std::numeric_limits<double>::infinity();
      else
        return false;
      return true;
    }
    const auto [stop, code] = std::from_chars(m_at, m_end, out);
    if (code != std::errc()) return false;
    m_at = stop;
    return true;
  }

  bool skipValue() {
    std::string_view ignored;
    if (peek() == '"') return text(ignored);
    int depth = 0;
    while (m_at != m_end) {
      const char c = *m_at;
      if (c == '"') {
        if (!text(ignored)) return false;
        continue;
      }
      if (c == '{' || c == '[') ++depth;
      if (c == '}' || c == ']') {
        if (depth == 0) return true;
        if (--depth == 0) return ++m_at, true;
      }
      if (c == ',' && depth == 0) return true;
      ++m_at;
    }
    return depth == 0;
  }

 private:
  void skipBlanks() {
    while (m_at != m_end && (*m_at == ' ' || *m_at == '\t')) ++m_at;
  }
  const char* m_at;
  const char* m_end;
};

constexpr double kMaxScannedStep = 9007199254740992.0;  // 2^53: every whole number below has a double

// Points have a place on the axis; other events may have none.
bool hasItsPlace(const ScalarLine& line) {
  if (line.kind != "step" && line.kind != "validation") return true;
  return line.step >= 0 && line.step <= kMaxScannedStep;
}

bool scanMetrics(LineScanner& scan, ScalarLine& out) {
  if (!scan.take('{')) return false;
  if (scan.take('}')) return true;
  do {
    std::string_view name;
    double value = 0;
    if (!scan.name(name, out.decoded) || !scan.take(':') || !scan.real(value)) return false;
    out.metrics.emplace_back(name, value);
  } while (scan.take(','));
  return scan.take('}');
}

}  // namespace

bool scanEventLine(std::string_view body, ScalarLine& out) {
  auto metrics = std::move(out.metrics);
  metrics.clear();
  auto decoded = std::move(out.decoded);
  decoded.clear();
  out = {};
  out.metrics = std::move(metrics);
  out.decoded = std::move(decoded);
  LineScanner scan(body);
  if (!scan.take('{')) return false;
  do {
    std::string_view key;
    if (!scan.text(key) || !scan.take(':')) return false;
    bool ok = true;
    if (key == "v")
      ok = scan.real(out.version);
    else if (key == "t")
      ok = out.hasTime = scan.real(out.time);
    else if (key == "k")
      ok = scan.text(out.kind);
    else if (key == "step")
      ok = scan.real(out.step);
    else if (key == "epoch")
      ok = scan.real(out.epoch);
    else if (key == "tokens")
      ok = scan.real(out.tokens);
    else if (key == "lr")
      ok = out.hasRate = scan.real(out.rate);
    else if (key == "clock") {  // false: whoever wrote the line knew no time
      ok = scan.skipValue();
      out.time = std::numeric_limits<double>::quiet_NaN();
    } else if (key == "m")
      ok = scanMetrics(scan, out);
    else
      ok = scan.skipValue();
    if (!ok) return false;
  } while (scan.take(','));
  return out.hasTime && hasItsPlace(out);
}

}  // namespace fathom
