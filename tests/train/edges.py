"""Trains the networks by which unscramble compares the edges of tiles.

    edges.py [--gap] [--further] [--rate RATE] [--steps N] [--seed N] [--weights FILE]
             [--state FILE] [--held FOLDER]... FOLDER...
    edges.py --check [--gap] [--weights FILE] --held FOLDER [--held FOLDER]...

A network looks at the outermost rows of a tile along one edge. For every pixel of the edge it says
what the tile is there and what it expects beyond. Edges whose numbers agree belong together. One
network is for whole tiles. Another one, for tiles that have lost their outermost pixels, looks
across the gap; it shares most of the weights, which stay as they are when --gap trains it.
stages/unscramble/features.h describes both, and the file of their weights.

All pictures of the folders are trained on, but scaled down, since whoever sees a JPEG file's traces
at single pixels learns to match these. Those of --held are only measured, as they are. Weights are
rounded in training, to the bytes that will be written.
"""
import argparse
import hashlib
import math
import pathlib
import platform
import random
import sys
import time

import numpy
import PIL.Image
import torch
import torch.nn.functional as F
from torch import nn

torch.set_default_device("cuda")

ROWS = 12  # rows of pixels that the network sees, from the edge inward
PIXELS = 3 * ROWS  # inputs that are pixels; the others tell of JPEG and of a gap
PHASES = 16  # pixels of a block of JPEG with colors at half the resolution
INPUTS = PIXELS + 2 * PHASES + 4
CHANNELS = 96
OUTPUTS = 32  # half of them is what the tile is, half what it expects
GROUP = 4  # outputs whose distance is taken together
ZERO = 128  # the byte of a weight of 0
REACH = 2  # pixels to each side that a layer looks at
MOST = 32767 / 256  # of a number between layers: 16 bits in steps of 1/256
SHARED = 4  # layers whose weights the network across a gap shares

TILES = [14, 16, 18, 20, 24, 24, 28, 28, 28, 28, 28, 32, 40, 48, 64]  # sizes to train with
GRID = 24, 16  # columns and rows, at most
LOST = [1, 1, 1, 1, 2, 2, 2, 3, 4, 5]  # pixels that eroded tiles have lost at each edge
ERODED = 0.15  # share of the batches of the network for whole tiles, which --gap begins with
SCALE = 0.75  # of pictures at most; at single pixels that leaves no traces of JPEG
LEAST = math.ceil(2 * max(TILES) / SCALE)  # pixels of a side that a picture has to have
BATCH = 300_000  # pixels of edges in a batch
SHARPNESS = 112  # what costs are multiplied with, to begin with, where weights are trained already

# What is done to a puzzle after the shuffle: noise, JPEG, whether the network is told of the JPEG.
# The shares are of puzzles whose tiles are whole, and of eroded ones.
SPOILS = torch.tensor([[0, 0, 0], [1, 0, 0], [0, 1, 1], [1, 1, 1], [0, 1, 0]])
SHARES = torch.tensor([[0.15, 0.27, 0.43, 0.08, 0.07], [0.80, 0.08, 0.08, 0.02, 0.02]])

# What is measured: noise, quality of JPEG, whether the network is told of it, pixels that are lost.
WHOLE = {"clean": (0, 0, 0, 0), "JPEG 95": (0, 95, 1, 0), "JPEG 85": (0, 85, 1, 0),
         "JPEG 75": (0, 75, 1, 0), "JPEG 60": (0, 60, 1, 0), "JPEG 85, not told": (0, 85, 0, 0),
         "noise 5": (5, 0, 0, 0), "noise 10": (10, 0, 0, 0), "noise 15": (15, 0, 0, 0)}
GAPS = {"eroded by 1": (0, 0, 0, 1), "eroded by 2": (0, 0, 0, 2), "eroded by 4": (0, 0, 0, 4),
        "eroded by 1, noise 5": (5, 0, 0, 1), "eroded by 1, JPEG 85": (0, 85, 1, 1)}

# The tables of the JPEG standard, annex K, and the matrix of its cosine transform.
LUMINANCE = torch.tensor([
    [16, 11, 10, 16, 24, 40, 51, 61], [12, 12, 14, 19, 26, 58, 60, 55],
    [14, 13, 16, 24, 40, 57, 69, 56], [14, 17, 22, 29, 51, 87, 80, 62],
    [18, 22, 37, 56, 68, 109, 103, 77], [24, 35, 55, 64, 81, 104, 113, 92],
    [49, 64, 78, 87, 103, 121, 120, 101], [72, 92, 95, 98, 112, 100, 103, 99]])
COLOR = torch.full((8, 8), 99)
COLOR[:4, :4] = torch.tensor([[17, 18, 24, 47], [18, 21, 26, 66], [24, 26, 56, 99],
                              [47, 66, 99, 99]])
COSINES = torch.tensor([[math.cos(math.pi * (2 * x + 1) * k / 16) / (2 if k else math.sqrt(8))
                         for x in range(8)] for k in range(8)])
TO_YCC = torch.tensor([[0.299, 0.587, 0.114], [-0.168736, -0.331264, 0.5],
                       [0.5, -0.418688, -0.081312]])
TO_RGB = torch.tensor([[1, 0, 1.402], [1, -0.344136, -0.714136], [1, 1.772, 0]])


def load(path):
    """Reads a picture as [3, height, width]; tall ones are laid on their side."""
    picture = torch.from_numpy(numpy.array(PIL.Image.open(path).convert("RGB"))).cuda()
    return picture.permute((2, 0, 1) if picture.shape[0] <= picture.shape[1] else (2, 1, 0))


def find_scale(picture, width, height):
    """Gives the least scale at which a picture still covers width x height."""
    return max(width / picture.shape[2], height / picture.shape[1])


def take_part(picture, width, height, rng):
    """Takes a part of a picture by chance, scaled down, and maybe mirrors it."""
    least = find_scale(picture, width, height)
    scale = least * (SCALE / least) ** rng.random()
    w, h = (min(side, round(part / scale)) for side, part in
            ((picture.shape[2], width), (picture.shape[1], height)))
    x, y = rng.randint(0, picture.shape[2] - w), rng.randint(0, picture.shape[1] - h)
    part = picture[None, :, y:y + h, x:x + w].float()
    part = F.interpolate(part, (height, width), mode="bicubic", antialias=True)[0]
    return part.flip(2) if rng.random() < 0.5 else part


def sharpen(images):
    """Sharpens a third of the images [batch, 3, height, width], as many programs do that scale."""
    amount = (3 * torch.rand(images.shape[0], 1, 1, 1) - 2).clamp_min(0)
    around = F.avg_pool2d(F.pad(images, (1,) * 4, mode="replicate"), 3, 1)
    return images + amount * (images - around)


def scale_tables(quality):
    """Gives the two tables [batch, 8, 8] of libjpeg for qualities [batch]."""
    percent = torch.where(quality < 50, 5000 / quality, 200 - 2 * quality)[:, None, None]
    return [((table * percent + 50) / 100).floor().clamp(1, 255) for table in (LUMINANCE, COLOR)]


def round_blocks(planes, table):
    """Rounds the coefficients of planes [batch, planes, height, width], as a JPEG file does."""
    batch, count, height, width = planes.shape
    blocks = planes.reshape(batch, count, height // 8, 8, width // 8, 8).transpose(3, 4)
    steps = table[:, None, None, None]
    blocks = COSINES @ (blocks - 128) @ COSINES.T
    blocks = COSINES.T @ ((blocks / steps).round() * steps) @ COSINES + 128
    return blocks.transpose(3, 4).reshape(planes.shape).round().clamp(0, 255)


def through_jpeg(images, quality, is_halved):
    """Writes images [batch, 3, height, width] as JPEG of qualities [batch] and reads them again."""
    height, width = images.shape[2:]
    luminance, color = scale_tables(quality)
    padded = F.pad(images, (0, -width % 16, 0, -height % 16), mode="replicate")
    ycc = torch.einsum("ij,bjhw->bihw", TO_YCC, padded)
    colors = (ycc[:, 1:] + 128).round()
    halved = round_blocks(F.avg_pool2d(colors, 2).round(), color)
    halved = F.interpolate(halved, scale_factor=2, mode="bilinear").round()
    colors = torch.where(is_halved[:, None, None, None], halved, round_blocks(colors, color)) - 128
    ycc = torch.cat([round_blocks(ycc[:, :1].round(), luminance), colors], 1)
    return torch.einsum("ij,bjhw->bihw", TO_RGB, ycc).round().clamp(0, 255)[..., :height, :width]


def draw_spoils(count, is_eroded):
    """Draws what is done to puzzles: for each noise, quality, halved colors, whether it is told."""
    chance = torch.rand(4, count)
    kind = SPOILS[torch.searchsorted(SHARES[int(is_eroded)].cumsum(0)[:-1], chance[3])]
    noise = kind[:, 0] * (1 + 19 * chance[0] ** 2)
    quality = kind[:, 1] * (50 + 48 * chance[1]).floor()
    return noise, quality, chance[2] < 0.7, kind[:, 2] > 0


def cut(images, tile, lost, spoils):
    """Makes puzzles of images [batch, 3, height, width]; tiles lose `lost` pixels at each edge.

    Returns what the network gets, [batch, tiles, 4, pixels, INPUTS], the tiles in their order in
    the image, their sides clockwise from the left.
    """
    noise, quality, is_halved, is_told = spoils
    batch, _, height, width = images.shape
    columns, rows = width // tile, height // tile
    grid = batch, 3, rows, tile, columns, tile
    tiles = images.reshape(grid).permute(0, 2, 4, 1, 3, 5).flatten(1, 2)
    order = torch.rand(tiles.shape[:2]).argsort(1)
    each = torch.arange(batch)[:, None]
    mixed = tiles[each, order].unflatten(1, (rows, columns)).permute(0, 3, 1, 4, 2, 5)
    mixed = mixed.reshape(images.shape)
    mixed = mixed + noise[:, None, None, None] * torch.randn_like(mixed)
    mixed = mixed.round().clamp(0, 255)
    is_jpeg = (quality > 0)[:, None, None, None]
    mixed = torch.where(is_jpeg, through_jpeg(mixed, quality.clamp_min(1), is_halved), mixed)
    place = order.argsort(1)
    tiles = mixed.reshape(grid).permute(0, 2, 4, 1, 3, 5).flatten(1, 2)[each, place]
    tiles = tiles[..., lost:tile - lost, lost:tile - lost]
    is_gray = (tiles == tiles[:, :, :1]).flatten(1).all(1)
    x, y = place % columns * tile + lost, place // columns * tile + lost
    origin = describe_origin(quality, is_halved, is_gray)
    blocks = describe_blocks(x, y, tile - 2 * lost, origin, is_told)
    has_gap = torch.full_like(blocks[..., :1, :], float(lost > 0))
    return torch.cat([take_strips(tiles), blocks, has_gap], 3).mT


def take_strips(tiles):
    """Turns every side of tiles [batch, tiles, 3, size, size] up; the last row may repeat."""
    size = tiles.shape[4]
    sides = [tiles.mT.flip(4), tiles, tiles.flip(4).mT, tiles.flip(3, 4)]
    rows = torch.arange(ROWS).clamp_max(size - 1)
    strips = torch.stack([side.index_select(3, rows) for side in sides], 2)
    return ((strips - 128) / 64).flatten(3, 4)


def describe_origin(quality, is_halved, is_gray):
    """Gives the numbers [batch, 3] of struct jpeg_origin."""
    steps = [(64 * table.mean((1, 2)).log2()).round() / 256
             for table in scale_tables(quality.clamp_min(1))]
    color = torch.where(is_gray, steps[0], steps[1])
    return torch.stack([steps[0], color, (is_halved & ~is_gray).float()], 1)


def describe_blocks(x, y, size, origin, is_told):
    """Says where the edges lie in blocks, for tiles [batch, tiles] whose top left is at x, y."""
    along = torch.arange(size)
    x, y = x[:, :, None], y[:, :, None]
    back_x, back_y = -x - size, -y - size  # blocks are met the other way round
    phases = [torch.stack([back_y + along, x + along, y + along, back_x + along], 2),
              torch.stack([x, y, back_x, back_y], 2).expand(-1, -1, -1, size)]
    which = torch.arange(PHASES)[:, None]
    blocks = [(phase[:, :, :, None] % PHASES == which).float() for phase in phases]
    origin = origin[:, None, None, :, None].expand(-1, *blocks[0].shape[1:3], -1, size)
    return torch.cat([*blocks, origin], 3) * is_told[:, None, None, None, None]


def look_around(values):
    """Gives every pixel of [edges, pixels, channels] also those beside it; the ends repeat."""
    first, last = values[:, :1], values[:, -1:]
    padded = torch.cat([first] * REACH + [values] + [last] * REACH, 1)
    return torch.cat([padded[:, k:k + values.shape[1]] for k in range(2 * REACH + 1)], 2)


def cut_off(values):
    """Keeps numbers between layers to what their 16 bits hold; their rounding does not matter."""
    return values.clamp(-MOST, MOST)


def round_weights(weight):
    """Gives the whole numbers that pack_layer makes of a layer's weights, and what 1 is for each
    output. Derivatives are as if nothing were rounded."""
    step = weight.detach().abs().amax(1) / 127
    number = weight / step[:, None]
    return number + (number.round() - number).detach(), step


def as_floats(values):
    """Gives the bytes of a tensor's floats."""
    return values.detach().cpu().numpy().astype("<f4").tobytes()


def pack_layer(layer):
    """Gives the scales and biases of a layer's outputs, and its weights as bytes [term][output]."""
    weight = layer.weight.detach().cpu().numpy()
    scale = numpy.abs(weight).max(1) / 127
    byte = numpy.rint(weight / scale[:, None]) + ZERO
    return scale.astype("<f4").tobytes() + as_floats(layer.bias) + byte.T.astype("u1").tobytes()


def count_bytes(layers):
    """Gives how many bytes pack_layer makes of layers."""
    return sum((8 + layer.in_features) * layer.out_features for layer in layers)


def unpack_layer(data, layer):
    """Takes a layer from the beginning of such bytes, and returns what is behind it."""
    outputs, terms = layer.weight.shape
    scale, bias = numpy.frombuffer(data, "<f4", 2 * outputs).reshape(2, outputs)
    byte = numpy.frombuffer(data, "u1", terms * outputs, 8 * outputs)
    weight = (byte.reshape(terms, outputs).T.astype("f4") - ZERO) * scale[:, None]
    layer.weight.data.copy_(torch.tensor(weight))
    layer.bias.data.copy_(torch.tensor(bias))
    return data[(8 + terms) * outputs:]


class Network(nn.Module):
    """The network of features.h: [edges, pixels, INPUTS] to [edges, pixels, OUTPUTS]."""

    KINDS = WHOLE | GAPS  # of puzzles that it is measured with

    def __init__(self, middle=3):
        super().__init__()
        wide = 2 * REACH + 1
        self.layers = nn.ModuleList([
            nn.Linear(wide * INPUTS, CHANNELS), nn.Linear(CHANNELS, CHANNELS),
            *(nn.Linear(wide * CHANNELS, CHANNELS) for _ in range(middle)),
            nn.Linear(CHANNELS + PIXELS, OUTPUTS)])
        self.log_scale = nn.Parameter(torch.tensor(math.log(20)))  # of the costs, in training

    def take(self, i, values, scale=1):
        """Gives what a layer makes of values, its weights multiplied by a scale for each output."""
        number, step = round_weights(self.layers[i].weight)
        return F.linear(values, number) * (step * scale) + self.layers[i].bias

    def forward(self, inputs):
        last = len(self.layers) - 1
        values = cut_off(F.relu(self.take(0, look_around(inputs))))
        values = cut_off(values + self.take(1, values.mean(1, keepdim=True)))
        for i in range(2, last):
            values = cut_off(values + F.relu(self.take(i, look_around(values))))
        with torch.autocast("cuda", enabled=False):
            return self.take(last, torch.cat([values.float(), inputs[..., :PIXELS]], 2))

    def write(self, path):
        """Writes the weights as bytes; a network across a gap that the file has stays behind."""
        behind = b""
        if pathlib.Path(path).exists():
            behind = pathlib.Path(path).read_bytes()[count_bytes(self.layers):]
        with open(path, "wb") as file:
            for layer in self.layers:
                file.write(pack_layer(layer))
            file.write(behind)

    def read(self, path):
        """Reads weights that were written."""
        data = pathlib.Path(path).read_bytes()
        for layer in self.layers:
            data = unpack_layer(data, layer)
        return self


class GapNetwork(Network):
    """The network across a gap. It has one layer more than the one for whole tiles, and shares the
    weights of its first SHARED ones, for which it has scales and biases of its own."""

    KINDS = GAPS

    def __init__(self, network):
        super().__init__(middle=4)
        for own, layer in zip([*self.layers[:-2], self.layers[-1]], network.layers):
            own.load_state_dict(layer.state_dict())
        for layer in self.layers[:SHARED]:
            layer.weight.requires_grad = False
        self.layers[-2].weight.data.mul_(0.1)  # a layer that changes little, to begin with
        self.scales = nn.ParameterList(torch.ones(CHANNELS) for _ in range(SHARED))

    def take(self, i, values):
        return super().take(i, values, self.scales[i] if i < SHARED else 1)

    def write(self, path):
        """Writes this network behind the other one."""
        data = pathlib.Path(path).read_bytes()[:count_bytes(Network().layers)]
        with open(path, "wb") as file:
            file.write(data)
            for layer, scale in zip(self.layers, self.scales):
                outputs, terms = layer.weight.shape
                own = numpy.frombuffer(data, "<f4", outputs) * scale.detach().cpu().numpy()
                file.write(own.astype("<f4").tobytes() + as_floats(layer.bias))
                data = data[(8 + terms) * outputs:]
            for layer in self.layers[SHARED:]:
                file.write(pack_layer(layer))

    def read(self, path):
        """Reads weights that were written."""
        data = pathlib.Path(path).read_bytes()
        behind = data[count_bytes(Network().layers):]
        if not behind:
            sys.exit(f"edges.py: {path} has no network across a gap; train one by --gap alone")
        for layer, scale in zip(self.layers, self.scales):
            outputs = layer.weight.shape[0]
            other = torch.from_numpy(numpy.frombuffer(data, "<f4", outputs).copy()).cuda()
            data = unpack_layer(data, layer)
            own, bias = numpy.frombuffer(behind, "<f4", 2 * outputs).reshape(2, outputs).copy()
            scale.data.copy_(torch.from_numpy(own).cuda() / other)
            layer.bias.data.copy_(torch.from_numpy(bias))
            behind = behind[8 * outputs:]
        for layer in self.layers[SHARED:]:
            behind = unpack_layer(behind, layer)
        return self


@torch.compile(dynamic=True)
def add_distances(a, b):
    """Sums q / (1 + q), q the squared distance of a group, as in compare_rank.cl.

    a and b are [batch, GROUP, pixels, tiles], the result is [batch, tiles of a, tiles of b].
    """
    q = sum((x[..., :, None] - y[..., None, :]) ** 2 for x, y in zip(a.unbind(1), b.unbind(1)))
    return (q / (1 + q)).sum(1)


@torch.compile(dynamic=True)
def find_slopes(a, b, slopes):
    """Gives the slopes of the sums' arguments, without keeping the distances of all pixels."""
    d = [x[..., :, None] - y[..., None, :] for x, y in zip(a.unbind(1), b.unbind(1))]
    factor = 2 * slopes[:, None] / (1 + sum(x ** 2 for x in d)) ** 2
    return [(factor * x).sum(3) for x in d], [-(factor * x).sum(2) for x in d]


class Distances(torch.autograd.Function):
    """add_distances, with find_slopes as its derivative."""

    @staticmethod
    def forward(context, a, b):
        context.save_for_backward(a, b)
        return add_distances(a, b)

    @staticmethod
    def backward(context, slopes):
        a, b = find_slopes(*context.saved_tensors, slopes)
        return torch.stack(a, 1), torch.stack(b, 1)


def take_groups(values, half):
    """Takes one half of the outputs of two sides, [batch, tiles, 2, pixels, OUTPUTS], as
    [2 * batch, GROUP, pixels and groups, tiles]."""
    groups = values.unflatten(4, (2, -1, GROUP))[..., half, :, :]
    return groups.permute(2, 0, 5, 3, 4, 1).flatten(3, 4).flatten(0, 1)


def find_costs(network, inputs):
    """Compares right sides of all tiles with left ones of all, and lower sides with upper ones.

    Returns [2 * batch, tiles, tiles], in means over pixels and groups.
    """
    values = network(inputs.flatten(0, 2)).unflatten(0, inputs.shape[:3])
    back, ahead = values.split(2, 2)
    back = back.flip(3)
    sums = Distances.apply(torch.cat([take_groups(ahead, 1), take_groups(back, 1)]),
                           torch.cat([take_groups(back, 0), take_groups(ahead, 0)]))
    ahead, back = sums.chunk(2)
    costs = (ahead + back.mT) * (2 * GROUP / OUTPUTS / values.shape[3])
    return costs + 9 * torch.eye(costs.shape[1])  # no tile is its own neighbor


def compare(network, inputs, columns):
    """Gives for right and lower sides the costs, and the pairs of tiles that are neighbors."""
    right, lower = find_costs(network, inputs).chunk(2)
    tile = torch.arange(inputs.shape[1]).view(-1, columns)
    return [(right, tile[:, :-1].flatten(), tile[:, 1:].flatten()),
            (lower, tile[:-1].flatten(), tile[1:].flatten())]


def find_loss(network, inputs, columns):
    """Gives the mean cross-entropy of the true neighbor among all tiles, both ways."""
    loss = 0
    for costs, first, second in compare(network, inputs, columns):
        logits = costs * -network.log_scale.exp()
        for rows, true, other in ((logits, first, second), (logits.mT, second, first)):
            target = other.expand(len(logits), -1).flatten()
            loss = loss + F.cross_entropy(rows[:, true].flatten(0, 1), target) / 4
    return loss


@torch.no_grad()
def measure(network, held):
    """Gives the share of edges of puzzles whose true partner is the best, in percent, in a dict."""
    tile = 28
    columns, rows = held[0].shape[2] // tile, held[0].shape[1] // tile
    images = torch.stack([image[:, :rows * tile, :columns * tile] for image in held]).float()
    table = {}
    for name, (noise, quality, is_told, lost) in network.KINDS.items():
        torch.manual_seed(1)
        hits = []
        for part in images.split(12):
            each = torch.ones(len(part))
            spoils = noise * each, quality * each, each > 0, each * is_told > 0
            for costs, first, second in compare(network, cut(part, tile, lost, spoils), columns):
                hits += [costs[:, first].argmin(2) == second,
                         costs[:, :, second].argmin(1) == first]
        table[name] = 100 * torch.cat([hit.flatten() for hit in hits]).float().mean().item()
    return table


def print_table(network, folders):
    """Measures the pictures of folders, which are a dict of lists, and prints a table."""
    tables = [measure(network, held) for held in folders.values()]
    print("\n| puzzle |" + "".join(f" {folder} |" for folder in folders))
    print("|---|" + "---:|" * len(folders))
    for name in network.KINDS:
        print(f"| {name} |" + "".join(f" {table[name]:.1f} |" for table in tables))


def vary_colors(images):
    """Exchanges the colors of half of the images [batch, 3, height, width], and lowers or raises
    the contrast of half of them."""
    count = images.shape[0]
    order = torch.where(torch.rand(count, 1) < 0.5, torch.rand(count, 3).argsort(1),
                        torch.arange(3))
    images = images[torch.arange(count)[:, None], order]
    factor = torch.where(torch.rand(count) < 0.5, 0.5 + 0.7 * torch.rand(count), 1)
    middle = 255 * torch.rand(count)
    factor, middle = (x[:, None, None, None] for x in (factor, middle))
    return middle + factor * (images - middle)


def make_batch(pictures, eroded, rng):
    """Makes puzzles by chance, that share of them of eroded tiles; returns the network's input and
    the number of columns. One picture, drawn by chance, says how large they are; the others are
    drawn from those that are large enough."""
    tile = rng.choice(TILES)
    lost = min(rng.choice(LOST), tile // 7) if rng.random() < eroded else 0
    first = rng.choice(pictures)
    columns, rows = (min(most, int(SCALE * size) // tile)
                     for most, size in zip(GRID, (first.shape[2], first.shape[1])))
    width, height = columns * tile, rows * tile
    fitting = [picture for picture in pictures if find_scale(picture, width, height) <= SCALE]
    count = min(48, BATCH // (4 * columns * rows * (tile - 2 * lost)))
    images = torch.stack([take_part(picture, width, height, rng)
                          for picture in rng.choices(fitting, k=count)])
    images = vary_colors(sharpen(images))
    is_gray = torch.rand(count, 1, 1, 1) < 0.1
    gray = torch.einsum("j,bjhw->bhw", TO_YCC[0], images)[:, None]
    images = torch.where(is_gray, gray, images).round().clamp(0, 255)
    return cut(images, tile, lost, draw_spoils(count, lost > 0)), columns


def save_state(options, parts, rng, step):
    """Saves all that training goes on from, and the options, which have to be the same then."""
    chance = rng.getstate(), torch.get_rng_state(), torch.cuda.get_rng_state()
    saved = [part.state_dict() for part in parts]
    torch.save((name_options(options), saved, chance, step), f"{options.state}.new")
    pathlib.Path(f"{options.state}.new").replace(options.state)


def load_state(options, parts, rng):
    """Loads what save_state saved, and returns the step."""
    named, saved, chance, step = torch.load(options.state, map_location="cpu", weights_only=False)
    if named != name_options(options):
        sys.exit(f"edges.py: {options.state} is of a training with {named}; remove it, or name"
                 " another one by --state")
    for part, state in zip(parts, saved):
        part.load_state_dict(state)
    rng.setstate(chance[0])
    torch.set_rng_state(chance[1])
    torch.cuda.set_rng_state(chance[2])
    return step


def name_options(options):
    """Gives the options that change what is trained."""
    names = [f"--{name}" for name in ("gap", "further") if getattr(options, name)]
    return " ".join(names + [f"--{name} {getattr(options, name)}"
                             for name in ("rate", "steps", "seed")])


def train(network, pictures, options):
    """Trains for options.steps; the rate rises for 500 steps, and then falls along a cosine."""
    steps, rng = options.steps, random.Random(options.seed)
    eroded = 1 if options.gap else ERODED
    trained = [part for part in network.parameters() if part.requires_grad]
    optimizer = torch.optim.AdamW(trained, lr=options.rate, weight_decay=1e-4, fused=True)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda n: min(1, (n + 1) / 500) * (0.5 + 0.5 * math.cos(math.pi * n / steps)))
    parts = network, optimizer, schedule
    first = load_state(options, parts, rng) if options.state.exists() else 0
    print(f"{steps} steps, seed {options.seed}, from step {first}", flush=True)
    compiled = torch.compile(network, dynamic=True)
    start, total = time.time(), 0
    for step in range(first + 1, steps + 1):
        inputs, columns = make_batch(pictures, eroded, rng)
        with torch.autocast("cuda", torch.bfloat16):
            loss = find_loss(compiled, inputs, columns)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1)
        optimizer.step()
        schedule.step()
        total = total + loss.detach()
        if step % 1000 == 0:
            print(f"step {step}, {time.time() - start:.0f} s, loss {total.item() / 1000:.4f}",
                  flush=True)
            total = 0
            save_state(options, parts, rng, step)


def list_pictures(folder):
    """Lists the pictures in a folder by name."""
    kinds = PIL.Image.registered_extensions()
    files = sorted(file for file in folder.glob("*") if file.suffix.lower() in kinds)
    if not files:
        sys.exit(f"edges.py: there is no picture in {folder}")
    return files


def load_all(files):
    """Loads pictures to train with."""
    pictures = [load(file) for file in files]
    for file, picture in zip(files, pictures):
        if min(picture.shape[1:]) < LEAST:
            sys.exit(f"edges.py: {file} is too small; a side has to have {LEAST} pixels")
    return pictures


def load_held(folder):
    """Loads pictures to measure, which are of one size."""
    held = [load(file) for file in list_pictures(folder)]
    if len({picture.shape for picture in held}) > 1:
        sys.exit(f"edges.py: the pictures in {folder} are not of one size")
    return held


def make_network(options):
    """Makes the network that the options ask for, with the weights that it begins with."""
    network = Network().cuda()
    if options.gap:
        network = GapNetwork(network.read(options.weights)).cuda()
    if options.further or options.check:
        network.read(options.weights)
    if options.gap or options.further:
        network.log_scale.data.fill_(math.log(SHARPNESS))
    return network


def main():
    """Reads the command line, trains, writes the weights, and prints a log with the table."""
    parser = argparse.ArgumentParser(description="Trains the networks of learned edges.")
    parser.add_argument("--gap", action="store_true", help="train the network across a gap, for"
                        " which --weights has to have the one for whole tiles")
    parser.add_argument("--further", action="store_true",
                        help="begin with the network in --weights")
    parser.add_argument("--rate", type=float, default=2e-3, help="the highest learning rate,"
                        " default: %(default)s; with --gap or --further 1e-3 is better")
    parser.add_argument("--steps", type=int, default=200000, help="default: %(default)s")
    parser.add_argument("--seed", type=int, default=1, help="default: %(default)s")
    parser.add_argument("--weights", default="stages/unscramble/network.weights",
                        help="the file of the weights, default: %(default)s")
    parser.add_argument("--state", default="network.state", type=pathlib.Path,
                        help="what training that was cut short goes on from, default: %(default)s")
    parser.add_argument("--check", action="store_true", help="only measure the weights")
    parser.add_argument("--held", action="append", default=[], metavar="FOLDER", type=pathlib.Path,
                        help="measure the pictures of this folder, all of one size; may be"
                        " given again")
    parser.add_argument("folders", nargs="*", metavar="FOLDER", type=pathlib.Path)
    options = parser.parse_args()
    if options.check and (options.folders or not options.held):
        parser.error("--check trains nothing; name folders to measure by --held")
    if not options.check and not options.folders:
        parser.error("name a folder of pictures to train with")

    torch.manual_seed(options.seed)
    network = make_network(options)
    held = {folder: load_held(folder) for folder in options.held}
    print(f"Python {platform.python_version()}, torch {torch.__version__}, CUDA"
          f" {torch.version.cuda}, numpy {numpy.__version__}, Pillow {PIL.__version__},"
          f" {torch.cuda.get_device_name()}")
    if options.folders:
        files = [file for folder in options.folders for file in list_pictures(folder)]
        digests = [hashlib.sha256(file.read_bytes()).digest() for file in files]
        print(f"{len(files)} pictures, SHA-256 {hashlib.sha256(b''.join(digests)).hexdigest()}")
        train(network, load_all(files), options)
        network.write(options.weights)
        options.state.unlink(missing_ok=True)
    if held:
        print_table(network, held)


if __name__ == "__main__":
    main()
