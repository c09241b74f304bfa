// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figures/attention/band_source.h"

#include <algorithm>
#include <tuple>

#include "core/base/errors/error_key.h"
#include "core/base/text/text_list.h"
#include "views/figures/attention/shown_attention.h"
#include "views/figures/probe_fields.h"
#include "views/figures/probe_selection.h"
#include "views/selection/selection.h"

namespace fathom {

std::string BandSource::selection(int layer, int head) const {
  Selection base =
      Selection::fromText(QString::fromStdString(probeSelection(probed.run, matrix.stack, matrix.kind)))
          .value();
  base.set(Dimension::Example, {QString::number(example)});
  return base.text().toStdString() + "/" + headPart(layer, head);
}

namespace {

Error damaged(const BandSource& source, const Phrase& what) {
  return dataErrorAt(source.probed.folder, 0, what,
                     Phrase::tr("delete the folder and compute the analysis again"));
}

Status openPart(BandSource& source) {
  const AttentionMatrix& matrix = source.matrix;
  const std::string file = matrix.file(source.part);
  if (file.empty())
    return aboutKey(
        "part",
        usageError(Phrase::tr("%1 of run %2 has no '%3'")(matrix.name(), source.probed.name, source.part),
                   Phrase::tr("it has: %1")(
                       joined(matrix.parts, ", ", [](const auto& part) { return part.first; }))));
  FATHOM_TRY(ArrayPart array, ArrayPart::open(source.probed.folder + "/" + file));
  const std::vector<std::int64_t> shape = {matrix.keptLayers(), matrix.heads, source.queries(),
                                           matrix.columns()};
  if (array.shape() != shape) return damaged(source, Phrase::tr("has another shape than result.json says"));
  source.array = std::move(array);
  return {};
}

// Places that a damaged file could point to.
Status checkPlaces(const BandSource& source) {
  const int globals = source.globals();
  const auto outside = [globals](int place) { return place < -1 || place >= globals; };
  const LongPlaces& places = source.places;
  constexpr int kMostRadius = 1 << 16;  // of the option
  const auto& of = source.matrix.band;
  const bool band = of ? of->radius >= 0 && of->radius <= kMostRadius && of->globals == globals &&
                             source.queries() == source.longs()
                       : source.queries() == globals;
  if (globals < 0 || !band || places.paragraph.size() != places.sentence.size() ||
      std::any_of(places.sentence.begin(), places.sentence.end(), outside) ||
      std::any_of(places.paragraph.begin(), places.paragraph.end(), outside))
    return damaged(source, Phrase::tr("places of long tokens do not fit the tokens"));
  return {};
}

Result<BandSource> bandSource(ProbedResult probed, const OptionValues& options) {
  BandSource source;
  source.probed = std::move(probed);
  FATHOM_TRY(const AttentionMatrices all, attentionMatricesFromJson(source.probed.result));
  if (!all.places)
    return usageError(Phrase::tr("run %1 has one stream of tokens")(source.probed.name),
                      Phrase::tr("look at runs of one and of two streams apart"));
  const auto nameOf = [](const AttentionMatrix& matrix) { return matrix.name(); };
  FATHOM_TRY(const std::size_t index,
             chosenAmong(all.attentions, nameOf, options, "attention",
                         Phrase::tr("run %1 has no attention '%2'"), source.probed.name));
  source.matrix = all.attentions.at(index);
  source.places = *all.places;
  source.part = options.text("part");
  source.example = all.example;
  FATHOM_CHECK(checkPlaces(source));
  FATHOM_CHECK(openPart(source));
  return source;
}

}  // namespace

Result<std::vector<BandSource>> bandSources(AnalysisSource& source, const OptionValues& options) {
  std::vector<BandSource> all;
  for (const std::string& run : source.runs()) {
    FATHOM_TRY(ProbedResult probed,
               probedWithMoment(source, run, "attention_maps", options.text("checkpoint"), options));
    FATHOM_TRY(BandSource one, bandSource(std::move(probed), options));
    all.push_back(std::move(one));
  }
  if (all.empty()) return noRunChosen();
  return all;
}

Status checkBandHead(const BandSource& source, int layer, int head) {
  const AttentionMatrix& matrix = source.matrix;
  FATHOM_CHECK(checkHead(source.probed, matrix, layer, head));
  if (matrix.keptPlace(layer) >= 0) return {};
  const auto number = [](int each) { return std::to_string(each + 1); };
  return aboutKey("layer", usageError(Phrase::tr("of this long input layer %1 is not kept")(layer + 1),
                                      Phrase::tr("kept are: %1")(joined(*matrix.kept, ", ", number))));
}

Result<std::vector<float>> bandRows(const BandSource& source, int layer, int head, int query, int count) {
  const std::int64_t columns = source.matrix.columns(), queries = source.queries();
  const std::int64_t place = source.matrix.keptPlace(layer);
  const std::int64_t first = ((place * source.matrix.heads + head) * queries + query) * columns;
  return source.array->read(first, count * columns);
}

std::pair<int, int> tokensOfGlobal(const LongPlaces& places, int global) {
  int first = -1, last = -1;
  for (std::size_t i = 0; i < places.sentence.size(); ++i) {
    if (places.sentence[i] != global && places.paragraph[i] != global) continue;
    if (first < 0) first = static_cast<int>(i);
    last = static_cast<int>(i);
  }
  return {std::max(first, 0), first < 0 ? 0 : last - first + 1};
}

Result<BandView> bandViewOf(const BandSource& source, const OptionValues& options) {
  BandView view;
  view.longs = source.longs();
  const std::int64_t wanted = options.integer(kBandFollow);
  if (wanted > 0) {
    if (wanted > source.globals())
      return aboutKey(kBandFollow, usageError(Phrase::tr("run %1 has no global token %2 in this example")(
                                                  source.probed.name, wanted),
                                              Phrase::tr("it has %1, counted from 1")(source.globals())));
    view.followed = static_cast<int>(wanted - 1);
    std::tie(view.firstLong, view.longs) = tokensOfGlobal(source.places, *view.followed);
    if (view.longs == 0)
      return aboutKey(kBandFollow,
                      usageError(Phrase::tr("no long token belongs to global token %1")(wanted)));
  }
  if (!source.ofLong()) {
    view.queries = source.queries();
    return view;
  }
  view.firstQuery = view.firstLong;
  view.queries = view.longs;
  if (view.followed) return view;
  view.firstQuery =
      static_cast<int>(std::min<std::int64_t>(options.integer(kBandFrom) - 1, source.queries() - 1));
  const std::int64_t most = options.integer(kBandQueries);
  view.queries = source.queries() - view.firstQuery;
  if (most > 0) view.queries = static_cast<int>(std::min<std::int64_t>(view.queries, most));
  return view;
}

}  // namespace fathom
