// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/files/written_file.h"

#include <QDesktopServices>
#include <QFileInfo>
#include <QUrl>

#include "views/panels/widgets/message_bar.h"

namespace fathom {

namespace {

const QString kOpeningFile = QStringLiteral("open written file");

}  // namespace

QString WrittenFile::openWord() {
  return tr("Open");
}

QString WrittenFile::folderWord() {
  return tr("Show in folder");
}

void WrittenFile::tell(MessageBar* messages, const QString& text, const QString& file) {
  const auto doing = [messages, file](QString (*what)(const QString&)) {
    return [messages, file, what] {
      messages->closeErrors(kOpeningFile);
      if (const QString why = what(file); !why.isEmpty()) messages->showError(why, file, kOpeningFile);
    };
  };
  messages->showFileNote(
      text, {{openWord(), doing(&WrittenFile::open)}, {folderWord(), doing(&WrittenFile::showInFolder)}});
}

QString WrittenFile::open(const QString& file) {
  if (!QFileInfo::exists(file)) return tr("%1 is not there any more.").arg(QFileInfo(file).fileName());
  if (QDesktopServices::openUrl(QUrl::fromLocalFile(file))) return {};
  return tr("No program of this desktop opens %1.").arg(QFileInfo(file).fileName());
}

QString WrittenFile::showInFolder(const QString& file) {
  const QString folder = QFileInfo(file).absolutePath();
  if (!QFileInfo::exists(folder)) return tr("%1 is not there any more.").arg(folder);
  if (QDesktopServices::openUrl(QUrl::fromLocalFile(folder))) return {};
  return tr("No program of this desktop opens folders.");
}

}  // namespace fathom
