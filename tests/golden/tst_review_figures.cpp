// SPDX-License-Identifier: Apache-2.0
// Figures of predictions: their content as text, their look in every style, their files.
#include <QApplication>
#include <QDir>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>

#include "core/base/files/atomic_file.h"
#include "tests/golden/support_figure_dump.h"
#include "tests/golden/support_golden_text.h"
#include "tests/golden/support_review_gallery.h"
#include "tests/unit/support_small_reviews.h"
#include "views/figure/figure_renderer.h"

using namespace fathom;

class ReviewFigures : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void dumps_data();
  void dumps();
  void fitsEveryStyle_data() { dumps_data(); }
  void fitsEveryStyle();
  void hardnessIsSaidInAnyLanguage();
  void wrongGoldHasNoBar();
  void fitsTheWindow_data();
  void fitsTheWindow();
  void vennCirclesAreRound();
  void numbersAreThoseOfTheReview();
  void countsLeadToTheirExamples_data();
  void countsLeadToTheirExamples();
  void noBarOfNobodyLeadsToAll();
  void everyFormatIsWritten();
  void wrongUseIsNamed();

 private:
  void compare(const std::string& text, const std::string& file);
  static QString trouble(const FigureRenderer& renderer, const QSize& units);
  QTemporaryDir m_folder;
};

void ReviewFigures::dumps_data() {
  QTest::addColumn<QString>("figure");
  QTest::addColumn<int>("models");
  QTest::addColumn<QStringList>("settings");
  const auto row = [](const char* name, const char* figure, int models, const QStringList& settings = {}) {
    QTest::newRow(name) << figure << models << settings;
  };
  row("error_table", "error_table", 3);
  row("error_shares", "error_shares", 3);
  row("error_shares_any", "error_shares", 5, {"set=any", "false_negatives=any_model"});
  row("exact_match", "exact_match", 3);
  row("partial_match", "partial_match", 3);
  row("partial_match_hard", "partial_match", 2, {"measure=recall", "level=hard"});
  row("category_breakdown", "category_breakdown", 4);
  row("category_breakdown_hardness", "category_breakdown", 4, {"by=hardness", "unit=share"});
  row("failure_venn_2", "failure_venn", 2);
  row("failure_venn_3", "failure_venn", 3);
  row("failure_venn_4", "failure_venn", 4);
  row("failure_upset", "failure_upset", 5);
  row("failure_upset_short", "failure_upset", 5, {"most=3"});
}

void ReviewFigures::compare(const std::string& text, const std::string& file) {
  const QString problem = test::goldenProblem(text, file);
  QVERIFY2(problem.isEmpty(), qPrintable(problem));
}

void ReviewFigures::dumps() {
  QFETCH(QString, figure);
  QFETCH(int, models);
  QFETCH(QStringList, settings);
  const Review& review = gallery::sampleReview(static_cast<std::size_t>(models));
  std::vector<std::string> words;
  for (const auto& setting : settings) words.push_back(setting.toStdString());
  const auto made = gallery::reviewFigure(review, figure.toStdString(), words);
  QVERIFY2(made.ok(), made ? "" : made.error().text().c_str());
  compare(figureDump(made->spec) + "\n" + csvTable(made->table).value(),
          std::string("review_") + QTest::currentDataTag() + ".txt");
}

// A screen says levels of hardness in its language; names of models stay.
void ReviewFigures::hardnessIsSaidInAnyLanguage() {
  const Review& review = gallery::sampleReview(3);
  const FigureAxis levels = gallery::reviewFigure(review, "exact_match", {}).value().spec.panels[0].x;
  QCOMPARE(levels.words.size(), std::size_t{5});
  QCOMPARE(levels.words.size(), levels.categories.size());
  const auto split = gallery::reviewFigure(review, "category_breakdown", {"by=hardness"}).value();
  QCOMPARE(split.spec.panels[0].x.words.size(), std::size_t{4});
  const auto plain = gallery::reviewFigure(review, "category_breakdown", {}).value();
  QVERIFY(plain.spec.panels[0].x.words.empty());
}

// Wrong gold is nobody's error; what is right after all is told apart, as false negatives of SQL are.
void ReviewFigures::wrongGoldHasNoBar() {
  const QTemporaryDir folder;
  Progress progress;
  const Review review =
      openReview(test::smallSources(test::smallReviews().front(), folder.path()), 1, progress).value();
  const auto gold = categoryIndex(*review.kind, "gold_error"),
             right = categoryIndex(*review.kind, "after_all");
  QVERIFY(gold && right);
  std::vector<std::vector<std::uint8_t>> categories(review.models.size(),
                                                    std::vector<std::uint8_t>(review.examples(), 0));
  categories[0][0] = std::uint8_t(*gold);
  categories[0][1] = std::uint8_t(*right);
  FigureRecipe recipe;
  recipe.figure = "category_breakdown";
  const ReviewFigure figure = buildReviewFigure(recipe, {review, categories}).value();
  std::string columns;
  for (const auto& column : figure.table.columns) columns += column.header + "\n";
  QVERIFY2(columns.find("ight after all") != std::string::npos, columns.c_str());
  QVERIFY2(columns.find("old") == std::string::npos, columns.c_str());
}

// The first text that leaves the page or lies on another; "" = none.
QString ReviewFigures::trouble(const FigureRenderer& renderer, const QSize& units) {
  const std::vector<PlacedText> texts = renderer.texts();
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (!QRectF(QPointF(-1, -1), units + QSize(2, 2)).contains(texts[i].box()))
      return texts[i].full + QStringLiteral(" leaves the page");
    for (std::size_t k = 0; k < i; ++k) {
      const QRectF common = texts[i].box().intersected(texts[k].box());
      if (!common.isEmpty() && std::min(common.width(), common.height()) > 1)
        return texts[i].full + QStringLiteral(" on ") + texts[k].full;
    }
  }
  return {};
}

// Texts lie inside the page and none on another, with short and long names; pictures for the eye where
// FATHOM_PICTURES names a folder.
void ReviewFigures::fitsEveryStyle() {
  QFETCH(QString, figure);
  QFETCH(int, models);
  QFETCH(QStringList, settings);
  std::vector<std::string> words;
  for (const auto& setting : settings) words.push_back(setting.toStdString());
  for (const bool longNames : {false, true}) {
    const Review& review = gallery::sampleReview(static_cast<std::size_t>(models), longNames);
    const ReviewFigure made = gallery::reviewFigure(review, figure.toStdString(), words).value();
    for (const char* id : {"acl", "acl_wide", "slide", "screen_dark"}) {
      const FigureStyle style = figureStyle(QLatin1String(id)).value();
      FigureSpec spec = made.spec;
      if (spec.heightMm > 0 && style.id == QLatin1String("slide")) spec.heightMm *= 2.4;
      FigureRenderer renderer;
      QVERIFY(renderer.setFigure(spec, style).ok());
      const FigureSize size = figureSize(spec, style);
      const QSize units(qRound(unitsOfMm(size.widthMm)), qRound(unitsOfMm(size.heightMm)));
      QImage image(units * 2, QImage::Format_RGB32);
      renderer.paintTo(image, units, {false, false, 2});
      if (const QString folder = qEnvironmentVariable("FATHOM_PICTURES"); !folder.isEmpty()) {
        image.save(QDir(folder).filePath(QString::fromLatin1(QTest::currentDataTag()) + u'_' + id +
                                         (longNames ? "_long.png" : ".png")));
      }
      const QString problem = trouble(renderer, units);
      QVERIFY2(problem.isEmpty(), qPrintable(style.id + u' ' + problem));
    }
  }
}

void ReviewFigures::fitsTheWindow_data() {
  QTest::addColumn<QString>("figure");
  QTest::addColumn<int>("models");
  for (const char* figure :
       {"error_table", "error_shares", "exact_match", "partial_match", "category_breakdown", "failure_upset"})
    for (const int models : {2, 8})
      QTest::addRow("%s_%d", figure, models) << QString::fromLatin1(figure) << models;
  QTest::newRow("failure_venn_4") << "failure_venn" << 4;
}

// The same where the window gives the size, narrow and low as it may be.
void ReviewFigures::fitsTheWindow() {
  QFETCH(QString, figure);
  QFETCH(int, models);
  for (const bool longNames : {false, true}) {
    const Review& review = gallery::sampleReview(static_cast<std::size_t>(models), longNames);
    const ReviewFigure made = gallery::reviewFigure(review, figure.toStdString()).value();
    for (const QSize units : {QSize(430, 520), QSize(700, 560), QSize(1100, 780)}) {
      FigureRenderer renderer;
      QVERIFY(renderer.setFigure(made.spec, screenStyle(true, 10)).ok());
      QImage image(units, QImage::Format_RGB32);
      renderer.paintTo(image, units, {false, false, 1});
      if (const QString folder = qEnvironmentVariable("FATHOM_PICTURES"); !folder.isEmpty())
        image.save(QDir(folder).filePath(QStringLiteral("window_%1_%2%3.png")
                                             .arg(QString::fromLatin1(QTest::currentDataTag()))
                                             .arg(units.width())
                                             .arg(longNames ? "_long" : "")));
      const QString problem = trouble(renderer, units);
      QVERIFY2(problem.isEmpty(), qPrintable(QStringLiteral("%1 wide: %2").arg(units.width()).arg(problem)));
    }
  }
}

// Whatever the page is like, a circle is as wide as it is high.
void ReviewFigures::vennCirclesAreRound() {
  for (const int models : {2, 3}) {
    const ReviewFigure made =
        gallery::reviewFigure(gallery::sampleReview(std::size_t(models)), "failure_venn").value();
    int circles = 0;
    for (const FigureMark& mark : made.spec.panels[0].marks) {
      const auto* circle = std::get_if<EllipseMark>(&mark.shape);
      if (circle == nullptr) continue;
      QCOMPARE(circle->radiusX, circle->radiusY);
      ++circles;
    }
    QCOMPARE(circles, models);
    for (const QSize units : {QSize(430, 520), QSize(1100, 400)}) {
      FigureRenderer renderer;
      QVERIFY(renderer.setFigure(made.spec, screenStyle(false, 10)).ok());
      QImage image(units, QImage::Format_RGB32);
      renderer.paintTo(image, units, {false, false, 1});
      const QRectF area = renderer.layout().panels[0].area;
      const PanelRanges shown = renderer.ranges(0);
      const double wide = area.width() / shown.x.size(), high = area.height() / shown.y.size();
      QVERIFY2(std::abs(wide / high - 1) < 0.02, qPrintable(QStringLiteral("%1 %2").arg(wide).arg(high)));
    }
  }
}

void ReviewFigures::numbersAreThoseOfTheReview() {
  const Review& review = gallery::sampleReview(4);
  const auto categories = gallery::categoriesOf(review);
  const auto table = gallery::reviewFigure(review, "error_table")->table;
  const auto venn = gallery::reviewFigure(review, "failure_venn")->table;
  double wrong = 0, regions = 0;
  for (std::size_t m = 0; m < 4; ++m) {
    const int count = countCategories(errorCategories(categories)[m]).wrong();
    QCOMPARE(std::get<double>(table.rows.back()[m + 1]), double(count));
    wrong += count;
  }
  QCOMPARE(venn.rows.size(), std::size_t{15});  // every region of four ellipses has a place
  for (const auto& row : venn.rows) regions += std::get<double>(row[1]) * std::get<double>(row[2]);
  QCOMPARE(regions, wrong);
  // A person's verdict changes the figure, not the review.
  auto judged = categories;
  const auto wrongOne = std::find(judged[0].begin(), judged[0].end(), std::uint8_t(ErrorCategory::Sketch));
  *wrongOne = std::uint8_t(ErrorCategory::FalseNegative);
  const FigureEntry entry = findFigure("error_table").value();
  const auto other =
      entry.buildReview({review, judged}, OptionValues{OptionSchema(entry.fields, {})}).value();
  QCOMPARE(std::get<double>(other.table.rows[0][1]), std::get<double>(table.rows[0][1]) + 1);
  QCOMPARE(std::get<double>(other.table.rows[2][1]), std::get<double>(table.rows[2][1]) - 1);
}

void ReviewFigures::countsLeadToTheirExamples_data() {
  QTest::addColumn<QString>("figure");
  QTest::addColumn<QStringList>("settings");
  QTest::addColumn<int>("first");  // column of counts
  QTest::addColumn<int>("end");
  QTest::newRow("breakdown") << "category_breakdown" << QStringList{} << 2 << 100;
  QTest::newRow("breakdown_hardness") << "category_breakdown" << QStringList{"by=hardness"} << 2 << 100;
  QTest::newRow("shares") << "error_shares" << QStringList{} << 2 << 5;
  QTest::newRow("shares_any") << "error_shares" << QStringList{"set=any", "false_negatives=any_model"} << 2
                              << 5;
  QTest::newRow("table") << "error_table" << QStringList{} << 1 << 100;
  QTest::newRow("exact_match") << "exact_match" << QStringList{} << 2 << 4;
}

// A number of examples leads to just so many; none of them leads nowhere.
void ReviewFigures::countsLeadToTheirExamples() {
  QFETCH(QString, figure);
  QFETCH(QStringList, settings);
  QFETCH(int, first);
  QFETCH(int, end);
  std::vector<std::string> words;
  for (const QString& setting : settings) words.push_back(setting.toStdString());
  const ReviewFigure made =
      gallery::reviewFigure(gallery::sampleReview(4), figure.toStdString(), words).value();
  int seen = 0;
  for (std::size_t r = 0; r < made.table.rows.size(); ++r)
    for (std::size_t c = std::size_t(first); c < std::min(made.table.rows[r].size(), std::size_t(end)); ++c) {
      const double count = std::get<double>(made.table.rows[r][c]);
      const QString leads = QString::fromStdString(made.cells.at(r).at(c));
      const qsizetype at = leads.indexOf(QStringLiteral("ex:"));
      const qsizetype examples = at < 0 ? 0 : leads.mid(at).count(u',') + 1;
      QVERIFY2(double(examples) == count && leads.isEmpty() == (count == 0),
               qPrintable(QStringLiteral("row %1, column %2: %3 is %4").arg(r).arg(c).arg(count).arg(leads)));
      seen += count > 0;
    }
  QVERIFY(seen >= 8);
}

// Bars and shares of systems without a fault have no examples.
void ReviewFigures::noBarOfNobodyLeadsToAll() {
  const Review& review = gallery::sampleReview(2);
  const std::vector<std::vector<std::uint8_t>> right(2, std::vector<std::uint8_t>(review.examples(), 0));
  for (const char* id : {"error_shares", "category_breakdown"}) {
    const FigureEntry entry = findFigure(id).value();
    const ReviewFigure made =
        entry.buildReview({review, right}, OptionValues{OptionSchema(entry.fields, {})}).value();
    for (const FigurePanel& panel : made.spec.panels)
      for (const FigureMark& mark : panel.marks) QCOMPARE(mark.selection, std::string());
    for (std::size_t r = 0; r < made.table.rows.size(); ++r)
      for (std::size_t c = 2; c < made.cells.at(r).size(); ++c) QCOMPARE(made.cells[r][c], std::string());
  }
}

void ReviewFigures::everyFormatIsWritten() {
  const Review& review = gallery::sampleReview(3);
  const ReviewFigureInput input{review, gallery::categoriesOf(review)};
  for (const FigureEntry& entry : figures()) {
    if (!canBeOf(entry, *review.kind)) continue;
    FigureRecipe recipe;
    recipe.figure = entry.id;
    recipe.style = "acl";
    recipe.created = "2026-01-01T00:00:00Z";
    for (const char* ending : {"pdf", "svg", "png", "tex", "csv"}) {
      const std::string stem = m_folder.filePath(QString::fromStdString(entry.id)).toStdString();
      QFile::remove(QString::fromStdString(stem + ".csv"));
      const Status status = exportReviewRecipe(recipe, input, stem + "." + ending);
      QVERIFY2(status.ok(), status.ok() ? "" : status.error().text().c_str());
      const std::string bytes = readFile(stem + "." + ending).value();
      QVERIFY(bytes.size() > 30);
      QVERIFY(readFile(stem + ".csv")->find(',') != std::string::npos);
      if (ending == std::string("tex"))
        QCOMPARE(bytes.find("\\toprule") != std::string::npos, entry.id == "error_table");
      QVERIFY(exportReviewRecipe(recipe, input, stem + "." + ending).ok());
      QVERIFY2(readFile(stem + "." + ending).value() == bytes, ending);
    }
  }
}

void ReviewFigures::wrongUseIsNamed() {
  // Of more than four systems the first four, or those that are named.
  const Review& five = gallery::sampleReview(5);
  const auto first = gallery::reviewFigure(five, "failure_venn");
  QCOMPARE(first->table.rows.size(), std::size_t{15});
  QVERIFY(first->spec.notes.back().english().find("4 of 5") != std::string::npos);
  const auto named = gallery::reviewFigure(five, "failure_venn", {"systems=third,hasty"});
  QCOMPARE(named->table.rows.size(), std::size_t{3});
  QCOMPARE(std::get<std::string>(named->table.rows[2][0]), std::string("hasty & third"));
  const auto all = gallery::reviewFigure(five, "failure_venn", {"systems=careful,hasty,mixed,late,third"});
  QVERIFY(!all.ok() && all.error().text().find("failure_upset") != std::string::npos);
  const auto unknown = gallery::reviewFigure(five, "failure_venn", {"systems=careful,nobody"});
  QVERIFY(!unknown.ok() && unknown.error().text().find("mixed") != std::string::npos);
  const auto runs = gallery::reviewFigure(gallery::sampleReview(2), "training_curve");
  QVERIFY(!runs.ok() && runs.error().text().find("runs") != std::string::npos);
}

QTEST_MAIN(ReviewFigures)
#include "tst_review_figures.moc"
