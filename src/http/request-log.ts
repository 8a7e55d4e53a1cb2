export interface RequestLogEntry {
  readonly requestId: string;
  readonly method: string;
  /** Without the query, which may carry codes and states. */
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
}

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
  /** Writes a line that is not about a request. */
  event(event: string, fields?: Readonly<Record<string, unknown>>): void;
  flush(): void;
}

const BUFFER_MS = 10;

/** Buffers the lines of requests for a moment, so that many are one write under load. */
export function createLineWriter(write: (text: string) => void): LineWriter {
  let buffered: RequestLogEntry[] = [];
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (buffered.length === 0) return;
    const entries = buffered;
    buffered = [];
    write(entries.map(formatEntry).join(""));
  };
  return {
    log: (entry) => {
      buffered.push(entry);
      timer ??= setTimeout(flush, BUFFER_MS);
    },
    event(event, fields = {}) {
      flush();
      write(`${JSON.stringify({ event, ...fields })}\n`);
    },
    flush,
  };
}

/** Only the path can contain characters that JSON must escape. */
function formatEntry({ requestId, method, path, status, durationMs }: RequestLogEntry): string {
  return `{"requestId":"${requestId}","method":"${method}","path":${JSON.stringify(path)},"status":${status},"durationMs":${durationMs}}\n`;
}
