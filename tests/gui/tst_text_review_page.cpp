// SPDX-License-Identifier: Apache-2.0
// Predictions that are no SQL in the Errors workspace, with real keys and clicks.
#include <QAction>
#include <QComboBox>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QProcess>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
#include <QToolButton>
#include <QTreeWidget>
#include <algorithm>

#include "app/recipes/figure_builder.h"
#include "app/window/errors/text_review_page.h"
#include "app/window/figures/figures_workspace.h"
#include "app/window/jobs/job_center.h"
#include "app/window/train/train_workspace.h"
#include "core/record/results/prediction_set.h"
#include "core/record/runs/run_config.h"
#include "core/tasks/task.h"
#include "tests/gui/support_errors_window.h"
#include "tests/unit/support_small_reviews.h"
#include "views/figures/review_tables.h"
#include "views/look/engine_text.h"
#include "views/look/theme.h"
#include "views/panels/errors/comparison_panel.h"
#include "views/panels/errors/facet_panel.h"
#include "views/panels/errors/judgement_history.h"
#include "views/panels/errors/note_lines.h"
#include "views/panels/errors/open_page.h"
#include "views/panels/errors/prediction_panel.h"
#include "views/panels/errors/text_example_panel.h"
#include "views/panels/figures/figure_list_panel.h"
#include "views/panels/widgets/elided_label.h"
#include "views/panels/widgets/help_text.h"
#include "views/panels/widgets/mark_canvas_view.h"
#include "views/panels/widgets/message_bar.h"
#include "views/tables/prediction_table_model.h"
#include "views/tables/run_table_model.h"

using namespace fathom;
using test::waitUntil;

class TextReviewPageTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { m_errors = std::make_unique<test::ErrorsWindow>(); }
  void cleanup() { m_errors.reset(); }
  void everyKind_data();
  void everyKind();
  void runsOpenTheirErrors_data() { everyKind_data(); }
  void runsOpenTheirErrors();
  void figuresHaveChoices();
  void systemsOfTheDiagram();
  void optionsAreOfModels();
  void filesAreOpenedFromThePage();
  void formStaysWhenAnotherKindFails();
  void keysJudgeAndUndo();
  void filterFacetsAndSets();
  void comparisonLeadsToExamples();
  void peopleCountInPairs();
  void cellsOfTheMatrixSelectExamples();
  void figuresHaveRecipes();
  void examplesAreATable();
  void mostConfidentErrorsComeFirst();
  void nullOddsBelongToPredictions();
  void theFilterNamesWhatThereIs();
  void wrongFilesAreExplained();
  void spansAreMarked();
  void longPassagesShowTheirAnswer();
  void wrongPhrasesAreMarkedWhole();
  void judgementIsMarkedWhereItCounts();
  void anotherLanguageKeepsThePlace();
  void sqlComesBack();

 private:
  QTextBrowser* pinnedText() const { return page()->example()->findChild<QTextBrowser*>("pinnedExample"); }
  QString write(const char* name, const QByteArray& bytes) const {
    QFile file(m_folder.filePath(QString::fromLatin1(name)));
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() ? file.fileName() : QString();
  }
  // Ten examples; "good" has 7 right, "poor" 4.
  ReviewSources classes() const {
    QByteArray gold = "sentence\tlabel\n", good, poor;
    for (int i = 0; i < 10; ++i) {
      gold += "text number " + QByteArray::number(i) + "\t" + (i % 2 ? "yes" : "no") + "\n";
      good += QByteArray((i < 7) == bool(i % 2) ? "yes\n" : "no\n");
      poor += QByteArray((i < 4) == bool(i % 2) ? "yes\n" : "no\n");
    }
    ReviewSources sources{"class", write("gold.tsv", gold).toStdString()};
    sources.predictions = {{"good", write("good.txt", good).toStdString()},
                           {"poor", write("poor.txt", poor).toStdString()}};
    return sources;
  }
  bool openKind(const ReviewSources& sources) {
    if (m_errors->open() == nullptr) return false;
    errors()->open(sources);
    return waitUntil([this] { return errors()->page() == ErrorsWorkspace::kReview; });
  }
  bool openClasses() { return openKind(classes()); }
  bool openSmall(const char* kind) {
    for (const test::SmallReview& small : test::smallReviews())
      if (QLatin1String(small.kind) == QLatin1String(kind))
        return openKind(test::smallSources(small, m_folder.path()));
    return false;
  }
  bool compare() {
    m_errors->window()->action("errors.compare")->trigger();
    return waitUntil([this] { return page()->comparison()->hasPairs(); });
  }
  QByteArray table(const char* name) {
    page()->exportTable(m_folder.filePath(QLatin1String(name)));
    QFile file(m_folder.filePath(QLatin1String(name)));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }
  std::vector<int> rowsOf(const QString& filter) {
    page()->predictions()->filterBox()->setText(filter);
    return page()->model()->filter().rows();
  }
  // The box of the figure's choices that is called so.
  QComboBox* choice(const QString& name) const {
    for (QComboBox* box : page()->comparison()->findChildren<QComboBox*>())
      if (box->isVisible() && box->accessibleName() == name) return box;
    return nullptr;
  }
  void facetsCountWhatTheyShow();
  ErrorsWorkspace* errors() const { return m_errors->errors(); }
  TextReviewPage* page() const { return errors()->textPage(); }
  ReviewedPredictions* review() const { return page()->review(); }
  // The button of the n-th category that a person may choose.
  QToolButton* category(int number) const {
    const QString id = QStringLiteral("errors.category%1").arg(number);
    for (QToolButton* each : page()->example()->findChildren<QToolButton*>())
      if (each->defaultAction() != nullptr && each->defaultAction()->objectName() == id) return each;
    return nullptr;
  }
  static void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    test::ErrorsWindow::press(key, modifiers);
  }
  QTemporaryDir m_folder;
  std::unique_ptr<test::ErrorsWindow> m_errors;
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

// By what examples are grouped and what is averaged is chosen beside the figure, and kept in its recipe.
void TextReviewPageTest::figuresHaveChoices() {
  QVERIFY(openSmall("span"));
  QVERIFY(compare());
  ComparisonPanel* comparison = page()->comparison();
  comparison->showFigure(QStringLiteral("facet_scores"));
  QVERIFY(waitUntil([this] { return choice(QStringLiteral("Number")) != nullptr; }));
  QComboBox *facets = choice(QStringLiteral("Facet")), *numbers = choice(QStringLiteral("Number"));
  QVERIFY(facets != nullptr && numbers != nullptr);
  QCOMPARE(facets->currentText(), QStringLiteral("Question word"));
  QCOMPARE(numbers->currentText(), QStringLiteral("right, %"));
  QVERIFY(comparison->recipe().options.empty());
  facets->setCurrentIndex(facets->findText(QStringLiteral("Words of the answer")));
  numbers->setCurrentIndex(numbers->findText(QStringLiteral("F1")));
  QCOMPARE(comparison->recipe().options.dump(), Json({{"facet", "words"}, {"number", "f1"}}).dump());
  QCOMPARE(phraseText(comparison->canvas()->spec().panels[0].x.label), QStringLiteral("Words of the answer"));
  QVERIFY(comparison->canvas()->isVisible());
  // Another figure has its own.
  comparison->showFigure(QStringLiteral("failure_venn"));
  QVERIFY(comparison->recipe().options.empty());
  QVERIFY(choice(QStringLiteral("Facet")) == nullptr);
}

// Of more systems than a diagram of sets can show, those that are ticked.
void TextReviewPageTest::systemsOfTheDiagram() {
  ReviewSources sources = classes();
  for (const char* name : {"c", "d", "e"}) {
    sources.predictions.push_back(sources.predictions.back());
    sources.predictions.back().name = name;
  }
  QVERIFY(openKind(sources));
  QVERIFY(compare());
  ComparisonPanel* comparison = page()->comparison();
  comparison->showFigure(QStringLiteral("failure_venn"));
  QMenu* menu = nullptr;
  for (QToolButton* button : comparison->findChildren<QToolButton*>())
    if (button->menu() != nullptr && button->text() == QStringLiteral("Systems")) menu = button->menu();
  QVERIFY(menu != nullptr);
  QCOMPARE(menu->actions().size(), qsizetype{5});
  QVERIFY(menu->actions()[3]->isChecked() && !menu->actions()[4]->isChecked());
  for (const int each : {1, 2, 3, 4}) menu->actions()[each]->trigger();
  QCOMPARE(comparison->recipe().options.dump(), Json({{"systems", {"good", "e"}}}).dump());
  QVERIFY(comparison->canvas()->isVisible());
}

// A table of options says whose choice a column is, not by colour alone.
void TextReviewPageTest::optionsAreOfModels() {
  QVERIFY(openSmall("choice"));
  const QString html = page()->example()->html(1);
  const qsizetype options = html.indexOf(QStringLiteral("Options"));
  QVERIFY(options > 0);
  const QString head = html.mid(options, html.indexOf(QStringLiteral("</tr>"), options) - options);
  QVERIFY2(head.contains(QStringLiteral("&nbsp;A</td>")) && head.contains(QStringLiteral("&nbsp;B</td>")),
           qPrintable(head));
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
  QVERIFY(m_errors->restart() || waitUntil([this] { return errors()->page() == ErrorsWorkspace::kReview; }));
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
  press(Qt::Key_N);
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

void TextReviewPageTest::comparisonLeadsToExamples() {
  QVERIFY(openClasses());
  m_errors->window()->action("errors.compare")->trigger();
  QVERIFY((page()->part() == ReviewPage::kCompare));
  QVERIFY(waitUntil([this] { return page()->comparison()->hasPairs(); }));
  QTableView* pairs = page()->comparison()->findChild<QTableView*>("modelPairs");
  QCOMPARE(pairs->model()->index(0, 2).data().toString(), QStringLiteral("3"));
  Q_EMIT pairs->clicked(pairs->model()->index(0, 2));
  QVERIFY(!(page()->part() == ReviewPage::kCompare));
  QCOMPARE(page()->model()->filter().rows(), (std::vector<int>{4, 5, 6}));
  const QString figure = m_folder.filePath(QStringLiteral("m.svg"));
  page()->exportFigure(figure);
  QVERIFY(QFile(figure).size() > 1000);
  const QString table = m_folder.filePath(QStringLiteral("t.csv"));
  page()->exportTable(table);
  QFile file(table);
  QVERIFY(file.open(QIODevice::ReadOnly));
  QVERIFY(file.readAll().contains("good"));
}

// Of ten examples "good" errs in 7, 8, 9 and "poor" in 4 and 5 and 6 too.
void TextReviewPageTest::peopleCountInPairs() {
  QVERIFY(openClasses());
  review()->choose(1, 4, this);
  page()->predictions()->table()->setFocus();
  press(Qt::Key_6);  // right after all; then the next one
  QCOMPARE(review()->category(1, 4), int(*categoryIndex(review()->kind(), "after_all")));
  QCOMPARE(review()->currentExample(), 5);
  press(Qt::Key_5);  // gold is wrong
  QVERIFY(compare());
  QTableView* pairs = page()->comparison()->findChild<QTableView*>("modelPairs");
  const QAbstractItemModel* cells = pairs->model();
  QCOMPARE(cells->rowCount(), 2);
  QCOMPARE(pairs->horizontalHeader()->visualIndex(kPairVerdicts), 2);
  QCOMPARE(cells->index(0, kPairOnlyFirst).data().toString(), QStringLiteral("3"));
  QCOMPARE(cells->index(1, kPairOnlyFirst).data().toString(), QStringLiteral("1"));
  const auto words = page()->comparison()->findChildren<QLabel*>();
  QVERIFY(std::any_of(words.begin(), words.end(), [](const QLabel* label) {
    return label->text().contains(QStringLiteral("judged by people: 2;"));
  }));
  // The shell says the same digits.
  QProcess shell;
  const ReviewSources files = classes();
  shell.start(QStringLiteral(FATHOM_BIN_DIR "/fathom"),
              {"review", "--kind", "class", "--gold", fromUtf8(files.gold), "--predictions",
               fromUtf8("good=" + files.predictions[0].path), fromUtf8("poor=" + files.predictions[1].path),
               "--judgements", m_errors->project()});
  QVERIFY(shell.waitForFinished(60000));
  const QString said = QString::fromUtf8(shell.readAllStandardOutput()).simplified();
  for (const int row : {0, 1}) {
    const auto cell = [&](int column) { return cells->index(row, column).data().toString(); };
    const QString digits = QStringLiteral("good poor %1 %2 %3 %4 %5")
                               .arg(cell(2), cell(3), cell(4), cell(5),
                                    cell(6).replace(QStringLiteral("…"), QStringLiteral("to")));
    QVERIFY2(said.contains(digits), qPrintable(digits + '\n' + said));
  }
  // A key on the number by people shows the example that is behind it, a click that of the metric.
  pairs->setCurrentIndex(cells->index(1, kPairOnlyFirst));
  Q_EMIT pairs->activated(pairs->currentIndex());
  QCOMPARE(page()->model()->filter().rows(), std::vector<int>{6});
  // What is judged now counts when the comparison is looked at again.
  press(Qt::Key_Z, Qt::ControlModifier);
  QVERIFY(!page()->comparison()->hasPairs());
  QVERIFY(compare());
  QCOMPARE(cells->index(1, kPairOnlyFirst).data().toString(), QStringLiteral("2"));
  // The figure with intervals counts by people's verdicts by a choice beside it.
  page()->comparison()->showFigure(QStringLiteral("facet_scores"));
  QVERIFY(waitUntil([this] { return choice(QStringLiteral("Verdicts")) != nullptr; }));
  QComboBox* verdicts = choice(QStringLiteral("Verdicts"));
  verdicts->setFocus();
  press(Qt::Key_Down);
  QCOMPARE(page()->comparison()->recipe().options["verdicts"], Json("people"));
  QVERIFY(waitUntil([this] {
    const auto& notes = page()->comparison()->canvas()->spec().notes;
    return std::any_of(notes.begin(), notes.end(), [](const Phrase& note) {
      return phraseText(note).contains(QStringLiteral("judged by people: 1;"));
    });
  }));
}

// A click on a cell of the confusion matrix shows the examples that are in it.
void TextReviewPageTest::cellsOfTheMatrixSelectExamples() {
  QVERIFY(openClasses());
  m_errors->window()->action("errors.compare")->trigger();
  ComparisonPanel* comparison = page()->comparison();
  QVERIFY(waitUntil([&] { return comparison->hasPairs() && !comparison->canvas()->spec().panels.empty(); }));
  QCOMPARE(comparison->recipe().figure, std::string("confusion_matrix"));
  // Gold "no" (0, 2, 4, 6, 8), predicted "yes" by "good": number 8.
  std::string cell;
  for (const FigureMark& mark : comparison->canvas()->spec().panels[0].marks)
    if (mark.selection.ends_with("/ex:8")) cell = mark.selection;
  QVERIFY(!cell.empty());
  Q_EMIT comparison->canvas()->clicked(QString::fromStdString(cell));
  QVERIFY(!(page()->part() == ReviewPage::kCompare));
  QCOMPARE(page()->model()->filter().rows(), std::vector<int>{8});
  QCOMPARE(review()->currentExample(), 8);
  // Every figure of the kind can be drawn, the groups of the gold label among them.
  m_errors->window()->action("errors.compare")->trigger();
  QStringList drawn;
  for (int i = 0; i < comparison->figureBox()->count(); ++i) {
    comparison->figureBox()->setCurrentIndex(i);
    if (comparison->canvas()->isVisible()) drawn.append(comparison->figureBox()->itemData(i).toString());
  }
  for (const char* id : {"confusion_matrix", "facet_scores", "failure_venn", "failure_upset"})
    QVERIFY2(drawn.contains(QLatin1String(id)), id);
  QVERIFY(!drawn.contains(QStringLiteral("calibration_curve")));  // no probabilities: the panel says so
}

// A figure of the window is kept in the project: it is made again byte for byte, alone or on a page.
void TextReviewPageTest::figuresHaveRecipes() {
  QVERIFY(openClasses());
  m_errors->window()->action("errors.compare")->trigger();
  page()->comparison()->showFigure(QStringLiteral("confusion_matrix"));
  const QString file = m_folder.filePath(QStringLiteral("matrix.svg"));
  page()->exportFigure(file);
  QFile written(file);
  QVERIFY(written.open(QIODevice::ReadOnly));
  const QByteArray bytes = written.readAll();
  const std::string project = m_errors->project().toStdString();
  const auto builder = FigureBuilder::open(project).value();
  const FigureRecipe recipe = figureRecipe(builder->library(), "matrix").value();
  QCOMPARE(recipe.figure, std::string("confusion_matrix"));
  Progress progress;
  const FigureReview* opened = builder->review(recipe, progress, {}).value();
  const QString again = m_folder.filePath(QStringLiteral("again.svg"));
  QVERIFY(exportReviewRecipe(recipe, opened->input(), again.toStdString()).ok());
  QFile second(again);
  QVERIFY(second.open(QIODevice::ReadOnly));
  QCOMPARE(second.readAll(), bytes);
  // On a page: from the list of kinds it takes the predictions that were opened last.
  MainWindow* window = m_errors->window();
  window->action("view.figures")->trigger();
  FiguresWorkspace* figures = window->figures();
  QVERIFY(waitUntil([&] { return figures->settled() && window->jobs()->count() == 0; }));
  figures->editor()->create();
  figures->list()->setCurrent(QStringLiteral("facet_scores"));
  figures->addChosen();
  figures->editor()->add(recipe);
  QVERIFY(waitUntil([&] { return figures->settled() && window->jobs()->count() == 0; }));
  QCOMPARE(figures->composition()->panels.size(), std::size_t{2});
  const QString pageFile = m_folder.filePath(QStringLiteral("page.svg"));
  figures->exportPage(pageFile);
  QVERIFY(waitUntil([&] { return window->jobs()->count() == 0 && QFile::exists(pageFile); }));
  QVERIFY(waitUntil([&] { return QFile::exists(m_folder.filePath(QStringLiteral("page.csv"))); }));
  QFile numbers(m_folder.filePath(QStringLiteral("page.csv")));
  QVERIFY(numbers.open(QIODevice::ReadOnly));
  const QByteArray text = numbers.readAll();
  QVERIFY2(text.contains("good") && text.contains("poor"), text.constData());
}

// The rows of the list as a table: what the filter shows, as CSV and LaTeX.
void TextReviewPageTest::examplesAreATable() {
  QVERIFY(openClasses());
  page()->predictions()->filterBox()->setText(QStringLiteral("is:unreviewed"));
  const auto exported = [&](const char* name) {
    page()->exportTable(m_folder.filePath(QLatin1String(name)));
    QFile file(m_folder.filePath(QLatin1String(name)));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  };
  const QByteArray csv = exported("examples.csv"), latex = exported("examples.tex");
  QCOMPARE(csv.trimmed().split('\n').size(), 4);  // a heading and 7, 8, 9
  QVERIFY2(csv.contains("8,text number 8,no,yes,Wrong class,yes,Wrong class"), csv.constData());
  QVERIFY(latex.contains("\\toprule") && latex.contains("text number 9"));
}

// Sorted by confidence, the largest first, among those that are wrong.
void TextReviewPageTest::mostConfidentErrorsComeFirst() {
  QVERIFY(m_errors->open() != nullptr);
  QByteArray gold = "sentence\tlabel\n", lines;
  for (int i = 0; i < 6; ++i) {
    gold += "text\t0\n";
    const double wrong = i < 4 ? 0.6 + 0.1 * ((i + 2) % 4) : 0.1;  // .8 .9 .6 .7, then right
    lines += "{\"index\":" + QByteArray::number(i) + ",\"probs\":[" + QByteArray::number(1 - wrong) + "," +
             QByteArray::number(wrong) + "]}\n";
  }
  gold += "text\t1\n";
  lines += "{\"index\":6,\"probs\":[0.1,0.9]}\n";
  ReviewSources sources{"class", write("sure.tsv", gold).toStdString()};
  sources.predictions = {{"m", write("sure.jsonl", lines).toStdString()}};
  errors()->open(sources);
  QVERIFY(waitUntil([this] { return errors()->page() == ErrorsWorkspace::kReview; }));
  page()->predictions()->showSubset(int(ReviewSubset::WrongHere));
  page()->predictions()->table()->sortByColumn(page()->model()->categoryColumn() + 1, Qt::DescendingOrder);
  QCOMPARE(page()->model()->filter().rows(), (std::vector<int>{1, 0, 3, 2}));
}

// SQuAD's null odds have a place in the form: a column of the list, a button that chooses the file.
void TextReviewPageTest::nullOddsBelongToPredictions() {
  QVERIFY(m_errors->open() != nullptr);
  m_errors->window()->action("errors.open_kind")->trigger();
  OpenPage* form = errors()->openPage();
  form->setKind(QStringLiteral("class"));
  QVERIFY(!form->findChild<QPushButton*>("nullOdds")->isVisible() && form->files()->isColumnHidden(2));
  form->setKind(QStringLiteral("span"));
  QVERIFY(form->findChild<QPushButton*>("nullOdds")->isVisible() && !form->files()->isColumnHidden(2));
  QVERIFY(!form->findChild<QPushButton*>("nullOdds")->isEnabled());
  form->setPath(QStringLiteral("gold"),
                write("n.json", R"({"data":[{"title":"T","paragraphs":[{"context":"Bob sat.","qas":[
    {"id":"a","question":"Who?","answers":[{"text":"Bob","answer_start":0}]},
    {"id":"b","question":"Why?","answers":[],"is_impossible":true}]}]}]})"));
  form->addPredictions({write("spans.json", R"({"a":"Bob","b":"sat"})")});
  QVERIFY(form->findChild<QPushButton*>("nullOdds")->isEnabled());
  form->setPath(QStringLiteral("null_odds"), write("odds.json", R"({"a":-3.5,"b":2.25})"));
  QCOMPARE(form->sources().predictions[0].nullOdds, m_folder.filePath("odds.json").toStdString());
  QTest::mouseClick(form->findChild<QPushButton*>("openFiles"), Qt::LeftButton);
  QVERIFY(waitUntil([this] { return errors()->page() == ErrorsWorkspace::kReview; }));
  QCOMPARE(review()->output(0, 1).nullScore, 2.25);
  // They are part of what the project remembers.
  form->setSources(review()->review().sources);
  QCOMPARE(form->sources().predictions[0].nullOdds, m_folder.filePath("odds.json").toStdString());
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

void TextReviewPageTest::spansAreMarked() {
  QVERIFY(m_errors->open() != nullptr);
  ReviewSources sources{
      "span", write("s.json", R"({"data":[{"title":"T","paragraphs":[{"context":"Bob sat in the old cafe.",
    "qas":[{"id":"q","question":"Where?","answers":[{"text":"the old cafe","answer_start":11}]}]}]}]})")
                  .toStdString()};
  sources.predictions = {{"m", write("p.json", R"({"q":"in the old"})").toStdString()}};
  errors()->open(sources);
  QVERIFY(waitUntil([this] { return errors()->page() == ErrorsWorkspace::kReview; }));
  QCOMPARE(review()->categoryTitle(review()->category(0, 0)), QStringLiteral("Partly"));
  const QString html = page()->example()->html(0);
  QVERIFY(html.contains(QStringLiteral("background-color")) && html.contains(QStringLiteral("underline")));
  press(Qt::Key_6);  // unanswerable: a key that SQL does not have
  QCOMPARE(review()->category(0, 0), int(*categoryIndex(review()->kind(), "unanswerable")));
}

// Of a passage of 100,000 words the part around the answer is shown.
void TextReviewPageTest::longPassagesShowTheirAnswer() {
  QVERIFY(m_errors->open() != nullptr);
  std::string passage;
  for (int i = 0; i < 100000; ++i) passage += "élan ";
  const std::size_t start = 5 * 100000;
  passage += "quokka";
  Json question = {{"id", "q"}, {"question", "Which?"}};
  question["answers"] = Json::array({{{"text", "quokka"}, {"answer_start", start}}});
  const Json paragraph = {{"context", passage}, {"qas", Json::array({question})}};
  const Json gold = {{"data", Json::array({{{"title", "T"}, {"paragraphs", Json::array({paragraph})}}})}};
  ReviewSources sources{"span", write("long.json", gold.dump().c_str()).toStdString()};
  sources.predictions = {{"m", write("long.p.json", R"({"q":"élan élan"})").toStdString()}};
  errors()->open(sources);
  QVERIFY(waitUntil([this] { return errors()->page() == ErrorsWorkspace::kReview; }));
  const QString html = page()->example()->html(0);
  QVERIFY(html.contains(QStringLiteral(">quokka</span>")) && html.contains(QStringLiteral("… ")));
  QVERIFY(!html.contains(QChar::ReplacementCharacter) && html.size() < 400000);
}

// A phrase that is right is not marked for its neighbour's sake.
void TextReviewPageTest::wrongPhrasesAreMarkedWhole() {
  QVERIFY(m_errors->open() != nullptr);
  Json record = {{"url", "u"},
                 {"VDOM", Json::array({{{"text", "Velmora ferry"}, {"feature", std::vector<int>(20, 1)}}})},
                 {"KeyPhrases", Json::array({Json{"velmora", "ferry"}})}};
  ReviewSources sources{"phrases", write("p.jsonl", record.dump().c_str()).toStdString()};
  record.erase("VDOM");
  record["KeyPhrases"] = Json::array({Json{"Velmora", "boat"}, Json{"Velmora", "ferry"}});
  sources.predictions = {{"m", write("k.jsonl", record.dump().c_str()).toStdString()}};
  errors()->open(sources);
  QVERIFY(waitUntil([this] { return errors()->page() == ErrorsWorkspace::kReview; }));
  const QString html = page()->example()->html(0);
  QVERIFY2(html.contains(QStringLiteral(">Velmora boat</span>; Velmora ferry")), qPrintable(html));
}

// The button of what a person chose is filled with the accent, on the examples where that counts.
void TextReviewPageTest::judgementIsMarkedWhereItCounts() {
  QVERIFY(openClasses());
  const auto marked = [this] {
    QList<int> numbers;
    const QColor accent = Theme::of(page()->palette()).accent;
    for (int i = 1; i <= 4; ++i) {
      QToolButton* button = category(i);
      const QImage picture = button->grab().toImage();
      const QColor fill = picture.pixelColor(int(4 * picture.devicePixelRatio()), picture.height() / 2);
      if (button->isChecked() && fill.rgb() == accent.rgb()) numbers.append(i);
      if (button->isChecked() != (fill.rgb() == accent.rgb())) numbers.append(-i);
    }
    return numbers;
  };
  press(Qt::Key_N);
  QCOMPARE(marked(), QList<int>());
  QToolButton* second = category(2);
  QTest::mouseClick(second, Qt::LeftButton);
  QCOMPARE(review()->currentExample(), 8);  // the next one, of which nothing was said
  QCOMPARE(marked(), QList<int>());
  review()->choose(0, 7, nullptr);
  QCOMPARE(marked(), QList<int>{2});
  press(Qt::Key_0);
  QCOMPARE(marked(), QList<int>());
  // Of the last one nothing follows: it stays, and what was said of it is marked.
  review()->choose(0, 9, nullptr);
  QTest::mouseClick(second, Qt::LeftButton);
  QCOMPARE(review()->currentExample(), 9);
  QCOMPARE(marked(), QList<int>{2});
  // A prediction that is right has no error to name.
  review()->choose(0, 0, nullptr);
  QVERIFY(!second->isEnabled());
  QCOMPARE(marked(), QList<int>());
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
