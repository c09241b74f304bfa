// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/engine_description.h"

#include <sys/stat.h>
#include <unistd.h>

#include <QSettings>
#include <QStandardPaths>
#include <cstdlib>

#include "app/runner/child_process.h"
#include "core/base/atomic_file.h"
#include "core/base/hash.h"

namespace fathom {

namespace {

constexpr Phrase::Text kReinstall =
    Phrase::tr("install or build fathom and fathom-engine from the same source");

QSettings settings() {
  return QSettings(QSettings::IniFormat, QSettings::UserScope, "fathom", "fathom");
}

// Changes whenever the binary is replaced.
Result<std::string> binaryStamp(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) {
    Error error = inputError(Phrase::tr("the engine cannot be found"), path, errno);
    error.hint = "set FATHOM_ENGINE to the path of fathom-engine, or " + std::string(kReinstall.english);
    return error;
  }
  if (!S_ISREG(info.st_mode) || access(path.c_str(), X_OK) != 0) {
    return unavailableError("the engine " + path + " is not an executable file", kReinstall);
  }
  return std::to_string(info.st_size) + ":" + std::to_string(info.st_mtim.tv_sec) + "." +
         std::to_string(info.st_mtim.tv_nsec) + ":" + FATHOM_VERSION;
}

std::string cachePath(const std::string& enginePath) {
  const QString folder = QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation);
  return folder.toStdString() + "/fathom/engine-" + sha256Hex(enginePath).substr(0, 16) + ".json";
}

std::optional<Json> readCache(const std::string& enginePath, const std::string& stamp) {
  auto cached = readJsonFile(cachePath(enginePath));
  if (!cached || !cached->is_object() || cached->value("stamp", "") != stamp) return std::nullopt;
  return cached->contains("describe") ? std::optional<Json>((*cached)["describe"]) : std::nullopt;
}

// A cache that cannot be written costs half a second next time and nothing else.
void writeCache(const std::string& enginePath, const std::string& stamp, const Json& describe) {
  const std::string path = cachePath(enginePath);
  if (!makeFolders(path.substr(0, path.rfind('/')))) return;
  const Json body = {{"stamp", stamp}, {"describe", describe}};
  if (const Status written = writeFileAtomically(path, body.dump()); !written) unlink(path.c_str());
}

std::string lastLines(const std::string& text) {
  std::string tail = text.substr(text.size() > 400 ? text.size() - 400 : 0);
  while (!tail.empty() && (tail.back() == '\n' || tail.back() == ' ')) tail.pop_back();
  return tail.empty() ? "" : "; it wrote: " + tail;
}

Result<Json> askEngine(const std::string& path, const DescribeOptions& options, const StopToken& stop) {
  ChildSpec spec;
  spec.program = path;
  spec.arguments = {"describe"};
  FATHOM_TRY(const ChildOutput output, runChild(spec, {options.seconds, std::size_t{64} << 20}, stop));
  if (output.timedOut) {
    return unavailableError("the engine " + path + " did not answer within " +
                                std::to_string(static_cast<int>(options.seconds)) + " s",
                            "try '" + path + " describe' in a terminal; a driver may hang");
  }
  if (output.exitCode != 0) {
    return unavailableError("the engine " + path + " " + describeExit(output.exitCode).english() +
                                " when asked to describe itself" + lastLines(output.err),
                            "try '" + path + " describe' in a terminal");
  }
  auto json = parseJson(output.out, path + " describe");
  if (!json || !json->is_object()) {
    return dataError("the engine " + path + " gave an answer that is not complete JSON (" +
                         std::to_string(output.out.size()) + " bytes)" + lastLines(output.err),
                     kReinstall);
  }
  return std::move(*json);
}

}  // namespace

Result<std::string> findEngine() {
  if (const char* path = std::getenv("FATHOM_ENGINE"); path && *path) return std::string(path);
  const std::string setting = settings().value("engine/path").toString().toStdString();
  if (!setting.empty()) return setting;
  const std::string beside = siblingProgram("fathom-engine");
  if (!beside.empty()) return beside;
  return unavailableError(Phrase::tr("fathom-engine was not found beside the program"),
                          Phrase::tr("set FATHOM_ENGINE to its path, or %1")(Phrase(kReinstall)));
}

void setEnginePath(const std::string& path) {
  QSettings store = settings();
  if (path.empty()) {
    store.remove("engine/path");
  } else {
    store.setValue("engine/path", QString::fromStdString(path));
  }
}

Result<EngineDescription> engineDescriptionFromJson(const Json& json, const std::string& enginePath) {
  EngineDescription result;
  result.path = enginePath;
  try {
    result.version = json.at("version").get<std::string>();
    if (result.version != FATHOM_VERSION) {
      return dataError("the engine " + enginePath + " is version " + result.version +
                           ", this program is version " + FATHOM_VERSION,
                       kReinstall);
    }
    FATHOM_TRY(result.options, OptionSchema::fromJson(json.at("schema")));
    for (const Json& item : json.at("devices")) {
      result.devices.push_back({item.at("id").get<std::string>(), item.value("title", ""),
                                item.value("available", true), item.value("reason", "")});
    }
  } catch (const nlohmann::json::exception& e) {
    return dataError("the description of the engine " + enginePath + " is malformed: " + e.what(),
                     kReinstall);
  }
  result.json = json;
  return result;
}

Result<EngineDescription> describeEngine(const std::string& enginePath, const DescribeOptions& options,
                                         const StopToken& stop) {
  FATHOM_TRY(const std::string stamp, binaryStamp(enginePath));
  if (!options.refresh) {
    if (const auto cached = readCache(enginePath, stamp)) {
      auto known = engineDescriptionFromJson(*cached, enginePath);
      if (known) return known;
    }
  }
  FATHOM_TRY(const Json json, askEngine(enginePath, options, stop));
  FATHOM_TRY(EngineDescription description, engineDescriptionFromJson(json, enginePath));
  writeCache(enginePath, stamp, json);
  return description;
}

Result<EngineDescription> describeEngine(const DescribeOptions& options, const StopToken& stop) {
  FATHOM_TRY(const std::string path, findEngine());
  return describeEngine(path, options, stop);
}

}  // namespace fathom
