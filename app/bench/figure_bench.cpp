// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/figure_bench.h"

#include <QElapsedTimer>
#include <QImage>
#include <algorithm>
#include <cmath>
#include <ctime>
#include <utility>
#include <variant>

#include "app/bench/bench_clock.h"
#include "core/base/numbers/random_stream.h"
#include "views/figure/figure_renderer.h"
#include "views/files/figure_export.h"

namespace fathom {

namespace {

constexpr int kWidth = 1200, kHeight = 800;

FigureSpec specOf(const char* id, MarkShape shape, int columns, int rows) {
  FigureSpec spec;
  spec.id = id;
  spec.widthMm = 160;
  spec.heightMm = 120;
  FigurePanel panel;
  panel.x.scale = panel.y.scale = AxisScale::Category;
  panel.x.label = Phrase::words("head");
  panel.y.label = Phrase::words("layer");
  panel.y.reversed = true;
  for (int i = 0; i < columns; ++i) panel.x.categories.push_back(std::to_string(i + 1));
  for (int i = 0; i < rows; ++i) panel.y.categories.push_back(std::to_string(i + 1));
  panel.marks.push_back({.shape = std::move(shape)});
  spec.panels.push_back(std::move(panel));
  return spec;
}

FigureSpec violins() {
  constexpr int kLayers = 12, kHeads = 12, kPoints = 64;
  GridMark grid;
  grid.maximum = 6;
  grid.thresholds = {1.5, 4.5};
  for (int row = 0; row < kLayers; ++row) {
    for (int column = 0; column < kHeads; ++column) {
      GridCell cell;
      cell.row = row;
      cell.column = column;
      cell.colour = "series:" + std::to_string((row + column) % 3);
      cell.median = 6.0 * (column + 1) / (kHeads + 1);
      for (int i = 0; i < kPoints; ++i) {
        const double x = 6.0 * i / (kPoints - 1), width = 0.3 + 0.08 * row;
        cell.x.push_back(x);
        cell.y.push_back(std::exp(-std::pow((x - *cell.median) / width, 2)));
      }
      grid.cells.push_back(std::move(cell));
    }
  }
  return specOf("violins", std::move(grid), kHeads, kLayers);
}

FigureSpec dependencyMap() {
  constexpr int kSublayers = 96;
  CellsMark cells;
  cells.rows = kSublayers;
  cells.columns = kSublayers + 1;
  for (int row = 0; row < cells.rows; ++row)
    for (int column = 0; column < cells.columns; ++column)
      cells.values.push_back(column <= row + 1 ? 1 / std::sqrt(row + 2.0) : NAN);
  return specOf("beta", std::move(cells), kSublayers + 1, kSublayers);
}

FigureSpec modelView() {
  constexpr int kLayers = 24, kHeads = 16, kTokens = 24;
  RandomStream random(7);
  GridMark grid;
  grid.form = GridForm::Map;
  for (int row = 0; row < kLayers; ++row) {
    for (int column = 0; column < kHeads; ++column) {
      GridCell cell;
      cell.row = row;
      cell.column = column;
      cell.mapColumns = kTokens;
      for (int i = 0; i < kTokens * kTokens; ++i) cell.y.push_back(random.uniform());
      grid.cells.push_back(std::move(cell));
    }
  }
  return specOf("model", std::move(grid), kHeads, kLayers);
}

}  // namespace

std::vector<BenchFigure> benchFigures() {
  return {{"violins", "violins 12 x 12", violins()},
          {"map", "dependency map of 48 layers", dependencyMap()},
          {"model", "model view 24 x 16", modelView()}};
}

FigureContent contentOf(const BenchFigure& figure) {
  FigureContent content;
  const auto add = [&content](const std::vector<double>& values) {
    for (const double value : values) content.sum += std::isfinite(value) ? value : 0;
  };
  for (const FigurePanel& panel : figure.spec.panels) {
    for (const FigureMark& mark : panel.marks) {
      if (const auto* map = std::get_if<CellsMark>(&mark.shape)) {
        content.cells += static_cast<std::int64_t>(map->values.size());
        add(map->values);
      } else if (const auto* grid = std::get_if<GridMark>(&mark.shape)) {
        for (const GridCell& cell : grid->cells) {
          const bool isMap = grid->form == GridForm::Map;
          content.cells += isMap ? static_cast<std::int64_t>(cell.y.size()) : 1;
          add(cell.y);
        }
      }
    }
  }
  return content;
}

Result<FigureBenchLine> measureFigure(const BenchFigure& figure, int frames) {
  FigureBenchLine line;
  FigureRenderer renderer;
  renderer.resize(kWidth, kHeight);
  QImage screen(kWidth, kHeight, QImage::Format_ARGB32_Premultiplied);
  const auto paint = [&] {
    renderer.replot(QCustomPlot::rpImmediateRefresh);
    renderer.render(&screen, QPoint(), QRegion(), QWidget::RenderFlags());
  };
  QElapsedTimer timer;
  timer.start();
  FATHOM_CHECK(renderer.setFigure(figure.spec, screenStyle(false)));
  paint();
  line.first = milliseconds(timer);
  const PanelRanges full = renderer.dataRanges(0);
  std::vector<double> times, processor;
  for (int frame = 0; frame < std::max(1, frames); ++frame) {
    const double shift = 0.02 * (frame % 10);
    renderer.setRanges(0, {{full.x.low + shift, full.x.high + shift}, full.y});
    timer.start();
    const std::clock_t busy = std::clock();
    paint();
    processor.push_back(1e3 * static_cast<double>(std::clock() - busy) / CLOCKS_PER_SEC);
    times.push_back(milliseconds(timer));
  }
  std::sort(times.begin(), times.end());
  std::sort(processor.begin(), processor.end());
  line.processor = processor[processor.size() / 2];
  line.median = times[times.size() / 2];
  line.worst = times.back();
  timer.start();
  FATHOM_TRY(const FigureStyle paper, figureStyle(QStringLiteral("acl_wide")));
  FATHOM_TRY(const QByteArray bytes, figureBytes(figure.spec, paper, FigureFormat::Pdf));
  line.pdf = milliseconds(timer);
  return line;
}

}  // namespace fathom
