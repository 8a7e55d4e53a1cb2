/** What a page says after an action, in the query of its address. */
import { redirectResponse, type HttpResponse } from "../../http/response.ts";
import { parseParameters } from "../../rules/events/wire/parse-parameters.ts";

/** Redirects after an action, so that a reload does not repeat it. */
export function noticeResponse(path: string, notice: string): HttpResponse {
  return redirectResponse(303, noticePath(path, notice));
}

export function noticePath(path: string, notice: string): string {
  return `${path}?notice=${notice}`;
}

export function readNotice<const N extends string>(
  search: string,
  notices: readonly N[],
): N | null {
  const given = parseParameters(search).values.get("notice");
  return notices.find((notice) => notice === given) ?? null;
}
