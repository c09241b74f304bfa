// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/base/threads/progress.h"
#include "views/look/qt_names.h"

namespace fathom {

// Content of a view that waits for a job: what is done, how much of it, the remaining time, and Cancel.
class ProgressPage : public QWidget {
  Q_OBJECT
 public:
  explicit ProgressPage(QWidget* parent = nullptr);
  // `title` (may be empty) comes before the job's own words.
  void setProgress(const QString& title, const ProgressUpdate& update);
  // A sentence below (how long all takes, and with what less); empty: none.
  void setNote(const QString& text);

 Q_SIGNALS:
  void cancelRequested();

 private:
  QLabel* m_text;
  QLabel* m_note;
  QProgressBar* m_bar;
};

}  // namespace fathom
