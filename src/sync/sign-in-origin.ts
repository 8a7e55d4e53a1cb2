import { KNOWN_BROWSER_HEADER } from "../contract/identity.ts";
import type { RequestContext } from "../http/request.ts";
import type { SignInOrigin } from "./authentication.ts";

/** Where a sign-in comes from, with the value that the browser keeps in the storage of its page. */
export function signInOrigin(
  context: Pick<RequestContext, "header" | "clientAddress">,
): SignInOrigin {
  return {
    address: context.clientAddress(),
    knownBrowser: context.header(KNOWN_BROWSER_HEADER.toLowerCase()),
  };
}
