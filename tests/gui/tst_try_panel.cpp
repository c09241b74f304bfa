// SPDX-License-Identifier: Apache-2.0
// Predict again in the Errors workspace: a question and its links are edited, a run's server (the fake
// engine) answers, the new SQL stands beside the old one.
#include <QAction>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <filesystem>

#include "app/window/errors/sql_review_page.h"
#include "core/base/files/hash.h"
#include "core/record/results/prediction_set.h"
#include "core/record/runs/checkpoint_folder.h"
#include "core/record/runs/run_config.h"
#include "core/serve/serve_client.h"
#include "tests/gui/support_errors_window.h"
#include "views/look/engine_text.h"
#include "views/panels/errors/results_panel.h"
#include "views/panels/errors/sql_editor.h"
#include "views/panels/errors/try_history.h"
#include "views/panels/errors/try_panel.h"
#include "views/panels/linking/link_matrix.h"
#include "views/tables/sql_predictions.h"

using namespace fathom;
using test::waitUntil;

namespace {

const QString kCount = QStringLiteral("SELECT count(*) FROM reader");
const QString kNames = QStringLiteral("SELECT name FROM reader");
const QString kOldest = QStringLiteral("SELECT max(age) FROM reader");

}  // namespace

class TryPanelTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup();
  void linkMatrixShowsAndChanges();
  void questionIsEditedAndPredictedAgain();
  void linksAreEditedAndPredictedAgain();
  void ownQuestionOnAnyDatabase();
  void loadingIsShownAndCancelled();
  void whatIsMissingIsSaid();
  void predictionsOfFilesCannotBeTried();
  void serverEndsWithTheWindow();

 private:
  bool openRunPredictions();
  void historyIsWhole() const;
  TryPanel* panel() const { return m_errors->errors()->sqlPage()->tryPanel(); }
  template <typename Widget>
  Widget* part(const char* name) const {
    return panel()->findChild<Widget*>(QLatin1String(name));
  }
  ReviewedPredictions* review() const { return m_errors->review(); }
  QString problem() const { return part<QLabel>("tryProblem")->text(); }
  QAction* action(const char* id) const { return m_errors->window()->action(id); }
  std::string socket() const { return serveSocketPath(m_run, m_checkpoint).value(); }
  // Every job is over and the queries have run.
  bool idle() const {
    return waitUntil([this] { return !panel()->busy() && m_errors->window()->jobs()->count() == 0; });
  }
  bool predicted(int tries) const {
    return waitUntil([&] { return panel()->tries().size() == tries; }) && idle();
  }
  static QString shown(SqlEditor* editor) { return QString::fromUtf8(editor->sql()).simplified(); }
  std::unique_ptr<test::ErrorsWindow> m_errors;
  std::string m_run, m_checkpoint;
  int m_example = -1;  // "How many readers are there?"
};

void TryPanelTest::init() {
  qputenv("FATHOM_FAKE_SERVE", "good");
  m_errors = std::make_unique<test::ErrorsWindow>();
}

void TryPanelTest::cleanup() {
  m_errors.reset();
}

// A run with a checkpoint and a prediction set of the sample, opened as its menu does it.
bool TryPanelTest::openRunPredictions() {
  if (!m_errors->loadSample()) return false;
  RunIdentity identity;
  identity.uuid = makeUuid();
  identity.name = "tiny";
  identity.created = isoTimeNow();
  m_run = m_errors->project().toStdString() + "/runs/" + identity.uuid;
  const RunFolder folder = RunFolder::create(m_run, identity).value();
  (void)folder.beginAttempt(runConfigToJson(RunConfig{})).value();
  m_checkpoint = CheckpointWriter::begin(m_run, 1, 6)->commit(Json::object()).value().name;
  PredictionSet set;
  set.run = identity.uuid;
  set.checkpoint = m_checkpoint;
  set.split = "validation";
  PredictionSetWriter writer = PredictionSetWriter::create(m_run, set).value();
  for (int example = 0; example < review()->examples(); ++example) {
    if (questionOf(*review(), example) == QLatin1String("How many readers are there?")) m_example = example;
    writer
        .add({{"example", example},
              {"prediction", toUtf8(example == m_example ? kNames : goldSqlOf(*review(), example))}})
        .value();
  }
  writer.finish().value();
  ReviewSources sources = review()->review().sources;
  sources.predictions = {{"tiny", writer.set().path}};
  m_errors->errors()->open(sources);
  const auto there = [this] { return !review()->empty() && review()->models() == 1; };
  if (m_example < 0 || !waitUntil(there) || !idle()) return false;
  review()->choose(0, m_example, nullptr);
  return idle();
}

void TryPanelTest::linkMatrixShowsAndChanges() {
  LinkMatrix matrix;
  matrix.resize(600, 300);
  matrix.model()->setLinks({"How", "old", "is", "Ada"}, {{"reader", true}, {"reader.name"}, {"reader.age"}},
                           {0, 0, 0, 0, 0, 0, 0, 3, 0, 1, 0, 0});
  matrix.show();
  QAbstractItemModel* shown = matrix.table()->model();
  QCOMPARE(shown->rowCount(), 2);  // the table has no link
  QCOMPARE(shown->headerData(0, Qt::Vertical).toString(), QStringLiteral("reader.name"));
  QCOMPARE(shown->data(shown->index(0, 3)).toString(), LinkMatrixModel::codeTitle(3));
  QVERIFY(!matrix.model()->setCode(0, 0, 2));  // not to be changed yet
  matrix.model()->setEditable(true);
  matrix.findChild<QToolButton*>("allItems")->setChecked(true);
  QCOMPARE(shown->rowCount(), 3);
  QVector<QVector<int>> heard;
  connect(matrix.model(), &LinkMatrixModel::linkChanged, this, [&](int word, int item, int code) {
    heard.append({word, item, code});
  });
  matrix.table()->setCurrentIndex(shown->index(0, 1));
  QTest::keyClick(matrix.table(), Qt::Key_2);
  QTest::keyClick(matrix.table(), Qt::Key_Space);
  matrix.table()->setCurrentIndex(shown->index(1, 3));
  QTest::keyClick(matrix.table(), Qt::Key_Delete);
  const QVector<QVector<int>> expected{{1, 0, 2}, {1, 0, 3}, {3, 1, 0}};
  QCOMPARE(heard, expected);
  QCOMPARE(matrix.model()->changedCells(), 2);
  QVERIFY(
      shown->data(shown->index(1, 3), Qt::ToolTipRole).toString().contains(LinkMatrixModel::codeTitle(3)));
  matrix.findChild<QToolButton*>("allItems")->setChecked(false);
  QCOMPARE(shown->rowCount(), 3);  // what was linked before stays in view
}

void TryPanelTest::questionIsEditedAndPredictedAgain() {
  QVERIFY(openRunPredictions());
  action("errors.try")->trigger();
  QVERIFY(panel()->isVisible());
  QVERIFY(predicted(1));
  QCOMPARE(panel()->nowSql(), kCount);
  QCOMPARE(panel()->beforeSql(), kNames);  // what the set has
  QVERIFY(panel()->tries()[0].judged && panel()->tries()[0].judged->match.match.exact);
  const QString before = part<QLabel>("beforeVerdict")->text(), now = part<QLabel>("nowVerdict")->text();
  QVERIFY(before != now);
  QVERIFY(now.startsWith(categoryTitle(ErrorCategory::Correct)));
  QVERIFY(waitUntil([this] { return !panel()->tries()[0].results.isEmpty(); }));  // it ran beside gold
  QVERIFY(
      waitUntil([this] { return panel()->results()->findChild<QTableView*>("goldResult")->isVisible(); }));
  QVERIFY(panel()->results()->findChild<QTableView*>("goldResult")->model()->rowCount() > 0);
  QCOMPARE(panel()->tries()[0].others, QStringList{QStringLiteral("SELECT age FROM reader")});
  panel()->questionEdit()->setFocus();
  panel()->questionEdit()->selectAll();
  QTest::keyClicks(panel()->questionEdit(), QStringLiteral("Who are the readers?"));
  QTest::keyClick(panel()->questionEdit(), Qt::Key_Return, Qt::ControlModifier);
  QVERIFY(predicted(2));
  QCOMPARE(panel()->beforeSql(), kCount);
  QCOMPARE(panel()->nowSql(), kNames);
  QCOMPARE(shown(part<SqlEditor>("beforeSql")), kCount);
  QCOMPARE(shown(part<SqlEditor>("nowSql")), kNames);
  const PredictionTry& second = panel()->tries()[1];
  QVERIFY(second.judged && !second.judged->match.match.exact);
  QVERIFY(waitUntil([&] { return !second.results.isEmpty(); }));
  QVERIFY(second.results != panel()->tries()[0].results);
  QCOMPARE(panel()->links()->model()->words().size(), 4);
  const QAbstractItemModel* history = panel()->history()->model();
  QCOMPARE(history->rowCount(), 2);
  QCOMPARE(history->index(1, TryHistoryModel::kCategory).data().toString(), tryCategory(second));
  QVERIFY(history->index(1, TryHistoryModel::kSql).data(Qt::FontRole).value<QFont>().bold());
  historyIsWhole();
  // Back: what is typed first, then try by try, or to the first at once.
  panel()->questionEdit()->setText(QStringLiteral("something else"));
  QVERIFY(m_errors->errors()->undo());
  QCOMPARE(panel()->questionEdit()->text(), QStringLiteral("Who are the readers?"));
  QVERIFY(m_errors->errors()->undo());
  QCOMPARE(panel()->shownTry(), 0);
  QVERIFY(m_errors->errors()->redo());
  QCOMPARE(panel()->shownTry(), 1);
  action("errors.original")->trigger();
  QCOMPARE(panel()->questionEdit()->text(), QStringLiteral("How many readers are there?"));
  QCOMPARE(panel()->nowSql(), kCount);
  // Other places come back to the same tries.
  action("errors.review")->trigger();
  QVERIFY(!panel()->isVisible());
  action("errors.try")->trigger();
  QCOMPARE(panel()->tries().size(), 2);
}

// Every column of the tries is in view: the short ones whole, question and SQL share what is left.
void TryPanelTest::historyIsWhole() const {
  QTableView* table = panel()->history();
  QHeaderView* header = table->horizontalHeader();
  for (const int width : {1600, 1100}) {
    m_errors->window()->resize(width, 800);
    QVERIFY(test::settled(m_errors->window()));
    QCOMPARE(header->length(), table->viewport()->width());
    QVERIFY(!table->horizontalScrollBar()->isVisible());
    for (int column = 0; column < TryHistoryModel::kColumns; ++column) {
      if (column == TryHistoryModel::kQuestion || column == TryHistoryModel::kSql) continue;
      QVERIFY2(header->sectionSize(column) >= header->sectionSizeHint(column),
               qPrintable(QString::number(column)));
    }
    const int question = header->sectionSize(TryHistoryModel::kQuestion);
    QVERIFY(qAbs(question - header->sectionSize(TryHistoryModel::kSql)) <= 1);
  }
}

void TryPanelTest::linksAreEditedAndPredictedAgain() {
  QVERIFY(openRunPredictions());
  action("errors.try")->trigger();
  QVERIFY(predicted(1));
  LinkMatrixModel* links = panel()->links()->model();
  QCOMPARE(links->words().join(QLatin1Char(' ')), QStringLiteral("How many readers are there?"));
  QCOMPARE(links->code(0, 0), 2);
  QVERIFY(!panel()->asked().links);
  panel()->links()->findChild<QToolButton*>("allItems")->setChecked(true);
  QTableView* table = panel()->links()->table();
  table->setCurrentIndex(table->model()->index(1, 2));
  QTest::keyClick(table, Qt::Key_1);
  QCOMPARE(links->changedCells(), 1);
  QVERIFY(panel()->asked().links);
  action("errors.predict")->trigger();
  QVERIFY(predicted(2));
  QCOMPARE(panel()->nowSql(), kOldest);
  QCOMPARE(panel()->tries()[1].changedLinks, 1);
  QVERIFY(panel()->tries()[1].ownLinks);
  QCOMPARE(links->changedCells(), 1);  // still marked against those that were found
  // With the links as they were found there are none to send.
  links->setCode(2, 1, 0);
  QVERIFY(!panel()->asked().links);
  action("errors.predict")->trigger();
  QVERIFY(predicted(3));
  QCOMPARE(panel()->nowSql(), kCount);
}

void TryPanelTest::ownQuestionOnAnyDatabase() {
  QVERIFY(openRunPredictions());
  action("errors.ask")->trigger();
  QVERIFY(part<QComboBox>("askedDatabase")->isVisible());
  QCOMPARE(part<QComboBox>("askedDatabase")->count(), 3);
  QVERIFY(panel()->tries().isEmpty());
  action("errors.predict")->trigger();
  QVERIFY(!problem().isEmpty());  // no question yet
  panel()->setDatabase(QStringLiteral("town_library"));
  QTest::keyClicks(panel()->questionEdit(), QStringLiteral("How many are they?"));
  QTest::keyClick(panel()->questionEdit(), Qt::Key_Return);
  QVERIFY(predicted(1));
  QVERIFY(problem().isEmpty());
  QCOMPARE(panel()->nowSql(), kCount);
  QVERIFY(panel()->beforeSql().isEmpty() && panel()->goldSql().isEmpty());
  QVERIFY(!panel()->tries()[0].judged);
  QVERIFY(waitUntil(
      [this] { return panel()->results()->findChild<QTableView*>("predictedResult")->isVisible(); }));
  QVERIFY(!panel()->results()->findChild<QTableView*>("goldResult")->isVisible());
  panel()->setDatabase(QStringLiteral("flower_market"));
  QVERIFY(panel()->tries().isEmpty());
}

void TryPanelTest::loadingIsShownAndCancelled() {
  qputenv("FATHOM_FAKE_SERVE", "slow");
  QVERIFY(openRunPredictions());
  action("errors.try")->trigger();
  QVERIFY(panel()->busy());
  const auto loading = [this] {
    for (const QLabel* label : panel()->findChildren<QLabel*>())
      if (label->isVisible() && label->text() == engineText("loading the model")) return true;
    return false;
  };
  QVERIFY(waitUntil(loading));
  Q_EMIT panel()->cancelRequested();
  QVERIFY(!panel()->busy());
  QVERIFY(idle());
  QVERIFY(panel()->tries().isEmpty() && problem().isEmpty());
  QVERIFY(waitUntil([this] { return !ServeClient::connect(socket()).ok(); }));  // nobody wants its model
  qputenv("FATHOM_FAKE_SERVE", "good");
  action("errors.predict")->trigger();
  QVERIFY(predicted(1));
}

void TryPanelTest::whatIsMissingIsSaid() {
  qputenv("FATHOM_FAKE_SERVE", "refuse");
  QVERIFY(openRunPredictions());
  action("errors.try")->trigger();
  QVERIFY(idle());
  QVERIFY2(problem().contains("weights hold NaN"), qPrintable(problem()));
  qputenv("FATHOM_FAKE_SERVE", "good");
  std::filesystem::rename(m_run + "/checkpoints", m_run + "/elsewhere");
  action("errors.predict")->trigger();
  QVERIFY(idle());
  QVERIFY2(problem().contains("checkpoint"), qPrintable(problem()));
  std::filesystem::rename(m_run + "/elsewhere", m_run + "/checkpoints");
  action("errors.predict")->trigger();
  QVERIFY(predicted(1));
  QVERIFY(problem().isEmpty());
  std::filesystem::remove_all(m_run);
  action("errors.predict")->trigger();
  QVERIFY(idle());
  QVERIFY2(problem().contains("not there any more"), qPrintable(problem()));
  QCOMPARE(panel()->tries().size(), 1);
}

void TryPanelTest::predictionsOfFilesCannotBeTried() {
  QVERIFY(m_errors->loadSample());
  QVERIFY(!action("errors.try")->isEnabled());
  QVERIFY(!action("errors.ask")->isEnabled());
}

void TryPanelTest::serverEndsWithTheWindow() {
  QVERIFY(openRunPredictions());
  action("errors.try")->trigger();
  QVERIFY(predicted(1));
  const std::string where = socket();
  QVERIFY(ServeClient::connect(where).ok());
  m_errors->window()->close();
  m_errors.reset();
  QVERIFY(!ServeClient::connect(where).ok());
}

QTEST_MAIN(TryPanelTest)
#include "tst_try_panel.moc"
