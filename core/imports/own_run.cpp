// SPDX-License-Identifier: Apache-2.0
// A run folder of ours, or an archive of one: copied as it is (run_import.cpp).
#include "core/imports/import_entry.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

namespace {

// The magic of a tar file stands in its first header.
constexpr std::size_t kTarMagicAt = 257;

Claim ownClaim(const SourceLook& look) {
  const bool own = look.folder ? RunFolder(look.path).exists()
                               : look.head.size() > 262 && look.head.compare(kTarMagicAt, 5, "ustar") == 0;
  return own ? Claim::Yes : Claim::No;
}

}  // namespace

ImportEntry ownRunEntry() {
  return {.id = "run", .title = "Run folder or archive", .claims = ownClaim, .open = nullptr};
}

}  // namespace fathom
