import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LimitClass, Route } from '#kernel/http/declare/route.ts';
import { byAddress, countsWhenDone, type Limits, type Spending } from './limits.ts';

/** A budget that is spent by what a request has done, and not by the request. */
export interface PaidWork {
  /** Before anything is done: a payer who has none left is refused at once. Throws RATE_LIMITED. */
  check(request: FastifyRequest, reply: FastifyReply): Promise<undefined>;
  /** Runs what is paid for, and gives back what was paid for work that failed. Throws RATE_LIMITED. */
  run<T>(request: FastifyRequest, reply: FastifyReply, work: () => Promise<T>): Promise<T>;
}

/** Nothing for the routes whose every request counts, which are nearly all. */
export function paidWorkOf({ endpoint: { limit } }: Route, limits: Limits): PaidWork | undefined {
  if (limit === undefined || !countsWhenDone(limit)) return undefined;
  return {
    check(request, reply) {
      const payer = payerOf(limit, request);
      return inTurn(payer, async () => limits.check(payer, reply));
    },
    run(request, reply, work) {
      const payer = payerOf(limit, request);
      return inTurn(payer, async () => {
        // Before the transaction and outside of it: the counter may be on another machine.
        await limits.spend(payer, reply);
        try {
          return await work();
        } catch (error) {
          await limits.refund(payer, reply);
          throw error;
        }
      });
    },
  };
}

/** A user where there is one, with any key; otherwise the address. */
const payerOf = (limit: LimitClass, { caller, ip }: FastifyRequest): Spending =>
  caller && 'user_id' in caller ? { limit, by: 'user', id: caller.user_id } : byAddress(limit, ip);

/** The end of each payer's queue. */
const queueEnds = new Map<string, Promise<void>>();

/**
 * One payer's requests go one after the other within a process: no request is refused for what is given
 * back a moment later, and what the headers say is left is left.
 */
function inTurn<T>({ by, id }: Spending, work: () => Promise<T>): Promise<T> {
  const who = `${by}:${id}`;
  const mine = (queueEnds.get(who) ?? Promise.resolve()).then(work);
  const over = mine.then(
    () => leave(),
    () => leave(),
  );
  queueEnds.set(who, over);
  return mine;

  function leave(): void {
    if (queueEnds.get(who) === over) queueEnds.delete(who);
  }
}
