// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFileInfo>

#include "app/window/errors/errors_workspace.h"
#include "app/window/file_choice.h"
#include "app/window/project_service.h"
#include "core/base/atomic_file.h"
#include "core/record/run_folder.h"
#include "views/look/engine_text.h"
#include "views/panels/errors/comparison_panel.h"
#include "views/panels/widgets/message_bar.h"

// Figures and tables of the comparison as files.
namespace fathom {

namespace {

// "" or why the recipe is not kept.
Result<std::string> keepRecipe(const ProjectService& service, FigureRecipe& recipe) {
  if (!service.isOpen()) return toUtf8(ErrorsWorkspace::tr("no project is open"));
  const auto library = ProjectLibrary::open(toUtf8(service.path()));
  return library.ok() ? keepOrSayWhyNot(**library, recipe) : Result<std::string>(library.error().text());
}

}  // namespace

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
  const auto notKept = keepRecipe(*m_service, recipe);
  if (!notKept.ok()) return report(notKept.error());
  const Status written =
      exportReviewRecipe(recipe, {m_review->review(), m_review->judgements().categories()}, toUtf8(file));
  report(written);
  if (!written.ok()) return;
  m_messages->showNote(
      notKept->empty()
          ? tr("%1 was written; its recipe is kept in the project as “%2”.").arg(file, fromUtf8(recipe.name))
          : tr("%1 was written, but its recipe is not kept: %2.").arg(file, fromUtf8(*notKept)));
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
  const Status status = text.ok() ? writeNamedFile(toUtf8(file), *text) : Status(text.error());
  report(status);
  if (status.ok()) m_messages->showNote(tr("%1 was written.").arg(file));
}

}  // namespace fathom
