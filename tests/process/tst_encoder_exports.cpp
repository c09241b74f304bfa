// SPDX-License-Identifier: Apache-2.0
// ctest: engine forks
// Exported encoders are usable: the default vocabulary of masked words has a tokenizer.json, heads of
// fine-tuned encoders go along or are left out, the folders come back in. Where a python3 has transformers
// (packaging/ bench-peers.sh), it reads them: pieces, ids and logits are the run's.
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/base/files/atomic_file.h"
#include "core/base/json/json_members.h"
#include "tests/process/support_engine_forks.h"

using namespace fathom;
using test::Ended;
using test::ran;

namespace {

const QString kSource = QStringLiteral(FATHOM_SOURCE_DIR);
const char* const kWords[] = {"river", "stone", "apple", "cloud", "horse", "light", "paper", "green"};
const char* const kFirst = "The caf\xc3\xa9 river-stone, 12 apples \xe6\x96\x87\xe6\x97\xa5 !";
const char* const kSecond = "green paper";

// Where bench-peers.sh puts packages, and the torch that the programs are built with.
QProcessEnvironment peerEnvironment() {
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert(QStringLiteral("PYTHONPATH"), kSource + QStringLiteral("/build/bench-peers/python:") +
                                                       kSource + QStringLiteral("/build/deps/libtorch:") +
                                                       environment.value(QStringLiteral("PYTHONPATH")));
  environment.insert(QStringLiteral("PYTHONUTF8"), QStringLiteral("1"));
  environment.insert(QStringLiteral("HF_HUB_OFFLINE"), QStringLiteral("1"));
  return environment;
}

}  // namespace

class TestEncoderExports : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void defaultVocabularyGoesOutAndIn();
  void adminGoesOutWithItsTokenizer();
  void otherWordsAreRefused();
  void headsGoOutOrStay_data();
  void headsGoOutOrStay();
  void decodersGoOut();
  void transformersReadsThem();

 private:
  QString path(const QString& name) const { return m_dir.filePath(name); }
  Ended engine(const QStringList& words) const { return m_forks.run(words); }
  Ended train(const QString& run, const QString& config, const QStringList& assignments) const;
  Ended trainWords(const QString& run, const QStringList& more) const;
  Ended trainTask(const QString& task) const;
  Ended verb(const char* name, const char* flag, const QString& from, const QString& to,
             const QStringList& more = {}) const;
  void compareWithRun(const Json& said) const;
  Ended readByTransformers(const QStringList& folders, const char* first, const char* second) const;
  void checkRead(const QStringList& folders, const Ended& read, std::size_t leastPieces) const;
  QTemporaryDir m_dir;
  mutable test::EngineForks m_forks;
};

void TestEncoderExports::initTestCase() {
  std::string text;
  for (std::size_t line = 0; line < 160; ++line) {
    for (std::size_t word = 0; word < 7; ++word)
      text += std::string(kWords[(line + word * word + line * word) % std::size(kWords)]) + " ";
    text += line % 4 == 3 ? ".\n\n" : ", 12 !\n";
  }
  QVERIFY(writeFileAtomically(path(QStringLiteral("text.txt")).toStdString(), text).ok());
}

Ended TestEncoderExports::train(const QString& run, const QString& config,
                                const QStringList& assignments) const {
  QStringList words = {QStringLiteral("train"), QStringLiteral("--config"), config, QStringLiteral("--run"),
                       path(run)};
  for (const QString& assignment : assignments) words << QStringLiteral("--set") << assignment;
  return engine(words);
}

Ended TestEncoderExports::trainWords(const QString& run, const QStringList& more) const {
  return train(
      run, kSource + QStringLiteral("/resources/presets/mlm_quick.json"),
      QStringList{QStringLiteral("data.train=") + path(QStringLiteral("text.txt")),
                  QStringLiteral("mlm.documents=blank_line"), QStringLiteral("mlm.validation_share=0.2"),
                  QStringLiteral("mlm.test_share=0.2"), QStringLiteral("mlm.vocabulary.size=60"),
                  QStringLiteral("mlm.max_length=32"), QStringLiteral("mlm.duplicates=1"),
                  QStringLiteral("batch.sequences=8"), QStringLiteral("model.width=16"),
                  QStringLiteral("model.heads=2"), QStringLiteral("model.feed_forward=32"),
                  QStringLiteral("encoder.layers=2"), QStringLiteral("training.length=4u"),
                  QStringLiteral("lr_schedule.warmup=2"), QStringLiteral("validation.score_interval=never"),
                  QStringLiteral("device=cpu"), QStringLiteral("threads=1")} +
          more);
}

Ended TestEncoderExports::trainTask(const QString& task) const {
  const QString data = path(task + QStringLiteral(" data"));
  const Ended sample =
      engine({QStringLiteral("sample"), QStringLiteral("--task"), task, QStringLiteral("--out"), data});
  if (sample.code != 0) return sample;
  const QString end = task == QLatin1String("glue") ? QStringLiteral(".tsv") : QStringLiteral(".json");
  return train(task, kSource + QStringLiteral("/resources/presets/%1_sample.json").arg(task),
               {QStringLiteral("data.train=") + data + QStringLiteral("/train") + end,
                QStringLiteral("data.validation=") + data + QStringLiteral("/validation") + end,
                QStringLiteral("text.vocabulary.file=") + data + QStringLiteral("/vocab.json"),
                QStringLiteral("text.vocabulary.merges=") + data + QStringLiteral("/merges.txt"),
                QStringLiteral("training.length=3u"), QStringLiteral("validation.score_interval=never"),
                QStringLiteral("device=cpu"), QStringLiteral("threads=1")});
}

Ended TestEncoderExports::verb(const char* name, const char* flag, const QString& from, const QString& to,
                               const QStringList& more) const {
  return engine(QStringList{QString::fromLatin1(name), QString::fromLatin1(flag), path(from),
                            QStringLiteral("--out"), path(to)} +
                more);
}

void TestEncoderExports::defaultVocabularyGoesOutAndIn() {
  const Ended run = trainWords(QStringLiteral("bpe"), {QStringLiteral("mlm.vocabulary.kind=bpe")});
  QVERIFY2(run.code == 0, run.err.constData());
  const Ended out = verb("export-encoder", "--run", QStringLiteral("bpe"), QStringLiteral("bpe out"));
  QVERIFY2(out.code == 0, out.err.constData());
  const Json said = out.json();
  QCOMPARE(said.at("architecture").get<std::string>(), std::string("BertForPreTraining"));
  QVERIFY(said.at("notes").empty());
  for (const char* file :
       {"tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "vocabulary.model"}) {
    QVERIFY2(QFile::exists(path(QStringLiteral("bpe out/") + QString::fromLatin1(file))), file);
    QVERIFY2(std::find(said.at("tokenizer").begin(), said.at("tokenizer").end(), file) !=
                 said.at("tokenizer").end(),
             file);
  }
  const Ended in = verb("import-encoder", "--from", QStringLiteral("bpe out"), QStringLiteral("bpe in"));
  QVERIFY2(in.code == 0 && in.err.isEmpty(), in.err.constData());
  QCOMPARE(in.json().at("tokenizer").at("kind").get<std::string>(), std::string("model"));
  QVERIFY(in.json().at("pieces") == in.json().at("vocabulary"));
  QVERIFY(in.json().at("files_left").empty());
  const Ended more = train(QStringLiteral("bpe on"), path(QStringLiteral("bpe in/config.json")),
                           {QStringLiteral("data.train=") + path(QStringLiteral("text.txt")),
                            QStringLiteral("mlm.validation_share=0.2"), QStringLiteral("mlm.test_share=0.2"),
                            QStringLiteral("mlm.max_length=32"), QStringLiteral("training.length=2u"),
                            QStringLiteral("validation.score_interval=never"), QStringLiteral("device=cpu")});
  QVERIFY2(more.code == 0, more.err.constData());
  // The same pieces out again.
  const Ended again = verb("export-encoder", "--run", QStringLiteral("bpe on"), QStringLiteral("bpe again"));
  QVERIFY2(again.code == 0, again.err.constData());
  const auto bytes = [&](const char* folder) {
    return readFile(path(QString::fromLatin1(folder) + QStringLiteral("/tokenizer.json")).toStdString())
        .value();
  };
  QVERIFY(bytes("bpe out") == bytes("bpe again"));
  // One of the two files changed: the import says so.
  Json changed = Json::parse(bytes("bpe again"));
  changed["model"]["vocab"].erase("<pad>");
  changed["model"]["vocab"]["<pad]"] = 1;
  const std::string file = path(QStringLiteral("bpe again/tokenizer.json")).toStdString();
  QVERIFY(writeFileAtomically(file, changed.dump()).ok());
  const Ended torn =
      verb("import-encoder", "--from", QStringLiteral("bpe again"), QStringLiteral("bpe torn"));
  QVERIFY2(torn.code == 30 && torn.err.contains("tokenizer.json"), torn.err.constData());
}

void TestEncoderExports::adminGoesOutWithItsTokenizer() {
  const Ended run =
      trainWords(QStringLiteral("admin"),
                 {QStringLiteral("mlm.vocabulary.kind=unigram"), QStringLiteral("mlm.vocabulary.size=26"),
                  QStringLiteral("encoder.residual=admin"), QStringLiteral("init=admin_profile")});
  QVERIFY2(run.code == 0, run.err.constData());
  const Ended out = verb("fold-admin", "--run", QStringLiteral("admin"), QStringLiteral("admin out"));
  QVERIFY2(out.code == 0, out.err.constData());
  QVERIFY2(out.err.contains("Unigram"), out.err.constData());
  QCOMPARE(out.json().at("notes").size(), std::size_t{1});
  QVERIFY(QFile::exists(path(QStringLiteral("admin out/tokenizer.json"))));
}

void TestEncoderExports::otherWordsAreRefused() {
  std::string pieces = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n.\n,\n!\n12\n";
  for (const char* word : kWords) pieces += std::string(word) + "\n";
  QVERIFY(writeFileAtomically(path(QStringLiteral("words.txt")).toStdString(), pieces).ok());
  const Ended run = trainWords(QStringLiteral("google"),
                               {QStringLiteral("mlm.vocabulary.kind=wordpiece"),
                                QStringLiteral("mlm.vocabulary.file=") + path(QStringLiteral("words.txt")),
                                QStringLiteral("mlm.vocabulary.variant=google")});
  QVERIFY2(run.code == 0, run.err.constData());
  const Ended refused =
      verb("export-encoder", "--run", QStringLiteral("google"), QStringLiteral("google out"));
  QCOMPARE(refused.code, 30);
  QVERIFY2(refused.err.contains("hf_fast") && refused.err.contains("--tokenizer none"),
           refused.err.constData());
  QVERIFY(!QFile::exists(path(QStringLiteral("google out"))));
  const Ended bare = verb("export-encoder", "--run", QStringLiteral("google"), QStringLiteral("google out"),
                          {QStringLiteral("--tokenizer"), QStringLiteral("none")});
  QVERIFY2(bare.code == 0 && bare.err.contains("Without a tokenizer"), bare.err.constData());
  QCOMPARE(QDir(path(QStringLiteral("google out"))).entryList(QDir::Files),
           QStringList({QStringLiteral("config.json"), QStringLiteral("model.safetensors")}));
}

void TestEncoderExports::headsGoOutOrStay_data() {
  QTest::addColumn<QString>("task");
  QTest::addColumn<QString>("architecture");
  QTest::newRow("glue") << QStringLiteral("glue") << QStringLiteral("BertForSequenceClassification");
  QTest::newRow("squad") << QStringLiteral("squad") << QStringLiteral("BertForQuestionAnswering");
  QTest::newRow("reclor") << QStringLiteral("reclor") << QStringLiteral("BertForMultipleChoice");
}
void TestEncoderExports::headsGoOutOrStay() {
  QFETCH(QString, task);
  QFETCH(QString, architecture);
  const Ended run = trainTask(task);
  QVERIFY2(run.code == 0, run.err.constData());
  const QString with = task + QStringLiteral(" out"), without = task + QStringLiteral(" bare");
  const Ended out = verb("export-encoder", "--run", task, with);
  QVERIFY2(out.code == 0, out.err.constData());
  QCOMPARE(QString::fromStdString(out.json().at("architecture").get<std::string>()), architecture);
  const Json config = readJsonFile(path(with + QStringLiteral("/config.json")).toStdString()).value();
  QVERIFY(config.at("architectures") == Json::array({architecture.toStdString()}));
  if (task == QLatin1String("glue")) {
    QCOMPARE(config.at("id2label").at("0").get<std::string>(), std::string("entailment"));
    QCOMPARE(config.at("label2id").at("not_entailment").get<int>(), 1);
    QCOMPARE(config.at("problem_type").get<std::string>(), std::string("single_label_classification"));
  }
  const Ended bare =
      verb("export-encoder", "--run", task, without, {QStringLiteral("--head"), QStringLiteral("none")});
  QVERIFY2(bare.code == 0, bare.err.constData());
  QCOMPARE(bare.json().at("architecture").get<std::string>(), std::string("BertModel"));
  QCOMPARE(bare.err.contains("no pooler"), task == QLatin1String("squad"));
  for (const QString& folder : {with, without}) {
    const Ended in = verb("import-encoder", "--from", folder, folder + QStringLiteral(" in"));
    QVERIFY2(in.code == 0, in.err.constData());
    QCOMPARE(in.json().at("tokenizer").at("kind").get<std::string>(), std::string("byte_bpe"));
    QCOMPARE(in.json().at("ignored").empty(), folder == without);  // a head of a task is named and not taken
  }
}

// What the run itself says of the pair.
void TestEncoderExports::compareWithRun(const Json& said) const {
  const std::string line = std::string(kFirst) + "\t" + kSecond + "\n";
  QVERIFY(writeFileAtomically(path(QStringLiteral("pair.tsv")).toStdString(), line).ok());
  const Ended own = engine({QStringLiteral("predict"), QStringLiteral("--run"), path(QStringLiteral("glue")),
                            QStringLiteral("--input"), path(QStringLiteral("pair.tsv"))});
  QVERIFY2(own.code == 0, own.err.constData());
  const double apart = said.at("logits")[0].get<double>() - said.at("logits")[1].get<double>();
  QCOMPARE(QString::fromUtf8(own.out).trimmed(),
           apart > 0 ? QStringLiteral("entailment") : QStringLiteral("not_entailment"));
}

// One that came from transformers (tst_decoder_exports has the bits), and one that was trained here.
void TestEncoderExports::decodersGoOut() {
  const Ended in = engine({QStringLiteral("import-encoder"), QStringLiteral("--from"),
                           kSource + QStringLiteral("/tests/fixtures/encoders/gpt2/model"),
                           QStringLiteral("--out"), path(QStringLiteral("gpt2 in"))});
  QVERIFY2(in.code == 0, in.err.constData());
  const QStringList shared = {QStringLiteral("data.train=") + path(QStringLiteral("text.txt")),
                              QStringLiteral("causal_lm.documents=blank_line"),
                              QStringLiteral("causal_lm.validation_share=0.2"),
                              QStringLiteral("causal_lm.test_share=0.2"),
                              QStringLiteral("causal_lm.max_length=16"),
                              QStringLiteral("causal_lm.sequences=4"),
                              QStringLiteral("training.length=2u"),
                              QStringLiteral("lr_schedule=constant"),
                              QStringLiteral("lr_schedule.warmup=0"),
                              QStringLiteral("validation.score_interval=never"),
                              QStringLiteral("device=cpu"),
                              QStringLiteral("threads=1")};
  const Ended theirs = train(QStringLiteral("gpt2"), path(QStringLiteral("gpt2 in/config.json")), shared);
  QVERIFY2(theirs.code == 0, theirs.err.constData());
  const Ended ours =
      train(QStringLiteral("decoder"), kSource + QStringLiteral("/resources/presets/causal_lm_quick.json"),
            shared + QStringList{QStringLiteral("causal_lm.vocabulary.size=60")});
  QVERIFY2(ours.code == 0, ours.err.constData());
  for (const char* run : {"gpt2", "decoder"}) {
    const QString name = QString::fromLatin1(run);
    const Ended out = verb("export-encoder", "--run", name, name + QStringLiteral(" out"));
    QVERIFY2(out.code == 0, out.err.constData());
    QCOMPARE(out.json().at("architecture").get<std::string>(), std::string("GPT2LMHeadModel"));
  }
}

Ended TestEncoderExports::readByTransformers(const QStringList& folders, const char* first,
                                             const char* second) const {
  QStringList words = {kSource + QStringLiteral("/tests/process/encoder_peer.py"), QString::fromUtf8(first),
                       QString::fromUtf8(second)};
  for (const QString& folder : folders) words << path(folder);
  return ran(QStringLiteral("python3"), words, peerEnvironment());
}

void TestEncoderExports::checkRead(const QStringList& folders, const Ended& read,
                                   std::size_t leastPieces) const {
  QVERIFY2(read.code == 0, read.err.right(1000).constData());
  const auto lines = read.out.trimmed().split('\n');
  QCOMPARE(lines.size(), folders.size());
  for (qsizetype i = 0; i < folders.size(); ++i) {
    const QByteArray& line = lines[i];
    const Json said = Json::parse(line.toStdString());
    const Json config = readJsonFile(path(folders[i] + QStringLiteral("/config.json")).toStdString()).value();
    QVERIFY2(said.at("size") == config.at("vocab_size"), line.constData());
    const char* const longest = config.contains("n_positions") ? "n_positions" : "max_position_embeddings";
    QVERIFY2(said.at("longest") == config.at(longest), line.constData());
    QVERIFY2(said.at("ids").size() >= leastPieces && said.at("pieces")[0] != "[UNK]", line.constData());
    if (said.contains("no_torch")) continue;  // names of weights and logits are not looked at
    QVERIFY2(said.at("missing").empty(), line.constData());
    for (const Json& logit : said.at("logits")) QVERIFY(std::isfinite(logit.get<double>()));
    if (folders[i] == QLatin1String("glue out")) compareWithRun(said);
  }
}

void TestEncoderExports::transformersReadsThem() {
  const QStringList encoders = {QStringLiteral("bpe out"),   QStringLiteral("admin out"),
                                QStringLiteral("glue out"),  QStringLiteral("glue bare"),
                                QStringLiteral("squad out"), QStringLiteral("reclor out")};
  const Ended read = readByTransformers(encoders, kFirst, kSecond);
  if (read.code != 0 && read.out.isEmpty() && read.err.isEmpty()) QSKIP("no python3 is there");
  if (read.out.contains("\"absent\""))
    QSKIP("python3 has no transformers: packaging/bench-peers.sh fetches it");
  checkRead(encoders, read, 6);
  // GPT-2's of the fixture has 24 places.
  const QStringList decoders = {QStringLiteral("gpt2 out"), QStringLiteral("decoder out")};
  checkRead(decoders, readByTransformers(decoders, "green, 12 !", "stone"), 3);
}

QTEST_GUILESS_MAIN(TestEncoderExports)
#include "tst_encoder_exports.moc"
