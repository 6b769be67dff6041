import { expect } from 'vitest';
import { rpcSetting } from '#chains/evm/chain-setting.ts';
import type { Orders } from './app-child.ts';
import { type Child, startChild } from './child.ts';
import type { Body, Harness, Person } from './harness.ts';

export interface AppProcess extends Pick<Child, 'end'> {
  /** A call as that person; answers the status, the body, and whether it was a repetition. */
  post(
    path: string,
    as: Person & { readonly apiKey: string },
    key: string,
    body: object,
  ): Promise<{ status: number; body: Body; replayed: boolean }>;
}

/** Another process of the service. It is killed at the end of the file, if not before. */
export async function appProcess(orders: Orders): Promise<AppProcess> {
  const { said: api, end } = await startChild('app-child.ts', orders);
  expect(api).toMatch(/^http/);
  return {
    async post(path, as, key, body) {
      const reply = await fetch(`${api}${path}`, {
        method: 'POST',
        headers: {
          'x-api-key': as.apiKey,
          authorization: `Bearer ${as.token}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        },
        body: JSON.stringify(body),
      });
      const replayed = reply.headers.get('idempotent-replayed') === 'true';
      return { status: reply.status, body: await reply.json(), replayed };
    },
    end,
  };
}

/** Settings by which another process uses the chain nodes of this one. */
export const nodesOf = async ({ app }: Pick<Harness, 'app'>): Promise<Record<string, string>> =>
  Object.fromEntries(
    await Promise.all(
      Object.values(app.evm.chains).map(async (chain) => [
        rpcSetting(chain.info.key),
        await chain.url(),
      ]),
    ),
  );
