// SPDX-License-Identifier: Apache-2.0
// Runs of the reading tasks: each learns its small data, reports what it declares and is evaluated again with
// the same numbers; a frozen encoder gives the same losses with and without what is kept of it.
#include <QTest>

#include "core/base/files/atomic_file.h"
#include "core/objectives/encoded_text_objective.h"
#include "core/train/parts/run_options.h"
#include "core/train/parts/run_parts.h"
#include "core/train/state/stored_run.h"
#include "tests/torch/support_tiny_run.h"

using namespace fathom;

namespace {

constexpr const char* kPieces =
    "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\ntide\nis\nhigh\nlow\nferry\nruns\nwaits\nwhen\nwhat\n?\nbay\n";

class Trainings {
 public:
  Trainings() {
    put("vocab.txt", kPieces);
    std::string table = "index\tsentence1\tsentence2\tlabel\n", sentences;
    Json questions = Json::array(), choices = Json::array(), paragraphs = Json::array();
    for (int i = 0; i < 24; ++i) {
      const std::string tide = i % 2 == 0 ? "high" : "low", ferry = i % 2 == 0 ? "runs" : "waits";
      table += std::to_string(i) + "\tthe tide is " + tide + "\tthe ferry runs\t" +
               (i % 2 == 0 ? "entailment" : "not_entailment") + "\n";
      const std::string context = (i % 3 == 0 ? "the bay is low the tide is " : "the tide is ") + tide;
      paragraphs.push_back(
          {{"context", context},
           {"qas",
            Json::array({{{"id", "q" + std::to_string(i)},
                          {"question", "what is the tide ?"},
                          {"answers", Json::array({{{"text", tide},
                                                    {"answer_start", context.size() - tide.size()}}})}}})}});
      choices.push_back({{"context", "the tide is " + tide},
                         {"question", "the ferry"},
                         {"answers", {"runs", "waits"}},
                         {"label", i % 2},
                         {"id_string", std::to_string(i)}});
    }
    put("glue.tsv", table);
    put("squad.json", Json{{"data", Json::array({{{"paragraphs", paragraphs}}})}}.dump());
    put("reclor.json", choices.dump());
  }
  std::string path(const std::string& name) const { return (m_folder.path() + "/").toStdString() + name; }

  RunConfig config(const std::string& task, const Json& more) const {
    const std::string file = path(task == "glue" ? "glue.tsv" : task + ".json");
    RunConfig made;
    made.name = task;
    made.options = {{"task", task},
                    {"data.train", file},
                    {"data.validation", file},
                    {"text.vocabulary.file", path("vocab.txt")},
                    {"batch.examples", 8},
                    {"model", "bert"},
                    {"model.width", 16},
                    {"model.heads", 2},
                    {"model.feed_forward", 32},
                    {"encoder.layers", 2},
                    {"model.dropout", 0},
                    {"model.attention_dropout", 0},
                    {"model.bert.max_positions", 40},
                    {"model.bert.classes", 0},
                    {"init", "xavier"},
                    {"optimizer", "adam"},
                    {"lr_schedule", "constant"},
                    {"lr_schedule.rate", 0.005},
                    {"lr_schedule.warmup", 0},
                    {"lr_schedule.warmup_share", 0.1},
                    {"device", "cpu"},
                    {"threads", 1},
                    {"training.length", "20e"},
                    {"validation.interval", "10e"},
                    {"validation.score_interval", "10e"},
                    {"checkpoint.interval", "10e"}};
    if (task == "glue") made.options.update({{"glue.task", "rte"}, {"glue.max_length", 16}});
    if (task == "reclor") made.options["reclor.max_length"] = 24;
    if (task == "squad")
      made.options.update({{"squad.max_length", 24},
                           {"squad.max_query", 8},
                           {"squad.stride", 4},
                           {"squad.positions", "real"}});
    made.options["model.bert.head"] = task == "glue"    ? "classification"
                                      : task == "squad" ? "span"
                                                        : "multiple_choice";
    made.options.update(more);
    return made;
  }

  RunReport train(const std::string& name, const std::string& task, const Json& more = Json::object()) const {
    TrainRequest request;
    request.runPath = path(name);
    request.watchStandardInput = request.watchSignals = false;
    request.config = config(task, more);
    return trainRun(request);
  }

 private:
  void put(const std::string& name, const std::string& text) const {
    writeFileAtomically(path(name), text).value();
  }
  QTemporaryDir m_folder;
};

double lastScore(const std::string& runPath, const std::string& id) {
  return test::eventsOfKind(runPath, 1, "validation").back().at("m").at(id).get<double>();
}

}  // namespace

class TestFineTuningRun : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void learns_data() {
    QTest::addColumn<QString>("task");
    QTest::addColumn<QString>("score");
    QTest::addColumn<bool>("realformer");
    QTest::newRow("glue") << "glue"
                          << "valid.accuracy" << false;
    QTest::newRow("glue, scores added up") << "glue"
                                           << "valid.accuracy" << true;
    QTest::newRow("squad") << "squad"
                           << "valid.exact" << false;
    QTest::newRow("reclor") << "reclor"
                            << "valid.accuracy" << false;
  }

  void learns() {
    QFETCH(const QString, task);
    QFETCH(const QString, score);
    QFETCH(const bool, realformer);
    Json more = Json::object();
    if (realformer) more["encoder.self_attention.score_chain"] = "sum";
    const RunReport report = m_runs.train(QTest::currentDataTag(), task.toStdString(), more);
    QVERIFY2(report.code == ExitCode::Finished, report.error.text().c_str());
    const std::string path = m_runs.path(QTest::currentDataTag());
    QVERIFY2(lastScore(path, score.toStdString()) > 95,
             std::to_string(lastScore(path, score.toStdString())).c_str());
    QCOMPARE(test::undeclaredScalars(path), std::string());
    const StoredRun stored = openStoredRun({path, "", {}, false, nullptr, {}}).value();
    EvaluationRequest request;
    request.decoding = "predict";
    const Evaluation again =
        stored.parts.objective->evaluate(*stored.parts.model, *stored.parts.task, request);
    QCOMPARE(again.values.front().second, lastScore(path, "valid.loss"));
    QCOMPARE(again.predictions.size(),
             static_cast<std::size_t>(stored.parts.task->exampleCount(DataSplit::Validation)));
  }

  // Without the data, from what the run kept.
  void freeInput() {
    const StoredRun stored = openStoredRun({m_runs.path("glue"), "", {}, true, nullptr, {}}).value();
    const std::vector<std::string> lines = {"the tide is high\tthe ferry runs",
                                            "the tide is low\tthe ferry runs"};
    std::vector<std::string> texts(2);
    for (const HostBatch& batch : stored.parts.task->batchesFromText(lines).value()) {
      auto made =
          stored.parts.objective->predict(*stored.parts.model, toDevice(batch, torch::kCPU), "predict", {});
      stored.parts.task->complete(made);
      for (const Prediction& one : made) texts[static_cast<std::size_t>(one.example.value)] = one.text;
    }
    QCOMPARE(texts, (std::vector<std::string>{"entailment", "not_entailment"}));
  }

  void extraLayersOnAFrozenEncoder() {
    const Json extra = {{"model", "extra_layers"},
                        {"model.extra_layers.encoder", "frozen"},
                        {"extra.layers", 2},
                        {"extra.residual", "unnormalised"},
                        {"extra.attention", "multi_head"},
                        {"model.extra_layers.heads", 2},
                        {"model.extra_layers.feed_forward", 32},
                        {"model.bert.head_input", "first"},
                        {"init", "dt_fixup"},
                        {"init.dt_fixup.form", "vanilla"},
                        {"model.extra_layers.input_dropout", 0.1},
                        {"training.length", "2e"}};
    const RunReport report = m_runs.train("frozen", "reclor", extra);
    QVERIFY2(report.code == ExitCode::Finished, report.error.text().c_str());
    // With what is kept of the encoder, and without.
    const RunConfig config = m_runs.config("reclor", extra);
    const OptionValues options = runOptions(config, "", {}).value();
    RunPartsRequest request;
    request.device = "cpu";
    RunParts parts = makeRunParts(options, request).value();
    initialiseParts(parts, options, false, {}).value();
    const DeviceBatch batch = toDevice(parts.task->makeBatch(DataSplit::Validation, 0), torch::kCPU);
    const double plain = parts.objective->forward(*parts.model, batch, {}).loss.item<double>();
    PrepareRequest prepare;
    prepare.make = true;
    parts.objective->prepare(*parts.model, *parts.task, prepare);
    QCOMPARE(parts.objective->forward(*parts.model, batch, {}).loss.item<double>(), plain);
    for (const Leaf& leaf : parts.model->parameters().leaves())
      QCOMPARE(leaf.tensor.requires_grad(), !leaf.name.starts_with("e") || leaf.name.starts_with("extra."));
  }

  void headOfAnotherSize() {
    const RunReport report = m_runs.train("size", "glue", {{"model.bert.classes", 3}});
    QVERIFY(report.code != ExitCode::Finished);
    QVERIFY2(report.error.text().find("3") != std::string::npos, report.error.text().c_str());
    QCOMPARE(report.error.key, std::string("model.bert.classes"));
  }

  void wrongHeadAndModelAreRefused() {
    for (const auto& [key, value] : {std::pair<const char*, Json>{"model.bert.head", "span"},
                                     {"model", "encoder_decoder"},
                                     {"model.bert.max_positions", 8}}) {
      const auto options = runOptions(m_runs.config("glue", {{key, value}}), "", {});
      QVERIFY2(!options.ok(), key);
    }
  }

 private:
  Trainings m_runs;
};

QTEST_APPLESS_MAIN(TestFineTuningRun)
#include "tst_fine_tuning_run.moc"
