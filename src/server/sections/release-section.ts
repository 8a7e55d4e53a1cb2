/** The section `release`. */
import Type from "typebox";
import { closed, listen, SECRET, withDefault } from "./settings.ts";

export const ReleaseSection = Type.Object(
  {
    listen: listen(4801),
    baseUrl: Type.Optional(
      Type.String({
        ...withDefault("http://localhost:4801"),
        description: "Public address of the API; https, or http on loopback",
      }),
    ),
    smartDownload: Type.Optional(
      Type.Object(
        {
          listen: listen(4802),
          url: Type.Optional(
            Type.String({
              ...withDefault("http://localhost:4802"),
              description: "Public address of the smart-download origin",
            }),
          ),
        },
        { ...closed, ...withDefault({}) },
      ),
    ),
    websiteDownloadUrl: Type.Optional(
      Type.String({
        ...withDefault("http://localhost:4803/#download"),
        description: "Where the selector sends a visitor whose platform is unknown",
      }),
    ),
    environment: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        ...withDefault("development"),
        description: "Shown by /health",
      }),
    ),
    catalog: Type.Optional(
      Type.String({ minLength: 1, ...withDefault("./catalog"), description: "Catalogue folder" }),
    ),
    rateLimit: Type.Optional(
      Type.Object(
        {
          requests: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
          windowSeconds: Type.Integer({ minimum: 1, maximum: 86_400 }),
        },
        { ...closed, description: "Per client address; absent: no limit, a CDN stands in front" },
      ),
    ),
    keyPassphrase: Type.Optional(
      Type.String({
        minLength: 1,
        ...SECRET,
        description: "Opens an encrypted signing key when nobody is there to type it",
      }),
    ),
  },
  { ...closed, description: "The release service" },
);
