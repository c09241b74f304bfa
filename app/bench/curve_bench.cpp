// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/curve_bench.h"

#include <QElapsedTimer>
#include <QImage>
#include <QSlider>
#include <algorithm>
#include <cmath>

#include "app/bench/bench_clock.h"
#include "core/base/numbers/random_stream.h"
#include "views/panels/train/curve_canvas.h"
#include "views/panels/train/curve_panel.h"

namespace fathom {

namespace {

constexpr int kFrames = 200;

CurveSeries noisySeries(std::size_t points) {
  RandomStream random(11);
  CurveSeries series;
  series.run = QStringLiteral("bench");
  series.name = QStringLiteral("bench");
  series.metric = QStringLiteral("loss");
  for (std::size_t i = 0; i < points; ++i) {
    const double at = static_cast<double>(i);
    series.steps.push_back(at + 1);
    series.seconds.push_back(at * 0.1);
    series.epochs.push_back(at * 1e-4);
    series.values.push_back(2 + 5 * std::exp(-at / (0.1 * static_cast<double>(points))) +
                            0.4 * random.normal());
  }
  return series;
}

// One frame: the new view, and its pixels as the window shows them.
void paintFrame(CurvePanel& panel, QImage& screen) {
  panel.canvas()->render(&screen, QPoint(), QRegion(), QWidget::RenderFlags());
}

// Sorted times of frames while panning, each at another zoom and direction.
std::vector<double> panFrames(CurvePanel& panel, QImage& screen, std::size_t points) {
  RandomStream random(12);
  std::vector<double> times;
  QElapsedTimer timer;
  for (int frame = 0; frame < kFrames; ++frame) {
    if (frame % 20 == 0) {
      const double width = static_cast<double>(points) * std::pow(10.0, -2 * random.uniform());
      const double low = random.uniform() * (static_cast<double>(points) - width);
      Q_EMIT panel.canvas()->rangeChosen(low, low + width);
    }
    const AxisRange range = panel.canvas()->ranges(0).x;
    timer.start();
    Q_EMIT panel.canvas()->panned(range.size() * (random.uniform() - 0.5) * 0.1, 0, 0);
    paintFrame(panel, screen);
    times.push_back(milliseconds(timer));
  }
  std::sort(times.begin(), times.end());
  return times;
}

}  // namespace

CurveBench benchCurves(std::size_t points) {
  CurveBench bench;
  CurveSeries series = noisySeries(points);
  CurvePanel panel;
  panel.resize(1200, 800);
  panel.show();
  QImage screen(1200, 800, QImage::Format_ARGB32_Premultiplied);
  QElapsedTimer timer;
  timer.start();
  panel.setSeries(std::move(series));
  bench.fill = milliseconds(timer);
  timer.start();
  panel.drawNow();
  paintFrame(panel, screen);
  bench.firstDraw = milliseconds(timer);
  const std::vector<double> plain = panFrames(panel, screen, points);
  bench.worstPan = plain.back();
  bench.medianPan = plain[plain.size() / 2];
  for (int i = 0; i < 50; ++i) {
    timer.start();
    const AxisRange range = panel.canvas()->ranges(0).x;
    Q_EMIT panel.canvas()->hovered(range.low + range.size() * i / 50, 0);
    bench.hover = std::max(bench.hover, milliseconds(timer));
  }
  for (QSlider* slider : panel.findChildren<QSlider*>()) slider->setValue(66);
  panel.drawNow();
  bench.worstSmoothed = panFrames(panel, screen, points).back();
  return bench;
}

HoverBench benchHover(int curves, std::size_t points) {
  CurvePanel panel;
  panel.resize(1200, 800);
  panel.show();
  for (int run = 0; run < curves; ++run) {
    CurveSeries series = noisySeries(points);
    series.run = QStringLiteral("bench-%1").arg(run);
    series.name = QStringLiteral("a run with a name of usual length, seed %1").arg(run);
    series.colour = run;
    for (double& value : series.values) value += 0.1 * run;
    panel.setSeries(std::move(series));
  }
  QImage screen(1200, 800, QImage::Format_ARGB32_Premultiplied);
  panel.drawNow();
  paintFrame(panel, screen);
  std::vector<double> times;
  const PanelRanges range = panel.canvas()->ranges(0);
  for (int i = 0; i < kFrames; ++i) {
    const double began = processorOfThread();
    Q_EMIT panel.canvas()->hovered(range.x.low + range.x.size() * i / kFrames, 0,
                                   range.y.low + range.y.size() * i / kFrames);
    panel.canvas()->repaint();
    times.push_back(processorOfThread() - began);
  }
  std::sort(times.begin(), times.end());
  return {times.back(), times[times.size() / 2]};
}

}  // namespace fathom
