// SPDX-License-Identifier: Apache-2.0
// ETC's encoder against golden values: ids and masks exactly, streams, probabilities and chains, loss and
// gradients in float64; by windows (which an observer sees) and by blocks.
#include <QTest>

#include "tests/torch/support_long_case.h"

using namespace fathom;
using namespace fathom::fixtures;

namespace {

// What an observer sees, under the names of the fixtures.
class LongRecorder : public ForwardObserver {
 public:
  std::map<std::string, torch::Tensor> values;
  bool wantsAttention() const override { return true; }
  void sublayer(const SublayerRecord& record) override {
    if (record.site.kind == SublayerKind::FeedForward)
      values[place(record.site) + word(record.site)] = record.output.detach();
  }
  void attention(const AttentionRecord& record) override {
    const std::string name = place(record.site) + "attention." + word(record.site);
    values[name + "_probabilities"] = record.probabilities.detach();
    values[name + "_chain"] = record.chain.detach();
  }
  void stackInput(StackKind stack, const torch::Tensor& x) override {
    values[std::string("embedding.") + word(stack)] = x.detach();
  }
  void stackOutput(StackKind stack, const torch::Tensor& y) override {
    values[std::string("encoder.") + word(stack)] = y.detach();
  }

 private:
  static const char* word(StackKind stack) { return stack == StackKind::Global ? "global" : "long"; }
  static const char* word(const SublayerSite& site) { return word(site.stack); }
  static std::string place(const SublayerSite& site) {
    return "encoder.layers." + std::to_string(site.layer) + ".";
  }
};

// A stack on given streams, or the whole network on tokens.
struct Network {
  explicit Network(const LongCase& c)
      : long_case(c), store(torch::TensorOptions(torch::kFloat64)), embedded(c.one.has("input.long_tokens")) {
    if (embedded)
      model = std::make_unique<Etc>(c.configuration, engineOptions(), store.options());
    else
      stack = std::make_unique<EtcStack>(store, c.configuration.encoder, c.rules, engineOptions());
    c.load(parameters());
  }
  ParameterStore& parameters() { return embedded ? model->parameters() : store; }
  GlobalLocal::Streams forward(const GlobalLocal::Streams& leaves, const StepContext& context) const {
    if (!embedded) return stack->forward(leaves, long_case.structure, context);
    const auto ids = [&](const char* name) { return long_case.one.at(name).to(torch::kInt64); };
    return model->streams({ids("input.long_tokens"), ids("input.long_segments"), ids("input.global_tokens"),
                           ids("input.global_segments"), long_case.structure},
                          context);
  }
  const LongCase& long_case;
  ParameterStore store;
  bool embedded;
  std::unique_ptr<Etc> model;
  std::unique_ptr<EtcStack> stack;
};

}  // namespace

class TestFixturesEtcAttention : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    const std::string why = absence({"etc_attention"});
    if (!why.empty()) QSKIP(why.c_str());
  }

  void everyCase_data() {
    QTest::addColumn<int>("index");
    int index = 0;
    for (const Case& place : cases("etc_attention")) QTest::newRow(place.name.c_str()) << index++;
  }

  void everyCase() {
    QFETCH(int, index);
    const TensorCase one = readCase(cases("etc_attention").at(static_cast<std::size_t>(index)));
    const LongCase c(one);
    comparePiecesOf(one, relationPieces(c.structure, c.rules));
    for (const bool observed : {true, false}) compareNetwork(c, observed);
  }

  void everyArrayIsRead() {
    const std::string left = unreadArrays("etc_attention");
    QVERIFY2(left.empty(), left.c_str());
  }

 private:
  static void compareNetwork(const LongCase& c, bool observed) {
    const Json& tolerance = c.one.json.at("tolerance");
    const double absolute = tolerance.at("abs").get<double>(), relative = tolerance.at("rel").get<double>();
    Network network(c);
    GlobalLocal::Streams leaves;
    if (!network.embedded)
      leaves = {c.one.at("input.long").clone().requires_grad_(),
                c.one.at("input.global").clone().requires_grad_()};
    LongRecorder recorder;
    StepContext context;
    if (observed) context.observer = &recorder;
    const GlobalLocal::Streams out = network.forward(leaves, context);
    if (observed) compareActivations(c, recorder, absolute, relative);
    const torch::Tensor loss = (out.longs * c.one.at("input.long_cotangent")).sum() +
                               (out.globals * c.one.at("input.global_cotangent")).sum();
    std::string wrong = difference(loss.view(1), c.one.at("output.loss"), absolute, relative);
    QVERIFY2(wrong.empty(), ("loss: " + wrong).c_str());
    loss.backward();
    wrong = c.gradientDifference(network.parameters(), "gradient");
    QVERIFY2(wrong.empty(), (std::string(observed ? "windows " : "blocks ") + wrong).c_str());
    if (network.embedded) return;
    const double slope = tolerance.at("gradients_abs").get<double>();
    for (const auto& [name, leaf] :
         {std::pair{"input.long", leaves.longs}, {"input.global", leaves.globals}}) {
      wrong = difference(leaf.grad(), c.one.at(std::string("gradient.") + name), slope, slope);
      QVERIFY2(wrong.empty(), (std::string(name) + ": " + wrong).c_str());
    }
  }

  // Stored activations are 0 at padded queries.
  static void compareActivations(const LongCase& c, const LongRecorder& recorder, double absolute,
                                 double relative) {
    int compared = 0;
    for (const auto& [name, expected] : c.one.beginning("activation.")) {
      const auto found = recorder.values.find(name);
      QVERIFY2(found != recorder.values.end(), name.c_str());
      const bool global = name.ends_with(".global") || name.find("global_") != std::string::npos;
      torch::Tensor padded = (global ? c.structure.globalContext : c.structure.context).eq(0);
      const bool streams = expected.dim() == 3;
      padded = streams ? padded.unsqueeze(2) : padded.unsqueeze(1).unsqueeze(3);
      torch::Tensor own = found->second.masked_fill(padded, 0.0);
      torch::Tensor wanted = expected;
      if (name.ends_with("_chain")) {
        const torch::Tensor unread = unreadKeys(c, global);
        own = own.masked_fill(unread, 0.0);
        wanted = wanted.masked_fill(unread, 0.0);
      }
      const std::string wrong = difference(own, wanted, absolute, relative);
      QVERIFY2(wrong.empty(), (name + ": " + wrong).c_str());
      ++compared;
    }
    QVERIFY(compared >= 4);
  }

  // Columns of a chain where no key is, or one of padding: what stands there depends on what padded queries
  // are made of, and no softmax reads it. [B, 1, queries or 1, keys]
  static torch::Tensor unreadKeys(const LongCase& c, bool global) {
    const torch::Tensor longs = c.structure.context.eq(0), globals = c.structure.globalContext.eq(0);
    if (global) return at::cat({globals, longs}, 1).unsqueeze(1).unsqueeze(1);
    const std::int64_t n = longs.size(1), r = c.rules.radius;
    const torch::Tensor window = at::constant_pad_nd(longs, {r, r}, 1).unfold(1, 2 * r + 1, 1);
    const torch::Tensor other = globals.unsqueeze(1).expand({globals.size(0), n, globals.size(1)});
    return at::cat({window, other}, 2).unsqueeze(1);
  }
};

QTEST_APPLESS_MAIN(TestFixturesEtcAttention)
#include "tst_fixtures_etc_attention.moc"
