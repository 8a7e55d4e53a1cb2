import Type from "typebox";
import { closedObject } from "../contract/closed-object.ts";
import { SYNC_PROFILES } from "../contract/sync/operation-limits.ts";
import { DEFAULT_SYNC_LIMITS, SYNC_LIMIT_RANGES } from "../contract/sync/values.ts";
import {
  BackupSection,
  hostKeyFile,
  instanceKeyFile,
  integer,
  listenAddress,
  name,
  store,
  text,
  texts,
} from "./configuration-fields.ts";

const RedirectUri = Type.Union([
  Type.String({ minLength: 1 }),
  closedObject({
    uri: Type.String({ minLength: 1 }),
    delivery: Type.Enum(["query", "fragment"], { type: "string" }),
  }),
]);

const syncLimit = (limit: keyof typeof SYNC_LIMIT_RANGES, description: string) => {
  const { minimum, maximum } = SYNC_LIMIT_RANGES[limit];
  return integer(minimum, maximum, DEFAULT_SYNC_LIMITS[limit], description);
};

const SyncLimitsSection = closedObject(
  {
    maxBodyBytes: syncLimit("maxBodyBytes", "Largest request body"),
    maxPushOperations: syncLimit("maxPushOperations", "Operations in a push"),
    maxPullOperations: syncLimit("maxPullOperations", "Operations on a page"),
    authorizePerMinute: syncLimit(
      "authorizePerMinute",
      "Sign-ins begun in a minute, per client network or known browser",
    ),
  },
  { default: {}, description: "Limits that devices learn from /v1/capabilities, and of sign-ins" },
);

const quotaLimit = (maximum: number, description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum, description }));

const QuotaSection = closedObject(
  {
    bytes: quotaLimit(
      Number.MAX_SAFE_INTEGER,
      "The size at which the store refuses pushes; absent: no limit",
    ),
    devices: quotaLimit(100_000, "How many devices may be signed in; absent: no limit"),
  },
  { default: {}, description: "What an instance may use" },
);

/** `default` is that of a field that an instance may leave out. */
const profile = (rules: { readonly default?: string }) =>
  Type.Optional(
    Type.Enum([...SYNC_PROFILES], {
      type: "string",
      ...rules,
      description:
        "Which entities are accepted: those of a habit tracker, any, or only those that apps encrypt end to end",
    }),
  );

const redirectUris = (rules: { readonly default?: string[] }) =>
  Type.Optional(
    Type.Array(RedirectUri, {
      minItems: 1,
      ...rules,
      description:
        'Where a sign-in may end; compared as exact strings. { "uri": …, "delivery": "fragment" } gets the code behind #, not in the query',
    }),
  );

/** The settings that differ between the instances of one server; the others are those of `sync`. */
export const InstanceSection = closedObject(
  {
    baseUrl: Type.String({
      description:
        "Public address, without a path; its host chooses the instance. https, or http on loopback",
    }),
    displayName: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: "The name of the instance on its sign-in page",
      }),
    ),
    redirectUris: redirectUris({}),
    corsOrigins: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        description: "Exact origins of pages that may use the instance",
      }),
    ),
    ownerPage: Type.Optional(
      Type.Boolean({
        description: "Whether / is a page for the owner",
      }),
    ),
    limits: Type.Optional(SyncLimitsSection),
    quota: Type.Optional(QuotaSection),
    profile: profile({}),
    suspended: Type.Optional(
      Type.Boolean({
        description: "The instance is not served: devices retry later, and nothing is removed",
      }),
    ),
  },
  { description: "A personal instance; keys that it omits are taken from sync" },
);

export const INSTANCE_NAME_PATTERN = "^[a-z0-9][a-z0-9-]{0,62}$";

/** The instances by name; an instance's folder has the same name. */
export const Instances = Type.Record(
  Type.String({ pattern: INSTANCE_NAME_PATTERN }),
  InstanceSection,
  {
    additionalProperties: false,
    description:
      "Personal instances by name (lower-case letters, digits and hyphens), chosen by the host of a request; absent: those of `trellis sync instance add`, or one instance without a name",
  },
);

export const SyncSection = closedObject(
  {
    listen: listenAddress(4811),
    baseUrl: text("Public address; https, or http on loopback", {
      default: "http://localhost:4811",
    }),
    displayName: name("The name of this instance on the sign-in page", "My sync"),
    redirectUris: redirectUris({ default: ["http://localhost:43823/callback"] }),
    allowedSchemes: texts("Private-use schemes without a dot that redirect URIs may use"),
    corsOrigins: texts("Exact origins of pages that may use the service"),
    headerPrefix: text("The instance's name in the CSRF header: Service makes X-Service-CSRF", {
      pattern: "^[A-Za-z0-9-]{1,64}$",
      default: "Service",
    }),
    limits: Type.Optional(SyncLimitsSection),
    quota: Type.Optional(QuotaSection),
    profile: profile({ default: "habits" }),
    ownerPage: Type.Optional(
      Type.Boolean({
        default: true,
        description: "Whether / is a page for the owner: devices, storage, export, password",
      }),
    ),
    store: store("sync.db"),
    instanceKeyFile,
    hostKeyFile,
    instances: Type.Optional(Instances),
    maxOpen: integer(
      1,
      100_000,
      500,
      "Instances whose stores are open at once; one that is idle is closed for another",
    ),
    backup: Type.Optional(BackupSection),
  },
  { description: "The personal sync service" },
);
