// SPDX-License-Identifier: GPL-3.0-or-later
// Layer dependency β_ij: maps, their difference, or the curve of β²_ii (Admin Figs 7, 8; transformers.md
// §3.4).
#include <QtGlobal>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/analysis/stack_dependency.h"
#include "core/base/choice_field.h"
#include "views/figure/axis_scale.h"
#include "views/figure/figure_text.h"
#include "views/figures/figure_entry.h"
#include "views/figures/map_palette.h"
#include "views/figures/probe_selection.h"
#include "views/figures/size_fields.h"
#include "views/selection/selection.h"

namespace fathom {

namespace {

constexpr double kSquareMm = 78;  // of a map, at a column's width
constexpr std::size_t kAxisNumbers = 12;

struct Drawn {
  std::string uuid, run, checkpoint;
  StackDependency stack;
  bool global = false;
  bool embedding = false;  // column a_0 too
  std::string palette = "viridis";
  const std::vector<double>& map() const { return global ? stack.beta.globalStd : stack.beta.meanTokenStd; }
  double at(std::size_t row, std::size_t column) const {
    return map()[row * (stack.sublayers.size() + 1) + column];
  }
  std::size_t rows() const { return stack.sublayers.size(); }
  std::size_t firstColumn() const { return embedding ? 0 : 1; }
};

Result<Drawn> drawnOf(AnalysisSource& source, const std::string& run, const std::string& checkpoint,
                      const OptionValues& options) {
  FATHOM_TRY(const ProbedResult probed, source.probed(run, "beta_dependency", checkpoint));
  FATHOM_TRY(std::vector<StackDependency> stacks, dependenciesFromJson(probed.result));
  Drawn drawn{run, probed.name, probed.checkpoint, {}};
  drawn.global = options.text("spread") == "global";
  drawn.embedding = options.flag("embedding");
  drawn.palette = options.text("palette");
  const std::string wanted = options.text("stack");
  std::string known;
  for (StackDependency& stack : stacks) {
    known += (known.empty() ? "" : ", ") + stack.stack;
    if (!drawn.stack.stack.empty() || (!wanted.empty() && stack.stack != wanted)) continue;
    drawn.stack = std::move(stack);
  }
  if (!drawn.stack.stack.empty()) return drawn;
  Error error = usageError("run " + probed.name + " has no stack '" + wanted + "'", "it has: " + known);
  error.key = "stack";
  return error;
}

FigureAxis sublayerAxis(const char* label, std::size_t count, std::size_t first) {
  FigureAxis axis;
  axis.label = label;
  axis.scale = AxisScale::Category;
  axis.grid = false;
  axis.minimum = -0.5;
  axis.maximum = static_cast<double>(count) - 0.5;
  const std::size_t every = (count + kAxisNumbers - 1) / kAxisNumbers;
  for (std::size_t i = 0; i < count; ++i)
    axis.categories.push_back(i % every == 0 ? std::to_string(first + i) : std::string());
  return axis;
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
      cells.values.push_back(below ? value : 0);
    }
  }
  return cells;
}

FigurePanel mapPanel(const Drawn& drawn, const Drawn* minus) {
  FigurePanel panel;
  panel.x = sublayerAxis("branch <i>a<sub>j</sub></i>", drawn.rows() + 1 - drawn.firstColumn(),
                         drawn.firstColumn());
  panel.y = sublayerAxis("sub-layer output <i>x<sub>i</sub></i>", drawn.rows(), 1);
  panel.y.reversed = true;
  panel.legend = LegendPlace::None;
  panel.title = markupOf(drawn.run) + ", " + markupOf(drawn.checkpoint);
  if (minus != nullptr) panel.title += " − " + markupOf(minus->checkpoint);
  FigureMark mark;
  mark.shape = cellsOf(drawn, minus);
  mark.selection = probeSelection(drawn.uuid, drawn.stack.stack, {});
  for (std::size_t row = 0; row < drawn.rows(); ++row)
    mark.rowParts.push_back(sublayerPart(drawn.stack.sublayers[row], static_cast<int>(row)));
  panel.marks.push_back(std::move(mark));
  return panel;
}

void shareRange(FigureSpec& spec, bool difference, const std::string& palette) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const FigurePanel& panel : spec.panels) {
    for (const double value : std::get<CellsMark>(panel.marks.front().shape).values) {
      if (!std::isfinite(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  if (!(low <= high)) low = 0, high = 1;
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
    bar.label = difference ? "change of <i>β<sub>ij</sub></i>" : "<i>β<sub>ij</sub></i>";
    for (const double value : cells.values) bar.missing += std::isfinite(value) ? 0 : 1;
    panel.bars = {bar};
  }
}

// Curves of one number per sub-layer: β²_ii or the row sums of β².
FigurePanel curvePanel(const std::vector<Drawn>& all, bool diagonal) {
  FigurePanel panel;
  panel.x.label = "sub-layer";
  panel.y.label = diagonal ? "<i>β<sub>ii</sub></i><sup>2</sup>" : "sum of <i>β<sub>ij</sub></i><sup>2</sup>";
  panel.y.minimum = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    LineMark line;
    for (std::size_t row = 0; row < all[i].rows(); ++row) {
      double sum = 0;
      for (std::size_t column = diagonal ? row + 1 : 0; column <= row + 1; ++column)
        sum += all[i].at(row, column) * all[i].at(row, column);
      line.x.push_back(static_cast<double>(row + 1));
      line.y.push_back(sum);
    }
    FigureMark mark;
    mark.label = markupOf(all[i].run) + ", " + markupOf(all[i].checkpoint);
    mark.style.colour = "series:" + std::to_string(i % 7);
    mark.style.dash = static_cast<LineDash>((i / 7) % kLineDashWords.size());
    mark.style.marker = all[i].rows() <= 40 ? MarkerShape::Disc : MarkerShape::None;
    mark.shape = std::move(line);
    mark.selection = probeSelection(all[i].uuid, all[i].stack.stack, {});
    for (std::size_t row = 0; row < all[i].rows(); ++row)
      mark.columnParts.push_back(sublayerPart(all[i].stack.sublayers[row], static_cast<int>(row)));
    panel.marks.push_back(std::move(mark));
  }
  return panel;
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
  if (all.empty()) return usageError("no run is chosen", "name one or more runs");
  return all;
}

Status addMaps(FigureSpec& spec, const std::vector<Drawn>& all, bool difference, bool pairs) {
  if (difference && !pairs)
    return usageError("a difference needs two checkpoints",
                      "name the other one with beside, e.g. beside=init");
  for (std::size_t i = 0; i < all.size(); i += difference ? 2 : 1) {
    const Drawn& last = all[difference ? i + 1 : i];
    if (difference && all[i].rows() != last.rows())
      return dataError("the two checkpoints of " + last.run + " have other sub-layers");
    FigurePanel panel = mapPanel(last, difference ? &all[i] : nullptr);
    const auto index = static_cast<int>(spec.panels.size());
    const int columns = pairs && !difference ? 2 : 1;
    panel.row = index / columns;
    panel.column = index % columns;
    spec.panels.push_back(std::move(panel));
  }
  shareRange(spec, difference, all.front().palette);
  return {};
}

std::string summaryOf(const std::vector<Drawn>& all) {
  std::string text = "Dependency of each sub-layer's output on each branch.";
  for (const Drawn& drawn : all) {
    const std::size_t last = drawn.rows() - 1;
    text += " " + drawn.run + ", " + drawn.checkpoint + ", " + drawn.stack.stack + " (" +
            drawn.stack.residual + "): the last sub-layer depends on its own branch with " +
            valueText(drawn.at(last, last + 1)).toStdString() + ", on the first with " +
            valueText(drawn.at(last, 1)).toStdString() + ".";
  }
  return text;
}

Result<FigureSpec> build(AnalysisSource& source, const OptionValues& options) {
  FATHOM_TRY(const std::vector<Drawn> all, everything(source, options));
  const std::string form = options.text("form");
  FigureSpec spec;
  spec.title = "Layer dependency";
  spec.summary = summaryOf(all);
  const bool pairs = !options.text("beside").empty();
  if (form == "map" || form == "difference") {
    FATHOM_CHECK(addMaps(spec, all, form == "difference", pairs));
  } else {
    spec.panels.push_back(curvePanel(all, form == "diagonal"));
  }
  for (const Drawn& drawn : all)
    spec.notes.push_back(drawn.run + ", " + drawn.checkpoint + ": " + drawn.stack.stack + ", " +
                         drawn.stack.residual + ", " + std::to_string(drawn.stack.tokens) +
                         " tokens; the components sum to the output within " +
                         valueText(drawn.stack.beta.largestResidual).toStdString() + ".");
  spec.widthMm = options.real("width");
  const auto rows = static_cast<double>(spec.panels.back().row + 1);
  const bool maps = form == "map" || form == "difference";
  spec.heightMm = options.real("height") > 0 ? options.real("height") : maps ? kSquareMm * rows : 0;
  return spec;
}

// One row of every map as a curve: on which branches the output of the chosen sub-layer depends.
Result<FigureSpec> detail(AnalysisSource& source, const OptionValues& options, const std::string& selection) {
  FATHOM_TRY(const Selection named, Selection::fromText(QString::fromStdString(selection)));
  bool known = false;
  const int chosen = named.current(Dimension::Sublayer).toInt(&known);
  if (!known) return usageError("the selection '" + selection + "' names no sub-layer");
  FATHOM_TRY(const std::vector<Drawn> all, everything(source, options));
  FigureSpec spec;
  FigurePanel panel;
  panel.x.label = "branch <i>a<sub>j</sub></i>";
  panel.y.label = "<i>β<sub>ij</sub></i>";
  panel.y.minimum = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto row = static_cast<std::size_t>(chosen);
    if (chosen < 0 || row >= all[i].rows()) continue;
    if (spec.title.empty()) {
      spec.title = all[i].stack.sublayers[row];
      panel.title = markupOf(spec.title);
      spec.summary = "Dependency of the output of " + spec.title + ".";
    }
    LineMark line;
    for (std::size_t column = all[i].firstColumn(); column <= row + 1; ++column) {
      line.x.push_back(static_cast<double>(column));
      line.y.push_back(all[i].at(row, column));
    }
    spec.summary += " " + all[i].run + ", " + all[i].checkpoint + ": on its own branch " +
                    valueText(line.y.back()).toStdString() + ", largest " +
                    valueText(*std::max_element(line.y.begin(), line.y.end())).toStdString() + ".";
    FigureMark mark;
    mark.label = markupOf(all[i].run) + ", " + markupOf(all[i].checkpoint);
    mark.style.colour = "series:" + std::to_string(i % 7);
    mark.style.marker = line.x.size() <= 40 ? MarkerShape::Disc : MarkerShape::None;
    mark.shape = std::move(line);
    panel.marks.push_back(std::move(mark));
  }
  if (panel.marks.empty())
    return usageError("no run has a sub-layer number " + std::to_string(chosen + 1) + " in this stack");
  panel.legend = panel.marks.size() > 1 ? LegendPlace::Auto : LegendPlace::None;
  spec.panels.push_back(std::move(panel));
  return spec;
}

std::vector<OptionField> fields() {
  const auto text = [](const char* key, const char* title, const char* help) {
    OptionField field;
    field.key = key;
    field.type = OptionType::Text;
    field.title = title;
    field.help = help;
    field.defaultValue = "";
    field.disablingValue = "";
    return field;
  };
  OptionField embedding;
  embedding.key = "embedding";
  embedding.type = OptionType::Flag;
  embedding.defaultValue = false;
  embedding.title = QT_TRANSLATE_NOOP("Command", "Embedding");
  embedding.help = QT_TRANSLATE_NOOP(
      "Command", "Also show the column of the stack's input, a_0, which the paper leaves out.");
  std::vector<OptionField> all = {
      choiceField("form", QT_TRANSLATE_NOOP("Command", "Form"),
                  QT_TRANSLATE_NOOP("Command", "Maps, their difference, or one number for each sub-layer."),
                  {{"map", QT_TRANSLATE_NOOP("Command", "map")},
                   {"difference", QT_TRANSLATE_NOOP("Command", "difference")},
                   {"diagonal", QT_TRANSLATE_NOOP("Command", "own branch, squared")},
                   {"row_sum", QT_TRANSLATE_NOOP("Command", "row sums of squares")}}),
      text("checkpoint", QT_TRANSLATE_NOOP("Command", "Checkpoint"),
           QT_TRANSLATE_NOOP("Command", "Number of updates, name or init; empty: what was computed last.")),
      text("beside", QT_TRANSLATE_NOOP("Command", "Beside"),
           QT_TRANSLATE_NOOP("Command", "A second checkpoint to show beside or to subtract, such as init.")),
      text("stack", QT_TRANSLATE_NOOP("Command", "Stack"),
           QT_TRANSLATE_NOOP("Command", "encoder or decoder; empty: the first.")),
      choiceField("spread", QT_TRANSLATE_NOOP("Command", "Spread"),
                  QT_TRANSLATE_NOOP("Command", "How the size of a component is measured."),
                  {{"token", QT_TRANSLATE_NOOP("Command", "mean over tokens of the standard deviation")},
                   {"global", QT_TRANSLATE_NOOP("Command", "standard deviation over tokens and channels")}}),
      embedding,
      mapPaletteField()};
  for (OptionField& field :
       sizeFields(QT_TRANSLATE_NOOP("Command", "0: the style's width, and square maps.")))
    all.push_back(std::move(field));
  return all;
}

}  // namespace

FigureEntry betaDependencyFigureEntry() {
  FigureEntry entry;
  entry.id = "beta_dependency";
  entry.title = QT_TRANSLATE_NOOP("Command", "Layer dependency");
  entry.reference = "Admin, Figures 7 and 8";
  entry.fields = fields();
  entry.build = build;
  entry.detail = detail;
  return entry;
}

}  // namespace fathom
