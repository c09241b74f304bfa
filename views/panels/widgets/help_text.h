// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTextBrowser>

namespace fathom {

// Shows pages of the help and other texts of our own with headings and tables. Reads nothing: whatever
// picture or style sheet a text asks for, from the disk or from anywhere, is an empty one. Links do nothing.
class HelpText : public QTextBrowser {
  Q_OBJECT
 public:
  explicit HelpText(QWidget* parent = nullptr);
  QVariant loadResource(int type, const QUrl& name) override;
};

}  // namespace fathom
