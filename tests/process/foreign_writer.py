# SPDX-License-Identifier: Apache-2.0
"""A training script that logs `loss` with a program of the field, a step every 0.3 seconds, and says when it did:
    foreign_writer.py WRITER FOLDER STEPS
WRITER: fathom, pytorch, summary_writer, wandb, trackio, trainer, lightning. `step N TIME` (seconds since 1970) after each."""
import os
import sys
import time

GAP = 0.3


def said(step):
    print("step %d %.6f" % (step, time.time()), flush=True)


def loss_at(step):
    return 1.0 / step


def loop(log, steps):
    for step in range(1, steps + 1):
        log(step)
        said(step)
        time.sleep(GAP)


def as_wandb(folder, steps):
    """As most scripts look: a plain loop, and one changed line."""
    import fathom as wandb
    run = wandb.init(project=folder, name="module", config={"lr": 0.1})
    loop(lambda step: wandb.log({"loss": loss_at(step)}, step=step), steps)
    run.finish()


def pytorch(folder, steps):
    """A plain loop of PyTorch, written for W&B; the first line is what was changed. The loss is a tensor with a graph."""
    import fathom as wandb
    import torch
    torch.manual_seed(1)
    wandb.init(project=folder, name="pytorch", config={"lr": 0.1, "seed": 1})
    model = torch.nn.Linear(4, 1)
    wandb.watch(model, log="all")
    optimizer = torch.optim.SGD(model.parameters(), lr=wandb.config.lr)
    data, target = torch.rand(64, 4), torch.rand(64, 1)
    for step in range(1, steps + 1):
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(model(data), target)
        loss.backward()
        optimizer.step()
        wandb.log({"loss": loss, "val/mse": loss.detach()}, step=step)
        said(step)
        time.sleep(GAP)
    wandb.finish()


def summary_writer(folder, steps):
    from tensorboardX import SummaryWriter
    writer = SummaryWriter(os.path.join(folder, "run"))

    def log(step):
        writer.add_scalar("loss", loss_at(step), step)
        writer.flush()
    loop(log, steps)
    writer.close()


def real_wandb(folder, steps):
    os.environ.update(WANDB_MODE="offline", WANDB_SILENT="true")
    import wandb
    run = wandb.init(project="made", dir=folder, name="real", config={"lr": 0.1})
    loop(lambda step: run.log({"loss": loss_at(step)}, step=step), steps)
    run.finish()


def trackio(folder, steps):
    os.environ.update(TRACKIO_DIR=folder, HF_HUB_OFFLINE="1")
    import trackio
    trackio.init(project="made", name="real", embed=False)
    loop(lambda step: trackio.log({"loss": loss_at(step)}, step=step), steps)
    trackio.finish()


def trainer(folder, steps):
    import torch
    from transformers import Trainer, TrainingArguments
    import fathom

    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = torch.nn.Linear(2, 1)

        def forward(self, x=None, labels=None):
            out = self.layer(x)
            return {"loss": ((out - labels) ** 2).mean(), "logits": out}

    rows = [{"x": torch.tensor([i % 7 / 7.0, 1.0]), "labels": torch.tensor([i % 7 / 7.0])} for i in range(64)]
    arguments = TrainingArguments(output_dir=os.path.join(folder, "out"), max_steps=steps, logging_steps=1, eval_steps=4,
                                  eval_strategy="steps", report_to=[], save_strategy="no", use_cpu=True, disable_tqdm=True,
                                  seed=3)
    Trainer(model=Net(), args=arguments, train_dataset=rows, eval_dataset=rows[:8],
            callbacks=[fathom.FathomCallback(project=folder, name="trainer")]).train()
    said(steps)


def lightning(folder, steps):
    import lightning
    import torch
    import fathom

    class Net(lightning.LightningModule):
        def __init__(self, seed):
            super().__init__()
            self.save_hyperparameters()
            self.layer = torch.nn.Linear(2, 1)

        def error(self, batch):
            return ((self.layer(batch[0]) - batch[1]) ** 2).mean()

        def training_step(self, batch, index):
            loss = self.error(batch)
            self.log("loss", loss)
            return loss

        def validation_step(self, batch, index):
            self.log("val_loss", self.error(batch))

        def configure_optimizers(self):
            return torch.optim.SGD(self.parameters(), lr=0.01)

    data = torch.utils.data.TensorDataset(torch.rand(64, 2), torch.rand(64, 1))
    batches = torch.utils.data.DataLoader(data, batch_size=4)
    lightning.Trainer(max_steps=steps, logger=fathom.FathomLogger(project=folder, name="lightning"),
                      log_every_n_steps=1, val_check_interval=4, accelerator="cpu", enable_progress_bar=False,
                      enable_checkpointing=False).fit(Net(seed=3), batches, batches)
    said(steps)


WRITERS = {"fathom": as_wandb, "pytorch": pytorch, "summary_writer": summary_writer, "wandb": real_wandb,
           "trackio": trackio, "trainer": trainer, "lightning": lightning}
NEEDS = {"fathom": ["json"], "pytorch": ["torch"], "summary_writer": ["tensorboardX"], "wandb": ["wandb"],
         "trackio": ["trackio"], "trainer": ["torch", "transformers", "accelerate"], "lightning": ["torch", "lightning"]}


def main():
    if sys.argv[1] == "--needs":
        for name in NEEDS[sys.argv[2]]:
            __import__(name)
        return
    os.environ.setdefault("FATHOM_SILENT", "1")
    WRITERS[sys.argv[1]](sys.argv[2], int(sys.argv[3]))


if __name__ == "__main__":
    main()
