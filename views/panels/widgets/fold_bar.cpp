// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/widgets/fold_bar.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QToolButton>

#include "views/look/icons.h"
#include "views/look/theme.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"

namespace fathom {

FoldBar::FoldBar(QWidget* parent)
    : QWidget(parent),
      m_line(makeRow(this, {BoxPart::stretch(1)}, metrics::kGrid,
                     {metrics::kGrid, metrics::kGrid / 2, metrics::kGrid, metrics::kGrid / 2})) {
  setObjectName(QStringLiteral("foldBar"));
  setAccessibleName(tr("Folded panels"));
}

void FoldBar::add(const QString& id, QAction* toggle, const QString& iconName, bool aside) {
  Fold fold;
  fold.toggle = toggle;
  fold.iconName = iconName;
  fold.button =
      flatTextButton(this, toggle->text(), tr("%1: shows or folds this panel").arg(toggle->text()), iconName);
  fold.button->setCheckable(true);
  // At the sides the place of the button says which panel it is, and the middle keeps its width.
  if (aside) fold.button->setToolButtonStyle(Qt::ToolButtonIconOnly);
  fold.button->setObjectName(QStringLiteral("fold.") + id);
  int before = 0;
  while (before < m_line->count() && m_line->itemAt(before)->widget() != nullptr) ++before;
  m_line->insertWidget(aside ? m_line->count() : before, fold.button);
  connect(fold.button, &QToolButton::clicked, toggle, &QAction::trigger);
  connect(toggle, &QAction::toggled, this, [this, id](bool on) {
    Fold& changed = m_folds[id];
    if (on) changed.alarm = false;  // it is being looked at
    show(changed);
  });
  m_folds.insert(id, fold);
  show(fold);
}

void FoldBar::setNote(const QString& id, const QString& note, bool alarm) {
  const auto found = m_folds.find(id);
  if (found == m_folds.end() || (found->note == note && found->alarm == alarm)) return;
  found->note = note;
  found->alarm = alarm;
  show(*found);
}

void FoldBar::show(const Fold& fold) {
  const Theme& theme = Theme::of(palette());
  fold.button->setChecked(fold.toggle->isChecked());
  const QString title = fold.toggle->text();
  fold.button->setText(fold.note.isEmpty() ? title : tr("%1 · %2").arg(title, fold.note));
  fold.button->setAccessibleName(fold.button->text());
  fold.button->setIcon(fold.alarm ? QIcon(iconPixmap(QStringLiteral("warning"), theme.failed, metrics::kIcon,
                                                     devicePixelRatioF()))
                                  : icon(fold.iconName));
}

void FoldBar::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() != QEvent::PaletteChange) return;
  for (const Fold& fold : std::as_const(m_folds)) show(fold);
}

}  // namespace fathom
