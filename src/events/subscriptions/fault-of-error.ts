/** What an error of the network means to somebody who subscribed to a calendar. */
import type { FetchErrorCode } from "../../rules/events/subscriptions/fetch-fault.ts";
import { RefusedAddressError } from "./address-guard.ts";

/** The first pattern that fits the error's code. */
const FAULTS: readonly (readonly [RegExp, FetchErrorCode])[] = [
  [/^(?:ENOTFOUND|EAI_NODATA|EAI_NONAME)$/, "host-not-found"],
  [/^EAI_/, "name-lookup-failed"],
  [/^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|EADDRNOTAVAIL|EACCES)$/, "unreachable"],
  [/^ETIMEDOUT$/, "timed-out"],
  [/^(?:ECONNRESET|EPIPE|ERR_STREAM_PREMATURE_CLOSE|HPE_INVALID_EOF_STATE)$/, "broken-off"],
  [/^(?:HPE_|ERR_HTTP_)/, "bad-answer"],
  // OpenSSL's names of what is wrong with a certificate, and Node's own.
  [/^(?:ERR_TLS_|ERR_SSL_|EPROTO|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/, "tls-failed"],
  [/^(?:INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH)$/, "tls-failed"],
];

/** Throws what it does not know: that is a fault of ours. */
export function toFetchErrorCode(error: unknown): FetchErrorCode {
  if (error instanceof RefusedAddressError) return "address-refused";
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const fault = FAULTS.find(([pattern]) => pattern.test(code))?.[1];
  if (fault === undefined) throw error;
  return fault;
}
