// SPDX-License-Identifier: Apache-2.0
// Masked-word training from text files to a held-out accuracy.
#include <QTest>
#include <cmath>

#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/base/files/new_folder.h"
#include "core/base/numbers/random_stream.h"
#include "core/engine/engine_verbs.h"
#include "core/init/init_report.h"
#include "core/nn/models/encoder_model.h"
#include "core/nn/pretrained/encoder_folder.h"
#include "core/train/state/stored_run.h"
#include "tests/torch/support_tiny_run.h"

using namespace fathom;
using namespace fathom::test;

namespace {

// 30 documents; each has its own words, so that a second sentence from another one can be told.
std::string corpus() {
  const char* words[] = {"river", "stone", "apple", "cloud", "horse", "light", "paper", "green",
                         "under", "slow",  "quiet", "north", "table", "seven", "rain",  "glass"};
  std::string text;
  RandomStream random(5);
  for (int document = 0; document < 30; ++document) {
    for (int sentence = 0; sentence < 8; ++sentence) {
      for (int w = 0; w < 8; ++w)
        text += std::string(words[(static_cast<std::size_t>(document) % 4) * 4 + random.below(4)]) + " ";
      text += ".\n";
    }
    text += "\n";
  }
  return text;
}

std::string vocabularyText() {
  std::string text = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n.\n";
  for (const char* word : {"river", "stone", "apple", "cloud", "horse", "light", "paper", "green", "under",
                           "slow", "quiet", "north", "table", "seven", "rain", "glass"})
    text += std::string(word) + "\n";
  return text;
}

class TinyMlmRuns {
 public:
  TinyMlmRuns() {
    writeFileAtomically(path("text.txt"), corpus()).value();
    writeFileAtomically(path("vocab.txt"), vocabularyText()).value();
  }
  std::string path(const std::string& name) const { return m_folder.path().toStdString() + "/" + name; }
  RunReport train(const std::string& name, const std::vector<std::string>& assignments = {}) const {
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
                              {"mlm.test_share", 0.1},
                              {"mlm.max_length", 32},
                              {"mlm.duplicates", 2},
                              {"batch.sequences", 8},
                              {"model.bert.max_positions", 32},
                              {"model.width", 16},
                              {"model.feed_forward", 32},
                              {"model.heads", 2},
                              {"model.activation", "gelu_erf"},
                              {"model.attention_dropout", 0.1},
                              {"encoder.layers", 2},
                              {"optimizer", "bert_adamw"},
                              {"optimizer.eps", 1e-6},
                              {"optimizer.beta2", 0.999},
                              {"optimizer.weight_decay", 0.01},
                              {"optimizer.decay_parameters", "maps"},
                              {"clip.rule", "bert"},
                              {"clip.norm", 1.0},
                              {"lr_schedule", "bert"},
                              {"lr_schedule.warmup", 5},
                              {"lr_schedule.rate", 0.005},
                              {"device", "cpu"},
                              {"threads", 1},
                              {"training.length", "20u"},
                              {"validation.interval", "10u"},
                              {"validation.score_interval", "never"},
                              {"divergence.not_learning_after", 0},
                              {"checkpoint.interval", "5u"},
                              {"checkpoint.keep_last", 10}};
    request.assignments = assignments;
    return trainRun(request);
  }
  RunReport resume(const std::string& name, const std::string& checkpoint) const {
    ResumeRequest request;
    request.runPath = path(name);
    request.checkpoint = checkpoint;
    request.watchStandardInput = request.watchSignals = false;
    return resumeRun(request);
  }
  StoredRun open(const std::string& name, bool inputOnly = false) const {
    StoredRunRequest request;
    request.runPath = path(name);
    request.inputOnly = inputOnly;
    return openStoredRun(request).value();
  }

 private:
  QTemporaryDir m_folder;
};

}  // namespace

class TestMlmRun : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void learnsToTellWords() {
    QCOMPARE(m_runs
                 .train("learns", {"training.length=200u", "model.dropout=0", "model.attention_dropout=0",
                                   "encoder.self_attention.score_chain=sum"})
                 .code,
             ExitCode::Finished);
    const auto outcome = RunFolder(m_runs.path("learns")).outcome(1);
    QVERIFY(outcome && outcome->state == RunState::Finished);
    // A model that knows nothing has ln 22 = 3.09 and ln 2 = 0.693.
    const auto score = [&](const char* name) { return outcome->scores.at(name).get<double>(); };
    QVERIFY2(score("valid.nll") < 2.95, outcome->scores.dump().c_str());
    QVERIFY2(score("valid.next_nll") < 0.68, outcome->scores.dump().c_str());
    QVERIFY(score("valid.masked_accuracy") > 0 && score("valid.next_accuracy") > 55);
    const double loss = outcome->scores.at("valid.loss").get<double>();
    QVERIFY(std::abs(loss - outcome->scores.at("valid.nll").get<double>() -
                     outcome->scores.at("valid.next_nll").get<double>()) < 1e-4);
    const auto samples = eventsOfKind(m_runs.path("learns"), 1, "sample");
    QVERIFY(!samples.empty());
    QCOMPARE(undeclaredScalars(m_runs.path("learns")), std::string());
    QVERIFY(samples.back().at("items").at(0).at("masked").get<std::string>().find("[MASK]") !=
            std::string::npos);
  }

  void resumesBitForBit() {
    const std::vector<std::string> options = {"training.accumulation=2",
                                              "encoder.self_attention.score_chain=mean"};
    QCOMPARE(m_runs.train("resumed", options).code, ExitCode::Finished);
    const auto whole = stepLosses(m_runs.path("resumed"), 1);
    QCOMPARE(whole.size(), std::size_t{20});
    QCOMPARE(m_runs.resume("resumed", "0001-00000010").code, ExitCode::Finished);
    const auto rest = stepLosses(m_runs.path("resumed"), 2);
    QCOMPARE(rest.size(), std::size_t{10});
    QVERIFY(std::equal(rest.rbegin(), rest.rend(), whole.rbegin()));
  }

  void mixedPrecisionFollowsFloat32() {
    const std::vector<std::string> calm = {"model.dropout=0", "model.attention_dropout=0",
                                           "training.length=10u"};
    const auto with = [&](std::vector<std::string> more) {
      more.insert(more.end(), calm.begin(), calm.end());
      return more;
    };
    QCOMPARE(m_runs.train("wide", with({})).code, ExitCode::Finished);
    QCOMPARE(m_runs.train("bfloat", with({"precision=bfloat16"})).code, ExitCode::Finished);
    // A scale that overflows at once is halved until gradients fit; those updates are left out and not
    // counted.
    QCOMPARE(
        m_runs.train("half", with({"precision=float16", "loss_scale.initial=1e9", "loss_scale.window=6"}))
            .code,
        ExitCode::Finished);
    const auto steps = [&](const char* name) { return eventsOfKind(m_runs.path(name), 1, "step"); };
    const auto wide = steps("wide"), bfloat = steps("bfloat"), half = steps("half");
    QCOMPARE(wide.size(), std::size_t{10});
    QCOMPARE(bfloat.size(), std::size_t{10});
    QCOMPARE(half.size(), std::size_t{10});
    const auto loss = [](const Json& event) { return event.at("m").at("loss").get<double>(); };
    QVERIFY(std::abs(loss(bfloat[0]) - loss(wide[0])) < 0.05);
    QVERIFY(std::abs(loss(bfloat[9]) - loss(wide[9])) < 0.2);
    QVERIFY(loss(bfloat[0]) != loss(wide[0]));
    const double first = half[0].at("m").at("loss_scale").get<double>();
    QVERIFY2(first < 1e9, std::to_string(first).c_str());
    QCOMPARE(half[9].at("step").get<int>(), 10);
    double largest = 0;
    for (const Json& step : half) largest = std::max(largest, step.at("m").at("loss_scale").get<double>());
    QVERIFY(largest > first);  // grows again after the window
    QVERIFY(std::isfinite(loss(half[9])));
  }

  void float16ResumesBitForBit() {
    QCOMPARE(
        m_runs.train("half_resumed", {"precision=float16", "loss_scale.initial=1e7", "loss_scale.window=4"})
            .code,
        ExitCode::Finished);
    const auto whole = stepLosses(m_runs.path("half_resumed"), 1);
    QCOMPARE(m_runs.resume("half_resumed", "0001-00000010").code, ExitCode::Finished);
    const auto rest = stepLosses(m_runs.path("half_resumed"), 2);
    QCOMPARE(rest.size(), std::size_t{10});
    QVERIFY(std::equal(rest.rbegin(), rest.rend(), whole.rbegin()));
  }

  void averagedWeightsAreValidatedAndKept() {
    QCOMPARE(m_runs.train("averaged", {"optimizer.average_decay=0.9", "validation.interval=20u"}).code,
             ExitCode::Finished);
    QCOMPARE(m_runs.train("last", {"validation.interval=20u"}).code, ExitCode::Finished);
    QVERIFY(stepLosses(m_runs.path("averaged"), 1) == stepLosses(m_runs.path("last"), 1));
    const auto outcome = RunFolder(m_runs.path("averaged")).outcome(1);
    const StoredRun stored = m_runs.open("averaged");
    EvaluationRequest request;
    request.predictions = false;
    request.decoding = "validation";
    const Evaluation again =
        stored.parts.objective->evaluate(*stored.parts.model, *stored.parts.task, request);
    QVERIFY(std::abs(again.nll - outcome->scores.at("valid.nll").get<double>()) < 1e-12);
    const auto other = RunFolder(m_runs.path("last")).outcome(1);
    QVERIFY(std::abs(again.nll - other->scores.at("valid.nll").get<double>()) > 1e-6);
  }

  void rowsInGroupsGiveTheSameStep() {
    const std::vector<std::string> options = {"precision=float64", "model.dropout=0",
                                              "model.attention_dropout=0", "mlm.short_share=1",
                                              "training.length=6u"};
    auto grouped = options, threaded = options;
    grouped.push_back("model.bert.row_groups=3");
    threaded.push_back("threads=2");
    QCOMPARE(m_runs.train("plain", options).code, ExitCode::Finished);
    QCOMPARE(m_runs.train("grouped", grouped).code, ExitCode::Finished);
    QCOMPARE(m_runs.train("threaded", threaded).code, ExitCode::Finished);
    const auto plain = eventsOfKind(m_runs.path("plain"), 1, "step");
    for (const char* other : {"grouped", "threaded"}) {
      const auto steps = eventsOfKind(m_runs.path(other), 1, "step");
      QCOMPARE(steps.size(), plain.size());
      for (std::size_t i = 0; i < plain.size(); ++i) {
        for (const char* value : {"loss", "grad_norm"}) {
          const double a = plain[i].at("m").at(value).get<double>(),
                       b = steps[i].at("m").at(value).get<double>();
          QVERIFY2(std::abs(a - b) <= 1e-9 * std::abs(a), other);
        }
      }
    }
  }

  void extraLayersStartFromAnEncoder() {
    QCOMPARE(m_runs.train("encoder", {"training.length=10u"}).code, ExitCode::Finished);
    const StoredRun stored = m_runs.open("encoder", true);
    std::map<std::string, torch::Tensor> tensors;
    for (auto& [name, tensor] : stored.parts.model->parameters().state()) tensors.emplace(name, tensor);
    const std::string folder = m_runs.path("exported");
    writeHuggingFaceEncoder({stored.options,
                             {{"vocabulary", 22}, {"pad_id", 0}, {"lower_case", 1}},
                             tensors,
                             stored.parts.task->artifacts()},
                            folder)
        .value();
    const std::vector<std::string> extra = {"model=extra_layers",
                                            "model.bert.weights=" + folder,
                                            "extra.layers=2",
                                            "extra.residual=unnormalised",
                                            "model.extra_layers.heads=2",
                                            "model.extra_layers.feed_forward=24",
                                            "init=dt_fixup",
                                            "optimizer.rate_groups=encoder.=0,embedding.=0",
                                            "optimizer.weight_decay=0",
                                            "training.length=8u"};
    const RunReport trained = m_runs.train("extra", extra);
    QVERIFY2(trained.code == ExitCode::Finished, trained.error.text().c_str());
    const Json details =
        readJsonFile(RunFolder(m_runs.path("extra")).attemptPath(1) + "/details.json").value();
    const Json& mu = details.at("initialisation").at("profile").at(0);
    QCOMPARE(mu.at("rule").get<std::string>(), std::string("mu"));
    const double value = mu.at("value").get<double>();
    QVERIFY(value > 1 && value < 50);
    QVERIFY(std::abs(mu.at("factor").get<double>() - 1 / (2 * value * std::sqrt(2.0))) < 1e-12);
    int rows = 0;
    for (const Json& row : details.at("initialisation").at("rows")) {
      const std::string name = row.at("name").get<std::string>();
      if (name == "encoder.layers.0.self_attention.query.weight") {
        QCOMPARE(row.at("rule").get<std::string>(), std::string("pre-trained weights"));
        ++rows;
      } else if (name == "extra.layers.0.self_attention.value.weight") {
        QVERIFY(std::abs(row.at("factor").get<double>() - mu.at("factor").get<double>()) < 1e-12);
        ++rows;
      }
    }
    QCOMPARE(rows, 2);
    QVERIFY(initTable(details.at("initialisation")).find("extra input") != std::string::npos);
    // Rate 0: the encoder still holds the weights it was given.
    const StoredRun after = m_runs.open("extra", true);
    QVERIFY(after.parts.model->parameters()
                .value("encoder.layers.1.feed_forward.input.weight")
                .equal(tensors.at("encoder.layers.1.feed_forward.input.weight")));
    const RunReport other = m_runs.train("narrow", {"model.bert.weights=" + folder, "model.width=8"});
    QCOMPARE(other.code, ExitCode::BadInput);
    QVERIFY2(other.error.text().find("token table") != std::string::npos, other.error.text().c_str());
  }

  // A run of any scheme is an encoder to go on with, without an export between.
  void aRunIsAnEncoder() {
    QCOMPARE(m_runs.train("pre", {"encoder.residual=pre_ln", "training.length=10u"}).code,
             ExitCode::Finished);
    const RunReport next =
        m_runs.train("next", {"encoder.residual=pre_ln", "model.bert.weights=" + m_runs.path("pre"),
                              "optimizer.rate_groups=encoder.=0,embedding.=0", "optimizer.weight_decay=0",
                              "seed=7", "training.length=10u"});
    QVERIFY2(next.code == ExitCode::Finished, next.error.text().c_str());
    const StoredRun first = m_runs.open("pre", true), second = m_runs.open("next", true);
    for (const char* name : {"embedding.token.weight", "encoder.layers.1.feed_forward.input.weight"})
      QVERIFY2(
          second.parts.model->parameters().value(name).equal(first.parts.model->parameters().value(name)),
          name);
    const std::string empty = m_runs.path("empty");
    RunIdentity identity;
    identity.uuid = makeUuid();
    identity.name = "empty";
    QVERIFY(RunFolder::create(empty, identity).ok());
    const RunReport none = m_runs.train("none", {"model.bert.weights=" + empty});
    QCOMPARE(none.code, ExitCode::BadInput);
    QVERIFY2(none.error.text().find("never started") != std::string::npos, none.error.text().c_str());
  }

  void adminIsFoldedAndExported() {
    QCOMPARE(
        m_runs.train("admin", {"encoder.residual=admin", "init=admin_profile", "training.length=10u"}).code,
        ExitCode::Finished);
    // transformers has no omega: fold first. Nothing is left behind.
    QVERIFY_THROWS_EXCEPTION(Failure,
                             exportEncoderVerb({m_runs.path("admin"), "", m_runs.path("plain_export")}));
    QVERIFY(!QFile::exists(QString::fromStdString(m_runs.path("plain_export"))));
    QCOMPARE(foldAdminVerb({m_runs.path("admin"), "", m_runs.path("folded")}), ExitCode::Finished);
    const EncoderWeights folded = readHuggingFaceEncoder(m_runs.path("folded")).value();
    const StoredRun stored = m_runs.open("admin");
    OptionValues options = stored.options;
    options.merge(folded.options, "folded").value();
    options.setText("init=bert").value();
    QCOMPARE(options.text("encoder.residual"), std::string("post_ln"));
    const ModelInputs inputs = ModelInputs::ofVocabulary(folded.vocabulary);
    const auto plain = buildModel(options, inputs, torch::TensorOptions(torch::kFloat32)).value();
    loadEncoderWeights(*plain, folded).value();
    const torch::Tensor omega = stored.parts.model->parameters().value("encoder.layers.1.feed_forward.omega");
    QVERIFY(omega.sub(1).abs().min().item<double>() > 0.01);  // something is folded
    const DeviceBatch batch = toDevice(stored.parts.task->makeBatch(DataSplit::Validation, 0), torch::kCPU);
    const torch::Tensor lengths = batch.array("lengths");
    const TextBatch text{batch.array("tokens"), batch.array("segments"),
                         at::arange(batch.array("tokens").size(1)).unsqueeze(0).ge(lengths.unsqueeze(1))};
    const auto logits = [&](const Model& model) {
      const auto& encoder = dynamic_cast<const EncoderModel&>(model);
      const torch::Tensor rows =
          encoder.maskedHidden(encoder.hidden(text, {}), batch.array("masked_positions"));
      return at::linear(rows, encoder.maskedWeight(), encoder.maskedBias());
    };
    const at::NoGradGuard noGrad;
    QVERIFY((logits(*plain) - logits(*stored.parts.model)).abs().max().item<double>() < 1e-5);
    // A second export never writes over the first; a Post-LN run has nothing to fold.
    QVERIFY(!makeNewFolder(m_runs.path("folded"), [](const std::string&) { return Status(); }).ok());
    QVERIFY(QFile::exists(QString::fromStdString(m_runs.path("folded")) + "/vocab.txt"));
  }

  void lossIsTheReleasedOne() {
    // sum w nll / (sum w + 1e-5) + mean next-sentence nll, from logits of the whole batch.
    QCOMPARE(m_runs.train("loss", {"training.length=2u", "lr_schedule.warmup=0", "precision=float64"}).code,
             ExitCode::Finished);
    const StoredRun stored = m_runs.open("loss");
    const DeviceBatch batch = toDevice(stored.parts.task->makeBatch(DataSplit::Train, 0), torch::kCPU);
    const auto& model = dynamic_cast<const EncoderModel&>(*stored.parts.model);
    const LossTerms terms = stored.parts.objective->forward(model, batch, {});
    const torch::Tensor& lengths = batch.array("lengths");
    TextBatch text{batch.array("tokens"), batch.array("segments"),
                   at::arange(batch.array("tokens").size(1)).unsqueeze(0).ge(lengths.unsqueeze(1))};
    const torch::Tensor hidden = model.hidden(text, {});
    const torch::Tensor logits = at::linear(model.maskedHidden(hidden, batch.array("masked_positions")),
                                            model.maskedWeight(), model.maskedBias());
    const torch::Tensor masked =
        at::cross_entropy_loss(logits, batch.array("masked_labels"), {}, at::Reduction::Sum);
    const torch::Tensor next =
        at::cross_entropy_loss(model.nextSentenceLogits(model.pooled(hidden)), batch.array("next_labels"));
    const auto count = static_cast<double>(batch.targetUnits);
    const double expected = masked.item<double>() / (count + 1e-5) + next.item<double>();
    QVERIFY(std::abs(terms.loss.item<double>() / count - expected) < 1e-9);
    // The bias of the tied output gets its gradient through the chunked loss.
    terms.loss.backward();
    const torch::Tensor chunked = stored.parts.model->parameters().gradient("mlm.bias").clone();
    const torch::Tensor direct =
        at::softmax(logits, 1).sum(0) - at::bincount(batch.array("masked_labels"), {}, logits.size(1));
    QVERIFY((chunked - direct.detach() * (count / (count + 1e-5))).abs().max().item<double>() < 1e-9);
  }

  void fillsMaskedWordsOfText() {
    QCOMPARE(m_runs.train("filled", {"training.length=3u", "lr_schedule.warmup=0"}).code, ExitCode::Finished);
    const StoredRun stored = m_runs.open("filled", true);
    const std::vector<std::string> lines = {"river [MASK] apple [MASK]", "no hole here"};
    std::vector<Prediction> predictions;
    const std::vector<HostBatch> batches = stored.parts.task->batchesFromText(lines).value();
    for (const HostBatch& batch : batches) {
      for (Prediction& one :
           stored.parts.objective->predict(*stored.parts.model, toDevice(batch, torch::kCPU), "predict", {}))
        predictions.push_back(std::move(one));
    }
    QCOMPARE(predictions.size(), std::size_t{2});
    QCOMPARE(predictions[0].ids.size(), std::size_t{3});
    QCOMPARE(predictions[1].ids.size(), std::size_t{1});
    QVERIFY(predictions[0].score < 0 && predictions[1].score == 0);
  }

  void refusals() {
    const auto says = [&](const char* name, const std::vector<std::string>& options, const char* word) {
      const RunReport report = m_runs.train(name, options);
      QCOMPARE(report.code, ExitCode::BadInput);
      QVERIFY2(report.error.text().find(word) != std::string::npos, report.error.text().c_str());
    };
    says("translator", {"model=encoder_decoder"}, "choose BERT");
    says("headless", {"model.bert.head=span"}, "head");
    says("one_segment", {"model.bert.segments=1"}, "segment");
    says("short_table", {"model.bert.max_positions=8"}, "position table");
    QVERIFY(writeFileAtomically(m_runs.path("single.txt"), "river stone .\n").ok());
    says("single", {"data.train=" + m_runs.path("single.txt")}, "two are needed");
    QVERIFY(writeFileAtomically(m_runs.path("empty.txt"), "").ok());
    says("empty", {"data.train=" + m_runs.path("empty.txt")}, "empty.txt");
    // Refused before anything is trained, not at the first validation.
    says("unjudged", {"mlm.validation_share=0"}, "every run is validated");
    QVERIFY(eventsOfKind(m_runs.path("unjudged"), 1, "step").empty());
    QCOMPARE(RunFolder(m_runs.path("unjudged")).outcome(1)->step, 0);
  }

 private:
  TinyMlmRuns m_runs;
};

QTEST_GUILESS_MAIN(TestMlmRun)
#include "tst_mlm_run.moc"
