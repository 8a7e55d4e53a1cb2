import { expectEach, expectHeader, expectNoBody, expectStatus } from "../../expect.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const preflightIsAnsweredWith204: ReleaseCase = {
  id: "preflight-is-answered-with-204",
  title: "A browser's preflight for GET and HEAD is answered 204 for any origin",
  section: "Trellis decision, release service: CORS",
  async run({ api }) {
    const questions = ["/health", "/api/v1/manifest", "/api/v1/releases/latest"].flatMap((path) =>
      ["GET", "HEAD"].map((method) => ({ path, method })),
    );
    await expectEach(questions, async ({ path, method }) => {
      const answer = await api.send("OPTIONS", path, {
        Origin: "https://app.example.org",
        "Access-Control-Request-Method": method,
      });
      expectStatus(answer, 204);
      expectNoBody(answer);
      expectHeader(answer, "Access-Control-Allow-Origin", "*");
    });
  },
};
