// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/wikihop/wikihop_layout.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>

#include "core/base/text/utf8.h"
#include "core/tasks/long_text/record_fields.h"
#include "core/tasks/long_text/simple_sentences.h"
#include "core/text/lower_case.h"

namespace fathom {

Result<WikiHopRecord> wikiHopRecord(const Json& json, const std::string& place, bool answered) {
  const RecordFields fields(json, place);
  WikiHopRecord record;
  FATHOM_TRY(record.id, fields.text("id"));
  FATHOM_TRY(record.query, fields.text("query"));
  FATHOM_TRY(record.supports, fields.texts("supports"));
  FATHOM_TRY(record.candidates, fields.texts("candidates"));
  if (record.candidates.empty()) return fields.wrong("candidates", Phrase::tr("there is none"));
  for (const std::string& one : record.candidates)
    if (strip(one).empty()) return fields.wrong("candidates", Phrase::tr("has one without text"));
  if (!answered) return record;
  FATHOM_TRY(record.answer, fields.text("answer"));
  if (std::find(record.candidates.begin(), record.candidates.end(), record.answer) == record.candidates.end())
    return fields.wrong("answer", Phrase::tr("'%1' is none of the candidates")(record.answer));
  return record;
}

namespace {

using Ids = std::vector<std::int64_t>;

// Documents as pieces of sentences; the last sentence of the document with most of them goes first.
struct Documents {
  std::vector<std::vector<Ids>> pieces;
  std::vector<std::int64_t> kept;
  std::int64_t sentences = 0, length = 0;

  // Documents by the sentences they have left, in the order in which they came to have so many.
  std::map<std::int64_t, std::deque<std::size_t>> left;

  // False when there is no sentence left to drop.
  bool drop() {
    const auto most = left.rbegin();
    if (most == left.rend() || most->first == 0) return false;
    const std::size_t document = most->second.front();
    most->second.pop_front();
    if (most->second.empty()) left.erase(std::prev(left.end()));
    --kept[document];
    --sentences;
    length -= static_cast<std::int64_t>(pieces[document][static_cast<std::size_t>(kept[document])].size());
    left[kept[document]].push_back(document);
    return true;
  }
};

// Every piece of a mention of the candidate among long tokens [begin, end) is linked to it.
void linkMentions(LongLayout& layout, std::size_t begin, std::size_t end, const Ids& candidate,
                  std::int32_t place) {
  if (candidate.empty()) return;
  for (std::size_t i = begin; i + candidate.size() <= end; ++i) {
    const bool same = std::equal(candidate.begin(), candidate.end(),
                                 layout.tokens.begin() + static_cast<std::ptrdiff_t>(i));
    if (!same) continue;
    std::fill_n(layout.link.begin() + static_cast<std::ptrdiff_t>(i), candidate.size(), place);
  }
}

// Ids of a record's parts and how much of them fits.
struct WikiHopPieces {
  std::vector<Ids> candidates;
  Ids query;
  Documents documents;

  std::int64_t fixedLength() const {
    auto length = static_cast<std::int64_t>(query.size());
    for (const Ids& one : candidates) length += static_cast<std::int64_t>(one.size());
    return length;
  }
  std::int64_t fixedGlobals() const {
    return static_cast<std::int64_t>(candidates.size() + query.size() + documents.kept.size());
  }
  bool fits(const WikiHopLimits& limits) const {
    return documents.sentences <= limits.maxSentences &&
           fixedLength() + documents.length <= limits.longLength &&
           fixedGlobals() + documents.sentences <= limits.globalLength;
  }
};

void layDocuments(const WikiHopRecord& record, const LongPieces& pieces, const WikiHopPieces& parts,
                  WikiHopExample& example) {
  LongLayout& layout = example.layout;
  std::vector<std::string> candidates;
  for (const std::string& one : record.candidates) candidates.push_back(toLowerCase(one));
  for (std::size_t d = 0; d < parts.documents.pieces.size(); ++d) {
    const std::int32_t document =
        layout.addGlobal(pieces.paragraph, LongTypes::kParagraphGlobal, GlobalKind::Paragraph);
    for (std::size_t s = 0; s < static_cast<std::size_t>(parts.documents.kept[d]); ++s) {
      const std::int32_t sentence =
          layout.addGlobal(pieces.sentence, LongTypes::kGlobal, GlobalKind::Sentence);
      const std::size_t begin = layout.tokens.size();
      for (const std::int64_t id : parts.documents.pieces[d][s])
        layout.addLong(id, LongTypes::kText, sentence, document);
      const std::string text = toLowerCase(example.sentences[d][s]);
      for (std::size_t c = 0; c < candidates.size(); ++c)
        if (text.find(candidates[c]) != std::string::npos)
          linkMentions(layout, begin, layout.tokens.size(), parts.candidates[c],
                       static_cast<std::int32_t>(c));
    }
    layout.endContext();
  }
}

}  // namespace

Result<WikiHopExample> layWikiHop(const WikiHopRecord& record, const LongPieces& pieces,
                                  const WikiHopLimits& limits) {
  WikiHopExample example;
  WikiHopPieces parts;
  for (const std::string& one : record.candidates) parts.candidates.push_back(pieces.encode(one));
  parts.query = pieces.encode(record.query);
  Documents& documents = parts.documents;
  for (const std::string& support : record.supports) {
    example.sentences.push_back(simpleSentences(support));
    documents.pieces.emplace_back();
    for (const std::string& sentence : example.sentences.back()) {
      documents.pieces.back().push_back(pieces.encode(sentence));
      documents.length += static_cast<std::int64_t>(documents.pieces.back().back().size());
    }
    documents.kept.push_back(static_cast<std::int64_t>(documents.pieces.back().size()));
    documents.sentences += documents.kept.back();
    documents.left[documents.kept.back()].push_back(documents.kept.size() - 1);
  }
  while (!parts.fits(limits)) {
    if (documents.drop()) continue;
    return dataError(
        Phrase::tr(
            "example '%1': candidates and query alone take %2 long and %3 global tokens, %4 and %5 fit")(
            record.id, parts.fixedLength(), parts.fixedGlobals(), limits.longLength, limits.globalLength),
        Phrase::tr("raise the lengths, or leave the example out"));
  }
  LongLayout& layout = example.layout;
  for (std::size_t c = 0; c < parts.candidates.size(); ++c) {
    const std::int32_t place =
        layout.addGlobal(pieces.candidate, LongTypes::kCandidateGlobal, GlobalKind::Candidate);
    const std::size_t begin = layout.tokens.size();
    for (const std::int64_t id : parts.candidates[c]) layout.addLong(id, LongTypes::kCandidate, place);
    std::fill(layout.link.begin() + static_cast<std::ptrdiff_t>(begin), layout.link.end(), place);
    layout.endContext();
    if (record.candidates[c] == record.answer && example.label < 0) example.label = place;
  }
  for (const std::int64_t id : parts.query) {
    const std::int32_t place =
        layout.addGlobal(pieces.question, LongTypes::kQuestionGlobal, GlobalKind::Question);
    layout.addLong(id, LongTypes::kQuestion, place);
  }
  layout.endContext();
  layDocuments(record, pieces, parts, example);
  example.kept = documents.kept;
  return example;
}

}  // namespace fathom
