/** A legitimate device in a process of its own: it pulls on one connection, one request after the other. */
import { handleOrders } from "../processes.ts";
import { openLoadConnection, type Connection } from "../send-requests.ts";

export interface ReaderOrder {
  readonly port: number;
  /** The request as it is written to the socket. */
  readonly request: string;
  readonly seconds: number;
}

export interface ReaderResult {
  readonly seconds: number;
  /** The number of 2xx responses. */
  readonly pulls: number;
  /** The number of all other responses, and of connections that the server closed. */
  readonly refused: number;
  readonly serverErrors: number;
  /** The time of each response, in milliseconds. */
  readonly latencies: readonly number[];
}

handleOrders(run);

async function run({ port, request, seconds }: ReaderOrder): Promise<ReaderResult> {
  const bytes = Buffer.from(request);
  const startedAt = performance.now();
  const until = startedAt + seconds * 1000;
  const latencies: number[] = [];
  let [pulls, refused, serverErrors] = [0, 0, 0];
  let connection: Connection | null = null;
  for (let sentAt = startedAt; sentAt < until; sentAt = performance.now()) {
    try {
      connection ??= await openLoadConnection(port);
      const { status } = await connection.ask(bytes);
      if (status >= 200 && status < 300) pulls++;
      else refused++;
      if (status >= 500) serverErrors++;
      latencies.push(performance.now() - sentAt);
    } catch {
      refused++;
      connection?.socket.destroy();
      connection = null;
    }
  }
  connection?.socket.destroy();
  return {
    seconds: (performance.now() - startedAt) / 1000,
    pulls,
    refused,
    serverErrors,
    latencies,
  };
}
