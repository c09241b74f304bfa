// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/imports/imported_run.h"

namespace fathom {

// Texts and histograms that a reader holds until it gives them: as many as a run keeps (kMaxImportedTexts),
// and no more memory at a time than is given to them (kMaxTextsAtATime).
class ImportedTexts {
 public:
  void keep(ImportedText text);
  // Those that nobody took yet.
  std::vector<ImportedText> take();
  bool empty() const { return m_pending.empty(); }
  // All that were kept, taken ones too, and those that were too many.
  std::int64_t kept() const { return m_kept; }
  std::int64_t leftOut() const { return m_leftOut; }
  // What it needs to go on in another process, and back; what nobody took yet comes along.
  Json state() const;
  void restore(const Json& state);
  void restoreCounts(std::int64_t kept, std::int64_t leftOut);

 private:
  std::vector<ImportedText> m_pending;
  std::int64_t m_kept = 0, m_leftOut = 0;
  std::size_t m_bytes = 0;  // of the pending ones
};

// What a run says of its texts: those of all its parts together.
void warnOfTexts(std::int64_t kept, std::int64_t leftOut, std::vector<Phrase>& warnings);

// ImportedText::histogram of two lists as numpy.histogram gives them; null where they are none of at most
// 10,000 buckets.
Json histogramOfLists(const Json& counts, const Json& edges);

}  // namespace fathom
