// SPDX-License-Identifier: Apache-2.0
#include "core/library/queue/queue_batch.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <string_view>
#include <utility>

#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/base/files/temporary_file.h"
#include "core/base/json/json.h"
#include "core/base/json/json_members.h"
#include "core/library/records/project_library.h"

namespace fathom {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kEnd = ".batch";
constexpr std::string_view kStaged = ".batch.tmp-";

// The grid that the entries of a batch name, or "".
Result<std::string> gridOf(const std::string& folder) {
  FATHOM_TRY(const auto items, entriesIn(folder));
  for (const auto& item : items) {
    if (const auto json = readJsonFile(item.path().string()); json.ok() && json->is_object())
      return memberText(*json, "grid");
  }
  return std::string();
}

// The name of the batch that waits now, "" when there is none.
std::string settled(const std::string& project, const std::string& queue, const std::string& name) {
  const std::string folder = queue + "/" + name;
  if (!isAbandonedTemporary(folder)) return {};
  const auto grid = gridOf(folder);
  if (!grid.ok()) return {};  // it stays until somebody can look into it
  if (!grid->empty()) {
    const auto library = ProjectLibrary::open(project);
    if (!library.ok()) return {};
    const auto grids = (*library)->grids();
    if (!grids.ok()) return {};
    const bool known = std::any_of(grids->begin(), grids->end(),
                                   [&](const GridRecord& record) { return record.uuid == *grid; });
    const std::string batch = name.substr(0, name.rfind(kStaged) + kEnd.size());
    if (known) return renamePath(folder, queue + "/" + batch).ok() ? batch : std::string();
  }
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  return {};
}

}  // namespace

QueueBatch::QueueBatch(std::string queue, std::string name)
    : m_queue(std::move(queue)), m_name(std::move(name)), m_folder(temporaryBeside(finalFolder())) {}

QueueBatch::QueueBatch(QueueBatch&& other) noexcept
    : m_queue(std::move(other.m_queue)),
      m_name(std::move(other.m_name)),
      m_folder(std::exchange(other.m_folder, {})),
      m_inQueue(other.m_inQueue) {}

Result<QueueBatch> QueueBatch::stage(const std::string& queue) {
  QueueBatch batch(queue, makeUuid() + std::string(kEnd));
  if (::mkdir(batch.m_folder.c_str(), 0755) != 0)
    return systemError(Phrase::tr("cannot create folder"), batch.m_folder, errno);
  return batch;
}

Result<QueueBatch> QueueBatch::withdraw(const std::string& queue, const std::string& name) {
  QueueBatch batch(queue, name);
  FATHOM_CHECK(renamePath(batch.finalFolder(), batch.m_folder));
  return batch;
}

QueueBatch::~QueueBatch() {
  if (m_inQueue || m_folder.empty()) return;
  std::error_code ignored;
  fs::remove_all(m_folder, ignored);
}

Result<int> QueueBatch::files() const {
  FATHOM_TRY(const auto entries, entriesIn(m_folder));
  return static_cast<int>(entries.size());
}

Status QueueBatch::putIntoQueue() {
  FATHOM_CHECK(renamePath(m_folder, finalFolder()));
  const Status kept = syncFolder(m_queue);
  m_inQueue = kept.ok() || ::rename(finalFolder().c_str(), m_folder.c_str()) != 0;
  if (m_inQueue) m_folder = finalFolder();
  return m_inQueue ? Status() : kept;
}

Result<std::vector<std::string>> batchesIn(const std::string& project, const std::string& queue) {
  std::vector<std::string> batches;
  FATHOM_TRY(const auto items, entriesIn(queue));
  for (const auto& item : items) {
    std::string name = item.path().filename().string();
    if (name.find(kStaged) != std::string::npos && isTemporaryName(name))
      name = settled(project, queue, name);
    std::error_code gone;
    if (name.ends_with(kEnd) && !item.is_symlink(gone)) batches.push_back(std::move(name));
  }
  return batches;
}

}  // namespace fathom
