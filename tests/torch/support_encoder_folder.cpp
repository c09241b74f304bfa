// SPDX-License-Identifier: Apache-2.0
#include "tests/torch/support_encoder_folder.h"

#include <filesystem>
#include <utility>

#include "core/tasks/task.h"
#include "tests/torch/support_tensors.h"

namespace fathom::fixtures {

namespace fs = std::filesystem;

std::string folderOf(const std::string& name) {
  for (const Case& one : cases("encoders")) {
    if (fs::path(one.name).filename() != name || one.files.empty()) continue;
    return fs::path(one.files.front()).parent_path().string();
  }
  return {};
}

std::unique_ptr<Bert> modelFrom(const EncoderWeights& weights, torch::ScalarType type,
                                const std::vector<std::string>& more) {
  OptionValues options = engineOptions();
  options.merge(weights.options, "test").value();
  for (const std::string& assignment : more) options.setText(assignment).value();
  const ModelInputs inputs{{"vocabulary", weights.vocabulary}, {"pad_id", weights.padId}};
  auto model =
      std::make_unique<Bert>(bertConfiguration(options, inputs), options, torch::TensorOptions(type));
  loadEncoderWeights(*model, weights).value();
  return model;
}

std::int64_t layersOf(const std::string& folder) {
  return readJson(folder + "/config.json").at("num_hidden_layers").get<std::int64_t>();
}

std::string folderWith(const QTemporaryDir& place, const std::string& from, const std::string& file,
                       const std::string& name) {
  const std::string folder =
      place.path().toStdString() + "/" + fs::path(from).filename().string() + "-" + file;
  fs::create_directories(folder);
  for (const auto& [source, target] :
       {std::pair(std::string("config.json"), std::string("config.json")), std::pair(file, name)}) {
    fs::remove(folder + "/" + target);  // fixtures are read-only, and so are their copies
    fs::copy_file(from + "/" + source, folder + "/" + target);
    fs::permissions(folder + "/" + target, fs::perms::owner_write, fs::perm_options::add);
  }
  return folder;
}

}  // namespace fathom::fixtures
