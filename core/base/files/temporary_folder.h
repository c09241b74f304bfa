// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fathom {

// A new folder of ours alone that goes with this object. Throws Failure (disk error).
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return m_path; }

 private:
  std::string m_path;
};

}  // namespace fathom
