// SPDX-License-Identifier: Apache-2.0
#include "core/machine/system_sampler.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "core/base/files/path_facts.h"
#include "core/base/json/json_members.h"
#include "core/base/threads/error_boundary.h"
#include "core/base/threads/thread_start.h"
#include "core/machine/process_load.h"
#include "core/record/events/event_reader.h"
#include "core/record/runs/run_lock.h"

namespace fathom {

namespace {

constexpr double kUsualPause = 10, kLeastPause = 0.01, kFirstPause = 1;

double wallSeconds() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// With as many digits as mean something: GiB to the tenth of a MB, cores to the thousandth.
double rounded(double value, double perOne) {
  return std::round(value * perOne) / perOne;
}
double gibibytes(std::int64_t bytes) {
  return rounded(static_cast<double>(bytes) / (1 << 30), 10000);
}

std::string visibleCards() {
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  return visible != nullptr ? visible : "";
}

// As the attempt began; "" while it has not.
std::string loggedDevice(const std::string& eventsPath) {
  EventReader reader(eventsPath);
  constexpr std::size_t kAtATime = 4096;
  while (true) {
    const auto events = reader.poll(kAtATime);
    if (!events.ok() || events->empty()) return {};
    for (const Event& event : *events)
      if (event.kind == "run_started") return memberText(event.members, "device");
  }
}

void addCard(const CardLoad& card, const std::vector<std::int64_t>& processes, SystemSample& sample) {
  const std::string name = std::string(system_name::kCard) + std::to_string(card.index);
  if (card.busyPercent) sample.emplace_back(name, *card.busyPercent);
  if (card.memoryBytes) sample.emplace_back(name + "_memory", gibibytes(*card.memoryBytes));
  std::int64_t own = 0;
  for (const std::int64_t process : processes)
    if (const auto found = card.processes.find(process); found != card.processes.end()) own += found->second;
  if (own > 0) sample.emplace_back(name + "_process_memory", gibibytes(own));
  if (card.watts) sample.emplace_back(name + "_power", rounded(*card.watts, 10));
  if (card.celsius) sample.emplace_back(name + "_temperature", *card.celsius);
}

}  // namespace

double SystemSampler::samplingPause() {
  const char* seconds = std::getenv("FATHOM_SAMPLE_SECONDS");
  return seconds != nullptr ? std::max(std::atof(seconds), kLeastPause) : kUsualPause;
}

SystemSampler::SystemSampler(double seconds) : m_seconds(seconds) {}

SystemSampler::~SystemSampler() {
  if (!m_thread.joinable()) return;
  {
    const std::lock_guard lock(m_guard);
    m_ends = true;
  }
  m_wake.notify_all();
  m_thread.join();
}

void SystemSampler::watch(const std::vector<SampledRun>& runs) {
  {
    const std::lock_guard lock(m_guard);
    if (runs == m_wanted) return;
    m_wanted = runs;
    m_changed = true;
  }
  // A system that gives no thread loses the samples alone.
  if (!m_thread.joinable()) (void)errorThrownBy([this] { m_thread = startThread([this] { work(); }); });
  m_wake.notify_all();
}

void SystemSampler::work() {
  std::unique_lock lock(m_guard);
  while (!m_ends) {
    if (std::exchange(m_changed, false)) {
      const std::vector<SampledRun> runs = m_wanted;
      lock.unlock();
      (void)errorThrownBy([&] { takeRuns(runs); });
      lock.lock();
      continue;
    }
    if (m_watched.empty()) {
      m_wake.wait(lock);
      continue;
    }
    const auto soonest =
        std::min_element(m_watched.begin(), m_watched.end(),
                         [](const auto& a, const auto& b) { return a.second.next < b.second.next; });
    if (const auto next = soonest->second.next; Clock::now() < next) {
      m_wake.wait_until(lock, next);
      continue;
    }
    lock.unlock();
    (void)errorThrownBy([this] { sampleDue(); });
    lock.lock();
  }
}

void SystemSampler::takeRuns(const std::vector<SampledRun>& runs) {
  std::map<std::string, Watched> watched;
  for (const SampledRun& run : runs) {
    const auto known = m_watched.find(run.path);
    if (known != m_watched.end() && known->second.run == run) {
      watched[run.path] = std::move(known->second);
      continue;
    }
    Watched fresh{run};
    fresh.device = run.device;
    fresh.next = Clock::now();
    fresh.pause = std::min(kFirstPause, m_seconds);
    watched[run.path] = std::move(fresh);
  }
  m_watched = std::move(watched);
}

void SystemSampler::sampleDue() {
  const auto now = Clock::now();
  for (auto& [path, watched] : m_watched) {
    if (now < watched.next) continue;
    // Set first: whatever the look ends in, the next one is not before.
    watched.next = now + std::chrono::microseconds(static_cast<std::int64_t>(watched.pause * 1e6));
    if (sample(watched)) watched.pause = std::min(2 * watched.pause, m_seconds);
  }
}

// Once for all runs that are due.
void SystemSampler::lookAtHost() {
  const auto now = Clock::now();
  if (m_hostAt != Clock::time_point() && now - m_hostAt < std::chrono::milliseconds(500) &&
      std::chrono::duration<double>(now - m_hostAt).count() < m_seconds / 2)
    return;
  m_hostAt = now;
  m_host = m_hostLook.look();
  const bool wanted = std::any_of(m_watched.begin(), m_watched.end(),
                                  [](const auto& each) { return each.second.device.starts_with("cuda"); });
  m_cards = wanted ? m_cardLook.look() : std::vector<CardLoad>();
}

void SystemSampler::addHost(SystemSample& sample) const {
  if (m_host.cpuPercent) sample.emplace_back(system_name::kCpu, rounded(*m_host.cpuPercent, 10));
  if (m_host.memoryBytes > 0) sample.emplace_back(system_name::kMemory, gibibytes(m_host.memoryBytes));
}

// False while the engine has not begun an attempt of its own, and when that is over.
bool SystemSampler::openStream(Watched& watched) {
  const RunFolder folder(watched.run.path);
  const int attempt = folder.lastAttempt();
  if (attempt <= watched.run.attemptsBefore) return false;
  if (fileExists(folder.outcomePath(attempt))) return false;
  if (attempt == watched.attempt && watched.stream) return true;
  if (watched.run.device.empty()) watched.device = loggedDevice(folder.eventsPath(attempt));
  if (watched.device.empty()) return false;
  auto stream = SystemStream::open(systemStreamPath(folder, attempt));
  if (!stream.ok()) return false;
  watched.stream = std::move(*stream);
  watched.attempt = attempt;
  watched.cpuSeconds = -1;
  MachineFacts facts;
  facts.cores = static_cast<int>(std::thread::hardware_concurrency());
  facts.memory = gibibytes(m_host.totalBytes);
  facts.device = watched.device;
  facts.neededBytes = watched.run.neededBytes;
  return watched.stream->describe(facts, wallSeconds()).ok();
}

bool SystemSampler::sample(Watched& watched) {
  const auto holder = runLockHolder(watched.run.path);
  if (!holder || holder->foreign) return false;
  lookAtHost();
  const auto load = processLoad(holder->pid);
  if (!load || !openStream(watched)) return false;
  const auto now = Clock::now();
  SystemSample sample;
  addHost(sample);
  if (watched.cpuSeconds >= 0) {
    const double seconds = std::chrono::duration<double>(now - watched.looked).count();
    const double used = std::max(load->cpuSeconds - watched.cpuSeconds, 0.0);
    if (seconds > 0) sample.emplace_back(system_name::kProcessCpu, rounded(used / seconds, 1000));
  }
  watched.cpuSeconds = load->cpuSeconds;
  watched.looked = now;
  sample.emplace_back(system_name::kProcessMemory, gibibytes(load->memoryBytes));
  sample.emplace_back(system_name::kProcessPeak, gibibytes(load->peakBytes));
  if (const auto bytes = freeDiskBytes(watched.run.path))
    sample.emplace_back(system_name::kDiskFree, gibibytes(*bytes));
  if (load->writtenBytes >= 0) sample.emplace_back(system_name::kDiskWritten, gibibytes(load->writtenBytes));
  for (const CardLoad& card : cardsOf(m_cards, load->processes, watched.device, visibleCards()))
    addCard(card, load->processes, sample);
  return watched.stream->add(sample, wallSeconds()).ok();
}

}  // namespace fathom
