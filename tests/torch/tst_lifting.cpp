// SPDX-License-Identifier: Apache-2.0
// Where a model begins: ETC lifted from an encoder of one stream, and any encoder taken from a run of ours.
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <fstream>
#include <map>

#include "core/base/files/atomic_file.h"
#include "core/base/numbers/random_stream.h"
#include "core/init/init_report.h"
#include "core/init/initialisation.h"
#include "core/nn/models/bert.h"
#include "core/nn/models/etc.h"
#include "core/nn/pretrained/encoder_folder.h"
#include "core/record/runs/run_folder.h"
#include "core/train/loop/training_run.h"
#include "core/train/state/stored_run.h"
#include "tests/torch/support_tensors.h"

using namespace fathom;
using namespace fathom::fixtures;

namespace {

const char* const kWords[] = {"river", "stone", "apple", "cloud", "horse", "light", "paper", "green"};

std::string corpus() {
  std::string text;
  RandomStream random(6);
  for (int document = 0; document < 12; ++document) {
    for (int sentence = 0; sentence < 8; ++sentence) {
      for (int w = 0; w < 7; ++w) text += std::string(kWords[(document % 2) * 4 + random.below(4)]) + " ";
      text += ".\n";
    }
    text += "\n";
  }
  return text;
}

std::vector<std::string> shared(const std::string& residual, const std::string& chain) {
  return {"model.width=24",
          "model.heads=3",
          "model.feed_forward=40",
          "model.activation=gelu_erf",
          "model.dropout=0",
          "encoder.layers=2",
          "encoder.residual=" + residual,
          "encoder.self_attention.score_chain=" + chain,
          "init=bert"};
}

std::unique_ptr<Model> made(const OptionValues& options) {
  const ModelInputs inputs{{"vocabulary", 30}, {"pad_id", 0}};
  auto model = buildModel(options, inputs, torch::TensorOptions(torch::kFloat64)).value();
  initialiseModel(*model, options, 3).value();
  return model;
}

// Norms and biases too are something to get wrong.
void disturb(Model& model) {
  const at::NoGradGuard noGrad;
  std::uint64_t seed = 40;
  for (const Leaf& leaf : model.parameters().leaves()) {
    at::Generator generator = at::globalContext().defaultGenerator(torch::kCPU).clone();
    generator.set_current_seed(++seed);
    leaf.tensor.add_(at::empty(leaf.tensor.sizes(), leaf.tensor.options()).normal_(0, .1, generator));
  }
}

EncoderWeights weightsOf(const Model& model, const OptionValues& options) {
  EncoderWeights weights;
  weights.kind = "bert";
  weights.options = options.effective();
  for (const auto& [name, tensor] : model.parameters().state()) weights.tensors.emplace(name, tensor.clone());
  return weights;
}

}  // namespace

class TestLifting : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void equalsBertWithoutPositions_data();
  void equalsBertWithoutPositions();
  void saysWhatCameFromWhere();
  void refusesAnotherFunction();
  void runIsAnEncoder_data();
  void runIsAnEncoder();
  void runIsLifted();
  void etcGoesOnFromEtc();
  void refusesRunsThatAreNoEncoder();

 private:
  std::string path(const std::string& name) const { return m_folder.path().toStdString() + "/" + name; }
  RunReport train(const std::string& name, const std::vector<std::string>& assignments) const;
  Json report(const std::string& name) const {
    return readJsonFile(RunFolder(path(name)).attemptPath(1) + "/details.json").value().at("initialisation");
  }
  std::map<std::string, torch::Tensor> weights(const std::string& name, const std::string& checkpoint) const;
  QTemporaryDir m_folder;
};

void TestLifting::initTestCase() {
  QVERIFY(m_folder.isValid());
  writeFileAtomically(path("text.txt"), corpus()).value();
  std::string words = "[PAD]\n[unused0]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n.\n";
  for (const char* word : kWords) words += std::string(word) + "\n";
  writeFileAtomically(path("vocab.txt"), words).value();
  for (const char* chain : {"none", "sum"}) {
    const RunReport trained =
        train(std::string("bert_") + chain, {std::string("encoder.self_attention.score_chain=") + chain});
    QVERIFY2(trained.code == ExitCode::Finished, trained.error.text().c_str());
  }
}

void TestLifting::equalsBertWithoutPositions_data() {
  QTest::addColumn<QString>("residual");
  QTest::addColumn<QString>("chain");
  for (const char* residual : {"post_ln", "pre_ln"})
    for (const char* chain : {"none", "sum", "mean"})
      QTest::addRow("%s, %s", residual, chain) << residual << chain;
}

// One global token, a window over everything, E and b zero: the tokens of both streams are those of BERT.
void TestLifting::equalsBertWithoutPositions() {
  QFETCH(QString, residual);
  QFETCH(QString, chain);
  constexpr std::int64_t kTokens = 11;
  std::vector<std::string> both = shared(residual.toStdString(), chain.toStdString());
  std::vector<std::string> ofBert = both, ofEtc = both;
  ofBert.insert(ofBert.end(), {"model=bert", "model.bert.max_positions=16"});
  ofEtc.insert(ofEtc.end(),
               {"model=etc", "encoder.attention=global_local", "encoder.attention.global_local.radius=11",
                "encoder.attention.global_local.hard_global=false"});
  const OptionValues bertOptions = engineOptions(ofBert), etcOptions = engineOptions(ofEtc);
  const auto bert = made(bertOptions), etc = made(etcOptions);
  disturb(*bert);
  loadEncoderWeights(*etc, weightsOf(*bert, bertOptions)).value();
  const at::NoGradGuard noGrad;
  for (const Leaf& leaf : bert->parameters().leaves())
    if (leaf.name.find("position") != std::string::npos) leaf.tensor.zero_();
  for (const Leaf& leaf : etc->parameters().leaves())
    if (leaf.name.find(".relation.") != std::string::npos) leaf.tensor.zero_();
  const torch::Tensor ids =
      (at::arange(2 * (kTokens + 1), torch::kInt64) * 7 % 29 + 1).view({2, kTokens + 1});
  const torch::Tensor expected = dynamic_cast<const Bert&>(*bert).hidden({ids, {}, {}}, {});
  LongBatch batch;
  batch.tokens = ids.narrow(1, 0, kTokens).contiguous();
  batch.globalTokens = ids.narrow(1, kTokens, 1).contiguous();
  batch.structure = runsOfTokens({}, 2, kTokens, kTokens);
  const GlobalLocal::Streams out = dynamic_cast<const Etc&>(*etc).streams(batch, {});
  const torch::Tensor joined = at::cat({out.longs, out.globals}, 1);
  QVERIFY((joined - expected).abs().max().item<double>() < 1e-12);
  // And the head for masked words.
  const torch::Tensor rows = at::arange(3, torch::kInt64);
  const torch::Tensor theirs = dynamic_cast<const Bert&>(*bert).maskedHidden(expected, rows);
  QVERIFY((dynamic_cast<const Etc&>(*etc).maskedHidden(joined, rows) - theirs).abs().max().item<double>() <
          1e-12);
}

void TestLifting::saysWhatCameFromWhere() {
  std::vector<std::string> ofBert = shared("post_ln", "none"), ofEtc = ofBert;
  ofBert.insert(ofBert.end(), {"model=bert", "model.bert.max_positions=16"});
  ofEtc.insert(ofEtc.end(), {"model=etc", "encoder.attention=global_local"});
  const OptionValues options = engineOptions(ofBert);
  const auto bert = made(options), etc = made(engineOptions(ofEtc));
  const auto relations = etc->parameters().value("encoder.layers.1.self_attention.relation.weight").clone();
  const WeightsTaken taken = loadEncoderWeights(*etc, weightsOf(*bert, options)).value();
  const auto from = [&](const char* name) { return taken.sources.at(name); };
  QCOMPARE(from("encoder.layers.0.self_attention.query.weight"),
           std::string("encoder.layers.0.self_attention.query.weight"));
  QCOMPARE(from("global.layers.1.self_attention.output.weight"),
           std::string("encoder.layers.1.self_attention.output.weight"));
  QCOMPARE(from("global.layers.1.feed_forward.layer_norm.bias"),
           std::string("encoder.layers.1.feed_forward.layer_norm.bias"));
  QCOMPARE(from("embedding.global_layer_norm.weight"), std::string("embedding.layer_norm.weight"));
  QCOMPARE(from("mlm.transform.weight"), std::string("mlm.transform.weight"));
  QCOMPARE(taken.kept.size(), std::size_t{8});  // two tables of each stream in each layer
  for (const std::string& name : taken.kept) QVERIFY(name.find(".relation.") != std::string::npos);
  QVERIFY(std::find(taken.unused.begin(), taken.unused.end(), "embedding.position.weight") !=
          taken.unused.end());
  QVERIFY(relations.equal(etc->parameters().value("encoder.layers.1.self_attention.relation.weight")));
  const torch::Tensor segments = etc->parameters().value("embedding.segment.weight");
  QVERIFY(segments.equal(
      bert->parameters().value("embedding.segment.weight").narrow(0, 0, 1).expand_as(segments)));
}

// Shapes agree, what is computed would not.
void TestLifting::refusesAnotherFunction() {
  const std::string from = "model.bert.weights=" + path("bert_none");
  const auto refused = [&](const char* name, const std::vector<std::string>& assignments, const char* word) {
    const RunReport report = train(name, assignments);
    QCOMPARE(report.code, ExitCode::BadInput);
    QVERIFY2(report.error.text().find(word) != std::string::npos, report.error.text().c_str());
  };
  refused("heads", {from, "model.heads=4"}, "model.heads=4");
  refused("residual", {from, "encoder.residual=rezero_post_ln"}, "encoder.residual");
  refused("activation", {from, "model.activation=relu"}, "model.activation");
  refused("width", {from, "model.width=8"}, "token table");
}

void TestLifting::runIsAnEncoder_data() {
  QTest::addColumn<QString>("from");
  QTest::addColumn<QString>("chain");
  QTest::newRow("plain run, plain") << "bert_none"
                                    << "none";
  QTest::newRow("plain run, chain put on") << "bert_none"
                                           << "sum";
  QTest::newRow("RealFormer run, chain kept") << "bert_sum"
                                              << "sum";
  QTest::newRow("RealFormer run, chain left off") << "bert_sum"
                                                  << "none";
}

// Before its first update the new run has the weights that it was given.
void TestLifting::runIsAnEncoder() {
  QFETCH(QString, from);
  QFETCH(QString, chain);
  const std::string run = path(from.toStdString()), name = "from_" + from.toStdString() + chain.toStdString();
  const RunReport trained =
      train(name, {"model.bert.weights=" + run, "encoder.self_attention.score_chain=" + chain.toStdString()});
  QVERIFY2(trained.code == ExitCode::Finished, trained.error.text().c_str());
  const auto given = weights(from.toStdString(), ""), own = weights(name, kInitialWeights);
  QCOMPARE(own.size(), given.size());
  for (const auto& [key, tensor] : own) QVERIFY2(tensor.equal(given.at(key)), key.c_str());
  const Json said = report(name).at("weights");
  QCOMPARE(said.at("from").get<std::string>(), run);
  QCOMPARE(said.at("run").get<std::string>(), RunFolder(run).identity().value().uuid);
  QCOMPARE(said.at("checkpoint").get<std::string>(), std::string("0001-00000006"));
  QVERIFY(said.at("unused").empty());
}

void TestLifting::runIsLifted() {
  const std::string checkpoint = path("bert_sum") + "/checkpoints/0001-00000003";
  const RunReport trained = train(
      "lifted", {"model=etc", "encoder.attention=global_local", "encoder.attention.global_local.radius=3",
                 "model.etc.global_run=8", "mlm.max_length=48", "encoder.self_attention.score_chain=sum",
                 "model.etc.weights=" + checkpoint});
  QVERIFY2(trained.code == ExitCode::Finished, trained.error.text().c_str());
  const auto given = weights("bert_sum", "0001-00000003"), own = weights("lifted", kInitialWeights);
  for (const char* stream : {"encoder", "global"})
    QVERIFY(own.at(std::string(stream) + ".layers.1.self_attention.output.weight")
                .equal(given.at("encoder.layers.1.self_attention.output.weight")));
  const Json all = report("lifted");
  QCOMPARE(all.at("weights").at("checkpoint").get<std::string>(), std::string("0001-00000003"));
  int lifted = 0, relations = 0;
  for (const Json& row : all.at("rows")) {
    const std::string name = row.at("name").get<std::string>();
    if (name == "global.layers.0.self_attention.output.weight") {
      QCOMPARE(row.at("rule").get<std::string>(), std::string("pre-trained weights"));
      QCOMPARE(row.at("source").get<std::string>(),
               std::string("encoder.layers.0.self_attention.output.weight"));
      ++lifted;
    }
    if (name.find(".relation.weight") != std::string::npos) {
      QCOMPARE(row.at("rule").get<std::string>(), std::string("truncated normal"));
      QVERIFY(!row.contains("source"));
      ++relations;
    }
  }
  QCOMPARE(lifted, 1);
  QCOMPARE(relations, 4);
  const std::string table = initTable(all);
  QVERIFY2(table.find("not taken: embedding.position.weight") != std::string::npos, table.c_str());
  QVERIFY(table.find("from\n") != std::string::npos);
}

void TestLifting::etcGoesOnFromEtc() {
  const std::vector<std::string> etc = {"model=etc", "encoder.attention=global_local",
                                        "encoder.attention.global_local.radius=3", "model.etc.global_run=8",
                                        "mlm.max_length=48"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), etc.begin(), etc.end());
    return more;
  };
  QCOMPARE(train("etc", etc).code, ExitCode::Finished);
  const RunReport again = train("etc_again", with({"model.etc.weights=" + path("etc")}));
  QVERIFY2(again.code == ExitCode::Finished, again.error.text().c_str());
  const auto given = weights("etc", ""), own = weights("etc_again", kInitialWeights);
  for (const auto& [key, tensor] : own) QVERIFY2(tensor.equal(given.at(key)), key.c_str());
  const RunReport other = train(
      "etc_other", with({"model.etc.weights=" + path("etc"), "encoder.attention.global_local.distance=5"}));
  QCOMPARE(other.code, ExitCode::BadInput);
  QVERIFY2(other.error.text().find("distance=5") != std::string::npos, other.error.text().c_str());
  const RunReport plain = train("bert_of_etc", {"model.bert.weights=" + path("etc")});
  QCOMPARE(plain.code, ExitCode::BadInput);
  QVERIFY2(plain.error.text().find("ETC") != std::string::npos, plain.error.text().c_str());
}

void TestLifting::refusesRunsThatAreNoEncoder() {
  const auto refusal = [&](const std::string& folder) {
    const RunReport report = train("refused" + std::to_string(qHash(QString::fromStdString(folder))),
                                   {"model.bert.weights=" + folder});
    return report.code == ExitCode::BadInput ? report.error.text() : std::string();
  };
  std::filesystem::copy(path("bert_none"), path("damaged"), std::filesystem::copy_options::recursive);
  for (const auto& each : std::filesystem::directory_iterator(path("damaged") + "/checkpoints"))
    if (each.is_directory())
      std::ofstream(each.path() / "model.safetensors", std::ios::app | std::ios::binary) << "x";
  QVERIFY(refusal(path("damaged")).find("no usable checkpoint") != std::string::npos);
  QVERIFY(!refusal(path("damaged") + "/checkpoints/0001-00000006").empty());
  std::filesystem::copy(path("bert_none"), path("empty"), std::filesystem::copy_options::recursive);
  std::filesystem::remove_all(path("empty") + "/checkpoints");
  QVERIFY(refusal(path("empty")).find("no usable checkpoint") != std::string::npos);
  QVERIFY(!refusal(path("nowhere")).empty());
  // Settings of another type are a matter of data, never an exception.
  std::filesystem::copy(path("bert_none"), path("odd"), std::filesystem::copy_options::recursive);
  const std::string file = path("odd") + "/attempts/0001/config.json";
  Json config = readJsonFile(file).value();
  for (const char* key : {"model", "model.bert.positions", "model.heads"}) {
    Json odd = config;
    odd["options"][key] = {{"odd", 1}};
    QVERIFY(writeFileAtomically(file, odd.dump()).ok());
    const RunReport report = train(std::string("of_odd_") + key, {"model.bert.weights=" + path("odd")});
    QVERIFY2(report.code == ExitCode::Finished || report.code == ExitCode::BadInput,
             report.error.text().c_str());
  }
}

std::map<std::string, torch::Tensor> TestLifting::weights(const std::string& name,
                                                          const std::string& checkpoint) const {
  StoredRunRequest request;
  request.runPath = path(name);
  request.checkpoint = checkpoint;
  request.inputOnly = true;
  const StoredRun stored = openStoredRun(request).value();
  std::map<std::string, torch::Tensor> all;
  for (auto& [key, tensor] : stored.parts.model->parameters().state()) all.emplace(key, tensor.clone());
  return all;
}

RunReport TestLifting::train(const std::string& name, const std::vector<std::string>& assignments) const {
  TrainRequest request;
  request.runPath = path(name);
  request.watchStandardInput = request.watchSignals = false;
  request.config.name = name;
  request.config.options = {{"task", "mlm"},
                            {"model", "bert"},
                            {"init", "bert"},
                            {"data.train", path("text.txt")},
                            {"mlm.vocabulary.file", path("vocab.txt")},
                            {"mlm.validation_share", 0.2},
                            {"mlm.random_next", 0},
                            {"mlm.max_length", 32},
                            {"mlm.duplicates", 1},
                            {"batch.sequences", 4},
                            {"model.bert.head", "masked_words"},
                            {"model.bert.max_positions", 32},
                            {"model.width", 16},
                            {"model.feed_forward", 32},
                            {"model.heads", 2},
                            {"model.activation", "gelu_erf"},
                            {"encoder.layers", 2},
                            {"lr_schedule", "bert"},
                            {"lr_schedule.warmup", 2},
                            {"lr_schedule.rate", 0.005},
                            {"device", "cpu"},
                            {"threads", 1},
                            {"training.length", "6u"},
                            {"validation.interval", "6u"},
                            {"validation.score_interval", "never"},
                            {"divergence.not_learning_after", 0},
                            {"checkpoint.interval", "3u"},
                            {"checkpoint.keep_last", 10}};
  request.assignments = assignments;
  return trainRun(request);
}

QTEST_APPLESS_MAIN(TestLifting)
#include "tst_lifting.moc"
