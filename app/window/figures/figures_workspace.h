// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "app/window/figures/built_figures.h"
#include "app/window/figures/figure_thumbnails.h"
#include "app/window/figures/page_drawing.h"
#include "app/window/figures/page_editor.h"
#include "app/window/figures/page_looks.h"
#include "app/window/figures/page_output.h"
#include "app/window/figures/page_store.h"
#include "app/window/figures/page_texts.h"
#include "app/window/figures/panel_drag.h"
#include "app/window/workspace.h"
#include "views/look/qt_names.h"
#include "views/panels/figures/figure_list_panel.h"

namespace fathom {

class CompositionForm;
class FileChoice;
class FiguresActions;
class FiguresPanes;
class JobCenter;
class MessageBar;
class PageView;
class ProjectService;
class RunTableModel;
class SelectionModel;

// The Figures workspace: pages of several figures, composed, regenerated and exported. Every edit can be
// undone and is kept in the project by itself; data are read in jobs. The window puts `widget` into its
// centre.
class FiguresWorkspace : public Workspace {
  Q_OBJECT
 public:
  // All are borrowed; `window` owns the widgets.
  FiguresWorkspace(ProjectService* service, JobCenter* jobs, MessageBar* messages, FileChoice* files,
                   SelectionModel* selection, const RunTableModel* runs, FiguresActions* actions,
                   QWidget* window);

  QWidget* widget() const override;
  // Looks again at what the project has.
  void activate() override;
  void reset() override;
  void refreshActions() override;
  // Null: none is open.
  const FigureComposition* composition() const { return m_editor.page(); }
  // Its pages, as somebody edits them.
  PageEditor* editor() { return &m_editor; }
  PageView* page() const;
  CompositionForm* form() const;
  FigureListPanel* list() const;
  // True if nothing is being read or drawn and everything is stored.
  bool settled() const;

  // The current entry of the list goes onto the page.
  void addChosen();
  // A page of its own for it, once it is known what the project has.
  void composeOf(FigureRecipe recipe);
  // Panels of runs show these.
  void takeRuns(const QStringList& uuids) override;
  void setGray(bool gray);
  // Asks for a file name where it is empty.
  void exportPage(const QString& file = {});
  bool undo() override;
  bool redo() override;
  bool focusFilter() override;
  QList<QWidget*> places() const override;
  void keep() override;
  QByteArray saveView() const override;
  void restoreView(const QByteArray& view) override;

 private:
  bool canBeEdited() const;
  void bindActions();
  void connectPanels();
  void readShelf();
  void takeShelf(FigureShelf shelf);
  void fillList();
  void nameRuns();
  void activateEntry(const FigureListPanel::Entry& entry);
  void removeComposition();
  void useSelectedRuns();
  void regenerate();
  void showHelp();
  void showPage();
  void showPanel();
  // How an entry of the list is drawn when it comes onto the page; none for a page.
  std::optional<FigureRecipe> recipeOf(const FigureListPanel::Entry& entry) const;
  ProjectService* m_service;
  JobCenter* m_jobs;
  MessageBar* m_messages;
  SelectionModel* m_selection;
  const RunTableModel* m_runs;
  FiguresActions* m_actions;
  QWidget* m_window;
  FiguresPanes* m_panes;
  BuiltFigures m_figures;
  PageStore m_store;
  PageEditor m_editor;
  PageOutput m_output;
  PageDrawing m_drawing;
  PanelDrag m_drag;
  PageTexts m_texts;
  PageLooks m_looks;
  FigureThumbnails m_thumbnails;
  bool m_reading = false, m_shelfRead = false;
  std::optional<FigureRecipe> m_offered;  // to be put on a new page when the shelf is read
  QString m_place;                        // the composition of the last session
};

}  // namespace fathom
