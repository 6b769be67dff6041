import type { FiatWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { lockUserInScope } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Intent } from '#kernel/effects/runner.ts';
import { fail } from '#kernel/error.ts';
import type { UserCaller } from '#kernel/http/declare/route.ts';
import { newObjectUuid } from '#kernel/object-id.ts';
import { namesGiven } from '#kernel/object-names/object-names.ts';
import type { IssueEffect } from './card-effects.ts';
import type { CardControls } from './controls.ts';
import type { IssuedCardDeps } from './deps.ts';
import { emitIssuedCard } from './events.ts';
import { cardOwnerOf } from './people-store.ts';
import { ISSUED_CARD } from './presenters.ts';
import { countOpenCards, type IssuedCard, insertIssuedCard } from './store.ts';

export type IssueDeps = IssuedCardDeps & { readonly issue: IssueEffect };

export interface NewCardOrder {
  readonly operation: string;
  readonly caller: UserCaller;
  readonly wallet: FiatWallet;
  readonly nameOnCard: string;
  readonly usage: 'many' | 'single';
  readonly validUntil: string | null;
  readonly controls: CardControls;
}

export interface BegunCard {
  readonly card: IssuedCard;
  readonly intent: Intent | undefined;
}

const OPEN_MAX = 10;

/** Throws RAIL_NOT_AVAILABLE where no card product is in that currency. */
export function requireProduct({ issuing }: Pick<IssuedCardDeps, 'issuing'>, currency: string) {
  if ((issuing.issuingCurrencies as readonly string[]).includes(currency)) return;
  throw fail('RAIL_NOT_AVAILABLE', `There are no cards in ${currency}`, {
    details: { currencies: issuing.issuingCurrencies },
  });
}

/** Writes the intent of a card. Throws VERIFICATION_REQUIRED, LIMIT_EXCEEDED and CONFLICT. */
export async function beginCard(deps: IssueDeps, tx: Db, order: NewCardOrder): Promise<BegunCard> {
  const { caller, wallet } = order;
  const { user_id } = caller;
  // Requests of one person wait for one another.
  await lockUserInScope(tx, { user_id }, user_id);
  await requireVerified(tx, user_id);
  if ((await countOpenCards(tx, user_id)) >= OPEN_MAX)
    throw fail('LIMIT_EXCEEDED', `A person has ${OPEN_MAX} open cards at the most`, {
      status: 409,
      details: { limit_id: 'open_cards', limit: OPEN_MAX, used: OPEN_MAX },
    });
  return insertCard(deps, tx, {
    operation: order.operation,
    client_id: caller.client_id,
    user_id,
    wallet_id: wallet.wallet_id,
    currency: wallet.currency,
    name_on_card: order.nameOnCard,
    usage: order.usage,
    valid_until: order.validUntil,
    replaces: null,
    owner_controls: order.controls,
    client_controls: {},
  });
}

async function requireVerified(tx: Db, user_id: number): Promise<void> {
  if ((await cardOwnerOf(tx, user_id)).is_verified) return;
  throw fail('VERIFICATION_REQUIRED', 'Cards are issued to people whose identity is verified');
}

/** A card like the one that was closed, in its place. Its controls go along. */
export async function beginReplacement(
  deps: IssueDeps,
  tx: Db,
  operation: string,
  closed: IssuedCard,
): Promise<BegunCard> {
  const { card_id: replaces, client_id, user_id, wallet_id, currency, name_on_card } = closed;
  const { usage, valid_until, owner_controls, client_controls } = closed;
  await requireVerified(tx, user_id);
  return insertCard(deps, tx, {
    operation,
    client_id,
    user_id,
    wallet_id,
    currency,
    name_on_card,
    usage,
    valid_until,
    replaces,
    owner_controls,
    client_controls,
  });
}

async function insertCard(
  { clock, effects, issue }: IssueDeps,
  tx: Db,
  row: Omit<Parameters<typeof insertIssuedCard>[1], 'card_id'>,
): Promise<BegunCard> {
  const card = await insertIssuedCard(tx, { ...row, card_id: newObjectUuid(clock.ms()) });
  if (!card) throw fail('CONFLICT', 'The request is under way');
  emitIssuedCard(tx, 'created', { card, names: namesGiven(ISSUED_CARD) });
  return { card, intent: await effects.begin(tx, issue, card.card_id) };
}
