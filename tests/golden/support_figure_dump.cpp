// SPDX-License-Identifier: Apache-2.0
#include "tests/golden/support_figure_dump.h"

#include <algorithm>
#include <cmath>

#include "core/base/text/number_text.h"
#include "views/figure/figure_fields.h"

namespace fathom {

namespace {

constexpr std::size_t kShownWhole = 16, kShownEnd = 4;

std::string dumpNumber(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return formatted("%.6g", value == 0 ? 0.0 : value);
}

std::string listText(const std::vector<double>& values) {
  std::string text = "[" + std::to_string(values.size()) + "]";
  const auto show = [&](std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) text += " " + dumpNumber(values[i]);
  };
  if (values.size() <= kShownWhole) {
    show(0, values.size());
    return text;
  }
  show(0, kShownEnd);
  text += " ...";
  show(values.size() - kShownEnd, values.size());
  double low = INFINITY, high = -INFINITY, sum = 0;
  std::size_t bad = 0;
  for (const double value : values) {
    if (!std::isfinite(value)) {
      ++bad;
      continue;
    }
    low = std::min(low, value);
    high = std::max(high, value);
    sum += value;
  }
  text += " | min " + dumpNumber(low) + " max " + dumpNumber(high) + " sum " + dumpNumber(sum);
  if (bad > 0) text += " non-finite " + std::to_string(bad);
  return text;
}

class Dumper {
 public:
  std::string text;

  void operator()(const char* name, double& value) { line(name, dumpNumber(value)); }
  void operator()(const char* name, int& value) { line(name, std::to_string(value)); }
  void operator()(const char* name, bool& value) { line(name, value ? "true" : "false"); }
  void operator()(const char* name, std::string& value) {
    if (value.size() > 200) return line(name, "(" + std::to_string(value.size()) + " bytes)");
    if (!value.empty()) line(name, "\"" + value + "\"");
  }
  void operator()(const char* name, Phrase& value) {
    std::string english = value.english();
    (*this)(name, english);
  }
  void operator()(const char* name, std::vector<Phrase>& values) {
    std::vector<std::string> english;
    for (const Phrase& value : values) english.push_back(value.english());
    (*this)(name, english);
  }
  void operator()(const char* name, std::optional<double>& value) {
    if (value) line(name, dumpNumber(*value));
  }
  void operator()(const char* name, std::vector<double>& values) {
    if (!values.empty()) line(name, listText(values));
  }
  void operator()(const char* name, std::vector<std::string>& values) {
    std::string all;
    for (const std::string& value : values) all += (all.empty() ? "\"" : ", \"") + value + "\"";
    if (!values.empty()) line(name, all);
  }
  template <class T>
  void operator()(const char* name, std::vector<T>& parts) {
    for (std::size_t i = 0; i < parts.size(); ++i)
      section(std::string(name) + "[" + std::to_string(i) + "]", parts[i]);
  }
  template <class T>
  requires std::is_class_v<T>
  void operator()(const char* name, T& part) { section(name, part); }
  template <class E, std::size_t N>
  void word(const char* name, E& value, const EnumWord<E> (&words)[N]) {
    line(name, wordOf(words, value));
  }
  void shape(MarkShape& shape) {
    line("mark", kMarkWords[shape.index()]);
    std::visit([this](auto& mark) { figure_fields::visit(*this, mark); }, shape);
  }

 private:
  void line(const std::string& name, const std::string& value) {
    text.append(m_depth * 2, ' ');
    text += name + " " + value + "\n";
  }
  template <class T>
  void section(const std::string& name, T& part) {
    text.append(m_depth * 2, ' ');
    text += name + "\n";
    ++m_depth;
    figure_fields::visit(*this, part);
    --m_depth;
  }
  std::size_t m_depth = 0;
};

}  // namespace

std::string figureDump(const FigureSpec& spec) {
  Dumper dumper;
  FigureSpec copy = spec;
  figure_fields::visit(dumper, copy);
  return std::move(dumper.text);
}

}  // namespace fathom
