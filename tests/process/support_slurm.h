// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTemporaryDir>
#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "core/base/json/json.h"
#include "core/record/runs/run_folder.h"
#include "tests/process/support_project_fixture.h"

namespace fathom::test {

// A real Slurm of two nodes, started once for all tests of a program, and a project for each of them. One at
// a time in a process.
class SlurmFixture {
 public:
  // Empty when it runs; "… is not here" where this machine has none; what its daemons said otherwise.
  // `kind`: as tests/fakes/slurm_here.sh knows them.
  QString start(const char* kind = "");
  void stop();
  void newProject();
  // Jobs and runner are gone afterwards; a controller that a test has ended is there again.
  void leaveProject();

  const ProjectFixture& project() const { return *m_project; }
  ShellResult ask(QStringList words, const QStringList& environment = {}) const;
  // The run's UUID.
  std::string train(QStringList words) const;
  void addPlace(const QStringList& words) const;
  RunFolder folder(const std::string& uuid) const { return RunFolder(m_project->path() + "/runs/" + uuid); }
  QString slurm(const QString& program, const QStringList& words) const;
  QStringList jobs(const char* states = "PENDING,RUNNING,SUSPENDED,COMPLETING") const;
  // Of a run, as the runner heard it.
  Json place(const std::string& uuid) const;
  QString jobOf(const std::string& uuid) const;
  bool saysOf(const std::string& uuid, const char* state, const char* reason = "", int seconds = 20) const;
  // Without a runner, and without a word to it.
  void killRunner() const;
  // Options of a translation model that the real engine, which is the project's from now on, trains for so
  // many updates, with a checkpoint every 500.
  QStringList realRun(int updates) const;
  // Of the newest checkpoint, if it is that of this update; "" otherwise.
  std::string weightsAt(const std::string& uuid, std::int64_t step) const;
  bool hasStep(const std::string& uuid, int attempt, std::int64_t least = 1) const;
  bool emptied(int seconds = 25) const;
  // tests/fakes/slurm_here.sh: "start", "stop", "control".
  QString here(const char* what, const char* kind = "") const;
  // Jobs that a requeue or a time keeps back are let go, as when their time has come: those whose last life
  // is not on its node any more.
  void letBegin() const;
  // A command that stands before the one of its name, from now until the next test; $bin is its folder, and
  // what it calls by its name is the real one.
  void makeCommand(const char* name, const std::string& text);
  QString path(const QString& name) const { return m_slurm->filePath(name); }

 private:
  std::unique_ptr<QTemporaryDir> m_slurm;
  std::unique_ptr<ProjectFixture> m_project;
  QByteArray m_path = qgetenv("PATH");
};

// waitFor (support_waiting.h) for a condition that starts a program each time that it is looked at, which
// leaves the processors to what is waited for.
template <typename Ready>
bool waitForCommand(Ready ready, int seconds = 20) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  while (!ready()) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));  // a look costs a program
  }
  return true;
}

// A run that takes longer than any test, unless it hurries.
inline const QStringList kSlowRun = {"--set", "fake.steps=2000", "--set", "fake.milliseconds=50"};

}  // namespace fathom::test
