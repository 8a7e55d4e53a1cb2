/** No answer can be shown in a frame, whichever the service. */
import { expectHeaderMatch } from "../expect.ts";
import type { HttpResponse } from "../http.ts";

export function expectNoFraming(
  expectOfEach: (check: (answer: HttpResponse) => void) => Promise<void>,
): Promise<void> {
  return expectOfEach((answer) => {
    if (answer.header("X-Frame-Options")?.toUpperCase() === "DENY") return;
    expectHeaderMatch(
      answer,
      "Content-Security-Policy",
      /(?:^|;)\s*frame-ancestors 'none'\s*(?:;|$)/,
      "frame-ancestors 'none'",
    );
  });
}
