/** `npm run simulate`: seeded runs, and one seed again for each that fails. */
import { parseArgs } from "node:util";
import { simulate, type SimulationResult } from "./simulate.ts";

/** Of a seed that failed. */
const LAST_STEPS = 60;
const HELP = `npm run simulate -- [--seeds N] [--from S]   N seeds, from seed S on
npm run simulate -- --seed S [--verbose]     one seed, with every step
with --sealed                                devices that encrypt`;

const values = readArguments();
const first = readNumber("--seed", values.seed ?? values.from);
const count = values.seed === undefined ? readNumber("--seeds", values.seeds) : 1;
const startedAt = performance.now();
let failed = 0;
let running = first;
process.on("uncaughtException", (error) => {
  console.error(`Seed ${running} ended the process:`, error);
  process.exit(1);
});
for (let seed = first; seed < first + count; seed++) {
  running = seed;
  const result = await simulate(seed, { isSealed: values.sealed });
  if (result.errors.length > 0) failed++;
  if (result.errors.length > 0 || values.verbose) print(result);
  const done = seed - first + 1;
  if (done % 500 === 0) console.error(`${done} of ${count} seeds, ${failed} failed`);
}
const seconds = (performance.now() - startedAt) / 1000;
console.log(
  `${count} seeds from ${first}: ${failed} failed; ${(count / seconds).toFixed(1)} a second`,
);
process.exit(failed === 0 ? 0 : 1);

function print({ seed, errors, steps }: SimulationResult): void {
  const shown = values.verbose ? steps : steps.slice(-LAST_STEPS);
  if (shown.length < steps.length) console.log(`… ${steps.length - shown.length} steps before`);
  for (const step of shown) console.log(step);
  if (errors.length === 0) return;
  for (const error of errors) console.error(`seed ${seed}: ${error}`);
  const sealed = values.sealed ? " --sealed" : "";
  console.error(`Reproduce with: npm run simulate --${sealed} --seed ${seed} --verbose\n`);
}

function readArguments() {
  try {
    return parseArgs({
      options: {
        seeds: { type: "string", default: "1000" },
        from: { type: "string", default: "1" },
        seed: { type: "string" },
        sealed: { type: "boolean", default: false },
        verbose: { type: "boolean", default: false },
      },
    }).values;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${HELP}`);
    process.exit(2);
  }
}

function readNumber(name: string, text: string): number {
  if (/^[1-9][0-9]{0,8}$/.test(text)) return Number(text);
  console.error(`${name} must be a positive number, not "${text}"`);
  process.exit(2);
}
