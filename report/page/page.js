// Lights all that belongs to the statement under the pointer or the focus.
(function () {
  "use strict";
  var kept = "";
  function light(keys) {
    document.querySelectorAll(".lit").forEach(function (e) { e.classList.remove("lit"); });
    keys.split(" ").filter(Boolean).forEach(function (key) {
      document.querySelectorAll('[data-s~="' + key + '"]').forEach(function (e) { e.classList.add("lit"); });
    });
    document.body.classList.toggle("lighting", keys !== "");
  }
  function keysAt(target) {
    var e = target.closest ? target.closest("[data-s]") : null;
    return e ? e.getAttribute("data-s") : "";
  }
  function keep(keys) {
    kept = keys;
    document.querySelectorAll("button[data-s]").forEach(function (b) {
      b.setAttribute("aria-pressed", String(keys !== "" && b.getAttribute("data-s") === keys));
    });
    light(keys);
  }
  document.addEventListener("pointerover", function (e) { light(keysAt(e.target) || kept); });
  document.addEventListener("pointerleave", function () { light(kept); });
  document.addEventListener("focusin", function (e) { light(keysAt(e.target) || kept); });
  document.addEventListener("focusout", function () { light(kept); });
  document.addEventListener("click", function (e) {
    if (e.target.closest("a")) return;
    var keys = keysAt(e.target);
    if (!keys) return;
    keep(keys === kept ? "" : keys);
    document.querySelectorAll(".beside.two > pre").forEach(function (pane) { // what belongs to it comes into view in the other pane
      var line = kept && !pane.contains(e.target) && pane.querySelector(".lit");
      if (line) pane.scrollTop = line.offsetTop - pane.offsetTop - pane.clientHeight / 3;
    });
  });
  document.addEventListener("keydown", function (e) { if (e.key === "Escape") keep(""); });
})();

// Folds sections, and marks the one in view in the contents.
(function () {
  "use strict";
  function unfold(e) {
    for (; e; e = e.parentElement) {
      var button = e.classList.contains("folded") && e.querySelector(".fold");
      if (button) button.click();
    }
  }
  document.querySelectorAll("section > h2, section > h3").forEach(function (h) {
    var button = document.createElement("button");
    button.type = "button";
    button.className = "fold";
    button.setAttribute("aria-expanded", "true");
    button.append.apply(button, Array.from(h.childNodes));
    h.append(button);
    button.addEventListener("click", function () {
      var folded = h.parentElement.classList.toggle("folded");
      button.setAttribute("aria-expanded", String(!folded));
    });
  });
  window.addEventListener("hashchange", function () { unfold(document.getElementById(location.hash.slice(1))); });
  window.pageUnfold = unfold;

  var links = {};
  document.querySelectorAll('nav a[href^="#"]').forEach(function (a) { links[a.getAttribute("href").slice(1)] = a; });
  var seen = new IntersectionObserver(function () {
    var current = null;
    Object.keys(links).forEach(function (id) {
      var e = document.getElementById(id);
      if (e && e.getBoundingClientRect().top < window.innerHeight / 3) current = links[id];
    });
    document.querySelectorAll("nav [aria-current]").forEach(function (a) { a.removeAttribute("aria-current"); });
    if (current) current.setAttribute("aria-current", "true");
  }, { threshold: [0, 0.01, 0.1, 0.5, 1] });
  document.querySelectorAll("section, article").forEach(function (e) { seen.observe(e); });
})();

// Shows a copy of the source beside what was made of it.
(function () {
  "use strict";
  var button = document.getElementById("page-beside"), row = document.querySelector(".beside"), source = document.querySelector("#source pre");
  if (!button || !row || !source) return;
  button.hidden = false;
  function show(on) {
    button.setAttribute("aria-pressed", String(on));
    row.classList.toggle("two", on);
    var copy = row.querySelector(".copy");
    if (!on && copy) copy.remove();
    if (!on || copy) return;
    copy = source.cloneNode(true);
    copy.querySelectorAll("[id]").forEach(function (e) { e.removeAttribute("id"); });
    copy.classList.add("copy");
    copy.setAttribute("aria-label", "Source text, beside");
    row.prepend(copy);
    document.dispatchEvent(new Event("page-text"));
  }
  button.addEventListener("click", function () { show(button.getAttribute("aria-pressed") !== "true"); });
  if (window.innerWidth >= 1200) show(true);
})();

// Colours words of C, and finds text: by highlights, which leave the page as it is.
(function () {
  "use strict";
  if (!window.CSS || !CSS.highlights) return;
  var token = /(\/\*[^]*?\*\/|\/\/[^\n]*)|(^[ \t]*#[^\n]*)|("(?:[^"\\\n]|\\.)*")|\b(\d[\w.]*)|\b(auto|bool|break|case|char|const|continue|default|do|double|else|enum|extern|float|for|goto|if|inline|int|long|register|restrict|return|short|signed|sizeof|static|struct|switch|template|typedef|union|unsigned|void|volatile|while|__global__|__device__|__shared__|__kernel|__local|__syncthreads|__restrict__|__forceinline__|__launch_bounds__)\b/gm;
  var names = ["page-remarks", "page-directives", "page-numbers", "page-numbers", "page-words"];

  // each calls do with the ranges of matches of a pattern in the text of an element, which may lie in many nodes.
  function each(element, pattern, do_) {
    var nodes = [], starts = [], text = "", walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT), n;
    while ((n = walk.nextNode())) { nodes.push(n); starts.push(text.length); text += n.data; }
    function at(range, offset, end) {
      var lo = 0, hi = nodes.length - 1;
      while (lo < hi) {
        var mid = (lo + hi + 1) >> 1;
        if (end ? starts[mid] < offset : starts[mid] <= offset) lo = mid; else hi = mid - 1;
      }
      range[end ? "setEnd" : "setStart"](nodes[lo], offset - starts[lo]);
    }
    for (var m; nodes.length && (m = pattern.exec(text)) !== null;) {
      if (m[0] === "") { pattern.lastIndex++; continue; }
      var r = new Range();
      at(r, m.index, false);
      at(r, m.index + m[0].length, true);
      do_(r, m);
    }
  }
  function colour() {
    names.forEach(function (name) { CSS.highlights.set(name, new Highlight()); });
    document.querySelectorAll("pre.code:not(.machine)").forEach(function (pre) {
      each(pre, token, function (r, m) { CSS.highlights.get(names[m.slice(1).findIndex(Boolean)]).add(r); });
    });
  }
  colour();
  document.addEventListener("page-text", colour);

  var form = document.querySelector("nav form"), input = form.querySelector("input"), output = form.querySelector("output"), found = [], now = -1;
  form.hidden = false;
  function tell() { output.textContent = input.value.length < 2 ? "" : found.length === 0 ? "nothing" : (now + 1 || "-") + " of " + found.length; }
  input.addEventListener("input", function () {
    found = [], now = -1;
    var all = new Highlight(), words = input.value.trim();
    if (words.length > 1) {
      each(document.querySelector("main"), new RegExp(words.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "gi"), function (r) { found.push(r); all.add(r); });
    }
    all.priority = 1;
    CSS.highlights.set("page-found", all);
    tell();
  });
  form.addEventListener("submit", function (e) {
    e.preventDefault();
    if (found.length === 0) return;
    now = (now + 1) % found.length;
    var at = found[now].startContainer.parentElement;
    window.pageUnfold(at);
    at.scrollIntoView({ block: "center" });
    tell();
  });
})();

// Steps through tiles in the order of time tiles and phases: those before, those that run now, and those later.
(function () {
  "use strict";
  document.querySelectorAll("figure").forEach(function (figure) {
    var tiles = Array.from(figure.querySelectorAll(".tile[data-tile]")), steps = [];
    tiles.forEach(function (t) {
      var at = t.getAttribute("data-tile").split(" ").slice(0, 2).map(Number);
      t.step = steps.findIndex(function (s) { return s[0] === at[0] && s[1] === at[1]; });
      if (t.step < 0) { t.step = steps.length; steps.push(at); }
    });
    if (steps.length < 2) return;
    var order = steps.slice().sort(function (a, b) { return a[0] - b[0] || a[1] - b[1]; });
    tiles.forEach(function (t) { t.step = order.indexOf(steps[t.step]); });

    var bar = document.createElement("div"), slider = document.createElement("input"), output = document.createElement("output"), timer = 0;
    bar.className = "player";
    bar.setAttribute("role", "group");
    bar.setAttribute("aria-label", "Step through the tiles");
    slider.type = "range";
    slider.min = 0;
    slider.max = order.length;
    slider.value = order.length;
    slider.setAttribute("aria-label", "step");
    output.setAttribute("aria-live", "polite");
    function button(text, label, act) {
      var b = document.createElement("button");
      b.type = "button";
      b.className = "plain";
      b.textContent = text;
      b.setAttribute("aria-label", label);
      b.addEventListener("click", act);
      return b;
    }
    function show(to) { // the last place shows all tiles alike
      slider.value = to;
      var all = to >= order.length;
      figure.classList.toggle("stepping", !all);
      tiles.forEach(function (t) {
        t.classList.toggle("now", !all && t.step === to);
        t.classList.toggle("later", !all && t.step > to);
      });
      output.textContent = all ? "all tiles" : "T = " + order[to][0] + ", phase " + order[to][1] + ": " + (to + 1) + " of " + order.length;
      slider.setAttribute("aria-valuetext", output.textContent);
    }
    function stop() {
      clearInterval(timer);
      timer = 0;
      play.textContent = "play";
      play.setAttribute("aria-label", "play");
    }
    function move(by) { stop(); show(Math.min(Math.max(Number(slider.value) + by, 0), order.length)); }
    var play = button("play", "play", function () {
      if (timer) return stop();
      if (Number(slider.value) >= order.length) show(0);
      play.textContent = "pause";
      play.setAttribute("aria-label", "pause");
      timer = setInterval(function () {
        show(Number(slider.value) + 1);
        if (Number(slider.value) >= order.length) stop();
      }, 900);
    });
    slider.addEventListener("input", function () { stop(); show(Number(slider.value)); });
    bar.append(button("<", "step back", function () { move(-1); }), play, button(">", "step on", function () { move(1); }), slider, output);
    figure.querySelector("figcaption").after(bar);
    show(order.length);
  });
})();
