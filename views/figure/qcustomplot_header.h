// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The library's header uses Qt's keywords `signals` and `foreach`, which QT_NO_KEYWORDS takes away everywhere
// else.
#define signals Q_SIGNALS
#define foreach Q_FOREACH
#include <qcustomplot.h>
#undef signals
#undef foreach
