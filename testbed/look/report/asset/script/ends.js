// The ends of the links of a map: half a link opens the queue of the port at its end.

// addEnds gives a link of a map an element for each of its ports that has a queue to show.
function addEnds(link) {
  const way = link.querySelector(".grid"), long = way.getTotalLength();
  for (const [name, from, to] of [[link.dataset.a, 0, 0.5], [link.dataset.b, 1, 0.5]]) {
    const at = name.lastIndexOf(":"), node = name.slice(0, at), port = name.slice(at + 1);
    if (!hasQueue(node, port)) continue;
    const [a, b] = [from, to].map((share) => way.getPointAtLength(share * long));
    const end = svgElement("path", {class: "end", d: `M${a.x} ${a.y}L${b.x} ${b.y}`, "data-node": node, "data-port": port},
      svgElement("title", {}, `${link.querySelector("title").textContent}; ${name}: show its queue`));
    link.append(end);
    linkPort(end);
  }
}
