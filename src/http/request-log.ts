/** The log of requests: what a callback learns, and the lines of JSON that `serve` writes. */
import { performance } from "node:perf_hooks";

/** The line that a service logs for a request. It has no query, header, token or address. */
export interface RequestLogEntry {
  /** The id of the response, which a person can quote. */
  readonly requestId: string;
  /** The method, or `OTHER` for an unusual one. */
  readonly method: string;
  /** The path without the query, which may carry codes and states. */
  readonly path: string;
  /** The status code of the response. */
  readonly status: number;
  /** From the request to the end of its response. */
  readonly durationMs: number;
}

/** A path as logs have it, made once for all requests with the same target. */
export interface LoggedPath {
  /** The path, cut where it is longer than a log needs. */
  readonly text: string;
  readonly json: string;
}

/** A callback that gets exactly the fields of an entry (sync contract, structured logging). */
export type RequestLog = (entry: RequestLogEntry) => void;

/** The log of `serve`, whose lines say more than the callback may learn. */
export interface RequestLines {
  /** `errorCode` is the public code of an error; `instance` made the response, on a server with many. */
  request(line: RequestLine, errorCode: string | undefined, instance?: string): void;
}

export interface RequestLine extends Omit<RequestLogEntry, "path"> {
  readonly path: LoggedPath;
  /** When the response was made, by the clock of `performance`. */
  readonly endedAt: number;
}

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const MAX_PATH_LENGTH = 512;

export function boundMethod(method: string): string {
  return METHODS.has(method) ? method : "OTHER";
}

/** What no request has (a fragment, credentials in another scheme) may be a secret that got there by mistake. */
function withoutSecrets(path: string): string {
  return path.replace(/#.*/s, "").replace(/^([a-z][a-z\d+.-]*:\/\/)[^/]*@/i, "$1");
}

export function toLoggedPath(target: string): LoggedPath {
  const path = withoutSecrets(target);
  const text = path.length > MAX_PATH_LENGTH ? `${path.slice(0, MAX_PATH_LENGTH)}…` : path;
  return { text, json: JSON.stringify(text) };
}

/** `warn` is for events that an operator should look at, `error` for requests and events that failed. */
export type LogLevel = "info" | "warn" | "error";

export interface LogEvent {
  readonly event: string;
  readonly level: LogLevel;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface LineWriter extends RequestLines {
  /** Writes a line that is not about a request. */
  event(event: string, fields?: LogEvent["fields"], level?: LogLevel): void;
  flush(): void;
}

/** Writes whole lines, `count` of them. */
export type WriteLines = (text: string, count: number) => void;

/** Bounds what one write adds to a log that is not read, however many requests came in the moment. */
const MAX_BUFFERED = 128;

/** The clocks of the process: the time of day, and the one that measures requests. */
interface Clocks {
  now(): number;
  elapsed(): number;
}

const CLOCKS: Clocks = { now: Date.now, elapsed: () => performance.now() };

/**
 * Writes one line for each request and event. Lines of requests wait until the event loop has handled
 * everything that arrived with them, so that under load many are one write. Each has the time of its own
 * request, but the time of day is read once for all: for each it would take 2 % of a release route.
 */
export function createLineWriter(write: WriteLines, clocks = CLOCKS): LineWriter {
  const { now, elapsed } = clocks;
  let lines = "";
  let count = 0;
  /** The time of day at which the clock of the requests was at zero. */
  let zero = 0;
  let pending: NodeJS.Immediate | undefined;
  const startLine = createLineStart();
  const flush = () => {
    clearImmediate(pending);
    pending = undefined;
    if (count === 0) return;
    const [text, written] = [lines, count];
    lines = "";
    count = 0;
    write(text, written);
  };
  return {
    request: (line, errorCode, instance) => {
      if (count === 0) zero = now() - elapsed();
      const start = startLine(Math.round(zero + line.endedAt));
      lines += formatRequest(start, line, errorCode, instance);
      count++;
      if (count >= MAX_BUFFERED) flush();
      else pending ??= setImmediate(flush);
    },
    event(event, fields = {}, level = "info") {
      flush();
      write(formatEvent({ event, level, fields }, now()), 1);
    },
    flush,
  };
}

/** RFC 4918 11.5: the client cannot go on, and the server does what its operator wants. */
const QUOTA_USED_UP = 507;

/** Whether the status says that the server failed, which is what an operator is called for. */
export function isFailure(status: number): boolean {
  return status >= 500 && status !== QUOTA_USED_UP;
}

/** The name comes first: programs wait for lines that begin with `{"event":"ready"`. */
export function formatEvent({ event, level, fields }: LogEvent, at: number): string {
  return `${JSON.stringify({ event, time: new Date(at).toISOString(), level, ...fields })}\n`;
}

/** Only the path can contain characters that JSON must escape. */
function formatRequest(
  start: string,
  { requestId, method, path, status, durationMs }: RequestLine,
  errorCode: string | undefined,
  instance: string | undefined,
): string {
  // What a client did wrong is no concern of the operator: scanners cause it all day.
  const level = isFailure(status) ? "error" : status === QUOTA_USED_UP ? "warn" : "info";
  const name = instance === undefined ? "" : `,"instance":"${instance}"`;
  const end = errorCode === undefined ? "}\n" : `,"code":"${errorCode}"}\n`;
  return `${start},"level":"${level}"${name},"requestId":"${requestId}","method":"${method}","path":${path.json},"status":${status},"durationMs":${durationMs}${end}`;
}

/** Under load many lines have the same millisecond, and formatting it would cost more than the rest. */
function createLineStart(): (at: number) => string {
  let startedAt = Number.NaN;
  let start = "";
  return (at) => {
    if (at !== startedAt) {
      startedAt = at;
      start = `{"time":"${new Date(at).toISOString()}"`;
    }
    return start;
  };
}
