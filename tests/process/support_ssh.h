// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QProcess>
#include <QStringList>
#include <QTemporaryDir>
#include <memory>

#include "tests/process/support_project_fixture.h"

namespace fathom::test {

// An sshd of this user on the loopback, started once for all tests of a program, and for each of them a
// project and the host's folder of runs, which is another one of this disk.
class SshFixture {
 public:
  // Empty when it runs; "… is not here" where this machine has none; what it said otherwise.
  QString start();
  void stop() const { here("stop"); }
  void newProject();
  // Runner and engines are gone afterwards.
  void leaveProject();

  const ProjectFixture& project() const { return *m_project; }
  ShellResult ask(QStringList words, const QStringList& environment = {}) const;
  // A place "there"; later words count.
  void addPlace(const QStringList& words = {}) const;
  // The run's UUID.
  std::string train(QStringList words) const;
  RunFolder folder(const std::string& uuid) const { return RunFolder(m_project->path() + "/runs/" + uuid); }
  RunFolder original(const std::string& uuid) const {
    return RunFolder(hostFolder.toStdString() + "/runs/" + uuid);
  }
  bool emptied(int seconds = 60) const;
  // The runner's note of a run that is at its place.
  Json note(const std::string& uuid) const;
  // An attempt writes events here.
  bool trains(const std::string& uuid, int attempt = 1) const;
  // "" where the copy of a run is over and has what the original has, byte for byte; else where they differ.
  QString difference(const std::string& uuid) const;
  // A runner that somebody starts.
  void startRunner(QProcess& runner) const;
  // Lines of the shell before each command there.
  void setEnvironment(const std::string& lines) const;
  void endRunner(int signal) const;
  // As if the network had gone: every connection ends, without a word.
  void cut() const;
  // tests/fakes/sshd_here.sh: "start", "stop".
  QString here(const char* what) const;
  QString path(const QString& name) const { return m_sshd->filePath(name); }

  QString hostFolder;

 private:
  std::unique_ptr<QTemporaryDir> m_sshd;
  std::unique_ptr<ProjectFixture> m_project;
};

}  // namespace fathom::test
