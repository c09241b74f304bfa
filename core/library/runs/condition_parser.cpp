// SPDX-License-Identifier: Apache-2.0
#include "core/library/runs/condition_parser.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <iterator>
#include <utility>

#include "core/base/text/edit_distance.h"
#include "core/base/text/number_text.h"
#include "core/base/text/utf8.h"

namespace fathom {

namespace {

constexpr int kDeepest = 200;  // parentheses and "not" inside each other
constexpr std::size_t kMostNodes = 2000;

struct FieldWord {
  const char* word;
  RunField field;
};
// A field may have several; the first is the one that is offered.
constexpr FieldWord kFieldWords[] = {
    {"name", RunField::Name},         {"state", RunField::State},     {"cause", RunField::Cause},
    {"preset", RunField::Preset},     {"tags", RunField::Tags},       {"tag", RunField::Tags},
    {"notes", RunField::Notes},       {"note", RunField::Notes},      {"starred", RunField::Starred},
    {"star", RunField::Starred},      {"updates", RunField::Updates}, {"total_updates", RunField::Total},
    {"time", RunField::Time},         {"started", RunField::Started}, {"created", RunField::Started},
    {"attempts", RunField::Attempts}, {"source", RunField::Source},   {"place", RunField::Place},
};

constexpr RunState kStates[] = {RunState::Queued,   RunState::Running, RunState::Finished, RunState::Stopped,
                                RunState::Diverged, RunState::Failed,  RunState::Crashed,  RunState::Killed,
                                RunState::Lost,     RunState::Ended};

bool isBlank(char letter) {
  return letter == ' ' || letter == '\t' || letter == '\n' || letter == '\r';
}

bool isSignLetter(char letter) {
  return std::string_view("<>=!~(),&|\"'`").find(letter) != std::string_view::npos;
}

std::string_view signAt(std::string_view text) {
  for (const std::string_view sign : {"<=", ">=", "==", "!=", "!~", "<>", "&&", "||"})
    if (text.starts_with(sign)) return text.substr(0, 2);
  return text.substr(0, 1);
}

// "2h" for a time, "10k" for any number.
std::optional<double> numberOf(std::string_view text, bool time) {
  if (text.starts_with('+')) text.remove_prefix(1);
  if (const auto plain = numberFrom<double>(text)) return plain;
  struct Unit {
    std::string_view letters;
    double factor;
    bool ofTime;
  };
  constexpr Unit kUnits[] = {{"min", 60, true},  {"s", 1, true},    {"m", 60, true},  {"h", 3600, true},
                             {"d", 86400, true}, {"k", 1e3, false}, {"M", 1e6, false}};
  for (const Unit& unit : kUnits) {
    if (unit.ofTime != time || !text.ends_with(unit.letters)) continue;
    if (const auto number = numberFrom<double>(text.substr(0, text.size() - unit.letters.size())))
      return *number * unit.factor;
  }
  return std::nullopt;
}

// The first second of "2026", "2026-11", "2026-11-30" or "2026-11-30T14:05" here, and the first one after it.
std::optional<std::pair<double, double>> secondsOf(const std::string& text) {
  constexpr const char* kForms[] = {"%Y-%m-%dT%H:%M", "%Y-%m-%d", "%Y-%m", "%Y"};
  constexpr std::size_t kLetters[] = {16, 10, 7, 4};
  for (std::size_t i = 0; i < std::size(kForms); ++i) {
    if (text.size() != kLetters[i]) continue;
    std::tm parts{};
    parts.tm_mday = 1;
    const char* end = ::strptime(text.c_str(), kForms[i], &parts);
    if (end == nullptr || *end != '\0') return std::nullopt;
    std::tm next = parts;
    int* const counted[] = {&next.tm_min, &next.tm_mday, &next.tm_mon, &next.tm_year};
    ++*counted[i];
    parts.tm_isdst = next.tm_isdst = -1;
    return std::pair(static_cast<double>(std::mktime(&parts)), static_cast<double>(std::mktime(&next)));
  }
  return std::nullopt;
}

bool isKeyword(const ConditionToken& token) {
  if (token.kind != ConditionToken::Kind::Word) return false;
  const std::string word = smallLetters(token.text);
  return word == "and" || word == "or" || word == "not" || word == "in";
}

AskedName askedName(const std::string& text, bool quoted) {
  AskedName name;
  name.name = text;
  const std::string lower = smallLetters(text);
  for (const FieldWord& each : kFieldWords) {
    if (quoted || lower != each.word) continue;
    name.kind = AskedName::Kind::Field;
    name.field = each.field;
  }
  constexpr std::pair<std::string_view, AskedName::Kind> kPrefixes[] = {{"best.", AskedName::Kind::Best},
                                                                        {"last.", AskedName::Kind::Last},
                                                                        {"option.", AskedName::Kind::Option}};
  for (const auto& [prefix, kind] : kPrefixes) {
    if (name.kind != AskedName::Kind::Any || !lower.starts_with(prefix) || lower.size() == prefix.size())
      continue;
    name.kind = kind;
    name.name = text.substr(prefix.size());
  }
  name.lower = smallLetters(name.name);
  return name;
}

}  // namespace

std::vector<std::string> runFieldNames() {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < std::size(kFieldWords); ++i)
    if (i == 0 || kFieldWords[i].field != kFieldWords[i - 1].field) words.push_back(kFieldWords[i].word);
  return words;
}

Result<std::vector<ConditionToken>> conditionTokens(std::string_view text) {
  using Kind = ConditionToken::Kind;
  std::vector<ConditionToken> tokens;
  std::size_t at = 0, counted = 0;
  std::int64_t place = 1;  // of the character `counted`
  while (at < text.size()) {
    if (isBlank(text[at])) {
      ++at;
      continue;
    }
    place += countCodePoints(text.substr(counted, at - counted));
    counted = at;
    if (text[at] == '"' || text[at] == '\'' || text[at] == '`') {
      const std::size_t end = text.find(text[at], at + 1);
      if (end == std::string_view::npos)
        return usageError(Phrase::tr("the quotation mark at character %1 has no second one")(place));
      tokens.push_back({Kind::Quoted, std::string(text.substr(at + 1, end - at - 1)), place});
      at = end + 1;
      continue;
    }
    if (isSignLetter(text[at])) {
      const std::string_view sign = signAt(text.substr(at));
      tokens.push_back({Kind::Sign, std::string(sign), place});
      at += sign.size();
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && !isBlank(text[end]) && !isSignLetter(text[end])) ++end;
    tokens.push_back({Kind::Word, std::string(text.substr(at, end - at)), place});
    at = end;
  }
  tokens.push_back({Kind::End, {}, place + static_cast<std::int64_t>(countCodePoints(text.substr(counted)))});
  return tokens;
}

bool ConditionParser::takes(std::string_view sign) {
  const bool found = here().kind == ConditionToken::Kind::Sign && here().text == sign;
  if (found) ++m_at;
  return found;
}

bool ConditionParser::takesWord(std::string_view word) {
  const bool found = here().kind == ConditionToken::Kind::Word && smallLetters(here().text) == word;
  if (found) ++m_at;
  return found;
}

Error ConditionParser::expected(const Phrase& what) const {
  if (here().kind == ConditionToken::Kind::End)
    return usageError(Phrase::tr("at the end of the condition %1 is expected")(what));
  return usageError(Phrase::tr("at character %1 of the condition %2 is expected, not '%3'")(
      here().place, what, here().text));
}

// Conditions are looked at from their root down: each is a call within another.
Result<int> ConditionParser::add(Node node) {
  if (m_made.m_nodes.size() >= kMostNodes)
    return usageError(Phrase::tr("the condition has more than %1 parts")(kMostNodes));
  m_made.m_nodes.push_back(std::move(node));
  return static_cast<int>(m_made.m_nodes.size()) - 1;
}

Result<RunCondition> ConditionParser::condition() {
  takesWord("where");
  FATHOM_TRY(m_made.m_root, anyOf());
  if (here().kind != ConditionToken::Kind::End) return expected(Phrase::tr("“and”, “or” or the end"));
  return std::move(m_made);
}

Result<int> ConditionParser::anyOf() {
  FATHOM_TRY(int left, allOf());
  while (takesWord("or") || takes("||")) {
    FATHOM_TRY(const int right, allOf());
    FATHOM_TRY(left, add({Node::Kind::Or, left, right, -1, {}, {}}));
  }
  return left;
}

Result<int> ConditionParser::allOf() {
  FATHOM_TRY(int left, term());
  while (takesWord("and") || takes("&&")) {
    FATHOM_TRY(const int right, term());
    FATHOM_TRY(left, add({Node::Kind::And, left, right, -1, {}, {}}));
  }
  return left;
}

Result<int> ConditionParser::term() {
  if (m_depth >= kDeepest) return expected(Phrase::tr("less nesting"));
  ++m_depth;
  Result<int> made = -1;
  if (takesWord("not") || takes("!")) {
    made = term();
    if (made.ok()) made = add({Node::Kind::Not, *made, -1, -1, {}, {}});
  } else if (takes("(")) {
    made = anyOf();
    if (made.ok() && !takes(")")) made = expected(Phrase::tr("“and”, “or” or “)”"));
  } else {
    made = comparison();
  }
  --m_depth;
  return made;
}

std::optional<RunCondition::Operator> ConditionParser::sign() {
  constexpr std::pair<std::string_view, Operator> kSigns[] = {
      {"=", Operator::Equal},           {"==", Operator::Equal},       {"!=", Operator::Unequal},
      {"<>", Operator::Unequal},        {"<=", Operator::LessOrEqual}, {"<", Operator::Less},
      {">=", Operator::GreaterOrEqual}, {">", Operator::Greater},      {"~", Operator::Contains},
      {"!~", Operator::Lacks}};
  for (const auto& [text, how] : kSigns)
    if (takes(text)) return how;
  return std::nullopt;
}

Result<int> ConditionParser::name() {
  const bool quoted = here().kind == ConditionToken::Kind::Quoted;
  if ((!quoted && here().kind != ConditionToken::Kind::Word) || isKeyword(here()))
    return expected(Phrase::tr("a metric, an option or “name”, “state”, “tags”, …"));
  AskedName asked = askedName(here().text, quoted);
  asked.number = static_cast<int>(m_made.m_names.size());
  m_made.m_names.push_back(std::move(asked));
  ++m_at;
  return static_cast<int>(m_made.m_names.size()) - 1;
}

Result<int> ConditionParser::comparison() {
  if (here().kind == ConditionToken::Kind::Word && numberOf(here().text, false)) return turnedComparison();
  FATHOM_TRY(const int asked, name());
  const std::size_t before = m_at;
  const bool negated = takesWord("not");
  if (takesWord("in")) {
    FATHOM_TRY(const int list, oneOfList(asked));
    if (negated) return add({Node::Kind::Not, list, -1, -1, {}, {}});
    return list;
  }
  m_at = before;
  const auto how = sign();
  if (!how) return add({Node::Kind::Has, -1, -1, asked, {}, {}});
  FATHOM_TRY(RunCondition::Value compared, value(m_made.m_names[std::size_t(asked)], *how));
  return add({Node::Kind::Compare, -1, -1, asked, *how, {std::move(compared)}});
}

// "20 < valid.bleu", "20 < valid.bleu <= 30".
Result<int> ConditionParser::turnedComparison() {
  const std::size_t first = m_at++;
  const auto how = sign();
  if (!how) return expected(Phrase::tr("a comparison (=, !=, <, <=, >, >=)"));
  const Operator turned = *how == Operator::Less             ? Operator::Greater
                          : *how == Operator::LessOrEqual    ? Operator::GreaterOrEqual
                          : *how == Operator::Greater        ? Operator::Less
                          : *how == Operator::GreaterOrEqual ? Operator::LessOrEqual
                                                             : *how;
  FATHOM_TRY(const int asked, name());
  const std::size_t after = std::exchange(m_at, first);
  FATHOM_TRY(RunCondition::Value compared, value(m_made.m_names[std::size_t(asked)], turned));
  m_at = after;
  FATHOM_TRY(const int left, add({Node::Kind::Compare, -1, -1, asked, turned, {std::move(compared)}}));
  const auto second = sign();
  if (!second) return left;
  FATHOM_TRY(RunCondition::Value other, value(m_made.m_names[std::size_t(asked)], *second));
  FATHOM_TRY(const int right, add({Node::Kind::Compare, -1, -1, asked, *second, {std::move(other)}}));
  return add({Node::Kind::And, left, right, -1, {}, {}});
}

Result<int> ConditionParser::oneOfList(int asked) {
  if (!takes("(")) return expected(Phrase::tr("“(” with the values"));
  Node node{Node::Kind::Compare, -1, -1, asked, Operator::Equal, {}};
  do {
    FATHOM_TRY(RunCondition::Value each, value(m_made.m_names[std::size_t(asked)], Operator::Equal));
    node.values.push_back(std::move(each));
  } while (takes(","));
  if (!takes(")")) return expected(Phrase::tr("“,” or “)”"));
  return add(std::move(node));
}

Result<RunCondition::Value> ConditionParser::value(const AskedName& asked, Operator how) {
  const bool quoted = here().kind == ConditionToken::Kind::Quoted;
  if ((!quoted && here().kind != ConditionToken::Kind::Word) || isKeyword(here()))
    return expected(Phrase::tr("a number or a word"));
  const bool isField = asked.kind == AskedName::Kind::Field;
  const std::string text = here().text;
  RunCondition::Value made;
  made.text = smallLetters(text);
  if (!quoted) made.number = numberOf(text, isField && asked.field == RunField::Time);
  if (made.text == "true" || made.text == "yes") made.flag = true;
  if (made.text == "false" || made.text == "no") made.flag = false;
  const bool orders = how != Operator::Equal && how != Operator::Unequal && how != Operator::Contains &&
                      how != Operator::Lacks;
  if (isField && asked.field == RunField::Started) {
    const auto seconds = secondsOf(text);
    if (!seconds || how == Operator::Contains || how == Operator::Lacks)
      return expected(Phrase::tr("a date such as 2026-11-30"));
    made.number = seconds->first;
    made.until = seconds->second;
  } else if (orders && !made.number) {
    return expected(isField && asked.field == RunField::Time ? Phrase::tr("a time such as 90min or 2h")
                                                             : Phrase::tr("a number"));
  }
  const bool ofState = isField && asked.field == RunField::State;
  if (ofState && (how == Operator::Equal || how == Operator::Unequal) && !runStateFromName(made.text)) {
    std::string words;
    for (const RunState state : kStates)
      words += std::string(words.empty() ? "" : ", ") + runStateName(state);
    return expected(Phrase::tr("a state (%1)")(words));
  }
  ++m_at;
  return made;
}

Result<RunCondition> RunCondition::parse(std::string_view text) {
  if (!validUtf8(text)) return usageError(Phrase::tr("the condition is no text in UTF-8"));
  FATHOM_TRY(std::vector<ConditionToken> tokens, conditionTokens(text));
  return ConditionParser(std::move(tokens)).condition();
}

bool looksLikeCondition(std::string_view text) {
  if (!validUtf8(text)) return false;
  const auto tokens = conditionTokens(text);
  bool compares = false, joins = false, equals = false, beyond = false;
  std::string_view rest = strip(text);
  if (rest.size() > 6 && smallLetters(rest.substr(0, 6)) == "where ") return true;
  if (!tokens.ok()) return rest.find_first_of("<>~") != std::string_view::npos;
  for (const ConditionToken& token : *tokens) {
    const bool sign = token.kind == ConditionToken::Kind::Sign;
    compares = compares ||
               (sign && std::string_view("<>~").find(token.text.front()) != std::string_view::npos) ||
               (sign && token.text.size() == 2 && token.text != "&&" && token.text != "||");
    equals = equals || (sign && token.text == "=");
    joins = joins || isKeyword(token) || (sign && (token.text == "&&" || token.text == "||"));
    // "option = value" with blanks is a sentence, "option=value" a word.
    beyond = beyond || (sign && token.text == "(");
  }
  return compares || (equals && (joins || beyond || text.find(" = ") != std::string_view::npos));
}

}  // namespace fathom
