/** The log of `serve`: one line of JSON per request and per event. */
import type { RequestLines, RequestLogEntry } from "./request-log.ts";

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

/** Buffers the lines of requests for a moment, so that many are one write under load. */
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
