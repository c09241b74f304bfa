// SPDX-License-Identifier: Apache-2.0
#include "core/execution/spider_execution.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <numeric>
#include <set>

#include "core/base/errors/phrase.h"
#include "core/base/errors/word_table.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/spider/official/execution_keys.h"
#include "core/spider/scoped/value_plugin.h"

namespace fathom {

namespace {

using Kind = ExecutionVerdict::Kind;

// Queries of so many bytes (one pair at least) are prepared at once; of their results the pool holds few.
constexpr std::size_t kQueryBytesAtOnce = std::size_t{16} << 20;

std::vector<std::string> keysOf(const std::string& sql, const SpiderSchema& schema) {
  const auto query = parseOfficialSql(sql, schema);
  return query ? executionKeys(normaliseForMatch(*query, schema)) : std::vector<std::string>();
}

// Pairs with the same gold query, which is run once for all their predictions; a prediction that several have
// is run once, too.
class GroupList {
 public:
  void add(std::size_t pair, const std::string& database, std::string gold, std::string predicted) {
    const auto [found, fresh] = m_index.emplace(std::pair{database, gold}, m_groups.size());
    if (fresh) {
      m_groups.push_back({database, {std::move(gold)}});
      m_pairs.emplace_back(1);
    }
    auto& queries = m_groups[found->second].queries;
    auto& pairs = m_pairs[found->second];
    const auto same = std::find(queries.begin() + 1, queries.end(), predicted);
    const auto at = static_cast<std::size_t>(same - queries.begin());
    if (same == queries.end()) {
      queries.push_back(std::move(predicted));
      pairs.emplace_back();
    }
    pairs[at].push_back(pair);
  }
  const std::vector<SqlRunGroup>& groups() const { return m_groups; }
  const std::string& query(std::size_t group, std::size_t query) const {
    return m_groups[group].queries[query];
  }
  // Whose prediction a query of a group is.
  const std::vector<std::size_t>& pairs(std::size_t group, std::size_t query) const {
    return m_pairs[group][query];
  }
  std::size_t queries() const {
    std::size_t count = 0;
    for (const SqlRunGroup& group : m_groups) count += group.queries.size();
    return count;
  }

 private:
  std::vector<SqlRunGroup> m_groups;
  std::vector<std::vector<std::vector<std::size_t>>> m_pairs;
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
    m_progress.begin(Phrase::tr("executing queries").english, Phrase::tr("pairs").english,
                     static_cast<double>(order.size()));
    std::vector<std::size_t> batch;
    std::size_t bytes = 0, before = 0;
    for (std::size_t k = 0; k < order.size(); ++k) {
      batch.push_back(order[k]);
      bytes += m_pairs[order[k]].gold.size() + m_pairs[order[k]].predicted.size();
      if (bytes < kQueryBytesAtOnce && k + 1 < order.size()) continue;
      FATHOM_CHECK(runBatch(batch, before));
      before = k + 1;
      batch.clear();
      bytes = 0;
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
  std::string databaseOf(std::size_t pair) const {
    return databasePath(m_options.databases, m_pairs[pair].dbId);
  }
  ExecutionVerdict compared(std::size_t pair, const SqlRunResult& gold, const SqlRunResult& predicted,
                            std::string executed) const {
    ExecutionVerdict verdict = compareResults(m_pairs[pair], schemaOf(pair), gold, predicted, m_options.rule);
    verdict.executed = std::move(executed);
    return verdict;
  }

  Status runBatch(const std::vector<std::size_t>& batch, std::size_t before) {
    GroupList list;
    for (const auto i : batch)
      list.add(i, databaseOf(i), prepared(m_pairs[i].gold, false), prepared(m_pairs[i].predicted, true));
    const double share = static_cast<double>(batch.size()) / static_cast<double>(list.queries());
    FATHOM_CHECK(m_pool.runGroups(
        list.groups(),
        [&](std::size_t group, std::size_t query, const SqlRunResult& gold, const SqlRunResult& predicted) {
          for (const std::size_t i : list.pairs(group, query))
            m_outcomes[i] = ExecutionOutcome(compared(i, gold, predicted, list.query(group, query)));
          return true;
        },
        m_stop,
        [&](std::size_t done) {
          m_progress.report(static_cast<double>(before) + share * static_cast<double>(done));
        }));
    FATHOM_CHECK(runAsWritten(batch));
    if (m_options.plugValues) FATHOM_CHECK(plugBatch(batch));
    return checkPlugged(batch);
  }

  // Both queries as they are written, where that is another text than what ran.
  Status runAsWritten(const std::vector<std::size_t>& batch) {
    GroupList list;
    for (const auto i : batch) {
      ExecutionOutcome& outcome = m_outcomes[i];
      const SpiderPair written = pairAsWritten(m_pairs[i], schemaOf(i));
      if (written.predicted != outcome.executed || written.gold != prepared(m_pairs[i].gold, false))
        list.add(i, databaseOf(i), written.gold, written.predicted);
      outcome.placeholders = hasPlaceholders(m_pairs[i].predicted, &schemaOf(i));
    }
    const auto take = [&](std::size_t group, std::size_t query, const SqlRunResult& gold,
                          const SqlRunResult& predicted) {
      for (const std::size_t i : list.pairs(group, query)) {
        m_outcomes[i].asWritten = compared(i, gold, predicted, list.query(group, query));
        m_outcomes[i].evident = m_outcomes[i].asWritten;
      }
      return true;
    };
    FATHOM_CHECK(m_pool.runGroups(list.groups(), take, m_stop));
    for (const auto i : batch) {
      m_outcomes[i].placeholders = m_outcomes[i].placeholders && !m_outcomes[i].evident.right();
      noteDistinct(i);
    }
    return {};
  }

  void noteDistinct(std::size_t pair) {
    ExecutionOutcome& outcome = m_outcomes[pair];
    const bool deletes = m_options.rule == ExecutionRule::TestSuite && !m_options.keepDistinct;
    outcome.distinctIgnored =
        deletes && outcome.right() && !outcome.evident.right() &&
        (hasDistinct(m_pairs[pair].gold) ||
         hasDistinct(outcome.pluggedSql.empty() ? m_pairs[pair].predicted : outcome.pluggedSql));
  }

  // Rule F12 for the pairs of a batch that are not right as they stand: the variants of the prediction with
  // gold's literals in its places, until one is right.
  Status plugBatch(const std::vector<std::size_t>& batch) {
    std::vector<Plugged> open;
    std::size_t bytes = 0;
    for (const auto i : batch) {
      const Kind kind = m_outcomes[i].kind;
      if (kind == Kind::Right || kind == Kind::GoldError) continue;
      Plugged plugged{i, pluggedQueries(m_pairs[i].gold, m_pairs[i].predicted)};
      if (plugged.variants.empty()) continue;
      for (const std::string& variant : plugged.variants) bytes += variant.size();
      open.push_back(std::move(plugged));
      if (bytes < kQueryBytesAtOnce) continue;
      FATHOM_CHECK(plugPairs(open));
      open.clear();
      bytes = 0;
    }
    return plugPairs(open);
  }

  struct Plugged {
    std::size_t pair = 0;
    std::vector<std::string> variants;
  };

  Status plugPairs(const std::vector<Plugged>& open) {
    std::vector<SqlRunGroup> groups;
    for (const Plugged& plugged : open) {
      SqlRunGroup group{databaseOf(plugged.pair), {prepared(m_pairs[plugged.pair].gold, false)}};
      for (const std::string& variant : plugged.variants) group.queries.push_back(prepared(variant, false));
      groups.push_back(std::move(group));
    }
    std::vector<double> spent(open.size(), 0.0);
    const auto take = [&](std::size_t group, std::size_t query, const SqlRunResult& gold,
                          const SqlRunResult& predicted) {
      ExecutionOutcome& outcome = m_outcomes[open[group].pair];
      outcome.placeholders = false;
      if (query == 0) return true;
      spent[group] += predicted.seconds;  // a group is run by one thread
      auto verdict = compared(open[group].pair, gold, predicted, groups[group].queries[query]);
      if (!verdict.right()) return m_options.plugSeconds <= 0 || spent[group] < m_options.plugSeconds;
      static_cast<ExecutionVerdict&>(outcome) = std::move(verdict);
      outcome.pluggedSql = open[group].variants[query - 1];
      return false;
    };
    return m_pool.runGroups(groups, take, m_stop);
  }

  // Checks that predictions made right by gold's values are right as written, too. One that was right there
  // without them needs none.
  Status checkPlugged(const std::vector<std::size_t>& batch) {
    GroupList list;
    for (const auto i : batch) {
      ExecutionOutcome& outcome = m_outcomes[i];
      if (outcome.pluggedSql.empty() || outcome.asWritten.right()) continue;
      const SpiderPair written =
          pairAsWritten({m_pairs[i].dbId, m_pairs[i].gold, outcome.pluggedSql}, schemaOf(i));
      outcome.evident = outcome;
      if (written.predicted != outcome.executed || written.gold != prepared(m_pairs[i].gold, false))
        list.add(i, databaseOf(i), written.gold, written.predicted);
    }
    const auto take = [&](std::size_t group, std::size_t query, const SqlRunResult& gold,
                          const SqlRunResult& predicted) {
      for (const std::size_t i : list.pairs(group, query)) {
        m_outcomes[i].evident = compared(i, gold, predicted, list.query(group, query));
        noteDistinct(i);
      }
      return true;
    };
    return m_pool.runGroups(list.groups(), take, m_stop);
  }

  SqlRunPool& m_pool;
  const std::vector<SpiderPair>& m_pairs;
  const SpiderSchemas& m_schemas;
  const ExecutionOptions& m_options;
  Progress& m_progress;
  const StopToken& m_stop;
  std::vector<ExecutionOutcome> m_outcomes;
};

constexpr EnumWord<ExecutionVerdict::Kind> kOutcomeWords[] = {
    {ExecutionVerdict::Kind::Right, "right"},
    {ExecutionVerdict::Kind::Wrong, "wrong"},
    {ExecutionVerdict::Kind::Undecided, Phrase::tr("undecided").english},
    {ExecutionVerdict::Kind::GoldError, Phrase::tr("gold error").english}};

Json countsJson(const std::map<std::string, int>& counts) {
  Json json = Json::object();
  for (const auto& [name, count] : counts) json[name] = count;
  return json;
}

}  // namespace

std::string ExecutionVerdict::name() const {
  return kind == Kind::PredictionError ? sqlVerdictName(verdict) : wordOf(kOutcomeWords, kind);
}

ExecutionEvidence ExecutionOutcome::evidence() const {
  ExecutionEvidence out;
  const bool empty = evident.goldRows == 0 && evident.predictedRows == 0;
  if (evident.right() || distinctIgnored) {
    out.comparable = !empty && !distinctIgnored;  // two empty results say little
    out.equal = true;
    out.distinctIgnored = distinctIgnored;
    out.words =
        empty ? Phrase(Phrase::tr("both results are empty"))
              : Phrase::tr("the same number of rows (%1)")(distinctIgnored ? goldRows : evident.goldRows);
    if (!pluggedSql.empty() && !asWritten.right())
      out.words = Phrase::tr("%1, with gold's values in it: %2")(Phrase(out.words), pluggedSql);
  } else if (evident.kind == Kind::Wrong) {
    out.comparable = !placeholders;
    out.words = placeholders ? Phrase::tr("rows of gold: %1, of the prediction, which has no values: %2")(
                                   evident.goldRows, evident.predictedRows)
                             : Phrase::tr("rows of gold: %1, of the prediction: %2")(evident.goldRows,
                                                                                     evident.predictedRows);
  } else {
    out.refused =
        evident.kind == Kind::PredictionError && evident.verdict == SqlVerdict::SqlError && !placeholders;
    out.comparable = out.refused;
    const Phrase said = Phrase::known(evident.name());
    out.words = evident.message.empty() ? said : Phrase::tr("%1: %2")(said, evident.message);
  }
  return out;
}

Json executionCounts(const std::vector<ExecutionOutcome>& outcomes) {
  std::map<std::string, int> counts;
  for (const auto& outcome : outcomes) ++counts[outcome.name()];
  return countsJson(counts);
}

std::vector<ExecutionCount> allExecutionCounts(const std::vector<ExecutionOutcome>& outcomes,
                                               bool withGoldValues) {
  ExecutionCount predicted{"as_predicted", Phrase::tr("as predicted"), {}};
  ExecutionCount valued{"with_gold_values", Phrase::tr("with gold's values"), {}};
  ExecutionCount written{"as_written", Phrase::tr("as written"), {}};
  for (const auto& outcome : outcomes) {
    ++predicted.counts[outcome.asPredicted.name()];
    ++valued.counts[outcome.name()];
    ++written.counts[outcome.asWritten.name()];
  }
  std::vector<ExecutionCount> all = {std::move(predicted)};
  if (withGoldValues) all.push_back(std::move(valued));
  all.push_back(std::move(written));
  return all;
}

Json allExecutionJson(const std::vector<ExecutionOutcome>& outcomes, bool withGoldValues) {
  Json json = Json::object();
  for (const ExecutionCount& one : allExecutionCounts(outcomes, withGoldValues))
    json[one.id] = countsJson(one.counts);
  return json;
}

Phrase SuiteDatabases::note() const {
  if (there <= executed) return {};
  return Phrase::tr("%1 of %2 databases are executed: the others of the test suite are left out")(executed,
                                                                                                  there);
}

SuiteDatabases suiteDatabases(const std::string& folder, const std::set<std::string>& databases) {
  namespace fs = std::filesystem;
  SuiteDatabases out;
  for (const std::string& id : databases) {
    const auto own = id + ".sqlite";
    for (const fs::directory_entry& entry : seenIn(folder + "/" + id)) {
      const std::string name = entry.path().filename().string();
      std::error_code odd;
      if (name.find(".sqlite") == std::string::npos || !entry.is_regular_file(odd)) continue;
      // SQLite itself puts such files beside a database that is in use.
      if (name.ends_with("-journal") || name.ends_with("-wal") || name.ends_with("-shm")) continue;
      ++out.there;
      out.executed += name == own;
    }
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
      return dataError(Phrase::tr("database \"%1\" is not in tables.json")(pair.dbId),
                       Phrase::tr("is this the tables.json of the same split?"));
  }
  return Execution(pool, pairs, schemas, options, progress, stop).run();
}

ExecutionVerdict compareResults(const SpiderPair& pair, const SpiderSchema& schema, const SqlRunResult& gold,
                                const SqlRunResult& predicted, ExecutionRule rule) {
  ExecutionVerdict outcome;
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

SpiderPair pairAsWritten(const SpiderPair& pair, const SpiderSchema& schema) {
  return {pair.dbId, queryAsWritten(pair.gold, schema), queryAsWritten(pair.predicted, schema)};
}

ExecutionOutcome writtenOutcome(const SpiderPair& pair, const SpiderSchema& schema, const SqlRunResult& gold,
                                const SqlRunResult& predicted) {
  ExecutionOutcome outcome(compareResults(pair, schema, gold, predicted, ExecutionRule::TestSuite));
  outcome.placeholders = !outcome.right() && hasPlaceholders(pair.predicted, &schema);
  return outcome;
}

DatabaseFacts readDatabaseFacts(SqlRunPool& pool, const std::string& folder,
                                const std::vector<SpiderPair>& pairs) {
  std::set<std::string> seen;
  DatabaseFacts out;
  for (const auto& pair : pairs) {
    if (!seen.insert(pair.dbId).second) continue;
    auto facts = pool.schemaFacts(databasePath(folder, pair.dbId));
    if (facts)
      out.declared.emplace(pair.dbId, std::move(facts).value());
    else
      out.notes.push_back(facts.error().text());
  }
  return out;
}

void applyDatabaseFacts(const DatabaseFacts& facts, SpiderSchemas& schemas) {
  for (const auto& [database, declared] : facts.declared)
    if (const auto schema = schemas.find(database); schema != schemas.end())
      applySchemaFacts(schema->second, declared);
}

std::vector<std::string> addDatabaseFacts(SqlRunPool& pool, const std::string& folder,
                                          const std::vector<SpiderPair>& pairs, SpiderSchemas& schemas) {
  DatabaseFacts facts = readDatabaseFacts(pool, folder, pairs);
  applyDatabaseFacts(facts, schemas);
  return std::move(facts.notes);
}

}  // namespace fathom
