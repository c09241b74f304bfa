// SPDX-License-Identifier: Apache-2.0
#include "tests/process/support_slurm.h"

#include <signal.h>
#include <unistd.h>

#include <QProcess>
#include <QTest>
#include <algorithm>

#include "core/base/files/atomic_file.h"
#include "core/record/events/event_reader.h"
#include "tests/unit/support_waiting.h"

namespace fathom::test {

QString SlurmFixture::here(const char* what) const {
  QProcess process;
  process.setProcessChannelMode(QProcess::MergedChannels);
  process.start(QStringLiteral(FATHOM_SOURCE_DIR "/tests/fakes/slurm_here.sh"),
                {QString::fromLatin1(what), m_slurm->path()});
  process.waitForFinished(60000);
  return process.exitCode() == 0 ? QString() : QString::fromUtf8(process.readAll()) + QLatin1Char(' ');
}

QString SlurmFixture::start() {
  m_slurm = std::make_unique<QTemporaryDir>(QDir::tempPath() + QStringLiteral("/slXXXXXX"));
  const QString why = here("start");
  if (!why.isEmpty()) return why;
  qputenv("SLURM_CONF", path(QStringLiteral("slurm.conf")).toUtf8());
  qputenv("FATHOM_PLACE_SECONDS", "0.3");
  qputenv("SQUEUE_FORMAT", "%i");  // a habit of the user's that must not matter
  return {};
}

void SlurmFixture::stop() {
  if (m_slurm) here("stop");
}

void SlurmFixture::newProject() {
  m_project = std::make_unique<ProjectFixture>();
}

void SlurmFixture::leaveProject() {
  if (m_slurm && jobs().isEmpty() && slurm(QStringLiteral("sinfo"), {"-h"}).isEmpty()) here("control");
  if (qEnvironmentVariableIsSet("SLURM_CONF"))
    slurm(QStringLiteral("scancel"), {"-u", QString::number(getuid())});
  if (m_project) {
    const auto runner = m_project->queue().runnerPid();
    if (runner > 0) ::kill(static_cast<pid_t>(runner), SIGTERM);
  }
  m_project.reset();
}

ShellResult SlurmFixture::ask(QStringList words, const QStringList& environment) const {
  return m_project->fathom(words << QStringLiteral("--project") << QString::fromStdString(m_project->path()),
                           environment);
}

std::string SlurmFixture::train(QStringList words) const {
  const ShellResult result = ask(QStringList{QStringLiteral("train"), QStringLiteral("--json")} + words);
  if (result.exitCode != 0) qWarning("%s", qPrintable(result.err));
  return result.exitCode == 0 ? result.json()["run"]["uuid"].get<std::string>() : std::string();
}

void SlurmFixture::addPlace(const QStringList& words) const {
  const ShellResult result = ask(QStringList{QStringLiteral("add-place")} + words);
  QVERIFY2(result.exitCode == 0, qPrintable(result.err));
}

QString SlurmFixture::slurm(const QString& program, const QStringList& words) const {
  QProcess process;
  process.start(program, words);
  process.waitForFinished(30000);
  return QString::fromUtf8(process.readAllStandardOutput());
}

QStringList SlurmFixture::jobs(const char* states) const {
  return slurm(QStringLiteral("squeue"), {"-h", "-r", "-t", states, "-o", "%F_%K %T %r"})
      .split('\n', Qt::SkipEmptyParts);
}

Json SlurmFixture::place(const std::string& uuid) const {
  const auto text = readFile(m_project->queue().path() + "/places/" + uuid + ".json");
  return text.ok() ? Json::parse(*text, nullptr, false) : Json::object();
}

bool SlurmFixture::hasStep(const std::string& uuid, int attempt, std::int64_t least) const {
  EventReader reader(folder(uuid).eventsPath(attempt));
  const auto events = reader.poll();
  return events.ok() && std::any_of(events->begin(), events->end(), [&](const Event& event) {
           return event.kind == "step" && event.step >= least;
         });
}

bool SlurmFixture::emptied(int seconds) const {
  return waitFor([&] { return m_project->queue().entries()->empty(); }, seconds);
}

}  // namespace fathom::test
