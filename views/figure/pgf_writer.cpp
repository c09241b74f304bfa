// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figure/pgf_writer.h"

#include <cctype>
#include <cmath>
#include <string_view>

#include "views/figure/figure_layout.h"
#include "views/figure/pgf_frame.h"
#include "views/figure/pgf_marks.h"

namespace fathom {

namespace {

std::string axisOptions(const FigureAxis& axis, char name, const AxisRange& range) {
  const std::string n(1, name);
  const AxisMap map(axis);
  const bool units = axis.scale == AxisScale::Symlog;
  std::string text = "  " + n + "min=" + pgfNumber(units ? range.low : map.fromUnit(range.low)) + ", " + n +
                     "max=" + pgfNumber(units ? range.high : map.fromUnit(range.high));
  if (axis.scale == AxisScale::Log) text += ", " + n + "mode=log";
  if (axis.reversed) text += ", " + n + " dir=reverse";
  return text + ",\n";
}

std::string panelText(const FigurePanel& panel, const FigureLayout& layout, std::size_t index,
                      const PanelRanges& ranges, const MarkCanvas& canvas, PgfMarks& marks) {
  const auto mm = [](double units) { return pgfNumber(units / 96 * 25.4) + "mm"; };
  const QRectF& area = layout.panels[index].area;
  std::string text =
      "\\begin{axis}[\n  at={(" + mm(area.left()) + "," + mm(layout.size.height() - area.bottom()) +
      ")}, anchor=south west, scale only axis, hide axis,\n  width=" + mm(area.width()) +
      ", height=" + mm(area.height()) +
      ", enlargelimits=false, clip mode=individual, clip marker paths=false, unbounded coords=jump,\n";
  text += axisOptions(panel.x, 'x', ranges.x) + axisOptions(panel.y, 'y', ranges.y) + "]\n";
  for (const FigureMark& mark : panel.marks) text += marks.plot(mark, canvas);
  return text + "\\end{axis}\n";
}

// TeX looks for files where the document is, not beside the file that names them.
std::string folderDefinition(const std::string& picture) {
  if (picture.find("\\fathomfolder") == std::string::npos) return {};
  return "% The files beside this one are found by the path in \\input; LaTeX before 2021 needs\n"
         "% \\newcommand\\fathomfolder{path/} before it where this file lies in another folder than the "
         "document.\n"
         "\\ifdefined\\fathomfolder\\else\\def\\fathomfolder{}"
         "\\ifdefined\\CurrentFilePath\\ifx\\CurrentFilePath\\empty\\else"
         "\\edef\\fathomfolder{\\CurrentFilePath/}\\fi\\fi\\fi%\n";
}

}  // namespace

std::string pgfStem(const std::string& stem) {
  constexpr std::string_view kPlain = "-_.+=() ";
  std::string plain;
  for (const char c : stem) {
    const auto byte = static_cast<unsigned char>(c);
    const bool letter = byte >= 0x80 || std::isalnum(byte) != 0;
    const bool secondBlank = c == ' ' && (plain.empty() || plain.back() == ' ');
    if (letter || (kPlain.find(c) != std::string_view::npos && !secondBlank)) {
      plain += c;
      continue;
    }
    constexpr char kDigits[] = "0123456789abcdef";
    plain += {'x', kDigits[byte / 16], kDigits[byte % 16]};
  }
  return plain;
}

PgfFigure pgfFigure(const FigureSpec& spec, const FigureStyle& style, const std::string& stem) {
  const FigureSize size = figureSize(spec, style);
  // Whole units, as every other export.
  const QSizeF units(std::round(unitsOfMm(size.widthMm)), std::round(unitsOfMm(size.heightMm)));
  std::vector<PanelRanges> ranges;
  for (const FigurePanel& panel : spec.panels)
    ranges.push_back({panelRange(panel, true), panelRange(panel, false)});
  FigureLayout layout = layOutFigure(spec, style, units, ranges);
  layout.size = QSizeF(unitsOfMm(size.widthMm), unitsOfMm(size.heightMm));
  PgfMarks marks(style, pgfStem(stem));
  const PgfFrame frame(spec, style, layout, ranges);
  std::string picture = frame.head();
  for (std::size_t i = 0; i < spec.panels.size(); ++i) {
    const MarkCanvas canvas = panelCanvas(spec.panels[i], style, layout.panels[i].area, ranges[i]);
    picture +=
        frame.below(i) + panelText(spec.panels[i], layout, i, ranges[i], canvas, marks) + frame.above(i);
  }
  picture += "\\end{tikzpicture}";
  PgfFigure figure;
  // In a group: the definitions end with the figure.
  figure.tex =
      "% " +
      plainText(QString::fromStdString(spec.title.empty() ? spec.id : spec.title.english())).toStdString() +
      "\n% Preamble: \\usepackage{pgfplots} \\pgfplotsset{compat=1.17}\n" + "\\begingroup%\n" +
      latexLetters(picture) + folderDefinition(picture) + pgfMarkers(picture) + picture + "%\n\\endgroup\n";
  figure.data = marks.table();
  figure.images = marks.images();
  return figure;
}

}  // namespace fathom
