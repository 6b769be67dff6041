import { expect, test } from 'vitest';
import { talking } from '#test/agent.ts';
import { killedAgreeing, SHARED_SECRETS } from '#test/agent-process.ts';
import { usedToday } from '#test/crosschain.ts';
import { emittedTypes } from '#test/emitted-events.ts';
import { harness, type Person } from '#test/harness.ts';
import { fund, walletOn } from '#test/wallets.ts';

/** Out of mock mode nobody stands in for a wallet that has too little to burn. */
const h = await harness({ ...SHARED_SECRETS, mock: false });
await h.drain();
const say = talking(h);
const agreeAndKill = killedAgreeing(h);
const TO = '0x00000000000000000000000000000000000a9e0f';

/** Has asked for a transfer of more than there is. */
async function wanting(): Promise<Person> {
  const as = await h.user();
  const [place] = await walletOn(h, as, 'amoy');
  await fund(h, 'amoy', place?.wallet_address ?? '', 'native', '1');
  await fund(h, 'amoy', place?.wallet_address ?? '', 'USDC', '1');
  expect((await say(as, `Bridge 2 USDC from amoy to sepolia for ${TO}`))[0]).toBe(206);
  return as;
}

const transferOf = ({ user_id }: Person) =>
  h.db
    .selectFrom('crosschain_transfers')
    .select(['log_id', 'status'])
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow();

test('a transfer that cannot be burnt is FAILED, and the answer says so', async () => {
  const as = await wanting();
  const [status, told] = await say(as, 'yes');
  const { log_id, status: ended } = await transferOf(as);
  expect([status, told, ended]).toMatchObject([
    400,
    { error: { code: 'INSUFFICIENT_FUNDS', details: { log_id, status: 'FAILED' } } },
    'FAILED',
  ]);
  // Asked again, they hear the same; nothing counts against the day, and those who listen know.
  expect(await say(as, 'yes')).toMatchObject([400, { error: { code: 'INSUFFICIENT_FUNDS' } }]);
  expect(await usedToday(h, as)).toBe(0n);
  expect(await emittedTypes(h, 'crosschain_transfer', log_id)).toEqual([
    'crosschain_transfer.initiated',
    'crosschain_transfer.burn_started',
    'crosschain_transfer.burn_refused',
    'crosschain_transfer.failed',
  ]);
});

test.each(['before', 'behind'] as const)(
  'it has so where its process is killed, %s it was called off',
  async (when) => {
    const as = await wanting();
    await agreeAndKill(as, { call: 'PATCH /crosschain/confirm', when });
    // The dead attempt's right to act has lapsed.
    await h.advance(121);
    await h.drain();
    expect((await transferOf(as)).status).toBe('FAILED');
    expect(await say(as, 'yes')).toMatchObject([
      400,
      { error: { message: expect.stringContaining('Nothing was burnt: the transfer is FAILED') } },
    ]);
    expect(await usedToday(h, as)).toBe(0n);
  },
);
