import type { FastifyReply, FastifyRequest } from 'fastify';
import { byAddress, countsWhenDone, type Limits, type Spending } from './limits.ts';
import type { LimitClass, Route } from './route.ts';

/** A budget that is spent by what a request has done, and not by the request. */
export interface Earning {
  /** Before anything is done: whoever has none left is refused at once. Throws RATE_LIMITED. */
  check(request: FastifyRequest, reply: FastifyReply): undefined | Promise<undefined>;
  /**
   * Runs what is paid for. It calls `pay` last, in the transaction that does it: of many at once no
   * more pay than may, and the others' work is undone. What was paid for and still failed is given back.
   */
  run<T>(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (pay: () => Promise<void>) => Promise<T>,
  ): Promise<T>;
}

/** Nothing for the routes whose every request counts, which are nearly all. */
export function earningOf({ endpoint: { limit } }: Route, limits: Limits): Earning | undefined {
  if (limit === undefined || !countsWhenDone(limit)) return undefined;
  return {
    check: (request, reply) => limits.check(payerOf(limit, request), reply),
    async run(request, reply, work) {
      const payer = payerOf(limit, request);
      let isPaid = false;
      try {
        return await work(async () => {
          // A transaction may be run again, and does the same.
          if (!isPaid) await limits.spend(payer, reply);
          isPaid = true;
        });
      } catch (error) {
        if (isPaid) await limits.refund(payer, reply);
        throw error;
      }
    },
  };
}

/** A user where there is one, whatever key is sent along; otherwise the address. */
const payerOf = (limit: LimitClass, { caller, ip }: FastifyRequest): Spending =>
  caller && 'user_id' in caller ? { limit, by: 'user', id: caller.user_id } : byAddress(limit, ip);
