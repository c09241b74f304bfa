// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/run_row.h"

#include <QCoreApplication>
#include <QLocale>
#include <cmath>

#include "core/base/progress.h"

namespace fathom {

namespace {

QString say(const char* text) {
  return QCoreApplication::translate("RunRow", text);
}

struct StateEntry {
  const char* id;
  const char* word;
  const char* icon;
  const char* colour;
};
constexpr StateEntry kStates[] = {
    {"queued", QT_TRANSLATE_NOOP("RunRow", "queued"), "state-queued", "queued"},
    {"running", QT_TRANSLATE_NOOP("RunRow", "running"), "state-running", "running"},
    {"stalled", QT_TRANSLATE_NOOP("RunRow", "not answering"), "state-stalled", "diverged"},
    {"finished", QT_TRANSLATE_NOOP("RunRow", "finished"), "state-finished", "finished"},
    {"stopped", QT_TRANSLATE_NOOP("RunRow", "stopped"), "state-stopped", "stopped"},
    {"diverged", QT_TRANSLATE_NOOP("RunRow", "diverged"), "state-diverged", "diverged"},
    {"failed", QT_TRANSLATE_NOOP("RunRow", "failed"), "state-failed", "failed"},
    {"crashed", QT_TRANSLATE_NOOP("RunRow", "crashed"), "state-failed", "failed"},
    {"killed", QT_TRANSLATE_NOOP("RunRow", "killed"), "state-failed", "failed"},
    {"lost", QT_TRANSLATE_NOOP("RunRow", "lost"), "state-stalled", "failed"},
};

struct NamedText {
  const char* id;
  const char* text;
};
constexpr NamedText kCauses[] = {
    {"nan_loss", QT_TRANSLATE_NOOP("RunRow", "loss is not a number")},
    {"inf_loss", QT_TRANSLATE_NOOP("RunRow", "loss is infinite")},
    {"nonfinite_grad", QT_TRANSLATE_NOOP("RunRow", "gradient is not finite")},
    {"loss_above", QT_TRANSLATE_NOOP("RunRow", "loss exploded")},
    {"no_learning", QT_TRANSLATE_NOOP("RunRow", "not learning")},
    {"oom", QT_TRANSLATE_NOOP("RunRow", "out of memory")},
    {"disk", QT_TRANSLATE_NOOP("RunRow", "disk full or not writable")},
    {"data", QT_TRANSLATE_NOOP("RunRow", "data cannot be read")},
    {"config", QT_TRANSLATE_NOOP("RunRow", "configuration refused")},
};
constexpr NamedText kMetrics[] = {
    {"loss", QT_TRANSLATE_NOOP("RunRow", "training loss")},
    {"nll", QT_TRANSLATE_NOOP("RunRow", "training nll")},
    {"ppl", QT_TRANSLATE_NOOP("RunRow", "training perplexity")},
    {"lr", QT_TRANSLATE_NOOP("RunRow", "learning rate")},
    {"grad_norm", QT_TRANSLATE_NOOP("RunRow", "gradient norm")},
    {"tokens_per_s", QT_TRANSLATE_NOOP("RunRow", "tokens/s")},
    {"valid.loss", QT_TRANSLATE_NOOP("RunRow", "validation loss")},
    {"valid.nll", QT_TRANSLATE_NOOP("RunRow", "validation nll")},
    {"valid.ppl", QT_TRANSLATE_NOOP("RunRow", "perplexity (e)")},
    {"valid.ppl2", QT_TRANSLATE_NOOP("RunRow", "perplexity (base 2)")},
    {"valid.bleu", QT_TRANSLATE_NOOP("RunRow", "BLEU")},
    {"test.bleu", QT_TRANSLATE_NOOP("RunRow", "test BLEU")},
};

template <std::size_t N>
QString lookUp(const NamedText (&table)[N], const QString& id) {
  for (const NamedText& entry : table) {
    if (id == QLatin1String(entry.id)) return say(entry.text);
  }
  return id;
}

}  // namespace

RunStateLook runStateLook(const QString& state) {
  for (const StateEntry& entry : kStates) {
    if (state == QLatin1String(entry.id))
      return {say(entry.word), QString::fromLatin1(entry.icon), QString::fromLatin1(entry.colour)};
  }
  return {state, QStringLiteral("info"), QStringLiteral("queued")};
}

bool isLiveState(const QString& state) {
  return state == QLatin1String("running") || state == QLatin1String("stalled");
}

QString runCauseText(const QString& cause) {
  return lookUp(kCauses, cause);
}

bool higherIsBetter(const QString& metric) {
  return metric.contains(QLatin1String("bleu")) || metric.contains(QLatin1String("accuracy")) ||
         metric.contains(QLatin1String("f1")) || metric.contains(QLatin1String("exact_match")) ||
         metric == QLatin1String("tokens_per_s");
}

QString metricTitle(const QString& metric) {
  return lookUp(kMetrics, metric);
}

QString metricText(double value) {
  if (std::isnan(value)) return QStringLiteral("NaN");
  if (std::isinf(value)) return value > 0 ? QStringLiteral("∞") : QStringLiteral("−∞");
  QLocale locale;
  locale.setNumberOptions(QLocale::OmitGroupSeparator);
  const double size = std::abs(value);
  if (size != 0 && (size < 1e-3 || size >= 1e6)) return locale.toString(value, 'e', 2);
  return locale.toString(value, 'g', size >= 1000 ? 6 : 4);
}

QString durationText(double seconds) {
  if (seconds < 0) return QStringLiteral("–");
  return QString::fromStdString(formatDuration(seconds));
}

}  // namespace fathom
