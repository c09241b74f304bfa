// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/look/ago_text.h"

#include <QCoreApplication>

namespace fathom {

QString agoText(const QDateTime& at, const QDateTime& now) {
  constexpr qint64 kMinute = 60, kHour = 60 * kMinute, kDay = 24 * kHour;
  const qint64 seconds = qMax<qint64>(0, at.secsTo(now));
  const auto said = [](const char* text, qint64 count) {
    return QCoreApplication::translate("AgoText", text).arg(count);
  };
  if (seconds < kMinute) return said(QT_TRANSLATE_NOOP("AgoText", "%1 s ago"), seconds);
  if (seconds < kHour) return said(QT_TRANSLATE_NOOP("AgoText", "%1 min ago"), seconds / kMinute);
  if (seconds < kDay) return said(QT_TRANSLATE_NOOP("AgoText", "%1 h ago"), seconds / kHour);
  return said(QT_TRANSLATE_NOOP("AgoText", "%1 d ago"), seconds / kDay);
}

}  // namespace fathom
