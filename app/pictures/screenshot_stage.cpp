// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pictures/screenshot_stage.h"

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QTimer>
#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "app/pictures/made_long_run.h"
#include "app/recipes/figure_builder.h"
#include "app/window/attention/attention_workspace.h"
#include "app/window/errors/review_loader.h"
#include "app/window/figures/figures_workspace.h"
#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "app/window/train/new_run_controller.h"
#include "app/window/train/run_estimates.h"
#include "app/window/train/sample_analysis_job.h"
#include "app/window/train/train_workspace.h"
#include "app/window/workspace_entry.h"
#include "core/base/files/path_facts.h"
#include "core/base/json/json.h"
#include "core/library/runs/run_listing.h"
#include "views/look/engine_text.h"

namespace fathom {

namespace {

constexpr int kStagePatienceMilliseconds = 20000;
// Report on memory and time that the forms of all pictures show: an engine would work for seconds on each of
// them, and every machine would make other pictures.
constexpr const char* kFittingReport = R"({"parameters": {"total": 3290000},
  "memory": {"needed": 412000000, "program": 210000000, "weights": 13200000, "gradients": 13200000,
             "optimiser": 26400000, "activations": 149200000, "free": 22400000000, "fits": true},
  "time": {"update": 0.048, "total": 96, "updates": 2000, "timed_updates": 12},
  "disk": {"needed": 120000000, "checkpoint": 40000000, "checkpoints": 3, "free": 210000000000, "fits": true},
  "fits": true, "remedies": [], "notes": []})";

// Workspaces of workspaces.list that none of `views` is named after, as the project opens them.
QList<ScreenshotView> listedWorkspaceViews(const QList<ScreenshotView>& views) {
  QList<ScreenshotView> others;
  for (const WorkspaceEntry& entry : workspaceEntries()) {
    const QString id = QString::fromLatin1(entry.id);
    const bool seen = std::any_of(views.begin(), views.end(), [&id](const ScreenshotView& view) {
      return view.name == id || view.name.startsWith(id + u'_');
    });
    if (seen) continue;
    others.append(
        singleView(entry.id, ScreenshotStage::Scene::Project, {"MainWindow"}, [id](MainWindow& window) {
          window.showWorkspace(id);
          return wholeWindow(window);
        }));
  }
  return others;
}

}  // namespace

bool ScreenshotStage::waitFor(const std::function<bool()>& ready, int atLeastMilliseconds) {
  constexpr int kLookMilliseconds = 5;
  QElapsedTimer clock;
  clock.start();
  QTimer look;  // ends a wait in which nothing comes
  look.start(kLookMilliseconds);
  QApplication::processEvents();
  while (clock.elapsed() < kStagePatienceMilliseconds && (clock.elapsed() < atLeastMilliseconds || !ready()))
    QApplication::processEvents(QEventLoop::WaitForMoreEvents);
  return ready();
}

bool ScreenshotStage::settle(MainWindow* window, int atLeastMilliseconds) {
  return waitFor([window] { return window->jobs()->count() == 0; }, atLeastMilliseconds);
}

bool ScreenshotStage::rest(const QWidget* window) {
  constexpr int kStillLooks = 5, kLookMilliseconds = 15;
  const auto places = [window] {
    QVector<std::pair<const QWidget*, QRect>> all;
    for (const QWidget* part : window->findChildren<QWidget*>())
      if (part->isVisible()) all.append({part, part->geometry()});
    return all;
  };
  // A look counts when everything that waited for an idle moment had one: on a busy machine time alone says
  // nothing.
  QObject moments;
  bool idle = false;
  const auto waitForIdle = [&] {
    idle = false;
    QTimer::singleShot(0, &moments, [&idle] { idle = true; });
  };
  auto before = places();
  QElapsedTimer looked;
  looked.start();
  waitForIdle();
  int still = 0;
  return waitFor([&] {
    if (!idle || looked.elapsed() < kLookMilliseconds) return false;
    looked.restart();
    waitForIdle();
    auto now = places();
    still = now == before ? still + 1 : 0;
    before = std::move(now);
    return still >= kStillLooks;
  });
}

ScreenshotStage::ScreenshotStage(WindowHost* host, QString project, QString folder, const QSize& size)
    : m_host(host), m_project(std::move(project)), m_folder(std::move(folder)), m_size(size) {}

Status ScreenshotStage::linkRuns(const QString& into) const {
  FATHOM_TRY(const auto library, ProjectLibrary::openOrCreate(toUtf8(into)));
  if (m_project.isEmpty()) return {};
  FATHOM_TRY(const auto source, ProjectLibrary::open(toUtf8(m_project)));
  FATHOM_TRY(const auto rows, listRuns(*source));
  for (const RunRow& row : rows)
    if (row.state != RunState::Lost) FATHOM_CHECK(library->linkRun(row.path));
  return {};
}

Result<QString> ScreenshotStage::shownProject() {
  namespace files = std::filesystem;
  if (!m_shown.isEmpty() || m_project.isEmpty()) return m_shown;
  const files::path from(toUtf8(QDir(m_project).absolutePath()));
  const files::path into = files::path(toUtf8(m_folder)) / "shown" / from.filename();
  std::error_code problem;
  files::create_directories(into / "queue", problem);
  constexpr auto kWhole = files::copy_options::recursive;
  files::copy(from / "library.sqlite", into / "library.sqlite", problem);
  files::copy(from / "queue", into / "queue", kWhole, problem);
  if (!fileExists((into / "library.sqlite").string()))
    return dataError("the project " + from.string() + " cannot be copied: " + problem.message());
  const QString shown = fromUtf8(into.string());
  FATHOM_CHECK(linkRuns(shown));
  return m_shown = shown;
}

Result<QString> ScreenshotStage::projectFor(Scene scene) {
  switch (scene) {
    case Scene::Project:
      return shownProject();
    case Scene::Welcome:
      return QString();
    case Scene::Pages: {
      const QString pages = m_folder + QStringLiteral("/pages.fathom");
      FATHOM_CHECK(linkRuns(pages));
      return pages;
    }
    case Scene::Streams: {
      const QString streams = m_folder + QStringLiteral("/streams.fathom");
      FATHOM_TRY(const auto made, ProjectLibrary::openOrCreate(toUtf8(streams)));
      FATHOM_CHECK(makeLongRun(made->path()));
      return streams;
    }
    case Scene::Review: {
      if (m_project.isEmpty()) break;
      FATHOM_TRY(const QString shown, shownProject());
      if (const auto known = rememberedReview(toUtf8(shown)); known.ok() && known->has_value()) return shown;
      break;
    }
    case Scene::Fresh:
      break;
  }
  const QString own = m_folder + (scene == Scene::Review ? QStringLiteral("/review.fathom")
                                                         : QStringLiteral("/fresh.fathom"));
  FATHOM_TRY(const auto made, ProjectLibrary::openOrCreate(toUtf8(own)));
  return own;
}

Result<MainWindow*> ScreenshotStage::window(Scene scene) {
  if (scene == Scene::Project && m_project.isEmpty())
    return unavailableError("no project is given", "name one with --project");
  MainWindow*& known = m_windows[scene];
  if (known != nullptr) return known;
  FATHOM_TRY(const QString project, projectFor(scene));
  MainWindow* window = m_host->openWindow(project);
  window->resize(m_size);
  for (auto* analyses : window->findChildren<SampleAnalysisJob*>()) analyses->rest();
  window->train()->newRun()->estimates()->setAnswer(
      [report = parseJson(kFittingReport).value()](const std::vector<RunConfig>&) { return report; });
  // Reading begins when the window was painted; drain() waits for what was asked for until then.
  waitFor([&] { return project.isEmpty() || window->service()->isReady(); }, 300);
  if (!project.isEmpty()) {
    if (!window->service()->isOpen()) return unavailableError("the project could not be opened");
    window->service()->drain();
  }
  settle(window, 300);
  known = window;
  return window;
}

ScreenshotView singleView(const char* name, ScreenshotStage::Scene scene, QStringList shows,
                          std::function<Result<ShownView>(MainWindow&)> show) {
  return {QString::fromLatin1(name),
          scene,
          std::move(shows),
          {},
          [show = std::move(show)](ScreenshotStage&, MainWindow& window, const QString&) {
            return show(window);
          }};
}

Result<ShownView> wholeWindow(MainWindow& window, std::function<void()> after) {
  return ShownView{&window, std::move(after)};
}

QList<ScreenshotView> screenshotViews() {
  const QList<ScreenshotView> views =
      trainScreenshotViews() + placeScreenshotViews() + workspaceScreenshotViews() + dialogScreenshotViews();
  return views + listedWorkspaceViews(views);
}

}  // namespace fathom
