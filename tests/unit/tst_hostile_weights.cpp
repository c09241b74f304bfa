// SPDX-License-Identifier: Apache-2.0
// Weights made to harm: what a few bytes may cost in memory and time, and what is read in which order.
#include <malloc.h>
#include <sys/stat.h>

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <new>

#include "core/base/json/json.h"
#include "core/record/formats/safetensors_file.h"
#include "core/record/formats/torch_archive.h"
#include "tests/unit/support_tensor_values.h"

using namespace fathom;

namespace {
std::atomic<std::size_t> heldBytes{0}, mostBytes{0};
}  // namespace

// Counts what the whole process holds.
void* operator new(std::size_t size) {
  void* at = std::malloc(size);
  if (at == nullptr) throw std::bad_alloc();
  const std::size_t now = heldBytes += ::malloc_usable_size(at);
  for (std::size_t most = mostBytes; now > most && !mostBytes.compare_exchange_weak(most, now);) {
  }
  return at;
}
void operator delete(void* at) noexcept {
  heldBytes -= ::malloc_usable_size(at);
  std::free(at);
}
void operator delete(void* at, std::size_t) noexcept {
  operator delete(at);
}

namespace {

const std::string kFolder = FATHOM_SOURCE_DIR "/tests/fixtures/encoders/hostile_sizes/";

std::string little(std::uint64_t value, int count) {
  std::string bytes;
  for (int i = 0; i < count; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xFF);
  return bytes;
}

std::uint32_t crcOf(const std::string& bytes) {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    table[i] = i;
    for (int bit = 0; bit < 8; ++bit) table[i] = table[i] >> 1 ^ ((table[i] & 1) != 0 ? 0xEDB88320u : 0u);
  }
  std::uint32_t crc = ~0u;
  for (const char byte : bytes) crc = table[(crc ^ static_cast<unsigned char>(byte)) & 0xFF] ^ crc >> 8;
  return ~crc;
}

// A stored zip of members {name, bytes}.
std::string zipOf(const std::vector<std::pair<std::string, std::string>>& members) {
  std::string bytes, directory;
  for (const auto& [name, data] : members) {
    const std::string common = little(20, 2) + little(0, 2) + little(0, 2) + little(0, 2) + little(33, 2) +
                               little(crcOf(data), 4) + little(data.size(), 4) + little(data.size(), 4) +
                               little(name.size(), 2) + little(0, 2);
    directory += "PK\x01\x02" + little(20, 2) + common + little(0, 2) + little(0, 2) + little(0, 2) +
                 little(0, 4) + little(bytes.size(), 4) + name;
    bytes += "PK\x03\x04" + common + name + data;
  }
  return bytes + directory + "PK\x05\x06" + little(0, 4) + little(members.size(), 2) +
         little(members.size(), 2) + little(directory.size(), 4) + little(bytes.size(), 4) + little(0, 2);
}

// --- the few pickle operations that a state dict needs -------------------------------------------------

std::string text(const std::string& word) {
  return "X" + little(word.size(), 4) + word;
}
std::string number(std::int64_t value) {
  return "\x8a\x08" + little(static_cast<std::uint64_t>(value), 8);
}
std::string tuple(const std::vector<std::int64_t>& values) {
  std::string bytes = "(";
  for (const std::int64_t value : values) bytes += number(value);
  return bytes + "t";
}
std::string storage(const std::string& key, std::int64_t count, const std::string& type = "FloatStorage") {
  return "(" + text("storage") + "ctorch\n" + type + "\n" + text(key) + text("cpu") + number(count) + "tQ";
}
std::string view(const std::string& storage, std::int64_t offset, const std::vector<std::int64_t>& shape,
                 const std::vector<std::int64_t>& stride) {
  return "ctorch._utils\n_rebuild_tensor_v2\n(" + storage + number(offset) + tuple(shape) + tuple(stride) +
         "\x89" + "ccollections\nOrderedDict\n)RtR";
}
std::string stateDict(const std::vector<std::pair<std::string, std::string>>& items) {
  std::string bytes = "\x80\x02}(";
  for (const auto& [name, value] : items) bytes += text(name) + value;
  return bytes + "u.";
}

std::string floats(int count) {
  std::vector<float> values(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) values[static_cast<std::size_t>(i)] = static_cast<float>(i);
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

// Counted by the kernel: exact on a loaded machine and under a sanitizer, where seconds are not.
std::uint64_t bytesReadByThisProcess() {
  std::ifstream counters("/proc/self/io");
  std::string name;
  std::uint64_t count = 0;
  while (counters >> name >> count)
    if (name == "rchar:") return count;
  return 0;
}

Status readAll(const TorchArchive& archive, const TorchArchive::Take& take) {
  std::vector<const PickledTensor*> all;
  for (const PickledTensor& tensor : archive.tensors()) all.push_back(&tensor);
  return archive.read(all, take);
}

}  // namespace

class HostileWeightsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void everyFileIsRefusedAtLittleCost_data();
  void everyFileIsRefusedAtLittleCost();
  void aChainOfContainersHarmsNobody();
  void sharedListsAreCounted();
  void viewsOfOneStorageAreReadOnce();
  void tiedTensorsAreGivenOnce();
  void numberFormatsOfOneStorage();
  void damagedStorageGivesNothing();
  void storagesAreReadWhenTheyAreAskedFor();
  void viewsFarApartAreRefused();
  void notAFile();

 private:
  std::string write(const std::string& name, const std::string& bytes) const {
    const std::string path = m_dir.path().toStdString() + "/" + name;
    std::ofstream(path, std::ios::trunc | std::ios::binary) << bytes;
    return path;
  }
  std::string archive(const std::string& pickle, const std::vector<std::string>& storages) const {
    std::vector<std::pair<std::string, std::string>> members = {{"a/data.pkl", pickle}};
    for (std::size_t i = 0; i < storages.size(); ++i)
      members.emplace_back("a/data/" + std::to_string(i), storages[i]);
    return write("model.bin", zipOf(members));
  }
  QTemporaryDir m_dir;
};

void HostileWeightsTest::everyFileIsRefusedAtLittleCost_data() {
  QTest::addColumn<QString>("file");
  QTest::addColumn<QString>("says");
  const Json expected = readJsonFile(kFolder + "expected.json").value();
  QVERIFY(expected.size() >= 7);
  for (const auto& [name, what] : expected.items())
    QTest::newRow(name.c_str()) << QString::fromStdString(name)
                                << QString::fromStdString(what.at("says").get<std::string>());
}

void HostileWeightsTest::everyFileIsRefusedAtLittleCost() {
  QFETCH(QString, file);
  QFETCH(QString, says);
  const std::string path = kFolder + file.toStdString();
  const std::size_t before = heldBytes;
  mostBytes = before;
  Status status;
  if (file.endsWith(QLatin1String(".bin"))) {
    const auto archive = TorchArchive::open(path);
    status = archive.ok() ? readAll(*archive, [](const auto&, const std::string&) { return Status(); })
                          : Status(archive.error());
  } else {
    const auto opened = SafetensorsFile::open(path);
    if (!opened.ok()) status = opened.error();
  }
  QVERIFY(!status.ok());
  QCOMPARE(status.error().kind, ErrorKind::Data);
  const QString message = QString::fromStdString(status.error().text());
  QVERIFY2(message.contains(says) && message.contains(file), qPrintable(message));
  QVERIFY2(mostBytes - before < (8u << 20), std::to_string(mostBytes - before).c_str());
}

// Each dictionary goes into the one before while it is empty: no place is nested deeply, the whole is.
void HostileWeightsTest::aChainOfContainersHarmsNobody() {
  std::string pickle = "\x80\x02}q";
  pickle += std::string("\0q\1", 3);
  for (int i = 0; i < 100000; ++i) pickle += "h\1K\1}q\1sb";
  const auto tensors = readStateDictPickle(pickle + ".", "f");
  QVERIFY(!tensors.ok());
  // In a circle: it would never be freed by counting.
  const std::string circle("\x80\x02}q\0K\1}q\1s0h\1K\1h\0sb.", 22);
  QVERIFY(!readStateDictPickle(circle, "f").ok());
}

// One list of 100,000 places, made into a dictionary again and again by four bytes each.
void HostileWeightsTest::sharedListsAreCounted() {
  std::string pickle = "\x80\x02(K\1K\2\x86q";
  pickle += std::string("\0", 1);
  for (int i = 0; i < 100000; ++i) pickle += std::string("h\0", 2);
  pickle += "t\x85q\1ccollections\nOrderedDict\nq\2";
  for (int i = 0; i < 10000; ++i) pickle += "h\2h\1R";
  const std::size_t before = heldBytes;
  mostBytes = before;
  const auto tensors = readStateDictPickle(pickle + ".", "f");
  QVERIFY(!tensors.ok());
  QVERIFY2(tensors.error().message.find("four million") != std::string::npos, tensors.error().text().c_str());
  QVERIFY2(mostBytes - before < (200u << 20), std::to_string(mostBytes - before).c_str());
}

void HostileWeightsTest::viewsOfOneStorageAreReadOnce() {
  const int count = 1 << 18;  // 1 MiB
  std::vector<std::pair<std::string, std::string>> items;
  for (int i = 0; i < 20000; ++i)
    items.emplace_back("w" + std::to_string(i), view(storage("0", count), i * 12, {3, 4}, {1, 3}));
  const std::string path = archive(stateDict(items), {floats(count)});
  const std::uint64_t readBefore = bytesReadByThisProcess();
  const auto opened = TorchArchive::open(path);
  QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().text().c_str());
  int given = 0;
  const std::size_t before = heldBytes;
  mostBytes = before;
  const Status status = readAll(*opened, [&](const auto& same, const std::string& bytes) -> Status {
    given += static_cast<int>(same.size());
    float second = 0;
    std::memcpy(&second, bytes.data() + sizeof second, sizeof second);
    if (second != static_cast<float>(same.front()->offset + 3)) return internalError("another number");
    return {};
  });
  QVERIFY2(status.ok(), status.ok() ? "" : status.error().text().c_str());
  QCOMPARE(given, 20000);
  // 20 GB were read for it when every view read its storage.
  const std::uint64_t bytesRead = bytesReadByThisProcess() - readBefore;
  QVERIFY2(bytesRead >= (1u << 20) && bytesRead < (64u << 20), std::to_string(bytesRead).c_str());
  QVERIFY2(mostBytes - before < (32u << 20), std::to_string(mostBytes - before).c_str());
}

void HostileWeightsTest::tiedTensorsAreGivenOnce() {
  // Three names of 1 MiB: more than the file holds, were they three tensors.
  const int count = 1 << 18;
  std::vector<std::pair<std::string, std::string>> items;
  for (const char* name : {"one", "two", "three", "four"})
    items.emplace_back(name, view(storage("0", count), 0, {count}, {1}));
  const auto opened = TorchArchive::open(archive(stateDict(items), {floats(count)}));
  QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().text().c_str());
  int calls = 0;
  QVERIFY(readAll(*opened, [&](const auto& same, const std::string& bytes) -> Status {
            ++calls;
            return same.size() == 4 && bytes == floats(count) ? Status() : internalError("not tied");
          }).ok());
  QCOMPARE(calls, 1);
}

void HostileWeightsTest::numberFormatsOfOneStorage() {
  const std::string bytes = floats(16);
  const auto opened =
      TorchArchive::open(archive(stateDict({{"bytes", view(storage("0", 64, "ByteStorage"), 3, {5}, {1})},
                                            {"floats", view(storage("0", 16), 2, {2, 2}, {4, 1})},
                                            {"none", view(storage("0", 16), 0, {0, 7}, {7, 1})}}),
                                 {bytes}));
  QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().text().c_str());
  QCOMPARE(opened->read(fixtures::named(opened->tensors(), "bytes")).value(), bytes.substr(3, 5));
  QCOMPARE(opened->read(fixtures::named(opened->tensors(), "floats")).value(),
           bytes.substr(8, 8) + bytes.substr(24, 8));
  QCOMPARE(opened->read(fixtures::named(opened->tensors(), "none")).value(), std::string());
  std::map<std::string, std::string> all;
  QVERIFY(readAll(*opened, [&](const auto& same, std::string data) -> Status {
            all[same.front()->name] = std::move(data);
            return {};
          }).ok());
  QCOMPARE(all.at("bytes"), bytes.substr(3, 5));
  QCOMPARE(all.at("floats"), bytes.substr(8, 8) + bytes.substr(24, 8));
  // Before torch 1.6 the elements of a storage are counted, which says nothing of two formats.
  const auto legacy = [&](const std::string& second) {
    const std::string items = stateDict(
        {{"floats", view(storage("0", 16), 2, {2, 2}, {4, 1})}, {"second", view(second, 3, {5}, {1})}});
    return write("old.bin", std::string(kLegacyTorchMark) + "\x80\x02M\xe9\x03." + "\x80\x02}(" +
                                text("little_endian") + "\x88u." + items + "\x80\x02](" + text("0") + "e." +
                                little(16, 8) + bytes);
  };
  const auto same = TorchArchive::open(legacy(storage("0", 16)));
  QVERIFY2(same.ok(), same.ok() ? "" : same.error().text().c_str());
  for (const std::string& other : {storage("0", 64, "ByteStorage"), storage("0", 8)}) {
    const auto refused = TorchArchive::open(legacy(other));
    QVERIFY(!refused.ok() && refused.error().text().find("described twice") != std::string::npos);
  }
}

void HostileWeightsTest::damagedStorageGivesNothing() {
  const std::string path = archive(stateDict({{"w", view(storage("0", 16), 0, {16}, {1})}}), {floats(16)});
  std::ifstream in(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(in)), {});
  const std::size_t at = bytes.find(floats(16)) + 20;
  bytes[at] = static_cast<char>(bytes[at] ^ 1);
  const auto opened = TorchArchive::open(write("damaged.bin", bytes));
  QVERIFY(opened.ok());
  bool given = false;
  const Status status = readAll(*opened, [&](const auto&, const std::string&) -> Status {
    given = true;
    return {};
  });
  QVERIFY(!status.ok() && !given);
  QVERIFY(status.error().text().find("checksum") != std::string::npos);
}

// A file with holes: 1 TiB that is nowhere. Nobody asks for that tensor, so nobody reads it.
void HostileWeightsTest::storagesAreReadWhenTheyAreAskedFor() {
  std::string header = R"({"small":{"dtype":"F32","shape":[4],"data_offsets":[0,16]},)"
                       R"("large":{"dtype":"F32","shape":[274877906944],"data_offsets":[16,1099511627792]}})";
  header.append((8 - header.size() % 8) % 8, ' ');
  const std::string path = write("holes.safetensors", little(header.size(), 8) + header + floats(4));
  std::filesystem::resize_file(path, 8 + header.size() + 1099511627792);
  const std::size_t before = heldBytes;
  mostBytes = before;
  const auto opened = SafetensorsFile::open(path);
  QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().text().c_str());
  QCOMPARE(fixtures::named(opened->entries(), "large").shape, (std::vector<std::int64_t>{274877906944}));
  QCOMPARE(fixtures::readDoubles(*opened, "small").value(), (std::vector<double>{0, 1, 2, 3}));
  QVERIFY(mostBytes - before < (8u << 20));
}

void HostileWeightsTest::viewsFarApartAreRefused() {
  const int count = 5 << 20;  // 20 MiB for two numbers
  const auto opened = TorchArchive::open(
      archive(stateDict({{"w", view(storage("0", count), 0, {2}, {count - 1})}}), {floats(count)}));
  QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().text().c_str());
  const auto read = opened->read(fixtures::named(opened->tensors(), "w"));
  QVERIFY(!read.ok());
  QVERIFY2(read.error().text().find("spread") != std::string::npos, read.error().text().c_str());
}

void HostileWeightsTest::notAFile() {
  const std::string folder = m_dir.path().toStdString();
  QVERIFY(!TorchArchive::open(folder).ok());
  QVERIFY(!SafetensorsFile::open(folder).ok());
  QVERIFY(!TorchArchive::open("/dev/zero").ok());
  const std::string pipe = folder + "/pipe";
  QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
  QVERIFY(!TorchArchive::open(pipe).ok());  // and it does not wait for a writer
  QVERIFY(!SafetensorsFile::open(pipe).ok());
}

QTEST_APPLESS_MAIN(HostileWeightsTest)
#include "tst_hostile_weights.moc"
