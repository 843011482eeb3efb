// Keys of a picture: arrows move the cursor, + and - zoom around it, 0 shows all.
function moveCursor(plot, bins) {
  const u = plot.chart, times = u.data[0];
  if (times.length === 0) return;
  const inside = (i) => times[i] >= u.scales.x.min && times[i] <= u.scales.x.max;
  let first = 0, last = times.length - 1;
  while (first < last && !inside(first)) first++;
  while (last > first && !inside(last)) last--;
  const now = u.cursor.idx === null || u.cursor.idx === undefined ? first - Math.sign(bins) : u.cursor.idx;
  const next = Math.min(Math.max(now + bins, first), last);
  u.setCursor({left: u.valToPos(times[next], "x"), top: u.bbox.height / devicePixelRatio / 2});
}

// moveFocus goes to another line that is shown.
function moveFocus(plot, by) {
  const shown = plot.curves.filter((line) => !isHidden(line) && line.kind !== "fair");
  if (shown.length === 0) return;
  const next = shown[(shown.indexOf(plot.focused) + by + shown.length) % shown.length];
  plot.chart.setSeries(plot.curves.indexOf(next) + 1, {focus: true});
}

function zoomBy(plot, factor) {
  const u = plot.chart;
  const {min, max} = u.scales.x;
  const at = u.cursor.idx === null || u.cursor.idx === undefined ? (min + max) / 2 : u.data[0][u.cursor.idx];
  const from = Math.max(at - (at - min) * factor, plot.whole[0]);
  const to = Math.min(at + (max - at) * factor, plot.whole[1]);
  zoomTo(plot, from, to);
}

const showAll = (plot) => zoomTo(plot, plot.whole[0], plot.whole[1]);

function onKey(plot, event) {
  const far = event.shiftKey ? 10 : 1;
  const actions = {
    ArrowLeft: () => moveCursor(plot, -far),
    ArrowRight: () => moveCursor(plot, far),
    ArrowUp: () => moveFocus(plot, -1),
    ArrowDown: () => moveFocus(plot, 1),
    "+": () => zoomBy(plot, 0.5),
    "=": () => zoomBy(plot, 0.5),
    "-": () => zoomBy(plot, 2),
    "0": () => showAll(plot),
    Home: () => showAll(plot),
  };
  if (!actions[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  actions[event.key]();
  speak(plot);
}
