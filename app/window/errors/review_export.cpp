// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/errors/review_export.h"

#include <QFileInfo>

#include "app/window/errors/errors_workspace.h"
#include "app/window/files/export_notices.h"
#include "app/window/files/file_choice.h"
#include "core/base/files/atomic_file.h"
#include "core/record/runs/run_folder.h"
#include "views/files/latex_table.h"

namespace fathom {

Result<Phrase> ReviewExport::keepRecipe(ProjectLibrary* library, FigureRecipe& recipe) {
  if (library == nullptr) return Phrase::words(toUtf8(ErrorsWorkspace::tr("no project is open")));
  return keepOrSayWhyNot(*library, recipe);
}

void ReviewExport::writeFigure(Figure figure, QString file) const {
  FigureRecipe& recipe = figure.recipe;
  if (file.isEmpty())
    file = m_files->figureToWrite(m_window, fromUtf8(recipe.figure) + QStringLiteral(".pdf"));
  if (file.isEmpty()) return;
  recipe.name = toUtf8(QFileInfo(file).completeBaseName());
  recipe.created = isoTimeNow();
  recipe.review = figure.review(recipe.name);
  const auto notKept = figure.keep(recipe);
  if (!notKept.ok()) return m_messages.report(notKept.error());
  const Status written = figure.write(recipe, toUtf8(file));
  m_messages.report(written);
  if (written.ok()) m_messages.wrote(ExportNotices::figure(file, recipe.name, *notKept), file);
}

void ReviewExport::writeTable(const std::function<PaperTable()>& table, const QString& name,
                              QString file) const {
  if (file.isEmpty()) file = m_files->tableToWrite(m_window, name);
  if (file.isEmpty()) return;
  const auto text = tableForFile(table(), toUtf8(file));
  const Status status = text.ok() ? writeNamedFile(toUtf8(file), *text) : Status(text.error());
  m_messages.report(status);
  if (status.ok()) m_messages.wrote(ExportNotices::file(file), file);
}

}  // namespace fathom
