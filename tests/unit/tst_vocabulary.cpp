// SPDX-License-Identifier: Apache-2.0
#include "core/text/vocabulary.h"

#include <QTest>

#include "core/base/text/utf8.h"
#include "core/text/lower_case.h"

using namespace fathom;

class VocabularyTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void orderAndPadding() {
    Vocabulary::Builder builder;
    builder.add("b a c a");
    builder.add("b d <pad>");
    const Vocabulary vocabulary = builder.build({});
    QCOMPARE(vocabulary.vocabularySize(), 8);
    QCOMPARE(vocabulary.find("a"), 4);
    QCOMPARE(vocabulary.find("b"), 5);
    QCOMPARE(vocabulary.find("c"), 6);
    QCOMPARE(vocabulary.find("d"), 7);
    QCOMPARE(vocabulary.encode("d x a <pad>"), (std::vector<std::int64_t>{7, 3, 4, 3}));
    Vocabulary::Options rare;
    rare.minimumCount = 2;
    const Vocabulary shorter = builder.build(rare);
    QCOMPARE(shorter.vocabularySize(), 8);
    QCOMPARE(shorter.piece(6), std::string("madeupword0000"));
    QCOMPARE(shorter.find("c"), -1);
    Vocabulary::Options limited;
    limited.maximumSize = 5;
    limited.multiple = 1;
    QCOMPARE(builder.build(limited).vocabularySize(), 5);
  }

  void textRoundTrip() {
    Vocabulary::Builder builder;
    builder.add("der Hund der Bär@@ en größer");
    const Vocabulary first = builder.build({});
    const Vocabulary second = Vocabulary::fromText(first.toText(), "dict.txt").value();
    QCOMPARE(second.vocabularySize(), first.vocabularySize());
    QCOMPARE(second.encode("Bär@@ en Hund"), first.encode("Bär@@ en Hund"));
    QCOMPARE(second.decode(second.encode("der Bär@@ en Hund")), std::string("der Bären Hund"));
    QCOMPARE(joinSubwords("a@@ b@@ c d@@"), std::string("abc d"));
  }

  void badFiles() {
    const auto lineOf = [](const char* text) { return Vocabulary::fromText(text, "dict.txt").error().line; };
    QCOMPARE(lineOf("a 3\nb\n"), 2);
    QCOMPARE(lineOf("a 3\nb x\n"), 2);
    QCOMPARE(lineOf("a 3\nc 2\na 1\n"), 3);
    QVERIFY(!Vocabulary::fromText("", "dict.txt").ok());
    QVERIFY(Vocabulary::fromText("a 3\r\nb 2\r\n", "dict.txt").ok());
  }

  void utf8() {
    QCOMPARE(firstInvalidUtf8("größer 漢字 🙂"), std::string_view::npos);
    QCOMPARE(firstInvalidUtf8("ab\xff"), std::size_t{2});
    QCOMPARE(firstInvalidUtf8("ab\xe2\x82"), std::size_t{2});
    QCOMPARE(firstInvalidUtf8("\xed\xa0\x80"), std::size_t{0});
    QCOMPARE(firstInvalidUtf8("\xf4\x90\x80\x80"), std::size_t{0});
    QCOMPARE(countCodePoints("é🙂"), 2);
    std::string all;
    for (const char32_t point : {U'a', U'\u00e9', U'\u6f22', U'\U0001F642', U'\U0010FFFF'})
      appendCodePoint(all, point);
    std::size_t at = 0;
    for (const char32_t point : {U'a', U'\u00e9', U'\u6f22', U'\U0001F642', U'\U0010FFFF'})
      QCOMPARE(nextCodePoint(all, at), point);
    QCOMPARE(strip("\u3000 a b\u00a0\u2028\t"), std::string_view("a b"));
    QCOMPARE(strip("\u200ba"), std::string_view("\u200ba"));
    QCOMPARE(toLowerCase("ΟΔΟΣ İ"), std::string("οδος i\u0307"));
  }
};

QTEST_APPLESS_MAIN(VocabularyTest)
#include "tst_vocabulary.moc"
