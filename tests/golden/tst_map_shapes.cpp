// SPDX-License-Identifier: Apache-2.0
// Cells of maps are square at every width and height, violins have one axis of their values, neighbours keep
// their axis texts apart, a head that looks at everything alike is called uniform.
#include <QApplication>
#include <QTest>
#include <cmath>

#include "tests/golden/support_built_figure.h"
#include "tests/golden/support_probe_gallery.h"
#include "views/figure/figure_checks.h"
#include "views/figure/figure_picture.h"
#include "views/figure/value_axis.h"
#include "views/figures/uniform_attention.h"
#include "views/files/figure_export.h"

using namespace fathom;

class MapShapes : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void cellsAreSquare_data();
  void cellsAreSquare();
  void squaresFillTheWidth();
  void titlesReachTheirNeighbours();
  void violinsHaveOneAxis();
  void theAxisIsInEveryFile();
  void neighboursKeepTheirLabelsApart();
  void flatHeadsAreUniform();
};

namespace {

FigureStyle styleOf(const char* id) {
  return figureStyle(QString::fromLatin1(id)).value();
}

// Laid out at its size, or at another one.
void layOut(FigureRenderer& renderer, const FigureSpec& spec, const FigureStyle& style) {
  QVERIFY(renderer.setFigure(spec, style).ok());
  QVERIFY(!figurePicture(renderer, figureSize(spec, style), 1).isNull());
}

// The smallest box that a square number of the map is drawn in.
QSizeF cellOf(const FigureRenderer& renderer, std::size_t panel) {
  const MarkCanvas canvas = renderer.canvas(panel);
  QSizeF size(std::abs(canvas.pixelX(1) - canvas.pixelX(0)), std::abs(canvas.pixelY(1) - canvas.pixelY(0)));
  const auto* grid = std::get_if<GridMark>(&renderer.spec().panels[panel].marks.front().shape);
  if (grid == nullptr) return size;
  const GridCell& cell = grid->cells.front();
  const double rows = double(cell.y.size()) / cell.mapColumns;
  return {size.width() / cell.mapColumns, size.height() / rows};
}

FigurePanel labelled(int column, const char* label) {
  FigurePanel panel;
  panel.column = column;
  panel.x.label = Phrase::words(label);
  panel.marks.push_back({.shape = LineMark{{0, 100000}, {0, 1}}});
  return panel;
}

}  // namespace

void MapShapes::cellsAreSquare_data() {
  QTest::addColumn<QString>("figure");
  QTest::addColumn<QString>("assignments");
  const auto row = [](const char* name, const char* figure, const char* assignments) {
    QTest::newRow(name) << QString::fromLatin1(figure) << QString::fromLatin1(assignments);
  };
  row("beta", "beta_dependency", "beside=init");
  row("difference", "beta_dependency", "form=difference beside=init");
  row("divergence", "attention_jsd", "form=map");
  row("heads", "attention_maps", "");
  row("cross", "attention_maps", "attention=decoder.cross_attention");
  row("matrix", "attention_maps", "form=matrix layer=2 head=3");
}

void MapShapes::cellsAreSquare() {
  QFETCH(QString, figure);
  QFETCH(QString, assignments);
  const FigureSpec spec = gallery::probeFigure(figure.toStdString(), gallery::optionWords(assignments));
  for (const char* style : {"acl", "acl_wide", "slide", "screen_light"}) {
    for (const double heightMm : {0.0, 60.0, 150.0}) {
      FigureSpec sized = spec;
      sized.heightMm = heightMm;
      FigureRenderer renderer;
      layOut(renderer, sized, styleOf(style));
      for (std::size_t i = 0; i < sized.panels.size(); ++i) {
        const QSizeF cell = cellOf(renderer, i);
        const QRectF& area = renderer.layout().panels[i].area;
        // The plot ends at whole units.
        const double step = 1 / std::min(area.width(), area.height());
        QVERIFY2(std::abs(cell.width() / cell.height() - 1) <= 1.5 * step + 1e-9,
                 qPrintable(QStringLiteral("%1, %2 mm high: %3 x %4")
                                .arg(QLatin1String(style))
                                .arg(heightMm)
                                .arg(cell.width())
                                .arg(cell.height())));
      }
    }
  }
}

// A height that nobody chose leaves nothing free above and below the squares of a column.
void MapShapes::squaresFillTheWidth() {
  const FigureSpec spec = gallery::probeFigure("beta_dependency", {});
  QCOMPARE(spec.heightMm, 0.0);
  FigureRenderer renderer;
  layOut(renderer, spec, styleOf("acl"));
  double least = 1e9;
  for (const PanelLayout& panel : renderer.layout().panels)
    least = std::min(least, panel.room.height() - panel.area.height());
  QVERIFY2(least <= 3, qPrintable(QString::number(least)));
}

// Maps are narrower than their place: a name that is wider than its map stands whole above the free room, and
// never on its neighbour's or on the numbers beside the map.
void MapShapes::titlesReachTheirNeighbours() {
  FigureSpec spec = gallery::probeFigure("attention_maps", {});
  QVERIFY(spec.panels.size() > 1 && spec.panels[0].row == spec.panels[1].row);
  const char* const names[] = {"12 layers Post-LN", "12 layers Pre-LN"};
  for (std::size_t i = 0; i < 2; ++i) spec.panels[i].title = Phrase::words(names[i]);
  bool wider = false;
  for (const double heightMm : {0.0, 30.0}) {
    spec.heightMm = heightMm;
    for (const char* style : {"acl", "slide", "screen_light"}) {
      FigureRenderer renderer;
      layOut(renderer, spec, styleOf(style));
      QRectF before;
      for (const PanelLayout& panel : renderer.layout().panels) {
        QVERIFY(panel.title.has_value());
        for (std::size_t line = *panel.title; line < *panel.title + panel.titleLines; ++line) {
          const PlacedText& title = panel.texts[line];
          QVERIFY2(!title.line.elided(), qPrintable(title.line.plain()));
          QVERIFY(!title.box().intersects(before));
          wider = wider || title.box().right() > panel.area.right();
        }
        before = panel.texts[*panel.title].box();
      }
      const FigureChecks checks = figureChecks(renderer, figureSize(spec, styleOf(style)));
      if (heightMm == 0) QCOMPARE(checks.overlapping, QStringList());
    }
  }
  QVERIFY(wider);
}

void MapShapes::violinsHaveOneAxis() {
  for (const char* figure : {"attention_entropy", "attention_jsd"}) {
    const FigureSpec spec = gallery::probeFigure(figure, {});
    QVERIFY(spec.panels.size() > 1);
    QVERIFY(gridWithAxis(spec.panels.front()) == nullptr);  // the neighbour at the row's end has it
    const FigurePanel& last = spec.panels.back();
    QVERIFY(gridWithAxis(last) != nullptr);
    for (const char* style : {"acl", "acl_wide", "slide", "screen_light"}) {
      FigureRenderer renderer;
      layOut(renderer, spec, styleOf(style));
      const PanelLayout& at = renderer.layout().panels.back();
      QVERIFY(at.valueAxis.size() > 3);
      for (const QLineF& line : at.valueAxis) QVERIFY(line.x1() > at.area.right());
      QStringList texts;
      for (const PlacedText& text : at.texts) texts.append(text.line.plain());
      QVERIFY2(texts.contains(QStringLiteral("0")), qPrintable(texts.join(u'|')));
      const QString title = plainText(QString::fromStdString(gridWithAxis(last)->axis.english()));
      const bool titled = std::any_of(texts.begin(), texts.end(), [&](const QString& text) {
        return title.startsWith(text) && text.size() > 4;
      });
      QVERIFY2(titled, qPrintable(texts.join(u'|')));
      const FigureChecks checks = figureChecks(renderer, figureSize(spec, styleOf(style)));
      QCOMPARE(checks.outside, QStringList());
      QCOMPARE(checks.overlapping, QStringList());
      QCOMPARE(checks.touching, QStringList());
    }
  }
}

void MapShapes::theAxisIsInEveryFile() {
  const FigureSpec spec = gallery::probeFigure("attention_entropy", {});
  for (const FigureFormat format : {FigureFormat::Svg, FigureFormat::Pgf}) {
    FigureSpec without = spec;
    for (FigurePanel& panel : without.panels)
      if (auto* grid = std::get_if<GridMark>(&panel.marks.front().shape)) grid->axis = {};
    const auto bytes = figureBytes(spec, styleOf("acl"), format);
    const auto fewer = figureBytes(without, styleOf("acl"), format);
    QVERIFY(bytes.ok() && fewer.ok());
    QVERIFY(*bytes != *fewer);
    if (format == FigureFormat::Pgf) QVERIFY(bytes->contains("entropy (nats)"));
  }
}

void MapShapes::neighboursKeepTheirLabelsApart() {
  FigureSpec spec;
  spec.widthMm = 84;
  spec.panels = {labelled(0, "updates of the optimiser until the end"),
                 labelled(1, "target tokens seen until the end of it"),
                 labelled(2, "seconds since the beginning of the run")};
  FigureRenderer renderer;
  layOut(renderer, spec, styleOf("acl"));
  const FigureChecks checks = figureChecks(renderer, figureSize(spec, styleOf("acl")));
  QCOMPARE(checks.touching, QStringList());
  QCOMPARE(checks.overlapping, QStringList());
  QVERIFY(!checks.cut.isEmpty());  // they have no room, and say so
}

void MapShapes::flatHeadsAreUniform() {
  const double nan = std::nan("");
  QVERIFY(isUniformHead(std::vector<double>{0.25, 0.25, 0.25, 0.25}, 4));
  QVERIFY(isUniformHead(std::vector<double>{0.26, 0.24, 0.25, 0.25}, 4));
  QVERIFY(!isUniformHead(std::vector<double>{0.4, 0.2, 0.2, 0.2}, 4));
  // What is hidden does not count: a causal row sees one key more than the one above.
  QVERIFY(isUniformHead(std::vector<double>{1, 0, 0, 0.5, 0.5, 0, 1. / 3, 1. / 3, 1. / 3}, 3));
  QVERIFY(isUniformHead(std::vector<double>{1, nan, nan, 0.5, 0.5, nan, 1. / 3, 1. / 3, 1. / 3}, 3));
  QVERIFY(!isUniformHead(std::vector<double>{1, 0, 0, 0.9, 0.1, 0, 1. / 3, 1. / 3, 1. / 3}, 3));
  QVERIFY(!isUniformHead(std::vector<double>{1, 0, 1, 0}, 2));  // one key each: nothing to choose
  QVERIFY(!isUniformHead({}, 0));
}

QTEST_MAIN(MapShapes)
#include "tst_map_shapes.moc"
