// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/errors/phrase.h"
#include "core/base/errors/result.h"
#include "core/base/json/json.h"

namespace fathom {

// A folder that somebody pointed at, or a file in it, looked at once: names, and beginnings of files when a
// kind of data set asks for them. Nothing but names and beginnings is read.
class DataPlace {
 public:
  explicit DataPlace(const std::string& path);
  const std::string& folder() const { return m_folder; }
  // Name of the file that was pointed at; "" for the folder itself.
  const std::string& chosen() const { return m_chosen; }
  // Names of the files in the folder, sorted; of folders that hold very many the first ones.
  const std::vector<std::string>& names() const { return m_names; }
  // Path of the first of these files that is there, packed (.gz, .zst) or not; "" where none is.
  std::string file(std::initializer_list<std::string_view> names) const;
  // Path of the first of these folders that is there; "" where none is.
  std::string subfolder(std::initializer_list<std::string_view> names) const;
  // The first bytes of a file, unpacked; "" of what cannot be read.
  static std::string beginning(const std::string& path);
  // False where a file was pointed at that is none of `paths`.
  bool pointsInto(const std::vector<std::string>& paths) const;

 private:
  std::string m_folder, m_chosen;
  std::vector<std::string> m_names;
};

// Stands in MissingData for whichever option of the model names pre-trained weights.
inline constexpr const char* kWeightsOfEncoder = "weights";

// A file that a data set lacks: the option that would name it, what it is, where to get it.
struct MissingData {
  std::string key;
  Phrase what, get;
  bool needed = true;  // false: training goes without it
};

// The files of a data set that were found, as options of its task.
struct FoundDataSet {
  std::string kind;               // id of the DataSetKind
  std::string folder;             // that the files lie in
  Json options = Json::object();  // besides "task"
  std::vector<MissingData> missing;
  int files = 0;  // that are named in the options
  // Options that name the vocabulary of a pre-trained encoder and how its pieces are cut; "" for none.
  std::string vocabulary;
  // Names a file of the data set, or says what is missing of it.
  void take(const std::string& key, const std::string& path, MissingData otherwise);
  // Names it where it is there.
  void take(const std::string& key, const std::string& path);
};

// An entry of data_sets.list: a published form of data, told by the names and the beginnings of its files.
struct DataSetKind {
  std::string id, title;  // "spider", "Spider"
  std::string task;       // that reads it
  std::string preset;     // to start from where nothing else of the task was chosen
  Phrase source;          // where to get it
  // Empty where the place holds none.
  std::optional<FoundDataSet> (*find)(const DataPlace& place) = nullptr;
};

const std::vector<DataSetKind>& dataSetKinds();  // generated from data_sets.list
const DataSetKind* findDataSetKind(std::string_view id);

// The data set at `path`: a folder, a file of it, or a folder in which a single sub-folder holds one. Of
// several kinds the one that `task` reads, else the first. A vocabulary of an encoder, or an imported encoder
// with it (core/nn/pretrained), is looked for in the folder, in its sub-folders and beside it. Nothing where
// no kind knows it. May wait for a disk; any thread.
std::optional<FoundDataSet> findDataSet(const std::string& path, std::string_view task = {});

}  // namespace fathom
