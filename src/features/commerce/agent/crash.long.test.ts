import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createTools } from '#features/commerce/mcp-server/mcp-server.ts';
import { createPerform, type Perform } from '#kernel/http/answer/perform.ts';
import { payees, talking, wealthy } from '#test/agent.ts';
import { killedAgreeing, SHARED_SECRETS } from '#test/agent-process.ts';
import { harness, type Person } from '#test/harness.ts';
import { gate } from '#test/waiting.ts';
import { converse } from './converse.ts';
import { createTransfers } from './transfer-effect.ts';

/**
 * What the agent promises where a process dies while it does what was agreed to: killed for a send, and for
 * a transfer a call that never comes back, which leaves the same behind.
 */
const h = await harness(SHARED_SECRETS);
await h.drain();
const say = talking(h);
const agreeAndKill = killedAgreeing(h);
const { amoy, sepolia } = h.app.evm.chains;
const routes = () => h.app.features.routes;
const perform = createPerform(h.kernel, routes);

const rich = wealthy(h);
const { fresh, received } = payees(h);

/** Says yes in a process that stops for ever before, or behind, the given call. */
async function agreeAndDie(as: Person, dies: readonly [string, 'before' | 'behind']) {
  const there = gate();
  const [call, when] = dies;
  const hanging = async (...[id, by, wish]: Parameters<Perform>) => {
    const dead = async () => {
      await there.pass();
      // The process is dead: nobody ever hears of this.
      return new Promise<never>(() => undefined);
    };
    if (id === call && when === 'before') return dead();
    const answer = await perform(id, by, wish);
    return id === call ? dead() : answer;
  };
  const hangsThere = Object.assign(hanging, { requireScope: perform.requireScope });
  const dying = {
    ...h.kernel,
    ...h.app.providers,
    isModelConfigured: true,
    tools: createTools(hangsThere, routes),
  };
  const { user_id, client_id } = as;
  void converse(dying, createTransfers(dying), {
    caller: { key: null, user_id, client_id, role: 'user', operator: false, session_id: '' },
    request: {
      id: randomUUID(),
      ip: '127.0.0.1',
      userAgent: '',
      headers: {},
      raw: Buffer.alloc(0),
    },
    input: 'yes',
    context: undefined,
    operation: randomUUID(),
  });
  await there.reached;
}

test.each(['before', 'behind'] as const)(
  'a send whose process is killed, %s the endpoint was asked, happens once',
  async (when) => {
    const as = await rich();
    const to = fresh();
    await say(as, `Send 1 USDC to ${to} on amoy`);
    await agreeAndKill(as, { call: 'POST /onchain/execute', when });
    // The dead attempt's right to act has lapsed.
    await h.advance(121);
    const answers = await Promise.all(Array.from({ length: 5 }, () => say(as, 'yes')));
    for (const [status, told] of answers)
      expect([status, told]).toMatchObject([200, { completed: true }]);
    await h.drain();
    expect(await received(to, amoy)).toBe(1_000_000n);
  },
);

test('a send that is not repeated is done by the job', async () => {
  const as = await rich();
  const to = fresh();
  await say(as, `Send 1 USDC to ${to} on amoy`);
  await agreeAndDie(as, ['POST /onchain/execute', 'before']);
  await h.advance(121);
  await h.drain();
  expect(await received(to, amoy)).toBe(1_000_000n);
  expect((await say(as, 'yes'))[1].data.confirmation.status).toBe('DONE');
});

test.each([
  ['POST /crosschain/burn', 'before'],
  ['POST /crosschain/burn', 'behind'],
  ['POST /crosschain/mint', 'behind'],
] as const)(
  'a transfer between chains whose process dies, %s, %s it, happens once',
  async (call, when) => {
    const as = await rich();
    const to = fresh();
    await say(as, `Bridge 2 USDC from amoy to sepolia for ${to}`);
    await agreeAndDie(as, [call, when]);
    await h.advance(121);
    await h.drain();
    expect((await say(as, 'yes'))[1]).toMatchObject({ completed: true });
    expect(await received(to, sepolia)).toBe(2_000_000n);
    const { rows } = await h.kernel.pool.query(
      'select status from crosschain_transfers where user_id = $1',
      [as.user_id],
    );
    expect(rows).toEqual([{ status: 'MINTED' }]);
  },
);

test('a transfer between chains whose process is killed while it is written down happens once', async () => {
  const as = await rich();
  const to = fresh();
  await say(as, `Bridge 2 USDC from amoy to sepolia for ${to}`);
  await agreeAndKill(as, { call: 'POST /crosschain/initiate', when: 'behind' });
  await h.advance(121);
  await h.drain();
  expect(await received(to, sepolia)).toBe(2_000_000n);
});

test('a send that could not begin for a quarter of an hour is refused', async () => {
  const as = await rich();
  const to = fresh();
  await say(as, `Send 1 USDC to ${to} on amoy`);
  await agreeAndDie(as, ['POST /onchain/execute', 'before']);
  await h.advance(901);
  await h.drain();
  expect(await say(as, 'yes')).toMatchObject([400, { error: { code: 'PROVIDER_REJECTED' } }]);
  expect(await received(to, amoy)).toBe(0n);
});
