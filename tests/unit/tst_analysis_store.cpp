// SPDX-License-Identifier: Apache-2.0
// Stored analyses: array files beside the result, what is listed, which checkpoint a word means.
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <filesystem>
#include <set>

#include "core/base/files/atomic_file.h"
#include "core/record/formats/array_file.h"
#include "core/record/results/analysis_store.h"
#include "core/record/results/analysis_variant.h"
#include "core/record/runs/checkpoint_choice.h"

using namespace fathom;

class AnalysisStoreTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void arraysBecomeFiles();
  void damagedOnesAreLeftOut();
  void wrongShapesLeaveNothing();
  void earlierVersionsThatHold();
  void variantsAreTold();
  void checkpointWords_data();
  void checkpointWords();
  void stepsOfNames();

 private:
  static AnalysisRequest request(const std::string& checkpoint) {
    AnalysisRequest request;
    request.analysis = "attention_maps";
    request.checkpoint = checkpoint;
    return request;
  }
  static Json arrayOf(const std::vector<float>& values, const std::vector<std::int64_t>& shape) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(values.data());
    return {{"file", "p.npy"},
            {"shape", shape},
            {"f4", Json::binary({bytes, bytes + values.size() * sizeof(float)})}};
  }
};

void AnalysisStoreTest::arraysBecomeFiles() {
  const QTemporaryDir folder;
  const std::string root = folder.path().toStdString();
  const Json result = {{"parts", {{{"name", "P"}, {"array", arrayOf({1, NAN, 3, 4, 5, 6}, {2, 3})}}}}};
  const std::string path = storeAnalysis(root, request("init"), result).value();
  const StoredAnalysis stored = readAnalysis(path).value();
  QVERIFY(stored.result["parts"][0]["array"] == "p.npy");
  QVERIFY(stored.result["parts"][0]["name"] == "P");
  const NpyArray array = readArrayFile(path + "/p.npy").value();
  QVERIFY(array.shape == (std::vector<std::int64_t>{2, 3}));
  QCOMPARE(array.doubles()[5], 6.0);
  QVERIFY(std::isnan(array.doubles()[1]));
  const auto listed = listAnalysisRequests(root, "attention_maps").value();
  QCOMPARE(listed.size(), std::size_t(1));
  QCOMPARE(listed.front().request.checkpoint, std::string("init"));
  QCOMPARE(listed.front().path, path);
}

void AnalysisStoreTest::damagedOnesAreLeftOut() {
  const QTemporaryDir folder;
  const std::string root = folder.path().toStdString();
  const std::string first = storeAnalysis(root, request("0001-00000005"), Json::object()).value();
  storeAnalysis(root, request("0001-00000010"), Json::object()).value();
  writeFileAtomically(first + "/request.json", "{\"format\": 1").value();
  QCOMPARE(listAnalysisRequests(root, "attention_maps")->size(), std::size_t(1));
  QVERIFY(readAnalysis(first).error().text().find("request.json") != std::string::npos);
  const std::string cut = storeAnalysis(root, request("0001-00000020"), {{"quantity", "x"}}).value();
  writeFileAtomically(cut + "/result.json", "{\"quantity\":").value();
  const std::string words = readAnalysis(cut).error().text();
  QVERIFY2(words.find("result.json") != std::string::npos, words.c_str());
  QVERIFY2(words.find("compute the analysis again") != std::string::npos, words.c_str());
  std::filesystem::remove_all(cut);
  QCOMPARE(listAnalysisRequests(root, "nothing")->size(), std::size_t(0));
}

void AnalysisStoreTest::wrongShapesLeaveNothing() {
  const QTemporaryDir folder;
  const std::string root = folder.path().toStdString();
  const auto stored = storeAnalysis(root, request("init"), {{"array", arrayOf({1, 2, 3}, {2, 2})}});
  QVERIFY(!stored.ok());
  for (const auto& item : std::filesystem::directory_iterator(root + "/attention_maps"))
    QFAIL(item.path().c_str());
}

// The newest of those that hold; its own version in any case.
void AnalysisStoreTest::earlierVersionsThatHold() {
  const QTemporaryDir folder;
  const std::string root = folder.path().toStdString();
  AnalysisRequest wanted = request("init");
  for (const int version : {1, 2, 3}) {
    wanted.version = version;
    storeAnalysis(root, wanted, {{"of", version}}).value();
  }
  const auto found = [&](int version, const std::set<int>& holding) {
    wanted.version = version;
    const auto known = findAnalysis(root, wanted, [&](const AnalysisRequest& earlier) {
                         return holding.contains(earlier.version);
                       }).value();
    return known ? known->result["of"].get<int>() : 0;
  };
  QCOMPARE(found(3, {}), 3);
  QCOMPARE(found(4, {}), 0);
  QCOMPARE(found(4, {1, 2}), 2);
  QCOMPARE(found(5, {1}), 1);
  QVERIFY(!findAnalysis(root, wanted).value());
}

void AnalysisStoreTest::variantsAreTold() {
  AnalysisRequest one = request("init");
  one.options = {{"examples", 60}, {"depths", {6, 12}}, {"delta", 1e-4}, {"change", "adam"}};
  one.runOptions = {{"model.width", 32}};
  const std::string text = variantText(AnalysisVariant::of(one));
  QVERIFY(meetsVariant(one, wantedVariant(text).value()));
  QVERIFY(meetsVariant(one, wantedVariant("change=adam").value()));
  QVERIFY(meetsVariant(one, wantedVariant("").value()));
  QVERIFY(meetsVariant(one, {{"delta", 1e-4}}));
  for (const char* other : {"change=random", "examples=61", "split=test", "depths=6", "run_set=", "seed=1"})
    QVERIFY2(!meetsVariant(one, wantedVariant(other).value()), other);
  // Recipes of format 1 name a number of examples for every analysis.
  one.options.erase("examples");
  QVERIFY(meetsVariant(one, wantedVariant("examples=1000; split=validation").value()));
  QVERIFY(wantedVariant("examples=1; nothing").error().text().find("'nothing'") != std::string::npos);
}

void AnalysisStoreTest::checkpointWords_data() {
  QTest::addColumn<QString>("word");
  QTest::addColumn<QString>("chosen");
  QTest::newRow("name") << "0001-00000010"
                        << "0001-00000010";
  QTest::newRow("number") << "20"
                          << "0002-00000020";
  QTest::newRow("until") << "<=19"
                         << "0001-00000010";
  QTest::newRow("until, exactly") << "<=10"
                                  << "0001-00000010";
  QTest::newRow("until, later attempt") << "<=99"
                                        << "0002-00000020";
  QTest::newRow("before the first") << "<=5"
                                    << "init";
  QTest::newRow("start") << "init"
                         << "init";
  QTest::newRow("none") << "15"
                        << "";
  QTest::newRow("no number") << "<=x"
                             << "";
}

void AnalysisStoreTest::checkpointWords() {
  QFETCH(QString, word);
  QFETCH(QString, chosen);
  const std::vector<std::string> names = {"init", "0001-00000010", "0002-00000020", "0001-00000020"};
  QCOMPARE(QString::fromStdString(chooseAmong(names, word.toStdString()).value_or("")), chosen);
}

void AnalysisStoreTest::stepsOfNames() {
  QVERIFY(checkpointStep("init") == 0);
  QVERIFY(checkpointStep("0003-00001200") == 1200);
  QVERIFY(!checkpointStep("best") && !checkpointStep("0003-x"));
}

QTEST_GUILESS_MAIN(AnalysisStoreTest)
#include "tst_analysis_store.moc"
