/**
 * Opens the socket of a connection, with TLS as the address asks for it. The client library would go on
 * with a handshake after a server has refused TLS, and cannot verify the certificate of an IP address.
 */
import { readFileSync } from "node:fs";
import { connect as connectSocket, isIP, type Socket } from "node:net";
import { connect as connectTls, type ConnectionOptions } from "node:tls";
import { StorageUnavailableError } from "./database.ts";
import { isUnixSocket, type PostgresServer, type TlsSettings } from "./postgres-address.ts";

/** https://www.postgresql.org/docs/current/protocol-message-formats.html: SSLRequest */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);
const TLS_OFFERED = "S".charCodeAt(0);
const TLS_REFUSED = "N".charCodeAt(0);

/**
 * The library sends a commit behind a write only when the socket's buffer has room for more than the
 * write, which may have the pushes of a whole group.
 */
const BUFFER = { highWaterMark: 32 * 1024 * 1024 };

export async function openPostgresSocket(
  server: PostgresServer,
  tls: TlsSettings,
  timeoutMs: number,
): Promise<Socket> {
  const { host, port } = server;
  const options = isUnixSocket(server) ? null : createTlsOptions(tls, host);
  const socket = connectSocket({
    ...(isUnixSocket(server) ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }),
    // Without this option the system keeps a commit until the server has confirmed the write before it.
    noDelay: true,
    ...BUFFER,
  });
  const timer = setTimeout(() => socket.destroy(timeoutError()), timeoutMs);
  try {
    await nextEvent(socket, "connect");
    return options === null ? socket : await startTls(socket, tls, options);
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

export function timeoutError(): StorageUnavailableError {
  return new StorageUnavailableError("the server does not respond");
}

async function startTls(
  socket: Socket,
  { mode }: TlsSettings,
  options: ConnectionOptions,
): Promise<Socket> {
  socket.write(SSL_REQUEST);
  const response = (await nextEvent(socket, "data")) as Buffer;
  // More bytes would later be taken for encrypted ones.
  if (response.length > 1) {
    throw new StorageUnavailableError(
      "something between this machine and the server changes the connection: find out what it is",
    );
  }
  if (response[0] === TLS_OFFERED) return encrypt(socket, options);
  if (response[0] === TLS_REFUSED && mode === "prefer") return socket;
  throw new StorageUnavailableError(
    `the server offers no TLS, which sslmode=${mode} asks for: turn on ssl at the server`,
  );
}

async function encrypt(socket: Socket, options: ConnectionOptions): Promise<Socket> {
  const encrypted = connectTls({ ...options, ...BUFFER, socket });
  try {
    await nextEvent(encrypted, "secureConnect");
    return encrypted;
  } catch (error) {
    encrypted.destroy();
    throw toTlsError(error);
  }
}

/** Null without TLS. As in libpq, `require` verifies the certificate when it has an authority. */
function createTlsOptions(
  { mode, rootCertificates }: TlsSettings,
  host: string,
): ConnectionOptions | null {
  if (mode === "disable") return null;
  // Without a name to send, the certificate is verified against the host.
  const options = isIP(host) === 0 ? { host, servername: host } : { host };
  if (mode === "prefer" || (mode === "require" && rootCertificates === null)) {
    return { ...options, rejectUnauthorized: false };
  }
  return {
    ...options,
    ...(rootCertificates === null ? {} : { ca: readCertificates(rootCertificates) }),
    ...(mode === "verify-full" ? {} : { checkServerIdentity: () => undefined }),
  };
}

/** Reads the certificates at every connection, so that a new file needs no restart. */
function readCertificates(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StorageUnavailableError(
      `the file of sslrootcert, ${path}, cannot be read (${code}): correct its path or its permissions`,
    );
  }
  if (text.includes("-----BEGIN CERTIFICATE-----")) return text;
  throw new StorageUnavailableError(
    `the file of sslrootcert, ${path}, has no certificate: it must be in PEM format`,
  );
}

const CERTIFICATE_ERRORS: Readonly<Record<string, string>> = {
  ERR_TLS_CERT_ALTNAME_INVALID:
    "the server's certificate is for another host name: use a name that it has, or give the server a certificate for this one",
  CERT_HAS_EXPIRED: "the server's certificate has expired: give the server a new one",
  CERT_NOT_YET_VALID: "the server's certificate is not valid yet: compare the clocks",
};
const UNTRUSTED = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "CERT_SIGNATURE_FAILURE",
]);

function toTlsError(error: unknown): unknown {
  if (error instanceof StorageUnavailableError) return error;
  const code = String((error as NodeJS.ErrnoException).code);
  const known = CERTIFICATE_ERRORS[code];
  if (known !== undefined) return new StorageUnavailableError(`${known} (${code})`);
  return new StorageUnavailableError(
    UNTRUSTED.has(code)
      ? `the server's certificate is not from an authority that is trusted: set sslrootcert to the certificate of its authority (${code})`
      : `the TLS handshake with the server failed (${code})`,
  );
}

/** Resolves with the first argument of an event; rejects when the socket fails or is closed before. */
function nextEvent(socket: Socket, event: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const end = () => {
      socket.off(event, onEvent).off("error", onError).off("close", onClose);
      // An error between two listeners must not end the process.
      socket.on("error", () => {});
    };
    const onEvent = (value: unknown) => (end(), resolve(value));
    const onError = (error: Error) => (end(), reject(error));
    const onClose = () => onError(new StorageUnavailableError("the connection was closed"));
    socket.once(event, onEvent).once("error", onError).once("close", onClose);
  });
}
