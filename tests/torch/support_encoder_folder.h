// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTemporaryDir>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/nn/models/bert.h"
#include "core/nn/pretrained/encoder_folder.h"

namespace fathom::fixtures {

// Folder of a case in area encoders by the last part of its name, "" when it is not there.
std::string folderOf(const std::string& name);
std::unique_ptr<Bert> modelFrom(const EncoderWeights& weights, torch::ScalarType type,
                                const std::vector<std::string>& more = {});
std::int64_t layersOf(const std::string& folder);
// A copy of the folder with only the wanted weights file, under the name the importer looks for.
std::string folderWith(const QTemporaryDir& place, const std::string& from, const std::string& file,
                       const std::string& name);

}  // namespace fathom::fixtures
