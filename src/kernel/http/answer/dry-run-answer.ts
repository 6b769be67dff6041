import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { fail } from '#kernel/error.ts';
import { takesDryRun } from '#kernel/http/declare/dry-run-field.ts';
import type { EnvelopeFacts } from '#kernel/http/declare/envelope.ts';
import { toAppError } from '#kernel/http/declare/faults.ts';
import type { Auth, Caller, Route } from '#kernel/http/declare/route.ts';
import { type TenantScope, tenantScopeOf } from '../../access/tenant-scope.ts';
import { type DryRunEnd, rehearse } from '../../db/dry-connection.ts';
import type { DB } from '../../db/schema.generated.ts';
import { sqlState } from '../../db/sql-errors.ts';
import type { DryRunNotes } from '../../dry-run.ts';
import { type AccountFacts, describeAccounts } from '../../ledger/accounts.ts';
import { format } from '../../money/money.ts';
import { transact } from '../../transact.ts';
import { HandlerCall, handlingOf } from './handler-call.ts';
import type { StoredAnswer } from './idempotency.ts';

export interface DryRunDeps {
  readonly db: Kysely<DB>;
  /** The wallets of these accounts within a caller's reach, by account. */
  walletsOf?(
    db: Kysely<DB>,
    reach: TenantScope,
    accounts: readonly number[],
  ): Promise<ReadonlyMap<number, number>>;
}

type Render = (answer: unknown, request: FastifyRequest, reply: FastifyReply) => StoredAnswer;
type DryRunner = (request: FastifyRequest, reply: FastifyReply) => Promise<StoredAnswer>;

/** Whether a request only asks what it would do. Its query may not be checked yet. */
export const isDryRun = ({ query }: FastifyRequest): boolean =>
  (query as { readonly dry_run?: unknown } | undefined)?.dry_run === 'true';

/**
 * Answers what a request would do: its handler runs in a transaction that is rolled back, up to the first call outside.
 * What the handler refuses is a part of that answer; undefined for endpoints that have no dry run.
 */
export function dryRunnerOf(
  route: Route,
  deps: DryRunDeps,
  tools: { readonly render: Render; envelopeOf(request: FastifyRequest): EnvelopeFacts },
): DryRunner | undefined {
  if (!takesDryRun(route)) return undefined;
  const handle = handlingOf(route);
  const { db } = deps;
  return async (request, reply) => {
    const work = (within: Kysely<DB>) => handle(new HandlerCall(request, within));
    try {
      const { end, found } = await rehearse(
        db,
        () => (route.endpoint.atomic ? transact(db, work) : work(db)),
        (notes) => emittedEvents(notes, request.caller, deps),
      );
      const facts = tools.envelopeOf(request);
      const would = {
        ...answerOf(end, { route, request, reply, facts, render: tools.render }),
        ...found,
      };
      const data = { dry_run: true, would, as_of: facts.at };
      const payload = JSON.stringify(route.envelope.success({ data }, facts));
      return { status: 200, type: 'application/json; charset=utf-8', payload };
    } finally {
      // Nothing was begun, and no object was changed.
      delete request.progress;
      delete request.changed;
    }
  };
}

interface Rehearsed {
  readonly route: Route;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly facts: EnvelopeFacts;
  readonly render: Render;
}

const UNKNOWN = { status: null, body: null };

/** What it would be answered. Throws what is no answer of the operation: that its rows are locked, or a fault of ours. */
function answerOf(end: DryRunEnd<unknown>, { route, request, reply, facts, render }: Rehearsed) {
  if (end.kind === 'stopped') return UNKNOWN;
  if (end.kind === 'late') throw busy();
  if (end.kind === 'done') {
    const { status, type, payload } = render(end.value, request, reply);
    return { status, body: type.startsWith('application/json') ? JSON.parse(payload) : null };
  }
  if (sqlState(end.error) === LOCK_NOT_AVAILABLE) throw busy();
  const known = toAppError(end.error, route);
  if (known.code === 'INTERNAL' || known.code === 'OVERLOADED') throw known;
  return { status: known.status, body: route.envelope.error(known, facts) };
}

const LOCK_NOT_AVAILABLE = '55P03';

const busy = () =>
  fail('OVERLOADED', 'Other operations hold what the dry run needs, try again shortly', {
    retryAfter: 1,
    outcome: 'not-begun',
  });

/** What was noted on the way, as its caller may see it. */
async function emittedEvents(
  { legs, events, calls, messages, limits, policy }: DryRunNotes,
  caller: Caller<Auth>,
  { db, walletsOf }: DryRunDeps,
) {
  const ids = [...new Set(legs.map(({ account }) => account))];
  const accounts = await describeAccounts(db, ids);
  const reach = caller && 'user_id' in caller ? tenantScopeOf(caller) : undefined;
  const wallets = reach && walletsOf ? await walletsOf(db, reach, ids) : new Map<number, number>();
  const postings = legs.flatMap(({ account, amount, held }) => {
    const facts = accounts.get(account);
    if (facts === undefined) return [];
    const { asset } = facts;
    const [name, moved, set] = [
      nameOf(facts, wallets.get(account), reach),
      format({ asset, units: amount }),
      format({ asset, units: held }),
    ];
    return [{ account: name, asset, amount: moved, held: set }];
  });
  return {
    postings,
    fees: postings.flatMap(({ account, asset, amount }) =>
      account.endsWith('-fees') ? [{ account, asset, amount }] : [],
    ),
    limits,
    policy,
    events,
    calls,
    messages: messages.map((channel) => ({ channel })),
  };
}

/** `wallet:7`, or the name of an account of the platform. Those of others have no name. */
function nameOf(
  { owner, purpose }: AccountFacts,
  wallet: number | undefined,
  reach: TenantScope | undefined,
): string {
  if (owner === 'house') return purpose;
  if (wallet !== undefined) return `wallet:${wallet}`;
  return reach?.user_id !== undefined && owner === `user:${reach.user_id}`
    ? purpose
    : 'another wallet';
}
