import { forgetPartitions } from '#kernel/db/partition-store.ts';
import type { Feature } from '#kernel/feature.ts';
import type { ObservedRequest } from '#kernel/http/serve/observer.ts';
import { defineSchedule } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { transact } from '#kernel/transact.ts';
import { REQUEST_LOGS_PERSON_DATA } from './person-data.ts';
import { REQUEST_LOG_WORDS } from './reference.ts';
import { requestLogRoutes } from './routes.ts';
import type { NewRequestLog } from './store.ts';
import { createWriter } from './writer.ts';

export { type RequestLog, requestsCalled } from './store.ts';

type RequestLogDeps = Pick<Kernel, 'clock' | 'config' | 'db' | 'log' | 'metrics'>;

const DAY_MS = 24 * 3600 * 1000;
const KEPT_DAYS = 7;

/** What people and keys have requested in the last seven days. */
export function createRequestLogs(deps: RequestLogDeps): Feature {
  const { clock, config, db } = deps;
  const writer = createWriter(deps);
  const observe = (request: ObservedRequest) => writer.add(lineOf(request, clock.now()));
  return {
    name: 'request-logs',
    personData: REQUEST_LOGS_PERSON_DATA,
    reference: REQUEST_LOG_WORDS,
    routes: requestLogRoutes(writer),
    observers: config.REQUEST_LOGS === 'on' ? [observe] : [],
    flushes: [writer.flush],
    schedules: [
      defineSchedule({
        name: 'request-logs.forget',
        cron: '47 * * * *',
        async run() {
          const before = new Date(clock.now().getTime() - KEPT_DAYS * DAY_MS);
          await transact(db, (tx) => forgetPartitions(tx, 'public.request_logs', before));
        },
      }),
    ],
  };
}

function lineOf({ route, caller, object, ...facts }: ObservedRequest, at: Date): NewRequestLog {
  const [method = '', path = ''] = route.split(' ');
  return {
    ...facts,
    ...caller,
    at: at.toISOString(),
    method,
    path,
    object_type: object?.type ?? null,
    object_id: object?.id ?? null,
  };
}
