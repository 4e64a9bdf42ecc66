// The words of a question marked in a text.

import { el } from "./dom.js";

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const UNSPACED = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]/;
const STEM = 4; // letters that two forms of a word share at least
const ENDING = 3; // letters by which they may differ: "engineer", "engineering"

/** A text as nodes, with what matches the question in <mark>. */
export function marked(text, question) {
  const spans = merged(found(text, question));
  const nodes = [];
  let at = 0;
  for (const [start, end] of spans) {
    nodes.push(text.slice(at, start), el("mark", {}, text.slice(start, end)));
    at = end;
  }
  nodes.push(text.slice(at));
  return nodes;
}

function found(text, question) {
  const asked = (question.match(WORD) ?? []).slice(0, 32).map((word) => word.toLowerCase());
  const words = asked.filter((word) => !UNSPACED.test(word));
  const pieces = asked.filter((word) => UNSPACED.test(word)).flatMap(pairs);
  const spans = [];
  for (const match of text.matchAll(WORD)) {
    const word = match[0].toLowerCase();
    if (words.some((one) => alike(one, word))) spans.push([match.index, match.index + match[0].length]);
  }
  for (const piece of pieces) {
    for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + 1)) spans.push([at, at + piece.length]);
  }
  return spans.sort((a, b) => a[0] - b[0]);
}

/** Text without spaces is looked up by pairs of letters. */
function pairs(word) {
  return word.length < 3 ? [word] : Array.from({ length: word.length - 1 }, (_, at) => word.slice(at, at + 2));
}

function alike(one, other) {
  if (one === other) return true;
  const most = Math.min(one.length, other.length);
  let same = 0;
  while (same < most && one[same] === other[same]) same += 1;
  return same >= STEM && one.length - same <= ENDING && other.length - same <= ENDING;
}

function merged(spans) {
  const kept = [];
  for (const [start, end] of spans) {
    const last = kept.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else kept.push([start, end]);
  }
  return kept;
}
