// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command.h"
#include "core/base/files/new_folder.h"
#include "core/base/text/shell_word.h"
#include "core/spider/data/made_spider.h"

namespace fathom {

namespace {

Result<CommandOutput> makeSample(const CommandContext& context, Progress&, const StopToken&) {
  const std::string folder = context.options.text("folder");
  const MadeSpider made = makeSpiderData(static_cast<std::uint64_t>(context.options.integer("seed")));
  FATHOM_CHECK(
      fillFolder(folder, [&made](const std::string& partial) { return writeMadeSpider(made, partial); }));
  CommandOutput output;
  output.json["folder"] = folder;
  output.json["examples"] = made.examples.size();
  output.json["databases"] = made.databases;
  output.json["predictions"] = {folder + "/predictions/careful.sql", folder + "/predictions/hasty.sql"};
  output.text = std::to_string(made.examples.size()) + " questions over " +
                std::to_string(made.databases.size()) + " databases are in " + folder +
                "\n\nfathom spider-compare --gold " + shellWord(folder + "/dev_gold.sql") + " --tables " +
                shellWord(folder + "/tables.json") + " --predictions " +
                shellWord(folder + "/predictions/careful.sql") + " " +
                shellWord(folder + "/predictions/hasty.sql") + "\n";
  return output;
}

}  // namespace

Command spiderSampleCommandEntry() {
  return {
      .id = "spider-sample",
      .title = "Make Text-to-SQL data",
      .description = "Writes a small data set with databases and the predictions of two imaginary models.",
      .group = "Text-to-SQL",
      .fields = {pathField("folder", "Folder", "Where to write the made data."),
                 integerField("seed", "Seed", "The same seed makes the same data.", 1).between(0, 1e9)},
      .required = {"folder"},
      .positional = "folder",
      .needsProject = false,
      .changesData = true,
      .run = makeSample};
}

}  // namespace fathom
