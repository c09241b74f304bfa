// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/encoder_beside.h"

#include <algorithm>
#include <vector>

#include "core/base/files/path_facts.h"
#include "core/base/json/json.h"
#include "core/base/json/json_members.h"
#include "core/tasks/data_set.h"

namespace fathom {

namespace {

constexpr std::size_t kMostPlaces = 200;
constexpr std::uintmax_t kMostConfigBytes = std::uintmax_t{1} << 20;
constexpr const char* kVocabularyEnd = ".file";

// The folder, its sub-folders, and the folders beside it.
std::vector<std::string> placesAround(const std::string& folder) {
  std::vector<std::string> places = {folder};
  const std::string parent = folder.substr(0, std::max<std::size_t>(folder.rfind('/'), 1));
  for (const std::string& over : {folder, parent}) {
    std::vector<std::string> names;
    for (const auto& entry : listFolder(over)) {
      if (names.size() >= kMostPlaces) break;
      if (entry.path().string() != folder && folderExists(entry.path().string()))
        names.push_back(entry.path().string());
    }
    std::sort(names.begin(), names.end());
    places.insert(places.end(), names.begin(), names.end());
  }
  return places;
}

// The options of an encoder that `fathom-engine import-encoder` wrote; null for any other folder.
Json importedOptions(const std::string& folder) {
  const std::string file = folder + "/config.json";
  if (!fileExists(file) || fileBytes(file) > kMostConfigBytes || !fileExists(folder + "/model.safetensors"))
    return {};
  const auto json = readJsonFile(file);
  if (!json.ok() || !json->is_object()) return {};
  const Json options = memberObject(*json, "options");
  for (const auto& [key, value] : options.items())
    if (key.starts_with("model.") && key.ends_with(".weights") && value.is_string()) return options;
  return {};
}

// The build of the encoder, and the way it reads. It may have been imported for another task or model: what
// that one is, and its head, stay behind, and its vocabulary gets the names of this one's options.
void takeImported(const Json& options, FoundDataSet& found) {
  constexpr std::string_view kVocabulary = ".vocabulary.";
  for (const auto& [name, value] : options.items()) {
    if (name == "task" || name == "model" || name.ends_with(".head")) continue;
    const std::size_t at = name.find(kVocabulary);
    const std::string key =
        at == std::string::npos ? name : found.vocabulary + "." + name.substr(at + kVocabulary.size());
    found.options[key] = value;
  }
  ++found.files;
}

// A list of word pieces, one a line, with BERT's marks among the first.
bool isWordPieces(const std::string& file) {
  const std::string text = DataPlace::beginning(file);
  return text.starts_with("[PAD]\n") && text.find("\n[UNK]\n") != std::string::npos &&
         text.find("\n[CLS]\n") != std::string::npos;
}

std::string wordPiecesIn(const std::string& folder) {
  const DataPlace place(folder);
  for (const std::string& name : place.names())
    if (name.find("vocab") != std::string::npos && name.ends_with(".txt") &&
        isWordPieces(folder + "/" + name))
      return folder + "/" + name;
  return {};
}

}  // namespace

void takeEncoderBeside(const std::string& folder, FoundDataSet& found) {
  const std::vector<std::string> places = placesAround(folder);
  const std::string key = found.vocabulary + kVocabularyEnd;
  for (const std::string& place : places) {
    const Json options = importedOptions(place);
    if (!options.is_object()) continue;
    takeImported(options, found);
    if (found.options.contains(key)) return;
  }
  for (const std::string& place : places) {
    const std::string file = wordPiecesIn(place);
    if (file.empty()) continue;
    found.take(key, file);
    found.options[found.vocabulary + ".kind"] = "wordpiece";
    // BERT's cased and uncased lists differ in names only by these words.
    if (file.find("uncased") != std::string::npos) found.options[found.vocabulary + ".lower_case"] = true;
    found.missing.push_back(
        {kWeightsOfEncoder,
         Phrase::tr("Pre-trained weights of the encoder: without them it starts from nothing"),
         Phrase::tr("import-encoder of the engine makes such a folder of one from Hugging Face"), false});
    return;
  }
  found.missing.push_back(
      {key, Phrase::tr("The encoder's vocabulary (vocab.txt of BERT)"),
       Phrase::tr("it comes with every BERT of Hugging Face; import-encoder of the engine imports weights "
                  "and vocabulary together")});
}

}  // namespace fathom
