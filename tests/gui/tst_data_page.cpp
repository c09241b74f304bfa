// SPDX-License-Identifier: Apache-2.0
// The data page with what each task counts.
#include <QComboBox>
#include <QHeaderView>
#include <QTableView>
#include <QTest>
#include <QTreeWidget>

#include "core/tasks/task.h"
#include "views/panels/data/data_page.h"
#include "views/panels/data/length_histogram.h"

using namespace fathom;

namespace {

Json lengths(int count) {
  return {{"count", count},
          {"longest", 9},
          {"mean", 4.25},
          {"median", 4},
          {"histogram",
           {{{"from", 0}, {"to", 5}, {"count", count - 1}}, {{"from", 5}, {"to", 10}, {"count", 1}}}}};
}

void declare(DataSummary& summary, const char* task) {
  summary.shown = findTask(task)->statistics;
  summary.texts = findTask(task)->texts;
}

DataSummary translation() {
  DataSummary summary;
  for (const char* split : {"train", "validation", "test"})
    summary.statistics[split] = {{"pairs", 20000},
                                 {"source_lengths", lengths(20000)},
                                 {"target_lengths", lengths(20000)},
                                 {"batches", {{"count", 292}, {"mean_target_tokens", 929}}}};
  summary.statistics["overlap"]["train_test"] = {{"source", 3}, {"target", 2}, {"pair", 1}};
  summary.statistics["read"]["train"] = {{"lines", 20000}};
  declare(summary, "nmt");
  summary.examples = {{QStringLiteral("train"), 0, {QStringLiteral("eins"), QStringLiteral("one")}}};
  return summary;
}

DataSummary maskedWords() {
  DataSummary summary;
  for (const char* split : {"train", "validation"})
    summary.statistics[split] = {{"lines", 400},   {"documents", 12}, {"sentences", 300},
                                 {"examples", 90}, {"masked", 800},   {"lengths", lengths(90)}};
  declare(summary, "mlm");
  return summary;
}

QStringList rows(const QTreeWidget& tree) {
  QStringList titles;
  for (int i = 0; i < tree.topLevelItemCount(); ++i) titles.append(tree.topLevelItem(i)->text(0));
  return titles;
}

QVector<LengthHistogram*> shownHistograms(const DataPage& page) {
  QVector<LengthHistogram*> shown;
  for (LengthHistogram* plot : page.findChildren<LengthHistogram*>())
    if (plot->isVisible()) shown.append(plot);
  return shown;
}

struct ShownPage {
  explicit ShownPage(const DataSummary& summary) {
    page.resize(1200, 700);
    page.show();
    page.showSummary(summary);
  }
  const QTreeWidget* tree() const { return page.findChild<QTreeWidget*>(); }
  DataPage page;
};

}  // namespace

class DataPageTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void translationHasTwoSides();
  void maskedWordsHaveTheirOwnCounts();
  void numbersStandUnderTheirSplit();
};

void DataPageTest::translationHasTwoSides() {
  const ShownPage shown(translation());
  const auto* tree = shown.tree();
  QVERIFY(rows(*tree).contains(QStringLiteral("Pairs")));
  QVERIFY(!rows(*tree).contains(QStringLiteral("Documents")));
  QCOMPARE(shownHistograms(shown.page).size(), 2);
  QTreeWidgetItem* overlap = nullptr;
  for (int i = 0; i < tree->topLevelItemCount(); ++i)
    if (tree->topLevelItem(i)->childCount() > 0) overlap = tree->topLevelItem(i);
  QVERIFY(overlap != nullptr);
  QCOMPARE(overlap->child(0)->text(0), QStringLiteral("Training and Test: source 3, target 2, pair 1"));
  const QAbstractItemModel* examples = shown.page.findChild<QTableView*>()->model();
  QCOMPARE(examples->headerData(2, Qt::Horizontal).toString(), QStringLiteral("Source"));
}

void DataPageTest::maskedWordsHaveTheirOwnCounts() {
  ShownPage shown(translation());  // what was there before must not stay
  shown.page.showSummary(maskedWords());
  const auto* tree = shown.tree();
  QVERIFY(!rows(*tree).contains(QStringLiteral("Pairs")));
  for (const char* title :
       {"Lines", "Documents", "Sentences", "Examples", "Masked tokens", "Longest example"})
    QVERIFY2(rows(*tree).contains(QString::fromLatin1(title)), title);
  QCOMPARE(shownHistograms(shown.page).size(), 1);
  QCOMPARE(shown.page.findChild<QComboBox*>()->count(), 2);
}

void DataPageTest::numbersStandUnderTheirSplit() {
  const ShownPage shown(translation());
  const auto* tree = shown.tree();
  const QHeaderView* header = tree->header();
  for (int column = 1; column <= 3; ++column) {
    const auto alignment = tree->headerItem()->textAlignment(column);
    QVERIFY(Qt::Alignment(alignment).testFlag(Qt::AlignRight));
    QVERIFY(header->sectionSize(column) < 150);
  }
}

QTEST_MAIN(DataPageTest)
#include "tst_data_page.moc"
