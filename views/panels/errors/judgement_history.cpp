// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/errors/judgement_history.h"

#include <QDateTime>
#include <QHeaderView>
#include <QLocale>
#include <QPushButton>
#include <QTreeWidget>

#include "views/look/engine_text.h"
#include "views/look/theme.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"
#include "views/tables/reviewed_predictions.h"

namespace fathom {

namespace {

enum HistoryColumn { kWhen, kWho, kWhat, kProgram, kNote };

QString whenText(const std::string& iso) {
  const QDateTime time = QDateTime::fromString(fromUtf8(iso), Qt::ISODateWithMs);
  return time.isValid() ? QLocale().toString(time.toLocalTime(), QLocale::ShortFormat) : fromUtf8(iso);
}

constexpr int kLeastHistoryRows = 4;  // a head and two entries, with large texts too

}  // namespace

JudgementHistory::JudgementHistory(ReviewedPredictions* review, QWidget* parent)
    : QWidget(parent),
      m_review(review),
      m_list(columnList(this, {tr("When"), tr("Who"), tr("Category"), tr("Program then"), tr("Note")},
                        tr("What people said about this prediction"))),
      m_again(new QPushButton(tr("Set this again"), this)) {
  m_list->setUniformRowHeights(true);
  m_list->header()->setStretchLastSection(true);
  m_list->setMinimumHeight(kLeastHistoryRows * metrics::kTableRow);
  m_again->setObjectName(QStringLiteral("judgeAgain"));
  m_again->setToolTip(tr("The chosen entry counts again; that is a further entry and can be undone"));
  makeColumn(this, {{m_list, 1}, {m_again, 0, Qt::AlignLeft}}, metrics::kGrid);
  connect(m_list, &QTreeWidget::currentItemChanged, this, &JudgementHistory::refreshButton);
  connect(m_list, &QTreeWidget::itemActivated, this, &JudgementHistory::setAgain);
  connect(m_again, &QPushButton::clicked, this, &JudgementHistory::setAgain);
  for (const auto signal : {&ReviewedPredictions::currentChanged, &ReviewedPredictions::reviewChanged})
    connect(review, signal, this, [this] {
      if (isVisible()) refresh();
    });
  connect(review, &ReviewedPredictions::exampleChanged, this, [this] {
    if (isVisible()) refresh();
  });
  refreshButton();
}

void JudgementHistory::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

QString JudgementHistory::titleOf(const std::string& category) const {
  return category.empty() ? tr("cleared") : m_review->titleOfId(category);
}

void JudgementHistory::addEntry(const CategoryOverride& entry, bool current, bool stale) {
  auto* item =
      new QTreeWidgetItem(m_list, {whenText(entry.changed), fromUtf8(entry.author), titleOf(entry.category),
                                   titleOf(entry.programSays), fromUtf8(entry.note)});
  if (stale) item->setText(kWhat, tr("%1 (for another answer)").arg(item->text(kWhat)));
  const QString sql = fromUtf8(entry.key.normalisedSql);
  for (int column = 0; column < m_list->columnCount(); ++column) {
    QFont font = item->font(column);
    font.setWeight(current ? QFont::DemiBold : QFont::Normal);
    font.setItalic(stale);
    item->setFont(column, font);
    item->setToolTip(column, stale ? tr("Said of: %1").arg(sql) : item->text(column));
    if (stale) item->setForeground(column, Theme::of(palette()).secondary);
  }
  m_entries.push_back(entry);
}

void JudgementHistory::refresh() {
  m_list->clear();
  m_entries.clear();
  if (m_review->empty() || m_review->currentModel() < 0 || m_review->currentExample() < 0) return;
  const auto model = std::size_t(m_review->currentModel());
  const auto example = std::size_t(m_review->currentExample());
  const auto history = m_review->judgements().history(model, example);
  if (!history.ok()) {
    Q_EMIT failed(history.error());
    return;
  }
  for (const OverrideChange& change : *history) addEntry(change.value, m_entries.empty(), false);
  for (const CategoryOverride& stale : m_review->judgements().stale(model, example))
    addEntry(stale, false, true);
  if (m_entries.empty()) {
    auto* item = new QTreeWidgetItem(m_list, {tr("Nobody has judged this prediction yet.")});
    item->setFirstColumnSpanned(true);
    item->setFlags(Qt::ItemIsEnabled);
  } else {
    for (int column = 0; column < kNote; ++column) m_list->resizeColumnToContents(column);
  }
  refreshButton();
}

void JudgementHistory::refreshButton() {
  const int row = m_list->currentIndex().row();
  const bool entry = row >= 0 && std::size_t(row) < m_entries.size();
  // The first is what counts now, unless it is of other SQL.
  const bool counts = entry && row == 0 && !m_list->topLevelItem(0)->font(kWhat).italic();
  m_again->setEnabled(entry && !counts && m_review->canBeChanged());
}

void JudgementHistory::setAgain() {
  if (!m_again->isEnabled()) return;
  const CategoryOverride entry = m_entries[std::size_t(m_list->currentIndex().row())];
  const int model = m_review->currentModel(), example = m_review->currentExample();
  const Status status = m_review->setVerdict(model, example, entry.category, fromUtf8(entry.note));
  if (!status.ok()) Q_EMIT failed(status.error());
}

}  // namespace fathom
