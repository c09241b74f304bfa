// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fathom {

// A named stretch of work for whoever watches a device: NVTX's range where a library of NVTX is loaded, else
// nothing. Ranges of a thread are nested.
class RangeMark {
 public:
  explicit RangeMark(const std::string& name);
  ~RangeMark();
  RangeMark(const RangeMark&) = delete;
  RangeMark& operator=(const RangeMark&) = delete;
};

}  // namespace fathom
