// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/figures/figure_thumbnails.h"

#include <QTimer>
#include <algorithm>

#include "app/window/figures/built_figures.h"
#include "views/figure/figure_picture.h"
#include "views/figures/composition_page.h"
#include "views/figures/own_texts.h"
#include "views/look/engine_text.h"
#include "views/panels/figures/figure_list_panel.h"

namespace fathom {

namespace {

// One entry of the list may be drawn like another, and may get another look or other words.
QString pictureKey(const FigureRecipe& recipe) {
  return fromUtf8(recipe.uuid + recipeKey(recipe) + recipe.style + recipe.texts.toJson().dump());
}

}  // namespace

QString FigureThumbnails::owner() {
  return QStringLiteral("figures pictures");
}

void FigureThumbnails::draw(const std::vector<FigureRecipe>& recipes) {
  m_waiting.clear();
  std::copy_if(recipes.begin(), recipes.end(), std::back_inserter(m_waiting),
               [this](const FigureRecipe& recipe) { return !m_drawn.contains(pictureKey(recipe)); });
  m_figures->read(m_waiting, tr("Drawing the list of figures"), owner(),
                  [this](const Status&) { drawNext(); });
}

void FigureThumbnails::clear() {
  m_waiting.clear();
  m_drawn.clear();
}

void FigureThumbnails::drawNext() {
  if (m_waiting.empty()) return;
  const FigureRecipe recipe = m_waiting.back();
  m_waiting.pop_back();
  const FigureSpec* figure = m_figures->figure(recipe);
  const auto style = figureStyle(fromUtf8(recipe.style));
  if (figure != nullptr && style.ok()) {
    m_list->setPicture(fromUtf8(recipe.uuid),
                       figureThumbnail(withOwnTexts(*figure, recipe.texts), *style, kSize));
    m_drawn.insert(pictureKey(recipe));
  }
  QTimer::singleShot(0, this, &FigureThumbnails::drawNext);
}

}  // namespace fathom
