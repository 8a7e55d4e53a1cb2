/** Tests a client, by a driver: a program behind `--` that runs it. */
import type { DriverCase } from "../../../../conformance/drivers/check-driver.ts";
import type { Driver } from "../../../../conformance/drivers/driver.ts";
import { createProcessDriver } from "../../../../conformance/drivers/process-driver.ts";
import type { DriverReport } from "../../../../conformance/report.ts";
import type { RunOptions } from "../../../../conformance/run-cases.ts";
import { UsageError } from "../../command.ts";
import { selectCases, showReport, type CasesContext, type Suite } from "./cases.ts";

export const DRIVER_ARGUMENT = {
  driver: {
    description: "With --client: the program that runs your client, and its arguments",
    multiple: true,
    isBehindDashes: true,
  },
} as const;

interface DriverContext extends CasesContext {
  readonly args: { readonly url: string | undefined; readonly driver: readonly string[] };
  readonly options: CasesContext["options"] & { readonly client: boolean };
}

/** Whether a driver is given, which needs `--client` and no URL. */
export function hasDriver({ args, options }: DriverContext): boolean {
  if (args.driver.length === 0) return false;
  if (!options.client) {
    throw new UsageError("A program behind -- is a driver: add --client");
  }
  if (args.url !== undefined) {
    throw new UsageError("Give either URL or a driver behind --: the one is tested, or the other");
  }
  return true;
}

/** Lists the cases, or tests the client and shows the report. */
export async function runDriverSuite(
  context: DriverContext,
  suite: Suite<readonly DriverCase[]>,
  check: (driver: Driver, options: RunOptions) => Promise<DriverReport>,
): Promise<void> {
  const { words } = suite;
  const selection = selectCases(context, { ...suite, words: `${words} --client` });
  if (selection === null) return;
  const [program, ...rest] = context.args.driver;
  if (program === undefined || program === "") {
    throw new UsageError(
      `Missing the driver: \`trellis conformance ${words} --client -- PROGRAM\`, where PROGRAM runs your client`,
    );
  }
  const report = await untilInterrupted((signal) =>
    check(createProcessDriver([program, ...rest], { signal }), { ...selection, signal }),
  );
  showReport(report, context);
}

/** A driver is not in the terminal's process group, so it does not hear what interrupts the command. */
async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const abort = new AbortController();
  let received: NodeJS.Signals | null = null;
  const onSignal = (signal: NodeJS.Signals) => {
    received = signal;
    abort.abort();
  };
  const names = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const name of names) process.on(name, onSignal);
  try {
    return await work(abort.signal);
  } finally {
    for (const name of names) process.off(name, onSignal);
    // Now the signal does what it does to any program.
    if (received !== null) process.kill(process.pid, received);
  }
}
