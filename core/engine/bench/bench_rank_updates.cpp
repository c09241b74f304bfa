// SPDX-License-Identifier: Apache-2.0
#include "core/engine/bench/bench_rank_updates.h"

#include <ATen/Functions.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <thread>

#include "core/analysis/training/rank_scaling.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/temporary_folder.h"
#include "core/base/json/json_text.h"
#include "core/engine/bench/bench_peer.h"
#include "core/nn/pretrained/encoder_folder.h"
#include "core/nn/pretrained/option_names.h"
#include "core/nn/pretrained/tensor_file.h"
#include "core/objectives/device_batch.h"
#include "core/objectives/encoder_features.h"
#include "core/optim/optimizer.h"
#include "core/record/presets.h"
#include "core/tasks/task.h"
#include "core/train/loop/update_step.h"
#include "core/train/parallel/all_reduce_times.h"
#include "core/train/parallel/network_way.h"
#include "core/train/parallel/process_meeting.h"
#include "core/train/parts/compute_device.h"
#include "core/train/parts/exception_error.h"
#include "core/train/parts/run_options.h"
#include "core/train/parts/run_parts.h"

namespace fathom {

namespace {

constexpr double kRanksRate = 1e-4, kRanksClip = 1;
constexpr double kRanksGap = 1e-4;  // relative, of each loss: float32, sums in another order
constexpr std::int64_t kCompared = 6;

const std::vector<std::string> kOfMaskedWords = {"mlm.random_next=0", "model.bert.head=masked_words"};

bool learnsMaskedWords(const OptionValues& options) {
  if (options.text("model") != "bert") return false;
  const std::string head = options.text(kBertHead);
  return head == "masked_words" || head == "pretraining";
}

Result<OptionValues> optionsOf(const RankUpdatesBench& bench, const std::string& dataOptions) {
  FATHOM_TRY(const Preset preset, findPreset(bench.preset));
  RunConfig config;
  config.options = preset.options;
  FATHOM_TRY(const Json data, parseJson(dataOptions));
  config.options.update(data);
  std::vector<std::string> assignments = bench.assignments;
  const std::vector<std::string>& alike = optionsLikePeers();
  assignments.insert(assignments.end(), alike.begin(), alike.end());
  for (const char* one : {"device=cpu", "threads=1"}) assignments.emplace_back(one);
  FATHOM_TRY(const OptionValues plain, runOptions(config, "preset " + bench.preset, assignments));
  if (learnsMaskedWords(plain))
    assignments.insert(assignments.end(), kOfMaskedWords.begin(), kOfMaskedWords.end());
  return runOptions(config, "preset " + bench.preset, assignments);
}

// Options of the preset's made data, which are written into the folder.
Result<std::string> makeData(const RankUpdatesBench& bench, const std::string& folder) {
  FATHOM_TRY(const Preset preset, findPreset(bench.preset));
  const TaskEntry* task = taskOf(preset.options);
  if (task == nullptr || task->madeData.write == nullptr)
    return usageError(Phrase::tr("preset '%1' has no made data to be measured on")(bench.preset));
  FATHOM_TRY(const MadeData made, task->madeData.write(folder + "/data", 1, MadeDataSize::Training));
  return jsonText(made.options);
}

// Model and batches of one rank: `size` batches an update.
class RankModel {
 public:
  RankModel(const OptionValues& options, GradientExchange& exchange, std::int64_t updates)
      : m_options(options), m_exchange(exchange), m_updates(updates) {
    m_parts = makeRunParts(m_options, {.device = "cpu"}).value();
    initialiseParts(m_parts, m_options, false).value();
    const auto seed = static_cast<std::uint64_t>(m_options.integer("seed"));
    const std::int64_t all = updates * m_exchange.size();
    for (std::int64_t epoch = 0; count() < all; ++epoch) {
      for (const std::int64_t place : m_parts.task->epochOrder(seed, epoch)) {
        if (count() == all) break;
        m_batches.push_back(toDevice(m_parts.task->makeTrainBatch(epoch, place), m_parts.device));
      }
    }
    const auto state = m_parts.model->parameters().state();
    m_initial = {state.begin(), state.end()};
    restart();
  }

  // Back to the first update.
  void restart() {
    m_parts.model->parameters().load(m_initial).value();
    m_optimizer = makeOptimizer(m_options, m_parts.model->parameters()).value();
    m_alone = std::make_unique<UpdateStep>(*m_optimizer, Normalisation::PerUnit, ClipRule::Torch, kRanksClip);
    m_together =
        std::make_unique<UpdateStep>(*m_optimizer, Normalisation::PerUnit, ClipRule::Torch, kRanksClip);
    m_share = std::make_unique<RankShare>(m_exchange, StopToken(), 0);
    m_together->share(*m_share, m_exchange.size());
    m_count = 0;
  }

  // Mean losses before the update of: all batches by this process, its own batch alone, and its own one with
  // the other ranks.
  double updateAlone() {
    std::vector<std::int64_t> places;
    for (int place = 0; place < m_exchange.size(); ++place) places.push_back(place);
    return update(*m_alone, places);
  }
  double updateOwn() { return update(*m_alone, {m_exchange.rank()}); }
  double updateTogether() { return update(*m_together, {m_exchange.rank()}); }

  // A sum of as many numbers as the gradients have, and nothing else.
  void sumAlone() {
    if (m_flat.empty()) {
      constexpr std::int64_t kBucket = (std::int64_t{25} << 20) / 4;
      for (std::int64_t left = parameters(); left > 0; left -= kBucket)
        m_flat.push_back(at::zeros({std::min(left, kBucket)}, at::kFloat));
    }
    for (const torch::Tensor& flat : m_flat) m_exchange.launch(flat);
    m_exchange.finish();
  }
  // Of clipping and the optimiser, in the mean.
  double stepSeconds() const {
    return m_stepSeconds / static_cast<double>(std::max<std::int64_t>(1, m_steps));
  }
  std::int64_t parameters() const { return m_parts.model->parameters().parameterCount(); }

  // "" where the peer has no such model.
  std::string kind() const {
    if (m_options.text("model") == "encoder_decoder") return "translation";
    return learnsMaskedWords(m_options) ? "bert" : "";
  }

  // Before the first update.
  Status write(const std::string& folder) const {
    std::map<std::string, torch::Tensor> tensors, inputs;
    for (const auto& [name, tensor] : m_parts.model->parameters().state()) tensors.emplace(name, tensor);
    for (std::size_t i = 0; i < m_batches.size(); ++i)
      addInputs(m_batches[i], std::to_string(i) + ".", inputs);
    FATHOM_TRY(const std::string hash,
               writeTensors(folder + "/inputs.safetensors", {inputs.begin(), inputs.end()}));
    if (kind() == "bert") {
      const ModelInputs facts(m_parts.task->modelSizes());
      FATHOM_CHECK(writeHuggingFaceEncoder({m_options, facts, std::move(tensors), {}}, folder + "/model"));
    } else {
      FATHOM_TRY(const std::string weights,
                 writeTensors(peerWeights(folder), {tensors.begin(), tensors.end()}));
    }
    const Json config = {{"kind", kind()},
                         {"layers", m_options.integer("encoder.layers")},
                         {"heads", m_options.integer("model.heads")},
                         {"dropout", 0},
                         {"threads", 1},
                         {"rate", kRanksRate},
                         {"clip", kRanksClip},
                         {"updates", m_updates},
                         {"compared", std::min(kCompared, m_updates)}};
    return writePeerConfig(folder, config);
  }

 private:
  std::int64_t count() const { return static_cast<std::int64_t>(m_batches.size()); }

  double update(UpdateStep& step, const std::vector<std::int64_t>& places) {
    StepContext context{.seed = 1, .update = m_count, .training = true};
    const std::int64_t first = m_count++ % m_updates * m_exchange.size();
    step.begin();
    for (const std::int64_t place : places) {
      context.microBatch = place;
      const DeviceBatch& batch = m_batches[static_cast<std::size_t>(first + place)];
      step.add(m_parts.objective->forward(*m_parts.model, batch, context), place, place == places.back());
    }
    const bool alone = &step == m_alone.get();
    if (alone) step.sums();
    const auto begun = std::chrono::steady_clock::now();
    step.gradientNorm();
    step.apply(kRanksRate);
    if (alone) {
      m_stepSeconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
      ++m_steps;
    }
    return step.sums().loss / step.sums().units;
  }

  void addInputs(const DeviceBatch& batch, const std::string& prefix,
                 std::map<std::string, torch::Tensor>& to) const {
    if (kind() == "translation") {
      to.emplace(prefix + "source", batch.array("source").clone());
      to.emplace(prefix + "decoder_input", batch.array("prev_target").clone());
      to.emplace(prefix + "target", batch.array("target").clone());
      return;
    }
    const TextBatch text = pieceRows(batch);
    torch::Tensor labels = at::full({text.tokens.numel()}, -100, at::kLong);
    labels.index_copy_(0, batch.array("masked_positions"), batch.array("masked_labels"));
    to.emplace(prefix + "tokens", text.tokens.clone());
    to.emplace(prefix + "segments",
               text.segments.defined() ? text.segments.clone() : at::zeros_like(text.tokens));
    to.emplace(prefix + "mask", text.padding.defined() ? text.padding.logical_not().to(at::kLong)
                                                       : at::ones_like(text.tokens));
    to.emplace(prefix + "labels", labels.view_as(text.tokens));
  }

  OptionValues m_options;
  GradientExchange& m_exchange;
  std::int64_t m_updates;
  RunParts m_parts;
  std::vector<DeviceBatch> m_batches;
  std::map<std::string, torch::Tensor> m_initial;  // weights
  std::vector<torch::Tensor> m_flat;
  std::unique_ptr<Optimizer> m_optimizer;
  std::unique_ptr<UpdateStep> m_alone, m_together;
  std::unique_ptr<RankShare> m_share;
  std::int64_t m_count = 0, m_steps = 0;
  double m_stepSeconds = 0;
};

// Seconds of an update, and processor seconds of the ranks that took part, in the mean.
struct Timed {
  double seconds = 0, cpu = 0;
};

// A port of this address that is free now.
int freePort(const std::string& address) {
  const int socket = listenHere(address).value();
  sockaddr_in place{};
  socklen_t length = sizeof place;
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&place), &length);
  ::close(socket);
  return ntohs(place.sin_port);
}

class RankUpdates {
 public:
  RankUpdates(const RankUpdatesBench& bench, GradientExchange& exchange, const std::string& address,
              const std::string& folder)
      : m_bench(bench), m_exchange(exchange), m_address(address), m_folder(folder) {
    const Json told = parseJson(m_exchange.fromFirst(first() ? place() : "")).value();
    m_folder = told.at("folder").get<std::string>();
    m_port = told.at("port").get<int>();
    m_model = std::make_unique<RankModel>(optionsOf(bench, told.at("data").get<std::string>()).value(),
                                          m_exchange, bench.updates);
  }

  // All ranks do the same, in the same order.
  Json measure() {
    startPeer();
    compare();
    const BenchClock begin = BenchClock::now();
    for (std::int64_t round = 0; round < m_bench.rounds; ++round) {
      m_rounds["one"].push_back(timed(m_bench.updates, first() ? 1 : 0, [&] { m_model->updateAlone(); }));
      m_rounds["own"].push_back(timed(m_bench.updates, 1, [&] { m_model->updateOwn(); }));
      m_rounds["sum"].push_back(timed(m_bench.updates, 1, [&] { m_model->sumAlone(); }));
      m_rounds["ranks"].push_back(timed(m_bench.updates, 1, [&] { m_model->updateTogether(); }));
      if (m_peer) m_rounds["peer"].push_back(peerRound());
    }
    const BenchClock end = BenchClock::now();
    const AllReduceTimes times = timeAllReduce(m_exchange);
    const RankLink link = linkOf(times.ranks, times.ofFew, times.bytes, times.ofMany);
    Json json = report(link);
    json["foreign_load"] = foreignLoad(begin, end, m_cpu);
    return json;
  }

 private:
  bool first() const { return m_exchange.rank() == 0; }
  double size() const { return m_exchange.size(); }

  std::string place() const {
    return jsonText(Json{
        {"folder", m_folder}, {"port", freePort(m_address)}, {"data", makeData(m_bench, m_folder).value()}});
  }

  // A rank of the peer for each of ours, or none at all.
  void startPeer() {
    const std::string folder = m_folder + "/peer";
    std::string absent;
    if (first() && !m_model->kind().empty()) {
      makeFolders(folder).value();
      m_model->write(folder).value();
    }
    if (m_model->kind().empty()) absent = "the peer has no such model";
    m_exchange.gather({0.0});  // the inputs are there
    const std::string script = m_bench.peerScript.empty()
                                   ? besideSources("packaging/bench_peers/data_parallel.py")
                                   : m_bench.peerScript;
    if (absent.empty()) {
      auto peer = BenchPeer::start({m_bench.python, script, folder, std::to_string(m_exchange.rank()),
                                    std::to_string(m_exchange.size()), m_address, std::to_string(m_port)});
      const auto ready = peer.ok() ? (*peer)->ask("run 0") : Result<Json>(peer.error());
      if (ready.ok())
        m_peer = std::move(peer).value();
      else
        absent = ready.error().text();
    }
    for (const std::string& reason : m_exchange.collect(absent))
      if (!reason.empty()) m_absent = reason;
    m_exchange.gather({0.0});
    if (!m_absent.empty()) m_peer.reset();
  }

  // Throws where one of them computes something else.
  void compare() {
    const std::int64_t compared = std::min(kCompared, m_bench.updates);
    std::vector<double> alone, together, theirs;
    for (std::int64_t i = 0; i < compared; ++i) alone.push_back(m_model->updateAlone());
    m_model->restart();
    for (std::int64_t i = 0; i < compared; ++i) together.push_back(m_model->updateTogether());
    m_model->restart();
    if (m_peer) theirs = m_peer->ask("check").value().at("losses").get<std::vector<double>>();
    m_check = {{"losses", alone}, {"gap", gap(alone, together)}};
    if (m_peer) m_check["peer_gap"] = gap(alone, theirs);
    if (gap(alone, together) > kRanksGap)
      throw Failure(numericError(Phrase::tr("ranks train another run than one process")));
    if (m_peer && gap(alone, theirs) > kRanksGap)
      throw Failure(numericError("the peer computes something else, nothing was timed: " + m_check.dump() +
                                 " " + Json(theirs).dump()));
  }

  static double gap(const std::vector<double>& ours, const std::vector<double>& theirs) {
    double most = 0;
    for (std::size_t i = 0; i < ours.size(); ++i)
      most = std::max(most, std::abs(theirs.at(i) - ours[i]) / std::abs(ours[i]));
    return most;
  }

  // `times` pieces of work on the ranks where `share` is 1, the others rest meanwhile.
  Timed timed(std::int64_t times, int share, const std::function<void()>& work) {
    m_exchange.gather({0.0});
    const BenchClock begin = BenchClock::now();
    for (std::int64_t i = 0; share > 0 && i < times; ++i) work();
    const BenchClock end = BenchClock::now();
    double cpu = 0, ranks = 0, seconds = 0;
    for (const auto& one : m_exchange.gather(
             {static_cast<double>(share), end.cpu - begin.cpu, share > 0 ? end.wall - begin.wall : 0.0})) {
      ranks += one[0];
      if (one[0] > 0) cpu += one[1];
      seconds = std::max(seconds, one[2]);
    }
    m_cpu += cpu;
    const auto count = static_cast<double>(times);
    return {seconds / count, cpu / ranks / count};
  }

  Timed peerRound() {
    m_exchange.gather({0.0});
    const Json answer = m_peer->ask("run " + std::to_string(m_bench.updates)).value();
    double cpu = 0, seconds = 0;
    for (const auto& one :
         m_exchange.gather({answer.at("seconds").get<double>(), answer.at("cpu").get<double>()})) {
      seconds = std::max(seconds, one[0]);
      cpu += one[1];
    }
    m_cpu += cpu;
    const auto count = static_cast<double>(m_bench.updates);
    return {seconds / count, cpu / size() / count};
  }

  // Median over the rounds.
  double middle(const std::function<double(std::size_t round)>& number) const {
    std::vector<double> values;
    for (std::size_t i = 0; i < m_rounds.at("ranks").size(); ++i) values.push_back(number(i));
    return median(std::move(values));
  }
  const Timed& at(const char* what, std::size_t round) const { return m_rounds.at(what)[round]; }

  Json report(const RankLink& link) const {
    Json json = {{"format", 1},
                 {"bench", "data-parallel"},
                 {"preset", m_bench.preset},
                 {"ranks", m_exchange.size()},
                 {"way", m_exchange.way()},
                 {"cores", std::thread::hardware_concurrency()},
                 {"parameters", m_model->parameters()},
                 {"updates", m_bench.updates},
                 {"rounds", m_bench.rounds},
                 {"check", m_check}};
    for (const auto& [what, rounds] : m_rounds) {
      const std::vector<Timed>& all = rounds;
      json["times"][what] = {{"seconds", middle([&all](std::size_t i) { return all[i].seconds; })},
                             {"cpu", middle([&all](std::size_t i) { return all[i].cpu; })}};
    }
    json["times_as_fast"] =
        middle([&](std::size_t i) { return at("one", i).seconds / at("ranks", i).seconds; });
    json["cpu_of_its_share"] =
        middle([&](std::size_t i) { return at("ranks", i).cpu / (at("one", i).cpu / size()); });
    const auto waits = [&](std::size_t i) {
      return std::max(0.0, at("ranks", i).seconds - at("own", i).seconds);
    };
    json["waiting_share"] = middle([&](std::size_t i) { return waits(i) / at("ranks", i).seconds; });
    json["hidden_share"] =
        middle([&](std::size_t i) { return std::clamp(1 - waits(i) / at("sum", i).seconds, 0.0, 1.0); });
    if (m_peer) {
      json["peer_ratio"] =
          middle([&](std::size_t i) { return at("peer", i).seconds / at("ranks", i).seconds; });
      json["peer_cpu_ratio"] = middle([&](std::size_t i) { return at("peer", i).cpu / at("ranks", i).cpu; });
    } else {
      json["peer"] = m_absent;
    }
    json["efficiency"] = efficiency(link);
    return json;
  }

  // Predicted for ranks with a core each; where they share cores the computing takes as much longer.
  Json efficiency(const RankLink& link) const {
    const double one = middle([&](std::size_t i) { return at("one", i).seconds; });
    const double ranks = middle([&](std::size_t i) { return at("ranks", i).seconds; });
    const RankWork work{.seconds = one,
                        .batches = m_exchange.size(),
                        .gradientBytes = 4.0 * static_cast<double>(m_model->parameters()),
                        .step = m_model->stepSeconds()};
    const double predicted = predictedRanks(work, link, m_exchange.size()).efficiency;
    const double measured = one / (size() * ranks);
    return {{"measured", measured}, {"predicted", predicted},      {"error", predicted / measured - 1},
            {"step", work.step},    {"bandwidth", link.bandwidth}, {"latency", link.latency}};
  }

  const RankUpdatesBench& m_bench;
  GradientExchange& m_exchange;
  std::string m_address, m_folder, m_absent;
  int m_port = 0;
  std::unique_ptr<RankModel> m_model;
  std::unique_ptr<BenchPeer> m_peer;
  std::map<std::string, std::vector<Timed>> m_rounds;
  Json m_check;
  double m_cpu = 0;
};

}  // namespace

Status benchRankUpdates(const RankUpdatesBench& bench) {
  ProcessMeeting meeting(ranksOf(processEnvironment()).value());
  ParallelSettings settings;
  settings.ranks = bench.ranks;
  const Ranks ranks = meeting.planned(settings);
  if (ranks.starter == Ranks::Starter::Ourselves) ::setenv("GLOO_SOCKET_IFNAME", "lo", 0);  // the peer's, too
  prepareNumerics(torch::kCPU, 1);
  const TemporaryFolder folder;  // of rank 0: inputs, and words of the others
  const auto exchange = meeting.meet(settings, folder.path());
  try {
    const Json json = RankUpdates(bench, *exchange, ranks.address, folder.path()).measure();
    exchange->gather({0.0});  // rank 0, where they meet, leaves last
    if (exchange->rank() == 0) std::cout << json.dump(1) << std::endl;
    return {};
  } catch (...) {
    const Error error = currentExceptionError();
    exchange->leave({error, false});
    return error;
  }
}

}  // namespace fathom
