// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/openkp/openkp_pages.h"

#include <algorithm>

#include "core/base/errors/phrase.h"
#include "core/base/text/text_list.h"
#include "core/tasks/length_statistics.h"
#include "core/tasks/long_text/markup_words.h"
#include "core/tasks/openkp/openkp_scores.h"
#include "core/text/lower_case.h"

namespace fathom {

Status OpenKpTaker::take(const Json& json, const std::string& place) {
  const bool has = json.contains("KeyPhrases");
  FATHOM_TRY(OpenKpRecord record, openKpRecord(json, place, m_answered || has));
  if (m_urls.contains(record.url))
    return dataError(Phrase::tr("%1: 'url': %2 comes twice")(place, record.url));
  if (!m_part.pages.empty() && m_part.labelled != has)
    return dataError(Phrase::tr("%1: 'KeyPhrases': some pages have them, some have not")(place));
  m_part.labelled = has;
  m_urls.insert(record.url);
  m_part.pages.push_back(std::move(record));
  return {};
}

std::string openKpText(const OpenKpRecord& record, std::size_t mostBytes) {
  std::string text;
  for (const OpenKpRecord::Block& block : record.blocks) {
    text += (text.empty() ? "" : "\n") + block.text;
    if (text.size() > mostBytes) break;
  }
  if (text.size() <= mostBytes) return text;
  std::size_t end = mostBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + " …";
}

std::string phraseList(const std::vector<std::string>& phrases) {
  return joined(phrases, "; ");
}

std::vector<std::string> goldPhrases(const OpenKpRecord& record) {
  std::vector<std::string> phrases;
  for (const auto& words : record.phrases) phrases.push_back(toLowerCase(joined(words, " ")));
  return phrases;
}

Result<Json> prepareOpenKpPart(OpenKpPart& part, bool train, const LongPieces& pieces,
                               const OpenKpLimits& limits, const TaskSetup& setup,
                               std::vector<std::int32_t>& widths) {
  CuttingTexts cutting(setup, "pages", part.pages.size());
  std::int64_t blocks = 0, cutBlocks = 0, cutPages = 0, empty = 0, bare = 0, phrases = 0, missing = 0,
               words = 0, leftovers = 0;
  LongStatistics lengths;
  for (std::size_t p = 0; p < part.pages.size(); ++p) {
    const OpenKpRecord& record = part.pages[p];
    const OpenKpExample example = layOpenKp(record, pieces, limits);
    const auto all = static_cast<std::int64_t>(record.blocks.size());
    blocks += all;
    cutBlocks += all - example.blocks;
    cutPages += all > example.blocks;
    empty += example.layout.length() == 0;
    bare += part.labelled && example.labels.empty();
    phrases += static_cast<std::int64_t>(record.phrases.size());
    missing += static_cast<std::int64_t>(example.missing.size());
    words += static_cast<std::int64_t>(example.words.size());
    for (const OpenKpRecord::Block& block : record.blocks) leftovers += markupWords(block.text);
    FATHOM_CHECK(cutting.next());
    if (train && example.labels.empty()) continue;
    lengths.add(example.layout);
    part.examples.push_back(static_cast<std::int32_t>(p));
    widths.push_back(static_cast<std::int32_t>(example.layout.length()));
  }
  Json json = {{"pages", part.pages.size()}, {"examples", part.examples.size()},
               {"blocks", blocks},           {"cut_blocks", cutBlocks},
               {"cut_pages", cutPages},      {"without_input", empty},
               {"phrases", phrases},         {"missing", missing},
               {"without_phrases", bare},    {"words", words},
               {"leftovers", leftovers},     {"left_out", part.left}};
  lengths.write(json);
  return json;
}

std::vector<StatisticField> openKpStatistics() {
  using Kind = StatisticField::Kind;
  std::vector<StatisticField> fields = {
      {Kind::Number, "pages", "Pages"},
      {Kind::Number, "examples", "Examples used"},
      {Kind::Number, "blocks", "Blocks"},
      {Kind::Number, "cut_blocks", "Blocks that do not fit"},
      {Kind::Number, "cut_pages", "Pages that were cut"},
      {Kind::Number, "without_input", "Pages whose first block does not fit"},
      {Kind::Number, "phrases", "Key phrases"},
      {Kind::Number, "missing", "Key phrases not in the input"},
      {Kind::Number, "without_phrases", "Pages without a key phrase in the input"},
      {Kind::Number, "words", "Words"},
      {Kind::Number, "leftovers", "Words that look like HTML"},
      {Kind::Number, "left_out", "Records left out"}};
  for (StatisticField& field : longStatisticFields()) fields.push_back(std::move(field));
  return fields;
}

std::vector<TaskScore> openKpScores(const std::vector<std::vector<std::string>>& gold,
                                    const std::vector<std::vector<std::string>>& predicted) {
  std::vector<PhraseScore> each;
  for (std::size_t p = 0; p < gold.size(); ++p) each.push_back(phraseScore(gold[p], predicted[p]));
  const PhraseScore mean = meanPhraseScore(each);
  std::vector<TaskScore> scores;
  const auto add = [&](const std::string& id, const std::string& title, double value) {
    scores.push_back({id, title, 100 * value, {{"pages", gold.size()}}});
  };
  constexpr std::size_t kOrder[] = {1, 0, 2};  // at 3 first: what the benchmark is judged by
  constexpr const char* kDepth[] = {"1", "3", "5"};
  for (const std::size_t d : kOrder)
    add(std::string("f1_at_") + kDepth[d], std::string("F1@") + kDepth[d] + " (%)", mean.f1[d]);
  for (const std::size_t d : kOrder)
    add(std::string("precision_at_") + kDepth[d], std::string("Precision@") + kDepth[d] + " (%)",
        mean.precision[d]);
  for (const std::size_t d : kOrder)
    add(std::string("recall_at_") + kDepth[d], std::string("Recall@") + kDepth[d] + " (%)", mean.recall[d]);
  return scores;
}

Metrics openKpMetrics() {
  Metrics metrics = encodedTextMetrics();
  const auto one = [&](const char* id, const char* title, const char* shortTitle, int rank) {
    metrics.push_back({id, title, shortTitle, "%", kHigherIsBetter, rank, 2});
  };
  one("valid.f1_at_3", "validation F1@3", "F1@3", 1);
  one("valid.f1_at_1", "validation F1@1", "F1@1", 7);
  one("valid.f1_at_5", "validation F1@5", "F1@5", 8);
  one("valid.precision_at_3", "validation precision@3", "P@3", 0);
  one("valid.precision_at_1", "validation precision@1", "P@1", 0);
  one("valid.precision_at_5", "validation precision@5", "P@5", 0);
  one("valid.recall_at_3", "validation recall@3", "R@3", 0);
  one("valid.recall_at_1", "validation recall@1", "R@1", 0);
  one("valid.recall_at_5", "validation recall@5", "R@5", 0);
  return metrics;
}

}  // namespace fathom
