/** A proxy before PostgreSQL that counts how often a client waits for the server. */
import type { TestContext } from "node:test";
import { createMessageReader } from "./postgres-messages.ts";
import { startProxy } from "./start-proxy.ts";

export interface RoundTrips {
  /** The address of the store through the proxy. */
  readonly url: string;
  /** Of all connections since the last call; without those for which no client waits, and commits of readers. */
  take(): { readonly trips: number; readonly commits: number };
}

/** Notifications, and the lease of the process, which it renews each second. */
const BACKGROUND = /pg_notify|trellis_process/;
/** What the server responds to as a whole: a simple query, the end of a pipeline, and a flush. */
const REQUESTS = new Set(["Q", "S", "H"]);
/** A statement is prepared under a name, with which it is bound. */
const STATEMENTS = new Set(["P", "B"]);
/** The end of a response. The response to a flush ends with a description, of rows or of none. */
const READY = "Z";
const DESCRIBED = new Set(["T", "n"]);

export async function countRoundTrips(t: TestContext, url: string): Promise<RoundTrips> {
  let [trips, commits] = [0, 0];
  const proxy = await startProxy(t, url, () => {
    /** The requests that the server has not responded to. */
    const open: string[] = [];
    const textByName = new Map<string, string>();
    let text = "";
    let isReading = false;
    return {
      onClientData: createMessageReader("client", ({ type, body }) => {
        if (STATEMENTS.has(type)) {
          const [first = "", second = ""] = body.toString("latin1").split("\0", 2);
          if (type === "P") textByName.set(first, second);
          text = textByName.get(type === "P" ? first : second) ?? "";
        }
        if (!REQUESTS.has(type)) return;
        if (type === "Q") text = body.toString("latin1");
        // A client that sends while it waits for another response does not wait once more.
        if (open.length === 0 && !BACKGROUND.test(text)) trips++;
        open.push(type);
        if (text.startsWith("begin")) isReading = text.includes("read only");
        if (type === "Q" && text.startsWith("commit") && !isReading) commits++;
      }),
      onServerData: createMessageReader("server", ({ type }) => {
        const isResponse = open[0] === "H" ? DESCRIBED.has(type) : type === READY;
        if (isResponse) open.shift();
      }),
    };
  });
  return {
    // The question for TLS is a message of another form.
    url: `${proxy.url}?sslmode=disable`,
    take() {
      const taken = { trips, commits };
      [trips, commits] = [0, 0];
      return taken;
    },
  };
}
