import { type Db, run } from '#kernel/db/db.ts';
import { movesOf } from '#kernel/db/move.ts';
import type { Row } from '#kernel/db/row.ts';
import type { Language } from './intent.ts';

/** The request that agreed, for the activity log. */
export interface AgreeingRequest {
  readonly id: string;
  readonly ip: string;
  readonly userAgent: string;
}

/** A transfer that waits for its user's yes, or has had it. */
export type Confirmation = Row<
  'agent_confirmations',
  | 'confirmation_id'
  | 'user_id'
  | 'client_id'
  | 'code'
  | 'needs_code'
  | 'log_id'
  | 'created_at'
  | 'expires_at'
  | 'ended_at'
> & {
  readonly intent: 'send' | 'crosschain_transfer';
  readonly language: Language;
  readonly status: 'OPEN' | 'CONFIRMED' | 'DONE' | 'FAILED' | 'CANCELLED' | 'REPLACED';
  /** Exactly the endpoint's body. */
  readonly parameters: Readonly<Record<string, string | number>>;
  readonly result: Readonly<Record<string, unknown>> | null;
  readonly asked: AgreeingRequest | null;
};

type NewConfirmation = Pick<
  Confirmation,
  'confirmation_id' | 'user_id' | 'client_id' | 'intent' | 'parameters' | 'language' | 'code'
>;

/**
 * Opens a confirmation in place of the open one: a user has one at a time. A bare yes is not enough for it where
 * the user may still mean the replaced one, or where another one is in flight.
 */
export async function openConfirmation(
  tx: Db,
  input: NewConfirmation,
  { at, until }: { readonly at: Date; readonly until: Date },
): Promise<Confirmation> {
  // Confirmations of one user are opened one after another.
  await run(tx, 'select from users where user_id = $1 for no key update', [input.user_id]);
  const before = await run<{ may_be_meant: boolean }>(
    tx,
    `update agent_confirmations set status = 'REPLACED', ended_at = $2
     where user_id = $1 and status = 'OPEN' returning expires_at > $2 as may_be_meant`,
    [input.user_id, at.toISOString()],
  );
  const inFlight = await run(
    tx,
    `select from agent_confirmations where user_id = $1 and status = 'CONFIRMED' limit 1`,
    [input.user_id],
  );
  const needs_code = inFlight.length > 0 || before.some(({ may_be_meant }) => may_be_meant);
  const [row] = await run<Confirmation>(
    tx,
    `insert into agent_confirmations (confirmation_id, user_id, client_id, intent, parameters,
       language, code, needs_code, created_at, expires_at)
     values ($1, $2, $3, $4, $5::jsonb, $6, $7, $8, $9, $10) returning *`,
    [
      input.confirmation_id,
      input.user_id,
      input.client_id,
      input.intent,
      JSON.stringify(input.parameters),
      input.language,
      input.code,
      needs_code,
      at.toISOString(),
      until.toISOString(),
    ],
  );
  if (row === undefined) throw new Error('A confirmation was not written');
  return row;
}

interface Agreement {
  readonly user_id: number;
  readonly confirmation_id: string;
  readonly code: string | undefined;
  readonly asked: AgreeingRequest;
  readonly at: Date;
}

/** OPEN to CONFIRMED, once. Undefined where it is no longer open, or the yes lacks its code. */
export async function confirmOpen(
  tx: Db,
  { user_id, confirmation_id, code, asked, at }: Agreement,
): Promise<Confirmation | undefined> {
  const [row] = await run<Confirmation>(
    tx,
    `update agent_confirmations set status = 'CONFIRMED', asked = $4::jsonb
     where confirmation_id = $1 and user_id = $2 and status = 'OPEN' and expires_at > $5
       and (code = $3 or ($3::text is null and not needs_code))
     returning *`,
    [confirmation_id, user_id, code ?? null, JSON.stringify(asked), at.toISOString()],
  );
  return row;
}

/** The open confirmation needs a yes with its code from now on: the user has said something else since. */
export const requireCode = (tx: Db, user_id: number, at: Date): Promise<unknown> =>
  run(
    tx,
    `update agent_confirmations set needs_code = true
     where user_id = $1 and status = 'OPEN' and expires_at > $2`,
    [user_id, at.toISOString()],
  );

/** OPEN to CANCELLED. False where none is open. */
export async function cancelOpen(tx: Db, user_id: number, at: Date): Promise<boolean> {
  const rows = await run(
    tx,
    `update agent_confirmations set status = 'CANCELLED', ended_at = $2
     where user_id = $1 and status = 'OPEN' returning confirmation_id`,
    [user_id, at.toISOString()],
  );
  return rows.length > 0;
}

/** The user's latest confirmation, in whatever status. */
export async function latestConfirmation(
  db: Db,
  user_id: number,
): Promise<Confirmation | undefined> {
  const [row] = await run<Confirmation>(
    db,
    `select * from agent_confirmations where user_id = $1 order by created_at desc limit 1`,
    [user_id],
  );
  return row;
}

export async function findAgentConfirmation(
  db: Db,
  confirmation_id: string,
): Promise<Confirmation | undefined> {
  const [row] = await run<Confirmation>(
    db,
    'select * from agent_confirmations where confirmation_id = $1',
    [confirmation_id],
  );
  return row;
}

/** Locked, where it is CONFIRMED. */
export async function lockConfirmed(
  tx: Db,
  confirmation_id: string,
): Promise<Confirmation | undefined> {
  const [row] = await run<Confirmation>(
    tx,
    `select * from agent_confirmations
     where confirmation_id = $1 and status = 'CONFIRMED' for update`,
    [confirmation_id],
  );
  return row;
}

/** Records the transfer between chains that it has begun; under its lock. */
export const setTransfer = (tx: Db, confirmation_id: string, log_id: string): Promise<unknown> =>
  run(tx, 'update agent_confirmations set log_id = $2 where confirmation_id = $1', [
    confirmation_id,
    log_id,
  ]);

/** CONFIRMED to DONE or FAILED. */
export const endConfirmed = (
  tx: Db,
  confirmation_id: string,
  { status, result, at }: AgreementEnd,
): Promise<Confirmation> =>
  move(
    tx,
    { confirmation_id, status: 'CONFIRMED' },
    { status, ended_at: at.toISOString(), ...(result && { result }) },
  );

interface AgreementEnd {
  readonly status: 'DONE' | 'FAILED';
  readonly result?: Confirmation['result'];
  readonly at: Date;
}

const { move } = movesOf<Confirmation>('agent_confirmations');

/** Deletes a batch of those created before then and not in flight; answers how many. */
export async function forgetConfirmations(db: Db, before: Date, limit: number): Promise<number> {
  const rows = await run(
    db,
    `delete from agent_confirmations where ctid = any(array(
       select ctid from agent_confirmations
       where created_at < $1 and status <> 'CONFIRMED' order by created_at limit $2))
     and created_at < $1 and status <> 'CONFIRMED' returning confirmation_id`,
    [before.toISOString(), limit],
  );
  return rows.length;
}
