// Live updates of the sandbox's page. All texts are inserted as text, never as markup.
const CONTROL = "/_sandbox";
const ROWS = 200;
const $ = (id) => document.getElementById(id);

function element(name, text, type) {
  const made = document.createElement(name);
  made.textContent = text;
  if (type) made.className = type;
  return made;
}

function say(text, bad) {
  $("message").textContent = text;
  $("message").classList.toggle("bad", Boolean(bad));
}

async function control(method, path, body) {
  const options = { method, headers: {} };
  if (body !== undefined) {
    options.headers["content-type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  const answer = await fetch(CONTROL + path, options);
  const text = await answer.text();
  const value = text ? JSON.parse(text) : null;
  if (!answer.ok) {
    const found = (value.errors || []).map((error) => `${error.location.replace("body.", "")}: ${error.message}`);
    throw new Error(found.join("; ") || value.detail);
  }
  return value;
}

// Runs the action of a click and shows its errors.
function on(target, work) {
  target.addEventListener("click", () => work().catch((error) => say(error.message, true)));
}

function copyButtons() {
  for (const place of document.querySelectorAll(".copy")) {
    const source = place.querySelector("input, pre");
    const what = source.getAttribute("aria-label") || source.labels?.[0]?.textContent
      || $(source.getAttribute("aria-labelledby"))?.textContent || "text";
    const button = element("button", "Copy");
    button.type = "button";
    button.setAttribute("aria-label", `Copy: ${what}`);
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(source.value ?? source.textContent);
        button.textContent = "Copied";
      } catch {
        // Without clipboard permission, select the text instead.
        if (source.select) source.select();
        else getSelection().selectAllChildren(source);
        button.textContent = "Marked";
      }
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
    place.append(button);
  }
}

function showFaults(faults) {
  const items = faults.map((fault) => {
    const item = document.createElement("li");
    const off = element("button", "Switch off");
    off.type = "button";
    off.setAttribute("aria-label", `Switch off: ${fault.fault}`);
    on(off, async () => {
      await control("DELETE", `/faults/${fault.id}`).catch(() => {});
      await refreshFaults();
    });
    item.append(element("code", fault.fault), " ", element("span", fault.left === null ? "always" : `${fault.left} left`), " ", off);
    return item;
  });
  $("active").replaceChildren(...(items.length ? items : [element("li", "None is switched on.", "none")]));
}

let known = [];
async function refreshFaults() {
  const answer = await control("GET", "/faults");
  known = answer.known;
  showFaults(answer.faults);
}

function describeKind() {
  const kind = known.find((entry) => entry.kind === $("kind").value);
  if (!kind) return;
  const limits = (setting) => setting.words ? setting.words.join(" | ") : setting.least === undefined ? "text" : `${setting.least} to ${setting.most}`;
  const settings = kind.settings.map((setting) => `${setting.name} (${limits(setting)}${setting.usual == null ? "" : `, usually ${setting.usual}`})`);
  $("about").textContent = `${kind.about} ${settings.length ? `Settings: ${settings.join(", ")}.` : "No settings of its own."} Any fault takes delay_ms and user too.`;
}

async function order(fault) {
  const added = await control("POST", "/faults", { fault });
  say(`Switched on: ${added.fault}`);
  await refreshFaults();
}

async function showState() {
  const { clock, keeps } = await control("GET", "/state");
  $("now").textContent = clock.now.slice(0, 19).replace("T", " ");
  $("keeps").textContent = keeps;
}

function row(entry) {
  const made = document.createElement("tr");
  const fine = entry.status !== null && entry.status < 400;
  const request = document.createElement("td");
  request.append(element("code", `${entry.method} ${entry.path ?? "(no path of the service)"}`));
  const notes = [entry.fault, entry.closed_early ? "closed early" : null].filter(Boolean).join(", ");
  made.append(
    element("td", entry.number), element("td", entry.at.slice(11, 19)), request,
    element("td", entry.status ?? "–", fine ? "good" : "bad"), element("td", entry.attempt),
    element("td", entry.duration_ms.toFixed(1)), element("td", entry.bytes), element("td", notes),
  );
  return made;
}

function follow() {
  const table = $("requests");
  table.replaceChildren();
  let last = 0;
  const stream = new EventSource(`${CONTROL}/requests/stream`);
  stream.onopen = () => { $("live").textContent = "live"; };
  stream.onerror = () => { $("live").textContent = "not connected"; };
  stream.addEventListener("cleared", () => {
    table.replaceChildren();
    last = 0;
    refreshFaults().catch(() => {});
  });
  stream.addEventListener("request", (event) => {
    const entry = JSON.parse(event.data);
    // After a restart, the sandbox numbers requests from 1 again.
    if (entry.number <= last) table.replaceChildren();
    last = entry.number;
    table.prepend(row(entry));
    while (table.rows.length > ROWS) table.deleteRow(-1);
    if (entry.fault) refreshFaults().catch(() => {});
  });
}

for (const part of document.querySelectorAll(".scripted")) part.hidden = false;
copyButtons();
follow();
refreshFaults().then(describeKind).catch((error) => say(error.message, true));
$("kind").addEventListener("change", describeKind);
for (const button of document.querySelectorAll("[data-fault]")) on(button, () => order(button.dataset.fault));
for (const button of document.querySelectorAll("[data-advance]")) {
  on(button, async () => {
    await control("POST", "/clock", { advance: button.dataset.advance });
    await showState();
  });
}
on($("order"), async () => {
  const parts = [$("kind").value, $("settings").value.trim(), `times=${$("times").value.trim() || "1"}`];
  if ($("operation").value) parts.push(`operation=${$("operation").value}`);
  await order(parts.filter(Boolean).join("; "));
});
on($("clear"), async () => {
  await control("DELETE", "/faults");
  say("All are off.");
  await refreshFaults();
});
on($("empty"), () => control("DELETE", "/requests"));
setInterval(() => { if (!document.hidden) showState().catch(() => {}); }, 3000);
