// SPDX-License-Identifier: Apache-2.0
#include "core/spider/judgement/spider_error_category.h"

#include <algorithm>
#include <array>
#include <set>

#include "core/base/errors/word_table.h"
#include "core/base/threads/thread_ranges.h"
#include "core/spider/judgement/category_phrases.h"

namespace fathom {

namespace {

constexpr EnumWord<ErrorCategory> kCategories[] = {
    {ErrorCategory::Correct, "correct", "Correct"},
    {ErrorCategory::FalseNegative, "false_negative", "False negative"},
    {ErrorCategory::Column, "column", "Column"},
    {ErrorCategory::Sketch, "sketch", "Sketch"},
    {ErrorCategory::Both, "both", "Both"},
    {ErrorCategory::GoldError, "gold_error", "Gold error"}};

template <typename T>
std::vector<T> without(const std::vector<T>& a, const std::vector<T>& b) {
  std::vector<T> out;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
  return out;
}

std::vector<int> allColumns(const ColumnSlots& slots) {
  std::set<int> set;
  for (const auto& [path, columns] : slots) set.insert(columns.begin(), columns.end());
  return {set.begin(), set.end()};
}

// Nobody reads more of them; a query of a thousand sub-queries would have as many.
constexpr std::size_t kMostReasons = 24;

// Applies the decision list to one example.
class Judge {
 public:
  Judge(const PreparedSql& gold, const PreparedSql& predicted, const SpiderSchema& schema,
        const CategoryPreset& preset)
      : m_gold(gold), m_predicted(predicted), m_schema(schema), m_preset(preset) {}

  CategoryVerdict decide(const MatchResult& match, const std::optional<ExecutionEvidence>& execution) {
    if (match.exact) {
      exact();
    } else if (!m_gold.ok()) {
      set(ErrorCategory::GoldError, 0, Phrase::tr("gold").english);
      reason("5.3", "", ReasonKind::Note, Phrase::tr("the gold query is refused: %1")(m_gold.parse.error));
    } else if (m_predicted.parse.tooLarge) {
      set(ErrorCategory::Both, 2, Phrase::tr("too large").english);
      reason("5.3(2)", "", ReasonKind::Note,
             Phrase::tr("the prediction is too large to be compared: %1")(m_predicted.parse.error));
    } else if (!m_predicted.ok()) {
      set(ErrorCategory::Both, 2, Phrase::tr("invalid").english);
      reason("5.3(2)", "", ReasonKind::Note,
             Phrase::tr("the prediction is refused at byte %1: %2")(m_predicted.parse.errorAt,
                                                                    m_predicted.parse.error));
      m_verdict.reasons.back().predicted = {m_predicted.parse.errorAt, m_predicted.parse.errorAt + 1};
    } else {
      wrong(execution);
    }
    weighExecution(execution);
    return std::move(m_verdict);
  }

 private:
  void set(ErrorCategory category, int item, std::string subType, double confidence = 1) {
    m_verdict.category = category;
    m_verdict.listItem = item;
    m_verdict.subType = std::move(subType);
    m_verdict.confidence = confidence;
  }
  void reason(const char* rule, std::string clause, ReasonKind kind, Phrase words) {
    m_verdict.reasons.push_back({rule, std::move(clause), kind, std::move(words), {}, {}});
  }
  void reasonAt(const char* rule, std::string clause, ReasonKind kind, Phrase words, std::size_t where) {
    reason(rule, std::move(clause), kind, std::move(words));
    m_verdict.reasons.back().gold = clauseSpan(m_gold.canon, where);
    m_verdict.reasons.back().predicted = clauseSpan(m_predicted.canon, where);
  }

  // 5.3(1): right by the metric; is it right at all?
  void exact() {
    set(ErrorCategory::Correct, 1, "");
    if (!m_gold.ok() || !m_predicted.ok()) return;
    const auto gold = canonTexts(m_gold.canon, CanonText::Exact);
    const auto predicted = canonTexts(m_predicted.canon, CanonText::Exact);
    for (std::size_t c = 0; c < kCanonClauses; ++c) {
      if (gold[c] == predicted[c]) continue;
      m_verdict.possibleFalsePositive = true;
      reasonAt("5.3(1)", canonClauseName(c), ReasonKind::Note,
               Phrase::tr("equal for the metric, but the clause differs"), c);
    }
    if (joinPairs(m_gold.canon) != joinPairs(m_predicted.canon)) {
      m_verdict.possibleFalsePositive = true;
      reasonAt("5.3(1)", "on", ReasonKind::Note,
               Phrase::tr("the join conditions differ; the metric never looks at them"), kClauseFrom);
    }
    if (m_verdict.possibleFalsePositive) m_verdict.confidence = 0.7;
  }

  // 5.3(2) as well: understood here, but not by SQLite.
  bool refusedBySqlite(const std::optional<ExecutionEvidence>& execution) {
    const bool ran = execution && execution->refused;
    const bool read = !m_predicted.parse.refusedBySqlite.empty() && m_gold.parse.refusedBySqlite.empty();
    if (!ran && !read) return false;
    set(ErrorCategory::Both, 2, Phrase::tr("invalid").english, ran ? 1 : 0.95);
    if (!read) return true;  // what SQLite says when it is run follows with the evidence
    const std::size_t where = m_predicted.parse.refusedAt;
    reason(
        "5.3(2)", "", ReasonKind::Note,
        Phrase::tr("SQLite refuses the prediction at byte %1: %2")(where, m_predicted.parse.refusedBySqlite));
    m_verdict.reasons.back().predicted = {m_predicted.parse.refusedAt, m_predicted.parse.refusedAt + 1};
    return true;
  }

  // Results that differ say something only where the tables concerned have rows.
  bool resultsDiffer(const std::optional<ExecutionEvidence>& execution) const {
    if (!execution || !execution->comparable || execution->equal) return false;
    for (const auto* query : {&m_gold.canon, &m_predicted.canon}) {
      for (const auto& [path, tables] : tableSlots(*query)) {
        for (const int table : tables)
          if (m_schema.tables[static_cast<std::size_t>(table)].empty) return false;
      }
    }
    return true;
  }

  void wrong(const std::optional<ExecutionEvidence>& execution) {
    if (refusedBySqlite(execution)) return;
    const bool differ = resultsDiffer(execution);
    EquivalenceResult equivalence = findEquivalence(m_gold.canon, m_predicted.canon, m_schema);
    if (equivalence.equivalent && (!differ || equivalence.always)) {
      set(ErrorCategory::FalseNegative, 3, equivalence.rule, 0.95);
      reason(equivalence.rule.c_str(), "", ReasonKind::Equivalence,
             Phrase::tr("the same meaning: %1")(equivalence.words));
      return;
    }
    if (equivalence.equivalent) equivalence.probable = true;  // taken back by what came out
    m_verdict.flagsKnown = true;
    sketchError();
    columnError();
    tableError();
    const auto& v = m_verdict;
    if (v.sketchError && v.columnError) {
      set(ErrorCategory::Both, 4, "", 0.9);
    } else if (v.sketchError) {
      set(ErrorCategory::Sketch, 4, "", 0.9);
    } else if (v.columnError) {
      set(ErrorCategory::Column, 4, "", 0.9);
    } else if (v.tableError) {
      set(ErrorCategory::Column, 4, Phrase::tr("table/JOIN").english, 0.8);
    } else {
      nothingDiffers(differ);
    }
    if (equivalence.probable) {
      m_verdict.confidence = std::min(m_verdict.confidence, 0.5);
      reason(equivalence.rule.c_str(), "", ReasonKind::Equivalence,
             Phrase::tr("perhaps the same meaning: %1")(equivalence.words));
    }
    if (m_verdict.subType != "join kind" && joinKinds(m_gold.canon) != joinKinds(m_predicted.canon)) {
      m_verdict.confidence = std::min(m_verdict.confidence, 0.5);
      reasonAt("5.3", "from", ReasonKind::Note,
               Phrase::tr("the tables are joined in another way than in gold"), kClauseFrom);
    }
  }

  void sketchError() {
    const CanonText mode = m_preset.countTables ? CanonText::SketchTables : CanonText::SketchOnly;
    const auto gold = canonTexts(m_gold.merged, mode);
    const auto predicted = canonTexts(m_predicted.merged, mode);
    for (std::size_t c = 0; c < kCanonClauses; ++c) {
      if (gold[c] == predicted[c]) continue;
      m_verdict.sketchError = true;
      Phrase g = sketchWords(m_gold.canon, c), p = sketchWords(m_predicted.canon, c);
      reasonAt("5.3(4)", canonClauseName(c), ReasonKind::Sketch,
               g == p ? Phrase(Phrase::tr("a sub-query inside differs"))
                      : Phrase::tr("gold has %1, the prediction has %2")(std::move(g), std::move(p)),
               c);
    }
  }

  void columnError() {
    const ColumnSlots gold = columnSlots(m_gold.merged), predicted = columnSlots(m_predicted.merged);
    m_verdict.columnError =
        m_preset.slotColumns ? slotError(gold, predicted) : allColumns(gold) != allColumns(predicted);
    if (!m_verdict.columnError) return;
    if (m_preset.slotColumns) return;
    const auto missing = without(allColumns(gold), allColumns(predicted));
    const auto extra = without(allColumns(predicted), allColumns(gold));
    const auto namedOf = [this](const PreparedSql& query, const std::vector<int>& columns) {
      return columnList(columnsAsWritten(allColumns(columnSlots(query.canon)), columns, m_schema), m_schema);
    };
    reason("5.3(4)", "", ReasonKind::Column,
           Phrase::tr("only in gold: %1; only in the prediction: %2")(namedOf(m_gold, missing),
                                                                      namedOf(m_predicted, extra)));
    markColumn(m_verdict.reasons.back(), gold, missing, predicted, extra);
  }

  // Points at the first clause that mentions a column of the difference.
  void markColumn(CategoryReason& out, const ColumnSlots& gold, const std::vector<int>& missing,
                  const ColumnSlots& predicted, const std::vector<int>& extra) const {
    const auto mark = [](const ColumnSlots& slots, const std::vector<int>& columns, const CanonQuery& query,
                         SourceSpan& span, std::string& clause) {
      for (const auto& [path, here] : slots) {
        if (columns.empty() || std::find(here.begin(), here.end(), columns[0]) == here.end()) continue;
        span = clauseSpan(query, clauseOfPath(path));
        clause = path;
        return;
      }
    };
    mark(gold, missing, m_gold.canon, out.gold, out.clause);
    mark(predicted, extra, m_predicted.canon, out.predicted, out.clause);
  }

  bool slotError(const ColumnSlots& gold, const ColumnSlots& predicted) {
    bool error = false;
    const ColumnSlots goldWritten = columnSlots(m_gold.canon),
                      predictedWritten = columnSlots(m_predicted.canon);
    for (const auto& [path, columns] : gold) {
      const auto other = predicted.find(path);
      if (other == predicted.end()) continue;
      const auto onlyGold = without(columns, other->second);
      const auto onlyPredicted = without(other->second, columns);
      if (onlyGold.empty() || onlyPredicted.empty()) continue;  // |P ∩ G| = min(|P|, |G|)
      error = true;
      if (m_verdict.reasons.size() >= kMostReasons) break;
      const auto namedOf = [&, where = path](const ColumnSlots& written, const std::vector<int>& only) {
        return columnList(columnsAsWritten(written.at(where), only, m_schema), m_schema);
      };
      reasonAt("5.3(4)", path, ReasonKind::Column,
               Phrase::tr("gold has %1, the prediction has %2")(namedOf(goldWritten, onlyGold),
                                                                namedOf(predictedWritten, onlyPredicted)),
               clauseOfPath(path));
    }
    return error;
  }

  void tableError() {
    const auto gold = tableSlots(m_gold.canon), predicted = tableSlots(m_predicted.canon);
    for (const auto& [path, tables] : gold) {
      const auto other = predicted.find(path);
      if (other == predicted.end() || other->second == tables) continue;
      m_verdict.tableError = true;
      if (m_verdict.reasons.size() >= kMostReasons) break;
      reasonAt("5.3(4)", path.empty() ? "from" : path + ">from", ReasonKind::Table,
               Phrase::tr("gold reads %1, the prediction reads %2")(tableList(tables, m_schema),
                                                                    tableList(other->second, m_schema)),
               path.empty() ? std::size_t{kClauseFrom} : clauseOfPath(path));
    }
  }

  // 5.3(5): the metric was too strict, or foreign-key siblings hide a difference.
  void nothingDiffers(bool resultsDiffer) {
    const ColumnSlots gold = columnSlots(m_gold.canon), predicted = columnSlots(m_predicted.canon);
    const bool siblings =
        m_preset.slotColumns ? slotError(gold, predicted) : allColumns(gold) != allColumns(predicted);
    if (siblings) {
      set(ErrorCategory::Column, 5, Phrase::tr("FK-sibling").english, 0.8);
      const auto missing = without(allColumns(gold), allColumns(predicted));
      const auto extra = without(allColumns(predicted), allColumns(gold));
      reason("5.3(5)", "", ReasonKind::Column,
             Phrase::tr("gold uses %1, the prediction its foreign-key sibling %2")(
                 columnList(missing, m_schema), columnList(extra, m_schema)));
      markColumn(m_verdict.reasons.back(), gold, missing, predicted, extra);
      return;
    }
    if (hiddenDifference()) return;
    if (resultsDiffer) {
      set(ErrorCategory::Sketch, 5, Phrase::tr("results differ").english, 0.5);
      reason("5.3(5)", "", ReasonKind::Note,
             Phrase::tr("nothing differs that the definitions count, but the results do"));
      return;
    }
    set(ErrorCategory::FalseNegative, 5, Phrase::tr("metric strictness").english, 0.85);
    reason("5.3(5)", "", ReasonKind::Strictness,
           Phrase::tr("nothing differs that the definitions count; %1")(strictnessDetail()));
  }

  // Metric strictness needs the two to be equal slot by slot (docs/error_categories.md §4): what the sets of
  // the definitions do not show is an error all the same.
  bool hiddenDifference() {
    const auto gold = canonTexts(m_gold.canon, CanonText::Exact);
    const auto predicted = canonTexts(m_predicted.canon, CanonText::Exact);
    for (std::size_t c = 0; c < kCanonClauses; ++c) {
      if (gold[c] == predicted[c]) continue;
      set(ErrorCategory::Column, 5, Phrase::tr("swapped").english, 0.8);
      reasonAt(
          "5.3(5)", canonClauseName(c), ReasonKind::Column,
          Phrase::tr("columns are at other places than in gold, or the connectives are in another order"), c);
      return true;
    }
    if (joinKinds(m_gold.canon) != joinKinds(m_predicted.canon)) {
      set(ErrorCategory::Sketch, 5, Phrase::tr("join kind").english, 0.8);
      reasonAt("5.3(5)", "from", ReasonKind::Sketch,
               Phrase::tr("the tables are joined in another way than in gold"), kClauseFrom);
      return true;
    }
    const auto goldPairs = joinPairs(m_gold.canon), predictedPairs = joinPairs(m_predicted.canon);
    // A prediction without any ON says nothing about columns.
    if (goldPairs == predictedPairs || predictedPairs.empty()) return false;
    set(ErrorCategory::Column, 5, Phrase::tr("table/JOIN").english, 0.7);
    reasonAt("5.3(5)", "from", ReasonKind::Column,
             Phrase::tr("the join conditions differ; the metric never looks at them"), kClauseFrom);
    return true;
  }

  Phrase strictnessDetail() const {
    const auto order = [](const CanonQuery& q) {
      std::string text;
      for (const auto& unit : q.groupBy)
        text += unit.shape + (unit.columns.empty() ? "" : std::to_string(unit.columns[0])) + ",";
      return text;
    };
    if (order(m_gold.canon) != order(m_predicted.canon)) return Phrase::tr("order of GROUP BY columns");
    return Phrase::tr(
        "values, DISTINCT, LIMIT or order inside a sub-query, an alias, or a spelling the official parser "
        "refuses");
  }

  void weighExecution(const std::optional<ExecutionEvidence>& execution) {
    if (execution && execution->equal && execution->distinctIgnored)
      reason("F12", "", ReasonKind::Note, Phrase::tr("the results are equal only with DISTINCT left out"));
    if (!execution || !execution->comparable) return;
    const bool right =
        m_verdict.category == ErrorCategory::Correct || m_verdict.category == ErrorCategory::FalseNegative;
    const bool agrees = right == execution->equal;
    m_verdict.confidence =
        agrees ? std::min(1.0, m_verdict.confidence + 0.05) : std::min(m_verdict.confidence, 0.5);
    const Phrase found = execution->refused ? Phrase::tr("SQLite does not run the prediction")
                         : execution->equal ? Phrase::tr("the results are equal")
                                            : Phrase::tr("the results differ");
    const bool more = !execution->words.empty();
    // A query that does not run has no results to weigh: where that decides, it is the rule itself.
    reason(execution->refused && m_verdict.listItem == 2 ? "5.3(2)" : "F12", "", ReasonKind::Note,
           more ? Phrase::tr("%1: %2")(found, execution->words) : found);
  }

  const PreparedSql& m_gold;
  const PreparedSql& m_predicted;
  const SpiderSchema& m_schema;
  const CategoryPreset& m_preset;
  CategoryVerdict m_verdict;
};

}  // namespace

Phrase reasonKindTitle(ReasonKind kind) {
  static constexpr std::array<Phrase::Text, 6> kTitles = {
      Phrase::tr("sketch"),        Phrase::tr("column"),        Phrase::tr("table"),
      Phrase::tr("equal meaning"), Phrase::tr("strict metric"), Phrase::tr("note")};
  return kTitles[static_cast<std::size_t>(kind)];
}

const char* errorCategoryName(ErrorCategory category) {
  return kCategories[static_cast<std::size_t>(category)].title;
}

const char* errorCategoryId(ErrorCategory category) {
  return wordOf(kCategories, category);
}

std::optional<ErrorCategory> errorCategoryFromId(std::string_view id) {
  return findWord(kCategories, id);
}

const std::vector<CategoryPreset>& categoryPresets() {
  static const std::vector<CategoryPreset> presets = {{"paper_like", true, false},
                                                      {"tables_inferred", false, true}};
  return presets;
}

Result<CategoryPreset> categoryPreset(const std::string& id) {
  for (const auto& preset : categoryPresets()) {
    if (preset.id == id) return preset;
  }
  return usageError(Phrase::tr("there is no preset \"%1\"")(id), Phrase::tr("paper_like or tables_inferred"));
}

PreparedSql prepareSql(std::string_view sql, const SpiderSchema& schema) {
  PreparedSql out;
  out.parse = parseScopedSql(sql, schema);
  if (!out.parse.ok()) return out;
  auto canon = canonicalise(*out.parse.query, schema);
  if (!canon) {
    out.parse.error = canon.error().message;
    out.parse.tooLarge = true;
    out.parse.query.reset();
    return out;
  }
  out.canon = std::move(*canon);
  out.merged = mergeKeySiblings(out.canon, schema);
  return out;
}

CategoryVerdict categorise(const PreparedSql& gold, const PreparedSql& predicted, const MatchResult& match,
                           const SpiderSchema& schema, const CategoryPreset& preset,
                           const std::optional<ExecutionEvidence>& execution) {
  return Judge(gold, predicted, schema, preset).decide(match, execution);
}

Result<std::vector<CategoryVerdict>> categoriseAll(const std::vector<SpiderPair>& pairs,
                                                   const SpiderEvaluation& evaluation,
                                                   const SpiderSchemas& schemas,
                                                   const CategoriseOptions& options, const StopToken& stop) {
  std::vector<CategoryVerdict> verdicts(pairs.size());
  FATHOM_CHECK(forRanges(pairs.size(), options.threads, [&](std::size_t first, std::size_t last) {
    PreparedSql gold;
    for (std::size_t i = first; i < last && !stop.stopRequested(); ++i) {
      const SpiderSchema* schema = findSchema(schemas, pairs[i].dbId);
      if (!schema) continue;
      if (i == first || pairs[i].gold != pairs[i - 1].gold || pairs[i].dbId != pairs[i - 1].dbId)
        gold = prepareSql(pairs[i].gold, *schema);
      const auto execution = i < options.execution.size() ? options.execution[i] : std::nullopt;
      verdicts[i] = categorise(gold, prepareSql(pairs[i].predicted, *schema), evaluation.verdicts.at(i).match,
                               *schema, options.preset, execution);
    }
  }));
  if (stop.stopRequested()) return interruptedError();
  return verdicts;
}

double CategoryCounts::share(ErrorCategory category) const {
  const int total = column + sketch + both;
  const int part = category == ErrorCategory::Column   ? column
                   : category == ErrorCategory::Sketch ? sketch
                   : category == ErrorCategory::Both   ? both
                                                       : 0;
  return total == 0 ? 0 : static_cast<double>(part) / total;
}

CategoryCounts countCategories(const std::vector<ErrorCategory>& categories) {
  CategoryCounts counts;
  for (const auto category : categories) {
    switch (category) {
      case ErrorCategory::Correct:
        ++counts.correct;
        break;
      case ErrorCategory::FalseNegative:
        ++counts.falseNegative;
        break;
      case ErrorCategory::Column:
        ++counts.column;
        break;
      case ErrorCategory::Sketch:
        ++counts.sketch;
        break;
      case ErrorCategory::Both:
        ++counts.both;
        break;
      case ErrorCategory::GoldError:
        ++counts.goldError;
        break;
    }
  }
  return counts;
}

}  // namespace fathom
