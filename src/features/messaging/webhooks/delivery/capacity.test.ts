import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { harness, type Person } from '#test/harness.ts';
import {
  admin,
  deliver,
  endpointOf,
  happening,
  type Receiver,
  receiver,
  tell,
} from '#test/webhooks.ts';

/** Of 320 files deliveries may take 40: those of an approved client 10, of another one 2. */
const h = await harness({ mock: false, files: 320, features: happening });
const { deliveries } = h.kernel.shares.ceilings;
const OBJECTS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14];

async function adminOf(client_status: 'ACTIVE' | 'PENDING'): Promise<Person> {
  const as = await admin(h);
  await h.db
    .updateTable('clients')
    .set({ client_status })
    .where('client_id', '=', as.client_id)
    .execute();
  return as;
}

/** A server that answers nothing until it is let. */
async function holding(): Promise<Receiver & { let: () => void; held: () => number }> {
  const waiting: ServerResponse[] = [];
  let isOpen = false;
  const made = await receiver((_arrival, response) => {
    if (isOpen) response.writeHead(204).end();
    else waiting.push(response);
  });
  return Object.assign(made, {
    held: () => waiting.length,
    let() {
      isOpen = true;
      for (const response of waiting.splice(0)) response.writeHead(204).end();
    },
  });
}

test.each([
  ['PENDING', 2],
  ['ACTIVE', 10],
] as const)(
  'slow receivers of a %s client hold %i sockets, and others get deliveries meanwhile',
  async (status, share) => {
    const [crowd, other] = [await adminOf(status), await adminOf('PENDING')];
    const slow = await holding();
    for (let n = 0; n < 3; n += 1) await endpointOf(h, crowd, { url: slow.url, concurrency: 32 });
    const prompt = await receiver();
    await endpointOf(h, other, { url: prompt.url });
    for (const id of OBJECTS) await tell(h, crowd.client_id, id, 1);
    await tell(h, other.client_id, 1, 1);
    const delivered = deliver(h);
    await prompt.arrived(1);
    await slow.until(() => slow.arrivals.length >= share);
    await expect.poll(() => deliveries.held()).toBe(share);
    expect(slow.held()).toBe(share);
    slow.let();
    await delivered;
    expect([slow.arrivals.length, deliveries.held()]).toEqual([3 * OBJECTS.length, 0]);
  },
);

test('the process that serves an endpoint hears that the schedule disables it', async () => {
  const as = await adminOf('ACTIVE');
  const { endpoint_id } = await endpointOf(h, as, { url: (await receiver()).url });
  const heard: string[] = [];
  const notices = await h.kernel.presence.listen({
    channel: 'webhooks',
    hear: (id: string) => void heard.push(id),
    lost: () => undefined,
  });
  const since = new Date(h.clock.now().getTime() - 6 * 24 * 3_600_000).toISOString();
  await h.db
    .updateTable('webhooks.endpoints')
    .set({ status: 'failing', failing_since: since, probe_at: since })
    .where('endpoint_id', '=', endpoint_id)
    .execute();
  const watch = h.app.features.schedules.find(({ name }) => name === 'webhooks.watch');
  heard.length = 0;
  await watch?.run({ signal: new AbortController().signal } as never);
  await expect.poll(() => heard).toContain(endpoint_id);
  await notices.close();
  const { status } = await h.db
    .selectFrom('webhooks.endpoints')
    .select('status')
    .where('endpoint_id', '=', endpoint_id)
    .executeTakeFirstOrThrow();
  expect(status).toBe('disabled');
});
