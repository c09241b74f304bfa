// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/jobs/run_details_reader.h"

#include <filesystem>

#include "app/requests/init_report_request.h"
#include "core/base/files/input_file.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/base/json/phrase_json.h"
#include "core/record/events/event_log.h"
#include "core/record/events/event_reader.h"
#include "core/record/import/foreign_run.h"
#include "core/record/runs/attempt_place.h"
#include "core/record/runs/run_folder.h"
#include "views/look/engine_text.h"

namespace fathom {

namespace {

constexpr qsizetype kMostFiles = 5000;

// Sizes of all files below a run, relative paths, in order.
Result<QVector<RunDetails::File>> filesOf(const std::string& folder) {
  namespace fs = std::filesystem;
  QVector<RunDetails::File> files;
  FATHOM_TRY(const auto entries, treeBelow(folder));
  for (const fs::directory_entry& entry : entries) {
    if (std::error_code code; !entry.is_regular_file(code)) continue;
    files.append({fromUtf8(entry.path().lexically_relative(folder).string()),
                  qint64(fileBytes(entry.path().string()))});
    if (files.size() >= kMostFiles) break;
  }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return files;
}

// The last lines the engine wrote to stderr in its last attempt.
QStringList stderrTail(const RunFolder& folder) {
  constexpr std::uint64_t kTailBytes = 64 * 1024;
  const auto file = RegularFile::open(folder.attemptPath(folder.lastAttempt()) + "/stderr.log");
  if (!file.ok()) return {};
  const std::uint64_t from = file->size() - std::min(file->size(), kTailBytes);
  QByteArray bytes(qsizetype(file->size() - from), '\0');
  const auto got = file->readAt(from, bytes.data(), std::size_t(bytes.size()));
  if (!got.ok()) return {};
  bytes.truncate(qsizetype(*got));
  QStringList lines = QString::fromUtf8(bytes).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
  if (from > 0 && !lines.isEmpty()) lines.removeFirst();
  return lines;
}

QString outcomeText(const RunOutcome& outcome) {
  QStringList lines;
  if (!outcome.message.empty()) lines.append(phraseText(outcome.message));
  if (!outcome.firstModule.empty())
    lines.append(ProjectService::tr("First bad module: %1").arg(fromUtf8(outcome.firstModule)));
  // Every update of a run that has learnt nothing is finite.
  const bool blewUp = outcome.state == RunState::Diverged && outcome.cause != kNotLearning;
  if (outcome.lastFiniteStep > 0 && blewUp)
    lines.append(ProjectService::tr("Last finite update: %1").arg(outcome.lastFiniteStep));
  if (!outcome.lastGoodCheckpoint.empty())
    lines.append(ProjectService::tr("Last good checkpoint: %1").arg(fromUtf8(outcome.lastGoodCheckpoint)));
  return lines.join(QLatin1Char('\n'));
}

QVector<RunDetails::Attempt> attemptsOf(const RunFolder& folder) {
  QVector<RunDetails::Attempt> attempts;
  for (const int number : folder.attempts()) {
    RunDetails::Attempt attempt;
    attempt.number = number;
    if (const auto place = attemptPlace(folder, number)) {
      attempt.place = fromUtf8(place->place);
      attempt.job = fromUtf8(place->job);
      attempt.host = fromUtf8(place->host);
    }
    if (const auto outcome = folder.outcome(number)) {
      attempt.state = outcome->state;
      const auto place = attemptPlace(folder, number);
      attempt.cause = fromUtf8(outcome->cause.empty() && place ? place->end : outcome->cause);
      attempt.step = outcome->step;
      attempt.ended = QDateTime::fromString(fromUtf8(outcome->finishedAt), Qt::ISODateWithMs);
    } else if (number == folder.lastAttempt()) {
      attempt.state = folder.state();
    }
    attempts.append(attempt);
  }
  return attempts;
}

// The engine's words on a run that goes on after a failed attempt.
QString restartText(const RunFolder& folder) {
  EventReader reader(folder.eventsPath(folder.lastAttempt()));
  const auto events = reader.poll(kMaxEventBytes);
  if (!events.ok()) return {};
  for (const Event& event : *events)
    if (event.kind == "run_started") return phraseText(readPhrase(event.members, "message"));
  return {};
}

// Resume and Retry are not for runs of other programs: what starts such a program again is one line to copy.
Json provenanceOf(const RunFolder& folder) {
  const auto identity = folder.identity();
  if (!identity.ok()) return Json::object();
  Json provenance = identity->provenance;
  const std::string command = recordedCommand(provenance, absolutePath(folder.path()));
  if (!runWriter(provenance).empty() && !command.empty()) provenance["started_again_by"] = command;
  return provenance;
}

}  // namespace

RunDetails readRunDetails(const QString& uuid, const QString& runFolder) {
  RunDetails details;
  details.uuid = uuid;
  const RunFolder folder(toUtf8(runFolder));
  details.provenance = provenanceOf(folder);
  const auto outcome = folder.outcome(folder.lastAttempt());
  details.outcomeText = outcome ? outcomeText(*outcome) : restartText(folder);
  if (auto files = filesOf(toUtf8(runFolder)); files.ok())
    details.files = std::move(*files);
  else
    details.filesProblem = phraseText(files.error().messagePhrase());
  details.attempts = attemptsOf(folder);
  details.stderrTail = stderrTail(folder);
  details.initReport = recordedInitReport(toUtf8(runFolder));
  return details;
}

}  // namespace fathom
