// The values behind a picture: as a table on the page, and as a CSV file.
const mostRows = 1000;

// rowsOf yields the times of a view with the value of each line at it.
function rowsOf(view, from, to) {
  const lines = view.lines.map(points);
  const byTime = new Map();
  lines.forEach((line, column) => line.values.forEach((value, i) => {
    if (value === null || line.times[i] < from || line.times[i] > to) return;
    const at = exactTime(line, i);
    if (!byTime.has(at)) byTime.set(at, {at, us: line.times[i], cells: []});
    byTime.get(at).cells[column] = i;
  }));
  return [...byTime.values()].sort((a, b) => a.us - b.us);
}

const headOf = (view, line) => (line.kind === "dot" ? view.lines[line.on].name + " " : "") + line.name;

// fromOf is where a file has a value; "" for what is of several cells.
function fromOf(line, i) {
  if (line.merged !== 1 || !line.where) return "";
  return `${line.file}#time_us=${exactTime(line, i)}&${line.where}/${line.column}`;
}

const valueText = (line, i) => line.values[i].toFixed(line.decimals);

function valueTable(plot) {
  const {min, max} = plot.chart.scales.x;
  const rows = rowsOf(plot.view, min, max);
  const lines = plot.view.lines;
  const body = rows.slice(0, mostRows).map((row) => element("tr", {}, element("th", {scope: "row"}, row.at),
    ...lines.map((line, column) => {
      const i = row.cells[column];
      if (i === undefined) return element("td");
      const from = fromOf(line, i);
      return element("td", from ? {class: "n", "data-from": from} : {class: "n"}, valueText(line, i));
    })));
  const head = element("tr", {}, element("th", {scope: "col", title: "time_us", "data-name": "time_us"}, "time, us"),
    ...lines.map((line) => element("th", {scope: "col"}, headOf(plot.view, line))));
  const table = element("table", {}, element("thead", {}, head), element("tbody", {}, ...body));
  sortable(table);
  const parts = [element("div", {class: "scroll bound", tabindex: "0", role: "region", "aria-label": "Values"}, table)];
  if (rows.length > mostRows) {
    parts.push(element("p", {class: "left-out"}, `The first ${mostRows} of ${rows.length} rows in view; zoom in for others.`));
  }
  return parts;
}

const csvField = (text) => (/[",\r\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text);

function csvOf(plot) {
  const lines = plot.view.lines;
  const out = [["time_us", ...lines.map((line) => headOf(plot.view, line))].map(csvField).join(",")];
  for (const row of rowsOf(plot.view, -Infinity, Infinity)) {
    out.push([row.at, ...lines.map((line, column) =>
      (row.cells[column] === undefined ? "" : valueText(line, row.cells[column])))].join(","));
  }
  return out.join("\n") + "\n";
}

// csvOfTable is a table of the page as a file, with all digits of a number that is rounded for people, and with the
// names that files have.
function csvOfTable(table) {
  const text = (cell) => csvField(cell.dataset.name || cell.tagName === "TD" && cell.title || cell.textContent);
  return [...table.rows].map((row) => [...row.cells].map(text).join(",")).join("\n") + "\n";
}

// save hands a text to the browser as a file, from the page's own data.
function save(name, type, text) {
  const address = URL.createObjectURL(new Blob([text], {type}));
  const link = element("a", {href: address, download: name});
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
