import type { LoggedIn } from './people.ts';
import { mustEqual, type Service } from './service.ts';

const CHAIN = 'amoy';
const AMOUNT = 100_000;

/** Rupiah are paid by QRIS and become tokens; the tokens are burnt, and the rupiah go to a bank. */
export async function rupiahTokens(service: Service, user: LoggedIn, run: string): Promise<void> {
  const wallet = await openWallet(service, user);

  service.part('100,000 rupiah, paid by QRIS: the tokens are in the wallet');
  // In mock mode they would be paid at once; out of it nothing is.
  await service.sandbox('POST /gateway/holds', { payments: 1, payouts: 1 });
  const bought = await service.call('POST /idrtoken/onramp/initiate', {
    as: user,
    body: { amount: AMOUNT, paymentMethod: 'QRIS', walletAddress: wallet },
    describe: (answer) => `to be paid at ${answer.text('data.paymentUrl')}`,
  });
  const reference_id = bought.text('data.referenceId');
  await service.sandbox(`POST /gateway/payments/${reference_id}/pay`);
  await statusOf(service, user, { kind: 'onramp', reference_id, status: 'SUCCESS' });

  service.part('The tokens are burnt, and the rupiah paid out to a bank account');
  const bank = await service.call('POST /idrtoken/banks/add', {
    as: user,
    body: {
      bankName: 'Bank Central Asia',
      bankCode: 'BCA',
      accountNumber: '1234567890',
      accountName: `user-${run}`,
      isPrimary: true,
    },
    describe: (answer) => `account ${answer.number('data.token_bank_id')}`,
  });
  const burnt = await service.sandbox(`POST /chains/${CHAIN}/burn`, {
    asset: 'IDRT',
    from: wallet,
    amount: AMOUNT,
  });
  const redeemed = await service.call('POST /idrtoken/offramp/initiate', {
    as: user,
    body: {
      burnTxHash: burnt.text('tx_hash'),
      amount: AMOUNT,
      bankId: bank.number('data.token_bank_id'),
      walletAddress: wallet,
    },
    describe: (answer) => `${answer.number('data.netAmount')} IDR will arrive`,
  });
  mustEqual('what will arrive', redeemed.number('data.netAmount'), AMOUNT - 5000);
  const paid = { kind: 'offramp', reference_id: redeemed.text('data.referenceId') } as const;
  await statusOf(service, user, { ...paid, status: 'PROCESSING' });
  await service.sandbox(`POST /gateway/payouts/${paid.reference_id}/complete`);
  await statusOf(service, user, { ...paid, status: 'COMPLETED' });
}

async function openWallet(service: Service, user: LoggedIn): Promise<string> {
  service.part('A wallet for rupiah tokens');
  const made = await service.call('POST /manual/wallets/crypto', {
    as: user,
    body: { user_id: user.user_id, wallet_name: 'Rupiah', chain_id: CHAIN },
    describe: (answer) => `wallet ${answer.number('data.bw_id')}`,
  });
  const address = await service.call('POST /manual/wallets/crypto/{bw_id}/address', {
    as: user,
    params: { bw_id: made.number('data.bw_id') },
    body: { chain_id: CHAIN },
    describe: (answer) => answer.text('data.wallet_address'),
  });
  return address.text('data.wallet_address');
}

interface Wanted {
  readonly kind: 'onramp' | 'offramp';
  readonly reference_id: string;
  readonly status: string;
}

const statusOf = (service: Service, user: LoggedIn, { kind, reference_id, status }: Wanted) =>
  service.until(
    `GET /idrtoken/${kind}/status/{reference_id}`,
    {
      as: user,
      params: { reference_id },
      describe: (answer) => answer.text('data.status'),
    },
    (answer) => answer.text('data.status') === status,
  );
