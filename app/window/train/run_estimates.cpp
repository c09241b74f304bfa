// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/train/run_estimates.h"

#include <set>
#include <utility>

#include "app/requests/dry_run_request.h"
#include "app/runner/places/place_look.h"
#include "app/runs/made_data.h"
#include "app/runs/training_grid.h"
#include "app/runs/training_request.h"
#include "app/window/jobs/job_center.h"
#include "core/analysis/training/grid_preset.h"
#include "core/base/json/json_members.h"
#include "core/base/json/json_reals.h"
#include "core/base/json/phrase_json.h"
#include "core/base/options/seed_options.h"
#include "core/tasks/task.h"
#include "views/look/engine_text.h"
#include "views/panels/form/experiment_draft.h"
#include "views/panels/form/place_choice.h"
#include "views/panels/train/fit_bar.h"
#include "views/panels/train/grid_editor.h"
#include "views/panels/train/new_run_page.h"

namespace fathom {

namespace {

constexpr const char* kFirst = "first estimate";
constexpr const char* kEstimating = "estimate";
constexpr int kPauseMilliseconds = 600;  // in typing, before the engine is asked
constexpr double kEstimateSeconds = 2;

}  // namespace

RunEstimates::RunEstimates(NewRunPage* page, JobCenter* jobs, Source source, QObject* parent)
    : QObject(parent), m_page(page), m_jobs(jobs), m_source(std::move(source)) {
  m_soon.setSingleShot(true);
  m_soon.setInterval(kPauseMilliseconds);
  connect(&m_soon, &QTimer::timeout, this, &RunEstimates::ask);
  connect(page, &NewRunPage::shown, this, &RunEstimates::follow);
  connect(page, &NewRunPage::left, this, &RunEstimates::rest);
  connect(page->gridEditor(), &GridEditor::judged, this, &RunEstimates::follow);
  connect(page, &NewRunPage::gridToggled, this, &RunEstimates::follow);
  connect(page->places(), &PlaceChoice::changed, this, &RunEstimates::follow);
  connect(page->fit(), &FitBar::remedyChosen, this, &RunEstimates::takeRemedy);
}

void RunEstimates::setDraft(ExperimentDraft* draft) {
  if (m_draft != nullptr) disconnect(m_draft, nullptr, this, nullptr);
  m_draft = draft;
  forget();
  if (m_draft != nullptr) {
    connect(m_draft, &ExperimentDraft::judged, this, &RunEstimates::follow);
    connect(m_draft, &ExperimentDraft::restarted, this, &RunEstimates::forget);
  }
  follow();
}

void RunEstimates::stop() {
  m_soon.stop();
  m_asked.clear();
  for (const char* owner : {kFirst, kEstimating}) m_jobs->cancelOwner(QLatin1String(owner));
}

void RunEstimates::forget() {
  stop();
  m_page->fit()->clear();
}

void RunEstimates::setAnswer(Answer answer) {
  m_answer = std::move(answer);
  stop();
  follow();
}

// Rows of a grid are as good as the configurations that they make, and much shorter.
std::string RunEstimates::question() const {
  std::string text = m_draft->values().effective().dump() + m_source.place();
  if (!m_page->gridShown()) return text;
  for (const GridEditor::RowText& row : m_page->gridEditor()->rows())
    text += "\n" + toUtf8(row.key) + "=" + toUtf8(row.values);
  return text;
}

void RunEstimates::follow() {
  if (m_draft == nullptr) return forget();
  markMissingFiles();
  // Another machine's memory and speed are not known here.
  const bool spoken = m_source.here() || predictsElsewhere();
  m_page->fit()->setVisible(spoken);
  if (!m_draft->acceptable() || !spoken) return forget();
  if (!m_page->isVisible()) return;
  if (m_answer) return ask();
  if (question() == m_asked) return;
  m_page->fit()->showBusy();
  m_soon.start();
}

bool RunEstimates::predictsElsewhere() const {
  constexpr const char* kRanks = "parallel.ranks";
  const std::string place = m_source.place();
  const OptionValues& values = m_draft->values();
  const bool several = values.schema().find(kRanks) != nullptr && values.integer(kRanks) > 1;
  return several && !m_answer && !place.empty() && !m_page->gridShown() &&
         measuredLink(m_source.project(), place).has_value();
}

void RunEstimates::showAnswer(const Json& report) const {
  if (m_source.here()) return m_page->fit()->showReport(report);
  Json shown = {{"fits", true}, {"ranks", memberObject(report, "ranks")}};
  writePhrases(shown, "notes", {Phrase::tr("The time of an update was measured on this machine.")});
  m_page->fit()->showReport(shown);
}

std::vector<RunConfig> RunEstimates::askedRuns() const {
  std::vector<RunConfig> runs = m_source.runs();
  for (RunConfig& run : runs)
    for (const MissingFile& file : m_missing)
      if (run.options.value(file.key, Json()) == file.path) run.options[file.key] = "";
  return runs;
}

// Parameters, memory and disk are counted at once; the time needs updates.
void RunEstimates::ask() {
  if (m_draft == nullptr || !m_draft->acceptable()) return;
  stop();
  m_asked = question();
  if (m_answer) return m_page->fit()->showReport(m_answer(m_source.runs()));
  m_page->fit()->showBusy();
  const std::vector<RunConfig> runs = askedRuns();
  if (!m_source.here()) return askAll(runs);
  m_jobs->start<Json>(
      tr("Working out memory and time"), QLatin1String(kFirst),
      [runs, project = m_source.project()](Progress& progress, const StopToken& stop) {
        DryRunQuestion question;
        question.configs = runs;
        question.disk = project;
        question.check = true;
        return askDryRun(question, progress, stop);
      },
      [this, runs](const Result<Json>& report) {
        if (report.ok()) m_page->fit()->showFirst(*report);
        if (report.ok() || report.error().kind != ErrorKind::Interrupted) askAll(runs);
      });
}

void RunEstimates::askAll(const std::vector<RunConfig>& runs) {
  m_jobs->start<Json>(
      tr("Working out memory and time"), QLatin1String(kEstimating),
      [runs, project = m_source.project(), place = m_source.here() ? "" : m_source.place()](
          Progress& progress, const StopToken& stop) {
        DryRunQuestion question;
        question.configs = runs;
        question.disk = question.project = project;
        question.place = place;
        question.seconds = kEstimateSeconds;
        return askDryRun(question, progress, stop);
      },
      [this, preset = shownPreset(runs.size())](const Result<Json>& report) {
        if (!report.ok()) return m_page->fit()->showError(report.error());
        showAnswer(*report);
        const double seconds = memberReal(memberObject(*report, "time"), "total", 0);
        if (!preset.isEmpty() && seconds > 0) Q_EMIT presetTimed(preset, seconds);
      },
      [fit = m_page->fit()](const ProgressUpdate& update) { fit->showProgress(update); });
}

QString RunEstimates::shownPreset(std::size_t runs) const {
  const QString id = m_draft->presetId();
  for (const OptionField& field : m_draft->schema().fields())
    if (field.type != OptionType::Path && setsRunsApart(field.key) && m_draft->changed(fromUtf8(field.key)))
      return {};
  std::size_t members = 1;
  for (const GridAxis& axis : gridPreset(toUtf8(id)).axes) members *= axis.values.size();
  return runs == members ? id : QString();
}

// An engine does not go on for a form that nobody looks at; whoever comes back asks anew.
void RunEstimates::rest() {
  m_soon.stop();
  if (!m_page->fit()->answered()) stop();
}

bool RunEstimates::known() const {
  return m_draft != nullptr && m_page->fit()->answered() && question() == m_asked;
}

Error RunEstimates::refusal() const {
  return known() ? m_page->fit()->refusal() : Error{};
}

std::int64_t RunEstimates::neededMemory() const {
  return known() && !m_page->gridShown() ? fathom::neededMemory(m_page->fit()->report()) : 0;
}

// Files of the sample are made when they are first needed.
void RunEstimates::markMissingFiles() {
  std::set<std::string> made;
  if (const TaskEntry* task = taskOf(m_draft->values()); task != nullptr && !m_source.project().empty()) {
    const Json files = madeDataFiles(m_source.project(), task);
    for (const auto& [key, file] : files.items())
      if (file.is_string()) made.insert(file.get<std::string>());
  }
  QHash<QString, QString> missing;
  m_missing = missingFiles(m_draft->values());
  for (const MissingFile& file : m_missing)
    if (!made.contains(file.path))
      missing[fromUtf8(file.key)] = tr("There is no file %1.").arg(fromUtf8(file.path));
  m_draft->setFileProblems(missing);
}

void RunEstimates::takeRemedy(const QVector<QPair<QString, qint64>>& options) {
  if (m_draft == nullptr) return;
  m_draft->endEdit();
  m_draft->undoStack()->beginMacro(tr("Make it fit"));
  for (const auto& [key, value] : options)
    if (m_draft->schema().find(toUtf8(key)) != nullptr) m_draft->setValue(key, value);
  m_draft->undoStack()->endMacro();
  m_draft->endEdit();
}

}  // namespace fathom
