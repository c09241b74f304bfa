// SPDX-License-Identifier: Apache-2.0
#include <QTemporaryDir>
#include <QTest>
#include <bit>
#include <cmath>
#include <fstream>
#include <limits>
#include <vector>

#include "core/base/json/json.h"
#include "core/base/json/json_array.h"
#include "core/base/json/json_builder.h"
#include "core/base/json/json_line.h"
#include "core/base/numbers/random_stream.h"

using namespace fathom;

class JsonTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void parses();
  void refuses_data();
  void refuses();
  void lineOfTheError();
  void lineOfAValue();
  void deepNesting();
  void limits();
  void manyValues();
  void realsRoundTrip();
  void nonFinite();
  void files();
  void quickReaderAgrees_data();
  void quickReaderAgrees();
  void elementsOfAnArray();
};

void JsonTest::parses() {
  const auto json = parseJson("\xEF\xBB\xBF{\"b\":[1,-2,3.5,true,null],\"a\":\"\\u00e4\\n\"}");
  QVERIFY(json.ok());
  QCOMPARE(json->begin().key(), std::string("b"));  // order kept
  QCOMPARE((*json)["a"].get<std::string>(), std::string("\xC3\xA4\n"));
  QCOMPARE(parseJson("9007199254740993")->get<std::int64_t>(), 9007199254740993ll);
}

void JsonTest::refuses_data() {
  QTest::addColumn<QByteArray>("text");
  const std::pair<const char*, const char*> rows[] = {{"empty", ""},
                                                      {"open", "{\"a\":1"},
                                                      {"comma", "[1,]"},
                                                      {"trailing", "{} x"},
                                                      {"NaN", "[NaN]"},
                                                      {"single quotes", "{'a':1}"},
                                                      {"comment", "[1] // x"},
                                                      {"twice", "{\"a\":1,\"a\":2}"},
                                                      {"twice inside", "[{\"a\":{\"b\":1,\"b\":2}}]"},
                                                      {"latin-1", "\"\xE4\""},
                                                      {"surrogate", "\"\\ud800\""},
                                                      {"overlong", "\"\xC0\xAF\""},
                                                      {"huge", "1e400"},
                                                      {"control", "\"\x01\""}};
  for (const auto& [name, text] : rows) QTest::newRow(name) << QByteArray(text);
}

void JsonTest::refuses() {
  QFETCH(QByteArray, text);
  const auto json = parseJson(text.toStdString(), "f.json");
  QVERIFY(!json.ok());
  QCOMPARE(json.error().kind, ErrorKind::Data);
  QVERIFY(json.error().text().find("f.json") != std::string::npos);
}

void JsonTest::lineOfTheError() {
  QCOMPARE(parseJson("{\n\"a\": 1,\n\"b\": x\n}", "f").error().line, 3);
  QCOMPARE(parseJson("{\n\"a\": 1,\n\"a\": 2\n}", "f").error().line, 3);
}

// A document of 200,000 nested arrays crashes who copies its DOM; here it never becomes one.
void JsonTest::lineOfAValue() {
  const std::string text =
      "\xEF\xBB\xBF\n{ \"x\" : [ \"a\\\"]\\n{\", 2.5e-3,\n true,\n null , {} , [ ], \n {\"b\":1, "
      "\"\\u0063\":\n 2}\n],"
      "\n\"y\":{\"x\":\n4}}\n";
  QVERIFY(parseJson(text).ok());
  using Path = std::vector<JsonStep>;
  const auto line = [&](const Path& path) { return static_cast<int>(lineOfJson(text, path)); };
  QCOMPARE(line({}), 2);
  QCOMPARE(line({"x", std::size_t{0}}), 2);
  QCOMPARE(line({"x", std::size_t{1}}), 2);
  QCOMPARE(line({"x", std::size_t{2}}), 3);
  QCOMPARE(line({"x", std::size_t{3}}), 4);
  QCOMPARE(line({"x", std::size_t{5}}), 4);
  QCOMPARE(line({"x", std::size_t{6}}), 5);
  QCOMPARE(line({"x", std::size_t{6}, "c"}), 6);  // \u0063
  QCOMPARE(line({"y", "x"}), 9);
  for (const Path& nowhere : {Path{"z"}, Path{"x", std::size_t{7}}, Path{"x", "b"}, Path{std::size_t{0}}})
    QCOMPARE(line(nowhere), 0);
}

void JsonTest::deepNesting() {
  const std::string deep(200000, '[');
  QVERIFY(!parseJson(deep).ok());
  const std::string sixtyFour = std::string(64, '[') + std::string(64, ']');
  QVERIFY(parseJson(sixtyFour).ok());
  const auto sixtyFive = parseJson("[" + sixtyFour + "]");
  QVERIFY(sixtyFive.error().message.find("64") != std::string::npos);
}

void JsonTest::limits() {
  JsonLimits limits;
  limits.maxBytes = 10;
  QVERIFY(!parseJson("[1,2,3,4,5,6]", {}, limits).ok());
  limits.maxBytes = 100;
  limits.allowDuplicateKeys = true;
  QVERIFY(parseJson("{\"a\":1,\"a\":2}", {}, limits).ok());
}

// A packed file of some kilobytes must not become a tree of gigabytes.
void JsonTest::manyValues() {
  std::string arrays = "[[]";
  constexpr std::size_t kCount = 120'000;
  JsonLimits limits;
  QCOMPARE(limits.maxWeight, std::size_t{32} << 20);
  limits.maxWeight = 300'000;
  arrays.reserve(3 * kCount + 4);
  for (std::size_t i = 0; i < kCount; ++i) arrays += ",[]";
  Result<Json> read = parseJson(arrays + "]", "many.json", limits);
  QVERIFY(!read.ok());
  QVERIFY2(read.error().text().find("many.json:1") != std::string::npos, read.error().text().c_str());
  QVERIFY2(read.error().text().find("too many values") != std::string::npos, read.error().text().c_str());
  arrays.resize(3 * (kCount / 2));
  QVERIFY(parseJson(arrays + "]", {}, limits).ok());
}

void JsonTest::realsRoundTrip() {
  RandomStream random(7);
  for (int i = 0; i < 100000; ++i) {
    const double value = std::bit_cast<double>(random.next());
    if (!std::isfinite(value)) continue;
    const double read = parseJson(jsonNumber(value))->get<double>();
    QVERIFY2(std::bit_cast<std::uint64_t>(read) == std::bit_cast<std::uint64_t>(value),
             jsonNumber(value).c_str());
    const float single = std::bit_cast<float>(static_cast<std::uint32_t>(random.next()));
    if (!std::isfinite(single)) continue;
    QCOMPARE(static_cast<float>(parseJson(jsonNumber(single))->get<double>()), single);
  }
  QVERIFY(std::signbit(parseJson(jsonNumber(-0.0))->get<double>()));
  QCOMPARE(jsonNumber(3.0), std::string("3"));
  QCOMPARE(jsonNumber(0.1), std::string("0.1"));
}

void JsonTest::nonFinite() {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double value : {std::nan(""), infinity, -infinity}) {
    const double read = realFromJson(parseJson(jsonNumber(value)).value()).value();
    QVERIFY(std::isnan(value) ? std::isnan(read) : read == value);
    QVERIFY(jsonReal(value).is_string());
  }
  QVERIFY(!realFromJson("nan").ok());
  QVERIFY(!realFromJson(Json::array()).ok());
}

void JsonTest::files() {
  const QTemporaryDir folder;
  const std::string path = folder.filePath(QStringLiteral("f.json")).toStdString();
  QVERIFY(!readJsonFile(path).ok());
  std::ofstream(path) << "{\"a\":\n}";
  QCOMPARE(readJsonFile(path).error().file, path);
  QCOMPARE(readJsonFile(path).error().line, 2);
}

void JsonTest::quickReaderAgrees_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::newRow("values") << QByteArray(
      R"( {"a" : [ 1,-2,0,-0,3.5e-3,1E+2,true,false,null,"x",{},[] ],"b":{"c":"" }} )");
  QTest::newRow("numbers") << QByteArray(
      "[0.1,1e308,-1.7976931348623157e308,5e-324,18446744073709551615,-9223372036854775808,1e-5]");
  QTest::newRow("texts") << QByteArray(R"(["\u00e4\ud83d\ude00\n\/\"","ä €😀","a\\b\u0000c"])");
  QTest::newRow("keys with escapes") << QByteArray(
      R"({"\u0120a":1,"\"\\":[2,{"\n":null,"":3}],"\u00e4\ud83d\ude00":"x","ä":4,"b":5})");
  QByteArray many = "{";
  for (int i = 0; i < 60; ++i) many += "\"k" + QByteArray::number(i) + "\":" + QByteArray::number(i) + ",";
  QTest::newRow("many keys") << many + "\"last\":[[[]]]}";
}

// The one-pass reader gives what the library's reader gives, and never takes what that refuses: each text,
// and many with a few bytes changed.
void JsonTest::quickReaderAgrees() {
  QFETCH(QByteArray, text);
  const std::string honest = text.toStdString();
  Json quick;
  QVERIFY(JsonBuilder(honest, {}).document(quick));
  QCOMPARE(quick.dump(), Json::parse(honest).dump());
  RandomStream random(streamSeed(3, honest));
  constexpr std::string_view kBytes = "0{}[]\",:-9e.+\\u \xC3\xA9\x01";
  int taken = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string changed = honest;
    for (std::uint64_t edits = 1 + random.below(3); edits > 0; --edits) {
      const std::size_t at = random.below(changed.size());
      if (random.below(2) == 0) {
        changed[at] = kBytes[random.below(kBytes.size())];
      } else {
        changed.insert(at, 1, kBytes[random.below(kBytes.size())]);
      }
    }
    Json read;
    if (!JsonBuilder(changed, {}).document(read)) continue;
    ++taken;
    const Json reference = Json::parse(changed, nullptr, false);
    QVERIFY2(!reference.is_discarded() && reference.dump() == read.dump(), changed.c_str());
  }
  QVERIFY(taken > 20);
}

void JsonTest::elementsOfAnArray() {
  const auto some = [](std::string_view element) { return element.find("\"b\"") != std::string_view::npos; };
  const auto read = parseJsonArray("\xEF\xBB\xBF [ {\"a\":1} , {\"b\":[2,\"]\"]} ,3]\n", "f", some);
  QCOMPARE(read->size(), std::size_t{1});
  QCOMPARE(read->front().dump(), std::string("{\"b\":[2,\"]\"]}"));
  QVERIFY(parseJsonArray("[]", "f", some)->empty());
  // What is not asked for is checked as well, and keys are the same with escapes.
  for (const char* bad :
       {"[{\"a\":1,\"a\":2},{\"b\":1}]", "[{\"a\":01},{\"b\":1}]", "[1,]", "[1 2]", "[1", "{}", "", "[1] x"})
    QVERIFY2(!parseJsonArray(bad, "f", some).ok(), bad);
  QCOMPARE(parseJsonArray("[{\"\\u0061\":1},{\"b\":\"\\u0062\"}]", "f", some)->front().dump(),
           std::string("{\"b\":\"b\"}"));
  QCOMPARE(parseJsonArray("[1,\n{\"a\":x}]", "f", some).error().line, 2);
}

QTEST_APPLESS_MAIN(JsonTest)
#include "tst_json.moc"
