// SPDX-License-Identifier: Apache-2.0
#include "core/train/parts/train_settings.h"

#include "core/base/options/field_builder.h"
#include "core/train/parallel/parallel_settings.h"
#include "core/train/parts/mixed_precision.h"

namespace fathom {

namespace {

constexpr EnumWord<Normalisation> kNormalisations[] = {
    {Normalisation::PerUnit, "per_unit", "Per target token over all batches"},
    {Normalisation::MeanOfMicroBatches, "mean_of_micro_batches", "Mean of the batches' means"},
    {Normalisation::PerAccumulation, "per_accumulation",
     "Sum of the batches' means over their planned number"}};
constexpr EnumWord<LeftOver> kLeftOvers[] = {
    {LeftOver::Stepped, "stepped", "A smaller last update"},
    {LeftOver::Dropped, "dropped", "Passed over"},
    {LeftOver::Carried, "carried", "Join the next epoch's first update"}};

std::vector<OptionField> machineFields() {
  return {
      integerField("seed", "Seed",
                   "Decides initial values, order of the data and dropout; equal seeds give equal runs.", 1)
          .between(0, 9007199254740991.0),
      textField("device", "Device",
                "auto takes the first usable GPU, else the processor; or cpu, cuda:0, cuda:1 ...", "auto"),
      choiceField("device.graphs", "Graphs of the device",
                  "auto records the passes of an update once for each shape of batches and then starts them "
                  "as a whole; where that cannot be done the run says why and goes on without.",
                  {{"off", "Off"}, {"auto", "Where they can be recorded"}})
          .unless("device", {"cpu"}),
      integerField("threads", "Threads", "Processor threads; 0 takes one for each core.", 0)
          .atLeast(0)
          .unit("threads")
          .off(0),
      choiceField("precision", "Precision",
                  "Number format of weights and matrix products; the mixed ones keep 32-bit weights.",
                  {{"float32", "32 bit"},
                   {"float64", "64 bit"},
                   {"bfloat16", "Mixed, 16 bit (bfloat16)"},
                   {"float16", "Mixed, 16 bit (float16, loss scaling)"}})};
}

std::vector<OptionField> loopFields() {
  return {
      FieldBuilder(OptionType::Time, "training.length", "Length",
                   "How long to train: updates (500u), epochs (10e) or target tokens (20Mt).", "10e"),
      integerField("training.accumulation", "Batches per update",
                   "Batches whose gradients are added up before an update.", 1)
          .atLeast(1)
          .unit("batches"),
      choiceField("training.normalisation", "Normalisation",
                  "How the losses of accumulated batches are averaged.", choicesOf(kNormalisations))
          .reference("fairseq")
          .onlyWhile({"training.accumulation", OptionClause::Test::AtLeast, {Json(2)}}),
      choiceField("training.left_over", "Left-over batches",
                  "Batches behind the last whole update of an epoch; ReClor's published code carries their "
                  "gradients into the next epoch.",
                  choicesOf(kLeftOvers))
          .reference("ReClor's published code")
          .onlyWhile({"training.accumulation", OptionClause::Test::AtLeast, {Json(2)}}),
      integerField("training.prefetch", "Batches made ahead", "Batches that a second thread keeps ready.", 16)
          .between(1, 1024)
          .unit("batches"),
      integerField("training.patience", "Patience",
                   "Ends the run after this many validations without improvement; 0 never does.", 0)
          .atLeast(0)
          .unit("validations")
          .off(0)};
}

std::vector<OptionField> validationFields() {
  return {timeField("validation.interval", "Validation interval",
                    "How often the validation loss is taken; always once more at the end.", "1e"),
          timeField("validation.score_interval", "Score interval",
                    "How often validation also produces outputs and scores them; always at the end.", "1e"),
          timeField("validation.score_from", "Scores from",
                    "Until then validations take the loss only; never: scores from the start.", "never")
              .unless("validation.score_interval", {"never"}),
          integerField("validation.samples", "Sample outputs",
                       "Outputs shown beside their references after a scored validation.", 4)
              .between(0, 64)};
}

std::vector<OptionField> checkpointFields() {
  return {
      timeField("checkpoint.interval", "Checkpoint interval",
                "How often to save; always at the end and when stopped.", "1e"),
      integerField("checkpoint.keep_last", "Keep last", "Newest checkpoints to keep.", 3).atLeast(1),
      integerField("checkpoint.keep_best", "Keep best", "Best checkpoints to keep beside the newest.", 1)
          .atLeast(0)
          .off(0),
      integerField("checkpoint.keep_every", "Keep every",
                   "Keeps checkpoints at multiples of this many updates for good; 0 keeps none.", 0)
          .atLeast(0)
          .unit("updates")
          .off(0),
      choiceField("checkpoint.best_by", "Best by", "What decides which checkpoint is the best one.",
                  {{"score", "Score of the task"}, {"nll", "Validation loss"}}),
      integerField("checkpoint.disk_patience", "Wait for disk space",
                   "How long a run waits for space when the disk is full and it cannot go on without; then "
                   "it ends, to be resumed from its last checkpoint.",
                   600)
          .between(0, 1e6)
          .unit("s")
          .off(0)};
}

// Fields of analyses while the run goes on (run_analyst.h); an analysis has the options it has by default,
// but the number of its examples.
std::vector<OptionField> analysisFields() {
  return {
      timeField(
          "analysis.interval", "Analysis interval",
          "How often to analyse the run while it is trained; also before the first update and at the end.",
          "never"),
      listField("analysis.ids", "Which",
                "Analyses of a checkpoint, such as attention_entropy, beta_dependency, gradient_norm.",
                Json::array({"attention_entropy", "attention_jsd", "beta_dependency"}))
          .unless("analysis.interval", {"never"}),
      integerField("analysis.examples", "Examples",
                   "So many are looked at, drawn at random, by analyses of a number of examples.", 200)
          .atLeast(1)
          .unit("examples")
          .unless("analysis.interval", {"never"}),
      timeField("analysis.max_logit", "Logit interval",
                "How often the largest attention logit of one batch of validation data is logged, as the "
                "scalar attention.max_logit: where it grows without end, attention collapses.",
                "never"),
      realField(
          "analysis.collapse_below", "Warn of entropy below",
          "A warning is recorded when the mean attention entropy of a layer falls below so much; looked "
          "at with the logits.",
          0)
          .atLeast(0)
          .unit("nats")
          .off(0.0)
          .unless("analysis.max_logit", {"never"}),
      flagField("analysis.epoch_norms", "Norms of each epoch",
                "After every epoch, the norm of the gradient and of the change of each attention matrix.")
          .reference("Admin, Figures 5 and 11")
          .off(false)};
}

std::vector<OptionField> divergenceFields() {
  return {
      integerField("divergence.not_learning_after", "Judge learning after",
                   "Updates after which a run that has not learnt counts as diverged.", 300)
          .atLeast(0)
          .unit("updates")
          .off(0),
      realField("divergence.not_learning_ratio", "Not learning above",
                "Share of the unigram entropy of the target that the validation loss must fall below.", 0.85)
          .above(0)
          .unless("divergence.not_learning_after", {0}),
      realField("divergence.exploding_factor", "Exploding above",
                "Multiple of the first loss that the loss of ten updates in a row must not exceed.", 3)
          .atLeast(1)
          .off(0.0)};
}

}  // namespace

std::vector<OptionField> trainOptionFields() {
  return joinedFields({inGroup("Run", machineFields()), inGroup("Run", lossScaleOptionFields()),
                       inGroup("Training", loopFields()),
                       inGroup("Several processes", parallelOptionFields()),
                       inGroup("Validation", validationFields()), inGroup("Checkpoints", checkpointFields()),
                       inGroup("Analyses", analysisFields()), inGroup("Divergence", divergenceFields())});
}

std::vector<OptionRule> trainOptionRules() {
  return {{{{"training.length", OptionClause::Test::In, {Json("never")}}},
           "A run needs a length, such as 500u or 10e.",
           {"training.length"}}};
}

TrainSettings trainSettings(const OptionValues& options) {
  TrainSettings s;
  s.seed = static_cast<std::uint64_t>(options.integer("seed"));
  s.device = options.text("device");
  s.threads = options.integer("threads");
  s.precision = options.text("precision");
  s.graphs = options.text("device.graphs") == "auto";
  s.length = options.time("training.length");
  s.accumulation = options.integer("training.accumulation");
  s.normalisation = valueOf(kNormalisations, options.text("training.normalisation"));
  s.leftOver = valueOf(kLeftOvers, options.text("training.left_over"));
  s.prefetch = options.integer("training.prefetch");
  s.patience = options.integer("training.patience");
  s.validationInterval = options.time("validation.interval");
  s.scoreInterval = options.time("validation.score_interval");
  s.scoreFrom = options.time("validation.score_from");
  s.samples = options.integer("validation.samples");
  s.checkpointInterval = options.time("checkpoint.interval");
  s.keepLast = options.integer("checkpoint.keep_last");
  s.keepBest = options.integer("checkpoint.keep_best");
  s.keepEvery = options.integer("checkpoint.keep_every");
  s.bestBy = options.text("checkpoint.best_by");
  s.analysisInterval = options.time("analysis.interval");
  s.logitInterval = options.time("analysis.max_logit");
  s.divergence = {options.integer("divergence.not_learning_after"),
                  options.real("divergence.not_learning_ratio"), options.real("divergence.exploding_factor")};
  return s;
}

}  // namespace fathom
