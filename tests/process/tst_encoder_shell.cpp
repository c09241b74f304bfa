// SPDX-License-Identifier: Apache-2.0
// ctest: engine forks bench
// Encoders and model sizes as a shell sees them: describe --model, import-encoder, export-encoder,
// fold-admin, benches without their peers. What fails leaves nothing behind.
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/base/files/atomic_file.h"
#include "core/base/json/json.h"
#include "tests/process/support_engine_forks.h"
#include "tests/unit/support_byte_vocabulary.h"

using namespace fathom;
using test::Ended;

namespace {

const char* const kWords[] = {"river", "stone", "apple", "cloud", "horse", "light", "paper", "green"};

std::string corpus() {
  std::string text;
  for (std::size_t document = 0; document < 20; ++document) {
    for (std::size_t sentence = 0; sentence < 6; ++sentence) {
      for (std::size_t w = 0; w < 7; ++w)
        text += std::string(kWords[(document + sentence * (w + 1) + w * w) % std::size(kWords)]) + " ";
      text += ".\n";
    }
    text += "\n";
  }
  return text;
}

std::string vocabulary() {
  std::string text = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n.\n";
  for (const char* word : kWords) text += std::string(word) + "\n";
  return text;
}

}  // namespace

class TestEncoderShell : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void modelSizes_data();
  void modelSizes();
  void networksAlone();
  void trainedEncoderGoesOutAndIn();
  void byteLevelEncoderGoesOutAndIn();
  void adminIsFolded();
  void damagedWeightsLeaveNothing();
  void benchesRunWithoutTheirPeers_data();
  void benchesRunWithoutTheirPeers();

 private:
  QString path(const QString& name) const { return m_dir.filePath(name); }
  Ended engine(const QStringList& words) const { return m_forks.run(words); }
  // Words of one command line, separated by blanks.
  Ended engine(const QString& line) const { return engine(line.split(QLatin1Char(' '))); }
  Json configuration() const;
  Ended train(const QString& name, const QStringList& assignments,
              const QString& configuration = QStringLiteral("config.json")) const;
  void liftsByteLevelEncoder() const;
  QTemporaryDir m_dir;
  mutable test::EngineForks m_forks;
};

void TestEncoderShell::initTestCase() {
  QVERIFY(writeFileAtomically(path(QStringLiteral("text.txt")).toStdString(), corpus()).ok());
  QVERIFY(writeFileAtomically(path(QStringLiteral("vocab.txt")).toStdString(), vocabulary()).ok());
  QVERIFY(
      writeFileAtomically(path(QStringLiteral("config.json")).toStdString(), configuration().dump(1)).ok());
}

Json TestEncoderShell::configuration() const {
  return {{"format", 1},
          {"name", "tiny"},
          {"options",
           {{"task", "mlm"},
            {"model", "bert"},
            {"init", "bert"},
            {"data.train", path(QStringLiteral("text.txt")).toStdString()},
            {"mlm.vocabulary.file", path(QStringLiteral("vocab.txt")).toStdString()},
            {"mlm.validation_share", 0.2},
            {"mlm.test_share", 0.2},
            {"mlm.max_length", 32},
            {"mlm.duplicates", 1},
            {"batch.sequences", 8},
            {"model.bert.max_positions", 32},
            {"model.width", 16},
            {"model.feed_forward", 32},
            {"model.heads", 2},
            {"model.activation", "gelu_erf"},
            {"encoder.layers", 2},
            {"lr_schedule.warmup", 2},
            {"training.length", "4u"},
            {"validation.score_interval", "never"},
            {"device", "cpu"},
            {"threads", 1}}}};
}

Ended TestEncoderShell::train(const QString& name, const QStringList& assignments,
                              const QString& configuration) const {
  QStringList line = {QStringLiteral("train"), QStringLiteral("--config"), path(configuration),
                      QStringLiteral("--run"), path(name)};
  for (const QString& assignment : assignments) line << QStringLiteral("--set") << assignment;
  return engine(line);
}

// Printed sizes against docs/models.md §1, §2 (V = 30522; millions, two digits).
void TestEncoderShell::modelSizes_data() {
  QTest::addColumn<QString>("preset");
  QTest::addColumn<double>("millions");
  QTest::newRow("Small") << QStringLiteral("bert_small_post_ln") << 29.06;
  QTest::newRow("Base") << QStringLiteral("bert_base_realformer") << 110.11;
  QTest::newRow("Large") << QStringLiteral("bert_large_post_ln") << 336.23;
  QTest::newRow("xLarge") << QStringLiteral("bert_xlarge_realformer") << 1072.37;
  // docs/long_inputs.md §3
  QTest::newRow("ETC Base") << QStringLiteral("etc_base_realformer") << 116.86;
  QTest::newRow("ETC Large") << QStringLiteral("etc_large_post_ln") << 363.15;
}
void TestEncoderShell::modelSizes() {
  QFETCH(QString, preset);
  QFETCH(double, millions);
  const QString file = QStringLiteral(FATHOM_SOURCE_DIR "/resources/presets/%1.json").arg(preset);
  const Ended ended =
      engine({QStringLiteral("describe"), QStringLiteral("--model"), QStringLiteral("--config"), file,
              QStringLiteral("--vocabulary"), QStringLiteral("30522")});
  QVERIFY2(ended.code == 0, ended.err.constData());
  const Json sizes = Json::parse(ended.out.toStdString()).at("parameters");
  QVERIFY2(std::abs(sizes.at("total").get<double>() / 1e6 - millions) < .006, ended.out.constData());
  const auto of = [this](const char* more) {
    const Ended nmt = engine(QStringLiteral("describe --model --vocabulary 1000 --set model.width=512 "
                                            "--set model.heads=8 --set model.feed_forward=2048 "
                                            "--set encoder.layers=6 --set decoder.layers=6") +
                             QString::fromLatin1(more));
    return Json::parse(nmt.out.toStdString()).at("parameters").at("total").get<std::int64_t>();
  };
  const std::int64_t plain = of(" --set encoder.residual=post_ln --set decoder.residual=post_ln");
  QCOMPARE(plain, std::int64_t{44138496 + 512 * 1000});
  QCOMPARE(of(" --set encoder.residual=admin --set decoder.residual=admin") - plain, std::int64_t{15360});
}

void TestEncoderShell::trainedEncoderGoesOutAndIn() {
  const Ended run = train(QStringLiteral("run"), {});
  QVERIFY2(run.code == 0, run.err.constData());
  // Every [MASK] is filled; a line without one is a mistake.
  const std::string text = path(QStringLiteral("blanks.txt")).toStdString();
  const QStringList predict = {QStringLiteral("predict"), QStringLiteral("--run"),
                               path(QStringLiteral("run")), QStringLiteral("--input"),
                               QString::fromStdString(text)};
  QVERIFY(writeFileAtomically(text, "the [MASK] [MASK]\n[MASK] .\n").ok());
  const Ended filled = engine(predict);
  QVERIFY2(filled.code == 0 && filled.out.count('\n') == 2, filled.err.constData());
  QCOMPARE(filled.out.left(filled.out.indexOf('\n')).count(' '), 1);
  QVERIFY(writeFileAtomically(text, "[MASK] .\nnothing missing\n").ok());
  const Ended whole = engine(predict);
  QCOMPARE(whole.code, 30);
  QVERIFY2(whole.err.contains("blanks.txt:2: there is no [MASK] to fill"), whole.err.constData());
  const Ended out =
      engine({QStringLiteral("export-encoder"), QStringLiteral("--run"), path(QStringLiteral("run")),
              QStringLiteral("--out"), path(QStringLiteral("exported"))});
  QVERIFY2(out.code == 0, out.err.constData());
  const QStringList import = {QStringLiteral("import-encoder"), QStringLiteral("--from"),
                              path(QStringLiteral("exported")), QStringLiteral("--out"),
                              path(QStringLiteral("encoder"))};
  const Ended in = engine(import);
  QVERIFY2(in.code == 0, in.err.constData());
  const Json said = Json::parse(in.out.toStdString());
  QCOMPARE(said.at("kind").get<std::string>(), std::string("bert"));
  QCOMPARE(said.at("vocabulary").get<int>(), 14);
  // The folder is a configuration to go on with; a second import does not write over it.
  const Ended more = train(QStringLiteral("tuned"),
                           {QStringLiteral("data.train=") + path(QStringLiteral("text.txt")),
                            QStringLiteral("mlm.validation_share=0.2"), QStringLiteral("mlm.test_share=0.2"),
                            QStringLiteral("mlm.max_length=32"), QStringLiteral("training.length=2u"),
                            QStringLiteral("validation.score_interval=never"), QStringLiteral("device=cpu")},
                           QStringLiteral("encoder/config.json"));
  QVERIFY2(more.code == 0, more.err.constData());
  const Ended again = engine(import);
  QVERIFY2(again.code != 0 && again.err.contains("exists already"), again.err.constData());
  // A vocabulary that is not the encoder's.
  QVERIFY(writeFileAtomically(path(QStringLiteral("wide.txt")).toStdString(), vocabulary() + "glass\n").ok());
  const Ended wide = train(QStringLiteral("wide"),
                           {QStringLiteral("model.bert.weights=") + path(QStringLiteral("encoder")),
                            QStringLiteral("mlm.vocabulary.file=") + path(QStringLiteral("wide.txt"))});
  QCOMPARE(wide.code, 30);
  QVERIFY2(wide.err.contains("15 tokens"), wide.err.constData());
}

// ETC begins as RoBERTa; the report says which tensor came from where.
void TestEncoderShell::liftsByteLevelEncoder() const {
  const Ended lifted =
      train(QStringLiteral("roberta_lifted"),
            {QStringLiteral("data.train=") + path(QStringLiteral("text.txt")),
             QStringLiteral("mlm.validation_share=0.2"), QStringLiteral("mlm.test_share=0.2"),
             QStringLiteral("mlm.max_length=32"), QStringLiteral("training.length=2u"),
             QStringLiteral("validation.score_interval=never"), QStringLiteral("device=cpu"),
             QStringLiteral("model=etc"), QStringLiteral("encoder.attention=global_local"),
             QStringLiteral("encoder.attention.global_local.radius=4"),
             QStringLiteral("model.etc.global_run=8"), QStringLiteral("init=bert"),
             QStringLiteral("model.etc.weights=") + path(QStringLiteral("roberta_in"))},
            QStringLiteral("roberta_in/config.json"));
  QVERIFY2(lifted.code == 0, lifted.err.constData());
  const Ended report = engine(
      {QStringLiteral("init-report"), QStringLiteral("--run"), path(QStringLiteral("roberta_lifted"))});
  QCOMPARE(report.code, 0);
  for (const char* tensor : {"global.layers.0.self_attention.output.weight", "embedding.segment.weight"}) {
    const auto lines = report.out.split('\n');
    const auto line =
        std::find_if(lines.begin(), lines.end(), [&](const QByteArray& one) { return one.contains(tensor); });
    QVERIFY2(line != lines.end() && line->contains("pre-trained weights"), report.out.constData());
  }
  QVERIFY2(report.out.contains("not taken: embedding.position.weight"), report.out.constData());
}

// RoBERTa: its places, its vocabulary, no next sentence. Trained, exported, imported, trained on.
void TestEncoderShell::byteLevelEncoderGoesOutAndIn() {
  const test::ByteVocabulary bytes = test::byteVocabulary();
  QVERIFY(QDir().mkpath(path(QStringLiteral("bytes"))));
  QVERIFY(writeFileAtomically(path(QStringLiteral("bytes/vocab.json")).toStdString(), bytes.vocabulary).ok());
  QVERIFY(writeFileAtomically(path(QStringLiteral("bytes/merges.txt")).toStdString(), bytes.merges).ok());
  const Ended run =
      train(QStringLiteral("roberta"),
            {QStringLiteral("mlm.vocabulary.kind=byte_bpe"),
             QStringLiteral("mlm.vocabulary.file=") + path(QStringLiteral("bytes/vocab.json")),
             QStringLiteral("mlm.random_next=0"), QStringLiteral("model.bert.head=masked_words"),
             QStringLiteral("model.bert.positions=non_pad"), QStringLiteral("model.bert.segments=1"),
             QStringLiteral("model.bert.max_positions=34"), QStringLiteral("training.length=2u")});
  QVERIFY2(run.code == 0, run.err.constData());
  const auto verb = [&](const char* name, const char* flag, const char* from, const char* to) {
    return engine({QString::fromLatin1(name), QString::fromLatin1(flag), path(QString::fromLatin1(from)),
                   QStringLiteral("--out"), path(QString::fromLatin1(to))});
  };
  const Ended out = verb("export-encoder", "--run", "roberta", "roberta_out");
  QVERIFY2(out.code == 0, out.err.constData());
  for (const char* file : {"vocab.json", "merges.txt", "tokenizer_config.json", "config.json"})
    QVERIFY2(QFile::exists(path(QStringLiteral("roberta_out/") + QString::fromLatin1(file))), file);
  const Ended in = verb("import-encoder", "--from", "roberta_out", "roberta_in");
  QVERIFY2(in.code == 0, in.err.constData());
  QCOMPARE(Json::parse(in.out.toStdString()).at("kind").get<std::string>(), std::string("roberta"));
  const Ended more = train(QStringLiteral("roberta_tuned"),
                           {QStringLiteral("data.train=") + path(QStringLiteral("text.txt")),
                            QStringLiteral("mlm.validation_share=0.2"), QStringLiteral("mlm.test_share=0.2"),
                            QStringLiteral("mlm.max_length=32"), QStringLiteral("training.length=2u"),
                            QStringLiteral("validation.score_interval=never"), QStringLiteral("device=cpu")},
                           QStringLiteral("roberta_in/config.json"));
  QVERIFY2(more.code == 0, more.err.constData());
  liftsByteLevelEncoder();
  // Where tokenizer.json does not hold them merges are needed, and nothing is written without them.
  for (const char* file : {"tokenizer.json", "tokenizer_config.json", "merges.txt"})
    QVERIFY2(QFile::remove(path(QStringLiteral("roberta_out/") + QString::fromLatin1(file))), file);
  const Ended torn = verb("import-encoder", "--from", "roberta_out", "torn");
  QVERIFY2(torn.code != 0 && torn.err.contains("merges.txt"), torn.err.constData());
  QVERIFY(!QFile::exists(path(QStringLiteral("torn"))));
}

// Networks that no task trains as they are can be described and filled.
void TestEncoderShell::networksAlone() {
  const Ended heads = engine(QStringLiteral("describe --model --vocabulary 30522 --config " FATHOM_SOURCE_DIR
                                            "/resources/presets/bert_base_post_ln.json --set "
                                            "model.bert.head=none"));
  QVERIFY2(heads.code == 0, heads.err.constData());
  const auto total = [](const Ended& ended) {
    return Json::parse(ended.out.toStdString()).at("parameters").at("total").get<double>();
  };
  QVERIFY(std::abs(total(heads) / 1e6 - 109.48) < .006);  // docs/models.md §2, encoder and pooler
  const QString relational = QStringLiteral(
      " --set model=extra_layers --set extra.attention=relation_aware --set extra.residual=unnormalised"
      " --set model.width=16 --set model.heads=2 --set model.extra_layers.heads=2 --set extra.layers=2"
      " --set encoder.layers=1 --set model.feed_forward=16 --set model.extra_layers.feed_forward=16");
  const Ended layers = engine(QStringLiteral("describe --model") + relational);
  QVERIFY2(layers.code == 0, layers.err.constData());
  const Ended report =
      engine(QStringLiteral("init-report --vocabulary 50 --set init=dt_fixup --set init.dt_fixup.mu=given"
                            " --set init.dt_fixup.mu_value=10") +
             relational);
  QVERIFY2(report.code == 0, report.err.constData());
  QVERIFY2(report.out.contains("relation_value.weight"), report.out.constData());
  const Ended unmeasured = engine(QStringLiteral("init-report --set init=dt_fixup") + relational);
  QVERIFY2(unmeasured.code != 0 && unmeasured.err.contains("data.train"), unmeasured.err.constData());
}

void TestEncoderShell::adminIsFolded() {
  const Ended run = train(QStringLiteral("admin"),
                          {QStringLiteral("encoder.residual=admin"), QStringLiteral("init=admin_profile")});
  QVERIFY2(run.code == 0, run.err.constData());
  const auto verb = [&](const char* name, const char* from, const char* to) {
    return engine({QString::fromLatin1(name), QStringLiteral("--run"), path(QString::fromLatin1(from)),
                   QStringLiteral("--out"), path(QString::fromLatin1(to))});
  };
  QVERIFY(verb("export-encoder", "admin", "refused").code != 0);
  const Ended folded = verb("fold-admin", "admin", "folded");
  QVERIFY2(folded.code == 0, folded.err.constData());
  QVERIFY(QFile::exists(path(QStringLiteral("folded/model.safetensors"))));
  const Ended plain = verb("fold-admin", "run", "refused");
  QVERIFY2(plain.code != 0 && plain.err.contains("nothing to fold"), plain.err.constData());
  QVERIFY(!QFile::exists(path(QStringLiteral("refused"))));
  QVERIFY(!QFile::exists(path(QStringLiteral("refused.partial"))));
}

void TestEncoderShell::damagedWeightsLeaveNothing() {
  QVERIFY(QFile::exists(path(QStringLiteral("exported/model.safetensors"))));
  const std::string good = readFile(path(QStringLiteral("exported/model.safetensors")).toStdString()).value();
  QVERIFY(QDir().mkpath(path(QStringLiteral("damaged"))));
  QVERIFY(
      QFile::copy(path(QStringLiteral("exported/config.json")), path(QStringLiteral("damaged/config.json"))));
  for (const std::size_t kept : {std::size_t{0}, std::size_t{7}, std::size_t{300}, good.size() - 1}) {
    QVERIFY(writeFileAtomically(path(QStringLiteral("damaged/model.safetensors")).toStdString(),
                                good.substr(0, kept))
                .ok());
    const Ended ended =
        engine({QStringLiteral("import-encoder"), QStringLiteral("--from"), path(QStringLiteral("damaged")),
                QStringLiteral("--out"), path(QStringLiteral("never"))});
    QCOMPARE(ended.code, 30);
    QVERIFY2(ended.err.contains("model.safetensors"), ended.err.constData());
    QVERIFY(!QFile::exists(path(QStringLiteral("never"))));
    QVERIFY(!QFile::exists(path(QStringLiteral("never.partial"))));
  }
}

void TestEncoderShell::benchesRunWithoutTheirPeers_data() {
  QTest::addColumn<QString>("line");
  const QString text = path(QStringLiteral("text.txt")), pieces = path(QStringLiteral("vocab.txt"));
  const auto row = [](const char* name, const QString& line) { QTest::newRow(name) << line; };
  row("optimizer-step", QStringLiteral("optimizer-step --tensors 6 --elements 70000"));
  row("rat-layer", QStringLiteral("rat-layer --layers 1 --rows 2 --length 12"));
  row("bert-step", QStringLiteral("bert-step --layers 1 --width 32 --heads 2 --feed-forward 32 --rows 2"
                                  " --length 16"));
  row("nmt-step", QStringLiteral("nmt-step --layers 1 --width 32 --feed-forward 32 --heads 2 --tokens 64"
                                 " --vocabulary 50"));
  row("entropy-jsd", QStringLiteral("entropy-jsd --layers 2 --rows 1 --heads 2 --length 20 --head-width 4"));
  row("tokenize", QStringLiteral("tokenize --text %1 --vocabulary %2 --megabytes 1").arg(text, pieces));
}
void TestEncoderShell::benchesRunWithoutTheirPeers() {
  QFETCH(QString, line);
  const Ended ended =
      test::ran(QStringLiteral(FATHOM_BIN_DIR "/fathom-bench-engine"),
                QStringLiteral("%1 --pairs 1 --threads 1 --python /nowhere/python3").arg(line).split(u' '));
  QVERIFY2(ended.code == 0, ended.err.constData());
  const Json result = Json::parse(ended.out.toStdString());
  QCOMPARE(result.at("bench").get<std::string>(), std::string(QTest::currentDataTag()));
  QVERIFY(result.at("seconds_a_step").get<double>() > 0);
  QVERIFY(result.at("check").contains("peer") && !result.contains("ratio"));
  if (result.at("bench") == "entropy-jsd")
    QVERIFY(result.at("probe").at("memory_over_forward").get<double>() > 0);
}

QTEST_GUILESS_MAIN(TestEncoderShell)
#include "tst_encoder_shell.moc"
