export interface ConformanceCase<Server> {
  /** The requirement in a few words. Reports and `--only` name it, so it never changes. */
  readonly id: string;
  /** The requirement as a sentence. */
  readonly title: string;
  /** The part of a contract, or the decision, that requires it. */
  readonly section: string;
  /** Rejects with a `ConformanceError` or a `NotTestableError`. */
  run(server: Server): Promise<void>;
}

/** Lists cases that a file defines by their ids, in the same order. */
export function toCases<Server>(
  casesById: Readonly<Record<string, Omit<ConformanceCase<Server>, "id">>>,
): ConformanceCase<Server>[] {
  return Object.entries(casesById).map(([id, item]) => ({ id, ...item }));
}

/** One difference that a case found: the request, what the contract expects, and what came back. */
export interface CaseFailure {
  /** The request, such as `GET /health`. */
  readonly asked: string;
  /** What the contract asks for. */
  readonly expected: string;
  /** What the server sent. */
  readonly received: string;
}

/** The server does not meet the requirement, in one place or in several. */
export class ConformanceError extends Error {
  readonly failures: readonly CaseFailure[];

  constructor(...failures: readonly CaseFailure[]) {
    super(
      failures
        .map(({ asked, expected, received }) => `${asked}: expected ${expected}, got ${received}`)
        .join("\n"),
    );
    this.name = "ConformanceError";
    this.failures = failures;
  }
}

/** The given input does not suffice to test the requirement on this server. */
export class NotTestableError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "NotTestableError";
  }
}

/** The case is skipped, with this reason, unless the condition holds. */
export function skipUnless(condition: boolean, reason: string): asserts condition {
  if (!condition) throw new NotTestableError(reason);
}

/** How a case ended: passed, failed with its differences, or skipped because the input was not enough. */
export type CaseOutcome =
  | { readonly kind: "passed" }
  | { readonly kind: "failed"; readonly violations: readonly CaseFailure[] }
  | { readonly kind: "skipped"; readonly reason: string };

/** A case of the report: its requirement, the section of the contract, and how it ended. */
export interface CaseResult {
  /** The id, such as `pull-pages`; it never changes. */
  readonly id: string;
  /** What the server has to do. */
  readonly title: string;
  /** The part of the contract. */
  readonly section: string;
  /** Whether it passed, failed or was skipped, and why. */
  readonly outcome: CaseOutcome;
  /** How long the case took. */
  readonly durationMs: number;
}
