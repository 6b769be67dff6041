import { lockIssuedCard } from '#features/banking/issued-cards/issued-cards.ts';
import type { Files } from '#features/messaging/files/files.ts';
import type { Db } from '#kernel/db/db.ts';
import { defineEffect } from '#kernel/effects/effect.ts';
import { done, type Outcome, type Refusal } from '#kernel/effects/outcome.ts';
import { objectId } from '#kernel/object-id.ts';
import type { DisputeFacts } from '#providers/issuing/port.ts';
import type { CardDisputeDeps, DisputeEffect } from './deps.ts';
import { applyFacts, changeDispute } from './follow.ts';
import {
  type CardDispute,
  type DisputeFile,
  filesOfDisputes,
  findCardDispute,
  lockCardDispute,
} from './store.ts';

/** Locks a dispute behind its card, as all that changes a payment of it does. */
export async function lockWithCard(
  tx: Db,
  { card_id, dispute_id }: Pick<CardDispute, 'card_id' | 'dispute_id'>,
): Promise<CardDispute> {
  await lockIssuedCard(tx, {}, card_id);
  const dispute = await lockCardDispute(tx, {}, dispute_id);
  if (!dispute) throw new Error(`Dispute ${dispute_id} is not there`);
  return dispute;
}

/** Takes the money back from the shop. The processor knows the dispute, and each document of it, by our ids. */
export const submitEffect = (deps: CardDisputeDeps): DisputeEffect =>
  defineEffect<CardDispute, DisputeFacts>({
    kind: 'card-dispute-submit',
    provider: 'issuing',
    open: (db, id) => findCardDispute(db, {}, id),
    async call(dispute) {
      const { dispute_id, currency } = dispute;
      const opened = await deps.issuing.openDispute({
        token: dispute_id,
        transaction: dispute.transaction_token,
        units: dispute.amount,
        currency,
        isWhole: dispute.is_whole,
        reason: dispute.reason,
        explanation: dispute.explanation,
      });
      if (opened.kind !== 'done') return opened;
      const sent = await sendDocuments(deps, dispute, 'CLAIM');
      if (sent.kind !== 'done') return sent;
      return deps.issuing.submitDispute(dispute_id, currency);
    },
    settle: (tx, dispute, facts) => settle(deps, tx, dispute, facts),
    async refuse(tx, row, why) {
      const dispute = await lockWithCard(tx, row);
      if (dispute.status !== 'SUBMITTED') return undefined;
      await changeDispute(deps, tx, dispute, { status: 'REJECTED', failure: refusedAs(why) });
      return undefined;
    },
    repeatable: true,
  });

/** Contradicts what the shop has answered. */
export const respondEffect = (deps: CardDisputeDeps): DisputeEffect =>
  defineEffect<CardDispute, DisputeFacts>({
    kind: 'card-dispute-respond',
    provider: 'issuing',
    open: (db, id) => findCardDispute(db, {}, id),
    async call(dispute) {
      const sent = await sendDocuments(deps, dispute, 'RESPONSE');
      if (sent.kind !== 'done') return sent;
      return deps.issuing.respondToDispute(dispute.dispute_id, dispute.currency);
    },
    settle: (tx, dispute, facts) => settle(deps, tx, dispute, facts),
    // The network takes no response any more: it says itself how the dispute has ended.
    refuse: async () => undefined,
    repeatable: true,
  });

/** Gives it up at the network. */
export const withdrawEffect = (deps: CardDisputeDeps): DisputeEffect =>
  defineEffect<CardDispute, DisputeFacts>({
    kind: 'card-dispute-withdraw',
    provider: 'issuing',
    open: (db, id) => findCardDispute(db, {}, id),
    call: ({ dispute_id, currency }) => deps.issuing.withdrawDispute(dispute_id, currency),
    // One that was decided for its holder meanwhile is won all the same.
    settle: (tx, dispute, facts) => settle(deps, tx, dispute, facts),
    refuse: async () => undefined,
    repeatable: true,
  });

async function settle(
  deps: CardDisputeDeps,
  tx: Db,
  row: CardDispute,
  facts: DisputeFacts,
): Promise<void> {
  await applyFacts(deps, tx, await lockWithCard(tx, row), facts);
}

const refusedAs = ({ code, message }: Refusal) => ({
  code: 'PROCESSOR_REJECTED',
  message: `The processor has not taken the dispute: ${message}`.slice(0, 300),
  provider_code: code,
});

/** Sends the documents that are not there yet, one after the other. */
async function sendDocuments(
  { issuing, files, db }: Pick<CardDisputeDeps, 'issuing' | 'files' | 'db'>,
  { dispute_id }: CardDispute,
  stage: DisputeFile['stage'],
): Promise<Outcome<undefined>> {
  const named = (await filesOfDisputes(db, [dispute_id])).get(dispute_id) ?? [];
  const wanted = named.filter((file) => file.stage === stage);
  if (wanted.length === 0) return done(undefined);
  const there = await issuing.listDocuments(dispute_id);
  if (there.kind !== 'done') return there;
  for (const { file_id } of wanted) {
    const name = objectId('fil', file_id);
    if (there.value.includes(name)) continue;
    const document = await documentOf(files, db, file_id);
    if (document === undefined) continue;
    const sent = await issuing.sendDocument(dispute_id, { name, ...document });
    if (sent.kind !== 'done') return sent;
  }
  return done(undefined);
}

async function documentOf(files: Files, db: Db, file_id: string) {
  const file = await files.find(db, {}, file_id);
  if (!file) return undefined;
  const parts: Buffer[] = [];
  for await (const part of files.read(db, file)) parts.push(part);
  return { contentType: file.content_type, bytes: Buffer.concat(parts) };
}
