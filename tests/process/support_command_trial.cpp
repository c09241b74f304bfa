// SPDX-License-Identifier: Apache-2.0
#include "tests/process/support_command_trial.h"

#include <QTest>

#include "app/command.h"
#include "core/record/runs/run_lock.h"
#include "tests/unit/support_waiting.h"

namespace fathom::test {

Json CommandTrial::ask(QStringList words, int exitCode) {
  m_tried.insert(words.first());
  const Command* command = findCommand(words.first().toStdString());
  if (command && command->needsProject) words << "--project" << QString::fromStdString(m_fixture->path());
  const ShellResult result = m_fixture->fathom(words << "--json");
  if (result.exitCode != exitCode) {
    QTest::qFail(qPrintable(words.join(' ') + ": exit code " + QString::number(result.exitCode) + "\n" +
                            result.out + result.err),
                 __FILE__, __LINE__);
    return Json::object();
  }
  return result.json();
}

std::string CommandTrial::train(const char* name, const char* behaviour, int steps, int exitCode) {
  const Json json = ask({"train", "--name", name, "--set", QString("fake.behaviour=") + behaviour, "--set",
                         QString("fake.steps=%1").arg(steps), "--set", "fake.milliseconds=1", "--wait"},
                        exitCode);
  return json.contains("run") ? json["run"].value("uuid", "") : std::string();
}

Json CommandTrial::runOf(const std::string& uuid) {
  const Json runs = ask({"runs"})["runs"];
  for (const Json& run : runs) {
    if (run["uuid"] == uuid) return run;
  }
  return Json::object();
}

std::string CommandTrial::startSlow(const char* name) {
  const Json json =
      ask({"train", "--name", name, "--set", "fake.steps=4000", "--set", "fake.milliseconds=10"});
  const std::string path = json["run"]["path"];
  return waitFor([&] { return runLockHolder(path).has_value(); }) ? path : std::string();
}

void CommandTrial::triedAllOf(Part part, const QSet<QString>& elsewhere) const {
  static const QSet<QString> results = {"curves",  "export-run",  "import-run", "import-attention",
                                        "compare", "grid",        "task-table", "export-figure",
                                        "analyse", "trainability"};
  int found = 0;
  for (const Command& command : commandEntries()) {
    const QString id = QString::fromStdString(command.id);
    const bool sql = id.startsWith("spider-") || id == "ask";
    if ((sql ? Part::Sql : results.contains(id) ? Part::Results : Part::Runs) != part) continue;
    QVERIFY2(m_tried.contains(id) || elsewhere.contains(id), qPrintable(id));
    ++found;
  }
  QVERIFY(found > 5);
}

}  // namespace fathom::test
