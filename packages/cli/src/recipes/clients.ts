import type { Recipe } from './recipe.ts';
import type { Stage } from './stage.ts';

const DAY = 86_400;

/** A client that signs up, and its first admin. */
async function company(stage: Stage, country_code = 'US') {
  const email = `${stage.name('company')}@demo.example`;
  const { client, admin_user } = await stage.application().clients.create({
    email,
    client_alias: stage.name('Company'),
    client_type: 'BUSINESS',
    country_code,
    phone: country_code === 'ID' ? '+6281234567890' : '+12025550100',
  });
  return { client_id: client.client_id, user_id: admin_user.user_id, email };
}

async function approvedCompany(stage: Stage): Promise<void> {
  const { email, user_id } = await company(stage);
  const admin = await stage.logIn(email, await stage.message(email, 'Password'));
  await admin.verification.createCompanyLink({ userId: user_id });
  await stage.review(user_id, 'GREEN', 'KYB');
}

export const CLIENTS: readonly Recipe[] = [
  {
    types: ['client.created'],
    how: 'A company signs up.',
    isOperators: true,
    run: async (stage) => void (await company(stage)),
  },
  {
    types: ['client.stopped', 'client.let_in'],
    how: 'The operator stops a new company, and lets it in again.',
    isOperators: true,
    async run(stage) {
      const { client_id } = await company(stage);
      const operator = await stage.operator();
      await operator.clients.stop({ client_id, reason: 'A trigger' });
      await operator.clients.letIn({ client_id, reason: 'A trigger' });
    },
  },
  {
    types: ['verification.pending', 'client.updated'],
    how: 'A new company begins its verification; the sandbox’s reviewer agrees.',
    isOperators: true,
    run: approvedCompany,
  },
  {
    types: ['psp_customer.requested', 'psp_customer.activated'],
    how: 'A company in Indonesia signs up, and becomes a customer of the provider there.',
    isOperators: true,
    run: async (stage) => void (await company(stage, 'ID')),
  },
  {
    types: ['pending_change.ordered', 'pending_change.took_effect'],
    mode: 'live',
    how: 'The operator moves a user’s address, and a day goes by.',
    movesClock: true,
    async run(stage) {
      const { user_id } = await stage.person();
      const operator = await stage.operator();
      const email = `${stage.name('moved')}@demo.example`;
      const own = { current_password: stage.operatorPassword };
      await operator.admins.moveAddress({ user_id, email, reason: 'A trigger', ...own });
      await stage.clock(DAY + 60);
    },
  },
  {
    types: ['instance.created', 'instance.updated', 'instance.deleted'],
    how: 'An admin makes an instance, renames and deletes it.',
    async run({ admin, name }) {
      const made = await admin.instances.create({ instance_name: name('Shop') });
      const { instance_id } = made.instance;
      await admin.instances.rename({ instance_id, alias: name('Shop') });
      await admin.instances.delete({ instance_id });
    },
  },
  {
    types: ['api_key.created', 'api_key.changed', 'api_key.rotated', 'api_key.deleted'],
    how: 'A user makes a key, limits, rotates and deletes it.',
    async run(stage) {
      const { archipay } = await stage.person();
      const made = await archipay.keys.create({ provider_name: 'Trigger' });
      await archipay.keys.limit({ api_key: made.api_key, rate_per_minute: 60 });
      const rotated = await archipay.keys.rotate({ api_key: made.api_key });
      await archipay.keys.delete({ api_key: rotated.api_key });
    },
  },
  {
    types: ['api_key.expiring'],
    how: 'A user makes a key that ends in ten days; eight days go by.',
    movesClock: true,
    async run(stage) {
      const { archipay } = await stage.person();
      await archipay.keys.create({ provider_name: 'Trigger', expires_in: 10 * DAY });
      await stage.clock(8 * DAY);
    },
  },
];
