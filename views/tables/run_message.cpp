// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/run_message.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>
#include <array>
#include <string_view>

#include "views/look/engine_text.h"
#include "views/tables/run_item.h"

namespace fathom {

namespace {

constexpr std::size_t kMostFacts = 5;
constexpr const char* kStored = "message";  // stands for the stored sentence

// A sentence and the facts it needs, in the order of %1, %2, ...; facts that are true or false must be true
// and have no place in it.
struct Sentence {
  const char* cause;
  std::array<const char*, kMostFacts> facts;
  const char* text;
};

// The first that has all its facts is said.
constexpr Sentence kSentences[] = {
    {"nan_loss", {"step"}, QT_TRANSLATE_NOOP("RunMessage", "The loss is not a number at update %1.")},
    {"inf_loss", {"step"}, QT_TRANSLATE_NOOP("RunMessage", "The loss is infinite at update %1.")},
    {"nonfinite_grad",
     {"skipped", "step"},
     QT_TRANSLATE_NOOP("RunMessage",
                       "Gradients overflow in float16 at the lowest loss scale: %1 updates in a row, up to "
                       "update %2.")},
    {"nonfinite_grad", {"step"}, QT_TRANSLATE_NOOP("RunMessage", "The gradient is not finite at update %1.")},
    {"loss_above",
     {"limit", "updates", "step"},
     QT_TRANSLATE_NOOP("RunMessage", "The loss stayed above %1 for %2 updates, up to update %3.")},
    {"no_learning",
     {"step", "nll", "ratio", "entropy", "goes_on"},
     QT_TRANSLATE_NOOP("RunMessage",
                       "Not learning: after %1 updates the validation nll %2 is still above %3 × the "
                       "targets' unigram entropy (%4 nats). The run goes on to its end.")},
    {"no_learning",
     {"step", "nll", "ratio", "entropy"},
     QT_TRANSLATE_NOOP("RunMessage",
                       "Not learning: after %1 updates the validation nll %2 is still above %3 × the "
                       "targets' unigram entropy (%4 nats).")},
    {"checkpoint_skipped",
     {"step", "error"},
     QT_TRANSLATE_NOOP("RunMessage", "The checkpoint of update %1 is skipped, the next is tried soon: %2")},
    {"checkpoint_damaged",
     {"checkpoint"},
     QT_TRANSLATE_NOOP("RunMessage", "Checkpoint %1 is damaged and was set aside.")},
    {"analysis_failed",
     {"analysis", "step", "error"},
     QT_TRANSLATE_NOOP("RunMessage", "Analysis %1 at update %2 failed; the training goes on: %3")},
    {"", {"imported_from"}, QT_TRANSLATE_NOOP("RunMessage", "Imported from %1.")},
    {"aborted", {}, QT_TRANSLATE_NOOP("RunMessage", "Aborted on request.")},
    {"unknown",
     {"unwatched"},
     QT_TRANSLATE_NOOP("RunMessage",
                       "The engine ended while nobody watched it; perhaps the machine was restarted.")},
    {"oom",
     {"memory_kill"},
     QT_TRANSLATE_NOOP("RunMessage", "The system ended the engine: the machine ran out of memory.")},
    {"killed",
     {"signal", "perhaps_memory"},
     QT_TRANSLATE_NOOP("RunMessage", "The engine was ended by signal %1, perhaps for lack of memory.")},
    {"killed", {"signal"}, QT_TRANSLATE_NOOP("RunMessage", "The engine was ended by signal %1.")},
    {"crash", {"signal"}, QT_TRANSLATE_NOOP("RunMessage", "The engine crashed (signal %1).")},
    {"oom", {"exit_code"}, QT_TRANSLATE_NOOP("RunMessage", "The engine ran out of memory (exit code %1).")},
    {"disk",
     {"exit_code"},
     QT_TRANSLATE_NOOP("RunMessage", "The disk is full or cannot be written to (exit code %1).")},
    {"config",
     {"exit_code"},
     QT_TRANSLATE_NOOP("RunMessage", "The engine refused the configuration or the data (exit code %1).")},
    {"device_fault", {"exit_code"}, QT_TRANSLATE_NOOP("RunMessage", "The device failed (exit code %1).")},
    {"unknown", {"exit_code"}, QT_TRANSLATE_NOOP("RunMessage", "The engine left with exit code %1.")},
    {"data", {kStored}, QT_TRANSLATE_NOOP("RunMessage", "The data cannot be read: %1")},
    {"config", {kStored}, QT_TRANSLATE_NOOP("RunMessage", "The configuration is refused: %1")},
    {"disk", {kStored}, QT_TRANSLATE_NOOP("RunMessage", "The disk is full or cannot be written to: %1")},
    {"oom", {kStored}, QT_TRANSLATE_NOOP("RunMessage", "Out of memory: %1")},
    {"device_fault", {kStored}, QT_TRANSLATE_NOOP("RunMessage", "The device failed: %1")},
};

struct KindTitle {
  const char* kind;
  const char* title;
};
constexpr KindTitle kKinds[] = {
    {"run_started", QT_TRANSLATE_NOOP("RunMessage", "start")},
    {"epoch", QT_TRANSLATE_NOOP("RunMessage", "epoch")},
    {"validation", QT_TRANSLATE_NOOP("RunMessage", "validation")},
    {"sample", QT_TRANSLATE_NOOP("RunMessage", "examples")},
    {"checkpoint", QT_TRANSLATE_NOOP("RunMessage", "checkpoint")},
    {"warning", QT_TRANSLATE_NOOP("RunMessage", "warning")},
    {"diverged", QT_TRANSLATE_NOOP("RunMessage", "diverged")},
    {"run_finished", QT_TRANSLATE_NOOP("RunMessage", "end")},
    {"run_failed", QT_TRANSLATE_NOOP("RunMessage", "failure")},
    {"stderr", QT_TRANSLATE_NOOP("RunMessage", "engine")},
};

QString messageText(const char* text) {
  return QCoreApplication::translate("RunMessage", text);
}

// Whole numbers in full, others to four digits.
QString factText(const Json& value) {
  if (value.is_number_integer()) return QLocale().toString(value.get<qlonglong>());
  const auto real = realFromJson(value);
  if (real.ok()) return metricText(*real);
  return value.is_string() ? fromUtf8(value.get<std::string>()) : QString();
}

// False when a fact is missing.
bool collectFacts(const Sentence& sentence, const Json& details, const std::string& stored,
                  QStringList& found) {
  for (const char* fact : sentence.facts) {
    if (fact == nullptr) break;
    if (std::string_view(fact) == kStored) {
      if (stored.empty()) return false;
      found.append(fromUtf8(stored));
      continue;
    }
    const auto value = details.find(fact);
    if (value == details.end()) return false;
    if (value->is_boolean()) {
      if (!value->get<bool>()) return false;
      continue;
    }
    const QString text = factText(*value);
    if (text.isEmpty()) return false;
    found.append(text);
  }
  return true;
}

// In one pass, so that a %1 inside a fact stays what it is.
QString filled(const QString& text, const QStringList& facts) {
  switch (facts.size()) {
    case 0:
      return text;
    case 1:
      return text.arg(facts[0]);
    case 2:
      return text.arg(facts[0], facts[1]);
    case 3:
      return text.arg(facts[0], facts[1], facts[2]);
    default:
      return text.arg(facts[0], facts[1], facts[2], facts[3]);
  }
}

}  // namespace

QString runMessageText(const std::string& cause, const Json& details, const std::string& stored) {
  if (!details.is_object()) return fromUtf8(stored);
  for (const Sentence& sentence : kSentences) {
    QStringList facts;
    if (cause != sentence.cause || !collectFacts(sentence, details, stored, facts)) continue;
    QString text = filled(messageText(sentence.text), facts);
    if (const auto words = details.find("last_words"); words != details.end() && words->is_string())
      text +=
          QLatin1Char('\n') + QCoreApplication::translate("RunMessage", "It wrote: %1").arg(factText(*words));
    return text;
  }
  return fromUtf8(stored);
}

QString logKindText(const QString& kind) {
  for (const KindTitle& entry : kKinds)
    if (kind == QLatin1String(entry.kind)) return messageText(entry.title);
  return kind;
}

}  // namespace fathom
