// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/errors/result.h"

namespace fathom {

// Entries that come into the queue, or leave it, in one step, whoever is killed meanwhile: they wait in a
// folder of their own, queue/<uuid>.batch, and giving that folder its name is the step. They are claimed one
// by one; the folder goes with the last of them.
class QueueBatch {
 public:
  // An empty one that nobody sees yet. Error: no room.
  static Result<QueueBatch> stage(const std::string& queue);
  // Takes one out of the queue: nobody sees it any more.
  static Result<QueueBatch> withdraw(const std::string& queue, const std::string& name);
  // Removes entries that are not in the queue, with their files.
  ~QueueBatch();
  QueueBatch(QueueBatch&& other) noexcept;
  QueueBatch& operator=(QueueBatch&&) = delete;

  const std::string& name() const { return m_name; }
  const std::string& folder() const { return m_folder; }  // where its files are now
  Result<int> files() const;
  // After an error it is as before.
  Status putIntoQueue();

 private:
  QueueBatch(std::string queue, std::string name);
  std::string finalFolder() const { return m_queue + "/" + m_name; }
  std::string m_queue, m_name, m_folder;
  bool m_inQueue = false;
};

// Names of the batches in the queue. A step that somebody was killed in is ended first: when the library
// knows the grid of its entries all of them wait; without a grid, or when it was not recorded, none. It stays
// as it is while its maker lives, or while the library or the folder cannot be changed.
Result<std::vector<std::string>> batchesIn(const std::string& project, const std::string& queue);

}  // namespace fathom
