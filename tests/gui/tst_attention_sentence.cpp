// SPDX-License-Identifier: Apache-2.0
// Attention reads like a figure: the sentence above it, how its runs stand, the words below it, one chosen
// head.
#include <QComboBox>
#include <QHeaderView>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <QTranslator>

#include "core/base/errors/phrase.h"
#include "tests/gui/support_analysis_results.h"
#include "tests/gui/support_attention_window.h"
#include "views/figures/figure_entry.h"
#include "views/panels/attention/figure_choices.h"
#include "views/panels/attention/folded_text.h"
#include "views/panels/attention/run_arrangement.h"
#include "views/panels/widgets/help_text.h"

using namespace fathom;
using test::settled;
using test::waitUntil;

class AttentionSentenceTest : public QObject, private test::AttentionWindow {
  Q_OBJECT
 private Q_SLOTS:
  void init() { startUp(); }
  void cleanup() { shutDown(); }
  void everySentenceNamesOptionsInBothLanguages();
  void theSentenceSaysWhatIsDrawn();
  void aChoiceOfTheSentenceIsMadeByKeys();
  void oneRunIsLargeOrAllStandSideBySide();
  void manyLayersKeepTheirHeightAndScroll();
  void threeLinesAndMore();
  void numbersOfAHeadAreATable();
  void theChosenHeadIsKeptAcrossViews();
  void otherChoicesChooseNoHead();
};

void AttentionSentenceTest::everySentenceNamesOptionsInBothLanguages() {
  QTranslator chinese;
  QVERIFY(chinese.load(QStringLiteral(":/i18n/fathom_zh_CN.qm")));
  int sentences = 0;
  for (const FigureEntry& entry : figures()) {
    if (!entry.build || entry.inTrain) continue;
    const std::string english = entry.sentence.english();
    QVERIFY2(!english.empty(), entry.id.c_str());
    QStringList keys = ChoiceSentence::keysOf(QString::fromStdString(english));
    for (const QString& key : keys)
      QVERIFY2(std::any_of(entry.fields.begin(), entry.fields.end(),
                           [&](const OptionField& field) { return field.key == key.toStdString(); }),
               qPrintable(key));
    QStringList translated = ChoiceSentence::keysOf(chinese.translate("fathom::Phrase", english.c_str()));
    keys.sort();
    translated.sort();
    QCOMPARE(translated, keys);
    ++sentences;
  }
  QVERIFY(sentences >= 10);
}

void AttentionSentenceTest::theSentenceSaysWhatIsDrawn() {
  QVERIFY(open());
  const QString said = view()->choices()->text();
  QVERIFY2(said.startsWith(QStringLiteral("Entropy of encoder self-attention · heads by median · nats")),
           qPrintable(said));
  // Every choice has its words, and none is out of sight.
  for (const char* key : {"order", "unit", "scale", "colours"}) {
    const QWidget* control = view()->choices()->control(QLatin1String(key));
    QVERIFY2(control != nullptr && control->isVisible(), key);
    QVERIFY(view()->rect().contains(QRect(control->mapTo(view(), QPoint()), control->size())));
  }
}

void AttentionSentenceTest::aChoiceOfTheSentenceIsMadeByKeys() {
  QVERIFY(open());
  auto* unit = qobject_cast<QComboBox*>(view()->choices()->control(QStringLiteral("unit")));
  unit->setFocus();
  QTest::keyClick(unit, Qt::Key_Down);
  QVERIFY(settle());
  QCOMPARE(view()->choices()->values()["unit"].get<std::string>(), std::string("bits"));
  QVERIFY2(view()->choices()->text().contains(QStringLiteral("· bits ·")),
           qPrintable(view()->choices()->text()));
}

void AttentionSentenceTest::oneRunIsLargeOrAllStandSideBySide() {
  QVERIFY(open());
  RunArrangement* runs = view()->arrangement();
  QVERIFY(!runs->isVisible());  // one run is large anyway
  test::storeResult(m_plain, "attention_entropy", "0001-00000010", test::madeEntropy(3, 4, 2));
  tick(QStringLiteral("plain"), true);
  QVERIFY(runs->isVisible() && runs->besideButton()->isChecked());
  QCOMPARE(spec().panels.size(), std::size_t(2));
  QTest::mouseClick(runs->oneButton(), Qt::LeftButton);
  QVERIFY(settle());
  QCOMPARE(spec().panels.size(), std::size_t(1));
  QCOMPARE(side()->chosenRuns().size(), 2);  // nothing is unticked for it
  QCOMPARE(runs->run()->count(), 2);
  const QString first = runs->run()->currentText();
  runs->run()->setFocus();
  QTest::keyClick(runs->run(), first == QStringLiteral("analysed") ? Qt::Key_Down : Qt::Key_Up);
  Q_EMIT runs->run()->activated(runs->run()->currentIndex());
  QVERIFY(settle());
  QVERIFY(runs->run()->currentText() != first);
  QCOMPARE(spec().panels.size(), std::size_t(1));
  QTest::mouseClick(runs->besideButton(), Qt::LeftButton);
  QVERIFY(settle());
  QCOMPARE(spec().panels.size(), std::size_t(2));
  QVERIFY(!runs->run()->isVisible());
}

void AttentionSentenceTest::manyLayersKeepTheirHeightAndScroll() {
  QVERIFY(open());
  test::storeResult(m_plain, "attention_entropy", "0001-00000010", test::madeEntropy(24, 4, 0));
  tick(QStringLiteral("plain"), true);
  tick(QStringLiteral("analysed"), false);
  m_window->resize(1280, 800);
  QVERIFY(settled(m_window));
  const auto* area = view()->pages()->findChild<QScrollArea*>();
  QVERIFY(area->verticalScrollBar()->maximum() > 0);
  const int line = canvas()->fontMetrics().height();
  const MarkCanvas drawn = canvas()->canvas(0);
  QVERIFY(std::abs(drawn.pixelY(1) - drawn.pixelY(0)) >= line);  // a layer has a line at least
}

void AttentionSentenceTest::threeLinesAndMore() {
  QVERIFY(open());
  FoldedText* words = view()->words();
  const int line = words->text()->fontMetrics().lineSpacing();
  QVERIFY(words->folded() && words->more()->isVisible());
  QVERIFY(words->text()->height() <= 5 * line);
  QVERIFY(!words->text()->verticalScrollBar()->isVisible());
  const int figure = canvas()->height();
  QTest::mouseClick(words->more(), Qt::LeftButton);
  QVERIFY(settled(m_window));
  QVERIFY(!words->folded() && words->text()->height() > 6 * line);
  QVERIFY(canvas()->height() <= figure);
  QTest::mouseClick(words->more(), Qt::LeftButton);
  QVERIFY(settled(m_window));
  QVERIFY(words->text()->height() <= 5 * line);
}

void AttentionSentenceTest::numbersOfAHeadAreATable() {
  QVERIFY(open());
  const auto& cells = std::get<GridMark>(spec().panels[0].marks.front().shape).cells;
  click(canvas(), QString::fromStdString(cells[3].selection));
  QVERIFY(waitUntil([this] { return view()->detail()->isVisible(); }));
  const auto* numbers = view()->findChild<QTableView*>(QStringLiteral("detailNumbers"));
  QVERIFY(numbers->isVisible());
  const QAbstractItemModel* rows = numbers->model();
  QCOMPARE(rows->rowCount(), 1);
  QCOMPARE(rows->index(0, 0).data().toString(), QStringLiteral("analysed"));
  QCOMPARE(rows->headerData(2, Qt::Horizontal).toString(), QStringLiteral("median"));
  QVERIFY(rows->index(0, 2).data().toDouble() > 0);
  // Columns that are wider than the table leave the row in sight.
  numbers->horizontalHeader()->resizeSection(0, 3 * numbers->width());
  QVERIFY(waitUntil([&] {
    return numbers->horizontalScrollBar()->isVisible() &&
           numbers->viewport()->height() >= numbers->rowHeight(0);
  }));
  // The wall of the same numbers in words is not there a second time.
  QVERIFY(!view()->words()->text()->toPlainText().contains(QStringLiteral("quartiles")));
}

void AttentionSentenceTest::theChosenHeadIsKeptAcrossViews() {
  QVERIFY(open());
  test::storeResult(m_analysed, "attention_maps", "0001-00000010", test::madeMaps(3, 4, 6));
  const auto& cells = std::get<GridMark>(spec().panels[0].marks.front().shape).cells;
  click(canvas(), QString::fromStdString(cells[6].selection));
  const QString layer = current(Dimension::Layer), head = current(Dimension::Head);
  QVERIFY(!layer.isEmpty() && !head.isEmpty());
  choose("attention_maps");
  const auto shown = [this](const char* key) {
    return qobject_cast<QSpinBox*>(view()->choices()->control(QLatin1String(key)));
  };
  QCOMPARE(shown("layer")->value(), layer.toInt() + 1);
  QCOMPARE(shown("head")->value(), head.toInt() + 1);
  // Another head, chosen there, is the chosen one where one comes from.
  auto* form = qobject_cast<QComboBox*>(view()->choices()->control(QStringLiteral("form")));
  form->setCurrentIndex(form->findData(QStringLiteral("matrix")));
  QVERIFY(settle());
  shown("head")->setFocus();
  QTest::keyClick(shown("head"), head == QStringLiteral("0") ? Qt::Key_Up : Qt::Key_Down);
  QVERIFY(settle());
  QVERIFY(current(Dimension::Head) != head);
  QCOMPARE(current(Dimension::Head).toInt() + 1, shown("head")->value());
  choose("attention_entropy");
  QCOMPARE(canvas()->outlines().size(), 1);
  QVERIFY(view()->detail()->isVisible());
}

void AttentionSentenceTest::otherChoicesChooseNoHead() {
  QVERIFY(open());
  test::storeResult(m_analysed, "attention_maps", "0001-00000010", test::madeMaps(3, 4, 6));
  choose("attention_maps");
  QVERIFY(current(Dimension::Head).isEmpty());
  auto* form = qobject_cast<QComboBox*>(view()->choices()->control(QStringLiteral("form")));
  form->setFocus();
  QTest::keyClick(form, Qt::Key_Down);
  QVERIFY(settle());
  QCOMPARE(view()->choices()->values()["form"].get<std::string>(), std::string("matrix"));
  QVERIFY(current(Dimension::Head).isEmpty() && current(Dimension::Layer).isEmpty());
  auto* head = qobject_cast<QSpinBox*>(view()->choices()->control(QStringLiteral("head")));
  head->setFocus();
  QTest::keyClick(head, Qt::Key_Up);
  QVERIFY(settle());
  QCOMPARE(current(Dimension::Head), QStringLiteral("1"));
}

QTEST_MAIN(AttentionSentenceTest)
#include "tst_attention_sentence.moc"
