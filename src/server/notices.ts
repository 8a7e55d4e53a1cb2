/** How what a service notices is told in the log. Nothing secret can be in it. */
import type { ReleaseNotice } from "../release/service.ts";
import type { SyncNotice } from "../sync/service.ts";

export function describeNotice(
  service: string,
  notice: ReleaseNotice | SyncNotice,
): [event: string, fields: Readonly<Record<string, unknown>>] {
  switch (notice.kind) {
    case "catalog-loaded": {
      const { releases, sequence, durationMs, warnings } = notice;
      return [
        "catalog_loaded",
        { service, releases, sequence, durationMs, ...(warnings.length > 0 && { warnings }) },
      ];
    }
    case "catalog-refused":
      return [
        "catalog_refused",
        { service, message: "The last good catalogue stays in force", faults: notice.faults },
      ];
    case "prune-failed":
      return ["prune_failed", { service, ...describeError(notice.error) }];
    case "unexpected-error":
      return [
        "unexpected_error",
        { service, requestId: notice.requestId, ...describeError(notice.error) },
      ];
  }
}

/** The kind and the place of an error. Its message may quote what a person typed, so it stays out. */
function describeError(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof Error)) return { error: typeof error };
  return { error: error.name, at: framesOf(error).slice(0, 5) };
}

/** What follows the message in the stack: a line of the message itself could pass for a place. */
function framesOf({ message, stack = "" }: Error): string[] {
  const start = stack.indexOf(message);
  if (start < 0) return [];
  return stack
    .slice(start + message.length)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.startsWith("at "));
}
