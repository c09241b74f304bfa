// SPDX-License-Identifier: Apache-2.0
// The start of a training of SQL-SP and its first updates: µ of both definitions, what is scaled, losses,
// rates, clipping and the weights after six updates.
#include <QTest>
#include <cmath>

#include "core/init/dt_fixup.h"
#include "core/optim/lr_schedule.h"
#include "core/optim/rate_groups.h"
#include "core/train/loop/update_step.h"
#include "tests/torch/support_sql_case.h"

using namespace fathom;
using namespace fathom::fixtures;

namespace {

bool near(double a, double b, double tolerance) {
  return std::abs(a - b) <= tolerance * std::max(1.0, std::abs(b));
}

// The case of the area that holds examples and first parameters; the others begin where it ends.
TensorCase startCase() {
  for (const Case& place : cases("sql_sp_steps")) {
    TensorCase one = readCase(place);
    if (one.has("output.mu")) return one;
  }
  throw Failure(dataError("the area sql_sp_steps has no case with its examples"));
}

// Norms by part, those of what the projections give too.
class PartObserver : public ForwardObserver {
 public:
  InputNorm norm, projected;
  void layerInput(StackKind, std::string_view part, const torch::Tensor& states,
                  const torch::Tensor& padding) override {
    norm.add(std::string(part), states, padding);
    if (part.empty()) return projected.add(m_part, states, padding);
    m_part = part;
  }

 private:
  std::string m_part;
};

// The network on its stand-in for a pre-trained encoder: one map.
class SteppedModel {
 public:
  explicit SteppedModel(const TensorCase& start) : m_start(start), m_model(setupOf(start)) {
    ParameterInfo info;
    info.name = "pretrained.projection.weight";
    m_pretrained = m_model.parameters().add(info, start.at("parameter." + info.name).sizes());
    loadSqlParameters(start, m_model.parameters());
  }
  NetworkModel& model() { return m_model; }

  // An observer sees one example at a time.
  PartObserver measured() const {
    const at::NoGradGuard noGrad;
    PartObserver observer;
    StepContext context;
    context.observer = &observer;
    for (int i = 0; m_start.has("input.features." + std::to_string(i)); ++i) {
      const SqlCaseBatch batch = sqlBatch(m_start, {i});
      m_model.network().projected(statesOf(i), {0}, batch.inputs, context);
    }
    return observer;
  }

  // Of every example, differentiable.
  torch::Tensor losses(const std::vector<int>& examples) const {
    std::vector<torch::Tensor> states;
    for (const int i : examples) states.push_back(statesOf(i));
    const SqlCaseStates joined = joinedStates(states);
    const SqlCaseBatch batch = sqlBatch(m_start, examples);
    const SqlNetwork& network = m_model.network();
    return network.loss(network.encode(joined.rows, joined.first, batch.inputs, {}), batch.actions, {}).loss;
  }

  void scale(double factor) {
    const OptionValues options = engineOptions();
    InitTarget target{m_model, options, 1, {}, {}, 0, nullptr};
    scaleDtFixup(target, StackKind::Extra, DtFixupForm::Relational, factor);
  }

 private:
  static SqlNetworkSetup setupOf(const TensorCase& start) {
    return sqlNetworkSetup(start.json.at("configuration"));
  }
  torch::Tensor statesOf(int example) const {
    return at::linear(m_start.at("input.features." + std::to_string(example)), m_pretrained);
  }

  const TensorCase& m_start;
  NetworkModel m_model;
  torch::Tensor m_pretrained;
};

}  // namespace

class TestFixturesSqlSpSteps : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    if (const std::string why = absence({"sql_sp_steps"}); !why.empty()) QSKIP(why.c_str());
  }

  void steps_data() {
    QTest::addColumn<int>("index");
    const auto all = cases("sql_sp_steps");
    for (std::size_t i = 0; i < all.size(); ++i) QTest::newRow(all[i].name.c_str()) << static_cast<int>(i);
  }

  void steps() {
    QFETCH(int, index);
    const TensorCase one = readCase(cases("sql_sp_steps")[static_cast<std::size_t>(index)]);
    if (one.has("output.mu")) return scaling(one);
    updates(one);
  }

  // Last: every array of the cases was looked at by a test above.
  void everyArrayIsRead() {
    const std::string unread = unreadArrays("sql_sp_steps");
    QVERIFY2(unread.empty(), unread.c_str());
  }

 private:
  static void scaling(const TensorCase& one) {
    const double tolerance = one.json.at("tolerance").at("outputs").get<double>();
    SteppedModel stepped(one);
    const PartObserver seen = stepped.measured();
    const double own[] = {seen.norm.released(), seen.norm.of("question"),      seen.norm.of("schema"),
                          seen.norm.paper(),    seen.projected.of("question"), seen.projected.of("schema")};
    const torch::Tensor mu = one.at("output.mu");
    for (int i = 0; i < 6; ++i)
      QVERIFY2(near(own[i], mu[i].item<double>(), tolerance), std::to_string(i).c_str());
    const auto layers = one.json.at("configuration").at("layers").get<std::int64_t>();
    const torch::Tensor divisor = one.at("output.divisor");
    const double released = dtFixupFactor(DtFixupForm::Relational, seen.norm.released(), layers);
    QVERIFY(near(1 / released, divisor[0].item<double>(), tolerance));
    QVERIFY(near(1 / dtFixupFactor(DtFixupForm::Relational, seen.norm.paper(), layers),
                 divisor[1].item<double>(), tolerance));
    stepped.scale(released);
    const std::map<std::string, torch::Tensor> after = one.beginning("after.");
    QVERIFY(!after.empty());
    for (const auto& [name, before] : one.beginning("parameter.")) {
      const torch::Tensor value = stepped.model().parameters().value(sqlParameterName(name));
      const auto scaled = after.find(name);
      if (scaled == after.end()) {
        QVERIFY2(value.equal(before), (name + " must stay").c_str());
        continue;
      }
      const std::string wrong = layersDifference(value, scaled->second, tolerance);
      QVERIFY2(wrong.empty(), (name + ": " + wrong).c_str());
    }
  }

  static LrScheduleSettings scheduleOf(const Json& c) {
    LrScheduleSettings schedule;
    schedule.id = "dt_fixup";
    schedule.rate = c.at("lr").get<double>();
    schedule.warmup = c.at("warmup").get<double>();
    schedule.minimumRate = c.at("floor").get<double>();
    schedule.totalUpdates = c.at("total").get<double>();
    schedule.power = c.at("power").get<double>();
    return schedule;
  }

  // Adam of PyTorch with a group of its own for what is pre-trained.
  static std::unique_ptr<Optimizer> optimizerFor(const ParameterStore& store, const Json& c) {
    std::vector<OptimizerParameter> parameters;
    for (const Leaf& leaf : store.leaves()) parameters.push_back({leaf.name, leaf.tensor});
    applyRateGroups({"pretrained.=" + jsonNumber(c.at("pretrained_factor").get<double>())}, parameters)
        .value();
    const Json& adam = c.at("adam");
    const OptionValues options = engineOptions(
        {"optimizer=adam", "optimizer.beta1=" + adam[0].dump(), "optimizer.beta2=" + adam[1].dump(),
         "optimizer.eps=" + adam[2].dump(), "optimizer.adam.eps_place=plain"});
    for (const OptimizerEntry& entry : optimizerEntries()) {
      if (entry.id == "adam") return entry.make(options, parameters);
    }
    return nullptr;
  }

  static void updates(const TensorCase& one) {
    const TensorCase start = startCase();
    const Json& c = one.json.at("configuration");
    const double tolerance = one.json.at("tolerance").at("outputs").get<double>();
    SteppedModel stepped(start);
    stepped.scale(start.json.at("scalars").at("factor_" + c.at("mu").get<std::string>()).get<double>());
    ParameterStore& store = stepped.model().parameters();
    std::map<std::string, torch::Tensor> first;
    for (const auto& [name, tensor] : store.state()) first[name] = tensor;
    const std::unique_ptr<Optimizer> optimizer = optimizerFor(store, c);
    UpdateStep update(*optimizer, Normalisation::PerUnit, ClipRule::Torch, c.at("clip").get<double>());
    const LrScheduleSettings schedule = scheduleOf(c);
    const auto check = [&](const char* key, std::size_t step, double own) {
      const double expected = one.at(key)[static_cast<std::int64_t>(step)].item<double>();
      QVERIFY2(near(own, expected, tolerance), (key + (" of update " + std::to_string(step + 1))).c_str());
    };
    const auto batches = c.at("batches").get<std::vector<std::vector<int>>>();
    const auto micro = c.at("micro_batch").get<std::size_t>();
    for (std::size_t step = 0; step < batches.size(); ++step) {
      update.begin();
      double sum = 0;
      for (std::size_t at = 0; at < batches[step].size(); at += micro) {
        const auto begin = batches[step].begin() + static_cast<std::ptrdiff_t>(at);
        const std::vector<int> examples(
            begin, begin + static_cast<std::ptrdiff_t>(std::min(micro, batches[step].size() - at)));
        const torch::Tensor losses = stepped.losses(examples);
        for (std::size_t i = 0; i < examples.size(); ++i) {
          const double loss = losses[static_cast<std::int64_t>(i)].item<double>();
          const double expected = one.at("output.example_loss")[static_cast<std::int64_t>(step)]
                                                               [static_cast<std::int64_t>(at + i)]
                                                                   .item<double>();
          QVERIFY(near(loss, expected, tolerance));
          sum += loss;
        }
        LossTerms terms;
        terms.loss = losses.sum();
        terms.units = static_cast<std::int64_t>(examples.size());
        update.add(terms);
      }
      check("output.loss_per_step", step, sum / static_cast<double>(batches[step].size()));
      check("output.gradient_norm", step, update.gradientNorm());
      check("output.clip_coefficient", step,
            clipFactor(ClipRule::Torch, c.at("clip").get<double>(), update.gradientNorm()));
      const double rate = learningRate(schedule, static_cast<std::int64_t>(step));
      check("output.learning_rate", step, rate);
      update.apply(rate);
    }
    for (const auto& [key, change] : {std::pair("output.norm.", false), {"output.change_norm.", true}}) {
      for (const auto& [name, expected] : one.beginning(key)) {
        const torch::Tensor value = store.value(sqlParameterName(name));
        const torch::Tensor own = change ? value - first.at(sqlParameterName(name)) : value;
        QVERIFY2(near(own.norm().item<double>(), expected.item<double>(), tolerance), (key + name).c_str());
      }
    }
  }
};

QTEST_APPLESS_MAIN(TestFixturesSqlSpSteps)
#include "tst_fixtures_sql_sp_steps.moc"
