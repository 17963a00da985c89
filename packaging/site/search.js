// Finds sections that have all words, those with words in the title first. / goes to the field, Escape leaves.
const words = document.getElementById("search-words");
const found = document.getElementById("search-found");

function escaped(text) {
  return text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
}

// around returns the text around the first word, with all words marked.
function around(text, asked) {
  const at = Math.max(0, Math.min(...asked.map((w) => text.toLowerCase().indexOf(w)).filter((i) => i >= 0), text.length) - 60);
  let piece = escaped((at > 0 ? "... " : "") + text.slice(at, at + 170));
  for (const w of asked) {
    piece = piece.replace(new RegExp(escaped(w).replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "gi"), "\u0001$&\u0002");
  }
  return piece.replaceAll("\u0001", "<mark>").replaceAll("\u0002", "</mark>");
}

function look() {
  const asked = words.value.toLowerCase().split(/\s+/).filter((w) => w.length > 1);
  if (asked.length === 0) {
    found.hidden = true;
    return;
  }
  const hits = [];
  for (const s of sections) {
    const title = (s.i + " " + s.t).toLowerCase(), all = title + " " + s.x.toLowerCase();
    if (asked.every((w) => all.includes(w))) {
      hits.push([asked.filter((w) => title.includes(w)).length, s]);
    }
  }
  hits.sort((a, b) => b[0] - a[0]);
  found.innerHTML = hits.length === 0
    ? "<p>nothing has all of these words</p>"
    : hits.slice(0, 20).map(([, s]) => `<p><a href="${s.p}#${s.a}">${escaped(s.i === s.t ? s.t : s.i + ": " + s.t)}</a><br><small>${around(s.x, asked)}</small></p>`).join("");
  found.hidden = false;
}

words.addEventListener("input", look);
words.form.addEventListener("submit", (e) => {
  e.preventDefault();
  found.querySelector("a")?.click();
});
document.addEventListener("keydown", (e) => {
  if (e.key === "/" && document.activeElement !== words && !e.ctrlKey && !e.metaKey) {
    e.preventDefault();
    words.focus();
  } else if (e.key === "Escape") {
    found.hidden = true;
  }
});
found.addEventListener("click", (e) => e.target.closest("a") && (found.hidden = true));
if (matchMedia("(max-width: 800px)").matches) {
  document.querySelector("nav details").open = false;
}
