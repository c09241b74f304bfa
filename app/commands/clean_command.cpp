// SPDX-License-Identifier: GPL-3.0-or-later
#include <filesystem>

#include "app/command.h"
#include "app/runs/run_json.h"
#include "app/text_table.h"
#include "core/base/files/path_facts.h"
#include "core/library/runs/project_cleaner.h"

namespace fathom {

namespace {

namespace fs = std::filesystem;

Result<CommandOutput> cleanProject(const CommandContext& context, Progress& progress, const StopToken& stop) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(context.project));
  CleanPolicy policy;
  policy.keep.keepLast = static_cast<int>(context.options.integer("keep-last"));
  policy.keep.keepBest = static_cast<int>(context.options.integer("keep-best"));
  policy.cache = context.options.flag("cache");
  policy.budgetBytes = static_cast<std::uint64_t>(context.options.integer("budget-gb")) << 30;
  FATHOM_TRY(const CleanPlan plan, planCleaning(*library, policy));
  const bool apply = context.options.flag("apply");
  std::uint64_t bytes = plan.freedBytes;
  if (apply) {
    FATHOM_TRY(bytes, clean(*library, plan, progress, stop));
  }
  CommandOutput output;
  TextTable table({"what", "MB", "why", "path"});
  output.json = {{"format", 1}, {"applied", apply}, {"bytes", bytes}, {"items", Json::array()}};
  output.json["cache_bytes"] = plan.cacheBytes;
  for (const CleanItem& item : plan.items) {
    if (apply && fileExists(item.path)) continue;  // in use meanwhile: it stayed
    output.json["items"].push_back(
        {{"kind", item.kind}, {"path", item.path}, {"bytes", item.bytes}, {"reason", item.reason.english()}});
    table.addRow(
        {item.kind, shownNumber(static_cast<double>(item.bytes) / 1e6), item.reason.english(), item.path});
  }
  output.text = output.json["items"].empty() ? "nothing to remove\n" : table.text();
  if (!output.json["items"].empty()) {
    const std::string size = shownNumber(static_cast<double>(bytes) / 1e6) + " MB";
    output.text += apply ? "removed " + size + "\n" : "would remove " + size + "; do it with --apply\n";
  }
  if (plan.cacheBytes > 0 && !policy.cache)
    output.text += shownNumber(static_cast<double>(plan.cacheBytes) / 1e6) +
                   " MB can be made again (states of frozen encoders, what executed predictions gave); "
                   "--cache removes them\n";
  return output;
}

}  // namespace

Command cleanCommandEntry() {
  return {.id = "clean",
          .title = "Clean up",
          .description =
              "Shows what could be removed (trash, half-written and damaged files, checkpoints of ended runs "
              "beyond those kept); --apply removes it.",
          .group = "Project",
          .fields = {integerField("keep-last", "Keep last", "Newest checkpoints of each run to keep.", 1)
                         .between(1, 1e6),
                     integerField("keep-best", "Keep best", "Best checkpoints of each run to keep.", 1)
                         .between(0, 1e6),
                     integerField("budget-gb", "Disk budget",
                                  "Remove only until the project is this many GiB; 0 has no budget.", 0)
                         .between(0, 1e6),
                     flagField("cache", "Kept states too",
                               "Also remove what is computed again when it is needed: states of frozen "
                               "encoders that runs share, what "
                               "executed predictions of reviews gave."),
                     flagField("apply", "Remove", "Remove instead of only showing.")},
          .changesData = true,
          .run = cleanProject};
}

}  // namespace fathom
