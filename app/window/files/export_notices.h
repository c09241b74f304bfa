// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QStringList>
#include <string>

#include "core/base/errors/phrase.h"

namespace fathom {

// Notes in which the window tells of files that it wrote.
class ExportNotices {
  Q_DECLARE_TR_FUNCTIONS(ExportNotices)
 public:
  static QString file(const QString& path);
  // `notKept` tells why the recipe of the figure is not kept, empty when it is.
  static QString figure(const QString& path, const std::string& recipe, const Phrase& notKept);
  // To be put behind one of these: texts that the place has no room for. Empty where there are none.
  static QString cut(const QStringList& texts);
};

}  // namespace fathom
