import type { Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import { wrongField } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import type { Vault } from '#kernel/secrets/vault.ts';
import { type Card, fingerprintOf } from '#providers/card-network/port.ts';
import type { CardOrder } from './books.ts';
import { cardOf, chargeOf } from './card-input.ts';
import { cardPolicy } from './card-policy.ts';
import { refundShares } from './fee.ts';
import { cardMismatch, originalNotFound } from './refusals.ts';
import { type CardTransaction, findCardByReference } from './store.ts';
import { type CardDeps, execute } from './transaction.ts';

export interface Refund {
  readonly caller: UserCaller;
  readonly operation: string;
  readonly request?: RequestFacts;
  readonly body: {
    readonly amount: string;
    readonly currency_code: Fiat;
    readonly card_number: string;
    readonly expiry_date: string;
    readonly cvv?: string;
    readonly reference_id: string;
  };
}

/**
 * Refunds a checkout within the caller's reach to its card, once: all of it or a part. The wallet pays its share of
 * the net amount, which is held first, the platform its share of the fee.
 */
export async function refund(
  deps: CardDeps,
  { caller, operation, request, body }: Refund,
): Promise<{ readonly refunded: CardTransaction; readonly original: CardTransaction }> {
  const { card_number, expiry_date, cvv, currency_code, reference_id } = body;
  const card = cardOf({ card_number, expiry_date, cvv }, deps.clock);
  const money = chargeOf(currency_code, body.amount);
  const original = await originalOf(deps, caller, reference_id);
  if (original.currency !== currency_code)
    throw wrongField('currency_code', 'is not the currency of the original');
  if (money.units > original.amount)
    throw wrongField('amount', 'is more than the amount of the original');
  if (!isCardOf(original, card, deps.vault)) throw cardMismatch();
  const order: CardOrder = {
    operation,
    type: 'REFUND',
    actor: caller,
    ...(request && { request }),
    owner: original,
    wallet: original,
    money,
    shares: refundShares(money.units, original),
    original,
  };
  const policy = await cardPolicy(deps, order, card);
  return { refunded: await execute(deps, { ...order, policy }, card), original };
}

/** Money of the network goes back there, and mock money stays mock money. */
async function originalOf(deps: CardDeps, caller: UserCaller, reference_id: string) {
  const found = await findCardByReference(deps.db, tenantScopeOf(caller), reference_id);
  if (
    found?.type !== 'TOPUP' ||
    found.state !== 'SETTLED' ||
    // Only the flow knows where its money is, and refunds it itself.
    found.flow !== null ||
    found.simulated !== deps.config.MOCK_MODE
  )
    throw originalNotFound();
  return found;
}

/** Transactions from before cards had fingerprints are compared by the last digits alone. */
export const isCardOf = (original: CardTransaction, card: Card, vault: Vault): boolean =>
  card.last4 === original.card_last4 &&
  (original.card_fingerprint === null || fingerprintOf(card, vault) === original.card_fingerprint);
