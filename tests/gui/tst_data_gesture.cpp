// SPDX-License-Identifier: Apache-2.0
// ctest: engine
// Data in one gesture: a data set is dropped on the window, chosen with the button of the page, or for one
// field; what is missing is said, and chosen from there. The real engine says which options there are.
#include <QAction>
#include <QApplication>
#include <QDropEvent>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QTest>
#include <QTimer>
#include <QToolButton>

#include "app/window/imports/import_dialog.h"
#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "app/window/train/new_run_controller.h"
#include "app/window/train/preset_entries.h"
#include "app/window/train/train_workspace.h"
#include "core/base/files/path_facts.h"
#include "core/library/queue/queue_folder.h"
#include "core/record/presets.h"
#include "tests/gui/support_window_fixture.h"
#include "views/look/engine_text.h"
#include "views/panels/data/found_data_view.h"
#include "views/panels/form/experiment_draft.h"
#include "views/panels/form/option_form.h"
#include "views/panels/train/new_run_page.h"
#include "views/panels/widgets/message_bar.h"

using namespace fathom;
using test::waitUntil;

namespace {

constexpr int kPatience = 60000;
constexpr const char* kRteHead = "index\tsentence1\tsentence2\tlabel\n0\ta b\ta\tentailment\n";
constexpr const char* kSpiderTables =
    R"([{"db_id":"pets","table_names":["pets"],"table_names_original":["pets"],
  "column_names":[[-1,"*"],[0,"name"],[0,"age"]],"column_names_original":[[-1,"*"],[0,"name"],[0,"age"]],
  "column_types":["text","text","number"],"primary_keys":[],"foreign_keys":[]}])";
constexpr const char* kSpiderQuestions =
    R"([{"db_id":"pets","question":"How many pets are there?","query":"SELECT count(*) FROM pets"},
  {"db_id":"pets","question":"What are the names?","query":"SELECT name FROM pets"}])";
constexpr const char* kWordPieces = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\nb\n";

// Real data: FATHOM_DATA, or the shared folder; empty where it is absent.
QString dataFolder() {
  const QString named = qEnvironmentVariable("FATHOM_DATA");
  const QString folder = named.isEmpty() ? QStringLiteral(FATHOM_SHARED_DIR "/data") : named;
  return QDir(folder).exists() ? QDir(folder).canonicalPath() : QString();
}

}  // namespace

class DataGestureTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup();
  void spiderIsQueuedInFourClicks();
  void aFolderLikeSpidersIsQueuedInFourClicks();
  void ofTwoDataSetsOneIsTaken();
  void whatIsMissingIsChosenFromThere();
  void aFormOfTheTaskKeepsItsSettings();
  void aFieldFillsItsNeighbours();
  void theButtonAsks();
  void otherDropsGoWhereTheyWent();
  void withoutAProjectItSaysSo();
  void presetsTellTheirTime();
  void presetsOfMadeDataMakeTheirs();

 private:
  MainWindow* open(bool project = true);
  QString put(const QString& name, const QByteArray& content) const;
  void drop(const QString& path) { drop(QStringList(path)); }
  void drop(const QStringList& paths);
  bool queues(const QueueFolder& queue);
  void click(QWidget* widget);
  // The dialog that comes next takes this file.
  void answer(const QString& file);
  FoundDataView* found() const { return m_window->train()->newRunPage()->foundData(); }
  ExperimentDraft* draft() const { return m_window->train()->newRun()->draft(); }
  bool told() const {
    return QTest::qWaitFor([this] { return draft() != nullptr && found()->isVisible(); }, kPatience);
  }
  QString named(const char* key) const { return draft()->text(QLatin1String(key)).section('/', -1); }
  std::unique_ptr<QTemporaryDir> m_dir;
  std::unique_ptr<test::WindowFixture> m_fixture;
  std::unique_ptr<WindowHost> m_host;
  MainWindow* m_window = nullptr;
  int m_clicks = 0;
};

void DataGestureTest::init() {
  m_clicks = 0;
  m_dir = std::make_unique<QTemporaryDir>();
  m_fixture = std::make_unique<test::WindowFixture>();
  qputenv("FATHOM_ENGINE", FATHOM_BIN_DIR "/fathom-engine");
  qunsetenv("FATHOM_FAKE_DESCRIBE");
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
  QueueSettings paused;
  paused.paused = true;
  QVERIFY(QueueFolder(m_fixture->project().toStdString()).setSettings(paused).ok());
}

void DataGestureTest::cleanup() {
  m_host.reset();
  m_fixture.reset();
  m_dir.reset();
}

MainWindow* DataGestureTest::open(bool project) {
  m_window = m_host->openWindow(project ? m_fixture->project() : QString());
  const bool ready =
      QTest::qWaitForWindowActive(m_window) &&
      (!project ||
       QTest::qWaitFor(
           [&] { return m_window->service()->isReady() && m_window->train()->engine() != nullptr; },
           kPatience));
  return ready ? m_window : nullptr;
}

QString DataGestureTest::put(const QString& name, const QByteArray& content) const {
  const QString path = m_dir->filePath(name);
  QDir().mkpath(QFileInfo(path).absolutePath());
  QFile file(path);
  if (file.open(QIODevice::WriteOnly)) file.write(content);
  return path;
}

void DataGestureTest::click(QWidget* widget) {
  QVERIFY(widget != nullptr && widget->isVisible() && widget->isEnabled());
  QTest::mouseClick(widget, Qt::LeftButton);
  ++m_clicks;
}

// A drop is a click, too.
void DataGestureTest::drop(const QStringList& paths) {
  QMimeData data;
  QList<QUrl> urls;
  for (const QString& path : paths) urls.append(QUrl::fromLocalFile(path));
  data.setUrls(urls);
  const QPoint at = m_window->rect().center();
  QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, {});
  QApplication::sendEvent(m_window, &enter);
  QVERIFY(enter.isAccepted());
  QDropEvent event(at, Qt::CopyAction, &data, Qt::LeftButton, {});
  QApplication::sendEvent(m_window, &event);
  ++m_clicks;
}

void DataGestureTest::answer(const QString& file) {
  QTimer::singleShot(0, m_window, [file] {
    auto* files = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
    if (files == nullptr || !QTest::qWaitForWindowActive(files)) return;
    auto* name = files->findChild<QLineEdit*>();
    name->setFocus();  // a list whose line has the keyboard lets go of what was chosen in it
    name->setText(file);
    QTest::keyClick(name, Qt::Key_Return);
  });
}

void DataGestureTest::spiderIsQueuedInFourClicks() {
  const QString spider = dataFolder() + QStringLiteral("/spider");
  if (!QDir(spider).exists()) QSKIP("no real data here");
  QVERIFY(open() != nullptr);
  drop(spider);
  QVERIFY2(told(), qPrintable(m_window->messages()->currentText()));
  QVERIFY(m_window->train()->newRunPage()->isVisible());
  QCOMPARE(draft()->presetId(), QStringLiteral("sql_sp_quick"));
  QCOMPARE(named("data.train"), QStringLiteral("train_spider.json.gz"));
  QCOMPARE(named("data.validation"), QStringLiteral("dev.json"));
  QCOMPARE(named("spider.tables"), QStringLiteral("tables.json"));
  QCOMPARE(named("spider.vocabulary.file"), QStringLiteral("vocab_uncased.txt"));
  QVERIFY2(draft()->acceptable(), qPrintable(draft()->problems().join('\n')));
  // The databases lie packed beside it: training goes without them, and the line says how to have them.
  QVERIFY(found()->missingKeys().contains(QStringLiteral("spider.databases")));
  QStringList words;
  for (const QLabel* each : found()->findChildren<QLabel*>(QStringLiteral("missingData")))
    words << each->text();
  QVERIFY2(words.join('\n').contains("unpack"), qPrintable(words.join('\n')));
  click(m_window->findChild<QPushButton*>(QStringLiteral("addToQueue")));
  const QueueFolder queue(m_fixture->project().toStdString());
  QVERIFY2(
      QTest::qWaitFor([&] { return queue.entries().ok() && queue.entries()->size() == 1; }, 3 * kPatience),
      qPrintable(m_window->messages()->currentText()));
  QVERIFY2(m_clicks <= 4, qPrintable(QString::number(m_clicks)));
  const Json config = queue.entries()->front().config;
  QCOMPARE(config["options"]["task"].get<std::string>(), std::string("text_to_sql"));
  QVERIFY(fileExists(config["options"]["spider.train_others"].get<std::string>()));
}

// The button that queues the run is clicked, and the run is there.
bool DataGestureTest::queues(const QueueFolder& queue) {
  click(m_window->findChild<QPushButton*>(QStringLiteral("addToQueue")));
  return QTest::qWaitFor([&] { return queue.entries().ok() && queue.entries()->size() == 1; }, 3 * kPatience);
}

// Small files with the names of Spider's.
void DataGestureTest::aFolderLikeSpidersIsQueuedInFourClicks() {
  QVERIFY(open() != nullptr);
  put("spider/tables.json", kSpiderTables);
  for (const char* name : {"train_spider.json", "train_others.json", "dev.json"})
    put(QStringLiteral("spider/") + QLatin1String(name), kSpiderQuestions);
  put("spider/vocab.txt", kWordPieces);
  drop(m_dir->filePath("spider"));
  QVERIFY2(told(), qPrintable(m_window->messages()->currentText()));
  QCOMPARE(named("data.train"), QStringLiteral("train_spider.json"));
  QCOMPARE(named("spider.train_others"), QStringLiteral("train_others.json"));
  QCOMPARE(named("data.validation"), QStringLiteral("dev.json"));
  QCOMPARE(named("spider.vocabulary.file"), QStringLiteral("vocab.txt"));
  QVERIFY(found()->missingKeys().contains(QStringLiteral("spider.databases")));
  QVERIFY2(draft()->acceptable(), qPrintable(draft()->problems().join('\n')));
  const QueueFolder queue(m_fixture->project().toStdString());
  QVERIFY2(queues(queue), qPrintable(m_window->messages()->currentText()));
  QVERIFY2(m_clicks <= 4, qPrintable(QString::number(m_clicks)));
  qInfo("%d clicks", m_clicks);
  const Json options = queue.entries()->front().config["options"];
  QCOMPARE(options["task"].get<std::string>(), std::string("text_to_sql"));
  QCOMPARE(options["data.train"].get<std::string>(), toUtf8(m_dir->filePath("spider/train_spider.json")));
}

void DataGestureTest::ofTwoDataSetsOneIsTaken() {
  QVERIFY(open() != nullptr);
  for (const char* folder : {"one", "two"})
    for (const char* file : {"train.tsv", "dev.tsv"})
      put(QStringLiteral("%1/%2").arg(QLatin1String(folder), QLatin1String(file)), kRteHead);
  drop(QStringList{m_dir->filePath("one"), m_dir->filePath("two")});
  QVERIFY(told());
  QCOMPARE(draft()->text("data.train"), m_dir->filePath("one/train.tsv"));
  QVERIFY(waitUntil([&] { return m_window->messages()->isVisible(); }));
  const QString said = m_window->messages()->currentText();
  QVERIFY2(said.contains("one") && said.contains("two") && said.contains("one data set"), qPrintable(said));
  // Two files of one data set are no two.
  m_window->messages()->closeCurrent();
  drop(QStringList{m_dir->filePath("two/train.tsv"), m_dir->filePath("two/dev.tsv")});
  QVERIFY(waitUntil([&] { return draft()->text("data.train") == m_dir->filePath("two/train.tsv"); }));
  QVERIFY(!m_window->messages()->isVisible());
}

void DataGestureTest::whatIsMissingIsChosenFromThere() {
  QVERIFY(open() != nullptr);
  put("rte/train.tsv", kRteHead);
  put("rte/dev.tsv", kRteHead);
  drop(m_dir->filePath("rte"));
  QVERIFY(told());
  QCOMPARE(draft()->text("task"), QStringLiteral("glue"));
  QCOMPARE(draft()->text("glue.task"), QStringLiteral("rte"));
  QCOMPARE(named("data.validation"), QStringLiteral("dev.tsv"));
  const QString key = QStringLiteral("text.vocabulary.file");
  QCOMPARE(found()->missingKeys(), QStringList{key});
  // The address stands there, too.
  QVERIFY(m_window->findChild<QLabel*>(QStringLiteral("foundDataSource"))->text().contains("https://"));
  answer(put("bert/vocab.txt", kWordPieces));
  click(found()->findChild<QPushButton*>(QStringLiteral("choose.") + key));
  QCOMPARE(named("text.vocabulary.file"), QStringLiteral("vocab.txt"));
  QCOMPARE(found()->missingKeys(), QStringList());
  // Taken out again it is missing again.
  m_window->activateWindow();
  QVERIFY(QTest::qWaitForWindowActive(m_window));
  QTest::keyClick(m_window, Qt::Key_Z, Qt::ControlModifier);
  QTRY_COMPARE(found()->missingKeys(), QStringList{key});
  click(found()->findChild<QToolButton*>(QStringLiteral("closeFoundData")));
  QVERIFY(!found()->isVisible());
}

void DataGestureTest::aFormOfTheTaskKeepsItsSettings() {
  QVERIFY(open() != nullptr);
  const QString pairs = put("fra.txt", "Go.\tVa !\tCC-BY 2.0\nHi.\tSalut !\tCC-BY 2.0\n");
  // The form of the sample is no form for data of one's own.
  QTest::keyClick(m_window, Qt::Key_R, Qt::ControlModifier);
  QCOMPARE(draft()->presetId(), QStringLiteral("sample_small"));
  drop(pairs);
  QVERIFY(told());
  QCOMPARE(draft()->presetId(), QStringLiteral("nmt_quick"));
  QCOMPARE(draft()->text("data.source_language"), QStringLiteral("fr"));
  QVERIFY(draft()->setText("encoder.layers", "2"));
  draft()->endEdit();
  const QString others = put("more/deu.txt", "Go.\tGeh.\tCC-BY 2.0\nHi.\tHallo!\tCC-BY 2.0\n");
  drop(others);
  QVERIFY(waitUntil([&] { return draft()->text("data.train") == others; }));
  QCOMPARE(draft()->text("encoder.layers"), QStringLiteral("2"));
  QTest::keyClick(m_window, Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(draft()->text("data.train"), pairs);
  QCOMPARE(draft()->text("data.source_language"), QStringLiteral("fr"));
  // A preset of another task has other files.
  m_window->train()->newRun()->startFromPreset(QStringLiteral("mlm_quick"));
  QVERIFY(!found()->isVisible());
}

void DataGestureTest::aFieldFillsItsNeighbours() {
  QVERIFY(open() != nullptr);
  QTest::keyClick(m_window, Qt::Key_R, Qt::ControlModifier);
  m_window->train()->newRun()->startFromPreset(QStringLiteral("mlm_quick"));
  m_window->train()->newRunPage()->form()->finishBuilding();
  const QString train = put("w/wiki.train.raw", " = Title = \n Words .\n");
  put("w/wiki.valid.raw", " = Title = \n Words .\n");
  answer(train);
  Q_EMIT m_window->train()->newRunPage()->browseRequested(QStringLiteral("data.train"));
  QVERIFY(waitUntil([&] { return named("data.validation") == "wiki.valid.raw"; }));
  QCOMPARE(draft()->text("data.train"), train);
  // A file that somebody named stays, and a file of one's own is no fault.
  const QString mine = put("mine.txt", "words\n");
  QVERIFY(draft()->setText("data.validation", mine));
  answer(put("own.txt", "words\n"));
  Q_EMIT m_window->train()->newRunPage()->browseRequested(QStringLiteral("data.train"));
  QVERIFY(waitUntil([&] { return named("data.train") == "own.txt"; }));
  QVERIFY(QTest::qWaitFor([&] { return m_window->jobs()->count() == 0; }, kPatience));
  QCOMPARE(draft()->text("data.validation"), mine);
  QCOMPARE(m_window->messages()->currentText(), QString());
}

void DataGestureTest::theButtonAsks() {
  QVERIFY(open() != nullptr);
  QTest::keyClick(m_window, Qt::Key_R, Qt::ControlModifier);
  put("cola/train.tsv", "gj04\t1\t\tOur friends came.\n");
  answer(put("cola/dev.tsv", "gj04\t0\t*\tCame friends our.\n"));
  click(m_window->findChild<QToolButton*>(QStringLiteral("chooseData")));
  QVERIFY(told());
  QCOMPARE(draft()->text("glue.task"), QStringLiteral("cola"));
  QCOMPARE(named("data.train"), QStringLiteral("train.tsv"));
  // A file of no data set is answered with those that are known.
  answer(put("none/readme.txt", "words\n"));
  click(m_window->findChild<QToolButton*>(QStringLiteral("chooseData")));
  QVERIFY(waitUntil([&] { return m_window->messages()->currentText().contains("Spider"); }));
  QCOMPARE(named("data.train"), QStringLiteral("train.tsv"));
}

// A table of another program's runs is shown as what would be imported, whatever lies beside it.
void DataGestureTest::otherDropsGoWhereTheyWent() {
  QVERIFY(open() != nullptr);
  put("both/train.tsv", kRteHead);
  drop(put("both/curve.csv", "step,loss\n1,2\n2,1\n"));
  QVERIFY(waitUntil([&] { return m_window->findChild<ImportDialog*>() != nullptr; }));
  QVERIFY(!found()->isVisible());
}

void DataGestureTest::withoutAProjectItSaysSo() {
  QVERIFY(open(false) != nullptr);
  put("rte/train.tsv", kRteHead);
  drop(m_dir->filePath("rte"));
  QVERIFY(waitUntil([&] { return m_window->messages()->currentText().contains("project"); }));
}

// Measured, on two cores; nobody needs a card for a quick one.
void DataGestureTest::presetsTellTheirTime() {
  QVERIFY(open() != nullptr);
  std::optional<Error> problem;
  const auto entries = presetEntries(m_window->train()->engine()->options, &problem);
  QHash<QString, QStringList> badges;
  for (const PresetEntry& entry : entries) badges.insert(entry.id, entry.badges);
  QCOMPARE(badges.value("nmt_quick"), (QStringList{"15 min", "needs data"}));
  QCOMPARE(badges.value("sample_small"), QStringList{"1 min"});
  QCOMPARE(badges.value("glue_sample"), QStringList{"1 min"});
  QVERIFY(badges.value("bert_large_post_ln").contains("GPU"));
  for (const PresetEntry& entry : entries) {
    const Preset preset = findPreset(entry.id.toStdString()).value();
    const bool measured = entry.timeTip.startsWith(QStringLiteral("Measured on two cores of an Intel Xeon"));
    QCOMPARE(measured, preset.minutes > 0 && preset.timed);
    QCOMPARE(entry.time.startsWith(QStringLiteral("≈ ")), preset.minutes > 0 && !preset.timed);
  }
  for (auto it = badges.cbegin(); it != badges.cend(); ++it)
    if (it.key().endsWith("_quick") && !it.key().startsWith("hotpotqa"))
      QVERIFY2(!it.value().contains("GPU"), qPrintable(it.key()));
}

// Tasks name their files alike: each has its own.
void DataGestureTest::presetsOfMadeDataMakeTheirs() {
  QVERIFY(open() != nullptr);
  QTest::keyClick(m_window, Qt::Key_R, Qt::ControlModifier);
  const QueueFolder queue(m_fixture->project().toStdString());
  std::size_t queued = 0;
  for (const char* preset : {"glue_sample", "squad_sample", "nq_etc_quick"}) {
    m_window->train()->newRun()->startFromPreset(QLatin1String(preset));
    QVERIFY2(draft()->acceptable(), preset);
    const QString train = draft()->text("data.train");
    QVERIFY2(train.startsWith(m_fixture->project() + "/data/"), qPrintable(train));
    ++queued;
    if (!m_window->train()->newRunPage()->isVisible())
      QTest::keyClick(m_window, Qt::Key_R, Qt::ControlModifier);
    click(m_window->findChild<QPushButton*>(QStringLiteral("addToQueue")));
    QVERIFY2(QTest::qWaitFor([&] { return queue.entries().ok() && queue.entries()->size() == queued; },
                             3 * kPatience),
             qPrintable(QLatin1String(preset) + ": " + m_window->messages()->currentText()));
    QVERIFY2(QFileInfo::exists(train), qPrintable(train));
  }
}

QTEST_MAIN(DataGestureTest)
#include "tst_data_gesture.moc"
