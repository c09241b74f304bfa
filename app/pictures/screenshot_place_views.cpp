// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of places: where a run or a grid is to be trained, and what more processes would bring.
#include <QLineEdit>
#include <QToolButton>

#include "app/pictures/screenshot_stage.h"
#include "app/window/main/main_window.h"
#include "app/window/train/new_run_controller.h"
#include "app/window/train/run_estimates.h"
#include "app/window/train/train_workspace.h"
#include "core/analysis/training/rank_scaling.h"
#include "views/panels/form/option_form.h"
#include "views/panels/form/place_choice.h"
#include "views/panels/train/fit_bar.h"
#include "views/panels/train/grid_editor.h"
#include "views/panels/train/new_run_page.h"

namespace fathom {

namespace {

// A machine, a host that is busy, a cluster, and a host that cannot be reached from here.
QVector<PlaceView> picturedPlaces() {
  const QString ssh = QStringLiteral("ssh"), file = QStringLiteral("places.json");
  PlaceView machine, box, cluster, gone;
  machine.id = QStringLiteral("local");
  machine.here = true;
  machine.most = 1;
  box = {QStringLiteral("box"), ssh, file, {}, {}, false, 2, 1, 4};
  cluster = {QStringLiteral("cluster"), QStringLiteral("Slurm"), file, {}, {}, false, 0, 0, 16};
  gone = {QStringLiteral("gone"), ssh, file, QStringLiteral("ssh: no-such-program"), {}, false, 0, 0, 1};
  return {machine, box, cluster, gone};
}

Result<NewRunPage*> showForm(MainWindow& window) {
  TrainWorkspace* train = window.train();
  window.action(QStringLiteral("run.new"))->trigger();
  ScreenshotStage::waitFor([train] { return train->engine() != nullptr; });
  if (train->engine() == nullptr) return unavailableError("the engine did not answer");
  train->newRun()->startFromPreset(QStringLiteral("sample_small"));
  train->newRunPage()->form()->finishBuilding();
  return train->newRunPage();
}

// A translation with 60 M parameters by four processes.
Result<ShownView> showRanks(MainWindow& window, bool curve) {
  FATHOM_TRY(NewRunPage * page, showForm(window));
  const auto megabytes = [](double count) { return 1e6 * count; };
  std::vector<NamedLink> links = usualLinks();
  links.insert(links.begin(), {Phrase::tr("On this machine"), {1e-4, megabytes(2300)}, true});
  page->fit()->showReport(
      {{"parameters", {{"total", 60'500'000}}},
       {"memory", {{"needed", megabytes(3900)}, {"free", megabytes(22400)}, {"fits", true}}},
       {"time", {{"update", 1.9}, {"total", 190'000}, {"updates", 100'000}, {"timed_updates", 3}}},
       {"disk", {{"needed", megabytes(2900)}, {"free", megabytes(210'000)}}},
       {"fits", true},
       {"ranks", rankOutlookToJson({1.9, 4, megabytes(242)}, 4, links)}});
  const auto askAgain = [&window] { window.train()->newRun()->estimates()->ask(); };
  if (!curve) return wholeWindow(window, askAgain);
  page->fit()->findChild<QToolButton*>(QStringLiteral("rankCurve"))->click();
  auto* frame = page->fit()->findChild<QWidget*>(QStringLiteral("rankFrame"));
  return ShownView{frame, [frame, askAgain] {
                     frame->hide();
                     askAgain();
                   }};
}

Result<ShownView> showPlaces(MainWindow& window, bool grid) {
  FATHOM_TRY(NewRunPage * page, showForm(window));
  PlaceChoice* choice = page->places();
  const QVector<PlaceView> before = choice->places();
  choice->setWanted({QStringLiteral("gone"), QStringLiteral("local, box, cluster")});
  choice->setPlaces(picturedPlaces());
  page->setGridShown(grid);
  if (grid) page->gridEditor()->addAxis(QStringLiteral("model.width"), QStringLiteral("32, 64, 96"));
  return wholeWindow(window, [page, choice, before] {
    page->gridEditor()->setRows({});
    page->setGridShown(false);
    choice->setWanted({});
    choice->setPlaces(before);
  });
}

}  // namespace

QList<ScreenshotView> placeScreenshotViews() {
  const auto scene = ScreenshotStage::Scene::Project;
  return {singleView("run_on", scene, {"NewRunPage", "PlaceChoice"},
                     [](MainWindow& window) { return showPlaces(window, false); }),
          singleView("run_on_several", scene, {"GridEditor", "PlaceChoice", "TickButton"},
                     [](MainWindow& window) { return showPlaces(window, true); }),
          singleView("run_ranks", scene, {"FitBar", "RankOutlook"},
                     [](MainWindow& window) { return showRanks(window, false); }),
          singleView("run_ranks_curve", scene, {"MarkCanvasView"},
                     [](MainWindow& window) { return showRanks(window, true); })};
}

}  // namespace fathom
