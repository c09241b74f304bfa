// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/widgets/message_bar.h"

#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QComboBox>
#include <QEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QTabBar>
#include <QTimer>
#include <QToolButton>
#include <algorithm>
#include <functional>
#include <utility>

#include "views/look/engine_text.h"
#include "views/look/icons.h"
#include "views/look/theme.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"

namespace fathom {

namespace {
constexpr int kNoteMilliseconds = 6000, kFileMilliseconds = 20000;
constexpr int kWidestInCharacters = 70, kEdge = 3;

bool isControl(const QWidget* widget) {
  return qobject_cast<const QAbstractButton*>(widget) != nullptr ||
         qobject_cast<const QLineEdit*>(widget) != nullptr ||
         qobject_cast<const QComboBox*>(widget) != nullptr ||
         qobject_cast<const QAbstractSpinBox*>(widget) != nullptr ||
         qobject_cast<const QAbstractSlider*>(widget) != nullptr ||
         qobject_cast<const QTabBar*>(widget) != nullptr || widget->property(kNeverCovered).toBool();
}

// The part that its ancestors do not cut off, in its own coordinates. What lies over it, as the card itself
// may, takes nothing away.
QRect partInside(const QWidget* widget) {
  QRect part = widget->rect();
  for (const QWidget* each = widget; !each->isWindow() && each->parentWidget() != nullptr;
       each = each->parentWidget())
    part &= QRect(widget->mapFrom(each->parentWidget(), QPoint()), each->parentWidget()->size());
  return part;
}

// Rectangles of what can be used or must be read, in the coordinates of `over`; what lies over it among them.
QVector<QRect> controlsIn(const QWidget* over, const MessageBar* own) {
  QVector<QRect> found;
  for (const QWidget* each : over->window()->findChildren<QWidget*>()) {
    if (!isControl(each) || !each->isVisible() || each->window() != over->window() || own->isAncestorOf(each))
      continue;
    const QRect seen = partInside(each);
    const QRect place = seen.translated(over->mapFromGlobal(each->mapToGlobal(QPoint())));
    if (!seen.isEmpty() && place.intersects(over->rect())) found.append(place);
  }
  return found;
}

// The highest place for a card of this size, of equally high ones the rightmost, where it lies on no control;
// the corner at the top right where there is none.
QRect freePlace(const QSize& pane, const QSize& card, const QVector<QRect>& controls) {
  const QRect corner(QPoint(pane.width() - card.width() - metrics::kMargin, metrics::kMargin), card);
  QVector<int> tops = {corner.top()}, lefts = {corner.left()};
  for (const QRect& control : controls) {
    tops.append(control.bottom() + 1 + metrics::kGrid);
    lefts.append(control.left() - card.width() - metrics::kGrid);
  }
  std::sort(tops.begin(), tops.end());
  std::sort(lefts.begin(), lefts.end(), std::greater<>());
  for (const int top : std::as_const(tops)) {
    if (top < corner.top() || top + card.height() > pane.height() - metrics::kMargin) continue;
    for (const int left : std::as_const(lefts)) {
      if (left < metrics::kMargin || left > corner.left()) continue;
      const QRect place(QPoint(left, top), card);
      if (std::none_of(controls.cbegin(), controls.cend(),
                       [&place](const QRect& each) { return each.intersects(place); }))
        return place;
    }
  }
  return corner;
}
}  // namespace

MessageBar::MessageBar(QWidget* parent)
    : QWidget(parent),
      m_icon(new QLabel(this)),
      m_text(new QLabel(this)),
      m_more(new QLabel(this)),
      m_actions{button(0), button(1)},
      m_close(flatButton(this, QStringLiteral("close"), tr("Close this message"))) {
  m_text->setWordWrap(true);
  m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  m_text->setTextFormat(Qt::PlainText);
  m_text->setObjectName(QStringLiteral("messageText"));
  QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  policy.setHeightForWidth(true);
  m_text->setSizePolicy(policy);
  makeRow(this, {m_icon, {m_text, 1}, m_more, m_actions[0], m_actions[1], m_close}, metrics::kMargin,
          {metrics::kMargin + kEdge, metrics::kMargin, metrics::kMargin, metrics::kMargin});
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Base);
  connect(m_close, &QToolButton::clicked, this, &MessageBar::closeCurrent);
  if (parent != nullptr) parent->installEventFilter(this);
  hide();
}

QPushButton* MessageBar::button(int index) {
  auto* made = new QPushButton(this);
  connect(made, &QPushButton::clicked, this, [this, index] {
    const auto action = m_messages.last().actions.value(index).run;
    closeCurrent();
    if (action) action();
  });
  return made;
}

bool MessageBar::event(QEvent* event) {
  if (event->type() == QEvent::ParentAboutToChange && parentWidget() != nullptr)
    parentWidget()->removeEventFilter(this);
  const bool handled = QWidget::event(event);
  if (event->type() == QEvent::ParentChange && parentWidget() != nullptr)
    parentWidget()->installEventFilter(this);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::LayoutRequest) place();
  if (event->type() == QEvent::PaletteChange) refresh();
  return handled;
}

bool MessageBar::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize && watched == parent()) place();
  return QWidget::eventFilter(watched, event);
}

// It lies on panels of the same colour: a line shows where it ends, a thick one what kind it is.
void MessageBar::paintEvent(QPaintEvent* event) {
  QWidget::paintEvent(event);
  const Theme& theme = Theme::of(palette());
  const bool error = !m_messages.isEmpty() && m_messages.last().isError;
  QPainter painter(this);
  painter.fillRect(QRect(0, 0, kEdge, height()), error ? theme.failed : theme.accent);
  painter.setPen(theme.secondary);
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

// As wide as its text, at most what reads well, at the top right of the parent.
void MessageBar::place() {
  const QWidget* over = parentWidget();
  if (over == nullptr || isHidden()) return;
  int text = 0;
  for (const QString& line : m_text->text().split(QLatin1Char('\n')))
    text = qMax(text, m_text->fontMetrics().horizontalAdvance(line) + 2);
  const int room =
      qMin(over->width() - 2 * metrics::kMargin, kWidestInCharacters * fontMetrics().averageCharWidth());
  const int width = qMin(room, layout()->sizeHint().width() + text);
  const int height = qMin(layout()->totalHeightForWidth(width), over->height());
  setGeometry(freePlace(over->size(), {width, height}, controlsIn(over, this)));
  raise();
}

void MessageBar::showError(const Error& error) {
  showError(error, QString());
}

void MessageBar::showError(const Error& error, const QString& origin) {
  QString text = phraseText(error.messagePhrase());
  if (!error.file.empty()) {
    const QString place = error.line > 0 ? QStringLiteral("%1:%2").arg(fromUtf8(error.file)).arg(error.line)
                                         : fromUtf8(error.file);
    if (!text.contains(fromUtf8(error.file))) text = place + QStringLiteral(": ") + text;
  }
  showError(text, phraseText(error.hintPhrase()), origin);
}

void MessageBar::showError(const QString& text, const QString& hint, const QString& origin) {
  closeErrors(origin);
  const QString begunIn = m_begunIn.take(origin);
  push({true, text, hint, {}, origin, begunIn.isEmpty() ? m_page : begunIn});
}

void MessageBar::begin(const QString& origin) {
  closeErrors(origin);
  if (!origin.isEmpty()) m_begunIn.insert(origin, m_page);
}

void MessageBar::closeErrors(const QString& origin) {
  if (origin.isEmpty()) return;
  m_messages.removeIf([&](const Message& each) { return each.isError && each.origin == origin; });
  refresh();
}

void MessageBar::setPage(const QString& page) {
  if (page == m_page) return;
  m_messages.removeIf(
      [&](const Message& each) { return each.page == m_page && (!each.isError || !each.origin.isEmpty()); });
  m_page = page;
  refresh();
  // The other page is laid out a moment later; the card then finds its place there.
  QTimer::singleShot(0, this, &MessageBar::place);
}

int MessageBar::showNote(const QString& text, const QString& actionText, std::function<void()> action) {
  Message note{false, text, {}};
  note.page = m_page;
  if (action) note.actions = {{actionText, std::move(action)}};
  if (!note.actions.isEmpty()) return push(std::move(note));
  note.shownMs = kNoteMilliseconds;
  return push(std::move(note));
}

int MessageBar::showFileNote(const QString& text, const QVector<MessageAction>& actions) {
  Message note{false, text, {}};
  note.page = m_page;
  note.actions = actions;
  note.shownMs = kFileMilliseconds;
  return push(std::move(note));
}

void MessageBar::closeNote(int serial) {
  m_messages.removeIf([serial](const Message& each) { return each.serial == serial; });
  refresh();
}

int MessageBar::push(Message message) {
  // The same thing said twice in a row is one message.
  if (!m_messages.isEmpty() && m_messages.last().text == message.text && message.isError)
    return m_messages.last().serial;
  message.serial = ++m_serial;
  const int serial = message.serial;
  const int shownMs = message.shownMs;
  m_messages.append(std::move(message));
  refresh();
  QAccessibleEvent alert(this, QAccessible::Alert);
  QAccessible::updateAccessibility(&alert);
  if (shownMs > 0) QTimer::singleShot(shownMs, this, [this, serial] { closeNote(serial); });
  return serial;
}

QString MessageBar::currentText() const {
  return m_messages.isEmpty() ? QString() : m_text->text();
}

void MessageBar::closeCurrent() {
  if (!m_messages.isEmpty()) m_messages.removeLast();
  refresh();
}

void MessageBar::refresh() {
  setVisible(!m_messages.isEmpty());
  if (m_messages.isEmpty()) return;
  const Message& message = m_messages.last();
  const Theme& theme = Theme::of(palette());
  m_icon->setPixmap(iconPixmap(message.isError ? QStringLiteral("error") : QStringLiteral("info"),
                               message.isError ? theme.failed : theme.accent, metrics::kIcon,
                               devicePixelRatioF()));
  m_text->setText(message.hint.isEmpty() ? message.text : message.text + QLatin1Char('\n') + message.hint);
  m_text->setAccessibleName(m_text->text());
  for (int i = 0; i < 2; ++i) {
    m_actions[i]->setVisible(i < message.actions.size());
    m_actions[i]->setText(message.actions.value(i).text);
  }
  m_more->setText(m_messages.size() > 1 ? tr("%1 more").arg(m_messages.size() - 1) : QString());
  place();
  update();
}

}  // namespace fathom
