/** Where the browser goes when a person has decided, or when an app's request was wrong. */
import type { AuthorizationErrorCode } from "../../../contract/events/errors.ts";
import { appendToRedirect } from "../../identity/redirect.ts";

interface Destination {
  /** Stays as it is, its query included. */
  readonly redirectUri: string;
  /** As it was decoded; the app decodes the very same. */
  readonly state: string | null;
  /** RFC 9207: which server answers, so that no app takes the answer of another. */
  readonly issuer: string;
}

/** RFC 6749 4.1.2 */
export function codeAddress(destination: Destination & { readonly code: string }): string {
  return addressOf(destination, { code: destination.code });
}

/** RFC 6749 4.1.2.1 */
export function errorAddress(
  destination: Destination & {
    readonly error: AuthorizationErrorCode;
    readonly description: string;
  },
): string {
  const { error, description } = destination;
  return addressOf(destination, { error, error_description: description });
}

function addressOf(
  { redirectUri, state, issuer }: Destination,
  result: Readonly<Record<string, string>>,
): string {
  const values = { ...result, ...(state !== null && { state }), iss: issuer };
  return appendToRedirect(redirectUri, values, "query");
}
