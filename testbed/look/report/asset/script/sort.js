// A table's rows sort at a press of a column's head: numbers from the largest on, texts from A on, and back.

// rankOf is a cell's number, with all digits where they are in its title, or else its text.
function rankOf(cell) {
  const text = cell.tagName === "TD" && cell.title || cell.textContent;
  return text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
}

function sortBy(table, column) {
  const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
  const keyed = [...body.rows].map((row) => [rankOf(row.cells[column]), row]);
  const numbers = keyed.some(([key]) => typeof key === "number");
  const before = heads[column].getAttribute("aria-sort");
  const down = before ? before === "ascending" : numbers;
  const empty = (key) => numbers && typeof key !== "number";
  keyed.sort(([a], [b]) => {
    if (empty(a) || empty(b)) return empty(a) - empty(b); // what has no number is last
    return (numbers ? a - b : a.localeCompare(b, "en", {numeric: true})) * (down ? -1 : 1);
  });
  for (const head of heads) head.removeAttribute("aria-sort");
  heads[column].setAttribute("aria-sort", down ? "descending" : "ascending");
  body.append(...keyed.map(([, row]) => row));
}

function sortable(table) {
  if (!table.tHead || table.tBodies[0].rows.length < 2) return;
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    if ("fixed" in head.dataset) return;
    const press = element("button", {type: "button", class: "sort", title: [head.title, "Sort"].filter(Boolean).join("; "), onclick: () => sortBy(table, column)},
      ...head.childNodes);
    head.append(press);
  });
}
