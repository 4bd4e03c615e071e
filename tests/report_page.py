"""The page of unscramble --report: its data, and how it works in headless Chromium, driven through
the debugging pipe by real events of mouse, touch and keyboard. Prints what is wrong, and how long
the page took to open.

    report_page.py PAGE JSON [ORDER FOLDER]

JSON and ORDER are what --json and --permutation wrote with the page. With ORDER the page is opened,
in the browser that CHROMIUM names. Tiles are moved, and FOLDER gets order.txt, which the page
exports, expected.txt, what that has to be, and shown.ppm, the solution as the page then shows it.
"""

import base64
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

SECONDS = 60  # to wait for anything


class Browser:
    def __init__(self, folder):
        to_browser, self.to = os.pipe()
        self.of, from_browser = os.pipe()
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{to_browser} 4>&{from_browser}', "-",
             os.environ["CHROMIUM"], "--headless", "--no-sandbox", "--disable-gpu",
             "--no-first-run", "--disable-background-networking", "--window-size=1280,800",
             f"--user-data-dir={folder}/profile", "--remote-debugging-pipe", "about:blank"],
            pass_fds=(to_browser, from_browser), stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer, self.count, self.session = b"", 0, None
        self.errors, self.requests = [], []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target,
                                 flatten=True)["sessionId"]
        for domain in "Page", "Runtime", "Log", "Network":
            self.call(domain + ".enable")

    def call(self, method, **params):
        self.count += 1
        message = {"id": self.count, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def receive(self):
        while b"\0" not in self.buffer:
            part = os.read(self.of, 1 << 16)
            if not part:
                raise RuntimeError("the browser has ended")
            self.buffer += part
        text, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(text)
        method, params = message.get("method"), message.get("params")
        if method == "Runtime.exceptionThrown":
            self.errors.append(params["exceptionDetails"])
        elif (method == "Runtime.consoleAPICalled" and
              params["type"] in ("error", "warning", "assert")):
            self.errors.append(params["args"])
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.errors.append(params["entry"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        return message

    def evaluate(self, code):
        answer = self.call("Runtime.evaluate", expression=code, awaitPromise=True,
                           returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{code}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def wait(self, code):
        end = time.monotonic() + SECONDS
        while not self.evaluate(code):
            if time.monotonic() > end:
                raise RuntimeError(f"waited in vain for {code}")
            time.sleep(0.05)

    def open(self, path):
        self.call("Page.navigate", url=pathlib.Path(path).absolute().as_uri())
        self.wait('performance.getEntriesByName("drawn").length')
        return self.evaluate('performance.getEntriesByName("drawn")[0].startTime')

    def mouse(self, kind, point, buttons):
        self.call("Input.dispatchMouseEvent", type=kind, x=point[0], y=point[1], button="left",
                  buttons=buttons, clickCount=1)

    def touch(self, kind, *points):
        self.call("Input.dispatchTouchEvent", type=kind,
                  touchPoints=[{"x": x, "y": y} for x, y in points])

    def press(self, key):
        text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, text=text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def click(self, element):
        self.evaluate(f'document.getElementById("{element}").scrollIntoView()')
        box = self.evaluate(
            f'document.getElementById("{element}").getBoundingClientRect().toJSON()')
        middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.mouse("mousePressed", middle, 1)
        self.mouse("mouseReleased", middle, 0)

    def end(self):
        self.call("Page.close")
        self.session = None
        self.call("Browser.close")
        self.process.wait(SECONDS)


def check(passed, what):
    if not passed:
        print(what)
        check.failures += 1


check.failures = 0


def page_data(path):
    """What the program told the page."""
    with open(path, encoding="utf-8") as page:
        line = next(line for line in page if line.startswith("const report = "))
    return json.loads(line.removeprefix("const report = ").removesuffix(";\n"))


def check_data(data, result):
    for name, value in result.items():
        if name == "stages":
            check([s["stage"] for s in value] == [s["stage"] for s in data["stages"]],
                  "stages differ")
        elif name.startswith("device"):
            check(data[name] == value, f"{name}: {data[name]}, not {value}")
        else:
            check(data["result"][name] == value, f"{name} is not that of --json")


class Order:
    """A file of --permutation: its lines as words, and where the tiles stand in them."""

    def __init__(self, text):
        self.lines = [line.split(" ") for line in text.splitlines()]
        self.places = [(row, i) for row, line in enumerate(self.lines)
                       for i, word in enumerate(line)
                       if line[0] not in ("#", "puzzle", "picture")]
        self.tiles = [self.lines[row][i] for row, i in self.places]

    def swap(self, a, b):
        self.tiles[a], self.tiles[b] = self.tiles[b], self.tiles[a]

    def turn(self, place, degrees):
        tile, _, turned = self.tiles[place].partition("@")
        degrees = (int(turned or 0) + degrees) % 360
        self.tiles[place] = f"{tile}@{degrees}" if degrees else tile

    def text(self):
        for (row, i), tile in zip(self.places, self.tiles):
            self.lines[row][i] = tile
        return "".join(" ".join(line) + "\n" for line in self.lines)


def middle_of(browser, place):
    """Where the middle of a place is on the screen."""
    return browser.evaluate("""(() => {
        const {x, y} = where(%d), box = canvas.getBoundingClientRect();
        const share = scale / devicePixelRatio;
        return [box.x + ((x + 0.5) * width - left) * share,
            box.y + ((y + 0.5) * height - up) * share];
    })()""" % place)


def drag(browser, a, b):
    a, b = middle_of(browser, a), middle_of(browser, b)
    browser.mouse("mousePressed", a, 1)
    browser.mouse("mouseMoved", ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2), 1)
    browser.mouse("mouseMoved", b, 1)
    browser.mouse("mouseReleased", b, 0)


def change_several(browser, result, order):
    """Fills the first empty place by the first tile that is left over; or swaps the first tiles of
    two images."""
    if "-" in order.tiles:
        used = {tile.partition("@")[0] for tile in order.tiles}
        spare = next(tile for tile in range(result["columns"] * result["rows"])
                     if str(tile) not in used)
        empty = order.tiles.index("-")
        drag(browser, len(order.tiles), empty)
        order.tiles[empty] = str(spare)
    else:
        second = result["solutions"][0]["columns"] * result["solutions"][0]["rows"]
        drag(browser, 0, second)
        order.swap(0, second)


def least_sure(result, taken):
    places = sorted(range(len(result["confidence"])),
                    key=lambda place: (result["confidence"][place], place))
    return next(place for place in places if place not in taken)


def change(browser, result, order):
    """Swaps by mouse, by touch and by keys, turns, and takes back; the same in `order`."""
    columns, rows = result["columns"], result["rows"]
    last = columns * rows - 1
    drag(browser, 0, last)
    order.swap(0, last)
    browser.touch("touchStart", middle_of(browser, 1))
    browser.touch("touchMove", middle_of(browser, columns))
    browser.touch("touchEnd")
    order.swap(1, columns)
    point = middle_of(browser, last - 1)
    browser.mouse("mousePressed", point, 1)
    browser.mouse("mouseReleased", point, 0)
    for key in "Enter", "ArrowUp", "Enter":
        browser.press(key)
    order.swap(last - 1, last - 1 - columns)
    place = least_sure(result, {0, last, 1, columns, last - 1, last - 1 - columns})
    browser.press("n")
    check(browser.evaluate("selected") == place, f"the least sure place is {place}")
    browser.press("r")
    order.turn(place, 90 if browser.evaluate("width === height") else 180)
    browser.press("n")
    browser.press("r")
    browser.click("turn")
    browser.press("u")
    browser.click("undo")
    browser.press("0")


def export(browser, folder):
    """Downloads the order by the link; the button has to copy the same."""
    path = os.path.join(folder, "order.txt")
    browser.call("Browser.setDownloadBehavior", behavior="allow",
                 downloadPath=os.path.abspath(folder))
    browser.click("download")
    end = time.monotonic() + SECONDS
    while not os.path.exists(path) and time.monotonic() < end:
        time.sleep(0.05)
    with open(path, encoding="ascii") as file:
        text = file.read()
    browser.call("Browser.grantPermissions",
                 permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
    browser.click("copy")
    browser.wait('document.getElementById("copied").textContent === "Copied."')
    check(browser.evaluate("navigator.clipboard.readText()") == text,
          "the copy is not what was downloaded")
    return text


def save_shown(browser, path):
    size = browser.evaluate("[sheet.width, sheet.height]")
    pixels = base64.b64decode(browser.evaluate(
        """(() => {
            const data = sheet.getContext("2d").getImageData(0, 0, sheet.width, sheet.height).data;
            let text = "";
            for (let i = 0; i < data.length; i += 4)
                text += String.fromCharCode(data[i], data[i + 1], data[i + 2]);
            return btoa(text);
        })()"""))
    with open(path, "wb") as file:
        file.write(f"P6\n{size[0]} {size[1]}\n255\n".encode() + pixels)


def try_page(page, data, result, order_path, folder):
    with open(order_path, encoding="ascii") as file:
        found = file.read()
    order = Order(found)
    with tempfile.TemporaryDirectory() as profile:
        browser = Browser(profile)
        opened = min(browser.open(page) for _ in range(3))  # others may be busy here
        print(f"opened in {opened:.0f} ms")
        check(opened < 2000, "it takes more than 2 s to open")
        check(browser.evaluate("document.title") == f"{data['input']}: report of unscramble",
              "the title")
        check(browser.evaluate("orderText()") == found, "the order is not that of --permutation")
        if "-" in order.tiles or len(result["solutions"]) > 1:
            change_several(browser, result, order)
        else:
            change(browser, result, order)
        text = export(browser, folder)
        check(text == order.text(), "the order that is exported is not that of the changes")
        check(text != found, "nothing is changed")
        with open(os.path.join(folder, "expected.txt"), "w", encoding="ascii") as file:
            file.write(order.text())
        save_shown(browser, os.path.join(folder, "shown.ppm"))
        check(not browser.errors, f"on the console: {browser.errors}")
        check(all(url.startswith(("file:", "data:", "blob:")) for url in browser.requests),
              f"asked for: {[url[:80] for url in browser.requests]}")
        browser.end()


def main(page, result_path, *browsed):
    with open(result_path, encoding="utf-8") as file:
        result = json.load(file)
    data = page_data(page)
    check_data(data, result)
    if browsed:
        try_page(page, data, result, *browsed)
    return check.failures > 0


sys.exit(main(*sys.argv[1:]))
