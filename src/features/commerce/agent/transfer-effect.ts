import { hasSend } from '#features/chain-wallets/onchain/onchain.ts';
import { fromRefusal, toRefusal } from '#features/chain-wallets/wallet-spending/wallet-spending.ts';
import type { Arguments, ToolName } from '#features/commerce/mcp-server/mcp-server.ts';
import { mayAct } from '#kernel/access/may-act.ts';
import type { Db } from '#kernel/db/db.ts';
import { defineEffect, type Effect, type EffectAttempt } from '#kernel/effects/effect.ts';
import { done, type Outcome, refused, unknown } from '#kernel/effects/outcome.ts';
import type { Intent } from '#kernel/effects/runner.ts';
import { AppError, fail } from '#kernel/error.ts';
import type { OnBehalf, Performed } from '#kernel/http/answer/perform.ts';
import { giveBackLimits } from '#kernel/policies/give-back.ts';
import { transact } from '#kernel/transact.ts';
import {
  type Confirmation,
  endConfirmed,
  findAgentConfirmation,
  lockConfirmed,
  setTransfer,
} from './confirmation-store.ts';
import type { AgentDeps } from './deps.ts';

type Result = Readonly<Record<string, unknown>>;
export type Transfers = Effect<Confirmation, Result>;

/** The tools that move money for each intent. */
export const MOVING_TOOLS: Readonly<Record<Confirmation['intent'], readonly ToolName[]>> = {
  send: ['transfer'],
  crosschain_transfer: ['begin_transfer', 'burn_transfer', 'mint_transfer'],
};

/** Longer than a send or a burn waits for its receipt. */
const HEAD_START_MS = 120_000;
/** An agreement that has not begun by then is stale: prices and balances have changed. */
const STALE_MS = 15 * 60_000;
const PATIENCE_MS = 30_000;

/**
 * Moves once what a user has confirmed: each tool runs under the confirmation's own id, by which its endpoint
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
    call: (row, attempt) => execute(deps, row, attempt),
    async settle(tx, { confirmation_id }, result) {
      await endConfirmed(tx, confirmation_id, { status: 'DONE', result, at: deps.clock.now() });
    },
    async refuse(tx, { confirmation_id }) {
      await giveBackLimits(tx, { operation: confirmation_id, kind: 'agent' });
      await endConfirmed(tx, confirmation_id, { status: 'FAILED', at: deps.clock.now() });
      return true;
    },
  });

/** The result of the transfer; undefined while it is open. Throws why it was refused. */
export async function followTransfer(
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

async function execute(
  deps: AgentDeps,
  row: Confirmation,
  { openedAt }: EffectAttempt,
): Promise<Outcome<Result>> {
  const isStale = deps.clock.now().getTime() - openedAt.getTime() > STALE_MS;
  try {
    if (!(await hasBegun(deps, row))) {
      if (!(await mayAct(deps.db, row.user_id))) return toRefusal(suspended());
      if (isStale)
        return refused('PROVIDER_REJECTED', 'It could not be begun in time, and nothing was sent');
    }
    if (row.intent === 'crosschain_transfer') return done(await transfer(deps, row));
    return done((await runAs(deps, row, { tool: 'transfer', given: row.parameters })).data);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return mayStillHappen(error) ? unknown(error.message) : toRefusal(error);
  }
}

/** The user or their client was suspended after the yes. */
const suspended = () => fail('ACCOUNT_NOT_ACTIVE', 'The account was stopped, and nothing was sent');

const hasBegun = async ({ db }: AgentDeps, { intent, confirmation_id, log_id }: Confirmation) =>
  intent === 'send' ? hasSend(db, confirmation_id) : log_id !== null;

/** Runs a tool for the user who has confirmed, with a user's reach; `confirm` has checked the key's scopes. */
const runAs = (
  { tools }: AgentDeps,
  { user_id, client_id, asked, confirmation_id }: Confirmation,
  { tool, given, tx }: { readonly tool: ToolName; readonly given: Arguments; readonly tx?: Db },
): Promise<Performed> => {
  const by: OnBehalf = {
    caller: { key: null, user_id, client_id, role: 'user', operator: false, session_id: '' },
    request: {
      ...(asked ?? { id: '', ip: '', userAgent: '' }),
      headers: {},
      raw: Buffer.alloc(0),
    },
  };
  return tools.run(tool, given, by, { operation: confirmation_id, ...(tx && { tx }) });
};

async function transfer(deps: AgentDeps, row: Confirmation): Promise<Result> {
  const log_id = await begin(deps, row);
  const details = async () =>
    (await runAs(deps, row, { tool: 'get_transfer', given: { log_id } })).data.transaction;
  const { nonce, status } = await details();
  if (status === 'FAILED') throw transferFailed(log_id, CAUSE_UNKNOWN);
  if (status === 'INITIATED' && !(await mayAct(deps.db, row.user_id)))
    await failTransfer(deps, row, { log_id, error: suspended() });
  if (status === 'INITIATED')
    await runAs(deps, row, { tool: 'burn_transfer', given: { log_id, nonce } }).catch((error) =>
      failTransfer(deps, row, { log_id, error }),
    );
  if (status !== 'MINTED')
    await runAs(deps, row, { tool: 'mint_transfer', given: { nonce } }).catch(throwAsOpen);
  return { transaction: await details() };
}

/** USDC that is burnt is minted, however long that takes: a refused mint never ends the transfer. */
function throwAsOpen(error: unknown): never {
  if (!(error instanceof AppError) || mayStillHappen(error)) throw error;
  throw fail('NOT_READY', error.message, { cause: error });
}

/** Why the burn was refused, and that the transfer has ended. */
const transferFailed = (log_id: string, { code, message, details }: Why): AppError =>
  fail(code, `${message}. Nothing was burnt: the transfer is FAILED`, {
    details: { ...(details ?? {}), log_id, status: 'FAILED' },
  });
type Why = Pick<AppError, 'code' | 'message'> & { readonly details?: unknown };

/** For a later attempt, which does not know the cause. */
const CAUSE_UNKNOWN: Why = { code: 'PROVIDER_REJECTED', message: 'The transfer was called off' };

/**
 * Ends a transfer that cannot be burnt in the words of the contract: FAILED, in its owner's name, by the
 * endpoint's own rules. That looks for a burn on chain itself, and gives the day's limit back.
 */
async function failTransfer(
  deps: AgentDeps,
  row: Confirmation,
  { log_id, error }: { readonly log_id: string; readonly error: unknown },
): Promise<never> {
  if (!(error instanceof AppError) || mayStillHappen(error)) throw error;
  const given = { log_id, tx_hash: NO_TRANSACTION, status: 'FAILED' };
  await runAs(deps, row, { tool: 'fail_transfer', given }).catch((cause: unknown) => {
    // Another caller has burnt it meanwhile: the next attempt goes on from there.
    throw fail('NOT_READY', 'Whether it was burnt is not decided yet', { cause });
  });
  throw transferFailed(log_id, error);
}

/** The endpoint wants a hash, and there is no transaction. */
const NO_TRANSACTION = `0x${'0'.repeat(64)}`;

const mayStillHappen = ({ status }: AppError): boolean => status >= 500 || status === 429;

/** The transfer of this confirmation, begun by the first attempt that gets here. */
const begin = (deps: AgentDeps, row: Confirmation): Promise<string> =>
  transact(deps.db, async (tx) => {
    const { confirmation_id, parameters } = row;
    const locked = await lockConfirmed(tx, confirmation_id);
    if (locked === undefined) throw new Error(`${confirmation_id} is not CONFIRMED`);
    if (locked.log_id !== null) return locked.log_id;
    const { data } = await runAs(deps, row, { tool: 'begin_transfer', given: parameters, tx });
    await setTransfer(tx, confirmation_id, data.log_id);
    return data.log_id;
  });
