/** The section `http`. */
import Type from "typebox";
import { closed, withDefault } from "./settings.ts";

const seconds = (value: number, description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 3600, default: value, description }));

export const HttpSection = Type.Object(
  {
    maxHeaderBytes: Type.Optional(
      Type.Integer({ minimum: 8192, maximum: 1_048_576, ...withDefault(16_384) }),
    ),
    headerTimeoutSeconds: seconds(15, "How long a client may take to send its headers"),
    requestTimeoutSeconds: seconds(30, "How long a client may take to send its whole request"),
    keepAliveSeconds: seconds(
      65,
      "Longer than the idle time of common proxies, so that they close first",
    ),
    maxConnections: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000_000, ...withDefault(1024) }),
    ),
    stopSeconds: seconds(10, "How long running requests may finish after a stop signal"),
  },
  { ...closed, ...withDefault({}), description: "Limits of every listener" },
);
