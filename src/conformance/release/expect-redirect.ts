/** A redirect: its status and an absolute address. */
import { expectHeader, expectHeaderMatch, expectStatus } from "../expect.ts";
import type { HttpResponse } from "../http.ts";

/** Release contract, What the service does: convention 7. */
export function expectAbsoluteRedirect(answer: HttpResponse, status = 302): string {
  expectStatus(answer, status);
  return expectHeaderMatch(answer, "Location", /^https?:\/\/[^/?#]/, "an absolute address");
}

export function expectRedirect(answer: HttpResponse, location: string): void {
  expectAbsoluteRedirect(answer);
  expectHeader(answer, "Location", location);
}
