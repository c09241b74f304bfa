// SPDX-License-Identifier: Apache-2.0
#include "tests/process/support_project_fixture.h"

#include <QDir>
#include <QElapsedTimer>
#include <QProcess>
#include <QProcessEnvironment>
#include <QThread>

#include "core/base/files/hash.h"
#include "core/library/records/project_library.h"
#include "core/record/runs/run_config.h"

namespace fathom {

Json ShellResult::json() const {
  return parseJson(out.toStdString(), "output").value();
}

ProjectFixture::ProjectFixture() {
  m_project = m_folder.filePath("p.fathom").toStdString();
  for (const char* name : {"cache", "config", "run"}) QDir(m_folder.path()).mkdir(name);
  QFile::setPermissions(m_folder.filePath("run"), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  qputenv("XDG_CACHE_HOME", m_folder.filePath("cache").toUtf8());
  qputenv("XDG_CONFIG_HOME", m_folder.filePath("config").toUtf8());
  qputenv("XDG_RUNTIME_DIR", m_folder.filePath("run").toUtf8());
  qputenv("FATHOM_ENGINE", FATHOM_BIN_DIR "/../tests/fake_engine");
  qputenv("FATHOM_RESTART_SECONDS", "0.2");
  qputenv("FATHOM_FAKE_DESCRIBE", "good");
  qputenv("FATHOM_FAKE_HURRY", m_folder.filePath("hurry").toUtf8());
  (void)ProjectLibrary::create(m_project).value();
}

ShellResult ProjectFixture::fathom(const QStringList& words, const QStringList& environment,
                                   int seconds) const {
  return runProgram(m_program, words, environment, seconds);
}

ShellResult ProjectFixture::beside(const QString& program, const QStringList& words,
                                   const QStringList& environment, int seconds) const {
  return runProgram(QStringLiteral(FATHOM_BIN_DIR "/") + program, words, environment, seconds);
}

ShellResult ProjectFixture::runProgram(const QString& path, const QStringList& words,
                                       const QStringList& environment, int seconds) const {
  QProcess process;
  QProcessEnvironment values = QProcessEnvironment::systemEnvironment();
  for (const QString& entry : environment) values.insert(entry.section('=', 0, 0), entry.section('=', 1));
  process.setProcessEnvironment(values);
  process.start(path, words);
  ShellResult result;
  if (!process.waitForFinished(seconds * 1000)) {
    process.kill();
    process.waitForFinished();
    result.err = "timed out";
    return result;
  }
  result.exitCode = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2;
  result.out = QString::fromUtf8(process.readAllStandardOutput());
  result.err = QString::fromUtf8(process.readAllStandardError());
  return result;
}

QueueEntry ProjectFixture::enqueue(const char* behaviour, int steps, int milliseconds) const {
  RunConfig config;
  config.name = behaviour;
  config.options["fake.behaviour"] = behaviour;
  config.options["fake.steps"] = steps;
  config.options["fake.milliseconds"] = milliseconds;
  QueueEntry entry;
  entry.uuid = makeUuid();
  entry.runPath = m_project + "/runs/" + entry.uuid;
  entry.config = runConfigToJson(config);
  return queue().add(entry).value();
}

void ProjectFixture::hurry() const {
  QFile file(m_folder.filePath("hurry"));
  (void)file.open(QIODevice::WriteOnly);
}

RunState ProjectFixture::waitForEnd(const std::string& runPath, int seconds) const {
  QElapsedTimer timer;
  timer.start();
  const RunFolder folder(runPath);
  while (timer.elapsed() < seconds * 1000) {
    if (const auto outcome = folder.outcome(folder.lastAttempt())) return outcome->state;
    QThread::msleep(20);
  }
  return RunState::Running;
}

}  // namespace fathom
