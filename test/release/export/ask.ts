/** One request, sent as it is written: no target is normalised on the way. */
import { request } from "node:http";

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Question {
  readonly target: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function ask(port: number, { target, method = "GET", headers = {} }: Question) {
  return new Promise<Reply>((resolve, reject) => {
    const sent = request(
      { host: "127.0.0.1", port, path: target, method, headers, agent: false },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("end", () =>
          resolve({
            status: incoming.statusCode ?? 0,
            headers: Object.fromEntries(
              Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
            ),
            body: Buffer.concat(chunks).toString("utf8"),
          }),
        );
      },
    );
    sent.on("error", reject);
    sent.end();
  });
}
