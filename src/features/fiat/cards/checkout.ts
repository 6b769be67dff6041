import {
  type Fiat,
  type FiatWallet,
  fiatWalletOf,
} from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import type { CardOrder } from './books.ts';
import { cardOf, chargeOf } from './card-input.ts';
import { checkoutShares, requireFeeCoversCost } from './fee.ts';
import type { CardTransaction } from './store.ts';
import { type CardDeps, execute } from './transaction.ts';

/** Contract part 3: `<CUR> Wallet not found for user`. */
export async function ownWallet(db: Db, user_id: number, currency: Fiat): Promise<FiatWallet> {
  const wallet = await fiatWalletOf(db, user_id, currency);
  if (!wallet)
    throw fail('WALLET_NOT_FOUND', `${currency} Wallet not found for user`, {
      hint: `Open one first: POST /wallets/fiat with {"currency": "${currency}"}.`,
    });
  return wallet;
}

export interface Checkout {
  readonly caller: UserCaller;
  readonly operation: string;
  readonly request?: RequestFacts;
  readonly currency: Fiat;
  readonly body: {
    readonly card_number: string;
    readonly expiry_date: string;
    readonly cvv?: string;
    readonly amount: string;
  };
}

/** Takes the amount from the card and credits the caller's wallet with the amount less the fee. */
export async function checkOut(
  deps: CardDeps,
  { caller, operation, request, currency, body }: Checkout,
): Promise<CardTransaction> {
  const { card_number, expiry_date, cvv } = body;
  const card = cardOf({ card_number, expiry_date, cvv }, deps.clock);
  const money = chargeOf(currency, body.amount);
  const shares = checkoutShares(money);
  if (shares.net <= 0n) throw fail('INVALID_AMOUNT', 'Amount must exceed the fee');
  await requireFeeCoversCost(deps, money, shares.fee);
  const order: CardOrder = {
    operation,
    type: 'TOPUP',
    actor: caller,
    ...(request && { request }),
    owner: caller,
    wallet: await ownWallet(deps.db, caller.user_id, currency),
    money,
    shares,
  };
  return execute(deps, order, card);
}
