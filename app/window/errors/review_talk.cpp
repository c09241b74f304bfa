// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/errors/review_talk.h"

#include <QFileInfo>

#include "app/window/errors/errors_workspace.h"
#include "app/window/files/export_notices.h"
#include "app/window/files/file_choice.h"
#include "core/base/files/atomic_file.h"
#include "core/record/runs/run_folder.h"
#include "views/files/latex_table.h"
#include "views/panels/errors/prediction_panel.h"
#include "views/panels/widgets/message_bar.h"

namespace fathom {

void ReviewTalk::report(const Status& status) const {
  const QString origin = QStringLiteral("errors");
  if (!status.ok()) return m_messages->showError(status.error(), origin);
  m_messages->closeErrors(origin);
}

void ReviewTalk::showRemarks(const QStringList& remarks) const {
  constexpr qsizetype kShown = 3;
  if (remarks.isEmpty()) return;
  QString text = remarks.mid(0, kShown).join(QLatin1Char('\n'));
  if (const qsizetype rest = remarks.size() - kShown; rest > 0)
    text += ErrorsWorkspace::tr("\n… and %1 more remarks").arg(rest);
  m_messages->showNote(text);
}

bool ReviewTalk::canHaveCategory(bool wrong) const {
  if (!wrong)
    m_messages->showNote(
        ErrorsWorkspace::tr("The metric counts this prediction as right: there is no error to name."));
  return wrong;
}

void ReviewTalk::goOn(const Status& set, PredictionPanel* list) const {
  report(set);
  if (set.ok() && !list->goWrong(1))
    m_messages->showNote(ErrorsWorkspace::tr("That was the last wrong prediction of this list."));
}

void ReviewTalk::goWrong(int direction, PredictionPanel* list) const {
  if (list->goWrong(direction)) return;
  m_messages->showNote(direction > 0 ? ErrorsWorkspace::tr("No wrong prediction follows in this list.")
                                     : ErrorsWorkspace::tr("No wrong prediction comes before in this list."));
}

Result<Phrase> ReviewTalk::keepRecipe(ProjectLibrary* library, FigureRecipe& recipe) {
  if (library == nullptr) return Phrase::words(toUtf8(ErrorsWorkspace::tr("no project is open")));
  return keepOrSayWhyNot(*library, recipe);
}

void ReviewTalk::exportFigure(Figure figure, QString file) const {
  FigureRecipe& recipe = figure.recipe;
  if (file.isEmpty())
    file = m_files->figureToWrite(m_window, fromUtf8(recipe.figure) + QStringLiteral(".pdf"));
  if (file.isEmpty()) return;
  recipe.name = toUtf8(QFileInfo(file).completeBaseName());
  recipe.created = isoTimeNow();
  recipe.review = figure.review(recipe.name);
  const auto notKept = figure.keep(recipe);
  if (!notKept.ok()) return report(notKept.error());
  const Status written = figure.write(recipe, toUtf8(file));
  report(written);
  if (written.ok()) m_messages->showNote(ExportNotices::figure(file, recipe.name, *notKept));
}

void ReviewTalk::exportTable(const std::function<PaperTable()>& table, const QString& name,
                             QString file) const {
  if (file.isEmpty()) file = m_files->tableToWrite(m_window, name);
  if (file.isEmpty()) return;
  const auto text = tableForFile(table(), toUtf8(file));
  const Status status = text.ok() ? writeNamedFile(toUtf8(file), *text) : Status(text.error());
  report(status);
  if (status.ok()) m_messages->showNote(ExportNotices::file(file));
}

}  // namespace fathom
