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
    if (keys) keep(keys === kept ? "" : keys);
  });
  document.addEventListener("keydown", function (e) { if (e.key === "Escape") keep(""); });
})();
