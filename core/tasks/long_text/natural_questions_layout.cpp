// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/long_text/natural_questions_layout.h"

#include <algorithm>

#include "core/tasks/long_text/record_fields.h"

namespace fathom {

bool isHtmlTag(const std::string& word) {
  return word.size() > 2 && word.front() == '<' && word.back() == '>';
}

namespace {

Result<WordRange> rangeOf(const RecordFields& fields, const char* name, const Json& json, std::size_t words) {
  if (!json.is_object() || !json.value("start_token", Json()).is_number_integer() ||
      !json.value("end_token", Json()).is_number_integer())
    return fields.wrong(name, Phrase::tr("has no start_token and end_token"));
  const WordRange range{json.at("start_token").get<std::int64_t>(), json.at("end_token").get<std::int64_t>()};
  const bool none = range.first < 0 && range.second < 0;
  if (!none &&
      (range.first < 0 || range.second <= range.first || range.second > static_cast<std::int64_t>(words)))
    return fields.wrong(name, Phrase::tr("the words %1 to %2 are not in a page of %3")(
                                  range.first, range.second, static_cast<std::int64_t>(words)));
  return range;
}

Result<NqAnnotation> annotationOf(const RecordFields& fields, const Json& json, std::size_t words) {
  const char* name = "annotations";
  if (!json.is_object() || !json.contains("long_answer") || !json.value("short_answers", Json()).is_array())
    return fields.wrong(name, Phrase::tr("has no long_answer and short_answers"));
  NqAnnotation annotation;
  FATHOM_TRY(const WordRange whole, rangeOf(fields, name, json.at("long_answer"), words));
  if (whole.first >= 0) annotation.longAnswer = whole;
  for (const Json& one : json.at("short_answers")) {
    FATHOM_TRY(const WordRange part, rangeOf(fields, name, one, words));
    if (part.first >= 0) annotation.shortAnswers.push_back(part);
  }
  const Json answer = json.value("yes_no_answer", Json("NONE"));
  annotation.yesNo = answer.is_string() ? answer.get<std::string>() : "";
  if (annotation.yesNo != "YES" && annotation.yesNo != "NO" && annotation.yesNo != "NONE")
    return fields.wrong(name, Phrase::tr("yes_no_answer is none of YES, NO, NONE"));
  return annotation;
}

Result<std::vector<std::string>> wordsOf(const RecordFields& fields, const Json& json) {
  std::vector<std::string> words;
  if (fields.has("document_tokens")) {
    FATHOM_TRY(const Json tokens, fields.list("document_tokens"));
    for (const Json& one : tokens) {
      if (!one.is_object() || !one.value("token", Json()).is_string())
        return fields.wrong("document_tokens", Phrase::tr("has an entry without a token"));
      words.push_back(one.at("token").get<std::string>());
    }
    return words;
  }
  FATHOM_TRY(const std::string text, fields.text("document_text"));
  for (std::size_t begin = 0; begin <= text.size();) {  // single blanks
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

}  // namespace

Result<NqRecord> nqRecord(const Json& json, const std::string& place, bool answered) {
  const RecordFields fields(json, place);
  NqRecord record;
  if (!fields.has("example_id")) return fields.wrong("example_id", Phrase::tr("is missing"));
  const Json& id = json.at("example_id");
  record.id = id.is_string() ? id.get<std::string>() : id.dump();
  FATHOM_TRY(record.question, fields.text("question_text"));
  FATHOM_TRY(record.words, wordsOf(fields, json));
  FATHOM_TRY(const Json candidates, fields.list("long_answer_candidates"));
  for (const Json& one : candidates) {
    FATHOM_TRY(const WordRange range, rangeOf(fields, "long_answer_candidates", one, record.words.size()));
    if (range.first < 0 || !one.value("top_level", true)) continue;
    record.candidates.push_back(range);
  }
  if (!answered) return record;
  FATHOM_TRY(const Json annotations, fields.list("annotations"));
  for (const Json& one : annotations) {
    FATHOM_TRY(auto annotation, annotationOf(fields, one, record.words.size()));
    record.annotations.push_back(std::move(annotation));
  }
  if (record.annotations.empty()) return fields.wrong("annotations", Phrase::tr("there is none"));
  return record;
}

namespace {

// A page's pieces and where they come from.
struct PagePieces {
  std::vector<std::int64_t> ids;
  std::vector<std::int32_t> words, candidates;

  PagePieces(const NqRecord& record, const LongPieces& pieces) {
    std::size_t candidate = 0;
    for (std::size_t w = 0; w < record.words.size(); ++w) {
      const auto place = static_cast<std::int64_t>(w);
      while (candidate < record.candidates.size() && record.candidates[candidate].second <= place)
        ++candidate;
      if (isHtmlTag(record.words[w])) continue;
      const bool inside = candidate < record.candidates.size() && record.candidates[candidate].first <= place;
      for (const std::int64_t id : pieces.encode(record.words[w])) {
        ids.push_back(id);
        words.push_back(static_cast<std::int32_t>(w));
        candidates.push_back(inside ? static_cast<std::int32_t>(candidate) : -1);
      }
    }
  }
};

// Lays the pieces [start, start + room) behind the question.
NqWindow layWindow(const PagePieces& page, const std::vector<std::int64_t>& question, std::int64_t start,
                   std::int64_t room, const LongPieces& pieces, const NqLimits& limits) {
  NqWindow window;
  window.start = start;
  LongLayout& layout = window.layout;
  const auto global = [&](std::int64_t id, GlobalKind kind, std::int32_t candidate) {
    window.globalCandidate.push_back(candidate);
    return layout.addGlobal(id, LongTypes::kGlobal, kind);
  };
  const auto add = [&](std::int64_t id, std::int32_t place, std::int32_t word, std::int32_t candidate) {
    layout.addLong(id, LongTypes::kText, place, -1, word);
    window.candidate.push_back(candidate);
  };
  add(pieces.cls, global(pieces.cls, GlobalKind::Cls, -1), -1, -1);
  for (const std::int64_t id : question) add(id, global(pieces.question, GlobalKind::Question, -1), -1, -1);
  std::int32_t place = global(pieces.question, GlobalKind::Question, -1), current = -1;
  add(pieces.sep, place, -1, -1);
  const auto next = [&](std::int64_t id, std::int32_t word, std::int32_t candidate) {
    if (candidate != current && layout.globals() < limits.globalLength)
      place = global(candidate >= 0 ? pieces.sentence : pieces.outside, GlobalKind::Sentence, candidate);
    current = candidate;
    add(id, place, word, candidate);
  };
  const std::int64_t end = std::min(start + room, static_cast<std::int64_t>(page.ids.size()));
  for (std::int64_t i = start; i < end; ++i) {
    const auto at = static_cast<std::size_t>(i);
    next(page.ids[at], page.words[at], page.candidates[at]);
  }
  window.pieces = end - start;
  next(pieces.sep, -1, -1);
  layout.endContext();
  return window;
}

// First piece of a word, last piece of a word among long tokens; 0: not in the window.
std::int64_t firstOf(const LongLayout& layout, std::int64_t word) {
  const auto found = std::find(layout.word.begin(), layout.word.end(), static_cast<std::int32_t>(word));
  return found == layout.word.end() ? 0 : found - layout.word.begin();
}
std::int64_t lastOf(const LongLayout& layout, std::int64_t word) {
  const auto found = std::find(layout.word.rbegin(), layout.word.rend(), static_cast<std::int32_t>(word));
  return found == layout.word.rend() ? 0 : layout.word.rend() - found - 1;
}

// A long answer begins and ends at its first and last word that is no tag.
WordRange withoutTags(const NqRecord& record, WordRange range) {
  while (range.first < range.second && isHtmlTag(record.words[static_cast<std::size_t>(range.first)]))
    ++range.first;
  while (range.second > range.first && isHtmlTag(record.words[static_cast<std::size_t>(range.second - 1)]))
    --range.second;
  return range;
}

void setTargets(const NqRecord& record, NqWindow& window) {
  if (record.annotations.empty()) return;
  const NqAnnotation& answer = record.annotations.front();
  const LongLayout& layout = window.layout;
  if (answer.longAnswer) {
    const WordRange range = withoutTags(record, *answer.longAnswer);
    if (range.first < range.second) {
      window.longStart = firstOf(layout, range.first);
      window.longEnd = lastOf(layout, range.second - 1);
    }
  }
  if (!answer.shortAnswers.empty()) {
    window.shortStart = firstOf(layout, answer.shortAnswers.front().first);
    window.shortEnd = lastOf(layout, answer.shortAnswers.front().second - 1);
  }
  if (answer.yesNo != "NONE") {
    window.type = answer.yesNo == "YES" ? NqAnswer::Yes : NqAnswer::No;
  } else if (!answer.shortAnswers.empty()) {
    const bool outside = window.shortStart == 0 && window.shortEnd == 0;
    window.type = outside ? NqAnswer::Null : NqAnswer::Short;
  } else if (answer.longAnswer) {
    const bool outside = window.longStart == 0 && window.longEnd == 0;
    window.type = outside ? NqAnswer::Null : NqAnswer::Long;
  }
}

}  // namespace

std::vector<NqWindow> layNaturalQuestions(const NqRecord& record, const LongPieces& pieces,
                                          const NqLimits& limits) {
  std::vector<std::int64_t> question = pieces.encode(record.question);
  const auto most = static_cast<std::size_t>(std::min(limits.questionLength, limits.globalLength - 3));
  if (question.size() > most) question.resize(most);
  const PagePieces page(record, pieces);
  const std::int64_t room =
      std::max<std::int64_t>(1, limits.longLength - static_cast<std::int64_t>(question.size()) - 3);
  const auto count = static_cast<std::int64_t>(page.ids.size());
  std::vector<NqWindow> windows;
  for (std::int64_t start = 0; start < std::max<std::int64_t>(count - room, 0) + limits.stride;
       start += limits.stride) {
    windows.push_back(layWindow(page, question, std::min(start, count), room, pieces, limits));
    setTargets(record, windows.back());
  }
  return windows;
}

}  // namespace fathom
