// SPDX-License-Identifier: Apache-2.0
#include "tests/process/support_slurm.h"

#include <signal.h>
#include <unistd.h>

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTest>
#include <algorithm>
#include <fstream>

#include "core/base/files/atomic_file.h"
#include "core/base/json/json_members.h"
#include "core/record/events/event_reader.h"
#include "core/record/runs/checkpoint_choice.h"
#include "core/tasks/made_sentences.h"
#include "tests/unit/support_waiting.h"

namespace fathom::test {

QString SlurmFixture::here(const char* what, const char* kind) const {
  QProcess process;
  process.setProcessChannelMode(QProcess::MergedChannels);
  process.start(QStringLiteral(FATHOM_SOURCE_DIR "/tests/fakes/slurm_here.sh"),
                {QString::fromLatin1(what), m_slurm->path(), QString::fromLatin1(kind)});
  const bool ended = process.waitForFinished(60000);
  if (ended && process.exitCode() == 0) return {};
  return QString::fromUtf8(process.readAll()) + (ended ? QStringLiteral(" ") : QStringLiteral(" (goes on)"));
}

QString SlurmFixture::start(const char* kind) {
  m_slurm = std::make_unique<QTemporaryDir>(QDir::tempPath() + QStringLiteral("/slXXXXXX"));
  const QString why = here("start", kind);
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
  qputenv("PATH", m_path);
  if (m_slurm && jobs().isEmpty() && slurm(QStringLiteral("sinfo"), {"-h"}).isEmpty()) here("control");
  if (qEnvironmentVariableIsSet("SLURM_CONF"))
    slurm(QStringLiteral("scancel"), {"-u", QString::number(getuid())});
  if (m_project) killRunner();
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

QString SlurmFixture::jobOf(const std::string& uuid) const {
  return QString::fromStdString(memberText(place(uuid), "job"));
}

bool SlurmFixture::saysOf(const std::string& uuid, const char* state, const char* reason, int seconds) const {
  const bool said = waitFor(
      [&] {
        const Json note = place(uuid);
        return memberText(note, "state") == state &&
               memberText(note, "reason").find(reason) != std::string::npos;
      },
      seconds);
  if (!said) qWarning("%s", place(uuid).dump().c_str());
  return said;
}

void SlurmFixture::killRunner() const {
  const auto runner = static_cast<pid_t>(m_project->queue().runnerPid());
  if (runner > 0) ::kill(runner, SIGKILL);
  waitFor([&] { return m_project->queue().runnerPid() == 0; });
}

// In three seconds: a node refuses what begins within the second in which the last life ended.
void SlurmFixture::letBegin() const {
  const QString waiting =
      slurm(QStringLiteral("squeue"), {"-h", "-r", "-t", "PENDING", "-o", "%A %F_%K %S %r"});
  QString processes;
  for (const QString& job : waiting.split('\n', Qt::SkipEmptyParts)) {
    if (!job.endsWith(QLatin1String("BeginTime"))) continue;
    const QDateTime begins = QDateTime::fromString(job.section(' ', 2, 2), Qt::ISODate);
    // None: it may begin now.
    if (!begins.isValid() || QDateTime::currentDateTime().secsTo(begins) <= 3) continue;
    if (processes.isEmpty()) processes = slurm(QStringLiteral("ps"), {"-eo", "args="});
    // A node that has its last life still takes no other.
    if (processes.contains("slurmstepd: [" + job.section(' ', 0, 0) + '.')) continue;
    slurm(QStringLiteral("scontrol"),
          {"update", "jobid=" + job.section(' ', 1, 1).remove(QStringLiteral("_N/A")), "starttime=now+3"});
  }
}

void SlurmFixture::makeCommand(const char* name, const std::string& text) {
  const QString bin = m_project->file("bin"), file = bin + "/" + QString::fromLatin1(name);
  QVERIFY(QDir().mkpath(bin));
  std::ofstream(file.toStdString()) << "#!/bin/bash\nPATH=${PATH#*:}\nbin='" << bin.toStdString() << "'\n"
                                    << text;
  QFile::setPermissions(file, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  qputenv("PATH", bin.toUtf8() + ":" + m_path);
}

QStringList SlurmFixture::realRun(int updates) const {
  qputenv("FATHOM_ENGINE", FATHOM_BIN_DIR "/fathom-engine");
  if (!writeMadeSentences(m_project->file("data").toStdString(), 1, {200, 30, 30}).ok()) return {};
  const QString data = m_project->file("data/%1.tsv");
  QStringList options;
  for (const QString& each :
       {"data.train=" + data.arg("train"), "data.validation=" + data.arg("validation"),
        "data.test=" + data.arg("test"), QStringLiteral("data.vocabulary.size=120"),
        QStringLiteral("batch.max_tokens=256"), QStringLiteral("model.width=16"),
        QStringLiteral("model.heads=2"), QStringLiteral("model.feed_forward=32"),
        QStringLiteral("encoder.layers=1"), QStringLiteral("decoder.layers=1"),
        QStringLiteral("training.length=%1u").arg(updates), QStringLiteral("checkpoint.interval=500u"),
        QStringLiteral("validation.interval=1000u"), QStringLiteral("divergence.not_learning_after=0"),
        QStringLiteral("validation.score_interval=never"), QStringLiteral("device=cpu"),
        QStringLiteral("threads=1")})
    options << QStringLiteral("--set") << each;
  return options;
}

std::string SlurmFixture::weightsAt(const std::string& uuid, std::int64_t step) const {
  const auto last = newestGoodCheckpoint(folder(uuid).path());
  return last && last->step == step ? readFile(last->path + "/model.safetensors").value() : std::string();
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
