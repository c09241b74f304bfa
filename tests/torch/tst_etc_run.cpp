// SPDX-License-Identifier: Apache-2.0
// ETC trained on masked words from the options a user sets, resumed to the same bits, and looked at: both
// streams are stacks of every analysis.
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "core/analysis/attention/attention_maps.h"
#include "core/analysis/dependency/shift_sweep.h"
#include "core/base/files/atomic_file.h"
#include "core/base/numbers/random_stream.h"
#include "core/engine/engine_verbs.h"
#include "core/record/formats/array_file.h"
#include "core/record/results/analysis_store.h"
#include "core/train/state/stored_run.h"
#include "tests/torch/support_tiny_run.h"
#include "tests/unit/support_stored_analyses.h"

using namespace fathom;
using namespace fathom::test;

namespace {

std::string longCorpus() {
  const char* words[] = {"river", "stone", "apple", "cloud", "horse", "light", "paper", "green"};
  std::string text;
  RandomStream random(6);
  for (int document = 0; document < 12; ++document) {
    for (int sentence = 0; sentence < 8; ++sentence) {
      for (int w = 0; w < 7; ++w)
        text += std::string(words[(static_cast<std::size_t>(document) % 2) * 4 + random.below(4)]) + " ";
      text += ".\n";
    }
    text += "\n";
  }
  return text;
}

}  // namespace

class TestEtcRun : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    QVERIFY(m_folder.isValid());
    writeFileAtomically(path("text.txt"), longCorpus()).value();
    writeFileAtomically(path("vocab.txt"),
                        "[PAD]\n[unused0]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n."
                        "\nriver\nstone\napple\ncloud\nhorse\nlight\npaper\ngreen\n")
        .value();
  }

  void trainsWithEveryChain_data() {
    QTest::addColumn<QString>("chain");
    for (const char* chain : {"none", "sum", "mean"}) QTest::newRow(chain) << chain;
  }
  void trainsWithEveryChain() {
    QFETCH(QString, chain);
    const std::string name = chain.toStdString();
    const RunReport report = train(name, {"encoder.self_attention.score_chain=" + name});
    QVERIFY2(report.code == ExitCode::Finished, report.error.text().c_str());
  }

  void resumesToTheSameBits() {
    QCOMPARE(train("resumed", {"checkpoint.keep_last=10"}).code, ExitCode::Finished);
    const auto weights = [&] {
      StoredRunRequest request;
      request.runPath = path("resumed");
      return openStoredRun(request).value().parts.model->parameters().state();
    };
    const auto before = weights();
    ResumeRequest request;
    request.runPath = path("resumed");
    request.checkpoint = "0001-00000006";
    request.watchStandardInput = request.watchSignals = false;
    QCOMPARE(resumeRun(request).code, ExitCode::Finished);
    const auto after = weights();
    QCOMPARE(before.size(), after.size());
    for (std::size_t i = 0; i < before.size(); ++i)
      QVERIFY2(at::equal(before[i].second, after[i].second), before[i].first.c_str());
  }

  // A band of long queries and all keys of global ones; nothing but the window and the global tokens is kept;
  // parts sum to scores.
  void mapsShowBothStreams() {
    const StoredAnalysis stored = probed("sum", "attention_maps", {"example=0"});
    const AttentionMatrices maps = attentionMatricesFromJson(stored.result).value();
    QCOMPARE(maps.attentions.size(), std::size_t{2});
    const std::size_t longs = maps.attentions[0].queries.size(), globals = maps.attentions[1].queries.size();
    QCOMPARE(maps.attentions[0].name(), std::string("encoder.self_attention"));
    QCOMPARE(maps.attentions[1].name(), std::string("global.self_attention"));
    QVERIFY(longs > 12 && globals == (longs + 7) / 8);
    QCOMPARE(maps.attentions[0].band->radius, 3);
    QVERIFY(!maps.attentions[1].band);
    QCOMPARE(maps.places->sentence.size(), longs);
    for (std::size_t i = 0; i < longs; ++i) QCOMPARE(maps.places->sentence[i], static_cast<int>(i / 8));
    for (const AttentionMatrix& matrix : maps.attentions) {
      QCOMPARE(matrix.keys.size(), longs + globals);
      const auto columns = static_cast<std::size_t>(matrix.columns());
      QCOMPARE(columns, matrix.band ? 7 + globals : longs + globals);
      const auto part = [&](const char* name) {
        const NpyArray array = readArrayFile(stored.path + "/" + matrix.file(name)).value();
        if (array.shape.back() != matrix.columns()) throw Failure(internalError("columns"));
        return array.doubles();
      };
      const std::vector<double> p = part("probabilities"), scores = part("scores"), content = part("content"),
                                relation = part("relation"), residual = part("residual");
      const std::size_t queries = matrix.queries.size();
      std::size_t hidden = 0;
      for (std::size_t row = 0; row < p.size() / columns; ++row) {
        double sum = 0;
        const auto query = static_cast<std::int64_t>(row % queries);
        for (std::size_t column = 0; column < columns; ++column) {
          const std::size_t at = row * columns + column;
          sum += p[at];
          const std::int64_t key = query - 3 + static_cast<std::int64_t>(column);
          const bool outside =
              matrix.band && column < 7 && (key < 0 || key >= static_cast<std::int64_t>(longs));
          if (outside) QVERIFY(p[at] == 0 && std::isnan(scores[at]));
          hidden += std::isnan(scores[at]);
          if (!std::isnan(scores[at]))
            QVERIFY(std::abs(content[at] + relation[at] + residual[at] - scores[at]) < 1e-4);
        }
        QVERIFY(std::abs(sum - 1) < 1e-5);
      }
      QVERIFY(hidden > 0);
    }
  }

  void everyAnalysisHasBothStreams_data() {
    QTest::addColumn<QString>("analysis");
    for (const char* id :
         {"attention_entropy", "attention_jsd", "beta_dependency", "gradient_norm", "input_norm"})
      QTest::newRow(id) << id;
  }
  void everyAnalysisHasBothStreams() {
    QFETCH(QString, analysis);
    const Json found = probed("mean", analysis.toStdString(), {}).result;
    const std::string result = found.dump();
    QVERIFY2(result.find("encoder") != std::string::npos, result.c_str());
    QVERIFY2(result.find("\"global") != std::string::npos, result.substr(0, 400).c_str());
    std::size_t numbers = 0;
    const std::string bad = notFinite(found, "", numbers);
    QVERIFY2(bad.empty(), bad.c_str());
    QVERIFY(numbers > 10);
  }

  // How far the outputs of each stream move with its depth.
  void outputShiftOfBothStreams_data() {
    QTest::addColumn<QString>("stack");
    QTest::addColumn<QString>("measured");
    QTest::newRow("first") << ""
                           << "encoder";
    QTest::newRow("long") << "encoder"
                          << "encoder";
    QTest::newRow("global") << "global"
                            << "global";
  }
  void outputShiftOfBothStreams() {
    QFETCH(QString, stack);
    QFETCH(QString, measured);
    const StoredAnalysis stored =
        probed("none", "output_shift", {"depths=1,2,3", "draws=2", "stack=" + stack.toStdString()});
    QCOMPARE(stored.result.at("stack").get<std::string>(), measured.toStdString());
    std::size_t numbers = 0;
    const std::string bad = notFinite(stored.result, "", numbers);
    QVERIFY2(bad.empty(), bad.c_str());
    const ShiftSweep sweep = shiftSweepFromJson(stored.result).value();
    QCOMPARE(sweep.depths.size(), std::size_t{3});
    QCOMPARE(sweep.series.size(), std::size_t{1});
    for (const double mean : summariseShift(sweep, sweep.series.front(), {}).mean) QVERIFY(mean > 0);
  }

  void refusesWhatDoesNotFit() {
    const auto refused = [&](const std::vector<std::string>& assignments, const char* word) {
      const RunReport report = train("refused" + std::to_string(m_refused++), assignments);
      QCOMPARE(report.code, ExitCode::BadInput);
      QVERIFY2(report.error.text().find(word) != std::string::npos, report.error.text().c_str());
    };
    refused({"encoder.attention=multi_head"}, "encoder.attention");
    refused({"model=bert"}, "ETC");
    refused({"encoder.attention.global_local.relations=6"}, "relations=6");
    refused({"model.etc.global_token=99"}, "global_token");
    refused({"model.etc.head=none"}, "masked words");
  }

 private:
  // Where the result has a number that is none; counts the others.
  static std::string notFinite(const Json& value, const std::string& where, std::size_t& numbers) {
    if (value.is_null()) return where + " is null";
    if (value.is_number() && !std::isfinite(value.get<double>())) return where + " is " + value.dump();
    numbers += value.is_number();
    if (!value.is_structured()) return {};
    for (const auto& [key, part] : value.items())
      if (const std::string bad = notFinite(part, where + "/" + key, numbers); !bad.empty()) return bad;
    return {};
  }
  std::string path(const std::string& name) const { return m_folder.path().toStdString() + "/" + name; }
  StoredAnalysis probed(const std::string& run, const std::string& analysis,
                        const std::vector<std::string>& assignments) const {
    ProbeVerb verb;
    verb.run = path(run);
    verb.analysis = analysis;
    verb.assignments = assignments;
    if (probeVerb(verb) != ExitCode::Finished) throw Failure(internalError("the probe failed"));
    return listAnalyses(RunFolder(path(run)).analysesPath(), analysis).back();
  }
  RunReport train(const std::string& name, const std::vector<std::string>& assignments) const {
    TrainRequest request;
    request.runPath = path(name);
    request.watchStandardInput = request.watchSignals = false;
    request.config.name = name;
    request.config.options = {{"task", "mlm"},
                              {"model", "etc"},
                              {"encoder.attention", "global_local"},
                              {"encoder.attention.global_local.radius", 3},
                              {"encoder.attention.global_local.distance", 2},
                              {"model.etc.global_run", 8},
                              {"init", "bert"},
                              {"data.train", path("text.txt")},
                              {"mlm.vocabulary.file", path("vocab.txt")},
                              {"mlm.validation_share", 0.2},
                              {"mlm.random_next", 0},
                              {"mlm.max_length", 48},
                              {"mlm.duplicates", 1},
                              {"batch.sequences", 4},
                              {"model.width", 16},
                              {"model.feed_forward", 32},
                              {"model.heads", 2},
                              {"model.attention_dropout", 0.1},
                              {"encoder.layers", 2},
                              {"lr_schedule", "bert"},
                              {"lr_schedule.warmup", 2},
                              {"lr_schedule.rate", 0.005},
                              {"device", "cpu"},
                              {"threads", 1},
                              {"training.length", "12u"},
                              {"validation.interval", "6u"},
                              {"validation.score_interval", "never"},
                              {"divergence.not_learning_after", 0},
                              {"checkpoint.interval", "6u"}};
    request.assignments = assignments;
    return trainRun(request);
  }
  QTemporaryDir m_folder;
  mutable int m_refused = 0;
};

QTEST_APPLESS_MAIN(TestEtcRun)
#include "tst_etc_run.moc"
