// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QTimer>
#include <QWidget>

#include "app/runner/engine_description.h"
#include "app/window/jobs/job_center.h"
#include "views/look/qt_names.h"

namespace fathom {

class FileChoice;

// The engine, the cores that runs may share, and whether the machine stays awake meanwhile: choices of this
// user on this machine (app/runner/machine_settings.h). An engine is asked before it is taken; one that does
// not answer is refused with its words, and the former one stays.
class TrainingPreferences : public QWidget {
  Q_OBJECT
 public:
  struct Parts {
    FileChoice* files;
    QPointer<JobCenter> jobs;  // of a window that goes it goes before its dialogs
  };
  // All are borrowed.
  explicit TrainingPreferences(Parts parts, QWidget* parent = nullptr);
  ~TrainingPreferences() override;
  QLineEdit* engine() const { return m_engine; }
  QLabel* verdict() const { return m_verdict; }

 Q_SIGNALS:
  // Another engine is asked from now on.
  void engineChanged();

 private:
  QWidget* makeEngine();
  QWidget* makeCores();
  QWidget* makeAwake();
  void choose();
  void ask();
  void take(const QString& path, const Result<EngineDescription>& answer);
  Parts m_parts;
  QLineEdit* m_engine = nullptr;
  QLabel* m_verdict = nullptr;
  QTimer m_rest;  // since the last key
};

}  // namespace fathom
