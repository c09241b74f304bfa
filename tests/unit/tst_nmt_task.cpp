// SPDX-License-Identifier: Apache-2.0
// ctest: threads
#include "core/tasks/nmt/nmt_task.h"

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <set>
#include <thread>

#include "core/base/files/atomic_file.h"
#include "core/base/threads/thread_start.h"
#include "core/tasks/made_sentences.h"
#include "support_fixtures.h"

using namespace fathom;

namespace {

OptionValues optionsFor(const std::vector<std::string>& assignments) {
  OptionValues values(OptionSchema(taskOptionFields(), taskOptionRules()));
  for (const std::string& assignment : assignments) values.setText(assignment).value();
  values.check().value();
  return values;
}

std::vector<std::string> sampleOptions(const std::string& folder) {
  return {"data.train=" + folder + "/train.tsv", "data.validation=" + folder + "/validation.tsv",
          "data.test=" + folder + "/test.tsv", "data.vocabulary.size=300", "batch.max_tokens=1024"};
}

// The same with fewer training pairs, for what does not depend on their number.
std::vector<std::string> shortOptions(const std::string& folder) {
  auto options = sampleOptions(folder);
  options.push_back("data.max_pairs=1500");
  return options;
}

std::unique_ptr<Task> makeTask(const std::vector<std::string>& assignments, const TaskSetup& setup = {}) {
  return findTask("nmt")->create(optionsFor(assignments), setup).value();
}

std::vector<std::int64_t> row(const HostArray& array, std::int64_t index) {
  const auto values = array.values<std::int64_t>();
  const std::int64_t width = array.size(1);
  return {values.begin() + index * width, values.begin() + (index + 1) * width};
}

// Ids of the translation of a test example, without its end.
std::vector<std::int64_t> targetOf(const Task& task, ExampleId example) {
  const HostBatch batch = task.makeBatchOf(DataSplit::Test, std::vector{example});
  std::vector<std::int64_t> ids = row(batch.array("target"), 0);
  ids.erase(std::find(ids.begin(), ids.end(), 2), ids.end());
  return ids;
}

}  // namespace

class NmtTaskTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void sampleHasTheExpectedShape();
  void batchesArePaddedAsTheModelWants();
  void everyPairIsInOneBatch();
  void sameSeedSameTask();
  void resumesFromArtifactsWithoutData();
  void scoresPredictions();
  void separateVocabulariesAndWords();
  void batchesFromAnyThread();
  void refusals();
  void stops();
  void tatoeba();

 private:
  QTemporaryDir m_folder;
  std::string m_sample;
};

void NmtTaskTest::initTestCase() {
  m_sample = m_folder.path().toStdString() + "/sample";
  writeMadeSentences(m_sample, 1).value();
}

void NmtTaskTest::sampleHasTheExpectedShape() {
  const auto task = makeTask(sampleOptions(m_sample));
  QCOMPARE(task->exampleCount(DataSplit::Train), 20000);
  QCOMPARE(task->exampleCount(DataSplit::Validation), 500);
  QCOMPARE(task->exampleCount(DataSplit::Test), 500);
  const Json statistics = task->statistics();
  qInfo("batches %lld, source %.2f, target %.2f pieces (with end mark), entropy %.3f nats",
        static_cast<long long>(task->batchCount(DataSplit::Train)),
        statistics["train"]["source_lengths"]["mean"].get<double>(),
        statistics["train"]["target_lengths"]["mean"].get<double>(), task->targetUnigramEntropy());
  QVERIFY(std::abs(statistics["train"]["source_lengths"]["mean"].get<double>() - 10.1) < .5);
  QVERIFY(std::abs(statistics["train"]["target_lengths"]["mean"].get<double>() - 13.5) < .5);
  QVERIFY(std::abs(task->targetUnigramEntropy() - 4.23) < .2);
  for (const char* pair : {"train_validation", "train_test", "validation_test"})
    for (const char* side : {"source", "target", "pair"})
      QVERIFY(statistics["overlap"][pair][side] == Json(0));
  QVERIFY(statistics["train"]["dropped_too_long"] == Json(0));
  QCOMPARE(task->sizes().at("source_vocabulary"), 300);
  QCOMPARE(task->sizes().at("pad_id"), 1);
  QCOMPARE(task->dataHashes().size(), std::size_t{3});
  QCOMPARE(task->dataHashes()[0].sha256.size(), std::size_t{64});
}

void NmtTaskTest::batchesArePaddedAsTheModelWants() {
  const auto task = makeTask(shortOptions(m_sample));
  for (const std::int64_t index : {std::int64_t{0}, task->batchCount(DataSplit::Train) - 1}) {
    const HostBatch batch = task->makeBatch(DataSplit::Train, index);
    QCOMPARE(batch.targetUnits, task->batchTargetUnits(DataSplit::Train, index));
    std::int64_t units = 0, previousLength = 1 << 20;
    for (std::int64_t i = 0; i < batch.rows(); ++i) {
      const auto source = row(batch.array("source"), i), target = row(batch.array("target"), i);
      const auto previous = row(batch.array("prev_target"), i);
      const std::int64_t length =
          batch.array("source_lengths").values<std::int64_t>()[static_cast<std::size_t>(i)];
      QVERIFY(length <= previousLength);
      previousLength = length;
      QCOMPARE(std::count(source.begin(), source.end(), 1),
               static_cast<std::int64_t>(source.size()) - length);
      QCOMPARE(source.back(), 2);
      QVERIFY(std::is_sorted(source.begin(), source.end(), [](auto a, auto b) { return a == 1 && b != 1; }));
      const auto end = std::find(target.begin(), target.end(), 2);
      QVERIFY(end != target.end());
      QVERIFY(std::all_of(end + 1, target.end(), [](auto id) { return id == 1; }));
      QCOMPARE(previous[0], 2);
      QVERIFY(std::equal(target.begin(), end, previous.begin() + 1));
      units += end - target.begin() + 1;
      const auto texts = task->exampleTexts(DataSplit::Train, batch.examples[static_cast<std::size_t>(i)]);
      std::vector<Prediction> read = {
          {batch.examples[static_cast<std::size_t>(i)], {target.begin(), end}, 0, {}}};
      task->complete(read);
      QCOMPARE(read[0].text, texts[1].second);
    }
    QCOMPARE(units, batch.targetUnits);
    QCOMPARE(reinterpret_cast<std::uintptr_t>(batch.array("source").storage().get()) % 64, std::uintptr_t{0});
  }
}

void NmtTaskTest::everyPairIsInOneBatch() {
  const auto task = makeTask(shortOptions(m_sample));
  for (const DataSplit split : {DataSplit::Train, DataSplit::Validation, DataSplit::Test}) {
    std::set<std::int64_t> seen;
    for (std::int64_t b = 0; b < task->batchCount(split); ++b)
      for (const ExampleId id : task->makeBatch(split, b).examples) QVERIFY(seen.insert(id.value).second);
    QCOMPARE(static_cast<std::int64_t>(seen.size()), task->exampleCount(split));
  }
  auto order = task->epochOrder(3, 0);
  QVERIFY(order != task->epochOrder(3, 1));
  QCOMPARE(order, task->epochOrder(3, 0));
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; i < order.size(); ++i) QCOMPARE(order[i], static_cast<std::int64_t>(i));
}

void NmtTaskTest::sameSeedSameTask() {
  const auto first = makeTask(shortOptions(m_sample)), second = makeTask(shortOptions(m_sample));
  QCOMPARE(first->artifacts(), second->artifacts());
  QVERIFY(first->statistics() == second->statistics());
  TaskSetup other;
  other.seed = 2;
  const auto third = makeTask(shortOptions(m_sample), other);
  const auto ids = [](const Task& task) { return task.makeBatch(DataSplit::Train, 5).examples; };
  QVERIFY(ids(*first) == ids(*second));
  QVERIFY(ids(*first) != ids(*third));
}

void NmtTaskTest::resumesFromArtifactsWithoutData() {
  const auto task = makeTask(shortOptions(m_sample));
  TaskSetup setup;
  setup.artifacts = task->artifacts();
  const auto again = makeTask(shortOptions(m_sample), setup);
  QCOMPARE(again->artifacts(), task->artifacts());
  setup.inputOnly = true;
  const auto input = makeTask({"data.train=/nowhere"}, setup);
  const std::vector<std::string> lines = {"halb drei", "", "am dritten März um halb sieben"};
  const auto batches = input->batchesFromText(lines).value();
  QCOMPARE(batches.size(), std::size_t{1});
  QCOMPARE(batches[0].rows(), 3);
  QCOMPARE(batches[0].examples[0].value, 2);
  QVERIFY(batches[0].arrays.find("target") == batches[0].arrays.end());
  setup.artifacts.clear();
  QVERIFY(!findTask("nmt")->create(optionsFor({}), setup).ok());
}

void NmtTaskTest::scoresPredictions() {
  const auto task = makeTask(shortOptions(m_sample));
  std::vector<Prediction> predictions;
  for (std::int64_t i = 0; i < task->exampleCount(DataSplit::Test); ++i) {
    predictions.push_back({ExampleId(i), targetOf(*task, ExampleId(i)), 0, {}});
  }
  std::reverse(predictions.begin(), predictions.end());
  task->complete(predictions);
  const auto scores = task->score(DataSplit::Test, predictions).value();
  QCOMPARE(scores[0].id, std::string("bleu"));
  QVERIFY(std::abs(scores[0].value - 100) < 1e-9);
  predictions.pop_back();
  QVERIFY(QString::fromStdString(task->score(DataSplit::Test, predictions).error().message)
              .contains("example 0"));
  predictions.push_back(predictions.front());
  QVERIFY(!task->score(DataSplit::Test, predictions).ok());
}

void NmtTaskTest::separateVocabulariesAndWords() {
  auto options = shortOptions(m_sample);
  options.push_back("data.vocabulary.joined=false");
  const auto separate = makeTask(options);
  QCOMPARE(separate->artifacts().size(), std::size_t{2});
  QCOMPARE(separate->sizes().at("joined_vocabulary"), 0);
  options.push_back("data.vocabulary.kind=words");
  const auto words = makeTask(options);
  QVERIFY(words->sizes().at("target_vocabulary") % 8 == 0);
  std::vector<Prediction> predictions;
  for (std::int64_t i = 0; i < words->exampleCount(DataSplit::Test); ++i)
    predictions.push_back({ExampleId(i), targetOf(*words, ExampleId(i)), 0, {}});
  words->complete(predictions);
  QCOMPARE(words->score(DataSplit::Test, predictions).value()[0].id, std::string("bleu_tokens"));
}

void NmtTaskTest::batchesFromAnyThread() {
  const auto task = makeTask(shortOptions(m_sample));
  std::vector<std::int64_t> sums(4);
  std::vector<std::thread> threads;
  for (std::int64_t& sum : sums)
    threads.push_back(startThread([&] {
      for (std::int64_t b = 0; b < 20; ++b) {
        const HostBatch batch = task->makeBatch(DataSplit::Train, b);
        for (const std::int64_t id : batch.array("target").values<std::int64_t>()) sum += id;
      }
    }));
  for (std::thread& thread : threads) thread.join();
  for (const std::int64_t sum : sums) QCOMPARE(sum, sums[0]);
}

void NmtTaskTest::refusals() {
  const auto error = [](const std::vector<std::string>& assignments) {
    return QString::fromStdString(findTask("nmt")->create(optionsFor(assignments), {}).error().text());
  };
  QVERIFY(error({}).contains("data.train"));
  QVERIFY(error({"data.train=/nowhere.tsv"}).contains("/nowhere.tsv"));
  QVERIFY(error({"data.train=" + m_sample + "/train.tsv", "data.format=two_files"})
              .contains("data.train_target"));
  QVERIFY(error({"data.train=" + m_sample + "/test.tsv"}).contains("data.validation_size"));
  auto options = shortOptions(m_sample);
  options.push_back("data.vocabulary.size=999999");
  QVERIFY2(error(options).contains("999999"), qPrintable(error(options)));
  options.back() = "data.vocabulary.size=20";
  QVERIFY2(error(options).contains("20"), qPrintable(error(options)));
  options.back() = "data.max_length=2";
  QVERIFY(error(options).contains("data.max_length"));
  options.back() = "data.vocabulary.kind=model";
  QVERIFY(error(options).contains("data.vocabulary.model"));
  options.push_back("data.vocabulary.model=" + m_sample + "/train.tsv");
  QVERIFY(error(options).contains("SentencePiece"));
  OptionValues values(OptionSchema(taskOptionFields(), taskOptionRules()));
  values.setText("data.source_column=2").value();
  QVERIFY(!values.check().ok());
}

void NmtTaskTest::stops() {
  TaskSetup setup;
  setup.stop.requestStop();
  const auto result = findTask("nmt")->create(optionsFor(shortOptions(m_sample)), setup);
  QVERIFY(!result.ok());
  QCOMPARE(result.error().kind, ErrorKind::Interrupted);
}

// The real file: gzip, header "1 TAB 2", English first, CRLF.
void NmtTaskTest::tatoeba() {
  if (fixtures::dataFolder().empty()) QSKIP("no data");
  std::vector<std::string> phases;
  Progress progress([&](const ProgressUpdate& update) {
    if (phases.empty() || phases.back() != update.phase) phases.push_back(update.phase);
  });
  TaskSetup setup;
  setup.progress = &progress;
  const auto task = makeTask({"data.train=" + fixtures::dataFolder() + "/tatoeba_de_en/deu-eng.tsv.gz",
                              "data.header=true", "data.source_column=2", "data.target_column=1"},
                             setup);
  const Json statistics = task->statistics();
  QVERIFY(statistics["read"]["train"]["pairs"] == Json(50001));
  QVERIFY(statistics["split"]["groups"] == Json(33183));
  QVERIFY(statistics["split"]["largest_group"] == Json(117));
  QCOMPARE(task->exampleCount(DataSplit::Validation), 500);
  QCOMPARE(task->exampleCount(DataSplit::Test), 500);
  QCOMPARE(task->exampleCount(DataSplit::Train), 49001);
  for (const char* pair : {"train_validation", "train_test", "validation_test"})
    for (const char* side : {"source", "target", "pair"})
      QVERIFY(statistics["overlap"][pair][side] == Json(0));
  QVERIFY(phases.size() >= 4);
}

QTEST_APPLESS_MAIN(NmtTaskTest)
#include "tst_nmt_task.moc"
