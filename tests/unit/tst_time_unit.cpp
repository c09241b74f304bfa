// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/base/options/time_unit.h"

using namespace fathom;

class TimeUnitTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void reads_data();
  void reads();
  void refuses_data();
  void refuses();
  void clock();
};

void TimeUnitTest::reads_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<double>("amount");
  QTest::addColumn<int>("unit");
  const auto row = [](const char* text, double amount, TrainingTime::Unit unit) {
    QTest::newRow(text) << QString::fromUtf8(text) << amount << static_cast<int>(unit);
  };
  using Unit = TrainingTime::Unit;
  row("300u", 300, Unit::Updates);
  row("300", 300, Unit::Updates);
  row("10e", 10, Unit::Epochs);
  row("0.5e", 0.5, Unit::Epochs);
  row("20Mt", 20e6, Unit::TargetTokens);
  row("1.5kt", 1500, Unit::TargetTokens);
  row("2Gt", 2e9, Unit::TargetTokens);
  row("2k", 2000, Unit::Updates);
  row("100ku", 100000, Unit::Updates);
  row("0", 0, Unit::Updates);
  row("0e", 0, Unit::Updates);
  row("never", 0, Unit::Updates);
}

void TimeUnitTest::reads() {
  QFETCH(QString, text);
  QFETCH(double, amount);
  QFETCH(int, unit);
  const auto time = parseTrainingTime(text.toStdString());
  QVERIFY(time.ok());
  QCOMPARE(time->amount, amount);
  QCOMPARE(static_cast<int>(time->unit), unit);
  QCOMPARE(time->never(), amount == 0);
  QVERIFY2(parseTrainingTime(time->text()).value() == *time, time->text().c_str());
}

void TimeUnitTest::refuses_data() {
  QTest::addColumn<QString>("text");
  for (const char* text : {"", "u", "ten", "-3u", "3x", "3uu", "3 u", "nan", "inf", "3ke4", "M"})
    QTest::newRow(*text != 0 ? text : "empty") << QString::fromUtf8(text);
}

void TimeUnitTest::refuses() {
  QFETCH(QString, text);
  const auto time = parseTrainingTime(text.toStdString());
  QVERIFY(!time.ok());
  QCOMPARE(time.error().kind, ErrorKind::Usage);
  QVERIFY(time.error().text().find("'" + text.toStdString() + "'") != std::string::npos);
}

void TimeUnitTest::clock() {
  const TrainingClock clock{300, 2, 5000};
  QVERIFY(clock.reached(parseTrainingTime("300u").value()));
  QVERIFY(!clock.reached(parseTrainingTime("301u").value()));
  QVERIFY(clock.reached(parseTrainingTime("2e").value()));
  QVERIFY(!clock.reached(parseTrainingTime("3e").value()));
  QVERIFY(clock.reached(parseTrainingTime("5kt").value()));
  QVERIFY(!clock.reached(parseTrainingTime("never").value()));
}

QTEST_APPLESS_MAIN(TimeUnitTest)
#include "tst_time_unit.moc"
