// SPDX-License-Identifier: Apache-2.0
// Encoders made to harm: names and shapes are judged before memory is asked for. The files have holes: they
// claim a TiB and hold a few kB.
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <fstream>
#include <map>

#include "core/base/files/atomic_file.h"
#include "core/base/json/json.h"
#include "core/nn/pretrained/encoder_folder.h"
#include "core/nn/pretrained/tensor_file.h"
#include "core/tasks/task.h"

using namespace fathom;
namespace fs = std::filesystem;

namespace {

using Shapes = std::map<std::string, std::vector<std::int64_t>>;

// Peak of resident memory since the last reset, in bytes.
std::int64_t peakBytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::stoll(line.substr(6)) * 1024;
  return 0;
}
void resetPeak() {
  std::ofstream("/proc/self/clear_refs") << "5";
}

// A BERT of one layer without heads and pooler.
Shapes shapesOf(std::int64_t vocabulary, std::int64_t width) {
  Shapes shapes = {{"embeddings.word_embeddings.weight", {vocabulary, width}},
                   {"embeddings.position_embeddings.weight", {8, width}},
                   {"embeddings.token_type_embeddings.weight", {2, width}},
                   {"encoder.layer.0.intermediate.dense.weight", {16, width}},
                   {"encoder.layer.0.intermediate.dense.bias", {16}},
                   {"encoder.layer.0.output.dense.weight", {width, 16}},
                   {"encoder.layer.0.output.dense.bias", {width}}};
  for (const char* norm : {"embeddings.LayerNorm", "encoder.layer.0.attention.output.LayerNorm",
                           "encoder.layer.0.output.LayerNorm"})
    for (const char* part : {".weight", ".bias"}) shapes[std::string(norm) + part] = {width};
  for (const char* dense : {"self.query", "self.key", "self.value", "output.dense"}) {
    shapes["encoder.layer.0.attention." + std::string(dense) + ".weight"] = {width, width};
    shapes["encoder.layer.0.attention." + std::string(dense) + ".bias"] = {width};
  }
  return shapes;
}

}  // namespace

class HostileEncodersTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void honest();
  void shapesBeforeMemory();
  void tensorsNobodyNeedsAreNotRead();
  void moreThanTheMachineHas();
  void stridesOfZero();
  void ownFormat();
  void shapesThatCannotBeAddressed();

 private:
  // A folder with config.json and a model.safetensors of these shapes; all numbers are holes: zeros.
  std::string folder(std::int64_t vocabulary, std::int64_t width, const Shapes& shapes,
                     const Json& metadata = Json::object()) {
    const std::string path = m_dir.path().toStdString() + "/" + std::to_string(m_next++);
    fs::create_directories(path);
    const Json config = {{"model_type", "bert"},    {"hidden_size", width},    {"num_attention_heads", 2},
                         {"intermediate_size", 16}, {"num_hidden_layers", 1},  {"max_position_embeddings", 8},
                         {"type_vocab_size", 2},    {"vocab_size", vocabulary}};
    writeFileAtomically(path + "/config.json", config.dump()).value();
    Json header = Json::object();
    if (!metadata.empty()) header["__metadata__"] = metadata;
    std::int64_t at = 0;
    for (const auto& [name, shape] : shapes) {
      std::int64_t bytes = 4;
      for (const std::int64_t extent : shape) bytes *= extent;
      header[name] = {{"dtype", "F32"}, {"shape", shape}, {"data_offsets", {at, at + bytes}}};
      at += bytes;
    }
    std::string text = header.dump();
    text.append((8 - text.size() % 8) % 8, ' ');
    std::string length;
    for (int i = 0; i < 8; ++i) length += static_cast<char>(text.size() >> (8 * i) & 0xFF);
    const std::string file = path + "/model.safetensors";
    std::ofstream(file, std::ios::binary) << length << text;
    fs::resize_file(file, 8 + text.size() + static_cast<std::uint64_t>(at));
    return path;
  }
  Result<EncoderWeights> cheaply(const std::string& path) {
    resetPeak();
    const std::int64_t before = peakBytes();
    auto read = readEncoder(path);
    m_cost = peakBytes() - before;
    return read;
  }
  QTemporaryDir m_dir;
  int m_next = 0;
  std::int64_t m_cost = 0;
};

void HostileEncodersTest::honest() {
  const auto read = cheaply(folder(16, 4, shapesOf(16, 4)));
  QVERIFY2(read.ok(), read.ok() ? "" : read.error().text().c_str());
  QCOMPARE(read->tensors.at("embedding.token.weight").numel(), std::int64_t{64});
}

void HostileEncodersTest::shapesBeforeMemory() {
  Shapes shapes = shapesOf(16, 4);
  shapes["embeddings.word_embeddings.weight"] = {std::int64_t{1} << 36, 4};  // 1 TiB
  const auto read = cheaply(folder(16, 4, shapes));
  QVERIFY(!read.ok());
  QCOMPARE(read.error().kind, ErrorKind::Data);
  QVERIFY2(read.error().text().find("has shape [68719476736, 4]") != std::string::npos,
           read.error().text().c_str());
  QVERIFY2(m_cost < (32 << 20), std::to_string(m_cost).c_str());
}

void HostileEncodersTest::tensorsNobodyNeedsAreNotRead() {
  Shapes shapes = shapesOf(16, 4);
  shapes["classifier.weight"] = {std::int64_t{1} << 38};
  const auto read = cheaply(folder(16, 4, shapes));
  QVERIFY2(read.ok(), read.ok() ? "" : read.error().text().c_str());
  QCOMPARE(read->ignored, (std::vector<std::string>{"classifier.weight"}));
  QVERIFY2(m_cost < (32 << 20), std::to_string(m_cost).c_str());
}

// Both files agree on a TiB.
void HostileEncodersTest::moreThanTheMachineHas() {
  const std::int64_t vocabulary = 1 << 24, width = 1 << 14;
  const auto read = cheaply(folder(vocabulary, width, shapesOf(vocabulary, width)));
  QVERIFY(!read.ok());
  QVERIFY2(read.error().kind == ErrorKind::Resource && read.error().resource == ResourceKind::HostMemory,
           read.error().text().c_str());
  QVERIFY2(m_cost < (32 << 20), std::to_string(m_cost).c_str());
}

void HostileEncodersTest::stridesOfZero() {
  const std::string hostile = FATHOM_SOURCE_DIR "/tests/fixtures/encoders/hostile_sizes/";
  for (const char* name : {"stride_0_64_gib.bin", "stride_0_many_views.bin", "chain_of_dictionaries.bin"}) {
    const std::string path = folder(16, 4, shapesOf(16, 4));
    fs::remove(path + "/model.safetensors");
    fs::copy_file(hostile + name, path + "/pytorch_model.bin");
    const auto read = cheaply(path);
    QVERIFY(!read.ok());
    QVERIFY2(read.error().kind == ErrorKind::Data &&
                 read.error().text().find("pytorch_model.bin") != std::string::npos,
             read.error().text().c_str());
    QVERIFY2(m_cost < (32 << 20), std::to_string(m_cost).c_str());
  }
}

// Folders that import-encoder writes come from elsewhere, too.
void HostileEncodersTest::ownFormat() {
  const std::string from = folder(16, 4, shapesOf(16, 4));
  const std::string own = m_dir.path().toStdString() + "/own";
  QVERIFY(writeImportedEncoder(readHuggingFaceEncoder(from).value(), {}, own, findTask("mlm")->encoderOptions)
              .ok());
  const auto good = cheaply(own);
  QVERIFY2(good.ok(), good.ok() ? "" : good.error().text().c_str());
  const auto tensors = readTensors(own + "/model.safetensors").value();
  Shapes shapes;
  for (const auto& [name, tensor] : tensors) shapes[name] = tensor.sizes().vec();
  shapes["encoder.layers.0.feed_forward.input.weight"] = {std::int64_t{1} << 37};
  const Json metadata = {{"format", "fathom-encoder"}, {"kind", "bert"}, {"head", "none"}, {"pad_id", "0"}};
  const std::string bad = folder(16, 4, shapes, metadata);
  fs::copy_file(own + "/config.json", bad + "/config.json", fs::copy_options::overwrite_existing);
  const auto read = cheaply(bad);
  QVERIFY(!read.ok());
  QVERIFY2(
      read.error().text().find("encoder.layers.0.feed_forward.input.weight' has shape") != std::string::npos,
      read.error().text().c_str());
  QVERIFY2(m_cost < (32 << 20), std::to_string(m_cost).c_str());
}

void HostileEncodersTest::shapesThatCannotBeAddressed() {
  const auto read =
      readTensors(FATHOM_SOURCE_DIR "/tests/fixtures/encoders/hostile_sizes/empty_beside_2_62.safetensors");
  QVERIFY(!read.ok());
  QCOMPARE(read.error().kind, ErrorKind::Data);
  QVERIFY2(read.error().text().find("tensor \"w\"") != std::string::npos, read.error().text().c_str());
}

QTEST_APPLESS_MAIN(HostileEncodersTest)
#include "tst_hostile_encoders.moc"
