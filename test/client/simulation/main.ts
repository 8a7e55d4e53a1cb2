/** `npm run simulate -- --seeds N [--from S]`, or `--seed S --verbose` for one seed again. */
import { parseArgs } from "node:util";
import { simulate, type SimulationResult } from "./simulate.ts";

const LAST_STEPS = 60;

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "1000" },
    from: { type: "string", default: "1" },
    seed: { type: "string" },
    verbose: { type: "boolean", default: false },
  },
});

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
  const result = await simulate(seed);
  if (result.errors.length > 0) failed++;
  if (result.errors.length > 0 || values.verbose) print(result);
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
  console.error(`Reproduce with: npm run simulate -- --seed ${seed} --verbose\n`);
}

function readNumber(name: string, text: string): number {
  if (/^[1-9][0-9]{0,8}$/.test(text)) return Number(text);
  console.error(`${name} must be a positive number, not "${text}"`);
  process.exit(2);
}
