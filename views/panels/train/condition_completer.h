// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <functional>
#include <string>
#include <vector>

#include "views/look/qt_names.h"

class QCompleter;
class QStringListModel;

namespace fathom {

// Offers names of metrics and options while a condition is typed into a line: by itself from the second
// letter of a name on, with Ctrl+Space wherever the cursor is. Plain words are left alone. GUI thread.
class ConditionCompleter : public QObject {
  Q_OBJECT
 public:
  // `names` is asked whenever a list is to be shown. The line is borrowed, and owns this.
  ConditionCompleter(QLineEdit* line, std::function<std::vector<std::string>()> names);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  // Where the name begins that the cursor stands behind.
  qsizetype wordStart() const;
  void offer(int fewestLetters);
  void take(const QString& name);
  QLineEdit* m_line;
  std::function<std::vector<std::string>()> m_names;
  QStringListModel* m_list;
  QCompleter* m_completer;
};

}  // namespace fathom
