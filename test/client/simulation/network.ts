/** The network between the devices and the server: it loses, delays, repeats and cuts what it carries. */
import type { SyncClientOptions } from "../../../src/client/index.ts";
import type { AppProcess } from "./app-process.ts";
import type { Dice } from "./dice.ts";
import { createHeadStreams, type HeadStreams } from "./head-streams.ts";
import { BASE_URL, type SimulatedServer } from "./simulated-server.ts";
import type { VirtualTime } from "./virtual-time.ts";
import type { WireRecord } from "./wire-record.ts";

export type Fetch = NonNullable<SyncClientOptions["fetch"]>;

/** The connection of one device. */
export interface Link {
  quality: "good" | "bad" | "offline";
  /** Whether what a sign-in asks first gets its response at once: its WebCrypto takes real time. */
  isDirect?: boolean;
}

export interface Network {
  fetchOf(process: AppProcess, link: Link): Fetch;
  readonly streams: HeadStreams;
}

export interface NetworkOptions {
  readonly time: VirtualTime;
  readonly dice: Dice;
  readonly server: SimulatedServer;
  readonly wire: WireRecord;
  /** A proxy before the server takes no greater body; null without one. */
  readonly proxyBytes: number | null;
  readonly trace: (line: string) => void;
}

const FATES = {
  delivered: 44,
  "lost request": 14,
  "silent request": 2,
  "lost response": 12,
  "cut response": 6,
  "silent response": 3,
  repeated: 10,
  late: 5,
  "login page": 2,
  overloaded: 2,
} as const;
type Fate = keyof typeof FATES;

/** Before the server has seen the request. */
const NOT_DELIVERED: ReadonlySet<Fate> = new Set([
  "lost request",
  "silent request",
  "login page",
  "overloaded",
]);

const ASKED_FIRST: ReadonlySet<string> = new Set([
  "/v1/instance-info",
  "/v1/capabilities",
  "/v1/authorize",
]);

interface SentRequest {
  readonly url: string;
  readonly init: RequestInit;
  readonly label: string;
  readonly fate: Fate;
  resolve(response: Response): void;
  fail(): void;
}

interface ReceivedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export function createNetwork(options: NetworkOptions): Network {
  const { time, dice, server, wire, trace } = options;
  const proxyBytes = options.proxyBytes ?? Infinity;
  const streams = createHeadStreams(options);
  const delay = (fate: Fate) => (fate === "late" ? dice.between(5_000, 50_000) : dice.below(80));

  async function deliver({ url, init, label }: SentRequest): Promise<ReceivedResponse | null> {
    if (!server.isUp()) return null;
    if (Buffer.byteLength(String(init.body ?? "")) > proxyBytes) return tooLarge();
    const response = await server.handle(new Request(url, { ...init, signal: null }));
    const bytes = new Uint8Array(await response.arrayBuffer());
    const { status, headers } = response;
    trace(`${label} is received: ${status}`);
    wire.noteResponse(label, status, Buffer.from(bytes).toString());
    if (label.endsWith("POST /v1/keys")) wire.noteKey(status, init);
    if (label.endsWith("/v1/push")) {
      wire.notePush(status, init);
      await streams.announce();
    }
    return { status, headers, bytes };
  }

  async function arrive(sent: SentRequest): Promise<void> {
    const { fate } = sent;
    const received = await deliver(sent);
    if (fate === "repeated") {
      time.schedule(dice.pick([5, 500, 150_000]), async () => void (await deliver(sent)));
    }
    if (fate === "silent response") return;
    time.schedule(delay(fate), () => {
      if (received === null || fate === "lost response") return sent.fail();
      sent.resolve(toResponse(received, fate === "cut response"));
    });
  }

  function begin(sent: SentRequest): void {
    const { fate } = sent;
    if (fate === "silent request") return;
    time.schedule(delay(fate), () => {
      if (!NOT_DELIVERED.has(fate)) return arrive(sent);
      if (fate === "lost request") return sent.fail();
      sent.resolve(fate === "overloaded" ? overloaded(dice) : loginPage());
    });
  }

  return {
    streams,
    fetchOf: (process, link) => (url, init) => {
      const path = url.slice(BASE_URL.length).replace(/\?.*/, "");
      const label = `${process.name} ${init.method ?? "GET"} ${path}`;
      wire.noteRequest(url, init);
      const { promise, resolve, reject } = Promise.withResolvers<Response>();
      const fail = () => reject(new TypeError("fetch failed"));
      const fate = link.quality === "bad" ? dice.weighted(FATES) : "delivered";
      const signal = init.signal ?? new AbortController().signal;
      const abort = () => reject(signal.reason as Error);
      signal.addEventListener("abort", abort);
      if (signal.aborted) abort();
      else if (link.quality === "offline") fail();
      else if (path === "/v1/changes") streams.open({ process, init, resolve, fail });
      else if (link.isDirect === true && ASKED_FIRST.has(path)) {
        void deliver({ url, init, label, fate, resolve, fail }).then((received) =>
          received === null ? fail() : resolve(toResponse(received, false)),
        );
      } else {
        if (fate !== "delivered") trace(`${label} will be: ${fate}`);
        begin({ url, init, label, fate, resolve, fail });
      }
      return process.whileAlive(promise);
    },
  };
}

function toResponse({ status, headers, bytes }: ReceivedResponse, isCut: boolean): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(isCut ? bytes.subarray(0, bytes.length >> 1) : bytes);
      if (isCut) controller.error(new TypeError("terminated"));
      else controller.close();
    },
  });
  return new Response(body, { status, headers });
}

function tooLarge(): ReceivedResponse {
  const envelope = { error: "payload_too_large", message: "Too large", requestId: "12345678" };
  const bytes = new Uint8Array(Buffer.from(JSON.stringify(envelope)));
  return { status: 413, headers: new Headers(), bytes };
}

function overloaded(dice: Dice): Response {
  const status = dice.pick([429, 502, 503]);
  const bytes = Buffer.from("<h1>Too much to do</h1>");
  const headers = new Headers({ "Retry-After": String(dice.below(30)) });
  return toResponse({ status, headers, bytes: new Uint8Array(bytes) }, false);
}

/** As the network of a hotel responds in place of every server. */
function loginPage(): Response {
  const bytes = new Uint8Array(Buffer.from("<h1>Welcome to the hotel</h1>"));
  return toResponse({ status: 200, headers: new Headers(), bytes }, false);
}
