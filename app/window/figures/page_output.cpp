// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/figures/page_output.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QImage>
#include <QMimeData>
#include <QPrintDialog>
#include <QPrinter>
#include <memory>
#include <utility>

#include "app/recipes/figure_builder.h"
#include "app/window/files/export_notices.h"
#include "app/window/files/file_choice.h"
#include "app/window/files/written_file.h"
#include "app/window/jobs/job_center.h"
#include "app/window/jobs/project_service.h"
#include "views/figures/composition_page.h"
#include "views/files/figure_print.h"
#include "views/look/engine_text.h"
#include "views/panels/widgets/message_bar.h"

namespace fathom {

// A page of figures as it is painted.
struct DrawnPage {
  FigureSpec spec;
  FigureStyle style;
};

namespace {

const QString kCopying = QStringLiteral("figures copy");
const QString kPrinting = QStringLiteral("figures print");

struct WrittenPage {
  bool pinned = true;
  QStringList cut;
};

Result<DrawnPage> drawnPage(const FigureComposition& composition, std::vector<FigureSpec> figures) {
  FATHOM_TRY(auto style, compositionStyle(composition));
  FATHOM_TRY(auto page, composePage(compositionPage(composition, std::move(figures), style), style));
  return DrawnPage{std::move(page.spec), std::move(style)};
}

Result<std::unique_ptr<QMimeData>> picturesOf(const FigureComposition& composition,
                                              std::vector<FigureSpec> figures) {
  FATHOM_TRY(const DrawnPage page, drawnPage(composition, std::move(figures)));
  auto data = std::make_unique<QMimeData>();
  for (const auto& [format, type] :
       {std::pair{FigureFormat::Pdf, "application/pdf"}, std::pair{FigureFormat::Svg, "image/svg+xml"},
        std::pair{FigureFormat::Png, "image/png"}}) {
    FATHOM_TRY(const QByteArray bytes,
               figureBytes(page.spec, page.style, format, exportOptionsAt(composition.created)));
    data->setData(QString::fromLatin1(type), bytes);
    if (format == FigureFormat::Png) data->setImageData(QImage::fromData(bytes, "PNG"));
  }
  return data;
}

}  // namespace

void PageOutput::print(const FigureComposition& page, Figures figures) const {
  if (!figures) {
    m_messages->showNote(tr("A panel of the page has no data: it cannot be printed."));
    return;
  }
  auto drawn = drawnPage(page, *std::move(figures));
  if (!drawn.ok()) return m_messages->showError(drawn.error(), kPrinting);
  auto* dialog = new QPrintDialog(m_window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setOption(QAbstractPrintDialog::PrintPageRange, false);
  dialog->setWindowTitle(tr("Print the page"));
  dialog->printer()->setDocName(fromUtf8(page.name));
  dialog->printer()->setCreator(QStringLiteral("Fathom"));
  turnPaper(*dialog->printer(), figureSize(drawn->spec, drawn->style));
  QObject::connect(
      dialog, qOverload<QPrinter*>(&QPrintDialog::accepted), m_messages,
      [output = *this, shown = *std::move(drawn)](QPrinter* printer) { output.printOn(*printer, shown); });
  dialog->open();
}

void PageOutput::printOn(QPrinter& printer, const DrawnPage& page) const {
  const auto shrink = printFigure(page.spec, page.style, printer);
  if (!shrink.ok()) return m_messages->showError(shrink.error(), kPrinting);
  m_messages->closeErrors(kPrinting);
  const QString file = printer.outputFileName();
  QString note = file.isEmpty() ? tr("The page was sent to %1.").arg(printer.printerName())
                                : tr("%1 was written.").arg(file);
  if (*shrink < 1)
    note += QLatin1Char(' ') + tr("It is %1 % of its size, to fit the paper.").arg(qRound(100 * *shrink));
  m_messages->showNote(note);
}

void PageOutput::copy(const FigureComposition& page, Figures figures) const {
  if (!figures) {
    m_messages->showNote(tr("A panel of the page has no data: it cannot be copied."));
    return;
  }
  auto pictures = picturesOf(page, *std::move(figures));
  if (!pictures.ok()) return m_messages->showError(pictures.error(), kCopying);
  QGuiApplication::clipboard()->setMimeData(pictures->release());
  m_messages->closeErrors(kCopying);
  m_messages->showNote(tr("The page was copied as picture, SVG and PDF."));
}

void PageOutput::write(const FigureComposition& page, const Figures& figures, bool pinned,
                       QString file) const {
  if (file.isEmpty())
    file = m_files->figureToWrite(m_window, FileChoice::nameOf(fromUtf8(page.name)) + QStringLiteral(".pdf"),
                                  true, tr("Export the page"));
  if (file.isEmpty()) return;
  m_jobs->start<WrittenPage>(
      tr("Exporting the page"), kExportingPage,
      [project = toUtf8(m_service->path()), page, path = toUtf8(file), figures, pinned](
          Progress& progress, const StopToken& stop) -> Result<WrittenPage> {
        FigureChecks seen;
        if (figures) {
          FATHOM_CHECK(exportCompositionPage(page, *figures, path, &seen));
          return WrittenPage{pinned, seen.cut};
        }
        FATHOM_TRY(const auto builder, FigureBuilder::open(project));
        FATHOM_TRY(auto specs, builder->build(page, progress, stop));
        FATHOM_CHECK(exportCompositionPage(page, std::move(specs), path, &seen));
        return WrittenPage{builder->allPinned(), seen.cut};
      },
      [messages = m_messages, file](const Result<WrittenPage>& written) {
        if (!written.ok()) return messages->showError(written.error(), kExportingPage);
        QString note =
            tr("%1 was written, its numbers beside it as CSV.").arg(file) + ExportNotices::cut(written->cut);
        if (!written->pinned)
          note += QLatin1Char(' ') +
                  tr("A panel is not pinned: it shows what was computed last. Regenerate pins it.");
        WrittenFile::tell(messages, note, file);
      });
}

}  // namespace fathom
