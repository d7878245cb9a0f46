"use strict";

// All text from HBase becomes text nodes: nothing here writes HTML.

const COUNT_AT_ONCE_BYTES = 16 * 1024 * 1024;
const MUCH_GARBAGE = 0.3;
const AGAIN_MILLIS = 3000;

const byId = (id) => document.getElementById(id);

async function ask(what, parameters) {
  const address = "api/" + what + "?" + new URLSearchParams(parameters || {});
  const answer = await fetch(address, { headers: { "X-Deli-Dashboard": "page" } });
  const content = await answer.json();
  if (!answer.ok) {
    throw Object.assign(new Error(content.error), { busy: answer.status === 503 });
  }
  return content;
}

function cell(row, content, className) {
  const td = row.insertCell();
  if (content instanceof Node) {
    td.append(content);
  } else {
    td.textContent = content === undefined ? "" : String(content);
  }
  if (className) {
    td.className = className;
  }
  return td;
}

// Region servers report whole megabytes.
function size(bytes) {
  return bytes === undefined ? "" : (bytes / 1024 / 1024).toLocaleString("en") + " MB";
}

// For people; the number of milliseconds is in the title.
function time(row, millis) {
  const date = new Date(Number(millis));
  const known = !isNaN(date);
  const td = cell(row, known ? date.toISOString().replace("T", " ").replace("Z", " UTC") : millis);
  td.title = millis + " ms";
  td.className = "time";
}

function empty(body, columns, text) {
  body.replaceChildren();
  if (text) {
    cell(body.insertRow(), text, "note").colSpan = columns;
  }
}

async function statistics(table, index, entries) {
  for (;;) {
    try {
      return await ask("statistics", { table: table, index: index });
    } catch (error) {
      // Another page counts; a row that a reload took away waits no longer.
      if (!error.busy || !entries.isConnected) {
        throw error;
      }
      entries.textContent = "waiting";
      entries.title = error.message;
      await new Promise((done) => setTimeout(done, AGAIN_MILLIS));
    }
  }
}

async function count(table, index, entries, garbage) {
  entries.textContent = "...";
  try {
    const found = await statistics(table, index, entries);
    entries.removeAttribute("title");
    entries.textContent = found.entries.toLocaleString("en");
    garbage.textContent = (100 * found.garbageRatio).toFixed(1) + " %";
    garbage.classList.toggle("much", found.garbageRatio > MUCH_GARBAGE);
  } catch (error) {
    entries.textContent = "?";
    entries.title = error.message;
  }
}

function indexRow(body, table, index) {
  const row = body.insertRow();
  cell(row, table);
  cell(row, index.index);
  cell(row, index.column);
  cell(row, index.type);
  cell(row, index.strategy);
  cell(row, index.maintenance === "SERVER" ? "servers" : "clients");
  cell(row, index.state + (index.progress ? " (" + index.progress + ")" : ""), index.state);
  cell(row, index.regions, "number");
  cell(row, size(index.bytes), "number");
  const entries = cell(row, "", "number");
  const garbage = cell(row, "", "number");
  if (!index.counted || index.regions === undefined) {
    return null;
  }
  if (index.bytes <= COUNT_AT_ONCE_BYTES) {
    return () => count(table, index.index, entries, garbage);
  }
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Count";
  button.setAttribute("aria-label", "Count the entries of " + index.index + " of " + table);
  button.addEventListener("click", () => count(table, index.index, entries, garbage));
  entries.append(button);
  return null;
}

function offer(tables) {
  const select = byId("query").elements.index;
  const chosen = select.value;
  select.replaceChildren();
  for (const table of tables) {
    for (const index of table.indexes) {
      const option = document.createElement("option");
      option.textContent = table.table + ": " + index.index;
      option.value = JSON.stringify([table.table, index.index]);
      select.append(option);
    }
  }
  if (chosen) {
    select.value = chosen;
  }
}

async function showRegions(tables) {
  const body = byId("regions");
  empty(body, 6, tables.length ? "" : "none");
  for (const table of tables) {
    let found;
    try {
      found = await ask("regions", { table: table.table });
    } catch (error) {
      cell(body.insertRow(), table.table + ": " + error.message, "error").colSpan = 6;
      continue;
    }
    for (const region of found.regions) {
      const row = body.insertRow();
      cell(row, table.table);
      cell(row, region.startKey || "(first)");
      cell(row, region.server);
      cell(row, region.files, "number");
      cell(row, size(region.bytes), "number");
      if (region.compacted) {
        time(row, Date.parse(region.compacted));
      } else {
        cell(row, "never");
      }
    }
  }
}

// A line through the points that have a value, from 0 to the greatest, and the last of them in words.
function line(row, points, value, words) {
  const known = points.map((point) => [point.time, value(point)]).filter(([, y]) => y !== undefined);
  const td = cell(row, "", "time");
  if (known.length === 0) {
    return;
  }
  const from = points[0].time;
  const span = Math.max(1, points[points.length - 1].time - from);
  const top = Math.max(...known.map(([, y]) => y)) || 1;
  const places = known.map(([x, y]) => [2 + (116 * (x - from)) / span, 26 - (24 * y) / top]);
  const [x, y] = places[places.length - 1];
  const text = words(known[known.length - 1][1]);
  const svg = byId("line").content.firstElementChild.cloneNode(true);
  svg.setAttribute("aria-label", "last " + text);
  svg.firstElementChild.setAttribute(
    "points", places.map((place) => place.map((each) => each.toFixed(1)).join(",")).join(" "));
  svg.lastElementChild.setAttribute("cx", x);
  svg.lastElementChild.setAttribute("cy", y);
  td.append(svg, " " + text);
}

async function showHistory(tables) {
  const body = byId("history");
  const rows = tables.flatMap((table) => table.indexes.map((index) => [table.table, index.index]));
  empty(body, 7, rows.length ? "" : "none");
  for (const [table, index] of rows) {
    const found = await ask("history", { table: table, index: index });
    if (found.lack) {
      empty(body, 7, found.lack);
      return;
    }
    const points = found.points;
    if (points.length === 0) {
      continue;
    }
    const row = body.insertRow();
    cell(row, table);
    cell(row, index);
    time(row, points[0].time);
    line(row, points, (point) => point.bytes, size);
    line(row, points, (point) => point.garbage, (share) => (100 * share).toFixed(1) + " %");
    line(
      row,
      points,
      (point) => (point.collected ? (point.time - point.collected) / 3600000 : undefined),
      (hours) => hours.toFixed(1) + " h");
    line(row, points, (point) => point.built, (share) => Math.round(100 * share) + " %");
  }
}

async function reload() {
  const status = byId("status");
  status.textContent = "Loading";
  status.className = "";
  try {
    // A link to a table shows that one.
    const of = new URLSearchParams(location.hash.slice(1)).get("table");
    const tables = (await ask("tables", of ? { table: of } : {})).tables;
    const body = byId("indexes");
    empty(body, 11, tables.length ? "" : "No table has an index: bin/deli create-index makes one.");
    const counts = [];
    for (const table of tables) {
      if (table.error) {
        cell(body.insertRow(), table.table + ": " + table.error, "error").colSpan = 11;
      }
      for (const index of table.indexes) {
        counts.push(indexRow(body, table.table, index));
      }
    }
    offer(tables);
    await showRegions(tables);
    for (const each of counts) {
      if (each) {
        await each();
      }
    }
    await showHistory(tables);
    status.textContent = "As of " + new Date().toLocaleTimeString("en-GB");
  } catch (error) {
    status.textContent = error.message;
    status.className = "error";
  }
}

async function find(event) {
  event.preventDefault();
  const form = byId("query").elements;
  const answer = byId("answer");
  const table = byId("hits");
  const body = table.tBodies[0];
  body.replaceChildren();
  delete document.body.dataset.found;
  answer.className = "";
  answer.textContent = "Reading";
  try {
    const [of, index] = JSON.parse(form.index.value);
    const found = await ask("query", {
      table: of,
      index: index,
      kind: form.kind.value,
      value: form.value.value,
      to: form.to.value,
      limit: form.limit.value,
    });
    for (const hit of found.hits) {
      const row = body.insertRow();
      cell(row, hit.row);
      cell(row, hit.value);
      time(row, hit.timestamp);
    }
    answer.textContent =
      found.hits.length + (found.limited ? " rows, perhaps more," : found.hits.length === 1 ? " row" : " rows") +
      " in " + (found.micros / 1000).toFixed(1) + " ms";
  } catch (error) {
    answer.className = "error";
    answer.textContent = error.message;
  }
  table.hidden = body.rows.length === 0;
  document.body.dataset.found = "true";
}

byId("reload").addEventListener("click", reload);
byId("query").addEventListener("submit", find);
byId("query").elements.kind.addEventListener("change", (event) => {
  byId("to-label").hidden = event.target.value !== "between";
});

// A link may carry a query: #table=t&index=i&kind=equal&value=v
async function start() {
  await reload();
  const link = new URLSearchParams(location.hash.slice(1));
  if (link.has("index")) {
    const form = byId("query").elements;
    form.index.value = JSON.stringify([link.get("table"), link.get("index")]);
    form.kind.value = link.get("kind") || "equal";
    form.kind.dispatchEvent(new Event("change"));
    form.value.value = link.get("value") || "";
    form.to.value = link.get("to") || "";
    byId("query").requestSubmit();
  }
}

start();
