// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/errors/sql_editor.h"

#include <QEvent>
#include <QFontDatabase>
#include <utility>

#include "views/look/theme.h"

namespace fathom {

namespace {
constexpr int kFirstIndicator = 8;
constexpr int kLineMarker = 1;
constexpr int kUtf8 = 65001;

QColor blended(const QColor& over, const QColor& under, double share) {
  const auto mix = [share](int a, int b) { return int(share * a + (1 - share) * b); };
  return QColor(mix(over.red(), under.red()), mix(over.green(), under.green()),
                mix(over.blue(), under.blue()));
}
}  // namespace

SqlEditor::SqlEditor(QWidget* parent) : QsciScintilla(parent), m_lexer(new QsciLexerSQL(this)) {
  setUtf8(true);
  SendScintilla(SCI_SETCODEPAGE, kUtf8);
  setLexer(m_lexer);
  for (int margin = 0; margin < 5; ++margin) setMarginWidth(margin, 0);
  setFrameShape(QFrame::NoFrame);
  setCaretLineVisible(false);
  setFolding(NoFoldStyle);
  setEolMode(EolUnix);
  // A clause that is wider than the editor goes on below its beginning.
  setWrapMode(WrapWord);
  setWrapIndentMode(WrapIndentIndented);
  setAnnotationDisplay(AnnotationStandard);
  SendScintilla(SCI_SETSCROLLWIDTH, 1);
  SendScintilla(SCI_SETSCROLLWIDTHTRACKING, 1);
  SendScintilla(SCI_SETMARGINLEFT, 0, metrics::kMargin);
  SendScintilla(SCI_SETEXTRAASCENT, 2);
  SendScintilla(SCI_SETEXTRADESCENT, 2);
  // QScintilla gives itself a font, and setFont() of it is the lexer's: the text size would pass it by.
  QWidget::setFont(QFont());
  applyTheme();
  standardCommands()
      ->find(QsciCommand::Redo)
      ->setAlternateKey((Qt::CTRL | Qt::SHIFT | Qt::Key_Z).toCombined());
  setEditable(false);
  connect(this, &QsciScintilla::textChanged, this, [this] {
    if (!m_showing) Q_EMIT edited();
  });
}

void SqlEditor::applyTheme() {
  const Theme& theme = Theme::of(palette());
  QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  font.setPointSizeF(qMax(7.0, this->font().pointSizeF()));
  m_lexer->setDefaultFont(font);
  m_lexer->setDefaultPaper(theme.panel);
  m_lexer->setDefaultColor(theme.text);
  for (int style = 0; style < 24; ++style) {
    m_lexer->setFont(font, style);
    m_lexer->setPaper(theme.panel, style);
    m_lexer->setColor(theme.text, style);
  }
  m_lexer->setColor(theme.accent, QsciLexerSQL::Keyword);
  for (const int style : {int(QsciLexerSQL::SingleQuotedString), int(QsciLexerSQL::DoubleQuotedString),
                          int(QsciLexerSQL::QuotedIdentifier)})
    m_lexer->setColor(theme.finished, style);
  m_lexer->setColor(theme.diverged, QsciLexerSQL::Number);
  for (const int style :
       {int(QsciLexerSQL::Comment), int(QsciLexerSQL::CommentLine), int(QsciLexerSQL::CommentDoc)})
    m_lexer->setColor(theme.secondary, style);
  setPaper(theme.panel);
  setColor(theme.text);
  setCaretForegroundColor(theme.text);
  setSelectionBackgroundColor(theme.selection);
  setSelectionForegroundColor(theme.text);
  const QPair<IndicatorStyle, QColor> looks[] = {{StraightBoxIndicator, theme.diverged},
                                                 {DotsIndicator, theme.secondary},
                                                 {StraightBoxIndicator, theme.accent},
                                                 {SquiggleIndicator, theme.failed}};
  for (int i = 0; i < 4; ++i) {
    indicatorDefine(looks[i].first, kFirstIndicator + i);
    setIndicatorForegroundColor(looks[i].second, kFirstIndicator + i);
    setIndicatorOutlineColor(looks[i].second, kFirstIndicator + i);
    setIndicatorDrawUnder(true, kFirstIndicator + i);
    SendScintilla(SCI_INDICSETALPHA, kFirstIndicator + i, i == Reason ? 70 : 50);
    SendScintilla(SCI_INDICSETOUTLINEALPHA, kFirstIndicator + i, 200);
  }
  markerDefine(Background, kLineMarker);
  setMarkerBackgroundColor(blended(theme.diverged, theme.panel, theme.dark ? 0.16 : 0.08), kLineMarker);
}

void SqlEditor::showSql(const QByteArray& utf8) {
  m_showing = true;
  const bool locked = isReadOnly();
  setReadOnly(false);
  setText(QString::fromUtf8(utf8));
  SendScintilla(SCI_EMPTYUNDOBUFFER);
  SendScintilla(SCI_SETSCROLLWIDTH, 1);
  // Another text is read from its beginning.
  setCursorPosition(0, 0);
  SendScintilla(SCI_SETXOFFSET, 0);
  SendScintilla(SCI_SETFIRSTVISIBLELINE, 0);
  setReadOnly(locked);
  m_showing = false;
  for (const Mark each : {Difference, Value, Reason, Trouble}) clearMarks(each);
  markerDeleteAll(kLineMarker);
}

QByteArray SqlEditor::sql() const {
  return text().toUtf8();
}

void SqlEditor::setEditable(bool editable) {
  setReadOnly(!editable);
  // A text that cannot be changed shows no caret line; the keys of the review work in it.
  SendScintilla(SCI_SETCARETWIDTH, editable ? 1 : 0);
}

void SqlEditor::mark(Mark mark, int begin, int end) {
  if (end <= begin) return;
  SendScintilla(SCI_SETINDICATORCURRENT, kFirstIndicator + mark);
  SendScintilla(SCI_INDICATORFILLRANGE, begin, end - begin);
}

void SqlEditor::clearMarks(Mark mark) {
  SendScintilla(SCI_SETINDICATORCURRENT, kFirstIndicator + mark);
  SendScintilla(SCI_INDICATORCLEARRANGE, 0, long(SendScintilla(SCI_GETLENGTH)));
}

void SqlEditor::tintLines(const QVector<int>& lines) {
  markerDeleteAll(kLineMarker);
  for (const int line : lines) markerAdd(line, kLineMarker);
}

void SqlEditor::showByte(int position) {
  SendScintilla(SCI_GOTOPOS, position);
}

int SqlEditor::naturalHeight() const {
  int rows = 0;
  for (int line = 0; line < lines(); ++line)
    rows += int(SendScintilla(SCI_WRAPCOUNT, line)) + int(SendScintilla(SCI_ANNOTATIONGETLINES, line));
  return rows * textHeight(0) + metrics::kMargin;
}

bool SqlEditor::focusNextPrevChild(bool next) {
  return QAbstractScrollArea::focusNextPrevChild(next);
}

void SqlEditor::changeEvent(QEvent* event) {
  QsciScintilla::changeEvent(event);
  if (event->type() != QEvent::PaletteChange && event->type() != QEvent::FontChange) return;
  m_oldLook = !isVisible();
  if (!m_oldLook) applyTheme();
}

void SqlEditor::showEvent(QShowEvent* event) {
  if (std::exchange(m_oldLook, false)) applyTheme();
  QsciScintilla::showEvent(event);
}

}  // namespace fathom
