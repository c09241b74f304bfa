// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "views/panels/widgets/help_text.h"

namespace fathom {

// Help pages (resources/help) in a window of their own, which stays beside the work. Escape closes it.
class HelpWindow : public QDialog {
  Q_OBJECT
 public:
  explicit HelpWindow(QWidget* parent = nullptr);
  // The pages one after the other; ids without a page are left out.
  void showPages(const QStringList& ids);
  HelpText* text() const { return m_text; }

 private:
  HelpText* m_text;
};

}  // namespace fathom
