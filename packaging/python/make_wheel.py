# SPDX-License-Identifier: Apache-2.0
"""A wheel is a zip file with three files of metadata; see build.sh."""

import base64
import hashlib
import os
import re
import sys
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
LICENCE = os.path.join(HERE, "..", "..", "LICENSES", "Apache-2.0.txt")

METADATA = """Metadata-Version: 2.1
Name: fathom-run
Version: {version}
Summary: Writes the run of any training program as a run folder of Fathom, live
License: Apache-2.0
Requires-Python: >=3.8
Classifier: License :: OSI Approved :: Apache Software License
Classifier: Operating System :: POSIX
Classifier: Programming Language :: Python :: 3

{text}
"""

WHEEL = """Wheel-Version: 1.0
Generator: fathom
Root-Is-Purelib: true
Tag: py3-none-any
"""


def main(folder):
    with open(os.path.join(HERE, "fathom.py"), encoding="utf-8") as file:
        source = file.read()
    version = re.search(r'^__version__ = "([^"]+)"$', source, re.MULTILINE).group(1)
    text = re.search(r'"""(.*?)"""', source, re.DOTALL).group(1)
    with open(LICENCE, encoding="utf-8") as file:
        licence = file.read()
    info = "fathom_run-%s.dist-info/" % version
    files = {"fathom.py": source, info + "METADATA": METADATA.format(version=version, text=text),
             info + "LICENSE": licence, info + "WHEEL": WHEEL}
    record = []
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content.encode("utf-8")).digest()).rstrip(b"=").decode("ascii")
        record.append("%s,sha256=%s,%d\n" % (name, digest, len(content.encode("utf-8"))))
    files[info + "RECORD"] = "".join(record) + info + "RECORD,,\n"
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "fathom_run-%s-py3-none-any.whl" % version)
    with zipfile.ZipFile(path + ".tmp", "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            wheel.writestr(entry, content)
    os.replace(path + ".tmp", path)
    print(path)


if __name__ == "__main__":
    main(sys.argv[1])
