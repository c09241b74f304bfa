// SPDX-License-Identifier: Apache-2.0
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "core/base/files/atomic_file.h"
#include "core/record/results/prediction_set.h"

using namespace fathom;

// Sets of a run's predictions: written in one step, found by their heads, read by example.
class PredictionSetTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() {
    m_place = std::make_unique<QTemporaryDir>();
    QVERIFY(QDir().mkdir(QString::fromStdString(run())));
  }

  // Only the last folder is made: a run whose folder is gone is not made again at its old place.
  void aRunThatIsGone() {
    QVERIFY(QDir().rmdir(QString::fromStdString(run())));
    const auto writer = PredictionSetWriter::create(run(), head("test"));
    QVERIFY(!writer.ok() && writer.error().text().find(run()) != std::string::npos);
    QVERIFY(!QDir(QString::fromStdString(run())).exists());
  }

  void writtenAndFound() {
    const PredictionSet first = write("validation", {{1, "b"}, {0, "a"}});
    const PredictionSet second = write("test", {{0, "c"}});
    QVERIFY(first.uuid != second.uuid && !first.created.empty());
    const std::vector<PredictionSet> sets = predictionSets(run()).value();
    QCOMPARE(sets.size(), std::size_t{2});
    for (const PredictionSet& set : sets) {
      const PredictionSet& wrote = set.uuid == first.uuid ? first : second;
      QVERIFY(set.toJson() == wrote.toJson());
      QCOMPARE(set.path, wrote.path);
    }
    const PredictedTexts texts = readPredictedTexts(first).value();
    QCOMPARE(texts.predictions, (std::vector<std::string>{"a", "b"}));
    QCOMPARE(texts.references, (std::vector<std::string>{"right 0", "right 1"}));
  }

  void unfinishedIsNotThere() {
    {
      auto writer = PredictionSetWriter::create(run(), head("test")).value();
      QVERIFY(writer.add({{"example", 0}}).ok());
    }
    QVERIFY(predictionSets(run())->empty());
    QVERIFY(QDir(QString::fromStdString(run()) + "/predictions").entryList(QDir::Files).isEmpty());
  }

  void strangersAreLeftOut() {
    write("test", {{0, "c"}});
    const std::string folder = run() + "/predictions/";
    QVERIFY(writeFileAtomically(folder + "empty.jsonl", "").ok());
    QVERIFY(writeFileAtomically(folder + "words.jsonl", "no JSON\n").ok());
    QVERIFY(writeFileAtomically(folder + "list.jsonl", "[1]\n").ok());
    QVERIFY(writeFileAtomically(folder + "other.jsonl", "{\"example\":1}\n").ok());
    QVERIFY(writeFileAtomically(folder + "endless.jsonl", std::string(std::size_t{3} << 20, ' ')).ok());
    QCOMPARE(predictionSets(run())->size(), std::size_t{1});
    // As programs before this one wrote it.
    QVERIFY(writeFileAtomically(folder + "old.jsonl",
                                "{\"format\":1,\"split\":\"test\",\"checkpoint\":\"0001-00000020\"}\n"
                                "{\"example\":0,\"prediction\":\"x\",\"reference\":\"y\"}\n")
                .ok());
    QCOMPARE(predictionSets(run())->size(), std::size_t{2});
    const PredictionSet old = readPredictionSet(folder + "old.jsonl").value();
    QCOMPARE(readPredictedTexts(old).value().references, std::vector<std::string>{"y"});
  }

  void badLinesAreNamed() {
    const std::string file = run() + "/bad.jsonl";
    for (const char* line : {"{\"example\":0,\"prediction\":\"x\"}",
                             "{\"example\":\"0\",\"prediction\":\"x\","
                             "\"reference\":\"y\"}",
                             "[]", "{"}) {
      QVERIFY(
          writeFileAtomically(file, std::string("{\"split\":\"test\",\"checkpoint\":\"\"}\n") + line + "\n")
              .ok());
      const auto texts = readPredictedTexts(readPredictionSet(file).value());
      QVERIFY2(!texts.ok() && texts.error().text().find("bad.jsonl") != std::string::npos, line);
    }
  }

  // What a task tells about an output is read for one example alone; sets without it have none.
  void detailsOfAnExample() {
    PredictionSet set = head("validation");
    auto writer = PredictionSetWriter::create(run(), set).value();
    for (int example = 0; example < 12; ++example) {
      Json line = {{"example", example}, {"prediction", "x"}, {"right", "y"}};
      if (example != 3) line["details"] = {{"number", example}};
      writer.add(line).value();
    }
    writer.finish().value();
    for (const int example : {0, 1, 11})
      QCOMPARE(readPredictionDetails(writer.set().path, example).value()["number"].get<int>(), example);
    QVERIFY(readPredictionDetails(writer.set().path, 3).value().is_null());
    QVERIFY(readPredictionDetails(writer.set().path, 12).value().is_null());
    QCOMPARE(readPredictedTexts(readPredictionSet(writer.set().path).value()).value().predictions.size(),
             std::size_t{12});
    QVERIFY(readPredictionDetails(write("test", {{0, "a"}}).path, 0).value().is_null());
    const std::string damaged = run() + "/damaged.jsonl";
    QVERIFY(writeFileAtomically(damaged, "{\"split\":\"test\"}\n{\"example\":0,\"deta\n").ok());
    const auto refused = readPredictionDetails(damaged, 0);
    QVERIFY(!refused.ok() && refused.error().text().find("damaged.jsonl:2") != std::string::npos);
    QVERIFY(!readPredictionDetails(run() + "/nowhere.jsonl", 0).ok());
  }

 private:
  std::string run() const { return m_place->filePath("run").toStdString(); }
  static PredictionSet head(const std::string& split) {
    PredictionSet set;
    set.run = "uuid of the run";
    set.task = "letters";
    set.checkpoint = "0001-00000020";
    set.chosen = true;
    set.split = split;
    set.decoding = {{"predict.beam", 4}};
    set.fields = {{"input", "word"}, {"reference", "right"}};
    return set;
  }
  PredictionSet write(const std::string& split, const std::vector<std::pair<int, std::string>>& lines) const {
    auto writer = PredictionSetWriter::create(run(), head(split)).value();
    for (const auto& [example, text] : lines)
      writer.add({{"example", example}, {"prediction", text}, {"right", "right " + std::to_string(example)}})
          .value();
    writer.finish().value();
    return writer.set();
  }
  std::unique_ptr<QTemporaryDir> m_place;
};

QTEST_APPLESS_MAIN(PredictionSetTest)
#include "tst_prediction_set.moc"
