import {
  checkSync,
  isSyncSignInRejected,
  SYNC_CASES,
} from "../../../../conformance/sync/check-sync.ts";
import {
  checkSyncClient,
  SYNC_CLIENT_CASES,
} from "../../../../conformance/sync/client/check-sync-client.ts";
import {
  checkSyncDriver,
  SYNC_DRIVER_CASES,
} from "../../../../conformance/sync/driver/check-sync-driver.ts";
import type { SyncInput } from "../../../../conformance/sync/input.ts";
import { isHttpsOrLoopback } from "../../../contract/loopback.ts";
import { SYNC_PROFILES } from "../../../contract/sync/operation-limits.ts";
import { CommandError, defineCommand, flag, option, UsageError } from "../../command.ts";
import { PASSWORD_OPTION } from "../../secret-input.ts";
import {
  CASE_OPTIONS,
  defined,
  expectReachable,
  parseEither,
  parseUrlOption,
  readAccountPassword,
  runSuite,
} from "./cases.ts";
import { DRIVER_ARGUMENT, hasDriver, runDriverSuite } from "./drivers.ts";

export const command = defineCommand({
  description:
    "Signs in with the account of an instance that was created for the test, and reports which requirements the server meets. It signs in devices and pushes operations, all with ids that begin with conformance- and are new in every run; at the end it deletes the entities and signs out the devices, so that only tombstones and the log of operations remain. A broken server may keep more: do not test with data that you need. Requirements that cannot be tested with the given information are skipped, with the reason. With --client it drives the sync client of Trellis instead, as an app does: sign-in, push, pull, merge, refusals, recovery, live changes; what the server lacks of the extensions is skipped, with what apps then do without. With --client and a driver in place of URL it tests your sync client: it plays the server on this machine, and the driver runs the client once for each task. Exit code 1 when a requirement is broken.",
  arguments: { url: { description: "The address of the API" }, ...DRIVER_ARGUMENT },
  options: {
    username: option("NAME", "The username of the account"),
    ...PASSWORD_OPTION,
    "redirect-uri": option(
      "URI",
      "A configured redirect URI (default: http://localhost:43823/callback)",
    ),
    "public-url": option("URL", "The configured base URL of the server, if it differs from URL"),
    "display-name": option("NAME", "The instance's display name"),
    "header-prefix": option("NAME", "The instance's name in the CSRF header (default: Service)"),
    "cors-origin": option("ORIGIN", "A configured CORS origin"),
    profile: option(
      "PROFILE",
      "The instance's profile, habits, open or sealed (default: what its capabilities name, or habits)",
    ),
    "allow-revoke-all": flag(
      "Also test that all devices can be revoked, which signs out every device",
    ),
    "allow-throttle": flag(
      "Also test the throttle; it blocks sign-ins from this address for a while",
    ),
    client: flag(
      "Test whether the sync client of Trellis works with the server, or the client that the driver runs",
    ),
    ...CASE_OPTIONS,
  },
  examples: [
    "trellis conformance sync https://sync.example.com --username ada --password-stdin < password",
    "trellis conformance sync http://127.0.0.1:4811 --username ada --allow-revoke-all --allow-throttle",
    "trellis conformance sync https://sync.example.com --client --username ada --password-stdin < password",
    "trellis conformance sync --client -- ./my-driver",
    "trellis conformance sync --list",
  ],
  async run(context) {
    if (hasDriver(context)) {
      // Without a driver, --list has the cases of a server with our client.
      const suite = { words: "sync", cases: SYNC_DRIVER_CASES, listSuffix: " -- DRIVER" };
      return runDriverSuite(context, suite, checkSyncDriver);
    }
    const { options } = context;
    const tested = options.client
      ? { words: "sync --client", cases: SYNC_CLIENT_CASES }
      : { words: "sync", cases: SYNC_CASES };
    return runSuite(context, tested, async (baseUrl, selection) => {
      if (options.client) expectClientUrl(baseUrl);
      const { username } = options;
      if (username === undefined) {
        throw new UsageError("Missing option --username: the name of the account to test with");
      }
      const given = defined({
        redirectUri: options["redirect-uri"],
        publicUrl: parseUrlOption("--public-url", options["public-url"]),
        displayName: options["display-name"],
        headerPrefix: options["header-prefix"],
        corsOrigin: options["cors-origin"],
        profile: parseEither("--profile", options.profile, SYNC_PROFILES),
      });
      await expectReachable([baseUrl], "/v1/health");
      const input: SyncInput = {
        baseUrl,
        username,
        password: await readAccountPassword(context),
        ...given,
        allowRevokeAll: options["allow-revoke-all"],
        allowThrottle: options["allow-throttle"],
      };
      if (await isSyncSignInRejected(input)) {
        throw new CommandError(
          `The server refuses "${username}" with this password: nothing can be tested without an account`,
        );
      }
      const check = options.client ? checkSyncClient : checkSync;
      return check(input, selection);
    });
  },
});

function expectClientUrl(url: string): void {
  if (isHttpsOrLoopback(new URL(url))) return;
  throw new UsageError(
    `The sync client takes an https address, or http on this machine, not "${url}"`,
  );
}
