// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/base/errors/result.h"
#include "core/record/formats/compressed_file.h"

namespace fathom {

struct LineLimits {
  std::size_t maxBytes = std::size_t{1} << 20;
  // A longer line is left out and counted; otherwise it is a data error.
  bool skipLonger = false;
  // A last line without its end is given; otherwise it is not, as its writer may still be at it.
  bool giveTorn = true;
};

// Lines of a text file that may be packed (PackedReader), in blocks: memory is that of one line. What a text
// has to be (UTF-8, no NUL) is asked by core/tasks/line_reader.h.
class LineSource {
 public:
  static Result<LineSource> open(const std::string& path, const LineLimits& limits = {});
  // The next line without its end; false when there is none.
  Result<bool> next(std::string& line);
  // Number of the line given last, from 1; lines that were left out count.
  std::int64_t number() const { return m_number; }
  std::int64_t leftOut() const { return m_leftOut; }

 private:
  LineSource() = default;
  Result<bool> fill();
  std::unique_ptr<PackedReader> m_in;
  std::string m_path, m_block;
  LineLimits m_limits;
  std::size_t m_at = 0, m_filled = 0;
  std::int64_t m_number = 0, m_leftOut = 0;
};

}  // namespace fathom
