// SPDX-License-Identifier: Apache-2.0
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QFile>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QTest>
#include <QToolButton>
#include <cmath>
#include <map>
#include <optional>

#include "core/base/files/atomic_file.h"
#include "tests/gui/support_figures_window.h"
#include "views/figure/figure_words.h"
#include "views/panels/figures/check_strip.h"
#include "views/panels/figures/page_view.h"
#include "views/panels/figures/text_in_place.h"

using namespace fathom;

// Texts of a page in words of one's own, and what mends the checks of a page.
class PageTextsTest : public test::FiguresWindowTest {
  Q_OBJECT
 private Q_SLOTS:
  void init() { begin(); }
  void cleanup() { end(); }
  void textsAreEditedWhereTheyStand();
  void titlesAreThePanels();
  void escapeAndEmptyTakeTheFiguresOwnWords();
  void tabGoesThroughTheTextsOfAFigure();
  void sharedAxesAreOneText();
  void filesSayTheSame();
  void dashesTellLinesApart();
  void tooHighPagesAreMadeToFit();
  void allPanelsTakeTheSameRuns();
  void aSlideIsSixteenToNine();
  void entriesThatAreCalledAlikeStayApart();
  void aClickElsewhereTakesTheTextAndTheFocus();

 private:
  PageView* view() const { return figures()->page(); }
  // With the whole page in view.
  bool openFitted() {
    if (!open()) return false;
    view()->setZoom(0);
    return true;
  }
  TextInPlace* line() const { return m_window->findChild<TextInPlace*>(); }
  std::optional<WordPlace> place(TextRole role, int figure = 0) const {
    for (const WordPlace& each : wordPlaces(view()->composed().spec, view()->pageLayout()))
      if (each.role == role && int(view()->composed().figureOf[each.panel]) == figure) return each;
    return std::nullopt;
  }
  std::string words(TextRole role, int figure = 0) const {
    const auto at = place(role, figure);
    return at ? wordsAt(view()->composed().spec, *at) : std::string();
  }
  // A double click on the text opens its line.
  bool openText(TextRole role, int figure = 0) {
    const auto at = place(role, figure);
    if (!at) return false;
    QTest::mouseDClick(view()->viewport(), Qt::LeftButton, {}, view()->fromPage(at->box).center().toPoint());
    return line()->isVisible() && line()->hasFocus();
  }
  bool say(const char* text) {
    line()->selectAll();
    QTest::keyClicks(line(), QLatin1String(text));
    QTest::keyClick(line(), Qt::Key_Return);
    return !line()->isVisible() && settled();
  }
};

void PageTextsTest::textsAreEditedWhereTheyStand() {
  QVERIFY(openFitted());
  QVERIFY(add("training_curve") && add("training_curve"));
  // One run needs no legend.
  QStringList both;
  for (const FigureShelf::Run& run : figures()->editor()->shelf().runs)
    both.append(QString::fromStdString(run.uuid));
  figures()->takeRuns(both);
  QVERIFY(settled());
  const std::string axis = words(TextRole::LabelX), run = words(TextRole::Legend);
  QCOMPARE(axis, std::string("updates"));
  QVERIFY(openText(TextRole::LabelX));
  QCOMPARE(line()->text(), QStringLiteral("updates"));
  QVERIFY(say("steps <i>t</i>"));
  QCOMPARE(page().panels[0].recipe.texts.axes.at("updates"), std::string("steps <i>t</i>"));
  QCOMPARE(words(TextRole::LabelX), std::string("steps <i>t</i>"));
  QCOMPARE(words(TextRole::LabelX, 1), std::string("updates"));
  QVERIFY(openText(TextRole::Legend));
  QVERIFY(say("Ours"));
  QCOMPARE(page().panels[0].recipe.texts.legend.at(run), std::string("Ours"));
  QCOMPARE(words(TextRole::Legend), std::string("Ours"));
  // A second edit of the same text is one of the same words.
  QVERIFY(openText(TextRole::Legend));
  QCOMPARE(line()->text(), QStringLiteral("Ours"));
  QVERIFY(say("Theirs"));
  QCOMPARE(page().panels[0].recipe.texts.legend, (std::map<std::string, std::string>{{run, "Theirs"}}));
  view()->setFocus();
  QTest::keyClick(view(), Qt::Key_Z, Qt::ControlModifier);
  QTest::keyClick(view(), Qt::Key_Z, Qt::ControlModifier);
  QVERIFY(page().panels[0].recipe.texts.legend.empty());
  QTest::keyClick(view(), Qt::Key_Z, Qt::ControlModifier);
  QVERIFY(page().panels[0].recipe.texts.empty());
  QVERIFY(settled());
  QCOMPARE(words(TextRole::LabelX), axis);
  QTest::keySequence(view(), QKeySequence::Redo);
  QVERIFY(settled());
  const auto library = ProjectLibrary::open(projectPath()).value();
  QCOMPARE(figureCompositions(*library).value().at(0).panels[0].recipe.texts.axes.at("updates"),
           std::string("steps <i>t</i>"));
}

// The first title of a figure is the panel's, which the form shows, too; the letter stays.
void PageTextsTest::titlesAreThePanels() {
  QVERIFY(openFitted());
  QVERIFY(add("training_curve"));
  figures()->form()->focusPanel();
  auto* title = qobject_cast<QLineEdit*>(QApplication::focusWidget());
  QVERIFY(title != nullptr);
  QTest::keyClicks(title, "Loss of both");
  QVERIFY(settled());
  QCOMPARE(words(TextRole::Title), std::string("(a) Loss of both"));
  QVERIFY(openText(TextRole::Title));
  QCOMPARE(line()->text(), QStringLiteral("Loss of both"));
  QVERIFY(say("a < b & c"));
  QCOMPARE(page().panels[0].title, std::string("a < b & c"));
  QCOMPARE(title->text(), QStringLiteral("a < b & c"));
  QVERIFY(page().panels[0].recipe.texts.empty());
}

void PageTextsTest::escapeAndEmptyTakeTheFiguresOwnWords() {
  QVERIFY(openFitted());
  QVERIFY(add("training_curve"));
  QVERIFY(openText(TextRole::LabelX));
  QTest::keyClicks(line(), "nonsense");
  QTest::keyClick(line(), Qt::Key_Escape);
  QVERIFY(!line()->isVisible() && view()->hasFocus());
  QVERIFY(page().panels[0].recipe.texts.empty());
  QVERIFY(openText(TextRole::LabelX));
  QVERIFY(say("steps"));
  QVERIFY(openText(TextRole::LabelX));
  line()->clear();
  QCOMPARE(line()->placeholderText(), QStringLiteral("updates"));
  QTest::keyClick(line(), Qt::Key_Return);
  QVERIFY(settled());
  QVERIFY(page().panels[0].recipe.texts.empty());
  QCOMPARE(words(TextRole::LabelX), std::string("updates"));
}

void PageTextsTest::tabGoesThroughTheTextsOfAFigure() {
  QVERIFY(openFitted());
  QVERIFY(add("training_curve") && add("training_curve"));
  view()->setFocus();
  QTest::keyClick(view(), Qt::Key_F2);
  QVERIFY(line()->isVisible());
  QStringList read;
  for (int i = 0; i < 12; ++i) {
    if (read.contains(line()->text())) break;
    read.append(line()->text());
    QTest::keyClick(line(), Qt::Key_Tab);
    QVERIFY(line()->isVisible() && line()->hasFocus());
  }
  QVERIFY2(read.contains(QStringLiteral("updates")) && read.size() >= 3, qPrintable(read.join(u'|')));
  // Back by Shift+Tab, and what was typed on the way is taken.
  line()->selectAll();
  QTest::keyClicks(line(), "mine");
  QTest::keyClick(line(), Qt::Key_Backtab);
  QVERIFY(line()->isVisible());
  QTest::keyClick(line(), Qt::Key_Escape);
  QVERIFY(settled());
  QVERIFY(!page().panels[1].recipe.texts.empty() || !page().panels[1].title.empty());
}

void PageTextsTest::sharedAxesAreOneText() {
  QVERIFY(openFitted());
  QVERIFY(add("training_curve") && add("training_curve"));
  m_window->action("figures.in_column")->trigger();
  FigureComposition shared = page();
  shared.shareX = true;
  figures()->editor()->apply(shared);
  QVERIFY(settled());
  QVERIFY(!place(TextRole::LabelX, 0));
  QVERIFY(openText(TextRole::LabelX, 1));
  QVERIFY(say("steps"));
  QVERIFY(!place(TextRole::LabelX, 0));
  QCOMPARE(words(TextRole::LabelX, 1), std::string("steps"));
}

void PageTextsTest::filesSayTheSame() {
  QVERIFY(openFitted());
  QVERIFY(add("training_curve"));
  QVERIFY(openText(TextRole::LabelX));
  QVERIFY(say("steps of mine"));
  const QString file = m_fixture->project() + QStringLiteral("/page.tex");
  figures()->exportPage(file);
  QVERIFY(settled());
  QFile written(file);
  QVERIFY(written.open(QIODevice::ReadOnly));
  QVERIFY(written.readAll().contains("steps of mine"));
}

void PageTextsTest::dashesTellLinesApart() {
  // Of one configuration each, and so of one hue each.
  int steps = 20;
  for (const char* name : {"third", "fourth", "fifth", "sixth", "seventh"}) {
    const std::string file = m_fixture->addRun(name) + "/attempts/0001/config.json";
    Json config = Json::parse(readFile(file).value());
    config["options"]["fake.steps"] = ++steps;
    QVERIFY(writeFileAtomically(file, config.dump()).ok());
  }
  QVERIFY(openFitted());
  QVERIFY(add("training_curve"));
  QListWidget* runs = figures()->form()->findChild<QListWidget*>("panelRuns");
  for (int i = 0; i < runs->count(); ++i) runs->item(i)->setCheckState(Qt::Checked);
  QVERIFY(settled());
  auto* strip = figures()->widget()->findChild<CheckStrip*>();
  auto* button = strip->findChild<QPushButton*>("addDashes");
  QVERIFY2(strip->text().contains(QStringLiteral("alike without colour")), qPrintable(strip->text()));
  QVERIFY(button->isVisible());
  QTest::mouseClick(button, Qt::LeftButton);
  QVERIFY(page().dashes);
  QVERIFY(settled());
  QVERIFY2(strip->text().contains(QStringLiteral("grayscale readable")), qPrintable(strip->text()));
  QVERIFY(!button->isVisible());
  auto* dashes = figures()->form()->findChild<QCheckBox*>("dashes");
  QVERIFY(dashes->isChecked());
  dashes->click();
  QVERIFY(!page().dashes);
  QVERIFY(settled());
  QVERIFY(button->isVisible());
  m_window->action("edit.undo")->trigger();
  QVERIFY(page().dashes && dashes->isChecked());
  QVERIFY(settled());
}

void PageTextsTest::tooHighPagesAreMadeToFit() {
  QVERIFY(openFitted());
  for (int i = 0; i < 16; ++i) QVERIFY(add("training_curve"));
  auto* strip = figures()->widget()->findChild<CheckStrip*>();
  auto* button = strip->findChild<QPushButton*>("fitPage");
  QVERIFY2(strip->text().contains(QStringLiteral("mm too high")), qPrintable(strip->text()));
  QVERIFY(button->isVisible());
  QTest::mouseClick(button, Qt::LeftButton);
  QVERIFY(settled());
  QCOMPARE(view()->pageSize().heightMm, 240.0);
  QVERIFY2(strip->text().contains(QStringLiteral("fits the page")), qPrintable(strip->text()));
  QVERIFY(!button->isVisible());
  // The same from the menu; one that fits takes the height that it needs.
  m_window->action("figures.in_two")->trigger();
  while (page().panels.size() > 2) m_window->action("figures.remove")->trigger();
  QVERIFY(settled());
  m_window->action("figures.fit_page")->trigger();
  QVERIFY(settled());
  QCOMPARE(page().heightMm, 0.0);
}

void PageTextsTest::allPanelsTakeTheSameRuns() {
  QVERIFY(openFitted());
  QVERIFY(add("training_curve") && add("training_curve"));
  QListWidget* runs = figures()->form()->findChild<QListWidget*>("panelRuns");
  for (int i = 0; i < runs->count(); ++i) runs->item(i)->setCheckState(Qt::Checked);
  QVERIFY(settled());
  QVERIFY(page().panels[0].recipe.runs != page().panels[1].recipe.runs);
  for (QToolButton* button : figures()->form()->findChildren<QToolButton*>())
    if (button->defaultAction() == m_window->action("figures.same_runs")) {
      QVERIFY(button->isVisible() && button->isEnabled());
      QTest::mouseClick(button, Qt::LeftButton);
    }
  QCOMPARE(page().panels[0].recipe.runs, page().panels[1].recipe.runs);
  QCOMPARE(page().panels[0].recipe.runs.size(), std::size_t{2});
  m_window->action("edit.undo")->trigger();
  QCOMPARE(page().panels[0].recipe.runs.size(), std::size_t{1});
  QVERIFY(settled());
}

void PageTextsTest::aSlideIsSixteenToNine() {
  QVERIFY(openFitted());
  QVERIFY(add("training_curve") && add("training_curve"));
  FigureComposition slide = page();
  slide.style = "slide";
  figures()->editor()->apply(slide);
  QVERIFY(settled());
  const FigureSize size = view()->pageSize();
  QVERIFY(std::abs(size.widthMm / size.heightMm - 16.0 / 9) < 0.001);
  // However many rows it has.
  m_window->action("figures.in_column")->trigger();
  QVERIFY(settled());
  QCOMPARE(view()->pageSize().heightMm, size.heightMm);
}

// A run that is called as another one was is still told from it.
void PageTextsTest::entriesThatAreCalledAlikeStayApart() {
  QVERIFY(openFitted());
  QVERIFY(add("training_curve"));
  QListWidget* runs = figures()->form()->findChild<QListWidget*>("panelRuns");
  for (int i = 0; i < runs->count(); ++i) runs->item(i)->setCheckState(Qt::Checked);
  QVERIFY(settled());
  const auto entries = [this] {
    std::vector<WordPlace> all;
    for (const WordPlace& each : wordPlaces(view()->composed().spec, view()->pageLayout()))
      if (each.role == TextRole::Legend) all.push_back(each);
    return all;
  };
  const auto openEntry = [this, &entries](std::size_t entry) {
    QTest::mouseDClick(view()->viewport(), Qt::LeftButton, {},
                       view()->fromPage(entries()[entry].box).center().toPoint());
    return line()->isVisible();
  };
  QCOMPARE(entries().size(), std::size_t{2});
  const std::string first = wordsAt(view()->composed().spec, entries()[0]);
  const std::string second = wordsAt(view()->composed().spec, entries()[1]);
  QVERIFY(openEntry(0));
  QVERIFY(say(second.c_str()));
  QVERIFY(openEntry(1));
  QCOMPARE(line()->placeholderText().toStdString(), second);
  QVERIFY(say("Theirs"));
  QCOMPARE(page().panels[0].recipe.texts.legend,
           (std::map<std::string, std::string>{{first, second}, {second, "Theirs"}}));
}

void PageTextsTest::aClickElsewhereTakesTheTextAndTheFocus() {
  QVERIFY(openFitted());
  QVERIFY(add("training_curve"));
  figures()->form()->focusPanel();
  auto* title = qobject_cast<QLineEdit*>(QApplication::focusWidget());
  QVERIFY(title != nullptr);
  QVERIFY(openText(TextRole::LabelX));
  line()->selectAll();
  QTest::keyClicks(line(), "steps");
  QTest::mouseClick(title, Qt::LeftButton);
  QVERIFY(!line()->isVisible());
  QVERIFY(title->hasFocus());
  QVERIFY(settled());
  QCOMPARE(words(TextRole::LabelX), std::string("steps"));
  QVERIFY(title->hasFocus());
}

QTEST_MAIN(PageTextsTest)
#include "tst_page_texts.moc"
