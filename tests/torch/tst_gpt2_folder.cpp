// SPDX-License-Identifier: Apache-2.0
// GPT-2 folders as transformers writes and computes them (tests/fixtures/make_gpt2_folder.py): equal logits
// and gradients, every container and naming, the way through our own form into a model and back to the same
// folder; what another function would be is refused by its member.
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>

#include "core/base/files/atomic_file.h"
#include "core/nn/models/causal_model.h"
#include "core/nn/models/word_head.h"
#include "core/nn/pretrained/encoder_folder.h"
#include "core/nn/pretrained/tensor_file.h"
#include "core/tasks/task.h"
#include "tests/torch/support_tensors.h"

using namespace fathom;
using namespace fathom::fixtures;

namespace {

namespace fs = std::filesystem;
using Tensors = std::map<std::string, torch::Tensor>;
const std::string kGpt2Fixture = FATHOM_SOURCE_DIR "/tests/fixtures/encoders/gpt2/";
constexpr std::int64_t kEnd = 300;  // <|endoftext|>

Tensors expectedTensors() {
  static const Tensors all = fathom::readTensors(kGpt2Fixture + "expected.safetensors").value();
  return all;
}

std::unique_ptr<Model> modelOf(const EncoderWeights& weights, torch::ScalarType type) {
  OptionValues options = engineOptions();
  options.merge(weights.options, "test").value();
  auto model = buildModel(options, ModelInputs{{"vocabulary", weights.vocabulary}, {"pad_id", 0}},
                          torch::TensorOptions(type))
                   .value();
  loadEncoderWeights(*model, weights).value();
  return model;
}

torch::Tensor logitsOf(const Model& model, const torch::Tensor& ids) {
  const auto& causal = dynamic_cast<const CausalModel&>(model);
  return at::linear(causal.hidden({ids, {}, {}}, {}), causal.head<NextWordHead>().weight());
}

// The names in a layer, told apart from the reader's own table: theirs, ours, joined by columns.
struct Named {
  const char* theirs;
  std::vector<const char*> ours;
  bool map;
};
const std::vector<Named> kNamed = {
    {"ln_1", {"self_attention.layer_norm"}, false},
    {"attn.c_attn", {"self_attention.query", "self_attention.key", "self_attention.value"}, true},
    {"attn.c_proj", {"self_attention.output"}, true},
    {"ln_2", {"feed_forward.layer_norm"}, false},
    {"mlp.c_fc", {"feed_forward.input"}, true},
    {"mlp.c_proj", {"feed_forward.output"}, true}};

// What `of` gives for our names, under theirs and as they lay it out.
Tensors asTheirs(std::int64_t layers, const std::function<torch::Tensor(const std::string&)>& of) {
  Tensors all = {{"transformer.wte.weight", of("embedding.token.weight")},
                 {"transformer.wpe.weight", of("embedding.position.weight")},
                 {"transformer.ln_f.weight", of("decoder.layer_norm.weight")},
                 {"transformer.ln_f.bias", of("decoder.layer_norm.bias")}};
  for (std::int64_t layer = 0; layer < layers; ++layer)
    for (const Named& one : kNamed)
      for (const std::string end : {".weight", ".bias"}) {
        std::vector<torch::Tensor> parts;
        for (const char* own : one.ours) {
          const torch::Tensor value = of("decoder.layers." + std::to_string(layer) + "." + own + end);
          parts.push_back(one.map && end == ".weight" ? value.t() : value);
        }
        all["transformer.h." + std::to_string(layer) + "." + one.theirs + end] = at::cat(parts, -1);
      }
  return all;
}

EncoderExport exportOf(const EncoderWeights& weights, const OptionValues& options, bool head = true) {
  return {options,
          ModelInputs{{"vocabulary", weights.vocabulary}, {"pad_id", kEnd}, {"eos_id", kEnd}},
          weights.tensors,
          {},
          head};
}

}  // namespace

class TestGpt2Folder : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void sameLogits_data() {
    QTest::addColumn<QString>("folder");
    QTest::newRow("gelu_new") << "model";
    QTest::newRow("relu") << "relu";
  }
  void sameLogits() {
    QFETCH(const QString, folder);
    const std::string name = folder.toStdString();
    const EncoderWeights weights = readHuggingFaceEncoder(kGpt2Fixture + name).value();
    QVERIFY(weights.causal() && weights.kind == "gpt2" && weights.ignored.empty());
    const Tensors all = expectedTensors();
    const at::NoGradGuard noGrad;
    const auto exact = modelOf(weights, torch::kFloat64), single = modelOf(weights, torch::kFloat32);
    const std::string wide =
        difference(logitsOf(*exact, all.at(name + ":ids")), all.at(name + ":exact"), 1e-10, 0);
    QVERIFY2(wide.empty(), wide.c_str());
    const std::string narrow =
        difference(logitsOf(*single, all.at(name + ":ids")), all.at(name + ":logits"), 1e-5, 0);
    QVERIFY2(narrow.empty(), narrow.c_str());
  }

  void sameGradients() {
    const Tensors all = expectedTensors();
    const auto model = modelOf(readHuggingFaceEncoder(kGpt2Fixture + "model").value(), torch::kFloat64);
    const torch::Tensor& ids = all.at("model:ids");
    const std::int64_t length = ids.size(1);
    const torch::Tensor logits = logitsOf(*model, ids).narrow(1, 0, length - 1);
    const torch::Tensor loss =
        at::cross_entropy_loss(logits.flatten(0, 1), ids.narrow(1, 1, length - 1).flatten());
    QVERIFY(std::abs((loss - all.at("model:loss")).item<double>()) < 1e-10);
    loss.backward();
    const Tensors own =
        asTheirs(2, [&](const std::string& name) { return model->parameters().gradient(name); });
    std::size_t compared = 0;
    for (const auto& [key, gradient] : all) {
      const std::string begin = "model:gradient/";
      if (!key.starts_with(begin)) continue;
      const std::string wrong = difference(own.at(key.substr(begin.size())), gradient, 1e-10, 0);
      QVERIFY2(wrong.empty(), (key + ": " + wrong).c_str());
      ++compared;
    }
    QCOMPARE(compared, own.size());
  }

  // pytorch_model.bin without prefix, with masks of old versions and the tied copy.
  void containersAgree() {
    const EncoderWeights first = readHuggingFaceEncoder(kGpt2Fixture + "model").value();
    const EncoderWeights other = readHuggingFaceEncoder(kGpt2Fixture + "legacy").value();
    QVERIFY(first.options == other.options && other.ignored.empty());
    QCOMPARE(other.tensors.size(), first.tensors.size());
    for (const auto& [name, tensor] : first.tensors)
      QVERIFY2(tensor.equal(other.tensors.at(name)), name.c_str());
  }

  void exportIsTheSameFolder_data() { sameLogits_data(); }
  void exportIsTheSameFolder() {
    QFETCH(const QString, folder);
    const std::string from = kGpt2Fixture + folder.toStdString(), out = place("out " + folder);
    const EncoderWeights weights = readHuggingFaceEncoder(from).value();
    OptionValues options = engineOptions();
    options.merge(weights.options, "test").value();
    const EncoderExport made = exportOf(weights, options);
    writeHuggingFaceEncoder(made, out).value();
    const Tensors theirs = fathom::readTensors(from + "/model.safetensors").value();
    const Tensors ours = fathom::readTensors(out + "/model.safetensors").value();
    QCOMPARE(ours.size(), theirs.size());
    for (const auto& [name, tensor] : theirs)
      QVERIFY2(ours.contains(name) && ours.at(name).equal(tensor), name.c_str());
    const Json config = readJsonFile(out + "/config.json").value();
    const Json wanted = readJsonFile(from + "/config.json").value();
    QVERIFY(config.size() >= 18);
    for (const auto& [key, value] : config.items())
      if (!key.ends_with("os_token_id")) QVERIFY2(wanted.at(key) == value, key.c_str());
    QVERIFY(config.at("eos_token_id") == kEnd && config.at("bos_token_id") == kEnd);
    const EncoderWeights again = readHuggingFaceEncoder(out).value();
    QVERIFY(again.options == weights.options && again.vocabulary == weights.vocabulary);
    for (const auto& [name, tensor] : weights.tensors)
      QVERIFY2(tensor.equal(again.tensors.at(name)), name.c_str());

    const std::string bare = place("bare " + folder);
    writeHuggingFaceEncoder(exportOf(weights, options, false), bare).value();
    QVERIFY(readJsonFile(bare + "/config.json").value().at("architectures") == Json::array({"GPT2Model"}));
    QVERIFY(fathom::readTensors(bare + "/model.safetensors").value().contains("wte.weight"));
    QVERIFY(readHuggingFaceEncoder(bare).value().tensors.size() == weights.tensors.size());
  }

  void otherFunctionsAreNotWritten_data() {
    QTest::addColumn<QString>("assignment");
    QTest::newRow("residual") << "decoder.residual=post_ln";
    QTest::newRow("admin") << "decoder.residual=admin";
    QTest::newRow("chain") << "decoder.self_attention.score_chain=sum";
    QTest::newRow("attention") << "decoder.attention=relation_aware";
    QTest::newRow("model") << "model=encoder_decoder";
  }
  void otherFunctionsAreNotWritten() {
    QFETCH(const QString, assignment);
    const EncoderWeights weights = readHuggingFaceEncoder(kGpt2Fixture + "model").value();
    OptionValues options = engineOptions();
    options.merge(weights.options, "test").value();
    options.setText(assignment.toStdString()).value();
    const std::string out = place("refused " + assignment.section('=', 0, 0));
    const Status written = writeHuggingFaceEncoder(exportOf(weights, options), out);
    QVERIFY(!written.ok() && !fs::exists(out));
    QVERIFY2(written.error().text().find(assignment.toStdString()) != std::string::npos,
             written.error().text().c_str());
  }

  void otherFunctionsAreNotRead_data() {
    QTest::addColumn<QString>("member");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* member, const char* value, const char* said) {
      QTest::addRow("%s=%s", member, value) << member << value << said;
    };
    for (const char* flag : {"scale_attn_by_inverse_layer_idx", "add_cross_attention"})
      row(flag, "true", flag);
    for (const char* flag : {"scale_attn_weights", "tie_word_embeddings"}) row(flag, "false", flag);
    row("scale_attn_weights", "1", "scale_attn_weights");
    row("embd_pdrop", "0.2", "embd_pdrop");
    row("activation_function", "\"swish\"", "swish");
    row("activation_function", "3", "activation_function");
    row("pruned_heads", "{\"0\": [1]}", "pruned_heads");
    row("n_head", "5", "heads");
    row("n_embd", "\"wide\"", "n_embd");
    row("n_embd", "24", "shape");
    row("n_inner", "20", "shape");
    row("n_positions", "25", "wpe.weight");
    row("vocab_size", "300", "wte.weight");
    row("n_layer", "3", "h.2.");
    row("n_layer", "1", "h.1.");
    row("layer_norm_epsilon", "null", "layer_norm_epsilon");
    row("model_type", "\"gpt_neo\"", "gpt_neo");
  }
  void otherFunctionsAreNotRead() {
    QFETCH(const QString, member);
    QFETCH(const QString, value);
    QFETCH(const QString, said);
    const std::string folder = copyOf("model", QString::fromLatin1(QTest::currentDataTag()));
    Json config = readJsonFile(folder + "/config.json").value();
    config[member.toStdString()] = Json::parse(value.toStdString());
    writeFileAtomically(folder + "/config.json", config.dump()).value();
    const auto read = readHuggingFaceEncoder(folder);
    QVERIFY(!read.ok());
    QCOMPARE(read.error().kind, ErrorKind::Data);
    QVERIFY2(read.error().text().find(said.toStdString()) != std::string::npos, read.error().text().c_str());
  }

  void tensorsAreLookedAt() {
    const auto refusedWith = [&](const char* name, const std::string& said,
                                 const std::function<void(Tensors&)>& change) {
      const std::string folder = copyOf("model", QString::fromLatin1(name));
      Tensors tensors = fathom::readTensors(folder + "/model.safetensors").value();
      change(tensors);
      fs::remove(folder + "/model.safetensors");
      fathom::writeTensors(folder + "/model.safetensors", {tensors.begin(), tensors.end()}).value();
      const auto read = readHuggingFaceEncoder(folder);
      if (said.empty()) {
        QVERIFY2(read.ok(), read.ok() ? "" : read.error().text().c_str());
        return;
      }
      QVERIFY(!read.ok());
      QVERIFY2(read.error().text().find(said) != std::string::npos, read.error().text().c_str());
    };
    const std::string table = "transformer.wte.weight", map = "transformer.h.1.mlp.c_fc.weight";
    refusedWith("tied", "", [&](Tensors& all) { all["lm_head.weight"] = all.at(table).clone(); });
    refusedWith("own output", "lm_head.weight",
                [&](Tensors& all) { all["lm_head.weight"] = all.at(table) + 1; });
    refusedWith("missing", map, [&](Tensors& all) { all.erase(map); });
    refusedWith("as Linear", "has shape", [&](Tensors& all) { all[map] = all.at(map).t().contiguous(); });
    refusedWith("not finite", "not finite",
                [&](Tensors& all) { all.at(map)[0][0] = std::numeric_limits<float>::infinity(); });
    refusedWith("whole numbers", "no real numbers",
                [&](Tensors& all) { all[map] = all.at(map).to(torch::kInt32); });
    refusedWith("twice", "two names", [&](Tensors& all) { all["wte.weight"] = all.at(table).clone(); });
    refusedWith("cross attention", "crossattention",
                [&](Tensors& all) { all["transformer.h.0.crossattention.c_attn.bias"] = at::zeros({24}); });
    const std::string folder = copyOf("model", QStringLiteral("head"));
    Tensors tensors = fathom::readTensors(folder + "/model.safetensors").value();
    tensors["score.weight"] = at::zeros({2, 12});
    fs::remove(folder + "/model.safetensors");
    fathom::writeTensors(folder + "/model.safetensors", {tensors.begin(), tensors.end()}).value();
    QCOMPARE(readHuggingFaceEncoder(folder).value().ignored, std::vector<std::string>{"score.weight"});
  }

  // Our own form of it, and the folder as it is, are weights of the model; no other model takes them.
  void weightsOfAModel() {
    const EncoderWeights weights = readHuggingFaceEncoder(kGpt2Fixture + "model").value();
    const std::string own = place(QStringLiteral("own"));
    writeImportedEncoder(weights, {}, own, findTask("causal_lm")->encoderOptions).value();
    const EncoderWeights again = readEncoder(own).value();
    QVERIFY(again.options == weights.options && again.kind == "gpt2");
    const Json written = readJsonFile(own + "/config.json").value().at("options");
    QVERIFY(written.at("task") == "causal_lm" && written.at("model.causal_decoder.weights") == own);
    QVERIFY(written.at("causal_lm.max_length") == 24);
    for (const std::string& folder : {own, kGpt2Fixture + "model", kGpt2Fixture + "legacy"}) {
      OptionValues options = engineOptions();
      options.merge(weights.options, "test").value();
      options.setText("model.causal_decoder.weights=" + folder).value();
      QCOMPARE(pretrainedTokenRows(options, kEnd + 1), kEnd + 1);
      const auto model = buildModel(options, ModelInputs{{"vocabulary", kEnd + 1}, {"pad_id", 0}},
                                    torch::TensorOptions(torch::kFloat32))
                             .value();
      const auto taken = loadPretrained(options, *model).value();
      QVERIFY(taken && taken->kept.empty() && taken->unused.empty());
      for (const auto& [name, tensor] : weights.tensors)
        QVERIFY2(model->parameters().value(name).equal(tensor), name.c_str());
      for (const char* other : {"decoder.residual=post_ln", "model.activation=relu"}) {
        OptionValues changed = options;
        changed.setText(other).value();
        QVERIFY2(!loadPretrained(changed, *model).ok(), other);
      }
      OptionValues bert = engineOptions();
      bert.setText("model=bert").value();
      bert.setText("model.bert.weights=" + folder).value();
      const auto refused = loadPretrained(bert, *model);
      QVERIFY(!refused.ok());
      QVERIFY2(refused.error().text().find("GPT-2") != std::string::npos, refused.error().text().c_str());
    }
  }

 private:
  std::string place(const QString& name) const { return m_place.filePath(name).toStdString(); }
  std::string copyOf(const char* folder, const QString& name) const {
    QString plain = name;
    const std::string to = place("copy " + plain.replace('/', '-').remove('"'));
    fs::create_directories(to);
    for (const char* file : {"config.json", "model.safetensors"}) {
      fs::copy_file(kGpt2Fixture + folder + "/" + file, to + "/" + file);
      fs::permissions(to + "/" + file, fs::perms::owner_write, fs::perm_options::add);
    }
    return to;
  }
  QTemporaryDir m_place;
};

QTEST_APPLESS_MAIN(TestGpt2Folder)
#include "tst_gpt2_folder.moc"
