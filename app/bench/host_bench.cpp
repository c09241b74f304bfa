// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/host_bench.h"

#include <QApplication>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>

#include "app/bench/window_wait.h"
#include "app/runner/child_process.h"
#include "app/runner/event_follower.h"
#include "app/runner/place_record.h"
#include "app/runner/ssh/ssh_board.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/base/files/process_identity.h"
#include "core/base/files/temporary_folder.h"
#include "core/base/text/number_text.h"
#include "core/base/threads/thread_start.h"
#include "core/record/events/event_log.h"
#include "core/record/runs/run_folder.h"
#include "core/record/runs/run_lock.h"
#include "views/panels/train/curve_canvas.h"
#include "views/panels/train/curve_panel.h"

namespace fathom {

namespace {

using Clock = std::chrono::steady_clock;
constexpr int kWaitSeconds = 120, kBeatMilliseconds = 251, kLookEvery = 2;
constexpr double kHostMegabyte = 1e6;

double secondsBehind(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// An sshd in a folder, gone with it.
class BenchHost {
 public:
  static Result<std::unique_ptr<BenchHost>> start(const StopToken& stop) {
    std::unique_ptr<BenchHost> host(new BenchHost);
    if (host->m_script.empty())
      return unavailableError("the bench is not beside its sources", "build it in the repository's folder");
    FATHOM_TRY(const ChildOutput made, host->say("start", stop));
    if (made.exitCode != 0) return unavailableError("there is no sshd: " + made.out + made.err);
    return host;
  }
  ~BenchHost() { (void)say("stop", StopToken()).ok(); }
  BenchHost(const BenchHost&) = delete;
  BenchHost& operator=(const BenchHost&) = delete;

  std::string path(const std::string& name) const { return m_folder.path() + "/" + name; }
  // Each connection is one of its own, which ends with who made it.
  Result<PlaceRecord> place() const {
    const std::string options = "-o ControlMaster=no -o ControlPath=none -F " + path("config");
    return placeFromJson("there",
                         {{"launcher", "ssh"},
                          {"root", path("scratch")},
                          {"resources", {{"host", "there"}, {"options", options}}}},
                         "bench");
  }
  std::int64_t process() const {
    const auto text = readFile(path("sshd.pid"));
    return text.ok() ? std::atoll(text->c_str()) : 0;
  }

 private:
  BenchHost() = default;
  Result<ChildOutput> say(const char* what, const StopToken& stop) const {
    ChildSpec spec;
    spec.program = m_script;
    spec.arguments = {what, m_folder.path()};
    return runChild(spec, {}, stop);
  }
  TemporaryFolder m_folder;
  std::string m_script = besideSources("tests/fakes/sshd_here.sh");
};

// A run there whose engine is this process: it holds the lock and writes events.
struct PlayedRun {
  std::string uuid;
  std::unique_ptr<RunLock> lock;
  std::unique_ptr<EventLog> log;
  std::int64_t step = 0;
  Status write() {
    ++step;
    return log->appendStep(step, 0, step * 100, 1e-3, {{"loss", 5.0 / static_cast<double>(step)}});
  }
};

Result<PlayedRun> playedRun(const BenchHost& host) {
  PlayedRun run;
  run.uuid = makeUuid();
  FATHOM_CHECK(makeFolders(host.path("scratch") + "/runs"));
  FATHOM_TRY(const RunFolder folder, RunFolder::create(host.path("scratch") + "/runs/" + run.uuid,
                                                       {run.uuid, "bench", "", Json::object(), {}}));
  FATHOM_TRY(run.lock, RunLock::acquire(folder.path(), ""));
  FATHOM_TRY(const int attempt, folder.beginAttempt({{"format", 1}, {"options", Json::object()}}));
  FATHOM_TRY(run.log, EventLog::create(folder.eventsPath(attempt)));
  FATHOM_CHECK(run.write());
  return run;
}

std::string copyOf(const std::string& project, const std::string& uuid) {
  return project + "/runs/" + uuid;
}

void watchRun(SshBoard& board, const std::string& project, const std::string& uuid,
              std::vector<SshBoard::Shared>& watched) {
  JobRequest request;
  request.runPath = copyOf(project, uuid);
  request.uuid = uuid;
  watched.push_back(board.watch(request, 0));
}

CurveSeries seriesOf(const EventBatch& batch) {
  CurveSeries series;
  series.run = series.name = batch.run;
  series.metric = QStringLiteral("loss");
  series.outcome = RunState::Running;
  for (const Event& event : batch.events) {
    if (event.kind != "step") continue;
    series.steps.push_back(static_cast<double>(event.step));
    series.seconds.push_back(event.seconds);
    series.epochs.push_back(event.epoch);
    for (const auto& [metric, value] : event.scalars)
      if (metric == "loss") series.values.push_back(value);
  }
  return series;
}

// Curves as the window draws them, from the copies; `seen` is the last update of each run that has arrived.
struct DrawnRuns {
  CurvePanel panel;
  EventFollower follower;
  std::map<std::string, std::int64_t> seen;
  DrawnRuns() {
    panel.resize(1200, 800);
    panel.show();
    QObject::connect(&follower, &EventFollower::arrived, &panel, [this](const EventBatchPtr& batch) {
      const CurveSeries series = seriesOf(*batch);
      if (series.steps.empty()) return;
      std::int64_t& last = seen[batch->run.toStdString()];
      last == 0 ? panel.setSeries(series) : panel.appendSeries(series);
      last = static_cast<std::int64_t>(series.steps.back());
    });
  }
};

// All runs write some three events a second; of one after the other an event is followed into the panel,
// which is drawn at once (in the window it gathers changes for up to 50 ms).
Status measureEvents(const BenchHost& host, const PlaceRecord& place, const HostBenchSize& size,
                     HostBench& bench, Progress& progress, const StopToken& stop) {
  const TemporaryFolder project;
  std::vector<PlayedRun> runs;
  for (int i = 0; i < size.runs; ++i) {
    FATHOM_TRY(PlayedRun run, playedRun(host));
    runs.push_back(std::move(run));
  }
  SshBoard board(place, project.path());
  std::vector<SshBoard::Shared> watched;
  DrawnRuns drawn;
  for (const PlayedRun& run : runs) {
    watchRun(board, project.path(), run.uuid, watched);
    drawn.follower.follow(QString::fromStdString(run.uuid),
                          QString::fromStdString(copyOf(project.path(), run.uuid)));
  }
  FATHOM_CHECK(waitForWindow([&] { return drawn.seen.size() == runs.size() || stop.stopRequested(); }));
  for (int i = 0; i < size.events && !stop.stopRequested(); ++i) {
    for (PlayedRun& run : runs) FATHOM_CHECK(run.write());
    const PlayedRun& run = runs[static_cast<std::size_t>(i * 7) % runs.size()];
    const auto written = Clock::now();
    FATHOM_CHECK(waitForWindow([&] { return drawn.seen[run.uuid] >= run.step; }));
    bench.arrived.push_back(secondsBehind(written));
    drawn.panel.drawNow();
    drawn.panel.canvas()->repaint();
    bench.drawn.push_back(secondsBehind(written));
    // Off the beat of those who look for it.
    const auto next = Clock::now() + std::chrono::milliseconds(67 * i % kBeatMilliseconds);
    FATHOM_CHECK(waitForWindow([&] { return Clock::now() >= next; }));
    progress.report(i);
  }
  for (const auto& task : watched) board.release(task);
  std::sort(bench.arrived.begin(), bench.arrived.end());
  std::sort(bench.drawn.begin(), bench.drawn.end());
  return {};
}

// Names in a folder of /proc; none where the process is gone.
std::vector<std::string> namesIn(const std::string& folder) {
  std::vector<std::string> names;
  const auto entries = entriesIn(folder);
  for (const auto& entry : entries.ok() ? *entries : std::vector<std::filesystem::directory_entry>())
    names.push_back(entry.path().filename().string());
  return names;
}

// A process and all that it has started.
std::vector<std::int64_t> processesFrom(std::int64_t root) {
  std::multimap<std::int64_t, std::int64_t> children;
  for (const std::string& name : namesIn("/proc")) {
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const auto stat = readFile("/proc/" + name + "/stat", 65536);
    if (!stat.ok() || stat->rfind(')') == std::string::npos) continue;
    std::istringstream fields(stat->substr(stat->rfind(')') + 1));
    std::string state;
    std::int64_t parent = 0;
    fields >> state >> parent;
    children.emplace(parent, std::atoll(name.c_str()));
  }
  std::vector<std::int64_t> all = {root};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto [from, to] = children.equal_range(all[i]);
    for (auto child = from; child != to; ++child) all.push_back(child->second);
  }
  return all;
}

// Nanoseconds that they have had a core.
std::int64_t nanosecondsFrom(std::int64_t root) {
  std::int64_t sum = 0;
  for (const std::int64_t process : processesFrom(root)) {
    const std::string tasks = "/proc/" + std::to_string(process) + "/task/";
    for (const std::string& task : namesIn(tasks))
      if (const auto times = readFile(tasks + task + "/schedstat", 256); times.ok())
        sum += std::atoll(times->c_str());
  }
  return sum;
}

// Bytes that ssh has read and written, from and to the connection and its pipes.
std::int64_t connectionBytes() {
  std::int64_t sum = 0;
  for (const std::int64_t process : processesFrom(thisProcess().pid)) {
    if (process == thisProcess().pid) continue;
    std::ifstream file("/proc/" + std::to_string(process) + "/io");
    std::string key;
    for (std::int64_t value = 0; file >> key >> value;)
      if (key == "rchar:" || key == "wchar:") sum += value;
  }
  return sum;
}

// One run whose engine says nothing, over a connection that is open.
Status measureIdle(const BenchHost& host, const PlaceRecord& place, double seconds, HostBench& bench,
                   const StopToken& stop) {
  const TemporaryFolder project;
  FATHOM_TRY(const PlayedRun run, playedRun(host));
  SshBoard board(place, project.path());
  std::vector<SshBoard::Shared> watched;
  watchRun(board, project.path(), run.uuid, watched);
  const auto isHere = [&] {
    return fileExists(RunFolder(copyOf(project.path(), run.uuid)).eventsPath(1)) || stop.stopRequested();
  };
  FATHOM_CHECK(waitForWindow(isHere));
  const auto rest = [&](double time) {
    const auto until = Clock::now() + std::chrono::milliseconds(static_cast<std::int64_t>(1000 * time));
    std::this_thread::sleep_until(stop.stopRequested() ? Clock::now() : until);
  };
  rest(3);  // what the start has left to do
  const std::int64_t client = nanosecondsFrom(thisProcess().pid), there = nanosecondsFrom(host.process()),
                     bytes = connectionBytes();
  const auto start = Clock::now();
  rest(seconds);
  const double took = secondsBehind(start);
  bench.client = 1e-9 * static_cast<double>(nanosecondsFrom(thisProcess().pid) - client) / took;
  bench.host = 1e-9 * static_cast<double>(nanosecondsFrom(host.process()) - there) / took;
  bench.bytes = static_cast<double>(connectionBytes() - bytes) / took;
  for (const auto& task : watched) board.release(task);
  return {};
}

Result<double> timeOfSftp(const BenchHost& host, const std::string& file, const std::string& copy,
                          const StopToken& stop) {
  const std::string batch = host.path("batch");
  FATHOM_CHECK(writeFileAtomically(batch, "get " + file + " " + copy + "\n"));
  ChildSpec spec;
  spec.program = "/usr/bin/env";
  spec.arguments = {"sftp", "-q", "-F", host.path("config"), "-b", batch, "there"};
  const auto start = Clock::now();
  FATHOM_TRY(const ChildOutput output, runChild(spec, {kWaitSeconds, std::size_t{1} << 20}, stop));
  const double took = secondsBehind(start);
  if (output.exitCode != 0) return unavailableError(output.err.empty() ? output.out : output.err);
  return took;
}

// From nothing, the connection included, until the copy is whole.
Result<double> timeOfCatchUp(const PlaceRecord& place, const std::string& uuid, std::uintmax_t bytes,
                             const std::string& project, const StopToken& stop) {
  const auto start = Clock::now();
  SshBoard board(place, project);
  std::vector<SshBoard::Shared> watched;
  watchRun(board, project, uuid, watched);
  const std::string copy = RunFolder(copyOf(project, uuid)).eventsPath(1);
  while (fileBytes(copy) < bytes) {
    if (stop.stopRequested()) return interruptedError();
    if (secondsBehind(start) > kWaitSeconds) return unavailableError("the copy does not come: " + copy);
    std::this_thread::sleep_for(std::chrono::milliseconds(kLookEvery));
  }
  const double took = secondsBehind(start);
  for (const auto& task : watched) board.release(task);
  return took;
}

Status measureCatchUp(const BenchHost& host, const PlaceRecord& place, const HostBenchSize& size,
                      HostBench& bench, const StopToken& stop) {
  FATHOM_TRY(const PlayedRun run, playedRun(host));
  const std::string events = RunFolder(host.path("scratch") + "/runs/" + run.uuid).eventsPath(1);
  {
    std::ofstream file(events, std::ios::app);
    const std::string line = "{\"k\":\"heartbeat\",\"pad\":\"" + std::string(4000, 'x') + "\"}\n";
    while (static_cast<double>(file.tellp()) < size.megabytes * kHostMegabyte) file << line;
  }
  const std::uintmax_t bytes = fileBytes(events);
  bench.megabytes = static_cast<double>(bytes) / kHostMegabyte;
  for (int round = 0; round < size.rounds && !stop.stopRequested(); ++round) {
    const TemporaryFolder project;
    FATHOM_TRY(const double ours, timeOfCatchUp(place, run.uuid, bytes, project.path(), stop));
    FATHOM_TRY(const std::string here,
               sha256OfFile(RunFolder(copyOf(project.path(), run.uuid)).eventsPath(1)));
    FATHOM_TRY(const std::string there, sha256OfFile(events));
    if (here != there)
      return dataError("the copy has other bytes", "times of different results are not compared");
    bench.ours.push_back(ours);
    const auto sftp = timeOfSftp(host, events, project.path() + "/sftp", stop);
    if (!sftp.ok()) bench.sftpMissing = sftp.error().text();
    if (sftp.ok() && fileBytes(project.path() + "/sftp") == bytes) bench.sftp.push_back(*sftp);
  }
  return {};
}

}  // namespace

Result<HostBench> benchHost(const HostBenchSize& size, Progress& progress, const StopToken& stop) {
  HostBench bench;
  FATHOM_TRY(const auto host, BenchHost::start(stop));
  FATHOM_TRY(const PlaceRecord place, host->place());
  progress.begin("following", "events", size.events);
  FATHOM_CHECK(measureEvents(*host, place, size, bench, progress, stop));
  progress.begin("resting", "", -1);
  FATHOM_CHECK(measureIdle(*host, place, size.idleSeconds, bench, stop));
  progress.begin("catching up", "", -1);
  FATHOM_CHECK(measureCatchUp(*host, place, size, bench, stop));
  progress.finish();
  return bench;
}

}  // namespace fathom
