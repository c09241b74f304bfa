// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/errors/reason_list.h"

#include <QHeaderView>
#include <QSignalBlocker>
#include <QStyledItemDelegate>

#include "core/spider/judgement/rule_words.h"
#include "views/look/engine_text.h"
#include "views/look/theme.h"
#include "views/panels/widgets/elided_header.h"

namespace fathom {

namespace {

enum ReasonColumn { kClause, kKind, kWords, kRule };
constexpr int kReasonRole = Qt::UserRole;
constexpr int kAnyWidth = 2000;

// A tree asks for the height of a cell without saying how wide it is, and so never wraps.
class WrappedCells : public QStyledItemDelegate {
 public:
  explicit WrappedCells(QTreeView* tree) : QStyledItemDelegate(tree), m_tree(tree) {}
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyleOptionViewItem cell = option;
    constexpr int kAnyHeight = 10000;  // text is wrapped into a valid rectangle only
    const bool whole = m_tree->isFirstColumnSpanned(index.row(), index.parent());
    const int width =
        whole ? m_tree->viewport()->width() - 2 * m_tree->indentation() : m_tree->columnWidth(index.column());
    cell.rect = QRect(0, 0, width, kAnyHeight);
    const QSize size = QStyledItemDelegate::sizeHint(cell, index);
    return {size.width(), size.height() + metrics::kGrid};
  }

 private:
  QTreeView* m_tree;
};

}  // namespace

ReasonList::ReasonList(QWidget* parent) : QTreeWidget(parent) {
  setHeader(new ElidedHeader(Qt::Horizontal, this));
  setHeaderLabels({tr("Clause"), tr("Kind"), tr("Why"), tr("Rule")});
  setIndentation(metrics::kGroupGap);
  setAccessibleName(tr("Reasons"));
  setWordWrap(true);
  setItemDelegate(new WrappedCells(this));
  setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  header()->setMinimumSectionSize(24);
  header()->setTextElideMode(Qt::ElideRight);
  header()->setStretchLastSection(false);
  for (int column = 0; column < columnCount(); ++column)
    headerItem()->setToolTip(column, headerItem()->text(column));
  for (const int column : {kClause, kKind, kRule})
    header()->setSectionResizeMode(column, QHeaderView::Interactive);
  header()->setSectionResizeMode(kWords, QHeaderView::Stretch);
  connect(header(), &QHeaderView::sectionResized, this, [this] { scheduleDelayedItemsLayout(); });
  connect(this, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
    QTreeWidgetItem* top = item == nullptr || item->parent() == nullptr ? item : item->parent();
    const QVariant reason = top == nullptr ? QVariant() : top->data(0, kReasonRole);
    if (reason.isValid()) expandItem(top);  // what its rule means, below it
    Q_EMIT reasonChosen(reason.isValid() ? reason.toInt() : -1);
  });
}

// The meaning stands below the reason, as wide as the list, and in the tool tip of its name.
void ReasonList::explainRule(QTreeWidgetItem* item, const CategoryReason& reason) {
  const Phrase meaning = ruleMeaning(reason.rule, reason.kind);
  if (meaning.empty()) return;
  const QString text = tr("Rule %1: %2").arg(fromUtf8(reason.rule), phraseText(meaning));
  item->setToolTip(kRule, text);
  auto* below = new QTreeWidgetItem(item, {text});
  below->setForeground(0, Theme::of(palette()).secondary);
  below->setFirstColumnSpanned(true);
}

void ReasonList::showReasons(const CategoryVerdict& verdict, bool exact) {
  QTreeWidgetItem* chosen = currentItem();
  if (chosen != nullptr && chosen->parent() != nullptr) chosen = chosen->parent();
  const int current = chosen == nullptr ? -1 : indexOfTopLevelItem(chosen);
  {
    const QSignalBlocker quiet(this);
    clear();
    for (std::size_t i = 0; i < verdict.reasons.size(); ++i) {
      const CategoryReason& reason = verdict.reasons[i];
      auto* item =
          new QTreeWidgetItem(this, {fromUtf8(reason.clause), phraseText(reasonKindTitle(reason.kind)),
                                     phraseText(reason.words), fromUtf8(reason.rule)});
      item->setData(0, kReasonRole, int(i));
      for (int column = 0; column < columnCount(); ++column) {
        item->setTextAlignment(column, Qt::AlignLeft | Qt::AlignTop);
        item->setToolTip(column, item->text(column));
      }
      explainRule(item, reason);
    }
    if (verdict.reasons.empty()) {
      auto* item = new QTreeWidgetItem(this);
      item->setText(kWords, exact ? tr("The metric counts it as right.") : tr("No reason is known."));
      item->setFlags(Qt::ItemIsEnabled);
    }
  }
  for (const int column : {kClause, kKind, kRule}) {
    setColumnWidth(column, kAnyWidth);  // its contents are asked for unwrapped
    resizeColumnToContents(column);
    setColumnWidth(column, qMin(columnWidth(column), qMax(60, viewport()->width() / 5)));
  }
  if (current >= 0 && current < int(verdict.reasons.size())) setCurrentItem(topLevelItem(current));
}

}  // namespace fathom
