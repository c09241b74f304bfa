// SPDX-License-Identifier: Apache-2.0
// The batched search against the plain one on every example of Spider's dev set.
#include <QTest>

#include "tests/torch/support_grammar_beam.h"

using namespace fathom;
using namespace fathom::fixtures;

class TestGrammarBeamSlow : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void wholeDevSet() {
    const std::vector<SearchedSchema> examples = devExamples(0);
    if (examples.empty()) QSKIP("SKIPPED-ALL no Spider data");
    QCOMPARE(examples.size(), std::size_t(1034));
    const std::string wrong = searchDifference(7, examples, {}, 64);
    QVERIFY2(wrong.empty(), wrong.c_str());
  }
};

QTEST_APPLESS_MAIN(TestGrammarBeamSlow)
#include "tst_grammar_beam_slow.moc"
