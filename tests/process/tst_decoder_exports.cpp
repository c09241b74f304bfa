// SPDX-License-Identifier: Apache-2.0
// ctest: engine forks
// A GPT-2 folder of transformers (tests/fixtures/make_gpt2_folder.py) from the
// shell: imported, trained on, evaluated, asked, exported and imported again.
// Weights that no update changed go out bit by bit as they came in, and write
// what transformers writes. tst_encoder_exports lets transformers read such folders.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <cstring>
#include <map>
#include <string>

#include "core/base/files/atomic_file.h"
#include "core/base/json/json_members.h"
#include "tests/process/support_engine_forks.h"

using namespace fathom;
using test::Ended;

namespace {

const QString kDecoderSource = QStringLiteral(FATHOM_SOURCE_DIR);
const QString kDecoderFolder = kDecoderSource + QStringLiteral("/tests/fixtures/encoders/gpt2/");

// The bytes of each tensor of a safetensors file, with its shape in front.
std::map<std::string, std::string> tensorsOf(const QString& path) {
  const std::string bytes = readFile(path.toStdString()).value();
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), sizeof length);
  const Json header = Json::parse(bytes.substr(sizeof length, length));
  std::map<std::string, std::string> tensors;
  for (const auto& [name, entry] : header.items()) {
    if (name == "__metadata__") continue;
    const auto begin = entry["data_offsets"][0].get<std::size_t>();
    const auto end = entry["data_offsets"][1].get<std::size_t>();
    tensors[name] = entry["shape"].dump() + bytes.substr(sizeof length + length + begin, end - begin);
  }
  return tensors;
}

}  // namespace

class DecoderExportsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void imports();
  void unchangedWeightsGoOutAsTheyCameIn();
  void trainsAndGoesOn();
  void aHeadOfItsOwnIsNotTheirs();
  void foldIsForEncoders();
  void aModelOfOurOwnGoesOut_data();
  void aModelOfOurOwnGoesOut();

 private:
  QString path(const char* name) const { return m_dir.filePath(QString::fromLatin1(name)); }
  Ended engine(const QStringList& words) const { return m_forks.run(words); }
  Ended train(const QString& config, const char* run, const QStringList& assignments) const;
  Ended verb(const char* name, const char* flag, const QString& from, const char* to,
             const QStringList& more = {}) const;
  // What the run writes behind a line, without drawing.
  Ended written(const char* run, const std::string& text) const;
  QTemporaryDir m_dir;
  mutable test::EngineForks m_forks;
};

void DecoderExportsTest::initTestCase() {
  std::string text;
  for (int i = 0; i < 40; ++i) text += "two hundred and five cats sat on the mat\nin the house\n\n";
  QVERIFY(writeFileAtomically(path("text.txt").toStdString(), text).ok());
}

Ended DecoderExportsTest::train(const QString& config, const char* run,
                                const QStringList& assignments) const {
  QStringList words = {QStringLiteral("train"), QStringLiteral("--config"), config, QStringLiteral("--run"),
                       path(run)};
  const QStringList always = {QStringLiteral("data.train=") + path("text.txt"),
                              QStringLiteral("causal_lm.documents=blank_line"),
                              QStringLiteral("causal_lm.validation_share=0.2"),
                              QStringLiteral("causal_lm.test_share=0.2"),
                              QStringLiteral("causal_lm.sequences=4"),
                              QStringLiteral("lr_schedule=constant"),
                              QStringLiteral("lr_schedule.warmup=0"),
                              QStringLiteral("validation.score_interval=never"),
                              QStringLiteral("device=cpu"),
                              QStringLiteral("threads=1")};
  for (const QString& assignment : always + assignments) words << QStringLiteral("--set") << assignment;
  return engine(words);
}

Ended DecoderExportsTest::verb(const char* name, const char* flag, const QString& from, const char* to,
                               const QStringList& more) const {
  return engine(QStringList{QString::fromLatin1(name), QString::fromLatin1(flag), from,
                            QStringLiteral("--out"), path(to)} +
                more);
}

Ended DecoderExportsTest::written(const char* run, const std::string& text) const {
  writeFileAtomically(path("lines.txt").toStdString(), text + "\n").value();
  return engine({QStringLiteral("predict"), QStringLiteral("--run"), path(run), QStringLiteral("--input"),
                 path("lines.txt"), QStringLiteral("--set"), QStringLiteral("predict.temperature=0"),
                 QStringLiteral("--set"), QStringLiteral("predict.new_tokens=5")});
}

void DecoderExportsTest::imports() {
  const Ended in = verb("import-encoder", "--from", kDecoderFolder + QStringLiteral("model"), "in");
  QVERIFY2(in.code == 0 && in.err.isEmpty(), in.err.constData());
  const Json said = in.json();
  QCOMPARE(said.at("kind").get<std::string>(), std::string("gpt2"));
  QVERIFY(said.at("vocabulary") == 301 && said.at("pieces") == 301);
  QCOMPARE(said.at("tokenizer").at("kind").get<std::string>(), std::string("byte_bpe"));
  for (const char* none : {"ignored", "passed_over", "files_left", "notes"})
    QVERIFY2(said.at(none).empty(), none);
  const Json options = readJsonFile(path("in/config.json").toStdString()).value().at("options");
  QVERIFY(options.at("task") == "causal_lm" && options.at("model") == "causal_decoder");
  QVERIFY(options.at("causal_lm.max_length") == 24);
  // Names without prefix, masks among the weights, no tokenizer.
  const Ended old = verb("import-encoder", "--from", kDecoderFolder + QStringLiteral("legacy"), "old");
  QVERIFY2(old.code == 0, old.err.constData());
  QVERIFY(old.json().at("ignored").empty() && old.json().at("notes").size() == 1);
  QVERIFY(tensorsOf(path("in/model.safetensors")) == tensorsOf(path("old/model.safetensors")));
}

// Adam's step is smaller than half a unit in the last place of every weight.
void DecoderExportsTest::unchangedWeightsGoOutAsTheyCameIn() {
  const Ended run = train(path("in/config.json"), "still",
                          {QStringLiteral("training.length=1u"), QStringLiteral("optimizer=adam"),
                           QStringLiteral("lr_schedule.rate=1e-30")});
  QVERIFY2(run.code == 0, run.err.constData());
  const Ended out = verb("export-encoder", "--run", path("still"), "still out");
  QVERIFY2(out.code == 0 && out.err.isEmpty(), out.err.constData());
  QCOMPARE(out.json().at("architecture").get<std::string>(), std::string("GPT2LMHeadModel"));
  QCOMPARE(out.json().at("head").get<std::string>(), std::string("next_words"));
  const auto theirs = tensorsOf(kDecoderFolder + QStringLiteral("model/model.safetensors"));
  QVERIFY(theirs.size() > 20);
  QVERIFY(tensorsOf(path("still out/model.safetensors")) == theirs);
  const auto read = [](const QString& file) { return readJsonFile(file.toStdString()).value(); };
  const Json config = read(path("still out/config.json")),
             wanted = read(kDecoderFolder + QStringLiteral("model/config.json"));
  for (const auto& [key, value] : config.items()) QVERIFY2(wanted.at(key) == value, key.c_str());
  QVERIFY(read(path("still out/vocab.json")) == read(kDecoderFolder + QStringLiteral("model/vocab.json")));

  const Json given = read(kDecoderFolder + QStringLiteral("pieces.json")).at("written");
  const Ended own = written("still", given.at("prompt").get<std::string>());
  QVERIFY2(own.code == 0, own.err.constData());
  QCOMPARE(own.out.trimmed(), QByteArray::fromStdString(given.at("text").get<std::string>()).trimmed());
}

void DecoderExportsTest::trainsAndGoesOn() {
  const Ended run = train(path("in/config.json"), "run",
                          {QStringLiteral("training.length=12u"), QStringLiteral("lr_schedule.rate=0.01")});
  QVERIFY2(run.code == 0, run.err.constData());
  const Ended evaluated = engine({QStringLiteral("evaluate"), QStringLiteral("--run"), path("run"),
                                  QStringLiteral("--split"), QStringLiteral("test")});
  QVERIFY2(evaluated.code == 0 && evaluated.out.contains("ppl"), (evaluated.out + evaluated.err).constData());
  const Ended text = written("run", "two hundred and");
  QVERIFY2(text.code == 0 && !text.out.trimmed().isEmpty(), text.err.constData());

  const Ended out = verb("export-encoder", "--run", path("run"), "out");
  QVERIFY2(out.code == 0 && out.err.isEmpty(), out.err.constData());
  QVERIFY(tensorsOf(path("out/model.safetensors")) != tensorsOf(path("still out/model.safetensors")));
  const Ended in = verb("import-encoder", "--from", path("out"), "again");
  QVERIFY2(in.code == 0 && in.err.isEmpty(), in.err.constData());
  // The folder as it is, our form of it and the run itself are the same
  // weights.
  for (const QString& from : {path("out"), path("again"), path("run")}) {
    const QByteArray name = "on " + QFileInfo(from).fileName().toLatin1();
    const Ended on = train(
        path("in/config.json"), name.constData(),
        {QStringLiteral("training.length=1u"), QStringLiteral("optimizer=adam"),
         QStringLiteral("lr_schedule.rate=1e-30"), QStringLiteral("model.causal_decoder.weights=") + from});
    QVERIFY2(on.code == 0, on.err.constData());
    QCOMPARE(written(name.constData(), "two hundred and").out, text.out);
    const QByteArray to = name + " out";
    const Ended made = verb("export-encoder", "--run", path(name.constData()), to.constData());
    QVERIFY2(made.code == 0, made.err.constData());
    QVERIFY2(
        tensorsOf(path((to + "/model.safetensors").constData())) == tensorsOf(path("out/model.safetensors")),
        name.constData());
  }
}

void DecoderExportsTest::aHeadOfItsOwnIsNotTheirs() {
  const Ended bare = verb("export-encoder", "--run", path("run"), "bare",
                          {QStringLiteral("--head"), QStringLiteral("none")});
  QVERIFY2(bare.code == 0 && bare.err.isEmpty(), bare.err.constData());
  QCOMPARE(bare.json().at("architecture").get<std::string>(), std::string("GPT2Model"));
  const Ended alone = verb("export-encoder", "--run", path("run"), "alone",
                           {QStringLiteral("--tokenizer"), QStringLiteral("none")});
  QVERIFY2(alone.code == 0 && alone.err.contains("Without a tokenizer"), alone.err.constData());
  QVERIFY(!QFile::exists(path("alone/tokenizer.json")));
}

void DecoderExportsTest::foldIsForEncoders() {
  const Ended run =
      train(kDecoderSource + QStringLiteral("/resources/presets/causal_lm_quick.json"), "admin",
            {QStringLiteral("training.length=1u"), QStringLiteral("decoder.residual=admin"),
             QStringLiteral("init=admin_profile"), QStringLiteral("causal_lm.vocabulary.size=40"),
             QStringLiteral("causal_lm.max_length=16"), QStringLiteral("decoder.layers=2")});
  QVERIFY2(run.code == 0, run.err.constData());
  const Ended folded = verb("fold-admin", "--run", path("admin"), "folded");
  QCOMPARE(folded.code, 30);
  QVERIFY2(folded.err.contains("causal_decoder") && folded.err.contains("Pre-LN"), folded.err.constData());
}

// A decoder that was trained here from the start, with a vocabulary of its own.
void DecoderExportsTest::aModelOfOurOwnGoesOut_data() {
  QTest::addColumn<QString>("kind");
  QTest::newRow("bpe") << "bpe";
  QTest::newRow("unigram") << "unigram";
}
void DecoderExportsTest::aModelOfOurOwnGoesOut() {
  QFETCH(const QString, kind);
  const std::string name = kind.toStdString(), out = name + " out", in = name + " in";
  const Ended run =
      train(kDecoderSource + QStringLiteral("/resources/presets/causal_lm_quick.json"), name.c_str(),
            {QStringLiteral("training.length=2u"), QStringLiteral("causal_lm.vocabulary.kind=") + kind,
             QStringLiteral("causal_lm.vocabulary.size=24"), QStringLiteral("causal_lm.max_length=16")});
  QVERIFY2(run.code == 0, run.err.constData());
  const Ended made = verb("export-encoder", "--run", path(name.c_str()), out.c_str());
  QVERIFY2(made.code == 0, made.err.constData());
  const Json pieces = readJsonFile(path((out + "/tokenizer.json").c_str()).toStdString()).value();
  QVERIFY(pieces.at("post_processor").is_null());
  const Json settings = readJsonFile(path((out + "/tokenizer_config.json").c_str()).toStdString()).value();
  QVERIFY(settings.at("eos_token") == "</s>" && !settings.contains("mask_token"));
  const Ended back = verb("import-encoder", "--from", path(out.c_str()), in.c_str());
  QVERIFY2(back.code == 0, back.err.constData());
  QVERIFY(back.json().at("pieces") == back.json().at("vocabulary"));
  const std::string on = name + " on";
  const Ended more = train(path((in + "/config.json").c_str()), on.c_str(),
                           {QStringLiteral("training.length=1u"), QStringLiteral("causal_lm.max_length=16"),
                            QStringLiteral("optimizer=adam"), QStringLiteral("lr_schedule.rate=1e-30")});
  QVERIFY2(more.code == 0, more.err.constData());
  QCOMPARE(written(on.c_str(), "two hundred").out, written(name.c_str(), "two hundred").out);
}

QTEST_GUILESS_MAIN(DecoderExportsTest)
#include "tst_decoder_exports.moc"
