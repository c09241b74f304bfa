// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QString>

namespace fathom {

// "4 s ago", "3 min ago", "2 h ago", "5 d ago"; what is still to come, by another clock, is "0 s ago".
QString agoText(const QDateTime& at, const QDateTime& now);

}  // namespace fathom
