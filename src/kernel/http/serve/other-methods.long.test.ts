// Long: every endpoint is asked.

import { expect, test } from 'vitest';
import { API_PREFIX } from '#kernel/http/declare/prefix.ts';
import { harness } from '#test/harness.ts';
import { hiddenMethods, methodsOf } from './other-methods.ts';

const h = await harness();
const { origin } = new URL(h.app.apiUrl());
const { routes } = h.app.features;
const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** What there is at each path, parameters of any name alike. */
const byPath = Map.groupBy(routes, ({ id }) =>
  (id.split(' ')[1] ?? '').replace(/\{\w+\}/g, 'x'.repeat(9)),
);
const ask = (path: string, method: string) =>
  fetch(`${origin}${API_PREFIX}${path}`, { method, headers: { connection: 'close' } });

test('every path refuses every method that it does not have, and names those that it has', async () => {
  const wrong: unknown[] = [];
  for (const [path, same] of byPath) {
    const own = methodsOf(same);
    for (const method of METHODS.filter((one) => !own.includes(one))) {
      const answer = await ask(path, method);
      const allow = answer.headers.get('allow');
      const isRight = answer.status === 405 && allow === own.join(', ');
      if (!isRight) wrong.push([method, path, answer.status, allow]);
      await answer.text();
    }
  }
  expect(wrong).toEqual([]);
});

test('few routes are made for that: of paths that another would answer for', () => {
  const hidden = hiddenMethods(routes).map(({ route, methods }) => `${methods} ${route.id}`);
  expect(hidden.length).toBeGreaterThan(0);
  expect(hidden.length).toBeLessThan(byPath.size / 4);
});

test.each([
  ['/wallets', 'DELETE'],
  ['/wallets/fiat/', 'DELETE'],
  ['/wallets/fiat/1/2/3', 'PUT'],
  ['/wallets/fiat', 'PROPFIND'],
])('%s with %s is not found', async (path, method) => {
  const answer = await ask(path, method);
  expect([answer.status, answer.headers.get('allow')]).toEqual([404, null]);
});
