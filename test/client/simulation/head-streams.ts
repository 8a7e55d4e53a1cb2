/**
 * `GET /v1/changes` as the simulation serves it: the streams of the real service run on the timers of
 * the platform, and so would not follow from a seed. Sessions are checked by the real service.
 */
import type { AppProcess } from "./app-process.ts";
import type { Dice } from "./dice.ts";
import { BASE_URL, type SimulatedServer } from "./simulated-server.ts";
import type { VirtualTime } from "./virtual-time.ts";

export interface HeadStreams {
  open(request: StreamRequest): void;
  /** The head may have moved. */
  announce(): Promise<void>;
  /** The server has ended, or has ended sessions. */
  endAll(): void;
}

export interface StreamRequest {
  readonly process: AppProcess;
  readonly init: RequestInit;
  resolve(response: Response): void;
  fail(): void;
}

interface OpenStream {
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
  sentHead: string | null;
}

const COMMENT_MS = 25_000;

export function createHeadStreams({
  time,
  dice,
  server,
}: {
  readonly time: VirtualTime;
  readonly dice: Dice;
  readonly server: SimulatedServer;
}): HeadStreams {
  const streams = new Set<OpenStream>();

  function end(stream: OpenStream): void {
    if (!streams.delete(stream)) return;
    try {
      stream.controller.error(new TypeError("terminated"));
    } catch {
      // The client has closed it.
    }
  }

  function send(stream: OpenStream, text: string): void {
    time.schedule(dice.below(50), () => {
      if (streams.has(stream)) stream.controller.enqueue(Buffer.from(text));
    });
  }

  function sendHead(stream: OpenStream, head: string): void {
    if (stream.sentHead === head) return;
    stream.sentHead = head;
    send(stream, `event: head\ndata: ${JSON.stringify({ cursor: head })}\n\n`);
  }

  function keepAlive(stream: OpenStream): void {
    time.schedule(COMMENT_MS, () => {
      if (!streams.has(stream)) return;
      send(stream, ":\n\n");
      keepAlive(stream);
    });
  }

  async function accept({ process, init, resolve, fail }: StreamRequest): Promise<void> {
    if (!server.isUp()) return fail();
    const request = new Request(`${BASE_URL}/v1/device`, { headers: init.headers ?? {} });
    const { status } = await server.handle(request);
    if (status !== 200) return resolve(new Response("{}", { status }));
    const head = await server.head();
    const stream: { opened?: OpenStream } = {};
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        stream.opened = { controller, sentHead: null };
      },
      cancel: () => void (stream.opened && streams.delete(stream.opened)),
    });
    const { opened } = stream;
    if (opened === undefined || init.signal?.aborted === true || !process.isAlive()) return;
    streams.add(opened);
    const close = () => end(opened);
    process.onEnd(close);
    init.signal?.addEventListener("abort", close);
    resolve(new Response(body, { status }));
    sendHead(opened, head);
    keepAlive(opened);
    // Connections do not last.
    time.schedule(dice.between(1, 600) * 1000, close);
  }

  return {
    open: (request) => void time.schedule(dice.below(50), () => accept(request)),
    async announce() {
      if (streams.size === 0) return;
      const head = await server.head();
      for (const stream of streams) sendHead(stream, head);
    },
    endAll() {
      for (const stream of streams) end(stream);
    },
  };
}
