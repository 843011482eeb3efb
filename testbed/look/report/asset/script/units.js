// Numbers with their units, for people.
const prefixes = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""]];

function short(value) {
  if (value === 0) return "0";
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return String(+value.toFixed(Math.abs(value) < 0.01 ? 6 : digits));
}

function withUnit(value, unit) {
  if (value === null || value === undefined) return "";
  if (unit === "us") return timeText(value);
  if (unit === "B") {
    const [scale, prefix] = prefixes.find(([least]) => Math.abs(value) >= least) || [1, ""];
    return short(value / scale) + " " + prefix.replace("k", "K") + "B";
  }
  if (unit === "Gb/s" && Math.abs(value) >= 1000) return short(value / 1000) + " Tb/s";
  if (unit === "Gb/s" && value !== 0 && Math.abs(value) < 0.1) return short(value * 1000) + " Mb/s";
  return short(value) + (unit ? " " + unit : "");
}

// timeUnit is the unit in which a span of microseconds has few digits.
function timeUnit(span) {
  if (span >= 2e6) return [1e6, "s"];
  if (span >= 2e3) return [1e3, "ms"];
  return span >= 2 || span === 0 ? [1, "us"] : [1e-3, "ns"];
}

function timeText(us) {
  const [scale, unit] = timeUnit(2 * Math.abs(us)); // 1 us, and not 1000 ns
  return +(us / scale).toPrecision(6) + " " + unit;
}

// exactTime is a time in microseconds as files of series have it, from a bin's number and width.
function exactTime(line, i) {
  const ps = (line.first + i) * line.width;
  const whole = String(Math.floor(ps / 1e6));
  return ps % 1e6 === 0 ? whole : whole + "." + String(ps % 1e6).padStart(6, "0").replace(/0+$/, "");
}

// ticks are round numbers between two, about as many as count.
function ticks(from, to, count) {
  if (!(to > from)) return [from];
  const raw = (to - from) / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * [1, 2, 5, 10].find((n) => n * power >= raw * 0.7);
  const list = [];
  for (let n = Math.ceil(from / step); n * step <= to * (1 + 1e-12); n++) list.push(n * step);
  return list;
}

// hues are the colours of Okabe and Ito, which the colour-blind tell apart; the script's
// own list is for pictures that leave the page, which are light.
const hues = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#f0e442"];

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
}

const hueOf = (line) => colour(line.mark === "rest" ? "rest" : "hue-" + (line.hue % hues.length));

// inkOf is the colour of a line in a picture that leaves the page.
const inkOf = (line) => (line.mark === "rest" ? "#b4b8bc" : hues[line.hue % hues.length]);

// isMarked says whether a line is of the slowest, the median or the fastest of many flows.
const isMarked = (line) => Boolean(line.mark) && line.mark !== "rest";

const dashesOfMarks = {median: [8, 4], fastest: [2, 3]};

// dashOf tells variants apart that have to share a colour.
const dashOf = (line) => {
  if (dashesOfMarks[line.mark]) return dashesOfMarks[line.mark];
  if (line.kind === "fair") return [8, 5];
  return line.hue < hues.length ? undefined : [2 + 4 * Math.floor(line.hue / hues.length), 3];
};
