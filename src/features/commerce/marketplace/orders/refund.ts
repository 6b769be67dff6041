import { transferCall } from '#chains/evm/contracts/port.ts';
import { type ExecutedTransaction, mayHappen } from '#chains/evm/port.ts';
import {
  sendOnce,
  withConfirmations,
} from '#features/chain-wallets/wallet-spending/wallet-spending.ts';
import type { Db } from '#kernel/db/db.ts';
import { defineEffect, type Effect } from '#kernel/effects/effect.ts';
import type { Outcome } from '#kernel/effects/outcome.ts';
import { fail } from '#kernel/error.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import type { MarketDeps } from '../deps.ts';
import { emitPayment } from './events.ts';
import { assetOf, marketAccounts, refundedOperation } from './legs.ts';
import type { MarketplacePayment } from './payment-store.ts';
import { findMarketplacePayment, recordRefunded, reopenRefund } from './refund-store.ts';

/** Refunds a payment's owed part from the treasury to its payer. */
export type RefundEffect = Effect<MarketplacePayment, ExecutedTransaction>;

type Deps = Pick<MarketDeps, 'evm'>;

const MINUTE_MS = 60_000;
const referenceOf = ({ payment_id, refund_attempt }: MarketplacePayment): string =>
  `marketplace-refund:${payment_id}:${refund_attempt}`;

export const createRefundEffect = ({ evm }: Deps): RefundEffect =>
  defineEffect<MarketplacePayment, ExecutedTransaction>({
    kind: 'marketplace-refund',
    provider: 'evm',
    repeatable: true,
    reopens: true,
    pauses: { firstMs: MINUTE_MS, maxMs: 30 * MINUTE_MS },
    open: (db, id) => findMarketplacePayment(db, Number(id)),
    names: (payment) => [referenceOf(payment)],
    // A refund counts with its confirmations: a reorganisation may undo it before.
    call: async (payment, { permit }) =>
      withConfirmations(evm.chains[payment.chain_id], await send(evm, payment, permit)),
    async settle(tx, payment, { hash }) {
      const units = payment.owed_units - payment.sent_units;
      const asset = assetOf(evm.chains[payment.chain_id], payment.token);
      const row = await recordRefunded(tx, payment.payment_id, hash);
      if (row) emitPayment(tx, 'refunded', { evm, row });
      if (asset === undefined) return;
      await postWithin(tx, refundedOperation(payment, units, await marketAccounts(tx, asset)));
    },
    async refuse(tx, payment) {
      if (await mayHappen(tx, referenceOf(payment))) return false;
      const row = await reopenRefund(tx, payment.payment_id);
      if (row) emitPayment(tx, 'refund_failed', { evm, row });
      return true;
    },
  });

const send = (
  evm: Deps['evm'],
  payment: MarketplacePayment,
  permit: (tx: Db) => Promise<void>,
): Promise<Outcome<ExecutedTransaction>> => {
  const { chain_id, token, payer, owed_units, sent_units } = payment;
  return sendOnce(
    evm.chains[chain_id],
    {
      signer: evm.keys.treasury,
      ...transferCall(token, payer, owed_units - sent_units),
      reference: referenceOf(payment),
      purpose: 'marketplace refund',
      permit,
    },
    () => fail('INSUFFICIENT_FUNDS', 'The treasury has not enough for it at the moment'),
  );
};
