/** Sends one https request, whose address is checked when it is connected to. */
import type { IncomingMessage } from "node:http";
import { request, type RequestOptions } from "node:https";
import { isIP } from "node:net";
import type { FetchErrorCode } from "../../rules/events/subscriptions/fetch-error.ts";
import {
  createAddressGuard,
  createGuardedLookup,
  RefusedAddressError,
  resolveWithSystem,
  type AddressGuard,
  type ResolveHost,
} from "./address-guard.ts";

export interface HttpsConnectorOptions {
  /** Defaults to public addresses only. */
  readonly guard?: AddressGuard;
  readonly resolve?: ResolveHost;
  /** Replaces the default certificate authorities. */
  readonly ca?: string;
}

export interface HttpsRequest {
  readonly method: "GET" | "HEAD";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Resolves with the response's head; its body is not read yet. */
export function createHttpsConnector({
  guard = createAddressGuard(),
  resolve = resolveWithSystem,
  ca,
}: HttpsConnectorOptions): (request: HttpsRequest) => Promise<IncomingMessage> {
  const lookup = createGuardedLookup(guard, resolve);
  return ({ method, url, headers, signal }) =>
    new Promise<IncomingMessage>((onResponse, onError) => {
      const host = url.hostname.replace(/^\[|\]$/g, "");
      // IP addresses are not looked up, so the guarded lookup would not see them.
      if (isIP(host) !== 0 && !guard(host, host)) throw new RefusedAddressError();
      // Without an agent no connection is reused by another fetch.
      const options: RequestOptions = { method, lookup, headers, signal, agent: false };
      const sent = request(url, ca === undefined ? options : { ...options, ca });
      sent.on("socket", (socket) => {
        // The address is checked once more before the first byte is sent.
        socket.once("connect", () => {
          if (!guard(host, socket.remoteAddress ?? "")) sent.destroy(new RefusedAddressError());
        });
      });
      sent.on("error", onError);
      sent.on("response", onResponse);
      // A connection that ends otherwise, as with the status 101, is no error to Node.
      sent.on("close", () => onError(new BrokenOffError()));
      sent.end();
    });
}

class BrokenOffError extends Error {
  readonly code = "ECONNRESET";
}

/** Fetch error codes by pattern; the first pattern that matches the error's code counts. */
const ERROR_CODES: readonly (readonly [RegExp, FetchErrorCode])[] = [
  [/^(?:ENOTFOUND|EAI_NODATA|EAI_NONAME)$/, "host-not-found"],
  [/^EAI_/, "name-lookup-failed"],
  [/^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|EADDRNOTAVAIL|EACCES)$/, "unreachable"],
  [/^ETIMEDOUT$/, "timed-out"],
  [/^(?:ECONNRESET|EPIPE|ERR_STREAM_PREMATURE_CLOSE|HPE_INVALID_EOF_STATE)$/, "broken-off"],
  [/^(?:HPE_|ERR_HTTP_)/, "bad-answer"],
  // Certificate errors of OpenSSL and of Node.
  [/^(?:ERR_TLS_|ERR_SSL_|EPROTO|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/, "tls-failed"],
  [/^(?:INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH)$/, "tls-failed"],
];

/** Throws an unknown error, which is a bug. */
export function toFetchErrorCode(error: unknown): FetchErrorCode {
  if (error instanceof RefusedAddressError) return "address-refused";
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const found = ERROR_CODES.find(([pattern]) => pattern.test(code))?.[1];
  if (found === undefined) throw error;
  return found;
}
