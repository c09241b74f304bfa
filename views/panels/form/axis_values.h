// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include "core/base/options/option_field.h"

namespace fathom {

// Values of an axis of a grid as they are typed and shown. GUI thread.

// More than this at once is a typing mistake rather than a plan.
inline constexpr int kMostRunsAtOnce = 1000;

// The choice somebody means by its title, in the language of the window or in English, or by its id; null for
// none.
const OptionChoice* choiceOf(const OptionField& field, const QString& text);
QString choiceTitle(const OptionChoice& choice);
// Parts between commas (semicolons for lists), ranges "1..5" spread; titles with commas inside are one value.
QStringList splitValues(const OptionField& field, const QString& text);
// The value that a part means; the error says what is allowed.
Result<Json> parseValue(const OptionField& field, const QString& text);
// What stands in an empty line: titles of choices, or an example.
QString possibleValues(const OptionField& field);
// Tool tip about a range, with the ids that the shell and files use.
QString valuesToolTip(const OptionField& field);

}  // namespace fathom
