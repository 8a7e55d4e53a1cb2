import {
  ACCESS_LIFETIME_SECONDS,
  REFRESH_ABSOLUTE_SECONDS,
} from "../../../contract/sync/values.ts";
import { violate } from "../../expect.ts";
import { expectTokens } from "../../sync/bodies.ts";
import { obtainGrant } from "../../sync/sign-in.ts";
import type { SyncCase } from "../../sync/target.ts";

export const tokensHaveTheirForm: SyncCase = {
  id: "tokens-have-their-form",
  title: "Tokens are opaque with their prefixes and 32 random bytes, and say when they end",
  section: "Trellis decision, sync service: access tokens, refresh tokens",
  async run(target) {
    const grant = await obtainGrant(target);
    const before = Date.now();
    const answer = await target.post("/v1/token", grant);
    const { accessToken, refreshToken, expiresIn, refreshExpiresAt } = expectTokens(answer);
    if (!/^trs_at_[A-Za-z0-9_-]{43}$/.test(accessToken)) {
      violate(answer.asked, "an access token trs_at_ and 32 bytes in Base64URL", "another one");
    }
    if (!/^trs_rt_[A-Za-z0-9_-]{43,}$/.test(refreshToken)) {
      violate(
        answer.asked,
        "a refresh token trs_rt_ and at least 32 bytes in Base64URL",
        "another one",
      );
    }
    if (expiresIn < 1 || expiresIn > ACCESS_LIFETIME_SECONDS) {
      violate(answer.asked, `expiresIn from 1 to ${ACCESS_LIFETIME_SECONDS}`, String(expiresIn));
    }
    const days = (Date.parse(refreshExpiresAt) - before) / 86_400_000;
    if (days > 1 && days <= REFRESH_ABSOLUTE_SECONDS / 86_400 + 1) return;
    violate(answer.asked, "a refresh token that lives for weeks, at most a year", refreshExpiresAt);
  },
};
