import type { Db } from '#kernel/db/db.ts';
import { done, type Outcome, refused, unknown } from '#kernel/effects/outcome.ts';
import type { CardFlowEvent } from './events.ts';
import { findOfFlow } from './history-store.ts';

/** By then the card network has answered what became of a transaction, or has never seen it. */
export const CARD_FLOW_MS = 20 * 60_000;

/** What has become of a flow's transaction. Refused where its request has long ended without one. */
export async function cardFlowOutcome(db: Db, flow: string): Promise<Outcome<CardFlowEvent>> {
  const found = await findOfFlow(db, flow);
  if (!found) return refused('NOT_PULLED', 'Nothing was asked of the card network');
  const { state, reference_id: reference } = found;
  return state === 'PENDING'
    ? unknown('The card network has not said')
    : done({ state, reference });
}

/** A repeated request may have begun one since that look-up: then the flow looks once more. */
export async function requireNoCardMoney(tx: Db, flow: string): Promise<void> {
  const found = await findOfFlow(tx, flow);
  if (found && found.state !== 'FAILED')
    throw new Error(`${found.reference_id} was begun for ${flow} meanwhile`);
}
