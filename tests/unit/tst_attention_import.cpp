// SPDX-License-Identifier: Apache-2.0
// Arrays of attention that people bring: what is understood, and what is refused in one sentence with file
// and place.
#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <fstream>
#include <iterator>
#include <numbers>

#include "core/analysis/attention/attention_distribution.h"
#include "core/imports/attention/attention_import.h"
#include "core/record/formats/array_file.h"
#include "core/record/formats/safetensors_file.h"
#include "core/record/results/analysis_store.h"

using namespace fathom;

class AttentionImportTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // Two layers, two examples, one head, three queries and keys; the last place of the second example is none.
  void init() {
    m_values.clear();
    for (int layer = 0; layer < 2; ++layer)
      for (int example = 0; example < 2; ++example)
        for (int query = 0; query < 3; ++query)
          for (int key = 0; key < 3; ++key) {
            const int real = example == 1 ? 2 : 3;
            const bool even = layer == 0;
            m_values.push_back(key >= real ? 0
                               : even      ? 1.0f / static_cast<float>(real)
                               : key == 0  ? 1.0f
                                           : 0.0f);
          }
    m_files = {};
    m_files.arrays = {write("encoder.self_attention.npy", {2, 2, 1, 3, 3})};
    m_files.tokens = text("tokens.json", R"([["a", "b", "c"], ["d", "e"]])");
  }

  void entropyAndDivergenceOfRealQueries() {
    const auto brought = read();
    QVERIFY2(brought.ok(), brought.ok() ? "" : brought.error().text().c_str());
    QCOMPARE(brought->examples, 2);
    QCOMPARE(brought->tokens, 5);
    const auto entropy = distributionsFromJson(brought->analyses.at(0).result).value();
    const SampleDistribution& even = entropy.attentions.at(0).heads.at(0).at(0).values;
    QCOMPARE(even.count, 5);
    QVERIFY(std::abs(even.mean - (3 * std::log(3.0) + 2 * std::numbers::ln2) / 5) < 1e-6);
    QCOMPARE(entropy.attentions[0].heads[1][0].values.mean, 0.0);
    // Between (1/2, 1/2) and (1, 0): H(3/4, 1/4) - 1/2 bits.
    const auto jsd = distributionsFromJson(brought->analyses.at(1).result).value();
    QCOMPARE(jsd.attentions.at(0).firstLayer, 1);
    const double least = 0.75 * std::log2(4.0 / 3) + 0.25 * 2 - 0.5;
    QVERIFY(std::abs(jsd.attentions[0].heads[0][0].values.fiveNumbers[0] - least) < 1e-6);
    QCOMPARE(brought->analyses.at(2).analysis, std::string("attention_maps"));
    QVERIFY(brought->analyses[2].result["attentions"][0]["queries"] == Json({"a", "b", "c"}));
  }

  // [layers, heads, queries, keys], named on the command line, tokens by a mask alone.
  void oneExampleWithoutAnAxis() {
    m_values.resize(2 * 3 * 3);
    for (std::size_t i = 0; i < m_values.size(); ++i) m_values[i] = i % 3 < 2 ? 0.5f : 0;
    m_files.arrays = {write("mine.npy", {2, 1, 3, 3})};
    m_files.place.stack = "decoder";
    m_files.tokens = text("mask.json", R"({"input_ids": [1, 2, 3], "attention_mask": [1, 1, 0]})");
    const auto brought = read();
    QVERIFY2(brought.ok(), brought.ok() ? "" : brought.error().text().c_str());
    QCOMPARE(brought->tokens, 2);
    QCOMPARE(brought->attentions.front(), std::string("decoder.self_attention"));
    QVERIFY(brought->analyses.back().result["attentions"][0]["keys"] == Json({"1", "2"}));
  }

  void safetensorsByTheNamesOfTransformers() {
    const std::vector<std::uint16_t> halves(3 * 3, 0x3555);  // about 1/3
    const std::vector<std::int64_t> ids = {1, 2, 3};
    const std::string file = m_folder.filePath("outputs.safetensors").toStdString();
    QVERIFY(writeSafetensors(file,
                             {{"input_ids", "I64", {3}, ids.data()},
                              {"encoder_attentions", "F16", {1, 1, 3, 3}, halves.data()}},
                             {})
                .ok());
    m_files.arrays = {file};
    m_files.tokens.clear();
    const auto brought = read();
    QVERIFY2(brought.ok(), brought.ok() ? "" : brought.error().text().c_str());
    QCOMPARE(brought->passedOver, std::vector<std::string>{"input_ids"});
    QCOMPARE(brought->attentions, std::vector<std::string>{"encoder.self_attention"});
    QCOMPARE(brought->analyses.size(), std::size_t{2});  // one layer has none below it
    const auto entropy = distributionsFromJson(brought->analyses[0].result).value();
    QVERIFY(std::abs(entropy.attentions[0].heads[0][0].values.mean - std::log(3.0)) < 1e-3);
  }

  void badRowsAreNamed() {
    refused([&] { m_values[1 * 9 + 1 * 3 + 2] = 0.5f; }, "encoder.self_attention[0, 1, 0, 1] adds up to 1.5");
    refused([&] { m_values[18 + 4] = std::nanf(""); },
            "encoder.self_attention[1, 0, 0, 1] holds NaN at key 1");
    refused([&] { m_values[2] = -0.25f; }, "encoder.self_attention[0, 0, 0, 0] holds -0.25 at key 2");
    refused([&] { m_files.tokens.clear(); }, "");  // the padded row of the second example is one, too
  }

  void shapesThatDoNotFitAreNamed() {
    refused([&] { m_files.arrays = {write("encoder.self_attention.npy", {6, 6})}; }, "has the shape [6, 6]");
    refused([&] { m_files.arrays = {write("encoder.self_attention.npy", {2, 0, 1, 3, 3})}; }, "is empty");
    refused(
        [&] {
          m_files.arrays = {write("decoder.self_attention.npy", {2, 2, 1, 1, 9})};
        },
        "1 queries and 9 keys");
    refused(
        [&] {
          m_files.arrays.push_back(write("decoder.self_attention.npy", {4, 1, 1, 3, 3}));
        },
        "has 1 examples");
    refused([&] { m_files.arrays.push_back(m_files.arrays.front()); }, "is in");
    refused(
        [&] {
          m_files.arrays = {write("attention.npy", {2, 2, 1, 3, 3})};
        },
        "does not say whose attention");
  }

  void tokensThatDoNotFitAreNamed() {
    refused([&] { m_files.tokens = text("t.json", R"([["a", "b", "c"]])"); }, "\"tokens\" has 1 examples");
    refused([&] { m_files.tokens = text("t.json", R"([["a", "b", "c", "d"], ["e"]])"); },
            "tokens[0] has 4 tokens");
    refused([&] { m_files.tokens = text("t.json", R"([["a"], ["e"]])"); }, "that the tokens call padding");
    refused([&] { m_files.tokens = text("t.json", R"({"attention_mask": [[1, 1, 2], [1, 1, 0]]})"); },
            "attention_mask[0, 2] is neither");
    refused([&] { m_files.tokens = text("t.json", R"({"words": 1})"); }, "none of the members");
    refused([&] { m_files.tokens = text("t.json", R"([["a", {}], ["e"]])"); }, "tokens[0, 1] is no token");
    refused(
        [&] {
          m_files.tokens =
              text("t.json", R"({"tokens": [["a"], ["e"]], "attention_mask": [[1, 1, 1], [1, 1, 0]]})");
        },
        "attention_mask[0, 1] says that there is a token");
    refused([&] { m_files.tokens = text("t.json", "[[\"a\""); }, "t.json");
  }

  void filesThatAreNoneAreNamed() {
    refused([&] { m_files.arrays = {text("torn.npy", cut(m_files.arrays.front(), -8))}; },
            "the shape needs 144 bytes, the file has 136");
    refused(
        [&] {
          m_files.arrays = {text(
              "objects.npy", std::string("\x93NUMPY\x01\x00\x46\x00", 10) +
                                 "{'descr': '|O', 'fortran_order': False, 'shape': (2, 2, 1, 3, 3), }   \n" +
                                 std::string(144, 'x'))};
        },
        "arrays of type '|O' are not read");
    refused([&] { m_files.arrays = {text("other.npy", "hello there, this is text")}; }, "not an .npy array");
    refused([&] { m_files.arrays = {text("attention.csv", "1,2")}; }, "are read from .npy and .safetensors");
    refused([&] { m_files.arrays = {m_folder.filePath("nowhere.npy").toStdString()}; }, "nowhere.npy");
    refused(
        [&] {
          const std::vector<float> weights(8, 0.1f);
          const std::string file = m_folder.filePath("model.safetensors").toStdString();
          QVERIFY(writeSafetensors(file,
                                   {{"encoder.layer.0.weight", "F32", {2, 4}, weights.data()},
                                    {"encoder.layer.0.bias", "F32", {4}, weights.data()}},
                                   {})
                      .ok());
          m_files.arrays = {file};
        },
        "none of its 2 arrays is attention: the first is encoder.layer.0.weight of shape [2, 4]");
    refused(
        [&] {
          const std::vector<std::int64_t> numbers(36, 0);
          const std::string file = m_folder.filePath("whole.safetensors").toStdString();
          QVERIFY(
              writeSafetensors(file, {{"encoder.self_attention", "I64", {2, 2, 1, 3, 3}, numbers.data()}}, {})
                  .ok());
          m_files.arrays = {file};
        },
        "holds numbers of type I64");
  }

  // A second import of the same state takes the place of the first; nothing is left beside it.
  void whatWasBroughtGivesWay() {
    const std::string root = m_folder.filePath("analyses").toStdString();
    AnalysisRequest request;
    request.analysis = "attention_entropy";
    request.checkpoint = "0001-00000040";
    const std::string path = replaceAnalysis(root, request, {{"a", 1}}).value();
    QCOMPARE(replaceAnalysis(root, request, {{"a", 2}}).value(), path);
    QCOMPARE(readAnalysis(path)->result["a"].get<int>(), 2);
    QCOMPARE(QDir(m_folder.filePath("analyses/attention_entropy"))
                 .entryList(QDir::Dirs | QDir::NoDotAndDotDot)
                 .size(),
             1);
  }

 private:
  std::string write(const char* name, const std::vector<std::int64_t>& shape) {
    const std::string file = m_folder.filePath(name).toStdString();
    std::size_t count = 1;
    for (const std::int64_t extent : shape) count *= static_cast<std::size_t>(extent);
    std::vector<float> values = m_values;
    values.resize(count, 0);
    writeArrayFile(file, shape, values).value();
    return file;
  }
  std::string text(const char* name, const std::string& content) {
    const std::string file = m_folder.filePath(name).toStdString();
    std::ofstream(file, std::ios::binary) << content;
    return file;
  }
  static std::string cut(const std::string& file, int bytes) {
    std::ifstream in(file, std::ios::binary);
    std::string all((std::istreambuf_iterator<char>(in)), {});
    return all.substr(0, all.size() - static_cast<std::size_t>(-bytes));
  }
  Result<BroughtAttention> read() {
    Progress progress;
    return readAttention(m_files, progress, {});
  }
  template <typename Change>
  void refused(const Change& change, const std::string& words) {
    init();
    change();
    // The numbers were changed.
    if (words.starts_with("encoder.self_attention["))
      m_files.arrays = {write("encoder.self_attention.npy", {2, 2, 1, 3, 3})};
    const auto brought = read();
    if (words.empty()) {
      QVERIFY(brought.ok());
      return;
    }
    QVERIFY2(!brought.ok(), words.c_str());
    const std::string said = brought.error().text();
    QVERIFY2(said.find(words) != std::string::npos, said.c_str());
    QVERIFY2(said.find(m_folder.path().toStdString()) != std::string::npos, said.c_str());
  }

  QTemporaryDir m_folder;
  std::vector<float> m_values;
  AttentionFiles m_files;
};

QTEST_APPLESS_MAIN(AttentionImportTest)
#include "tst_attention_import.moc"
