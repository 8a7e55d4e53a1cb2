/** What is wrong with a file of a catalogue: where in it, what, and what to do. */
import type { Checker } from "../../contract/check.ts";

/** One error of a catalogue: the file, the place in it, what is wrong, and what to do. */
export interface CatalogFileError {
  /** The path from the folder of the catalogue. */
  readonly file: string;
  /** The place in the file; empty for the file as a whole. */
  readonly path: string;
  /** What is wrong. */
  readonly problem: string;
  /** What to do. */
  readonly remedy: string;
}

export function formatFileError({ file, path, problem, remedy }: CatalogFileError): string {
  return `${path === "" ? file : `${file}: ${path}`} ${problem}; ${remedy}`;
}

/** Undefined when the value does not match the schema; `errors` then says why. */
export function checkAgainstSchema<T>(
  checker: Checker<T>,
  file: string,
  value: unknown,
  errors: CatalogFileError[],
): T | undefined {
  if (checker.is(value)) return value;
  for (const { path, problem } of checker.errors(value)) {
    errors.push({ file, path, problem, remedy: "correct it in the file" });
  }
  return undefined;
}
