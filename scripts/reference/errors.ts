/** The pages of error codes, from the contracts and from what helps about each code. */
import { EVENTS_ERRORS } from "../../src/contract/events/errors.ts";
import { RELEASE_ERRORS } from "../../src/contract/release/errors.ts";
import { SYNC_ERRORS } from "../../src/contract/sync/errors.ts";
import { createAnchors } from "../../site/heading-anchors.ts";
import type { GeneratedFile } from "../bundle-web.ts";
import {
  EVENTS_HELP,
  RELEASE_HELP,
  REDIRECT_HELP,
  SYNC_HELP,
  type ErrorHelp,
} from "./error-help.ts";
import { CLIENT_ERROR_HELP, EDIT_ERROR_HELP, PLATFORM_ERROR_HELP } from "./client-error-help.ts";
import { code, createPage, sentence } from "./page.ts";

type Errors<Code extends string> = Readonly<
  Record<
    Code,
    { readonly status: number; readonly message?: string; readonly description?: string }
  >
>;

interface ErrorEntry extends ErrorHelp {
  readonly name: string;
  /** Of a response; an error of the client has none. */
  readonly status?: string;
  readonly message?: string;
}

/** Errors that belong together, below a heading of their own where a page has several groups. */
interface Group {
  readonly heading?: string;
  readonly about: string;
  readonly entries: readonly ErrorEntry[];
}

interface ErrorPage {
  /** The name of the file. */
  readonly file: string;
  readonly title: string;
  readonly groups: readonly Group[];
}

const FOLDER = "errors";
const SOURCE = "src/contract and scripts/reference/*error-help.ts";

const PAGES: readonly ErrorPage[] = [
  {
    file: "release",
    title: "releases",
    groups: [
      {
        about: "What the release service sends. The code is `error.code` of the body.",
        entries: listErrors(RELEASE_ERRORS, RELEASE_HELP),
      },
    ],
  },
  {
    file: "sync",
    title: "sync",
    groups: [
      {
        about: "What the sync service sends. The code is `error` of the body.",
        entries: listErrors(SYNC_ERRORS, SYNC_HELP),
      },
    ],
  },
  {
    file: "events",
    title: "events",
    groups: [
      {
        about:
          "What the events service sends. The code is `error` of the body; the last three, and `invalid_request`, come back to the app in the address of a redirect.",
        entries: [...listErrors(EVENTS_ERRORS, EVENTS_HELP), ...listHelp(REDIRECT_HELP)],
      },
    ],
  },
  {
    file: "app",
    title: "in an app",
    groups: [
      {
        heading: "Edits",
        about: [
          "An edit that the sync client refuses has a `reason`: one of these, or that of",
          "[the rule](../../protocol/sync.md#refused-operations) by which the server would refuse it. What the server itself",
          "refused is in quarantine, with the rule or `transaction_refused`: another edit of its transaction broke a rule.",
        ].join("\n"),
        entries: listHelp(EDIT_ERROR_HELP),
      },
      {
        heading: "Sign-ins and rounds",
        about:
          "Sign-ins, sign-outs and rounds that fail have an `error` with a `kind`, and the status has a `problem`.",
        entries: listHelp(CLIENT_ERROR_HELP),
      },
      {
        heading: "The platform",
        about:
          "Where the platform lacks what it needs, `createSyncClient` rejects with a `PlatformError`, which has a `reason`.",
        entries: listHelp(PLATFORM_ERROR_HELP),
      },
    ],
  },
];

export function generateErrorPages(): GeneratedFile[] {
  return [createIndex(), ...PAGES.map(createErrorPage)];
}

function createIndex(): GeneratedFile {
  return createPage(FOLDER, SOURCE, [
    "# Errors",
    [
      "A response has the code in its body, a line of the log has it as `code`, and both have the same request id: search the",
      "log for it. Bytes that never became a request, such as broken headers, get a response whose id is in no line.",
      "`trellis doctor` finds most causes by itself.",
    ].join("\n"),
    ...PAGES.flatMap((page) => [
      `## ${sentence(page.title).slice(0, -1)}`,
      `[Errors: ${page.title}](${FOLDER}/${page.file}.md) explains each, and says what to do: ${listLinks(page)}.`,
    ]),
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

/** The anchors count from the title on, as those of the page do. */
function listLinks({ file, title, groups }: ErrorPage): string {
  const anchor = createAnchors();
  anchor(`Errors: ${title}`);
  return groups
    .flatMap(({ heading, entries }) => {
      if (heading !== undefined) anchor(heading);
      return entries.map(({ name }) => `[${code(name)}](${FOLDER}/${file}.md#${anchor(name)})`);
    })
    .join(", ");
}

function createErrorPage({ file, title, groups }: ErrorPage): GeneratedFile {
  return createPage(`${FOLDER}/${file}`, SOURCE, [
    `# Errors: ${title}`,
    ...groups.flatMap(({ heading, about, entries }) => [
      ...(heading === undefined ? [] : [`## ${heading}`]),
      about,
      ...entries.flatMap((entry) => describeError(entry, heading === undefined ? "##" : "###")),
    ]),
  ]);
}

function describeError({ name, status, message, why, action }: ErrorEntry, level: string) {
  return [
    `${level} ${name}`,
    sentence(why),
    ...(status === undefined ? [] : [`${code(status)} · “${message}”`]),
    `**What to do:** ${action}.`,
  ];
}

function listErrors<Code extends string>(
  errors: Errors<Code>,
  help: Readonly<Record<Code, ErrorHelp>>,
): ErrorEntry[] {
  return (Object.keys(errors) as Code[]).map((name) => {
    const { status, message, description = "" } = errors[name];
    return { name, status: String(status), message: message ?? description, ...help[name] };
  });
}

function listHelp(help: Readonly<Record<string, ErrorHelp>>): ErrorEntry[] {
  return Object.entries(help).map(([name, one]) => ({ name, ...one }));
}
