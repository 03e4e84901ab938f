// Live updates of the page. Texts are never inserted as markup.
const CONTROL = "/_sandbox";
const ROWS = 200;
const $ = (id) => document.getElementById(id);

function element(name, text, type) {
  const created = document.createElement(name);
  created.textContent = text;
  if (type) created.className = type;
  return created;
}

function showMessage(text, isError) {
  $("message").textContent = text;
  $("message").classList.toggle("bad", Boolean(isError));
}

async function control(method, path, body) {
  const options = { method, headers: {} };
  if (body !== undefined) {
    options.headers["content-type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  const response = await fetch(CONTROL + path, options);
  const text = await response.text();
  const value = text ? JSON.parse(text) : null;
  if (!response.ok) {
    const errors = (value.errors || []).map((error) => `${error.location.replace("body.", "")}: ${error.message}`);
    throw new Error(errors.join("; ") || value.detail);
  }
  return value;
}

// Runs the action of a click and shows its errors.
function onClick(target, work) {
  target.addEventListener("click", () => work().catch((error) => showMessage(error.message, true)));
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
        button.textContent = "Selected";
      }
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
    place.append(button);
  }
}

function showFaults(faults) {
  const items = faults.map((fault) => {
    const item = document.createElement("li");
    const off = element("button", "Deactivate");
    off.type = "button";
    off.setAttribute("aria-label", `Deactivate: ${fault.fault}`);
    onClick(off, async () => {
      await control("DELETE", `/faults/${fault.id}`).catch(() => {});
      await refreshFaults();
    });
    item.append(element("code", fault.fault), " ", element("span", fault.left === null ? "always" : `${fault.left} left`), " ", off);
    return item;
  });
  $("active").replaceChildren(...(items.length ? items : [element("li", "No active faults.", "none")]));
}

let known = [];
async function refreshFaults() {
  const list = await control("GET", "/faults");
  known = list.known;
  showFaults(list.faults);
}

function describeKind() {
  const kind = known.find((entry) => entry.kind === $("kind").value);
  if (!kind) return;
  const limits = (setting) => setting.words ? setting.words.join(" | ") : setting.least === undefined ? "text" : `${setting.least} to ${setting.most}`;
  const settings = kind.settings.map((setting) => `${setting.name} (${limits(setting)}${setting.usual == null ? "" : `, default ${setting.usual}`})`);
  $("about").textContent = `${kind.about} ${settings.length ? `Settings: ${settings.join(", ")}.` : "No settings."} All faults also have delay_ms and user.`;
}

async function activate(fault) {
  const added = await control("POST", "/faults", { fault });
  showMessage(`Activated: ${added.fault}`);
  await refreshFaults();
}

async function showState() {
  const { clock, keeps } = await control("GET", "/state");
  $("now").textContent = clock.now.slice(0, 19).replace("T", " ");
  $("keeps").textContent = keeps;
}

function row(entry) {
  const created = document.createElement("tr");
  const fine = entry.status !== null && entry.status < 400;
  const request = document.createElement("td");
  request.append(element("code", `${entry.method} ${entry.path ?? "(no path of the service)"}`));
  const notes = [entry.fault, entry.closed_early ? "closed early" : null].filter(Boolean).join(", ");
  created.append(
    element("td", entry.number), element("td", entry.at.slice(11, 19)), request,
    element("td", entry.status ?? "–", fine ? "good" : "bad"), element("td", entry.attempt),
    element("td", entry.duration_ms.toFixed(1)), element("td", entry.bytes), element("td", notes),
  );
  return created;
}

function followLog() {
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
followLog();
refreshFaults().then(describeKind).catch((error) => showMessage(error.message, true));
$("kind").addEventListener("change", describeKind);
for (const button of document.querySelectorAll("[data-fault]")) onClick(button, () => activate(button.dataset.fault));
for (const button of document.querySelectorAll("[data-advance]")) {
  onClick(button, async () => {
    await control("POST", "/clock", { advance: button.dataset.advance });
    await showState();
  });
}
onClick($("order"), async () => {
  const parts = [$("kind").value, $("settings").value.trim(), `times=${$("times").value.trim() || "1"}`];
  if ($("operation").value) parts.push(`operation=${$("operation").value}`);
  await activate(parts.filter(Boolean).join("; "));
});
onClick($("clear"), async () => {
  await control("DELETE", "/faults");
  showMessage("All faults are deactivated.");
  await refreshFaults();
});
onClick($("empty"), () => control("DELETE", "/requests"));
setInterval(() => { if (!document.hidden) showState().catch(() => {}); }, 3000);
