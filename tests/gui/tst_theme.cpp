// SPDX-License-Identifier: Apache-2.0
#include <QFontInfo>
#include <QListWidget>
#include <QTest>
#include <QTextBlock>
#include <QTextDocument>
#include <cmath>

#include "views/figure/figure_colours.h"
#include "views/look/theme.h"
#include "views/panels/widgets/help_window.h"
#include "views/panels/widgets/markdown_text.h"

using namespace fathom;

class ThemeTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void texts_data();
  void texts();
  void marks_data();
  void marks();
  void themeOfPalette();
  void maps();
  void oneValueStandsInTheMiddle();
  void coloursGoRoundAfterTheirShades();
  void headingsKeepTheTypeSizes();
  void headsOfTheHelpFollow();
};

void ThemeTest::texts_data() {
  QTest::addColumn<bool>("dark");
  QTest::newRow("light") << false;
  QTest::newRow("dark") << true;
}

void ThemeTest::texts() {
  QFETCH(bool, dark);
  const Theme& theme = dark ? Theme::darkTheme() : Theme::light();
  for (const QColor& background : {theme.window, theme.panel, theme.selection}) {
    QVERIFY2(contrastRatio(theme.text, background) >= 4.5, qPrintable(background.name()));
    if (background != theme.selection)
      QVERIFY2(contrastRatio(theme.secondary, background) >= 4.5, qPrintable(background.name()));
  }
  QVERIFY(contrastRatio(theme.accent, theme.panel) >= 4.5);
  QVERIFY(contrastRatio(theme.failed, theme.panel) >= 4.5);
}

void ThemeTest::marks_data() {
  texts_data();
}

void ThemeTest::marks() {
  QFETCH(bool, dark);
  const Theme& theme = dark ? Theme::darkTheme() : Theme::light();
  for (const QColor& mark : {theme.running, theme.finished, theme.stopped, theme.diverged, theme.failed})
    QVERIFY2(contrastRatio(mark, theme.panel) >= 3.0, qPrintable(mark.name()));
  // E69F00, 56B4E9 and CC79A7 are Okabe-Ito as published; on white they stay just below 3 : 1, which is why a
  // curve is never told by colour alone (direct label, dash, legend). Everything else must reach it.
  for (int i = 0; i < kSeriesColours; ++i) {
    const double limit = !dark && (i == 3 || i == 4 || i == 5) ? 2.2 : 3.0;
    QVERIFY2(contrastRatio(theme.run(i), theme.panel) >= limit,
             qPrintable(QStringLiteral("run %1: %2").arg(i).arg(contrastRatio(theme.run(i), theme.panel))));
  }
}

void ThemeTest::themeOfPalette() {
  QVERIFY(!Theme::of(Theme::light().palette()).dark);
  QVERIFY(Theme::of(Theme::darkTheme().palette()).dark);
  QCOMPARE(Theme::light().state(QStringLiteral("diverged")), QColor(0xd5, 0x5e, 0x00));
}

void ThemeTest::maps() {
  QCOMPARE(mapColour(ColourMap::Viridis, 0).name(), QStringLiteral("#440154"));
  QCOMPARE(mapColour(ColourMap::Viridis, 2).name(), QStringLiteral("#fde725"));
  QCOMPARE(mapColour(ColourMap::Cividis, 1).name(), QStringLiteral("#ffea46"));
  QCOMPARE(mapColour(ColourMap::BlueWhiteRed, 0.5).name(), QStringLiteral("#f7f7f7"));
  // The sequential maps rise in lightness, so they survive grayscale print.
  for (const ColourMap map : {ColourMap::Viridis, ColourMap::Cividis}) {
    int last = -1;
    for (int i = 0; i <= 20; ++i) {
      const int grey = grayscale(mapColour(map, i / 20.0)).red();
      QVERIFY(grey > last);
      last = grey;
    }
  }
  QVERIFY(colourMapNamed("cividis") == ColourMap::Cividis);
  QVERIFY(colourMapNamed("jet") == ColourMap::Viridis);
}

void ThemeTest::oneValueStandsInTheMiddle() {
  for (const double value : {0.82, -3.0, 0.0}) {
    const ColourLimits limits = colourLimits(value, value);
    QVERIFY(limits.minimum < value && value < limits.maximum);
    QVERIFY(std::abs(limits.minimum + limits.maximum - 2 * value) < 1e-12);
    QVERIFY(limits.maximum - limits.minimum <= 1);
  }
  QCOMPARE(colourLimits(1, 5).minimum, 1.0);
  QCOMPARE(colourLimits(1, 5).maximum, 5.0);
}

// Shades of the same hues follow, and then it begins anew; the looks of runs differ in their dashes first.
void ThemeTest::coloursGoRoundAfterTheirShades() {
  QVERIFY(seriesColour(7, false) != seriesColour(0, false));
  QVERIFY(std::abs(seriesColour(7, false).hslHue() - seriesColour(0, false).hslHue()) <= 2);
  QCOMPARE(seriesColour(7 * kSeriesShades, false), seriesColour(0, false));
  QCOMPARE(lookColour(7, false), seriesColour(0, false));
}

// Title of a page 1.3 times the body, other headings as large as the body; never the sizes of a web page.
void ThemeTest::headingsKeepTheTypeSizes() {
  QFont body;
  body.setPointSizeF(12);
  QTextDocument document;
  setMarkdownText(&document, QStringLiteral("# Page\n\n## Part\n\ntext\n"), body);
  std::vector<double> sizes;
  for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
    if (!block.text().isEmpty()) sizes.push_back(block.begin().fragment().charFormat().font().pointSizeF());
  QCOMPARE(sizes.size(), std::size_t{3});
  const double size = QFontInfo(body).pointSizeF();
  QCOMPARE(sizes[0], 1.3 * size);
  QCOMPARE(sizes[1], size);
  QCOMPARE(document.lastBlock().begin().fragment().charFormat().hasProperty(QTextFormat::FontPointSize),
           false);
}

// Heads of groups cannot be chosen, and are no paler for it.
void ThemeTest::headsOfTheHelpFollow() {
  HelpWindow help;
  help.showPages({});
  const QListWidgetItem* head = help.list()->item(0);
  QVERIFY(!(head->flags() & Qt::ItemIsSelectable));
  for (const Theme* theme : {&Theme::darkTheme(), &Theme::light()}) {
    help.setPalette(theme->palette());
    QCOMPARE(head->foreground().color(), theme->palette().color(QPalette::Text));
  }
}

QTEST_MAIN(ThemeTest)
#include "tst_theme.moc"
