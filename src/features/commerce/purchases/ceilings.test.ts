import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';

test('strangers ask about so many products, and approved clients about many more', async () => {
  const h = await harness({ mock: false });
  const body = { product: { title: 'Lamp', priceText: 'nothing' } };
  const ask = async (key?: string) =>
    (await h.call('POST /mcp/step3a', { body, ...(key !== undefined && { key }) }))[0];
  const answers = await Promise.all(Array.from({ length: 105 }, () => ask()));
  expect(answers.filter((status) => status === 400)).toHaveLength(100);
  expect(answers.filter((status) => status === 429)).toHaveLength(5);
  const { client_id } = await h.client();
  await h.db
    .updateTable('clients')
    .set({ client_status: 'ACTIVE' })
    .where('client_id', '=', client_id)
    .execute();
  expect(await ask(await h.apiKey({ client_id }))).toBe(400);
});
