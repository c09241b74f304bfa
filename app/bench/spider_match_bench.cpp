// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/spider_match_bench.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "app/bench/bench_child.h"
#include "core/base/files/path_facts.h"
#include "core/base/json/json.h"
#include "core/spider/data/spider_tables.h"
#include "core/spider/judgement/spider_review.h"

namespace fathom {

namespace {

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

ChildSpec peerSpec(const SpiderMatchBench& bench, const std::string& packages) {
  ChildSpec spec;
  spec.program = "/usr/bin/env";
  spec.arguments = {"python3",       besideSources("packaging/bench_peers/spider_match.py"),
                    "--packages",    packages,
                    "--gold",        bench.gold,
                    "--predictions", bench.predictions,
                    "--tables",      bench.tables,
                    "--databases",   bench.databases};
  return spec;
}

ChildSpec ourSpec(const SpiderMatchBench& bench, const std::string& program) {
  ChildSpec spec;
  spec.program = program;
  spec.arguments = {"spider-evaluate", "--gold",     bench.gold, "--predictions", bench.predictions,
                    "--tables",        bench.tables, "--print",  "tables",        "--json"};
  return spec;
}

// Reading and scoring once in this process.
Result<double> scoreHere(const SpiderMatchBench& bench) {
  const auto start = Clock::now();
  FATHOM_TRY(const auto gold, readGoldFile(bench.gold));
  SpiderDatabaseIds known;
  FATHOM_TRY(const SpiderSchemas schemas, readSpiderTablesOf(bench.tables, databasesOf(gold), &known));
  FATHOM_TRY(const PairedPredictions paired,
             readPredictions(bench.predictions, {}, gold, known, PredictionPairing::Official));
  FATHOM_TRY(const SpiderEvaluation evaluation, evaluateSpider(paired.pairs, schemas));
  return millisecondsSince(start);
}

// The peer's numbers must be ours. A share without any example is 0 in both.
Status sameScores(const Json& ours, const Json& peer) {
  for (const auto& [level, theirs] : peer.items()) {
    const Json& mine = ours.at(level);
    const auto differs = [](double a, double b) { return std::abs(a - b) > 1e-12; };
    std::string what;
    if (mine.at("count") != theirs.at("count")) what = "count";
    if (differs(mine.at("exact_match").get<double>(), theirs.at("exact").get<double>())) what = "exact match";
    for (const auto& [part, value] : theirs.at("partial").items()) {
      const Json& here = mine.at("partial").at(part);
      if (differs(here.at("accuracy").get<double>(), value[0].get<double>()) ||
          differs(here.at("recall").get<double>(), value[1].get<double>()))
        what = part;
    }
    if (!what.empty()) {
      return dataError("the peer's scores differ: " + what + " of level " + level,
                       "times of different results are not compared");
    }
  }
  return {};
}

}  // namespace

Result<SpiderMatchTimes> benchSpiderMatch(const SpiderMatchBench& bench, Progress& progress,
                                          const StopToken& stop) {
  SpiderMatchTimes times;
  FATHOM_TRY(const std::string program, fathomProgram());
  times.peer = besideSources("build/bench-peers/spider");
  progress.begin("scoring", "rounds", bench.rounds);
  FATHOM_TRY(const TimedRun first, timedRun(ourSpec(bench, program), "fathom", stop));
  times.examples = first.json.at("examples").get<int>();
  times.right = first.json.at("right").get<int>();
  if (!times.peer.empty()) {
    FATHOM_TRY(const TimedRun peer, timedRun(peerSpec(bench, times.peer), "the peer", stop));
    FATHOM_CHECK(sameScores(first.json.at("levels"), peer.json.at("levels")));
  }
  std::vector<double> ratios;
  for (int round = 0; round < bench.rounds; ++round) {
    FATHOM_TRY(const TimedRun ours, timedRun(ourSpec(bench, program), "fathom", stop));
    times.ours.push_back(ours.milliseconds);
    FATHOM_TRY(const double here, scoreHere(bench));
    times.ourScoring.push_back(here);
    if (!times.peer.empty()) {
      FATHOM_TRY(const TimedRun peer, timedRun(peerSpec(bench, times.peer), "the peer", stop));
      times.peers.push_back(peer.milliseconds);
      times.peerScoring.push_back(1000 * peer.json.at("seconds").get<double>());
      ratios.push_back(peer.milliseconds / ours.milliseconds);
    }
    progress.report(round + 1);
  }
  progress.finish();
  if (ratios.empty()) return times;
  std::sort(ratios.begin(), ratios.end());
  times.ratio = ratios[ratios.size() / 2];
  times.lowest = ratios.front();
  times.highest = ratios.back();
  return times;
}

}  // namespace fathom
