// SPDX-License-Identifier: Apache-2.0
#include "core/review/spider_execution.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "core/spider/official/execution_keys.h"
#include "core/spider/scoped/value_plugin.h"

namespace fathom {

namespace {

using Kind = ExecutionOutcome::Kind;

// Results of so many pairs are in memory at once.
constexpr std::size_t kPairsAtOnce = 256;
// Of predictions with gold's values in them: so many pairs, so many variants of each.
constexpr std::size_t kPluggedPairsAtOnce = 16;
constexpr std::size_t kVariantsAtOnce = 32;

std::vector<std::string> keysOf(const std::string& sql, const SpiderSchema& schema) {
  const auto query = parseOfficialSql(sql, schema);
  return query ? executionKeys(normaliseForMatch(*query, schema)) : std::vector<std::string>();
}

// The tasks of a batch, each text once per database.
class TaskList {
 public:
  std::size_t add(const std::string& database, std::string sql) {
    const auto [found, fresh] = m_index.emplace(std::pair{database, sql}, m_tasks.size());
    if (fresh) m_tasks.push_back({database, std::move(sql)});
    return found->second;
  }
  const std::vector<SqlRunTask>& tasks() const { return m_tasks; }

 private:
  std::vector<SqlRunTask> m_tasks;
  std::map<std::pair<std::string, std::string>, std::size_t> m_index;
};

class Execution {
 public:
  Execution(SqlRunPool& pool, const std::vector<SpiderPair>& pairs, const SpiderSchemas& schemas,
            const ExecutionOptions& options, Progress& progress, const StopToken& stop)
      : m_pool(pool),
        m_pairs(pairs),
        m_schemas(schemas),
        m_options(options),
        m_progress(progress),
        m_stop(stop),
        m_outcomes(pairs.size()) {}

  Result<std::vector<ExecutionOutcome>> run() {
    // Pairs of one database lie together: a worker serves many.
    std::vector<std::size_t> order(m_pairs.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return m_pairs[a].dbId < m_pairs[b].dbId; });
    m_progress.begin("executing queries", "pairs", static_cast<double>(order.size()));
    for (std::size_t first = 0; first < order.size(); first += kPairsAtOnce) {
      const std::size_t last = std::min(order.size(), first + kPairsAtOnce);
      const std::vector<std::size_t> batch(order.begin() + static_cast<std::ptrdiff_t>(first),
                                           order.begin() + static_cast<std::ptrdiff_t>(last));
      FATHOM_CHECK(runBatch(batch, first));
    }
    m_progress.finish();
    return std::move(m_outcomes);
  }

 private:
  std::string prepared(const std::string& sql, bool prediction) const {
    return m_options.rule == ExecutionRule::TestSuite
               ? testSuiteQuery(sql, m_options.keepDistinct, prediction)
               : sql;
  }
  const SpiderSchema& schemaOf(std::size_t pair) const { return *findSchema(m_schemas, m_pairs[pair].dbId); }

  Status runBatch(const std::vector<std::size_t>& batch, std::size_t before) {
    TaskList list;
    std::vector<std::pair<std::size_t, std::size_t>> tasks;
    for (const auto i : batch) {
      const std::string database = databasePath(m_options.databases, m_pairs[i].dbId);
      const std::size_t gold = list.add(database, prepared(m_pairs[i].gold, false));
      tasks.emplace_back(gold, list.add(database, prepared(m_pairs[i].predicted, true)));
    }
    const double share = static_cast<double>(batch.size()) / static_cast<double>(list.tasks().size());
    FATHOM_TRY(const auto results, m_pool.runAll(list.tasks(), m_stop, [&](std::size_t done) {
      m_progress.report(static_cast<double>(before) + share * static_cast<double>(done));
    }));
    for (std::size_t k = 0; k < batch.size(); ++k) {
      const SpiderPair& pair = m_pairs[batch[k]];
      ExecutionOutcome& outcome = m_outcomes[batch[k]];
      outcome = compareResults(pair, schemaOf(batch[k]), results[tasks[k].first], results[tasks[k].second],
                               m_options.rule);
      outcome.placeholders = !outcome.right() && hasPlaceholders(pair.predicted);
    }
    if (m_options.plugValues) FATHOM_CHECK(plugBatch(batch, tasks, results));
    return checkAsWritten(batch);
  }

  // A prediction with gold's literals in its places, as far as they have been tried.
  struct Plugged {
    std::size_t position = 0;  // in the batch
    std::vector<std::string> variants;
    std::size_t next = 0;
  };

  // Rule F12 for the pairs of a batch that are not right as they stand; the variants of few of them are in
  // memory at once.
  Status plugBatch(const std::vector<std::size_t>& batch,
                   const std::vector<std::pair<std::size_t, std::size_t>>& tasks,
                   const std::vector<SqlRunResult>& results) {
    std::vector<Plugged> open;
    for (std::size_t k = 0; k < batch.size(); ++k) {
      const SpiderPair& pair = m_pairs[batch[k]];
      const Kind kind = m_outcomes[batch[k]].kind;
      if (kind != Kind::Right && kind != Kind::GoldError) {
        auto variants = pluggedQueries(pair.gold, pair.predicted);
        if (!variants.empty()) open.push_back({k, std::move(variants)});
      }
      const bool last = k + 1 == batch.size();
      while (open.size() >= kPluggedPairsAtOnce || (last && !open.empty()))
        FATHOM_CHECK(plugRound(batch, tasks, results, open));
    }
    return {};
  }

  // The next few variants of each; those that are right or have no more leave the list.
  Status plugRound(const std::vector<std::size_t>& batch,
                   const std::vector<std::pair<std::size_t, std::size_t>>& tasks,
                   const std::vector<SqlRunResult>& results, std::vector<Plugged>& open) {
    TaskList list;
    std::vector<std::vector<std::size_t>> taskOf(open.size());
    for (std::size_t o = 0; o < open.size(); ++o) {
      const std::string database = databasePath(m_options.databases, m_pairs[batch[open[o].position]].dbId);
      const std::size_t end = std::min(open[o].variants.size(), open[o].next + kVariantsAtOnce);
      for (std::size_t v = open[o].next; v < end; ++v)
        taskOf[o].push_back(list.add(database, prepared(open[o].variants[v], false)));
    }
    FATHOM_TRY(const auto plugged, m_pool.runAll(list.tasks(), m_stop));
    for (std::size_t o = 0; o < open.size(); ++o) {
      const std::size_t i = batch[open[o].position];
      m_outcomes[i].placeholders = false;
      for (const std::size_t task : taskOf[o]) {
        const std::string& sql = open[o].variants[open[o].next++];
        auto outcome = compareResults(m_pairs[i], schemaOf(i), results[tasks[open[o].position].first],
                                      plugged[task], m_options.rule);
        if (!outcome.right()) continue;
        outcome.pluggedSql = sql;
        m_outcomes[i] = std::move(outcome);
        break;
      }
    }
    std::erase_if(open, [&](const Plugged& p) {
      return m_outcomes[batch[p.position]].right() || p.next >= p.variants.size();
    });
    return {};
  }

  // What the test suite's preparation may hide: DISTINCT that makes the difference, and a refusal that only
  // the preparation caused.
  Status checkAsWritten(const std::vector<std::size_t>& batch) {
    if (m_options.rule != ExecutionRule::TestSuite) {
      for (const auto i : batch) m_outcomes[i].refused = refusedBySqlite(m_outcomes[i]);
      return {};
    }
    struct Check {
      std::size_t pair, gold, predicted;
    };
    TaskList list;
    std::vector<Check> checks;
    for (const auto i : batch) {
      const ExecutionOutcome& outcome = m_outcomes[i];
      const std::string database = databasePath(m_options.databases, m_pairs[i].dbId);
      const bool refused = refusedBySqlite(outcome);
      const std::string& ran = outcome.pluggedSql.empty() ? m_pairs[i].predicted : outcome.pluggedSql;
      const std::string gold = testSuiteQuery(m_pairs[i].gold, true, false);
      const std::string predicted = testSuiteQuery(ran, true, outcome.pluggedSql.empty() && !refused);
      const bool deleted =
          !m_options.keepDistinct && (gold != prepared(m_pairs[i].gold, false) ||
                                      predicted != prepared(ran, outcome.pluggedSql.empty()));
      if (!refused && !(outcome.right() && deleted)) continue;
      checks.push_back({i, list.add(database, gold), list.add(database, predicted)});
    }
    if (checks.empty()) return {};
    FATHOM_TRY(const auto results, m_pool.runAll(list.tasks(), m_stop));
    for (const auto& check : checks) {
      ExecutionOutcome& outcome = m_outcomes[check.pair];
      const auto written = compareResults(m_pairs[check.pair], schemaOf(check.pair), results[check.gold],
                                          results[check.predicted], m_options.rule);
      if (outcome.right()) {
        outcome.distinctIgnored = !written.right();
      } else {
        outcome.refused = refusedBySqlite(written);
      }
    }
    return {};
  }

  static bool refusedBySqlite(const ExecutionOutcome& outcome) {
    return outcome.kind == Kind::PredictionError && outcome.verdict == SqlVerdict::SqlError &&
           !outcome.placeholders;
  }

  SqlRunPool& m_pool;
  const std::vector<SpiderPair>& m_pairs;
  const SpiderSchemas& m_schemas;
  const ExecutionOptions& m_options;
  Progress& m_progress;
  const StopToken& m_stop;
  std::vector<ExecutionOutcome> m_outcomes;
};

}  // namespace

std::string ExecutionOutcome::name() const {
  switch (kind) {
    case Kind::Right:
      return "right";
    case Kind::Wrong:
      return "wrong";
    case Kind::Undecided:
      return "undecided";
    case Kind::GoldError:
      return "gold error";
    case Kind::PredictionError:
      break;
  }
  return sqlVerdictName(verdict);
}

ExecutionEvidence ExecutionOutcome::evidence() const {
  ExecutionEvidence out;
  const bool empty = goldRows == 0 && predictedRows == 0;
  if (kind == Kind::Right) {
    out.comparable = !empty && !distinctIgnored;  // two empty results say little
    out.equal = true;
    out.distinctIgnored = distinctIgnored;
    out.words = empty ? ReasonPhrase("both results are empty")
                      : ReasonPhrase("the same number of rows (%1)", {ReasonPhrase::number(goldRows)});
    if (!pluggedSql.empty())
      out.words = {"%1, with gold's values in it: %2", {out.words, ReasonPhrase::words(pluggedSql)}};
  } else if (kind == Kind::Wrong) {
    out.comparable = !placeholders;
    const std::vector<ReasonPhrase> rows = {ReasonPhrase::number(goldRows),
                                            ReasonPhrase::number(predictedRows)};
    out.words = placeholders
                    ? ReasonPhrase("rows of gold: %1, of the prediction, which has no values: %2", rows)
                    : ReasonPhrase("rows of gold: %1, of the prediction: %2", rows);
  } else {
    out.refused = refused;
    out.comparable = refused;
    out.words = ReasonPhrase::words(name() + (message.empty() ? "" : ": " + message));
  }
  return out;
}

std::string databasePath(const std::string& folder, const std::string& dbId) {
  return folder + "/" + dbId + "/" + dbId + ".sqlite";
}

Result<std::vector<ExecutionOutcome>> executePairs(SqlRunPool& pool, const std::vector<SpiderPair>& pairs,
                                                   const SpiderSchemas& schemas,
                                                   const ExecutionOptions& options, Progress& progress,
                                                   const StopToken& stop) {
  for (const auto& pair : pairs) {
    if (!findSchema(schemas, pair.dbId))
      return dataError("database \"" + pair.dbId + "\" is not in tables.json",
                       "is this the tables.json of the same split?");
  }
  return Execution(pool, pairs, schemas, options, progress, stop).run();
}

ExecutionOutcome compareResults(const SpiderPair& pair, const SpiderSchema& schema, const SqlRunResult& gold,
                                const SqlRunResult& predicted, ExecutionRule rule) {
  ExecutionOutcome outcome;
  outcome.goldRows = gold.rows.size();
  outcome.predictedRows = predicted.rows.size();
  if (!gold.ok() || !predicted.ok()) {
    const SqlRunResult& failed = gold.ok() ? predicted : gold;
    outcome.kind = gold.ok() ? Kind::PredictionError : Kind::GoldError;
    outcome.verdict = failed.verdict;
    outcome.message = failed.message;
    if (!gold.ok()) outcome.message = std::string(sqlVerdictName(gold.verdict)) + ": " + gold.message;
    return outcome;
  }
  const ResultMatch match =
      rule == ExecutionRule::TestSuite
          ? compareBags(gold, predicted, asksForOrder(pair.gold))
          : compareByKeys(gold, keysOf(pair.gold, schema), predicted, keysOf(pair.predicted, schema));
  outcome.kind = match == ResultMatch::Equal       ? Kind::Right
                 : match == ResultMatch::Different ? Kind::Wrong
                                                   : Kind::Undecided;
  return outcome;
}

std::vector<std::string> addDatabaseFacts(SqlRunPool& pool, const std::string& folder,
                                          const std::vector<SpiderPair>& pairs, SpiderSchemas& schemas) {
  std::set<std::string> seen;
  std::vector<std::string> notes;
  for (const auto& pair : pairs) {
    if (!seen.insert(pair.dbId).second) continue;
    const auto schema = schemas.find(pair.dbId);
    const auto facts = pool.schemaFacts(databasePath(folder, pair.dbId));
    if (!facts) notes.push_back(facts.error().text());
    if (facts && schema != schemas.end()) applySchemaFacts(schema->second, *facts);
  }
  return notes;
}

}  // namespace fathom
