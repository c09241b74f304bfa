// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QPointer>
#include <QTimer>
#include <functional>
#include <optional>
#include <vector>

#include "app/runner/places/place_overview.h"
#include "app/window/jobs/job_center.h"
#include "views/look/qt_names.h"

namespace fathom {

class PlaceAsker;
class PlaceFormDialog;

// The places of a project and its user: launcher, host, state, when each was heard, runs, free disk, the last
// trouble; what a look found and what was said, of the chosen one. Checks, prepares, measures, adds, edits
// and removes them. What files tell is read anew every second; a place is asked by a job of the window, which
// can be cancelled; what ssh asks meanwhile is asked in dialogs. Not modal. GUI thread.
class PlacesDialog : public QDialog {
  Q_OBJECT
 public:
  // All are borrowed. A project that cannot be written to is only looked at.
  struct Parts {
    QString project;
    bool readOnly = false;
    QPointer<JobCenter> jobs;  // of a window that goes it goes before its dialogs
  };
  PlacesDialog(const Parts& parts, QWidget* window);
  ~PlacesDialog() override;

  QTreeWidget* list() const { return m_list; }
  QTreeWidget* findings() const { return m_findings; }
  QTreeWidget* journal() const { return m_journal; }
  QPlainTextEdit* script() const { return m_script; }
  QPushButton* checkButton() const { return m_check; }
  QPushButton* prepareButton() const { return m_prepare; }
  QPushButton* measureButton() const { return m_measure; }
  QPushButton* cancelButton() const { return m_cancel; }
  QPushButton* addButton() const { return m_add; }
  QPushButton* editButton() const { return m_edit; }
  QPushButton* removeButton() const { return m_remove; }
  QPushButton* undoButton() const { return m_undo; }
  QString message() const;
  void choose(const QString& place);
  // It has looked at the files at least once.
  bool hasLooked() const { return m_looked; }

 Q_SIGNALS:
  // A place came, went or is another one.
  void changed();

 private:
  using Places = std::vector<PlaceOverview>;
  using Deed = std::function<Status()>;
  void layOut();
  void connectButtons();
  bool isBusy() const;
  void lookAtFiles();
  void take(const Result<Places>& places);
  void fillDetails();
  struct DeedWords {
    QString doing, begun, title, done;  // all but the first with a place for the name
  };
  static DeedWords wordsOf(PlaceDeed deed);
  void fillScript(const PlaceRecord& record);
  QString doingAt(const PlaceOverview& overview) const;
  const PlaceOverview* chosen() const;
  void updateButtons();
  void visit(PlaceDeed deed);
  void takeVisit(const QString& place, PlaceDeed deed, const Result<PlaceLook>& look);
  void cancel();
  void say(const QString& text, bool error = false);
  // Writes a file as a job, and looks at the files again; `done` is told what came of it.
  void write(const QString& title, const Deed& what, const std::function<void(const Status&)>& done);
  void openForm(const std::optional<PlaceRecord>& place);
  void save(PlaceFormDialog* form, const PlaceRecord& record);
  void askToRemove();
  void remove(const PlaceRecord& record);
  void bringBack();

  Parts m_parts;
  Places m_places;
  QString m_wanted;  // the place that is to be chosen when it is there
  QString m_asked;   // the place that is being asked
  PlaceDeed m_deed = PlaceDeed::Look;
  std::optional<PlaceRecord> m_removed;
  bool m_looked = false;
  QString m_shownPlace;                       // of which findings and journal are shown
  double m_shownLook = -1, m_shownLine = -1;  // times of its look and of its last line
  bool m_unread = false;                      // the files of places cannot be read
  int m_job = 0, m_look = 0;
  PlaceAsker* m_asker;
  QTimer m_timer;
  QLabel* m_message;
  QTreeWidget* m_list;
  QTabWidget* m_tabs;
  QTreeWidget* m_findings;
  QTreeWidget* m_journal;
  QPlainTextEdit* m_script;
  QProgressBar* m_progress;
  QPushButton* m_add;
  QPushButton* m_edit;
  QPushButton* m_remove;
  QPushButton* m_undo;
  QPushButton* m_check;
  QPushButton* m_prepare;
  QPushButton* m_measure;
  QPushButton* m_cancel;
  QPushButton* m_close;
};

}  // namespace fathom
