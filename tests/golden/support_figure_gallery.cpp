// SPDX-License-Identifier: Apache-2.0
#include "support_figure_gallery.h"

#include <cmath>
#include <limits>

#include "core/analysis/training/training_curve.h"
#include "core/base/numbers/random_stream.h"
#include "views/figures/training_curve_figure.h"

namespace fathom::gallery {

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

FigureMark mark(MarkShape shape, const char* label, const char* colour, double fill = 0) {
  FigureMark made;
  made.shape = std::move(shape);
  made.label = Phrase::words(label);
  made.style.colour = colour;
  made.style.fill = fill;
  return made;
}

FigurePanel panel(int row, int column, const char* title, const char* x, const char* y) {
  FigurePanel made;
  made.row = row;
  made.column = column;
  made.title = Phrase::words(title);
  made.x.label = Phrase::words(x);
  made.y.label = Phrase::words(y);
  return made;
}

FigurePanel lines() {
  FigurePanel made = panel(0, 0, "Lines", "sub-layer <i>i</i>", "&beta;<sub>ii</sub><sup>2</sup>");
  std::vector<double> x, y, low, high;
  for (int i = 0; i < 40; ++i) {
    x.push_back(i);
    y.push_back(i == 20 ? kNaN : std::sin(i * 0.2));
    low.push_back(std::sin(i * 0.2) - 0.2);
    high.push_back(std::sin(i * 0.2) + 0.2);
  }
  made.marks.push_back(mark(BandMark{x, low, high}, "", "series:0", 0.18));
  made.marks.push_back(mark(LineMark{x, y}, "line with a gap", "series:0"));
  made.marks.push_back(mark(PointsMark{{5, 15, 25}, {-1.2, -1.2, -1.2}}, "points", "series:1"));
  made.marks.push_back(
      mark(SegmentsMark{{2, 2, 2}, {-1.8, -1.8, -1.8}, {12, 20, 30}, {-1.5, -1.5, -1.5}, {1, 0.6, 0.3}}, "",
           "series:2"));
  made.marks.push_back(mark(RuleMark{0.5, false}, "", "secondary"));
  made.marks.back().style.dash = LineDash::Dash;
  made.marks.push_back(
      mark(TextMark{30, 1.2, Phrase::words("<b>Text</b> &amp; more"), TextAnchor::Centre}, "", "text"));
  return made;
}

FigurePanel cells() {
  FigurePanel made = panel(0, 1, "Cells", "key", "query");
  CellsMark map;
  map.rows = 4;
  map.columns = 5;
  for (int i = 0; i < 20; ++i) map.values.push_back(i == 7 ? kNaN : i / 19.0);
  map.numbers = true;
  made.marks.push_back(mark(map, "", "series:0"));
  made.x.scale = AxisScale::Token;
  made.x.categories = {"the", "quick", "brown", "fox", "jumped_over"};
  made.y.scale = AxisScale::Token;
  made.y.categories = {"der", "schnelle", "Fuchs", "sprang"};
  made.y.reversed = true;
  made.bars = {{"viridis", 0, 1, Phrase::words("attention"), 1}};
  return made;
}

FigurePanel distributions() {
  FigurePanel made = panel(1, 0, "Distributions", "scheme", "entropy (nats)");
  ViolinMark violin;
  violin.position = 0;
  for (int i = 0; i <= 60; ++i) {
    violin.grid.push_back(i * 0.1);
    violin.density.push_back(std::exp(-0.5 * std::pow(i * 0.1 - 3, 2)));
  }
  violin.quartile1 = 2.3;
  violin.median = 3;
  violin.quartile3 = 3.7;
  made.marks.push_back(mark(violin, "violin", "series:0", 0.5));
  made.marks.push_back(mark(BoxMark{1, 0.5, 1, 2, 3, 4, 5, {0.2, 5.8}}, "box", "series:1", 0.3));
  made.marks.push_back(mark(BarsMark{{2, 3}, {2.5, 3.5}, {0.3, 0.4}, 0.6, 0}, "bars", "series:2"));
  made.x.scale = AxisScale::Category;
  made.x.categories = {"Post-LN", "Admin", "Pre-LN", "ReZero"};
  made.legend = LegendPlace::Below;
  return made;
}

FigurePanel shapes() {
  FigurePanel made = panel(1, 1, "Shapes", "|<i>F</i>(<i>x</i>)|<sup>2</sup>", "symlog");
  made.x.scale = AxisScale::Log;
  made.y.scale = AxisScale::Symlog;
  made.marks.push_back(mark(PolygonMark{{1, 10, 100}, {-50, 80, -50}}, "polygon", "series:3", 0.3));
  made.marks.push_back(mark(EllipseMark{1000, 0, 400, 5, 0}, "ellipse", "series:4", 0.3));
  // A 2 x 2 picture.
  const char* png =
      "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg==";
  made.marks.push_back(mark(ImageMark{png, 20000, -1, 80000, 20}, "", "text"));
  made.marks.push_back(
      mark(LineMark{{1, 10, 100, 1000, 10000, 100000}, {-100, -10, 0, 10, 100, 1000}}, "line", "series:5"));
  made.legend = LegendPlace::Below;
  return made;
}

TrainingCurveResult curves(int runs, bool longNames, bool grouped) {
  RandomStream random(3);
  std::vector<RunCurve> list;
  for (int run = 0; run < runs; ++run) {
    RunCurve curve;
    curve.run = "run-" + std::to_string(run);
    curve.name = longNames
                     ? "nmt_sample_deep 12 layers Post-LN warm-up 4000 lr 5e-4 seed " + std::to_string(run)
                     : "run " + std::to_string(run);
    curve.outcome = run == 4 ? RunState::Diverged : RunState::Finished;
    if (grouped && run < 4) {
      curve.group = run < 2 ? "Admin" : "Pre-LN";
      curve.name = curve.group + " seed " + std::to_string(run);
    }
    for (int i = 1; i <= 200; ++i) {
      if (run == 4 && i > 80) break;
      curve.steps.push_back(i * 50);
      curve.seconds.push_back(i * 3.5);
      curve.epochs.push_back(i / 20.0);
      const double rise = run == 4 ? std::exp((i - 60) / 12.0) : 0;
      curve.values.push_back(2 + 6 * std::exp(-i / (20.0 + 10 * run)) + 0.15 * random.normal() + rise);
    }
    list.push_back(std::move(curve));
  }
  TrainingCurveRequest request;
  request.groupSeeds = grouped;
  request.band = CurveBand::Deviation;
  request.smoothing = grouped ? 0 : 0.6;
  return computeTrainingCurve(list, request);
}

}  // namespace

FigureSpec everyMark() {
  FigureSpec spec;
  spec.id = "gallery";
  spec.title = Phrase::words("Every mark");
  spec.summary = Phrase::words("Four panels with one example of each mark.");
  spec.widthMm = 160;
  spec.heightMm = 110;
  spec.panels = {lines(), cells(), distributions(), shapes()};
  return spec;
}

FigureSpec violinGrid() {
  FigureSpec spec;
  spec.id = "violins";
  spec.title = Phrase::words("Attention entropy");
  spec.widthMm = 160;
  spec.heightMm = 120;
  FigurePanel made = panel(0, 0, "", "head, sorted by median", "layer");
  GridMark grid;
  grid.maximum = 6;
  grid.thresholds = {1.5, 4.5};
  for (int row = 0; row < 12; ++row) {
    for (int column = 0; column < 12; ++column) {
      GridCell cell;
      cell.row = row;
      cell.column = column;
      const double median = 0.4 + 5.2 * (column + 12 - row) / 24;
      for (int i = 0; i <= 60; ++i) {
        cell.x.push_back(i * 0.1);
        cell.y.push_back(std::exp(-2 * std::pow(i * 0.1 - median, 2)));
      }
      cell.median = median;
      cell.colour = median < 1.5 ? "#0072B2" : (median > 4.5 ? "#D55E00" : "#E69F00");
      cell.selection = "enc.self/L" + std::to_string(row) + "/H" + std::to_string(column);
      grid.cells.push_back(std::move(cell));
    }
    made.x.categories.push_back(std::to_string(row + 1));
  }
  made.y.categories = made.x.categories;
  made.x.scale = made.y.scale = AxisScale::Category;
  made.y.reversed = true;
  made.marks.push_back(mark(grid, "", "series:0"));
  spec.panels = {made};
  return spec;
}

FigureSpec trainingCurves() {
  return trainingCurveFigure(curves(5, false, true));
}

FigureSpec trainingCurves(int runs, bool longNames) {
  return trainingCurveFigure(curves(runs, longNames, false));
}

FigureSpec nanOnly() {
  FigureSpec spec;
  spec.id = "nan";
  FigurePanel made = panel(0, 0, "", "updates", "loss");
  made.marks.push_back(mark(LineMark{{1, 2, 3}, {kNaN, kNaN, kNaN}}, "only NaN", "series:0"));
  spec.panels = {made};
  return spec;
}

FigureSpec onePoint() {
  FigureSpec spec;
  spec.id = "point";
  FigurePanel made = panel(0, 0, "", "updates", "loss");
  made.marks.push_back(mark(LineMark{{100}, {6.25}}, "one point", "series:0"));
  spec.panels = {made};
  return spec;
}

}  // namespace fathom::gallery
