// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QWidget>

#include "core/spider/judgement/spider_review.h"
#include "views/look/qt_names.h"

namespace fathom {

// Where predictions come from: gold file, schemas, questions, databases, and any number of prediction files
// with their names and SQL columns. Collects only; files are looked at by the application.
class OpenPredictionsPage : public QWidget {
  Q_OBJECT
 public:
  explicit OpenPredictionsPage(QWidget* parent = nullptr);
  void setSources(const ReviewSources& sources, const QString& preset);
  ReviewSources sources() const;
  QString preset() const;
  // "gold", "tables", "questions", "databases": fills a field; an empty one only with `onlyEmpty`.
  void setPath(const QString& field, const QString& path, bool onlyEmpty = false);
  void addPredictions(const QStringList& files);
  // Columns a prediction file offers, none for plain lines; `used` is the one that would be read, "" = none
  // looks like SQL: it must be chosen before the files can be opened.
  void setColumns(const QString& file, const QStringList& columns, const QString& used);
  // What is wrong, at the bottom of the page; of one file under its row.
  void setProblem(const QString& text);
  void setFileProblem(const QString& file, const QString& text);
  QTreeWidget* files() const { return m_files; }
  QPushButton* openButton() const { return m_open; }

 Q_SIGNALS:
  void browseRequested(const QString& field);  // one of the fields, or "predictions"
  void filesAdded(const QStringList& files);   // their columns are wanted
  void goldChosen(const QString& path);
  void openRequested();
  void closed();

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void addPath(QFormLayout* form, const QString& field, const QString& title, const QString& tip);
  void removeSelected();
  void refresh();
  QTreeWidgetItem* itemOf(const QString& file) const;
  QHash<QString, QLineEdit*> m_paths;
  QComboBox* m_preset;
  QTreeWidget* m_files;
  QLabel* m_problem;
  QPushButton* m_open;
};

}  // namespace fathom
