// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of a new run: its form, its data, what the engine says of both.
#include <QTabWidget>
#include <QTemporaryDir>
#include <memory>

#include "app/pictures/screenshot_stage.h"
#include "app/window/main/main_window.h"
#include "app/window/train/data_gesture.h"
#include "app/window/train/new_run_controller.h"
#include "app/window/train/run_estimates.h"
#include "app/window/train/train_workspace.h"
#include "core/base/errors/phrase.h"
#include "core/base/files/atomic_file.h"
#include "core/record/presets.h"
#include "core/tasks/task.h"
#include "views/look/engine_text.h"
#include "views/panels/data/data_page.h"
#include "views/panels/data/found_data_view.h"
#include "views/panels/data/length_histogram.h"
#include "views/panels/form/experiment_draft.h"
#include "views/panels/form/option_form.h"
#include "views/panels/train/fit_bar.h"
#include "views/panels/train/new_run_page.h"
#include "views/panels/train/trainability_view.h"

namespace fathom {

namespace {

using Scene = ScreenshotStage::Scene;

// The engine's report on a run that cannot fit: a picture does not depend on the machine that makes it.
constexpr const char* kRefusedReport = R"({"parameters": {"total": 1290000000000},
  "memory": {"needed": 47200000000, "program": 210000000, "weights": 11000000000, "gradients": 11000000000,
             "optimiser": 22000000000, "activations": 2990000000, "free": 22400000000, "fits": false},
  "time": {"update": 4.2, "total": 9100, "updates": 2000, "timed_updates": 0},
  "disk": {"needed": 99000000000, "checkpoint": 33000000000, "checkpoints": 3, "free": 210000000000},
  "refusal": "the run needs 47 GB of memory, and 22 GB are free", "refusal_key": "encoder.layers",
  "remedies": [{"options": {"encoder.layers": 18}, "words": "18 layers fit"}], "notes": []})";

// The form with a preset of the made data, as somebody starts.
Result<NewRunPage*> showNewRun(MainWindow& window) {
  TrainWorkspace* train = window.train();
  window.action(QStringLiteral("run.new"))->trigger();
  (void)train->newRunPage();
  ScreenshotStage::waitFor([train] { return train->engine() != nullptr; });
  if (train->engine() == nullptr) return unavailableError("the engine did not answer");
  train->newRun()->startFromPreset(QStringLiteral("sample_small"));
  train->newRunPage()->form()->finishBuilding();
  return train->newRunPage();
}

ScreenshotView newRunView(const char* name, QStringList shows,
                          std::function<Result<ShownView>(MainWindow&, NewRunPage*)> show) {
  return singleView(name, Scene::Project, std::move(shows),
                    [show = std::move(show)](MainWindow& window) -> Result<ShownView> {
                      FATHOM_TRY(NewRunPage * page, showNewRun(window));
                      return show(window, page);
                    });
}

const Preset* firstPresetOf(const std::string& task) {
  for (const Preset& preset : presets())
    if (preset.options.value("task", std::string()) == task) return &preset;
  return nullptr;
}

// Ids of the tasks that a preset starts.
QStringList startedTasks(ScreenshotStage&, MainWindow&) {
  QStringList tasks;
  for (const TaskEntry& task : taskEntries())
    if (firstPresetOf(task.id) != nullptr) tasks.append(fromUtf8(task.id));
  return tasks;
}

// Ids of the tasks whose words are linked with what they name.
QStringList linkedTasks(ScreenshotStage& stage, MainWindow& window) {
  QStringList tasks = startedTasks(stage, window);
  tasks.removeIf([](const QString& id) { return findTask(toUtf8(id))->review.kind != "sql"; });
  return tasks;
}

Result<NewRunPage*> showTaskForm(MainWindow& window, const QString& task) {
  FATHOM_TRY(NewRunPage * page, showNewRun(window));
  window.train()->newRun()->startFromPreset(fromUtf8(firstPresetOf(toUtf8(task))->id));
  page->form()->finishBuilding();
  return page;
}

// Shows the data page of a new run with the task's made data.
Result<ShownView> showTaskData(ScreenshotStage&, MainWindow& window, const QString& task) {
  const TaskEntry* entry = findTask(toUtf8(task));
  if (entry == nullptr || entry->madeData.write == nullptr)
    return unavailableError("the task has no made data");
  FATHOM_CHECK(showTaskForm(window, task));
  const auto folder = std::make_shared<QTemporaryDir>();
  FATHOM_TRY(const MadeData made, entry->madeData.write(toUtf8(folder->path()), 1, MadeDataSize::Check));
  ExperimentDraft* draft = window.train()->newRun()->draft();
  for (const auto& [key, value] : made.options.items()) draft->setValue(fromUtf8(key), value);
  window.train()->showData();
  window.train()->newRun()->readData();
  ScreenshotStage::settle(&window, 300);
  auto* histogram = window.findChild<LengthHistogram*>();
  if (histogram == nullptr || !histogram->isVisible())
    return unavailableError("the sample of the task could not be read");
  return wholeWindow(window, [folder, draft, &window] {
    draft->revertAll();
    window.train()->showCurves();
  });
}

// A report of the real engine on the first preset; its tabs one after the other.
Result<ShownView> showTrainability(MainWindow& window, NewRunPage* page, int tab) {
  TrainabilityView* view = page->trainability();
  const auto tabs = [view] { return view->findChild<QTabWidget*>(); };
  if (!view->isVisible() || tabs() == nullptr || !tabs()->isVisible()) {
    window.train()->newRun()->checkTrainability();
    // The engine builds a model and makes updates: longer than a picture waits for anything else.
    constexpr int kPatience = 6;
    for (int i = 0; i < kPatience && !ScreenshotStage::settle(&window, 300); ++i) continue;
  }
  if (tabs() == nullptr || !tabs()->isVisible()) return unavailableError("the check of trainability failed");
  tabs()->setCurrentIndex(tab);
  return wholeWindow(window, [view, tab] {
    if (tab > 0) view->hide();
  });
}

}  // namespace

QList<ScreenshotView> newRunScreenshotViews() {
  const QStringList form = {"NewRunPage", "PresetList", "OptionForm", "OptionRow", "OptionHelpPanel"};
  return {
      singleView("new_run_no_engine", Scene::Fresh, {"NewRunPage", "EmptyState"},
                 [](MainWindow& window) {
                   NewRunPage* page = window.train()->newRunPage();
                   window.action(QStringLiteral("run.new"))->trigger();
                   ScreenshotStage::settle(&window);
                   page->setDraft(nullptr, engineText("fathom-engine was not found beside the program"));
                   return wholeWindow(window, [&window] { window.train()->showCurves(); });
                 }),
      newRunView("new_run", form, [](MainWindow& window, NewRunPage*) { return wholeWindow(window); }),
      newRunView("new_run_data", form + QStringList{"FoundDataView"},
                 [](MainWindow& window, NewRunPage* page) -> Result<ShownView> {
                   const auto folder = std::make_shared<QTemporaryDir>();
                   const std::string place = toUtf8(folder->path());
                   FATHOM_CHECK(
                       writeFileAtomically(place + "/train.tsv", "sentence\tlabel\nA good film\t1\n"));
                   window.train()->newRun()->dataGesture()->take(folder->path());
                   ScreenshotStage::settle(&window, 300);
                   if (!page->foundData()->isVisible()) return unavailableError("the data set was not found");
                   return wholeWindow(window, [folder, page] { page->foundData()->hide(); });
                 }),
      {"task_form", Scene::Project, form, startedTasks,
       [](ScreenshotStage&, MainWindow& window, const QString& task) -> Result<ShownView> {
         FATHOM_CHECK(showTaskForm(window, task));
         return wholeWindow(window);
       }},
      {"task_data", Scene::Project, {"DataPage", "LengthHistogram"}, startedTasks, showTaskData},
      {"task_links", Scene::Project, {"DataPage", "LinksView", "LinkMatrix"}, linkedTasks, showTaskData},
      newRunView("new_run_problem", form,
                 [](MainWindow& window, NewRunPage*) {
                   ExperimentDraft* draft = window.train()->newRun()->draft();
                   for (const OptionField& field : draft->schema().fields())
                     if (field.type == OptionType::Integer && draft->error(fromUtf8(field.key)).isEmpty()) {
                       draft->setText(fromUtf8(field.key), QStringLiteral("many"));
                       break;
                     }
                   return wholeWindow(window, [draft] { draft->revertAll(); });
                 }),
      newRunView("grid_editor", {"NewRunPage", "GridEditor"},
                 [](MainWindow& window, NewRunPage* page) {
                   page->setGridShown(true);
                   return wholeWindow(window, [page] { page->setGridShown(false); });
                 }),
      newRunView("new_run_refused", {"FitBar"},
                 [](MainWindow& window, NewRunPage* page) {
                   page->fit()->showReport(parseJson(kRefusedReport).value());
                   return wholeWindow(window, [&window] { window.train()->newRun()->estimates()->ask(); });
                 }),
      newRunView("new_run_all_options", {"OptionForm"},
                 [](MainWindow& window, NewRunPage* page) {
                   page->form()->setAllShown(true);
                   return wholeWindow(window, [page] { page->form()->setAllShown(false); });
                 }),
      newRunView("trainability_busy", {"TrainabilityView"},
                 [](MainWindow& window, NewRunPage* page) {
                   ProgressUpdate update;
                   update.phase = "one update at a small rate";
                   update.done = 3;
                   update.total = 8;
                   page->trainability()->showProgress(update);
                   page->trainability()->show();
                   return wholeWindow(window, [page] { page->trainability()->hide(); });
                 }),
      newRunView("trainability", {"TrainabilityView"},
                 [](MainWindow& window, NewRunPage* page) { return showTrainability(window, page, 0); }),
      newRunView("trainability_depth", {"TrainabilityView", "MarkCanvasView"},
                 [](MainWindow& window, NewRunPage* page) { return showTrainability(window, page, 1); }),
      newRunView("trainability_error", {"TrainabilityView"},
                 [](MainWindow& window, NewRunPage* page) {
                   const std::string trainKey = taskEntries().front().data.train;
                   page->trainability()->showError(
                       dataError(Phrase::tr("option '%1': there is no file %2")(trainKey, "missing.tsv"),
                                 Phrase::tr("give the path with --set %1=FILE")(trainKey)));
                   page->trainability()->show();
                   return wholeWindow(window, [page] { page->trainability()->hide(); });
                 }),
      newRunView("data", {"DataPage", "LengthHistogram"},
                 [](MainWindow& window, NewRunPage*) -> Result<ShownView> {
                   window.train()->showData();
                   window.train()->newRun()->readData();
                   ScreenshotStage::settle(&window, 300);
                   auto* histogram = window.findChild<LengthHistogram*>();
                   if (histogram == nullptr || !histogram->isVisible())
                     return unavailableError("the data of the preset could not be read");
                   return wholeWindow(window);
                 }),
      newRunView(
          "data_error", {"DataPage"},
          [](MainWindow& window, NewRunPage*) {
            window.train()->showData();
            auto* page = window.findChild<DataPage*>();
            page->showError(dataErrorAt(
                "train.tsv", 12, Phrase::tr("line without a tab"),
                Phrase::tr("check data.source_column and data.target_column, or set data.bad_lines=skip")));
            return wholeWindow(window, [&window] { window.train()->showCurves(); });
          }),
  };
}

}  // namespace fathom
