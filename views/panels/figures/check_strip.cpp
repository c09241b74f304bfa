// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/figures/check_strip.h"

#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <cmath>

#include "views/look/engine_text.h"
#include "views/look/icons.h"
#include "views/look/theme.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/flow_layout.h"

namespace fathom {

namespace {

// Places of the checks that can be mended here.
constexpr int kGray = 3, kFits = 5, kData = 6;

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
    item.both = new QWidget(this);  // sign, words and what mends it stay in one line
    item.sign = new QLabel(item.both);
    item.label = new QLabel(item.both);
    makeRow(item.both, {item.sign, item.label}, metrics::kGrid);
    layout->addWidget(item.both);
  }
  m_dashes = button(m_items[kGray].both, "addDashes", tr("Add dashes"),
                    tr("Lines that are alike without colour get dashes, points other marks"));
  m_fit = button(m_items[kFits].both, "fitPage", tr("Make it fit"),
                 tr("As wide as the style, and no higher than its page: the plots get lower; figures without "
                    "room beside each other stand below each other"));
  m_compute = button(m_items[kData].both, "computePanels", tr("Compute"),
                     tr("Computes what the panels without data lack"));
  connect(m_dashes, &QPushButton::clicked, this, &CheckStrip::dashesRequested);
  connect(m_fit, &QPushButton::clicked, this, &CheckStrip::fitRequested);
  connect(m_compute, &QPushButton::clicked, this, &CheckStrip::computeRequested);
  clear();
}

QPushButton* CheckStrip::button(QWidget* beside, const char* name, const QString& text, const QString& tip) {
  auto* made = new QPushButton(text, beside);
  made->setObjectName(QLatin1String(name));
  made->setToolTip(tip);
  beside->layout()->addWidget(made);
  return made;
}

void CheckStrip::clear() {
  for (Item& item : m_items) {
    item.sign->clear();
    item.label->clear();
  }
  for (QPushButton* each : {m_compute, m_dashes, m_fit}) each->hide();
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

void CheckStrip::setChecks(const FigureChecks& checks, const QStringList& empty, const CheckOffers& offers) {
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
  set(kGray, checks.alikeInGray.isEmpty(),
      checks.alikeInGray.isEmpty() ? tr("grayscale readable") : tr("alike without colour"),
      firstOnes(checks.alikeInGray));
  set(4, checks.sameTitles.isEmpty(),
      checks.sameTitles.isEmpty() ? tr("titles differ")
                                  : tr("titles alike: %1").arg(checks.sameTitles.size()),
      firstOnes(checks.sameTitles));
  set(kFits, checks.tooHighMm <= 0 && offers.narrowMm <= 0,
      checks.tooHighMm > 0 ? tr("%1 mm too high").arg(locale.toString(std::ceil(checks.tooHighMm), 'f', 0))
      : offers.narrowMm > 0
          ? tr("columns of %1 mm are too narrow").arg(locale.toString(offers.narrowMm, 'f', 0))
          : tr("fits the page"),
      tr("A page of a paper leaves %1 mm.").arg(locale.toString(checks.pageMm)));
  set(kData, empty.isEmpty(),
      empty.isEmpty() ? tr("every panel has data") : tr("panels without data: %1").arg(empty.size()),
      firstOnes(empty));
  m_compute->setVisible(offers.compute);
  m_dashes->setVisible(offers.dashes);
  m_fit->setVisible(offers.fit);
  setAccessibleName(tr("Checks of the page"));
  setAccessibleDescription(text());
}

QString CheckStrip::text() const {
  QStringList texts;
  for (const Item& item : m_items) texts.append(item.label->text());
  return texts.join(QStringLiteral(" · "));
}

}  // namespace fathom
