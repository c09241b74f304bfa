// SPDX-License-Identifier: Apache-2.0
#include <QTemporaryDir>
#include <QTest>
#include <fstream>
#include <set>

#include "core/base/files/crc32c_bytes.h"
#include "core/base/files/hash.h"
#include "core/base/files/sha256_blocks.h"

using namespace fathom;

class HashTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void crcVectors();
  void crcInPieces();
  void shaVectors_data();
  void shaVectors();
  void shaInPieces();
  void crcByInstructions();
  void shaByInstructions();
  void shaOfFile();
  void stable();
  void uuids();
};

// RFC 3720 B.4 and the check value of the CRC catalogue.
void HashTest::crcVectors() {
  QCOMPARE(crc32c(""), 0u);
  QCOMPARE(crc32c("123456789"), 0xE3069283u);
  QCOMPARE(crc32c(std::string(32, '\0')), 0x8A9136AAu);
  QCOMPARE(crc32c(std::string(32, '\xFF')), 0x62A8AB43u);
  std::string rising;
  for (int i = 0; i < 32; ++i) rising += static_cast<char>(i);
  QCOMPARE(crc32c(rising), 0x46DD794Eu);
}

void HashTest::crcInPieces() {
  std::string text;
  for (int i = 0; i < 200; ++i) text += static_cast<char>(i * 7);
  for (std::size_t cut = 0; cut <= text.size(); ++cut)
    QCOMPARE(crc32c(text.substr(cut), crc32c(text.substr(0, cut))), crc32c(text));
}

void HashTest::crcByInstructions() {
  const Crc32cBytes own = ownCrc32cBytes();
  if (own == nullptr) QSKIP("this processor has no instruction for CRC-32C");
  std::string text;
  for (int i = 0; i < 300; ++i) text += static_cast<char>(i * 131 + 7);
  for (std::size_t from = 0; from < 9; ++from)
    for (std::size_t count = 0; from + count <= text.size(); ++count) {
      const std::string_view bytes = std::string_view(text).substr(from, count);
      QCOMPARE(own(0x12345678u, bytes), portableCrc32cBytes(0x12345678u, bytes));
    }
}

void HashTest::shaVectors_data() {
  QTest::addColumn<int>("count");
  QTest::addColumn<QString>("hex");
  const std::pair<int, const char*> rows[] = {
      {0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {55, "d5e285683cd4efc02d021a5c62014694958901005d6f71e89e0989fac77e4072"},
      {56, "04c26261370ee7541549d16dee320c723e3fd14671e66a099afe0a377c16888e"},
      {63, "75220b47218278e656f2013bb8f0c455a25eaf01e86c64924e9d48d89776d6f2"},
      {64, "7ce100971f64e7001e8fe5a51973ecdfe1ced42befe7ee8d5fd6219506b5393c"},
      {65, "9537c5fdf120482f7d58d25e9ed583f52c02b4e304ea814db1633ad565aed7e9"},
      {119, "000b48d4edf0fa7bee3c6236ecd2785baa5db4eeb8bb54341b029e0d9fa5fb0c"},
      {120, "13f05a0b594787f5ecd315edc96141bd3243203d1b7d4f0836f37308b276ba98"}};
  for (const auto& [count, hex] : rows)
    QTest::addRow("%d times x", count) << count << QString::fromLatin1(hex);
}

void HashTest::shaVectors() {
  QFETCH(int, count);
  QFETCH(QString, hex);
  QCOMPARE(sha256Hex(std::string(static_cast<std::size_t>(count), 'x')), hex.toStdString());
}

void HashTest::shaInPieces() {
  // FIPS 180-2: a million times "a".
  Sha256 hash;
  const std::string piece(977, 'a');
  std::size_t left = 1000000;
  while (left > 0) {
    const std::size_t count = std::min(left, piece.size());
    hash.update(std::string_view(piece).substr(0, count));
    left -= count;
  }
  QCOMPARE(hash.hex(), std::string("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"));
}

// The processor's instructions give what the arithmetic gives, from any state.
void HashTest::shaByInstructions() {
  const Sha256Blocks own = ownSha256Blocks();
  if (own == nullptr) QSKIP("this processor has no instructions for SHA-256");
  constexpr std::size_t kBlocks = 40;
  std::vector<unsigned char> bytes(64 * kBlocks + 1);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(i * i / 7 + i);
  Sha256State plain{0x6a09e667, 0xbb67ae85, 3, 0xffffffff, 0, 0x9b05688c, 7, 0x5be0cd19}, fast = plain;
  for (std::size_t count = 0; count <= kBlocks; ++count) {
    portableSha256Blocks(plain, bytes.data() + 1, count);
    own(fast, bytes.data() + 1, count);
    QVERIFY(plain == fast);
  }
}

void HashTest::shaOfFile() {
  const QTemporaryDir folder;
  const std::string path = folder.filePath(QStringLiteral("f")).toStdString();
  std::ofstream(path) << std::string(3000000, 'q');
  QCOMPARE(sha256OfFile(path).value(), sha256Hex(std::string(3000000, 'q')));
  QVERIFY(!sha256OfFile(path + "x").ok());
}

// Seeds of recorded runs depend on these numbers.
void HashTest::stable() {
  QCOMPARE(stableHash("encoder.layer.0"), 0x9F00DA70FB06F4F0ull);
  QCOMPARE(stableHash("encoder.layer.0", 7), 0x7E708DE81F73A593ull);
}

void HashTest::uuids() {
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) {
    const std::string uuid = makeUuid();
    QCOMPARE(uuid.size(), std::size_t{36});
    QVERIFY(uuid[14] == '4' && std::string("89ab").find(uuid[19]) != std::string::npos);
    QVERIFY(seen.insert(uuid).second);
  }
}

QTEST_APPLESS_MAIN(HashTest)
#include "tst_hash.moc"
