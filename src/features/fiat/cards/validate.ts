import type { Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { UserCaller } from '#kernel/http/declare/route.ts';
import { cardOf } from './card-input.ts';
import { ownWallet } from './checkout.ts';
import { refusal } from './refusals.ts';
import type { CardDeps } from './transaction.ts';

export interface CardQuestion {
  readonly caller: UserCaller;
  readonly currency: Fiat;
  readonly body: {
    readonly card_number: string;
    readonly expiry_date: string;
    readonly cvv: string;
  };
}

/** Asks the issuer whether the card is valid; moves no money and stores nothing. */
export async function validateCard(
  { db, clock, network, nextTrace }: CardDeps,
  { caller, currency, body }: CardQuestion,
) {
  const { card_number, expiry_date, cvv } = body;
  const card = cardOf({ card_number, expiry_date, cvv }, clock);
  const { wallet_id } = await ownWallet(db, caller.user_id, currency);
  const trace = await nextTrace(clock.now());
  const outcome = await network.validate({ trace, card });
  if (outcome.kind === 'unknown') throw refusal('UNREACHABLE');
  if (outcome.kind === 'refused') throw refusal(outcome.code);
  if (outcome.value.cvv === 'mismatch') throw refusal('DECLINED');
  const { name, terminalId, idCode, address } = outcome.value.merchant;
  const { street, postalCode, city, state, country } = address;
  return {
    wallet_id,
    card_last4: card.last4,
    validation_status: 'APPROVED' as const,
    merchant_info: { name, terminal_id: terminalId, id_code: idCode },
    address_verification: { street, postal_code: postalCode, city, state, country },
  };
}
