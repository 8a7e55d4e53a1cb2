/** The main program of every benchmark: its options, its clean-up, and its report in the form asked for. */
import { writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { createFolder } from "./create-folder.ts";
import { MEASURED_COMMIT, UNCOMMITTED } from "./measured-commit.ts";
import { today, type ReportStyle } from "./tables.ts";

export type StoreName = "sqlite" | "postgres";

export interface Benchmark {
  /** `--quick`: fewer rounds and smaller stores. */
  readonly isQuick: boolean;
  /** `--store postgres` measures a service on PostgreSQL. */
  readonly store: StoreName;
  /** The benchmark's own flags that were given. */
  readonly flags: ReadonlySet<string>;
  /** Runs at the end, in reverse order, whatever happens. */
  defer(undo: () => Promise<unknown>): void;
  /** Returns what is started, and stops it at the end. */
  use<T extends { stop(): Promise<unknown> }>(started: T): T;
  /** A new folder, which is removed at the end. */
  createFolder(): Promise<string>;
  progress(text: string): void;
}

export async function runBenchmark<Report extends object>(
  measureAll: (benchmark: Benchmark) => Promise<Report>,
  render: (report: Report, style: ReportStyle) => string,
  stores: readonly StoreName[] = ["sqlite"],
  flags: readonly string[] = [],
): Promise<void> {
  const { values: options } = parseArgs({
    options: {
      ...Object.fromEntries(flags.map((name) => [name, { type: "boolean" } as const])),
      quick: { type: "boolean", default: false },
      store: { type: "string", default: "sqlite" },
      json: { type: "boolean", default: false },
      record: { type: "boolean", default: false },
    },
  });
  const store = stores.find((name) => name === options.store);
  if (store === undefined) {
    throw new Error(`--store must be ${stores.join(" or ")}, not "${options.store}"`);
  }
  if (options.record) refuseUncommitted();
  await using cleanups = new AsyncDisposableStack();
  const report = await measureAll({
    isQuick: options.quick,
    store,
    flags: new Set(flags.filter((name) => (options as Record<string, unknown>)[name] === true)),
    defer: (undo) => cleanups.defer(async () => void (await undo())),
    use: (started) => cleanups.adopt(started, async ({ stop }) => void (await stop())),
    createFolder: async () => cleanups.use(await createFolder()).path,
    progress: (text) => void process.stderr.write(`${text}\n`),
  });
  if (options.record) await recordRun(store, render(report, "markdown"));
  const dated = { date: today(), commit: MEASURED_COMMIT, ...report };
  console.log(options.json ? JSON.stringify(dated, null, 2) : render(report, "text"));
}

/** A recorded run names the commit that it was made of. */
function refuseUncommitted(): void {
  if (UNCOMMITTED === "") return;
  throw new Error(
    `\`--record\` names the commit of a run, so commit these changes first:\n${UNCOMMITTED}`,
  );
}

/** `npm run generate` then takes the figures into `docs/benchmarks.md` and `docs/operate/sizes.md`. */
async function recordRun(store: StoreName, report: string): Promise<void> {
  const name = basename(process.argv[1] ?? "", ".ts");
  const command = `npm run bench:${name} -- ${process.argv.slice(2).join(" ")}`;
  const file = store === "sqlite" ? name : `${name}-${store}`;
  const path = join(import.meta.dirname, "recorded", `${file}.md`);
  await writeFile(path, `# \`${command}\`\n\n${report}\n`);
}
