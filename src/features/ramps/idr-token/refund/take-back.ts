import type { Hash } from 'viem';
import { takeBackCall } from '#chains/evm/contracts/port.ts';
import {
  CHAINS,
  ChainError,
  type ChainKey,
  findByHash,
  hasFailed,
  isConfirmed,
  mayHappen,
  replacementHash,
} from '#chains/evm/port.ts';
import { openWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { Db } from '#kernel/db/db.ts';
import { defineEffect, type Effect, type EffectAttempt } from '#kernel/effects/effect.ts';
import { done, type Outcome, refused, unknown } from '#kernel/effects/outcome.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { recordIdrTokenStep } from '../audit.ts';
import type { IdrBase } from '../deps.ts';
import { emitRefund } from '../events.ts';
import { houseAccounts, refundOperation } from '../legs.ts';
import { findMint, type Mint, markMintRefunded } from '../purchase/store.ts';
import { addToSupply } from '../supply/store.ts';
import {
  findRefund,
  type IdrTokenRefund,
  lockIfTakingBack,
  markIdrTokenRefunded,
  markRefundFailed,
} from './store.ts';

/** A refund of minted tokens, with the purchase that it is of. */
interface TakingBack {
  readonly refund: IdrTokenRefund;
  readonly mint: Mint;
}

export type TakeBack = Effect<TakingBack, { readonly hash: Hash }>;

const MINUTE_MS = 60_000;
const TAKE_BACK = 'idr-take-back:';
const nameOf = ({ reference_id }: IdrTokenRefund): string => `${TAKE_BACK}${reference_id}`;

/**
 * Whether the platform burns a refunded purchase's tokens by that transaction. On chain it looks like a burn by their
 * holder; the journal knows it from before it was sent.
 */
export async function isTakeBack(db: Db, chain: ChainKey, hash: Hash): Promise<boolean> {
  const { chainId } = CHAINS[chain];
  const now = (await replacementHash(db, [chainId], hash)) ?? hash;
  return (await findByHash(db, chainId, now))?.reference.startsWith(TAKE_BACK) === true;
}

/**
 * Burns the tokens of a purchase in the buyer's wallet, and then refunds its money. Where the wallet no longer has
 * them nothing is refunded; in mock mode the platform pays then.
 */
export const takeBackEffect = (deps: IdrBase): TakeBack =>
  defineEffect<TakingBack, { readonly hash: Hash }>({
    kind: 'idr-take-back',
    repeatable: true,
    pauses: { firstMs: MINUTE_MS, maxMs: 10 * MINUTE_MS },
    open: (db, id) => open(db, Number(id)),
    names: ({ refund }) => [nameOf(refund), refund.reference_id],
    call: (taking, attempt) => burn(deps, taking, attempt),
    async settle(tx, taking, { hash }) {
      await addToSupply(tx, taking.mint.chain_id, { taken_back: taking.mint.amount_token });
      await refundMoney(deps, tx, taking, { hash, source: 'RESERVE' });
    },
    async refuse(tx, taking, { message }) {
      if (await mayHappen(tx, nameOf(taking.refund))) return false;
      if (deps.config.MOCK_MODE) {
        await refundMoney(deps, tx, taking, { hash: undefined, source: 'FEES' });
        return undefined;
      }
      const { refund } = taking;
      await markRefundFailed(tx, refund.refund_id, message, deps.clock.now());
      emitRefund(tx, 'failed', { ...refund, state: 'FAILED' });
      await recordIdrTokenStep(tx, 'IDR_REFUND_FAILED', refund, { message });
      return undefined;
    },
  });

async function open(db: Db, refund_id: number): Promise<TakingBack | undefined> {
  const refund = await findRefund(db, refund_id);
  const mint = refund?.mint_id ? await findMint(db, { mint_id: refund.mint_id }) : undefined;
  return refund && mint && { refund, mint };
}

async function burn(
  { evm }: IdrBase,
  { refund, mint }: TakingBack,
  attempt: EffectAttempt,
): Promise<Outcome<{ readonly hash: Hash }>> {
  const chain = evm.chains[mint.chain_id];
  const reference = nameOf(refund);
  const { contracts, sender } = chain;
  try {
    const row = await sender.send({
      signer: evm.keys.hot,
      ...takeBackCall(contracts.idr_token, mint.wallet_address, mint.amount_token),
      reference,
      purpose: 'idr take-back',
      async permit(tx) {
        await attempt.permit(tx);
        if (!(await lockIfTakingBack(tx, refund.refund_id)))
          throw new ChainError('refused', 'The refund is decided already');
      },
    });
    const ended = await sender.awaitReceipt(row);
    if (hasFailed(ended)) return gone();
    return (await isConfirmed(chain, ended))
      ? done({ hash: ended.hash })
      : unknown('The tokens are being taken back');
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    // A signed transaction may still happen, although the chain refuses another one like it.
    const known = await sender.find(reference);
    if (error.kind === 'reverted' && (known === undefined || hasFailed(known))) return gone();
    return unknown(`${error.kind}: ${error.message}`);
  }
}

const gone = () => refused('INSUFFICIENT_BALANCE', 'The wallet does not hold the tokens any more');

/** In the transaction that ends the effect. */
async function refundMoney(
  { clock }: IdrBase,
  tx: Db,
  { refund, mint }: TakingBack,
  how: { readonly hash: Hash | undefined; readonly source: IdrTokenRefund['source'] },
): Promise<void> {
  const at = clock.now();
  await markMintRefunded(tx, { reference_id: mint.reference_id, status: 'SUCCESS' }, at);
  const ended = await markIdrTokenRefunded(tx, refund.refund_id, how, at);
  emitRefund(tx, 'succeeded', ended);
  await recordIdrTokenStep(tx, 'IDR_REFUNDED', ended, {
    of: mint.reference_id,
    tx_hash: how.hash ?? null,
  });
  const { wallet } = await openWallet(tx, refund.user_id, 'IDR');
  await postWithin(tx, refundOperation(ended, wallet.account_id, await houseAccounts(tx)));
}
