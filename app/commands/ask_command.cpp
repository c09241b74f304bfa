// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command.h"
#include "app/commands/run_control_commands.h"
#include "app/requests/prediction_servers.h"
#include "app/runs/run_control.h"
#include "core/base/errors/error_words.h"
#include "core/base/json/json_members.h"
#include "core/base/text/shown_value.h"

namespace fathom {

namespace {

constexpr std::int64_t kLongestKeepSeconds = 24 * 3600;
// The engine ends with the command unless it is to be kept; this is for a command that is killed.
constexpr std::int64_t kForgottenSeconds = 120;

ServeRequest requestOf(const OptionValues& options) {
  ServeRequest request;
  request.id = 1;
  const std::string question = options.text("question"), database = options.text("database");
  request.items = {database.empty() ? Json(question) : Json{{"database", database}, {"question", question}}};
  if (options.integer("beam") > 0)
    request.set.push_back("predict.beam=" + std::to_string(options.integer("beam")));
  for (const std::string& assignment : options.texts("set")) request.set.push_back(assignment);
  return request;
}

Phrase withoutNumber(Phrase phrase) {
  if (phrase.text == kNumberedItem.english && phrase.parts.size() == 2) return phrase.parts[1];
  if (!phrase.parts.empty()) phrase.parts.front() = withoutNumber(phrase.parts.front());
  return phrase;
}

// The server counts what it is asked; whoever asks one thing knows it by its words.
Error aboutQuestion(const Error& error, const std::string& question) {
  if (error.kind != ErrorKind::Data) return error;
  return withMessage(error,
                     Phrase::tr("\"%1\": %2")(shownValue(question), withoutNumber(error.messagePhrase())));
}

Result<CommandOutput> askRun(const CommandContext& context, Progress& progress, const StopToken& stop) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(context.project));
  FATHOM_TRY(const RunRow row, findRunOrQueued(*library, context.options.text("run")));
  const std::int64_t keep = context.options.integer("keep");
  PredictionServers servers({keep > 0 ? keep : kForgottenSeconds, keep > 0});
  const Result<Json> asked =
      servers.ask(row.path, context.options.text("checkpoint"), requestOf(context.options), progress, stop);
  if (!asked.ok()) return aboutQuestion(asked.error(), context.options.text("question"));
  const Json& reply = *asked;
  CommandOutput output;
  output.json["format"] = 1;
  for (const char* key : {"run", "checkpoint", "task", "decoding", "results", "seconds"})
    output.json[key] = reply.value(key, Json());
  for (const Json& result : memberList(reply, "results")) output.text += memberText(result, "text") + "\n";
  return output;
}

}  // namespace

Command askCommandEntry() {
  Command command;
  command.id = "ask";
  command.title = "Ask a run";
  command.description = "What the model of a run answers to one line, such as the SQL of a question.";
  command.group = "Run";
  command.fields = {
      runField(),
      textField("question", "Line or question",
                "A line as fathom-engine predict takes it; with a database the question "
                "alone."),
      textField("database", "Database", "Id of the database that a question is about."),
      textField("checkpoint", "Checkpoint", "Number of updates, name or best; otherwise the newest."),
      integerField("beam", "Beam", "Hypotheses of the search; 0: as the run has it.", 0).between(0, 1000),
      listField("set", "Options of the decoding",
                "key=value of an option that begins with predict., such as predict.temperature=0.7; may be "
                "repeated."),
      integerField("keep", "Keep warm",
                   "The model stays loaded for so long after the last question; 0: it "
                   "goes at once.",
                   0)
          .unit("s")
          .between(0, static_cast<double>(kLongestKeepSeconds))};
  command.required = {"run", "question"};
  command.positional = "question";
  command.run = askRun;
  return command;
}

}  // namespace fathom
