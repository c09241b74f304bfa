// SPDX-License-Identifier: Apache-2.0
// Folders of Lightning's CSVLogger, and the YAML beside their tables.
#include <QTest>
#include <algorithm>

#include "core/base/json/json_members.h"
#include "core/imports/formats/yaml_options.h"
#include "core/imports/import_entry.h"
#include "core/record/runs/run_config.h"
#include "tests/unit/support_following.h"

using namespace fathom;

namespace {

void equal(const Json& got, const Json& wanted) {
  QCOMPARE(got.dump(), wanted.dump());
}

Json yaml(const std::string& text) {
  return parseYamlOptions(text, "hparams.yaml").value();
}

Json optionsOfRun(const std::string& path) {
  const RunFolder run(path);
  return readRunConfig(run.configPath(run.lastAttempt())).value().options;
}

}  // namespace

class LightningRunTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void plainValues() {
    equal(yaml("a: 1\nb: -0.5\nc: 1.0e-05\nd: true\ne: null\nf:\ng: ~\nh: .nan\ni: -.inf\nj: pre\n"),
          Json({{"a", 1},
                {"b", -0.5},
                {"c", 1e-5},
                {"d", true},
                {"e", nullptr},
                {"f", nullptr},
                {"g", nullptr},
                {"h", "NaN"},
                {"i", "-Infinity"},
                {"j", "pre"}}));
    equal(yaml("v: 1.2.3\nw: 2024-01-02\nx: 12 layers\ny: 007b\n"),
          Json({{"v", "1.2.3"}, {"w", "2024-01-02"}, {"x", "12 layers"}, {"y", "007b"}}));
    equal(yaml(""), Json::object());
    equal(yaml("--- \n# said by nobody\na: b # c\n...\n"), Json({{"a", "b"}}));
  }
  void textsInQuotes() {
    equal(yaml("a: 'it''s: #1'\nb: \"x\\n\\u00fc \\\"y\\\"\"\nc: '1'\n'd e': f\n"),
          Json({{"a", "it's: #1"}, {"b", "x\n\u00fc \"y\""}, {"c", "1"}, {"d e", "f"}}));
    // PyYAML folds long texts.
    equal(yaml("a: 'one\n  two'\nb: one\n  two\nc: \"one\\\n  \\ two\"\nd: 1\n"),
          Json({{"a", "one two"}, {"b", "one two"}, {"c", "one two"}, {"d", 1}}));
    equal(yaml("a: |\n  one\n  two\nb: >-\n  one\n  two\nc: 1\n"),
          Json({{"a", "one\ntwo\n"}, {"b", "one two"}, {"c", 1}}));
  }
  void mapsAndLists() {
    equal(yaml("a:\n  b:\n    c: 1\n  d: 2\ne:\n- 1\n- x\nf:\n  - g: 1\n    h: 2\n  - - 3\n    - 4\ni: "
               "{}\nj: []\n"),
          Json({{"a", {{"b", {{"c", 1}}}, {"d", 2}}},
                {"e", Json::array({1, "x"})},
                {"f", Json::array({Json({{"g", 1}, {"h", 2}}), Json::array({3, 4})})},
                {"i", Json::object()},
                {"j", Json::array()}}));
    equal(yaml("a: [1, 'b', {c: 2, d: [e]},\n  f]\nb: {x: 1}\n"),
          Json({{"a", Json::array({1, "b", Json({{"c", 2}, {"d", Json::array({"e"})}}), "f"})},
                {"b", {{"x", 1}}}}));
  }
  // Forms that a second reader tried: what Lightning writes without options, links and times in brackets,
  // brackets over lines, comments further in, keys like numbers, links within the file.
  void otherForms() {
    equal(yaml("{}\n"), Json::object());
    equal(yaml("{lr: 0.1}\n"), Json({{"lr", 0.1}}));
    equal(yaml("p: [s3://a/b, 12:30]\nu: {x: http://y}\n"),
          Json({{"p", Json::array({"s3://a/b", "12:30"})}, {"u", {{"x", "http://y"}}}}));
    equal(yaml("a: [\n  1, # first\n\n  2\n]\nb: 1\n"), Json({{"a", Json::array({1, 2})}, {"b", 1}}));
    equal(yaml("lr: 0.1\n  # tuned\nb:\n- 3 # note: x\n"), Json({{"lr", 0.1}, {"b", Json::array({3})}}));
    equal(yaml("a:\n- '0': conv\n  '1': relu\n"),
          Json({{"a", Json::array({Json({{"0", "conv"}, {"1", "relu"}})})}}));
    equal(yaml("a: 'first\n\n  second'\n"), Json({{"a", "first\nsecond"}}));
    equal(yaml("a: &x {b: 1, c: 2}\nd:\n  <<: *x\n  c: 3\n"),
          Json({{"a", {{"b", 1}, {"c", 2}}}, {"d", {{"b", 1}, {"c", 3}}}}));
    QVERIFY(!parseYamlOptions("a: 1\n---\na: 2\n", "two").ok());
    QVERIFY(!parseYamlOptions("a: 'x' junk\n", "junk").ok());
    std::string bomb = "a: &a [1,1,1,1,1,1,1,1,1]\n";
    for (char c = 'b'; c < 'k'; ++c) {
      bomb += std::string(1, c) + ": &" + c + " [";
      for (int i = 0; i < 9; ++i) bomb += std::string(i > 0 ? ", *" : "*") + char(c - 1);
      bomb += "]\n";
    }
    QVERIFY(!parseYamlOptions(bomb, "bomb").ok());
  }
  // Nothing is made of it.
  void objectsArePlainTexts() {
    const Json read = yaml(
        "a: !!python/object/apply:os.system\n- echo x > made\nb: !!python/name:torch.nn.ReLU ''\n"
        "c: !!python/object:net.Config\n  width: 8\n  'depth': 2\nd: &id001\n- 1\ne: *id001\nf: 2\n");
    equal(read["a"], Json("!!python/object/apply:os.system - echo x > made"));
    equal(read["b"], Json("!!python/name:torch.nn.ReLU ''"));
    equal(read["c"], Json("!!python/object:net.Config width: 8 'depth': 2"));
    equal(read["d"], Json::array({1}));
    equal(read["e"], Json::array({1}));
    equal(read["f"], Json(2));
  }
  void whatIsNone() {
    const std::pair<std::string, std::int64_t> bad[] = {
        {"a: 1\nb\n", 2},  {"a: 'x\nb: 1\n", 1}, {"a: 1\n  b: 2\nc: 3\n d: 4\n", -1},
        {"a: [1, 2\n", 1}, {"\xff: 1\n", 0},     {"a: 1\n- 2\n", 2},
        {": 1\n", 1}};
    for (const auto& [text, line] : bad) {
      const auto read = parseYamlOptions(text, "some.yaml");
      if (line < 0) continue;
      QVERIFY2(!read.ok(), text.c_str());
      QCOMPARE(read.error().line, line);
      QCOMPARE(read.error().file, std::string("some.yaml"));
    }
    std::string deep;
    for (int i = 0; i < 100; ++i) deep += std::string(std::size_t(i), ' ') + "a:\n";
    QVERIFY(!parseYamlOptions(deep, "deep").ok());
    QVERIFY(!parseYamlOptions("a: " + std::string(5000, '['), "deep").ok());
    QVERIFY(!parseYamlOptions(std::string(2'000'000, 'a'), "large").ok());
    // Any bytes: an error, or a value.
    const std::string sound = "a:\n  b: 'c'\n  d: [1, {e: \"f\\x41\"}]\ng:\n- h: |\n    i\n- !!x y\n";
    for (std::size_t at = 0; at < sound.size(); ++at)
      for (const char c : {'\0', ' ', ':', '-', '[', '}', '\'', '"', '\n', '\\', '!', '&', '\xc3'}) {
        std::string changed = sound;
        changed[at] = c;
        (void)parseYamlOptions(changed, "changed").ok();
        (void)parseYamlOptions(changed.substr(0, at), "cut").ok();
      }
  }

  // Options that come late, or change, are those of the run; half a file of them takes nothing away.
  // A table that is none fails itself alone, is named, and is read when it is mended.
  void oneTableThatIsBroken() {
    const Following folder;
    const std::string bad = "logs/other/metrics.csv";
    for (const std::string version : {"logs/net/version_0", "logs/net/version_1"}) {
      folder.append(version + "/metrics.csv", "epoch,loss,step\n0,9,1\n0,8,2\n");
      folder.append(version + "/hparams.yaml", "seed: 1\n");
    }
    folder.append(bad, "epoch,loss,step\n0,9,first\n");
    const auto runs = folder.import("logs");
    QCOMPARE(runs.size(), std::size_t{2});
    QVERIFY(warnsOf(runs[0].warnings, "logs/other/metrics.csv:2: column \"step\""));
    QVERIFY(!warnsOf(runs[1].warnings, "column"));
    auto follower = folder.open("logs").value();
    QVERIFY(follower->poll(StopToken()).ok());
    QCOMPARE(folder.steps(), Following::upTo(2, 2));
    // One that was read before breaks; what it had stays, and the others go on.
    folder.append("logs/net/version_0/metrics.csv", "0,8,broken\n");
    folder.append("logs/net/version_1/metrics.csv", "0,7,3\n");
    for (int i = 0; i < 2; ++i) QVERIFY(follower->poll(StopToken()).ok());
    QCOMPARE(folder.steps(), (std::vector<double>{1, 1, 2, 2, 3}));
    follower = nullptr;
    follower = folder.open("logs").value();
    folder.replace(bad, "epoch,loss,step\n0,9,1\n");
    folder.replace("logs/net/version_0/metrics.csv", "epoch,loss,step\n0,9,1\n0,8,2\n0,7,3\n");
    QVERIFY(follower->poll(StopToken()).ok());
    QCOMPARE(folder.steps(), (std::vector<double>{1, 1, 1, 2, 2, 3, 3}));
    follower = nullptr;
    // Alone it is the error.
    Progress progress;
    const auto alone = importRuns(folder.append("alone/version_0/hparams.yaml", "a: 1\n") + "/..",
                                  folder.path("imported"), {}, progress, StopToken());
    QVERIFY(!alone.ok());
  }
  void optionsThatComeLater() {
    const Following folder;
    const std::string table = "logs/net/version_0/metrics.csv", options = "logs/net/version_0/hparams.yaml";
    folder.append(options, "lr: 0.1\n");
    folder.append(table, "epoch,loss,step\n0,2.5,1\n");
    QCOMPARE(recognisedImport(folder.path("logs")).value()->id, std::string("lightning"));
    QCOMPARE(recognisedImport(folder.path(table)).value()->id, std::string("lightning"));
    QVERIFY(folder.look("logs").ok());
    QCOMPARE(folder.runs().size(), std::size_t{1});
    const std::string run = folder.runs().front();
    equal(optionsOfRun(run), Json({{"lr", 0.1}}));
    QCOMPARE(memberText(RunFolder(run).identity()->provenance, "group"), std::string("net"));
    folder.replace(options, "lr: 0.2\nnote: 'half");
    folder.append(table, "0,2,2\n");
    QVERIFY(folder.look("logs").ok());
    equal(optionsOfRun(run), Json({{"lr", 0.1}}));
    folder.replace(options, "lr: 0.2\nnote: 'half a text'\n");
    QVERIFY(folder.look("logs").ok());
    equal(optionsOfRun(run), Json({{"lr", 0.2}, {"note", "half a text"}}));
    // A column that comes makes Lightning write the table anew; another version is another run.
    folder.replace(table, "epoch,loss,step,val/loss\n0,2.5,1,\n0,2,2,\n0,,2,3\n");
    folder.append("logs/net/version_1/metrics.csv", "epoch,loss,step\n0,9,1\n");
    QVERIFY(folder.look("logs").ok());
    QCOMPARE(folder.runs().size(), std::size_t{2});
    QCOMPARE(folder.steps("val/loss"), (std::vector<double>{2}));
    QCOMPARE(folder.steps("loss"), (std::vector<double>{1, 1, 2}));
  }
};

QTEST_APPLESS_MAIN(LightningRunTest)
#include "tst_lightning_run.moc"
