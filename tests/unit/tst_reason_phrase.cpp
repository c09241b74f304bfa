// SPDX-License-Identifier: Apache-2.0
// Sentences in parts: places are filled, a % that is no place stays, lists join what is in them.
#include <QTest>

#include "core/spider/judgement/reason_phrase.h"

using namespace fathom;

class ReasonPhraseTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void placesAreFilled() {
    const ReasonPhrase phrase("gold has %1, the prediction has %2",
                              {"no order", {"%1 descending", {ReasonPhrase::words("age")}}});
    QCOMPARE(phrase.english(), std::string("gold has no order, the prediction has age descending"));
  }
  void foreignPercentSignsStay() {
    // A name may look like a place, and a text may ask for a part that is not there.
    const ReasonPhrase phrase("only in gold: %1; 50 % of %3", {ReasonPhrase::words("100%2"), "nothing"});
    QCOMPARE(phrase.english(), std::string("only in gold: 100%2; 50 % of %3"));
    QCOMPARE(ReasonPhrase::words("LIKE '%1'").english(), std::string("LIKE '%1'"));
  }
  void tenPartsKeepTheirOrder() {
    std::vector<ReasonPhrase> parts;
    std::string expected;
    for (int i = 0; i < 12; ++i) {
      parts.push_back(ReasonPhrase::number(std::size_t(i)));
      expected += (i > 0 ? "; " : "") + std::to_string(i);
    }
    QCOMPARE(ReasonPhrase::list(parts, "; ").english(), expected);
  }
  void listOfOneIsThatOne() {
    const ReasonPhrase one = ReasonPhrase::list({"EXCEPT on a key is NOT IN"}, "; ");
    QVERIFY(!one.verbatim);
    QCOMPARE(one.english(), std::string("EXCEPT on a key is NOT IN"));
  }
};

QTEST_GUILESS_MAIN(ReasonPhraseTest)
#include "tst_reason_phrase.moc"
