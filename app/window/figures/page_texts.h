// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "views/figure/figure_words.h"

namespace fathom {

class BuiltFigures;
class PageEditor;
class PageView;
class PageWords;
struct FigureComposition;

// Texts of a page in words of a person's: they are typed where they stand and kept in the recipe of their
// figure. Each is one step of undo.
class PageTexts : public QObject {
  Q_OBJECT
 public:
  // All are borrowed.
  PageTexts(PageEditor* editor, const BuiltFigures* figures, PageView* view);
  void setReadOnly(bool readOnly);
  // The first text of the selected figure.
  void editFirst();

 private:
  void open(const WordPlace& place);
  void take(const WordPlace& place, const QString& text);
  // The text as the figure itself has it, as markup.
  std::string figuresOwn(const WordPlace& place) const;
  // The title of a panel, where its place is the figure's first one.
  bool isPanelTitle(const WordPlace& place) const;
  PageEditor* m_editor;
  const BuiltFigures* m_figures;
  PageView* m_view;
  PageWords* m_words;
  std::string m_page;  // on which a text is being edited
};

// The page with a text of one of its figures said otherwise; an empty one takes the figure's own words back.
// `was`: those. A shared axis is said otherwise in every figure that has it.
FigureComposition withText(const FigureComposition& page, std::size_t figure, TextRole role,
                           const std::string& was, const std::string& is);

}  // namespace fathom
