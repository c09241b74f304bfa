// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/look/name_text.h"

#include "core/base/errors/name_list.h"
#include "views/look/engine_text.h"

namespace fathom {

QString nameText(const QStringList& names) {
  std::vector<std::string> all;
  for (const QString& name : names) all.push_back(toUtf8(name));
  return phraseText(nameList(all));
}

}  // namespace fathom
