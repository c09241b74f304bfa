// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QStringList>
#include <optional>
#include <vector>

#include "app/recipes/figure_builder.h"
#include "app/window/figures/page_store.h"

namespace fathom {

// The pages of a project, the open one and its chosen panel, as a person edits them: each edit is stored and
// can be undone. Knows no widget; where nothing may be changed, or no page is open, edits do nothing.
class PageEditor : public QObject {
  Q_OBJECT
 public:
  using Page = PageStore::Page;
  // `store` is borrowed.
  explicit PageEditor(PageStore* store) : m_store(store) {}

  const FigureShelf& shelf() const { return m_shelf; }
  const FigureComposition* page() const { return m_open ? &*m_open : nullptr; }
  // Index of the chosen panel; -1: none is.
  int selected() const { return m_selected; }
  // Null: none is chosen.
  const CompositionPanel* selectedPanel() const;
  bool canBeChanged() const { return !m_shelf.readOnly; }

  // Takes what was read from the project; a person's edits in the meantime are newer and stay.
  void setShelf(FigureShelf shelf);
  void clear();
  bool open(const QString& uuid);
  void create();
  void duplicate();
  void remove();
  void add(FigureRecipe recipe);
  // The same to a place of its own; one that is there goes to the first free one.
  void put(FigureRecipe recipe, PanelPlace place);
  void select(int index);
  void moveSelected(int rows, int columns);
  void removeSelected();
  // All panels one beside the other in so many columns, in reading order, each one cell large.
  void arrange(int columns);
  // Panels of runs show these.
  void setRuns(const QStringList& uuids);
  // The runs of the chosen panel for all panels of runs.
  void spreadRuns();
  bool canSpreadRuns() const;
  // All rows equally high; and sizes of rows, columns and page as the figures need.
  void setEqualRows();
  void forgetSizes();
  bool hasSizes() const;
  // `what` names the kind of edit: edits of one kind in a row are one stretch.
  void apply(const Page& next, const QString& what = {});
  // A change that belongs to the last edit, or to none: stored, and no step of its own.
  void amend(const FigureComposition& next);
  void replace(const FigureComposition& next);
  void undo();
  void redo();
  // The panel that was just added, once; -1: none.
  int takeFresh();

 Q_SIGNALS:
  void shown();         // another page, or another state of it
  void panelChosen();   // another panel of the same page
  void pagesChanged();  // names, numbers of panels, pages that come and go
  void refused(const QString& why);

 private:
  // A page before and after; none = it was not there.
  struct Step {
    Page before, after;
    QString what;
  };
  bool goesOn(const Page& next, const QString& what) const;
  QString freeName(const QString& wanted) const;
  void store(const Page& before, const Page& after);
  void show(const Page& before, const Page& after);
  PageStore* m_store;
  FigureShelf m_shelf;
  Page m_open;
  int m_selected = -1;
  int m_fresh = -1;
  std::vector<Step> m_steps;
  std::size_t m_done = 0;
  QElapsedTimer m_lastStep;
};

}  // namespace fathom
