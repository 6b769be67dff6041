import type { TeamRole } from './team-mark.ts';

/** An API key, as a request brings it. */
export interface ApiKey {
  readonly key_id: number;
  /** Its first characters, by which people tell keys apart. */
  readonly prefix?: string;
  /** Whose key it is; null for an anonymous one. */
  readonly client_id: number | null;
  readonly user_id: number | null;
  /** What its maker is in their team now; null where it was made by a user or by an application. */
  readonly team_role?: TeamRole | null;
  /** What an earlier holder was, who has left the team: it does no more than that either. */
  readonly kept_role?: TeamRole | null;
  readonly scopes: readonly string[];
  /** The version of the API that it was made for. */
  readonly api_version?: string;
  /** From where it may be used; everywhere where there is no list. */
  readonly allowed_ips?: readonly string[] | null;
  /** How often in a minute, where it has a rate of its own. */
  readonly rate_per_minute?: number | null;
}
