// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/attention/run_arrangement.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QSignalBlocker>
#include <QToolButton>

#include "views/look/theme.h"
#include "views/panels/widgets/boxes.h"

namespace fathom {

namespace {
constexpr int kNameCharacters = 18;
}

RunArrangement::RunArrangement(QWidget* parent)
    : QWidget(parent),
      m_one(new QToolButton(this)),
      m_beside(new QToolButton(this)),
      m_run(new QComboBox(this)) {
  auto* either = new QButtonGroup(this);
  m_one->setText(tr("One run large"));
  m_one->setToolTip(tr("One of the chosen runs as large as the page"));
  m_beside->setText(tr("Side by side"));
  m_beside->setToolTip(tr("All chosen runs beside each other, on one scale"));
  for (QToolButton* each : {m_one, m_beside}) {
    each->setCheckable(true);
    each->setFocusPolicy(Qt::StrongFocus);
    each->setProperty("choice", true);
    either->addButton(each);
  }
  m_beside->setChecked(true);
  m_run->setAccessibleName(tr("Run that is shown large"));
  m_run->setToolTip(m_run->accessibleName());
  m_run->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  m_run->setMinimumContentsLength(kNameCharacters);
  makeRow(this, {m_one, m_beside, m_run, BoxPart::stretch(1)}, metrics::kGrid);
  connect(either, &QButtonGroup::buttonClicked, this, [this] {
    follow();
    Q_EMIT changed();
  });
  connect(m_run, &QComboBox::activated, this, &RunArrangement::changed);
  hide();
}

void RunArrangement::follow() {
  m_run->setVisible(m_one->isChecked());
}

void RunArrangement::setRuns(const QStringList& ids, const QStringList& names) {
  const QString large = m_run->currentData().toString();
  {
    const QSignalBlocker quiet(m_run);
    m_run->clear();
    for (qsizetype i = 0; i < ids.size(); ++i) m_run->addItem(names.value(i), ids[i]);
    m_run->setCurrentIndex(qMax(0, m_run->findData(large)));
  }
  follow();
  setVisible(ids.size() > 1);
}

bool RunArrangement::oneLarge() const {
  return m_one->isChecked();
}

QString RunArrangement::onlyRun() const {
  return oneLarge() && m_run->count() > 1 ? m_run->currentData().toString() : QString();
}

void RunArrangement::setOneLarge(bool one) {
  (one ? m_one : m_beside)->setChecked(true);
  follow();
}

}  // namespace fathom
