// SPDX-License-Identifier: Apache-2.0
// Encoder folders that are damaged, hostile or of something else, and texts that are too long: refused by
// name.
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <filesystem>
#include <tuple>

#include "core/base/errors/error.h"
#include "core/base/files/atomic_file.h"
#include "core/nn/models/bert.h"
#include "core/nn/pretrained/encoder_folder.h"
#include "core/nn/pretrained/tensor_file.h"
#include "tests/torch/support_encoder_folder.h"
#include "tests/torch/support_tensors.h"

using namespace fathom;
using namespace fathom::fixtures;

namespace fs = std::filesystem;
using Tensors = std::map<std::string, torch::Tensor>;

class TestFixturesRefusedEncoders : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    if (folderOf("bert_tiny").empty()) QSKIP(fixtures::skipped("no models among the encoders").c_str());
  }

  void damagedFoldersAreRefused() {
    const auto says = [&](const std::string& member, const std::string& value, const char* word) {
      const std::string folder =
          folderWith(m_place, folderOf("bert_tiny"), "model.safetensors", "model.safetensors");
      Json config = readJsonFile(folder + "/config.json").value();
      config[member] = Json::parse(value);
      QFile file(QString::fromStdString(folder + "/config.json"));
      QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
      file.write(QByteArray::fromStdString(config.dump()));
      file.close();
      const auto read = readHuggingFaceEncoder(folder);
      QVERIFY(!read.ok());
      QVERIFY2(read.error().text().find(word) != std::string::npos, read.error().text().c_str());
    };
    says("hidden_act", "\"swish\"", "swish");
    says("model_type", "\"t5\"", "t5");
    const Json good = readJson(folderOf("bert_tiny") + "/config.json");
    const auto changed = [&](const char* member, std::int64_t by) {
      return std::to_string(good.at(member).get<std::int64_t>() + by);
    };
    const std::int64_t heads = good.at("num_attention_heads").get<std::int64_t>();
    says("hidden_size", changed("hidden_size", 4 * heads), "shape");
    says("num_hidden_layers", changed("num_hidden_layers", 2), "missing");
    says("hidden_size", "\"wide\"", "hidden_size");
    says("num_attention_heads", changed("hidden_size", -1), "heads");
    QVERIFY(!readHuggingFaceEncoder(m_place.path().toStdString()).ok());
  }

  // Files that are broken, hostile or simply of something else: none becomes a model.
  void foreignWeightsAreRefused() {
    int refused = 0;
    for (const auto& [from, ending, name] :
         {std::tuple("malformed_safetensors", ".safetensors", "model.safetensors"),
          std::tuple("hostile_pickles", ".bin", "pytorch_model.bin")}) {
      const std::string folder = m_place.path().toStdString() + "/" + from;
      fs::create_directories(folder);
      fs::copy_file(folderOf("bert_tiny") + "/config.json", folder + "/config.json");
      for (const auto& entry : fs::directory_iterator(folderOf(from))) {
        if (entry.path().extension() != ending) continue;
        fs::remove(folder + "/" + name);
        fs::copy_file(entry.path(), folder + "/" + name);
        const auto read = readHuggingFaceEncoder(folder);
        QVERIFY2(!read.ok() && read.error().kind == ErrorKind::Data, entry.path().c_str());
        const std::string said = read.error().text();
        QVERIFY2(said.find(name) != std::string::npos, (entry.path().string() + ": " + said).c_str());
        ++refused;
      }
    }
    QVERIFY(refused > 0);
  }

  // bert counts rows from 0, roberta from the one behind the padding id's.
  void textsLongerThanThePositionTableAreRefused() {
    for (const char* folder : {"bert_tiny", "roberta_tiny"}) {
      const EncoderWeights weights = readHuggingFaceEncoder(folderOf(folder)).value();
      const auto rows = weights.options.at("model.bert.max_positions").get<std::int64_t>();
      const std::int64_t longest = weights.kind == "bert" ? rows : rows - weights.padId - 1;
      const auto model = modelFrom(weights, torch::kFloat32);
      const at::NoGradGuard noGrad;
      const auto read = [&](std::int64_t length) {
        return model->hidden({at::full({1, length}, 7, torch::kInt64), {}, {}}, {});
      };
      QCOMPARE(read(longest).size(1), longest);
      QVERIFY_THROWS_EXCEPTION(Failure, read(longest + 1));
    }
  }

  void wrongNumberFormatsAreRefused() {
    const std::string folder =
        folderWith(m_place, folderOf("bert_tiny"), "model.safetensors", "model.safetensors");
    Tensors tensors = fathom::readTensors(folder + "/model.safetensors").value();
    const std::string name = "bert.encoder.layer.0.output.dense.weight";
    tensors.at(name) = tensors.at(name).to(torch::kInt32);
    fathom::writeTensors(folder + "/model.safetensors", {tensors.begin(), tensors.end()}).value();
    const auto read = readHuggingFaceEncoder(folder);
    QVERIFY(!read.ok());
    QVERIFY2(read.error().text().find(name) != std::string::npos, read.error().text().c_str());
  }

  void weightsThatAreNoNumbersAreRefused() {
    const std::string folder =
        folderWith(m_place, folderOf("bert_tiny"), "model.safetensors", "model.safetensors");
    Tensors tensors = fathom::readTensors(folder + "/model.safetensors").value();
    const std::string name = lastLayer() + "output.dense.bias";
    tensors.at(name)[3] = std::nan("");
    fathom::writeTensors(folder + "/model.safetensors", {tensors.begin(), tensors.end()}).value();
    const auto read = readHuggingFaceEncoder(folder);
    QVERIFY(!read.ok());
    QVERIFY2(read.error().text().find(name + "' is not finite") != std::string::npos,
             read.error().text().c_str());
  }

  // Weights of a deeper model than config.json describes.
  void layersThatAreTooManyAreRefused() {
    const std::string folder =
        folderWith(m_place, folderOf("bert_tiny"), "model.safetensors", "model.safetensors");
    Json config = fixtures::readJson(folder + "/config.json");
    config["num_hidden_layers"] = layersOf(folder) - 1;
    writeFileAtomically(folder + "/config.json", config.dump()).value();
    const auto read = readHuggingFaceEncoder(folder);
    QVERIFY(!read.ok());
    QVERIFY2(read.error().text().find(lastLayer()) != std::string::npos, read.error().text().c_str());
  }

 private:
  static std::string lastLayer() {
    return "bert.encoder.layer." + std::to_string(layersOf(folderOf("bert_tiny")) - 1) + ".";
  }

  QTemporaryDir m_place;
};

QTEST_GUILESS_MAIN(TestFixturesRefusedEncoders)
#include "tst_fixtures_refused_encoders.moc"
