/** The header of a backup is checked whole before anything of it is used or shown. */
import Type from "typebox";
import { createChecker } from "../../contract/check.ts";
import { isObject } from "../../contract/is-object.ts";
import { sealedKeySchema } from "../../contract/sealed-key.ts";
import { describeVersion } from "../../database/product-stamp.ts";
import {
  BackupRefusedError,
  describeTables,
  type BackupFormat,
  type BackupHeader,
} from "./backup-format.ts";

const MAX_PRODUCT = 100;

const HEADER = createChecker(
  Type.Object({
    format: Type.String(),
    version: Type.Integer(),
    createdAt: Type.String({ format: "date-time" }),
    product: Type.String({ maxLength: MAX_PRODUCT }),
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
  const writer =
    typeof product === "string"
      ? `version ${describeVersion(product.slice(0, MAX_PRODUCT))}`
      : "an unknown version";
  if (typeof version === "number" && !isRead(version, format)) {
    throw new BackupRefusedError(
      `It has format ${version} and was written by ${writer}; version ${describeVersion()} reads ${format.firstVersion} to ${format.version}: restore it with the program that wrote it`,
    );
  }
  if (!HEADER.is(header)) {
    const [error] = HEADER.errors(header);
    throw new BackupRefusedError(`Its header is not valid: ${error?.path} ${error?.problem}`);
  }
  if (JSON.stringify(header.tables) !== JSON.stringify(describeTables(format, header.version))) {
    throw new BackupRefusedError(
      `Its tables are not those of format ${header.version}: it was written by ${writer}, which was no release; restore it with that program`,
    );
  }
  return header;
}

function isRead(version: number, format: BackupFormat): boolean {
  return version >= format.firstVersion && version <= format.version;
}
