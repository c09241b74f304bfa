// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/base/lines/line_reader.h"

namespace fathom {

// A line of a data file that is no text, as an error of the file; nothing where it is one. The hint names the
// options that let it pass ("data.max_line_bytes", "data.bad_lines").
std::optional<Error> lineError(const LineReader& reader, const LineReader::Line& line);

// A line of free input with more cells than `most`: what stands behind a TAB too many belongs nowhere.
Status checkCells(std::string_view line, std::int64_t most, std::int64_t number);

}  // namespace fathom
