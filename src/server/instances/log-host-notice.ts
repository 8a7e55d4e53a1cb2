/** Notices of a server with many instances as log lines, without secrets. */
import type { LineWriter } from "../../http/line-writer.ts";
import {
  describeError,
  describeNotice,
  describeSecurityEvent,
  describeSessionsRevoked,
  describeUpgradeCopy,
} from "../notices.ts";
import { isExplained } from "./explained-errors.ts";
import type { HostNotice } from "./host-notice.ts";

/** `log` is that of the instance. */
export function logHostNotice(log: LineWriter, notice: HostNotice): void {
  switch (notice.kind) {
    case "put-back":
      if (notice.wasPutBack) {
        log.event(...describeSecurityEvent("sync", { kind: "store-restored", network: null }));
      }
      if (notice.sessionsWereRevoked) log.event(...describeSessionsRevoked("sync"));
      return;
    case "upgrade-copied":
      log.event(...describeUpgradeCopy("sync", notice.file));
      return;
    case "instance-failed":
      log.event("instance_failed", { service: "sync", ...explain(notice.error) }, "error");
      return;
    case "close-failed":
      log.event("instance_close_failed", { service: "sync", ...explain(notice.error) }, "error");
      return;
    case "maintenance-failed":
      log.event("maintenance_failed", { service: "sync", ...explain(notice.error) }, "error");
      return;
    case "all-in-use": {
      const message = `All ${notice.maxOpen} open instances are in use, so another one cannot be opened: raise sync.maxOpen, or run more servers`;
      log.event("instances_in_use", { service: "sync", message }, "warn");
      return;
    }
    default:
      log.event(...describeNotice("sync", notice));
  }
}

function explain(error: unknown): Readonly<Record<string, unknown>> {
  return isExplained(error) ? { error: error.name, message: error.message } : describeError(error);
}
