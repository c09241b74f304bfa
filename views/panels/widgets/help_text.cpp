// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/widgets/help_text.h"

#include <QImage>
#include <QUrl>
#include <QVariant>

namespace fathom {

HelpText::HelpText(QWidget* parent) : QTextBrowser(parent) {
  setFrameShape(QFrame::NoFrame);
  setOpenLinks(false);
}

// Something, so that Qt does not look for the file itself; a picture is no style sheet, so that is empty too.
QVariant HelpText::loadResource(int, const QUrl&) {
  QImage picture(1, 1, QImage::Format_ARGB32_Premultiplied);
  picture.fill(Qt::transparent);
  return picture;
}

}  // namespace fathom
