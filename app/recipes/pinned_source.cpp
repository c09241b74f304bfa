// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/recipes/pinned_source.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/base/errors/error_key.h"
#include "core/record/results/analysis_store.h"
#include "core/record/results/analysis_variant.h"

namespace fathom {

namespace {

bool sameQuestion(const PinnedResult& a, const PinnedResult& b) {
  return a.run == b.run && a.analysis == b.analysis && a.checkpoint == b.checkpoint && a.options == b.options;
}

// Command line that computes a pinned result once more.
std::string recipeLine(const LibrarySource& source, const PinnedResult& pin) {
  Json wanted = pin.options;
  if (const auto request = analysisRequestFromJson(pin.request, "the figure's recipe"); request.ok())
    if (auto all = wantedVariant(variantText(AnalysisVariant::of(*request))); all.ok())
      wanted = std::move(*all);
  return source.analyseLine(pin.run, pin.analysis, pin.found, wanted);
}

}  // namespace

PinnedSource::PinnedSource(LibrarySource& source, std::optional<FigurePins> pins)
    : m_source(source), m_pins(std::move(pins)) {}

Result<ProbedResult> PinnedSource::probed(const std::string& run, const std::string& analysis,
                                          const std::string& checkpoint) {
  return probedWith(run, analysis, checkpoint, Json::object());
}

void PinnedSource::note(const PinnedResult& answer) {
  const bool known = std::any_of(m_answers.results.begin(), m_answers.results.end(),
                                 [&](const PinnedResult& each) { return sameQuestion(each, answer); });
  if (!known) m_answers.results.push_back(answer);
}

Result<ProbedResult> PinnedSource::fromPin(const PinnedResult& pin) {
  note(pin);
  if (pin.found.empty())
    return dataError(Phrase::tr("run %1 had no %2 of checkpoint '%3' when the figure was stored")(
                         pin.run, pin.analysis, pin.checkpoint),
                     Phrase::tr("make the figure anew to show what is computed now"));
  const auto folder = m_source.resultFolder(pin.run, pin.analysis, pin.key);
  if (!folder.ok()) return folder.error();
  if (folder->empty())
    return dataError(
        Phrase::tr("the figure was made of %1 of run %2 at checkpoint %3, which is not there any more (%4)")(
            pin.analysis, pin.run, pin.found, pin.key),
        Phrase::tr("compute it again: %1")(recipeLine(m_source, pin)));
  FATHOM_TRY(const std::string sha256, analysisHash(*folder));
  if (sha256 != pin.sha256) {
    return aboutFile(
        *folder,
        dataError(
            Phrase::tr(
                "the figure was made of another %1 of run %2 at checkpoint %3: its numbers have changed")(
                pin.analysis, pin.run, pin.found),
            Phrase::tr("delete the folder %1 and compute it again: %2; or make the figure anew")(
                *folder, recipeLine(m_source, pin))));
  }
  return m_source.readResult(pin.run, pin.analysis, pin.found, *folder);
}

Result<ProbedResult> PinnedSource::lookUp(const PinnedResult& asked) {
  PinnedResult answer = asked;
  auto found = m_source.probedWith(asked.run, asked.analysis, asked.checkpoint, asked.options);
  if (!found.ok()) {
    note(answer);
    return found;
  }
  answer.found = found->checkpoint;
  answer.key = std::filesystem::path(found->folder).filename().string();
  FATHOM_TRY(answer.sha256, analysisHash(found->folder));
  FATHOM_TRY(const StoredAnalysis stored, readAnalysis(found->folder));
  answer.request = stored.request.toJson();
  note(answer);
  return found;
}

Result<ProbedResult> PinnedSource::probedWith(const std::string& run, const std::string& analysis,
                                              const std::string& checkpoint, const Json& options) {
  PinnedResult asked;
  asked.run = run;
  asked.analysis = analysis;
  asked.checkpoint = checkpoint;
  asked.options = options.is_null() ? Json::object() : options;
  if (m_pins) {
    const auto pin = std::find_if(m_pins->results.begin(), m_pins->results.end(),
                                  [&](const PinnedResult& each) { return sameQuestion(each, asked); });
    if (pin != m_pins->results.end()) return fromPin(*pin);
  }
  m_allPinned = false;
  return lookUp(asked);
}

std::vector<std::string> PinnedSource::probedCheckpoints(const std::string& run,
                                                         const std::string& analysis) {
  const auto same = [&](const PinnedList& list) { return list.run == run && list.analysis == analysis; };
  PinnedList answer{run, analysis, {}};
  bool pinned = false;
  if (m_pins) {
    const auto list = std::find_if(m_pins->lists.begin(), m_pins->lists.end(), same);
    pinned = list != m_pins->lists.end();
    if (pinned) answer.checkpoints = list->checkpoints;
  }
  if (!pinned) {
    m_allPinned = false;
    answer.checkpoints = m_source.probedCheckpoints(run, analysis);
  }
  if (std::none_of(m_answers.lists.begin(), m_answers.lists.end(), same)) m_answers.lists.push_back(answer);
  return answer.checkpoints;
}

}  // namespace fathom
