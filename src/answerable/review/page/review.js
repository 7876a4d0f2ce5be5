// The page of a review: who votes, on what, what stands, and what is still on its way.
import { drawCard, caption, mark } from "./card.js";
import { $, button, make, newId, words } from "./dom.js";
import { ExplanationForm, GroupForm } from "./forms.js";
import { Lost, Refused, Waiting, ask } from "./net.js";
import { Zoom } from "./zoom.js";

const KEPT_CARDS = 60;
const AHEAD = 3;
const POLL = 15000;

const remembered = (key, value) => {
  try {
    if (value !== undefined) localStorage.setItem(key, value);
    return localStorage.getItem(key) || "";
  } catch {
    return "";
  }
};

class Desk {
  constructor(start) {
    Object.assign(this, { key: start.key, kind: start.form, items: start.items, reviewer: start.reviewer, wanted: start.wanted });
    this.mine = new Map();
    this.order = [];
    this.drafts = new Map();
    this.cards = new Map();
    this.troubles = [];
    this.times = [];
    this.place = -1;
    this.at = 0;
    this.card = null;
    this.take(start);
    this.Form = this.kind === "group" ? GroupForm : ExplanationForm;
    this.form = new this.Form(this, start.reasons);
    this.zoom = new Zoom((step) => this.turn(step));
    this.waiting = new Waiting(this.key, this.reviewer, {
      sent: (entry, answer) => this.sent(entry, answer), refused: (entry, error) => this.refused(entry, error), state: () => this.drawState(),
    });
    // What an earlier page could not send stands here already.
    for (const entry of this.waiting.entries()) this.assume(entry);
  }

  take(start) {
    this.mine = new Map(start.mine.map((one) => [one.item, { vote: one.vote, body: one.body, before: null }]));
    this.order = start.mine.map((one) => one.item);
    this.takeQueue(start.queue);
  }

  takeQueue(queue) {
    this.closed = new Set(queue.closed);
    this.conflicts = new Set(queue.conflicts);
  }

  assume({ path, body }) {
    if (path === "api/vote") this.stand(body.item, { vote: body.id, body: body.body, before: this.mine.get(body.item) || null });
    else if ((this.mine.get(body.item) || {}).vote === body.vote) this.unstand(body.item);
  }

  stand(place, vote) {
    this.mine.set(place, vote);
    this.order = [...this.order.filter((other) => other !== place), place];
  }

  unstand(place) {
    const { before } = this.mine.get(place);
    this.order = this.order.filter((other) => other !== place);
    if (before) {
      this.mine.set(place, before);
      this.order.unshift(place);
    } else this.mine.delete(place);
  }

  isOpen(place) {
    return !this.mine.has(place) && !this.closed.has(place) && !this.conflicts.has(place);
  }

  // The next item that is open to this reviewer after a place, round the end; then conflicts; -1 when there is none.
  nextOpen(after) {
    for (const wanted of [(place) => this.isOpen(place), (place) => this.conflicts.has(place) && !this.mine.has(place)]) {
      for (let step = 1; step <= this.items; step += 1) {
        const place = (after + step) % this.items;
        if (wanted(place)) return place;
      }
    }
    return -1;
  }

  async begin() {
    $("enter").hidden = true;
    $("desk").hidden = false;
    $("progress").hidden = false;
    $("who").hidden = false;
    $("who").textContent = this.reviewer;
    $("keys").replaceChildren(...this.keys().flatMap(([keys, text]) => [keyTerm(keys), make("dd", "", text)]));
    this.waiting.flush();
    const first = this.nextOpen(this.items - 1);
    await this.show(first < 0 ? 0 : first);
    setInterval(() => this.poll(), POLL);
    addEventListener("online", () => this.waiting.flush());
  }

  keys() {
    return [
      ...this.Form.keys, ["u", "undo the last vote"], ["n p", "next, previous (arrow keys too)"], ["g", "next open item"],
      ["v V", "another picture of the item"], ["w", "what is folded: instruction, other ways of putting it"], ["z", "zoom; there + − 0 and arrow keys"], ["?", "these keys"], ["Esc", "close"],
    ];
  }

  async fetchCard(place) {
    const known = this.cards.get(place);
    if (known) return known;
    const card = await ask(`api/item/${place}`);
    this.cards.set(place, card);
    if (this.cards.size > KEPT_CARDS) this.cards.delete(this.cards.keys().next().value);
    return card;
  }

  async show(place) {
    this.keepDraft();
    this.place = place;
    this.card = this.cards.get(place) || null;
    if (this.card === null) this.clear();
    while (this.card === null && this.place === place) {
      try {
        const card = await this.fetchCard(place);
        if (this.place === place) this.card = card;
      } catch (error) {
        if (!(error instanceof Lost)) throw error;
        this.waiting.lost = error.message;
        this.drawState();
        await new Promise((done) => { setTimeout(done, 1000); });
      }
    }
    if (this.place === place) this.opened(place);
  }

  // Nothing of another item stays while one is on its way.
  clear() {
    this.drawHead();
    $("views").replaceChildren(make("p", "small", "Loading …"));
    for (const id of ["question", "why", "reply", "instruction"]) $(id).hidden = true;
    $("where").textContent = "";
    $("form").replaceChildren();
  }

  opened(place) {
    this.at = 0;
    const vote = this.mine.get(place);
    this.form.open(place, vote ? vote.body : null);
    if (this.drafts.has(place)) this.form.draft = this.drafts.get(place);
    drawCard(this.card, place, this.at, (number) => this.pick(number), () => this.openZoom());
    this.draw();
    this.drawHead();
    scrollTo(0, 0);
    $("title").focus({ preventScroll: true });
    this.ahead(place);
  }

  keepDraft() {
    if (this.card && this.form.place === this.place) this.drafts.set(this.place, this.form.draft);
  }

  // Cards and pictures that come next, so that the next key finds them there.
  async ahead(place) {
    let next = place;
    for (let step = 0; step < AHEAD && next >= 0; step += 1) {
      next = this.nextOpen(next);
      if (next < 0 || next === place || this.cards.has(next)) continue;
      const card = await this.fetchCard(next).catch(() => null);
      if (card) card.pictures.forEach((_, number) => { new Image().src = `image/${next}/${number}`; });
    }
  }

  vote(body) {
    const place = this.place;
    const had = this.mine.get(place) || null;
    const id = newId();
    this.drafts.delete(place);
    this.form.place = "";
    this.stand(place, { vote: id, body, before: had });
    this.times.push(performance.now());
    this.waiting.add("api/vote", { id, reviewer: this.reviewer, item: place, base: had ? had.vote : "", body });
    this.drawState();
    const next = this.nextOpen(place);
    if (next >= 0) this.show(next);
    else this.finish();
  }

  async finish() {
    this.opened(this.place);
    await this.poll();
    const next = this.nextOpen(this.place);
    if (next >= 0) await this.show(next);
  }

  undo() {
    const place = this.order[this.order.length - 1];
    if (place === undefined) {
      this.say("There is nothing to undo.", true);
      return;
    }
    const { vote, body } = this.mine.get(place);
    this.unstand(place);
    this.times.pop();
    this.waiting.add("api/undo", { id: newId(), reviewer: this.reviewer, item: place, vote });
    this.keepDraft();
    this.form.place = "";
    // What was said is there to be changed.
    if (!this.mine.has(place)) {
      const draft = { ...body };
      delete draft.decision;
      this.drafts.set(place, draft);
    } else this.drafts.delete(place);
    this.show(place).then(() => this.say(`Taken back: ${this.Form.summary(body)}.`));
  }

  sent(entry, answer) {
    const place = entry.body.item;
    const pending = this.waiting.entries().some((other) => other.body.item === place);
    const known = this.mine.get(place);
    if (!pending) {
      if (!answer.vote) {
        if (known) this.unstandWhole(place);
      } else if (!known) {
        this.mine.set(place, { vote: answer.vote, body: answer.body, before: null });
        this.order.unshift(place);
      } else if (known.vote !== answer.vote) Object.assign(known, { vote: answer.vote, body: answer.body });
    }
    if (answer.replaced) this.say(`Your vote from another window (${this.Form.summary(answer.replaced)}) was replaced; u brings it back.`, true);
    if (place === this.place) this.drawHead();
  }

  unstandWhole(place) {
    this.mine.delete(place);
    this.order = this.order.filter((other) => other !== place);
  }

  async refused(entry, error) {
    this.troubles.push(`Item ${entry.body.item + 1} was not taken: ${error.message}. ${error.fix}`);
    try {
      this.take(await ask(`api/start?reviewer=${encodeURIComponent(this.reviewer)}`));
    } catch {
      // The next poll finds out.
    }
    this.draw();
    this.drawHead();
  }

  async poll() {
    if (document.hidden) return;
    try {
      this.takeQueue(await ask(`api/queue?reviewer=${encodeURIComponent(this.reviewer)}`));
      if (this.waiting.lost) {
        this.waiting.lost = "";
        this.waiting.flush();
      }
    } catch (error) {
      if (error instanceof Lost) this.waiting.lost = error.message;
    }
    this.drawHead();
    this.drawState();
  }

  pick(number) {
    this.at = number;
    mark(number);
  }

  turn(step) {
    this.pick((this.at + step + this.card.views.length) % this.card.views.length);
    if (this.zoom.open) this.openZoom();
    else $("views").children[this.at].scrollIntoView({ block: "nearest" });
  }

  openZoom() {
    const view = this.card.views[this.at];
    this.zoom.show(`image/${this.place}/${view.picture}`, `${this.at + 1} of ${this.card.views.length} – ${caption(view)}`);
  }

  draw() {
    if (this.card === null) return;
    const nodes = this.form.nodes().filter((node) => node !== null);
    const left = this.nextOpen(this.place);
    if (left < 0 && this.mine.has(this.place)) {
      nodes.unshift(make("p", "done", make("b", "", "Nothing is open for you."), `${this.mine.size} votes. Stop here, or look through them with n and p.`));
    }
    for (const trouble of this.troubles) nodes.unshift(words("p", "refused", trouble));
    $("form").replaceChildren(...nodes);
  }

  drawHead() {
    const open = this.countOpen();
    const conflicts = [...this.conflicts].filter((place) => !this.mine.has(place)).length;
    const done = this.mine.size;
    $("title").textContent = `${this.kind === "group" ? "Group" : "Reply"} ${this.place + 1} of ${this.items}`;
    const mine = this.mine.get(this.place);
    const third = !mine && this.conflicts.has(this.place);
    $("voted").className = mine && this.kind === "group" ? mine.body.decision : third ? "third" : "";
    $("voted").textContent = mine ? `your vote: ${this.Form.summary(mine.body)}` : third ? "others differ: one more vote" : "";
    $("count").textContent = `${done} of ${done + open + conflicts} done`;
    $("bar-done").style.width = `${(100 * done) / Math.max(1, done + open + conflicts)}%`;
    $("pace").textContent = this.pace(open + conflicts) + (conflicts ? ` · ${conflicts} to settle` : "");
  }

  countOpen() {
    let open = 0;
    for (let place = 0; place < this.items; place += 1) open += this.isOpen(place);
    return open;
  }

  pace(open) {
    const last = this.times.slice(-20);
    if (last.length < 3) return open ? `${open} left` : "";
    const minutes = (last[last.length - 1] - last[0]) / 60000;
    const rate = (last.length - 1) / Math.max(minutes, 1e-6);
    const time = open / rate;
    const words = time < 1.5 ? "about a minute" : time < 90 ? `about ${Math.round(time)} min` : `about ${(time / 60).toFixed(1)} h`;
    return open ? `${open} left · ${rate < 10 ? rate.toFixed(1) : Math.min(999, Math.round(rate))} a minute · ${words}` : "";
  }

  drawState() {
    const count = this.waiting.entries().length;
    if (this.waiting.lost) {
      const held = count ? `${count} ${count === 1 ? "vote waits" : "votes wait"} in this browser and will be sent.` : "Trying again.";
      show(`Not connected (${this.waiting.lost}). ${held}`, "waiting", true);
    } else if (count) show("Saving …", "", true);
    else if ($("saved").dataset.held) show("Saved", "", false);
  }

  say(text, warn = false) {
    show(text, warn ? "waiting" : "", false);
  }
}

let fading = 0;
function show(text, kind, held) {
  const node = $("saved");
  clearTimeout(fading);
  node.className = kind;
  if (node.textContent !== text) node.textContent = text;
  if (held) node.dataset.held = "1";
  else {
    delete node.dataset.held;
    fading = setTimeout(() => node.classList.add("faded"), kind ? 6000 : 1600);
  }
}

function keyTerm(keys) {
  return make("dt", "", ...keys.split(" ").flatMap((key, at) => (at ? [" ", make("kbd", "", key)] : [make("kbd", "", key)])));
}

let desk = null;

async function enter(name) {
  $("enter-error").textContent = "";
  try {
    const start = await ask(`api/start?reviewer=${encodeURIComponent(name)}`);
    remembered("answerable reviewer", start.reviewer);
    history.replaceState(null, "", `?reviewer=${encodeURIComponent(start.reviewer)}`);
    $("what").textContent = start.model ? `${start.benchmark} · ${start.model}` : start.benchmark;
    $("what").title = $("what").textContent;
    document.title = `${start.benchmark} – review`;
    desk = new Desk(start);
    await desk.begin();
  } catch (error) {
    if (!(error instanceof Lost || error instanceof Refused)) throw error;
    askName(name);
    $("enter-error").textContent = `${error.message}. ${error.fix || ""}`;
  }
}

function askName(name) {
  $("enter").hidden = false;
  $("name").value = name;
  $("name").focus();
  $("name").select();
}

// The sign on the key, with digits where a layout has them elsewhere.
function keyOf(event) {
  const digit = /^(?:Digit|Numpad)([0-9])$/.exec(event.code || "");
  if (digit && !event.shiftKey && !/^[a-z?+=-]$/i.test(event.key)) return digit[1];
  return event.key;
}

const REPEATS = new Set(["n", "p", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "+", "-", "=", "_"]);

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || desk === null) return;
  if (event.target instanceof HTMLInputElement) return;
  const key = keyOf(event);
  if (event.repeat && !REPEATS.has(key)) return;
  // Enter and space stay with whatever has the focus.
  if ((key === "Enter" || key === " ") && event.target.closest("button, summary, a")) return;
  if (react(key)) event.preventDefault();
}

function react(key) {
  if ($("help").open) {
    if (key === "?") $("help").close();
    return key === "?";
  }
  if (desk.zoom.open) return desk.zoom.key(key);
  const step = { n: 1, ArrowRight: 1, p: -1, ArrowLeft: -1 }[key];
  if (key === "?") $("help").showModal();
  else if (step) desk.show((desk.place + step + desk.items) % desk.items);
  else if (key === "g") goOpen();
  else if (desk.card === null) return false;
  else if (key === "u") desk.undo();
  else if (key === "z") desk.openZoom();
  else if (key === "v") desk.turn(1);
  else if (key === "V") desk.turn(-1);
  else if (key === "w") openWays();
  else if (key === "Escape") desk.form.leave();
  else return desk.form.key(key);
  return true;
}

function openWays() {
  const all = [...document.querySelectorAll("#item details")];
  const open = !all.every((node) => node.open);
  all.forEach((node) => { node.open = open; });
}

function goOpen() {
  const next = desk.nextOpen(desk.place);
  if (next >= 0) desk.show(next);
  else desk.finish();
}

const THEMES = ["auto", "light", "dark"];
const dark = matchMedia("(prefers-color-scheme: dark)");

function theme(name) {
  const chosen = THEMES.includes(name) ? name : "auto";
  document.documentElement.dataset.theme = chosen === "auto" ? (dark.matches ? "dark" : "light") : chosen;
  document.documentElement.dataset.chosen = chosen;
  $("theme").textContent = `Theme: ${chosen}`;
}

function wire() {
  theme(remembered("answerable theme"));
  dark.addEventListener("change", () => theme(document.documentElement.dataset.chosen));
  $("theme").addEventListener("click", () => {
    const next = THEMES[(THEMES.indexOf(document.documentElement.dataset.chosen) + 1) % THEMES.length];
    remembered("answerable theme", next);
    theme(next);
  });
  $("name-form").addEventListener("submit", (event) => {
    event.preventDefault();
    enter($("name").value);
  });
  $("who").addEventListener("click", () => { location.search = ""; });
  $("help-open").addEventListener("click", () => $("help").showModal());
  $("help-close").addEventListener("click", () => $("help").close());
  $("prev").addEventListener("click", () => react("p"));
  $("next").addEventListener("click", () => react("n"));
  $("open-next").addEventListener("click", () => goOpen());
  // A click on a button of the form must not take the focus from the keys.
  document.addEventListener("mousedown", (event) => {
    if (event.target.closest("button") && !event.target.closest("dialog")) event.preventDefault();
  });
  document.addEventListener("keydown", pressed);
  addEventListener("beforeunload", (event) => {
    if (desk && desk.waiting.memory.size) event.preventDefault();
  });
}

wire();
const given = new URLSearchParams(location.search).get("reviewer");
if (given) enter(given);
else askName(remembered("answerable reviewer"));
