/** A pooler that gives every transaction to one of its two sessions, as PgBouncer in transaction mode. */
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import type { TestContext } from "node:test";

/** Which of its idle sessions gets the next transaction. */
export type SessionOrder = "the last one first" | "in turn";

interface Session {
  readonly socket: Socket;
  /** Gets the messages of the server. */
  onMessage: (message: Buffer) => void;
}

const SSL_REQUEST = 80_877_103;
const READY_WHEN_IDLE = Buffer.from("Z\0\0\0\x05I", "latin1");
const AUTHENTICATED = Buffer.concat([
  Buffer.from("R\0\0\0\x08\0\0\0\0", "latin1"),
  Buffer.from("K\0\0\0\x0c\0\0\0\x01\0\0\0\x01", "latin1"),
  READY_WHEN_IDLE,
]);

/** Returns the address of the pooler. */
export async function startFakePooler(
  t: Pick<TestContext, "after">,
  url: string,
  order: SessionOrder,
): Promise<string> {
  const idle = [await openSession(url), await openSession(url)];
  const sockets = idle.map(({ socket }) => socket);
  const take = () => (order === "in turn" ? idle.shift() : idle.pop());
  const pooler = createServer((client) => {
    sockets.push(client);
    serve(client, take, (session) => idle.push(session));
  });
  pooler.listen(0, "127.0.0.1");
  await once(pooler, "listening");
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    pooler.close();
  });
  const address = new URL(url);
  address.port = String((pooler.address() as AddressInfo).port);
  return address.href;
}

function serve(
  client: Socket,
  take: () => Session | undefined,
  release: (session: Session) => void,
): void {
  let session: Session | undefined;
  let isStarted = false;
  const onMessage = (message: Buffer) => {
    client.write(message);
    if (!message.equals(READY_WHEN_IDLE) || session === undefined) return;
    release(session);
    session = undefined;
  };
  client.on("error", () => {});
  readMessages(
    client,
    () => (isStarted ? 1 : 0),
    (message) => {
      if (!isStarted) {
        isStarted = message.readUInt32BE(4) !== SSL_REQUEST;
        client.write(isStarted ? AUTHENTICATED : "N");
      } else if (message[0] === "X".charCodeAt(0)) {
        client.end();
      } else {
        session ??= take();
        if (session === undefined) return void client.destroy();
        session.onMessage = onMessage;
        session.socket.write(message);
      }
    },
  );
}

async function openSession(url: string): Promise<Session> {
  const { port, username, password, pathname } = new URL(url);
  const socket = connect(Number(port), "127.0.0.1");
  await once(socket, "connect");
  const ready = Promise.withResolvers<void>();
  const session: Session = {
    socket: socket.on("error", () => {}),
    onMessage: (message) => {
      // AuthenticationCleartextPassword
      if (message[0] === "R".charCodeAt(0) && message.readUInt32BE(5) === 3) {
        socket.write(Buffer.concat([Buffer.from("p"), withLength(`${password}\0`)]));
      }
      if (message.equals(READY_WHEN_IDLE)) ready.resolve();
    },
  };
  readMessages(
    socket,
    () => 1,
    (message) => session.onMessage(message),
  );
  const parameters = `user\0${username}\0database\0${pathname.slice(1)}\0\0`;
  socket.write(withLength(`\0\x03\0\0${parameters}`));
  await ready.promise;
  return session;
}

/** The length counts its own four bytes. */
function withLength(body: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length + 4);
  return Buffer.concat([length, Buffer.from(body, "latin1")]);
}

/** `typeBytes` stand before the length of a message: none at the start of a connection. */
function readMessages(
  socket: Socket,
  typeBytes: () => number,
  onMessage: (message: Buffer) => void,
): void {
  let bytes = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    for (;;) {
      const prefix = typeBytes();
      if (bytes.length < prefix + 4) return;
      const length = prefix + bytes.readUInt32BE(prefix);
      if (bytes.length < length) return;
      const message = bytes.subarray(0, length);
      bytes = bytes.subarray(length);
      onMessage(message);
    }
  });
}
