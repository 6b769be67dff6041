/** A process of its own for the crash test of the agent: takes a user's yes, and hangs at the given point. */

import { randomUUID } from 'node:crypto';
import { converse } from '#features/commerce/agent/converse.ts';
import { createTransfers } from '#features/commerce/agent/transfer-effect.ts';
import { createTools } from '#features/commerce/mcp-server/mcp-server.ts';
import { createClock } from '#kernel/clock.ts';
import { loadConfig } from '#kernel/config/config.ts';
import { createPerform, type Perform } from '#kernel/http/answer/perform.ts';
import type { RouteId } from '#kernel/http/declare/route.ts';
import type { KernelSecrets } from '#kernel/kernel.ts';
import { createLog } from '#kernel/log.ts';
import { createApp } from '#src/app/app.ts';

export interface Orders {
  readonly databaseUrl: string;
  readonly secrets: KernelSecrets;
  readonly aheadMs: number;
  readonly settings: Readonly<Record<string, string>>;
  readonly user: { readonly user_id: number; readonly client_id: number };
  /** The endpoint at which it hangs, before or after the call. */
  readonly call: RouteId;
  readonly when: 'before' | 'behind';
}

const orders = JSON.parse(process.argv[2] ?? '{}') as Orders;
const { call, when, user } = orders;
const app = await createApp({
  config: loadConfig(orders.settings),
  databaseUrl: orders.databaseUrl,
  secrets: orders.secrets,
  clock: createClock(orders.aheadMs),
  log: createLog('silent'),
});
const routes = () => app.features.routes;
const performs = createPerform(app.kernel, routes);

async function hang(): Promise<never> {
  console.log('hangs');
  // Stays until it is killed.
  setInterval(() => undefined, 1_000);
  return new Promise(() => undefined);
}

const hanging = async (...[id, by, wish]: Parameters<Perform>) => {
  if (id === call && when === 'before') return hang();
  const answer = await performs(id, by, wish);
  return id === call ? hang() : answer;
};
const deps = {
  ...app.kernel,
  ...app.providers,
  isModelConfigured: true,
  tools: createTools(Object.assign(hanging, { requireScope: performs.requireScope }), routes),
};
await converse(deps, createTransfers(deps), {
  caller: { key: null, ...user, role: 'user', operator: false, session_id: '' },
  request: { id: randomUUID(), ip: '127.0.0.1', userAgent: '', headers: {}, raw: Buffer.alloc(0) },
  input: 'yes',
  context: undefined,
  operation: randomUUID(),
});
