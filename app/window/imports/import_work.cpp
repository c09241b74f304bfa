// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/imports/import_work.h"

#include "app/command.h"
#include "app/runner/followed_sources.h"
#include "core/base/json/json_members.h"
#include "core/imports/later_kinds.h"
#include "core/imports/preview/source_places.h"
#include "core/library/runs/curve_index.h"
#include "core/library/runs/run_listing.h"
#include "core/record/runs/project_folder.h"
#include "core/record/runs/run_folder.h"
#include "views/look/engine_text.h"

namespace fathom {

namespace {

Json usesAsList(const ColumnUses& uses) {
  Json list = Json::array();
  for (const auto& [name, use] : uses) list.push_back(name + "=" + use);
  return list;
}

Status importOne(const std::string& project, const FoundSource& source, ImportDone& done, Progress& progress,
                 const StopToken& stop) {
  const Command* command = findCommand("import-run");
  CommandContext context;
  context.project = project;
  context.options = OptionValues(OptionSchema(command->fields, {}));
  FATHOM_CHECK(context.options.set("source", source.path));
  FATHOM_CHECK(context.options.set("format", source.format));
  FATHOM_CHECK(context.options.set("name", source.name));
  FATHOM_CHECK(context.options.set("columns", usesAsList(source.uses)));
  FATHOM_TRY(const CommandOutput output, command->run(context, progress, stop));
  for (const Json& run : memberList(output.json, "runs")) {
    done.runs.append(fromUtf8(memberText(run, "uuid")));
    for (const Json& metric : memberList(run, "metrics"))
      if (metric.is_string()) done.metrics.append(fromUtf8(metric.get<std::string>()));
  }
  return {};
}

Status followOne(ProjectLibrary& library, const FoundSource& source, ImportDone& done,
                 const StopToken& stop) {
  // It came into a folder that is followed, and is read on with it.
  if (isReadBeside(library.path(), {.path = source.path, .format = source.format, .around = source.around})) {
    done.notes.append(phraseText(readBesideNote(source.path)));
    return {};
  }
  SourceFollower::Options options;
  options.source = source.path;
  options.runsFolder = library.runsPath();
  options.record = followRecord(library.path(), source.path);
  options.import.follow = true;
  options.import.columns = source.uses;
  options.import.format = source.format;
  options.import.name = source.name;
  options.import.around = source.around;
  options.import.placesIn = placesIn;
  FATHOM_TRY(const BegunFollowing begun, beginFollowing(std::move(options), stop));
  std::vector<std::string> uuids;
  for (const std::string& path : begun.runPaths) {
    FATHOM_TRY(const RunIdentity identity, RunFolder(path).identity());
    uuids.push_back(identity.uuid);
    done.runs.append(fromUtf8(identity.uuid));
  }
  (void)keepLooks(library, uuids);  // else colours are given when the runs are listed
  for (const std::string& metric : source.preview.metrics) done.metrics.append(fromUtf8(metric));
  for (const Phrase& note : begun.notes) done.notes.append(phraseText(note));
  return {};
}

}  // namespace

Result<ImportDone> importSources(const ImportOrder& order, Progress& progress, const StopToken& stop) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(order.project));
  ImportDone done;
  for (const FoundSource& source : order.sources) {
    const bool follow = order.follow && !source.preview.own;
    const Status status = follow ? followOne(*library, source, done, stop)
                                 : importOne(order.project, source, done, progress, stop);
    if (stop.stopRequested() && done.runs.isEmpty()) return interruptedError();
    if (stop.stopRequested()) break;
    if (status.ok()) continue;
    done.failed.push_back(source);
    done.failed.back().error = status.error();
  }
  if (order.follow) {
    // The imported runs are there all the same.
    const auto started = startFollowing(order.project);
    if (started.ok())
      done.followers = *started;
    else
      done.notes.append(phraseText(started.error().phrase()));
  }
  done.metrics.removeDuplicates();
  return done;
}

}  // namespace fathom
