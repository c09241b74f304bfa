// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/look/name_text.h"

#include <QLocale>

#include "core/base/errors/name_list.h"
#include "views/look/engine_text.h"

namespace fathom {

QString nameText(const QStringList& names) {
  std::vector<std::string> all;
  for (const QString& name : names) all.push_back(toUtf8(name));
  return phraseText(nameList(all));
}

QString sizeText(quint64 bytes) {
  return QLocale().formattedDataSize(qint64(bytes), 1, QLocale::DataSizeSIFormat);
}

}  // namespace fathom
