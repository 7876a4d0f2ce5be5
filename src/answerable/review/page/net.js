// Asking the server, and the votes that wait to be sent. A vote is kept in the browser until the server says that it is
// on the disk. Each waiting vote has a key of its own, so that two windows never write over one another's.

export class Lost extends Error {}

export class Refused extends Error {
  constructor(status, trouble) {
    super(`expected ${trouble.expected}; got ${trouble.got}`);
    this.status = status;
    this.fix = trouble.fix || "";
  }
}

// Statuses that say that this very request will never be taken.
const FINAL = new Set([400, 409, 413, 415]);

export async function ask(path, body) {
  const options = { cache: "no-store" };
  if (body !== undefined) {
    options.method = "POST";
    options.headers = { "Content-Type": "application/json" };
    options.body = JSON.stringify(body);
  }
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), 20000);
  let answer;
  try {
    answer = await fetch(path, { ...options, signal: patience.signal });
    if (answer.ok) return await answer.json();
  } catch {
    throw new Lost("no connection");
  } finally {
    clearTimeout(timer);
  }
  if (!FINAL.has(answer.status)) throw new Lost(await reason(answer));
  throw new Refused(answer.status, await answer.json().catch(() => ({ expected: "a request", got: answer.statusText })));
}

async function reason(answer) {
  if (answer.status === 507) {
    const trouble = await answer.json().catch(() => ({}));
    return `the disk refused: ${trouble.got || ""}`;
  }
  if (answer.status === 404 || answer.status === 421) return "the server has another address now: open the one it printed";
  return `the server answered ${answer.status}`;
}

export class Waiting {
  // told: {sent(entry, answer), refused(entry, error), state()}.
  constructor(project, reviewer, told) {
    this.prefix = `answerable vote ${project} ${reviewer} `;
    this.told = told;
    this.memory = new Map();
    this.lost = "";
    this.sending = false;
    this.count = 0;
    this.pause = 500;
    this.timer = 0;
  }

  entries() {
    const found = new Map(this.memory);
    try {
      for (let at = 0; at < localStorage.length; at += 1) {
        const key = localStorage.key(at);
        if (key.startsWith(this.prefix)) found.set(key, localStorage.getItem(key));
      }
    } catch {
      // No storage: memory alone.
    }
    return [...found].sort(([one], [other]) => (one < other ? -1 : 1)).map(([key, text]) => ({ key, ...JSON.parse(text) }));
  }

  add(path, body) {
    this.count += 1;
    const stamp = String(Date.now()).padStart(15, "0") + String(this.count).padStart(6, "0");
    const key = this.prefix + stamp + body.id;
    const text = JSON.stringify({ path, body });
    try {
      localStorage.setItem(key, text);
    } catch {
      this.memory.set(key, text);
    }
    this.flush();
  }

  drop(key) {
    this.memory.delete(key);
    try {
      localStorage.removeItem(key);
    } catch {
      // Nothing was kept there.
    }
  }

  async flush() {
    if (this.sending) return;
    this.sending = true;
    clearTimeout(this.timer);
    try {
      for (let entry = this.entries()[0]; entry; entry = this.entries()[0]) {
        await this.send(entry);
      }
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
      this.lost = error.message;
      this.timer = setTimeout(() => this.flush(), this.pause);
      this.pause = Math.min(8000, this.pause * 1.6);
    } finally {
      this.sending = false;
      this.told.state();
    }
  }

  async send(entry) {
    try {
      const answer = await ask(entry.path, entry.body);
      this.lost = "";
      this.pause = 500;
      this.drop(entry.key);
      this.told.sent(entry, answer);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.drop(entry.key);
      this.told.refused(entry, error);
    }
  }
}
