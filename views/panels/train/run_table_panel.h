// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QHash>
#include <QItemSelection>
#include <QSet>
#include <QTimer>
#include <QWidget>

#include "views/look/qt_names.h"

namespace fathom {

class EmptyState;
class EyeControls;
class FrozenColumns;
class FoldControls;
class GroupBar;
class RunFilterModel;
class RunFoldModel;
class RunTableModel;

// The run table with its filter box and column chooser. Eye, star and name stay in sight while the others are
// scrolled. Columns nobody has sized are as wide as their text needs; as many of those that nobody has chosen
// are shown as there is room for, the most telling first; the name gives way before one of them goes. Which
// runs are selected is told by selectionChanged; what can be done with them comes from outside as actions
// (context menu).
class RunTablePanel : public QWidget {
  Q_OBJECT
 public:
  // `model` is borrowed.
  explicit RunTablePanel(RunTableModel* model, QWidget* parent = nullptr);
  // In the order shown, then those whose row is folded away.
  QStringList selectedRuns() const;
  QString currentRun() const;
  // Selects these runs as far as they are shown, and opens groups that are not selected as a whole, without
  // selectionChanged. `current` empty: the first.
  void selectRuns(const QStringList& uuids, const QString& current = {});
  // Context menu and the actions of the empty state ("New run").
  void setActions(const QList<QAction*>& context, const QList<QAction*>& whenEmpty);
  void setEmptyText(const QString& text);
  QTableView* table() const { return m_table; }
  GroupBar* groupBar() const { return m_groups; }
  QLineEdit* filterBox() const { return m_filterBox; }
  // Pixels in which all runs, filtered or not, need no scrolling; of a few there is room for some more.
  int naturalHeight() const;

  // Columns, widths, order and sort as JSON text for the session; restoreLayout ignores what it does not
  // know.
  // A table nobody has arranged: the scores that matter, the first beside the state.
  void chooseMetrics(const QStringList& metrics);
  QByteArray saveLayout() const;
  void restoreLayout(const QByteArray& json);

 Q_SIGNALS:
  void selectionChanged();
  // Enter or double click on a run.
  void activated(const QString& uuid);
  void layoutChanged();
  void naturalHeightChanged();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void applyFilter(const QString& text);
  void fillColumnMenu();
  void addFoldChoice();
  QStringList differingOptions() const;
  bool showsDiffering() const;
  void showDiffering(bool shown);
  void addChoice(QMenu* menu, const QString& column, const QString& title, bool shown);
  void toggleColumn(const QString& id, bool shown);
  void showColumns(const QStringList& metrics, const QStringList& options);
  void updateStack();
  void watchRegrouping();
  void keepSelection();
  void reselect();
  QSet<QString> takeRows(const QSet<QString>& runs, QItemSelection& selection);
  void takeCurrent();
  void focusRow(const QModelIndex& row);
  void connectTable();
  void connectHeader();
  void sizeColumns();
  void makeRoom();
  void keepNameFirst();
  void showFirstColumn();
  QVector<int> byImportance() const;
  bool isWanted(int column, int used, int width) const;
  int contentWidth(int column) const;
  int usualWidth(int column) const;
  int leastNameWidth() const;
  int longestName() const;
  int wholeNameWidth() const;
  void copySelection() const;
  QModelIndex shownIndex(const QString& uuid, const QSet<QString>& chosen);
  int columnOf(const QString& id) const;
  RunTableModel* m_model;
  RunFilterModel* m_filter;
  RunFoldModel* m_rows;
  QLineEdit* m_filterBox;
  QLabel* m_problem;
  QLabel* m_count;
  QToolButton* m_columns;
  QMenu* m_columnMenu;
  QStackedWidget* m_stack;
  QTableView* m_table;
  EmptyState* m_empty;
  EmptyState* m_nothingMatches;
  QAction* m_clearFilter;
  QList<QAction*> m_context;
  bool m_selecting = false;  // a selection from outside is being taken over
  // Of a selection by runs while rows come and go.
  struct Kept {
    int depth = 0;  // signals that are still to be answered
    bool selecting = false;
    QStringList runs;
    QSet<QString> groups;  // runs of the groups that were selected by their own row
    QString current;
    bool currentIsGroup = false;
  } m_kept;
  QStringList m_away;     // selected, but folded away: no row shows it
  QString m_awayCurrent;  // the current run, where the row of its group stands for it
  bool m_sizing = false;  // columns are being sized by us, not by a person
  QSet<QString> m_sized;  // ids of columns that a person has sized
  // Ids of columns that a person has asked for, or taken away.
  QHash<QString, bool> m_wanted;
  QStringList m_standard;  // metrics that stand there by themselves
  EyeControls* m_eyes;
  FoldControls* m_folds;
  GroupBar* m_groups;
  QToolButton* m_options;
  FrozenColumns* m_frozen = nullptr;
  QTimer m_fit;
  QTimer m_ages;  // cells that say how long ago something was are true for a second
};

}  // namespace fathom
