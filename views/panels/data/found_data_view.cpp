// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/data/found_data_view.h"

#include <QEvent>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <utility>

#include "views/look/icons.h"
#include "views/look/theme.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"

namespace fathom {

FoundDataView::FoundDataView(QWidget* parent)
    : QWidget(parent),
      m_title(wrappedLabel(this, QStringLiteral("foundData"))),
      m_source(wrappedLabel(this, QStringLiteral("foundDataSource"))),
      m_close(flatButton(this, QStringLiteral("close"), tr("Close this; the files stay in the form"))),
      m_rows(new QWidget(this)) {
  setObjectName(QStringLiteral("foundDataView"));
  setAccessibleName(tr("The data set that was found"));
  m_source->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  m_close->setObjectName(QStringLiteral("closeFoundData"));
  makeColumn(m_rows, {}, 2);
  auto* head = makeRow({{m_title, 1}, {m_close, 0, Qt::AlignTop}}, metrics::kMargin);
  makeColumn(this, {head, m_rows, m_source}, metrics::kGrid, {metrics::kMargin, 0, metrics::kMargin, 0});
  connect(m_close, &QToolButton::clicked, this, &QWidget::hide);
  hide();
}

void FoundDataView::showFound(const QString& title, const QString& folder, int files,
                              const QVector<Missing>& missing, const QString& source) {
  clearLayout(m_rows->layout());
  m_lines.clear();
  m_title->setText(tr("%1 in %2: files that were filled in: %3.").arg(title, folder).arg(files));
  m_source->setText(source);
  for (const Missing& each : missing) addLine(each);
  refresh();
  colour();
  show();
}

// One line: the missing file, its source, and the way to name it.
void FoundDataView::addLine(const Missing& missing) {
  Line line{missing, new QWidget(m_rows), nullptr};
  line.icon = new QLabel(line.row);
  QLabel* words = wrappedLabel(line.row, QStringLiteral("missingData"));
  words->setText(missing.get.isEmpty() ? missing.what : tr("%1 — %2.").arg(missing.what, missing.get));
  if (missing.key.isEmpty()) {
    makeRow(line.row, {line.icon, {words, 1}}, metrics::kGrid);
  } else {
    auto* choose = new QPushButton(tr("Choose…"), line.row);
    choose->setObjectName(QStringLiteral("choose.") + missing.key);
    choose->setToolTip(tr("Choose the file or folder"));
    choose->setAccessibleName(tr("Choose: %1").arg(missing.what));
    makeRow(line.row, {line.icon, {words, 1}, choose}, metrics::kGrid);
    connect(choose, &QPushButton::clicked, this, [this, key = missing.key] { Q_EMIT chooseRequested(key); });
  }
  m_rows->layout()->addWidget(line.row);
  m_lines.append(line);
}

void FoundDataView::setFilled(const QString& key, bool filled) {
  for (Line& line : m_lines)
    if (line.missing.key == key) line.filled = filled;
  refresh();
}

QStringList FoundDataView::missingKeys() const {
  QStringList keys;
  for (const Line& line : m_lines)
    if (!line.filled) keys.append(line.missing.key);
  return keys;
}

void FoundDataView::refresh() {
  for (const Line& line : std::as_const(m_lines)) line.row->setVisible(!line.filled);
  const bool any = !missingKeys().isEmpty();
  m_rows->setVisible(any);
  m_source->setVisible(any && !m_source->text().isEmpty());
}

void FoundDataView::colour() {
  const Theme& theme = Theme::of(palette());
  if (!m_source->text().isEmpty()) setTextColour(m_source, theme.secondary);
  for (const Line& line : std::as_const(m_lines)) {
    const bool needed = line.missing.needed;
    line.icon->setPixmap(iconPixmap(needed ? QStringLiteral("error") : QStringLiteral("info"),
                                    needed ? theme.failed : theme.secondary, metrics::kIcon,
                                    devicePixelRatioF()));
    line.icon->setAccessibleName(needed ? tr("needed") : tr("not needed"));
  }
}

void FoundDataView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) colour();
}

}  // namespace fathom
