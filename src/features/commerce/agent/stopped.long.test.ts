import { expect, test } from 'vitest';
import { payees, talking, wealthy } from '#test/agent.ts';
import { killedAgreeing, SHARED_SECRETS } from '#test/agent-process.ts';
import { harness, type Person } from '#test/harness.ts';

/** Who has agreed and is stopped before it was done: nothing begins, and what was begun is called off. */
const h = await harness(SHARED_SECRETS);
await h.drain();
const say = talking(h);
const agreeAndKill = killedAgreeing(h);
const rich = wealthy(h);
const { fresh, received } = payees(h);

const stopUser = ({ user_id }: Person) =>
  h.db
    .updateTable('users')
    .set({ user_status: 'INACTIVE' })
    .where('user_id', '=', user_id)
    .execute();
const stopClient = ({ client_id }: Person) =>
  h.db
    .updateTable('clients')
    .set({ client_status: 'SUSPENDED' })
    .where('client_id', '=', client_id)
    .execute();
const confirmationOf = ({ user_id }: Person) =>
  h.db
    .selectFrom('agent_confirmations')
    .select('status')
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow();
/** The dead attempt's right to act has lapsed. */
async function goOn() {
  await h.advance(121);
  await h.drain();
}

test.each([
  ['user', stopUser],
  ['client', stopClient],
] as const)('a send is not begun for a stopped %s', async (_, stop) => {
  const [as, to] = [await rich(), fresh()];
  await say(as, `Send 1.5 USDC to ${to} on amoy`);
  await agreeAndKill(as, { call: 'POST /onchain/execute', when: 'before' });
  await stop(as);
  await goOn();
  expect(await confirmationOf(as)).toEqual({ status: 'FAILED' });
  expect(await received(to)).toBe(0n);
});

test('a send that has begun is finished for a stopped user', async () => {
  const [as, to] = [await rich(), fresh()];
  await say(as, `Send 1.5 USDC to ${to} on amoy`);
  await agreeAndKill(as, { call: 'POST /onchain/execute', when: 'behind' });
  await stopUser(as);
  await goOn();
  expect(await confirmationOf(as)).toEqual({ status: 'DONE' });
  expect(await received(to)).toBe(1_500_000n);
});

test('a transfer that is not burnt yet is called off for a stopped user', async () => {
  const [as, to] = [await rich(), fresh()];
  await say(as, `Bridge 3 USDC from amoy to sepolia for ${to}`);
  await agreeAndKill(as, { call: 'POST /crosschain/burn', when: 'before' });
  await stopUser(as);
  await goOn();
  const transfer = await h.db
    .selectFrom('crosschain_transfers')
    .select(['status', 'burn_tx_hash'])
    .where('user_id', '=', as.user_id)
    .executeTakeFirstOrThrow();
  expect(transfer).toEqual({ status: 'FAILED', burn_tx_hash: null });
  expect(await confirmationOf(as)).toEqual({ status: 'FAILED' });
});
