// The page: its data, its pictures and what can be done with them.
let caption = "", paperStyle = "";

function button(text, title, action) {
  return element("button", {type: "button", title, onclick: action}, text);
}

function addPlot(spec, _, specs) {
  const figure = document.getElementById(spec.id);
  const plot = {
    spec, figure, view: spec.views[0], log: false, focused: null, whole: wholeOf(specs, spec.time),
    peers: specs.filter((other) => other !== spec && spec.share && other.share === spec.share && other.time === spec.time),
    place: element("div", {class: "place", tabindex: "0", role: "application", "aria-roledescription": "picture",
      "aria-label": spec.title + ". Arrow keys move the cursor, plus and minus zoom, 0 shows all. " +
        "A table of the values is below."}),
    legend: element("div", {class: "legend", role: "group", "aria-label": "Lines"}),
    clock: element("span", {class: "clock"}),
    spoken: element("output", {class: "spoken"}),
  };
  const name = (suffix) => (spec.id + (plot.view.label ? "-" + plot.view.label : "")).replace(/[^\w.-]+/g, "-") + suffix;
  const tools = element("div", {class: "tools"});
  if (spec.views.length > 1) tools.append(chooser(plot));
  else if (plot.view.label) tools.append(element("span", {class: "label"}, plot.view.label));
  tools.append(
    button("log", "Logarithmic values", (event) => {
      plot.log = !plot.log;
      event.currentTarget.setAttribute("aria-pressed", String(plot.log));
      draw(plot);
    }),
    button("+", "Zoom in", () => zoomBy(plot, 0.5)),
    button("−", "Zoom out", () => zoomBy(plot, 2)),
    button("all", "Show all of the time", () => showAll(plot)),
    button("CSV", "Save the values", () => save(name(".csv"), "text/csv", csvOf(plot))),
    button("SVG", "Save the picture", () => save(name(".svg"), "image/svg+xml", svgOf(plot))),
    plot.clock);
  tools.querySelector("button").setAttribute("aria-pressed", "false");
  plot.details = element("details", {class: "values", ontoggle: () => showValues(plot)}, element("summary", {}, "Values"));
  plot.place.addEventListener("keydown", (event) => onKey(plot, event));
  figure.append(tools, plot.place, plot.legend, plot.spoken, plot.details);
  draw(plot);
  plots.push(plot);
  new ResizeObserver(() => {
    const width = Math.max(plot.place.clientWidth, 200);
    if (width !== plot.chart.width) plot.chart.setSize({width, height: plotHeight});
  }).observe(plot.place);
}

function showValues(plot) {
  while (plot.details.children.length > 1) plot.details.lastChild.remove();
  if (plot.details.open) plot.details.append(...valueTable(plot));
}

// renewValues has an open table follow the stretch of time that is shown, once for a frame.
function renewValues(plot) {
  if (!plot.details || !plot.details.open || plot.renewing) return;
  plot.renewing = true;
  requestAnimationFrame(() => {
    plot.renewing = false;
    showValues(plot);
  });
}

function chooser(plot) {
  const select = element("select", {"aria-label": "Choose: " + plot.spec.choice, onchange: () => {
    plot.view = plot.spec.views[select.selectedIndex];
    plot.focused = null;
    draw(plot);
    showValues(plot);
  }}, ...plot.spec.views.map((view) => element("option", {}, view.label)));
  return select;
}

// openPort shows the queue of a port; pictures that have ports in them call it.
function openPort(node, port) {
  for (const plot of plots) {
    const i = plot.spec.views.findIndex((view) => view.node === node && view.port === port);
    const select = plot.figure.querySelector("select");
    if (i < 0) continue;
    if (select) {
      select.selectedIndex = i;
      select.dispatchEvent(new Event("change"));
    }
    plot.figure.scrollIntoView({block: "center"});
    plot.place.focus({preventScroll: true});
    return;
  }
}

const hasQueue = (node, port) =>
  plots.some((plot) => plot.spec.views.some((view) => view.node === node && view.port === port));

// linkPort makes a row of a picture a link, if its port has a queue to show.
function linkPort(row) {
  const node = row.getAttribute("data-node"), port = row.getAttribute("data-port");
  if (!hasQueue(node, port)) return;
  row.setAttribute("tabindex", "0");
  row.setAttribute("role", "link");
  row.setAttribute("aria-label", node + ":" + port + ", show its queue");
  row.addEventListener("click", () => openPort(node, port));
  row.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    openPort(node, port);
  });
}

// layerChooser shows one of the layers of a picture.
function layerChooser(layers) {
  return element("select", {"aria-label": "Choose: layer", onchange: (event) => {
    layers.forEach((layer, i) => layer.classList.toggle("off", i !== event.currentTarget.selectedIndex));
  }}, ...layers.map((layer) => element("option", {}, layer.getAttribute("data-layer"))));
}

// watchWidth fades out the side of a holder at which there is more, and lets keys scroll it.
function watchWidth(holder) {
  const look = () => {
    const room = holder.scrollWidth - holder.clientWidth;
    holder.classList.toggle("cut", holder.scrollLeft < room - 1);
    if (room > 1) holder.setAttribute("tabindex", "0");
  };
  new ResizeObserver(look).observe(holder);
  holder.addEventListener("scroll", look);
}

// addDrawing gives a picture that is there already its file, and ports that open.
function addDrawing(figure) {
  const picture = figure.querySelector("svg");
  const text = () => new XMLSerializer().serializeToString(picture).replace("</desc>", "</desc>" + paperStyle);
  const tools = element("div", {class: "tools"});
  const layers = [...picture.querySelectorAll("[data-layer]")];
  if (layers.length > 1) tools.append(layerChooser(layers));
  tools.append(button("SVG", "Save the picture", () => save(figure.id + ".svg", "image/svg+xml", text())));
  figure.querySelector("figcaption").after(tools);
  const pauses = picture.querySelector("[data-bins]");
  if (pauses && pauses.dataset.bins > 0) tools.append(...timeSlider(pauses));
  const sheet = figure.querySelector(".sheet");
  sheet.setAttribute("role", "region");
  sheet.setAttribute("aria-label", figure.querySelector("figcaption").textContent);
  for (const row of picture.querySelectorAll("[data-port]")) linkPort(row);
  picture.querySelectorAll("g[data-a]").forEach(addEnds);
}

function addTable(holder) {
  const table = holder.querySelector("table");
  sortable(table);
  holder.prepend(button("CSV", "Save the table", () => save(holder.id + ".csv", "text/csv", csvOfTable(table))));
}

// On paper a picture is its SVG, which is light and sharp.
function beforePrint() {
  for (const plot of plots) {
    const drawn = new DOMParser().parseFromString(svgOf(plot), "image/svg+xml").documentElement;
    plot.paper = element("div", {class: "paper"}, document.importNode(drawn, true));
    plot.place.before(plot.paper);
  }
}

function afterPrint() {
  for (const plot of plots) if (plot.paper) plot.paper.remove();
}

function start() {
  const data = JSON.parse(document.getElementById("data").textContent);
  caption = data.caption;
  paperStyle = data.paper;
  data.plots.forEach(addPlot);
  document.querySelectorAll("figure.drawing").forEach(addDrawing);
  document.querySelectorAll(".bars").forEach(addBars);
  document.querySelectorAll("div.table").forEach(addTable);
  document.querySelectorAll(".sheet, .table > .scroll").forEach(watchWidth);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redrawAll);
  addEventListener("beforeprint", beforePrint);
  addEventListener("afterprint", afterPrint);
  document.documentElement.dataset.ready = "yes";
}
