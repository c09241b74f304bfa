// SPDX-License-Identifier: Apache-2.0
#include "core/engine/bench/bench_line.h"

namespace fathom {

namespace {

void addSettings(CLI::App* sub, BenchSettings& settings) {
  sub->add_option("--pairs", settings.pairs, "A-B pairs")->check(CLI::Range(1, 1000));
  sub->add_option("--steps", settings.steps, "Steps of one measurement")->check(CLI::Range(1, 100000));
  sub->add_option("--threads", settings.threads, "Threads, 0 = all cores")->check(CLI::NonNegativeNumber);
  sub->add_option("--peer", settings.peerScript, "Script of the peer");
  sub->add_option("--python", settings.python, "Python with the peer's packages");
}

void addShift(CLI::App& bench, OutputShiftBench& settings, std::function<Status()>& action) {
  CLI::App* shift = bench.add_subcommand("output-shift", "Output shift of encoders against depth");
  shift->callback([&settings, &action] { action = [&settings] { return benchOutputShift(settings); }; });
  shift->add_option("--deepest", settings.deepest, "Largest depth")->check(CLI::Range(1, 1000));
  shift->add_option("--every", settings.every, "Distance of the depths")->check(CLI::Range(1, 1000));
  shift->add_option("--seeds", settings.seeds, "Nets of each scheme")->check(CLI::Range(1, 100));
  shift->add_option("--width", settings.width, "Width")->check(CLI::Range(8, 65536));
  shift->add_option("--feed-forward", settings.feedForward, "Feed-forward width")
      ->check(CLI::Range(8, 1 << 20));
  shift->add_option("--rows", settings.rows, "Examples")->check(CLI::Range(1, 100000));
  shift->add_option("--length", settings.length, "Tokens of an example")->check(CLI::Range(1, 100000));
  addSettings(shift, settings.settings);
}

void addLong(CLI::App& bench, LongAttentionBench& settings, std::function<Status()>& action) {
  CLI::App* sub = bench.add_subcommand("long-attention", "Attention of a long and a global stream");
  sub->callback([&settings, &action] { action = [&settings] { return benchLongAttention(settings); }; });
  sub->add_option("--shortest", settings.shortest, "Shortest text, in tokens")->check(CLI::Range(1, 1 << 20));
  sub->add_option("--longest", settings.longest, "Longest; lengths double up to it")
      ->check(CLI::Range(1, 1 << 20));
  sub->add_option("--radius", settings.radius, "Local radius")->check(CLI::Range(1, 1 << 16));
  sub->add_option("--globals", settings.globals, "Global tokens")->check(CLI::Range(1, 1 << 16));
  sub->add_option("--heads", settings.heads, "Heads")->check(CLI::Range(1, 1024));
  sub->add_option("--width", settings.width, "Width")->check(CLI::Range(8, 65536));
  sub->add_option("--full-up-to", settings.fullUpTo, "Every pair only up to this length")
      ->check(CLI::NonNegativeNumber);
  addSettings(sub, settings.settings);
}

void addFineTune(CLI::App& bench, FineTuneStepBench& settings, std::function<Status()>& action) {
  CLI::App* sub = bench.add_subcommand("fine-tune-step", "Updates of a fine-tuning run");
  sub->callback([&settings, &action] { action = [&settings] { return benchFineTuneStep(settings); }; });
  sub->add_option("--preset", settings.preset, "Id of a preset of glue, squad or reclor on bert");
  sub->add_option("--set", settings.assignments, "Data, vocabulary, weights and other options: key=value")
      ->allow_extra_args(false);
  sub->add_option("--updates", settings.updates, "Updates whose losses are compared")
      ->check(CLI::Range(1, 10000));
  addSettings(sub, settings.settings);
}

void addSquadScore(CLI::App& bench, SquadScoreBench& settings, std::function<Status()>& action) {
  CLI::App* sub = bench.add_subcommand("squad-score", "Evaluation of SQuAD's answers");
  sub->callback([&settings, &action] { action = [&settings] { return benchSquadScore(settings); }; });
  sub->add_option("--questions", settings.questions, "Questions, made by rules")
      ->check(CLI::Range(1, 10000000));
  sub->add_option("--unanswerable", settings.unanswerable, "Share of questions without an answer")
      ->check(CLI::Range(0.0, 1.0));
  addSettings(sub, settings.settings);
}

void addDryRun(CLI::App& bench, DryRunBench& settings, std::function<Status()>& action) {
  CLI::App* dry = bench.add_subcommand("dry-run", "Time that a dry run says, against trainings");
  dry->callback([&settings, &action] { action = [&settings] { return benchDryRun(settings); }; });
  dry->add_option("--preset", settings.presets, "Presets with a generated sample");
  dry->add_option("--updates", settings.updates, "Updates of each training")->check(CLI::Range(20, 1000000));
  dry->add_option("--seconds", settings.seconds, "The dry run times updates for so long")
      ->check(CLI::Range(0.1, 600.0));
  dry->add_option("--tolerance", settings.tolerance, "Share by which they may differ")
      ->check(CLI::Range(0.01, 10.0));
  dry->add_option("--threads", settings.threads, "Threads, 0 = all cores")->check(CLI::NonNegativeNumber);
}

void addDeviceStep(CLI::App& bench, DeviceStepBench& settings, std::function<Status()>& action) {
  CLI::App* step = bench.add_subcommand("device-step", "What an update asks of a device that counts it");
  step->callback([&settings, &action] { action = [&settings] { return benchDeviceStep(settings); }; });
  step->add_option("--model", settings.models, "nmt, bert, sql-sp")
      ->check(CLI::IsMember({"nmt", "bert", "sql-sp"}));
  step->add_option("--updates", settings.updates, "Updates of each; the last but one is counted")
      ->check(CLI::Range(3, 1000));
  step->add_option("--device", settings.device, "Device");
}

void addSqlSize(CLI::App* sub, std::string& size) {
  sub->add_option("--size", size, "Sizes of the presets sql_sp_paper or sql_sp_cpu")
      ->check(CLI::IsMember({"paper", "cpu"}));
}
void addReference(CLI::App* sub, std::string& folder) {
  sub->add_option("--reference", folder, "Folder with DT-Fixup's code, whose decoder is then the peer");
}

}  // namespace

void BenchLine::addSql(CLI::App& bench, std::function<Status()>& action) {
  CLI::App* decoder = bench.add_subcommand("sql-decoder", "Loss and gradients of SQL-SP's decoder");
  decoder->callback([this, &action] { action = [this] { return benchSqlDecoder(m_sqlDecoder); }; });
  decoder->add_option("--rows", m_sqlDecoder.rows, "Examples")->check(CLI::Range(1, 100000));
  decoder->add_option("--length", m_sqlDecoder.length, "Tokens, columns and tables of an example")
      ->check(CLI::Range(8, 100000));
  decoder->add_option("--columns", m_sqlDecoder.columns, "Columns of an example")
      ->check(CLI::Range(2, 100000));
  decoder->add_option("--actions", m_sqlDecoder.actions, "Actions of an example")
      ->check(CLI::Range(10, 1000));
  decoder->add_flag("--spread", m_sqlDecoder.spread, "Sizes spread as Spider's are");
  addSqlSize(decoder, m_sqlDecoder.size);
  addReference(decoder, m_sqlDecoder.reference);
  addSettings(decoder, m_sqlDecoder.settings);

  CLI::App* beam = bench.add_subcommand("grammar-beam", "Search over the grammar of SQL");
  beam->callback([this, &action] { action = [this] { return benchGrammarBeam(m_beam); }; });
  beam->add_option("--examples", m_beam.examples, "Examples")->check(CLI::Range(1, 1 << 20));
  beam->add_option("--batch", m_beam.batch, "Examples searched at once")->check(CLI::Range(1, 1 << 20));
  beam->add_option("--beam", m_beam.beam, "Hypotheses kept")->check(CLI::Range(1, 1000));
  beam->add_option("--max-steps", m_beam.maxSteps, "Actions after which a search ends")
      ->check(CLI::Range(1, 10000));
  beam->add_option("--run", m_beam.run, "Run of sql_sp: its weights, its validation");
  addSqlSize(beam, m_beam.size);
  addReference(beam, m_beam.reference);
  addSettings(beam, m_beam.settings);

  CLI::App* step = bench.add_subcommand("sql-step", "One training step of SQL-SP on kept states");
  step->callback([this, &action] { action = [this] { return benchSqlStep(m_sqlStep); }; });
  step->add_option("--rows", m_sqlStep.rows, "Examples")->check(CLI::Range(1, 100000));
  step->add_option("--dropout", m_sqlStep.dropout, "While timing")->check(CLI::Range(0.0, 0.9));
  addSqlSize(step, m_sqlStep.size);
  addSettings(step, m_sqlStep.settings);
}

void BenchLine::addTo(CLI::App& bench, std::function<Status()>& action) {
  CLI::App* rat = bench.add_subcommand("rat-layer", "Relation-aware layers, forward and backward");
  rat->callback([this, &action] { action = [this] { return benchRatLayer(m_rat); }; });
  rat->add_option("--layers", m_rat.layers, "Layers")->check(CLI::Range(1, 1000));
  rat->add_option("--rows", m_rat.rows, "Examples")->check(CLI::Range(1, 100000));
  rat->add_option("--length", m_rat.length, "Longest example, in tokens")->check(CLI::Range(4, 100000));
  rat->add_flag("--spread", m_rat.spread, "Lengths spread down to a fifth, with padding");
  addSettings(rat, m_rat.settings);

  CLI::App* nmt = bench.add_subcommand("nmt-step", "One training step of a translation model");
  nmt->callback([this, &action] { action = [this] { return benchNmtStep(m_nmt); }; });
  nmt->add_option("--layers", m_nmt.layers, "Layers of encoder and decoder")->check(CLI::Range(1, 1000));
  nmt->add_option("--width", m_nmt.width, "Model width")->check(CLI::Range(8, 65536));
  nmt->add_option("--feed-forward", m_nmt.feedForward, "Feed-forward width")->check(CLI::Range(8, 1 << 20));
  nmt->add_option("--heads", m_nmt.heads, "Heads")->check(CLI::Range(1, 1024));
  nmt->add_option("--tokens", m_nmt.tokens, "Padded tokens of a batch")->check(CLI::Range(1, 1 << 24));
  nmt->add_option("--vocabulary", m_nmt.vocabulary, "Pieces")->check(CLI::Range(8, 1 << 24));
  addSettings(nmt, m_nmt.settings);

  CLI::App* bert = bench.add_subcommand("bert-step", "One masked-LM step of BERT with its optimiser");
  bert->callback([this, &action] { action = [this] { return benchBertStep(m_bert); }; });
  bert->add_option("--layers", m_bert.layers, "Layers")->check(CLI::Range(1, 1000));
  bert->add_option("--width", m_bert.width, "Width")->check(CLI::Range(8, 65536));
  bert->add_option("--heads", m_bert.heads, "Heads")->check(CLI::Range(1, 1024));
  bert->add_option("--feed-forward", m_bert.feedForward, "Feed-forward width")->check(CLI::Range(8, 1 << 20));
  bert->add_option("--rows", m_bert.rows, "Examples")->check(CLI::Range(1, 100000));
  bert->add_option("--length", m_bert.length, "Longest example, in tokens")->check(CLI::Range(4, 100000));
  bert->add_option("--groups", m_bert.groups, "Groups by length")->check(CLI::Range(1, 4096));
  bert->add_option("--chain", m_bert.chain, "Score chain")->check(CLI::IsMember({"none", "sum", "mean"}));
  addSettings(bert, m_bert.settings);

  CLI::App* optimizer = bench.add_subcommand("optimizer-step", "Clipping and one Adam update");
  optimizer->callback([this, &action] { action = [this] { return benchOptimizerStep(m_optimizer); }; });
  optimizer->add_option("--tensors", m_optimizer.tensors, "Tensors")->check(CLI::Range(2, 100000));
  optimizer->add_option("--elements", m_optimizer.elements, "Elements of all tensors")
      ->check(CLI::Range(std::int64_t{1} << 16, std::int64_t{1} << 34));
  addSettings(optimizer, m_optimizer.settings);

  CLI::App* attention = bench.add_subcommand("entropy-jsd", "Entropy and divergence of attention");
  attention->callback([this, &action] { action = [this] { return benchEntropyJsd(m_entropyJsd); }; });
  attention->add_option("--layers", m_entropyJsd.layers, "Layers")->check(CLI::Range(1, 1000));
  attention->add_option("--rows", m_entropyJsd.rows, "Examples")->check(CLI::Range(1, 100000));
  attention->add_option("--heads", m_entropyJsd.heads, "Heads")->check(CLI::Range(1, 1024));
  attention->add_option("--length", m_entropyJsd.length, "Tokens")->check(CLI::Range(1, 100000));
  attention->add_option("--head-width", m_entropyJsd.headWidth, "Width of a head")
      ->check(CLI::Range(1, 4096));
  attention
      ->add_option("--probe-rows", m_entropyJsd.probeRows, "Examples of the whole probe on a whole model")
      ->check(CLI::Range(1, 1000));
  addSettings(attention, m_entropyJsd.settings);

  CLI::App* tokenize = bench.add_subcommand("tokenize", "Tokens of a text");
  tokenize->callback([this, &action] { action = [this] { return benchTokenize(m_tokenize); }; });
  tokenize->add_option("--text", m_tokenize.text, "Text file")->required();
  tokenize->add_option("--vocabulary", m_tokenize.vocabulary, "vocab.txt, or vocab.json with --merges")
      ->required();
  tokenize->add_option("--merges", m_tokenize.merges, "merges.txt of a byte-level BPE");
  tokenize->add_option("--megabytes", m_tokenize.megabytes, "The text is repeated to this much")
      ->check(CLI::Range(1, 10000));
  addSettings(tokenize, m_tokenize.settings);
  addShift(bench, m_shift, action);
  addLong(bench, m_long, action);
  addFineTune(bench, m_fineTune, action);
  addSquadScore(bench, m_squadScore, action);
  addDryRun(bench, m_dryRun, action);
  addDeviceStep(bench, m_deviceStep, action);
  addSql(bench, action);
}

}  // namespace fathom
