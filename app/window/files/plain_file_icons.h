// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractFileIconProvider>
#include <QIcon>

namespace fathom {

// Icons and kinds for file dialogs, from what the folder says of a file alone: no file is opened. Qt's own
// look into files for their kind, and reading a pipe, a device or a file of /proc may take for ever. Made in
// the GUI thread, asked in any.
class PlainFileIcons : public QAbstractFileIconProvider {
 public:
  PlainFileIcons();
  QIcon icon(IconType type) const override;
  QIcon icon(const QFileInfo& info) const override;
  QString type(const QFileInfo& info) const override;

 private:
  QIcon m_folder, m_file, m_link, m_drive;
  QString m_folderWord, m_fileWord, m_otherWord;
};

}  // namespace fathom
