import type { LoggedIn } from './people.ts';
import { mustEqual, type Service } from './service.ts';

/** An address whose keys do not exist here: an example of the standard (CIP-19). */
const ELSEWHERE = 'addr_test1vz2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzerspjrlsz';

/** From dollars over USDC on Cardano to Singapore dollars, and from a card to an address of one's own. */
export async function cardano(service: Service, user: LoggedIn): Promise<void> {
  const { user_id } = user;
  service.part('Dollars over USDC on Cardano to Singapore dollars');
  const wallet = async (currency: string) => {
    const opened = await service.call('POST /wallets/fiat', { as: user, body: { currency } });
    return opened.number('data.wallet_id');
  };
  const wallet_to_id = await wallet('SGD');
  await service.call('POST /cardano/onramp-bank-offramp-wallet', {
    as: user,
    body: {
      user_id,
      wallet_to_id,
      fiat_amount: '50',
      currency_from: 'USD',
      currency_to: 'SGD',
      cardNumber: '4111111111111111',
    },
    describe: (answer) =>
      `${answer.text('mintTx.amount')} USDC minted and burnt, ${answer.text('walletTx.amount')} SGD arrived`,
  });

  service.part('From a card to USDC at an address on Cardano');
  const minted = await service.call('POST /cardano/onramp-bank-mint-user', {
    as: user,
    body: {
      user_id,
      fiat_amount: '20',
      currency_from: 'USD',
      user_wallet_address: ELSEWHERE,
      cardNumber: '4111111111111111',
    },
    describe: (answer) => `transaction ${answer.text('mintTx.txHash').slice(0, 16)}…`,
  });
  mustEqual('where it went', minted.text('mintTx.to_address'), ELSEWHERE);
  await service.call('GET /cardano/balance/{address}', {
    as: user,
    params: { address: ELSEWHERE },
    describe: (answer) =>
      `${answer.text('data.balances.usdc.amount')} USDC, ${answer.text('data.balances.ada.amount')} ADA`,
  });
  await service.call('GET /cardano/history/{user_id}', {
    as: user,
    params: { user_id },
    describe: ({ body }) => `${(body as unknown[]).length} steps, each recorded`,
  });
}
