// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/files/neighbour_file.h"

#include <sys/stat.h>

#include <QBuffer>
#include <QByteArray>
#include <QImage>
#include <cerrno>
#include <filesystem>
#include <utility>

#include "core/base/errors/error_key.h"
#include "core/base/errors/phrase.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/input_file.h"
#include "core/base/text/csv.h"
#include "core/base/text/lines_of.h"
#include "views/figure/figure_csv.h"

namespace fathom {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHeadBytes = std::size_t{1} << 16;

bool holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// The first row as withOwnHead writes it; "" where the text has no such row.
std::string ownHeadOf(std::string_view text) {
  CsvReader reader(
      [&text](char* bytes, std::size_t most) -> Result<std::size_t> {
        const std::size_t count = text.copy(bytes, most);
        text.remove_prefix(count);
        return count;
      },
      {}, ',');
  CsvRow fields;
  const Result<bool> read = reader.next(fields);
  if (!read.ok() || !*read || fields.size() < 2 || csvField(fields[0]) != fields[0]) return {};
  std::string head = "\"" + fields[0] + "\"";
  for (std::size_t i = 1; i < fields.size(); ++i) head += "," + csvField(fields[i]);
  return head + "\r\n";
}

bool isOwnTable(std::string_view head) {
  if (head.starts_with(kFigureCsvHead)) return true;
  const std::string own = ownHeadOf(head);
  return !own.empty() && head.starts_with(own);
}

// "m0x m0y m1x m1y …": what PgfMarks::table calls its columns.
bool isOwnData(std::string_view head) {
  std::string_view line;
  LinesOf(head).next(line);
  std::string expected;
  for (std::size_t i = 0; expected.size() < line.size(); ++i) {
    const std::string name = "m" + std::to_string(i);
    expected += (i > 0 ? " " : "") + name + "x " + name + "y";
  }
  return !line.empty() && line.size() < head.size() && line == expected;
}

// By its ending. The names are those that Qt and withOwnName write into the files.
bool isOurs(const std::string& path, std::string_view head) {
  using namespace std::string_view_literals;
  const std::string ending = fs::path(path).extension().string();
  if (ending == ".csv") return isOwnTable(head);
  if (ending == ".dat") return isOwnData(head);
  if (ending == ".png") return holds(head, "tEXtSoftware\0Fathom"sv);
  if (ending == ".pdf") return head.starts_with("%PDF-") && holds(head, "\xfe\xff\0F\0a\0t\0h\0o\0m"sv);
  return false;
}

Result<std::string> headOfFile(const std::string& path) {
  FATHOM_TRY(const RegularFile file, RegularFile::open(path));
  std::string head(kHeadBytes, '\0');
  std::size_t filled = 0;
  while (filled < head.size()) {
    FATHOM_TRY(const std::size_t count, file.readAt(filled, head.data() + filled, head.size() - filled));
    if (count == 0) break;
    filled += count;
  }
  head.resize(filled);
  return head;
}

}  // namespace

Status checkNeighbour(const std::string& path) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return {};  // what is wrong with the folder is said by writing
    return inputError(Phrase::tr("cannot look at"), path, errno);
  }
  FATHOM_TRY(const std::string head, headOfFile(path));
  if (isOurs(path, head)) return {};
  return aboutFile(path,
                   unavailableError(Phrase::tr("%1 would be replaced, and was not written by Fathom")(path),
                                    Phrase::tr("choose another name, or move that file away")));
}

std::string numbersBeside(const std::string& figure) {
  return fs::path(figure).replace_extension(".csv").string();
}

Status checkFigureNeighbours(const std::string& figure) {
  const std::string numbers = numbersBeside(figure);
  return numbers == figure ? Status() : checkNeighbour(numbers);
}

Status writeNeighbour(const std::string& path, std::string_view bytes) {
  FATHOM_CHECK(checkNeighbour(path));
  return writeNamedFile(path, bytes);
}

std::string withOwnHead(std::string csv) {
  const std::string head = ownHeadOf(csv);
  if (head.empty()) return csv;
  return head + csv.substr(head.size() - 2);
}

std::string withOwnName(const std::string& png) {
  QImage image = QImage::fromData(QByteArray::fromStdString(png), "PNG");
  if (image.isNull()) return png;
  image.setText(QStringLiteral("Software"), QStringLiteral("Fathom"));
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  image.save(&buffer, "PNG");
  return bytes.toStdString();
}

}  // namespace fathom
