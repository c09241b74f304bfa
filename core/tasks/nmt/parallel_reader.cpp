// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/nmt/parallel_reader.h"

#include <algorithm>
#include <optional>

#include "core/base/errors/word_table.h"
#include "core/base/text/utf8.h"
#include "core/tasks/line_errors.h"
#include "core/tasks/part_phase.h"

namespace fathom {

namespace {

struct Complaint {
  BadLine kind = BadLine::MissingTab;
  Error error;  // of the file and the line
};

std::optional<Complaint> complaintAbout(const LineReader::Line& line, const LineReader& reader) {
  std::optional<Error> bad = lineError(reader, line);
  if (!bad) return std::nullopt;
  const BadLine kind = line.tooLong                                 ? BadLine::TooLong
                       : line.invalidUtf8 != std::string_view::npos ? BadLine::InvalidUtf8
                                                                    : BadLine::NulByte;
  return Complaint{kind, *std::move(bad)};
}

// The n-th (1-based) field between tabs.
std::optional<std::string_view> fieldOf(std::string_view line, std::int64_t column) {
  for (; column > 1; --column) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos) return std::nullopt;
    line.remove_prefix(tab + 1);
  }
  return line.substr(0, line.find('\t'));
}

class Collector {
 public:
  Collector(const ParallelFiles& files, ParallelText& text) : m_files(files), m_text(text) {}

  Status refuse(const Complaint& complaint, std::int64_t line) {
    if (!m_files.skipBadLines) return complaint.error;
    auto& kind = m_text.skipped.kinds[static_cast<std::size_t>(complaint.kind)];
    ++kind.count;
    if (kind.firstLines.size() < 5) kind.firstLines.push_back(line);
    return {};
  }
  Status add(std::string_view source, std::string_view target, std::int64_t line) {
    source = strip(source);
    target = strip(target);
    if (source.empty() || target.empty()) {
      const bool sourceEmpty = source.empty();
      const bool secondFile = !sourceEmpty && m_files.format == ParallelFiles::Format::TwoFiles;
      return refuse(
          {BadLine::EmptySide, dataErrorAt(secondFile ? m_files.targetPath : m_files.path, line,
                                           sourceEmpty ? Phrase::tr("the source side is empty")
                                                       : Phrase::tr("the target side is empty"),
                                           Phrase::tr("remove the line or set data.bad_lines=skip"))},
          line);
    }
    m_text.source.add(source);
    m_text.target.add(target);
    m_text.lines.push_back(line);
    return {};
  }
  bool enough() const { return m_files.maxPairs > 0 && m_text.size() >= m_files.maxPairs; }

 private:
  const ParallelFiles& m_files;
  ParallelText& m_text;
};

// The rest of the file, so that its hash covers all of it.
Status readToEnd(LineReader& reader, const StopToken& stop) {
  LineReader::Line line;
  while (true) {
    FATHOM_TRY(const bool more, reader.next(line));
    if (!more) return {};
    if (stop.stopRequested()) return interruptedError();
  }
}

Status addTableLine(const ParallelFiles& files, const LineReader& reader, const LineReader::Line& line,
                    Collector& pairs) {
  if (const auto complaint = complaintAbout(line, reader)) return pairs.refuse(*complaint, line.number);
  const auto source = fieldOf(line.text, files.sourceColumn);
  const auto target = fieldOf(line.text, files.targetColumn);
  if (source && target) return pairs.add(*source, *target, line.number);
  const auto columns = std::count(line.text.begin(), line.text.end(), '\t') + 1;
  const Phrase message = columns == 1 ? Phrase::tr("line without a tab")
                                      : Phrase::tr("line has %1 columns, column %2 is asked for")(
                                            columns, std::max(files.sourceColumn, files.targetColumn));
  return pairs.refuse(
      {BadLine::MissingTab,
       dataErrorAt(
           reader.path(), line.number, message,
           Phrase::tr("check data.source_column and data.target_column, or set data.bad_lines=skip"))},
      line.number);
}

DataHash hashOf(LineReader& reader, const std::string& role) {
  return {role, reader.path(), reader.sha256(), reader.fileBytes()};
}

std::string readingPhase(const std::string& role) {
  return partPhase(role, Phrase::tr("reading train pairs"), Phrase::tr("reading validation pairs"),
                   Phrase::tr("reading test pairs"));
}

Status readTable(const ParallelFiles& files, const std::string& role, Progress& progress,
                 const StopToken& stop, ParallelText& text) {
  FATHOM_TRY(LineReader reader, LineReader::open(files.path, files.maxLineBytes));
  progress.begin(readingPhase(role), Phrase::tr("bytes").english, static_cast<double>(reader.fileBytes()));
  Collector pairs(files, text);
  LineReader::Line line;
  while (!pairs.enough()) {
    FATHOM_TRY(const bool more, reader.next(line));
    if (!more) break;
    text.linesRead = line.number;
    if ((line.number & 0xFFF) == 0) {
      if (stop.stopRequested()) return interruptedError();
      progress.report(static_cast<double>(reader.readBytes()));
    }
    if (line.number == 1 && files.header) continue;
    FATHOM_CHECK(addTableLine(files, reader, line, pairs));
  }
  FATHOM_CHECK(readToEnd(reader, stop));
  text.hashes.push_back(hashOf(reader, role));
  return {};
}

Error unequal(const ParallelFiles& files, bool sourceEnded, std::int64_t line) {
  const std::string& shorter = sourceEnded ? files.path : files.targetPath;
  const std::string& longer = sourceEnded ? files.targetPath : files.path;
  return dataErrorAt(shorter, line - 1,
                     Phrase::tr("the file ends here, but %1 goes on with line %2")(longer, line),
                     Phrase::tr("parallel files must have the same number of lines"));
}

Status readTwoFiles(const ParallelFiles& files, const std::string& role, Progress& progress,
                    const StopToken& stop, ParallelText& text) {
  FATHOM_TRY(LineReader sources, LineReader::open(files.path, files.maxLineBytes));
  FATHOM_TRY(LineReader targets, LineReader::open(files.targetPath, files.maxLineBytes));
  progress.begin(readingPhase(role), Phrase::tr("bytes").english,
                 static_cast<double>(sources.fileBytes() + targets.fileBytes()));
  Collector pairs(files, text);
  LineReader::Line source, target;
  for (std::int64_t number = 1;; ++number) {
    FATHOM_TRY(const bool moreSource, sources.next(source));
    FATHOM_TRY(const bool moreTarget, targets.next(target));
    if (moreSource != moreTarget) return unequal(files, !moreSource, number);
    if (!moreSource) break;
    text.linesRead = number;
    if ((number & 0xFFF) == 0) {
      if (stop.stopRequested()) return interruptedError();
      progress.report(static_cast<double>(sources.readBytes() + targets.readBytes()));
    }
    if ((number == 1 && files.header) || pairs.enough()) continue;
    auto complaint = complaintAbout(source, sources);
    if (!complaint) complaint = complaintAbout(target, targets);
    FATHOM_CHECK(complaint ? pairs.refuse(*complaint, number) : pairs.add(source.text, target.text, number));
  }
  text.hashes.push_back(hashOf(sources, role));
  text.hashes.push_back(hashOf(targets, role + ".target"));
  return {};
}

}  // namespace

namespace {
constexpr EnumWord<BadLine> kBadLines[kBadLineKinds] = {{BadLine::MissingTab, "missing_tab"},
                                                        {BadLine::TooLong, "too_long"},
                                                        {BadLine::InvalidUtf8, "invalid_utf8"},
                                                        {BadLine::NulByte, "nul_byte"},
                                                        {BadLine::EmptySide, "empty_side"}};
}  // namespace

std::int64_t SkippedLines::total() const {
  std::int64_t sum = 0;
  for (const Kind& kind : kinds) sum += kind.count;
  return sum;
}

Json SkippedLines::toJson() const {
  Json json = Json::object();
  for (std::size_t i = 0; i < kinds.size(); ++i)
    if (kinds[i].count > 0)
      json[wordOf(kBadLines, static_cast<BadLine>(i))] = {{"count", kinds[i].count},
                                                          {"first_lines", kinds[i].firstLines}};
  return json;
}

Result<ParallelText> readParallel(const ParallelFiles& files, const std::string& role, Progress* progress,
                                  const StopToken& stop) {
  Progress none;
  Progress& shown = progress != nullptr ? *progress : none;
  ParallelText text;
  const bool table = files.format == ParallelFiles::Format::Tsv;
  FATHOM_CHECK(table ? readTable(files, role, shown, stop, text)
                     : readTwoFiles(files, role, shown, stop, text));
  shown.finish();
  if (text.size() == 0)
    return dataErrorAt(files.path, 0, Phrase::tr("no sentence pair in %1 lines")(text.linesRead),
                       text.skipped.total() > 0
                           ? Phrase::tr("every line was skipped: see the reasons without data.bad_lines=skip")
                           : Phrase::tr("check the file and data.header"));
  return text;
}

}  // namespace fathom
