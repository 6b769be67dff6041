import { outboxLag } from '#kernel/events/event-log.ts';
import { COUNTED_MAX } from '#kernel/jobs/job-stats.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { openExcess } from '#kernel/ledger/excess.ts';
import { openQuestions } from '#kernel/ledger/questions.ts';
import type { Ceiling } from '#kernel/quota/ceiling.ts';
import { readMessagesOfDay } from '#kernel/quota/message-quotas.ts';
import { openDiscrepancies } from '#kernel/reconciliation/discrepancies.ts';
import { sharing } from '#src/app/sharing.ts';

/** What an operator wants to be woken for: waiting work, dead letters, stuck flows, a full pool. */
export function measureService(kernel: Kernel): void {
  const { metrics, jobs, sagas, db } = kernel;
  const jobStats = sharing(() => jobs.stats());
  measureMessages(kernel);
  metrics.gauge(
    'archipay_jobs',
    `Unfinished jobs by queue and state; ${COUNTED_MAX} are that many or more`,
    ['queue', 'state'],
    async () => {
      const { queues } = await jobStats();
      return queues.flatMap(({ name, due, delayed, retrying, active }) =>
        Object.entries({ due, delayed, retrying, active }).map(([state, value]) => ({
          labels: { queue: name, state },
          value,
        })),
      );
    },
  );
  metrics.gauge('archipay_job_wait_seconds', 'Age of the job due longest', ['queue'], async () => {
    const { queues } = await jobStats();
    return queues.map(({ name, oldest_s }) => ({ labels: { queue: name }, value: oldest_s }));
  });
  metrics.gauge('archipay_dead_letters', 'Jobs that failed for good', ['queue'], async () => {
    const { dead } = await jobStats();
    return Object.entries(dead).map(([queue, value]) => ({ labels: { queue }, value }));
  });
  measureDoubt(kernel);
  measureForPeople(kernel);
  measureShares(kernel);
  metrics.gauge(
    'archipay_events_lag_seconds',
    'Age of the oldest event without a place in the log',
    [],
    async () => [{ labels: {}, value: await outboxLag(db) }],
  );
  metrics.gauge('archipay_sagas', 'Flows by type and state', ['type', 'state'], async () => {
    const stats = await sagas.stats(db);
    return stats.map(({ type, state, count }) => ({ labels: { type, state }, value: count }));
  });
}

/** What this process has only so much of. */
function measureShares({ metrics, shares }: Kernel): void {
  const each = (name: string, help: string, read: (ceiling: Ceiling) => number) =>
    metrics.gauge(name, help, ['ceiling'], async () =>
      Object.entries(shares.ceilings).map(([ceiling, one]) => ({
        labels: { ceiling },
        value: read(one),
      })),
    );
  each('archipay_ceiling_held', 'Places taken now of what a process has only so much of', (one) =>
    one.held(),
  );
  each('archipay_ceiling_total', 'Places that there are of it', ({ total }) => total);
}

/** What has no known outcome: money may be in it, and it may need a person. */
function measureDoubt({ metrics, effects, inboxes, sagas, db }: Kernel): void {
  const doubts = sharing(async () => [
    ...(await effects.stats(db)).map(({ kind, ...rest }) => ({ kind: `effect.${kind}`, ...rest })),
    ...(await inboxes.stats(db)).map(({ source, ...rest }) => ({
      kind: `inbox.${source}`,
      ...rest,
    })),
  ]);
  const each = (name: string, help: string, of: 'open' | 'oldest_s') =>
    metrics.gauge(name, help, ['kind'], async () =>
      (await doubts()).map(({ kind, [of]: value }) => ({ labels: { kind }, value })),
    );
  each(
    'archipay_in_doubt',
    'Calls whose outcome is unknown, and inbound events not handled',
    'open',
  );
  each('archipay_in_doubt_seconds', 'Age of the oldest of them', 'oldest_s');
  metrics.gauge(
    'archipay_overdue',
    'Calls whose outcome has been unknown for longer than is usual for their kind',
    ['kind'],
    async () =>
      (await effects.stats(db)).map(({ kind, overdue }) => ({
        labels: { kind: `effect.${kind}` },
        value: overdue,
      })),
  );
  metrics.gauge('archipay_stalled', 'What waits for a person', ['kind'], async () => [
    ...(await doubts()).map(({ kind, stalled }) => ({ labels: { kind }, value: stalled })),
    ...Object.entries(Object.groupBy(await sagas.stats(db), ({ type }) => type)).map(
      ([type, states = []]) => ({
        labels: { kind: `flow.${type}` },
        value: states.reduce((sum, { stalled }) => sum + stalled, 0),
      }),
    ),
  ]);
}

/** Money of which a person has to decide. */
function measureForPeople({ metrics, db }: Kernel): void {
  metrics.gauge(
    'archipay_returned_twice',
    'Payments that were taken back although they had gone back before',
    [],
    async () => [{ labels: {}, value: (await openExcess(db, COUNTED_MAX)).length }],
  );
  metrics.gauge(
    'archipay_discrepancies',
    'Payments of which another side reports another sum than our books',
    ['cause'],
    async () => [
      {
        labels: { cause: 'ANOTHER_SUM' },
        value: (await openDiscrepancies(db, COUNTED_MAX)).length,
      },
      {
        labels: { cause: 'REVERSED_AFTER_REFUND' },
        value: (await openQuestions(db, COUNTED_MAX)).length,
      },
    ],
  );
}

/** How near a day's messages are to where no more leave. */
function measureMessages({ metrics, db, config, clock }: Kernel): void {
  const day = () => readMessagesOfDay(db, config, clock.now());
  metrics.gauge('archipay_messages_today', 'Messages since midnight, UTC', ['channel'], async () =>
    (await day()).map(({ channel, sent }) => ({ labels: { channel }, value: sent })),
  );
  metrics.gauge('archipay_messages_ceiling', 'How many may leave a day', ['channel'], async () =>
    (await day()).map(({ channel, ceiling }) => ({ labels: { channel }, value: ceiling })),
  );
}
