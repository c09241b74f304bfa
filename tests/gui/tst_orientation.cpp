// SPDX-License-Identifier: Apache-2.0
#include <QAbstractScrollArea>
#include <QAction>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <QUrl>

#include "app/window/attention/attention_workspace.h"
#include "app/window/errors/errors_workspace.h"
#include "app/window/figures/figures_workspace.h"
#include "app/window/files/dropped_file.h"
#include "app/window/imports/import_dialog.h"
#include "app/window/main/main_window.h"
#include "app/window/main/sample_steps.h"
#include "app/window/main/window_host.h"
#include "app/window/session/session_keys.h"
#include "app/window/train/curve_stack.h"
#include "app/window/train/train_workspace.h"
#include "tests/gui/support_window_fixture.h"
#include "views/look/engine_text.h"
#include "views/panels/errors/open_page.h"
#include "views/panels/train/run_table_panel.h"
#include "views/panels/widgets/empty_state.h"
#include "views/panels/widgets/help_text.h"
#include "views/panels/widgets/help_window.h"
#include "views/panels/widgets/message_bar.h"
#include "views/panels/widgets/place_pointer.h"
#include "views/panels/widgets/step_strip.h"
#include "views/tables/run_eyes.h"
#include "views/tables/run_table_model.h"

using namespace fathom;
using test::waitUntil;

// What tells somebody new where things are, and the ways into a project.
class OrientationTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup();
  void helpIsUnderF1();
  void contentsAreSearched();
  void keysComeFromTheActions();
  void newsAreTold();
  void oneThingToDoFirst();
  void stepsThroughTheSample();
  void textSizeIsKept();
  void projectThatFailsClosesNothing();
  void droppedFilesAreKnown();
  void droppedLogIsImported();
  void droppedRunsAreTaken();
  void curvesGoOntoAPage();

 private:
  MainWindow* open(bool sample = false);
  QString file(const QString& name, const QByteArray& content) const;
  void drop(QMimeData* data) const;
  std::unique_ptr<test::WindowFixture> m_fixture;
  std::unique_ptr<WindowHost> m_host;
  MainWindow* m_window = nullptr;
};

void OrientationTest::init() {
  m_fixture = std::make_unique<test::WindowFixture>();
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
}

void OrientationTest::cleanup() {
  m_host.reset();
  m_fixture.reset();
}

MainWindow* OrientationTest::open(bool sample) {
  if (sample) {
    (void)file(QStringLiteral("sample.json"), "{\"format\": 1}\n");
  }
  m_window = m_host->openWindow(m_fixture->project());
  bool changed = false;
  connect(m_window->service(), &ProjectService::changed, m_window, [&changed] { changed = true; });
  return QTest::qWaitForWindowActive(m_window) &&
                 waitUntil([&] { return changed && m_window->jobs()->count() == 0; })
             ? m_window
             : nullptr;
}

QString OrientationTest::file(const QString& name, const QByteArray& content) const {
  const QString path = m_fixture->project() + u'/' + name;
  QFile file(path);
  if (file.open(QIODevice::WriteOnly)) file.write(content);
  return path;
}

// As the desktop does it: first it is held over the window, then let go.
void OrientationTest::drop(QMimeData* data) const {
  const QPoint at = m_window->rect().center();
  QDragEnterEvent enter(at, Qt::CopyAction, data, Qt::LeftButton, {});
  QApplication::sendEvent(m_window, &enter);
  QVERIFY(enter.isAccepted());
  QDropEvent event(at, Qt::CopyAction, data, Qt::LeftButton, {});
  QApplication::sendEvent(m_window, &event);
}

void OrientationTest::helpIsUnderF1() {
  m_fixture->addRun("one");
  QVERIFY(open() != nullptr);
  for (const char* workspace : {"train", "attention", "errors", "figures"}) {
    m_window->action(QStringLiteral("view.") + QLatin1String(workspace))->trigger();
    QVERIFY(waitUntil([&] { return m_window->jobs()->count() == 0; }));
    auto* before = m_window->findChild<HelpWindow*>();
    if (before != nullptr) before->close();
    m_window->setFocus();
    QTest::keyClick(m_window, Qt::Key_F1);
    QVERIFY2(waitUntil([&] {
               const auto* help = m_window->findChild<HelpWindow*>();
               return help != nullptr && help->isVisible() && !help->text()->toPlainText().isEmpty();
             }),
             workspace);
  }
}

void OrientationTest::contentsAreSearched() {
  QVERIFY(open() != nullptr);
  m_window->action("help.pages")->trigger();
  auto* help = m_window->findChild<HelpWindow*>();
  QVERIFY(help != nullptr && help->isVisible());
  const auto shown = [help] {
    QStringList ids;
    for (int i = 0; i < help->list()->count(); ++i)
      if (const auto* item = help->list()->item(i); !item->isHidden() && item->flags() != Qt::NoItemFlags)
        ids.append(item->data(Qt::UserRole).toString());
    return ids;
  };
  const auto heads = [help] {
    QStringList titles;
    for (int i = 0; i < help->list()->count(); ++i)
      if (const auto* item = help->list()->item(i); !item->isHidden() && item->flags() == Qt::NoItemFlags)
        titles.append(item->text());
    return titles;
  };
  QVERIFY(shown().size() > 50);
  QCOMPARE(heads(), (QStringList{"Train", "Train: tasks", "Train: models and methods", "Attention", "Errors",
                                 "Figures"}));
  QCOMPARE(shown().first(), QStringLiteral("train_workspace"));
  // Arrow keys go over the heads.
  help->list()->setFocus();
  const auto chosen = [help] { return help->list()->currentItem()->data(Qt::UserRole).toString(); };
  while (chosen() != QLatin1String("run_folder")) {
    const QString before = chosen();
    QTest::keyClick(help->list(), Qt::Key_Down);
    QVERIFY(chosen() != before && !chosen().isEmpty());
  }
  QTest::keyClick(help->list(), Qt::Key_Down);
  QCOMPARE(chosen(), QStringLiteral("nmt"));
  QTest::keyClicks(help->searchBox(), "queue stands still eyes");  // words of the page, not of its title
  QCOMPARE(shown(), QStringList{QStringLiteral("train_workspace")});
  QCOMPARE(heads(), QStringList{QStringLiteral("Train")});
  QTest::keyClick(help, Qt::Key_Escape);
  QVERIFY(!help->isVisible());
}

void OrientationTest::keysComeFromTheActions() {
  QVERIFY(open() != nullptr);
  QTest::keyClick(m_window, Qt::Key_F1, Qt::ControlModifier);
  auto* help = m_window->findChild<HelpWindow*>();
  QVERIFY(help != nullptr && help->isVisible());
  const QString text = help->text()->toPlainText();
  int keys = 0;
  for (const QAction* action : m_window->findChildren<QAction*>()) {
    if (action->objectName().isEmpty() || action->shortcut().isEmpty() ||
        m_window->action(action->objectName()) != action)
      continue;
    ++keys;
    QVERIFY2(text.contains(action->shortcut().toString(QKeySequence::NativeText)),
             qPrintable(action->objectName()));
  }
  QVERIFY(keys > 25);
}

void OrientationTest::newsAreTold() {
  QVERIFY(open() != nullptr);
  m_window->action("help.news")->trigger();
  QVERIFY(m_window->findChild<HelpWindow*>()->text()->toPlainText().contains(QStringLiteral("Changelog")));
}

// A project without runs: one place says what to do, and one button of it stands out.
void OrientationTest::oneThingToDoFirst() {
  QVERIFY(open() != nullptr);
  QList<QPushButton*> first, all;
  for (EmptyState* state : m_window->findChildren<EmptyState*>())
    for (QPushButton* button : state->findChildren<QPushButton*>()) {
      if (!button->isVisible()) continue;
      all.append(button);
      if (button->property("primary").toBool()) first.append(button);
    }
  QCOMPARE(first.size(), 1);
  QCOMPARE(all.size(), 3);  // a run, the sample, what another program logged
  QTest::mouseClick(first.first(), Qt::LeftButton);
  QCOMPARE(m_window->train()->pages()->currentIndex(), 1);
}

void OrientationTest::stepsThroughTheSample() {
  m_fixture->addRun("one");
  // The data of the sample make no sample: any project may have trained on it.
  QDir(m_fixture->project()).mkpath(QStringLiteral("data"));
  for (const char* name : {"data/train.tsv", "data/test.tsv"}) (void)file(QLatin1String(name), "a\tb\n");
  QVERIFY(open() != nullptr);
  QVERIFY(!m_window->steps()->strip()->isVisible());
  m_window->close();
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
  QVERIFY(open(true) != nullptr);
  StepStrip* strip = m_window->steps()->strip();
  QVERIFY(strip->isVisible());
  const auto* sentence = strip->findChild<QLabel*>("stepSentence");
  const auto* pointer = m_window->findChild<PlacePointer*>("placePointer");
  QVERIFY(!sentence->isVisible() && !pointer->isVisible());
  // Looking is no deed; a click in the place that is pointed at is.
  QTest::mouseClick(strip->button(SampleSteps::Heads), Qt::LeftButton);
  QVERIFY(m_window->action("view.attention")->isChecked());
  QVERIFY(sentence->isVisible() && !sentence->text().isEmpty());
  QVERIFY(!strip->done(SampleSteps::Watch) && !strip->done(SampleSteps::Heads));
  QTest::mouseClick(strip->button(SampleSteps::Watch), Qt::LeftButton);
  QVERIFY(m_window->action("view.train")->isChecked());
  QWidget* table = m_window->train()->runs()->table();
  QVERIFY(waitUntil([&] { return pointer->isVisible() && pointer->place() == table; }));
  const QPoint corner = table->mapTo(m_window, QPoint());
  QVERIFY(waitUntil([&] { return pointer->geometry().contains(corner); }));
  QTest::mouseClick(static_cast<QAbstractScrollArea*>(table)->viewport(), Qt::LeftButton);
  QVERIFY(waitUntil([&] { return strip->done(SampleSteps::Watch); }));
  QVERIFY(!sentence->isVisible() && !pointer->isVisible());
  QTest::mouseClick(strip->button(SampleSteps::Errors), Qt::LeftButton);
  QVERIFY(QTest::qWaitFor([&] { return pointer->isVisible(); }, 60000));
  QTest::mouseClick(static_cast<QAbstractScrollArea*>(pointer->place())->viewport(), Qt::LeftButton);
  QVERIFY(waitUntil([&] { return strip->done(SampleSteps::Errors); }));
  // The page is not yet a file.
  QTest::mouseClick(strip->button(SampleSteps::Export), Qt::LeftButton);
  QVERIFY(m_window->action("view.figures")->isChecked());
  QVERIFY(!strip->done(SampleSteps::Export));
  // Nor is it one where it cannot be written.
  FiguresWorkspace* figures = m_window->figures();
  QVERIFY(QTest::qWaitFor([&] { return figures->composition() != nullptr && figures->settled(); }, 60000));
  figures->exportPage(m_fixture->project() + "/no folder/page.pdf");
  QVERIFY(waitUntil([this] { return m_window->messages()->isVisible(); }));
  QVERIFY(waitUntil([this] { return m_window->jobs()->count() == 0; }));
  QVERIFY(!strip->done(SampleSteps::Export));
  figures->exportPage(m_fixture->project() + "/page.pdf");
  QVERIFY(QTest::qWaitFor([&] { return strip->done(SampleSteps::Export); }, 60000));
  QTest::mouseClick(strip->closeButton(), Qt::LeftButton);
  QVERIFY(!pointer->isVisible());
  QVERIFY(!strip->isVisible());
  m_window->close();
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
  QVERIFY(open() != nullptr);
  QVERIFY(!m_window->steps()->strip()->isVisible());
  m_window->action("help.steps")->trigger();
  QVERIFY(m_window->steps()->strip()->isVisible());
}

void OrientationTest::textSizeIsKept() {
  const double usual = QApplication::font().pointSizeF();
  QVERIFY(open() != nullptr);
  QTest::keyClick(m_window, Qt::Key_Plus, Qt::ControlModifier);
  QTRY_VERIFY(QApplication::font().pointSizeF() > usual);
  const double larger = QApplication::font().pointSizeF();
  m_window->close();
  m_host.reset();
  QCOMPARE(QApplication::font().pointSizeF(), usual);
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
  QVERIFY(open() != nullptr);
  QCOMPARE(QApplication::font().pointSizeF(), larger);
  QTest::keyClick(m_window, Qt::Key_Minus, Qt::ControlModifier);
  QTest::keyClick(m_window, Qt::Key_Minus, Qt::ControlModifier);
  QTRY_VERIFY(QApplication::font().pointSizeF() < usual);
  QTest::keyClick(m_window, Qt::Key_0, Qt::ControlModifier);
  QTRY_COMPARE(QApplication::font().pointSizeF(), usual);
}

void OrientationTest::projectThatFailsClosesNothing() {
  m_fixture->addRun("one");
  QVERIFY(open() != nullptr);
  const QString bad = file(QStringLiteral("a file"), "x") + QStringLiteral("/new.fathom");
  m_window->openProject(bad, true);
  QVERIFY(waitUntil([&] { return m_window->messages()->isVisible(); }));
  QVERIFY(m_window->service()->isReady());
  QCOMPARE(m_window->service()->path(), m_fixture->project());
  QCOMPARE(m_window->train()->runModel()->rowCount(), 1);
  QCOMPARE(m_host->session()->text(session::kProject), m_fixture->project());
  // It still follows what happens in there.
  m_fixture->addRun("two");
  QVERIFY(waitUntil([&] { return m_window->train()->runModel()->rowCount() == 2; }));
}

void OrientationTest::droppedFilesAreKnown() {
  const auto kind = [this](const char* name, const QByteArray& content) {
    return droppedKind(file(QLatin1String(name), content));
  };
  QCOMPARE(droppedKind(m_fixture->project()), DroppedKind::Project);
  QCOMPARE(droppedKind(m_fixture->project() + QStringLiteral("/library.sqlite")), DroppedKind::Project);
  QCOMPARE(projectFolderOf(m_fixture->project() + QStringLiteral("/library.sqlite")), m_fixture->project());
  QCOMPARE(droppedKind(QString::fromStdString(m_fixture->addRun("one"))), DroppedKind::RunFolder);
  QCOMPARE(kind("r.tar.zst", "x"), DroppedKind::Log);
  QCOMPARE(kind("events.out.tfevents.1.host", "x"), DroppedKind::Log);
  QCOMPARE(kind("curve.csv", "step,loss\n1,2\n"), DroppedKind::Log);
  QCOMPARE(kind("predicted.csv", "query,db_id\nSELECT 1,a\n"), DroppedKind::Predictions);
  QCOMPARE(kind("pred.sql", "SELECT 1\n"), DroppedKind::Predictions);
  QCOMPARE(kind("pred.txt", "SELECT name FROM singer\n"), DroppedKind::Predictions);
  QCOMPARE(kind("train.log", "2026-01-01 | INFO | epoch 1\n"), DroppedKind::Log);
  QCOMPARE(kind("picture.png", "x"), DroppedKind::Unknown);
  // Logs of other programs, by what is in them.
  QCOMPARE(kind("run-1.wandb", QByteArray(":W&B\xE1\xBE\0", 7)), DroppedKind::Log);
  QCOMPARE(kind("trainer_state.json", "{\"log_history\": []}"), DroppedKind::Log);
  QCOMPARE(kind("metrics.jsonl", "{\"step\": 1, \"loss\": 2}\n"), DroppedKind::Log);
  QCOMPARE(kind("loss.json", "[[1.5, 1, 2]]"), DroppedKind::Log);
  QCOMPARE(kind("answers.jsonl", "{\"id\": 1, \"prediction\": \"a\"}\n"), DroppedKind::Predictions);
  QCOMPARE(droppedKind(QDir::tempPath()), DroppedKind::Log);  // its import says what is in it
  QCOMPARE(droppedKind(QStringLiteral("/dev/zero")), DroppedKind::Log);
  QCOMPARE(droppedKind(QStringLiteral("/not/there")), DroppedKind::Unknown);
}

void OrientationTest::droppedLogIsImported() {
  QVERIFY(open() != nullptr);
  const QString log = file(QStringLiteral("curve.csv"), "step,loss\n1,3\n2,2\n3,1\n");
  const QString predictions = file(QStringLiteral("pred.txt"), "SELECT 1\n");
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(log)});
  drop(&data);
  QVERIFY(waitUntil([&] {
    const auto* shown = m_window->findChild<ImportDialog*>();
    return shown != nullptr && shown->importButton()->isEnabled();
  }));
  m_window->findChild<ImportDialog*>()->importButton()->click();
  QVERIFY(waitUntil([&] { return m_window->train()->runModel()->rowCount() == 1; }));
  data.setUrls({QUrl::fromLocalFile(predictions)});
  drop(&data);
  QVERIFY(waitUntil([&] { return m_window->action("view.errors")->isChecked(); }));
  QVERIFY(waitUntil([&] { return !m_window->errors()->openPage()->sources().predictions.empty(); }));
  data.setUrls({QUrl::fromLocalFile(file(QStringLiteral("x.png"), "x"))});
  drop(&data);
  QVERIFY(waitUntil([&] { return m_window->messages()->currentText().contains("x.png"); }));
}

void OrientationTest::droppedRunsAreTaken() {
  for (const char* name : {"one", "two"}) m_fixture->addRun(name);
  QVERIFY(open() != nullptr);
  QVERIFY(waitUntil([&] { return m_window->selection()->of(Dimension::Run).items.size() == 1; }));
  const RunTableModel* model = m_window->train()->runModel();
  QModelIndexList both;
  for (int row = 0; row < 2; ++row) both.append(model->index(row, RunTableModel::Name));
  const std::unique_ptr<QMimeData> dragged(model->mimeData(both));
  drop(dragged.get());
  QCOMPARE(m_window->selection()->of(Dimension::Run).items.size(), 2);
  m_window->selection()->set(Dimension::Run, {}, {}, nullptr);
  m_window->action("view.attention")->trigger();
  drop(dragged.get());
  QCOMPARE(m_window->selection()->of(Dimension::Run).items.size(), 2);
  // Figures put them into the panel that is edited.
  m_window->action("view.train")->trigger();
  const QString one = model->runs().first().uuid;
  m_window->selection()->set(Dimension::Run, {one}, one, nullptr);
  m_window->train()->runModel()->eyes()->openOnly({one});  // the figure is of what is drawn
  Q_EMIT m_window->train()->curves()->exportRequested();
  FiguresWorkspace* figures = m_window->figures();
  QVERIFY(waitUntil([&] { return figures->composition() != nullptr && figures->settled(); }));
  QCOMPARE(int(figures->composition()->panels.front().recipe.runs.size()), 1);
  drop(dragged.get());
  QVERIFY(waitUntil([&] { return figures->composition()->panels.front().recipe.runs.size() == 2; }));
}

// What "Export figure" of the curves leads to.
void OrientationTest::curvesGoOntoAPage() {
  m_fixture->addRun("one");
  QVERIFY(open() != nullptr);
  QVERIFY(waitUntil([&] { return m_window->selection()->of(Dimension::Run).items.size() == 1; }));
  Q_EMIT m_window->train()->curves()->exportRequested();
  QVERIFY(m_window->action("view.figures")->isChecked());
  FiguresWorkspace* figures = m_window->figures();
  QVERIFY(waitUntil([&] { return figures->composition() != nullptr && figures->settled(); }));
  QCOMPARE(int(figures->composition()->panels.size()), 1);
  QCOMPARE(figures->composition()->panels.front().recipe.figure, std::string("training_curve"));
  QCOMPARE(int(figures->composition()->panels.front().recipe.runs.size()), 1);
}

QTEST_MAIN(OrientationTest)
#include "tst_orientation.moc"
