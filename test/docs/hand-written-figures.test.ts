import assert from "node:assert/strict";
import { test } from "node:test";
import { findHandWrittenFigures } from "../../scripts/hand-written-figures.ts";

test("a figure in prose that looks measured is found, in a generated block it is not", () => {
  const page = "docs/operate/postgres.md";
  assert.match(
    findHandWrittenFigures(page, "An open instance takes 0.8 to\n1.3 MB.").join("\n"),
    /"takes 0\.8 to 1\.3 MB" is written by hand/,
  );
  const block = "<!-- begin: npm run generate, x -->\nIt took 736 ms.\n<!-- end -->";
  assert.deepEqual(findHandWrittenFigures(page, block), []);
});

test("bounds and promises are not figures, and the page of benchmarks has neither", () => {
  const text = "A logo has at most 256 KB. A watch tells within 250 ms.";
  assert.deepEqual(findHandWrittenFigures("docs/guides/embed-a-service.md", text), []);
  assert.equal(findHandWrittenFigures("docs/benchmarks.md", text).length, 2);
  assert.deepEqual(findHandWrittenFigures("docs/storage.md", "It took 3 ms."), []);
});
