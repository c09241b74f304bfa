// SPDX-License-Identifier: Apache-2.0
// ctest: engine
// What runs take of this machine: read from recorded texts of /proc, of a real process, of the driver of two
// cards that are not there; sampled by the runner and by fathom.py; what that costs; written by the shell.
#include <dlfcn.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QProcess>
#include <QProcessEnvironment>
#include <QScopeGuard>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <ctime>
#include <fstream>
#include <thread>

#include "app/runner/runner.h"
#include "core/base/files/atomic_file.h"
#include "core/base/threads/thread_start.h"
#include "core/machine/card_load.h"
#include "core/machine/host_load.h"
#include "core/machine/process_load.h"
#include "core/machine/sampling_wish.h"
#include "core/machine/system_sampler.h"
#include "core/record/events/event_log.h"
#include "core/record/events/system_samples.h"
#include "core/record/runs/run_lock.h"
#include "core/tasks/made_sentences.h"
#include "tests/process/support_project_fixture.h"
#include "tests/process/support_word_pairs.h"
#include "tests/unit/support_waiting.h"

using namespace fathom;
using test::waitFor;

namespace {

constexpr std::int64_t kMib = 1 << 20;

// Seconds of processors that this thread has had.
double threadSeconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

double lastOf(const RunSystem& system, std::string_view name) {
  const SystemSeries* series = system.find(name);
  return series != nullptr ? series->values.back() : -1;
}

std::size_t countOf(const RunSystem& system, std::string_view name) {
  const SystemSeries* series = system.find(name);
  return series != nullptr ? series->values.size() : 0;
}

}  // namespace

class SystemSamplesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup();
  void recordedProcessesAreSummed();
  void recordedMachineIsRead();
  void thisProcessIsMeasured();
  void cardsOfARunAreChosen();
  void driverIsAsked();
  void runnerSamplesItsRuns();
  void eachAttemptHasItsStream();
  void brokenPlacesCostNothing();
  void deviceMayBeTheLogs();
  void realRunLeavesSamples();
  void anEngineThatIsAskedSamplesItself();
  void pythonLeavesTheSameNames();
  void aSampleIsCheap();

 private:
  void write(const std::string& file, const std::string& text) const {
    const std::string path = m_dir->filePath(QString::fromStdString(file)).toStdString();
    QVERIFY(makeFolders(path.substr(0, path.rfind('/'))).ok());
    std::ofstream(path) << text;
  }
  void writeProcess(int pid, const std::string& name, int ticks, int resident, int peak, int ofFiles,
                    const std::string& children) const;
  std::string root() const { return m_dir->path().toStdString(); }
  RunnerStatus work(const std::vector<std::string>& devices = {"cpu"}) const;
  std::unique_ptr<QTemporaryDir> m_dir;
  std::unique_ptr<ProjectFixture> m_fixture;
};

void SystemSamplesTest::init() {
  m_dir = std::make_unique<QTemporaryDir>();
  m_fixture = std::make_unique<ProjectFixture>();
  qputenv("FATHOM_SAMPLE_SECONDS", "0.02");
}

void SystemSamplesTest::cleanup() {
  for (const char* name : {"FATHOM_SAMPLE_SECONDS", "FATHOM_FAKE_CARD_PROCESS"}) qunsetenv(name);
  m_fixture.reset();
}

void SystemSamplesTest::writeProcess(int pid, const std::string& name, int ticks, int resident, int peak,
                                     int ofFiles, const std::string& children) const {
  const std::string folder = std::to_string(pid);
  const auto mib = [](int count) { return std::to_string(count * 1024) + " kB\n"; };
  write(folder + "/stat", folder + " (" + name + ") S 1 1 1 0 -1 4194304 900 0 3 0 " + std::to_string(ticks) +
                              " 20 30 40 25 5 4 0 7777 123456789 999 18446744073709551615 1 1 0\n");
  write(folder + "/status", "Name:\t" + name + "\nVmPeak:\t  9999999 kB\nVmHWM:\t  " + mib(peak) +
                                "VmRSS:\t  " + mib(resident) + "RssAnon:\t  1 kB\nRssFile:\t  " +
                                mib(ofFiles));
  write(folder + "/io", "rchar: 5\nwchar: 6\nread_bytes: 7\nwrite_bytes: 1000\ncancelled_write_bytes: 0\n");
  write(folder + "/task/" + folder + "/children", children);
}

// Texts of a kernel 6.1, with a name that holds what ends one.
void SystemSamplesTest::recordedProcessesAreSummed() {
  writeProcess(100, "engine) S 1 (", 1000, 500, 700, 100, "200 ");
  write("100/task/101/children", "300\n");
  writeProcess(200, "rank 1", 2000, 400, 450, 100, "");
  writeProcess(300, "gone", 0, 1, 1, 0, "");
  write("300/stat", "300 (gone) Z 1 1 1 0 -1 0 0 0 0 0 9 9 9 9 20 0 1 0 1 0 0\n");
  const auto load = processLoad(100, root());
  QVERIFY(load.has_value());
  QCOMPARE(load->processes, (std::vector<std::int64_t>{100, 200}));
  QCOMPARE(load->cpuSeconds, (1000 + 90 + 2000 + 90) / double(::sysconf(_SC_CLK_TCK)));
  QCOMPARE(load->memoryBytes, (500 + 300) * kMib);
  QCOMPARE(load->peakBytes, (700 + 350) * kMib);
  QCOMPARE(load->writtenBytes, std::int64_t{2000});
  QVERIFY(!processLoad(300, root()));
  QVERIFY(!processLoad(400, root()));
  write("500/stat", "no process");
  QVERIFY(!processLoad(500, root()));
  write("600/stat", "600 (bare) R 1 1 1 0 -1 0 0 0 0 0 100 0 0 0 20 0 1 0 1 0 0\n");  // nothing else is told
  const auto bare = processLoad(600, root());
  QVERIFY(bare && bare->memoryBytes == 0 && bare->writtenBytes == -1 && bare->cpuSeconds > 0);
}

void SystemSamplesTest::recordedMachineIsRead() {
  write("meminfo", "MemTotal:       16384 kB\nMemFree:         1000 kB\nMemAvailable:    4096 kB\n");
  write("stat", "cpu  100 0 100 700 100 0 0 0 0 0\ncpu0 1 2 3\n");
  HostLook look(root());
  HostLoad load = look.look();
  QVERIFY(!load.cpuPercent);
  QCOMPARE(load.totalBytes, std::int64_t{16384} * 1024);
  QCOMPARE(load.memoryBytes, std::int64_t{12288} * 1024);
  write("stat", "cpu  150 0 150 750 150 0 0 0 0 0\ncpu0 1 2 3\n");
  load = look.look();
  QCOMPARE(load.cpuPercent.value(), 50.0);
  load = look.look();  // no tick has passed
  QVERIFY(!load.cpuPercent);
  const HostLoad none = HostLook(root() + "/none").look();
  QVERIFY(!none.cpuPercent && none.totalBytes == 0 && none.memoryBytes == 0);
  QVERIFY(freeDiskBytes(root()).value() > 0);
  QVERIFY(!freeDiskBytes(root() + "/none"));
}

// A child that works and holds memory is seen, and stays counted when it has ended.
void SystemSamplesTest::thisProcessIsMeasured() {
  const auto own = processLoad(::getpid());
  QVERIFY(own && own->cpuSeconds > 0 && own->memoryBytes > kMib && own->peakBytes >= own->memoryBytes);
  QProcess child;
  child.start(QStringLiteral("/bin/sh"),
              {QStringLiteral("-c"), QStringLiteral("i=0; while :; do i=$((i+1)); done & wait")});
  QVERIFY(child.waitForStarted());
  const auto end = qScopeGuard([&] {
    for (const std::int64_t pid : processLoad(child.processId()).value_or(ProcessLoad()).processes)
      ::kill(static_cast<pid_t>(pid), SIGKILL);
    child.waitForFinished();
  });
  QVERIFY(waitFor([&] {
    const auto tree = processLoad(child.processId());
    return tree && tree->processes.size() == 2 && tree->cpuSeconds > 0.1;
  }));
  const auto with = processLoad(::getpid());
  QVERIFY(with->processes.size() >= 3);
  QVERIFY(with->cpuSeconds > own->cpuSeconds + 0.1);
}

void SystemSamplesTest::cardsOfARunAreChosen() {
  std::vector<CardLoad> cards(4);
  for (int i = 0; i < 4; ++i) cards[std::size_t(i)].index = i;
  const auto chosen = [&](const char* device, const char* visible, std::int64_t pid = 1) {
    std::string found;
    for (const CardLoad& card : cardsOf(cards, {pid}, device, visible)) found += std::to_string(card.index);
    return found;
  };
  QCOMPARE(chosen("cpu", ""), std::string());
  QCOMPARE(chosen("cuda:2", ""), std::string("2"));
  QCOMPARE(chosen("cuda", ""), std::string("0"));
  QCOMPARE(chosen("cuda:1", "3,2"), std::string("2"));
  QCOMPARE(chosen("cuda:0", "GPU-8f1c"), std::string("0123"));  // names tell no number
  QCOMPARE(chosen("cuda:7", ""), std::string("0123"));
  cards[3].processes[42] = 5;
  QCOMPARE(chosen("cuda:0", "", 42), std::string("3"));
}

void SystemSamplesTest::driverIsAsked() {
  // Whoever asks for a library of this name afterwards gets the one that is loaded.
  void* driver = ::dlopen(FATHOM_BIN_DIR "/../tests/nvml/libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  QVERIFY2(driver != nullptr, ::dlerror());
  const auto close = qScopeGuard([&] { ::dlclose(driver); });
  qputenv("FATHOM_FAKE_CARD_PROCESS", "4711");
  CardLook look;
  const std::vector<CardLoad> cards = look.look();
  QCOMPARE(cards.size(), std::size_t{2});
  QCOMPARE(cards[1].index, 1);
  QCOMPARE(cards[0].busyPercent.value(), 40.0);
  QCOMPARE(cards[1].memoryBytes.value(), 3 * 1024 * kMib);
  QVERIFY(!cards[0].watts);
  QCOMPARE(cards[1].watts.value(), 123.456);
  QCOMPARE(cards[1].celsius.value(), 51.0);
  QVERIFY(cards[0].processes.empty());
  QCOMPARE(cards[1].processes.at(4711), 1536 * kMib);
  // A run on the first card, whose processes the driver does not know.
  qunsetenv("FATHOM_FAKE_CARD_PROCESS");
  const QueueEntry entry = m_fixture->enqueue("finish", 60, 10);
  QCOMPARE(work({"cuda:0"}).notFinished, 0);
  const RunSystem system = readRunSystem(entry.runPath);
  QCOMPARE(system.machine.device, std::string("cuda:0"));
  QCOMPARE(lastOf(system, "system/gpu0"), 40.0);
  QCOMPARE(lastOf(system, "system/gpu0_memory"), 2.0);
  QVERIFY(system.find("system/gpu0_power") == nullptr && system.find("system/gpu1") == nullptr);
}

RunnerStatus SystemSamplesTest::work(const std::vector<std::string>& devices) const {
  RunnerOptions options = runnerOptions(m_fixture->path()).value();
  options.pollSeconds = 0.01;
  options.restartSeconds = 0.01;
  options.devices = devices;
  Runner runner(std::move(options));
  return runner.run(StopToken()).value().value();
}

void SystemSamplesTest::runnerSamplesItsRuns() {
  QueueEntry first = m_fixture->enqueue("finish", 100, 10);
  QVERIFY(m_fixture->queue().remove(first.uuid).ok());
  first.neededBytes = 412'000'000;  // as a form knows it
  first = m_fixture->queue().add(first).value();
  QCOMPARE(m_fixture->queue().entries()->front().neededBytes, std::int64_t{412'000'000});
  const QueueEntry second = m_fixture->enqueue("finish", 100, 10);
  QCOMPARE(work().notFinished, 0);
  for (const QueueEntry& entry : {first, second}) {
    const RunSystem system = readRunSystem(entry.runPath);
    QCOMPARE(system.badLines, std::int64_t{0});
    QVERIFY2(countOf(system, "system/process_cpu") >= 3,
             qPrintable(QString::number(countOf(system, "system/process_cpu"))));
    QVERIFY(lastOf(system, "system/process_memory") > 0);
    QVERIFY(lastOf(system, "system/process_memory_peak") >= lastOf(system, "system/process_memory"));
    QVERIFY(lastOf(system, "system/memory") > 0 && lastOf(system, "system/disk_free") > 0);
    QVERIFY(lastOf(system, "system/disk_written") >= 0);
    QVERIFY(measuredMemory(system, false) > 0);
    QCOMPARE(system.machine.device, std::string("cpu"));
    QCOMPARE(system.machine.cores, int(std::thread::hardware_concurrency()));
    QVERIFY(system.machine.memory > lastOf(system, "system/memory"));
    const auto& seconds = system.find("system/process_memory")->seconds;
    QVERIFY(std::is_sorted(seconds.begin(), seconds.end()) && seconds.back() < 60);
  }
  QCOMPARE(readRunSystem(first.runPath).machine.neededBytes, std::int64_t{412'000'000});
  QCOMPARE(readRunSystem(second.runPath).machine.neededBytes, std::int64_t{0});
  const QString project = QString::fromStdString(m_fixture->path()), run = QString::fromStdString(first.uuid);
  const ShellResult csv =
      m_fixture->fathom({"curves", "--project", project, "--runs", run, "--system", "--csv"});
  QVERIFY2(csv.exitCode == 0, qPrintable(csv.err));
  const QStringList lines = csv.out.split('\n', Qt::SkipEmptyParts);
  QCOMPARE(lines[0], QStringLiteral("run,name,metric,step,epoch,tokens,seconds,value"));
  const auto memory = lines.filter(QStringLiteral(",system/process_memory,"));
  QCOMPARE(std::size_t(memory.size()), countOf(readRunSystem(first.runPath), "system/process_memory"));
  QVERIFY2(memory[0].startsWith(run + QStringLiteral(",finish,system/process_memory,,,,")),
           qPrintable(memory[0]));
  const Json json =
      m_fixture->fathom({"curves", "--project", project, "--runs", run, "--system", "--json"}).json();
  QVERIFY(json["curves"].size() >= 6 && json["curves"][0]["step"][0].is_null());
  QVERIFY(json["curves"][0]["seconds"][0].is_number());
}

void SystemSamplesTest::eachAttemptHasItsStream() {
  const QueueEntry entry = m_fixture->enqueue("oom_once", 60, 10);
  QCOMPARE(work().notFinished, 0);
  const RunFolder folder(entry.runPath);
  QCOMPARE(folder.lastAttempt(), 2);
  for (const int attempt : {1, 2}) QVERIFY(readFile(systemStreamPath(folder, attempt)).ok());
  QVERIFY(countOf(readRunSystem(entry.runPath), "system/memory") >= 2);
}

// Nothing that the sampler meets ends it: no lock, no attempt, no permission, a pipe in the place of its
// stream.
void SystemSamplesTest::brokenPlacesCostNothing() {
  const std::string run = m_dir->filePath("run").toStdString();
  QVERIFY(makeFolders(RunFolder(run).attemptPath(1)).ok());
  const auto lock = RunLock::acquire(run, "").value();
  QCOMPARE(::mkfifo(systemStreamPath(RunFolder(run), 1).c_str(), 0600), 0);
  SystemSampler sampler(0.01);
  sampler.watch({{run, 0, "cpu", 0}, {run + "/none", 0, "cpu", 0}});
  QVERIFY(makeFolders(RunFolder(run).attemptPath(2)).ok());
  QVERIFY(waitFor([&] { return countOf(readRunSystem(run), "system/memory") > 2; }));
  sampler.watch({});
}

// Nobody has told the sampler which device the engine chose: its log does, once it has begun. An attempt that
// is over gets no more samples.
void SystemSamplesTest::deviceMayBeTheLogs() {
  const std::string run = m_dir->filePath("run").toStdString();
  const RunFolder folder(run);
  QVERIFY(makeFolders(folder.attemptPath(1)).ok());
  const auto lock = RunLock::acquire(run, "").value();
  auto log = EventLog::create(folder.eventsPath(1)).value();
  SystemSampler sampler(0.01);
  sampler.watch({{run, 0, "", 7}});
  QVERIFY(log->append("progress", {{"phase", "reading"}}).ok());
  QVERIFY(log->append("run_started", {{"device", "cuda:3"}}).ok());
  QVERIFY(waitFor([&] { return countOf(readRunSystem(run), "system/memory") > 2; }));
  QCOMPARE(readRunSystem(run).machine.device, std::string("cuda:3"));
  QCOMPARE(readRunSystem(run).machine.neededBytes, std::int64_t{7});
  // Another run tells when the sampler has been here again.
  const std::string other = m_dir->filePath("other").toStdString();
  QVERIFY(makeFolders(RunFolder(other).attemptPath(1)).ok());
  const auto otherLock = RunLock::acquire(other, "").value();
  std::ofstream(folder.outcomePath(1)) << "{}";
  sampler.watch({{run, 0, "", 7}, {other, 0, "cpu", 0}});
  const auto sampled = [&](std::size_t times) {
    return countOf(readRunSystem(other), "system/memory") >= times;
  };
  QVERIFY(waitFor([&] { return sampled(2); }));
  const std::size_t before = countOf(readRunSystem(run), "system/memory");
  QVERIFY(waitFor([&] { return sampled(5); }));
  QCOMPARE(countOf(readRunSystem(run), "system/memory"), before);
  sampler.watch({});
}

// As a host or a job of a Slurm starts it; without the wish nothing is written.
void SystemSamplesTest::anEngineThatIsAskedSamplesItself() {
  const QString data = m_dir->filePath("data");
  QVERIFY(writeMadeSentences(data.toStdString(), 1, {200, 30, 30}).ok());
  write("config.json", test::tinyTranslation(data, {{"training.length", "200u"}}).dump());
  for (const char* wish : {"412000000", ""}) {
    const QString run = m_dir->filePath(QStringLiteral("asked") + wish);
    QProcess engine;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QLatin1String(kSamplingVariable), QLatin1String(wish));
    environment.insert(QStringLiteral("FATHOM_SAMPLE_SECONDS"), QStringLiteral("0.02"));
    engine.setProcessEnvironment(environment);
    engine.start(QStringLiteral(FATHOM_BIN_DIR "/fathom-engine"),
                 {QStringLiteral("train"), QStringLiteral("--or-resume"), QStringLiteral("--config"),
                  m_dir->filePath("config.json"), QStringLiteral("--run"), run});
    QVERIFY(engine.waitForFinished(120000));
    QVERIFY2(engine.exitCode() == 0, engine.readAllStandardError().constData());
    const RunSystem system = readRunSystem(run.toStdString());
    QCOMPARE(countOf(system, "system/process_cpu") > 2, *wish != '\0');
    if (*wish == '\0') continue;
    QCOMPARE(system.badLines, std::int64_t{0});
    QCOMPARE(system.machine.device, std::string("cpu"));
    QCOMPARE(system.machine.neededBytes, std::int64_t{412'000'000});
    QVERIFY(measuredMemory(system, false) > 0.05);
  }
}

void SystemSamplesTest::realRunLeavesSamples() {
  const QString project = QString::fromStdString(m_fixture->path());
  const ShellResult trained = m_fixture->fathom(
      {"train", "--project", project, "--preset", "sample_small", "--set", "training.length=20u", "--set",
       "lr_schedule.warmup=2", "--set", "threads=1", "--name", "small", "--wait", "--json"},
      {QStringLiteral("FATHOM_ENGINE=" FATHOM_BIN_DIR "/fathom-engine"),
       QStringLiteral("FATHOM_SAMPLE_SECONDS=0.05")},
      180);
  QVERIFY2(trained.exitCode == 0, qPrintable(trained.out + trained.err));
  const Json runs = m_fixture->fathom({"runs", "--project", project, "--json"}).json()["runs"];
  const RunSystem system = readRunSystem(runs[0]["path"].get<std::string>());
  QVERIFY(countOf(system, "system/process_cpu") >= 2);
  const auto& cores = system.find("system/process_cpu")->values;
  QVERIFY(*std::max_element(cores.begin(), cores.end()) > 0.1);
  QVERIFY(measuredMemory(system, false) > 0.05);  // LibTorch alone takes more
}

void SystemSamplesTest::pythonLeavesTheSameNames() {
  const QString python = QStandardPaths::findExecutable(QStringLiteral("python3"));
  const QString ask = QStringLiteral("import sys; sys.exit(sys.version_info < (3, 8))");
  if (python.isEmpty() || QProcess::execute(python, {QStringLiteral("-c"), ask}) != 0)
    QSKIP("no python3 of version 3.8 or newer on this machine");
  const std::string run = m_fixture->path() + "/runs/python";
  QProcessEnvironment values = QProcessEnvironment::systemEnvironment();
  values.insert(QStringLiteral("FATHOM_MODULE"), QStringLiteral(FATHOM_SOURCE_DIR "/packaging/python"));
  values.insert(QStringLiteral("FATHOM_RUN_DIR"), QString::fromStdString(run));
  values.insert(QStringLiteral("PYTHONDONTWRITEBYTECODE"), QStringLiteral("1"));
  values.insert(QStringLiteral("FATHOM_SAMPLE_SECONDS"), QStringLiteral("0.05"));
  QProcess process;
  process.setProcessEnvironment(values);
  process.setStandardOutputFile(QProcess::nullDevice());
  process.start(
      python, {QStringLiteral(FATHOM_SOURCE_DIR "/tests/process/written_run.py"), QStringLiteral("forever")});
  const auto end = qScopeGuard([&] {
    process.kill();
    process.waitForFinished();
  });
  QVERIFY(process.waitForStarted());
  QVERIFY(waitFor([&] { return countOf(readRunSystem(run), "system/process_cpu") >= 3; }, 60));
  const RunSystem system = readRunSystem(run);
  QCOMPARE(system.badLines, std::int64_t{0});
  QVERIFY(system.machine.cores > 0 && system.machine.memory > 0);
  for (const std::string_view name :
       {system_name::kCpu, system_name::kMemory, system_name::kProcessCpu, system_name::kProcessMemory,
        system_name::kProcessPeak, system_name::kDiskFree, system_name::kDiskWritten})
    QVERIFY2(system.find(name) != nullptr, std::string(name).c_str());
  // They are no points of curves any more.
  for (const ScalarSeries& series : readRunScalars(run).value())
    QVERIFY2(!series.metric.starts_with(system_name::kPrefix), series.metric.c_str());
}

// At most .2 % of a core: 20 ms for a sample every ten seconds. Of a process with fifty threads, with
// everything that a sample reads and writes.
void SystemSamplesTest::aSampleIsCheap() {
  constexpr int kThreads = 50, kSamples = 100;
  constexpr double kMostSeconds = 0.020;
  std::atomic<bool> over{false};
  std::vector<std::thread> idle;
  for (int i = 0; i < kThreads; ++i) idle.push_back(startThread([&] { over.wait(false); }));
  const auto end = qScopeGuard([&] {
    over = true;
    over.notify_all();
    for (std::thread& each : idle) each.join();
  });
  const std::string run = m_dir->filePath("run").toStdString();
  QVERIFY(makeFolders(RunFolder(run).attemptPath(1)).ok());
  const auto lock = RunLock::acquire(run, "").value();
  const auto stream = SystemStream::open(systemStreamPath(RunFolder(run), 1)).value();
  HostLook host;
  CardLook cards;
  const double begin = threadSeconds();
  for (int i = 0; i < kSamples; ++i) {
    const auto holder = runLockHolder(run);
    const auto load = processLoad(holder->pid);
    (void)host.look();
    (void)cards.look();
    const auto room = freeDiskBytes(run);
    QVERIFY(
        stream
            ->add({{"system/process_memory", double(load->memoryBytes)}, {"system/disk_free", double(*room)}},
                  i)
            .ok());
  }
  const double seconds = (threadSeconds() - begin) / kSamples;
  QVERIFY2(seconds < kMostSeconds, qPrintable(QString::number(seconds)));
  qInfo("a sample of %d threads takes %.3f ms of a core, %.4f %% at one in ten seconds", kThreads,
        1e3 * seconds, 10 * seconds);
}

QTEST_GUILESS_MAIN(SystemSamplesTest)
#include "tst_system_samples.moc"
