// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/example_sample.h"

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/files/atomic_file.h"
#include "core/tasks/made_sentences.h"

using namespace fathom;

namespace {

constexpr std::int64_t kPairs = 600;

std::unique_ptr<Task> makeTask(const char* id, const std::vector<std::string>& assignments) {
  OptionValues values(OptionSchema(taskOptionFields(), taskOptionRules()));
  values.setText(std::string("task=") + id).value();
  for (const std::string& assignment : assignments) values.setText(assignment).value();
  values.check().value();
  return findTask(id)->create(values, {}).value();
}

// Source tokens of an example.
std::int64_t lengthOf(const Task& task, DataSplit split, ExampleId example) {
  return task.makeBatchOf(split, {&example, 1}).array("source").size(1);
}

double meanLength(const Task& task, DataSplit split, const std::vector<ExampleId>& examples) {
  double sum = 0;
  for (const ExampleId example : examples) sum += static_cast<double>(lengthOf(task, split, example));
  return sum / static_cast<double>(examples.size());
}

}  // namespace

class ExampleSampleTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void lengthsAreThoseOfThePart();
  void batchesHoldExactlyTheSample_data();
  void batchesHoldExactlyTheSample();
  void samplesAreNestedAndSeeded();
  void allAndBatches();
  void tooLongForTrainingIsNotThere();
  void chosenRowsAreThoseOfTheBatch();
  void languageModelToo();
  void tasksOfWholeBatchesHaveNone();

 private:
  // Pairs of 1 to 60 words, each length as often as the next, in no order.
  QTemporaryDir m_folder;
  std::unique_ptr<Task> m_task;
};

void ExampleSampleTest::initTestCase() {
  const std::string folder = m_folder.path().toStdString();
  std::string lines;
  for (std::int64_t i = 0; i < kPairs; ++i) {
    const std::int64_t words = 1 + i * 37 % 60;
    std::string line = "w" + std::to_string(i % 7);
    for (std::int64_t w = 1; w < words; ++w) line += " w" + std::to_string((i + w) % 7);
    lines += line + "\t" + line + "\n";
  }
  for (const char* part : {"train", "validation"})
    writeFileAtomically(folder + "/" + part + ".tsv", lines).value();
  m_task = makeTask("nmt",
                    {"data.train=" + folder + "/train.tsv", "data.validation=" + folder + "/validation.tsv",
                     "data.vocabulary.kind=words", "batch.max_tokens=400", "batch.evaluation_max_tokens=400",
                     "data.max_length=100", "data.validation_size=0", "data.test_size=0"});
  QCOMPARE(m_task->exampleCount(DataSplit::Validation), kPairs);
}

// The first examples of batches that are sorted by length are the shortest; a sample is not.
void ExampleSampleTest::lengthsAreThoseOfThePart() {
  for (const DataSplit split : {DataSplit::Train, DataSplit::Validation}) {
    const std::vector<ExampleId> all = m_task->batchedExamples(split);
    const double mean = meanLength(*m_task, split, all);
    double squares = 0;
    for (const ExampleId example : all)
      squares += std::pow(static_cast<double>(lengthOf(*m_task, split, example)) - mean, 2);
    constexpr double kSeeds = 40, kSize = 50;
    const double deviation = std::sqrt(squares / static_cast<double>(all.size()));
    const double error = deviation / std::sqrt(kSize * kSeeds);
    for (const std::int64_t count : {std::int64_t(kSize), kBatchOfExamples}) {
      double sum = 0;
      for (std::uint64_t seed = 1; seed <= std::uint64_t(kSeeds); ++seed)
        sum += meanLength(*m_task, split, sampleExamples(*m_task, split, count, seed).examples);
      // 4 standard errors; those of batches are smaller samples than 50, so twice as much.
      const double allowed = (count == kBatchOfExamples ? 8 : 4) * error;
      QVERIFY2(std::abs(sum / kSeeds - mean) < allowed, qPrintable(QString::number(sum / kSeeds - mean)));
    }
    if (split == DataSplit::Train) continue;  // its batches come in random order
    const HostBatch first = m_task->makeBatch(split, 0);
    QVERIFY(meanLength(*m_task, split, first.examples) < mean - 20 * error);
  }
}

void ExampleSampleTest::batchesHoldExactlyTheSample_data() {
  QTest::addColumn<qlonglong>("count");
  for (const qlonglong count : {1, 7, 50, 599}) QTest::addRow("%lld", count) << count;
  QTest::newRow("all") << qlonglong(kAllExamples);
  QTest::newRow("a batch") << qlonglong(kBatchOfExamples);
}

void ExampleSampleTest::batchesHoldExactlyTheSample() {
  QFETCH(qlonglong, count);
  for (const DataSplit split : {DataSplit::Train, DataSplit::Validation}) {
    const ExampleSample sample = sampleExamples(*m_task, split, count);
    if (count > 0) QCOMPARE(sample.size(), std::int64_t(count));
    QVERIFY(std::is_sorted(sample.examples.begin(), sample.examples.end()));
    std::set<std::int64_t> seen;
    for (const auto& batch : sample.batches) {
      const HostBatch made = m_task->makeBatchOf(split, batch);
      QVERIFY(made.examples == batch);
      QVERIFY(made.rows() * made.array("source").size(1) <= 400 + 60 * 8);  // fairseq's rule may exceed
      for (const ExampleId example : batch) QVERIFY(seen.insert(example.value).second);
    }
    QCOMPARE(std::int64_t(seen.size()), sample.size());
    for (const ExampleId example : sample.examples) QVERIFY(seen.count(example.value) == 1);
  }
}

void ExampleSampleTest::samplesAreNestedAndSeeded() {
  const auto drawn = [&](std::int64_t count, std::uint64_t seed) {
    return sampleExamples(*m_task, DataSplit::Validation, count, seed).examples;
  };
  const std::vector<ExampleId> small = drawn(20, 1), large = drawn(90, 1);
  QVERIFY(std::includes(large.begin(), large.end(), small.begin(), small.end()));
  QVERIFY(drawn(20, 1) == small && drawn(20, 2) != small);
  // Another part has a draw of its own.
  QVERIFY(sampleExamples(*m_task, DataSplit::Train, 20, 1).examples != small);
}

void ExampleSampleTest::allAndBatches() {
  const ExampleSample all = sampleExamples(*m_task, DataSplit::Validation, kAllExamples);
  QVERIFY(all.all() && all.size() == kPairs);
  QVERIFY(
      (all.toJson() ==
       Json{{"part", "validation"}, {"examples", kPairs}, {"of", kPairs}, {"chosen", "all"}, {"seed", 1}}));
  QVERIFY(sampleExamples(*m_task, DataSplit::Validation, 100000).all());
  const ExampleSample one = sampleExamples(*m_task, DataSplit::Validation, kBatchOfExamples, 3);
  const std::int64_t batches = m_task->batchCount(DataSplit::Validation);
  QCOMPARE(one.size(), (kPairs + batches - 1) / batches);
  QVERIFY(one.toJson().at("chosen") == "random" && one.toJson().at("seed") == 3);
  const ExampleSample none = sampleExamples(*m_task, DataSplit::Test, 5);
  QVERIFY(none.size() == 0 && none.batches.empty());
  QVERIFY_THROWS_EXCEPTION(Failure, sampleExamples(*m_task, DataSplit::Test, -2));
}

void ExampleSampleTest::tooLongForTrainingIsNotThere() {
  const std::string folder = m_folder.path().toStdString();
  const auto task =
      makeTask("nmt", {"data.train=" + folder + "/train.tsv", "data.validation=" + folder + "/validation.tsv",
                       "data.vocabulary.kind=words", "data.max_length=30", "batch.max_tokens=400",
                       "data.validation_size=0", "data.test_size=0"});
  const ExampleSample all = sampleExamples(*task, DataSplit::Train, kAllExamples);
  QVERIFY(all.all() && all.size() < task->exampleCount(DataSplit::Train));
  for (const ExampleId example : all.examples) QVERIFY(lengthOf(*task, DataSplit::Train, example) <= 30);
  // What a batch of the part holds, no less.
  std::set<std::int64_t> batched;
  for (std::int64_t b = 0; b < task->batchCount(DataSplit::Train); ++b)
    for (const ExampleId example : task->makeBatch(DataSplit::Train, b).examples)
      batched.insert(example.value);
  QCOMPARE(std::int64_t(batched.size()), all.size());
}

void ExampleSampleTest::chosenRowsAreThoseOfTheBatch() {
  const HostBatch whole = m_task->makeBatch(DataSplit::Validation, 2);
  const HostBatch again = m_task->makeBatchOf(DataSplit::Validation, whole.examples);
  QCOMPARE(again.arrays.size(), whole.arrays.size());
  for (const auto& [name, array] : whole.arrays) {
    QVERIFY(again.array(name).shape() == array.shape());
    QVERIFY(std::ranges::equal(again.array(name).values<std::int64_t>(), array.values<std::int64_t>()));
  }
  const ExampleId wrong(kPairs);
  QVERIFY_THROWS_EXCEPTION(Failure, m_task->makeBatchOf(DataSplit::Validation, {&wrong, 1}));
}

void ExampleSampleTest::languageModelToo() {
  const std::string text = m_folder.path().toStdString() + "/text.txt";
  std::string words;
  for (int document = 0; document < 30; ++document) {
    for (int sentence = 0; sentence < 8; ++sentence) words += "the garden is small and green .\n";
    words += "\n";
  }
  writeFileAtomically(text, words).value();
  const std::string pieces = m_folder.path().toStdString() + "/vocab.txt";
  writeFileAtomically(pieces, "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n.\nthe\ngarden\nis\nsmall\nand\ngreen\n")
      .value();
  const auto task = makeTask("mlm", {"data.train=" + text, "mlm.vocabulary.file=" + pieces,
                                     "mlm.max_length=24", "batch.sequences=8"});
  const ExampleSample sample = sampleExamples(*task, DataSplit::Train, 13);
  QCOMPARE(sample.size(), std::int64_t{13});
  QCOMPARE(sample.batches.size(), std::size_t{2});
  for (const auto& batch : sample.batches) {
    const HostBatch made = task->makeBatchOf(DataSplit::Train, batch);
    QVERIFY(made.examples == batch);
    // Labels are those of the rows that were asked for.
    std::size_t masked = 0;
    for (const ExampleId example : batch)
      masked += static_cast<std::size_t>(task->makeBatchOf(DataSplit::Train, {&example, 1}).targetUnits);
    QCOMPARE(made.array("masked_labels").values<std::int64_t>().size(), masked);
  }
  const HostBatch whole = task->makeBatch(DataSplit::Train, 1);
  QCOMPARE(whole.examples.front().value, std::int64_t{8});
  const ExampleId wrong(-1);
  QVERIFY_THROWS_EXCEPTION(Failure, task->makeBatchOf(DataSplit::Train, {&wrong, 1}));
}

namespace {

class WholeBatches final : public Task {
 public:
  std::int64_t exampleCount(DataSplit) const override { return 8; }
  std::int64_t batchCount(DataSplit) const override { return 1; }
  std::int64_t batchTargetUnits(DataSplit, std::int64_t) const override { return 8; }
  HostBatch makeBatch(DataSplit, std::int64_t) const override { return {}; }
  std::map<std::string, std::int64_t> sizes() const override { return {}; }
  std::vector<DataHash> dataHashes() const override { return {}; }
  Json statistics() const override { return {}; }
  ExampleTexts exampleTexts(DataSplit, ExampleId) const override { return {}; }
  void complete(std::vector<Prediction>&) const override {}
  Result<std::vector<TaskScore>> score(DataSplit, const std::vector<Prediction>&) const override {
    return std::vector<TaskScore>{};
  }
  Result<std::vector<HostBatch>> batchesFromText(std::span<const std::string>, TextFindings*) const override {
    return std::vector<HostBatch>{};
  }
};

}  // namespace

void ExampleSampleTest::tasksOfWholeBatchesHaveNone() {
  const WholeBatches task;
  QCOMPARE(sampleExamples(task, DataSplit::Train, 5).size(), std::int64_t{0});
  QVERIFY_THROWS_EXCEPTION(Failure, task.makeBatchOf(DataSplit::Train, {}));
}

QTEST_GUILESS_MAIN(ExampleSampleTest)
#include "tst_example_sample.moc"
