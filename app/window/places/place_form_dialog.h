// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <functional>
#include <memory>
#include <optional>

#include "app/runner/place_record.h"
#include "views/look/qt_names.h"

namespace fathom {

class ExperimentDraft;
class OptionRow;
class PlaceLines;

// The fields of a place, those of `fathom add-place` and of its launcher (app/runner/places/place_form.h): a
// new one, or one that is there, which keeps its name and its file. What cannot be stands at its field. It is
// closed by whoever has written the place down.
class PlaceFormDialog : public QDialog {
  Q_OBJECT
 public:
  // `place`: to be edited; none: a new one.
  PlaceFormDialog(const QString& project, const std::optional<PlaceRecord>& place, QWidget* window);
  ~PlaceFormDialog() override;
  // Of a place that is added: nobody of its name may be in its file yet.
  bool isNew() const { return !m_place; }
  // What writing it down came to: at its field, or below the form.
  void tell(const Error& error);
  // What a place said of a resource when it was looked at last: below the form, which begins at its field.
  void remind(const Error& trouble);
  QPushButton* saveButton() const { return m_save; }
  QString message() const;

 Q_SIGNALS:
  // The record to be written to PlaceRecord::file.
  void saveRequested(const fathom::PlaceRecord& record);

 private:
  QWidget* makeForm();
  void refresh();
  void save();
  bool goTo(const QString& key);
  bool isShown(const QString& key) const;
  QString m_project;
  std::optional<PlaceRecord> m_place;
  std::unique_ptr<ExperimentDraft> m_draft;
  QVector<OptionRow*> m_rows;
  QVector<PlaceLines*> m_lines;
  QScrollArea* m_scroll;
  QLabel* m_message;
  QPushButton* m_save;
};

}  // namespace fathom
