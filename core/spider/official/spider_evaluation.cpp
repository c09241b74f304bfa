// SPDX-License-Identifier: Apache-2.0
#include "core/spider/official/spider_evaluation.h"

#include "core/base/text/number_text.h"
#include "core/base/threads/thread_ranges.h"

namespace fathom {

namespace {

constexpr std::size_t kAll = kHardnessLevels;

struct GoldQuery {
  SqlQuery normalised;
  SpiderHardness hardness = SpiderHardness::Easy;
  std::string error;
};

GoldQuery prepareGold(const std::string& sql, const SpiderSchema& schema, MatchRules rules) {
  const auto dialect = rules == MatchRules::DtFixup ? SqlDialect::DtFixup : SqlDialect::Official;
  GoldQuery gold;
  const auto parsed = parseOfficialSql(sql, schema, dialect);
  if (!parsed) {
    gold.error = parsed.error().message;
    return gold;
  }
  gold.hardness = hardnessOf(*parsed);
  gold.normalised = normaliseForMatch(*parsed, schema, rules);
  return gold;
}

SpiderVerdict judge(const SpiderPair& pair, const GoldQuery& gold, const SpiderSchema& schema,
                    MatchRules rules) {
  const auto dialect = rules == MatchRules::DtFixup ? SqlDialect::DtFixup : SqlDialect::Official;
  SpiderVerdict verdict;
  if (!gold.error.empty()) {
    verdict.goldError = true;
    verdict.parseError = "gold: " + gold.error;
    return verdict;
  }
  verdict.hardness = gold.hardness;
  const auto predicted = parseOfficialSql(pair.predicted, schema, dialect);
  if (!predicted) verdict.parseError = predicted.error().message;
  const SqlQuery normalised = predicted ? normaliseForMatch(*predicted, schema, rules) : SqlQuery{};
  verdict.match = compareNormalised(normalised, gold.normalised, schema, rules);
  return verdict;
}

// A cell of "{:<20…}".
std::string cell(const std::string& text) {
  return text.size() < 20 ? text + std::string(20 - text.size(), ' ') : text;
}

std::string row(const std::string& title, const std::array<std::string, kAll + 1>& cells) {
  std::string line = cell(title);
  for (const auto& text : cells) line += " " + cell(text);
  return line + "\n";
}

template <typename Value>
std::string scoreRow(const std::string& title, const SpiderEvaluation& evaluation, const Value& value) {
  std::array<std::string, kAll + 1> cells;
  for (std::size_t i = 0; i <= kAll; ++i) cells[i] = formatted("%.3f", value(evaluation.levels[i]));
  return row(title, cells);
}

struct Sums {
  int count = 0, exact = 0;
  struct Partial {
    int accuracy = 0, accuracyCount = 0, recall = 0, recallCount = 0;
  };
  std::array<Partial, kMatchComponents> partial{};

  void add(const SpiderVerdict& verdict) {
    ++count;
    exact += verdict.match.exact;
    for (std::size_t c = 0; c < kMatchComponents; ++c) {
      const auto& score = verdict.match.components[c];
      if (score.predictedTotal > 0) {
        partial[c].accuracy += score.score();
        ++partial[c].accuracyCount;
      }
      if (score.goldTotal > 0) {
        partial[c].recall += score.score();
        ++partial[c].recallCount;
      }
    }
  }

  SpiderLevelScores average() const {
    SpiderLevelScores scores;
    scores.count = count;
    if (count == 0) return scores;
    scores.exact = static_cast<double>(exact) / count;
    for (std::size_t c = 0; c < kMatchComponents; ++c) {
      auto& out = scores.partial[c];
      if (partial[c].accuracyCount > 0)
        out.accuracy = static_cast<double>(partial[c].accuracy) / partial[c].accuracyCount;
      if (partial[c].recallCount > 0)
        out.recall = static_cast<double>(partial[c].recall) / partial[c].recallCount;
      // The official script prints 1 where both are 0.
      out.f1 = out.accuracy == 0 && out.recall == 0
                   ? 1.0
                   : 2.0 * out.accuracy * out.recall / (out.recall + out.accuracy);
    }
    return scores;
  }
};

}  // namespace

std::array<SpiderLevelScores, kHardnessLevels + 1> averageSpider(const std::vector<SpiderVerdict>& verdicts,
                                                                 const std::vector<std::size_t>& subset) {
  std::array<Sums, kAll + 1> sums;
  const auto add = [&](const SpiderVerdict& verdict) {
    if (verdict.goldError) return;
    sums[static_cast<std::size_t>(verdict.hardness)].add(verdict);
    sums[kAll].add(verdict);
  };
  if (subset.empty()) {
    for (const auto& verdict : verdicts) add(verdict);
  } else {
    for (const auto index : subset) add(verdicts.at(index));
  }
  std::array<SpiderLevelScores, kAll + 1> levels;
  for (std::size_t i = 0; i <= kAll; ++i) levels[i] = sums[i].average();
  return levels;
}

Result<SpiderEvaluation> evaluateSpider(const std::vector<SpiderPair>& pairs, const SpiderSchemas& schemas,
                                        const SpiderEvaluationOptions& options, const StopToken& stop) {
  SpiderEvaluation evaluation;
  std::vector<const SpiderSchema*> schemaOf(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    schemaOf[i] = findSchema(schemas, pairs[i].dbId);
    if (!schemaOf[i]) {
      return dataError(Phrase::tr("pair %1: database \"%2\" is not in tables.json")(i + 1, pairs[i].dbId),
                       Phrase::tr("is this the tables.json of the same split?"));
    }
  }
  evaluation.verdicts.resize(pairs.size());
  FATHOM_CHECK(forRanges(pairs.size(), options.threads, [&](std::size_t first, std::size_t last) {
    // Most gold queries come twice, with two wordings of the question.
    GoldQuery gold;
    for (std::size_t i = first; i < last; ++i) {
      if (stop.stopRequested()) return;
      if (i == first || pairs[i].gold != pairs[i - 1].gold || schemaOf[i] != schemaOf[i - 1]) {
        gold = prepareGold(pairs[i].gold, *schemaOf[i], options.rules);
      }
      evaluation.verdicts[i] = judge(pairs[i], gold, *schemaOf[i], options.rules);
    }
  }));
  if (stop.stopRequested()) return interruptedError();
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto& verdict = evaluation.verdicts[i];
    if (verdict.goldError) {
      evaluation.goldErrors.push_back("pair " + std::to_string(i + 1) + " (" + pairs[i].dbId +
                                      "): " + verdict.parseError);
      continue;
    }
    evaluation.exactCount += verdict.match.exact;
    evaluation.parseErrors += !verdict.parseError.empty();
  }
  evaluation.levels = averageSpider(evaluation.verdicts);
  return evaluation;
}

std::string officialScoreTables(const SpiderEvaluation& evaluation) {
  std::string text = row("", {"easy", "medium", "hard", "extra", "all"});
  std::array<std::string, kAll + 1> counts;
  for (std::size_t i = 0; i <= kAll; ++i) counts[i] = std::to_string(evaluation.levels[i].count);
  text += row("count", counts);
  text += "\n====================== EXACT MATCHING ACCURACY =====================\n";
  text += scoreRow("exact match", evaluation, [](const auto& level) { return level.exact; });
  text += "\n---------------------PARTIAL MATCHING ACCURACY----------------------\n";
  for (std::size_t c = 0; c < kMatchComponents; ++c) {
    text += scoreRow(matchComponentName(c), evaluation,
                     [c](const auto& level) { return level.partial[c].accuracy; });
  }
  text += "---------------------- PARTIAL MATCHING RECALL ----------------------\n";
  for (std::size_t c = 0; c < kMatchComponents; ++c) {
    text += scoreRow(matchComponentName(c), evaluation,
                     [c](const auto& level) { return level.partial[c].recall; });
  }
  text += "---------------------- PARTIAL MATCHING F1 --------------------------\n";
  for (std::size_t c = 0; c < kMatchComponents; ++c) {
    text +=
        scoreRow(matchComponentName(c), evaluation, [c](const auto& level) { return level.partial[c].f1; });
  }
  return text;
}

std::string officialReport(const std::vector<SpiderPair>& pairs, const SpiderEvaluation& evaluation) {
  std::string text;
  int refused = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto& verdict = evaluation.verdicts[i];
    if (verdict.goldError) continue;
    if (!verdict.parseError.empty()) text += "eval_err_num:" + std::to_string(++refused) + "\n";
    if (verdict.match.exact) continue;
    const std::string level = hardnessName(verdict.hardness);
    text += level + " pred: " + pairs[i].predicted + "\n" + level + " gold: " + pairs[i].gold + "\n\n";
  }
  return text + officialScoreTables(evaluation);
}

}  // namespace fathom
