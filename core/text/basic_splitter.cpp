// SPDX-License-Identifier: Apache-2.0
#include "core/text/basic_splitter.h"

#include <unicode/locid.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include "core/base/text/utf8.h"
#include "core/text/character_classes.h"

namespace fathom {

namespace {

using Characters = std::vector<TextCharacter>;

Characters decoded(std::string_view text) {
  Characters characters;
  characters.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const auto begin = static_cast<std::int64_t>(at);
    const char32_t code = nextCodePoint(text, at);
    characters.push_back({code, {begin, static_cast<std::int64_t>(at)}});
  }
  return characters;
}

// The fast tokenizer: one look into its table per character.
void splitFast(std::string_view text, bool lowerCase, const WordSink& sink) {
  const CharacterClasses& classes = CharacterClasses::instance();
  Characters word;
  const auto flush = [&] {
    if (!word.empty()) sink(word);
    word.clear();
  };
  const auto put = [&](TextCharacter character, std::uint8_t bits) {
    if ((bits & CharacterClasses::Isolated) == 0) {
      word.push_back(character);
      return;
    }
    flush();
    sink({&character, 1});
  };
  for (std::size_t at = 0; at < text.size();) {
    const auto begin = static_cast<std::int64_t>(at);
    const char32_t code = nextCodePoint(text, at);
    const TextRange range{begin, static_cast<std::int64_t>(at)};
    const std::uint8_t bits = classes.of(code);
    if (bits & CharacterClasses::Space) {
      flush();
    } else if ((bits & CharacterClasses::Removed) || (lowerCase && (bits & CharacterClasses::Mark))) {
      continue;
    } else if (lowerCase && (bits & CharacterClasses::Mapped)) {
      for (const char32_t image : classes.lowered(code))
        if (image != 0) put({image, range}, classes.of(image));
    } else {
      put({code, range}, bits);
    }
  }
  flush();
}

// Python 3.11's tables are Unicode 14: later characters are unassigned for it.
bool isNewer(char32_t code) {
  UVersionInfo age;
  u_charAge(static_cast<UChar32>(code), age);
  return age[0] > 14;
}

std::int8_t categoryOf(char32_t code) {
  return isNewer(code) ? static_cast<std::int8_t>(U_UNASSIGNED) : u_charType(static_cast<UChar32>(code));
}

bool isDropped(char32_t code, WordPieceVariant variant) {
  if (code == 0 || code == 0xFFFD) return true;
  if (code == '\t' || code == '\n' || code == '\r') return false;
  const std::int8_t category = categoryOf(code);
  if (category == U_CONTROL_CHAR || category == U_FORMAT_CHAR) return true;
  const bool otherC = category == U_UNASSIGNED || category == U_PRIVATE_USE_CHAR || category == U_SURROGATE;
  return variant == WordPieceVariant::HfSlow && otherC;
}

bool isBlank(char32_t code) {
  return isUnicodeSpace(code) || categoryOf(code) == U_SPACE_SEPARATOR;
}

bool isHan(char32_t c) {
  return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) || (c >= 0x20000 && c <= 0x2A6DF) ||
         (c >= 0x2A700 && c <= 0x2B73F) || (c >= 0x2B740 && c <= 0x2B81F) || (c >= 0x2B820 && c <= 0x2CEAF) ||
         (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x2F800 && c <= 0x2FA1F);
}

bool isPunctuation(char32_t c) {
  if ((c >= 33 && c <= 47) || (c >= 58 && c <= 64) || (c >= 91 && c <= 96) || (c >= 123 && c <= 126))
    return true;
  return !isNewer(c) && u_ispunct(static_cast<UChar32>(c));
}

// Appends the characters of `text`, all with the range.
void append(Characters& to, const icu::UnicodeString& text, TextRange range) {
  for (std::int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1))
    to.push_back({static_cast<char32_t>(text.char32At(i)), range});
}

// Normalises piece by piece between boundaries: a character gets the range of its piece.
Characters normalised(const Characters& in, const icu::Normalizer2& form) {
  Characters out;
  for (std::size_t i = 0; i < in.size();) {
    icu::UnicodeString piece(static_cast<UChar32>(in[i].code));
    TextRange range = in[i].range;
    std::size_t end = i + 1;
    for (; end < in.size() && !form.hasBoundaryBefore(static_cast<UChar32>(in[end].code)); ++end) {
      piece.append(static_cast<UChar32>(in[end].code));
      range.end = in[end].range.end;
    }
    if (end == i + 1 && isNewer(in[i].code)) {
      out.push_back(in[i]);
    } else {
      UErrorCode status = U_ZERO_ERROR;
      append(out, form.normalize(piece, status), range);
    }
    i = end;
  }
  return out;
}

const icu::Normalizer2& composing() {
  UErrorCode status = U_ZERO_ERROR;
  return *icu::Normalizer2::getNFCInstance(status);
}
const icu::Normalizer2& decomposing() {
  UErrorCode status = U_ZERO_ERROR;
  return *icu::Normalizer2::getNFDInstance(status);
}

// Σ at the end of a word: a cased letter before it, none behind it, case-ignorable characters apart.
bool isFinalSigma(const Characters& word, std::size_t at) {
  const auto ignorable = [&](std::size_t i) {
    return u_hasBinaryProperty(static_cast<UChar32>(word[i].code), UCHAR_CASE_IGNORABLE);
  };
  const auto cased = [&](std::size_t i) {
    return u_hasBinaryProperty(static_cast<UChar32>(word[i].code), UCHAR_CASED);
  };
  std::size_t before = at;
  while (before > 0 && ignorable(before - 1)) --before;
  if (before == 0 || !cased(before - 1)) return false;
  std::size_t after = at + 1;
  while (after < word.size() && ignorable(after)) ++after;
  return after == word.size() || !cased(after);
}

Characters lowered(const Characters& in, bool sigmaInContext) {
  constexpr char32_t kSigma = 0x3A3;
  Characters out;
  out.reserve(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) {
    const char32_t code = in[i].code;
    if (code < 0x80 || isNewer(code)) {
      const bool upper = code >= 'A' && code <= 'Z';
      out.push_back({upper ? code + ('a' - 'A') : code, in[i].range});
    } else if (code == kSigma) {
      out.push_back({sigmaInContext && isFinalSigma(in, i) ? U'\u03C2' : U'\u03C3', in[i].range});
    } else {
      icu::UnicodeString one(static_cast<UChar32>(code));
      append(out, one.toLower(icu::Locale::getRoot()), in[i].range);
    }
  }
  return out;
}

// Emits the rest of a token after lower-casing and removal of accents, cut at punctuation.
void emitToken(Characters token, WordPieceVariant variant, bool lowerCase, const WordSink& sink) {
  if (lowerCase) {
    token = normalised(lowered(token, variant == WordPieceVariant::Google), decomposing());
    std::erase_if(token, [](const TextCharacter& c) { return categoryOf(c.code) == U_NON_SPACING_MARK; });
  }
  std::size_t start = 0;
  for (std::size_t i = 0; i < token.size(); ++i) {
    if (!isPunctuation(token[i].code)) continue;
    if (i > start) sink(std::span(token).subspan(start, i - start));
    sink(std::span(token).subspan(i, 1));
    start = i + 1;
  }
  if (token.size() > start) sink(std::span(token).subspan(start));
}

// The two Python tokenizers.
void splitPython(std::string_view text, WordPieceVariant variant, bool lowerCase, const WordSink& sink) {
  const bool slow = variant == WordPieceVariant::HfSlow;
  Characters characters = decoded(text);
  if (slow && lowerCase) characters = lowered(characters, false);
  Characters clean;
  for (const TextCharacter& character : characters) {
    if (isDropped(character.code, variant)) continue;
    const bool han = isHan(character.code);
    if (han) clean.push_back({U' ', character.range});
    clean.push_back(character);
    if (han) clean.push_back({U' ', character.range});
  }
  if (slow) clean = normalised(clean, composing());
  Characters token;
  for (const TextCharacter& character : clean) {
    if (!isBlank(character.code)) {
      token.push_back(character);
    } else if (!token.empty()) {
      emitToken(std::move(token), variant, lowerCase, sink);
      token.clear();
    }
  }
  if (!token.empty()) emitToken(std::move(token), variant, lowerCase, sink);
}

}  // namespace

void splitWords(std::string_view text, WordPieceVariant variant, bool lowerCase, const WordSink& sink) {
  if (variant == WordPieceVariant::HfFast)
    splitFast(text, lowerCase, sink);
  else
    splitPython(text, variant, lowerCase, sink);
}

}  // namespace fathom
