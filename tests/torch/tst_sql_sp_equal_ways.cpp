// SPDX-License-Identifier: Apache-2.0
// Ways to the same numbers in Text-to-SQL on the made data: rows packed, padded and alone, states kept
// and computed, one thread and two; and what comes out when no search ends.
#include <ATen/Parallel.h>

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <span>

#include "core/nn/models/sql_sp.h"
#include "core/objectives/encoder_features.h"
#include "core/objectives/sql_batch_inputs.h"
#include "tests/torch/support_sql_run.h"
#include "tests/torch/support_tensors.h"

using namespace fathom;
using namespace fathom::fixtures;

namespace {

// Worst difference of gradients by name, as |a - b| <= tolerance * max(1, |b|); "" where all agree.
std::string gradientsDiffer(const std::map<std::string, torch::Tensor>& own,
                            const std::map<std::string, torch::Tensor>& expected, double tolerance) {
  if (own.empty() || own.size() != expected.size()) return "other parameters have gradients";
  for (const auto& [name, tensor] : expected) {
    const std::string wrong = layersDifference(own.at(name), tensor, tolerance);
    if (!wrong.empty()) return name + ": " + wrong;
  }
  return {};
}

const SqlSp& parserOf(const SqlSampleRun& run) {
  return dynamic_cast<const SqlSp&>(run.model());
}

}  // namespace

class TestSqlSpEqualWays : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // float32: the fused passes over packed rows against plain padded ones.
  void packedEqualsPadded() {
    const SqlSampleRun packed, padded({"model.fused_attention=false"});
    const DeviceBatch batch = packed.batch();
    QVERIFY(batch.paddedUnits > batch.array("lengths").sum().item<std::int64_t>());
    const double own = packed.lossAndGradients(batch), expected = padded.lossAndGradients(batch);
    QVERIFY2(std::abs(own - expected) <= 1e-5 * expected, std::to_string(own - expected).c_str());
    const std::string wrong = gradientsDiffer(packed.gradients(), padded.gradients(), 2e-4);
    QVERIFY2(wrong.empty(), wrong.c_str());
  }

  // float64, above the encoder, loss and gradients: a batch against its examples alone, where nothing is
  // padded.
  void batchEqualsExamplesAlone() {
    const SqlSampleRun run;
    const OptionValues options = engineOptions(
        {"model=sql_sp", "extra.residual=unnormalised", "extra.attention=relation_aware", "extra.layers=2"});
    SqlNetworkSetup setup =
        sqlSpConfiguration(options, {{"vocabulary", 8}, {"pad_id", 0}, {"relation_types", 33}}).network;
    setup.inputs = 32;
    setup.layers.setup.width = 64;
    setup.layers.feedForward = 32;
    setup.questionDropout = setup.schemaDropout = setup.decoder.dropout = 0;
    setup.decoder.hidden = 24;
    ParameterStore store{torch::TensorOptions(torch::kFloat64)};
    const SqlNetwork network(store, setup, options);
    {
      const at::NoGradGuard noGrad;
      double seed = 0;
      for (const Leaf& leaf : store.leaves()) {
        seed += 3;
        const torch::Tensor turns = at::arange(leaf.tensor.numel(), torch::kFloat64) * 0.7 + seed;
        leaf.tensor.copy_((turns.sin() * 0.15).view(leaf.tensor.sizes()));
      }
    }
    const DeviceBatch whole = run.batch();
    const TextBatch text = pieceRows(whole);
    const torch::Tensor states =
        parserOf(run).pieceStates(text, {}).detach().to(torch::kFloat64);  // those of an example are its own
    const auto lossOf = [&](const DeviceBatch& batch, const torch::Tensor& rows) {
      std::vector<std::int64_t> first;
      for (std::int64_t b = 0; b < batch.rows(); ++b) first.push_back(b * text.tokens.size(1));
      return network.loss(network.encode(rows, first, inputsOf(batch), {}), goldOf(batch), {}).loss;
    };
    const auto gradientsOf = [&store] {
      std::map<std::string, torch::Tensor> found;
      for (const Leaf& leaf : store.leaves())
        if (leaf.tensor.grad().defined()) found[leaf.name] = leaf.tensor.grad().clone();
      return found;
    };
    const torch::Tensor own = lossOf(whole, states);
    own.sum().backward();
    const auto gradients = gradientsOf();
    store.zeroGradients();
    std::vector<torch::Tensor> alone;
    for (const ExampleId& example : whole.examples) {
      const HostBatch one = run.task().makeBatchOf(DataSplit::Train, std::span(&example, 1));
      const auto place = static_cast<std::int64_t>(alone.size()) * text.tokens.size(1);
      alone.push_back(lossOf(toDevice(one, torch::kCPU), states.narrow(0, place, text.tokens.size(1))));
      alone.back().sum().backward();
    }
    QCOMPARE(layersDifference(own, at::cat(alone), 1e-10), std::string());
    QCOMPARE(gradientsDiffer(gradients, gradientsOf(), 1e-10), std::string());
  }

  // States that were kept are those that the encoder computes, entry by entry.
  void keptStatesAreComputedOnes() {
    const SqlSampleRun run({"model.sql_sp.encoder=frozen"});
    const SqlSp& parser = parserOf(run);
    const auto encode = [&](const TextBatch& rows) { return parser.pieceStates(rows, {}); };
    const QTemporaryDir folder;
    PrepareRequest request;
    request.cachePath = folder.filePath("cache").toStdString();
    request.make = true;
    const torch::TensorOptions& tensors = run.parts().model->parameters().options();
    EncoderFeatures made, read;
    const EncoderFeatures none;
    made.prepare(run.task(), "hash", encode, request, tensors);
    request.make = false;
    read.prepare(run.task(), "hash", encode, request, tensors);
    QVERIFY(made.rows() > 0);
    QCOMPARE(read.rows(), made.rows());
    for (std::int64_t i = 0; i < run.task().batchCount(DataSplit::Train); ++i) {
      const TextBatch rows = pieceRows(run.batch(i));
      const torch::Tensor computed = none.states(rows, encode, tensors),
                          kept = made.states(rows, encode, tensors),
                          again = read.states(rows, encode, tensors);
      const torch::Tensor real = rows.padding.defined()
                                     ? rows.padding.logical_not().flatten().nonzero().flatten()
                                     : at::arange(rows.tokens.numel());
      QVERIFY(kept.index_select(0, real).equal(computed.index_select(0, real)));
      QVERIFY(again.equal(kept));
    }
  }

  // Through an encoder that learns: sums of torch's own softmax, layer norm and loss run in parts that depend
  // on the threads, equal to float32's rounding; the search finds the same.
  void oneAndTwoThreads() {
    const SqlSampleRun run;
    const DeviceBatch batch = run.batch();
    const int before = at::get_num_threads();
    std::vector<double> losses;
    std::vector<std::map<std::string, torch::Tensor>> gradients;
    std::vector<std::vector<Prediction>> predictions;
    for (const int threads : {1, 2}) {
      at::set_num_threads(threads);
      losses.push_back(run.lossAndGradients(batch));
      gradients.push_back(run.gradients());
      predictions.push_back(run.objective().predict(run.model(), batch, "predict", {}));
    }
    at::set_num_threads(before);
    QVERIFY2(std::abs(losses[1] - losses[0]) <= 1e-6 * losses[0], std::to_string(losses[1]).c_str());
    const std::string wrong = gradientsDiffer(gradients[1], gradients[0], 1e-5);
    QVERIFY2(wrong.empty(), wrong.c_str());
    QCOMPARE(predictions[1].size(), predictions[0].size());
    for (std::size_t i = 0; i < predictions[0].size(); ++i) {
      QCOMPARE(predictions[1][i].ids, predictions[0][i].ids);
      QVERIFY(std::abs(predictions[1][i].score - predictions[0][i].score) <=
              1e-5 * std::max(1.0, std::abs(predictions[0][i].score)));
    }
  }

  // Above a frozen encoder every sum of the gradients runs in an order that knows nothing of threads.
  void threadsChangeNoBitAboveAFrozenEncoder() {
    const SqlSampleRun run({"model.sql_sp.encoder=frozen"});
    const DeviceBatch batch = run.batch();
    const int before = at::get_num_threads();
    std::vector<std::map<std::string, torch::Tensor>> gradients;
    for (const int threads : {1, 2}) {
      at::set_num_threads(threads);
      run.lossAndGradients(batch);
      gradients.push_back(run.gradients());
    }
    at::set_num_threads(before);
    std::string different;
    for (const auto& [name, gradient] : gradients[0]) {
      const torch::Tensor& other = gradients[1].at(name);
      if (gradient.defined() && !gradient.equal(other)) different += name + " ";
    }
    QVERIFY(gradients[0].size() > 20);
    QCOMPARE(different, std::string());
  }

  // A decoder that ends no list: a hundred steps, then no answer, which is written SELECT *.
  void nothingEnds() {
    const SqlSampleRun run;
    {
      const at::NoGradGuard noGrad;
      run.parts().model->parameters().value("decoder.production_embedding.bias")[kReduce] = -1e4;
    }
    EvaluationRequest request;
    request.decoding = "validation";
    const Evaluation result = run.objective().evaluate(run.model(), run.task(), request);
    QVERIFY(!result.predictions.empty());
    for (const Prediction& one : result.predictions) {
      QVERIFY(one.ids.empty());
      QCOMPARE(one.text, std::string("SELECT *"));
    }
    QCOMPARE(result.scores.front().id, std::string("exact_match"));
    QCOMPARE(result.scores.front().value, 0.0);
  }
};

QTEST_APPLESS_MAIN(TestSqlSpEqualWays)
#include "tst_sql_sp_equal_ways.moc"
