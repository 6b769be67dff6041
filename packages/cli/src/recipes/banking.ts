import type { Recipe } from './recipe.ts';
import type { Currency, Person, Stage } from './stage.ts';

const BANK = { bank_code: '021000021', account_number: '000123456789' } as const;

export async function recipient({ archipay }: Person) {
  const made = await archipay.recipients.create({
    name: 'Grace Lee',
    kind: 'bank',
    country: 'US',
    currency: 'USD',
    details: BANK,
  });
  return made.data.recipient_id;
}

async function withdrawal(stage: Stage, more: object = {}) {
  const person = await stage.person();
  const wallet_id = await stage.wallet(person, 'USD', '100.00');
  const recipient_id = await recipient(person);
  const asked = { wallet_id, amount: '20.00', recipient_id, ...more };
  const { data } = await person.archipay.withdrawals.create(asked);
  return { ...person, wallet_id, withdrawal_id: data.withdrawal_id };
}

/** Two people of the client; the first has money. */
export async function two(stage: Stage, currency: Currency = 'USD') {
  const [from, to] = [await stage.person(), await stage.person()];
  const from_wallet_id = await stage.wallet(from, currency, '100.00');
  const to_wallet_id = await stage.wallet(to, currency);
  return { from, to, from_wallet_id, to_wallet_id };
}

async function held(stage: Stage, more: object = {}) {
  const pair = await two(stage);
  const { data } = await pair.from.archipay.walletHolds.place({
    wallet_id: pair.from_wallet_id,
    to: { wallet_id: pair.to_wallet_id },
    amount: '20.00',
    ...more,
  });
  return { ...pair, hold_id: data.hold_id };
}

/** Money for somebody who has no account yet. */
async function claimable(stage: Stage, more: object = {}) {
  const from = await stage.person();
  const from_wallet_id = await stage.wallet(from, 'USD', '100.00');
  const { data } = await from.archipay.walletTransfers.send({
    from_wallet_id,
    to: { email: `${stage.name('friend')}@demo.example` },
    amount: '5.00',
    ...more,
  });
  return { from, transfer_id: data.transfer_id };
}

/** A transfer of 47.11 waits for ten minutes by a rule of this recipe, and its receiver is stopped. */
async function stoppedWhileWaiting(stage: Stage): Promise<void> {
  const { archipay: second } = await stage.person('admin');
  const { data: rule } = await stage.admin.policies.create({
    name: 'A trigger',
    applies_to: ['transfer'],
    when: 'amount_minor == 4711',
    // biome-ignore lint/suspicious/noThenProperty: the API's own name of what happens.
    then: { hold_s: 600 },
  });
  const { policy_id, version } = rule;
  const { data: published } = await second.policies.publish({ policy_id, version });
  try {
    const { from, to, from_wallet_id, to_wallet_id } = await two(stage);
    const wish = { from_wallet_id, to: { wallet_id: to_wallet_id }, amount: '47.11' };
    await from.archipay.walletTransfers.send(wish);
    await stage.admin.admins.stopUser({ user_id: to.user_id, reason: 'A trigger' });
    await stage.clock(700);
  } finally {
    await second.policies.retire({ policy_id, version: published.version });
  }
}

export const BANKING: readonly Recipe[] = [
  {
    types: ['payout.processing'],
    how: 'A user withdraws to a bank account; the bank has taken the order.',
    mode: 'live',
    run: async (stage) => void (await withdrawal(stage)),
  },
  {
    types: ['payout.cancelled'],
    how: 'A user cancels a withdrawal that is to be made later.',
    async run(stage) {
      const { now } = await stage.sandbox.call<{ now: string }>('GET', '/clock');
      const execute_at = new Date(Date.parse(now) + 3_600_000).toISOString();
      const { archipay, wallet_id, withdrawal_id } = await withdrawal(stage, { execute_at });
      await archipay.withdrawals.cancel({ wallet_id, withdrawal_id });
    },
  },
  {
    types: ['recipient.created', 'recipient.changed', 'recipient.deleted'],
    how: 'A user keeps a recipient, renames and deletes it.',
    async run(stage) {
      const person = await stage.person();
      const recipient_id = await recipient(person);
      await person.archipay.recipients.update({ recipient_id, name: 'Grace B. Lee' });
      await person.archipay.recipients.delete({ recipient_id });
    },
  },
  {
    types: ['recipient.verified'],
    how: 'The bank says whether an account is in the recipient’s name.',
    async run(stage) {
      const person = await stage.person();
      const recipient_id = await recipient(person);
      await person.archipay.recipients.verify({ recipient_id });
    },
  },
  {
    types: ['wallet_transfer.completed'],
    how: 'A user sends money to another user’s wallet.',
    async run(stage) {
      const { from, from_wallet_id, to_wallet_id } = await two(stage);
      const to = { wallet_id: to_wallet_id };
      await from.archipay.walletTransfers.send({ from_wallet_id, to, amount: '20.00' });
    },
  },
  {
    types: ['wallet_transfer.pending', 'wallet_transfer.cancelled'],
    how: 'A user sends money to an address without an account, and takes it back.',
    async run(stage) {
      const { from, transfer_id } = await claimable(stage);
      await from.archipay.walletTransfers.cancel({ transfer_id });
    },
  },
  {
    types: ['wallet_transfer.expired'],
    how: 'Money that was sent to an address without an account is not claimed.',
    movesClock: true,
    async run(stage) {
      await claimable(stage, { claim_expires_in_s: 3600 });
      await stage.clock(3700);
    },
  },
  {
    types: ['wallet_transfer.failed'],
    how: 'A rule lets a transfer wait, and its receiver is stopped meanwhile.',
    movesClock: true,
    run: stoppedWhileWaiting,
  },
  {
    types: ['wallet.threshold_crossed'],
    how: 'A user watches a balance, and spends until it is below an amount.',
    movesClock: true,
    async run(stage) {
      const { from, from_wallet_id, to_wallet_id } = await two(stage);
      const below = { field: 'available', op: 'below', amount: '90.00' } as const;
      await from.archipay.balanceMonitors.create({ wallet_id: from_wallet_id, ...below });
      const to = { wallet_id: to_wallet_id };
      await from.archipay.walletTransfers.send({ from_wallet_id, to, amount: '20.00' });
      await stage.clock(20);
    },
  },
  {
    types: ['wallet_hold.placed', 'wallet_hold.captured'],
    how: 'A user sets money aside for another, who takes it.',
    async run(stage) {
      const { to, hold_id } = await held(stage);
      await to.archipay.walletHolds.capture({ hold_id });
    },
  },
  {
    types: ['wallet_hold.voided', 'wallet.hold_placed', 'wallet.hold_released'],
    how: 'A payee lets money go that was set aside for them.',
    async run(stage) {
      const { to, hold_id } = await held(stage);
      await to.archipay.walletHolds.void({ hold_id });
    },
  },
  {
    types: ['wallet_hold.expired'],
    how: 'Money that was set aside is not taken.',
    movesClock: true,
    async run(stage) {
      await held(stage, { expires_in_s: 3600 });
      await stage.clock(3700);
    },
  },
];
