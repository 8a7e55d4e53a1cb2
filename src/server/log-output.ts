/**
 * Where `serve` writes its log. A log that cannot be written (a closed pipe, a full disk, a reader that
 * stalls) neither stops the service nor grows in memory: its lines are dropped and counted.
 */
import { formatEvent, type WriteLines } from "../http/request-log.ts";

/** A stream of Node is one. */
export interface LogStream {
  readonly writableLength: number;
  write(text: string, onWritten: (error?: Error | null) => void): unknown;
}

export interface LogOutput {
  readonly write: WriteLines;
  /** Resolves when everything is written, or when the reader had its time. */
  finish(): Promise<void>;
}

/** The lines that may wait for a slow reader: some seconds of a busy service. */
const MAX_PENDING_BYTES = 1024 * 1024;
/** How soon a failed log is tried again. */
const RETRY_MS = 1000;
const FINISH_MS = 1000;

/** The caller listens to the stream's `error` event, which would end the process otherwise. */
export function createLogOutput(stream: LogStream, now: () => number = Date.now): LogOutput {
  let dropped = 0;
  /** A write that failed may have left a part of a line. */
  let hasFailed = false;
  let retry: NodeJS.Timeout | undefined;
  let pending = 0;
  let onWritten = () => {};

  const drop = (count: number) => {
    dropped += count;
    retry ??= setTimeout(resume, RETRY_MS).unref();
  };
  const send = (text: string, count: number) => {
    pending++;
    stream.write(text, (error) => {
      pending--;
      if (error) {
        hasFailed = true;
        drop(count);
      }
      onWritten();
    });
  };
  const isFull = () => stream.writableLength > MAX_PENDING_BYTES;

  /** The first line after a gap says how long it is. */
  const resume = () => {
    clearTimeout(retry);
    retry = undefined;
    const count = dropped;
    if (count === 0) return;
    dropped = 0;
    if (isFull()) return drop(count);
    const lineEnd = hasFailed ? "\n" : "";
    hasFailed = false;
    send(lineEnd + describeGap(count, now()), count);
  };

  return {
    write(text, count) {
      // While lines are dropped, only the retry writes: no line may come before the gap is reported.
      if (dropped > 0 || isFull()) drop(count);
      else send(text, count);
    },
    async finish() {
      resume();
      if (pending === 0) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, FINISH_MS);
        onWritten = () => {
          if (pending > 0) return;
          clearTimeout(timer);
          resolve();
        };
      });
    },
  };
}

function describeGap(count: number, at: number): string {
  return formatEvent(
    {
      event: "log_lines_dropped",
      level: "warn",
      fields: {
        message: "The log could not be written, or was not read: lines are missing here",
        count,
      },
    },
    at,
  );
}
