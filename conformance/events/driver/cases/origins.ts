/** Which addresses of a service a client takes. The address is judged, and the client connects elsewhere. */
import { driverCases } from "../../../drivers/check-driver.ts";
import type { ClientUnderTest } from "../../../drivers/client-under-test.ts";
import { expectEach, fail } from "../../../expect.ts";
import {
  connect,
  EVENTS_PATH,
  expectImportedIds,
  expectSyncKind,
  expectNoRequest,
  LAST_EVENT,
  listing,
} from "../connected-app.ts";

const ORIGINS = "events contract, Authentication 5";

const ACCEPTED = [
  "https://events.example",
  "https://events.example/",
  "https://events.example:443",
  "HTTPS://Events.Example",
  "https://planner",
  "https://8.8.8.8",
  "https://localhost.example",
];

export const ORIGIN_CASES = driverCases({
  "root-https-origins-are-taken": {
    title: "A root https origin on port 443 is taken, however it is written",
    section: ORIGINS,
    run: (client) =>
      expectEach(ACCEPTED, async (address) => {
        const asked = `a sync with "${address}"`;
        const sync = await connect(client, { address }).sync(asked, listing([LAST_EVENT]));
        expectImportedIds(sync, ["last"]);
        const { path = "" } = sync.requests[0] ?? {};
        if (path !== EVENTS_PATH) fail(asked, EVENTS_PATH, path);
      }),
  },
  ...refusals({
    "plain-http-is-refused": ["an address without https", ["http://events.example"]],
    "other-schemes-are-refused": [
      "an address of another scheme, or of none",
      ["ftp://events.example", "wss://events.example", "events.example", ""],
    ],
    "other-ports-are-refused": [
      "another port than 443",
      ["https://events.example:8443", "https://events.example:80"],
    ],
    "credentials-are-refused": [
      "an address with credentials",
      ["https://ada@events.example", "https://ada:secret@events.example"],
    ],
    "paths-are-refused": [
      "an address with a path",
      ["https://events.example/calendar", "https://events.example/api/events"],
    ],
    "queries-are-refused": ["an address with a query", ["https://events.example/?a=b"]],
    "fragments-are-refused": ["an address with a fragment", ["https://events.example/#a"]],
    "localhost-is-refused": ["the name localhost", ["https://localhost", "https://LocalHost"]],
    "local-names-are-refused": [
      "a name that ends in .local",
      ["https://printer.local", "https://PRINTER.LOCAL"],
    ],
    "private-addresses-are-refused": [
      "a private IPv4 address",
      [
        "https://10.0.0.1",
        "https://172.16.0.1",
        "https://172.31.255.254",
        "https://192.168.1.1",
        "https://127.0.0.1",
      ],
    ],
  }),
});

type Refused = readonly [what: string, addresses: readonly string[]];

function refusals(refusedById: Readonly<Record<string, Refused>>) {
  const cases = Object.entries(refusedById).map(([id, [what, addresses]]) => {
    const item = {
      title: `Nothing is sent to ${what}`,
      section: ORIGINS,
      run: (client: ClientUnderTest) =>
        expectEach(addresses, async (address) => {
          const app = connect(client, { address });
          const sync = await app.sync(`a sync with "${address}"`, listing([LAST_EVENT]));
          expectNoRequest(sync);
          expectSyncKind(sync, "address-refused");
        }),
    };
    return [id, item] as const;
  });
  return Object.fromEntries(cases);
}
