import type { Address } from 'viem';
import { checkDestination } from '#chains/destinations.ts';
import { typedEvmAddress } from '#chains/evm/port.ts';
import { spendGatewayCost } from '#features/fiat/payouts/payouts.ts';
import { requesterOf } from '#kernel/access/requester.ts';
import { countOfCountedList } from '#kernel/db/counted-list.ts';
import { sqlState } from '#kernel/db/sql-errors.ts';
import type { Machine } from '#kernel/effects/saga-machine.ts';
import { type AppError, fail, wrongField } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { type Money, money } from '#kernel/money/money.ts';
import { transact } from '#kernel/transact.ts';
import type { PaymentMethod } from '#providers/gateway/port.ts';
import { recordIdrTokenStep } from '../audit.ts';
import { purchaseCost } from '../cost.ts';
import type { CostDeps, IdrBase, Onramp } from '../deps.ts';
import { emitIdrTokenPayment } from '../events.ts';
import { isWholeRupiah, ONRAMP_LIMITS, onrampFee, PAYABLE_HOURS } from '../fees.ts';
import { idrTokenRupiahOf } from '../presenters.ts';
import { nextReference } from '../reference-store.ts';
import { findMint, insertMint, MINTS, type Mint } from './store.ts';

export interface OnrampOrder {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
  /** A repetition of the request finds its purchase. */
  readonly operation: string;
  readonly body: {
    readonly amount: string;
    readonly paymentMethod: PaymentMethod;
    readonly walletAddress: string;
  };
}

type Deps = IdrBase & CostDeps & { readonly onramp: Machine<Onramp> };

/** A purchase that can be paid now. */
export type Payable = Mint & { readonly payment_url: string };

/** How long a caller waits for the gateway's page. */
const PATIENCE_MS = 15_000;
const HOUR_MS = 3_600_000;
/** Payments that a user may have open at once. */
const OPEN_MAX = 1000;

/**
 * Begins a purchase, once for an operation, and returns where to pay it. Throws 503 without an answer of the gateway;
 * the purchase goes on by itself, and a repetition reads it.
 */
export async function beginPurchase(deps: Deps, order: OnrampOrder): Promise<Payable> {
  const { operation } = order;
  const terms = termsOf(deps, order);
  await checkDestination(deps.evm, terms.wallet_address, {
    field: 'walletAddress',
    refusal: wrongWallet,
  });
  const known = await findMint(deps.db, { operation });
  const mint = known ?? (await write(deps, order, terms));
  if (isPayable(mint)) return mint;
  await deps.sagas.drive(mint.reference_id, { patienceMs: PATIENCE_MS });
  const now = (await findMint(deps.db, { operation })) ?? mint;
  if (isPayable(now)) return now;
  throw now.status === 'FAILED' ? refusalOf(now) : undecided(now);
}

const isPayable = (mint: Mint): mint is Payable => mint.payment_url !== null;

function refusalOf({ failure }: Mint): AppError {
  return fail('PROVIDER_REJECTED', 'The payment gateway refused the payment', {
    details: { reason: failure },
  });
}

const undecided = ({ reference_id: referenceId, status }: Mint): AppError =>
  fail('PROVIDER_UNAVAILABLE', 'The payment gateway cannot be reached at the moment', {
    details: { referenceId, status },
    retryAfter: 10,
  });

interface Terms {
  readonly amount_idr: bigint;
  readonly fee_amount: bigint;
  readonly wallet_address: Address;
}

function termsOf({ config }: Deps, { body }: OnrampOrder): Terms {
  const amount = money('IDR', body.amount);
  const { least, most } = ONRAMP_LIMITS;
  if (amount.units < least.units || amount.units > most.units || !isWholeRupiah(amount))
    throw wrongField(
      'amount',
      `must be whole rupiah from ${idrTokenRupiahOf(least.units)} to ${idrTokenRupiahOf(most.units)}`,
      { code: 'INVALID_AMOUNT', said: saidOf(amount) },
    );
  const wallet_address = typedEvmAddress(body.walletAddress, config);
  if (wallet_address === undefined) throw wrongWallet('is no address, or mistyped');
  const fee_amount = onrampFee(body.paymentMethod, amount).units;
  return { amount_idr: amount.units, fee_amount, wallet_address };
}

/** The contract's message for an amount out of its range. */
const saidOf = (amount: Money<'IDR'>): string =>
  isWholeRupiah(amount)
    ? 'Amount must be between 20,000 and 100,000,000 IDR'
    : 'Amount must be whole rupiah between 20,000 and 100,000,000 IDR';

const wrongWallet = (message: string): AppError =>
  wrongField('walletAddress', message, { said: 'Invalid wallet address' });

const costOf = ({ prices }: Deps, method: PaymentMethod, { fee_amount }: Terms) => ({
  name: 'rupiah purchases',
  cost: purchaseCost(prices, method, fee_amount),
});

/** The row and its flow, in one transaction; the existing row where another attempt was first. */
async function write(deps: Deps, order: OnrampOrder, terms: Terms): Promise<Mint> {
  const { db, clock, sagas, home, onramp } = deps;
  const { caller, request, operation, body } = order;
  const { user_id, client_id } = caller;
  const by = requesterOf(caller, request);
  try {
    return await transact(db, async (tx) => {
      const at = clock.now();
      const expiresAt = new Date(at.getTime() + PAYABLE_HOURS * HOUR_MS).toISOString();
      const reference_id = await nextReference(tx, 'MINT', user_id, at);
      if (
        (await countOfCountedList(tx, { list: MINTS, owner: user_id }, { status: 'PENDING' })) >=
        OPEN_MAX
      )
        throw fail('LIMIT_EXCEEDED', `At most ${OPEN_MAX} payments may be open at once`);
      await spendGatewayCost(tx, deps, costOf(deps, body.paymentMethod, terms), by);
      const mint = await insertMint(tx, {
        reference_id,
        operation,
        user_id,
        client_id,
        ...terms,
        payment_method: body.paymentMethod,
        chain_id: home,
        created_at: at.toISOString(),
        expired_at: expiresAt,
      });
      emitIdrTokenPayment(tx, 'pending', mint);
      await recordIdrTokenStep(tx, 'IDR_ONRAMP_INITIATED', mint, {
        by: { caller, request },
        units: mint.amount_idr.toString(),
        payment_method: mint.payment_method,
        wallet_address: mint.wallet_address,
      });
      const data = { expiresAt, attempt: 1 };
      await sagas.start(tx, onramp, { id: reference_id, data, drivenForMs: 2 * PATIENCE_MS });
      return mint;
    });
  } catch (error) {
    const begun = sqlState(error) === '23505' && (await findMint(db, { operation }));
    if (begun) return begun;
    throw error;
  }
}
