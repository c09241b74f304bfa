// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/errors/phrase.h"
#include "core/library/records/project_library.h"

namespace fathom {

// Common part of all kinds of named documents of a project: figures, compositions, reviews.

// A data error, in the words of `what` ("review"), for what is no object, has no "format" or a newer one.
Status checkDocument(const Json& json, const Phrase& what, int newestFormat);

// Documents of a kind that can be read, by name; the others are left out.
template <typename Document>
Result<std::vector<Document>> readableDocuments(ProjectLibrary& library, const std::string& kind,
                                                Result<Document> (*read)(const Json& json)) {
  FATHOM_TRY(const auto documents, library.documents(kind));
  std::vector<Document> all;
  for (const SavedDocument& document : documents)
    if (auto made = read(document.content); made.ok()) all.push_back(std::move(*made));
  return all;
}

// Usage error that suggests the nearest of `names`.
Error noSuchDocument(const ProjectLibrary& library, const Phrase& what, const std::string& wanted,
                     const std::vector<std::string>& names);

}  // namespace fathom
