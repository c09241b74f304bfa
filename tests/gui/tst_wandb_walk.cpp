// SPDX-License-Identifier: Apache-2.0
#include <QAction>
#include <QApplication>
#include <QDropEvent>
#include <QElapsedTimer>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolButton>
#include <QTreeWidget>
#include <algorithm>
#include <cmath>

#include "app/window/figures/figures_workspace.h"
#include "app/window/imports/import_dialog.h"
#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "app/window/train/curve_stack.h"
#include "app/window/train/train_workspace.h"
#include "core/base/files/atomic_file.h"
#include "tests/gui/support_window_fixture.h"
#include "tests/unit/support_wandb_records.h"
#include "views/panels/figures/page_view.h"
#include "views/panels/train/curve_bar.h"
#include "views/panels/train/curve_panel.h"
#include "views/tables/run_table_model.h"

using namespace fathom;
using test::waitUntil;

// Somebody who has a W&B folder of two configurations with three seeds each and has just started the program,
// without a project: to a figure with a band for each configuration in a PDF.
class WandbWalkTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void folderToBandsInAPdf();

 private:
  void writeRuns() const;
  void drop(const QString& folder);
  void click(QWidget* widget);
  // An entry of the menu of a button: two clicks.
  void pick(QToolButton* button, const QString& entry);
  // The next dialog for files gets this path and its default button a click.
  void answerFiles(const QString& path);
  QToolButton* curveButton(const char* name) const;
  QString path(const QString& name) const { return m_dir.filePath(name); }
  QTemporaryDir m_dir;
  MainWindow* m_window = nullptr;
  QString m_offered;  // the name that the last dialog for files came with
  int m_clicks = 0;
};

// As `wandb.init(mode="offline")` leaves them: no group, seeds told by the configuration alone.
void WandbWalkTest::writeRuns() const {
  constexpr int kSteps = 60;
  constexpr double kBegan = 1760000000;
  for (const int layers : {6, 12}) {
    for (const int seed : {1, 2, 3}) {
      const std::string id = "l" + std::to_string(layers) + "s" + std::to_string(seed);
      const auto option = [](const char* key, int value) {
        return test::wandbField(1, test::wandbItem(key, std::to_string(value)));
      };
      std::string file = test::kWandbHead;
      file += test::wandbChunk(test::wandbField(
          17, test::wandbField(1, id) + test::wandbField(3, std::string("study")) +
                  test::wandbField(4, option("layers", layers) + option("seed", seed)) +
                  test::wandbField(8, "layers " + std::to_string(layers) + " seed " + std::to_string(seed))));
      for (int step = 1; step <= kSteps; ++step) {
        const double loss = 5 * std::exp(-step * layers / 200.0) + 0.1 * seed;
        const auto value = [](const char* key, double number) {
          return test::wandbField(1, test::wandbItem(key, std::to_string(number)));
        };
        file += test::wandbChunk(
            test::wandbField(2, value("loss", loss) + value("_timestamp", kBegan + step) +
                                    test::wandbField(2, test::wandbField(1, std::uint64_t(step)))));
      }
      file += test::wandbChunk(test::wandbField(18, std::string()));
      const std::string folder = path(QStringLiteral("study/wandb/offline-run-20251009_0850%1-%2")
                                          .arg(10 * layers / 6 + seed)
                                          .arg(QString::fromStdString(id)))
                                     .toStdString();
      QVERIFY(makeFolders(folder).ok());
      QVERIFY(writeFileAtomically(folder + "/run-" + id + ".wandb", file).ok());
    }
  }
}

void WandbWalkTest::click(QWidget* widget) {
  QVERIFY(widget != nullptr && widget->isVisible() && widget->isEnabled());
  ++m_clicks;
  QTest::mouseClick(widget, Qt::LeftButton, {}, widget->rect().center());
}

void WandbWalkTest::drop(const QString& folder) {
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(folder)});
  const QPoint at = m_window->rect().center();
  QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, {});
  QApplication::sendEvent(m_window, &enter);
  QVERIFY(enter.isAccepted());
  QDropEvent event(at, Qt::CopyAction, &data, Qt::LeftButton, {});
  ++m_clicks;
  QApplication::sendEvent(m_window, &event);
}

void WandbWalkTest::pick(QToolButton* button, const QString& entry) {
  QVERIFY(button != nullptr);
  bool found = false;
  QTimer answer;
  connect(&answer, &QTimer::timeout, this, [&] {
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    if (menu == nullptr) return;
    answer.stop();
    for (QAction* action : menu->actions()) {
      if (action->text().remove(u'&') != entry || !action->isEnabled()) continue;
      found = true;
      ++m_clicks;
      QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
      return;
    }
    menu->close();
  });
  answer.start(10);
  click(button);
  QVERIFY2(waitUntil([&] { return found; }), qPrintable(entry));
}

void WandbWalkTest::answerFiles(const QString& path) {
  auto* answer = new QTimer(this);
  connect(answer, &QTimer::timeout, this, [this, answer, path] {
    auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
    if (dialog == nullptr) return;
    answer->stop();
    answer->deleteLater();
    auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
    m_offered = name->text();
    name->setText(path);
    for (QPushButton* each : dialog->findChildren<QPushButton*>())
      if (each->isDefault()) return click(each);
    dialog->reject();
  });
  answer->start(10);
}

QToolButton* WandbWalkTest::curveButton(const char* name) const {
  for (auto* each : m_window->train()->curves()->panel()->bar()->findChildren<QToolButton*>())
    if (each->accessibleName() == QLatin1String(name) && each->isVisible()) return each;
  return nullptr;
}

void WandbWalkTest::folderToBandsInAPdf() {
  constexpr int kMostClicks = 9;
  writeRuns();
  const test::WindowFixture fixture;
  QElapsedTimer clock;
  clock.start();
  WindowHost host(fixture.sessionFile());
  m_window = host.openWindow({});
  QVERIFY(QTest::qWaitForWindowActive(m_window));
  // The folder; where the project is to lie; Import.
  answerFiles(path("study.fathom"));
  drop(path("study/wandb"));
  ImportDialog* dialog = nullptr;
  QVERIFY(waitUntil([&] {
    dialog = m_window->findChild<ImportDialog*>();
    return dialog != nullptr && dialog->isVisible() && dialog->isIdle();
  }));
  QCOMPARE(m_offered, QStringLiteral("study.fathom"));
  QCOMPARE(dialog->list()->topLevelItemCount(), 6);
  click(dialog->importButton());
  QVERIFY(waitUntil([&] { return m_window->train()->curves()->figureRecipe().runs.size() == 6; }));
  QVERIFY(waitUntil([&] { return m_window->findChild<ImportDialog*>() == nullptr; }));
  // Seeds together; on a page; into a file.
  const char* seeds = "Seeds of one configuration";
  QVERIFY(waitUntil([&] { return curveButton(seeds) != nullptr && curveButton(seeds)->isEnabled(); }));
  pick(curveButton(seeds), QStringLiteral("Mean ± sd"));
  pick(curveButton("More"), QStringLiteral("Export figure…"));
  FiguresWorkspace* figures = m_window->figures();
  const QAction* exporting = m_window->action(QStringLiteral("figures.export"));
  QVERIFY(waitUntil(
      [&] { return figures->composition() != nullptr && figures->settled() && exporting->isEnabled(); }));
  QToolButton* button = nullptr;
  for (auto* each : m_window->findChildren<QToolButton*>())
    if (each->defaultAction() == exporting && each->isVisible()) button = each;
  const QString pdf = path("bands.pdf");
  answerFiles(pdf);
  click(button);
  QVERIFY(waitUntil([&] { return QFileInfo(pdf).size() > 1000; }));
  const qint64 took = clock.elapsed();
  // A band for each configuration, of three seeds that differ.
  const FigureSpec& drawn = figures->page()->composed().spec;
  QVERIFY(!drawn.panels.empty());
  int bands = 0;
  for (const FigureMark& mark : drawn.panels.front().marks)
    if (const auto* band = std::get_if<BandMark>(&mark.shape); band != nullptr && band->x.size() > 10) {
      ++bands;
      QVERIFY(band->upper.back() > band->lower.back() + 0.1);
    }
  QCOMPARE(bands, 2);
  QFile file(pdf);
  QVERIFY(file.open(QIODevice::ReadOnly));
  const QByteArray written = file.readAll();
  QVERIFY(written.startsWith("%PDF-"));
  QVERIFY2(written.contains("/ca 0.180"), "no area that shows what is behind it");
  QVERIFY2(m_clicks <= kMostClicks, qPrintable(QString::number(m_clicks)));
  qInfo("%d clicks, %lld ms of the program from its start to the file", m_clicks, took);
}

QTEST_MAIN(WandbWalkTest)
#include "tst_wandb_walk.moc"
