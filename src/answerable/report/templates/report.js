"use strict";
// The page's only script. Everything that comes from data is set as text or as a checked picture address.
(function () {
  const byId = (id) => document.getElementById(id);
  const root = document.documentElement;

  // Small builder: properties are ours, text is data.
  function make(tag, properties, ...children) {
    const node = document.createElement(tag);
    for (const [key, value] of Object.entries(properties || {})) {
      if (key === "class") node.className = value;
      else if (key === "text") node.textContent = value;
      else if (key === "on") for (const [event, act] of Object.entries(value)) node.addEventListener(event, act);
      else node.setAttribute(key, value);
    }
    for (const child of children) if (child) node.append(child);
    return node;
  }
  const island = (id) => { const node = byId(id); return node ? JSON.parse(node.textContent) : null; };

  function themes() {
    const button = byId("theme");
    const names = ["auto", "light", "dark"];
    let kept = null;
    try { kept = localStorage.getItem("answerable-theme"); } catch (_) { kept = null; }
    let now = names.includes(kept) ? kept : "auto";
    const show = () => {
      if (now === "auto") root.removeAttribute("data-theme"); else root.setAttribute("data-theme", now);
      button.textContent = "Theme: " + now;
    };
    button.hidden = false;
    button.addEventListener("click", () => {
      now = names[(names.indexOf(now) + 1) % names.length];
      try { localStorage.setItem("answerable-theme", now); } catch (_) { /* a private window keeps nothing */ }
      show();
    });
    show();
  }

  function forests() {
    const plots = [...document.querySelectorAll(".forest")];
    if (!plots.length) return;
    const select = byId("metric");
    const names = [...new Set(plots.map((plot) => plot.dataset.metric))];
    for (const name of names) select.append(make("option", { value: name, text: name }));
    const show = () => plots.forEach((plot) => { plot.hidden = plot.dataset.metric !== select.value; });
    select.value = names.includes("J") ? "J" : names[0];
    select.addEventListener("change", show);
    byId("metric-control").hidden = false;
    show();
  }

  // ---- gallery ----
  const index = island("index");
  const PAGE = 6;
  const FAILS = new Set(["wrong_answer", "false_rejection", "false_acceptance", "invalid", "failed", "not_run"]);
  const state = { page: 0, states: new Set(), run: -1, kind: "", source: "", text: "" };
  let found = [];
  let turn = 0;

  // Details: in the page as islands, or in numbered files beside it.
  const waiting = new Map();
  const files = new Map();
  window.answerableTake = (number, batch) => {
    const settle = waiting.get(number);
    if (settle) { waiting.delete(number); settle.done(batch); }
  };
  function file(number) {
    if (!files.has(number)) {
      files.set(number, new Promise((done, fail) => {
        waiting.set(number, { done });
        const node = document.createElement("script");
        node.src = index.folder + "/data-" + String(number).padStart(5, "0") + ".js";
        node.onload = () => node.remove();
        node.onerror = () => { files.delete(number); fail(new Error("The file " + decodeURIComponent(index.folder) + "/data-" + String(number).padStart(5, "0") + ".js is not beside this page.")); };
        document.head.append(node);
      }));
    }
    return files.get(number);
  }
  async function details(place) {
    if (!index.folder) {
      // A number stands for a picture that an earlier view of the group shows too.
      const held = island("pictures-" + place);
      return { card: island("card-" + place), pictures: held.map((one) => (typeof one === "number" ? held[one] : one)) };
    }
    const batch = await file(Math.floor(place / index.groups_a_file));
    const one = batch[place % index.groups_a_file];
    return { card: one.card, pictures: one.pictures.map((name) => (name ? index.folder + "/" + name : "")) };
  }
  async function words(place) {
    const card = index.folder ? (await details(place)).card : island("card-" + place);
    return card.verdicts.map((one) => (one.reply || "") + "\n" + one.reading + "\n" + one.why + "\n" + (one.reasoning || "")).join("\n").toLowerCase();
  }
  // Only these addresses are ever given to an image.
  const ours = (url) => /^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]*$/.test(url) || (index.folder && url.startsWith(index.folder + "/images/") && /\/images\/[0-9]{6}\.(png|jpeg|gif|webp)$/.test(url));

  const outcome = (mark) => index.outcomes[mark.outcome] || { key: "", short: "", words: "" };
  function kindMatches(mark) {
    const [type, value] = state.kind.split(":");
    if (!type) return true;
    if (type === "fail") return FAILS.has(outcome(mark).key);
    if (type === "outcome") return outcome(mark).key === value;
    if (type === "status") return mark.status === Number(value);
    return mark.why === Number(value);
  }
  const narrowed = () => state.states.size || state.run >= 0 || state.kind;
  function hits(entry, view, mark, run) {
    return (state.run < 0 || run === state.run) && (!state.states.size || state.states.has(entry.states[view])) && kindMatches(mark);
  }
  function matches(entry) {
    if (state.source && entry.source !== state.source) return false;
    if (!narrowed()) return true;
    return entry.marks.some((list, run) => {
      for (let at = 0; at < list.length; at += 2) if (hits(entry, list[at], index.marks[list[at + 1]], run)) return true;
      return false;
    });
  }

  async function filter() {
    const mine = ++turn;
    const cards = byId("cards");
    let list = index.entries.map((_, place) => place).filter((place) => matches(index.entries[place]));
    const text = state.text.trim().toLowerCase();
    if (text) {
      const kept = [];
      cards.setAttribute("aria-busy", "true");
      for (const place of list) {
        const entry = index.entries[place];
        const head = (entry.id + "\n" + entry.question + "\n" + entry.targets).toLowerCase();
        try {
          if (head.includes(text) || (await words(place)).includes(text)) kept.push(place);
        } catch (error) { trouble(error); return; }
        if (mine !== turn) return;
      }
      list = kept;
    }
    found = list;
    state.page = 0;
    await draw();
  }
  function trouble(error) {
    byId("cards").removeAttribute("aria-busy");
    byId("cards").replaceChildren(make("p", { class: "notes", text: error.message }));
  }

  async function draw() {
    const mine = ++turn;
    const total = index.entries.length;
    const pages = Math.max(1, Math.ceil(found.length / PAGE));
    state.page = Math.min(state.page, pages - 1);
    byId("count").textContent = found.length === total ? total + " questions" : found.length + " of " + total + " questions here match";
    byId("pager").hidden = pages < 2;
    byId("p-where").textContent = "Page " + (state.page + 1) + " of " + pages;
    byId("p-prev").disabled = state.page === 0;
    byId("p-next").disabled = state.page >= pages - 1;
    const shown = found.slice(state.page * PAGE, (state.page + 1) * PAGE);
    try {
      const made = [];
      for (const place of shown) made.push(card(place, await details(place)));
      if (mine !== turn) return;
      byId("cards").removeAttribute("aria-busy");
      byId("cards").replaceChildren(...(made.length ? made : [make("p", { class: "small", text: "No question here matches these filters." })]));
      showHits();
    } catch (error) { if (mine === turn) trouble(error); }
  }

  // On a narrow screen the matching verdict may lie outside its box.
  function showHits() {
    for (const box of document.querySelectorAll(".card > .scroll")) {
      const hit = box.querySelector(".hit");
      if (!hit || box.scrollWidth <= box.clientWidth) continue;
      const label = box.querySelector(".rn").getBoundingClientRect().width;
      box.scrollLeft += hit.getBoundingClientRect().left - box.getBoundingClientRect().left - label - 12;
    }
  }

  const stateOf = (letter) => index.states.find((one) => one.letter === letter) || { name: "", words: "" };
  const badge = (letter) => make("span", { class: "state state-" + letter, text: letter });
  function image(url, alt, width, height) {
    return make("img", { src: url, alt, width: String(width), height: String(height), loading: "lazy", decoding: "async" });
  }

  function card(place, held) {
    const entry = index.entries[place];
    const views = held.card.views;
    const box = make("article", { class: "card" });
    box.append(make("h3", { text: entry.question, dir: "auto" }), make("p", { class: "where", text: entry.source + " · " + entry.id }));
    const grid = make("div", { class: "grid" });
    grid.style.gridTemplateColumns = "var(--label) repeat(" + views.length + ", minmax(138px, 1fr))";
    grid.append(make("span", { class: "rn corner" }));
    views.forEach((view, at) => grid.append(head(held, views, view, at, entry)));
    const reply = make("div", { class: "reply", id: "reply-" + place, role: "region", "aria-label": "Reply" });
    reply.hidden = true;
    index.runs.forEach((run, number) => {
      const mine = held.card.verdicts.filter((one) => one.run === number);
      grid.append(make("div", { class: "rn", dir: "auto", text: run.name }));
      views.forEach((view, at) => {
        const cell = make("div", {});
        const here = mine.filter((one) => one.view === at);
        for (const one of here) cell.append(verdict(entry, view, one, run, reply, here.length > 1));
        if (!here.length) cell.append(make("span", { class: "sub", text: "not in this run" }));
        grid.append(cell);
      });
    });
    box.append(make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Pictures and verdicts" }, grid), reply);
    if (held.card.proof) box.append(triptych(held, views));
    return box;
  }

  function head(held, views, view, at, entry) {
    const node = make("div", { class: "vhead" });
    const url = held.pictures[at];
    const alt = "State " + view.state + ", " + stateOf(view.state).words;
    if (ours(url)) {
      const button = make("button", { type: "button", class: "pic" + (view.supported ? "" : " unsupported"), "aria-label": "Enlarge: " + alt, on: { click: () => zoom(held, views, at, entry) } });
      button.append(image(url, alt, view.width, view.height));
      outline(button, held.card.outlines[at]);
      node.append(button);
    } else node.append(make("span", { class: "nopicture", text: view.picture_note || "no picture" }));
    node.append(badge(view.state), " ", make("span", { class: "statename", text: view.put || stateOf(view.state).name }), make("span", { class: "duty", dir: "auto", text: view.duty }));
    if (view.asks) node.append(make("span", { class: "asks", dir: "auto", text: "asks: " + view.asks }));
    if (view.options.length) node.append(make("ul", { class: "offered", "aria-label": "Options" }, ...view.options.map((text) => make("li", { dir: "auto", text }))));
    if (view.picture_note && ours(url)) node.append(make("span", { class: "picnote", text: view.picture_note }));
    if (!view.supported) node.classList.add("unsupported");
    return node;
  }

  // Where the picture differs from the first one; seen only when asked for.
  function outline(holder, box) {
    if (!box) return;
    const mark = make("span", { class: "outline", "aria-hidden": "true" });
    ["left", "top", "width", "height"].forEach((side, at) => { mark.style[side] = box[at] / 10 + "%"; });
    holder.append(mark);
  }

  function verdict(entry, view, one, run, reply, several) {
    const mark = index.marks[one.mark];
    const kind = outcome(mark);
    const hit = narrowed() && hits(entry, one.view, mark, one.run);
    const node = make("button", { type: "button", class: "verdict v-" + kind.key + (hit ? " hit" : ""), "aria-expanded": "false", "aria-controls": reply.id });
    node.append(make("span", { class: "said", dir: "auto", text: one.reading }), make("span", { class: "what", text: (kind.key === "correct" ? "✓ " : "✗ ") + kind.short + (several ? " · repeat " + (one.repeat + 1) : "") }));
    node.addEventListener("click", () => {
      const open = node.getAttribute("aria-expanded") === "true";
      for (const other of reply.parentNode.querySelectorAll(".verdict[aria-expanded=true]")) other.setAttribute("aria-expanded", "false");
      reply.hidden = open;
      if (open) return;
      node.setAttribute("aria-expanded", "true");
      fillReply(reply, view, one, run, mark, kind);
    });
    return node;
  }

  function fillReply(reply, view, one, run, mark, kind) {
    const facts = [kind.words];
    if (mark.status >= 0) facts.push("status " + index.statuses[mark.status]);
    if (one.finish) facts.push("finish reason " + one.finish);
    if (one.rule) facts.push("read by rule " + one.rule);
    if (one.why) facts.push("because: " + one.why);
    if (one.seconds !== null) facts.push(one.seconds.toFixed(2) + " s");
    const title = make("h4", {}, badge(view.state), " ", make("bdi", { text: run.name }), " · must " + view.duty);
    reply.replaceChildren(title, make("p", { class: "kv", text: facts.join(" · ") }));
    const put = (text, more, empty) => {
      if (text === null) { reply.append(make("p", { class: "kv", text: empty })); return; }
      reply.append(make("pre", { class: "raw", tabindex: "0", text: text === "" ? "(empty text)" : text }));
      if (more) reply.append(make("p", { class: "kv", text: "… and " + more.toLocaleString("en") + " more characters, in verdicts.parquet" }));
    };
    put(one.reply, one.reply_more, "There is no reply text.");
    if (one.reasoning !== null) { reply.append(make("p", { class: "kv", text: "Reasoning, kept for people and never read:" })); put(one.reasoning, one.reasoning_more, ""); }
  }

  function triptych(held, views) {
    const [a, b, seen] = held.card.proof;
    const box = make("details", {}, make("summary", { text: "Why abstaining on M is right: two worlds, one picture" }));
    let filled = false;
    box.addEventListener("toggle", () => {
      if (filled || !box.open) return;
      filled = true;
      const panel = (at, title, rest, alt, kind) => make("figure", { class: kind }, make("figcaption", {}, make("strong", { text: title }), " " + rest), ours(held.pictures[at]) ? image(held.pictures[at], alt, views[at].width, views[at].height) : make("span", { class: "nopicture", text: "no picture" }));
      box.append(make("div", { class: "triptych" },
        panel(a, "World A", "answers " + views[a].target, "World A: complete picture that answers " + views[a].target, ""),
        panel(b, "World B", "answers " + views[b].target, "World B: complete picture that answers " + views[b].target, ""),
        make("div", { class: "hide", "aria-hidden": "true" }, make("span", { text: "hide" })),
        panel(seen, "What is seen", "of both", "What is seen: the same picture, whichever world it was", "seen")));
      box.append(make("p", { class: "small", text: "Two complete pictures that answer " + views[a].target + " and " + views[b].target + " look the same once hidden. Level: " + views[seen].level + "; proof " + views[seen].proof }));
    });
    return box;
  }

  // ---- zoom ----
  let zoomed = null;
  function zoom(held, views, at, entry) {
    zoomed = { held, views, at, entry };
    showZoom();
    byId("zoom").showModal();
  }
  function showZoom() {
    const { held, views, at, entry } = zoomed;
    const view = views[at];
    const node = byId("zoom-img");
    node.hidden = !ours(held.pictures[at]);
    if (!node.hidden) node.src = held.pictures[at];
    node.alt = "State " + view.state + ", " + stateOf(view.state).words;
    byId("zoom-text").replaceChildren(badge(view.state), " ", make("bdi", { text: entry.question }), " – ", make("b", { text: view.duty }), " · " + view.width + " × " + view.height + " · evidence: " + view.level + (view.note ? " (" + view.note + ")" : "") + (view.renderer ? " · " + view.renderer : ""));
  }
  function turnZoom(by) {
    if (!zoomed) return;
    zoomed.at = (zoomed.at + by + zoomed.views.length) % zoomed.views.length;
    showZoom();
  }

  // ---- controls ----
  function option(select, value, text) { select.append(make("option", { value, text })); }
  function controls() {
    const run = byId("f-run"), kind = byId("f-kind"), source = byId("f-source"), chips = byId("f-state");
    option(run, "-1", "any run");
    index.runs.forEach((one, number) => option(run, String(number), one.name));
    option(kind, "", "any result");
    option(kind, "fail:", "any failure");
    const used = { outcome: new Set(), status: new Set(), why: new Set() };
    for (const mark of index.marks) { used.outcome.add(mark.outcome); used.status.add(mark.status); used.why.add(mark.why); }
    const grouped = (label, items) => {
      if (!items.length) return;
      const group = make("optgroup", { label });
      for (const [value, text] of items) option(group, value, text);
      kind.append(group);
    };
    grouped("Verdict", index.outcomes.map((one, number) => [number, one]).filter(([number]) => used.outcome.has(number)).map(([, one]) => ["outcome:" + one.key, one.short]));
    grouped("Reply", index.statuses.map((word, number) => ["status:" + number, word]).filter((_, number) => used.status.has(number)));
    grouped("Invalid because", index.whys.map((word, number) => ["why:" + number, word]).filter((_, number) => used.why.has(number)).slice(0, 60));
    option(source, "", "all sources");
    for (const name of [...new Set(index.entries.map((entry) => entry.source))].sort()) option(source, name, name);
    for (const one of index.states) {
      const chip = make("button", { type: "button", class: "chip", "aria-pressed": "false", "aria-label": "State " + one.letter + ": " + one.words, title: one.words }, badge(one.letter));
      chip.dataset.state = one.letter;
      chip.addEventListener("click", () => {
        if (state.states.has(one.letter)) state.states.delete(one.letter); else state.states.add(one.letter);
        sync(); filter();
      });
      chips.append(chip);
    }
    run.addEventListener("change", () => { state.run = Number(run.value); filter(); });
    kind.addEventListener("change", () => { state.kind = kind.value; filter(); });
    source.addEventListener("change", () => { state.source = source.value; filter(); });
    let timer = 0;
    byId("f-text").addEventListener("input", (event) => {
      clearTimeout(timer);
      timer = setTimeout(() => { state.text = event.target.value; filter(); }, 200);
    });
    byId("filters").addEventListener("submit", (event) => event.preventDefault());
    const outlining = byId("f-outline");
    outlining.addEventListener("click", () => {
      const on = outlining.getAttribute("aria-pressed") !== "true";
      outlining.setAttribute("aria-pressed", String(on));
      byId("cards").classList.toggle("outlined", on);
    });
    byId("f-reset").addEventListener("click", (event) => {
      event.preventDefault();
      clearTimeout(timer);
      Object.assign(state, { run: -1, kind: "", source: "", text: "" });
      state.states.clear();
      sync(); filter();
    });
    const move = (by) => { state.page += by; draw(); byId("gallery").scrollIntoView(); };
    byId("p-prev").addEventListener("click", () => move(-1));
    byId("p-next").addEventListener("click", () => move(1));
    byId("zoom-close").addEventListener("click", () => byId("zoom").close());
    byId("zoom-prev").addEventListener("click", () => turnZoom(-1));
    byId("zoom-next").addEventListener("click", () => turnZoom(1));
    byId("zoom").addEventListener("keydown", (event) => {
      if (event.key === "ArrowLeft") turnZoom(-1);
      if (event.key === "ArrowRight") turnZoom(1);
    });
    byId("zoom").addEventListener("click", (event) => { if (event.target === byId("zoom")) byId("zoom").close(); });
    byId("filters").hidden = false;
  }
  function sync() {
    byId("f-run").value = String(state.run);
    byId("f-kind").value = state.kind;
    byId("f-source").value = state.source;
    byId("f-text").value = state.text;
    for (const chip of byId("f-state").children) chip.setAttribute("aria-pressed", String(state.states.has(chip.dataset.state)));
    byId("f-state").classList.toggle("some", state.states.size > 0);
  }
  function jumps() {
    for (const node of document.querySelectorAll("span.jump")) {
      const button = make("button", { type: "button", class: "jump" });
      button.append(...node.childNodes);
      const { run, state: letter, source } = node.dataset;
      button.addEventListener("click", () => {
        const sources = new Set(index.entries.map((entry) => entry.source));
        Object.assign(state, { run: Number(run), kind: "fail:", source: sources.has(source) ? source : "", text: "" });
        state.states.clear();
        state.states.add(letter);
        sync(); filter();
        byId("gallery").scrollIntoView();
      });
      node.replaceWith(button);
    }
    for (const node of document.querySelectorAll(".scripted")) node.hidden = false;
  }

  themes();
  forests();
  if (index) { controls(); jumps(); found = index.entries.map((_, place) => place); draw(); }
})();
