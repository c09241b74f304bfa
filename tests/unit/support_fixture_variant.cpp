// SPDX-License-Identifier: Apache-2.0
#include "support_fixture_variant.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "core/base/files/atomic_file.h"
#include "support_fixtures.h"
#include "support_tensor_values.h"

namespace fathom::fixtures {

namespace {

namespace fs = std::filesystem;

struct Tensor {
  std::vector<std::int64_t> shape;
  std::vector<double> values;
};

// One case while it is changed: its JSON and its arrays, all of them float64.
struct Changing {
  std::string area;
  Json json;
  std::map<std::string, Tensor> tensors;
  bool has(const std::string& key) const { return tensors.contains(key); }

  // Keeps these rows of an array, in this order.
  void takeRows(const std::string& key, const std::vector<std::size_t>& rows) {
    Tensor& tensor = tensors.at(key);
    const std::size_t wide = tensor.values.size() / static_cast<std::size_t>(tensor.shape[0]);
    std::vector<double> taken;
    for (const std::size_t row : rows)
      taken.insert(taken.end(), tensor.values.begin() + static_cast<std::ptrdiff_t>(row * wide),
                   tensor.values.begin() + static_cast<std::ptrdiff_t>((row + 1) * wide));
    tensor.values = std::move(taken);
    tensor.shape[0] = static_cast<std::int64_t>(rows.size());
  }
  // Keeps the first columns of a matrix.
  void takeColumns(const std::string& key, std::size_t columns) {
    Tensor& tensor = tensors.at(key);
    const auto wide = static_cast<std::size_t>(tensor.shape[1]);
    std::vector<double> taken;
    for (std::size_t i = 0; i < tensor.values.size(); ++i)
      if (i % wide < columns) taken.push_back(tensor.values[i]);
    tensor.values = std::move(taken);
    tensor.shape[1] = static_cast<std::int64_t>(columns);
  }
  std::size_t rows(const std::string& key) const {
    return static_cast<std::size_t>(tensors.at(key).shape.at(0));
  }
};

std::vector<std::size_t> firstOf(std::size_t count) {
  std::vector<std::size_t> rows(count);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return rows;
}

// Without the second, fifth, eighth …
std::vector<std::size_t> thinned(std::size_t count) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < count; ++i)
    if (i % 3 != 1) rows.push_back(i);
  return rows;
}

Json thinnedList(const Json& list) {
  Json kept = Json::array();
  for (const std::size_t i : thinned(list.size())) kept.push_back(list[i]);
  return kept;
}

// A change of a case that keeps it right; false where the case is none of its kind.
struct Change {
  const char* name;
  bool (*make)(Changing&);
};

// One more seed that has no value anywhere, as text in the lists, and fewer steps.
bool moreFailedSeeds(Changing& one) {
  if (!one.has("curve_mean") || !one.has("curves")) return false;
  const std::size_t steps = one.rows("curve_mean") * 2 / 3;
  for (const char* key : {"curve_mean", "curve_std", "curve_count"}) one.takeRows(key, firstOf(steps));
  one.takeColumns("curves", steps);
  Tensor& curves = one.tensors["curves"];
  curves.values.insert(curves.values.begin(), steps, std::numeric_limits<double>::quiet_NaN());
  ++curves.shape[0];
  for (auto& [name, expected] : one.json["expected"].items()) {
    Json& values = expected["values_null_is_failed"];
    values.insert(values.begin(), Json("NaN"));
    expected["runs"] = expected["runs"].get<int>() + 1;
    expected["failed"] = expected["failed"].get<int>() + 1;
  }
  return true;
}

// Smoothing looks only back: half of the points, and other weights in another order.
bool shorterSmoothing(Changing& one) {
  if (!one.has("smoothed")) return false;
  std::vector<std::size_t> rows = thinned(one.json["config"]["weights"].size());
  std::reverse(rows.begin(), rows.end());
  Json weights = Json::array();
  for (const std::size_t row : rows) weights.push_back(one.json["config"]["weights"][row]);
  one.json["config"]["weights"] = weights;
  for (const std::string suffix : {"", "_starts_with_nan", "_constant", "_single"}) {
    if (!one.has("smoothed" + suffix)) continue;
    const std::size_t points = (one.rows("y" + suffix) + 1) / 2;
    one.takeRows("y" + suffix, firstOf(points));
    one.takeRows("smoothed" + suffix, rows);
    one.takeColumns("smoothed" + suffix, points);
  }
  return true;
}

// Other sizes of blocks, and a query of half of the columns.
bool fewerBlocks(Changing& one) {
  if (!one.has("query") || !one.json["config"].contains("block_sizes")) return false;
  Json& config = one.json["config"];
  const Json before = config["block_sizes"];
  config["block_sizes"] = thinnedList(before);
  for (const Json& size : before)
    if (std::find(config["block_sizes"].begin(), config["block_sizes"].end(), size) ==
        config["block_sizes"].end())
      one.tensors.erase("block_" + std::to_string(size.get<int>()));
  const std::size_t columns = one.rows("query") / 2;
  one.takeRows("query", firstOf(columns));
  Json edges = Json::array();
  for (std::size_t i = 0; i <= columns; ++i) edges.push_back(config["query"]["edges"][i]);
  config["query"]["edges"] = edges;
  config["query"]["columns"] = columns;
  config["query"]["end"] = edges.back();
  return true;
}

// Schedules are functions of t: other moments, and fewer schedules.
bool fewerMoments(Changing& one) {
  if (one.area != "lr_schedule" || !one.has("t")) return false;
  Json config = Json::object();
  std::size_t number = 0;
  for (const auto& [name, value] : one.json["config"].items()) {
    if (number++ % 3 == 1)
      one.tensors.erase(name);
    else
      config[name] = value;
  }
  one.json["config"] = config;
  const std::vector<std::size_t> rows = thinned(one.rows("t"));
  for (auto& [name, tensor] : one.tensors) one.takeRows(name, rows);
  return true;
}

// A scaler that never gave up, looked at for fewer iterations.
bool fewerIterations(Changing& one) {
  if (!one.has("overflow") || one.json["config"].value("aborted_at_iteration", 0) != -1) return false;
  const std::size_t iterations = one.rows("overflow") * 2 / 3;
  for (auto& [name, tensor] : one.tensors) one.takeRows(name, firstOf(iterations));
  one.json["config"]["iterations_until_end_or_abort"] = iterations;
  if (one.json["config"].contains("finished_updates"))
    one.json["config"]["finished_updates"] =
        static_cast<std::int64_t>(one.tensors.at("num_updates").values.back());
  return true;
}

// Searches and verdicts are each on their own: fewer of them, the last first.
bool fewerExpected(Changing& one) {
  static const std::set<std::string> kAreas = {"beam_search", "grammar", "spider"};
  if (!kAreas.contains(one.area) || !one.json["expected"].is_array()) return false;
  Json kept = thinnedList(one.json["expected"]);
  if (kept.size() < 2) return false;
  std::reverse(kept.begin(), kept.end());
  one.json["expected"] = kept;
  if (one.json["config"].contains("cases")) one.json["config"]["cases"] = kept.size();
  return true;
}

constexpr Change kChanges[] = {{"more failed seeds, as text", moreFailedSeeds},
                               {"half of the points, other weights", shorterSmoothing},
                               {"other blocks", fewerBlocks},
                               {"other moments", fewerMoments},
                               {"fewer iterations", fewerIterations},
                               {"fewer searches and verdicts", fewerExpected}};

std::map<std::string, Tensor> readTensors(const std::string& path) {
  std::map<std::string, Tensor> tensors;
  const SafetensorsFile file = SafetensorsFile::open(path).value();
  for (const TensorEntry& entry : file.entries()) {
    if (entry.dtype != "F64") return {};  // changed ones are all float64
    tensors[entry.name] = {entry.shape, readDoubles(file, entry.name).value()};
  }
  return tensors;
}

void writeTensorsOf(const Changing& one, const std::string& path) {
  std::vector<TensorView> views;
  for (const auto& [name, tensor] : one.tensors)
    views.push_back({name, "F64", tensor.shape, tensor.values.data()});
  writeSafetensors(path, views, {}).value();
}

// The case with other values, where one of the changes is for its kind: its JSON, and its arrays if it has
// any.
struct Changed {
  std::string change;
  Changing one;
};
std::optional<Changed> changedCase(const std::string& area, const std::string& json,
                                   const std::string& tensors) {
  Changing one{area, readJson(json), {}};
  if (!one.json.is_object()) return std::nullopt;
  if (!tensors.empty()) one.tensors = readTensors(tensors);
  for (const Change& change : kChanges) {
    if (!change.make(one)) continue;
    Json& told = one.json["tensors"];
    for (auto it = told.begin(); it != told.end();) it = one.has(it.key()) ? std::next(it) : told.erase(it);
    for (const auto& [name, tensor] : one.tensors) told[name]["shape"] = tensor.shape;
    return Changed{change.name, std::move(one)};
  }
  return std::nullopt;
}

std::string lastPart(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

// Whether a file's rows each stand for themselves: what others count by its lines, and lists of exceptions,
// stay whole.
bool hasRowsOfTheirOwn(const std::string& area, const std::string& path) {
  return area == "tokenizers" && path.ends_with(".jsonl.gz") && lastPart(path) != "lines.jsonl.gz" &&
         lastPart(path).find("differ") == std::string::npos;
}

// Without every third row.
void writeFewerLines(const std::string& from, const std::string& to) {
  const std::vector<std::string> lines = readLines(from);
  std::string text;
  for (const std::size_t i : thinned(lines.size())) text += lines[i] + "\n";
  writeFileAtomically(to, text).value();
}

// Where a file of a case goes: a folder inside of the case's own stays (bert_tiny/config.json).
std::string placeOf(const std::string& file, const std::string& role, const std::string& folder) {
  const std::string inside = fs::path(file).parent_path().filename() == role ? role + "/" : std::string();
  return folder + "/" + inside + lastPart(file);
}

}  // namespace

void writeVariant(const std::string& source, const std::string& out) {
  Json cases = readJson(source + "/index.json").at("cases");
  std::reverse(cases.begin(), cases.end());
  std::map<std::string, int> seen;
  std::set<std::string> changes;
  Json kept = Json::array();
  for (Json& one : cases) {
    const std::string area = one.at("area").get<std::string>(), name = one.at("case").get<std::string>();
    // Of every area the second, fifth, eighth … case is left out, but not what others read or what is one of
    // its form.
    const bool shared =
        area == "tokenizers" || area == "encoders" || area == "attention_statistics" || area == "curve";
    if (seen[area]++ % 3 == 1 && !shared) continue;
    const std::string folder = "elsewhere/" + area, role = lastPart(name);
    std::string json, tensors;
    for (const Json& file : one.at("files")) {
      const std::string path = source + "/" + file.get<std::string>();
      if (lastPart(path) == role + ".json") json = path;
      if (lastPart(path) == role + ".safetensors") tensors = path;
    }
    const auto changed = json.empty() ? std::nullopt : changedCase(area, json, tensors);
    if (changed) changes.insert(changed->change);
    for (Json& file : one["files"]) {
      const std::string path = source + "/" + file.get<std::string>();
      // What another program wrote are folders of files with names that say something.
      const std::string given = file.get<std::string>();
      const bool foreign = area.starts_with("foreign_runs_");
      const std::string inside =
          foreign ? folder + given.substr(given.find('/')) : placeOf(given, role, folder);
      const std::string target = out + "/" + inside;
      file = inside;
      fs::create_directories(fs::path(target).parent_path());
      if (fs::exists(target)) continue;
      if (changed && path == json) {
        writeFileAtomically(target, changed->one.json.dump(1)).value();
      } else if (changed && path == tensors) {
        writeTensorsOf(changed->one, target);
      } else if (hasRowsOfTheirOwn(area, path)) {
        writeFewerLines(path, target);
        changes.insert("fewer texts");
      } else if (foreign) {  // a reader need not follow links
        fs::copy_file(path, target);
      } else {
        fs::create_symlink(path, target);
      }
    }
    one["case"] = folder + "/" + role;
    kept.push_back(one);
  }
  writeFileAtomically(out + "/index.json", Json{{"format", 1}, {"cases", kept}, {"changes", changes}}.dump())
      .value();
}

std::vector<std::string> changesOf(const std::string& variant) {
  return readJson(variant + "/index.json").at("changes").get<std::vector<std::string>>();
}

}  // namespace fathom::fixtures
