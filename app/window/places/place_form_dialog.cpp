// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/places/place_form_dialog.h"

#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>

#include "app/runner/places/place_form.h"
#include "app/window/places/place_lines.h"
#include "core/record/runs/run_config.h"
#include "views/look/engine_text.h"
#include "views/look/theme.h"
#include "views/panels/form/experiment_draft.h"
#include "views/panels/form/option_row.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"

namespace fathom {

namespace {

constexpr int kFormCharacters = 104, kFormLines = 34;
constexpr const char* kUsualLauncher = "ssh";  // what a person adds in a window most often

// A new one, or as the place is.
Status startPlaceDraft(ExperimentDraft& draft, const std::optional<PlaceRecord>& place) {
  RunConfig base;
  base.options[place_key::kLauncher] = place ? place->launcher : std::string(kUsualLauncher);
  return draft.start(base, place ? placeValues(*place).effective() : Json::object());
}

bool hasLines(const OptionField& field) {
  return field.type == OptionType::TextList;
}

}  // namespace

PlaceFormDialog::PlaceFormDialog(const QString& project, const std::optional<PlaceRecord>& place,
                                 QWidget* window)
    : QDialog(window),
      m_project(project),
      m_place(place),
      m_draft(std::make_unique<ExperimentDraft>(placeSchema())),
      m_scroll(new QScrollArea(this)),
      m_message(wrappedLabel(this, QStringLiteral("placeFormMessage"))),
      m_save(new QPushButton(m_place ? tr("Save") : tr("Add"), this)) {
  setObjectName(QStringLiteral("placeForm"));
  setWindowTitle(m_place ? tr("Place “%1”").arg(fromUtf8(m_place->id)) : tr("A new place"));
  setAttribute(Qt::WA_DeleteOnClose);
  (void)startPlaceDraft(*m_draft, m_place).ok();
  m_scroll->setWidgetResizable(true);
  m_scroll->setFrameShape(QFrame::NoFrame);
  m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_scroll->setFocusPolicy(Qt::NoFocus);
  m_scroll->setWidget(makeForm());
  m_scroll->viewport()->setAutoFillBackground(false);
  m_scroll->widget()->setAutoFillBackground(false);
  m_message->hide();
  auto* cancel = new QPushButton(tr("Cancel"), this);
  m_save->setObjectName(QStringLiteral("savePlace"));
  m_save->setProperty("primary", true);
  m_save->setDefault(true);
  auto* bar = makeRow({{m_message, 1}, BoxPart::stretch(), cancel, m_save});
  makeColumn(this, {{m_scroll, 1}, bar}, metrics::kMargin, kStyleMargins);
  connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
  connect(m_save, &QPushButton::clicked, this, &PlaceFormDialog::save);
  connect(m_draft.get(), &ExperimentDraft::judged, this, &PlaceFormDialog::refresh);
  connect(m_draft.get(), &ExperimentDraft::valueChanged, this, [this] { showText(m_message, {}); });
  refresh();
  resize(kFormCharacters * fontMetrics().averageCharWidth(), kFormLines * fontMetrics().height());
}

PlaceFormDialog::~PlaceFormDialog() {
  // A field that loses the focus on its way out still tells the draft, which must be there.
  qDeleteAll(m_rows);
  qDeleteAll(m_lines);
}

QWidget* PlaceFormDialog::makeForm() {
  auto* form = new QWidget(this);
  auto* layout = makeColumn(form, {}, metrics::kGrid);
  QWidgetList stops;
  for (const OptionField& field : m_draft->schema().fields()) {
    if (hasLines(field)) {
      m_lines.append(new PlaceLines(field, m_draft.get(), form));
      layout->addWidget(m_lines.last());
      stops.append(m_lines.last()->editor());
      continue;
    }
    m_rows.append(new OptionRow(field, m_draft.get(), form));
    layout->addWidget(m_rows.last());
    stops += m_rows.last()->tabStops();
  }
  layout->addStretch();
  setTabOrders(stops);
  return form;
}

// Fields of another launcher say nothing; a place that is there keeps its name and its file.
bool PlaceFormDialog::isShown(const QString& key) const {
  const bool fixed = key == QLatin1String(place_key::kName) || key == QLatin1String(place_key::kUser);
  return m_draft->active(key) && !(m_place && fixed);
}

void PlaceFormDialog::refresh() {
  for (OptionRow* row : std::as_const(m_rows)) {
    row->refresh();
    row->setVisible(isShown(row->key()));
  }
  for (PlaceLines* lines : std::as_const(m_lines)) {
    lines->refresh();
    lines->setVisible(isShown(lines->key()));
  }
}

QString PlaceFormDialog::message() const {
  return m_message->text();
}

void PlaceFormDialog::save() {
  for (OptionRow* row : std::as_const(m_rows))
    if (isShown(row->key()) && !m_draft->error(row->key()).isEmpty()) {
      goTo(row->key());
      return;
    }
  const OptionValues& values = m_draft->values();
  const std::string file = m_place                         ? m_place->file
                           : values.flag(place_key::kUser) ? userPlacesFile()
                                                           : placesFile(toUtf8(m_project));
  const auto record = placeFromValues(values, file);
  if (!record.ok()) return tell(record.error());
  showText(m_message, {});
  m_save->setEnabled(false);
  Q_EMIT saveRequested(*record);
}

void PlaceFormDialog::tell(const Error& error) {
  m_save->setEnabled(true);
  const QString key = fromUtf8(error.key);
  QStringList words = {phraseText(error.messagePhrase()), phraseText(error.hintPhrase())};
  words.removeAll(QString());
  if (m_draft->schema().find(error.key) != nullptr && isShown(key)) {
    m_draft->refuse(key, words.join(QStringLiteral(" — ")));
    goTo(key);
    return;
  }
  showText(m_message, phraseText(error.phrase()));
  setTextColour(m_message, Theme::of(palette()).failed);
}

void PlaceFormDialog::remind(const Error& trouble) {
  if (!m_place || !goTo(fromUtf8(m_place->launcher + "." + trouble.key))) return;
  showText(m_message, phraseText(trouble.phrase()));
  setTextColour(m_message, Theme::of(palette()).failed);
}

// False where the form has none.
bool PlaceFormDialog::goTo(const QString& key) {
  QWidget* editor = nullptr;
  for (const OptionRow* row : std::as_const(m_rows))
    if (row->key() == key) editor = row->editor();
  for (const PlaceLines* lines : std::as_const(m_lines))
    if (lines->key() == key) editor = lines->editor();
  if (editor == nullptr) return false;
  editor->setFocus(Qt::OtherFocusReason);
  m_scroll->ensureWidgetVisible(editor);
  return true;
}

}  // namespace fathom
