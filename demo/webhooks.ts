import type { LoggedIn } from './people.ts';
import { mustEqual, type Service } from './service.ts';

interface Listed {
  readonly provider: string;
  readonly url: string;
}

/** Events go to a receiver, which verifies them as any receiver can. */
export async function webhooks(service: Service, admin: LoggedIn, run: string): Promise<void> {
  service.part('Webhooks: what happens arrives, signed');
  const { providers } = (await service.sandbox('GET /index.json')).body as { providers: Listed[] };
  const receiver = providers.find(({ provider }) => provider === 'receiver')?.url ?? '';
  const box = `demo-${run}`;
  const made = await service.call('POST /webhook-endpoints', {
    as: admin,
    body: { url: `${receiver}/${box}`, types: ['*'], description: 'The demo’s receiver' },
    describe: (answer) => answer.text('data.endpoint_id'),
  });
  const endpoint_id = made.text('data.endpoint_id');
  await service.sandbox('POST /receiver-settings', { box, secret: made.text('data.secret') });
  await service.call('PATCH /webhook-endpoints/{endpoint_id}', {
    as: admin,
    params: { endpoint_id },
    body: { description: 'The demo’s receiver, renamed' },
  });
  const query = { limit: 1 };
  await service.until(
    'GET /webhook-endpoints/{endpoint_id}/attempts',
    {
      as: admin,
      params: { endpoint_id },
      query,
      describe: (answer) => answer.text('data.attempts.0.event_type'),
    },
    ({ body }) => JSON.stringify(body).includes('webhook_endpoint.updated'),
  );
  const arrived = await service.sandbox(`GET /receiver?box=${box}&limit=1`);
  mustEqual('what has arrived', arrived.text('arrivals.0.type'), 'webhook_endpoint.updated');
  const [last] = arrived.list('arrivals') as { verified: boolean }[];
  mustEqual('whether it is verified', String(last?.verified), 'true');
  await service.call('DELETE /webhook-endpoints/{endpoint_id}', {
    as: admin,
    params: { endpoint_id },
  });
}
