// SPDX-License-Identifier: Apache-2.0
#include "core/text/text_cutters.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "core/base/text/utf8.h"
#include "core/text/byte_bpe_tokenizer.h"
#include "core/text/character_classes.h"
#include "core/text/character_tables.h"
#include "core/text/gpt2_pattern.h"

namespace fathom {

namespace {

// The tokenizers library knows later versions of Unicode than ICU here: letters, marks and digits of those.
constexpr CodeRange kYoungWords[] = {
    {0x897, 0x897},     {0x1c89, 0x1c8a},   {0xa7cb, 0xa7cd},   {0xa7da, 0xa7dc},   {0x105c0, 0x105f3},
    {0x10d40, 0x10d65}, {0x10d69, 0x10d6d}, {0x10d6f, 0x10d85}, {0x10ec2, 0x10ec4}, {0x10efc, 0x10efc},
    {0x11380, 0x11389}, {0x1138b, 0x1138b}, {0x1138e, 0x1138e}, {0x11390, 0x113b5}, {0x113b7, 0x113c0},
    {0x113c2, 0x113c2}, {0x113c5, 0x113c5}, {0x113c7, 0x113ca}, {0x113cc, 0x113d3}, {0x113e1, 0x113e2},
    {0x116d0, 0x116e3}, {0x11bc0, 0x11be0}, {0x11bf0, 0x11bf9}, {0x11f5a, 0x11f5a}, {0x13460, 0x143fa},
    {0x16100, 0x16139}, {0x16d40, 0x16d6c}, {0x16d70, 0x16d79}, {0x18cff, 0x18cff}, {0x1ccf0, 0x1ccf9},
    {0x1e5d0, 0x1e5fa}, {0x2ebf0, 0x2ee5d}};
constexpr CodeRange kYoungNumbers[] = {{0x10d40, 0x10d49}, {0x116d0, 0x116e3}, {0x11bf0, 0x11bf9},
                                       {0x11de0, 0x11de9}, {0x16130, 0x16139}, {0x16d70, 0x16d79},
                                       {0x16ff4, 0x16ff6}, {0x1ccf0, 0x1ccf9}, {0x1e5f1, 0x1e5fa}};

bool isIn(std::span<const CodeRange> ranges, char32_t code) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [code](const CodeRange& range) { return code >= range.first && code <= range.last; });
}

}  // namespace

bool isWordCharacter(char32_t code) {
  const auto c = static_cast<UChar32>(code);
  constexpr std::uint32_t kMask = U_GC_M_MASK | U_GC_ND_MASK | U_GC_PC_MASK;
  return u_hasBinaryProperty(c, UCHAR_ALPHABETIC) || (U_GET_GC_MASK(c) & kMask) != 0 ||
         u_hasBinaryProperty(c, UCHAR_JOIN_CONTROL) || isIn(kYoungWords, code);
}

void writeBytesAsCharacters(TextCharacters& text) {
  static const auto written = [] {
    std::array<char32_t, 256> table{};
    for (std::size_t byte = 0; byte < table.size(); ++byte) {
      std::size_t at = 0;
      table[byte] = nextCodePoint(byteCharacter(static_cast<std::uint8_t>(byte)), at);
    }
    return table;
  }();
  TextCharacters out;
  out.reserve(text.size());
  std::string bytes;
  for (const TextCharacter& one : text) {
    bytes.clear();
    appendCodePoint(bytes, one.code);
    for (const char byte : bytes) out.push_back({written[static_cast<unsigned char>(byte)], one.range});
  }
  text = std::move(out);
}

namespace {

struct Stretch {
  std::size_t begin = 0, end = 0;
  bool match = false;
};
// All of a text, in its order.
using Matcher = std::function<std::vector<Stretch>(const TextCharacters&)>;

enum class CutRule { Removed, Isolated, MergedWithPrevious, MergedWithNext, Contiguous };

std::vector<Stretch> mergedBackwards(const std::vector<Stretch>& all) {
  std::vector<Stretch> kept;
  bool before = false;
  for (const Stretch& one : all) {
    if (one.match && !before && !kept.empty())
      kept.back().end = one.end;
    else
      kept.push_back(one);
    before = one.match;
  }
  return kept;
}

std::vector<Stretch> mergedForwards(const std::vector<Stretch>& all) {
  std::vector<Stretch> kept;
  bool before = false;
  for (auto one = all.rbegin(); one != all.rend(); ++one) {
    if (one->match && !before && !kept.empty())
      kept.back().begin = one->begin;
    else
      kept.push_back(*one);
    before = one->match;
  }
  std::reverse(kept.begin(), kept.end());
  return kept;
}

std::vector<Stretch> ruled(std::vector<Stretch> all, CutRule rule) {
  if (rule == CutRule::Removed) std::erase_if(all, [](const Stretch& one) { return one.match; });
  if (rule == CutRule::MergedWithPrevious) return mergedBackwards(all);
  if (rule == CutRule::MergedWithNext) return mergedForwards(all);
  if (rule != CutRule::Contiguous) return all;
  std::vector<Stretch> kept;
  for (const Stretch& one : all) {
    if (!kept.empty() && kept.back().match == one.match)
      kept.back().end = one.end;
    else
      kept.push_back(one);
  }
  return kept;
}

void cutBy(CutText& text, const Matcher& matcher, CutRule rule) {
  CutText out;
  for (CutPart& part : text) {
    const std::vector<Stretch> stretches = ruled(matcher(part.characters), rule);
    if (stretches.size() == 1 && stretches[0].end - stretches[0].begin == part.characters.size()) {
      out.push_back(std::move(part));
      continue;
    }
    for (const Stretch& one : stretches) {
      if (one.begin == one.end) continue;
      const auto first = part.characters.begin();
      CutPart cut{
          {first + static_cast<std::ptrdiff_t>(one.begin), first + static_cast<std::ptrdiff_t>(one.end)}, 0};
      cut.origin = cut.characters.front().range.begin;
      out.push_back(std::move(cut));
    }
  }
  text = std::move(out);
}

// Every character for which the test holds is a match of its own.
template <typename Test>
Matcher characterMatcher(Test test) {
  return [test](const TextCharacters& text) {
    std::vector<Stretch> all;
    std::size_t plain = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (!test(text[i].code)) continue;
      if (i > plain) all.push_back({plain, i, false});
      all.push_back({i, i + 1, true});
      plain = i + 1;
    }
    if (text.size() > plain) all.push_back({plain, text.size(), false});
    return all;
  };
}

bool isBertPunctuation(char32_t code) {
  return !isHanCharacter(code) && (CharacterClasses::instance().of(code) & CharacterClasses::Isolated) != 0;
}

bool isNumber(char32_t code) {
  return (U_GET_GC_MASK(static_cast<UChar32>(code)) & U_GC_N_MASK) != 0 || isIn(kYoungNumbers, code);
}

Matcher literalMatcher(std::u32string pattern) {
  return [pattern = std::move(pattern)](const TextCharacters& text) {
    std::vector<Stretch> all;
    std::size_t plain = 0;
    const auto here = [&](std::size_t at) {
      for (std::size_t i = 0; i < pattern.size(); ++i)
        if (text[at + i].code != pattern[i]) return false;
      return true;
    };
    for (std::size_t i = 0; !pattern.empty() && i + pattern.size() <= text.size();) {
      if (!here(i)) {
        ++i;
        continue;
      }
      if (i > plain) all.push_back({plain, i, false});
      all.push_back({i, i + pattern.size(), true});
      plain = i += pattern.size();
    }
    if (text.size() > plain) all.push_back({plain, text.size(), false});
    return all;
  };
}

// Words and what is neither word nor white space are matches.
std::vector<Stretch> wordMatches(const TextCharacters& text) {
  const auto kind = [](char32_t code) { return isWordCharacter(code) ? 1 : isRustSpace(code) ? 0 : 2; };
  std::vector<Stretch> all;
  for (std::size_t i = 0; i < text.size();) {
    const int own = kind(text[i].code);
    std::size_t end = i + 1;
    while (end < text.size() && kind(text[end].code) == own) ++end;
    all.push_back({i, end, own != 0});
    i = end;
  }
  return all;
}

std::vector<Stretch> gpt2Matches(const TextCharacters& text) {
  const std::string bytes = utf8Of(text);
  std::vector<Stretch> all;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t end = gpt2PieceEnd(bytes, at);
    const auto count =
        static_cast<std::size_t>(countCodePoints(std::string_view(bytes).substr(at, end - at)));
    all.push_back({begin, begin + count, true});
    begin += count;
    at = end;
  }
  return all;
}

Matcher inverted(Matcher matcher) {
  return [matcher = std::move(matcher)](const TextCharacters& text) {
    std::vector<Stretch> all = matcher(text);
    for (Stretch& one : all) one.match = !one.match;
    return all;
  };
}

CutRule ruleOf(SettingsReader& from, const char* otherwise) {
  constexpr std::pair<const char*, CutRule> kRules[] = {{"Removed", CutRule::Removed},
                                                        {"Isolated", CutRule::Isolated},
                                                        {"MergedWithPrevious", CutRule::MergedWithPrevious},
                                                        {"MergedWithNext", CutRule::MergedWithNext},
                                                        {"Contiguous", CutRule::Contiguous}};
  const std::string word = from.text("behavior", otherwise);
  for (const auto& [name, rule] : kRules)
    if (word == name) return rule;
  from.refuse("behavior");
}

TextCutter cutterBy(Matcher matcher, CutRule rule) {
  return [matcher = std::move(matcher), rule](CutText& text) { cutBy(text, matcher, rule); };
}

// One character.
char32_t characterOf(SettingsReader& from, const char* key, const std::string& otherwise) {
  const TextCharacters characters = charactersOf(from.text(key, otherwise));
  if (characters.size() != 1) from.wrong(key, Phrase::tr("must be one character"));
  return characters.front().code;
}

void putInFront(CutPart& part, char32_t code) {
  const std::int64_t begin = part.characters.front().range.begin;
  part.characters.insert(part.characters.begin(), {code, {begin, begin}});
}

TextCutter byteLevelCutter(SettingsReader& from) {
  const bool blank = from.flag("add_prefix_space", true), cuts = from.flag("use_regex", true);
  from.passOver({"trim_offsets"});
  return [blank, cuts](CutText& text) {
    for (CutPart& part : text)
      if (blank && !part.characters.empty() && part.characters.front().code != U' ') putInFront(part, U' ');
    if (cuts) cutBy(text, gpt2Matches, CutRule::Isolated);
    for (CutPart& part : text) writeBytesAsCharacters(part.characters);
  };
}

TextCutter metaspaceCutter(SettingsReader& from) {
  const char32_t mark = characterOf(from, "replacement", "\xe2\x96\x81");
  std::string scheme = from.text("prepend_scheme", "always");
  if (!from.flag("add_prefix_space", true)) {  // before there were three of them
    if (from.has("prepend_scheme") && scheme != "never") from.refuse("add_prefix_space");
    scheme = "never";
  }
  if (scheme != "always" && scheme != "never" && scheme != "first") from.refuse("prepend_scheme");
  const bool cuts = from.flag("split", true);
  from.passOver({"str_rep"});
  return [mark, scheme, cuts](CutText& text) {
    for (CutPart& part : text) {
      for (TextCharacter& one : part.characters)
        if (one.code == U' ') one.code = mark;
      const bool wanted = scheme == "always" || (scheme == "first" && part.origin == 0);
      if (wanted && !part.characters.empty() && part.characters.front().code != mark) putInFront(part, mark);
    }
    if (cuts)
      cutBy(text, characterMatcher([mark](char32_t code) { return code == mark; }), CutRule::MergedWithNext);
  };
}

TextCutter splitCutter(SettingsReader& from) {
  SettingsReader pattern = from.inside("pattern");
  const CutRule rule = ruleOf(from, "Isolated");
  const bool invert = from.flag("invert", false);
  Matcher matcher;
  if (const auto text = pattern.optionalText("String")) {
    std::u32string codes;
    for (const TextCharacter& one : charactersOf(*text)) codes.push_back(one.code);
    matcher = literalMatcher(std::move(codes));
  } else if (pattern.text("Regex", "") == kGpt2Pattern) {
    matcher = gpt2Matches;
  } else {
    from.refuse("pattern");
  }
  return cutterBy(invert ? inverted(std::move(matcher)) : std::move(matcher), rule);
}

TextCutter cutterSequence(SettingsReader& from, std::vector<std::string>& unknown) {
  std::vector<TextCutter> steps;
  std::size_t index = 0;
  for (const Json& step : from.list("pretokenizers"))
    steps.push_back(
        makeCutter(step, from.file(), from.path("pretokenizers." + std::to_string(index++)), unknown));
  return [steps = std::move(steps)](CutText& text) {
    for (const TextCutter& step : steps) step(text);
  };
}

TextCutter cutterOf(const std::string& type, SettingsReader& from, std::vector<std::string>& unknown) {
  const Matcher spaces = characterMatcher(isRustSpace), points = characterMatcher(isBertPunctuation);
  if (type == "BertPreTokenizer") {
    return [spaces, points](CutText& text) {
      cutBy(text, spaces, CutRule::Removed);
      cutBy(text, points, CutRule::Isolated);
    };
  }
  if (type == "Sequence") return cutterSequence(from, unknown);
  if (type == "ByteLevel") return byteLevelCutter(from);
  if (type == "Metaspace") return metaspaceCutter(from);
  if (type == "Whitespace") return cutterBy(inverted(wordMatches), CutRule::Removed);
  if (type == "WhitespaceSplit") return cutterBy(spaces, CutRule::Removed);
  if (type == "Punctuation") return cutterBy(points, ruleOf(from, "Isolated"));
  if (type == "Digits") {
    const bool each = from.flag("individual_digits", false);
    return cutterBy(characterMatcher(isNumber), each ? CutRule::Isolated : CutRule::Contiguous);
  }
  if (type == "CharDelimiterSplit") {
    const char32_t delimiter = characterOf(from, "delimiter", "");
    return cutterBy(characterMatcher([delimiter](char32_t code) { return code == delimiter; }),
                    CutRule::Removed);
  }
  if (type == "Split") return splitCutter(from);
  from.refuse("type");
}

}  // namespace

TextCutter makeCutter(const Json& json, const std::string& file, const std::string& path,
                      std::vector<std::string>& unknown) {
  if (json.is_null()) return [](CutText&) {};
  SettingsReader from(json, file, path, unknown);
  TextCutter made = cutterOf(from.text("type", ""), from, unknown);
  from.rest();
  return made;
}

}  // namespace fathom
