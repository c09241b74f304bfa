// SPDX-License-Identifier: Apache-2.0
// Texts that stand side by side are cut so that those that differ still read differently.
#include <QApplication>
#include <QSet>
#include <QTest>

#include "tests/golden/support_figure_gallery.h"
#include "tests/golden/support_states_gallery.h"
#include "views/figure/distinct_text.h"
#include "views/figure/figure_checks.h"
#include "views/figure/figure_picture.h"

using namespace fathom;

namespace {

const QStringList kParts = {"encoder self attention", "encoder feed forward", "decoder self attention",
                            "decoder cross attention", "decoder feed forward"};

FigureStyle style() {
  return figureStyle(QStringLiteral("acl")).value();
}

// Panels side by side, narrow enough that no title is whole.
FigureSpec titled(const QStringList& titles) {
  FigureSpec spec;
  for (const QString& title : titles) {
    FigurePanel panel = gallery::trainingCurves(1, false).panels.front();
    panel.title = title.toStdString();
    panel.column = static_cast<int>(spec.panels.size());
    panel.legend = LegendPlace::None;
    spec.panels.push_back(std::move(panel));
  }
  return spec;
}

FigureChecks checked(const FigureSpec& spec) {
  FigureRenderer renderer;
  [&] { QVERIFY(renderer.setFigure(spec, style()).ok()); }();
  (void)figurePicture(renderer, figureSize(spec, style()), 1);
  return figureChecks(renderer, figureSize(spec, style()));
}

}  // namespace

class DistinctText : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void shortOnesStayAsTheyAre();
  void namesStayApart();
  void linesStayApart_data();
  void linesStayApart();
  void titlesOfPanelsStayApart();
  void equalTitlesAreFound();
  void overTrainingNamesEveryPart();
  void labelsLoseTheirUnitBeforeTheirMiddle();
  void titlesOfARowStandAtOneHeight();
};

void DistinctText::shortOnesStayAsTheyAre() {
  QCOMPARE(namesApart({"a", "b", "a"}, 8), (QStringList{"a", "b", "a"}));
  QCOMPARE(namesApart({"encoder self attention"}, 12), QStringList{"encoder…tion"});
  QCOMPARE(namesApart({}, 5), QStringList());
}

void DistinctText::namesStayApart() {
  for (const qsizetype letters : {20, 14, 12, 10, 8, 6, 4}) {
    const QStringList cut = namesApart(kParts, letters);
    QCOMPARE(cut.size(), kParts.size());
    QCOMPARE(QSet<QString>(cut.begin(), cut.end()).size(), kParts.size());
    for (const QString& name : cut)
      QVERIFY2(name.size() <= letters && !name.contains(QStringLiteral("……")), qPrintable(name));
  }
  // What they share goes, in whole words.
  QCOMPARE(namesApart({"decoder self attention", "decoder cross attention"}, 12),
           (QStringList{"…self…", "…cross…"}));
  // Equal names stay equal; nothing tells them apart.
  const QStringList twins =
      namesApart({"the same long name", "the same long name", "the same wrong name"}, 9);
  QCOMPARE(twins[0], twins[1]);
  QVERIFY(twins[0] != twins[2]);
}

void DistinctText::linesStayApart_data() {
  QTest::addColumn<double>("width");
  for (const double width : {140., 90., 60., 40., 25.})
    QTest::newRow(qPrintable(QString::number(width))) << width;
}

void DistinctText::linesStayApart() {
  QFETCH(double, width);
  std::vector<QString> markups;
  for (const QString& part : kParts) markups.push_back(QStringLiteral("<i>") + part + QStringLiteral("</i>"));
  const TextFont font = style().font(8);
  QSet<QString> read;
  for (const TextLine& line : linesApart(markups, font, {width})) {
    read.insert(line.plain());
    QVERIFY2(line.width() <= width, qPrintable(line.plain()));
    QVERIFY(line.elided() == line.plain().contains(u'…'));
    for (const TextRun& run : line.runs()) QVERIFY(run.italic || run.text.at(0).isDigit());
  }
  QCOMPARE(read.size(), kParts.size());
}

void DistinctText::titlesOfPanelsStayApart() {
  const FigureChecks checks = checked(titled(kParts.mid(2, 3)));
  QVERIFY2(checks.sameTitles.isEmpty(), qPrintable(checks.sameTitles.join(u';')));
  QVERIFY(!checks.cut.isEmpty());
}

void DistinctText::equalTitlesAreFound() {
  FigureSpec spec = titled({"decoder", "encoder", "decoder"});
  QCOMPARE(checked(spec).sameTitles, QStringList{"decoder | decoder"});
  // Two figures of a page, told apart by what they measure.
  spec.panels[2].y.label = Phrase::words("entropy (nats)");
  QVERIFY(checked(spec).sameTitles.isEmpty());
}

void DistinctText::overTrainingNamesEveryPart() {
  const FigureSpec spec = gallery::followedFigure("over_training", {}, {}).value();
  QVERIFY(spec.panels.size() > 2);
  const FigureChecks checks = checked(spec);
  QVERIFY2(checks.sameTitles.isEmpty(), qPrintable(checks.sameTitles.join(u';')));
}

// A low panel has the unit in a second line; one that is lower still says what is drawn, without its unit,
// and what was left out is told.
void DistinctText::labelsLoseTheirUnitBeforeTheirMiddle() {
  const auto labelAt = [](double heightMm, const char* label) {
    FigureSpec spec = gallery::trainingCurves(1, false);
    spec.heightMm = heightMm;
    spec.panels.front().y.label = Phrase::words(label);
    FigureRenderer renderer;
    [&] { QVERIFY(renderer.setFigure(spec, style()).ok()); }();
    (void)figurePicture(renderer, figureSize(spec, style()), 1);
    for (const PlacedText& text : renderer.layout().panels.front().texts)
      if (text.upright) return std::pair{text.line.plain(), text.line.elided()};
    return std::pair{QString(), false};
  };
  const char* const kLabel = "training loss (nats per example)";
  QCOMPARE(labelAt(90, kLabel), (std::pair{QString(kLabel), false}));
  QCOMPARE(labelAt(32, kLabel), (std::pair{QStringLiteral("training loss"), false}));
  QCOMPARE(labelAt(22, "loss (nanonatsforeachexampleofthewhole)"), (std::pair{QStringLiteral("loss"), true}));
  QCOMPARE(labelAt(32, "训练损失（每个样本的奈特，一个很长的单位名）"),
           (std::pair{QStringLiteral("训练损失"), true}));
  // One without a unit is broken into lines before it is cut.
  const char* const kLong = "a label as long as the other, without a unit";
  QVERIFY(!labelAt(32, kLong).second);
  QVERIFY(labelAt(22, kLong).first.contains(u'…'));
}

// Whatever the first reaches over: its plot, the numbers of its neighbour, a second line.
void DistinctText::titlesOfARowStandAtOneHeight() {
  for (int letters = 1; letters < 60; ++letters) {
    FigureSpec spec = titled({"", "b"});
    QString words;
    while (words.size() < letters) words += words.size() % 6 == 5 ? u' ' : u'm';
    spec.panels[0].title = Phrase::words(words.trimmed().toStdString());
    FigureRenderer renderer;
    QVERIFY(renderer.setFigure(spec, style()).ok());
    (void)figurePicture(renderer, figureSize(spec, style()), 1);
    const auto lastLine = [&renderer](std::size_t panel) {
      const PanelLayout& at = renderer.layout().panels[panel];
      return at.texts[*at.title + at.titleLines - 1].baseline.y();
    };
    QVERIFY2(std::abs(lastLine(0) - lastLine(1)) < 0.5, qPrintable(QString::number(letters)));
    const PanelLayout& first = renderer.layout().panels[0];
    QVERIFY(first.texts[*first.title].box().top() >= first.slot.top() - 0.5);
  }
}

QTEST_MAIN(DistinctText)
#include "tst_distinct_text.moc"
