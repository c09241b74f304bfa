// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/errors/missing_paths.h"

#include <QEvent>
#include <QLineEdit>
#include <QTreeWidget>

#include "views/look/theme.h"

namespace fathom {

namespace {

constexpr int kPathRestMilliseconds = 150;
constexpr const char* kTip = "own tip";

}  // namespace

MissingPaths::MissingPaths(QTreeWidget* files, int column)
    : QObject(files), m_files(files), m_column(column) {
  files->installEventFilter(this);
  m_rest.setSingleShot(true);
  m_rest.setInterval(kPathRestMilliseconds);
  connect(&m_rest, &QTimer::timeout, this, &MissingPaths::ask);
}

void MissingPaths::watch(QLineEdit* field) {
  m_fields.removeAll(nullptr);
  m_fields.append(field);
  field->setProperty(kTip, field->toolTip());
  connect(field, &QLineEdit::textChanged, this, &MissingPaths::askSoon);
}

void MissingPaths::askSoon() {
  m_rest.start();
}

// Out of view nobody asks; whoever comes to the form is told.
bool MissingPaths::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_files && event->type() == QEvent::Show) askSoon();
  return QObject::eventFilter(watched, event);
}

void MissingPaths::ask() {
  if (!m_files->isVisible()) return;
  QStringList paths;
  for (const QLineEdit* field : std::as_const(m_fields))
    if (field != nullptr && !field->text().trimmed().isEmpty()) paths.append(field->text().trimmed());
  for (int i = 0; i < m_files->topLevelItemCount(); ++i)
    paths.append(m_files->topLevelItem(i)->data(m_column, Qt::UserRole).toString());
  Q_EMIT asked(paths);
}

void MissingPaths::mark(QLineEdit* field, bool missing) {
  QPalette palette;  // as the window has it
  const Theme& theme = Theme::of(palette);
  if (missing) palette.setColor(QPalette::Text, theme.readable(theme.failed));
  field->setPalette(missing ? palette : QPalette());
  const QString said = missing ? tr("There is no file %1.").arg(field->text().trimmed()) : QString();
  field->setToolTip(missing ? said : field->property(kTip).toString());
  field->setAccessibleDescription(said);
  field->setProperty("missing", missing);
}

void MissingPaths::tell(const QStringList& missing) {
  QString first;
  for (QLineEdit* field : std::as_const(m_fields)) {
    if (field == nullptr) continue;
    const bool gone = missing.contains(field->text().trimmed());
    if (gone && first.isEmpty()) first = field->text().trimmed();
    if (gone != field->property("missing").toBool()) mark(field, gone);
  }
  const Theme& theme = Theme::of(QPalette());
  for (int i = 0; i < m_files->topLevelItemCount(); ++i) {
    QTreeWidgetItem* item = m_files->topLevelItem(i);
    const QString path = item->data(m_column, Qt::UserRole).toString();
    const bool gone = missing.contains(path);
    if (gone && first.isEmpty()) first = path;
    item->setForeground(m_column, gone ? QBrush(theme.readable(theme.failed)) : QBrush());
  }
  Q_EMIT told(first);
}

}  // namespace fathom
