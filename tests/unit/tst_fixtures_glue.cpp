// SPDX-License-Identifier: Apache-2.0
// Tables and scores of GLUE against values computed elsewhere.
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "core/base/files/atomic_file.h"
#include "core/base/numbers/correlation.h"
#include "core/tasks/glue/glue_scores.h"
#include "core/tasks/glue/glue_table.h"
#include "tests/unit/support_reading_case.h"

using namespace fathom;
using namespace fathom::golden;

namespace {

GlueReading readingOf(const GlueRule& rule, bool test) {
  GlueReading reading;
  reading.columns = test ? rule.test : rule.labelled;
  reading.labels = rule.labels;
  reading.number = rule.number;
  reading.skipsShortRows = rule.skipsShortRows;
  return reading;
}

}  // namespace

class FixturesGlueTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    if (const std::string why = fixtures::absence({"glue"}); !why.empty()) QSKIP(why.c_str());
  }

  void tables() {
    int files = 0;
    for (const golden::Case& one : golden::casesOf("glue")) {
      const Json& config = one.json.at("config");
      if (!config.contains("files")) continue;
      const GlueRule rule = glueRule(valueOf(kGlueKinds, config.at("task").get<std::string>()));
      const TextEncoding encoding = wordPieces(config.at("vocabulary"));
      const auto longest = config.at("max_length").get<std::int64_t>();
      for (const Json& file : config.at("files")) {
        ++files;
        const auto name = file.at("name").get<std::string>();
        const std::string path = one.path.substr(0, one.path.rfind('/') + 1) + name;
        const GlueTable table = readGlueTable(path, readingOf(rule, file.at("set") == "test"), {}).value();
        const Json& expected = one.json.at("expected").at(name);
        QCOMPARE(table.shortLines, expected.at("skipped_lines").get<std::vector<std::int64_t>>());
        QCOMPARE(table.size(), static_cast<std::int64_t>(expected.at("rows").size()));
        for (std::size_t i = 0; i < expected.at("rows").size(); ++i)
          checkRow(table, static_cast<std::int64_t>(i), expected.at("rows")[i], encoding, longest);
      }
    }
    QVERIFY(files > 8);
  }

  void badTables() {
    const auto found = caseNamed(golden::casesOf("glue"), "glue_bad_tables");
    if (!found) QSKIP(kAbsentCase);
    const golden::Case& one = *found;
    const QTemporaryDir folder;
    for (const Json& table : one.json.at("config").at("tables")) {
      const std::string path = folder.filePath("table.tsv").toStdString();
      writeFileAtomically(path, table.at("text").get<std::string>()).value();
      const GlueRule rule = glueRule(valueOf(kGlueKinds, table.at("task").get<std::string>()));
      const auto read = readGlueTable(path, readingOf(rule, false), {});
      QVERIFY2(!read.ok(), table.at("why").get<std::string>().c_str());
      QCOMPARE(read.error().line, table.at("line").get<std::int64_t>());
      QCOMPARE(read.error().file, path);
    }
  }

  void truncation() {
    const auto found = caseNamed(golden::casesOf("glue"), "glue_truncation");
    if (!found) QSKIP(kAbsentCase);
    const golden::Case& one = *found;
    const Json& config = one.json.at("config");
    const auto encoded = [](const Json& ids) {
      EncodedText text;
      for (const Json& id : ids) text.add(id.get<std::int64_t>(), {});
      return text;
    };
    // Marks are those of the case.
    Json vocabulary = Json::array({"[PAD]", "[UNK]"});
    while (static_cast<std::int64_t>(vocabulary.size()) < config.at("cls").get<std::int64_t>())
      vocabulary.push_back("[unused" + std::to_string(vocabulary.size()) + "]");
    vocabulary.push_back("[CLS]");
    vocabulary.push_back("[SEP]");
    const TextEncoding encoding = wordPieces(vocabulary);
    QCOMPARE(encoding.sep(), config.at("sep").get<std::int64_t>());
    for (const Json& row : one.json.at("expected").at("rows")) {
      const auto longest = row.at("max_length").get<std::int64_t>();
      const EncodedText first = encoded(row.at("a"));
      const TextRow own = row.at("b").is_null() ? encoding.row(first, longest)
                                                : encoding.row(first, encoded(row.at("b")), longest);
      const std::string wrong = differs(own, row, 0);
      QVERIFY2(wrong.empty(), (row.dump() + ": " + wrong).c_str());
    }
  }

  void classMetrics() {
    const auto found = caseNamed(golden::casesOf("glue"), "glue_metrics_classification");
    if (!found) QSKIP(kAbsentCase);
    const golden::Case& one = *found;
    const double abs = one.json.at("tolerance").at("abs"), rel = one.json.at("tolerance").at("rel");
    for (const auto& [name, expected] : one.json.at("expected").items()) {
      if (name == "arg_max") {
        std::vector<std::int64_t> best;
        for (const Json& logits : one.json.at("config").at("logits"))
          best.push_back(bestClass(logits.get<std::vector<double>>()));
        QCOMPARE(best, expected.get<std::vector<std::int64_t>>());
        continue;
      }
      const auto own = classScores(expected.at("predictions").get<std::vector<std::int64_t>>(),
                                   expected.at("labels").get<std::vector<std::int64_t>>());
      QVERIFY2(near(own.accuracy, expected.at("accuracy"), abs, rel), name.c_str());
      QVERIFY2(near(own.f1, expected.at("f1"), abs, rel), name.c_str());
      QVERIFY2(near(own.matthews, expected.at("matthews"), abs, rel), name.c_str());
      QVERIFY(near(matthewsOfClasses(expected.at("predictions").get<std::vector<std::int64_t>>(),
                                     expected.at("labels").get<std::vector<std::int64_t>>()),
                   own.matthews, abs, 1e-9));
    }
  }

  void correlations() {
    const auto found = caseNamed(golden::casesOf("glue"), "glue_metrics_correlation");
    if (!found) QSKIP(kAbsentCase);
    const golden::Case& one = *found;
    const double abs = one.json.at("tolerance").at("abs"), rel = one.json.at("tolerance").at("rel");
    for (const auto& [name, expected] : one.json.at("expected").items()) {
      const auto first = expected.at("predictions").get<std::vector<double>>();
      const auto second = expected.at("labels").get<std::vector<double>>();
      const double least = name == "large_offset" ? 1e-9 : abs;
      QVERIFY2(near(orNan(pearson(first, second)), realFromJson(expected.at("pearson")).value(), least, rel),
               name.c_str());
      QVERIFY2(
          near(orNan(spearman(first, second)), realFromJson(expected.at("spearman")).value(), least, rel),
          name.c_str());
    }
  }

  void overall() {
    const auto found = caseNamed(golden::casesOf("glue"), "glue_overall");
    if (!found) QSKIP(kAbsentCase);
    const golden::Case& one = *found;
    const double abs = one.json.at("tolerance").at("abs"), rel = one.json.at("tolerance").at("rel");
    for (const auto& [name, scores] : one.json.at("config").at("scores").items()) {
      std::map<std::string, std::vector<double>> entries;
      for (const auto& [entry, value] : scores.items())
        entries[entry] =
            value.is_array() ? value.get<std::vector<double>>() : std::vector<double>{value.get<double>()};
      QCOMPARE(entries.size(), glueEntries().size());
      const double expected = one.json.at("expected").at("overall").at(name).get<double>();
      QVERIFY2(near(orNan(glueOverall(entries)), expected, abs, rel), name.c_str());
      entries.erase("rte");
      QVERIFY(!glueOverall(entries).has_value());
    }
  }

 private:
  static void checkRow(const GlueTable& table, std::int64_t i, const Json& expected,
                       const TextEncoding& encoding, std::int64_t longest) {
    const auto at = static_cast<std::size_t>(i);
    QCOMPARE(table.lines[at], expected.at("line").get<std::int64_t>());
    QCOMPARE(std::string(table.first[i]), expected.at("a").get<std::string>());
    const bool pair = !expected.at("b").is_null();
    QCOMPARE(table.pairs, pair);
    if (pair) QCOMPARE(std::string(table.second[i]), expected.at("b").get<std::string>());
    QCOMPARE(table.labels.empty(), expected.at("label").is_null());
    if (!table.labels.empty()) QCOMPARE(table.labels[at], expected.at("label").get<double>());
    const EncodedText first = encoding.encode(table.first[i]);
    const TextRow row =
        pair ? encoding.row(first, encoding.encode(table.second[i]), longest) : encoding.row(first, longest);
    const std::string wrong = differs(row, expected, encoding.pad());
    QVERIFY2(wrong.empty(), (expected.dump() + ": " + wrong).c_str());
  }
};

QTEST_APPLESS_MAIN(FixturesGlueTest)
#include "tst_fixtures_glue.moc"
