// Stands after the function `find` in the site's search.js, a classic script: also pages that are opened as files have the search.
{
  const root = document.currentScript.src;
  const form = document.querySelector("form[role=search]");
  const input = form.querySelector("input");
  const found = form.querySelector("div");
  const status = form.querySelector("[role=status]");
  const list = form.querySelector("ol");
  const most = 12;

  /** Loads the index once somebody wants it. */
  const load = () => {
    load.begun ??= document.head.appendChild(
      Object.assign(document.createElement("script"), {
        src: new URL("search-index.js", root).href,
        onload: show,
        onerror: () => {
          delete load.begun;
        },
      }),
    );
  };

  const itemOf = ({ url, title, heading }) => {
    const link = Object.assign(document.createElement("a"), { href: new URL(url, root).href, textContent: heading });
    if (heading !== title) {
      link.append(Object.assign(document.createElement("small"), { textContent: title }));
    }
    const item = document.createElement("li");
    item.append(link);
    return item;
  };

  const show = () => {
    const { searchIndex } = globalThis;
    found.hidden = searchIndex === undefined || input.value.trim() === "";
    if (found.hidden) {
      return;
    }
    const entries = find(searchIndex, input.value);
    list.replaceChildren(...entries.slice(0, most).map(itemOf));
    status.textContent = (entries.length === 0 ? form.dataset.none : form.dataset.some).replace("0", entries.length);
  };

  const step = (by) => {
    const stops = [input, ...list.querySelectorAll("a")];
    stops[stops.indexOf(document.activeElement) + by]?.focus();
  };

  form.hidden = false;
  input.addEventListener("focus", load);
  input.addEventListener("input", show);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    list.querySelector("a")?.click();
  });
  form.addEventListener("keydown", (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined && !found.hidden) {
      event.preventDefault();
      step(by);
    }
    if (event.key === "Escape") {
      input.focus();
      found.hidden = true;
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !event.ctrlKey && !event.metaKey && !form.contains(event.target)) {
      event.preventDefault();
      input.focus();
    }
  });
  for (const type of ["pointerdown", "focusin"]) {
    document.addEventListener(type, ({ target }) => {
      if (!form.contains(target)) {
        found.hidden = true;
      }
    });
  }
}
