// SPDX-License-Identifier: Apache-2.0
#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QCompleter>
#include <QDockWidget>
#include <QFontDatabase>
#include <QFontMetricsF>
#include <QHash>
#include <QImage>
#include <QLineEdit>
#include <QStackedWidget>
#include <QTest>
#include <memory>

#include "app/window/session/appearance.h"
#include "app/window/train/train_workspace.h"
#include "tests/gui/support_errors_window.h"
#include "views/figure/figure_colours.h"
#include "views/look/theme.h"
#include "views/panels/train/new_run_page.h"

using namespace fathom;
using test::settled;
using test::waitUntil;

// Type, colours, focus and room of the whole window.
class WindowLookTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void interfaceFontIsNarrower();
  void desktopsFontStays();
  void highContrastIsRespected_data();
  void highContrastIsRespected();
  void colouredTextsCanBeRead();
  void tipsHideNoCounts();
  void textSizeReachesEveryWidget();
  void largeWindowComesBack();
  void childrenFollowTheirParents();
  void dockTitlesFollowTheSize();
  void whatHasTheKeyboardHasARing();
  void escapeLeavesPages();
  void popupsOfCompletersHaveAnEdge();
  void programHasIconsOfEverySize();
};

// Measured on the words of the window; digits are of one width.
void WindowLookTest::interfaceFontIsNarrower() {
  QVERIFY2(QFontDatabase::families().contains(QStringLiteral("Roboto")), "packaging/deps.sh installs it");
  QFont wide(QStringLiteral("DejaVu Sans"), 10);
  const QFont narrow = Appearance::interfaceFont(wide);
  QCOMPARE(QFontInfo(narrow).family(), QStringLiteral("Roboto"));
  QCOMPARE(narrow.pointSizeF(), wide.pointSizeF());
  const QString words = QStringLiteral(
      "Learning-rate schedule Feed-forward width Encoder self-attention score chain Validation pairs "
      "Gradient and update norms of epochs Divergence of attention between layers Tokens per batch");
  QVERIFY(QFontMetricsF(narrow).horizontalAdvance(words) <
          0.9 * QFontMetricsF(wide).horizontalAdvance(words));
  const QFontMetricsF measure(narrow);
  for (const QChar digit : QStringLiteral("012345678"))
    QCOMPARE(measure.horizontalAdvance(digit), measure.horizontalAdvance(u'9'));
}

void WindowLookTest::desktopsFontStays() {
  const QFont chosen(QStringLiteral("Cantarell"), 11);
  QCOMPARE(Appearance::interfaceFont(chosen), chosen);
}

void WindowLookTest::highContrastIsRespected_data() {
  QTest::addColumn<QColor>("window");
  QTest::addColumn<QColor>("text");
  QTest::newRow("black on white") << QColor(Qt::white) << QColor(Qt::black);
  QTest::newRow("yellow on black") << QColor(Qt::black) << QColor(0xff, 0xff, 0);
}

// The desktop's own colours, and nothing in them that is paler than its texts.
void WindowLookTest::highContrastIsRespected() {
  QFETCH(QColor, window);
  QFETCH(QColor, text);
  const QPalette before = QApplication::palette();
  QPalette palette = before;
  for (const auto role : {QPalette::Window, QPalette::Base, QPalette::Button, QPalette::AlternateBase})
    palette.setColor(role, window);
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
    palette.setColor(role, text);
  QVERIFY(Theme::asksForContrast(palette));
  QVERIFY(!Theme::asksForContrast(Theme::light().palette()));
  QVERIFY(!Theme::asksForContrast(Theme::darkTheme().palette()));
  QApplication::setPalette(palette);
  {
    Appearance appearance;
    appearance.setTheme(QStringLiteral("system"));
    const QPalette shown = QApplication::palette();
    QCOMPARE(shown.color(QPalette::Window), window);
    QCOMPARE(shown.color(QPalette::WindowText), text);
    const Theme& theme = Theme::of(shown);
    QVERIFY(theme.contrast);
    for (const QColor& each : {theme.text, theme.secondary, theme.accent, theme.finished, theme.diverged,
                               theme.failed, theme.stopped, shown.color(QPalette::Disabled, QPalette::Text)})
      QVERIFY2(contrastRatio(each, theme.window) >= 4.5, qPrintable(each.name()));
    QVERIFY(contrastRatio(theme.text, theme.selection) >= 4.5);
    // A person may also ask for it where the desktop does not, and for a usual theme where it does.
    appearance.setTheme(QStringLiteral("light"));
    QVERIFY(!Theme::of(QApplication::palette()).contrast);
    appearance.setTheme(QStringLiteral("contrast"));
    QVERIFY(Theme::of(QApplication::palette()).contrast);
    QCOMPARE(appearance.theme(), QStringLiteral("contrast"));
  }
  QApplication::setPalette(before);
}

void WindowLookTest::colouredTextsCanBeRead() {
  for (const Theme* theme :
       {&Theme::light(), &Theme::darkTheme(), &Theme::highContrast(false), &Theme::highContrast(true)}) {
    for (const QColor& each :
         {theme->finished, theme->diverged, theme->running, theme->failed, theme->stopped})
      for (const QColor& ground : {theme->window, theme->panel})
        QVERIFY2(contrastRatio(theme->readable(each), ground) >= 4.5, qPrintable(each.name()));
    QCOMPARE(theme->readable(theme->text), theme->text);
  }
}

// The status bar says how many runs are at work, whatever the pointer is over.
void WindowLookTest::tipsHideNoCounts() {
  test::ErrorsWindow window;
  MainWindow* main = window.openWindow();
  QVERIFY(main != nullptr);
  for (const QAction* action : main->findChildren<QAction*>())
    QVERIFY2(action->statusTip().isEmpty(), qPrintable(action->objectName()));
}

// With Ctrl and plus every text grows alike, at once, and comes back with Ctrl and 0.
void WindowLookTest::textSizeReachesEveryWidget() {
  test::ErrorsWindow window;
  QVERIFY(window.loadSample());
  MainWindow* main = window.window();
  QVERIFY(qApp->styleSheet().isEmpty());  // with one every widget is styled anew at every change
  main->action(QStringLiteral("run.new"))->trigger();
  QVERIFY(waitUntil([&] { return main->train()->newRunPage()->isVisible(); }));
  QHash<QWidget*, double> before;
  const double usual = QApplication::font().pointSizeF();
  const auto take = [&] {
    QVERIFY(settled(main));
    for (QWidget* widget : main->findChildren<QWidget*>())
      if (widget->isVisible() && widget->font().pointSizeF() > 0)
        before.insert(widget, widget->font().pointSizeF());
  };
  take();
  main->action(QStringLiteral("view.errors"))->trigger();
  take();
  // The docks of Train, whose titles the style draws.
  main->train()->showCurves();
  main->action(QStringLiteral("view.train"))->trigger();
  QVERIFY(waitUntil([&] { return main->findChild<QDockWidget*>(QStringLiteral("runs"))->isVisible(); }));
  take();
  QVERIFY(before.size() > 60);
  const auto wrong = [&](double factor) {
    QStringList names;
    const auto there = main->findChildren<QWidget*>();
    for (auto it = before.cbegin(); it != before.cend(); ++it) {
      if (!there.contains(it.key())) continue;
      const double has = it.key()->font().pointSizeF(), wants = it.value() * factor;
      if (has < 0.97 * wants || has > 1.03 * wants)
        names.append(QStringLiteral("%1/%2#%3 %4 for %5")
                         .arg(QString::fromLatin1(it.key()->parentWidget()->metaObject()->className()),
                              QString::fromLatin1(it.key()->metaObject()->className()),
                              it.key()->objectName())
                         .arg(has)
                         .arg(wants));
    }
    return names;
  };
  QCOMPARE(wrong(1), QStringList());
  for (int i = 0; i < 3; ++i) QTest::keyClick(main, Qt::Key_Plus, Qt::ControlModifier);
  const Appearance* look = window.host().appearance();
  QVERIFY(waitUntil([&] { return look->textPercent() == 130; }));
  const QStringList larger = wrong(QApplication::font().pointSizeF() / usual);
  QVERIFY2(larger.isEmpty(), qPrintable(larger.join(u'\n')));
  QVERIFY(QApplication::font().pointSizeF() > 1.25 * usual);
  // Another theme in between changes nothing in that.
  window.host().appearance()->setTheme(QStringLiteral("contrast"));
  window.host().appearance()->setTheme(QStringLiteral("light"));
  QTest::keyClick(main, Qt::Key_0, Qt::ControlModifier);
  QVERIFY(waitUntil([&] { return look->textPercent() == 100; }));
  QCOMPARE(wrong(1), QStringList());
  // Another theme changes no sizes.
  window.host().appearance()->setTheme(QStringLiteral("dark"));
  QCOMPARE(wrong(1), QStringList());
  window.host().appearance()->setTheme(QStringLiteral("light"));
}

// A window that was opened with large texts has usual ones afterwards.
void WindowLookTest::largeWindowComesBack() {
  test::ErrorsWindow window;
  QVERIFY(window.openWindow() != nullptr);
  window.host().appearance()->setTheme(QStringLiteral("contrast"));
  window.host().appearance()->setTextPercent(130);
  MainWindow* main = window.host().openWindow(window.project());
  QVERIFY(QTest::qWaitForWindowExposed(main) && settled(main));
  QHash<QWidget*, double> shares;
  const auto share = [](const QWidget* widget) {
    return widget->font().pointSizeF() / QApplication::font().pointSizeF();
  };
  for (QWidget* widget : main->findChildren<QWidget*>())
    if (widget->isVisible() && widget->font().pointSizeF() > 0) shares.insert(widget, share(widget));
  window.host().appearance()->setTheme(QStringLiteral("light"));
  window.host().appearance()->setTextPercent(100);
  QVERIFY(settled(main));
  const auto there = main->findChildren<QWidget*>();
  QStringList wrong;
  for (auto it = shares.cbegin(); it != shares.cend(); ++it)
    if (there.contains(it.key()) && qAbs(share(it.key()) / it.value() - 1) > 0.03)
      wrong.append(QString::fromLatin1(it.key()->metaObject()->className()) + u'#' + it.key()->objectName());
  QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u'\n')));
}

// Qt styles widgets in an order of its own: children before their parents among them.
void WindowLookTest::childrenFollowTheirParents() {
  test::ErrorsWindow window;
  QVERIFY(window.openWindow() != nullptr);
  constexpr int kDeep = 60;
  std::unique_ptr<QWidget> top;
  QList<QWidget*> chain;
  for (int i = 0; i < kDeep; ++i) {  // the innermost is made first
    auto made = std::make_unique<QWidget>();
    if (top) top.release()->setParent(made.get());
    top = std::move(made);
    chain.append(top.get());
  }
  top->show();
  for (const int percent : {130, 100}) {
    window.host().appearance()->setTextPercent(percent);
    for (const QWidget* each : std::as_const(chain))
      QCOMPARE(each->font().pointSizeF(), QApplication::font().pointSizeF());
  }
}

// As painted, in windows of any size: rows of the title's letters.
void WindowLookTest::dockTitlesFollowTheSize() {
  test::ErrorsWindow window;
  QVERIFY(window.openWindow() != nullptr);
  MainWindow* main = window.window();
  Appearance* look = window.host().appearance();
  const auto inkRows = [](QDockWidget* dock) {
    const QImage picture = dock->grab().toImage().convertToFormat(QImage::Format_RGB32);
    const QColor ground = picture.pixelColor(2, 2);
    int first = -1, last = -1;
    for (int y = 0; y < dock->widget()->y(); ++y)
      for (int x = 0; x < dock->width() / 2; ++x)
        if (contrastRatio(picture.pixelColor(x, y), ground) > 4) last = y, first = first < 0 ? y : first;
    return last - first + 1;
  };
  struct Step {
    QSize size;
    int percent;
    bool away;  // the docks are while the size changes
  };
  for (const Step& step :
       {Step{{1410, 700}, 130, false}, Step{{2560, 1440}, 100, false}, Step{{1440, 800}, 100, false},
        Step{{1410, 700}, 130, true}, Step{{2560, 1440}, 100, true}, Step{{1410, 700}, 130, false},
        Step{{1440, 800}, 100, false}}) {
    if (step.away) main->action("view.errors")->trigger();
    QVERIFY(settled(main));
    look->setTextPercent(step.percent);
    main->resize(step.size);
    QVERIFY(settled(main));
    main->action("view.train")->trigger();
    QVERIFY(settled(main));
    for (const char* id : {"runs", "details"}) {
      auto* dock = main->findChild<QDockWidget*>(QString::fromLatin1(id));
      const int wanted = QFontMetrics(QApplication::font()).tightBoundingRect(dock->windowTitle()).height();
      const QString said =
          QStringLiteral("%1 at %2 %: %3 rows for %4").arg(dock->windowTitle()).arg(step.percent);
      QVERIFY2(dock->isVisible() && qAbs(inkRows(dock) - wanted) <= 1,
               qPrintable(said.arg(inkRows(dock)).arg(wanted)));
    }
  }
}

namespace {

int accentPixels(const QWidget* widget, const QImage& picture, const QWidget* view) {
  const QColor accent = Theme::of(view->palette()).accent;
  const QRect place(widget->mapTo(const_cast<QWidget*>(view), QPoint()), widget->size());
  int count = 0;
  const QRect inside = place.intersected(picture.rect());
  for (int y = inside.top(); y <= inside.bottom(); ++y)
    for (int x = inside.left(); x <= inside.right(); ++x) count += picture.pixelColor(x, y) == accent;
  return count;
}

}  // namespace

// Buttons, fields, choices, ticks: everything that Tab reaches in the form of a new run and in Errors.
void WindowLookTest::whatHasTheKeyboardHasARing() {
  test::ErrorsWindow window;
  QVERIFY(window.loadSample());
  MainWindow* main = window.window();
  main->resize(1280, 800);
  QVERIFY(settled(main));
  QStringList without;
  int seen = 0;
  for (QWidget* widget : main->findChildren<QWidget*>()) {
    const bool control = widget->inherits("QAbstractButton") || widget->inherits("QLineEdit") ||
                         widget->inherits("QComboBox") || widget->inherits("QAbstractSpinBox");
    if (!control || !widget->isVisible() || !widget->isEnabled() || widget->visibleRegion().isEmpty() ||
        !(widget->focusPolicy() & Qt::TabFocus) || widget->focusProxy() != nullptr)
      continue;
    widget->clearFocus();
    QCoreApplication::processEvents();
    const int before = accentPixels(widget, main->grab().toImage(), main);
    widget->setFocus(Qt::TabFocusReason);
    const auto hasRing = [&] {
      return accentPixels(widget, main->grab().toImage(), main) - before >= widget->width();
    };
    ++seen;
    if (!QTest::qWaitFor(hasRing, 1000))
      without.append(QString::fromLatin1(widget->metaObject()->className()) + u'#' + widget->objectName() +
                     u' ' + widget->accessibleName());
  }
  QVERIFY(seen > 8);
  QVERIFY2(without.isEmpty(), qPrintable(without.join(u'\n')));
}

void WindowLookTest::escapeLeavesPages() {
  test::ErrorsWindow window;
  QVERIFY(window.loadSample());
  MainWindow* main = window.window();
  ErrorsWorkspace* errors = window.errors();
  for (const char* action : {"errors.open", "errors.open_kind", "errors.compare"}) {
    main->action(QString::fromLatin1(action))->trigger();
    QVERIFY2(errors->page() != ErrorsWorkspace::kReview, action);
    QVERIFY(settled(main));
    for (QWidget* child : errors->pages()->currentWidget()->findChildren<QWidget*>())
      if (child->isVisible() && child->isEnabled() && (child->focusPolicy() & Qt::TabFocus)) {
        child->setFocus();
        break;
      }
    test::ErrorsWindow::press(Qt::Key_Escape);
    QVERIFY2(errors->page() == ErrorsWorkspace::kReview, action);
  }
  main->action(QStringLiteral("run.new"))->trigger();
  QVERIFY(waitUntil([&] { return main->train()->newRunPage()->isVisible(); }));
  main->train()->newRunPage()->setFocus();
  QTest::keyClick(main->train()->newRunPage(), Qt::Key_Escape);
  QVERIFY(!main->train()->newRunPage()->isVisible());
}

// The list that a completer opens lies on fields of its own colour.
void WindowLookTest::popupsOfCompletersHaveAnEdge() {
  test::ErrorsWindow window;
  QVERIFY(window.openWindow() != nullptr);  // the style of the program
  QLineEdit field;
  QCompleter completer(QStringList{QStringLiteral("seed"), QStringLiteral("seed.data")});
  field.setCompleter(&completer);
  field.show();
  QVERIFY(QTest::qWaitForWindowExposed(&field));
  QTest::keyClicks(&field, "se");
  QTRY_VERIFY(completer.popup()->isVisible());
  const QImage shown = completer.popup()->grab().toImage();
  const QColor edge = shown.pixelColor(0, shown.height() / 2),
               inside = shown.pixelColor(3, shown.height() - 3);
  QVERIFY2(edge != inside && edge == shown.pixelColor(shown.width() - 1, shown.height() / 2),
           qPrintable(edge.name() + ' ' + inside.name()));
  QVERIFY(std::abs(edge.lightness() - inside.lightness()) > 60);
}

void WindowLookTest::programHasIconsOfEverySize() {
  for (const int size : {16, 22, 24, 32, 48, 64, 128, 256, 512}) {
    const QImage icon(QStringLiteral(FATHOM_BIN_DIR "/../icons/%1.png").arg(size));
    QCOMPARE(icon.size(), QSize(size, size));
    QVERIFY(icon.pixelColor(size / 2, size / 16).alpha() == 255);  // drawn to its edge
    QVERIFY(icon.pixelColor(0, 0).alpha() < 128);                  // and round
  }
}

QTEST_MAIN(WindowLookTest)
#include "tst_window_look.moc"
