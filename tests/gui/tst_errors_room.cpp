// SPDX-License-Identifier: Apache-2.0
// Both queries have the room in Errors: what stands around them folds, by click and key, and stays folded.
#include <QAction>
#include <QFile>
#include <QHeaderView>
#include <QLineEdit>
#include <QScrollBar>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include "core/review/reviewed_sql.h"
#include "tests/gui/support_errors_window.h"
#include "views/panels/errors/example_panel.h"
#include "views/panels/errors/facet_panel.h"
#include "views/panels/errors/judgement_bar.h"
#include "views/panels/errors/note_lines.h"
#include "views/panels/errors/prediction_panel.h"
#include "views/panels/errors/sql_editor.h"

using namespace fathom;
using test::settled;

namespace {

// A query of Spider's dev set, and what a model made of it.
constexpr const char* kLongGold =
    "SELECT DISTINCT T2.Model FROM CAR_NAMES AS T1 JOIN MODEL_LIST AS T2 ON T1.Model = T2.Model JOIN "
    "CAR_MAKERS AS T3 ON T2.Maker = T3.Id JOIN CARS_DATA AS T4 ON T1.MakeId = T4.Id WHERE T3.FullName = "
    "'General Motors' OR T4.weight > 3500";
constexpr const char* kLongPrediction =
    "SELECT DISTINCT T1.Model FROM CAR_NAMES AS T1 JOIN CARS_DATA AS T2 ON T1.MakeId = T2.Id WHERE T2.weight "
    "> 3500 UNION SELECT T3.Model FROM MODEL_LIST AS T3 JOIN CAR_MAKERS AS T4 ON T3.Maker = T4.Id WHERE "
    "T4.FullName = 'General Motors' ORDER BY T3.Model DESC LIMIT 3";
constexpr const char* kCars = R"([{"db_id": "car_1",
  "table_names": ["car makers", "model list", "car names", "cars data"],
  "table_names_original": ["car_makers", "model_list", "car_names", "cars_data"],
  "column_names": [[-1, "*"], [0, "id"], [0, "full name"], [1, "maker"], [1, "model"], [2, "make id"],
                   [2, "model"], [3, "id"], [3, "weight"]],
  "column_names_original": [[-1, "*"], [0, "Id"], [0, "FullName"], [1, "Maker"], [1, "Model"],
                            [2, "MakeId"], [2, "Model"], [3, "Id"], [3, "Weight"]],
  "column_types": ["text", "number", "text", "number", "text", "number", "text", "number", "number"],
  "primary_keys": [1, 5, 7], "foreign_keys": []}])";

}  // namespace

class ErrorsRoomTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { m_errors = std::make_unique<test::ErrorsWindow>(); }
  void cleanup() { m_errors.reset(); }
  void longQueriesAreReadAtOnce();
  void everyExampleGivesTheQueriesTheLargerPart();
  void whatIsSaidFolds();
  void facetsFoldByAKey();

 private:
  ErrorsWorkspace* errors() const { return m_errors->errors(); }
  ExamplePanel* example() const { return errors()->sqlPage()->example(); }
  SqlEditor* editor(const char* name) const { return example()->findChild<SqlEditor*>(QLatin1String(name)); }
  bool open() {
    if (!m_errors->loadSample()) return false;
    m_errors->window()->resize(1280, 800);
    return settled(m_errors->window());
  }
  // One that stands beside the heading.
  QToolButton* button(const char* action) const {
    for (auto* each : example()->findChildren<QToolButton*>())
      if (each->defaultAction() == m_errors->window()->action(QLatin1String(action))) return each;
    return nullptr;
  }
  // Pixels that the two have below the question, and what they leave.
  int sqlHeight() const { return editor("goldSql")->height(); }
  int restHeight() const { return example()->tabs()->isVisible() ? example()->tabs()->height() : 0; }
  std::unique_ptr<test::ErrorsWindow> m_errors;
};

void ErrorsRoomTest::longQueriesAreReadAtOnce() {
  QVERIFY(open());
  QTemporaryDir folder;
  const auto write = [&folder](const char* name, const QByteArray& text) {
    QFile file(folder.filePath(QLatin1String(name)));
    return file.open(QFile::WriteOnly) && file.write(text) == text.size() ? file.fileName().toStdString()
                                                                          : std::string();
  };
  ReviewSources sources;
  sources.kind = kSqlReviewId;
  sources.gold = write("gold.sql", QByteArray(kLongGold) + "\tcar_1\n");
  sources.files["tables"] = write("tables.json", kCars);
  sources.predictions = {{"long", write("long.sql", QByteArray(kLongPrediction) + "\n"), {}}};
  QVERIFY(errors()->sqlPage()->review()->review().sources.files.count("tables") == 1);
  errors()->open(sources);
  QVERIFY(test::waitUntil([this] { return m_errors->review()->examples() == 1; }));
  QVERIFY(settled(m_errors->window()));
  QCOMPARE(m_errors->window()->size(), QSize(1280, 800));
  for (const char* name : {"goldSql", "predictedSql"}) {
    SqlEditor* shown = editor(name);
    QVERIFY2(shown->isVisible() && shown->lines() > 3, name);  // a line for each clause
    // Sideways: every line is as wide as there is room, and none is moved.
    QVERIFY2(!shown->horizontalScrollBar()->isVisible(), name);
    QCOMPARE(shown->SendScintilla(QsciScintilla::SCI_GETXOFFSET), 0L);
    const int letter = int(shown->SendScintilla(QsciScintilla::SCI_TEXTWIDTH, 0UL, "m"));
    QVERIFY2(shown->viewport()->width() >= 36 * letter, qPrintable(QString::number(shown->width())));
    // And downwards: both are whole.
    QVERIFY2(shown->naturalHeight() <= shown->height(),
             qPrintable(QStringLiteral("%1 of %2").arg(shown->height()).arg(shown->naturalHeight())));
  }
  QVERIFY(editor("goldSql")->sql().contains("General Motors"));
  QVERIFY(editor("predictedSql")->sql().contains("UNION"));
}

void ErrorsRoomTest::everyExampleGivesTheQueriesTheLargerPart() {
  QVERIFY(open());
  for (int i = 0; i < 8; ++i) {
    test::ErrorsWindow::press(Qt::Key_N);
    QVERIFY(settled(m_errors->window()));
    const QWidget* both = editor("goldSql")->parentWidget()->parentWidget();
    QVERIFY2(both->parentWidget()->height() > restHeight(), qPrintable(QString::number(restHeight())));
    // Beside the list they have the width of the window, too.
    QVERIFY(editor("goldSql")->width() + editor("predictedSql")->width() > 640);
  }
}

void ErrorsRoomTest::whatIsSaidFolds() {
  QVERIFY(open());
  const int before = sqlHeight();
  QVERIFY(restHeight() > 0);
  QToolButton* fold = button("errors.alone");
  QVERIFY(fold != nullptr && fold->isVisible() && !fold->isChecked());
  const QRect place(fold->mapToGlobal(QPoint()), fold->size());
  QTest::mouseClick(fold, Qt::LeftButton);
  QVERIFY(settled(m_errors->window()));
  QCOMPARE(restHeight(), 0);
  QVERIFY(sqlHeight() >= before + 100);
  QVERIFY(fold->isChecked());
  QCOMPARE(QRect(fold->mapToGlobal(QPoint()), fold->size()), place);
  QVERIFY(example()->judgementBar()->isVisible() && example()->notes()->isVisible());
  // Another example changes nothing of it; the key unfolds and folds.
  errors()->sqlPage()->predictions()->table()->setFocus();
  test::ErrorsWindow::press(Qt::Key_N);
  QCOMPARE(restHeight(), 0);
  test::ErrorsWindow::press(Qt::Key_S);
  QVERIFY(settled(m_errors->window()));
  QVERIFY(restHeight() > 0 && !fold->isChecked());
  test::ErrorsWindow::press(Qt::Key_S);
  QVERIFY(settled(m_errors->window()));
  QCOMPARE(restHeight(), 0);
  // A letter that is typed is a letter.
  QLineEdit* filter = errors()->sqlPage()->predictions()->filterBox();
  filter->setFocus();
  QTest::keyClicks(filter, "sf");
  QCOMPARE(filter->text(), QStringLiteral("sf"));
  QVERIFY(fold->isChecked());
  filter->clear();
  QVERIFY(m_errors->restart());
  QVERIFY(settled(m_errors->window()));
  QVERIFY(example()->alone() && restHeight() == 0);
  QVERIFY(button("errors.alone")->isChecked());
}

void ErrorsRoomTest::facetsFoldByAKey() {
  QVERIFY(open());
  FacetPanel* facets = errors()->sqlPage()->predictions()->facets();
  const QAction* action = m_errors->window()->action("errors.facets");
  QVERIFY(!facets->isVisible() && !action->isChecked());
  errors()->sqlPage()->predictions()->table()->setFocus();
  test::ErrorsWindow::press(Qt::Key_F);
  QVERIFY(facets->isVisible() && action->isChecked());
  QTest::mouseClick(errors()->sqlPage()->predictions()->facetButton(), Qt::LeftButton);
  QVERIFY(!facets->isVisible() && !action->isChecked());
  errors()->sqlPage()->predictions()->table()->setFocus();
  test::ErrorsWindow::press(Qt::Key_F);
  QVERIFY(facets->isVisible());
  test::ErrorsWindow::press(Qt::Key_F);
  QVERIFY(!facets->isVisible() && !action->isChecked());
}

QTEST_MAIN(ErrorsRoomTest)
#include "tst_errors_room.moc"
