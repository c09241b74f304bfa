// SPDX-License-Identifier: Apache-2.0
#include "core/imports/sidecar.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "core/base/files/atomic_file.h"
#include "core/base/files/path_facts.h"
#include "core/base/json/json_members.h"
#include "core/imports/imported_options.h"

namespace fathom {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostSidecar = std::size_t{1} << 20;

struct Sidecar {
  std::string stamp;  // "" = there is none
  std::string name, group;
  Json options = Json::object(), tags = Json::array();
  std::vector<Phrase> faults;
  std::map<std::string, Sidecar> runs;  // by id
};

std::string stampOfSidecar(const std::string& file) {
  struct stat info {};
  if (::stat(file.c_str(), &info) != 0) return {};
  return std::to_string(info.st_ino) + ":" + std::to_string(info.st_size) + ":" +
         std::to_string(info.st_mtim.tv_sec) + "." + std::to_string(info.st_mtim.tv_nsec);
}

// The line that a member begins in, 0 where it is not found as it is written.
std::int64_t lineOf(const std::string& text, const std::string& member) {
  const std::size_t at = text.find(Json(member).dump());
  if (at == std::string::npos) return 0;
  return 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
}

bool allTexts(const Json& list) {
  return list.is_array() &&
         std::all_of(list.begin(), list.end(), [](const Json& item) { return item.is_string(); });
}

void takeMember(const std::string& key, const Json& value, const std::string& file, const std::string& text,
                Sidecar& sidecar);

// The facts of one run among several; what is wrong in them is told with the file.
void takeRun(const std::string& id, const Json& told, const std::string& file, const std::string& text,
             Sidecar& sidecar) {
  if (!told.is_object()) {
    sidecar.faults.push_back(
        dataErrorAt(file, lineOf(text, id), Phrase::tr("\"%1\" is no object")(plainText(id))).phrase());
    return;
  }
  Sidecar& run = sidecar.runs[id];
  for (const auto& [key, value] : told.items())
    if (key != "runs") takeMember(key, value, file, text, run);
  sidecar.faults.insert(sidecar.faults.end(), run.faults.begin(), run.faults.end());
}

// Takes what is right; what is wrong is named with its line.
void takeMember(const std::string& key, const Json& value, const std::string& file, const std::string& text,
                Sidecar& sidecar) {
  const auto fault = [&](const Phrase& words) {
    sidecar.faults.push_back(dataErrorAt(file, lineOf(text, key), words).phrase());
  };
  if (key == "name" || key == "group") {
    if (!value.is_string()) return fault(Phrase::tr("\"%1\" is no text")(key));
    (key == "name" ? sidecar.name : sidecar.group) = value.get<std::string>();
  } else if (key == "options") {
    if (!value.is_object()) return fault(Phrase::tr("\"%1\" is no object")(key));
    sidecar.options = value;
  } else if (key == "tags") {
    if (!allTexts(value)) return fault(Phrase::tr("\"%1\" is no list of texts")(key));
    sidecar.tags = value;
  } else if (key == "runs") {
    if (!value.is_object()) return fault(Phrase::tr("\"%1\" is no object")(key));
    for (const auto& [id, told] : value.items()) takeRun(id, told, file, text, sidecar);
  } else {
    fault(Phrase::tr("the member \"%1\" is none of name, group, options, tags and runs")(key));
  }
}

Sidecar readSidecar(const std::string& file) {
  Sidecar sidecar;
  sidecar.stamp = stampOfSidecar(file);
  if (sidecar.stamp.empty()) return sidecar;
  const auto text = readFile(file, kMostSidecar);
  const auto json = text.ok() ? parseJson(*text, file, {32, kMostSidecar, true}) : Result<Json>(text.error());
  if (!json.ok()) {
    sidecar.faults.push_back(json.error().phrase());
  } else if (!json->is_object()) {
    sidecar.faults.push_back(dataErrorAt(file, 1, Phrase::tr("it is no JSON object")).phrase());
  } else {
    for (const auto& [key, value] : json->items()) takeMember(key, value, file, *text, sidecar);
  }
  return sidecar;
}

class SidecarSource : public ImportSource {
 public:
  SidecarSource(std::unique_ptr<ImportSource> source, const std::string& path)
      : m_source(std::move(source)),
        m_folder(folderExists(path) ? path : fs::path(absolutePath(path)).parent_path().string()) {}

  Result<SourceState> read(const StopToken& stop, const ImportSink& take) override {
    FATHOM_TRY(const SourceState state,
               m_source->read(stop, [&](ImportedRun piece) { return give(std::move(piece), take); }));
    FATHOM_CHECK(giveChanged(take));
    return state;
  }
  Status close(const ImportSink& take) override {
    return m_source->close([&](ImportedRun piece) { return give(std::move(piece), take); });
  }
  Json state() const override { return m_source->state(); }

 private:
  // The last words on a run, without points: it is given again when its sidecar is another.
  struct Known {
    ImportedRun facts;
    std::string file, stamp;
  };

  // The nearest one, from the folder of the run to that of the source.
  std::string fileOf(const std::string& run) const {
    fs::path below = fs::path(run).lexically_normal();
    if (below.is_absolute() || below.string().starts_with("..")) below.clear();  // an id, no folder of it
    for (; !below.empty(); below = below.parent_path()) {
      const std::string file = m_folder + "/" + below.string() + "/" + kSidecarName;
      if (fileExists(file)) return file;
    }
    return m_folder + "/" + kSidecarName;
  }

  const Sidecar& sidecarIn(const std::string& file) {
    Sidecar& known = m_sidecars[file];
    if (known.stamp != stampOfSidecar(file)) known = readSidecar(file);
    return known;
  }

  Status give(ImportedRun piece, const ImportSink& take) {
    Known& known = m_known[piece.name];
    known.facts = withoutRecords(piece);
    supply(piece, known);
    return take(std::move(piece));
  }

  void supply(ImportedRun& piece, Known& known) {
    known.file = fileOf(piece.name);
    const Sidecar& sidecar = sidecarIn(known.file);
    known.stamp = sidecar.stamp;
    if (sidecar.stamp.empty()) return;
    const bool above = known.file == m_folder + "/" + kSidecarName && !piece.name.empty();
    const auto own = sidecar.runs.find(piece.name);
    if (own != sidecar.runs.end()) fill(piece, own->second, false);
    fill(piece, sidecar, above);
    piece.warnings.insert(piece.warnings.end(), sidecar.faults.begin(), sidecar.faults.end());
  }

  // The source's own words stay, and what was filled before.
  static void fill(ImportedRun& piece, const Sidecar& sidecar, bool above) {
    if (piece.title.empty() && !above) piece.title = sidecar.name;
    if (!piece.notes.contains("group") && !sidecar.group.empty()) piece.notes["group"] = sidecar.group;
    if (!piece.notes.contains("tags") && !sidecar.tags.empty()) piece.notes["tags"] = sidecar.tags;
    if (!sidecar.options.empty()) {
      ImportedOptions options;
      options.add("", piece.options);
      options.add("", sidecar.options);
      piece.options = options.finish(piece.warnings);
    }
  }

  Status giveChanged(const ImportSink& take) {
    // The most runs that are looked at each time.
    constexpr std::size_t kMany = 200;
    constexpr int kSometimes = 40;
    if (m_known.size() > kMany && ++m_looks % kSometimes != 0) return {};
    for (auto& [name, known] : m_known) {
      if (fileOf(name) == known.file && stampOfSidecar(known.file) == known.stamp) continue;
      ImportedRun piece = withoutRecords(known.facts);
      supply(piece, known);
      FATHOM_CHECK(take(std::move(piece)));
    }
    return {};
  }

  std::unique_ptr<ImportSource> m_source;
  std::string m_folder;
  std::map<std::string, Sidecar> m_sidecars;
  std::map<std::string, Known> m_known;
  int m_looks = 0;
};

}  // namespace

std::unique_ptr<ImportSource> withSidecar(std::unique_ptr<ImportSource> source, std::string path) {
  return std::make_unique<SidecarSource>(std::move(source), path);
}

}  // namespace fathom
