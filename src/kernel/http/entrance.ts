import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import type { Doors } from '../access/doors.ts';
import { earningOf } from './earning.ts';
import { type Limits, limitOf, spender } from './limits.ts';
import type { Auth, Caller, Route } from './route.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null where no declaration answers. */
    route: Route | null;
    caller: Caller<Auth>;
  }
}

type Enter = (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => void;

/**
 * Rate limit, key, token, role: in this order, before the body is read. Whoever is remembered is in
 * without a promise of their own, which would cost each request more than the checks.
 */
export function entranceOf(route: Route, deps: { doors: Doors; limits: Limits }): Enter {
  const { doors, limits } = deps;
  const limit = limitOf(route);
  const earning = earningOf(route, limits);
  return (request, reply, done) => {
    request.route = route;
    const admit = (caller: Caller<Auth>): void => {
      request.caller = caller;
      if (earning) earning.check(request, reply).then(() => done(), done);
      else done();
    };
    const ask = (): void => {
      let caller: Caller<Auth> | Promise<Caller<Auth>>;
      try {
        caller = doors.authenticate(route, request);
      } catch (error) {
        done(error as Error);
        return;
      }
      if (caller instanceof Promise) caller.then(admit, done);
      else admit(caller);
    };
    limits.spend(limit, spender(limit, request, doors), reply).then(ask, done);
  };
}
