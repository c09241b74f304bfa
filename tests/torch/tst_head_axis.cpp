// SPDX-License-Identifier: Apache-2.0
// Heads are an axis of their own: every head stands on every model that offers what it reads, with parameters
// of its own and no others; a task of sentences runs on ETC as on BERT.
#include <QTest>

#include "core/base/files/atomic_file.h"
#include "core/nn/models/encoder_model.h"
#include "core/nn/models/model_choice.h"
#include "core/nn/models/model_entry.h"
#include "core/train/parts/run_options.h"
#include "tests/torch/support_tiny_run.h"

using namespace fathom;

namespace {

constexpr const char* kWords =
    "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\ntide\nis\nhigh\nlow\nferry\nruns\nwaits\n";

OptionValues modelWith(const ModelEntry& model, const std::string& head) {
  OptionValues options{OptionSchema(nnOptionFields(), nnOptionRules())};
  Json values = {
      {"model", model.id}, {"model.width", 16}, {"model.heads", 2}, {model.prefix + ".head", head}};
  if (model.gives(Representation::States)) values["encoder.attention"] = "global_local";
  options.merge(values, "test").value();
  return options;
}

std::set<std::string> namesOf(const ModelEntry& model, const std::string& head) {
  const auto made = buildModel(modelWith(model, head), ModelInputs::ofVocabulary(20),
                               torch::TensorOptions().device(torch::kMeta))
                        .value();
  std::set<std::string> names;
  for (const Parameter& parameter : made->parameters().parameters()) names.insert(parameter.info.name);
  return names;
}

// Pairs whose words tell the class.
RunConfig pairsOn(const std::string& model, const std::string& folder) {
  std::string table = "index\tsentence1\tsentence2\tlabel\n";
  for (int i = 0; i < 24; ++i)
    table += std::to_string(i) + "\tthe tide is " + (i % 2 == 0 ? "high" : "low") + "\tthe ferry runs\t" +
             (i % 2 == 0 ? "entailment" : "not_entailment") + "\n";
  writeFileAtomically(folder + "/pairs.tsv", table).value();
  writeFileAtomically(folder + "/vocab.txt", kWords).value();
  RunConfig config;
  config.name = model;
  config.options = {{"task", "glue"},
                    {"glue.task", "rte"},
                    {"glue.max_length", 16},
                    {"data.train", folder + "/pairs.tsv"},
                    {"data.validation", folder + "/pairs.tsv"},
                    {"text.vocabulary.file", folder + "/vocab.txt"},
                    {"batch.examples", 8},
                    {"model", model},
                    {"model.width", 16},
                    {"model.heads", 2},
                    {"model.feed_forward", 32},
                    {"encoder.layers", 2},
                    {"encoder.attention", "global_local"},
                    {"model.dropout", 0},
                    {"model.attention_dropout", 0},
                    {"model." + model + ".head", "classification"},
                    {"model." + model + ".classes", 0},
                    {"model." + model + ".global_run", 4},
                    {"init", "bert"},
                    {"optimizer", "adam"},
                    {"lr_schedule", "constant"},
                    {"lr_schedule.rate", 0.005},
                    {"lr_schedule.warmup", 0},
                    {"device", "cpu"},
                    {"threads", 1},
                    {"training.length", "30e"},
                    {"validation.interval", "15e"},
                    {"validation.score_interval", "15e"},
                    {"checkpoint.interval", "15e"}};
  return config;
}

}  // namespace

class TestHeadAxis : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void everyHeadStandsWhereItFits() {
    int pairs = 0;
    for (const ModelEntry& model : modelEntries()) {
      if (model.prefix.empty() || !hasOption(model, "head")) continue;
      const std::set<std::string> bare = namesOf(model, "none");
      for (const HeadEntry& head : headsFor(model.offers)) {
        if (head.id == "none") continue;
        std::size_t own = 0;
        for (const std::string& name : namesOf(model, head.id)) own += bare.count(name) == 0 ? 1 : 0;
        // The next token is told by the token table itself.
        QVERIFY2((own > 0) != (head.id == "next_words"), (model.id + " " + head.id).c_str());
        ++pairs;
      }
    }
    QVERIFY(pairs >= 15);
  }

  void aHeadThatDoesNotFitIsRefused() {
    OptionValues options{OptionSchema(nnOptionFields(), nnOptionRules())};
    QVERIFY(!options.set("model.bert.head", Json("candidates")).ok());
    QVERIFY(options.set("model.etc.head", Json("candidates")).ok());
  }

  void sentencesOnTwoStreams() {
    const QTemporaryDir folder;
    const std::string path = (folder.path() + "/run").toStdString();
    TrainRequest request;
    request.runPath = path;
    request.watchStandardInput = request.watchSignals = false;
    request.config = pairsOn("etc", folder.path().toStdString());
    const RunReport report = trainRun(request);
    QVERIFY2(report.code == ExitCode::Finished, report.error.text().c_str());
    const Json last = test::eventsOfKind(path, 1, "validation").back().at("m");
    QCOMPARE(last.at("valid.accuracy").get<double>(), 100.0);
  }

  void whatIsMissingIsNamed() {
    const QTemporaryDir folder;
    RunConfig config = pairsOn("etc", folder.path().toStdString());
    config.options["model.etc.head"] = "candidates";
    const auto options = runOptions(config, "test", {});
    QVERIFY(!options.ok());
    QVERIFY2(options.error().text().find("head for classes") != std::string::npos,
             options.error().text().c_str());
  }
};

QTEST_APPLESS_MAIN(TestHeadAxis)
#include "tst_head_axis.moc"
