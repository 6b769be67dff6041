import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';

const h = await harness({ mock: false });

const lose = (provider: string) =>
  h.sandbox('POST', '/faults', { provider, kind: 'commit-then-drop' });
const read = async (as: { token: string }, recipient_id: string) =>
  (await h.call('GET /recipients/{recipient_id}', { as, params: { recipient_id } }))[1].data;

test.each([
  ['gateway', { country: 'ID', details: { bank_code: 'BCA', account_number: '8800112233' } }],
  ['bank-host', { country: 'VN', details: { bank_code: 'BFTVVNVX', account_number: '00710044' } }],
])(
  'without an answer of the %s a job asks again, and tells what it found',
  async (source, bank) => {
    const user = await h.user();
    await h.sandbox('POST', '/bank-host/holders', {
      account: bank.details.account_number,
      name: 'Nguyễn Văn Đức',
    });
    await lose(source);
    const body = { name: 'NGUYEN VAN DUC', kind: 'bank', ...bank };
    const [status, { data }] = await h.call('POST /recipients', { as: user, body });
    expect([status, data.verification]).toMatchObject([201, { result: 'NOT_POSSIBLE', source }]);
    await h.drain();
    expect(await read(user, data.recipient_id)).toMatchObject({
      verification: { result: 'MATCH', source },
      version: 2,
    });
  },
);

test('a bank that tells no names is not asked again', async () => {
  const user = await h.user();
  const details = { bank_code: 'BCA', account_number: '8800999900' };
  const body = { name: 'Siti', kind: 'bank', country: 'ID', details };
  const [, { data }] = await h.call('POST /recipients', { as: user, body });
  await h.drain();
  expect(await read(user, data.recipient_id)).toMatchObject({
    verification: { result: 'NOT_POSSIBLE' },
    version: 1,
  });
});
