import type { Static } from 'typebox';
import type { Db } from '#kernel/db/db.ts';
import type { UserCaller } from '#kernel/http/declare/route.ts';
import { endKey, insertKey } from './store.ts';
import { keyLimitsOf, type LimitedKey, mayGrant } from './terms.ts';

interface Rotation {
  readonly caller: UserCaller;
  readonly api_key: string;
  readonly overlapSeconds: number;
  /** The end of the new key; by default it lives as long as the old one was made to. */
  readonly end: Date | undefined;
  readonly now: Date;
  /** What it says of the new key's limits; those of the old one where it says nothing. */
  readonly limits: Static<typeof LimitedKey>;
}

/**
 * Creates a key like the old one and ends the old one after the overlap, or at its own end if that is earlier.
 * Nothing when the caller has no such valid key; no `key` when it was rotated before.
 */
export async function rotateKey(
  tx: Db,
  { caller, api_key, overlapSeconds, end, now, limits }: Rotation,
) {
  const { user_id } = caller;
  const overlapEnd = new Date(now.getTime() + overlapSeconds * 1000);
  const old = await endKey(tx, { user_id, api_key, now, end: overlapEnd });
  if (!old) return undefined;
  mayGrant(old.scopes, caller);
  const sameLife = old.life === null ? null : new Date(now.getTime() + old.life * 1000);
  const key = await insertKey(tx, {
    provider_name: old.provider_name,
    client_id: old.client_id,
    user_id,
    scopes: old.scopes,
    limits: keyLimitsOf(limits, caller, old),
    created_at: now,
    expires_at: end ?? sameLife,
    api_version: old.api_version,
    replaces: old.key_id,
  });
  return { key, old };
}
