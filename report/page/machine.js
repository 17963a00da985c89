// Links lines of what is printed with the instructions that are made of them, and shows these beside them.
(function () {
  "use strict";
  var code = document.querySelector("pre.machine"), printed = document.querySelector("pre.printed"), button = document.getElementById("page-machine");
  if (!code || !printed || !button) return;
  var lines = Array.from(printed.children), groups = {}, now = 0;
  Array.from(code.children).forEach(function (g) {
    var line = g.getAttribute("data-k");
    if (line) (groups[line] = groups[line] || []).push(g);
  });
  function lineAt(target) {
    var e = target.closest && target.closest("pre.machine [data-k], pre.printed > span");
    if (!e) return 0;
    return e.parentElement === printed ? lines.indexOf(e) + 1 : Number(e.getAttribute("data-k"));
  }
  function mark(line) {
    if (line === now) return;
    document.querySelectorAll(".of-line").forEach(function (e) { e.classList.remove("of-line"); });
    now = line;
    if (!line) return;
    lines[line - 1].classList.add("of-line");
    (groups[line] || []).forEach(function (g) { g.classList.add("of-line"); });
  }
  function into(pane, e) { if (e && pane.scrollHeight > pane.clientHeight) pane.scrollTop = e.offsetTop - pane.offsetTop - pane.clientHeight / 3; }
  document.addEventListener("pointerover", function (e) { var line = lineAt(e.target); if (line) mark(line); });
  document.addEventListener("click", function (e) {
    var line = lineAt(e.target);
    if (!line) return;
    mark(line);
    if (printed.contains(e.target)) into(code, (groups[line] || [])[0]); else into(printed, lines[line - 1]);
  });
  document.addEventListener("keydown", function (e) { // from line to line that has instructions
    if ((e.key !== "[" && e.key !== "]") || e.ctrlKey || e.metaKey || !e.target.matches || !e.target.matches("pre.code")) return;
    var step = e.key === "]" ? 1 : -1, line = now || (step > 0 ? 0 : lines.length + 1);
    do line += step; while (line > 0 && line <= lines.length && !groups[line]);
    if (line < 1 || line > lines.length) return;
    mark(line);
    into(code, groups[line][0]);
    into(printed, lines[line - 1]);
    e.preventDefault();
  });
  var home = code.parentElement, row = printed.parentElement;
  button.hidden = false;
  button.addEventListener("click", function () {
    var on = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(on));
    (on ? row : home).append(code);
    row.classList.toggle("more", on);
  });
})();
