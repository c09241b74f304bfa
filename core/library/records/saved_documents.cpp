// SPDX-License-Identifier: Apache-2.0
#include "core/library/records/saved_documents.h"

#include "core/base/text/edit_distance.h"

namespace fathom {

Status checkDocument(const Json& json, const Phrase& what, int newestFormat) {
  if (!json.is_object()) return dataError(Phrase::tr("a %1 must be a JSON object")(what));
  const auto format = json.find("format");
  if (format == json.end() || !format->is_number_integer())
    return dataError(Phrase::tr("a %1 needs the member \"format\"")(what));
  if (format->get<std::int64_t>() > newestFormat)
    return dataError(Phrase::tr("the %1 has a newer format")(what),
                     Phrase::tr("open it with a newer Fathom"));
  return {};
}

Error noSuchDocument(const ProjectLibrary& library, const Phrase& what, const std::string& wanted,
                     const std::vector<std::string>& names) {
  const std::string near = nearestSpelling(wanted, names);
  return unavailableError(Phrase::tr("there is no %1 \"%2\" in %3")(what, wanted, library.path()),
                          near.empty() ? Phrase() : Phrase::tr("did you mean \"%1\"?")(near));
}

}  // namespace fathom
