// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/made_sentences.h"

#include <QTemporaryDir>
#include <QTest>
#include <set>

#include "core/base/files/hash.h"
#include "core/tasks/nmt/parallel_reader.h"

using namespace fathom;

class MadeNmtTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void numbersInWords() {
    QCOMPARE(germanNumber(0), std::string("null"));
    QCOMPARE(germanNumber(1), std::string("eins"));
    QCOMPARE(germanNumber(21), std::string("einundzwanzig"));
    QCOMPARE(germanNumber(101), std::string("einhunderteins"));
    QCOMPARE(germanNumber(1001), std::string("eintausendeins"));
    QCOMPARE(germanNumber(32405), std::string("zweiunddreißigtausendvierhundertfünf"));
    QCOMPARE(germanNumber(700016), std::string("siebenhunderttausendsechzehn"));
    QCOMPARE(germanNumber(301000), std::string("dreihunderteintausend"));
    QCOMPARE(englishNumber(0), std::string("zero"));
    QCOMPARE(englishNumber(40), std::string("forty"));
    QCOMPARE(englishNumber(32405), std::string("thirty-two thousand four hundred and five"));
    QCOMPARE(englishNumber(81064), std::string("eighty-one thousand and sixty-four"));
    QCOMPARE(englishNumber(999999),
             std::string("nine hundred ninety-nine thousand nine hundred and ninety-nine"));
  }

  // Different numbers have different words, in both languages.
  void wordsAreUnique() {
    std::set<std::string> german, english;
    for (std::int64_t number = 0; number < 1'000'000; number += 7) {
      QVERIFY(german.insert(germanNumber(number)).second);
      QVERIFY(english.insert(englishNumber(number)).second);
    }
  }

  void sameSeedSameFiles() {
    QTemporaryDir folder;
    const std::string path = folder.path().toStdString();
    writeMadeSentences(path + "/a", 3).value();
    writeMadeSentences(path + "/b", 3).value();
    writeMadeSentences(path + "/c", 4).value();
    for (const char* name : {"/train.tsv", "/validation.tsv", "/test.tsv"}) {
      QCOMPARE(sha256OfFile(path + "/a" + name).value(), sha256OfFile(path + "/b" + name).value());
      QVERIFY(sha256OfFile(path + "/a" + name).value() != sha256OfFile(path + "/c" + name).value());
    }
    ParallelFiles files;
    files.path = path + "/a/train.tsv";
    QCOMPARE(readParallel(files, "train")->size(), 20000);
    files.path = path + "/a/validation.tsv";
    QCOMPARE(readParallel(files, "validation")->size(), 500);
  }

  void noSentenceTwice() {
    const MadeSentences made = makeSentences(1).value();
    std::set<std::string> german, english;
    std::int64_t halves = 0, numbers = 0;
    for (const auto* part : {&made.train, &made.validation, &made.test}) {
      for (const auto& [source, target] : *part) {
        QVERIFY(german.insert(source).second);
        QVERIFY(english.insert(target).second);
        halves += source.find("halb ") != std::string::npos ? 1 : 0;
        numbers += source.find(' ') == std::string::npos ? 1 : 0;
      }
    }
    QCOMPARE(german.size(), std::size_t{21000});
    QVERIFY(std::abs(static_cast<double>(numbers) / 21000 - .5) < .03);
    QVERIFY(halves > 500);
  }

  void refusals() {
    QVERIFY(!makeSentences(1, {1'000'000, 0, 0}).ok());
    QVERIFY(!makeSentences(1, {0, 1, 1}).ok());
    QVERIFY(!writeMadeSentences("/proc/nowhere", 1).ok());
  }
};

QTEST_APPLESS_MAIN(MadeNmtTest)
#include "tst_made_nmt.moc"
