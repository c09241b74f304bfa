// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace fathom {

// A text for people, kept so that a window can say it in another language: an English text with %1, %2, … for
// its parts. What has no translation (names, numbers, SQL, words of another program) is verbatim. A value.
//
//   Phrase::tr("%1: %2 states of the run.")(run.name, run.states)
//
// `Phrase::tr` marks the text: lupdate reads it from the sources of core, views and app, under the context
// "fathom::Phrase". It takes one literal. A literal that is not marked does not compile.
struct Phrase {
  struct Text {
    const char* english;
    template <class... Parts>
    Phrase operator()(Parts&&... parts) const;
  };
  static constexpr Text tr(const char* english) { return {english}; }

  Phrase() = default;
  Phrase(Text marked) : text(marked.english), verbatim(false) {}       // NOLINT(google-explicit-constructor)
  Phrase(std::string verbatimText) : text(std::move(verbatimText)) {}  // NOLINT(google-explicit-constructor)
  Phrase(const char*) = delete;  // tr() or, where there is nothing to translate, words()
  template <class Number>
  requires(std::is_arithmetic_v<Number> && !std::same_as<Number, char> && !std::same_as<Number, bool>)
      Phrase(Number value)
      : text(std::to_string(value)) {}  // NOLINT(google-explicit-constructor)
  static Phrase words(std::string verbatimText) { return {std::move(verbatimText)}; }
  // A text that is marked elsewhere: by a list that `describe` carries, in a file another program wrote.
  static Phrase known(std::string english);
  // The phrases with `between` in between, each said by itself.
  static Phrase list(std::vector<Phrase> phrases, const std::string& between);

  bool empty() const { return text.empty(); }
  void clear() { *this = {}; }
  // Adds a sentence or another part after what there is.
  void append(Phrase more, const std::string& between = " ");
  std::string english() const;
  // In another language: `translate` turns each English text, with its places, into that language. Places are
  // filled in one go, so that a % inside a part stays what it is.
  std::string said(const std::function<std::string(const std::string&)>& translate) const;
  bool operator==(const Phrase&) const = default;

  std::string text;
  std::vector<Phrase> parts;
  bool verbatim = true;
};

template <class... Parts>
Phrase Phrase::Text::operator()(Parts&&... parts) const {
  Phrase phrase(*this);
  // A part that is a text is verbatim, whatever it is kept in.
  const auto add = [&phrase]<class Part>(Part&& part) {
    if constexpr (std::is_constructible_v<std::string, Part> && !std::is_arithmetic_v<std::decay_t<Part>>) {
      phrase.parts.push_back(Phrase::words(std::string(std::forward<Part>(part))));
    } else {
      phrase.parts.push_back(Phrase(std::forward<Part>(part)));
    }
  };
  (add(std::forward<Parts>(parts)), ...);
  return phrase;
}

}  // namespace fathom
