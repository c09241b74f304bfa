// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVector>
#include <QWidget>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/progress.h"

class QComboBox;
class QLineEdit;
class QPushButton;
class QSortFilterProxyModel;
class QStackedWidget;
class QStandardItemModel;
class QTableView;
class QTreeWidget;

namespace fathom {

class EmptyState;
class ProgressPage;
class LengthHistogram;

// A data set as the page shows it; read by the application off the GUI thread.
struct DataSummary {
  Json statistics = Json::object();  // of Task::statistics
  struct Example {
    QString split;  // "train", "validation", "test"
    qint64 index = 0;
    QStringList texts;  // source, target, ...
  };
  QStringList columns;  // names of the texts
  QVector<Example> examples;
};

// The data of an experiment before it is trained on: counts per split, what is skipped, dropped or cut,
// overlap between the splits, length histograms, examples. While reading: progress with remaining time and a
// cancel button in place.
class DataPage : public QWidget {
  Q_OBJECT
 public:
  explicit DataPage(QWidget* parent = nullptr);
  void showProgress(const ProgressUpdate& update);
  void showSummary(const DataSummary& summary);
  void showError(const Error& error);
  void showCancelled();

 Q_SIGNALS:
  void readRequested();
  void cancelRequested();
  void closed();

 private:
  QWidget* makeHead();
  QWidget* makeContent();
  void fillCounts();
  void fillReading();
  void fillHistograms();
  void fillExamples();
  DataSummary m_summary;
  QStackedWidget* m_stack;
  EmptyState* m_message;
  ProgressPage* m_busy;
  QPushButton* m_again;
  QTreeWidget* m_counts;
  QComboBox* m_split;
  LengthHistogram* m_source;
  LengthHistogram* m_target;
  QLineEdit* m_search;
  QTableView* m_examples;
  QStandardItemModel* m_exampleModel;
  QSortFilterProxyModel* m_exampleFilter;
};

}  // namespace fathom
