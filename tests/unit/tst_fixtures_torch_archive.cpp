// SPDX-License-Identifier: Apache-2.0
// Area encoders: weights in torch archives are read exactly, hostile files are refused.
#include <QDir>
#include <QTest>

#include "core/base/json.h"
#include "core/record/safetensors_file.h"
#include "core/record/torch_archive.h"
#include "tests/unit/support_fixtures.h"

using namespace fathom;

namespace {
QString fixtureFolder() {
  return QString::fromStdString(fixtures::folder()) + "/encoders";
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

class FixturesTorchArchiveTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    if (!QDir(fixtureFolder()).exists()) QSKIP("the fixtures are not here");
  }

  void hostileFilesAreRefused_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<bool>("mustLoad");
    const auto expected = readJsonFile((fixtureFolder() + "/hostile_pickles/expected.json").toStdString());
    QVERIFY(expected.ok());
    for (const auto& [name, what] : expected->items()) {
      QTest::newRow(name.c_str()) << QString::fromStdString(name) << what.at("must_load").get<bool>();
    }
  }
  void hostileFilesAreRefused() {
    QFETCH(QString, file);
    QFETCH(bool, mustLoad);
    const Status status = readAll((fixtureFolder() + "/hostile_pickles/" + file).toStdString());
    QVERIFY2(status.ok() == mustLoad, status.ok() ? "it was accepted" : status.error().text().c_str());
    if (!status.ok()) QVERIFY(status.error().text().find(file.toStdString()) != std::string::npos);
  }

  void layoutsAreReadExactly_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("prefix");
    QTest::newRow("state dict") << "layouts.bin"
                                << "";
    QTest::newRow("plain dict") << "layouts_plain_dict.bin"
                                << "";
    QTest::newRow("nested") << "layouts_nested.bin"
                            << "?";
  }
  void layoutsAreReadExactly() {
    QFETCH(QString, file);
    QFETCH(QString, prefix);
    const std::string folder = (fixtureFolder() + "/pickle_layouts/").toStdString();
    const auto archive = TorchArchive::open(folder + file.toStdString());
    QVERIFY2(archive.ok(), archive.ok() ? "" : archive.error().text().c_str());
    const auto expected = SafetensorsFile::open(folder + "expected.safetensors");
    QVERIFY(expected.ok());
    std::string before;
    if (prefix == "?") {
      const std::string& first = archive->tensors().front().name;
      before = first.substr(0, first.find('.') + 1);
    }
    QVERIFY(!expected->entries().empty());
    for (const TensorEntry& entry : expected->entries()) {
      const PickledTensor* tensor = archive->find(before + entry.name);
      QVERIFY2(tensor != nullptr, entry.name.c_str());
      QVERIFY2(tensor->shape == entry.shape && tensor->dtype == entry.dtype, entry.name.c_str());
      QVERIFY2(archive->read(*tensor).value() == rowMajorBytes(*expected, entry), entry.name.c_str());
    }
  }

  void modelsEqualTheirSafetensors_data() {
    QTest::addColumn<QString>("folder");
    for (const char* name : {"bert_tiny", "bert_tiny_gamma_beta", "roberta_tiny"})
      QTest::newRow(name) << name;
  }
  void modelsEqualTheirSafetensors() {
    QFETCH(QString, folder);
    const std::string path = (fixtureFolder() + "/" + folder).toStdString();
    if (!QDir(QString::fromStdString(path)).exists()) QSKIP("the small copy of the fixtures has no models");
    const auto archive = TorchArchive::open(path + "/pytorch_model.bin");
    QVERIFY2(archive.ok(), archive.ok() ? "" : archive.error().text().c_str());
    const auto weights = SafetensorsFile::open(path + "/model.safetensors");
    QVERIFY2(weights.ok(), weights.ok() ? "" : weights.error().text().c_str());
    for (const TensorEntry& entry : weights->entries()) {
      const PickledTensor* tensor = archive->find(entry.name);
      QVERIFY2(tensor != nullptr, entry.name.c_str());
      QVERIFY2(archive->read(*tensor).value() == rowMajorBytes(*weights, entry), entry.name.c_str());
    }
  }

  void oldFormsAreRefusedWithAdvice() {
    for (const char* file : {"/bert_tiny/pytorch_model_legacy.bin", "/pickle_layouts/layouts_legacy.bin"}) {
      const bool small = !QDir(fixtureFolder() + "/bert_tiny").exists();  // the copy in tests/fixtures
      if (small && QByteArray(file).startsWith("/bert_tiny")) continue;
      const auto archive = TorchArchive::open((fixtureFolder() + file).toStdString());
      QVERIFY(!archive.ok());
      QVERIFY(archive.error().hint.find("safetensors") != std::string::npos);
    }
  }
};

QTEST_APPLESS_MAIN(FixturesTorchArchiveTest)
#include "tst_fixtures_torch_archive.moc"
