// A run that goes on: a card for each run of the folder, from the lines that it writes.
const main = document.getElementById("live"), said = document.getElementById("said");
const cards = new Map();
// A picture has at most mostPoints: on veth and live the counts of a line are of processes that each
// count for themselves, so that a rate over a short while is none.
const mostPoints = 100;
const mostLines = 1200, mostCards = 100, mostOpen = 4;

// kinds are the small pictures of a card: each has the value at a line, from the one before.
const rate = (field, scale) => (now, before) =>
  ((now[field] - before[field]) * scale) / (now.model_ps - before.model_ps);
const perMicrosecond = (field) => rate(field, 1e6), gigabits = (field) => rate(field, 8000);
const kinds = [
  {title: "Payload delivered", unit: "Gb/s", of: gigabits("delivered_bytes")},
  {title: "Payload sent", unit: "Gb/s", of: gigabits("sent_bytes")},
  {title: "Longest queue", unit: "B", of: (now, before, longest) => longest},
  {title: "Marks", unit: "per us", of: perMicrosecond("marks")},
  {title: "CNPs", unit: "per us", of: perMicrosecond("cnps")},
  {title: "XOFF", unit: "per us", of: perMicrosecond("xoffs")},
  {title: "Drops", unit: "per us", of: perMicrosecond("drops")},
];

const box = {width: 300, height: 80, above: 18};

// none is what a run has counted before its first line.
const none = {model_ps: 0, sent_bytes: 0, delivered_bytes: 0, marks: 0, cnps: 0, xoffs: 0, drops: 0};

function makeCard(run) {
  const card = {lines: [], drawn: [],
    verdict: element("span", {class: "verdict"}), words: element("span", {class: "words"}),
    bar: element("progress", {max: "1", "aria-label": "Model time of " + run}),
    facts: element("p", {class: "facts"}),
    queues: element("div", {class: "queues"})};
  const pictures = kinds.map((kind) => {
    const path = svgElement("path", {class: "line", d: ""});
    const figure = {kind, path, value: element("span", {class: "value"}), most: element("span", {class: "most"}),
      end: element("span", {class: "end"})};
    card.drawn.push(figure);
    const svg = svgElement("svg", {viewBox: `0 0 ${box.width} ${box.height}`, preserveAspectRatio: "none", role: "img",
      "aria-label": kind.title + " of " + run}, path);
    const caption = element("figcaption", {}, kind.title, " ", figure.value);
    return element("figure", {class: "small"}, caption, figure.most, svg,
      element("p", {class: "axis"}, element("span", {}, "0"), figure.end));
  });
  card.details = element("details", {open: "", class: "card", ontoggle: () => drawCard(card)},
    element("summary", {}, element("strong", {}, run), " ", card.verdict, " ", card.words),
    card.bar, card.facts, element("div", {class: "smalls"}, ...pictures), card.queues);
  main.prepend(card.details);
  return card;
}

function cardOf(run) {
  if (!cards.has(run)) {
    if (cards.size >= mostCards) return null;
    cards.set(run, makeCard(run));
    [...cards.values()].slice(0, -mostOpen).forEach((card) => { card.details.open = false; });
  }
  return cards.get(run);
}

// thin leaves every second line out once there are many: counts are from the run's start, so
// what lies between two lines is not lost.
function thin(card) {
  const last = card.lines.length - 1;
  if (last >= mostLines) card.lines = card.lines.filter((_, i) => i % 2 === 0 || i === last);
}

function takeLine(line) {
  const card = cardOf(line.run);
  if (!card) return;
  const last = card.lines.at(-1);
  if (last && line.model_ps === last.model_ps) card.lines.pop(); // a rate needs time
  card.lines.push(line);
  thin(card);
  if (line.ended) {
    if (!card.ended && cards.size > 1) card.details.open = false;
    card.ended = true;
  }
  card.changed = true;
}

const seconds = (ms) => (ms < 10000 ? (ms / 1000).toFixed(1) : String(Math.round(ms / 1000))) + " s";

// endOf is the model time at which a run ends, or does if its flows do not complete.
function endOf(line) {
  if (line.until_ps) return " of " + timeText(line.until_ps / 1e6);
  return line.limit_ps ? " of at most " + timeText(line.limit_ps / 1e6) : "";
}

// leftOf is the share of a run that is done and how long the rest takes at the pace so far, as far as they are known.
function leftOf(line) {
  const goes = line.left_ms && !said.classList.contains("killed");
  return [line.share ? `${(100 * line.share).toFixed(0)} %` : "", goes ? `about ${seconds(line.left_ms)} left` : ""]
    .filter(Boolean);
}

function drawCard(card) {
  const now = card.lines.at(-1);
  if (!now) return;
  const word = now.ended || now.verdict, class_ = "verdict " + word.split(/\W/)[0].toLowerCase();
  card.verdict.textContent = now.ended ? word.toUpperCase() : word + " so far";
  card.verdict.className = class_;
  card.words.textContent = [timeText(now.model_ps / 1e6) + endOf(now), `${now.completed} of ${now.flows} flows`,
    ...(now.ended ? [] : leftOf(now))].join(", ");
  if (!card.details.open) return;
  card.bar.hidden = !now.share || Boolean(now.ended);
  if (now.share) card.bar.value = now.share;
  const slow = now.model_ps > 0 ? (now.wall_ms * 1e9) / now.model_ps : 0;
  card.facts.textContent = [
    "on " + now.runner,
    "model time " + timeText(now.model_ps / 1e6) + endOf(now),
    seconds(now.wall_ms) + " on the wall" + (slow >= 1 ? `, ${short(slow)} times as long` : ""),
    withUnit(now.delivered_bytes, "B") + " delivered", `${now.marks} marks`, `${now.cnps} CNPs`, `${now.xoffs} XOFF`,
    `${now.drops} drops`,
  ].join(" · ");
  for (const figure of card.drawn) drawSmall(figure, card.lines);
  drawQueues(card, now);
}

// drawSmall draws a value over model time, from 0 to the largest that there was.
function drawSmall(figure, lines) {
  const points = [], end = lines.at(-1).model_ps;
  let before = none, longest = 0;
  for (const line of lines) {
    longest = Math.max(longest, line.queue_bytes);
    if (line.model_ps <= before.model_ps || line.model_ps - before.model_ps < end / mostPoints) continue;
    points.push([before.model_ps, line.model_ps, Math.max(figure.kind.of(line, before, longest), 0)]);
    before = line;
    longest = 0;
  }
  const most = Math.max(0, ...points.map((point) => point[2]));
  const x = (ps) => ((ps / (end || 1)) * box.width).toFixed(1);
  const y = (value) => (box.height - 1 - (value / (most || 1)) * (box.height - box.above)).toFixed(1);
  const step = ([from, to, value], i) => `${i ? "L" : "M"}${x(from)} ${y(value)}H${x(to)}`;
  figure.path.setAttribute("d", points.map(step).join(""));
  const unit = figure.kind.unit;
  figure.value.textContent = points.length ? withUnit(points.at(-1)[2], unit) : "";
  figure.most.textContent = most > 0 ? withUnit(most, unit) : "";
  figure.end.textContent = timeText(end / 1e6);
}

function drawQueues(card, now) {
  if (now.runner !== "mem") {
    card.queues.replaceChildren(element("p", {class: "left-out"},
      "Queues by port are only known on mem; on veth and live it is the longest of all."));
    return;
  }
  const list = now.ended ? [] : now.queues || [], most = Math.max(1, ...list.map((queue) => queue.bytes));
  const words = list.length > 0 ? "The longest queues by port, now:" : "No port has a queue now.";
  card.queues.replaceChildren(element("p", {class: "left-out"}, words),
    ...list.map((queue) => element("div", {class: "queue"}, element("span", {}, queue.port),
      element("meter", {min: "0", max: String(most), value: String(queue.bytes), "aria-label": queue.port}),
      element("span", {class: "value"}, withUnit(queue.bytes, "B")))));
}

function drawAll() {
  for (const card of cards.values()) {
    if (card.changed) drawCard(card);
    card.changed = false;
  }
  main.dataset.lines = String([...cards.values()].reduce((sum, card) => sum + card.lines.length, 0));
}

const states = {
  running: "The run goes on.",
  killed: "The run was killed: this is its last state. Variants that ended before are whole.",
  unfinished: "The run has not ended; it is unknown here whether it is still in progress.",
  silent: "The run has not reported anything yet.",
  gone: "The folder is gone: its run ended without one, or it was removed.",
};

function listen() {
  const source = new EventSource(main.dataset.source);
  const on = (name, act) => source.addEventListener(name, (event) => act(JSON.parse(event.data)));
  source.addEventListener("open", () => {
    cards.clear();
    main.replaceChildren();
  });
  on("lines", (lines) => {
    lines.forEach(takeLine);
    requestAnimationFrame(drawAll);
  });
  on("state", (state) => { said.textContent = states[state] || state; said.className = "state " + state; });
  on("trouble", (text) => { said.textContent = text; });
  on("gone", () => { source.close(); said.textContent = states.gone; });
  on("closed", () => { source.close(); location.replace(main.dataset.report); });
  source.addEventListener("error", () => { said.textContent = "The server does not answer."; });
}

listen();
