// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figure/figure_csv.h"

#include <QString>
#include <charconv>
#include <cmath>

#include "core/base/text/csv.h"
#include "views/figure/axis_scale.h"
#include "views/figure/figure_text.h"

namespace fathom {

namespace {

std::string number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  char text[32];
  return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
}

std::string number(const std::optional<double>& value) {
  return value ? number(*value) : std::string();
}

std::string plain(const std::string& markup) {
  return csvField(plainText(QString::fromStdString(markup)).toStdString());
}

// The cells of a line behind "series".
struct CsvLine {
  std::string cellRow{}, cellColumn{}, x{}, y{}, endX{}, endY{}, value{}, low{}, high{};
};

class CsvWriter {
 public:
  std::string text = kFigureCsvHead;

  void beginPanel(const FigurePanel& panel, std::size_t number) {
    m_panel = &panel;
    m_panelHead = std::to_string(number) + "," + plain(panel.title.english()) + ",";
  }
  void mark(const FigureMark& mark, std::size_t number) {
    m_markHead = m_panelHead + std::to_string(number) + ",";
    m_kind = kMarkWords[mark.shape.index()];
    m_series = plain(mark.label.english());
    std::visit([this](const auto& shape) { write(shape); }, mark.shape);
  }

 private:
  std::string at(const FigureAxis& axis, double value) const {
    const bool words = axis.scale == AxisScale::Category || axis.scale == AxisScale::Token;
    const auto index = static_cast<std::size_t>(std::max(0.0, value));
    if (words && value >= 0 && std::floor(value) == value && index < axis.categories.size())
      return plain(axis.categories[index]);
    if (axis.datesFrom && std::isfinite(value)) return momentText(*axis.datesFrom + value).toStdString();
    return number(value);
  }
  std::string x(double value) const { return at(m_panel->x, value); }
  std::string y(double value) const { return at(m_panel->y, value); }
  void line(const CsvLine& l, const char* suffix = "") {
    text += m_markHead + m_kind + suffix + "," + m_series + "," + l.cellRow + "," + l.cellColumn + "," + l.x +
            "," + l.y + "," + l.endX + "," + l.endY + "," + l.value + "," + l.low + "," + l.high + "\n";
  }
  void points(const std::vector<double>& xs, const std::vector<double>& ys) {
    for (std::size_t i = 0; i < xs.size(); ++i) line({.x = x(xs[i]), .y = y(ys[i])});
  }
  void write(const LineMark& m) { points(m.x, m.y); }
  void write(const PointsMark& m) { points(m.x, m.y); }
  void write(const PolygonMark& m) { points(m.x, m.y); }
  void write(const BandMark& m) {
    for (std::size_t i = 0; i < m.x.size(); ++i)
      line({.x = x(m.x[i]), .low = number(m.lower[i]), .high = number(m.upper[i])});
  }
  void write(const SegmentsMark& m) {
    for (std::size_t i = 0; i < m.x0.size(); ++i)
      line({.x = x(m.x0[i]),
            .y = y(m.y0[i]),
            .endX = x(m.x1[i]),
            .endY = y(m.y1[i]),
            .value = m.weight.empty() ? std::string() : number(m.weight[i])});
  }
  void write(const CellsMark& m) {
    for (int row = 0; row < m.rows; ++row)
      for (int column = 0; column < m.columns; ++column) {
        const std::size_t index = static_cast<std::size_t>(row) * static_cast<std::size_t>(m.columns) +
                                  static_cast<std::size_t>(column);
        if (m.has(index)) line({.x = x(column), .y = y(row), .value = number(m.values[index])});
      }
  }
  void write(const ViolinMark& m) {
    for (std::size_t i = 0; i < m.grid.size(); ++i)
      line({.x = x(m.position), .y = number(m.grid[i]), .value = number(m.density[i])});
    line({.x = x(m.position),
          .value = number(m.median),
          .low = number(m.quartile1),
          .high = number(m.quartile3)},
         "_quartiles");
  }
  void write(const BoxMark& m) {
    line({.x = x(m.position), .low = number(m.minimum), .high = number(m.maximum)}, "_range");
    line({.x = x(m.position),
          .value = number(m.median),
          .low = number(m.quartile1),
          .high = number(m.quartile3)});
    for (const double outlier : m.outliers) line({.x = x(m.position), .value = number(outlier)}, "_outlier");
  }
  void write(const BarsMark& m) {
    for (std::size_t i = 0; i < m.x.size(); ++i) {
      CsvLine l{.x = x(m.x[i]), .value = number(m.height[i])};
      if (!m.error.empty()) {
        l.low = number(m.height[i] - m.error[i]);
        l.high = number(m.height[i] + m.error[i]);
      }
      line(l);
    }
  }
  void write(const RuleMark& m) {
    line(m.vertical ? CsvLine{.x = x(m.position)} : CsvLine{.y = y(m.position)});
  }
  void write(const EllipseMark& m) {
    line({.x = x(m.x), .y = y(m.y), .endX = number(m.x + m.radiusX), .endY = number(m.y + m.radiusY)});
  }
  void write(const ImageMark& m) { line({.x = x(m.x0), .y = y(m.y0), .endX = x(m.x1), .endY = y(m.y1)}); }
  void write(const TextMark& m) { line({.x = x(m.x), .y = y(m.y), .value = plain(m.text.english())}); }
  void write(const GridMark& m) {
    for (const GridCell& cell : m.cells) {
      const std::string row = y(cell.row), column = x(cell.column);
      for (std::size_t i = 0; i < cell.y.size(); ++i) {
        CsvLine l{.cellRow = row, .cellColumn = column};
        if (m.form == GridForm::Map) {
          if (!cell.shown.empty() && cell.shown[i] != '#') continue;
          const auto columns = static_cast<std::size_t>(cell.mapColumns);
          l.x = std::to_string(i % columns);
          l.y = std::to_string(i / columns);
          l.value = number(cell.y[i]);
        } else if (m.form == GridForm::Violin) {
          l.y = number(cell.x[i]);
          l.value = number(cell.y[i]);
        } else {
          l.x = number(cell.x[i]);
          l.y = number(cell.y[i]);
        }
        line(l);
      }
      if (cell.median) line({.cellRow = row, .cellColumn = column, .value = number(cell.median)}, "_median");
    }
  }
  const FigurePanel* m_panel = nullptr;
  std::string m_panelHead, m_markHead, m_kind, m_series;
};

}  // namespace

std::string figureCsv(const FigureSpec& spec) {
  CsvWriter writer;
  for (std::size_t i = 0; i < spec.panels.size(); ++i) {
    writer.beginPanel(spec.panels[i], i + 1);
    for (std::size_t k = 0; k < spec.panels[i].marks.size(); ++k) writer.mark(spec.panels[i].marks[k], k + 1);
  }
  return std::move(writer.text);
}

}  // namespace fathom
