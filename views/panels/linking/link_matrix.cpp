// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/linking/link_matrix.h"

#include <QFont>
#include <QGuiApplication>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QToolButton>

#include "views/look/theme.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/compact_table.h"
#include "views/panels/widgets/controls.h"

namespace fathom {

namespace {

constexpr int kWidestWord = 160, kNarrowestWord = 44, kWidestItem = 220;

// Strength of a cell's tint: names before values before parts.
int linkTint(int code) {
  constexpr int kTints[LinkMatrixModel::kCodes] = {0, 36, 96, 72, 72, 72};
  return kTints[code];
}

}  // namespace

QString LinkMatrixModel::codeTitle(int code) {
  switch (code) {
    case 1:
      return tr("part");
    case 2:
      return tr("exact");
    case 3:
      return tr("value");
    case 4:
      return tr("number");
    case 5:
      return tr("time");
    default:
      return {};
  }
}

void LinkMatrixModel::setLinks(const QStringList& words, const QVector<LinkItem>& items,
                               const QVector<quint8>& codes) {
  beginResetModel();
  m_words = words;
  m_items = items;
  m_codes = codes;
  if (m_codes.size() != words.size() * items.size())
    m_codes = QVector<quint8>(words.size() * items.size(), quint8(0));
  for (quint8& code : m_codes) code = code < kCodes ? code : quint8(0);
  m_original = m_codes;
  endResetModel();
}

void LinkMatrixModel::setOriginal(const QVector<quint8>& codes) {
  beginResetModel();
  m_original = codes.size() == m_codes.size() ? codes : m_codes;
  endResetModel();
}

bool LinkMatrixModel::differs(qsizetype cell) const {
  return m_codes[cell] != m_original[cell];
}

bool LinkMatrixModel::setCode(int word, int item, int code) {
  const bool inside = word >= 0 && word < m_words.size() && item >= 0 && item < m_items.size();
  if (!m_editable || !inside || code < 0 || code >= kCodes || m_codes[cell(word, item)] == code) return false;
  m_codes[cell(word, item)] = quint8(code);
  const QModelIndex changed = index(item, word);
  Q_EMIT dataChanged(changed, changed);
  Q_EMIT linkChanged(word, item, code);
  return true;
}

int LinkMatrixModel::changedCells() const {
  int changed = 0;
  for (qsizetype i = 0; i < m_codes.size(); ++i) changed += differs(i) ? 1 : 0;
  return changed;
}

bool LinkMatrixModel::isLinked(int item) const {
  for (int word = 0; word < m_words.size(); ++word)
    if (m_codes[cell(word, item)] != 0 || m_original[cell(word, item)] != 0) return true;
  return false;
}

int LinkMatrixModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int(m_items.size());
}

int LinkMatrixModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int(m_words.size());
}

QVariant LinkMatrixModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const int now = code(index.column(), index.row());
  const bool changed = differs(cell(index.column(), index.row()));
  const auto title = [](int of) { return of == 0 ? tr("no link") : codeTitle(of); };
  switch (role) {
    case Qt::DisplayRole:
      return now == 0 && changed ? tr("taken away") : codeTitle(now);
    case Qt::TextAlignmentRole:
      return int(Qt::AlignCenter);
    case Qt::BackgroundRole: {
      if (now == 0 && !changed) return {};
      const Theme& theme = Theme::of(QGuiApplication::palette());
      QColor colour = changed ? theme.diverged : theme.accent;
      colour.setAlpha(changed ? 72 : linkTint(now));
      return colour;
    }
    case Qt::FontRole: {
      QFont font;
      font.setBold(changed);
      return font;
    }
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole: {
      const QString link =
          tr("“%1” and %2: %3").arg(m_words[index.column()], m_items[index.row()].name, title(now));
      if (!changed) return link;
      return tr("%1 (was: %2)").arg(link, title(m_original[cell(index.column(), index.row())]));
    }
    default:
      return {};
  }
}

QVariant LinkMatrixModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (section < 0) return {};
  if (orientation == Qt::Horizontal) {
    if (section >= m_words.size()) return {};
    return role == Qt::DisplayRole || role == Qt::ToolTipRole ? QVariant(m_words[section]) : QVariant();
  }
  if (section >= m_items.size()) return {};
  if (role == Qt::DisplayRole || role == Qt::ToolTipRole) return m_items[section].name;
  if (role != Qt::FontRole) return {};
  QFont font;
  font.setBold(m_items[section].table);
  return font;
}

// The items that are shown.
class LinkMatrix::Rows : public QSortFilterProxyModel {
 public:
  explicit Rows(LinkMatrixModel* links, QObject* parent) : QSortFilterProxyModel(parent), m_links(links) {
    setSourceModel(links);
  }
  void show(bool all, const QString& name) {
    m_all = all;
    m_name = name.trimmed();
    invalidateFilter();
  }

 protected:
  bool filterAcceptsRow(int row, const QModelIndex&) const override {
    if (!m_name.isEmpty()) return m_links->items()[row].name.contains(m_name, Qt::CaseInsensitive);
    return m_all || m_links->isLinked(row);
  }

 private:
  LinkMatrixModel* m_links;
  bool m_all = false;
  QString m_name;
};

LinkMatrix::LinkMatrix(QWidget* parent)
    : QWidget(parent),
      m_model(new LinkMatrixModel(this)),
      m_rows(new Rows(m_model, this)),
      m_table(compactTable(m_rows, tr("Links of words with tables and columns"), this)),
      m_filter(filterLine(this, tr("Table or column"), tr("Which tables and columns are shown"))),
      m_all(flatTextButton(this, tr("All items"), tr("Also tables and columns without a link"))) {
  m_all->setObjectName(QStringLiteral("allItems"));
  m_all->setCheckable(true);
  m_table->verticalHeader()->show();
  m_table->verticalHeader()->setMaximumWidth(kWidestItem);
  m_table->setShowGrid(true);
  m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
  m_table->setContextMenuPolicy(Qt::CustomContextMenu);
  m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  m_table->installEventFilter(this);
  makeColumn(this, {makeRow({{m_filter, 1}, m_all}, metrics::kGrid), {m_table, 1}}, metrics::kGrid);
  const auto filter = [this] { m_rows->show(m_all->isChecked(), m_filter->text()); };
  connect(m_filter, &QLineEdit::textChanged, this, filter);
  connect(m_all, &QToolButton::toggled, this, filter);
  connect(m_model, &QAbstractItemModel::modelReset, this, &LinkMatrix::fitWords);
  connect(m_table, &QTableView::customContextMenuRequested, this, &LinkMatrix::showMenu);
  connect(m_table, &QTableView::doubleClicked, this, [this] { nextCode(); });
}

void LinkMatrix::fitWords() {
  fitColumns(m_table, kWidestWord);
  for (int word = 0; word < m_rows->columnCount(); ++word)
    if (m_table->columnWidth(word) < kNarrowestWord) m_table->setColumnWidth(word, kNarrowestWord);
}

void LinkMatrix::setChosen(int code) {
  const QModelIndexList chosen = m_table->selectionModel()->selectedIndexes();
  for (const QModelIndex& cell : chosen) {
    const QModelIndex link = m_rows->mapToSource(cell);
    m_model->setCode(link.column(), link.row(), code);
  }
}

void LinkMatrix::nextCode() {
  const QModelIndex link = m_rows->mapToSource(m_table->currentIndex());
  if (link.isValid()) setChosen((m_model->code(link.column(), link.row()) + 1) % LinkMatrixModel::kCodes);
}

void LinkMatrix::showMenu(const QPoint& at) {
  if (!m_model->editable() || !m_table->indexAt(at).isValid()) return;
  QMenu menu(this);
  for (int code = 0; code < LinkMatrixModel::kCodes; ++code) {
    const QString title = code == 0 ? tr("No link") : LinkMatrixModel::codeTitle(code);
    connect(menu.addAction(QStringLiteral("&%1  %2").arg(QString::number(code), title)), &QAction::triggered,
            this, [this, code] { setChosen(code); });
  }
  menu.exec(m_table->viewport()->mapToGlobal(at));
}

bool LinkMatrix::eventFilter(QObject* watched, QEvent* event) {
  if (watched != m_table || event->type() != QEvent::KeyPress || !m_model->editable())
    return QWidget::eventFilter(watched, event);
  const auto* key = static_cast<QKeyEvent*>(event);
  if ((key->modifiers() & ~Qt::KeypadModifier) != Qt::NoModifier) return false;
  const int digit = key->key() - Qt::Key_0;
  if (digit >= 0 && digit < LinkMatrixModel::kCodes) {
    setChosen(digit);
  } else if (key->key() == Qt::Key_Delete || key->key() == Qt::Key_Backspace) {
    setChosen(0);
  } else if (key->key() == Qt::Key_Space) {
    nextCode();
  } else {
    return false;
  }
  return true;
}

}  // namespace fathom
