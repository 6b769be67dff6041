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
import { judge } from './match-payments.ts';
import { type MarketplaceOrder, markPaid, markUnpaid } from './order-store.ts';
import {
  firstBlockOf,
  lockLost,
  lockOrdersOf,
  lockRipe,
  type MarketplacePayment,
  type MarketplaceVerdict,
  recordCounted,
  recordGone,
  recordSeen,
  setAdrift,
  type Till,
  usedUnits,
} from './payment-store.ts';
import type { Sweeps } from './sweep.ts';

export const FOLLOWER = 'marketplace-payments';

/** Blocks after which a payment that a reorganisation took away does not come back any more. */
const LOST_AFTER = 12n;
/** Booked in one transaction; the rest has the next one. */
const AT_ONCE = 5000;
/** For how long an order can be paid again whose payment has got lost. */
const AGAIN_MS = 3_600_000;
/** By how much a chain's clock may be behind ours. */
const BEHIND_MS = 600_000;

type FollowDeps = Pick<MarketDeps, 'clock' | 'log' | 'evm'> & {
  readonly sweeps: Pick<Sweeps, 'begin'>;
};

const tillOf = ({ info, contracts }: EvmChain): Till => ({
  chain_id: info.key,
  contract: contracts.marketplace,
});

/** Books what the payment contracts tell: PAID exactly once, and whatever fits no order as owed back. */
export const paymentFollower = (deps: FollowDeps): EvmFollower => ({
  name: FOLLOWER,
  contract: ({ contracts }) => contracts.marketplace,
  sources: paymentSources,
  async since(db, { info, contracts }) {
    const at = await oldestUnpaid(db, info.key, contracts.marketplace);
    return at && new Date(at.getTime() - deps.clock.offsetMs - BEHIND_MS);
  },
  earliest: (db, chain) => firstBlockOf(db, tillOf(chain)),
  async seen(tx, chain, events) {
    // A transfer of nothing costs its sender nothing, and means nothing.
    const all = events.map(seenPayment).filter(({ units }: SeenPayment) => units > 0n);
    const payments = await withoutPurchases(tx, all);
    if (payments.length > 0) await recordSeen(tx, tillOf(chain), payments, deps.clock.now());
  },
  undone: (tx, chain, above, read) => setAdrift(tx, tillOf(chain), above, read + LOST_AFTER),
  async reached(tx, chain, block) {
    const till = tillOf(chain);
    const ripe = await lockRipe(tx, till, block - BigInt(chain.confirmations) + 1n, AT_ONCE);
    const counted = ripe.length > 0 ? await count(deps, tx, chain, ripe) : [];
    const lost = await lockLost(tx, till, block);
    const gone: Operation[] = [];
    for (const payment of lost) gone.push(...(await letGo(deps, tx, chain, payment)));
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
  const verdicts = judge(ripe, orders, await ownersOf(tx, chain, orders));
  const at = clock.now();
  const paid = verdicts.flatMap(({ order, payment }) =>
    order ? [{ serial: order.serial, hash: payment.tx_hash }] : [],
  );
  const used = new Set(
    ripe.filter((one) => usedUnits(one) > 0n).map(({ payment_id }) => payment_id),
  );
  for (const row of await recordCounted(tx, verdicts, at)) {
    if (used.has(row.payment_id)) emitPayment(tx, 'found_again', { evm, row });
    if (row.refund === 'OWED') emitPayment(tx, 'unmatched', { evm, row });
  }
  const settled = paid.length > 0 ? await markPaid(tx, paid, at) : [];
  for (const order of settled) emitOrder(tx, 'paid', order);
  await logActivities(tx, verdicts.flatMap(activityOf));
  await sweeps.begin(tx, chain, new Set(plainTokens(verdicts)));
  return operationsOf(tx, chain, verdicts);
}

/** Of the wallets that orders name, as it is known when their payments count. */
const ownersOf = (tx: Db, { info }: EvmChain, orders: readonly MarketplaceOrder[]) =>
  walletOwners(tx, [...new Set(orders.map(({ wallet_address }) => wallet_address))], info.key);

const plainTokens = (verdicts: readonly MarketplaceVerdict[]) =>
  verdicts.flatMap(({ payment }) => (payment.kind === 'TRANSFER' ? [payment.token] : []));

async function operationsOf(
  tx: Db,
  chain: EvmChain,
  verdicts: readonly MarketplaceVerdict[],
): Promise<Operation[]> {
  const operations: Operation[] = [];
  for (const verdict of verdicts) {
    const asset = assetOf(chain, verdict.payment.token);
    if (asset) operations.push(countedOperation(verdict, await marketAccounts(tx, asset)));
  }
  return operations;
}

function activityOf({ order, payment }: MarketplaceVerdict) {
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

/** Its block has not come back: the order waits again, unless its goods are bought already. */
async function letGo(
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
