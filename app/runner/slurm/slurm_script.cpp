// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/slurm/slurm_script.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "app/runner/ssh/ssh_line.h"
#include "core/base/errors/error_key.h"
#include "core/base/json/json_members.h"
#include "core/base/options/field_builder.h"
#include "core/base/text/number_text.h"
#include "core/base/text/text_list.h"
#include "core/machine/sampling_wish.h"

namespace fathom {

namespace {

struct SlurmOption {
  const char* key;       // of the place
  const char* option;    // of sbatch
  const char* variable;  // that would override it
};

constexpr SlurmOption kSlurmOptions[] = {{"partition", "partition", "SBATCH_PARTITION"},
                                         {"account", "account", "SBATCH_ACCOUNT"},
                                         {"qos", "qos", "SBATCH_QOS"},
                                         {"gres", "gres", "SBATCH_GRES"},
                                         {"cpus", "cpus-per-task", "SBATCH_CPUS_PER_TASK"},
                                         {"memory", "mem", "SBATCH_MEM_PER_NODE"},
                                         {"time", "time", "SBATCH_TIMELIMIT"},
                                         {"constraint", "constraint", "SBATCH_CONSTRAINT"}};

// In the head of a script they would change what the launcher relies upon.
constexpr std::array<std::string_view, 14> kOurs = {
    "--open-mode", "--signal", "--requeue", "--no-requeue", "--array", "-a",     "--comment",
    "--output",    "-o",       "--error",   "-e",           "--wrap",  "--hold", "--parsable"};

std::string quoted(const std::string& text) {
  std::string inside = text;
  replaceAll(inside, "'", "'\\''");
  return "'" + inside + "'";
}

bool isOneWord(const std::string& text) {
  return std::none_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isspace(c) != 0 || c < 0x20 || c == '"' || c == '\'' || c == '\\' || c == '#' || c == '%';
  });
}

// Seconds of "90", "1:30", "2:00:00", "1-12", "1-12:30:00"; nothing where it is none of them.
std::optional<std::int64_t> secondsOf(std::string_view text) {
  std::int64_t days = 0;
  const std::size_t dash = text.find('-');
  if (dash != std::string_view::npos) {
    const auto count = numberFrom<std::int64_t>(text.substr(0, dash));
    if (!count) return std::nullopt;
    days = *count;
    text.remove_prefix(dash + 1);
  }
  std::vector<std::int64_t> parts;
  for (const std::string_view part : splitAt(text, ':')) {
    const auto number = numberFrom<std::int64_t>(part);
    if (!number || *number < 0) return std::nullopt;
    parts.push_back(*number);
  }
  if (parts.empty() || parts.size() > 3) return std::nullopt;
  if (dash != std::string_view::npos) {
    parts.resize(3);
    return days * 86400 + parts[0] * 3600 + parts[1] * 60 + parts[2];
  }
  if (parts.size() == 3) return parts[0] * 3600 + parts[1] * 60 + parts[2];
  return parts[0] * 60 + (parts.size() == 2 ? parts[1] : 0);
}

Status checkTime(const PlaceRecord& record) {
  const std::string time = record.resources.text("time");
  if (time.empty() || time == "UNLIMITED" || time == "INFINITE") return {};
  const auto seconds = secondsOf(time);
  if (!seconds)
    return aboutKey("time", dataError(Phrase::tr("'time' is no time of Slurm: %1")(time),
                                      Phrase::tr("such as 90 (minutes), 4:00:00 or 1-12:00:00")));
  const std::int64_t before = record.limits.integer("signal_seconds");
  if (*seconds > before) return {};
  return aboutKey("time", dataError(Phrase::tr("'time' is %1, and the engine is told to save %2 s before its "
                                               "end: no time is left to train")(time, before),
                                    Phrase::tr("give more time, or a smaller limit signal_seconds")));
}

Status checkHeadLine(const std::string& line) {
  if (!line.starts_with("#"))
    return aboutKey("head", dataError(Phrase::tr("a line of the script's head begins with #SBATCH: %1")(line),
                                      Phrase::tr("lines of the shell belong to 'before'")));
  for (const std::string_view word : splitAt(line, ' ')) {
    const std::string_view name = word.substr(0, word.find('='));
    const bool ours = std::find(kOurs.begin(), kOurs.end(), name) != kOurs.end();
    const bool shortForm = line.starts_with("#SBATCH") && word.size() > 2 && word[1] != '-' &&
                           (word.starts_with("-a") || word.starts_with("-o") || word.starts_with("-e"));
    if (ours || shortForm)
      return aboutKey("head", dataError(Phrase::tr("the head of the script sets %1, which is relied upon: "
                                                   "%2")(std::string(name), line),
                                        Phrase::tr("leave the line out")));
  }
  return {};
}

std::string caseLine(std::size_t index, const JobRequest& request) {
  if (request.runPath.empty()) return std::to_string(index) + ") exit 0 ;;\n";
  return std::to_string(index) + ") run=" + quoted(request.runPath) + " uuid=" + quoted(request.uuid) +
         " config=" + quoted(request.configPath) + " messages=" + quoted(request.stderrPath) +
         " load=" + samplingWish(request.neededBytes) + " ;;\n";
}

// The command of every life. A stop that a person asked for is none of a limit: the outcome says who did.
constexpr const char* kLife = R"(words=(train --or-resume --run "$run" --uuid "$uuid")
[ -z "$config" ] || words+=(--config "$config")
rm -f "$folder/$task.code"
mkdir -p "${run%/*}"
srun "${ranks[@]}" --cpus-per-task="${SLURM_CPUS_PER_TASK:-1}" --mpi=none --kill-on-bad-exit=1 \
  bash -c 'exec "$@" </dev/null >/dev/null 2>>"$0"' "$messages" "$engine" "${words[@]}"
code=$?
if [ "$code" = 10 ]; then
  last=$(ls -d "$run"/attempts/[0-9]* | tail -n 1)
  if grep -q '"asked_by": *"SIGTERM"' "$last/outcome.json"; then
    scontrol requeue "${SLURM_ARRAY_JOB_ID:+${SLURM_ARRAY_JOB_ID}_}${SLURM_ARRAY_TASK_ID:-$SLURM_JOB_ID}" && sleep 600
  fi
fi
echo "$code" >"$folder/$task.code.new" && mv "$folder/$task.code.new" "$folder/$task.code"
exit "$code"
)";

// Two that ask for one submission do it one after the other, and the second is told what the first was: one
// may have been cut off from us, or its runner killed, while it waits for Slurm. A file system without locks
// has none of that.
constexpr const char* kSubmitOnce = R"(folder=$1
shift
exec 9>>"$folder/lock" || exit 1
if command -v flock >/dev/null; then
  flock -w 45 9
  if [ $? = 1 ]; then
    echo "Socket timed out: it is being submitted" >&2
    exit 1
  fi
fi
if [ -s "$folder/job" ]; then exec cat "$folder/job"; fi
"$@" >"$folder/answer"
code=$?
cat "$folder/answer"
if [ "$code" = 0 ] && grep -q '^[0-9]' "$folder/answer"; then mv "$folder/answer" "$folder/job"; fi
exit "$code"
)";

}  // namespace

std::vector<OptionField> slurmResources() {
  std::vector<OptionField> fields = {
      textField("partition", "Partition", "Partition that jobs go to; empty: the site's default."),
      textField("account", "Account", "Account that is charged."),
      textField("qos", "Quality of service", "QOS of the jobs."),
      textField("gres", "Devices", "Generic resources of a run, such as gpu:1."),
      integerField("nodes", "Nodes",
                   "Nodes over which the processes of a run (parallel.ranks) are shared out evenly; a run of "
                   "one process takes one.",
                   1)
          .between(1, 1024),
      integerField(
          "cpus", "Processors",
          "Processors of a run, which are its threads; with several nodes, of each of its processes.", 1)
          .atLeast(1),
      textField("memory", "Memory", "Memory of a run, such as 16G; empty: the site's default."),
      textField("time", "Time limit", "Time of one life of a run, such as 4:00:00; it goes on in another."),
      textField("constraint", "Constraint", "Features that the node must have.")};
  for (OptionField& field : hostFields()) fields.push_back(std::move(field));
  return fields;
}

std::vector<OptionField> slurmLimits() {
  return {
      integerField("running", "Running at once", "Runs of one grid at the same time; 0: as many as fit.", 0)
          .atLeast(0),
      integerField("signal_seconds", "Seconds before the end",
                   "The engine is told to save so long before its time limit: the time of a save and a "
                   "minute more.",
                   120)
          .between(1, 65535)
          .unit("s"),
      integerField("array", "Jobs of an array", "Larger grids are submitted as several arrays.", 1000)
          .atLeast(1),
      integerField("forget_seconds", "Memory of the site",
                   "Seconds for which the site remembers a job that has ended (MinJobAge), and the delay of "
                   "its disk.",
                   360)
          .atLeast(0)
          .unit("s")};
}

Status checkSlurmPlace(const PlaceRecord& record) {
  const bool ofHost = !record.resources.text("host").empty();
  if (ofHost) FATHOM_CHECK(checkHostFields(record));
  for (const SlurmOption& option : kSlurmOptions) {
    if (std::string_view(option.key) == "cpus") continue;
    const std::string value = record.resources.text(option.key);
    if (!isOneWord(value))
      return aboutKey(option.key, dataError(Phrase::tr("'%1' is not one word: %2")(option.key, value)));
  }
  FATHOM_CHECK(checkTime(record));
  for (const std::string& line : record.head) FATHOM_CHECK(checkHeadLine(line));
  if (!ofHost && !record.root.empty())
    return aboutKey("root",
                    dataError(Phrase::tr("'root' is said of a place that shares this disk: %1")(record.root),
                              Phrase::tr("leave it out, or name a host: --set host=NAME")));
  return {};
}

std::string slurmComment(const std::string& uuid) {
  return "fathom:" + uuid;
}

std::vector<std::string> sbatchWords(const PlaceRecord& record, const SlurmSending& sending) {
  std::vector<std::string> words = {
      "--parsable",         "--comment=" + slurmComment(sending.uuid),
      "--requeue",          "--open-mode=append",
      "--output=/dev/null", "--signal=TERM@" + std::to_string(record.limits.integer("signal_seconds"))};
  const std::int64_t running = record.limits.integer("running");
  if (sending.requests.size() > 1)
    words.push_back("--array=0-" + std::to_string(sending.requests.size() - 1) +
                    (running > 0 ? "%" + std::to_string(running) : ""));
  return words;
}

std::vector<std::string> srunWords(const PlaceRecord& record) {
  const bool several = record.resources.integer("nodes") > 1;
  std::vector<std::string> words = {"srun", "--mpi=none", "--job-name=fathom", "--immediate=30"};
  words.emplace_back(several ? "--ntasks=2" : "--ntasks=1");
  if (several) words.emplace_back("--nodes=2");
  for (const SlurmOption& option : kSlurmOptions)
    if (const std::string value = asText(record.resources.value(option.key)); !value.empty())
      words.push_back("--" + std::string(option.option) + "=" + value);
  return words;
}

std::vector<std::string> submitOnceWords(const std::string& folder, std::vector<std::string> words) {
  std::vector<std::string> all = {"/bin/sh", "-c", kSubmitOnce, "sh", folder};
  for (std::string& word : words) all.push_back(std::move(word));
  return all;
}

// Lines of the head with quotation marks are for a shell to take apart: they are left out.
std::vector<std::string> slurmTrialWords(const PlaceRecord& record) {
  std::vector<std::string> words = {"sbatch", "--test-only", "--job-name=fathom", "--output=/dev/null"};
  for (const SlurmOption& option : kSlurmOptions)
    if (const std::string value = asText(record.resources.value(option.key)); !value.empty())
      words.push_back(std::string("--") + option.option + "=" + value);
  if (record.resources.integer("nodes") > 1)
    words.push_back("--nodes=" + std::to_string(record.resources.integer("nodes")));
  for (std::string_view line : record.head) {
    constexpr std::string_view kStart = "#SBATCH ";
    if (!line.starts_with(kStart) || line.find_first_of("\"'") != std::string_view::npos) continue;
    for (const std::string_view word : splitAt(line.substr(kStart.size()), ' '))
      if (!word.empty()) words.emplace_back(word);
  }
  words.emplace_back("--wrap=true");
  return words;
}

std::vector<std::string> overridingVariables(const PlaceRecord& record) {
  std::vector<std::string> names;
  for (const SlurmOption& option : kSlurmOptions)
    if (!asText(record.resources.value(option.key)).empty()) names.emplace_back(option.variable);
  return names;
}

Result<SlurmSpread> slurmSpread(const PlaceRecord& record, const JobRequest& request) {
  const auto nodes = static_cast<int>(record.resources.integer("nodes"));
  if (nodes == 1 || request.ranks == 1) return SlurmSpread();
  if (request.ranks % nodes == 0) return SlurmSpread{nodes, request.ranks / nodes};
  return usageError(
      Phrase::tr("the %1 processes of the run (parallel.ranks) cannot be shared out evenly over "
                 "the %2 nodes of place '%3'")(request.ranks, nodes, record.id),
      Phrase::tr("take a multiple of %1 processes, or another number of nodes")(nodes));
}

std::string slurmScript(const PlaceRecord& record, const SlurmSending& sending) {
  const SlurmSpread spread = slurmSpread(record, sending.requests.front()).value();
  const std::string nodes = "--nodes=" + std::to_string(spread.nodes),
                    each = "--ntasks-per-node=" + std::to_string(spread.each);
  std::string text = "#!/bin/bash\n# " + slurmComment(sending.uuid) + ", place " + record.id +
                     ", submitted with: sbatch " + joined(sbatchWords(record, sending), " ") + "\n";
  text += "#SBATCH --job-name=fathom\n";
  for (const SlurmOption& option : kSlurmOptions)
    if (const std::string value = asText(record.resources.value(option.key)); !value.empty())
      text += std::string("#SBATCH --") + option.option + "=" + value + "\n";
  if (spread.nodes > 1) text += "#SBATCH " + nodes + "\n#SBATCH " + each + "\n";
  for (const std::string& line : record.head) text += line + "\n";
  text += "\nfolder=" + quoted(sending.folder) + "\nengine=" + quoted(sending.requests.front().enginePath) +
          "\ntask=${SLURM_ARRAY_TASK_ID:-0}\nexec >>\"$folder/$task.log\" 2>&1 || exit 1\ncase $task in\n";
  for (std::size_t i = 0; i < sending.requests.size(); ++i) text += caseLine(i, sending.requests[i]);
  const std::string all = "--ntasks=" + std::to_string(spread.nodes * spread.each);
  text += "esac\nranks=(" + (spread.nodes > 1 ? nodes + " " + each + " " + all : all) + ")\n";
  text += "export OMP_NUM_THREADS=${SLURM_CPUS_PER_TASK:-1} CUBLAS_WORKSPACE_CONFIG=:4096:8 " +
          std::string(kSamplingVariable) + "=$load\n";
  for (const std::string& line : record.before) text += line + "\n";
  return text + kLife;
}

std::string slurmSampleScript(const PlaceRecord& record) {
  JobRequest request;
  request.enginePath = "ENGINE";
  request.runPath = "RUN";
  request.uuid = "UUID";
  request.configPath = "CONFIGURATION";
  request.stderrPath = "MESSAGES";
  request.ranks = static_cast<int>(record.resources.integer("nodes"));
  return slurmScript(record, {"SUBMISSION", "FOLDER", {&request, 1}});
}

}  // namespace fathom
