// SPDX-License-Identifier: Apache-2.0
// Output shift against depth: nets built from the run's options, for any variants of them (Admin Fig 4;
// docs/analyses.md §4).
#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>
#include <utility>

#include "core/analysis/dependency/shift_sweep.h"
#include "core/base/errors/error_key.h"
#include "core/base/errors/error_words.h"
#include "core/base/errors/phrase.h"
#include "core/base/options/field_builder.h"
#include "core/base/text/text_list.h"
#include "core/nn/residual/residual_scheme.h"
#include "core/probe/probe_entry.h"
#include "core/probe/stack_shift.h"
#include "core/probe/work_estimate.h"

namespace fathom {

namespace {

struct Variant {
  std::string name;
  std::vector<std::string> assignments;
};

struct SweepPlan {
  StackKind stack = StackKind::Encoder;
  bool hasDecoder = false;
  bool mayShare = true;
  std::vector<std::int64_t> depths;
  std::vector<std::uint64_t> seeds;
  std::vector<Variant> variants;
  std::vector<Perturbation> changes;
};

// The stack that was asked for; otherwise the extra layers where there are such, else the first.
Result<StackKind> chosenStack(const Model& model, const std::string& wanted) {
  StackKind chosen = model.stacks().front().kind;
  for (const StackDescription& stack : model.stacks()) {
    if (wanted == stackName(stack.kind)) return stack.kind;
    if (stack.kind == StackKind::Extra) chosen = stack.kind;
  }
  if (wanted.empty()) return chosen;
  const std::string known =
      joined(model.stacks(), ", ", [](const StackDescription& stack) { return stackName(stack.kind); });
  return aboutKey("stack", usageError(Phrase::tr("the model has no stack '%1'")(wanted),
                                      Phrase::tr("it has: %1")(known)));
}

// "admin": that scheme in the extra layers, where they are measured (what they stand on has a form of its
// own), else in every stack. "name:key=value&key=value" or "key=value&key=value".
Variant variantOf(const std::string& text, const Model& model, StackKind measured) {
  const auto equals = text.find('=');
  if (equals == std::string::npos) {
    Variant variant{residualEntry(text).title, {}};
    for (const StackDescription& stack : model.stacks())
      if (measured != StackKind::Extra || stack.kind == measured)
        variant.assignments.push_back(std::string(stackOptions(stack.kind)) + ".residual=" + text);
    return variant;
  }
  const auto colon = text.find(':');
  const bool named = colon != std::string::npos && colon < equals;
  Variant variant{text.substr(0, named ? colon : text.size()), {}};
  for (const std::string_view part : splitAt(named ? std::string_view(text).substr(colon + 1) : text, '&'))
    if (!part.empty()) variant.assignments.emplace_back(part);
  return variant;
}

Result<SweepPlan> planOf(const ProbeSubject& subject, const OptionValues& options) {
  SweepPlan plan;
  plan.depths = options.integers("depths");
  FATHOM_CHECK(checkShiftDepths(plan.depths));
  std::sort(plan.depths.begin(), plan.depths.end());
  FATHOM_TRY(plan.stack, chosenStack(subject.model, options.text("stack")));
  for (const StackDescription& stack : subject.model.stacks())
    plan.hasDecoder = plan.hasDecoder || stack.kind == StackKind::Decoder;
  plan.mayShare = options.text("path") == "auto";
  const std::int64_t first = options.integer("seed");
  for (std::int64_t draw = 0; draw < options.integer("draws"); ++draw)
    plan.seeds.push_back(static_cast<std::uint64_t>(first + draw));
  for (const std::string& text : options.texts("variants"))
    plan.variants.push_back(variantOf(text, subject.model, plan.stack));
  if (plan.variants.empty()) {
    const std::string& scheme = subject.model.residual(plan.stack).id();
    plan.variants.push_back({residualEntry(scheme).title, {}});
  }
  Perturbation change;
  change.includeEmbeddings = options.flag("embeddings");
  change.stack = plan.stack;
  const std::string changes = options.text("change");
  change.delta = options.real("delta");
  if (changes != "adam") plan.changes.push_back(change);
  change.kind = Perturbation::Kind::AdamStep;
  change.delta = options.real("adam_rate");
  if (changes != "random") plan.changes.push_back(change);
  return plan;
}

// About how much dearer a net is where its loss goes backward, too, beside two forward passes.
constexpr double kAdamCost = 2.5;
constexpr std::int64_t kFewDraws = 3;  // the fewest that have a spread worth looking at

// Every net of the sweep, in the size of the first, the deepest one. `shared`: random signs need no others.
double netsOf(const SweepPlan& plan, bool shared) {
  double depths = 0;
  for (const std::int64_t depth : plan.depths) depths += static_cast<double>(depth);
  depths /= static_cast<double>(plan.depths.back());
  const auto costOf = [&](const Perturbation& change) {
    return change.kind == Perturbation::Kind::AdamStep ? kAdamCost * depths : shared ? 1 : depths;
  };
  double all = 0;
  for (const Perturbation& change : plan.changes) all += costOf(change);
  const bool adamFirst = plan.changes.front().kind == Perturbation::Kind::AdamStep;
  all *= static_cast<double>(plan.variants.size() * plan.seeds.size());
  return adamFirst ? all / kAdamCost : all;
}

class Sweep {
 public:
  Sweep(const ProbeSubject& subject, const SweepPlan& plan) : m_subject(subject), m_plan(plan) {}

  Result<ShiftSeries> series(const Variant& variant, const Perturbation& change) {
    ShiftSeries series;
    series.name = variant.name;
    series.change = change.kind == Perturbation::Kind::AdamStep ? "adam" : "random";
    bool sharing = m_plan.mayShare && change.kind == Perturbation::Kind::RandomSign;
    const std::size_t nets = m_plan.seeds.size();
    if (m_subject.progress != nullptr)
      m_subject.progress->begin(variant.name + ", " + series.change, Phrase::tr("draws").english,
                                static_cast<double>(nets));
    for (std::size_t i = 0; i < nets; ++i) {
      Perturbation drawn = change;
      drawn.seed = m_plan.seeds[i];
      std::vector<DepthShift> draw;
      if (sharing) {
        FATHOM_TRY(draw, fromPrefixes(variant, drawn, series));
        sharing = !draw.empty();
      }
      if (!sharing) {
        FATHOM_TRY(draw, fromOneNetEach(variant, drawn, series));
      }
      series.draws.push_back(std::move(draw));
      if (m_subject.progress != nullptr) m_subject.progress->report(static_cast<double>(i + 1));
    }
    series.sharedPrefixes = sharing;
    return series;
  }
  std::int64_t tokens() const { return m_tokens; }

 private:
  // Empty when the net's first layers depend on how many layers it has.
  Result<std::vector<DepthShift>> fromPrefixes(const Variant& variant, const Perturbation& change,
                                               ShiftSeries& series) {
    // The encoder does not look at the decoder.
    const bool lone = m_plan.stack == StackKind::Encoder && m_plan.hasDecoder;
    m_begun = std::chrono::steady_clock::now();
    FATHOM_TRY(const ProbeNet net, build(variant, change.seed, m_plan.depths.back(), lone));
    if (!net.sharesPrefixes) return std::vector<DepthShift>();
    FATHOM_TRY(const StackShift shift, measure(net, change, m_plan.depths, series));
    sayHowLong(true);
    return depthsOf(shift);
  }

  Result<std::vector<DepthShift>> fromOneNetEach(const Variant& variant, const Perturbation& change,
                                                 ShiftSeries& series) {
    std::vector<DepthShift> draw(m_plan.depths.size());
    // The deepest first: it says the most about how long all take.
    for (std::size_t i = draw.size(); i-- > 0;) {
      const std::int64_t depth = m_plan.depths[i];
      m_begun = std::chrono::steady_clock::now();
      FATHOM_TRY(const ProbeNet net, build(variant, change.seed, depth, false));
      FATHOM_TRY(const StackShift shift, measure(net, change, {depth}, series));
      sayHowLong(false);
      draw[i] = depthsOf(shift).front();
    }
    return draw;
  }

  // Once, after the first net.
  void sayHowLong(bool shared) {
    if (std::exchange(m_said, true) || !m_subject.say) return;
    ProbeWork work;
    const auto draws = static_cast<std::int64_t>(m_plan.seeds.size());
    const auto series = static_cast<std::int64_t>(m_plan.variants.size() * m_plan.changes.size());
    work.what = Phrase::tr("%1 draws of nets of up to %2 layers")(series * draws, m_plan.depths.back());
    work.pieces = netsOf(m_plan, shared);
    work.option = "draws";
    work.asked = draws;
    work.fewer = kFewDraws;
    work.states = m_subject.states;
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - m_begun;
    if (const Phrase words = workEstimate(work, spent.count()); !words.empty()) m_subject.say(words);
  }

  Result<ProbeNet> build(const Variant& variant, std::uint64_t seed, std::int64_t depth, bool lone) {
    if (m_subject.stop.stopRequested()) return interruptedError();
    std::vector<std::string> assignments = variant.assignments;
    assignments.push_back(std::string(stackOptions(m_plan.stack)) + ".layers=" + std::to_string(depth));
    assignments.push_back("seed=" + std::to_string(seed));
    if (lone) assignments.emplace_back("decoder.layers=1");
    auto net = m_subject.build(assignments);
    if (net.ok()) return net;
    return withMessage(net.error(),
                       Phrase::tr("variant '%1': %2")(variant.name, net.error().messagePhrase()));
  }

  Result<StackShift> measure(const ProbeNet& net, const Perturbation& change,
                             const std::vector<std::int64_t>& depths, ShiftSeries& series) {
    std::set<std::int64_t> layers;
    for (const std::int64_t depth : depths) layers.insert(depth - 1);
    StepContext context;
    context.seed = change.seed;
    const bool adam = change.kind == Perturbation::Kind::AdamStep;
    if (adam) net.model->parameters().zeroGradients();
    std::vector<ShiftBatch> batches;
    for (std::int64_t i = 0; i < m_subject.batches; ++i) {
      const ProbeBatch batch = net.batch(i);
      if (adam) batch.loss(context).backward();
      batches.push_back({batch.forward, batch.realTokens.of(m_plan.stack)});
    }
    const ResidualScheme& scheme = net.model->residual(m_plan.stack);
    series.residual = scheme.id();
    const auto shift = probeOutputShift(net.model->parameters(), scheme, batches, context, change, layers);
    if (shift.ok()) m_tokens = shift->realTokens;
    return shift;
  }

  // In the order of `depths`, which is that of the layers.
  static std::vector<DepthShift> depthsOf(const StackShift& shift) {
    std::vector<DepthShift> found;
    for (std::size_t i = 0; i < shift.sites.size(); ++i)
      found.push_back({shift.afterTopNorm[i], shift.afterSublayer[i]});
    return found;
  }

  const ProbeSubject& m_subject;
  const SweepPlan& m_plan;
  std::int64_t m_tokens = 0;
  bool m_said = false;
  std::chrono::steady_clock::time_point m_begun{};  // of the net that is looked at
};

Status checkFinite(const ShiftSweep& sweep, const ShiftSeries& series) {
  const ShiftSummary summary = summariseShift(sweep, series, {});
  const auto finite = [](double value) { return std::isfinite(value); };
  if (std::any_of(summary.mean.begin(), summary.mean.end(), finite)) return {};
  return dataError(Phrase::tr("variant '%1': the shift is not a number at any depth")(series.name),
                   Phrase::tr("weights that are read from a file may hold NaN; init-report shows them"));
}

Result<Json> runOutputShift(const ProbeSubject& subject, const OptionValues& options) {
  FATHOM_CHECK(checkProbeExamples(subject));
  FATHOM_TRY(const SweepPlan plan, planOf(subject, options));
  Sweep sweep(subject, plan);
  ShiftSweep result;
  result.stack = stackName(plan.stack);
  result.delta = options.real("delta");
  result.adamRate = options.real("adam_rate");
  result.depths.assign(plan.depths.begin(), plan.depths.end());
  result.seeds = plan.seeds;
  for (const Perturbation& change : plan.changes) {
    for (const Variant& variant : plan.variants) {
      FATHOM_TRY(ShiftSeries series, sweep.series(variant, change));
      result.tokens = sweep.tokens();
      FATHOM_CHECK(checkFinite(result, series));
      result.series.push_back(std::move(series));
    }
  }
  return shiftSweepToJson(result);
}

std::vector<OptionField> fields() {
  return {
      FieldBuilder(OptionType::IntegerList, "depths", "Depths", "Numbers of layers of the measured stack.",
                   Json{6, 12, 18, 24, 30, 36, 42, 48})
          .unit("layers"),
      listField("variants", "Variants",
                "Residual schemes, or name:key=value&key=value on top of the run's options; none: the "
                "run's own."),
      choiceField("change", "Change of the weights", "Random signs, the first step of Adam, or both.",
                  {{"random", "Random ±δ"}, {"adam", "One Adam step"}, {"both", "Both"}}),
      integerField("draws", "Draws", "Each has a net and signs of its own; single draws follow no law.", 10)
          .between(1, 1000),
      integerField("seed", "First seed", "The draws count up from it.", 1).atLeast(0),
      realField("delta", "δ", "By how much every weight moves at random.", 1e-4).above(0).atMost(1),
      realField("adam_rate", "Rate of the Adam step", "By how much every weight moves against its gradient.",
                1e-6)
          .above(0)
          .atMost(1),
      textField("stack", "Stack",
                "encoder, global, decoder or extra; empty: the extra layers, else the encoder.")
          .off(""),
      flagField("embeddings", "Embeddings", "Change them too, as the released code does; this changes x_0."),
      choiceField("path", "Nets",
                  "One net of the largest depth where its first layers are those of the shallower nets, or "
                  "one net "
                  "for each depth.",
                  {{"auto", "Shared where possible"}, {"one_net_per_depth", "One for each depth"}})};
}

}  // namespace

ProbeEntry outputShiftProbeEntry() {
  std::vector<OptionField> all = fields();
  addFields(all, exampleFields(ProbeExamples::Batch));
  return {analysisOf("output_shift"), {.fields = std::move(all), .run = runOutputShift, .initialOnly = true}};
}

}  // namespace fathom
