import type { Flow } from '../plan/workload.ts';
import { numberOf, textOf } from './answer.ts';
import type { Call, Person } from './cast.ts';
import { type Of, personOf, type Scene, step } from './play.ts';

/** The chain of burns, and of mints, too. */
const CHAIN = 'amoy';

/** Rupiah paid at the gateway for tokens, or tokens burnt for rupiah at a bank. */
export const playRupiah = (
  scene: Scene,
  flow: Of<'rupiah-in'> | Of<'rupiah-out'>,
): Promise<void> => (flow.kind === 'rupiah-in' ? buy(scene, flow) : redeem(scene, flow));

async function buy(scene: Scene, flow: Of<'rupiah-in'>): Promise<void> {
  const { user, rupiah, to } = flow;
  const begun = await scene.ask(
    step(scene, flow, 'buy', {
      path: '/idrtoken/onramp/initiate',
      body: { amount: rupiah, paymentMethod: 'QRIS', walletAddress: to },
      effect: { kind: 'rupiah-in', user, rupiah, to },
    }),
  );
  await scene.elsewhere(`/gateway/payments/${textOf(begun, 'data.referenceId')}/pay`);
}

async function redeem(scene: Scene, flow: Of<'rupiah-out'>): Promise<void> {
  const { user, rupiah, account, name } = flow;
  const { addresses, username } = personOf(scene.people, user);
  const bank = await scene.ask(
    step(scene, flow, 'bank', {
      path: '/idrtoken/banks/add',
      body: {
        bankName: 'Bank Central Asia',
        bankCode: 'BCA',
        accountNumber: account,
        accountName: username,
      },
      effect: { kind: 'nothing' },
    }),
  );
  const begun = await scene.ask(
    step(scene, flow, 'redeem', {
      path: '/idrtoken/offramp/initiate',
      body: {
        burnTxHash: scene.burns.get(name) ?? '',
        amount: rupiah,
        bankId: numberOf(bank, 'data.token_bank_id'),
        walletAddress: addresses[CHAIN],
      },
      effect: { kind: 'rupiah-out', user, rupiah },
    }),
  );
  await scene.elsewhere(`/gateway/payouts/${textOf(begun, 'data.referenceId')}/complete`);
}

/** Burns the tokens of redemptions before any violence: a burn is not repeated. */
export async function burnAhead(
  flows: readonly Flow[],
  people: readonly Person[],
  sandbox: Call,
): Promise<ReadonlyMap<string, string>> {
  const burns = new Map<string, string>();
  for (const flow of flows) {
    if (flow.kind !== 'rupiah-out') continue;
    const address = personOf(people, flow.user).addresses[CHAIN];
    const [asset, amount] = ['IDRT', String(flow.rupiah)];
    await sandbox('POST /faucet', { body: { chain: CHAIN, address, asset, amount } });
    const burnt = await sandbox(`POST /chains/${CHAIN}/burn`, {
      body: { asset, amount, from: address },
    });
    burns.set(flow.name, textOf(burnt, 'tx_hash'));
  }
  return burns;
}
