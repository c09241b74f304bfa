// SPDX-License-Identifier: Apache-2.0
// Task "text_to_sql": batches, epochs, scores, free questions, bad input (docs/text_to_sql.md §7).
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "core/base/files/atomic_file.h"
#include "core/spider/data/prediction_file.h"
#include "core/spider/data/spider_sample.h"
#include "core/spider/grammar/sql_tree.h"
#include "core/tasks/text_to_sql/text_to_sql_sample.h"
#include "core/tasks/text_to_sql/text_to_sql_score.h"
#include "core/tasks/text_to_sql/text_to_sql_task.h"
#include "core/text/wordpiece_tokenizer.h"
#include "tests/unit/support_spider_data.h"

using namespace fathom;

namespace {

using Changes = std::map<std::string, Json>;
using Texts = std::vector<std::string>;

// The generated data, written once.
class Sample {
 public:
  Sample() : m_made(writeTextToSqlSample(folder(), 1, SampleSize::Check).value()) {}
  std::string folder() const { return m_place.path().toStdString(); }
  OptionValues options(const Changes& changes = {}) const {
    OptionValues values{OptionSchema(textToSqlOptionFields(), textToSqlOptionRules())};
    for (const auto& [key, value] : m_made.options.items()) values.set(key, value).value();
    values.set("spider.linking", "stems").value();  // WordNet takes a second to read
    for (const auto& [key, value] : changes) values.set(key, value).value();
    return values;
  }
  // A file of records beside the others.
  std::string write(const std::string& name, const Json& records) const {
    writeFileAtomically(folder() + "/" + name, records.dump()).value();
    return folder() + "/" + name;
  }

 private:
  QTemporaryDir m_place;
  TaskSample m_made;
};
const Sample& sample() {
  static const Sample kSample;
  return kSample;
}

std::unique_ptr<TextToSqlTask> sqlTask(const OptionValues& options, const TaskSetup& setup = {}) {
  auto made = TextToSqlTask::create(options, setup).value();
  return std::unique_ptr<TextToSqlTask>(dynamic_cast<TextToSqlTask*>(made.release()));
}
std::unique_ptr<TextToSqlTask> sampleTask(const Changes& changes = {}) {
  return sqlTask(sample().options(changes));
}

std::vector<std::int64_t> rowOfRagged(const HostRagged& ragged, std::int64_t row) {
  const auto offsets = ragged.offsets.values<std::int64_t>();
  const std::int64_t width = ragged.values.shape().size() > 1 ? ragged.values.size(1) : 1;
  const auto begin = offsets[static_cast<std::size_t>(row)] * width,
             end = offsets[static_cast<std::size_t>(row) + 1] * width;
  std::vector<std::int64_t> values;
  for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
    values.push_back(ragged.values.dtype() == HostDtype::U8 ? ragged.values.values<std::uint8_t>()[i]
                                                            : ragged.values.values<std::int64_t>()[i]);
  return values;
}
std::int64_t valueAt(const HostBatch& batch, const char* array, std::int64_t row) {
  return batch.array(array).values<std::int64_t>()[static_cast<std::size_t>(row)];
}

std::vector<std::int64_t> examplesOf(const HostBatch& batch) {
  std::vector<std::int64_t> examples;
  for (const ExampleId example : batch.examples) examples.push_back(example.value);
  return examples;
}

// Gold as predictions, of the examples in batches.
std::vector<Prediction> goldPredictions(const TextToSqlTask& task, DataSplit split) {
  std::vector<Prediction> predictions;
  for (std::int64_t b = 0; b < task.batchCount(split); ++b) {
    const HostBatch batch = task.makeBatch(split, b);
    for (std::int64_t row = 0; row < batch.rows(); ++row) {
      Prediction one;
      one.example = batch.examples[static_cast<std::size_t>(row)];
      one.ids = {valueAt(batch, "databases", row)};
      const auto actions = rowOfRagged(batch.ragged("actions"), row);
      one.ids.insert(one.ids.end(), actions.begin(), actions.end());
      predictions.push_back(std::move(one));
    }
  }
  return predictions;
}

double scoreOf(const std::vector<TaskScore>& scores, const std::string& id) {
  for (const TaskScore& score : scores)
    if (score.id == id) return score.value;
  return -1;
}

Json record(const std::string& db, const std::string& question, const std::string& query) {
  return {{"db_id", db}, {"question", question}, {"query", query}};
}

// Linked is what some link relation (21, 22, 24, 25, 27, 28, 30, 31) of DT-Fixup's set has at an end.
void checkLinked(const HostBatch& batch, std::int64_t row, const TokenRow& extra, std::int64_t words,
                 std::int64_t elements) {
  const HostRagged& ragged = batch.ragged("relations");
  const auto first = ragged.offsets.values<std::int64_t>()[static_cast<std::size_t>(row)];
  const auto ids = ragged.values.values<std::uint8_t>();
  std::vector<bool> wanted(static_cast<std::size_t>(elements), false);
  for (std::int64_t i = 0; i < words; ++i) {
    for (std::int64_t j = words; j < elements; ++j) {
      const int id = ids[static_cast<std::size_t>(first + i * elements + j)];
      if (id != 21 && id != 22 && id != 27 && id != 28) continue;
      wanted[static_cast<std::size_t>(i)] = wanted[static_cast<std::size_t>(j)] = true;
    }
  }
  QVERIFY(extra.linked.size() >= wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) QCOMPARE(extra.linked[i], wanted[i]);
}

// What the statistics of a part say was left out.
std::int64_t leftOut(const TextToSqlTask& task, const char* part, const char* reason) {
  return task.statistics()[part]["left_out"].value(reason, std::int64_t{0});
}

class ForeignLinks : public ExampleLinker {
 public:
  Result<SchemaLinks> links(const SpiderExample&, const SpiderSchema&) const override {
    return SchemaLinks(1, 2, 3);
  }
};

}  // namespace

class TestTextToSqlTask : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  // What the data page shows and changes, and the file that another run reads.
  void linksCanBeChangedAndKept() {
    const auto task = sampleTask();
    const ExampleLinks links = task->exampleLinks(DataSplit::Validation, ExampleId{1}).value();
    QCOMPARE(links.codes.size(), links.words.size() * links.items.size());
    QVERIFY(links.items.front().table && !links.items.back().table);
    const HostBatch batch = task->makeBatchOf(DataSplit::Validation, std::vector<ExampleId>{ExampleId{1}});
    QCOMPARE(std::int64_t(links.words.size()), valueAt(batch, "words", 0));
    QCOMPARE(std::int64_t(links.items.size()), valueAt(batch, "tables", 0) + valueAt(batch, "columns", 0));
    QCOMPARE(links.items[std::size_t(valueAt(batch, "tables", 0)) - 1].name, std::string("*"));
    Progress progress;
    const int item = int(links.items.size()) - 1;
    const LinkChange change{links.database, links.question, item, 0, 3};
    const std::string file = sample().folder() + "/links.jsonl";
    writeFileAtomically(file, task->linkFileWith({change}, progress, {}).value()).value();
    Changes options;
    const Json use = task->optionsForLinkFile(file);
    for (const auto& [key, value] : use.items()) options[key] = value;
    const auto again = sampleTask(options);
    std::int64_t differ = 0;
    for (const DataSplit split : {DataSplit::Train, DataSplit::Validation, DataSplit::Test}) {
      for (std::int64_t i = 0; i < task->exampleCount(split); ++i) {
        const auto before = task->exampleLinks(split, ExampleId{i}).value(),
                   after = again->exampleLinks(split, ExampleId{i}).value();
        QCOMPARE(after.words, before.words);
        if (after.codes == before.codes) continue;
        QCOMPARE(before.question, links.question);
        QCOMPARE(after.codes[std::size_t(item) * after.words.size()], std::uint8_t{3});
        ++differ;
      }
    }
    QVERIFY(differ >= 1);
    // What does not fit is refused.
    LinkChange wrong = change;
    wrong.item = item + 1;
    QVERIFY(!task->linkFileWith({wrong}, progress, {}).ok());
    wrong = change;
    wrong.question = "Is this asked ?";
    QVERIFY(task->linkFileWith({wrong}, progress, {}).error().message.find("Is this asked ?") !=
            std::string::npos);
    QVERIFY(!task->exampleLinks(DataSplit::Train, ExampleId{task->exampleCount(DataSplit::Train)}).ok());
    StopToken stop;
    stop.requestStop();
    QCOMPARE(task->linkFileWith({}, progress, stop).error().kind, ErrorKind::Interrupted);
  }

  // A run that goes on, or is used, links as it was trained, whatever became of files and system.
  void linksStayThoseOfTheRun() {
    const auto first = sampleTask();
    Progress progress;
    const ExampleLinks links = first->exampleLinks(DataSplit::Validation, ExampleId{1}).value();
    const std::string file = sample().folder() + "/kept_links.jsonl";
    const LinkChange change{links.database, links.question, int(links.items.size()) - 1, 0, 3};
    writeFileAtomically(file, first->linkFileWith({change}, progress, {}).value()).value();
    const Changes options = {{"spider.linking", "file"}, {"spider.links", file}};
    TaskSetup later;
    later.artifacts = sampleTask(options)->artifacts();
    const auto codes = [&](const TaskSetup& setup, const Changes& changes) {
      return sqlTask(sample().options(changes), setup)
          ->exampleLinks(DataSplit::Validation, ExampleId{1})
          .value()
          .codes;
    };
    const auto changed = codes(later, options);
    QVERIFY(changed != links.codes);
    writeFileAtomically(file, first->linkFileWith({}, progress, {}).value()).value();
    QVERIFY(codes(later, options) == changed);
    QVERIFY(codes({}, options) == links.codes);
    // Another file, asked for by name, is read.
    const std::string other = sample().folder() + "/other_links.jsonl";
    std::filesystem::rename(file, other);
    QVERIFY(codes(later, {{"spider.linking", "file"}, {"spider.links", other}}) == links.codes);
    later.inputOnly = true;
    const std::string line = links.database + "\t" + links.question;
    const auto free = sqlTask(sample().options(options), later);
    QCOMPARE(free->batchesFromText(std::span(&line, 1), nullptr).value().size(), std::size_t{1});
    // Stems that took WordNet's place stay; a run that had WordNet is not given stems.
    const Changes lemmas = {{"spider.linking", "dt_fixup_like"}, {"spider.wordnet", "/nowhere"}};
    TaskSetup replaced;
    replaced.artifacts = sampleTask(lemmas)->artifacts();
    QVERIFY(codes(replaced, lemmas) == codes({}, lemmas));
    replaced.artifacts.erase("linking.json");
    const auto refused = TextToSqlTask::create(sample().options(lemmas), replaced);
    QVERIFY(!refused.ok() && refused.error().kind == ErrorKind::Resource);
  }

  void whatTheEntrySaysIsTrue() {
    const TaskEntry entry = textToSqlTaskEntry();
    QCOMPARE(entry.id, std::string("text_to_sql"));
    const auto task = entry.create(sample().options(), {}).value();
    const ExampleTexts texts = task->exampleTexts(DataSplit::Validation, ExampleId{0});
    QCOMPARE(texts.size(), entry.texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) QCOMPARE(texts[i].first, entry.texts[i].id);
    const Json train = task->statistics()["train"];
    QCOMPARE(train["records"].get<int>(), train["examples"].get<int>());  // all of the sample is used
    int found = 0;
    for (const StatisticField& field : entry.statistics) {
      const std::string head = field.path.substr(0, field.path.find('.'));
      QVERIFY2(train.contains(head), field.path.c_str());
      found += head == "left_out" || head == field.path ||
               train[head].contains(field.path.substr(head.size() + 1));
    }
    QCOMPARE(std::size_t(found), entry.statistics.size());
    const OptionValues options = sample().options();
    for (const auto& [part, key] : entry.review.files) QVERIFY2(options.active(key), key.c_str());
    const auto batches = task->batchesFromText(std::span(&entry.inputExample, 1)).value();
    QCOMPARE(batches.size(), std::size_t{1});
    std::set<std::string> ids;
    for (const Metric& metric : entry.metrics) QVERIFY2(ids.insert(metric.id).second, metric.id.c_str());
    const Json encoder =
        entry.encoderOptions({{"kind", "byte_bpe"}, {"file", "v.json"}, {"next_sentence", false}});
    OptionValues values = sample().options();
    for (const auto& [key, value] : encoder.items())
      if (key != "task") values.set(key, value).value();
    QCOMPARE(values.text("spider.vocabulary.kind"), std::string("byte_bpe"));
  }

  void everyArrayOfABatch() {
    const auto task = sampleTask({{"batch.examples", 7}});
    const HostBatch batch = task->makeTrainBatch(3, 1);
    QCOMPARE(batch.rows(), std::int64_t{7});
    QCOMPARE(batch.targetUnits, std::int64_t{7});
    const std::int64_t T = batch.array("tokens").size(1);
    QCOMPARE(batch.paddedUnits, 7 * T);
    const auto sizes = task->sizes();
    for (std::int64_t row = 0; row < 7; ++row) {
      const std::int64_t length = valueAt(batch, "lengths", row);
      const auto tokens = rowOf(batch.array("tokens"), row), segments = rowOf(batch.array("segments"), row),
                 positions = rowOf(batch.array("positions"), row);
      QVERIFY(length <= T && length <= sizes.at("longest"));
      QCOMPARE(tokens[0], sizes.at("cls_id"));
      for (std::int64_t t = 0; t < T; ++t) {
        const auto at = static_cast<std::size_t>(t);
        QCOMPARE(positions[at], t);
        if (t >= length) QVERIFY(tokens[at] == sizes.at("pad_id") && segments[at] == 0);
      }
      const SqlDatabase& database = task->databases().at(valueAt(batch, "databases", row));
      const std::int64_t W = valueAt(batch, "words", row), C = valueAt(batch, "columns", row),
                         K = valueAt(batch, "tables", row), n = W + C + K;
      QCOMPARE(C, std::int64_t(database.items.columnCount()));
      QCOMPARE(K, std::int64_t(database.items.tableCount()));
      QVERIFY(n <= sizes.at("longest_elements"));
      QCOMPARE(rowOfRagged(batch.ragged("word_spans"), row).size(), std::size_t(2 * W));
      const auto spans = rowOfRagged(batch.ragged("item_spans"), row);
      QCOMPARE(spans.size(), std::size_t(2 * (C + K)));
      // However they were listed, the span of an item holds its text.
      const auto pieces = task->pieces(batch, row).at("encoder").texts;
      for (std::size_t item = 0; item < database.items.texts.size(); ++item) {
        std::string text;
        for (auto at = spans[2 * item]; at < spans[2 * item + 1]; ++at)
          text += (text.empty() ? "" : " ") + pieces[static_cast<std::size_t>(at)];
        QCOMPARE(text, database.items.texts[item] == "*" ? "*" : text);
        QVERIFY2(text == database.items.texts[item] || text.find("##") != std::string::npos,
                 (text + " / " + database.items.texts[item]).c_str());
      }
      auto order = rowOfRagged(batch.ragged("item_order"), row);
      QVERIFY(!std::is_sorted(order.begin(), order.end()));
      std::sort(order.begin(), order.end());
      for (std::size_t i = 0; i < order.size(); ++i) QCOMPARE(order[i], std::int64_t(i));
      const auto tables = rowOfRagged(batch.ragged("column_table"), row);
      QCOMPARE(tables.size(), std::size_t(C));
      QCOMPARE(tables[0], K - 1);
      QCOMPARE(tables[1], std::int64_t{0});
      QCOMPARE(rowOfRagged(batch.ragged("relations"), row).size(), std::size_t(n * n));
      checkActions(batch, row, int(C));
      const TokenRow extra = task->pieces(batch, row).at("extra");
      QVERIFY(extra.texts.size() >= std::size_t(n));
      QCOMPARE(extra.texts[static_cast<std::size_t>(W)], std::string("*"));
      QCOMPARE(extra.texts[static_cast<std::size_t>(W + 1)], database.items.tables[0] + ".*");
      QCOMPARE(extra.texts[static_cast<std::size_t>(n - 1)], std::string("*"));
      QCOMPARE(std::count(extra.sorts.begin(), extra.sorts.end(), "question"), W);
      QCOMPARE(std::count(extra.sorts.begin(), extra.sorts.end(), "column"), C);
      QCOMPARE(std::count(extra.sorts.begin(), extra.sorts.end(), "table"), K);
      checkLinked(batch, row, extra, W, n);
    }
    QVERIFY(batch.ragged("relations").values.dtype() == HostDtype::U8);
  }

  void epochsAreFunctionsOfTheSeed() {
    const auto task = sampleTask({{"batch.examples", 7}});
    const std::int64_t batches = task->batchCount(DataSplit::Train);
    std::vector<std::int64_t> kept;
    for (const ExampleId example : task->batchedExamples(DataSplit::Train)) kept.push_back(example.value);
    QVERIFY(kept.size() % 7 != 0);
    std::set<std::vector<std::int64_t>> orders;
    for (std::int64_t epoch = 0; epoch < 3; ++epoch) {
      std::vector<std::int64_t> seen;
      for (std::int64_t b = 0; b < batches; ++b) {
        const HostBatch batch = task->makeTrainBatch(epoch, b);
        QCOMPARE(batch.targetUnits, task->batchTargetUnits(DataSplit::Train, b));
        const auto examples = examplesOf(batch);
        seen.insert(seen.end(), examples.begin(), examples.end());
      }
      QVERIFY(orders.insert(seen).second);
      std::sort(seen.begin(), seen.end());
      QCOMPARE(seen, kept);
    }
    const HostBatch first = task->makeTrainBatch(1, 2), again = task->makeTrainBatch(1, 2);
    QCOMPARE(examplesOf(first), examplesOf(again));
    QCOMPARE(rowOfRagged(first.ragged("item_order"), 0), rowOfRagged(again.ragged("item_order"), 0));
    QCOMPARE(rowOfRagged(first.ragged("relations"), 0), rowOfRagged(again.ragged("relations"), 0));
    TaskSetup other;
    other.seed = 2;
    QVERIFY(examplesOf(sqlTask(sample().options({{"batch.examples", 7}}), other)->makeTrainBatch(1, 2)) !=
            examplesOf(first));
    const auto order = task->epochOrder(1, 5);
    QVERIFY(std::is_sorted(order.begin(), order.end()) && std::int64_t(order.size()) == batches);
    // Fixed order: what features of a frozen encoder need. The examples stay those of the epoch.
    const auto fixed = sampleTask({{"batch.examples", 7}, {"spider.item_order", "fixed"}});
    const HostBatch plain = fixed->makeTrainBatch(1, 2);
    QCOMPARE(examplesOf(plain), examplesOf(first));
    const auto places = rowOfRagged(plain.ragged("item_order"), 0);
    QVERIFY(std::is_sorted(places.begin(), places.end()));
    const std::vector<ExampleId> one = {plain.examples[0]};
    QCOMPARE(rowOfRagged(fixed->makeBatchOf(DataSplit::Train, one).ragged("item_spans"), 0),
             rowOfRagged(plain.ragged("item_spans"), 0));
  }

  void optionsOfTheInputs() {
    const auto none = sampleTask({{"spider.relations", "none"}});
    const HostBatch without = none->makeBatch(DataSplit::Validation, 0);
    QVERIFY(!without.raggeds.contains("relations"));
    QCOMPARE(none->sizes().at("relation_types"), std::int64_t{0});
    const auto rat = sampleTask({{"spider.relations", "rat_sql"}});
    QCOMPARE(rat->sizes().at("relation_types"), std::int64_t{51});
    const auto ids = rowOfRagged(rat->makeBatch(DataSplit::Validation, 0).ragged("relations"), 0);
    QVERIFY(*std::max_element(ids.begin(), ids.end()) > 32);
    const auto all = sampleTask({{"spider.duplicates", "all"}});
    QVERIFY(all->sizes().at("longest") > rat->sizes().at("longest"));
    const auto released = sampleTask({{"spider.layout", "released"}});
    const auto fixedSegments = rowOf(without.array("segments"), 0);
    const HostBatch releasedBatch = released->makeBatch(DataSplit::Validation, 0);
    const auto ownSegments = rowOf(releasedBatch.array("segments"), 0);
    QVERIFY(std::count(fixedSegments.begin(), fixedSegments.end(), 1) >
            std::count(ownSegments.begin(), ownSegments.end(), 1));
    const auto few = sampleTask({{"spider.max_train", 20}, {"spider.max_validation", 5}});
    const auto more = sampleTask({{"spider.max_train", 40}});
    QCOMPARE(few->batchedExamples(DataSplit::Train).size(), std::size_t{20});
    QCOMPARE(few->batchedExamples(DataSplit::Validation).size(), std::size_t{5});
    const auto small = few->batchedExamples(DataSplit::Train),
               large = more->batchedExamples(DataSplit::Train);
    QVERIFY(std::includes(large.begin(), large.end(), small.begin(), small.end()));
    QCOMPARE(few->score(DataSplit::Validation, completed(*few, DataSplit::Validation)).value()[0].value,
             100.0);
    const auto limited = sampleTask({{"spider.max_items", 28}});
    QVERIFY(leftOut(*limited, "train", "over_max_items") > 0);
    QVERIFY(limited->batchedExamples(DataSplit::Train).size() <
            limited->batchedExamples(DataSplit::Validation).size() * 2);
    QCOMPARE(leftOut(*limited, "validation", "over_max_items"), std::int64_t{0});
  }

  // Which one is looked at is not bound to the smaller part that a run drew; what cannot be made says why.
  void oneExampleAlone() {
    const auto few = sampleTask({{"spider.max_validation", 5}});
    const auto kept = few->batchedExamples(DataSplit::Validation);
    std::int64_t looked = 0;
    for (std::int64_t e = 0; e < few->exampleCount(DataSplit::Validation); ++e) {
      const ExampleId one(e);
      looked += few->makeBatchOf(DataSplit::Validation, {&one, 1}).rows();
    }
    QVERIFY(looked > std::int64_t(kept.size()));
    const auto limited = sampleTask({{"spider.max_items", 28}});
    const auto used = limited->batchedExamples(DataSplit::Train);
    std::int64_t refused = 0;
    while (std::binary_search(used.begin(), used.end(), ExampleId(refused))) ++refused;
    try {
      const ExampleId one(refused);
      limited->makeBatchOf(DataSplit::Train, {&one, 1});
      QFAIL("an example of more items than the limit was made");
    } catch (const Failure& failure) {
      const std::string text = failure.error().text();
      QVERIFY(failure.error().kind == ErrorKind::Usage);
      QVERIFY2(text.find("left out (over_max_items)") != std::string::npos, text.c_str());
      const auto next = std::upper_bound(used.begin(), used.end(), ExampleId(refused));
      QVERIFY2(text.find("used: " + std::to_string(next->value)) != std::string::npos, text.c_str());
    }
  }

  void goldScoresFully() {
    const auto task = sampleTask();
    auto predictions = completed(*task, DataSplit::Validation);
    const auto scores = task->score(DataSplit::Validation, predictions).value();
    QCOMPARE(scores[0].id, std::string("exact_match"));
    for (const TaskScore& score : scores) QVERIFY2(score.value == 100.0, score.id.c_str());
    std::set<std::string> declared;
    for (const Metric& metric : textToSqlMetrics()) declared.insert(metric.id);
    for (const TaskScore& score : scores) QVERIFY2(declared.contains("valid." + score.id), score.id.c_str());
    // Another column: the sketch stays. No tree at all: nothing but the fallback.
    Prediction& wrong = predictions[0];
    const auto column =
        std::find_if(wrong.ids.begin() + 1, wrong.ids.end(), [](auto id) { return id > 1000; });
    QVERIFY(column != wrong.ids.end());
    *column = *column == 1006 ? 1007 : 1006;
    predictions[1].ids.pop_back();
    predictions[2].ids.clear();
    predictions[3].ids = {-1, 39};
    task->complete(predictions);
    for (const std::size_t i : {1, 2, 3}) QCOMPARE(predictions[i].text, std::string("SELECT *"));
    const auto less = task->score(DataSplit::Validation, predictions).value();
    const double all = static_cast<double>(predictions.size());
    QVERIFY(qFuzzyCompare(scoreOf(less, "exact_match"), 100 * (all - 4) / all));
    QVERIFY(qFuzzyCompare(scoreOf(less, "internal_match"), 100 * (all - 4) / all));
    QVERIFY(qFuzzyCompare(scoreOf(less, "sketch_match"), 100 * (all - 3) / all));
    QVERIFY(less[0].details["parse_errors"].get<int>() == 3);
    QVERIFY(!task->mayReturn(0, {}));
    auto twice = predictions;
    twice.push_back(twice[0]);
    QVERIFY(!task->score(DataSplit::Validation, twice));
    predictions.pop_back();
    const auto missing = task->score(DataSplit::Validation, predictions);
    QVERIFY(!missing && missing.error().message.find("no prediction for example") != std::string::npos);
  }

  void freeQuestions() {
    const auto task = sampleTask({{"batch.evaluation_examples", 2}});
    const Texts lines = {"town_library\tHow many readers are there?",
                         "flower_market\tWhat's the city of Ada?", "town_library\tWhich books?"};
    const auto batches = task->batchesFromText(lines, nullptr).value();
    QCOMPARE(batches.size(), std::size_t{2});
    QCOMPARE(examplesOf(batches[1]), std::vector<std::int64_t>{2});
    QVERIFY(!batches[0].raggeds.contains("actions"));
    QCOMPARE(valueAt(batches[0], "words", 0), std::int64_t{6});
    const auto fault = [&](const std::string& line) {
      const Texts both = {lines[0], line};
      const auto made = task->batchesFromText(both, nullptr);
      // The line among those that were given; who reads a file names it.
      return made.ok() ? std::string("no error")
                       : "line " + std::to_string(made.error().line) + ": " + made.error().text();
    };
    QVERIFY2(fault("How many?").find("line 2: there is no TAB") != std::string::npos, fault("x").c_str());
    const std::string unknown = fault("town_libary\tHow many?");
    QVERIFY2(unknown.find("line 2") != std::string::npos &&
                 unknown.find("town_libary") != std::string::npos &&
                 unknown.find("did you mean \"town_library\"") != std::string::npos,
             unknown.c_str());
    QVERIFY2(fault("nothing like it\tHow?").find("3 databases are known") != std::string::npos, "hint");
    QVERIFY(fault("town_library\t  ").find("the question is empty") != std::string::npos);
    std::string endless = "town_library\t";
    for (int i = 0; i < 10'000; ++i) endless += "word ";
    TextFindings found;
    const Texts lengthy = {endless, lines[0]};
    const auto rest = task->batchesFromText(lengthy, &found).value();
    QCOMPARE(found.leftOut, std::int64_t{1});
    QCOMPARE(found.lengthKey, std::string("spider.max_pieces"));
    QCOMPARE(examplesOf(rest.at(0)), std::vector<std::int64_t>{1});
  }

  // What a running program asks: lines, or objects with words and links of their own.
  void requests() {
    const auto task = sampleTask();
    const std::vector<Json> typed = {"town_library\tHow many readers are there?",
                                     {{"database", "flower_market"}, {"question", "Which flowers?"}}};
    const RequestBatches made = task->batchesFromRequests(typed).value();
    const Texts lines = {"town_library\tHow many readers are there?", "flower_market\tWhich flowers?"};
    const auto same = task->batchesFromText(lines, nullptr).value();
    QCOMPARE(made.batches[0].array("tokens").bytes(), same[0].array("tokens").bytes());
    QCOMPARE(made.inputs.size(), std::size_t{2});
    Json input = made.inputs[0];
    QCOMPARE(input["tokens"].size(), std::size_t{6});
    QCOMPARE(input["items"]["tables"].back().get<std::string>(), std::string("*"));
    QVERIFY(!input["table_links"].empty());
    // What the reply says asks the same again; other links make other relations.
    const std::vector<Json> again = {input};
    const RequestBatches repeated = task->batchesFromRequests(again).value();
    QVERIFY(repeated.inputs[0] == input);
    const auto relations = [](const RequestBatches& of) {
      return rowOfRagged(of.batches[0].ragged("relations"), 0);
    };
    const std::vector<Json> alone = {typed[0]};
    QVERIFY(relations(repeated) == relations(task->batchesFromRequests(alone).value()));
    input["table_links"] = Json::array();
    input["column_links"] = {{3, 0, 1}};
    const std::vector<Json> edited = {input};
    const RequestBatches other = task->batchesFromRequests(edited).value();
    QVERIFY(other.inputs[0]["column_links"] == input["column_links"]);
    QVERIFY(relations(other) != relations(repeated));
    const auto fault = [&](const Json& item) {
      const std::vector<Json> both = {typed[0], item};
      const auto refused = task->batchesFromRequests(both);
      return refused.ok() ? std::string("no error") : refused.error().text();
    };
    QVERIFY2(fault("How many?").find("item 1: there is no TAB") != std::string::npos, "item");
    QVERIFY(fault({{"database", "town_libary"}, {"question", "x"}}).find("did you mean") !=
            std::string::npos);
    QVERIFY(fault({{"database", "town_library"}}).find("no text \"question\"") != std::string::npos);
    input["column_links"] = {{3, 6, 1}};
    QVERIFY2(fault(input).find("[3,6,1] is no [item below") != std::string::npos, fault(input).c_str());
    input.erase("column_links");
    QVERIFY(fault(input).find("no list \"column_links\"") != std::string::npos);
    input["tokens"] = {1};
    QVERIFY(fault(input).find("\"tokens\" holds 1") != std::string::npos);
  }

  // A run goes on, and predicts, without the files it was made from.
  void artifactsAreEnough() {
    const OptionValues options = sample().options({{"spider.tables", "/gone/tables.json"},
                                                   {"spider.vocabulary.file", "/gone/vocabulary.txt"},
                                                   {"data.train", "/gone/train.json"},
                                                   {"data.validation", ""}});
    TaskSetup setup;
    setup.inputOnly = true;
    setup.artifacts = sampleTask()->artifacts();
    const auto task = sqlTask(options, setup);
    const Texts line = {"town_library\tHow many readers are there?"};
    QCOMPARE(task->batchesFromText(line, nullptr).value()[0].array("tokens").bytes(),
             sampleTask()->batchesFromText(line, nullptr).value()[0].array("tokens").bytes());
    setup.artifacts.erase("tables.json");
    const auto less = TextToSqlTask::create(options, setup);
    QVERIFY(!less && less.error().message.find("tables.json") != std::string::npos);
  }

  void badExamplesAreCountedAndNamed() {
    std::string longQuestion = "x";
    for (int i = 0; i < 300; ++i) longQuestion += "\xc3\xa9";  // cut between two of them where it is listed
    for (int i = 0; i < 10'000; ++i) longQuestion += "word ";
    const Json records = {
        record("town_library", "How many readers are there?", "SELECT count(*) FROM reader"),
        record("townlibrary", "How many?", "SELECT count(*) FROM reader"),
        record("town_library", " ", "SELECT count(*) FROM reader"),
        record("town_library", "What colour?", "SELECT colour FROM reader"),
        record("town_library", "Half?", "SELECT age * reader_id FROM reader"),
        record("town_library", "How many?", "SELECT count(*) FROM (SELECT age FROM reader)"),
        record("town_library", longQuestion, "SELECT count(*) FROM reader")};
    const std::string file = sample().write("bad.json", records);
    const auto task =
        sampleTask({{"data.train", file}, {"data.validation", file}, {"spider.max_pieces", 200}});
    for (const char* part : {"train", "validation"}) {
      const Json statistics = task->statistics()[part];
      QCOMPARE(statistics["records"].get<int>(), 7);
      QCOMPARE(leftOut(*task, part, "unknown_database"), std::int64_t{1});
      QCOMPARE(leftOut(*task, part, "empty_question"), std::int64_t{1});
      QCOMPARE(leftOut(*task, part, "parse_failure"), std::int64_t{1});
      QCOMPARE(leftOut(*task, part, "not_expressible"), std::int64_t{1});
    }
    QCOMPARE(leftOut(*task, "train", "not_round_trip"), std::int64_t{1});
    QCOMPARE(leftOut(*task, "train", "too_long"), std::int64_t{1});
    QCOMPARE(leftOut(*task, "validation", "row_too_long"), std::int64_t{1});
    const Json named = task->statistics()["train"]["left_out_examples"];
    QCOMPARE(named.size(), std::size_t{6});
    QCOMPARE(named[0]["example"].get<int>(), 1);
    QVERIFY(named[0]["why"].get<std::string>().find("townlibrary") != std::string::npos);
    QVERIFY(named.dump().size() > 400);  // which valid UTF-8 alone gives
    QVERIFY(named[2]["why"].get<std::string>().find("colour") != std::string::npos);
    // Records keep their numbers, and what the encoder cannot read counts as wrong.
    QCOMPARE(task->exampleCount(DataSplit::Validation), std::int64_t{7});
    const auto predictions = completed(*task, DataSplit::Validation);
    QCOMPARE(predictions.size(), std::size_t{2});
    QCOMPARE(predictions[1].example.value, std::int64_t{5});
    const auto scores = task->score(DataSplit::Validation, predictions).value();
    QCOMPARE(scores[0].details["all"].get<int>(), 3);
    QCOMPARE(scores[0].details["rows_too_long"].get<int>(), 1);
    QCOMPARE(scores[0].details["right"].get<int>(), 1);
    const std::vector<ExampleId> out = {ExampleId{1}};
    QVERIFY_THROWS_EXCEPTION(Failure, task->makeBatchOf(DataSplit::Train, out));
  }

  void badFilesAreRefused() {
    const auto fault = [](const Changes& changes) {
      const auto made = TextToSqlTask::create(sample().options(changes), {});
      return made.ok() ? std::string("no error") : made.error().text();
    };
    const std::string foreign = sample().write(
        "foreign.json", Json::array({record("elsewhere", "How many?", "SELECT count(*) FROM x")}));
    const std::string none = fault({{"data.train", foreign}});
    QVERIFY2(none.find("foreign.json") != std::string::npos &&
                 none.find("none of 1 examples") != std::string::npos &&
                 none.find("unknown_database") != std::string::npos,
             none.c_str());
    const std::string noText =
        fault({{"data.train", sample().write("nokeys.json", Json::array({{{"db_id", "a"}}}))}});
    QVERIFY2(noText.find("record 0") != std::string::npos && noText.find("question") != std::string::npos,
             noText.c_str());
    Json tables = parseJson(readFile(sample().folder() + "/tables.json").value(), "tables").value();
    tables[0].erase("foreign_keys");
    const std::string keys = fault({{"spider.tables", sample().write("nokeys_tables.json", tables)}});
    QVERIFY2(keys.find("\"foreign_keys\" is missing") != std::string::npos, keys.c_str());
    QVERIFY(
        fault({{"spider.tables", sample().write("empty_tables.json", Json::array())}}).find("no database") !=
        std::string::npos);
    QVERIFY(fault({{"data.validation", ""}}).find("data.validation") != std::string::npos);
    QVERIFY(fault({{"spider.tables", ""}}).find("spider.tables") != std::string::npos);
    QVERIFY(fault({{"spider.vocabulary.kind", "byte_bpe"}}) != "no error");
    QVERIFY(fault({{"data.train", sample().folder() + "/not there.json"}}).find("not there.json") !=
            std::string::npos);
    QVERIFY(sample().options().set("spider.linking", "no such linker").ok() == false);
  }

  void linkingIsChosenById() {
    const auto stems = sampleTask({{"spider.linking", "stems"}});
    const auto none = sampleTask({{"spider.linking", "none"}});
    const Json found = stems->statistics()["train"]["gold_columns"];
    QVERIFY2(found["exact"].get<double>() > 25, found.dump().c_str());
    QCOMPARE(none->statistics()["train"]["gold_columns"]["none"].get<double>(), 100.0);
    const auto ids = rowOfRagged(stems->makeBatch(DataSplit::Validation, 0).ragged("relations"), 0),
               blind = rowOfRagged(none->makeBatch(DataSplit::Validation, 0).ragged("relations"), 0);
    QVERIFY(ids.size() == blind.size() && ids != blind);
    const auto absent =
        sampleTask({{"spider.linking", "dt_fixup_like"}, {"spider.wordnet", "/no wordnet here"}});
    const Json linking = absent->statistics()["linking"];
    QCOMPARE(linking["asked"].get<std::string>(), std::string("dt_fixup_like"));
    QCOMPARE(linking["used"].get<std::string>(), std::string("stems"));
    QVERIFY(linking["note"].get<std::string>().find("wordnet-base") != std::string::npos);
    const OptionValues file = sample().options({{"spider.linking", "file"}});
    const auto unnamed = TextToSqlTask::create(file, {});
    QVERIFY(!unnamed && unnamed.error().key == "spider.links");
  }

  // Values are kept with a run: it predicts as it was trained when their file is gone.
  void valuesAreKept() {
    const std::string folder = sample().folder(), file = folder + "/values.jsonl";
    const Json stored = {
        {"database", "town_library"},
        {"sha256", "0"},
        {"columns", {{{"table", "reader"}, {"column", "city"}, {"values", {"bonn", "ulm"}}}}}};
    const std::string head = Json({{"format", 1}, {"kind", "database values"}}).dump();
    writeFileAtomically(file, head + "\n" + stored.dump() + "\n").value();
    const Changes with = {{"spider.linking", "stems"}, {"spider.values", file}};
    const auto known = sampleTask(with), blind = sampleTask({{"spider.linking", "stems"}});
    TaskSetup setup;
    setup.inputOnly = true;
    setup.artifacts = known->artifacts();
    QVERIFY(setup.artifacts.contains("values.jsonl") && !blind->artifacts().contains("values.jsonl"));
    const auto later = sqlTask(
        sample().options({{"spider.linking", "stems"}, {"spider.values", folder + "/gone.jsonl"}}), setup);
    const Texts line = {"town_library\tWho lives in Bonn?"};
    const auto relations = [&](const TextToSqlTask& task) {
      return rowOfRagged(task.batchesFromText(line, nullptr).value().at(0).ragged("relations"), 0);
    };
    QVERIFY(relations(*known) != relations(*blind));
    QVERIFY(relations(*later) == relations(*known));
    const std::string broken = folder + "/broken_values.jsonl";
    writeFileAtomically(broken, "no values\n").value();
    const auto refused = TextToSqlTask::create(sample().options({{"spider.values", broken}}), {});
    QVERIFY(!refused && refused.error().text().find("broken_values.jsonl") != std::string::npos);
  }

  // What the entry names as gold of a review is the data set: the same queries as a gold file.
  void theReviewReadsTheDataSet() {
    const auto gold = readGoldFile(sample().folder() + "/validation.json").value();
    QCOMPARE(std::int64_t(gold.size()), sampleTask()->exampleCount(DataSplit::Validation));
    const auto texts = sampleTask()->exampleTexts(DataSplit::Validation, ExampleId{3});
    QCOMPARE(gold[3].sql, texts[1].second);
    QCOMPARE(gold[3].dbId, texts[2].second);
    QCOMPARE(gold[3].line, std::int64_t{4});
    QVERIFY(!readGoldFile(sample().write("none.json", Json::array())));
    if (fixtures::spiderFile("dev.json").empty()) return;
    const auto file = readGoldFile(fixtures::spiderFile("dev_gold.sql")).value(),
               data = readGoldFile(fixtures::spiderFile("dev.json")).value();
    QCOMPARE(file.size(), data.size());
    for (std::size_t i = 0; i < file.size(); ++i)
      QVERIFY(file[i].sql == data[i].sql && file[i].dbId == data[i].dbId);
    QCOMPARE(readGoldFile(fixtures::spiderFile("train_spider.json.gz")).value().size(), std::size_t{7000});
  }

  void linksOfOtherDataAreRefused() {
    const auto task = sampleTask();
    const auto tokenizer = std::make_shared<const WordPieceTokenizer>(
        WordPieceTokenizer::fromText(task->artifacts().at("vocabulary.txt"), "vocabulary.txt").value());
    const RowBuilder rows(tokenizer, {});
    const TextToSqlOptions options;
    const ForeignLinks linker;
    const TaskSetup setup;
    const SqlPreparation with{options, task->databases(), rows, linker, setup};
    const auto made = prepareQuestion({"town_library", "How many?", "", {"How", "many", "?"}}, with);
    QVERIFY(!made);
    QVERIFY2(made.error().text().find("1 tokens") != std::string::npos &&
                 made.error().text().find("other data") != std::string::npos,
             made.error().text().c_str());
  }

  // A file of links must be of this very data: another question, other words, another schema.
  void filesOfForeignLinks() {
    const Json records = {record("town_library", "How many readers?", "SELECT count(*) FROM reader"),
                          record("town_library", "Which books?", "SELECT title FROM book")};
    const auto line = [](const std::string& question, const Json& tokens) {
      return Json({{"db_id", "town_library"},
                   {"question", question},
                   {"tokens", tokens},
                   {"table_links", Json::array()},
                   {"column_links", Json::array()}})
                 .dump() +
             "\n";
    };
    const std::string first = line("How many readers ?", {"How", "many", "readers", "?"}),
                      file = sample().folder() + "/links.jsonl", train = sample().write("two.json", records);
    const auto made = [&](const std::string& links) {
      writeFileAtomically(file, links).value();
      return TextToSqlTask::create(sample().options({{"data.train", train},
                                                     {"data.validation", train},
                                                     {"data.test", ""},
                                                     {"spider.linking", "file"},
                                                     {"spider.links", file}}),
                                   {});
    };
    QVERIFY(made(first + line("Which books ?", {"Which", "books", "?"})).ok());
    const auto absent = made(first), cut = made(first + line("Which books ?", {"Which books", "?"}));
    QVERIFY(!absent.ok() && !cut.ok());
    for (const std::string& text : {absent.error().text(), cut.error().text()})
      QVERIFY2(
          text.find("links.jsonl") != std::string::npos && text.find("train example 1") != std::string::npos,
          text.c_str());
    QVERIFY2(absent.error().text().find("Which books ?") != std::string::npos, "the question");
    QVERIFY2(cut.error().text().find("links of 2 tokens") != std::string::npos, "the numbers");
  }

  void aWideSchema() {
    Json tables = parseJson(readFile(sample().folder() + "/tables.json").value(), "tables").value();
    for (int i = 0; i < 1000; ++i) {
      tables[0]["column_names"].push_back({0, "column " + std::to_string(i)});
      tables[0]["column_names_original"].push_back({0, "c" + std::to_string(i)});
      tables[0]["column_types"].push_back("text");
    }
    const std::string db = tables[0]["db_id"].get<std::string>();
    const auto task = sampleTask({{"spider.tables", sample().write("wide_tables.json", tables)}});
    QVERIFY(leftOut(*task, "train", "too_long") > 0);
    QVERIFY(leftOut(*task, "validation", "row_too_long") > 0);
    TextFindings found;
    const Texts line = {db + "\tHow many?"};
    QVERIFY(task->batchesFromText(line, &found).value().empty());
    QCOMPARE(found.leftOut, std::int64_t{1});
  }

  void stopsOnRequest() {
    TaskSetup setup;
    setup.stop.requestStop();
    const auto made = TextToSqlTask::create(sample().options(), setup);
    QVERIFY(!made && made.error().kind == ErrorKind::Interrupted);
  }

  // Real Spider: what is kept, how long it is, what gold reaches, what a blind model scores.
  void realSpider() {
    const std::string vocabulary = fixtures::dataPath("bert_vocab/vocab_uncased.txt");
    if (fixtures::spiderFile("dev.json").empty() || vocabulary.empty()) QSKIP("no Spider data");
    const auto task = sqlTask(sample().options({{"data.train", fixtures::spiderFile("train_spider.json.gz")},
                                                {"data.validation", fixtures::spiderFile("dev.json")},
                                                {"data.test", ""},
                                                {"spider.tables", fixtures::spiderFile("tables.json")},
                                                {"spider.databases", ""},
                                                {"spider.linking", "none"},
                                                {"spider.vocabulary.file", vocabulary},
                                                {"spider.sql_style", "released"}}));
    const Json train = task->statistics()["train"], dev = task->statistics()["validation"];
    QCOMPARE(train["examples"].get<int>(), 6853);
    Json leftOut = Json::object();
    for (const LeftOutReason& reason : leftOutReasons()) leftOut[reason.id] = 0;
    leftOut.update({{"known_bad", 1}, {"not_round_trip", 66}, {"too_long", 80}});
    QCOMPARE(train["left_out"].dump(), leftOut.dump());
    QCOMPARE(train["left_out_examples"].size(), std::size_t{147});
    QCOMPARE(dev["examples"].get<int>(), 1034);
    QCOMPARE(dev["changed_by_round_trip"].get<int>(), 18);
    QCOMPARE(task->batchCount(DataSplit::Train), std::int64_t{429});
    QCOMPARE(train["columns"]["longest"].get<int>(), 118);
    QCOMPARE(train["elements"]["longest"].get<int>(), 158);
    QCOMPARE(dev["elements"]["longest"].get<int>(), 113);
    QCOMPARE(dev["pieces"]["longest"].get<int>(), 251);
    QCOMPARE(train["pieces"]["longest"].get<int>(), 381);
    QVERIFY(std::abs(train["elements"]["mean"].get<double>() - 56.5) < .1);
    QVERIFY(std::abs(dev["elements"]["mean"].get<double>() - 49.6) < .1);
    QVERIFY(std::abs(train["actions"]["mean"].get<double>() - 29.8) < .05);
    const Json blind = task->statistics()["ignorant_nll"];
    QVERIFY2(std::abs(blind["rules"].get<double>() - 10.15) < .01, blind.dump().c_str());
    QVERIFY2(std::abs(blind["columns"].get<double>() - 13.17) < .01, blind.dump().c_str());
    QVERIFY(std::abs(task->targetUnigramEntropy() - 23.3) < .1);
    auto predictions = completed(*task, DataSplit::Validation);
    int refused = 0;
    for (Prediction& prediction : predictions) {
      if (task->mayReturn(prediction.ids[0], {prediction.ids.begin() + 1, prediction.ids.end()})) continue;
      prediction.ids.clear();
      ++refused;
    }
    QCOMPARE(refused, 2);
    task->complete(predictions);
    const auto scores = task->score(DataSplit::Validation, predictions).value();
    QCOMPARE(scores[0].details["right"].get<int>(), 1018);
    QVERIFY(qFuzzyCompare(scoreOf(scores, "internal_match"), 100.0 * 1014 / 1034));
    QCOMPARE(QString::number(scoreOf(scores, "exact_match_hard"), 'f', 1), QString("94.3"));
  }

 private:
  static std::vector<Prediction> completed(const TextToSqlTask& task, DataSplit split) {
    auto predictions = goldPredictions(task, split);
    task.complete(predictions);
    return predictions;
  }

  static void checkActions(const HostBatch& batch, std::int64_t row, int columns) {
    const auto actions = rowOfRagged(batch.ragged("actions"), row),
               parents = rowOfRagged(batch.ragged("action_parents"), row),
               rules = rowOfRagged(batch.ragged("action_parent_rules"), row),
               types = rowOfRagged(batch.ragged("action_types"), row);
    QVERIFY(parents.size() == actions.size() && rules.size() == actions.size() &&
            types.size() == actions.size());
    QVERIFY(treeFromActions({actions.begin(), actions.end()}, columns).ok());
    QCOMPARE(types[0], std::int64_t(kTypeStmt));
    QCOMPARE(rules[0], std::int64_t{-1});
    for (std::size_t i = 1; i < actions.size(); ++i) {
      QVERIFY(parents[i] < std::int64_t(i));
      QCOMPARE(actions[static_cast<std::size_t>(parents[i])], rules[i]);
      if (actions[i] >= kSelectColumn) QCOMPARE(types[i], std::int64_t(kTypeColId));
    }
  }
};

QTEST_APPLESS_MAIN(TestTextToSqlTask)
#include "tst_text_to_sql_task.moc"
