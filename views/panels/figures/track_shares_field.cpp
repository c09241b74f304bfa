// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/figures/track_shares_field.h"

#include <QLocale>
#include <QRegularExpression>
#include <QToolTip>
#include <algorithm>
#include <optional>

#include "core/base/numbers/figure_limits.h"
#include "core/library/figures/figure_composition.h"

namespace fathom {

namespace {

// None: it is no list of numbers above 0.
std::optional<std::vector<double>> sharesIn(const QString& text) {
  static const QRegularExpression between(QStringLiteral("[\\s:;/]+"));
  std::vector<double> shares;
  for (const QString& word : text.split(between, Qt::SkipEmptyParts)) {
    bool ok = false;
    double share = QLocale().toDouble(word, &ok);
    if (!ok) share = QLocale::c().toDouble(word, &ok);
    if (!ok || !(share > 0) || share > kLargestFigureMm) return std::nullopt;
    shares.push_back(share);
  }
  if (shares.size() > std::size_t(FigureComposition::kMostTracks)) return std::nullopt;
  return shares;
}

}  // namespace

TrackSharesField::TrackSharesField(const QString& unset, const QString& accessibleName, QWidget* parent)
    : QLineEdit(parent),
      m_help(tr("Numbers between colons, as 60 : 40: parts of the page; empty: nobody has set them")) {
  setPlaceholderText(unset);
  setAccessibleName(accessibleName);
  setToolTip(m_help);
  connect(this, &QLineEdit::editingFinished, this, &TrackSharesField::take);
}

void TrackSharesField::setShares(const std::vector<double>& shares, int tracks) {
  QStringList words;
  for (std::size_t i = 0; i < std::min(shares.size(), std::size_t(tracks)); ++i)
    words.append(QLocale().toString(shares[i], 'g', 4));
  const QString text = words.join(QStringLiteral(" : "));
  if (m_shown == text && hasFocus()) return;
  m_shown = text;
  setText(text);
}

void TrackSharesField::take() {
  if (text() == m_shown) return;
  const auto shares = sharesIn(text());
  if (!shares) {
    QToolTip::showText(mapToGlobal(QPoint(0, height())),
                       tr("“%1” is no list of numbers above 0. %2").arg(text(), m_help), this);
    setText(m_shown);
    return;
  }
  m_shown = text();
  Q_EMIT edited(*shares);
}

}  // namespace fathom
