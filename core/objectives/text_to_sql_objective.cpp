// SPDX-License-Identifier: Apache-2.0
// Questions to SQL: loss of whole derivations, nll of rules and of columns apart, search over the grammar
// with the validity filter (docs/models.md §5, docs/decoding.md §2).
#include <algorithm>
#include <map>

#include "core/base/errors/error_key.h"
#include "core/base/errors/phrase.h"
#include "core/base/options/decoding_keys.h"
#include "core/decode/grammar_beam.h"
#include "core/nn/models/model_choice.h"
#include "core/nn/models/query_model.h"
#include "core/objectives/encoder_features.h"
#include "core/objectives/part_evaluation.h"
#include "core/objectives/sql_batch_inputs.h"
#include "core/spider/grammar/search_details.h"
#include "core/spider/grammar/sql_tree.h"
#include "core/spider/spider_schema.h"

namespace fathom {

namespace {

// The content of a batch is documented in core/tasks/text_to_sql/text_to_sql_task.h.

// Nll of a model that knows parents and types but neither question nor schema, on Spider's training examples.
constexpr double kPriorNll = 23.2;

Error cannotWriteQueries(const Model& model) {
  return usageError(Phrase::tr("model '%1' cannot write queries")(model.id()),
                    Phrase::tr("choose %1")(whoGives(Representation::Queries)));
}

const QueryModel& parserModel(const Model& model) {
  if (const auto* parser = capability<QueryModel>(model)) return *parser;
  throw Failure(cannotWriteQueries(model));
}

// As much of a schema as the validity filter looks at: tables, and the table of every column.
SpiderSchema filterSchema(const std::int64_t* columnTables, std::int64_t columns, std::int64_t tables) {
  SpiderSchema schema;
  schema.tables.resize(static_cast<std::size_t>(tables - 1));
  schema.columns.resize(1);
  for (std::int64_t c = tables; c < columns; ++c) {  // behind the stars
    schema.columns.emplace_back();
    schema.columns.back().table = static_cast<int>(columnTables[c]);
  }
  return schema;
}

// The best hypothesis that the filter lets pass; null where there is none.
const GrammarHypothesis* firstValid(const GrammarSearchResult& result, const SpiderSchema& schema) {
  for (const GrammarHypothesis& hypothesis : result.completed) {
    const auto tree = treeFromActions(hypothesis.actions, expandedCount(schema));
    if (tree.ok() && treeIsValid(*tree, schema)) return &hypothesis;
  }
  return nullptr;
}

class TextToSqlObjective final : public Objective {
 public:
  TextToSqlObjective(const OptionValues& options, const Task& task)
      : m_options(options),
        m_ignorantNll(task.targetUnigramEntropy() > 0 ? task.targetUnigramEntropy() : kPriorNll) {
    for (const char* prefix : kDecodings) m_searches.emplace(prefix, grammarSearchOptions(options, prefix));
  }

  // States of a frozen encoder. Items that change places change the row: there is nothing to keep then.
  bool prepare(const Model& model, const Task& task, const PrepareRequest& request) override {
    const QueryModel& parser = parserModel(model);
    if (parser.encoderLearns()) return false;
    if (m_options.text("spider.item_order") == "shuffled") {
      if (request.make && request.say)
        request.say(
            Phrase::tr("the encoder is frozen, but rows change with the order of their items: its states "
                       "are computed at every update (spider.item_order=fixed keeps them)"));
      return false;
    }
    const std::string encoder = frozenEncoderHash(model, m_options);
    const auto* beside = dynamic_cast<const TextToSqlObjective*>(request.beside);
    if (beside != nullptr && m_features.takeFrom(beside->m_features, encoder)) return true;
    m_features.prepare(task, encoder, encoderOf(parser), request, model.parameters().options());
    return m_features.rows() > 0;
  }

  std::int64_t preparedBytes() const override { return m_features.bytes(); }

  LossTerms forward(const Model& model, const DeviceBatch& batch, const StepContext& context) const override {
    const QueryModel& parser = parserModel(model);
    return lossTerms(parser, encoded(parser, batch, context), batch, context);
  }

  TokenMasks realTokens(const DeviceBatch& batch) const override {
    const TextBatch text = pieceRows(batch);
    const SqlInputs inputs = inputsOf(batch);
    std::vector<std::int64_t> rows = inputs.words;
    for (std::size_t b = 0; b < rows.size(); ++b) rows[b] += inputs.columns[b] + inputs.tables[b];
    const RowPacking packing = packingOf(rows, text.tokens.device());
    TokenMasks masks;
    if (text.padding.defined()) masks.encoder = text.padding.logical_not();
    masks.extra = at::zeros({packing.batch * packing.length},
                            torch::TensorOptions(torch::kBool).device(text.tokens.device()))
                      .index_fill(0, packing.rows, true)
                      .view({packing.batch, packing.length});
    return masks;
  }

  // Sums over about thirty actions: their exponential means nothing.
  NamedValues trainingValues(double lossSum, double units, const NamedValues& means) const override {
    return lossAndMeans(lossSum, units, means);
  }

  double ignorantNll() const override { return m_ignorantNll; }

  Evaluation evaluate(const Model& model, const Task& task, const EvaluationRequest& request) const override {
    const torch::NoGradGuard noGrad;
    const QueryModel& parser = parserModel(model);
    const torch::Device device = model.parameters().options().device();
    return evaluatePart(task, request, device, [&](const DeviceBatch& batch) {
      const StepContext context{.seed = request.seed};
      const SqlEncoding encoding = encoded(parser, batch, context);
      JudgedBatch judged;
      judged.take(lossTerms(parser, encoding, batch, context));
      if (request.predictions)
        judged.predictions = searched(parser, encoding, batch, request.decoding, request.stop);
      return judged;
    });
  }

  std::vector<Prediction> predict(const Model& model, const DeviceBatch& batch, std::string_view decoding,
                                  const StopToken& stop) const override {
    const torch::NoGradGuard noGrad;
    const QueryModel& parser = parserModel(model);
    return searched(parser, encoded(parser, batch, {}), batch, decoding, stop);
  }

 private:
  // A frozen encoder has no dropout.
  static EncoderFeatures::Encode encoderOf(const QueryModel& parser) {
    return [&parser](const TextBatch& rows) { return parser.pieceStates(rows, {}); };
  }

  SqlEncoding encoded(const QueryModel& parser, const DeviceBatch& batch, const StepContext& context) const {
    const TextBatch text = pieceRows(batch);
    return parser.network().encode(statesOf(parser, text, context), QueryModel::firstPieces(text),
                                   inputsOf(batch), context);
  }

  // Whoever watches a frozen encoder has it run, with the states that are kept otherwise as its result.
  torch::Tensor statesOf(const QueryModel& parser, const TextBatch& text, const StepContext& context) const {
    if (parser.encoderLearns()) return parser.pieceStates(text, context);
    const torch::TensorOptions tensors = static_cast<const Model&>(parser).parameters().options();
    if (context.observer == nullptr || !context.observer->watchesFrozenParts())
      return m_features.states(text, encoderOf(parser), tensors);
    StepContext watched = context;
    watched.training = false;
    return EncoderFeatures::computed(
        text, [&](const TextBatch& rows) { return parser.pieceStates(rows, watched); }, tensors);
  }

  // The first mean is the nll of an example: what the divergence rule compares with ignorantNll().
  static LossTerms lossTerms(const QueryModel& parser, const SqlEncoding& encoding, const DeviceBatch& batch,
                             const StepContext& context) {
    const DecoderLoss loss = parser.network().loss(encoding, goldOf(batch), context);
    return {loss.loss.sum(),
            batch.targetUnits,
            {{"nll", loss.ruleNll + loss.columnNll, static_cast<double>(batch.rows())},
             {"nll_rule", loss.ruleNll, static_cast<double>(loss.rules)},
             {"nll_column", loss.columnNll, static_cast<double>(loss.columns)}}};
  }

  // ids: the number of the database and the actions; empty where nothing valid was completed. details: the
  // final beam as numbers, which the task puts into words.
  std::vector<Prediction> searched(const QueryModel& parser, const SqlEncoding& encoding,
                                   const DeviceBatch& batch, std::string_view decoding,
                                   const StopToken& stop) const {
    const auto options = m_searches.find(decoding);
    if (options == m_searches.end())
      throw Failure(internalError("no decoding options under '" + std::string(decoding) + "'"));
    const SqlNetwork& network = parser.network();
    const std::vector<GrammarSearchResult> results =
        searchGrammarBatch(network.decoder(), network.prepare(encoding), options->second, stop);
    const SqlInputs inputs = inputsOf(batch);
    const auto* columnTables = inputs.columnTables.const_data_ptr<std::int64_t>();
    const torch::Tensor databases = batch.host("databases").contiguous();
    std::vector<std::vector<std::string>> questions = questionsOf(batch);
    std::vector<Prediction> predictions;
    for (std::size_t b = 0; b < results.size(); ++b) {
      const SpiderSchema schema = filterSchema(columnTables, inputs.columns[b], inputs.tables[b]);
      columnTables += inputs.columns[b];
      Prediction one;
      one.example = batch.examples.at(b);
      const std::int64_t database = databases.const_data_ptr<std::int64_t>()[b];
      one.details = searchNumbers(results[b], database, std::move(questions[b]));
      if (const GrammarHypothesis* best = firstValid(results[b], schema)) {
        one.ids.push_back(database);
        one.ids.insert(one.ids.end(), best->actions.begin(), best->actions.end());
        one.score = best->score;
      }
      predictions.push_back(std::move(one));
    }
    return predictions;
  }

  OptionValues m_options;
  EncoderFeatures m_features;
  double m_ignorantNll;
  std::map<std::string, GrammarSearchOptions, std::less<>> m_searches;
};

std::vector<OptionField> textToSqlFields() {
  std::vector<OptionField> fields;
  for (const char* prefix : kDecodings) {
    for (OptionField& field : grammarSearchFields(prefix)) fields.push_back(std::move(field));
  }
  return fields;
}

std::vector<OptionRule> textToSqlRules() {
  OptionRule other;
  other.when = {modelNotGiving(Representation::Queries)};
  other.reason = "questions become SQL with a parser: choose SQL-SP";
  other.keys = {"model"};
  const OptionRule without{.when = {{"extra.attention", OptionClause::Test::In, {"relation_aware"}},
                                    {"spider.relations", OptionClause::Test::In, {"none"}}},
                           .reason = "relation-aware layers need relations: choose some, or layers without",
                           .keys = {"extra.attention", "spider.relations"}};
  std::vector<OptionRule> rules = positionTableRules("spider.max_pieces");
  rules.insert(rules.begin(), {other, without});
  return rules;
}

}  // namespace

ObjectiveEntry textToSqlObjectiveEntry() {
  return {.id = "text_to_sql",
          .title = "Questions to SQL",
          .reference = "DT-Fixup §4",
          .task = "text_to_sql",
          .fields = textToSqlFields,
          .rules = textToSqlRules,
          .accepts = [](const Model& model) -> Status {
            if (capability<QueryModel>(model) != nullptr) return {};
            return aboutKey("model", cannotWriteQueries(model));
          },
          .make = [](const OptionValues& options, const Task& task) -> std::unique_ptr<Objective> {
            return std::make_unique<TextToSqlObjective>(options, task);
          }};
}

}  // namespace fathom
