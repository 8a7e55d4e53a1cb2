/** A pooler that gives every transaction to one of its sessions, as PgBouncer in transaction mode. */
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import {
  createMessageReader,
  isSslRequest,
  toMessage,
  type PostgresMessage,
} from "./postgres-messages.ts";
import type { CleanUp } from "../fixtures/clean-up.ts";

export interface PoolerSettings {
  /** Which of its idle sessions gets the next transaction. */
  readonly order: "the last one first" | "in turn";
  readonly sessions?: number;
  /** Whether a session forgets after each transaction what was set or prepared in it. */
  readonly forgets?: boolean;
  /** Of each connection of a client. */
  readonly createTap?: () => Tap;
}

/** Changes what goes through. */
export interface Tap {
  toServer(message: PostgresMessage): Uint8Array;
  toClient(message: PostgresMessage): Uint8Array;
}

interface Session {
  readonly socket: Socket;
  /** Gets the messages of the server. */
  onMessage: (message: PostgresMessage) => void;
}

const READY_WHEN_IDLE = toMessage("Z", "I");
const AUTHENTICATED = Buffer.concat([
  toMessage("R", "\0\0\0\0"),
  toMessage("K", "\0\0\0\x01\0\0\0\x01"),
  READY_WHEN_IDLE,
]);
const PASS: Tap = { toServer: ({ bytes }) => bytes, toClient: ({ bytes }) => bytes };

/** Returns the address of the pooler. */
export async function startFakePooler(
  t: CleanUp,
  url: string,
  settings: PoolerSettings,
): Promise<string> {
  const { sessions: size = 2, createTap = () => PASS } = settings;
  const sockets = new Set<Socket>();
  const opened = await Promise.all(Array.from({ length: size }, () => openSession(url)));
  const sessions = createSessions(opened, settings);
  for (const { socket } of opened) sockets.add(socket);
  // Messages are written one by one, and would wait for each other's acknowledgement.
  const pooler = createServer({ noDelay: true }, (client) => {
    sockets.add(client);
    serve(client, sessions, createTap());
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

interface Sessions {
  /** Calls its argument with a session, as soon as one is idle. */
  take(onSession: (session: Session) => void): void;
  release(session: Session): void;
}

function createSessions(
  opened: readonly Session[],
  { order, forgets = false }: PoolerSettings,
): Sessions {
  const idle = [...opened];
  const waiting: ((session: Session) => void)[] = [];
  const give = (session: Session) => {
    const next = waiting.shift();
    if (next === undefined) idle.push(session);
    else next(session);
  };
  return {
    take(onSession) {
      const session = order === "in turn" ? idle.shift() : idle.pop();
      if (session === undefined) waiting.push(onSession);
      else onSession(session);
    },
    release(session) {
      if (forgets) runThen(session, "discard all", "DISCARD ALL", () => give(session));
      else give(session);
    },
  };
}

/** Calls its last argument when the session is idle after a statement that ends with `tag`, whatever it had to do before. */
function runThen(session: Session, sql: string, tag: string, onEnd: () => void): void {
  let isDone = false;
  session.onMessage = ({ type, body, bytes }) => {
    isDone ||= type === "C" && body.toString("latin1") === `${tag}\0`;
    if (isDone && bytes.equals(READY_WHEN_IDLE)) onEnd();
  };
  session.socket.write(toMessage("Q", `${sql}\0`));
}

function serve(client: Socket, sessions: Sessions, tap: Tap): void {
  let session: Session | null = null;
  let isEnded = false;
  /** What the client has sent while no session was idle; null when it waits for none. */
  let unsent: Uint8Array[] | null = null;

  function onMessage(message: PostgresMessage): void {
    client.write(tap.toClient(message));
    if (!message.bytes.equals(READY_WHEN_IDLE) || session === null) return;
    sessions.release(session);
    session = null;
  }

  function send(bytes: Uint8Array): void {
    if (session !== null) return void session.socket.write(bytes);
    if (unsent !== null) return void unsent.push(bytes);
    unsent = [bytes];
    sessions.take((taken) => {
      const all = unsent ?? [];
      unsent = null;
      if (isEnded) return sessions.release(taken);
      session = taken;
      taken.onMessage = onMessage;
      for (const each of all) taken.socket.write(each);
    });
  }

  /** A client that ends within a transaction leaves it behind. */
  function end(): void {
    isEnded = true;
    if (session === null) return;
    const left = session;
    session = null;
    runThen(left, "rollback", "ROLLBACK", () => sessions.release(left));
  }

  client.on("error", () => {}).on("close", end);
  const read = createMessageReader("client", (message) => {
    if (message.type === "") client.write(isSslRequest(message) ? "N" : AUTHENTICATED);
    else if (message.type === "X") client.end();
    else send(tap.toServer(message));
  });
  client.on("data", read);
}

async function openSession(url: string): Promise<Session> {
  const { port, username, password, pathname } = new URL(url);
  const socket = connect({ port: Number(port), host: "127.0.0.1", noDelay: true });
  await once(socket, "connect");
  const ready = Promise.withResolvers<void>();
  const session: Session = {
    socket: socket.on("error", () => {}),
    onMessage: ({ type, body, bytes }) => {
      // AuthenticationCleartextPassword
      if (type === "R" && body.readUInt32BE(0) === 3) socket.write(toMessage("p", `${password}\0`));
      if (bytes.equals(READY_WHEN_IDLE)) ready.resolve();
    },
  };
  socket.on(
    "data",
    createMessageReader("server", (message) => session.onMessage(message)),
  );
  const parameters = `user\0${username}\0database\0${pathname.slice(1)}\0\0`;
  socket.write(toMessage("", `\0\x03\0\0${parameters}`));
  await ready.promise;
  return session;
}
