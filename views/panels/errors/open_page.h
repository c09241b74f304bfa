// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QWidget>
#include <initializer_list>

#include "core/base/errors/phrase.h"
#include "views/look/qt_names.h"
#include "views/panels/widgets/boxes.h"

namespace fathom {

// A page that opens predictions: fields of a form, any number of prediction files under names of their own,
// what is wrong, and the button that opens them. Collects only; files are looked at by the application.
class OpenPage : public QWidget {
  Q_OBJECT
 public:
  // What is wrong, at the bottom of the page.
  void setProblem(const QString& text);
  virtual void addPredictions(const QStringList& files) = 0;
  QTreeWidget* files() const { return m_files; }
  QLineEdit* field(const QString& key) const { return m_fields.value(key); }

 Q_SIGNALS:
  void browseRequested(const QString& field);  // one of the fields, or "predictions"
  void openRequested();
  void closed();

 protected:
  enum FileColumn { kName, kPath, kThird };

  // `third`: what the third column of the files is about.
  OpenPage(const QString& third, QWidget* parent);
  QLayout* makeHead(const QString& title);
  // Beside the files: what they hold, and what can be done with their names.
  static QString hintText(const Phrase& predictions);
  // Adds and removes files; `more` stands between.
  QLayout* makeButtons(QLabel* hint, QWidget* more = nullptr);
  // As wide as is read well, the list as high as a few files need, and the button that opens them below it
  // where it stays, whatever is said beside it.
  void layOut(std::initializer_list<BoxPart> above);
  QLineEdit* addField(QFormLayout* form, const QString& key, const QString& title, const QString& tip,
                      bool isPath);
  QString fieldText(const QString& key) const;  // trimmed; empty without the field
  // Under the name, or a free one like it.
  void addFile(const QString& path, const QString& name);
  QTreeWidgetItem* itemOf(const QString& path) const;
  // Whether everything is there, for the button that opens.
  virtual void refresh() = 0;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

  QHash<QString, QLineEdit*> m_fields;
  QTreeWidget* m_files;
  QLabel* m_problem;
  QPushButton* m_open;
};

}  // namespace fathom
