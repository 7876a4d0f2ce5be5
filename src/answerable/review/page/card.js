// Draws an item: its pictures, what is asked, what is right, and a reply where one is judged.
import { $, button, make, words } from "./dom.js";

export function drawCard(card, place, at, pick, zoom) {
  $("where").textContent = [card.id, card.source, card.split].filter(Boolean).join(" · ");
  drawWhy(card.why);
  const questions = new Set(card.views.map((view) => view.question));
  $("question").hidden = questions.size !== 1;
  if (questions.size === 1) $("question").textContent = card.views[0].question;
  const instructions = new Set(card.views.map((view) => view.instruction));
  drawInstruction(instructions.size === 1 ? card.views[0].instruction : "");
  const own = { question: asked([...questions]), instruction: instructions.size > 1 };
  const views = card.views.map((view, number) => viewNode(card, view, number, place, own, pick, zoom));
  $("views").replaceChildren(...views);
  $("views").classList.toggle("one", card.views.length === 1);
  mark(at);
  drawReply(card.said);
}

export function mark(at) {
  [...$("views").children].forEach((node, number) => {
    node.classList.toggle("at", number === at);
    if (number === at) node.setAttribute("aria-current", "true");
    else node.removeAttribute("aria-current");
  });
}

export function caption(view) {
  return `${view.state} ${view.state_name}: ${view.duty}`;
}

function drawWhy(why) {
  $("why").hidden = !why.length;
  if (why.length) $("why").replaceChildren("On the review list:", make("ul", "", ...why.map((text) => words("li", "", text))));
}

// What every view says after the options stands once, folded.
function drawInstruction(text) {
  $("instruction").hidden = !text;
  $("instruction").lastElementChild.textContent = text;
}

// How to write the questions of the views: not at all when there is one; of two, with the part that differs marked.
function asked(questions) {
  if (questions.length === 1) return null;
  if (questions.length > 2) return (text) => words("p", "asks", text);
  const [one, other] = questions.map((text) => [...text]);
  let head = 0;
  while (head < Math.min(one.length, other.length) && one[head] === other[head]) head += 1;
  let tail = 0;
  while (tail < Math.min(one.length, other.length) - head && one[one.length - 1 - tail] === other[other.length - 1 - tail]) tail += 1;
  return (text) => {
    const signs = [...text];
    const middle = signs.slice(head, signs.length - tail).join("");
    const node = words("p", "asks", signs.slice(0, head).join(""));
    if (middle) node.append(make("mark", "", middle));
    node.append(signs.slice(signs.length - tail).join(""));
    return node;
  };
}

function viewNode(card, view, number, place, own, pick, zoom) {
  const node = make("article", `view ${view.supported ? "supported" : "unsupported"}`);
  node.setAttribute("aria-label", `View ${number + 1} of ${card.views.length}`);
  const state = make("p", "state", make("span", "badge", view.state), make("span", "", view.state_name));
  if (view.ability) state.append(words("span", "small", view.ability));
  node.append(state, picture(card, view, number, place, pick, zoom));
  if (own.question) node.append(own.question(view.question));
  if (view.options.length) node.append(options(view));
  if (view.instruction && own.instruction) node.append(words("p", "facts", view.instruction));
  node.append(words("p", "duty", view.duty), facts(view));
  if (view.ways.length) node.append(ways(view.ways));
  return node;
}

function picture(card, view, number, place, pick, zoom) {
  const size = card.pictures[view.picture];
  const image = make("img");
  image.width = size.width;
  image.height = size.height;
  image.alt = `Picture of view ${number + 1}: ${caption(view)}`;
  image.src = `image/${place}/${view.picture}`;
  const frame = button("", "", () => {
    pick(number);
    zoom();
  }, "pic");
  image.addEventListener("error", () => {
    frame.classList.add("lost");
    frame.replaceChildren("The picture cannot be shown.");
  });
  frame.append(image);
  return frame;
}

function options(view) {
  return make("ul", "offered", ...view.options.map((option) => {
    const text = `${option.letter}. ${option.text}${option.right ? "  ✓" : ""}`;
    return words("li", option.right ? "right" : option.role, text);
  }));
}

function facts(view) {
  const node = make("div", "facts");
  const add = (name, text) => text && node.append(make("p", "", make("b", "", name), " ", words("bdi", "", text)));
  add("Taken away:", view.withheld);
  const [level] = view.level.split(":");
  add("Evidence:", [view.note, level].filter(Boolean).join(" – "));
  if (node.lastChild) node.lastChild.title = view.level;
  return node;
}

function ways(texts) {
  const list = make("ul", "", ...texts.map((text) => words("li", "", text)));
  return make("details", "", make("summary", "", `Put in ${texts.length} other ${texts.length === 1 ? "way" : "ways"}`), list);
}

function drawReply(said) {
  $("reply").hidden = !said;
  if (!said) return;
  const nodes = [make("h2", "", "The reply of ", words("bdi", "", said.model)), words("pre", "", said.text)];
  if (said.status !== "complete") nodes.push(words("p", "facts", `The reply is ${said.status}.`));
  if (said.cut) nodes.push(words("p", "facts", `${said.cut} more characters are not shown.`));
  if (said.reasoning) nodes.push(make("details", "", make("summary", "", "Reasoning apart from the reply"), words("pre", "", said.reasoning)));
  $("reply").replaceChildren(...nodes);
}
