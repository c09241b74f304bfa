// SPDX-License-Identifier: Apache-2.0
// An encoder whose padding is left out (model.bert.row_groups, docs/models.md §2) against the same one that
// computes it: states, logits and gradients, also through extra layers on top; and what enters them.
#include <QTest>
#include <algorithm>
#include <map>
#include <set>

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
  auto built = buildModel(options, inputs, torch::TensorOptions(torch::kFloat32));
  if (!built.ok()) throw Failure(built.error());
  std::unique_ptr<Bert> bert(dynamic_cast<Bert*>(built->release()));
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

// Three layers of an encoder and two extra ones.
std::unique_ptr<Bert> deeper(std::vector<std::string> more, std::int64_t groups) {
  for (const char* option : {"model=extra_layers", "model.bert.head=multiple_choice", "extra.layers=2",
                             "model.extra_layers.heads=4", "model.extra_layers.feed_forward=24"})
    more.push_back(option);
  return encoder(more, groups);
}

// Largest entry of everything that enters layers, by stack; nothing else is looked at.
class Entering : public ForwardObserver {
 public:
  bool layerInputsAlone() const override { return true; }
  void layerInput(StackKind stack, std::string_view, const torch::Tensor& states,
                  const torch::Tensor& padding) override {
    const torch::Tensor real = padding.defined() ? states.masked_fill(padding.unsqueeze(2), 0) : states;
    largest[stack] = std::max(largest[stack], real.norm(2, -1).max().item<float>());
  }
  void stackOutput(StackKind stack, const torch::Tensor&) override { ran.insert(stack); }
  std::map<StackKind, float> largest;
  std::set<StackKind> ran;
};

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

  void extraLayersAgree_data() {
    QTest::addColumn<QStringList>("options");
    const QString top = "model.extra_layers.encoder=top";
    QTest::newRow("no norms") << QStringList{"extra.residual=unnormalised"};
    QTest::newRow("Post-LN") << QStringList{"extra.residual=post_ln"};
    QTest::newRow("Pre-LN") << QStringList{"extra.residual=pre_ln"};
    QTest::newRow("top layers learn") << QStringList{top, "model.extra_layers.trained_layers=1"};
    QTest::newRow("relations") << QStringList{"extra.attention=relation_aware"};
    QTest::newRow("a chain above") << QStringList{"extra.residual=post_ln",
                                                  "extra.self_attention.score_chain=sum"};
    QTest::newRow("a chain below") << QStringList{"encoder.self_attention.score_chain=sum"};
  }
  void extraLayersAgree() {
    QFETCH(QStringList, options);
    std::vector<std::string> given;
    for (const QString& option : options) given.push_back(option.toStdString());
    const std::unique_ptr<Bert> padded = deeper(given, 1), packed = deeper(given, 4);
    const TextBatch batch = texts({9, 21, 1, 14}, 21);
    const torch::Tensor expected = padded->hidden(batch, {}), found = packed->hidden(batch, {});
    const torch::Tensor real = batch.padding.logical_not().unsqueeze(2);
    QVERIFY(expected.abs().max().item<float>() > .1f);
    QVERIFY(worst(expected * real, found * real) < kGap * (1 + expected.abs().max().item<float>()));
    const torch::Tensor a = padded->taskLogits(expected, {});
    const torch::Tensor b = packed->taskLogits(packed->headStates(batch, {}), {});
    QVERIFY(worst(a, b) < kGap * (1 + a.abs().max().item<float>()));
    const auto wanted = gradients(*padded, a), got = gradients(*packed, b);
    for (const auto& [name, gradient] : wanted) {
      const float size = gradient.abs().max().item<float>();
      QVERIFY2(worst(gradient, got.at(name)) < 10 * kGap * std::max(size, 1e-2f), name.c_str());
    }
  }

  void extraLayersOnKeptStatesComputeTheFirstTokenAlone() {
    const std::vector<std::string> options = {"model.extra_layers.encoder=frozen"};
    const std::unique_ptr<Bert> padded = deeper(options, 1), packed = deeper(options, 4);
    const TextBatch batch = texts({9, 21, 1, 14}, 21);
    const torch::Tensor kept = padded->encoderStates(batch, {});
    const torch::Tensor read = packed->headStatesAbove(kept, batch, {});
    QCOMPARE(read.sizes(), (torch::IntArrayRef{4, 1, 32}));
    const torch::Tensor expected = padded->extraStates(kept, batch, {}).select(1, 0);
    QVERIFY(worst(read.select(1, 0), expected) < kGap * (1 + expected.abs().max().item<float>()));
  }

  // What lies below the layers that learn is the same in every update and may be kept.
  void statesBelowTheTopLayersAreKept_data() {
    QTest::addColumn<QString>("residual");
    QTest::addColumn<int>("groups");
    for (const char* residual : {"post_ln", "pre_ln"})
      for (const int groups : {1, 4}) QTest::addRow("%s, %d groups", residual, groups) << residual << groups;
  }
  void statesBelowTheTopLayersAreKept() {
    QFETCH(QString, residual);
    QFETCH(int, groups);
    const std::vector<std::string> options = {"model.extra_layers.encoder=top",
                                              "model.extra_layers.trained_layers=1", "model.dropout=.3",
                                              "encoder.residual=" + residual.toStdString()};
    const std::unique_ptr<Bert> whole = deeper(options, groups), kept = deeper(options, groups);
    QVERIFY(kept->keepsStates());
    const TextBatch batch = texts({9, 21, 1, 14}, 21);
    const StepContext learning{.seed = 5, .training = true};
    const torch::Tensor below = kept->frozenStates(batch);
    QVERIFY(!below.requires_grad());
    const torch::Tensor a = whole->taskLogits(whole->headStates(batch, learning), learning);
    const torch::Tensor b = kept->taskLogits(kept->headStatesAbove(below, batch, learning), learning);
    QVERIFY(worst(a, kept->taskLogits(kept->headStatesAbove(below, batch, {}), {})) > 1e-3f);  // dropout acts
    QVERIFY(worst(a, b) < kGap * (1 + a.abs().max().item<float>()));
    const auto wanted = gradients(*whole, a), got = gradients(*kept, b);
    float learned = 0;
    for (const auto& [name, gradient] : wanted) {
      const float size = gradient.abs().max().item<float>();
      QVERIFY2(worst(gradient, got.at(name)) < 10 * kGap * std::max(size, 1e-2f), name.c_str());
      if (name.starts_with("encoder.layers.2.")) learned = std::max(learned, size);
      if (name.starts_with("encoder.layers.1.") || name.starts_with("embedding.")) QCOMPARE(size, 0.0f);
    }
    QVERIFY(learned > 1e-6f);
  }

  void chainsOfScoresHaveNoPlaceToCut() {
    QVERIFY(!deeper({"model.extra_layers.encoder=top", "encoder.self_attention.score_chain=sum"}, 4)
                 ->keepsStates());
    QVERIFY(!deeper({"model.extra_layers.encoder=trained"}, 4)->keepsStates());
    QVERIFY(deeper({"model.extra_layers.encoder=frozen"}, 4)->keepsStates());
  }

  // DT-Fixup's µ: the same vectors enter, and no layer above them is run.
  void whatEntersIsSeenWithoutTheLayersAbove() {
    const TextBatch batch = texts({9, 21, 1, 14}, 21);
    Entering padded, packed;
    deeper({}, 1)->headStates(batch, {.observer = &padded});
    deeper({}, 4)->headStates(batch, {.observer = &packed});
    QCOMPARE(padded.largest.size(), std::size_t{2});
    for (const auto& [stack, largest] : padded.largest) {
      QVERIFY(largest > .1f);
      QVERIFY(std::abs(packed.largest.at(stack) - largest) < kGap * largest);
    }
    QVERIFY(!padded.ran.contains(StackKind::Extra) && packed.ran.empty());
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
