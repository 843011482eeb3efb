// The bars at the top of a page lead to what it has of their flow.

// showFlow brings a flow's line to the front of a picture.
function showFlow(id, flow, of) {
  const plot = plots.find((one) => one.spec.id === id);
  if (!plot) return;
  const has = (view) => view.lines.some((line) => isCurve(line) && line.name === flow);
  const seed = /seed \d+$/.exec(of);
  const views = plot.spec.views;
  const i = Math.max(0, views.findIndex((view) => has(view) && (!seed || view.label.startsWith(seed[0] + ":"))));
  const select = plot.figure.querySelector("select");
  if (select && plot.view !== views[i]) {
    select.selectedIndex = i;
    select.dispatchEvent(new Event("change"));
  }
  const line = plot.curves.findIndex((curve) => curve.name === flow);
  if (line >= 0) plot.chart.setSeries(line + 1, {focus: true});
  plot.place.focus({preventScroll: true});
}

// showPath marks a flow's rows of a table, and brings the first into view.
function showPath(id, flow, of) {
  const rows = [...document.querySelectorAll(`[id="${id}"] tbody tr`)];
  for (const row of rows) {
    row.classList.toggle("found", row.cells[0].textContent === of && row.cells[1].textContent === flow);
  }
  const first = rows.find((row) => row.classList.contains("found"));
  if (first) first.scrollIntoView({block: "center"});
}

function followBar(event) {
  const link = event.target.closest(".bars a");
  if (!link) return;
  const id = link.getAttribute("href").slice(1), {flow, of, node, port} = link.dataset;
  const target = document.getElementById(id);
  event.preventDefault();
  target.scrollIntoView({block: "center"});
  if (node !== undefined) openPort(node, port);
  else if (target.classList.contains("plot")) showFlow(id, flow, of);
  else showPath(id, flow, of);
}

addEventListener("click", followBar);
