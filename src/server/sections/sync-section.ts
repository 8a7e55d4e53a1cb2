/** The section `sync`. */
import Type from "typebox";
import { SYNC_PROFILES } from "../../contract/sync/operation-limits.ts";
import { DEFAULT_SYNC_LIMITS, SYNC_LIMIT_RANGES } from "../../contract/sync/values.ts";
import { closed, instanceKeyFile, listen, store, withDefault } from "./settings.ts";

const limit = (name: keyof typeof SYNC_LIMIT_RANGES, description: string) =>
  Type.Optional(
    Type.Integer({
      ...SYNC_LIMIT_RANGES[name],
      ...withDefault(DEFAULT_SYNC_LIMITS[name]),
      description,
    }),
  );

const RedirectUri = Type.Union([
  Type.String({ minLength: 1 }),
  Type.Object(
    {
      uri: Type.String({ minLength: 1 }),
      delivery: Type.Enum(["query", "fragment"], { type: "string" }),
    },
    closed,
  ),
]);

export const SyncSection = Type.Object(
  {
    listen: listen(4811),
    baseUrl: Type.Optional(
      Type.String({
        ...withDefault("http://localhost:4811"),
        description: "Public address; https, or http on loopback",
      }),
    ),
    displayName: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        ...withDefault("My sync"),
        description: "What the sign-in page calls this instance",
      }),
    ),
    redirectUris: Type.Optional(
      Type.Array(RedirectUri, {
        minItems: 1,
        ...withDefault(["http://localhost:43823/callback"]),
        description: "Where a sign-in may end; matched as whole texts",
      }),
    ),
    allowedSchemes: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        ...withDefault([]),
        description: "Private-use schemes without a dot that are meant",
      }),
    ),
    corsOrigins: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        ...withDefault([]),
        description: "Exact origins of pages that may use the service",
      }),
    ),
    headerPrefix: Type.Optional(
      Type.String({
        pattern: "^[A-Za-z0-9-]{1,64}$",
        ...withDefault("Service"),
        description: "letters, digits and hyphens: Service makes X-Service-CSRF",
      }),
    ),
    limits: Type.Optional(
      Type.Object(
        {
          maxBodyBytes: limit("maxBodyBytes", "Largest request body"),
          maxPushOperations: limit("maxPushOperations", "Operations in a push"),
          maxPullOperations: limit("maxPullOperations", "Operations on a page"),
        },
        { ...closed, ...withDefault({}) },
      ),
    ),
    profile: Type.Optional(
      Type.Enum([...SYNC_PROFILES], {
        type: "string",
        ...withDefault("habits"),
        description: "Which entities are known; open takes any",
      }),
    ),
    store: store("sqlite:./data/sync.db"),
    instanceKeyFile: instanceKeyFile(),
  },
  { ...closed, description: "The personal sync service" },
);
