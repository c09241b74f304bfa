// SPDX-License-Identifier: Apache-2.0
// SQL-SP learns 64 examples of one database by heart: exact match 100 % within 750 updates at a constant
// rate, without dropout, above a tiny encoder that starts from nothing.
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include "core/base/files/atomic_file.h"
#include "core/record/runs/run_folder.h"
#include "core/spider/data/spider_dataset.h"
#include "core/spider/grammar/spider_filter.h"
#include "core/spider/grammar/sql_tree.h"
#include "core/spider/official/spider_evaluation.h"
#include "core/tasks/text_to_sql/made_text_to_sql.h"
#include "core/train/loop/training_run.h"
#include "tests/torch/support_sql_run.h"
#include "tests/torch/support_tiny_run.h"
#include "tests/unit/support_spider_data.h"

using namespace fathom;
using namespace fathom::fixtures;

namespace {

constexpr std::size_t kByHeart = 64;

// Whether gold, rebuilt from its actions, is right by the internal match and by the official one.
bool survives(const SpiderExample& example, const SpiderSchemas& schemas) {
  const SpiderSchema& schema = *findSchema(schemas, example.dbId);
  const GoldExample gold = goldExample(example, &schema, SpiderFilterRules::training());
  if (gold.fate != ExampleFate::Kept || !gold.roundTrip || !gold.valid) return false;
  const GrammarTree tree = treeFromActions(gold.actions, expandedCount(schema)).value();
  const std::string sql = sqlText(queryFromTree(tree, schema).value(), schema, SqlTextStyle::Correct);
  return evaluateSpider({{example.dbId, example.query, sql}}, schemas).value().exactCount == 1;
}

// The first 64 of a database that differ in their questions; fewer where there are no more.
Json chosenRecords(const SpiderDataset& dataset, const SpiderSchemas& schemas, const std::string& database) {
  Json records = Json::array();
  std::vector<std::string> questions;
  for (const SpiderExample& example : dataset.examples) {
    const bool known = std::find(questions.begin(), questions.end(), example.question) != questions.end();
    if (example.dbId != database || known || records.size() == kByHeart || !survives(example, schemas))
      continue;
    questions.push_back(example.question);
    records.push_back({{"db_id", example.dbId},
                       {"query", example.query},
                       {"question", example.question},
                       {"question_toks", example.questionTokens}});
  }
  return records;
}

// Data options of the run: the sample's vocabulary, or one of the words of Spider's questions and schema.
Json dataOf(bool spider, const std::string& folder) {
  Json data = writeMadeTextToSql(folder, 1, MadeDataSize::Training).value().options;
  std::string file = data.at("data.train").get<std::string>(), database = "town_library";
  if (spider) {
    file = spiderFile("dev.json");
    database = "flight_2";
    data["spider.tables"] = spiderFile("tables.json");
    data["spider.vocabulary.file"] = dataPath("bert_vocab/vocab_uncased.txt");
  }
  const SpiderSchemas schemas = readSpiderTables(data.at("spider.tables").get<std::string>()).value();
  const Json records = chosenRecords(readSpiderDataset(file).value(), schemas, database);
  data["data.train"] = data["data.validation"] = folder + "/by_heart.json";
  data["data.test"] = "";
  writeFileAtomically(folder + "/by_heart.json", records.dump()).value();
  return data;
}

}  // namespace

class TestSqlOverfitSlow : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void learnsByHeart_data() {
    QTest::addColumn<bool>("spider");
    QTest::newRow("sample") << false;
    QTest::newRow("Spider") << true;
  }

  void learnsByHeart() {
    QFETCH(bool, spider);
    if (spider && spiderFile("dev.json").empty()) QSKIP("no Spider data");
    const QTemporaryDir folder;
    const std::string base = folder.path().toStdString();
    TrainRequest request;
    request.runPath = base + "/run";
    request.watchStandardInput = request.watchSignals = false;
    request.config.options = tinySqlOptions(dataOf(spider, base));
    request.assignments = {"spider.max_items=0",
                           "batch.examples=16",
                           "lr_schedule=constant",
                           "lr_schedule.rate=0.001",
                           "training.length=750u",
                           "validation.interval=250u",
                           "validation.score_interval=250u",
                           "checkpoint.interval=750u"};
    QCOMPARE(readJsonFile(base + "/by_heart.json").value().size(), kByHeart);
    const RunReport report = trainRun(request);
    QVERIFY2(report.code == ExitCode::Finished, report.error.text().c_str());
    double best = 0;
    for (const Json& event : test::eventsOfKind(request.runPath, 1, "validation"))
      best = std::max(best, event.at("m").value("valid.exact_match", 0.0));
    QCOMPARE(best, 100.0);
  }
};

QTEST_GUILESS_MAIN(TestSqlOverfitSlow)
#include "tst_sql_overfit_slow.moc"
