import { describe, expect, test } from 'vitest';
import { linkedUser } from '#test/bank-link.ts';
import { banking } from '#test/banking.ts';
import { harness } from '#test/harness.ts';
import { invoicesOf } from '#test/invoices.ts';
import { mcpOf } from '#test/mcp.ts';
import { clientWithPolicies } from '#test/policies.ts';
import { withdrawer } from '#test/withdrawals.ts';

const h = await harness();
const { connect, use } = mcpOf(h);
const bank = banking(h);
const invoices = invoicesOf(h);
const { client_id } = await h.client();
type Client = Awaited<ReturnType<typeof connect>>;

/** Asks, looks that nothing moves, agrees, and answers the sentence and what was done. */
async function agreed(client: Client, tool: string, wish: Record<string, unknown>) {
  const asked = await use(client, tool, wish);
  expect(asked).toMatchObject({ isError: false, status: 'CONFIRMATION_REQUIRED' });
  const { confirmation, what_will_happen } = asked;
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => use(client, tool, { ...wish, confirmation })),
  );
  const done = answers.filter(({ isError }) => !isError);
  return { what: what_will_happen as string, done };
}

describe('money in currencies', () => {
  test('is sent once the person has agreed to the sentence, and once', async () => {
    const [from, to] = [await bank.holder(client_id, '50'), await bank.holder(client_id)];
    const client = await connect(from);
    const wish = {
      from_wallet_id: from.wallet_id,
      to: { wallet_id: to.wallet_id },
      amount: '12.5',
    };
    await use(client, 'send_money', wish);
    expect(await bank.balance(to)).toBe('0.00 0.00');
    const { what, done } = await agreed(client, 'send_money', wish);
    expect(what).toBe(`Send 12.5 USD from wallet ${from.wallet_id} to wallet ${to.wallet_id}`);
    expect(new Set(done.map(({ data }) => data.transfer_id)).size).toBe(1);
    expect(await bank.balance(to)).toBe('12.50 0.00');
    const { data } = await use(client, 'list_fiat_transactions', { wallet_id: from.wallet_id });
    expect(data.transactions[0]).toMatchObject({ amount: '-12.50' });
  });

  test('is paid out to a recipient whom the sentence names', async () => {
    const user = await withdrawer(h, 'USD', 100_00n);
    const client = await connect(user.as);
    const [recipient] = (await use(client, 'list_recipients')).data.items;
    const wish = { wallet_id: user.wallet_id, recipient_id: user.recipient_id, amount: '20' };
    const { what, done } = await agreed(client, 'withdraw', wish);
    const ending = recipient.details.account_number.slice(-4);
    expect(what).toBe(
      `Pay out 20 from wallet ${user.wallet_id} to "${recipient.name}", bank account in USD that ends in ${ending}`,
    );
    expect(new Set(done.map(({ data }) => data.withdrawal_id)).size).toBe(1);
    const { data } = await use(client, 'list_withdrawals', { wallet_id: user.wallet_id });
    expect(data.items).toHaveLength(1);
    const payments = await use(client, 'list_payments');
    expect(JSON.stringify(payments)).toContain(done[0].data.withdrawal_id);
  });

  test('comes from the bank account that the person has linked', async () => {
    const user = await linkedUser(h);
    const client = await connect(user.as);
    const { accounts } = await use(client, 'list_bank_accounts');
    expect(accounts.length).toBeGreaterThan(0);
    const wish = { wallet_id: user.wallet_id, amount: '40.00' };
    const { what, done } = await agreed(client, 'top_up_from_bank', wish);
    expect(what).toBe(`Take 40.00 USD from the linked bank account into wallet ${user.wallet_id}`);
    expect(new Set(done.map(({ transaction_id }) => transaction_id)).size).toBe(1);
    expect(await user.topUps()).toHaveLength(1);
  });

  test('of a paid invoice is given back, in part and then the rest', async () => {
    const [shop, payer] = [await bank.holder(client_id), await bank.holder(client_id, '50')];
    const { invoice_id } = await invoices.created(shop);
    await invoices.pay(payer, invoice_id, payer.wallet_id);
    const client = await connect(shop);
    const wish = { invoice_id, amount: '5.00', reason: 'One was broken' };
    const { what, done } = await agreed(client, 'refund_invoice', wish);
    expect(what).toBe(
      `Give back 5.00 USD of the invoice ${invoice_id} for "Order 2041" to where it came from`,
    );
    expect(new Set(done.map(({ data }) => data.refund_id)).size).toBe(1);
    const rest = await use(client, 'refund_invoice', { invoice_id, reason: 'All of it' });
    expect(rest.what_will_happen).toContain('all that is left of 20.00 USD (5.00 given back');
    expect((await use(client, 'get_invoice', { invoice_id })).data.refunded_amount).toBe('5.00');
  });
});

describe('a tool that moves money', () => {
  test('asks nothing that it could not do, and tells what to do about a refusal', async () => {
    const [from, stranger] = [await bank.holder(client_id, '5'), await bank.holder(client_id, '5')];
    const client = await connect(from);
    const to = { wallet_id: stranger.wallet_id };
    const theirs = { from_wallet_id: stranger.wallet_id, to, amount: '1' };
    expect(await use(client, 'send_money', theirs)).toMatchObject({ isError: true });
    const wish = { from_wallet_id: from.wallet_id, amount: '1' };
    expect(await use(client, 'send_money', wish)).toMatchObject({ code: 'VALIDATION_ERROR' });
    const dear = { from_wallet_id: from.wallet_id, to, amount: '6' };
    const { confirmation } = await use(client, 'send_money', dear);
    const refused = await use(client, 'send_money', { ...dear, confirmation });
    expect(refused).toMatchObject({ isError: true, code: 'INSUFFICIENT_BALANCE' });
    expect(refused.hint).toEqual(expect.any(String));
    expect(await bank.balance(from)).toBe('5.00 0.00');
  });

  test('stays within the policies of the client', async () => {
    const policies = await clientWithPolicies(h);
    await policies.publish({
      applies_to: ['transfer'],
      when: 'amount_minor == 2000',
      then: { deny: { message: 'Not today' } },
    });
    const from = await bank.holder(policies.client_id, '50');
    const to = await bank.holder(policies.client_id);
    const client = await connect(from);
    const wish = { from_wallet_id: from.wallet_id, to: { wallet_id: to.wallet_id }, amount: '20' };
    const { confirmation } = await use(client, 'send_money', wish);
    const held = await use(client, 'send_money', { ...wish, confirmation });
    expect(held).toMatchObject({ isError: true, code: 'POLICY_DENIED' });
    expect(await bank.balance(from)).toBe('50.00 0.00');
  });

  test('never takes the number of a card', async () => {
    const client = await connect(await h.user());
    const { tools } = await client.listTools();
    for (const { name, inputSchema, annotations } of tools) {
      expect(JSON.stringify(inputSchema), name).not.toMatch(/card_number|cvv/);
      expect(annotations?.title, name).toMatch(/^[A-Z]/);
    }
  });
});
