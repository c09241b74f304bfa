// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/errors/review_messages.h"

#include "app/window/errors/errors_workspace.h"
#include "app/window/files/written_file.h"
#include "views/panels/errors/prediction_panel.h"
#include "views/panels/widgets/message_bar.h"

namespace fathom {

void ReviewMessages::report(const Status& status) const {
  const QString origin = QStringLiteral("errors");
  if (!status.ok()) return m_bar->showError(status.error(), origin);
  m_bar->closeErrors(origin);
}

void ReviewMessages::note(const QString& text) const {
  m_bar->showNote(text);
}

void ReviewMessages::wrote(const QString& text, const QString& file) const {
  WrittenFile::tell(m_bar, text, file);
}

void ReviewMessages::showRemarks(const QStringList& remarks) const {
  constexpr qsizetype kShown = 3;
  if (remarks.isEmpty()) return;
  QString text = remarks.mid(0, kShown).join(QLatin1Char('\n'));
  if (const qsizetype rest = remarks.size() - kShown; rest > 0)
    text += ErrorsWorkspace::tr("\n… and %1 more remarks").arg(rest);
  m_bar->showNote(text);
}

bool ReviewMessages::canHaveCategory(bool wrong) const {
  if (!wrong)
    m_bar->showNote(
        ErrorsWorkspace::tr("The metric counts this prediction as right: there is no error to name."));
  return wrong;
}

void ReviewMessages::goOn(const Status& set, PredictionPanel* list) const {
  report(set);
  if (set.ok() && !list->goWrong(1))
    m_bar->showNote(ErrorsWorkspace::tr("That was the last wrong prediction of this list."));
}

void ReviewMessages::goWrong(int direction, PredictionPanel* list) const {
  if (list->goWrong(direction)) return;
  m_bar->showNote(direction > 0 ? ErrorsWorkspace::tr("No wrong prediction follows in this list.")
                                : ErrorsWorkspace::tr("No wrong prediction comes before in this list."));
}

}  // namespace fathom
