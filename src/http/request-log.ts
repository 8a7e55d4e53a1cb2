/** The log of requests: what a callback learns, and the lines of JSON that `serve` writes. */
export interface RequestLogEntry {
  readonly requestId: string;
  readonly method: string;
  /** The path without the query, which may carry codes and states. */
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
}

/** A callback that gets exactly the fields of an entry (sync contract, structured logging). */
export type RequestLog = (entry: RequestLogEntry) => void;

/** The log of `serve`, whose lines say more than the callback may learn. */
export interface RequestLines {
  /** `errorCode` is the public code of an error; `instance` made the response, on a server with many. */
  request(entry: RequestLogEntry, errorCode: string | undefined, instance?: string): void;
}

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const MAX_PATH_LENGTH = 512;

export function boundMethod(method: string): string {
  return METHODS.has(method) ? method : "OTHER";
}

export function boundPath(path: string): string {
  return path.length > MAX_PATH_LENGTH ? `${path.slice(0, MAX_PATH_LENGTH)}…` : path;
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

const BUFFER_MS = 10;
/** Bounds what one write adds to a log that is not read, however many requests came in the moment. */
const MAX_BUFFERED = 128;

/** Writes one line for each request and event. Lines of requests wait a moment, so many are one write. */
export function createLineWriter(write: WriteLines, now: () => number = Date.now): LineWriter {
  let lines = "";
  let count = 0;
  let timer: NodeJS.Timeout | undefined;
  const formatTime = createTimeFormat();
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (count === 0) return;
    const [text, written] = [lines, count];
    lines = "";
    count = 0;
    write(text, written);
  };
  return {
    request: (entry, errorCode, instance) => {
      lines += formatRequest(formatTime(now()), entry, errorCode, instance);
      count++;
      if (count >= MAX_BUFFERED) flush();
      else timer ??= setTimeout(flush, BUFFER_MS);
    },
    event(event, fields = {}, level = "info") {
      flush();
      write(formatEvent({ event, level, fields }, now()), 1);
    },
    flush,
  };
}

/** The name comes first: programs wait for lines that begin with `{"event":"ready"`. */
export function formatEvent({ event, level, fields }: LogEvent, at: number): string {
  return `${JSON.stringify({ event, time: new Date(at).toISOString(), level, ...fields })}\n`;
}

/** Only the path can contain characters that JSON must escape. */
function formatRequest(
  time: string,
  { requestId, method, path, status, durationMs }: RequestLogEntry,
  errorCode: string | undefined,
  instance: string | undefined,
): string {
  // What a client did wrong is no concern of the operator: scanners cause it all day.
  const level: LogLevel = status >= 500 ? "error" : "info";
  const code = errorCode === undefined ? "" : `,"code":"${errorCode}"`;
  const name = instance === undefined ? "" : `,"instance":"${instance}"`;
  return `{"time":"${time}","level":"${level}"${name},"requestId":"${requestId}","method":"${method}","path":${JSON.stringify(path)},"status":${status},"durationMs":${durationMs}${code}}\n`;
}

/** Under load many lines have the same millisecond, and formatting it would cost more than the rest. */
function createTimeFormat(): (at: number) => string {
  let formattedAt = Number.NaN;
  let text = "";
  return (at) => {
    if (at !== formattedAt) {
      formattedAt = at;
      text = new Date(at).toISOString();
    }
    return text;
  };
}
