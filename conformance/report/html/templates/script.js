"use strict";
(() => {
  const form = document.getElementById("filters");
  const cards = [...document.querySelectorAll(".card")];
  const sections = [...document.querySelectorAll("section.results")];
  const nothing = document.getElementById("nothing");
  // Evidence is left out of the text that is searched: it would match almost everything.
  const textOf = (card) =>
    [card.querySelector("summary"), card.querySelector(".reason"), card.querySelector(".checks")]
      .filter(Boolean)
      .map((part) => {
        const copy = part.cloneNode(true);
        copy.querySelectorAll(".evidence").forEach((evidence) => evidence.remove());
        return copy.textContent;
      })
      .join(" ")
      .toLowerCase();
  const texts = new Map(cards.map((card) => [card, textOf(card)]));

  const apply = () => {
    const wanted = new FormData(form);
    const words = wanted.get("text").toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const card of cards) {
      const fits =
        ["outcome", "role", "feature"].every(
          (name) => !wanted.get(name) || card.dataset[name] === wanted.get(name),
        ) && words.every((word) => texts.get(card).includes(word));
      card.hidden = !fits;
      shown += fits ? 1 : 0;
    }
    for (const section of sections) {
      section.hidden = !section.querySelector(".card:not([hidden])");
    }
    nothing.hidden = shown > 0;
    form.querySelector("output").textContent =
      shown === cards.length ? `${shown} requirements` : `${shown} of ${cards.length} requirements`;
  };

  form.addEventListener("input", apply);
  form.addEventListener("reset", () => setTimeout(apply));
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  apply();

  // A link to a requirement opens it, also where a filter hides it.
  const open = () => {
    const id = decodeURIComponent(location.hash.slice(1));
    const card = id && document.getElementById(id);
    if (!card || !card.classList.contains("card")) return;
    if (card.hidden) {
      form.reset();
      apply();
    }
    card.open = true;
    card.scrollIntoView();
  };
  addEventListener("hashchange", open);
  open();

  addEventListener("beforeprint", () => cards.forEach((card) => (card.open = true)));
})();
