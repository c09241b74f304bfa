// SPDX-License-Identifier: Apache-2.0
#include "core/engine/bench/bench_pairs.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "core/base/files/path_facts.h"
#include "core/base/files/temporary_folder.h"

namespace fathom {

namespace {

namespace fs = std::filesystem;

Result<std::unique_ptr<BenchPeer>> startPeer(const PairBench& bench, const std::string& folder) {
  const std::string script =
      bench.peerScript.empty() ? besideSources("packaging/bench_peers/" + bench.script) : bench.peerScript;
  if (script.empty())
    return unavailableError("the peer's script " + bench.script + " was not found", "give it with --peer");
  FATHOM_TRY(auto peer, BenchPeer::start({bench.python, script, folder}));
  return peer;
}

Status compare(const PairBench& bench, const Json& theirs, Json& check) {
  bool equal = true;
  for (const BenchCheck& ours : bench.check) {
    const double other = theirs.at(ours.name).get<double>();
    check[ours.name] = ours.value;
    check["peer_" + ours.name] = other;
    equal = equal && std::abs(other - ours.value) <= ours.allowedGap * std::max(std::abs(ours.value), 1e-12);
  }
  check["equal"] = equal;
  if (equal) return {};
  return numericError("the peer computes something else, nothing was timed: " + check.dump());
}

struct PairTiming {
  std::vector<double> ours, peer, ratios;  // seconds a step
  double wall = 0, cpu = 0, peerCpu = 0;
  std::int64_t peerPeak = 0;
};

void timePair(const PairBench& bench, BenchPeer* peer, PairTiming& timing) {
  const auto steps = static_cast<double>(bench.steps);
  const BenchClock begin = BenchClock::now();
  for (std::int64_t i = 0; i < bench.steps; ++i) bench.step();
  const BenchClock end = BenchClock::now();
  timing.ours.push_back((end.wall - begin.wall) / steps);
  timing.wall += end.wall - begin.wall;
  timing.cpu += end.cpu - begin.cpu;
  if (peer == nullptr) return;
  const Json answer = peer->ask("run " + std::to_string(bench.steps)).value();
  timing.peer.push_back(answer.at("seconds").get<double>() / steps);
  timing.peerCpu += answer.at("cpu").get<double>();
  timing.ratios.push_back(timing.peer.back() / timing.ours.back());
  timing.peerPeak = std::max(timing.peerPeak, answer.value("peak_bytes", std::int64_t{0}));
}

void addRatios(const PairTiming& timing, Json& json) {
  if (timing.ratios.empty()) return;
  json["peer_seconds_a_step"] = median(timing.peer);
  json["ratio"] = median(timing.ratios);
  json["cpu_ratio"] = timing.peerCpu / timing.cpu;  // what the processor did, whoever else wanted it
  json["ratio_lowest"] = *std::min_element(timing.ratios.begin(), timing.ratios.end());
  json["ratio_highest"] = *std::max_element(timing.ratios.begin(), timing.ratios.end());
  if (timing.peerPeak > 0) json["peer_peak_bytes"] = timing.peerPeak;
}

}  // namespace

PairBench pairBench(const char* id, const char* script, const BenchSettings& settings) {
  PairBench bench;
  bench.id = id;
  bench.script = script;
  bench.peerScript = settings.peerScript;
  bench.python = settings.python;
  bench.pairs = settings.pairs;
  bench.steps = settings.steps;
  return bench;
}

Status finishBench(const Result<Json>& result, int threads) {
  FATHOM_TRY(Json json, result);
  json["threads"] = threads;
  std::cout << json.dump(1) << std::endl;
  return {};
}

Result<Json> runPairBench(const PairBench& bench, const WriteInputs& inputs) {
  const TemporaryFolder folder;
  FATHOM_CHECK(inputs(folder.path()));
  Json check = Json::object();
  std::unique_ptr<BenchPeer> peer;
  auto started = startPeer(bench, folder.path());
  Result<Json> theirs = started.ok() ? (*started)->ask("check") : Result<Json>(started.error());
  if (theirs.ok()) {
    peer = std::move(started).value();
    FATHOM_CHECK(compare(bench, *theirs, check));
  } else {
    for (const BenchCheck& ours : bench.check) check[ours.name] = ours.value;
    check["peer"] = theirs.error().text();
  }
  bench.step();
  if (peer) {
    FATHOM_TRY(const Json warm, peer->ask("run 1"));
  }
  PairTiming timing;
  resetPeakMemory();
  const BenchClock begin = BenchClock::now();
  for (std::int64_t pair = 0; pair < bench.pairs; ++pair) timePair(bench, peer.get(), timing);
  const BenchClock end = BenchClock::now();
  const double load = foreignLoad(begin, end, timing.cpu + timing.peerCpu);
  Json json;
  json["format"] = 1;
  json["bench"] = bench.id;
  json["seconds_a_step"] = median(timing.ours);
  json["cpu_to_wall"] = timing.cpu / timing.wall;
  json["foreign_load"] = load;
  json["noisy"] = load > 0.1;
  json["pairs"] = bench.pairs;
  json["steps"] = bench.steps;
  json["peak_bytes"] = peakMemory();
  addRatios(timing, json);
  json["check"] = check;
  return json;
}

void resetPeakMemory() {
  std::ofstream("/proc/self/clear_refs") << "5";
}

std::int64_t peakMemory() {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("VmHWM:")) return std::stoll(line.substr(6)) * 1024;
  return 0;
}

}  // namespace fathom
