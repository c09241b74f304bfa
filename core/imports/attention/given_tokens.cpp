// SPDX-License-Identifier: Apache-2.0
#include "core/imports/attention/given_tokens.h"

#include <algorithm>
#include <utility>

#include "core/base/json/json.h"
#include "core/base/json/json_members.h"

namespace fathom {

namespace {

Error notRows(const std::string& file, const std::string& member) {
  return dataErrorAt(file, 0, Phrase::tr("\"%1\" is not a list of one list for each example")(member));
}

// Rows of a member; one row that is not in a list of its own is the only example's.
Result<Json> rowsOf(const Json& value, const std::string& file, const std::string& member) {
  if (!value.is_array() || value.empty()) return notRows(file, member);
  if (!value.front().is_array()) return Json::array({value});
  const bool rows = std::all_of(value.begin(), value.end(), [](const Json& row) { return row.is_array(); });
  return rows ? Result<Json>(value) : notRows(file, member);
}

Status takeTexts(const Json& value, const std::string& file, const std::string& member, StackTokens& into) {
  FATHOM_TRY(const Json rows, rowsOf(value, file, member));
  into.textsName = member;
  for (std::size_t example = 0; example < rows.size(); ++example) {
    into.texts.emplace_back();
    for (std::size_t place = 0; place < rows[example].size(); ++place) {
      const Json& token = rows[example][place];
      if (!token.is_string() && !token.is_null() && !token.is_number_integer())
        return dataErrorAt(file, 0, Phrase::tr("%1[%2, %3] is no token")(member, example, place));
      into.texts.back().push_back(token.is_null() ? std::string() : asText(token));
    }
  }
  return {};
}

Status takeMask(const Json& value, const std::string& file, const std::string& member, StackTokens& into) {
  FATHOM_TRY(const Json rows, rowsOf(value, file, member));
  into.realName = member;
  for (std::size_t example = 0; example < rows.size(); ++example) {
    into.real.emplace_back();
    for (std::size_t place = 0; place < rows[example].size(); ++place) {
      const Json& real = rows[example][place];
      if (real != Json(0) && real != Json(1) && !real.is_boolean())
        return dataErrorAt(file, 0, Phrase::tr("%1[%2, %3] is neither 0 nor 1")(member, example, place));
      into.real.back().push_back(real == Json(1) || real == Json(true) ? 1 : 0);
    }
  }
  return {};
}

// A row of the tokens' file is there for every example, and none is longer than the example.
template <typename Rows>
Status checkFit(const GivenTokens& given, const std::string& member, const Rows& rows, std::int64_t examples,
                std::int64_t places, const std::string& array) {
  if (static_cast<std::int64_t>(rows.size()) != examples)
    return dataErrorAt(given.file(), 0,
                       Phrase::tr("\"%1\" has %2 examples, %3 has %4")(member, rows.size(), array, examples));
  for (std::size_t example = 0; example < rows.size(); ++example) {
    if (static_cast<std::int64_t>(rows[example].size()) <= places) continue;
    return dataErrorAt(given.file(), 0,
                       Phrase::tr("%1[%2] has %3 tokens, %4 has places for %5")(
                           member, example, rows[example].size(), array, places));
  }
  return {};
}

}  // namespace

Result<GivenTokens> GivenTokens::read(const std::string& file) {
  FATHOM_TRY(const Json json, readJsonFile(file));
  GivenTokens given;
  given.m_file = file;
  if (json.is_array()) {
    FATHOM_CHECK(takeTexts(json, file, "tokens", given.m_plain));
    return given;
  }
  bool some = false;
  for (const bool decoder : {false, true}) {
    const std::string begin = decoder ? "decoder_" : "";
    StackTokens& into = decoder ? given.m_decoder : given.m_plain;
    if (const std::string member = begin + "tokens"; json.is_object() && json.contains(member)) {
      some = true;
      FATHOM_CHECK(takeTexts(json.at(member), file, member, into));
    }
    if (const std::string member = begin + "attention_mask"; json.is_object() && json.contains(member)) {
      some = true;
      FATHOM_CHECK(takeMask(json.at(member), file, member, into));
    }
  }
  if (!some)
    return dataErrorAt(file, 0,
                       Phrase::tr("it has none of the members tokens, attention_mask, decoder_tokens and "
                                  "decoder_attention_mask"));
  return given;
}

const StackTokens& GivenTokens::of(const std::string& stack, bool beside) const {
  const bool own = !m_decoder.texts.empty() || !m_decoder.real.empty();
  return stack == "decoder" && (beside || own) ? m_decoder : m_plain;
}

Result<std::vector<std::vector<char>>> realPlaces(const GivenTokens& given, const StackTokens& tokens,
                                                  std::int64_t examples, std::int64_t places,
                                                  const std::string& array) {
  const auto width = static_cast<std::size_t>(places);
  std::vector<std::vector<char>> real(static_cast<std::size_t>(examples), std::vector<char>(width, 1));
  if (!tokens.texts.empty())
    FATHOM_CHECK(checkFit(given, tokens.textsName, tokens.texts, examples, places, array));
  if (!tokens.real.empty())
    FATHOM_CHECK(checkFit(given, tokens.realName, tokens.real, examples, places, array));
  for (std::size_t example = 0; example < real.size(); ++example) {
    for (std::size_t place = 0; place < width; ++place) {
      const bool text = tokens.texts.empty() ||
                        (place < tokens.texts[example].size() && !tokens.texts[example][place].empty());
      const bool shown = tokens.real.empty()
                             ? text
                             : place < tokens.real[example].size() && tokens.real[example][place] != 0;
      if (shown && place >= (tokens.texts.empty() ? width : tokens.texts[example].size()))
        return dataErrorAt(given.file(), 0,
                           Phrase::tr("%1[%2, %3] says that there is a token, %4[%2] has none there")(
                               tokens.realName, example, place, tokens.textsName));
      real[example][place] = shown ? 1 : 0;
    }
  }
  return real;
}

std::vector<std::string> tokenTexts(const StackTokens& tokens, const std::vector<char>& real,
                                    std::int64_t example) {
  std::vector<std::string> texts;
  for (std::size_t place = 0; place < real.size(); ++place) {
    if (real[place] == 0) continue;
    texts.push_back(tokens.texts.empty() ? std::to_string(place + 1)
                                         : tokens.texts[static_cast<std::size_t>(example)][place]);
  }
  return texts;
}

}  // namespace fathom
