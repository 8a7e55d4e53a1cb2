import { DEFAULT_REDIRECT_URI } from "../../../../conformance/check.ts";
import {
  casesOfLevel,
  checkEvents,
  isEventsSignInRejected,
  EVENTS_CASES,
} from "../../../../conformance/events/check-events.ts";
import {
  checkEventsDriver,
  EVENTS_DRIVER_CASES,
} from "../../../../conformance/events/driver/check-events-driver.ts";
import { EVENTS_LEVELS, type EventsInput } from "../../../../conformance/events/input.ts";
import {
  CommandError,
  defineCommand,
  flag,
  option,
  UsageError,
  type CommandContext,
  type PromptContext,
} from "../../command.ts";
import { PASSWORD_OPTION, readFirstLine } from "../../secret-input.ts";
import {
  CASE_OPTIONS,
  defined,
  expectReachable,
  parseEither,
  parseUrlOption,
  readAccountPassword,
  runSuite,
} from "./cases.ts";
import { askPerson, isOnThisMachine } from "./ask-person.ts";
import { DRIVER_ARGUMENT, hasDriver, runDriverSuite } from "./drivers.ts";

const TOKEN_VARIABLE = "TRELLIS_CONFORMANCE_ACCESS_TOKEN";

export const command = defineCommand({
  description:
    "Requests authorization to read the events of an account, reads them, and reports which requirements the service meets. With --username it signs in at the pages of Trellis and grants access itself; otherwise, at a terminal, you grant access in your browser. With only an access token it tests the list of events. The level contract, the default, has the requirements for every compatible service; the level trellis adds what Trellis promises beyond them. It changes nothing but codes and tokens, which it revokes at the end. Requirements that cannot be tested with the given information are skipped, with the reason. With --client it tests a client instead: it plays the service on this machine, and your driver runs the client once for each task. Exit code 1 when a requirement is broken.",
  arguments: { url: { description: "The address of the service" }, ...DRIVER_ARGUMENT },
  options: {
    "client-id": option("ID", "A client that is registered with the service"),
    "redirect-uri": option(
      "URI",
      `A redirect URI of that client (default: ${DEFAULT_REDIRECT_URI})`,
    ),
    level: option("LEVEL", "The requirements to test, contract or trellis (default: contract)"),
    username: option("NAME", "An account that signs in and grants access"),
    ...PASSWORD_OPTION,
    "access-token-stdin": flag(
      `Read an access token from the first line of standard input; ${TOKEN_VARIABLE} in the environment does the same`,
    ),
    "public-url": option("URL", "The configured base URL of the service, if it differs from URL"),
    client: flag("Test the client that the driver runs"),
    ...CASE_OPTIONS,
  },
  examples: [
    "trellis conformance events https://events.example.com --client-id demo",
    "trellis conformance events https://events.example.com --client-id trellis-demo --level trellis --username ada --password-stdin < password",
    "trellis conformance events --client -- python3 my_driver.py",
    "trellis conformance events --list --level trellis",
  ],
  async run(context) {
    if (hasDriver(context) || context.options.client) {
      const suite = { words: "events", cases: EVENTS_DRIVER_CASES };
      return runDriverSuite(context, suite, checkEventsDriver);
    }
    const { options } = context;
    const level = parseEither("--level", options.level, EVENTS_LEVELS) ?? "contract";
    const cases = casesOfLevel(level);
    const listed = options.level === undefined ? EVENTS_CASES : cases;
    return runSuite(context, { words: "events", cases, listed }, async (baseUrl, selection) => {
      const given = defined({
        clientId: options["client-id"],
        redirectUri: options["redirect-uri"],
        publicUrl: parseUrlOption("--public-url", options["public-url"]),
      });
      checkSecrets(options);
      await expectReachable([baseUrl], "/api/events?limit=1");
      const authorization = await readAuthorization(context);
      const input: EventsInput = { baseUrl, level, ...given, ...authorization };
      if (await isEventsSignInRejected(input)) {
        throw new CommandError(
          `The service refuses "${options.username}" with this password: nothing can be tested without an account`,
        );
      }
      return checkEvents(input, selection);
    });
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
      "Give either --password-stdin or --access-token-stdin: both read the first line of standard input",
    );
  }
  if (options["password-stdin"] && options.username === undefined) {
    throw new UsageError("Missing option --username: the account whose password is given");
  }
}

/** Reads how the run is authorized to read events. */
async function readAuthorization(
  context: PromptContext &
    Pick<CommandContext, "warn"> & { readonly options: AuthorizationOptions },
): Promise<Pick<EventsInput, "accessToken" | "account" | "allow">> {
  const { terminal, isInteractive, options } = context;
  const { username, "redirect-uri": redirectUri = DEFAULT_REDIRECT_URI } = options;
  const accessToken = options["access-token-stdin"]
    ? await readFirstLine(terminal.stdin)
    : terminal.env[TOKEN_VARIABLE];
  if (accessToken === "") throw new CommandError("The access token is empty");
  const token = defined({ accessToken });
  if (username !== undefined) {
    const password = await readAccountPassword(context);
    return { ...token, account: { username, password } };
  }
  if (!isInteractive || !isOnThisMachine(redirectUri)) return token;
  return { ...token, allow: (address) => askPerson(address, redirectUri, context.warn) };
}
