/** Authorization server metadata (RFC 8414). */
import { EVENTS_ROUTES } from "../../../contract/events/routes.ts";
import type { ServerMetadata } from "../../../contract/events/schemas.ts";
import { SCOPE } from "../../../contract/events/values.ts";

/** `issuer` is the public origin without a trailing slash, and the `iss` of redirects. */
export function createServerMetadata(issuer: string, hasPasskeys: boolean): ServerMetadata {
  return {
    issuer,
    authorization_endpoint: `${issuer}${EVENTS_ROUTES.getAuthorizePage.path}`,
    token_endpoint: `${issuer}${EVENTS_ROUTES.redeemCode.path}`,
    revocation_endpoint: `${issuer}${EVENTS_ROUTES.revokeToken.path}`,
    scopes_supported: [SCOPE],
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code"],
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    trellis_passkeys_supported: hasPasskeys,
  };
}
