/** The owner's page, and the pages that links of the operator open. They are not in the API document: `/v1` is the whole API. */
import Type from "typebox";
import { languageParameter } from "../language-parameter.ts";
import {
  AddPasskeyBody,
  AddPasskeyResponse,
  PasskeySignInBody,
  PasskeySignInResponse,
} from "../passkey-pages.ts";
import { ProofResponse, SignInBody } from "../password-proof.ts";
import { createRoutes, type DeclaredRoute } from "../route.ts";
import { signInLinkRoutes } from "../sign-in-link.ts";
import { welcomeRoutes } from "../welcome.ts";
import { ChangePasswordBody, ChangePasswordResponse } from "./owner-schemas.ts";
import { MAX_OWNER_BODY_BYTES, OWNER_TABS } from "./owner-values.ts";

const HTML = { description: "An HTML document", schema: Type.String(), mediaType: "text/html" };
const SEE_OTHER = { description: "To the page" };
/** The language that was chosen on the page, and its open tab, which its addresses keep. */
const query = {
  lang: languageParameter("invalid_request"),
  tab: {
    schema: Type.Enum([...OWNER_TABS], { type: "string" }),
    description: "The part of the owner's page; the devices when it is absent",
    invalid: "invalid_request",
  },
} as const;
const posted = <const P extends string, const S extends Type.TSchema>(
  path: P,
  summary: string,
  schema: S,
  response: Type.TSchema,
) =>
  ({
    method: "POST",
    path,
    summary,
    query,
    body: {
      schema,
      mediaType: "application/json",
      maxBytes: MAX_OWNER_BODY_BYTES,
      invalid: "invalid_request",
    },
    responses: { 200: { description: "A challenge, or the next path", schema: response } },
  }) as const;
/** A stranger may send many requests, so they are limited before their bodies are read. */
const limited = { rateLimit: { name: "signIn", by: "stranger" } } as const;

export const OWNER_ROUTES = createRoutes({ origin: "sync" }, {
  getOwnerPage: {
    method: "GET",
    path: "/",
    summary: "One tab of devices, sign-in, data and history; before sign-in, the form of it",
    query,
    // Clients that are no browsers get 404, whatever their query.
    reads: "raw",
    responses: { 200: HTML },
  },
  changeOwner: {
    method: "POST",
    path: "/",
    summary: "Change devices, browsers or passkeys, sign out, or delete everything",
    query,
    reads: "raw",
    responses: { 303: SEE_OTHER, 400: HTML, 403: HTML },
  },
  ownerSignIn: {
    ...posted("/owner/sign-in", "Begin or complete a password proof", SignInBody, ProofResponse),
    ...limited,
  },
  ownerPasskeySignIn: {
    ...posted(
      "/owner/passkey",
      "Begin or complete a sign-in with a passkey",
      PasskeySignInBody,
      PasskeySignInResponse,
    ),
    ...limited,
  },
  changeOwnerPassword: posted(
    "/owner/password",
    "Change the password, or set the first one",
    ChangePasswordBody,
    ChangePasswordResponse,
  ),
  addOwnerPasskey: posted(
    "/owner/passkeys",
    "Begin or complete the addition of a passkey",
    AddPasskeyBody,
    AddPasskeyResponse,
  ),
  exportEntities: {
    method: "GET",
    path: "/owner/export.json",
    summary: "Every live entity, as a file",
    query,
    responses: { 200: { description: "The export", schema: Type.Unknown() }, 303: SEE_OTHER },
  },
} as const satisfies Record<string, DeclaredRoute>);

/** Also without the owner's page: the sign-in page of apps knows the browser, too. */
export const LINK_ROUTES = createRoutes(
  { origin: "sync" },
  { ...signInLinkRoutes, ...welcomeRoutes },
);
