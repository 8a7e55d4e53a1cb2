import { DEFAULT_REDIRECT_URI, findUnreachable } from "../../../conformance/check.ts";
import { casesOfLevel, EVENTS_CASES } from "../../../conformance/events/cases.ts";
import { checkEvents, isEventsSignInRejected } from "../../../conformance/events/check-events.ts";
import {
  EVENTS_LEVELS,
  type EventsInput,
  type EventsLevel,
} from "../../../conformance/events/input.ts";
import { CommandError, defineCommand, UsageError, type CommandContext } from "../../command.ts";
import { readFirstLine } from "../../secret-input.ts";
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
import { askPerson, isOnThisMachine } from "./ask-person.ts";
import { readPassword } from "./read-password.ts";

const TOKEN_VARIABLE = "TRELLIS_CONFORMANCE_ACCESS_TOKEN";

export const eventsCommand = defineCommand({
  summary: "Test any service against the events contract",
  description: `Asks for leave to read the events of an account, reads them, and reports which requirements the service keeps. Who allows it: an account at the pages of Trellis with --username; else you, in your browser, when this runs at a terminal. With an access token alone the list of events is tested. The level contract, which is the default, is what every compatible service must do; the level trellis is also what Trellis promises beside it. It changes nothing but codes and tokens, which it gives back at the end. What cannot be tested with what is known is skipped, with the reason. Exit code 1 when a requirement is broken.`,
  arguments: { url: { description: "Where the service is asked" } },
  options: {
    "client-id": { type: "string", value: "ID", description: "A client that the service knows" },
    "redirect-uri": {
      type: "string",
      value: "URI",
      description: `A redirect URI of that client; the default is ${DEFAULT_REDIRECT_URI}`,
    },
    level: {
      type: "string",
      value: "LEVEL",
      description: "How much is asked, contract or trellis; the default is contract",
    },
    username: { type: "string", value: "NAME", description: "An account that signs in and allows" },
    "password-stdin": {
      type: "boolean",
      description: "Read its password from the first line of standard input",
    },
    "access-token-stdin": {
      type: "boolean",
      description: `Read an access token from the first line of standard input; ${TOKEN_VARIABLE} in the environment does the same`,
    },
    "public-url": {
      type: "string",
      value: "URL",
      description: "The base URL the service is set up with, when it is asked elsewhere",
    },
    ...CASE_OPTIONS,
  },
  examples: [
    "trellis conformance events https://events.example.com --client-id demo",
    "trellis conformance events https://events.example.com --client-id trellis-demo --level trellis --username ada --password-stdin < password",
    "trellis conformance events --list --level trellis",
  ],
  async run(context) {
    const { args, options } = context;
    const level = readLevel(options.level);
    if (options.list) {
      listCases(options.level === undefined ? EVENTS_CASES : casesOfLevel(level), context);
      return;
    }
    const only = readOnly(options.only, casesOfLevel(level), "events");
    const baseUrl = requireUrl(args.url);
    const given = defined({
      clientId: options["client-id"],
      redirectUri: options["redirect-uri"],
      publicUrl: readUrl("--public-url", options["public-url"]),
    });
    checkSecrets(options);
    refuseSilent(await findUnreachable([baseUrl], "/api/events?limit=1"));
    const input: EventsInput = { baseUrl, level, ...given, ...(await readLeave(context)) };
    if (await isEventsSignInRejected(input)) {
      throw new CommandError(
        `The service refuses "${options.username}" with this password: nothing can be tested without an account`,
      );
    }
    showReport(await checkEvents(input, only), context);
  },
});

interface AuthorizationOptions {
  readonly username: string | undefined;
  readonly "password-stdin": boolean;
  readonly "access-token-stdin": boolean;
  readonly "redirect-uri": string | undefined;
}

function checkSecrets(options: AuthorizationOptions): void {
  if (options["password-stdin"] && options["access-token-stdin"]) {
    throw new UsageError(
      "Standard input has one first line: give --password-stdin or --access-token-stdin",
    );
  }
  if (options["password-stdin"] && options.username === undefined) {
    throw new UsageError("Missing option --username: the account whose password is given");
  }
}

/** How the run gets leave to read events. */
async function readLeave(
  context: Pick<CommandContext, "terminal" | "isInteractive" | "warn"> & {
    readonly options: AuthorizationOptions;
  },
): Promise<Pick<EventsInput, "accessToken" | "account" | "allow">> {
  const { terminal, isInteractive, options } = context;
  const { username, "redirect-uri": redirectUri = DEFAULT_REDIRECT_URI } = options;
  const accessToken = options["access-token-stdin"]
    ? await readFirstLine(terminal.stdin)
    : terminal.env[TOKEN_VARIABLE];
  if (accessToken === "") throw new CommandError("The access token is empty");
  const token = defined({ accessToken });
  if (username !== undefined) {
    const password = await readPassword(context, options["password-stdin"]);
    return { ...token, account: { username, password } };
  }
  if (!isInteractive || !isOnThisMachine(redirectUri)) return token;
  return { ...token, allow: (address) => askPerson(address, redirectUri, context.warn) };
}

function readLevel(text: string | undefined): EventsLevel {
  if (text === undefined) return "contract";
  const level = EVENTS_LEVELS.find((known) => known === text);
  if (level !== undefined) return level;
  throw new UsageError(`--level must be ${EVENTS_LEVELS.join(" or ")}, not "${text}"`);
}
