// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMap>
#include <QPointer>
#include <QWidget>
#include <compare>
#include <memory>
#include <vector>

#include "core/tasks/linked_examples.h"
#include "views/look/qt_names.h"

namespace fathom {

class LinkMatrix;

// Title of a part of the data ("train"); another word is itself.
QString splitTitle(const QString& split);

// The links of any example of a data set as a matrix, to look at and to change. A change is one step of the
// undo stack and holds for the question wherever it stands; changes outlive reading the data again. GUI
// thread; an example is linked when it is shown.
class LinksView : public QWidget {
  Q_OBJECT
 public:
  explicit LinksView(QWidget* parent = nullptr);
  // Null: there are none. `counts`: examples of each part, by its name ("train"). Changes go with their data:
  // `data` says which it is.
  void setExamples(std::shared_ptr<const LinkedExamples> examples, const QMap<QString, qint64>& counts,
                   const QString& data);
  const std::shared_ptr<const LinkedExamples>& examples() const { return m_examples; }
  void showExample(const QString& split, qint64 index);
  // Borrowed; null: changes cannot be undone.
  void setUndoStack(QUndoStack* stack);
  // All changes, for LinkedExamples::linkFileWith.
  std::vector<LinkChange> changes() const;
  // The changes as they are now stand in a file of this name.
  void setKept(const std::vector<LinkChange>& changes, const QString& file);
  LinkMatrix* matrix() const { return m_matrix; }

 Q_SIGNALS:
  // Write changes() into a file that the next run reads.
  void keepRequested();

 private:
  friend class LinkChangeCommand;
  struct Cell {
    QString database, question;
    int item = 0, word = 0;
    std::strong_ordering operator<=>(const Cell&) const = default;
  };
  void showCurrent();
  void edited(int word, int item, int code);
  // -1: as the linker has it.
  void apply(const Cell& cell, int code);
  int changeOf(const Cell& cell) const { return m_changes.value(cell, -1); }
  void tellChanges();
  std::shared_ptr<const LinkedExamples> m_examples;
  QMap<QString, qint64> m_counts;
  QString m_data;
  QMap<Cell, int> m_changes, m_kept;
  QString m_keptFile;
  ExampleLinks m_shown;
  QPointer<QUndoStack> m_undo;
  QComboBox* m_split;
  QSpinBox* m_number;
  QPushButton* m_keep;
  QLabel* m_note;
  LinkMatrix* m_matrix;
};

}  // namespace fathom
