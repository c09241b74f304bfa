// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of what stands over the window: dialogs, the palette, help, about.
#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFile>
#include <QLineEdit>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QTabWidget>
#include <QTableWidget>
#include <QUrl>
#include <algorithm>

#include "app/pictures/screenshot_stage.h"
#include "app/window/imports/attention_dialog.h"
#include "app/window/imports/import_dialog.h"
#include "app/window/imports/sources_dialog.h"
#include "app/window/main/archive_dialog.h"
#include "app/window/main/clean_dialog.h"
#include "app/window/main/main_window.h"
#include "app/window/main/preferences_dialog.h"
#include "app/window/main/trash_dialog.h"
#include "app/window/train/script_dialog.h"
#include "app/window/train/train_workspace.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/record/formats/array_file.h"
#include "core/record/runs/run_folder.h"
#include "views/look/engine_text.h"
#include "views/panels/widgets/command_palette.h"
#include "views/panels/widgets/help_window.h"
#include "views/selection/selection_model.h"
#include "views/tables/run_table_model.h"

namespace fathom {

namespace {

// Gone when it returns: the window opens a help window that is there again, also one that waits for its end.
void closeNow(QWidget* widget) {
  widget->close();
  QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
}

using Scene = ScreenshotStage::Scene;

Result<QString> madeSource(const ScreenshotStage& stage, const char* name, const QByteArray& content) {
  const QString path = stage.folder() + QLatin1Char('/') + QLatin1String(name);
  QFile file(path);
  if (file.open(QIODevice::WriteOnly) && file.write(content) == content.size()) return path;
  return internalError("cannot write " + toUtf8(path));
}

// The look at dropped files: a table of two runs, or that and one that is damaged.
Result<ShownView> importOf(ScreenshotStage& stage, MainWindow& window, const QString& what) {
  QByteArray rows = "run,step,seconds,train loss,accuracy,learning_rate\n";
  for (const char* run : {"plum", "pear"})
    for (int step = 100; step <= 900; step += 100)
      rows += QByteArray(run) + ',' + QByteArray::number(step) + ',' + QByteArray::number(step / 7) + ',' +
              QByteArray::number(300.0 / step) + ',' + QByteArray::number(step / 1000.0) + ",0.001\n";
  FATHOM_TRY(const QString table, madeSource(stage, "two_runs.csv", rows));
  FATHOM_TRY(const QString broken, madeSource(stage, "damaged.csv", "step,loss\n1,3\nthree,2\n"));
  QMimeData data;
  QList<QUrl> urls = {QUrl::fromLocalFile(table)};
  if (what == QLatin1String("damaged")) urls.append(QUrl::fromLocalFile(broken));
  data.setUrls(urls);
  QDragEnterEvent enter(window.rect().center(), Qt::CopyAction, &data, Qt::LeftButton, {});
  QCoreApplication::sendEvent(&window, &enter);
  QDropEvent drop(window.rect().center(), Qt::CopyAction, &data, Qt::LeftButton, {});
  QCoreApplication::sendEvent(&window, &drop);
  const auto ready = [&window] {
    const auto* dialog = window.findChild<ImportDialog*>();
    return dialog != nullptr && dialog->isVisible() && dialog->isIdle();
  };
  if (!ScreenshotStage::waitFor(ready)) return internalError("what was dropped is not shown");
  auto* dialog = window.findChild<ImportDialog*>();
  ScreenshotStage::settle(&window);
  return ShownView{dialog, [dialog] { closeNow(dialog); }};
}

// Records of a source that is paused, of one that came to its end, and of one whose files have gone.
Result<ShownView> sourcesOf(ScreenshotStage& stage, MainWindow& window) {
  const std::string follows = toUtf8(window.service()->path()) + "/follows";
  FATHOM_TRY(const QString live, madeSource(stage, "live_run.csv", "step,loss\n1,3\n2,2.5\n"));
  const double now = double(QDateTime::currentSecsSinceEpoch());
  const Json records[] = {
      {{"format", 1}, {"source", toUtf8(live)}, {"entry", "csv"}, {"grew", now - 12}, {"gaps", {15, 15, 15}}},
      {{"format", 1}, {"source", "/data/gone/run_7"}, {"entry", "wandb"}, {"grew", now - 90000}},
      {{"format", 1},
       {"source", toUtf8(stage.folder())},
       {"entry", "tensorboard"},
       {"ended", true},
       // Came into the folder later.
       {"reader",
        {{"guests",
          {{{"path", "eval.jsonl"}, {"format", "json"}}, {{"path", "t"}, {"format", "hf_trainer"}}}}}}}};
  QDir().mkpath(fromUtf8(follows));
  int number = 0;
  for (const Json& record : records)
    FATHOM_CHECK(writeFileAtomically(follows + "/" + std::to_string(++number) + ".json", record.dump()));
  window.action(QStringLiteral("file.sources"))->trigger();
  auto* dialog = window.findChild<SourcesDialog*>();
  if (!ScreenshotStage::waitFor([dialog] { return dialog->hasLooked(); }))
    return internalError("followed sources are not shown");
  return ShownView{dialog, [dialog] { closeNow(dialog); }};
}

Result<ShownView> cleanUp(MainWindow& window) {
  window.action(QStringLiteral("file.clean"))->trigger();
  const auto ready = [&window] {
    const auto* dialog = window.findChild<CleanDialog*>();
    return dialog != nullptr && dialog->isVisible() && dialog->isIdle();
  };
  if (!ScreenshotStage::waitFor(ready)) return internalError("the dialog that cleans up does not come");
  auto* dialog = window.findChild<CleanDialog*>();
  ScreenshotStage::settle(&window);
  return ShownView{dialog, [dialog] { closeNow(dialog); }};
}

// A run lies in the trash for as long as the picture is taken.
Result<ShownView> trashOf(MainWindow& window) {
  RunIdentity identity;
  identity.uuid = makeUuid();
  identity.name = "Post-LN, 18 layers";
  identity.created = isoTimeNow();
  const std::string folder = toUtf8(window.service()->path()) + "/trash/" + identity.uuid;
  QDir().mkpath(QFileInfo(fromUtf8(folder)).absolutePath());
  FATHOM_TRY(const RunFolder made, RunFolder::create(folder, identity));
  window.action(QStringLiteral("run.restore"))->trigger();
  auto* dialog = window.findChild<TrashDialog*>();
  const bool there = ScreenshotStage::waitFor(
      [dialog] { return dialog->isIdle() && dialog->list()->topLevelItemCount() > 0; });
  ScreenshotStage::settle(&window);
  if (!there) return internalError("the deleted run is not listed");
  return ShownView{dialog, [dialog, folder] {
                     closeNow(dialog);
                     QDir(fromUtf8(folder)).removeRecursively();
                   }};
}

Result<ShownView> archiveOf(MainWindow& window) {
  const QString run = window.train()->runModel()->runs().first().uuid;
  window.selection()->set(Dimension::Run, {run}, run, nullptr);
  ScreenshotStage::settle(&window, 200);
  window.action(QStringLiteral("run.archive"))->trigger();
  auto* dialog = window.findChild<ArchiveDialog*>();
  if (dialog == nullptr) return unavailableError("the run has no folder");
  dialog->file()->setText(QStringLiteral("/nowhere/at/all.tar.zst"));
  if (!ScreenshotStage::waitFor([dialog] { return !dialog->problem().isEmpty(); }))
    return internalError("a folder that is not there is not said");
  ScreenshotStage::settle(&window);
  return ShownView{dialog, [dialog] { closeNow(dialog); }};
}

Result<ShownView> scriptOf(MainWindow& window) {
  window.action(QStringLiteral("run.script"))->trigger();
  auto* dialog = window.findChild<ScriptDialog*>();
  dialog->findChild<QLineEdit*>(QStringLiteral("scriptCommand"))
      ->setText(QStringLiteral("no-such-program train.py --epochs 3"));
  dialog->findChild<QLineEdit*>(QStringLiteral("scriptFolder"))->setText(QStringLiteral("/"));
  dialog->findChild<QPushButton*>(QStringLiteral("scriptQueue"))->click();
  if (!ScreenshotStage::waitFor(
          [dialog] { return dialog->said().contains(QLatin1String("no-such-program")); }))
    return internalError("a program that is not there is not said");
  ScreenshotStage::settle(&window);
  return ShownView{dialog, [dialog] { closeNow(dialog); }};
}

// Arrays of two layers and heads that look at every place alike, or one that is none.
Result<ShownView> attentionOf(ScreenshotStage& stage, MainWindow& window, const QString& what) {
  QString path = stage.folder() + QStringLiteral("/encoder.self_attention.npy");
  const std::vector<float> even(2UL * 2 * 8 * 8, 0.125F);
  FATHOM_CHECK(writeArrayFile(toUtf8(path), {2, 2, 8, 8}, even));
  if (what == QLatin1String("damaged")) {
    FATHOM_TRY(path, madeSource(stage, "decoder.self_attention.npy", "no array"));
  }
  window.action(QStringLiteral("file.import_attention"))->trigger();
  auto* dialog = window.findChild<AttentionDialog*>();
  dialog->add({path});
  const bool read = ScreenshotStage::waitFor([dialog] { return dialog->isIdle(); });
  ScreenshotStage::settle(&window);
  if (!read) return internalError("arrays of attention are not read");
  return ShownView{dialog, [dialog] { closeNow(dialog); }};
}

QStringList helpPages(ScreenshotStage&, MainWindow&) {
  QStringList ids = QDir(QStringLiteral(":/help")).entryList({QStringLiteral("*.md")}, QDir::Files);
  for (QString& id : ids) id.chop(3);
  return ids;
}

Result<ShownView> preferencesAt(MainWindow& window, int page) {
  window.action(QStringLiteral("file.preferences"))->trigger();
  auto* dialog = window.findChild<PreferencesDialog*>();
  dialog->findChild<QTabWidget*>()->setCurrentIndex(page);
  dialog->table()->selectRow(0);
  ScreenshotStage::settle(&window);
  return ShownView{dialog, [dialog] { closeNow(dialog); }};
}

}  // namespace

QList<ScreenshotView> dialogScreenshotViews() {
  return {
      singleView("commands", Scene::Project, {"CommandPalette"},
                 [](MainWindow& window) {
                   window.action(QStringLiteral("view.palette"))->trigger();
                   return Result<ShownView>(
                       ShownView{window.palettePopup(), [&window] { window.palettePopup()->close(); }});
                 }),
      {"import",
       Scene::Project,
       {"ImportDialog", "ImportColumns"},
       [](ScreenshotStage&, MainWindow&) {
         return QStringList{QStringLiteral("table"), QStringLiteral("damaged")};
       },
       importOf},
      {"sources",
       Scene::Project,
       {"SourcesDialog"},
       {},
       [](ScreenshotStage& stage, MainWindow& window, const QString&) { return sourcesOf(stage, window); }},
      singleView("clean_up", Scene::Project, {"CleanDialog"}, cleanUp),
      singleView("trash", Scene::Project, {"TrashDialog"}, trashOf),
      singleView("run_script", Scene::Project, {"ScriptDialog"}, scriptOf),
      singleView("archive", Scene::Project, {"ArchiveDialog"}, archiveOf),
      {"import_attention",
       Scene::Project,
       {"AttentionDialog"},
       [](ScreenshotStage&, MainWindow&) {
         return QStringList{QStringLiteral("arrays"), QStringLiteral("damaged")};
       },
       attentionOf},
      {"help",
       Scene::Project,
       {"HelpWindow"},
       helpPages,
       [](ScreenshotStage&, MainWindow& window, const QString& page) {
         auto* help = new HelpWindow(&window);
         help->setAttribute(Qt::WA_DeleteOnClose);
         help->showPages({page});
         return Result<ShownView>(ShownView{help, [help] { closeNow(help); }});
       }},
      {"help_menu",
       Scene::Project,
       {"HelpWindow"},
       [](ScreenshotStage&, MainWindow&) {
         return QStringList{QStringLiteral("keys"), QStringLiteral("news")};
       },
       [](ScreenshotStage&, MainWindow& window, const QString& what) -> Result<ShownView> {
         window.action(QStringLiteral("help.") + what)->trigger();
         // One that was closed may still wait for its end.
         for (HelpWindow* help : window.findChildren<HelpWindow*>())
           if (help->isVisible()) return ShownView{help, [help] { closeNow(help); }};
         return internalError("there is no help window");
       }},
      {"preferences",
       Scene::Project,
       {"PreferencesDialog"},
       [](ScreenshotStage&, MainWindow&) {
         return QStringList{QStringLiteral("appearance"), QStringLiteral("keys")};
       },
       [](ScreenshotStage&, MainWindow& window, const QString& page) -> Result<ShownView> {
         return preferencesAt(window, page == QLatin1String("keys") ? 3 : 0);
       }},
      singleView("preferences_training", Scene::Project, {"TrainingPreferences"},
                 [](MainWindow& window) { return preferencesAt(window, 1); }),
      singleView("preferences_folders", Scene::Project, {"FolderPreferences"},
                 [](MainWindow& window) { return preferencesAt(window, 2); }),
      singleView("about", Scene::Project, {},
                 [](MainWindow& window) -> Result<ShownView> {
                   window.action(QStringLiteral("help.about"))->trigger();
                   for (QMessageBox* box : window.findChildren<QMessageBox*>())
                     if (box->isVisible()) return ShownView{box, [box] { box->close(); }};
                   return internalError("there is no box about the program");
                 }),
  };
}

}  // namespace fathom
