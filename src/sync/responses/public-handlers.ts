/** The public routes, which say what an instance is: they need no store, except for what they ask of one. */
import { CHALLENGE_HEADER } from "../../contract/server-proof.ts";
import type { SyncProfile } from "../../contract/sync/operation-limits.ts";
import type { SYNC_ROUTES } from "../../contract/sync/routes.ts";
import { PROTOCOL_VERSION, type SyncLimits } from "../../contract/sync/values.ts";
import type { Handlers } from "../../http/create-http-service.ts";
import { jsonResponse, type HttpResponse } from "../../http/response.ts";
import { passkeysAvailable } from "../../identity/passkeys/relying-party.ts";
import type { CreateServerProof } from "../../identity/server-proof.ts";

export interface PublicHandlerSettings {
  readonly baseUrl: string;
  readonly displayName: string;
  readonly limits: Omit<SyncLimits, "authorizePerMinute">;
  readonly profile: SyncProfile;
  prove(
    ...asked: Parameters<CreateServerProof>
  ): ReturnType<CreateServerProof> | Promise<ReturnType<CreateServerProof>>;
  /** Rejects when the store cannot be used. */
  ping(): Promise<void>;
  /** Whether the account exists. */
  isInitialized(): Promise<boolean>;
}

type PublicRoute = "getHealth" | "getCapabilities" | "getInstanceInfo";

export function createPublicHandlers(
  settings: PublicHandlerSettings,
): Pick<Handlers<typeof SYNC_ROUTES>, PublicRoute> {
  const { displayName, baseUrl } = settings;
  const capabilities = describeCapabilities(settings);
  const health = JSON.stringify({ status: "ok", version: PROTOCOL_VERSION });
  return {
    async getHealth(_input, context) {
      await settings.ping();
      const challenge = context.header(CHALLENGE_HEADER.toLowerCase());
      return jsonResponse(200, health, await settings.prove(challenge));
    },
    getCapabilities: () => capabilities,
    getInstanceInfo: async () =>
      json({
        protocolVersion: PROTOCOL_VERSION,
        name: displayName,
        baseUrl,
        initialized: await settings.isInitialized(),
      }),
  };
}

export function json(value: unknown): HttpResponse {
  return jsonResponse(200, JSON.stringify(value));
}

function describeCapabilities({ baseUrl, limits, profile }: PublicHandlerSettings): HttpResponse {
  return json({
    protocolVersion: PROTOCOL_VERSION,
    authentication: {
      authorizationCode: true,
      pkceMethods: ["S256"],
      refreshRotation: true,
      displayName: true,
      passkeys: passkeysAvailable(baseUrl),
    },
    sync: {
      push: true,
      pull: true,
      snapshotRecovery: true,
      maximumPushOperations: limits.maxPushOperations,
      maximumPullOperations: limits.maxPullOperations,
      maximumBodyBytes: limits.maxBodyBytes,
      changes: true,
      profile,
    },
  });
}
