// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/trainability.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "core/analysis/json_reals.h"

namespace fathom {

namespace {

std::string shown(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

// `value` against two limits; `larger`: larger is worse.
TrainabilityCheck against(const char* id, const std::string& stack, double value, double doubtful,
                          double unlikely, bool larger) {
  TrainabilityCheck check{id, Trainability::Green, stack, value, doubtful, {}, {}};
  const auto passes = [&](double limit) { return larger ? value > limit : value < limit; };
  if (passes(doubtful)) check.verdict = Trainability::Doubtful;
  if (passes(unlikely)) check.verdict = Trainability::Unlikely, check.limit = unlikely;
  return check;
}

std::string limitText(const TrainabilityCheck& check) {
  return " (limit " + shown(check.limit) + ")";
}

bool allFinite(const StackCheck& stack) {
  const auto finite = [](double value) { return std::isfinite(value); };
  for (const auto* values : {&stack.measured, &stack.ownShare, &stack.gradient})
    if (!std::all_of(values->begin(), values->end(), finite)) return false;
  return finite(stack.amplification) && finite(stack.mu);
}

TrainabilityCheck finiteCheck(const TrainabilityFacts& facts) {
  TrainabilityCheck check{"finite", Trainability::Green, {}, 0, 0, "Every number is finite.", {}};
  for (const StackCheck& stack : facts.stacks) {
    if (allFinite(stack)) continue;
    check.verdict = Trainability::Unlikely;
    check.stack = stack.stack;
    check.reason = "The " + stack.stack + " holds numbers that are not finite before the first update.";
    check.change = "another initialisation, or other pre-trained weights";
  }
  if (!std::isfinite(facts.loss)) {
    check.verdict = Trainability::Unlikely;
    check.reason = "The loss is not finite before the first update.";
    check.change = "another initialisation, or other pre-trained weights";
  }
  return check;
}

TrainabilityCheck ownShareCheck(const StackCheck& stack) {
  const double sum = std::accumulate(stack.ownShare.begin(), stack.ownShare.end(), 0.0);
  TrainabilityCheck check =
      against("own_share", stack.stack, sum, kOwnShareDoubtful, kOwnShareUnlikely, true);
  check.reason = "The " + stack.stack +
                 "'s outputs depend on their own branches with a sum of beta_ii^2 of " + shown(sum) +
                 limitText(check) + "; a large sum amplifies every update.";
  if (check.verdict != Trainability::Green)
    check.change = "Admin or Pre-LN as the " + stack.stack + "'s residual scheme, or fewer layers";
  return check;
}

TrainabilityCheck gradientCheck(const StackCheck& stack) {
  double smallest = 1, largest = 0;
  for (const double value : stack.gradient)
    smallest = std::min(smallest, value), largest = std::max(largest, value);
  if (largest == 0) {
    return {
        "gradient",
        Trainability::Green,
        stack.stack,
        0,
        0,
        "No gradient reaches the " + stack.stack + " before the first update: what reads it starts closed.",
        {}};
  }
  TrainabilityCheck check =
      against("gradient", stack.stack, smallest / largest, kGradientDoubtful, kGradientUnlikely, false);
  check.reason = "In the " + stack.stack + " the smallest gradient of a sub-layer's output is " +
                 shown(smallest / largest) + " of the largest" + limitText(check) + ".";
  if (check.verdict != Trainability::Green)
    check.change = "Pre-LN or Admin, which keep gradients alike over depth, or fewer layers";
  return check;
}

TrainabilityCheck stepCheck(const TrainabilityFacts& facts, const StackCheck& stack) {
  const double change = stack.amplification * facts.peakRate;
  TrainabilityCheck check = against("step", stack.stack, change, kStepDoubtful, kStepUnlikely, true);
  check.reason = "A step of the peak learning rate " + shown(facts.peakRate) +
                 " in random directions changes the " + stack.stack + "'s output by " + shown(change) +
                 " of its size" + limitText(check) + ".";
  if (check.verdict != Trainability::Green) {
    check.change = "a peak learning rate of at most " + shown(kStepDoubtful / stack.amplification) +
                   ", or Admin as residual scheme";
  }
  return check;
}

TrainabilityCheck scaleCheck(const StackCheck& stack) {
  const double measured = stack.measured.back(), predicted = stack.predicted.back();
  const double ratio = predicted > 0 ? std::max(measured / predicted, predicted / measured) : 1;
  TrainabilityCheck check = against("scale", stack.stack, ratio, kScaleDoubtful, INFINITY, true);
  check.reason = "The " + stack.stack + "'s output has a scale of " + shown(measured) +
                 "; independent branches give " + shown(predicted) + ".";
  if (check.verdict != Trainability::Green)
    check.change = "look at the initialisation and at the size of the input (mu " + shown(stack.mu) + ")";
  return check;
}

TrainabilityCheck movementCheck(const TrainabilityFacts& facts) {
  const double share = facts.weightScale > 0 ? facts.summedRate / facts.weightScale : 0;
  TrainabilityCheck check = against("movement", {}, share, kMovementDoubtful, kMovementUnlikely, false);
  check.reason = "In " + std::to_string(facts.updates) + " updates Adam can move a weight by at most " +
                 shown(share) + " of the weights' scale" + limitText(check) + ".";
  if (check.verdict != Trainability::Green) check.change = "more updates, or a higher learning rate";
  return check;
}

TrainabilityCheck lossCheck(const TrainabilityFacts& facts) {
  const double ratio = facts.ignorantLoss > 0 ? facts.loss / facts.ignorantLoss : 1;
  TrainabilityCheck check = against("loss", {}, ratio, kLossDoubtful, kLossUnlikely, true);
  check.reason = "The loss starts at " + shown(facts.loss) + " nats; knowing nothing is " +
                 shown(facts.ignorantLoss) + ".";
  if (check.verdict != Trainability::Green)
    check.change = "smaller initial values of tables and output projection";
  return check;
}

Json checkToJson(const TrainabilityCheck& check) {
  return {{"id", check.id},
          {"verdict", trainabilityName(check.verdict)},
          {"stack", check.stack},
          {"value", jsonReal(check.value)},
          {"limit", jsonReal(check.limit)},
          {"reason", check.reason},
          {"change", check.change}};
}

Json stackToJson(const StackCheck& stack, double peakRate) {
  return {{"stack", stack.stack},
          {"residual", stack.residual},
          {"layers", stack.layers},
          {"mu", jsonReal(stack.mu)},
          {"input_scale", jsonReal(stack.inputScale)},
          {"sublayers", stack.sublayers},
          {"predicted_scale", realsToJson(stack.predicted)},
          {"measured_scale", realsToJson(stack.measured)},
          {"beta_own", realsToJson(stack.ownShare)},
          {"gradient", realsToJson(stack.gradient)},
          {"output_shift",
           {{"amplification", jsonReal(stack.amplification)},
            {"at_peak_rate", jsonReal(stack.amplification * peakRate)}}}};
}

}  // namespace

const char* trainabilityName(Trainability verdict) {
  switch (verdict) {
    case Trainability::Green:
      return "green";
    case Trainability::Doubtful:
      return "doubtful";
    case Trainability::Unlikely:
      break;
  }
  return "will_probably_not_learn";
}

TrainabilityVerdict judgeTrainability(const TrainabilityFacts& facts) {
  TrainabilityVerdict result;
  result.checks.push_back(finiteCheck(facts));
  if (result.checks.front().verdict == Trainability::Green) {
    for (const StackCheck& stack : facts.stacks) {
      result.checks.push_back(ownShareCheck(stack));
      result.checks.push_back(gradientCheck(stack));
      result.checks.push_back(stepCheck(facts, stack));
      result.checks.push_back(scaleCheck(stack));
    }
    result.checks.push_back(movementCheck(facts));
    result.checks.push_back(lossCheck(facts));
  }
  std::stable_sort(result.checks.begin(), result.checks.end(),
                   [](const auto& a, const auto& b) { return a.verdict > b.verdict; });
  result.verdict = result.checks.front().verdict;
  return result;
}

Json trainabilityToJson(const TrainabilityFacts& facts, const TrainabilityVerdict& verdict) {
  Json json = {
      {"verdict", trainabilityName(verdict.verdict)},
      {"init", facts.init},
      {"mu", facts.stacks.empty() ? Json() : jsonReal(facts.stacks.front().mu)},
      {"tokens", facts.tokens},
      {"weight_scale", jsonReal(facts.weightScale)},
      {"loss", {{"start", jsonReal(facts.loss)}, {"knowing_nothing", jsonReal(facts.ignorantLoss)}}},
      {"learning_rate",
       {{"peak", jsonReal(facts.peakRate)}, {"sum", jsonReal(facts.summedRate)}, {"updates", facts.updates}}},
      {"checks", Json::array()},
      {"stacks", Json::array()}};
  for (const TrainabilityCheck& check : verdict.checks) json["checks"].push_back(checkToJson(check));
  for (const StackCheck& stack : facts.stacks) json["stacks"].push_back(stackToJson(stack, facts.peakRate));
  return json;
}

}  // namespace fathom
