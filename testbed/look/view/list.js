// The list of runs: rows of runs that go on are renewed, and those of new runs come in.
const busyPeriod = 2000, idlePeriod = 10000;

const rowsIn = (page) => [...page.querySelectorAll("table.runs tbody tr")];

// takeRows puts in the place of rows of runs that went on what the server has of them now, and new ones on top.
function takeRows(fresh) {
  const body = document.querySelector("table.runs tbody"), known = new Map(rowsIn(document).map((row) => [row.dataset.run, row]));
  if (!body) {
    if (fresh.querySelector("table.runs")) location.reload();
    return;
  }
  for (const row of rowsIn(fresh).reverse()) {
    const before = known.get(row.dataset.run), now = document.importNode(row, true);
    if (!before) body.prepend(now);
    else if ("going" in before.dataset) before.replaceWith(now);
  }
}

async function renew() {
  if (!document.hidden) {
    try {
      const answer = await fetch(location.href);
      if (answer.ok) takeRows(new DOMParser().parseFromString(await answer.text(), "text/html"));
    } catch {
      // The server is gone; the list stays as it is.
    }
  }
  setTimeout(renew, document.querySelector("tr[data-going]") ? busyPeriod : idlePeriod);
}

const table = document.querySelector("table.runs");
if (table) sortable(table);
setTimeout(renew, document.querySelector("tr[data-going]") ? busyPeriod : idlePeriod);
