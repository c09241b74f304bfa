// SPDX-License-Identifier: GPL-3.0-or-later
// Layer dependency β_ij: maps, their difference, or the curve of β²_ii (Admin Figs 7, 8;
// docs/analyses.md §3).
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/analysis/dependency/dependency_profile.h"
#include "core/analysis/dependency/stack_dependency.h"
#include "core/analysis/statistics/seed_summary.h"
#include "core/analysis/training/stack_phrase.h"
#include "core/base/errors/error_key.h"
#include "core/base/options/field_builder.h"
#include "core/record/runs/checkpoint_choice.h"
#include "views/figure/axis_scale.h"
#include "views/figure/figure_colours.h"
#include "views/figure/figure_text.h"
#include "views/figures/figure_entry.h"
#include "views/figures/figure_parts.h"
#include "views/figures/layer_curves.h"
#include "views/figures/map_palette.h"
#include "views/figures/probe_fields.h"
#include "views/figures/probe_selection.h"
#include "views/figures/size_fields.h"
#include "views/figures/text_fields.h"
#include "views/selection/selection.h"

namespace fathom {

namespace {

// One run, or the mean map of runs that differ only in the seed.
struct Drawn {
  std::string uuid, run, checkpoint, group;
  StackDependency stack;
  int colour = 0;
  bool global = false;
  bool embedding = false;  // column a_0 too
  std::string palette = "viridis";
  std::vector<StackDependency> seeds;  // of the group; empty = one run
  std::vector<std::string> names;      // of its runs
  const std::vector<double>& map() const { return global ? stack.beta.globalStd : stack.beta.meanTokenStd; }
  double at(std::size_t row, std::size_t column) const {
    return map()[row * (stack.sublayers.size() + 1) + column];
  }
  DependencyProfile profile(DependencyNumber number) const {
    return seeds.empty() ? dependencyProfile({&stack, 1}, number, global)
                         : dependencyProfile(seeds, number, global);
  }
  std::size_t rows() const { return stack.sublayers.size(); }
  std::size_t firstColumn() const { return embedding ? 0 : 1; }
};

Result<Drawn> drawnOf(const ProbedResult& probed, const OptionValues& options) {
  FATHOM_TRY(std::vector<StackDependency> stacks, dependenciesFromJson(probed.result));
  Drawn drawn;
  drawn.uuid = probed.run;
  drawn.run = probed.name;
  drawn.checkpoint = probed.checkpoint;
  drawn.group = probed.group;
  drawn.global = options.text("spread") == "global";
  drawn.embedding = options.flag("embedding");
  drawn.palette = options.text("palette");
  const auto nameOf = [](const StackDependency& stack) { return stack.stack; };
  FATHOM_TRY(const std::size_t index, chosenAmong(stacks, nameOf, options, "stack",
                                                  Phrase::tr("run %1 has no stack '%2'"), probed.name));
  drawn.stack = std::move(stacks[index]);
  return drawn;
}

Result<Drawn> drawnOf(AnalysisSource& source, const std::string& run, const std::string& checkpoint,
                      const OptionValues& options) {
  FATHOM_TRY(const ProbedResult probed, probedAs(source, run, "beta_dependency", checkpoint, options));
  FATHOM_TRY(Drawn drawn, drawnOf(probed, options));
  drawn.colour = source.colourOf(run);
  return drawn;
}

// Results of all checkpoints that the option "scale" asks for.
std::vector<Drawn> drawnForScale(AnalysisSource& source, const OptionValues& options) {
  std::vector<Drawn> all;
  for (const ProbedResult& state : scaleStates(source, "beta_dependency", options))
    if (auto drawn = drawnOf(state, options); drawn.ok()) all.push_back(std::move(*drawn));
  return all;
}

// "init", "update 300".
Phrase momentOf(const Drawn& drawn) {
  const auto step = checkpointStep(drawn.checkpoint);
  if (!step) return markupOf(drawn.checkpoint);
  if (*step == 0) return Phrase::words("init");
  return Phrase::tr("update %1")(*step);
}

// Only what the recursion gives is shown: above the diagonal there is nothing.
CellsMark cellsOf(const Drawn& drawn, const Drawn* minus) {
  CellsMark cells;
  cells.rows = static_cast<int>(drawn.rows());
  cells.columns = static_cast<int>(drawn.rows() + 1 - drawn.firstColumn());
  for (std::size_t row = 0; row < drawn.rows(); ++row) {
    for (std::size_t column = drawn.firstColumn(); column <= drawn.rows(); ++column) {
      const bool below = column <= row + 1;
      const double value = drawn.at(row, column) - (minus != nullptr ? minus->at(row, column) : 0);
      cells.values.push_back(below ? value : std::numeric_limits<double>::quiet_NaN());
      cells.shown += below ? '#' : '.';
    }
  }
  return cells;
}

FigurePanel mapPanel(const Drawn& drawn, const Drawn* minus) {
  FigurePanel panel;
  panel.x = numberedAxis(Phrase::tr("branch <i>a<sub>j</sub></i>"), drawn.rows() + 1 - drawn.firstColumn(),
                         drawn.firstColumn());
  panel.y = numberedAxis(Phrase::tr("sub-layer output <i>x<sub>i</sub></i>"), drawn.rows(), 1);
  panel.y.reversed = true;
  panel.aspect = 1;
  panel.legend = LegendPlace::None;
  panel.title = momentOf(drawn);
  if (minus != nullptr) panel.title.append(momentOf(*minus), " − ");
  panel.title = Phrase::tr("%1, %2")(std::move(panel.title), markupOf(drawn.run));
  FigureMark mark;
  mark.shape = cellsOf(drawn, minus);
  mark.selection = probeSelection(drawn.uuid, drawn.stack.stack, {});
  for (std::size_t row = 0; row < drawn.rows(); ++row)
    mark.rowParts.push_back(sublayerPart(drawn.stack.sublayers[row], static_cast<int>(row)));
  panel.marks.push_back(std::move(mark));
  return panel;
}

// `more`: maps that are not drawn, but lie in the range too.
void shareRange(FigureSpec& spec, const std::vector<CellsMark>& more, bool difference,
                const std::string& palette) {
  ValueRange range;
  for (const FigurePanel& panel : spec.panels)
    range.add(std::get<CellsMark>(panel.marks.front().shape).values);
  for (const CellsMark& cells : more) range.add(cells.values);
  double low = range.any() ? range.low : 0, high = range.any() ? range.high : 1;
  if (difference) high = std::max({high, -low, 1e-6}), low = -high;
  for (FigurePanel& panel : spec.panels) {
    CellsMark& cells = std::get<CellsMark>(panel.marks.front().shape);
    cells.map = difference ? "blue_white_red" : palette;
    cells.minimum = difference ? low : 0;
    cells.maximum = high;
    if (difference) cells.centre = 0;
    ColourBar bar;
    bar.map = cells.map;
    bar.minimum = *cells.minimum;
    bar.maximum = high;
    bar.label = difference ? Phrase(Phrase::tr("change of <i>β<sub>ij</sub></i>"))
                           : Phrase::words("<i>β<sub>ij</sub></i>");
    for (std::size_t i = 0; i < cells.values.size(); ++i)
      bar.missing += cells.has(i) && !std::isfinite(cells.values[i]) ? 1 : 0;
    // One scale for all: it stands at the end of each row, and beside a map with cells that are missing.
    const bool lastOfRow = std::none_of(
        spec.panels.begin(), spec.panels.end(),
        [&panel](const FigurePanel& other) { return other.row == panel.row && other.column > panel.column; });
    if (lastOfRow || bar.missing > 0) panel.bars = {bar};
  }
}

// A run has one colour; the checkpoint beside it is dashed.
FigureMark curveMark(const std::vector<Drawn>& all, std::size_t index) {
  const Drawn& drawn = all[index];
  const bool beside = std::any_of(all.begin() + static_cast<std::ptrdiff_t>(index) + 1, all.end(),
                                  [&drawn](const Drawn& later) { return later.uuid == drawn.uuid; });
  FigureMark mark;
  mark.style = seriesStyle(static_cast<std::size_t>(beside ? withOtherDash(drawn.colour) : drawn.colour));
  mark.selection = probeSelection(drawn.uuid, drawn.stack.stack, {});
  return mark;
}

// Curves of one number per sub-layer: β²_ii or the row sums of β²; of a group its mean and ± one standard
// deviation.
FigurePanel curvePanel(const std::vector<Drawn>& all, DependencyNumber number) {
  FigurePanel panel;
  panel.x.label = Phrase::tr("sub-layer");
  const bool own = number == DependencyNumber::OwnBranch;
  panel.y.label = own ? Phrase::words("<i>β<sub>ii</sub></i><sup>2</sup>")
                      : Phrase(Phrase::tr("sum of <i>β<sub>ij</sub></i><sup>2</sup>"));
  panel.y.minimum = 0;
  std::size_t most = 0;
  for (const Drawn& drawn : all) most = std::max(most, drawn.rows());
  numberPlaces(panel.x, most);
  std::vector<FigureMark> lines;  // above all bands
  for (std::size_t i = 0; i < all.size(); ++i) {
    const DependencyProfile profile = all[i].profile(number);
    LineMark line;
    BandMark band;
    for (std::size_t row = 0; row < profile.value.size(); ++row) {
      const SeedSummary& value = profile.value[row];
      line.x.push_back(static_cast<double>(row + 1));
      line.y.push_back(value.mean);
      band.lower.push_back(value.mean - value.deviation);
      band.upper.push_back(value.mean + value.deviation);
    }
    band.x = line.x;
    if (!all[i].seeds.empty()) {
      FigureMark mark = curveMark(all, i);
      mark.style.fill = kBandFill;
      mark.shape = std::move(band);
      panel.marks.push_back(std::move(mark));
    }
    FigureMark mark = curveMark(all, i);
    mark.label = Phrase::tr("%1, %2")(markupOf(all[i].run), momentOf(all[i]));
    mark.style.marker = all[i].rows() <= 40 ? MarkerShape::Disc : MarkerShape::None;
    mark.shape = std::move(line);
    for (std::size_t row = 0; row < all[i].rows(); ++row)
      mark.columnParts.push_back(sublayerPart(all[i].stack.sublayers[row], static_cast<int>(row)));
    lines.push_back(std::move(mark));
  }
  const bool bands = !panel.marks.empty();
  for (FigureMark& mark : lines) panel.marks.push_back(std::move(mark));
  if (bands) panel.marks.push_back(bandEntry(Phrase::tr("band: mean ± standard deviation")));
  return panel;
}

// Runs of one group become one entry: their mean map, and all of them for the spread.
Result<std::vector<Drawn>> grouped(std::vector<Drawn> all) {
  std::vector<Drawn> groups;
  for (Drawn& drawn : all) {
    const auto same = std::find_if(groups.begin(), groups.end(), [&drawn](const Drawn& other) {
      return !drawn.group.empty() && other.group == drawn.group && other.checkpoint == drawn.checkpoint;
    });
    if (same == groups.end()) {
      groups.push_back(std::move(drawn));
      continue;
    }
    if (same->seeds.empty()) {
      same->seeds.push_back(same->stack);
      same->names.push_back(same->run);
    }
    same->names.push_back(drawn.run);
    same->seeds.push_back(std::move(drawn.stack));
  }
  for (Drawn& group : groups) {
    if (group.seeds.empty()) continue;
    FATHOM_TRY(group.stack, meanDependency(group.seeds));
    group.run = seedGroupName(group.names) + " (n = " + std::to_string(group.seeds.size()) + ")";
  }
  return groups;
}

Result<std::vector<Drawn>> everything(AnalysisSource& source, const OptionValues& options) {
  std::vector<Drawn> all;
  const std::string beside = options.text("beside");
  for (const std::string& run : source.runs()) {
    if (!beside.empty()) {
      FATHOM_TRY(Drawn drawn, drawnOf(source, run, beside, options));
      all.push_back(std::move(drawn));
    }
    FATHOM_TRY(Drawn drawn, drawnOf(source, run, options.text("checkpoint"), options));
    all.push_back(std::move(drawn));
  }
  if (all.empty()) return noRunChosen();
  if (options.flag("group_seeds")) return grouped(std::move(all));
  return all;
}

// Maps for the scale; a difference is taken from the second checkpoint of the same run.
std::vector<CellsMark> mapsForScale(const std::vector<Drawn>& all, const std::vector<Drawn>& others,
                                    bool difference) {
  std::vector<CellsMark> maps;
  for (const Drawn& other : others) {
    const auto shown = std::find_if(all.begin(), all.end(), [&other](const Drawn& drawn) {
      return drawn.uuid == other.uuid && drawn.rows() == other.rows();
    });
    if (shown == all.end()) continue;
    maps.push_back(cellsOf(other, difference ? &*shown : nullptr));
  }
  return maps;
}

Status addMaps(FigureSpec& spec, const std::vector<Drawn>& all, const std::vector<Drawn>& others,
               bool difference, bool pairs) {
  if (difference && !pairs)
    return usageError(Phrase::tr("a difference needs two checkpoints"),
                      Phrase::tr("name the other one with beside, e.g. beside=init"));
  const std::size_t maps = all.size() / (difference ? 2 : 1);
  // The two checkpoints of a run beside each other, as runs are.
  const auto columns = static_cast<int>(panelColumns(maps));
  for (std::size_t i = 0; i < all.size(); i += difference ? 2 : 1) {
    const Drawn& last = all[difference ? i + 1 : i];
    if (difference && all[i].rows() != last.rows())
      return dataError(Phrase::tr("the two checkpoints of %1 have other sub-layers")(last.run));
    FigurePanel panel = mapPanel(last, difference ? &all[i] : nullptr);
    const auto index = static_cast<int>(spec.panels.size());
    panel.row = index / columns;
    panel.column = index % columns;
    if (panel.column > 0) panel.y.label = {};  // the first of the row has it
    spec.panels.push_back(std::move(panel));
  }
  shareRange(spec, mapsForScale(all, others, difference), difference, all.front().palette);
  return {};
}

Phrase summaryOf(const std::vector<Drawn>& all) {
  Phrase text = Phrase::tr("Dependency of each sub-layer's output on each branch.");
  for (const Drawn& drawn : all) {
    const std::size_t last = drawn.rows() - 1;
    text.append(Phrase::tr(
        "%1, %2, %3 (%4): the last sub-layer depends on its own branch with %5, on the first with %6.")(
        drawn.run, drawn.checkpoint, stackPhrase(drawn.stack.stack), drawn.stack.residual,
        shortValueText(drawn.at(last, last + 1)).toStdString(),
        shortValueText(drawn.at(last, 1)).toStdString()));
  }
  return text;
}

std::string withSpread(const SeedSummary& number) {
  const std::string mean = shortValueText(number.mean).toStdString();
  return number.finished < 2 ? mean : mean + " ± " + shortValueText(number.deviation).toStdString();
}

Phrase noteOf(const Drawn& drawn) {
  const DependencyProfile own = drawn.profile(DependencyNumber::OwnBranch);
  return Phrase::tr(
      "%1, %2: %3, %4, %5 tokens; the components sum to the output within %6; β²_ii sum to %7, last third "
      "over first third %8.")(drawn.run, drawn.checkpoint, stackPhrase(drawn.stack.stack),
                              drawn.stack.residual, drawn.stack.tokens,
                              shortValueText(drawn.stack.beta.largestResidual).toStdString(),
                              withSpread(own.sum), withSpread(own.lateOverEarly));
}

Result<FigureSpec> buildBetaDependency(AnalysisSource& source, const OptionValues& options) {
  FATHOM_TRY(const std::vector<Drawn> all, everything(source, options));
  const std::string form = options.text("form");
  FigureSpec spec;
  spec.title = Phrase::tr("Layer dependency");
  spec.summary = summaryOf(all);
  const bool pairs = !options.text("beside").empty();
  const std::vector<Drawn> others = drawnForScale(source, options);
  if (form == "map" || form == "difference") {
    FATHOM_CHECK(addMaps(spec, all, others, form == "difference", pairs));
  } else {
    const DependencyNumber number =
        form == "diagonal" ? DependencyNumber::OwnBranch : DependencyNumber::RowSum;
    spec.panels.push_back(curvePanel(all, number));
    double largest = 0;
    for (const std::vector<Drawn>* list : {&all, &others})
      for (const Drawn& drawn : *list)
        for (const SeedSummary& value : drawn.profile(number).value)
          largest = std::max(largest, value.mean + (value.finished > 1 ? value.deviation : 0));
    if (!others.empty() && largest > 0) spec.panels.back().y.maximum = largest * 1.05;
  }
  for (const Drawn& drawn : all) spec.notes.push_back(noteOf(drawn));
  setSize(spec, options);
  return spec;
}

// One row of every map as a curve: on which branches the output of the chosen sub-layer depends.
Result<FigureSpec> betaDependencyDetail(AnalysisSource& source, const OptionValues& options,
                                        const std::string& selection) {
  FATHOM_TRY(const Selection named, Selection::fromText(QString::fromStdString(selection)));
  bool known = false;
  const int chosen = named.current(Dimension::Sublayer).toInt(&known);
  if (!known) return usageError(Phrase::tr("the selection '%1' names no sub-layer")(selection));
  FATHOM_TRY(const std::vector<Drawn> all, everything(source, options));
  FigureSpec spec;
  FigurePanel panel;
  panel.x.label = Phrase::tr("branch <i>a<sub>j</sub></i>");
  panel.y.label = Phrase::words("<i>β<sub>ij</sub></i>");
  panel.y.minimum = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto row = static_cast<std::size_t>(chosen);
    if (chosen < 0 || row >= all[i].rows()) continue;
    if (spec.title.empty()) {
      spec.title = all[i].stack.sublayers[row];
      panel.title = markupOf(all[i].stack.sublayers[row]);
      spec.summary = Phrase::tr("Dependency of the output of %1.")(all[i].stack.sublayers[row]);
    }
    LineMark line;
    for (std::size_t column = all[i].firstColumn(); column <= row + 1; ++column) {
      line.x.push_back(static_cast<double>(column));
      line.y.push_back(all[i].at(row, column));
    }
    spec.summary.append(Phrase::tr("%1, %2: on its own branch %3, largest %4.")(
        all[i].run, all[i].checkpoint, shortValueText(line.y.back()).toStdString(),
        shortValueText(*std::max_element(line.y.begin(), line.y.end())).toStdString()));
    FigureMark mark = curveMark(all, i);
    mark.selection.clear();
    mark.label = Phrase::tr("%1, %2")(markupOf(all[i].run), momentOf(all[i]));
    mark.style.marker = line.x.size() <= 40 ? MarkerShape::Disc : MarkerShape::None;
    mark.shape = std::move(line);
    panel.marks.push_back(std::move(mark));
  }
  if (panel.marks.empty())
    return usageError(Phrase::tr("no run has a sub-layer number %1 in this stack")(chosen + 1));
  panel.legend = panel.marks.size() > 1 ? LegendPlace::Auto : LegendPlace::None;
  spec.panels.push_back(std::move(panel));
  return spec;
}

std::vector<OptionField> betaDependencyFields() {
  std::vector<OptionField> all = {
      choiceField("form", "Form", "Maps, their difference, or one number for each sub-layer.",
                  {{"map", "map"},
                   {"difference", "difference"},
                   {"diagonal", "own branch, squared"},
                   {"row_sum", "row sums of squares"}}),
      checkpointField(),
      computedField(),
      typedField("beside", "Beside", "A second checkpoint to show beside or to subtract, such as init."),
      typedField("stack", "Stack",
                 "encoder, global, decoder or extra; empty: the extra layers, else the first."),
      choiceField("spread", "Spread", "How the size of a component is measured.",
                  {{"token", "mean over tokens of the standard deviation"},
                   {"global", "standard deviation over tokens and channels"}}),
      flagField("embedding", "Embedding",
                "Also show the column of the stack's input, a_0, which the paper leaves out."),
      groupSeedsField(),
      scaleField(),
      mapPaletteField()};
  addFields(all, sizeFields("0: the style's width, and square maps."));
  return all;
}

}  // namespace

FigureEntry betaDependencyFigureEntry() {
  return figureOfAnalysis({.id = "beta_dependency",
                           .fields = betaDependencyFields(),
                           .sentence = Phrase::tr("Dependency in {stack} · {form} · size by the {spread} · "
                                                  "beside {beside} · scale {scale} · {palette}"),
                           .build = buildBetaDependency,
                           .detail = betaDependencyDetail});
}

}  // namespace fathom
