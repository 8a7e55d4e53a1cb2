/** The log of a server with many instances, without secrets. */
import type { LineWriter } from "../../http/request-log.ts";
import { describeError, logNotice } from "../notices.ts";
import { isExplained } from "../explained-errors.ts";
import type { HostNotice } from "./host-notice.ts";
import { nameInstance } from "./name-instance.ts";

/** A log whose lines name the instance that they are about, and so do the commands in them. */
export function labelLog(log: LineWriter, instance: string): LineWriter {
  return {
    request: (line, errorCode) => log.request(line, errorCode, instance),
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

/** `log` is the log of the instance. */
export function logHostNotice(log: LineWriter, notice: HostNotice): void {
  switch (notice.kind) {
    case "instance-failed":
      return log.event("instance_failed", describeFailure(notice.error), "error");
    case "close-failed":
      return log.event("instance_close_failed", describeFailure(notice.error), "error");
    case "maintenance-failed":
      return log.event("maintenance_failed", describeFailure(notice.error), "error");
    case "all-in-use": {
      const message = `All ${notice.maxOpen} open instances are in use, so another one cannot be opened: raise sync.maxOpen, or run more servers`;
      return log.event("instances_in_use", { service: "sync", message }, "warn");
    }
    default:
      return logNotice(log, "sync", notice);
  }
}

function describeFailure(error: unknown): Readonly<Record<string, unknown>> {
  return {
    service: "sync",
    ...(isExplained(error) ? { error: error.name, message: error.message } : describeError(error)),
  };
}
