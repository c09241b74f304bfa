// SPDX-License-Identifier: GPL-3.0-or-later
#include <chrono>
#include <filesystem>

#include "app/command.h"
#include "app/runner/followed_sources.h"
#include "app/runner/source_list.h"
#include "app/text_table.h"
#include "core/base/text/text_list.h"

namespace fathom {

namespace {

double sourcesClock() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// The same deed for each of the sources that are named under a key.
Status eachOf(const CommandContext& context, const char* key, const char* told,
              const std::function<Status(const ListedSource&)>& act) {
  for (const std::string& word : context.options.texts(key)) {
    FATHOM_TRY(const ListedSource source, findSource(context.project, word));
    FATHOM_CHECK(act(source));
    context.say(std::string(told) + " " + source.source);
  }
  return {};
}

Result<CommandOutput> sourcesCommand(const CommandContext& context, Progress&, const StopToken&) {
  const std::string& project = context.project;
  FATHOM_CHECK(eachOf(context, "pause", "paused",
                      [&](const ListedSource& source) { return endFollowing(project, source.source); }));
  FATHOM_CHECK(eachOf(context, "resume", "followed again:", [&](const ListedSource& source) {
    return resumeSource(project, source);
  }));
  FATHOM_CHECK(eachOf(context, "remove", "forgotten:", [&](const ListedSource& source) {
    return removeSource(project, source);
  }));
  CommandOutput output;
  output.json["project"] = project;
  output.json["sources"] = Json::array();
  TextTable table({"source", "format", "state", "runs", "growth"});
  const auto sources = listSources(project);
  for (const ListedSource& one : sources) {
    Json runs = Json::array();
    for (const std::string& path : one.runPaths)
      runs.push_back(std::filesystem::path(path).filename().string());
    output.json["sources"].push_back({{"source", one.source},
                                      {"format", one.kinds.front()},
                                      {"beside", one.beside},
                                      {"state", sourceWayName(one.way)},
                                      {"there", one.there},
                                      {"runs", runs},
                                      {"grew", one.growth.grew},
                                      {"every", one.growth.every}});
    const std::string state = sourceWayName(one.way);
    table.addRow({one.source, joined(one.kinds), one.there ? state : state + ", not there",
                  std::to_string(one.runPaths.size()), one.growth.phrase(sourcesClock()).english()});
  }
  output.text =
      sources.empty()
          ? "no source was followed; follow one with: fathom import-run PATH --follow --project DIR\n"
          : table.text();
  return output;
}

}  // namespace

Command sourcesCommandEntry() {
  return {
      .id = "sources",
      .title = "Followed sources",
      .description =
          "Lists the sources of other programs that a project follows or has followed; pauses, "
          "resumes and forgets them. Their runs stay.",
      .group = "Run",
      .fields = {listField("pause", "Pause", "Sources that are not read for now, by path or the end of one."),
                 listField("resume", "Resume", "Sources that are read on from where they were left."),
                 listField("remove", "Remove",
                           "Sources that are forgotten: they are not read any more, and following one "
                           "again makes new runs.")},
      .run = sourcesCommand};
}

}  // namespace fathom
