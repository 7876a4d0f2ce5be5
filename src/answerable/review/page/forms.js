// The two forms. A form keeps a draft, draws itself, and turns keys into changes of the draft or into a vote.
import { $, button, make, words } from "./dom.js";

const LONGEST = 500;

function row(label, key, options, chosen, choose, missing, wide) {
  const group = make("div", "choice");
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", label);
  for (const option of options) {
    const node = button(option.label, option.key || "", () => choose(option.value), option.tone || "");
    node.setAttribute("aria-pressed", String(option.value === chosen || (Array.isArray(chosen) && chosen.includes(option.value))));
    node.dataset.value = option.value;
    group.append(node);
  }
  const name = make("span", "label", label);
  if (key) name.append(" ", make("kbd", "", key));
  return make("div", `row${missing ? " missing" : ""}${wide ? " wide" : ""}`, name, group);
}

// A text box that ends with Enter (taken) or Escape (left).
function typed(id, label, value, take, leave) {
  const box = make("input");
  box.id = id;
  box.maxLength = LONGEST;
  box.value = value;
  box.autocomplete = "off";
  const name = make("label", "", label);
  name.htmlFor = id;
  box.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "Enter") take(box.value.trim());
    else if (event.key === "Escape") leave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  const ok = button("OK", "", () => take(box.value.trim()));
  return make("div", "", name, make("div", "typed", box, ok));
}

class Form {
  // desk: {vote(body), draw(), say(text)}.
  constructor(desk) {
    this.desk = desk;
    this.open("", null);
  }

  open(place, body) {
    this.place = place;
    this.missing = [];
    this.typing = false;
    this.fill(body);
  }

  change(field, value) {
    this.draft[field] = value;
    this.missing = this.missing.filter((name) => name !== field);
    this.desk.draw();
  }

  remarkBox(field, label) {
    if (!this.typing) return null;
    const node = typed("remark", label, this.draft[field], (text) => {
      this.typing = false;
      this.change(field, text);
    }, () => {
      this.typing = false;
      this.desk.draw();
    });
    node.id = "remark-box";
    return node;
  }

  type() {
    this.typing = true;
    this.desk.draw();
    $("remark").focus();
  }
}

const YES = { label: "yes", value: "yes", tone: "yes" };
const NO = { label: "no", value: "no", tone: "no" };
const NOT = { label: "n/a", value: "not_applicable" };

export class GroupForm extends Form {
  static keys = [
    ["1", "the question is about the image: yes, no"], ["2", "the answer is right: yes, no"],
    ["3", "the strategy holds: yes, no, not applicable"], ["k", "keep, and go on"],
    ["d", "drop: then the reason’s digit, or r to type one"], ["r", "a remark"],
  ];

  constructor(desk, reasons) {
    super(desk);
    this.reasons = reasons;
  }

  fill(body) {
    this.dropping = false;
    this.draft = { image: null, answer: null, strategy: null, reason: "", ...body };
    delete this.draft.decision;
  }

  questions() {
    return [
      ["image", "About the image?", "1", [YES, NO]], ["answer", "Answer right?", "2", [YES, NO]],
      ["strategy", "Strategy holds?", "3", [YES, NO, NOT]],
    ];
  }

  turn(field, options) {
    const at = options.findIndex((option) => option.value === this.draft[field]);
    this.change(field, options[(at + 1) % options.length].value);
  }

  keep() {
    this.missing = ["image", "answer", "strategy"].filter((name) => this.draft[name] === null);
    if (this.missing.length) {
      this.desk.say("Not saved: to keep, answer all three questions (1, 2, 3).", true);
      this.desk.draw();
      return;
    }
    // A reason of the list was one to drop.
    const reason = this.reasons.includes(this.draft.reason) ? "" : this.draft.reason;
    this.desk.vote({ ...this.draft, decision: "keep", reason });
  }

  drop(reason) {
    if (!reason) {
      this.desk.say("Not saved: to drop needs a reason.", true);
      return;
    }
    this.desk.vote({ ...this.draft, decision: "drop", reason });
  }

  // Escape closes what is open.
  leave() {
    this.dropping = this.typing = false;
    this.desk.draw();
  }

  key(key) {
    const digit = Number(key);
    if (this.dropping && digit >= 1 && digit <= this.reasons.length) this.drop(this.reasons[digit - 1]);
    else if (this.dropping && key === "r") $("reason").focus();
    else if (digit >= 1 && digit <= 3) this.turn(this.questions()[digit - 1][0], this.questions()[digit - 1][3]);
    else if (key === "k") this.keep();
    else if (key === "d") this.ask();
    else if (key === "r") this.type();
    else return false;
    return true;
  }

  ask() {
    this.dropping = !this.dropping;
    this.typing = false;
    this.desk.draw();
  }

  nodes() {
    const rows = this.questions().map(([field, label, key, options]) =>
      row(label, key, options, this.draft[field], (value) => this.change(field, value), this.missing.includes(field)));
    const keep = button("Keep", "k", () => this.keep(), "keep");
    const drop = button("Drop", "d", () => this.ask(), "drop");
    drop.setAttribute("aria-expanded", String(this.dropping));
    const minor = this.dropping ? null : make("div", "minor", button("remark", "r", () => this.type()), button("undo", "u", () => this.desk.undo()));
    const remark = this.draft.reason && !this.typing && !this.dropping ? words("p", "remark", `Reason: ${this.draft.reason}`) : null;
    return [...rows, make("div", "acts", keep, drop), this.dropping ? this.panel() : null,
      this.remarkBox("reason", "Remark (Enter takes it)"), remark, minor];
  }

  panel() {
    const list = make("ol");
    this.reasons.forEach((reason, at) => {
      const node = button("", "", () => this.drop(reason));
      node.append(make("kbd", "", String(at + 1)), make("span", "", reason));
      list.append(make("li", "", node));
    });
    const mine = this.reasons.includes(this.draft.reason) ? "" : this.draft.reason;
    const box = typed("reason", "r: another reason (Enter drops)", mine, (text) => this.drop(text), () => this.leave());
    const node = make("div", "", make("h2", "", "Why drop it?"), list, box);
    node.id = "reasons";
    return node;
  }

  static summary(body) {
    return body.decision;
  }
}

const GRADES = ["correct", "partial", "wrong", "none"];
const KINDS = [["hallucination", "h"], ["calculation", "c"], ["other", "o"]];

export class ExplanationForm extends Form {
  static keys = [
    ["1 2 3 4", "the answer: correct, partial, wrong, none"], ["5 6 7 8", "the explanation: correct, partial, wrong, none"],
    ["h c o", "what is wrong with it: hallucination, calculation, other"], ["s", "save, and go on (Enter too)"], ["r", "a remark"],
  ];

  fill(body) {
    this.draft = { answer: null, explanation: null, kinds: [], note: "", ...body };
  }

  grade(value) {
    if (value !== "wrong" && value !== "partial") this.draft.kinds = [];
    this.change("explanation", value);
  }

  kind(value) {
    if (this.draft.explanation !== "wrong" && this.draft.explanation !== "partial") {
      this.desk.say("A kind of error needs an explanation that is wrong or partial.", true);
      return;
    }
    const had = this.draft.kinds.includes(value);
    this.change("kinds", had ? this.draft.kinds.filter((kind) => kind !== value) : [...this.draft.kinds, value]);
  }

  save() {
    this.missing = ["answer", "explanation"].filter((name) => this.draft[name] === null);
    if (this.draft.explanation === "wrong" && !this.draft.kinds.length) this.missing.push("kinds");
    if (this.missing.length) {
      this.desk.say("Not saved: something is still open.", true);
      this.desk.draw();
      return;
    }
    this.desk.vote({ ...this.draft });
  }

  leave() {
    this.typing = false;
    this.desk.draw();
  }

  key(key) {
    const digit = Number(key);
    if (digit >= 1 && digit <= 4) this.change("answer", GRADES[digit - 1]);
    else if (digit >= 5 && digit <= 8) this.grade(GRADES[digit - 5]);
    else if (key === "s" || key === "Enter") this.save();
    else if (key === "r") this.type();
    else {
      const found = KINDS.find(([, letter]) => letter === key);
      if (!found) return false;
      this.kind(found[0]);
    }
    return true;
  }

  nodes() {
    const tone = { correct: "yes", wrong: "no" };
    const graded = (from) => GRADES.map((value, at) => ({ label: value, value, key: String(from + at), tone: tone[value] }));
    const kinds = KINDS.map(([value, key]) => ({ label: value, value, key }));
    const missing = (field) => this.missing.includes(field);
    return [
      row("Answer", "", graded(1), this.draft.answer, (value) => this.change("answer", value), missing("answer"), true),
      row("Explanation", "", graded(5), this.draft.explanation, (value) => this.grade(value), missing("explanation"), true),
      row("What is wrong with the explanation", "", kinds, this.draft.kinds, (value) => this.kind(value), missing("kinds"), true),
      make("div", "acts single", button("Save", "s", () => this.save(), "save")),
      this.remarkBox("note", "Remark (Enter takes it)"),
      this.draft.note && !this.typing ? words("p", "remark", `Remark: ${this.draft.note}`) : null,
      make("div", "minor", button("remark", "r", () => this.type()), button("undo", "u", () => this.desk.undo())),
    ];
  }

  static summary(body) {
    return `answer ${body.answer}, explanation ${body.explanation}`;
  }
}
