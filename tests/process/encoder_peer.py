# SPDX-License-Identifier: Apache-2.0
"""What transformers makes of exported encoders: `encoder_peer.py FOLDER TEXT TEXT` prints one JSON object.

{"class", "size", "ids": of the first text, "pair": of both, "mask", "types", "logits": of the pair (16 at most), where torch is}"""
import json
import os
import sys

os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
import transformers  # noqa: E402

folder, first, second = sys.argv[1:]
tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
pair = tokenizer(first, second)
config = transformers.AutoConfig.from_pretrained(folder)
said = {
    "class": config.architectures[0], "size": len(tokenizer), "mask": tokenizer.mask_token_id,
    "longest": tokenizer.model_max_length, "labels": config.id2label, "problem": config.problem_type,
    "ids": tokenizer(first, add_special_tokens=False)["input_ids"],
    "pieces": tokenizer.tokenize(first), "pair": pair["input_ids"], "types": pair.get("token_type_ids"),
}
try:
    import torch
except ImportError as error:
    said["no_torch"] = str(error)
else:
    model = getattr(transformers, said["class"])
    model, loading = model.from_pretrained(folder, output_loading_info=True)
    said["loading"] = {key: sorted(str(one) for one in names) for key, names in loading.items()
                       if key in ("missing_keys", "unexpected_keys", "mismatched_keys")}
    inputs = {key: torch.tensor([value]) for key, value in pair.items()}
    if said["class"].endswith("ForMultipleChoice"):
        inputs = {key: value[None] for key, value in inputs.items()}
    with torch.no_grad():
        said["logits"] = model.eval()(**inputs)[0].double().flatten().tolist()[:16]
print(json.dumps(said))
