// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QSet>
#include <QSize>
#include <vector>

#include "core/library/figures/figure_recipe.h"

namespace fathom {

class BuiltFigures;
class FigureListPanel;

// Small pictures of the stored figures in the list, each drawn in a turn of the event loop of its own.
class FigureThumbnails : public QObject {
  Q_OBJECT
 public:
  static constexpr QSize kSize{224, 160};
  // Jobs that read their data belong to this owner.
  static QString owner();
  // Both are borrowed.
  FigureThumbnails(BuiltFigures* figures, FigureListPanel* list) : m_figures(figures), m_list(list) {}

  // Draws those that have no picture yet; their data are read in one job, so that predictions are opened
  // once.
  void draw(const std::vector<FigureRecipe>& recipes);
  void clear();
  // The next draw() draws all of them anew.
  void forget() { m_drawn.clear(); }
  bool isIdle() const { return m_waiting.empty(); }

 private:
  void drawNext();
  BuiltFigures* m_figures;
  FigureListPanel* m_list;
  std::vector<FigureRecipe> m_waiting;
  QSet<QString> m_drawn;  // by the recipe's UUID and what is drawn of it
};

}  // namespace fathom
