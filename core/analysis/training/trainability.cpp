// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/training/trainability.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/analysis/training/stack_phrase.h"
#include "core/base/errors/word_table.h"
#include "core/base/json/json_fields.h"
#include "core/base/json/phrase_json.h"
#include "core/base/text/number_text.h"

namespace fathom {

namespace {

using Kind = TrainabilityRemedy::Kind;

// `value` against two limits; `larger`: larger is worse.
TrainabilityCheck against(const char* id, const std::string& stack, double value, double doubtful,
                          double unlikely, bool larger) {
  TrainabilityCheck check{id, Trainability::Green, stack, value, doubtful, 0, {}, {}};
  check.excess = larger ? value / doubtful : doubtful / value;
  const auto passes = [&](double limit) { return larger ? value > limit : value < limit; };
  if (passes(doubtful)) check.verdict = Trainability::Doubtful;
  if (passes(unlikely)) check.verdict = Trainability::Unlikely, check.limit = unlikely;
  return check;
}

bool allFinite(const StackCheck& stack) {
  const auto finite = [](double value) { return std::isfinite(value); };
  for (const auto* values : {&stack.measured, &stack.ownShare, &stack.gradient})
    if (!std::all_of(values->begin(), values->end(), finite)) return false;
  return finite(stack.amplification) && finite(stack.mu);
}

TrainabilityCheck finiteCheck(const TrainabilityFacts& facts) {
  TrainabilityCheck check{"finite", Trainability::Green, {}, 0, 0, 0, Phrase::tr("Every number is finite."),
                          {}};
  for (const StackCheck& stack : facts.stacks) {
    if (allFinite(stack)) continue;
    check.verdict = Trainability::Unlikely;
    check.stack = stack.stack;
    check.reason = Phrase::tr("The %1 holds numbers that are not finite before the first update.")(
        stackPhrase(stack.stack));
    check.remedies = {{Kind::Initialisation}};
  }
  if (!std::isfinite(facts.loss)) {
    check.verdict = Trainability::Unlikely;
    check.reason = Phrase::tr("The loss is not finite before the first update.");
    check.remedies = {{Kind::Initialisation}};
  }
  return check;
}

// Two digits, never more than the rate itself.
double roundedDown(double rate) {
  const double unit = std::pow(10.0, std::floor(std::log10(rate)) - 1);
  return std::floor(rate / unit) * unit;
}

// The peak rate times `factor`; longer where the planned updates of that rate would not carry the weights far
// enough.
TrainabilityRemedy lowerRate(const TrainabilityFacts& facts, double factor) {
  const double moved = facts.weightScale > 0 ? facts.summedRate * factor / facts.weightScale : 0;
  const bool tooShort = facts.updates >= 0 && moved < kMovementDoubtful;
  return {tooShort ? Kind::LowerRateLonger : Kind::LowerRate, roundedDown(facts.peakRate * factor)};
}

void addDepthRemedies(TrainabilityCheck& check, const StackCheck& stack) {
  if (stack.residual != "admin" && stack.residual != "pre_ln") check.remedies.push_back({Kind::Scheme});
  if (stack.layers > 1) check.remedies.push_back({Kind::FewerLayers});
  if (check.remedies.empty()) check.remedies.push_back({Kind::Initialisation});
}

TrainabilityCheck updateCheck(const TrainabilityFacts& facts, const StackCheck& stack) {
  const double sum = stack.ownShareSum(), rate = facts.peakRate * stack.rateShare, value = rate * sum * sum;
  TrainabilityCheck check = against("update", stack.stack, value, kUpdateDoubtful, kUpdateUnlikely, true);
  check.reason = Phrase::tr(
      "The peak learning rate %1 times the squared sum of beta_ii^2, %2, of the %3 is %4 (limit %5); a large "
      "sum amplifies every update.")(formatted("%.3g", rate), formatted("%.3g", sum),
                                     stackPhrase(stack.stack), formatted("%.3g", value),
                                     formatted("%.3g", check.limit));
  if (check.verdict == Trainability::Green) return check;
  check.remedies = {lowerRate(facts, kUpdateDoubtful / value)};
  addDepthRemedies(check, stack);
  return check;
}

TrainabilityCheck gradientCheck(const StackCheck& stack) {
  double smallest = 1, largest = 0;
  for (const double value : stack.gradient)
    smallest = std::min(smallest, value), largest = std::max(largest, value);
  if (largest == 0) {
    return {"gradient",
            Trainability::Green,
            stack.stack,
            0,
            0,
            0,
            Phrase::tr("No gradient reaches the %1 before the first update: what reads it starts closed.")(
                stackPhrase(stack.stack)),
            {}};
  }
  TrainabilityCheck check =
      against("gradient", stack.stack, smallest / largest, kGradientDoubtful, kGradientUnlikely, false);
  check.reason =
      Phrase::tr("In the %1 the smallest gradient of a sub-layer's output is %2 of the largest (limit %3).")(
          stackPhrase(stack.stack), formatted("%.3g", smallest / largest), formatted("%.3g", check.limit));
  if (check.verdict != Trainability::Green) addDepthRemedies(check, stack);
  return check;
}

TrainabilityCheck stepCheck(const TrainabilityFacts& facts, const StackCheck& stack) {
  const double rate = facts.peakRate * stack.rateShare, change = stack.amplification * rate;
  TrainabilityCheck check = against("step", stack.stack, change, kStepDoubtful, kStepUnlikely, true);
  check.reason = Phrase::tr(
      "A step of the peak learning rate %1 in random directions changes the %2's output by %3 of its size "
      "(limit %4).")(formatted("%.3g", rate), stackPhrase(stack.stack), formatted("%.3g", change),
                     formatted("%.3g", check.limit));
  if (check.verdict != Trainability::Green) check.remedies = {lowerRate(facts, kStepDoubtful / change)};
  return check;
}

TrainabilityCheck scaleCheck(const StackCheck& stack) {
  std::size_t worst = 0;
  double ratio = 0;
  for (std::size_t i = 0; i < stack.measured.size(); ++i) {
    const double measured = stack.measured[i], predicted = stack.predicted[i];
    const double here = predicted > 0 ? std::max(measured / predicted, predicted / measured) : 1;
    if (here > ratio) ratio = here, worst = i;
  }
  TrainabilityCheck check = against("scale", stack.stack, ratio, kScaleDoubtful, INFINITY, true);
  check.reason = Phrase::tr(
      "At %1 the sum of stream and branch has a scale of %2; independent branches give %3 (limit %4).")(
      stack.sublayers[worst], formatted("%.3g", stack.measured[worst]),
      formatted("%.3g", stack.predicted[worst]), formatted("%.3g", check.limit));
  if (check.verdict != Trainability::Green) check.remedies = {{Kind::InputScale, stack.mu}};
  return check;
}

TrainabilityCheck movementCheck(const TrainabilityFacts& facts) {
  if (facts.updates < 0) {
    return {"movement",
            Trainability::Green,
            {},
            0,
            0,
            0,
            Phrase::tr("How far the weights can move is not judged: how many updates an epoch has depends on "
                       "the data."),
            {}};
  }
  const double share = facts.weightScale > 0 ? facts.summedRate / facts.weightScale : 0;
  TrainabilityCheck check = against("movement", {}, share, kMovementDoubtful, kMovementUnlikely, false);
  check.reason =
      Phrase::tr("In %1 updates Adam can move a weight by at most %2 of the weights' scale (limit %3).")(
          facts.updates, formatted("%.3g", share), formatted("%.3g", check.limit));
  if (check.verdict != Trainability::Green) check.remedies = {{Kind::LongerOrFaster}};
  return check;
}

TrainabilityCheck lossCheck(const TrainabilityFacts& facts) {
  const double ratio = facts.ignorantLoss > 0 ? facts.loss / facts.ignorantLoss : 1;
  TrainabilityCheck check = against("loss", {}, ratio, kLossDoubtful, kLossUnlikely, true);
  check.reason = Phrase::tr("The loss starts at %1 nats; knowing nothing is %2.")(
      formatted("%.3g", facts.loss), formatted("%.3g", facts.ignorantLoss));
  if (check.verdict != Trainability::Green) check.remedies = {{Kind::SmallerTables}};
  return check;
}

constexpr EnumWord<Kind> kRemedies[] = {{Kind::LowerRate, "lower_rate"},
                                        {Kind::LowerRateLonger, "lower_rate_longer"},
                                        {Kind::Scheme, "scheme"},
                                        {Kind::FewerLayers, "fewer_layers"},
                                        {Kind::LongerOrFaster, "longer_or_faster"},
                                        {Kind::Initialisation, "initialisation"},
                                        {Kind::InputScale, "input_scale"},
                                        {Kind::SmallerTables, "smaller_tables"}};
constexpr EnumWord<Trainability> kVerdicts[] = {{Trainability::Green, "green"},
                                                {Trainability::Doubtful, "doubtful"},
                                                {Trainability::Unlikely, "will_probably_not_learn"}};

Phrase remedyText(const TrainabilityRemedy& remedy, const std::string& stack) {
  switch (remedy.kind) {
    case Kind::LowerRate:
      return Phrase::tr("a peak learning rate of at most %1")(formatted("%.3g", remedy.value));
    case Kind::LowerRateLonger:
      return Phrase::tr("a peak learning rate of at most %1 over more updates")(
          formatted("%.3g", remedy.value));
    case Kind::Scheme:
      return Phrase::tr("Admin or Pre-LN as residual scheme of the %1")(stackPhrase(stack));
    case Kind::FewerLayers:
      return Phrase::tr("fewer layers");
    case Kind::LongerOrFaster:
      return Phrase::tr("more updates or a higher learning rate");
    case Kind::Initialisation:
      return Phrase::tr("another initialisation, or other pre-trained weights");
    case Kind::InputScale:
      return Phrase::tr("a look at the initialisation and at the size of the input (mu %1)")(
          formatted("%.3g", remedy.value));
    case Kind::SmallerTables:
      break;
  }
  return Phrase::tr("smaller initial values of tables and output projection");
}

Json checkToJson(const TrainabilityCheck& check) {
  Json remedies = Json::array();
  for (const TrainabilityRemedy& remedy : check.remedies)
    remedies.push_back({{"id", wordOf(kRemedies, remedy.kind)}, {"value", jsonReal(remedy.value)}});
  Json json = {{"id", check.id},
               {"verdict", trainabilityName(check.verdict)},
               {"stack", check.stack},
               {"value", jsonReal(check.value)},
               {"limit", jsonReal(check.limit)}};
  writePhrase(json, "reason", check.reason);
  writePhrase(json, "change", check.change());
  json["remedies"] = std::move(remedies);
  return json;
}

Json stackToJson(const StackCheck& stack, double peakRate) {
  return {{"stack", stack.stack},
          {"residual", stack.residual},
          {"layers", stack.layers},
          {"rate_share", jsonReal(stack.rateShare)},
          {"mu", jsonReal(stack.mu)},
          {"input_scale", jsonReal(stack.inputScale)},
          {"sublayers", stack.sublayers},
          {"predicted_scale", jsonOf(stack.predicted)},
          {"measured_scale", jsonOf(stack.measured)},
          {"beta_own", jsonOf(stack.ownShare)},
          {"beta_own_sum", jsonReal(stack.ownShareSum())},
          {"gradient", jsonOf(stack.gradient)},
          {"output_shift",
           {{"amplification", jsonReal(stack.amplification)},
            {"at_peak_rate", jsonReal(stack.amplification * peakRate * stack.rateShare)}}}};
}

}  // namespace

const char* trainabilityName(Trainability verdict) {
  return wordOf(kVerdicts, verdict);
}

double StackCheck::ownShareSum() const {
  return std::accumulate(ownShare.begin(), ownShare.end(), 0.0);
}

Phrase TrainabilityCheck::change() const {
  Phrase text;
  for (const TrainabilityRemedy& remedy : remedies) {
    Phrase more = remedyText(remedy, stack);
    text = text.empty() ? std::move(more) : Phrase::tr("%1, or %2")(std::move(text), std::move(more));
  }
  return text;
}

TrainabilityVerdict judgeTrainability(const TrainabilityFacts& facts) {
  TrainabilityVerdict result;
  result.checks.push_back(finiteCheck(facts));
  if (result.checks.front().verdict == Trainability::Green) {
    for (const StackCheck& stack : facts.stacks) {
      result.checks.push_back(updateCheck(facts, stack));
      result.checks.push_back(gradientCheck(stack));
      result.checks.push_back(stepCheck(facts, stack));
      result.checks.push_back(scaleCheck(stack));
    }
    result.checks.push_back(movementCheck(facts));
    result.checks.push_back(lossCheck(facts));
  }
  std::stable_sort(result.checks.begin(), result.checks.end(), [](const auto& a, const auto& b) {
    if (a.verdict != b.verdict) return a.verdict > b.verdict;
    return a.verdict != Trainability::Green && a.excess > b.excess;
  });
  result.verdict = result.checks.front().verdict;
  return result;
}

Json trainabilityToJson(const TrainabilityFacts& facts, const TrainabilityVerdict& verdict) {
  Json json = {{"verdict", trainabilityName(verdict.verdict)},
               {"init", facts.init},
               {"mu", facts.stacks.empty() ? Json() : jsonReal(facts.stacks.front().mu)},
               {"tokens", facts.tokens},
               {"weight_scale", jsonReal(facts.weightScale)},
               {"loss", {{"start", jsonReal(facts.loss)}, {"knowing_nothing", jsonReal(facts.ignorantLoss)}}},
               {"learning_rate",
                {{"peak", jsonReal(facts.peakRate)},
                 {"sum", facts.updates < 0 ? Json() : jsonReal(facts.summedRate)},
                 {"updates", facts.updates < 0 ? Json() : Json(facts.updates)}}},
               {"checks", Json::array()},
               {"stacks", Json::array()}};
  for (const TrainabilityCheck& check : verdict.checks) json["checks"].push_back(checkToJson(check));
  for (const StackCheck& stack : facts.stacks) json["stacks"].push_back(stackToJson(stack, facts.peakRate));
  return json;
}

}  // namespace fathom
