// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>
#include <vector>

#include "core/spider/judgement/reason_phrase.h"

namespace fathom {

// What the categoriser says, in the language of the window; SQL, names and messages of parsers stay.
QString reasonText(const ReasonPhrase& words);
// "invalid", "table/JOIN", …: the sub-type of a category. Rules ("F6") stay.
QString subTypeText(const std::string& subType);
// "sketch", "column", …: the kind of a reason.
QString reasonKindText(const std::string& kind);
// Every text that the categoriser can say, as translators see it.
const std::vector<const char*>& reasonTexts();

}  // namespace fathom
