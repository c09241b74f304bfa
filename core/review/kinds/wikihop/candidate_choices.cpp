// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/base/text/text_list.h"
#include "core/review/gold_layout.h"
#include "core/review/gold_options.h"
#include "core/tasks/long_text/record_file.h"
#include "core/tasks/wikihop/wikihop_layout.h"

namespace fathom {

namespace {

// WikiHop's records: candidates are the options, documents the context.
Result<ReviewGold> readCandidates(const std::string& path, bool skipBad) {
  ReviewGold gold;
  gold.texts = {{"documents", Phrase::tr("Documents")}, {"query", Phrase::tr("Query")}};
  std::size_t unanswered = 0;
  const auto take = [&](const Json& json, const std::string& place) -> Status {
    FATHOM_TRY(const WikiHopRecord record, wikiHopRecord(json, place, json.contains("answer")));
    ReviewExample example;
    example.id = record.id;
    example.texts = {joined(record.supports, "\n\n", [](const std::string& text) { return text; }),
                     record.query};
    example.options = record.candidates;
    example.scored = !record.answer.empty();
    unanswered += !example.scored;
    if (example.scored) {
      const auto at = std::find(record.candidates.begin(), record.candidates.end(), record.answer);
      example.label = static_cast<int>(at - record.candidates.begin());
      example.references = {record.answer};
    }
    gold.examples.push_back(std::move(example));
    return {};
  };
  FATHOM_TRY(const RecordFile read, readRecordFile({path, skipBad}, take));
  noteBadGold(gold, {static_cast<std::size_t>(read.left), Phrase::words(read.firstLeft)});
  if (unanswered == gold.examples.size())
    return dataErrorAt(path, 0, Phrase::tr("no question has an answer"),
                       Phrase::tr("the published test part has none: take the validation part"));
  if (unanswered > 0) gold.notes.push_back(Phrase::tr("%1 questions have no answer: not scored")(unanswered));
  return gold;
}

// True if the first record is one of WikiHop.
bool holdsCandidates(std::string_view head) {
  const auto member = [&](const char* name) { return head.find(name) != std::string_view::npos; };
  return member("\"candidates\"") && member("\"query\"") && !member("\"answers\"");
}

}  // namespace

GoldLayout candidateChoicesEntry() {
  return {.kind = "choice", .holds = holdsCandidates, .read = readCandidates};
}

}  // namespace fathom
