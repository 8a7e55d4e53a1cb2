/**
 * Asks for a test when a command or a configuration key is added, and for a sentence and an example when the package
 * exports more.
 */
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { listCommands } from "./reference/commands.ts";
import { findUnexplained } from "./reference/npm-api.ts";
import { listConfigurationKeys } from "./reference/configuration.ts";

const ROOT = join(import.meta.dirname, "..");

const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "*.ts"], {
  cwd: ROOT,
  encoding: "utf8",
}).split("\n");
const tests = files.filter((file) => file.startsWith("test/") || file.endsWith(".test.ts"));
const tested = (await Promise.all(tests.map(read))).join("\n");
const problems: string[] = [];

for (const { name } of listCommands()) {
  if (!isCalled(name.split(" "))) problems.push(`no test calls \`trellis ${name}\``);
}
for (const { key, schema, variable = key } of listConfigurationKeys()) {
  const name = key.split(".").at(-1)?.replace("[]", "") ?? key;
  if (!tested.includes(name) && !tested.includes(variable)) problems.push(`no test sets "${key}"`);
  if (schema.description === undefined) problems.push(`"${key}" needs a description in its schema`);
}
problems.push(...(await findUnexplained()));
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

/** Tests write the words apart or as one text, and those of a service often leave out its name. */
function isCalled(words: readonly string[]): boolean {
  const between = String.raw`["'\`]?,?\s+["'\`]?`;
  const calls = [words, words.slice(1)].filter((call) => call.length > 0);
  const spellings = calls.map((call) => call.join(between));
  return new RegExp(`["'\`](?:trellis )?(?:${spellings.join("|")})\\b`).test(tested);
}

function read(file: string): Promise<string> {
  return readFile(join(ROOT, file), "utf8");
}
