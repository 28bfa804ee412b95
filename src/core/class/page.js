"use strict";
// What others wrote is only ever set as text.
const { texts, rows } = JSON.parse(document.getElementById("data").textContent);
const table = document.getElementById("class"), body = table.tBodies[0];
const all = [...body.rows], heads = [...table.tHead.rows[0].cells];
const find = document.getElementById("find"), count = document.getElementById("count");
const detail = document.getElementById("detail");
const columns = heads.length - 3;
all.forEach((row, at) => { row.given = at; row.name = row.cells[0].textContent; row.low = row.name.toLowerCase(); });

const shown = () => [...body.rows].filter((row) => !row.hidden);
const isCell = (cell) => cell?.tagName === "TD" && cell.cellIndex <= columns;

let current = null;
function go(cell, focus) {
  if (!isCell(cell)) { return; }
  if (current) { current.tabIndex = -1; }
  current = cell;
  cell.tabIndex = 0;
  if (focus) { cell.focus(); }
}

function open(cell) {
  const at = cell.cellIndex - 1, row = cell.parentElement;
  const [verdict, said, evidence] = texts[rows[row.given][at]];
  const put = (id, text) => { document.getElementById(id).textContent = text; };
  put("what", heads[at + 1].textContent);
  put("who", row.name + " · " + verdict);
  put("said", said);
  put("shown", evidence);
  detail.showModal();
  detail.scrollTop = 0;
}

function sort(head) {
  const at = head.cellIndex, was = head.getAttribute("aria-sort");
  // Names begin at A, figures at the most.
  const first = at === 0 ? "ascending" : "descending", other = at === 0 ? "descending" : "ascending";
  const next = was === first ? other : first;
  for (const one of heads) { one.removeAttribute("aria-sort"); }
  head.setAttribute("aria-sort", next);
  const by = at === 0 ? (a, b) => a.low.localeCompare(b.low) : (a, b) => a.cells[at].dataset.by - b.cells[at].dataset.by;
  const way = next === "ascending" ? 1 : -1;
  body.append(...all.toSorted((a, b) => way * by(a, b) || a.given - b.given));
}

function filter() {
  const wanted = find.value.trim().toLowerCase();
  for (const row of all) { row.hidden = !row.low.includes(wanted); }
  const left = shown();
  count.textContent = wanted ? `${left.length} of ${all.length} learners` : "";
  if (current?.parentElement.hidden !== false && left.length && columns > 0) { go(left[0].cells[1], false); }
}

const moves = {
  ArrowLeft: (cell) => cell.previousElementSibling, ArrowRight: (cell) => cell.nextElementSibling,
  ArrowUp: (cell) => step(cell, -1), ArrowDown: (cell) => step(cell, 1),
  PageUp: (cell) => step(cell, -15), PageDown: (cell) => step(cell, 15),
  Home: (cell) => cell.parentElement.cells[1], End: (cell) => cell.parentElement.cells[columns],
};
function step(cell, by) {
  const left = shown(), at = left.indexOf(cell.parentElement);
  return left[Math.min(left.length - 1, Math.max(0, at + by))].cells[cell.cellIndex];
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || detail.open) { return; }
  const cell = document.activeElement?.closest?.("td");
  if (event.key === "/" && document.activeElement !== find) { event.preventDefault(); find.focus(); }
  else if (event.key === "Escape" && document.activeElement === find) { find.value = ""; filter(); }
  else if (isCell(cell) && moves[event.key]) { event.preventDefault(); go(moves[event.key](cell), true); }
  else if (isCell(cell) && (event.key === "Enter" || event.key === " ")) { event.preventDefault(); open(cell); }
});
body.addEventListener("click", (event) => {
  const cell = event.target.closest("td");
  if (isCell(cell)) { go(cell, true); open(cell); }
});
detail.addEventListener("click", (event) => { if (event.target === detail) { detail.close(); } });
detail.addEventListener("close", () => current?.focus());
for (const head of heads) { head.querySelector("button").addEventListener("click", () => sort(head)); }
find.addEventListener("input", filter);
for (const row of all) { for (const cell of row.cells) { if (isCell(cell)) { cell.tabIndex = -1; } } }
filter();
