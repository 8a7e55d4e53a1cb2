// Generated from the schemas by scripts/contract-types.ts; do not edit.

type ChangePasswordBegin = {
  action: "begin";
  csrf: string;
};

export type ChangePasswordBody = ChangePasswordBegin | ChangePasswordComplete;

export type ChangePasswordComplete = {
  action: "complete";
  csrf: string;
  challengeId: string;
  clientNonce: string;
  proof: string;
  verifier: {
    salt: string;
    iterations: number;
    storedKey: string;
    serverKey: string;
  };
  disconnectApps: boolean;
};

export type DeletedEvent = {
  id: string;
  type: "info";
  subject_name: null;
  title: null;
  date: null;
  /** As before the deletion */
  created_at: string | null;
  deleted: true;
};

export type EventList = {
  events: (WireEvent | DeletedEvent)[];
  /** Whether there are more events than the limit */
  has_more: boolean;
  /** The updated_since of the next request, with which no change is missed */
  next_updated_since: string;
  /** The clock of the service */
  server_time: string;
};

export type EventsError = {
  error:
    | "invalid_request"
    | "invalid_grant"
    | "unsupported_grant_type"
    | "interaction_expired"
    | "invalid_client"
    | "invalid_token"
    | "authentication_failed"
    | "insufficient_scope"
    | "csrf_failed"
    | "not_found"
    | "method_not_allowed"
    | "temporarily_unavailable"
    | "server_error";
  error_description: string;
};

export type EventsHealth = {
  status: "ok";
  version: 1;
};

export type EventsTokenResponse = {
  access_token: string;
  token_type: "Bearer";
  /** Seconds until an unused token expires; each use extends it */
  expires_in: number;
  scope: "read:events";
};

export type ServerMetadata = {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  revocation_endpoint: string;
  scopes_supported: "read:events"[];
  response_types_supported: "code"[];
  response_modes_supported: "query"[];
  grant_types_supported: "authorization_code"[];
  token_endpoint_auth_methods_supported: "none"[];
  revocation_endpoint_auth_methods_supported: "none"[];
  code_challenge_methods_supported: "S256"[];
  authorization_response_iss_parameter_supported: true;
};

export type WireEvent = {
  /** Never changes */
  id: string;
  /** Known types are homework, exam, test, presentation, info; others are possible */
  type: string;
  /** A school subject, a team, a calendar */
  subject_name: string | null;
  /** What is to be done */
  title: string | null;
  /** YYYY-MM-DD for a whole day, else RFC 3339 with the offset of its zone */
  date: string | null;
  /** RFC 3339; never changes */
  created_at: string | null;
};
