// SPDX-License-Identifier: Apache-2.0
// A format of foreign runs that a test adds: a head line "%pairs", then "<step> <metric> <value>". Its source
// goes on: what is there is given, and more may come.
#include <sstream>

#include "core/base/files/atomic_file.h"
#include "core/base/text/number_text.h"
#include "core/imports/import_entry.h"

namespace fathom {

namespace {

constexpr std::string_view kPairsHead = "%pairs\n";

class PairsSource : public ImportSource {
 public:
  explicit PairsSource(std::string path) : m_path(std::move(path)) {}
  // Lines that came since the last time; a last one without its end is waited for.
  Result<SourceState> read(const StopToken& stop, const ImportSink& take) override {
    if (stop.stopRequested()) return interruptedError();
    FATHOM_TRY(const std::string text, readFile(m_path));
    const std::size_t whole = text.rfind('\n') + 1;
    ImportedRun run;
    run.format = "pairs";
    ImportedPoints points(m_path);
    std::istringstream lines(text.substr(m_read, whole - m_read));
    double step = 0, value = 0;
    for (std::string metric; lines >> step >> metric >> value;)
      FATHOM_CHECK(points.add(metric, {.step = step}, value));
    m_read = whole;
    if (points.empty()) return SourceState::Later;
    points.giveTo(run);
    FATHOM_CHECK(take(std::move(run)));
    return SourceState::Later;
  }

 private:
  std::string m_path;
  std::size_t m_read = kPairsHead.size();
};

}  // namespace

ImportEntry pairsRunEntry() {
  return {
      .id = "pairs",
      .title = "Pairs",
      .claims =
          [](const SourceLook& look) { return look.head.starts_with(kPairsHead) ? Claim::Yes : Claim::No; },
      .open = [](const std::string& path, const ImportOptions&) -> Result<std::unique_ptr<ImportSource>> {
        return std::unique_ptr<ImportSource>(new PairsSource(path));
      }};
}

}  // namespace fathom
