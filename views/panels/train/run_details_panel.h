// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QVector>
#include <QWidget>

#include "views/look/qt_names.h"
#include "views/tables/run_item.h"

namespace fathom {

class ConfigDiffModel;
class ElidedLabel;
class EmptyState;
class InitReportView;
class OptionSchema;
class RunScores;
class SystemView;

// Details beside the row of a run: read from its folder by the application, off the GUI thread.
struct RunDetails {
  QString uuid;
  Json provenance = Json::object();
  struct File {
    QString path;  // relative to the run
    qint64 bytes = 0;
  };
  QVector<File> files;
  // Every life of the run, wherever it was trained; texts are empty where nobody has written them down.
  struct Attempt {
    int number = 0;
    QString place;  // id; "local": this machine
    QString job, host;
    RunState state = RunState::Lost;
    QString cause;  // of its outcome
    qint64 step = 0;
    QDateTime ended = {};
  };
  QVector<Attempt> attempts;
  QString filesProblem;    // why there are none: the folder cannot be looked into
  QString outcomeText;     // sentence with cause, first bad module, last good checkpoint
  QStringList stderrTail;  // last lines the engine wrote to stderr, for the log
  Json initReport;         // what its initialisation did (init_report_view.h); null: not recorded
};

// Details of the current run: outcome, notes and tags, configuration against another run or the defaults,
// where it comes from, its files, its initial values, what it takes of its machine, its attempts and where
// each was trained.
class RunDetailsPanel : public QWidget {
  Q_OBJECT
 public:
  explicit RunDetailsPanel(QWidget* parent = nullptr);
  void setSchema(const OptionSchema* schema);
  // Null = nothing selected. `others` can be compared with.
  void setRun(const RunItem* run, const QVector<RunItem>& others);
  void setDetails(const RunDetails& details);
  // Its answers are for the current run.
  InitReportView* initReport() const { return m_init; }
  // Its answers are for the current run, too.
  SystemView* system() const { return m_system; }
  QString currentRun() const { return m_run.uuid; }
  // Which part is shown, for sessions.
  int shownPart() const;
  void showPart(int part);
  void editNotes();
  void editTags();

 Q_SIGNALS:
  void notesEdited(const QString& uuid, const QString& notes);
  void tagsEdited(const QString& uuid, const QStringList& tags);
  // A file of the run was activated (double click or enter).
  void fileActivated(const QString& path);
  // The engine is to be asked what the initialisation of this run does.
  void initReportRequested(const QString& uuid);

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* makeOverview();
  QWidget* makeConfig();
  void refreshHead();
  void followSystem();
  void colourState();
  void refreshDiff();
  void fillProvenance(const Json& json);
  void fillAttempts(const QVector<RunDetails::Attempt>& attempts);
  RunItem m_run;
  QVector<RunItem> m_others;
  const OptionSchema* m_schema = nullptr;
  ElidedLabel* m_name;
  QLabel* m_state;
  QLabel* m_outcome;
  RunScores* m_scores;
  QLabel* m_noScores;
  QLineEdit* m_tags;
  QPlainTextEdit* m_notes;
  QComboBox* m_against;
  QToolButton* m_all;
  QLabel* m_same;
  QTableView* m_diff;
  ConfigDiffModel* m_diffModel;
  InitReportView* m_init;
  SystemView* m_system;
  QTreeWidget* m_provenance;
  QTreeWidget* m_files;
  QTreeWidget* m_attempts;
  QTabWidget* m_tabs;
  QWidget* m_body;
  EmptyState* m_empty;
  QTimer m_grows;  // while it says when a source grew last
};

}  // namespace fathom
