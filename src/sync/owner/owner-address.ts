/** The address of the owner's page, with its tab and the language that was chosen on it. */
import { LANGUAGES, type Language } from "../../contract/language.ts";
import { OWNER_ROUTES } from "../../contract/sync/owner-routes.ts";
import { OWNER_TABS, type OwnerTab } from "../../contract/sync/owner-values.ts";
import type { RequestContext } from "../../http/request.ts";
import type { HttpError } from "../../http/http-error.ts";
import { createInputReader } from "../../http/read-input.ts";
import { redirectResponse, type HttpResponse } from "../../http/response.ts";
import type { OwnerFrame } from "../pages.ts";

const { path } = OWNER_ROUTES.getOwnerPage;
const readQuery = createInputReader(OWNER_ROUTES.exportEntities);

function readChosenLanguage({ search }: Pick<RequestContext, "search">): Language | null {
  const given = new URLSearchParams(search).get("lang");
  return LANGUAGES.find((language) => language === given) ?? null;
}

function readOwnerTab({ search }: Pick<RequestContext, "search">): OwnerTab {
  const given = new URLSearchParams(search).get("tab");
  return OWNER_TABS.find((tab) => tab === given) ?? "devices";
}

/** The check of the other routes, for the page itself, which reads its query as it came. */
export function findQueryError({ search }: Pick<RequestContext, "search">): HttpError | null {
  const result = readQuery([], search);
  return result.kind === "input" ? null : result;
}

export function readOwnerNotice<const N extends string>(
  { search }: Pick<RequestContext, "search">,
  notices: readonly N[],
): N | null {
  const [given, ...more] = new URLSearchParams(search).getAll("notice");
  return more.length > 0 ? null : (notices.find((notice) => notice === given) ?? null);
}

export function ownerAddress(
  context: Pick<RequestContext, "search">,
  notice: string | null = null,
): string {
  const lang = readChosenLanguage(context);
  const tab = readOwnerTab(context);
  const query = new URLSearchParams({
    ...(tab !== "devices" && { tab }),
    ...(lang !== null && { lang }),
    ...(notice !== null && { notice }),
  });
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

export function ownerFrame(context: RequestContext): OwnerFrame {
  return { chosen: readChosenLanguage(context), tab: readOwnerTab(context), request: context };
}

/** Redirects to the owner's page after a form, so that a reload does not send the form again. */
export function toOwnerPage(
  context: Pick<RequestContext, "search">,
  notice: string | null = null,
  cookies: readonly string[] = [],
): HttpResponse {
  return { ...redirectResponse(303, ownerAddress(context, notice)), cookies };
}
