/**
 * Fails when an import runs upward between rooms, or modules import each other in a circle: imports on demand
 * count, which linters leave out. Fails, too, when a module loads at its start what it should load on demand.
 */
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";

/** From the ground up. A room imports those of the floors below it. */
const FLOORS = [
  ["contract"],
  ["database", "http", "rules"],
  ["client", "identity", "web"],
  ["backup", "conformance", "storage-contract"],
  ["events", "release", "sync"],
  ["configuration", "store-contract"],
  ["operate"],
  ["hosting"],
  ["server", "site"],
  ["examples/demo"],
  ["cli"],
];

const ROOT = join(import.meta.dirname, "..");
const IMPORT = /\b(?:from|import)\s*\(?\s*"(\.[^"]+\.ts)"/g;

const files = execFileSync(
  "git",
  [
    "ls-files",
    "-co",
    "--exclude-standard",
    "src",
    "conformance",
    "storage-contract",
    "store-contract",
    "site",
    "examples/demo",
  ],
  { cwd: ROOT, encoding: "utf8" },
).split("\n");
/** A package takes long to load, so what most commands load must not import it at its start. */
const ON_DEMAND = [["src/database/open-database.ts", "postgres"]] as const;
/** Neither on demand nor of types alone. */
const IMPORT_AT_START = /^(?:import|export) (?!type )[^;]*?\bfrom "([^"]+)"/gm;

const importsByModule = new Map<string, readonly string[]>();
const importsAtStart = new Map<string, readonly string[]>();
for (const file of files.filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))) {
  const text = await readFile(join(ROOT, file), "utf8").catch(() => "");
  const imports = [...text.matchAll(IMPORT)].map(([, path = ""]) =>
    normalize(join(dirname(file), path)),
  );
  importsByModule.set(file, imports);
  const atStart = [...text.matchAll(IMPORT_AT_START)].map(([, path = ""]) =>
    path.startsWith(".") ? normalize(join(dirname(file), path)) : path,
  );
  importsAtStart.set(file, atStart);
}

const errors = [...findUpwardImports(), ...findCircles(), ...findEarlyImports()];
for (const error of errors) console.error(error);
process.exitCode = errors.length > 0 ? 1 : 0;

function* findUpwardImports(): Generator<string> {
  for (const [module, imports] of importsByModule) {
    for (const imported of imports) {
      const [from, to] = [roomOf(module), roomOf(imported)];
      if (from === to || floorOf(to) < floorOf(from)) continue;
      yield `${module} imports ${imported}: ${to} is not below ${from}`;
    }
  }
}

/** Follows the imports of each module once. A module that is met on its own path closes a circle. */
function* findCircles(): Generator<string> {
  const done = new Set<string>();
  const path: string[] = [];
  function* follow(module: string): Generator<string> {
    const start = path.indexOf(module);
    if (start !== -1)
      yield `Modules import each other: ${[...path.slice(start), module].join(" → ")}`;
    if (start !== -1 || done.has(module)) return;
    path.push(module);
    for (const imported of importsByModule.get(module) ?? []) yield* follow(imported);
    path.pop();
    done.add(module);
  }
  for (const module of importsByModule.keys()) yield* follow(module);
}

function* findEarlyImports(): Generator<string> {
  for (const [start, name] of ON_DEMAND) {
    const paths: string[][] = [[start]];
    const seen = new Set<string>();
    for (let path = paths.shift(); path !== undefined; path = paths.shift()) {
      const module = path.at(-1) ?? "";
      if (module === name) yield `${start} loads "${name}" at its start: ${path.join(" → ")}`;
      if (seen.has(module)) continue;
      seen.add(module);
      for (const imported of importsAtStart.get(module) ?? []) paths.push([...path, imported]);
    }
  }
}

function roomOf(file: string): string {
  return /^(?:src\/)?(examples\/demo|[^/]+)/.exec(file)?.[1] ?? "";
}

function floorOf(room: string): number {
  const floor = FLOORS.findIndex((rooms) => rooms.includes(room));
  if (floor === -1) throw new Error(`The room "${room}" has no floor in scripts/check-imports.ts`);
  return floor;
}
