/** The HMAC of a backup: every line is covered, so none can be added, changed, moved or removed. */
import { createHmac, timingSafeEqual } from "node:crypto";
import {
  BackupRefusedError,
  type Authenticity,
  type BackupAuthentication,
  type BackupHeader,
  type BackupKey,
} from "./backup-format.ts";

/** Finds the key that a backup may be authenticated with; null when there is none. */
export type FindBackupKey = (header: BackupHeader) => Promise<BackupKey | null>;

export function authenticationOf(key: BackupKey | null): BackupAuthentication | null {
  return key === null ? null : { algorithm: "hmac-sha256", keyId: key.id };
}

const HMAC_LINE = /^\s*\{\s*"hmac"/;

export function createBackupMac({ secret }: BackupKey) {
  const hmac = createHmac("sha256", secret);
  return {
    update: (line: string | Uint8Array): void => void hmac.update(line).update("\n"),
    /** The last line of the file. */
    finish: () => JSON.stringify({ hmac: hmac.digest("hex") }),
  };
}

export type BackupAuthenticator = ReturnType<typeof createBackupAuthenticator>;

/** Checks the HMAC of a backup whose header says how it is authenticated. */
export function createBackupAuthenticator({ keyId }: BackupAuthentication, key: BackupKey | null) {
  const mac = key !== null && key.id === keyId ? createBackupMac(key) : null;
  return {
    update: (line: Uint8Array): void => mac?.update(line),
    /** Compares with the last line; throws a BackupRefusedError when it does not fit. */
    check(last: Uint8Array): Authenticity {
      if (!HMAC_LINE.test(Buffer.from(last).toString("latin1"))) {
        throw new BackupRefusedError("It is not complete: its HMAC is missing");
      }
      if (mac === null) {
        return key === null
          ? { kind: "unchecked", reason: "no-key" }
          : { kind: "unauthentic", reason: "other-key" };
      }
      // The line must be as it was written: another spelling of the same HMAC is a change, too.
      const expected = Buffer.from(mac.finish());
      if (expected.length === last.length && timingSafeEqual(expected, last)) {
        return { kind: "authentic" };
      }
      throw new BackupRefusedError(
        "It is not authentic: it was changed after it was written. Use another backup, and find out who could write to this one",
      );
    },
  };
}

/** The authenticity of a file that has no HMAC. Removing it from a file must not make that one pass. */
export function unauthenticated(key: BackupKey | null): Authenticity {
  return { kind: key === null ? "unchecked" : "unauthentic", reason: "written-without-key" };
}
