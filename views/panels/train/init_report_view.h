// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/base/json/json.h"
#include "views/look/qt_names.h"

namespace fathom {

class EmptyState;
class InitReportModel;
class OptionSchema;

// Values that the initialisation of a run gave every parameter, and its scale: a table, or the offer
// to work it out where the run has recorded nothing.
class InitReportView : public QWidget {
  Q_OBJECT
 public:
  explicit InitReportView(QWidget* parent = nullptr);
  // {"init", "seed", "rows": [...]} as recorded at the start of a run or printed by the engine.
  void showReport(const Json& report);
  // Knows the titles of initialisations; null: their ids are shown.
  void setSchema(const OptionSchema* schema);
  // The run has none. `canBeMade`: it has a configuration, so the engine can be asked.
  void showNothing(bool canBeMade);
  // The run only waits in the queue, or its folder is being read.
  void showWaiting();
  void showWorking();
  void showProblem(const QString& text);

 Q_SIGNALS:
  void requested();

 private:
  void summarise();
  void showState(const QString& text, bool withButton);
  InitReportModel* m_model;
  const OptionSchema* m_schema = nullptr;
  std::string m_init;  // id of the initialisation that is shown
  Json m_measured;     // what a pass over training data looked at, or null
  QWidget* m_content;
  QLabel* m_summary;
  QToolButton* m_onlyScaled;
  QTableView* m_table;
  EmptyState* m_empty;
  QAction* m_ask;
};

}  // namespace fathom
