// SPDX-License-Identifier: Apache-2.0
#include <QAbstractItemView>
#include <QAbstractScrollArea>
#include <QAction>
#include <QComboBox>
#include <QCompleter>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPointer>
#include <QSet>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTest>

#include "app/window/attention/attention_workspace.h"
#include "app/window/errors/text_review_page.h"
#include "app/window/figures/figures_workspace.h"
#include "app/window/train/train_workspace.h"
#include "tests/gui/support_errors_window.h"
#include "views/look/theme.h"
#include "views/panels/data/data_page.h"
#include "views/panels/errors/open_page.h"
#include "views/panels/form/option_form.h"
#include "views/panels/train/new_run_page.h"
#include "views/panels/widgets/command_palette.h"
#include "views/panels/widgets/help_window.h"
#include "views/tables/run_table_model.h"

using namespace fathom;
using test::settled;
using test::waitUntil;

// What is seen of keyboard and pointer, of every kind of widget in every workspace; how pages are left, and
// what their headings are.
class FocusRingTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup() { m_window.reset(); }
  void everyKindOfWidgetHasARing();
  void rowUnderThePointerIsTinted();
  void everyPageIsLeftWithEscape();
  void escapeClosesWhatIsOpenInAPageFirst();
  void headingsHaveRanks();

 private:
  bool visit(const char* workspace);
  std::unique_ptr<test::ErrorsWindow> m_window;
  MainWindow* m_main = nullptr;
};

namespace {

int accentPixels(const QWidget* widget) {
  // What is filled with the accent has its ring in the colour of texts.
  const Theme& theme = Theme::of(widget->palette());
  const QColor accent = widget->property("primary").toBool() ? theme.text : theme.accent;
  const QImage picture = const_cast<QWidget*>(widget)->grab().toImage();
  int count = 0;
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) count += picture.pixelColor(x, y) == accent ? 1 : 0;
  return count;
}

// A list or a table is seen where its rows are, which cover the widget itself.
bool isSeenWhole(const QWidget* widget) {
  const auto* area = qobject_cast<const QAbstractScrollArea*>(widget);
  const QWidget* seen = area != nullptr ? area->viewport() : widget;
  return seen->visibleRegion().boundingRect() == seen->rect();
}

bool takesTheKeyboard(const QWidget* widget) {
  return widget->isVisible() && widget->isEnabled() && (widget->focusPolicy() & Qt::TabFocus) &&
         widget->focusProxy() == nullptr && isSeenWhole(widget);
}

QString nameOf(const QWidget* widget) {
  return QString::fromLatin1(widget->metaObject()->className()) + u'#' + widget->objectName() + u' ' +
         widget->accessibleName();
}

// The kinds of Qt that it is one of.
void addKinds(const QWidget* widget, QSet<QString>& kinds) {
  for (const QMetaObject* about = widget->metaObject(); about != nullptr; about = about->superClass())
    kinds.insert(QString::fromLatin1(about->className()));
}

void lookForRings(MainWindow* main, QSet<QString>& kinds, QStringList& without) {
  QList<QPointer<QWidget>> all;
  for (QWidget* widget : main->findChildren<QWidget*>())
    if (takesTheKeyboard(widget)) all.append(widget);
  for (const QPointer<QWidget>& widget : all) {
    if (widget == nullptr || !takesTheKeyboard(widget)) continue;
    if (QWidget* now = QApplication::focusWidget()) now->clearFocus();
    QCoreApplication::processEvents();
    const int before = accentPixels(widget);
    widget->setFocus(Qt::TabFocusReason);
    constexpr int kShortest = 48;  // of a tick with a short text
    const auto hasRing = [&] {
      return widget == nullptr || accentPixels(widget) - before >= qMin(widget->width(), kShortest);
    };
    if (!QTest::qWaitFor(hasRing, 500)) without.append(nameOf(widget));
    if (widget != nullptr) addKinds(widget, kinds);
  }
}

}  // namespace

void FocusRingTest::init() {
  m_window = std::make_unique<test::ErrorsWindow>();
  QVERIFY(m_window->loadSample());
  m_main = m_window->window();
  m_main->resize(1280, 800);
  for (const char* name : {"one", "two"}) m_window->fixture().addRun(name);
  QVERIFY(waitUntil([&] { return m_main->train()->runModel()->rowCount() == 2; }));
}

bool FocusRingTest::visit(const char* workspace) {
  m_main->action(QStringLiteral("view.") + QLatin1String(workspace))->trigger();
  return waitUntil([this] { return m_main->jobs()->count() == 0; }) && settled(m_main);
}

void FocusRingTest::everyKindOfWidgetHasARing() {
  QSet<QString> kinds;
  QStringList without;
  for (const char* workspace : {"train", "attention", "errors", "figures"}) {
    QVERIFY(visit(workspace));
    QStringList here;
    lookForRings(m_main, kinds, here);
    for (const QString& each : here) without.append(QLatin1String(workspace) + u' ' + each);
  }
  QVERIFY(visit("train"));
  m_main->action(QStringLiteral("run.new"))->trigger();
  QVERIFY(waitUntil([&] { return m_main->train()->newRunPage()->isVisible(); }) && settled(m_main));
  QStringList here;
  lookForRings(m_main, kinds, here);
  for (const QString& each : here) without.append(QStringLiteral("new run ") + each);
  for (const char* kind : {"QLineEdit", "QComboBox", "QAbstractSpinBox", "QSlider", "QPushButton",
                           "QToolButton", "QCheckBox", "QTabBar", "QTableView", "QTreeView", "QListView"})
    if (!kinds.contains(QLatin1String(kind)))
      without.append(QStringLiteral("none of ") + QLatin1String(kind));
  QVERIFY2(without.isEmpty(), qPrintable(without.join(u'\n')));
}

void FocusRingTest::rowUnderThePointerIsTinted() {
  int seen = 0;
  QStringList plain;
  for (const char* workspace : {"train", "attention", "errors", "figures"}) {
    QVERIFY(visit(workspace));
    for (QAbstractItemView* view : m_main->findChildren<QAbstractItemView*>()) {
      if (!view->isVisible() || view->model() == nullptr || view->viewport()->visibleRegion().isEmpty())
        continue;
      // A row that is not chosen, or whatever is under the pointer looks as it does.
      QModelIndex index;
      for (int y = 2; y < view->viewport()->height() && !index.isValid(); y += 6)
        for (const QModelIndex& at : {view->indexAt({6, y})})
          if (at.isValid() && (at.flags() & Qt::ItemIsEnabled) && !view->selectionModel()->isSelected(at) &&
              view->viewport()->visibleRegion().contains(view->visualRect(at).center()))
            index = at;
      if (!index.isValid()) continue;
      QTest::mouseMove(m_main->statusBar(), {2, 2});
      QCoreApplication::processEvents();
      const QRect place = view->visualRect(index) & view->viewport()->rect();
      const QImage before = view->viewport()->grab(place).toImage();
      QTest::mouseMove(view->viewport(), place.center());
      ++seen;
      if (!QTest::qWaitFor([&] { return view->viewport()->grab(place).toImage() != before; }, 1000))
        plain.append(QLatin1String(workspace) + u' ' + nameOf(view));
    }
  }
  QVERIFY(seen >= 4);
  QVERIFY2(plain.isEmpty(), qPrintable(plain.join(u'\n')));
}

void FocusRingTest::everyPageIsLeftWithEscape() {
  const auto escape = [](QWidget* page) {
    for (QWidget* child : page->findChildren<QWidget*>())
      if (takesTheKeyboard(child)) {
        child->setFocus();
        break;
      }
    QWidget* focused = QApplication::focusWidget();
    QTest::keyClick(focused != nullptr && !page->isWindow() ? focused : page, Qt::Key_Escape);
  };
  QVERIFY(visit("errors"));
  ErrorsWorkspace* errors = m_window->errors();
  for (const char* action : {"errors.open", "errors.open_kind", "errors.compare"}) {
    m_main->action(QString::fromLatin1(action))->trigger();
    QVERIFY2(errors->page() != ErrorsWorkspace::kReview, action);
    QVERIFY(settled(m_main));
    escape(errors->pages()->currentWidget());
    QVERIFY2(errors->page() == ErrorsWorkspace::kReview, action);
  }
  QVERIFY(visit("train"));
  m_main->action(QStringLiteral("run.new"))->trigger();
  NewRunPage* fresh = m_main->train()->newRunPage();
  QVERIFY(waitUntil([&] { return fresh->isVisible(); }));
  Q_EMIT fresh->dataRequested();
  auto* data = m_main->findChild<DataPage*>();
  QVERIFY(waitUntil([&] { return data->isVisible(); }));
  escape(data);
  QVERIFY(!data->isVisible() && fresh->isVisible());
  escape(fresh);
  QVERIFY(!fresh->isVisible());
  // Windows of their own: the help, the list of commands, and dialogs.
  m_main->action(QStringLiteral("help.pages"))->trigger();
  auto* help = m_main->findChild<HelpWindow*>();
  QVERIFY(help != nullptr && help->isVisible());
  escape(help);
  QVERIFY(!help->isVisible());
  m_main->action(QStringLiteral("view.palette"))->trigger();
  auto* palette = m_main->findChild<CommandPalette*>();
  QVERIFY(palette != nullptr && waitUntil([&] { return palette->isVisible(); }));
  escape(palette);
  QVERIFY(waitUntil([&] { return !palette->isVisible(); }));
  int dialogs = 0;
  for (const char* id : {"run.restore", "file.import_attention", "file.sources", "file.clean"}) {
    QAction* action = m_main->action(QLatin1String(id));
    QVERIFY2(action->isEnabled(), id);
    action->trigger();
    QPointer<QDialog> dialog;
    for (QDialog* each : m_main->findChildren<QDialog*>())
      if (each->isVisible() && each->testAttribute(Qt::WA_DeleteOnClose)) dialog = each;
    QVERIFY2(dialog != nullptr && QTest::qWaitForWindowExposed(dialog), id);
    ++dialogs;
    escape(dialog);
    QVERIFY2(waitUntil([&] { return dialog == nullptr; }), id);
  }
  QCOMPARE(dialogs, 4);
}

// Each list of choices, the completion of what is typed, and a menu have the key before their page; the
// next one leaves the page.
void FocusRingTest::escapeClosesWhatIsOpenInAPageFirst() {
  const auto escape = [] {
    QWidget* popup = QApplication::activePopupWidget();
    QWidget* inside = popup == nullptr ? QApplication::focusWidget() : popup->focusWidget();
    QTest::keyClick(inside != nullptr ? inside : popup, Qt::Key_Escape);
  };
  const auto closesOnly = [&](const QWidget* page) {
    if (!waitUntil([] { return QApplication::activePopupWidget() != nullptr; })) return false;
    escape();
    return waitUntil([] { return QApplication::activePopupWidget() == nullptr; }) && page->isVisible();
  };
  QVERIFY(visit("train"));
  m_main->action(QStringLiteral("run.new"))->trigger();
  NewRunPage* fresh = m_main->train()->newRunPage();
  QVERIFY(waitUntil([&] { return fresh->isVisible() && m_main->train()->engine() != nullptr; }));
  fresh->form()->reveal(QStringLiteral("fake.behaviour"));  // a list; its section is closed at first
  QVERIFY(settled(m_main));
  int lists = 0;
  for (QComboBox* box : fresh->findChildren<QComboBox*>()) {
    if (!box->isVisible() || !box->isEnabled() || box->count() == 0) continue;
    box->setFocus();  // the form scrolls to it
    QTest::keyClick(box, Qt::Key_Down, Qt::AltModifier);
    QVERIFY2(closesOnly(fresh), qPrintable(nameOf(box)));
    ++lists;
  }
  QVERIFY(lists > 0);
  QLineEdit* line = nullptr;
  for (QLineEdit* each : fresh->findChildren<QLineEdit*>())
    if (line == nullptr && takesTheKeyboard(each) && !each->isReadOnly()) line = each;
  QVERIFY(line != nullptr);
  line->setFocus();
  QCompleter completer(QStringList{QStringLiteral("fathom"), QStringLiteral("fathoms")});
  line->setCompleter(&completer);
  line->clear();
  QTest::keyClicks(line, QStringLiteral("fat"));
  QVERIFY(closesOnly(fresh));
  line->setCompleter(nullptr);
  QMenu menu(fresh);
  menu.addAction(QStringLiteral("entry"));
  menu.popup(fresh->mapToGlobal(QPoint(20, 20)));
  QVERIFY(closesOnly(fresh));
  line->setFocus();
  escape();
  QVERIFY(waitUntil([&] { return !fresh->isVisible(); }));
}

// One of a page, larger than the body; all others as large as the body; all semibold, whatever the size of
// the texts is.
void FocusRingTest::headingsHaveRanks() {
  const auto check = [](const QWidget* page) {
    const double body = QApplication::font().pointSizeF();
    int pages = 0;
    for (const QLabel* label : page->findChildren<QLabel*>()) {
      const int rank = label->property("headingRank").toInt();
      const double size = label->font().pointSizeF();
      pages += rank == 1 ? 1 : 0;
      if (rank == 0 && size > body * 1.01)
        return label->text() + QStringLiteral(" is a heading without a rank");
      if (rank > 0 && label->font().weight() != QFont::DemiBold)
        return label->text() + QStringLiteral(" is thin");
      if (rank > 0 && !qFuzzyCompare(size, rank == 1 ? 1.3 * body : body))
        return QStringLiteral("%1: %2 beside %3").arg(label->text()).arg(size).arg(body);
    }
    return pages == 1 ? QString() : QStringLiteral("%1 headings of a page").arg(pages);
  };
  m_main->action(QStringLiteral("run.new"))->trigger();
  QVERIFY(waitUntil([&] { return m_main->train()->newRunPage()->isVisible(); }));
  const QList<QWidget*> pages = {m_main->train()->newRunPage(), m_main->findChild<DataPage*>(),
                                 m_window->errors()->openPage()};
  for (const char* size : {"view.usual_size", "view.larger"}) {
    m_main->action(QString::fromLatin1(size))->trigger();
    const int percent = QLatin1String(size) == QLatin1String("view.larger") ? 110 : 100;
    QVERIFY(waitUntil([&] { return m_window->host().appearance()->textPercent() == percent; }));
    QCoreApplication::processEvents();
    for (const QWidget* page : pages) {
      QVERIFY(page != nullptr);
      const QString problem = check(page);
      QVERIFY2(problem.isEmpty(), qPrintable(nameOf(page) + u' ' + QLatin1String(size) + u' ' + problem));
    }
  }
  m_window->host().appearance()->setTextPercent(100);
}

QTEST_MAIN(FocusRingTest)
#include "tst_focus_ring.moc"
