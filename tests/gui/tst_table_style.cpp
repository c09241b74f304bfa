// SPDX-License-Identifier: Apache-2.0
// Tables, trees and lists look alike: rows of one height, titles over their cells, numbers on the right with
// four digits and in full in the tool tip, training and validation apart.
#include <QApplication>
#include <QFile>
#include <QHeaderView>
#include <QRegularExpression>
#include <QStandardItemModel>
#include <QTableView>
#include <QTest>
#include <QTreeWidget>

#include "views/look/theme.h"
#include "views/panels/data/data_page.h"
#include "views/panels/errors/facet_panel.h"
#include "views/panels/errors/schema_panel.h"
#include "views/panels/train/curve_table_model.h"
#include "views/panels/train/run_details_panel.h"
#include "views/tables/init_report_model.h"
#include "views/tables/query_result.h"
#include "views/tables/run_item.h"

using namespace fathom;

namespace {

bool isRight(const QVariant& alignment) {
  return (alignment.toInt() & Qt::AlignRight) != 0;
}

RunItem scoredRun() {
  RunItem run;
  run.uuid = QStringLiteral("6f9619ff-8b86-4011-b42d-00c04fc964ff");
  run.name = QStringLiteral("a run");
  run.state = RunState::Finished;
  run.last = {{QStringLiteral("loss"), 4.547081968},
              {QStringLiteral("grad_norm"), 1.296670298},
              {QStringLiteral("valid.nll"), 2.34567891},
              {QStringLiteral("valid.ppl"), 10.4401},
              {QStringLiteral("valid.ppl2"), 12.3456789}};
  return run;
}

QTreeWidget* scoresOf(const RunDetailsPanel& panel) {
  for (auto* tree : panel.findChildren<QTreeWidget*>())
    if (tree->accessibleName() == QLatin1String("Scores")) return tree;
  return nullptr;
}

}  // namespace

class TableStyle : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void numbersHaveFourDigits();
  void trainingAndValidationStandApart();
  void scoresAreWholeInTheToolTip();
  void digitsStandBelowEachOther();
  void oneRowIsNoRows();
  void titlesStandOverExamples();
  void rowsOfTreesAreAsHighAsThoseOfTables();
  void reportsAreWholeInTheToolTip();
};

void TableStyle::numbersHaveFourDigits() {
  QCOMPARE(metricText(4.547081968317429), QStringLiteral("4.547"));
  QCOMPARE(metricText(0.012345678), QStringLiteral("0.01235"));
  QCOMPARE(metricText(1234.5678), QStringLiteral("1235"));
  QCOMPARE(metricText(98765.4321), QStringLiteral("98765"));
  QCOMPARE(metricText(27), QStringLiteral("27"));
}

void TableStyle::trainingAndValidationStandApart() {
  RunDetailsPanel panel;
  const RunItem run = scoredRun();
  panel.setRun(&run, {});
  const QTreeWidget* scores = scoresOf(panel);
  QVERIFY(scores != nullptr);
  QStringList rows;
  for (int i = 0; i < scores->topLevelItemCount(); ++i)
    rows.append(scores->topLevelItem(i)->text(0).replace(u'\n', u' '));
  const auto training = rows.indexOf(QStringLiteral("Training"));
  const auto validation = rows.indexOf(QStringLiteral("Validation"));
  QCOMPARE(training, 0);
  QVERIFY2(validation == 3, qPrintable(rows.join(u'|')));  // after loss and gradient norm
  QCOMPARE(rows.size(), 6);                                // one perplexity of the two
  const auto perplexities =
      std::count_if(rows.begin(), rows.end(), [](const QString& row) { return row.contains(u"perplexity"); });
  QCOMPARE(perplexities, 1);
  QVERIFY(rows.last().contains(QStringLiteral("base 2")));
}

void TableStyle::scoresAreWholeInTheToolTip() {
  RunDetailsPanel panel;
  const RunItem run = scoredRun();
  panel.setRun(&run, {});
  const QTreeWidget* scores = scoresOf(panel);
  const QTreeWidgetItem* last = scores->topLevelItem(scores->topLevelItemCount() - 1);
  QCOMPARE(last->text(2).trimmed(), QStringLiteral("12.35"));  // beside what lines its digits up
  QCOMPARE(last->toolTip(2), QStringLiteral("12.3456789"));
  QVERIFY(isRight(last->textAlignment(2)) && isRight(scores->headerItem()->textAlignment(2)));
}

// In columns of numbers of every table: on the right, and of one metric with as many decimals.
void TableStyle::digitsStandBelowEachOther() {
  RunCurve curve;
  curve.name = "a run";
  curve.metric = MetricCatalogue().of("valid.bleu");
  QCOMPARE(curve.metric.decimals, 2);
  curve.steps = curve.seconds = curve.epochs = {1, 2, 3};
  curve.values = {9.5, 27.31234, 31};
  CurveTableModel curves;
  curves.setCurves({curve}, QStringLiteral("valid.bleu"));
  QStringList shown;
  for (int row = 0; row < curves.rowCount(); ++row) shown.append(curves.index(row, 1).data().toString());
  QCOMPARE(shown, (QStringList{"9.50", "27.31", "31.00"}));
  QueryResultModel result(true);
  const QVector<QStringList> rows = {{"Oslo", "7", "1"}, {"Bergen", "1200", "x"}, {"Moss", "NULL", "2"}};
  result.setResult({true, {}, {"city", "people", "mixed"}, rows, 3, 0.1}, pairRows(rows, rows, true));
  for (int column = 0; column < 3; ++column) {
    QCOMPARE(isRight(result.index(0, column).data(Qt::TextAlignmentRole)), column == 1);
    QCOMPARE(isRight(result.headerData(column, Qt::Horizontal, Qt::TextAlignmentRole)), column == 1);
  }
}

// "1 row": no text of the window leaves the number to its reader, as "row(s)" does.
void TableStyle::oneRowIsNoRows() {
  QFile file(QStringLiteral(FATHOM_SOURCE_DIR "/translations/fathom_zh_CN.ts"));
  QVERIFY(file.open(QIODevice::ReadOnly));
  const QString texts = QString::fromUtf8(file.readAll());
  QVERIFY(texts.size() > 100000);
  static const QRegularExpression kLeftOpen(QStringLiteral("\\w\\((s|es)\\)"));
  QVERIFY2(!texts.contains(kLeftOpen), qPrintable(kLeftOpen.match(texts).captured()));
}

void TableStyle::titlesStandOverExamples() {
  DataPage page;
  DataSummary summary;
  summary.texts = {{"source", "Source", {}}};
  summary.examples = {{QStringLiteral("train"), 1234, {QStringLiteral("eins")}}};
  page.showSummary(summary);
  const QAbstractItemModel* model = page.findChild<QTableView*>()->model();
  QCOMPARE(model->rowCount(), 1);
  for (int column = 0; column < model->columnCount(); ++column) {
    const bool right = isRight(model->index(0, column).data(Qt::TextAlignmentRole));
    QCOMPARE(isRight(model->headerData(column, Qt::Horizontal, Qt::TextAlignmentRole)), right);
    QCOMPARE(right, column == 1);
  }
}

void TableStyle::rowsOfTreesAreAsHighAsThoseOfTables() {
  FacetPanel facets;
  SchemaPanel schema;
  DataPage data;
  for (QWidget* panel :
       {static_cast<QWidget*>(&facets), static_cast<QWidget*>(&schema), static_cast<QWidget*>(&data)}) {
    auto* tree = qobject_cast<QTreeWidget*>(panel);
    if (tree == nullptr) tree = panel->findChild<QTreeWidget*>();
    QVERIFY(tree != nullptr);
    auto* item = new QTreeWidgetItem(tree, {QStringLiteral("a row")});
    panel->resize(400, 300);
    panel->show();
    tree->show();
    tree->doItemsLayout();
    QCOMPARE(tree->sizeHintForIndex(tree->model()->index(0, 0)).height(), metrics::kTableRow);
    delete item;
  }
}

void TableStyle::reportsAreWholeInTheToolTip() {
  InitReportModel model;
  model.setRows(Json::array({{{"name", "w"},
                              {"rule", "normal"},
                              {"factor", 0.123456789},
                              {"base_std", 0.02},
                              {"std", 0.00246913578},
                              {"mean", 0.0}}}));
  const QModelIndex factor = model.index(0, InitReportModel::Factor);
  QCOMPARE(factor.data().toString(), QStringLiteral("0.1235"));
  QVERIFY(factor.data(Qt::ToolTipRole).toString().contains(QStringLiteral("0.123456789")));
}

QTEST_MAIN(TableStyle)
#include "tst_table_style.moc"
