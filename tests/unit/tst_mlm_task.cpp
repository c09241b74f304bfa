// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/mlm/mlm_task.h"
#include "core/tasks/plain_text.h"

#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <set>

#include "core/base/files/atomic_file.h"
#include "support_byte_vocabulary.h"
#include "support_fixtures.h"

using namespace fathom;

namespace {

const char* kWords[] = {"the",   "garden", "running", "house", "small",
                        "green", "walked", "under",   "birds", "slowly"};

// 40 documents of 12 sentences of 5 to 14 words; no word repeats a piece by chance.
std::string corpus() {
  std::string text;
  RandomStream random(3);
  for (int document = 0; document < 40; ++document) {
    for (int sentence = 0; sentence < 12; ++sentence) {
      const std::uint64_t words = 5 + random.below(10);
      for (std::uint64_t w = 0; w < words; ++w) text += std::string(kWords[random.below(10)]) + " ";
      text += ".\n";
    }
    text += "\n";
  }
  return text;
}

std::string wordPieces() {
  std::string text = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n.\n##ing\nrunn\n##den\ngar\n";
  for (const char* word : {"the", "house", "small", "green", "walked", "under", "birds", "slowly"})
    text += std::string(word) + "\n";
  return text;
}

OptionValues optionsFor(const std::vector<std::string>& assignments) {
  OptionValues values(OptionSchema(mlmOptionFields(), mlmOptionRules()));
  for (const std::string& assignment : assignments) values.setText(assignment).value();
  return values;
}

std::int64_t at(const HostBatch& batch, const char* name, std::int64_t index) {
  return batch.array(name).values<std::int64_t>()[static_cast<std::size_t>(index)];
}

}  // namespace

class MlmTaskTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    const std::string folder = m_folder.path().toStdString();
    m_text = folder + "/text.txt";
    m_vocabulary = folder + "/vocab.txt";
    writeFileAtomically(m_text, corpus()).value();
    writeFileAtomically(m_vocabulary, wordPieces()).value();
  }
  void examplesFollowTheRules();
  void masksAsOften();
  void wholeWordsStayTogether();
  void sameSeedSameExamples();
  void tokenThatComesTwice();
  void batches();
  void scores();
  void freeText();
  void trainedVocabulary();
  void givenModel();
  void byteLevelPieces();
  void pairsThatAlwaysFollow();
  void documentsOfWikiText();
  void refusals();
  void wikiText2();

 private:
  std::vector<std::string> options(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> all = {"data.train=" + m_text, "mlm.vocabulary.file=" + m_vocabulary,
                                    "mlm.max_length=32", "mlm.duplicates=4"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  std::unique_ptr<Task> make(const std::vector<std::string>& more = {}, const TaskSetup& setup = {}) const {
    return MlmTask::create(optionsFor(options(more)), setup).value();
  }
  QTemporaryDir m_folder;
  std::string m_text, m_vocabulary;
};

void MlmTaskTest::examplesFollowTheRules() {
  const auto task = make();
  std::int64_t random = 0, shorter = 0, all = 0;
  for (std::int64_t b = 0; b < task->batchCount(DataSplit::Train); ++b) {
    const HostBatch batch = task->makeBatch(DataSplit::Train, b);
    const std::int64_t width = batch.array("tokens").size(1);
    for (std::int64_t r = 0; r < batch.rows(); ++r) {
      const std::int64_t length = at(batch, "lengths", r);
      QVERIFY(length >= 5 && length <= 32);
      QCOMPARE(at(batch, "tokens", r * width), 2);
      QCOMPARE(at(batch, "segments", r * width), 0);
      QCOMPARE(at(batch, "segments", r * width + length - 1), 1);
      for (std::int64_t t = length; t < width; ++t) QCOMPARE(at(batch, "tokens", r * width + t), 0);
      random += at(batch, "next_labels", r);
      shorter += length < 32 ? 1 : 0;
      ++all;
    }
  }
  QCOMPARE(all, task->exampleCount(DataSplit::Train));
  const double share = static_cast<double>(random) / static_cast<double>(all);
  QVERIFY2(share > .4 && share < .75, std::to_string(share).c_str());
  QVERIFY(shorter > 0 && shorter < all);
}

// 15 % of the positions, of these about 80 % [MASK], 10 % as they were, 10 % anything.
void MlmTaskTest::masksAsOften() {
  const auto task = make({"mlm.duplicates=30"});
  std::int64_t masked = 0, masks = 0, same = 0, tokens = 0;
  for (std::int64_t b = 0; b < task->batchCount(DataSplit::Train); ++b) {
    const HostBatch batch = task->makeBatch(DataSplit::Train, b);
    QCOMPARE(batch.targetUnits, task->batchTargetUnits(DataSplit::Train, b));
    const auto positions = batch.array("masked_positions").values<std::int64_t>();
    QCOMPARE(static_cast<std::int64_t>(positions.size()), batch.targetUnits);
    QVERIFY(std::is_sorted(positions.begin(), positions.end()));
    for (std::size_t m = 0; m < positions.size(); ++m) {
      const std::int64_t label = at(batch, "masked_labels", static_cast<std::int64_t>(m));
      const std::int64_t now = at(batch, "tokens", positions[m]);
      QVERIFY(label != 2 && label != 3);
      masks += now == 4 ? 1 : 0;
      same += now == label ? 1 : 0;
      ++masked;
    }
    for (std::int64_t r = 0; r < batch.rows(); ++r) tokens += at(batch, "lengths", r);
  }
  const double share = static_cast<double>(masked) / static_cast<double>(tokens);
  QVERIFY2(std::abs(share - .15) < .01, std::to_string(share).c_str());
  QVERIFY(std::abs(static_cast<double>(masks) / static_cast<double>(masked) - (.8 + .1 / 18)) < .02);
  QVERIFY(std::abs(static_cast<double>(same) / static_cast<double>(masked) - (.1 + .1 / 18)) < .02);
}

void MlmTaskTest::wholeWordsStayTogether() {
  MlmVocabulary vocabulary;
  vocabulary.size = 10;
  vocabulary.cls = 0;
  vocabulary.sep = 1;
  vocabulary.mask = 9;
  vocabulary.continues = {false, false, false, true, true, false, false, false, false, false};
  MlmExampleOptions how;
  how.wholeWords = true;
  how.maskedShare = .4;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    RandomStream random(seed);
    MlmExample example;
    example.tokens = {0, 2, 3, 4, 5, 1, 6, 3, 7, 1};  // words: 2 3 4 | 5 | 6 3 | 7
    maskTokens(example, vocabulary, how, random);
    const std::set<std::int32_t> chosen(example.positions.begin(), example.positions.end());
    QVERIFY(chosen.size() <= 4 && !chosen.empty());
    QCOMPARE(chosen.contains(1), chosen.contains(2));
    QCOMPARE(chosen.contains(2), chosen.contains(3));
    QCOMPARE(chosen.contains(6), chosen.contains(7));
    QVERIFY(!chosen.contains(0) && !chosen.contains(5) && !chosen.contains(9));
  }
}

void MlmTaskTest::sameSeedSameExamples() {
  TaskSetup second;
  second.seed = 2;
  const auto a = make(), b = make(), c = make({}, second);
  const auto text = [](const Task& task, DataSplit split) {
    return task.exampleTexts(split, ExampleId(3))[0].second;
  };
  QCOMPARE(text(*a, DataSplit::Train), text(*b, DataSplit::Train));
  QVERIFY(a->statistics() == b->statistics());
  QVERIFY(text(*a, DataSplit::Train) != text(*c, DataSplit::Train));
  QCOMPARE(text(*a, DataSplit::Validation), text(*c, DataSplit::Validation));
  QVERIFY(a->targetUnigramEntropy() > 1.5 && a->targetUnigramEntropy() < std::log(18));
}

void MlmTaskTest::batches() {
  const auto task = make({"batch.sequences=7"});
  std::set<std::int64_t> seen;
  for (std::int64_t b = 0; b < task->batchCount(DataSplit::Validation); ++b)
    for (const ExampleId id : task->makeBatch(DataSplit::Validation, b).examples)
      QVERIFY(seen.insert(id.value).second);
  QCOMPARE(static_cast<std::int64_t>(seen.size()), task->exampleCount(DataSplit::Validation));
  QVERIFY_THROWS_EXCEPTION(Failure, task->makeBatch(DataSplit::Validation, 100000));
}

void MlmTaskTest::scores() {
  const auto task = make();
  std::vector<Prediction> predictions;
  for (std::int64_t b = 0; b < task->batchCount(DataSplit::Test); ++b) {
    const HostBatch batch = task->makeBatch(DataSplit::Test, b);
    const std::int64_t width = batch.array("tokens").size(1);
    for (std::int64_t r = 0; r < batch.rows(); ++r)
      predictions.push_back({batch.examples[static_cast<std::size_t>(r)], {}, 0, {}});
    for (std::int64_t m = 0; m < batch.targetUnits; ++m) {
      const std::int64_t row = at(batch, "masked_positions", m) / width;
      predictions[predictions.size() - static_cast<std::size_t>(batch.rows() - row)].ids.push_back(
          at(batch, "masked_labels", m));
    }
    for (std::int64_t r = 0; r < batch.rows(); ++r)
      predictions[predictions.size() - static_cast<std::size_t>(batch.rows() - r)].ids.push_back(
          1 - at(batch, "next_labels", r));
  }
  const auto scores = task->score(DataSplit::Test, predictions).value();
  QCOMPARE(scores[0].value, 100.0);
  QCOMPARE(scores[1].value, 0.0);
  predictions.back().ids.pop_back();
  QVERIFY(!task->score(DataSplit::Test, predictions).ok());
  predictions.pop_back();
  QVERIFY(!task->score(DataSplit::Test, predictions).ok());
}

// As in the tokenizers library the last line counts: texts get its id.
void MlmTaskTest::tokenThatComesTwice() {
  const std::string twice = m_folder.path().toStdString() + "/twice.txt";
  writeFileAtomically(twice, wordPieces() + "house\n").value();
  const auto houseOf = [&](const std::string& vocabulary) {
    TaskSetup setup;
    setup.artifacts = make({"mlm.vocabulary.file=" + vocabulary})->artifacts();
    setup.inputOnly = true;
    const auto task = MlmTask::create(optionsFor({"mlm.max_length=12"}), setup).value();
    const std::vector<std::string> lines = {"house [MASK]"};
    return at(task->batchesFromText(lines).value()[0], "tokens", 1);
  };
  QCOMPARE(houseOf(m_vocabulary), 11);
  QCOMPARE(houseOf(twice), 18);
}

void MlmTaskTest::freeText() {
  TaskSetup setup;
  setup.artifacts = make()->artifacts();
  setup.inputOnly = true;
  const auto task = MlmTask::create(optionsFor({"mlm.max_length=12"}), setup).value();
  const std::vector<std::string> lines = {"the [MASK] walked under [MASK] .", "Birds", std::string(400, 'x')};
  const auto batches = task->batchesFromText(lines).value();
  QCOMPARE(batches.size(), std::size_t{1});
  const HostBatch& batch = batches[0];
  QCOMPARE(batch.targetUnits, 2);
  QCOMPARE(at(batch, "masked_positions", 0), 2);
  QCOMPARE(at(batch, "tokens", 2), 4);
  QVERIFY(batch.arrays.find("masked_labels") == batch.arrays.end());
}

void MlmTaskTest::trainedVocabulary() {
  const auto task = make({"mlm.vocabulary.kind=unigram", "mlm.vocabulary.size=28"});
  QCOMPARE(task->sizes().at("vocabulary"), 29);
  QCOMPARE(task->sizes().at("mask_id"), 28);
  QVERIFY(task->exampleTexts(DataSplit::Train, ExampleId(0))[0].second.find("[MASK]") != std::string::npos);
  TaskSetup setup;
  setup.artifacts = task->artifacts();
  const auto again = make({"mlm.vocabulary.kind=unigram", "mlm.vocabulary.size=28"}, setup);
  QVERIFY(again->statistics() == task->statistics());
}

// A SentencePiece model from elsewhere, as our own export writes it.
void MlmTaskTest::givenModel() {
  const auto task = make({"mlm.vocabulary.kind=unigram", "mlm.vocabulary.size=28"});
  const std::string file = m_folder.path().toStdString() + "/given.model";
  writeFileAtomically(file, task->artifacts().at("vocabulary.model")).value();
  const auto given = make({"mlm.vocabulary.kind=model", "mlm.vocabulary.file=" + file});
  QVERIFY(given->statistics() == task->statistics());
  QVERIFY(given->artifacts() == task->artifacts());
  const auto bad = MlmTask::create(
      optionsFor(options({"mlm.vocabulary.kind=model", "mlm.vocabulary.file=" + m_text})), {});
  QVERIFY(!bad.ok());
}

void MlmTaskTest::byteLevelPieces() {
  const std::string folder = m_folder.path().toStdString();
  const test::ByteVocabulary bytes = test::byteVocabulary();
  writeFileAtomically(folder + "/vocab.json", bytes.vocabulary).value();
  const std::vector<std::string> wanted = {"mlm.vocabulary.kind=byte_bpe",
                                           "mlm.vocabulary.file=" + folder + "/vocab.json",
                                           "mlm.random_next=0", "mlm.max_length=64"};
  const auto withoutMerges = MlmTask::create(optionsFor(options(wanted)), {});
  QVERIFY(!withoutMerges.ok() && withoutMerges.error().text().find("merges.txt") != std::string::npos);
  writeFileAtomically(folder + "/merges.txt", bytes.merges).value();
  const auto task = make(wanted);
  const auto sizes = task->sizes();
  QCOMPARE(sizes.at("vocabulary"), 266);
  QCOMPARE(sizes.at("cls_id"), 0);
  QCOMPARE(sizes.at("sep_id"), 2);
  QCOMPARE(sizes.at("pad_id"), 1);
  QCOMPARE(sizes.at("mask_id"), 265);
  for (std::int64_t b = 0; b < task->batchCount(DataSplit::Train); ++b) {
    const HostBatch batch = task->makeBatch(DataSplit::Train, b);
    const std::int64_t width = batch.array("tokens").size(1);
    for (std::int64_t r = 0; r < batch.rows(); ++r) {
      const std::int64_t length = at(batch, "lengths", r);
      QVERIFY(length <= 64);
      QCOMPARE(at(batch, "tokens", r * width), 0);
      QCOMPARE(at(batch, "tokens", r * width + length - 1), 2);
      QCOMPARE(at(batch, "next_labels", r), 0);
      for (std::int64_t t = length; t < width; ++t) QCOMPARE(at(batch, "tokens", r * width + t), 1);
    }
  }
  // Two </s> between the parts; every sentence is running text.
  const auto texts = task->exampleTexts(DataSplit::Validation, ExampleId(0));
  QVERIFY2(texts[1].second.find("</s> </s> \xc4\xa0") != std::string::npos, texts[1].second.c_str());
  QVERIFY2(texts[1].second.starts_with("<s> \xc4\xa0"), texts[1].second.c_str());
  QVERIFY(texts[0].second.find("<mask>") != std::string::npos);
  const std::vector<std::string> lines = {"birds <mask> slowly"};
  const auto batches = task->batchesFromText(lines).value();
  QCOMPARE(batches[0].targetUnits, 1);
  QCOMPARE(at(batches[0], "tokens", at(batches[0], "masked_positions", 0)), 265);
  // Kept with the run: nothing is read from the files again.
  TaskSetup setup;
  setup.artifacts = task->artifacts();
  setup.inputOnly = true;
  const auto again =
      MlmTask::create(optionsFor({"mlm.vocabulary.kind=byte_bpe", "mlm.vocabulary.file=/nowhere"}), setup)
          .value();
  QCOMPARE(again->sizes().at("mask_id"), 265);
  std::string maskless = bytes.vocabulary;
  maskless.replace(maskless.find("<mask>"), 6, "<musk>");
  writeFileAtomically(folder + "/vocab.json", maskless).value();
  const auto refused = MlmTask::create(optionsFor(options(wanted)), {});
  QVERIFY(!refused.ok() && refused.error().text().find("<mask>") != std::string::npos);
}

void MlmTaskTest::pairsThatAlwaysFollow() {
  const auto task = make({"mlm.random_next=0", "mlm.short_share=0"});
  QCOMPARE(task->statistics()["train"]["random_next"].get<int>(), 0);
  // One document without a partner is enough, and a lone sentence is an example of its own.
  const std::string lone = m_folder.path().toStdString() + "/lone.txt";
  writeFileAtomically(lone, "the birds walked slowly .\n").value();
  const std::vector<std::string> alone = {"data.train=" + lone, "mlm.random_next=0", "mlm.validation_share=0",
                                          "mlm.test_share=0", "mlm.duplicates=1"};
  const auto single = make(alone);
  QCOMPARE(single->exampleCount(DataSplit::Train), 1);
  const HostBatch batch = single->makeBatch(DataSplit::Train, 0);
  QCOMPARE(at(batch, "lengths", 0), 7);
  for (std::int64_t t = 0; t < 7; ++t) QCOMPARE(at(batch, "segments", t), 0);
  const auto refused = MlmTask::create(optionsFor(options({"data.train=" + lone})), {});
  QVERIFY(!refused.ok() && refused.error().text().find("mlm.random_next=0") != std::string::npos);
}

void MlmTaskTest::documentsOfWikiText() {
  QVERIFY(isWikiTextTitle("= Robert Boulter ="));
  QVERIFY(!isWikiTextTitle("= = Career = ="));
  QVERIFY(!isWikiTextTitle("= ="));
  const auto sentences = cutAtFullStops("He had a role . In 2004 ? Yes ! The end");
  QCOMPARE(sentences.size(), std::size_t{4});
  QCOMPARE(sentences[1], std::string_view("In 2004 ?"));
  QCOMPARE(sentences[3], std::string_view("The end"));
  QCOMPARE(cutAtFullStops("one .").size(), std::size_t{1});
}

void MlmTaskTest::refusals() {
  const auto error = [&](const std::vector<std::string>& more) {
    return QString::fromStdString(MlmTask::create(optionsFor(options(more)), {}).error().text());
  };
  const auto write = [&](const char* name, const std::string& bytes) {
    const std::string path = m_folder.path().toStdString() + "/" + name;
    writeFileAtomically(path, bytes).value();
    return "data.train=" + path;
  };
  QVERIFY(error({"data.train="}).contains("data.train"));
  QVERIFY(error({"data.train=/nowhere"}).contains("/nowhere"));
  QVERIFY(error({write("one.txt", "a single sentence .\n")}).contains("two are needed"));
  QVERIFY(error({write("blank.txt", "\n\n\n")}).contains("no text in 3 lines"));
  QVERIFY(error({write("latin.txt", "a .\n\nb .\n\ngr\xfcn .\n")}).contains("latin.txt:5"));
  QVERIFY(error({"mlm.vocabulary.file="}).contains("mlm.vocabulary.file"));
  // Any text is lines of tokens; one that lacks BERT's own is no vocabulary.
  const QString text = error({"mlm.vocabulary.file=" + m_text});
  QVERIFY2(text.contains("text.txt") && text.contains("[UNK]"), qPrintable(text));
  TaskSetup setup;
  setup.stop.requestStop();
  QCOMPARE(MlmTask::create(optionsFor(options()), setup).error().kind, ErrorKind::Interrupted);
}

void MlmTaskTest::wikiText2() {
  if (fixtures::dataFolder().empty()) QSKIP("no data");
  const auto task =
      MlmTask::create(
          optionsFor({"data.train=" + fixtures::dataFolder() + "/wikitext2_raw/wiki.valid.raw.gz",
                      "mlm.vocabulary.file=" + fixtures::dataFolder() + "/bert_vocab/vocab_uncased.txt",
                      "mlm.documents=wikitext", "mlm.sentences=full_stop", "mlm.duplicates=1"}),
          {})
          .value();
  const Json statistics = task->statistics();
  qInfo("%s", statistics.dump().c_str());
  QVERIFY(statistics["train"]["documents"].get<int>() > 40);
  QVERIFY(statistics["train"]["examples"].get<int>() > 1000);
  QVERIFY(statistics["train"]["lengths"]["longest"].get<int>() == 128);
}

QTEST_APPLESS_MAIN(MlmTaskTest)
#include "tst_mlm_task.moc"
