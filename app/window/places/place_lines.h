// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/base/options/option_field.h"
#include "views/look/qt_names.h"

namespace fathom {

class ExperimentDraft;

// A field whose value is a list of texts, each a line of an editor: what OptionRow has no room for. Title,
// help and what is wrong stand as there.
class PlaceLines : public QWidget {
  Q_OBJECT
 public:
  // Both are borrowed.
  PlaceLines(const OptionField& field, ExperimentDraft* draft, QWidget* parent = nullptr);
  const QString& key() const { return m_key; }
  QPlainTextEdit* editor() const { return m_editor; }
  void refresh();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void colour();
  const OptionField& m_field;
  ExperimentDraft* m_draft;
  QString m_key;
  QLabel* m_title;
  QPlainTextEdit* m_editor;
  QLabel* m_help;
  QLabel* m_problem;
};

}  // namespace fathom
