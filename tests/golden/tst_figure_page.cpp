// SPDX-License-Identifier: Apache-2.0
#include <QApplication>
#include <QTest>
#include <algorithm>
#include <cmath>

#include "support_figure_gallery.h"
#include "views/figure/figure_checks.h"
#include "views/figure/figure_csv.h"
#include "views/figure/figure_page.h"
#include "views/figure/figure_picture.h"
#include "views/figure/figure_words.h"
#include "views/figures/composition_page.h"
#include "views/figures/figure_dashes.h"
#include "views/figures/figure_height.h"
#include "views/figures/own_texts.h"

using namespace fathom;

// Several figures on one page.
class FigurePageTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void figuresKeepTheirPanels();
  void tracksAreDivided();
  void lettersFollowTheReading();
  void axesAreShared();
  void differentAxesStayApart();
  void sizes();
  void refusals();
  void csvHasEveryNumber();
  void checksSeeWhatIsWrong();
  void typefaceAndSize();
  void figuresDoNotLieOnEachOther();
  void rowsKeepTheirHeights();
  void badBandsAreRefused();
  void sharesOfRowsAndColumns();
  void aSlideIsAWholePage();
  void aFigureAloneIsAWholeSlide();
  void wordsOfAPersonsStandOnThePage();
  void dashesTellApartWhatGreysDoNot();
  void largeLettersGetRoomAsInAFigureAlone();
  void labelsOfNarrowPanelsDoNotMeet();

 private:
  static FigureStyle style(const char* id = "acl_wide") { return figureStyle(QLatin1String(id)).value(); }
  static FigureSpec line(std::vector<double> x, std::vector<double> y, const char* label = "updates");
  static FigurePage twoByTwo();
};

FigureSpec FigurePageTest::line(std::vector<double> x, std::vector<double> y, const char* label) {
  FigureSpec spec;
  spec.id = "line";
  spec.summary = Phrase::words("A line.");
  FigurePanel panel;
  panel.title = Phrase::words("Loss");
  panel.x.label = Phrase::words(label);
  panel.y.label = Phrase::words("loss");
  FigureMark mark;
  mark.label = Phrase::words("run");
  mark.shape = LineMark{std::move(x), std::move(y)};
  panel.marks.push_back(std::move(mark));
  spec.panels.push_back(std::move(panel));
  return spec;
}

FigurePage FigurePageTest::twoByTwo() {
  FigurePage page;
  page.figures = {{line({0, 1}, {1, 2}), 0, 0, 1, 1, ""},
                  {line({0, 2}, {3, 4}), 0, 1, 1, 1, ""},
                  {line({-1, 1}, {0, 1}), 1, 0, 1, 1, ""},
                  {line({0, 5}, {1, 9}), 1, 1, 1, 1, "Other"}};
  return page;
}

// Figures of one, two and four panels: what is drawn of each lies in a box of its own.
void FigurePageTest::figuresDoNotLieOnEachOther() {
  FigurePage page = twoByTwo();
  FigureSpec& wide = page.figures[1].spec;
  wide.panels.push_back(wide.panels.front());
  wide.panels.back().column = 1;
  FigureSpec& high = page.figures[3].spec;
  high.panels.push_back(high.panels.front());
  high.panels.back().row = 1;
  const FigureStyle wished = style();
  const auto composed = composePage(page, wished);
  QVERIFY(composed.ok());
  FigureRenderer renderer;
  QVERIFY(renderer.setFigure(composed->spec, wished).ok());
  const FigureSize size = figureSize(composed->spec, wished);
  const QSizeF units(unitsOfMm(size.widthMm), unitsOfMm(size.heightMm));
  figurePicture(renderer, size, 1);  // lays out
  std::vector<QRectF> boxes(page.figures.size());
  for (std::size_t i = 0; i < composed->figureOf.size(); ++i) {
    QRectF& box = boxes[composed->figureOf[i]];
    box = box.united(renderer.layout().panels[i].slot);
  }
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    QVERIFY(QRectF(QPointF(), units).adjusted(-1, -1, 1, 1).contains(boxes[i]));
    for (std::size_t j = 0; j < i; ++j)
      QVERIFY(!boxes[i].adjusted(1, 1, -1, -1).intersects(boxes[j].adjusted(1, 1, -1, -1)));
  }
}

// A low figure above one that is high and has two rows of its own; also where the page says its height.
void FigurePageTest::rowsKeepTheirHeights() {
  FigurePage page;
  FigureSpec low = line({0, 1}, {1, 2}), high = low;
  high.panels.push_back(high.panels.front());
  high.panels.back().row = 1;
  low.heightMm = 40;
  high.heightMm = 120;
  page.figures = {{low, 0, 0, 1, 1, ""}, {high, 1, 0, 1, 1, ""}};
  const FigureStyle wished = style();
  for (const double height : {0.0, 120.0}) {
    page.heightMm = height;
    const auto composed = composePage(page, wished);
    QVERIFY(composed.ok());
    QCOMPARE(composed->spec.heightMm, height > 0 ? height : 160.0);
    FigureRenderer renderer;
    QVERIFY(renderer.setFigure(composed->spec, wished).ok());
    figurePicture(renderer, figureSize(composed->spec, wished), 1);  // lays out
    const std::vector<PanelLayout>& panels = renderer.layout().panels;
    const double unit = unitsOfMm(composed->spec.heightMm) / 4;
    QVERIFY(std::abs(panels[0].slot.height() - unit) <= 2);
    QVERIFY(std::abs(panels[1].slot.height() + panels[2].slot.height() - 3 * unit) <= 4);
    QVERIFY(std::abs(panels[1].area.height() - panels[2].area.height()) <= 1);
  }
}

void FigurePageTest::badBandsAreRefused() {
  FigureSpec spec = line({0, 1}, {1, 2});
  for (const RowBand& band : {RowBand{2, 1}, RowBand{0, 1}, RowBand{1, 0}, RowBand{1, std::nan("")}}) {
    spec.bands = {band};
    QVERIFY(!checkFigure(spec).ok());
  }
  spec.bands = {{1, 3}};
  QVERIFY(checkFigure(spec).ok());
}

void FigurePageTest::sharesOfRowsAndColumns() {
  FigurePage page = twoByTwo();
  page.heightMm = 120;
  page.rowShares = {3, 1};
  page.columnShares = {1, 2};
  const FigureStyle look = style();
  const ComposedPage composed = composePage(page, look).value();
  FigureRenderer renderer;
  QVERIFY(renderer.setFigure(composed.spec, look).ok());
  (void)figurePicture(renderer, figureSize(composed.spec, look), 1);
  const FigureLayout& layout = renderer.layout();
  QCOMPARE(layout.rowEdges.size(), std::size_t(2 * composed.rowTracks + 1));
  const double rows = layout.rowEdges.back(), columns = layout.columnEdges.back();
  QVERIFY(std::abs(layout.rowEdges[std::size_t(composed.rowTracks)] / rows - 0.75) < 0.005);
  QVERIFY(std::abs(layout.columnEdges[std::size_t(composed.columnTracks)] / columns - 1.0 / 3) < 0.005);
  // Equal ones: equal plots. One that is missing is as large as the others on average.
  page.rowShares = {5, 5};
  QVERIFY(composePage(page, look).value().spec.bands.empty());
  QCOMPARE(sharesOf({3, 1}, 3), (std::vector<double>{0.5, 1.0 / 6, 1.0 / 3}));
  QCOMPARE(sharesOf({}, 2), (std::vector<double>{0.5, 0.5}));
  QCOMPARE(sharesOf({1, 1, 8}, 2), (std::vector<double>{0.5, 0.5}));
}

void FigurePageTest::aSlideIsAWholePage() {
  const FigureStyle look = style("slide");
  FigurePage page = twoByTwo();
  const FigureSpec spec = composePage(page, look).value().spec;
  QVERIFY(std::abs(spec.widthMm / spec.heightMm - 16.0 / 9) < 1e-3);
  page.heightMm = 100;
  QCOMPARE(composePage(page, look).value().spec.heightMm, 100.0);
}

// Whatever height it has on a paper, unless a person asked for a size; other styles have no pages.
void FigurePageTest::aFigureAloneIsAWholeSlide() {
  const FigureStyle slide = style("slide");
  FigureSpec flowing = line({0, 1}, {1, 2});
  flowing.flows = true;
  for (int i = 1; i < 4; ++i) flowing.panels.push_back(flowing.panels.front());
  std::vector<FigureSpec> specs = {flowing, gallery::trainingCurves(4, false)};
  for (const double height : {0.0, 40.0, 120.0}) {
    specs.push_back(line({0, 1}, {1, 2}));
    specs.back().heightMm = height;
  }
  for (const FigureSpec& spec : specs) {
    const FigureSize size = figureSize(figureAlone({}, spec, slide), slide);
    QVERIFY2(std::abs(size.widthMm / size.heightMm - 16.0 / 9) < 1e-3, spec.id.c_str());
    QCOMPARE(size.heightMm, 190.5);
    const FigureSize paper = figureSize(figureAlone({}, spec, style()), style());
    QCOMPARE(paper.heightMm, figureSize(figureForPage({}, spec, style()), style()).heightMm);
  }
  FigureRecipe recipe;
  recipe.options["height"] = 100;
  FigureSpec asked = line({0, 1}, {1, 2});
  asked.heightMm = 100;
  QCOMPARE(figureSize(figureAlone(recipe, asked, slide), slide).heightMm, 100.0);
  QCOMPARE(figureSize(figureAlone(recipe, asked, slide), slide).widthMm, slide.widthMm);
  recipe.options = {{"width", 200}};
  asked.widthMm = 200;
  QCOMPARE(figureSize(figureAlone(recipe, asked, slide), slide).widthMm, 200.0);
}

void FigurePageTest::wordsOfAPersonsStandOnThePage() {
  FigureComposition composition;
  composition.panels.resize(1);
  FigureTexts& texts = composition.panels[0].recipe.texts;
  texts.titles["Loss"] = "Loss <i>L</i>";
  texts.axes["updates"] = "steps";
  texts.axes["nowhere"] = "never";
  texts.legend["run"] = "Ours";
  const FigureStyle look = style();
  const FigurePage page = compositionPage(composition, {line({0, 1}, {1, 2})}, look);
  const FigurePanel& panel = page.figures[0].spec.panels[0];
  QCOMPARE(panel.title.english(), std::string("Loss <i>L</i>"));
  QCOMPARE(panel.x.label.english(), std::string("steps"));
  QCOMPARE(panel.y.label.english(), std::string("loss"));
  QCOMPARE(panel.marks[0].label.english(), std::string("Ours"));
  QCOMPARE(textsOf(line({0, 1}, {1, 2})), (std::vector<std::string>{"Loss", "updates", "loss", "run"}));
  // The places of all of them are known, each with its words.
  const ComposedPage composed = composePage(page, look).value();
  FigureRenderer renderer;
  QVERIFY(renderer.setFigure(composed.spec, look).ok());
  (void)figurePicture(renderer, figureSize(composed.spec, look), 1);
  std::vector<std::string> read;
  for (const WordPlace& place : wordPlaces(composed.spec, renderer.layout())) {
    read.push_back(wordsAt(composed.spec, place));
    QVERIFY(wordAt(wordPlaces(composed.spec, renderer.layout()), place.box.center()).has_value());
  }
  QCOMPARE(read, (std::vector<std::string>{"(a) Loss <i>L</i>", "steps", "loss", "Ours"}));
}

// Lines first get dashes, then marks where they are not too many; other panels of the figure follow.
void FigurePageTest::dashesTellApartWhatGreysDoNot() {
  FigureSpec spec = line({0, 1, 2}, {1, 2, 3});
  for (int i = 1; i < 6; ++i) {
    FigureMark mark = spec.panels[0].marks[0];
    mark.label = Phrase::words("run " + std::to_string(i));
    mark.style.colour = "#0" + std::to_string(i) + "72B2";
    spec.panels[0].marks.push_back(mark);
  }
  FigurePanel second = spec.panels[0];
  second.row = 1;
  for (FigureMark& mark : second.marks) mark.label = {};
  spec.panels.push_back(second);
  const FigureStyle look = style();
  QVERIFY(dashesWouldHelp(spec, look));
  const FigureSpec dashed = withDashes(spec, look);
  QVERIFY(!dashesWouldHelp(dashed, look));
  const auto& marks = dashed.panels[0].marks;
  QVERIFY(marks[0].style.dash == LineDash::Solid);
  for (std::size_t i = 0; i < marks.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) QVERIFY(!alikeInGray(marks[i], marks[k], look));
  for (std::size_t i = 0; i < marks.size(); ++i)
    QVERIFY(marks[i].style.dash == dashed.panels[1].marks[i].style.dash);
  // Those that are apart stay as they are.
  FigureSpec apart = line({0, 1}, {1, 2});
  QVERIFY(!dashesWouldHelp(apart, look));
}

// A figure of 40 mm: on a slide it is higher, alone and on a page, unless a height was asked for.
void FigurePageTest::largeLettersGetRoomAsInAFigureAlone() {
  FigureSpec low = line({0, 1}, {1, 2});
  low.heightMm = 40;
  FigureComposition composition;
  composition.panels.resize(2);
  composition.panels[1].row = 1;
  const auto heightOf = [&](const char* id) {
    FigureStyle look = style(id);
    // A whole slide would say its height itself, and what it has room for.
    look.pageWidthMm = look.pageHeightMm = 0;
    look.mostHeightMm = FigureStyle().mostHeightMm;
    composition.style = id;
    return composePage(compositionPage(composition, {low, low}, look), look).value().spec.heightMm;
  };
  const double alone = heightFor(low, style("slide"));
  QCOMPARE(alone, 100.0);
  QCOMPARE(heightOf("slide"), 2 * alone);
  QCOMPARE(heightOf("acl"), 80.0);
  composition.panels[1].recipe.options["height"] = 40;
  QCOMPARE(heightOf("slide"), alone + 40);
  // Half as wide, a square is the limit.
  composition.panels[1].recipe.options = Json::object();
  composition.panels[1].row = 0;
  composition.panels[1].column = 1;
  low.heightMm = 60;
  QCOMPARE(heightOf("slide"), 120.0);
  // One that says its width, too, is scaled to its column first.
  low.widthMm = 240;
  low.heightMm = 40;
  QCOMPARE(heightOf("slide"), 50.0);
}

// One says it for all of them where they are too narrow.
void FigurePageTest::labelsOfNarrowPanelsDoNotMeet() {
  const QString words = QStringLiteral("head, sorted by median");
  FigureSpec spec = line({0, 1}, {1, 2});
  FigurePanel panel = spec.panels.front(), other = panel;
  panel.x.label = words.toStdString();
  other.x.label = Phrase::words("updates");
  spec.panels = {panel, other, panel, panel, panel};
  const int columns[] = {3, 0, 1, 2, 1};  // in any order; the last one is in a row of its own
  for (std::size_t i = 0; i < spec.panels.size(); ++i) spec.panels[i].column = columns[i];
  spec.panels.back().row = 1;
  FigureRenderer renderer;
  const auto labelled = [&](double widthMm) {
    spec.widthMm = widthMm;
    if (!renderer.setFigure(spec, style()).ok()) qFatal("no figure");
    figurePicture(renderer, figureSize(spec, style()), 1);  // lays out
    QVector<QPair<std::size_t, QRectF>> found;
    for (std::size_t i = 0; i < spec.panels.size(); ++i)
      for (const PlacedText& text : renderer.layout().panels[i].texts)
        if (text.full == words) found.append({i, text.box()});
    return found;
  };
  QCOMPARE(labelled(400).size(), 4);
  const auto narrow = labelled(90);
  QCOMPARE(narrow.size(), 2);
  QCOMPARE(narrow[0].first, std::size_t{2});  // the leftmost of the three
  QCOMPARE(narrow[1].first, std::size_t{4});
  const QRectF first = renderer.layout().panels[2].area, last = renderer.layout().panels[0].area;
  QVERIFY(std::abs(narrow[0].second.center().x() - (first.left() + last.right()) / 2) < 1);
}

void FigurePageTest::figuresKeepTheirPanels() {
  FigurePage page;
  page.title = "Both";
  page.figures = {{gallery::trainingCurves(), 0, 0, 1, 1, ""}, {gallery::everyMark(), 1, 0, 1, 1, ""}};
  const auto composed = composePage(page, style());
  QVERIFY2(composed.ok(), composed.ok() ? "" : composed.error().text().c_str());
  const std::size_t curves = gallery::trainingCurves().panels.size();
  QCOMPARE(composed->spec.panels.size(), curves + gallery::everyMark().panels.size());
  QCOMPARE(composed->figureOf.front(), std::size_t{0});
  QCOMPARE(composed->figureOf.back(), std::size_t{1});
  for (std::size_t i = 0; i < composed->spec.panels.size(); ++i) {
    const FigureSpec own = i < curves ? gallery::trainingCurves() : gallery::everyMark();
    const FigurePanel& before = own.panels[i < curves ? i : i - curves];
    QCOMPARE(composed->spec.panels[i].marks.size(), before.marks.size());
    QCOMPARE(composed->spec.panels[i].x.label, before.x.label);
  }
  QVERIFY(checkFigure(composed->spec).ok());
  QCOMPARE(composed->spec.title.english(), std::string("Both"));
}

// One figure of three columns beside one of two: six tracks each, no panel on another.
void FigurePageTest::tracksAreDivided() {
  const auto wide = [](int columns) {
    FigureSpec spec = line({0, 1}, {0, 1});
    const FigurePanel first = spec.panels[0];
    for (int i = 1; i < columns; ++i) {
      spec.panels.push_back(first);
      spec.panels.back().column = i;
    }
    return spec;
  };
  FigurePage page;
  page.figures = {{wide(3), 0, 0, 1, 1, ""}, {wide(2), 1, 0, 1, 1, ""}, {wide(1), 0, 1, 2, 1, ""}};
  const auto composed = composePage(page, style());
  QVERIFY(composed.ok());
  const auto& panels = composed->spec.panels;
  QCOMPARE(panels.size(), std::size_t{6});
  QCOMPARE(panels[1].column, 2);
  QCOMPARE(panels[1].columnSpan, 2);
  QCOMPARE(panels[4].column, 3);
  QCOMPARE(panels[4].columnSpan, 3);
  QCOMPARE(panels[5].column, 6);
  QCOMPARE(panels[5].columnSpan, 6);
  QCOMPARE(panels[5].rowSpan, 2);
}

void FigurePageTest::lettersFollowTheReading() {
  FigurePage page = twoByTwo();
  std::swap(page.figures[0].row, page.figures[2].row);
  auto composed = composePage(page, style()).value();
  QCOMPARE(composed.spec.panels[2].title.english(), std::string("(a) Loss"));
  QCOMPARE(composed.spec.panels[1].title.english(), std::string("(b) Loss"));
  QCOMPARE(composed.spec.panels[0].title.english(), std::string("(c) Loss"));
  QCOMPARE(composed.spec.panels[3].title.english(), std::string("(d) Other"));
  QVERIFY(composed.spec.summary.english().find("(a) A line.") != std::string::npos);
  page.letters = "A";
  QCOMPARE(composePage(page, style())->spec.panels[3].title.english(), std::string("D Other"));
  page.letters = "";
  QCOMPARE(composePage(page, style())->spec.panels[3].title.english(), std::string("Other"));
}

void FigurePageTest::axesAreShared() {
  FigurePage page = twoByTwo();
  page.shareX = page.shareY = true;
  const auto spec = composePage(page, style())->spec;
  // Columns: panels 0 and 2, 1 and 3.
  QCOMPARE(*spec.panels[0].x.minimum, *spec.panels[2].x.minimum);
  QVERIFY(*spec.panels[0].x.minimum <= -1 && *spec.panels[0].x.maximum >= 1);
  QCOMPARE(spec.panels[0].x.tickLabels, std::string("none"));
  QVERIFY(spec.panels[0].x.label.empty());
  QVERIFY(spec.panels[2].x.tickLabels.empty());
  QCOMPARE(spec.panels[2].x.label.english(), std::string("updates"));
  // Rows: panels 0 and 1, 2 and 3; the left one keeps its labels.
  QCOMPARE(*spec.panels[1].y.maximum, *spec.panels[0].y.maximum);
  QVERIFY(spec.panels[0].y.tickLabels.empty());
  QCOMPARE(spec.panels[1].y.tickLabels, std::string("none"));
  // What is left out gives its room to the plots.
  FigureRenderer renderer;
  QVERIFY(renderer.setFigure(spec, style()).ok());
  QVERIFY(!figurePicture(renderer, figureSize(spec, style()), 1).isNull());
  const double shared = renderer.layout().panels[1].area.width();
  page.shareX = page.shareY = false;
  FigureRenderer apart;
  QVERIFY(apart.setFigure(composePage(page, style())->spec, style()).ok());
  QVERIFY(!figurePicture(apart, figureSize(spec, style()), 1).isNull());
  QVERIFY(shared > apart.layout().panels[1].area.width());
}

void FigurePageTest::differentAxesStayApart() {
  FigurePage page = twoByTwo();
  page.figures[2].spec = line({1, 100}, {1, 2}, "seconds");
  page.shareX = true;
  auto spec = composePage(page, style())->spec;
  QVERIFY(!spec.panels[0].x.minimum && !spec.panels[2].x.minimum);
  QCOMPARE(spec.panels[2].x.label.english(), std::string("seconds"));
  page = twoByTwo();
  page.figures[0].spec.panels[0].x.scale = AxisScale::Symlog;
  page.shareX = true;
  spec = composePage(page, style())->spec;
  QVERIFY(spec.panels[0].x.tickLabels.empty());
}

void FigurePageTest::sizes() {
  FigurePage page = twoByTwo();
  auto spec = composePage(page, style())->spec;
  QCOMPARE(spec.widthMm, 160.0);
  QVERIFY(spec.heightMm > 50 && spec.heightMm < 200);
  page.widthMm = 100;
  page.heightMm = 70;
  spec = composePage(page, style())->spec;
  QCOMPARE(spec.widthMm, 100.0);
  QCOMPARE(spec.heightMm, 70.0);
}

void FigurePageTest::refusals() {
  QVERIFY(!composePage({}, style()).ok());
  FigurePage page = twoByTwo();
  page.figures[1].column = 0;
  const auto overlapping = composePage(page, style());
  QVERIFY(!overlapping.ok());
  QVERIFY(overlapping.error().text().find("lies on figure 1") != std::string::npos);
  page = twoByTwo();
  page.figures[0].row = -1;
  QVERIFY(!composePage(page, style()).ok());
}

void FigurePageTest::csvHasEveryNumber() {
  const std::string csv = figureCsv(composePage(twoByTwo(), style())->spec);
  QVERIFY(csv.starts_with("panel,title,mark,kind,series,"));
  QVERIFY(csv.find("\n1,(a) Loss,1,line,run,,,0,1,,,,,\n") != std::string::npos);
  QVERIFY(csv.find("\n4,(d) Other,1,line,run,,,5,9,,,,,\n") != std::string::npos);
  const std::string all = figureCsv(gallery::everyMark()) + figureCsv(gallery::violinGrid());
  for (const char* kind : kMarkWords) QVERIFY2(all.find(std::string(",") + kind) != std::string::npos, kind);
  QCOMPARE(std::count(csv.begin(), csv.end(), '\n'), std::ptrdiff_t{9});
}

void FigurePageTest::checksSeeWhatIsWrong() {
  const auto checked = [](const FigureSpec& spec, const FigureStyle& look) {
    FigureRenderer renderer;
    [&] { QVERIFY(renderer.setFigure(spec, look).ok()); }();
    (void)figurePicture(renderer, figureSize(spec, look), 1);
    return figureChecks(renderer, figureSize(spec, look));
  };
  const FigureSpec good = composePage(twoByTwo(), style())->spec;
  const FigureChecks fine = checked(good, style());
  QCOMPARE(fine.smallestPoints, 7.0);
  QVERIFY2(fine.outside.isEmpty() && fine.overlapping.isEmpty(), qPrintable(fine.overlapping.join(u';')));
  QVERIFY(fine.glyphs.empty() && fine.alikeInGray.isEmpty());
  QCOMPARE(checked(good, withFont(style(), {}, 6)).smallestPoints, 5.25);
  FigureSpec bad = good;
  bad.panels[0].title = std::string(200, 'w');
  bad.panels[0].marks.push_back(bad.panels[0].marks[0]);
  bad.panels[0].marks[1].label = Phrase::words("twin");
  bad.panels[1].y.label = Phrase::words("loss \xF0\x92\x80\x80");
  const FigureChecks wrong = checked(bad, style());
  QVERIFY(!wrong.cut.isEmpty());
  QCOMPARE(wrong.alikeInGray, QStringList{QStringLiteral("run | twin")});
  QVERIFY(wrong.glyphs.english().find("U+12000") != std::string::npos);
}

void FigurePageTest::typefaceAndSize() {
  const FigureStyle other = withFont(style(), QStringLiteral("sans"), 10);
  QCOMPARE(other.families.front(), QStringLiteral("TeX Gyre Heros"));
  QCOMPARE(other.labelPoints, 10.0);
  QCOMPARE(other.tickPoints, 8.75);
  QCOMPARE(withFont(style(), {}, 0).families, style().families);
}

QTEST_MAIN(FigurePageTest)
#include "tst_figure_page.moc"
