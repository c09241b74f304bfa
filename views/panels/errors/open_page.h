// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QWidget>

#include "core/review/review.h"
#include "views/look/qt_names.h"

namespace fathom {

class MissingPaths;

// Where predictions of any kind come from: the kind, its gold file and other files, options, and any number
// of prediction files under names of their own. What the form asks follows from the kind's entry. Collects
// only; files are looked at by the application.
class OpenPage : public QWidget {
  Q_OBJECT
 public:
  explicit OpenPage(QWidget* parent = nullptr);
  void setSources(const ReviewSources& sources);
  ReviewSources sources() const;
  void setKind(const QString& id);
  // SQuAD's file of null odds, as a field of the selected predictions.
  static constexpr const char* kNullOdds = "null_odds";
  // "gold", a file or an option of the kind: fills a field; an empty one only with `onlyEmpty`.
  void setPath(const QString& field, const QString& path, bool onlyEmpty = false);
  void addPredictions(const QStringList& files);
  // Columns a prediction file offers, none for plain lines; `used` is the one that would be read, "" = none
  // looks like an answer: it must be chosen before the files can be opened.
  void setColumns(const QString& file, const QStringList& columns, const QString& used);
  // Says what is wrong with one file, under its row too.
  void setFileProblem(const QString& file, const QString& text);
  // Says what is wrong, at the bottom of the page.
  void setProblem(const QString& text);
  QTreeWidget* files() const { return m_files; }
  MissingPaths* missingPaths() const { return m_missingPaths; }
  QLineEdit* field(const QString& key) const { return m_fields.value(key); }
  QComboBox* choice(const QString& option) const { return m_choices.value(option); }

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
  enum FileColumn { kName, kPath, kThird };
  const ReviewKind& kind() const;
  QLayout* makeHead();
  QLayout* makeButtons();
  // As wide as is read well, the list as high as a few files need, and the button that opens them below it
  // where it stays, whatever is said beside it.
  void layOut();
  void fillForm();
  void forgetThird();
  void addOption(const ReviewOption& option);
  QLineEdit* addField(const QString& key, const QString& title, const QString& tip, bool isPath);
  QString fieldText(const QString& key) const;  // trimmed; empty without the field
  // Under the name, or a free one like it.
  void addFile(const QString& path, const QString& name);
  QTreeWidgetItem* itemOf(const QString& path) const;
  QComboBox* columnBox(QTreeWidgetItem* item) const;
  void setNullOdds(const QString& path);
  // What is missing, empty where the files can be opened.
  QString missing() const;
  void refresh();
  QLabel* m_title;
  QComboBox* m_kind;
  QLabel* m_description;
  QWidget* m_formArea;
  QFormLayout* m_form;
  QHash<QString, QLineEdit*> m_fields;
  QHash<QString, QComboBox*> m_choices;  // by option
  QTreeWidget* m_files;
  MissingPaths* m_missingPaths;
  QLabel* m_hint;
  QPushButton* m_odds;
  QLabel* m_problem;
  QPushButton* m_open;
};

}  // namespace fathom
