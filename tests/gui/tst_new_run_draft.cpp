// SPDX-License-Identifier: Apache-2.0
#include <QApplication>
#include <QPointer>
#include <QPushButton>
#include <QTest>

#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "app/window/train/curve_stack.h"
#include "app/window/train/new_run_controller.h"
#include "app/window/train/train_workspace.h"
#include "core/library/queue/queue_folder.h"
#include "tests/gui/support_new_run_window.h"
#include "tests/gui/support_window_fixture.h"
#include "views/look/theme.h"
#include "views/panels/form/option_form.h"
#include "views/panels/train/grid_editor.h"
#include "views/panels/train/new_run_page.h"
#include "views/panels/train/run_details_panel.h"
#include "views/panels/widgets/message_bar.h"
#include "views/tables/run_table_model.h"

using namespace fathom;
using test::engineOfPresets;
using test::waitUntil;

// The draft of a new run outlives what happens around it: other languages, engines and projects, a closed
// window.
class NewRunDraftTest : public QObject, private test::NewRunWindow {
  Q_OBJECT
 private Q_SLOTS:
  void init() { startUp(); }
  void cleanup() { shutDown(); }
  void anotherLanguageKeepsTheWork();
  void anotherEngineKeepsTheForm();
  void silentEngineKeepsTheForm();
  void anotherProjectKeepsTheFormerForm();
  void closingTheWindowKeepsTheDraft();
  void closingKeepsAPresetThatWasOnlyChosen();
  void closingKeepsAClonedRun();
  void cloningTellsOfTheFormerDraft();
  void closingKeepsRowsOfAGrid();
  void closingKeepsNothingOfAnUntouchedForm();
};

void NewRunDraftTest::anotherLanguageKeepsTheWork() {
  QStringList runs;
  for (const char* run : {"one", "two", "three"})
    runs.append(QString::fromStdString(RunFolder(m_fixture->addRun(run)).identity()->uuid));
  TrainWorkspace* train = m_window->train();
  QVERIFY(waitUntil([&] { return train->runModel()->rowCount() == 3; }));
  m_window->selection()->set(Dimension::Run, {runs[0], runs[2]}, runs[2], nullptr);
  const QByteArray curves = R"({"axis":2,"band":"none","log_x":true,"metrics":["loss"],"scale":1,)"
                            R"("smoothing":0.5})";
  train->curves()->restoreView(curves);
  const QByteArray view = train->curves()->saveView();
  QTest::keyClicks(name(), "mine");
  clickPreset("mlm_quick");
  typeWidth("96");
  QTest::mouseClick(m_window->findChild<QPushButton*>("gridOver"), Qt::LeftButton);
  train->newRunPage()->gridEditor()->addAxis("model.width", "64, x");
  const auto rows = train->newRunPage()->gridEditor()->rows();
  const Json values = draft()->values().effective();
  QPointer<MainWindow> former = m_window;
  m_window->action("language.zh_CN")->trigger();
  QVERIFY(waitUntil([&] { return former.isNull(); }));
  for (QWidget* each : QApplication::topLevelWidgets())
    if (auto* window = qobject_cast<MainWindow*>(each)) m_window = window;
  QVERIFY(m_window != nullptr && m_window != former);
  train = m_window->train();
  QVERIFY(waitUntil([&] { return train->runModel()->rowCount() == 3; }));
  QCOMPARE(m_window->selection()->of(Dimension::Run).items, QStringList({runs[0], runs[2]}));
  QCOMPARE(m_window->selection()->current(Dimension::Run), runs[2]);
  QCOMPARE(train->curves()->saveView(), view);
  QVERIFY(train->newRunPage()->isVisible());
  QCOMPARE(name()->text(), QStringLiteral("mine"));
  QCOMPARE(marked(), QStringLiteral("mlm_quick"));
  QCOMPARE(QString::fromStdString(draft()->values().effective().dump()),
           QString::fromStdString(values.dump()));
  QVERIFY(draft()->changed("model.width"));
  const auto after = train->newRunPage()->gridEditor()->rows();
  QVERIFY(m_window->findChild<QPushButton*>("gridOver")->isChecked());
  QCOMPARE(after.size(), rows.size());
  for (int i = 0; i < rows.size(); ++i) {
    QCOMPARE(after[i].key, rows[i].key);
    QCOMPARE(after[i].values, rows[i].values);
  }
  m_window->action("language.en")->trigger();
}

// "Ask the engine again": what the new one has goes on, what it has not is told.
void NewRunDraftTest::anotherEngineKeepsTheForm() {
  QTest::keyClicks(name(), "mine");
  clickPreset("mlm_quick");
  typeWidth("x");
  m_window->train()->newRun()->setEngine(engineOfPresets());
  QCOMPARE(draft()->presetId(), QStringLiteral("mlm_quick"));
  QCOMPARE(draft()->text("model.width"), QStringLiteral("x"));
  QCOMPARE(name()->text(), QStringLiteral("mine"));
  m_window->train()->newRunPage()->form()->finishBuilding();
  typeWidth("96");
  QVERIFY(draft()->setText("data.train", "/mine/train.tsv"));
  QVERIFY(!draft()->setText("model.heads", "many"));
  EngineDescription engine = engineOfPresets();
  std::vector<OptionField> fields;
  for (const OptionField& field : engine.options.fields())
    if (field.key != "data.train") fields.push_back(field);
  engine.options = OptionSchema(std::move(fields), {});
  m_window->train()->newRun()->setEngine(engine);
  QCOMPARE(draft()->presetId(), QStringLiteral("mlm_quick"));
  QCOMPARE(draft()->values().integer("model.width"), 96);
  QCOMPARE(draft()->droppedKeys(), QStringList{"data.train"});
  QCOMPARE(draft()->text("model.heads"), QStringLiteral("many"));
  // Another preset still offers what was edited before the engine was another.
  QVERIFY(draft()->optionsEdited());
  QVERIFY(draft()->nameTyped());
  clickPreset("bert_base_pre_ln");
  QVERIFY(m_window->messages()->isVisible());
}

// The engine does not answer, then it does: the form is there again, also one that nobody edited.
void NewRunDraftTest::silentEngineKeepsTheForm() {
  clickPreset("mlm_quick");
  GridEditor* grid = m_window->train()->newRunPage()->gridEditor();
  grid->setRows({{"model.width", "64, 96"}});
  NewRunController* controller = m_window->train()->newRun();
  qputenv("FATHOM_FAKE_DESCRIBE", "exit3");
  for (int time = 0; time < 2; ++time) {
    controller->askEngine(true);
    QVERIFY(waitUntil([&] { return m_window->jobs()->count() == 0; }));
    QVERIFY(grid->rows().isEmpty());
  }
  qputenv("FATHOM_FAKE_DESCRIBE", "good");
  controller->setEngine(engineOfPresets());
  QCOMPARE(draft()->presetId(), QStringLiteral("mlm_quick"));
  QVERIFY(!draft()->optionsEdited());
  QCOMPARE(grid->rows().size(), 1);
  QCOMPARE(grid->rows().first().key, QStringLiteral("model.width"));
  QCOMPARE(grid->rows().first().values, QStringLiteral("64, 96"));
}

// The untouched form follows the project; the one that was left for it can still be brought back.
void NewRunDraftTest::anotherProjectKeepsTheFormerForm() {
  typeWidth("96");
  clickPreset("bert_base_pre_ln");
  clickPreset("sample_small");
  const QString other = m_fixture->project() + QStringLiteral("2");
  m_window->openProject(other, true);
  QVERIFY(waitUntil([&] { return draft()->text("data.train").startsWith(other); }));
  QCOMPARE(draft()->undoStack()->count(), 2);
  m_window->action("run.new")->trigger();
  name()->setFocus();
  m_window->action("edit.undo")->trigger();
  QCOMPARE(draft()->values().integer("model.width"), 96);
}

// Name, options and grid of a run that nobody has started are there when the window comes back.
void NewRunDraftTest::closingTheWindowKeepsTheDraft() {
  clickPreset("mlm_quick");
  name()->setFocus();
  QTest::keyClicks(name(), "mine");
  typeWidth("96");
  NewRunPage* page = m_window->train()->newRunPage();
  page->setGridShown(true);
  const QVector<GridEditor::RowText> rows = {{QStringLiteral("model.width"), QStringLiteral("32, 64")}};
  page->gridEditor()->setRows(rows);
  openAgain();
  QCOMPARE(draft()->presetId(), QStringLiteral("mlm_quick"));
  QCOMPARE(marked(), QStringLiteral("mlm_quick"));
  QCOMPARE(name()->text(), QStringLiteral("mine"));
  QCOMPARE(draft()->text("model.width"), QStringLiteral("96"));
  QVERIFY(m_window->train()->newRunPage()->gridShown());
  QCOMPARE(m_window->train()->newRunPage()->gridEditor()->rows(), rows);
}

// Nothing is edited: another preset takes its place without an offer to undo, as when it was chosen.
void NewRunDraftTest::closingKeepsAPresetThatWasOnlyChosen() {
  clickPreset("sample_deep");
  for (int times = 0; times < 2; ++times) {
    openAgain();
    QCOMPARE(draft()->presetId(), QStringLiteral("sample_deep"));
    QCOMPARE(marked(), QStringLiteral("sample_deep"));
    QVERIFY(name()->text().isEmpty());
    QVERIFY(!draft()->optionsEdited());
  }
}

void NewRunDraftTest::closingKeepsAClonedRun() {
  RunItem run;
  run.name = QStringLiteral("one");
  run.preset = QStringLiteral("sample_small");
  run.config = Json{{"model.width", 24}, {"seed", 7}};
  m_window->train()->newRun()->cloneRun(run);
  QCOMPARE(draft()->text("model.width"), QStringLiteral("24"));
  openAgain();
  QCOMPARE(draft()->presetId(), QStringLiteral("sample_small"));
  QCOMPARE(name()->text(), QStringLiteral("one copy"));
  QCOMPARE(draft()->text("model.width"), QStringLiteral("24"));
  QCOMPARE(draft()->text("seed"), QStringLiteral("7"));
  QVERIFY(draft()->changed("model.width"));
}

// From the curves: what is said, with the way back, belongs to the form that is shown now.
void NewRunDraftTest::cloningTellsOfTheFormerDraft() {
  clickPreset("mlm_quick");
  typeWidth("96");
  const QString run = QString::fromStdString(RunFolder(m_fixture->addRun("one")).identity()->uuid);
  TrainWorkspace* train = m_window->train();
  QVERIFY(waitUntil([&] { return train->runModel()->rowCount() == 1; }));
  train->showCurves();
  m_window->selection()->set(Dimension::Run, {run}, run, nullptr);
  QVERIFY(waitUntil([&] { return m_window->action("run.clone")->isEnabled(); }));
  m_window->action("run.clone")->trigger();
  QVERIFY(train->newRunPage()->isVisible());
  QVERIFY2(m_window->messages()->currentText().contains("is gone"),
           qPrintable(m_window->messages()->currentText()));
  QPushButton* back = nullptr;
  for (auto* button : m_window->messages()->findChildren<QPushButton*>())
    if (button->isVisible()) back = button;
  QVERIFY(back != nullptr);
  QTest::mouseClick(back, Qt::LeftButton);
  QCOMPARE(draft()->text("model.width"), QStringLiteral("96"));
}

// Also while they are folded away.
void NewRunDraftTest::closingKeepsRowsOfAGrid() {
  m_window->train()->newRunPage()->setGridShown(true);
  const QVector<GridEditor::RowText> rows = {{QStringLiteral("model.width"), QStringLiteral("32, 64, x")}};
  m_window->train()->newRunPage()->gridEditor()->setRows(rows);
  m_window->train()->newRunPage()->setGridShown(false);
  openAgain();
  QCOMPARE(m_window->train()->newRunPage()->gridEditor()->rows(), rows);
  QVERIFY(!m_window->train()->newRunPage()->gridShown());
  m_window->train()->newRunPage()->setGridShown(true);
  openAgain();
  QCOMPARE(m_window->train()->newRunPage()->gridEditor()->rows(), rows);
  QVERIFY(m_window->train()->newRunPage()->gridShown());
}

void NewRunDraftTest::closingKeepsNothingOfAnUntouchedForm() {
  QVERIFY(m_window->train()->newRun()->draftState().is_null());
  openAgain();
  QCOMPARE(marked(), QStringLiteral("sample_small"));
}

QTEST_MAIN(NewRunDraftTest)
#include "tst_new_run_draft.moc"
