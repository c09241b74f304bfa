// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>
#include <QTemporaryDir>
#include <memory>
#include <string>

#include "core/base/json/json.h"
#include "core/library/queue/queue_folder.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

struct ShellResult {
  int exitCode = -1;
  QString out, err;
  Json json() const;  // of out; a Failure when it is none
};

// A new project in a temporary folder, the fake engine and an own cache, configuration and runtime folder,
// all through the environment of this process.
class ProjectFixture {
 public:
  ProjectFixture();
  std::string path() const { return m_project; }
  QString file(const char* name) const { return m_folder.filePath(name); }
  // Another program than bin/fathom from now on.
  void setProgram(const QString& path) { m_program = path; }
  // The program itself. `environment`: NAME=value.
  ShellResult fathom(const QStringList& words, const QStringList& environment = {}, int seconds = 60) const;
  // One beside it: "fathom-bench", "fathom-pictures".
  ShellResult beside(const QString& program, const QStringList& words, const QStringList& environment = {},
                     int seconds = 60) const;
  // Queues a run of the fake engine; returns its entry.
  QueueEntry enqueue(const char* behaviour, int steps = 20, int milliseconds = 1) const;
  RunState waitForEnd(const std::string& runPath, int seconds = 30) const;  // outcome of the last attempt
  // Updates of its fake engines take no time from now on; elsewhere, engines know it by FATHOM_FAKE_HURRY.
  void hurry() const;
  QueueFolder queue() const { return QueueFolder(m_project); }

 private:
  ShellResult runProgram(const QString& path, const QStringList& words, const QStringList& environment,
                         int seconds) const;

  QTemporaryDir m_folder;
  QString m_program = QStringLiteral(FATHOM_BIN_DIR "/fathom");
  std::string m_project;
};

}  // namespace fathom
