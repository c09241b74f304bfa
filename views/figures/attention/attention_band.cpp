// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figures/attention/attention_band.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "core/base/errors/error_words.h"
#include "core/base/options/field_builder.h"
#include "views/figure/figure_text.h"
#include "views/figures/attention/band_source.h"
#include "views/figures/figure_parts.h"
#include "views/figures/probe_fields.h"
#include "views/figures/probe_selection.h"

namespace fathom {

namespace {

constexpr int kThumbRows = 48, kThumbColumns = 64;
constexpr double kBandMmPerLayer = 12, kBandMmAround = 18, kBandLeastMm = 60, kBandMostMm = 200,
                 kBandMm = 110;

// Consecutive rows and columns of an array.
struct Cut {
  int firstRow = 0, rows = 0, firstColumn = 0, columns = 0;
};

// Number of neighbours that one cell stands for, so that at most `most` remain.
int pooledBy(int count, int most) {
  return std::max(1, (count + most - 1) / most);
}

// A cut of rows that were read (`width` columns each, the first is row `rowsFrom`), the largest of each
// block.
struct Pooled {
  std::vector<double> values;
  int rows = 0, columns = 0, byRow = 1, byColumn = 1;
};
Pooled pooled(const std::vector<float>& read, int rowsFrom, int width, const Cut& cut, int mostRows,
              int mostColumns) {
  Pooled map;
  map.byRow = pooledBy(cut.rows, mostRows);
  map.byColumn = pooledBy(cut.columns, mostColumns);
  map.rows = (cut.rows + map.byRow - 1) / map.byRow;
  map.columns = (cut.columns + map.byColumn - 1) / map.byColumn;
  map.values.assign(static_cast<std::size_t>(map.rows) * static_cast<std::size_t>(map.columns),
                    std::numeric_limits<double>::quiet_NaN());
  for (int r = 0; r < cut.rows; ++r) {
    const float* line = read.data() + static_cast<std::ptrdiff_t>(cut.firstRow - rowsFrom + r) * width;
    double* into = map.values.data() + static_cast<std::ptrdiff_t>(r / map.byRow) * map.columns;
    for (int c = 0; c < cut.columns; ++c) {
      const double value = static_cast<double>(line[cut.firstColumn + c]);
      double& cell = into[c / map.byColumn];
      if (std::isnan(cell) || value > cell) cell = value;
    }
  }
  return map;
}

// Every `by`-th of `count` words from `first` on.
std::vector<std::string> wordsFrom(const std::vector<std::string>& words, int first, int count, int by) {
  std::vector<std::string> some;
  for (int i = 0; i < count; i += by) some.push_back(words.at(static_cast<std::size_t>(first + i)));
  return some;
}

FigureAxis tokenAxis(const Phrase& label, const std::vector<std::string>& words) {
  FigureAxis axis = categoryAxis(words, label);
  axis.scale = AxisScale::Token;
  return axis;
}

struct Look {
  std::string map;
  double low = 0, high = 1;
  bool probabilities = true;
};

// One of the four pieces as a map.
FigurePanel piecePanel(const Pooled& map, const Look& look, FigureAxis x, FigureAxis y,
                       const std::string& selection) {
  FigurePanel panel;
  panel.x = std::move(x);
  panel.y = std::move(y);
  panel.y.reversed = true;
  panel.legend = LegendPlace::None;
  CellsMark cells;
  cells.rows = map.rows;
  cells.columns = map.columns;
  cells.values = map.values;
  cells.map = look.map;
  cells.minimum = look.low;
  cells.maximum = look.high;
  FigureMark mark;
  mark.selection = selection;
  mark.shape = std::move(cells);
  panel.marks.push_back(std::move(mark));
  return panel;
}

std::vector<std::string> partsFrom(const char* dimension, int first, int count, int by) {
  std::vector<std::string> parts;
  for (int i = 0; i < count; i += by) parts.push_back(std::string(dimension) + std::to_string(first + i));
  return parts;
}

// Mask of the cells that have a key: where a query's window reaches beyond the tokens the paper shows. Of
// `columns` columns, the window first.
std::string shownCells(const BandView& view, const Pooled& map, int radius, int longs, int columns) {
  std::string shown(map.values.size(), '.');
  const int window = 2 * radius + 1;
  for (int r = 0; r < view.queries; ++r) {
    const int query = view.firstQuery + r;
    for (int c = 0; c < columns; ++c) {
      const int key = query - radius + c;
      if (c >= window || (key >= 0 && key < longs))
        shown[static_cast<std::size_t>(r / map.byRow * map.columns + c / map.byColumn)] = '#';
    }
  }
  return shown;
}

// Ends of sentences among the queries, where they are few enough to be told apart.
void addSentences(FigurePanel& panel, const BandSource& source, const BandView& view, const Pooled& map,
                  const Look& look) {
  constexpr std::size_t kMostSentences = 40;
  std::vector<double> ends;
  for (int i = 1; i < view.queries; ++i) {
    const auto at = static_cast<std::size_t>(view.firstQuery + i);
    if (source.places.sentence[at] != source.places.sentence[at - 1])
      ends.push_back(static_cast<double>(i) / map.byRow - 0.5);
  }
  if (ends.size() > kMostSentences) return;
  for (const double end : ends) {
    FigureMark mark;
    mark.style.colour = look.probabilities ? "#FFFFFF" : "#404040";
    mark.style.width = 0.4;
    mark.style.opacity = 0.6;
    mark.shape = RuleMark{end, false};
    panel.marks.push_back(std::move(mark));
  }
}

// Both panels of one head, and the largest number in them.
struct HeadPanels {
  std::vector<FigurePanel> panels;
  int byRow = 1, byColumn = 1;
};

HeadPanels longPanels(const BandSource& source, const BandView& view, const std::vector<float>& rows,
                      const Look& look, const std::string& selection) {
  const int radius = source.matrix.band->radius, window = 2 * radius + 1;
  const int width = source.matrix.columns();
  const Pooled near = pooled(rows, view.firstQuery, width, {view.firstQuery, view.queries, 0, window},
                             kMostBandCells, kMostBandCells);
  const Pooled far =
      pooled(rows, view.firstQuery, width, {view.firstQuery, view.queries, window, source.globals()},
             kMostBandCells, kMostBandCells);
  std::vector<std::string> distances;
  for (int c = 0; c < window; c += near.byColumn) distances.push_back(std::to_string(c - radius));
  FigureAxis y = tokenAxis(Phrase::tr("query"),
                           wordsFrom(source.matrix.queries, view.firstQuery, view.queries, near.byRow));
  HeadPanels both;
  both.byRow = near.byRow;
  both.byColumn = std::max(near.byColumn, far.byColumn);
  both.panels.push_back(
      piecePanel(near, look, tokenAxis(Phrase::tr("distance to the key (tokens)"), distances), y, selection));
  FigureMark& band = both.panels.back().marks.back();
  band.rowParts = partsFrom("q:", view.firstQuery, view.queries, near.byRow);
  std::get<CellsMark>(band.shape).shown = shownCells(view, near, radius, source.longs(), window);
  addSentences(both.panels.back(), source, view, near, look);
  y.tickLabels = "none";
  y.label = {};
  both.panels.push_back(
      piecePanel(far, look,
                 tokenAxis(Phrase::tr("global key"),
                           wordsFrom(source.matrix.keys, source.longs(), source.globals(), far.byColumn)),
                 y, selection));
  FigureMark& globals = both.panels.back().marks.back();
  globals.rowParts = partsFrom("q:", view.firstQuery, view.queries, far.byRow);
  globals.columnParts = partsFrom("k:", source.longs(), source.globals(), far.byColumn);
  addSentences(both.panels.back(), source, view, far, look);
  return both;
}

HeadPanels globalPanels(const BandSource& source, const BandView& view, const std::vector<float>& rows,
                        const Look& look, const std::string& selection) {
  const int width = source.matrix.columns();
  const auto cut = [&](int first, int count) {
    return pooled(rows, 0, width, {0, source.queries(), first, count}, kMostBandCells, kMostBandCells);
  };
  const Pooled longs = cut(view.firstLong, view.longs), globals = cut(source.longs(), source.globals());
  FigureAxis y = tokenAxis(Phrase::tr("global query"),
                           wordsFrom(source.matrix.queries, 0, source.queries(), longs.byRow));
  HeadPanels both;
  both.byRow = longs.byRow;
  both.byColumn = std::max(longs.byColumn, globals.byColumn);
  const auto add = [&](const Pooled& map, const Phrase& label, int first, int count) {
    both.panels.push_back(
        piecePanel(map, look, tokenAxis(label, wordsFrom(source.matrix.keys, first, count, map.byColumn)), y,
                   selection));
    FigureMark& mark = both.panels.back().marks.back();
    mark.rowParts = partsFrom("q:", 0, source.queries(), map.byRow);
    mark.columnParts = partsFrom("k:", first, count, map.byColumn);
    y.tickLabels = "none";
    y.label = {};
  };
  add(longs, Phrase::tr("long key"), view.firstLong, view.longs);
  add(globals, Phrase::tr("global key"), source.longs(), source.globals());
  return both;
}

double largestShown(const std::vector<float>& values, bool magnitude) {
  double most = 0;
  for (const float value : values)
    if (std::isfinite(value)) most = std::max(most, static_cast<double>(magnitude ? std::abs(value) : value));
  return most;
}

Look lookOf(const std::string& part, const std::string& palette, double largest) {
  constexpr double kLeast = 1e-9;
  Look look;
  look.probabilities = part == "probabilities";
  look.map = look.probabilities ? palette : "blue_white_red";
  look.high = std::max(largest, kLeast);
  look.low = look.probabilities ? 0 : -look.high;
  return look;
}

ColourBar bandBar(const Look& look, const std::string& part) {
  ColourBar bar;
  bar.map = look.map;
  bar.minimum = look.low;
  bar.maximum = look.high;
  bar.label = look.probabilities ? Phrase(Phrase::tr("probability"))
              : part == "scores" ? Phrase(Phrase::tr("score"))
                                 : Phrase::tr("score: %1")(part);
  return bar;
}

// Tokens that each of the first queries looks at, in words for readers that do not see the figure.
Phrase bandWords(const BandSource& source, const BandView& view, const std::vector<float>& rows) {
  constexpr int kMost = 8;
  std::vector<Phrase> words;
  const int width = source.matrix.columns();
  for (int r = 0; r < std::min(kMost, view.queries); ++r) {
    const float* line = rows.data() + static_cast<std::ptrdiff_t>(r) * width;
    int best = -1;
    for (int c = 0; c < width; ++c)
      if (std::isfinite(line[c]) && (best < 0 || line[c] > line[best])) best = c;
    if (best < 0) continue;
    const int window = source.ofLong() ? 2 * source.matrix.band->radius + 1 : source.longs();
    const int key = best >= window    ? source.longs() + best - window
                    : source.ofLong() ? view.firstQuery + r - source.matrix.band->radius + best
                                      : best;
    if (key < 0 || key >= source.keys()) continue;
    words.push_back(Phrase::tr("“%1” looks most at “%2” (%3)")(
        source.matrix.queries[static_cast<std::size_t>(view.firstQuery + r)],
        source.matrix.keys[static_cast<std::size_t>(key)],
        shortValueText(static_cast<double>(line[best])).toStdString()));
  }
  return Phrase::list(std::move(words), "; ");
}

void addBandNotes(FigureSpec& spec, const BandSource& source, const BandView& view, int byRow, int byColumn) {
  Phrase note = Phrase::tr("%1: %2, checkpoint %3, example %4, %5 long and %6 global tokens")(
      source.probed.name, source.matrix.name(), source.probed.checkpoint, source.example, source.longs(),
      source.globals());
  if (source.ofLong())
    note.append(Phrase::tr("a long token sees %1 tokens to each side")(source.matrix.band->radius), "; ");
  if (view.followed)
    note.append(Phrase::tr("the %1 long tokens of global token %2")(view.longs, *view.followed + 1), "; ");
  if (byRow > 1 || byColumn > 1)
    note.append(Phrase::tr("a cell is the largest of %1 queries and %2 keys")(byRow, byColumn), "; ");
  if (source.matrix.kept)
    note.append(Phrase::tr("of this long input %1 of %2 layers are kept")(source.matrix.keptLayers(),
                                                                          source.matrix.layers),
                "; ");
  spec.notes.push_back(Phrase::tr("%1.")(std::move(note)));
}

Status addHead(FigureSpec& spec, const BandSource& source, const BandView& view, int layer, int head,
               const OptionValues& options, int firstColumn) {
  FATHOM_CHECK(checkBandHead(source, layer, head));
  FATHOM_TRY(const std::vector<float> rows, bandRows(source, layer, head, view.firstQuery, view.queries));
  const bool probabilities = source.part == "probabilities";
  const Look look = lookOf(source.part, options.text("palette"), largestShown(rows, !probabilities));
  const std::string selection = source.selection(layer, head);
  HeadPanels both = source.ofLong() ? longPanels(source, view, rows, look, selection)
                                    : globalPanels(source, view, rows, look, selection);
  both.panels.front().title = markupOf(source.probed.name);
  both.panels.front().title.append(headWords(layer, head), ", ");
  both.panels.back().bars = {bandBar(look, source.part)};
  for (FigurePanel& panel : both.panels) {
    panel.column = firstColumn++;
    spec.panels.push_back(std::move(panel));
  }
  spec.summary.append(
      Phrase::tr("%1, %2: %3.")(source.probed.name, headWords(layer, head), bandWords(source, view, rows)));
  addBandNotes(spec, source, view, both.byRow, both.byColumn);
  return {};
}

// All heads of the layers that are kept, small.
Result<FigurePanel> thumbnails(const BandSource& source, const BandView& view, const OptionValues& options,
                               Look& look) {
  FigurePanel panel;
  panel.x = numberedAxis(Phrase::tr("head"), static_cast<std::size_t>(source.matrix.heads));
  panel.y = numberedAxis(Phrase::tr("layer"), static_cast<std::size_t>(source.matrix.layers));
  panel.y.reversed = true;
  panel.legend = LegendPlace::None;
  GridMark grid;
  grid.form = GridForm::Map;
  double largest = 0;
  for (int layer = 0; layer < source.matrix.layers; ++layer) {
    if (source.matrix.keptPlace(layer) < 0) continue;
    for (int head = 0; head < source.matrix.heads; ++head) {
      FATHOM_TRY(const std::vector<float> rows, bandRows(source, layer, head, view.firstQuery, view.queries));
      const int width = source.matrix.columns();
      const Pooled map = pooled(rows, view.firstQuery, width, {view.firstQuery, view.queries, 0, width},
                                kThumbRows, kThumbColumns);
      largest = std::max(largest, largestShown(rows, source.part != "probabilities"));
      GridCell cell;
      cell.row = layer;
      cell.column = head;
      cell.mapColumns = map.columns;
      if (source.ofLong())
        cell.shown = shownCells(view, map, source.matrix.band->radius, source.longs(), width);
      cell.y = map.values;
      cell.selection = source.selection(layer, head);
      grid.cells.push_back(std::move(cell));
    }
  }
  look = lookOf(source.part, options.text("palette"), largest);
  grid.minimum = look.low;
  grid.maximum = look.high;
  grid.map = look.map;
  panel.marks.push_back({.shape = std::move(grid)});
  return panel;
}

Status addThumbnails(FigureSpec& spec, const BandSource& source, const BandView& view,
                     const OptionValues& options, int column, bool titled) {
  Look look;
  FATHOM_TRY(FigurePanel panel, thumbnails(source, view, options, look));
  panel.column = column;
  panel.bars = {bandBar(look, source.part)};
  if (titled) panel.title = markupOf(source.probed.name);
  spec.panels.push_back(std::move(panel));
  addBandNotes(spec, source, view, pooledBy(view.queries, kThumbRows),
               pooledBy(source.matrix.columns(), kThumbColumns));
  return {};
}

}  // namespace

std::vector<OptionField> bandFields() {
  return {integerField(
              kBandFollow, "Sentence or paragraph",
              "Of two streams: the global token whose long tokens are shown, counted from 1; 0: none.", 0)
              .between(0, 1e9)
              .off(0),
          integerField(kBandFrom, "First query",
                       "Of two streams: the long token that rows begin with, from 1.", 1)
              .between(1, 1e9)
              .when(kBandFollow, {0}),
          integerField(kBandQueries, "Queries", "Of two streams: how many long tokens have a row; 0: all.", 0)
              .between(0, 1e9)
              .off(0)
              .when(kBandFollow, {0})};
}

bool isOfTwoStreams(const AttentionMatrices& matrices) {
  return matrices.places.has_value();
}

Result<FigureSpec> bandFigure(AnalysisSource& source, const OptionValues& options) {
  FATHOM_TRY(const std::vector<BandSource> all, bandSources(source, options));
  const bool model = options.text("form") == "model";
  const int layer = static_cast<int>(options.integer("layer")) - 1;
  const int head = static_cast<int>(options.integer("head")) - 1;
  FigureSpec spec;
  spec.title = Phrase::tr("Attention of one example");
  spec.summary = Phrase::tr("%1, %2.")(Phrase(spec.title), all.front().matrix.name());
  int layers = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    layers = std::max(layers, all[i].matrix.layers);
    FATHOM_TRY(const BandView view, bandViewOf(all[i], options));
    const int column = static_cast<int>(i);
    if (model)
      FATHOM_CHECK(addThumbnails(spec, all[i], view, options, column, all.size() > 1));
    else
      FATHOM_CHECK(addHead(spec, all[i], view, layer, head, options, 2 * column));
  }
  if (options.text("form") == "lines")
    spec.notes.push_back(Phrase::tr("Two streams: drawn as a matrix instead of lines."));
  setSize(spec, options,
          model ? std::clamp(kBandMmPerLayer * layers + kBandMmAround, kBandLeastMm, kBandMostMm) : kBandMm);
  return spec;
}

Result<FigureSpec> bandDetail(AnalysisSource& source, const OptionValues& options,
                              const std::string& selection) {
  FATHOM_TRY(const ChosenHead clicked, chosenHead(selection));
  const int layer = clicked.layer, head = clicked.head, query = clicked.query.value_or(-1);
  FATHOM_TRY(std::vector<BandSource> all, bandSources(source, options));
  const auto chosen = std::find_if(all.begin(), all.end(),
                                   [&](const BandSource& one) { return one.probed.run == clicked.run; });
  BandSource& one = chosen == all.end() ? all.front() : *chosen;
  FATHOM_TRY(BandView view, bandViewOf(one, options));
  if (query >= 0 && query < one.queries()) {
    const LongPlaces& places = one.places;
    const auto at = static_cast<std::size_t>(query);
    const int global = !one.ofLong()              ? query
                       : places.sentence[at] >= 0 ? places.sentence[at]
                                                  : places.paragraph[at];
    const auto [first, count] = global < 0 ? std::pair(0, 0) : tokensOfGlobal(places, global);
    if (count > 0) {
      view.followed = global;
      view.firstLong = first;
      view.longs = count;
      if (one.ofLong()) std::tie(view.firstQuery, view.queries) = std::pair(first, count);
    }
  }
  FigureSpec spec;
  spec.title = Phrase::tr("%1, %2")(headWords(layer, head), one.probed.name);
  spec.summary = Phrase::tr("%1.")(headWords(layer, head));
  FATHOM_CHECK(addHead(spec, one, view, layer, head, options, 0));
  // Below each other: the place beside a figure is narrow.
  for (std::size_t i = 0; i < spec.panels.size(); ++i) {
    spec.panels[i].row = static_cast<int>(i);
    spec.panels[i].column = 0;
    spec.panels[i].y.tickLabels.clear();
  }
  return spec;
}

}  // namespace fathom
