// SPDX-License-Identifier: Apache-2.0
#include "core/library/saved_documents.h"

#include "core/base/edit_distance.h"

namespace fathom {

Status checkDocument(const Json& json, const std::string& what, int newestFormat) {
  if (!json.is_object()) return dataError("a " + what + " must be a JSON object");
  const auto format = json.find("format");
  if (format == json.end() || !format->is_number_integer())
    return dataError("a " + what + " needs the member \"format\"");
  if (format->get<std::int64_t>() > newestFormat)
    return dataError("the " + what + " has a newer format", "open it with a newer Fathom");
  return {};
}

Error noSuchDocument(const ProjectLibrary& library, const std::string& what, const std::string& wanted,
                     const std::vector<std::string>& names) {
  const std::string near = nearestSpelling(wanted, names);
  return usageError("there is no " + what + " \"" + wanted + "\" in " + library.path(),
                    near.empty() ? "" : "did you mean \"" + near + "\"?");
}

}  // namespace fathom
