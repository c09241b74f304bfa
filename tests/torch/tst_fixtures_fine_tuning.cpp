// SPDX-License-Identifier: Apache-2.0
// Heads and losses of fine-tuning, and ten updates of each: float64 against values computed elsewhere.
#include <QTest>
#include <cmath>
#include <numeric>
#include <tuple>

#include "core/nn/models/bert.h"
#include "core/objectives/answer_losses.h"
#include "core/optim/lr_schedule.h"
#include "core/optim/rate_groups.h"
#include "core/train/loop/update_step.h"
#include "core/train/state/data_cursor.h"
#include "tests/torch/support_tensors.h"

using namespace fathom;
using namespace fathom::fixtures;

namespace {

std::vector<TensorCase> tensorCases(const std::vector<Case>& places, const std::string& word) {
  std::vector<TensorCase> found;
  for (const Case& place : places) {
    if (place.name.find(word) == std::string::npos || place.file(".safetensors").empty()) continue;
    found.push_back(readCase(place));
  }
  return found;
}

TensorCase only(const std::vector<TensorCase>& found) {
  if (found.size() != 1)
    throw Failure(dataError(std::to_string(found.size()) + " cases where one is expected"));
  return found.front();
}

// What the case calls a parameter in our terms.
std::string ownName(const std::string& name, const std::string& head) {
  for (const char* theirs : {"classifier", "qa_outputs"})
    if (name.starts_with(theirs)) return head + name.substr(std::string(theirs).size());
  return name;
}

std::unique_ptr<Bert> headModel(const std::string& head, std::int64_t width, std::int64_t outputs,
                                const std::string& input = "pooled") {
  const OptionValues options =
      engineOptions({"model=bert", "model.width=" + std::to_string(width), "model.heads=1",
                     "model.feed_forward=4", "encoder.layers=1", "model.dropout=0",
                     "model.attention_dropout=0", "model.bert.max_positions=8", "model.bert.head=" + head,
                     "model.bert.head_input=" + input, "model.bert.classes=" + std::to_string(outputs)});
  std::unique_ptr<Model> model =
      buildModel(options, ModelInputs{{"vocabulary", 8}, {"pad_id", 0}}, torch::kFloat64).value();
  return std::unique_ptr<Bert>(dynamic_cast<Bert*>(model.release()));
}

void put(Bert& model, const std::string& name, const torch::Tensor& value) {
  torch::Tensor own = model.parameters().value(name);
  const torch::NoGradGuard noGrad;
  own.copy_(value);
}

// The gradient of a parameter in the place where it is kept.
torch::Tensor gradientOf(const Model& model, const std::string& name) {
  const Parameter* parameter = model.parameters().find(name);
  if (parameter == nullptr) throw Failure(dataError("no parameter " + name));
  const torch::Tensor gradient = model.parameters().leaves()[parameter->leaf].tensor.grad();
  return gradient.defined() ? gradient : at::zeros_like(model.parameters().value(name));
}

void compare(const TensorCase& one, const std::string& key, const torch::Tensor& own, double least = 0) {
  const double abs = std::max(one.json.at("tolerance").at("abs").get<double>(), least);
  const std::string wrong = difference(own.detach().reshape(one.at(key).sizes()), one.at(key), abs,
                                       one.json.at("tolerance").at("rel"));
  QVERIFY2(wrong.empty(), (one.name + " " + key + ": " + wrong).c_str());
}

// w <- w - rate gradient.
class Descent : public Optimizer {
 public:
  using Optimizer::Optimizer;

 protected:
  MomentUpdate rates(const OptimizerParameter&, std::int64_t, double rate,
                     double gradientScale) const override {
    MomentUpdate u;
    u.beta1 = 0;
    u.beta2 = 1;
    u.eps = 1;
    u.gradientScale = gradientScale;
    u.decay = 1;
    u.rootScale = 1;
    u.stepSize = rate;
    return u;
  }
};

// One question a batch, in given orders.
class OrderedQuestions : public Task {
 public:
  explicit OrderedQuestions(std::vector<std::vector<std::int64_t>> orders) : m_orders(std::move(orders)) {}
  std::int64_t exampleCount(DataSplit) const override {
    return static_cast<std::int64_t>(m_orders[0].size());
  }
  std::int64_t batchCount(DataSplit split) const override { return exampleCount(split); }
  std::int64_t batchTargetUnits(DataSplit, std::int64_t) const override { return 1; }
  HostBatch makeBatch(DataSplit, std::int64_t) const override { return {}; }
  std::vector<std::int64_t> epochOrder(std::uint64_t, std::int64_t epoch) const override {
    return m_orders[static_cast<std::size_t>(epoch) % m_orders.size()];
  }
  std::map<std::string, std::int64_t> sizes() const override { return {}; }
  std::vector<DataHash> dataHashes() const override { return {}; }
  Json statistics() const override { return {}; }
  ExampleTexts exampleTexts(DataSplit, ExampleId) const override { return {}; }
  void complete(std::vector<Prediction>&) const override {}
  Result<std::vector<TaskScore>> score(DataSplit, const std::vector<Prediction>&) const override {
    return std::vector<TaskScore>();
  }
  Result<std::vector<HostBatch>> batchesFromText(std::span<const std::string>, TextFindings*) const override {
    return std::vector<HostBatch>();
  }

 private:
  std::vector<std::vector<std::int64_t>> m_orders;
};

}  // namespace

class TestFixturesFineTuning : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    if (const std::string why = absence({"glue", "squad", "multiple_choice", "fine_tune_steps"});
        !why.empty())
      QSKIP(why.c_str());
  }

  // The pooled vectors come from a pooler that changes nothing: identity below the tanh.
  void classHeads() {
    const auto found = tensorCases(cases("glue"), "glue_head");
    QVERIFY(!found.empty());
    for (const TensorCase& one : found) {
      const torch::Tensor pooled = one.at("input.pooled");
      const std::int64_t width = pooled.size(1), outputs = one.at("parameter.classifier.weight").size(0);
      const auto model = headModel("classification", width, outputs);
      const double scale = 2 * pooled.abs().max().item<double>();
      // tanh(atanh(p / scale)) = p / scale; the head's weights take the scale back.
      put(*model, "pooler.weight", at::eye(width, torch::kFloat64));
      put(*model, "classification.weight", one.at("parameter.classifier.weight") * scale);
      put(*model, "classification.bias", one.at("parameter.classifier.bias"));
      const torch::Tensor hidden =
          at::atanh(pooled / scale).unsqueeze(1).repeat({1, 3, 1}).detach().set_requires_grad(true);
      const torch::Tensor logits = model->taskLogits(hidden, {});
      const torch::Tensor target = one.at("input.target");
      const torch::Tensor loss = (outputs == 1 ? summedSquaredError(logits, target)
                                               : summedCrossEntropy(logits, target.to(torch::kInt64))) /
                                 static_cast<double>(pooled.size(0));
      loss.backward();
      compare(one, "output.logits", logits, 1e-11);
      compare(one, "output.loss", loss, 1e-11);
      const torch::Tensor inner = hidden.grad().select(1, 0) / (1 - (pooled / scale).square()) / scale;
      compare(one, "gradient.input.pooled", inner, 1e-11);
      compare(one, "gradient.classifier.weight", gradientOf(*model, "classification.weight") * scale, 1e-10);
      compare(one, "gradient.classifier.bias", gradientOf(*model, "classification.bias"), 1e-11);
    }
  }

  void spanHead() {
    const TensorCase one = only(tensorCases(cases("squad"), "squad_head"));
    const torch::Tensor hidden = one.at("input.hidden").clone().set_requires_grad(true);
    const auto model = headModel("span", hidden.size(2), 2);
    put(*model, "span.weight", one.at("parameter.qa_outputs.weight"));
    put(*model, "span.bias", one.at("parameter.qa_outputs.bias"));
    const torch::Tensor logits = model->taskLogits(hidden, {});
    const torch::Tensor loss = summedSpanLoss(logits, one.at("input.target").to(torch::kInt64)) /
                               static_cast<double>(hidden.size(0));
    loss.backward();
    compare(one, "output.logits", logits);
    compare(one, "output.loss", loss);
    compare(one, "gradient.input.hidden", hidden.grad());
    compare(one, "gradient.qa_outputs.weight", gradientOf(*model, "span.weight"));
    compare(one, "gradient.qa_outputs.bias", gradientOf(*model, "span.bias"));
  }

  void choiceHeads() {
    const TensorCase one = only(tensorCases(cases("multiple_choice"), "multiple_choice_head"));
    const torch::Tensor labels = one.at("input.labels").to(torch::kInt64);
    const torch::Tensor choices = at::full_like(labels, one.at("input.hidden").size(0) / labels.size(0));
    for (const std::string input : {"pooled", "first"}) {
      const torch::Tensor hidden = one.at("input.hidden").clone().set_requires_grad(true);
      const auto model = headModel("multiple_choice", hidden.size(2), 1, input);
      std::vector<std::string> parameters = {"classifier.weight", "classifier.bias"};
      if (input == "pooled") parameters.insert(parameters.end(), {"pooler.weight", "pooler.bias"});
      QCOMPARE(model->parameters().find("pooler.weight") != nullptr, input == "pooled");
      for (const std::string& name : parameters)
        put(*model, ownName(name, "multiple_choice"), one.at("parameter." + name));
      const torch::Tensor logits = scoresByQuestion(model->taskLogits(hidden, {}).squeeze(1), choices);
      const torch::Tensor loss = summedCrossEntropy(logits, labels) / static_cast<double>(labels.size(0));
      loss.backward();
      compare(one, "output." + input + ".logits", logits);
      compare(one, "output." + input + ".loss", loss);
      compare(one, "gradient." + input + ".input.hidden", hidden.grad());
      for (const std::string& name : parameters)
        compare(one, "gradient." + input + "." + name, gradientOf(*model, ownName(name, "multiple_choice")));
    }
  }

  // Fewer answers than others: what is not there takes no share.
  void unequalChoices() {
    const torch::Tensor scores =
        at::tensor({1.0, 2.0, 0.5, -1.0, 3.0}, torch::kFloat64).set_requires_grad(true);
    const torch::Tensor all = scoresByQuestion(scores, at::tensor({2, 3}, torch::kInt64));
    const torch::Tensor loss = summedCrossEntropy(all, at::tensor({1, 2}, torch::kInt64));
    const double first = std::log(1 + std::exp(-1.0));
    const double second = std::log(std::exp(0.5) + std::exp(-1.0) + std::exp(3.0)) - 3.0;
    QVERIFY(std::abs(loss.item<double>() - first - second) < 1e-12);
    loss.backward();
    QVERIFY(scores.grad().isfinite().all().item<bool>());
  }

  // Left-over micro-batches of an epoch: one question each, plain descent on the scores x w.
  void leftOvers() {
    const TensorCase one = only(tensorCases(cases("multiple_choice"), "accumulation"));
    const Json& c = one.json.at("config");
    const auto accumulation = c.at("accumulation").get<std::int64_t>();
    const auto epochs = c.at("epochs").get<std::int64_t>();
    const OrderedQuestions task(c.at("orders").get<std::vector<std::vector<std::int64_t>>>());
    for (const auto& [name, rule] :
         {std::pair{"carried", LeftOver::Carried}, std::pair{"dropped", LeftOver::Dropped},
          std::pair{"stepped", LeftOver::Stepped}}) {
      const std::string key = std::string("output.") + name;
      torch::Tensor w = one.at("parameter.w").clone().set_requires_grad(true);
      Descent descent({{"w", w}});
      UpdateStep update(descent, Normalisation::PerAccumulation, ClipRule::Off, 0, accumulation);
      DataCursor cursor(task, 1, accumulation, {}, rule);
      const torch::Tensor wanted = one.at(key + ".w"), losses = one.at(key + ".micro_losses");
      std::vector<std::int64_t> counts;
      std::int64_t micro = 0, in = 0;
      update.begin();
      while (static_cast<std::int64_t>(counts.size()) < wanted.size(0)) {
        const PlannedBatch planned = cursor.next();
        QVERIFY(planned.epoch < epochs);
        const torch::Tensor scores = at::matmul(one.at("input.x")[planned.index], w).unsqueeze(0);
        const torch::Tensor label = one.at("input.labels").to(torch::kInt64)[planned.index].unsqueeze(0);
        LossTerms terms{summedCrossEntropy(scores, label), 1, {}};
        const std::int64_t place =
            rule == LeftOver::Dropped
                ? planned.epoch * static_cast<std::int64_t>(c.at("questions")) +
                      micro % (static_cast<std::int64_t>(c.at("questions")) / accumulation * accumulation)
                : micro;
        const double loss = terms.loss.item<double>() / static_cast<double>(accumulation);
        QVERIFY2(std::abs(loss - losses[place].item<double>()) <= 1e-12 + 1e-10 * loss, name);
        ++micro;
        ++in;
        update.add(terms);
        if (!planned.lastOfUpdate) continue;
        update.apply(c.at("learning_rate").get<double>());
        const std::string wrong =
            difference(w.detach(), wanted[static_cast<std::int64_t>(counts.size())], 1e-12, 1e-10);
        QVERIFY2(wrong.empty(), (std::string(name) + ": " + wrong).c_str());
        counts.push_back(in);
        in = 0;
        update.begin();
      }
      const Json& expected = one.json.at("expected").at(name);
      QCOMPARE(counts, expected.at("micro_batches_per_update").get<std::vector<std::int64_t>>());
      QCOMPARE(static_cast<std::int64_t>(counts.size()), expected.at("updates").get<std::int64_t>());
      if (rule == LeftOver::Stepped)
        QCOMPARE(updatesPerEpoch(c.at("questions"), accumulation, rule) * epochs,
                 static_cast<std::int64_t>(counts.size()));
    }
  }

  // ReClor's 4,638 questions, 24 an update: 6 are left over, and the first update of every later epoch holds
  // 30 (docs/optimisers.md §7).
  void thirtyAfterSix() {
    constexpr std::int64_t kQuestions = 4638, kAccumulation = 24, kWhole = kQuestions / kAccumulation;
    std::vector<std::int64_t> order(kQuestions);
    std::iota(order.begin(), order.end(), std::int64_t{0});
    const OrderedQuestions task({order});
    for (const auto& [rule, first, updates] : {std::tuple{LeftOver::Carried, std::int64_t{30}, kWhole},
                                               {LeftOver::Dropped, kAccumulation, kWhole},
                                               {LeftOver::Stepped, kAccumulation, kWhole + 1}}) {
      QCOMPARE(updatesPerEpoch(kQuestions, kAccumulation, rule), updates);
      DataCursor cursor(task, 1, kAccumulation, {}, rule);
      for (std::int64_t update = 0; update < 2 * updates + 1; ++update) {
        std::int64_t in = 1;
        while (!cursor.next().lastOfUpdate) ++in;
        const bool opens = update > 0 && update % updates == 0;
        const bool closes = rule == LeftOver::Stepped && update % updates == updates - 1;
        QCOMPARE(in, closes ? kQuestions % kAccumulation : opens ? first : kAccumulation);
      }
    }
  }

  void updates_data() {
    QTest::addColumn<int>("index");
    const auto all = cases("fine_tune_steps");
    for (std::size_t i = 0; i < all.size(); ++i) QTest::newRow(all[i].name.c_str()) << static_cast<int>(i);
  }

  void updates() {
    QFETCH(const int, index);
    const TensorCase one = readCase(cases("fine_tune_steps")[static_cast<std::size_t>(index)]);
    const Json& c = one.json.at("config");
    const std::unique_ptr<Model> built = modelOf(c, one.at("parameter." + headOf(one) + ".bias").size(0));
    auto& model = dynamic_cast<Bert&>(*built);
    load(one, model);
    const std::unique_ptr<Optimizer> optimizer = optimizerOf(model.parameters(), c);
    UpdateStep update(*optimizer, Normalisation::PerUnit, ClipRule::Bert, c.at("clip").get<double>());
    const LrScheduleSettings schedule = scheduleOf(c);
    const auto factor = c.at("learning_rates").size() > 1 ? c.at("learning_rates")[1].get<double>() : 0;
    const auto batches = c.at("batches").get<std::vector<std::vector<std::int64_t>>>();
    for (std::size_t step = 0; step < batches.size(); ++step) {
      update.begin();
      const LossTerms terms = lossOf(one, model, batches[step]);
      update.add(terms);
      const auto at = static_cast<std::int64_t>(step);
      const auto check = [&](const char* key, double own, std::int64_t column, double abs) {
        const torch::Tensor expected = one.at(key)[at];
        const double wanted = (expected.dim() == 0 ? expected : expected[column]).item<double>();
        QVERIFY2(std::abs(own - wanted) <= abs + 1e-8 * std::abs(wanted),
                 (std::string(key) + " of update " + std::to_string(step + 1)).c_str());
      };
      check("output.losses", terms.loss.item<double>() / static_cast<double>(terms.units), 0, 1e-9);
      check("output.gradient_norms", update.gradientNorm(), 0, 1e-8);
      const double rate = learningRate(schedule, at);
      check("output.learning_rates", rate, 0, 1e-12);
      if (factor > 0) check("output.learning_rates", rate * factor / schedule.rate, 1, 1e-12);
      update.apply(rate);
    }
    checkEnd(one, model);
  }

  // Last: every array of the cases was looked at by a test above or belongs to one without torch.
  void everyArrayIsRead() {
    for (const char* area : {"glue", "squad", "multiple_choice", "fine_tune_steps"}) {
      const std::string unread = unreadArrays(area, [](const Json& json) {
        const std::string name = json.at("case").get<std::string>();
        return name.find("_head") != std::string::npos || name.find("accumulation") != std::string::npos ||
               name.starts_with("fine_tune");
      });
      QVERIFY2(unread.empty(), unread.c_str());
    }
  }

 private:
  static std::string text(const Json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
  }

  static std::string headOf(const TensorCase& one) {
    return one.has("parameter.qa_outputs.bias") ? "qa_outputs" : "classifier";
  }

  static std::unique_ptr<Model> modelOf(const Json& c, std::int64_t classes) {
    const bool extra = c.contains("extra_layers");
    std::vector<std::string> assignments = {extra ? "model=extra_layers" : "model=bert",
                                            "model.width=" + text(c.at("d_model")),
                                            "model.heads=" + text(c.at("heads")),
                                            "model.feed_forward=" + text(c.at("feed_forward")),
                                            "model.activation=" + text(c.at("activation")),
                                            "model.dropout=0",
                                            "model.attention_dropout=0",
                                            "encoder.layers=" + text(c.at("encoder_layers")),
                                            "encoder.residual=" + text(c.at("encoder_scheme")),
                                            "encoder.self_attention.score_chain=" + text(c.at("chain")),
                                            "model.bert.max_positions=" + text(c.at("max_positions")),
                                            "model.bert.segments=" + text(c.at("segments")),
                                            "model.bert.norm_eps=" + text(c.at("eps")),
                                            "model.bert.head=" + text(c.at("head")),
                                            "model.bert.classes=0"};
    if (extra) {
      for (const std::string& more :
           {"extra.layers=" + text(c.at("extra_layers")), std::string("extra.residual=unnormalised"),
            std::string("extra.attention=multi_head"),
            "model.extra_layers.heads=" + text(c.at("extra_heads")),
            "model.extra_layers.feed_forward=" + text(c.at("extra_feed_forward")),
            std::string("model.extra_layers.activation=relu"),
            std::string("model.extra_layers.query_key_value_bias=true"),
            std::string("model.bert.head_input=first")})
        assignments.push_back(more);
    }
    return buildModel(engineOptions(assignments),
                      ModelInputs{{"vocabulary", c.at("vocabulary").get<std::int64_t>()},
                                  {"pad_id", 0},
                                  {"classes", classes}},
                      torch::kFloat64)
        .value();
  }

  static void load(const TensorCase& one, Bert& model) {
    std::map<std::string, torch::Tensor> own;
    const std::string head = headName(one);
    for (const auto& [name, value] : one.beginning("parameter.")) own[ownName(name, head)] = value;
    model.parameters().load(own).value();
  }

  static std::string headName(const TensorCase& one) { return text(one.json.at("config").at("head")); }

  static LossTerms lossOf(const TensorCase& one, const Bert& model,
                          const std::vector<std::int64_t>& examples) {
    const std::string head = headName(one);
    const torch::Tensor chosen = at::tensor(examples, torch::kInt64);
    const std::int64_t rowsOfOne = one.at("input.tokens").size(0) / one.at("input.target").size(0);
    const torch::Tensor rows =
        (chosen.unsqueeze(1) * rowsOfOne + at::arange(rowsOfOne, torch::kInt64).unsqueeze(0)).flatten();
    const auto some = [&](const char* key) { return one.at(key).index_select(0, rows).to(torch::kInt64); };
    const torch::Tensor padding = some("input.mask").eq(0);
    const TextBatch batch{some("input.tokens"), some("input.segments"),
                          padding.any().item<bool>() ? padding : torch::Tensor()};
    const torch::Tensor target = one.at("input.target").index_select(0, chosen).to(torch::kInt64);
    const torch::Tensor logits = model.taskLogits(model.hidden(batch, {}), {});
    LossTerms terms;
    terms.units = chosen.size(0);
    if (head == "span")
      terms.loss = summedSpanLoss(logits, target);
    else if (head == "classification")
      terms.loss = summedCrossEntropy(logits, target);
    else
      terms.loss =
          summedCrossEntropy(scoresByQuestion(logits.squeeze(1), at::full_like(target, rowsOfOne)), target);
    return terms;
  }

  static std::unique_ptr<Optimizer> optimizerOf(const ParameterStore& store, const Json& c) {
    const bool corrected = text(c.at("optimizer")) != "bert_adamw";
    std::vector<OptimizerParameter> parameters;
    for (const Leaf& leaf : store.leaves()) {
      OptimizerParameter parameter{leaf.name, leaf.tensor};
      const bool bare =
          leaf.name.find("bias") != std::string::npos || leaf.name.find("layer_norm") != std::string::npos;
      parameter.weightDecay = bare ? 0 : c.at("weight_decay").get<double>();
      parameters.push_back(parameter);
    }
    const Json& rates = c.at("learning_rates");
    if (rates.size() > 1) {
      const std::string factor = jsonNumber(rates[1].get<double>() / rates[0].get<double>());
      applyRateGroups({"extra.=" + factor, "multiple_choice.=" + factor}, parameters).value();
    }
    std::vector<std::string> assignments = {"optimizer=" + std::string(corrected ? "adam" : "bert_adamw"),
                                            "optimizer.beta1=" + text(c.at("beta1")),
                                            "optimizer.beta2=" + text(c.at("beta2")),
                                            "optimizer.eps=" + text(c.at("adam_eps"))};
    if (corrected) assignments.push_back("optimizer.adam.decay_place=after");
    const OptionValues options = engineOptions(assignments);
    for (const OptimizerEntry& entry : optimizerEntries())
      if (entry.id == (corrected ? "adam" : "bert_adamw")) return entry.make(options, parameters);
    return nullptr;
  }

  static LrScheduleSettings scheduleOf(const Json& c) {
    LrScheduleSettings schedule;
    schedule.id = text(c.at("schedule")) == "bert" ? "bert" : "linear";
    schedule.rate = c.at("learning_rates")[0].get<double>();
    schedule.warmup = c.at("warmup").get<double>();
    schedule.initialRate = schedule.minimumRate = 0;
    schedule.totalUpdates = c.at("total_steps").get<double>();
    return schedule;
  }

  static void checkEnd(const TensorCase& one, const Model& model) {
    const std::string head = headName(one);
    for (const auto& [name, expected] : one.beginning("final.")) {
      const std::string wrong =
          difference(model.parameters().value(ownName(name, head)), expected, 1e-8, 1e-8);
      QVERIFY2(wrong.empty(), (name + ": " + wrong).c_str());
    }
    const auto names = one.json.at("config").at("parameter_names").get<std::vector<std::string>>();
    const torch::Tensor norms = one.at("output.final_norms");
    QCOMPARE(norms.size(0), static_cast<std::int64_t>(names.size()));
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i].find("key.bias") != std::string::npos) continue;  // zero up to rounding
      const double own = model.parameters().value(ownName(names[i], head)).norm().item<double>();
      const double wanted = norms[static_cast<std::int64_t>(i)].item<double>();
      QVERIFY2(std::abs(own - wanted) <= 1e-8 + 1e-8 * wanted, names[i].c_str());
    }
  }
};

QTEST_APPLESS_MAIN(TestFixturesFineTuning)
#include "tst_fixtures_fine_tuning.moc"
