// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/widgets/command_palette.h"

#include <QAction>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QStandardItemModel>
#include <QStyledItemDelegate>

#include "views/look/engine_text.h"
#include "views/look/icons.h"
#include "views/look/theme.h"
#include "views/panels/widgets/boxes.h"

namespace fathom {

namespace {

constexpr int kActionRole = Qt::UserRole;
constexpr int kPathRole = Qt::UserRole + 1;
constexpr int kKeysRole = Qt::UserRole + 2;
constexpr int kRows = 12;
constexpr int kDisabledLast = 1000000;
constexpr int kOtherWords = 100;  // a title is before what only means the same

QString entryText(const QAction* action) {
  return withoutMnemonic(action->text());
}

// Title, where it is in the menus, and on the right its keys.
class PaletteDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
    return {200, qMax(metrics::kFormRow, option.fontMetrics.height() + metrics::kMargin)};
  }
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    item.text.clear();
    option.widget->style()->drawControl(QStyle::CE_ItemViewItem, &item, painter, option.widget);
    const Theme& theme = Theme::of(option.palette);
    const bool enabled = index.flags().testFlag(Qt::ItemIsEnabled);
    QRect area = option.rect.adjusted(metrics::kMargin, 0, -metrics::kMargin, 0);
    const QString keys = index.data(kKeysRole).toString();
    painter->setPen(theme.secondary);
    painter->drawText(area, Qt::AlignRight | Qt::AlignVCenter, keys);
    area.setRight(area.right() - option.fontMetrics.horizontalAdvance(keys) - metrics::kMargin);
    painter->setPen(enabled ? theme.text : theme.secondary);
    const QString title =
        option.fontMetrics.elidedText(index.data().toString(), Qt::ElideRight, area.width());
    painter->drawText(area, Qt::AlignLeft | Qt::AlignVCenter, title);
    area.setLeft(area.left() + option.fontMetrics.horizontalAdvance(title) + metrics::kMargin);
    if (area.width() < 40) return;
    painter->setPen(theme.secondary);
    painter->drawText(
        area, Qt::AlignLeft | Qt::AlignVCenter,
        option.fontMetrics.elidedText(index.data(kPathRole).toString(), Qt::ElideRight, area.width()));
  }
};

// Smaller is better; negative = no match. All words must occur; a match at the beginning of a word counts
// more.
int rank(const QString& text, const QStringList& words) {
  int score = 0;
  for (const QString& word : words) {
    const qsizetype at = text.indexOf(word);
    if (at < 0) return -1;
    score += at == 0 ? 0 : text[at - 1].isLetterOrNumber() ? 20 : 5;
  }
  return score;
}

}  // namespace

QString keysText(const QList<QKeySequence>& keys) {
  QStringList texts;
  for (const QKeySequence& each : keys) texts.append(each.toString(QKeySequence::NativeText));
  return texts.join(QStringLiteral(", "));
}

CommandPalette::CommandPalette(QWidget* parent)
    : QDialog(parent, Qt::Popup | Qt::FramelessWindowHint),
      m_query(new QLineEdit(this)),
      m_nothing(new QLabel(this)),
      m_list(new QListView(this)),
      m_model(new QStandardItemModel(this)) {
  setWindowTitle(tr("Commands"));
  m_query->setObjectName(QStringLiteral("paletteQuery"));
  m_query->setPlaceholderText(tr("Type what you want to do"));
  m_query->setAccessibleName(tr("Search commands"));
  m_query->addAction(icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
  m_query->installEventFilter(this);
  m_list->setModel(m_model);
  m_list->setItemDelegate(new PaletteDelegate(m_list));
  m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
  m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_list->setUniformItemSizes(true);
  m_list->setAccessibleName(tr("Commands"));
  m_nothing->setObjectName(QStringLiteral("paletteNothing"));
  m_nothing->setTextFormat(Qt::PlainText);
  m_nothing->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
  m_nothing->setWordWrap(true);
  m_nothing->setContentsMargins(metrics::kMargin, 2 * metrics::kMargin, metrics::kMargin, 0);
  m_nothing->hide();
  makeColumn(this, {m_query, {m_nothing, 1}, m_list}, metrics::kGrid,
             {metrics::kMargin, metrics::kMargin, metrics::kMargin, metrics::kMargin});
  connect(m_query, &QLineEdit::textChanged, this, &CommandPalette::search);
  connect(m_list, &QListView::clicked, this, &CommandPalette::run);
  connect(m_list, &QListView::activated, this, &CommandPalette::run);
}

void CommandPalette::setActions(const QVector<QPair<QString, QAction*>>& actions) {
  m_actions = actions;
}

void CommandPalette::popUp() {
  m_query->clear();
  search({});
  const QWidget* over = parentWidget();
  const int width = over != nullptr ? qBound(320, over->width() / 2, 640) : 560;
  resize(width, metrics::kFormRow * (kRows + 2));
  if (over != nullptr) move(over->mapToGlobal(QPoint((over->width() - width) / 2, over->height() / 10)));
  show();
  m_query->setFocus();
}

void CommandPalette::search(const QString& text) {
  const QStringList words = text.toLower().split(QLatin1Char(' '), Qt::SkipEmptyParts);
  QVector<QPair<int, int>> found;
  for (int i = 0; i < m_actions.size(); ++i) {
    const QAction* action = m_actions[i].second;
    const int score = scoreOf(m_actions[i], words);
    // Actions that can be done now come before the others.
    if (score >= 0) found.append({(action->isEnabled() ? 0 : kDisabledLast) + score * 1000 + i, i});
  }
  std::sort(found.begin(), found.end());
  m_model->clear();
  for (const auto& [score, i] : std::as_const(found)) {
    QAction* action = m_actions[i].second;
    auto* item = new QStandardItem(entryText(action));
    item->setData(QVariant::fromValue(action), kActionRole);
    item->setData(m_actions[i].first, kPathRole);
    item->setData(keysText(action->shortcuts()), kKeysRole);
    item->setEnabled(action->isEnabled());
    item->setToolTip(action->toolTip());
    m_model->appendRow(item);
  }
  if (m_model->rowCount() > 0) m_list->setCurrentIndex(m_model->index(0, 0));
  const QString shown = m_query->fontMetrics().elidedText(text.trimmed(), Qt::ElideRight, width() / 2);
  m_nothing->setText(tr("No command is called “%1”. Fewer letters find more.").arg(shown));
  m_nothing->setVisible(found.isEmpty());
  m_list->setVisible(!found.isEmpty());
}

int CommandPalette::scoreOf(const QPair<QString, QAction*>& action, const QStringList& words) const {
  const QString id = action.second->objectName();
  const QString own = entryText(action.second) + QLatin1Char(' ') + action.first + QLatin1Char(' ') + id;
  const int score = rank(own.toLower(), words);
  if (score >= 0 || !m_words) return score;
  const int other = rank((own + QLatin1Char(' ') + m_words(id)).toLower(), words);
  return other < 0 ? other : kOtherWords + other;
}

// It lies on a window of the same colour: a line shows where it ends.
void CommandPalette::paintEvent(QPaintEvent* event) {
  QDialog::paintEvent(event);
  QPainter painter(this);
  painter.setPen(Theme::of(palette()).separator);
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Down || key == Qt::Key_Up || key == Qt::Key_PageDown || key == Qt::Key_PageUp) {
      const int step = key == Qt::Key_Down       ? 1
                       : key == Qt::Key_Up       ? -1
                       : key == Qt::Key_PageDown ? kRows
                                                 : -kRows;
      const int row = qBound(0, m_list->currentIndex().row() + step, m_model->rowCount() - 1);
      m_list->setCurrentIndex(m_model->index(row, 0));
      return true;
    }
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
      run();
      return true;
    }
  }
  return QDialog::eventFilter(watched, event);
}

void CommandPalette::run() {
  const QModelIndex current = m_list->currentIndex();
  if (!current.isValid() || !current.flags().testFlag(Qt::ItemIsEnabled)) return;
  auto* action = current.data(kActionRole).value<QAction*>();
  accept();
  if (action != nullptr) action->trigger();
}

}  // namespace fathom
