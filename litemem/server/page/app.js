// The page: its views by name, what stands around them, and the keys that work everywhere.

import { el, fill } from "./dom.js";
import { get } from "./api.js";
import * as blocks from "./blocks.js";
import * as forget from "./forget.js";
import * as health from "./health.js";
import * as map from "./map.js";
import * as memory from "./memory.js";
import * as search from "./search.js";
import * as sessions from "./sessions.js";
import * as settings from "./settings.js";
import * as timeline from "./timeline.js";
import * as transcript from "./transcript.js";
import * as tree from "./tree.js";
import { useZone } from "./format.js";
import { start, to } from "./router.js";
import { show as showSelection } from "./selection.js";
import { apply as applyTheme } from "./theme.js";

const VIEWS = {
  search: { title: "Search", show: search.show },
  timeline: { title: "Timeline", show: timeline.show },
  memory: { title: "Memory", show: memory.show, within: "search" },
  blocks: { title: "Blocks", show: blocks.show },
  sessions: { title: "Sessions", show: sessions.show },
  session: { title: "Session", show: tree.show, within: "sessions" },
  transcript: { title: "Transcript", show: transcript.show, within: "sessions" },
  map: { title: "Map", show: map.show },
  forget: { title: "Forget", show: forget.show },
  health: { title: "Health", show: health.show },
  settings: { title: "Settings", show: settings.show },
};
const IN_NAV = ["search", "timeline", "map", "blocks", "sessions", "forget", "health", "settings"];

function showNav(name) {
  const here = Object.hasOwn(VIEWS, name) ? (VIEWS[name].within ?? name) : "search";
  const links = IN_NAV.map((one) =>
    el("a", { href: to(one), "aria-current": one === here ? "page" : null }, VIEWS[one].title),
  );
  fill(document.getElementById("nav"), links);
  showSelection(here);
}

function onKey(event) {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || !settings.slashWorks()) return;
  if (event.target.closest?.("input, textarea, select, dialog")) return;
  event.preventDefault();
  const box = document.getElementById("query");
  if (box) box.focus();
  else location.hash = to("search");
}

async function showUser() {
  const foot = document.getElementById("foot");
  try {
    const found = await get("/me");
    useZone(found.time_zone);
    fill(foot, el("span", {}, "User "), el("bdi", {}, found.user_id));
  } catch {
    fill(foot); // the view says what is wrong
  }
}

applyTheme();
addEventListener("keydown", onKey);
await showUser();
start(VIEWS, document.getElementById("main"), showNav);
