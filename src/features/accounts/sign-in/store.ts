import { type TryRow, triesOf } from '#features/accounts/password-guesses/password-guesses.ts';
import { NOT_SUBMITTED } from '#features/accounts/verification/verification.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';

type Known = Row<
  'users',
  | 'user_id'
  | 'email'
  | 'username'
  | 'phone'
  | 'role'
  | 'user_status'
  | 'twofa_enabled'
  | 'tos_version'
>;
type Client = Row<
  'clients',
  'client_id' | 'client_type' | 'client_status' | 'ekyc_status' | 'ekyb_status'
>;

/** The data of a user that a log-in needs and answers. */
export type Login = Known &
  // Null also where it has lapsed.
  Row<'users', 'password_hash'> & {
    /** We made and mailed the password, and the user has not changed it yet. */
    readonly temporary: boolean;
    /** The status of the individual verification, also where none has begun. */
    readonly verification: string;
    readonly client: Client;
    /** Whether the status of the client lets it in. */
    readonly client_open: boolean;
  };

/** How many users of one name a log-in tries: each costs a password hash, and a step has few. */
const CANDIDATES_MAX = 5;

const LOGIN = `
  select u.user_id, u.email, u.username, u.phone, u.role, u.user_status,
         u.twofa_enabled, u.tos_version, t.user_id is not null as temporary,
         case when t.used_at is null and t.lapses_at <= $1 then null
              else u.password_hash end as password_hash,
         coalesce(v.status, '${NOT_SUBMITTED}') as verification,
         jsonb_build_object('client_id', c.client_id, 'client_type', c.client_type,
           'client_status', c.client_status, 'ekyc_status', c.ekyc_status,
           'ekyb_status', c.ekyb_status) as client,
         client_is_open(c.client_status) as client_open
    from users u
    join clients c using (client_id)
    left join temporary_passwords t on t.user_id = u.user_id
    left join verifications v on v.user_id = u.user_id and v.kind = 'KYC'`;

/** A candidate with the try at their password; none where no user has the name. */
export type Candidate = TryRow & { readonly login: Login | null };

/**
 * Users of that e-mail or username with the counts of guesses at their passwords: first those of the API key's own
 * client, active before inactive, by e-mail before by username, confirmed before unconfirmed addresses, so that
 * another person who takes the same name does not lock the first one out. Spaces around the name count only where a username has them.
 */
export const findCandidates = (
  db: Db,
  name: string,
  { client_id, now, guessing }: LookUp,
): Promise<Candidate[]> =>
  run<Candidate>(db, CANDIDATES, [now, name.normalize('NFC').trim(), client_id, name, ...guessing]);

interface LookUp {
  readonly client_id: number | null;
  readonly now: Date;
  /** The input of `triesOf`. */
  readonly guessing: readonly unknown[];
}

const CANDIDATES = `
  with named as materialized (${LOGIN}
    where lower(u.email) = lower($2) or lower(u.username) in (lower($2), lower($4))
    order by c.client_id is not distinct from $3 desc,
             u.user_status = 'ACTIVE' and client_is_open(c.client_status) desc,
             lower(u.email) = lower($2) desc, u.confirmed_at is not null desc, u.user_id
    limit ${CANDIDATES_MAX}
  ), placed as (
    select row_number() over () as place, user_id, to_jsonb(named) as login from named)
  select t.*, p.login from (${triesOf('placed', 5)}) t left join placed p using (user_id)
   order by p.place`;

export async function findLogin(db: Db, user_id: number, now: Date): Promise<Login | undefined> {
  return (await run<Login>(db, `${LOGIN} where u.user_id = $2`, [now, user_id]))[0];
}

export type AccountState = Row<'users', 'twofa_enabled' | 'password_hash' | 'user_status'>;

const STANDING = `
  select user_id, twofa_enabled, password_hash, user_status from users where user_id = $1 for share`;

/** A user's state, locked until the transaction ends. */
export async function holdStanding(tx: Db, user_id: number): Promise<AccountState | undefined> {
  return (await run<AccountState>(tx, STANDING, [user_id]))[0];
}

/** The same with the tries at their password; nothing where the user is gone. */
export async function holdTried(
  tx: Db,
  user_id: number,
  guessing: readonly unknown[],
): Promise<(AccountState & TryRow) | undefined> {
  return (await run<AccountState & TryRow>(tx, TRIED, [user_id, ...guessing]))[0];
}

const TRIED = `
  with held as materialized (${STANDING})
  select h.*, t.account, t.known, t.wait_s from held h join (${triesOf('held', 2)}) t using (user_id)`;

export type Resettable = Row<'users', 'user_id' | 'email' | 'username' | 'password_reset_at'> &
  Row<'clients', 'client_alias'>;

/**
 * Every account with that e-mail, one of each client, with the rows locked. First those whose owner has confirmed the
 * address, since anybody may register it with a client of their own.
 */
export const lockByEmail = (tx: Db, email: string): Promise<Resettable[]> =>
  run<Resettable>(
    tx,
    `select u.user_id, u.email, u.username, c.client_alias, u.password_reset_at
       from users u join clients c using (client_id)
      where lower(u.email) = lower($1) order by u.confirmed_at is null, u.user_id limit 50 for no key update of u`,
    [email],
  );
