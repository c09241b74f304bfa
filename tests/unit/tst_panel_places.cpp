// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/library/figures/panel_places.h"
#include "core/library/figures/style_sheet.h"

using namespace fathom;

namespace {

FigureComposition pageOf(std::initializer_list<PanelPlace> places) {
  FigureComposition page;
  page.uuid = "p";
  for (const PanelPlace& place : places) {
    CompositionPanel panel;
    panel.recipe.figure = "training_curve";
    panel.recipe.name = std::string(1, char('a' + page.panels.size()));
    panel.row = place.row;
    panel.column = place.column;
    page.panels.push_back(panel);
  }
  return page;
}

bool standsAt(const FigureComposition& page, std::size_t index, int row, int column) {
  return page.panels[index].row == row && page.panels[index].column == column;
}

}  // namespace

// Places of panels as a hand moves them, and what a page and a recipe keep of a hand's work.
class PanelPlacesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void panelsChangePlaces();
  void wideOnesChangeTheirRowsAndColumnsToo();
  void emptyPlacesAreTaken();
  void nothingLeavesTheGrid();
  void newOnesPushAway();
  void sharesAreKept();
  void badSharesAreRefused();
  void textsAreKept();
  void badTextsAreRefused();
  void sheetsAreLooksOfPages();
};

void PanelPlacesTest::panelsChangePlaces() {
  FigureComposition page = pageOf({{0, 0}, {0, 1}, {1, 0}});
  QVERIFY(movePanelTo(page, 0, {1, 0}));
  QVERIFY(standsAt(page, 0, 1, 0) && standsAt(page, 2, 0, 0) && standsAt(page, 1, 0, 1));
  // Onto itself: nothing happens.
  const std::string before = page.toJson().dump();
  QVERIFY(movePanelTo(page, 1, {0, 1}));
  QCOMPARE(page.toJson().dump(), before);
}

void PanelPlacesTest::wideOnesChangeTheirRowsAndColumnsToo() {
  FigureComposition page = pageOf({{0, 0}, {1, 0}, {1, 1}});
  page.panels[0].columnSpan = 2;
  QVERIFY(checkComposition(page).ok());
  // Dropped on the right half of the wide one.
  QVERIFY(movePanelTo(page, 2, {0, 1}));
  QVERIFY(standsAt(page, 2, 0, 0) && page.panels[2].columnSpan == 2);
  QVERIFY(standsAt(page, 0, 1, 1) && page.panels[0].columnSpan == 1);
  QVERIFY(checkComposition(page).ok());
}

void PanelPlacesTest::emptyPlacesAreTaken() {
  FigureComposition page = pageOf({{0, 0}, {0, 1}});
  QVERIFY(movePanelTo(page, 1, {1, 1}));
  QVERIFY(standsAt(page, 1, 1, 1));
  // A wide one that would lie on another becomes as small as the place.
  page.panels[0].columnSpan = 2;
  QVERIFY(movePanelTo(page, 0, {1, 0}));
  QVERIFY(standsAt(page, 0, 1, 0) && page.panels[0].columnSpan == 1);
}

void PanelPlacesTest::nothingLeavesTheGrid() {
  FigureComposition page = pageOf({{0, 0}});
  const std::string before = page.toJson().dump();
  QVERIFY(!movePanelTo(page, 0, {FigureComposition::kMostTracks, 0}));
  QVERIFY(!movePanelTo(page, 0, {-1, 0}));
  QVERIFY(!movePanelTo(page, 7, {0, 1}));
  QVERIFY(!putPanelAt(page, {}, {0, FigureComposition::kMostTracks}));
  QCOMPARE(page.toJson().dump(), before);
}

void PanelPlacesTest::newOnesPushAway() {
  FigureComposition page = pageOf({{0, 0}, {0, 1}});
  CompositionPanel fresh;
  fresh.recipe.figure = "attention_entropy";
  QVERIFY(putPanelAt(page, fresh, {0, 1}));
  QCOMPARE(page.panels.size(), std::size_t{3});
  QVERIFY(standsAt(page, 2, 0, 1) && standsAt(page, 1, 1, 0));
  QVERIFY(putPanelAt(page, fresh, {1, 1}));
  QVERIFY(standsAt(page, 3, 1, 1));
  QCOMPARE(rowsOf(page), 2);
  QCOMPARE(columnsOf(page), 2);
  QVERIFY(panelAt(page, {1, 1}) == std::size_t{3});
  QVERIFY(!panelAt(page, {2, 0}));
}

// Pages of an older Fathom have none, and are written as they were.
void PanelPlacesTest::sharesAreKept() {
  FigureComposition page = pageOf({{0, 0}, {1, 0}});
  for (const char* key : {"row_shares", "column_shares", "dashes"}) QVERIFY(!page.toJson().contains(key));
  page.rowShares = {60, 40.5};
  page.columnShares = {1};
  page.dashes = true;
  const FigureComposition read = figureCompositionFromJson(page.toJson()).value();
  QCOMPARE(read.rowShares, page.rowShares);
  QCOMPARE(read.columnShares, page.columnShares);
  QVERIFY(read.dashes);
}

void PanelPlacesTest::badSharesAreRefused() {
  const Json good = pageOf({{0, 0}}).toJson();
  for (const char* shares : {"[0]", "[-1, 2]", "[1e9]", "[1,1,1,1,1,1,1,1,1]", "[\"wide\"]", "3"}) {
    Json json = good;
    json["row_shares"] = Json::parse(shares);
    const auto read = figureCompositionFromJson(json);
    QVERIFY2(!read.ok() && read.error().text().find("row_shares") != std::string::npos, shares);
  }
  Json json = good;
  json["dashes"] = 1;
  QVERIFY(!figureCompositionFromJson(json).ok());
}

void PanelPlacesTest::textsAreKept() {
  FigureRecipe recipe;
  recipe.figure = "training_curve";
  QVERIFY(!recipe.toJson().contains("texts"));
  recipe.texts.axes["updates"] = "steps &times; 10";
  recipe.texts.legend["post-ln"] = "Post-LN";
  const FigureRecipe read = figureRecipeFromJson(recipe.toJson()).value();
  QVERIFY(read.texts == recipe.texts);
  QCOMPARE(wordsFor(read.texts.axes, "updates"), std::string("steps &times; 10"));
  QCOMPARE(wordsFor(read.texts.axes, "loss"), std::string("loss"));
  FigureTexts everywhere;
  everywhere.say("loss", "nats");
  QVERIFY(everywhere.titles == everywhere.axes && everywhere.axes == everywhere.legend);
}

void PanelPlacesTest::badTextsAreRefused() {
  FigureRecipe recipe;
  recipe.figure = "training_curve";
  for (const char* texts : {"[]", "\"x\"", "{\"axes\": 3}", "{\"legend\": {\"a\": 3}}"}) {
    Json json = recipe.toJson();
    json["texts"] = Json::parse(texts);
    QVERIFY2(!figureRecipeFromJson(json).ok(), texts);
  }
}

void PanelPlacesTest::sheetsAreLooksOfPages() {
  FigureComposition page = pageOf({{0, 0}});
  page.style = "icml";
  page.widthMm = 90;
  page.font = "sans";
  page.textPoints = 7;
  page.letters = "A";
  page.dashes = true;
  StyleSheet sheet = styleSheetOf(page, "mine");
  sheet.uuid = "s";
  QVERIFY(looksLike(page, sheet));
  const StyleSheet read = styleSheetFromJson(sheet.toJson()).value();
  QCOMPARE(read.toJson().dump(), sheet.toJson().dump());
  FigureComposition other = pageOf({{0, 0}, {1, 0}});
  QVERIFY(!looksLike(other, sheet));
  other = withStyleSheet(other, read);
  QVERIFY(looksLike(other, sheet));
  QCOMPARE(other.panels.size(), std::size_t{2});
  for (const char* bad :
       {"{\"format\":1}", "{\"format\":1,\"name\":\"x\",\"width_mm\":-1}", "{\"format\":9,\"name\":\"x\"}",
        "{\"format\":1,\"name\":\"x\",\"font\":\"comic\"}"})
    QVERIFY2(!styleSheetFromJson(Json::parse(bad)).ok(), bad);
}

QTEST_MAIN(PanelPlacesTest)
#include "tst_panel_places.moc"
