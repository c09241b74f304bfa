// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <functional>
#include <optional>

#include "core/library/figures/figure_composition.h"
#include "views/panels/figures/figure_list_panel.h"
#include "views/panels/figures/page_grid.h"

namespace fathom {

class DropTarget;
class FiguresPanes;
class PageDividers;
class PageEditor;

// What a hand does on a page: panels and figures of the list are dragged to a place of the grid, which is
// shown with what happens there, and borders of rows and columns are moved. Each drag is one step of undo.
class PanelDrag : public QObject {
  Q_OBJECT
 public:
  using RecipeOf = std::function<std::optional<FigureRecipe>(const FigureListPanel::Entry&)>;
  // Both are borrowed. `recipeOf`: of an entry of the list; none for what is no figure.
  PanelDrag(PageEditor* editor, FiguresPanes* panes, RecipeOf recipeOf);
  // Whether anything may be changed; with the project.
  void setReadOnly(bool readOnly);

 Q_SIGNALS:
  // A place that cannot be had.
  void placeRefused();

 private:
  // A panel of the page (its index), or a figure of the list.
  struct Dragged {
    int panel = -1;
    std::optional<FigureRecipe> recipe;
  };
  bool mayTake(const QPoint& position) const;
  void takePanel(const QPoint& position);
  void takeEntry(const QPoint& position);
  void follow(const QPoint& global);
  void drop(const QPoint& global);
  void finish();
  // The place below the pointer; none beside the page.
  std::optional<PageCell> cellBelow(const QPoint& global) const;
  QString wordFor(const PageCell& cell) const;
  void showTarget(const std::optional<PageCell>& cell) const;
  void resize(bool columns, const std::vector<double>& sizesMm);
  PageEditor* m_editor;
  FiguresPanes* m_panes;
  RecipeOf m_recipeOf;
  DropTarget* m_target;
  PageDividers* m_dividers;
  Dragged m_dragged;
};

}  // namespace fathom
