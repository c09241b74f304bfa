// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/train/data_gesture.h"

#include <QUndoStack>
#include <utility>

#include "app/runs/made_data.h"
#include "app/window/files/file_choice.h"
#include "app/window/jobs/job_center.h"
#include "app/window/train/new_run_controller.h"
#include "core/tasks/task.h"
#include "views/look/engine_text.h"
#include "views/panels/data/found_data_view.h"
#include "views/panels/form/experiment_draft.h"
#include "views/panels/train/new_run_page.h"
#include "views/panels/widgets/message_bar.h"

namespace fathom {

namespace {

constexpr const char* kDataSet = "data set";  // job and origin of errors

}  // namespace

DataGesture::DataGesture(const Surroundings& with) : QObject(with.controller), m_with(with) {
  connect(with.page, &NewRunPage::dataSetRequested, this, &DataGesture::choose);
  connect(with.page->foundData(), &FoundDataView::chooseRequested, with.page, &NewRunPage::browseRequested);
}

std::string DataGesture::task() const {
  const TaskEntry* entry = m_draft == nullptr ? nullptr : taskOf(m_draft->values());
  return entry == nullptr ? std::string() : entry->id;
}

void DataGesture::setDraft(ExperimentDraft* draft) {
  if (m_draft != nullptr) disconnect(m_draft, nullptr, this, nullptr);
  m_draft = draft;
  if (m_draft == nullptr) return;
  FoundDataView* view = m_with.page->foundData();
  connect(m_draft, &ExperimentDraft::valueChanged, view,
          [this, view](const QString& key) { view->setFilled(key, !m_draft->text(key).isEmpty()); });
  // A preset of another task has other files.
  connect(m_draft, &ExperimentDraft::restarted, view, [this, view] {
    if (task() != m_shown) view->hide();
  });
  if (!m_waiting.isEmpty()) take(std::exchange(m_waiting, {}));
}

void DataGesture::choose() {
  const QStringList paths = m_with.files->filesOrFolder(m_with.page, FileKind::Data, tr("Choose a data set"));
  if (!paths.isEmpty()) take(paths.first());
}

void DataGesture::take(const QString& path) {
  m_waiting = m_draft == nullptr ? path : QString();
  if (m_draft != nullptr)
    find(
        path, [this](const DataChoice& choice) { fill(choice); }, true);
}

void DataGesture::fillBeside(const QString& key, const QString& path) {
  const TaskEntry* entry = m_draft == nullptr ? nullptr : taskOf(m_draft->values());
  if (entry == nullptr || (key != fromUtf8(entry->data.train) && key != fromUtf8(entry->data.validation)))
    return;
  find(
      path, [this, key](const DataChoice& choice) { fillEmpty(choice, key); }, false);
}

// `tell`: why it is none; a file of one's own is no error.
void DataGesture::find(const QString& path, const std::function<void(const DataChoice&)>& then, bool tell) {
  m_with.messages->closeErrors(QLatin1String(kDataSet));
  m_with.jobs->start<DataChoice>(
      tr("Looking at the data set"), QLatin1String(kDataSet),
      [path, wanted = task()](Progress&, const StopToken& stop) -> Result<DataChoice> {
        if (stop.stopRequested()) return interruptedError();
        return chooseData(toUtf8(path), wanted);
      },
      [this, then, tell](const Result<DataChoice>& choice) {
        if (!choice.ok() && tell) m_with.messages->showError(choice.error(), QLatin1String(kDataSet));
        if (choice.ok() && m_draft != nullptr) then(*choice);
      });
}

// A form of the data set's task keeps its settings, unless they are those of the made data.
void DataGesture::fill(const DataChoice& choice) {
  const Json values = optionsFor(choice, m_draft->schema());
  const bool keeps = choice.kind->task == task() && !usesMadeData(toUtf8(m_draft->presetId()));
  m_shown = choice.kind->task;
  if (keeps) {
    setValues(values, fromUtf8(choice.kind->title));
  } else {
    m_with.controller->startWith(fromUtf8(choice.kind->preset), values);
  }
  tell(choice);
}

void DataGesture::fillEmpty(const DataChoice& choice, const QString& key) {
  if (choice.kind->task != task()) return;
  Json values = Json::object();
  const Json found = optionsFor(choice, m_draft->schema());
  for (const auto& [name, value] : found.items()) {
    const OptionField* field = m_draft->schema().find(name);
    const bool path = field->type == OptionType::Path;
    if (fromUtf8(name) != key && (!path || m_draft->text(fromUtf8(name)).isEmpty())) values[name] = value;
  }
  m_shown = choice.kind->task;
  setValues(values, fromUtf8(choice.kind->title));
  tell(choice);
}

// One step that can be undone.
void DataGesture::setValues(const Json& values, const QString& title) {
  m_draft->endEdit();
  m_draft->undoStack()->beginMacro(tr("files of %1").arg(title));
  for (const auto& [key, value] : values.items()) m_draft->setValue(fromUtf8(key), value);
  m_draft->undoStack()->endMacro();
  m_draft->endEdit();
}

void DataGesture::tell(const DataChoice& choice) {
  QVector<FoundDataView::Missing> missing;
  for (const MissingData& each : choice.found.missing) {
    const std::string key = keyOfMissing(each, m_draft->values());
    const bool known = m_draft->schema().find(key) != nullptr;
    if (known && !m_draft->text(fromUtf8(key)).isEmpty()) continue;
    missing.append(
        {known ? fromUtf8(key) : QString(), phraseText(each.what), phraseText(each.get), each.needed});
  }
  m_with.page->foundData()->showFound(fromUtf8(choice.kind->title), fromUtf8(choice.found.folder),
                                      choice.found.files, missing, phraseText(choice.kind->source));
}

}  // namespace fathom
