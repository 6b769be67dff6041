import type { LoggedIn } from './people.ts';
import { mustEqual, type Service } from './service.ts';

/** An account that every ledger of the sandbox has. */
const OUTSIDE = 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe';

/** Dollars become USDC on the XRP Ledger; some of it goes to an address outside, the rest back. */
export async function xrpl(service: Service, user: LoggedIn): Promise<void> {
  service.part('USDC on the XRP Ledger: bought, sent and sold');
  const query = { from: 'USD', to: 'IDR', amount: '10' };
  await service.call('GET /fx/quote', { query, describe: (answer) => answer.text('data.result') });
  const bought = await service.call('POST /xrpl/onramp/init', {
    as: user,
    body: { fiat_currency: 'USD', fiat_amount: 10 },
    describe: (answer) =>
      `${answer.text('data.xrpl_tx.amount')} USDC, ${answer.text('data.fx.route')}`,
  });
  const txid = bought.text('data.xrpl_tx.tx_hash');
  await service.until(
    'GET /xrpl/onramp/status/{txid}',
    { as: user, params: { txid }, describe: (answer) => answer.text('status') },
    (answer) => answer.text('status') === 'validated',
  );

  await service.sandbox('POST /xrpl/trust-lines', { address: OUTSIDE });
  await service.call('POST /xrpl/offramp/init', {
    as: user,
    body: { amount: 4, destination_address: OUTSIDE },
    describe: (answer) => answer.text('data.xrpl_tx.tx_hash'),
  });
  const sold = await service.call('POST /xrpl/offramp/init', {
    as: user,
    body: { usdc_amount: 6, target_fiat: 'USD' },
    describe: (answer) => `${answer.number('data.payout.fiat_amount')} USD`,
  });
  mustEqual('what it was sold for', sold.number('data.payout.fiat_amount'), 6);
  const history = await service.call('GET /xrpl/history', { as: user });
  mustEqual('the history', history.number('count'), 3);
}
