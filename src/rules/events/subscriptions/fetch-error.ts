/** Why a feed was not fetched: codes, each with a sentence in English. */

export const FETCH_ERRORS = {
  "url-invalid": "This is not an address of a calendar: it must begin with https:// or webcal://",
  "url-credentials":
    "The address contains a username or a password: use the secret address that the calendar offers for subscribing",
  "url-port": "The address names a port that belongs to another kind of service",
  "host-not-found": "There is no server with that name: check the address",
  "name-lookup-failed": "The name of the server could not be looked up just now",
  "address-refused":
    "The server is in a private or local network, and this service fetches only from public ones",
  unreachable: "The server does not accept connections",
  "tls-failed": "The server has no valid certificate for its name",
  "timed-out": "The server took too long to respond",
  "broken-off": "The connection broke off before the end of the response",
  "bad-answer": "The response of the server is not HTTP",
  "bad-compression": "The response is compressed in a way that cannot be read",
  "too-large": "It is too large",
  "too-many-redirects": "The address redirects too often",
  "redirect-refused": "The address redirects to one that is not https or is invalid",
  "access-denied": "The server asks for a sign-in: use an address that needs none",
  "not-found": "The server has no calendar at this address: it may have been moved or withdrawn",
  "too-many-requests": "The server asks to wait before the next request",
  "server-failed": "The server reports an internal error",
  "unexpected-status": "The server responded with an unexpected status",
  stopped: "The fetch was stopped because the service is shutting down",
  "address-lost":
    "The stored address cannot be opened: the instance key is another one; subscribe again",
  "import-failed": "The calendar was read, but its events could not be stored",
} as const satisfies Readonly<Record<string, string>>;

export type FetchErrorCode = keyof typeof FETCH_ERRORS;

export type AccountFetchErrorCode = Exclude<FetchErrorCode, "address-refused">;

/** A refused address looks like an unknown name, or previews would reveal names of the private network. */
export function toAccountError(code: string): string {
  return code === ("address-refused" satisfies FetchErrorCode)
    ? ("host-not-found" satisfies FetchErrorCode)
    : code;
}

export function isFetchErrorCode(code: string): code is FetchErrorCode {
  return Object.hasOwn(FETCH_ERRORS, code);
}
