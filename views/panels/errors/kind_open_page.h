// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QWidget>

#include "core/review/kind_review.h"
#include "views/look/qt_names.h"

namespace fathom {

// Where predictions of any kind come from: the kind, its gold file and other files, options, and any number
// of prediction files. What the form asks follows from the kind's entry. Collects only.
class KindOpenPage : public QWidget {
  Q_OBJECT
 public:
  explicit KindOpenPage(QWidget* parent = nullptr);
  void setSources(const KindSources& sources);
  KindSources sources() const;
  void setKind(const QString& id);
  static constexpr const char* kNullOdds = "null_odds";
  // "gold", a file of the kind: fills a field; kNullOdds: that of the selected predictions.
  void setPath(const QString& field, const QString& path);
  void addPredictions(const QStringList& files);
  void setProblem(const QString& text);
  QTreeWidget* files() const { return m_files; }
  QPushButton* openButton() const { return m_open; }
  QPushButton* oddsButton() const { return m_odds; }
  QLineEdit* field(const QString& key) const { return m_fields.value(key); }

 Q_SIGNALS:
  void browseRequested(const QString& field);  // one of the fields, "predictions", or kNullOdds
  void openRequested();
  void closed();

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void fillForm();
  void addField(const QString& key, const QString& title, const QString& tip, bool isPath);
  void refresh();
  const ReviewKind* kind() const;
  QHash<QString, QLineEdit*> m_fields;
  QComboBox* m_kind;
  QLabel* m_description;
  QWidget* m_formArea;
  QFormLayout* m_form;
  QLabel* m_hint;
  QTreeWidget* m_files;
  QPushButton* m_odds;
  QLabel* m_problem;
  QPushButton* m_open;
};

}  // namespace fathom
