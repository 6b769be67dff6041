/** A program that pays a list of orders by the SDK, or by plain requests, and is killed in the middle of it. */

import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Archipay } from '#sdk/archipay.ts';
import { ArchipayError } from '#sdk/errors.ts';
import { fileStore } from '#sdk/node.ts';
import type { Store } from '#sdk/once.ts';
import type { CallerOrders, Place } from './caller-orders.ts';

const orders = JSON.parse(process.argv[2] ?? '') as CallerOrders;
const { file } = orders;
const passed = new Map<string, number>();
function isDue(place: Place): boolean {
  const nth = (passed.get(place) ?? 0) + 1;
  passed.set(place, nth);
  return orders.end?.[0] === place && orders.end[1] === nth;
}
const end = () => process.kill(process.pid, 'SIGKILL');
const at = (place: Place) => isDue(place) && end();

// Pauses between tries are short, so that many runs fit into one test.
Math.random = () => 0.02;

const watched: typeof fetch = async (input, init) => {
  const isCounted = init?.method !== 'GET';
  if (isCounted) at('send');
  const answer = fetch(input, init);
  if (isCounted && isDue('sent')) setImmediate(end);
  const head = await answer;
  if (isCounted) at('head');
  return head;
};

function watch(store: Store): Store {
  /** A crash in the middle of a line. */
  const half = (line: object) => {
    const text = JSON.stringify(line);
    appendFileSync(file, text.slice(0, text.length / 2));
    end();
  };
  return {
    ...store,
    async put(call) {
      at('put');
      if (isDue('half-put')) half({ put: call });
      await store.put(call);
      at('kept');
    },
    async close(key, ending) {
      at('close');
      if (isDue('half-close')) half({ close: key, ending });
      await store.close(key, ending);
      at('closed');
    },
  };
}

const book: Record<string, string> = {};

async function bySdk() {
  const { baseUrl, apiKey, token } = orders;
  const store = await fileStore(file);
  const options = { baseUrl, apiKey, fetch: watched, exactlyOnce: watch(store) };
  const archipay = new Archipay(options).as(token);
  at('recover');
  const recover = () =>
    archipay.recover({ onStale: () => at('stale'), onResolved: () => at('resolved') });
  await insisting(recover, { isOne: false });
  at('recovered');
  for (const { key, operation, params } of orders.steps) {
    const resource = archipay[operation[0] as 'cards'];
    const call = resource[operation[1] as 'topUp'].bind(resource);
    book[key] = await insisting(() => call(params as never, { idempotencyKey: key })).then(
      () => 'done',
      (error) => {
        if (error instanceof ArchipayError && error.outcome === 'refused') return error.code;
        throw error;
      },
    );
    at('returned');
  }
  const open = await store.open();
  if (open.length > 0) throw new Error(`Still open: ${JSON.stringify([open, book])}`);
}

/** Until the outcome is known, of one call or of all that were open. */
async function insisting<T>(work: () => PromiseLike<T>, { isOne = true } = {}): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ArchipayError)) throw error;
      at('failed');
      if (isOne && error.outcome === 'unknown') return await error.resolve<T>({ timeout: 120_000 });
      if (!error.retryable) throw error;
      await pause(50);
      at('repeat');
    }
  }
}

/** As programs do it without any of that: what was not noted as done is done again. */
async function byRequests() {
  const done = new Set(existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []);
  for (const { key, operation, params } of orders.steps) {
    if (done.has(key)) continue;
    const path = operation[2].replace(/\{(\w+)\}/g, (_, name) => String(params[name]));
    for (let isAnswered = false; !isAnswered; ) {
      const answer = await watched(`${orders.baseUrl}${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-api-key': orders.apiKey,
          authorization: `Bearer ${orders.token}`,
        },
        body: JSON.stringify(params),
      }).catch(() => undefined);
      isAnswered = answer !== undefined && answer.status < 500;
      if (!isAnswered) await pause(50);
    }
    at('close');
    appendFileSync(file, `${key}\n`);
    at('closed');
  }
}

await (orders.isPlain ? byRequests() : bySdk());
process.stdout.write(`${JSON.stringify(book)}\n`);
