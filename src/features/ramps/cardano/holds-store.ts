import { accountsOfWallets } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import { nextSteps } from '#kernel/effects/next-attempt.ts';
import type { HeldObject, HoldOwner } from '#kernel/ledger/holds.ts';
import { cardanoFlowId } from './store.ts';

const PREFIX = cardanoFlowId('');

/** An order holds its price until its USDC are minted: out of the wallet, or as a card has brought it. */
const ofKind = (kind: string): HoldOwner => ({
  kind,
  freedBy: 'The USDC are minted on Cardano, or the order fails',
  find: findHolders,
});

export const CARDANO_HOLDS: readonly HoldOwner[] = [ofKind('cardano-hold'), ofKind('card-top-up')];

async function findHolders(db: Db, holds: readonly string[]): Promise<HeldObject[]> {
  const orders = await run<Row<'cardano_orders', 'order_id' | 'wallet_from_id' | 'status'>>(
    db,
    'select order_id, wallet_from_id, status from cardano_orders where order_id = any($1::uuid[])',
    [holds.filter((hold) => hold.startsWith(PREFIX)).map((hold) => hold.slice(PREFIX.length))],
  );
  const accounts = await accountsOfWallets(
    db,
    orders.map(({ wallet_from_id }) => wallet_from_id),
  );
  const next = await nextSteps(db, holds);
  return orders.map(({ order_id, wallet_from_id, status }) => {
    const hold = cardanoFlowId(order_id);
    return {
      hold,
      account_id: accounts.get(wallet_from_id) ?? 0,
      reference: order_id,
      is_open: status === 'OPEN' || status === 'PAYING',
      until: null,
      next_attempt_at: next.get(hold) ?? null,
    };
  });
}
