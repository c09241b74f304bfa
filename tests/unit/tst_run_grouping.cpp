// SPDX-License-Identifier: Apache-2.0
// By what runs are grouped: options, patterns of names, numbers at the end of names.
#include <QTest>

#include "core/analysis/statistics/run_grouping.h"

using namespace fathom;

class RunGroupingTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void namesAndOptions_data();
  void namesAndOptions();
  void whatIsRefused_data();
  void whatIsRefused();
  void longNamesTakeNoTime();
};

void RunGroupingTest::namesAndOptions_data() {
  QTest::addColumn<QString>("by");
  QTest::addColumn<QString>("name");
  QTest::addColumn<QString>("group");
  const auto row = [](const char* by, const char* name, const char* group) {
    QTest::addRow("%s of %s", by, name) << QString(by) << QString(name) << QString(group);
  };
  row("layers", "any", "layers=6/12");  // two keys end so
  row("model.layers", "any", "model.layers=12");
  row("TASK , lr", "any", "TASK=nmt · lr=0.1");
  row("task+lr", "any", "task=nmt · lr=0.1");
  row("task, dropout", "any", "task=nmt · dropout=–");
  row("dropout", "any", "");
  row("name:*_s#", "deep_s2", "deep");
  row("name:*_s#", "deep_s2_s13", "deep_s2");
  row("name:*_s#", "deep_sx", "");
  row("name:*/seed-#/*", "deep/seed-3/long", "deep · long");
  row("name:run # of *", "run 12 of ü", "ü");
  row("name:*#", "deep12", "deep");
  row("name:*#", "lr0.1_s13", "lr0.1_s");
  row("name:*#*", "deep12b", "deep · b");
  row("name:v1#_*", "v12_deep", "deep");
  row("name:", "deep_s2", "deep");
  row("name:", "deep/seed-3", "deep");
  row("name:", "Deep Run 4", "Deep");
  row("name:", "lr.trial12", "lr");
  row("name:", "version_3", "version");
  row("name:", "kiss2", "");
  row("name:", "deep", "");
  row("name:", "seed 7", "seed");
}

void RunGroupingTest::namesAndOptions() {
  QFETCH(QString, by);
  QFETCH(QString, name);
  QFETCH(QString, group);
  const Json options = {{"encoder.layers", 6}, {"model.layers", 12}, {"task", "nmt"}, {"lr", 0.1}};
  const auto grouping = RunGrouping::parse(by.toStdString());
  QVERIFY2(grouping.ok(), grouping.ok() ? "" : grouping.error().text().c_str());
  QCOMPARE(QString::fromStdString(grouping->groupOf(name.toStdString(), options)), group);
  QVERIFY(RunGrouping::parse("  ")->kind() == RunGrouping::Kind::Seeds);
}

void RunGroupingTest::whatIsRefused_data() {
  QTest::addColumn<QString>("said");
  const auto row = [](const char* by, const char* said) { QTest::newRow(by) << QString(said); };
  row("name:deep", "the name pattern 'deep' has no *, which stands for the name of the group");
  row("name:*a*b*c*", "the name pattern '*a*b*c*' has more than 3 stars");
  row("layers,", "an option is expected beside each comma");
  row(",layers", "an option is expected beside each comma");
  row("*_s#", "'*_s#' is no option; a pattern for names begins with name:");
}

void RunGroupingTest::whatIsRefused() {
  QFETCH(QString, said);
  const auto grouping = RunGrouping::parse(QTest::currentDataTag());
  QVERIFY(!grouping.ok());
  QCOMPARE(QString::fromStdString(grouping.error().text()), said);
}

void RunGroupingTest::longNamesTakeNoTime() {
  const RunGrouping grouping = RunGrouping::parse("name:*a*a*b").value();
  QCOMPARE(grouping.groupOf(std::string(200, 'a'), Json::object()), std::string());
  QCOMPARE(grouping.groupOf(std::string(100'000, 'a'), Json::object()), std::string());
}

QTEST_APPLESS_MAIN(RunGroupingTest)
#include "tst_run_grouping.moc"
