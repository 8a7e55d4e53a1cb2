/** How a device signs in, stays signed in, and signs out. */
import { DEFAULT_REDIRECT_URI } from "../../../check.ts";
import { driverCases } from "../../../drivers/check-driver.ts";
import { describeValue, expectEach, expectSame, fail } from "../../../expect.ts";
import { createAccount, errorReply, type PlayedAccount } from "../played-account.ts";
import {
  createDevice,
  expectRunKind,
  expectShown,
  expectSynced,
  requestsTo,
} from "../sync-device.ts";
import { createSetting, entityIdsIn, patchSetting, THEME } from "../edits.ts";
import { withDevice } from "../signed-in-devices.ts";

const AUTHORIZE = "sync contract, GET /v1/authorize";
const TOKENS = "sync contract, States and transitions";

export const ACCOUNT_SESSION_CASES = driverCases({
  "sign-in-asks-with-pkce": {
    title: "The address for the browser has the parameters of the contract, and secrets of its own",
    section: AUTHORIZE,
    async run(client) {
      const device = createDevice(client, createAccount(client));
      const { asked, query } = await device.begin();
      for (const [name, pattern] of Object.entries(PARAMETERS)) {
        const value = query.get(name) ?? "";
        if (!pattern.test(value)) fail(asked, `${name} that matches ${pattern}`, value);
      }
      const other = [...query.keys()].find((name) => !(name in PARAMETERS) && name !== "lang");
      if (other !== undefined) fail(asked, "no other parameter", other);
      const again = await device.begin();
      for (const name of ["state", "code_challenge", "attempt_id"]) {
        if (again.query.get(name) === query.get(name)) fail(asked, `a new ${name}`, "the same");
      }
    },
  },
  "sign-in-redeems-the-code": {
    title: "The client redeems the code once, with its verifier, and syncs with the tokens",
    section: "sync contract, POST /v1/token",
    async run(client) {
      const account = createAccount(client);
      const device = createDevice(client, account);
      const { query } = await device.begin();
      const run = await device.complete(query);
      expectRunKind(run, "signed-in");
      expectSame(run.asked, "number of redemptions", requestsTo(run, "/v1/token").length, 1);
      await expectSynced(device.sync());
    },
  },
  "foreign-callback-redeems-nothing": {
    title: "A return from the browser without the state or the code of the sign-in redeems nothing",
    section: "sync contract, Authentication 1",
    run: (client) =>
      expectEach([{ state: "x".repeat(43) }, { state: "" }, { code: "" }], async (changes) => {
        const device = createDevice(client, createAccount(client));
        const { query } = await device.begin();
        const run = await device.complete(query, ({ searchParams }) => {
          for (const [name, value] of Object.entries(changes)) {
            if (value === "") searchParams.delete(name);
            else searchParams.set(name, value);
          }
        });
        const asked = `${run.asked}, with ${describeValue(changes)}`;
        const [request] = requestsTo(run, "/v1/token");
        if (request !== undefined) fail(asked, "no redemption", request.asked);
        expectRunKind({ ...run, asked }, "not-signed-in");
      }),
  },
  "refused-code-is-no-session": {
    title: "A code that the server refuses begins no session",
    section: "sync contract, POST /v1/token",
    async run(client) {
      const device = createDevice(client, createAccount(client));
      const { query } = await device.begin();
      query.set("code_challenge", "A".repeat(43));
      expectRunKind(await device.complete(query), "not-signed-in");
      expectRunKind(await device.sync(), "sign-in-needed");
    },
  },
  "edits-before-the-sign-in-are-sent-after-it": {
    title: "What was edited before the sign-in is shown, and sent after it",
    section: "Trellis decision, sync client: edits need no server",
    async run(client) {
      const account = createAccount(client);
      const device = createDevice(client, account);
      const before = await device.sync([createSetting("before")]);
      expectRunKind(before, "sign-in-needed");
      expectShown(before, THEME, { value: "before" });
      await device.signIn();
      expectShown(await expectSynced(device.sync()), THEME, { value: "before" });
      expectLogged(account, 1);
    },
  },
  "expired-access-is-refreshed": {
    title: "A client renews an expired access token, each time with the newest refresh token",
    section: `${TOKENS} 2; POST /v1/refresh`,
    run: (client) =>
      withDevice(client, {}, async (device, account) => {
        for (let count = 1; count <= 3; count++) {
          account.sessions.expireAccess();
          const run = await expectSynced(device.sync());
          expectSame(run.asked, "number of refreshes", requestsTo(run, "/v1/refresh").length, 1);
        }
      }),
  },
  "lost-refresh-is-repeated": {
    title: "A client whose new tokens were lost on the way stays signed in",
    section: "Trellis decision, sync service: a retry of a refresh gets the same tokens",
    run: (client) =>
      withDevice(client, {}, async (device, account) => {
        account.sessions.expireAccess();
        const lost = await device.sync([createSetting(1)], async (request) => {
          const reply = account.respond(request);
          return request.path === "/v1/refresh" ? (response) => response.destroy() : reply;
        });
        expectRunKind(lost, "failed");
        await expectSynced(device.sync());
        expectLogged(account, 1);
      }),
  },
  "failed-refresh-ends-no-session": {
    title: "A refresh that fails for another reason than its token leaves the device signed in",
    section: "sync contract, POST /v1/refresh",
    run: (client) =>
      expectEach(["rate_limited", "internal_error", "storage_unavailable"] as const, (code) =>
        withDevice(client, {}, async (device, account) => {
          account.sessions.expireAccess();
          const failed = await device.sync([], (request) =>
            request.path === "/v1/refresh" ? errorReply(code) : account.respond(request),
          );
          expectRunKind(failed, "failed");
          await expectSynced(device.sync());
        }),
      ),
  },
  "ended-session-keeps-the-edits": {
    title: "A device that was revoked asks for a new sign-in, and then sends what it kept",
    section: `${TOKENS} 3`,
    run: (client) =>
      withDevice(client, {}, async (device, account) => {
        await expectSynced(device.sync([createSetting("sent")]));
        account.sessions.endAll();
        const ended = await device.sync([patchSetting("kept")]);
        expectRunKind(ended, "sign-in-needed");
        expectShown(ended, THEME, { value: "kept" });
        await device.signIn();
        expectShown(await expectSynced(device.sync()), THEME, { value: "kept" });
        expectLogged(account, 2);
      }),
  },
  "sign-out-ends-the-session": {
    title: "A device that signs out ends its session alone, and forgets its tokens",
    section: "sync contract, POST /v1/revoke",
    run: (client) =>
      withDevice(client, {}, async (device, account) => {
        const other = createDevice(client, account, "another device");
        await other.signIn();
        const tokens = account.sessions.tokens();
        const run = await device.signOut();
        expectRunKind(run, "signed-out");
        expectSame(run.asked, "sessions left", account.sessions.count(), 1);
        const isStored = tokens.some((token) => device.stored().includes(token));
        if (isStored) fail(run.asked, "no token in the state", "a token");
        await expectSynced(other.sync());
      }),
  },
});

const PARAMETERS: Readonly<Record<string, RegExp>> = {
  response_type: /^code$/,
  redirect_uri: new RegExp(`^${DEFAULT_REDIRECT_URI}$`),
  code_challenge: /^[A-Za-z0-9_-]{43}$/,
  state: /^[!-~]{16,512}$/,
  attempt_id: /^[A-Za-z0-9._~-]{1,128}$/,
  device_id: /^[A-Za-z0-9._~-]{1,128}$/,
};

function expectLogged(account: PlayedAccount, count: number): void {
  expectSame("POST /v1/push", "operations in the log", entityIdsIn(account).length, count);
}
