// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCompleter>
#include <functional>

#include "views/look/qt_names.h"

class QStringListModel;

namespace fathom {

// Completes the name of an option in a list that can be typed into: what was typed is looked for as in the
// form (OptionSearch), in titles, keys and help, and the best stands first. GUI thread.
class OptionCompleter : public QCompleter {
  Q_OBJECT
 public:
  // Titles of what fits, the best first.
  using Finder = std::function<QStringList(const QString& typed)>;
  // Becomes the completer of `box`, which is editable and owns it.
  OptionCompleter(QComboBox* box, Finder find);
  // The titles that are offered for what was typed.
  QStringList offered(const QString& typed) const { return m_find(typed); }
  // One empty part, which all fit: they were looked for already, and stand in their order.
  QStringList splitPath(const QString& typed) const override;

 private:
  Finder m_find;
  QStringListModel* m_titles;
};

}  // namespace fathom
