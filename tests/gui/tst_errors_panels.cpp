// SPDX-License-Identifier: Apache-2.0
#include <QAction>
#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QSet>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>
#include <QTextBrowser>
#include <QToolButton>
#include <QTreeWidget>
#include <algorithm>
#include <fstream>

#include "app/window/errors/sql_review_page.h"
#include "tests/gui/support_errors_window.h"
#include "tests/unit/support_fixtures.h"
#include "views/look/help_pages.h"
#include "views/look/theme.h"
#include "views/panels/errors/comparison_panel.h"
#include "views/panels/errors/example_panel.h"
#include "views/panels/errors/judgement_history.h"
#include "views/panels/errors/open_page.h"
#include "views/panels/errors/prediction_panel.h"
#include "views/panels/errors/reason_list.h"
#include "views/panels/errors/schema_panel.h"
#include "views/panels/errors/sql_editor.h"
#include "views/panels/widgets/help_text.h"
#include "views/panels/widgets/help_window.h"
#include "views/tables/sql_predictions.h"

using namespace fathom;
using test::waitUntil;

namespace {

// Every text of a phrase that is said in the language of the window.
void collect(const Phrase& words, QSet<QString>& into) {
  if (!words.verbatim) into.insert(QString::fromStdString(words.text));
  for (const Phrase& part : words.parts) collect(part, into);
}

bool isChinese(const QTranslator& chinese, const QString& text) {
  return !chinese.translate("fathom::Phrase", text.toUtf8().constData()).isEmpty();
}

QStringList published(const std::string& data) {
  QStringList files;
  for (const char* name :
       {"codes_1b", "din_sql_gpt4", "editsql", "graphix_t5_3b_picard", "spider_repo_example"})
    files.append(QString::fromStdString(data) + QStringLiteral("/spider_predictions/%1/pred.sql").arg(name));
  return files;
}

}  // namespace

// What the panels of the Errors workspace show of one prediction, its history, files and figures.
class ErrorsPanelsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { m_errors = std::make_unique<test::ErrorsWindow>(); }
  void cleanup() { m_errors.reset(); }
  void everyReasonIsKnownToTranslators();
  void everyReasonOfPublishedSystemsIsKnownToTranslators();
  void longReasonsAreWrapped();
  void executionWeighsTheVerdict();
  void historySaysWhoAndGoesBack();
  void changedSqlShowsTheOldJudgementAsStale();
  void unusualKeysAskForTheColumn();
  void styleOfTheExportIsChosenAndKept();
  void vennOfManyModelsAsksWhich();
  void helpIsOneKeyAway();
  void pagesAreFoundByTheirWords();
  void anotherExampleIsReadFromItsBeginning();
  void schemaNamesAreNotSquashed();
  void hiddenSchemaTakesTheTheme();
  void redoOfTheSqlHasTwoKeys();

 private:
  ErrorsWorkspace* errors() const { return m_errors->errors(); }
  ReviewedPredictions* review() const { return m_errors->review(); }
  MainWindow* window() const { return m_errors->window(); }
  bool idle() const {
    return errors()->page() != ErrorsWorkspace::kLoading && window()->jobs()->count() == 0;
  }
  int wrongOne(int model) const {
    for (int i = 0; i < review()->examples(); ++i)
      if (review()->isWrong(model, i)) return i;
    return -1;
  }
  static void checkReasons(const SpiderReview& review);
  std::unique_ptr<test::ErrorsWindow> m_errors;
};

void ErrorsPanelsTest::checkReasons(const SpiderReview& review) {
  QTranslator chinese;
  QVERIFY(chinese.load(QStringLiteral(":/i18n/fathom_zh_CN.qm")));
  QSet<QString> said;
  for (const SpiderModel& model : review.models)
    for (const CategoryVerdict& verdict : model.verdicts)
      for (const CategoryReason& reason : verdict.reasons) {
        collect(reason.words, said);
        collect(reasonKindTitle(reason.kind), said);
        if (!verdict.subType.empty() &&
            (!verdict.subType.starts_with('F') || verdict.subType == "FK-sibling"))
          said.insert(QString::fromStdString(verdict.subType));
      }
  QVERIFY(said.size() > 5);
  for (const QString& text : said) QVERIFY2(isChinese(chinese, text), qPrintable(text));
}

void ErrorsPanelsTest::everyReasonIsKnownToTranslators() {
  QVERIFY(m_errors->loadSample());
  checkReasons(sqlOf(*review()));
  // Rules are said by their own sentences.
  QTranslator chinese;
  QVERIFY(chinese.load(QStringLiteral(":/i18n/fathom_zh_CN.qm")));
  for (std::size_t i = 0; i < kEquivalenceRules; ++i) {
    const char* text = equivalenceRuleText(static_cast<EquivalenceRule>(i)).english;
    QVERIFY2(isChinese(chinese, QString::fromUtf8(text)), text);
  }
}

void ErrorsPanelsTest::everyReasonOfPublishedSystemsIsKnownToTranslators() {
  const std::string data = fixtures::dataFolder();
  if (!QFile::exists(QString::fromStdString(data + "/spider/tables.json"))) QSKIP("no Spider data");
  SpiderSources sources;
  sources.gold = data + "/spider/dev_gold.sql";
  sources.tables = data + "/spider/tables.json";
  for (const QString& file : published(data))
    sources.predictions.push_back(spiderPredictions(file.toStdString()));
  for (const char* preset : {"paper_like", "tables_inferred"}) {
    Progress progress;
    SpiderReviewOptions options;
    options.preset = categoryPreset(preset).value();
    options.threads = 2;
    checkReasons(openSpiderReview(sources, options, progress).value());
  }
}

void ErrorsPanelsTest::longReasonsAreWrapped() {
  ReasonList list;
  list.resize(360, 300);
  CategoryVerdict verdict;
  CategoryReason reason;
  reason.rule = "5.3(2)";
  reason.words = Phrase::words(
      "values, DISTINCT, LIMIT or order inside a sub-query, an alias, or a spelling the official "
      "parser refuses");
  verdict.reasons = {reason, reason};
  verdict.reasons[1].words = Phrase::words("no limit");
  list.showReasons(verdict, false);
  list.show();
  QVERIFY(QTest::qWaitForWindowExposed(&list));
  const int line = list.visualItemRect(list.topLevelItem(1)).height();
  QVERIFY(list.visualItemRect(list.topLevelItem(0)).height() > 2 * list.fontMetrics().height());
  QVERIFY(line < 2 * list.fontMetrics().height());
  // A wider list needs fewer lines.
  const int narrow = list.visualItemRect(list.topLevelItem(0)).height();
  list.resize(1200, 300);
  QVERIFY(waitUntil([&] { return list.visualItemRect(list.topLevelItem(0)).height() < narrow; }));
}

void ErrorsPanelsTest::executionWeighsTheVerdict() {
  QVERIFY(m_errors->loadSample());
  review()->choose(1, wrongOne(1), nullptr);
  const auto weighed = [this] {
    const auto& reasons = errors()->sqlPage()->example()->judged().category.reasons;
    return !reasons.empty() && reasons.back().rule == "F12";
  };
  QVERIFY(waitUntil([&] { return idle() && weighed(); }));
  const auto* list = errors()->sqlPage()->example()->reasons();
  QCOMPARE(list->topLevelItemCount(), int(errors()->sqlPage()->example()->judged().category.reasons.size()));
  QVERIFY(list->topLevelItem(list->topLevelItemCount() - 1)->text(2).contains(QStringLiteral("results")));
  // The category stays the one of the review.
  QCOMPARE(errors()->sqlPage()->example()->judged().category.category,
           ErrorCategory(review()->category(1, wrongOne(1))));
}

void ErrorsPanelsTest::historySaysWhoAndGoesBack() {
  qputenv("USER", "grete");
  QVERIFY(m_errors->loadSample());
  const int example = wrongOne(1);
  review()->choose(1, example, nullptr);
  for (const Qt::Key key : {Qt::Key_2, Qt::Key_3}) {
    errors()->sqlPage()->predictions()->table()->setFocus();
    test::ErrorsWindow::press(key);
    review()->choose(1, example, nullptr);
  }
  QCOMPARE(ErrorCategory(review()->category(1, example)), ErrorCategory::Sketch);
  JudgementHistory* history = errors()->sqlPage()->example()->history();
  errors()->sqlPage()->example()->tabs()->setCurrentWidget(history);
  QTreeWidget* list = history->list();
  QCOMPARE(list->topLevelItemCount(), 2);
  QCOMPARE(list->topLevelItem(0)->text(2), QStringLiteral("Sketch"));
  QCOMPARE(list->topLevelItem(1)->text(2), QStringLiteral("Column"));
  QCOMPARE(list->topLevelItem(0)->text(1), QStringLiteral("grete"));
  QVERIFY(!list->topLevelItem(0)->text(0).isEmpty());
  list->setCurrentItem(list->topLevelItem(0));
  QVERIFY(!history->findChild<QPushButton*>("judgeAgain")->isEnabled());  // it counts already
  list->setCurrentItem(list->topLevelItem(1));
  QTest::mouseClick(history->findChild<QPushButton*>("judgeAgain"), Qt::LeftButton);
  QCOMPARE(ErrorCategory(review()->category(1, example)), ErrorCategory::Column);
  QCOMPARE(list->topLevelItemCount(), 3);
  window()->action("edit.undo")->trigger();
  QCOMPARE(ErrorCategory(review()->category(1, example)), ErrorCategory::Sketch);
  QCOMPARE(list->topLevelItemCount(), 4);
}

void ErrorsPanelsTest::changedSqlShowsTheOldJudgementAsStale() {
  QVERIFY(m_errors->loadSample());
  const int example = wrongOne(1);
  QVERIFY(review()->setCategory(1, example, int(ErrorCategory::Both), {}).ok());
  ReviewSources sources = review()->review().sources;
  const QString path = QString::fromStdString(sources.predictions[1].path);
  QFile file(path);
  QVERIFY(file.open(QIODevice::ReadOnly));
  QList<QByteArray> lines = file.readAll().split('\n');
  file.close();
  lines[example] = "SELECT 1 FROM nowhere\t" + databaseOf(*review(), example).toUtf8();
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(lines.join('\n'));
  file.close();
  errors()->open(sources);
  QVERIFY(waitUntil([&] { return idle(); }));
  QVERIFY(review()->isStale(1, example));
  QVERIFY(!review()->isHuman(1, example));
  review()->choose(1, example, nullptr);
  QVERIFY(
      errors()->sqlPage()->example()->verdictText().contains(QStringLiteral("when the SQL was another one")));
  JudgementHistory* history = errors()->sqlPage()->example()->history();
  errors()->sqlPage()->example()->tabs()->setCurrentWidget(history);
  QCOMPARE(history->list()->topLevelItemCount(), 1);
  QTreeWidgetItem* old = history->list()->topLevelItem(0);
  QVERIFY(old->text(2).contains(QStringLiteral("for another answer")));
  history->list()->setCurrentItem(old);
  QTest::mouseClick(history->findChild<QPushButton*>("judgeAgain"), Qt::LeftButton);
  QVERIFY(review()->isHuman(1, example));
  QVERIFY(!review()->isStale(1, example));
  QCOMPARE(ErrorCategory(review()->category(1, example)), ErrorCategory::Both);
}

void ErrorsPanelsTest::unusualKeysAskForTheColumn() {
  QVERIFY(m_errors->loadSample());
  const std::string json = m_errors->project().toStdString() + "/system.json";
  {
    Json records = Json::array();
    for (int i = 0; i < review()->examples(); ++i)
      records.push_back({{"nr", i}, {"answer of the model", goldSqlOf(*review(), i).toStdString()}});
    std::ofstream(json) << records.dump();
  }
  window()->action("errors.open")->trigger();
  OpenPage* page = errors()->openPage();
  page->addPredictions({QString::fromStdString(json)});
  QComboBox* columns = nullptr;
  QVERIFY(waitUntil([&] {
    for (QComboBox* box : page->files()->findChildren<QComboBox*>())
      if (box->findText(QStringLiteral("answer of the model")) >= 0) columns = box;
    return columns != nullptr;
  }));
  QVERIFY(!page->findChild<QPushButton*>("openFiles")->isEnabled());
  QVERIFY(page->findChild<QPushButton*>("openFiles")->toolTip().contains(QStringLiteral("column")));
  columns->setCurrentText(QStringLiteral("answer of the model"));
  QVERIFY(page->findChild<QPushButton*>("openFiles")->isEnabled());
  QTest::mouseClick(page->findChild<QPushButton*>("openFiles"), Qt::LeftButton);
  QVERIFY(waitUntil([&] { return review()->models() == 3 && idle(); }));
  QCOMPARE(review()->progress(2).wrong, 0);  // gold against itself
}

void ErrorsPanelsTest::styleOfTheExportIsChosenAndKept() {
  QVERIFY(m_errors->loadSample());
  window()->action("errors.compare")->trigger();
  ComparisonPanel* comparison = errors()->sqlPage()->comparison();
  QCOMPARE(comparison->exportStyle(), QStringLiteral("acl"));
  QVERIFY(comparison->styleBox()->findData(QStringLiteral("screen_dark")) < 0);  // paper is never dark
  comparison->setExportStyle(QStringLiteral("neurips"));
  errors()->shown()->exportFigure(m_errors->project() + QStringLiteral("/f.svg"));
  const auto library = ProjectLibrary::open(m_errors->project().toStdString()).value();
  QCOMPARE(figureRecipes(*library).value().at(0).style, std::string("neurips"));
  QVERIFY(QFile::exists(m_errors->project() + QStringLiteral("/f.svg")));
  QVERIFY(m_errors->restart());
  QCOMPARE(errors()->sqlPage()->comparison()->exportStyle(), QStringLiteral("neurips"));
}

void ErrorsPanelsTest::vennOfManyModelsAsksWhich() {
  QVERIFY(m_errors->loadSample());
  ReviewSources sources = review()->review().sources;
  for (const char* name : {"third", "fourth", "fifth"}) {
    sources.predictions.push_back(sources.predictions[sources.predictions.size() % 2]);
    sources.predictions.back().name = name;
  }
  errors()->open(sources);
  QVERIFY(waitUntil([&] { return review()->models() == 5 && idle(); }));
  window()->action("errors.compare")->trigger();
  ComparisonPanel* comparison = errors()->sqlPage()->comparison();
  comparison->showFigure(QStringLiteral("failure_venn"));
  QVERIFY(waitUntil([&] { return comparison->shownTable().rows.size() == 15; }));  // regions of four sets
  QMenu* menu = nullptr;
  for (QToolButton* button : comparison->findChildren<QToolButton*>())
    if (button->isVisible() && button->menu() != nullptr) menu = button->menu();
  QVERIFY(menu != nullptr);
  QCOMPARE(menu->actions().size(), 5);
  menu->actions()[0]->trigger();
  QCOMPARE(comparison->shownTable().rows.size(), std::size_t(7));
  QCOMPARE(std::get<std::string>(comparison->shownTable().rows[0][0]), std::string("hasty"));
}

void ErrorsPanelsTest::helpIsOneKeyAway() {
  QVERIFY(m_errors->loadSample());
  test::ErrorsWindow::press(Qt::Key_F1);
  const auto* help = window()->findChild<HelpWindow*>();
  QVERIFY(help != nullptr && help->isVisible());
  QVERIFY(help->text()->toPlainText().startsWith(QStringLiteral("Errors")));
  QVERIFY(help->text()->toPlainText().contains(QStringLiteral("Kinds of errors: False negative, Column")));
  window()->findChild<HelpWindow*>()->close();
  window()->action("errors.compare")->trigger();
  errors()->sqlPage()->comparison()->showFigure(QStringLiteral("failure_upset"));
  window()->action("errors.help")->trigger();
  const QString text = help->text()->toPlainText();
  QVERIFY2(text.contains(QStringLiteral("UpSet")) && text.indexOf(QStringLiteral("UpSet")) < 60,
           qPrintable(text.left(80)));
  QVERIFY(text.contains(QStringLiteral("Review by hand")));
}

// By the words of the papers: nobody has to know what Fathom calls them.
void ErrorsPanelsTest::pagesAreFoundByTheirWords() {
  QVERIFY(m_errors->loadSample());
  window()->action("help.pages")->trigger();
  auto* help = window()->findChild<HelpWindow*>();
  QVERIFY(help != nullptr && help->isVisible() && !help->text()->toPlainText().isEmpty());
  QVERIFY(help->list()->count() > 40);
  for (const auto& [words, beginning] :
       {std::pair("RealFormer", "RealFormer: score chains"), std::pair("sketch both", "Kinds of errors")}) {
    help->searchBox()->setText(QString::fromLatin1(words));
    int shown = 0;
    for (int i = 0; i < help->list()->count(); ++i) {
      const QListWidgetItem* item = help->list()->item(i);
      const QString id = item->data(Qt::UserRole).toString();
      if (id.isEmpty()) continue;  // the head of a group
      const QString page = id + QLatin1Char(' ') + helpPage(id);
      bool all = true;
      for (const QString& word : QString::fromLatin1(words).split(QLatin1Char(' ')))
        all = all && page.contains(word, Qt::CaseInsensitive);
      QVERIFY2(item->isHidden() != all, qPrintable(id));
      shown += all ? 1 : 0;
    }
    QVERIFY(shown > 1 && shown < help->list()->count() / 2);  // others mention it: the one about it is read
    QTest::keyClick(help->searchBox(), Qt::Key_Return);
    const QString text = help->text()->toPlainText();
    QVERIFY2(text.startsWith(QString::fromLatin1(beginning)), qPrintable(text.left(80)));
  }
  help->close();
}

void ErrorsPanelsTest::anotherExampleIsReadFromItsBeginning() {
  QVERIFY(m_errors->loadSample());
  SqlEditor* editor = errors()->sqlPage()->example()->findChild<SqlEditor*>("goldSql");
  review()->choose(0, 5, nullptr);
  editor->SendScintilla(QsciScintilla::SCI_SETXOFFSET, 200);
  QCOMPARE(editor->SendScintilla(QsciScintilla::SCI_GETXOFFSET), 200L);
  review()->choose(0, 6, nullptr);
  QCOMPARE(editor->SendScintilla(QsciScintilla::SCI_GETXOFFSET), 0L);
}

void ErrorsPanelsTest::schemaNamesAreNotSquashed() {
  QVERIFY(m_errors->loadSample());
  QVERIFY(waitUntil([&] { return idle(); }));
  const QTreeWidget* tree = errors()->sqlPage()->schema()->tree();
  int widest = 0;
  for (int i = 0; i < tree->topLevelItemCount(); ++i)
    widest =
        qMax(widest,
             QFontMetrics(tree->topLevelItem(i)->font(0)).horizontalAdvance(tree->topLevelItem(i)->text(0)));
  QVERIFY(widest > 0);
  QVERIFY2(tree->columnWidth(0) >= qMin(widest, tree->viewport()->width() / 2),
           qPrintable(QStringLiteral("%1 of %2").arg(tree->columnWidth(0)).arg(widest)));
  // Whatever its width was before: in a large window each name is whole.
  for (const QSize& size : {QSize(1024, 700), QSize(2000, 1200)}) {
    window()->resize(size);
    QVERIFY(test::settled(window()));
  }
  int whole = 0;
  for (int t = 0; t < tree->topLevelItemCount(); ++t) {
    const QTreeWidgetItem* table = tree->topLevelItem(t);
    for (int i = 0; table->isExpanded() && i < table->childCount(); ++i, ++whole)
      QVERIFY(tree->columnWidth(0) >=
              2 * tree->indentation() + tree->fontMetrics().horizontalAdvance(table->child(i)->text(0)));
  }
  QVERIFY(whole > 0);
}

void ErrorsPanelsTest::hiddenSchemaTakesTheTheme() {
  QVERIFY(m_errors->loadSample());
  QVERIFY(waitUntil([&] { return idle(); }));
  window()->action("view.train")->trigger();
  for (const auto& [id, theme] :
       {std::pair{"theme.dark", &Theme::darkTheme()}, {"theme.light", &Theme::light()}}) {
    window()->action(id)->trigger();
    const QTreeWidgetItem* column = errors()->sqlPage()->schema()->tree()->topLevelItem(0)->child(0);
    QCOMPARE(column->foreground(1).color(), theme->secondary);
  }
}

// In the SQL both keys are the editor's, while it can be typed into.
void ErrorsPanelsTest::redoOfTheSqlHasTwoKeys() {
  QVERIFY(m_errors->loadSample());
  errors()->sqlPage()->example()->setEditing(true);
  SqlEditor* editor = errors()->sqlPage()->example()->findChild<SqlEditor*>("predictedSql");
  QVERIFY(editor->hasFocus());
  const QByteArray before = editor->sql();
  test::ErrorsWindow::press(Qt::Key_X);
  const QByteArray typed = editor->sql();
  QVERIFY(typed != before);
  for (const auto& [key, modifiers] : {std::pair{Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier},
                                       std::pair{Qt::Key_Y, Qt::KeyboardModifiers(Qt::ControlModifier)}}) {
    test::ErrorsWindow::press(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(editor->sql(), before);
    test::ErrorsWindow::press(key, modifiers);
    QCOMPARE(editor->sql(), typed);
  }
}

QTEST_MAIN(ErrorsPanelsTest)
#include "tst_errors_panels.moc"
