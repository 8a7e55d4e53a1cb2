/** The log of a server with many instances, without secrets. */
import type { LineWriter } from "../http/request-log.ts";
import { describeError } from "../operate/describe-error.ts";
import { logNotice } from "../operate/notices.ts";
import { isExplained } from "./explained-errors.ts";
import type { HostNotice } from "./host-notice.ts";
import type { RefusedReason } from "../operate/metrics/refused-reasons.ts";
import { nameInstance } from "../configuration/name-instance.ts";

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
    case "request-refused": {
      const message = explainRefused(notice.reason, notice.maxOpen);
      const event = notice.reason === "in-use" ? "instances_in_use" : "requests_refused";
      return log.event(event, { service: "sync", reason: notice.reason, message }, "warn");
    }
    default:
      return logNotice(log, "sync", notice);
  }
}

function explainRefused(reason: RefusedReason, maxOpen: number): string {
  switch (reason) {
    case "in-use":
      return `All ${maxOpen} open instances are in use, so another one cannot be opened: raise sync.maxOpen, or run more servers`;
    case "places":
      return `Devices use all ${maxOpen} open instances, so none is opened for a request without a token: raise sync.maxOpen, or run more servers`;
    case "network":
      return "A network requests too many closed instances without a token: its requests get 429";
    case "process":
      return "Requests without a token ask for more closed instances than this process opens for them: they get 429";
    case "turns":
      return "Too many requests wait for this instance: further ones get 429";
  }
}

function describeFailure(error: unknown): Readonly<Record<string, unknown>> {
  return {
    service: "sync",
    ...(isExplained(error) ? { error: error.name, message: error.message } : describeError(error)),
  };
}
