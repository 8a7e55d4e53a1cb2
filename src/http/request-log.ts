/** The bounded log line of a request, and a writer that costs the request next to nothing. */

export interface RequestLogEntry {
  readonly requestId: string;
  readonly method: string;
  /** Without the query: queries carry codes and states. */
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
}

/** A failure of the callback changes nothing. */
export type RequestLog = (entry: RequestLogEntry) => void;

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const MAX_PATH_LENGTH = 512;

export function boundMethod(method: string): string {
  return METHODS.has(method) ? method : "OTHER";
}

export function boundPath(path: string): string {
  return path.length > MAX_PATH_LENGTH ? `${path.slice(0, MAX_PATH_LENGTH)}…` : path;
}

export interface LineWriter {
  readonly log: RequestLog;
  /** A line that is no request; `event` names what it is. */
  event(event: string, fields?: Readonly<Record<string, unknown>>): void;
  flush(): void;
}

/** Long enough to write many lines at once under load, too short for anybody to notice. */
const GATHER_MS = 10;

/** Lines are gathered for a moment and written together, in order; an event does not wait. */
export function createLineWriter(write: (text: string) => void): LineWriter {
  let pending = "";
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (pending === "") return;
    const text = pending;
    pending = "";
    write(text);
  };
  return {
    log: ({ requestId, method, path, status, durationMs }) => {
      timer ??= setTimeout(flush, GATHER_MS);
      // Everything but the path is of our own making and needs no escaping.
      pending += `{"requestId":"${requestId}","method":"${method}","path":${JSON.stringify(path)},"status":${status},"durationMs":${durationMs}}\n`;
    },
    event(event, fields = {}) {
      pending += `${JSON.stringify({ event, ...fields })}\n`;
      flush();
    },
    flush,
  };
}
