// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main/window_docks.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QMouseEvent>
#include <QPropertyAnimation>
#include <QResizeEvent>
#include <QShortcut>
#include <QStyle>
#include <QTabBar>
#include <QTimer>
#include <cstdlib>
#include <utility>

#include "app/window/main/dock_title.h"
#include "app/window/main/main_window.h"
#include "app/window/session/session_keys.h"
#include "app/window/session/session_store.h"
#include "views/look/theme.h"
#include "views/panels/widgets/controls.h"
#include "views/panels/widgets/fold_bar.h"
#include "views/panels/widgets/message_bar.h"

namespace fathom {

namespace {

// Grows when docks are added or renamed, so that an old layout is not forced on a new window.
constexpr int kLayoutVersion = 2;
constexpr int kBelowHeight = 190;
// In a narrower window the details lie over the curves: table and curves need the room.
constexpr int kNarrowWindow = 1400;
constexpr int kOverWidth = 340, kSlideMilliseconds = 120;
constexpr int kHair = 4;  // what a layout may give or take
// From here on a list of a few runs beside the curves would stand half empty: the details go below it.
constexpr int kWideWindow = 1800, kTallWindow = 1000;
// In the session: whose the places of the docks are.
constexpr const char *kOurPlaces = "ours", *kChosenPlaces = "chosen", *kChosenHeights = "heights";
// And the docks with widths that somebody chose, or this.
constexpr const char* kNoneChosen = "none";

// The columns that tell runs apart, whatever the size of texts.
int runsWidth(int window, const QFont& font) {
  constexpr int kCharacters = 48, kWidest = 720;
  const int least = kCharacters * QFontMetrics(font).horizontalAdvance(QLatin1Char('0'));
  return qBound(qMin(least, window * 2 / 5), window * 31 / 100, kWidest);
}

int detailsWidth(int window) {
  return qBound(240, window / 5, 440);
}

}  // namespace

WindowDocks::WindowDocks(QMainWindow* window, SessionStore* session)
    : QObject(window), m_window(window), m_session(session), m_bar(new FoldBar(window)) {
  window->setDockOptions(QMainWindow::AnimatedDocks | QMainWindow::AllowTabbedDocks |
                         QMainWindow::AllowNestedDocks);
  window->setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
  window->setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
  window->setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  window->installEventFilter(this);
}

void WindowDocks::add(const char* id, const QString& title, const char* iconName, QWidget* widget,
                      Place place) {
  const QString name = QString::fromLatin1(id);
  auto* made = new QDockWidget(title, m_window);
  made->setObjectName(name);
  made->setWidget(widget);
  const bool below = place == Place::Below;
  // Floating docks cannot be docked again under Wayland with this Qt.
  made->setFeatures(below ? QDockWidget::DockWidgetClosable
                          : QDockWidget::DockWidgetClosable | QDockWidget::DockWidgetMovable);
  m_docks.insert(name, made);
  made->installEventFilter(this);
  m_bar->add(name, made->toggleViewAction(), QString::fromLatin1(iconName), !below);
  connect(made, &QDockWidget::dockLocationChanged, this, [this] {
    if (!m_placing) m_placesChosen = true;
  });
  if (!below) made->setTitleBarWidget(dockTitle(made, title));
  if (name == QLatin1String("details")) {
    leaveWithEscape(made, [made] { made->hide(); });
    markOver(false);
    // Opened over the curves it has the keyboard, so that Esc takes it away again.
    connect(made->toggleViewAction(), &QAction::triggered, made,
            [this, made](bool on) { focusFirst(on && m_over ? made->widget() : nullptr); });
  }
  if (!below) return;
  m_below.append(name);
  made->setTitleBarWidget(new QWidget(made));  // its button is its title
  // One that is shown behind another one's tab is not visible yet.
  connect(made->toggleViewAction(), &QAction::triggered, this, [this, name](bool on) {
    if (on) raise(name.toLatin1().constData());
  });
  connect(made, &QDockWidget::visibilityChanged, this, [this, name](bool visible) {
    if (visible) foldOthers(name);
  });
}

void WindowDocks::foldOthers(const QString& id) {
  for (const QString& other : std::as_const(m_below))
    if (other != id && !dock(other)->isHidden()) dock(other)->hide();
}

void WindowDocks::layOut() {
  m_placing = true;
  for (QDockWidget* each : std::as_const(m_docks)) {
    m_window->removeDockWidget(each);
    each->setFloating(false);
  }
  const int width = m_window->width();
  QDockWidget *runs = dock(QStringLiteral("runs")), *details = dock(QStringLiteral("details"));
  m_window->addDockWidget(Qt::LeftDockWidgetArea, runs);
  m_window->addDockWidget(Qt::RightDockWidgetArea, details);
  for (const QString& id : std::as_const(m_below))
    m_window->addDockWidget(Qt::BottomDockWidgetArea, dock(id));
  for (qsizetype i = 1; i < m_below.size(); ++i)
    m_window->tabifyDockWidget(dock(m_below[i - 1]), dock(m_below[i]));
  for (const QString& id : std::as_const(m_below)) dock(id)->hide();
  runs->show();
  m_over = m_foldedNarrow = false;
  markOver(false);
  details->show();
  m_window->resizeDocks({runs, details}, {runsWidth(width, QApplication::font()), detailsWidth(width)},
                        Qt::Horizontal);
  m_fittedFont = QApplication::font();
  m_placing = m_placesChosen = m_heightsChosen = m_column = false;
  m_fittedFor = m_window->size();
  m_ours = {runs, details};
  m_laidOut = !m_painted;
  followNarrowness();
  arrange();
}

// Docks that somebody moved stay there.
bool WindowDocks::isNarrow() const {
  return m_window->width() < kNarrowWindow && !m_placesChosen;
}

// The details leave their area in a narrow window, and come back with the width.
void WindowDocks::followNarrowness() {
  QDockWidget* details = dock(QStringLiteral("details"));
  if (isNarrow() == m_over || m_hidden) return;
  const bool shown = !details->isHidden();
  m_placing = true;
  markOver(!m_over);
  if (!m_over) {
    m_foldedNarrow = m_foldedNarrow || shown;
    m_window->removeDockWidget(details);  // which hides it
    m_column = false;
    m_over = true;
  } else {
    m_over = false;
    m_window->addDockWidget(Qt::RightDockWidgetArea, details);
    details->setVisible(shown || m_foldedNarrow);
    m_foldedNarrow = false;
    m_ours.insert(details);
  }
  m_placing = false;
}

// Over others it is no dock: it cannot be dragged, messages keep off it, and nothing shines through.
void WindowDocks::markOver(bool over) {
  QDockWidget* details = dock(QStringLiteral("details"));
  details->setProperty(kNeverCovered, over);
  details->setAutoFillBackground(over);
  details->setFeatures(over ? QDockWidget::DockWidgetClosable
                            : QDockWidget::DockWidgetClosable | QDockWidget::DockWidgetMovable);
  for (QShortcut* leave : details->findChildren<QShortcut*>(QString(), Qt::FindDirectChildrenOnly))
    leave->setEnabled(over);
}

// The right part of the middle, as high as it is.
QRect WindowDocks::placeOver() const {
  const QWidget* middle = m_window->centralWidget();
  const int foot = m_bar->isVisible() ? m_bar->height() : 0;
  const int width = qMin(qMax(kOverWidth, detailsWidth(m_window->width())), middle->width());
  return {middle->geometry().right() + 1 - width, middle->y(), width, middle->height() - foot};
}

void WindowDocks::layOver() {
  QDockWidget* details = dock(QStringLiteral("details"));
  if (!m_over || details->isHidden() || m_window->centralWidget() == nullptr) return;
  details->setGeometry(placeOver());
  details->raise();
}

void WindowDocks::slideIn() {
  QDockWidget* details = dock(QStringLiteral("details"));
  layOver();
  if (!m_over || details->isHidden() || m_window->centralWidget() == nullptr ||
      m_window->style()->styleHint(QStyle::SH_Widget_Animation_Duration) <= 0)
    return;
  const QRect place = placeOver();
  auto* slide = new QPropertyAnimation(details, "pos", details);
  slide->setDuration(kSlideMilliseconds);
  slide->setEasingCurve(QEasingCurve::OutCubic);
  slide->setStartValue(QPoint(m_window->width(), place.y()));
  slide->setEndValue(place.topLeft());
  slide->start(QAbstractAnimation::DeleteWhenStopped);
}

// Puts the details where they fit, unless somebody put them or the runs elsewhere.
void WindowDocks::arrange() {
  const bool column = m_fittedFor.width() >= kWideWindow && m_fittedFor.height() >= kTallWindow;
  if (m_placesChosen || m_over || column == m_column) return;
  m_column = column;
  QDockWidget *runs = dock(QStringLiteral("runs")), *details = dock(QStringLiteral("details"));
  const bool shown = !details->isHidden();
  m_placing = true;
  m_window->removeDockWidget(details);
  if (column) {
    m_window->splitDockWidget(runs, details, Qt::Vertical);
  } else {
    m_window->addDockWidget(Qt::RightDockWidgetArea, details);
  }
  details->setVisible(shown);
  m_placing = false;
  m_ours.insert(details);
  askForWidths();
  fitColumn();
}

// Once the layout knows which docks are there.
void WindowDocks::askForWidths() {
  if (!std::exchange(m_widthsAsked, true)) QTimer::singleShot(0, this, &WindowDocks::giveWidths);
}

void WindowDocks::fitColumn() {
  QTimer::singleShot(0, this, &WindowDocks::giveHeights);
}

void WindowDocks::giveHeights() {
  QDockWidget *runs = dock(QStringLiteral("runs")), *details = dock(QStringLiteral("details"));
  if (!m_column || m_hidden || m_heightsChosen || m_placesChosen || !m_listHeight || runs->isHidden() ||
      details->isHidden())
    return;
  const int whole = runs->height() + details->height();
  const int title = runs->height() - runs->widget()->height();
  const int list = qMin(m_listHeight() + title, whole * 3 / 5);
  if (std::abs(runs->height() - list) > kHair)
    m_window->resizeDocks({runs, details}, {list, whole - list}, Qt::Vertical);
}

// The mouse is pressed on a line between docks: what it divides has the size that somebody wants.
void WindowDocks::noteChosen(const QPoint& at) {
  if (!m_window->isSeparator(at)) return;
  QDockWidget *runs = dock(QStringLiteral("runs")), *details = dock(QStringLiteral("details"));
  const QRect list = runs->geometry(), below = details->geometry();
  if (m_column && at.x() <= list.right() && at.y() > list.center().y() && at.y() < below.center().y()) {
    m_heightsChosen = true;
    return;
  }
  for (QDockWidget* which : {runs, details}) {
    if (m_over && which == details) continue;
    const QRect place = which->geometry();
    const int line = m_window->style()->pixelMetric(QStyle::PM_DockWidgetSeparatorExtent, nullptr, m_window);
    const bool beside = at.x() < place.left() || at.x() > place.right();
    if (!which->isHidden() && beside && place.adjusted(-line - kHair, 0, line + kHair, 0).contains(at))
      m_ours.remove(which);
  }
}

// Docks as wide as we made them grow and shrink with the window; others stay as somebody wanted them.
void WindowDocks::fit() {
  const QSize size = m_window->size(), was = std::exchange(m_fittedFor, size);
  QDockWidget *runs = dock(QStringLiteral("runs")), *details = dock(QStringLiteral("details"));
  if (m_hidden || runs == nullptr || details == nullptr || size == was) return;
  followNarrowness();
  arrange();
  layOver();
  askForWidths();
  fitColumn();
}

void WindowDocks::giveWidths() {
  m_widthsAsked = false;
  const int width = m_fittedFor.width();
  QList<QDockWidget*> changed;
  QList<int> widths;
  for (const auto& [id, wide] : {std::pair("runs", runsWidth(width, QApplication::font())),
                                 std::pair("details", detailsWidth(width))}) {
    QDockWidget* which = dock(QString::fromLatin1(id));
    const bool elsewhere = (m_column || m_over) && which->objectName() == QLatin1String("details");
    if (m_hidden || elsewhere || which->isHidden() || !m_ours.contains(which)) continue;
    changed.append(which);
    widths.append(wide);
  }
  if (!changed.isEmpty()) m_window->resizeDocks(changed, widths, Qt::Horizontal);
  m_fittedFont = QApplication::font();
}

// In a session that is opened again: which docks are as wide as we make them. They are ours until somebody
// moves the line beside them; what a narrow window or a panel below takes of them is no choice. Sessions that
// do not tell are from before that was kept: what has another width than ours was chosen.
void WindowDocks::noteOurs() {
  m_ours.clear();
  const QString told = m_session->text(session::kDockWidths);
  if (!told.isEmpty()) {
    const QStringList chosen = told.split(u' ');
    for (const char* id : {"runs", "details"})
      if (!chosen.contains(QLatin1String(id))) m_ours.insert(dock(QString::fromLatin1(id)));
    return;
  }
  const int window = m_fittedFor.width();
  for (const auto& [id, width] :
       {std::pair("runs", runsWidth(window, m_fittedFont)), std::pair("details", detailsWidth(window))}) {
    QDockWidget* which = dock(QString::fromLatin1(id));
    const bool below = (m_column || m_over) && which->objectName() == QLatin1String("details");
    if (below || which->isHidden() || std::abs(which->width() - width) <= kHair) m_ours.insert(which);
  }
}

bool WindowDocks::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_window && event->type() == QEvent::Resize && m_painted && !m_hidden && !m_waiting &&
      m_window->size() != m_fittedFor) {
    m_waiting = true;
    QTimer::singleShot(0, this, [this] {
      m_waiting = false;
      fit();
    });
  }
  const QDockWidget* details = dock(QStringLiteral("details"));
  if (m_over && watched == details && event->type() == QEvent::Show)
    QTimer::singleShot(0, this, &WindowDocks::slideIn);
  // Put away by somebody it does not come back with the width.
  if (m_over && !m_placing && !m_hidden && watched == details && event->type() == QEvent::Hide)
    m_foldedNarrow = m_foldedNarrow && !details->isHidden();
  // A window that goes is hidden when it has no centre any more: it is asked for that alone where a size
  // changes.
  if (m_over && event->type() == QEvent::Resize && watched != m_window &&
      watched == m_window->centralWidget())
    QTimer::singleShot(0, this, &WindowDocks::layOver);
  // A move of docks one after the other (animation, a layout brought back) ends with their heights.
  if (watched != m_window && event->type() == QEvent::Resize && m_column) fitColumn();
  // Another size of texts moves everything: each step of an animation would arrange the whole page.
  if (watched == m_window && event->type() == QEvent::ApplicationFontChange) {
    constexpr int kRest = 300;
    m_window->setAnimated(false);
    QTimer::singleShot(kRest, m_window, [window = m_window] { window->setAnimated(true); });
  }
  // Larger texts need a wider list.
  if (watched == m_window && event->type() == QEvent::ApplicationFontChange && m_painted && !m_hidden &&
      m_fittedFont != QApplication::font()) {
    askForWidths();
    fitColumn();
  }
  if (watched == m_window && event->type() == QEvent::MouseButtonPress)
    noteChosen(static_cast<QMouseEvent*>(event)->position().toPoint());
  return QObject::eventFilter(watched, event);
}

void WindowDocks::setShown(bool shown) {
  m_bar->setVisible(shown);
  if (!shown && !m_hidden) {
    m_before = state();
    m_hidden = true;
    for (QDockWidget* each : std::as_const(m_docks)) each->hide();
  } else if (shown && m_hidden) {
    m_hidden = false;
    if (!bringBack(m_before)) {
      layOut();
    } else if (followNarrowness(); m_painted && m_window->size() != m_fittedFor) {
      fit();
    } else if (m_painted) {  // they may have been hidden before they had their sizes
      askForWidths();
      fitColumn();
    }
  }
  QTimer::singleShot(0, this, &WindowDocks::tendTabBars);
}

void WindowDocks::setEnabled(bool on) {
  for (QDockWidget* each : std::as_const(m_docks)) each->setEnabled(on);
  m_bar->setEnabled(on);
}

void WindowDocks::raise(const char* id) {
  QDockWidget* wanted = dock(QString::fromLatin1(id));
  if (isBelow(wanted->objectName())) foldOthers(wanted->objectName());
  wanted->show();
  wanted->raise();
}

void WindowDocks::alarm(const QString& id, const QString& note) {
  bool read = false;
  for (const QString& below : std::as_const(m_below)) read = read || !dock(below)->isHidden();
  const bool shown = !dock(id)->isHidden();
  m_bar->setNote(id, note, !shown);
  if (read || m_hidden) return;
  raise(id.toLatin1().constData());
  m_window->resizeDocks({dock(id)}, {kBelowHeight}, Qt::Vertical);
}

QAction* WindowDocks::toggle(const char* id) const {
  return m_docks[QString::fromLatin1(id)]->toggleViewAction();
}

void WindowDocks::restore() {
  const QByteArray docks = m_session->bytes(session::kDocks);
  if (!docks.isEmpty()) m_laidOut = false;
  if (m_hidden) {
    m_before = docks;
  } else if (docks.isEmpty() || !bringBack(docks)) {
    layOut();
  }
  readPlaces();
  followNarrowness();
  m_fittedFor = m_window->size();
  QTimer::singleShot(0, this, &WindowDocks::tendTabBars);
}

bool WindowDocks::bringBack(const QByteArray& state) {
  m_placing = true;
  const bool back = m_window->restoreState(state, kLayoutVersion);
  QDockWidget* details = dock(QStringLiteral("details"));
  // It lay over the curves when the state was kept.
  if (back && m_window->dockWidgetArea(details) == Qt::NoDockWidgetArea) {
    m_window->addDockWidget(Qt::RightDockWidgetArea, details);
    details->setVisible(!m_over || m_foldedNarrow);
  }
  if (back && std::exchange(m_over, false)) markOver(m_foldedNarrow = false);
  m_placing = false;
  if (back) m_column = m_window->dockWidgetArea(dock(QStringLiteral("details"))) == Qt::LeftDockWidgetArea;
  return back;
}

// Sessions from before docks had places of ours: what is not where it was at first was moved.
void WindowDocks::readPlaces() {
  const QString whose = m_session->text(session::kDockPlaces);
  m_placesChosen = whose == QLatin1String(kChosenPlaces) || (whose.isEmpty() && m_column);
  m_heightsChosen = whose == QLatin1String(kChosenHeights);
}

void WindowDocks::painted() {
  m_painted = true;
  m_window->centralWidget()->installEventFilter(this);
  if (!std::exchange(m_laidOut, false)) noteOurs();
  fit();
  if (!m_hidden) arrange();
}

void WindowDocks::save() const {
  m_session->setBytes(session::kDocks, state());
  m_session->setText(session::kDockPlaces, QString::fromLatin1(m_placesChosen    ? kChosenPlaces
                                                               : m_heightsChosen ? kChosenHeights
                                                                                 : kOurPlaces));
  if (!m_painted) return;  // what the last session told still holds
  QStringList chosen;
  for (const char* id : {"runs", "details"})
    if (!m_ours.contains(dock(QString::fromLatin1(id)))) chosen.append(QString::fromLatin1(id));
  m_session->setText(session::kDockWidths,
                     chosen.isEmpty() ? QString::fromLatin1(kNoneChosen) : chosen.join(u' '));
}

QByteArray WindowDocks::state() const {
  if (m_hidden) return m_before;
  return m_painted ? m_window->saveState(kLayoutVersion) : m_session->bytes(session::kDocks);
}

// The bars of docks that share a place are Qt's own: nameless, and a stop of Tab even without a tab.
void WindowDocks::tendTabBars() {
  for (QTabBar* bar : m_window->findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
    bar->setAccessibleName(MainWindow::tr("Panels that share a place"));
    bar->setFocusPolicy(bar->count() > 0 ? Qt::TabFocus : Qt::NoFocus);
  }
}

}  // namespace fathom
