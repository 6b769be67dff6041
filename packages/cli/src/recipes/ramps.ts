import type { Recipe } from './recipe.ts';
import type { Person, Stage } from './stage.ts';

const IDR_CHAIN = 'amoy';
const RUPIAH = 100_000;
const OTHER_ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
const EXCHANGE_ADDRESS = '0x742d35Cc6634C0532925a3b844Bc454e4438f44e';
/** An address that every ledger of the sandbox has. */
const XRPL_OUTSIDE = 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe';
/** An account in the person’s own name. */
const bankOf = ({ username: accountName }: Person) => ({
  bankName: 'Bank Central Asia',
  bankCode: 'BCA',
  accountNumber: '1234567890',
  accountName,
});

/** Rupiah that were paid by QRIS and have become tokens. */
async function bought(stage: Stage) {
  const person = await stage.person();
  const { address } = await stage.chainWallet(person, IDR_CHAIN);
  if (stage.isMock) await stage.sandbox.call('POST', '/gateway/holds', { payments: 1 });
  const { referenceId } = await buy({ ...person, address });
  return { ...person, address, reference_id: referenceId };
}

async function buy({ archipay, address }: Person & { readonly address: string }) {
  const wish = { amount: String(RUPIAH), paymentMethod: 'QRIS', walletAddress: address } as const;
  return (await archipay.idrTokens.buy(wish)).data;
}

async function minted(stage: Stage) {
  const purchase = await bought(stage);
  const { archipay, reference_id } = purchase;
  await stage.sandbox.call('POST', `/gateway/payments/${reference_id}/pay`, {});
  await stage.until('the tokens', async () => {
    const { data } = await archipay.idrTokens.getPurchase({ reference_id });
    return data.status === 'SUCCESS';
  });
  return purchase;
}

async function paidTwice(stage: Stage) {
  const person = await minted(stage);
  const { reference_id } = person;
  await stage.sandbox.call('POST', `/gateway/payments/${reference_id}/pay`, { amount: RUPIAH });
  const operator = await stage.operator();
  const payment_id = await stage.until('the second payment', async () => {
    const { data } = await operator.idrTokens.listPayments({ limit: 100 });
    return data.find((one) => one.reference_id === reference_id)?.payment_id;
  });
  return { ...person, payment_id };
}

async function redeemed(stage: Stage): Promise<string> {
  const person = await minted(stage);
  const { archipay, address } = person;
  const bank = await archipay.idrTokens.addBank({ ...bankOf(person), isPrimary: true });
  const { tx_hash } = await stage.sandbox.call<{ tx_hash: string }>(
    'POST',
    `/chains/${IDR_CHAIN}/burn`,
    { asset: 'IDRT', from: address, amount: RUPIAH },
  );
  if (stage.isMock) await stage.sandbox.call('POST', '/gateway/holds', { payouts: 1 });
  const { data } = await archipay.idrTokens.redeem({
    burnTxHash: tx_hash,
    amount: String(RUPIAH),
    bankId: bank.data.token_bank_id,
    walletAddress: address,
  });
  const { referenceId: reference_id } = data;
  await stage.until('the pay-out', async () => {
    const { data: now } = await archipay.idrTokens.getRedemption({ reference_id });
    return now.status === 'PROCESSING';
  });
  return reference_id;
}

/** Rupiah at the exchange, of which it has not sold any yet. */
async function deposited(stage: Stage) {
  const person = await stage.person();
  const { archipay } = person;
  const wallet_id = await stage.wallet(person, 'IDR', '400000');
  const own = { network: 'ERC20', wallet_address: EXCHANGE_ADDRESS };
  await archipay.exchangeWallets.save(own);
  if (stage.isMock) await stage.sandbox.call('POST', '/gateway/holds', { payouts: 1 });
  const started = await archipay.conversions.start({ wallet_id, amount_idr: '300000' });
  const { job_id, reference_id } = started.data;
  await stage.admin.conversions.execute({ job_id });
  await stage.sandbox.call('POST', '/exchange/deposits', { reference_id });
  await stage.admin.conversions.pollJob({ job_id });
  return { job_id };
}

async function converted(stage: Stage): Promise<void> {
  const { job_id } = await deposited(stage);
  await stage.admin.conversions.executeTrade({ job_id });
}

/** The exchange behaves so while it is to sell. */
async function refusedBy(stage: Stage, type: string, behaviour: object): Promise<void> {
  const { job_id } = await deposited(stage);
  const newest = async () => (await stage.admin.events.list({ type, limit: 1 })).data.events[0]?.id;
  const before = await newest();
  await stage.sandbox.call('POST', '/exchange/behaviour', behaviour);
  try {
    await stage.admin.conversions.executeTrade({ job_id });
    // The answer does not wait for the exchange's last step.
    await stage.until(type, async () => (await newest()) !== before);
  } finally {
    await stage.sandbox.call('DELETE', '/exchange/behaviour');
  }
}

const xrplBuy = ({ archipay }: Person) =>
  archipay.xrpl.buy({ fiat_currency: 'USD', fiat_amount: '10' });

export const RAMPS: readonly Recipe[] = [
  {
    types: ['idr_mint.minted', 'idr_mint.completed'],
    how: 'A user pays rupiah by QRIS and gets tokens.',
    run: async (stage) => void (await minted(stage)),
  },
  {
    types: ['idr_payment.unmatched'],
    how: 'A payer pays a purchase of tokens twice.',
    mode: 'live',
    run: async (stage) => void (await paidTwice(stage)),
  },
  {
    types: ['idr_payment.refunded', 'idr_payment.assigned'],
    how: 'Payers pay purchases of tokens twice; the operator gives one back, and uses one for another purchase.',
    mode: 'live',
    async run(stage) {
      const operator = await stage.operator();
      const { payment_id } = await paidTwice(stage);
      await operator.idrTokens.refundPayment({ payment_id });
      const other = await paidTwice(stage);
      const { referenceId: reference_id } = await buy(other);
      await operator.idrTokens.assignPayment({ payment_id: other.payment_id, reference_id });
    },
  },
  {
    types: ['bank_account.added', 'bank_account.removed'],
    how: 'A user names two bank accounts, and removes the second.',
    async run(stage) {
      const person = await stage.person();
      const { archipay } = person;
      await archipay.idrTokens.addBank({ ...bankOf(person), isPrimary: true });
      const other = { ...bankOf(person), accountNumber: '1234567891' };
      const { data } = await archipay.idrTokens.addBank(other);
      await archipay.idrTokens.removeBank({ bank_id: data.token_bank_id });
    },
  },
  {
    types: ['payout.failed'],
    how: 'Tokens are burnt; the bank refuses the pay-out.',
    async run(stage) {
      const reference_id = await redeemed(stage);
      await stage.sandbox.call('POST', `/gateway/payouts/${reference_id}/fail`, {});
    },
  },
  {
    types: ['payout.returned'],
    how: 'Tokens are burnt; the bank sends the pay-out back after it had arrived.',
    async run(stage) {
      const reference_id = await redeemed(stage);
      await stage.sandbox.call('POST', `/gateway/payouts/${reference_id}/complete`, {});
      await stage.sandbox.call('POST', `/gateway/payouts/${reference_id}/reverse`, {});
    },
  },
  {
    types: ['exchange_wallet.created', 'exchange_wallet.updated', 'exchange_wallet.deleted'],
    how: 'A user names an address for USDC, replaces it by another, and deletes it.',
    async run(stage) {
      const { archipay } = await stage.person();
      const own = { network: 'ERC20', wallet_address: EXCHANGE_ADDRESS };
      await archipay.exchangeWallets.save(own);
      await archipay.exchangeWallets.save({ ...own, wallet_address: OTHER_ADDRESS });
      const { data } = await archipay.exchangeWallets.list();
      for (const { bw_id } of data.wallets) await archipay.exchangeWallets.delete({ bw_id });
    },
  },
  {
    types: [
      'conversion.started',
      'conversion.disbursed',
      'conversion.confirmed',
      'conversion.traded',
      'conversion.completed',
    ],
    how: 'Rupiah go to the exchange, become USDC, and arrive on chain.',
    run: converted,
  },
  {
    types: ['conversion.order_refused'],
    how: 'The exchange rejects the order that sells the rupiah.',
    run: (stage) => refusedBy(stage, 'conversion.order_refused', { orders: 'reject' }),
  },
  {
    types: ['conversion.withdrawal_refused'],
    mode: 'mock',
    how: 'The exchange rejects the withdrawal of the USDC.',
    run: (stage) => refusedBy(stage, 'conversion.withdrawal_refused', { withdrawals: 'reject' }),
  },
  {
    types: ['xrpl_transaction.pending', 'xrpl_transaction.succeeded'],
    how: 'A user buys USDC on the XRP Ledger, and sends some to an address outside.',
    async run(stage) {
      const person = await stage.person();
      await stage.wallet(person, 'USD', '50.00');
      const { data } = await xrplBuy(person);
      const txid = data.xrpl_tx.tx_hash ?? '';
      await stage.until('the XRP Ledger', async () => {
        const { status } = await person.archipay.xrpl.getPurchase({ txid });
        return status === 'validated';
      });
      await stage.sandbox.call('POST', '/xrpl/trust-lines', { address: XRPL_OUTSIDE });
      await person.archipay.xrpl.sell({ amount: '4', destination_address: XRPL_OUTSIDE });
    },
  },
  {
    types: [
      'cardano_order.begun',
      'cardano_order.minted',
      'cardano_order.burnt',
      'cardano_order.completed',
    ],
    how: 'A card pays dollars, which go over USDC on Cardano to Singapore dollars.',
    async run(stage) {
      const person = await stage.person();
      const wallet_to_id = await stage.wallet(person, 'SGD');
      await person.archipay.cardano.cardToWallet({
        user_id: person.user_id,
        wallet_to_id,
        fiat_amount: '50',
        currency_from: 'USD',
        currency_to: 'SGD',
        cardNumber: '4111111111111111',
      });
    },
  },
];
