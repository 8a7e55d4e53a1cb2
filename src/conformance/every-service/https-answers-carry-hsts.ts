/** A server whose base URL is https tells browsers never to use plain http, whichever the service. */
import { NotTestable } from "../case.ts";
import { expectHeaderMatch } from "../expect.ts";
import type { HttpResponse } from "../http.ts";

export interface EveryResponse {
  /** The base URL that the server is set up with. */
  readonly publicUrl: string;
  /** Checks an answer of every kind there is. */
  expectOfEach(check: (answer: HttpResponse) => void): Promise<void>;
}

export async function expectHsts({ publicUrl, expectOfEach }: EveryResponse): Promise<void> {
  if (!publicUrl.startsWith("https:")) {
    throw new NotTestable("The base URL is plain http; give the https one with --public-url");
  }
  await expectOfEach((answer) => {
    expectHeaderMatch(
      answer,
      "Strict-Transport-Security",
      /(?:^|;\s*)max-age=[1-9][0-9]*/i,
      "a positive max-age",
    );
  });
}
