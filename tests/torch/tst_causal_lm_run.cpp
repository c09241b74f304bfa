// SPDX-License-Identifier: Apache-2.0
// A causal language model: no place sees a later one, token by token gives what the whole text gives, a run
// learns its text and is evaluated again with the same numbers, drawn texts are functions of their seed.
#include <QTest>
#include <cmath>

#include "core/base/files/atomic_file.h"
#include "core/base/numbers/random_stream.h"
#include "core/nn/models/causal_model.h"
#include "core/nn/models/word_head.h"
#include "core/objectives/token_sampling.h"
#include "core/tasks/task.h"
#include "core/train/parts/run_options.h"
#include "core/train/state/stored_run.h"
#include "tests/torch/support_tiny_run.h"

using namespace fathom;

namespace {

OptionValues causalOptions(const std::string& residual, const std::string& chain) {
  OptionValues options{OptionSchema(nnOptionFields(), nnOptionRules())};
  options
      .merge({{"model", "causal_decoder"},
              {"model.width", 16},
              {"model.heads", 2},
              {"model.feed_forward", 32},
              {"decoder.layers", 3},
              {"decoder.residual", residual},
              {"decoder.self_attention.score_chain", chain},
              {"model.causal_decoder.max_positions", 12}},
             "test")
      .value();
  return options;
}

// Values that depend on the names alone.
std::unique_ptr<Model> filledModel(const OptionValues& options) {
  auto model =
      buildModel(options, ModelInputs::ofVocabulary(11), torch::TensorOptions(torch::kFloat64)).value();
  const at::NoGradGuard noGrad;
  for (const Parameter& parameter : model->parameters().parameters()) {
    torch::Tensor value = model->parameters().value(parameter);
    if (parameter.info.role == ParameterRole::NormWeight || parameter.info.role == ParameterRole::Scheme)
      continue;
    RandomStream stream(streamSeed(1, parameter.info.name));
    torch::Tensor drawn = at::empty(value.sizes(), torch::kFloat64);
    auto* place = drawn.mutable_data_ptr<double>();
    for (std::int64_t i = 0; i < drawn.numel(); ++i) place[i] = 0.3 * stream.normal();
    value.copy_(drawn);
  }
  return model;
}

torch::Tensor someTokens() {
  return at::tensor({1, 4, 9, 2, 7, 3, 5, 10, 8, 6}, torch::kInt64).view({2, 5});
}

Json counting(const std::string& folder) {
  std::string text;
  for (int i = 0; i < 60; ++i) text += "one two three four five six seven eight\n\n";
  writeFileAtomically(folder + "/text.txt", text).value();
  return {{"task", "causal_lm"},
          {"data.train", folder + "/text.txt"},
          {"data.validation", folder + "/text.txt"},
          {"causal_lm.vocabulary.size", 40},
          {"causal_lm.max_length", 24},
          {"causal_lm.sequences", 8},
          {"model", "causal_decoder"},
          {"model.width", 32},
          {"model.heads", 2},
          {"model.feed_forward", 64},
          {"model.dropout", 0},
          {"model.attention_dropout", 0},
          {"decoder.layers", 2},
          {"decoder.residual", "pre_ln"},
          {"model.causal_decoder.max_positions", 40},
          {"init", "bert"},
          {"optimizer", "adam"},
          {"lr_schedule", "constant"},
          {"lr_schedule.rate", 0.005},
          {"lr_schedule.warmup", 0},
          {"device", "cpu"},
          {"threads", 1},
          {"training.length", "40e"},
          {"validation.interval", "20e"},
          {"validation.score_interval", "20e"},
          {"checkpoint.interval", "20e"}};
}

Prediction writtenOn(const StoredRun& stored, const std::vector<std::string>& set, const std::string& text) {
  OptionValues options = stored.options;
  for (const std::string& assignment : set) options.setText(assignment).value();
  const auto objective = objectiveForTask("causal_lm")->make(options, *stored.parts.task);
  const std::vector<std::string> lines = {text};
  const auto batches = stored.parts.task->batchesFromText(lines).value();
  auto predictions =
      objective->predict(*stored.parts.model, toDevice(batches[0], torch::kCPU), "predict", {});
  stored.parts.task->complete(predictions);
  return predictions.at(0);
}

}  // namespace

class TestCausalLmRun : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void noPlaceSeesALaterOne_data() {
    QTest::addColumn<QString>("residual");
    QTest::addColumn<QString>("chain");
    QTest::newRow("pre_ln") << "pre_ln"
                            << "none";
    QTest::newRow("post_ln, scores added up") << "post_ln"
                                              << "sum";
    QTest::newRow("admin") << "admin"
                           << "none";
  }

  void noPlaceSeesALaterOne() {
    QFETCH(const QString, residual);
    QFETCH(const QString, chain);
    const torch::NoGradGuard noGrad;
    const auto model = filledModel(causalOptions(residual.toStdString(), chain.toStdString()));
    const auto& causal = dynamic_cast<const CausalModel&>(*model);
    const torch::Tensor tokens = someTokens(), whole = causal.hidden({tokens, {}, {}}, {});
    torch::Tensor changed = tokens.clone();
    changed.select(1, 3).fill_(1);
    const torch::Tensor other = causal.hidden({changed, {}, {}}, {});
    QVERIFY((whole - other).narrow(1, 0, 3).abs().max().item<double>() == 0);
    QVERIFY((whole - other).select(1, 4).abs().max().item<double>() > 1e-6);
    DecodeState state = causal.beginText(2);
    for (std::int64_t t = 0; t < tokens.size(1); ++t) {
      const torch::Tensor one = causal.readToken(state, tokens.select(1, t).contiguous());
      QVERIFY((one - whole.select(1, t)).abs().max().item<double>() < 1e-12);
    }
  }

  void aTextThatIsTooLongIsRefused() {
    const auto model = filledModel(causalOptions("pre_ln", "none"));
    const auto& causal = dynamic_cast<const CausalModel&>(*model);
    QVERIFY_THROWS_EXCEPTION(Failure, causal.hidden({at::zeros({1, 13}, torch::kInt64), {}, {}}, {}));
  }

  void tokensAreDrawnFromTheLikeliest() {
    const std::vector<double> logits = {0.0, 2.0, 1.0, -1.0};
    const double all = std::log(1 + std::exp(2.0) + std::exp(1.0) + std::exp(-1.0));
    QCOMPARE(drawToken(logits, {.temperature = 0}, .99).token, std::int64_t{1});
    QVERIFY(std::abs(drawToken(logits, {.temperature = 0}, 0).logP - (2.0 - all)) < 1e-12);
    QCOMPARE(drawToken(logits, {}, .999).token, std::int64_t{3});
    QCOMPARE(drawToken(logits, {.topK = 2}, .999).token, std::int64_t{2});
    QCOMPARE(drawToken(logits, {.topP = .5}, .999).token, std::int64_t{1});
    QCOMPARE(drawToken(logits, {.temperature = 100}, .3).token, std::int64_t{2});
    // Shares of drawn tokens are those of the softmax.
    std::vector<int> counts(4);
    constexpr int kDraws = 20000;
    RandomStream stream(7);
    for (int i = 0; i < kDraws; ++i)
      ++counts[static_cast<std::size_t>(drawToken(logits, {}, stream.uniform()).token)];
    for (std::size_t t = 0; t < logits.size(); ++t)
      QVERIFY(std::abs(counts[t] / double(kDraws) - std::exp(logits[t] - all)) < .015);
  }

  void learnsAndWrites() {
    const QTemporaryDir folder;
    const std::string path = (folder.path() + "/run").toStdString();
    TrainRequest request;
    request.runPath = path;
    request.watchStandardInput = request.watchSignals = false;
    request.config.name = "counting";
    request.config.options = counting(folder.path().toStdString());
    const RunReport report = trainRun(request);
    QVERIFY2(report.code == ExitCode::Finished, report.error.text().c_str());
    const Json first = test::eventsOfKind(path, 1, "validation").front().at("m");
    const Json last = test::eventsOfKind(path, 1, "validation").back().at("m");
    const double ppl = last.at("valid.ppl").get<double>();
    QVERIFY2(ppl < 1.2 && ppl >= 1, qPrintable(QString::number(ppl)));
    QVERIFY(ppl <= first.at("valid.ppl").get<double>());
    QVERIFY(std::abs(ppl - std::exp(last.at("valid.nll").get<double>())) < 1e-9);
    QVERIFY(last.at("valid.token_accuracy").get<double>() > 95);

    const StoredRun stored = openStoredRun({path, "", {}, false, nullptr, {}}).value();
    const Evaluation again = stored.parts.objective->evaluate(
        *stored.parts.model, *stored.parts.task, {.split = DataSplit::Validation, .decoding = "predict"});
    QVERIFY(std::abs(again.nll - last.at("valid.nll").get<double>()) < 1e-9);

    const Prediction greedy = writtenOn(stored, {"predict.temperature=0"}, "one two three");
    QCOMPARE(greedy.text, std::string("four five six seven eight"));
    QCOMPARE(writtenOn(stored, {"predict.top_k=1"}, "one two three").text, greedy.text);
    QCOMPARE(writtenOn(stored, {"predict.temperature=0", "predict.new_tokens=2"}, "one two three").ids.size(),
             std::size_t{2});
    const std::vector<std::string> hot = {"predict.temperature=5", "predict.sampling_seed=3"};
    QCOMPARE(writtenOn(stored, hot, "one").text, writtenOn(stored, hot, "one").text);
    QVERIFY(writtenOn(stored, hot, "one").text !=
            writtenOn(stored, {"predict.temperature=5", "predict.sampling_seed=4"}, "one").text);
    const Prediction full = writtenOn(
        stored, {"predict.temperature=5", "predict.new_tokens=1000", "predict.sampling_seed=5"}, "one");
    QVERIFY(full.ids.size() <= 40);
  }

  void anEncoderIsRefused() {
    const QTemporaryDir folder;
    RunConfig config;
    config.options = counting(folder.path().toStdString());
    config.options["model"] = "bert";
    const auto options = runOptions(config, "test", {});
    QVERIFY(!options.ok());
    QVERIFY2(options.error().text().find("no later token") != std::string::npos,
             options.error().text().c_str());
  }
};

QTEST_APPLESS_MAIN(TestCausalLmRun)
#include "tst_causal_lm_run.moc"
