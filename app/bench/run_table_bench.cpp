// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/run_table_bench.h"

#include <QImage>
#include <QScrollBar>
#include <QTableView>
#include <algorithm>
#include <vector>

#include "app/bench/bench_clock.h"
#include "core/base/numbers/random_stream.h"
#include "views/panels/train/run_table_panel.h"
#include "views/tables/run_eyes.h"
#include "views/tables/run_fold_model.h"
#include "views/tables/run_table_model.h"

namespace fathom {

namespace {

constexpr int kScrollFrames = 300, kMadeOptions = 150, kMadeSeeds = 3, kOpenOfGroups = 10;

QVector<RunItem> madeRuns(int count) {
  RandomStream random(21);
  const QDateTime start = QDateTime::fromSecsSinceEpoch(1'700'000'000, Qt::UTC);
  QVector<RunItem> runs(count);
  for (int i = 0; i < count; ++i) {
    RunItem& run = runs[i];
    const int configuration = i / kMadeSeeds;
    Json options = {{"seed", i % kMadeSeeds}, {"layers", configuration % 12}, {"rate", configuration}};
    for (int option = 0; option < kMadeOptions; ++option)
      options["option." + std::to_string(option)] = option;
    run.config = options;
    run.uuid = QStringLiteral("run-%1").arg(i);
    run.name = QStringLiteral("grid scheme %1 seed %2").arg(configuration).arg(i % kMadeSeeds);
    run.grid = QStringLiteral("grid");
    run.gridName = run.grid;
    run.gridValues = {QStringLiteral("scheme %1").arg(configuration),
                      QStringLiteral("seed %1").arg(i % kMadeSeeds)};
    run.state = i % 17 == 0 ? RunState::Diverged : RunState::Finished;
    run.created = start.addSecs(60LL * i);
    run.step = run.totalSteps = 1000;
    run.durationSeconds = 100;
    run.colour = i % 20;
    run.best[QStringLiteral("valid.bleu")] = 20 + random.uniform();
  }
  return runs;
}

// The visible part of the panel, painted.
void paint(RunTablePanel& panel, QImage& screen) {
  panel.render(&screen, QPoint(), QRegion(), QWidget::DrawWindowBackground | QWidget::DrawChildren);
}

}  // namespace

RunTableBench benchRunTable(int runs) {
  RunTableBench bench;
  const QVector<RunItem> all = madeRuns(runs);
  RunTableModel model;
  RunTablePanel panel(&model);
  panel.resize(700, 600);
  panel.show();
  QImage screen(panel.size(), QImage::Format_ARGB32_Premultiplied);
  double began = processorOfThread();
  const auto start = [&began] { began = processorOfThread(); };
  const auto spent = [&began] { return processorOfThread() - began; };
  model.setRuns(all);
  model.setMetricColumns({QStringLiteral("valid.bleu")});
  paint(panel, screen);
  bench.fill = spent();
  auto* rows = qobject_cast<RunFoldModel*>(panel.table()->model());
  for (int row = 0; row < rows->rowCount(); row += kOpenOfGroups + kMadeSeeds) {
    start();
    rows->setOpen(row, true);
    bench.worstOpen = std::max(bench.worstOpen, spent());
    if (row > 100 * kOpenOfGroups) break;
  }
  QScrollBar* bar = panel.table()->verticalScrollBar();
  std::vector<double> frames;
  for (int frame = 0; frame < kScrollFrames; ++frame) {
    start();
    bar->setValue(bar->maximum() * frame / (kScrollFrames - 1));
    paint(panel, screen);
    frames.push_back(spent());
  }
  std::sort(frames.begin(), frames.end());
  bench.worstScroll = frames.back();
  bench.medianScroll = frames[frames.size() / 2];
  for (int click = 0; click < 10; ++click) {
    start();
    model.eyes()->toggle({all[click * 7].uuid});
    paint(panel, screen);
    bench.worstEye = std::max(bench.worstEye, spent());
  }
  return bench;
}

}  // namespace fathom
