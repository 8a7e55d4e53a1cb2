import { expectChallenge, expectCompleted, expectError } from "../../sync/bodies.ts";
import { newAttempt, postAuthorize, challenge, completion } from "../../sync/sign-in.ts";
import type { SyncCase } from "../../sync/target.ts";

export const crossSiteRequestsAreRefused: SyncCase = {
  id: "cross-site-requests-are-refused",
  title: "A POST /v1/authorize with cross-site Fetch Metadata is csrf_failed",
  section: "sync contract, POST /v1/authorize; Authentication 4: cross-site Fetch Metadata",
  async run(target) {
    const { attempt } = await newAttempt(target);
    const { state } = attempt;
    const body = { action: "begin", csrf: state, attempt };
    const crossSite = { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors" };
    expectError(await postAuthorize(target, body, state, crossSite), "csrf_failed");
    const done = await completion(target, await challenge(target));
    expectError(await postAuthorize(target, done, done.csrf, crossSite), "csrf_failed");
    const sameOrigin = { "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors" };
    expectChallenge(await postAuthorize(target, body, state, sameOrigin));
    expectCompleted(await postAuthorize(target, done, done.csrf, sameOrigin));
  },
};
