// What is drawn around the curves: levels below them, pauses, events and the levels' names above.
const fontOfLevels = 11;

// levelsOf are the levels in view, the lowest first.
const levelsOf = (plot, top) =>
  (plot.view.levels || []).filter((level) => level.value <= top).sort((a, b) => a.value - b.value);

// labelsOf are the names of levels, each above its line at y; what would lie over another is
// with it in one text, above the higher line.
function labelsOf(plot, levels, y, room) {
  const labels = [];
  for (const level of levels) {
    const text = level.name + " " + withUnit(level.value, unitOf(plot)), at = y(level.value);
    const below = labels.at(-1);
    if (below && below.at - at < room) {
      below.text += ", " + text;
      below.at = at;
    } else labels.push({text, at});
  }
  return labels;
}

function drawLevels(plot) {
  const u = plot.chart;
  if (!u || u.scales.y.max === undefined) return;
  const {left, top, width, height} = u.bbox, ctx = u.ctx;
  const levels = levelsOf(plot, u.scales.y.max);
  const at = (value) => u.valToPos(value, "y", true);
  ctx.save();
  const kmin = levels.find((level) => level.name === "Kmin"), kmax = levels.find((level) => level.name === "Kmax");
  if (kmin) {
    const upper = kmax ? at(kmax.value) : top;
    ctx.fillStyle = colour("shade");
    ctx.fillRect(left, Math.max(upper, top), width, at(kmin.value) - Math.max(upper, top));
  }
  for (const level of levels) {
    const y = at(level.value);
    ctx.strokeStyle = colour("level");
    ctx.setLineDash([4 * devicePixelRatio, 4 * devicePixelRatio]);
    ctx.beginPath();
    ctx.moveTo(left, y);
    ctx.lineTo(left + width, y);
    ctx.stroke();
  }
  ctx.restore();
}

// drawLabels writes the names of the levels, on a ground of their own: lines pass below.
function drawLabels(plot) {
  const u = plot.chart, ctx = u.ctx, size = fontOfLevels * devicePixelRatio;
  const right = u.bbox.left + u.bbox.width - 4 * devicePixelRatio;
  ctx.save();
  ctx.font = size + "px system-ui, sans-serif";
  ctx.textAlign = "right";
  ctx.textBaseline = "alphabetic";
  const y = (value) => u.valToPos(value, "y", true);
  for (const {text, at} of labelsOf(plot, levelsOf(plot, u.scales.y.max), y, 1.4 * size)) {
    const wide = ctx.measureText(text).width + 0.6 * size;
    ctx.fillStyle = colour("ground");
    ctx.globalAlpha = 0.85;
    ctx.fillRect(right - wide + 0.3 * size, at - 1.25 * size, wide, 1.15 * size);
    ctx.globalAlpha = 1;
    ctx.fillStyle = colour("soft");
    ctx.fillText(text, right, at - 0.35 * size);
  }
  ctx.restore();
}

// isCrowded says whether CNPs of all lines would hide the lines, so that they are there for the
// line under the pointer.
const isCrowded = (plot) => plot.curves.length > 3;

// isShown says whether a mark is drawn.
function isShown(plot, mark) {
  if (mark.kind === "tick") return !isHidden(mark);
  const line = plot.view.lines[mark.on];
  return !isHidden(line) && (mark.name !== "CNP" || !isCrowded(plot) || plot.focused === line);
}

// marksShown are the marks of a plot that are drawn; pauses have a lane each at the upper edge.
const marksShown = (plot) => plot.view.lines.filter((line) => !isCurve(line) && isShown(plot, line));
const laneHeight = 7;
const lanesOf = (plot) => marksShown(plot).filter((mark) => mark.kind === "tick").length;

// signSize is how large the signs of a mark are: smaller where they are many.
function signSize(mark, from, to) {
  const many = points(mark).values.filter((value, i) => value > 0 && mark.times[i] >= from && mark.times[i] <= to).length;
  return many > 80 ? 2.5 : 4;
}

function drawMarks(plot) {
  const u = plot.chart;
  if (!u) return;
  const {left, top, width} = u.bbox, ctx = u.ctx, unit = devicePixelRatio;
  let lane = 0;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, width, u.bbox.height);
  ctx.clip();
  for (const mark of marksShown(plot)) {
    const size = signSize(mark, u.scales.x.min, u.scales.x.max) * unit;
    ctx.strokeStyle = ctx.fillStyle = hueOf(mark);
    ctx.lineWidth = 1.5 * unit;
    const line = plot.view.lines[mark.on];
    mark.values.forEach((value, i) => {
      if (!value) return;
      const x = u.valToPos(mark.times[i], "x", true);
      if (mark.kind === "tick") {
        const to = u.valToPos(mark.times[i] + mark.width / 1e6, "x", true);
        ctx.fillRect(x, top + lane * laneHeight * unit, Math.max(to - x, unit), 5 * unit);
        return;
      }
      if (mark.name === "CNP") {
        ctx.fillRect(x, top + u.bbox.height - 8 * unit, unit, 8 * unit);
        return;
      }
      const held = line.values[mark.first + i - line.first];
      if (held !== null && held !== undefined) sign(ctx, mark.name, x, u.valToPos(held, "y", true), size);
    });
    if (mark.kind === "tick") lane++;
  }
  ctx.restore();
}

// sign draws an event on its line: a triangle for a NAK, a cross for a timeout.
function sign(ctx, name, x, y, r) {
  ctx.beginPath();
  if (name === "NAK") {
    ctx.moveTo(x, y - r);
    ctx.lineTo(x + r, y + r);
    ctx.lineTo(x - r, y + r);
    ctx.fill();
  } else {
    ctx.moveTo(x - r, y - r);
    ctx.lineTo(x + r, y + r);
    ctx.moveTo(x + r, y - r);
    ctx.lineTo(x - r, y + r);
    ctx.stroke();
  }
}
