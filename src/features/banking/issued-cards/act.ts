import { logActivity } from '#features/messaging/activity/activity.ts';
import { tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { type AppError, fail } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { notAllowedIn } from '#kernel/http/declare/state-fields.ts';
import { type StateEffect, tellState } from './card-effects.ts';
import type { IssuedCardDeps } from './deps.ts';
import { emitCardChange } from './events.ts';
import { mailCardFrozen } from './mails.ts';
import { issuedCardId, type NamedIssuedCard } from './presenters.ts';
import {
  type ClosedReason,
  type IssuedCard,
  type IssuedCardStatus,
  lockIssuedCard,
  moveIssuedCard,
} from './store.ts';

export type ActDeps = IssuedCardDeps & { readonly state: StateEffect };

export interface CardAct {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
  readonly card_id: string;
  readonly reason?: string | undefined;
}

/** An admin acts on the cards of others; on their own they are its owner. */
const sideOf = ({ user_id }: IssuedCard, caller: UserCaller): 'OWNER' | 'ADMIN' =>
  user_id === caller.user_id ? 'OWNER' : 'ADMIN';

/** Locks a card that the caller may act on. Throws NOT_FOUND. */
export async function lockCardOf(
  tx: Db,
  { caller, card_id }: CardAct,
  whose: 'own' | 'within reach',
): Promise<{ readonly card: IssuedCard; readonly by: 'OWNER' | 'ADMIN' }> {
  const reach = whose === 'own' ? { user_id: caller.user_id } : tenantScopeOf(caller);
  const card = await lockIssuedCard(tx, reach, card_id);
  if (!card) throw fail('NOT_FOUND', 'Card not found');
  return { card, by: sideOf(card, caller) };
}

/** What admins do stands in the audit log. */
export async function recordCardAct(
  tx: Db,
  { caller, request, reason }: CardAct,
  card: IssuedCard,
  action: string,
): Promise<void> {
  if (sideOf(card, caller) === 'OWNER') return;
  await logActivity(tx, {
    action: `CARD_${action}`,
    actor: caller,
    subject_user_id: card.user_id,
    details: { card_id: issuedCardId(card), ...(reason !== undefined && { reason }) },
    request,
  });
}

function requireStatus({ status }: IssuedCard, allowed: readonly IssuedCardStatus[]): void {
  if (!allowed.includes(status)) throw notAllowedIn(status, allowed);
}

const shown = (card: IssuedCard, tx: Db, verb?: Parameters<typeof emitCardChange>[1]) =>
  emitCardChange(tx, verb ?? 'changed', card);

/** By its owner. Undefined where it is active already. */
export async function activateCard(
  deps: ActDeps,
  tx: Db,
  act: CardAct,
): Promise<IssuedCard | NamedIssuedCard> {
  const { card } = await lockCardOf(tx, act, 'own');
  if (card.status === 'ACTIVE') return card;
  requireStatus(card, ['INACTIVE']);
  const active = await moveIssuedCard(tx, card, 'ACTIVE');
  await tellState(deps, tx, active);
  return shown(active, tx, 'activated');
}

/** An admin freezes what its owner has frozen, too: then only an admin ends that. */
export async function freezeCard(
  deps: ActDeps,
  tx: Db,
  act: CardAct,
): Promise<IssuedCard | NamedIssuedCard> {
  const { card, by } = await lockCardOf(tx, act, 'within reach');
  if (card.status === 'FROZEN' && (by === 'OWNER' || card.frozen_by === 'ADMIN')) return card;
  requireStatus(card, ['ACTIVE', 'FROZEN']);
  const frozen = await moveIssuedCard(tx, card, 'FROZEN', { frozen_by: by });
  await recordCardAct(tx, act, card, 'FROZEN');
  if (by === 'ADMIN') await mailCardFrozen(deps, tx, frozen);
  if (card.status === 'ACTIVE') await tellState(deps, tx, frozen);
  return shown(frozen, tx, 'frozen');
}

/** Throws FORBIDDEN where an admin has frozen it and its owner asks. */
export async function unfreezeCard(
  deps: ActDeps,
  tx: Db,
  act: CardAct,
): Promise<IssuedCard | NamedIssuedCard> {
  const { card, by } = await lockCardOf(tx, act, 'within reach');
  if (card.status === 'ACTIVE') return card;
  requireStatus(card, ['FROZEN']);
  if (by === 'OWNER' && card.frozen_by === 'ADMIN') throw frozenByAdmin();
  const active = await moveIssuedCard(tx, card, 'ACTIVE');
  await recordCardAct(tx, act, card, 'UNFROZEN');
  await tellState(deps, tx, active);
  return shown(active, tx, 'unfrozen');
}

const frozenByAdmin = (): AppError =>
  fail('FORBIDDEN', 'An administrator has frozen this card, and unfreezes it');

const CLOSABLE = ['INACTIVE', 'ACTIVE', 'FROZEN'] as const;

/** For good, whoever has frozen it. */
export async function closeCard(
  deps: ActDeps,
  tx: Db,
  act: CardAct,
  closed_reason: ClosedReason,
): Promise<IssuedCard | NamedIssuedCard> {
  const { card } = await lockCardOf(tx, act, 'within reach');
  if (card.status === 'CLOSED') return card;
  requireStatus(card, CLOSABLE);
  const closed = await moveIssuedCard(tx, card, 'CLOSED', { closed_reason });
  await recordCardAct(tx, act, card, 'CLOSED');
  await tellState(deps, tx, closed);
  return shown(closed, tx, 'closed');
}

/** Closes a card for another in its place. Throws FORBIDDEN where an admin has frozen it. */
export async function closeForAnother(
  deps: ActDeps,
  tx: Db,
  act: CardAct,
  closed_reason: ClosedReason,
): Promise<IssuedCard> {
  const { card } = await lockCardOf(tx, act, 'own');
  requireStatus(card, CLOSABLE);
  if (card.frozen_by === 'ADMIN') throw frozenByAdmin();
  const closed = await moveIssuedCard(tx, card, 'CLOSED', { closed_reason });
  await tellState(deps, tx, closed);
  await shown(closed, tx, 'replaced');
  return closed;
}
