// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace fathom {

// Names of files, tags and runs as they stand in the record of a source: one that is no UTF-8 would come back
// as another name, and what it belongs to would be read twice. So it is written as its bytes.
std::string recordText(std::string_view name);
std::string ofRecord(std::string_view text);

}  // namespace fathom
