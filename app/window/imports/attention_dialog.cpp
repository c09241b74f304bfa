// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/imports/attention_dialog.h"

#include <QComboBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <algorithm>
#include <utility>

#include "app/requests/brought_results.h"
#include "app/window/files/file_choice.h"
#include "core/record/runs/checkpoint_folder.h"
#include "views/look/engine_text.h"
#include "views/look/name_text.h"
#include "views/look/theme.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"

namespace fathom {

namespace {

constexpr int kAttentionCharacters = 88, kArrayRows = 3, kAttentionRestMs = 150, kMostMaps = 1000;

// "encoder.self_attention" in words.
QString attentionTitle(const std::string& name) {
  const QString text = fromUtf8(name);
  const QString stack = text.section(QLatin1Char('.'), 0, 0), kind = text.section(QLatin1Char('.'), 1);
  const QString whose = stack == QLatin1String("encoder")   ? AttentionDialog::tr("encoder")
                        : stack == QLatin1String("decoder") ? AttentionDialog::tr("decoder")
                                                            : stack;
  if (kind == QLatin1String("self_attention")) return AttentionDialog::tr("%1 self-attention").arg(whose);
  if (kind == QLatin1String("cross_attention")) return AttentionDialog::tr("%1 cross-attention").arg(whose);
  return text;
}

QComboBox* namedChoice(QWidget* parent, const QString& name) {
  auto* box = new QComboBox(parent);
  box->setAccessibleName(name);
  box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  return box;
}

Status storeFor(const std::string& project, const QString& uuid, const std::string& state,
                const std::string& part, const BroughtAttention& brought) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(project));
  FATHOM_TRY(const RunRow run, findRun(*library, toUtf8(uuid)));
  FATHOM_TRY(const std::string checkpoint, stateName(run, state));
  const auto stored = storeBrought(project, run, checkpoint, part, brought);
  return stored.ok() ? Status() : Status(stored.error());
}

}  // namespace

AttentionDialog::AttentionDialog(const Parts& parts, const QStringList& files, QWidget* window)
    : QDialog(window),
      m_parts(parts),
      m_list(new QListWidget(this)),
      m_add(new QPushButton(tr("A&dd…"), this)),
      m_remove(new QPushButton(tr("Re&move"), this)),
      m_tokens(new QLineEdit(this)),
      m_chooseTokens(new QPushButton(tr("C&hoose…"), this)),
      m_stack(namedChoice(this, tr("Stack"))),
      m_kind(namedChoice(this, tr("Kind"))),
      m_run(namedChoice(this, tr("Run"))),
      m_state(namedChoice(this, tr("State"))),
      m_part(namedChoice(this, tr("Part"))),
      m_maps(new QSpinBox(this)),
      m_summary(wrappedLabel(this, QStringLiteral("attentionSummary"))),
      m_progress(new QProgressBar(this)),
      m_cancel(new QPushButton(tr("Cancel"), this)),
      m_import(new QPushButton(tr("&Import"), this)) {
  setObjectName(QStringLiteral("importAttention"));
  setWindowTitle(tr("Import attention"));
  setAttribute(Qt::WA_DeleteOnClose);
  m_rest.setSingleShot(true);
  m_rest.setInterval(kAttentionRestMs);
  m_list->addItems(files);
  for (const auto& [title, id] : {std::pair(tr("as its name says"), ""), std::pair(tr("encoder"), "encoder"),
                                  std::pair(tr("decoder"), "decoder")})
    m_stack->addItem(title, QLatin1String(id));
  for (const auto& [title, id] : {std::pair(tr("self-attention"), "self_attention"),
                                  std::pair(tr("cross-attention"), "cross_attention")})
    m_kind->addItem(title, QLatin1String(id));
  for (const auto& [title, id] : {std::pair(tr("validation"), "validation"), std::pair(tr("test"), "test"),
                                  std::pair(tr("training"), "train")})
    m_part->addItem(title, QLatin1String(id));
  for (const RunItem& run : std::as_const(m_parts.runs)) m_run->addItem(run.name, run.uuid);
  m_run->setCurrentIndex(qMax(0, m_run->findData(m_parts.chosen)));
  layOut();
  connectParts();
  listStates();
  lookAt();
}

AttentionDialog::~AttentionDialog() {
  if (m_parts.jobs.isNull()) return;
  m_parts.jobs->cancelOwner(objectName());
  m_parts.jobs->cancel(m_job);
  m_parts.jobs->cancel(m_look);
}

void AttentionDialog::layOut() {
  m_list->setAccessibleName(tr("Files of arrays"));
  m_list->setSelectionMode(QAbstractItemView::ExtendedSelection);
  m_list->setTextElideMode(Qt::ElideLeft);
  m_list->setFixedHeight(metrics::kTableRow * kArrayRows + metrics::kMargin);
  m_list->setToolTip(
      tr("[layers, heads, queries, keys] or [layers, examples, heads, queries, keys]; arrays are "
         "called encoder.self_attention, decoder.self_attention or decoder.cross_attention"));
  m_tokens->setObjectName(QStringLiteral("attentionTokens"));
  m_tokens->setAccessibleName(tr("Tokens"));
  m_tokens->setPlaceholderText(tr("JSON; without it all tokens are real and have no names"));
  m_tokens->setClearButtonEnabled(true);
  m_state->setEditable(true);
  m_state->setInsertPolicy(QComboBox::NoInsert);
  m_state->setToolTip(
      tr("The state of the model that the attention is of; a number of updates can be typed"));
  m_maps->setRange(0, kMostMaps);
  m_maps->setValue(1);
  m_maps->setAccessibleName(tr("Maps"));
  m_maps->setToolTip(tr("So many examples, the first ones, are kept as maps"));
  m_progress->setTextVisible(false);
  for (QPushButton* aside : {m_add, m_remove, m_chooseTokens, m_cancel}) aside->setAutoDefault(false);
  m_import->setObjectName(QStringLiteral("attentionImport"));
  m_import->setProperty("primary", true);
  m_import->setDefault(true);
  auto* arrays = new QWidget(this);
  makeRow(arrays, {{m_list, 1}, makeColumn({m_add, m_remove, BoxPart::stretch()})});
  arrays->setFocusProxy(m_list);
  auto* tokens = new QWidget(this);
  makeRow(tokens, {{m_tokens, 1}, m_chooseTokens});
  tokens->setFocusProxy(m_tokens);
  auto* place = new QWidget(this);
  makeRow(place, {{m_stack, 1}, {m_kind, 1}});
  place->setFocusProxy(m_stack);
  auto* form = new QFormLayout;
  form->addRow(tr("&Arrays"), arrays);
  form->addRow(tr("Attention &of"), place);
  form->addRow(tr("&Tokens"), tokens);
  form->addRow(QString(), m_summary);
  form->addRow(tr("&Run"), m_run);
  form->addRow(tr("&State"), m_state);
  form->addRow(tr("&Part of the data"), m_part);
  form->addRow(tr("Examples as maps"), m_maps);
  auto* bar = makeRow({{m_progress, 1}, BoxPart::stretch(), m_cancel, m_import});
  makeColumn(this, {form, BoxPart::stretch(1), bar}, metrics::kMargin, kStyleMargins);
  resize(kAttentionCharacters * fontMetrics().averageCharWidth(), sizeHint().height());
}

void AttentionDialog::connectParts() {
  connect(&m_rest, &QTimer::timeout, this, &AttentionDialog::lookAt);
  connect(m_add, &QPushButton::clicked, this, &AttentionDialog::addFiles);
  connect(m_remove, &QPushButton::clicked, this, &AttentionDialog::removeFiles);
  connect(m_chooseTokens, &QPushButton::clicked, this, &AttentionDialog::chooseTokens);
  connect(m_tokens, &QLineEdit::textChanged, this, &AttentionDialog::lookSoon);
  connect(m_list, &QListWidget::itemSelectionChanged, this, &AttentionDialog::showParts);
  for (QComboBox* box : {m_stack, m_kind, m_part})
    connect(box, &QComboBox::currentIndexChanged, this, &AttentionDialog::lookSoon);
  connect(m_maps, &QSpinBox::valueChanged, this, &AttentionDialog::lookSoon);
  connect(m_run, &QComboBox::currentIndexChanged, this, &AttentionDialog::listStates);
  connect(m_state, &QComboBox::currentTextChanged, this, &AttentionDialog::showParts);
  connect(m_cancel, &QPushButton::clicked, this, &AttentionDialog::reject);
  connect(m_import, &QPushButton::clicked, this, &AttentionDialog::store);
  connect(m_parts.jobs.data(), &JobCenter::shownJobsChanged, this, [this] {  // cancelled in the window, too
    if (m_summary->text() == tr("Reading…") && !m_parts.jobs->isRunning(m_look))
      say(tr("Reading was cancelled."), false);
    showParts();
  });
}

bool AttentionDialog::isIdle() const {
  const bool soon = m_rest.isActive();
  return m_parts.jobs.isNull() ||
         !(soon || m_parts.jobs->isRunning(m_look) || m_parts.jobs->isRunning(m_job));
}

bool AttentionDialog::isArrayFile(const QString& path) {
  return path.endsWith(QLatin1String(".npy")) || path.endsWith(QLatin1String(".safetensors"));
}

QString AttentionDialog::summary() const {
  return m_summary->text();
}

void AttentionDialog::addFiles() {
  add(m_parts.files->severalToRead(this, FileKind::Data, tr("Arrays of attention"),
                                   tr("Arrays (*.npy *.safetensors)")));
}

void AttentionDialog::add(const QStringList& files) {
  for (const QString& file : files)
    if (m_list->findItems(file, Qt::MatchExactly).isEmpty()) m_list->addItem(file);
  if (!files.isEmpty()) lookAt();
}

void AttentionDialog::removeFiles() {
  qDeleteAll(m_list->selectedItems());
  lookAt();
}

void AttentionDialog::chooseTokens() {
  const QString file = m_parts.files->toRead(this, FileKind::Data, tr("Tokens of the attention"),
                                             m_tokens->text(), tr("JSON (*.json)"));
  if (!file.isEmpty()) m_tokens->setText(file);
}

// The checkpoints that the run keeps, the newest first chosen; where it keeps none, as far as it came.
void AttentionDialog::listStates() {
  m_state->clear();
  m_state->addItem(tr("before the first update"), QStringLiteral("init"));
  const RunItem* run = m_run->currentIndex() < 0 ? nullptr : &m_parts.runs[m_run->currentIndex()];
  if (run == nullptr || m_parts.jobs.isNull()) return showParts();
  m_state->setEditText(QString::number(run->step));
  const QPointer<AttentionDialog> self(this);
  m_parts.jobs->start<std::vector<CheckpointManifest>>(
      tr("Looking for checkpoints"), objectName(),
      [folder = toUtf8(run->folder)](Progress&, const StopToken&) -> Result<std::vector<CheckpointManifest>> {
        return listCheckpoints(folder);
      },
      [self, shown = m_state->currentText()](const Result<std::vector<CheckpointManifest>>& kept) {
        if (!self || !kept.ok() || kept->empty()) return;
        const QString typed = self->m_state->currentText();
        for (const CheckpointManifest& each : *kept)
          self->m_state->addItem(tr("after %1 updates").arg(QLocale().toString(qlonglong(each.step))),
                                 fromUtf8(each.name));
        if (typed == shown) self->m_state->setCurrentIndex(self->m_state->count() - 1);
      });
}

AttentionFiles AttentionDialog::chosen() const {
  AttentionFiles files;
  for (int i = 0; i < m_list->count(); ++i) files.arrays.push_back(toUtf8(m_list->item(i)->text()));
  files.tokens = toUtf8(m_tokens->text().trimmed());
  const QString stack = m_stack->currentData().toString();
  if (!stack.isEmpty()) files.place = {toUtf8(stack), toUtf8(m_kind->currentData().toString())};
  files.split = toUtf8(m_part->currentData().toString());
  files.maps = m_maps->value();
  return files;
}

void AttentionDialog::lookSoon() {
  m_brought.reset();
  m_rest.start();
  showParts();
}

void AttentionDialog::lookAt() {
  m_rest.stop();
  m_brought.reset();
  const AttentionFiles files = chosen();
  if (m_parts.jobs.isNull()) return;
  m_parts.jobs->cancel(m_look);
  if (files.arrays.empty()) {
    say(tr("Add the files in which the attention is: .npy or safetensors."), false);
    return showParts();
  }
  say(tr("Reading…"), false);
  const QPointer<AttentionDialog> self(this);
  m_look = m_parts.jobs->start<std::shared_ptr<BroughtAttention>>(
      tr("Reading attention"), {},
      [files](Progress& progress, const StopToken& stop) -> Result<std::shared_ptr<BroughtAttention>> {
        FATHOM_TRY(BroughtAttention brought, readAttention(files, progress, stop));
        return std::make_shared<BroughtAttention>(std::move(brought));
      },
      [self](const Result<std::shared_ptr<BroughtAttention>>& brought) {
        if (self) self->take(brought);
      },
      [self](const ProgressUpdate& update) {
        if (self) showProgress(self->m_progress, update);
      });
  showParts();
}

void AttentionDialog::take(const Result<std::shared_ptr<BroughtAttention>>& brought) {
  if (!brought.ok()) {
    say(inFieldWords(phraseText(brought.error().phrase())), true);
    return showParts();
  }
  m_brought = *brought;
  QStringList whose;
  for (const std::string& name : m_brought->attentions) whose.append(attentionTitle(name));
  QString text = tr("%1 · examples: %2 · tokens: %3")
                     .arg(nameText(whose), QLocale().toString(qlonglong(m_brought->examples)),
                          QLocale().toString(qlonglong(m_brought->tokens)));
  QStringList others;
  for (const std::string& name : m_brought->passedOver) others.append(fromUtf8(name));
  if (!others.isEmpty()) text += QLatin1Char('\n') + tr("No attention: %1").arg(nameText(others));
  say(text, false);
  showParts();
}

// The reader speaks of options of the shell.
QString AttentionDialog::inFieldWords(QString text) const {
  for (const auto& [option, field] :
       {std::pair("--stack", m_stack->accessibleName()), std::pair("--kind", m_kind->accessibleName()),
        std::pair("--tokens", m_tokens->accessibleName())})
    text.replace(QLatin1String(option), tr("“%1”").arg(field));
  return text;
}

void AttentionDialog::say(const QString& text, bool wrong) {
  const Theme& theme = Theme::of(palette());
  m_summary->setText(text);
  setTextColour(m_summary, wrong ? theme.failed : theme.text);
}

void AttentionDialog::showParts() {
  const bool looks = !m_parts.jobs.isNull() && m_parts.jobs->isRunning(m_look);
  const bool stores = !m_parts.jobs.isNull() && m_parts.jobs->isRunning(m_job);
  m_progress->setVisible(looks || stores);
  if (!looks) m_progress->setRange(0, 0);
  m_remove->setEnabled(!m_list->selectedItems().isEmpty() && !stores);
  // One array alone may be said to be whatever it is.
  const QString only =
      m_list->count() == 1 ? QFileInfo(m_list->item(0)->text()).completeBaseName() : QString();
  const bool asks = m_list->count() == 1 && !attentionPlaceOf(toUtf8(only)).known();
  m_stack->setEnabled(asks);
  m_kind->setEnabled(asks && !m_stack->currentData().toString().isEmpty());
  m_import->setEnabled(m_brought != nullptr && !stores && m_run->currentIndex() >= 0 &&
                       !m_state->currentText().trimmed().isEmpty());
}

void AttentionDialog::store() {
  if (m_brought == nullptr || m_parts.jobs.isNull() || m_parts.jobs->isRunning(m_job)) return;
  const QString typed = m_state->currentText().trimmed();
  const int listed = m_state->findText(typed);
  const QString state = listed >= 0 ? m_state->itemData(listed).toString() : typed;
  const QString uuid = m_run->currentData().toString(), name = m_run->currentText();
  const QPointer<AttentionDialog> self(this);
  m_job = m_parts.jobs->start<bool>(
      tr("Importing attention"), {},
      [project = toUtf8(m_parts.project), uuid, state = toUtf8(state),
       part = toUtf8(m_part->currentData().toString()),
       brought = m_brought](Progress&, const StopToken&) -> Result<bool> {
        FATHOM_CHECK(storeFor(project, uuid, state, part, *brought));
        return true;
      },
      [self, uuid, name](const Result<bool>& done) {
        if (!self) return;
        if (!done.ok()) {
          self->say(self->inFieldWords(phraseText(done.error().phrase())), true);
          return self->showParts();
        }
        Q_EMIT self->imported(uuid, name);
        self->accept();
      });
  showParts();
}

void AttentionDialog::reject() {
  if (m_parts.jobs.isNull() || !m_parts.jobs->isRunning(m_look)) return QDialog::reject();
  m_parts.jobs->cancel(m_look);
  say(tr("Reading was cancelled."), false);
  showParts();
}

}  // namespace fathom
