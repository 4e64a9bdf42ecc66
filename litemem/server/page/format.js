// Times, numbers and words as people read them.

const DAY = new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
const MONTH = new Intl.DateTimeFormat(undefined, { month: "long", year: "numeric", timeZone: "UTC" });
let zone;
let moment, clock;

/** Show times in the home's zone from now on; an unknown one leaves the browser's. */
export function useZone(name) {
  try {
    new Intl.DateTimeFormat(undefined, { timeZone: name });
    zone = name;
  } catch {
    zone = undefined;
  }
  moment = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short", timeZone: zone });
  clock = new Intl.DateTimeFormat(undefined, { timeStyle: "short", timeZone: zone });
}
useZone(undefined);

/** An instant, such as "8 Feb 2026, 14:05". */
export function when(iso) {
  return shown(iso, moment);
}

/** Its time of day. */
export function hour(iso) {
  return shown(iso, clock);
}

function shown(iso, how) {
  const at = new Date(iso ?? NaN);
  return Number.isNaN(at.getTime()) ? "at an unknown time" : how.format(at);
}

/** A calendar day, such as "Sunday, 8 February 2026". */
export function day(date) {
  return DAY.format(new Date(`${date}T00:00:00Z`));
}

export function month(date) {
  return MONTH.format(new Date(`${date.slice(0, 7)}-01T00:00:00Z`));
}

export function count(n, one, many = `${one}s`) {
  return `${n.toLocaleString()} ${n === 1 ? one : many}`;
}

export function percent(share) {
  return `${Math.round(share * 100)} %`;
}

export function bytes(n) {
  if (n < 1000) return `${n} B`;
  return n < 1e6 ? `${(n / 1e3).toFixed(1)} kB` : `${(n / 1e6).toFixed(1)} MB`;
}

/** The beginning of a text, on one line. */
export function brief(text, most = 140) {
  const line = text.replace(/\s+/gu, " ").trim();
  const letters = Array.from(line.slice(0, most * 2));
  return letters.length <= most ? line : `${letters.slice(0, most - 1).join("")}…`;
}
