// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figures/attention/shown_attention.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/errors/error_key.h"
#include "core/base/errors/error_words.h"
#include "core/base/text/text_list.h"
#include "core/record/formats/array_file.h"
#include "views/figures/attention/attention_band.h"
#include "views/figures/probe_fields.h"
#include "views/figures/probe_selection.h"
#include "views/selection/selection.h"

namespace fathom {

namespace {

Result<std::vector<double>> numbersOf(const ProbedResult& probed, const AttentionMatrix& matrix,
                                      const std::string& part) {
  const std::string file = matrix.file(part);
  if (file.empty()) {
    return aboutKey(
        "part",
        usageError(
            (part == "residual"
                 ? Phrase::tr("%1 of run %2 has no '%3': its layers hand no scores on (no score chain)")
             : part == "relation" ? Phrase::tr("%1 of run %2 has no '%3': it is not relation-aware")
                                  : Phrase::tr("%1 of run %2 has no '%3'"))(matrix.name(), probed.name, part),
            Phrase::tr("it has: %1")(
                joined(matrix.parts, ", ", [](const auto& part) { return part.first; }))));
  }
  const auto read = readArrayFile(probed.folder + "/" + file);
  if (!read.ok()) {
    return withHint(read.error(),
                    Phrase::tr("delete the folder %1 and compute the analysis again")(probed.folder));
  }
  const NpyArray& array = *read;
  const std::vector<std::int64_t> shape = {matrix.layers, matrix.heads,
                                           static_cast<std::int64_t>(matrix.queries.size()),
                                           static_cast<std::int64_t>(matrix.keys.size())};
  if (array.shape != shape)
    return dataErrorAt(probed.folder + "/" + file, 0, Phrase::tr("has another shape than result.json says"),
                       Phrase::tr("delete the folder and compute the analysis again"));
  return array.doubles();
}

// Leaves out what is neither of the first sort (the question) nor linked.
void keepLinked(ShownAttention& shown) {
  AttentionMatrix& matrix = shown.matrix;
  if (!matrix.groups || matrix.groups->empty() || !matrix.linked) return;
  const std::vector<AttentionMatrix::Group> before = std::move(*matrix.groups);
  matrix.groups->clear();
  for (const AttentionMatrix::Group& group : before) {
    const auto first = static_cast<int>(shown.places.size());
    for (int token = group.first; token < group.first + group.count; ++token)
      if (group.sort == before.front().sort || std::ranges::binary_search(*matrix.linked, token))
        shown.places.push_back(token);
    const int count = static_cast<int>(shown.places.size()) - first;
    if (count > 0) matrix.groups->push_back({group.sort, first, count});
  }
  const std::size_t all = shown.queries();
  std::vector<double> values;
  for (std::size_t head = 0; head < shown.values.size(); head += all * all)
    for (const int query : shown.places)
      for (const int key : shown.places)
        values.push_back(
            shown.values[head + static_cast<std::size_t>(query) * all + static_cast<std::size_t>(key)]);
  shown.values = std::move(values);
  std::vector<std::string> words;
  for (const int token : shown.places) words.push_back(matrix.keys[static_cast<std::size_t>(token)]);
  matrix.queries = matrix.keys = std::move(words);
}

}  // namespace

std::string ShownAttention::selection() const {
  Selection base =
      Selection::fromText(QString::fromStdString(probeSelection(source.run, matrix.stack, matrix.kind)))
          .value();
  base.set(Dimension::Example, {QString::number(example)});
  return base.text().toStdString();
}

Status checkHead(const ProbedResult& source, const AttentionMatrix& matrix, int layer, int head) {
  if (layer >= 0 && layer < matrix.layers && head >= 0 && head < matrix.heads) return {};
  return usageError(Phrase::tr("run %1 has no %2 in %3")(source.name, headWords(layer, head), matrix.name()),
                    Phrase::tr("it has %1 layers of %2 heads")(matrix.layers, matrix.heads));
}

Result<ShownAttention> shownAttention(ProbedResult probed, const OptionValues& options) {
  ShownAttention shown;
  shown.source = std::move(probed);
  FATHOM_TRY(const AttentionMatrices all, attentionMatricesFromJson(shown.source.result));
  if (isOfTwoStreams(all))
    return usageError(Phrase::tr("run %1 has two streams of tokens")(shown.source.name),
                      Phrase::tr("look at runs of one and of two streams apart"));
  shown.part = options.text("part");
  shown.example = all.example;
  const auto nameOf = [](const AttentionMatrix& matrix) { return matrix.name(); };
  FATHOM_TRY(const std::size_t index,
             chosenAmong(all.attentions, nameOf, options, "attention",
                         Phrase::tr("run %1 has no attention '%2'"), shown.source.name));
  shown.matrix = all.attentions[index];
  FATHOM_TRY(shown.values, numbersOf(shown.source, shown.matrix, shown.part));
  FATHOM_TRY(const std::vector<double> probabilities, numbersOf(shown.source, shown.matrix, "probabilities"));
  shown.notNumbers = std::count_if(probabilities.begin(), probabilities.end(),
                                   [](double value) { return std::isnan(value); });
  if (options.text("tokens") == "linked") keepLinked(shown);
  return shown;
}

Result<std::vector<ShownAttention>> shownAttentions(AnalysisSource& source, const OptionValues& options,
                                                    std::vector<Phrase>* absent) {
  std::vector<ShownAttention> all;
  std::optional<Error> missing;
  for (const std::string& run : source.runs()) {
    FATHOM_TRY(ProbedResult probed,
               probedWithMoment(source, run, "attention_maps", options.text("checkpoint"), options));
    Result<ShownAttention> shown = shownAttention(std::move(probed), options);
    if (!shown.ok() && shown.error().key != "part") return shown.error();
    if (shown.ok()) {
      all.push_back(std::move(*shown));
    } else {
      missing = shown.error();
      if (absent != nullptr) absent->push_back(Phrase::tr("%1.")(missing->message));
    }
  }
  if (all.empty() && missing) return *missing;
  if (all.empty()) return noRunChosen();
  return all;
}

}  // namespace fathom
