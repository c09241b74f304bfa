# SPDX-License-Identifier: Apache-2.0
"""What tst_attention_capture asks of transformers and fathom.py.

    captured_attention.py capture RUN MODEL BATCH   looks into a model of a fixture; prints what changed of the model
    captured_attention.py loop RUN MODEL BATCH      two checkpoints of it in one call
    captured_attention.py texts RUN MODEL TEXTS     a BERT that reads these sentences (a JSON list), all of their rows;
                                                    where it is not there, one of random weights with a vocabulary of them
    captured_attention.py windows RUN MODEL BATCH   Longformer and LED of random weights, against all pairs under a mask
    captured_attention.py odd RUN MODEL BATCH       a model whose attention is given an argument that nobody knows
    captured_attention.py versions
"""

import json
import os
import sys
import types

os.environ["HF_HUB_OFFLINE"] = "1"

import torch  # noqa: E402
import transformers  # noqa: E402

transformers.logging.set_verbosity_error()

import fathom  # noqa: E402


def tensors(batch):
    return {name: torch.tensor(value) for name, value in batch.items() if name != "tokens"}


def state(model):
    modes = [module.training for module in model.modules()]
    return {"implementation": model.config._attn_implementation, "training": modes}


def capture(run, folder, batch):
    """Half of the module tree stays in training mode, as a person may have left it."""
    model = fathom._load_model(folder).eval()
    with torch.no_grad():
        before = model(**tensors(batch))[0]
    list(model.children())[0].training = True
    was = state(model)
    during = []
    hook = model.register_forward_hook(lambda module, inputs, outputs: during.append(outputs[0]))
    results = fathom.capture(model, [dict(batch)], run=run, checkpoint=40, maps=len(batch["input_ids"]), strict=True)
    hook.remove()
    unchanged = state(model) == was
    model.eval()
    with torch.no_grad():
        after = model(**tensors(batch))[0]
    sampled = [fathom.capture(model, [dict(batch)] * 2, run=run, checkpoint=50 + 10 * n, rows=7, seed=seed, strict=True)
               for n, seed in enumerate((3, 3, 4))]
    texts = [open(each["attention_entropy"] + "/result.json").read() for each in sampled]
    return {"results": results, "unchanged": unchanged, "after": float((after - before).abs().max()),
            "during": max(float((each - before).abs().max()) for each in during),
            "same_seed": texts[0] == texts[1], "other_seed": texts[0] == texts[2],
            "sampled": json.loads(texts[0])["attentions"][0]["layers"][0][0]["count"]}


def loop(run, folder, batch):
    model = fathom._load_model(folder)
    place = os.path.join(run, "artifacts")
    for step in (200, 30):
        model.save_pretrained(os.path.join(place, "checkpoint-%d" % step))
    return {"states": list(fathom.capture(os.path.join(place, "checkpoint-*"), [dict(batch)], run=run, strict=True))}


def texts(run, folder, sentences):
    if not os.path.exists(folder):
        make_tiny(folder, sentences)
    tokenizer = transformers.BertTokenizer(os.path.join(folder, "vocab.txt"), do_lower_case=True)
    model = transformers.BertModel.from_pretrained(folder)
    batches = [dict(tokenizer(sentences[first:first + 3], padding=True, return_tensors="pt"))
               for first in range(0, len(sentences), 3)]
    return {"results": fathom.capture(model, batches, run=run, checkpoint=40, rows=None, strict=True)}


def make_tiny(folder, sentences):
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"] + sorted(set(" ".join(sentences).split()))
    torch.manual_seed(1)
    model = transformers.BertModel(transformers.BertConfig(
        vocab_size=len(words), hidden_size=32, num_hidden_layers=3, num_attention_heads=4, intermediate_size=64,
        max_position_embeddings=64, initializer_range=0.4))
    model.save_pretrained(folder)
    with open(os.path.join(folder, "vocab.txt"), "w", encoding="utf-8") as file:
        file.write("\n".join(words) + "\n")


def pairs(torch, module, hidden, masked, seen):
    """Attention of a layer with windows as one matrix, [B, H, T, T]."""
    size, heads = hidden.shape[1], module.num_heads

    def scores(query, key):
        split = [each(hidden).view(len(hidden), size, heads, -1).transpose(1, 2) for each in (query, key)]
        return split[0] @ split[1].transpose(2, 3) / split[0].shape[-1] ** 0.5

    at = torch.arange(size)
    near = (at[:, None] - at[None]).abs() <= module.one_sided_attn_window_size
    hidden_keys = masked[:, None, None]
    shown = (near | seen[:, None, None]) & ~hidden_keys
    own = scores(module.query, module.key).masked_fill(~shown, float("-inf")).softmax(-1)
    of_all = scores(module.query_global, module.key_global).masked_fill(hidden_keys, float("-inf")).softmax(-1)
    return torch.where(seen[:, None, :, None], of_all, own)


def windowed_models():
    common = {"vocab_size": 50, "pad_token_id": 1, "initializer_range": 0.5, "init_std": 0.5}
    torch.manual_seed(3)
    yield transformers.LongformerModel(transformers.LongformerConfig(
        hidden_size=16, num_hidden_layers=3, num_attention_heads=2, intermediate_size=32, max_position_embeddings=64,
        attention_window=[4, 4, 8], **common))
    yield transformers.LEDModel(transformers.LEDConfig(
        d_model=16, encoder_layers=3, decoder_layers=2, encoder_attention_heads=2, decoder_attention_heads=2,
        encoder_ffn_dim=32, decoder_ffn_dim=32, max_encoder_position_embeddings=64, max_decoder_position_embeddings=64,
        attention_window=[4, 4, 8], **common))


def windows(run, folder, batch):
    """The second example is padded and has two tokens that all see; 13 tokens are no multiple of any window."""
    ids = torch.randint(2, 50, (2, 13), generator=torch.Generator().manual_seed(5))
    mask, seen = torch.ones_like(ids), torch.zeros_like(ids)
    mask[1, 9:], seen[0, 0], seen[1, 0], seen[1, 5] = 0, 1, 1, 1
    answer = {}
    for number, model in enumerate(windowed_models()):
        model.eval()
        given = {"input_ids": ids, "attention_mask": mask, "global_attention_mask": seen}
        if model.config.is_encoder_decoder:
            given["decoder_input_ids"] = ids[:, :4]
        layers, real = [], mask.bool()

        def look(module, arguments, named):
            hidden = named["hidden_states"] if "hidden_states" in named else arguments[0]
            layers.append(pairs(torch, module, hidden, named["is_index_masked"], named["is_index_global_attn"])[..., :13, :13])

        hooks = [module.register_forward_pre_hook(look, with_kwargs=True) for module in model.modules()
                 if hasattr(module, "one_sided_attn_window_size")]
        with torch.no_grad():
            model(**given)
        for hook in hooks:
            hook.remove()
        results = fathom.capture(model, [given], run=run, checkpoint=40 + number, maps=2, rows=None, strict=True)
        worst = 0.0
        for name in ("attention_entropy", "attention_jsd"):
            with open(os.path.join(results[name], "result.json"), encoding="utf-8") as file:
                stored = json.load(file)["attentions"][0]
            rows = []
            for low, p in zip([None] + layers[:-1], layers):
                if name == "attention_entropy":
                    rows.append(torch.special.entr(p).sum(-1))
                elif low is not None:
                    both = torch.special.entr((p + low) / 2) - (torch.special.entr(p) + torch.special.entr(low)) / 2
                    rows.append(both.sum(-1) / torch.log(torch.tensor(2.0)))
            for heads, values in zip(stored["layers"], rows):
                for head, of_head in zip(heads, values.transpose(0, 1)):
                    worst = max(worst, abs(head["mean"] - float(of_head[real].mean())))
            worst = max(worst, float(len(rows) != len(stored["layers"])))
        with open(os.path.join(results["attention_entropy"], "result.json"), encoding="utf-8") as file:
            kinds = [each["stack"] + "." + each["kind"] for each in json.load(file)["attentions"]]
        answer[type(model).__name__] = {"worst": worst, "kinds": kinds, "maps": len(results["attention_maps"]),
                                        "logits": "attention_logit" in results}
    return answer


def odd(run, folder, batch):
    class Odd(torch.nn.Module):
        pass

    model = fathom._load_model(folder)
    watch = fathom._Watch(torch, model, [], None, 1, set())
    some = torch.zeros(1, 1, 2, 4)
    said = ""
    try:
        watch.attention(Odd(), some, some, some, None, indexer=torch.zeros(1))
    except fathom._Refused as error:
        said = str(error)
    # Probabilities of a causal model whose padding sees everything.
    rows = torch.tril(torch.ones(1, 2, 4, 4)) / torch.arange(1, 5).reshape(4, 1)
    rows[:, :, 3] = 0.25
    rows[:, :, 2] = 0.25
    watch.begin({"attention_mask": torch.tensor([[1, 1, 0, 0]])}, 0)
    watch.outputs(types.SimpleNamespace(attentions=[rows]))
    return {"said": said, "stacks": [stack for stack, _ in watch.tallies]}


def main():
    if sys.argv[1] == "versions":
        print(json.dumps({"transformers": transformers.__version__}))
        return
    run, folder, batch = sys.argv[2:5]
    with open(batch, encoding="utf-8") as file:
        values = json.load(file)
    print(json.dumps({"capture": capture, "loop": loop, "odd": odd, "texts": texts, "windows": windows}[sys.argv[1]](run, folder, values)))


if __name__ == "__main__":
    main()
