import type { LoggedIn } from './people.ts';
import { mustEqual, type Service } from './service.ts';

type Chain = 'sepolia' | 'amoy';

interface Wallet {
  readonly bw_id: number;
  readonly addresses: Readonly<Record<Chain, string>>;
}

/** A managed wallet is filled, sends USDC to another chain and pays another address on its own. */
export async function chains(service: Service, user: LoggedIn): Promise<void> {
  service.part('A crypto wallet with an address on two chains, filled by the faucet');
  const wallet = await openWallet(service, user);
  const give = (asset: string, amount: string) =>
    service.sandbox('POST /faucet', {
      chain: 'sepolia',
      address: wallet.addresses.sepolia,
      asset,
      amount,
    });
  await give('native', '1');
  await give('USDC', '50');
  mustEqual('USDC on Sepolia', await usdcOf(service, user, wallet, 'sepolia'), 50);

  service.part('10 USDC from Sepolia to Amoy: burnt there, minted here');
  await crossChain(service, user, wallet);
  mustEqual('USDC on Amoy', await usdcOf(service, user, wallet, 'amoy'), 10);

  service.part('An onchain payment, with its fee');
  await onchain(service, user, wallet);
}

async function openWallet(service: Service, user: LoggedIn): Promise<Wallet> {
  const { user_id } = user;
  const made = await service.call('POST /manual/wallets/crypto', {
    as: user,
    body: { user_id, wallet_name: 'Demo', chain_id: 'sepolia' },
    describe: (answer) => `wallet ${answer.number('data.bw_id')}`,
  });
  const bw_id = made.number('data.bw_id');
  const addressOn = async (chain_id: Chain) => {
    const answer = await service.call('POST /manual/wallets/crypto/{bw_id}/address', {
      as: user,
      params: { bw_id },
      body: { chain_id },
      describe: (answer) => `${answer.text('data.wallet_address')} on ${chain_id}`,
    });
    return answer.text('data.wallet_address');
  };
  return {
    bw_id,
    addresses: { sepolia: await addressOn('sepolia'), amoy: await addressOn('amoy') },
  };
}

async function usdcOf(service: Service, user: LoggedIn, { bw_id }: Wallet, chain: Chain) {
  const answer = await service.call('GET /wallets/{wallet_id}/balance', {
    as: user,
    params: { wallet_id: bw_id },
    describe: (answer) => `worth ${answer.number('data.total_value_usd')} USD`,
  });
  const tokens = answer.list(`data.chains.${chain}.tokens`) as {
    symbol: string;
    balance: string;
  }[];
  return Number(tokens.find(({ symbol }) => symbol === 'USDC')?.balance ?? 0);
}

async function crossChain(service: Service, user: LoggedIn, wallet: Wallet): Promise<void> {
  const started = await service.call('POST /crosschain/initiate', {
    as: user,
    body: {
      user_id: user.user_id,
      amount: '10',
      from_chain: 'sepolia',
      to_chain: 'amoy',
      token: 'USDC',
      recipient_address: wallet.addresses.amoy,
    },
    describe: (answer) => `${answer.text('data.log_id')} ${answer.text('data.status')}`,
  });
  const log_id = started.text('data.log_id');
  const nonce = started.text('data.nonce');
  await service.call('POST /crosschain/burn', {
    as: user,
    body: { log_id, nonce },
    describe: (answer) => `${answer.text('data.status')} ${answer.text('data.tx_hash')}`,
  });
  const mint = { as: user, body: { nonce } };
  await service.call('POST /crosschain/mint', {
    ...mint,
    describe: (answer) => `${answer.text('status')} ${answer.text('mint_tx_hash')}`,
  });
  await service.call('POST /crosschain/mint', {
    ...mint,
    status: 400,
    describe: (answer) => answer.text('error'),
  });
}

const PAYEE = '0x52908400098527886E0F7030069857D2E4169EE7';

async function onchain(service: Service, user: LoggedIn, wallet: Wallet): Promise<void> {
  const sent = await service.call('POST /onchain/execute', {
    as: user,
    status: 201,
    body: {
      wallet_address: wallet.addresses.sepolia,
      chain_id: 'sepolia',
      token_symbol: 'ETH',
      token_contract: 'native',
      to_address: PAYEE,
      amount: '0.1',
    },
    describe: (answer) => answer.text('data.transaction.status'),
  });
  const tx_hash = sent.text('data.transaction.tx_hash');
  await service.call('GET /onchain/details/{tx_hash}', { as: user, params: { tx_hash } });
  const history = await service.call('GET /onchain/history/{user_id}', {
    as: user,
    params: { user_id: user.user_id },
    describe: (answer) => `${answer.list('data.transactions').length} transaction`,
  });
  const [newest] = history.list('data.transactions') as { tx_hash: string }[];
  mustEqual('the newest transaction', newest?.tx_hash, tx_hash);
}
