import type { LoggedIn } from './people.ts';
import { mustEqual, type Service } from './service.ts';

const CARD = { card_number: '4111111111111111', expiry_date: '1239' };
const ADDRESS = '0x742d35Cc6634C0532925a3b844Bc454e4438f44e';
const AMOUNT = 300_000;

/** Rupiah go to an exchange, become USDC there, and arrive in the user's own wallet on chain. */
export async function conversion(service: Service, admin: LoggedIn, user: LoggedIn): Promise<void> {
  service.part('Rupiah in a wallet, and an address of one’s own for USDC');
  const wallet = await service.call('POST /wallets/fiat', {
    as: user,
    body: { currency: 'IDR' },
    describe: (answer) => `wallet ${answer.number('data.wallet_id')}`,
  });
  await service.call('POST /card-checkout/cardcc', {
    as: user,
    body: { ...CARD, amount: 400_000, currency_code: 'IDR' },
    describe: (answer) => `${answer.number('data.net_amount')} IDR`,
  });
  await service.call('POST /exchange/crypto-wallet/save', {
    as: user,
    body: { network: 'ERC20', wallet_address: ADDRESS },
    describe: (answer) => `primary: ${answer.text('data.network')}`,
  });

  service.part('300,000 rupiah go to the exchange, become USDC, and arrive on chain');
  // In mock mode they would be there at once; out of it they are in flight.
  await service.sandbox('POST /gateway/holds', { payouts: 1 });
  const started = await service.call('POST /exchange/disbursement/start', {
    as: user,
    body: { wallet_id: wallet.number('data.wallet_id'), amount_idr: AMOUNT },
    describe: (answer) => `books: ${answer.text('data.reconciliation.status')}`,
  });
  const params = { job_id: started.number('data.job_id') };
  const job = (path: string) =>
    service.call(`POST /exchange/conversion/${path}/{job_id}`, {
      as: admin,
      params,
      describe: (answer) => answer.text('data.status'),
    });
  await job('execute');
  const reference_id = started.text('data.reference_id');
  await service.sandbox('POST /exchange/deposits', { reference_id });
  mustEqual('the job', (await job('poll-job')).text('data.status'), 'TRADING');
  await job('execute-trade');
  await service.until(
    'GET /exchange/conversion/status/{job_id}',
    {
      as: user,
      params,
      describe: (answer) =>
        `${answer.text('data.withdrawal.amount')} USDC in ${answer.text('data.withdrawal.tx_hash')}`,
    },
    (answer) => answer.text('data.status') === 'COMPLETED',
  );
}
