/** A server whose base URL is https tells browsers never to use plain http, whichever the service. */
import { NotTestable } from "../case.ts";
import { expectHeaderMatch } from "../expect.ts";
import type { Answer } from "../http.ts";

export interface EveryAnswer {
  /** The base URL that the server is set up with. */
  readonly publicUrl: string;
  /** Checks an answer of every kind there is. */
  expectOfEach(check: (answer: Answer) => void): Promise<void>;
}

export async function expectHsts({ publicUrl, expectOfEach }: EveryAnswer): Promise<void> {
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
