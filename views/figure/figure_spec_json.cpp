// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <limits>
#include <type_traits>

#include "views/figure/figure_fields.h"

namespace fathom {

namespace {

// Leaves out empty texts, empty lists and absent numbers.
class Writer {
 public:
  Json json = Json::object();

  void operator()(const char* name, double value) { json[name] = jsonReal(value); }
  void operator()(const char* name, int value) { json[name] = value; }
  void operator()(const char* name, bool value) { json[name] = value; }
  void operator()(const char* name, std::string& value) {
    if (!value.empty()) json[name] = value;
  }
  void operator()(const char* name, std::optional<double>& value) {
    if (value) json[name] = jsonReal(*value);
  }
  template <class T>
  void operator()(const char* name, std::vector<T>& values) {
    if (values.empty()) return;
    Json list = Json::array();
    for (T& value : values) list.push_back(element(value));
    json[name] = std::move(list);
  }
  template <class T>
  requires std::is_class_v<T>
  void operator()(const char* name, T& part) { json[name] = element(part); }
  template <class E, std::size_t N>
  void word(const char* name, E value, const std::array<const char*, N>& words) {
    json[name] = std::string(words[static_cast<std::size_t>(value)]);
  }
  void shape(MarkShape& shape) {
    json["mark"] = std::string(kMarkWords[shape.index()]);
    std::visit([this](auto& mark) { figure_fields::visit(*this, mark); }, shape);
  }

 private:
  static Json element(double value) { return jsonReal(value); }
  static Json element(const std::string& value) { return value; }
  template <class T>
  requires std::is_class_v<T>
  static Json element(T& part) {
    if constexpr (std::is_same_v<T, std::string>) {
      return part;
    } else {
      Writer inner;
      figure_fields::visit(inner, part);
      return std::move(inner.json);
    }
  }
};

class Reader {
 public:
  Reader(const Json& json, std::string path) : m_json(json), m_path(std::move(path)) {
    if (!json.is_object()) fail("", "expected an object");
  }
  const std::string& error() const { return m_error; }

  void operator()(const char* name, double& value) {
    if (const Json* found = take(name)) real(*found, name, value);
  }
  void operator()(const char* name, int& value) {
    const Json* found = take(name);
    if (found == nullptr) return;
    constexpr std::int64_t kLargest = 1'000'000;
    if (!found->is_number_integer() || found->get<std::int64_t>() < 0 ||
        found->get<std::int64_t>() > kLargest)
      return fail(name, "expected a whole number from 0 to 1000000");
    value = found->get<int>();
  }
  void operator()(const char* name, bool& value) {
    const Json* found = take(name);
    if (found == nullptr) return;
    if (!found->is_boolean()) return fail(name, "expected true or false");
    value = found->get<bool>();
  }
  void operator()(const char* name, std::string& value) {
    if (const Json* found = take(name)) text(*found, name, value);
  }
  void operator()(const char* name, std::optional<double>& value) {
    if (const Json* found = take(name)) real(*found, name, value.emplace());
  }
  template <class T>
  void operator()(const char* name, std::vector<T>& values) {
    const Json* found = take(name);
    if (found == nullptr) return;
    if (!found->is_array()) return fail(name, "expected a list");
    values.clear();
    for (std::size_t i = 0; i < found->size() && m_error.empty(); ++i) {
      const std::string at = std::string(name) + "[" + std::to_string(i) + "]";
      T value{};
      element((*found)[i], at, value);
      values.push_back(std::move(value));
    }
  }
  template <class T>
  requires(std::is_class_v<T> && !std::is_same_v<T, std::string>) void operator()(const char* name, T& part) {
    if (const Json* found = take(name)) element(*found, name, part);
  }
  template <class E, std::size_t N>
  void word(const char* name, E& value, const std::array<const char*, N>& words) {
    const Json* found = take(name);
    if (found == nullptr) return;
    std::string allowed;
    for (std::size_t i = 0; i < N; ++i) {
      if (*found == words[i]) {
        value = static_cast<E>(i);
        return;
      }
      allowed += (i > 0 ? ", " : "") + std::string(words[i]);
    }
    fail(name, found->dump().substr(0, 40) + " is none of " + allowed);
  }
  void shape(MarkShape& shape) {
    const Json* found = take("mark");
    if (found == nullptr) return fail("mark", "is missing");
    const std::size_t index = kindOf(*found);
    if (index == kMarkWords.size()) return fail("mark", found->dump().substr(0, 40) + " is no kind of mark");
    shape = makeShape(index);
    std::visit([this](auto& mark) { figure_fields::visit(*this, mark); }, shape);
  }
  void key(const char* name) { take(name); }
  // After all fields are visited: a key nobody asked for is an error.
  void finish() {
    if (!m_error.empty() || m_taken == m_json.size()) return;
    for (const auto& [name, value] : m_json.items())
      if (!m_names.contains(name)) return fail(name, "is not known here");
  }

 private:
  static std::size_t kindOf(const Json& word) {
    std::size_t index = 0;
    while (index < kMarkWords.size() && word != kMarkWords[index]) ++index;
    return index;
  }
  template <std::size_t I = 0>
  static MarkShape makeShape(std::size_t index) {
    if constexpr (I + 1 < std::variant_size_v<MarkShape>) {
      if (index != I) return makeShape<I + 1>(index);
    }
    return MarkShape(std::in_place_index<I>);
  }
  const Json* take(const char* name) {
    if (!m_error.empty()) return nullptr;
    const auto found = m_json.find(name);
    if (found == m_json.end()) return nullptr;
    ++m_taken;
    m_names[name] = true;
    return &*found;
  }
  void real(const Json& json, const std::string& name, double& value) {
    const Result<double> read = realFromJson(json);
    if (!read.ok()) return fail(name, "expected a number");
    value = read.value();
  }
  void text(const Json& json, const std::string& name, std::string& value) {
    if (!json.is_string()) return fail(name, "expected a text");
    value = json.get<std::string>();
  }
  void element(const Json& json, const std::string& name, double& value) { real(json, name, value); }
  void element(const Json& json, const std::string& name, std::string& value) { text(json, name, value); }
  template <class T>
  void element(const Json& json, const std::string& name, T& part) {
    Reader inner(json, m_path.empty() ? name : m_path + "." + name);
    if (inner.m_error.empty()) figure_fields::visit(inner, part);
    inner.finish();
    if (m_error.empty()) m_error = inner.m_error;
  }
  void fail(const std::string& name, const std::string& what) {
    if (!m_error.empty()) return;
    m_error = m_path + (m_path.empty() || name.empty() ? "" : ".") + name + ": " + what;
  }

  const Json& m_json;
  std::string m_path;
  std::string m_error;
  std::size_t m_taken = 0;
  Json m_names = Json::object();
};

}  // namespace

Json figureToJson(const FigureSpec& spec) {
  Writer writer;
  writer.json["format"] = FigureSpec::kFormat;
  FigureSpec copy = spec;
  figure_fields::visit(writer, copy);
  return std::move(writer.json);
}

Result<FigureSpec> figureFromJson(const Json& json) {
  if (!json.is_object()) return dataError("a figure must be a JSON object");
  if (json.value("format", Json()) != FigureSpec::kFormat)
    return dataError("figure format " + json.value("format", Json()).dump() + " is not known",
                     "this version reads format " + std::to_string(FigureSpec::kFormat));
  FigureSpec spec;
  Reader reader(json, "");
  reader.key("format");
  figure_fields::visit(reader, spec);
  reader.finish();
  if (!reader.error().empty()) return dataError("figure: " + reader.error());
  FATHOM_CHECK(checkFigure(spec));
  return spec;
}

}  // namespace fathom
