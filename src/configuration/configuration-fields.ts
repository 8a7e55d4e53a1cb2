/** Kinds of keys in the configuration file, each with its bounds and its default. */
import Type from "typebox";
import { closedObject } from "../contract/closed-object.ts";

/** Marks a value that stays out of every output and may be given as a file. */
export const secret = { "x-secret": true } as const;

interface TextOptions {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly default?: string;
  readonly "x-default"?: string;
  readonly "x-secret"?: true;
}

export const text = (description: string, options: TextOptions) =>
  Type.Optional(Type.String({ ...options, description }));

export const name = (description: string, value: string) =>
  text(description, { minLength: 1, maxLength: 100, default: value });

export const texts = (description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1 }), { default: [], description }));

export const integer = (minimum: number, maximum: number, value: number, description: string) =>
  Type.Optional(Type.Integer({ minimum, maximum, default: value, description }));

export const onByDefault = (description: string) =>
  Type.Optional(Type.Boolean({ default: true, description }));

export const seconds = (value: number, description: string) => integer(1, 3600, value, description);

export const listenAddress = (port: number) =>
  Type.Optional(
    closedObject(
      {
        host: text("IP address or host name of this machine; 0.0.0.0 or :: for all its addresses", {
          minLength: 1,
          default: "127.0.0.1",
        }),
        port: integer(0, 65_535, port, "TCP port; 0 takes any free one"),
      },
      { default: {}, description: "The address that the listener binds" },
    ),
  );

/** A default inside `dataDir`, so that `dataDir` alone moves all private files. */
export const inDataDir = (value: string) => ({ "x-default": value, minLength: 1 });

export const store = (file: string) =>
  text(`sqlite:PATH or a postgres:// address (default: ${file} in dataDir)`, {
    ...inDataDir(`sqlite:{dataDir}/${file}`),
    ...secret,
  });

export const instanceKeyFile = text(
  "32 secret bytes, created on first use; never inside the database that it protects (default: instance.key in dataDir)",
  inDataDir("{dataDir}/instance.key"),
);

export const hostKeyFile = text(
  "The key of a host whose instances are in a PostgreSQL database, where their keys are sealed under it; the same file on each machine, created by the first `trellis sync instance add` (default: host.key in dataDir)",
  inDataDir("{dataDir}/host.key"),
);

const kept = (value: number, period: string) =>
  integer(0, 1000, value, `Keep the last backup of this many ${period}`);

export const BackupSection = closedObject(
  {
    every: Type.Optional(
      Type.Enum(["hour", "day", "week"], {
        type: "string",
        default: "day",
        description: "One backup per hour, day or week (from Monday), in UTC",
      }),
    ),
    keep: Type.Optional(
      closedObject(
        { daily: kept(7, "days"), weekly: kept(5, "weeks"), monthly: kept(12, "months") },
        {
          default: {},
          description: "Other backups are deleted once they are a day old, but never the newest",
        },
      ),
    ),
    to: text(
      "A folder, or s3://bucket/prefix with the credentials in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
      { minLength: 1, default: "./backups" },
    ),
    encryptTo: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        minItems: 1,
        description:
          "Public keys of age (age1…) that all backups are encrypted to; absent: not encrypted",
      }),
    ),
  },
  { description: "Backups that the server makes while it runs; absent: none" },
);
