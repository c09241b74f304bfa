// SPDX-License-Identifier: Apache-2.0
// A misbehaving stand-in for fathom-engine: describe, train, resume with the real command lines and run
// folders but no training.
//   describe: FATHOM_FAKE_DESCRIBE = good | with_shift | crash | hang | wrong_version | half | exit3 |
//   garbage probe: a made-up layer dependency, with the number of this process; fails for 13 examples
//   trainability: doubtful; fails for 13 steps
//   estimate: fits, but not with 14 steps
//   serve: FATHOM_FAKE_SERVE = good | refuse | slow; answers as if the database were town_library of the
//   sample train, resume: option fake.behaviour of the configuration, see run(). Updates take no time while
//   the file is there that FATHOM_FAKE_HURRY names. FATHOM_FAKE_LATE: a file that it waits for before it has
//   a run.
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <string>
#include <vector>

#include "core/analysis/analysis_entry.h"
#include "core/base/files/hash.h"
#include "core/base/json/json_members.h"
#include "core/base/options/option_field.h"
#include "core/record/events/event_log.h"
#include "core/record/results/analysis_store.h"
#include "core/record/runs/checkpoint_choice.h"
#include "core/record/runs/control_folder.h"
#include "core/record/runs/exit_code.h"
#include "core/record/runs/run_config.h"
#include "core/record/runs/run_folder.h"
#include "core/record/runs/run_lock.h"
#include "core/serve/line_server.h"

using namespace fathom;

namespace {

volatile std::sig_atomic_t g_stopSignals = 0;

OptionField field(const char* key, OptionType type, Json value, const char* help) {
  OptionField result;
  result.key = key;
  result.type = type;
  result.defaultValue = std::move(value);
  result.title = key;
  result.help = help;
  result.group = "Fake";
  return result;
}

OptionSchema fakeSchema() {
  OptionField behaviour = field("fake.behaviour", OptionType::Choice, "finish", "What the run does.");
  for (const char* id :
       {"finish", "crash", "abort_once", "oom_once", "oom", "device_fault_once", "device_fault", "bad",
        "rank_lost_once", "diverge", "stall", "linger", "time_limit", "chatter", "die_before_folder"}) {
    behaviour.choices.push_back({id, id});
  }
  return OptionSchema({behaviour, field("fake.steps", OptionType::Integer, 20, "Updates to pretend."),
                       field("fake.milliseconds", OptionType::Integer, 2, "Time of one update."),
                       field("seed", OptionType::Integer, 1, "Seed of the run.")},
                      {});
}

// Of the one analysis that the window's tests compute.
OptionSchema dependencySchema() {
  return OptionSchema({field("examples", OptionType::Integer, 1000, "13 of them hold NaN.")}, {});
}

int describe() {
  const char* wish = std::getenv("FATHOM_FAKE_DESCRIBE");
  const std::string how = wish ? wish : "good";
  if (how == "crash") std::abort();
  if (how == "hang") {
    std::cerr << "waiting for a driver" << std::endl;
    sleep(600);
  }
  if (how == "exit3") {
    std::cerr << "cannot load libfoo.so" << std::endl;
    return 3;
  }
  if (how == "garbage") {
    std::cout << "hello\n";
    return 0;
  }
  Json json;
  json["format"] = 1;
  json["program"] = "fathom-engine";
  json["version"] = how == "wrong_version" ? "0.0.9" : FATHOM_VERSION;
  json["schema"] = fakeSchema().toJson();
  json["entries"]["probes"] = Json::array({{{"id", "beta_dependency"},
                                            {"title", "Layer dependency"},
                                            {"version", probeVersion("beta_dependency")},
                                            {"schema", dependencySchema().toJson()}}});
  if (how == "with_shift")
    json["entries"]["probes"].push_back({{"id", "output_shift"},
                                         {"title", "Output shift"},
                                         {"version", probeVersion("output_shift")},
                                         {"initial_only", true},
                                         {"schema", OptionSchema().toJson()}});
  json["devices"] = Json::array({{{"id", "cpu"}, {"title", "CPU"}, {"available", true}}});
  const std::string text = json.dump();
  std::cout << (how == "half" ? text.substr(0, text.size() / 2) : text) << std::endl;
  return 0;
}

int version() {
  const char* wish = std::getenv("FATHOM_FAKE_VERSION");
  std::cout << "fathom-engine " << (wish != nullptr ? wish : FATHOM_VERSION) << std::endl;
  return 0;
}

// The control socket: one line a connection.
class Control {
 public:
  explicit Control(std::string path) : m_path(std::move(path)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, m_path.c_str(), sizeof address.sun_path - 1);
    unlink(m_path.c_str());
    m_fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (bind(m_fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) listen(m_fd, 4);
  }
  ~Control() {
    close(m_fd);
    unlink(m_path.c_str());
  }
  std::string poll() {
    const int client = accept4(m_fd, nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0) return {};
    char buffer[64] = {};
    const ssize_t got = read(client, buffer, sizeof buffer - 1);
    close(client);
    std::string word(buffer, got > 0 ? static_cast<std::size_t>(got) : 0);
    while (!word.empty() && word.back() == '\n') word.pop_back();
    return word;
  }

 private:
  std::string m_path;
  int m_fd = -1;
};

struct Attempt {
  RunFolder folder;
  int number = 0;
  std::unique_ptr<EventLog> log;
};

int finish(Attempt& attempt, RunState state, const std::string& cause, std::int64_t step, int code) {
  RunOutcome outcome;
  outcome.state = state;
  outcome.cause = cause;
  outcome.step = step;
  outcome.exitCode = code;
  if (state == RunState::Stopped && g_stopSignals) outcome.askedBy = "SIGTERM";
  outcome.scores["valid.bleu"] = 90.0 + attempt.number;
  Json members;
  members["step"] = step;
  members["m"] = outcome.scores;
  attempt.log->append("run_finished", members).value();
  attempt.folder.writeOutcome(attempt.number, outcome).value();
  return code;
}

int misbehave(Attempt& attempt, const std::string& how, std::int64_t step) {
  const bool first = attempt.number == 1;
  if (how == "crash" || (how == "abort_once" && first)) std::abort();
  if (how == "oom" || (how == "oom_once" && first)) raise(SIGKILL);
  if (how == "device_fault" || (how == "device_fault_once" && first)) return 75;
  if (how == "rank_lost_once" && first) return finish(attempt, RunState::Failed, "rank_lost", step, 76);
  if (how == "bad") return finish(attempt, RunState::Failed, "data", step, 30);
  if (how == "diverge") return finish(attempt, RunState::Diverged, "nan_loss", step, 20);
  if (how == "stall") pause();
  if (how == "time_limit") raise(SIGXCPU);
  if (how == "linger") {
    finish(attempt, RunState::Finished, "", step, 0);
    while (true) pause();
  }
  if (how == "chatter") {
    const std::string line(1023, 'x');
    for (int i = 0; i < 40 * 1024; ++i) std::cerr << line << "\n";
    std::cerr << "the last words" << std::endl;
  }
  return -1;
}

bool inAHurry() {
  const char* file = std::getenv("FATHOM_FAKE_HURRY");
  return file != nullptr && access(file, F_OK) == 0;
}

int run(const RunConfig& config, Attempt attempt, Control& control) {
  OptionValues values(fakeSchema());
  if (const Status merged = values.merge(config.options, "configuration"); !merged) {
    std::cerr << merged.error().text() << "\n";
    return 30;
  }
  const std::int64_t steps = values.integer("fake.steps");
  Json started;
  started["attempt"] = attempt.number;
  started["total_updates"] = steps;
  started["device"] = "cpu";
  started["threads"] = std::getenv("OMP_NUM_THREADS") ? std::atoi(std::getenv("OMP_NUM_THREADS")) : 0;
  attempt.log->append("run_started", started).value();
  std::set<std::string> heeded;
  for (std::int64_t step = 1; step <= steps; ++step) {
    if (!inAHurry()) usleep(static_cast<useconds_t>(values.integer("fake.milliseconds") * 1000));
    const double loss = 5.0 / static_cast<double>(step + attempt.number);
    attempt.log->appendStep(step, 0, step * 100, 1e-3, {{"loss", loss}, {"nll", loss}}).value();
    if (step == steps / 2 + 1) {
      if (const int code = misbehave(attempt, values.text("fake.behaviour"), step); code >= 0) return code;
    }
    std::string command = control.poll();
    for (const ControlWish& wish : takeWishes(attempt.folder.path(), heeded)) command = wish.command;
    if (command == "stop" || g_stopSignals) return finish(attempt, RunState::Stopped, "", step, 10);
    if (command == "abort") return 137;
  }
  return finish(attempt, RunState::Finished, "", steps, 0);
}

std::string argument(const std::vector<std::string>& words, const std::string& key) {
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] == key) return words[i + 1];
  }
  return {};
}

// As one that loads its libraries for a while, a minute at most. A file beside that one tells that it is
// here.
void waitForFile(const char* variable) {
  const char* file = std::getenv(variable);
  if (file != nullptr) std::ofstream(std::string(file) + ".awaited");
  for (int i = 0; file != nullptr && access(file, F_OK) != 0 && i < 12000; ++i) usleep(5000);
}

int attemptRun(RunFolder folder, const Json& configJson, const RunConfig& config) {
  const std::string uuid = folder.identity()->uuid;
  const std::string socketPath = chooseControlSocket(uuid, folder.path()).path;
  auto lock = RunLock::acquire(folder.path(), socketPath);
  if (!lock) {
    std::cerr << lock.error().text() << "\n";
    return static_cast<int>(exitCodeFor(lock.error()));
  }
  Control control(socketPath);
  Attempt attempt{folder, folder.beginAttempt(configJson).value(), nullptr};
  attempt.log = EventLog::create(folder.attemptPath(attempt.number) + "/events.jsonl").value();
  return run(config, std::move(attempt), control);
}

int resume(const std::vector<std::string>& words);

int train(const std::vector<std::string>& words) {
  const bool orResume = std::find(words.begin(), words.end(), "--or-resume") != words.end();
  if (orResume && RunFolder(argument(words, "--run")).lastAttempt() > 0) return resume(words);
  const auto config = readRunConfig(argument(words, "--config"));
  if (!config) {
    std::cerr << config.error().text() << "\n";
    return 30;
  }
  if (config->options.value("fake.behaviour", "") == "die_before_folder") raise(SIGSEGV);
  RunIdentity identity;
  identity.uuid = argument(words, "--uuid");
  if (identity.uuid.empty()) identity.uuid = makeUuid();
  identity.name = config->name;
  const std::string path = argument(words, "--run");
  auto folder = RunFolder::open(path);  // one that was cut off before its first attempt starts anew
  if (!folder || folder->lastAttempt() > 0) folder = RunFolder::create(path, identity);
  if (!folder) {
    std::cerr << folder.error().text() << "\n";
    return static_cast<int>(exitCodeFor(folder.error()));
  }
  return attemptRun(*folder, runConfigToJson(*config), *config);
}

int resume(const std::vector<std::string>& words) {
  const auto folder = RunFolder::open(argument(words, "--run")).value();
  const Json json = folder.config(folder.lastAttempt()).value();
  return attemptRun(folder, json, runConfigFromJson(json, "config.json").value());
}

// Two sub-layers with the numbers of Pre-LN at initialisation.
Json madeUpDependency() {
  const Json map = {0.707, 0.707, 0.0, 0.577, 0.577, 0.577};
  return {{"quantity", "beta_dependency"},
          {"stacks",
           {{{"stack", "encoder"},
             {"residual", "pre_ln"},
             {"sublayers", {"encoder.layers.0.self_attention", "encoder.layers.0.feed_forward"}},
             {"tokens", 7},
             {"mean_token_std", map},
             {"global_std", map},
             {"bias_share", {0.0, 0.0}},
             {"largest_residual", 0.0}}}}};
}

int probe(const std::vector<std::string>& words) {
  const std::string run = argument(words, "--run");
  AnalysisRequest request;
  request.analysis = argument(words, "--analysis");
  request.split = argument(words, "--split");
  request.version = probeVersion(request.analysis);
  OptionValues options(request.analysis == "beta_dependency" ? dependencySchema() : OptionSchema());
  for (std::size_t i = 0; i + 1 < words.size(); ++i)
    if (words[i] == "--set") options.setText(words[i + 1]).value();
  request.options = analysisOptions(options);
  const std::vector<std::string> checkpoints = checkpointWords(run, argument(words, "--checkpoint"));
  const auto report = [&](std::size_t done, std::size_t total) {
    std::cout << Json({{"phase", "pretending"},
                       {"unit", checkpoints.size() > 1 ? "checkpoints" : "examples"},
                       {"done", done},
                       {"total", total}})
              << std::endl;
  };
  report(checkpoints.size() > 1 ? 0 : 1, std::max(checkpoints.size(), std::size_t{2}));
  for (std::size_t i = 0; i < checkpoints.size(); ++i) {
    const std::string& checkpoint = checkpoints[i];
    if (request.options.value("examples", 0) == 13) {
      std::cerr << "error: weights hold NaN\n";
      return 30;
    }
    request.checkpoint = checkpoint;
    request.checkpointHash.clear();
    if (checkpoint != "init")
      request.checkpointHash =
          sha256OfFile(checkpointManifestFile(chooseCheckpoint(run, checkpoint).value().path)).value();
    Json result = madeUpDependency();
    result["process"] = getpid();
    storeAnalysis(argument(words, "--out"), request, result).value();
    std::cout << Json({{"format", 1}, {"result", result}}).dump() << std::endl;
    if (checkpoints.size() < 2) continue;
    usleep(60'000);  // longer than progress is held back
    report(i + 1, checkpoints.size());
  }
  return 0;
}

// One parameter a step of the configuration, every second one scaled.
int initReport(const std::vector<std::string>& words) {
  const RunConfig config = readRunConfig(argument(words, "--config")).value();
  Json rows = Json::array();
  for (int i = 0; i < config.options.value("fake.steps", 0); ++i)
    rows.push_back({{"name", "layers." + std::to_string(i) + ".weight"},
                    {"shape", {4, 8}},
                    {"rule", "uniform"},
                    {"base_std", 0.5},
                    {"factor", i % 2 == 0 ? 1.0 : 0.25},
                    {"std", i % 2 == 0 ? 0.5 : 0.125},
                    {"mean", 0.0}});
  const Json report = {{"format", 1}, {"init", "fake"}, {"seed", 1}, {"rows", rows}};
  std::cout << report.dump() << std::endl;
  return 0;
}

int trainability(const std::vector<std::string>& words) {
  const RunConfig config = readRunConfig(argument(words, "--config")).value();
  std::cout << R"({"phase":"pretending","unit":"","done":0,"total":-1,"remaining":null})" << std::endl;
  if (config.options.value("fake.steps", 0) == 13) {
    std::cerr << "error: there is no batch\n";
    return 30;
  }
  const Json check = {{"id", "step"},
                      {"verdict", "doubtful"},
                      {"stack", "encoder"},
                      {"value", 0.4},
                      {"limit", 0.2},
                      {"reason", "Large steps."},
                      {"change", "a lower learning rate"}};
  const Json stack = {{"stack", "encoder"},
                      {"residual", "pre_ln"},
                      {"layers", 1},
                      {"mu", 3.5},
                      {"input_scale", 1.0},
                      {"measured_scale", {1.0, 2.0}},
                      {"predicted_scale", {1.0, 1.5}},
                      {"output_shift", {{"amplification", 4.0}, {"at_peak_rate", 0.4}}}};
  const Json report = {{"verdict", "doubtful"},
                       {"checks", Json::array({check})},
                       {"stacks", Json::array({stack})},
                       {"learning_rate", {{"peak", 0.1}}},
                       {"note", ""},
                       {"format", 1}};
  std::cout << report.dump() << std::endl;
  return 0;
}

// A run of 14 steps, or one that is wider than 9999, does not fit; data that are named must be there.
int estimate(const std::vector<std::string>& words) {
  const RunConfig config = readRunConfig(argument(words, "--config")).value();
  const std::string data = config.options.value("data.train", "");
  if (!data.empty() && !std::filesystem::exists(data)) {
    std::cerr << "error: " << data << ": cannot open: No such file or directory\n";
    return static_cast<int>(ExitCode::BadInput);
  }
  std::cout << R"({"phase":"pretending","unit":"","done":0,"total":-1,"remaining":null})" << std::endl;
  const bool wide = config.options.value("model.width", 0) > 9999;
  const bool fits = !wide && config.options.value("fake.steps", 0) != 14;
  Json report = {{"format", 1},
                 {"parameters", {{"total", 1234567}}},
                 {"memory",
                  {{"needed", fits ? 412'000'000 : 47'000'000'000},
                   {"program", 300'000'000},
                   {"weights", 5'000'000},
                   {"gradients", 5'000'000},
                   {"optimiser", 10'000'000},
                   {"activations", 92'000'000},
                   {"free", 22'000'000'000},
                   {"fits", fits}}},
                 {"time", {{"update", 0.042}, {"total", 61}, {"updates", 800}, {"timed_updates", 20}}},
                 {"disk",
                  {{"needed", 80'000'000},
                   {"checkpoint", 20'000'000},
                   {"checkpoints", 4},
                   {"free", 50'000'000'000},
                   {"fits", true}}},
                 {"fits", fits},
                 {"remedies", Json::array()},
                 {"notes", Json::array()}};
  if (!fits) {
    report["refusal"] = "the run needs 47 GB of memory, and 22 GB are free";
    report["refusal_key"] = wide ? "model.width" : "fake.steps";
    const Json options = wide ? Json{{"model.width", 64}} : Json{{"fake.steps", 12}};
    report["remedies"].push_back(
        {{"options", options}, {"words", Json(wide ? "width 64 fits" : "12 steps fit")}});
  }
  std::cout << report.dump() << std::endl;
  return fits ? 0 : static_cast<int>(ExitCode::OutOfMemory);
}

// Its links: the first word names the first table. Others than these are a person's.
Json servedReply(const Json& item) {
  const std::string question = memberText(item, "question");
  const Json found = {{0, 0, 2}};
  const bool linked = item.contains("table_links");
  const bool own = linked && (item["table_links"] != found || !memberList(item, "column_links").empty());
  Json input = {{"database", memberText(item, "database")}, {"question", question}};
  input["tokens"] = Json::array();
  for (std::size_t at = 0, end = 0; at < question.size(); at = end + 1) {
    end = std::min(question.find(' ', at), question.size());
    if (end > at) input["tokens"].push_back(question.substr(at, end - at));
  }
  input["table_links"] = linked ? item["table_links"] : found;
  input["column_links"] = linked ? memberList(item, "column_links") : Json::array();
  const bool counts = question.find("many") != std::string::npos;
  const std::string sql = own      ? "SELECT max(age) FROM reader"
                          : counts ? "SELECT count(*) FROM reader"
                                   : "SELECT name FROM reader";
  const Json hypotheses = {{{"sql", sql}, {"score", -0.5}},
                           {{"sql", "SELECT age FROM reader"}, {"score", -2.5}}};
  return {{"text", sql}, {"score", -0.5}, {"details", {{"hypotheses", hypotheses}}}, {"input", input}};
}

int serve(const std::vector<std::string>& words) {
  const char* wish = std::getenv("FATHOM_FAKE_SERVE");
  const std::string how = wish ? wish : "good";
  if (how == "refuse") {
    std::cerr << "error: weights hold NaN" << std::endl;
    return 30;
  }
  const StopToken stop;
  const auto server = LineServer::open(argument(words, "--socket"), {}, stop).value();
  while (!g_stopSignals) {
    const auto call = server->next(0.05);
    if (how == "slow")
      server->tellAll(
          R"({"v":1,"event":"progress","phase":"loading the model","unit":"","done":1,"total":3})");
    if (!call) continue;
    Json id;
    const auto request = serveRequestFromLine(call->line, id);
    while (how == "slow" && !g_stopSignals && !call->stop.stopRequested()) usleep(5000);
    if (!request.ok()) {
      server->answer(*call, serveErrorReply(id, request.error()).dump());
      continue;
    }
    Json reply = serveReply(id);
    reply["results"] = Json::array();
    for (const Json& item : request->items) reply["results"].push_back(servedReply(item));
    reply["seconds"] = 0.25;
    server->answer(*call, reply.dump());
  }
  return 10;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const auto onSignal = [](int) { g_stopSignals = g_stopSignals + 1; };
  std::signal(SIGTERM, onSignal);
  std::signal(SIGINT, onSignal);
  try {
    if (!words.empty() && words[0] == "describe") return describe();
    if (!words.empty() && words[0] == "--version") return version();
    if (!words.empty() && (words[0] == "train" || words[0] == "resume")) waitForFile("FATHOM_FAKE_LATE");
    if (!words.empty() && words[0] == "train") return train(words);
    if (!words.empty() && words[0] == "resume") return resume(words);
    if (!words.empty() && words[0] == "probe") return probe(words);
    if (!words.empty() && words[0] == "serve") return serve(words);
    if (!words.empty() && words[0] == "init-report") return initReport(words);
    if (!words.empty() && words[0] == "trainability") return trainability(words);
    if (!words.empty() && words[0] == "estimate") return estimate(words);
  } catch (const Failure& failure) {
    std::cerr << failure.error().text() << "\n";
    return static_cast<int>(exitCodeFor(failure.error()));
  }
  std::cerr << "usage: fake_engine describe | train --config FILE --run DIR | resume --run DIR |\n"
               "init-report --config FILE | trainability --config FILE | probe ... | serve ...\n";
  return 2;
}
