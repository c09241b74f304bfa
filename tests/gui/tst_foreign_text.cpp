// SPDX-License-Identifier: Apache-2.0
// Text from files, databases and people is never taken for HTML or Markdown, wherever the window shows it.
#include <QAbstractItemView>
#include <QAction>
#include <QDir>
#include <QFormLayout>
#include <QHeaderView>
#include <QHelpEvent>
#include <QImage>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QPointer>
#include <QRegularExpression>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QToolTip>
#include <fstream>

#include "app/window/errors/sql_review_page.h"
#include "app/window/errors/text_review_page.h"
#include "app/window/main/main_window.h"
#include "app/window/train/train_workspace.h"
#include "core/library/queue/queue_folder.h"
#include "core/library/records/project_library.h"
#include "tests/gui/support_errors_window.h"
#include "views/figures/figure_entry.h"
#include "views/look/engine_text.h"
#include "views/look/foreign_text.h"
#include "views/panels/attention/analysis_view.h"
#include "views/panels/attention/folded_text.h"
#include "views/panels/errors/open_page.h"
#include "views/panels/errors/results_panel.h"
#include "views/panels/errors/text_example_panel.h"
#include "views/panels/train/run_details_panel.h"
#include "views/panels/train/run_table_panel.h"
#include "views/panels/widgets/elided_label.h"
#include "views/panels/widgets/empty_state.h"
#include "views/panels/widgets/help_text.h"
#include "views/panels/widgets/job_strip.h"
#include "views/panels/widgets/message_bar.h"
#include "views/panels/widgets/progress_page.h"
#include "views/tables/run_table_model.h"

using namespace fathom;
using test::waitUntil;

namespace {

// HTML and Markdown that ask for a file. Each place has a word of its own, so that the test knows what it
// saw.
QString hostile(const char* place) {
  return QStringLiteral("<img src=\"hostile.png\"><b>%1</b> ![m](hostile.png)").arg(QLatin1String(place));
}
std::string hostileUtf8(const char* place) {
  return hostile(place).toStdString();
}
// For names of runs: short names leave out the words that all begin or end with, of these nothing.
QString hostileName(const char* place) {
  return QLatin1String(place) + hostile(place) + QLatin1String(place);
}
std::string hostileNameUtf8(const char* place) {
  return hostileName(place).toStdString();
}

QStringList g_asked;  // what rich text wanted to read

// Every label, document, cell and tool tip of the process.
class Walk {
 public:
  void look() {
    QList<QPointer<QWidget>> all;  // a tool tip that is shown takes away another
    for (QWidget* widget : QApplication::allWidgets()) all.append(widget);
    for (const QPointer<QWidget>& widget : std::as_const(all)) {
      if (!widget || widget->inherits("QTipLabel")) continue;
      if (auto* label = qobject_cast<QLabel*>(widget.data())) takeLabel(label);
      if (auto* text = qobject_cast<QTextEdit*>(widget.data())) takeDocument(text->document(), text);
      auto* view =
          qobject_cast<QAbstractItemView*>(widget.data());  // a header is one too, without cells of its own
      if (view != nullptr && view->model() != nullptr && !view->inherits("QHeaderView")) takeView(view);
      if (!widget->toolTip().isEmpty()) takeTip(widget, widget->toolTip());
    }
    QToolTip::hideText();
  }
  const QStringList& faults() const { return m_faults; }
  QStringList missing(const QStringList& places) const {
    QStringList not_seen;
    for (const QString& place : places)
      if (!m_seen.contains(place)) not_seen.append(place);
    return not_seen;
  }

 private:
  void note(const QString& where, const QString& plain) {
    static const QRegularExpression place(QStringLiteral("<b>(\\w+)</b>"));
    for (auto found = place.globalMatch(plain); found.hasNext();)
      m_seen.insert(where + QLatin1Char(':') + found.next().captured(1));
  }
  void takeLabel(QLabel* label) {
    label->ensurePolished();
    const bool guessed = label->textFormat() == Qt::AutoText && Qt::mightBeRichText(label->text());
    if (label->textFormat() == Qt::RichText || guessed) {
      QTextDocument document;
      document.setHtml(label->text());
      takeDocument(&document, label);
    } else {
      note(QStringLiteral("label"), label->text());
    }
    if (guessed) m_faults.append(QStringLiteral("guessed: ") + label->text());
  }
  void takeDocument(QTextDocument* document, QWidget* of) {
    const QString plain = document->toPlainText();
    note(QStringLiteral("document"), plain);
    if (plain.contains(QChar::ObjectReplacementCharacter) || document->toHtml().contains("<img"))
      m_faults.append(QStringLiteral("picture in %1: %2").arg(of->metaObject()->className(), plain));
  }
  void takeView(QAbstractItemView* view) {
    takeItems(view, {});
    for (const Qt::Orientation orientation : {Qt::Horizontal, Qt::Vertical}) {
      const int count = orientation == Qt::Horizontal ? view->model()->columnCount() : 0;
      for (int i = 0; i < count; ++i) {
        note(QStringLiteral("header"), view->model()->headerData(i, orientation).toString());
        takeTip(view, view->model()->headerData(i, orientation, Qt::ToolTipRole).toString());
      }
    }
  }
  void takeItems(QAbstractItemView* view, const QModelIndex& parent) {
    const QAbstractItemModel* model = view->model();
    constexpr int kRows = 60;  // the hostile ones are among the first
    for (int row = 0; row < std::min(kRows, model->rowCount(parent)); ++row)
      for (int column = 0; column < model->columnCount(parent); ++column) {
        const QModelIndex index = model->index(row, column, parent);
        note(QStringLiteral("cell"), index.data().toString());
        if (const QString tip = index.data(Qt::ToolTipRole).toString(); tip.contains("hostile"))
          takeItemTip(view, index, tip);
        if (column == 0 && model->hasChildren(index)) takeItems(view, index);
      }
  }
  // As the view itself asks for it when the mouse rests on the cell.
  void takeItemTip(QAbstractItemView* view, const QModelIndex& index, const QString& tip) {
    QStyleOptionViewItem option;
    option.widget = view;
    option.rect = view->visualRect(index);
    QHelpEvent help(QEvent::ToolTip, QPoint(1, 1), view->mapToGlobal(QPoint(1, 1)));
    view->itemDelegateForIndex(index)->helpEvent(&help, view, option, index);
    checkTip(tip);
  }
  void takeTip(QWidget* widget, const QString& tip) {
    if (!tip.contains("hostile")) return;
    QToolTip::showText(widget->mapToGlobal(QPoint(1, 1)), tip, widget);
    checkTip(tip);
  }
  void checkTip(const QString& tip) {
    note(QStringLiteral("tip"), tip);
    for (QWidget* widget : QApplication::topLevelWidgets()) {
      auto* label = widget->inherits("QTipLabel") ? qobject_cast<QLabel*>(widget) : nullptr;
      if (label == nullptr || !label->isVisible()) continue;
      (void)label->grab();
      if (label->text() == tip && label->textFormat() == Qt::PlainText) return;
      m_faults.append(QStringLiteral("tool tip, format %1: %2").arg(label->textFormat()).arg(label->text()));
      return;
    }
    m_faults.append(QStringLiteral("tool tip not shown: ") + tip);
  }
  QStringList m_faults;
  QSet<QString> m_seen;
};

#define NOTHING_RICH(walk, ...)                                                              \
  do {                                                                                       \
    QVERIFY2((walk).faults().isEmpty(), qUtf8Printable((walk).faults().join('\n')));         \
    const QStringList unseen = (walk).missing({__VA_ARGS__});                                \
    QVERIFY2(unseen.isEmpty(), qUtf8Printable("never looked at: " + unseen.join(", ")));     \
    QVERIFY2(g_asked.isEmpty(), qUtf8Printable("read by rich text: " + g_asked.join(", "))); \
  } while (false)

void write(const QString& path, const std::string& text) {
  std::ofstream(path.toStdString(), std::ios::binary) << text;
}

}  // namespace

class ForeignTextTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup() { m_errors.reset(); }
  void helpReadsNoFile();
  void labelsAreAsTheyAreWritten();
  void trainShowsItAsItIs();
  void errorsShowsItAsItIs();
  void otherReviewsShowIt_data();
  void otherReviewsShowIt();
  void analysesShowItAsItIs();
  void noKeyComesFromAName();
  void markdownIsLiteral_data();
  void markdownIsLiteral();

 private:
  // Qt asks it for what it does not find itself: whoever wanted the picture is known.
  static void count();
  ReviewSources hostileReview(const QString& folder) const;
  std::unique_ptr<test::ErrorsWindow> m_errors;
};

void ForeignTextTest::init() {
  m_errors = std::make_unique<test::ErrorsWindow>();
  count();
}

void ForeignTextTest::count() {
  g_asked.clear();
  QTextDocument::setDefaultResourceProvider([](const QUrl& url) {
    g_asked.append(url.toString());
    return QVariant();
  });
}

void ForeignTextTest::helpReadsNoFile() {
  const QTemporaryDir folder;
  const QString path = folder.filePath("picture.png");
  QImage picture(40, 30, QImage::Format_RGB32);
  picture.fill(Qt::red);
  QVERIFY(picture.save(path));
  for (const QString& name : {path, QUrl::fromLocalFile(path).toString()}) {
    HelpText browser;
    browser.setHtml(QStringLiteral("<link rel=stylesheet href=\"%1\"><img src=\"%1\">").arg(name));
    browser.resize(200, 200);
    browser.show();
    QVERIFY(QTest::qWaitForWindowExposed(&browser));
    const QImage seen = browser.grab().toImage();
    for (int y = 0; y < seen.height(); ++y)
      for (int x = 0; x < seen.width(); ++x) QVERIFY(seen.pixelColor(x, y) != QColor(Qt::red));
    const QVariant given = browser.document()->resource(QTextDocument::ImageResource, QUrl(name));
    QCOMPARE(given.value<QImage>().size(), QSize(1, 1));
  }
}

void ForeignTextTest::labelsAreAsTheyAreWritten() {
  QWidget window;
  auto* form = new QFormLayout(&window);
  form->addRow(hostile("row"), new ElidedLabel(hostile("elided"), &window));
  auto* bare = new QLabel(&window);
  bare->setText(hostile("bare"));
  form->addRow(bare);
  auto* rich = new QLabel(QStringLiteral("<b>bold</b>"), &window);
  rich->setTextFormat(Qt::RichText);
  form->addRow(rich);
  auto* empty = new EmptyState(&window);
  empty->setText(hostile("empty"));
  form->addRow(empty);
  auto* progress = new ProgressPage(&window);
  progress->setProgress(hostile("progress"), {});
  form->addRow(progress);
  auto* jobs = new JobStrip(&window);
  jobs->setJobs({{1, hostile("job"), {}, false}});
  form->addRow(jobs);
  MessageBar messages(&window);
  messages.showError(hostile("message"), hostile("hint"), {});
  window.resize(300, 600);
  window.show();
  for (auto* button : jobs->findChildren<QToolButton*>())
    if (!button->text().isEmpty()) button->click();  // the list of jobs
  QMessageBox box(QMessageBox::Warning, hostile("title"), hostile("box"), QMessageBox::Ok);
  box.setInformativeText(hostile("informative"));
  box.setDetailedText(hostile("detailed"));
  box.show();
  QVERIFY(QTest::qWaitForWindowExposed(&box));
  (void)window.grab();
  (void)box.grab();
  Walk walk;
  walk.look();
  QCOMPARE(rich->textFormat(), Qt::RichText);
  NOTHING_RICH(walk, "label:row", "label:bare", "label:empty", "label:progress", "label:job", "label:message",
               "label:hint", "label:box", "label:informative", "document:detailed", "tip:elided");
}

void ForeignTextTest::trainShowsItAsItIs() {
  const test::WindowFixture fixture;
  std::string first;
  {
    const auto log = fixture.beginRun(hostileNameUtf8("run"), &first);
    test::WindowFixture::writeSteps(*log, 1, 5, 2);
    for (const char* place : {"cause", "message"})
      log->append("warning", Json{{"cause", hostileUtf8(place)}, {"message", hostileUtf8("logged")}}).value();
    log->append("validation", Json{{"step", 5}, {"epoch", 1}, {"m", {{hostileUtf8("metric"), 1.5}}}}).value();
    log->append(
           "sample",
           Json{{"step", 5},
                {"items", Json::array({Json{
                              {"source", hostileUtf8("source")}, {"hypothesis", "b"}, {"reference", "c"}}})}})
        .value();
  }
  RunOutcome outcome;
  outcome.state = RunState::Failed;
  outcome.cause = hostileUtf8("outcome");
  outcome.message = hostileUtf8("failure");
  outcome.finishedAt = isoTimeNow();
  RunFolder(first).writeOutcome(1, outcome).value();
  fixture.addRun(hostileNameUtf8("second"));
  {
    const auto library = ProjectLibrary::open(fixture.project().toStdString()).value();
    RunNotes notes;
    notes.notes = hostileUtf8("note");
    notes.tags = {hostileUtf8("tag")};
    library->setRunNotes(first.substr(first.rfind('/') + 1), notes).value();
  }
  QueueFolder queue(fixture.project().toStdString());
  QueueSettings paused;
  paused.paused = true;
  QVERIFY(queue.setSettings(paused).ok());
  QueueEntry waiting;
  RunConfig config;
  config.name = hostileNameUtf8("queued");
  config.options["fake.steps"] = 5;
  waiting.config = runConfigToJson(config);
  QVERIFY(queue.add(waiting).ok());

  WindowHost host(fixture.sessionFile());
  count();
  MainWindow* window = host.openWindow(fixture.project());
  TrainWorkspace* train = window->train();
  QVERIFY(waitUntil([&] { return train->runModel()->rowCount() >= 2 && window->jobs()->count() == 0; }));
  const QTableView* table = train->runs()->table();
  for (int row = 0; row < table->model()->rowCount(); ++row) {
    const QModelIndex name = table->model()->index(row, RunTableModel::Name);
    if (name.data().toString() == hostileName("run"))
      table->selectionModel()->setCurrentIndex(
          name, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
  }
  Walk walk;
  const auto all = [&] {
    walk.look();
    return walk.missing({"cell:logged"}).isEmpty();
  };
  QVERIFY2(waitUntil(all), qPrintable(train->details()->currentRun()));
  for (auto* tabs : train->details()->findChildren<QTabWidget*>())
    for (int i = 0; i < tabs->count(); ++i) {
      tabs->setCurrentIndex(i);
      QCoreApplication::processEvents();
      walk.look();
    }
  (void)window->grab();
  for (const char* workspace : {"view.attention", "view.figures", "run.new"}) {
    window->action(workspace)->trigger();
    QVERIFY(waitUntil([&] { return window->jobs()->count() == 0; }));
    (void)window->grab();
    walk.look();
  }
  NOTHING_RICH(walk, "cell:note", "tip:note", "tip:tag", "tip:failure", "cell:outcome", "cell:run",
               "cell:second", "cell:tag", "cell:queued", "tip:run", "tip:queued", "cell:logged", "tip:logged",
               "cell:source", "label:failure", "header:run");
}

ReviewSources ForeignTextTest::hostileReview(const QString& folder) const {
  const std::string database = hostileUtf8("database");
  Json schema;
  schema["db_id"] = database;
  schema["table_names"] = schema["table_names_original"] = Json::array({"singer", hostileUtf8("table")});
  schema["column_names"] = schema["column_names_original"] =
      Json::array({Json::array({-1, "*"}), Json::array({0, "name"}), Json::array({0, "age"}),
                   Json::array({1, hostileUtf8("column")})});
  schema["column_types"] = Json::array({"text", "text", "number", "text"});
  schema["primary_keys"] = Json::array({1});
  schema["foreign_keys"] = Json::array();
  write(folder + "/tables.json", Json::array({schema}).dump());
  write(folder + "/dev_gold.sql", "SELECT age FROM singer WHERE name = '" + hostileUtf8("gold") + "'\t" +
                                      database + "\nSELECT name FROM singer\t" + database + "\n");
  const Json question = {{"db_id", database},
                         {"query", "x"},
                         {"question", "What is the age of the singer " + hostileUtf8("question")}};
  write(folder + "/dev.json", Json::array({question, question}).dump());
  write(folder + "/one.sql", "SELECT name FROM singer WHERE name = '" + hostileUtf8("predicted") +
                                 "'\nSELECT " + hostileUtf8("broken") + "\n");
  ReviewSources sources{"sql", (folder + "/dev_gold.sql").toStdString()};
  sources.files["tables"] = (folder + "/tables.json").toStdString();
  sources.files["questions"] = (folder + "/dev.json").toStdString();
  sources.predictions.push_back({hostileUtf8("model"), (folder + "/one.sql").toStdString()});
  return sources;
}

void ForeignTextTest::errorsShowsItAsItIs() {
  QVERIFY(m_errors->open() != nullptr);
  const QTemporaryDir folder;
  ErrorsWorkspace* errors = m_errors->errors();
  errors->open(hostileReview(folder.path()));
  const auto idle = [&] { return !m_errors->review()->empty() && m_errors->window()->jobs()->count() == 0; };
  QVERIFY2(waitUntil(idle), qPrintable(errors->openPage()->findChild<QLabel*>("openProblem")->text()));
  QueryResult result;
  result.ok = true;
  result.columns = {hostile("head")};
  result.rows = {{hostile("value")}};
  result.rowCount = 1;
  auto* results = m_errors->window()->findChild<ResultsPanel*>();
  results->showResults(result, result, false, hostile("verdict"), hostile("layers"));
  Walk walk;
  for (int example : {0, 1}) {
    m_errors->review()->choose(0, example, nullptr);
    QCoreApplication::processEvents();
    for (auto* tabs : errors->widget()->findChildren<QTabWidget*>())
      for (int i = 0; i < tabs->count(); ++i) {
        tabs->setCurrentIndex(i);
        walk.look();
      }
    (void)m_errors->window()->grab();
    walk.look();
  }
  errors->show(ErrorsWorkspace::kCompare);
  walk.look();
  errors->showOpenPage();
  walk.look();
  NOTHING_RICH(walk, "cell:model", "tip:model", "tip:predicted", "tip:broken", "label:database",
               "document:question", "cell:question", "cell:table", "cell:column", "tip:table", "tip:column",
               "cell:value", "tip:value", "header:head", "label:verdict", "tip:layers", "cell:database");
}

void ForeignTextTest::otherReviewsShowIt_data() {
  QTest::addColumn<QString>("kind");
  QTest::addColumn<QString>("gold");
  QTest::addColumn<QString>("predicted");
  QTest::addColumn<QStringList>("seen");
  const auto text = [](const Json& json) { return QString::fromStdString(json.dump()); };
  QTest::newRow("class") << "class"
                         << "sentence\tlabel\n" + hostile("words") + "\t" + hostile("label") + "\nb\tno\n"
                         << "no\n" + hostile("label") + "\n"
                         << QStringList{"document:words", "document:label", "cell:label"};
  const Json answer = {{"text", hostileUtf8("answer")}, {"answer_start", 2}};
  const Json question = {
      {"id", hostileUtf8("id")}, {"question", hostileUtf8("question")}, {"answers", Json::array({answer})}};
  const Json paragraph = {{"context", "a " + hostileUtf8("answer") + hostileUtf8("context")},
                          {"qas", Json::array({question})}};
  const Json article = {{"title", hostileUtf8("title")}, {"paragraphs", Json::array({paragraph})}};
  QTest::newRow("span") << "span" << text({{"version", "1.1"}, {"data", Json::array({article})}})
                        << text({{hostileUtf8("id"), hostileUtf8("span")}})
                        << QStringList{"document:context", "document:question", "document:answer",
                                       "document:title", "document:span"};
  const Json choice = {{"context", hostileUtf8("context")},
                       {"question", hostileUtf8("question")},
                       {"answers", {hostileUtf8("first"), hostileUtf8("second")}},
                       {"label", 0},
                       {"id_string", hostileUtf8("id")}};
  QTest::newRow("choice") << "choice" << text(Json::array({choice})) << "1\n"
                          << QStringList{"document:context", "document:question", "document:first",
                                         "document:second"};
  QTest::newRow("translation") << "translation" << hostile("reference") + "\n"
                               << hostile("hypothesis") + "\n"
                               << QStringList{"document:reference", "document:hypothesis"};
  const Json block = {{"text", hostileUtf8("page")}, {"feature", std::vector<double>(20, 1)}};
  const Json page = {{"url", hostileUtf8("url")},
                     {"VDOM", Json::array({block})},
                     {"KeyPhrases", Json::array({Json::array({hostileUtf8("phrase")})})}};
  QTest::newRow("phrases") << "phrases" << text(page) + "\n"
                           << text({{"url", hostileUtf8("url")},
                                    {"KeyPhrases", Json::array({Json::array({hostileUtf8("found")})})}}) +
                                  "\n"
                           << QStringList{"document:page", "document:phrase", "document:found"};
}

void ForeignTextTest::otherReviewsShowIt() {
  QFETCH(QString, kind);
  QFETCH(QString, gold);
  QFETCH(QString, predicted);
  QFETCH(QStringList, seen);
  QVERIFY(m_errors->open() != nullptr);
  const QTemporaryDir folder;
  write(folder.filePath("gold"), gold.toStdString());
  write(folder.filePath("predicted"), predicted.toStdString());
  ErrorsWorkspace* errors = m_errors->errors();
  ReviewSources sources{kind.toStdString(), folder.filePath("gold").toStdString()};
  sources.predictions = {{hostileUtf8("model"), folder.filePath("predicted").toStdString()}};
  errors->open(sources);
  QVERIFY2(waitUntil([&] { return errors->page() == ErrorsWorkspace::kReview; }), qPrintable(kind));
  TextReviewPage* page = errors->textPage();
  page->example()->togglePin();
  Walk walk;
  for (auto* tabs : page->findChildren<QTabWidget*>())
    for (int i = 0; i < tabs->count(); ++i) {
      tabs->setCurrentIndex(i);
      QCoreApplication::processEvents();
      walk.look();
    }
  (void)m_errors->window()->grab();
  walk.look();
  errors->show(ErrorsWorkspace::kCompare);
  (void)m_errors->window()->grab();
  walk.look();
  errors->showOpenPage();
  walk.look();
  seen += "document:model";
  QVERIFY2(walk.faults().isEmpty(), qUtf8Printable(walk.faults().join('\n')));
  QVERIFY2(walk.missing(seen).isEmpty(), qUtf8Printable("never looked at: " + walk.missing(seen).join(", ")));
  QVERIFY2(g_asked.isEmpty(), qUtf8Printable("read by rich text: " + g_asked.join(", ")));
}

void ForeignTextTest::analysesShowItAsItIs() {
  AnalysisView view;
  view.resize(900, 600);
  view.show();
  const FigureEntry entry = findFigure("attention_entropy").value();
  view.setFigure(entry, Json::object());
  FigurePanel panel;
  FigureMark mark;
  mark.label = hostileUtf8("mark");
  mark.shape = LineMark{{0, 1}, {0, 1}};
  panel.marks = {mark};
  FigureSpec spec;
  spec.title = hostileUtf8("figure");
  spec.summary = "Entropy of " + hostileUtf8("summary") + "\n    # not a heading\n1. not a list";
  spec.notes = {Phrase::words(hostileUtf8("footnote"))};
  spec.panels = {panel};
  view.showFigure(spec);
  view.showDetail(&spec);
  (void)view.grab();
  Walk walk;
  walk.look();
  const QString words = view.words()->text()->toPlainText();
  QVERIFY2(words.contains(QStringLiteral("# not a heading 1. not a list")), qUtf8Printable(words));
  view.showMessage(hostile("nothing"), {});
  walk.look();
  NOTHING_RICH(walk, "document:summary", "document:footnote", "label:figure", "label:nothing");
}

void ForeignTextTest::noKeyComesFromAName() {
  QCOMPARE(withoutMnemonic(literalActionText(QStringLiteral("R&D\t&x"))), QStringLiteral("R&D &x"));
  QCOMPARE(withoutMnemonic(QStringLiteral("&Train")), QStringLiteral("Train"));
  QCOMPARE(withoutMnemonic(QStringLiteral("训练(&T)\tCtrl+T")), QStringLiteral("训练"));
  QMenu menu;
  QVERIFY(QKeySequence::mnemonic(menu.addAction(literalActionText(QStringLiteral("R&D")))->text()).isEmpty());
}

void ForeignTextTest::markdownIsLiteral_data() {
  QTest::addColumn<QString>("text");
  for (const char* text :
       {"plain", "![m](x.png)", "[l](http://x)", "http://example.org", "<img src=x>", "# head", "    code",
        "* item", "1. item", "a_b_c **d** `e` ~f~", "&lt;b&gt; &amp;", "| a | b |", "---", "\\n \\\\",
        "- [ ] box", "> quote", "$x$ ^y^", "\xE2\x96\x81 \xE4\xB8\xAD"})
    QTest::newRow(text) << QString::fromUtf8(text);
}

void ForeignTextTest::markdownIsLiteral() {
  QFETCH(QString, text);
  QTextDocument document;
  document.setMarkdown(literalMarkdown(text));
  QCOMPARE(document.toPlainText(), text.trimmed());
  QCOMPARE(document.blockCount(), 1);
  for (const QTextFormat& format : document.allFormats())
    QVERIFY(!format.isImageFormat() && !format.isListFormat() && !format.isTableFormat() &&
            !format.toCharFormat().isAnchor());
}

QTEST_MAIN(ForeignTextTest)
#include "tst_foreign_text.moc"
