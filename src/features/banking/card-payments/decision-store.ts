import type { Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { TenantScope } from '#kernel/access/tenant-scope.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import type { DeclineReason } from '#providers/issuing/port.ts';

/** What was asked of us about a card, and what we said. */
export type CardDecision = Omit<
  Row<'card_decisions'>,
  'type' | 'status' | 'decision' | 'reason' | 'decided_by' | 'currency' | 'kind' | 'client_answer'
> & {
  readonly type: 'authorization' | 'balance_inquiry';
  readonly kind: 'authorization' | 'increment' | 'verification' | 'balance';
  readonly status: 'PENDING' | 'RESPONDED' | 'TIMED_OUT';
  readonly decision: 'approve' | 'decline' | null;
  readonly reason: DeclineReason | null;
  readonly decided_by: 'rules' | 'client' | 'stand_in' | null;
  readonly client_answer: 'approve' | 'decline' | 'late' | 'broken' | 'busy' | null;
  readonly currency: Fiat;
};

export type DecisionKey = Pick<CardDecision, 'card_id' | 'network_reference' | 'kind' | 'sequence'>;

/** What was said to the same question before. */
export async function findDecisionByKey(
  db: Db,
  { card_id, network_reference, kind, sequence }: DecisionKey,
): Promise<CardDecision | undefined> {
  const text = `select * from card_decisions
    where card_id = $1 and network_reference = $2 and kind = $3 and sequence = $4`;
  return (await run<CardDecision>(db, text, [card_id, network_reference, kind, sequence]))[0];
}

const NEW = [
  ...['decision_id', 'card_id', 'client_id', 'user_id', 'payment_id', 'type', 'network_reference'],
  ...['kind', 'sequence', 'transaction_token', 'status', 'decision', 'asked', 'amount', 'currency'],
  ...['reason', 'decided_by', 'received_at', 'timeout_at', 'responded_at', 'ms', 'confirm_after'],
  ...['client_answer', 'client_reason'],
];
/** What is written at the end of a decision that was pending. */
const ENDED = [
  ...['payment_id', 'status', 'decision', 'amount', 'reason', 'decided_by', 'responded_at', 'ms'],
  ...['confirm_after', 'client_answer', 'client_reason'],
];
export type NewCardDecision = Omit<CardDecision, 'serial'>;

/** The card is locked. One that is pending gets its end. */
export async function writeDecisionOfCard(
  tx: Db,
  decision: NewCardDecision,
): Promise<CardDecision> {
  const row = JSON.stringify(decision, (_, one: unknown) =>
    typeof one === 'bigint' ? one.toString() : one,
  );
  const [made] = await run<CardDecision>(
    tx,
    `insert into card_decisions (${NEW.join()})
     select ${NEW.join()} from json_populate_record(null::card_decisions, $1::json)
     on conflict (decision_id) do update set ${ENDED.map((name) => `${name} = excluded.${name}`).join()}
       where card_decisions.status = 'PENDING' returning *`,
    [row],
  );
  if (!made) throw new Error(`Decision ${decision.decision_id} was not written`);
  return made;
}

/** A yes that came too late to be said is a no. Undefined where it is none any more. */
export async function timeOutDecision(
  tx: Db,
  decision_id: string,
): Promise<CardDecision | undefined> {
  const [row] = await run<CardDecision>(
    tx,
    `update card_decisions set status = 'TIMED_OUT', decision = 'decline', amount = 0,
       reason = 'decision_timed_out', confirm_after = null
     where decision_id = $1 and decision = 'approve' returning *`,
    [decision_id],
  );
  return row;
}

/** What a process that has died was asked, and has not answered: it is a no. */
export const timeOutPending = (tx: Db, limit: number): Promise<CardDecision[]> =>
  run(
    tx,
    `update card_decisions set status = 'TIMED_OUT', decision = 'decline', reason = 'decision_timed_out',
       responded_at = service_now(), confirm_after = null
     where decision_id in (select decision_id from card_decisions
       where status = 'PENDING' and timeout_at < service_now() - interval '1 minute' order by timeout_at limit $1
       for update skip locked) returning *`,
    [limit],
  );

/** The processor has our answer, or what became of it is booked. */
export async function confirmDecisions(
  tx: Db,
  card_id: string,
  transaction_token: string,
): Promise<void> {
  await run(
    tx,
    `update card_decisions set confirm_after = null
     where card_id = $1 and transaction_token = $2 and confirm_after is not null`,
    [card_id, transaction_token],
  );
}

/** Yeses that the processor has not confirmed, longest ago first. */
export const unconfirmedDecisions = (db: Db, limit: number): Promise<CardDecision[]> =>
  run(
    db,
    `select * from card_decisions where confirm_after <= service_now() order by confirm_after limit $1`,
    [limit],
  );

/** Looks it up again later. */
export async function postponeConfirmation(db: Db, decision_id: string): Promise<void> {
  await run(
    db,
    `update card_decisions set confirm_after = service_now() + interval '15 minutes'
     where decision_id = $1 and confirm_after is not null`,
    [decision_id],
  );
}

/** Within reach. */
export async function findCardDecision(
  db: Db,
  { user_id, client_id }: TenantScope,
  decision_id: string,
): Promise<CardDecision | undefined> {
  const text = `select * from card_decisions where decision_id = $1
    and ($2::integer is null or user_id = $2) and ($3::integer is null or client_id = $3)`;
  return (await run<CardDecision>(db, text, [decision_id, user_id ?? null, client_id ?? null]))[0];
}

/** Of a payment, oldest first; at most a hundred. */
export const decisionsOfPayment = (db: Db, payment_id: string): Promise<CardDecision[]> =>
  run(db, 'select * from card_decisions where payment_id = $1 order by serial limit 100', [
    payment_id,
  ]);

/** About one transaction of the processor, a yes first. */
export const decisionsOfTransaction = (
  db: Db,
  card_id: string,
  transaction_token: string,
): Promise<CardDecision[]> =>
  run(
    db,
    `select * from card_decisions where card_id = $1 and transaction_token = $2
     order by (decision = 'approve') is not true, serial limit 1`,
    [card_id, transaction_token],
  );
