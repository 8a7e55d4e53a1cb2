import type { LineWriter } from "../../http/line-writer.ts";

/** A log whose lines name the instance that they are about. */
export function labelLog(log: LineWriter, instance: string): LineWriter {
  return {
    request: (entry, errorCode) => log.request(entry, errorCode, instance),
    event: (event, fields, level) => log.event(event, { instance, ...fields }, level),
    flush: log.flush,
  };
}
