// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/files/figure_export.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QDateTime>
#include <QImageWriter>
#include <QPageSize>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <QThread>
#include <cmath>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/files/atomic_file.h"
#include "views/figure/figure_picture.h"
#include "views/figure/figure_renderer.h"
#include "views/figure/pgf_writer.h"
#include "views/files/neighbour_file.h"
#include "views/files/pdf_letters.h"

namespace fathom {

namespace {

constexpr double kPageTolerance = 0.2;  // mm
constexpr int kUnitsPerInch = 96;

QString titleOf(const FigureSpec& spec) {
  return plainText(QString::fromStdString(spec.title.empty() ? spec.id : spec.title.english()));
}

// Qt writes the present moment and ignores SOURCE_DATE_EPOCH: the same number of bytes with the recipe's
// date.
Status fixDate(QByteArray& pdf, qint64 date) {
  const QByteArray key = "/CreationDate (D:";
  const qsizetype at = pdf.indexOf(key);
  const qsizetype end = at < 0 ? -1 : pdf.indexOf(')', at);
  const QByteArray digits =
      QDateTime::fromSecsSinceEpoch(date, Qt::UTC).toString(QStringLiteral("yyyyMMddHHmmss")).toLatin1();
  if (end < 0 || end - at - key.size() < digits.size())
    return internalError("the PDF writer wrote no creation date where it is expected");
  QByteArray text = digits + "+00'00'";
  const qsizetype room = end - at - key.size();
  text = text.left(room) + QByteArray(std::max<qsizetype>(0, room - text.size()), ' ');
  // A date of one byte more or less would move every offset of the file.
  if (room > digits.size() && room < text.trimmed().size())
    text = digits + QByteArray(room - digits.size(), ' ');
  pdf.replace(at + key.size(), room, text.left(room));
  return {};
}

Result<QByteArray> pdfBytes(FigureRenderer& renderer, const FigureSize& size, const ExportOptions& options) {
  QByteArray bytes;
  {
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setPdfVersion(QPagedPaintDevice::PdfVersion_1_6);
    writer.setResolution(kUnitsPerInch);
    writer.setCreator(QStringLiteral("Fathom"));
    writer.setTitle(titleOf(renderer.spec()));
    const QPageSize page(QSizeF(size.widthMm, size.heightMm), QPageSize::Millimeter, QStringLiteral("figure"),
                         QPageSize::ExactMatch);
    writer.setPageSize(page);
    writer.setPageMargins(QMarginsF(0, 0, 0, 0));
    const QSizeF got = writer.pageLayout().pageSize().size(QPageSize::Point) * 25.4 / 72;
    if (std::abs(got.width() - size.widthMm) > kPageTolerance ||
        std::abs(got.height() - size.heightMm) > kPageTolerance)
      return internalError("the PDF page became " + std::to_string(got.width()) + " x " +
                           std::to_string(got.height()) + " mm instead of " + std::to_string(size.widthMm) +
                           " x " + std::to_string(size.heightMm));
    renderer.paintTo(writer, unitSize(size), {true, false, 1});
  }
  FATHOM_CHECK(fixDate(bytes, options.date));
  nameDrawnLetters(bytes, renderer.texts(), renderer.style().families);
  return bytes;
}

QByteArray svgBytes(FigureRenderer& renderer, const FigureSize& size) {
  QByteArray bytes;
  {
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(kUnitsPerInch);
    generator.setSize(unitSize(size));
    generator.setViewBox(QRect(QPoint(0, 0), unitSize(size)));
    // The generator writes both as they are: "RealFormer <2>" would be a file that nobody opens.
    generator.setTitle(titleOf(renderer.spec()).toHtmlEscaped());
    generator.setDescription(
        plainText(QString::fromStdString(renderer.spec().summary.english())).toHtmlEscaped());
    renderer.paintTo(generator, unitSize(size), {true, true, 1});
  }
  return bytes;
}

Result<QByteArray> pngBytes(FigureRenderer& renderer, const FigureSize& size, const ExportOptions& options) {
  QImage image = figurePicture(renderer, size, options.pngDpi / kUnitsPerInch);
  if (image.isNull())
    return memoryError(Phrase::tr("no memory for a picture of that size"),
                       Phrase::tr("choose a lower resolution"));
  image.setDotsPerMeterX(static_cast<int>(std::lround(options.pngDpi / 0.0254)));
  image.setDotsPerMeterY(static_cast<int>(std::lround(options.pngDpi / 0.0254)));
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  QImageWriter writer(&buffer, "PNG");
  if (!writer.write(image))
    return diskError(Phrase::tr("the picture could not be encoded: %1")(writer.errorString().toStdString()));
  return bytes;
}

// The same checks for every format: those of the page as it is laid out.
Status checkPage(const FigureRenderer& renderer, const FigureSize& size, const ExportOptions& options) {
  const FigureChecks checks = figureChecks(renderer, size);
  if (options.found != nullptr) *options.found = checks;
  if (checks.sameTitles.isEmpty()) return {};
  return dataError(
      Phrase::tr("two panels have titles that read the same: %1")(checks.sameTitles.front().toStdString()),
      Phrase::tr("give the runs names of their own, or the panels titles; or make the page wider"));
}

// The renderer is a widget: made and used in the GUI thread only.
Result<QByteArray> drawnBytes(const FigureSpec& spec, const FigureStyle& style, FigureFormat format,
                              const ExportOptions& options) {
  constexpr double kLayoutOnly = 0.1;
  FigureRenderer renderer;
  FATHOM_CHECK(renderer.setFigure(spec, style));
  const FigureSize size = figureSize(spec, style);
  Result<QByteArray> bytes = QByteArray();
  if (format == FigureFormat::Pdf) bytes = pdfBytes(renderer, size, options);
  if (format == FigureFormat::Svg) bytes = svgBytes(renderer, size);
  if (format == FigureFormat::Png) bytes = pngBytes(renderer, size, options);
  if (format == FigureFormat::Pgf) (void)figurePicture(renderer, size, kLayoutOnly);
  if (!bytes.ok()) return bytes;
  FATHOM_CHECK(checkPage(renderer, size, options));
  return bytes;
}

Result<QByteArray> drawnInItsThread(const FigureSpec& spec, const FigureStyle& style, FigureFormat format,
                                    const ExportOptions& options) {
  QCoreApplication* application = QCoreApplication::instance();
  if (application == nullptr || QThread::currentThread() == application->thread())
    return drawnBytes(spec, style, format, options);
  std::optional<Result<QByteArray>> bytes;
  QMetaObject::invokeMethod(
      application, [&] { bytes.emplace(drawnBytes(spec, style, format, options)); },
      Qt::BlockingQueuedConnection);
  return std::move(*bytes);
}

// LaTeX draws it itself: all there is to do is to look whether it may be written.
Result<PgfFigure> writtenFigure(const FigureSpec& spec, const FigureStyle& style, const std::string& stem,
                                const ExportOptions& options) {
  FATHOM_TRY(const QByteArray none, drawnInItsThread(spec, style, FigureFormat::Pgf, options));
  return pgfFigure(spec, style, stem);
}

// Writes nothing where a neighbour may not be replaced.
Status writeTogether(const std::string& path, std::string_view bytes,
                     const std::vector<std::pair<std::string, std::string>>& beside, FigureChecks* found) {
  for (const auto& [name, content] : beside) FATHOM_CHECK(checkNeighbour(name));
  for (const auto& [name, content] : beside) FATHOM_CHECK(writeNeighbour(name, content));
  FATHOM_CHECK(writeNamedFile(path, bytes));
  if (found == nullptr) return {};
  found->files.push_back(path);
  for (const auto& [name, content] : beside) found->files.push_back(name);
  return {};
}

}  // namespace

Result<FigureFormat> figureFormatOf(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".pdf") return FigureFormat::Pdf;
  if (ending == ".svg") return FigureFormat::Svg;
  if (ending == ".png") return FigureFormat::Png;
  if (ending == ".tex") return FigureFormat::Pgf;
  return usageError(Phrase::tr("\"%1\" does not end in a format of figures")(path),
                    Phrase::tr(".pdf, .svg, .png or .tex"));
}

Result<QByteArray> figureBytes(const FigureSpec& spec, const FigureStyle& style, FigureFormat format,
                               const ExportOptions& options) {
  FATHOM_CHECK(checkFigure(spec));
  if (format == FigureFormat::Pgf) {
    FATHOM_TRY(const PgfFigure figure, writtenFigure(spec, style, "figure", options));
    return QByteArray::fromStdString(figure.tex);
  }
  FATHOM_CHECK(checkGlyphs(spec, style));
  return drawnInItsThread(spec, style, format, options);
}

Status exportFigure(const FigureSpec& spec, const FigureStyle& style, const std::string& path,
                    const ExportOptions& options) {
  FATHOM_TRY(const FigureFormat format, figureFormatOf(path));
  if (format == FigureFormat::Pgf) {
    FATHOM_CHECK(checkFigure(spec));
    const std::filesystem::path base(path);
    FATHOM_TRY(const PgfFigure figure, writtenFigure(spec, style, base.stem().string(), options));
    const std::string table = (base.parent_path() / (pgfStem(base.stem().string()) + ".dat")).string();
    std::vector<std::pair<std::string, std::string>> beside;
    if (!figure.data.empty()) beside.emplace_back(table, figure.data);
    for (const auto& [name, bytes] : figure.images)
      beside.emplace_back((base.parent_path() / name).string(), withOwnName(bytes));
    return writeTogether(path, figure.tex, beside, options.found);
  }
  FATHOM_TRY(const QByteArray bytes, figureBytes(spec, style, format, options));
  return writeTogether(path, std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())), {},
                       options.found);
}

Status writeNumbers(const std::string& figure, const std::string& csv, FigureChecks* found) {
  const std::string path = numbersBeside(figure);
  FATHOM_CHECK(path == figure ? writeNamedFile(path, csv) : writeNeighbour(path, csv));
  if (found != nullptr) found->files.push_back(path);
  return {};
}

}  // namespace fathom
