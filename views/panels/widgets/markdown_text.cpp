// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/widgets/markdown_text.h"

#include <QFont>
#include <QFontInfo>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QVector>
#include <tuple>
#include <utility>

namespace fathom {

namespace {
constexpr double kPageTitle = 1.3;
}

void setMarkdownText(QTextDocument* document, const QString& markdown, const QFont& body) {
  document->setDefaultFont(body);
  document->setMarkdown(markdown);
  for (QTextBlock block = document->begin(); block.isValid(); block = block.next()) {
    const int level = block.blockFormat().headingLevel();
    if (level == 0) continue;
    // Taken down first: a changed format makes other fragments.
    QVector<std::tuple<int, int, QTextCharFormat>> parts;
    for (auto each = block.begin(); !each.atEnd(); ++each) {
      QTextCharFormat format = each.fragment().charFormat();
      format.clearProperty(QTextFormat::FontSizeAdjustment);
      format.setFontPointSize(QFontInfo(body).pointSizeF() * (level == 1 ? kPageTitle : 1));
      format.setFontWeight(QFont::DemiBold);
      parts.append({each.fragment().position(), each.fragment().length(), format});
    }
    for (const auto& [position, length, format] : std::as_const(parts)) {
      QTextCursor cursor(document);
      cursor.setPosition(position);
      cursor.setPosition(position + length, QTextCursor::KeepAnchor);
      cursor.setCharFormat(format);
    }
  }
}

}  // namespace fathom
