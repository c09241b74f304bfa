// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/look/foreign_text.h"

#include <QApplication>
#include <QEvent>
#include <QLabel>
#include <QScreen>

namespace fathom {

namespace {

// Qt breaks lines of a tip between words alone, and makes it as large as its text is.
void fitTip(QLabel* tip) {
  constexpr qsizetype kMostLetters = 1000, kLongestWord = 60;
  const QRect screen = tip->screen()->availableGeometry();
  if (tip->textFormat() != Qt::PlainText ||
      (tip->width() <= screen.width() && tip->height() <= screen.height()))
    return;
  QString fitted;
  qsizetype word = 0;
  for (const QChar letter : tip->text().left(kMostLetters)) {
    word = letter.isSpace() ? 0 : word + 1;
    fitted += letter;
    if (word >= kLongestWord && !letter.isHighSurrogate()) {
      fitted += QChar(0x200B);  // a place where the line may be broken
      word = 0;
    }
  }
  if (tip->text().size() > kMostLetters) fitted += u'…';
  tip->setWordWrap(true);
  tip->setText(fitted);
  tip->resize(tip->sizeHint().boundedTo(screen.size()));
}

}  // namespace

ForeignText::ForeignText(QObject* parent) : QObject(parent) {
  qApp->installEventFilter(this);
}

// A widget is polished once, before its first size is asked for, and a tool tip before it has its text.
bool ForeignText::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Polish) {
    auto* label = qobject_cast<QLabel*>(watched);
    if (label != nullptr && label->textFormat() == Qt::AutoText) label->setTextFormat(Qt::PlainText);
  }
  if (event->type() == QEvent::Resize && watched->inherits("QTipLabel"))
    fitTip(static_cast<QLabel*>(watched));
  return QObject::eventFilter(watched, event);
}

QString literalMarkdown(const QString& text) {
  QString literal;
  literal.reserve(2 * text.size());
  for (const QChar character : text) {
    const char16_t code = character.unicode();
    if (code < u' ' || code == QChar::LineSeparator || code == QChar::ParagraphSeparator) {
      if (!literal.isEmpty() && !literal.endsWith(u' ')) literal += u' ';
      continue;
    }
    if (code == u' ' && literal.isEmpty()) continue;  // four of them would begin a block of code
    if (code < 0x80 && character.isPrint() && !character.isLetterOrNumber() && code != u' ') literal += u'\\';
    literal += character;
  }
  return literal;
}

QString literalActionText(QString text) {
  return text.replace(u'&', QStringLiteral("&&")).replace(u'\t', u' ');
}

}  // namespace fathom
