// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/options/option_field.h"
#include "core/nn/models/model_entry.h"
#include "core/nn/models/representation.h"

namespace fathom {

// The model as what it can do (SequenceModel, EncoderModel, LongModel, QueryModel); null where it cannot.
// Objectives ask with this and never for a network by its class.
template <typename Interface>
const Interface* capability(const Model& model) {
  return dynamic_cast<const Interface*>(&model);
}

void addRules(std::vector<OptionRule>& rules, std::vector<OptionRule> more);

// What objectives and initialisations ask of the choice of a model, by what models give and not by their
// names: clauses and rules over the options, and the options of the model that is chosen.

// The ids of the models that satisfy, as values of the option `model`.
std::vector<Json> modelsThat(const std::function<bool(const ModelEntry&)>& satisfy);
OptionClause modelThat(const std::function<bool(const ModelEntry&)>& satisfy);
OptionClause modelNotGiving(Representation wanted);
// "a or b": the models that give it.
std::string whoGives(Representation wanted);

// A model on which one of these heads fits; else `reason`.
OptionRule modelForHeads(const std::vector<std::string>& heads, const char* reason);
std::string whoTakes(const std::string& head);
// On every such model the option for the head must name one of them; else `reason`.
std::vector<OptionRule> headRules(const std::vector<std::string>& heads, const char* reason);
// On every model on which one of these heads fits and that has the option "<prefix>.<name>": `test` of that
// option, with `more`, is refused. Marked are it, and `keys`.
std::vector<OptionRule> readingRules(const std::vector<std::string>& heads, const std::string& name,
                                     OptionClause::Test test, const Json& value, const OptionPredicate& more,
                                     const char* reason, const std::vector<std::string>& keys = {});
// The same while the head is one of `heads`.
std::vector<OptionRule> readingRulesUnder(const std::vector<std::string>& heads, const std::string& name,
                                          OptionClause::Test test, const Json& value, const char* reason);
// For every model on which one of these heads fits: the option "<prefix>.head" is one of them.
std::vector<OptionClause> headClauses(const std::vector<std::string>& heads);

// Of a task whose rows go through a table of positions and have at most as many tokens as option `lengthKey`
// says: a table that is too short is refused, whichever row it begins with.
std::vector<OptionRule> positionTableRules(const std::string& lengthKey);
// The same of data that are read: `longest` tokens, and the id of padding. Usage error with its key.
Status checkPositionTable(const OptionValues& options, std::int64_t longest, std::int64_t padId,
                          const std::string& lengthKey);

// "<prefix>.<name>" of the chosen model, "" where it has no such option.
std::string readingKey(const OptionValues& options, const std::string& name);
// Tokens for a global one where the data bring none (docs/long_inputs.md); 0 of a model of one stream.
std::int64_t globalRun(const OptionValues& options);
// Whether the option decides the states of the encoder of the chosen model, its weights left out.
bool decidesEncoder(const OptionValues& options, const std::string& key);

}  // namespace fathom
