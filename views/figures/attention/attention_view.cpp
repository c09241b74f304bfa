// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figures/attention/attention_view.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/analysis/attention/attention_maps.h"
#include "views/figure/axis_scale.h"
#include "views/figure/figure_text.h"
#include "views/figures/attention/attention_band.h"
#include "views/figures/attention/shown_attention.h"
#include "views/figures/figure_parts.h"
#include "views/figures/probe_fields.h"
#include "views/figures/probe_selection.h"
#include "views/figures/uniform_attention.h"

namespace fathom {

namespace {

constexpr std::size_t kMostLines = 64;              // tokens; more are shown as a matrix
constexpr double kLeastWeight = 0.02;               // of a line
constexpr int kWordLetters = 9, kItemLetters = 18;  // beside the lines: "singer.song name"
constexpr double kMmPerToken = 3, kMmOfItems = 35;  // names of items stand upright below the matrix
constexpr double kMostMm = 200, kSquareMm = 80;

struct Range {
  double low = 0, high = 1;
};

double reachOf(const ShownAttention& shown) {
  double reach = 0;
  for (const double value : shown.values)
    if (std::isfinite(value)) reach = std::max(reach, std::abs(value));
  return reach;
}

// Probabilities go from 0 to 1 everywhere; scores share the range of all that is drawn, and of the other
// checkpoints where the option "scale" asks for them, about 0.
Range rangeOf(AnalysisSource& source, const OptionValues& options, const std::vector<ShownAttention>& all) {
  if (all.front().part == "probabilities") return {0, 1};
  double reach = 1e-9;
  for (const ShownAttention& shown : all) reach = std::max(reach, reachOf(shown));
  for (ProbedResult& state : scaleStates(source, "attention_maps", options))
    if (const auto other = shownAttention(std::move(state), options); other.ok())
      reach = std::max(reach, reachOf(*other));
  return {-reach, reach};
}

std::string mapOf(const ShownAttention& shown, const std::string& palette) {
  return shown.part == "probabilities" ? palette : "blue_white_red";
}

ColourBar barOf(const ShownAttention& shown, const Range& range, const std::string& palette) {
  ColourBar bar;
  bar.map = mapOf(shown, palette);
  bar.minimum = range.low;
  bar.maximum = range.high;
  bar.label = shown.part == "probabilities" ? Phrase(Phrase::tr("probability"))
              : shown.part == "scores"      ? Phrase(Phrase::tr("score"))
                                            : Phrase::tr("score: %1")(shown.part);
  return bar;
}

FigureAxis tokens(const Phrase& label, const std::vector<std::string>& words) {
  FigureAxis axis = categoryAxis(words, label);
  axis.scale = AxisScale::Token;
  return axis;
}

FigurePanel modelPanel(const ShownAttention& shown, const Range& range, const std::string& palette) {
  FigurePanel panel;
  panel.x = numberedAxis(Phrase::tr("head"), static_cast<std::size_t>(shown.matrix.heads));
  panel.y = numberedAxis(Phrase::tr("layer"), static_cast<std::size_t>(shown.matrix.layers));
  panel.y.reversed = true;
  // A cell of the grid holds a whole map: it is as wide as its keys over its queries.
  panel.aspect = static_cast<double>(shown.keys()) / static_cast<double>(shown.queries());
  panel.legend = LegendPlace::None;
  GridMark grid;
  grid.form = GridForm::Map;
  grid.minimum = range.low;
  grid.maximum = range.high;
  grid.map = mapOf(shown, palette);
  const std::string base = shown.selection();
  const std::size_t size = shown.queries() * shown.keys();
  for (int layer = 0; layer < shown.matrix.layers; ++layer) {
    for (int head = 0; head < shown.matrix.heads; ++head) {
      GridCell cell;
      cell.row = layer;
      cell.column = head;
      cell.mapColumns = static_cast<int>(shown.keys());
      cell.y.assign(shown.head(layer, head), shown.head(layer, head) + size);
      cell.selection = base + "/" + headPart(layer, head);
      grid.cells.push_back(std::move(cell));
    }
  }
  panel.marks.push_back({.shape = std::move(grid)});
  return panel;
}

// Between question, columns and tables; in a colour that the maps' middles do not have.
void addSeparators(FigurePanel& panel, const ShownAttention& shown) {
  constexpr std::size_t kMostGroups = 12;
  if (!shown.matrix.groups || shown.matrix.groups->size() > kMostGroups) return;
  for (const AttentionMatrix::Group& group : *shown.matrix.groups) {
    if (group.first == 0) continue;
    for (const bool vertical : {true, false}) {
      FigureMark mark;
      mark.style.colour = shown.part == "probabilities" ? "#FFFFFF" : "#404040";
      mark.style.width = 0.5;
      mark.shape = RuleMark{group.first - 0.5, vertical};
      panel.marks.push_back(std::move(mark));
    }
  }
}

FigurePanel matrixPanel(const ShownAttention& shown, int layer, int head, const Range& range,
                        const std::string& palette) {
  FigurePanel panel;
  panel.x = tokens(Phrase::tr("key"), shown.matrix.keys);
  panel.y = tokens(Phrase::tr("query"), shown.matrix.queries);
  panel.y.reversed = true;
  panel.aspect = 1;
  panel.legend = LegendPlace::None;
  CellsMark cells;
  cells.rows = static_cast<int>(shown.queries());
  cells.columns = static_cast<int>(shown.keys());
  cells.values.assign(shown.head(layer, head), shown.head(layer, head) + shown.queries() * shown.keys());
  cells.map = mapOf(shown, palette);
  cells.minimum = range.low;
  cells.maximum = range.high;
  ColourBar bar = barOf(shown, range, palette);
  for (const double value : cells.values) bar.missing += std::isnan(value) ? 1 : 0;
  panel.bars = {bar};
  FigureMark mark;
  mark.selection = shown.selection() + "/" + headPart(layer, head);
  for (int query = 0; query < cells.rows; ++query)
    mark.rowParts.push_back("q:" + std::to_string(shown.place(query)));
  for (int key = 0; key < cells.columns; ++key)
    mark.columnParts.push_back("k:" + std::to_string(shown.place(key)));
  mark.shape = std::move(cells);
  panel.marks.push_back(std::move(mark));
  addSeparators(panel, shown);
  return panel;
}

// Queries on the left, keys on the right; a line is as strong as its probability.
FigurePanel linesPanel(const ShownAttention& shown, int layer, int head, std::optional<int> query) {
  FigurePanel panel;
  panel.x.scale = panel.y.scale = AxisScale::None;
  panel.x.minimum = 0;
  panel.x.maximum = 1;
  panel.y.minimum = -0.5;
  panel.y.maximum = static_cast<double>(std::max(shown.queries(), shown.keys())) - 0.5;
  panel.y.reversed = true;
  panel.x.grid = panel.y.grid = false;
  panel.legend = LegendPlace::None;
  constexpr double kLeft = 0.38, kRight = 0.62;
  const int most = shown.matrix.groups ? kItemLetters : kWordLetters;
  const double* values = shown.head(layer, head);
  SegmentsMark segments;
  for (std::size_t from = 0; from < shown.queries(); ++from) {
    const double share = !query || *query == shown.place(static_cast<int>(from)) ? 1 : 0;
    for (std::size_t to = 0; to < shown.keys(); ++to) {
      const double weight = values[from * shown.keys() + to] * share;
      if (!(weight >= kLeastWeight)) continue;
      segments.x0.push_back(kLeft);
      segments.x1.push_back(kRight);
      segments.y0.push_back(static_cast<double>(from));
      segments.y1.push_back(static_cast<double>(to));
      segments.weight.push_back(std::min(weight, 1.0));
    }
  }
  FigureMark mark;
  mark.style.colour = "series:" + std::to_string(head % 7);
  mark.style.width = 1.5;
  mark.shape = std::move(segments);
  panel.marks.push_back(std::move(mark));
  for (std::size_t i = 0; i < shown.queries(); ++i)
    panel.marks.push_back(textMark(kLeft - 0.015, static_cast<double>(i),
                                   markupOf(shortWord(shown.matrix.queries[i], most)), TextAnchor::Right));
  for (std::size_t i = 0; i < shown.keys(); ++i)
    panel.marks.push_back(textMark(kRight + 0.015, static_cast<double>(i),
                                   markupOf(shortWord(shown.matrix.keys[i], most)), TextAnchor::Left));
  return panel;
}

bool drawnAsLines(const ShownAttention& shown) {
  return shown.part == "probabilities" && std::max(shown.queries(), shown.keys()) <= kMostLines;
}

bool uniform(const ShownAttention& shown, int layer, int head) {
  return shown.part == "probabilities" &&
         isUniformHead({shown.head(layer, head), shown.queries() * shown.keys()}, shown.keys());
}

// "“Haus” looks most at “house” (0.81)" of the first tokens, for readers that do not see the figure.
Phrase wordsOf(const ShownAttention& shown, int layer, int head) {
  constexpr std::size_t kMost = 12;
  const Phrase::Text most = shown.part == "probabilities"
                                ? Phrase::tr("“%1” looks most at “%2” (%3)")
                                : Phrase::tr("“%1” has its highest score at “%2” (%3)");
  std::vector<Phrase> words;
  const double* values = shown.head(layer, head);
  for (std::size_t query = 0; query < std::min(kMost, shown.queries()); ++query) {
    std::optional<std::size_t> best;
    for (std::size_t key = 0; key < shown.keys(); ++key) {
      const double value = values[query * shown.keys() + key];
      if (std::isfinite(value) && (!best || value > values[query * shown.keys() + *best])) best = key;
    }
    if (!best) continue;
    words.push_back(most(shown.matrix.queries[query], shown.matrix.keys[*best],
                         shortValueText(values[query * shown.keys() + *best]).toStdString()));
  }
  if (words.empty()) return Phrase::tr("%1, %2.")(shown.source.name, headWords(layer, head));
  if (uniform(shown, layer, head))
    return Phrase::tr("%1, %2: uniform, every query looks at all its keys alike.")(shown.source.name,
                                                                                   headWords(layer, head));
  return Phrase::tr("%1, %2: %3.")(shown.source.name, headWords(layer, head),
                                   Phrase::list(std::move(words), "; "));
}

// "14 question tokens, 28 columns, 5 tables"; nothing where all are of one sort.
Phrase groupWords(const ShownAttention& shown) {
  std::vector<Phrase> words;
  constexpr std::size_t kMost = 6;
  if (!shown.matrix.groups || shown.matrix.groups->size() > kMost) return {};
  for (const AttentionMatrix::Group& group : *shown.matrix.groups) {
    if (group.sort == "question")
      words.push_back(Phrase::tr("%1 question tokens")(group.count));
    else if (group.sort == "column")
      words.push_back(Phrase::tr("%1 columns")(group.count));
    else if (group.sort == "table")
      words.push_back(Phrase::tr("%1 tables")(group.count));
  }
  return words.size() > 1 ? Phrase::list(std::move(words), ", ") : Phrase();
}

// Height of the tokens of lines: every item of a schema has its name, as far as a page goes.
double tokensMm(const std::vector<ShownAttention>& all) {
  double height = kSquareMm;
  for (const ShownAttention& shown : all)
    if (shown.matrix.groups)
      height = std::max(height, kMmPerToken * static_cast<double>(shown.queries()) + kMmOfItems);
  return std::min(height, kMostMm);
}

// The heads that look at everything alike, for the caption.
Phrase uniformHeads(const ShownAttention& shown) {
  constexpr std::size_t kMost = 12;
  std::vector<Phrase> heads;
  for (int layer = 0; layer < shown.matrix.layers; ++layer)
    for (int head = 0; head < shown.matrix.heads; ++head)
      if (uniform(shown, layer, head)) heads.push_back(headWords(layer, head));
  if (heads.empty()) return {};
  const std::size_t rest = heads.size() > kMost ? heads.size() - kMost : 0;
  heads.resize(heads.size() - rest);
  if (rest > 0) heads.push_back(Phrase::tr("and %1 more")(rest));
  return Phrase::tr("%1, uniform (every key of a query alike, within a tenth): %2.")(
      shown.source.name, Phrase::list(std::move(heads), "; "));
}

void addNotes(FigureSpec& spec, const std::vector<ShownAttention>& all, bool linked) {
  for (const ShownAttention& shown : all) {
    const auto grey = std::count_if(shown.values.begin(), shown.values.end(),
                                    [](double value) { return std::isnan(value); });
    Phrase note = Phrase::tr("%1: %2, checkpoint %3, example %4, %5 query and %6 key tokens")(
        shown.source.name, shown.matrix.name(), shown.source.checkpoint, shown.example, shown.queries(),
        shown.keys());
    if (const Phrase groups = groupWords(shown); !groups.empty())
      note.append(Phrase::tr("in this order: %1")(groups), "; ");
    if (linked && !shown.places.empty()) note.append(Phrase::tr("only the linked items"), "; ");
    if (linked && shown.places.empty())
      note.append(Phrase::tr("nothing is known of links: all tokens"), "; ");
    if (shown.notNumbers > 0) note.append(Phrase::tr("%1 cells are not numbers")(shown.notNumbers), "; ");
    if (grey > shown.notNumbers) note.append(Phrase::tr("grey: hidden from the query"), "; ");
    spec.notes.push_back(Phrase::tr("%1.")(std::move(note)));
    if (const Phrase flat = uniformHeads(shown); !flat.empty()) spec.notes.push_back(flat);
  }
}

}  // namespace

std::string shortWord(const std::string& word, int most) {
  const QString text = QString::fromStdString(word);
  if (text.size() <= most) return word;
  // Not between the halves of a character.
  qsizetype head = most / 2, tail = text.size() - (most / 2 - 1);
  if (text[head].isLowSurrogate()) --head;
  if (text[tail].isLowSurrogate()) ++tail;
  return (text.left(head) + QChar(0x2026) + text.mid(tail)).toStdString();
}

namespace {

// The first run that has a result says what is drawn.
Result<bool> showsTwoStreams(AnalysisSource& source, const OptionValues& options) {
  for (const std::string& run : source.runs()) {
    FATHOM_TRY(const ProbedResult probed,
               probedWithMoment(source, run, "attention_maps", options.text("checkpoint"), options));
    FATHOM_TRY(const AttentionMatrices all, attentionMatricesFromJson(probed.result));
    return isOfTwoStreams(all);
  }
  return false;
}

// The highest of the panels at the right: its colour bar has room for its numbers.
std::size_t barPanel(const std::vector<ShownAttention>& all, std::size_t columns) {
  std::size_t found = columns - 1;
  for (std::size_t i = found; i < all.size(); i += columns)
    if (all[i].matrix.layers > all[found].matrix.layers) found = i;
  return found;
}

}  // namespace

Result<FigureSpec> attentionFigure(AnalysisSource& source, const OptionValues& options) {
  FATHOM_TRY(const bool bands, showsTwoStreams(source, options));
  if (bands) return bandFigure(source, options);
  std::vector<Phrase> absent;
  FATHOM_TRY(const std::vector<ShownAttention> all, shownAttentions(source, options, &absent));
  const std::string form = options.text("form"), palette = options.text("palette");
  const int layer = static_cast<int>(options.integer("layer")) - 1;
  const int head = static_cast<int>(options.integer("head")) - 1;
  const Range range = rangeOf(source, options, all);
  FigureSpec spec;
  spec.title = Phrase::tr("Attention of one example");
  spec.summary = Phrase::tr("%1, %2.")(Phrase(spec.title), all.front().matrix.name());
  const std::size_t columns = panelColumns(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const ShownAttention& shown = all[i];
    if (form != "model") FATHOM_CHECK(checkHead(shown.source, shown.matrix, layer, head));
    FigurePanel panel = form == "model" ? modelPanel(shown, range, palette)
                        : form == "lines" && drawnAsLines(shown)
                            ? linesPanel(shown, layer, head, std::nullopt)
                            : matrixPanel(shown, layer, head, range, palette);
    panel.row = static_cast<int>(i / columns);
    panel.column = static_cast<int>(i % columns);
    if (all.size() > 1 || form != "model") panel.title = markupOf(shown.source.name);
    if (form != "model") panel.title.append(headWords(layer, head), ", ");
    if (form != "model" && uniform(shown, layer, head)) panel.title.append(Phrase::tr("uniform"), ", ");
    if (form != "model") spec.summary.append(wordsOf(shown, layer, head));
    spec.panels.push_back(std::move(panel));
  }
  if (form == "model") {
    const std::size_t last = barPanel(all, columns);
    spec.panels[last].bars = {barOf(all[last], range, palette)};
  }
  if (form == "lines" && !drawnAsLines(all.front()))
    spec.notes.push_back(all.front().part == "probabilities"
                             ? Phrase::tr("More than 64 tokens: drawn as a matrix instead of lines.")
                             : Phrase::tr("Scores have signs: drawn as a matrix instead of lines."));
  addNotes(spec, all, options.text("tokens") == "linked");
  spec.notes.insert(spec.notes.end(), absent.begin(), absent.end());
  // Maps have squares for cells: the width says how high they are.
  const bool lines = std::any_of(spec.panels.begin(), spec.panels.end(),
                                 [](const FigurePanel& panel) { return !panel.aspect; });
  const auto rows = static_cast<double>(spec.panels.back().row + 1);
  setSize(spec, options, lines ? tokensMm(all) * rows : 0);
  return spec;
}

Result<FigureSpec> attentionHeadDetail(AnalysisSource& source, const OptionValues& options,
                                       const std::string& selection) {
  FATHOM_TRY(const bool bands, showsTwoStreams(source, options));
  if (bands) return bandDetail(source, options, selection);
  FATHOM_TRY(const ChosenHead clicked, chosenHead(selection));
  const int layer = clicked.layer, head = clicked.head;
  FATHOM_TRY(const std::vector<ShownAttention> all, shownAttentions(source, options));
  const Range range = rangeOf(source, options, all);
  FigureSpec spec;
  spec.summary = Phrase::tr("%1.")(headWords(layer, head));
  // The run that was clicked, with both forms.
  const auto chosen = std::find_if(
      all.begin(), all.end(), [&](const ShownAttention& shown) { return shown.source.run == clicked.run; });
  const ShownAttention& shown = chosen == all.end() ? all.front() : *chosen;
  FATHOM_CHECK(checkHead(shown.source, shown.matrix, layer, head));
  spec.summary.append(wordsOf(shown, layer, head));
  FigurePanel matrix = matrixPanel(shown, layer, head, range, options.text("palette"));
  spec.title = Phrase::tr("%1, %2")(headWords(layer, head), shown.source.name);
  if (uniform(shown, layer, head)) matrix.title = Phrase::tr("uniform");
  // No squares in a pane beside the figure: it is narrow and scrolls, and every token has a line to be read
  // in.
  matrix.aspect.reset();
  spec.panels.push_back(std::move(matrix));
  if (drawnAsLines(shown)) {
    bool inside = false;
    for (int token = 0; token < static_cast<int>(shown.queries()); ++token)
      inside = inside || shown.place(token) == clicked.query;
    FigurePanel lines = linesPanel(shown, layer, head, inside ? clicked.query : std::nullopt);
    lines.row = 1;
    spec.panels.push_back(std::move(lines));
  }
  return spec;
}

}  // namespace fathom
