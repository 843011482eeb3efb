// A slider over the map of a fabric: who held whom in a bin, the stronger the longer.
const full = 8;

// showPauses shows the arrows of a bin, -1 for those of the whole run, and returns how many
// there are.
function showPauses(arrows, bin) {
  const shareOf = (arrow) => (bin < 0 ? full : Number(arrow.dataset.shares[bin] || 0));
  for (const arrow of arrows) {
    arrow.classList.toggle("off", shareOf(arrow) === 0);
    arrow.setAttribute("opacity", 0.25 + (0.75 * shareOf(arrow)) / full);
  }
  return arrows.filter((arrow) => shareOf(arrow) > 0).length;
}

function timeSlider(pauses) {
  const arrows = [...pauses.querySelectorAll("[data-shares]")];
  const width = Number(pauses.dataset.width), said = element("output", {}, "whole run");
  const slider = element("input", {type: "range", min: "0", max: pauses.dataset.bins, value: "0",
    "aria-label": "Time of the pauses; first the whole run", oninput: () => {
      const bin = Number(slider.value) - 1, shown = showPauses(arrows, bin);
      said.textContent = bin < 0 ? "whole run" :
        `${timeText(bin * width)} to ${timeText((bin + 1) * width)}: ${shown || "none"} held`;
      slider.setAttribute("aria-valuetext", said.textContent);
    }});
  return [slider, said];
}
