// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figure/figure_style.h"

#include <QFont>
#include <QFontInfo>

#include "views/figure/figure_colours.h"

namespace fathom {

namespace {

QStringList serif() {
  return {QStringLiteral("TeX Gyre Termes"), QStringLiteral("DejaVu Serif"), QStringLiteral("DejaVu Sans"),
          QStringLiteral("Noto Serif CJK SC"), QStringLiteral("Noto Sans CJK SC")};
}
QStringList sans() {
  return {QStringLiteral("TeX Gyre Heros"), QStringLiteral("DejaVu Sans"),
          QStringLiteral("Noto Sans CJK SC")};
}
QStringList screenFamilies() {
  return {QStringLiteral("DejaVu Sans"), QStringLiteral("Noto Sans CJK SC")};
}

struct Venue {
  const char* id;
  const char* title;
  double widthMm;
  double heightMm;
  double labelPoints, smallPoints;
  bool serif;
  const char* source;
};
// Widths and heights of the texts of the venues' templates, a caption's line less where a page is higher than
// 240 mm; label and tick sizes as commonly set for them.
constexpr Venue kVenues[] = {
    {"acl", QT_TRANSLATE_NOOP("Command", "ACL, one column"), 77.0, 240, 8, 7, true, "ACL: column 7.7 cm"},
    {"acl_wide", QT_TRANSLATE_NOOP("Command", "ACL, full width"), 160.0, 240, 8, 7, true, "ACL: 16.0 cm"},
    {"neurips", "NeurIPS", 139.7, 228.6, 9, 7, true, "NeurIPS: 5.5 in"},
    {"iclr", "ICLR", 139.7, 228.6, 9, 7, true, "ICLR: 5.5 in"},
    {"icml", QT_TRANSLATE_NOOP("Command", "ICML, one column"), 82.55, 228.6, 8, 6, true, "ICML: 3.25 in"},
    {"icml_wide", QT_TRANSLATE_NOOP("Command", "ICML, full width"), 171.45, 228.6, 8, 6, true,
     "ICML: 6.75 in"},
    {"aistats", QT_TRANSLATE_NOOP("Command", "AISTATS, one column"), 82.55, 228.6, 9, 7, true,
     "AISTATS: 3.25 in"},
    {"aaai", QT_TRANSLATE_NOOP("Command", "AAAI, one column"), 83.82, 228.6, 9, 7, true, "AAAI: 3.3 in"},
    {"aaai_wide", QT_TRANSLATE_NOOP("Command", "AAAI, full width"), 177.165, 228.6, 9, 7, true,
     "AAAI: 6.975 in"},
    {"cvpr", QT_TRANSLATE_NOOP("Command", "CVPR, one column"), 82.55, 225.4, 8, 6, true, "CVPR: 3.25 in"},
    {"jmlr", "JMLR", 152.4, 215.9, 9.95, 7.95, true, "JMLR: 6.0 in"},
    {"tmlr", "TMLR", 165.1, 228.6, 9, 7, true, "TMLR: 6.5 in"},
    {"ieee", QT_TRANSLATE_NOOP("Command", "IEEE, one column"), 83.82, 234.9, 8, 7, true, "IEEE: 3.3 in"},
    {"nature", QT_TRANSLATE_NOOP("Command", "Nature, one column"), 83.82, 240, 7, 6, false, "Nature: 3.3 in"},
};

FigureStyle paper(const Venue& venue) {
  FigureStyle style;
  style.id = QLatin1String(venue.id);
  style.title = QLatin1String(venue.title);
  style.venue = QLatin1String(venue.source);
  style.widthMm = venue.widthMm;
  style.mostHeightMm = venue.heightMm;
  style.families = venue.serif ? serif() : sans();
  style.labelPoints = style.titlePoints = venue.labelPoints;
  style.tickPoints = style.legendPoints = venue.smallPoints;
  style.background = QColor(0xff, 0xff, 0xff);
  style.text = QColor(0, 0, 0);
  style.secondary = QColor(0x40, 0x40, 0x40);
  style.separator = QColor(0xd0, 0xd0, 0xd0);
  style.accent = QColor(0x00, 0x72, 0xb2);
  return style;
}

FigureStyle slide() {
  FigureStyle style = paper(kVenues[0]);
  style.id = QStringLiteral("slide");
  style.title = QLatin1String(QT_TRANSLATE_NOOP("Command", "Slide"));
  style.venue = QStringLiteral("16 : 9 slide");
  style.widthMm = 240;
  style.mostHeightMm = 190.5;
  style.pageWidthMm = 338.67;  // one figure or several: a whole slide
  style.pageHeightMm = 190.5;
  style.families = sans();
  style.labelPoints = style.titlePoints = 20;
  style.tickPoints = style.legendPoints = 16;
  style.linePoints = 2.5;
  style.axisPoints = 1;
  style.tickLengthPoints = 6;
  style.markerPoints = 7;
  return style;
}

int trailingNumber(const QString& word, QLatin1String prefix) {
  bool ok = false;
  const int number = QStringView(word).mid(prefix.size()).toInt(&ok);
  return ok && number >= 0 ? number : -1;
}

}  // namespace

QColor FigureStyle::colour(const QString& word) const {
  constexpr QLatin1String kSeries("series:"), kCategory("category:");
  QColor found;
  if (word.startsWith(kSeries)) {
    const int number = trailingNumber(word, kSeries);
    if (number >= 0) found = seriesColour(number, dark);
  } else if (word.startsWith(kCategory)) {
    found = categoryColour(word.mid(kCategory.size()));
  } else if (word == QLatin1String("text")) {
    found = text;
  } else if (word == QLatin1String("secondary")) {
    found = secondary;
  } else if (word == QLatin1String("separator")) {
    found = separator;
  } else if (word == QLatin1String("accent")) {
    found = accent;
  } else if (word == QLatin1String("background")) {
    found = background;
  } else if (word.startsWith(u'#') && (word.size() == 7 || word.size() == 4)) {
    found = QColor(word);
  }
  return found.isValid() && gray ? grayscale(found) : found;
}

const std::vector<FigureStyle>& figureStyles() {
  static const std::vector<FigureStyle> styles = [] {
    std::vector<FigureStyle> made;
    for (const Venue& venue : kVenues) made.push_back(paper(venue));
    made.push_back(slide());
    made.push_back(screenStyle(false));
    made.push_back(screenStyle(true));
    return made;
  }();
  return styles;
}

Result<FigureStyle> figureStyle(const QString& id) {
  QString known;
  for (const FigureStyle& style : figureStyles()) {
    if (style.id == id) return style;
    known += (known.isEmpty() ? QString() : QStringLiteral(", ")) + style.id;
  }
  return usageError(Phrase::tr("there is no figure style \"%1\"")(id.toStdString()),
                    Phrase::tr("one of %1")(known.toStdString()));
}

FigureStyle screenStyle(bool dark, double fontPoints) {
  FigureStyle style;
  style.id = dark ? QStringLiteral("screen_dark") : QStringLiteral("screen_light");
  style.title = dark ? QLatin1String(QT_TRANSLATE_NOOP("Command", "Screen, dark"))
                     : QLatin1String(QT_TRANSLATE_NOOP("Command", "Screen, light"));
  style.venue = QStringLiteral("window");
  style.dark = dark;
  style.widthMm = 160;
  style.families = screenFamilies();
  style.labelPoints = style.titlePoints = fontPoints;
  style.tickPoints = style.legendPoints = 0.9 * fontPoints;
  style.linePoints = FigureStyle::kScreenLinePoints;
  style.axisPoints = 0.75;
  style.tickLengthPoints = 3;
  style.markerPoints = 4.5;
  style.background = dark ? QColor(0x1e, 0x22, 0x27) : QColor(0xff, 0xff, 0xff);
  style.text = dark ? QColor(0xe4, 0xe7, 0xeb) : QColor(0x1b, 0x1f, 0x24);
  style.secondary = dark ? QColor(0x9a, 0xa4, 0xaf) : QColor(0x5b, 0x64, 0x70);
  style.separator = dark ? QColor(0x30, 0x36, 0x3d) : QColor(0xdd, 0xe1, 0xe6);
  style.accent = dark ? QColor(0x5a, 0xa9, 0xf0) : QColor(0x0b, 0x6b, 0xcb);
  return style;
}

FigureStyle screenStyle(bool dark, const QFont& window) {
  FigureStyle style = window.pointSizeF() > 0 ? screenStyle(dark, window.pointSizeF()) : screenStyle(dark);
  const QString family = QFontInfo(window).family();  // what is installed of those that it names
  style.families.removeAll(family);
  style.families.prepend(family);
  return style;
}

FigureStyle withFont(FigureStyle style, const QString& typeface, double labelPoints) {
  if (typeface == QLatin1String("serif")) style.families = serif();
  if (typeface == QLatin1String("sans")) style.families = sans();
  if (labelPoints <= 0) return style;
  const double factor = labelPoints / style.labelPoints;
  for (double* points : {&style.labelPoints, &style.tickPoints, &style.legendPoints, &style.titlePoints})
    *points *= factor;
  return style;
}

FigureStyle grayscaleStyle(FigureStyle style) {
  for (QColor* colour : {&style.background, &style.text, &style.secondary, &style.separator, &style.accent})
    *colour = grayscale(*colour);
  style.gray = true;
  return style;
}

}  // namespace fathom
