/** What the smart-download selector is asked, and where it may lead. */
import { violate } from "../expect.ts";
import type { HttpResponse } from "../http.ts";
import { expectAbsoluteRedirect, expectRedirect } from "./expect-redirect.ts";
import type { ReleaseTarget } from "./target.ts";

export const LINUX_BROWSER =
  "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

export function askSelector(
  target: ReleaseTarget,
  query: string,
  userAgent?: string,
): Promise<HttpResponse> {
  const headers = userAgent === undefined ? {} : { "User-Agent": userAgent };
  return target.selector().get(`/${query === "" ? "" : `?${query}`}`, headers);
}

/** `path` is what follows the download route: `linux/x64`. */
export function expectDownloadRoute(
  target: ReleaseTarget,
  answer: HttpResponse,
  path: string,
): void {
  expectRedirect(answer, `${target.publicUrl}/api/v1/download/${path}`);
}

/** The website when its address is known, otherwise anywhere but a download. */
export function expectWebsite(target: ReleaseTarget, answer: HttpResponse): void {
  const website = target.input.websiteDownloadUrl;
  if (website !== undefined) {
    expectRedirect(answer, website);
    return;
  }
  const location = expectAbsoluteRedirect(answer);
  if (location.includes("/api/v1/download/")) {
    violate(answer.asked, "the website's download section", location);
  }
}
