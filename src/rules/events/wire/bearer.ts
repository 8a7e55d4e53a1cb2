/** Bearer tokens (RFC 6750). */
import { EVENTS_ERRORS } from "../../../contract/events/errors.ts";
import { REALM, SCOPE } from "../../../contract/events/values.ts";

export type Bearer =
  | { readonly kind: "none" }
  | { readonly kind: "malformed" }
  | { readonly kind: "token"; readonly token: string };

const TOKEN = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;
/** RFC 9110 11.4: a scheme and something after it. */
const OTHER_SCHEME = /^(?!bearer )[!#$%&'*+.^_`|~0-9a-z-]+ +\S/i;

/** RFC 6750 3.1: a request with another scheme has no credentials. */
export function readBearer(authorization: string | null): Bearer {
  const field = authorization?.trim() ?? "";
  if (field === "" || OTHER_SCHEME.test(field)) return { kind: "none" };
  const token = TOKEN.exec(field)?.[1];
  return token === undefined ? { kind: "malformed" } : { kind: "token", token };
}

export type BearerError = "invalid_request" | "invalid_token" | "insufficient_scope";

/** The value of `WWW-Authenticate` (RFC 6750 3). A request without credentials gets no error. */
export function bearerChallenge(error: BearerError | null): string {
  const scheme = `Bearer realm="${REALM}"`;
  if (error === null) return scheme;
  const scope = error === "insufficient_scope" ? `, scope="${SCOPE}"` : "";
  const { description } = EVENTS_ERRORS[error];
  return `${scheme}, error="${error}"${scope}, error_description="${description}"`;
}
