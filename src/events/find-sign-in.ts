/** Where somebody signs in who is not, or not any more. */
import { EVENTS_PAGE_ROUTES } from "../contract/events/page-routes.ts";
import type { RequestContext } from "../http/request-context.ts";
import { signInAddress } from "./addresses.ts";
import type { EventsDependencies } from "./parts.ts";

/** For the app that waits, when the form is about one: its request is not over with the session. */
export async function findSignIn(
  { store, cookies, interactions }: Pick<EventsDependencies, "store" | "cookies" | "interactions">,
  context: Pick<RequestContext, "header">,
  interaction: string,
): Promise<string> {
  const browser = cookies.read(context, "browser") ?? "";
  const request = await interactions.find(store.reads, browser, interaction);
  return request === null ? EVENTS_PAGE_ROUTES.getSignInPage.path : signInAddress(interaction);
}
