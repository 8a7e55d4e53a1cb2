/**
 * Checks the documentation: every relative link, anchor and picture leads somewhere, in the package too, every
 * picture says what it shows and is small, every JSON sample parses, every test that a page or the data of the
 * security pages names exists, no page has a measured figure that was written by hand, and none has more words than
 * its budget. No recorded run is of code that was changed since.
 */
import { existsSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { execFileSync } from "node:child_process";
import { LANDING_TEXTS } from "../site/landing-texts.ts";
import { WHOLE_PICTURE } from "../site/whole-picture.ts";
import { parsePage } from "../site/markdown.ts";
import { findHandWrittenFigures } from "./hand-written-figures.ts";
import { findOutdatedRuns } from "./outdated-runs.ts";
import { findReachedModules } from "./reached-modules.ts";
import { findPagesOverBudget } from "./word-budgets.ts";

const ROOT = join(import.meta.dirname, "..");
const CASE_IDS = new Set(
  (await readFile(join(ROOT, "test/conformance/case-ids.txt"), "utf8")).split("\n"),
);
/** `src/http/listen.test.ts`: "a name", "another name" */
const TESTS = /`((?:src|conformance|examples|test)\/[^`]+\.ts)`: ("[^"]*"(?:, "[^"]*")*)/g;
/** Remove this check when the package is published. */
const INSTALL_BY_NAME = /npm (?:install|i)(?: --?[a-z-]+)* trellis\b(?!-)/g;
const PICTURES = join(ROOT, "docs/pictures");
/** Pictures must be small, because the package has them too. */
const MAX_PICTURE_BYTES = 60_000;
const { files: PACKED } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as {
  readonly files: readonly string[];
};
const problems: string[] = [];
const shown = new Set<string>();
const textByPage = new Map<string, string>();

for (const file of listMarkdown()) {
  const text = await readFile(file, "utf8");
  textByPage.set(relative(ROOT, file), text);
  const prose = text.replaceAll(/^```.*?^```/gms, "");
  for (const [, target = ""] of prose.matchAll(/\]\(([^)\s]+)\)/g)) await checkLink(file, target);
  for (const [, alternative = "", target = ""] of prose.matchAll(/!\[([^\]]*)\]\(([^)\s]+)\)/g)) {
    shown.add(resolve(dirname(file), target));
    if (alternative.trim() === "")
      report(file, `the picture "${target}" needs a text instead of it`);
  }
  for (const [, path = "", names = ""] of prose.matchAll(TESTS)) {
    await checkTests(file, path, names);
  }
  for (const [command] of text.matchAll(INSTALL_BY_NAME)) {
    report(file, `"${command}" fails: the package is not published, so install the packed file`);
  }
  for (const [, sample = ""] of text.matchAll(/^```json\n(.*?)^```/gms)) checkJson(file, sample);
}
await checkThreats(join(ROOT, "docs/security/threats.json"));
await checkBounds(join(ROOT, "docs/security/bounds.json"));
for (const [language, texts] of Object.entries(LANDING_TEXTS)) {
  const { about, why, ...others } = texts;
  const words = [...Object.values(others), ...Object.values(about), ...why.flat()];
  textByPage.set(`site/landing.${language}`, words.join("\n"));
}
// The landing pages show it.
shown.add(join(ROOT, WHOLE_PICTURE.path));
await checkPictures();
problems.push(...findPagesOverBudget(textByPage));
for (const [page, text] of textByPage) problems.push(...findHandWrittenFigures(page, text));
const outdated = findOutdatedRuns(ROOT);
problems.push(...outdated.problems);
if (outdated.notCompared.length > 0) {
  const names = outdated.notCompared.join(", ");
  console.log(
    `Not compared with the present code, whose history this clone does not have: ${names}`,
  );
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

function listMarkdown(): string[] {
  const names = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "*.md"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  return names
    .split("\n")
    .filter((name) => name !== "")
    .map((name) => join(ROOT, name));
}

async function checkPictures(): Promise<void> {
  for (const name of await readdir(PICTURES)) {
    const path = join(PICTURES, name);
    if (!shown.has(path)) report(path, "no page shows it: delete it");
    if ((await stat(path)).size > MAX_PICTURE_BYTES) {
      report(path, `it is larger than ${MAX_PICTURE_BYTES} bytes: take a smaller part of the page`);
    }
  }
}

async function checkLink(file: string, target: string): Promise<void> {
  if (/^[a-z]+:/.test(target)) return;
  const [path = "", anchor] = target.split("#");
  const destination = path === "" ? file : resolve(dirname(file), path);
  if (!existsSync(destination)) {
    report(file, `the link "${target}" leads nowhere`);
  } else if ((await stat(destination)).isDirectory() && !(await hasPage(destination))) {
    report(file, `the link "${target}" leads to a folder without a page: name a file of it`);
  } else if (isPacked(file) && !isPacked(destination)) {
    report(file, `the link "${target}" is dead in the package: write it as code`);
  } else if (anchor !== undefined && destination.endsWith(".md")) {
    const anchors = listAnchors(await readFile(destination, "utf8"));
    if (!anchors.has(anchor)) {
      report(file, `"${target}" names no heading of that page`);
    }
  }
}

/** npm adds the last three by itself. */
function isPacked(path: string): boolean {
  const names = [...PACKED, "package.json", "README.md", "LICENSE"];
  return names.some((name) => `${relative(ROOT, path)}/`.startsWith(`${name}/`));
}

/** The site leads from a folder to its first page. */
async function hasPage(folder: string): Promise<boolean> {
  return (await readdir(folder)).some((name) => name.endsWith(".md"));
}

function listAnchors(text: string): Set<string> {
  return new Set(parsePage(text).sections.map(({ anchor }) => anchor));
}

interface ThreatTests {
  readonly tests: readonly {
    readonly file?: string;
    readonly conformance?: string;
    readonly name: string;
  }[];
}

/** The page of threats leaves the tests to its data. */
async function checkThreats(file: string): Promise<void> {
  const threats = JSON.parse(await readFile(file, "utf8")) as readonly ThreatTests[];
  for (const { file: path, conformance, name } of threats.flatMap(({ tests }) => tests)) {
    if (path !== undefined) await checkTests(file, path, `"${name}"`);
    else if (!CASE_IDS.has(`${conformance} ${name}`)) {
      report(file, `there is no conformance case "${name}"`);
    }
  }
}

interface Place {
  readonly file: string;
  readonly name: string;
}

interface TestedBound {
  readonly place: string;
  readonly code: readonly Place[];
  readonly tests: readonly Place[];
}

/** A test feeds no bound whose code it does not load. */
async function checkBounds(file: string): Promise<void> {
  for (const { place, code, tests } of JSON.parse(await readFile(file, "utf8")) as TestedBound[]) {
    if (tests.length === 0) report(file, `"${place}" has no test`);
    for (const test of tests) await checkTests(file, test.file, `"${test.name}"`);
    const reached = await Promise.all(tests.map((test) => findReachedModules(ROOT, test.file)));
    for (const bound of code) {
      const text = await readFile(join(ROOT, bound.file), "utf8").catch(() => "");
      if (!text.includes(bound.name)) report(file, `${bound.file} has no "${bound.name}"`);
      if (!reached.some((modules) => modules.has(bound.file))) {
        report(file, `no test of "${place}" loads ${bound.file}`);
      }
    }
    for (const [index, modules] of reached.entries()) {
      if (code.length === 0 || code.some((bound) => modules.has(bound.file))) continue;
      report(file, `${tests[index]?.file} loads no code that bounds "${place}"`);
    }
  }
}

/** A name may have "…" in the place of a template's expression. */
async function checkTests(file: string, path: string, names: string): Promise<void> {
  const source = join(ROOT, path);
  const lines = existsSync(source) ? (await readFile(source, "utf8")).split("\n") : [];
  for (const [, name = ""] of names.matchAll(/"([^"]*)"/g)) {
    const parts = name.split("…");
    if (!lines.some((line) => hasInOrder(line, parts))) {
      report(file, `${path} has no test "${name}"`);
    }
  }
}

function hasInOrder(line: string, parts: readonly string[]): boolean {
  let from = 0;
  return parts.every((part) => {
    const found = line.indexOf(part, from);
    from = found + part.length;
    return found >= 0;
  });
}

function report(file: string, problem: string): void {
  problems.push(`${relative(ROOT, file)}: ${problem}`);
}

function checkJson(file: string, sample: string): void {
  try {
    JSON.parse(sample);
  } catch (error) {
    report(file, `a JSON sample does not parse: ${String(error)}`);
  }
}
