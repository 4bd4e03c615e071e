"""Trains the network of learned edges; see docs/learned.md."""
import argparse, math, random, sys, time, glob, os
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

ROWS, WIDTH, GROUPS, SIZE = 12, 96, 4, 4   # rows of a strip, channels, groups of S and of P, numbers of a group
CONDITIONS = 36                            # 16 + 16 phases, has JPEG, steps of luminance and color, halved color
dev = torch.device("cuda")

def read_pnm(path):
    data = open(path, "rb").read()
    magic, size, most, rest = data.split(b"\n", 3)
    w, h = map(int, size.split())
    a = np.frombuffer(rest, np.uint8)
    a = a.reshape(h, w, 3) if magic == b"P6" else np.repeat(a.reshape(h, w, 1), 3, 2)
    return torch.from_numpy(a.copy()).to(dev).permute(2, 0, 1)

LUMA = torch.tensor([16,11,10,16,24,40,51,61,12,12,14,19,26,58,60,55,14,13,16,24,40,57,69,56,14,17,22,29,51,87,80,62,
    18,22,37,56,68,109,103,77,24,35,55,64,81,104,113,92,49,64,78,87,103,121,120,101,72,92,95,98,112,100,103,99.]).view(8, 8).to(dev)
CHROMA = torch.full((8, 8), 99.).to(dev)
CHROMA[:4, :4] = torch.tensor([[17,18,24,47],[18,21,26,66],[24,26,56,99],[47,66,99,99.]])
DCT = torch.tensor([[math.sqrt((1 if k == 0 else 2) / 8) * math.cos(math.pi * (2 * n + 1) * k / 16) for n in range(8)] for k in range(8)]).to(dev)

def tables(quality):
    s = 5000 / quality if quality < 50 else 200 - 2 * quality
    f = lambda t: ((t * s + 50) / 100).floor().clamp(1, 255)
    return f(LUMA), f(CHROMA)

def blocks(x, q):
    h, w = x.shape
    ph, pw = -h % 8, -w % 8
    x = F.pad(x[None, None], (0, pw, 0, ph), mode="replicate")[0, 0]
    H, W = x.shape
    b = x.view(H // 8, 8, W // 8, 8).permute(0, 2, 1, 3) - 128
    c = DCT @ b @ DCT.T
    c = (c / q).round() * q
    b = (DCT.T @ c @ DCT + 128).round().clamp(0, 255)
    return b.permute(0, 2, 1, 3).reshape(H, W)[:h, :w]

def jpeg(image, quality, halved):
    """image [3, H, W], 0..255 whole numbers; as libjpeg would."""
    ql, qc = tables(quality)
    r, g, b = image.float()
    y = (0.299 * r + 0.587 * g + 0.114 * b).round()
    cb = (-0.168736 * r - 0.331264 * g + 0.5 * b + 128).round()
    cr = (0.5 * r - 0.418688 * g - 0.081312 * b + 128).round()
    y = blocks(y, ql)
    out = []
    for c in (cb, cr):
        if halved:
            h, w = c.shape
            c = F.pad(c[None, None], (0, w % 2, 0, h % 2), mode="replicate")
            c = blocks(F.avg_pool2d(c, 2)[0, 0].round(), qc)
            c = F.interpolate(c[None, None], scale_factor=2, mode="bilinear", align_corners=False)[0, 0, :h, :w].round()
        else:
            c = blocks(c, qc)
        out.append(c - 128)
    cb, cr = out
    return torch.stack([y + 1.402 * cr, y - 0.344136 * cb - 0.714136 * cr, y + 1.772 * cb]).round().clamp(0, 255)

def conditions(n, columns, size_x, size_y, along, kind):
    """[n tiles, 4 sides, CONDITIONS, along]"""
    c = torch.zeros(n, 4, CONDITIONS, along, device=dev)
    if kind is None:
        return c
    quality, halved = kind
    ql, qc = tables(quality)
    index = torch.arange(n, device=dev)
    x0, y0 = index % columns * size_x, index // columns * size_y
    p = torch.arange(along, device=dev)
    x1, y1 = x0 + size_x - 1, y0 + size_y - 1
    a = [(x0[:, None] + p), (y0[:, None] + p), 15 - (x1[:, None] - p) % 16, 15 - (y1[:, None] - p) % 16]
    d = [y0, 15 - x1 % 16, 15 - y1 % 16, x0]
    for side in range(4):
        c[:, side, :16] = F.one_hot(a[side] % 16, 16).permute(0, 2, 1).float()
        c[:, side, 16:32] = F.one_hot(d[side] % 16, 16).float()[:, :, None]
    c[:, :, 32] = 1
    c[:, :, 33] = math.log2(ql.mean()) / 4
    c[:, :, 34] = math.log2(qc.mean()) / 4
    c[:, :, 35] = halved
    return c

def strips(tiles):
    """[n, 3, T, T] -> [n, 4, 3 * ROWS, T], edge up, clockwise: top, right, bottom, left."""
    n, _, t, _ = tiles.shape
    rows = min(ROWS, t)
    sides = [tiles[:, :, :rows], tiles.flip(3).transpose(2, 3)[:, :, :rows], tiles.flip(2).flip(3)[:, :, :rows],
        tiles.transpose(2, 3).flip(3)[:, :, :rows]]
    s = torch.stack(sides, 1).float()
    if rows < ROWS:
        s = torch.cat([s, s[:, :, :, -1:].expand(-1, -1, -1, ROWS - rows, -1)], 3)
    return ((s - 128) / 64).reshape(n, 4, 3 * ROWS, t)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv1d(3 * ROWS + CONDITIONS, WIDTH, 5, padding=2, padding_mode="replicate")
        self.mean = nn.Linear(WIDTH, WIDTH)
        self.layers = nn.ModuleList(nn.Conv1d(WIDTH, WIDTH, 5, padding=2, padding_mode="replicate") for _ in range(ARGS.layers))
        self.last = nn.Conv1d(WIDTH, 2 * GROUPS * SIZE, 1)
        self.skip = nn.Conv1d(3 * ROWS, 2 * GROUPS * SIZE, 1)
        self.log_scale = nn.Parameter(torch.tensor(0.))
    def forward(self, x, c):
        """[m, 36, L], [m, CONDITIONS, L] -> S, P [m, L, GROUPS, SIZE]"""
        h = F.relu(self.first(torch.cat([x, c], 1)))
        h = h + self.mean(h.mean(2))[:, :, None]
        for layer in self.layers:
            h = h + F.relu(layer(h))
        f = self.last(h) + self.skip(x)
        f = f.float().permute(0, 2, 1).reshape(f.shape[0], f.shape[2], 2, GROUPS, SIZE)
        return f[:, :, 0], f[:, :, 1]

def distance(pa, sb):
    """[A, L, G, K], [B, L, G, K] -> [A, B] of sums of q / (1 + q)"""
    q = (pa * pa).sum(3)[:, None] + (sb * sb).sum(3)[None] - 2 * torch.einsum("algk,blgk->ablg", pa, sb)
    q = q.clamp_min(0)
    return (q / (1 + q)).sum((2, 3)) / (pa.shape[1] * GROUPS)

def pair_costs(s, p, i, j):
    """Costs of side i of all tiles [rows] with side j of all [columns]; s, p: [n, 4, L, G, K]"""
    sb, pb = s[:, j].flip(1), p[:, j].flip(1)
    return distance(p[:, i], sb) + distance(pb, s[:, i]).T

def cut(image, t, columns, rows, spoil, generator):
    """A puzzle of an image [3, H, W] uint8: strips [n, 4, 36, t'], conditions; tile k stands at place k of the image."""
    kind, value = spoil
    n = columns * rows
    x = image[:, :rows * t, :columns * t].float()
    tiles = x.view(3, rows, t, columns, t).permute(1, 3, 0, 2, 4).reshape(n, 3, t, t)
    known = None
    if kind == "erode":
        tiles = tiles[:, :, value:t - value, value:t - value]
    else:
        order = torch.randperm(n, device=dev, generator=generator)
        mixed = tiles[order].view(rows, columns, 3, t, t).permute(2, 0, 3, 1, 4).reshape(3, rows * t, columns * t)
        if kind == "noise" or kind == "both":
            mixed = (mixed + value[2 if kind == "both" else 0] * torch.randn(mixed.shape, device=dev, generator=generator)).round().clamp(0, 255)
        if kind in ("jpeg", "both", "unknown"):
            mixed = jpeg(mixed, value[0], value[1])
            known = None if kind == "unknown" else (value[0], value[1])
        c = conditions(n, columns, t, t, t, known)
        tiles = mixed.view(3, rows, t, columns, t).permute(1, 3, 0, 2, 4).reshape(n, 3, t, t)
        back = torch.empty_like(order)
        back[order] = torch.arange(n, device=dev)
        return strips(tiles)[back], c[back]
    s = strips(tiles)
    return s, conditions(n, columns, t, t, s.shape[3], None)

def truths(columns, rows):
    k = torch.arange(columns * rows, device=dev).view(rows, columns)
    return [(1, 3, k[:, :-1].reshape(-1), k[:, 1:].reshape(-1)), (2, 0, k[:-1].reshape(-1), k[1:].reshape(-1))]

def draw(r):
    kind = r.choices(["clean", "jpeg", "noise", "erode", "both", "unknown"], [8, 45, 22, 15, 5, 5])[0]
    quality, halved, sigma = r.randint(50, 97), r.random() < 0.7, r.choice([1, 2, 3, 5, 8, 10, 15, 20])
    return kind, {"clean": None, "jpeg": (quality, halved), "noise": (sigma,), "erode": r.choice([1, 1, 2, 3]),
        "both": (quality, halved, sigma), "unknown": (quality, halved)}[kind]

def run(net, x, c):
    n, _, _, l = x.shape
    s, p = net(x.flatten(0, 1), c.flatten(0, 1))
    return s.unflatten(0, (n, 4)), p.unflatten(0, (n, 4))

def evaluate(net, images, names):
    net.eval()
    table = []
    with torch.no_grad():
        for name, spoil in names:
            hits = total = 0
            for index, image in enumerate(images):
                g = torch.Generator(device=dev).manual_seed(index)
                columns, rows = image.shape[2] // 28, image.shape[1] // 28
                x, c = cut(image, 28, columns, rows, spoil, g)
                with torch.autocast("cuda", torch.bfloat16):
                    s, p = run(net, x, c)
                for i, j, a, b in truths(columns, rows):
                    d = pair_costs(s, p, i, j)
                    d.fill_diagonal_(9)
                    hits += (d[a].argmin(1) == b).sum().item() + (d[:, b].argmin(0) == a).sum().item()
                    total += 2 * len(a)
            table.append((name, 100 * hits / total))
    net.train()
    return table

NAMES = [("clean", ("clean", None))] + [("jpeg%d" % q, ("jpeg", (q, 1))) for q in (95, 85, 75, 60)] + [("jpeg85u", ("unknown", (85, 1)))] + \
    [("noise%d" % n, ("noise", (n,))) for n in (5, 10, 15)] + [("erode%d" % e, ("erode", e)) for e in (1, 2)]

def write(net, path):
    """Rounds the weights to bytes, of a scale for each output, and writes them: for each layer float32 scales and
    biases [out], then bytes [position][in][out]."""
    with torch.no_grad(), open(path, "wb") as file:
        for layer in [net.first, net.mean, *net.layers, net.last, net.skip]:
            w = layer.weight if layer.weight.dim() == 3 else layer.weight[:, :, None]
            scale = (w.abs().amax((1, 2)) / 127).clamp_min(1e-12)
            q = (w / scale[:, None, None]).round()
            layer.weight.copy_((q * scale[:, None, None]).view_as(layer.weight))
            file.write(scale.cpu().numpy().astype("<f4").tobytes() + layer.bias.cpu().numpy().astype("<f4").tobytes())
            file.write(q.permute(2, 1, 0).contiguous().cpu().numpy().astype("i1").tobytes())

def main():
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    torch.manual_seed(ARGS.seed)
    r = random.Random(ARGS.seed)
    files = sorted(glob.glob(ARGS.images + "/*.ppm"))
    small = [f for f in files if os.path.basename(f)[0] == "b"]
    held = small[::len(small) // 60][:60]
    train = [f for f in files if f not in held]
    images = [read_pnm(f) for f in train]
    tests = [read_pnm(f) for f in held]
    print(len(images), "to train,", len(tests), "held out", flush=True)
    net = Net().to(dev)
    print(sum(v.numel() for v in net.parameters()), "weights", flush=True)
    optimizer = torch.optim.AdamW(net.parameters(), lr=ARGS.rate, weight_decay=1e-4)
    start, step, sums = time.time(), 0, []
    while True:
        share = (time.time() - start) / ARGS.seconds
        if share >= 1:
            break
        for group in optimizer.param_groups:
            group["lr"] = ARGS.rate * min(1, step / 200) * (0.5 + 0.5 * math.cos(math.pi * share)) + 1e-6
        t = r.choice([28] * 5 + [20, 24, 32, 40])
        batch = []
        for _ in range(ARGS.batch):
            image = r.choice(images)
            large = image.shape[1] > 700
            scale = r.uniform(0.3, 1) if large else r.uniform(0.7, 1)
            columns, rows = 24, 16
            scale = min(1, max(scale, (columns * t + 1) / image.shape[2], (rows * t + 1) / image.shape[1]))
            if image.shape[2] * scale < columns * t or image.shape[1] * scale < rows * t:
                columns, rows = int(image.shape[2] * scale) // t, int(image.shape[1] * scale) // t
            if scale < 1:
                w, h = int(columns * t / scale), int(rows * t / scale)
            else:
                w, h = columns * t, rows * t
            w, h = min(w, image.shape[2]), min(h, image.shape[1])
            x0, y0 = r.randint(0, image.shape[2] - w), r.randint(0, image.shape[1] - h)
            part = image[:, y0:y0 + h, x0:x0 + w]
            if (w, h) != (columns * t, rows * t):
                part = F.interpolate(part[None].float(), size=(rows * t, columns * t), mode="bicubic", antialias=True,
                    align_corners=False)[0].round().clamp(0, 255)
            if r.random() < 0.5:
                part = part.flip(2)
            if r.random() < 0.5:
                part = part.transpose(1, 2)
                columns, rows = rows, columns
            x, c = cut(part, t, columns, rows, draw(r), None)
            batch.append((x, c, columns, rows))
        loss = 0
        widths = sorted({b[0].shape[3] for b in batch})
        for width in widths:
            some = [b for b in batch if b[0].shape[3] == width]
            with torch.autocast("cuda", torch.bfloat16):
                s, p = run(net, torch.cat([b[0] for b in some]), torch.cat([b[1] for b in some]))
            at = 0
            for x, c, columns, rows in some:
                n = columns * rows
                for i, j, a, b in truths(columns, rows):
                    d = pair_costs(s[at:at + n], p[at:at + n], i, j) * -(20 * net.log_scale.exp())
                    d = d.masked_fill(torch.eye(n, dtype=torch.bool, device=dev), -1e4)
                    loss = loss + (F.cross_entropy(d[a], b) + F.cross_entropy(d[:, b].T, a)) / (4 * ARGS.batch)
                at += n
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        sums.append(loss.item())
        step += 1
        if step % 200 == 0:
            print(f"{time.time() - start:6.0f} s  step {step}  loss {np.mean(sums):.3f}  scale {net.log_scale.exp().item():.2f}", flush=True)
            sums = []
        if step == 600:
            print("  ".join(f"{n} {v:.1f}" for n, v in evaluate(net, tests[:12], NAMES)), flush=True)
    print("  ".join(f"{n} {v:.1f}" for n, v in evaluate(net, tests, NAMES)), flush=True)
    torch.save(net.state_dict(), ARGS.out + f"/net{ARGS.seed}.pt")
    write(net, ARGS.out + f"/net{ARGS.seed}.bin")
    print("int8: " + "  ".join(f"{n} {v:.1f}" for n, v in evaluate(net, tests, NAMES)), flush=True)

parser = argparse.ArgumentParser()
parser.add_argument("images")
parser.add_argument("--out", default=".")
parser.add_argument("--seconds", type=float, default=200)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--batch", type=int, default=8)
parser.add_argument("--rate", type=float, default=1.5e-3)
parser.add_argument("--layers", type=int, default=3)
ARGS = parser.parse_args()
main()
