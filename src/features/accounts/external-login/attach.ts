import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import { emitIdentities } from './events.ts';
import {
  findOwner,
  insertIdentity,
  insertMapping,
  isLinked,
  listMappings,
  type Mapping,
} from './store.ts';

/** A log-in method: an account of the provider, or one of its wallets. */
export interface LogInMethod {
  readonly kind: 'external-login' | 'wallet';
  readonly ext_user_id: string;
  readonly auth_provider: string;
  readonly wallet_address: string | null;
}

export interface Attaching {
  readonly operation: string;
  readonly at: Date;
}

/** The most methods and wallets of a user. */
const MAPPINGS_MAX = 20;

/**
 * Makes it a log-in of the user; the caller has locked the provider's account and the user's row. An account is
 * attached once; a wallet makes its account the user's if it had no user. Throws MAPPING_EXISTS,
 * WALLET_ALREADY_LINKED and LIMIT_EXCEEDED.
 */
export async function attach(
  tx: Db,
  user_id: number,
  way: LogInMethod,
  { operation, at }: Attaching,
): Promise<Mapping> {
  const { kind, ext_user_id, auth_provider, wallet_address } = way;
  const mappings = await listMappings(tx, user_id);
  refuseTooMany(mappings);
  const known = kind === 'wallet' && mappings.some((one) => one.ext_user_id === ext_user_id);
  if (!known && !(await insertIdentity(tx, ext_user_id, user_id))) throw await taken(tx, way);
  const mapping = await insertMapping(tx, {
    ext_user_id,
    user_id,
    auth_provider,
    wallet_address,
    is_primary: mappings.length === 0,
    by_registration: false,
    operation,
    connected_at: at.toISOString(),
  });
  if (!mapping) throw walletLinked();
  await emitIdentities(tx, 'linked', [mapping]);
  return mapping;
}

/** Throws what `attach` would throw now; the attachment checks again later. */
export async function refuseTaken(tx: Db, user_id: number, way: LogInMethod): Promise<void> {
  refuseTooMany(await listMappings(tx, user_id));
  const owner = await findOwner(tx, way.ext_user_id);
  if (owner !== undefined && (way.kind !== 'wallet' || owner !== user_id))
    throw await taken(tx, way);
  if (way.wallet_address !== null && (await isLinked(tx, way.wallet_address))) throw walletLinked();
}

/** Reports a conflict of the wallet before one of its account. */
async function taken(tx: Db, { kind, wallet_address }: LogInMethod) {
  const wallet = kind === 'wallet' && wallet_address !== null;
  return wallet && (await isLinked(tx, wallet_address)) ? walletLinked() : mappingExists();
}

function refuseTooMany(mappings: readonly Mapping[]): void {
  if (mappings.length >= MAPPINGS_MAX)
    throw fail('LIMIT_EXCEEDED', `A user can have at most ${MAPPINGS_MAX} connected accounts`);
}

const mappingExists = () =>
  fail('MAPPING_EXISTS', 'This external account is already linked to a user');
const walletLinked = () => fail('WALLET_ALREADY_LINKED', 'This wallet is already linked to a user');
