// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/config_diff_model.h"

#include <QFont>
#include <QRegularExpression>

#include "views/look/engine_text.h"

namespace fathom {

namespace {

QString settingText(const Json& config, const std::string& key) {
  if (!config.contains(key)) return QStringLiteral("–");
  const Json& value = config[key];
  return value.is_string() ? fromUtf8(value.get<std::string>()) : fromUtf8(value.dump());
}

// Files are told apart by the ends of their paths.
QString shortPath(const QString& text) {
  constexpr qsizetype kFolders = 2;
  if (!text.startsWith(QLatin1Char('/')) || text.count(QLatin1Char('/')) <= kFolders) return text;
  return QStringLiteral("…/") + text.section(QLatin1Char('/'), -kFolders);
}

// A path is one word for whoever breaks lines: it may be broken behind its folders and inside long names.
QString breakable(QString text) {
  if (!text.contains(QLatin1Char('/'))) return text;
  static const QRegularExpression kEnd(QStringLiteral("([/._-])"));
  return text.replace(kEnd, QStringLiteral("\\1\u200B"));
}

}  // namespace

QString ConfigDiffModel::rowText(int row) const {
  if (row < 0 || row >= m_shown.size()) return {};
  const Line& line = m_lines[m_shown[row]];
  return QStringList{line.title, line.left, line.right}.join(QLatin1Char('\t'));
}

void ConfigDiffModel::setConfigs(const QString& leftName, const Json& left, const QString& rightName,
                                 const Json& right, const OptionSchema* schema) {
  beginResetModel();
  m_leftName = leftName;
  m_rightName = rightName;
  m_lines.clear();
  m_differences = 0;
  const auto add = [&](const std::string& key) {
    const OptionField* field = schema != nullptr ? schema->find(key) : nullptr;
    Line line;
    line.key = fromUtf8(key);
    line.title = field != nullptr ? engineText(field->title) : line.key;
    line.left = settingText(left, key);
    line.right = settingText(right, key);
    line.differs = line.left != line.right;
    line.shownLeft = shortPath(line.left);
    line.shownRight = shortPath(line.right);
    if (line.differs && line.shownLeft == line.shownRight) {
      line.shownLeft = line.left;
      line.shownRight = line.right;
    }
    m_differences += line.differs ? 1 : 0;
    m_lines.append(line);
  };
  for (const auto& [key, value] : left.items()) add(key);
  for (const auto& [key, value] : right.items())
    if (!left.contains(key)) add(key);
  choose();
  endResetModel();
}

void ConfigDiffModel::clear() {
  setConfigs({}, Json::object(), {}, Json::object(), nullptr);
}

void ConfigDiffModel::setOnlyDifferences(bool only) {
  if (only == m_onlyDifferences) return;
  replaceTable([&] {
    m_onlyDifferences = only;
    choose();
  });
}

void ConfigDiffModel::choose() {
  m_shown.clear();
  for (int i = 0; i < m_lines.size(); ++i)
    if (!m_onlyDifferences || m_lines[i].differs) m_shown.append(i);
}

QVariant ConfigDiffModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const Line& line = m_lines[m_shown[index.row()]];
  switch (role) {
    case Qt::DisplayRole:
      return index.column() == 0 ? line.title
                                 : breakable(index.column() == 1 ? line.shownLeft : line.shownRight);
    case Qt::ToolTipRole:
      return QStringLiteral("%1\n%2 → %3").arg(line.key, line.left, line.right);
    case Qt::FontRole: {
      QFont font;
      font.setBold(line.differs && !m_onlyDifferences);
      return line.differs && !m_onlyDifferences ? QVariant(font) : QVariant();
    }
    case DiffersRole:
      return line.differs;
    case KeyRole:
      return line.key;
    default:
      return {};
  }
}

QString ConfigDiffModel::title(int column) const {
  return column == 0 ? tr("Option") : column == 1 ? m_leftName : m_rightName;
}

QVariant ConfigDiffModel::headerData(int section, Qt::Orientation orientation, int role) const {
  return TableModel::headerData(section, orientation, role == Qt::ToolTipRole ? int(Qt::DisplayRole) : role);
}

}  // namespace fathom
