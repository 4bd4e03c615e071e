// A page on which the answer that `report` holds is judged and mended; `picture` is the puzzle.
"use strict";
const find = id => document.getElementById(id);
const canvas = document.querySelector("canvas"), context = canvas.getContext("2d");
const result = report.result, image = new Image(), NONE = -1;
const isSquare = report.tile_width === report.tile_height;

// Places are numbered as in the file of the order; those after the last solution are for tiles that
// are left over. Each grid has the number of its first place and where it lies, in tiles.
const order = result.permutation.map(tile => tile === null ? NONE : tile);
const turns = result.turns.map(degrees => degrees / 90); // quarters, clockwise
const moved = order.map(() => 0); // how many changes by hand there are at a place
const steps = []; // those changes, to be taken back
const grids = layOut();
const size = { // of all, in tiles
    columns: Math.max(...grids.map(grid => grid.x + grid.columns)),
    rows: Math.max(...grids.map(grid => grid.y + grid.rows)),
};
let width = 1, height = 1; // of a tile in the picture, pixels
let sheet = null; // what is solved, in the picture's pixels
let scale = 0, left = 0, up = 0, isWhole = true, isWaiting = false; // as in a map; 0: not drawn yet
let selected = NONE, held = NONE, bySurety = null, rank = -1; // places; the place in bySurety
const pointers = new Map(); // those that are down
let press = null; // what the only one is about: {place, x, y, isDrag}
const density = () => window.devicePixelRatio || 1;

// Solutions stand in lines that make about a square, what is left over below them.
function layOut() {
    const all = [], places = order.length;
    const widest = Math.max(...result.solutions.map(s => s.columns));
    const most = Math.max(widest, Math.ceil(Math.sqrt(1.5 * places)));
    let x = 0, y = 0, line = 0, first = 0;
    for (const {columns, rows} of result.solutions) {
        if (x && x + columns > most)
            [x, y, line] = [0, y + line + 1, 0];
        all.push({first, columns, rows, x, y});
        x += columns + 1;
        line = Math.max(line, rows);
        first += columns * rows;
    }
    const used = new Set(order), spare = [];
    for (let tile = 0; tile < result.columns * result.rows; tile++)
        if (!used.has(tile))
            spare.push(tile);
    if (!spare.length && !used.has(NONE))
        return all;
    const columns = Math.max(widest, Math.ceil(Math.sqrt(spare.length)));
    const rows = Math.ceil(spare.length / columns) + 1;
    all.push({first, columns, rows, x: 0, y: y + line + 1, isSpare: true});
    for (let i = 0; i < columns * rows; i++) {
        order.push(i < spare.length ? spare[i] : NONE);
        turns.push(0);
        moved.push(0);
    }
    return all;
}

const gridOf = place => grids.findLast(grid => grid.first <= place);

// Where a place is: its grid, and column and row in that and in all.
function where(place) {
    const grid = gridOf(place), at = place - grid.first;
    const column = at % grid.columns, row = Math.floor(at / grid.columns);
    return {grid, column, row, x: grid.x + column, y: grid.y + row};
}

// The place at a point, given in tiles, or NONE.
function placeAt(x, y) {
    const grid = grids.find(g =>
        x >= g.x && x < g.x + g.columns && y >= g.y && y < g.y + g.rows);
    return grid ?
        grid.first + Math.floor(y - grid.y) * grid.columns + Math.floor(x - grid.x) : NONE;
}

// The probability that the tile at a place is right; 1 where there is no question of that.
function surety(place) {
    const isPlaced = Number.isInteger(result.permutation[place]);
    return result.confidence && isPlaced ? result.confidence[place] : 1;
}

// Draws a tile with its top left corner at (x, y), turned.
function drawTile(to, tile, turn, x, y) {
    const [a, b] = [[1, 0], [0, 1], [-1, 0], [0, -1]][turn];
    to.save();
    to.transform(a, b, -b, a, x + width / 2, y + height / 2);
    to.drawImage(image, tile % result.columns * width, Math.floor(tile / result.columns) * height,
        width, height, -width / 2, -height / 2, width, height);
    to.restore();
}

function drawPlace(place) {
    const to = sheet.getContext("2d"), {x, y} = where(place);
    to.clearRect(x * width, y * height, width, height);
    if (order[place] !== NONE)
        return drawTile(to, order[place], turns[place], x * width, y * height);
    to.fillStyle = "#8884";
    to.fillRect(x * width, y * height, width, height);
    to.clearRect((x + 0.08) * width, (y + 0.08) * height, 0.84 * width, 0.84 * height);
}

// Frames a place from the inside; `thickness` in pixels of the screen.
function frame(place, color, thickness, dashes = []) {
    const {x, y} = where(place);
    const line = Math.min(thickness * density() / scale, width / 8, height / 8);
    context.strokeStyle = color;
    context.lineWidth = line;
    context.setLineDash(dashes.map(dash => dash * line));
    context.strokeRect(x * width + line / 2, y * height + line / 2, width - line, height - line);
}

function drawFrames() {
    const bound = Number(find("bound").value);
    for (let place = 0; place < order.length; place++)
        if (moved[place]) {
            frame(place, "#39f", 2, [2, 2]);
        } else if (surety(place) < bound) {
            const share = surety(place) / bound;
            frame(place, `hsl(${Math.round(60 * share)} 100% 50%)`, 3 - share);
        }
}

// Shows the puzzle, as large as its solutions, on the left of the divider.
function drawPuzzle() {
    const end = find("slider").value / 100 * canvas.width;
    const solved = grids.filter(grid => !grid.isSpare);
    const across = Math.max(...solved.map(grid => grid.x + grid.columns)) * width;
    const down = Math.max(...solved.map(grid => grid.y + grid.rows)) * height;
    const share = Math.min(across / image.width, down / image.height);
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.beginPath();
    context.rect(0, 0, end, canvas.height);
    context.clip();
    context.clearRect(0, 0, end, canvas.height);
    context.setTransform(scale, 0, 0, scale, -left * scale, -up * scale);
    context.drawImage(image, 0, 0, image.width * share, image.height * share);
    context.restore();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = "#39f";
    context.fillRect(end - density(), 0, 2 * density(), canvas.height);
}

function draw() {
    isWaiting = false;
    canvas.width = canvas.clientWidth * density();
    canvas.height = canvas.clientHeight * density();
    if (isWhole) {
        scale = Math.min(canvas.width / (size.columns * width),
            canvas.height / (size.rows * height));
        left = (size.columns * width - canvas.width / scale) / 2;
        up = (size.rows * height - canvas.height / scale) / 2;
    }
    context.setTransform(scale, 0, 0, scale, -left * scale, -up * scale);
    context.imageSmoothingEnabled = scale < 3;
    context.imageSmoothingQuality = "high";
    context.drawImage(sheet, 0, 0);
    drawFrames();
    if (Number(find("slider").value))
        drawPuzzle();
    context.setTransform(scale, 0, 0, scale, -left * scale, -up * scale);
    if (selected !== NONE) {
        frame(selected, "#000", 5);
        frame(selected, "#fff", 3, held === selected ? [2, 1] : []);
    }
    if (press && press.isDrag) {
        const at = pointOf(press.last), place = placeAt(at.x, at.y);
        if (place !== NONE)
            frame(place, "#39f", 4);
        context.globalAlpha = 0.8;
        drawTile(context, order[press.place], turns[press.place], (at.x - 0.5) * width,
            (at.y - 0.5) * height);
        context.globalAlpha = 1;
    }
}

function show() {
    if (!isWaiting)
        requestAnimationFrame(draw);
    isWaiting = true;
}

// The point of all, in tiles, that lies below a pointer.
function pointOf(event) {
    const box = canvas.getBoundingClientRect();
    return {x: ((event.clientX - box.left) * density() / scale + left) / width,
        y: ((event.clientY - box.top) * density() / scale + up) / height};
}

// Zooms so that the point of the window stays where it is.
function zoom(factor, clientX, clientY) {
    const box = canvas.getBoundingClientRect();
    const wanted = Math.max(0.01, Math.min(64, scale * factor));
    left += (clientX - box.left) * density() * (1 / scale - 1 / wanted);
    up += (clientY - box.top) * density() * (1 / scale - 1 / wanted);
    scale = wanted;
    isWhole = false;
    show();
}

function zoomMiddle(factor) {
    const box = canvas.getBoundingClientRect();
    zoom(factor, (box.left + box.right) / 2, (box.top + box.bottom) / 2);
}

function pan(x, y) {
    left -= x * density() / scale;
    up -= y * density() / scale;
    isWhole = false;
    show();
}

function select(place) {
    selected = place;
    tell();
    show();
}

// Selects a place and sees to it that it is on the screen, and large enough.
function visit(place) {
    const {x, y} = where(place), tile = width * scale / density();
    if (tile < 24)
        zoomMiddle(40 / tile);
    const [across, down] = [canvas.width / scale, canvas.height / scale]; // of what is seen
    const [middleX, middleY] = [(x + 0.5) * width, (y + 0.5) * height];
    if (!isWhole && Math.abs(middleX - left - across / 2) > across / 2 - width)
        left = middleX - across / 2;
    if (!isWhole && Math.abs(middleY - up - down / 2) > down / 2 - height)
        up = middleY - down / 2;
    select(place);
}

function tell() {
    find("changes").textContent = `${moved.filter(count => count).length} places are changed by ` +
        "hand (dashed in blue).";
    find("undo").disabled = !steps.length;
    find("turn").disabled = selected === NONE || order[selected] === NONE;
    find("below").textContent = Number(find("bound").value).toFixed(2);
    if (selected === NONE) {
        find("place").textContent = "Choose a tile, or drag one.";
        return;
    }
    const {grid, column, row} = where(selected), tile = order[selected];
    const number = result.solutions.length > 1 ? `image ${grids.indexOf(grid) + 1}, ` : "";
    let text = grid.isSpare ? "Left over: " :
        `Place ${selected} (${number}column ${column}, row ${row}, counted from 0): `;
    text += tile === NONE ? "empty" : `tile ${tile}`;
    text += turns[selected] ? `, turned by ${turns[selected] * 90} degrees` : "";
    if (moved[selected])
        text += ", changed by hand";
    else if (result.confidence && tile !== NONE && !grid.isSpare)
        text += `, right with probability ${surety(selected).toFixed(2)}`;
    text += held !== NONE ? `. Tile ${order[held]} is taken.` : ".";
    find("place").textContent = text;
}

// Changes by hand. A step is {a, b}, whose tiles change places, or {a, by}, a turn.
function carryOut(step, count) {
    const {a, b, by} = step, places = by ? [a] : [a, b];
    if (by) {
        turns[a] = (turns[a] + by + 4) % 4;
    } else {
        [order[a], order[b]] = [order[b], order[a]];
        [turns[a], turns[b]] = [turns[b], turns[a]];
    }
    for (const place of places) {
        moved[place] += count;
        drawPlace(place);
    }
}

function change(step) {
    carryOut(step, 1);
    steps.push(step);
}

function swap(a, b) {
    if (a !== b && (order[a] !== NONE || order[b] !== NONE))
        change({a, b});
    select(b);
}

function turn(sign) {
    if (selected !== NONE && order[selected] !== NONE)
        change({a: selected, by: isSquare ? sign : 2});
    select(selected);
}

function undo() {
    const step = steps.pop();
    held = NONE;
    if (step) {
        carryOut({...step, by: step.by && -step.by}, -1);
        visit(step.a);
    }
}

// The next place in the order of their probabilities that nobody has changed.
function nextDoubtful(step) {
    bySurety ||= [...result.confidence.keys()].filter(place => result.permutation[place] !== null)
        .sort((a, b) => surety(a) - surety(b) || a - b);
    let next = rank + step;
    while (bySurety[next] !== undefined && moved[bySurety[next]])
        next += step;
    if (bySurety[next] === undefined)
        return;
    rank = next;
    visit(bySurety[rank]);
    find("place").textContent += ` Number ${rank + 1} of ${bySurety.length}, the least sure first.`;
}

// The order as --permutation writes it.
function orderText() {
    const lines = ["# which tile of the shuffled picture goes where"], {columns, rows} = result;
    if (result.left_out)
        lines.push("without lines");
    const solved = grids.filter(grid => !grid.isSpare);
    if (solved.length > 1 || solved[0].columns !== columns || solved[0].rows !== rows)
        lines.push(`puzzle ${columns}x${rows}`);
    for (const grid of solved) {
        if (solved.length > 1)
            lines.push("picture");
        for (let row = 0; row < grid.rows; row++) {
            const first = grid.first + row * grid.columns;
            lines.push(order.slice(first, first + grid.columns).map((tile, i) =>
                (tile === NONE ? "-" : tile) +
                (turns[first + i] ? `@${turns[first + i] * 90}` : "")).join(" "));
        }
    }
    return lines.join("\n") + "\n";
}

// Moves the chosen place, over gaps between grids too.
function step(x, y) {
    let at = selected === NONE ? {x: -x, y: -y} : where(selected), next = NONE;
    at = {x: at.x + x, y: at.y + y};
    while (next === NONE && at.x >= 0 && at.y >= 0 && at.x < size.columns && at.y < size.rows) {
        next = placeAt(at.x, at.y);
        at = {x: at.x + x, y: at.y + y};
    }
    if (next !== NONE)
        visit(next);
}

function takeOrPut() {
    const from = held;
    held = from === NONE && selected !== NONE && order[selected] !== NONE ? selected : NONE;
    if (from !== NONE)
        swap(from, selected);
    select(selected);
}

canvas.onpointerdown = event => {
    const at = pointOf(event), place = placeAt(at.x, at.y);
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, event);
    press = pointers.size > 1 || event.shiftKey || event.button || place === NONE ? null :
        {place, x: event.clientX, y: event.clientY, last: event, isDrag: false};
};
canvas.onpointermove = event => {
    const before = pointers.get(event.pointerId);
    if (!before)
        return;
    const other = [...pointers.values()].find(pointer => pointer.pointerId !== event.pointerId);
    const apart = at => Math.hypot(at.clientX - other.clientX, at.clientY - other.clientY);
    pointers.set(event.pointerId, event);
    if (press) {
        press.last = event;
        press.isDrag ||= order[press.place] !== NONE &&
            Math.hypot(event.clientX - press.x, event.clientY - press.y) > 5;
        show();
        return;
    }
    const share = other ? 0.5 : 1;
    if (other && apart(before) > 0)
        zoom(apart(event) / apart(before), (event.clientX + other.clientX) / 2,
            (event.clientY + other.clientY) / 2);
    pan(share * (event.clientX - before.clientX), share * (event.clientY - before.clientY));
};
canvas.onpointerup = canvas.onpointercancel = event => {
    const done = press, at = pointOf(event), place = placeAt(at.x, at.y);
    pointers.delete(event.pointerId);
    press = null;
    show();
    if (!done || event.type === "pointercancel")
        return;
    held = NONE;
    if (done.isDrag && place !== NONE)
        swap(done.place, place);
    else
        select(done.place);
};
canvas.onwheel = event => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.002)), event.clientX, event.clientY);
};
const whole = () => { isWhole = true; show(); };
onkeydown = event => {
    const isInput = event.target instanceof HTMLInputElement || event.target === find("text");
    const inPicture = {
        ArrowLeft: () => step(-1, 0), ArrowRight: () => step(1, 0), ArrowUp: () => step(0, -1),
        ArrowDown: () => step(0, 1), Enter: takeOrPut, " ": takeOrPut,
        Escape: () => { held = NONE; press = null; select(selected); },
    };
    const anywhere = {
        n: () => nextDoubtful(1), p: () => nextDoubtful(-1), r: () => turn(1), R: () => turn(-1),
        u: undo, "+": () => zoomMiddle(1.5), "=": () => zoomMiddle(1.5),
        "-": () => zoomMiddle(1 / 1.5), 0: whole,
    };
    const action = event.target === canvas && inPicture[event.key] ||
        !isInput && (event.ctrlKey || event.metaKey ? {z: undo} : anywhere)[event.key];
    if (!action)
        return;
    event.preventDefault();
    action();
};
find("next").onclick = () => nextDoubtful(1);
find("previous").onclick = () => nextDoubtful(-1);
find("turn").onclick = () => turn(1);
find("undo").onclick = undo;
find("larger").onclick = () => zoomMiddle(1.5);
find("smaller").onclick = () => zoomMiddle(1 / 1.5);
find("whole").onclick = whole;
find("slider").oninput = show;
find("bound").oninput = () => { tell(); show(); };
find("download").onclick = () =>
    find("download").href = URL.createObjectURL(new Blob([orderText()], {type: "text/plain"}));
find("copy").onclick = async () => {
    try {
        await navigator.clipboard.writeText(orderText());
        find("copied").textContent = "Copied.";
    } catch { // the browser does not let the page
        find("text").hidden = false;
        find("text").value = orderText();
        find("text").select();
        find("copied").textContent = "Press Ctrl+C.";
    }
};
onresize = show;

function addRow(table, ...cells) {
    const row = find(table).insertRow();
    cells.forEach((text, i) => {
        const cell = i ? row.insertCell() : row.appendChild(document.createElement("th"));
        cell.textContent = text;
        cell.className = text.endsWith(" s") ? "number" : "";
    });
}

const quote = word => /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

function describe() {
    const {probability, score} = result;
    const doubtful = order.filter((tile, place) => surety(place) < 0.5).length;
    const cut = report.cut[0] ? ` --tile ${report.cut.join("x")}` : "";
    const missing = result.permutation.includes(null) ? ` --missing-color ${report.missing}` : "";
    document.title = `${report.input}: report of unscramble`;
    document.querySelector("h1").textContent =
        `${report.input}: ${result.columns} x ${result.rows} tiles`;
    find("verdict").textContent = result.confidence ? "The answer is right with probability " +
        `${probability.toFixed(2)}; ${doubtful} of its tiles are doubtful (below 0.50).` : "";
    find("doubt").hidden = !result.confidence;
    find("apply").textContent = `unscramble --apply order.txt${cut}${missing} ` +
        `${quote(report.input)} ${quote(report.output)}`;
    addRow("facts", "command", ["unscramble", ...report.command.map(quote)].join(" "));
    addRow("facts", "version", `Tessera ${report.version}`);
    addRow("facts", "puzzle", `${result.width} x ${result.height} pixels, ${result.columns} x ` +
        `${result.rows} tiles of ${report.tile_width} x ${report.tile_height}`);
    addRow("facts", "shown", width < report.tile_width ?
        `scaled down, ${width} x ${height} pixels a tile; the order is for the puzzle itself` :
        "at full size");
    addRow("facts", "solutions", result.solutions.map(s => `${s.columns} x ${s.rows}`).join(", "));
    addRow("facts", "dissimilarity", result.dissimilarity || "none");
    if (result.cost !== null)
        addRow("facts", "cost", `${result.cost}` + (result.runner_up_cost === null ? "" :
            `; the next best ${result.runner_up_cost}, margin ${result.margin.toFixed(2)}`));
    if (score)
        addRow("facts", "score", `direct ${(100 * score.direct).toFixed(2)} %, ` +
            `neighbor ${(100 * score.neighbor).toFixed(2)} %, ` +
            `largest ${(100 * score.largest).toFixed(2)} %`);
    addRow("facts", "device", `${report.device} (${report.device_name})`);
    for (const {stage, summary, wall_s} of report.stages)
        addRow("stages", stage, summary, `${wall_s.toFixed(3)} s`);
    addRow("stages", "all", "",
        `${report.stages.reduce((all, s) => all + s.wall_s, 0).toFixed(3)} s`);
}

image.onload = () => {
    width = image.width / result.columns;
    height = image.height / result.rows;
    sheet = document.createElement("canvas");
    sheet.width = size.columns * width;
    sheet.height = size.rows * height;
    for (let place = 0; place < order.length; place++)
        drawPlace(place);
    describe();
    tell();
    draw();
    performance.mark("drawn");
};
image.src = picture;
