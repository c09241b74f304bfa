// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of places: where a run or a grid is to be trained.
#include <QLineEdit>

#include "app/pictures/screenshot_stage.h"
#include "app/window/main/main_window.h"
#include "app/window/train/new_run_controller.h"
#include "app/window/train/train_workspace.h"
#include "views/panels/form/option_form.h"
#include "views/panels/form/place_choice.h"
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

Result<ShownView> showPlaces(MainWindow& window, bool grid) {
  TrainWorkspace* train = window.train();
  window.action(QStringLiteral("run.new"))->trigger();
  NewRunPage* page = train->newRunPage();
  ScreenshotStage::waitFor([train] { return train->engine() != nullptr; });
  if (train->engine() == nullptr) return unavailableError("the engine did not answer");
  train->newRun()->startFromPreset(QStringLiteral("sample_small"));
  page->form()->finishBuilding();
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
                     [](MainWindow& window) { return showPlaces(window, true); })};
}

}  // namespace fathom
