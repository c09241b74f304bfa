// SPDX-License-Identifier: Apache-2.0
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <random>
#include <set>

#include "core/base/options/field_builder.h"
#include "core/library/records/project_library.h"
#include "core/library/runs/run_listing.h"
#include "core/library/runs/short_names.h"

using namespace fathom;

class TellingNamesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void whatAllShareIsLeftOut_data();
  void whatAllShareIsLeftOut();
  void combinationsOfAGrid();
  void combinationsBesideOtherRuns();
  void valuesInWords();
  void sameNamesByTheirOptions();
  void sameNamesAndOptionsByTheirUuids();
  void oneRunKeepsItsName();
  void theSameRunTwice();
  void rowsOfAProject();
  void alwaysUniqueAndWithoutOrder();
};

namespace {

using Names = std::vector<std::string>;

OptionSchema schemaOfNames() {
  std::vector<OptionField> fields;
  for (const std::string stack : {"encoder", "decoder"}) {
    fields.push_back(choiceField(stack + ".residual", "Residual scheme of the " + stack, "How sums are made.",
                                 {{"post_ln", "Post-LN"}, {"pre_ln", "Pre-LN"}, {"admin", "Admin"}}));
    fields.push_back(textField(stack + ".layers", "Layers of the " + stack, "How many."));
  }
  fields.push_back(textField("lr_schedule.rate", "Learning rate", "How fast."));
  fields.push_back(flagField("model.tied", "Tied embeddings", "One table.", false));
  fields.push_back(textField("seed", "Seed", "Of everything."));
  return OptionSchema(std::move(fields), {});
}

Names plainNames(const Names& whole) {
  std::vector<RunToName> runs;
  for (std::size_t i = 0; i < whole.size(); ++i) runs.push_back({"uuid-" + std::to_string(i), whole[i], ""});
  return shortRunNames(runs, {});
}

RunToName combination(const std::string& uuid, const std::string& grid, const Names& values) {
  return {uuid, "as recorded " + uuid, grid, grid + " grid", values};
}

}  // namespace

void TellingNamesTest::whatAllShareIsLeftOut_data() {
  QTest::addColumn<QStringList>("whole");
  QTest::addColumn<QStringList>("told");
  const auto row = [](const char* what, const QStringList& whole, const QStringList& told) {
    QTest::newRow(what) << whole << told;
  };
  row("words before", {"12 layers Post-LN", "12 layers Pre-LN", "12 layers Admin"},
      {"Post-LN", "Pre-LN", "Admin"});
  row("and after", {"nmt 18L Admin base", "nmt 18L Post-LN base"}, {"Admin", "Post-LN"});
  row("whole words only", {"RealFormer-a", "RealFormer-b"}, {"RealFormer-a", "RealFormer-b"});
  row("nothing", {"2 layers Post-LN", "12 layers Admin"}, {"2 layers Post-LN", "12 layers Admin"});
  row("no bare numbers", {"2 layers", "12 layers"}, {"2 layers", "12 layers"});
  row("no bare numbers at the end", {"mini 1", "mini 2"}, {"mini 1", "mini 2"});
  row("a word of the number", {"mini seed 1", "mini seed 2"}, {"seed 1", "seed 2"});
  row("nobody is nameless", {"mini", "mini again"}, {"mini", "mini again"});
  row("their ends are their own", {"base", "base_", "_base"}, {"base", "base_", "_base"});
  row("underscores and slashes", {"exp/run_a_first", "exp/run_a_second"}, {"first", "second"});
  row("blanks do not count", {"  a   b ", "a c"}, {"b", "c"});
  row("letters of a language", {"基线 甲", "基线 乙"}, {"甲", "乙"});
}

void TellingNamesTest::whatAllShareIsLeftOut() {
  QFETCH(QStringList, whole);
  QFETCH(QStringList, told);
  Names names;
  for (const QString& name : whole) names.push_back(name.toStdString());
  QStringList found;
  for (const std::string& name : plainNames(names)) found << QString::fromStdString(name);
  QCOMPARE(found, told);
}

void TellingNamesTest::combinationsOfAGrid() {
  std::vector<RunToName> runs = {combination("a", "g", {"Admin", "12 L", "seed 1"}),
                                 combination("b", "g", {"Admin", "12 L", "seed 2"}),
                                 combination("c", "g", {"Post-LN", "12 L", "seed 1"})};
  QCOMPARE(shortRunNames(runs, {}), (Names{"Admin · seed 1", "Admin · seed 2", "Post-LN · seed 1"}));
  runs.pop_back();
  QCOMPARE(shortRunNames(runs, {}), (Names{"seed 1", "seed 2"}));
}

void TellingNamesTest::combinationsBesideOtherRuns() {
  std::vector<RunToName> runs = {combination("a", "g", {"Admin", "12 L"}),
                                 combination("b", "g", {"Post-LN", "12 L"}),
                                 combination("c", "h", {"Admin", "6 L"}),
                                 {"d", "a baseline", ""}};
  QCOMPARE(shortRunNames(runs, {}),
           (Names{"g grid · Admin", "g grid · Post-LN", "h grid · Admin · 6 L", "a baseline"}));
}

void TellingNamesTest::valuesInWords() {
  const OptionSchema titles = schemaOfNames();
  QCOMPARE(optionWords(titles, "encoder.residual", "post_ln"), std::string("Post-LN"));
  QCOMPARE(optionWords(titles, "encoder.residual+decoder.residual", "admin"), std::string("Admin"));
  QCOMPARE(optionWords(titles, "encoder.layers+decoder.layers", 12), std::string("12 L"));
  QCOMPARE(optionWords(titles, "seed", 2), std::string("seed 2"));
  QCOMPARE(optionWords(titles, "lr_schedule.rate", "0.001"), std::string("Learning rate 0.001"));
  QCOMPARE(optionWords(titles, "model.tied", true), std::string("Tied embeddings on"));
  QCOMPARE(optionWords(titles, "scheme", Json{{"name", "DT-Fixup"}, {"options", Json::object()}}),
           std::string("DT-Fixup"));
  QCOMPARE(optionWords({}, "optimizer.beta2", 0.98), std::string("beta2 0.98"));
  QCOMPARE(optionWords({}, "encoder.residual", "post_ln"), std::string("post_ln"));
}

void TellingNamesTest::sameNamesByTheirOptions() {
  const auto options = [](const char* encoder, const char* decoder, int layers, int seed) {
    return Json{{"encoder.residual", encoder},
                {"decoder.residual", decoder},
                {"encoder.layers", layers},
                {"seed", seed},
                {"device", "cpu"},
                {"analysis.epoch_norms", seed == 1}};
  };
  std::vector<RunToName> runs;
  for (const char* uuid : {"a", "b", "c"}) runs.push_back({uuid, "nmt run", ""});
  // Both stacks go together: one says it.
  std::vector<Json> all = {options("post_ln", "post_ln", 6, 1), options("admin", "admin", 6, 1),
                           options("admin", "admin", 6, 2)};
  const auto asked = [&all](std::size_t i) { return all[i]; };
  QCOMPARE(shortRunNames(runs, schemaOfNames(), asked),
           (Names{"Post-LN · seed 1", "Admin · seed 1", "Admin · seed 2"}));
  all = {options("post_ln", "admin", 6, 1), options("admin", "admin", 6, 1),
         options("admin", "post_ln", 12, 1)};
  QCOMPARE(shortRunNames(runs, schemaOfNames(), asked),
           (Names{"encoder Post-LN · decoder Admin", "encoder Admin · decoder Admin",
                  "encoder Admin · decoder Post-LN"}));
}

void TellingNamesTest::sameNamesAndOptionsByTheirUuids() {
  const std::vector<RunToName> runs = {
      {"0123-4567", "run", ""}, {"0123-9999", "run", ""}, {"abcdef", "run", ""}};
  const auto same = [](std::size_t) { return Json{{"seed", 1}, {"device", "cpu"}}; };
  const Names names = shortRunNames(runs, {}, same);
  QCOMPARE(names, (Names{"run · 0123-4", "run · 0123-9", "run · abcd"}));
}

void TellingNamesTest::oneRunKeepsItsName() {
  QCOMPARE(plainNames({"12 layers Post-LN"}), Names{"12 layers Post-LN"});
  QCOMPARE(shortRunNames({combination("a", "g", {"Admin", "seed 1"})}, {}), Names{"g grid · Admin · seed 1"});
  QCOMPARE(shortRunNames({{"0123456789", "", ""}}, {}), Names{"01234567"});
  QCOMPARE(shortRunNames({}, {}), Names{});
}

void TellingNamesTest::theSameRunTwice() {
  const std::vector<RunToName> runs = {{"a", "mini one", ""}, {"b", "mini two", ""}, {"a", "mini one", ""}};
  QCOMPARE(shortRunNames(runs, {}), (Names{"one", "two", "one"}));
}

void TellingNamesTest::rowsOfAProject() {
  QTemporaryDir dir;
  auto library = ProjectLibrary::create(dir.path().toStdString() + "/p.fathom").value();
  GridRecord grid;
  grid.uuid = "grid";
  grid.name = "depths";
  grid.axes = {{{"key", "encoder.residual"}, {"values", {"post_ln", "admin"}}},
               {{"key", "seed"}, {"values", {"1", "2"}}}};
  grid.runs = {"a", "b", "c", "d"};
  QVERIFY(library->setGrid(grid).ok());
  std::vector<RunRow> rows(4);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].identity.uuid = grid.runs[i];
    rows[i].name = "depths post_ln seed " + std::to_string(i);
  }
  QCOMPARE(shortRunNames(*library, rows, schemaOfNames()),
           (Names{"Post-LN · seed 1", "Post-LN · seed 2", "Admin · seed 1", "Admin · seed 2"}));
  // A name that somebody gave wins.
  RunNotes notes;
  notes.name = rows[1].name = "the good one";
  QVERIFY(library->setRunNotes("b", notes).ok());
  QCOMPARE(shortRunNames(*library, rows, schemaOfNames())[1], std::string("the good one"));
}

void TellingNamesTest::alwaysUniqueAndWithoutOrder() {
  const auto seed = qEnvironmentVariableIsSet("SEED") ? unsigned(qEnvironmentVariableIntValue("SEED")) : 18U;
  const int rounds = qEnvironmentVariableIsSet("N") ? qEnvironmentVariableIntValue("N") : 1000;
  std::mt19937 random(seed);
  const auto pick = [&random](int count) { return int(random() % unsigned(count)); };
  const Names words = {"a", "b", "12",   "layers", "Post-LN", "·",      " ",
                       "_", "/", "seed", "1",      "",        "uuid-1", "甲"};
  for (int round = 0; round < rounds; ++round) {
    std::vector<std::pair<RunToName, Json>> runs;
    for (int i = pick(9) + 1; i > 0; --i) {
      RunToName run{"uuid-" + std::to_string(i), {}, ""};
      for (int k = pick(4); k > 0; --k) run.name += words[std::size_t(pick(14))] + (pick(3) > 0 ? " " : "");
      if (pick(3) == 0) {
        run.grid = run.gridName = pick(2) > 0 ? "g" : "";
        run.values = {words[std::size_t(pick(14))], words[std::size_t(pick(14))]};
      }
      Json options = Json::object();
      if (pick(4) > 0) options = {{"seed", pick(3)}, {"encoder.layers", pick(2)}};
      runs.emplace_back(run, options);
    }
    const auto namesOf = [&runs] {
      std::vector<RunToName> all;
      for (const auto& [run, options] : runs) all.push_back(run);
      std::map<std::string, std::string> byUuid;
      const Names names =
          shortRunNames(all, schemaOfNames(), [&runs](std::size_t i) { return runs[i].second; });
      for (std::size_t i = 0; i < names.size(); ++i) byUuid[all[i].uuid] = names[i];
      return byUuid;
    };
    const auto names = namesOf();
    std::set<std::string> different;
    for (const auto& [uuid, name] : names) {
      QVERIFY2(!name.empty(), qPrintable(QStringLiteral("seed %1, round %2").arg(seed).arg(round)));
      different.insert(name);
    }
    QVERIFY2(different.size() == runs.size(),
             qPrintable(QStringLiteral("seed %1, round %2").arg(seed).arg(round)));
    std::shuffle(runs.begin(), runs.end(), random);
    QVERIFY2(namesOf() == names, qPrintable(QStringLiteral("seed %1, round %2").arg(seed).arg(round)));
  }
}

QTEST_GUILESS_MAIN(TellingNamesTest)
#include "tst_short_names.moc"
