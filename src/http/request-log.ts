export interface RequestLogEntry {
  readonly requestId: string;
  readonly method: string;
  /** Without the query, which may carry codes and states. */
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
}

/** Gets exactly these fields (sync contract, structured logging). */
export type RequestLog = (entry: RequestLogEntry) => void;

/** The log of `serve`, whose lines say more than the callback may learn. */
export interface RequestLines {
  /**
   * `errorCode` is the public code of an error response, `instance` the name of the instance that made
   * the response, on a server with many.
   */
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
