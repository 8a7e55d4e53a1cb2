/** What is wrong with a catalogue: in which file, where in it, what, and what to do. */
import type { Checker } from "../../contract/check.ts";

export interface CatalogFault {
  readonly file: string;
  /** Where in the file; empty for the file as a whole. */
  readonly path: string;
  readonly problem: string;
  readonly remedy: string;
}

export function formatError(fault: CatalogFault): string {
  const place = fault.path === "" ? fault.file : `${fault.file}: ${fault.path}`;
  return `${place} ${fault.problem}; ${fault.remedy}`;
}

/** The value when it has its shape; else its faults are added and there is none. */
export function readChecked<T>(
  checker: Checker<T>,
  file: string,
  value: unknown,
  faults: CatalogFault[],
): T | undefined {
  if (checker.is(value)) return value;
  for (const { path, problem } of checker.faults(value)) {
    faults.push({ file, path, problem, remedy: "correct it in the file" });
  }
  return undefined;
}
