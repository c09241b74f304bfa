// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/errors/review_page.h"

namespace fathom {

class OpenPage;

// Answers what a page that opens predictions asks for, as long as it lives: files are chosen in dialogs,
// columns of prediction files are read in jobs of `owner`, and what lies beside a gold file is found.
void answerOpenPage(OpenPage* page, const ReviewPageParts& parts, const QString& owner);

}  // namespace fathom
