import { AsyncLocalStorage } from 'node:async_hooks';
import { causeNow } from './cause.ts';
import { traceId } from './trace.ts';

type Facts = Readonly<Record<string, string | number>>;

const store = new AsyncLocalStorage<Facts>();

/** Does work whose lines all say what they are about, beside what each says itself. */
export const withLogFacts = <T>(facts: Facts, work: () => T): T =>
  store.run({ ...store.getStore(), ...facts }, work);

/** The current work, for a log line: the request or job, the operation, the trace. */
export function currentLogFacts(): Facts {
  const { request_id, operation } = causeNow();
  const trace = traceId();
  return {
    ...(request_id !== null && { reqId: request_id }),
    ...(operation !== null && { operation }),
    ...(trace !== undefined && { trace_id: trace }),
    ...store.getStore(),
  };
}
