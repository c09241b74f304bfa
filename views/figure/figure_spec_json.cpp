// SPDX-License-Identifier: GPL-3.0-or-later

#include <type_traits>

#include "core/base/json/phrase_json.h"
#include "views/figure/figure_fields.h"

namespace fathom {

namespace {

// Leaves out empty texts, empty lists and absent numbers.
const std::string kPhrase = "_phrase";

bool hasParts(const Phrase& phrase) {
  return !phrase.verbatim || !phrase.parts.empty();
}

class Writer {
 public:
  Json json = Json::object();

  void operator()(const char* name, double value) { json[name] = jsonReal(value); }
  void operator()(const char* name, int value) { json[name] = value; }
  void operator()(const char* name, bool value) { json[name] = value; }
  void operator()(const char* name, std::string& value) {
    if (!value.empty()) json[name] = value;
  }
  // The English text, and beside it what another language needs.
  void operator()(const char* name, Phrase& value) {
    if (value.empty()) return;
    json[name] = value.english();
    if (hasParts(value)) json[name + kPhrase] = phraseToJson(value);
  }
  void operator()(const char* name, std::vector<Phrase>& values) {
    if (values.empty()) return;
    Json texts = Json::array(), phrases = Json::array();
    for (const Phrase& value : values) {
      texts.push_back(value.english());
      phrases.push_back(phraseToJson(value));
    }
    const bool more = texts != phrases;
    json[name] = std::move(texts);
    if (more) json[name + kPhrase] = std::move(phrases);
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
  void word(const char* name, E value, const EnumWord<E> (&words)[N]) {
    json[name] = wordOf(words, value);
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

}  // namespace

Json figureToJson(const FigureSpec& spec) {
  Writer writer;
  writer.json["format"] = FigureSpec::kFormat;
  FigureSpec copy = spec;
  figure_fields::visit(writer, copy);
  return std::move(writer.json);
}

}  // namespace fathom
