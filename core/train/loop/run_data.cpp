// SPDX-License-Identifier: Apache-2.0
#include "core/train/loop/run_data.h"

#include <string>

#include "core/base/errors/error_key.h"
#include "core/base/files/atomic_file.h"
#include "core/base/json/json_text.h"

namespace fathom {

Status completeProvenance(const RunFolder& folder, const Json& provenance) {
  const std::string path = folder.identityPath();
  FATHOM_TRY(Json json, readJsonFile(path));
  if (json.contains("provenance") && !json["provenance"].value("data", Json::array()).empty()) return {};
  json["provenance"] = provenance;
  return writeFileAtomically(path, jsonText(json, 2) + "\n");
}

Status checkSameData(const Json& before, const Json& now) {
  for (const Json& hash : now) {
    for (const Json& old : before) {
      if (old.at("role") != hash.at("role") || old.at("sha256") == hash.at("sha256")) continue;
      return aboutFile(hash.at("path").get<std::string>(),
                       dataError(Phrase::tr("the data of the run have changed: role %1, %2")(
                                     hash.at("role").get<std::string>(), hash.at("path").get<std::string>()),
                                 Phrase::tr("restore the file, or start a new run")));
    }
  }
  return {};
}

}  // namespace fathom
