// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>
#include <QTemporaryDir>
#include <QVector>

#include "core/base/json/json.h"
#include "tests/process/support_engine_forks.h"

namespace fathom::test {

struct DeviceOutcome {
  int exitCode = -1;
  bool crashed = false;
  QString out, err;
};

// Every number that a run logged, without what depends on the clock.
using LoggedNumbers = QVector<QPair<QString, double>>;
LoggedNumbers loggedNumbers(const QString& run);
// Events of a kind in the log of a run's first attempt.
QVector<Json> eventsOf(const QString& run, const char* kind);

// A task with generated data, in a small model.
struct DeviceTask {
  const char* task;
  const char* preset;
  const char* ending;     // of the parts
  int train, validation;  // records that are kept of each: lines, or members of the list
  QStringList assignments;
};
const QVector<DeviceTask>& deviceTasks();

// The engine on the stand-in device (tests/fakes/device), and the data of tasks.
class DeviceRuns {
 public:
  // Why they cannot be had, or "".
  static QString missing();
  static QString engineProgram();
  static QString deviceFolder();
  // The engine as users have it, in a process of its own.
  DeviceOutcome engine(const QStringList& words, const QStringList& environment = {}) const {
    return program(engineProgram(), words, environment);
  }
  // Another one that loads the stand-in as the engine does.
  DeviceOutcome program(const QString& path, const QStringList& words,
                        const QStringList& environment = {}) const;
  // The same code as a fork of a process that has loaded LibTorch, in a tenth of the time.
  DeviceOutcome command(const QStringList& words, const QStringList& environment = {});
  // A run of four updates and a validation of the sample of a task, without dropout; `more` are assignments.
  DeviceOutcome train(const QString& task, const QString& run, const QStringList& more,
                      const QStringList& environment = {});
  // The words of it, for the engine itself.
  QStringList trainingWords(const QString& task, const QString& run, const QStringList& more);
  QString file(const QString& name) const { return m_folder.filePath(name); }

 private:
  QString dataOf(const DeviceTask& task);
  QTemporaryDir m_folder;
  EngineForks m_forks{deviceFolder()};
};

}  // namespace fathom::test
