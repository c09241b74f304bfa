// SPDX-License-Identifier: Apache-2.0
#include "support_drawn_page.h"

#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "views/figure/figure_layout.h"
#include "views/figure/figure_renderer.h"
#include "views/figure/line_clip.h"

namespace fathom::test {

namespace {

constexpr double kNear = 0.5;  // units: .13 mm

class PageRecorder : public QPaintEngine {
 public:
  explicit PageRecorder(DrawnPage& page) : QPaintEngine(QPaintEngine::AllFeatures), m_page(page) {}
  bool begin(QPaintDevice*) override { return true; }
  bool end() override { return true; }
  Type type() const override { return QPaintEngine::User; }
  void updateState(const QPaintEngineState& state) override {
    const auto dirty = state.state();
    if (dirty.testFlag(DirtyPen)) m_pen = state.pen();
    if (dirty.testFlag(DirtyBrush)) m_brush = state.brush();
    if (dirty.testFlag(DirtyTransform)) m_transform = state.transform();
    if (dirty.testFlag(DirtyClipPath))
      clip(state.transform().map(state.clipPath()).boundingRect(), state.clipOperation());
    if (dirty.testFlag(DirtyClipRegion))
      clip(state.transform().mapRect(QRectF(state.clipRegion().boundingRect())), state.clipOperation());
  }
  void drawPath(const QPainterPath& path) override {
    // Small circles keep their shape.
    constexpr double kFiner = 16;
    const QTransform larger = m_transform * QTransform::fromScale(kFiner, kFiner);
    const QTransform back = QTransform::fromScale(1 / kFiner, 1 / kFiner);
    for (const QPolygonF& part : path.toSubpathPolygons(larger)) add(back.map(part), true, part.isClosed());
  }
  void drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) override {
    QPolygonF polygon;
    for (int i = 0; i < count; ++i) polygon << m_transform.map(points[i]);
    add(polygon, mode != PolylineMode, mode != PolylineMode);
  }
  void drawPixmap(const QRectF& box, const QPixmap& pixmap, const QRectF&) override {
    m_page.pictures.push_back({m_transform.mapRect(box), pixmap.toImage()});
  }
  void drawImage(const QRectF& box, const QImage& image, const QRectF&, Qt::ImageConversionFlags) override {
    m_page.pictures.push_back({m_transform.mapRect(box), image});
  }
  void drawTextItem(const QPointF& at, const QTextItem& item) override {
    const QPointF start = m_transform.map(at), end = m_transform.map(at + QPointF(item.width(), 0));
    const double points =
        item.font().pointSizeF() > 0 ? item.font().pointSizeF() : item.font().pixelSize() * 0.75;
    const QString text = plainLetters(item.text());
    const bool upright = std::abs(end.x() - start.x()) < std::abs(end.y() - start.y());
    // Pieces of one line follow each other; raised and lowered ones stand beside it.
    if (!m_page.words.empty()) {
      DrawnWords& last = m_page.words.back();
      const QPointF step = start - last.end;
      const double along = upright ? step.y() : step.x(), across = upright ? step.x() : step.y();
      if (last.upright == upright && std::abs(along) < 0.05 && std::abs(across) < 0.7 * last.points) {
        last.text += text;
        last.end = upright ? QPointF(last.end.x(), end.y()) : QPointF(end.x(), last.end.y());
        last.middle = (last.start + last.end) / 2;
        last.points = std::max(last.points, points);
        return;
      }
    }
    m_page.words.push_back({text, start, (start + end) / 2, end, points, m_pen.color(), upright});
  }

 private:
  void clip(const QRectF& box, Qt::ClipOperation operation) {
    const QRectF page(QPointF(0, 0), m_page.size);
    if (operation == Qt::NoClip) m_clip = page;
    if (operation == Qt::ReplaceClip) m_clip = box;
    if (operation == Qt::IntersectClip) m_clip = m_clip.intersected(box);
  }
  void add(const QPolygonF& points, bool filled, bool closed) {
    const QRectF frame = m_clip.isNull() ? QRectF(QPointF(0, 0), m_page.size) : m_clip;
    if (filled && m_brush.style() != Qt::NoBrush) {
      const QPolygonF inside = clippedOutline(points, frame);
      if (!inside.isEmpty()) m_page.areas.push_back({inside, m_brush.color(), m_page.count++});
    }
    if (m_pen.style() == Qt::NoPen || points.size() < 2) return;
    DrawnLine line{{{points.begin(), points.end()}}, {}};
    if (closed && points.front() != points.back()) line.pieces.front().push_back(points.front());
    std::vector<double> dashes;
    if (m_pen.style() != Qt::SolidLine)
      for (const double length : m_pen.dashPattern()) dashes.push_back(length * m_pen.widthF());
    // Lines on the border are inside.
    for (const auto& piece : clippedLine(line, frame.adjusted(-0.01, -0.01, 0.01, 0.01)).pieces)
      m_page.strokes.push_back({QPolygonF(QList<QPointF>(piece.begin(), piece.end())), m_pen.color(),
                                m_pen.widthF(), dashes, m_page.count++});
  }

  DrawnPage& m_page;
  QPen m_pen;
  QBrush m_brush;
  QTransform m_transform;
  QRectF m_clip;
};

class RecordedDevice : public QPaintDevice {
 public:
  explicit RecordedDevice(DrawnPage& page) : m_size(page.size.toSize()), m_recorder(page) {}
  QPaintEngine* paintEngine() const override { return &m_recorder; }

 protected:
  int metric(PaintDeviceMetric metric) const override {
    switch (metric) {
      case PdmWidth:
        return m_size.width();
      case PdmHeight:
        return m_size.height();
      case PdmWidthMM:
        return static_cast<int>(m_size.width() / 96.0 * 25.4);
      case PdmHeightMM:
        return static_cast<int>(m_size.height() / 96.0 * 25.4);
      case PdmDepth:
        return 32;
      case PdmDpiX:
      case PdmDpiY:
      case PdmPhysicalDpiX:
      case PdmPhysicalDpiY:
        return 96;
      case PdmDevicePixelRatio:
        return 1;
      default:
        return QPaintDevice::metric(metric);
    }
  }

 private:
  QSize m_size;
  mutable PageRecorder m_recorder;
};

bool sameColour(const QColor& a, const QColor& b) {
  return std::abs(a.red() - b.red()) <= 1 && std::abs(a.green() - b.green()) <= 1 &&
         std::abs(a.blue() - b.blue()) <= 1 && std::abs(a.alphaF() - b.alphaF()) < 0.01;
}

double areaOf(const QPolygonF& outline) {
  double twice = 0;
  for (qsizetype i = 0; i < outline.size(); ++i) {
    const QPointF &a = outline[i], &b = outline[(i + 1) % outline.size()];
    twice += a.x() * b.y() - b.x() * a.y();
  }
  return std::abs(twice) / 2;
}

bool nearBy(const QRectF& a, const QRectF& b) {
  return std::abs(a.left() - b.left()) < kNear && std::abs(a.right() - b.right()) < kNear &&
         std::abs(a.top() - b.top()) < kNear && std::abs(a.bottom() - b.bottom()) < kNear;
}

QString placeOf(const QRectF& box) {
  return QStringLiteral("%1 x %2 at %3, %4").arg(box.width()).arg(box.height()).arg(box.x()).arg(box.y());
}

// Everything of `first` has its own equal in `second` and the other way round.
template <class Thing, class Same, class Words>
void compareAll(const std::vector<Thing>& first, const std::vector<Thing>& second, const Same& same,
                const Words& words, QStringList& problems) {
  std::vector<bool> taken(second.size());
  for (const Thing& thing : first) {
    std::size_t k = 0;
    while (k < second.size() && (taken[k] || !same(thing, second[k]))) ++k;
    if (k < second.size())
      taken[k] = true;
    else
      problems.append(QStringLiteral("LaTeX lacks ") + words(thing));
  }
  for (std::size_t k = 0; k < second.size(); ++k)
    if (!taken[k]) problems.append(QStringLiteral("LaTeX alone has ") + words(second[k]));
}

QString colourName(const QColor& colour) {
  return colour.name(QColor::HexArgb);
}

// Lines of one pen, however they are cut into pieces.
struct PenLines {
  QColor colour;
  double width = 0;
  std::vector<double> dashes;
  std::vector<QLineF> lines;
  double length() const {
    double sum = 0;
    for (const QLineF& line : lines) sum += line.length();
    return sum;
  }
};

bool samePen(const PenLines& a, const PenLines& b) {
  bool dashes = a.dashes.size() == b.dashes.size();
  for (std::size_t i = 0; dashes && i < a.dashes.size(); ++i)
    dashes = std::abs(a.dashes[i] - b.dashes[i]) < 0.02;
  return dashes && std::abs(a.width - b.width) < 0.01 && sameColour(a.colour, b.colour);
}

std::vector<PenLines> byPen(const std::vector<DrawnStroke>& strokes) {
  std::vector<PenLines> pens;
  for (const DrawnStroke& stroke : strokes) {
    PenLines own{stroke.colour, stroke.width, stroke.dashes, {}};
    auto pen =
        std::find_if(pens.begin(), pens.end(), [&own](const PenLines& known) { return samePen(known, own); });
    if (pen == pens.end()) pen = pens.insert(pens.end(), std::move(own));
    for (qsizetype i = 1; i < stroke.points.size(); ++i)
      pen->lines.emplace_back(stroke.points[i - 1], stroke.points[i]);
  }
  return pens;
}

double distanceTo(const QLineF& line, const QPointF& point) {
  const QPointF along = line.p2() - line.p1(), to = point - line.p1();
  const double square = QPointF::dotProduct(along, along);
  const double share = square > 0 ? std::clamp(QPointF::dotProduct(along, to) / square, 0.0, 1.0) : 0;
  const QPointF off = point - line.pointAt(share);
  return std::hypot(off.x(), off.y());
}

// The first point of `lines` that is on none of the others.
QString strayPoint(const std::vector<QLineF>& lines, const std::vector<QLineF>& others) {
  constexpr double kStep = 4;
  for (const QLineF& line : lines) {
    const int parts = std::max(1, static_cast<int>(line.length() / kStep));
    for (int i = 0; i <= parts; ++i) {
      const QPointF point = line.pointAt(static_cast<double>(i) / parts);
      const bool found = std::any_of(others.begin(), others.end(),
                                     [&](const QLineF& other) { return distanceTo(other, point) < kNear; });
      if (!found) return QStringLiteral("%1, %2").arg(point.x()).arg(point.y());
    }
  }
  return {};
}

QString penWords(const PenLines& pen) {
  return QStringLiteral("%1 %2 wide, %3 lengths of dashes")
      .arg(colourName(pen.colour))
      .arg(pen.width)
      .arg(pen.dashes.size());
}

void compareStrokes(const DrawnPage& first, const DrawnPage& second, QStringList& problems) {
  std::vector<PenLines> of = byPen(second.strokes);
  for (const PenLines& pen : byPen(first.strokes)) {
    const auto found =
        std::find_if(of.begin(), of.end(), [&pen](const PenLines& other) { return samePen(pen, other); });
    if (found == of.end()) {
      problems.append(QStringLiteral("LaTeX lacks lines ") + penWords(pen));
      continue;
    }
    const double slack = 1 + 0.01 * pen.length();
    if (std::abs(pen.length() - found->length()) > slack)
      problems.append(QStringLiteral("lines %1 are %2 long, in LaTeX %3")
                          .arg(penWords(pen))
                          .arg(pen.length())
                          .arg(found->length()));
    for (const QString& stray : {strayPoint(pen.lines, found->lines), strayPoint(found->lines, pen.lines)})
      if (!stray.isEmpty())
        problems.append(QStringLiteral("a line %1 goes another way at %2").arg(penWords(pen), stray));
    of.erase(found);
  }
  for (const PenLines& pen : of) problems.append(QStringLiteral("LaTeX alone has lines ") + penWords(pen));
}

bool near(const QPointF& a, const QPointF& b) {
  return std::hypot(a.x() - b.x(), a.y() - b.y()) < kNear;
}

QImage painted(const DrawnPage& page) {
  QImage image(page.size.toSize(), QImage::Format_RGB32);
  image.fill(Qt::white);
  QPainter painter(&image);
  painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
  for (const DrawnPicture& picture : page.pictures) painter.drawImage(picture.box, picture.image);
  return image;
}

QImage drawnAgain(const DrawnPage& page) {
  constexpr int kScale = 2;
  QImage image(page.size.toSize() * kScale, QImage::Format_RGB32);
  image.fill(Qt::white);
  QPainter painter(&image);
  painter.scale(kScale, kScale);
  std::size_t stroke = 0, area = 0;
  for (int place = 0; place < page.count; ++place) {
    if (area < page.areas.size() && page.areas[area].place == place) {
      painter.setPen(Qt::NoPen);
      painter.setBrush(page.areas[area].colour);
      painter.drawPolygon(page.areas[area++].outline);
      continue;
    }
    if (stroke == page.strokes.size() || page.strokes[stroke].place != place) continue;
    const DrawnStroke& line = page.strokes[stroke++];
    painter.setPen(QPen(line.colour, line.width, Qt::SolidLine, Qt::FlatCap));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(line.points);
  }
  return image;
}

// A row of a picture of 32 bits a pixel, as painted() and drawnAgain() make them.
const QRgb* rowOf(const QImage& image, int y) {
  return reinterpret_cast<const QRgb*>(image.constScanLine(y));
}

int distanceOf(QRgb one, QRgb other) {
  return std::abs(qRed(one) - qRed(other)) + std::abs(qGreen(one) - qGreen(other)) +
         std::abs(qBlue(one) - qBlue(other));
}

// Whether a colour like that is within a unit of the place.
bool colourNear(const QImage& image, int x, int y, QRgb colour) {
  constexpr int kReach = 3, kVisible = 100;
  for (int at = qMax(0, y - kReach); at <= qMin(y + kReach, image.height() - 1); ++at) {
    const QRgb* row = rowOf(image, at);
    for (int each = qMax(0, x - kReach); each <= qMin(x + kReach, image.width() - 1); ++each)
      if (distanceOf(row[each], colour) < kVisible) return true;
  }
  return false;
}

// The same things in another order hide each other.
void compareOrder(const DrawnPage& first, const DrawnPage& second, QStringList& problems) {
  const QImage a = drawnAgain(first), b = drawnAgain(second);
  const auto stray = [&](int x, int y) {
    if (!a.valid(x, y) || !b.valid(x, y)) return false;
    const QRgb one = rowOf(a, y)[x], other = rowOf(b, y)[x];
    return one != other && !(colourNear(b, x, y, one) && colourNear(a, x, y, other));
  };
  constexpr int kEdge = 4;  // sizes of pages are whole units in one of them alone
  for (int y = kEdge; y < a.height() - kEdge; ++y)
    for (int x = kEdge; x < a.width() - kEdge; ++x) {
      // Between neighbours that share an edge, or lines that cross, one pixel may fall to either.
      if (!stray(x, y) || !stray(x + 1, y) || !stray(x, y + 1) || !stray(x + 1, y + 1)) continue;
      problems.append(QStringLiteral("something hides something else at %1, %2: %3, in LaTeX %4")
                          .arg(x / 2)
                          .arg(y / 2)
                          .arg(a.pixelColor(x, y).name(), b.pixelColor(x, y).name()));
      return;
    }
}

// Pictures may be of several maps or of one: what they show is compared.
void comparePictures(const DrawnPage& first, const DrawnPage& second, QStringList& problems) {
  if (first.pictures.empty() && second.pictures.empty()) return;
  const QImage a = painted(first), b = painted(second);
  constexpr int kVisible = 48;
  constexpr double kShare = 0.02;  // of the pixels: edges of cells fall differently
  int others = 0, inked = 0;
  const QRgb white = qRgb(255, 255, 255);
  for (int y = 0; y < qMin(a.height(), b.height()); ++y) {
    const QRgb *p = rowOf(a, y), *q = rowOf(b, y);
    for (int x = 0; x < qMin(a.width(), b.width()); ++x) {
      inked += p[x] != white || q[x] != white ? 1 : 0;
      others += distanceOf(p[x], q[x]) > 3 * kVisible ? 1 : 0;
    }
  }
  if (inked == 0 || others > kShare * inked)
    problems.append(QStringLiteral("pictures differ in %1 of %2 pixels").arg(others).arg(inked));
}

}  // namespace

QString plainLetters(const QString& text) {
  QString letters;
  for (const QChar c : text)
    if (c.unicode() < 0x80 && c.isLetterOrNumber()) letters += c;
  return letters;
}

DrawnPage pageOfRenderer(const FigureSpec& spec, const FigureStyle& style) {
  FigureRenderer renderer;
  DrawnPage page;
  if (!renderer.setFigure(spec, style).ok()) return page;
  const QSize size = unitSize(figureSize(spec, style));
  page.size = size;
  RecordedDevice device(page);
  renderer.paintTo(device, size, {true, false, 1});
  // The paper, which nobody draws for LaTeX.
  if (style.background == Qt::white && !page.areas.empty() && page.areas.front().place == 0)
    page.areas.erase(page.areas.begin());
  return page;
}

QString pageDifference(const DrawnPage& renderer, const DrawnPage& latex) {
  QStringList problems;
  compareStrokes(renderer, latex, problems);
  compareAll(
      renderer.areas, latex.areas,
      [](const DrawnArea& a, const DrawnArea& b) {
        const double one = areaOf(a.outline), other = areaOf(b.outline);
        const QRectF box = a.outline.boundingRect();
        // Edges may be where the tolerance lets them: cells of the renderer reach below their neighbours.
        const double slack = 0.5 + 0.03 * std::max(one, other) + 0.3 * (box.width() + box.height());
        return sameColour(a.colour, b.colour) && nearBy(a.outline.boundingRect(), b.outline.boundingRect()) &&
               std::abs(one - other) < slack;
      },
      [](const DrawnArea& area) {
        return QStringLiteral("an area %1 of %2 corners, %3")
            .arg(colourName(area.colour))
            .arg(area.outline.size())
            .arg(placeOf(area.outline.boundingRect()));
      },
      problems);
  compareAll(
      renderer.words, latex.words,
      [](const DrawnWords& a, const DrawnWords& b) {
        const bool place = near(a.start, b.start) || near(a.middle, b.middle) || near(a.end, b.end);
        return a.text == b.text && place && a.upright == b.upright && std::abs(a.points - b.points) < 0.05 &&
               sameColour(a.colour, b.colour);
      },
      [](const DrawnWords& words) {
        return QStringLiteral("\"%1\" of %2 pt %3 in %4 at %5, %6")
            .arg(words.text)
            .arg(words.points)
            .arg(words.upright ? QStringLiteral("upright") : QStringLiteral("level"),
                 colourName(words.colour))
            .arg(words.start.x())
            .arg(words.start.y());
      },
      problems);
  comparePictures(renderer, latex, problems);
  if (problems.isEmpty()) compareOrder(renderer, latex, problems);
  return problems.mid(0, 6).join(u'\n');
}

}  // namespace fathom::test
