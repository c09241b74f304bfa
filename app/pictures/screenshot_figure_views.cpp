// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of Figures: pages of the project's figures, and what a hand does on one.
#include <QCoreApplication>
#include <QKeyEvent>
#include <QMouseEvent>

#include "app/pictures/screenshot_stage.h"
#include "app/recipes/figure_builder.h"
#include "app/window/figures/figures_workspace.h"
#include "app/window/main/main_window.h"
#include "views/look/engine_text.h"
#include "views/panels/figures/page_view.h"
#include "views/panels/figures/text_in_place.h"

namespace fathom {

namespace {

using Scene = ScreenshotStage::Scene;

constexpr std::size_t kMostFigures = 4;

// Figures of runs that the project has the data of.
std::vector<FigureRecipe> drawableFigures(const std::string& project) {
  std::vector<FigureRecipe> drawable;
  const auto builder = FigureBuilder::open(project);
  const auto shelf = readFigureShelf(project);
  if (!builder.ok() || !shelf.ok()) return drawable;
  for (const FigureEntry& entry : figures()) {
    if (!entry.build || drawable.size() == kMostFigures) continue;
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

FiguresWorkspace* showFigures(MainWindow& window) {
  window.action(QStringLiteral("view.figures"))->trigger();
  FiguresWorkspace* workspace = window.figures();
  ScreenshotStage::waitFor([&] { return workspace->settled() && window.jobs()->count() == 0; }, 300);
  return workspace;
}

// A page of what can be drawn, with the figures stored too.
Result<FiguresWorkspace*> showPage(MainWindow& window) {
  FiguresWorkspace* workspace = showFigures(window);
  if (workspace->composition() != nullptr && !workspace->composition()->panels.empty()) return workspace;
  const std::string project = toUtf8(window.service()->path());
  const std::vector<FigureRecipe> drawable = drawableFigures(project);
  if (drawable.empty()) return unavailableError("no figure of the project's runs can be drawn");
  FATHOM_TRY(const auto library, ProjectLibrary::open(project));
  for (FigureRecipe recipe : drawable) {
    recipe.name = recipe.figure;
    recipe.style = "acl";
    FATHOM_CHECK(saveFigureRecipe(*library, recipe));
  }
  workspace->editor()->create();
  for (const FigureRecipe& recipe : drawable) workspace->editor()->add(recipe);
  workspace->editor()->select(0);
  workspace->activate();
  return showFigures(window);
}

// The mouse on the page: pressed at one place, moved to another and held there.
void holdOnPage(PageView* page, const QPointF& from, const QPointF& to) {
  QWidget* view = page->viewport();
  const auto send = [view](QEvent::Type type, const QPointF& at, Qt::MouseButton button) {
    QMouseEvent event(type, at, view->mapToGlobal(at), button, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(view, &event);
  };
  send(QEvent::MouseButtonPress, from, Qt::LeftButton);
  send(QEvent::MouseMove, (from + to) / 2, Qt::NoButton);
  send(QEvent::MouseMove, to, Qt::NoButton);
}

// The whole page in view.
Result<PageView*> showWholePage(MainWindow& window) {
  FATHOM_TRY(FiguresWorkspace * workspace, showPage(window));
  workspace->page()->setZoom(0);
  return workspace->page();
}

// Esc leaves everything as it was.
void leavePage(PageView* page, QWidget* typedInto) {
  QKeyEvent escape(QEvent::KeyPress, Qt::Key_Escape, Qt::NoModifier);
  QCoreApplication::sendEvent(typedInto, &escape);
  page->setZoom(1);
}

// Drags and edits on a page, caught in the middle.
QList<ScreenshotView> handViews() {
  return {
      singleView("figures_drag", Scene::Pages, {"DropTarget"},
                 [](MainWindow& window) -> Result<ShownView> {
                   FATHOM_TRY(PageView * page, showWholePage(window));
                   holdOnPage(page, page->figureBox(0).center(), page->figureBox(1).center());
                   return wholeWindow(window, [page] { leavePage(page, page); });
                 }),
      singleView("figures_divider", Scene::Pages, {"DividerLine"},
                 [](MainWindow& window) -> Result<ShownView> {
                   FATHOM_TRY(PageView * page, showWholePage(window));
                   const QPointF border(page->figureBox(0).center().x(), page->figureBox(0).bottom());
                   holdOnPage(page, border, border + QPointF(0, 20));
                   return wholeWindow(window, [page] { leavePage(page, page); });
                 }),
      singleView("figures_text", Scene::Pages, {"TextInPlace"},
                 [](MainWindow& window) -> Result<ShownView> {
                   FATHOM_TRY(PageView * page, showWholePage(window));
                   window.action(QStringLiteral("figures.edit_text"))->trigger();
                   return wholeWindow(window, [page] { leavePage(page, page->findChild<TextInPlace*>()); });
                 }),
  };
}

QList<ScreenshotView> figuresViews() {
  const QStringList parts = {"FigureListPanel", "PageView",    "CheckStrip",
                             "CompositionForm", "StyleChoice", "TrackSharesField"};
  return {
      singleView("figures_empty", Scene::Fresh, {"FigureListPanel", "EmptyState"},
                 [](MainWindow& window) {
                   showFigures(window);
                   return wholeWindow(window);
                 }),
      singleView("figures_blank", Scene::Fresh, {"FigureListPanel", "EmptyState", "CompositionForm"},
                 [](MainWindow& window) {
                   FiguresWorkspace* workspace = showFigures(window);
                   workspace->editor()->create();
                   showFigures(window);
                   return wholeWindow(window, [workspace] { workspace->editor()->remove(); });
                 }),
      singleView("figures", Scene::Pages, parts,
                 [](MainWindow& window) -> Result<ShownView> {
                   FATHOM_CHECK(showPage(window));
                   return wholeWindow(window);
                 }),
      singleView("figures_gray", Scene::Pages, parts,
                 [](MainWindow& window) -> Result<ShownView> {
                   FATHOM_TRY(FiguresWorkspace * workspace, showPage(window));
                   workspace->setGray(true);
                   return wholeWindow(window, [workspace] { workspace->setGray(false); });
                 }),
      singleView("figures_problem", Scene::Pages, parts,
                 [](MainWindow& window) -> Result<ShownView> {
                   FATHOM_TRY(FiguresWorkspace * workspace, showPage(window));
                   FigureRecipe missing;
                   missing.figure = "beta_dependency";
                   missing.runs = {"00000000"};
                   missing.runNames = {{"00000000", "post-ln, 12 layers"}};
                   workspace->editor()->add(missing);
                   showFigures(window);
                   return wholeWindow(window, [workspace, &window] {
                     workspace->editor()->removeSelected();
                     showFigures(window);
                   });
                 }),
  };
}

}  // namespace

QList<ScreenshotView> figureScreenshotViews() {
  return figuresViews() + handViews();
}

}  // namespace fathom
