// SPDX-License-Identifier: Apache-2.0
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QStandardItemModel>
#include <QTabBar>
#include <QTableView>
#include <QTest>
#include <QVBoxLayout>
#include <algorithm>
#include <memory>

#include "app/pictures/view_faults.h"
#include "app/window/session/appearance.h"
#include "tests/gui/support_window_fixture.h"
#include "views/look/theme.h"
#include "views/panels/train/run_table_delegate.h"
#include "views/panels/train/run_table_panel.h"
#include "views/panels/widgets/elided_label.h"
#include "views/tables/run_table_model.h"

using namespace fathom;

// The checks that every view of the window passes (tst_view_faults_slow) find each fault where it is, and
// none in what is in order.
class ViewChecksTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup();
  void fineViewHasNone();
  void textsThatAreCut_data();
  void textsThatAreCut();
  void chineseIsBrokenAnywhere();
  void cutBesideFreeRoom();
  void iconsStandForStates();
  void namesThatAreEqual();
  void outsideOfTheParent();
  void partsOverEachOther();
  void squeezedControls();
  void scrollBarInAScrollBar();
  void paleText();
  void gradientsAreOneGround();
  void whatIsHiddenIsNotLookedAt();

 private:
  QVector<ViewFault> faults() {
    m_view->show();
    if (!test::settled(m_view.get())) qWarning("the view does not come to rest");
    return viewFaults(m_view.get(), m_view->grab().toImage());
  }
  bool onlyOne(ViewFault::Kind kind) {
    const QVector<ViewFault> found = faults();
    for (const ViewFault& fault : found)
      if (found.size() != 1 || fault.kind != kind)
        qWarning("%s: %s: %s", qPrintable(faultWord(fault.kind)), qPrintable(fault.where),
                 qPrintable(fault.what));
    return found.size() == 1 && found.first().kind == kind;
  }
  std::unique_ptr<QWidget> m_view;
};

void ViewChecksTest::init() {
  QApplication::setPalette(Theme::light().palette());
  m_view = std::make_unique<QWidget>();
  m_view->resize(400, 300);
}

void ViewChecksTest::cleanup() {
  m_view.reset();
}

void ViewChecksTest::fineViewHasNone() {
  auto* column = new QVBoxLayout(m_view.get());
  column->addWidget(new QLabel("A text"));
  auto* wrapped = new QLabel(QString("words and words ").repeated(12));
  wrapped->setWordWrap(true);
  column->addWidget(wrapped);
  column->addWidget(new ElidedLabel(QString("one line that ends in an ellipsis ").repeated(9)));
  column->addWidget(new QPushButton("Press"));
  auto* list = new QListWidget;
  for (int i = 0; i < 60; ++i) list->addItem(QStringLiteral("row %1").arg(i));
  column->addWidget(list);
  QCOMPARE(int(faults().size()), 0);
}

void ViewChecksTest::textsThatAreCut_data() {
  QTest::addColumn<int>("what");
  for (const auto& [name, what] :
       {std::pair{"label", 0}, {"wrapped label", 1}, {"button", 2}, {"choice", 3}, {"tabs", 4}, {"cells", 5}})
    QTest::newRow(name) << what;
}

void ViewChecksTest::textsThatAreCut() {
  QFETCH(int, what);
  const QString text = QStringLiteral("a text that is much too long for its place");
  QWidget* made = nullptr;
  if (what == 0) made = new QLabel(text, m_view.get());
  if (what == 1) {
    auto* label = new QLabel(text, m_view.get());
    label->setWordWrap(true);
    made = label;
  }
  if (what == 2) made = new QPushButton(text, m_view.get());
  if (what == 3) {
    auto* box = new QComboBox(m_view.get());
    box->addItem(text);
    made = box;
  }
  if (what == 4) {
    auto* bar = new QTabBar(m_view.get());
    bar->addTab(text);
    bar->setElideMode(Qt::ElideRight);
    bar->setUsesScrollButtons(false);
    made = bar;
  }
  if (what == 5) {
    auto* list = new QListWidget(m_view.get());
    list->addItem(text);
    list->setTextElideMode(Qt::ElideRight);
    list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list->item(0)->setSizeHint({10, 20});
    made = list;
  }
  made->setGeometry(10, 10, 90, what == 1 ? 18 : 60);
  QVERIFY(onlyOne(ViewFault::Kind::TextCut));
}

// Chinese has no blanks: lines end between any two letters.
void ViewChecksTest::chineseIsBrokenAnywhere() {
  auto* label =
      new QLabel(QStringLiteral("此处没有检查点，显示较早的：这是一行没有空格的文字"), m_view.get());
  label->setWordWrap(true);
  label->setTextFormat(Qt::PlainText);
  label->setGeometry(0, 0, 80, 300);
  QCOMPARE(int(faults().size()), 0);
  label->setText(QStringLiteral("iwslt14deensmalladminpaper"));
  QVERIFY(onlyOne(ViewFault::Kind::TextCut));
}

// A tool tip is no excuse where the table has room left.
void ViewChecksTest::cutBesideFreeRoom() {
  QStandardItemModel model(1, 2);
  model.setItem(0, 0, new QStandardItem(QStringLiteral("a name that is longer than that")));
  model.item(0, 0)->setToolTip(model.item(0, 0)->text());
  auto* table = new QTableView(m_view.get());
  table->setModel(&model);
  table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  table->setGeometry(0, 0, 390, 200);
  table->setColumnWidth(0, 90);
  table->setColumnWidth(1, 20);
  QVERIFY(onlyOne(ViewFault::Kind::TextCut));
  table->setColumnWidth(1, 280);
  QCOMPARE(int(faults().size()), 0);
  table->setColumnWidth(0, 300);
  table->setColumnWidth(1, 20);
  QCOMPARE(int(faults().size()), 0);
}

// The state of a run may stand there as its icon alone, but not as half a word.
void ViewChecksTest::iconsStandForStates() {
  RunTableModel model;
  RunItem run;
  run.uuid = run.name = QStringLiteral("one");
  run.state = RunState::Finished;
  model.setRuns({run});
  m_view->resize(900, 400);
  auto* panel = new RunTablePanel(&model, m_view.get());
  panel->setGeometry(0, 0, 890, 380);
  QCOMPARE(int(faults().size()), 0);
  QTableView* table = panel->table();
  const QModelIndex state = table->model()->index(0, RunTableModel::State);
  QCOMPARE(RunTableDelegate::shownState(table, state), QString());
  // Half a word of it, beside room that nobody uses.
  const int word = table->fontMetrics().horizontalAdvance(state.data().toString());
  table->setColumnWidth(RunTableModel::State, metrics::kIcon + 3 * metrics::kGrid + word - 3);
  QVERIFY(RunTableDelegate::shownState(table, state).size() > 1);
  QVERIFY(onlyOne(ViewFault::Kind::TextCut));
}

void ViewChecksTest::namesThatAreEqual() {
  auto* box = new QComboBox(m_view.get());
  box->addItems({"one", "two", "one"});
  box->setGeometry(10, 10, 200, 40);
  QVERIFY(onlyOne(ViewFault::Kind::EqualNames));
  box->removeItem(2);
  for (const int x : {10, 200}) {
    auto* button = new QPushButton("Same", m_view.get());
    button->setGeometry(x, 100, 120, 40);
    button->show();  // the view is shown already
  }
  QVERIFY(onlyOne(ViewFault::Kind::EqualNames));
}

void ViewChecksTest::outsideOfTheParent() {
  auto* label = new QLabel("text", m_view.get());
  label->setGeometry(350, 10, 120, 40);
  QVERIFY(onlyOne(ViewFault::Kind::OutsideParent));
}

void ViewChecksTest::partsOverEachOther() {
  auto* column = new QVBoxLayout(m_view.get());
  column->setSizeConstraint(QLayout::SetNoConstraint);
  for (int i = 0; i < 2; ++i) {
    auto* part = new QWidget;
    part->setMinimumHeight(120);
    column->addWidget(part);
  }
  QCOMPARE(int(faults().size()), 0);
  m_view->resize(400, 150);
  const QVector<ViewFault> found = faults();
  QVERIFY(std::any_of(found.begin(), found.end(),
                      [](const ViewFault& fault) { return fault.kind == ViewFault::Kind::Overlap; }));
}

void ViewChecksTest::squeezedControls() {
  auto* line = new QLineEdit(m_view.get());
  line->setGeometry(10, 10, 200, 12);
  QVERIFY(onlyOne(ViewFault::Kind::Squeezed));
  line->setFixedHeight(line->sizeHint().height());
  QCOMPARE(int(faults().size()), 0);
  auto* list = new QListWidget(m_view.get());
  list->addItems({"one", "two", "three"});
  list->setGeometry(10, 100, 200, list->sizeHintForRow(0) + 2 * list->frameWidth());
  list->show();  // the view is shown already
  QVERIFY(onlyOne(ViewFault::Kind::Squeezed));
  list->resize(200, 2 * list->sizeHintForRow(0) + 2 * list->frameWidth());
  QCOMPARE(int(faults().size()), 0);
}

void ViewChecksTest::scrollBarInAScrollBar() {
  auto* area = new QScrollArea(m_view.get());
  area->setGeometry(0, 0, 300, 200);
  auto* inside = new QWidget;
  inside->resize(250, 900);
  auto* list = new QListWidget(inside);
  list->setGeometry(0, 0, 200, 100);
  for (int i = 0; i < 60; ++i) list->addItem(QStringLiteral("row %1").arg(i));
  area->setWidget(inside);
  QVERIFY(onlyOne(ViewFault::Kind::NestedScrolling));
  list->setFixedHeight(60 * 40);
  inside->resize(250, 60 * 40);
  QCOMPARE(int(faults().size()), 0);
}

void ViewChecksTest::paleText() {
  auto* label = new QLabel("pale words", m_view.get());
  label->setGeometry(10, 10, 200, 40);
  QPalette palette = label->palette();
  palette.setColor(QPalette::WindowText, QColor(0xaa, 0xaa, 0xaa));
  label->setPalette(palette);
  QVERIFY(onlyOne(ViewFault::Kind::Contrast));
  label->setEnabled(false);  // told by being pale
  QCOMPARE(int(faults().size()), 0);
}

// The outline of a control is no ground of its text, although it may be its most frequent colour.
void ViewChecksTest::gradientsAreOneGround() {
  Appearance appearance;
  appearance.setTheme(QStringLiteral("dark"));
  appearance.setTextPercent(130);
  // A view from before has the old size until it is shown: the boxes would ask for too little room.
  m_view = std::make_unique<QWidget>();
  m_view->resize(400, 300);
  int top = 10;
  for (const char* text : {"nats", "by median", "colour-blind safe"}) {
    auto* box = new QComboBox(m_view.get());
    box->addItem(QString::fromLatin1(text));
    box->move(10, top);
    box->resize(box->sizeHint());
    top += 60;
  }
  for (const ViewFault& fault : faults()) QFAIL(qPrintable(fault.where + QLatin1String(": ") + fault.what));
  appearance.setTextPercent(100);
}

void ViewChecksTest::whatIsHiddenIsNotLookedAt() {
  auto* label = new QLabel("a text that is much too long for its place", m_view.get());
  label->setGeometry(10, 10, 20, 20);
  label->hide();
  QCOMPARE(int(faults().size()), 0);
}

QTEST_MAIN(ViewChecksTest)
#include "tst_view_checks.moc"
