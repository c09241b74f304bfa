// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/engine_text.h"

#include <QCoreApplication>

namespace fathom {

QString engineText(const std::string& text) {
  if (text.empty()) return {};
  return QCoreApplication::translate("Engine", text.c_str());
}

}  // namespace fathom
