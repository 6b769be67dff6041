import { hasSend } from '#features/chain-wallets/onchain/onchain.ts';
import { fromRefusal, toRefusal } from '#features/chain-wallets/wallet-spending/wallet-spending.ts';
import { isLetIn } from '#kernel/access/let-in.ts';
import { defineEffect, type Effect, type EffectAttempt } from '#kernel/effects/effect.ts';
import { done, type Outcome, refused, unknown } from '#kernel/effects/outcome.ts';
import type { Intent } from '#kernel/effects/runner.ts';
import { AppError, fail } from '#kernel/error.ts';
import type { OnBehalf } from '#kernel/http/answer/perform.ts';
import type { RouteId } from '#kernel/http/declare/route.ts';
import { transact } from '#kernel/transact.ts';
import {
  type Confirmation,
  endConfirmed,
  findAgentConfirmation,
  lockConfirmed,
  noteTransfer,
} from './confirmation-store.ts';
import type { AgentDeps } from './deps.ts';
import { REACHABLE } from './reachable-routes.ts';

type Result = Readonly<Record<string, unknown>>;
export type Transfers = Effect<Confirmation, Result>;

/** The endpoints that what is confirmed needs, by what is wanted. */
export const ENDPOINTS: Readonly<Record<Confirmation['intent'], readonly RouteId[]>> = {
  send: [REACHABLE.send],
  crosschain_transfer: [REACHABLE.initiate, REACHABLE.burn, REACHABLE.mint],
};

/** Longer than a send or a burn waits for its receipt. */
const HEAD_START_MS = 120_000;
/** What has not begun by then was agreed to under other circumstances. */
const STALE_MS = 15 * 60_000;
const PATIENCE_MS = 30_000;

/**
 * What a user has agreed to, done once: each endpoint is asked under the confirmation's own id, by which it
 * knows a repetition. One attempt at a time, since another one would find the money set aside by the first.
 */
export const createTransfers = (deps: AgentDeps): Transfers =>
  defineEffect<Confirmation, Result>({
    kind: 'agent-transfer',
    repeatable: true,
    isExclusive: true,
    headStartMs: HEAD_START_MS,
    async open(db, id) {
      const row = await findAgentConfirmation(db, id);
      return row?.status === 'CONFIRMED' ? row : undefined;
    },
    find: findAgentConfirmation,
    names: ({ confirmation_id, log_id }) => [confirmation_id, ...(log_id ? [log_id] : [])],
    call: (row, attempt) => carryOut(deps, row, attempt),
    settle: (tx, { confirmation_id }, result) =>
      endConfirmed(tx, confirmation_id, { status: 'DONE', result, at: deps.clock.now() }),
    async refuse(tx, { confirmation_id }) {
      await endConfirmed(tx, confirmation_id, { status: 'FAILED', at: deps.clock.now() });
      return true;
    },
  });

/** What it came to; nothing while that is not known. Throws why it will never happen. */
export async function followPlan(
  { db, effects }: AgentDeps,
  transfers: Transfers,
  { confirmation_id }: Confirmation,
  intent?: Intent,
): Promise<Result | undefined> {
  const patienceMs = PATIENCE_MS;
  const ending = await effects.drive(transfers, confirmation_id, { intent, patienceMs });
  if (ending.state === 'refused') throw fromRefusal(ending.why);
  if (ending.state === 'open') return undefined;
  return ending.value ?? (await findAgentConfirmation(db, confirmation_id))?.result ?? {};
}

async function carryOut(
  deps: AgentDeps,
  row: Confirmation,
  { openedAt }: EffectAttempt,
): Promise<Outcome<Result>> {
  const isLate = deps.clock.now().getTime() - openedAt.getTime() > STALE_MS;
  try {
    if (!(await hasBegun(deps, row))) {
      if (!(await isLetIn(deps.db, row.user_id))) return toRefusal(stopped());
      if (isLate)
        return refused('PROVIDER_REJECTED', 'It could not be begun in time, and nothing was sent');
    }
    return done(row.intent === 'send' ? await send(deps, row) : await transfer(deps, row));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return mayStillHappen(error) ? unknown(error.message) : toRefusal(error);
  }
}

/** Its user or their client was stopped after the yes. */
const stopped = () => fail('ACCOUNT_NOT_ACTIVE', 'The account was stopped, and nothing was sent');

const hasBegun = async ({ db }: AgentDeps, { intent, confirmation_id, log_id }: Confirmation) =>
  intent === 'send' ? hasSend(db, confirmation_id) : log_id !== null;

const send = ({ perform }: AgentDeps, row: Confirmation): Promise<Result> =>
  perform(REACHABLE.send, inNameOf(row), {
    body: row.parameters,
    operation: row.confirmation_id,
  }).then(({ data }) => data);

async function transfer(deps: AgentDeps, row: Confirmation): Promise<Result> {
  const { perform } = deps;
  const operation = row.confirmation_id;
  const by = inNameOf(row);
  const log_id = await begin(deps, row);
  const details = async () =>
    (await perform(REACHABLE.transferDetails, by, { params: { log_id }, operation })).data
      .transaction;
  const { nonce, status } = await details();
  if (status === 'FAILED') throw calledOff(log_id, CALLED_OFF);
  if (status === 'INITIATED' && !(await isLetIn(deps.db, row.user_id)))
    await callOff(deps, row, { log_id, error: stopped() });
  if (status === 'INITIATED')
    await perform(REACHABLE.burn, by, { body: { log_id, nonce }, operation }).catch((error) =>
      callOff(deps, row, { log_id, error }),
    );
  if (status !== 'MINTED')
    await perform(REACHABLE.mint, by, { body: { nonce }, operation }).catch(notRefused);
  return { transaction: await details() };
}

/** What was burnt is minted, however often that takes: nobody is told that it failed. */
function notRefused(error: unknown): never {
  if (!(error instanceof AppError) || mayStillHappen(error)) throw error;
  throw fail('NOT_READY', error.message, { cause: error });
}

/** What kept it from being burnt, and that it is over. */
const calledOff = (log_id: string, { code, message, details }: Why): AppError =>
  fail(code, `${message}. Nothing was burnt: the transfer is FAILED`, {
    details: { ...(details ?? {}), log_id, status: 'FAILED' },
  });
type Why = Pick<AppError, 'code' | 'message'> & { readonly details?: unknown };

/** Found so by a later attempt, which does not know why. */
const CALLED_OFF: Why = { code: 'PROVIDER_REJECTED', message: 'The transfer was called off' };

/**
 * What cannot be burnt has an end, in the words of the contract: FAILED, said in its owner's name, by the
 * endpoint's own rules. That looks for a burn on chain itself, and gives the day's limit back.
 */
async function callOff(
  { perform }: AgentDeps,
  row: Confirmation,
  { log_id, error }: { readonly log_id: string; readonly error: unknown },
): Promise<never> {
  if (!(error instanceof AppError) || mayStillHappen(error)) throw error;
  await perform(REACHABLE.callOff, inNameOf(row), {
    body: { log_id, tx_hash: NO_TRANSACTION, status: 'FAILED' },
    operation: row.confirmation_id,
  }).catch((cause: unknown) => {
    // Burnt meanwhile by another's word: the next look goes on from there.
    throw fail('NOT_READY', 'Whether it was burnt is not decided yet', { cause });
  });
  throw calledOff(log_id, error);
}

/** There is none to name. */
const NO_TRANSACTION = `0x${'0'.repeat(64)}`;

const mayStillHappen = ({ status }: AppError): boolean => status >= 500 || status === 429;

/** The transfer that this confirmation has begun, or begins now: one, whoever asks and however often. */
const begin = ({ db, perform }: AgentDeps, row: Confirmation): Promise<string> =>
  transact(db, async (tx) => {
    const { confirmation_id } = row;
    const locked = await lockConfirmed(tx, confirmation_id);
    if (locked === undefined) throw new Error(`${confirmation_id} is not being done`);
    if (locked.log_id !== null) return locked.log_id;
    const { data } = await perform(REACHABLE.initiate, inNameOf(row), {
      body: row.parameters,
      operation: confirmation_id,
      tx,
    });
    await noteTransfer(tx, confirmation_id, data.log_id);
    return data.log_id;
  });

/** The user who has agreed, and no more than a user may. Whether their key may was asked then. */
const inNameOf = ({ user_id, client_id, asked }: Confirmation): OnBehalf => ({
  caller: { key: null, user_id, client_id, role: 'user', operator: false, session_id: '' },
  request: {
    ...(asked ?? { id: '', ip: '', userAgent: '' }),
    headers: {},
    raw: Buffer.alloc(0),
  },
});
