// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "core/base/files/atomic_file.h"
#include "core/library/queue/queue_folder.h"

namespace fathom::test {

// An empty queue in a folder of its own.
class MadeQueue {
 protected:
  void makeFolder() {
    m_dir = std::make_unique<QTemporaryDir>();
    FileFaults::clear();
  }
  QueueFolder queue() const { return QueueFolder(m_dir->path().toStdString()); }
  std::string add(const std::string& name, const std::string& device = "auto", bool front = false) const {
    QueueEntry entry;
    entry.uuid = name;
    entry.device = device;
    entry.runPath = m_dir->path().toStdString() + "/runs/" + name;
    entry.config = {{"format", 1}, {"name", name}};
    return queue().add(entry, front).value().uuid;
  }
  std::string order() const {
    std::string all;
    const auto entries = queue().entries().value();
    for (const auto& entry : entries) all += entry.uuid + (entry.claimed() ? "! " : " ");
    return all;
  }
  // The first that nobody else has, as a runner takes it; nothing where there is none.
  Result<std::optional<QueueEntry>> claimNext() const {
    FATHOM_TRY(const auto all, queue().entries());
    for (const QueueEntry& entry : all) {
      if (entry.claimed()) continue;
      FATHOM_TRY(auto claimed, queue().claimEntry(entry.uuid));
      if (claimed) return claimed;
    }
    return std::optional<QueueEntry>();
  }
  // Renames the claim of `name` to one by somebody else.
  void claimAs(const std::string& name, const ProcessIdentity& by) const {
    const auto entry = queue().claimEntry(name).value();
    QVERIFY(entry.has_value());
    for (const auto& file : std::filesystem::directory_iterator(queue().path())) {
      const std::string old = file.path().filename().string();
      if (old.find("-" + name + "@") == std::string::npos) continue;
      const std::string claim = old.substr(0, old.find('@')) + "@" + std::to_string(by.pid) + "@" + by.host +
                                "@" + by.startTime + "@" + by.bootId + ".claimed.json";
      std::filesystem::rename(file.path(), file.path().parent_path() / claim);
      return;
    }
    QFAIL("there is no claim");
  }
  std::unique_ptr<QTemporaryDir> m_dir;
};

}  // namespace fathom::test
