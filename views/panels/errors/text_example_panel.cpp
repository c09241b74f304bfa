// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/errors/text_example_panel.h"

#include <QAbstractTextDocumentLayout>
#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QSplitter>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "core/review/text_difference.h"
#include "views/look/engine_text.h"
#include "views/look/theme.h"
#include "views/panels/errors/judgement_bar.h"
#include "views/panels/errors/judgement_history.h"
#include "views/panels/errors/note_lines.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"
#include "views/panels/widgets/elided_label.h"
#include "views/panels/widgets/help_text.h"
#include "views/panels/widgets/natural_split.h"
#include "views/tables/prediction_table_model.h"

namespace fathom {

namespace {

constexpr std::size_t kMostShownBytes = std::size_t{200} << 10;  // of one text
constexpr const char* kGoldStyle = "background-color:%1";
constexpr const char* kEvidenceStyle = "font-style:italic";                   // supports the answer
constexpr const char* kPredictedEvidenceStyle = "text-decoration:underline";  // the model says so
constexpr const char* kPredictedStyle = "text-decoration:underline;font-weight:600;color:%1";

struct MarkedSpan {
  TextSpan span;
  QString style;
};

QString escaped(std::string_view text) {
  return fromUtf8(std::string(text)).toHtmlEscaped().replace(QLatin1Char('\n'), QLatin1String("<br>"));
}

// The shown part of a text that is too long: the part around its first mark, so that an answer is in view.
TextSpan shownPart(const std::string& text, const std::vector<MarkedSpan>& marks) {
  if (text.size() <= kMostShownBytes) return {0, text.size()};
  const auto first =
      std::find_if(marks.begin(), marks.end(), [](const MarkedSpan& mark) { return !mark.span.empty(); });
  const std::size_t middle = first == marks.end() ? 0 : first->span.begin;
  const auto whole = [&text](std::size_t at) {  // of a character
    while (at > 0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) --at;
    return at;
  };
  const std::size_t before = std::min(middle, kMostShownBytes / 2);
  const std::size_t begin = std::min(middle - before, text.size() - kMostShownBytes);
  return {whole(begin), whole(begin + kMostShownBytes)};
}

// A text with spans in styles of their own; where they overlap, both count.
QString markedHtml(const std::string& text, const std::vector<MarkedSpan>& marks) {
  const TextSpan shown = shownPart(text, marks);
  std::vector<std::size_t> cuts = {shown.begin, shown.end};
  for (const MarkedSpan& mark : marks)
    for (const std::size_t at : {mark.span.begin, mark.span.end})
      cuts.push_back(std::clamp(at, shown.begin, shown.end));
  std::sort(cuts.begin(), cuts.end());
  QString html;
  if (shown.begin > 0) html = QStringLiteral("… ");
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    if (cuts[i] == cuts[i + 1]) continue;
    QStringList styles;
    for (const MarkedSpan& mark : marks)
      if (mark.span.begin <= cuts[i] && mark.span.end >= cuts[i + 1]) styles.append(mark.style);
    const QString piece = escaped(std::string_view(text).substr(cuts[i], cuts[i + 1] - cuts[i]));
    html += styles.isEmpty()
                ? piece
                : QStringLiteral("<span style=\"%1\">%2</span>").arg(styles.join(QLatin1Char(';')), piece);
  }
  if (shown.end < text.size()) html += QStringLiteral(" …");
  return html;
}

QString heading(const QString& title, const Theme& theme) {
  return QStringLiteral("<p style=\"margin:8px 0 2px 0;color:%1\">%2</p>")
      .arg(theme.secondary.name(), title.toHtmlEscaped());
}

}  // namespace

TextExamplePanel::TextExamplePanel(ReviewedPredictions* review, QWidget* parent)
    : QWidget(parent),
      m_review(review),
      m_head(new ElidedLabel({}, this)),
      m_headButtons(new QHBoxLayout),
      m_bar(new JudgementBar(review, this)),
      m_sides(new QSplitter(Qt::Horizontal, this)),
      m_text(new HelpText(this)),
      m_pinnedText(new HelpText(this)),
      m_verdict(wrappedLabel(this)),
      m_notes(new NoteLines(review, this)),
      m_history(new JudgementHistory(review, this)) {
  m_text->setAccessibleName(tr("Example"));
  m_pinnedText->setObjectName(QStringLiteral("pinnedExample"));
  m_pinnedText->setAccessibleName(tr("Pinned example"));
  for (HelpText* browser : {m_text, m_pinnedText}) {
    browser->setOpenLinks(false);
    browser->setFrameShape(QFrame::NoFrame);
    m_sides->addWidget(browser);
  }
  m_sides->setChildrenCollapsible(false);
  m_pinnedText->hide();
  auto* split = new QSplitter(Qt::Vertical, this);
  QWidget* bottom = makeBottom();
  fillSplitter(split, {{m_sides, 3}, {bottom, 2}}, {420, 210});
  // What was judged lies right below the text, whatever its length, and has the lines that it needs.
  m_split = new NaturalSplit(
      split,
      [this, split, bottom] {
        const int below = bottom->layout()->minimumHeightForWidth(split->width()) + split->handleWidth();
        return qMin(int(m_text->document()->size().height()) + 2 * metrics::kMargin, split->height() - below);
      },
      {.least = 0.15, .most = 0.7});
  connect(m_text->document()->documentLayout(), &QAbstractTextDocumentLayout::documentSizeChanged, m_split,
          &NaturalSplit::refresh);
  auto* line = makeRow({{m_head, 1}, m_headButtons}, metrics::kGrid);
  makeColumn(this, {line, m_bar, {split, 1}}, metrics::kGrid,
             {metrics::kMargin, metrics::kMargin, metrics::kMargin, metrics::kMargin});
  connect(review, &ReviewedPredictions::reviewChanged, this, [this] {
    m_example = m_pinned = -1;
    m_pinnedText->hide();
    m_text->clear();
  });
  connect(review, &ReviewedPredictions::currentChanged, this, &TextExamplePanel::showExample);
  connect(review, &ReviewedPredictions::exampleChanged, this, [this](int example) {
    if (example == m_example) showJudgements();
    if (example == m_pinned) m_pinnedText->setHtml(html(m_pinned));
  });
  connect(m_notes, &NoteLines::failed, this, &TextExamplePanel::failed);
  connect(m_history, &JudgementHistory::failed, this, &TextExamplePanel::failed);
}

QWidget* TextExamplePanel::makeBottom() {
  auto* bottom = new QWidget(this);
  makeColumn(bottom, {m_verdict, m_notes, {m_history, 1}}, metrics::kGrid);
  return bottom;
}

void TextExamplePanel::setActions(const QList<QAction*>& actions) {
  for (QAction* action : actions) {
    auto* made = new QToolButton(this);
    made->setDefaultAction(action);
    made->setAutoRaise(true);
    made->setFocusPolicy(Qt::StrongFocus);
    made->setToolButtonStyle(Qt::ToolButtonTextOnly);
    made->setVisible(action->isVisible());
    connect(action, &QAction::changed, made, [made, action] { made->setVisible(action->isVisible()); });
    m_headButtons->addWidget(made);
  }
}

QString TextExamplePanel::numbersText(int model, int index) const {
  QStringList parts;
  const ReviewVerdict& verdict = m_review->verdict(model, index);
  const auto& numbers = m_review->kind().numbers;
  for (std::size_t n = 0; n < numbers.size(); ++n) {
    const auto value = double{verdict.numbers[n]};
    if (!std::isnan(value))
      parts.append(
          QStringLiteral("%1\u00A0%2")
              .arg(phraseText(numbers[n].title), QLocale().toString(value, 'f', numbers[n].decimals)));
  }
  return parts.join(QStringLiteral(" · "));
}

QString TextExamplePanel::textsHtml(const ReviewExample& example, int index) const {
  const Theme& theme = Theme::of(palette());
  const int current = qMax(0, m_review->currentModel());
  QColor gold = theme.finished;
  gold.setAlpha(90);
  QString html;
  const auto& texts = m_review->review().gold.texts;
  for (std::size_t t = 0; t < example.texts.size() && t < texts.size(); ++t) {
    if (example.texts[t].empty()) continue;
    std::vector<MarkedSpan> marks;
    if (t == 0) {
      for (const TextSpan& span : example.marks)
        marks.push_back({span, QString::fromLatin1(kGoldStyle).arg(gold.name(QColor::HexArgb))});
      const ReviewOutput& output = m_review->output(current, index);
      for (const std::size_t fact : example.evidence)
        marks.push_back({example.sentences[fact].span, QString::fromLatin1(kEvidenceStyle)});
      for (const std::size_t fact : output.evidence)
        marks.push_back({example.sentences[fact].span, QString::fromLatin1(kPredictedEvidenceStyle)});
      const auto places = m_review->kind().places;
      std::vector<TextSpan> predicted;
      if (places != nullptr) predicted = places(example, output);
      if (!output.mark.empty()) predicted.push_back(output.mark);
      for (const TextSpan& span : predicted)
        marks.push_back({span, QString::fromLatin1(kPredictedStyle).arg(theme.run(current).name())});
    }
    // QTextDocument knows no alpha in style sheets: mixed with the page by hand.
    QString body = markedHtml(example.texts[t], marks);
    const QColor page = palette().color(QPalette::Base);
    const QColor mixed((gold.red() * 90 + page.red() * 165) / 255,
                       (gold.green() * 90 + page.green() * 165) / 255,
                       (gold.blue() * 90 + page.blue() * 165) / 255);
    body.replace(gold.name(QColor::HexArgb), mixed.name());
    html += heading(phraseText(texts[t].title), theme) + QStringLiteral("<div>%1</div>").arg(body);
  }
  return html;
}

// A … Z, AA …, as predictions name them.
static QString optionLetters(std::size_t option) {
  const QString last(QChar(u'A' + char16_t(option % 26)));
  return option < 26 ? last : QChar(u'A' + char16_t(option / 26 - 1)) + last;
}

QString TextExamplePanel::optionsHtml(const ReviewExample& example, int index) const {
  if (example.options.empty()) return {};
  const Theme& theme = Theme::of(palette());
  // Whose choice a column is: by the letter of the table, not by colour alone.
  QString rows = QStringLiteral("<td></td><td></td>");
  for (int m = 0; m < m_review->models(); ++m)
    rows += QStringLiteral("<td align=\"right\" style=\"color:%1\">&nbsp;%2</td>")
                .arg(theme.run(m).name(), PredictionTableModel::modelLetter(m));
  rows = QStringLiteral("<tr>%1</tr>").arg(rows);
  for (std::size_t k = 0; k < example.options.size(); ++k) {
    const bool right = int(k) == example.label;
    QString cells = QStringLiteral("<td><b>%1%2</b>&nbsp;</td><td>%3</td>")
                        .arg(optionLetters(k))
                        .arg(right ? QStringLiteral(" ✓") : QString())
                        .arg(right ? QStringLiteral("<b>%1</b>").arg(escaped(example.options[k]))
                                   : escaped(example.options[k]));
    for (int m = 0; m < m_review->models(); ++m) {
      const ReviewOutput& output = m_review->output(m, index);
      QString cell = output.label == int(k) ? QStringLiteral("●") : QString();
      if (k < output.scores.size())
        cell += QStringLiteral(" %1").arg(QLocale().toString(double{output.scores[k]}, 'f', 3));
      cells += QStringLiteral("<td align=\"right\" style=\"color:%1\">&nbsp;%2</td>")
                   .arg(theme.run(m).name(), cell);
    }
    rows += QStringLiteral("<tr>%1</tr>").arg(cells);
  }
  return heading(tr("Options"), theme) + QStringLiteral("<table cellpadding=\"2\">%1</table>").arg(rows);
}

QString TextExamplePanel::answersHtml(const ReviewExample& example, int index) const {
  const Theme& theme = Theme::of(palette());
  QString html;
  QStringList golds;
  for (const std::string& reference : example.references)
    if (const QString each = escaped(reference); !golds.contains(each)) golds.append(each);
  if (golds.isEmpty())
    golds.append(QStringLiteral("<i>%1</i>").arg(example.scored ? tr("no answer") : tr("not known")));
  const QString left =
      heading(tr("Gold"), theme) + QStringLiteral("<div>%1</div>").arg(golds.join(QStringLiteral("<br>")));
  const std::string gold = example.references.empty() ? std::string() : example.references.front();
  for (int m = 0; m < m_review->models(); ++m) {
    const ReviewOutput& output = m_review->output(m, index);
    const bool right = m_review->isRight(m, index);
    std::vector<MarkedSpan> marks;
    const auto wrongParts = m_review->kind().wrongParts;
    if (!right || wrongParts != nullptr)  // of several parts some are wrong beside one that is right
      for (const TextSpan& span :
           wrongParts != nullptr ? wrongParts(example, output) : differingWords(output.text, gold))
        marks.push_back({span, QString::fromLatin1(kPredictedStyle).arg(theme.failed.name())});
    QString title = QStringLiteral("%1  %2 — %3")
                        .arg(PredictionTableModel::modelLetter(m), m_review->modelName(m),
                             m_review->categoryTitle(m_review->category(m, index)));
    if (const QString numbers = numbersText(m, index); !numbers.isEmpty())
      title += QStringLiteral(" · ") + numbers;
    QString body = markedHtml(output.text, marks);
    if (output.text.empty())
      body = QStringLiteral("<i>%1</i>").arg(output.given ? tr("no answer") : tr("(no prediction)"));
    html += heading(title, theme) + QStringLiteral("<div style=\"margin-left:8px\">%1 %2</div>")
                                        .arg(right ? QStringLiteral("✓") : QStringLiteral("✗"), body);
  }
  // Gold stands left of what was predicted, as with queries.
  return QStringLiteral(
             "<table width=\"100%\" cellpadding=\"0\"><tr><td width=\"40%\">%1</td>"
             "<td width=\"60%\">%2</td></tr></table>")
      .arg(left, html);
}

QString TextExamplePanel::html(int index) const {
  const ReviewExample& example = m_review->example(index);
  return textsHtml(example, index) + optionsHtml(example, index) + answersHtml(example, index);
}

void TextExamplePanel::showExample() {
  if (m_review->empty() || m_review->currentExample() < 0) {
    m_text->clear();
    return;
  }
  m_example = m_review->currentExample();
  const QString id = fromUtf8(m_review->example(m_example).id);
  m_head->setFullText(id == QString::number(m_example) ? tr("Example %1").arg(m_example)
                                                       : tr("Example %1 — %2").arg(m_example).arg(id));
  if (m_pinned >= 0) m_pinnedText->setHtml(html(m_pinned));
  showJudgements();
}

void TextExamplePanel::showJudgements() {
  const int model = m_review->currentModel();
  if (model < 0) return;
  const QString shown = m_review->categoryTitle(m_review->category(model, m_example));
  const QString program = m_review->categoryTitle(m_review->verdict(model, m_example).category);
  m_verdict->setText(
      m_review->isHuman(model, m_example)
          ? tr("%1: %2, set by hand; the program says %3").arg(m_review->modelName(model), shown, program)
          : tr("%1: %2").arg(m_review->modelName(model), shown));
  m_text->setHtml(html(m_example));
}

void TextExamplePanel::togglePin() {
  m_pinned = m_pinned >= 0 ? -1 : m_example;
  m_pinnedText->setVisible(m_pinned >= 0);
  if (m_pinned >= 0) m_pinnedText->setHtml(html(m_pinned));
}

void TextExamplePanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && m_example >= 0 && !m_review->empty()) showExample();
}

}  // namespace fathom
