// Small helpers. Text from data goes in as text, never as markup.

export const $ = (id) => document.getElementById(id);

export function make(tag, className = "", ...children) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  node.append(...children.filter((child) => child !== null && child !== ""));
  return node;
}

// Text that may be of any language and direction.
export function words(tag, className, text) {
  const node = make(tag, className);
  node.dir = "auto";
  node.textContent = text;
  return node;
}

export function button(label, key, act, className = "") {
  const node = make("button", className, label);
  node.type = "button";
  if (key) node.append(" ", make("kbd", "", key));
  node.addEventListener("click", act);
  return node;
}

export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
