// SPDX-License-Identifier: Apache-2.0
// Task "text_to_sql": what is in a batch, and which examples are (docs/text_to_sql.md §7).
#include <QTest>
#include <algorithm>
#include <set>

#include "core/spider/grammar/sql_tree.h"
#include "tests/unit/support_sql_task.h"

using namespace fathom;
using namespace fathom::sql_task;

namespace {

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

void checkActions(const HostBatch& batch, std::int64_t row, int columns) {
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

}  // namespace

class TestTextToSqlBatches : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void everyArrayOfABatch() {
    const auto task = sampleTask({{"batch.examples", 7}});
    const HostBatch batch = task->makeTrainBatch(3, 1);
    QCOMPARE(batch.rows(), std::int64_t{7});
    QCOMPARE(batch.targetUnits, std::int64_t{7});
    const std::int64_t T = batch.array("tokens").size(1);
    QCOMPARE(batch.paddedUnits, 7 * T);
    const auto sizes = task->sizes();
    const SqlDatabases databases = databasesOf(*task);
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
      const SqlDatabase& database = databases.at(valueAt(batch, "databases", row));
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
};

QTEST_APPLESS_MAIN(TestTextToSqlBatches)
#include "tst_text_to_sql_batches.moc"
