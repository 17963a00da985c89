// Zooms pictures: timelines along the axis of time alone, others as a whole.
(function () {
  "use strict";
  var most = 32;
  document.querySelectorAll("figure").forEach(function (figure) {
    var svg = figure.querySelector("svg"), pane = figure.querySelector(".scroll"), caption = figure.querySelector("figcaption");
    if (!svg || !pane) return;
    var box = svg.viewBox.baseVal, along = figure.getAttribute("data-picture") === "timeline", zoom = 1, bar = document.createElement("div"), output = document.createElement("output");
    var texts = along ? Array.from(svg.querySelectorAll("text")) : [];
    function to(next, at) { // at: what stays where it is, in pixels of the pane
      next = Math.min(Math.max(next, 1), most);
      if (at === undefined) at = pane.clientWidth / 2;
      var width = svg.getBoundingClientRect().width / zoom, left = (pane.scrollLeft + at) / zoom;
      if (next === 1) {
        ["width", "height", "max-width"].forEach(function (p) { svg.style.removeProperty(p); });
        svg.removeAttribute("preserveAspectRatio");
      } else {
        svg.style.maxWidth = "none";
        svg.style.width = width * next + "px";
        svg.style.height = along ? width * box.height / box.width + "px" : "auto";
        if (along) svg.setAttribute("preserveAspectRatio", "none");
      }
      zoom = next;
      texts.forEach(function (t) { // letters keep their width
        var x = Number(t.getAttribute("x"));
        if (zoom === 1) t.removeAttribute("transform"); else t.setAttribute("transform", "translate(" + (x - x / zoom) + " 0) scale(" + 1 / zoom + " 1)");
      });
      pane.scrollLeft = left * zoom - at;
      output.textContent = zoom === 1 ? "" : (Math.round(zoom * 10) / 10) + " times";
      fit.disabled = less.disabled = zoom === 1;
      more.disabled = zoom === most;
    }
    function button(text, label, act) {
      var b = document.createElement("button");
      b.type = "button";
      b.className = "plain";
      b.textContent = text;
      b.setAttribute("aria-label", label);
      b.addEventListener("click", act);
      return b;
    }
    var less = button("\u2212", "zoom out", function () { to(zoom / 1.5); });
    var more = button("+", "zoom in", function () { to(zoom * 1.5); });
    var fit = button("fit", "fit the window", function () { to(1); });
    bar.className = "zoom";
    bar.setAttribute("role", "group");
    bar.setAttribute("aria-label", "Zoom");
    output.setAttribute("aria-live", "polite");
    bar.append(less, more, fit, output);
    caption.after(bar);
    pane.addEventListener("keydown", function (e) {
      if (e.ctrlKey || e.metaKey || e.altKey) return;
      if (e.key === "+" || e.key === "=") to(zoom * 1.5); else if (e.key === "-") to(zoom / 1.5); else if (e.key === "0") to(1); else return;
      e.preventDefault();
    });
    pane.addEventListener("wheel", function (e) {
      if (!e.ctrlKey) return;
      e.preventDefault();
      to(zoom * Math.exp(-e.deltaY / 300), e.clientX - pane.getBoundingClientRect().left);
    }, { passive: false });
    to(1);
  });
})();
