import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LimitClass, Route } from '#kernel/http/declare/route.ts';
import { byAddress, countsWhenDone, type Limits, type Spending } from './limits.ts';

/** A budget that a request spends only where its work succeeds. */
export interface PaidWork {
  /** Before any work: a payer who has none left is refused at once. Throws RATE_LIMITED. */
  check(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Runs the work, and refunds its payment where it fails. Throws RATE_LIMITED. */
  run<T>(request: FastifyRequest, reply: FastifyReply, work: () => Promise<T>): Promise<T>;
}

/** Undefined for routes whose every request counts, which are nearly all. */
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
 * A process runs one payer's requests one after the other: no request is refused because of one that is refunded a
 * moment later, and the headers say what is really left.
 */
function inTurn<T>({ by, id }: Spending, work: () => Promise<T>): Promise<T> {
  const payer = `${by}:${id}`;
  const mine = (queueEnds.get(payer) ?? Promise.resolve()).then(work);
  const over = mine.then(leave, leave);
  queueEnds.set(payer, over);
  return mine;

  function leave(): void {
    if (queueEnds.get(payer) === over) queueEnds.delete(payer);
  }
}
