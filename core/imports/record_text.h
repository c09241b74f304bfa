// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json/json.h"

namespace fathom {

// Names of files, tags and runs as they stand in the record of a source: one that is no UTF-8 would come back
// as another name, and what it belongs to would be read twice. So it is written as its bytes.
std::string recordText(std::string_view name);
std::string ofRecord(std::string_view text);
// The same of a list of them.
Json recordTexts(const std::vector<std::string>& names);
std::vector<std::string> ofRecordTexts(const Json& texts);
// And of texts by name.
Json recordPairs(const std::map<std::string, std::string>& pairs);
std::map<std::string, std::string> ofRecordPairs(const Json& json);

}  // namespace fathom
