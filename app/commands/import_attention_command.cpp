// SPDX-License-Identifier: GPL-3.0-or-later
#include <iterator>

#include "app/command.h"
#include "app/requests/brought_results.h"
#include "app/runs/run_json.h"
#include "core/base/errors/error_key.h"
#include "core/base/options/field_builder.h"
#include "core/base/text/text_list.h"
#include "core/imports/attention/attention_import.h"

namespace fathom {

namespace {

AttentionFiles filesOf(const OptionValues& options) {
  AttentionFiles files;
  files.arrays = {options.text("source")};
  for (const std::string& more : options.texts("more")) files.arrays.push_back(more);
  files.tokens = options.text("tokens");
  files.place = {options.text("stack"), options.text("kind")};
  files.split = options.text("split");
  files.maps = options.integer("maps");
  return files;
}

Result<RunRow> oneRun(ProjectLibrary& library, const std::string& word) {
  FATHOM_TRY(auto rows, findRuns(library, {word}));
  if (rows.size() != 1)
    return aboutKey("run", usageError(Phrase::tr("'%1' stands for %2 runs")(word, rows.size()),
                                      Phrase::tr("attention is that of one run")));
  return std::move(rows.front());
}

Result<CommandOutput> importAttention(const CommandContext& context, Progress& progress,
                                      const StopToken& stop) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(context.project));
  FATHOM_TRY(const RunRow run, oneRun(*library, context.options.text("run")));
  FATHOM_TRY(const std::string checkpoint, stateName(run, context.options.text("checkpoint")));
  const AttentionFiles files = filesOf(context.options);
  FATHOM_TRY(const BroughtAttention brought, readAttention(files, progress, stop));
  FATHOM_TRY(const auto folders, storeBrought(context.project, run, checkpoint, files.split, brought));
  CommandOutput output;
  output.json = {{"format", 1},
                 {"run", {{"uuid", run.identity.uuid}, {"name", run.name}, {"path", run.path}}},
                 {"checkpoint", checkpoint},
                 {"examples", brought.examples},
                 {"tokens", brought.tokens},
                 {"attentions", brought.attentions},
                 {"passed_over", brought.passedOver},
                 {"results", Json::array()}};
  for (std::size_t i = 0; i < folders.size(); ++i)
    output.json["results"].push_back({{"analysis", brought.analyses[i].analysis}, {"path", folders[i]}});
  output.text = run.name + ", checkpoint " + checkpoint + ": " + joined(brought.attentions) + " of " +
                std::to_string(brought.examples) + " examples, " + std::to_string(brought.tokens) +
                " tokens\n";
  for (const std::string& folder : folders) output.text += folder + "\n";
  if (!brought.passedOver.empty()) output.text += "no attention: " + joined(brought.passedOver) + "\n";
  return output;
}

}  // namespace

Command importAttentionCommandEntry() {
  return {
      .id = "import-attention",
      .title = "Import attention",
      .description =
          "Makes entropy, divergence between layers and maps of attention that another program has written "
          "as "
          "arrays, for a run and a checkpoint: [layers, heads, queries, keys] or [layers, examples, heads, "
          "queries, keys], .npy or safetensors, called encoder.self_attention, decoder.self_attention or "
          "decoder.cross_attention.",
      .group = "Run",
      .fields =
          {pathField("source", "Arrays", "A .npy or safetensors file."),
           listField("more", "Further arrays", "Files with the other attentions of the model."),
           textField("run", "Run", "UUID, its beginning, name or path: the run whose attention it is."),
           textField("checkpoint", "Checkpoint",
                     "The state it is of: number of updates, init, or the name of a checkpoint."),
           pathField("tokens", "Tokens",
                     "JSON: {\"tokens\": [[text, …], …], \"attention_mask\": [[1, 0, …], …]}, the same with "
                     "decoder_ for a decoder; or the list of tokens alone. Otherwise all are real."),
           textField("stack", "Stack", "encoder or decoder, where the name of the only array does not say."),
           choiceField("kind", "Kind", "Where the name of the only array does not say.",
                       {{"self_attention", "self-attention"}, {"cross_attention", "cross-attention"}}),
           integerField("maps", "Maps", "So many examples, the first ones, are kept as maps; 0: none.", 1)
               .between(0, 1000),
           choiceField("split", "Part", "Part of the data that the examples are of.",
                       {{"validation", "validation"}, {"test", "test"}, {"train", "training"}})},
      .required = {"source", "run", "checkpoint"},
      .positional = "source",
      .further = "more",
      .changesData = true,
      .run = importAttention};
}

}  // namespace fathom
