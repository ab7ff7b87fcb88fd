"""Run ModernBERT's forward pass over a flat matrix of tokens. It gives the numbers of transformers' modules.

The work is done in fewer, larger pieces. Only attention sees texts; everything between two attentions works on (T, d)
rows. That part is one function of tensors, with the layer's weights among its arguments.
So one compiled form of it serves all layers and, since T is fixed, all batches.
Weights are cast once. The residual stream, the norms and the head stay float32, as under autocast.
bfloat16 products were simulated on ModernBERT-base's shape and random weights. Probabilities moved by 3e-4 at most.
With the residual stream in bfloat16 too, they moved by 6e-3, beyond the gate of 2e-3.

Speed on a GPU has not been measured yet: `bench/gpu_iteration.py` measures it.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import gelu, layer_norm, linear, scaled_dot_product_attention
from transformers import PreTrainedModel

from al_worker.core.backends.device import Execution
from al_worker.core.backends.flat_batches import FlatBatch, Group

# cuDNN's attention, which torch may prefer, plans anew for each shape, and there are many lengths here.
KERNELS = [SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH]
LOCAL = "sliding_attention"

Rotary = tuple[torch.Tensor, torch.Tensor]
States = tuple[torch.Tensor, torch.Tensor, torch.Tensor]


class Block(NamedTuple):
    """Hold the weights from the end of one layer's attention to the start of the next one's.

    The last layer has no next.
    """

    out: torch.Tensor
    norm: torch.Tensor
    wide: torch.Tensor
    narrow: torch.Tensor
    next_norm: torch.Tensor | None
    next_qkv: torch.Tensor | None


def between(x: torch.Tensor, attended: torch.Tensor, block: Block, cos: torch.Tensor, sin: torch.Tensor,
            eps: float) -> States:  # fmt: skip
    """Compute the rest of a layer and the start of the next, from one attention to the next.

    `x` is the (T, d) residual stream and `attended` the (T, d) attention.
    Return the stream, (T, 2, heads, d / heads) queries and keys, and (T, heads, d / heads) values.
    """
    x = feed_forward(x, attended, block, eps)
    assert block.next_norm is not None and block.next_qkv is not None
    normed = layer_norm(x, x.shape[-1:], block.next_norm, None, eps)
    return x, *project(normed, block.next_qkv, cos, sin)


def feed_forward(x: torch.Tensor, attended: torch.Tensor, block: Block, eps: float) -> torch.Tensor:
    """Compute the rest of a layer after its attention: output projection, then the gated feed-forward part."""
    x = x + linear(attended, block.out)
    normed = layer_norm(x, x.shape[-1:], block.norm, None, eps).to(block.wide.dtype)
    value, gate = linear(normed, block.wide).chunk(2, dim=-1)
    return x + linear(gelu(value) * gate, block.narrow)


def project(normed: torch.Tensor, qkv: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> Rotary:
    """Return (T, 2, heads, h) queries and keys, rotated by their positions, and (T, heads, h) values.

    `cos` and `sin` are (T, h / 2).
    """
    parts = linear(normed.to(qkv.dtype), qkv).view(len(normed), 3, -1, 2 * cos.shape[-1])
    first, second = parts[:, :2].float().chunk(2, dim=-1)
    cos, sin = cos[:, None, None], sin[:, None, None]
    turned = torch.cat((first * cos - second * sin, second * cos + first * sin), dim=-1)
    return turned.to(parts.dtype), parts[:, 2]


class FlatModernBert:
    """Run a trained ModernBERT classifier. `vector` is "" or the kind of vector to give.

    `step` is `between`, or the same function compiled; `longest` is the length of the longest text in tokens.
    """

    def __init__(
        self,
        model: PreTrainedModel,
        execution: Execution,
        vector: str,
        longest: int,
        step: Callable[..., States] = between,
    ) -> None:
        self.model, self.vector, self.step = model, vector, step
        config: Any = model.config
        self.eps, self.heads = config.norm_eps, config.num_attention_heads
        self.kinds: list[str] = list(config.layer_types)
        self.reach: int = config.sliding_window
        self.dtype = torch.bfloat16 if execution.precision == "bf16" else torch.float32
        layers: Any = model.base_model.layers
        self.first_qkv = self._cast(layers[0].attn.Wqkv)
        self.blocks = [self._block(layers, number) for number in range(len(layers))]
        self.rotary = {kind: self._rotary(kind, longest) for kind in set(self.kinds)}
        self.bands: dict[int, torch.Tensor] = {}

    @torch.inference_mode()
    def __call__(self, batch: FlatBatch) -> tuple[torch.Tensor, torch.Tensor | None]:
        """Return (n, C) logits and, if asked for, (n, d) vectors, float32 on the device."""
        turns = {kind: (cos[batch.positions], sin[batch.positions]) for kind, (cos, sin) in self.rotary.items()}
        with sdpa_kernel(KERNELS):
            x = self.model.base_model.embeddings(batch.ids)  # type: ignore[operator]
            qk, values = project(x, self.first_qkv, *turns[self.kinds[0]])
            for number, block in enumerate(self.blocks[:-1]):
                attended = self.attend(qk, values, self.kinds[number], batch.groups)
                x, qk, values = self.step(x, attended, block, *turns[self.kinds[number + 1]], self.eps)
            attended = self.attend(qk, values, self.kinds[-1], batch.groups)
        return self._head(x, attended, batch)

    def _head(
        self, x: torch.Tensor, attended: torch.Tensor, batch: FlatBatch
    ) -> tuple[torch.Tensor, torch.Tensor | None]:
        """Compute the rest of the last layer, only for rows that are read.

        These are the first row of each text, unless means are wanted.
        """
        model: Any = self.model
        if self.vector == "mean":
            hidden = model.model.final_norm(feed_forward(x, attended, self.blocks[-1], self.eps))
            cls = hidden[batch.starts]
        else:
            cls = feed_forward(x[batch.starts], attended[batch.starts], self.blocks[-1], self.eps)
            cls = model.model.final_norm(cls)
        pooled = model.head(cls)
        if self.vector == "mean":
            vectors = torch.cat([_by_text(hidden, group).mean(dim=1) for group in batch.groups])[: len(cls)]
        else:
            vectors = {"": None, "cls": cls, "pooled_head": pooled}[self.vector]
        return model.classifier(pooled), vectors

    def attend(self, qk: torch.Tensor, values: torch.Tensor, kind: str, groups: tuple[Group, ...]) -> torch.Tensor:
        """Return (T, d) attention, with one call for each group."""
        parts = []
        for group in groups:
            # For a text within the window's reach a local layer equals a global one. Only longer texts need the band.
            band = self._band(group.length) if kind == LOCAL and group.length > self.reach + 1 else None
            q, k, v = (_by_text(part, group).transpose(1, 2) for part in (qk[:, 0], qk[:, 1], values))
            found = scaled_dot_product_attention(q, k, v, attn_mask=band)
            parts.append(found.transpose(1, 2).reshape(group.end - group.start, -1))
        return parts[0] if len(parts) == 1 else torch.cat(parts)

    def _band(self, length: int) -> torch.Tensor:
        """Return a (length, length) mask, True where two tokens are within the window's reach.

        The mask is cached, because every local layer asks for it.
        """
        if length not in self.bands:
            place = torch.arange(length, device=self.first_qkv.device)
            self.bands[length] = (place[:, None] - place[None, :]).abs() <= self.reach
        return self.bands[length]

    def _block(self, layers: Any, number: int) -> Block:
        layer, last = layers[number], number + 1 == len(layers)
        return Block(
            out=self._cast(layer.attn.Wo),
            norm=layer.mlp_norm.weight.detach(),
            wide=self._cast(layer.mlp.Wi),
            narrow=self._cast(layer.mlp.Wo),
            next_norm=None if last else layers[number + 1].attn_norm.weight.detach(),
            next_qkv=None if last else self._cast(layers[number + 1].attn.Wqkv),
        )

    def _cast(self, module: Any) -> torch.Tensor:
        return module.weight.detach().to(self.dtype)

    def _rotary(self, kind: str, longest: int) -> Rotary:
        """Return (longest, h / 2) cosines and sines. transformers gives each value twice, once for either half."""
        positions = torch.arange(longest, device=self.first_qkv.device)[None]
        model: Any = self.model.base_model
        cos, sin = model.rotary_emb(torch.empty(0, device=positions.device), positions, kind)
        half = cos.shape[-1] // 2
        return cos[0, :, :half].contiguous(), sin[0, :, :half].contiguous()


def _by_text(rows: torch.Tensor, group: Group) -> torch.Tensor:
    """Return a (texts, length, ...) view of the group's rows."""
    return rows[group.start : group.end].unflatten(0, (group.texts, group.length))
