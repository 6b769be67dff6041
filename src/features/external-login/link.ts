import { logActivity } from '#features/activity/activity.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#kernel/db/db.ts';
import { transact } from '#kernel/db/transact.ts';
import { fail } from '#kernel/http/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/route.ts';
import type { ExternalIdentity } from '#providers/extauth/port.ts';
import { loginWallet } from './log-in.ts';
import {
  deleteIdentity,
  type ExternalUser,
  insertIdentity,
  insertMapping,
  isLinked,
  listMappings,
  lockIdentity,
  lockUser,
  type Mapping,
  makePrimary,
} from './store.ts';
import type { Target } from './target.ts';

/** How many methods and wallets a user may have. */
const MAPPINGS_MAX = 20;

/** Who links what to whom, and by which request. */
export interface Linking {
  readonly target: Target;
  readonly caller: UserCaller;
  readonly identity: ExternalIdentity;
  readonly operation: string;
  readonly request: RequestFacts;
}

export interface Linked {
  readonly user: ExternalUser;
  readonly mapping: Mapping;
}

/**
 * Makes an account of the provider a way to log in to the user's (contract part 1, External-login).
 * Throws MAPPING_EXISTS when it is linked already, by whomever, and WALLET_ALREADY_LINKED.
 */
export const linkIdentity = (db: Db, clock: Clock, linking: Linking): Promise<Linked> =>
  linkWith(db, linking, undefined, async (tx, user, mappings) => {
    const { identity, operation } = linking;
    const { extUserId: ext_user_id, authProvider: auth_provider } = identity;
    if (!(await insertIdentity(tx, ext_user_id, user.user_id))) throw mappingExists();
    const mapping = await insertMapping(tx, {
      ext_user_id,
      user_id: user.user_id,
      auth_provider,
      wallet_address: loginWallet(identity),
      is_primary: mappings.length === 0,
      operation,
      connected_at: clock.now().toISOString(),
    });
    if (!mapping) throw walletLinked();
    return { mapping, action: 'EXTERNAL_LOGIN_LINKED' };
  });

/**
 * Links one wallet of an account of the provider, which becomes the user's if it was nobody's.
 * Throws WALLET_ALREADY_LINKED, by whomever, and MAPPING_EXISTS when the account is another user's.
 */
export const linkWallet = (
  db: Db,
  clock: Clock,
  linking: Linking,
  wallet_address: string,
): Promise<Linked> =>
  linkWith(db, linking, wallet_address, async (tx, user, mappings) => {
    const { identity, operation } = linking;
    const { extUserId: ext_user_id } = identity;
    const own = mappings.some((mapping) => mapping.ext_user_id === ext_user_id);
    const free = own || (await insertIdentity(tx, ext_user_id, user.user_id));
    const mapping = free
      ? await insertMapping(tx, {
          ext_user_id,
          user_id: user.user_id,
          auth_provider: 'wallet',
          wallet_address,
          is_primary: mappings.length === 0,
          operation,
          connected_at: clock.now().toISOString(),
        })
      : undefined;
    if (mapping) return { mapping, action: 'EXTERNAL_WALLET_LINKED' };
    throw free || (await isLinked(tx, wallet_address)) ? walletLinked() : mappingExists();
  });

/**
 * Runs `insert` while neither the account of the provider nor the user's mappings can change. What
 * the same request has linked before a crash is found instead.
 */
async function linkWith(
  db: Db,
  { target, caller, identity, operation, request }: Linking,
  wallet: string | undefined,
  insert: (
    tx: Db,
    user: ExternalUser,
    mappings: readonly Mapping[],
  ) => Promise<{ mapping: Mapping; action: string }>,
): Promise<Linked> {
  return transact(db, async (tx) => {
    await lockIdentity(tx, identity.extUserId);
    const user = await lockUser(tx, target);
    if (!user) throw fail('USER_NOT_FOUND', 'User not found');
    const mappings = await listMappings(tx, user.user_id);
    // An idempotency key may be used anew after a day: then the operation alone proves nothing.
    const before = mappings.find(
      (mapping) =>
        mapping.operation === operation &&
        mapping.ext_user_id === identity.extUserId &&
        (wallet === undefined || mapping.wallet_address === wallet),
    );
    if (before) return { user, mapping: before };
    if (mappings.length >= MAPPINGS_MAX)
      throw fail('LIMIT_EXCEEDED', `A user can have at most ${MAPPINGS_MAX} connected accounts`);
    const { mapping, action } = await insert(tx, user, mappings);
    const { ext_user_id, auth_provider, wallet_address } = mapping;
    await logActivity(tx, {
      action,
      actor: caller,
      client_id: user.client_id,
      subject_user_id: user.user_id,
      details: { ext_user_id, auth_provider, wallet_address },
      request,
    });
    return { user, mapping };
  });
}

const mappingExists = () =>
  fail('MAPPING_EXISTS', 'This external account is already linked to a user');
const walletLinked = () => fail('WALLET_ALREADY_LINKED', 'This wallet is already linked to a user');

export type Disconnecting = Omit<Linking, 'identity' | 'operation'> & {
  readonly ext_user_id: string;
};

/**
 * Takes an account of the provider from the user, in the caller's transaction. The oldest of the
 * others becomes the primary if that went with it. Throws AUTH_NOT_FOUND, and
 * CANNOT_DISCONNECT_PRIMARY for the last account.
 */
export async function disconnect(tx: Db, disconnecting: Disconnecting): Promise<Mapping> {
  const { target, caller, ext_user_id, request } = disconnecting;
  await lockIdentity(tx, ext_user_id);
  const user = await lockUser(tx, target);
  if (!user) throw fail('USER_NOT_FOUND', 'User not found');
  const mappings = await listMappings(tx, user.user_id);
  const leaving = mappings.filter((mapping) => mapping.ext_user_id === ext_user_id);
  const [first] = leaving;
  if (!first) throw fail('AUTH_NOT_FOUND', 'This external account is not linked to the user');
  const [heir] = mappings.filter((mapping) => mapping.ext_user_id !== ext_user_id);
  if (!heir)
    throw fail('CANNOT_DISCONNECT_PRIMARY', 'The only log-in method cannot be disconnected');
  await deleteIdentity(tx, ext_user_id, user.user_id);
  if (leaving.some(({ is_primary }) => is_primary)) await makePrimary(tx, heir.id);
  await logActivity(tx, {
    action: 'EXTERNAL_LOGIN_DISCONNECTED',
    actor: caller,
    client_id: user.client_id,
    subject_user_id: user.user_id,
    details: { ext_user_id, auth_provider: first.auth_provider },
    request,
  });
  return first;
}
