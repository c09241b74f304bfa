// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/sample/trained_run.h"

#include <QFile>
#include <filesystem>
#include <string_view>

#include "app/runs/made_data.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/temporary_folder.h"
#include "core/record/runs/project_folder.h"
#include "core/record/runs/run_archive.h"
#include "core/record/runs/run_config.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

namespace {

constexpr const char* kRecordedRun = ":/sample/trained_run.tar.zst";
constexpr const char* kTrainedFolder = "trained-before";

// Archives are read from files: it lies in one while it is unpacked.
Status unpackRecorded(const std::string& folder, Progress& progress, const StopToken& stop) {
  QFile recorded(QString::fromLatin1(kRecordedRun));
  if (!recorded.open(QIODevice::ReadOnly)) return internalError("the recorded run of the sample is missing");
  const QByteArray bytes = recorded.readAll();
  const TemporaryFolder place;
  const std::string archive = place.path() + "/run.tar.zst";
  FATHOM_CHECK(writeFileAtomically(archive, std::string_view(bytes.constData(), std::size_t(bytes.size()))));
  return importRunArchive(archive, folder, progress, stop);
}

// The data of this project, in the place of those of the machine that recorded it.
Status nameData(const RunFolder& run, const std::string& project) {
  const std::string file = run.configPath(run.lastAttempt());
  FATHOM_TRY(RunConfig config, readRunConfig(file));
  const Json files = madeDataFiles(project, taskOf(config.options));
  for (const auto& [key, path] : files.items()) config.options[key] = path;
  return writeFileAtomically(file, runConfigToJson(config).dump(1) + "\n");
}

}  // namespace

std::string trainedRunPath(const std::string& project) {
  return project + "/" + kRunsName + "/" + kTrainedFolder;
}

Status placeTrainedRun(const ProjectLibrary& library, Progress& progress, const StopToken& stop) {
  const std::string place = trainedRunPath(library.path());
  if (library.readOnly() || folderExists(place)) return {};
  // Under another name until it is whole: a project is listed while it is filled.
  const std::string unfinished = library.runsPath() + "/." + kTrainedFolder + kUnfinishedEnd;
  std::error_code ignored;
  std::filesystem::remove_all(unfinished, ignored);  // of a program that was killed
  Status placed = unpackRecorded(unfinished, progress, stop);
  if (placed.ok()) placed = nameData(RunFolder(unfinished), library.path());
  if (placed.ok()) placed = renamePath(unfinished, place);
  if (!placed.ok()) std::filesystem::remove_all(unfinished, ignored);
  return placed;
}

}  // namespace fathom
