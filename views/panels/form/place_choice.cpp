// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/form/place_choice.h"

#include <QComboBox>
#include <QEvent>
#include <QLabel>
#include <QLineEdit>

#include "views/look/theme.h"
#include "views/panels/form/tick_button.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"

namespace fathom {

namespace {

constexpr int kPlaceCharacters = 32;

}  // namespace

QString placeName(const PlaceView& place) {
  return place.id == QLatin1String("local") ? PlaceChoice::tr("This machine") : place.id;
}

QString placeFacts(const PlaceView& place) {
  QStringList facts;
  if (!place.here) facts.append(place.launcher);
  if (place.most > 0) facts.append(PlaceChoice::tr("%1 at once").arg(place.most));
  if (place.running > 0) facts.append(PlaceChoice::tr("%1 running").arg(place.running));
  if (place.waiting > 0) facts.append(PlaceChoice::tr("%1 waiting").arg(place.waiting));
  return facts.join(PlaceChoice::tr(", "));
}

PlaceChoice::PlaceChoice(QWidget* parent)
    : QWidget(parent),
      m_one(narrowChoice(this, tr("Run on"), kPlaceCharacters)),
      m_several(new QLineEdit(this)),
      m_ticks(new TickButton(m_several, this)),
      m_title(new QLabel(tr("Run on"), this)),
      m_said(wrappedLabel(this, QStringLiteral("placeSaid"))) {
  m_one->setObjectName(QStringLiteral("runOn"));
  m_one->setToolTip(tr("The machine, cluster or host that trains the run"));
  m_several->setObjectName(QStringLiteral("runOnSeveral"));
  m_several->setAccessibleName(tr("Run on these places"));
  m_several->setToolTip(
      tr("Places with commas between them share the runs: those with a free slot take one in turn, then the "
         "least loaded ones"));
  m_several->setFixedWidth(kPlaceCharacters * fontMetrics().averageCharWidth());
  m_ticks->setObjectName(QStringLiteral("tickPlaces"));
  m_ticks->setToolTip(tr("Tick the places"));
  m_ticks->setAccessibleName(m_ticks->toolTip());
  makeRow(this, {m_title, m_one, m_several, m_ticks, {m_said, 1}}, metrics::kMargin,
          {metrics::kMargin, 0, metrics::kMargin, 0});
  setTabOrders({m_one, m_several, m_ticks});
  connect(m_one, &QComboBox::currentIndexChanged, this, [this](int index) {
    if (m_filling || index < 0) return;
    m_wanted.one = m_one->itemData(index).toString();
    say();
    Q_EMIT changed();
  });
  connect(m_several, &QLineEdit::textChanged, this, [this](const QString& text) {
    if (m_filling) return;
    m_wanted.several = written(text, false);
    say();
    Q_EMIT changed();
  });
  setPlaces({});
  setSeveral(false);
}

void PlaceChoice::setPlaces(const QVector<PlaceView>& places, const QString& problem) {
  m_places = places;
  m_problem = problem;
  if (m_places.isEmpty() || !m_places.first().here) {
    PlaceView machine;
    machine.id = QStringLiteral("local");
    machine.here = true;
    m_places.prepend(machine);
  }
  fill();
}

// The choice stays the wish while its place is not there.
void PlaceChoice::fill() {
  m_filling = true;
  m_one->clear();
  QStringList names, tips;
  for (const PlaceView& place : m_places) {
    names.append(placeName(place));
    tips.append(place.trouble.isEmpty() ? placeFacts(place) : place.trouble);
    m_one->addItem(names.last(), place.id);
    m_one->setItemData(m_one->count() - 1, tips.last(), Qt::ToolTipRole);
  }
  const PlaceView* one = find(m_wanted.one);
  m_one->setCurrentIndex(one != nullptr ? m_one->findData(one->id) : 0);
  if (m_wanted.several.isEmpty())
    m_several->setText(names.first());
  else if (written(m_several->text(), false) != m_wanted.several)
    m_several->setText(written(m_wanted.several, true));
  const bool open = m_ticks->list() != nullptr;
  if (!open)
    m_ticks->setChoices(names, tips, [this] {
      QStringList ticked;
      for (const QString& word : words())
        if (const PlaceView* place = find(word)) ticked.append(placeName(*place));
      return ticked;
    });
  m_ticks->setVisible(m_many);
  m_filling = false;
  say();
  Q_EMIT changed();
}

void PlaceChoice::setSeveral(bool several) {
  m_many = several;
  m_one->setVisible(!several);
  m_several->setVisible(several);
  m_ticks->setVisible(several);
  m_title->setBuddy(several ? static_cast<QWidget*>(m_several) : m_one);
  say();
  Q_EMIT changed();
}

const PlaceView* PlaceChoice::find(const QString& word) const {
  for (const PlaceView& place : m_places)
    if (place.id == word || placeName(place).compare(word, Qt::CaseInsensitive) == 0) return &place;
  return nullptr;
}

// The places of a line by their names, or by their ids, which are the same in every language.
QString PlaceChoice::written(const QString& text, bool names) const {
  QStringList words;
  for (const QString& word : text.split(QLatin1Char(','))) {
    const PlaceView* place = find(word.trimmed());
    words.append(place == nullptr ? word.trimmed() : names ? placeName(*place) : place->id);
  }
  return words.join(QStringLiteral(", "));
}

QStringList PlaceChoice::words() const {
  if (!m_many) return {m_one->currentData().toString()};
  QStringList words;
  for (const QString& word : m_several->text().split(QLatin1Char(','), Qt::SkipEmptyParts))
    if (!word.trimmed().isEmpty()) words.append(word.trimmed());
  return words;
}

QStringList PlaceChoice::chosen() const {
  QStringList ids;
  for (const QString& word : words())
    if (const PlaceView* place = find(word); place != nullptr && !ids.contains(place->id))
      ids.append(place->id);
  return ids.isEmpty() ? QStringList{m_places.first().id} : ids;
}

bool PlaceChoice::here() const {
  const QStringList ids = chosen();
  return std::any_of(m_places.cbegin(), m_places.cend(),
                     [&](const PlaceView& place) { return place.here && ids.contains(place.id); });
}

QString PlaceChoice::trouble() const {
  for (const QString& word : words()) {
    const PlaceView* place = find(word);
    if (place == nullptr) return tr("There is no place “%1”.").arg(word);
    if (!place->trouble.isEmpty()) return tr("%1: %2").arg(placeName(*place), place->trouble);
  }
  return {};
}

QString PlaceChoice::remedy() const {
  for (const QString& word : words()) {
    const PlaceView* place = find(word);
    if (place == nullptr) {
      QStringList names;
      for (const PlaceView& each : m_places) names.append(placeName(each));
      return tr("There are: %1").arg(names.join(tr(", ")));
    }
    if (!place->trouble.isEmpty()) return place->remedy;
  }
  return {};
}

void PlaceChoice::focusChoice() {
  (m_many ? static_cast<QWidget*>(m_several) : m_one)->setFocus(Qt::OtherFocusReason);
}

void PlaceChoice::setWanted(const Wanted& wanted) {
  m_wanted = wanted;
  fill();
}

void PlaceChoice::setShares(const QString& text) {
  if (m_shares == text) return;
  m_shares = text;
  say();
}

void PlaceChoice::say() {
  const QString wrong = trouble();
  const Theme& theme = Theme::of(palette());
  QStringList lines;
  if (!wrong.isEmpty()) {
    lines = {wrong, remedy()};
  } else if (!m_many && !m_wanted.one.isEmpty() && find(m_wanted.one) == nullptr) {
    lines = {tr("The place “%1” is not there: this machine.").arg(m_wanted.one)};
  } else if (m_many && !m_shares.isEmpty()) {
    lines = {m_shares};
  } else if (const PlaceView* place = find(chosen().first())) {
    lines = {placeFacts(*place)};
  }
  if (!m_problem.isEmpty()) lines.append(m_problem);
  lines.removeAll(QString());
  m_said->setText(lines.join(QLatin1Char(' ')));
  setTextColour(m_said, wrong.isEmpty() && m_problem.isEmpty() ? theme.secondary : theme.failed);
}

void PlaceChoice::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) say();
}

}  // namespace fathom
