// SPDX-License-Identifier: Apache-2.0
#include "tests/golden/support_page_inspection.h"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <algorithm>
#include <cmath>
#include <vector>

#include "views/files/figure_export.h"

namespace fathom::test {

namespace {

constexpr qint64 kDate = 1767225600;  // 2026-01-01
constexpr double kOverlap = 0.5;      // points

QString outputOf(const QString& program, const QStringList& arguments) {
  QProcess process;
  process.start(program, arguments);
  process.waitForFinished(60000);
  return QString::fromUtf8(process.readAllStandardOutput());
}

struct Word {
  QRectF box;
  QString text;
};

std::vector<Word> wordsOf(const QString& page) {
  std::vector<Word> words;
  auto found = QRegularExpression(QStringLiteral("<word xMin=\"([-\\d.]+)\" yMin=\"([-\\d.]+)\" "
                                                 "xMax=\"([-\\d.]+)\" yMax=\"([-\\d.]+)\">(.*?)</word>"))
                   .globalMatch(page);
  while (found.hasNext()) {
    const auto match = found.next();
    words.push_back({QRectF(QPointF(match.captured(1).toDouble(), match.captured(2).toDouble()),
                            QPointF(match.captured(3).toDouble(), match.captured(4).toDouble())),
                     match.captured(5)});
  }
  return words;
}

// Heat maps of more cells than are drawn one by one.
bool hasRaster(const FigureSpec& spec) {
  constexpr int kVectorCells = 64;
  for (const FigurePanel& panel : spec.panels)
    for (const FigureMark& mark : panel.marks) {
      if (std::holds_alternative<ImageMark>(mark.shape)) return true;
      const auto* cells = std::get_if<CellsMark>(&mark.shape);
      if (cells != nullptr && (cells->rows > kVectorCells || cells->columns > kVectorCells)) return true;
    }
  return false;
}

// `page` is what pdftotext writes about one page.
QString wordProblem(const QString& page, const FigureSize& size) {
  const auto found =
      QRegularExpression(QStringLiteral("<page width=\"([\\d.]+)\" height=\"([\\d.]+)\"")).match(page);
  if (!found.hasMatch()) return QStringLiteral("pdftotext finds no page");
  const QSizeF paper(found.captured(1).toDouble(), found.captured(2).toDouble());
  if (std::abs(paper.width() / 72 * 25.4 - size.widthMm) >= 0.2 ||
      std::abs(paper.height() / 72 * 25.4 - size.heightMm) >= 0.2)
    return QStringLiteral("the page is %1 x %2 pt").arg(paper.width()).arg(paper.height());
  const std::vector<Word> words = wordsOf(page);
  if (words.empty()) return QStringLiteral("there is no text");
  const QRectF room(-kOverlap, -kOverlap, paper.width() + 2 * kOverlap, paper.height() + 2 * kOverlap);
  QStringList problems;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!room.contains(words[i].box)) problems.append(words[i].text + QStringLiteral(" leaves the page"));
    for (std::size_t k = 0; k < i; ++k) {
      const QRectF common = words[i].box.intersected(words[k].box);
      if (common.isEmpty() || std::min(common.width(), common.height()) <= kOverlap) continue;
      problems.append(QStringLiteral("%1 on %2 by %3 x %4 pt")
                          .arg(words[i].text, words[k].text)
                          .arg(common.width())
                          .arg(common.height()));
    }
  }
  return problems.mid(0, 4).join(QStringLiteral("; "));
}

QString textOf(const QString& path) {
  return outputOf(QStringLiteral("pdftotext"), {QStringLiteral("-bbox"), path, QStringLiteral("-")});
}

// One page of exactly the figure's size for each of the files, in LaTeX's own fonts.
QString latexDocument(const std::vector<LatexFigure>& figures) {
  QString text = QStringLiteral(
      "\\documentclass{article}\\usepackage{pgfplots}\\pgfplotsset{compat=1.17}\\begin{document}\n"
      "\\hoffset=-1in \\voffset=-1in \\parindent=0pt\n");
  for (std::size_t i = 0; i < figures.size(); ++i)
    text += QStringLiteral(
                "\\setbox1\\hbox{\\input{f%1.tex}}\\pdfpagewidth=\\wd1 "
                "\\pdfpageheight=\\dimexpr\\ht1+\\dp1\\relax\n"
                "\\shipout\\vbox{\\box1}\n")
                .arg(i);
  return text + QStringLiteral("\\end{document}\n");
}

QString fontProblem(const QString& path) {
  // Columns: name type encoding emb sub uni object.
  const QStringList fonts =
      outputOf(QStringLiteral("pdffonts"), {path}).split(u'\n', Qt::SkipEmptyParts).mid(2);
  if (fonts.isEmpty()) return QStringLiteral("there is no font");
  const QRegularExpression embedded(QStringLiteral("\\s(yes)\\s+(yes|no)\\s+(yes|no)\\s"));
  for (const QString& font : fonts)
    if (font.contains(QLatin1String("Type 3")) || !embedded.match(font).hasMatch()) return font;
  return {};
}

}  // namespace

bool isExtremeStyle(const QString& style) {
  return style == QLatin1String("acl") || style == QLatin1String("aaai_wide") ||
         style == QLatin1String("slide");
}

bool installed(std::initializer_list<const char*> programs) {
  return std::all_of(programs.begin(), programs.end(), [](const char* program) {
    return !QStandardPaths::findExecutable(QLatin1String(program)).isEmpty();
  });
}

bool installedTexFile(const char* name) {
  return !outputOf(QStringLiteral("kpsewhich"), {QLatin1String(name)}).trimmed().isEmpty();
}

QString pdfProblem(const FigureSpec& spec, const FigureStyle& style, const QString& path,
                   const QString& name) {
  const Status status = exportFigure(spec, style, path.toStdString(), {kDate, 300});
  if (!status.ok()) return QString::fromStdString(status.error().text());
  if (const QString folder = qEnvironmentVariable("FATHOM_PICTURES"); !folder.isEmpty())
    QFile::copy(path, QDir(folder).filePath(name + QStringLiteral(".pdf")));
  if (const QString problem = fontProblem(path); !problem.isEmpty()) return problem;
  const QStringList images = outputOf(QStringLiteral("pdfimages"), {QStringLiteral("-list"), path})
                                 .split(u'\n', Qt::SkipEmptyParts)
                                 .mid(2);
  if (!hasRaster(spec) && !images.isEmpty()) return images.join(u'\n');
  return wordProblem(textOf(path), figureSize(spec, style));
}

QString svgProblem(const FigureSpec& spec, const FigureStyle& style, const QString& path) {
  const Status status = exportFigure(spec, style, path.toStdString(), {kDate, 300});
  if (!status.ok()) return QString::fromStdString(status.error().text());
  const QString png = path + QStringLiteral(".png");
  QFile::remove(png);
  outputOf(QStringLiteral("rsvg-convert"), {QStringLiteral("-o"), png, path});
  const QImage image(png);
  if (image.isNull()) return QStringLiteral("librsvg does not open it");
  const FigureSize size = figureSize(spec, style);
  if (std::abs(image.width() * 1.0 / image.height() - size.widthMm / size.heightMm) >= 0.02)
    return QStringLiteral("%1 x %2 pixels").arg(image.width()).arg(image.height());
  int dark = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) {
      const QColor colour = image.pixelColor(x, y);
      dark += colour.alpha() > 128 && colour.lightness() < 128 ? 1 : 0;
    }
  return dark > 100 ? QString() : QStringLiteral("nothing is drawn: %1 dark pixels").arg(dark);
}

QString latexProblem(const std::vector<LatexFigure>& figures, const QString& folder) {
  const QDir place(folder);
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const QString path = place.filePath(QStringLiteral("f%1.tex").arg(i));
    const Status status = exportFigure(figures[i].spec, figures[i].style, path.toStdString(), {kDate, 300});
    if (!status.ok())
      return figures[i].name + QStringLiteral(": ") + QString::fromStdString(status.error().text());
  }
  QFile document(place.filePath(QStringLiteral("pages.tex")));
  if (!document.open(QIODevice::WriteOnly)) return document.errorString();
  document.write(latexDocument(figures).toUtf8());
  document.close();
  QProcess latex;
  latex.setWorkingDirectory(folder);
  latex.start(QStringLiteral("pdflatex"), {QStringLiteral("-interaction=nonstopmode"),
                                           QStringLiteral("-halt-on-error"), QStringLiteral("pages.tex")});
  if (!latex.waitForFinished(280000) || latex.exitCode() != 0)
    return QString::fromUtf8(latex.readAllStandardOutput()).section(QStringLiteral("\n!"), 1).left(1500);
  const QString pdf = place.filePath(QStringLiteral("pages.pdf"));
  if (const QString pictures = qEnvironmentVariable("FATHOM_PICTURES"); !pictures.isEmpty())
    QFile::copy(pdf, QDir(pictures).filePath(QStringLiteral("latex_%1.pdf").arg(figures.front().name)));
  QStringList pages = textOf(pdf).split(QStringLiteral("<page "));
  pages.removeFirst();
  if (pages.size() != qsizetype(figures.size()))
    return QStringLiteral("LaTeX made %1 pages").arg(pages.size());
  QStringList problems;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const QString problem = wordProblem(QStringLiteral("<page ") + pages[qsizetype(i)],
                                        figureSize(figures[i].spec, figures[i].style));
    if (!problem.isEmpty()) problems.append(figures[i].name + QStringLiteral(": ") + problem);
  }
  return problems.join(u'\n');
}

}  // namespace fathom::test
