// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/widgets/controls.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QPointer>
#include <QProgressBar>
#include <QShortcut>
#include <QToolButton>
#include <QTreeWidget>
#include <utility>

#include "views/figure/figure_style.h"
#include "views/look/engine_text.h"
#include "views/look/icons.h"
#include "views/look/theme.h"
#include "views/panels/widgets/compact_table.h"
#include "views/panels/widgets/heading.h"

namespace fathom {

namespace {

// An open list, menu or completion lies inside of the page that it belongs to, and Qt counts its keyboard
// focus as the page's: without this the page's key comes first. What has the key then closes itself.
class PopupEscape : public QObject {
 public:
  using QObject::QObject;
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() != QEvent::ShortcutOverride || !watched->isWidgetType()) return false;
    auto* key = static_cast<QKeyEvent*>(event);
    if (!key->matches(QKeySequence::Cancel) || QApplication::activePopupWidget() == nullptr) return false;
    key->accept();
    return true;
  }
};

void givePopupsEscape() {
  static QPointer<PopupEscape> filter;
  if (filter != nullptr) return;
  filter = new PopupEscape(qApp);
  qApp->installEventFilter(filter);
}

}  // namespace

QToolButton* flatButton(QWidget* parent, const QString& iconName, const QString& tip) {
  auto* button = new QToolButton(parent);
  if (!iconName.isEmpty()) button->setIcon(icon(iconName));
  button->setAutoRaise(true);
  button->setFocusPolicy(Qt::StrongFocus);
  button->setToolTip(tip);
  button->setAccessibleName(tip);
  return button;
}

QToolButton* flatTextButton(QWidget* parent, const QString& text, const QString& tip,
                            const QString& iconName) {
  QToolButton* button = flatButton(parent, iconName, tip);
  button->setText(text);
  button->setAccessibleName({});  // its text is
  if (!iconName.isEmpty()) button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  return button;
}

QLineEdit* filterLine(QWidget* parent, const QString& hint, const QString& accessibleName) {
  auto* box = new QLineEdit(parent);
  box->setPlaceholderText(hint);
  box->setToolTip(hint);  // whole where the line is narrow
  box->setAccessibleName(accessibleName);
  box->setClearButtonEnabled(true);
  return box;
}

QLineEdit* searchLine(QWidget* parent, const QString& hint) {
  QLineEdit* box = filterLine(parent, hint, hint);
  box->addAction(icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
  return box;
}

QComboBox* narrowChoice(QWidget* parent, const QString& accessibleName, int characters) {
  auto* box = new QComboBox(parent);
  box->setAccessibleName(accessibleName);
  box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  box->setMinimumContentsLength(characters);
  return box;
}

void addStyles(QComboBox* box) {
  for (const FigureStyle& style : figureStyles())
    if (!style.dark) box->addItem(engineText(toUtf8(style.title)), style.id);
}

QComboBox* exportStyleChoice(QWidget* parent, const QString& accessibleName, const QString& tip) {
  auto* box = new QComboBox(parent);
  addStyles(box);
  box->setAccessibleName(accessibleName);
  box->setToolTip(tip);
  return box;
}

QTreeWidget* columnList(QWidget* parent, const QStringList& heads, const QString& accessibleName) {
  auto* list = new QTreeWidget(parent);
  list->setHeaderLabels(heads);
  list->setRootIsDecorated(false);
  list->setAccessibleName(accessibleName);
  evenRows(list);
  return list;
}

QLabel* wrappedLabel(QWidget* parent, const QString& objectName) {
  auto* label = new QLabel(parent);
  label->setWordWrap(true);
  label->setObjectName(objectName);
  return label;
}

QLabel* pageTitle(QWidget* parent, const QString& text) {
  auto* label = new QLabel(text, parent);
  setHeadingRank(label, HeadingRank::Page);
  return label;
}

QLabel* headingLabel(QWidget* parent, const QString& text) {
  auto* label = new QLabel(text, parent);
  setHeadingRank(label, HeadingRank::Panel);
  return label;
}

void makeSemibold(QWidget* widget) {
  QFont font = widget->font();
  font.setWeight(QFont::DemiBold);
  widget->setFont(font);
}

void setTextShare(QWidget* widget, const QFont& body, double share) {
  QFont font = widget->font();
  if (body.pointSizeF() > 0) {
    font.setPointSizeF(body.pointSizeF() * share);
  } else {
    font.setPixelSize(qRound(body.pixelSize() * share));
  }
  widget->setFont(font);
}

void setTextColour(QWidget* widget, const QColor& colour) {
  QPalette palette = widget->palette();
  // Of the application: while a theme changes, widgets take it over one after the other.
  palette.setColor(QPalette::WindowText, Theme::of(QApplication::palette()).readable(colour));
  widget->setPalette(palette);
}

void showText(QLabel* label, const QString& text) {
  label->setText(text);
  label->setVisible(!text.isEmpty());
}

void showProgress(QProgressBar* bar, const ProgressUpdate& progress) {
  constexpr int kParts = 1000;
  const bool known = progress.total > 0;
  bar->setRange(0, known ? kParts : 0);
  if (known) bar->setValue(int(kParts * qBound(0.0, progress.done / progress.total, 1.0)));
}

QAction* addKeyAction(QWidget* widget, const QString& text, const QKeySequence& key) {
  auto* action = new QAction(text, widget);
  action->setShortcut(key);
  action->setShortcutContext(Qt::WidgetShortcut);
  widget->addAction(action);
  return action;
}

void leaveWithEscape(QWidget* page, std::function<void()> leave) {
  givePopupsEscape();
  auto* key = new QShortcut(QKeySequence(Qt::Key_Escape), page);
  key->setContext(Qt::WidgetWithChildrenShortcut);
  QObject::connect(key, &QShortcut::activated, page, std::move(leave));
}

void clearLayout(QLayout* layout) {
  while (QLayoutItem* item = layout->takeAt(0)) {
    if (item->widget() != nullptr) {
      item->widget()->hide();  // it may be what called us
      item->widget()->deleteLater();
    }
    delete item;
  }
}

}  // namespace fathom
