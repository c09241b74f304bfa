// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of places: where a run or a grid is to be trained, what more processes would bring, the list of
// places.
#include <QCoreApplication>
#include <QDateTime>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QToolButton>
#include <QTreeWidget>
#include <filesystem>
#include <functional>

#include "app/pictures/screenshot_stage.h"
#include "app/runner/place_journal.h"
#include "app/runner/place_record.h"
#include "app/window/main/main_window.h"
#include "app/window/places/place_form_dialog.h"
#include "app/window/places/places_dialog.h"
#include "app/window/train/new_run_controller.h"
#include "app/window/train/run_estimates.h"
#include "app/window/train/train_workspace.h"
#include "core/analysis/training/rank_scaling.h"
#include "core/base/files/atomic_file.h"
#include "core/base/json/phrase_json.h"
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

void closeForGood(QWidget* widget) {
  widget->close();
  QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
}

// A host that answers and lacks something, one that was never asked, one that cannot be reached from here,
// and a Slurm, whose jobs have a script.
Status makePlaces(const std::string& project) {
  const std::string file = placesFile(project);
  const Json places = {
      {"box", {{"launcher", "ssh"}, {"resources", {{"host", "ana@box"}, {"program", "/bin/false"}}}}},
      {"desk", {{"launcher", "ssh"}, {"resources", {{"host", "desk"}, {"program", "/bin/false"}}}}},
      {"cluster",
       {{"launcher", "slurm"},
        {"resources",
         {{"host", "login"},
          {"program", "/bin/false"},
          {"partition", "gpu"},
          {"gres", "gpu:1"},
          {"time", "4:00:00"}}},
        {"head", {"#SBATCH --mail-type=END"}},
        {"before", {"module load cuda"}}}},
      {"gone", {{"launcher", "ssh"}, {"resources", {{"host", "gone"}, {"program", "no-such-program"}}}}}};
  FATHOM_CHECK(writeFileAtomically(file, Json{{"format", 1}, {"places", places}}.dump()));
  PlaceJournal box(project, "box");
  // In the words of app/runner/ssh, so that they are translated.
  box.say(Phrase::tr("connection"), unavailableError(Phrase::tr("%1: host %2 is not reached: %3")(
                                        "box", "ana@box", "Connection timed out")));
  box.say(Phrase::tr("hello"), Phrase::tr("answered"));
  box.say(journalRun(Phrase::tr("start"), "1a2b3c4d"), Phrase::tr("answered"));
  const Error torch = unavailableError(
      Phrase::tr("no LibTorch %1 was found on host %2")("2.11.x", "box"),
      Phrase::tr("install it in a venv there: pip install torch==2.11.0, or name its lib folder: --set "
                 "libraries=PATH"));
  box.say(Phrase::tr("check"), torch);
  box.heard(4);
  Json trouble = {{"key", "torch"}};
  writePhrase(trouble, "message", torch.messagePhrase());
  writePhrase(trouble, "hint", torch.hintPhrase());
  box.keepLook({{"at", double(QDateTime::currentSecsSinceEpoch())},
                {"facts",
                 {{"host", "box"},
                  {"machine", "x86_64"},
                  {"glibc", "2.39"},
                  {"cores", 32},
                  {"memory", 134217728000},
                  {"gpus", {"NVIDIA H200, 143771 MiB, 570.86"}},
                  {"root", "/home/ana/.fathom"},
                  {"free", 812345678901},
                  {"clock_ahead", 0},
                  {"kills", false},
                  {"lingers", "no"},
                  {"engine", {{"path", "/home/ana/.fathom/engine/current/bin/fathom-engine"}}},
                  {"torch", Json::array()}}},
                {"troubles", {trouble}}});
  return {};
}

Status takePlacesAway(const std::string& project) {
  std::error_code code;
  std::filesystem::remove(placesFile(project), code);
  for (const char* end : {".log", ".heard", ".json"})
    std::filesystem::remove(project + "/queue/journal/box" + end, code);
  return {};
}

Result<PlacesDialog*> openPlaces(MainWindow& window) {
  FATHOM_CHECK(makePlaces(window.service()->path().toStdString()));
  window.action(QStringLiteral("file.places"))->trigger();
  auto* page = window.findChild<PlacesDialog*>();
  const auto listed = [page] { return page->list()->topLevelItemCount() >= 5; };
  if (page == nullptr || !ScreenshotStage::waitFor(listed))
    return internalError("there is no list of places");
  page->choose(QStringLiteral("box"));
  const auto found = [page] { return page->findings()->topLevelItemCount() > 1; };
  if (!ScreenshotStage::waitFor(found)) return internalError("nothing was found at the place");
  return page;
}

// With one of the pages of a place in front.
Result<ShownView> listOfPlaces(MainWindow& window, const QString& place,
                               const std::function<QWidget*(PlacesDialog*)>& front) {
  FATHOM_TRY(PlacesDialog * page, openPlaces(window));
  page->choose(place);
  page->findChild<QTabWidget*>()->setCurrentWidget(front(page));
  return ShownView{page, [page, project = window.service()->path().toStdString()] {
                     closeForGood(page);
                     (void)takePlacesAway(project).ok();
                   }};
}

Result<ShownView> formOfPlace(MainWindow& window) {
  FATHOM_TRY(PlacesDialog * page, openPlaces(window));
  page->editButton()->click();
  auto* form = page->findChild<PlaceFormDialog*>();
  if (form == nullptr) return internalError("there is no form of a place");
  return ShownView{form, [page, form, project = window.service()->path().toStdString()] {
                     closeForGood(form);
                     closeForGood(page);
                     (void)takePlacesAway(project).ok();
                   }};
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
                     [](MainWindow& window) { return showRanks(window, true); }),
          singleView("places", scene, {"PlacesDialog"},
                     [](MainWindow& window) {
                       return listOfPlaces(window, QStringLiteral("box"), &PlacesDialog::findings);
                     }),
          singleView("places_journal", scene, {"PlacesDialog"},
                     [](MainWindow& window) {
                       return listOfPlaces(window, QStringLiteral("box"), &PlacesDialog::journal);
                     }),
          singleView("places_script", scene, {"PlacesDialog"},
                     [](MainWindow& window) {
                       return listOfPlaces(window, QStringLiteral("cluster"), &PlacesDialog::script);
                     }),
          singleView("place_form", scene, {"PlaceFormDialog", "OptionRow", "PlaceLines"}, formOfPlace)};
}

}  // namespace fathom
