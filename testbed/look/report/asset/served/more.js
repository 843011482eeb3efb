// More of a series than the page has, from the server that shows the page: where bins were
// merged, the stretch of time that is shown, and as much on both sides. What is asked takes
// the place of the line's values until another stretch is shown.
const settled = 150;

// keepWhole puts by what the page had of a line.
function keepWhole(line) {
  if (line.whole) return;
  const {first, width, merged, decimals, values, times, end} = points(line);
  line.whole = {first, width, merged, decimals, values, times, end};
}

const showWhole = (line) => Object.assign(line, line.whole, {from: undefined, to: undefined});
const isStretch = (line) => line.from !== undefined;

// covers says whether a line has a stretch of time as well as it can be had: with no bin
// merged, or with so many as fit.
const covers = (line, min, max) => isStretch(line) && line.from <= min && line.to >= max &&
  (line.merged === 1 || max - min > (line.to - line.from) / 4);

async function fetchStretch(line, from, to, signal) {
  const answer = await fetch(`${line.asks}&from=${from.toFixed(6)}&to=${to.toFixed(6)}`, {signal});
  if (!answer.ok) throw new Error(await answer.text());
  const {first, width_ps: width, merged, decimals, values} = await answer.json();
  const times = values.map((_, i) => ((first + i) * width) / 1e6);
  return {first, width, merged, decimals, values, times, end: ((first + values.length) * width) / 1e6, from, to};
}

function redrawLines(plot) {
  plot.chart.setData(joined(plot.curves), false);
  plot.chart.redraw(true, true);
  readOut(plot);
  renewValues(plot);
}

async function more(plot, number) {
  const {min, max} = plot.chart.scales.x, span = max - min;
  const lines = plot.view.lines.filter((line) => line.asks);
  const all = span > 0.9 * (plot.whole[1] - plot.whole[0]);
  if (all || lines.every((line) => covers(line, min, max))) return;
  lines.forEach(keepWhole);
  const shown = plot.view, {signal} = plot.asking = new AbortController();
  try {
    const from = Math.max(min - span, 0), to = max + span;
    const found = await Promise.all(lines.map((line) => fetchStretch(line, from, to, signal)));
    if (number !== plot.asked || shown !== plot.view) return;
    lines.forEach((line, i) => found[i].values.length > 0 && Object.assign(line, found[i]));
    plot.figure.dataset.more = String(number);
    redrawLines(plot);
  } catch (error) {
    if (!signal.aborted) plot.figure.dataset.more = "none"; // the page has what it had
  }
}

askMore = (plot) => {
  if (!plot.chart) return;
  const {min, max} = plot.chart.scales.x;
  const number = plot.asked = (plot.asked || 0) + 1;
  clearTimeout(plot.settling);
  if (plot.asking) plot.asking.abort();
  const beyond = plot.view.lines.filter((line) => isStretch(line) &&
    (min < line.from - 1e-6 || max > line.to + 1e-6));
  if (beyond.length > 0) {
    beyond.forEach(showWhole);
    requestAnimationFrame(() => redrawLines(plot));
  }
  plot.settling = setTimeout(() => more(plot, number), settled);
};
