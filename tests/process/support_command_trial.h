// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QSet>
#include <QString>
#include <QStringList>
#include <memory>
#include <string>

#include "tests/process/support_project_fixture.h"

namespace fathom::test {

// Commands from the shell on one project with the fake engine, and which of them were tried.
class CommandTrial {
 protected:
  // Three tests share the commands: those of Text-to-SQL, those of what runs have, all others.
  enum class Part { Runs, Results, Sql };
  void begin() { m_fixture = std::make_unique<ProjectFixture>(); }
  // Runs a command on the project and checks its exit code; returns its JSON.
  Json ask(QStringList words, int exitCode = 0);
  // UUID of a run that has ended; empty where the command failed.
  std::string train(const char* name, const char* behaviour = "finish", int steps = 12, int exitCode = 0);
  Json runOf(const std::string& uuid);
  // Folder of a run that is training.
  std::string startSlow(const char* name);
  // Fails where a command of that part was neither tried here nor is among those `elsewhere`.
  void triedAllOf(Part part, const QSet<QString>& elsewhere = {}) const;
  std::unique_ptr<ProjectFixture> m_fixture;

 private:
  QSet<QString> m_tried;
};

}  // namespace fathom::test
