/** The name of a browser: what a sign-in or a consent that is begun in it is bound to. */
import type { RequestContext } from "../http/request-context.ts";
import { encodeBase64Url } from "../rules/base64url.ts";
import type { EventsDependencies } from "./parts.ts";

const NAME_BYTES = 32;

/** The one it has, so that two tabs do not disturb each other, or a new one with its cookie. */
export function nameBrowser(
  { cookies, randomBytes }: Pick<EventsDependencies, "cookies" | "randomBytes">,
  context: Pick<RequestContext, "method" | "header">,
): { readonly browser: string; readonly headers: Readonly<Record<string, string>> } {
  const known = cookies.read(context, "browser");
  if (known !== null) return { browser: known, headers: {} };
  const browser = encodeBase64Url(randomBytes(NAME_BYTES));
  return { browser, headers: context.method === "HEAD" ? {} : cookies.set("browser", browser) };
}
