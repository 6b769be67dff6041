import type pg from 'pg';
import type { Liveness } from '../db/liveness.ts';
import type { ApiKey } from '../http/declare/api-key.ts';
import type { TeamRole } from '../http/declare/team-mark.ts';
import { ipMatcher } from './ip-networks.ts';

export interface KnownKey extends ApiKey {
  /** Seconds since 1970, or null. */
  readonly expires: number | null;
  /** Whether its client is one that is let in. */
  readonly open: boolean;
  /** Whether it may be used from that address; absent where it may be from everywhere. */
  readonly admits?: (ip: string) => boolean;
}
export interface KnownSession {
  readonly session_id: string;
  readonly user_id: number | null;
  readonly userx_id: number | null;
  readonly client_id: number | null;
  readonly role: 'user' | 'admin' | null;
  /** What an admin is in their team; null of an owner by default. */
  readonly team_role: TeamRole | null;
  readonly active: boolean;
  /** Whether the user's client is one that is let in. */
  readonly open: boolean;
  readonly revoked: boolean;
  /** How it was proven: see `SessionOwner`. */
  readonly method: string;
  /** Whether its user has a second factor now. */
  readonly second_factor: boolean;
  /** Whether the account is being closed. */
  readonly closing: boolean;
}

export type CredentialKind = 'key' | 'session' | 'user' | 'userx' | 'client';

/** Who a key or a session belongs to, remembered until the database says that it changed. */
export interface CredentialCache {
  /** The key with that SHA-256, without asking the database; undefined when it would have to. */
  cachedKey(hash: string): KnownKey | undefined;
  /** The session of that id, likewise. */
  cachedSession(session_id: string): KnownSession | undefined;
  findKey(hash: string): Promise<KnownKey | undefined>;
  findSession(session_id: string): Promise<KnownSession | undefined>;
  /** With a change of this process, also before its commit; the next request then sees it. */
  forget(kind: CredentialKind, id: string | number): void;
  close(): Promise<void>;
}

const REMEMBERED_MAX = 50_000;
/** How long nothing new is remembered of what was forgotten: its transaction may still be open. */
const SETTLING_MS = 1000;

/** The database announces changes by NOTIFY (see tell_identity_changed); without it nothing is cached. */
export async function createCredentialCache(
  pool: pg.Pool,
  presence: Pick<Liveness, 'listen'>,
): Promise<CredentialCache> {
  const keys = new Map<string, KnownKey>();
  const sessions = new Map<string, KnownSession>();
  let generation = 0;
  const forgetAll = () => {
    generation += 1;
    keys.clear();
    sessions.clear();
  };
  const settling = createSettling();
  const drop: CredentialCache['forget'] = (kind, id) => {
    generation += 1;
    dropFrom(keys, sessions, kind, String(id));
  };
  const hear = hearing(drop);
  const notices = await presence.listen({ channel: 'identity', hear, lost: forgetAll });

  /** Keeps what was read unless something changed while it was being read. */
  async function remember<T extends Owner>(
    known: Map<string, T>,
    kind: CredentialKind,
    id: string,
    read: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const cached = known.get(id);
    if (cached !== undefined && notices.isListening) return cached;
    const before = generation;
    const found = await read();
    const settled = !settling.has(kind, id) && !settling.hasOwner(found);
    if (found !== undefined && settled && notices.isListening && generation === before)
      keep(known, id, found);
    return found;
  }

  return {
    cachedKey: (hash) => (notices.isListening ? keys.get(hash) : undefined),
    cachedSession: (id) => (notices.isListening ? sessions.get(id) : undefined),
    findKey: (hash) => remember(keys, 'key', hash, () => readKey(pool, hash)),
    findSession: (id) => remember(sessions, 'session', id, () => readSession(pool, id)),
    forget(kind, id) {
      drop(kind, id);
      settling.add(kind, id);
    },
    close: () => notices.close(),
  };
}

const hearing =
  (drop: CredentialCache['forget']) =>
  (payload: string): void => {
    const [kind, id = ''] = payload.split(':');
    if (isCredentialKind(kind)) drop(kind, id);
  };

/** What was forgotten a moment ago. */
function createSettling() {
  const marks = new Map<string, NodeJS.Timeout>();
  return {
    add(kind: CredentialKind, id: string | number): void {
      const mark = `${kind}:${id}`;
      clearTimeout(marks.get(mark));
      marks.set(mark, setTimeout(() => marks.delete(mark), SETTLING_MS).unref());
    },
    has: (kind: CredentialKind, id: string): boolean => marks.has(`${kind}:${id}`),
    hasOwner: (found: Owner | undefined): boolean =>
      marks.has(`user:${found?.user_id}`) ||
      marks.has(`userx:${found?.userx_id}`) ||
      marks.has(`client:${found?.client_id}`),
  };
}

function dropFrom(
  keys: Map<string, KnownKey>,
  sessions: Map<string, KnownSession>,
  kind: CredentialKind,
  id: string,
): void {
  if (kind === 'key') keys.delete(id);
  else if (kind === 'session') sessions.delete(id);
  else if (kind === 'userx') deleteWhere(sessions, ({ userx_id }) => userx_id === Number(id));
  else {
    const isTheirs = (one: Owner) =>
      (kind === 'client' ? one.client_id : one.user_id) === Number(id);
    deleteWhere(sessions, isTheirs);
    deleteWhere(keys, isTheirs);
  }
}

function deleteWhere<T>(known: Map<string, T>, gone: (one: T) => boolean): void {
  for (const [id, one] of known) if (gone(one)) known.delete(id);
}

/** Whose a key or session is; a change of theirs is a change of it. */
interface Owner {
  readonly user_id: number | null;
  readonly userx_id?: number | null;
  readonly client_id: number | null;
}

const KINDS: readonly string[] = [
  'key',
  'session',
  'user',
  'userx',
  'client',
] satisfies CredentialKind[];
const isCredentialKind = (kind = ''): kind is CredentialKind => KINDS.includes(kind);

async function readKey(pool: pg.Pool, hash: string): Promise<KnownKey | undefined> {
  const { rows } = await pool.query<KnownKey>(
    `select k.key_id, k.key_prefix as prefix, k.client_id, k.user_id, k.scopes, k.api_version,
            k.allowed_ips, k.rate_per_minute, k.kept_role,
            case when u.role = 'admin' then coalesce(u.team_role, 'owner') end as team_role,
            extract(epoch from k.expires_at)::float8 as expires,
            coalesce(client_is_open(c.client_status), true) as open
       from api_keys k left join clients c using (client_id) left join users u using (user_id) where k.key_hash = decode($1, 'hex')`,
    [hash],
  );
  const [key] = rows;
  return key?.allowed_ips ? { ...key, admits: ipMatcher(key.allowed_ips) } : key;
}

async function readSession(pool: pg.Pool, id: string): Promise<KnownSession | undefined> {
  const { rows } = await pool.query<KnownSession>(
    `select s.session_id, s.method, s.user_id, s.userx_id, u.client_id, u.role, u.team_role,
            coalesce(u.user_status, x.userx_status) = 'ACTIVE' as active,
            coalesce(client_is_open(c.client_status), true) as open,
            s.revoked_at is not null as revoked, coalesce(u.twofa_enabled, false) as second_factor,
            coalesce(a.status in ('CLOSING', 'ERASING'), false) as closing
       from sessions s left join users u using (user_id) left join clients c using (client_id)
       left join userx x using (userx_id) left join account_closings a on a.user_id = s.user_id
      where s.session_id = $1`,
    [id],
  );
  return rows[0];
}

/** In place of the one that was kept first, where there are too many. */
function keep<T>(known: Map<string, T>, id: string, found: T): void {
  if (known.size >= REMEMBERED_MAX) known.delete(known.keys().next().value ?? '');
  known.set(id, found);
}
