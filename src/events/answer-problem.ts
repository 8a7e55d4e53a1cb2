/** The one place where a failure becomes an answer of the events contract. */
import { EVENTS_ERRORS, type EventsErrorCode } from "../contract/events/errors.ts";
import { jsonAnswer, type Answer } from "../http/answer.ts";
import type { HttpProblem } from "../http/http-problem.ts";
import type { FormFault } from "../rules/events/wire/form-request.ts";
import type { ProblemView } from "./pages.ts";

export interface ErrorDetails {
  readonly status?: number;
  readonly description?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** RFC 6749 5.2 */
export function answerError(code: EventsErrorCode, details: ErrorDetails = {}): Answer {
  const { status, description } = EVENTS_ERRORS[code];
  return jsonAnswer(
    details.status ?? status,
    JSON.stringify({ error: code, error_description: details.description ?? description }),
    details.headers,
  );
}

export function answerFormFault({ error, status, description, challenge }: FormFault): Answer {
  const headers = challenge === null ? {} : { "WWW-Authenticate": challenge };
  return answerError(error, { status, description, headers });
}

export function answerProblem(problem: HttpProblem): Answer {
  const { code, page: _page, ...details } = explainProblem(problem);
  return answerError(code, details);
}

/** What a failure is to a program and to a person. */
export interface ExplainedProblem extends Required<Pick<ErrorDetails, "status" | "headers">> {
  readonly code: EventsErrorCode;
  readonly page: ProblemView["code"];
}

export function explainProblem(problem: HttpProblem): ExplainedProblem {
  switch (problem.kind) {
    case "target-too-long":
      return explain("invalid_request", "malformed-request", 414);
    case "unknown-path":
      return explain("not_found", "not-found");
    case "method-not-allowed":
      return explain("method_not_allowed", "method-not-allowed", 405, {
        Allow: problem.allow.join(", "),
      });
    case "unsupported-media-type":
      return explain("invalid_request", "malformed-request", 415);
    case "too-large":
      return explain("invalid_request", "malformed-request", 413);
    case "malformed-request":
      return explain("invalid_request", "malformed-request", problem.status);
    case "malformed-target":
    case "invalid-parameter":
    case "invalid-body":
    case "invalid-json":
    case "incomplete":
      return explain("invalid_request", "malformed-request");
    case "rate-limited":
      return explain("temporarily_unavailable", "too-many-requests", 429, retryAfter(problem));
    case "unavailable":
      return explain("temporarily_unavailable", "unavailable", 503, retryAfter(problem));
    // No route of this service asks the kit for these two.
    case "origin-denied":
    case "unauthenticated":
    case "unexpected":
      return explain("server_error", "unexpected");
  }
}

function explain(
  code: EventsErrorCode,
  page: ProblemView["code"],
  status: number = EVENTS_ERRORS[code].status,
  headers: Readonly<Record<string, string>> = {},
): ExplainedProblem {
  return { code, page, status, headers };
}

function retryAfter({ retryAfterSeconds }: { readonly retryAfterSeconds: number }) {
  return { "Retry-After": String(retryAfterSeconds) };
}

const STORAGE_RETRY_SECONDS = 5;

export const STORAGE_PROBLEM: HttpProblem = {
  kind: "unavailable",
  retryAfterSeconds: STORAGE_RETRY_SECONDS,
};
