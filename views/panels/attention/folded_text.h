// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "views/look/qt_names.h"

namespace fathom {

class HelpText;

// A long text of which three lines are shown, until somebody asks for more: then it takes up to two fifths of
// what it stands in, and scrolls.
class FoldedText : public QWidget {
  Q_OBJECT
 public:
  static constexpr int kLines = 3;
  explicit FoldedText(QWidget* parent = nullptr);
  // In Markdown, in which names of others are literal; wrapped to the width that is there.
  void setWords(const QString& markdown);
  HelpText* text() const { return m_text; }
  QToolButton* more() const { return m_more; }
  bool folded() const { return m_folded; }
  void setFolded(bool folded);

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fit();
  HelpText* m_text;
  QToolButton* m_more;
  QString m_words;
  bool m_folded = true;
  bool m_oldFont = false;  // the size of texts changed while it was hidden
};

}  // namespace fathom
