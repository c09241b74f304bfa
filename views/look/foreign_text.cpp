// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/look/foreign_text.h"

#include <QApplication>
#include <QEvent>
#include <QLabel>

namespace fathom {

ForeignText::ForeignText(QObject* parent) : QObject(parent) {
  qApp->installEventFilter(this);
}

// A widget is polished once, before its first size is asked for, and a tool tip before it has its text.
bool ForeignText::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Polish) {
    auto* label = qobject_cast<QLabel*>(watched);
    if (label != nullptr && label->textFormat() == Qt::AutoText) label->setTextFormat(Qt::PlainText);
  }
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
