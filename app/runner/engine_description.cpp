// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/engine_description.h"

#include <sys/stat.h>
#include <unistd.h>

#include <QStandardPaths>
#include <cstdlib>
#include <mutex>

#include "app/runner/child_process.h"
#include "app/runner/machine_settings.h"
#include "core/base/errors/error_words.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/library/runs/short_names.h"

namespace fathom {

namespace {

constexpr Phrase::Text kReinstall =
    Phrase::tr("install or build fathom and fathom-engine from the same source");

// Changes whenever the binary is replaced.
Result<std::string> binaryStamp(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) {
    return withHint(inputError(Phrase::tr("the engine cannot be found"), path, errno),
                    Phrase::tr("set FATHOM_ENGINE to the path of fathom-engine, or %1")(kReinstall));
  }
  if (!S_ISREG(info.st_mode) || access(path.c_str(), X_OK) != 0) {
    return unavailableError(Phrase::tr("the engine %1 is not an executable file")(path), kReinstall);
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

Phrase lastLines(const std::string& text) {
  std::string tail = text.substr(text.size() > 400 ? text.size() - 400 : 0);
  while (!tail.empty() && (tail.back() == '\n' || tail.back() == ' ')) tail.pop_back();
  return tail.empty() ? Phrase() : Phrase::tr("; it wrote: %1")(tail);
}

Result<Json> askEngine(const std::string& path, const DescribeOptions& options, const StopToken& stop) {
  ChildSpec spec;
  spec.program = path;
  spec.arguments = {"describe"};
  FATHOM_TRY(const ChildOutput output, runChild(spec, {options.seconds, std::size_t{64} << 20}, stop));
  if (output.timedOut) {
    return unavailableError(
        Phrase::tr("the engine %1 did not answer within %2 s")(path, static_cast<int>(options.seconds)),
        Phrase::tr("try '%1 describe' in a terminal; a driver may hang")(path));
  }
  if (output.exitCode != 0) {
    return unavailableError(Phrase::tr("the engine %1 %2 when asked to describe itself%3")(
                                path, describeExit(output.exitCode), lastLines(output.err)),
                            Phrase::tr("try '%1 describe' in a terminal")(path));
  }
  auto json = parseJson(output.out, path + " describe");
  if (!json || !json->is_object()) {
    return dataError(Phrase::tr("the engine %1 gave an answer that is not complete JSON (%2 bytes)%3")(
                         path, output.out.size(), lastLines(output.err)),
                     kReinstall);
  }
  return std::move(*json);
}

}  // namespace

Result<std::string> findEngine() {
  if (const char* path = std::getenv("FATHOM_ENGINE"); path && *path) return std::string(path);
  if (const std::string chosen = machineSettings().engine; !chosen.empty()) return chosen;
  return engineBeside();
}

Result<std::string> engineBeside() {
  const std::string beside = siblingProgram("fathom-engine");
  if (!beside.empty()) return beside;
  return unavailableError(Phrase::tr("fathom-engine was not found beside the program"),
                          Phrase::tr("set FATHOM_ENGINE to its path, or %1")(kReinstall));
}

Result<EngineDescription> engineDescriptionFromJson(const Json& json, const std::string& enginePath) {
  EngineDescription result;
  result.path = enginePath;
  try {
    result.version = json.at("version").get<std::string>();
    if (result.version != FATHOM_VERSION) {
      return dataError(Phrase::tr("the engine %1 is version %2, this program is version %3")(
                           enginePath, result.version, FATHOM_VERSION),
                       kReinstall);
    }
    FATHOM_TRY(result.options, OptionSchema::fromJson(json.at("schema")));
    for (const Json& item : json.at("devices")) {
      result.devices.push_back({item.at("id").get<std::string>(), item.value("title", ""),
                                item.value("available", true), item.value("reason", "")});
    }
  } catch (const nlohmann::json::exception& e) {
    return dataError(Phrase::tr("the description of the engine %1 is malformed: %2")(enginePath, e.what()),
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
  if (options.known) return unavailableError(Phrase::tr("the engine has not been asked yet"));
  FATHOM_TRY(const Json json, askEngine(enginePath, options, stop));
  FATHOM_TRY(EngineDescription description, engineDescriptionFromJson(json, enginePath));
  writeCache(enginePath, stamp, json);
  return description;
}

Result<EngineDescription> describeEngine(const DescribeOptions& options, const StopToken& stop) {
  FATHOM_TRY(const std::string path, findEngine());
  auto description = describeEngine(path, options, stop);
  if (description.ok()) setOptionTitles(description->options);
  return description;
}

std::shared_ptr<const OptionSchema> askedOptionTitles() {
  constexpr double kSeconds = 5;
  static std::once_flag asked;
  if (optionTitles()->fields().empty())
    std::call_once(asked, [] { (void)describeEngine(DescribeOptions{.seconds = kSeconds}).ok(); });
  return optionTitles();
}

}  // namespace fathom
