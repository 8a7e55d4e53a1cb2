import { pushTexts } from "./operations.ts";

/** As it is written to a socket: the push of a device with this number. */
export function createPushRequest(
  device: string,
  push: number,
  { host = "127.0.0.1", token }: { readonly host?: string; readonly token: string },
): Buffer {
  const body = `{"operations":[${pushTexts(device, push).join(",")}]}`;
  return Buffer.from(
    `POST /v1/push HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
