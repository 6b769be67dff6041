import { setFlagsFromString } from 'node:v8';

/**
 * Has V8 allocate every object among the young ones, where a short-lived object costs nothing to collect. While a
 * service starts, all that it allocates survives, and V8 would learn from that to allocate the objects of some places of
 * the code among the old ones; in one process of four such a place was Node's own for requests. From then on V8 kept
 * each request as a whole, and copied it twice, until the next full collection: a third of all that a request
 * allocates, and half as much CPU again (docs/design/performance.md, H7). Call it before the code of requests is compiled.
 */
export function disablePretenuring(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}
