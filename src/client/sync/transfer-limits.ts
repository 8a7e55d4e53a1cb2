/** How much goes into one request: what the server allows, or less where the way to it does not. */
import { utf8Length } from "../../rules/sync/operation-bounds.ts";
import type { RequestFailure } from "./request.ts";

/** The limits are lowered by experience, until the client ends or meets another network. */
export interface TransferLimits {
  pushOperations: number;
  /** The bytes of a whole request body. */
  pushBytes: number;
  pullOperations: number;
}

/** Halves what was too much. Returns whether to send less at once; after a time limit, later. */
export function lowerPushLimits(
  limits: TransferLimits,
  { error, status, code }: RequestFailure,
  operations: number,
  body: string,
): boolean {
  if (status === 413 || error.kind === "timeout") {
    limits.pushBytes = Math.floor(utf8Length(body) / 2);
    return status === 413;
  }
  // The server refuses a batch of too many operations with this code.
  if (code !== "invalid_request") return false;
  limits.pushOperations = Math.floor(operations / 2);
  return true;
}

/** A page that did not arrive in time may be too large for the connection. */
export function lowerPullLimit(limits: TransferLimits, { error }: RequestFailure): void {
  if (error.kind === "timeout") {
    limits.pullOperations = Math.max(1, Math.floor(limits.pullOperations / 2));
  }
}
