// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/base/options/option_field.h"

using namespace fathom;

namespace {

OptionField field(const std::string& key, OptionType type, Json fallback) {
  OptionField made;
  made.key = key;
  made.type = type;
  made.defaultValue = std::move(fallback);
  made.title = key;
  return made;
}

OptionSchema sample() {
  OptionField layers = field("encoder.layers", OptionType::Integer, 6);
  layers.minimum = 1;
  layers.maximum = 1000;
  layers.aliases = {"enc_layers"};
  OptionField rate = field("rate", OptionType::Real, 0.5);
  rate.minimum = 0;
  rate.minimumExclusive = true;
  rate.maximum = 1;
  OptionField scheme = field("encoder.residual", OptionType::Choice, "post_ln");
  scheme.choices = {{"post_ln", "Post-LN"}, {"pre_ln", "Pre-LN"}, {"admin", "Admin"}};
  OptionField batches = field("encoder.residual.admin.profile_batches", OptionType::Integer, 1);
  batches.minimum = 1;
  batches.enabledWhen = {{"encoder.residual", OptionClause::Test::In, {"admin"}}};
  OptionField width = field("width", OptionType::Integer, 512);
  OptionField heads = field("heads", OptionType::Integer, 8);
  OptionField length = field("length", OptionType::Time, "10e");
  OptionField seeds = field("seeds", OptionType::IntegerList, Json::array({1, 2}));
  OptionField names = field("names", OptionType::TextList, Json::array());
  OptionField flag = field("flag", OptionType::Flag, false);
  OptionRule divides;
  divides.when = {{"width", OptionClause::Test::NotMultiple, {{{"key", "heads"}}}}};
  divides.reason = "width must be a multiple of heads";
  divides.keys = {"width", "heads"};
  OptionRule few;
  few.when = {{"heads", OptionClause::Test::AtMost, {Json{{"key", "encoder.layers"}, {"plus", -99}}}}};
  few.reason = "a head for each layer above the hundredth";
  few.keys = {"heads", "encoder.layers"};
  OptionRule inactive;
  inactive.when = {{"encoder.residual.admin.profile_batches", OptionClause::Test::AtLeast, {10}}};
  inactive.reason = "too many profile batches";
  inactive.keys = {"encoder.residual.admin.profile_batches"};
  return {{layers, rate, scheme, batches, width, heads, length, seeds, names, flag},
          {divides, few, inactive}};
}

}  // namespace

class OptionFieldTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void texts_data();
  void texts();
  void refused_data();
  void refused();
  void notUtf8IsRefused();
  void unknownNamesTheList();
  void unknownKeys();
  void aliases();
  void activity();
  void rules();
  void rulesAddToAnotherValue();
  void effectiveAndMinimal();
  void schemaRoundTrip();
};

void OptionFieldTest::texts_data() {
  QTest::addColumn<QString>("assignment");
  QTest::addColumn<QString>("json");
  for (const auto& [assignment, json] : {std::pair("encoder.layers=12", "12"),
                                         {"encoder.layers=12.0", "12"},
                                         {"rate=1", "1.0"},
                                         {"rate=1e-3", "0.001"},
                                         {"encoder.residual=pre_ln", "\"pre_ln\""},
                                         {"length=300u", "\"300u\""},
                                         {"length=20Mt", "\"20Mt\""},
                                         {"length=0", "\"never\""},
                                         {"seeds=3,4,5", "[3,4,5]"},
                                         {"seeds=", "[]"},
                                         {"names=a,b c", "[\"a\",\"b c\"]"},
                                         {"flag=on", "true"},
                                         {"flag=0", "false"}})
    QTest::newRow(assignment) << QString::fromUtf8(assignment) << QString::fromUtf8(json);
}

void OptionFieldTest::texts() {
  QFETCH(QString, assignment);
  QFETCH(QString, json);
  OptionValues values(sample());
  const Status status = values.setText(assignment.toStdString());
  QVERIFY2(status.ok(), status.ok() ? "" : status.error().text().c_str());
  const std::string key = assignment.section(QLatin1Char('='), 0, 0).toStdString();
  QCOMPARE(values.value(key).dump(), json.toStdString());
  // What is shown reads back.
  const OptionField* declared = values.schema().find(key);
  const std::string shown = optionValueText(*declared, values.value(key));
  QCOMPARE(parseOptionText(*declared, shown)->dump(), json.toStdString());
}

void OptionFieldTest::refused_data() {
  QTest::addColumn<QString>("assignment");
  QTest::addColumn<QString>("says");
  for (const auto& [assignment, says] : {std::pair("encoder.layers=0", "from 1"),
                                         {"encoder.layers=1001", "up to 1000"},
                                         {"encoder.layers=1.5", "whole"},
                                         {"encoder.layers=x", "'x'"},
                                         {"encoder.layers=1e300", "whole"},
                                         {"rate=0", "above 0"},
                                         {"rate=nan", "number"},
                                         {"encoder.residual=pre_lm", "pre_ln"},
                                         {"length=soon", "300u"},
                                         {"seeds=1,b", "'b'"},
                                         {"flag=maybe", "true or false"},
                                         {"encoder.layres=3", "encoder.layers"},
                                         {"encoder.layers", "key=value"}})
    QTest::newRow(assignment) << QString::fromUtf8(assignment) << QString::fromUtf8(says);
}

void OptionFieldTest::refused() {
  QFETCH(QString, assignment);
  QFETCH(QString, says);
  OptionValues values(sample());
  const Json before = values.effective();
  const Status status = values.setText(assignment.toStdString());
  QVERIFY(!status.ok());
  QCOMPARE(status.error().kind, ErrorKind::Usage);
  const QString text = QString::fromStdString(status.error().text());
  QVERIFY2(text.contains(says), qPrintable(text));
  QVERIFY(values.effective() == before);
}

// Options that are few are told; those of a run are where describe lists them.
void OptionFieldTest::unknownNamesTheList() {
  OptionValues few(OptionSchema(
      {OptionField{.key = "smoothing", .defaultValue = ""}, OptionField{.key = "axis", .defaultValue = ""}},
      {}));
  const std::string said = few.setText("colours=grey").error().text();
  QVERIFY2(said.find("there are: smoothing, axis") != std::string::npos &&
               said.find("describe") == std::string::npos,
           said.c_str());
  std::vector<OptionField> fields;
  for (int i = 0; i < 200; ++i)
    fields.push_back(OptionField{.key = "option" + std::to_string(i), .defaultValue = ""});
  OptionValues many(OptionSchema(std::move(fields), {}));
  QVERIFY(many.setText("colours=grey").error().text().find("fathom-engine describe") != std::string::npos);
}

// What an option says is written as JSON, which has no other texts.
void OptionFieldTest::notUtf8IsRefused() {
  OptionValues values(sample());
  const Status status = values.setText("names=a\xFF\xFE.tsv");
  QVERIFY(!status.ok());
  QCOMPARE(status.error().kind, ErrorKind::Usage);
  QVERIFY2(status.error().text().find("not UTF-8") != std::string::npos, status.error().text().c_str());
  const OptionField text{.key = "text", .type = OptionType::Text, .defaultValue = ""};
  QVERIFY(!checkOptionValue(text, Json(std::string("caf\xE9"))).ok());
  QVERIFY(checkOptionValue(text, Json("café")).ok());
  // Also where only the message has it.
  const OptionField whole{.key = "n", .type = OptionType::Integer, .defaultValue = 1};
  QVERIFY(!checkOptionValue(whole, Json(std::string("\xFF"))).ok());
}

void OptionFieldTest::unknownKeys() {
  OptionValues values(sample());
  const Json object = {{"rate", 0.25}, {"gone", 5}};
  const Status strict = values.merge(object, "c.json");
  QVERIFY(!strict.ok());
  QCOMPARE(strict.error().file, std::string("c.json"));
  QVERIFY(values.merge(object, "run.json", true).ok());
  QCOMPARE(values.unknownKeys(), std::vector<std::string>{"gone"});
  QVERIFY(values.effective()["gone"] == 5);
  QCOMPARE(values.real("rate"), 0.25);
}

void OptionFieldTest::aliases() {
  OptionValues values(sample());
  QVERIFY(values.setText("enc_layers=4").ok());
  QCOMPARE(values.integer("encoder.layers"), std::int64_t{4});
  QVERIFY(!values.effective().contains("enc_layers"));
}

// A key of an entry that is not selected is kept and never an error.
void OptionFieldTest::activity() {
  OptionValues values(sample());
  const std::string key = "encoder.residual.admin.profile_batches";
  QVERIFY(!values.active(key));
  QVERIFY(values.set(key, 20).ok());
  QVERIFY(values.violations().empty());
  QVERIFY(values.set("encoder.residual", "admin").ok());
  QVERIFY(values.active(key));
  QCOMPARE(values.integer(key), std::int64_t{20});
  QCOMPARE(values.violations().size(), std::size_t{1});
}

void OptionFieldTest::rules() {
  OptionValues values(sample());
  QVERIFY(values.check().ok());
  QVERIFY(values.set("heads", 7).ok());
  const auto broken = values.violations();
  QCOMPARE(broken.size(), std::size_t{1});
  QCOMPARE(broken[0].keys, (std::vector<std::string>{"width", "heads"}));
  QVERIFY(values.check().error().text().find("multiple of heads") != std::string::npos);
}

// Against another option's value and a number: 8 heads are enough for 106 layers, not for 107.
void OptionFieldTest::rulesAddToAnotherValue() {
  for (const OptionSchema& schema : {sample(), OptionSchema::fromJson(sample().toJson()).value()}) {
    OptionValues values(schema);
    QVERIFY(values.set("encoder.layers", 106).ok() && values.check().ok());
    QVERIFY(values.set("encoder.layers", 107).ok());
    QCOMPARE(values.violations().size(), std::size_t{1});
    QVERIFY(values.check().error().text().find("above the hundredth") != std::string::npos);
  }
}

void OptionFieldTest::effectiveAndMinimal() {
  OptionValues values(sample());
  QVERIFY(values.minimal().empty());
  QVERIFY(values.set("width", 256).ok());
  QCOMPARE(values.minimal().dump(), std::string("{\"width\":256}"));
  QCOMPARE(values.effective().size(), std::size_t{10});
  QCOMPARE(values.effective().begin().key(), std::string("encoder.layers"));
  // Later sources win.
  QVERIFY(values.merge({{"width", 128}}, "file").ok());
  QVERIFY(values.setText("width=64").ok());
  QCOMPARE(values.integer("width"), std::int64_t{64});
}

void OptionFieldTest::schemaRoundTrip() {
  const OptionSchema schema = sample();
  const auto read = OptionSchema::fromJson(parseJson(schema.toJson().dump()).value());
  QVERIFY2(read.ok(), read.ok() ? "" : read.error().text().c_str());
  QVERIFY(read->toJson() == schema.toJson());
  OptionValues values(*read);
  QVERIFY(values.set("heads", 7).ok());
  QCOMPARE(values.violations().size(), std::size_t{1});
  QVERIFY(!OptionSchema::fromJson({{"fields", 3}}).ok());
}

QTEST_APPLESS_MAIN(OptionFieldTest)
#include "tst_option_field.moc"
