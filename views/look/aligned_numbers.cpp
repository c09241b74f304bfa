// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/look/aligned_numbers.h"

#include <QLocale>

namespace fathom {

namespace {

constexpr QChar kDigitWide(0x2007), kPointWide(0x2008);

struct Parts {
  QString number, remark;  // "27.31", "1,200" of "(1,200)"
  qsizetype tail = 0;      // characters from the decimal point on
};

Parts partsOf(const QString& text) {
  Parts parts{text, {}, 0};
  if (const qsizetype open = text.lastIndexOf(QStringLiteral(" (")); open > 0 && text.endsWith(u')')) {
    parts.number = text.left(open);
    parts.remark = text.mid(open + 2).chopped(1);
  }
  const qsizetype point = parts.number.lastIndexOf(QLocale().decimalPoint());
  if (point >= 0) parts.tail = parts.number.size() - point;
  return parts;
}

}  // namespace

QStringList alignedNumbers(QStringList texts) {
  QVector<Parts> all;
  qsizetype tail = 0, remark = 0;
  for (const QString& text : texts) {
    all.append(partsOf(text));
    tail = qMax(tail, all.last().tail);
    remark = qMax(remark, all.last().remark.size());
  }
  for (qsizetype i = 0; i < texts.size(); ++i) {
    const Parts& parts = all[i];
    if (texts[i].isEmpty()) continue;
    QString text = parts.number;
    if (parts.tail == 0 && tail > 0) text += kPointWide;
    text += QString(tail > 0 ? tail - qMax<qsizetype>(parts.tail, 1) : 0, kDigitWide);
    if (!parts.remark.isEmpty())
      text += QStringLiteral(" (") + QString(remark - parts.remark.size(), kDigitWide) + parts.remark + u')';
    else if (remark > 0)
      text += QStringLiteral(" ") + kPointWide + QString(remark, kDigitWide) + kPointWide;
    texts[i] = text;
  }
  return texts;
}

}  // namespace fathom
