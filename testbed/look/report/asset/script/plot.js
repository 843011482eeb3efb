// A plot: uPlot, fed with the lines of a view.
const plots = [];

const plotHeight = 260;

// askMore is called when another stretch of time is shown; a page that a server shows asks that
// for more then, and a file has all that there is.
let askMore = () => {};

// unitOf is the unit of what is shown.
const unitOf = (plot) => plot.view.unit ?? plot.spec.unit;

const isCurve = (line) => line.kind !== "tick" && line.kind !== "dot";

// joined lays the curves of a view on one axis of time. Behind a line's last bin its value
// goes on to the bin's end, so that one bin is a line too.
function joined(lines) {
  const tables = lines.map((line) => {
    points(line);
    const open = line.values.length > 0;
    const last = line.kind === "hold" ? line.values.findLast((value) => value !== null) : line.values.at(-1);
    return [line.times.concat(open ? [line.end] : []), line.values.concat(open ? [last ?? null] : [])];
  });
  return tables.length > 0 ? uPlot.join(tables) : [[]];
}

function seriesOf(plot, line) {
  const edge = line.kind === "low" || line.kind === "high";
  return {
    label: line.name,
    stroke: () => (edge ? "transparent" : line.kind === "fair" ? colour("text") : hueOf(line)),
    width: isMarked(line) ? 2 : plot.curves.length > 8 && line.kind !== "fair" ? 1 : 1.5,
    dash: dashOf(line),
    paths: uPlot.paths.stepped({align: 1}),
    spanGaps: true,
    points: {show: false},
    show: !isHidden(line),
  };
}

// peersOf are the curves of the pictures that have one axis with a picture, of the views that are called as its own.
const peersOf = (plot) => (plot.peers || []).flatMap((spec) =>
  spec.views.filter((view) => view.label === plot.view.label).flatMap((view) => view.lines.filter(isCurve)));

// extentOf is the least value, at most 0, and the largest of the lines that are shown, in the
// stretch of time that is. A fair share may be beyond: it is no value of the run.
function extentOf(plot, from, to) {
  let least = 0, most = 0;
  const all = [];
  for (const line of plot.curves.concat(peersOf(plot))) {
    if (isHidden(line) || line.kind === "fair") continue;
    const width = line.width / 1e6;
    points(line).values.forEach((value, i) => {
      if (value === null || (!plot.spec.share && value <= most && value >= least)) return;
      if (line.kind !== "hold" && (line.times[i] + width < from || line.times[i] > to)) return;
      least = Math.min(least, value);
      most = Math.max(most, value);
      all.push(value);
    });
  }
  return [least, plot.spec.share ? common(all, most) : most];
}

// common is the end of an axis that a few values far beyond all others, such as the last flow's of many, do not stretch:
// they are cut off at the upper edge, until a reader zooms in on them.
function common(all, most) {
  if (all.length < 400) return most;
  const usual = all.sort((a, b) => a - b)[Math.floor(all.length * 0.99)];
  return usual > 0 && most > 2 * usual ? 1.5 * usual : most;
}

// rangeOf is the range of values: from 0, up to the levels where the values come near.
function rangeOf(plot, from, to) {
  const [least, most] = extentOf(plot, from, to);
  let top = most > 0 || least < 0 ? most : 1;
  for (const level of [...plot.view.levels || []].sort((a, b) => a.value - b.value)) {
    if (top > level.value / 4) top = Math.max(top, level.value);
  }
  const room = (top - least) * (0.08 + (lanesOf(plot) * laneHeight) / plotHeight);
  return [least < 0 ? least - room : 0, top + room];
}

function axes(plot) {
  const common = {stroke: () => colour("text"), grid: {stroke: () => colour("grid"), width: 1},
    ticks: {stroke: () => colour("grid"), width: 1}, font: "12px system-ui, sans-serif"};
  return [
    {...common, size: 34, space: 70, values: (u, list) => {
      const [scale, unit] = timeUnit(u.scales.x.max - u.scales.x.min);
      return list.map((us, i) => +(us / scale).toPrecision(10) + (i === list.length - 1 ? " " + unit : ""));
    }},
    {...common, size: 74, values: (u, list) => list.map((value) => withUnit(value, unitOf(plot)))},
  ];
}

function draw(plot) {
  const place = plot.place;
  const zoom = plot.chart ? [plot.chart.scales.x.min, plot.chart.scales.x.max] : plot.whole;
  if (plot.chart) plot.chart.destroy();
  plot.curves = plot.view.lines.filter(isCurve);
  const bands = [];
  plot.curves.forEach((line, i) => {
    if (line.kind === "high") bands.push({series: [i + 1, i], fill: () => hueOf(line) + "40"});
  });
  const options = {
    width: Math.max(place.clientWidth, 200),
    height: plotHeight,
    legend: {show: false},
    focus: {alpha: 0.25},
    cursor: {sync: {key: "time" + plot.spec.time, setSeries: false}, drag: {x: true, y: false}, focus: {prox: 24},
      points: {size: 6, fill: (u, i) => hueOf(plot.curves[i - 1])}},
    scales: {
      x: {time: false, min: zoom[0], max: zoom[1], range: (u, from, to) => (to > from ? [from, to] : plot.whole)},
      y: {range: (u) => rangeOf(plot, u.scales.x.min ?? plot.whole[0], u.scales.x.max ?? plot.whole[1]),
        distr: plot.log ? 4 : 1, asinh: unitOf(plot) === "B" ? 1000 : 0.1},
    },
    axes: axes(plot),
    series: [{}, ...plot.curves.map((line) => seriesOf(plot, line))],
    bands,
    hooks: {
      drawClear: [() => drawLevels(plot)],
      draw: [() => drawMarks(plot), () => drawLabels(plot)],
      setCursor: [() => readOut(plot)],
      setSeries: [(u, i) => { plot.focused = i > 0 ? plot.curves[i - 1] : null; readOut(plot); u.redraw(false); }],
      setScale: [(u, key) => key === "x" && (shareZoom(plot), renewValues(plot), askMore(plot))],
    },
  };
  plot.chart = new uPlot(options, joined(plot.curves), place);
  drawLegend(plot);
}

// All pictures of a scenario show one stretch of time, at first all from the run's begin on.
let sharing = false;

function wholeOf(specs, time) {
  const lines = specs.filter((spec) => spec.time === time).flatMap((spec) => spec.views.flatMap((view) => view.lines));
  const to = Math.max(0, ...lines.map((line) => ((line.first + line.count) * line.width) / 1e6));
  return [0, to || 1];
}

function shareZoom(from) {
  if (sharing || !from.chart || !(from.chart.scales.x.max > from.chart.scales.x.min)) return;
  sharing = true;
  const {min, max} = from.chart.scales.x;
  for (const plot of plots) {
    if (plot !== from && plot.spec.time === from.spec.time) plot.chart.setScale("x", {min, max});
  }
  sharing = false;
}

function zoomTo(plot, min, max) {
  if (max - min > 1e-6) plot.chart.setScale("x", {min, max});
}

function redrawAll() {
  for (const plot of plots) plot.chart.redraw(false, true);
}
