// SPDX-License-Identifier: Apache-2.0
// ctest: threads
// The made data: its errors are of the kinds it says, its queries run, and the same seed gives the
// same files.
#include <sqlite3.h>

#include <QTemporaryDir>
#include <QTest>

#include "core/base/files/atomic_file.h"
#include "core/spider/data/made_spider.h"
#include "core/spider/data/prediction_file.h"
#include "core/spider/data/spider_dataset.h"
#include "core/spider/judgement/spider_error_category.h"
#include "core/spider/judgement/spider_slices.h"

using namespace fathom;

class TestMadeSpider : public QObject {
  Q_OBJECT

 private:
  static void checkModel(const MadeSpider& made, const SpiderSchemas& schemas,
                         std::string MadeSpiderExample::*predicted, std::string MadeSpiderExample::*kind) {
    std::vector<SpiderPair> pairs;
    for (const auto& e : made.examples) pairs.push_back({e.dbId, e.gold, e.*predicted});
    const auto evaluation = evaluateSpider(pairs, schemas).value();
    const auto verdicts = categoriseAll(pairs, evaluation, schemas, {categoryPresets()[0], 2, {}}).value();
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const std::string found = errorCategoryName(verdicts[i].category);
      QVERIFY2(found == made.examples[i].*kind,
               (pairs[i].gold + " | " + pairs[i].predicted + ": " + found).c_str());
    }
  }

 private Q_SLOTS:
  void errorsAreOfTheirKind() {
    const MadeSpider made = makeSpiderData();
    QVERIFY(made.examples.size() >= 100);
    const auto schemas = parseSpiderTables(made.tablesJson, "sample").value();
    checkModel(made, schemas, &MadeSpiderExample::careful, &MadeSpiderExample::carefulKind);
    checkModel(made, schemas, &MadeSpiderExample::hasty, &MadeSpiderExample::hastyKind);
  }

  void filesCanBeReadAndRun() {
    const QTemporaryDir folder;
    const MadeSpider made = makeSpiderData();
    QVERIFY(writeMadeSpider(made, folder.path().toStdString()).ok());
    const std::string at = folder.path().toStdString() + "/";
    const auto gold = readGoldFile(at + "dev_gold.sql").value();
    const auto file = readPredictionFile(at + "predictions/hasty.sql").value();
    QCOMPARE(pairPredictions(gold, file).value().pairs.size(), made.examples.size());
    QCOMPARE(readSpiderDataset(at + "dev.json").value().examples.size(), made.examples.size());
    for (const auto& line : gold) {
      sqlite3* database = nullptr;
      sqlite3_open((at + "database/" + line.dbId + "/" + line.dbId + ".sqlite").c_str(), &database);
      QVERIFY2(sqlite3_exec(database, line.sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK,
               line.sql.c_str());
      sqlite3_close(database);
    }
  }

  void sameSeedSameSample() {
    QCOMPARE(makeSpiderData(3).databaseSql, makeSpiderData(3).databaseSql);
    QVERIFY(makeSpiderData(3).databaseSql != makeSpiderData(4).databaseSql);
  }

  void slicesCoverEveryExample() {
    const MadeSpider made = makeSpiderData();
    const auto schemas = parseSpiderTables(made.tablesJson, "sample").value();
    std::vector<SpiderPair> pairs;
    SliceInputs inputs;
    for (const auto& e : made.examples) {
      pairs.push_back({e.dbId, e.gold, e.hasty});
      inputs.questions.push_back(e.question);
    }
    inputs.tags["mine"] = {0, 3};
    std::map<std::string, std::size_t> totals;
    for (const auto& slice : buildSlices(pairs, evaluateSpider(pairs, schemas).value(), schemas, inputs))
      totals[slice.group] += slice.examples.size();
    for (const char* group : {"hardness", "database", "joins", "question length"})
      QCOMPARE(totals[group], pairs.size());
    QCOMPARE(totals["tag"], std::size_t{2});
  }
};

QTEST_APPLESS_MAIN(TestMadeSpider)
#include "tst_made_spider.moc"
