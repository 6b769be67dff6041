import { afterAll, expect, test } from 'vitest';
import { connectProxy, portOf } from '#test/connect-proxy.ts';
import { harness } from '#test/harness.ts';
import {
  admin,
  deliver,
  endpointOf,
  happening,
  receiver,
  tell,
  verified,
  with1,
} from '#test/webhooks.ts';

/** A public address, which only the proxy gets to. */
const HOOK = 'http://93.184.216.34/hook';

const shop = { port: 0 };
const proxy = await connectProxy(() => ({ port: shop.port }));
afterAll(proxy.close);
const h = await harness({ features: happening, config: { WEBHOOK_PROXY: proxy.url } });

test('webhooks leave by the configured proxy, signed, and to public addresses only', async () => {
  const there = await receiver();
  shop.port = portOf(there.url);
  const as = await admin(h);
  const { secret } = await endpointOf(h, as, { url: HOOK });
  await tell(h, as.client_id, 1, 1);
  await deliver(h);
  expect(there.arrivals.map((arrival) => verified(arrival, secret).data)).toEqual([
    { writer: 1, nth: 1 },
  ]);
  expect(proxy.targets.map(({ authority }) => authority)).toEqual(['93.184.216.34:80']);
  await expect(endpointOf(h, as, { url: 'http://10.0.0.1/hook' })).rejects.toThrow('not public');
  const test1 = await endpointOf(h, as, { url: HOOK });
  const sent = await with1(h, as, test1.endpoint_id, ['POST', '/test', {}]);
  expect(sent).toMatchObject({ result: 'delivered', status: 204 });
});
