# SPDX-License-Identifier: Apache-2.0
"""What transformers makes of exported encoders: `encoder_peer.py TEXT TEXT FOLDER...` prints a JSON object a folder.

{"class", "size", "mask", "longest", "labels", "problem", "ids" and "pieces" of the first text, "pair": of both, "types",
"logits": of the pair (16 at most), or "no_torch"}; {"absent": why} where there is no transformers."""
import json
import os
import sys

os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
try:
    import transformers
except ImportError as error:
    print(json.dumps({"absent": str(error)}))
    sys.exit()
try:
    import torch
except ImportError as error:
    torch, why = None, str(error)


def logits_of(folder, name, pair):
    model, loading = getattr(transformers, name).from_pretrained(folder, output_loading_info=True)
    inputs = {key: torch.tensor([value]) for key, value in pair.items()}
    if name.endswith("ForMultipleChoice"):
        inputs = {key: value[None] for key, value in inputs.items()}
    with torch.no_grad():
        logits = model.eval()(**inputs)[0].double().flatten().tolist()[:16]
    return {"logits": logits, "missing": sorted(str(one) for key in ("missing_keys", "mismatched_keys")
                                                for one in loading.get(key, []))}


def told(folder, first, second):
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    config = transformers.AutoConfig.from_pretrained(folder)
    pair = tokenizer(first, second)
    said = {
        "class": config.architectures[0], "size": len(tokenizer), "mask": tokenizer.mask_token_id,
        "longest": tokenizer.model_max_length, "labels": config.id2label, "problem": config.problem_type,
        "ids": tokenizer(first, add_special_tokens=False)["input_ids"], "pieces": tokenizer.tokenize(first),
        "pair": pair["input_ids"], "types": pair.get("token_type_ids"),
    }
    said.update(logits_of(folder, said["class"], pair) if torch else {"no_torch": why})
    return said


for one in sys.argv[3:]:
    print(json.dumps(told(one, sys.argv[1], sys.argv[2])), flush=True)
