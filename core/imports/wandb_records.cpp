// SPDX-License-Identifier: Apache-2.0
#include "core/imports/wandb_records.h"

#include <fnmatch.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/json/json_members.h"
#include "core/base/json/json_reals.h"
#include "core/imports/formats/protobuf_wire.h"

namespace fathom {

namespace {

constexpr JsonLimits kWandbJson = {64, std::size_t{64} << 20, true};

struct WandbItem {
  std::string_view key, first;  // `first` of the nested ones, which is most often the only one
  std::vector<std::string_view> further;
  bool nested = false;
  std::string_view json;
  void addPart(std::string_view part) {
    if (std::exchange(nested, true))
      further.push_back(part);
    else
      first = part;
  }
  // The name where it is one part.
  std::optional<std::string_view> single() const {
    if (!nested) return key;
    return key.empty() && further.empty() ? std::optional(first) : std::nullopt;
  }
  std::string name() const {
    std::string text(key);
    if (nested) text += (text.empty() ? "" : ".") + std::string(first);
    for (const std::string_view part : further) text += (text.empty() ? "" : ".") + std::string(part);
    return text;
  }
};

// key 1, nested_key 2*, value_json 16.
bool readItem(std::string_view bytes, WandbItem& item) {
  return eachField(bytes, [&](WireReader& message, std::uint32_t number, int type) {
    if (type != 2 || (number != 1 && number != 2 && number != 16)) return message.skip(type);
    std::string_view text;
    if (!message.bytes(text)) return false;
    if (number == 1) item.key = text;
    if (number == 2) item.addPart(text);
    if (number == 16) item.json = text;
    return true;
  });
}

// update 1*, remove 2*: each later item takes the place of the whole key.
bool readUpdates(std::string_view bytes, Json& into) {
  return eachField(bytes, [&](WireReader& message, std::uint32_t number, int type) {
    std::string_view inner;
    if (type != 2 || (number != 1 && number != 2)) return message.skip(type);
    WandbItem item;
    if (!message.bytes(inner) || !readItem(inner, item)) return false;
    const std::string name = plainText(item.name());
    if (number == 2) {
      into.erase(name);
      return true;
    }
    const auto value = parsePythonJson(item.json, {}, kWandbJson);
    if (value.ok()) into[name] = *value;
    return value.ok();
  });
}

bool readTime(std::string_view bytes, double& time) {
  std::uint64_t seconds = 0, nanos = 0;
  const bool good = eachField(bytes, [&](WireReader& message, std::uint32_t number, int type) {
    if (type == 0 && number == 1) return message.varint(seconds);
    if (type == 0 && number == 2) return message.varint(nanos);
    return message.skip(type);
  });
  time = static_cast<double>(seconds) + 1e-9 * static_cast<double>(nanos);
  return good;
}

bool readRun(std::string_view bytes, WandbFacts& facts) {
  facts.told = true;
  facts.tags = Json::array();  // those of a later record replace the earlier ones
  return eachField(bytes, [&](WireReader& message, std::uint32_t number, int type) {
    std::string_view text;
    if (type != 2) return message.skip(type);
    if (!message.bytes(text)) return false;
    std::string* const into = number == 1    ? &facts.id
                              : number == 3  ? &facts.project
                              : number == 6  ? &facts.group
                              : number == 7  ? &facts.jobType
                              : number == 8  ? &facts.name
                              : number == 9  ? &facts.notes
                              : number == 13 ? &facts.host
                                             : nullptr;
    if (into != nullptr) *into = plainText(std::string(text));
    if (number == 10) facts.tags.push_back(plainText(std::string(text)));
    if (number == 4) return readUpdates(text, facts.config);
    if (number == 17) return readTime(text, facts.started);
    return true;
  });
}

// A history row as it is read; its axes may stand behind its values.
struct HistoryRow {
  double step = 0, time = kNaN;
  std::vector<std::pair<std::string_view, double>> values;
  std::deque<std::string> names;       // that do not stand in the record as they are
  std::map<std::string, Json> others;  // values that are no numbers

  static bool isOwn(std::string_view name) {
    return name == "_runtime" || name == "_wandb" || name.starts_with("_wandb.");
  }
  void takeNumber(std::string_view name, double value) {
    if (name == "_step")
      step = value;
    else if (name == "_timestamp")
      time = value;
    else if (!isOwn(name))
      values.emplace_back(name, value);
  }
  void takeItem(const WandbItem& item) {
    // Nearly all of them are one number of a name that stands there.
    const auto single = item.single();
    if (const auto number = jsonNumber(item.json); single && number) return takeNumber(*single, *number);
    const auto value = parsePythonJson(item.json, {}, kWandbJson);
    if (!value.ok()) return;
    eachLeaf(*value, item.name(), [&](const std::string& leaf, const Json& what) {
      // A text that reads like one of the words of numbers is none.
      const auto reading = what.is_string() && item.json.starts_with('"') ? std::nullopt : jsonReading(what);
      if (reading)
        takeNumber(names.emplace_back(leaf), *reading);
      else if (!isOwn(leaf))
        others.insert_or_assign(leaf, what);
    });
  }
  // A member of an object, null where it has none.
  Json member(const std::string& object, const char* name) const {
    const auto found = others.find(object + name);
    return found == others.end() ? Json() : found->second;
  }
};

// item 1*, step 2 (its number, absent where it is 0).
bool readRow(std::string_view bytes, HistoryRow& row) {
  return eachField(bytes, [&](WireReader& message, std::uint32_t number, int type) {
    std::string_view inner;
    if (type != 2 || (number != 1 && number != 2)) return message.skip(type);
    if (!message.bytes(inner)) return false;
    if (number == 2)
      return eachField(inner, [&](WireReader& part, std::uint32_t field, int kind) {
        std::uint64_t word = 0;
        if (field != 1 || kind != 0) return part.skip(kind);
        if (!part.varint(word)) return false;
        row.step = static_cast<double>(static_cast<std::int64_t>(word));
        return true;
      });
    WandbItem item;
    if (!readItem(inner, item)) return false;
    row.takeItem(item);
    return true;
  });
}

// An object that is no histogram is counted.
void takeObject(const HistoryRow& row, const std::string& object, WandbFacts& facts) {
  const std::string tag = object.substr(0, object.size() - 1);
  Json histogram = row.member(object, "_type") == "histogram"
                       ? histogramOfLists(row.member(object, "values"), row.member(object, "bins"))
                       : Json();
  if (histogram.is_null())
    ++facts.others[tag];
  else
    facts.texts.keep({tag, row.step, row.time, {}, std::move(histogram)});
}

Result<bool> readHistory(std::string_view bytes, WandbFacts& facts, ImportedPoints& points) {
  HistoryRow row;
  if (!readRow(bytes, row)) return false;
  // Objects ({"_type": "histogram", …}) come as several items that share their first name.
  std::vector<std::string> objects;
  for (const auto& [name, value] : row.others)
    if (name.ends_with("._type")) objects.push_back(name.substr(0, name.size() - 5));
  const auto inObject = [&objects](std::string_view name) {
    return std::any_of(objects.begin(), objects.end(),
                       [name](const std::string& object) { return name.starts_with(object); });
  };
  for (const std::string& object : objects) takeObject(row, object, facts);
  for (const auto& [name, value] : row.others) {
    if (inObject(name)) continue;
    if (value.is_string())
      facts.texts.keep({name, row.step, row.time, value.get<std::string>(), {}});
    else
      ++facts.others[name];
  }
  for (const auto& [name, value] : row.values)
    if (!inObject(name)) FATHOM_CHECK(points.add(name, {.step = row.step, .time = row.time}, value));
  return true;
}

// name 1 or glob_name 2, step_metric 4, goal 8 (1 the smaller, 2 the larger ones are better).
bool readMetric(std::string_view bytes, WandbFacts& facts) {
  std::string_view name, glob, axis;
  std::uint64_t goal = 0;
  const bool good = eachField(bytes, [&](WireReader& message, std::uint32_t number, int type) {
    if (type == 2 && (number == 1 || number == 2 || number == 4))
      return message.bytes(number == 1 ? name : number == 2 ? glob : axis);
    if (type == 0 && number == 8) return message.varint(goal);
    return message.skip(type);
  });
  const std::string key = plainText(std::string(name.empty() ? glob : name));
  if (!axis.empty()) facts.stepMetrics[key] = plainText(std::string(axis));
  if (goal == 1 || goal == 2) facts.directions[key] = goal == 1 ? "lower" : "higher";
  return good;
}

// The text for a name, else that for the first pattern ("eval/*") it fits; "" where there is none.
std::string saidOf(const Json& facts, const std::string& name) {
  if (facts.contains(name)) return memberText(facts, name.c_str());
  for (const auto& [pattern, said] : facts.items())
    if (pattern.find('*') != std::string::npos && said.is_string() &&
        ::fnmatch(pattern.c_str(), name.c_str(), FNM_NOESCAPE) == 0)
      return said.get<std::string>();
  return {};
}

bool readExit(std::string_view bytes, WandbFacts& facts) {
  std::uint64_t code = 0;
  facts.ended = true;
  const bool good = eachField(bytes, [&](WireReader& message, std::uint32_t number, int type) {
    return number == 1 && type == 0 ? message.varint(code) : message.skip(type);
  });
  facts.exitCode = static_cast<std::int64_t>(code);
  return good;
}

// The names of W&B that mean what ours do, with what one of its units is in ours; the others keep theirs.
std::pair<std::string, double> loadName(const std::string& name) {
  constexpr double kMibibyte = 1.0 / 1024, kByte = 1.0 / (1 << 30);
  if (name == "proc.memory.rssMB") return {std::string(system_name::kProcessMemory), kMibibyte};
  if (name.starts_with("gpu.")) {
    const std::size_t end = name.find('.', 4);
    const std::string card =
        std::string(system_name::kCard) + name.substr(4, end == std::string::npos ? 0 : end - 4);
    const std::string what = end == std::string::npos ? std::string() : name.substr(end + 1);
    if (what == "gpu") return {card, 1};
    if (what == "memoryAllocatedBytes") return {card + "_memory", kByte};
    if (what == "powerWatts") return {card + "_power", 1};
    if (what == "temp") return {card + "_temperature", 1};
  }
  return {"wandb/" + name, 1};
}

// timestamp 2, item 3* (key 1, value_json 16).
bool readStats(std::string_view bytes, WandbFacts& facts) {
  ImportedLoad load;
  const bool good = eachField(bytes, [&](WireReader& message, std::uint32_t number, int type) {
    std::string_view inner;
    if (type != 2 || (number != 2 && number != 3)) return message.skip(type);
    if (!message.bytes(inner)) return false;
    if (number == 2) return readTime(inner, load.time);
    WandbItem item;
    if (!readItem(inner, item)) return false;
    const auto value = parsePythonJson(item.json, {}, kWandbJson);
    const auto reading = value.ok() ? jsonReading(*value) : std::nullopt;
    if (!reading || !std::isfinite(*reading)) return true;
    const auto [name, unit] = loadName(plainText(item.name()));
    load.values.emplace_back(name, *reading * unit);
    return true;
  });
  if (good && !load.values.empty()) facts.loads.push_back(std::move(load));
  return good;
}

}  // namespace

Result<bool> takeWandbRecord(std::string_view record, WandbFacts& facts, ImportedPoints& points) {
  Status failed;
  const bool good = eachField(record, [&](WireReader& message, std::uint32_t number, int type) {
    std::string_view inner;
    if (type != 2) return message.skip(type);
    if (!message.bytes(inner)) return false;
    if (number == 2) {
      const auto history = readHistory(inner, facts, points);
      if (!history.ok()) failed = history.error();
      return history.ok() && *history;
    }
    if (number == 3) return readUpdates(inner, facts.summary);
    if (number == 5) return readUpdates(inner, facts.config);
    if (number == 7) return readStats(inner, facts);
    if (number == 12) return readMetric(inner, facts);
    if (number == 17) return readRun(inner, facts);
    if (number == 18) return readExit(inner, facts);
    return true;
  });
  if (!failed.ok()) return failed.error();
  if (!good) ++facts.strange;
  return good;
}

Metrics WandbFacts::declaredOf(const std::set<std::string>& metrics) const {
  Metrics declared;
  if (stepMetrics.empty() && directions.empty()) return declared;
  for (const std::string& name : metrics) {
    Metric metric{.id = name, .stepMetric = saidOf(stepMetrics, name)};
    if (metric.stepMetric == name) metric.stepMetric.clear();
    const std::string better = saidOf(directions, name);
    if (!better.empty())
      metric.direction = better == "lower" ? MetricDirection::Lower : MetricDirection::Higher;
    if (!better.empty() || !metric.stepMetric.empty()) declared.push_back(std::move(metric));
  }
  return declared;
}

Json WandbFacts::state() const {
  return {{"id", id},
          {"project", project},
          {"name", name},
          {"group", group},
          {"job_type", jobType},
          {"notes", notes},
          {"host", host},
          {"tags", tags},
          {"config", config},
          {"summary", summary},
          {"step_metrics", stepMetrics},
          {"directions", directions},
          {"started", started},
          {"told", told},
          {"ended", ended},
          {"exit_code", exitCode},
          {"texts", texts.state()},
          {"others", others},
          {"strange", strange}};
}

void WandbFacts::restore(const Json& state) {
  id = memberText(state, "id");
  project = memberText(state, "project");
  name = memberText(state, "name");
  group = memberText(state, "group");
  jobType = memberText(state, "job_type");
  notes = memberText(state, "notes");
  host = memberText(state, "host");
  tags = memberList(state, "tags");
  config = memberObject(state, "config");
  summary = memberObject(state, "summary");
  stepMetrics = memberObject(state, "step_metrics");
  directions = memberObject(state, "directions");
  started = memberReal(state, "started", 0);
  told = memberFlag(state, "told", false);
  ended = memberFlag(state, "ended", false);
  exitCode = memberInteger(state, "exit_code");
  texts.restore(memberObject(state, "texts"));
  for (const auto& [key, count] : memberObject(state, "others").items())
    others[key] = count.get<std::int64_t>();
  strange = memberInteger(state, "strange");
}

}  // namespace fathom
