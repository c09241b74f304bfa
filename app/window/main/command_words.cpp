// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main/command_words.h"

#include <QCoreApplication>
#include <QHash>

#include "app/command.h"

namespace fathom {

namespace {

// Actions that do what a command of the shell does: who looks for the command by its title finds the
// action.
constexpr struct {
  const char* action;
  const char* command;
} kWays[] = {{"file.sample", "open-sample"},
             {"file.new", "new-project"},
             {"file.import", "import-run"},
             {"file.import_attention", "import-attention"},
             {"run.script", "train-script"},
             {"file.sources", "sources"},
             {"file.clean", "clean"},
             {"run.new", "train"},
             {"run.new", "trainability"},
             {"run.grid", "grid"},
             {"run.data", "data"},
             {"run.data", "spider-link"},
             {"run.compare", "compare"},
             {"run.archive", "export-run"},
             {"run.restore", "restore"},
             {"run.trash", "delete"},
             {"attention.compute", "analyse"},
             {"attention.export", "export-figure"},
             {"errors.open", "spider-evaluate"},
             {"errors.open", "spider-categorize"},
             {"errors.open", "spider-execute"},
             {"errors.open", "spider-compare"},
             {"errors.open", "spider-slices"},
             {"errors.open_kind", "review"},
             {"errors.compare", "spider-compare"},
             {"errors.compare", "spider-slices"},
             {"errors.export_figure", "export-figure"},
             {"errors.sample", "spider-sample"},
             {"errors.ask", "ask"},
             {"figures.curves", "export-figure"},
             {"figures.export", "export-figure"}};

// In English and in the language of the window.
QString titlesOf(const QString& action) {
  QString titles;
  for (const auto& way : kWays) {
    const Command* command = action == QLatin1String(way.action) ? findCommand(way.command) : nullptr;
    if (command == nullptr) continue;
    titles += QLatin1Char(' ') + QString::fromStdString(command->title) + QLatin1Char(' ') +
              QCoreApplication::translate("Command", command->title.c_str());
  }
  return titles;
}

}  // namespace

QString commandWords(const QString& id) {
  static const QHash<QString, QString> words = [] {
    QHash<QString, QString> made;
    const auto add = [&made](const char* action, const char* text) {
      made.insert(QString::fromLatin1(action), QString::fromUtf8(text));
    };
    add("file.new", "create project folder 新建 项目 创建");
    add("file.open", "load project folder 打开 项目");
    add("file.sample", "demo example tutorial 示例 演示");
    add("file.import", "load tensorboard wandb mlflow trackio csv log 导入 日志");
    add("file.import_follow", "watch live tensorboard wandb mlflow trackio 跟踪 导入");
    add("file.export", "save as pdf svg png latex pgf csv figure picture 导出 图 保存");
    add("file.clean", "disk space free delete old checkpoints trash 磁盘 空间 清理 删除");
    add("file.window", "second window 新窗口");
    add("file.close", "exit 关闭");
    add("file.quit", "exit leave 退出");
    add("edit.undo", "take back revert 撤销");
    add("edit.redo", "again 重做");
    add("edit.cut", "剪切");
    add("edit.copy", "clipboard 复制 剪贴板");
    add("edit.paste", "insert clipboard 粘贴");
    add("edit.all", "mark everything 全选");
    add("edit.filter", "find search look for 查找 搜索 筛选");
    add("view.palette", "all actions 命令");
    add("view.curves", "charts plots loss 曲线 图表");
    add("view.reset", "default panels docks 恢复 布局");
    add("view.larger", "zoom in font bigger text 放大 字体");
    add("view.smaller", "zoom out font text 缩小 字体");
    add("view.usual_size", "zoom 100 font reset 字体 默认");
    add("view.full", "fullscreen maximise maximize 全屏");
    add("theme.dark", "night mode colours colors 深色 夜间 主题");
    add("theme.light", "day mode bright colours colors 浅色 主题");
    add("theme.system", "automatic colours colors 跟随系统 主题");
    add("theme.contrast", "accessibility black white 高对比度 主题");
    add("run.new", "train start launch experiment 训练 开始 新建");
    add("run.grid", "sweep search hyperparameters seeds 网格 搜索 超参数 种子");
    add("run.script", "python program command own train start hugging face 脚本 命令 程序 训练");
    add("run.data", "dataset corpus preview 数据");
    add("run.stop", "end finish pause interrupt 停止 暂停");
    add("run.abort", "kill cancel terminate 中止 终止");
    add("run.checkpoint", "save weights now 保存 检查点");
    add("run.resume", "continue go on 继续 恢复");
    add("run.retry", "again restart rerun 重试 重新");
    add("run.clone", "copy duplicate settings 克隆 复制");
    add("run.compare", "diff difference side by side 对比 比较 差异");
    add("run.rename", "name title 重命名");
    add("run.tags", "label mark 标签");
    add("run.notes", "comment description 笔记 备注");
    add("run.star", "favourite favorite bookmark 收藏 星标");
    add("run.archive", "hide 归档 隐藏");
    add("run.trash", "delete remove 删除 回收站");
    add("file.import_attention", "load numpy npy safetensors arrays transformers 导入 注意力");
    add("run.restore", "undelete trash bring back 恢复 回收站 删除");
    add("figures.curves", "export save picture pdf chart training curve 导出 曲线 图");
    add("file.sources", "watch follow pause tensorboard wandb 跟踪 来源 暂停");
    add("file.places",
        "host cluster ssh slurm machine server remote check prepare 主机 集群 服务器 远程 地点");
    add("run.retry_at", "again restart rerun host cluster 重试 别处");
    add("run.unfollow", "pause watching source 停止 跟踪");
    add("run.withdraw", "remove from queue dequeue 撤回 队列");
    add("run.reveal", "folder directory file manager 文件夹 目录");
    add("run.copy", "path clipboard 复制 路径");
    add("run.predictions", "outputs errors answers 预测");
    add("attention.compute", "analyse analyze entropy 计算 分析");
    add("attention.export", "save picture pdf 导出 图");
    add("attention.play", "animate animation training 播放");
    add("errors.compare", "systems models significance 比较 对比");
    add("errors.open", "load predictions file 打开 预测");
    add("errors.open_kind", "load predictions file 打开 预测");
    add("errors.export_figure", "save picture pdf chart 导出 图");
    add("errors.export_table", "save csv latex spreadsheet 导出 表格");
    add("errors.note", "comment remark 笔记 备注");
    add("errors.ask", "try question demo inference 提问");
    add("figures.new", "page paper create 新建 页面");
    add("figures.add", "insert chart plot panel 添加 图");
    add("figures.export", "save pdf svg png tex 导出");
    add("figures.print", "paper printer pdf 打印 纸");
    add("figures.copy", "clipboard picture 复制");
    add("figures.delete", "remove page 删除");
    add("figures.duplicate", "copy page 复制 副本");
    add("figures.regenerate", "refresh update reload 刷新 更新");
    add("figures.gray", "grayscale greyscale black white colour blind 灰度 色盲");
    add("engine.refresh", "reload restart engine 引擎 刷新");
    add("help.pages", "manual documentation docs guide 帮助 手册 文档");
    add("help.here", "manual explain 帮助 说明");
    add("help.keys", "shortcuts keyboard hotkeys 快捷键 键盘");
    add("help.steps", "tutorial getting started 入门 教程");
    add("help.news", "changelog release version 更新 日志 版本");
    add("help.about", "version licence license engine 关于 版本");
    return made;
  }();
  return words.value(id) + titlesOf(id);
}

}  // namespace fathom
