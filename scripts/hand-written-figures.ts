/** Finds figures in prose that look as if they had been measured: no run corrects them when the code changes. */

const PAGES = /^(README\.md|docs\/(benchmarks\.md|operate\/|guides\/|decisions\/))/;
const UNIT = String.raw`\d[\d.,]*(?:\s(?:to|and)\s\d[\d.,]*)?\s(?:KB|MB|GB|ms|µs|requests|pushes|pulls)\b`;
/** A bound or a promise has a word between: "at most 256 KB", "within 250 ms". */
const MEASURED = new RegExp(
  String.raw`\b(?:takes?|took|costs?|makes?|made|adds?|has|had|have|in|was|were|after)\s+(?:about\s+|almost\s+)?${UNIT}`,
  "g",
);
/** The page of benchmarks has no figure of its own at all. */
const ANY = new RegExp(UNIT, "g");

export function findHandWrittenFigures(page: string, text: string): string[] {
  if (!PAGES.test(page)) return [];
  const prose = text
    .replaceAll(/<!-- begin: .*?<!-- end -->/gs, "")
    .replaceAll(/^ *```.*?^ *```/gms, "");
  const found = prose.match(page === "docs/benchmarks.md" ? ANY : MEASURED) ?? [];
  return found.map(
    (figure) =>
      `${page}: "${figure.replaceAll(/\s+/g, " ")}" is written by hand: generate it from a recorded run, or take it out`,
  );
}
