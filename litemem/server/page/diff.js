// The difference of two texts, line by line: the longest common subsequence.

const MOST_CELLS = 4_000_000; // 16 MB; beyond it, the middle counts as wholly replaced

/**
 * Compare texts.
 *
 * @returns {{kind: "same"|"less"|"more", text: string}[]} the lines of both in order: without
 *   "more" they are the old text's, without "less" the new one's.
 */
export function lineDiff(before, after) {
  const a = before.split("\n");
  const b = after.split("\n");
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const same = (lines) => lines.map((text) => ({ kind: "same", text }));
  return [
    ...same(a.slice(0, start)),
    ...middle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...same(a.slice(a.length - end)),
  ];
}

function middle(a, b) {
  const less = (text) => ({ kind: "less", text });
  const more = (text) => ({ kind: "more", text });
  if ((a.length + 1) * (b.length + 1) > MOST_CELLS) return [...a.map(less), ...b.map(more)];
  const wide = b.length + 1;
  const longest = lengths(a, b, wide);
  const made = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      made.push({ kind: "same", text: a[i] });
      i += 1;
      j += 1;
    } else if (longest[(i + 1) * wide + j] >= longest[i * wide + j + 1]) made.push(less(a[i++]));
    else made.push(more(b[j++]));
  }
  return [...made, ...a.slice(i).map(less), ...b.slice(j).map(more)];
}

/** For each pair of places, how long the longest common subsequence from there on is. */
function lengths(a, b, wide) {
  const longest = new Uint32Array((a.length + 1) * wide);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      longest[i * wide + j] =
        a[i] === b[j]
          ? longest[(i + 1) * wide + j + 1] + 1
          : Math.max(longest[(i + 1) * wide + j], longest[i * wide + j + 1]);
    }
  }
  return longest;
}

const AROUND = 3; // unchanged lines shown before and after a change

/** Leave out runs of unchanged lines: they become {kind: "gap", count}. */
export function folded(lines) {
  const near = lines.map(() => false);
  lines.forEach((line, at) => {
    if (line.kind === "same") return;
    for (let i = Math.max(0, at - AROUND); i <= Math.min(lines.length - 1, at + AROUND); i += 1) near[i] = true;
  });
  const made = [];
  lines.forEach((line, at) => {
    if (near[at]) made.push(line);
    else if (made.at(-1)?.kind === "gap") made.at(-1).count += 1;
    else made.push({ kind: "gap", count: 1 });
  });
  return made;
}
