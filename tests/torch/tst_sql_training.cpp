// SPDX-License-Identifier: Apache-2.0
// Training of questions to SQL: what a run does with its batches, groups, encoder and data
// (docs/text_to_sql.md).
#include <QTest>
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/base/files/atomic_file.h"
#include "core/init/initialisation.h"
#include "core/nn/pretrained/encoder_folder.h"
#include "core/record/runs/checkpoint_folder.h"
#include "core/train/parts/run_options.h"
#include "core/train/state/checkpoint.h"
#include "core/train/state/stored_run.h"
#include "tests/torch/support_sql_runs.h"
#include "tests/torch/support_tensors.h"

using namespace fathom;
using namespace fathom::test;

namespace {

using Weights = std::map<std::string, torch::Tensor>;

Weights weightsAt(const std::string& run, const std::string& checkpoint) {
  StoredRunRequest request;
  request.runPath = run;
  request.checkpoint = checkpoint;
  const auto state = openStoredRun(request).value().parts.model->parameters().state();
  return {state.begin(), state.end()};
}

std::vector<double> lossesOf(const std::string& run) {
  std::vector<double> losses;
  for (const Json& event : eventsOfKind(run, 1, "step"))
    losses.push_back(event.at("m").at("loss").get<double>());
  return losses;
}

// Weights of an encoder as the small runs have it, with `pieces` tokens and one kind of segment as RoBERTa.
EncoderWeights smallEncoder(std::int64_t pieces) {
  EncoderWeights weights;
  weights.kind = "roberta";
  weights.options = {{"model", "bert"},          {"model.width", 16},
                     {"model.heads", 2},         {"model.feed_forward", 16},
                     {"encoder.layers", 2},      {"model.bert.max_positions", 300},
                     {"model.bert.segments", 1}, {"model.bert.head", "none"}};
  weights.vocabulary = pieces;
  OptionValues options = fixtures::engineOptions({"init=xavier"});
  for (const auto& [key, value] : weights.options.items()) options.set(key, value).value();
  const ModelInputs inputs{{"vocabulary", pieces}, {"pad_id", 0}};
  const auto model = buildModel(options, inputs, torch::TensorOptions(torch::kFloat32)).value();
  initialiseModel(*model, options, 5).value();
  for (auto& [name, tensor] : model->parameters().state()) weights.tensors.emplace(name, tensor);
  return weights;
}

Json noVocabularyOptions(const Json&) {
  return Json::object();
}

}  // namespace

class TestSqlTraining : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // A batch cut into micro-batches gives the same update.
  void microBatchesAreTheBatch() {
    const std::vector<std::string> exact = {"precision=float64",
                                            "model.dropout=0",
                                            "model.sql_sp.question_dropout=0",
                                            "model.sql_sp.schema_dropout=0",
                                            "model.sql_sp.vector_dropout=0",
                                            "spider.item_order=shuffled"};
    std::vector<std::string> cut = exact;
    cut.insert(cut.end(), {"batch.examples=2", "training.accumulation=3"});
    QCOMPARE(m_runs.train("whole", exact).code, ExitCode::Finished);
    QCOMPARE(m_runs.train("cut", cut).code, ExitCode::Finished);
    const auto whole = lossesOf(m_runs.path("whole")), parts = lossesOf(m_runs.path("cut"));
    QCOMPARE(whole.size(), std::size_t{8});
    QCOMPARE(parts.size(), whole.size());
    for (std::size_t i = 0; i < whole.size(); ++i)
      QVERIFY2(std::abs(whole[i] - parts[i]) < 1e-9 * whole[i], std::to_string(parts[i] - whole[i]).c_str());
    QVERIFY(whole[0] != whole[4]);  // other examples
  }

  // Order of examples and items: of seed and epoch alone, so that a run goes on in the middle of an epoch.
  void resumesInTheMiddleOfAnEpoch() {
    const std::vector<std::string> shuffled = {"spider.item_order=shuffled", "training.length=10u"};
    QCOMPARE(m_runs.train("shuffled", shuffled).code, ExitCode::Finished);
    QCOMPARE(m_runs.train("again", shuffled).code, ExitCode::Finished);
    const auto whole = stepLosses(m_runs.path("shuffled"), 1);
    QVERIFY(whole.size() == 10 && whole == stepLosses(m_runs.path("again"), 1));
    // Four batches an epoch: in the middle of the first and of the second.
    for (const char* checkpoint : {"0001-00000002", "0001-00000006"}) {
      QCOMPARE(m_runs.resume("shuffled", checkpoint).code, ExitCode::Finished);
      const auto rest = stepLosses(m_runs.path("shuffled"), RunFolder(m_runs.path("shuffled")).lastAttempt());
      QVERIFY(!rest.empty() && rest.size() < whole.size() &&
              std::equal(rest.rbegin(), rest.rend(), whole.rbegin()));
    }
  }

  // The pre-trained part learns at a share of the rate, 0.008 in the released configuration.
  void groupsHaveTheirRate() {
    const std::vector<std::string> one = {"training.length=4u", "checkpoint.interval=1u", "optimizer=adam",
                                          "lr_schedule=linear", "lr_schedule.warmup=0",   "clip.norm=0"};
    const std::string first = "0001-00000001";
    std::vector<std::string> grouped = one;
    grouped.emplace_back("optimizer.rate_groups=encoder.=0.008,embedding.=0.008");
    QCOMPARE(m_runs.train("alike", one).code, ExitCode::Finished);
    QCOMPARE(m_runs.train("grouped", grouped).code, ExitCode::Finished);
    const Weights before = weightsAt(m_runs.path("alike"), kInitialWeights),
                  alike = weightsAt(m_runs.path("alike"), first),
                  slow = weightsAt(m_runs.path("grouped"), first);
    for (const auto& [name, tensor] : before) {
      const double all = (alike.at(name) - tensor).to(torch::kFloat64).norm().item<double>();
      const double own = (slow.at(name) - tensor).to(torch::kFloat64).norm().item<double>();
      if (all == 0) continue;  // the pooler, rows that did not occur
      const bool encoder = name.starts_with("encoder.") || name.starts_with("embedding.");
      QVERIFY2(std::abs(own / all - (encoder ? 0.008 : 1)) < (encoder ? 1e-3 : 1e-6),
               (name + " " + std::to_string(own / all)).c_str());
    }
    // A group that fits nothing is refused before the encoder is run over the data.
    const RunReport refused =
        m_runs.train("no such group", {"model.sql_sp.encoder=frozen", "optimizer.rate_groups=encoder.=0.1"});
    QCOMPARE(refused.code, ExitCode::BadInput);
    QCOMPARE(refused.error.key, std::string("optimizer.rate_groups"));
    QVERIFY(!std::filesystem::exists(m_runs.path("no such group/cache")));
  }

  // Validations before that epoch take the loss alone.
  void decodesFromAnEpochOn() {
    QCOMPARE(
        m_runs
            .train("late", {"training.length=3e", "validation.interval=1e", "validation.score_interval=1e",
                            "validation.score_from=2e", "checkpoint.best_by=score"})
            .code,
        ExitCode::Finished);
    std::vector<bool> scored;
    for (const Json& event : eventsOfKind(m_runs.path("late"), 1, "validation"))
      scored.push_back(event.at("m").contains("valid.exact_match"));
    QCOMPARE(scored, (std::vector<bool>{false, true, true}));
    QCOMPARE(undeclaredScalars(m_runs.path("late")), std::string());
  }

  // Below what a model without eyes for its input reaches, it has learnt something; above, nothing.
  void knowsNothing() {
    QCOMPARE(m_runs
                 .train("still", {"lr_schedule.rate=1e-9", "divergence.not_learning_after=4",
                                  "validation.interval=4u", "training.length=6u"})
                 .code,
             ExitCode::Diverged);
    const auto outcome = RunFolder(m_runs.path("still")).outcome(1);
    QVERIFY(outcome && outcome->cause == kNotLearning);
    const Json details = readJsonFile(m_runs.path("still/attempts/0001/details.json")).value();
    const double ignorant = details.at("data").at("ignorant_nll").at("example").get<double>();
    const std::string said = outcome->details.dump();
    QVERIFY2(ignorant > 5 && ignorant < 40, std::to_string(ignorant).c_str());
    QVERIFY2(std::abs(outcome->details.at("entropy").get<double>() - ignorant) < 1e-6, said.c_str());
  }

  // The log of a run and its details name what its data leave out and what was missing.
  void whatIsLeftOutIsSaid() {
    Json records = readJsonFile(m_runs.path("data/train.json")).value();
    records[2]["db_id"] = "no_such_database";
    records[3]["query"] = "SELECT no_such_column FROM reader";
    records[4]["question_toks"] = Json::array();
    records[4]["question"] = " ";
    writeFileAtomically(m_runs.path("data/less.json"), records.dump()).value();
    const Json head = {{"format", 1}, {"kind", "database values"}};
    const Json broken = {{"database", "town_library"}, {"error", "file is not a database"}};
    writeFileAtomically(m_runs.path("data/values.jsonl"), head.dump() + "\n" + broken.dump() + "\n").value();
    MessagesOfRun said;
    const RunReport report =
        m_runs.train("less",
                     {"data.train=" + m_runs.path("data/less.json"), "training.length=1u",
                      "spider.values=" + m_runs.path("data/values.jsonl"), "spider.linking=dt_fixup_like",
                      "spider.wordnet=/no wordnet here"},
                     &said);
    QVERIFY2(report.code == ExitCode::Finished, report.error.text().c_str());
    QVERIFY(said.has("train: 3 of " + std::to_string(records.size()) + " examples are left out"));
    QVERIFY(said.has("1 unknown_database") && said.has("1 parse_failure") && said.has("1 empty_question"));
    QVERIFY(said.has("database town_library is linked without values: file is not a database"));
    QVERIFY(said.has("2 of 3 databases have no prepared values"));
    QVERIFY(said.has("wordnet-base"));
    QCOMPARE(eventsOfKind(m_runs.path("less"), 1, "warning").size(), std::size_t{3});
    const Json train =
        readJsonFile(m_runs.path("less/attempts/0001/details.json")).value().at("data").at("train");
    QCOMPARE(train.at("left_out_examples").size(), std::size_t{3});
    QCOMPARE(train.at("left_out_examples")[0].at("example").get<int>(), 2);
  }

  // Encoders with fewer rows than the data have pieces are refused in words; RoBERTa's one segment is no
  // reason.
  void encodersOfOtherVocabularies() {
    const auto own = readFile(m_runs.path("data/vocabulary.txt")).value();
    const std::int64_t pieces = std::count(own.begin(), own.end(), '\n');
    const std::string foreign = m_runs.path("foreign"), right = m_runs.path("right");
    writeImportedEncoder(smallEncoder(pieces - 3), {}, foreign, noVocabularyOptions).value();
    writeImportedEncoder(smallEncoder(pieces), {}, right, noVocabularyOptions).value();
    const RunReport refused = m_runs.train("foreign run", {"model.bert.weights=" + foreign});
    QCOMPARE(refused.code, ExitCode::BadInput);
    const std::string text = refused.error.text();
    QVERIFY2(text.find("vocabulary has " + std::to_string(pieces) + " tokens") != std::string::npos &&
                 text.find(std::to_string(pieces - 3) + " rows") != std::string::npos,
             text.c_str());
    const RunReport taken = m_runs.train("right run", {"model.bert.weights=" + right, "training.length=1u"});
    QVERIFY2(taken.code == ExitCode::Finished, taken.error.text().c_str());
    const Weights first = weightsAt(m_runs.path("right run"), kInitialWeights);
    QVERIFY(
        first.at("embedding.token.weight").equal(smallEncoder(pieces).tensors.at("embedding.token.weight")));
    const torch::Tensor segments = first.at("embedding.segment.weight");
    QCOMPARE(segments.sizes(), torch::IntArrayRef({2, 16}));
    const double deviation = segments.std().item<double>();
    QVERIFY2(deviation > 0.01 && deviation < 0.03, std::to_string(deviation).c_str());
  }

  // A table that is padded keeps its spare rows, up to 1,024 of them; one with more is another vocabulary's.
  void spareRows_data() {
    QTest::addColumn<int>("spare");
    QTest::addColumn<int>("imported");  // pieces of the vocabulary that came with the weights: more than ours
    QTest::addColumn<bool>("taken");
    constexpr int kUnknown = -1000;
    QTest::newRow("three") << 3 << kUnknown << true;
    QTest::newRow("as many as are padding") << 1024 << kUnknown << true;
    QTest::newRow("one more") << 1025 << kUnknown << false;
    QTest::newRow("one more, its own vocabulary") << 1025 << 0 << true;
    QTest::newRow("one more, another vocabulary") << 1025 << 1 << false;
  }
  void spareRows() {
    QFETCH(int, spare);
    QFETCH(int, imported);
    QFETCH(bool, taken);
    const auto own = readFile(m_runs.path("data/vocabulary.txt")).value();
    const std::int64_t pieces = std::count(own.begin(), own.end(), '\n'), rows = pieces + spare;
    const std::string name = QTest::currentDataTag(), folder = m_runs.path(name);
    EncoderVocabulary vocabulary;
    vocabulary.pieces = std::max<std::int64_t>(0, pieces + imported);
    writeImportedEncoder(smallEncoder(rows), vocabulary, folder, noVocabularyOptions).value();
    const RunReport report =
        m_runs.train(name + " run", {"model.bert.weights=" + folder, "training.length=1u"});
    if (!taken) {
      QCOMPARE(report.code, ExitCode::BadInput);
      const std::string text = report.error.text();
      QVERIFY2(text.find("vocabulary has " + std::to_string(pieces) + " tokens") != std::string::npos &&
                   text.find(std::to_string(rows) + " rows") != std::string::npos,
               text.c_str());
      return;
    }
    QVERIFY2(report.code == ExitCode::Finished, report.error.text().c_str());
    QVERIFY(weightsAt(m_runs.path(name + " run"), kInitialWeights)
                .at("embedding.token.weight")
                .equal(smallEncoder(rows).tensors.at("embedding.token.weight")));
  }

 private:
  SqlRuns m_runs;
};

QTEST_GUILESS_MAIN(TestSqlTraining)
#include "tst_sql_training.moc"
