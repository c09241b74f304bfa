// SPDX-License-Identifier: Apache-2.0
// The ways of saying things once: options, lists of entries, words of enumerations, members of stored
// objects.
#include <QTest>
#include <cmath>

#include "core/base/errors/word_table.h"
#include "core/base/json/json_fields.h"
#include "core/base/json/json_members.h"
#include "core/base/numbers/not_a_number.h"
#include "core/base/options/entry_table.h"
#include "core/base/options/field_builder.h"
#include "core/base/text/number_text.h"
#include "core/base/text/text_list.h"

namespace fathom {

namespace {

enum class Shade { Light, Dark, Nameless };
constexpr EnumWord<Shade> kShades[] = {{Shade::Dark, "dark", "Night"}, {Shade::Light, "light", "Day"}};

struct DeclaredEntry {
  std::string id, title;
  std::vector<OptionField> fields;
  std::vector<OptionRule> rules;
};

struct StoredPart {
  std::string name;
  double value = 0;
};
struct StoredWhole {
  std::int64_t count = 0;
  std::vector<StoredPart> parts;
  std::vector<std::pair<std::string, double>> named;
  std::array<double, 2> ends{};
  std::optional<StoredPart> best;
};

template <typename Io>
void jsonMembers(Io& io, StoredPart& part) {
  io("name", part.name)("value", part.value);
}
template <typename Io>
void jsonMembers(Io& io, StoredWhole& whole) {
  io("count", whole.count).derived("twice", 2 * whole.count);
  io("parts", whole.parts)("named", whole.named)("ends", whole.ends)("best", whole.best);
}

}  // namespace

class DeclarationsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void fields();
  void manyFields();
  void words();
  void entries();
  void storedObjects();
  void damagedObjects();
  void foreignMembers();
  void numbers();
  void lists();
};

void DeclarationsTest::fields() {
  const OptionField field = integerField("a.b", "Title", "Help.", 4)
                                .between(1, 9)
                                .unit("tokens")
                                .reference("BERT §3")
                                .off(0)
                                .alias("old")
                                .when("x", {"one", 2})
                                .unless("y", {false});
  QCOMPARE(field.key, std::string("a.b"));
  QCOMPARE(field.type, OptionType::Integer);
  QVERIFY(field.defaultValue == Json(4));
  QCOMPARE(*field.minimum, 1.0);
  QCOMPARE(*field.maximum, 9.0);
  QVERIFY(!field.minimumExclusive && !field.maximumExclusive);
  QVERIFY(*field.disablingValue == Json(0));
  QCOMPARE(field.aliases, std::vector<std::string>{"old"});
  QCOMPARE(field.enabledWhen.size(), std::size_t{2});
  QCOMPARE(field.enabledWhen[0].test, OptionClause::Test::In);
  QVERIFY(field.enabledWhen[0].values == (std::vector<Json>{"one", 2}));
  QCOMPARE(field.enabledWhen[1].test, OptionClause::Test::NotIn);
  const OptionField real = realField("r", "R", "", 1).above(0).below(2);
  QVERIFY(real.defaultValue.is_number_float());
  QVERIFY(real.minimumExclusive && real.maximumExclusive);
  const OptionField time = timeField("t", "T", "", "1e");
  QVERIFY(*time.disablingValue == Json("never"));
  const OptionField choice = choiceField("c", "C", "", choicesOf(kShades));
  QVERIFY(choice.defaultValue == Json("dark"));
  QCOMPARE(choice.choices.size(), std::size_t{2});
  QCOMPARE(choice.choices[1].title, std::string("Day"));
  const OptionField other = choiceField("c", "C", "", choicesOf(kShades)).usually("light");
  QVERIFY(other.defaultValue == Json("light"));
  QVERIFY(OptionField(listField("l", "L", "")).defaultValue == Json(Json::array()));
}

void DeclarationsTest::manyFields() {
  const auto fields = inGroup(
      "G",
      fromPaper("P", joinedFields({{flagField("a", "A", "")},
                                   {textField("b", "B", "").reference("own"), pathField("c", "C", "")}})));
  QCOMPARE(fields.size(), std::size_t{3});
  for (const OptionField& field : fields) QCOMPARE(field.group, std::string("G"));
  QCOMPARE(fields[0].reference, std::string("P"));
  QCOMPARE(fields[1].reference, std::string("own"));
  QCOMPARE(fields[2].type, OptionType::Path);
}

void DeclarationsTest::words() {
  QCOMPARE(std::string(wordOf(kShades, Shade::Light)), std::string("light"));
  QCOMPARE(std::string(wordOf(kShades, Shade::Nameless)), std::string("?"));
  QVERIFY(findWord(kShades, "dark") == Shade::Dark);
  QVERIFY(!findWord(kShades, "Dark"));
  QVERIFY(valueOf(kShades, "light") == Shade::Light);
  QVERIFY_THROWS_EXCEPTION(Failure, valueOf(kShades, "grey"));
}

void DeclarationsTest::entries() {
  const OptionField shared = flagField("shared", "S", "");
  const std::vector<DeclaredEntry> all = {
      {"one", "First", {shared, flagField("own", "O", "")}, {{{}, "never", {"shared"}}}},
      {"two", "Second", {shared}, {}}};
  QCOMPARE(findEntry(all, "two")->title, std::string("Second"));
  QVERIFY(findEntry(all, "three") == nullptr);
  QCOMPARE(knownIds(all), std::string("one, two"));
  QCOMPARE(entryChoices(all)[1].title, std::string("Second"));
  const auto fields = entryFields(all, "kind", [](const DeclaredEntry& entry) { return entry.fields; });
  QCOMPARE(fields.size(), std::size_t{2});
  QVERIFY(fields[0].enabledWhen.back().values == (std::vector<Json>{"one", "two"}));
  QVERIFY(fields[1].enabledWhen.back().values == std::vector<Json>{"one"});
  const auto rules = entryRules(all, "kind", [](const DeclaredEntry& entry) { return entry.rules; });
  QCOMPARE(rules.size(), std::size_t{1});
  QCOMPARE(rules[0].when.back().key, std::string("kind"));
  QVERIFY(rules[0].when.back().values == std::vector<Json>{"one"});
}

void DeclarationsTest::storedObjects() {
  StoredWhole whole{3, {{"a", 1.5}, {"b", HUGE_VAL}}, {{"z", kNaN}, {"y", 2}}, {-1, 1}, {}};
  const Json json = jsonOf(whole);
  QCOMPARE(json.dump(), std::string(R"({"count":3,"twice":6,"parts":[{"name":"a","value":1.5},)"
                                    R"({"name":"b","value":"Infinity"}],"named":{"z":"NaN","y":2.0},)"
                                    R"("ends":[-1.0,1.0]})"));
  const StoredWhole read = storedFromJson<StoredWhole>(json, Phrase::tr("damaged: %1")).value();
  QCOMPARE(read.count, std::int64_t{3});
  QCOMPARE(read.parts.size(), std::size_t{2});
  QVERIFY(std::isinf(read.parts[1].value));
  QCOMPARE(read.named[0].first, std::string("z"));
  QVERIFY(std::isnan(read.named[0].second));
  QCOMPARE(read.ends[0], -1.0);
  QVERIFY(!read.best);
  whole.best = StoredPart{"c", 7};
  QCOMPARE(storedFromJson<StoredWhole>(jsonOf(whole), Phrase::tr("damaged: %1")).value().best->value, 7.0);
}

void DeclarationsTest::damagedObjects() {
  const Json good = jsonOf(StoredWhole{});
  for (const char* key : {"count", "parts", "named", "ends"}) {
    Json json = good;
    json.erase(key);
    const auto read =
        storedFromJson<StoredWhole>(json, Phrase::tr("damaged: %1"), Phrase::words("make it anew"));
    QVERIFY2(!read.ok(), key);
    QCOMPARE(read.error().kind, ErrorKind::Data);
    QVERIFY(read.error().message.starts_with("damaged: "));
    QCOMPARE(read.error().hint, std::string("make it anew"));
  }
  Json json = good;
  json["ends"] = {1};  // too short for an array of two
  QVERIFY(!storedFromJson<StoredWhole>(json, Phrase::tr("damaged: %1")).ok());
  json = good;
  json["parts"] = 7;
  QVERIFY(!storedFromJson<StoredWhole>(json, Phrase::tr("damaged: %1")).ok());
}

void DeclarationsTest::foreignMembers() {
  const Json json = {{"text", "t"}, {"number", 7}, {"flag", true}, {"list", {1}}, {"object", {{"a", 1}}}};
  QCOMPARE(memberText(json, "text"), std::string("t"));
  QCOMPARE(memberText(json, "number", "else"), std::string("else"));
  QCOMPARE(memberInteger(json, "number"), std::int64_t{7});
  QCOMPARE(memberInteger(json, "text", -1), std::int64_t{-1});
  QVERIFY(memberFlag(json, "flag", false));
  QVERIFY(memberFlag(json, "absent", true));
  QCOMPARE(memberList(json, "list").size(), std::size_t{1});
  QVERIFY(memberList(json, "object").empty() && memberList(json, "object").is_array());
  QCOMPARE(memberObject(json, "object").size(), std::size_t{1});
  QVERIFY(memberObject(json, "list").is_object());
  QCOMPARE(memberText(Json("no object"), "text"), std::string());
  QCOMPARE(memberInteger(Json::array({1}), "number", 3), std::int64_t{3});
}

void DeclarationsTest::numbers() {
  QCOMPARE(numberFrom<std::int64_t>("-12"), std::optional<std::int64_t>(-12));
  for (const char* text : {"", "+1", " 1", "1 ", "1x", "9223372036854775808"})
    QVERIFY2(!numberFrom<std::int64_t>(text), text);
  QCOMPARE(numberFrom<double>("1e-3"), std::optional(1e-3));
  QVERIFY(!numberFrom<double>("1e-3 "));
  QCOMPARE(shortestText(0.1), std::string("0.1"));
  QCOMPARE(formatted("%.2f s", 1.005), std::string("1.00 s"));
  QCOMPARE(paddedText(7, 4), std::string("0007"));
  QCOMPARE(paddedText(12345, 4), std::string("12345"));
}

void DeclarationsTest::lists() {
  const std::vector<std::string> words = {"a", "", "c"};
  QCOMPARE(joined(words), std::string("a, , c"));
  QCOMPARE(joined(std::vector<std::string>()), std::string());
  QCOMPARE(joined(std::vector<int>{1, 2}, "-", [](int n) { return std::to_string(n); }), std::string("1-2"));
  QCOMPARE(splitAt("a,,b", ',').size(), std::size_t{3});
  QCOMPARE(splitAt("", ',').size(), std::size_t{1});
  QCOMPARE(splitAt("a,", ',').back(), std::string_view());
  QCOMPARE(trimmed(" \ta b\t "), std::string_view("a b"));
  QCOMPARE(trimmed(" \t"), std::string_view());
  std::string text = "aaa";
  replaceAll(text, "a", "ba");
  QCOMPARE(text, std::string("bababa"));
  std::string_view rest = "x\ny";
  QCOMPARE(takeUntil(rest, '\n'), std::string_view("x"));
  QCOMPARE(takeUntil(rest, '\n'), std::string_view("y"));
  QVERIFY(rest.empty());
}

}  // namespace fathom

using fathom::DeclarationsTest;
QTEST_APPLESS_MAIN(DeclarationsTest)
#include "tst_declarations.moc"
