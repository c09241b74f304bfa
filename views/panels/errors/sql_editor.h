// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVector>

#include "views/panels/errors/qscintilla_header.h"

class QsciLexerSQL;

namespace fathom {

// SQL with colours of the theme, marked words and marked lines. Tab leaves the editor (as everywhere in the
// window). GUI thread.
class SqlEditor : public QsciScintilla {
  Q_OBJECT
 public:
  enum Mark {
    Difference,  // the other query has it not
    Value,       // a constant that differs
    Reason,      // what the chosen reason is about
    Trouble      // where the parser stopped
  };

  explicit SqlEditor(QWidget* parent = nullptr);
  // Replaces the text without the signal edited(); marks go.
  void showSql(const QByteArray& utf8);
  QByteArray sql() const;
  void setEditable(bool editable);
  // Bytes [begin, end) of the text.
  void mark(Mark mark, int begin, int end);
  void clearMarks(Mark mark);
  void tintLines(const QVector<int>& lines);
  void showByte(int position);
  // Pixels that its lines take, those of wrapped ones too.
  int naturalHeight() const;

 Q_SIGNALS:
  void edited();

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;
  bool focusNextPrevChild(bool next) override;

 private:
  void applyTheme();
  QsciLexerSQL* m_lexer;
  bool m_showing = false;
  bool m_oldLook = false;  // theme or size of texts changed while it was hidden
};

}  // namespace fathom
