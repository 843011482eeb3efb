// What the specs have done with a page; each answers with what a reader would see.
"use strict";
const fs = require("node:fs/promises");

const plotOf = (page, job) => page.locator(`figure[id="${job.plot || "queue-plot"}"]`);

async function boxOf(page, job) {
  const over = plotOf(page, job).locator(".u-over");
  await over.scrollIntoViewIfNeeded();
  return over.boundingBox();
}

// open shows the table of values behind a picture, if it is not open.
async function openTable(page, job) {
  const details = plotOf(page, job).locator("details.values");
  await details.evaluate((element) => { element.open = true; });
  await page.waitForTimeout(100);
}

// timesShown are the times of the table behind a picture, as it is.
const timesShown = async (page, job) => {
  await page.waitForTimeout(100);
  return plotOf(page, job).locator("details.values tbody th").allTextContents();
};

// pictures counts the canvases that have something drawn on them.
const pictures = (page) => page.evaluate(() => [...document.querySelectorAll("canvas")].filter((canvas) => {
  const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  return pixels.some((value) => value !== 0);
}).length);

// rows are the times of the values that are in view, by the table behind the picture.
async function rows(page, job) {
  const details = plotOf(page, job).locator("details.values");
  const close = () => details.evaluate((element) => { element.open = false; });
  await close();
  await openTable(page, job);
  const times = await timesShown(page, job);
  await close();
  return times;
}

// follow leaves the table behind a picture open while the picture is zoomed.
async function follow(page, job) {
  await openTable(page, job);
  const all = await timesShown(page, job);
  await plotOf(page, {plot: job.other}).locator(".place").focus();
  await page.keyboard.press("+");
  await page.keyboard.press("+");
  const zoomed = await timesShown(page, job);
  await page.keyboard.press("0");
  return {all, zoomed, back: await timesShown(page, job)};
}

async function readouts(page, job) {
  const plot = plotOf(page, job);
  const lines = await plot.locator(".legend button").evaluateAll((buttons) => buttons.map((button) => ({
    name: button.querySelector("span").textContent,
    value: button.querySelector(".value").textContent,
    shown: button.getAttribute("aria-pressed") === "true",
  })));
  return {clock: await plot.locator(".clock").textContent(), spoken: await plot.locator(".spoken").textContent(), lines};
}

// look opens the page and says how it is there.
async function look(page) {
  return page.evaluate(() => {
    const [timing] = performance.getEntriesByType("navigation");
    const root = document.documentElement, body = getComputedStyle(document.body);
    const wide = [...document.querySelectorAll("body *")].filter((element) =>
      !element.closest(".scroll, .sheet, svg, .u-wrap") && element.getBoundingClientRect().right > root.clientWidth + 1);
    return {
      ready: root.dataset.ready === "yes",
      ms: Math.round(timing.loadEventEnd),
      ground: body.backgroundColor,
      text: body.color,
      clientWidth: root.clientWidth,
      scrollWidth: root.scrollWidth,
      wide: wide.map((element) => element.tagName + "." + element.className + " in " + element.closest("[id]")?.id),
      plots: document.querySelectorAll("figure.plot").length,
      tables: document.querySelectorAll("div.table").length,
      unreached: [...document.querySelectorAll("body *")].filter((element) =>
        element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflowX === "auto" &&
        (element.tabIndex < 0 || !element.classList.contains("cut"))).map((element) => element.closest("[id]").id),
      foreign: document.querySelectorAll("img, b").length + document.scripts.length - 2,
    };
  }).then(async (found) => ({...found, pictures: await pictures(page)}));
}

// hover moves the pointer to parts of a picture's width.
async function hover(page, job) {
  const box = await boxOf(page, job);
  const tall = () => plotOf(page, job).evaluate((figure) => figure.offsetHeight);
  const at = [], rest = await tall();
  for (const part of job.at) {
    await page.mouse.move(box.x + box.width * part, box.y + box.height / 2);
    await page.waitForTimeout(50);
    const {y} = await plotOf(page, job).locator(".u-over").boundingBox();
    at.push({...await readouts(page, job), grown: await tall() - rest, moved: y - box.y});
  }
  return {at};
}

// zoom drags over the middle half of a picture, then shows all again; then the same by keys.
async function zoom(page, job) {
  const found = {all: await rows(page, job)};
  let box = await boxOf(page, job);
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width / 4, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, y, {steps: 4});
  await page.mouse.move(box.x + box.width * 3 / 4, y, {steps: 4});
  await page.mouse.up();
  found.dragged = await rows(page, job);
  found.elsewhere = await rows(page, {plot: job.other});
  await boxOf(page, job);
  await plotOf(page, job).getByRole("button", {name: "all", exact: true}).click();
  found.back = await rows(page, job);
  await plotOf(page, job).locator(".place").focus();
  await page.keyboard.press("+");
  await page.keyboard.press("+");
  found.plus = await rows(page, job);
  await plotOf(page, job).locator(".place").focus();
  await page.keyboard.press("-");
  found.minus = await rows(page, job);
  await plotOf(page, job).locator(".place").focus();
  await page.keyboard.press("0");
  found.zero = await rows(page, job);
  box = await boxOf(page, job);
  await page.mouse.dblclick(box.x + 5, box.y + box.height / 2);
  found.double = await rows(page, job);
  return found;
}

// saved is what a click on a button saves.
async function saved(page, button) {
  const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
  return {name: download.suggestedFilename(), text: await fs.readFile(await download.path(), "utf8")};
}

// download saves a picture's values and the picture, and the first table, of which html has all digits.
async function download(page, job) {
  const tools = plotOf(page, job).locator(".tools").first();
  return {
    csv: await saved(page, tools.getByRole("button", {name: "CSV", exact: true})),
    svg: await saved(page, tools.getByRole("button", {name: "SVG", exact: true})),
    table: await saved(page, page.locator(`div.table[id="${job.table}"] > button`)),
    html: await page.locator(`div.table[id="${job.table}"] table`).evaluate((table) => [...table.rows].map((row) =>
      [...row.cells].map((cell) => cell.dataset.name || cell.tagName === "TD" && cell.title || cell.textContent))),
  };
}

// press goes through the page by tab and says where the focus was.
async function press(page) {
  const stops = [];
  const all = await page.evaluate(() => [...document.querySelectorAll("button, select, summary, [tabindex]")]
    .filter((element) => element.checkVisibility() && element.getBoundingClientRect().width > 0).length);
  for (let i = 0; i < all + 5; i++) {
    await page.keyboard.press("Tab");
    const stop = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return null;
      const style = getComputedStyle(element), list = [...document.querySelectorAll("*")];
      return {what: element.tagName.toLowerCase(), at: list.indexOf(element),
        name: element.getAttribute("aria-label") || element.textContent.trim().slice(0, 40),
        outline: style.outlineStyle === "none" ? 0 : parseFloat(style.outlineWidth)};
    });
    if (!stop) break;
    stops.push(stop);
  }
  return {all, stops};
}

// jump follows each link to a section, and says how far below what stays on top its title comes.
async function jump(page) {
  const links = page.locator("nav a"), below = [];
  for (let i = 0; i < await links.count(); i++) {
    await links.nth(i).click();
    await page.waitForTimeout(50);
    below.push(await page.evaluate(() => {
      const bar = document.querySelector("nav").getBoundingClientRect();
      const title = document.querySelector(location.hash).getBoundingClientRect();
      const end = document.documentElement.scrollHeight - innerHeight - scrollY < 1;
      return {top: title.top - bar.bottom, stuck: bar.top === 0, end, height: innerHeight};
    }));
  }
  return {below};
}

// names says what has no name for those who do not see it, and the levels of the titles.
async function names(page) {
  return page.evaluate(() => {
    const said = (element) => element.getAttribute("aria-label") ||
      document.getElementById(element.getAttribute("aria-labelledby"))?.textContent || element.textContent.trim();
    const nameless = [...document.querySelectorAll("button, select, input, summary, a, [role], section, nav")]
      .filter((element) => !element.closest("[aria-hidden]") && !said(element));
    const pictures = [...document.querySelectorAll("svg")].filter((svg) => !svg.closest("[aria-hidden]"));
    const silent = pictures.filter((svg) => !svg.querySelector("title")?.textContent || !svg.querySelector("desc")?.textContent);
    return {nameless: nameless.map((element) => element.outerHTML.slice(0, 80)), pictures: pictures.length,
      silent: silent.map((svg) => svg.outerHTML.slice(0, 80)),
      canvases: [...document.querySelectorAll("canvas")].map((canvas) => canvas.closest("[role]")?.getAttribute("aria-label")),
      titles: [...document.querySelectorAll("h1, h2, h3, h4")].map((title) => Number(title.tagName[1])),
      language: document.documentElement.lang};
  });
}

// slide moves the slider of a map by keys, and says which arrows are there.
async function slide(page, job) {
  const figure = page.locator(`figure[id="${job.plot}"]`);
  const slider = figure.locator('input[type="range"]');
  const at = [];
  await slider.focus();
  for (const key of job.keys) {
    await page.keyboard.press(key);
    at.push({said: await figure.locator(".tools output").textContent(),
      arrows: await figure.locator("[data-shares]").evaluateAll((arrows) => arrows
        .filter((arrow) => arrow.getBoundingClientRect().width > 0)
        .map((arrow) => ({by: arrow.dataset.by, held: arrow.dataset.held, opacity: Number(arrow.getAttribute("opacity"))})))});
  }
  return {at};
}

// keys has the cursor of a picture moved by keys alone, and a line hidden.
async function keys(page, job) {
  await plotOf(page, job).locator(".place").focus();
  const read = [];
  for (const key of job.keys) {
    await page.keyboard.press(key);
    await page.waitForTimeout(50);
    read.push(await readouts(page, job));
  }
  return {at: read};
}

// legend hides the first line of a picture and shows it again.
async function legend(page, job) {
  const states = () => page.evaluate((name) => [...document.querySelectorAll("figure.plot")].flatMap((figure) =>
    [...figure.querySelectorAll(".legend button")].filter((button) => button.querySelector("span").textContent === name)
      .map((button) => ({plot: figure.id, shown: button.getAttribute("aria-pressed") === "true"}))), job.line);
  const hues = () => plotOf(page, job).locator("canvas").evaluate((canvas) => {
    const copy = Object.assign(document.createElement("canvas"), {width: canvas.width, height: canvas.height});
    const drawn = copy.getContext("2d");
    drawn.drawImage(canvas, 0, 0);
    const pixels = drawn.getImageData(0, 0, canvas.width, canvas.height).data, count = {};
    for (let i = 0; i < pixels.length; i += 4) {
      if (pixels[i + 3] < 255) continue;
      const hue = [pixels[i], pixels[i + 1], pixels[i + 2]].join(" ");
      count[hue] = (count[hue] || 0) + 1;
    }
    return count;
  });
  const drawn = () => page.evaluate(() => [...document.querySelectorAll("#completion-picture .hue-0")]
    .filter((element) => element.getBoundingClientRect().width > 0).length);
  const button = plotOf(page, job).locator(".legend button").filter({hasText: job.line}).first();
  const found = {before: await states(), huesBefore: await hues(), drawnBefore: await drawn()};
  await button.focus();
  await page.keyboard.press("Enter");
  await page.waitForTimeout(100);
  Object.assign(found, {hidden: await states(), huesHidden: await hues(), drawnHidden: await drawn()});
  await button.click();
  await page.mouse.move(1, 1);
  await page.waitForTimeout(100);
  return Object.assign(found, {after: await states(), huesAfter: await hues(), drawnAfter: await drawn()});
}

// bars says where the parts of the bars are, as shares of the bar's place, and where a click on each link leads to.
async function bars(page) {
  const rows = await page.locator(".bar-row[id]").evaluateAll((all) => all.map((row) => {
    const place = row.querySelector("svg.parts").getBoundingClientRect();
    const parts = [...row.querySelectorAll("svg.parts g")].map((part) => {
      const box = part.querySelector("rect").getBoundingClientRect();
      const labels = [...part.querySelectorAll("text")].filter((text) => getComputedStyle(text).display !== "none");
      return {from: (box.left - place.left) / place.width, to: (box.right - place.left) / place.width,
        labels: labels.length, room: Math.min(...labels.map((text) => box.width - text.getBoundingClientRect().width))};
    });
    return {id: row.id, us: row.querySelector("[data-from]").title, parts,
      links: [...row.querySelectorAll("a")].map((link) => link.getAttribute("href").slice(1))};
  }));
  const led = [];
  for (const link of await page.locator(".bar-row[id] a").all()) {
    await link.click();
    await page.waitForTimeout(50);
    led.push(await link.evaluate((element) => {
      const target = document.getElementById(element.getAttribute("href").slice(1));
      const box = target?.getBoundingClientRect();
      return Boolean(box) && box.top < innerHeight && box.bottom > 0;
    }));
  }
  const focus = await page.locator(".legend button.focus").allTextContents();
  return {rows, led, focus, marked: await page.locator("tr.found").count()};
}

// map saves the bars as a file, and presses the ends of links of a map; of each it says which queue is shown then.
async function map(page, job) {
  const bars = await saved(page, page.locator("#why-bars > .tools").getByRole("button", {name: "SVG", exact: true}));
  const drawn = await page.evaluate((text) => {
    const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    return {name: root.nodeName, texts: [...root.querySelectorAll("text")].map((one) => one.textContent),
      hatched: root.querySelectorAll('[fill="url(#hatch)"]').length};
  }, bars.text);
  const led = [];
  for (const end of await page.locator(`figure[id="${job.plot}"] path.end`).all()) {
    await end.focus();
    await page.keyboard.press("Enter");
    led.push({port: await end.evaluate((one) => one.dataset.node + ":" + one.dataset.port),
      queue: await page.locator("#queue-plot .tools").evaluate((tools) =>
        (tools.querySelector("select")?.selectedOptions[0] || tools.querySelector(".label")).textContent)});
  }
  return {drawn, led, hot: await page.locator(`figure[id="${job.plot}"] path.hot`).count()};
}

// sort presses the head of a table's column twice, and says what is in it before and after, with all digits.
async function sort(page, job) {
  const table = page.locator(`div.table[id="${job.table}"] table`);
  const column = () => table.evaluate((element, name) => {
    const at = [...element.tHead.rows[0].cells].findIndex((head) => (head.dataset.name || head.textContent) === name);
    return [...element.tBodies[0].rows].map((row) => row.cells[at].title || row.cells[at].textContent);
  }, job.line);
  const named = table.locator(`thead th[data-name="${job.line}"] button`);
  const head = named.or(table.locator("thead button").filter({hasText: new RegExp(`^${job.line}$`)}));
  const found = {before: await column()};
  await head.click();
  found.once = await column();
  await head.click();
  return {...found, twice: await column()};
}

// pdf prints the page to a file.
async function pdf(page, job) {
  await page.evaluate(() => addEventListener("beforeprint", () => {
    document.documentElement.dataset.papers = document.querySelectorAll("div.paper > svg").length;
  }));
  await page.pdf({path: job.out, printBackground: true, format: "A4"});
  return {papers: Number(await page.evaluate(() => document.documentElement.dataset.papers)),
    left: await page.locator("div.paper").count()};
}

// shoot takes a picture of the whole page, or of how it comes to paper.
async function shoot(page, job) {
  if (job.media === "print") {
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await page.emulateMedia({media: "print"});
  }
  for (const at of job.at || []) {
    const box = await boxOf(page, job);
    await page.mouse.move(box.x + box.width * at, box.y + box.height / 2);
  }
  await page.waitForTimeout(150);
  await page.screenshot({path: job.out, fullPage: true});
  return {};
}

// tick shows two runs of the list side by side.
async function tick(page) {
  const rows = await page.locator("table.runs tbody tr").allTextContents();
  for (const box of await page.locator('input[name="run"]').all()) await box.check();
  await page.getByRole("button", {name: "side by side"}).click();
  await page.waitForFunction(() => document.documentElement.dataset.ready === "yes");
  return {rows, titles: await page.locator(".tile h2").allTextContents()};
}

// more zooms in until what the page has merged would be seen.
async function more(page, job) {
  await page.waitForFunction(() => document.documentElement.dataset.ready === "yes");
  const plot = plotOf(page, job);
  await openTable(page, job);
  const before = (await timesShown(page, job)).slice(0, 50);
  await plot.locator(".place").focus();
  for (let i = 0; i < 5; i++) await page.keyboard.press("+");
  const asked = (id) => document.getElementById(id).dataset.more;
  if (job.address) await page.waitForFunction(asked, job.plot || "queue-plot");
  await page.waitForTimeout(200);
  const from = await plot.locator("td[data-from]")
    .evaluateAll((cells) => cells.slice(0, 20).map((cell) => cell.dataset.from));
  return {before, after: (await timesShown(page, job)).slice(0, 50), from,
    more: await plot.evaluate((figure) => figure.dataset.more || "")};
}

// steal has a page of another origin try what scripts can to read an address.
async function steal(page, job) {
  const got = await page.evaluate(async (address) => {
    const late = () => new Promise((done) => setTimeout(() => done("nothing in time"), 3000));
    const tried = (promise) => Promise.race([promise, late()]).catch((error) => "nothing: " + error.message);
    const loads = (name, attributes) => new Promise((done) => {
      const made = Object.assign(document.createElement(name), attributes);
      made.onload = () => done(name === "iframe" ? frame(made) : "loaded");
      made.onerror = () => done("nothing: error");
      document.body.append(made);
    });
    const frame = (made) => {
      try {
        return made.contentDocument ? made.contentDocument.body.textContent || "nothing in it" : "nothing: another's";
      } catch (error) {
        return "nothing: " + error.message;
      }
    };
    return {
      fetch: await tried(fetch(address).then((answer) => answer.text())),
      opaque: await tried(fetch(address, {mode: "no-cors"})
        .then(async (answer) => (await answer.text()) || "nothing in it")),
      post: await tried(fetch(address, {method: "POST"}).then((answer) => answer.text())),
      script: await tried(loads("script", {src: address + "series"})),
      image: await tried(loads("img", {src: address})),
      frame: await tried(loads("iframe", {src: address})),
    };
  }, job.other);
  return {got};
}

const text = async (page) => ({text: (await page.locator("body").innerText()).trim()});

// live watches a run that stands still, has its process go on, and waits until its page is a report.
async function live(page, job) {
  await page.waitForSelector(".card .words:not(:empty)");
  const seen = await page.locator(".card summary").allTextContents();
  process.kill(job.pid, "SIGCONT");
  await page.waitForFunction(() => document.documentElement.dataset.ready === "yes", null, {timeout: 120000});
  return {seen, titles: await page.locator(".tile h2").allTextContents()};
}

module.exports = {bars, map, sort, tick, more, steal, text, live, look, hover, zoom, follow, download, press, keys, legend, pdf, shoot, jump, names, slide};
