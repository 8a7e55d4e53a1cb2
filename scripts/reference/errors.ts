/** The page of error codes, from the contracts and from what helps about each code. */
import { EVENTS_ERRORS } from "../../src/contract/events/errors.ts";
import { RELEASE_ERRORS } from "../../src/contract/release/errors.ts";
import { SYNC_ERRORS } from "../../src/contract/sync/errors.ts";
import type { GeneratedFile } from "../bundle-web.ts";
import {
  EVENTS_HELP,
  RELEASE_HELP,
  REDIRECT_HELP,
  SYNC_HELP,
  type ErrorHelp,
} from "./error-help.ts";
import { CLIENT_ERROR_HELP, EDIT_ERROR_HELP, PLATFORM_ERROR_HELP } from "./client-error-help.ts";
import { code, createPage, createTable } from "./page.ts";

type Errors<Code extends string> = Readonly<
  Record<
    Code,
    { readonly status: number; readonly message?: string; readonly description?: string }
  >
>;

const HELP_HEAD = ["Why", "What to do"];

export function generateErrorsPage(): GeneratedFile {
  return createPage("errors", "src/contract and scripts/reference/*error-help.ts", [
    "# Errors",
    [
      "A response has the code in its body (`error`, on the release service `error.code`), a line of the log has it as",
      "`code`, and both have the same request id: search the log for it. Bytes that never became a request, such as broken",
      "headers, get a response whose id is in no line. `trellis doctor` finds most causes by itself.",
    ].join("\n"),
    "## Releases",
    createErrorTable(RELEASE_ERRORS, RELEASE_HELP),
    "## Sync",
    createErrorTable(SYNC_ERRORS, SYNC_HELP),
    "## Events",
    createErrorTable(EVENTS_ERRORS, EVENTS_HELP),
    "Three more, beside `invalid_request`, come back to the app in the address of a redirect:",
    createTable(["Code", ...HELP_HEAD], Object.entries(REDIRECT_HELP).map(toRow)),
    "## In an app",
    [
      "An edit that the sync client refuses has a `reason`: one of these, or that of [the rule](../protocol/sync.md#refused-operations)",
      "which the server would refuse it by. What the server itself refused is in quarantine, with the rule or",
      "`transaction_refused`: another edit of its transaction broke a rule.",
    ].join("\n"),
    createTable(["`reason`", ...HELP_HEAD], Object.entries(EDIT_ERROR_HELP).map(toRow)),
    "Sign-ins, sign-outs and rounds that fail have an `error`, and the status has a `problem`:",
    createTable(["`kind`", ...HELP_HEAD], Object.entries(CLIENT_ERROR_HELP).map(toRow)),
    "Where the platform lacks what it needs, `createSyncClient` rejects with a `PlatformError`:",
    createTable(["`reason`", ...HELP_HEAD], Object.entries(PLATFORM_ERROR_HELP).map(toRow)),
    "## Without a code",
    [
      '**"The sync store needs 2 migrations of this version", or "The store is newer than this version".** The command and',
      'the store are of different versions, and nothing was changed: [Upgrade](../operate/upgrade.md). "The store is in',
      'use" means that a server, or another command, still has it.',
    ].join("\n"),
    [
      "**A command hangs, prints nothing and takes no processor time.** This is rare. On Linux with a glibc before 2.41,",
      "such as that of Debian 12, a thread that works on files for Node can miss that there is work",
      "([glibc bug 25847](https://sourceware.org/bugzilla/show_bug.cgi?id=25847)). A server soon wakes it with its next file",
      "operation; a command that waits for this one has none. End the command and run it again. Nothing is lost: a store is",
      "changed in a transaction, and a file replaces another only when it is complete. `trellis sync instance move` goes on",
      "where it was interrupted, and says when the instance is still suspended: `trellis sync instance resume` serves it again.",
    ].join("\n"),
  ]);
}

function createErrorTable<Code extends string>(
  errors: Errors<Code>,
  help: Readonly<Record<Code, ErrorHelp>>,
): string {
  const codes = Object.keys(errors) as Code[];
  return createTable(
    ["Code", "Status", "Message", ...HELP_HEAD],
    codes.map((name) => {
      const { status, message, description = "" } = errors[name];
      const { why, action } = help[name];
      return [code(name), String(status), message ?? description, why, action];
    }),
  );
}

function toRow([name, { why, action }]: [string, ErrorHelp]): string[] {
  return [code(name), why, action];
}
