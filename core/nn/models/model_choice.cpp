// SPDX-License-Identifier: Apache-2.0
#include "core/nn/models/model_choice.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "core/base/errors/error_key.h"
#include "core/base/errors/phrase.h"
#include "core/base/text/text_list.h"
#include "core/nn/models/head.h"

namespace fathom {

namespace {

using Test = OptionClause::Test;

bool fits(const ModelEntry& model, const std::string& head) {
  if (model.prefix.empty()) return false;
  const std::vector<HeadEntry> fitting = headsFor(model.offers);
  return findEntry(fitting, head) != nullptr && hasOption(model, "head");
}

bool fitsAny(const ModelEntry& model, const std::vector<std::string>& heads) {
  return std::any_of(heads.begin(), heads.end(), [&](const std::string& head) { return fits(model, head); });
}

// Prefixes of the options of models that satisfy, each once, in the order of the list.
std::vector<const ModelEntry*> readers(const std::function<bool(const ModelEntry&)>& satisfy) {
  std::vector<const ModelEntry*> found;
  std::set<std::string> seen;
  for (const ModelEntry& model : modelEntries())
    if (!model.prefix.empty() && satisfy(model) && seen.insert(model.prefix).second) found.push_back(&model);
  return found;
}

const ModelEntry* chosenModel(const OptionValues& options) {
  return findEntry(modelEntries(), options.text("model"));
}

std::string orJoined(const std::vector<Json>& ids) {
  return joined(ids, " or ", [](const Json& id) { return id.get<std::string>(); });
}

}  // namespace

bool hasOption(const ModelEntry& model, const std::string& name) {
  const std::string key = model.prefix + "." + name;
  const std::vector<OptionField> fields = model.fields();
  return std::any_of(fields.begin(), fields.end(),
                     [&](const OptionField& field) { return field.key == key; });
}

void addRules(std::vector<OptionRule>& rules, std::vector<OptionRule> more) {
  rules.insert(rules.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

std::vector<Json> modelsThat(const std::function<bool(const ModelEntry&)>& satisfy) {
  std::vector<Json> ids;
  for (const ModelEntry& model : modelEntries())
    if (satisfy(model)) ids.emplace_back(model.id);
  return ids;
}

OptionClause modelThat(const std::function<bool(const ModelEntry&)>& satisfy) {
  return {"model", Test::In, modelsThat(satisfy)};
}

OptionClause modelNotGiving(Representation wanted) {
  return {"model", Test::NotIn, modelsThat([&](const ModelEntry& model) { return model.gives(wanted); })};
}

std::string whoGives(Representation wanted) {
  return orJoined(modelsThat([&](const ModelEntry& model) { return model.gives(wanted); }));
}

OptionRule modelForHeads(const std::vector<std::string>& heads, const char* reason) {
  return {.when = {{"model", Test::NotIn,
                    modelsThat([&](const ModelEntry& model) { return fitsAny(model, heads); })}},
          .reason = reason,
          .keys = {"model"}};
}

std::string whoTakes(const std::string& head) {
  return orJoined(modelsThat([&](const ModelEntry& model) { return fits(model, head); }));
}

std::vector<OptionRule> headRules(const std::vector<std::string>& heads, const char* reason) {
  std::vector<OptionRule> rules;
  for (const ModelEntry* model : readers([&](const ModelEntry& each) { return fitsAny(each, heads); })) {
    const std::string key = model->prefix + ".head";
    rules.push_back(
        {.when = {{key, Test::NotIn, {heads.begin(), heads.end()}}}, .reason = reason, .keys = {key}});
  }
  return rules;
}

std::vector<OptionRule> readingRules(const std::vector<std::string>& heads, const std::string& name,
                                     OptionClause::Test test, const Json& value, const OptionPredicate& more,
                                     const char* reason, const std::vector<std::string>& keys) {
  std::vector<OptionRule> rules;
  const auto reads = [&](const ModelEntry& each) { return fitsAny(each, heads) && hasOption(each, name); };
  for (const ModelEntry* model : readers(reads)) {
    const std::string key = model->prefix + "." + name;
    OptionRule rule{.when = {{key, test, {value}}}, .reason = reason, .keys = {key}};
    rule.when.insert(rule.when.end(), more.begin(), more.end());
    rule.keys.insert(rule.keys.begin(), keys.begin(), keys.end());
    rules.push_back(std::move(rule));
  }
  return rules;
}

std::vector<OptionRule> readingRulesUnder(const std::vector<std::string>& heads, const std::string& name,
                                          OptionClause::Test test, const Json& value, const char* reason) {
  std::vector<OptionRule> rules = readingRules(heads, name, test, value, {}, reason);
  for (OptionRule& rule : rules) {
    const std::string prefix = rule.keys.front().substr(0, rule.keys.front().size() - name.size());
    rule.when.push_back({prefix + "head", Test::In, {heads.begin(), heads.end()}});
  }
  return rules;
}

std::vector<OptionClause> headClauses(const std::vector<std::string>& heads) {
  std::vector<OptionClause> clauses;
  for (const ModelEntry* model : readers([&](const ModelEntry& each) { return fitsAny(each, heads); }))
    clauses.push_back({model->prefix + ".head", Test::In, {heads.begin(), heads.end()}});
  return clauses;
}

namespace {

// Words of the option "<prefix>.positions" and the row that the first token reads; BERT's models have them.
struct FirstRow {
  const char* positions;
  int before;
  const char* reason;
};
constexpr FirstRow kFirstRows[] = {
    {"row", 0, "the position table needs a row for every token of the longest example"},
    // Its first row is behind that of the padding, which is at least 0.
    {"non_pad", 1, "RoBERTa's position table needs more rows than the longest example has tokens"},
    {"row_from_two", 2, "positions from row 2 need two rows more than the longest example has tokens"}};

OptionRule shortTable(const std::string& prefix, const FirstRow& first, const std::string& lengthKey) {
  const std::string rows = prefix + ".max_positions";
  return {.when = {{rows, Test::AtMost, {Json{{"key", lengthKey}, {"plus", first.before - 1}}}}},
          .reason = first.reason,
          .keys = {rows, lengthKey}};
}

}  // namespace

std::vector<OptionRule> positionTableRules(const std::string& lengthKey) {
  std::vector<OptionRule> rules;
  for (const ModelEntry* model :
       readers([](const ModelEntry& each) { return hasOption(each, "max_positions"); })) {
    if (!hasOption(*model, "positions")) {
      rules.push_back(shortTable(model->prefix, kFirstRows[0], lengthKey));
      continue;
    }
    for (const FirstRow& first : kFirstRows) {
      OptionRule rule = shortTable(model->prefix, first, lengthKey);
      rule.when.insert(rule.when.begin(), {model->prefix + ".positions", Test::In, {first.positions}});
      rules.push_back(std::move(rule));
    }
  }
  return rules;
}

Status checkPositionTable(const OptionValues& options, std::int64_t longest, std::int64_t padId,
                          const std::string& lengthKey) {
  const std::string key = readingKey(options, "max_positions"), which = readingKey(options, "positions");
  if (key.empty()) return {};
  const std::string rule = which.empty() ? "row" : options.text(which);
  const std::int64_t first = rule == "row" ? 0 : rule == "non_pad" ? padId + 1 : 2;
  const std::int64_t needed = first + longest, rows = options.integer(key);
  if (needed <= rows) return {};
  return aboutKey(key, usageError(Phrase::tr("%1=%2: the longest example needs %3")(key, rows, needed),
                                  Phrase::tr("raise it, or lower %1")(lengthKey)));
}

std::string readingKey(const OptionValues& options, const std::string& name) {
  const ModelEntry* model = chosenModel(options);
  if (model == nullptr || model->prefix.empty()) return {};
  const std::string key = model->prefix + "." + name;
  return options.schema().find(key) != nullptr ? key : std::string();
}

std::int64_t globalRun(const OptionValues& options) {
  const std::string key = readingKey(options, "global_run");
  return key.empty() ? 0 : options.integer(key);
}

bool decidesEncoder(const OptionValues& options, const std::string& key) {
  const ModelEntry* model = chosenModel(options);
  if (key == readingKey(options, "weights") || key == readingKey(options, "row_groups")) return false;
  return key.starts_with("encoder.") || key == "model.heads" || key == "model.activation" ||
         (model != nullptr && !model->prefix.empty() && key.starts_with(model->prefix + "."));
}

}  // namespace fathom
