// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <chrono>

#include "app/predictions/spider_inputs.h"
#include "app/text_table.h"
#include "core/base/files/atomic_file.h"
#include "core/base/options/field_builder.h"
#include "core/review/spider_values.h"
#include "core/spider/data/spider_tables.h"
#include "core/spider/grammar/spider_filter.h"
#include "core/spider/inputs/schema_relations.h"
#include "core/spider/linking/linking_report.h"

namespace fathom {

namespace {

using FoundCounts = std::array<std::int64_t, kFoundBy>;

bool isNone(const FoundCounts& counts) {
  return std::all_of(counts.begin(), counts.end(), [](std::int64_t count) { return count == 0; });
}

std::string shareText(const FoundCounts& counts, std::size_t kind) {
  return isNone(counts) ? "-" : percentText(LinkingShares::share(counts, kind) / 100);
}

Json sharesJson(const FoundCounts& counts) {
  Json out = Json::object();
  for (std::size_t kind = 0; kind < kFoundBy; ++kind)
    out[foundByName(kind)] = isNone(counts) ? Json() : Json(LinkingShares::share(counts, kind));
  return out;
}

std::string sharesText(const LinkingShares& shares) {
  TextTable table({"found", "gold columns %", "gold tables %", "columns per question"});
  for (std::size_t kind = 0; kind < kFoundBy; ++kind) {
    char perExample[32];
    std::snprintf(perExample, sizeof perExample, "%.2f",
                  static_cast<double>(shares.columns[kind]) /
                      static_cast<double>(std::max<std::int64_t>(1, shares.examples)));
    table.addRow({foundByName(kind), shareText(shares.goldColumns, kind), shareText(shares.goldTables, kind),
                  perExample});
  }
  return table.text();
}

// Seconds of one piece of work after the other.
class Laps {
 public:
  void end(const char* what) {
    const Clock::time_point now = Clock::now();
    m_seconds[what] = std::chrono::duration<double>(now - m_begun).count();
    m_begun = now;
  }
  const Json& seconds() const { return m_seconds; }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point m_begun = Clock::now();
  Json m_seconds = Json::object();
};

Result<SpiderValues> valuesFor(const CommandContext& context, const SpiderDatabaseIds& ids,
                               const SpiderDatabaseIds& all, Progress& progress, const StopToken& stop) {
  SqlRunPoolOptions pool;
  pool.workers = static_cast<int>(context.options.integer("workers"));
  const ValueSources sources = {context.options.text("databases"), context.options.text("values")};
  return spiderValues(sources, ids, all, pool, progress, stop);
}

Result<CommandOutput> linkQuestions(const CommandContext& context, Progress& progress,
                                    const StopToken& stop) {
  const std::string asked = context.options.text("linking");
  Laps laps;
  FATHOM_TRY(const SpiderDataset dataset, readSpiderDataset(context.options.text("data")));
  SpiderDatabaseIds ids, all;
  for (const auto& example : dataset.examples) ids.insert(example.dbId);
  // A file of links may be of more than this data.
  FATHOM_TRY(const SpiderSchemas schemas,
             asked == "file" ? readSpiderTables(context.options.text("tables"))
                             : readSpiderTablesOf(context.options.text("tables"), ids, &all));
  SpiderValues values;
  if (asked != "file") {  // which has them
    FATHOM_TRY(values, valuesFor(context, ids, all, progress, stop));
  }
  laps.end("reading");
  LinkingSources sources;
  sources.schemas = &schemas;
  sources.values = &values.values;
  sources.wordnet = context.options.text("wordnet");
  sources.links = context.options.text("links");
  sources.concepts = context.options.text("concepts");
  FATHOM_TRY(const OpenedLinker opened, openSchemaLinker(asked, sources));
  std::vector<std::string> notes = std::move(values.notes);
  if (!opened.note.empty()) notes.insert(notes.begin(), opened.note.english());
  laps.end("linker");
  const std::string out = context.options.text("out");
  SpiderDataset tokenised = dataset;
  for (SpiderExample& example : tokenised.examples)
    if (example.questionTokens.empty()) example.questionTokens = wordsOfText(example.question);
  FATHOM_TRY(const FilteredSpider training,
             filterSpider(tokenised, schemas, SpiderFilterRules::training(), 1, stop));
  FATHOM_TRY(const FilteredSpider evaluation,
             filterSpider(tokenised, schemas, SpiderFilterRules::evaluation(), 1, stop));
  std::vector<bool> trained;
  for (const GoldExample& example : training.examples) trained.push_back(example.fate == ExampleFate::Kept);
  FATHOM_TRY(LinkingReport report,
             linkDataset(*opened.linker, dataset, schemas, !out.empty(), progress, stop, trained));
  laps.end("linking");
  if (!out.empty())
    FATHOM_CHECK(writeNamedFile(out, linkFileHead(opened.used, dataset.sha256) + report.lines));
  notes.insert(notes.end(), report.notes.begin(), report.notes.end());
  for (const auto& note : notes) context.say(note);
  CommandOutput output;
  const LinkingShares& shares = report.shares;
  output.json["examples"] = dataset.examples.size();
  output.json["linking"] = {{"used", opened.used},
                            {"asked", asked},
                            {"linked", shares.examples},
                            {"with_gold", shares.withGold},
                            {"gold_columns", sharesJson(shares.goldColumns)},
                            {"gold_tables", sharesJson(shares.goldTables)},
                            {"columns", sharesJson(shares.columns)},
                            {"trained_on",
                             {{"linked", report.chosen.examples},
                              {"gold_columns", sharesJson(report.chosen.goldColumns)},
                              {"gold_tables", sharesJson(report.chosen.goldTables)}}}};
  output.json["relations"] = {{"schemas", schemas.size()}, {"counts", itemRelationCounts(schemas)}};
  output.json["filter"] = {{"training", filterJson(training)}, {"evaluation", filterJson(evaluation)}};
  output.json["values_made"] = values.made;
  output.json["seconds"] = laps.seconds();
  output.json["notes"] = Json(notes);
  output.text = sharesText(shares) + "\n" + std::to_string(shares.examples) + " of " +
                std::to_string(dataset.examples.size()) + " questions linked (" + opened.used + ")\n" +
                std::to_string(training.count(ExampleFate::Kept)) + " can be trained on, " +
                std::to_string(evaluation.count(ExampleFate::Kept)) + " evaluated\n";
  if (values.made) output.wrote(context.options.text("values"));
  if (!out.empty()) output.wrote(out);
  return output;
}

}  // namespace

Command spiderLinkCommandEntry() {
  return {
      .id = "spider-link",
      .title = "Link questions to schemas",
      .description =
          "Finds which words of a question name which columns and tables, and says how often gold's are "
          "found.",
      .group = "Text-to-SQL",
      .fields = {pathField("data", "Data", "Spider's examples: train_spider.json, dev.json; also as .gz."),
                 pathField("tables", "Schemas", "Spider's tables.json."),
                 pathField(
                     "databases", "Databases",
                     "Folder with <db_id>/<db_id>.sqlite, whose values are linked; empty links names alone."),
                 pathField("values", "Values file",
                           "Where the values of the databases are kept, so that they are read once; made "
                           "anew when the databases have changed."),
                 choiceField("linking", "Linking", "Whose rules decide what is linked.", schemaLinkings()),
                 pathField("wordnet", "WordNet",
                           "Folder with WordNet's files (Debian package wordnet-base); where it is absent "
                           "stems are used.",
                           kWordnetFolder),
                 pathField("concepts", "Concepts",
                           "JSON with what phrases are and are related to (ConceptNet), for DT-Fixup's "
                           "rules; empty does without."),
                 pathField("links", "File of links", "The links of linking \"file\", one question per line."),
                 integerField("workers", "Workers", "Processes that read databases at the same time.", 2)
                     .between(1, 64),
                 pathField("out", "Write links to",
                           "Where to write the links as JSON lines, to look at, edit and use.")},
      .required = {"data", "tables"},
      .needsProject = false,
      .writes = {"out"},
      .run = linkQuestions};
}

}  // namespace fathom
