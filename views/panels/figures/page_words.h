// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <optional>

#include "views/figure/figure_words.h"

namespace fathom {

class PageView;
class TextInPlace;

// Texts of a page that a person puts in words of their own where they stand: a double click on one
// asks for its line to type in; Tab goes on to the next text of the same
// figure, Return and a click elsewhere take what was typed, Esc does not. Who owns the page answers `asked`
// with edit().
class PageWords : public QObject {
  Q_OBJECT
 public:
  explicit PageWords(PageView* view);
  void setReadOnly(bool readOnly) { m_readOnly = readOnly; }
  // Opens the line over the text. `own`: the words there now; `figures`: the figure's own, shown where the
  // line is empty.
  void edit(const WordPlace& place, const QString& own, const QString& figures);
  // Asks for the first text of the selected figure.
  void askFirst();
  bool isEditing() const;
  // Leaves the text as it was; the page has the focus where the line had it.
  void close();
  TextInPlace* line() const { return m_line; }

 Q_SIGNALS:
  void asked(const fathom::WordPlace& place);
  // Empty: as the figure has it.
  void said(const fathom::WordPlace& place, const QString& text);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  std::vector<WordPlace> places() const;
  std::optional<WordPlace> placeAt(const QPointF& position) const;
  void take(bool next, bool forward);
  PageView* m_view;
  TextInPlace* m_line;
  WordPlace m_place;
  QString m_before;
  bool m_readOnly = false;
};

}  // namespace fathom
