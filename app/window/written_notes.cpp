// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/written_notes.h"

#include "views/look/engine_text.h"

namespace fathom {

QString WrittenNotes::file(const QString& path) {
  return tr("%1 was written.").arg(path);
}

QString WrittenNotes::figure(const QString& path, const std::string& recipe, const Phrase& notKept) {
  if (notKept.empty())
    return tr("%1 was written; its recipe is kept in the project as “%2”.").arg(path, fromUtf8(recipe));
  return tr("%1 was written, but its recipe is not kept: %2.").arg(path, phraseText(notKept));
}

QString WrittenNotes::cut(const QStringList& texts) {
  if (texts.isEmpty()) return {};
  return QLatin1Char(' ') + tr("Texts that are cut: %1.").arg(texts.join(QStringLiteral(", ")));
}

}  // namespace fathom
