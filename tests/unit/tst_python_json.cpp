// SPDX-License-Identifier: Apache-2.0
// The short way to a number of JSON takes what the parser takes, gives what it gives, and nothing else.
#include <QTest>
#include <cstdlib>
#include <random>

#include "core/imports/formats/python_json.h"

using namespace fathom;

class PythonJsonTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void numbers_data();
  void numbers();
  void randomTexts();
};

void PythonJsonTest::numbers_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<bool>("number");
  for (const char* text :
       {"0", "-0", "7", "-12", "1.5", "0.25", "1e3", "2E-7", "-1.25e+2", "9007199254740993",
        "18446744073709551615", "0.1", "123456789.987654321e-5", "1.7976931348623157e308"})
    QTest::addRow("%s", text) << QByteArray(text) << true;
  for (const char* text : {"",    "-",    ".5",    "1.",   "01",   "-01", "00",       "+1",    "1e",
                           "1e+", "1.e3", "inf",   "-inf", "nan",  "NaN", "Infinity", "1 ",    " 1",
                           "1,5", "0x10", "\"1\"", "true", "null", "[1]", "1e999",    "1e-999"})
    QTest::addRow("no '%s'", text) << QByteArray(text) << false;
}

void PythonJsonTest::numbers() {
  QFETCH(const QByteArray, text);
  QFETCH(const bool, number);
  const auto read = jsonNumber(text.toStdString());
  QCOMPARE(read.has_value(), number);
  if (!number) return;
  const auto parsed = parsePythonJson(text.toStdString());
  QVERIFY(parsed.ok());
  QCOMPARE(*read, jsonReading(*parsed).value());
}

void PythonJsonTest::randomTexts() {
  const char* given = std::getenv("SEED");
  const auto seed = static_cast<unsigned>(given != nullptr ? std::atoi(given) : 20261130);
  std::mt19937 random(seed);
  const QByteArray letters = "0123456789-+.eE ";
  int numbers = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (int n = static_cast<int>(random() % 9); n >= 0; --n)
      text += letters[static_cast<int>(random() % static_cast<unsigned>(letters.size()))];
    const auto read = jsonNumber(text);
    if (!read) continue;
    ++numbers;
    const auto parsed = parsePythonJson(text);
    QVERIFY2(parsed.ok() && jsonReading(*parsed) == read,
             qPrintable(QString("seed %1: %2").arg(seed).arg(text.c_str())));
  }
  QVERIFY(numbers > 100);
}

QTEST_APPLESS_MAIN(PythonJsonTest)
#include "tst_python_json.moc"
