// SPDX-License-Identifier: GPL-3.0-or-later
// Results of the Attention workspace: which it asks for, which are there or missing, files of them;
// and computations: what is asked of the engine, which stored result is meant, the job.
#include "app/window/attention/attention_workspace.h"

#include <QComboBox>
#include <QFileInfo>
#include <QPointer>
#include <QStackedWidget>
#include <algorithm>

#include "app/command.h"
#include "app/requests/analysis_job.h"
#include "app/runner/engine_progress.h"
#include "app/window/attention/analysis_variants.h"
#include "app/window/attention/attention_actions.h"
#include "app/window/files/export_notices.h"
#include "app/window/files/file_choice.h"
#include "app/window/files/written_file.h"
#include "app/window/jobs/job_center.h"
#include "app/window/jobs/project_service.h"
#include "core/record/runs/run_folder.h"
#include "views/look/engine_text.h"
#include "views/panels/attention/analysis_side.h"
#include "views/panels/attention/analysis_view.h"
#include "views/panels/attention/figure_choices.h"
#include "views/panels/widgets/message_bar.h"
#include "views/tables/run_abilities.h"
#include "views/tables/run_table_model.h"

namespace fathom {

namespace {

bool hasField(const std::vector<OptionField>& fields, const std::string& key) {
  return std::any_of(fields.begin(), fields.end(), [&](const auto& field) { return field.key == key; });
}

}  // namespace

AnalysisAsk AttentionWorkspace::ask() const {
  AnalysisAsk ask;
  ask.project = toUtf8(m_with.service->path());
  QVector<RunItem> runs = shownRuns();
  ask.chooseRun = m_side->chosenRuns().isEmpty();
  if (ask.chooseRun)
    for (const RunItem& run : m_with.runs->runs())
      if (whyNot(run).isEmpty()) runs.append(run);
  for (const RunItem& run : runs)
    ask.runs.push_back({toUtf8(run.uuid), toUtf8(run.folder), toUtf8(run.name), !run.origin.isEmpty()});
  ask.recipe.figure = m_entry.id;
  ask.recipe.name = m_entry.id;
  ask.recipe.options = m_view->choices()->values();
  ask.recipe.style = toUtf8(m_view->exportStyle());
  ask.probed = isProbed();
  ask.initialOnly = isInitialOnly();
  ask.step = m_step;
  ask.variant = variantOfForm(m_computationFields, m_side->computation()->values());
  ask.insists = m_insists;
  ask.selection = toUtf8(m_with.selection->selection().text());
  const Json probe = probeOf(fromUtf8(m_entry.id));
  if (!probe.is_object() || !probe.contains("schema")) return ask;
  const auto schema = OptionSchema::fromJson(probe["schema"]);
  if (!schema.ok()) return ask;
  for (const OptionField& field : m_entry.fields)
    if (schema->find(field.key) != nullptr)
      ask.options[field.key] = ask.recipe.options.value(field.key, field.defaultValue);
  return ask;
}

void AttentionWorkspace::load() {
  m_stale = !m_active || !m_with.service->isOpen();
  if (m_stale) return;
  arrangeRuns();
  const AnalysisAsk ask = this->ask();
  m_colours = shownColours();
  m_loading = true;
  m_side->checkpoints()->setBusy(true);
  m_with.jobs->start<LoadedAnalysis>(
      tr("Reading analyses"), QLatin1String(kLoading),
      [ask](Progress&, const StopToken& stop) { return loadAnalysis(ask, stop); },
      [this](const Result<LoadedAnalysis>& result) { taken(result); });
}

void AttentionWorkspace::taken(const Result<LoadedAnalysis>& result) {
  m_loading = false;
  m_side->checkpoints()->setBusy(false);
  m_loaded = result.ok() ? *result : LoadedAnalysis();
  if (!result.ok()) m_loaded.problem = result.error();
  m_side->checkpoints()->setPlaces(m_loaded.places, m_loaded.step);
  const QStringList elsewhere = elsewhereLines();
  const QString head = tr("Shown earlier, without a checkpoint here:");
  const QString whole = elsewhere.isEmpty() ? QString() : head + u'\n' + elsewhere.join(u'\n');
  // A list of runs would take the room of what is below it.
  m_side->checkpoints()->setNote(
      elsewhere.size() > 1 ? tr("%1 runs are shown earlier, without a checkpoint here.").arg(elsewhere.size())
                           : whole,
      whole);
  if (isProbed() && result.ok()) showVariants();
  QStringList runs;
  for (const std::string& run : m_loaded.runs) runs.append(fromUtf8(run));
  // Runs that are shown unless somebody chose are ticked here; the selection of the window is a person's.
  if (m_side->chosenRuns().isEmpty() && !runs.isEmpty()) m_side->setChosenRuns(runs);
  for (const auto& [key, offers] : m_loaded.offers) {
    QStringList words;
    for (const std::string& offer : offers) words.append(fromUtf8(offer));
    m_view->choices()->setOffers(fromUtf8(key), words, noneWord(key));
  }
  QStringList drawn;
  for (const std::string& run : m_loaded.recipe.runs) drawn.append(fromUtf8(run));
  m_side->setDrawnRuns(m_loaded.figure ? drawn : QStringList());
  if (m_loaded.figure) {
    m_view->showFigure(*m_loaded.figure);
    m_view->showPartial(m_loaded.missing.empty() ? QString() : missingText(),
                        m_actions->action(QStringLiteral("attention.compute")));
    m_view->showSelection(m_with.selection->selection());
    loadDetail();
  } else if (m_loaded.problem) {
    showProblem();
  } else {
    showMissing();
  }
  refreshActions();
}

QString AttentionWorkspace::nameOf(const std::string& uuid) const {
  const RunItem* run = m_with.runs->run(fromUtf8(uuid));
  return run == nullptr ? fromUtf8(uuid) : run->name;
}

// Word for an option of the figure that has no choice.
QString AttentionWorkspace::noneWord(const std::string& key) const {
  if (key == "beside") return tr("no second checkpoint");
  if (key == "part" && m_entry.id == "over_training") return tr("all parts");
  return {};
}

// Why none of the chosen runs has a place in this figure.
QString AttentionWorkspace::whyNotText() const {
  QStringList lines;
  for (const QString& uuid : m_side->chosenRuns())
    if (const RunItem* run = m_with.runs->run(uuid); run != nullptr && !whyNot(*run).isEmpty())
      lines.append(tr("“%1”: %2.").arg(run->name, whyNot(*run)));
  return lines.join(u'\n');
}

// Says what is missing and offers to compute it, or how far that is.
void AttentionWorkspace::showMissing() {
  if (m_loaded.runs.empty() && !m_side->chosenRuns().isEmpty()) return m_view->showMessage(whyNotText(), {});
  if (m_loaded.runs.empty())
    return m_view->showMessage(tr("No runs to look at yet. Train one, or import one."),
                               m_with.firstSteps ? m_with.firstSteps() : QList<QAction*>());
  if (m_computing) return m_view->showProgress(tr("Computing: %1").arg(engineText(m_entry.title)), {});
  QList<QAction*> offered = {m_actions->action(QStringLiteral("attention.compute"))};
  if (!isInitialOnly()) offered.append(m_actions->action(QStringLiteral("attention.compute_all")));
  m_view->showMessage(missingText(), offered);
}

// Why there is no figure; what can be computed for it here needs no advice for a shell.
void AttentionWorkspace::showProblem() {
  if (!m_loaded.canFollow) return m_view->showMessage(phraseText(m_loaded.problem->phrase()), {});
  if (m_computing) return m_view->showProgress(tr("Computing: %1").arg(engineText(m_entry.title)), {});
  m_view->showMessage(phraseText(m_loaded.problem->messagePhrase()),
                      {m_actions->action(QStringLiteral("attention.compute_all"))});
}

QString AttentionWorkspace::missingText() const {
  const QString title = engineText(m_entry.title), first = nameOf(m_loaded.missing.front());
  const QString where = m_loaded.step == 0
                            ? tr("before the first update")
                            : tr("after %1 updates").arg(QLocale().toString(qint64(m_loaded.step)));
  QString text = tr("“%1” of run “%2” %3 is not computed yet.").arg(title, first, where);
  if (m_loaded.missing.size() > 1)
    text = tr("“%1” of %2 runs %3 is not computed yet.").arg(title).arg(m_loaded.missing.size()).arg(where);
  if (m_side->variants()->currentIndex() < 0 && m_side->variants()->count() > 0)
    text += QLatin1Char('\n') + tr("What is stored was computed from something else: see “Computed from”.");
  return text;
}

// Runs that have no checkpoint at the place of the slider are shown at an earlier one.
QStringList AttentionWorkspace::elsewhereLines() const {
  QStringList lines;
  for (const auto& [run, step] : m_loaded.elsewhere)
    lines.append(step == 0 ? tr("%1: before the first update").arg(nameOf(run))
                           : tr("%1: after %2 updates").arg(nameOf(run), QLocale().toString(qint64(step))));
  return lines;
}

void AttentionWorkspace::loadDetail() {
  if (!m_loaded.figure) return;
  AnalysisAsk ask = this->ask();
  const FigureRecipe recipe = m_loaded.recipe;
  m_with.jobs->start<std::optional<FigureSpec>>(
      tr("Reading analyses"), QLatin1String(kDetail),
      [ask, recipe](Progress&, const StopToken&) { return fathom::loadDetail(ask, recipe); },
      [this](const Result<std::optional<FigureSpec>>& detail) {
        m_view->showDetail(detail.ok() && *detail ? &**detail : nullptr);
      });
}

// Exports the figure on the screen, whatever is chosen and played meanwhile.
void AttentionWorkspace::exportFigure(QString file) {
  if (!m_loaded.figure) return;
  FigureRecipe recipe = m_loaded.recipe;
  AnalysisAsk shown;
  shown.project = toUtf8(m_with.service->path());
  for (const std::string& uuid : recipe.runs)
    if (const RunItem* run = m_with.runs->run(fromUtf8(uuid)))
      shown.runs.push_back({uuid, toUtf8(run->folder), toUtf8(run->name)});
  recipe.style = toUtf8(m_view->exportStyle());
  if (file.isEmpty())
    file =
        m_with.files->figureToWrite(m_with.window, fromUtf8(recipe.figure) + QStringLiteral(".pdf"), false);
  if (file.isEmpty()) return;
  recipe.name = toUtf8(QFileInfo(file).completeBaseName());
  recipe.created = isoTimeNow();
  const QString origin = QStringLiteral("attention export");
  m_with.messages->closeErrors(origin);
  m_with.jobs->start<ExportedFigure>(
      tr("Exporting a figure"), QString(),
      [shown, recipe, path = toUtf8(file)](Progress&, const StopToken&) {
        return exportAnalysis(shown, recipe, path);
      },
      [this, file, origin](const Result<ExportedFigure>& written) {
        if (!written.ok()) return m_with.messages->showError(written.error(), origin);
        WrittenFile::tell(
            m_with.messages,
            ExportNotices::figure(file, written->name, written->notKept) + ExportNotices::cut(written->cut),
            file);
      });
}

// Part of the data, and what the probe can be told beyond what the figure shows already.
void AttentionWorkspace::refreshComputation() {
  std::vector<OptionField>& fields = m_computationFields;
  fields.clear();
  m_side->checkpoints()->setVisible(isProbed() && !isInitialOnly());
  if (isProbed()) {
    const Json probe = probeOf(fromUtf8(m_entry.id));
    for (OptionField field : findCommand("analyse")->fields) {
      if (field.key == "split") {  // the form names the part
        std::erase_if(field.choices, [](const OptionChoice& choice) { return choice.id.empty(); });
        field.defaultValue = probe.is_object() ? probe.value("part", "validation") : "validation";
      }
      if (field.key == "split") fields.push_back(std::move(field));
    }
    if (probe.is_object() && probe.contains("schema"))
      if (const auto schema = OptionSchema::fromJson(probe["schema"]); schema.ok())
        for (const OptionField& field : schema->fields())
          if (!hasField(m_entry.fields, field.key)) fields.push_back(field);
  }
  m_side->setComputation(fields, m_computation.value(fromUtf8(m_entry.id), Json::object()));
}

// The form says what the shown result was computed from.
void AttentionWorkspace::showVariants() {
  QStringList words;
  int shown = -1;
  for (const AnalysisVariant& variant : m_loaded.variants) {
    if (variant == m_loaded.variant) shown = words.size();
    words.append(variantWords(m_computationFields, variant));
  }
  m_side->setVariants(words, shown);
  const Json form = formOfVariant(m_computationFields, m_loaded.variant);
  if (m_insists || form == m_side->computation()->values()) return;
  m_computation[fromUtf8(m_entry.id)] = form;
  m_side->setComputation(m_computationFields, form);
}

void AttentionWorkspace::chooseVariant(int index) {
  if (index < 0 || index >= static_cast<int>(m_loaded.variants.size())) return;
  const Json form = formOfVariant(m_computationFields, m_loaded.variants[static_cast<std::size_t>(index)]);
  m_computation[fromUtf8(m_entry.id)] = form;
  m_side->setComputation(m_computationFields, form);
  m_insists = true;
  load();
}

bool AttentionWorkspace::canCompute() const {
  return isProbed() && !m_loaded.runs.empty() && !m_computing &&
         std::any_of(m_loaded.places.begin(), m_loaded.places.end(),
                     [](const CheckpointPlace& place) { return !place.complete; });
}

AnalysisWish AttentionWorkspace::wish(const AnalysisAsk& ask) const {
  AnalysisWish wish;
  wish.analysis = m_entry.id;
  Json values = m_side->computation()->values();
  wish.split = values.value("split", wish.split);
  values.erase("split");
  values.update(ask.options);
  for (const auto& option : values.items())
    wish.assignments.push_back(option.key() + "=" + optionValueText({}, option.value()));
  return wish;
}

std::function<void(const Phrase&)> AttentionWorkspace::progressNote() {
  return [jobs = m_with.jobs, self = QPointer(this)](const Phrase& words) {
    QMetaObject::invokeMethod(
        jobs,
        [self, words] {
          if (self) self->m_view->setProgressNote(phraseText(words));
        },
        Qt::QueuedConnection);
  };
}

void AttentionWorkspace::compute(bool everywhere) {
  if (everywhere && canFollow()) return follow();
  if (!canCompute()) return;
  const AnalysisAsk ask = this->ask();
  std::vector<std::int64_t> steps;
  for (const CheckpointPlace& place : m_loaded.places)
    if (!place.complete && (everywhere || place.step == m_loaded.step)) steps.push_back(place.step);
  if (steps.empty()) {
    m_with.messages->showNote(tr("Everything is computed at this checkpoint."));
    return;
  }
  AnalysisWish wish = this->wish(ask);
  wish.say = progressNote();
  m_insists = true;  // what is computed is what is shown then
  startComputing(tr("Computing: %1").arg(engineText(m_entry.title)),
                 [=](Progress& progress, const StopToken& stop) {
                   return computeMissing(ask, steps, wish, progress, stop);
                 });
}

// The states that a figure over training draws.
void AttentionWorkspace::follow() {
  const AnalysisAsk ask = this->ask();
  const auto followed = findFigure(followedAnalysis(ask));
  startComputing(tr("Computing: %1").arg(engineText(followed.ok() ? followed->title : m_entry.title)),
                 [ask, say = progressNote()](Progress& progress, const StopToken& stop) {
                   return computeFollowed(ask, say, progress, stop);
                 });
}

void AttentionWorkspace::startComputing(const QString& title,
                                        std::function<Result<int>(Progress&, const StopToken&)> work) {
  m_computing = true;
  m_view->showProgress(title, {});
  m_view->setProgressNote({});
  refreshActions();
  m_with.jobs->start<int>(
      title, QLatin1String(kComputing), std::move(work),
      [this](const Result<int>& result) { computed(result); },
      [this, title](const ProgressUpdate& update) {
        if (m_view->pages()->currentIndex() != AnalysisView::kProgress) return;
        const int all = update.unit == kCheckpointUnit ? int(update.total) : 1;
        const int now = std::min(int(update.done) + 1, all);
        m_view->showProgress(all > 1 ? tr("%1 (%2 of %3)").arg(title).arg(now).arg(all) : title, update);
      });
}

void AttentionWorkspace::computed(const Result<int>& result) {
  m_computing = false;
  if (!result.ok()) m_with.messages->showError(result.error(), QLatin1String(kComputing));
  load();
}

}  // namespace fathom
