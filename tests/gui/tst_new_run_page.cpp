// SPDX-License-Identifier: Apache-2.0
#include <QApplication>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <QTimer>
#include <QToolButton>
#include <set>

#include "app/runs/training_grid.h"
#include "app/window/main/main_window.h"
#include "app/window/train/curve_stack.h"
#include "app/window/train/new_run_controller.h"
#include "app/window/train/train_workspace.h"
#include "core/base/files/atomic_file.h"
#include "core/library/queue/queue_folder.h"
#include "core/library/records/project_library.h"
#include "core/record/presets.h"
#include "tests/gui/support_new_run_window.h"
#include "tests/gui/support_window_fixture.h"
#include "views/figure/figure_colours.h"
#include "views/look/theme.h"
#include "views/panels/form/option_form.h"
#include "views/panels/train/grid_editor.h"
#include "views/panels/train/new_run_page.h"
#include "views/panels/train/run_details_panel.h"
#include "views/panels/train/trainability_view.h"
#include "views/panels/widgets/message_bar.h"
#include "views/tables/run_table_model.h"

using namespace fathom;
using test::engineOfPresets;
using test::waitUntil;

// The page of a new run with its presets: what was typed is never lost.
class NewRunPageTest : public QObject, private test::NewRunWindow {
  Q_OBJECT
 private Q_SLOTS:
  void init() { startUp(); }
  void cleanup() { shutDown(); }
  void anotherPresetCanBeUndone();
  void presetsInARowAreOneStep();
  void verdictGoesWithItsPreset();
  void untouchedFormOffersNothing();
  void arrowKeysChoosePresets();
  void seedsEndTheNamesOfAGrid();
  void aPresetMayBeAGrid();
  void errorGoesWithItsAction();
  void errorWaitsForItsWorkspace();
  void hiddenPagesTakeTheTheme();
  void filesAreChosen();
};

void NewRunPageTest::anotherPresetCanBeUndone() {
  QTest::keyClicks(name(), "mine");
  typeWidth("96");
  clickPreset("bert_base_pre_ln");
  QCOMPARE(draft()->presetId(), QStringLiteral("bert_base_pre_ln"));
  QCOMPARE(name()->text(), QStringLiteral("mine"));
  QCOMPARE(draft()->values().integer("model.width"), 768);
  MessageBar* messages = m_window->messages();
  QVERIFY(messages->isVisible());
  auto* undo = messages->findChild<QPushButton*>();
  QCOMPARE(undo->text(), QStringLiteral("Undo"));
  typeWidth("100");
  QTest::mouseClick(undo, Qt::LeftButton);
  QCOMPARE(draft()->presetId(), QStringLiteral("sample_small"));
  QCOMPARE(marked(), QStringLiteral("sample_small"));
  QCOMPARE(draft()->values().integer("model.width"), 96);
  QVERIFY(draft()->changed("model.width"));
  QCOMPARE(name()->text(), QStringLiteral("mine"));
  QVERIFY(!messages->isVisible());
  // And what Ctrl+Z undoes after it is the typing.
  m_window->action("edit.undo")->trigger();
  QCOMPARE(draft()->values().integer("model.width"), 64);
}

// What was said of one configuration stays until it changes, not under another preset.
void NewRunPageTest::verdictGoesWithItsPreset() {
  TrainabilityView* view = m_window->train()->newRunPage()->trainability();
  view->showReport({{"verdict", "trainable"}, {"checks", Json::array()}, {"stacks", Json::array()}});
  view->show();
  QVERIFY(view->isVisible());
  clickPreset("bert_base_pre_ln");
  QVERIFY(!view->isVisible());
}

// The folder beside a path asks for a file, which becomes the value in one step.
void NewRunPageTest::filesAreChosen() {
  const QString file = m_fixture->project() + QStringLiteral("/pairs.tsv");
  QVERIFY(writeFileAtomically(file.toStdString(), "a\tb\n").ok());
  QToolButton* folder = nullptr;
  for (auto* button : m_window->train()->newRunPage()->form()->findChildren<QToolButton*>())
    if (button->accessibleName() == QStringLiteral("Choose a file for data.train")) folder = button;
  QVERIFY(folder != nullptr);
  bool asked = false;
  QTimer::singleShot(0, m_window, [&asked, &file] {
    auto* files = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
    asked = files != nullptr;
    if (!asked) return;
    auto* chosen = files->findChild<QLineEdit*>();
    chosen->setText(file);
    QTest::keyClick(chosen, Qt::Key_Return);
  });
  const QString before = draft()->text("data.train");
  folder->click();
  QVERIFY(asked);
  QCOMPARE(draft()->text("data.train"), file);
  m_window->action("edit.undo")->trigger();
  QCOMPARE(draft()->text("data.train"), before);
}

void NewRunPageTest::presetsInARowAreOneStep() {
  typeWidth("96");
  clickPreset("bert_base_pre_ln");
  clickPreset("mlm_quick");
  QCOMPARE(m_window->messages()->count(), 1);
  name()->setFocus();
  m_window->action("edit.undo")->trigger();
  QCOMPARE(marked(), QStringLiteral("sample_small"));
  QCOMPARE(draft()->values().integer("model.width"), 96);
  QVERIFY(!m_window->messages()->isVisible());
  m_window->action("edit.redo")->trigger();
  QCOMPARE(draft()->presetId(), QStringLiteral("mlm_quick"));
  // A text that is no value is an edit, too.
  typeWidth("x");
  clickPreset("bert_base_pre_ln");
  QVERIFY(draft()->acceptable());
  m_window->action("edit.undo")->trigger();
  QCOMPARE(draft()->text("model.width"), QStringLiteral("x"));
  QVERIFY(!draft()->acceptable());
}

void NewRunPageTest::untouchedFormOffersNothing() {
  clickPreset("bert_base_pre_ln");
  QCOMPARE(draft()->presetId(), QStringLiteral("bert_base_pre_ln"));
  QVERIFY(!m_window->messages()->isVisible());
}

// What is marked is what the form shows, by keys as by mouse.
void NewRunPageTest::arrowKeysChoosePresets() {
  typeWidth("96");
  list()->setFocus();
  for (const Qt::Key key : {Qt::Key_Down, Qt::Key_Down, Qt::Key_Up, Qt::Key_Home, Qt::Key_End}) {
    QTest::keyClick(list(), key);
    QCOMPARE(draft()->presetId(), marked());
    QVERIFY(!draft()->optionsEdited());
  }
  QCOMPARE(list()->currentRow(), list()->count() - 1);
  QVERIFY(list()->hasFocus());
  QCOMPARE(m_window->messages()->count(), 1);
  QTest::mouseClick(m_window->messages()->findChild<QPushButton*>(), Qt::LeftButton);
  QCOMPARE(marked(), QStringLiteral("sample_small"));
  QCOMPARE(draft()->values().integer("model.width"), 96);
  // A click on the preset that the form shows already changes nothing.
  clickPreset("sample_small");
  QCOMPARE(draft()->values().integer("model.width"), 96);
}

// The window is made anew, with everything that was in it.
// Narrow columns show the beginning and the end of a name.
void NewRunPageTest::seedsEndTheNamesOfAGrid() {
  QCOMPARE(gridRunName(QStringLiteral("mini"), {{"seed", "2"}, {"encoder.residual", "admin"}}),
           QStringLiteral("mini · residual admin · seed 2"));
}

// Its axes come along and go again; settings are chosen by their names; what is queued is the whole grid.
void NewRunPageTest::aPresetMayBeAGrid() {
  NewRunPage* page = m_window->train()->newRunPage();
  GridEditor* editor = page->gridEditor();
  const auto before = editor->rows();
  QVERIFY(!page->gridShown());
  clickPreset("sql_sp_depth");
  QVERIFY(page->gridShown());
  QCOMPARE(editor->rows().size(), 3);
  QCOMPARE(editor->rows()[0].key, QStringLiteral("scheme"));
  QCOMPARE(editor->rows()[0].values, QStringLiteral("Standard, Pre-LN, T-Fixup*, DT-Fixup"));
  QCOMPARE(editor->combinations(), 24);
  QLineEdit* values = nullptr;  // of the first row; rows that were taken away may not be gone yet
  for (auto* line : editor->findChildren<QLineEdit*>("values"))
    if (values == nullptr && line->isVisible()) values = line;
  QVERIFY(values != nullptr);
  values->selectAll();
  QTest::keyClicks(values, "dt-fixup, Sideways");
  QCOMPARE(editor->combinations(), 0);
  values->selectAll();
  QTest::keyClicks(values, "dt-fixup, standard");
  QCOMPARE(editor->combinations(), 12);
  const auto points = expandGrid(editor->axes()).value();
  QCOMPARE(points[0].options[0], (std::pair<std::string, Json>("extra.residual", "unnormalised")));
  // Another preset has no such axis; back, and what was written is there again.
  clickPreset("sample_small");
  QVERIFY(!page->gridShown());
  QCOMPARE(editor->rows(), before);
  clickPreset("sql_sp_depth");
  QCOMPARE(draft()->presetId(), QStringLiteral("sql_sp_depth"));
  QCOMPARE(editor->combinations(), 12);
  QVERIFY(page->gridShown());
  const std::string data = m_fixture->project().toStdString() + "/train.tsv";
  QVERIFY(writeFileAtomically(data, "a\tb\n").ok());
  QVERIFY(draft()->setValue("data.train", data));
  QueueSettings paused;
  paused.paused = true;
  QVERIFY(QueueFolder(m_fixture->project().toStdString()).setSettings(paused).ok());
  QVERIFY(test::settled(m_window));
  QTest::mouseClick(editor->findChild<QPushButton*>("launchGrid"), Qt::LeftButton);
  const auto library = ProjectLibrary::open(m_fixture->project().toStdString()).value();
  QVERIFY(waitUntil([&] { return !library->grids().value().empty(); }));
  const GridRecord grid = library->grids().value().front();
  QCOMPARE(grid.runs.size(), std::size_t{12});
  QCOMPARE(presetOfGrid(grid), std::string("sql_sp_depth"));
  QCOMPARE(gridAxesFromJson(grid.axes)[0].title, std::string("Scheme"));
  std::set<std::string> schemes, names;
  for (const QueueEntry& entry : QueueFolder(m_fixture->project().toStdString()).entries().value()) {
    schemes.insert(entry.config["options"]["extra.residual"].get<std::string>() + " " +
                   entry.config["options"]["init"].get<std::string>());
    names.insert(entry.config["name"].get<std::string>());
  }
  QCOMPARE(schemes, (std::set<std::string>{"post_ln xavier", "unnormalised dt_fixup"}));
  QVERIFY(names.contains("sql_sp_depth · DT-Fixup · layers 16 · seed 2"));
}

// An error is about the last attempt, and about the page it was made on.
void NewRunPageTest::errorGoesWithItsAction() {
  MessageBar* messages = m_window->messages();
  const auto train = m_window->findChild<QPushButton*>("trainNow");
  const auto refused = [&] {
    QTest::mouseClick(train, Qt::LeftButton);
    return waitUntil([&] { return m_window->jobs()->count() == 0; }) && messages->count() == 1;
  };
  auto* file = m_window->findChild<QLineEdit*>("data.train");
  file->setFocus();
  QTest::keyClicks(file, "/nowhere/one");
  QVERIFY(refused());
  const QString first = messages->currentText();
  QTest::keyClicks(file, "/two");
  QVERIFY(refused());  // in place of the former one
  QVERIFY(messages->currentText() != first);
  messages->showNote(QStringLiteral("of the page"), QStringLiteral("Undo"), [] {});
  messages->showError(QStringLiteral("of the window"));
  m_window->action("view.figures")->trigger();
  QCOMPARE(messages->count(), 1);
  QCOMPARE(messages->currentText(), QStringLiteral("of the window"));
  messages->closeCurrent();
  // What is tried again has not failed yet.
  messages->showError(usageError("no"), QStringLiteral("sample"));
  messages->showError(usageError("other"), QStringLiteral("figures"));
  m_window->jobs()->start<int>(
      {}, QStringLiteral("sample"), [](Progress&, const StopToken&) -> Result<int> { return 1; },
      [](const Result<int>&) {});
  QCOMPARE(messages->count(), 1);
  QCOMPARE(messages->currentText(), QStringLiteral("other"));
}

// What fails while another workspace is shown is not lost on the way back to its own.
void NewRunPageTest::errorWaitsForItsWorkspace() {
  MessageBar* messages = m_window->messages();
  const auto fail = [&](const char* origin) {
    m_window->jobs()->start<int>(
        {}, QString::fromLatin1(origin),
        [](Progress&, const StopToken&) -> Result<int> { return usageError("no"); },
        [messages, origin](const Result<int>& result) {
          messages->showError(result.error(), QString::fromLatin1(origin));
        });
  };
  m_window->action("view.figures")->trigger();
  fail("compute");
  m_window->action("view.train")->trigger();
  QVERIFY(waitUntil([&] { return messages->count() == 1; }));
  m_window->action("view.errors")->trigger();
  QCOMPARE(messages->count(), 1);
  m_window->action("view.figures")->trigger();
  QCOMPARE(messages->count(), 1);
  m_window->action("view.train")->trigger();
  QCOMPARE(messages->count(), 0);
}

// Colours of texts are those of the theme, whether or not their page was in sight when it changed.
void NewRunPageTest::hiddenPagesTakeTheTheme() {
  m_fixture->addRun("one");
  // The window may read the folder while it is being written: then the run is not over yet, or looks crashed.
  QVERIFY(waitUntil([&] {
    const auto& runs = m_window->train()->runModel()->runs();
    return !m_window->train()->details()->currentRun().isEmpty() && runs.size() == 1 &&
           runs.first().state == RunState::Finished;
  }));
  const auto colours = [&] {
    QVector<QPair<QString, QColor>> all;
    for (QWidget* part : {static_cast<QWidget*>(m_window->train()->newRunPage()),
                          static_cast<QWidget*>(m_window->train()->details())})
      for (const QLabel* label : part->findChildren<QLabel*>())
        all.append({label->objectName() + u' ' + QLatin1String(label->parent()->metaObject()->className()) +
                        u' ' + label->text(),
                    label->palette().color(QPalette::WindowText)});
    return all;
  };
  const auto light = colours();
  for (const char* id : {"view.train", "run.new"}) {
    m_window->action("theme.light")->trigger();
    m_window->action(id)->trigger();
    m_window->action("theme.dark")->trigger();
    const auto dark = colours();
    QCOMPARE(dark.size(), light.size());
    for (const auto& [text, colour] : dark)
      QVERIFY2(contrastRatio(colour, Theme::darkTheme().panel) >= 3, qPrintable(text));
  }
  const auto* state = m_window->train()->details()->findChild<QLabel*>("detailsState");
  QCOMPARE(state->palette().color(QPalette::WindowText), Theme::darkTheme().finished);
  m_window->action("theme.light")->trigger();
  const auto after = colours();
  QCOMPARE(after.size(), light.size());
  for (int i = 0; i < light.size(); ++i)
    QVERIFY2(after[i].second == light[i].second, qPrintable(light[i].first + u'/' + after[i].first));
}

QTEST_MAIN(NewRunPageTest)
#include "tst_new_run_page.moc"
