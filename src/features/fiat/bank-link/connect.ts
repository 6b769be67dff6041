import { randomUUID } from 'node:crypto';
import { type FiatWallet, findFiatWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import type { Db } from '#kernel/db/db.ts';
import { defineEffect, type Effect } from '#kernel/effects/effect.ts';
import type { Intent } from '#kernel/effects/runner.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { done, type Outcome, unknown } from '#kernel/provider-call.ts';
import { transact } from '#kernel/transact.ts';
import type { BankLink, LinkedItem } from '#providers/plaid/port.ts';
import { spendOne } from './ceilings.ts';
import { type BankLinkConnection, findConnection, insertConnection } from './connection-store.ts';
import { emitConnection } from './events.ts';
import { causeOf, LOST_EXCHANGE, refusalOf, unavailable } from './refusals.ts';
import { keptToken } from './tokens.ts';

export type BankDeps = Pick<
  Kernel,
  | 'db'
  | 'config'
  | 'quotas'
  | 'prices'
  | 'vault'
  | 'effects'
  | 'jobs'
  | 'sagas'
  | 'inboxes'
  | 'publicUrl'
> & { readonly bankLink: BankLink };

/** Link's facts beside the public token, as far as they are well-formed. */
export interface LinkFacts {
  readonly account_id: string | null;
  readonly institution_id: string | null;
  readonly institution_name: string | null;
}

/** The facts of the request alone: the public token works once, and no table keeps it. */
interface LinkRequest {
  readonly publicToken: string;
  readonly facts: LinkFacts;
  readonly caller: UserCaller;
  readonly request: RequestFacts;
}

type LinkedBank = LinkRequest & LinkedItem;
export type ConnectEffect = Effect<FiatWallet, LinkedBank, LinkRequest>;

const HEAD_START_MS = 30_000;
const LOST_AFTER_MS = 60_000;
const PATIENCE_MS = 12_000;
const TRIES = 5;

/**
 * Exchanges a public token for a wallet, one at a time, so that a concurrent request finds the connection of the
 * first. A token is used up when its answer is lost: its user links again.
 */
export const connectEffect = (deps: BankDeps): ConnectEffect =>
  defineEffect<FiatWallet, LinkedBank, LinkRequest>({
    kind: 'bank-connect',
    provider: 'plaid',
    repeatable: false,
    isExclusive: true,
    reopens: true,
    headStartMs: HEAD_START_MS,
    pauses: { firstMs: HEAD_START_MS, maxMs: LOST_AFTER_MS },
    unseen: { forMs: LOST_AFTER_MS, code: LOST_EXCHANGE },
    open: (db, wallet_id) => findFiatWallet(db, {}, Number(wallet_id)),
    async call(_, { secret }) {
      if (!secret) return unknown('The public token is kept nowhere');
      const item = await exchange(deps, secret.publicToken);
      return item.kind === 'done' ? done({ ...secret, ...item.value }) : item;
    },
    // No provider can report what became of a public token.
    lookUp: async () => done(undefined),
    settle: (tx, wallet, linked) => keep(deps, tx, wallet, linked),
    refuse: async () => undefined,
  });

/** In mock mode any token is accepted: one that the provider does not know stands for a made-up bank. */
async function exchange(
  { bankLink, config }: BankDeps,
  publicToken: string,
): Promise<Outcome<LinkedItem>> {
  const first = await bankLink.exchange(publicToken);
  if (!config.MOCK_MODE || first.kind !== 'refused') return first;
  const made = await bankLink.sandboxPublicToken();
  return made.kind === 'done' ? bankLink.exchange(made.value) : made;
}

async function keep(
  { vault }: BankDeps,
  tx: Db,
  { wallet_id, user_id }: FiatWallet,
  { accessToken, itemId, facts, caller, request }: LinkedBank,
): Promise<void> {
  const connection_id = randomUUID();
  const token = keptToken(vault, connection_id, accessToken);
  const connection = { connection_id, wallet_id, user_id, item_id: itemId, ...token, ...facts };
  await insertConnection(tx, connection);
  await emitConnection(tx, 'linked', connection);
  const details = { wallet_id, item_id: itemId, institution: facts.institution_name };
  await logActivity(tx, {
    action: 'BANK_LINK_CONNECT',
    actor: caller,
    subject_user_id: user_id,
    details,
    request,
  });
}

export interface Connected {
  readonly connection: BankLinkConnection;
  /** This call created it. */
  readonly isNew: boolean;
}

/** The wallet's connection: created now from the public token, or the existing one. */
export async function connectBankLink(
  deps: BankDeps & { readonly connecting: ConnectEffect },
  wallet: FiatWallet,
  linkRequest: LinkRequest,
): Promise<Connected> {
  const { db, effects, connecting } = deps;
  const { wallet_id, user_id } = wallet;
  await spendOne(deps, db, 'bank links', user_id);
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const begun = await begin(deps, wallet_id);
    if ('connection' in begun) return { connection: begun.connection, isNew: false };
    const { intent } = begun;
    const driving = { intent, secret: linkRequest, patienceMs: PATIENCE_MS };
    const ending = await effects.drive(connecting, String(wallet_id), driving);
    if (ending.state === 'open') throw causeOf(ending.cause);
    // It was another request's token; ours may be good.
    if (ending.state === 'refused' && !intent) continue;
    if (ending.state === 'refused') throw refusalOf(ending.why.code, ending.why.message);
    const connection = await findConnection(db, wallet_id);
    if (connection) return { connection, isNew: ending.value !== undefined };
  }
  throw unavailable();
}

type BeginResult =
  | { readonly connection: BankLinkConnection }
  | { readonly intent: Intent | undefined };

/** Waits for a concurrent connect to end, whose connection is then visible. */
async function begin(
  { db, effects, connecting }: BankDeps & { readonly connecting: ConnectEffect },
  wallet_id: number,
): Promise<BeginResult> {
  try {
    return await transact(db, async (tx) => {
      const intent = await effects.begin(tx, connecting, String(wallet_id));
      const connection = await findConnection(tx, wallet_id);
      if (connection) throw new AlreadyConnected(connection);
      return { intent };
    });
  } catch (error) {
    if (error instanceof AlreadyConnected) return { connection: error.connection };
    throw error;
  }
}

/** Rolls back the effect for a wallet that has a connection. */
class AlreadyConnected extends Error {
  readonly connection: BankLinkConnection;
  constructor(connection: BankLinkConnection) {
    super('The wallet has a connection');
    this.connection = connection;
  }
}
