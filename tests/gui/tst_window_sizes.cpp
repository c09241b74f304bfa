// SPDX-License-Identifier: Apache-2.0
// What stands where in low, in large windows and with large texts.
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QStandardItemModel>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QTreeWidget>
#include <memory>

#include "app/window/errors/sql_review_page.h"
#include "app/window/errors/text_review_page.h"
#include "tests/gui/support_errors_window.h"
#include "tests/gui/support_form_schema.h"
#include "tests/unit/support_small_reviews.h"
#include "views/panels/errors/comparison_panel.h"
#include "views/panels/errors/facet_panel.h"
#include "views/panels/errors/prediction_panel.h"
#include "views/panels/form/experiment_draft.h"
#include "views/panels/form/preset_list.h"
#include "views/panels/train/new_run_page.h"
#include "views/panels/train/trainability_view.h"
#include "views/panels/widgets/compact_table.h"
#include "views/panels/widgets/mark_canvas_view.h"

using namespace fathom;
using test::waitUntil;

class WindowSizesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void columnsFollowTheSizeOfTexts();
  void aLowPageLeavesTheOptionsTheWidth();
  void kindsUseAWideWindow();
  void figuresUseALargePlace();
};

void WindowSizesTest::columnsFollowTheSizeOfTexts() {
  QStandardItemModel model(2, 2);
  const std::unique_ptr<QTableView> table(compactTable(&model, QStringLiteral("numbers"), nullptr));
  table->setColumnWidth(0, 80);
  table->setColumnWidth(1, 120);
  table->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Fixed);
  QTreeWidget tree;
  tree.setColumnCount(2);
  evenRows(&tree);
  tree.setColumnWidth(0, 80);
  QFont large = table->font();
  large.setPointSizeF(large.pointSizeF() * 2);
  const double grown = QFontMetricsF(large).horizontalAdvance(QLatin1Char('0')) /
                       QFontMetricsF(table->font()).horizontalAdvance(QLatin1Char('0'));
  QVERIFY(grown > 1.5);
  table->setFont(large);
  tree.setFont(large);
  QCOMPARE(table->columnWidth(0), qRound(80 * grown));
  QCOMPARE(table->columnWidth(1), 120);  // is what it was set to
  QCOMPARE(tree.columnWidth(0), qRound(80 * grown));
}

// A verdict below the form leaves it little height: the presets, which are chosen by then, make room.
void WindowSizesTest::aLowPageLeavesTheOptionsTheWidth() {
  ExperimentDraft draft(test::formSchema());
  NewRunPage page;
  page.setDraft(&draft);
  page.resize(900, 560);
  page.show();
  auto* presets = page.findChild<PresetList*>();
  QVERIFY(presets != nullptr && waitUntil([&] { return presets->isVisible(); }));
  page.trainability()->show();
  QVERIFY(waitUntil([&] { return !presets->isVisible(); }));
  page.trainability()->hide();
  QVERIFY(waitUntil([&] { return presets->isVisible(); }));
  page.resize(900, 1200);
  page.trainability()->show();
  QVERIFY(waitUntil([&] { return page.trainability()->isVisible(); }));
  QTest::qWait(50);  // time to do it wrong
  QVERIFY(presets->isVisible());
}

void WindowSizesTest::kindsUseAWideWindow() {
  const QTemporaryDir folder;
  test::ErrorsWindow window;
  QVERIFY(window.open() != nullptr);
  const auto& all = test::smallReviews();
  QVERIFY(!all.empty());
  window.errors()->open(test::smallSources(all.front(), folder.path()));
  QVERIFY(waitUntil([&] { return window.errors()->page() == ErrorsWorkspace::kReview; }));
  PredictionPanel* predictions = window.errors()->textPage()->predictions();
  const auto besideOfFacets = [&] {
    return predictions->table()->mapTo(predictions, QPoint()).x() >=
           predictions->facets()->mapTo(predictions, QPoint()).x() + predictions->facets()->width();
  };
  const auto share = [&] { return predictions->width() / double(window.errors()->textPage()->width()); };
  window.window()->resize(1280, 800);
  QTest::mouseClick(predictions->facetButton(), Qt::LeftButton);
  QVERIFY(waitUntil([&] { return share() <= 0.42 && !besideOfFacets(); }));
  window.window()->resize(2560, 1440);
  QVERIFY(waitUntil([&] { return share() > 0.55 && besideOfFacets(); }));
}

void WindowSizesTest::figuresUseALargePlace() {
  test::ErrorsWindow window;
  QVERIFY(window.open() != nullptr && window.loadSample());
  window.errors()->show(ErrorsWorkspace::kCompare);
  ComparisonPanel* comparison = window.errors()->sqlPage()->comparison();
  auto* canvas = comparison->findChild<MarkCanvasView*>();
  window.window()->resize(1280, 800);
  comparison->showFigure(QStringLiteral("exact_match"));
  QVERIFY(waitUntil([&] { return canvas->isVisible() && canvas->width() > 300; }));
  const double letters = canvas->style().tickPoints;
  window.window()->resize(2560, 1440);
  QVERIFY(waitUntil([&] { return canvas->style().tickPoints > 1.4 * letters; }));
  QVERIFY(canvas->height() > 0.8 * comparison->height());
  comparison->showFigure(QStringLiteral("error_table"));
  // As in a paper: 77 by 40 mm.
  QVERIFY(waitUntil([&] { return std::abs(canvas->height() - canvas->width() * 40 / 77) <= 2; }));
}

QTEST_MAIN(WindowSizesTest)
#include "tst_window_sizes.moc"
