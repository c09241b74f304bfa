// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/predictions/review_execution.h"

#include <algorithm>

#include "app/predictions/spider_inputs.h"
#include "core/base/files/path_facts.h"
#include "core/record/runs/project_folder.h"

namespace fathom {

namespace {

class ReviewExecution {
 public:
  ReviewExecution(SpiderReview& review, const SpiderSources& sources, const KeptExecutions& kept)
      : m_review(review), m_kept(kept), m_options{sources.databases, ExecutionRule::TestSuite, true} {
    for (const SpiderModel& model : review.models) {
      m_keys.push_back(
          KeptExecutions::key(model.pairs, sources.tables, m_options, SqlRunPoolOptions().limits));
      m_known.push_back(kept.find(m_keys.back(), model.pairs.size(), review.notes));
    }
  }

  Status run(Progress& progress, const StopToken& stop) {
    const bool all = std::all_of(m_known.begin(), m_known.end(), [](const auto& one) { return !!one; });
    if (!all) FATHOM_CHECK(executeOthers(progress, stop));
    const auto any = std::find_if(m_known.begin(), m_known.end(), [](const auto& one) { return !!one; });
    if (any == m_known.end()) return {};
    // All systems have the same databases.
    applyDatabaseFacts((*any)->facts, m_review.schemas);
    for (const std::string& note : (*any)->facts.notes) m_review.notes.push_back(note);
    std::vector<std::vector<std::optional<ExecutionEvidence>>> evidence;
    for (const auto& known : m_known) {
      evidence.emplace_back();
      if (known) evidence.back().assign(known->evidence.begin(), known->evidence.end());
    }
    return recategorise(m_review, m_review.preset, evidence, spiderThreads(), stop);
  }

 private:
  Status executeOthers(Progress& progress, const StopToken& stop) {
    auto pool = SqlRunPool::start({});
    if (!pool.ok()) {
      m_review.notes.push_back(pool.error().text());
      return {};
    }
    const DatabaseFacts facts = readDatabaseFacts(**pool, m_options.databases, m_review.models.front().pairs);
    SpiderSchemas schemas = m_review.schemas;
    applyDatabaseFacts(facts, schemas);
    for (std::size_t m = 0; m < m_known.size(); ++m) {
      if (m_known[m]) continue;
      FATHOM_TRY(const auto outcomes,
                 executePairs(**pool, m_review.models[m].pairs, schemas, m_options, progress, stop));
      KeptExecution fresh{facts, {}};
      for (const ExecutionOutcome& outcome : outcomes) fresh.evidence.push_back(outcome.evidence());
      // A sandbox that died says nothing of the next time.
      if (std::none_of(outcomes.begin(), outcomes.end(), hasCrashed))
        m_kept.keep(m_keys[m], fresh, m_review.notes);
      m_known[m] = std::move(fresh);
    }
    return {};
  }

  static bool hasCrashed(const ExecutionOutcome& outcome) {
    const auto crashed = [](const ExecutionVerdict& one) { return one.verdict == SqlVerdict::Crashed; };
    return crashed(outcome) || crashed(outcome.evident) || crashed(outcome.asWritten);
  }

  SpiderReview& m_review;
  const KeptExecutions& m_kept;
  ExecutionOptions m_options;
  std::vector<std::string> m_keys;
  std::vector<std::optional<KeptExecution>> m_known;
};

}  // namespace

Status executeStoredReview(SpiderReview& review, const SpiderSources& sources, const KeptExecutions& kept,
                           Progress& progress, const StopToken& stop) {
  if (sources.databases.empty() || !folderExists(sources.databases)) return {};
  if (const Phrase note = suiteOf(sources.databases, review.gold).note(); !note.empty())
    review.notes.push_back(note);
  return ReviewExecution(review, sources, kept).run(progress, stop);
}

KeptExecutions keptExecutions(const std::string& project, bool writable) {
  return {ProjectFolder(project).executionsPath(), writable};
}

}  // namespace fathom
