/** What a service says of its accounts; all else about them is the same in each service. */
import type { SignInPurpose } from "../../contract/identity.ts";
import type { RandomBytes } from "../../rules/web-crypto.ts";
import type { AccountLink } from "../account-links.ts";
import type { Account } from "../accounts.ts";
import type {
  BrowserRequest,
  BrowserSession,
  BrowserSessionRecords,
  BrowserSessionSettings,
  RequestHeaders,
} from "../browser-sessions.ts";
import type { IdentityRecords } from "../identity-records.ts";
import type { InstanceKey } from "../instance-key.ts";
import type { SecurityEvent } from "../security-event.ts";
import type { SignInAdmissionSettings } from "../sign-in-admission.ts";

export interface AccountRecords {
  readonly identity: IdentityRecords;
}

/** What an operator's commands need of a service, too. */
export interface AccountRealm<Records extends AccountRecords> {
  /** Separates the accounts of the service from those of others in the same database. */
  readonly realm: string;
  /** Whether there is one account at most. */
  readonly hasOneAccount: boolean;
  sessionsOf(records: Records): BrowserSessionRecords;
  /** Ends the codes from which others could still get access, after a change of the password. */
  endCodes(records: Records, account: AccountName): Promise<void>;
  /** Ends all access beside the sessions of browsers, codes included. Returns how many devices or apps had it. */
  endAccess(records: Records, account: AccountName): Promise<number>;
  /** Called in the transaction that creates an account. */
  onCreated?(records: Records, account: Account, timeZone: string | null): Promise<void>;
}

export interface ServiceAccounts<Records extends AccountRecords>
  extends
    AccountRealm<Records>,
    Pick<BrowserSessionSettings<Records>, "sameSite" | "idleSeconds" | "absoluteSeconds"> {
  /** What a password proof signs: `trellis-sync-login`. */
  readonly purpose: string;
  /** The name of the service in the names of its cookies. */
  readonly cookieName: string;
  readonly knownBrowser: KnownBrowserStorage;
  /** What a sign-in on a page is for, by the id of the interaction. */
  findTarget(interaction: string, request: AccountRequest): SignInTarget;
  /** The path of the page of the ways in, which shows the notice. */
  noticePath(notice: WaysInNotice, request: AccountRequest): string;
  /** Where a person is after a link was used; null without such a page, and then no session is opened. */
  readonly homePath: string | null;
  resetEndsAccess(link: Extract<AccountLink, { kind: "reset" }>): boolean;
}

export interface AccountAccessSettings<Records extends AccountRecords> {
  readonly service: ServiceAccounts<Records>;
  readonly store: {
    transaction<T>(
      work: (records: Records) => Promise<T>,
      options?: { readonly mayBeLost?: boolean },
    ): Promise<T>;
    /** A session that is live at `now`. */
    findSession(sessionHash: string, now: number): Promise<BrowserSession | null>;
    /** Reads that do not wait for writers. */
    readonly reads: SignInAdmissionSettings["reads"];
  };
  readonly instanceKey: InstanceKey;
  /** The public address of the service. */
  readonly baseUrl: string;
  readonly displayName: string;
  /** Sign-ins that a client, or its networks together, may begin. */
  readonly limiter: SignInAdmissionSettings["limiter"];
  readonly randomBytes: RandomBytes;
  readonly onSecurityEvent: ((event: SecurityEvent) => void) | undefined;
  now(): number;
}

/** Where a browser keeps the value by which it is known: a cookie, or the storage of the page. */
export interface KnownBrowserStorage {
  read(request: RequestHeaders): string | null;
  keep(value: string): {
    readonly headers?: Readonly<Record<string, string>>;
    readonly cookies?: readonly string[];
  };
}

export interface SignInTarget {
  /** The path to go to after the sign-in. */
  readonly next: string;
  readonly purpose: Extract<SignInPurpose, "app" | "page">;
}

export type WaysInNotice = "password-changed" | "password-set" | "passkey-added";

export type AccountName = Pick<Account, "accountId" | "username">;

export interface AccountRequest extends BrowserRequest {
  /** The query as it came. */
  readonly search: string;
  clientAddress(): string;
}

/** What a request comes to; the service puts it into its own envelope. */
export type AccountResponse =
  | {
      readonly kind: "done";
      readonly body: object;
      readonly headers: Readonly<Record<string, string>>;
      readonly cookies: readonly string[];
    }
  | {
      readonly kind: "refused";
      readonly code: "csrf_failed" | "invalid_request" | "authentication_failed";
      /** Instead of the text of the code. */
      readonly reason?: string;
    }
  | { readonly kind: "rate-limited"; readonly retryAfterSeconds: number }
  /** The service has no passkeys. */
  | { readonly kind: "unknown-path" };

export type Refused = Extract<AccountResponse, { kind: "refused" }>;

export function refuse(code: Refused["code"], reason?: string): Refused {
  return { kind: "refused", code, ...(reason !== undefined && { reason }) };
}

/** `kept` is what the browser keeps, to be a known one; `session` the cookie of a new session, if there is one. */
export function respond(
  body: object,
  kept: ReturnType<KnownBrowserStorage["keep"]> = {},
  session: readonly string[] = [],
): AccountResponse {
  const { headers = {}, cookies = [] } = kept;
  return { kind: "done", body, headers, cookies: [...session, ...cookies] };
}
