// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/form/option_help_panel.h"

#include <QEvent>
#include <QTextDocument>

#include "views/look/engine_text.h"
#include "views/look/help_pages.h"
#include "views/look/theme.h"
#include "views/panels/form/experiment_draft.h"
#include "views/panels/form/preset_list.h"
#include "views/panels/widgets/markdown_text.h"

namespace fathom {

namespace {

QString helpNumber(double value) {
  return fromUtf8(jsonNumber(value));
}

QString rangeText(const OptionField& field) {
  const QString low = field.minimum ? helpNumber(*field.minimum) : QString();
  const QString high = field.maximum ? helpNumber(*field.maximum) : QString();
  if (!low.isEmpty() && !high.isEmpty()) {
    return (field.minimumExclusive ? OptionHelpPanel::tr("above %1") : OptionHelpPanel::tr("from %1"))
               .arg(low) +
           QLatin1Char(' ') +
           (field.maximumExclusive ? OptionHelpPanel::tr("below %1") : OptionHelpPanel::tr("up to %1"))
               .arg(high);
  }
  if (!low.isEmpty())
    return (field.minimumExclusive ? OptionHelpPanel::tr("above %1") : OptionHelpPanel::tr("at least %1"))
        .arg(low);
  if (!high.isEmpty())
    return (field.maximumExclusive ? OptionHelpPanel::tr("below %1") : OptionHelpPanel::tr("at most %1"))
        .arg(high);
  return {};
}

QString shownValue(const OptionField& field, const Json& value) {
  for (const OptionChoice& choice : field.choices) {
    if (value == choice.id && !choice.title.empty()) return engineText(choice.title);
  }
  if (field.type == OptionType::Flag && value.is_boolean())
    return value.get<bool>() ? OptionHelpPanel::tr("on") : OptionHelpPanel::tr("off");
  return fromUtf8(optionValueText(field, value));
}

QString row(const QString& name, const QString& value) {
  return QStringLiteral("<tr><td style='padding-right:8px'>%1</td><td>%2</td></tr>")
      .arg(name.toHtmlEscaped(), value.toHtmlEscaped());
}

// Page of the value, else of the work the option is from: a score chain is RealFormer's whatever its value.
QString choicePage(const OptionField& field, const QString& value) {
  const QString page = helpPage(value);
  return page.isEmpty() ? helpPage(fromUtf8(field.reference).section(QLatin1Char(' '), 0, 0).toLower())
                        : page;
}

}  // namespace

OptionHelpPanel::OptionHelpPanel(QWidget* parent) : HelpText(parent) {
  setAccessibleName(tr("What the option in focus means"));
  document()->setDocumentMargin(metrics::kMargin);
}

void OptionHelpPanel::setPresets(const QVector<PresetEntry>& presets) {
  m_presets = presets;
  show(m_draft, m_key);
}

void OptionHelpPanel::show(const ExperimentDraft* draft, const QString& key) {
  m_draft = draft;
  m_key = key;
  if (draft != nullptr && key.isEmpty() && !presetHtml(*draft).isEmpty()) {
    setHtml(presetHtml(*draft));
    return;
  }
  if (draft == nullptr || draft->schema().find(toUtf8(key)) == nullptr) {
    setHtml(QStringLiteral("<p style='color:%1'>%2</p>")
                .arg(Theme::of(palette()).secondary.name(),
                     tr("Go to an option to read what it does and what the papers used.").toHtmlEscaped()));
    return;
  }
  setHtml(optionHtml(*draft));
}

QString OptionHelpPanel::presetHtml(const ExperimentDraft& draft) const {
  for (const PresetEntry& preset : m_presets) {
    if (preset.id != draft.presetId()) continue;
    QString html = QStringLiteral("<p><b>%1</b></p><p>%2</p>")
                       .arg(preset.title.toHtmlEscaped(), preset.description.toHtmlEscaped());
    if (!preset.paper.isEmpty())
      html += QStringLiteral("<p><b>%1</b></p><p>%2</p><p>%3</p>")
                  .arg(tr("What the paper did").toHtmlEscaped(), preset.paper.toHtmlEscaped(),
                       preset.reference.toHtmlEscaped());
    return html;
  }
  return {};
}

QString OptionHelpPanel::optionHtml(const ExperimentDraft& draft) const {
  const OptionField& field = *draft.schema().find(toUtf8(m_key));
  const QString secondary = Theme::of(palette()).secondary.name();
  QString html = QStringLiteral("<p><b>%1</b><br><code style='color:%2'>%3</code></p><p>%4</p>")
                     .arg(engineText(field.title).toHtmlEscaped(), secondary, m_key.toHtmlEscaped(),
                          engineText(field.help).toHtmlEscaped());
  if (const QString unused = draft.inactiveReason(m_key); !unused.isEmpty())
    html += QStringLiteral("<p><i>%1</i></p>").arg(unused.toHtmlEscaped());
  html += QStringLiteral("<table>");
  html += row(tr("Default"), shownValue(field, field.defaultValue));
  if (const QString range = rangeText(field); !range.isEmpty()) html += row(tr("Allowed"), range);
  if (!field.unit.empty()) html += row(tr("Unit"), engineText(field.unit));
  if (field.disablingValue)
    html += row(tr("Off with"), fromUtf8(optionValueText(field, *field.disablingValue)));
  if (!field.reference.empty()) html += row(tr("Described in"), engineText(field.reference));
  html += QStringLiteral("</table>");
  html += presetRows(draft);
  if (field.type == OptionType::Choice) {
    if (const QString page = choicePage(field, draft.text(m_key)); !page.isEmpty()) {
      QTextDocument markdown;
      setMarkdownText(&markdown, page, font());
      html += QStringLiteral("<hr>") + markdown.toHtml();
    }
  }
  return html;
}

QString OptionHelpPanel::presetRows(const ExperimentDraft& draft) const {
  const OptionField& field = *draft.schema().find(toUtf8(m_key));
  QString rows;
  for (const PresetEntry& preset : m_presets) {
    const Json& options = preset.config.options;
    if (!options.contains(field.key) || preset.paper.isEmpty()) continue;
    rows += row(preset.title, shownValue(field, options[field.key]));
  }
  if (rows.isEmpty()) return {};
  return QStringLiteral("<p><b>%1</b></p><table>%2</table>")
      .arg(tr("What the papers did").toHtmlEscaped(), rows);
}

void OptionHelpPanel::changeEvent(QEvent* event) {
  HelpText::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) show(m_draft, m_key);
}

}  // namespace fathom
