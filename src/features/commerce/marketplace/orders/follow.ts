import {
  type EvmFollower,
  paymentSources,
  type SeenPayment,
  seenPayment,
} from '#chains/evm/following/port.ts';
import type { EvmChain } from '#chains/evm/port.ts';
import { walletOwners } from '#features/chain-wallets/wallet-proofs/wallet-proofs.ts';
import { withoutPurchases } from '#features/commerce/purchases/purchases.ts';
import { logActivities } from '#features/messaging/activity/activity.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Operation } from '#kernel/ledger/ledger.ts';
import { postAllWithin } from '#kernel/ledger/post.ts';
import type { MarketDeps } from '../deps.ts';
import { oldestUnpaid } from './chain-store.ts';
import { emitOrder, emitPayment } from './events.ts';
import { assetOf, countedOperation, goneOperation, marketAccounts } from './legs.ts';
import { matchPayments } from './match-payments.ts';
import { type MarketplaceOrder, markPaid, markUnpaid } from './order-store.ts';
import {
  firstBlockOf,
  insertSeen,
  lockCountable,
  lockOrdersOf,
  lockOrphaned,
  type MarketplacePayment,
  type PaymentContract,
  type PaymentMatch,
  recordCounted,
  recordGone,
  setOrphaned,
  usedUnits,
} from './payment-store.ts';
import type { Sweeps } from './sweep.ts';

export const FOLLOWER = 'marketplace-payments';

/** Blocks after which a payment that a reorganisation dropped no longer comes back. */
const LOST_AFTER = 12n;
/** Payments of one transaction; the rest is in the next one. */
const AT_ONCE = 5000;
/** How long an order can be paid again after the chain has dropped its payment. */
const AGAIN_MS = 3_600_000;
/** How far a chain's clock may be behind ours. */
const BEHIND_MS = 600_000;

type FollowDeps = Pick<MarketDeps, 'clock' | 'log' | 'evm'> & {
  readonly sweeps: Pick<Sweeps, 'begin'>;
};

const contractOf = ({ info, contracts }: EvmChain): PaymentContract => ({
  chain_id: info.key,
  contract: contracts.marketplace,
});

/** Books the payment contracts' events: an order is PAID exactly once, and a payment without an order is owed back. */
export const paymentFollower = (deps: FollowDeps): EvmFollower => ({
  name: FOLLOWER,
  contract: ({ contracts }) => contracts.marketplace,
  sources: paymentSources,
  async since(db, { info, contracts }) {
    const at = await oldestUnpaid(db, info.key, contracts.marketplace);
    return at && new Date(at.getTime() - deps.clock.offsetMs - BEHIND_MS);
  },
  earliest: (db, chain) => firstBlockOf(db, contractOf(chain)),
  async seen(tx, chain, events) {
    // A transfer of zero is free for its sender, and no payment.
    const all = events.map(seenPayment).filter(({ units }: SeenPayment) => units > 0n);
    const payments = await withoutPurchases(tx, all);
    if (payments.length > 0) await insertSeen(tx, contractOf(chain), payments, deps.clock.now());
  },
  undone: (tx, chain, above, read) => setOrphaned(tx, contractOf(chain), above, read + LOST_AFTER),
  async reached(tx, chain, block) {
    const paidTo = contractOf(chain);
    const ripe = await lockCountable(tx, paidTo, block - BigInt(chain.confirmations) + 1n, AT_ONCE);
    const counted = ripe.length > 0 ? await count(deps, tx, chain, ripe) : [];
    const lost = await lockOrphaned(tx, paidTo, block);
    const gone: Operation[] = [];
    for (const payment of lost) gone.push(...(await dropPayment(deps, tx, chain, payment)));
    // Last, because the accounts stay locked from here on.
    if (counted.length + gone.length > 0) await postAllWithin(tx, [...counted, ...gone]);
  },
});

async function count(
  { clock, evm, sweeps }: FollowDeps,
  tx: Db,
  chain: EvmChain,
  ripe: readonly MarketplacePayment[],
): Promise<Operation[]> {
  const orders = await lockOrdersOf(tx, ripe);
  const matches = matchPayments(ripe, orders, await ownersOf(tx, chain, orders));
  const at = clock.now();
  const paid = matches.flatMap(({ order, payment }) =>
    order ? [{ serial: order.serial, hash: payment.tx_hash }] : [],
  );
  const used = new Set(
    ripe.filter((one) => usedUnits(one) > 0n).map(({ payment_id }) => payment_id),
  );
  for (const row of await recordCounted(tx, matches, at)) {
    if (used.has(row.payment_id)) emitPayment(tx, 'found_again', { evm, row });
    if (row.refund === 'OWED') emitPayment(tx, 'unmatched', { evm, row });
  }
  const settled = paid.length > 0 ? await markPaid(tx, paid, at) : [];
  for (const order of settled) emitOrder(tx, 'paid', order);
  await logActivities(tx, matches.flatMap(activityOf));
  await sweeps.begin(tx, chain, new Set(plainTokens(matches)));
  return operationsOf(tx, chain, matches);
}

/** Owners of the orders' wallets, as known when their payments count. */
const ownersOf = (tx: Db, { info }: EvmChain, orders: readonly MarketplaceOrder[]) =>
  walletOwners(tx, [...new Set(orders.map(({ wallet_address }) => wallet_address))], info.key);

const plainTokens = (matches: readonly PaymentMatch[]) =>
  matches.flatMap(({ payment }) => (payment.kind === 'TRANSFER' ? [payment.token] : []));

async function operationsOf(
  tx: Db,
  chain: EvmChain,
  matches: readonly PaymentMatch[],
): Promise<Operation[]> {
  const operations: Operation[] = [];
  for (const match of matches) {
    const asset = assetOf(chain, match.payment.token);
    if (asset) operations.push(countedOperation(match, await marketAccounts(tx, asset)));
  }
  return operations;
}

function activityOf({ order, payment }: PaymentMatch) {
  if (order === undefined) return [];
  const { order_id, client_id, user_id } = order;
  return [
    {
      action: 'MARKETPLACE_ORDER_PAID',
      actor: null,
      client_id,
      subject_user_id: user_id,
      details: { order_id, tx_hash: payment.tx_hash, payer: payment.payer },
    },
  ];
}

/** Drops a payment whose block has not come back: its order waits again, unless its goods are bought already. */
async function dropPayment(
  { clock, log, evm }: FollowDeps,
  tx: Db,
  chain: EvmChain,
  payment: MarketplacePayment,
): Promise<Operation[]> {
  const { payment_id, order_serial, applied_units, tx_hash } = payment;
  const again = new Date(clock.now().getTime() + AGAIN_MS);
  const isPaying = order_serial !== null && applied_units > 0n;
  const undone = isPaying ? await markUnpaid(tx, order_serial, again) : undefined;
  if (undone) emitOrder(tx, 'unpaid', undone);
  const isBought = isPaying && !undone;
  const row = await recordGone(tx, payment_id, { isBought });
  if (row) emitPayment(tx, 'lost', { evm, row });
  log[isBought ? 'error' : 'warn'](
    { chain: chain.info.key, payment_id, tx_hash, is_bought: isBought },
    'A payment is not on chain any more',
  );
  const asset = assetOf(chain, payment.token);
  return asset ? [goneOperation(payment, isBought, await marketAccounts(tx, asset))] : [];
}
