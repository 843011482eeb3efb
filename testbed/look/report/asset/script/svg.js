// A plot as SVG, in light colours, for papers and print: the same arrays, the same
// stretch of time, the lines that are shown.
const paper = {width: 800, height: 300, left: 70, right: 12, top: 30, bottom: 34, text: "#222", grid: "#ddd", level: "#666"};

const xml = (text) => String(text).replace(/[&<>"']/g, (c) => "&#" + c.charCodeAt(0) + ";");

function svgOf(plot) {
  const {min, max} = plot.chart.scales.x;
  const curves = plot.curves.filter((line) => !isHidden(line)).map(points);
  const [bottom, top] = rangeOf(plot, min, max);
  const bend = plot.log ? (v) => Math.asinh(v / (unitOf(plot) === "B" ? 1000 : 0.1)) : (v) => v;
  const inner = {width: paper.width - paper.left - paper.right, height: paper.height - paper.top - paper.bottom};
  const x = (us) => paper.left + ((us - min) / (max - min)) * inner.width;
  const y = (value) => paper.top + inner.height * (1 - (bend(value) - bend(bottom)) / (bend(top) - bend(bottom)));
  const parts = [grid(plot, min, max, [bottom, top], x, y)];
  const keys = [];
  let low = "";
  for (const line of curves) {
    const path = stepPath(line, x, y);
    const hue = line.kind === "fair" ? paper.text : inkOf(line);
    if (line.kind === "low") low = path;
    else if (line.kind === "high") parts.push(band(low, path, hue));
    else {
      const dash = dashOf(line) ? ` stroke-dasharray="${dashOf(line).join(" ")}"` : "";
      parts.push(`<path d="${path.join("")}" fill="none" stroke="${hue}" stroke-width="${isMarked(line) ? 2 : 1.2}"${dash}/>`);
    }
    keys.push([isMarked(line) ? line.mark + ": " + line.name : line.name, hue, isMarked(line) ? 0 : 1]);
  }
  keys.sort((a, b) => a[2] - b[2]);
  let lane = 0;
  for (const mark of marksShown(plot)) {
    parts.push(marksOf(plot, points(mark), x, y, lane, signSize(mark, min, max)));
    if (mark.kind === "tick") {
      lane++;
      keys.push([mark.name, hues[mark.hue % hues.length]]);
    }
  }
  const height = paper.height + 18 * Math.ceil(Math.min(keys.length, 40) / 4) + 22;
  return `<svg xmlns="${svgSpace}" viewBox="0 0 ${paper.width} ${height}" font-family="Helvetica, Arial, sans-serif" ` +
    `font-size="11" fill="${paper.text}"><rect width="${paper.width}" height="${height}" fill="#fff"/>` +
    `<text x="${paper.left}" y="16" font-size="13">${xml(plot.spec.title + (plot.view.label ? ": " + plot.view.label : ""))}</text>` +
    `<clipPath id="inside"><rect x="${paper.left}" y="${paper.top}" width="${inner.width}" height="${inner.height}"/></clipPath>` +
    parts[0] + `<g clip-path="url(#inside)">${parts.slice(1).join("")}</g>` + labelsInPaper(plot, top, y) + keysOf(keys) +
    `<text x="${paper.left}" y="${height - 8}" fill="#666">${xml(caption)}</text></svg>`;
}

function grid(plot, min, max, [bottom, top], x, y) {
  const [scale, unit] = timeUnit(max - min);
  const base = paper.height - paper.bottom;
  const out = [];
  for (const us of ticks(min / scale, max / scale, 8).map((n) => n * scale)) {
    out.push(`<path d="M${x(us).toFixed(1)} ${paper.top}V${base}" stroke="${paper.grid}"/>` +
      `<text x="${x(us).toFixed(1)}" y="${base + 15}" text-anchor="middle">${+(us / scale).toPrecision(8)} ${unit}</text>`);
  }
  const marks = plot.log ? [0, ...prefixes.map(([n]) => n * (unitOf(plot) === "B" ? 1 : 0.1)).filter((n) => n < top)]
    : ticks(bottom, top, 5);
  for (const value of marks) {
    out.push(`<path d="M${paper.left} ${y(value).toFixed(1)}H${paper.width - paper.right}" stroke="${paper.grid}"/>` +
      `<text x="${paper.left - 6}" y="${(y(value) + 4).toFixed(1)}" text-anchor="end">${xml(withUnit(value, unitOf(plot)))}</text>`);
  }
  for (const level of levelsOf(plot, top)) {
    out.push(`<path d="M${paper.left} ${y(level.value).toFixed(1)}H${paper.width - paper.right}" ` +
      `stroke="${paper.level}" stroke-dasharray="4 4"/>`);
  }
  return out.join("");
}

function labelsInPaper(plot, top, y) {
  const right = paper.width - paper.right - 4;
  return labelsOf(plot, levelsOf(plot, top), y, 15).map(({text, at}) => {
    const wide = 6 * text.length + 6;
    return `<rect x="${right - wide + 3}" y="${(at - 14).toFixed(1)}" width="${wide}" height="12" fill="#fff" ` +
      `fill-opacity="0.85"/><text x="${right}" y="${(at - 4).toFixed(1)}" text-anchor="end">${xml(text)}</text>`;
  }).join("");
}

// stepPath is the steps of a line, as the parts of a path.
function stepPath(line, x, y) {
  const parts = [];
  let pen = false;
  line.values.forEach((value, i) => {
    if (value === null) {
      if (line.kind !== "hold") pen = false;
      else if (pen) parts.push(`H${x(line.times[i] + line.width / 1e6).toFixed(1)}`);
      return;
    }
    const at = y(value).toFixed(1);
    parts.push(pen ? `V${at}` : `M${x(line.times[i]).toFixed(1)} ${at}`);
    parts.push(`H${x(line.times[i] + line.width / 1e6).toFixed(1)}`);
    pen = true;
  });
  return parts;
}

// band is what is between two lines of the same bins.
function band(low, high, hue) {
  const back = [];
  let at = "";
  for (const part of low) {
    const [px, py] = part.startsWith("M") ? part.slice(1).split(" ")
      : part.startsWith("H") ? [part.slice(1), at[1]] : [at[0], part.slice(1)];
    at = [px, py];
    back.unshift(at.join(" "));
  }
  return back.length > 0 ? `<path d="${high.join("")}L${back.join("L")}Z" fill="${hue}" fill-opacity="0.25"/>` : "";
}

function marksOf(plot, mark, x, y, lane, size) {
  const line = plot.view.lines[mark.on], hue = inkOf(mark);
  return mark.values.map((value, i) => {
    if (!value) return "";
    const at = x(mark.times[i]), wide = Math.max(x(mark.times[i] + mark.width / 1e6) - at, 0.8);
    if (mark.kind === "tick") {
      return `<rect x="${at.toFixed(1)}" y="${paper.top + laneHeight * lane}" width="${wide.toFixed(1)}" height="4" fill="${hue}"/>`;
    }
    if (mark.name === "CNP") return `<path d="M${at.toFixed(1)} ${paper.height - paper.bottom}v-8" stroke="${hue}"/>`;
    const held = line.values[mark.first + i - line.first];
    if (held === null || held === undefined) return "";
    const place = `translate(${at.toFixed(1)} ${y(held).toFixed(1)}) scale(${size / 4})`;
    const shape = mark.name === "NAK" ? '<path d="M0-4L4 4L-4 4Z"/>' : '<path d="M-3-3L3 3M3-3L-3 3"/>';
    return `<g transform="${place}" stroke="${hue}" fill="${hue}">${shape}</g>`;
  }).join("");
}

function keysOf(keys) {
  return keys.slice(0, 40).map(([name, hue], i) => {
    const left = paper.left + 180 * (i % 4), top = paper.height + 8 + 18 * Math.floor(i / 4);
    const text = name.length > 28 ? name.slice(0, 27) + "…" : name;
    return `<rect x="${left}" y="${top - 8}" width="10" height="8" fill="${hue}"/>` +
      `<text x="${left + 15}" y="${top}">${xml(text)}</text>`;
  }).join("");
}
