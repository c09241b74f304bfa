// SPDX-License-Identifier: Apache-2.0
// An encoder whose padding is left out (model.bert.row_groups, docs/models.md §2) against the same one that
// computes it: states, logits and gradients.
#include <QTest>
#include <algorithm>

#include "core/nn/models/bert.h"
#include "core/nn/residual/residual_scheme.h"
#include "tests/torch/support_tensors.h"

using namespace fathom;
using namespace fathom::fixtures;

namespace {

constexpr std::int64_t kVocabulary = 40;
constexpr float kGap = 2e-5f;

std::unique_ptr<Bert> encoder(const std::vector<std::string>& more, std::int64_t groups) {
  std::vector<std::string> assignments = {"model=bert",
                                          "model.width=32",
                                          "model.heads=4",
                                          "model.feed_forward=48",
                                          "encoder.layers=3",
                                          "model.dropout=0",
                                          "model.attention_dropout=0",
                                          "model.bert.row_groups=" + std::to_string(groups)};
  assignments.insert(assignments.end(), more.begin(), more.end());
  const OptionValues options = engineOptions(assignments);
  const ModelInputs inputs({{"vocabulary", kVocabulary}, {"pad_id", 0}, {"classes", 3}});
  auto bert = std::make_unique<Bert>(bertConfiguration(options, inputs), options,
                                     torch::TensorOptions(torch::kFloat32));
  torch::manual_seed(7);
  for (const Parameter& parameter : bert->parameters().parameters()) {
    torch::NoGradGuard guard;
    torch::Tensor value = bert->parameters().value(parameter);
    value.copy_(parameter.info.role == ParameterRole::NormWeight ? at::rand_like(value) + .5
                                                                 : at::randn_like(value) * .15);
  }
  return bert;
}

TextBatch texts(const std::vector<std::int64_t>& lengths, std::int64_t width) {
  torch::manual_seed(11);
  const auto rows = static_cast<std::int64_t>(lengths.size());
  TextBatch batch{at::randint(1, kVocabulary, {rows, width}, torch::kInt64),
                  at::randint(0, 2, {rows, width}, torch::kInt64),
                  at::arange(width).unsqueeze(0).ge(at::tensor(lengths).unsqueeze(1))};
  batch.tokens.masked_fill_(batch.padding, 0);
  if (!batch.padding.any().item<bool>()) batch.padding = torch::Tensor();
  return batch;
}

float worst(const torch::Tensor& a, const torch::Tensor& b) {
  return (a - b).abs().max().item<float>();
}

// Gradients of a loss over all of `read`, by name of the parameter.
std::map<std::string, torch::Tensor> gradients(const Bert& bert, const torch::Tensor& read) {
  read.square().mean().backward();
  std::map<std::string, torch::Tensor> byName;
  for (const Leaf& leaf : static_cast<const Model&>(bert).parameters().leaves()) {
    const torch::Tensor& gradient = leaf.tensor.grad();
    byName[leaf.name] = gradient.defined() ? gradient : at::zeros_like(leaf.tensor);
  }
  return byName;
}

}  // namespace

class PackedEncoderTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void everySchemeAndHeadAgrees_data() {
    QTest::addColumn<QString>("residual");
    QTest::addColumn<QString>("head");
    QTest::addColumn<QString>("positions");
    for (const ResidualEntry& entry : residualEntries()) {
      QTest::addRow("%s, classes", entry.id.c_str()) << QString::fromStdString(entry.id) << "classification"
                                                     << "row";
      QTest::addRow("%s, spans", entry.id.c_str()) << QString::fromStdString(entry.id) << "span"
                                                   << "row";
    }
    QTest::newRow("choices, RoBERTa's rows") << "post_ln"
                                             << "multiple_choice"
                                             << "non_pad";
    QTest::newRow("classes, DT-Fixup's rows") << "pre_ln"
                                              << "classification"
                                              << "row_from_two";
  }
  void everySchemeAndHeadAgrees() {
    QFETCH(QString, residual);
    QFETCH(QString, head);
    QFETCH(QString, positions);
    const std::vector<std::string> options = {"encoder.residual=" + residual.toStdString(),
                                              "model.bert.head=" + head.toStdString(),
                                              "model.bert.positions=" + positions.toStdString()};
    const std::unique_ptr<Bert> padded = encoder(options, 1), packed = encoder(options, 4);
    const TextBatch batch = texts({9, 21, 1, 14}, 21);
    const torch::Tensor expected = padded->hidden(batch, {}), found = packed->hidden(batch, {});
    const torch::Tensor real = batch.padding.logical_not().unsqueeze(2);
    QVERIFY(expected.abs().max().item<float>() > .1f);
    QVERIFY(worst(expected * real, found * real) < kGap * (1 + expected.abs().max().item<float>()));
    QCOMPARE(found.masked_select(batch.padding.unsqueeze(2)).abs().max().item<float>(), 0.0f);

    const torch::Tensor read = packed->headStates(batch, {});
    QCOMPARE(read.size(1), head == "span" ? batch.tokens.size(1) : std::int64_t{1});
    torch::Tensor a = padded->taskLogits(expected, {}), b = packed->taskLogits(read, {});
    if (head == "span") a = a * real, b = b * real;
    QVERIFY(worst(a, b) < kGap * (1 + a.abs().max().item<float>()));
    const auto wanted = gradients(*padded, a), got = gradients(*packed, b);
    QCOMPARE(got.size(), wanted.size());
    for (const auto& [name, gradient] : wanted) {
      const float size = gradient.abs().max().item<float>();
      const float gap = worst(gradient, got.at(name));
      QVERIFY2(gap < 10 * kGap * std::max(size, 1e-2f),
               qPrintable(QString("%1: %2 of %3").arg(name.c_str()).arg(gap).arg(size)));
    }
  }

  void textsWithoutPaddingReadTheFirstTokensToo() {
    const std::vector<std::string> options = {"model.bert.head=classification"};
    const std::unique_ptr<Bert> padded = encoder(options, 1), packed = encoder(options, 2);
    const TextBatch batch = texts({12, 12}, 12);
    const torch::Tensor read = packed->headStates(batch, {});
    QCOMPARE(read.sizes(), (torch::IntArrayRef{2, 1, 32}));
    QVERIFY(worst(read.select(1, 0), padded->hidden(batch, {}).select(1, 0)) < kGap);
  }

  // Where scores are handed on, rows go in groups as before.
  void scoreChainsAreNotPacked() {
    const std::vector<std::string> options = {"model.bert.head=classification",
                                              "encoder.self_attention.score_chain=sum"};
    const std::unique_ptr<Bert> padded = encoder(options, 1), grouped = encoder(options, 2);
    const TextBatch batch = texts({9, 21, 1, 14}, 21);
    const torch::Tensor read = grouped->headStates(batch, {});
    QCOMPARE(read.size(1), batch.tokens.size(1));
    QVERIFY(worst(read.select(1, 0), padded->hidden(batch, {}).select(1, 0)) < kGap);
  }
};

QTEST_APPLESS_MAIN(PackedEncoderTest)
#include "tst_packed_encoder.moc"
