// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMap>
#include <QPointer>
#include <QVector>
#include <QWidget>
#include <memory>

#include "core/base/errors/error.h"
#include "core/base/json/json.h"
#include "core/base/threads/progress.h"
#include "core/tasks/task_facts.h"
#include "views/look/qt_names.h"

namespace fathom {

class EmptyState;
class LengthHistogram;
class LinkedExamples;
class LinksView;
class ProgressPage;

// A data set as the page shows it; read by the application off the GUI thread.
struct DataSummary {
  Json statistics = Json::object();   // of Task::statistics
  std::vector<StatisticField> shown;  // what of them the task shows
  std::vector<TextField> texts;       // columns of the examples
  struct Example {
    QString split;  // "train", "validation", "test"
    qint64 index = 0;
    QStringList texts;  // one a column
  };
  QVector<Example> examples;
  // Links of words of the examples with items, else null; and the number of examples of each part.
  std::shared_ptr<const LinkedExamples> links;
  QMap<QString, qint64> counts;
  QString data;  // hashes of the files
};

// The data of an experiment before it is trained on: what its task shows of them (counts per split, overlap
// between the splits, pictures), what was skipped while reading, examples, and the links of any of them.
// While reading: progress with remaining time and a cancel button in place.
class DataPage : public QWidget {
  Q_OBJECT
 public:
  explicit DataPage(QWidget* parent = nullptr);
  void showProgress(const ProgressUpdate& update);
  void showSummary(const DataSummary& summary);
  void showError(const Error& error);
  void showCancelled();
  // Null until there was a data set with links.
  LinksView* links() const { return m_links; }
  // For changes of links; borrowed.
  void setUndoStack(QUndoStack* stack);

 Q_SIGNALS:
  // LinksView::keepRequested.
  void keepLinksRequested();
  void readRequested();
  void cancelRequested();
  void closed();

 private:
  QWidget* makeHead();
  QWidget* makeContent();
  void fillCounts();
  void fillOverlap();
  void fillReading();
  void fillPictures();
  LengthHistogram* picture(int index);
  void fillExamples();
  void fillLinks();
  DataSummary m_summary;
  QStackedWidget* m_stack;
  EmptyState* m_message;
  ProgressPage* m_busy;
  QPushButton* m_again;
  QTreeWidget* m_counts;
  QComboBox* m_split;
  QWidget* m_plots;
  QVector<LengthHistogram*> m_pictures;  // made as they are needed; those in use are shown
  QLineEdit* m_search;
  QTableView* m_examples;
  QSplitter* m_lower;  // examples, and links beside them
  LinksView* m_links = nullptr;
  QPointer<QUndoStack> m_undo;
  QStandardItemModel* m_exampleModel;
  QSortFilterProxyModel* m_exampleFilter;
};

}  // namespace fathom
