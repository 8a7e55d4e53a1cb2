import { isObject, type Members } from "../../src/contract/is-object.ts";
import { parseJson } from "../../src/rules/parse-json.ts";

/**
 * Runs a client for the kit. It gets what to do as one JSON object, and gives another one that says what the
 * client did. So a client in any language can be tested.
 */
export interface Driver {
  /** What reports call it, such as the command that starts it. */
  readonly name: string;
  /** The time zone in which the client runs. */
  readonly timeZone: string;
  /** Runs the client once. Whatever the driver does is a result. */
  run(input: object): Promise<DriverRun>;
}

/** What one run of a driver printed. */
export interface DriverRun {
  /** What the client under test did. */
  readonly result: DriverResult;
  /** What the driver wrote beside a result. */
  readonly notes: string;
}

/** What a driver came to: the JSON object that it printed, or why there is none. */
export type DriverResult =
  | { readonly kind: "done"; readonly value: Members }
  /** `reason` is the rest of a sentence that begins with the driver: `ended with exit code 3`. */
  | { readonly kind: "failed"; readonly reason: string };

/**
 * Makes a driver in this process, for clients in JavaScript.
 * @param name - what reports call the client
 * @param run - does one task with the client, and returns what it did
 * @returns the driver
 * @example
 * ```ts
 * import { checkSyncDriver, createFunctionDriver, reportToText } from "trellis/conformance";
 * import type { SyncTask } from "trellis/conformance";
 *
 * const driver = createFunctionDriver("my client", async ({ do: what }: SyncTask) => {
 *   return { kind: what === "sync" ? "synced" : "failed" };
 * });
 * console.log(reportToText(await checkSyncDriver(driver)));
 * ```
 */
export function createFunctionDriver(name: string, run: (input: never) => unknown): Driver {
  return {
    name,
    timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    async run(input) {
      try {
        // As on the standard output of a program: no value that is not JSON gets through.
        const output = JSON.stringify(await run(structuredClone(input) as never)) ?? "";
        return { result: readResult(output), notes: "" };
      } catch (error) {
        const notes = String(error);
        return { result: { kind: "failed", reason: `threw ${firstLine(notes)}` }, notes };
      }
    },
  };
}

const MAX_SHOWN = 200;

/** Reads what a driver printed, which is one JSON object. */
export function readResult(text: string): DriverResult {
  // Shown as it is, nothing would tell it from a right result.
  if (text.startsWith("\uFEFF")) {
    return { kind: "failed", reason: "printed a byte order mark before its result" };
  }
  const value = parseJson(text);
  if (isObject(value)) return { kind: "done", value };
  const printed = text.trim() === "" ? "nothing" : firstLine(text);
  return { kind: "failed", reason: `printed no JSON object but ${printed}` };
}

export function firstLine(text: string): string {
  const [line = ""] = text.trim().split("\n");
  return line.length <= MAX_SHOWN ? line : `${line.slice(0, MAX_SHOWN)}…`;
}
