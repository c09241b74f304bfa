// SPDX-License-Identifier: Apache-2.0
// Runs of the tasks on long documents with the model ETC: each learns its small data, reports what it
// declares, is evaluated again with the same numbers, and reads free input without its data.
#include <QTest>

#include "core/base/files/atomic_file.h"
#include "core/base/numbers/random_stream.h"
#include "core/train/state/stored_run.h"
#include "tests/torch/support_tiny_run.h"

using namespace fathom;

namespace {

constexpr const char* kLongRunPieces =
    "[PAD]\n[unused0]\n[unused1]\n[unused2]\n[unused3]\n[unused4]\n[UNK]\n[CLS]\n[SEP]\n[MASK]"
    "\nthe\nbridge\nferry\nis\nin\nengland\nfrance\ncountry\nbay\n.\n?\nwhere\nstone\n";

Json hopRun(int number) {
  const bool first = number % 2 == 0;
  const std::string bridge = first ? "england" : "france", ferry = first ? "france" : "england";
  Json supports = {"The ferry is in " + ferry + ". The bay is stone.", "The bridge is in " + bridge + "."};
  if (number % 3 == 0) std::swap(supports[0], supports[1]);
  return {{"id", "q" + std::to_string(number)},
          {"query", "country bridge"},
          {"candidates", number % 4 < 2 ? Json{"england", "france"} : Json{"france", "england", "bay"}},
          {"answer", bridge},
          {"supports", supports}};
}

Json hotpotRun(int number) {
  const std::string bridge = number % 2 == 0 ? "england" : "france";
  const Json ferry = Json::array({"the ferry", Json::array({"the ferry is stone ."})});
  const Json other = Json::array({"the bridge", Json::array({"it is stone .", "it is in " + bridge + " ."})});
  return {{"_id", "h" + std::to_string(number)},
          {"question", number % 4 == 0 ? "is the bridge stone ?" : "where is the bridge ?"},
          {"answer", number % 4 == 0 ? "yes" : bridge},
          {"supporting_facts", Json::array({Json::array({"the bridge", 1})})},
          {"context", number % 3 == 0 ? Json::array({other, ferry}) : Json::array({ferry, other})}};
}

class LongTrainings {
 public:
  LongTrainings() {
    put("vocab.txt", kLongRunPieces);
    Json hops = Json::array();
    for (int i = 0; i < 24; ++i) hops.push_back(hopRun(i));
    put("wikihop.json", hops.dump());
    Json questions = Json::array();
    for (int i = 0; i < 24; ++i) questions.push_back(hotpotRun(i));
    put("hotpotqa.json", questions.dump());
  }
  std::string path(const std::string& name) const { return (m_folder.path() + "/").toStdString() + name; }

  RunReport train(const std::string& name, const std::string& task, const Json& more) const {
    TrainRequest request;
    request.runPath = path(name);
    request.watchStandardInput = request.watchSignals = false;
    request.config.name = task;
    request.config.options = {{"task", task},
                              {"data.train", path(task + ".json")},
                              {"data.validation", path(task + ".json")},
                              {"text.vocabulary.file", path("vocab.txt")},
                              {"batch.examples", 4},
                              {"model", "etc"},
                              {"encoder.attention", "global_local"},
                              {"encoder.attention.global_local.radius", 4},
                              {"encoder.attention.global_local.distance", 3},
                              {"model.width", 32},
                              {"model.heads", 2},
                              {"model.feed_forward", 64},
                              {"encoder.layers", 2},
                              {"model.dropout", 0},
                              {"model.attention_dropout", 0},
                              {"init", "bert"},
                              {"init.bert.deviation", 0.1},
                              {"optimizer", "adam"},
                              {"lr_schedule", "constant"},
                              {"lr_schedule.rate", 0.008},
                              {"device", "cpu"},
                              {"threads", 1},
                              {"training.length", "40e"},
                              {"validation.interval", "20e"},
                              {"validation.score_interval", "20e"},
                              {"divergence.not_learning_after", 0},
                              {"checkpoint.interval", "20e"}};
    request.config.options["model.etc.head"] = task == "wikihop" ? "candidates" : "supported_span";
    request.config.options.update(more);
    return trainRun(request);
  }
  std::string put(const std::string& name, const std::string& text) const {
    writeFileAtomically(path(name), text).value();
    return path(name);
  }

 private:
  QTemporaryDir m_folder;
};

double lastMetric(const std::string& runPath, const std::string& id) {
  return test::eventsOfKind(runPath, 1, "validation").back().at("m").at(id).get<double>();
}

}  // namespace

class TestLongTaskRun : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void learns_data() {
    QTest::addColumn<QString>("task");
    QTest::addColumn<QString>("score");
    QTest::addColumn<bool>("realformer");
    QTest::newRow("wikihop") << "wikihop"
                             << "valid.accuracy" << false;
    QTest::newRow("hotpotqa") << "hotpotqa"
                              << "valid.facts_f1" << false;
    QTest::newRow("hotpotqa, scores added up") << "hotpotqa"
                                               << "valid.facts_f1" << true;
    QTest::newRow("wikihop, scores added up") << "wikihop"
                                              << "valid.accuracy" << true;
  }
  void learns() {
    QFETCH(const QString, task);
    QFETCH(const QString, score);
    QFETCH(const bool, realformer);
    Json more = Json::object();
    if (task == "wikihop") more["model.etc.head_block"] = realformer ? 32 : 0;
    if (task == "hotpotqa" && !realformer) more["hotpotqa.positions"] = "real";
    if (task == "hotpotqa" && realformer)
      more.update({{"hotpotqa.max_length", 32}, {"hotpotqa.max_globals", 20}});
    if (realformer) more["encoder.self_attention.score_chain"] = "sum";
    const std::string path = m_runs.path(QTest::currentDataTag());
    const RunReport report = m_runs.train(QTest::currentDataTag(), task.toStdString(), more);
    QVERIFY2(report.code == ExitCode::Finished, report.error.text().c_str());
    QVERIFY2(lastMetric(path, score.toStdString()) > 90,
             std::to_string(lastMetric(path, score.toStdString())).c_str());
    QCOMPARE(test::undeclaredScalars(path), std::string());
    if (task == "hotpotqa") checkLossParts(path);
    const StoredRun stored = openStoredRun({path, "", {}, false, nullptr, {}}).value();
    EvaluationRequest request;
    request.decoding = "predict";
    const Evaluation again =
        stored.parts.objective->evaluate(*stored.parts.model, *stored.parts.task, request);
    QCOMPARE(again.values.front().second, lastMetric(path, "valid.loss"));
    QCOMPARE(again.predictions.size(),
             static_cast<std::size_t>(stored.parts.task->exampleCount(DataSplit::Validation)));
  }

  // Without the data, from what the run kept.
  void freeInput() {
    const StoredRun stored = openStoredRun({m_runs.path("wikihop"), "", {}, true, nullptr, {}}).value();
    std::vector<std::string> lines, texts(3);
    for (const int i : {1, 2, 5}) lines.push_back(hopRun(i).dump());
    for (const HostBatch& batch : stored.parts.task->batchesFromText(lines, nullptr).value()) {
      auto made =
          stored.parts.objective->predict(*stored.parts.model, toDevice(batch, torch::kCPU), "predict", {});
      stored.parts.task->complete(made);
      for (const Prediction& one : made) texts[static_cast<std::size_t>(one.example.value)] = one.text;
    }
    QCOMPARE(texts, (std::vector<std::string>{"france", "england", "france"}));
  }

  void refusesOtherModels() {
    const auto refused = [&](const Json& more, const char* word) {
      const RunReport report = m_runs.train("refused" + std::to_string(m_refused++), "wikihop", more);
      QCOMPARE(report.code, ExitCode::BadInput);
      QVERIFY2(report.error.text().find(word) != std::string::npos, report.error.text().c_str());
    };
    refused({{"model", "bert"}}, "ETC");
    refused({{"model.etc.head", "masked_words"}}, "head for candidates");
    refused({{"model.etc.segments", 4}}, "eight kinds");
  }

 private:
  // The whole is the mean of facts, kind and both ends, in training as in validation.
  static void checkLossParts(const std::string& path) {
    const auto whole = [](const Json& m, const std::string& prefix) {
      const auto of = [&](const char* part) { return m.at(prefix + part).get<double>(); };
      return (of("facts_nll") + of("type_nll") + 2 * of("span_nll")) / 4 - of("nll");
    };
    for (const char* kind : {"step", "validation"}) {
      const auto events = test::eventsOfKind(path, 1, kind);
      QVERIFY(!events.empty());
      for (const Json& event : events)
        QVERIFY(std::abs(whole(event.at("m"), std::string(kind) == "step" ? "" : "valid.")) < 1e-5);
    }
    const auto steps = test::eventsOfKind(path, 1, "step");
    for (const char* part : {"facts_nll", "type_nll", "span_nll"})
      QVERIFY(steps.back().at("m").at(part).get<double>() < steps.front().at("m").at(part).get<double>());
  }

  LongTrainings m_runs;
  int m_refused = 0;
};

QTEST_APPLESS_MAIN(TestLongTaskRun)
#include "tst_long_task_run.moc"
