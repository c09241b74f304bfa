// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/screenshots.h"

#include <QApplication>
#include <QDir>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QKeyEvent>
#include <QListWidget>
#include <QStackedWidget>
#include <QTableView>
#include <QTemporaryDir>

#include "app/figure_builder.h"
#include "app/window/attention_workspace.h"
#include "app/window/errors_workspace.h"
#include "app/window/figures_workspace.h"
#include "app/window/main_window.h"
#include "app/window/new_run_controller.h"
#include "app/window/session_keys.h"
#include "app/window/train_workspace.h"
#include "app/window/window_host.h"
#include "views/panels/analysis_canvas.h"
#include "views/panels/analysis_side.h"
#include "views/panels/analysis_view.h"
#include "views/panels/command_palette.h"
#include "views/panels/comparison_panel.h"
#include "views/panels/engine_text.h"
#include "views/panels/new_run_page.h"
#include "views/panels/option_form.h"
#include "views/panels/run_table_panel.h"
#include "views/tables/run_table_model.h"

namespace fathom {

namespace {

constexpr int kPatienceMilliseconds = 20000;
constexpr int kRunsShown = 3;

struct Look {
  const char* suffix;
  const char* theme;
  const char* language;
};
constexpr Look kLooks[] = {{"light", "light", "en"}, {"dark", "dark", "en"}, {"zh_CN", "light", "zh_CN"}};

// Lets the event loop work until `ready` or the patience is over.
void waitFor(const std::function<bool()>& ready, int atLeastMilliseconds = 0) {
  QElapsedTimer clock;
  clock.start();
  while (clock.elapsed() < kPatienceMilliseconds && (clock.elapsed() < atLeastMilliseconds || !ready()))
    QApplication::processEvents(QEventLoop::WaitForMoreEvents | QEventLoop::AllEvents, 20);
}

class Photographer {
 public:
  Photographer(MainWindow* window, const ScreenshotOptions& options, const char* suffix)
      : m_window(window), m_folder(options.folder), m_suffix(QString::fromLatin1(suffix)) {}

  void lookAt(MainWindow* window) { m_window = window; }
  Status take(const QString& name) { return take(name, m_window); }
  Status take(const QString& name, QWidget* widget) {
    waitFor([] { return true; }, 60);
    const QString file = QStringLiteral("%1/%2_%3.png").arg(m_folder, name, m_suffix);
    if (!widget->grab().save(file)) return diskError("the picture " + toUtf8(file) + " cannot be written");
    m_files.append(file);
    return {};
  }
  const QStringList& files() const { return m_files; }

 private:
  MainWindow* m_window;
  QString m_folder, m_suffix;
  QStringList m_files;
};

void raiseDock(MainWindow* window, const char* id) {
  if (auto* dock = window->findChild<QDockWidget*>(QString::fromLatin1(id))) {
    dock->show();
    dock->raise();
  }
}

Status takeViews(MainWindow* window, Photographer& camera) {
  TrainWorkspace* train = window->train();
  window->action(QStringLiteral("view.train"))->trigger();
  QStringList runs;
  for (const RunItem& run : train->runModel()->runs())
    if (runs.size() < kRunsShown && !run.folder.isEmpty()) runs.append(run.uuid);
  window->selection()->set(Dimension::Run, runs, runs.value(0), nullptr);
  window->service()->drain();
  waitFor([] { return true; }, 600);
  FATHOM_CHECK(camera.take(QStringLiteral("train")));
  raiseDock(window, "queue");
  FATHOM_CHECK(camera.take(QStringLiteral("queue")));
  raiseDock(window, "grid");
  FATHOM_CHECK(camera.take(QStringLiteral("grid")));
  raiseDock(window, "log");
  if (train->newRun()->engine() != nullptr) {
    train->showNewRun();
    train->newRunPage()->form()->finishBuilding();
    FATHOM_CHECK(camera.take(QStringLiteral("new_run")));
    train->newRunPage()->setGridShown(true);
    FATHOM_CHECK(camera.take(QStringLiteral("grid_editor")));
    train->newRunPage()->setGridShown(false);
    train->showData();
    train->newRun()->readData();
    waitFor([window] { return window->jobs()->count() == 0; });
    FATHOM_CHECK(camera.take(QStringLiteral("data")));
    train->showCurves();
  }
  window->action(QStringLiteral("view.palette"))->trigger();
  FATHOM_CHECK(camera.take(QStringLiteral("commands"), window->palettePopup()));
  window->palettePopup()->close();
  return {};
}

// The Attention workspace: every analysis that has a result, one place of it looked at closer, as a table,
// and what is said where nothing is computed.
Status takeAttention(MainWindow* window, Photographer& camera) {
  window->action(QStringLiteral("view.attention"))->trigger();
  AttentionWorkspace* attention = window->attention();
  const auto settled = [=] { return window->jobs()->count() == 0 && !attention->busy(); };
  waitFor(settled, 300);
  bool message = false;
  QListWidget* analyses = attention->side()->analyses();
  for (int row = 0; row < analyses->count(); ++row) {
    analyses->setCurrentRow(row);
    waitFor(settled, 200);
    if (!attention->hasFigure() && message) continue;
    message = message || !attention->hasFigure();
    attention->view()->canvas()->setFocus();
    if (attention->hasFigure()) {
      QKeyEvent down(QEvent::KeyPress, Qt::Key_Down, Qt::NoModifier);
      for (int i = 0; i < 2; ++i) QApplication::sendEvent(attention->view()->canvas(), &down);
      waitFor(settled, 200);
    }
    FATHOM_CHECK(camera.take(QStringLiteral("attention_") + attention->side()->analysis()));
  }
  analyses->setCurrentRow(0);
  waitFor(settled, 200);
  attention->view()->setTableShown(true);
  FATHOM_CHECK(camera.take(QStringLiteral("attention_table")));
  attention->view()->setTableShown(false);
  return {};
}

// The Errors workspace: on the predictions the project knows, else on the sample in a project of its own.
Status takeErrors(MainWindow* window, Photographer& camera) {
  ErrorsWorkspace* errors = window->errors();
  window->action(QStringLiteral("view.errors"))->trigger();
  waitFor([window] { return window->jobs()->count() == 0; }, 300);
  const auto settled = [&] { return !errors->review()->empty() && window->jobs()->count() == 0; };
  if (errors->review()->empty()) {
    FATHOM_CHECK(camera.take(QStringLiteral("errors_empty")));
    errors->openSample();
    waitFor(settled);
  }
  if (errors->review()->empty()) return unavailableError("the predictions could not be opened");
  errors->review()->choose(errors->review()->models() - 1, 0, nullptr);
  for (int i = 0; i < 3; ++i) errors->goWrong(1);
  waitFor(settled, 600);
  FATHOM_CHECK(camera.take(QStringLiteral("errors")));
  for (const QString& figure : errors->comparison()->figureIds()) {
    errors->showComparison();
    errors->comparison()->showFigure(figure);
    waitFor(settled, 300);
    FATHOM_CHECK(camera.take(QStringLiteral("errors_") + figure));
  }
  errors->showOpenPage();
  waitFor(settled, 100);
  FATHOM_CHECK(camera.take(QStringLiteral("errors_open")));
  errors->showReview();
  return {};
}

Status takeErrors(WindowHost& host, const ScreenshotOptions& options, const QString& ownProject,
                  Photographer& camera) {
  const auto known = options.project.isEmpty() ? Result<std::optional<StoredReview>>(std::nullopt)
                                               : rememberedReview(toUtf8(options.project));
  QString project = options.project;
  if (!known.ok() || !known->has_value()) {
    project = ownProject;
    const auto made = ProjectLibrary::openOrCreate(toUtf8(project));
    if (!made.ok()) return made.error();
  }
  MainWindow* window = host.openWindow(project);
  window->resize(options.size);
  waitFor([&] { return window->service()->isOpen() && window->jobs()->count() == 0; }, 300);
  camera.lookAt(window);
  return takeErrors(window, camera);
}

// Figures of runs that the project has the data of, in a project of its own that only links the runs.
std::vector<FigureRecipe> drawableFigures(const std::string& project) {
  constexpr std::size_t kMost = 4;
  std::vector<FigureRecipe> drawable;
  const auto builder = FigureBuilder::open(project);
  const auto shelf = readFigureShelf(project);
  if (!builder.ok() || !shelf.ok()) return drawable;
  for (const FigureEntry& entry : figures()) {
    if (!entry.build || drawable.size() == kMost) continue;
    FigureRecipe recipe;
    recipe.figure = entry.id;
    Progress progress;
    for (const FigureShelf::Run& run : shelf->runs) {
      recipe.runs.push_back(run.uuid);
      if (!(*builder)->build(recipe, progress, {}).ok()) recipe.runs.pop_back();
    }
    if (!recipe.runs.empty()) drawable.push_back(recipe);
  }
  return drawable;
}

// The Figures workspace: empty, and a page of figures of the project's runs.
Status takeFigures(WindowHost& host, const ScreenshotOptions& options, const QString& ownProject,
                   Photographer& camera) {
  FATHOM_TRY(const auto library, ProjectLibrary::openOrCreate(toUtf8(ownProject)));
  if (!options.project.isEmpty()) {
    FATHOM_TRY(const auto source, ProjectLibrary::open(toUtf8(options.project)));
    FATHOM_TRY(const auto rows, listRuns(*source));
    for (const RunRow& row : rows)
      if (row.state != RunState::Lost) FATHOM_CHECK(library->linkRun(row.path));
  }
  const std::vector<FigureRecipe> drawable = drawableFigures(toUtf8(ownProject));
  for (FigureRecipe recipe : drawable) {
    recipe.name = recipe.figure;
    recipe.style = "acl";
    FATHOM_CHECK(saveFigureRecipe(*library, recipe));
  }
  MainWindow* window = host.openWindow(ownProject);
  window->resize(options.size);
  waitFor([&] { return window->service()->isOpen() && window->jobs()->count() == 0; }, 300);
  camera.lookAt(window);
  FiguresWorkspace* workspace = window->figures();
  window->action(QStringLiteral("view.figures"))->trigger();
  const auto settled = [&] { return workspace->settled() && window->jobs()->count() == 0; };
  waitFor(settled, 300);
  FATHOM_CHECK(camera.take(QStringLiteral("figures_empty")));
  workspace->newComposition();
  for (const FigureRecipe& recipe : drawable) workspace->addRecipe(recipe);
  workspace->selectPanel(0);
  waitFor(settled, 300);
  FATHOM_CHECK(camera.take(QStringLiteral("figures")));
  workspace->setGray(true);
  FATHOM_CHECK(camera.take(QStringLiteral("figures_gray")));
  workspace->setGray(false);
  waitFor(settled);
  return {};
}

}  // namespace

Result<QStringList> takeScreenshots(const ScreenshotOptions& options, Progress& progress,
                                    const StopToken& stop) {
  QTemporaryDir state;
  if (!QDir().mkpath(options.folder))
    return diskError("the folder " + toUtf8(options.folder) + " cannot be made");
  const QFont font = QApplication::font();
  QFont scaled = font;
  scaled.setPointSizeF(font.pointSizeF() * options.textScale);
  QApplication::setFont(scaled);
  QStringList files;
  Status status;
  progress.begin("taking pictures", "looks", std::size(kLooks));
  int done = 0;
  for (const Look& look : kLooks) {
    if (stop.stopRequested()) status = interruptedError();
    if (!status.ok()) break;
    WindowHost host(state.filePath(QStringLiteral("session.json")));
    host.session()->setText(session::kLanguage, QString::fromLatin1(look.language));
    host.session()->setText(session::kTheme, QString::fromLatin1(look.theme));
    host.appearance()->setLanguage(QString::fromLatin1(look.language));
    host.appearance()->setTheme(QString::fromLatin1(look.theme));
    MainWindow* window = host.openWindow(options.project);
    window->resize(options.size);
    bool opened = options.project.isEmpty();
    QObject::connect(window->service(), &ProjectService::changed, window, [&opened] { opened = true; });
    waitFor([&] { return opened && window->jobs()->count() == 0; }, 300);
    Photographer camera(window, options, look.suffix);
    status = takeViews(window, camera);
    if (status.ok() && !options.project.isEmpty()) status = takeAttention(window, camera);
    if (status.ok())
      status = takeErrors(
          host, options, state.filePath(QStringLiteral("%1.fathom").arg(QLatin1String(look.suffix))), camera);
    if (status.ok())
      status = takeFigures(
          host, options, state.filePath(QStringLiteral("%1_figures.fathom").arg(QLatin1String(look.suffix))),
          camera);
    files += camera.files();
    progress.report(++done);
  }
  QApplication::setFont(font);
  if (!status.ok()) return status.error();
  progress.finish();
  return files;
}

}  // namespace fathom
