declare module "simple-oauth2" {
  interface Settings {
    readonly client: { readonly id: string; readonly secret: string };
    readonly auth: {
      readonly tokenHost: string;
      readonly tokenPath: string;
      readonly revokePath: string;
      readonly authorizePath: string;
    };
    readonly options: { readonly authorizationMethod: "body" | "header" };
  }

  export interface AccessToken {
    readonly token: {
      readonly access_token: string;
      readonly token_type: string;
      readonly scope: string;
      readonly expires_at: Date;
    };
    expired(windowSeconds?: number): boolean;
    revoke(type: "access_token"): Promise<unknown>;
  }

  export class AuthorizationCode {
    constructor(settings: Settings);
    authorizeURL(parameters: Readonly<Record<string, string>>): string;
    getToken(parameters: Readonly<Record<string, string>>): Promise<AccessToken>;
    createToken(token: { readonly access_token: string }): AccessToken;
  }
}

declare module "passport-oauth2" {
  interface Settings {
    readonly authorizationURL: string;
    readonly tokenURL: string;
    readonly clientID: string;
    readonly clientSecret: string;
    readonly callbackURL: string;
    readonly scope: string;
    readonly state: boolean;
    readonly pkce: boolean;
  }

  export interface StrategyRequest {
    readonly query: Readonly<Record<string, string>>;
    readonly session: Record<string, unknown>;
  }

  /** Passport gives these to a copy of the strategy for each request. */
  export interface StrategyActions {
    redirect(address: string): void;
    success(user: unknown, info: unknown): void;
    fail(challenge: unknown, status?: number): void;
    error(error: unknown): void;
  }

  export class Strategy {
    constructor(
      settings: Settings,
      verify: (
        accessToken: string,
        refreshToken: string | undefined,
        profile: unknown,
        done: (error: unknown, user: unknown) => void,
      ) => void,
    );
    /** For subclasses, to read with the token. */
    protected readonly _oauth2: {
      useAuthorizationHeaderforGET(isUsed: boolean): void;
      get(
        address: string,
        accessToken: string,
        done: (error: unknown, body?: string | Buffer) => void,
      ): void;
    };
    authenticate(request: StrategyRequest): void;
  }

  export class TokenError extends Error {
    readonly code: string;
  }
}

declare module "oidc-provider" {
  import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

  export interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }

  export class Provider {
    constructor(issuer: string, configuration: object);
    readonly Grant: new (given: { readonly accountId: string; readonly clientId: string }) => Grant;
    callback(): RequestListener;
    interactionDetails(
      request: IncomingMessage,
      response: ServerResponse,
    ): Promise<{ readonly params: { readonly client_id: string } }>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
    ): Promise<void>;
  }
}
