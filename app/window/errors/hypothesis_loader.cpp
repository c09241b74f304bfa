// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/errors/hypothesis_loader.h"

#include <optional>

#include "app/window/jobs/job_center.h"
#include "core/record/results/prediction_set.h"
#include "views/look/engine_text.h"

namespace fathom {

namespace {
const QString kHypothesesOwner = QStringLiteral("errors hypotheses");
constexpr int kLoadWaitMilliseconds = 80;  // going through the list with a held key reads nothing
}  // namespace

HypothesisLoader::HypothesisLoader(JobCenter* jobs, QObject* parent) : QObject(parent), m_jobs(jobs) {
  m_wait.setSingleShot(true);
  m_wait.setInterval(kLoadWaitMilliseconds);
  connect(&m_wait, &QTimer::timeout, this, &HypothesisLoader::begin);
}

void HypothesisLoader::cancel() {
  m_wait.stop();
  m_jobs->cancelOwner(kHypothesesOwner);
}

void HypothesisLoader::load(const std::string& path, int example) {
  cancel();
  m_path = path;
  m_example = example;
  m_wait.start();
}

void HypothesisLoader::begin() {
  m_jobs->start<std::optional<SearchDetails>>(
      tr("Reading hypotheses"), kHypothesesOwner,
      [path = m_path, example = m_example](Progress&,
                                           const StopToken&) -> Result<std::optional<SearchDetails>> {
        FATHOM_TRY(const Json details, readPredictionDetails(path, example));
        if (details.is_null()) return std::optional<SearchDetails>();
        FATHOM_TRY(SearchDetails read, searchDetailsFromJson(details));
        return std::optional<SearchDetails>(std::move(read));
      },
      [this](Result<std::optional<SearchDetails>> result) {
        if (!result.ok()) {
          Q_EMIT nothing(phraseText(result.error().phrase()));
        } else if (result->has_value()) {
          Q_EMIT loaded(**result);
        } else {
          Q_EMIT nothing(
              tr("This set holds no hypotheses: they are stored with the scored validations of a "
                 "Text-to-SQL run and by its evaluation."));
        }
      });
}

}  // namespace fathom
