// SPDX-License-Identifier: Apache-2.0
// Area encoders: weights in torch archives are read exactly, hostile files are refused.
#include <QTest>
#include <algorithm>

#include "core/base/json/json.h"
#include "core/record/formats/safetensors_file.h"
#include "core/record/formats/torch_archive.h"
#include "tests/unit/support_fixtures.h"

using namespace fathom;

namespace {

std::string baseName(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

// Pairs of a torch archive and the safetensors file with the same tensors, for every model of the area.
std::vector<std::pair<std::string, std::string>> models() {
  std::vector<std::pair<std::string, std::string>> found;
  for (const auto& one : fixtures::cases("encoders")) {
    const std::string archive = one.file("/pytorch_model.bin"), weights = one.file("/model.safetensors");
    if (!archive.empty() && !weights.empty()) found.emplace_back(archive, weights);
  }
  return found;
}

// Archives of single tensors, with the file that has their values.
std::vector<std::pair<std::string, std::string>> layouts() {
  std::vector<std::pair<std::string, std::string>> found;
  for (const auto& one : fixtures::cases("encoders")) {
    const std::string values = one.file("/expected.safetensors");
    if (values.empty()) continue;
    for (const std::string& file : one.files)
      if (file.ends_with(".bin")) found.emplace_back(file, values);
  }
  return found;
}

// What readers of the usual format may refuse: the fixtures' README.
bool oldForm(const std::string& file) {
  return baseName(file).find("legacy") != std::string::npos;
}
bool mayBeRefused(const std::string& file) {
  return oldForm(file) || baseName(file).find("protocol_4") != std::string::npos;
}

std::string rowMajorBytes(const SafetensorsFile& file, const TensorEntry& entry) {
  std::string bytes(entry.end - entry.begin, '\0');
  file.read(entry, bytes.data()).value();
  return bytes;
}

// Opening looks at names and shapes, checksums are compared where bytes are read.
Status readAll(const std::string& path) {
  FATHOM_TRY(const TorchArchive archive, TorchArchive::open(path));
  std::vector<const PickledTensor*> all;
  for (const PickledTensor& tensor : archive.tensors()) all.push_back(&tensor);
  return archive.read(all, [](const auto&, const std::string&) { return Status(); });
}
}  // namespace

namespace {

const PickledTensor* find(const TorchArchive& archive, const std::string& name) {
  const auto& all = archive.tensors();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const PickledTensor& e) { return e.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

class FixturesTorchArchiveTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    if (const std::string why = fixtures::absence({"encoders"}); !why.empty()) QSKIP(why.c_str());
  }

  void hostileFilesAreRefused() {
    int judged = 0;
    for (const auto& one : fixtures::cases("encoders")) {
      if (one.file("/expected.json").empty()) continue;
      const Json expected = fixtures::readJson(one.file("/expected.json"));
      for (const auto& [name, what] : expected.items()) {
        if (!name.ends_with(".bin") || !what.is_object() || !what.contains("must_load")) continue;
        const Status status = readAll(one.file("/" + name));
        QVERIFY2(status.ok() == what.at("must_load").get<bool>(),
                 (name + (status.ok() ? ": it was accepted" : ": " + status.error().text())).c_str());
        if (!status.ok()) QVERIFY(status.error().text().find(name) != std::string::npos);
        ++judged;
      }
    }
    QVERIFY(judged > 0);
  }

  void layoutsAreReadExactly_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("values");
    for (const auto& [file, values] : layouts())
      if (!mayBeRefused(file))
        QTest::newRow(baseName(file).c_str())
            << QString::fromStdString(file) << QString::fromStdString(values);
  }
  void layoutsAreReadExactly() {
    QFETCH(QString, file);
    QFETCH(QString, values);
    const auto archive = TorchArchive::open(file.toStdString());
    QVERIFY2(archive.ok(), archive.ok() ? "" : archive.error().text().c_str());
    const auto expected = SafetensorsFile::open(values.toStdString());
    QVERIFY(expected.ok() && !expected->entries().empty());
    std::string before;  // a state_dict inside a checkpoint has the checkpoint's key in front
    if (find(*archive, expected->entries().front().name) == nullptr) {
      const std::string& first = archive->tensors().front().name;
      before = first.substr(0, first.find('.') + 1);
    }
    for (const TensorEntry& entry : expected->entries()) {
      const PickledTensor* tensor = find(*archive, before + entry.name);
      QVERIFY2(tensor != nullptr, entry.name.c_str());
      QVERIFY2(tensor->shape == entry.shape && tensor->dtype == entry.dtype, entry.name.c_str());
      QVERIFY2(archive->read(*tensor).value() == rowMajorBytes(*expected, entry), entry.name.c_str());
    }
  }

  void modelsEqualTheirSafetensors() {
    if (models().empty()) QSKIP("the small copy of the fixtures has no models");
    for (const auto& [file, values] : models()) {
      const auto archive = TorchArchive::open(file);
      QVERIFY2(archive.ok(), archive.ok() ? "" : archive.error().text().c_str());
      const auto weights = SafetensorsFile::open(values);
      QVERIFY2(weights.ok(), weights.ok() ? "" : weights.error().text().c_str());
      QVERIFY(!weights->entries().empty());
      for (const TensorEntry& entry : weights->entries()) {
        const PickledTensor* tensor = find(*archive, entry.name);
        QVERIFY2(tensor != nullptr, (file + " " + entry.name).c_str());
        QVERIFY2(archive->read(*tensor).value() == rowMajorBytes(*weights, entry), entry.name.c_str());
      }
    }
  }

  void oldFormsAreRefusedWithAdvice() {
    int refused = 0;
    for (const auto& one : fixtures::cases("encoders")) {
      for (const std::string& file : one.files) {
        if (!file.ends_with(".bin") || !oldForm(file)) continue;
        const auto archive = TorchArchive::open(file);
        QVERIFY2(!archive.ok(), file.c_str());
        QVERIFY(archive.error().hint.find("safetensors") != std::string::npos);
        ++refused;
      }
    }
    if (refused == 0) QSKIP("no file of the old form");
  }
};

QTEST_APPLESS_MAIN(FixturesTorchArchiveTest)
#include "tst_fixtures_torch_archive.moc"
