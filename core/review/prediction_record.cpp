// SPDX-License-Identifier: Apache-2.0
#include "core/review/prediction_record.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/text/number_text.h"
#include "core/base/text/shown_value.h"
#include "core/base/text/text_list.h"

namespace fathom {

namespace {

using Names = std::initializer_list<const char*>;
constexpr std::array kAnswerKeys = {"prediction", "predicted",       "pred",       "answer", "label",
                                    "text",       "prediction_text", "hypothesis", "output", "KeyPhrases"};
constexpr std::array kIndexKeys = {"example", "index", "idx"};
constexpr std::array kIdKeys = {"id", "id_string", "qid", "guid", "example_id", "url"};
constexpr std::array kScoreKeys = {"probabilities", "probs", "scores", "logits"};
constexpr std::array kFactKeys = {"facts", "sp", "supporting_facts"};
constexpr std::array kPhraseKeys = {"phrases"};
// SQuAD's null odds are the null answer's score less the best other one's; our own runs give both.
constexpr std::array kNullKeys = {"null_odds", "null_difference", "null_score", "no_answer_probability",
                                  "na_prob"};

template <typename Keys>
const Json* memberOf(const Json& object, const Keys& keys) {
  for (const char* key : keys)
    if (const auto found = object.find(key); found != object.end() && !found->is_null()) return &*found;
  return nullptr;
}

template <typename Keys>
bool isOneOf(std::string_view word, const Keys& keys) {
  return std::find(keys.begin(), keys.end(), word) != keys.end();
}

}  // namespace

void setAnswerText(ImportedPrediction& record, std::string text) {
  record.number = numberFrom<double>(text);
  record.text = std::move(text);
}

namespace {

// [0.1, 0.9] or {"no": 0.1, "yes": 0.9}
Status readScores(const Json& value, ImportedPrediction& record) {
  if (value.size() > kMostScores)
    return dataError(Phrase::tr("%1 scores are more than there can be labels")(value.size()));
  for (const auto& [name, score] : value.items()) {
    auto number = realFromJson(score);
    if (!number.ok()) return dataError(Phrase::tr("a score must be a number, not %1")(score.dump()));
    record.scores.push_back(*number);
    if (value.is_object()) record.names.push_back(name);
  }
  return {};
}

// ["a b", "c"] or [["a", "b"], ["c"]], as OpenKP has it. Whether it is such a list.
bool readPhrases(const Json& value, ImportedPrediction& record) {
  std::vector<std::string> phrases;
  for (const Json& one : value) {
    const bool words = one.is_array() &&
                       std::all_of(one.begin(), one.end(), [](const Json& word) { return word.is_string(); });
    if (words)
      phrases.push_back(joined(one, " ", [](const Json& word) { return word.get<std::string>(); }));
    else if (one.is_string() && !realFromJson(one).ok())
      phrases.push_back(one.get<std::string>());
    else
      return false;
  }
  if (phrases.empty()) record.text = "";
  record.phrases = std::move(phrases);
  return true;
}

}  // namespace

Status readSupportingFacts(const Json& value, ImportedPrediction& record) {
  const auto isFact = [](const Json& fact) {
    return fact.is_array() && fact.size() == 2 && fact[0].is_string() && fact[1].is_number_integer();
  };
  if (!value.is_array() || value.size() > kMostScores || !std::all_of(value.begin(), value.end(), isFact))
    return dataError(Phrase::tr("%1 is no list of [title, sentence]")(shownValue(value.dump())));
  for (const Json& fact : value)
    record.facts.emplace_back(fact[0].get<std::string>(), fact[1].get<std::int64_t>());
  return {};
}

namespace {}  // namespace

Status readPredictedAnswer(const Json& value, ImportedPrediction& record) {
  if (value.is_array() && readPhrases(value, record)) return {};
  if (value.is_string()) {
    setAnswerText(record, value.get<std::string>());
  } else if (value.is_number()) {
    record.number = value.get<double>();
    record.text = value.dump();
  } else if (value.is_array()) {
    return readScores(value, record);
  } else {
    return dataError(Phrase::tr("%1 is no answer")(shownValue(value.dump())),
                     Phrase::tr("a text, a number, a list of scores or of texts is one"));
  }
  return {};
}

namespace {

// {"start_token": 3, "end_token": 9} or [3, 9]
Result<PageWords> pageWords(const Json& value) {
  const Json first = value.is_object()   ? value.value("start_token", Json())
                     : value.size() == 2 ? value[0]
                                         : Json();
  const Json second = value.is_object()   ? value.value("end_token", Json())
                      : value.size() == 2 ? value[1]
                                          : Json();
  if (!first.is_number_integer() || !second.is_number_integer())
    return dataError(Phrase::tr("%1 are no words of a page")(shownValue(value.dump())),
                     Phrase::tr("start_token and end_token are expected"));
  return PageWords{first.get<std::int64_t>(), second.get<std::int64_t>()};
}

Status readPageScore(const Json* value, double& score) {
  if (value == nullptr) return {};
  const auto number = realFromJson(*value);
  if (!number.ok())
    return dataError(Phrase::tr("a score must be a number, not %1")(shownValue(value->dump())));
  score = *number;
  return {};
}

// The members of an answer as the benchmark's file calls them, or as a set of this program does.
struct PageKeys {
  std::array<const char*, 1> whole, parts, yesNo, wholeScore, partScore;
};
constexpr PageKeys kBenchmarkPage = {
    {"long_answer"}, {"short_answers"}, {"yes_no_answer"}, {"long_answer_score"}, {"short_answers_score"}};
constexpr PageKeys kOwnPage = {{"long"}, {"short"}, {"yes_no"}, {"long_score"}, {"short_score"}};

Status readPage(const Json& value, const PageKeys& keys, ImportedPrediction& record) {
  const Json* parts = memberOf(value, keys.parts);
  if (parts == nullptr || !parts->is_array()) return {};
  PageAnswer answer;
  if (const Json* whole = memberOf(value, keys.whole)) {
    FATHOM_TRY(answer.whole, pageWords(*whole));
  }
  for (const Json& part : *parts) {
    FATHOM_TRY(const PageWords words, pageWords(part));
    answer.parts.push_back(words);
  }
  if (const Json* word = memberOf(value, keys.yesNo)) {
    answer.yesNo = word->is_string() ? word->get<std::string>() : word->dump();
    if (answer.yesNo != "YES" && answer.yesNo != "NO" && answer.yesNo != "NONE")
      return dataError(Phrase::tr("yes_no_answer is %1, none of YES, NO, NONE")(shownValue(answer.yesNo)));
  }
  FATHOM_CHECK(readPageScore(memberOf(value, keys.wholeScore), answer.wholeScore));
  FATHOM_CHECK(readPageScore(memberOf(value, keys.partScore), answer.partScore));
  record.page = std::move(answer);
  return {};
}

Status readId(const Json& value, ImportedPrediction& record) {
  if (value.is_string()) {
    record.id = value.get<std::string>();
  } else if (value.is_number_integer()) {
    record.id = value.dump();
  } else {
    return dataError(Phrase::tr("%1 is no id of an example")(shownValue(value.dump())));
  }
  return {};
}

// Facts that an output says besides its answer, beside it or in "details".
Status readSaid(const Json& said, ImportedPrediction& record) {
  if (const Json* scores = memberOf(said, kScoreKeys);
      record.scores.empty() && scores != nullptr && (scores->is_array() || scores->is_object()))
    FATHOM_CHECK(readScores(*scores, record));
  if (const Json* odds = memberOf(said, kNullKeys);
      std::isnan(record.nullScore) && odds != nullptr && odds->is_number())
    record.nullScore = odds->get<double>();
  if (const Json* facts = memberOf(said, kFactKeys); record.facts.empty() && facts != nullptr)
    FATHOM_CHECK(readSupportingFacts(*facts, record));
  return {};
}

// In a line of a set of this program only "prediction" and "details" are the run's; the others are texts of
// the example, whatever their task calls them: "facts", "label", "answer".
Status readSetRecord(const Json& value, ImportedPrediction& record) {
  if (const Json* index = memberOf(value, kIndexKeys); index != nullptr && index->is_number_integer())
    record.index = index->get<std::int64_t>();
  const auto details = value.find("details");
  if (details != value.end() && details->is_object()) {
    FATHOM_CHECK(readSaid(*details, record));
    if (const Json* phrases = memberOf(*details, kPhraseKeys); phrases != nullptr && phrases->is_array())
      readPhrases(*phrases, record);
    FATHOM_CHECK(readPage(*details, kOwnPage, record));
  }
  const auto answer = value.find("prediction");
  if (answer == value.end()) return dataError(Phrase::tr("the record has no answer"));
  return readPredictedAnswer(*answer, record);
}

}  // namespace

Status readPredictionRecord(const Json& value, ImportedPrediction& record) {
  if (!value.is_object()) return readPredictedAnswer(value, record);
  if (const Json* index = memberOf(value, kIndexKeys)) {
    if (!index->is_number_integer() || index->get<std::int64_t>() < 0)
      return dataError(Phrase::tr("%1 is no index of an example")(shownValue(index->dump())));
    record.index = index->get<std::int64_t>();
  } else if (const Json* id = memberOf(value, kIdKeys)) {
    FATHOM_CHECK(readId(*id, record));
  }
  FATHOM_CHECK(readSaid(value, record));
  const auto details = value.find("details");
  if (details != value.end() && details->is_object()) {
    FATHOM_CHECK(readSaid(*details, record));
    if (const Json* phrases = memberOf(*details, kPhraseKeys); phrases != nullptr && phrases->is_array())
      readPhrases(*phrases, record);
  }
  FATHOM_CHECK(readPage(value, kBenchmarkPage, record));
  if (record.page) return {};
  if (const Json* answer = memberOf(value, kAnswerKeys)) return readPredictedAnswer(*answer, record);
  if (record.scores.empty())
    return dataError(Phrase::tr("the record has no answer"),
                     Phrase::tr("give it a member \"prediction\" or \"probabilities\""));
  return {};
}

Status readSetLine(const Json& value, const std::string& reference, ImportedPrediction& record) {
  FATHOM_CHECK(readSetRecord(value, record));
  if (const auto told = value.find(reference); told != value.end() && told->is_string())
    record.reference = told->get<std::string>();
  if (const Json* id = memberOf(value, kIdKeys)) FATHOM_CHECK(readId(*id, record));
  const auto row = value.find("row");
  if (row == value.end()) return {};
  if (!row->is_number_integer() || row->get<std::int64_t>() < 0)
    return dataError(Phrase::tr("%1 is no index of an example")(shownValue(row->dump())));
  record.row = row->get<std::int64_t>();
  return {};
}

bool isAnswerKey(std::string_view word) {
  return isOneOf(word, kAnswerKeys);
}

bool isExampleKey(std::string_view word) {
  return isOneOf(word, kIndexKeys) || isOneOf(word, kIdKeys);
}

bool answersAnExample(const Json& object) {
  return memberOf(object, kAnswerKeys) != nullptr &&
         (memberOf(object, kIndexKeys) != nullptr || memberOf(object, kIdKeys) != nullptr);
}

}  // namespace fathom
