// The bars of the page's opening as a picture that leaves it, in light colours: names, bars, times, axis and legend.
const barPaper = {width: 1120, left: 250, right: 250, row: 26, text: 12};

// lightParts are the colours of parts on a light page: those of the style outside its rules for dark ones.
function lightParts() {
  const found = {};
  for (const sheet of document.styleSheets) {
    for (const rule of sheet.cssRules) {
      const name = /^\.(part-[\w-]+)$/.exec(rule.selectorText || "");
      if (name) found[name[1]] = {fill: rule.style.getPropertyValue("--part"), on: rule.style.getPropertyValue("--on")};
    }
  }
  return found;
}

// hatched is what is drawn in place of a colour, in a picture and in its legend.
const hatched = `<pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">` +
  `<rect width="6" height="6" fill="#fff"/><rect width="2" height="6" fill="#767676"/></pattern>`;

const fillOf = (part, colours) => (part === "part-unresolved" ? "url(#hatch)" : (colours[part] || {fill: "#bbb"}).fill);

function svgOfBars(holder) {
  const colours = lightParts(), out = [];
  const wide = barPaper.width - barPaper.left - barPaper.right, share = (text) => (parseFloat(text) / 100) * wide;
  const write = (x, y, text, more = "") => out.push(`<text x="${x.toFixed(1)}" y="${y}"${more}>${xml(text)}</text>`);
  let y = 30;
  write(8, 18, document.querySelector("h1").textContent + ": time by cause", ' font-size="14" font-weight="bold"');
  let x = 8;
  for (const key of holder.querySelectorAll(".part-keys li")) {
    const name = key.textContent.trim();
    if (x + 30 + 7 * name.length > barPaper.width) [x, y] = [8, y + 20];
    out.push(`<rect x="${x}" y="${y}" width="12" height="12" fill="${fillOf(key.className, colours)}" stroke="#767676" ` +
      `stroke-width="0.5"/>`);
    write(x + 17, y + 10, name);
    x += 34 + 7 * name.length;
  }
  y += 30;
  for (const item of holder.querySelectorAll(".bar-group, .bar-row")) {
    if (item.classList.contains("bar-group")) {
      write(8, y + 14, item.textContent, ' font-weight="bold"');
      y += 22;
      continue;
    }
    const name = item.querySelector(".bar-name"), bar = item.querySelector("svg.parts");
    if (name) write(8, y + 14, name.textContent.trim().replace(/\s+/g, " "));
    for (const tick of bar.querySelectorAll(".tick")) {
      const at = barPaper.left + share(tick.getAttribute("x"));
      out.push(`<path d="M${at.toFixed(1)} ${y - 2}v${barPaper.row}" stroke="#e2e4e6"/>`);
    }
    for (const part of bar.querySelectorAll("g")) {
      const rect = part.querySelector("rect"), kind = [...part.classList].find((one) => one.startsWith("part-"));
      const from = barPaper.left + share(rect.getAttribute("x")), long = share(rect.getAttribute("width"));
      out.push(`<rect x="${from.toFixed(1)}" y="${y}" width="${long.toFixed(1)}" height="20" ` +
        `fill="${fillOf(kind, colours)}" stroke="#fff"><title>${xml(part.querySelector("title").textContent)}</title></rect>`);
      const label = [...part.querySelectorAll("text")].map((one) => one.textContent)
        .find((text) => 6.4 * text.length + 8 < long);
      if (label) {
        write(from + long / 2, y + 14, label, ` text-anchor="middle" fill="${(colours[kind] || {on: "#111"}).on}"` +
          (kind === "part-unresolved" ? ' stroke="#fff" stroke-width="3" paint-order="stroke"' : ""));
      }
    }
    for (const text of bar.querySelectorAll(":scope > text")) {
      const at = barPaper.left + share(text.getAttribute("x"));
      write(at, y + 10, text.textContent, ` text-anchor="${text.getAttribute("text-anchor")}"`);
    }
    const time = item.querySelector(".bar-facts strong"), slow = item.querySelector(".bar-facts > span[title]");
    const facts = [time, slow].filter(Boolean).map((one) => one.textContent).join("  ");
    write(barPaper.width - barPaper.right + 8, y + 14, facts);
    y += barPaper.row;
  }
  write(8, y + 14, caption, ' fill="#666" font-size="11"');
  const height = y + 24;
  return `<svg xmlns="${svgSpace}" viewBox="0 0 ${barPaper.width} ${height}" width="${barPaper.width}" height="${height}" ` +
    `font-family="Helvetica, Arial, sans-serif" font-size="${barPaper.text}" fill="#222"><defs>${hatched}</defs>` +
    `<rect width="100%" height="100%" fill="#fff"/>${out.join("")}</svg>`;
}

function addBars(holder) {
  holder.prepend(element("div", {class: "tools"}, button("SVG", "Save the picture",
    () => save(holder.id + ".svg", "image/svg+xml", svgOfBars(holder)))));
}
