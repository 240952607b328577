"use strict";
const turns = [...document.querySelectorAll("details.turn")];
const search = document.getElementById("search");
const found = document.getElementById("found");
const setAll = (folds, open) => folds.forEach((fold) => { fold.open = open; });

/* Of a search, the turns that have the words stay, opened down to the results that have them. */
const filter = () => {
  const words = search.value.trim().toLowerCase();
  let count = 0;
  for (const turn of turns) {
    const has = !words || turn.textContent.toLowerCase().includes(words);
    turn.hidden = !has;
    turn.open = Boolean(words) && has;
    count += has ? 1 : 0;
    for (const fold of turn.querySelectorAll("details")) {
      fold.open = Boolean(words) && fold.textContent.toLowerCase().includes(words);
    }
  }
  found.textContent = words ? `${count} of ${turns.length} turns` : "";
};

/* A link to something folded away opens what it lies in. */
const reveal = () => {
  const target = location.hash && document.getElementById(location.hash.slice(1));
  if (!target) return;
  for (let node = target; node; node = node.parentElement) {
    if (node.tagName === "DETAILS") { node.hidden = false; node.open = true; }
  }
  const result = target.querySelector("details.result");
  if (result) result.open = true;
  target.scrollIntoView();
};

/* A newest run without a call has no timeline of its own, and so nothing to search it by. */
if (search) {
  search.addEventListener("input", filter);
  document.getElementById("open").addEventListener("click", () => setAll(turns, true));
  document.getElementById("close").addEventListener("click", () => setAll(turns, false));
  addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== search) { event.preventDefault(); search.focus(); }
    if (event.key === "Escape" && document.activeElement === search) { search.value = ""; filter(); }
  });
}
addEventListener("hashchange", reveal);
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='#']");
  if (link && link.hash === location.hash) reveal();
});
addEventListener("beforeprint", () => setAll(document.querySelectorAll("details:not(.result)"), true));
reveal();
