// SPDX-License-Identifier: Apache-2.0
// ctest: engine
// The seam of a task in the window: a task that is added by list lines alone (tests/fakes/majority) has a
// form, a data page with pictures, a check, a training with curves and a grid; predictions of one whose task
// declares a review (tests/fakes/made_sql) open from the run.
#include <QAction>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QSet>
#include <QTableView>
#include <QTest>
#include <QToolBar>
#include <QTreeWidget>
#include <algorithm>

#include "app/pictures/screenshot_stage.h"
#include "app/window/errors/errors_workspace.h"
#include "app/window/errors/sql_review_page.h"
#include "app/window/errors/text_review_page.h"
#include "app/window/main/main_window.h"
#include "app/window/main/sample_steps.h"
#include "app/window/main/window_host.h"
#include "app/window/session/session_store.h"
#include "app/window/train/new_run_controller.h"
#include "app/window/train/run_actions.h"
#include "app/window/train/train_workspace.h"
#include "core/analysis/training/run_grid.h"
#include "core/record/results/prediction_set.h"
#include "core/record/runs/run_config.h"
#include "core/spider/data/made_spider.h"
#include "core/tasks/task.h"
#include "tests/gui/support_window_fixture.h"
#include "views/panels/data/data_page.h"
#include "views/panels/data/length_histogram.h"
#include "views/panels/errors/comparison_panel.h"
#include "views/panels/errors/open_page.h"
#include "views/panels/errors/prediction_panel.h"
#include "views/panels/form/experiment_draft.h"
#include "views/panels/form/option_form.h"
#include "views/panels/form/option_row.h"
#include "views/panels/train/new_run_page.h"
#include "views/panels/train/trainability_view.h"
#include "views/panels/widgets/step_strip.h"
#include "views/tables/log_model.h"
#include "views/tables/run_table_model.h"
#include "views/tables/sql_predictions.h"

using namespace fathom;

namespace {

// Trainings and engines that start take longer than the other tests wait.
bool waitLong(const std::function<bool()>& ready) {
  QElapsedTimer clock;
  clock.start();
  while (!ready() && clock.elapsed() < 240000) QTest::qWait(50);  // a whole training
  return ready();
}

const std::pair<const char*, const char*> kOptions[] = {{"task", "majority"},
                                                        {"model", "bert"},
                                                        {"model.bert.head", "classification"},
                                                        {"model.bert.classes", "3"},
                                                        {"model.bert.max_positions", "16"},
                                                        {"model.width", "32"},
                                                        {"model.heads", "2"},
                                                        {"model.feed_forward", "64"},
                                                        {"encoder.layers", "1"},
                                                        {"lr_schedule", "linear"},
                                                        {"lr_schedule.rate", "0.003"},
                                                        {"lr_schedule.warmup", "10"},
                                                        {"training.length", "20u"},
                                                        {"validation.interval", "10u"},
                                                        {"validation.score_interval", "10u"},
                                                        {"checkpoint.interval", "20u"},
                                                        {"device", "cpu"},
                                                        {"threads", "1"}};

}  // namespace

class TaskWindowTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void cleanupTestCase();
  void formHasItsOptions();
  void dataPageShowsItsStatistics();
  void trainabilityIsChecked();
  void trainingShowsItsMetrics();
  void gridIsOneObject();
  void reviewOpensFromTheRun();
  void reviewWithoutPredictionsSaysSo();
  void essentialsAreOneScreen();
  void aWorkspaceIsAListLine();
  void aSetOfPanelsIsAListLine();

 private:
  const RunItem* run(const QString& name) const {
    for (const RunItem& item : m_window->train()->runModel()->runs())
      if (item.name == name) return &item;
    return nullptr;
  }
  void select(const QString& uuid) { m_window->selection()->set(Dimension::Run, {uuid}, uuid, nullptr); }
  bool finished(const QString& name) const {
    const RunItem* item = run(name);
    return item != nullptr && item->state == RunState::Finished;
  }
  std::string addSqlRun(const char* name, const std::string& gold) const;
  std::unique_ptr<test::WindowFixture> m_fixture;
  std::unique_ptr<WindowHost> m_host;
  MainWindow* m_window = nullptr;
};

void TaskWindowTest::initTestCase() {
  const QString engine = QStringLiteral(FATHOM_BIN_DIR "/../made/fathom-engine");
  QVERIFY2(QFile::exists(engine), qPrintable(engine));
  m_fixture = std::make_unique<test::WindowFixture>();
  qputenv("FATHOM_ENGINE", engine.toUtf8());
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
  m_window = m_host->openWindow(m_fixture->project());
  QVERIFY(QTest::qWaitForWindowActive(m_window));
  QVERIFY(waitLong([&] { return m_window->service()->isReady() && m_window->train()->engine() != nullptr; }));
}

void TaskWindowTest::cleanupTestCase() {
  m_host.reset();
  m_fixture.reset();
}

void TaskWindowTest::formHasItsOptions() {
  m_window->train()->showNewRun();
  ExperimentDraft* draft = m_window->train()->newRun()->draft();
  QVERIFY(draft != nullptr);
  for (const auto& [key, value] : kOptions)
    QVERIFY2(draft->setText(QLatin1String(key), QLatin1String(value)), key);
  QVERIFY(draft->values().active("majority.letters"));
  QVERIFY(!draft->values().active("data.train"));
  QVERIFY2(draft->values().check().ok(), draft->values().check().ok() ? "" : "refused");
  // A rule of its objective.
  QVERIFY(draft->setText("majority.letters", "7"));
  QVERIFY(!draft->values().check().ok());
  QVERIFY(draft->setText("majority.letters", "3"));
}

void TaskWindowTest::dataPageShowsItsStatistics() {
  m_window->train()->showData();
  auto* page = m_window->findChild<DataPage*>();
  QVERIFY(page != nullptr);
  m_window->train()->newRun()->readData();
  auto* tree = page->findChild<QTreeWidget*>();
  QVERIFY(waitLong([&] { return tree->topLevelItemCount() > 0; }));
  QStringList rows;
  for (int i = 0; i < tree->topLevelItemCount(); ++i) rows.append(tree->topLevelItem(i)->text(0));
  QCOMPARE(rows, QStringList({QStringLiteral("Made words"), QStringLiteral("Mean letters of a word")}));
  QCOMPARE(tree->topLevelItem(0)->text(1), QStringLiteral("256"));
  QCOMPARE(tree->topLevelItem(0)->text(2), QStringLiteral("32"));
  QVector<LengthHistogram*> shown;
  for (LengthHistogram* plot : page->findChildren<LengthHistogram*>())
    if (plot->isVisible()) shown.append(plot);
  QCOMPARE(shown.size(), 2);
  QCOMPARE(shown[0]->accessibleName(), QStringLiteral("Letters of a word"));
  QCOMPARE(shown[1]->accessibleName(), QStringLiteral("Majorities"));
  const QString counts = shown[1]->accessibleDescription();
  QCOMPARE(counts.count(QLatin1Char('\n')), 2);
  QVERIFY2(counts.startsWith(QLatin1String("a: ")), qPrintable(counts));
  // There is something in the picture.
  const QImage picture = shown[1]->grab().toImage();
  QSet<QRgb> colours;
  for (int x = 0; x < picture.width(); x += 3)
    for (int y = 0; y < picture.height(); y += 3) colours.insert(picture.pixel(x, y));
  QVERIFY(colours.size() > 2);
  const QAbstractItemModel* examples = page->findChild<QTableView*>()->model();
  QCOMPARE(examples->headerData(2, Qt::Horizontal).toString(), QStringLiteral("Word"));
  QCOMPARE(examples->headerData(3, Qt::Horizontal).toString(), QStringLiteral("Majority"));
  QVERIFY(examples->rowCount() > 200);
}

void TaskWindowTest::trainabilityIsChecked() {
  m_window->train()->showNewRun();
  m_window->train()->newRun()->checkTrainability();
  TrainabilityView* view = m_window->train()->newRunPage()->trainability();
  QVERIFY(view != nullptr);
  const auto* verdict = view->findChild<QLabel*>(QStringLiteral("trainabilityVerdict"));
  QVERIFY(verdict != nullptr);
  QVERIFY(waitLong([&] { return verdict->isVisible() && !verdict->text().isEmpty(); }));
  // A row of one of its tables for the one stack, several reasons in the other.
  QSet<int> rows;
  for (const QTableView* table : view->findChildren<QTableView*>()) rows.insert(table->model()->rowCount());
  QVERIFY(rows.contains(1) && *std::max_element(rows.cbegin(), rows.cend()) > 2);
}

void TaskWindowTest::trainingShowsItsMetrics() {
  ExperimentDraft* draft = m_window->train()->newRun()->draft();
  draft->setName(QStringLiteral("letters"));
  Q_EMIT m_window->train()->newRunPage()->trainRequested();
  QVERIFY(waitLong([&] { return finished(QStringLiteral("letters")); }));
  const RunItem item = *run(QStringLiteral("letters"));
  QVERIFY(item.last.contains(QStringLiteral("valid.accuracy")));
  QVERIFY(item.last.contains(QStringLiteral("valid.mean_rank")));
  QVERIFY(!item.last.contains(QStringLiteral("valid.ppl")));
  select(item.uuid);
  // Its samples: the word, what was said, what is right.
  auto* log = m_window->findChild<LogModel*>();
  QVERIFY(log != nullptr);
  QVERIFY(waitLong([&] {
    for (int row = 0; row < log->rowCount(); ++row) {
      const QString text = log->index(row, log->columnCount() - 1).data().toString();
      if (text.contains(QRegularExpression(QStringLiteral("^[abc]( [abc])+ → [abc] \\(reference: [abc]\\)"))))
        return true;
    }
    return false;
  }));
}

void TaskWindowTest::gridIsOneObject() {
  m_window->train()->showNewRun();
  m_window->train()->newRun()->draft()->setName(QStringLiteral("lengths"));
  const GridAxis axis{"majority.longest", {Json(4), Json(9)}};
  Q_EMIT m_window->train()->newRunPage()->gridRequested({axis});
  QVERIFY(waitLong([&] {
    int done = 0;
    for (const RunItem& item : m_window->train()->runModel()->runs())
      done += !item.grid.isEmpty() && item.state == RunState::Finished;
    return done == 2;
  }));
}

// A finished run of the task whose predictions are SQL, as its engine would leave it.
std::string TaskWindowTest::addSqlRun(const char* name, const std::string& gold) const {
  std::string path;
  // An end that is seen before the second attempt is there would be believed until all runs are looked at
  // again.
  (void)m_fixture->beginRun(name, &path);
  RunConfig config;
  config.name = name;
  config.options = {{"task", "made_sql"}, {"data.validation", gold}};
  (void)RunFolder(path).beginAttempt(runConfigToJson(config)).value();
  RunOutcome outcome;
  outcome.state = RunState::Finished;
  RunFolder(path).writeOutcome(2, outcome).value();
  return path;
}

void TaskWindowTest::reviewOpensFromTheRun() {
  const std::string folder = m_fixture->project().toStdString() + "/sql";
  QVERIFY(writeMadeSpider(makeSpiderData(), folder).ok());
  const std::string path = addSqlRun("questions", folder + "/dev_gold.sql");
  QFile predicted(QString::fromStdString(folder + "/predictions/hasty.sql"));
  QVERIFY(predicted.open(QIODevice::ReadOnly));
  const QList<QByteArray> lines = predicted.readAll().trimmed().split('\n');
  for (const char* checkpoint : {"0001-00000010", "0001-00000020"}) {
    PredictionSet set;
    set.task = "made_sql";
    set.checkpoint = checkpoint;
    set.split = "validation";
    auto writer = PredictionSetWriter::create(path, set).value();
    for (int i = 0; i < lines.size(); ++i)
      writer.add({{"example", i}, {"prediction", lines[i].split('\t').first().toStdString()}}).value();
    writer.finish().value();
  }
  QVERIFY(waitLong([&] { return run(QStringLiteral("questions")) != nullptr; }));
  QAction* action = m_window->action("run.predictions");
  QVERIFY(action != nullptr);
  select(run(QStringLiteral("letters"))->uuid);
  QVERIFY(waitLong([&] { return !action->isEnabled(); }));  // no kind of review is declared for letters
  select(run(QStringLiteral("questions"))->uuid);
  QVERIFY(waitLong([&] { return action->isEnabled(); }));
  action->trigger();
  ReviewedPredictions* review = m_window->errors()->sqlPage()->review();
  QVERIFY(waitLong([&] { return !review->empty(); }));
  QCOMPARE(review->models(), 2);
  QStringList names{review->modelName(0), review->modelName(1)};
  names.sort();
  QCOMPARE(names, QStringList({QStringLiteral("questions · 0001-00000010"),
                               QStringLiteral("questions · 0001-00000020")}));
  QVERIFY(review->progress(0).wrong > 0);
}

void TaskWindowTest::reviewWithoutPredictionsSaysSo() {
  m_window->train()->showCurves();
  m_window->action("view.train")->trigger();
  addSqlRun("silent", "nowhere.sql");
  QVERIFY(waitLong([&] { return run(QStringLiteral("silent")) != nullptr; }));
  select(run(QStringLiteral("silent"))->uuid);
  QAction* action = m_window->action("run.predictions");
  QVERIFY(waitLong([&] { return action->isEnabled(); }));
  action->trigger();
  QVERIFY(waitLong([&] {
    for (const QLabel* label : m_window->errors()->openPage()->findChildren<QLabel*>())
      if (label->text().contains(QLatin1String("no stored predictions"))) return true;
    return false;
  }));
}

// What decides what a run is, from task to length, is seen without scrolling, the first steps above it.
void TaskWindowTest::essentialsAreOneScreen() {
  m_window->resize(1280, 800);
  m_window->action("help.steps")->trigger();
  m_window->train()->newRunPage()->trainability()->hide();  // an earlier check's
  OptionForm* form = m_window->train()->newRunPage()->form();
  for (const char* preset : {"sample_small", "mlm_quick", "squad_quick"}) {
    m_window->train()->newRun()->startFromPreset(QLatin1String(preset));
    m_window->train()->showNewRun();
    form->finishBuilding();
    QVERIFY(test::settled(m_window));
    QVERIFY(form->row(QStringLiteral("training.length"))->isVisible());
    // A run on an encoder of somebody else begins with it.
    const bool tuned = QLatin1String(preset) == QLatin1String("squad_quick");
    for (const char* file : {"model.bert.weights", "text.vocabulary.file"})
      QCOMPARE(form->row(QLatin1String(file))->isVisible(), tuned);
    const QScrollBar* bar = form->findChild<QScrollArea*>()->verticalScrollBar();
    // The two files of an encoder may need some more.
    QVERIFY2(tuned || bar->maximum() == 0,
             qPrintable(QStringLiteral("%1: %2").arg(QLatin1String(preset)).arg(bar->maximum())));
    // Whole all the same: beside its editor or under it.
    for (const OptionRow* row : form->findChildren<OptionRow*>())
      for (const QLabel* label : row->findChildren<QLabel*>())
        if (label->isVisible() && label->wordWrap())
          QVERIFY2(label->heightForWidth(label->width()) <= label->height(), qPrintable(label->text()));
  }
  QTest::mouseClick(m_window->steps()->strip()->closeButton(), Qt::LeftButton);
}

// On the rail behind the others, with its key, its menu and its place in the session
// (tests/fakes/notes_rail).
void TaskWindowTest::aWorkspaceIsAListLine() {
  auto* rail = m_window->findChild<QToolBar*>(QStringLiteral("rail"));
  QAction* shown = m_window->action(QStringLiteral("view.notes"));
  QVERIFY(rail != nullptr && shown != nullptr && rail->actions().last() == shown);
  QCOMPARE(rail->actions().size(), qsizetype{5});
  QVERIFY(m_window->findChild<QLineEdit*>(QStringLiteral("notesLine")) == nullptr);  // made when asked for
  QTest::keyClick(m_window, Qt::Key_5, Qt::ControlModifier);
  QVERIFY(shown->isChecked());
  auto* line = m_window->findChild<QLineEdit*>(QStringLiteral("notesLine"));
  QVERIFY(line != nullptr && line->isVisible());
  line->setText(QStringLiteral("seed 3 again"));
  m_window->saveSession();
  QTest::mouseClick(rail->widgetForAction(m_window->action(QStringLiteral("view.train"))), Qt::LeftButton);
  QVERIFY(!line->isVisible());
  SessionStore kept(m_fixture->sessionFile());
  QCOMPARE(kept.bytes("notes"), QByteArray("seed 3 again"));
  QStringList menus;
  for (QAction* menu : m_window->menuBar()->actions()) menus.append(menu->text());
  QVERIFY2(menus.contains(QStringLiteral("&Notes")), qPrintable(menus.join(u' ')));
  m_window->action(QStringLiteral("notes.empty"))->trigger();  // brings it into view and acts
  QVERIFY(line->isVisible() && line->text().isEmpty());
  // fathom-pictures has it, too.
  QStringList pictured;
  for (const ScreenshotView& view : screenshotViews()) pictured.append(view.name);
  QCOMPARE(pictured.count(QStringLiteral("notes")), 1);
  QCOMPARE(pictured.count(QStringLiteral("train")), 1);
}

// A kind that brings panels of its own (tests/fakes/lengths_page): keys, verdicts, comparison and history are
// those of every kind.
void TaskWindowTest::aSetOfPanelsIsAListLine() {
  const QString folder = m_fixture->project() + QStringLiteral("/lengths");
  QVERIFY(QDir().mkpath(folder));
  const auto write = [&folder](const char* name, const char* text) {
    QFile file(folder + QLatin1Char('/') + QLatin1String(name));
    return file.open(QIODevice::WriteOnly) && file.write(text) > 0;
  };
  QVERIFY(write("texts.txt", "one\ntwo words\nthree words here\n"));
  QVERIFY(write("first.txt", "2\n2\n3\n") && write("second.txt", "1\n1\n1\n"));
  const std::string at = folder.toStdString() + '/';
  m_window->showWorkspace(QStringLiteral("errors"));
  ErrorsWorkspace* errors = m_window->errors();
  errors->open({.kind = "lengths",
                .gold = at + "texts.txt",
                .predictions = {{"first", at + "first.txt"}, {"second", at + "second.txt"}}});
  QVERIFY(waitLong([&] { return errors->page() == ErrorsWorkspace::kReview && !errors->shown()->empty(); }));
  ReviewPage* page = errors->shown();
  const auto* words = page->findChild<QLabel*>(QStringLiteral("lengthsWords"));
  QVERIFY(words != nullptr && words->isVisible());
  QVERIFY(page != errors->textPage() && !errors->textPage()->isVisible());
  ReviewedPredictions* review = page->review();
  review->choose(0, 0, nullptr);
  QCOMPARE(words->text(), QStringLiteral("1"));
  QVERIFY(review->isWrong(0, 0) && !review->isHuman(0, 0));
  QTest::keyClick(page->predictions()->table(), Qt::Key_2);  // gold is wrong
  QVERIFY(review->isHuman(0, 0));
  QCOMPARE(review->category(0, 0), 2);
  QVERIFY(errors->undo());
  QVERIFY(!review->isHuman(0, 0));
  m_window->action(QStringLiteral("errors.compare"))->trigger();
  QVERIFY(errors->page() == ErrorsWorkspace::kCompare && page->comparison()->isVisible());
  QVERIFY(waitLong([&] { return page->comparison()->hasPairs(); }));
}

QTEST_MAIN(TaskWindowTest)
#include "tst_task_window.moc"
