/** What happened to every request of a soak run, and what must not have happened. */

export interface Tally {
  /** Counts one result, such as `honest device: 503 storage_unavailable`. */
  count(actor: string, result: string): void;
  /** Notes something that no client and no fault explains. */
  report(problem: string): void;
  readonly results: ReadonlyMap<string, number>;
  readonly problems: readonly string[];
}

const MAX_PROBLEMS = 100;

export function createTally(): Tally {
  const results = new Map<string, number>();
  const problems: string[] = [];
  return {
    results,
    problems,
    count(actor, result) {
      const key = `${actor}: ${result}`;
      results.set(key, (results.get(key) ?? 0) + 1);
    },
    report(problem) {
      if (problems.length < MAX_PROBLEMS) problems.push(problem);
    },
  };
}

/** The status of a response with the public error code, without reading a good body. */
export async function describeResponse(response: Response): Promise<string> {
  if (response.status < 400) return String(response.status);
  const body = await response.text();
  const code = /"(?:error|code)":\s*"([a-z_]+)"/.exec(body)?.[1];
  return code === undefined ? String(response.status) : `${response.status} ${code}`;
}

/** The system's code of a connection that failed, or the name of the error. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const cause = error.cause instanceof Error ? error.cause : error;
  return "code" in cause ? String(cause.code) : cause.name;
}
