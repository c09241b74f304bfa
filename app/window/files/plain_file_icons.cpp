// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/files/plain_file_icons.h"

#include <QApplication>
#include <QFileInfo>
#include <QStyle>

namespace fathom {

PlainFileIcons::PlainFileIcons()
    : m_folder(QApplication::style()->standardIcon(QStyle::SP_DirIcon)),
      m_file(QApplication::style()->standardIcon(QStyle::SP_FileIcon)),
      m_link(QApplication::style()->standardIcon(QStyle::SP_FileLinkIcon)),
      m_drive(QApplication::style()->standardIcon(QStyle::SP_DriveHDIcon)),
      m_folderWord(QCoreApplication::translate("FileChoice", "Folder")),
      m_fileWord(QCoreApplication::translate("FileChoice", "File")),
      m_otherWord(QCoreApplication::translate("FileChoice", "No file to read")) {}

QIcon PlainFileIcons::icon(IconType type) const {
  switch (type) {
    case Folder:
      return m_folder;
    case Computer:
    case Drive:
      return m_drive;
    default:
      return m_file;
  }
}

QIcon PlainFileIcons::icon(const QFileInfo& info) const {
  if (info.isRoot()) return m_drive;
  if (info.isDir()) return m_folder;
  return info.isSymLink() ? m_link : m_file;
}

// A pipe, a socket and a device are no files.
QString PlainFileIcons::type(const QFileInfo& info) const {
  if (info.isDir()) return m_folderWord;
  return info.isFile() ? m_fileWord : m_otherWord;
}

}  // namespace fathom
