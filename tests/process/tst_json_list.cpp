// SPDX-License-Identifier: Apache-2.0
// A long list as JSON is the text that the whole value would be.
#include <QTest>

#include "app/json_list.h"

using namespace fathom;

class JsonListTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void sameAsTheWhole_data() {
    QTest::addColumn<QByteArray>("list");
    QTest::newRow("nothing") << QByteArray("[]");
    QTest::newRow("one number") << QByteArray("[1]");
    QTest::newRow("objects") << QByteArray(
        R"([{"a": 1, "b": {"c": [1, 2, {}], "d": []}}, {"a": "two\nlines"}])");
    QTest::newRow("lists and words") << QByteArray(R"([[], [[1.5, null]], "\u00e9\n    ", true, {}])");
  }
  void sameAsTheWhole() {
    QFETCH(QByteArray, list);
    Json whole = {{"format", 1}, {"project", "a \"name\"\n"}};
    JsonListText text(whole, "runs");
    const Json elements = parseJson(list.toStdString()).value();
    for (const Json& element : elements) text.add(element);
    whole["runs"] = elements;
    QCOMPARE(text.finished(), whole.dump(2));
  }
  void bytesThatAreNoText() {
    JsonListText text({{"format", 1}}, "runs");
    text.add("a\xff");
    const Json whole = {{"format", 1}, {"runs", {"a\xEF\xBF\xBD"}}};
    QCOMPARE(text.finished(), whole.dump(2));
  }
};

QTEST_GUILESS_MAIN(JsonListTest)
#include "tst_json_list.moc"
