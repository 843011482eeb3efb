// The legend: a button a line, which shows and hides it, with its value under the cursor.
// shapes are what a line looks like in the legend: the fair share and marked flows are lines, pauses are a bar.
const shapes = {
  fair: () => svgElement("path", {d: "M0 5h4m2 0h4"}),
  slowest: () => svgElement("path", {d: "M0 5h10"}),
  median: () => svgElement("path", {d: "M0 5h4m2 0h4"}),
  fastest: () => svgElement("path", {d: "M0 5h2m2 0h2m2 0h2"}),
  tick: () => svgElement("rect", {width: 10, height: 4}),
};

function swatch(line) {
  const colours = line.kind === "fair" ? "fair" : line.mark === "rest" ? "rest" : "hue-" + (line.hue % hues.length);
  const shape = shapes[line.mark] || shapes[line.kind] || (() => svgElement("rect", {width: 10, height: 10}));
  return svgElement("svg", {class: "swatch " + colours, viewBox: "0 0 10 10", "aria-hidden": "true"}, shape());
}

// What a reader hid is hidden in all pictures and views: by its colour and name, as a
// variant is a line in many.
const hidden = new Set();
const nameOf = (line) => line.hue + " " + line.name;
const isHidden = (line) => hidden.has(nameOf(line));

function toggle(line) {
  if (!hidden.delete(nameOf(line))) hidden.add(nameOf(line));
  for (const plot of plots) {
    plot.curves.forEach((curve, i) => {
      if (nameOf(curve) === nameOf(line)) plot.chart.setSeries(i + 1, {show: !isHidden(curve)});
    });
    for (const [shown, output] of plot.readouts) output.parentElement.setAttribute("aria-pressed", String(!isHidden(shown)));
    plot.chart.redraw(false);
  }
  hideVariant(line.hue);
}

// hideVariant hides a variant in drawings of several, once each of its runs' queues is
// hidden, and shows it again.
function hideVariant(hue) {
  const runs = plots.filter((plot) => plot.spec.id === "queue-plot").flatMap((plot) => plot.view.lines)
    .filter((line) => line.kind === "step" && line.hue === hue);
  for (const figure of document.querySelectorAll("figure.drawing")) {
    const drawn = [...figure.querySelectorAll('[class*="hue-"]')];
    if (new Set(drawn.map((mark) => /hue-\d/.exec(mark.getAttribute("class"))[0])).size < 2) continue;
    for (const mark of drawn) {
      if (mark.classList.contains("hue-" + (hue % hues.length))) mark.classList.toggle("off", runs.length > 0 && runs.every(isHidden));
    }
  }
}

// orderOf puts the flows in colour before those in grey.
const places = ["slowest", "median", "fastest"];
const orderOf = (line) => (isMarked(line) ? places.indexOf(line.mark) : places.length);

function drawLegend(plot) {
  plot.readouts = new Map();
  const lines = plot.view.lines.filter((line) => line.kind !== "dot");
  lines.sort((a, b) => orderOf(a) - orderOf(b));
  const list = lines.map((line) => {
    const value = element("span", {class: "value"});
    plot.readouts.set(line, value);
    return element("button", {type: "button", "aria-pressed": String(!isHidden(line)), onclick: () => toggle(line)},
      swatch(line), element("span", {}, line.name), ...(isMarked(line) ? [element("em", {}, line.mark)] : []), value);
  });
  const kinds = [...new Set(plot.view.lines.filter((line) => line.kind === "dot").map((line) => line.name))];
  const words = {
    CNP: isCrowded(plot) ? "strokes below: CNPs of the line under the pointer" : "strokes below: CNPs",
    NAK: "triangle: NAK", timeout: "cross: timeout",
  };
  plot.legend.replaceChildren(...list, ...kinds.map((kind) => element("span", {class: "sign"}, words[kind] || kind)));
  readOut(plot);
}

// readOut writes the values under the cursor.
function readOut(plot) {
  const u = plot.chart;
  if (!u || !plot.readouts) return;
  const at = u.cursor.idx;
  const known = at !== null && at !== undefined && u.data[0].length > 0;
  plot.clock.textContent = known ? timeText(u.data[0][at]) : "";
  for (const [line, output] of plot.readouts) {
    const i = plot.curves.indexOf(line);
    let value = null;
    if (known && i >= 0) {
      const held = u.data[i + 1];
      let back = at;
      while (back > 0 && (held[back] === undefined || (line.kind === "hold" && held[back] === null))) back--;
      if (u.data[0][at] <= points(line).end) value = held[back];
    } else if (known) {
      const bin = Math.floor((u.data[0][at] * 1e6) / line.width + 1e-9) - line.first;
      value = points(line).values[bin] || 0;
    }
    output.textContent = known ? (i >= 0 ? withUnit(value, unitOf(plot)) : value > 0 ? "paused" : "") : "";
    output.parentElement.classList.toggle("focus", plot.focused === line);
  }
}

// mostSpoken is how many values a reader listens to at a time.
const mostSpoken = 4;

// speak says what keys have come to, for those who do not see the cursor: the line in focus, or
// the first lines.
function speak(plot) {
  const read = [...plot.readouts].filter(([line, output]) => output.textContent !== "" && !isHidden(line) &&
    (!plot.focused || plot.focused === line)).slice(0, mostSpoken);
  plot.spoken.textContent =
    [plot.clock.textContent, ...read.map(([line, output]) => line.name + " " + output.textContent)].join(", ");
}
