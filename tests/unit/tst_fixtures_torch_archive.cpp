// SPDX-License-Identifier: Apache-2.0
// Area encoders: weights in torch archives are read exactly, hostile files are refused.
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include "core/base/files/atomic_file.h"
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
bool mayBeRefused(const std::string& file) {
  return baseName(file).find("protocol_4") != std::string::npos;
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

// Tensors of every layout in the form before torch 1.6.
std::string oldForm() {
  return readFile(FATHOM_SOURCE_DIR "/tests/fixtures/encoders/pickle_layouts/layouts_legacy.bin").value();
}

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

  // The form before torch 1.6: what is wrong in it is said, and nothing is read from it.
  void damagedOldForms_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("words");
    const std::string good = oldForm();
    const auto row = [](const char* name, const std::string& bytes, const char* words) {
      QTest::newRow(name) << QByteArray::fromStdString(bytes) << QString::fromLatin1(words);
    };
    const auto with = [&](std::string_view from, std::string_view to) {
      std::string changed = good;
      const std::size_t at = changed.find(from);
      return at == std::string::npos ? std::string() : changed.replace(at, from.size(), to);
    };
    row("a version that nobody knows", with("\x4d\xe9\x03.", "\x4d\xea\x03."), "unknown version");
    row("the other byte order", with("endianq\x02\x88", "endianq\x02\x89"), "byte order");
    row("a call", with("_rebuild_tensor_v2", "_rebuild_tensor_v3"), "_rebuild_tensor_v3");
    row("one byte too many", good + "x", "1 bytes stand behind");
    row("the last byte is missing", good.substr(0, good.size() - 1), "cut off");
    row("no storage at all", good.substr(0, good.rfind("e.") + 2), "cut off");
    row("the mark alone", good.substr(0, 15), "ends inside");
    std::string other = good;
    other[good.rfind("e.") + 2] ^= 1;  // the first number of elements
    row("another number of elements", other, "the description says");
  }
  void damagedOldForms() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, words);
    QVERIFY2(!bytes.isEmpty(), "the change did not fit the file");
    const QTemporaryDir place;
    const std::string file = place.filePath("pytorch_model.bin").toStdString();
    writeFileAtomically(file, bytes.toStdString()).value();
    const Status read = readAll(file);
    QVERIFY(!read.ok());
    QCOMPARE(read.error().kind, ErrorKind::Data);
    QVERIFY2(read.error().text().find(words.toStdString()) != std::string::npos, read.error().text().c_str());
    QVERIFY(read.error().text().find("pytorch_model.bin") != std::string::npos);
  }

  // Every cut is noticed.
  void cutOldForms() {
    const std::string good = oldForm();
    const QTemporaryDir place;
    const std::string file = place.filePath("pytorch_model.bin").toStdString();
    for (std::size_t kept = 0; kept < good.size(); kept += 31) {
      writeFileAtomically(file, good.substr(0, kept)).value();
      QVERIFY2(!readAll(file).ok(), std::to_string(kept).c_str());
    }
  }
};

QTEST_APPLESS_MAIN(FixturesTorchArchiveTest)
#include "tst_fixtures_torch_archive.moc"
