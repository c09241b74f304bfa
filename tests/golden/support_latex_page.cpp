// SPDX-License-Identifier: Apache-2.0
#include "support_latex_page.h"

#include <QMap>
#include <QPainterPath>
#include <QRegularExpression>
#include <cmath>
#include <limits>

#include "views/figure/line_clip.h"

namespace fathom::test {

namespace {

constexpr double kNowhere = std::numeric_limits<double>::quiet_NaN();

// "a=b, c={d, e}, f": values without their braces.
using PgfOptions = QMap<QString, QString>;
PgfOptions optionsOf(const QString& text) {
  PgfOptions options;
  int depth = 0;
  QString part;
  const auto add = [&] {
    const qsizetype equals = part.indexOf(u'=');
    QString value = equals < 0 ? QString() : part.mid(equals + 1).trimmed();
    if (value.startsWith(u'{') && value.endsWith(u'}')) value = value.mid(1, value.size() - 2);
    const QString key = (equals < 0 ? part : part.left(equals)).trimmed();
    if (!key.isEmpty()) options[key] = value;
    part.clear();
  };
  for (const QChar c : text) {
    if (c == u'{' || c == u'(') ++depth;
    if (c == u'}' || c == u')') --depth;
    if (c == u',' && depth == 0)
      add();
    else
      part += c;
  }
  add();
  return options;
}

// The text between the bracket at `from` and the one that closes it.
QString bracketed(const QString& line, qsizetype from) {
  const QChar open = line[from], close = open == u'[' ? u']' : u'}';
  int depth = 0;
  for (qsizetype i = from; i < line.size(); ++i) {
    if (line[i] == open) ++depth;
    if (line[i] == close && --depth == 0) return line.mid(from + 1, i - from - 1);
  }
  return {};
}

double lengthOf(QString text) {
  text = text.trimmed();
  const double perUnit = text.endsWith(QLatin1String("pt")) ? 96.0 / 72 : 96 / 25.4;
  text.remove(QRegularExpression(QStringLiteral("(pt|mm)$")));
  return text.toDouble() * perUnit;
}

QColor colourOf(const QString& text) {
  static const QRegularExpression parts(QStringLiteral("red,(\\d+);green,(\\d+);blue,(\\d+)"));
  const auto match = parts.match(text);
  return QColor(match.captured(1).toInt(), match.captured(2).toInt(), match.captured(3).toInt());
}

struct LatexAxis {
  QRectF box;
  double low[2] = {0, 0}, high[2] = {1, 1};
  bool logarithmic[2] = {false, false}, reversed[2] = {false, false};
  double share(double value, int k) const {
    const auto unit = [&](double v) {
      if (!logarithmic[k]) return v;
      return v > 0 ? std::log(v) : kNowhere;
    };
    const double at = (unit(value) - unit(low[k])) / (unit(high[k]) - unit(low[k]));
    return reversed[k] ? 1 - at : at;
  }
  QPointF at(double x, double y) const {
    return {box.left() + share(x, 0) * box.width(), box.bottom() - share(y, 1) * box.height()};
  }
};

class LatexReader {
 public:
  LatexReader(const PgfFigure& figure, QString& problem) : m_figure(figure), m_problem(problem) {
    readTable();
  }
  DrawnPage read() {
    QStringList lines = QString::fromStdString(m_figure.tex).split(u'\n');
    for (qsizetype i = 0; i < lines.size(); ++i) {
      QString line = lines[i];
      if (line.startsWith(QLatin1String("\\begin{axis}"))) {
        while (!line.endsWith(u']')) line += lines[++i];
        begin(line);
      } else if (line.startsWith(QLatin1String("\\end{axis}"))) {
        m_axis.reset();
      } else if (!take(line) && m_problem.isEmpty()) {
        m_problem = line;
      }
    }
    return m_page;
  }

 private:
  void readTable() {
    QStringList rows = QString::fromStdString(m_figure.data).split(u'\n', Qt::SkipEmptyParts);
    if (rows.isEmpty()) return;
    const QStringList names = rows.takeFirst().split(u' ');
    for (const QString& name : names) m_columns[name].clear();
    for (const QString& row : rows) {
      const QStringList values = row.split(u' ');
      for (qsizetype i = 0; i < names.size(); ++i) m_columns[names[i]].push_back(values[i].toDouble());
    }
  }
  void begin(const QString& text) {
    const PgfOptions options = optionsOf(bracketed(text, text.indexOf(u'[')));
    static const QRegularExpression place(QStringLiteral("\\(([-\\d.e+]+)mm,([-\\d.e+]+)mm\\)"));
    const auto at = place.match(options["at"]);
    // Else PGFPlots draws markers in front of everything else, and clips what is read as unclipped here.
    if (options["clip mode"] != QLatin1String("individual")) m_problem = text;
    LatexAxis axis;
    const double height = lengthOf(options["height"]);
    axis.box = QRectF(lengthOf(at.captured(1)), m_page.size.height() - lengthOf(at.captured(2)) - height,
                      lengthOf(options["width"]), height);
    for (const int k : {0, 1}) {
      const QString n = k == 0 ? QStringLiteral("x") : QStringLiteral("y");
      axis.low[k] = options[n + "min"].toDouble();
      axis.high[k] = options[n + "max"].toDouble();
      axis.logarithmic[k] = options[n + "mode"] == QLatin1String("log");
      axis.reversed[k] = options[n + " dir"] == QLatin1String("reverse");
    }
    m_axis = axis;
  }
  bool take(const QString& line) {
    for (const char* plain :
         {"%", "\\def\\", "\\expandafter", "\\fathommeasure", "\\begingroup", "\\endgroup", "\\ifdefined",
          "\\begin{tikzpicture}", "\\end{tikzpicture}", "\\pgfdeclareplotmark"})
      if (line.startsWith(QLatin1String(plain))) return true;
    if (line.isEmpty()) return true;
    if (line.startsWith(QLatin1String("\\path[use as bounding box]"))) return takePage(line);
    if (line.startsWith(QLatin1String("\\addplot"))) return takePlot(line);
    if (line.startsWith(QLatin1String("\\node"))) return takeNode(line);
    if (line.startsWith(QLatin1String("\\draw[")) || line.startsWith(QLatin1String("\\fill[")) ||
        line.startsWith(QLatin1String("\\path[")))
      return takePath(line, bracketed(line, line.indexOf(u'[')));
    if (line.startsWith(QLatin1String("\\path plot["))) {
      const auto points = pointsOf(line);
      addMarkers(points, optionsOf(bracketed(line, line.indexOf(u'['))));
      return points.size() == 1;
    }
    return false;
  }
  bool takePage(const QString& line) {
    static const QRegularExpression size(QStringLiteral("\\(([\\d.]+)mm,([\\d.]+)mm\\)"));
    const auto match = size.match(line);
    m_page.size = QSizeF(lengthOf(match.captured(1)), lengthOf(match.captured(2)));
    return match.hasMatch();
  }
  // All places of a path in their order.
  std::vector<QPointF> pointsOf(const QString& line) const {
    static const QRegularExpression place(
        QStringLiteral("\\((axis cs:|axis description cs:|)([-\\d.einfa+]+),([-\\d.einfa+]+)\\)"));
    std::vector<QPointF> points;
    auto found = place.globalMatch(line);
    while (found.hasNext()) points.push_back(placeOf(found.next()));
    return points;
  }
  QPointF placeOf(const QRegularExpressionMatch& match) const {
    const double x = match.captured(2).toDouble(), y = match.captured(3).toDouble();
    if (match.captured(1).isEmpty() && !m_axis)
      return {lengthOf(match.captured(2)), m_page.size.height() - lengthOf(match.captured(3))};
    if (match.captured(1).startsWith(QLatin1String("axis d")))
      return {m_axis->box.left() + x * m_axis->box.width(), m_axis->box.bottom() - y * m_axis->box.height()};
    return m_axis->at(x, y);
  }
  QRectF page() const { return QRectF(QPointF(0, 0), m_page.size); }
  // Of plots; other paths go as far as they go.
  QRectF frame() const { return m_axis ? m_axis->box : page(); }

  void addArea(const std::vector<QPointF>& corners, const PgfOptions& options, const QRectF& frame) {
    QColor colour = colourOf(options.contains("fill") ? options["fill"] : options["color"]);
    if (options.contains("fill opacity")) colour.setAlphaF(options["fill opacity"].toFloat());
    const QPolygonF inside = clippedOutline(QPolygonF(QList<QPointF>(corners.begin(), corners.end())), frame);
    if (inside.isEmpty()) return;
    m_page.areas.push_back({inside, colour, m_page.count++});
  }
  void addLine(const std::vector<QPointF>& points, const PgfOptions& options, const QRectF& frame) {
    QColor colour = colourOf(options.contains("draw") ? options["draw"] : options["color"]);
    if (options.contains("opacity")) colour.setAlphaF(options["opacity"].toFloat());
    std::vector<double> dashes;
    static const QRegularExpression length(QStringLiteral("(?:on|off) ([\\d.]+pt)"));
    auto found = length.globalMatch(options["dash pattern"]);
    while (found.hasNext()) dashes.push_back(lengthOf(found.next().captured(1)));
    const double width = options.contains("line width") ? lengthOf(options["line width"]) : lengthOf("0.4pt");
    for (const auto& piece : clippedLine({{points}, {}}, frame.adjusted(-0.05, -0.05, 0.05, 0.05)).pieces)
      m_page.strokes.push_back(
          {QPolygonF(QList<QPointF>(piece.begin(), piece.end())), colour, width, dashes, m_page.count++});
  }
  // Whole where their middle is in the frame.
  void addMarkers(const std::vector<QPointF>& points, const PgfOptions& options) {
    const double r = lengthOf(options["mark size"]);
    const PgfOptions look = optionsOf(options["mark options"]);
    const auto scaled = [r](const QPointF& at, std::initializer_list<QPointF> corners) {
      std::vector<QPointF> all;
      for (const QPointF& corner : corners) all.push_back(at + QPointF(corner.x() * r, -corner.y() * r));
      return all;
    };
    for (const QPointF& at : points) {
      if (!frame().adjusted(-0.05, -0.05, 0.05, 0.05).contains(at)) continue;
      const QString shape = options["mark"];
      if (shape == QLatin1String("fathomdisc")) addArea(circle(at, r), look, page());
      if (shape == QLatin1String("fathomsquare"))
        addArea(scaled(at, {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}), look, page());
      if (shape == QLatin1String("fathomdiamond"))
        addArea(scaled(at, {{0, 1.2}, {1.2, 0}, {0, -1.2}, {-1.2, 0}}), look, page());
      if (shape == QLatin1String("fathomtriangle"))
        addArea(scaled(at, {{0, 1.1}, {1, -0.8}, {-1, -0.8}}), look, page());
      if (shape == QLatin1String("fathomcross")) {
        addArea(scaled(at, {{-1, -0.2}, {1, -0.2}, {1, 0.2}, {-1, 0.2}}), look, page());
        addArea(scaled(at, {{-0.2, -1}, {0.2, -1}, {0.2, 1}, {-0.2, 1}}), look, page());
      }
    }
  }
  static std::vector<QPointF> circle(const QPointF& at, double r) {
    std::vector<QPointF> points;
    for (int i = 0; i < 60; ++i)
      points.push_back(at + QPointF(r * std::cos(i * M_PI / 30), r * std::sin(i * M_PI / 30)));
    return points;
  }

  bool takePlot(const QString& line) {
    const PgfOptions options = optionsOf(bracketed(line, line.indexOf(u'[')));
    std::vector<std::vector<QPointF>> pieces;
    static const QRegularExpression table(QStringLiteral("table\\[x=(\\w+), y=(\\w+)\\]"));
    static const QRegularExpression pair(QStringLiteral("\\(([-\\d.einfa+]+),([-\\d.einfa+]+)\\)"));
    std::vector<std::pair<double, double>> values;
    const auto columns = table.match(line);
    const bool cycle = line.contains(QLatin1String("-- cycle"));
    if (columns.hasMatch()) {
      if (!m_columns.contains(columns.captured(1)) || !m_columns.contains(columns.captured(2))) return false;
      const auto &x = m_columns[columns.captured(1)], &y = m_columns[columns.captured(2)];
      for (std::size_t i = 0; i < x.size(); ++i) values.emplace_back(x[i], y[i]);
    } else {
      auto found = pair.globalMatch(line.mid(line.indexOf(QLatin1String("coordinates"))));
      while (found.hasNext()) {
        const auto match = found.next();
        values.emplace_back(match.captured(1).toDouble(), match.captured(2).toDouble());
      }
    }
    bool open = false;
    std::vector<QPointF> all;
    for (const auto& [x, y] : values) {
      const QPointF at = m_axis->at(x, y);
      const bool shown = std::isfinite(at.x()) && std::isfinite(at.y());
      if (shown && !open) pieces.emplace_back();
      if (shown) pieces.back().push_back(at);
      if (shown) all.push_back(at);
      open = shown;
    }
    const bool onlyMarks = options.contains("only marks");
    for (std::vector<QPointF>& piece : pieces) {
      if (options.contains("fill") && options["fill"] != QLatin1String("none") && !onlyMarks)
        addArea(piece, options, frame());
      if (cycle && !piece.empty()) piece.push_back(piece.front());
      if (!onlyMarks && options["draw"] != QLatin1String("none") && piece.size() > 1)
        addLine(piece, options, frame());
    }
    if (options.contains("mark") && !options.contains("no marks")) addMarkers(all, options);
    return true;
  }
  bool takePath(const QString& line, const QString& optionText) {
    const PgfOptions options = optionsOf(optionText);
    const QString path = line.mid(line.indexOf(optionText) + optionText.size() + 1);
    if (path.contains(QLatin1String(" circle ("))) {
      static const QRegularExpression radius(QStringLiteral("circle \\(([\\d.]+pt)\\)"));
      const auto points = pointsOf(path);
      if (points.empty()) return false;
      addArea(circle(points.front(), lengthOf(radius.match(path).captured(1))), options, page());
      return true;
    }
    const bool fills = line.startsWith(QLatin1String("\\fill")) ||
                       (options.contains("fill") && options["fill"] != QLatin1String("none"));
    const std::vector<QPointF> points = pointsOf(path);
    if (path.contains(QLatin1String(" rectangle "))) {
      if (points.size() != 2) return false;
      const QRectF box = QRectF(points[0], points[1]).normalized();
      const std::vector<QPointF> corners = {box.topLeft(), box.topRight(), box.bottomRight(),
                                            box.bottomLeft()};
      if (fills) addArea(corners, options, page());
      // A hairline of the colour of the area keeps cells together.
      if (options.contains("draw") && options["draw"] != options["fill"]) {
        std::vector<QPointF> around = corners;
        around.push_back(corners.front());
        addLine(around, options, page());
      }
      return true;
    }
    if (path.contains(QLatin1String("cycle"))) {
      addArea(points, options, page());
      return points.size() > 2;
    }
    // "a -- b -- c d -- e": a new line where no "--" is between.
    std::vector<QPointF> piece;
    static const QRegularExpression place(
        QStringLiteral("(--)?\\s*\\((axis cs:|axis description cs:|)([-\\d.einfa+]+),([-\\d.einfa+]+)\\)"));
    auto found = place.globalMatch(path);
    std::size_t index = 0;
    while (found.hasNext()) {
      const bool joined = !found.next().captured(1).isEmpty();
      if (!joined && piece.size() > 1) addLine(piece, options, page());
      if (!joined) piece.clear();
      piece.push_back(points[index++]);
    }
    if (piece.size() > 1) addLine(piece, options, page());
    return index == points.size() && index > 1;
  }
  bool takeNode(const QString& line) {
    const PgfOptions options = optionsOf(bracketed(line, line.indexOf(u'[')));
    const qsizetype place = line.indexOf(QLatin1String("] at "));
    const std::vector<QPointF> points = pointsOf(line.mid(place, line.indexOf(u'{', place) - place));
    if (points.size() != 1) return false;
    const QString content = bracketed(line, line.indexOf(u'{', place));
    if (content.startsWith(QLatin1String("\\includegraphics"))) return takePicture(points[0], content);
    DrawnWords words;
    const QPointF nowhere(kNowhere, kNowhere);
    const QString anchor = options["anchor"];
    words.start = anchor == QLatin1String("base west") ? points[0] : nowhere;
    words.middle = anchor == QLatin1String("base") ? points[0] : nowhere;
    words.end = anchor == QLatin1String("base east") ? points[0] : nowhere;
    words.colour = colourOf(options["text"]);
    words.upright = options["rotate"] == QLatin1String("90");
    static const QRegularExpression size(QStringLiteral("\\\\fontsize\\{([\\d.]+)\\}"));
    words.points = size.match(options["font"]).captured(1).toDouble();
    words.text = lettersOf(content);
    m_page.words.push_back(words);
    return words.points > 0;
  }
  // \fathomtext{room}{words} or \scalebox{...}{words}, without commands.
  static QString lettersOf(const QString& content) {
    const bool measured = content.startsWith(QLatin1String("\\fathomtext{")) ||
                          content.startsWith(QLatin1String("\\scalebox{"));
    qsizetype from = 0;
    if (measured) {
      const qsizetype first = content.indexOf(u'{');
      from = first + bracketed(content, first).size() + 2;
    }
    QString words = measured ? bracketed(content, from) : content;
    words.remove(QRegularExpression(QStringLiteral("\\\\ensuremath\\{\\\\[a-zA-Z]+\\}")));
    words.remove(QRegularExpression(QStringLiteral("\\\\[a-zA-Z]+")));
    return plainLetters(words);
  }
  bool takePicture(const QPointF& corner, const QString& content) {
    static const QRegularExpression look(
        QStringLiteral("width=([\\d.]+mm),height=([\\d.]+mm)\\]\\{\\\\fathomfolder (.*)\\}"));
    const auto match = look.match(content);
    for (const auto& [name, bytes] : m_figure.images) {
      if (QString::fromStdString(name) != match.captured(3)) continue;
      const QSizeF size(lengthOf(match.captured(1)), lengthOf(match.captured(2)));
      m_page.pictures.push_back({QRectF(corner - QPointF(0, size.height()), size),
                                 QImage::fromData(QByteArray::fromStdString(bytes), "PNG")});
      return true;
    }
    return false;
  }

  const PgfFigure& m_figure;
  QString& m_problem;
  DrawnPage m_page;
  std::optional<LatexAxis> m_axis;
  QMap<QString, std::vector<double>> m_columns;
};

}  // namespace

DrawnPage pageOfLatex(const PgfFigure& figure, QString& problem) {
  return LatexReader(figure, problem).read();
}

}  // namespace fathom::test
