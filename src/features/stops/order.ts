import type { RequestFacts, UserCaller } from '#kernel/http/route.ts';

/** By whom somebody is to be stopped or let in, and why. */
export interface Order {
  readonly caller: UserCaller;
  readonly reason: string;
  readonly request: RequestFacts;
}
