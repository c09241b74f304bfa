// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QPointer>
#include <QTimer>
#include <QVector>
#include <memory>
#include <optional>

#include "app/window/jobs/job_center.h"
#include "core/imports/attention/attention_import.h"
#include "views/look/qt_names.h"
#include "views/tables/run_item.h"

namespace fathom {

class FileChoice;

// Attention that another program wrote as arrays, for a run and one of its states: what the files hold is
// shown before anything is stored, and what is wrong with them. Reading and storing are jobs of the window;
// Cancel ends what goes on, and closes the dialog when nothing does. Not modal.
class AttentionDialog : public QDialog {
  Q_OBJECT
 public:
  // All are borrowed. `runs`: those that have a folder; `chosen`: UUID of the one to begin with, or empty.
  struct Parts {
    QString project;
    QPointer<JobCenter> jobs;  // of a window that goes it goes before its dialogs
    FileChoice* files;
    QVector<RunItem> runs;
    QString chosen;
  };
  AttentionDialog(const Parts& parts, const QStringList& files, QWidget* window);
  ~AttentionDialog() override;

  // Neither looking nor storing.
  bool isIdle() const;
  // Further files of arrays, each once.
  void add(const QStringList& files);
  QListWidget* files() const { return m_list; }
  QLineEdit* tokens() const { return m_tokens; }
  QComboBox* run() const { return m_run; }
  QComboBox* state() const { return m_state; }
  QPushButton* importButton() const { return m_import; }
  QString summary() const;
  // True where `path` ends like a file of arrays.
  static bool isArrayFile(const QString& path);

 public Q_SLOTS:
  void reject() override;

 Q_SIGNALS:
  void imported(const QString& run, const QString& name);

 private:
  void layOut();
  void connectParts();
  void addFiles();
  void removeFiles();
  void chooseTokens();
  void listStates();
  AttentionFiles chosen() const;
  void lookSoon();
  QString inFieldWords(QString text) const;
  void lookAt();
  void take(const Result<std::shared_ptr<BroughtAttention>>& brought);
  void store();
  void say(const QString& text, bool wrong);
  void showParts();
  Parts m_parts;
  int m_job = 0, m_look = 0;
  std::shared_ptr<BroughtAttention> m_brought;  // what the files hold; null: not known, or nothing
  QTimer m_rest;
  QListWidget* m_list;
  QPushButton* m_add;
  QPushButton* m_remove;
  QLineEdit* m_tokens;
  QPushButton* m_chooseTokens;
  QComboBox* m_stack;
  QComboBox* m_kind;
  QComboBox* m_run;
  QComboBox* m_state;
  QComboBox* m_part;
  QSpinBox* m_maps;
  QLabel* m_summary;
  QProgressBar* m_progress;
  QPushButton* m_cancel;
  QPushButton* m_import;
};

}  // namespace fathom
