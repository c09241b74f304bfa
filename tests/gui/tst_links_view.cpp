// SPDX-License-Identifier: Apache-2.0
// Links of a data set on the data page: any example's matrix, a change with undo, the file that the next run
// reads.
#include <QComboBox>
#include <QFileInfo>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QTest>
#include <QUndoStack>

#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "app/window/train/new_run_controller.h"
#include "app/window/train/train_workspace.h"
#include "core/base/files/atomic_file.h"
#include "core/tasks/text_to_sql/made_text_to_sql.h"
#include "tests/gui/support_window_fixture.h"
#include "views/panels/data/links_view.h"
#include "views/panels/linking/link_matrix.h"
#include "views/panels/train/new_run_page.h"

namespace fathom {

using test::waitUntil;

namespace {

// The options of the task alone: the page asks nobody else.
EngineDescription engineOfTasks() {
  EngineDescription engine;
  engine.options = OptionSchema(taskOptionFields(), taskOptionRules());
  return engine;
}

}  // namespace

class LinksViewTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void cleanupTestCase();
  void anyExampleIsShown();
  void changesAreUndone();
  void keptLinksAreRead();
  void otherDataHaveNoChanges();

 private:
  bool readData();
  ExperimentDraft* draft() const { return m_window->train()->newRun()->draft(); }
  LinkMatrixModel* model() const { return m_view->matrix()->model(); }
  // A word and an item of the shown example without a link.
  QPoint freeCell() const;
  std::unique_ptr<test::WindowFixture> m_fixture;
  std::unique_ptr<WindowHost> m_host;
  MainWindow* m_window = nullptr;
  LinksView* m_view = nullptr;
};

bool LinksViewTest::readData() {
  const auto before = m_view != nullptr ? m_view->examples() : nullptr;
  m_window->train()->newRun()->readData();
  return waitUntil([&] {
    m_view = m_window->findChild<LinksView*>();
    return m_view != nullptr && m_view->examples() != nullptr && m_view->examples() != before;
  });
}

QPoint LinksViewTest::freeCell() const {
  for (int item = 0; item < model()->items().size(); ++item)
    for (int word = 0; word < model()->words().size(); ++word)
      if (model()->code(word, item) == 0) return {word, item};
  return {-1, -1};
}

void LinksViewTest::initTestCase() {
  m_fixture = std::make_unique<test::WindowFixture>();
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
  m_window = m_host->openWindow(m_fixture->project());
  QVERIFY(QTest::qWaitForWindowActive(m_window));
  QVERIFY(waitUntil([&] { return m_window->train()->engine() != nullptr; }));
  m_window->train()->newRun()->setEngine(engineOfTasks());
  const std::string folder = QFileInfo(m_fixture->project()).path().toStdString() + "/sample";
  const MadeData made = writeMadeTextToSql(folder, 1, MadeDataSize::Check).value();
  QVERIFY(draft()->setValue("task", "text_to_sql"));
  for (const auto& [key, value] : made.options.items())
    QVERIFY2(draft()->setValue(QString::fromStdString(key), value), key.c_str());
  QVERIFY(draft()->setValue("spider.linking", "stems"));  // WordNet takes a second to read
  m_window->train()->showNewRun();
  m_window->train()->showData();
  QVERIFY(m_window->findChild<LinksView*>() == nullptr);
  QVERIFY(readData());
  QVERIFY(m_view->isVisible());
}

void LinksViewTest::cleanupTestCase() {
  m_host.reset();
  m_fixture.reset();
}

void LinksViewTest::anyExampleIsShown() {
  auto* split = m_view->findChild<QComboBox*>("linksSplit");
  auto* number = m_view->findChild<QSpinBox*>("linksNumber");
  QCOMPARE(split->count(), 3);
  split->setCurrentIndex(split->findData("validation"));
  number->setValue(number->maximum());
  const auto links = m_view->examples()->exampleLinks(DataSplit::Validation, ExampleId{number->maximum()});
  QVERIFY(links.ok());
  QCOMPARE(model()->words().size(), qsizetype(links->words.size()));
  QCOMPARE(model()->items().size(), qsizetype(links->items.size()));
  QVERIFY(std::equal(links->codes.begin(), links->codes.end(), model()->codes().cbegin()));
  QVERIFY(std::any_of(links->codes.begin(), links->codes.end(), [](auto code) { return code != 0; }));
  // A row of the table of examples shows its links.
  QTableView* table = nullptr;
  for (auto* each : m_window->findChild<DataPage*>()->findChildren<QTableView*>())
    if (each->accessibleName() == QLatin1String("Examples")) table = each;
  QVERIFY(table != nullptr);
  table->setCurrentIndex(table->model()->index(2, 0));
  QCOMPARE(split->currentData().toString(), QStringLiteral("train"));
  QCOMPARE(number->value(), 2);
}

void LinksViewTest::changesAreUndone() {
  m_view->showExample("validation", 0);
  const QPoint cell = freeCell();
  QVERIFY(cell.x() >= 0);
  auto* keep = m_view->findChild<QPushButton*>("keepLinks");
  QVERIFY(!keep->isEnabled());
  QVERIFY(model()->setCode(cell.x(), cell.y(), 2));
  QCOMPARE(m_view->changes().size(), std::size_t{1});
  QVERIFY(keep->isEnabled());
  QCOMPARE(model()->changedCells(), 1);
  // It stays with its question.
  m_view->showExample("train", 0);
  m_view->showExample("validation", 0);
  QCOMPARE(model()->code(cell.x(), cell.y()), 2);
  draft()->undoStack()->undo();
  QVERIFY(m_view->changes().empty());
  QCOMPARE(model()->code(cell.x(), cell.y()), 0);
  draft()->undoStack()->redo();
  QCOMPARE(m_view->changes().size(), std::size_t{1});
  QCOMPARE(model()->code(cell.x(), cell.y()), 2);
  // Back to what the linker found is no change.
  QVERIFY(model()->setCode(cell.x(), cell.y(), 0));
  QVERIFY(m_view->changes().empty());
}

void LinksViewTest::keptLinksAreRead() {
  m_view->showExample("validation", 0);
  const QPoint cell = freeCell();
  QVERIFY(model()->setCode(cell.x(), cell.y(), 3));
  const QString linking = draft()->text("spider.linking");
  QVERIFY(test::settled(m_window));
  QTest::mouseClick(m_view->findChild<QPushButton*>("keepLinks"), Qt::LeftButton);
  QVERIFY(waitUntil([&] { return draft()->text("spider.linking") == QLatin1String("file"); }));
  const QString file = draft()->text("spider.links");
  QCOMPARE(QFileInfo(file).path(), m_fixture->project() + QStringLiteral("/links"));
  const std::string bytes = readFile(file.toStdString()).value();
  QVERIFY(readData());
  m_view->showExample("validation", 0);
  const auto links = m_view->examples()->exampleLinks(DataSplit::Validation, ExampleId{0}).value();
  QCOMPARE(int(links.codes[std::size_t(cell.y()) * links.words.size() + std::size_t(cell.x())]), 3);
  // Another state is another file: a run that names the first one finds it as it was.
  QVERIFY(model()->setCode(cell.x(), cell.y(), 1));
  m_view->findChild<QPushButton*>("keepLinks")->click();
  QVERIFY(waitUntil([&] { return draft()->text("spider.links") != file; }));
  QCOMPARE(readFile(file.toStdString()).value(), bytes);
  // One step back is the file before; further back the linker of before.
  draft()->undoStack()->undo();
  QCOMPARE(draft()->text("spider.links"), file);
  draft()->undoStack()->undo();
  draft()->undoStack()->undo();
  QCOMPARE(draft()->text("spider.linking"), linking);
}

void LinksViewTest::otherDataHaveNoChanges() {
  QVERIFY(!m_view->changes().empty());
  const std::string folder = QFileInfo(m_fixture->project()).path().toStdString() + "/other";
  const MadeData made = writeMadeTextToSql(folder, 2, MadeDataSize::Check).value();
  for (const auto& [key, value] : made.options.items())
    QVERIFY2(draft()->setValue(QString::fromStdString(key), value), key.c_str());
  QVERIFY(readData());
  QVERIFY(m_view->changes().empty());
  QVERIFY(!m_view->findChild<QPushButton*>("keepLinks")->isEnabled());
}

}  // namespace fathom

using fathom::LinksViewTest;
QTEST_MAIN(LinksViewTest)
#include "tst_links_view.moc"
