// SPDX-License-Identifier: Apache-2.0
// Relations by distance: the ids, and whole trainings with them on translation and on masked words.
#include <QTest>

#include "core/base/files/atomic_file.h"
#include "core/nn/attention/relation_blocks.h"
#include "core/nn/attention/relative_positions.h"
#include "core/train/state/stored_run.h"
#include "tests/torch/support_tiny_run.h"

using namespace fathom;
using namespace fathom::test;

class TestRelativePositions : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void idsAreCutDistances();
  void blocksAreThoseOfTheIds();
  void translationTrains();
  void maskedWordsTrain_data();
  void maskedWordsTrain();

 private:
  TinyRuns m_runs;
};

void TestRelativePositions::idsAreCutDistances() {
  QVERIFY(
      relativePositions(4, 4, 2, torch::kCPU)
          .equal(
              at::tensor({2, 3, 4, 4, 1, 2, 3, 4, 0, 1, 2, 3, 0, 0, 1, 2}, torch::kInt64).view({1, 4, 4})));
  // The newest token of a decoding sees those before it.
  QVERIFY(
      relativePositions(1, 4, 2, torch::kCPU).equal(relativePositions(4, 4, 2, torch::kCPU).narrow(1, 3, 1)));
  QVERIFY(relativePositions(50, 50, 3, torch::kCPU).max().item<std::int64_t>() == relativeTypes(3) - 1);
}

void TestRelativePositions::blocksAreThoseOfTheIds() {
  torch::Tensor padding = at::zeros({3, 6}, torch::kBool);
  padding[0].narrow(0, 0, 2).fill_(true);
  padding[2].narrow(0, 5, 1).fill_(true);
  const RowPacking packing = packingOf(padding);
  const torch::Tensor ids = relativePositions(6, 6, 2, torch::kCPU).expand({3, 6, 6});
  QVERIFY(relativePositionBlocks(packing.spans, 2).equal(relationBlocks(ids, packing, relativeTypes(2))));
}

// Trained, validated by beam search and opened again: forward, packed, incremental and from a checkpoint.
void TestRelativePositions::translationTrains() {
  const std::vector<std::string> options = {"encoder.attention=relation_aware",
                                            "decoder.attention=relation_aware",
                                            "decoder.attention.relation_aware.distance=4",
                                            "training.length=60u",
                                            "validation.score_interval=60u",
                                            "validation.interval=20u"};
  const RunReport report = m_runs.train("related", options);
  QVERIFY2(report.code == ExitCode::Finished, report.error.text().c_str());
  const auto validations = eventsOfKind(m_runs.path("related"), 1, "validation");
  QVERIFY(validations.size() >= 3);
  const auto nll = [](const Json& event) { return event.at("m").at("valid.nll").get<double>(); };
  QVERIFY(nll(validations.back()) < nll(validations.front()) - .1);
  StoredRunRequest request;
  request.runPath = m_runs.path("related");
  const StoredRun stored = openStoredRun(request).value();
  const ParameterStore& parameters = stored.parts.model->parameters();
  QCOMPARE(parameters.value("encoder.layers.0.self_attention.relation_key.weight").size(0),
           relativeTypes(16));
  QCOMPARE(parameters.value("decoder.layers.0.self_attention.relation_key.weight").size(0), relativeTypes(4));
  QVERIFY(parameters.find("decoder.layers.0.cross_attention.relation_key.weight") == nullptr);
}

void TestRelativePositions::maskedWordsTrain_data() {
  QTest::addColumn<QString>("model");
  QTest::newRow("bert") << "model=bert encoder.attention=relation_aware";
  QTest::newRow("extra layers") << "model=extra_layers extra.attention=relation_aware extra.layers=1";
}

void TestRelativePositions::maskedWordsTrain() {
  QFETCH(QString, model);
  const std::string name = QTest::currentDataTag(), text = m_runs.path("text.txt");
  std::string words;
  for (int i = 0; i < 400; ++i)
    words += (i % 7 == 6 ? "\n" : "") + std::string("the word number ") + std::to_string(i % 23) +
             " stands before " + std::to_string(i % 23 + 1) + "\n";
  QVERIFY(writeFileAtomically(text, words).ok());
  TrainRequest request;
  request.runPath = m_runs.path(name);
  request.watchStandardInput = request.watchSignals = false;
  request.config.options = {{"task", "mlm"},
                            {"data.train", text},
                            {"mlm.vocabulary.kind", "bpe"},
                            {"mlm.vocabulary.size", 60},
                            {"mlm.max_length", 24},
                            {"mlm.duplicates", 2},
                            {"model.bert.max_positions", 24},
                            {"model.width", 16},
                            {"model.heads", 2},
                            {"model.feed_forward", 32},
                            {"model.extra_layers.heads", 2},
                            {"model.extra_layers.feed_forward", 32},
                            {"encoder.layers", 1},
                            {"batch.sequences", 8},
                            {"lr_schedule.warmup", 5},
                            {"lr_schedule.rate", 0.005},
                            {"device", "cpu"},
                            {"threads", 1},
                            {"training.length", "40u"},
                            {"validation.interval", "20u"},
                            {"validation.score_interval", "never"},
                            {"checkpoint.interval", "40u"}};
  for (const QString& option : model.split(' ')) request.assignments.push_back(option.toStdString());
  const RunReport report = trainRun(request);
  QVERIFY2(report.code == ExitCode::Finished, report.error.text().c_str());
  const auto validations = eventsOfKind(m_runs.path(name), 1, "validation");
  const auto nll = [](const Json& event) { return event.at("m").at("valid.nll").get<double>(); };
  QVERIFY(nll(validations.back()) < nll(validations.front()));
}

QTEST_APPLESS_MAIN(TestRelativePositions)
#include "tst_relative_positions.moc"
