import type { Hash } from 'viem';
import { typedEvmAddress } from '#chains/evm/port.ts';
import {
  isWalletOf,
  notYourWallet,
  type WalletPlace,
} from '#features/chain-wallets/wallet-proofs/wallet-proofs.ts';
import { readPolicyMarket } from '#features/fiat/fx/fx.ts';
import { spendGatewayCost } from '#features/fiat/payouts/payouts.ts';
import { requesterOf } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import { sqlState } from '#kernel/db/sql-errors.ts';
import type { Machine } from '#kernel/effects/saga-machine.ts';
import { fail, wrongField } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import type { Market } from '#kernel/money/cost.ts';
import { money } from '#kernel/money/money.ts';
import { transact } from '#kernel/transact.ts';
import { recordIdrTokenStep } from '../audit.ts';
import { findActiveBank, lockActiveBank } from '../bank-accounts/store.ts';
import { redemptionCost } from '../cost.ts';
import type { CostDeps, IdrBase, Offramp } from '../deps.ts';
import { emitPayout } from '../events.ts';
import { OFFRAMP_LEAST, redeemFee, redeemTier } from '../fees.ts';
import { burntOperation, houseAccounts } from '../legs.ts';
import { nextReference } from '../reference-store.ts';
import { addToSupply } from '../supply/store.ts';
import { findRedemptionBurn, notTheRedemptionBurn, type ReportedBurn } from './burn-proof.ts';
import { redemptionPolicy } from './redemption-policy.ts';
import { findRedeem, insertRedeem, type NewRedeem, type Redeem } from './store.ts';

export interface OfframpOrder {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
  /** A repetition of the request returns the same. */
  readonly operation: string;
  readonly body: {
    readonly burnTxHash: string;
    readonly amount: string;
    readonly bankId: number;
    readonly walletAddress: string;
  };
}

/** How long a request waits for the gateway to accept the pay-out. */
const PATIENCE_MS = 3000;

type Deps = IdrBase & CostDeps & { readonly offramp: Machine<Offramp> };

/** Accepts a burn that is on chain and begins to pay for it. One burn is paid once. The flow goes on by itself. */
export async function beginRedemption(deps: Deps, order: OfframpOrder): Promise<Redeem> {
  const { db } = deps;
  const { caller, operation, body } = order;
  const known = await findRedeem(db, { operation });
  if (known) return known;
  const burn = burnOf(body, deps.config);
  if ((await findActiveBank(db, caller.user_id, body.bankId)) === undefined) throw noBank();
  const wallet_address = burn.from;
  // Checked before the chains are read, since reading costs more.
  await requireOwner(deps, caller.user_id, { wallet_address });
  const chain_id = await findRedemptionBurn(deps, burn);
  await requireOwner(deps, caller.user_id, { wallet_address, chain_id });
  const terms = {
    operation,
    user_id: caller.user_id,
    client_id: caller.client_id,
    token_bank_id: body.bankId,
    chain_id,
    amount_idr: burn.units,
    fee_amount: redeemFee({ asset: 'IDR', units: burn.units }).units,
    wallet_address,
    burn_tx_hash: burn.hash,
  };
  try {
    const market = await readPolicyMarket(deps.fx);
    const redeem = await transact(db, (tx) => write(deps, tx, { ...order, market }, terms));
    // The request to the gateway may fail: the redemption has begun.
    await deps.sagas.drive(redeem.reference_id, { patienceMs: PATIENCE_MS });
    return redeem;
  } catch (error) {
    const begun = sqlState(error) === '23505' && (await findRedeem(db, { operation }));
    if (begun) return begun;
    throw error;
  }
}

const noBank = () => fail('NOT_FOUND', 'Bank account not found or inactive', { status: 400 });

function burnOf(
  { burnTxHash, amount, walletAddress }: OfframpOrder['body'],
  config: Deps['config'],
): ReportedBurn {
  const wanted = money('IDR', amount);
  if (wanted.units < OFFRAMP_LEAST.units)
    throw fail('AMOUNT_BELOW_MINIMUM', 'Amount must be at least 20,000 IDR');
  if (redeemTier(wanted) === undefined)
    throw fail('LIMIT_EXCEEDED', 'Amount must be at most 1,000,000,000 IDR');
  const from = typedEvmAddress(walletAddress, config);
  if (from === undefined)
    throw wrongField('walletAddress', 'is no address, or mistyped', {
      said: 'Invalid wallet address',
    });
  if (!TX_HASH.test(burnTxHash)) throw notTheRedemptionBurn('It is no hash: 0x and 64 hex digits');
  return { hash: burnTxHash.toLowerCase() as Hash, from, units: wanted.units };
}

const TX_HASH = /^0x[0-9a-fA-F]{64}$/;

/** A burn is public, so that its hash proves nothing: out of mock mode the caller must have proven the wallet. */
async function requireOwner(
  { db, config }: IdrBase,
  user_id: number,
  place: WalletPlace,
): Promise<void> {
  if (config.MOCK_MODE || (await isWalletOf(db, user_id, place))) return;
  throw notYourWallet();
}

/** The row, its money and its flow, in one transaction. */
async function write(
  deps: Deps,
  tx: Db,
  { caller, request, body, market }: OfframpOrder & { readonly market: Market | undefined },
  terms: Omit<NewRedeem, 'reference_id' | 'created_at'>,
): Promise<Redeem> {
  const { clock, sagas, offramp } = deps;
  const at = clock.now();
  const { user_id, amount_idr, chain_id, burn_tx_hash } = terms;
  const reference_id = await nextReference(tx, 'REDEEM', user_id, at);
  if (!(await lockActiveBank(tx, user_id, body.bankId))) throw noBank();
  const created_at = at.toISOString();
  if (!(await insertRedeem(tx, { ...terms, reference_id, created_at })))
    throw notTheRedemptionBurn('The burn has been used already');
  const redeem = await findRedeem(tx, { reference_id });
  if (redeem === undefined) throw new Error(`${reference_id} was not written`);
  await deps.policies.decide(tx, redemptionPolicy(redeem, market, request));
  const cost = redemptionCost(deps.prices, redeem.fee_amount);
  const by = requesterOf(caller, request);
  await spendGatewayCost(tx, deps, { name: 'rupiah redemptions', cost }, by);
  emitPayout(tx, 'pending', redeem);
  await recordIdrTokenStep(tx, 'IDR_OFFRAMP_INITIATED', redeem, {
    by: { caller, request },
    units: amount_idr.toString(),
    chain_id,
    tx_hash: burn_tx_hash,
  });
  const waitsForOffice = redeemTier({ asset: 'IDR', units: amount_idr })?.waitsForOffice ?? true;
  await sagas.start(tx, offramp, {
    id: reference_id,
    data: { waitsForOffice },
    drivenForMs: 2 * PATIENCE_MS,
  });
  await addToSupply(tx, chain_id, { redeemed: amount_idr });
  await postWithin(tx, burntOperation(redeem, await houseAccounts(tx)));
  return redeem;
}
