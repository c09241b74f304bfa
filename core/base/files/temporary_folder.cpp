// SPDX-License-Identifier: Apache-2.0
#include "core/base/files/temporary_folder.h"

#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "core/base/errors/result.h"

namespace fathom {

TemporaryFolder::TemporaryFolder() {
  std::error_code code;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(code);
  if (code) throw Failure(systemError(Phrase::tr("cannot use the temporary folder"), "TMPDIR", code.value()));
  std::string pattern = folder.string() + "/fathom-XXXXXX";
  if (::mkdtemp(pattern.data()) == nullptr)
    throw Failure(systemError(Phrase::tr("cannot create"), pattern, errno));
  m_path = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(m_path, ignored);
}

}  // namespace fathom
