// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/natural_questions/natural_questions_layout.h"

#include <algorithm>

#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/base/json/json_members.h"
#include "core/base/text/text_list.h"
#include "core/tasks/long_text/record_fields.h"

namespace fathom {

Result<std::vector<std::string>> nqFiles(const std::string& path) {
  if (!folderExists(path)) return std::vector<std::string>{path};
  std::vector<std::string> files;
  FATHOM_TRY(const auto entries, entriesIn(path));
  for (const auto& entry : entries) {
    const std::string file = entry.path().string();
    if (file.ends_with(".jsonl") || file.ends_with(".jsonl.gz")) files.push_back(file);
  }
  if (files.empty())
    return dataErrorAt(path, 0, Phrase::tr("there is no *.jsonl or *.jsonl.gz in the folder"));
  std::sort(files.begin(), files.end());
  return files;
}

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
  for (const std::string_view word : splitAt(text, ' ')) words.emplace_back(word);
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
    if (range.first < 0 || !memberFlag(one, "top_level", true)) continue;
    record.candidates.push_back(range);
  }
  // As released they stand in order and apart; of two that meet the one that begins first stays.
  std::stable_sort(record.candidates.begin(), record.candidates.end());
  std::int64_t behind = 0;
  std::erase_if(record.candidates, [&](const WordRange& one) {
    if (one.first < behind) return true;
    behind = one.second;
    return false;
  });
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

// The candidate that a word is in, -1 outside of them.
std::int32_t candidateOf(const NqPage& page, std::int32_t word) {
  const auto behind = std::upper_bound(page.candidates.begin(), page.candidates.end(), word,
                                       [](std::int32_t w, const WordRange& one) { return w < one.second; });
  if (behind == page.candidates.end() || behind->first > word) return -1;
  return static_cast<std::int32_t>(behind - page.candidates.begin());
}

// A window of a page: pieces [start, end), behind `offset` tokens.
struct NqPlace {
  std::int64_t start, end, offset;
};
NqPlace placeOf(const NqPage& page, std::int64_t window, const NqLimits& limits) {
  const auto question = static_cast<std::int64_t>(page.question.size());
  const auto count = static_cast<std::int64_t>(page.ids.size());
  const std::int64_t room = std::max<std::int64_t>(1, limits.longLength - question - 3);
  const std::int64_t start = std::min(window * limits.stride, count);
  return {start, std::min(start + room, count), question + 2};
}

// First, last piece of a word among the long tokens of a window; 0: not in it.
std::int64_t firstOf(const NqPage& page, const NqPlace& place, std::int64_t word) {
  const auto begin = page.words.begin() + place.start, end = page.words.begin() + place.end;
  const auto found = std::lower_bound(begin, end, static_cast<std::int32_t>(word));
  return found == end || *found != word ? 0 : place.offset + (found - begin);
}
std::int64_t lastOf(const NqPage& page, const NqPlace& place, std::int64_t word) {
  const auto begin = page.words.begin() + place.start, end = page.words.begin() + place.end;
  const auto behind = std::upper_bound(begin, end, static_cast<std::int32_t>(word));
  return behind == begin || *(behind - 1) != word ? 0 : place.offset + (behind - begin) - 1;
}

// First and last word of a long answer that is no tag; -1 where all are.
WordRange withoutTags(const NqRecord& record, WordRange range) {
  while (range.first < range.second && isHtmlTag(record.words[static_cast<std::size_t>(range.first)]))
    ++range.first;
  while (range.second > range.first && isHtmlTag(record.words[static_cast<std::size_t>(range.second - 1)]))
    --range.second;
  return range.first < range.second ? WordRange{range.first, range.second - 1} : WordRange{-1, -1};
}

void setAnswers(const NqRecord& record, NqPage& page) {
  if (record.annotations.empty()) return;
  const NqAnnotation& answer = record.annotations.front();
  if (answer.longAnswer) page.longAnswer = withoutTags(record, *answer.longAnswer);
  if (!answer.shortAnswers.empty())
    page.shortAnswer = {answer.shortAnswers.front().first, answer.shortAnswers.front().second - 1};
  if (answer.yesNo != "NONE")
    page.type = answer.yesNo == "YES" ? NqAnswer::Yes : NqAnswer::No;
  else if (!answer.shortAnswers.empty())
    page.type = NqAnswer::Short;
  else if (answer.longAnswer)
    page.type = NqAnswer::Long;
}

}  // namespace

NqPage nqPage(const NqRecord& record, const LongPieces& pieces, const NqLimits& limits) {
  NqPage page;
  const std::vector<std::int64_t> question = pieces.encode(record.question);
  page.question.assign(question.begin(), question.end());
  const auto most = static_cast<std::size_t>(
      std::max<std::int64_t>(0, std::min(limits.questionLength, limits.globalLength - 3)));
  page.cutQuestion = page.question.size() > most;
  if (page.cutQuestion) page.question.resize(most);
  for (std::size_t w = 0; w < record.words.size(); ++w) {
    if (isHtmlTag(record.words[w])) continue;
    for (const std::int64_t id : pieces.encode(record.words[w])) {
      page.ids.push_back(static_cast<std::int32_t>(id));
      page.words.push_back(static_cast<std::int32_t>(w));
    }
  }
  page.candidates = record.candidates;
  setAnswers(record, page);
  return page;
}

std::int64_t nqWindowCount(const NqPage& page, const NqLimits& limits) {
  const auto count = static_cast<std::int64_t>(page.ids.size());
  const NqPlace first = placeOf(page, 0, limits);
  const std::int64_t room = std::max<std::int64_t>(1, limits.longLength - first.offset - 1);
  const std::int64_t behind = std::max<std::int64_t>(count - room, 0) + limits.stride;
  return (behind + limits.stride - 1) / limits.stride;
}

std::int64_t nqWindowLength(const NqPage& page, std::int64_t window, const NqLimits& limits) {
  const NqPlace place = placeOf(page, window, limits);
  return place.offset + place.end - place.start + 1;
}

std::int64_t nqGlobals(const NqPage& page, std::int64_t window, const NqLimits& limits) {
  const NqPlace place = placeOf(page, window, limits);
  std::int64_t count = static_cast<std::int64_t>(page.question.size()) + 2;
  std::int32_t current = -1;
  for (std::int64_t i = place.start; i < place.end; ++i) {
    const std::int32_t candidate = candidateOf(page, page.words[static_cast<std::size_t>(i)]);
    count += candidate != current;
    current = candidate;
  }
  return count + (current != -1 ? 1 : 0);  // the [SEP] at the end
}

NqTargets nqTargets(const NqPage& page, std::int64_t window, const NqLimits& limits) {
  const NqPlace place = placeOf(page, window, limits);
  NqTargets targets;
  if (page.longAnswer.first >= 0) {
    targets.longStart = firstOf(page, place, page.longAnswer.first);
    targets.longEnd = lastOf(page, place, page.longAnswer.second);
  }
  if (page.shortAnswer.first >= 0) {
    targets.shortStart = firstOf(page, place, page.shortAnswer.first);
    targets.shortEnd = lastOf(page, place, page.shortAnswer.second);
  }
  targets.type = page.type;
  if (page.type == NqAnswer::Short && targets.shortStart == 0 && targets.shortEnd == 0)
    targets.type = NqAnswer::Null;
  if (page.type == NqAnswer::Long && targets.longStart == 0 && targets.longEnd == 0)
    targets.type = NqAnswer::Null;
  return targets;
}

NqWindow layNqWindow(const NqPage& page, std::int64_t index, const LongPieces& pieces,
                     const NqLimits& limits) {
  const NqPlace part = placeOf(page, index, limits);
  NqWindow window;
  static_cast<NqTargets&>(window) = nqTargets(page, index, limits);
  window.start = part.start;
  window.pieces = part.end - part.start;
  LongLayout& layout = window.layout;
  const auto global = [&](std::int64_t id, GlobalKind kind) {
    return layout.addGlobal(id, LongTypes::kGlobal, kind);
  };
  const auto add = [&](std::int64_t id, std::int32_t place, std::int32_t word = -1) {
    layout.addLong(id, LongTypes::kText, place, -1, word);
  };
  add(pieces.cls, global(pieces.cls, GlobalKind::Cls));
  for (const std::int32_t id : page.question) add(id, global(pieces.question, GlobalKind::Question));
  std::int32_t place = global(pieces.question, GlobalKind::Question), current = -1;
  add(pieces.sep, place);
  const auto next = [&](std::int64_t id, std::int32_t word, std::int32_t candidate) {
    if (candidate != current && layout.globals() < limits.globalLength)
      place = global(candidate >= 0 ? pieces.sentence : pieces.outside, GlobalKind::Sentence);
    current = candidate;
    add(id, place, word);
  };
  for (std::int64_t i = part.start; i < part.end; ++i) {
    const auto at = static_cast<std::size_t>(i);
    next(page.ids[at], page.words[at], candidateOf(page, page.words[at]));
  }
  next(pieces.sep, -1, -1);
  layout.endContext();
  return window;
}

}  // namespace fathom
