// SPDX-License-Identifier: Apache-2.0
// The objective of questions to SQL on batches made by hand: its sums, what it predicts, what it learns.
#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <functional>

#include "core/init/initialisation.h"
#include "core/nn/models/sql_sp.h"
#include "core/objectives/objective.h"
#include "core/optim/optimizer.h"
#include "core/spider/grammar/sql_tree.h"
#include "core/spider/spider_schema.h"
#include "tests/torch/support_derivations.h"
#include "tests/torch/support_sql_case.h"

using namespace fathom;
using namespace fathom::fixtures;

namespace {

constexpr int kColumns = 6;  // of every example: 3 stars, 3 columns; 3 tables with the extra one
constexpr std::int64_t kTables = 3;
constexpr std::int64_t kDatabase = 4;  // number of the only one
constexpr std::int64_t kColumnTables[kColumns] = {2, 0, 1, 0, 0, 1};

SpiderSchema smallSchema() {
  SpiderSchema schema;
  schema.tables.resize(2);
  schema.columns.resize(1);
  for (int c = 3; c < kColumns; ++c) {
    schema.columns.emplace_back();
    schema.columns.back().table = static_cast<int>(kColumnTables[c]);
  }
  return schema;
}

// Short derivations that the filter lets pass, all different.
std::vector<std::vector<GrammarAction>> validDerivations(std::size_t count) {
  std::vector<std::vector<GrammarAction>> found;
  const SpiderSchema schema = smallSchema();
  for (std::uint64_t seed = 1; found.size() < count; ++seed) {
    std::vector<GrammarAction> actions = randomDerivation(seed, kColumns, 13);
    const GrammarTree tree = treeFromActions(actions, kColumns).value();
    const bool known = std::find(found.begin(), found.end(), actions) != found.end();
    if (actions.size() > 10 && actions.size() < 40 && !known && treeIsValid(tree, schema))
      found.push_back(std::move(actions));
  }
  return found;
}

template <typename T>
HostRagged ragged(const std::vector<std::vector<T>>& rows, std::int64_t width) {
  std::vector<T> values;
  std::vector<std::int64_t> offsets = {0};
  for (const auto& row : rows) {
    values.insert(values.end(), row.begin(), row.end());
    offsets.push_back(static_cast<std::int64_t>(values.size()) / width);
  }
  HostRagged result;
  result.values = width == 1 ? HostArray(hostDtypeOf<T>(), {offsets.back()})
                             : HostArray(hostDtypeOf<T>(), {offsets.back(), width});
  std::copy(values.begin(), values.end(), result.values.values<T>().begin());
  result.offsets = HostArray(HostDtype::I64, {static_cast<std::int64_t>(offsets.size())});
  std::copy(offsets.begin(), offsets.end(), result.offsets.values<std::int64_t>().begin());
  return result;
}

// Questions of a few words over one schema; a prediction is right when its actions are the gold ones.
class TinyTask final : public Task {
 public:
  explicit TinyTask(std::size_t count) : m_gold(validDerivations(count)) {}
  const std::vector<std::vector<GrammarAction>>& gold() const { return m_gold; }

  std::int64_t exampleCount(DataSplit) const override { return static_cast<std::int64_t>(m_gold.size()); }
  std::int64_t batchCount(DataSplit) const override { return 2; }
  std::int64_t batchTargetUnits(DataSplit, std::int64_t) const override {
    return exampleCount(DataSplit::Train) / 2;
  }
  HostBatch makeBatch(DataSplit, std::int64_t batch) const override {
    const std::int64_t half = exampleCount(DataSplit::Train) / 2;
    std::vector<std::size_t> examples;
    for (std::int64_t e = batch * half; e < (batch == 0 ? half : exampleCount(DataSplit::Train)); ++e)
      examples.push_back(static_cast<std::size_t>(e));
    return batchOf(examples);
  }
  std::map<std::string, std::int64_t> sizes() const override {
    return {{"vocabulary", 40}, {"pad_id", 0}, {"relation_types", 33}};
  }
  std::vector<DataHash> dataHashes() const override { return {}; }
  Json statistics() const override { return Json::object(); }
  ExampleTexts exampleTexts(DataSplit, ExampleId) const override { return {}; }
  void complete(std::vector<Prediction>& predictions) const override {
    for (Prediction& one : predictions) one.text = std::to_string(one.ids.size());
  }
  Result<std::vector<TaskScore>> score(DataSplit, const std::vector<Prediction>& predictions) const override {
    double right = 0;
    for (const Prediction& one : predictions) {
      const auto& gold = m_gold[static_cast<std::size_t>(one.example.value)];
      std::vector<std::int64_t> wanted = {kDatabase};
      wanted.insert(wanted.end(), gold.begin(), gold.end());
      right += wanted == one.ids ? 1 : 0;
    }
    return std::vector<TaskScore>{
        {"exact_match", "Exact match", right / static_cast<double>(predictions.size()), {}}};
  }
  Result<std::vector<HostBatch>> batchesFromText(std::span<const std::string>, TextFindings*) const override {
    return std::vector<HostBatch>{};
  }

  std::vector<ExampleId> batchedExamples(DataSplit) const override {
    std::vector<ExampleId> all;
    for (std::int64_t e = 0; e < exampleCount(DataSplit::Train); ++e) all.emplace_back(e);
    return all;
  }
  HostBatch makeBatchOf(DataSplit, std::span<const ExampleId> examples) const override {
    std::vector<std::size_t> rows;
    for (const ExampleId example : examples) rows.push_back(static_cast<std::size_t>(example.value));
    return batchOf(rows);
  }

  HostBatch batchOf(const std::vector<std::size_t>& examples) const {
    HostBatch batch;
    const auto rows = static_cast<std::int64_t>(examples.size());
    const std::int64_t width = 16;
    for (const char* name : {"tokens", "segments"})
      batch.arrays.emplace(name, HostArray(HostDtype::I64, {rows, width}));
    for (const char* name : {"lengths", "databases"})
      batch.arrays.emplace(name, HostArray(HostDtype::I64, {rows}));
    std::ranges::fill(batch.arrays["databases"].values<std::int64_t>(), kDatabase);
    std::vector<std::vector<std::int64_t>> words, items, tables, actions;
    std::vector<std::vector<std::uint8_t>> relations;
    for (std::size_t r = 0; r < examples.size(); ++r) {
      const std::size_t e = examples[r];
      const std::int64_t count = 2 + static_cast<std::int64_t>(e % 3),
                         pieces = count + 2 + kTables + kColumns;
      const auto row = batch.arrays["tokens"].values<std::int64_t>().subspan(r * width, width);
      for (std::int64_t p = 0; p < pieces; ++p) {
        const bool word = p > 0 && p <= count;
        row[static_cast<std::size_t>(p)] =
            1 +
            (word ? static_cast<std::int64_t>(e * 7 + static_cast<std::size_t>(p) * 3) % 25 : 25 + p % 12);
      }
      batch.arrays["lengths"].values<std::int64_t>()[r] = pieces;
      words.emplace_back();
      items.emplace_back();
      for (std::int64_t w = 0; w < count; ++w) words.back().insert(words.back().end(), {1 + w, 2 + w});
      for (std::int64_t i = 0; i < kTables + kColumns; ++i)
        items.back().insert(items.back().end(), {count + 1 + i, count + 2 + i});
      tables.emplace_back(std::begin(kColumnTables), std::end(kColumnTables));
      const std::int64_t n = count + kTables + kColumns;
      relations.emplace_back(static_cast<std::size_t>(n * n), static_cast<std::uint8_t>(e % 33));
      actions.emplace_back(m_gold[e].begin(), m_gold[e].end());
      batch.examples.push_back(ExampleId{static_cast<std::int64_t>(e)});
    }
    batch.raggeds = {{"word_spans", ragged(words, 2)},
                     {"item_spans", ragged(items, 2)},
                     {"column_table", ragged(tables, 1)},
                     {"relations", ragged(relations, 1)},
                     {"actions", ragged(actions, 1)}};
    batch.targetUnits = rows;
    batch.paddedUnits = rows * width;
    return batch;
  }

 private:
  std::vector<std::vector<GrammarAction>> m_gold;
};

OptionValues tinyOptions(const std::vector<std::string>& more = {}) {
  std::vector<std::string> all = {"model=sql_sp",
                                  "encoder.layers=1",
                                  "model.width=16",
                                  "model.heads=2",
                                  "model.feed_forward=16",
                                  "model.dropout=0",
                                  "model.bert.max_positions=24",
                                  "extra.layers=1",
                                  "extra.attention=relation_aware",
                                  "model.extra_layers.heads=2",
                                  "model.extra_layers.feed_forward=16",
                                  "model.sql_sp.width=32",
                                  "model.sql_sp.hidden=48",
                                  "model.sql_sp.vector=32",
                                  "model.sql_sp.decoder_heads=4",
                                  "model.sql_sp.action_width=16",
                                  "model.sql_sp.type_width=8",
                                  "model.sql_sp.question_dropout=0",
                                  "model.sql_sp.schema_dropout=0",
                                  "model.sql_sp.vector_dropout=0",
                                  "init=xavier"};
  all.insert(all.end(), more.begin(), more.end());
  return engineOptions(all);
}

// The objective's own options beside those of the engine.
OptionValues decodingOptions() {
  std::vector<OptionField> fields = objectiveOptionFields();
  for (OptionField& field : taskOptionFields()) fields.push_back(std::move(field));
  const OptionValues engine = engineOptions({});
  for (const OptionField& field : engine.schema().fields())
    if (std::none_of(fields.begin(), fields.end(),
                     [&field](const OptionField& known) { return known.key == field.key; }))
      fields.push_back(field);
  for (OptionField& field : fields) field.enabledWhen.clear();
  OptionValues values{OptionSchema(fields, {})};
  for (const char* text : {"model=sql_sp", "validation.beam=5", "predict.beam=5", "validation.max_steps=60",
                           "predict.max_steps=2", "spider.item_order=fixed"})
    values.setText(text).value();
  return values;
}

struct TinyRun {
  TinyTask task{8};
  std::unique_ptr<Model> model;
  std::unique_ptr<Objective> objective;
  explicit TinyRun(const OptionValues& options = tinyOptions()) {
    model = buildModel(options, ModelInputs(task.sizes()), torch::TensorOptions(torch::kFloat32)).value();
    initialiseModel(*model, options, 1).value();
    const ObjectiveEntry* entry = objectiveForTask("text_to_sql");
    if (entry == nullptr) throw Failure(internalError("no objective for text_to_sql"));
    entry->accepts(*model).value();
    objective = entry->make(decodingOptions(), task);
  }
};

double valueOf(const NamedValues& values, const std::string& name) {
  for (const auto& [key, value] : values) {
    if (key == name) return value;
  }
  return std::nan("");
}

}  // namespace

class TestTextToSqlObjective : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void sums() {
    const TinyRun run;
    const DeviceBatch batch = toDevice(run.task.makeBatch(DataSplit::Train, 0), torch::kCPU);
    const LossTerms terms = run.objective->forward(*run.model, batch, {});
    QCOMPARE(terms.units, 4);
    QCOMPARE(terms.sums.size(), std::size_t(3));
    double rules = 0, columns = 0;
    for (std::size_t e = 0; e < 4; ++e) {
      for (const GrammarAction action : run.task.gold()[e]) (action < kSelectColumn ? rules : columns) += 1;
    }
    QCOMPARE(terms.sums[0].name, std::string("nll"));
    QCOMPARE(terms.sums[0].count, 4.0);
    QCOMPARE(terms.sums[1].count, rules);
    QCOMPARE(terms.sums[2].count, columns);
    const double parts = terms.sums[1].sum.item<double>() + terms.sums[2].sum.item<double>();
    QVERIFY(std::abs(terms.sums[0].sum.item<double>() - parts) < 1e-3);
    // An example alone gives what it gives beside others.
    double alone = 0;
    for (std::size_t e = 0; e < 4; ++e) {
      const DeviceBatch one = toDevice(run.task.batchOf({e}), torch::kCPU);
      alone += run.objective->forward(*run.model, one, {}).loss.item<double>();
    }
    QVERIFY(std::abs(alone - terms.loss.item<double>()) < 1e-3 * alone);
    const NamedValues values = run.objective->trainingValues(8, 4, {{"nll", 2}, {"nll_rule", 1}});
    QCOMPARE(valueOf(values, "loss"), 2.0);
    QVERIFY(std::isnan(valueOf(values, "ppl")));
    QCOMPARE(run.objective->ignorantNll(), 23.2);
  }

  void masks() {
    const TinyRun run;
    const DeviceBatch batch = toDevice(run.task.makeBatch(DataSplit::Train, 0), torch::kCPU);
    const TokenMasks masks = run.objective->realTokens(batch);
    QCOMPARE(masks.of(StackKind::Encoder).sum().item<std::int64_t>(),
             batch.array("lengths").sum().item<std::int64_t>());
    QCOMPARE(masks.of(StackKind::Extra).sum().item<std::int64_t>(),
             batch.array("lengths").sum().item<std::int64_t>() - 2 * 4);
  }

  // A few updates by heart: what was learnt comes out of the search, filtered and scored.
  void learnsAndDecodes() {
    TinyRun run;
    std::vector<OptimizerParameter> parameters;
    for (const Leaf& leaf : run.model->parameters().leaves()) parameters.push_back({leaf.name, leaf.tensor});
    std::unique_ptr<Optimizer> optimizer;
    for (const OptimizerEntry& entry : optimizerEntries()) {
      if (entry.id == "adam") optimizer = entry.make(tinyOptions({"optimizer=adam"}), parameters);
    }
    EvaluationRequest request;
    request.decoding = "validation";
    const Evaluation before = run.objective->evaluate(*run.model, run.task, request);
    QVERIFY(valueOf(before.values, "exact_match") < 0.5);
    const DeviceBatch batch = toDevice(run.task.batchOf({0, 1, 2, 3, 4, 5, 6, 7}), torch::kCPU);
    for (std::int64_t update = 0; update < 150; ++update) {
      run.model->parameters().zeroGradients();
      StepContext context;
      context.training = true;
      context.update = update;
      const LossTerms terms = run.objective->forward(*run.model, batch, context);
      (terms.loss / static_cast<double>(terms.units)).backward();
      optimizer->step(0.004);
    }
    const Evaluation after = run.objective->evaluate(*run.model, run.task, request);
    QVERIFY2(after.nll < before.nll / 10, std::to_string(after.nll).c_str());
    QCOMPARE(valueOf(after.values, "exact_match"), 1.0);
    QCOMPARE(after.predictions.size(), std::size_t(8));
    QVERIFY(std::abs(after.nll - valueOf(after.values, "nll")) < 1e-9);
    // Two steps end nothing: no answer, in the order of the batch.
    const std::vector<Prediction> none = run.objective->predict(*run.model, batch, "predict", {});
    QCOMPARE(none.size(), std::size_t(8));
    for (std::size_t e = 0; e < none.size(); ++e) {
      QVERIFY(none[e].ids.empty());
      QCOMPARE(none[e].example.value, static_cast<std::int64_t>(e));
    }
  }

  // The final beam of every example, also where nothing was complete.
  void tellsTheWholeBeam() {
    const TinyRun run;
    EvaluationRequest request;
    request.decoding = "validation";
    std::size_t finished = 0, unfinished = 0;
    const auto check = [&](const std::vector<Prediction>& predictions) {
      for (const Prediction& one : predictions) {
        QCOMPARE(one.details.at("number").get<std::int64_t>(), kDatabase);
        const Json& hypotheses = one.details.at("hypotheses");
        QVERIFY(!hypotheses.empty() && hypotheses.size() <= 5);
        for (const Json& hypothesis : hypotheses) {
          const auto ids = hypothesis.at("ids").get<std::vector<GrammarAction>>();
          const auto logP = hypothesis.at("log_probabilities").get<std::vector<double>>();
          QCOMPARE(ids.size(), logP.size());
          double sum = 0;
          for (std::size_t i = 0; i < ids.size(); ++i) sum += logP[i] * (ids[i] >= kSelectColumn ? 3 : 1);
          QVERIFY(std::abs(sum - hypothesis.at("score").get<double>()) < 1e-4);
          (hypothesis.at("finished").get<bool>() ? finished : unfinished) += 1;
        }
        if (!one.ids.empty()) {
          const bool among =
              std::any_of(hypotheses.begin(), hypotheses.end(), [&one](const Json& hypothesis) {
                const auto ids = hypothesis.at("ids").get<std::vector<std::int64_t>>();
                return std::equal(ids.begin(), ids.end(), one.ids.begin() + 1, one.ids.end());
              });
          QVERIFY(among);
        }
      }
    };
    check(run.objective->evaluate(*run.model, run.task, request).predictions);
    const std::size_t before = finished;
    const DeviceBatch batch = toDevice(run.task.batchOf({0, 1, 2}), torch::kCPU);
    check(run.objective->predict(*run.model, batch, "predict", {}));  // two steps end nothing
    QCOMPARE(finished, before);
    QVERIFY(unfinished > 0);
  }

  // States of a frozen encoder are made once, kept in a file, read by the next run, and change no result.
  void frozenStatesAreKept() {
    const QTemporaryDir folder;
    const OptionValues options = tinyOptions({"model.sql_sp.encoder=frozen"});
    const TinyRun plain(options), first(options), second(options);
    std::vector<std::string> said;
    PrepareRequest request;
    request.cachePath = folder.filePath("cache").toStdString();
    request.say = [&said](const Phrase& what) { said.push_back(what.english()); };
    first.objective->prepare(*first.model, first.task, request);
    QVERIFY(said.empty());  // nothing is kept yet, and nothing may be made
    request.make = true;
    first.objective->prepare(*first.model, first.task, request);
    QCOMPARE(said.size(), std::size_t(1));
    QVERIFY2(said[0].find("features of 8 examples: computed") != std::string::npos, said[0].c_str());
    request.make = false;
    second.objective->prepare(*second.model, second.task, request);
    QCOMPARE(said.size(), std::size_t(2));
    QVERIFY2(said[1].find("features of 8 examples: read from") != std::string::npos, said[1].c_str());
    const DeviceBatch batch = toDevice(first.task.batchOf({5, 0, 3}), torch::kCPU);
    const auto lossOf = [&batch](const TinyRun& run) {
      StepContext context;
      context.training = true;
      return run.objective->forward(*run.model, batch, context).loss.item<double>();
    };
    QCOMPARE(lossOf(second), lossOf(first));
    QVERIFY(std::abs(lossOf(plain) - lossOf(first)) < 1e-3);
    // Other weights are another file.
    const TinyRun other(options);
    {
      const torch::NoGradGuard noGrad;
      other.model->parameters().leaves().front().tensor.select(1, 0).add_(0.5);
    }
    other.objective->prepare(*other.model, other.task, request);
    QCOMPARE(said.size(), std::size_t(2));
    QVERIFY(std::abs(lossOf(other) - lossOf(first)) > 1e-3);
    // A damaged file is made again.
    const QString file = QDir(folder.filePath("cache")).entryInfoList(QDir::Files).front().filePath();
    QVERIFY(QFile::resize(file, 100));
    const TinyRun third(options);
    request.make = true;
    third.objective->prepare(*third.model, third.task, request);
    QVERIFY2(said.back().find("computed") != std::string::npos, said.back().c_str());
    QCOMPARE(lossOf(third), lossOf(first));
  }

  void otherModelsAreRefused() {
    const std::unique_ptr<Model> bert =
        buildModel(engineOptions({"model=bert", "encoder.layers=1", "model.width=8", "model.heads=2"}),
                   ModelInputs::ofVocabulary(20), torch::TensorOptions(torch::kFloat32))
            .value();
    const auto accepted = objectiveForTask("text_to_sql")->accepts(*bert);
    QVERIFY(!accepted.ok());
    QCOMPARE(accepted.error().key, std::string("model"));
  }
};

QTEST_APPLESS_MAIN(TestTextToSqlObjective)
#include "tst_text_to_sql_objective.moc"
