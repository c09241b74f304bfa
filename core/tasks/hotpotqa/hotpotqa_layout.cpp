// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/hotpotqa/hotpotqa_layout.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/tasks/long_text/answer_pieces.h"
#include "core/tasks/long_text/record_fields.h"
#include "core/text/answers/answer_text.h"

namespace fathom {

namespace {

Result<HotpotRecord::Paragraph> paragraphOf(const RecordFields& fields, const Json& json) {
  if (!json.is_array() || json.size() != 2 || !json[0].is_string() || !json[1].is_array())
    return fields.wrong("context", Phrase::tr("is not a list of [title, [sentence, …]]"));
  HotpotRecord::Paragraph paragraph{json[0].get<std::string>(), {}};
  for (const Json& sentence : json[1]) {
    if (!sentence.is_string()) return fields.wrong("context", Phrase::tr("has a sentence that is no text"));
    paragraph.sentences.push_back(sentence.get<std::string>());
  }
  return paragraph;
}

Result<std::vector<SupportingFact>> factsOf(const RecordFields& fields) {
  FATHOM_TRY(const Json list, fields.list("supporting_facts"));
  std::vector<SupportingFact> facts;
  for (const Json& one : list) {
    if (!one.is_array() || one.size() != 2 || !one[0].is_string() || !one[1].is_number_integer())
      return fields.wrong("supporting_facts", Phrase::tr("is not a list of [title, sentence]"));
    facts.push_back({one[0].get<std::string>(), one[1].get<std::int64_t>()});
  }
  return facts;
}

}  // namespace

Result<HotpotRecord> hotpotRecord(const Json& json, const std::string& place, bool answered) {
  const RecordFields fields(json, place);
  HotpotRecord record;
  FATHOM_TRY(record.id, fields.text("_id"));
  FATHOM_TRY(record.question, fields.text("question"));
  FATHOM_TRY(const Json context, fields.list("context"));
  for (const Json& one : context) {
    FATHOM_TRY(auto paragraph, paragraphOf(fields, one));
    record.paragraphs.push_back(std::move(paragraph));
  }
  if (record.paragraphs.empty()) return fields.wrong("context", Phrase::tr("there is no paragraph"));
  if (!answered) return record;
  FATHOM_TRY(record.answer, fields.text("answer"));
  FATHOM_TRY(record.facts, factsOf(fields));
  return record;
}

namespace {

struct LaidWord {
  std::int64_t first = 0, last = 0;  // long tokens
};

// Lays one record.
class HotpotLayer {
 public:
  HotpotLayer(const HotpotRecord& record, const LongPieces& pieces, const HotpotLimits& limits)
      : m_record(record), m_pieces(pieces), m_limits(limits) {}

  Result<HotpotExample> lay() {
    LongLayout& layout = m_example.layout;
    addGlobal(m_pieces.cls, GlobalKind::Cls, -1, -1, false);
    layout.addLong(m_pieces.cls, LongTypes::kText, -1);
    layout.endContext();
    const auto question = m_pieces.encode(m_record.question);
    const auto count = static_cast<std::int64_t>(question.size());
    if (1 + count > m_limits.longLength || 1 + count > m_limits.globalLength)
      return dataError(
          Phrase::tr("example '%1': the question has %2 pieces, %3 long and %4 global tokens fit")(
              m_record.id, count, m_limits.longLength, m_limits.globalLength),
          Phrase::tr("raise the lengths, or leave the example out"));
    for (const std::int64_t id : question)
      layout.addLong(id, LongTypes::kQuestion,
                     addGlobal(m_pieces.question, GlobalKind::Question, -1, -1, false));
    layout.endContext();
    for (std::size_t p = 0; p < m_record.paragraphs.size(); ++p) layParagraph(static_cast<std::int32_t>(p));
    settle();
    return std::move(m_example);
  }

 private:
  std::int32_t addGlobal(std::int64_t id, GlobalKind kind, std::int32_t paragraph, std::int32_t sentence,
                         bool supporting) {
    m_example.globalParagraph.push_back(paragraph);
    m_example.globalSentence.push_back(sentence);
    m_example.supporting.push_back(supporting);
    return m_example.layout.addGlobal(id, LongTypes::kGlobal, kind);
  }

  bool isFact(const std::string& title, std::int64_t sentence) const {
    return std::any_of(m_record.facts.begin(), m_record.facts.end(), [&](const SupportingFact& fact) {
      return fact.title == title && (sentence < 0 || fact.sentence == sentence);
    });
  }

  void layParagraph(std::int32_t number) {
    const auto& paragraph = m_record.paragraphs[static_cast<std::size_t>(number)];
    m_paragraphPlace = -1;
    layText(number, -1, paragraph.title, isFact(paragraph.title, -1));
    for (std::size_t s = 0; s < paragraph.sentences.size(); ++s) {
      const auto sentence = static_cast<std::int32_t>(s);
      layText(number, sentence, paragraph.sentences[s], isFact(paragraph.title, sentence));
    }
    if (m_paragraphPlace >= 0) m_example.layout.endContext();
  }

  // A title (sentence -1) or a sentence; the token of the paragraph stands before the first that fits.
  void layText(std::int32_t paragraph, std::int32_t sentence, const std::string& text, bool fact) {
    const std::vector<std::string> words = readingWords(text);
    std::vector<std::vector<std::int64_t>> ids;
    std::int64_t count = 0;
    for (const std::string& word : words) {
      ids.push_back(m_pieces.encode(word));
      count += static_cast<std::int64_t>(ids.back().size());
    }
    LongLayout& layout = m_example.layout;
    const std::int64_t globals = m_paragraphPlace < 0 ? 2 : 1;
    if (layout.length() + count > m_limits.longLength || layout.globals() + globals > m_limits.globalLength) {
      m_example.skipped.push_back({paragraph, sentence});
      return;
    }
    const std::string& title = m_record.paragraphs[static_cast<std::size_t>(paragraph)].title;
    if (m_paragraphPlace < 0)
      m_paragraphPlace =
          addGlobal(m_pieces.paragraph, GlobalKind::Paragraph, paragraph, -1, isFact(title, -1));
    const std::int32_t place = addGlobal(m_pieces.sentence, GlobalKind::Sentence, paragraph, sentence, fact);
    std::vector<LaidWord> laid;
    for (std::size_t w = 0; w < words.size(); ++w) {
      const std::int64_t first = layout.length();
      for (const std::int64_t id : ids[w])
        layout.addLong(id, sentence < 0 ? LongTypes::kTitle : LongTypes::kText, place, m_paragraphPlace,
                       static_cast<std::int32_t>(w));
      laid.push_back({first, layout.length() - 1});
    }
    if (fact) findAnswer(text, laid);
  }

  // Every place of the answer in a text, as whole words, then as few pieces as spell it.
  void findAnswer(const std::string& text, const std::vector<LaidWord>& laid) {
    if (m_record.answer.empty()) return;
    const std::vector<std::size_t> wordOf = wordOfByte(text);
    const LongLayout& layout = m_example.layout;
    for (std::size_t at = text.find(m_record.answer); at != std::string::npos;
         at = text.find(m_record.answer, at + 1)) {
      const std::size_t first = wordOf[at], last = wordOf[at + m_record.answer.size() - 1];
      if (first == std::string::npos || last == std::string::npos) continue;
      std::pair<std::int64_t, std::int64_t> span{laid[first].first, laid[last].last};
      if (span.first > span.second) continue;  // words without pieces
      span = narrowedSpan(layout.tokens, span, m_pieces.encode(m_record.answer));
      if (std::find(m_example.spans.begin(), m_example.spans.end(), span) == m_example.spans.end())
        m_example.spans.push_back(span);
    }
  }

  void settle() {
    std::stable_sort(m_example.spans.begin(), m_example.spans.end(),
                     [](const auto& a, const auto& b) { return a.second < b.second; });
    const bool yes = m_record.answer == "yes", no = m_record.answer == "no";
    m_example.type = yes ? HotpotAnswer::Yes : no ? HotpotAnswer::No : HotpotAnswer::Span;
    const bool asked = m_example.type == HotpotAnswer::Span;
    if (asked && !m_example.spans.empty()) m_example.span = m_example.spans.front();
    const bool supported =
        std::find(m_example.supporting.begin(), m_example.supporting.end(), 1) != m_example.supporting.end();
    m_example.trainable = supported && (!asked || !m_example.spans.empty());
  }

  const HotpotRecord& m_record;
  const LongPieces& m_pieces;
  const HotpotLimits& m_limits;
  HotpotExample m_example;
  std::int32_t m_paragraphPlace = -1;
};

std::vector<double> logSoftmax(const std::vector<double>& logits) {
  const double top = *std::max_element(logits.begin(), logits.end());
  double sum = 0;
  for (const double one : logits) sum += std::exp(one - top);
  std::vector<double> result;
  for (const double one : logits) result.push_back(one - top - std::log(sum));
  return result;
}

// The best pair of ends.
void chooseSpan(const HotpotPlaces& places, const HotpotLogits& logits, std::int64_t longest,
                HotpotChoice& choice) {
  const std::vector<double> begin = logSoftmax(logits.begin), end = logSoftmax(logits.end);
  const auto length = static_cast<std::int64_t>(places.sentence.size());
  for (std::int64_t b = 0; b < length; ++b) {
    const auto place = places.sentence[static_cast<std::size_t>(b)];
    if (place < 0 || places.paragraph[static_cast<std::size_t>(b)] < 0) continue;  // of no paragraph
    if (logits.supporting[static_cast<std::size_t>(place)] < 0) continue;
    for (std::int64_t e = b; e < std::min(b + longest, length); ++e) {
      if (places.sentence[static_cast<std::size_t>(e)] != place) break;
      const double own = begin[static_cast<std::size_t>(b)] + end[static_cast<std::size_t>(e)];
      if (choice.span.first >= 0 && own < choice.spanScore) continue;
      choice.span = {b, e};
      choice.spanScore = own;
    }
  }
}

}  // namespace

Result<HotpotExample> layHotpot(const HotpotRecord& record, const LongPieces& pieces,
                                const HotpotLimits& limits) {
  return HotpotLayer(record, pieces, limits).lay();
}

HotpotChoice chooseHotpot(const HotpotPlaces& places, const HotpotLogits& logits, std::int64_t longest) {
  HotpotChoice choice;
  for (std::size_t g = 0; g < places.globalSentence.size(); ++g)
    if (places.globalSentence[g] >= 0 && logits.supporting[g] >= 0)
      choice.facts.push_back(static_cast<std::int32_t>(g));
  const auto type = std::max_element(logits.type.begin(), logits.type.end()) - logits.type.begin();
  choice.type = static_cast<HotpotAnswer>(type);
  if (choice.type == HotpotAnswer::Span) chooseSpan(places, logits, longest, choice);
  return choice;
}

HotpotPrediction hotpotPrediction(const HotpotRecord& record, const HotpotExample& example,
                                  const HotpotChoice& choice, const LongPieces& pieces) {
  HotpotPrediction prediction;
  const LongLayout& layout = example.layout;
  const auto paragraphOf = [&](std::int32_t place) -> const HotpotRecord::Paragraph& {
    return record
        .paragraphs[static_cast<std::size_t>(example.globalParagraph[static_cast<std::size_t>(place)])];
  };
  for (const std::int32_t place : choice.facts)
    prediction.facts.push_back(
        {paragraphOf(place).title, example.globalSentence[static_cast<std::size_t>(place)]});
  if (choice.type != HotpotAnswer::Span) {
    prediction.answer = choice.type == HotpotAnswer::Yes ? "yes" : "no";
    return prediction;
  }
  prediction.span = choice.span;
  if (prediction.span.first < 0) return prediction;
  const auto first = static_cast<std::size_t>(prediction.span.first),
             last = static_cast<std::size_t>(prediction.span.second);
  const std::string spelled = piecesText(layout.tokens, first, last, pieces);
  const std::int32_t place = layout.sentence[first];
  const HotpotRecord::Paragraph& paragraph = paragraphOf(place);
  const std::int32_t sentence = example.globalSentence[static_cast<std::size_t>(place)];
  const std::vector<std::string> words =
      readingWords(sentence < 0 ? paragraph.title : paragraph.sentences[static_cast<std::size_t>(sentence)]);
  std::string original;
  for (std::int32_t w = layout.word[first]; w <= layout.word[last]; ++w)
    original += (original.empty() ? "" : " ") + words[static_cast<std::size_t>(w)];
  // What no WordPieces spell is the text itself.
  prediction.answer = pieces.decode ? spelled : recoveredText(spelled, original, pieces.lowerCase);
  return prediction;
}

}  // namespace fathom
