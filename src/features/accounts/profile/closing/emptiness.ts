import { type Static, Type } from 'typebox';
import type { Db } from '#kernel/db/db.ts';
import { named } from '#kernel/http/declare/named.ts';
import { explained, Nullable } from '#kernel/http/declare/schema.ts';
import { format } from '#kernel/money/money.ts';
import type { ClosingCheck } from '#kernel/person-data/closing-check.ts';
import { isLastAdmin } from './store.ts';

/** Something in the way of a closing, as callers see it. */
export const InTheWay = named('InTheWay', {
  type: explained(Type.String(), 'Such as `balance`, `hold`, `payment`, `card` and `debt`'),
  id: Type.String(),
  amount: explained(Nullable(Type.String()), 'Where it is money'),
  currency: Nullable(Type.String()),
  href: explained(Nullable(Type.String()), 'Where it is shown'),
});
export type InTheWay = Static<typeof InTheWay>;

/** Everything that is in the way, of all features: asked in the transaction that closes or erases. */
export async function inTheWay(
  checks: readonly ClosingCheck[],
  tx: Db,
  user_id: number,
): Promise<InTheWay[]> {
  const found: InTheWay[] = [];
  for (const check of checks)
    for (const { type, id, amount, href } of await check(tx, user_id))
      found.push({
        type,
        id,
        amount: amount ? format(amount) : null,
        currency: amount?.asset ?? null,
        href,
      });
  return found;
}

/** The same at the erasure, when the client may have lost its other admins. */
export async function leftInTheWay(
  checks: readonly ClosingCheck[],
  tx: Db,
  user_id: number,
): Promise<InTheWay[]> {
  const items = await inTheWay(checks, tx, user_id);
  if (!(await isLastAdmin(tx, user_id))) return items;
  const none = { amount: null, currency: null, href: null };
  return [...items, { type: 'last_admin', id: String(user_id), ...none }];
}
