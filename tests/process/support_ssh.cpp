// SPDX-License-Identifier: Apache-2.0
#include "tests/process/support_ssh.h"

#include <signal.h>

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTest>

#include "core/base/files/atomic_file.h"
#include "core/base/files/path_facts.h"
#include "core/base/text/number_text.h"
#include "core/record/runs/mirror_note.h"
#include "core/record/runs/run_lock.h"
#include "tests/unit/support_waiting.h"

namespace fathom::test {

QString SshFixture::start() {
  m_sshd = std::make_unique<QTemporaryDir>(QDir::tempPath() + QStringLiteral("/sshXXXXXX"));
  qputenv("FATHOM_PLACE_SECONDS", "0.2");
  return here("start");
}

void SshFixture::newProject() {
  m_project = std::make_unique<ProjectFixture>();
  hostFolder = m_project->file("host");
  for (const char* file : {"chatter", "environment"}) QFile::remove(path(file));
  (void)writeFileAtomically(path("project").toStdString(),
                            "export FATHOM_FAKE_HURRY='" + m_project->file("hurry").toStdString() + "'\n")
      .ok();
}

void SshFixture::leaveProject() {
  endRunner(SIGTERM);
  // Engines of a test that has failed.
  for (const auto& entry : listFolder(hostFolder.toStdString() + "/runs"))
    if (const auto holder = runLockHolder(entry.path().string()); holder && processLives(*holder))
      ::kill(static_cast<pid_t>(holder->pid), SIGKILL);
  m_project.reset();
}

ShellResult SshFixture::ask(QStringList words, const QStringList& environment) const {
  return m_project->fathom(words << QStringLiteral("--project") << QString::fromStdString(m_project->path()),
                           environment, 120);
}

void SshFixture::addPlace(const QStringList& words) const {
  QStringList place = {"add-place", "there",
                       "--set",     "host=there",
                       "--set",     "options=-F " + path("config"),
                       "--set",     QStringLiteral("engine=") + FATHOM_BIN_DIR "/../tests/fake_engine"};
  if (!words.contains("--launcher")) place += QStringList{"--launcher", "ssh"};
  if (!words.contains("--root")) place += QStringList{"--root", hostFolder};
  const ShellResult added = ask(place + words);
  QVERIFY2(added.exitCode == 0, qPrintable(added.err));
}

std::string SshFixture::train(QStringList words) const {
  const ShellResult result = ask(QStringList{"train", "--json", "--place", "there"} + words);
  if (result.exitCode != 0) qWarning("%s", qPrintable(result.err));
  return result.exitCode == 0 ? result.json()["run"]["uuid"].get<std::string>() : std::string();
}

bool SshFixture::emptied(int seconds) const {
  const bool empty = waitFor([&] { return m_project->queue().entries()->empty(); }, seconds);
  if (!empty) qWarning("%s", readFile(m_project->queue().path() + "/runner.log").value().c_str());
  return empty;
}

Json SshFixture::note(const std::string& uuid) const {
  const auto text = readFile(m_project->queue().path() + "/places/" + uuid + ".json");
  return text.ok() ? Json::parse(*text, nullptr, false) : Json::object();
}

bool SshFixture::trains(const std::string& uuid, int attempt) const {
  return waitFor([&] { return fileBytes(folder(uuid).eventsPath(attempt)) > 400; }, 60);
}

QString SshFixture::difference(const std::string& uuid) const {
  for (const int attempt : original(uuid).attempts())
    for (const char* file : {"events.jsonl", "config.json", "outcome.json"}) {
      const std::string name = "attempts/" + paddedText(attempt, 4) + "/" + file;
      const auto there = readFile(original(uuid).path() + "/" + name),
                 copy = readFile(folder(uuid).path() + "/" + name);
      if (!there.ok() || !copy.ok() || *there != *copy) return QString::fromStdString(name);
    }
  if (original(uuid).lastAttempt() == 0) return QStringLiteral("there is no attempt");
  const auto note = mirrorNote(folder(uuid).path());
  return note && !note->running && !runLockHolder(folder(uuid).path()) ? QString()
                                                                       : QStringLiteral("at work");
}

void SshFixture::startRunner(QProcess& runner) const {
  runner.start(QStringLiteral(FATHOM_BIN_DIR "/fathom"),
               {"run-queue", "--project", QString::fromStdString(m_project->path())});
}

void SshFixture::setEnvironment(const std::string& lines) const {
  QVERIFY(writeFileAtomically(path("environment").toStdString(), lines).ok());
}

void SshFixture::endRunner(int signal) const {
  const auto runner = static_cast<pid_t>(m_project->queue().runnerPid());
  if (runner > 0) ::kill(runner, signal);
  waitFor([&] { return m_project->queue().runnerPid() == 0; });
}

void SshFixture::cut() const {
  const auto pid = readFile(path("sshd.pid").toStdString());
  if (!pid.ok()) return;
  QProcess list;
  list.start(QStringLiteral("ps"), {"-o", "pid=", "--ppid", QString::fromStdString(*pid).trimmed()});
  list.waitForFinished();
  for (const QByteArray& child : list.readAllStandardOutput().split('\n'))
    if (const int number = child.trimmed().toInt(); number > 1) ::kill(number, SIGKILL);
}

QString SshFixture::here(const char* what) const {
  QProcess process;
  process.setProcessChannelMode(QProcess::MergedChannels);
  process.start(QStringLiteral(FATHOM_SOURCE_DIR "/tests/fakes/sshd_here.sh"),
                {QString::fromLatin1(what), m_sshd->path()});
  process.waitForFinished(60000);
  return process.exitCode() == 0 ? QString() : QString::fromUtf8(process.readAll()) + QLatin1Char(' ');
}

}  // namespace fathom::test
