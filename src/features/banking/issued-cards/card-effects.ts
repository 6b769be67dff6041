import type { Db } from '#kernel/db/db.ts';
import { defineEffect, type Effect } from '#kernel/effects/effect.ts';
import type { CardStateReason, IssuedCardFacts, IssuingCurrency } from '#providers/issuing/port.ts';
import type { IssuedCardDeps } from './deps.ts';
import { emitCardChange } from './events.ts';
import { mailCardMade } from './mails.ts';
import { cardOwnerOf } from './people-store.ts';
import {
  type ClosedReason,
  findIssuedCard,
  type IssuedCard,
  lockIssuedCard,
  moveIssuedCard,
} from './store.ts';

export type IssueEffect = Effect<IssuedCard, IssuedCardFacts>;
export type StateEffect = Effect<IssuedCard, undefined>;

/** Of its owner at the processor: one for all cards. */
export const holderToken = (user_id: number): string => `archipay-user-${user_id}`;

/** The processor makes the card. It knows the card by our id, so that it is made once. */
export const issueEffect = (deps: IssuedCardDeps): IssueEffect =>
  defineEffect<IssuedCard, IssuedCardFacts>({
    kind: 'issued-card',
    provider: 'issuing',
    open: (db, card_id) => findIssuedCard(db, {}, card_id),
    async call({ card_id, user_id, currency, name_on_card }) {
      const { email, username, verified_name } = await cardOwnerOf(deps.db, user_id);
      const [firstName, lastName] = namesIn(verified_name ?? username);
      return deps.issuing.createCard({
        token: card_id,
        currency: currency as IssuingCurrency,
        nameOnCard: name_on_card,
        holder: { token: holderToken(user_id), firstName, lastName, email },
      });
    },
    async settle(tx, { card_id }, { last4, expiry }) {
      const card = await pending(tx, card_id);
      if (!card) return;
      const ends_at = endOf(expiry, card.valid_until);
      const made = await moveIssuedCard(tx, card, 'INACTIVE', { last4, expiry, ends_at });
      await emitCardChange(tx, 'issued', made);
      await mailCardMade(deps, tx, made);
    },
    async refuse(tx, { card_id }, { code }) {
      const card = await pending(tx, card_id);
      if (!card) return undefined;
      const failed = await moveIssuedCard(tx, card, 'FAILED', { failure_code: code.slice(0, 60) });
      await emitCardChange(tx, 'failed', failed);
      return undefined;
    },
    repeatable: true,
  });

const NAME_MAX = 40;

/** A person with one name has it twice, as on documents. */
function namesIn(name: string): [string, string] {
  const words = name.trim().split(/\s+/);
  const last = words.at(-1) ?? name;
  const first = words.length > 1 ? words.slice(0, -1).join(' ') : last;
  return [first.slice(0, NAME_MAX), last.slice(0, NAME_MAX)];
}

async function pending(tx: Db, card_id: string): Promise<IssuedCard | undefined> {
  const card = await lockIssuedCard(tx, {}, card_id);
  return card?.status === 'PENDING' ? card : undefined;
}

/** The end of its month in UTC, or earlier. */
function endOf(expiry: string, valid_until: string | null): string {
  const [month = '', year = ''] = expiry.split('/');
  const end = new Date(Date.UTC(2000 + Number(year), Number(month), 1)).toISOString();
  return valid_until !== null && valid_until < end ? valid_until : end;
}

/**
 * Sends the processor the state that the card has by now. One for each change, named by its version: of calls that
 * overtake each other the last one sends the last state, since each that finds another state at its end leads to one more.
 */
export const stateEffect = (deps: IssuedCardDeps): StateEffect => {
  const effect: StateEffect = defineEffect<IssuedCard, undefined>({
    kind: 'issued-card-state',
    provider: 'issuing',
    open: (db, id) => findIssuedCard(db, {}, id.slice(0, UUID_LENGTH)),
    call: (card) => deps.issuing.setCardState(card.card_id, ...stateOf(card)),
    async settle(tx, { card_id, version }) {
      const card = await lockIssuedCard(tx, {}, card_id);
      if (!card || card.version === version) return;
      await deps.effects.begin(tx, effect, `${card_id}:${card.version}:again`, { left: {} });
    },
    // What the processor says no to is not as it is here: it stays open for a person.
    refuse: async () => false,
    repeatable: true,
  });
  return effect;
};

const UUID_LENGTH = 36;

/** In the transaction that has changed the card. */
export async function tellState(
  { effects, state }: Pick<IssuedCardDeps, 'effects'> & { readonly state: StateEffect },
  tx: Db,
  { card_id, version }: IssuedCard,
): Promise<void> {
  await effects.begin(tx, state, `${card_id}:${version}`, { left: {} });
}

const CLOSED_FOR: Readonly<Record<ClosedReason, CardStateReason>> = {
  USER: 'REQUESTED',
  LOST: 'LOST',
  STOLEN: 'STOLEN',
  FRAUD: 'FRAUD',
};

function stateOf({
  status,
  closed_reason,
  version,
}: IssuedCard): ['ACTIVE' | 'SUSPENDED' | 'TERMINATED', CardStateReason] {
  if (status === 'CLOSED') return ['TERMINATED', CLOSED_FOR[closed_reason ?? 'USER']];
  if (status === 'EXPIRED') return ['TERMINATED', 'EXPIRED'];
  if (status === 'FROZEN') return ['SUSPENDED', 'REQUESTED'];
  if (status === 'ACTIVE') return ['ACTIVE', version <= FIRST_USE ? 'FIRST_USE' : 'REQUESTED'];
  throw new Error(`The processor gets no state of a card that is ${status}`);
}

/** Asked for, made, activated. */
const FIRST_USE = 3;
