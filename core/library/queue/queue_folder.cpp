// SPDX-License-Identifier: Apache-2.0
#include "core/library/queue/queue_folder.h"

#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <functional>
#include <iterator>
#include <map>
#include <tuple>

#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/base/files/one_folder.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/base/json/json_members.h"
#include "core/base/text/number_text.h"
#include "core/base/text/text_list.h"
#include "core/library/queue/queue_batch.h"
#include "core/record/runs/project_folder.h"
#include "core/record/runs/run_folder.h"
#include "core/record/runs/run_lock.h"

namespace fathom {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kOrderStep = 1000;  // room for moving entries between others
constexpr const char* kClaimed = ".claimed.json";
constexpr int kFormat = 2;  // 1: "run" was an absolute path

std::string orderText(std::int64_t order) {
  return paddedText(order, 12);
}

std::string waitingName(const QueueEntry& entry) {
  return "/" + orderText(entry.order) + "-" + entry.uuid + ".json";
}

std::string waitingFile(const std::string& folder, const QueueEntry& entry) {
  return folder + (entry.batch.empty() ? "" : "/" + entry.batch) + waitingName(entry);
}

// After an entry's file has left its batch, whose folder goes with the last one.
void leaveBatch(const std::string& folder, QueueEntry& entry) {
  if (!entry.batch.empty()) ::rmdir((folder + "/" + entry.batch).c_str());
  entry.batch.clear();
}

// The claimer is in the name, so that claiming is one rename and nothing has to be written.
std::string claimedFile(const std::string& folder, const QueueEntry& entry) {
  const ProcessIdentity& by = entry.claimer;
  std::string name = orderText(entry.order) + "-" + entry.uuid + "@" + std::to_string(by.pid) + "@" + by.host;
  if (!by.startTime.empty() || !by.bootId.empty()) name += "@" + by.startTime + "@" + by.bootId;
  return folder + "/" + name + kClaimed;
}

std::string fileOf(const std::string& folder, const QueueEntry& entry) {
  return entry.claimed() ? claimedFile(folder, entry) : waitingFile(folder, entry);
}

std::string runsFolder(const std::string& project) {
  return ProjectFolder(project).runsPath() + "/";
}

// Word of the file for the run: its folder's name below runs/, the path of one that is elsewhere.
std::string storedRun(const std::string& project, const QueueEntry& entry) {
  if (entry.runPath.empty()) return entry.uuid;
  std::error_code code;
  const fs::path run = fs::absolute(entry.runPath, code).lexically_normal();
  const fs::path folder = run.has_filename() ? run : run.parent_path();
  const bool ours = fs::weakly_canonical(folder.parent_path(), code) ==
                    fs::weakly_canonical(fs::path(project) / "runs", code);
  return ours ? folder.filename().string() : folder.string();
}

Json entryToJson(const std::string& project, const QueueEntry& entry) {
  Json json = {{"format", kFormat},       {"run", storedRun(project, entry)}, {"resume", entry.resume},
               {"config", entry.config},  {"device", entry.device},           {"grid", entry.grid},
               {"created", entry.created}};
  if (entry.place != kLocalPlace) json["place"] = entry.place;
  if (entry.neededBytes > 0) json["needed_bytes"] = entry.neededBytes;
  if (entry.script.given()) json["script"] = runScriptToJson(entry.script);
  return json;
}

// <pid>@<host>@<start>@<boot id>; older programs wrote the first two.
bool parseClaimer(std::string_view text, ProcessIdentity& claimer) {
  const std::vector<std::string_view> fields = splitAt(text, '@');
  if (fields.size() != 2 && fields.size() != 4) return false;
  claimer.pid = numberFrom<std::int64_t>(fields[0]).value_or(0);
  claimer.host = fields[1];
  if (fields.size() == 4) {
    claimer.startTime = fields[2];
    claimer.bootId = fields[3];
  }
  return claimer.pid > 0;
}

// <order>-<uuid>.json or <order>-<uuid>@<claimer>.claimed.json
bool parseName(std::string_view name, QueueEntry& entry) {
  const std::size_t dash = name.find('-');
  if (dash == std::string_view::npos) return false;
  const auto order = numberFrom<std::int64_t>(name.substr(0, dash));
  if (!order) return false;
  entry.order = *order;
  std::string_view rest = name.substr(dash + 1);
  if (rest.ends_with(kClaimed)) {
    rest.remove_suffix(std::string_view(kClaimed).size());
    const std::size_t at = rest.find('@');
    if (at == std::string_view::npos || !parseClaimer(rest.substr(at + 1), entry.claimer)) return false;
    entry.uuid = rest.substr(0, at);
    return !entry.uuid.empty();
  }
  if (!rest.ends_with(".json")) return false;
  entry.uuid = rest.substr(0, rest.size() - 5);
  return !entry.uuid.empty();
}

// The run's folder in this project. Of an absolute path of format 1 only the last part counts: the project
// may have been copied or moved since. A run that starts needs no folder yet, one that is resumed does.
Result<std::string> runPathOf(const std::string& project, const std::string& file, int format,
                              const QueueEntry& entry) {
  const fs::path stored = fs::path(entry.runPath).lexically_normal();
  const std::string name = (stored.has_filename() ? stored : stored.parent_path()).filename().string();
  const bool plain = !name.empty() && name != "." && name != "..";
  if (!plain || (stored.is_relative() && stored != fs::path(name)))
    return dataErrorAt(file, 0, Phrase::tr("'%1' is not the name of a run folder")(entry.runPath),
                       Phrase::tr("queue the run again"));
  const bool elsewhere = stored.is_absolute() && format >= kFormat;
  const std::string path = elsewhere ? stored.string() : runsFolder(project) + name;
  if (entry.resume && !RunFolder(path).exists())
    return dataErrorAt(file, 0, Phrase::tr("the run to go on with is not there: %1")(path),
                       Phrase::tr("put its folder back and resume it again"));
  return path;
}

Status readEntry(const std::string& project, const std::string& path, QueueEntry& entry) {
  FATHOM_TRY(const Json json, readJsonFile(path, {64, std::size_t{16} << 20, false}));
  if (!json.is_object() || !json.contains("config") || !json["config"].is_object())
    return dataErrorAt(path, 0, Phrase::tr("not a queue entry: \"config\" is missing"));
  entry.runPath = memberText(json, "run");
  entry.device = memberText(json, "device");
  if (entry.device.empty()) entry.device = "auto";
  entry.place = memberText(json, "place");
  if (entry.place.empty()) entry.place = kLocalPlace;  // as of every older program
  entry.grid = memberText(json, "grid");
  entry.created = memberText(json, "created");
  entry.neededBytes = memberInteger(json, "needed_bytes");
  entry.config = json["config"];
  if (json.contains("script")) {
    FATHOM_TRY(entry.script, runScriptFromJson(memberObject(json, "script"), path));
  }
  entry.resume = memberFlag(json, "resume", entry.resume);
  if (entry.runPath.empty()) entry.runPath = entry.uuid;
  const auto format = static_cast<int>(memberInteger(json, "format", 1));
  FATHOM_TRY(entry.runPath, runPathOf(project, path, format, entry));
  return {};
}

// True if other machines may have the folder open, too: network file systems, and those that a program
// serves. On any other everybody who uses the folder runs under this kernel.
bool mayBeShared(const std::string& folder) {
  struct statfs info {};
  if (::statfs(folder.c_str(), &info) != 0) return true;
  constexpr std::uint32_t kShared[] = {
      0x6969,      // NFS
      0xFF534D42,  // CIFS
      0xFE534D42,  // SMB 2
      0x517B,      // SMB
      0x65735546,  // FUSE: sshfs, virtiofs, ...
      0x01021997,  // 9P
      0x00C36400,  // Ceph
      0x0BD00BD0,  // Lustre
      0x47504653,  // GPFS
      0x19830326,  // BeeGFS
      0x5346414F,  // AFS
      0x6B414653,  // kAFS
      0x7461636F,  // OCFS2
      0x01161970,  // GFS2
      0xAAD7AAEA,  // PanFS
  };
  const auto type = static_cast<std::uint32_t>(info.f_type);
  return std::find(std::begin(kShared), std::end(kShared), type) != std::end(kShared);
}

// Numbers before or behind all others, in the order given.
void placeInOrder(std::vector<QueueEntry>& added, const std::vector<QueueEntry>& others, bool atFront) {
  const auto count = static_cast<std::int64_t>(added.size());
  std::int64_t first = std::int64_t{1000} * kOrderStep, step = kOrderStep;
  if (!others.empty() && atFront) {
    step = std::min(kOrderStep, others.front().order / (count + 1));
    first = others.front().order - count * step;
  } else if (!others.empty()) {
    first = others.back().order + kOrderStep;
  }
  for (std::int64_t i = 0; i < count; ++i) added[static_cast<std::size_t>(i)].order = first + i * step;
}

// All of them, or the one of this UUID alone: of the others nothing but the names is read.
Result<std::vector<QueueEntry>> readEntries(const std::string& project, const std::string& folder,
                                            const std::string& only, std::vector<Error>* skipped) {
  std::vector<QueueEntry> all;
  const auto read = [&](const std::string& name, const std::string& batch) {
    if (!name.ends_with(".json") || name == "settings.json") return;
    if (!only.empty() && name.find(only) == std::string::npos) return;
    QueueEntry entry;
    const std::string path = folder + "/" + (batch.empty() ? "" : batch + "/") + name;
    Status status = dataErrorAt(path, 0, Phrase::tr("not the name of a queue entry"));
    if (parseName(name, entry)) {
      status = readEntry(project, path, entry);
      const auto there = isThere(path);
      if (!status.ok() && there.ok() && !*there) return;  // taken by somebody meanwhile
    }
    entry.batch = batch;
    if (status.ok())
      all.push_back(std::move(entry));
    else if (skipped != nullptr)
      skipped->push_back(status.error());
  };
  // Batches first: what is claimed out of one meanwhile is found twice, not missed.
  FATHOM_TRY(const auto batches, batchesIn(project, folder));
  for (const std::string& batch : batches) {
    FATHOM_TRY(const auto inBatch, entriesIn(folder + "/" + batch));
    for (const auto& item : inBatch) read(item.path().filename().string(), batch);
  }
  FATHOM_TRY(const auto items, entriesIn(folder));
  for (const auto& item : items) read(item.path().filename().string(), "");
  std::sort(all.begin(), all.end(), [](const QueueEntry& a, const QueueEntry& b) {
    return std::make_tuple(a.order, std::ref(a.uuid), !a.claimed()) <
           std::make_tuple(b.order, std::ref(b.uuid), !b.claimed());
  });
  const auto twice = [](const QueueEntry& a, const QueueEntry& b) { return a.uuid == b.uuid; };
  all.erase(std::unique(all.begin(), all.end(), twice), all.end());
  return all;
}

}  // namespace

QueueFolder::QueueFolder(const std::string& projectPath) : m_path(ProjectFolder(projectPath).queuePath()) {
  m_project = absolutePath(projectPath);
  while (m_project.size() > 1 && m_project.back() == '/') m_project.pop_back();
}

std::string QueueFolder::waitingPath(const QueueEntry& entry) const {
  return m_path + waitingName(entry);
}

Result<std::vector<QueueEntry>> QueueFolder::entries(std::vector<Error>* skipped) const {
  return readEntries(m_project, m_path, {}, skipped);
}

Result<std::vector<Error>> QueueFolder::putAside() const {
  std::vector<Error> skipped;
  FATHOM_TRY(const auto all, entries(&skipped));
  (void)all;
  // An entry that could not be read now may be read later.
  std::erase_if(skipped, [](const Error& error) { return error.kind != ErrorKind::Data; });
  if (skipped.empty()) return skipped;
  const std::string aside = m_path + "/aside";
  FATHOM_CHECK(makeOneFolder(aside));
  for (const Error& error : skipped)
    FATHOM_CHECK(renamePath(error.file, aside + "/" + fs::path(error.file).filename().string()));
  return skipped;
}

Result<QueueEntry> QueueFolder::add(QueueEntry entry, bool atFront) const {
  FATHOM_TRY(auto added, addAll({std::move(entry)}, atFront));
  return std::move(added.front());
}

Result<QueueEntry> QueueFolder::addOne(QueueEntry entry) const {
  const std::string file = waitingFile(m_path, entry);
  const Status written = writeFileAtomically(file, entryToJson(m_project, entry).dump(2) + "\n");
  if (written.ok()) return entry;
  ::unlink(file.c_str());
  return written.error();
}

Result<std::vector<QueueEntry>> QueueFolder::addAll(std::vector<QueueEntry> added, bool atFront,
                                                    const QueueRecord& record) const {
  if (added.empty()) return added;
  FATHOM_CHECK(makeOneFolder(m_path));
  FATHOM_TRY(const auto all, entries());
  placeInOrder(added, all, atFront);
  for (QueueEntry& entry : added) {
    if (entry.uuid.empty()) entry.uuid = makeUuid();
    if (entry.created.empty()) entry.created = isoTimeNow();
    entry.claimer = {};
    entry.batch.clear();
    if (entry.runPath.empty()) entry.runPath = runsFolder(m_project) + entry.uuid;
  }
  if (added.size() == 1 && !record.make) {
    FATHOM_TRY(added.front(), addOne(added.front()));
    return added;
  }
  FATHOM_TRY(QueueBatch batch, QueueBatch::stage(m_path));
  for (QueueEntry& entry : added) {
    FATHOM_CHECK(writeFileAtomically(batch.folder() + waitingName(entry),
                                     entryToJson(m_project, entry).dump(2) + "\n"));
    entry.batch = batch.name();
  }
  if (record.make) FATHOM_CHECK(record.make());
  const Status queued = batch.putIntoQueue();
  if (queued.ok()) return added;
  if (record.undo) record.undo();
  return queued.error();
}

Result<int> QueueFolder::withdraw(const std::vector<QueueEntry>& unwanted, const QueueRecord& record) const {
  FATHOM_TRY(auto all, entries());
  std::erase_if(all, [](const QueueEntry& entry) { return entry.claimed(); });
  const auto named = [&unwanted](const QueueEntry& entry) {
    return std::any_of(unwanted.begin(), unwanted.end(),
                       [&](const QueueEntry& each) { return each.uuid == entry.uuid; });
  };
  std::map<std::string, bool> whole;  // batches: whether nothing of them stays
  for (const QueueEntry& entry : all) {
    if (!entry.batch.empty()) whole.try_emplace(entry.batch, true).first->second &= named(entry);
  }
  int count = 0;
  std::vector<QueueBatch> taken;  // and removed once the record is undone
  for (const auto& [name, all] : whole) {
    if (!all) continue;
    FATHOM_TRY(QueueBatch batch, QueueBatch::withdraw(m_path, name));
    FATHOM_TRY(const int files, batch.files());
    count += files;
    taken.push_back(std::move(batch));
  }
  for (const QueueEntry& entry : all) {
    if (!named(entry) || (!entry.batch.empty() && whole[entry.batch])) continue;
    const std::string file = waitingFile(m_path, entry);
    if (::unlink(file.c_str()) != 0 && errno != ENOENT)
      return systemError(Phrase::tr("cannot remove"), file, errno);
    ++count;
  }
  if (record.undo) record.undo();
  return count;
}

Result<std::optional<QueueEntry>> QueueFolder::claimEntry(const std::string& uuid) const {
  FATHOM_TRY(const auto all, readEntries(m_project, m_path, uuid, nullptr));
  for (QueueEntry entry : all) {
    if (entry.uuid != uuid || entry.claimed()) continue;
    const std::string from = waitingFile(m_path, entry);
    entry.claimer = thisProcess();
    // rename fails with ENOENT for all but the one that was first.
    const Status status = renamePath(from, claimedFile(m_path, entry));
    if (status.ok()) {
      leaveBatch(m_path, entry);
      return std::optional<QueueEntry>(std::move(entry));
    }
    if (fileExists(from)) return status.error();
  }
  return std::optional<QueueEntry>();
}

Status QueueFolder::release(const QueueEntry& entry) const {
  if (!entry.claimed()) return {};
  return renamePath(claimedFile(m_path, entry), waitingFile(m_path, entry));
}

Status QueueFolder::remove(const std::string& uuid) const {
  FATHOM_TRY(const auto all, entries());
  for (QueueEntry entry : all) {
    if (entry.uuid != uuid) continue;
    std::string file = fileOf(m_path, entry);
    if (!entry.batch.empty()) {  // out of its batch first: who watches the queue sees no other folder
      FATHOM_CHECK(renamePath(file, waitingPath(entry)));
      file = waitingPath(entry);
      leaveBatch(m_path, entry);
    }
    if (::unlink(file.c_str()) != 0 && errno != ENOENT)
      return systemError(Phrase::tr("cannot remove"), file, errno);
    return {};
  }
  return unavailableError(Phrase::tr("there is no run %1 in the queue")(uuid));
}

Status QueueFolder::reorder(const std::string& uuid, const std::string& before) const {
  FATHOM_TRY(auto all, entries());
  std::erase_if(all, [](const QueueEntry& entry) { return entry.claimed(); });
  const auto at = [&](const std::string& id) {
    return std::find_if(all.begin(), all.end(), [&](const QueueEntry& entry) { return entry.uuid == id; });
  };
  const auto moved = at(uuid);
  if (moved == all.end()) return unavailableError(Phrase::tr("run %1 does not wait in the queue")(uuid));
  const QueueEntry entry = *moved;
  all.erase(moved);
  const auto target = before.empty() ? all.end() : at(before);
  if (!before.empty() && target == all.end())
    return unavailableError(Phrase::tr("run %1 does not wait in the queue")(before));
  all.insert(target, entry);
  // The same numbers in the new order, made distinct; only files whose number changes are renamed.
  std::vector<std::int64_t> orders;
  for (const QueueEntry& item : all) orders.push_back(item.order);
  std::sort(orders.begin(), orders.end());
  for (std::size_t i = 1; i < orders.size(); ++i) orders[i] = std::max(orders[i], orders[i - 1] + 1);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].order == orders[i]) continue;
    const std::string from = waitingFile(m_path, all[i]);
    all[i].order = orders[i];
    const Status status = renamePath(from, waitingPath(all[i]));
    if (!status.ok() && fileExists(from)) return status;  // gone = claimed meanwhile
    leaveBatch(m_path, all[i]);
  }
  return {};
}

bool QueueFolder::orphaned(const QueueEntry& entry) const {
  const ProcessIdentity& by = entry.claimer;
  if (!entry.claimed() || by == thisProcess()) return false;
  if (by.host == hostName()) return true;
  const bool sameMachine = !by.bootId.empty() && by.bootId == bootId();
  return (sameMachine || !mayBeShared(m_path)) && runnerPidOf(by.host) == 0;
}

Result<QueueEntry> QueueFolder::adopt(QueueEntry entry) const {
  const std::string from = fileOf(m_path, entry);
  entry.claimer = thisProcess();
  FATHOM_CHECK(renamePath(from, claimedFile(m_path, entry)));
  return entry;
}

Result<int> QueueFolder::releaseOrphans() const {
  FATHOM_TRY(const auto all, entries());
  int count = 0;
  for (const QueueEntry& entry : all) {
    if (!orphaned(entry) || runLockHolder(entry.runPath) || scriptRuns(entry.runPath)) continue;
    const Status released = release(entry);
    if (!released.ok() && fileExists(fileOf(m_path, entry))) return released.error();
    count += released.ok();  // the runner of another host was quicker
  }
  return count;
}

Result<QueueSettings> QueueFolder::settings() const {
  QueueSettings settings;
  const std::string path = m_path + "/settings.json";
  FATHOM_TRY(const bool changed, isThere(path));
  if (!changed) return settings;
  FATHOM_TRY(const Json json, readJsonFile(path));
  const auto integer = [&](const char* key, int fallback) {
    return std::max(static_cast<int>(memberInteger(json, key, fallback)), 0);
  };
  settings.paused = memberFlag(json, "paused", settings.paused);
  settings.concurrentCpuRuns = std::max(integer("concurrent_cpu_runs", settings.concurrentCpuRuns), 1);
  settings.runsPerGpu = std::max(integer("runs_per_gpu", settings.runsPerGpu), 1);
  settings.maxRestartsPerHour = integer("max_restarts_per_hour", settings.maxRestartsPerHour);
  for (const Json& device : memberList(json, "devices"))
    if (device.is_string()) settings.devices.push_back(device.get<std::string>());
  return settings;
}

Status QueueFolder::setSettings(const QueueSettings& settings) const {
  FATHOM_CHECK(makeOneFolder(m_path));
  const Json json = {{"paused", settings.paused},
                     {"concurrent_cpu_runs", settings.concurrentCpuRuns},
                     {"runs_per_gpu", settings.runsPerGpu},
                     {"devices", settings.devices},
                     {"max_restarts_per_hour", settings.maxRestartsPerHour}};
  return writeFileAtomically(m_path + "/settings.json", json.dump(2) + "\n");
}

}  // namespace fathom
