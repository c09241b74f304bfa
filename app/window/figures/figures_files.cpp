// SPDX-License-Identifier: GPL-3.0-or-later
// What the Figures workspace writes: pages into the project, into files and into the clipboard.
#include <QClipboard>
#include <QGuiApplication>
#include <QMimeData>
#include <algorithm>
#include <utility>

#include "app/window/figures/figures_workspace.h"
#include "app/window/file_choice.h"
#include "app/window/job_center.h"
#include "app/window/project_service.h"
#include "views/figure/figure_picture.h"
#include "views/figures/composition_page.h"
#include "views/look/engine_text.h"
#include "views/panels/figures/page_view.h"
#include "views/panels/widgets/message_bar.h"

namespace fathom {

namespace {
const QString kCopying = QStringLiteral("figures copy");
const QString kExporting = QStringLiteral("figures export");
}  // namespace

void FiguresWorkspace::store(const Wanted& before, const Wanted& after) {
  const std::string uuid = after ? after->uuid : before ? before->uuid : std::string();
  if (uuid.empty()) return;
  auto& known = m_shelf.compositions;
  const auto at = std::find_if(known.begin(), known.end(),
                               [&](const FigureComposition& each) { return each.uuid == uuid; });
  const bool renamed =
      at == known.end() || !after || at->name != after->name || at->panels.size() != after->panels.size();
  if (!after) {
    if (at != known.end()) known.erase(at);
  } else if (at == known.end()) {
    known.push_back(*after);
  } else {
    *at = *after;
  }
  if (renamed) fillList();
  m_pending.insert(fromUtf8(uuid), after);
  writePending();
}

// One after the other, so that an older state never comes last.
void FiguresWorkspace::writePending() {
  if (m_writing || m_pending.isEmpty()) return;
  m_writing = true;
  const auto pending = std::exchange(m_pending, {});
  m_jobs->start<bool>(
      tr("Storing the page"), {},
      [project = toUtf8(m_service->path()), pending](Progress&, const StopToken&) -> Result<bool> {
        FATHOM_TRY(const auto library, ProjectLibrary::open(project));
        for (auto it = pending.cbegin(); it != pending.cend(); ++it) {
          if (it.value()) {
            FATHOM_TRY(const auto uuid, saveFigureComposition(*library, *it.value()));
          } else {
            (void)removeFigureComposition(*library, toUtf8(it.key()));  // one that was never stored
          }
        }
        return true;
      },
      [this](const Result<bool>& written) {
        m_writing = false;
        if (!written.ok()) m_messages->showError(written.error());
        writePending();
      });
}

void FiguresWorkspace::keep() {
  if (!m_service->isOpen() || m_pending.isEmpty()) return;
  const auto library = ProjectLibrary::open(toUtf8(m_service->path()));
  if (!library.ok()) return m_messages->showError(library.error());
  for (auto it = m_pending.cbegin(); it != m_pending.cend(); ++it) {
    if (it.value()) {
      if (const auto kept = saveFigureComposition(**library, *it.value()); !kept.ok())
        m_messages->showError(kept.error());
    } else {
      (void)removeFigureComposition(**library, toUtf8(it.key()));
    }
  }
  m_pending.clear();
}

void FiguresWorkspace::copyPage() {
  if (!m_open || !m_page->hasPage()) return;
  std::vector<FigureSpec> specs;
  for (const CompositionPanel& panel : m_open->panels) {
    const auto known = m_built.find(recipeKey(panel.recipe));
    if (known == m_built.end() || !known->second.spec.ok()) {
      m_messages->showNote(tr("A panel of the page has no data: it cannot be copied."));
      return;
    }
    specs.push_back(*known->second.spec);
  }
  const auto style = compositionStyle(*m_open);
  if (!style.ok()) return m_messages->showError(style.error(), kCopying);
  const auto page = composePage(compositionPage(*m_open, std::move(specs), *style), *style);
  if (!page.ok()) return m_messages->showError(page.error(), kCopying);
  auto* data = new QMimeData;
  for (const auto& [format, type] :
       {std::pair{FigureFormat::Pdf, "application/pdf"}, std::pair{FigureFormat::Svg, "image/svg+xml"},
        std::pair{FigureFormat::Png, "image/png"}}) {
    const auto bytes = figureBytes(page->spec, *style, format, exportOptionsAt(m_open->created));
    if (!bytes.ok()) {
      delete data;
      return m_messages->showError(bytes.error(), kCopying);
    }
    data->setData(QString::fromLatin1(type), *bytes);
    if (format == FigureFormat::Png) data->setImageData(QImage::fromData(*bytes, "PNG"));
  }
  QGuiApplication::clipboard()->setMimeData(data);
  m_messages->closeErrors(kCopying);
  m_messages->showNote(tr("The page was copied as picture, SVG and PDF."));
}

void FiguresWorkspace::exportPage(QString file) {
  if (!m_open || m_open->panels.empty()) return;
  if (file.isEmpty())
    file = m_files->toWrite(
        m_window, FileKind::Figure, tr("Export the page"),
        QString(fromUtf8(m_open->name)).replace(QLatin1Char('/'), QLatin1Char('-')) + QStringLiteral(".pdf"),
        tr("Figures (*.pdf *.svg *.png *.tex);;Numbers (*.csv)"));
  if (file.isEmpty()) return;
  m_jobs->start<bool>(
      tr("Exporting the page"), kExporting,
      [project = toUtf8(m_service->path()), composition = *m_open, path = toUtf8(file)](
          Progress& progress, const StopToken& stop) -> Result<bool> {
        FATHOM_TRY(const auto builder, FigureBuilder::open(project));
        FATHOM_TRY(auto specs, builder->build(composition, progress, stop));
        FATHOM_CHECK(exportCompositionPage(composition, std::move(specs), path));
        return builder->allPinned();
      },
      [this, file](const Result<bool>& pinned) {
        if (!pinned.ok()) return m_messages->showError(pinned.error(), kExporting);
        QString note = tr("%1 was written, its numbers beside it as CSV.").arg(file);
        if (!*pinned)
          note += QLatin1Char(' ') +
                  tr("A panel is not pinned: it shows what was computed last. Regenerate pins it.");
        m_messages->showNote(note);
      });
}

}  // namespace fathom
