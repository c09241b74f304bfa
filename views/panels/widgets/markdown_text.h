// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "views/look/qt_names.h"

namespace fathom {

// Sets Markdown in the type sizes of the window, which are not those of a web page: the title of a page 1.3
// times the body, every other heading as large as the body; all semibold. `body` is the font of the widget.
void setMarkdownText(QTextDocument* document, const QString& markdown, const QFont& body);

}  // namespace fathom
