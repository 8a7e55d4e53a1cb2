import type { LineWriter } from "../../http/line-writer.ts";
import { nameInstance } from "./name-instance.ts";

/** A log whose lines name the instance that they are about, and so do the commands in them. */
export function labelLog(log: LineWriter, instance: string): LineWriter {
  return {
    request: (entry, errorCode) => log.request(entry, errorCode, instance),
    event(event, fields = {}, level) {
      const { message } = fields;
      const named =
        typeof message === "string"
          ? { ...fields, message: nameInstance(message, instance) }
          : fields;
      log.event(event, { instance, ...named }, level);
    },
    flush: log.flush,
  };
}
