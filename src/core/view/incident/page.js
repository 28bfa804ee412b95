"use strict";
// Lanes are drawn to the view [from, to], in microseconds. Without this script they show the whole time.
const root = document.getElementById("timelines");
const span = Number(root.dataset.span);
const told = document.getElementById("told");
const lanes = [...root.querySelectorAll("svg.lane")];
let from = 0, to = span, chosen = null;

const words = (us) => us < 1000 ? us + " µs" : us < 10000 ? (us / 1000).toFixed(1) + " ms" : Math.round(us / 1000) + " ms";

function place(shape, width) {
  const begins = Number(shape.dataset.from), ends = Number(shape.dataset.to);
  const x = (begins - from) / (to - from) * width;
  if (shape.tagName === "text") { shape.setAttribute("x", x); return; }
  const least = Number(shape.dataset.least);
  shape.setAttribute("x", Math.max(-10, x));
  shape.setAttribute("width", Math.max(least, Math.min(width + 10, (ends - from) / (to - from) * width) - Math.max(-10, x)));
  shape.style.display = ends < from || begins > to ? "none" : "";
}

function draw() {
  for (const lane of lanes) {
    const width = lane.clientWidth;
    lane.setAttribute("viewBox", `0 0 ${width} 22`);
    for (const shape of lane.children) { if (shape.dataset.from) place(shape, width); }
  }
  for (const axis of root.querySelectorAll("svg.axis")) { scale(axis); }
}

function scale(axis) {
  const width = axis.clientWidth, wanted = (to - from) / Math.max(2, width / 110);
  const power = 10 ** Math.floor(Math.log10(Math.max(1, wanted)));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= wanted);
  axis.setAttribute("viewBox", `0 0 ${width} 24`);
  axis.replaceChildren();
  const make = (name, attributes, text) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) { made.setAttribute(key, value); }
    if (text) { made.textContent = text; }
    axis.append(made);
  };
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) {
    const x = (at - from) / (to - from) * width;
    make("line", { x1: x, x2: x, y1: 0, y2: 6 });
    make("text", { x: Math.min(x + 3, width - 48), y: 17 }, words(Math.round(at)));
  }
}

function look(next, until) {
  const wide = Math.min(span, Math.max(20, until - next));
  from = Math.min(Math.max(0, next), span - wide);
  to = from + wide;
  draw();
}

function zoom(by, around) {
  const middle = around ?? (chosen ? (Number(chosen.dataset.from) + Number(chosen.dataset.to)) / 2 : (from + to) / 2);
  const share = Math.min(1, Math.max(0, (middle - from) / (to - from))), wide = (to - from) * by;
  look(middle - share * wide, middle + (1 - share) * wide);
}

function choose(shape) {
  chosen?.classList.remove("chosen");
  chosen = shape;
  if (!shape) { return; }
  shape.classList.add("chosen");
  told.textContent = shape.querySelector("title")?.textContent ?? "";
  const begins = Number(shape.dataset.from), ends = Number(shape.dataset.to);
  if (ends < from || begins > to) { const half = (to - from) / 2; look(begins - half, begins + half); }
}

const shapes = (lane) => [...lane.querySelectorAll("rect[data-from]")].sort((a, b) => a.dataset.from - b.dataset.from);

root.addEventListener("pointerover", (event) => { if (event.target.dataset?.from) { choose(event.target.closest("rect") ?? chosen); } });
root.addEventListener("click", (event) => { event.target.closest?.("svg.lane")?.focus(); });
root.addEventListener("wheel", (event) => {
  const lane = event.target.closest?.("svg.lane");
  if (!lane || !(event.ctrlKey || event.shiftKey || event.altKey)) { return; }
  event.preventDefault();
  const box = lane.getBoundingClientRect();
  zoom((event.deltaY || event.deltaX) > 0 ? 1.25 : 0.8, from + (event.clientX - box.left) / box.width * (to - from));
}, { passive: false });
document.addEventListener("keydown", (event) => {
  const lane = document.activeElement?.closest?.("svg.lane");
  if (event.ctrlKey || event.metaKey || event.altKey) { return; }
  const step = (to - from) / 5;
  const keys = {
    "+": () => zoom(0.5), "=": () => zoom(0.5), "-": () => zoom(2), "0": () => look(0, span),
    "[": () => look(from - step, to - step), "]": () => look(from + step, to + step),
  };
  if (lane) {
    const all = shapes(lane), at = all.indexOf(chosen), other = lanes.indexOf(lane);
    keys.ArrowRight = () => choose(all[Math.min(all.length - 1, at + 1)]);
    keys.ArrowLeft = () => choose(all[Math.max(0, at - 1)]);
    keys.ArrowDown = () => lanes[Math.min(lanes.length - 1, other + 1)].focus();
    keys.ArrowUp = () => lanes[Math.max(0, other - 1)].focus();
  }
  if (keys[event.key]) { event.preventDefault(); keys[event.key](); }
});
for (const [id, act] of [["in", () => zoom(0.5)], ["out", () => zoom(2)], ["left", () => look(from - (to - from) / 5, to - (to - from) / 5)],
  ["right", () => look(from + (to - from) / 5, to + (to - from) / 5)], ["all", () => look(0, span)]]) {
  document.getElementById(id).addEventListener("click", act);
}
addEventListener("resize", draw);
draw();
