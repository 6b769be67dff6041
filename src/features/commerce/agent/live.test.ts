import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { readBalances } from '#chains/evm/port.ts';
import { createTools } from '#features/commerce/mcp-server/mcp-server.ts';
import { createPerform } from '#kernel/http/answer/perform.ts';
import { gate } from '#kernel/provider-gate.ts';
import { providerStatuses } from '#src/app/providers.ts';
import { talking } from '#test/agent.ts';
import { harness } from '#test/harness.ts';
import { fund, walletOn } from '#test/wallets.ts';
import { converse } from './converse.ts';
import { createHealth } from './health.ts';
import { createTransfers } from './transfer-effect.ts';

const h = await harness({ mock: false });
const say = talking(h);
const { amoy, sepolia } = h.app.evm.chains;
const SENT = '0x00000000000000000000000000000000000051e7';
const BRIDGED = '0x0000000000000000000000000000000000b41d6e';

test('out of mock mode a user’s own money moves, and only that', async () => {
  const as = await h.user();
  const [place] = await walletOn(h, as, 'amoy');
  const { wallet_address = '' } = place ?? {};
  await say(as, `Bridge 2 USDC from amoy to sepolia for ${BRIDGED}`);
  expect(await say(as, 'yes')).toMatchObject([400, { error: { code: 'INSUFFICIENT_FUNDS' } }]);

  await fund(h, 'amoy', wallet_address, 'native', '3');
  await fund(h, 'amoy', wallet_address, 'USDC', '10');
  await say(as, `Bridge 2 USDC from amoy to sepolia for ${BRIDGED}`);
  expect(await say(as, 'yes')).toMatchObject([
    200,
    { completed: true, data: { transaction: { status: 'MINTED' } } },
  ]);
  await say(as, `Kirim 3 USDC ke ${SENT} di amoy`);
  expect(await say(as, 'ya')).toMatchObject([200, { completed: true, intent_type: 'send' }]);
  const [bridged, sent] = await Promise.all([
    readBalances(sepolia, BRIDGED, [sepolia.contracts.usdc]),
    readBalances(amoy, SENT, [amoy.contracts.usdc]),
  ]);
  expect([bridged.tokens[0], sent.tokens[0]]).toEqual([2_000_000n, 3_000_000n]);
});

test('without a model in production the agent says what is missing, and that it does not work', async () => {
  const config = { ...h.kernel.config, NODE_ENV: 'production' as const, LLM_MODEL: '' };
  const { llm } = providerStatuses(config);
  expect(llm.lacking).toEqual(['LLM_URL', 'LLM_MODEL']);
  const routes = () => h.app.features.routes;
  const deps = {
    ...h.kernel,
    ...h.app.providers,
    tools: createTools(createPerform(h.kernel, routes), routes),
    isModelConfigured: false,
    model: gate(h.app.providers.model, 'llm', llm, { log: h.kernel.log }),
  };
  const { user_id, client_id } = await h.user();
  const asked = converse(deps, createTransfers(deps), {
    caller: { key: null, user_id, client_id, role: 'user', operator: false, session_id: '' },
    request: { id: 'r', ip: '127.0.0.1', userAgent: '', headers: {}, raw: Buffer.alloc(0) },
    input: 'help',
    context: undefined,
    operation: randomUUID(),
  });
  await expect(asked).rejects.toMatchObject({ code: 'PROVIDER_NOT_CONFIGURED', status: 503 });
  expect(await createHealth(deps)()).toMatchObject({
    service_response: false,
    environment_checks: { llm_configured: false },
    fully_configured: false,
  });
});
