/** The samples of the guide "Add sync to your app", as they are printed. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ServedSyncOptions } from "../../sync/serve-sync.ts";

const GUIDES = join(import.meta.dirname, "../../../docs/guides");
const GUIDE = "add-sync-to-your-app.md";
const MAX_LINES = 42;

export interface Guide {
  readonly config: { readonly sync: ServedSyncOptions };
  readonly page: string;
  readonly browserProgram: string;
  readonly nodeProgram: string;
  /** `tasks.ts`: a client and a collection, which the two others import. */
  readonly tasks: string;
  readonly edits: string;
  readonly asks: string;
  /** A join with TanStack DB. */
  readonly joins: string;
  /** A collection whose shape changed, with the client of `tasks.ts`. */
  readonly evolve: string;
  readonly component: string;
  readonly mistakes: readonly Mistake[];
}

export interface Mistake {
  readonly code: string;
  /** What it is refused with when it runs: a reason, or the name of the error that is thrown. */
  readonly refusedWith: string;
}

/** The blocks of code of a guide that are in the language. */
export async function readBlocks(guide: string, language: string): Promise<readonly string[]> {
  return findBlocks(await readFile(join(GUIDES, guide), "utf8"), language);
}

function findBlocks(text: string, language: string): readonly string[] {
  const pattern = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms");
  return [...text.matchAll(pattern)].map(([, block = ""]) => block);
}

export async function readGuide(): Promise<Guide> {
  const guide = await readFile(join(GUIDES, GUIDE), "utf8");
  const blocks = (language: string) => findBlocks(guide, language);
  const [config = "", ...configs] = blocks("json");
  const [page = "", ...pages] = blocks("html");
  const [browserProgram = "", nodeProgram = "", ...programs] = blocks("js");
  const [tasks = "", edits = "", asks = "", joins = "", evolve = "", ...modules] = blocks("ts");
  const [component = "", ...components] = blocks("tsx");
  const others = [configs, pages, programs, modules, components].flat();
  assert.deepEqual(others, [], "every block is checked");
  for (const program of [browserProgram, nodeProgram]) {
    const lines = program.split("\n").filter((line) => line.trim() !== "");
    assert.ok(lines.length > 20 && lines.length < MAX_LINES, `${lines.length} lines`);
  }
  const rows = guide.matchAll(/^\| `(tasks\..+?)` +\| (?:`(\w+)`|throws (\w+)) +\|$/gm);
  const mistakes = [...rows].map(([, code = "", reason, error = ""]) => ({
    code,
    refusedWith: reason ?? error,
  }));
  assert.ok(mistakes.length >= 6, "the guide lists mistakes");
  return {
    config: JSON.parse(config) as Guide["config"],
    page,
    browserProgram,
    nodeProgram,
    tasks,
    edits,
    asks,
    joins,
    evolve,
    component,
    mistakes,
  };
}
