import { setTimeout as pause } from 'node:timers/promises';
import type { LoggedIn } from './people.ts';
import { mustEqual, type Service, UnexpectedResponse } from './service.ts';

const MINUTE_MS = 60_000;
const POLL_MS = 250;
const BOUGHT = 100_000;
const BURNT = 50_000;

/** Buys rupiah tokens by QRIS, burns half of them, and has their worth paid out to a bank account. */
export async function rupiah(service: Service, user: LoggedIn, address: string): Promise<void> {
  service.part('Rupiah tokens: an invoice is paid by QRIS, and they are minted');
  await buy(service, user, address);

  service.part('Half of them are burnt, and paid out to a bank account');
  const bankId = await addBank(service, user);
  const burn = await service.sandbox('POST /chains/amoy/burn', {
    asset: 'IDRT',
    from: address,
    amount: String(BURNT),
  });
  await payOut(service, user, { bankId, address, hash: burn.text('tx_hash') });
}

async function buy(service: Service, user: LoggedIn, address: string): Promise<void> {
  const begun = await service.call('POST /idrtoken/onramp/initiate', {
    as: user,
    body: { amount: BOUGHT, paymentMethod: 'QRIS', walletAddress: address },
    tell: (answer) => `${answer.text('data.referenceId')}, ${answer.text('data.paymentUrl')}`,
  });
  const reference_id = begun.text('data.referenceId');
  await service.sandbox(`POST /gateway/payments/${reference_id}/pay`, {});
  await until(service, user, `GET /idrtoken/onramp/status/${reference_id}`, 'SUCCESS');
}

async function addBank(service: Service, user: LoggedIn): Promise<number> {
  // The account's name must be that under which the holder is registered.
  const profile = await service.call('GET /users/{user_id}', {
    as: user,
    params: { user_id: user.user_id },
  });
  const accountName = profile.text('data.username');
  const account = { bankName: 'Bank Central Asia', bankCode: 'BCA', accountNumber: '5270000000' };
  const added = await service.call('POST /idrtoken/banks/add', {
    as: user,
    body: { ...account, accountName, isPrimary: true },
    tell: (answer) => `bank account ${answer.number('data.token_bank_id')}`,
  });
  return added.number('data.token_bank_id');
}

async function payOut(
  service: Service,
  user: LoggedIn,
  { bankId, address, hash }: { bankId: number; address: string; hash: string },
): Promise<void> {
  const redemption = { burnTxHash: hash, amount: BURNT, bankId, walletAddress: address };
  const begun = await service.call('POST /idrtoken/offramp/initiate', {
    as: user,
    body: redemption,
    tell: (answer) =>
      `${answer.number('data.netAmount')} after a fee of ${answer.number('data.fee')}`,
  });
  mustEqual('the net amount', begun.number('data.netAmount'), BURNT - 5000);
  await service.call('POST /idrtoken/offramp/initiate', {
    as: user,
    status: 400,
    body: redemption,
    tell: (answer) => answer.text('error'),
  });
  const reference_id = begun.text('data.referenceId');
  const status = `GET /idrtoken/offramp/status/${reference_id}`;
  await until(service, user, status, 'PROCESSING');
  await service.sandbox(`POST /gateway/payouts/${reference_id}/complete`, {});
  await until(service, user, status, 'COMPLETED');
}

/** Asks until it says so: what happens elsewhere takes its time. */
export async function until(
  service: Service,
  user: LoggedIn,
  id: string,
  wanted: string,
): Promise<void> {
  for (let waited = 0; waited < MINUTE_MS; waited += POLL_MS) {
    const { body } = await service.ask(id, user);
    const { status } = (body as { data: { status: string } }).data;
    if (status === wanted) return service.note(`${id}  ${status}`);
    if (status === 'FAILED' || status === 'CANCELLED')
      throw new UnexpectedResponse(`${id} says ${status}, not ${wanted}`);
    await pause(POLL_MS);
  }
  throw new UnexpectedResponse(`${id} never said ${wanted}`);
}
