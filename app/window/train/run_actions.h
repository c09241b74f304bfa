// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QHash>
#include <QObject>
#include <QVector>
#include <functional>

#include "core/library/records/project_library.h"
#include "views/look/qt_names.h"
#include "views/tables/run_item.h"

namespace fathom {

class MessageBar;
class ProjectService;
struct ControlledRun;
struct PlaceView;

// Actions on the selected runs, for menu, context menu, toolbar and palette. An action
// is enabled only where it does something. Edits of annotations and deletions are undoable.
class RunActions : public QObject {
  Q_OBJECT
 public:
  RunActions(ProjectService* service, MessageBar* messages, QUndoStack* undo, QWidget* window);
  // The runs the actions are about; the first is the current one.
  void setSelection(const QVector<RunItem>& runs);
  QAction* action(const QString& id) const { return m_actions.value(id); }
  // Where runs can be tried again.
  void setPlaces(const QVector<PlaceView>& places);
  // In menu order; null = separator.
  const QVector<QAction*>& ordered() const { return m_ordered; }

  // Annotation edits that come from elsewhere (table, details panel).
  void rename(const RunItem& run, const QString& name);
  void setStar(const RunItem& run, bool star);
  void setTags(const RunItem& run, const QStringList& tags);
  void setNote(const RunItem& run, const QString& note);

  // Takes the runs that wait out of the queue.
  void withdraw(const QVector<RunItem>& runs);

 Q_SIGNALS:
  void cloneRequested(const fathom::RunItem& run);
  void compareRequested();
  void editTagsRequested();
  void editNotesRequested();
  void renameRequested(const QString& uuid);
  void archiveRequested(const QVector<fathom::RunItem>& runs);
  void predictionsRequested(const fathom::RunItem& run);
  // The command that trained the run, for another one.
  void scriptRequested(const fathom::RunItem& run);

 private:
  QAction* add(const char* id, const QString& text, const QString& iconName, const QString& tip,
               const std::function<void()>& act);
  void addColours();
  void addRetryAt();
  void giveReason(const char* id, const QString& reason);
  void giveReasons();
  void askColour(const RunItem& first);
  void edit(const RunItem& run, const RunNotes& notes, const QString& what);
  void stop();
  void unfollow();
  void control(void (ProjectService::*what)(const ControlledRun&));
  void resume();
  void retry(const QString& place = {});
  void trash();
  void offerUndo(const QString& told);
  void reveal();
  void toggleStar();
  void copyNames();
  void setColour(const QString& name);
  bool any(bool (*test)(const RunItem&)) const;
  ProjectService* m_service;
  MessageBar* m_messages;
  QUndoStack* m_undo;
  QWidget* m_window;
  QHash<QString, QAction*> m_actions;
  QHash<QAction*, QString> m_tips;  // as they are where nothing is greyed
  QVector<QAction*> m_ordered;
  QVector<RunItem> m_selection;
  bool m_commanded = false;  // it is one run, of a command that can be started again
  QMenu* m_colours = nullptr;
  QMenu* m_retryAt = nullptr;
};

// The annotations of a run as the library keeps them.
RunNotes runNotesOf(const RunItem& run);

}  // namespace fathom
