// SPDX-License-Identifier: Apache-2.0
// Predictions that are no SQL in the Errors workspace, with real keys and clicks: opened, filtered, judged.
#include <QAction>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QTest>
#include <algorithm>

#include "app/window/train/train_workspace.h"
#include "core/record/results/prediction_set.h"
#include "core/record/runs/run_config.h"
#include "core/tasks/task.h"
#include "tests/gui/support_text_review.h"
#include "views/panels/errors/facet_panel.h"
#include "views/panels/errors/judgement_history.h"
#include "views/panels/errors/note_lines.h"
#include "views/panels/errors/open_page.h"
#include "views/panels/widgets/elided_label.h"
#include "views/panels/widgets/help_text.h"
#include "views/panels/widgets/mark_canvas_view.h"
#include "views/panels/widgets/message_bar.h"
#include "views/tables/run_table_model.h"

using namespace fathom;
using test::waitUntil;

class TextReviewPageTest : public test::TextReviewTest {
  Q_OBJECT
 private Q_SLOTS:
  void init() { m_errors = std::make_unique<test::ErrorsWindow>(); }
  void cleanup() { m_errors.reset(); }
  void everyKind_data();
  void everyKind();
  void runsOpenTheirErrors_data() { everyKind_data(); }
  void runsOpenTheirErrors();
  void filesAreOpenedFromThePage();
  void formStaysWhenAnotherKindFails();
  void keysJudgeAndUndo();
  void filterFacetsAndSets();
  void theFilterNamesWhatThereIs();
  void wrongFilesAreExplained();
  void anotherLanguageKeepsThePlace();
  void sqlComesBack();

 private:
  void facetsCountWhatTheyShow();
};

void TextReviewPageTest::everyKind_data() {
  QTest::addColumn<int>("number");
  int number = 0;
  for (const test::SmallReview& small : test::smallReviews()) QTest::newRow(small.kind) << number++;
}

// A value that is called for shows as many examples as its count says.
void TextReviewPageTest::facetsCountWhatTheyShow() {
  int asked = 0;
  page()->predictions()->filterBox()->clear();
  const std::vector<ShownFacet> facets = page()->model()->filter().facets();
  QVERIFY(facets.size() > 3);  // category, state and tag are of every kind
  for (const ShownFacet& facet : facets)
    for (const ShownFacet::Value& value : facet.values) {
      if (value.word.contains(QLatin1Char(' '))) continue;
      const auto begins = [&](const ShownFacet::Value& each) {
        return each.word.startsWith(value.word, Qt::CaseInsensitive) ||
               each.title.startsWith(value.word, Qt::CaseInsensitive);
      };
      if (std::count_if(facet.values.begin(), facet.values.end(), begins) != 1) continue;
      QVERIFY2(int(rowsOf(facet.id + QLatin1Char(':') + value.word).size()) == value.count,
               qPrintable(facet.id + QLatin1Char(':') + value.word));
      asked += value.count > 0;
    }
  QVERIFY(asked > 3);
  page()->predictions()->filterBox()->clear();
}

// Two systems side by side: what the review of SQL can do, predictions of every kind can.
void TextReviewPageTest::everyKind() {
  QFETCH(const int, number);
  const test::SmallReview& small = test::smallReviews()[std::size_t(number)];
  QVERIFY(openKind(test::smallSources(small, m_folder.path())));
  QCOMPARE(review()->models(), 2);
  QCOMPARE(page()->model()->rowCount(), 4);
  // Sets.
  page()->predictions()->showSubset(int(ReviewSubset::WrongInAll));
  QCOMPARE(page()->model()->filter().rows(), std::vector<int>{3});
  page()->predictions()->showSubset(int(ReviewSubset::WrongInAny));
  QCOMPARE(page()->model()->filter().rows(), (std::vector<int>{1, 2, 3}));
  page()->predictions()->showSubset(int(ReviewSubset::All));
  // Text, regular expression, facets.
  const QString word = QString::fromLatin1(small.word);
  QCOMPARE(rowsOf(word), std::vector<int>{2});
  QCOMPARE(rowsOf(QLatin1Char('/') + word.left(2) + QStringLiteral("[a-z]+/")), std::vector<int>{2});
  facetsCountWhatTheyShow();
  // Both answers of an example are shown.
  const QString shown = page()->example()->html(2);
  QVERIFY(shown.contains(QStringLiteral("alpha")) && shown.contains(QStringLiteral("beta")));
  // Keys judge and go on; undo goes back, the history keeps both.
  page()->predictions()->table()->setFocus();
  review()->choose(0, 0, nullptr);
  press(Qt::Key_N);
  QCOMPARE(review()->currentExample(), 1);
  press(Qt::Key_1);
  QCOMPARE(review()->currentExample(), 3);
  QCOMPARE(review()->category(0, 1), review()->personCategories().front());
  QVERIFY(review()->isHuman(0, 1));
  QCOMPARE(rowsOf(QStringLiteral("is:reviewed")), std::vector<int>{1});
  page()->predictions()->filterBox()->clear();
  press(Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(review()->currentExample(), 1);
  QVERIFY(!review()->isHuman(0, 1));
  QCOMPARE(page()->example()->history()->list()->topLevelItemCount(), 2);
  // One example stays beside others.
  press(Qt::Key_B);
  QCOMPARE(page()->example()->pinned(), 1);
  press(Qt::Key_N);
  QVERIFY(pinnedText()->isVisible());
  QVERIFY(pinnedText()->toPlainText().contains(review()->headline(1)));
  QVERIFY(page()->example()->text()->toPlainText().contains(review()->headline(3)));
  press(Qt::Key_B);
  QVERIFY(page()->example()->pinned() < 0 && !pinnedText()->isVisible());
  // Notes and tags.
  press(Qt::Key_T);
  QTest::keyClicks(page()->example()->notes()->line(), QStringLiteral("quokka"));
  press(Qt::Key_Return);
  QCOMPARE(rowsOf(QStringLiteral("quokka")), std::vector<int>{3});
  QVERIFY(review()->setTags(2, {QStringLiteral("odd")}).ok());
  QCOMPARE(rowsOf(QStringLiteral("tag:odd")), std::vector<int>{2});
  // The rows of the list as tables.
  page()->predictions()->filterBox()->clear();
  QCOMPARE(table("rows.csv").trimmed().split('\n').size(), 5);
  QVERIFY(table("rows.tex").contains("\\toprule"));
  // Pairs, every figure, and the tables beside them.
  QVERIFY(compare());
  const QAbstractItemModel* pairs = page()->comparison()->findChild<QTableView*>("modelPairs")->model();
  QCOMPARE(pairs->index(0, 2).data().toString(), QStringLiteral("1"));
  QCOMPARE(pairs->index(0, 3).data().toString(), QStringLiteral("1"));
  QVERIFY(table("scores.csv").contains("alpha") && table("scores.tex").contains("\\toprule"));
  const QStringList figures = page()->comparison()->figureIds();
  QVERIFY(figures.contains(QStringLiteral("failure_venn")) &&
          figures.contains(QStringLiteral("failure_upset")));
  for (const QString& figure : figures) {
    page()->comparison()->showFigure(figure);
    QVERIFY2(page()->comparison()->canvas()->isVisible(), qPrintable(figure));
    const QString file = m_folder.filePath(figure + QStringLiteral(".svg"));
    page()->exportFigure(file);
    QVERIFY2(QFile(file).size() > 1000, qPrintable(figure));
  }
  Q_EMIT page()->comparison()->findChild<QTableView*>("modelPairs")->clicked(pairs->index(0, 2));
  QCOMPARE(page()->model()->filter().rows(), std::vector<int>{2});
}

// A run whose validation left these predictions, as its engine would write them: one click, and they are
// open.
void TextReviewPageTest::runsOpenTheirErrors() {
  QFETCH(const int, number);
  const test::SmallReview& small = test::smallReviews()[std::size_t(number)];
  const ReviewSources sources = test::smallSources(small, m_folder.path());
  Progress progress;
  const Review made = openReview(sources, 1, progress).value();
  const std::map<std::string, Json> options = {
      {"class", {{"task", "glue"}, {"glue.task", "rte"}}},
      {"number", {{"task", "glue"}, {"glue.task", "stsb"}}},
      {"span", {{"task", "squad"}, {"data.validation", sources.gold}}},
      {"choice", {{"task", "reclor"}, {"data.validation", sources.gold}}},
      {"translation", {{"task", "nmt"}}}};
  RunConfig config;
  config.name = small.kind;
  config.options = options.at(small.kind);
  PredictionSet set;
  set.task = config.options["task"].get<std::string>();
  set.checkpoint = "0001-00000020";
  set.split = "validation";
  set.fields = roleFields(findTask(set.task)->texts);
  const std::string reference = set.fields["reference"].get<std::string>();
  const std::string path = m_errors->fixture().addRun(small.kind);
  (void)RunFolder(path).beginAttempt(runConfigToJson(config)).value();
  RunOutcome outcome;
  outcome.state = RunState::Finished;
  RunFolder(path).writeOutcome(2, outcome).value();
  auto writer = PredictionSetWriter::create(path, set).value();
  for (const std::size_t i : {2, 0, 3, 1}) {  // batch by batch
    const ReviewExample& example = made.gold.examples[i];
    const auto named = [&](const std::string& text, int label) {
      return example.options.empty() ? text : std::string(1, char('A' + label));
    };
    const ReviewOutput& output = made.models[0].outputs[i];
    Json line = {{"example", i},
                 {set.fields["input"].get<std::string>(), headlineOf(example)},
                 {reference, named(example.references.front(), example.label)},
                 {"prediction", named(output.text, output.label)}};
    if (QLatin1String(small.kind) == QLatin1String("span")) line["id"] = example.id;
    writer.add(line).value();
  }
  writer.finish().value();
  MainWindow* window = m_errors->openWindow();
  QVERIFY(window != nullptr);
  const RunTableModel* runs = window->train()->runModel();
  QVERIFY(waitUntil([&] { return runs->runs().size() == 1; }));
  const QString uuid = runs->runs().front().uuid;
  window->selection()->set(Dimension::Run, {uuid}, uuid, nullptr);
  QAction* action = window->action("run.predictions");
  QVERIFY(waitUntil([&] { return action->isEnabled(); }));
  action->trigger();
  QVERIFY(waitUntil([this] { return errors()->page() == ErrorsWorkspace::kReview; }));
  QCOMPARE(review()->kind().id, std::string(small.kind));
  QCOMPARE(review()->models(), 1);
  QVERIFY(review()->modelName(0).contains(QStringLiteral("0001-00000020")));
  for (int i = 0; i < 4; ++i) QCOMPARE(review()->isWrong(0, i), i == 1 || i == 3);
}

void TextReviewPageTest::filesAreOpenedFromThePage() {
  QVERIFY(m_errors->open() != nullptr);
  m_errors->window()->action("errors.open_kind")->trigger();
  OpenPage* form = errors()->openPage();
  QVERIFY(form->isVisible() && !form->findChild<QPushButton*>("openFiles")->isEnabled());
  const ReviewSources sources = classes();
  form->setKind(QStringLiteral("choice"));
  QVERIFY(form->field(QStringLiteral("label_column")) == nullptr);
  form->setKind(QStringLiteral("class"));
  QVERIFY(form->field(QStringLiteral("label_column")) != nullptr);
  QTest::keyClicks(form->field(QStringLiteral("gold")), QString::fromStdString(sources.gold));
  form->addPredictions({QString::fromStdString(sources.predictions[0].path)});
  QVERIFY(form->findChild<QPushButton*>("openFiles")->isEnabled());
  QTest::mouseClick(form->findChild<QPushButton*>("openFiles"), Qt::LeftButton);
  QVERIFY(waitUntil([this] { return errors()->page() == ErrorsWorkspace::kReview; }));
  QCOMPARE(review()->examples(), 10);
  QCOMPARE(page()->predictions()->progressText(), QStringLiteral("0 of 3 reviewed"));
  // The next session opens it again.
  QVERIFY(m_errors->restart() && waitUntil([this] { return errors()->page() == ErrorsWorkspace::kReview; }));
}

// Predictions of a run that has none are a message; the form of another kind keeps what was written there.
void TextReviewPageTest::formStaysWhenAnotherKindFails() {
  QVERIFY(m_errors->open() != nullptr);
  m_errors->window()->action("errors.open_kind")->trigger();
  OpenPage* form = errors()->openPage();
  form->setKind(QStringLiteral("class"));
  const QString gold = QString::fromStdString(classes().gold);
  QTest::keyClicks(form->field(QStringLiteral("gold")), gold);
  RunItem run;
  run.uuid = QStringLiteral("none");
  run.folder = QStringLiteral("/nowhere/none");
  run.config = Json{{"task", "nmt"}};
  errors()->openRun(run);
  QVERIFY(waitUntil([this] { return m_errors->window()->messages()->count() == 1; }));
  QCOMPARE(QString::fromStdString(form->sources().kind), QStringLiteral("class"));
  QVERIFY(form->isVisible());
  QCOMPARE(form->field(QStringLiteral("gold"))->text(), gold);
}

void TextReviewPageTest::keysJudgeAndUndo() {
  QVERIFY(openClasses());
  QVERIFY(page()->predictions()->table()->hasFocus());
  QCOMPARE(review()->currentExample(), 7);  // the first wrong one
  press(Qt::Key_N);
  QCOMPARE(review()->currentExample(), 8);
  press(Qt::Key_P);
  QCOMPARE(review()->currentExample(), 7);
  // The heading stays when the window gets another size; a number without an id of its own stands once.
  const int width = page()->example()->width();
  m_errors->window()->resize(m_errors->window()->size() + QSize(60, 20));
  QVERIFY(waitUntil([&] { return page()->example()->width() != width; }));
  const auto heads = page()->example()->findChildren<ElidedLabel*>();
  QVERIFY(std::any_of(heads.begin(), heads.end(), [](const ElidedLabel* head) {
    return head->isVisible() && head->text() == QStringLiteral("Example 7");
  }));
  press(Qt::Key_2);  // ambiguous; then the next one
  QCOMPARE(review()->currentExample(), 8);
  QCOMPARE(review()->category(0, 7), int(*categoryIndex(review()->kind(), "ambiguous")));
  QVERIFY(review()->isHuman(0, 7));
  QCOMPARE(page()->predictions()->progressText(), QStringLiteral("1 of 3 reviewed"));
  press(Qt::Key_5);
  QCOMPARE(review()->category(0, 8), int(*categoryIndex(review()->kind(), "gold_error")));
  press(Qt::Key_P);
  QCOMPARE(review()->currentExample(), 8);
  press(Qt::Key_0);
  QVERIFY(!review()->isHuman(0, 8));
  press(Qt::Key_Z, Qt::ControlModifier);
  QVERIFY(review()->isHuman(0, 8));
  press(Qt::Key_Z, Qt::ControlModifier);
  press(Qt::Key_Z, Qt::ControlModifier);
  QVERIFY(!review()->isHuman(0, 7));
  QCOMPARE(review()->currentExample(), 7);
  QVERIFY(page()->example()->history()->list()->topLevelItemCount() == 2);
  press(Qt::Key_B);
  QCOMPARE(page()->example()->pinned(), 7);
  press(Qt::Key_N);
  QVERIFY(pinnedText()->isVisible());
  QVERIFY(pinnedText()->toPlainText().contains(QStringLiteral("text number 7")));
  QVERIFY(page()->example()->text()->toPlainText().contains(QStringLiteral("text number 8")));
  // Gold stands left of what was predicted.
  auto* text = page()->example()->text();
  const QRect gold =
      text->cursorRect(text->document()->find(QStringLiteral("Gold"), 0, QTextDocument::FindWholeWords));
  const QRect predicted = text->cursorRect(text->document()->find(QStringLiteral(" — ")));
  QVERIFY(gold.isValid() && predicted.isValid());
  QVERIFY(gold.left() < predicted.left() && gold.top() == predicted.top());
  press(Qt::Key_T);
  QVERIFY(page()->example()->notes()->line()->hasFocus());
  QTest::keyClicks(page()->example()->notes()->line(), QStringLiteral("quokka"));
  press(Qt::Key_Return);
  QCOMPARE(review()->judgements().note(8), std::string("quokka"));
}

void TextReviewPageTest::filterFacetsAndSets() {
  QVERIFY(openClasses());
  PredictionTableModel* model = page()->model();
  QCOMPARE(model->rowCount(), 10);
  QLineEdit* box = page()->predictions()->filterBox();
  box->setText(QStringLiteral("number 3"));
  QCOMPARE(model->filter().rows(), std::vector<int>{3});
  box->setText(QStringLiteral("/number [89]/"));
  QCOMPARE(model->filter().rows(), (std::vector<int>{8, 9}));
  box->setText(QStringLiteral("gold:yes is:unreviewed"));
  QCOMPARE(model->filter().rows(), (std::vector<int>{7, 9}));
  box->clear();
  page()->predictions()->showSubset(int(ReviewSubset::WrongInAll));
  QCOMPARE(model->filter().rows(), (std::vector<int>{7, 8, 9}));
  page()->predictions()->showSubset(int(ReviewSubset::WrongInAny));
  QCOMPARE(model->rowCount(), 6);
  page()->predictions()->showSubset(int(ReviewSubset::All));
  QVERIFY(review()->setTags(5, {QStringLiteral("odd")}).ok());
  box->setText(QStringLiteral("tag:odd"));
  QCOMPARE(model->filter().rows(), std::vector<int>{5});
  // Sorting and every facet count agree with a plain look.
  box->clear();
  model->sort(model->categoryColumn(), Qt::DescendingOrder);
  QCOMPARE(model->exampleOfRow(0), 7);
  for (const ShownFacet& facet : model->filter().facets())
    if (facet.id == QLatin1String("gold")) QCOMPARE(facet.values[0].count + facet.values[1].count, 10);
}

void TextReviewPageTest::theFilterNamesWhatThereIs() {
  QVERIFY(openClasses());
  const QString hint = page()->predictions()->filterBox()->placeholderText();
  QVERIFY2(hint.contains(QStringLiteral("category:wrong")) && hint.contains(QStringLiteral("gold:no")),
           qPrintable(hint));
  QVERIFY(!hint.contains(QStringLiteral("join")));
  // What it names finds something.
  page()->predictions()->filterBox()->setText(QStringLiteral("gold:no"));
  QCOMPARE(page()->model()->rowCount(), 5);
}

void TextReviewPageTest::wrongFilesAreExplained() {
  QVERIFY(m_errors->open() != nullptr);
  ReviewSources sources = classes();
  sources.predictions[0].path = write("bad.tsv", "index\tprediction\n0\tyes\n0\tno\n").toStdString();
  errors()->open(sources);
  QVERIFY(waitUntil([this] { return errors()->page() == ErrorsWorkspace::kOpen; }));
  bool said = false;
  for (const QLabel* label : errors()->openPage()->findChildren<QLabel*>())
    said = said || label->text().contains(QStringLiteral("bad.tsv:3"));
  QVERIFY(said);
}

// A language makes the window anew: model, example, filter, part and judgements are those of before.
void TextReviewPageTest::anotherLanguageKeepsThePlace() {
  QVERIFY(openClasses());
  review()->choose(1, 4, nullptr);
  press(Qt::Key_2);
  const int next = review()->currentExample();
  QVERIFY(next > 4);
  page()->predictions()->filterBox()->setText(QStringLiteral("number"));
  page()->predictions()->showSubset(int(ReviewSubset::WrongInAny));
  const int rows = page()->predictions()->table()->model()->rowCount();
  QCOMPARE(rows, 6);
  m_errors->window()->action("errors.compare")->trigger();
  page()->comparison()->chooseFigure(page()->comparison()->figureIds().last());
  const QString figure = page()->comparison()->figureIds().last();
  for (const char* language : {"zh_CN", "en"}) {
    QVERIFY(m_errors->changeLanguage(language));
    QVERIFY(waitUntil([this] { return (page()->part() == ReviewPage::kCompare); }));
    QCOMPARE(page()->comparison()->figureBox()->currentData().toString(), figure);
    QCOMPARE(review()->currentModel(), 1);
    QCOMPARE(review()->currentExample(), next);
    QCOMPARE(page()->predictions()->filterBox()->text(), QStringLiteral("number"));
    QCOMPARE(page()->predictions()->table()->model()->rowCount(), rows);
    QVERIFY(review()->isHuman(1, 4));
    QCOMPARE(review()->category(1, 4), int(*categoryIndex(review()->kind(), "ambiguous")));
  }
  m_errors->window()->action("errors.review")->trigger();
  review()->choose(1, 4, nullptr);
  QVERIFY(category(2)->isChecked());
}

// SQL opened afterwards has its own keys and panels again.
void TextReviewPageTest::sqlComesBack() {
  QVERIFY(openClasses());
  QVERIFY(m_errors->window()->action("errors.category1")->text().contains(QStringLiteral("Wrong class")));
  errors()->openSample();
  QVERIFY(waitUntil([this] { return errors()->page() == ErrorsWorkspace::kReview; }));
  QVERIFY(m_errors->window()->action("errors.category1")->text().contains(QStringLiteral("False neg.")));
  QVERIFY(!m_errors->window()->action("errors.category6")->isVisible());
  QVERIFY(review()->empty());
}

QTEST_MAIN(TextReviewPageTest)
#include "tst_text_review_page.moc"
