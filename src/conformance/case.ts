/** What a conformance case is: one requirement, seen only over HTTP. Every service's cases share it. */

export interface ConformanceCase<Target> {
  /** The requirement in a few words, equal to the name of the case's file. */
  readonly id: string;
  /** The requirement as a sentence. */
  readonly title: string;
  /** The part of a contract, or the decision, that requires it. */
  readonly section: string;
  /** Returns when the requirement holds; throws a `ViolationError` or a `NotTestable` otherwise. */
  run(target: Target): Promise<void>;
}

export interface Violation {
  /** What was asked, such as `GET /health`. */
  readonly asked: string;
  readonly expected: string;
  readonly received: string;
}

/** The server broke the requirement, in one place or in several. */
export class ViolationError extends Error {
  readonly violations: readonly Violation[];

  constructor(violations: readonly Violation[]) {
    super(
      violations
        .map(({ asked, expected, received }) => `${asked}: expected ${expected}, got ${received}`)
        .join("\n"),
    );
    this.name = "ViolationError";
    this.violations = violations;
  }
}

/** The requirement cannot be put to the test with what is known about this server. */
export class NotTestable extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "NotTestable";
  }
}

export type CaseOutcome =
  | { readonly kind: "passed" }
  | { readonly kind: "failed"; readonly violations: readonly Violation[] }
  | { readonly kind: "skipped"; readonly reason: string };

export interface CaseResult {
  readonly id: string;
  readonly title: string;
  readonly section: string;
  readonly outcome: CaseOutcome;
  readonly durationMs: number;
}
