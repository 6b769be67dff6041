import type { Recipe } from './recipe.ts';
import type { Stage } from './stage.ts';

/** An endpoint at the sandbox’s receiver, whose behaviour can be set. */
async function endpoint(stage: Stage, behaviour: object, types = ['instance.*', 'test.*']) {
  const box = stage.name('box');
  const { providers } = await stage.sandbox.call<{
    providers: { provider: string; url: string }[];
  }>('GET', '/index.json');
  const at = providers.find(({ provider }) => provider === 'receiver')?.url ?? '';
  await stage.sandbox.call('POST', '/receiver-settings', { box, ...behaviour });
  const { data } = await stage.admin.webhookEndpoints.create({ url: `${at}/${box}`, types });
  return { endpoint_id: data.endpoint_id, box };
}

async function proposal(stage: Stage, known?: number) {
  const wallet_id = known ?? (await stage.wallet(await stage.person()));
  const operator = await stage.operator();
  const { data } = await operator.adjustments.propose({
    kind: 'adjustment',
    reason: 'A trigger of the command line',
    wallet_id,
    direction: 'credit',
    amount: '1.00',
    currency: 'USD',
  });
  return { operator, adjustment_id: data.adjustment_id };
}

/** A rule that stops nothing of a sandbox. */
const written = async ({ admin }: Stage) => {
  const { data } = await admin.policies.create({
    name: 'A trigger',
    applies_to: ['withdrawal'],
    when: 'usd_cents > 900000000',
    // biome-ignore lint/suspicious/noThenProperty: the API's own name of what happens.
    then: { deny: { message: 'Too much' } },
  });
  return data;
};

export const OPERATIONS: readonly Recipe[] = [
  {
    types: ['webhook_endpoint.created', 'webhook_endpoint.updated', 'webhook_endpoint.deleted'],
    how: 'An admin makes an endpoint, changes and deletes it.',
    async run(stage) {
      const { endpoint_id } = await endpoint(stage, { answer: 'take' });
      await stage.admin.webhookEndpoints.update({ endpoint_id, description: 'A trigger' });
      await stage.admin.webhookEndpoints.delete({ endpoint_id });
    },
  },
  {
    types: ['adjustment.proposed', 'adjustment.withdrawn'],
    how: 'The operator proposes a correction of a wallet, and withdraws it.',
    isOperators: true,
    async run(stage) {
      const { operator, adjustment_id } = await proposal(stage);
      await operator.adjustments.withdraw({ adjustment_id });
    },
  },
  {
    types: ['adjustment.booked'],
    mode: 'mock',
    how: 'The operator proposes a correction of a wallet; a second one approves it.',
    isOperators: true,
    movesClock: true,
    async run(stage) {
      const wallet_id = await stage.wallet(await stage.person());
      const second = await stage.secondOperator();
      const { adjustment_id } = await proposal(stage, wallet_id);
      await (await second()).adjustments.approve({ adjustment_id });
    },
  },
  {
    types: ['adjustment.rejected'],
    how: 'The operator proposes a correction of a wallet; a second one rejects it.',
    isOperators: true,
    movesClock: true,
    async run(stage) {
      const wallet_id = await stage.wallet(await stage.person());
      const second = await stage.secondOperator();
      const { adjustment_id } = await proposal(stage, wallet_id);
      await (await second()).adjustments.reject({ adjustment_id, reason: 'A trigger' });
    },
  },
  {
    types: ['adjustment.expired'],
    how: 'A proposed correction is not decided in time.',
    isOperators: true,
    movesClock: true,
    async run(stage) {
      await proposal(stage);
      await stage.clock(15 * 86_400);
    },
  },
  {
    types: ['webhook_endpoint.failing', 'webhook_endpoint.recovered'],
    how: 'An endpoint fails for more than an hour, and answers again.',
    movesClock: true,
    async run(stage) {
      const { box } = await endpoint(stage, { answer: 'fail', status: 500 });
      for (let nth = 0; nth < 6; nth += 1)
        await stage.admin.instances.create({ instance_name: stage.name('Shop') });
      for (let nth = 0; nth < 4; nth += 1) await stage.clock(1801);
      await stage.sandbox.call('POST', '/receiver-settings', { box, answer: 'take' });
      await stage.clock(1801);
    },
  },
  {
    types: ['webhook_endpoint.disabled'],
    how: 'An endpoint answers 410 to the first event that it gets.',
    async run(stage) {
      await endpoint(stage, { answer: 'fail', status: 410 });
      await stage.admin.instances.create({ instance_name: stage.name('Shop') });
    },
  },
  {
    types: ['gateway_settings.updated'],
    how: 'An admin says how the client appears to those who pay its invoices.',
    async run(stage) {
      await stage.admin.gatewaySettings.replace({
        display_name: stage.name('Shop'),
        color: '#0b6e4f',
        support_email: 'help@example.com',
      });
    },
  },
  {
    types: ['fee_settings.updated'],
    how: 'The operator sets the fees of sends once more, at the values they have.',
    isOperators: true,
    async run(stage) {
      const operator = await stage.operator();
      const { data } = await operator.feeSettings.get();
      const now = data.platform_fee_settings;
      await operator.feeSettings.set({
        platform_fee_percentage: String(now.platform_fee_percentage),
        minimum_platform_fee_usd: String(now.minimum_platform_fee_usd),
        gas_price_multiplier: String(now.gas_price_multiplier),
      });
    },
  },
  {
    types: ['policy.created', 'policy.changed', 'policy.deleted'],
    how: 'An admin writes a policy, changes and deletes the draft.',
    async run(stage) {
      const { policy_id } = await written(stage);
      await stage.admin.policies.update({ policy_id, priority: 4 });
      await stage.admin.policies.delete({ policy_id });
    },
  },
  {
    types: ['policy.published', 'policy.retired'],
    how: 'An admin writes a policy; another one publishes and retires it.',
    async run(stage) {
      const { archipay: second } = await stage.person('admin');
      const { policy_id, version } = await written(stage);
      const published = await second.policies.publish({ policy_id, version });
      await second.policies.retire({ policy_id, version: published.data.version });
    },
  },
];
