// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/spider/spider_error_category.h"

#include <algorithm>
#include <array>
#include <set>

#include "core/base/thread_ranges.h"
#include "core/tasks/spider/sql_limits.h"

namespace fathom {

namespace {

constexpr std::array<const char*, 6> kCategoryNames = {"Correct", "False negative", "Column",
                                                       "Sketch",  "Both",           "Gold error"};

constexpr std::array<const char*, 6> kCategoryIds = {"correct", "false_negative", "column",
                                                     "sketch",  "both",           "gold_error"};

ReasonPhrase columnList(const std::vector<int>& columns, const SpiderSchema& schema) {
  ClippedList list;
  for (const int column : columns) list.add(schema.columnText(column));
  return columns.empty() ? ReasonPhrase("nothing") : ReasonPhrase::words(list.text());
}

ReasonPhrase tableList(const std::vector<int>& tables, const SpiderSchema& schema) {
  ClippedList list;
  for (const int table : tables) list.add(schema.tables[static_cast<std::size_t>(table)].originalName);
  return tables.empty() ? ReasonPhrase("no table") : ReasonPhrase::words(list.text());
}

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

SourceSpan clauseSpan(const CanonQuery& query, std::size_t clause) {
  const ScopedQuery* q = query.source;
  if (!q) return {};
  switch (clause) {
    case kClauseSelect:
      return q->selectSpan;
    case kClauseFrom:
      return q->fromSpan;
    case kClauseWhere:
    case kClauseWords:
      return q->whereSpan;
    case kClauseGroup:
      return q->groupSpan;
    case kClauseHaving:
      return q->havingSpan;
    case kClauseOrder:
      return q->orderSpan;
    case kClauseLimit:
      return q->limitSpan;
    default:
      return q->partner ? q->partner->span : SourceSpan{};
  }
}

// The clause of the outermost level a path starts with.
std::size_t clauseOfPath(const std::string& path) {
  const std::string first = path.substr(0, path.find('>'));
  if (first == "select") return kClauseSelect;
  if (first == "from" || first.empty()) return kClauseFrom;
  if (first == "where") return kClauseWhere;
  if (first == "group") return kClauseGroup;
  if (first == "having") return kClauseHaving;
  if (first == "order") return kClauseOrder;
  return kClauseSet;
}

ReasonPhrase conditionWords(const CanonConditions& conditions) {
  ClippedList list;
  for (const auto& unit : conditions.units) {
    list.add((unit.negated ? "NOT " : "") + unit.unit.shape + " " + unit.op +
             (unit.queries.empty() ? "" : " (SELECT)"));
  }
  return conditions.units.empty() ? ReasonPhrase("no condition") : ReasonPhrase::words(list.text());
}

std::string shapes(const std::vector<CanonUnit>& units) {
  ClippedList list;
  for (const auto& unit : units) list.add(unit.shape);
  return list.text();
}

// What one clause's sketch looks like.
ReasonPhrase sketchWords(const CanonQuery& q, std::size_t clause) {
  ClippedList words(" ");
  switch (clause) {
    case kClauseSelect:
      return ReasonPhrase::words(shapes(q.select));
    case kClauseFrom:
      return {"%1 tables, %2 sub-queries",
              {ReasonPhrase::number(q.tables.size()), ReasonPhrase::number(q.derived.size())}};
    case kClauseWhere:
      return conditionWords(q.where);
    case kClauseWords:
      for (const char c : q.where.words) words.add(c == 'a' ? "AND" : "OR");
      return q.where.words.empty() ? ReasonPhrase("no connective") : ReasonPhrase::words(words.text());
    case kClauseGroup:
      return {"%1 columns", {ReasonPhrase::number(q.groupBy.size())}};
    case kClauseHaving:
      return conditionWords(q.having);
    case kClauseOrder:
      if (q.order.empty()) return "no order";
      return {q.order[0].descending ? "%1 descending" : "%1 ascending",
              {ReasonPhrase::words(shapes(q.order[0].units))}};
    case kClauseLimit:
      return q.limited ? "a limit" : "no limit";
    default:
      return q.partner ? ReasonPhrase::words(q.setOp) : ReasonPhrase("no set operator");
  }
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
      set(ErrorCategory::GoldError, 0, "gold");
      reason("5.3", "", "note", {"the gold query is refused: %1", {ReasonPhrase::words(m_gold.parse.error)}});
    } else if (m_predicted.parse.tooLarge) {
      set(ErrorCategory::Both, 2, "too large");
      reason(
          "5.3(2)", "", "note",
          {"the prediction is too large to be compared: %1", {ReasonPhrase::words(m_predicted.parse.error)}});
    } else if (!m_predicted.ok()) {
      set(ErrorCategory::Both, 2, "invalid");
      reason(
          "5.3(2)", "", "note",
          {"the prediction is refused at byte %1: %2",
           {ReasonPhrase::number(m_predicted.parse.errorAt), ReasonPhrase::words(m_predicted.parse.error)}});
      m_verdict.reasons.back().predicted = {m_predicted.parse.errorAt, m_predicted.parse.errorAt + 1};
    } else {
      wrong();
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
  void reason(const char* rule, std::string clause, const char* kind, ReasonPhrase words) {
    m_verdict.reasons.push_back({rule, std::move(clause), kind, std::move(words), {}, {}});
  }
  void reasonAt(const char* rule, std::string clause, const char* kind, ReasonPhrase words,
                std::size_t where) {
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
      reasonAt("5.3(1)", canonClauseName(c), "note", "equal for the metric, but the clause differs", c);
    }
    if (joinPairs(m_gold.canon) != joinPairs(m_predicted.canon)) {
      m_verdict.possibleFalsePositive = true;
      reasonAt("5.3(1)", "on", "note", "the join conditions differ; the metric never looks at them",
               kClauseFrom);
    }
    if (m_verdict.possibleFalsePositive) m_verdict.confidence = 0.7;
  }

  void wrong() {
    const EquivalenceResult equivalence = findEquivalence(m_gold.canon, m_predicted.canon, m_schema);
    if (equivalence.equivalent) {
      set(ErrorCategory::FalseNegative, 3, equivalence.rule, 0.95);
      reason(equivalence.rule.c_str(), "", "equivalence", {"the same meaning: %1", {equivalence.words}});
      return;
    }
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
      set(ErrorCategory::Column, 4, "table/JOIN", 0.8);
    } else {
      nothingDiffers();
    }
    if (equivalence.probable) {
      m_verdict.confidence = std::min(m_verdict.confidence, 0.5);
      reason(equivalence.rule.c_str(), "", "equivalence",
             {"perhaps the same meaning: %1", {equivalence.words}});
    }
    if (m_gold.canon.outerJoin != m_predicted.canon.outerJoin) {
      m_verdict.confidence = std::min(m_verdict.confidence, 0.5);
      reasonAt("5.3", "from", "note",
               "one query uses an outer join; the definitions do not look at the kind of join", kClauseFrom);
    }
  }

  void sketchError() {
    const CanonText mode = m_preset.countTables ? CanonText::SketchTables : CanonText::SketchOnly;
    const auto gold = canonTexts(m_gold.merged, mode);
    const auto predicted = canonTexts(m_predicted.merged, mode);
    for (std::size_t c = 0; c < kCanonClauses; ++c) {
      if (gold[c] == predicted[c]) continue;
      m_verdict.sketchError = true;
      ReasonPhrase g = sketchWords(m_gold.canon, c), p = sketchWords(m_predicted.canon, c);
      reasonAt("5.3(2)", canonClauseName(c), "sketch",
               g == p ? ReasonPhrase("a sub-query inside differs")
                      : ReasonPhrase("gold has %1, the prediction has %2", {std::move(g), std::move(p)}),
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
    reason("5.3(4)", "", "column",
           {"only in gold: %1; only in the prediction: %2",
            {columnList(missing, m_schema), columnList(extra, m_schema)}});
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
    for (const auto& [path, columns] : gold) {
      const auto other = predicted.find(path);
      if (other == predicted.end()) continue;
      const auto onlyGold = without(columns, other->second);
      const auto onlyPredicted = without(other->second, columns);
      if (onlyGold.empty() || onlyPredicted.empty()) continue;  // |P ∩ G| = min(|P|, |G|)
      error = true;
      if (m_verdict.reasons.size() >= kMostReasons) break;
      reasonAt("5.3(4)", path, "column",
               {"gold has %1, the prediction has %2",
                {columnList(onlyGold, m_schema), columnList(onlyPredicted, m_schema)}},
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
      reasonAt("5.3(4)", path.empty() ? "from" : path + ">from", "table",
               {"gold reads %1, the prediction reads %2",
                {tableList(tables, m_schema), tableList(other->second, m_schema)}},
               path.empty() ? std::size_t{kClauseFrom} : clauseOfPath(path));
    }
  }

  // 5.3(5): the metric was too strict, or foreign-key siblings hide a difference.
  void nothingDiffers() {
    const ColumnSlots gold = columnSlots(m_gold.canon), predicted = columnSlots(m_predicted.canon);
    const bool siblings =
        m_preset.slotColumns ? slotError(gold, predicted) : allColumns(gold) != allColumns(predicted);
    if (siblings) {
      set(ErrorCategory::Column, 5, "FK-sibling", 0.8);
      const auto missing = without(allColumns(gold), allColumns(predicted));
      const auto extra = without(allColumns(predicted), allColumns(gold));
      reason("5.3(5)", "", "column",
             {"gold uses %1, the prediction its foreign-key sibling %2",
              {columnList(missing, m_schema), columnList(extra, m_schema)}});
      markColumn(m_verdict.reasons.back(), gold, missing, predicted, extra);
      return;
    }
    set(ErrorCategory::FalseNegative, 5, "metric strictness", 0.85);
    reason("5.3(5)", "", "strictness",
           {"nothing differs that the definitions count; %1", {strictnessDetail()}});
    if (canonText(m_gold.canon, CanonText::Exact) != canonText(m_predicted.canon, CanonText::Exact)) {
      m_verdict.confidence = 0.5;
      reason("5.3(5)", "", "note",
             "columns are at other places than in gold, or the connectives are in another order");
    }
  }

  ReasonPhrase strictnessDetail() const {
    const auto order = [](const CanonQuery& q) {
      std::string text;
      for (const auto& unit : q.groupBy)
        text += unit.shape + (unit.columns.empty() ? "" : std::to_string(unit.columns[0])) + ",";
      return text;
    };
    if (order(m_gold.canon) != order(m_predicted.canon)) return "order of GROUP BY columns";
    return "values, DISTINCT, LIMIT or order inside a sub-query, an alias, or a spelling the official parser "
           "refuses";
  }

  void weighExecution(const std::optional<ExecutionEvidence>& execution) {
    if (!execution || !execution->comparable) return;
    const bool right =
        m_verdict.category == ErrorCategory::Correct || m_verdict.category == ErrorCategory::FalseNegative;
    const bool agrees = right == execution->equal;
    m_verdict.confidence =
        agrees ? std::min(1.0, m_verdict.confidence + 0.05) : std::min(m_verdict.confidence, 0.5);
    const ReasonPhrase found = execution->equal ? "the results are equal" : "the results differ";
    const bool more = !execution->words.text.empty();
    reason("F12", "", "note", more ? ReasonPhrase("%1: %2", {found, execution->words}) : found);
  }

  const PreparedSql& m_gold;
  const PreparedSql& m_predicted;
  const SpiderSchema& m_schema;
  const CategoryPreset& m_preset;
  CategoryVerdict m_verdict;
};

}  // namespace

const char* errorCategoryName(ErrorCategory category) {
  return kCategoryNames[static_cast<std::size_t>(category)];
}

std::optional<ErrorCategory> errorCategoryFromName(std::string_view name) {
  for (std::size_t i = 0; i < kCategoryNames.size(); ++i) {
    if (name == kCategoryNames[i]) return static_cast<ErrorCategory>(i);
  }
  return {};
}

const char* errorCategoryId(ErrorCategory category) {
  return kCategoryIds[static_cast<std::size_t>(category)];
}

std::optional<ErrorCategory> errorCategoryFromId(std::string_view id) {
  for (std::size_t i = 0; i < kCategoryIds.size(); ++i) {
    if (id == kCategoryIds[i]) return static_cast<ErrorCategory>(i);
  }
  return {};
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
  return usageError("there is no preset \"" + id + "\"", "paper_like or tables_inferred");
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
