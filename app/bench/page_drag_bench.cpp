// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/page_drag_bench.h"

#include <QMouseEvent>
#include <QTemporaryDir>
#include <algorithm>
#include <cmath>

#include "app/bench/bench_clock.h"
#include "app/bench/window_wait.h"
#include "app/window/figures/figures_workspace.h"
#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "app/window/train/train_workspace.h"
#include "core/base/files/hash.h"
#include "core/library/records/project_library.h"
#include "core/record/events/event_log.h"
#include "core/record/runs/run_folder.h"
#include "views/look/engine_text.h"
#include "views/panels/figures/drop_target.h"
#include "views/panels/figures/page_view.h"
#include "views/tables/run_table_model.h"

namespace fathom {

namespace {

constexpr int kDraggedRuns = 4, kPanels = 4, kSteps = 1000, kDragFrames = 200;
constexpr double kFrame = 16;

// Gives its id.
Result<std::string> writeRun(const std::string& project, int number) {
  RunIdentity identity;
  identity.uuid = makeUuid();
  identity.name = "run " + std::to_string(number + 1);
  identity.created = isoTimeNow();
  FATHOM_TRY(const RunFolder run, RunFolder::create(project + "/runs/" + identity.uuid, identity));
  FATHOM_TRY(const int attempt, run.beginAttempt({{"format", 1}, {"options", Json::object()}}));
  FATHOM_TRY(const auto log, EventLog::create(run.eventsPath(attempt)));
  for (int step = 1; step <= kSteps; ++step)
    FATHOM_CHECK(log->appendStep(step, 1, 100 * step, 1e-3, {{"loss", (4 + number) / std::sqrt(step)}}));
  FATHOM_CHECK(log->sync());
  RunOutcome outcome;
  outcome.state = RunState::Finished;
  outcome.step = kSteps;
  outcome.finishedAt = isoTimeNow();
  FATHOM_CHECK(run.writeOutcome(attempt, outcome));
  return identity.uuid;
}

class HandOnPage {
 public:
  Status open();
  Status drag(WindowTime& time, Progress& progress, const StopToken& stop);

 private:
  bool settled() const { return m_figures->settled() && m_window->jobs()->count() == 0; }
  void send(QEvent::Type type, const QPointF& at, Qt::MouseButtons held) {
    QWidget* view = m_figures->page()->viewport();
    QMouseEvent event(type, at, view->mapToGlobal(at),
                      type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton, held, Qt::NoModifier);
    QApplication::sendEvent(view, &event);
  }
  QTemporaryDir m_folder;
  std::unique_ptr<WindowHost> m_host;
  MainWindow* m_window = nullptr;
  FiguresWorkspace* m_figures = nullptr;
};

Status HandOnPage::open() {
  const QString project = m_folder.filePath(QStringLiteral("bench.fathom"));
  if (const auto made = ProjectLibrary::openOrCreate(toUtf8(project)); !made.ok()) return made.error();
  FigureRecipe recipe;
  recipe.figure = "training_curve";
  for (int run = 0; run < kDraggedRuns; ++run) {
    FATHOM_TRY(const std::string uuid, writeRun(toUtf8(project), run));
    recipe.runs.push_back(uuid);
  }
  m_host = std::make_unique<WindowHost>(m_folder.filePath(QStringLiteral("session.json")));
  m_window = m_host->openWindow(project);
  m_window->resize(1280, 800);
  FATHOM_CHECK(waitForWindow([this] {
    return m_window->service()->isReady() && m_window->jobs()->count() == 0 &&
           m_window->train()->runModel()->rowCount() == kDraggedRuns;
  }));
  m_window->showWorkspace(QStringLiteral("figures"));
  m_figures = m_window->figures();
  FATHOM_CHECK(waitForWindow([this] { return settled(); }));
  m_figures->composeOf(recipe);
  for (int panel = 1; panel < kPanels; ++panel) m_figures->editor()->add(recipe);
  m_figures->page()->setZoom(0);
  return waitForWindow([this] {
    return settled() && m_figures->composition() != nullptr &&
           m_figures->composition()->panels.size() == kPanels &&
           !m_figures->page()->figureBox(kPanels - 1).isEmpty();
  });
}

Status HandOnPage::drag(WindowTime& time, Progress& progress, const StopToken& stop) {
  const PageView* page = m_figures->page();
  const auto* target = m_window->findChild<DropTarget*>();
  send(QEvent::MouseButtonPress, page->figureBox(0).center(), Qt::LeftButton);
  QElapsedTimer timer;
  progress.begin("dragging", "frames", kDragFrames);
  for (int frame = 0; frame < kDragFrames; ++frame) {
    if (stop.stopRequested()) return interruptedError();
    // Over one panel after the other, and within each.
    const QPointF at = page->figureBox((frame / 5 + 1) % kPanels).center() + QPointF(frame % 7, frame % 5);
    const PaintedWindows paints;
    timer.start();
    const double worked = processorOfThread();
    send(QEvent::MouseMove, at, Qt::LeftButton);
    FATHOM_CHECK(waitForWindow([&] { return paints.contains(m_window); }));
    time.painted.push_back(milliseconds(timer));
    time.processor.push_back(processorOfThread() - worked);
    if (!target->isVisible()) return internalError("nothing is dragged");
    progress.report(frame + 1);
  }
  send(QEvent::MouseMove, page->figureBox(0).center(), Qt::LeftButton);
  send(QEvent::MouseButtonRelease, page->figureBox(0).center(), Qt::NoButton);
  for (std::vector<double>* each : {&time.painted, &time.processor}) std::sort(each->begin(), each->end());
  return waitForWindow([this] { return settled(); });
}

}  // namespace

Result<WindowTime> benchPageDrag(Progress& progress, const StopToken& stop) {
  HandOnPage hand;
  FATHOM_CHECK(hand.open());
  WindowTime time{"drag", "a frame of a dragged panel", kFrame};
  FATHOM_CHECK(hand.drag(time, progress, stop));
  return time;
}

}  // namespace fathom
