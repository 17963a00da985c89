// Lights an expression of the source and what computes it, by highlights, over the lines of its statement. A line has in data-x the number of a row of page-parts: from,
// length and expression of each of its parts, the outer ones first.
(function () {
  "use strict";
  var table = document.getElementById("page-parts"), output = document.getElementById("page-expression");
  if (!table || !window.CSS || !CSS.highlights) return;
  var rows = (table.content ? table.content.textContent : table.textContent).trim().split("\n").map(function (row) {
    return row.trim().split(" ").map(function (word) { return parseInt(word, 36); });
  });
  var places = null, kept = -1, shown = -1; // places: lines and parts of them, by expression

  function each(line, act) { // from, to and expression of each part of a line
    var row = rows[Number(line.getAttribute("data-x"))];
    for (var i = 0; i < row.length; i += 3) act(row[i], row[i] + row[i + 1], row[i + 2]);
  }
  function all() {
    if (places) return places;
    places = [];
    document.querySelectorAll(".code [data-x]").forEach(function (line) {
      each(line, function (from, to, number) { (places[number] = places[number] || []).push({ line: line, from: from, to: to }); });
    });
    return places;
  }
  document.addEventListener("page-text", function () { places = null; if (shown >= 0) show(shown, true); });

  function range(line, from, to) {
    var r = new Range();
    r.setStart(line.firstChild, from);
    r.setEnd(line.firstChild, to);
    return r;
  }
  // given lights where the name that stands for an expression gets its value: the last line before that sets it.
  function given(place, add) {
    var name = place.line.firstChild.data.slice(place.from, place.to);
    if (!/^[A-Za-z_]\w*$/.test(name)) return;
    var line = place.line, set = " " + name + " = ";
    for (var n = 0; n < 300 && (line = line.previousElementSibling); n++) {
      var at = line.firstChild.data.indexOf(set);
      if (at >= 0) return add(range(line, at + 1, line.firstChild.data.trimEnd().length));
    }
  }
  function show(number, again) {
    if (number === shown && !again) return;
    shown = number;
    var same = new Highlight(), found = number < 0 ? [] : all()[number] || [];
    same.priority = 2;
    found.forEach(function (p) { same.add(range(p.line, p.from, p.to)); });
    found.slice(0, 200).forEach(function (p) { given(p, function (r) { same.add(r); }); });
    CSS.highlights.set("page-same", same);
    if (found.length === 0) { output.textContent = ""; return; }
    var made = found.filter(function (p) { return !p.line.closest("#source, .copy"); });
    output.textContent = found[0].line.firstChild.data.slice(found[0].from, found[0].to) + ": " + made.length + (made.length === 1 ? " place" : " places");
  }
  // under returns the innermost expression at a point of the window, -1 where there is none.
  function under(e) {
    var line = e.target.closest && e.target.closest("[data-x]"), at, node, offset;
    if (!line) return -1;
    if (document.caretPositionFromPoint) {
      at = document.caretPositionFromPoint(e.clientX, e.clientY);
      node = at && at.offsetNode, offset = at && at.offset;
    } else if (document.caretRangeFromPoint) {
      at = document.caretRangeFromPoint(e.clientX, e.clientY);
      node = at && at.startContainer, offset = at && at.startOffset;
    }
    if (!node || node !== line.firstChild) return -1;
    if (offset > 0 && e.clientX < range(line, offset - 1, offset).getBoundingClientRect().right) offset--; // a caret stands between characters
    return inner(line, offset);
  }
  function inner(line, offset) {
    var found = -1;
    each(line, function (from, to, number) { if (from <= offset && offset < to) found = number; });
    return found;
  }
  var waiting = null;
  document.addEventListener("pointermove", function (e) {
    if (!waiting) requestAnimationFrame(function () { var at = under(waiting); waiting = null; show(at < 0 ? kept : at); });
    waiting = e;
  });
  function into(pane, number) { // the first place of it in a pane comes into view
    var p = (all()[number] || []).find(function (p) { return pane.contains(p.line); });
    if (p && pane.scrollHeight > pane.clientHeight) pane.scrollTop = p.line.offsetTop - pane.offsetTop - pane.clientHeight / 3;
    return p;
  }
  document.addEventListener("click", function (e) {
    var at = under(e);
    if (at < 0) return;
    kept = at === kept ? -1 : at;
    show(kept);
    document.querySelectorAll(".beside.two > pre").forEach(function (pane) { if (kept >= 0 && !pane.contains(e.target)) into(pane, kept); });
  });
  document.addEventListener("keydown", function (e) {
    if (e.key === "Escape") { kept = -1; show(-1); }
    if ((e.key !== "." && e.key !== ",") || e.ctrlKey || e.metaKey || e.altKey || !e.target.matches || !e.target.matches("pre.code")) return;
    var count = all().length, at = kept < 0 ? (e.key === "." ? 0 : count - 1) : (kept + (e.key === "." ? 1 : count - 1)) % count;
    kept = at;
    show(at);
    document.querySelectorAll("pre.code").forEach(function (pane) { if (pane === e.target || pane.closest(".beside")) into(pane, at); });
    e.preventDefault();
  });
})();
