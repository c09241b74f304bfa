// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace fathom {

// Other words under which people look for an action of the window, in English and Chinese whatever language
// is shown, and titles of the shell's commands that it does; empty where its own title says it all. `id` is
// the action's object name.
QString commandWords(const QString& id);

}  // namespace fathom
