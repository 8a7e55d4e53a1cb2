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

/**
 * Entries are gathered for a moment, then made into text and written together, in order: a request
 * pays for keeping its entry, not for writing it. An event does not wait.
 */
export function createLineWriter(write: (text: string) => void): LineWriter {
  let gathered: RequestLogEntry[] = [];
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (gathered.length === 0) return;
    const entries = gathered;
    gathered = [];
    write(entries.map(formatEntry).join(""));
  };
  return {
    log: (entry) => {
      gathered.push(entry);
      timer ??= setTimeout(flush, GATHER_MS);
    },
    event(event, fields = {}) {
      flush();
      write(`${JSON.stringify({ event, ...fields })}\n`);
    },
    flush,
  };
}

/** Everything but the path is of our own making and needs no escaping. */
function formatEntry({ requestId, method, path, status, durationMs }: RequestLogEntry): string {
  return `{"requestId":"${requestId}","method":"${method}","path":${JSON.stringify(path)},"status":${status},"durationMs":${durationMs}}\n`;
}
