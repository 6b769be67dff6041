export const ROLES = ['owner', 'developer', 'finance', 'support', 'viewer'] as const;
export type TeamRole = (typeof ROLES)[number];

/** An admin of the reader's own client. */
export interface Colleague {
  readonly user_id: number;
  readonly username: string;
  readonly email: string;
  readonly team_role: TeamRole;
  readonly user_status: string;
  readonly second_factor: boolean;
  readonly role_since: string | null;
  readonly approves_from: string | null;
}

export interface Invitation {
  readonly invitation_id: string;
  readonly email: string;
  readonly team_role: TeamRole;
  readonly invited_by: number;
  readonly expires_at: string;
}

export interface RequestQuery {
  readonly limit?: number;
  readonly cursor?: string;
  readonly path?: string;
  readonly error_code?: string;
  readonly status?: number;
}

/** A request to the API, as it is kept for a week. */
export interface RequestLine {
  readonly request_id: string;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  readonly error_code: string | null;
  readonly key_prefix: string | null;
  readonly user_id: number | null;
  readonly idempotency: string;
}

export interface NamedPerson {
  readonly user_id: number;
  readonly username: string;
  readonly client_id: number;
  readonly organisation: string;
}

export interface AuditEntry {
  readonly id: number;
  readonly action: string;
  readonly client_id: number | null;
  readonly actor_user_id: number | null;
  readonly actor_username: string;
  readonly subject_user_id: number | null;
  readonly details: unknown;
  readonly ip: string | null;
  readonly request_id: string | null;
  readonly at: string;
}
