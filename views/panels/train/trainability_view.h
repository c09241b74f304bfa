// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/base/errors/error.h"
#include "core/base/json/json.h"
#include "core/base/threads/progress.h"
#include "views/look/qt_names.h"

namespace fathom {

class MarkCanvasView;

// Forecast whether a configuration will learn, by the engine's trainability check: the verdict, what was
// looked at with what would change it, the scales of the stacks and, on a second page, its numbers by depth.
// Progress with a cancel button while it runs.
class TrainabilityView : public QWidget {
  Q_OBJECT
 public:
  explicit TrainabilityView(QWidget* parent = nullptr);
  void showProgress(const ProgressUpdate& update);
  // {"verdict", "checks", "stacks", "note", ...} of core/analysis/training/trainability.h.
  void showReport(const Json& report);
  void showError(const Error& error);
  // The options are no longer those that were checked; nothing happens where no report is shown.
  void markOutdated();

 Q_SIGNALS:
  void cancelRequested();
  void closed();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  QWidget* makeBusy();
  QWidget* makeReport();
  QWidget* makeHead(QWidget* report);
  void makeTables(QWidget* report);
  void showHelp();
  void drawDepths();
  void fillChecks(const Json& report);
  void fillScales(const Json& report);
  QStackedWidget* m_stack;
  QLabel* m_phase;
  QProgressBar* m_bar;
  QPushButton* m_cancel;
  QLabel* m_verdict;
  QLabel* m_note;
  QToolButton* m_close;
  QStandardItemModel* m_checks;
  QTableView* m_checkTable;
  QStandardItemModel* m_scales;
  QTableView* m_scaleTable;
  QTabWidget* m_pages = nullptr;
  MarkCanvasView* m_depths = nullptr;
  Json m_report = Json::object();
};

// One check of a report in the language of the window.
struct CheckWords {
  QString verdict, reason, change;
};
CheckWords checkWords(const Json& check);

}  // namespace fathom
