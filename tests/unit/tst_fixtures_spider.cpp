// SPDX-License-Identifier: Apache-2.0
// Golden cases of the error categoriser: area "spider" of the fixtures.
#include <sqlite3.h>

#include <QTest>
#include <filesystem>

#include "core/base/files/atomic_file.h"
#include "core/spider/judgement/error_breakdown.h"
#include "core/sqlrun/schema_facts.h"
#include "support_fixtures.h"

using namespace fathom;

namespace {

// The JSON of every case, with the folder of the files that it names.
std::vector<Json> spiderCases() {
  std::vector<Json> result;
  for (const auto& one : fixtures::cases("spider")) {
    for (const std::string& file : one.files) {
      if (!file.ends_with(".json")) continue;
      Json fixture = fixtures::readJson(file);
      if (!fixture.is_object() || !fixture.contains("expected")) continue;  // a schema
      fixture["folder"] = std::filesystem::path(file).parent_path().string();
      result.push_back(std::move(fixture));
    }
  }
  return result;
}

std::string firstWord(const std::string& text) {
  return text.substr(0, text.find(' '));
}

SpiderSchema schemaOf(const Json& fixture) {
  const std::string folder = fixture["folder"].get<std::string>();
  const Json& config = fixture["config"];
  auto schemas = readSpiderTables(folder + "/" + firstWord(config["tables"].get<std::string>())).value();
  SpiderSchema schema = schemas.at(config["db_id"].get<std::string>());
  const std::string ddl = readFile(folder + "/" + firstWord(config["ddl"].get<std::string>())).value();
  sqlite3* database = nullptr;
  sqlite3_open(":memory:", &database);
  sqlite3_exec(database, ddl.c_str(), nullptr, nullptr, nullptr);
  applySchemaFacts(schema, readSchemaFacts(database).value());
  sqlite3_close(database);
  return schema;
}

std::string orNull(const Json& value) {
  return value.is_null() ? std::string() : value.get<std::string>();
}

}  // namespace

class TestFixturesSpider : public QObject {
  Q_OBJECT

 private:
  static void checkPreset(const Json& entry, const PreparedSql& gold, const PreparedSql& predicted,
                          const MatchResult& match, const SpiderSchema& schema, const char* key,
                          const char* flags, const CategoryPreset& preset) {
    const CategoryVerdict verdict = categorise(gold, predicted, match, schema, preset);
    const Json& expected = entry[key];
    const std::string where =
        "case " + entry["case"].dump() + " " + key + ": " + entry["why"].get<std::string>();
    const std::string category = errorCategoryName(verdict.category);
    QVERIFY2(category == expected["category"].get<std::string>(), (where + ": " + category).c_str());
    const std::string reason = "5.3(" + std::to_string(verdict.listItem) + ")";
    QVERIFY2(reason == expected["reason"].get<std::string>(), (where + ": " + reason).c_str());
    QVERIFY2(verdict.subType == orNull(expected["sub_type"]), (where + ": " + verdict.subType).c_str());
    if (entry["error_flags"].is_null()) return;
    const Json& bits = entry["error_flags"][flags];
    const bool same = verdict.sketchError == bits["E_S"].get<bool>() &&
                      verdict.columnError == bits["E_C"].get<bool>() &&
                      verdict.tableError == bits["E_T"].get<bool>();
    QVERIFY2(same, where.c_str());
  }

  static void checkCase(const Json& entry, const SpiderSchema& schema) {
    const std::string goldSql = entry["gold"].get<std::string>(),
                      predictedSql = entry["prediction"].get<std::string>();
    const auto gold = parseOfficialSql(goldSql, schema);
    QVERIFY(gold.ok());
    const auto predicted = parseOfficialSql(predictedSql, schema);
    QCOMPARE(predicted.ok(), entry["official_parser_accepts_prediction"].get<bool>());
    const MatchResult match = exactMatch(predicted ? *predicted : SqlQuery{}, *gold, schema);
    QCOMPARE(match.exact, entry["exact_match"].get<bool>());
    if (predicted) {
      std::vector<std::string> failing;
      for (std::size_t c = 0; c < kMatchComponents; ++c) {
        if (match.components[c].score() == 0) failing.emplace_back(matchComponentName(c));
      }
      if (match.tablesDiffer) failing.emplace_back("tables");
      QCOMPARE(failing, entry["failing_components"].get<std::vector<std::string>>());
    }
    const PreparedSql g = prepareSql(goldSql, schema), p = prepareSql(predictedSql, schema);
    const EquivalenceResult rule =
        g.ok() && p.ok() && !match.exact ? findEquivalence(g.canon, p.canon, schema) : EquivalenceResult{};
    QCOMPARE(rule.equivalent ? rule.rule : "", orNull(entry["equivalence_rule_that_holds"]));
    QCOMPARE(categorise(g, p, match, schema, categoryPresets()[0]).possibleFalsePositive,
             entry["possible_false_positive"].get<bool>());
    checkPreset(entry, g, p, match, schema, "paper_like_J_on_set", "J_on_set",
                categoryPreset("paper_like").value());
    checkPreset(entry, g, p, match, schema, "tables_inferred_J_off_slot", "J_off_slot",
                categoryPreset("tables_inferred").value());
    checkPreset(entry, g, p, match, schema, "J_on_slot", "J_on_slot", {"", true, true});
    checkPreset(entry, g, p, match, schema, "J_off_set", "J_off_set", {"", false, false});
  }

  static ErrorCategory categoryNamed(const std::string& name) {
    for (const auto category : {ErrorCategory::Correct, ErrorCategory::FalseNegative, ErrorCategory::Column,
                                ErrorCategory::Sketch, ErrorCategory::Both, ErrorCategory::GoldError})
      if (name == errorCategoryName(category)) return category;
    throw Failure(internalError(name));
  }
  static void checkBreakdown(const Json& fixture) {
    const Json& expected = fixture["expected"];
    const auto models = fixture["config"]["models"].get<std::vector<std::string>>();
    std::vector<std::vector<ErrorCategory>> categories(models.size());
    for (const Json& row : expected["verdicts_per_example"]) {
      for (std::size_t m = 0; m < models.size(); ++m)
        categories[m].push_back(categoryNamed(row[m].get<std::string>()));
    }
    QCOMPARE(failingInAll(categories), expected["all_wrong_set_A"].get<std::vector<std::size_t>>());
    QCOMPARE(failingInAny(categories), expected["any_wrong_set_U"].get<std::vector<std::size_t>>());
    for (std::size_t m = 0; m < models.size(); ++m) {
      const CategoryCounts counts = countCategories(categories[m]);
      const Json& want = expected["counts"][models[m]];
      QCOMPARE(counts.correct, want["Correct"].get<int>());
      QCOMPARE(counts.falseNegative, want["False negative"].get<int>());
      QCOMPARE(counts.column, want["Column"].get<int>());
      QCOMPARE(counts.sketch, want["Sketch"].get<int>());
      QCOMPARE(counts.both, want["Both"].get<int>());
      for (const auto category : {ErrorCategory::Column, ErrorCategory::Sketch, ErrorCategory::Both}) {
        QCOMPARE(counts.share(category),
                 want["share_without_false_negatives"][errorCategoryName(category)].get<double>());
      }
    }
    for (const auto& [setName, set] :
         {std::pair{"A", failingInAll(categories)}, std::pair{"U", failingInAny(categories)}}) {
      for (const auto& [ruleName, rule] :
           {std::pair{"remove_if_FN_for_that_model", FalseNegativeRule::ThatModel},
            std::pair{"remove_if_FN_for_any_model", FalseNegativeRule::AnyModel}}) {
        const auto bars = errorBars(categories, set, rule);
        for (std::size_t m = 0; m < models.size(); ++m) {
          const Json& want = expected["bars"][setName][ruleName][models[m]];
          QCOMPARE(bars[m].examples, want["examples"].get<int>());
          QCOMPARE(bars[m].column, want["column"].get<int>());
          QCOMPARE(bars[m].sketch, want["sketch"].get<int>());
          QCOMPARE(bars[m].columnShare(), want["column_share"].get<double>());
          QCOMPARE(bars[m].sketchShare(), want["sketch_share"].get<double>());
        }
      }
    }
  }

 private Q_SLOTS:
  void initTestCase() {
    if (const std::string why = fixtures::absence({"spider"}); !why.empty()) QSKIP(why.c_str());
  }
  void spiderArea() {
    const auto cases = spiderCases();
    QCOMPARE(cases.size(), fixtures::cases("spider").size());
    for (const Json& fixture : cases) {
      if (fixture["expected"].is_array()) {
        const SpiderSchema schema = schemaOf(fixture);
        for (const Json& entry : fixture["expected"]) checkCase(entry, schema);
      } else {
        checkBreakdown(fixture);
      }
      if (QTest::currentTestFailed()) return;
    }
  }
};

QTEST_APPLESS_MAIN(TestFixturesSpider)
#include "tst_fixtures_spider.moc"
