/** The header of a backup is checked whole before anything of it is used or shown. */
import Type from "typebox";
import { createChecker } from "../../contract/check.ts";
import { isObject } from "../../contract/is-object.ts";
import { sealedKeySchema } from "../../contract/sealed-key.ts";
import {
  BackupRefusedError,
  describeTables,
  type BackupFormat,
  type BackupHeader,
} from "./backup-format.ts";

const HEADER = createChecker(
  Type.Object({
    format: Type.String(),
    version: Type.Integer(),
    createdAt: Type.String({ format: "date-time" }),
    product: Type.String({ maxLength: 100 }),
    tables: Type.Record(Type.String(), Type.Array(Type.String())),
    instanceKey: Type.Union([Type.Null(), sealedKeySchema]),
    authentication: Type.Union([
      Type.Null(),
      Type.Object({ algorithm: Type.Literal("hmac-sha256"), keyId: Type.String() }),
    ]),
  }),
);

/** Throws a BackupRefusedError. */
export function parseHeader(header: unknown, format: BackupFormat): BackupHeader {
  if (!isObject(header) || header["format"] !== format.name) {
    throw new BackupRefusedError(`It is not a backup of ${format.owner}`);
  }
  const { version, product } = header;
  // The rest of another version's header may differ.
  if (typeof version === "number" && version !== format.version) {
    const writer = typeof product === "string" ? ` (${product})` : "";
    throw new BackupRefusedError(
      `It has version ${version}, and this program reads version ${format.version}: use the program that wrote it${writer}`,
    );
  }
  if (!HEADER.is(header)) {
    const [error] = HEADER.errors(header);
    throw new BackupRefusedError(`Its header is not valid: ${error?.path} ${error?.problem}`);
  }
  if (JSON.stringify(header.tables) !== JSON.stringify(describeTables(format))) {
    throw new BackupRefusedError("Its tables are not those of its version");
  }
  return header;
}
