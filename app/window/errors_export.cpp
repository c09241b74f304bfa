// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFileInfo>

#include "app/window/errors_workspace.h"
#include "app/window/file_choice.h"
#include "app/window/project_service.h"
#include "core/base/atomic_file.h"
#include "core/record/run_folder.h"
#include "views/panels/comparison_panel.h"
#include "views/panels/engine_text.h"
#include "views/panels/message_bar.h"

// Figures and tables of the comparison as files.
namespace fathom {

void ErrorsWorkspace::exportFigure(QString file) {
  if (m_review->empty()) return;
  FigureRecipe recipe = m_comparison->recipe();
  if (file.isEmpty())
    file = m_files->toWrite(m_window, FileKind::Figure, tr("Export figure"),
                            fromUtf8(recipe.figure) + QStringLiteral(".pdf"),
                            tr("Figures (*.pdf *.svg *.png *.tex);;Numbers (*.csv)"));
  if (file.isEmpty()) return;
  recipe.name = toUtf8(QFileInfo(file).completeBaseName());
  recipe.created = isoTimeNow();
  recipe.review = storedReviewOf(m_review->review(), m_review->sources(), recipe.name).toJson();
  Status status =
      exportReviewRecipe(recipe, {m_review->review(), m_review->judgements().categories()}, toUtf8(file));
  if (status.ok() && m_review->canBeChanged()) {
    auto library = ProjectLibrary::open(toUtf8(m_service->path()));
    if (library.ok()) {
      const auto kept = saveFigureRecipe(**library, recipe);
      if (!kept.ok()) status = kept.error();
    } else {
      status = library.error();
    }
  }
  report(status);
  if (status.ok())
    m_messages->showNote(
        tr("%1 was written; its recipe is kept in the project as “%2”.").arg(file, fromUtf8(recipe.name)));
}

void ErrorsWorkspace::exportTable(QString file) {
  if (m_review->empty()) return;
  if (file.isEmpty())
    file = m_files->toWrite(m_window, FileKind::Table, tr("Export table"), QStringLiteral("table.tex"),
                            tr("Tables (*.tex *.csv *.md)"));
  if (file.isEmpty()) return;
  const PaperTable& table = m_comparison->shownTable();
  const auto text = file.endsWith(QLatin1String(".csv"))  ? csvTable(table)
                    : file.endsWith(QLatin1String(".md")) ? markdownTable(table)
                                                          : latexTable(table);
  const Status status = text.ok() ? writeFileAtomically(toUtf8(file), *text) : Status(text.error());
  report(status);
  if (status.ok()) m_messages->showNote(tr("%1 was written.").arg(file));
}

}  // namespace fathom
