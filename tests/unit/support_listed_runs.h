// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTemporaryDir>
#include <cstdint>
#include <memory>
#include <string>

#include "core/library/records/project_library.h"
#include "core/record/runs/run_folder.h"

namespace fathom::test {

// A project with runs of made curves.
class ListedRuns {
 protected:
  // A new project without runs.
  void makeProject();
  // A run with that many updates and a validation every ten.
  RunFolder addRun(const std::string& name, int steps, std::uint64_t seed = 1) const;
  // Copies of one ended run, each with a UUID and a name of its own.
  void addCopies(int count) const;
  static void end(const RunFolder& run);
  std::string project() const { return m_library->path(); }
  std::unique_ptr<QTemporaryDir> m_dir;
  std::unique_ptr<ProjectLibrary> m_library;
};

}  // namespace fathom::test
