// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/files/export_notices.h"

#include "views/look/engine_text.h"

namespace fathom {

QString ExportNotices::file(const QString& path) {
  return tr("%1 was written.").arg(path);
}

QString ExportNotices::figure(const QString& path, const std::string& recipe, const Phrase& notKept) {
  if (notKept.empty())
    return tr("%1 was written; its recipe is kept in the project as “%2”.").arg(path, fromUtf8(recipe));
  return tr("%1 was written, but its recipe is not kept: %2.").arg(path, phraseText(notKept));
}

QString ExportNotices::cut(const QStringList& texts) {
  if (texts.isEmpty()) return {};
  return QLatin1Char(' ') + tr("Texts that are cut: %1.").arg(texts.join(QStringLiteral(", ")));
}

}  // namespace fathom
