// SPDX-License-Identifier: Apache-2.0
// Sentences in parts: places are filled, a % that is no place stays, lists join what is in them, files keep
// all of it.
#include <QTest>

#include "core/base/errors/name_list.h"
#include "core/base/json/json_text.h"
#include "core/base/json/phrase_json.h"
#include "core/base/text/utf8.h"
#include "core/base/text/well_formed.h"

using namespace fathom;

class PhraseTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void placesAreFilled() {
    const Phrase phrase = Phrase::tr("gold has %1, the prediction has %2")(
        Phrase::tr("no order"), Phrase::tr("%1 descending")(std::string("age")));
    QCOMPARE(phrase.english(), std::string("gold has no order, the prediction has age descending"));
    QCOMPARE(Phrase::tr("%1 columns")(3).english(), std::string("3 columns"));
  }
  void foreignPercentSignsStay() {
    // A name may look like a place, and a text may ask for a part that is not there.
    const Phrase phrase = Phrase::known("only in gold: %1; 50 % of %3");
    Phrase filled = phrase;
    filled.parts = {Phrase::words("100%2"), Phrase::tr("nothing")};
    QCOMPARE(filled.english(), std::string("only in gold: 100%2; 50 % of %3"));
    QCOMPARE(Phrase::words("LIKE '%1'").english(), std::string("LIKE '%1'"));
  }
  void tenPartsKeepTheirOrder() {
    std::vector<Phrase> parts;
    std::string expected;
    for (int i = 0; i < 12; ++i) {
      parts.emplace_back(i);
      expected += (i > 0 ? "; " : "") + std::to_string(i);
    }
    QCOMPARE(Phrase::list(parts, "; ").english(), expected);
  }
  void marksOfListsAreTheLanguages() {
    const Phrase names = nameList({"a, b", "%1", "c"});
    QCOMPARE(names.english(), std::string("a, b, %1, c"));
    QCOMPARE(Phrase::tr("one of %1")(names).english(), std::string("one of a, b, %1, c"));
    const auto other = [](const std::string& text) { return text == ", " ? "、" : text; };
    QCOMPARE(names.said(other), std::string("a, b、%1、c"));
    QCOMPARE(listed({Phrase::tr("nothing"), Phrase::words("x")}).said(other), std::string("nothing、x"));
    QCOMPARE(nameList({"one"}).english(), std::string("one"));
    QVERIFY(nameList({}).empty());
  }
  void listOfOneIsThatOne() {
    const Phrase one = Phrase::list({Phrase::tr("EXCEPT on a key is NOT IN")}, "; ");
    QVERIFY(!one.verbatim);
    QCOMPARE(one.english(), std::string("EXCEPT on a key is NOT IN"));
  }
  // Every English text is asked for once with its places, verbatim parts never.
  void anotherLanguageSaysThePartsToo() {
    const auto shout = [](const std::string& english) {
      return english == "%1 of %2" ? std::string("%2/%1") : "<" + english + ">";
    };
    const Phrase phrase = Phrase::tr("%1 of %2")(Phrase::tr("nothing"), std::string("nothing"));
    QCOMPARE(phrase.said(shout), std::string("nothing/<nothing>"));
    QCOMPARE(Phrase::list({phrase, Phrase::words("x")}, " - ").said(shout),
             std::string("nothing/<nothing> - x"));
  }
  void filesKeepIt() {
    const Phrase inner = Phrase::tr("%1 descending")(std::string("50 %1"));
    const Phrase phrase = Phrase::list({Phrase::tr("%1: %2")(inner, 7), Phrase::words("b")}, "; ");
    QCOMPARE(phraseFromJson(phraseToJson(phrase)).english(), phrase.english());
    QVERIFY(phraseFromJson(phraseToJson(phrase)) == phrase);
    QVERIFY(phraseFromJson(phraseToJson(Phrase())).empty());
    for (const char* broken : {"null", "7", "[]", "{}", R"({"text":"a"})", R"({"text":7,"values":[]})"})
      QVERIFY2(phraseFromJson(Json::parse(broken)).empty(), broken);
  }
  // Names of files and cells that were cut are verbatim parts: what is written of them is JSON all the same.
  void foreignBytesAreWritten() {
    const Phrase phrase = Phrase::tr("no such file: %1")(std::string("a\xFF.tsv, \xC3"));
    Json object;
    writePhrase(object, "error", phrase);
    writePhrases(object, "notes", {phrase, Phrase::words("\xE9")});
    QVERIFY(validUtf8(object.dump()));
    QCOMPARE(object["error"].get<std::string>(), std::string("no such file: a\uFFFD.tsv, \uFFFD"));
    QCOMPARE(readPhrase(object, "error").parts.size(), std::size_t{1});
    QCOMPARE(wellFormedUtf8("\xF0\x9F\x98"
                            "a\xC3\xA9"),
             std::string("\uFFFD\uFFFD\uFFFDaé"));
    QCOMPARE(jsonText({{"a", "\xFF"}}), std::string("{\"a\":\"\uFFFD\"}"));
  }
};

QTEST_GUILESS_MAIN(PhraseTest)
#include "tst_phrase.moc"
