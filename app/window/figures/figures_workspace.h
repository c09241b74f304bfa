// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QHash>
#include <QSet>
#include <QTimer>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "app/recipes/figure_builder.h"
#include "app/window/workspace.h"
#include "views/look/qt_names.h"
#include "views/panels/figures/figure_list_panel.h"

namespace fathom {

class CheckStrip;
class CompositionForm;
class EmptyState;
class FileChoice;
class FiguresActions;
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
  ~FiguresWorkspace() override;

  QWidget* widget() const override;
  // Looks again at what the project has.
  void activate() override;
  void reset() override;
  void refreshActions() override;
  // Null: none is open.
  const FigureComposition* composition() const { return m_open ? &*m_open : nullptr; }
  bool canBeChanged() const { return !m_shelf.readOnly; }
  bool somethingChosen() const;
  PageView* page() const { return m_page; }
  CompositionForm* form() const { return m_form; }
  FigureListPanel* list() const { return m_list; }
  // True if nothing is being read or drawn and everything is stored.
  bool settled() const;

  void newComposition();
  void duplicateComposition();
  void removeComposition();
  void openComposition(const QString& uuid);
  void addChosen();
  void addRecipe(FigureRecipe recipe);
  // A page of its own for it, once it is known what the project has.
  void composeOf(FigureRecipe recipe);
  void selectPanel(int index);
  void moveSelected(int rows, int columns);
  void removeSelected();
  void useSelectedRuns();
  // Panels of runs show these.
  void takeRuns(const QStringList& uuids) override;
  void regenerate();
  void setGray(bool gray);
  void copyPage();
  // Asks for a file name where it is empty.
  void exportPage(QString file = {});
  void showHelp();
  bool undo() override;
  bool redo() override;
  bool focusFilter() override;
  QList<QWidget*> places() const override;
  void keep() override;
  QByteArray saveView() const override;
  void restoreView(const QByteArray& view) override;

 Q_SIGNALS:
  void changed();

 private:
  using Wanted = std::optional<FigureComposition>;
  // One edit: a composition before and after; none = it was not there.
  struct Step {
    Wanted before, after;
    QString what;
  };
  void bindActions();
  void makePanels();
  QWidget* makePage();
  void connectPanels();
  void readShelf();
  void takeShelf(FigureShelf shelf);
  void fillList();
  void nameRuns();
  bool giveRowOfItsOwn(const std::vector<FigureSpec>& specs);
  void activateEntry(const FigureListPanel::Entry& entry);
  // An edit by a person: shown, stored, undoable.
  void apply(Wanted next, const QString& what = {});
  void show(const Wanted& before, const Wanted& after);
  void store(const Wanted& before, const Wanted& after);
  void writePending();
  void build();
  std::optional<std::vector<FigureSpec>> shownSpecs() const;
  bool allPinned() const;
  void pinPanels();
  void draw();
  void showProblem();
  void showChecks();
  void computeMissing();
  void readThumbnails();
  void nextThumbnail();
  FigureRecipe recipeOfKind(const QString& figure) const;
  QString freeName(const QString& wanted) const;
  ProjectService* m_service;
  JobCenter* m_jobs;
  MessageBar* m_messages;
  FileChoice* m_files;
  SelectionModel* m_selection;
  const RunTableModel* m_runs;
  FiguresActions* m_actions;
  QWidget* m_window;
  QSplitter* m_columns;  // list | page | recipe
  FigureListPanel* m_list;
  QStackedWidget* m_pages;  // nothing | page
  EmptyState* m_empty;
  EmptyState* m_blank;  // a page without figures
  PageView* m_page;
  QComboBox* m_zoom;
  CheckStrip* m_checks;
  CompositionForm* m_form;
  FigureShelf m_shelf;
  Wanted m_open;
  int m_selected = -1;
  // A figure as it was built, and the stored results that it was made of.
  struct Built {
    Result<FigureSpec> spec;
    FigurePins pins;
    std::optional<MissingResult> missing = {};  // what keeps it from being drawn
  };
  static QString whyEmpty(const Built& built);
  std::map<std::string, Built> m_built;  // by recipeKey
  std::set<std::string> m_unpinned;      // keys of panels stored without pins: they show what is newest
  std::vector<Step> m_steps;
  std::size_t m_done = 0;
  QElapsedTimer m_lastStep;
  QHash<QString, std::optional<FigureComposition>> m_pending;  // to be written, by UUID
  bool m_writing = false, m_reading = false, m_building = false, m_shelfRead = false;
  QTimer m_wait;
  std::vector<FigureRecipe> m_thumbnails;  // still to be drawn
  QSet<QString> m_pictured;                // by recipeKey
  std::optional<FigureRecipe> m_offered;   // to be put on a new page when the shelf is read
  int m_fresh = -1;                        // panel that was just added: it may need a row of its own
  QString m_place;                         // the composition of the last session
};

}  // namespace fathom
