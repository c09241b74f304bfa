// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVector>
#include <QWidget>

#include "core/base/threads/progress.h"
#include "views/look/qt_names.h"

namespace fathom {

// A job of the window as the status bar shows it.
struct JobView {
  int id = 0;
  QString title;
  ProgressUpdate progress;
  bool cancelling = false;
};

// The jobs of the window in the status bar: the oldest one with bar, time left and cancel; a click on the
// text opens the list of all. Jobs that end within 400 ms are never shown.
class JobStrip : public QWidget {
  Q_OBJECT
 public:
  explicit JobStrip(QWidget* parent = nullptr);
  void setJobs(const QVector<JobView>& jobs);

 Q_SIGNALS:
  void cancelRequested(int id);

 private:
  void showList();
  void fillList();
  QVector<JobView> m_jobs;
  QToolButton* m_text;
  QProgressBar* m_bar;
  QLabel* m_left;
  QToolButton* m_cancel;
  QFrame* m_list;
  QVBoxLayout* m_listLayout;
};

}  // namespace fathom
