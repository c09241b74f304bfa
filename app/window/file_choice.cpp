// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/file_choice.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>

#include "app/window/session_keys.h"
#include "app/window/session_store.h"

namespace fathom {

QString FileChoice::start(FileKind kind) const {
  const QString folder = m_session->text(session::kFolders[static_cast<std::size_t>(kind)]);
  return QFileInfo(folder).isDir() ? folder : QString();
}

// A name goes into the folder of its kind; a path says itself where it lies.
QString FileChoice::startOf(FileKind kind, const QString& path) const {
  const QString folder = start(kind);
  if (folder.isEmpty() || path.contains(QLatin1Char('/'))) return path;
  return QDir(folder).filePath(path);
}

QString FileChoice::remember(FileKind kind, const QString& path) {
  if (!path.isEmpty())
    m_session->setText(session::kFolders[static_cast<std::size_t>(kind)], QFileInfo(path).absolutePath());
  return path;
}

QString FileChoice::toWrite(QWidget* over, FileKind kind, const QString& title, const QString& name,
                            const QString& filter) {
  return remember(kind, QFileDialog::getSaveFileName(over, title, startOf(kind, name), filter));
}

QString FileChoice::figureToWrite(QWidget* over, const QString& name, bool numbers, const QString& title) {
  QString filter = tr("Figures (*.pdf *.svg *.png *.tex)");
  if (numbers) filter += QStringLiteral(";;") + tr("Numbers (*.csv)");
  return toWrite(over, FileKind::Figure, title.isEmpty() ? tr("Export figure") : title, name, filter);
}

QString FileChoice::tableToWrite(QWidget* over, const QString& name) {
  return toWrite(over, FileKind::Table, tr("Export table"), name, tr("Tables (*.tex *.csv *.md)"));
}

QString FileChoice::toRead(QWidget* over, FileKind kind, const QString& title, const QString& before,
                           const QString& filter) {
  return remember(kind, QFileDialog::getOpenFileName(over, title, startOf(kind, before), filter));
}

QStringList FileChoice::severalToRead(QWidget* over, FileKind kind, const QString& title,
                                      const QString& filter) {
  const QStringList files = QFileDialog::getOpenFileNames(over, title, start(kind), filter);
  if (!files.isEmpty()) remember(kind, files.first());
  return files;
}

QString FileChoice::folder(QWidget* over, FileKind kind, const QString& title, const QString& before) {
  return remember(kind, QFileDialog::getExistingDirectory(over, title, startOf(kind, before)));
}

}  // namespace fathom
