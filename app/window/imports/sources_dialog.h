// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QPointer>
#include <QTimer>
#include <functional>
#include <vector>

#include "app/runner/source_list.h"
#include "app/window/jobs/job_center.h"
#include "views/look/qt_names.h"

namespace fathom {

// The sources of other programs that a project follows or has followed: what is done with each, when it grew,
// and pausing, resuming and removing them. Looked at anew every second. Not modal. GUI thread; what takes
// time is a job of the window.
class SourcesDialog : public QDialog {
  Q_OBJECT
 public:
  // All are borrowed. A project that cannot be written to is only shown.
  struct Parts {
    QString project;
    bool readOnly = false;
    QPointer<JobCenter> jobs;  // of a window that goes it goes before its dialogs
  };
  SourcesDialog(const Parts& parts, QWidget* window);
  ~SourcesDialog() override;

  QTreeWidget* list() const { return m_list; }
  QPushButton* pauseButton() const { return m_pause; }
  QPushButton* resumeButton() const { return m_resume; }
  QPushButton* removeButton() const { return m_remove; }
  QString message() const;
  // It has looked at the project at least once.
  bool hasLooked() const { return m_looked; }

 Q_SIGNALS:
  // A person asked for a new one.
  void followRequested();
  // Somebody is read on, or no more.
  void changed();

 private:
  using Act = std::function<Status(const std::string& project, const ListedSource& source)>;
  void layOut();
  bool isBusy() const;
  void lookAt();
  void take(const std::vector<ListedSource>& sources);
  void fill(QTreeWidgetItem* item, const ListedSource& source) const;
  std::vector<ListedSource> selected() const;
  void updateButtons();
  void act(const QString& title, const Act& what);
  void askToRemove();

  Parts m_parts;
  std::vector<ListedSource> m_sources;
  bool m_looked = false;
  int m_job = 0;   // that changes something
  int m_look = 0;  // the job that looks
  QTimer m_timer;
  QLabel* m_message;
  QTreeWidget* m_list;
  QPushButton* m_follow;
  QPushButton* m_pause;
  QPushButton* m_resume;
  QPushButton* m_remove;
  QPushButton* m_close;
};

}  // namespace fathom
