// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/files/file_choice.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileInfo>
#include <QPushButton>
#include <QRegularExpression>
#include <QStandardPaths>

#include "app/window/files/plain_file_icons.h"
#include "app/window/session/session_keys.h"
#include "app/window/session/session_store.h"

namespace fathom {

namespace {

// The nearest folder that is there: of a file its own, of a folder itself.
QString folderBeside(const QString& path) {
  QFileInfo at(path);
  if (!at.isDir()) at.setFile(at.absolutePath());
  return at.isDir() ? at.absoluteFilePath() : QString();
}

// A button that takes a folder where files are chosen; the desktop's own dialogs have no place for one.
void offerFolder(QFileDialog* dialog, QString* folder) {
  dialog->setOption(QFileDialog::DontUseNativeDialog);
  auto* buttons = dialog->findChild<QDialogButtonBox*>();
  if (buttons == nullptr) return;
  QPushButton* take = buttons->addButton(FileChoice::tr("This &folder"), QDialogButtonBox::ActionRole);
  take->setObjectName(QStringLiteral("takeFolder"));
  take->setAutoDefault(false);
  take->setToolTip(FileChoice::tr("The folder that is marked, or the one whose content is shown"));
  QObject::connect(take, &QPushButton::clicked, dialog, [dialog, folder] {
    const QString marked = dialog->selectedFiles().value(0);
    *folder = QFileInfo(marked).isDir() ? marked : dialog->directory().absolutePath();
    static_cast<QDialog*>(dialog)->done(QDialog::Accepted);
  });
}

}  // namespace

QString FileChoice::start(FileKind kind) const {
  const QString folder = m_session->text(session::kFolders[static_cast<std::size_t>(kind)]);
  if (QFileInfo(folder).isDir()) return folder;
  if (kind != FileKind::Project) return {};
  const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
  return QFileInfo(documents).isDir() ? documents : QDir::homePath();
}

QStringList FileChoice::ask(QWidget* over, FileKind kind, const Wish& wish) {
  PlainFileIcons icons;  // outlives the dialog, whose thread asks it
  QFileDialog dialog(over, wish.title);
  dialog.setIconProvider(&icons);
  dialog.setAcceptMode(wish.mode == QFileDialog::AnyFile ? QFileDialog::AcceptSave : QFileDialog::AcceptOpen);
  dialog.setFileMode(wish.mode);
  dialog.setOption(QFileDialog::ShowDirsOnly, wish.mode == QFileDialog::Directory);
  if (!wish.filter.isEmpty()) dialog.setNameFilter(wish.filter);
  // A path says itself where it lies; a name goes into the folder of its kind.
  const bool path = wish.before.contains(QLatin1Char('/'));
  const QString beside = path ? folderBeside(wish.before) : QString();
  const QString folder = beside.isEmpty() ? start(kind) : beside;
  dialog.setDirectory(folder.isEmpty() ? QDir::currentPath() : folder);
  const QString name = QFileInfo(wish.before).fileName();
  if (!name.isEmpty() && !QFileInfo(wish.before).isDir()) dialog.selectFile(name);
  QString chosenFolder;
  if (wish.folderToo) offerFolder(&dialog, &chosenFolder);
  if (dialog.exec() != QDialog::Accepted) return {};
  const QStringList chosen = chosenFolder.isEmpty() ? dialog.selectedFiles() : QStringList{chosenFolder};
  if (!chosen.isEmpty())
    m_session->setText(session::kFolders[static_cast<std::size_t>(kind)],
                       QFileInfo(chosen.first()).absolutePath());
  return chosen;
}

QString FileChoice::nameOf(const QString& words) {
  static const QRegularExpression other(QStringLiteral("[^\\p{L}\\p{N}._+-]+"));
  // File systems take 255 bytes, of which a letter has up to three (as UTF-16 counts); an ending has some,
  // and what a file is called while it is written.
  constexpr qsizetype kMostLetters = 60;
  QString name = words.simplified().replace(other, QStringLiteral("_"));
  if (name.size() > kMostLetters)
    name.truncate(kMostLetters - (name[kMostLetters - 1].isHighSurrogate() ? 1 : 0));
  // A dot hides a file, a dash makes it an option.
  static const QRegularExpression ends(QStringLiteral("^[._+-]+|[_.]+$"));
  name.remove(ends);
  return name.isEmpty() ? QStringLiteral("figure") : name;
}

QString FileChoice::toWrite(QWidget* over, FileKind kind, const QString& title, const QString& name,
                            const QString& filter) {
  return ask(over, kind, {title, name, filter, QFileDialog::AnyFile}).value(0);
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
  return ask(over, kind, {title, before, filter, QFileDialog::ExistingFile}).value(0);
}

QStringList FileChoice::severalToRead(QWidget* over, FileKind kind, const QString& title,
                                      const QString& filter, const QString& before) {
  return ask(over, kind, {title, before, filter, QFileDialog::ExistingFiles});
}

QStringList FileChoice::filesOrFolder(QWidget* over, FileKind kind, const QString& title) {
  return ask(over, kind, {title, {}, {}, QFileDialog::ExistingFiles, true});
}

QString FileChoice::folder(QWidget* over, FileKind kind, const QString& title, const QString& before) {
  return ask(over, kind, {title, before, {}, QFileDialog::Directory}).value(0);
}

}  // namespace fathom
