// SPDX-License-Identifier: Apache-2.0
#include "core/text/text_normalizers.h"

#include <unicode/locid.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/text/utf8.h"
#include "core/text/character_classes.h"

namespace fathom {

TextCharacters charactersOf(std::string_view text, std::int64_t offset) {
  TextCharacters characters;
  characters.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const auto begin = static_cast<std::int64_t>(at);
    const char32_t code = nextCodePoint(text, at);
    characters.push_back({code, {begin + offset, static_cast<std::int64_t>(at) + offset}});
  }
  return characters;
}

std::string utf8Of(const TextCharacters& characters) {
  std::string text;
  text.reserve(characters.size());
  for (const TextCharacter& character : characters) appendCodePoint(text, character.code);
  return text;
}

bool isRustSpace(char32_t code) {
  return u_isUWhiteSpace(static_cast<UChar32>(code)) != 0;
}

bool isHanCharacter(char32_t c) {
  return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) || (c >= 0x20000 && c <= 0x2A6DF) ||
         (c >= 0x2A700 && c <= 0x2B81F) || (c >= 0x2B920 && c <= 0x2CEAF) || (c >= 0xF900 && c <= 0xFAFF) ||
         (c >= 0x2F800 && c <= 0x2FA1F);
}

namespace {

bool hasBit(char32_t code, CharacterClasses::Bit bit) {
  return (CharacterClasses::instance().of(code) & bit) != 0;
}

// Appends the characters of `text`, all with the range.
void appendAll(TextCharacters& to, const icu::UnicodeString& text, TextRange range) {
  for (std::int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1))
    to.push_back({static_cast<char32_t>(text.char32At(i)), range});
}

enum class UnicodeForm { Nfc, Nfd, Nfkc, Nfkd };

const icu::Normalizer2& formOf(UnicodeForm form) {
  UErrorCode status = U_ZERO_ERROR;
  switch (form) {
    case UnicodeForm::Nfc:
      return *icu::Normalizer2::getNFCInstance(status);
    case UnicodeForm::Nfd:
      return *icu::Normalizer2::getNFDInstance(status);
    case UnicodeForm::Nfkc:
      return *icu::Normalizer2::getNFKCInstance(status);
    default:
      return *icu::Normalizer2::getNFKDInstance(status);
  }
}

// The version of Unicode that brought a character: the library's parts know different ones.
int ageOf(char32_t code) {
  UVersionInfo age;
  u_charAge(static_cast<UChar32>(code), age);
  return age[0];
}
constexpr int kFormsEnd = 12, kMarksEnd = 10;  // versions that its forms and its marks no longer know

// Piece by piece between boundaries: a character gets the range of its piece.
void applyForm(TextCharacters& text, UnicodeForm wanted) {
  const icu::Normalizer2& form = formOf(wanted);
  TextCharacters out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    icu::UnicodeString piece(static_cast<UChar32>(text[i].code));
    TextRange range = text[i].range;
    std::size_t end = i + 1;
    for (; end < text.size() && !form.hasBoundaryBefore(static_cast<UChar32>(text[end].code)); ++end) {
      piece.append(static_cast<UChar32>(text[end].code));
      range.end = text[end].range.end;
    }
    UErrorCode status = U_ZERO_ERROR;
    if (end == i + 1 && (text[i].code < 0x80 || ageOf(text[i].code) >= kFormsEnd))
      out.push_back(text[i]);
    else
      appendAll(out, form.normalize(piece, status), range);
    i = end;
  }
  text = std::move(out);
}

// Character by character as Rust's char::to_lowercase: a sigma knows nothing of its word. Letters that are
// younger than the library are in our own tables.
void lowerCharacters(TextCharacters& text) {
  TextCharacters out;
  out.reserve(text.size());
  for (const TextCharacter& one : text) {
    if (one.code < 0x80) {
      const bool upper = one.code >= 'A' && one.code <= 'Z';
      out.push_back({upper ? one.code + ('a' - 'A') : one.code, one.range});
    } else if (u_charType(static_cast<UChar32>(one.code)) == U_UNASSIGNED) {
      const bool mapped = hasBit(one.code, CharacterClasses::Mapped);
      out.push_back({mapped ? CharacterClasses::instance().lowered(one.code)[0] : one.code, one.range});
    } else {
      icu::UnicodeString single(static_cast<UChar32>(one.code));
      appendAll(out, single.toLower(icu::Locale::getRoot()), one.range);
    }
  }
  text = std::move(out);
}

void stripBertAccents(TextCharacters& text) {
  applyForm(text, UnicodeForm::Nfd);
  std::erase_if(text, [](const TextCharacter& one) { return hasBit(one.code, CharacterClasses::Mark); });
}

// Both at once, by the table of the fast tokenizer.
void lowerWithoutAccents(TextCharacters& text) {
  const CharacterClasses& classes = CharacterClasses::instance();
  TextCharacters out;
  out.reserve(text.size());
  for (const TextCharacter& one : text) {
    const std::uint8_t bits = classes.of(one.code);
    if (bits & CharacterClasses::Mark) continue;
    if (!(bits & CharacterClasses::Mapped)) {
      out.push_back(one);
      continue;
    }
    for (const char32_t image : classes.lowered(one.code))
      if (image != 0) out.push_back({image, one.range});
  }
  text = std::move(out);
}

void cleanText(TextCharacters& text) {
  std::erase_if(text, [](const TextCharacter& one) { return hasBit(one.code, CharacterClasses::Removed); });
  for (TextCharacter& one : text)
    if (isRustSpace(one.code)) one.code = U' ';
}

void spaceHan(TextCharacters& text) {
  TextCharacters out;
  out.reserve(text.size());
  for (const TextCharacter& one : text) {
    const bool han = isHanCharacter(one.code);
    if (han) out.push_back({U' ', one.range});
    out.push_back(one);
    if (han) out.push_back({U' ', one.range});
  }
  text = std::move(out);
}

TextNormalizer bertNormalizer(SettingsReader& from) {
  const bool clean = from.flag("clean_text", true), han = from.flag("handle_chinese_chars", true);
  const bool lower = from.flag("lowercase", true);
  const bool strip = from.optionalFlag("strip_accents").value_or(lower);
  return [clean, han, lower, strip](TextCharacters& text) {
    if (clean) cleanText(text);
    if (han) spaceHan(text);
    if (lower && strip)
      lowerWithoutAccents(text);
    else if (strip)
      stripBertAccents(text);
    else if (lower)
      lowerCharacters(text);
  };
}

void stripEnds(TextCharacters& text, bool left, bool right) {
  const auto plain = [](const TextCharacter& one) { return !isRustSpace(one.code); };
  if (right) text.erase(std::find_if(text.rbegin(), text.rend(), plain).base(), text.end());
  if (left) text.erase(text.begin(), std::find_if(text.begin(), text.end(), plain));
}

void stripMarks(TextCharacters& text) {
  std::erase_if(text, [](const TextCharacter& one) {
    if (one.code == 0x1CF2 || one.code == 0x1CF3) return true;  // became letters in Unicode 12
    if (one.code == 0x111C9) return false;                      // became a mark in Unicode 11
    const bool mark = (U_GET_GC_MASK(static_cast<UChar32>(one.code)) & U_GC_M_MASK) != 0;
    return mark && ageOf(one.code) < kMarksEnd;
  });
}

// SentencePiece's rules for translation: controls go, other white space becomes a blank.
void normalizeNmt(TextCharacters& text) {
  std::erase_if(text, [](const TextCharacter& one) {
    const char32_t c = one.code;
    return (c >= 0x1 && c <= 0x8) || c == 0xB || (c >= 0xE && c <= 0x1F) || c == 0x7F || c == 0x8F ||
           c == 0x9F;
  });
  for (TextCharacter& one : text) {
    const char32_t c = one.code;
    if (c == 0x9 || c == 0xA || c == 0xC || c == 0xD || c == 0x1680 || (c >= 0x200B && c <= 0x200F) ||
        c == 0x2028 || c == 0x2029 || c == 0x2581 || c == 0xFEFF || c == 0xFFFD)
      one.code = U' ';
  }
}

void prependText(TextCharacters& text, const std::u32string& what) {
  if (text.empty()) return;
  const std::int64_t begin = text.front().range.begin;
  TextCharacters added;
  for (const char32_t code : what) added.push_back({code, {begin, begin}});
  text.insert(text.begin(), added.begin(), added.end());
}

std::u32string codePointsOf(const std::string& text) {
  std::u32string codes;
  for (const TextCharacter& one : charactersOf(text)) codes.push_back(one.code);
  return codes;
}

// Length of a run that is replaced, 0 where none begins.
using RunLength = std::function<std::size_t(const TextCharacters&, std::size_t)>;

void replaceRuns(TextCharacters& text, const RunLength& length, const std::u32string& content) {
  TextCharacters out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t count = length(text, i);
    if (count == 0) {
      out.push_back(text[i++]);
      continue;
    }
    const TextRange range{text[i].range.begin, text[i + count - 1].range.end};
    for (const char32_t code : content) out.push_back({code, range});
    i += count;
  }
  text = std::move(out);
}

RunLength literalRun(std::u32string pattern) {
  return [pattern = std::move(pattern)](const TextCharacters& text, std::size_t at) -> std::size_t {
    if (pattern.empty() || pattern.size() > text.size() - at) return 0;
    for (std::size_t i = 0; i < pattern.size(); ++i)
      if (text[at + i].code != pattern[i]) return 0;
    return pattern.size();
  };
}

template <typename Test>
RunLength classRun(std::size_t atLeast, Test test) {
  return [atLeast, test](const TextCharacters& text, std::size_t at) {
    std::size_t end = at;
    while (end < text.size() && test(text[end].code)) ++end;
    return end - at >= atLeast ? end - at : 0;
  };
}

// A pattern is a text, or one of the few expressions that conversions of SentencePiece models write.
RunLength patternOf(SettingsReader& from) {
  SettingsReader pattern = from.inside("pattern");
  if (const auto text = pattern.optionalText("String")) return literalRun(codePointsOf(*text));
  const std::string expression = pattern.text("Regex", "");
  const auto blank = [](char32_t code) { return code == U' '; };
  if (expression == " {2,}") return classRun(2, blank);
  if (expression == " +") return classRun(1, blank);
  if (expression == "\\s+") return classRun(1, isRustSpace);
  if (expression == "\\s") {
    return [](const TextCharacters& text, std::size_t at) -> std::size_t {
      return isRustSpace(text[at].code) ? 1 : 0;
    };
  }
  from.refuse("pattern");
}

TextNormalizer sequenceOf(SettingsReader& from, std::vector<std::string>& unknown) {
  std::vector<TextNormalizer> steps;
  std::size_t index = 0;
  for (const Json& step : from.list("normalizers"))
    steps.push_back(
        makeNormalizer(step, from.file(), from.path("normalizers." + std::to_string(index++)), unknown));
  return [steps = std::move(steps)](TextCharacters& text) {
    for (const TextNormalizer& step : steps) step(text);
  };
}

TextNormalizer normalizerOf(const std::string& type, SettingsReader& from,
                            std::vector<std::string>& unknown) {
  constexpr std::pair<const char*, UnicodeForm> kForms[] = {{"NFC", UnicodeForm::Nfc},
                                                            {"NFD", UnicodeForm::Nfd},
                                                            {"NFKC", UnicodeForm::Nfkc},
                                                            {"NFKD", UnicodeForm::Nfkd}};
  for (const auto& [name, form] : kForms)
    if (type == name) return [form = form](TextCharacters& text) { applyForm(text, form); };
  if (type == "BertNormalizer") return bertNormalizer(from);
  if (type == "Sequence") return sequenceOf(from, unknown);
  if (type == "Lowercase") return lowerCharacters;
  if (type == "StripAccents") return stripMarks;
  if (type == "Nmt") return normalizeNmt;
  if (type == "Strip") {
    const bool left = from.flag("strip_left", true), right = from.flag("strip_right", true);
    return [left, right](TextCharacters& text) { stripEnds(text, left, right); };
  }
  if (type == "Prepend") {
    return [what = codePointsOf(from.text("prepend", ""))](TextCharacters& text) { prependText(text, what); };
  }
  if (type == "Replace") {
    const RunLength length = patternOf(from);
    return [length, content = codePointsOf(from.text("content", ""))](TextCharacters& text) {
      replaceRuns(text, length, content);
    };
  }
  if (type == "Precompiled") {
    return makeCharsmap(from.text("precompiled_charsmap", ""), from);
  }
  from.refuse("type");
}

}  // namespace

TextNormalizer makeNormalizer(const Json& json, const std::string& file, const std::string& path,
                              std::vector<std::string>& unknown) {
  if (json.is_null()) return [](TextCharacters&) {};
  SettingsReader from(json, file, path, unknown);
  TextNormalizer made = normalizerOf(from.text("type", ""), from, unknown);
  from.rest();
  return made;
}

}  // namespace fathom
