// SPDX-License-Identifier: Apache-2.0
#include "core/train/train_settings.h"

#include "core/train/mixed_precision.h"

namespace fathom {

namespace {

OptionField field(const char* key, OptionType type, Json value, const char* group, const char* title,
                  const char* help) {
  OptionField result;
  result.key = key;
  result.type = type;
  result.defaultValue = std::move(value);
  result.group = group;
  result.title = title;
  result.help = help;
  return result;
}

OptionField count(const char* key, std::int64_t value, double minimum, const char* group, const char* title,
                  const char* help, const char* unit = "") {
  OptionField result = field(key, OptionType::Integer, value, group, title, help);
  result.minimum = minimum;
  result.unit = unit;
  return result;
}

OptionField time(const char* key, const char* value, const char* group, const char* title, const char* help) {
  OptionField result = field(key, OptionType::Time, value, group, title, help);
  result.disablingValue = "never";
  return result;
}

OptionField disabledBy(OptionField result, Json value) {
  result.disablingValue = std::move(value);
  return result;
}

std::vector<OptionField> machineFields() {
  OptionField seed =
      count("seed", 1, 0, "Run", "Seed",
            "Decides initial values, order of the data and dropout; equal seeds give equal runs.");
  seed.maximum = 9007199254740991.0;
  OptionField precision =
      field("precision", OptionType::Choice, "float32", "Run", "Precision",
            "Number format of weights and matrix products; the mixed ones keep 32-bit weights.");
  precision.choices = {{"float32", "32 bit"},
                       {"float64", "64 bit"},
                       {"bfloat16", "Mixed, 16 bit (bfloat16)"},
                       {"float16", "Mixed, 16 bit (float16, loss scaling)"}};
  return {seed,
          field("device", OptionType::Text, "auto", "Run", "Device",
                "auto takes the first usable GPU, else the processor; or cpu, cuda:0, cuda:1 ..."),
          disabledBy(count("threads", 0, 0, "Run", "Threads", "Processor threads; 0 takes one for each core.",
                           "threads"),
                     0),
          precision};
}

std::vector<OptionField> loopFields() {
  OptionField normalisation = field("training.normalisation", OptionType::Choice, "per_unit", "Training",
                                    "Normalisation", "How the losses of accumulated batches are averaged.");
  normalisation.choices = {{"per_unit", "Per target token over all batches"},
                           {"mean_of_micro_batches", "Mean of the batches' means"}};
  normalisation.reference = "fairseq";
  normalisation.enabledWhen = {{"training.accumulation", OptionClause::Test::AtLeast, {Json(2)}}};
  OptionField length = field("training.length", OptionType::Time, "10e", "Training", "Length",
                             "How long to train: updates (500u), epochs (10e) or target tokens (20Mt).");
  OptionField prefetch = count("training.prefetch", 16, 1, "Training", "Batches made ahead",
                               "Batches that a second thread keeps ready.", "batches");
  prefetch.maximum = 1024;
  return {length,
          count("training.accumulation", 1, 1, "Training", "Batches per update",
                "Batches whose gradients are added up before an update.", "batches"),
          normalisation, prefetch,
          disabledBy(count("training.patience", 0, 0, "Training", "Patience",
                           "Ends the run after this many validations without improvement; 0 never does.",
                           "validations"),
                     0)};
}

std::vector<OptionField> validationFields() {
  OptionField samples = count("validation.samples", 4, 0, "Validation", "Sample outputs",
                              "Outputs shown beside their references after a scored validation.");
  samples.maximum = 64;
  return {time("validation.interval", "1e", "Validation", "Validation interval",
               "How often the validation loss is taken; always once more at the end."),
          time("validation.score_interval", "1e", "Validation", "Score interval",
               "How often validation also produces outputs and scores them; always at the end."),
          time("validation.score_from", "never", "Validation", "Scores from",
               "Before this much training no outputs are produced and scored; never: no such limit."),
          samples};
}

std::vector<OptionField> checkpointFields() {
  OptionField best = field("checkpoint.best_by", OptionType::Choice, "score", "Checkpoints", "Best by",
                           "What decides which checkpoint is the best one.");
  best.choices = {{"score", "Score of the task"}, {"nll", "Validation loss"}};
  OptionField patience = count("checkpoint.disk_patience", 600, 0, "Checkpoints", "Wait for disk space",
                               "How long a run waits for space when the disk is full and it cannot go on "
                               "without; then it ends, to be resumed from its last checkpoint.",
                               "s");
  patience.maximum = 1e6;
  return {time("checkpoint.interval", "1e", "Checkpoints", "Checkpoint interval",
               "How often to save; always at the end and when stopped."),
          count("checkpoint.keep_last", 3, 1, "Checkpoints", "Keep last", "Newest checkpoints to keep."),
          disabledBy(count("checkpoint.keep_best", 1, 0, "Checkpoints", "Keep best",
                           "Best checkpoints to keep beside the newest."),
                     0),
          disabledBy(
              count("checkpoint.keep_every", 0, 0, "Checkpoints", "Keep every",
                    "Keeps checkpoints at multiples of this many updates for good; 0 keeps none.", "updates"),
              0),
          best,
          disabledBy(patience, 0)};
}

// What is looked at while the run goes on (run_analyst.h); an analysis has the options it has by default,
// but the number of its examples.
std::vector<OptionField> analysisFields() {
  OptionField ids =
      field("analysis.ids", OptionType::TextList,
            Json::array({"attention_entropy", "attention_jsd", "beta_dependency"}), "Analyses", "Which",
            "Analyses of a checkpoint, such as attention_entropy, beta_dependency, gradient_norm.");
  OptionField examples =
      count("analysis.examples", 200, 1, "Analyses", "Examples",
            "So many are looked at, drawn at random, by analyses of a number of examples.", "examples");
  for (OptionField* part : {&ids, &examples})
    part->enabledWhen = {{"analysis.interval", OptionClause::Test::NotIn, {Json("never")}}};
  OptionField norms =
      field("analysis.epoch_norms", OptionType::Flag, false, "Analyses", "Norms of each epoch",
            "After every epoch, the norm of the gradient and of the change of each attention matrix.");
  norms.reference = "Admin, Figures 5 and 11";
  norms.disablingValue = false;
  return {
      time("analysis.interval", "never", "Analyses", "Analysis interval",
           "How often to analyse the run while it is trained; also before the first update and at the end."),
      ids, examples, norms};
}

std::vector<OptionField> divergenceFields() {
  OptionField after =
      disabledBy(count("divergence.not_learning_after", 300, 0, "Divergence", "Judge learning after",
                       "Updates after which a run that has not learnt counts as diverged.", "updates"),
                 0);
  OptionField ratio =
      field("divergence.not_learning_ratio", OptionType::Real, 0.85, "Divergence", "Not learning above",
            "Share of the unigram entropy of the target that the validation loss must fall below.");
  ratio.minimum = 0;
  ratio.minimumExclusive = true;
  ratio.enabledWhen = {{"divergence.not_learning_after", OptionClause::Test::NotIn, {Json(0)}}};
  OptionField factor =
      field("divergence.exploding_factor", OptionType::Real, 3.0, "Divergence", "Exploding above",
            "Multiple of the first loss that the loss of ten updates in a row must not exceed.");
  factor.minimum = 1;
  factor.disablingValue = 0.0;
  return {after, ratio, factor};
}

}  // namespace

std::vector<OptionField> trainOptionFields() {
  std::vector<OptionField> fields;
  for (const auto& part : {machineFields(), lossScaleOptionFields(), loopFields(), validationFields(),
                           checkpointFields(), analysisFields(), divergenceFields()})
    fields.insert(fields.end(), part.begin(), part.end());
  return fields;
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
  s.length = options.time("training.length");
  s.accumulation = options.integer("training.accumulation");
  s.normalisation = options.text("training.normalisation") == "per_unit" ? Normalisation::PerUnit
                                                                         : Normalisation::MeanOfMicroBatches;
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
  s.divergence = {options.integer("divergence.not_learning_after"),
                  options.real("divergence.not_learning_ratio"), options.real("divergence.exploding_factor")};
  return s;
}

}  // namespace fathom
