import { Type } from 'typebox';
import { tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import { monotonicMs } from '#kernel/clock.ts';
import { errorCodeEnvelope } from '#kernel/http/declare/envelope.ts';
import { LIST_MAX, listQuery, pageOf } from '#kernel/http/declare/page.ts';
import { endpoints, Paged, type Route } from '#kernel/http/declare/route.ts';
import { explained, Id, stamped, TextOrNull } from '#kernel/http/declare/schema.ts';
import { SHOWN_BALANCE, shownBalance } from '#kernel/money/shown-balance.ts';
import { type DailyRun, runDaily } from './daily.ts';
import { type ConversionCandidate, listCandidates } from './daily-store.ts';
import type { PayoutEffect } from './payout.ts';
import { pollBalance } from './poll.ts';
import { conversionDollars, sumOfRupiah } from './presenters.ts';
import type { ExchangeFunds } from './promised.ts';
import { countOfDay } from './store.ts';
import { type ConversionStatus, MIN_AMOUNT } from './terms.ts';
import { runTrades, type TradeDeps } from './trades.ts';

const endpoint = endpoints(errorCodeEnvelope);

export type ConversionRouteDeps = TradeDeps & { readonly payoutEffect: PayoutEffect };

const Count = Type.Integer();

/** What is done for all jobs in the caller's reach (contract: Exchange conversion). */
export const conversionRoutes = (deps: ConversionRouteDeps): Route[] => [
  runDailyRoute(deps),
  pendingRoute(),
  pollBalanceRoute(deps),
  runTradesRoute(deps),
];

const runDailyRoute = (deps: ConversionRouteDeps): Route =>
  endpoint('POST /exchange/conversion/run-daily', {
    name: 'conversions.runDaily',
    movesMoney: true,
    auth: 'admin',
    errors: [
      'DAILY_CONVERSION_FAILED',
      'RECONCILIATION_FAILED',
      'CONFLICT',
      'PROVIDER_NOT_CONFIGURED',
      'PROVIDER_UNAVAILABLE',
    ],
    summary: 'Converts the rupiah of every eligible user, once a day; a schedule does it, too',
    reply: {
      200: stamped({
        message: Type.String(),
        data: Type.Object({
          total_users: Count,
          jobs_created: Count,
          total_idr: Type.Number(),
          disbursements_initiated: Count,
          failed_jobs: Count,
          processing_time_ms: Count,
          summary: Type.Object({
            pending: Count,
            waiting_exchange: Count,
            trading: Count,
            completed: Count,
            failed: Count,
          }),
        }),
      }),
    },
    fault: 'Daily conversion failed',
    async handler({ caller, db }) {
      const [scope, since] = [tenantScopeOf(caller), monotonicMs()];
      const run = await runDaily(deps, scope);
      const summary = summaryOf(await countOfDay(db, scope, run.day));
      return { message: 'Daily conversion has run', data: { ...shownRun(run, since), summary } };
    },
  });

const elapsed = (since: number): number => Math.round(monotonicMs() - since);

const shownRun = ({ users, jobs, units, failures }: DailyRun, since: number) => ({
  total_users: users,
  jobs_created: jobs,
  total_idr: sumOfRupiah(units),
  disbursements_initiated: jobs,
  failed_jobs: failures,
  processing_time_ms: elapsed(since),
});

/** The day's jobs in the contract's five words. */
function summaryOf(counts: ReadonlyMap<string, number>) {
  const sum = (...of: ConversionStatus[]) =>
    of.reduce((total, one) => total + (counts.get(one) ?? 0), 0);
  return {
    pending: sum('PENDING', 'DISBURSING'),
    waiting_exchange: sum('WAITING_EXCHANGE'),
    trading: sum('TRADING', 'WITHDRAWING'),
    completed: sum('COMPLETED'),
    failed: sum('FAILED', 'TIMEOUT'),
  };
}

const pendingRoute = (): Route =>
  endpoint('GET /exchange/conversion/pending', {
    name: 'conversions.listPending',
    auth: 'admin',
    summary: 'Users with rupiah that a daily run would convert, or why it would not',
    query: Type.Object(listQuery),
    reply: {
      200: stamped({
        message: Type.String(),
        data: Type.Object({
          total: Count,
          users: Type.Array(
            Type.Object({
              user_id: Id,
              email: TextOrNull,
              total_amount_idr: Type.Number(),
              eligible_for_conversion: Type.Boolean(),
              has_primary_wallet: Type.Boolean(),
              wallet_network: TextOrNull,
            }),
          ),
        }),
      }),
    },
    async handler({ caller, query, db }) {
      const { limit = LIST_MAX, before } = query;
      const page = { before, limit: limit + 1 };
      const found = await listCandidates(db, tenantScopeOf(caller), page);
      const { rows, next_before } = pageOf(found, limit, ({ user_id }) => user_id);
      const data = { total: rows.length, users: rows.map(shownCandidate) };
      return new Paged({ message: 'Pending conversions retrieved', data }, next_before);
    },
  });

const shownCandidate = ({ user_id, email, units, to_network, is_let_in }: ConversionCandidate) => ({
  user_id,
  email,
  total_amount_idr: sumOfRupiah(units),
  eligible_for_conversion: is_let_in && units >= MIN_AMOUNT && to_network !== null,
  has_primary_wallet: to_network !== null,
  wallet_network: to_network,
});

const ExchangeBalance = Type.Object({
  idr: Type.Number(),
  usdc: Type.String(),
  spendable: explained(
    Type.Object({ idr: Type.Object(SHOWN_BALANCE), usdc: Type.Object(SHOWN_BALANCE) }),
    'Of each of the two: what is held belongs to conversions that have begun',
  ),
});

const shownExchange = ({ idr, usdc, spendable }: ExchangeFunds) => ({
  idr: sumOfRupiah(idr),
  usdc: conversionDollars(usdc),
  spendable: {
    idr: shownBalance('IDR', spendable.idr),
    usdc: shownBalance('USDC', spendable.usdc),
  },
});

const pollBalanceRoute = (deps: ConversionRouteDeps): Route =>
  endpoint('POST /exchange/conversion/poll-balance', {
    name: 'conversions.pollBalance',
    movesMoney: true,
    auth: 'admin',
    errors: ['JOB_EXECUTION_FAILED', 'PROVIDER_NOT_CONFIGURED', 'PROVIDER_UNAVAILABLE'],
    summary: 'Looks which disbursements have come to the exchange; a schedule does it every hour',
    reply: {
      200: stamped({
        message: Type.String(),
        data: Type.Object({
          jobs_checked: Count,
          balance_confirmed: Count,
          still_waiting: Count,
          timeout_exceeded: Count,
          exchange_balance: ExchangeBalance,
          processing_time_ms: Count,
        }),
      }),
    },
    async handler({ caller }) {
      const since = monotonicMs();
      const polled = await pollBalance(deps, tenantScopeOf(caller));
      const { checked, confirmed, waiting, timedOut, balance } = polled;
      const data = {
        jobs_checked: checked,
        balance_confirmed: confirmed,
        still_waiting: waiting,
        timeout_exceeded: timedOut,
        exchange_balance: shownExchange(balance),
        processing_time_ms: elapsed(since),
      };
      return { message: 'Exchange balance checked', data };
    },
  });

const runTradesRoute = (deps: ConversionRouteDeps): Route =>
  endpoint('POST /exchange/conversion/run-trades', {
    name: 'conversions.runTrades',
    movesMoney: true,
    auth: 'admin',
    errors: ['JOB_EXECUTION_FAILED', 'PROVIDER_NOT_CONFIGURED', 'PROVIDER_UNAVAILABLE'],
    summary: 'Begins the trades and withdrawals that are due; a schedule does it every hour',
    reply: {
      200: stamped({
        message: Type.String(),
        data: Type.Object({
          jobs_started: Count,
          job_ids: Type.Array(Id),
          processing_time_ms: Count,
        }),
      }),
    },
    async handler({ caller }) {
      const since = monotonicMs();
      const job_ids = await runTrades(deps, tenantScopeOf(caller));
      const data = {
        jobs_started: job_ids.length,
        job_ids,
        processing_time_ms: elapsed(since),
      };
      return { message: 'Trades have begun', data };
    },
  });
