// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/figure_peer_bench.h"

#include <QTemporaryDir>
#include <algorithm>
#include <cmath>

#include "app/bench/bench_child.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/path_facts.h"

namespace fathom {

namespace {

constexpr int kFramesOfARound = 20;  // of a round
constexpr const char* kFewArtists = "lean";
constexpr const char* kUsualCalls = "usual";

double middle(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

FigureBenchLine middle(const std::vector<FigureBenchLine>& lines) {
  FigureBenchLine made;
  for (double FigureBenchLine::*field : {&FigureBenchLine::first, &FigureBenchLine::median,
                                         &FigureBenchLine::processor, &FigureBenchLine::pdf}) {
    std::vector<double> values;
    for (const FigureBenchLine& line : lines) values.push_back(line.*field);
    made.*field = middle(values);
  }
  for (const FigureBenchLine& line : lines) made.worst = std::max(made.worst, line.worst);
  return made;
}

// The program with its packages, and the figures as files.
class Peer {
 public:
  explicit Peer(const std::vector<BenchFigure>& figures) : m_figures(figures) {
    m_packages = besideSources("build/bench-peers/matplotlib");
    m_script = besideSources("packaging/bench_peers/figures.py");
  }
  bool absent() const { return m_packages.empty() || m_script.empty(); }

  Status writeFigures() const {
    for (const BenchFigure& figure : m_figures)
      FATHOM_CHECK(
          writeFileAtomically((m_folder.path() + QLatin1Char('/')).toStdString() + figure.id + ".json",
                              figureToJson(figure.spec).dump()));
    return {};
  }
  Result<Json> run(int frames, const char* way, const StopToken& stop) const {
    ChildSpec spec;
    spec.program = "/usr/bin/env";
    spec.arguments = {"python3",    m_script,
                      "--packages", m_packages,
                      "--figures",  m_folder.path().toStdString(),
                      "--frames",   std::to_string(frames),
                      "--way",      way};
    FATHOM_TRY(const TimedRun run, timedRun(spec, "matplotlib", stop));
    return run.json;
  }
  // An error unless the peer's artists hold the content that ours draw.
  Status check(const Json& json) const {
    for (const BenchFigure& figure : m_figures) {
      const FigureContent ours = contentOf(figure);
      const Json& theirs = json.at("figures").at(figure.id).at("check");
      const double sum = theirs.at("sum").get<double>();
      if (theirs.at("cells") == ours.cells && std::abs(sum - ours.sum) <= 1e-6 * std::abs(ours.sum)) continue;
      return dataError("matplotlib draws something else: " + figure.what + " has " +
                           std::to_string(ours.cells) + " cells that sum to " + std::to_string(ours.sum) +
                           ", not " + theirs.dump(),
                       "times of different figures are not compared");
    }
    return {};
  }

 private:
  const std::vector<BenchFigure>& m_figures;
  std::string m_packages, m_script;
  QTemporaryDir m_folder;
};

FigureBenchLine peerLine(const Json& json, const std::string& figure) {
  const Json& times = json.at("figures").at(figure);
  const auto redraws = times.at("redraw").get<std::vector<double>>();
  FigureBenchLine line;
  line.first = times.at("first").get<double>();
  line.median = middle(redraws);
  line.worst = *std::max_element(redraws.begin(), redraws.end());
  line.processor = middle(times.at("processor").get<std::vector<double>>());
  line.pdf = times.at("pdf").get<double>();
  return line;
}

// Medians of both sides and of the ratios of each round.
FigureTimes summary(const std::string& what, const std::vector<FigureBenchLine>& ours,
                    const std::vector<FigureBenchLine>& peers) {
  FigureTimes times;
  times.what = what;
  times.ours = middle(ours);
  if (peers.empty()) return times;
  times.peer = middle(peers);
  std::vector<double> redraws, files;
  for (std::size_t i = 0; i < peers.size(); ++i) {
    redraws.push_back(peers[i].median / ours[i].median);
    files.push_back(peers[i].pdf / ours[i].pdf);
  }
  times.redrawRatio = middle(redraws);
  times.lowest = *std::min_element(redraws.begin(), redraws.end());
  times.highest = *std::max_element(redraws.begin(), redraws.end());
  times.pdfRatio = middle(files);
  return times;
}

}  // namespace

Result<FigurePeerTimes> benchFigurePeer(const FigurePeerBench& bench, Progress& progress,
                                        const StopToken& stop) {
  const std::vector<BenchFigure> figures = benchFigures();
  const Peer peer(figures);
  FigurePeerTimes times;
  Json usual;
  if (!peer.absent()) {
    progress.begin("comparing with the peer", "", -1);
    FATHOM_CHECK(peer.writeFigures());
    FATHOM_TRY(const Json first, peer.run(1, kFewArtists, stop));
    FATHOM_CHECK(peer.check(first));
    times.peer = "matplotlib " + first.at("matplotlib").get<std::string>();
  }
  std::vector<std::vector<FigureBenchLine>> ours(figures.size()), peers(figures.size());
  progress.begin("drawing", "rounds", bench.rounds);
  for (int round = 0; round < bench.rounds; ++round) {
    for (std::size_t i = 0; i < figures.size(); ++i) {
      FATHOM_TRY(const FigureBenchLine line, measureFigure(figures[i], kFramesOfARound));
      ours[i].push_back(line);
    }
    if (!peer.absent()) {
      FATHOM_TRY(const Json json, peer.run(kFramesOfARound, kFewArtists, stop));
      for (std::size_t i = 0; i < figures.size(); ++i) peers[i].push_back(peerLine(json, figures[i].id));
    }
    progress.report(round + 1);
  }
  if (!peer.absent() && bench.usualCalls) {
    FATHOM_TRY(usual, peer.run(3, kUsualCalls, stop));
    FATHOM_CHECK(peer.check(usual));
  }
  for (std::size_t i = 0; i < figures.size(); ++i) {
    times.figures.push_back(summary(figures[i].what, ours[i], peers[i]));
    if (!usual.is_null()) times.figures.back().usualPeer = peerLine(usual, figures[i].id);
  }
  progress.finish();
  return times;
}

}  // namespace fathom
