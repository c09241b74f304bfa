// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/figures/check_strip.h"

#include <QLabel>
#include <QLocale>
#include <QPushButton>

#include "views/look/engine_text.h"
#include "views/look/icons.h"
#include "views/look/theme.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/flow_layout.h"

namespace fathom {

namespace {

QString firstOnes(const QStringList& texts) {
  constexpr int kShown = 8;
  QString text = texts.mid(0, kShown).join(QLatin1Char('\n'));
  if (texts.size() > kShown) text += QStringLiteral("\n…");
  return text;
}

}  // namespace

CheckStrip::CheckStrip(QWidget* parent) : QWidget(parent) {
  auto* layout = new FlowLayout(this);
  layout->setContentsMargins(metrics::kMargin, metrics::kGrid, metrics::kMargin, metrics::kGrid);
  layout->setSpacing(metrics::kGroupGap);
  for (Item& item : m_items) {
    auto* both = new QWidget(this);  // sign and words stay in one line
    item.sign = new QLabel(both);
    item.label = new QLabel(both);
    makeRow(both, {item.sign, item.label}, metrics::kGrid);
    layout->addWidget(both);
  }
  m_compute = new QPushButton(tr("Compute"), this);
  m_compute->setObjectName(QStringLiteral("computePanels"));
  m_compute->setToolTip(tr("Computes what the panels without data lack"));
  layout->addWidget(m_compute);
  connect(m_compute, &QPushButton::clicked, this, &CheckStrip::computeRequested);
  clear();
}

void CheckStrip::clear() {
  for (Item& item : m_items) {
    item.sign->clear();
    item.label->clear();
  }
  m_compute->hide();
}

void CheckStrip::set(int item, bool good, const QString& text, const QString& details) {
  const Theme& theme = Theme::of(palette());
  m_items[item].sign->setPixmap(iconPixmap(good ? QStringLiteral("check") : QStringLiteral("warning"),
                                           good ? theme.finished : theme.diverged, metrics::kIcon,
                                           devicePixelRatioF()));
  m_items[item].label->setText(text);
  m_items[item].label->setToolTip(details);
  m_items[item].sign->setToolTip(details);
}

void CheckStrip::setChecks(const FigureChecks& checks, const QStringList& empty, bool computable) {
  const bool large = checks.smallestPoints >= FigureChecks::kSmallestPoints - 1e-9;
  const QLocale locale;
  set(0, large,
      large ? tr("texts ≥ %1 pt").arg(locale.toString(FigureChecks::kSmallestPoints))
            : tr("texts of %1 pt").arg(locale.toString(checks.smallestPoints, 'g', 3)),
      tr("The smallest text has %1 pt.").arg(locale.toString(checks.smallestPoints, 'g', 3)));
  set(1, checks.glyphs.empty(), checks.glyphs.empty() ? tr("fonts embedded") : tr("a character has no font"),
      phraseText(checks.glyphs));
  const QStringList misplaced = checks.outside + checks.overlapping + checks.touching + checks.cut;
  const bool fits = misplaced.isEmpty();
  set(2, fits,
      fits ? tr("texts fit")
      : checks.outside.isEmpty() && checks.overlapping.isEmpty() && checks.touching.isEmpty()
          ? tr("texts cut: %1").arg(checks.cut.size())
          : tr("texts in the way: %1")
                .arg(checks.outside.size() + checks.overlapping.size() + checks.touching.size()),
      firstOnes(misplaced));
  set(3, checks.alikeInGray.isEmpty(),
      checks.alikeInGray.isEmpty() ? tr("grayscale readable") : tr("alike without colour"),
      firstOnes(checks.alikeInGray));
  set(4, checks.sameTitles.isEmpty(),
      checks.sameTitles.isEmpty() ? tr("titles differ")
                                  : tr("titles alike: %1").arg(checks.sameTitles.size()),
      firstOnes(checks.sameTitles));
  set(5, checks.tooHighMm <= 0,
      checks.tooHighMm <= 0 ? tr("fits the page")
                            : tr("%1 mm too high").arg(locale.toString(checks.tooHighMm, 'f', 0)),
      tr("A page of a paper leaves %1 mm.").arg(locale.toString(FigureChecks::kPageMm)));
  set(6, empty.isEmpty(),
      empty.isEmpty() ? tr("every panel has data") : tr("panels without data: %1").arg(empty.size()),
      firstOnes(empty));
  m_compute->setVisible(computable);
  setAccessibleName(tr("Checks of the page"));
  setAccessibleDescription(text());
}

QString CheckStrip::text() const {
  QStringList texts;
  for (const Item& item : m_items) texts.append(item.label->text());
  return texts.join(QStringLiteral(" · "));
}

}  // namespace fathom
