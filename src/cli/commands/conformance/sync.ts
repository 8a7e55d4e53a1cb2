import { findUnreachable } from "../../../conformance/check.ts";
import { SYNC_CASES } from "../../../conformance/sync/cases.ts";
import { checkSync, isSyncSignInRejected } from "../../../conformance/sync/check-sync.ts";
import type { SyncInput } from "../../../conformance/sync/input.ts";
import { SYNC_PROFILES } from "../../../contract/sync/operation-limits.ts";
import { CommandError, defineCommand, UsageError } from "../../command.ts";
import {
  CASE_OPTIONS,
  defined,
  listCases,
  readOnly,
  readUrl,
  refuseSilent,
  requireUrl,
  showReport,
} from "./cases.ts";
import { readPassword } from "./read-password.ts";

export const syncCommand = defineCommand({
  summary: "Test any server against the sync contract",
  description:
    "Signs in with the account of an instance that was made for the test, and reports which requirements the server keeps. It signs devices in and pushes operations, all under ids that begin with conformance- and are new in every run; at the end it deletes what it made and signs its devices out, and only tombstones and the log of operations stay. A broken server may keep more: do not test with data that you need. What cannot be tested with what is known is skipped, with the reason. Exit code 1 when a requirement is broken.",
  arguments: { url: { description: "Where the API is asked" } },
  options: {
    username: { type: "string", value: "NAME", description: "The name of the account" },
    "password-stdin": {
      type: "boolean",
      description: "Read the password from the first line of standard input",
    },
    "redirect-uri": {
      type: "string",
      value: "URI",
      description: "A configured redirect URI; the default is http://localhost:43823/callback",
    },
    "public-url": {
      type: "string",
      value: "URL",
      description: "The base URL the server is set up with, when it is asked elsewhere",
    },
    "display-name": { type: "string", value: "NAME", description: "The instance's display name" },
    "header-prefix": {
      type: "string",
      value: "NAME",
      description: "The instance's name in the CSRF header; the default is Service",
    },
    "cors-origin": { type: "string", value: "ORIGIN", description: "A configured CORS origin" },
    profile: {
      type: "string",
      value: "PROFILE",
      description: "The instance's profile, habits or open; the default is habits",
    },
    "allow-revoke-all": {
      type: "boolean",
      description: "Also test that every device can be revoked, which signs all of them out",
    },
    "allow-throttle": {
      type: "boolean",
      description: "Also test the throttle; nobody at this address can then sign in for a while",
    },
    ...CASE_OPTIONS,
  },
  examples: [
    "trellis conformance sync https://sync.example.com --username ada --password-stdin < password",
    "trellis conformance sync http://127.0.0.1:4811 --username ada --allow-revoke-all --allow-throttle",
    "trellis conformance sync --list",
  ],
  async run(context) {
    const { args, options } = context;
    if (options.list) {
      listCases(SYNC_CASES, context);
      return;
    }
    const only = readOnly(options.only, SYNC_CASES, "sync");
    const baseUrl = requireUrl(args.url);
    const { username } = options;
    if (username === undefined) {
      throw new UsageError("Missing option --username: the name of the account to test with");
    }
    const given = defined({
      redirectUri: options["redirect-uri"],
      publicUrl: readUrl("--public-url", options["public-url"]),
      displayName: options["display-name"],
      headerPrefix: options["header-prefix"],
      corsOrigin: options["cors-origin"],
      profile: readProfile(options.profile),
    });
    refuseSilent(await findUnreachable([baseUrl], "/v1/health"));
    const input: SyncInput = {
      baseUrl,
      username,
      password: await readPassword(context, options["password-stdin"]),
      ...given,
      allowRevokeAll: options["allow-revoke-all"],
      allowThrottle: options["allow-throttle"],
    };
    if (await isSyncSignInRejected(input)) {
      throw new CommandError(
        `The server refuses "${username}" with this password: nothing can be tested without an account`,
      );
    }
    showReport(await checkSync(input, only), context);
  },
});

function readProfile(text: string | undefined): SyncInput["profile"] {
  if (text === undefined) return undefined;
  const profile = SYNC_PROFILES.find((known) => known === text);
  if (profile !== undefined) return profile;
  throw new UsageError(`--profile must be ${SYNC_PROFILES.join(" or ")}, not "${text}"`);
}
