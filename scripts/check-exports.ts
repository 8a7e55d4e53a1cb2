/** Fails when several modules export one name, because a reader takes it for one thing. */
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

const EACH_SUITE = "the conformance cases of each service have their own";
const WRITTEN_APART = "written apart from the server's, so that the cases do not share its errors";

/** Names that mean the same in all their modules, with the reason why they are declared several times. */
const ALLOWED: Readonly<Record<string, string>> = {
  command: "each module of a command exports it by this name",
  ChangePasswordBody: "the settings page and the owner's page each post their own",
  AUTHORIZE: EACH_SUITE,
  EVERY_RESPONSE_CASES: EACH_SUITE,
  LIST_CASES: EACH_SUITE,
  TOKEN_CASES: EACH_SUITE,
  Cursor: WRITTEN_APART,
  encodeCursor: WRITTEN_APART,
  compareVersions: WRITTEN_APART,
};

const ROOT = join(import.meta.dirname, "..");
const EXPORT = /^export (?:async )?(?:function\*?|const|class|interface|type|enum) (\w+)/gm;

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
    "examples/demo",
    "scripts",
    "bench",
  ],
  { cwd: ROOT, encoding: "utf8" },
).split("\n");
const modulesByName = new Map<string, Set<string>>();
for (const file of files.filter(isChecked)) {
  const text = await readFile(join(ROOT, file), "utf8");
  for (const [, name = ""] of text.matchAll(EXPORT)) {
    modulesByName.set(name, (modulesByName.get(name) ?? new Set()).add(file));
  }
}

let count = 0;
for (const [name, modules] of modulesByName) {
  const isRepeated = new Set([...modules].map(toPlace)).size > 1;
  if (isRepeated === Object.hasOwn(ALLOWED, name)) continue;
  console.error(
    isRepeated
      ? `"${name}" is exported by ${[...modules].join(", ")}; rename all but one, or declare it once`
      : `"${name}" is exported once; remove it from the list in scripts/check-exports.ts`,
  );
  count++;
}
process.exitCode = count > 0 ? 1 : 0;

/** The types of a contract have the names of the schemas from which they are generated. */
function isChecked(file: string): boolean {
  return file.endsWith(".ts") && !/^src\/(web\/generated|contract\/\w+\/types\.ts$)/.test(file);
}

/** The same module of each service exports the same thing of each, such as its `toErrorResponse`. */
function toPlace(file: string): string {
  return file.replace(/(?<=\/)(events|release|sync)\//, "SERVICE/");
}
