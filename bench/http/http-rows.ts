import { type Bursts, compare } from '../meter.ts';
import { atLeast, atMost, type BenchRow, reported } from '../row.ts';
import type { Allocated } from './allocations.ts';

/** The result of the bursts for each bar. */
export function httpRows(bursts: Bursts): BenchRow[] {
  const { rate, capacity, typical, against } = compare(bursts);
  const thrifty = (bar: string, what: string, a: string, b: string, limit: number) =>
    atLeast({ bar, what, measured: capacity(a, b), limit, note: against(a, b) });
  const costs = (bar: string, what: string, a: string, b: string, limit: number) =>
    atMost({ bar, what, measured: capacity(b, a), limit, note: against(a, b) });
  const faster = (bar: string, what: string, a: string, b: string, limit: number) =>
    atLeast({ bar, what, measured: rate(a, b), limit, note: against(a, b) });
  const plainly = (what: string, a: string, b: string) =>
    reported({ bar: '', what, measured: capacity(a, b), unit: 'times', note: against(a, b) });
  const more = (what: string, a: string, b: string) =>
    reported({ bar: '', what, measured: capacity(b, a), unit: 'times', note: against(a, b) });
  const p50 = (name: string) => `${typical(name, 'p50Ms').toFixed(2)} ms`;
  const lone = (bar: string, what: string, a: string, limit: number) =>
    atLeast({
      bar,
      what,
      limit,
      measured: rate(a, 'bare-read-1'),
      note: `p50 ${p50(a)} against ${p50('bare-read-1')}`,
    });
  return [
    plainly('bare Fastify, capacity of bare node:http', 'fastify', 'node'),
    thrifty('H1', 'whole stack without a query, capacity of Fastify', 'stack', 'fastify', 0.6),
    thrifty('H2', 'the same, capacity of a peer without a query', 'stack', 'peer', 1.7),
    thrifty('H3', 'read, capacity of Fastify, same query', 'plain-read-64', 'bare-read-64', 0.75),
    thrifty('H3', 'coalesced read, capacity of the same', 'read-64', 'bare-read-64', 1.5),
    lone('H4', 'read on one connection, rate of Fastify', 'plain-read-1', 0.8),
    lone('H4', 'coalesced read on one connection, rate of Fastify', 'read-1', 0.7),
    thrifty('H5', 'read, capacity of a peer', 'plain-read-64', 'peer-read', 3),
    thrifty('H5', 'coalesced read, capacity of a peer', 'read-64', 'peer-read', 6),
    plainly('GET /wallets/fiat/{user_id}, capacity of a peer', 'wallets', 'peer-wallets'),
    faster('E1', 'transfer end to end, rate of a peer', 'transfer', 'peer-transfer', 5),
    thrifty('E1', 'transfer end to end, capacity of a peer', 'transfer', 'peer-transfer', 8),
    thrifty('E1', 'hot account, capacity of a peer', 'transfer-hot', 'peer-transfer-hot', 12),
    thrifty('E2', 'transfer, capacity of Fastify and one call', 'transfer', 'bare-transfer', 1.7),
    plainly('hot account, capacity of the same', 'transfer-hot', 'bare-transfer-hot'),
    plainly('card top-up end to end, capacity of a peer', 'top-up', 'peer-top-up'),
    costs(
      'E3',
      'top-up, CPU of one that tells no events',
      'emitting-top-up',
      'silent-top-up',
      1.15,
    ),
    costs(
      'E3',
      'transfer, CPU of one that tells none',
      'emitting-transfer',
      'silent-transfer',
      1.15,
    ),
    more('the same top-up, its events moved to the log', 'top-up', 'quiet-top-up'),
    more('the same transfer, its events moved to the log', 'told-transfer', 'quiet-transfer'),
    costs(
      'E4',
      'top-up at two processes at once, CPU of one',
      'shared-top-up',
      'alone-top-up',
      1.15,
    ),
    costs('E5', 'top-up with a key, CPU of one without', 'keyed-top-up', 'top-up', 1.4),
    costs('E6', 'dry run of a top-up, CPU of one alone', 'dry-top-up-1', 'top-up-1', 1.2),
    more('the same beside 63 others, which share transactions', 'dry-top-up', 'top-up'),
  ];
}

/** Bytes of the heap for a request. */
export const allocationRows = (stack: Allocated, fastify: Allocated): BenchRow[] => [
  atMost({
    bar: 'H6',
    what: 'whole stack without a query, bytes allocated, of Fastify',
    measured: stack.bytes / fastify.bytes,
    limit: ALLOCATED,
    note: `${Math.round(stack.bytes)} against ${Math.round(fastify.bytes)} bytes`,
  }),
  atMost({
    bar: 'H7',
    what: 'of these, what is kept until all is collected',
    measured: stack.kept / stack.bytes,
    limit: KEPT,
    note: `${Math.round(stack.kept)} of ${Math.round(stack.bytes)} bytes; of Fastify's ${Math.round(fastify.kept)}`,
  }),
];

/** Twice the value at the time of setting; allocations of compilers during the count vary. */
const ALLOCATED = 2.75;
/** A third if V8 allocates some of them in the old generation at once (src/kernel/v8-flags.ts). */
const KEPT = 0.05;
