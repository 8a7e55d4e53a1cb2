import type { HttpLimits } from "./http.ts";
import type { RunOptions } from "./run-cases.ts";

export interface CheckOptions extends RunOptions {
  /** The ids of the cases to run; all when absent. */
  readonly only?: readonly string[];
  readonly limits?: HttpLimits;
}
