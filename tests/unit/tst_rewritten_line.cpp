// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/base/text/rewritten_line.h"

using namespace fathom;

class RewrittenLineTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void fits();
  void staysOnOneLine();
  void dumbTerminal();
};

void RewrittenLineTest::fits() {
  QCOMPARE(fittedToColumns("training", 8), std::string("training"));
  QCOMPARE(fittedToColumns("training", 7), std::string("traini…"));
  QCOMPARE(fittedToColumns("möchte", 6), std::string("möchte"));
  QCOMPARE(columnsOf("训练 3"), 6);
  QCOMPARE(fittedToColumns("训练 3", 5), std::string("训练…"));
  QCOMPARE(fittedToColumns("训练 3", 4), std::string("训…"));
  QCOMPARE(fittedToColumns("training", 0), std::string());
}

void RewrittenLineTest::staysOnOneLine() {
  RewrittenLine line;
  QCOMPARE(line.show("training  12/60 updates", {20, true}), std::string("\r\033[Ktraining  12/60 up…"));
  QCOMPARE(line.show("training", {0, true}), std::string("\r\033[Ktraining"));
}

// Blanks take away what stood there.
void RewrittenLineTest::dumbTerminal() {
  RewrittenLine line;
  QCOMPARE(line.show("saving it", {20, false}), std::string("\rsaving it"));
  QCOMPARE(line.show("ok", {20, false}), std::string("\r         \rok"));
  QCOMPARE(line.clear({20, false}), std::string("\r  \r"));
  QCOMPARE(line.clear({20, false}), std::string("\r"));
}

QTEST_APPLESS_MAIN(RewrittenLineTest)
#include "tst_rewritten_line.moc"
