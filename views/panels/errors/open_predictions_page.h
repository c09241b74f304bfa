// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/review/review_kind.h"
#include "views/panels/errors/open_page.h"

namespace fathom {

// Where predictions of SQL come from: gold file, schemas, questions, databases, and any number of prediction
// files with their SQL columns.
class OpenPredictionsPage : public OpenPage {
  Q_OBJECT
 public:
  explicit OpenPredictionsPage(QWidget* parent = nullptr);
  void setSources(const ReviewSources& sources);
  ReviewSources sources() const;
  QString preset() const;
  // "gold", "tables", "questions", "databases": fills a field; an empty one only with `onlyEmpty`.
  void setPath(const QString& field, const QString& path, bool onlyEmpty = false);
  void addPredictions(const QStringList& files) override;
  // Columns a prediction file offers, none for plain lines; `used` is the one that would be read, "" = none
  // looks like SQL: it must be chosen before the files can be opened.
  void setColumns(const QString& file, const QStringList& columns, const QString& used);
  // What is wrong with one file, under its row too.
  void setFileProblem(const QString& file, const QString& text);

 Q_SIGNALS:
  void filesAdded(const QStringList& files);  // their columns are wanted
  void goldChosen(const QString& path);

 private:
  void refresh() override;
  QComboBox* m_preset;
};

}  // namespace fathom
